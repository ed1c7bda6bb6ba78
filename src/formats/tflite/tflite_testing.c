#include "formats/tflite/tflite_testing.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/flexbuffer_testing.h"

static void *make(hoist_arena *arena, size_t count, size_t size)
{
    void *const items = hoist_arena_array(arena, count, size);
    if (!items) {
        abort();
    }
    return items;
}

hoist_bytes tflite_test_ints(hoist_arena *arena, size_t count, const int32_t *items)
{
    uint8_t *const data = make(arena, count, sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        hoist_store_u32le(data + i * sizeof(*items), (uint32_t)items[i]);
    }
    return (hoist_bytes){data, count * sizeof(*items)};
}

hoist_bytes tflite_test_longs(hoist_arena *arena, size_t count, const int64_t *items)
{
    uint8_t *const data = make(arena, count, sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        hoist_store_u64le(data + i * sizeof(*items), (uint64_t)items[i]);
    }
    return (hoist_bytes){data, count * sizeof(*items)};
}

hoist_bytes tflite_test_floats(hoist_arena *arena, size_t count, const float *items)
{
    uint8_t *const data = make(arena, count, sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        uint32_t bits = 0;
        memcpy(&bits, &items[i], sizeof(bits));
        hoist_store_u32le(data + i * sizeof(*items), bits);
    }
    return (hoist_bytes){data, count * sizeof(*items)};
}

// Bytes that differ from each other, the same on every machine.
static hoist_bytes make_data(hoist_arena *arena, size_t size)
{
    uint8_t *const data = make(arena, size, 1);
    for (size_t i = 0; i < size; i++) {
        data[i] = (uint8_t)(i * 37 + 11);
    }
    return (hoist_bytes){data, size};
}

// A row of the model's tensors: one scale, but of filters and bias one for each of four channels.
typedef struct tensor_row {
    const char *name;
    int32_t shape[4];
    uint8_t rank;
    int8_t type;
    uint8_t buffer;
    float scale; // 0: not quantised
    int8_t zero_point;
    bool per_channel;
} tensor_row;

// clang-format off
static const tensor_row tensor_rows[TEST_TENSORS] = {
    [TEST_INPUT]   = {"input",   {1, 8, 8, 3}, 4, TFLITE_INT8,  0, 0.5F,        -128, false},
    [TEST_FILTERS] = {"filters", {4, 3, 3, 3}, 4, TFLITE_INT8,  1, 0.125F,      0,    true},
    [TEST_BIAS]    = {"bias",    {4},          1, TFLITE_INT32, 2, 0.0625F,     0,    true},
    [TEST_CONV]    = {"conv",    {1, 8, 8, 4}, 4, TFLITE_INT8,  0, 0.25F,       -128, false},
    [TEST_POOL]    = {"pool",    {1, 4, 4, 4}, 4, TFLITE_INT8,  0, 0.25F,       -128, false},
    [TEST_SHAPE]   = {"shape",   {2},          1, TFLITE_INT32, 3, 0,           0,    false},
    [TEST_FLAT]    = {"flat",    {1, 64},      2, TFLITE_INT8,  0, 0.25F,       -128, false},
    [TEST_WEIGHTS] = {"weights", {10, 64},     2, TFLITE_INT8,  4, 0.03125F,    0,    false},
    [TEST_DENSE]   = {"dense",   {1, 10},      2, TFLITE_INT8,  0, 0.5F,        3,    false},
    [TEST_SOFTMAX] = {"softmax", {1, 10},      2, TFLITE_INT8,  0, 0.00390625F, -128, false},
};

static const struct {
    int8_t number;
    int32_t inputs[3];
    uint8_t input_count;
    int32_t output;
} op_rows[TEST_OPS] = {
    [TEST_OP_CONV]    = {TFLITE_OP_CONV_2D, {TEST_INPUT, TEST_FILTERS, TEST_BIAS}, 3, TEST_CONV},
    [TEST_OP_POOL]    = {TFLITE_OP_MAX_POOL_2D, {TEST_CONV}, 1, TEST_POOL},
    [TEST_OP_RESHAPE] = {TFLITE_OP_RESHAPE, {TEST_POOL, TEST_SHAPE}, 2, TEST_FLAT},
    [TEST_OP_DENSE]   = {TFLITE_OP_FULLY_CONNECTED, {TEST_FLAT, TEST_WEIGHTS, -1}, 3, TEST_DENSE},
    [TEST_OP_SOFTMAX] = {TFLITE_OP_SOFTMAX, {TEST_DENSE}, 1, TEST_SOFTMAX},
};
// clang-format on

