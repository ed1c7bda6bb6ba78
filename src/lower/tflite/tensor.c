// Tensors of a graph as buffers.
// Neighbours: views.h, the views that values hold; darwinn/models.h, names and batches. Extents and
// types of the file have been checked by formats/tflite, but not that hoist can hold them.
#include <inttypes.h>
#include <stddef.h>

#include "base/checked.h"
#include "base/span.h"
#include "lower/tflite/state.h"

// A word for tensors in messages: "tensor 3 ('conv')".
#define TENSOR "tensor %" PRIu32 " ('%.*s')"
#define TENSOR_ARGS(j, v) (uint32_t)((v) - (j)->values), HOIST_STR_ARGS((v)->tensor->name)

// What a tensor is ------------------------------------------------------------------------------

static uint32_t number_of(const tflite_lower_job *j, const tflite_lower_value *v)
{
    return (uint32_t)(v - j->values);
}

static hoist_bytes data_of(const tflite_lower_job *j, const tflite_tensor *tensor)
{
    return tflite_buffer_data(j->module, tensor->buffer);
}

static bool is_constant(const tflite_lower_job *j, const tflite_tensor *tensor)
{
    return data_of(j, tensor).size > 0;
}

// Elements of a batch that the buffer of a tensor holds. Constants and variables are one for all;
// tensors inside a function are reused by each call, so they hold one, too.
static uint32_t elements_of(const tflite_lower_job *j, const tflite_lower_value *v)
{
    const bool is_shared = (is_constant(j, v->tensor) && !v->is_input) || v->tensor->is_variable;
    const bool is_of_all = v->is_input || v->is_output || j->is_driven;
    return is_of_all && !is_shared ? darwinn_lower_models_batch(j->models) : 1;
}

// Bytes of one element of a batch. Tensors whose shape only the operator's options give have none
// in the file.
static uint64_t bytes_of(const tflite_lower_value *v)
{
    uint64_t bytes = 0;
    if (v->given.rank > 0 && tflite_count(v->tensor->shape) == 0) {
        return (uint64_t)hoist_shape_count(&v->given) * (hoist_dtype_get(v->view.dtype)->bits / 8U);
    }
    (void)tflite_bytes(v->tensor, &bytes); // it was checked
    return bytes;
}

// The tensor's shape; RUN_031 where it is above the limits: at most HOIST_MAX_RANK dimensions and
// TFLITE_LOWER_MAX_BYTES, so that no later product of extents overflows.
static bool shape_of(tflite_lower_job *j, const tflite_lower_op *op, const tflite_lower_value *v,
                     hoist_shape *out_shape)
{
    const tflite_tensor *tensor = v->tensor;
    const uint32_t rank = tflite_count(tensor->shape);
    uint64_t bytes = 0;
    int64_t dims[HOIST_MAX_RANK];
    *out_shape = v->given;
    if (rank == 0 && v->given.rank > 0) {
        return true;
    }
    for (uint32_t i = 0; i < rank && i < HOIST_MAX_RANK; i++) {
        dims[i] = hoist_fb_i32(tensor->shape, i);
    }
    if (rank > HOIST_MAX_RANK) {
        return tflite_lower_refuse_tensor(j, RUN_031, op, v->tensor,
                                          TENSOR " has %" PRIu32 " dimensions, expected at most %d",
                                          TENSOR_ARGS(j, v), rank, HOIST_MAX_RANK);
    }
    if (rank == 0 && elements_of(j, v) > 1) { // a batch is put into the first dimension
        return tflite_lower_refuse_tensor(j, RUN_031, op, v->tensor,
                                          TENSOR " has no dimension for the %" PRIu32
                                                 " elements of a batch",
                                          TENSOR_ARGS(j, v), elements_of(j, v));
    }
    // Tensors without elements would give buffers of 0 bytes, which programs do not have.
    if (!tflite_bytes(tensor, &bytes) || bytes == 0 || bytes > TFLITE_LOWER_MAX_BYTES ||
        hoist_shape_init(dims, rank, out_shape) != HOIST_OK) {
        return tflite_lower_refuse_tensor(j, RUN_031, op, v->tensor,
                                          TENSOR " has %" PRIu64 " bytes, expected 1 to %" PRId64,
                                          TENSOR_ARGS(j, v), bytes, TFLITE_LOWER_MAX_BYTES);
    }
    return true;
}

