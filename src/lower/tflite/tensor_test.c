// Models of several tensors as programs: buffers, their names and lifetimes, what is stored
// otherwise.
#include "base/span.h"
#include "lower/tflite/job_testing.h"

static const tflite_add_options no_add = {0};
static const tflite_fully_connected_options no_dense = {0};

HOIST_TEST(a_whole_model_is_a_program)
{
    const hoist_str text = tflite_job_text(t, tflite_test_model(&t->arena), NULL);
    HOIST_EXPECT(t, hoist_str_contains(
                        text, "buffer input in memory size 192 of i8[1, 8, 8, 3] lifetime session "
                              "contents caller\n"
                              "buffer softmax in memory size 10 of i8[1, 10] lifetime session "
                              "output\n"
                              "buffer filters in memory size 108 of i8[4, 3, 3, 3] lifetime "
                              "constant contents bytes data 0b"));
    // The reshape is no step, and its output no buffer: the dense layer reads what the pool wrote.
    HOIST_EXPECT(t, hoist_str_contains(text, "from [pool i8[1, 64], weights i8[10, 64], "));
    HOIST_EXPECT(t, !hoist_str_contains(text, "buffer flat "));
    HOIST_EXPECT(t, !hoist_str_contains(text, "buffer shape "));
    HOIST_EXPECT(t, hoist_str_contains(text, "    SOFTMAX/4: compute tflite.softmax("));
    HOIST_EXPECT(t, hoist_str_contains(
                        text, "thread main {\n    graph: call graph\n}\nentry run {\n    start "
                              "main\n}\n"));
    HOIST_EXPECT_RULE(t, NULL);
}

// Tensors between operators are outputs on request; constants, and what is a view, are none.
HOIST_TEST(tensors_between_operators_can_be_read)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .layers = true};
    const hoist_str text = tflite_job_text(t, tflite_test_model(&t->arena), &options);
    HOIST_EXPECT(t, hoist_str_contains(text, "buffer conv in memory size 256 of i8[1, 8, 8, 4] "
                                             "lifetime session output\n"));
    HOIST_EXPECT(t, hoist_str_contains(text, "buffer dense in memory size 10 of i8[1, 10] "
                                             "lifetime session output\n"));
    HOIST_EXPECT(t, hoist_str_contains(text, "lifetime constant contents bytes data 0b"));
    HOIST_EXPECT(t, !hoist_str_contains(text, "buffer flat "));
}

HOIST_TEST(orders_are_checked_without_constants)
{
    const hoist_lower_options options = {.struct_size = sizeof options, .control_only = true};
    const hoist_str text = tflite_job_text(t, tflite_test_model(&t->arena), &options);
    HOIST_EXPECT(t, hoist_str_contains(
                        text, "buffer weights in memory size 640 of i8[10, 64] lifetime constant "
                              "contents zero\n"));
}

// clang-format off
static const struct {
    const char *name;
    const char *names[4]; // of two inputs, a constant, an output
    const char *parts[4]; // of the text
} namings[] = {
    {"names of their own", {"a", "b", "k", "y"}, {"buffer a in", "buffer b in", "buffer k in", "buffer y in"}},
    {"no names", {"", "", "", ""}, {"buffer \"0/0\" in", "buffer \"0/1\" in", "buffer \"0/2\" in", "buffer \"0/3\" in"}},
    {"one name", {"a", "a", "a", "a"}, {"buffer a in", "buffer \"0/1\" in", "buffer \"0/2\" in", "buffer \"0/3\" in"}},
    {"ports before constants", {"a", "b", "y", "y"}, {"buffer a in", "buffer b in", "buffer \"0/2\" in", "buffer y in"}},
    {"a name that is another's number", {"0/1", "", "", "y"}, {"buffer \"0/1\" in", "buffer \"0/1/0\" in", "buffer \"0/2\" in", "buffer y in"}},
    {"a constant's name", {"constant/0", "b", "k", "y"}, {"buffer constant/0 in", "buffer b in", "buffer constant/1 in", "buffer y in"}},
};
// clang-format on

