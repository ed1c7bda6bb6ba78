// What operators cost: multiply-accumulates by the shapes of their tensors (kernels reference
// sections 4.1 and 6), and bytes of constants. info.c sums them, tflite_picture.c draws them.
#include "formats/tflite/cost.h"

#include "base/alloc.h"
#include "base/checked.h"
#include "base/span.h"

// How the multiply-accumulates of an operator follow from shapes: elements of one tensor times the
// extents of the weights that each element goes through (kernels reference 4.1 and 6). A transposed
// convolution goes the other way: every element of its data is spread over a window of all output
// channels.
typedef struct cost_row {
    int32_t number;
    bool by_output;  // else by the data
    uint8_t data;    // input
    uint8_t weights; // input
    uint8_t rank;    // of the weights
    uint8_t dims;    // bit i: dimension i of the weights counts
} cost_row;

// clang-format off
static const cost_row rows[] = {
    // number                      by_output data weights rank dims
    // [O][kh][kw][I]: each output is a sum over kh * kw * I; depthwise [1][kh][kw][O]: over kh *
    // kw.
    {TFLITE_OP_CONV_2D,            true,     0,   1,      4,   1 << 1 | 1 << 2 | 1 << 3},
    {TFLITE_OP_DEPTHWISE_CONV_2D,  true,     0,   1,      4,   1 << 1 | 1 << 2},
    {TFLITE_OP_FULLY_CONNECTED,    true,     0,   1,      2,   1 << 1},
    {TFLITE_OP_TRANSPOSE_CONV,     false,    2,   1,      4,   1 << 0 | 1 << 1 | 1 << 2},
};
// clang-format on

static const cost_row *row_of(const tflite_operator_code *code)
{
    for (size_t i = 0; code && i < HOIST_COUNT_OF(rows); i++) {
        if (rows[i].number == tflite_code_number(code)) {
            return &rows[i];
        }
    }
    return NULL;
}

bool tflite_macs(const tflite_model *model, const tflite_subgraph *graph, const tflite_operator *op,
                 uint64_t *out_macs)
{
    int64_t macs = 0;
    *out_macs = 0;
    const cost_row *const row = row_of(tflite_code_of(model, op));
    if (!row) {
        return false;
    }
    const tflite_tensor *const weights = tflite_tensor_in(graph, op->inputs, row->weights);
    const tflite_tensor *const elements = row->by_output
                                              ? tflite_tensor_in(graph, op->outputs, 0)
                                              : tflite_tensor_in(graph, op->inputs, row->data);
    // A rank of its own is a model that the runtime refuses: no guess is made of its cost.
    if (!weights || !elements || tflite_count(weights->shape) != row->rank ||
        !tflite_elements(elements, &macs)) {
        return false;
    }
    for (uint32_t i = 0; i < row->rank; i++) {
        const int32_t extent = hoist_fb_i32(weights->shape, i);
        // TFL-012 reports negative extents.
        if (row->dims >> i & 1 && (extent < 0 || hoist_ckd_mul_i64(&macs, macs, extent))) {
            return false;
        }
    }
    *out_macs = (uint64_t)macs;
    return true;
}

// A constant that two inputs share is counted twice: the operator reads it twice.
uint64_t tflite_parameter_bytes(const tflite_module *module, const tflite_subgraph *graph,
                                const tflite_operator *op)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < tflite_count(op->inputs); i++) {
        const tflite_tensor *const tensor = tflite_tensor_at(graph, op->inputs, i);
        if (tensor) {
            bytes += tflite_buffer_data(module, tensor->buffer).size;
        }
    }
    return bytes;
}

hoist_status tflite_constant_bytes(const tflite_module *module, uint64_t *out_bytes)
{
    const tflite_model *const model = module->model;
    const size_t count = model->buffers.count;
    *out_bytes = 0;
    // One flag per buffer, since tensors of several subgraphs may have the same one.
    bool *const seen = hoist_alloc_zero(module->base.alloc, count, sizeof(*seen));
    if (count > 0 && !seen) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t g = 0; g < model->subgraphs.count; g++) {
        const tflite_subgraph *const graph = &model->subgraphs.items[g];
        for (uint32_t i = 0; i < graph->tensors.count; i++) {
            const uint32_t buffer = graph->tensors.items[i].buffer;
            if (buffer < count && !seen[buffer]) {
                seen[buffer] = true;
                *out_bytes += tflite_buffer_data(module, buffer).size;
            }
        }
    }
    hoist_free(module->base.alloc, seen, count * sizeof(*seen));
    return HOIST_OK;
}
