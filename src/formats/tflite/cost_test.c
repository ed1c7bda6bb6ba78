// What operators cost, by the shapes of their tensors; and compiled operators as payloads.
#include <string.h>

#include "base/span.h"
#include "formats/tflite/cost.h"
#include "formats/tflite/tflite.h"
#include "formats/tflite/tflite_testing.h"

// clang-format off
// Tensor 0 is the data, 1 the weights, 2 a third input, 3 the output.
static const struct {
    const char *name;
    int32_t number;
    uint32_t input_count;
    struct {
        uint32_t rank;
        int32_t shape[4];
    } tensors[4];
    int64_t macs; // -1: unknown
} costs[] = {
    {"a convolution", TFLITE_OP_CONV_2D, 3, {{4, {1, 8, 8, 3}}, {4, {4, 3, 5, 3}}, {1, {4}}, {4, {1, 8, 8, 4}}}, 256 * 45},
    {"without a bias", TFLITE_OP_CONV_2D, 2, {{4, {1, 8, 8, 3}}, {4, {4, 3, 5, 3}}, {0, {0}}, {4, {1, 8, 8, 4}}}, 256 * 45},
    {"depthwise", TFLITE_OP_DEPTHWISE_CONV_2D, 2, {{4, {1, 8, 8, 4}}, {4, {1, 3, 5, 4}}, {0, {0}}, {4, {1, 8, 8, 4}}}, 256 * 15},
    {"dense", TFLITE_OP_FULLY_CONNECTED, 2, {{2, {1, 64}}, {2, {10, 64}}, {0, {0}}, {2, {1, 10}}}, 640},
    {"dense, a batch of 3", TFLITE_OP_FULLY_CONNECTED, 2, {{2, {3, 64}}, {2, {10, 64}}, {0, {0}}, {2, {3, 10}}}, 1920},
    {"transposed", TFLITE_OP_TRANSPOSE_CONV, 3, {{1, {4}}, {4, {6, 2, 3, 5}}, {4, {1, 4, 4, 5}}, {4, {1, 8, 8, 6}}}, 80 * 36},
    {"an addition", TFLITE_OP_ADD, 2, {{1, {4}}, {1, {4}}, {0, {0}}, {1, {4}}}, -1},
    {"a pool", TFLITE_OP_MAX_POOL_2D, 1, {{4, {1, 8, 8, 4}}, {0, {0}}, {0, {0}}, {4, {1, 4, 4, 4}}}, -1},
    {"no weights", TFLITE_OP_CONV_2D, 1, {{4, {1, 8, 8, 3}}, {0, {0}}, {0, {0}}, {4, {1, 8, 8, 4}}}, -1},
    {"weights of rank 3", TFLITE_OP_CONV_2D, 2, {{4, {1, 8, 8, 3}}, {3, {4, 3, 5}}, {0, {0}}, {4, {1, 8, 8, 4}}}, -1},
    {"weights of rank 4 of a dense layer", TFLITE_OP_FULLY_CONNECTED, 2, {{2, {1, 64}}, {4, {10, 64, 1, 1}}, {0, {0}}, {2, {1, 10}}}, -1},
    {"an output below 0", TFLITE_OP_CONV_2D, 2, {{4, {1, 8, 8, 3}}, {4, {4, 3, 5, 3}}, {0, {0}}, {4, {1, -8, 8, 4}}}, -1},
    {"a window below 0", TFLITE_OP_CONV_2D, 2, {{4, {1, 8, 8, 3}}, {4, {4, -3, 5, 3}}, {0, {0}}, {4, {1, 8, 8, 4}}}, -1},
    {"rows below 0 do not count", TFLITE_OP_CONV_2D, 2, {{4, {1, 8, 8, 3}}, {4, {-4, 3, 5, 3}}, {0, {0}}, {4, {1, 8, 8, 4}}}, 256 * 45},
    {"an empty output", TFLITE_OP_CONV_2D, 2, {{4, {1, 8, 8, 3}}, {4, {4, 3, 5, 3}}, {0, {0}}, {4, {1, 0, 8, 4}}}, 0},
    {"too many", TFLITE_OP_CONV_2D, 2, {{4, {1, 8, 8, 3}}, {4, {4, INT32_MAX, INT32_MAX, 3}}, {0, {0}}, {4, {1, 8, 8, 4}}}, -1},
};
// clang-format on