HOIST_TEST_TABLE(buffers_have_names_of_their_own, namings)
{
    // The second input is the weights.
    tflite_model *model =
        tflite_job_model(t, TFLITE_OP_FULLY_CONNECTED,
                         "i8 1x4 0.5 1, i8 2x4 0.5 0, i32 2 = 1 2 > i8 1x2 0.5 1", &no_dense);
    const tflite_subgraph *graph = model->subgraphs.items;
    for (size_t i = 0; i < 4; i++) {
        graph->tensors.items[i].name = hoist_str_from(row->names[i]);
    }
    const hoist_str text = tflite_job_text(t, model, NULL);
    for (size_t i = 0; i < 4; i++) {
        HOIST_EXPECT(t, hoist_str_contains(text, row->parts[i]));
    }
}

// An operator of the model, made a reshape of what it read.
HOIST_TEST(a_reshape_of_an_input_is_a_view_of_it)
{
    tflite_model *model = tflite_test_model(&t->arena);
    tflite_subgraph *graph = model->subgraphs.items;
    graph->inputs = TEST_INTS(&t->arena, TEST_POOL);
    graph->operators.items += TEST_OP_RESHAPE;
    graph->operators.count -= TEST_OP_RESHAPE;
    const hoist_str text = tflite_job_text(t, model, NULL);
    HOIST_EXPECT(t, hoist_str_contains(
                        text, "buffer pool in memory size 64 of i8[1, 4, 4, 4] lifetime session "
                              "contents caller"));
    HOIST_EXPECT(t, hoist_str_contains(text, "from [pool i8[1, 64], weights"));
}

HOIST_TEST(what_no_operator_makes_is_an_output_too)
{
    tflite_model *model = tflite_test_model(&t->arena);
    tflite_subgraph *graph = model->subgraphs.items;
    graph->outputs = TEST_INTS(&t->arena, TEST_SOFTMAX, TEST_INPUT, TEST_WEIGHTS, TEST_POOL);
    const hoist_str text = tflite_job_text(t, model, NULL);
    HOIST_EXPECT(t, hoist_str_contains(
                        text, "buffer input in memory size 192 of i8[1, 8, 8, 3] lifetime session "
                              "output contents caller\n"));
    HOIST_EXPECT(t, hoist_str_contains(
                        text, "buffer weights in memory size 640 of i8[10, 64] lifetime constant "
                              "output contents bytes"));
    HOIST_EXPECT(t, hoist_str_contains(
                        text, "buffer pool in memory size 64 of i8[1, 4, 4, 4] lifetime session "
                              "output\n"));
}

// Of int8 as their zero point.
HOIST_TEST(variables_begin_as_zeros)
{
    static const char *const rows[][2] = {
        {"i8 4 0.5 1, i8 4 0.5 1 > i8 4 0.5 1", "i8[4] lifetime session contents pattern data 01"},
        {"i8 4 0.5 0, i8 4 0.5 0 > i8 4 0.5 0", "i8[4] lifetime session contents zero"},
        {"u8 4 0.5 1, u8 4 0.5 1 > u8 4 0.5 1", "u8[4] lifetime session contents zero"},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        tflite_model *model = tflite_job_model(t, TFLITE_OP_ADD, rows[i][0], &no_add);
        tflite_subgraph *graph = model->subgraphs.items;
        graph->tensors.items[1].is_variable = true;
        graph->inputs = TEST_INTS(&t->arena, 0);
        const hoist_str text = tflite_job_text(t, model, NULL);
        HOIST_EXPECT(t, hoist_str_contains(text, rows[i][1]));
    }
}

// A sum goes back to the variable that it is of; a reader of the reshape gets the value from
// before.
HOIST_TEST(a_reshape_of_a_variable_is_a_copy)
{
    tflite_model *model = tflite_job_model(
        t, TFLITE_OP_ADD, "i8 4 0.5 1, i8 4 0.5 1 > i8 4 0.5 1, i8 2x2 0.5 1, i8 2x2 0.5 1",
        &no_add);
    tflite_subgraph *graph = model->subgraphs.items;
    tflite_operator_code codes[] = {model->operator_codes.items[0], model->operator_codes.items[0]};
    codes[1].builtin_code = TFLITE_OP_RESHAPE;
    codes[1].deprecated_builtin_code = TFLITE_OP_RESHAPE;
    model->operator_codes.items = codes;
    model->operator_codes.count = HOIST_COUNT_OF(codes);
    tflite_operator steps[] = {
        {.opcode_index = 1, .inputs = TEST_INTS(&t->arena, 1), .outputs = TEST_INTS(&t->arena, 3)},
        graph->operators.items[0],
        {.opcode_index = 1, .inputs = TEST_INTS(&t->arena, 3), .outputs = TEST_INTS(&t->arena, 4)}};
    steps[1].outputs = TEST_INTS(&t->arena, 1);
    graph->operators.items = steps;
    graph->operators.count = HOIST_COUNT_OF(steps);
    graph->tensors.items[1].is_variable = true;
    graph->inputs = TEST_INTS(&t->arena, 0);
    graph->outputs = TEST_INTS(&t->arena, 4);
    const hoist_str text = tflite_job_text(t, model, NULL);
    HOIST_EXPECT(t, hoist_str_contains(text, "move copy from [t1 i8[4]] to t3 i8[2, 2]\n"));
    HOIST_EXPECT(t, hoist_str_contains(text, "move copy from [t3 i8[2, 2]] to t4 i8[2, 2]\n"));
}

