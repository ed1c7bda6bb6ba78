// The summary: what a model says of itself, and what its operators cost.
#include "base/alloc.h"
#include "base/span.h"
#include "formats/tflite/cost.h"
#include "formats/tflite/tflite_testing.h"
#include "testing/trace.h"

static hoist_str info_of(hoist_test *t, const tflite_module *module)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    HOIST_EXPECT_EQ(t, tflite_info(&module->base, NULL, t->diag, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

static const char expected_head[] = "model: map\n"
                                    "schema_version: uint 3\n"
                                    "description: str 17 hoist: an example\n"
                                    "subgraph_count: uint 1\n"
                                    "operator_count: uint 5\n"
                                    "edgetpu_operator_count: uint 0\n"
                                    "constants_bytes: uint 772\n"
                                    "multiply_accumulates: uint 7552\n"
                                    "end\n"
                                    "inputs: list\n"
                                    "map\n"
                                    "subgraph: uint 0\n"
                                    "tensor: uint 0\n"
                                    "name: str 5 input\n"
                                    "type: str 4 INT8\n"
                                    "shape: list\nint 1\nint 8\nint 8\nint 3\nend\n"
                                    "scale: float 0.5\n"
                                    "zero_point: int -128\n"
                                    "end\n"
                                    "end\n";

static const char expected_layer[] = "map\n"
                                     "subgraph: uint 0\n"
                                     "index: uint 0\n"
                                     "operator: str 7 CONV_2D\n"
                                     "shape: list\nint 1\nint 8\nint 8\nint 4\nend\n"
                                     "parameter_bytes: uint 124\n"
                                     "multiply_accumulates: uint 6912\n"
                                     "end\n"
                                     "map\n"
                                     "subgraph: uint 0\n"
                                     "index: uint 1\n"
                                     "operator: str 11 MAX_POOL_2D\n"
                                     "shape: list\nint 1\nint 4\nint 4\nint 4\nend\n"
                                     "parameter_bytes: uint 0\n"
                                     "multiply_accumulates: null\n"
                                     "end\n";

static const char expected_types[] = "tensor_types: list\n"
                                     "map\n"
                                     "type: str 5 INT32\n"
                                     "tensors: uint 2\n"
                                     "constants: uint 2\n"
                                     "quantized: uint 0\n"
                                     "quantized_per_channel: uint 1\n"
                                     "end\n"
                                     "map\n"
                                     "type: str 4 INT8\n"
                                     "tensors: uint 8\n"
                                     "constants: uint 2\n"
                                     "quantized: uint 7\n"
                                     "quantized_per_channel: uint 1\n"
                                     "end\n"
                                     "end\n";

static const char expected_names[] = "signatures: list\n"
                                     "map\n"
                                     "name: str 15 serving_default\n"
                                     "subgraph: uint 0\n"
                                     "inputs: list\nstr 1 x\nend\n"
                                     "outputs: list\nstr 1 y\nend\n"
                                     "end\n"
                                     "end\n"
                                     "metadata: list\n"
                                     "map\n"
                                     "name: str 19 min_runtime_version\n"
                                     "size_bytes: uint 16\n"
                                     "end\n"
                                     "end\n";

HOIST_TEST(a_model_is_summed_up)
{
    tflite_module *const module =
        tflite_test_open(t, tflite_test_write(t, tflite_test_model(&t->arena)));
    const hoist_str got = info_of(t, module);
    HOIST_EXPECT_STR(t, hoist_str_slice(got, 0, sizeof(expected_head) - 1), expected_head);
    HOIST_EXPECT(t, hoist_str_contains(got, expected_layer));
    HOIST_EXPECT(t, hoist_str_contains(got, expected_types));
    HOIST_EXPECT(t, hoist_str_ends_with(got, expected_names));
    tflite_destroy(&module->base);
}

// The first type and the last: a tensor of float32 without scales, and one of no type.
HOIST_TEST(tensors_are_counted_by_type)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    model->subgraphs.items[0].tensors.items[TEST_SOFTMAX].type = TFLITE_FLOAT32;
    model->subgraphs.items[0].tensors.items[TEST_SOFTMAX].quantization = NULL;
    model->subgraphs.items[0].tensors.items[TEST_CONV].type = TFLITE_TYPE_COUNT;
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    const hoist_str got = info_of(t, module);
    HOIST_EXPECT(t,
                 hoist_str_contains(got, "type: str 7 FLOAT32\ntensors: uint 1\nconstants: uint 0\n"
                                         "quantized: uint 0\nquantized_per_channel: uint 0\n"));
    HOIST_EXPECT(t,
                 hoist_str_contains(got, "type: str 7 unknown\ntensors: uint 1\nconstants: uint 0\n"
                                         "quantized: uint 1\nquantized_per_channel: uint 0\n"));
    tflite_destroy(&module->base);
}

HOIST_TEST(a_compiled_model_says_so)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, (hoist_bytes){(const uint8_t *)"x", 1});
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    const hoist_str got = info_of(t, module);
    HOIST_EXPECT(t, hoist_str_contains(got, "edgetpu_operator_count: uint 1\n"));
    HOIST_EXPECT(t, hoist_str_contains(got, "operator: str 17 edgetpu-custom-op\ncustom: true\n"
                                            "version: int 1\ncount: uint 1\n"));
    tflite_destroy(&module->base);
}