static tflite_quantization *make_quantization(hoist_arena *arena, const tensor_row *row)
{
    tflite_quantization *const q = make(arena, 1, sizeof(*q));
    const float scales[4] = {row->scale, row->scale * 2, row->scale / 2, row->scale};
    const int64_t zeros[4] = {row->zero_point, 0, 0, 0};
    q->scale = tflite_test_floats(arena, row->per_channel ? 4 : 1, scales);
    q->zero_point = tflite_test_longs(arena, row->per_channel ? 4 : 1, zeros);
    return q;
}

static void fill_tensors(hoist_arena *arena, tflite_subgraph *graph)
{
    graph->tensors.items = make(arena, TEST_TENSORS, sizeof(tflite_tensor));
    graph->tensors.count = TEST_TENSORS;
    for (size_t i = 0; i < TEST_TENSORS; i++) {
        const tensor_row *const row = &tensor_rows[i];
        graph->tensors.items[i] = (tflite_tensor){
            .shape = tflite_test_ints(arena, row->rank, row->shape),
            .type = row->type,
            .buffer = row->buffer,
            .name = hoist_str_from(row->name),
            .quantization = row->scale > 0 ? make_quantization(arena, row) : NULL,
        };
    }
}

static void fill_options(hoist_arena *arena, tflite_operator *ops)
{
    tflite_conv2d_options *const conv = make(arena, 1, sizeof(*conv));
    *conv = (tflite_conv2d_options){.stride_w = 1,
                                    .stride_h = 1,
                                    .fused_activation_function = TFLITE_ACTIVATION_RELU,
                                    .dilation_w_factor = 1,
                                    .dilation_h_factor = 1};
    ops[TEST_OP_CONV].builtin_options = (hoist_fb_union){TFLITE_OPTIONS_Conv2D, conv, 0};
    tflite_pool2d_options *const pool = make(arena, 1, sizeof(*pool));
    *pool = (tflite_pool2d_options){.padding = TFLITE_PADDING_VALID,
                                    .stride_w = 2,
                                    .stride_h = 2,
                                    .filter_width = 2,
                                    .filter_height = 2};
    ops[TEST_OP_POOL].builtin_options = (hoist_fb_union){TFLITE_OPTIONS_Pool2D, pool, 0};
    tflite_reshape_options *const reshape = make(arena, 1, sizeof(*reshape));
    reshape->new_shape = TEST_INTS(arena, 1, 64);
    ops[TEST_OP_RESHAPE].builtin_options = (hoist_fb_union){TFLITE_OPTIONS_Reshape, reshape, 0};
    void *const dense = make(arena, 1, sizeof(tflite_fully_connected_options));
    ops[TEST_OP_DENSE].builtin_options = (hoist_fb_union){TFLITE_OPTIONS_FullyConnected, dense, 0};
    tflite_softmax_options *const softmax = make(arena, 1, sizeof(*softmax));
    softmax->beta = 1;
    ops[TEST_OP_SOFTMAX].builtin_options = (hoist_fb_union){TFLITE_OPTIONS_Softmax, softmax, 0};
}

static void fill_operators(hoist_arena *arena, tflite_model *model, tflite_subgraph *graph)
{
    model->operator_codes.items = make(arena, TEST_OPS, sizeof(tflite_operator_code));
    model->operator_codes.count = TEST_OPS;
    graph->operators.items = make(arena, TEST_OPS, sizeof(tflite_operator));
    graph->operators.count = TEST_OPS;
    for (uint32_t i = 0; i < TEST_OPS; i++) {
        model->operator_codes.items[i] =
            (tflite_operator_code){.deprecated_builtin_code = op_rows[i].number,
                                   .version = 1,
                                   .builtin_code = op_rows[i].number};
        graph->operators.items[i] = (tflite_operator){
            .opcode_index = i,
            .inputs = tflite_test_ints(arena, op_rows[i].input_count, op_rows[i].inputs),
            .outputs = tflite_test_ints(arena, 1, &op_rows[i].output),
            .debug_metadata_index = -1,
        };
    }
    fill_options(arena, graph->operators.items);
}