HOIST_TEST_TABLE(macs_of_operators, costs)
{
    tflite_tensor tensors[4] = {{.type = TFLITE_INT8}};
    for (size_t i = 0; i < HOIST_COUNT_OF(tensors); i++) {
        tensors[i].shape = tflite_test_ints(&t->arena, row->tensors[i].rank, row->tensors[i].shape);
    }
    static const int32_t inputs[] = {0, 1, 2};
    tflite_operator_code code = {.builtin_code = row->number};
    const tflite_operator op = {.inputs = tflite_test_ints(&t->arena, row->input_count, inputs),
                                .outputs = TEST_INTS(&t->arena, 3)};
    tflite_model model = {.version = TFLITE_SCHEMA_VERSION};
    model.operator_codes.items = &code;
    model.operator_codes.count = 1;
    tflite_subgraph graph = {.debug_metadata_index = -1};
    graph.tensors.items = tensors;
    graph.tensors.count = HOIST_COUNT_OF(tensors);
    uint64_t macs = 1;
    HOIST_EXPECT_EQ(t, tflite_macs(&model, &graph, &op, &macs), row->macs >= 0);
    HOIST_EXPECT_EQ(t, macs, row->macs >= 0 ? row->macs : 0);
    // An operator of no known kind costs nothing that is known.
    model.operator_codes.count = 0;
    HOIST_EXPECT(t, !tflite_macs(&model, &graph, &op, &macs) && macs == 0);
}

HOIST_TEST(constants_count_once)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_subgraph *const graph = &model->subgraphs.items[0];
    const hoist_allocator alloc = hoist_allocator_system();
    const tflite_module module = {.base = {.alloc = alloc}, .model = model};
    const tflite_operator *const ops = graph->operators.items;
    uint64_t bytes = 0;
    HOIST_EXPECT_EQ(t, tflite_constant_bytes(&module, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, bytes, 108 + 16 + 8 + 640);
    HOIST_EXPECT_EQ(t, tflite_parameter_bytes(&module, graph, &ops[TEST_OP_CONV]), 124);
    HOIST_EXPECT_EQ(t, tflite_parameter_bytes(&module, graph, &ops[TEST_OP_POOL]), 0);
    HOIST_EXPECT_EQ(t, tflite_parameter_bytes(&module, graph, &ops[TEST_OP_DENSE]), 640);
    // Two tensors with one buffer, and one with none that there is.
    graph->tensors.items[TEST_BIAS].buffer = 1;
    graph->tensors.items[TEST_SHAPE].buffer = UINT32_MAX;
    HOIST_EXPECT_EQ(t, tflite_constant_bytes(&module, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, bytes, 108 + 640);
    HOIST_EXPECT_EQ(t, tflite_parameter_bytes(&module, graph, &ops[TEST_OP_CONV]), 216);
    model->buffers.count = 0;
    HOIST_EXPECT_EQ(t, tflite_constant_bytes(&module, &bytes), HOIST_OK);
    HOIST_EXPECT_EQ(t, bytes, 0);
}

// Payloads
// -----------------------------------------------------------------------------------------

static const hoist_payload *payloads_of(hoist_test *t, const tflite_module *module, size_t *count)
{
    hoist_payload *payloads = NULL;
    HOIST_EXPECT_EQ(t, tflite_payloads(&module->base, &t->arena, &payloads, count), HOIST_OK);
    return payloads;
}

HOIST_TEST(models_without_compiled_operators_have_no_payload)
{
    tflite_module *const module =
        tflite_test_open(t, tflite_test_write(t, tflite_test_model(&t->arena)));
    size_t count = 1;
    (void)payloads_of(t, module, &count);
    HOIST_EXPECT_EQ(t, count, 0);
    tflite_destroy(&module->base);
}

HOIST_TEST(a_compiled_operator_is_a_payload)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, (hoist_bytes){(const uint8_t *)"package", 7});
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    size_t count = 0;
    const hoist_payload *const payload = payloads_of(t, module, &count);
    HOIST_EXPECT_EQ(t, count, 1);
    if (count == 1) {
        HOIST_EXPECT_STR(t, payload->kind, TFLITE_EDGETPU_NAME);
        HOIST_EXPECT_STR(t, payload->path, "subgraphs/0/operators/0");
        HOIST_EXPECT(t, payload->bytes.data == module->file.data + payload->offset);
        HOIST_EXPECT_EQ(t, payload->neighbours, TEST_OPS - 1);
        HOIST_EXPECT_EQ(t, payload->input_count, 3);
        HOIST_EXPECT_EQ(t, payload->output_count, 1);
        const hoist_border_tensor *const input = &payload->inputs[0];
        HOIST_EXPECT_STR(t, input->name, "input");
        HOIST_EXPECT_EQ(t, input->dtype, HOIST_DTYPE_I8);
        HOIST_EXPECT_EQ(t, input->rank, 4);
        HOIST_EXPECT_EQ(t, input->shape[3], 3);
        HOIST_EXPECT(t, input->is_quantized && input->scale == 0.5F && input->zero_point == -128);
        // Of the filters each channel has a scale of its own.
        HOIST_EXPECT(t, !payload->inputs[1].is_quantized);
    }
    tflite_destroy(&module->base);
}