// The element type of a step's operands. Sparse and external data are refused here, so that all
// other code may rely on dense bytes in this file.
static bool type_of(tflite_lower_job *j, const tflite_lower_op *op, const tflite_lower_value *v,
                    hoist_dtype *out_dtype)
{
    const tflite_tensor *tensor = v->tensor;
    const tflite_type_row *type = tflite_type_get(tensor->type);
    *out_dtype = type ? type->dtype : HOIST_DTYPE_NONE;
    if (*out_dtype == HOIST_DTYPE_NONE) {
        return tflite_lower_refuse_tensor(j, RUN_030, op, v->tensor,
                                          TENSOR " has elements of type %s", TENSOR_ARGS(j, v),
                                          type ? type->name : "unknown");
    }
    if (tensor->sparsity || tensor->external_buffer != 0) {
        return tflite_lower_refuse_tensor(
            j, RUN_030, op, v->tensor, TENSOR " %s", TENSOR_ARGS(j, v),
            tensor->sparsity ? "is sparse" : "has its data in another file");
    }
    return true;
}

// Names -----------------------------------------------------------------------------------------

// The tensor's own name, else "0/12" of tensor 12; with a number after it where another buffer has
// that name.
static hoist_str name_of(tflite_lower_job *j, const tflite_lower_value *v)
{
    return darwinn_lower_models_name(j->models, v->tensor->name,
                                     hoist_lower_format(j->c, "0/%" PRIu32, number_of(j, v)));
}

// Buffers ---------------------------------------------------------------------------------------

// Outputs can be read after the run; with the option `layers` so can tensors between operators.
static bool is_kept(const tflite_lower_job *j, const tflite_lower_value *v)
{
    return v->is_output || (j->c->options->layers && !v->is_input && !v->tensor->is_variable &&
                            !is_constant(j, v->tensor));
}

// What a tensor's bytes are at first, and how long they live.
static void fill_contents(const tflite_lower_job *j, const tflite_lower_value *v,
                          hoist_prog_buffer *row)
{
    const hoist_bytes data = data_of(j, v->tensor);
    row->lifetime = is_kept(j, v)  ? HOIST_LIFETIME_SESSION
                    : j->is_driven ? HOIST_LIFETIME_RUN // all parts of the run read and write it
                                   : HOIST_LIFETIME_CALL;
    if (v->is_input) {
        row->lifetime = HOIST_LIFETIME_SESSION;
        row->contents = HOIST_CONTENTS_CALLER;
        // The file's bytes as they are; a program without data (control_only) has zeros of the same
        // size.
    } else if (data.size > 0) {
        row->lifetime = HOIST_LIFETIME_CONSTANT;
        row->contents = j->c->options->control_only ? HOIST_CONTENTS_ZERO : HOIST_CONTENTS_BYTES;
        row->bytes = j->c->options->control_only ? (hoist_bytes){NULL, 0} : data;
    } else if (v->tensor->is_variable) { // kept from run to run
        row->lifetime = HOIST_LIFETIME_SESSION;
        row->contents = HOIST_CONTENTS_ZERO;
    }
}

// Strides of the view become strides of the layout, in bytes.
static hoist_prog_layout dense_layout(const hoist_lower_view *view)
{
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED, .shape = view->shape};
    for (int i = 0; i < view->shape.rank; i++) {
        layout.stride[i] = view->stride[i];
    }
    return layout;
}

// One buffer per tensor, of all elements of a batch it holds: v->view addresses the first, and
// view.step is the way to the next.
static void make_buffer(tflite_lower_job *j, tflite_lower_value *v)
{
    const uint32_t elements = elements_of(j, v);
    uint64_t bytes = bytes_of(v);
    hoist_prog_layout layout = dense_layout(&v->view);
    if (elements > 1) {
        v->view.step = (int64_t)bytes;
        layout.shape.dim[0] *= elements; // a batch is a longer first dimension
        bytes *= elements;
    }
    hoist_prog_buffer row = {.name = name_of(j, v),
                             .loc = tflite_lower_place(j, &tflite_tensor_type, v->tensor,
                                                       offsetof(tflite_tensor, shape)),
                             .space = j->layers.space,
                             .size = bytes,
                             .alignment = 1,
                             .window_of = HOIST_NO_REF,
                             .output = is_kept(j, v),
                             .typed = true,
                             .dtype = v->view.dtype,
                             .layout = hoist_builder_layout(j->c->b, &layout)};
    fill_contents(j, v, &row);
    // Variables are zeros before the first run, those of int8 their zero point (TFLite,
    // ResetVariableTensor in core/subgraph.cc).
    const uint8_t zero = (uint8_t)v->view.zero;
    if (row.contents == HOIST_CONTENTS_ZERO && v->tensor->is_variable &&
        v->view.dtype == HOIST_DTYPE_I8 && zero != 0) {
        row.contents = HOIST_CONTENTS_PATTERN;
        row.bytes = (hoist_bytes){&zero, sizeof(zero)};
    }
    v->view.of = hoist_builder_buffer(j->c->b, &row);
}

