// Models that end before what cannot be run (cut.c), and lowering of all of them without memory.
#include "base/alloc.h"
#include "base/span.h"
#include "lower/tflite/job_testing.h"

static const hoist_lower_options skipping = {.struct_size = sizeof skipping,
                                             .on_unknown = HOIST_UNKNOWN_SKIP};

// A model of which operators of one kind are not known.
static tflite_model *without(hoist_test *t, uint32_t op)
{
    tflite_model *model = tflite_test_model(&t->arena);
    model->operator_codes.items[op].builtin_code = TFLITE_OP_L2_POOL_2D;
    model->operator_codes.items[op].deprecated_builtin_code = TFLITE_OP_L2_POOL_2D;
    return model;
}

HOIST_TEST(a_model_ends_before_what_cannot_be_run)
{
    const hoist_str text = tflite_job_text(t, without(t, TEST_OP_POOL), &skipping);
    HOIST_EXPECT(t, hoist_str_contains(text, "tflite.conv("));
    HOIST_EXPECT(
        t, hoist_str_contains(
               text, "buffer conv in memory size 256 of i8[1, 8, 8, 4] lifetime session output"));
    HOIST_EXPECT(t, !hoist_str_contains(text, "tflite.dense(") &&
                        !hoist_str_contains(text, "softmax"));
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_NOTE), 4);
    HOIST_EXPECT_RULE(t, "RUN-040");
    HOIST_EXPECT(t, hoist_str_contains(hoist_diag_at(t->diag, 0)->message,
                                       "operator 1 (L2_POOL_2D) is left out: it cannot be run"));
    HOIST_EXPECT(t, hoist_str_contains(
                        hoist_diag_at(t->diag, 1)->message,
                        "operator 2 (RESHAPE) is left out: it reads what another one would make"));
}

HOIST_TEST(what_is_left_out_is_named)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, without(t, TEST_OP_SOFTMAX), &skipping, &program),
                    HOIST_OK);
    HOIST_EXPECT(t, program && program->left_out_count == 1);
    if (program && program->left_out_count) {
        HOIST_EXPECT_STR(t, program->left_out[0], "L2_POOL_2D/4");
    }
    hoist_program_destroy(program);
}

HOIST_TEST(outputs_that_are_left_stay)
{
    tflite_model *model = without(t, TEST_OP_SOFTMAX);
    model->subgraphs.items[0].outputs = TEST_INTS(&t->arena, TEST_SOFTMAX, TEST_POOL);
    const hoist_str text = tflite_job_text(t, model, &skipping);
    HOIST_EXPECT(
        t, hoist_str_contains(
               text, "buffer pool in memory size 64 of i8[1, 4, 4, 4] lifetime session output"));
    HOIST_EXPECT(t, hoist_str_contains(text, "tflite.dense(") &&
                        !hoist_str_contains(text, "tflite.softmax("));
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_NOTE), 1);
}

// One operator makes the first tensor of input t1; the unknown one next to it reads or makes
// others.
static const struct {
    const char *name;
    int32_t reads;     // tensor that the other one reads
    bool is_an_output; // the first tensor
} first_tensors[] = {
    {"what the other one reads", 0, false},
    {"an output of the graph", 1, true},
    {"both", 0, true},
};

HOIST_TEST_TABLE(the_first_tensor_is_kept_as_others_are, first_tensors)
{
    tflite_model *model =
        tflite_job_model(t, TFLITE_OP_RELU, "i8 4 0.5 1, i8 4 0.5 1 > i8 4 0.5 1", NULL);
    tflite_subgraph *graph = &model->subgraphs.items[0];
    tflite_operator operators[2] = {graph->operators.items[0], graph->operators.items[0]};
    tflite_operator_code codes[2] = {model->operator_codes.items[0],
                                     model->operator_codes.items[0]};
    operators[0].inputs = graph->inputs = TEST_INTS(&t->arena, 1);
    operators[0].outputs = TEST_INTS(&t->arena, 0);
    operators[1].inputs = TEST_INTS(&t->arena, row->reads);
    operators[1].opcode_index = 1;
    graph->outputs = row->is_an_output ? TEST_INTS(&t->arena, 0, 2) : graph->outputs;
    codes[1].builtin_code = TFLITE_OP_L2_POOL_2D;
    codes[1].deprecated_builtin_code = TFLITE_OP_L2_POOL_2D;
    graph->operators.items = operators;
    graph->operators.count = 2;
    model->operator_codes.items = codes;
    model->operator_codes.count = 2;
    const hoist_str text = tflite_job_text(t, model, &skipping);
    HOIST_EXPECT(t, hoist_str_contains(
                        text, "buffer t0 in memory size 4 of i8[4] lifetime session output\n"));
    HOIST_EXPECT(t, hoist_str_contains(text, "from [t1 i8[4], t1 i8[4]] to [t0 i8[4]]"));
    HOIST_EXPECT(t, !hoist_str_contains(text, "buffer t2 "));
}

HOIST_TEST(a_model_of_which_nothing_is_left_is_refused)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, without(t, TEST_OP_CONV), &skipping, &program),
                    HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "RUN-029");
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_NOTE), 0);
}

static hoist_status lower_with(hoist_allocator alloc, const void *self)
{
    // The module is there; only lowering it asks for memory.
    tflite_module *module = *(tflite_module *const *)self;
    const hoist_allocator own = module->base.alloc;
    const hoist_file file = {.module = &module->base, .name = HOIST_STR("a.tflite")};
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .on_unknown = HOIST_UNKNOWN_SKIP};
    hoist_program *program = NULL;
    module->base.alloc = alloc;
    const hoist_status status = tflite_lower(&file, 1, NULL, &options, NULL, &program);
    hoist_program_destroy(program);
    module->base.alloc = own;
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    const tflite_model *models[] = {
        tflite_test_model(&t->arena),
        without(t, TEST_OP_POOL),
        tflite_job_model(t, TFLITE_OP_PAD, "i8 1x2 0.5 -3, i32 2x2 = 0 1 2 0 > i8 2x4 0.5 -3",
                         NULL),
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(models); i++) {
        tflite_module *module = tflite_test_open(t, tflite_test_write(t, models[i]));
        hoist_test_starve(t, lower_with, &module);
        tflite_destroy(&module->base);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_model_ends_before_what_cannot_be_run),
                HOIST_TEST_ROW(what_is_left_out_is_named),
                HOIST_TEST_ROW(outputs_that_are_left_stay),
                HOIST_TEST_ROW(the_first_tensor_is_kept_as_others_are),
                HOIST_TEST_ROW(a_model_of_which_nothing_is_left_is_refused),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