// Tensors that are left out or beyond the list are none of the border.
HOIST_TEST(borders_skip_what_is_no_tensor)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, (hoist_bytes){(const uint8_t *)"package", 7});
    tflite_operator *const op = &model->subgraphs.items[0].operators.items[0];
    op->inputs = TEST_INTS(&t->arena, -1, TEST_INPUT, TEST_TENSORS);
    model->subgraphs.items[0].tensors.items[TEST_INPUT].type = 99;
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    size_t count = 0;
    const hoist_payload *const payload = payloads_of(t, module, &count);
    HOIST_EXPECT_EQ(t, count, 1);
    if (count == 1) {
        HOIST_EXPECT_EQ(t, payload->input_count, 1);
        HOIST_EXPECT_EQ(t, payload->inputs[0].dtype, HOIST_DTYPE_NONE);
    }
    tflite_destroy(&module->base);
}

static hoist_status list_payloads(hoist_allocator alloc, const void *self)
{
    const tflite_module *const module = self;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    hoist_payload *payloads = NULL;
    size_t count = 0;
    const hoist_status status = tflite_payloads(&module->base, &arena, &payloads, &count);
    hoist_arena_deinit(&arena);
    return status;
}

// Inputs are as many as take more than a block of the arena.
HOIST_TEST(memory_runs_out)
{
#define EIGHT 0, 0, 0, 0, 0, 0, 0, 0
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, (hoist_bytes){(const uint8_t *)"package", 7});
    model->subgraphs.items[0].operators.items[0].inputs =
        TEST_INTS(&t->arena, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT);
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    hoist_test_starve(t, list_payloads, module);
    tflite_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(macs_of_operators), HOIST_TEST_ROW(constants_count_once),
                HOIST_TEST_ROW(models_without_compiled_operators_have_no_payload),
                HOIST_TEST_ROW(a_compiled_operator_is_a_payload),
                HOIST_TEST_ROW(borders_skip_what_is_no_tensor), HOIST_TEST_ROW(memory_runs_out))
