// Each rule with a model that breaks it and the object that is named; and models that break none.
#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "formats/tflite/check.h"
#include "formats/tflite/tflite_testing.h"

static tflite_tensor *tensor_of(tflite_model *m, size_t index)
{
    return &m->subgraphs.items[0].tensors.items[index];
}

static tflite_operator *op_of(tflite_model *m, size_t index)
{
    return &m->subgraphs.items[0].operators.items[index];
}

static tflite_operator_code *code_of(tflite_model *m, size_t index)
{
    return &m->operator_codes.items[index];
}

// Changes ----------------------------------------------------------------------------------------

typedef void change(hoist_arena *a, tflite_model *m);

static void none(hoist_arena *a, tflite_model *m)
{
    (void)a;
    (void)m;
}

static void version_4(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->version = 4;
}

static void no_subgraphs(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->subgraphs.count = 0;
    m->signature_defs.count = 0;
}

static void no_buffers(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tflite_tensor *const tensors = m->subgraphs.items[0].tensors.items;
    for (size_t i = 0; i < TEST_TENSORS; i++) {
        tensors[i].is_variable = tensors[i].buffer > 0;
        tensors[i].buffer = 0;
    }
    m->buffers.count = 0;
    m->metadata.count = 0;
}

static void first_buffer(hoist_arena *a, tflite_model *m)
{
    m->buffers.items[0].data = TEST_INTS(a, 1);
    tensor_of(m, TEST_INPUT)->shape = TEST_INTS(a, 1, 8, 8, 3);
    for (size_t i = 0; i < TEST_TENSORS; i++) {
        tensor_of(m, i)->is_variable = true;
    }
}

static void code_beyond(hoist_arena *a, tflite_model *m)
{
    (void)a;
    op_of(m, TEST_OP_POOL)->opcode_index = TEST_OPS;
}

static void input_beyond(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_CONV)->inputs = TEST_INTS(a, TEST_INPUT, TEST_FILTERS, TEST_TENSORS);
}

static void input_minus_2(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_CONV)->inputs = TEST_INTS(a, TEST_INPUT, TEST_FILTERS, -2);
}

static void output_minus_1(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_SOFTMAX)->outputs = TEST_INTS(a, -1);
    m->subgraphs.items[0].outputs = TEST_INTS(a, TEST_DENSE);
}

static void intermediate_beyond(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_CONV)->intermediates = TEST_INTS(a, 99);
}

static void graph_input_beyond(hoist_arena *a, tflite_model *m)
{
    m->subgraphs.items[0].inputs = TEST_INTS(a, TEST_INPUT, TEST_TENSORS);
}

static void graph_output_minus_1(hoist_arena *a, tflite_model *m)
{
    m->subgraphs.items[0].outputs = TEST_INTS(a, TEST_SOFTMAX, -1);
}

static void buffer_beyond(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tensor_of(m, TEST_CONV)->buffer = 6;
}

static void metadata_beyond(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->metadata.items[0].buffer = UINT32_MAX;
}

static void far_data(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->buffers.items[5] = (tflite_buffer){.offset = 1000000, .size = 16};
}

static void far_data_wraps(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->buffers.items[5] = (tflite_buffer){.offset = UINT64_MAX, .size = 16};
}

static void far_data_right(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->buffers.items[5] = (tflite_buffer){.offset = 4, .size = 16};
}

static void far_options(hoist_arena *a, tflite_model *m)
{
    (void)a;
    op_of(m, TEST_OP_POOL)->large_custom_options_offset = 1 << 30;
    op_of(m, TEST_OP_POOL)->large_custom_options_size = 1;
}

static void data_short(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->buffers.items[4].data.size--;
}

static void data_of_halves(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_WEIGHTS)->type = TFLITE_INT4;
    tensor_of(m, TEST_WEIGHTS)->shape = TEST_INTS(a, 10, 64);
    m->buffers.items[4].data.size = 320;
}

static void negative_extent(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_CONV)->shape = TEST_INTS(a, 1, 8, -8, 4);
}

static void huge_shape(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_CONV)->shape = TEST_INTS(a, INT32_MAX, INT32_MAX, INT32_MAX, 4);
}

static void signature_right(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_CONV)->shape_signature = TEST_INTS(a, -1, 8, -1, 4);
}

static void signature_rank(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_CONV)->shape_signature = TEST_INTS(a, -1, 8, 4);
}

static void signature_extent(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_CONV)->shape_signature = TEST_INTS(a, -1, 9, 8, 4);
}