// Other subgraphs are only reached by operators that are refused.
HOIST_TEST(the_first_subgraph_is_the_model)
{
    tflite_model *model = tflite_test_model(&t->arena);
    tflite_subgraph graphs[2] = {model->subgraphs.items[0], {.name = HOIST_STR("other")}};
    graphs[1].debug_metadata_index = -1;
    model->subgraphs.items = graphs;
    model->subgraphs.count = 2;
    HOIST_EXPECT(t, hoist_str_contains(tflite_job_text(t, model, NULL), "SOFTMAX/4: "));
}

// clang-format off
static const struct {
    const char *name;
    bool sparse;
    uint32_t external;
    const char *says;
} storages[] = {
    {"sparse weights", true, 0, "tensor 1 ('t1') is sparse"},
    {"weights in another file", false, 1, "tensor 1 ('t1') has its data in another file"},
};
// clang-format on

HOIST_TEST_TABLE(what_is_stored_otherwise_is_refused, storages)
{
    static tflite_sparsity sparsity = {0};
    tflite_model *model =
        tflite_job_model(t, TFLITE_OP_FULLY_CONNECTED,
                         "i8 1x4 0.5 1, i8 2x4 0.5 0 = 1 2 3 4 5 6 7 8 > i8 1x2 0.5 1", &no_dense);
    tflite_tensor *weights = &model->subgraphs.items[0].tensors.items[1];
    hoist_program *program = NULL;
    weights->sparsity = row->sparse ? &sparsity : NULL;
    weights->external_buffer = row->external;
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, hoist_str_contains(hoist_diag_at(t->diag, 0)->message, row->says));
    HOIST_EXPECT_RULE(t, "RUN-030");
}

// All of a model in one go, each at its place; a tensor is reported once.
HOIST_TEST(every_operator_says_why)
{
    tflite_model *model = tflite_test_model(&t->arena);
    hoist_program *program = NULL;
    model->operator_codes.items[TEST_OP_POOL].builtin_code = TFLITE_OP_L2_POOL_2D;
    model->operator_codes.items[TEST_OP_POOL].deprecated_builtin_code = TFLITE_OP_L2_POOL_2D;
    model->subgraphs.items[0].tensors.items[TEST_DENSE].type = TFLITE_STRING;
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 2);
    const hoist_finding *first = hoist_diag_at(t->diag, 0);
    HOIST_EXPECT_STR(t, first->object, "subgraphs/0/operators/1");
    HOIST_EXPECT(t, first->loc.kind == HOIST_LOC_BYTE && first->loc.offset > 0);
    HOIST_EXPECT_RULE(t, "RUN-029");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 1)->object, "subgraphs/0/operators/3");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_whole_model_is_a_program),
                HOIST_TEST_ROW(tensors_between_operators_can_be_read),
                HOIST_TEST_ROW(orders_are_checked_without_constants),
                HOIST_TEST_ROW(buffers_have_names_of_their_own),
                HOIST_TEST_ROW(a_reshape_of_an_input_is_a_view_of_it),
                HOIST_TEST_ROW(what_no_operator_makes_is_an_output_too),
                HOIST_TEST_ROW(variables_begin_as_zeros),
                HOIST_TEST_ROW(a_reshape_of_a_variable_is_a_copy),
                HOIST_TEST_ROW(the_first_subgraph_is_the_model),
                HOIST_TEST_ROW(what_is_stored_otherwise_is_refused),
                HOIST_TEST_ROW(every_operator_says_why))