HOIST_TEST(custom_operators_tell_their_options)
{
    static const char *const expected[] = {
        "options_bytes: uint 26\noptions: map\n1: int 0\n4: str 2 ab\n5: int -1\nend\nend\n",
        "options_bytes: uint 3\noptions: null\nend\n",
        "options_bytes: uint 0\noptions: null\nend\n"};
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, (hoist_bytes){(const uint8_t *)"ab", 2});
    model->operator_codes.items[0].custom_code = HOIST_STR("Mine");
    tflite_operator *const op = &model->subgraphs.items[0].operators.items[0];
    const hoist_bytes options[] = {
        op->custom_options, {(const uint8_t *)"\xff\xff\xff", 3}, {NULL, 0}};
    for (size_t i = 0; i < HOIST_COUNT_OF(options); i++) {
        op->custom_options = options[i];
        tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
        const hoist_str got = info_of(t, module);
        HOIST_EXPECT(t,
                     hoist_str_contains(got, "custom_operators: list\nmap\noperator: str 4 Mine\n"
                                             "subgraph: uint 0\nindex: uint 0\n"));
        HOIST_EXPECT(t, hoist_str_contains(got, expected[i]));
        tflite_destroy(&module->base);
    }
}

// What is wrong in a model is no reason not to sum it up.
HOIST_TEST(a_broken_model_is_summed_up)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_subgraph *const graph = &model->subgraphs.items[0];
    graph->operators.items[0].opcode_index = 99;
    graph->operators.items[1].outputs = TEST_INTS(&t->arena, 99);
    graph->inputs = TEST_INTS(&t->arena, 99, -5);
    graph->tensors.items[TEST_SOFTMAX].type = 99;
    graph->tensors.items[TEST_SOFTMAX].shape = (hoist_bytes){NULL, 0};
    model->metadata.items[0].buffer = 99;
    model->description = (hoist_str){NULL, 0};
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    const hoist_str got = info_of(t, module);
    HOIST_EXPECT(t, hoist_str_contains(got, "description: null\n"));
    HOIST_EXPECT(t, hoist_str_contains(got, "inputs: list\nend\n"));
    HOIST_EXPECT(t, hoist_str_contains(got, "type: int 99\nshape: null\n"));
    HOIST_EXPECT(t, hoist_str_contains(got, "operator: str 7 unknown\ncustom: false\n"
                                            "version: null\n"));
    HOIST_EXPECT(t, hoist_str_contains(got, "type: str 7 unknown\ntensors: uint 1\n"));
    tflite_destroy(&module->base);
}