static void type_50(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tensor_of(m, TEST_CONV)->type = 50;
}

static void zero_points_missing(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tensor_of(m, TEST_CONV)->quantization->zero_point = (hoist_bytes){NULL, 0};
}

static void scales_too_many(hoist_arena *a, tflite_model *m)
{
    tflite_quantization *const q = tensor_of(m, TEST_FILTERS)->quantization;
    q->scale = TEST_FLOATS(a, 1, 2, 3);
    q->zero_point = TEST_LONGS(a, 0, 0, 0);
}

static void dimension_beyond(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tensor_of(m, TEST_FILTERS)->quantization->quantized_dimension = 4;
}

static void dimension_negative(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tensor_of(m, TEST_FILTERS)->quantization->quantized_dimension = -1;
}

static void scale_zero(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_FILTERS)->quantization->scale = TEST_FLOATS(a, 1, 0, -1, 1);
}

static void scale_infinite(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_CONV)->quantization->scale = TEST_FLOATS(a, 1e38F * 10);
}

static void zero_point_128(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_CONV)->quantization->zero_point = TEST_LONGS(a, 128);
}

static void zero_point_256(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_CONV)->type = TFLITE_UINT8;
    tensor_of(m, TEST_CONV)->quantization->zero_point = TEST_LONGS(a, 256);
}

static void details(hoist_arena *a, tflite_model *m)
{
    tflite_quantization *const q = tensor_of(m, TEST_CONV)->quantization;
    // A union without a row for its type: what it says is not known.
    hoist_fb_table *const table = hoist_arena_alloc(a, 64);
    q->details = (hoist_fb_union){1, table, 0};
    q->scale = TEST_FLOATS(a, -1);
}

static void writes_twice(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_DENSE)->outputs = TEST_INTS(a, TEST_CONV);
    op_of(m, TEST_OP_SOFTMAX)->inputs = TEST_INTS(a, TEST_CONV);
}

static void writes_constant(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_SOFTMAX)->outputs = TEST_INTS(a, TEST_WEIGHTS);
    m->subgraphs.items[0].outputs = TEST_INTS(a, TEST_DENSE);
}

static void writes_variable(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_CONV)->is_variable = true;
    op_of(m, TEST_OP_DENSE)->outputs = TEST_INTS(a, TEST_CONV);
    op_of(m, TEST_OP_SOFTMAX)->inputs = TEST_INTS(a, TEST_CONV);
}

static void wrong_order(hoist_arena *a, tflite_model *m)
{
    (void)a;
    const tflite_operator first = *op_of(m, TEST_OP_CONV);
    *op_of(m, TEST_OP_CONV) = *op_of(m, TEST_OP_POOL);
    *op_of(m, TEST_OP_POOL) = first;
}

static void cycle(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_POOL)->inputs = TEST_INTS(a, TEST_POOL);
}

static void reads_nothing(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tensor_of(m, TEST_SHAPE)->buffer = 0;
}

static void reads_scratch(hoist_arena *a, tflite_model *m)
{
    reads_nothing(a, m);
    code_of(m, TEST_OP_RESHAPE)->builtin_code = TFLITE_OP_CUSTOM;
    code_of(m, TEST_OP_RESHAPE)->deprecated_builtin_code = TFLITE_OP_CUSTOM;
    code_of(m, TEST_OP_RESHAPE)->custom_code = HOIST_STR("ethos-u");
    op_of(m, TEST_OP_RESHAPE)->builtin_options = (hoist_fb_union){0};
}

static void reads_empty(hoist_arena *a, tflite_model *m)
{
    tensor_of(m, TEST_SHAPE)->buffer = 0;
    tensor_of(m, TEST_SHAPE)->shape = TEST_INTS(a, 0);
}

static void gives_nothing(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->subgraphs.items[0].operators.count--;
}

static void number_250(hoist_arena *a, tflite_model *m)
{
    (void)a;
    code_of(m, TEST_OP_SOFTMAX)->builtin_code = 250;
    code_of(m, TEST_OP_SOFTMAX)->deprecated_builtin_code = 127;
}

static void number_negative(hoist_arena *a, tflite_model *m)
{
    (void)a;
    code_of(m, TEST_OP_SOFTMAX)->builtin_code = -3;
    code_of(m, TEST_OP_SOFTMAX)->deprecated_builtin_code = -3;
}