// The value of a tensor, without making its buffer. NULL: no tensor has this number, or hoist
// cannot hold it, which was reported now or before.
static tflite_lower_value *meet(tflite_lower_job *j, const tflite_lower_op *op, int32_t tensor)
{
    hoist_shape shape;
    hoist_dtype dtype = HOIST_DTYPE_NONE;
    if (tensor < 0 || (uint32_t)tensor >= j->graph->tensors.count) {
        return NULL;
    }
    tflite_lower_value *v = &j->values[tensor];
    v->tensor = &j->graph->tensors.items[tensor];
    if (v->state == TFLITE_LOWER_NOT_SEEN) {
        const tflite_quantization *q = v->tensor->quantization;
        const bool good = type_of(j, op, v, &dtype) && shape_of(j, op, v, &shape);
        v->state = good ? TFLITE_LOWER_HELD : TFLITE_LOWER_REFUSED;
        if (good) { // of per-channel zero points the first, which no activation has
            v->view = hoist_lower_view_dense(HOIST_NO_REF, dtype, &shape);
            v->view.zero = q && q->zero_point.size ? hoist_fb_i64(q->zero_point, 0) : 0;
        }
    }
    return v->state == TFLITE_LOWER_HELD ? v : NULL;
}

// The value with its buffer.
static tflite_lower_value *hold(tflite_lower_job *j, const tflite_lower_op *op, int32_t tensor)
{
    tflite_lower_value *v = meet(j, op, tensor);
    if (v && v->view.of == HOIST_NO_REF) {
        make_buffer(j, v);
    }
    return v;
}

tflite_lower_value *tflite_lower_input(tflite_lower_job *j, const tflite_lower_op *op,
                                       uint32_t index)
{
    return tflite_lower_has_input(op, index) ? hold(j, op, hoist_fb_i32(op->row->inputs, index))
                                             : NULL;
}

tflite_lower_value *tflite_lower_output(tflite_lower_job *j, const tflite_lower_op *op,
                                        uint32_t index)
{
    return index < tflite_count(op->row->outputs)
               ? hold(j, op, hoist_fb_i32(op->row->outputs, index))
               : NULL;
}

// Only the shape: operators that share the input's bytes must not make a buffer that nothing uses.
bool tflite_lower_output_shape(tflite_lower_job *j, const tflite_lower_op *op,
                               hoist_shape *out_shape)
{
    const tflite_lower_value *y = meet(j, op, hoist_fb_i32(op->row->outputs, 0));
    *out_shape = y ? y->view.shape : (hoist_shape){.rank = 0};
    return y;
}

// Such a tensor cannot share bytes: the other one would change with it.
static bool is_updated(const tflite_lower_value *v)
{
    return v->tensor->is_variable || v->is_updated;
}

// Sharing is possible while the output has no buffer yet: outputs of the graph have one, since
// ports are made first.
void tflite_lower_share(tflite_lower_job *j, const tflite_lower_op *op,
                        const tflite_lower_value *from)
{
    tflite_lower_value *to = meet(j, op, hoist_fb_i32(op->row->outputs, 0));
    hoist_lower_view view;
    if (!to) {
        return;
    }
    if (to->view.of == HOIST_NO_REF && !is_updated(from) && !is_updated(to) &&
        from->view.dtype == to->view.dtype &&
        hoist_lower_view_reshape(&from->view, &to->view.shape, &view)) {
        // The zero point is the output's: reshaping operators do not requantise.
        view.zero = to->view.zero;
        to->view = view;
    } else { // an output of the graph has bytes of its own; what does not fit is told
        to = tflite_lower_output(j, op, 0);
        const hoist_quant_unary copy = {from->view, to->view};
        tflite_lower_end(j, op, hoist_quant_copy(&j->layers, &copy));
    }
}