static void fill_buffers(hoist_arena *arena, tflite_model *model)
{
    enum { BUFFERS = 6 };
    model->buffers.items = make(arena, BUFFERS, sizeof(tflite_buffer));
    model->buffers.count = BUFFERS;
    model->buffers.items[1].data = make_data(arena, 108);
    model->buffers.items[2].data = TEST_INTS(arena, 100, -200, 300, -400);
    model->buffers.items[3].data = TEST_INTS(arena, 1, 64);
    model->buffers.items[4].data = make_data(arena, 640);
    model->buffers.items[5].data = (hoist_bytes){(const uint8_t *)"1.5.0\0\0\0\0\0\0\0\0\0\0", 16};
    model->metadata.items = make(arena, 1, sizeof(tflite_metadata));
    model->metadata.count = 1;
    model->metadata.items[0] =
        (tflite_metadata){.name = HOIST_STR("min_runtime_version"), .buffer = 5};
}

static tflite_tensor_map_list make_map(hoist_arena *arena, const char *name, uint32_t tensor)
{
    tflite_tensor_map_list maps = {.items = make(arena, 1, sizeof(tflite_tensor_map)), .count = 1};
    maps.items[0] = (tflite_tensor_map){.name = hoist_str_from(name), .tensor_index = tensor};
    return maps;
}

tflite_model *tflite_test_model(hoist_arena *arena)
{
    tflite_model *const model = make(arena, 1, sizeof(*model));
    model->version = TFLITE_SCHEMA_VERSION;
    model->description = HOIST_STR("hoist: an example");
    model->subgraphs.items = make(arena, 1, sizeof(tflite_subgraph));
    model->subgraphs.count = 1;
    tflite_subgraph *const graph = model->subgraphs.items;
    graph->name = HOIST_STR("main");
    graph->debug_metadata_index = -1;
    graph->inputs = TEST_INTS(arena, TEST_INPUT);
    graph->outputs = TEST_INTS(arena, TEST_SOFTMAX);
    fill_tensors(arena, graph);
    fill_operators(arena, model, graph);
    fill_buffers(arena, model);
    model->signature_defs.items = make(arena, 1, sizeof(tflite_signature));
    model->signature_defs.count = 1;
    model->signature_defs.items[0] =
        (tflite_signature){.inputs = make_map(arena, "x", TEST_INPUT),
                           .outputs = make_map(arena, "y", TEST_SOFTMAX),
                           .signature_key = HOIST_STR("serving_default")};
    return model;
}