static void custom_without_name(hoist_arena *a, tflite_model *m)
{
    (void)a;
    code_of(m, TEST_OP_SOFTMAX)->builtin_code = TFLITE_OP_CUSTOM;
    code_of(m, TEST_OP_SOFTMAX)->deprecated_builtin_code = TFLITE_OP_CUSTOM;
}

static void numbers_differ(hoist_arena *a, tflite_model *m)
{
    (void)a;
    code_of(m, TEST_OP_SOFTMAX)->deprecated_builtin_code = TFLITE_OP_LOGISTIC;
}

static void old_number(hoist_arena *a, tflite_model *m)
{
    (void)a;
    code_of(m, TEST_OP_SOFTMAX)->builtin_code = 0;
}

static void same_name(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tensor_of(m, TEST_POOL)->name = tensor_of(m, TEST_CONV)->name;
    tensor_of(m, TEST_FLAT)->name = tensor_of(m, TEST_CONV)->name;
}

static void no_names(hoist_arena *a, tflite_model *m)
{
    (void)a;
    for (size_t i = 0; i < TEST_TENSORS; i++) {
        tensor_of(m, i)->name = (hoist_str){NULL, 0};
    }
}

static void signature_subgraph(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->signature_defs.items[0].subgraph_index = 1;
}

static void signature_tensor(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->signature_defs.items[0].outputs.items[0].tensor_index = TEST_TENSORS;
}

static void signature_no_name(hoist_arena *a, tflite_model *m)
{
    (void)a;
    m->signature_defs.items[0].signature_key = (hoist_str){NULL, 0};
}

static void signature_argument_twice(hoist_arena *a, tflite_model *m)
{
    tflite_tensor_map_list *const inputs = &m->signature_defs.items[0].inputs;
    tflite_tensor_map *const items = hoist_arena_array(a, 2, sizeof(*items));
    items[0] = items[1] = inputs->items[0];
    inputs->items = items;
    inputs->count = 2;
}

static void options_of_another(hoist_arena *a, tflite_model *m)
{
    (void)a;
    op_of(m, TEST_OP_SOFTMAX)->builtin_options = op_of(m, TEST_OP_DENSE)->builtin_options;
}

static void stride_0(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tflite_conv2d_options *const conv = op_of(m, TEST_OP_CONV)->builtin_options.value;
    conv->stride_h = 0;
}

static void filter_negative(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tflite_pool2d_options *const pool = op_of(m, TEST_OP_POOL)->builtin_options.value;
    pool->filter_width = -1;
}

static void padding_unknown(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tflite_conv2d_options *const conv = op_of(m, TEST_OP_CONV)->builtin_options.value;
    conv->padding = 7;
}

static void activation_negative(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tflite_pool2d_options *const pool = op_of(m, TEST_OP_POOL)->builtin_options.value;
    pool->fused_activation_function = -1;
}

static void beta_nan(hoist_arena *a, tflite_model *m)
{
    (void)a;
    tflite_softmax_options *const softmax = op_of(m, TEST_OP_SOFTMAX)->builtin_options.value;
    softmax->beta = NAN;
}

static void inputs_too_many(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_SOFTMAX)->inputs = TEST_INTS(a, TEST_DENSE, TEST_DENSE);
}

static void inputs_too_few(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_CONV)->inputs = TEST_INTS(a, TEST_INPUT);
}

static void conv_without_bias(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_CONV)->inputs = TEST_INTS(a, TEST_INPUT, TEST_FILTERS);
}

static void conv_bias_left_out(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_CONV)->inputs = TEST_INTS(a, TEST_INPUT, TEST_FILTERS, -1);
}

// Filters of a depthwise convolution have other dimensions, of which no rule is.
static void make_depthwise(tflite_model *m)
{
    code_of(m, TEST_OP_CONV)->builtin_code = TFLITE_OP_DEPTHWISE_CONV_2D;
    code_of(m, TEST_OP_CONV)->deprecated_builtin_code = TFLITE_OP_DEPTHWISE_CONV_2D;
    op_of(m, TEST_OP_CONV)->builtin_options = (hoist_fb_union){0, NULL, 0};
}

static void depthwise_without_bias(hoist_arena *a, tflite_model *m)
{
    make_depthwise(m);
    conv_without_bias(a, m);
}

static void depthwise_bias_left_out(hoist_arena *a, tflite_model *m)
{
    make_depthwise(m);
    conv_bias_left_out(a, m);
}

static void dense_bias_left_out(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_DENSE)->inputs = TEST_INTS(a, TEST_FLAT, TEST_WEIGHTS, -1);
}