bool tflite_lower_has_input(const tflite_lower_op *op, uint32_t index)
{
    return index < tflite_count(op->row->inputs) && hoist_fb_i32(op->row->inputs, index) >= 0;
}

// Marks the tensors of a list as inputs or outputs of the graph.
static void mark(tflite_lower_job *j, hoist_bytes list, bool is_input)
{
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const int32_t tensor = hoist_fb_i32(list, i);
        if (tensor >= 0 && (uint32_t)tensor < j->graph->tensors.count) { // else TFL-007
            tflite_lower_value *v = &j->values[tensor];
            v->is_input = v->is_input || is_input;
            v->is_output = v->is_output || !is_input;
        }
    }
}

// Two passes: a tensor that is input and output has to have both marks before its buffer is made.
void tflite_lower_ports(tflite_lower_job *j)
{
    const hoist_bytes lists[] = {j->graph->inputs, j->outputs};
    for (size_t i = 0; i < HOIST_COUNT_OF(lists); i++) {
        mark(j, lists[i], i == 0);
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(lists); i++) {
        for (uint32_t k = 0; k < tflite_count(lists[i]) && j->c->status == HOIST_OK; k++) {
            (void)hold(j, NULL, hoist_fb_i32(lists[i], k));
        }
    }
}

// What operators are told ------------------------------------------------------------------------

// One scale, of a tensor without a technique of its own. Per-channel scales are for weights alone,
// which window.c reads itself.
bool tflite_lower_scale(tflite_lower_job *j, const tflite_lower_op *op,
                        const tflite_lower_value *value, float *out_scale)
{
    const tflite_quantization *q = value->tensor->quantization;
    const size_t count = q && q->details.type == 0 ? hoist_fb_count(q->scale, sizeof(float)) : 0;
    *out_scale = 0;
    if (count != 1) {
        return tflite_lower_refuse(j, RUN_030, op, TENSOR " has %zu scales, expected 1",
                                   TENSOR_ARGS(j, value), count);
    }
    *out_scale = hoist_fb_f32(q->scale, 0);
    return true;
}

// A list that decides shapes (axes, pads, sizes) has to be known when steps are made.
bool tflite_lower_numbers_of(tflite_lower_job *j, const tflite_lower_op *op, uint32_t input,
                             tflite_lower_numbers *out_numbers)
{
    *out_numbers = (tflite_lower_numbers){0};
    const tflite_tensor *tensor = tflite_tensor_in(j->graph, op->row->inputs, input);
    const bool is_wide = tensor && tensor->type == TFLITE_INT64;
    const hoist_bytes data = tensor ? data_of(j, tensor) : (hoist_bytes){NULL, 0};
    if (!tensor || !is_constant(j, tensor) || (!is_wide && tensor->type != TFLITE_INT32)) {
        return tflite_lower_misfit(
            j, RUN_031, op, "what input %" PRIu32 " says is not known before the run", input);
    }
    // A partial number at the end is dropped; TFL-011 has reported it.
    const size_t count = hoist_fb_count(data, is_wide ? sizeof(int64_t) : sizeof(int32_t));
    if (count > HOIST_MAX_RANK) {
        return tflite_lower_misfit(j, RUN_031, op,
                                   "input %" PRIu32 " has %zu numbers, expected at most %d", input,
                                   count, HOIST_MAX_RANK);
    }
    out_numbers->count = (uint32_t)count;
    for (size_t i = 0; i < count; i++) {
        out_numbers->items[i] = is_wide ? hoist_fb_i64(data, i) : hoist_fb_i32(data, i);
    }
    return true;
}

bool tflite_lower_is_constant(const tflite_lower_job *j, const tflite_lower_op *op, uint32_t input)
{
    const tflite_tensor *tensor = tflite_tensor_in(j->graph, op->row->inputs, input);
    return tensor && is_constant(j, tensor);
}

// As numpy counts: -1 is the last axis.
int tflite_lower_axis(tflite_lower_job *j, const tflite_lower_op *op,
                      const tflite_lower_value *value, int64_t axis)
{
    const int rank = value->view.shape.rank;
    if (axis < -rank || axis >= rank) {
        tflite_lower_misfit(j, RUN_030, op,
                            "axis %" PRId64 " of " TENSOR ", which has %d dimensions", axis,
                            TENSOR_ARGS(j, value), rank);
        return -1;
    }
    return (int)(axis < 0 ? axis + rank : axis);
}