void tflite_test_compile(hoist_arena *arena, tflite_model *model, hoist_bytes package)
{
    tflite_operator *const op = &model->subgraphs.items[0].operators.items[0];
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    const size_t map = hoist_flex_open(&w);
    hoist_flex_put_key(&w, HOIST_STR("1"));
    hoist_flex_put_int(&w, 0);
    hoist_flex_put_key(&w, HOIST_STR("4"));
    hoist_flex_put_string(&w, package);
    hoist_flex_put_key(&w, HOIST_STR("5"));
    hoist_flex_put_int(&w, -1);
    hoist_flex_close(&w, map, HOIST_FLEX_MAP);
    if (hoist_flex_finish(&w) != HOIST_OK) {
        abort();
    }
    const hoist_str copy = hoist_arena_str(arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    model->operator_codes.items[op->opcode_index] =
        (tflite_operator_code){.deprecated_builtin_code = TFLITE_OP_CUSTOM,
                               .custom_code = HOIST_STR(TFLITE_EDGETPU_NAME),
                               .version = 1,
                               .builtin_code = TFLITE_OP_CUSTOM};
    op->builtin_options = (hoist_fb_union){0, NULL, 0};
    op->custom_options = (hoist_bytes){(const uint8_t *)copy.data, copy.size};
}

void tflite_test_add_if(hoist_arena *arena, tflite_model *model, int32_t then_graph,
                        int32_t else_graph)
{
    const uint32_t codes = model->operator_codes.count;
    tflite_operator_code *const code_items = make(arena, codes + 1, sizeof(*code_items));
    memcpy(code_items, model->operator_codes.items, codes * sizeof(*code_items));
    code_items[codes] = (tflite_operator_code){
        .deprecated_builtin_code = TFLITE_OP_IF, .version = 1, .builtin_code = TFLITE_OP_IF};
    model->operator_codes.items = code_items;
    model->operator_codes.count = codes + 1;
    tflite_if_options *const options = make(arena, 1, sizeof(*options));
    options->then_subgraph_index = then_graph;
    options->else_subgraph_index = else_graph;
    tflite_operator *const op = make(arena, 1, sizeof(*op));
    op->opcode_index = codes;
    op->builtin_options = (hoist_fb_union){TFLITE_OPTIONS_If, options, 0};
    const uint32_t graphs = model->subgraphs.count;
    tflite_subgraph *const graph_items = make(arena, graphs + 1, sizeof(*graph_items));
    memcpy(graph_items, model->subgraphs.items, graphs * sizeof(*graph_items));
    graph_items[graphs].operators.items = op;
    graph_items[graphs].operators.count = 1;
    model->subgraphs.items = graph_items;
    model->subgraphs.count = graphs + 1;
}

hoist_bytes tflite_test_write(hoist_test *t, const tflite_model *model)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&tflite_model_type, model, TFLITE_IDENTIFIER, &out),
                    HOIST_OK);
    const hoist_bytes file = hoist_test_exact(t, hoist_buffer_bytes(&out));
    hoist_buffer_deinit(&out);
    return file;
}

tflite_module *tflite_test_open(hoist_test *t, hoist_bytes file)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, tflite_read(file, &options, t->diag, &module), HOIST_OK);
    if (!module) {
        abort();
    }
    return (tflite_module *)module;
}

// A member of the map that is being built.
typedef struct custom_option {
    const char *name;
    double number;
    bool is_real;
} custom_option;

// The map; the member called `without` is left out, `text` is a text. NULL: none.
static hoist_bytes options_of(hoist_arena *arena, const custom_option *options, size_t count,
                              const char *without, const char *text)
{
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    const size_t map = hoist_flex_open(&w);
    for (size_t i = 0; i < count; i++) {
        const custom_option *o = &options[i];
        if (without && strcmp(o->name, without) == 0) {
            continue;
        }
        hoist_flex_put_key(&w, hoist_str_from(o->name));
        if (text && strcmp(o->name, text) == 0) {
            hoist_flex_put_string(&w, (hoist_bytes){(const uint8_t *)"5", 1});
        } else if (o->is_real) {
            hoist_flex_put_float(&w, o->number);
        } else {
            hoist_flex_put_int(&w, (int64_t)o->number);
        }
    }
    hoist_flex_close(&w, map, HOIST_FLEX_MAP);
    const bool done = hoist_flex_finish(&w) == HOIST_OK;
    uint8_t *bytes = make(arena, out.size, 1);
    if (!done) {
        abort();
    }
    memcpy(bytes, out.data, out.size);
    const hoist_bytes result = {bytes, out.size};
    hoist_buffer_deinit(&out);
    return result;
}

hoist_bytes tflite_test_detection(hoist_arena *arena, int64_t most, const char *without,
                                  const char *text)
{
    const custom_option options[] = {
        {"max_detections", (double)most, false},
        {"max_classes_per_detection", 1, false},
        {"detections_per_class", 7, false},
        {"num_classes", 2, false},
        {"use_regular_nms", 1, false},
        {"nms_score_threshold", 0.25, true},
        {"nms_iou_threshold", 0.5, true},
        {"y_scale", 10, true},
        {"x_scale", 10, false},
        {"h_scale", 5, true},
        {"w_scale", 5, true},
    };
    return options_of(arena, options, HOIST_COUNT_OF(options), without, text);
}

hoist_bytes tflite_test_pose(hoist_arena *arena, int64_t most, int64_t stride, const char *without,
                             const char *text)
{
    const custom_option options[] = {
        {"max_detections", (double)most, false},
        {"nms_radius", 10, false},
        {"score_threshold", 0.25, true},
        {"stride", (double)stride, false},
    };
    return options_of(arena, options, HOIST_COUNT_OF(options), without, text);
}