static void no_concatenation(hoist_arena *a, tflite_model *m)
{
    code_of(m, TEST_OP_SOFTMAX)->builtin_code = TFLITE_OP_CONCATENATION;
    code_of(m, TEST_OP_SOFTMAX)->deprecated_builtin_code = TFLITE_OP_CONCATENATION;
    op_of(m, TEST_OP_SOFTMAX)->builtin_options = (hoist_fb_union){0, NULL, 0};
    op_of(m, TEST_OP_SOFTMAX)->inputs = tflite_test_ints(a, 0, NULL);
}

static void outputs_too_many(hoist_arena *a, tflite_model *m)
{
    op_of(m, TEST_OP_SOFTMAX)->outputs = TEST_INTS(a, TEST_SOFTMAX, TEST_TENSORS - 1);
    tensor_of(m, TEST_SOFTMAX)->is_variable = true;
}

static void calls_beyond(hoist_arena *a, tflite_model *m)
{
    tflite_test_add_if(a, m, 0, 2);
}

static void calls_negative(hoist_arena *a, tflite_model *m)
{
    tflite_test_add_if(a, m, -1, 0);
}

static void calls_other(hoist_arena *a, tflite_model *m)
{
    tflite_test_add_if(a, m, 0, 0);
}

static void calls_itself(hoist_arena *a, tflite_model *m)
{
    tflite_test_add_if(a, m, 0, 1);
}

static void calls_in_a_ring(hoist_arena *a, tflite_model *m)
{
    tflite_test_add_if(a, m, 0, 2);
    tflite_test_add_if(a, m, 0, 3);
    tflite_test_add_if(a, m, 1, 1);
}

// Takes the data of the weights from byte 0 of a file.
static tflite_external_buffer *move_out(hoist_arena *a, tflite_model *m, size_t count)
{
    m->external_buffer_groups.items = hoist_arena_alloc(a, sizeof(tflite_external_group));
    m->external_buffer_groups.count = 1;
    m->external_buffers.items = hoist_arena_array(a, count, sizeof(tflite_external_buffer));
    m->external_buffers.count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        m->external_buffers.items[i].id = 9 - (uint32_t)i;
        m->external_buffers.items[i].length = 640;
    }
    tensor_of(m, TEST_WEIGHTS)->buffer = 0;
    tensor_of(m, TEST_WEIGHTS)->external_buffer = 8;
    return m->external_buffers.items;
}

static void data_elsewhere(hoist_arena *a, tflite_model *m)
{
    (void)move_out(a, m, 3);
}

static void data_nowhere(hoist_arena *a, tflite_model *m)
{
    (void)move_out(a, m, 1);
}

static void data_twice(hoist_arena *a, tflite_model *m)
{
    move_out(a, m, 3)[2].id = 8;
}

static void data_without_id(hoist_arena *a, tflite_model *m)
{
    move_out(a, m, 3)[2].id = 0;
}

static void data_without_file(hoist_arena *a, tflite_model *m)
{
    move_out(a, m, 3)[2].group = 1;
}

static void compiled(hoist_arena *a, tflite_model *m)
{
    tflite_test_compile(a, m, (hoist_bytes){(const uint8_t *)"DWN1", 4});
}