// clang-format off
static const struct {
    const char *name;
    int32_t number;
    int32_t shapes[3][4]; // of data, weights and output
    uint8_t ranks[3];
    bool known;
    uint64_t macs;
} costs[] = {
    {"convolution", TFLITE_OP_CONV_2D, {{1, 5, 5, 3}, {4, 3, 3, 3}, {1, 5, 5, 4}}, {4, 4, 4}, true,
     2700},
    {"grouped convolution", TFLITE_OP_CONV_2D, {{1, 5, 5, 6}, {4, 3, 3, 3}, {1, 5, 5, 4}},
     {4, 4, 4}, true, 2700},
    {"depthwise", TFLITE_OP_DEPTHWISE_CONV_2D, {{1, 5, 5, 3}, {1, 3, 3, 6}, {1, 5, 5, 6}},
     {4, 4, 4}, true, 1350},
    {"dense", TFLITE_OP_FULLY_CONNECTED, {{2, 64}, {10, 64}, {2, 10}}, {2, 2, 2}, true, 1280},
    {"pool", TFLITE_OP_MAX_POOL_2D, {{1, 4, 4, 4}, {1}, {1, 2, 2, 4}}, {4, 1, 4}, false, 0},
    {"weights of another rank", TFLITE_OP_CONV_2D, {{1, 5, 5, 3}, {4, 27}, {1, 5, 5, 4}},
     {4, 2, 4}, false, 0},
    {"negative extent", TFLITE_OP_CONV_2D, {{1, 5, 5, 3}, {4, 3, -3, 3}, {1, 5, 5, 4}}, {4, 4, 4},
     false, 0},
    {"beyond 63 bits", TFLITE_OP_CONV_2D,
     {{1, 5, 5, 3}, {4, INT32_MAX, INT32_MAX, 3}, {1, 5, 5, 4}}, {4, 4, 4}, false, 0},
};
// clang-format on

HOIST_TEST_TABLE(operators_cost, costs)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_subgraph *const graph = &model->subgraphs.items[0];
    tflite_operator *const op = &graph->operators.items[0];
    model->operator_codes.items[0].builtin_code = row->number;
    model->operator_codes.items[0].deprecated_builtin_code = (int8_t)row->number;
    op->inputs = TEST_INTS(&t->arena, 0, 1);
    op->outputs = TEST_INTS(&t->arena, 2);
    for (size_t i = 0; i < 3; i++) {
        graph->tensors.items[i].shape = tflite_test_ints(&t->arena, row->ranks[i], row->shapes[i]);
    }
    uint64_t macs = 1;
    HOIST_EXPECT_EQ(t, tflite_macs(model, graph, op, &macs), row->known);
    HOIST_EXPECT_EQ(t, macs, row->macs);
    op->inputs = TEST_INTS(&t->arena, 0);
    HOIST_EXPECT(t, !tflite_macs(model, graph, op, &macs));
}

// A transposed convolution spreads each element of its third input.
HOIST_TEST(transposed_convolutions_cost)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_subgraph *const graph = &model->subgraphs.items[0];
    tflite_operator *const op = &graph->operators.items[0];
    uint64_t macs = 0;
    model->operator_codes.items[0].builtin_code = TFLITE_OP_TRANSPOSE_CONV;
    op->inputs = TEST_INTS(&t->arena, TEST_SHAPE, TEST_FILTERS, TEST_INPUT);
    HOIST_EXPECT(t, tflite_macs(model, graph, op, &macs));
    HOIST_EXPECT_EQ(t, macs, UINT64_C(8) * 8 * 3 * 4 * 3 * 3);
}

static hoist_status sum_up(hoist_allocator alloc, const void *self)
{
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_module *module = NULL;
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    HOIST_TRY(tflite_read(*(const hoist_bytes *)self, &options, NULL, &module));
    const hoist_status status = tflite_info(module, NULL, NULL, &sink);
    tflite_destroy(module);
    return status;
}

HOIST_TEST(want_of_memory_is_told)
{
    const hoist_bytes file = tflite_test_write(t, tflite_test_model(&t->arena));
    hoist_test_starve(t, sum_up, &file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(tensors_are_counted_by_type), HOIST_TEST_ROW(a_model_is_summed_up),
                HOIST_TEST_ROW(a_compiled_model_says_so),
                HOIST_TEST_ROW(custom_operators_tell_their_options),
                HOIST_TEST_ROW(a_broken_model_is_summed_up), HOIST_TEST_ROW(operators_cost),
                HOIST_TEST_ROW(transposed_convolutions_cost),
                HOIST_TEST_ROW(want_of_memory_is_told))