// clang-format off
static const struct {
    const char *name;
    change *change;
    const char *rule;   // NULL: none is broken
    const char *object; // of the first finding
    size_t findings;
} cases[] = {
    {"as it is", none, NULL, NULL, 0},
    {"compiled", compiled, NULL, NULL, 0},
    {"version", version_4, "TFL-002", "", 1},
    {"no subgraphs", no_subgraphs, "TFL-003", "", 1},
    {"no buffers", no_buffers, NULL, NULL, 0},
    {"data in the first buffer", first_buffer, "TFL-004", "", 1},
    {"code beyond the last", code_beyond, "TFL-005", "subgraphs/0/operators/1", 1},
    {"input beyond the last", input_beyond, "TFL-006", "subgraphs/0/operators/0", 1},
    {"input is -2", input_minus_2, "TFL-006", "subgraphs/0/operators/0", 1},
    {"output is -1", output_minus_1, "TFL-006", "subgraphs/0/operators/4", 1},
    {"intermediate beyond the last", intermediate_beyond, "TFL-006", "subgraphs/0/operators/0", 1},
    {"input of the graph beyond the last", graph_input_beyond, "TFL-007", "subgraphs/0", 1},
    {"output of the graph is -1", graph_output_minus_1, "TFL-007", "subgraphs/0", 1},
    {"buffer beyond the last", buffer_beyond, "TFL-008", "subgraphs/0/tensors/3", 1},
    {"metadata's buffer beyond the last", metadata_beyond, "TFL-009", "metadata/0", 1},
    {"data behind the file", far_data, "TFL-010", "buffers/5", 1},
    {"data behind 64 bits", far_data_wraps, "TFL-010", "buffers/5", 1},
    {"data in the file", far_data_right, NULL, NULL, 0},
    {"options behind the file", far_options, "TFL-010", "subgraphs/0/operators/1", 1},
    {"data too short", data_short, "TFL-011", "subgraphs/0/tensors/7", 1},
    {"two elements to a byte", data_of_halves, NULL, NULL, 0},
    {"negative extent", negative_extent, "TFL-012", "subgraphs/0/tensors/3", 1},
    {"product of extents", huge_shape, "TFL-012", "subgraphs/0/tensors/3", 1},
    {"signature of a shape", signature_right, NULL, NULL, 0},
    {"signature of another rank", signature_rank, "TFL-013", "subgraphs/0/tensors/3", 1},
    {"signature of another extent", signature_extent, "TFL-013", "subgraphs/0/tensors/3", 1},
    {"unknown type", type_50, "TFL-014", "subgraphs/0/tensors/3", 1},
    {"no zero points", zero_points_missing, "TFL-015", "subgraphs/0/tensors/3", 1},
    {"three scales for four", scales_too_many, "TFL-016", "subgraphs/0/tensors/1", 1},
    {"dimension beyond the last", dimension_beyond, "TFL-016", "subgraphs/0/tensors/1", 1},
    {"dimension is negative", dimension_negative, "TFL-016", "subgraphs/0/tensors/1", 1},
    {"scale is 0", scale_zero, "TFL-017", "subgraphs/0/tensors/1", 1},
    {"scale is infinite", scale_infinite, "TFL-017", "subgraphs/0/tensors/3", 1},
    {"zero point above int8", zero_point_128, "TFL-018", "subgraphs/0/tensors/3", 1},
    {"zero point above uint8", zero_point_256, "TFL-018", "subgraphs/0/tensors/3", 1},
    {"a technique of its own", details, NULL, NULL, 0},
    {"two writers", writes_twice, "TFL-019", "subgraphs/0/operators/3", 1},
    {"a constant is written", writes_constant, "TFL-019", "subgraphs/0/operators/4", 1},
    {"a variable is written twice", writes_variable, NULL, NULL, 0},
    {"wrong order", wrong_order, "TFL-020", "subgraphs/0/operators/0", 1},
    {"an operator reads what it writes", cycle, "TFL-020", "subgraphs/0/operators/1", 1},
    {"nothing is written", reads_nothing, "TFL-021", "subgraphs/0/operators/2", 1},
    {"memory of a custom operator", reads_scratch, NULL, NULL, 0},
    {"nothing to be written", reads_empty, NULL, NULL, 0},
    {"output is not written", gives_nothing, "TFL-022", "subgraphs/0", 1},
    {"unknown operator", number_250, "TFL-023", "operator_codes/4", 1},
    {"negative operator", number_negative, "TFL-023", "operator_codes/4", 1},
    {"custom operator without a name", custom_without_name, "TFL-024", "operator_codes/4", 1},
    {"numbers differ", numbers_differ, "TFL-025", "operator_codes/4", 1},
    {"only the old number", old_number, NULL, NULL, 0},
    {"names twice", same_name, "TFL-026", "subgraphs/0/tensors/4", 1},
    {"no names", no_names, NULL, NULL, 0},
    {"signature's subgraph", signature_subgraph, "TFL-027", "signature_defs/0", 1},
    {"signature's tensor", signature_tensor, "TFL-027", "signature_defs/0", 1},
    {"signature without a name", signature_no_name, "TFL-028", "signature_defs/0", 1},
    {"two arguments of one name", signature_argument_twice, "TFL-028", "signature_defs/0", 1},
    {"options of another kind", options_of_another, "TFL-029", "subgraphs/0/operators/4", 1},
    {"stride 0", stride_0, "TFL-030", "subgraphs/0/operators/0", 1},
    {"negative window", filter_negative, "TFL-030", "subgraphs/0/operators/1", 1},
    {"padding 7", padding_unknown, "TFL-035", "subgraphs/0/operators/0", 1},
    {"activation -1", activation_negative, "TFL-035", "subgraphs/0/operators/1", 1},
    {"beta that is no number", beta_nan, "TFL-036", "subgraphs/0/operators/4", 1},
    {"too many inputs", inputs_too_many, "TFL-031", "subgraphs/0/operators/4", 1},
    {"CONV_2D without a bias", conv_without_bias, "TFL-037", "subgraphs/0/operators/0", 1},
    {"CONV_2D with -1 as bias", conv_bias_left_out, "TFL-037", "subgraphs/0/operators/0", 1},
    {"DEPTHWISE_CONV_2D without a bias", depthwise_without_bias, NULL, NULL, 0},
    {"DEPTHWISE_CONV_2D with -1 as bias", depthwise_bias_left_out, "TFL-037", "subgraphs/0/operators/0", 1},
    {"FULLY_CONNECTED with -1 as bias", dense_bias_left_out, NULL, NULL, 0},
    {"too few inputs", inputs_too_few, "TFL-031", "subgraphs/0/operators/0", 1},
    {"nothing to join", no_concatenation, "TFL-031", "subgraphs/0/operators/4", 1},
    {"too many outputs", outputs_too_many, "TFL-031", "subgraphs/0/operators/4", 1},
    {"calls beyond the last", calls_beyond, "TFL-032", "subgraphs/1/operators/0", 1},
    {"calls what is negative", calls_negative, "TFL-032", "subgraphs/1/operators/0", 1},
    {"calls another", calls_other, NULL, NULL, 0},
    {"calls itself", calls_itself, "TFL-033", "subgraphs/1/operators/0", 1},
    {"data in another file", data_elsewhere, NULL, NULL, 0},
    {"data that are not listed", data_nowhere, "TFL-034", "subgraphs/0/tensors/7", 1},
    {"data that are listed twice", data_twice, "TFL-034", "external_buffers/2", 1},
    {"data without an id", data_without_id, "TFL-034", "external_buffers/2", 1},
    {"data of no file", data_without_file, "TFL-034", "external_buffers/2", 1},
    {"call each other", calls_in_a_ring, "TFL-033", "subgraphs/3/operators/0", 2},
};
// clang-format on

HOIST_TEST_TABLE(models, cases)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    row->change(&t->arena, model);
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    HOIST_EXPECT_EQ(t, tflite_check(&module->base, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), row->findings);
    HOIST_EXPECT_RULE(t, row->rule);
    if (row->findings && hoist_diag_kept(t->diag)) {
        const hoist_finding *const found = hoist_diag_at(t->diag, 0);
        HOIST_EXPECT_STR(t, found->object, row->object);
        HOIST_EXPECT_EQ(t, found->loc.kind, HOIST_LOC_BYTE);
        HOIST_EXPECT(t, found->loc.offset < module->file.size);
    }
    tflite_destroy(&module->base);
}

HOIST_TEST(another_identifier)
{
    const hoist_bytes file = tflite_test_write(t, tflite_test_model(&t->arena));
    uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
    memcpy(copy, file.data, file.size);
    copy[7] = 1; // in place of '3'
    tflite_module *const module = tflite_test_open(t, (hoist_bytes){copy, file.size});
    HOIST_EXPECT_EQ(t, tflite_check(&module->base, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, "TFL-001");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message,
                     "the identifier is 'TFL?', expected 'TFL3'");
    tflite_destroy(&module->base);
}

// A module that was made has no places.
HOIST_TEST(what_was_made_is_checked)
{
    tflite_module *const module =
        tflite_module_create(hoist_allocator_system(), (hoist_bytes){NULL, 0});
    module->model = tflite_test_model(&t->arena);
    scale_zero(&t->arena, module->model);
    HOIST_EXPECT_EQ(t, tflite_check(&module->base, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, "TFL-017");
    HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.kind, HOIST_LOC_NONE);
    tflite_destroy(&module->base);
}

static hoist_status check_again(hoist_allocator alloc, const void *self)
{
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_module *module = NULL;
    HOIST_TRY(tflite_read(*(const hoist_bytes *)self, &options, NULL, &module));
    const hoist_status status = tflite_check(module, NULL, NULL);
    tflite_destroy(module);
    return status;
}

HOIST_TEST(want_of_memory_is_told)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    calls_other(&t->arena, model);
    const hoist_bytes file = tflite_test_write(t, model);
    hoist_test_starve(t, check_again, &file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(models), HOIST_TEST_ROW(another_identifier),
                HOIST_TEST_ROW(what_was_made_is_checked), HOIST_TEST_ROW(want_of_memory_is_told))
