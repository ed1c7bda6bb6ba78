// Operators that only move elements: views where the bytes may stay, else moves.
#include <inttypes.h>

#include "base/span.h"
#include "lower/tflite_lower.h"

// Refuses shapes that are not what the operator makes.
static void refuse_shape(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    hoist_tflite_refuse(j, RUN_030, op,
                        "operator %" PRIu32
                        " (%.*s): the shapes are not what it makes of its input",
                        op->index, HOIST_STR_ARGS(op->name));
}

static bool is_like(const hoist_quant_view *a, const hoist_quant_view *b)
{
    return hoist_shape_equal(&a->shape, &b->shape);
}

// Copies one view to another of the same shape.
static void copy(hoist_tflite_job *j, const hoist_tflite_op *op, const hoist_quant_view *from,
                 const hoist_quant_view *to)
{
    const hoist_quant_unary layer = {*from, *to};
    if (!is_like(from, to)) {
        refuse_shape(j, op);
        return;
    }
    hoist_tflite_end(j, op, hoist_quant_copy(&j->layers, &layer));
}

// RESHAPE, SQUEEZE, EXPAND_DIMS: the output's shape says it all.
void hoist_tflite_reshape(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const hoist_tflite_value *x = hoist_tflite_input(j, op, 0);
    if (x) {
        hoist_tflite_share(j, op, x);
    }
}

// Joining and splitting -------------------------------------------------------------------------

// One input of a concatenation to its part of the output. uint8 of another scale is scaled in
// float32 (kernels reference 4.11).
static void join(hoist_tflite_job *j, const hoist_tflite_op *op, const hoist_tflite_value *x,
                 const hoist_tflite_value *y, const hoist_quant_view *part)
{
    float from = 0;
    float to = 0;
    const tflite_quantization *q = y->tensor->quantization;
    const bool is_plain = !q || q->scale.size == 0;
    if (!is_plain && (!hoist_tflite_scale(j, op, x, &from) || !hoist_tflite_scale(j, op, y, &to))) {
        return;
    }
    if (from == to && x->view.zero == y->view.zero) {
        copy(j, op, &x->view, part);
        return;
    }
    const hoist_quant_unary layer = {x->view, *part};
    hoist_tflite_end(j, op, hoist_quant_rescale(&j->layers, &layer, from * (1.0F / to)));
}

void hoist_tflite_concatenation(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_concatenation_options *options = op->options;
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    const int axis = y ? hoist_tflite_axis(j, op, y, options->axis) : -1;
    int64_t begin = 0;
    if (axis < 0) {
        return;
    }
    if (options->fused_activation_function != TFLITE_ACTIVATION_NONE) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s): activation %d, wanted none", op->index,
                            HOIST_STR_ARGS(op->name), (int)options->fused_activation_function);
        return;
    }
    for (uint32_t i = 0; i < tflite_count(op->row->inputs) && j->status == HOIST_OK; i++) {
        const hoist_tflite_value *x = hoist_tflite_input(j, op, i);
        const int64_t end = y->view.shape.dim[axis];
        const int64_t count = x && x->view.shape.rank > axis ? x->view.shape.dim[axis] : 0;
        if (!x || count == 0 || count > end - begin) {
            if (x) {
                refuse_shape(j, op);
            }
            return;
        }
        const hoist_quant_view part =
            hoist_quant_part(&y->view, axis, (hoist_quant_range){begin, 1, count});
        join(j, op, x, y, &part);
        begin += count;
    }
    if (begin != y->view.shape.dim[axis]) {
        refuse_shape(j, op);
    }
}

// Parts of `x` along an axis to the outputs, in their order.
static void split(hoist_tflite_job *j, const hoist_tflite_op *op, const hoist_tflite_value *x,
                  int axis)
{
    int64_t begin = 0;
    for (uint32_t i = 0; i < tflite_count(op->row->outputs) && j->status == HOIST_OK; i++) {
        const hoist_tflite_value *y = hoist_tflite_output(j, op, i);
        const int64_t count = y && y->view.shape.rank > axis ? y->view.shape.dim[axis] : 0;
        if (!y || count == 0 || count > x->view.shape.dim[axis] - begin) {
            if (y) {
                refuse_shape(j, op);
            }
            return;
        }
        const hoist_quant_view part =
            hoist_quant_part(&x->view, axis, (hoist_quant_range){begin, 1, count});
        copy(j, op, &part, &y->view);
        begin += count;
    }
    if (begin != x->view.shape.dim[axis]) {
        refuse_shape(j, op);
    }
}

// SPLIT and SPLIT_V: `data` and `axis` are inputs.
static void split_along(hoist_tflite_job *j, const hoist_tflite_op *op, uint32_t data,
                        uint32_t axis_input)
{
    const hoist_tflite_value *x = hoist_tflite_input(j, op, data);
    hoist_tflite_numbers numbers;
    if (!x || !hoist_tflite_numbers_of(j, op, axis_input, &numbers)) {
        return;
    }
    const int axis = numbers.count == 1 ? hoist_tflite_axis(j, op, x, numbers.items[0]) : -1;
    if (axis >= 0) {
        split(j, op, x, axis);
    } else if (numbers.count != 1) {
        refuse_shape(j, op);
    }
}

void hoist_tflite_split(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    split_along(j, op, 1, 0);
}

void hoist_tflite_split_v(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    split_along(j, op, 0, 2);
}

// A view without the axis `axis`, whose extent is 1.
static hoist_quant_view without(const hoist_quant_view *view, int axis)
{
    hoist_quant_view result = *view;
    result.shape.rank--;
    for (int i = axis; i < result.shape.rank; i++) {
        result.shape.dim[i] = view->shape.dim[i + 1];
        result.stride[i] = view->stride[i + 1];
    }
    result.shape.dim[result.shape.rank] = 0;
    result.stride[result.shape.rank] = 0;
    return result;
}

// PACK: input i is index i of a new axis; UNPACK: output i. False: they are not as many as it has.
static bool stack(hoist_tflite_job *j, const hoist_tflite_op *op, const hoist_tflite_value *whole,
                  int axis, bool packs)
{
    const uint32_t count = tflite_count(packs ? op->row->inputs : op->row->outputs);
    if (count != whole->view.shape.dim[axis]) {
        refuse_shape(j, op);
        return false;
    }
    for (uint32_t i = 0; i < count && j->status == HOIST_OK; i++) {
        const hoist_tflite_value *one =
            packs ? hoist_tflite_input(j, op, i) : hoist_tflite_output(j, op, i);
        const hoist_quant_view row =
            hoist_quant_part(&whole->view, axis, (hoist_quant_range){i, 1, 1});
        const hoist_quant_view part = without(&row, axis);
        if (one) {
            copy(j, op, packs ? &one->view : &part, packs ? &part : &one->view);
        }
    }
    return true;
}

void hoist_tflite_pack(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_pack_options *options = op->options;
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    const int axis = y ? hoist_tflite_axis(j, op, y, options->axis) : -1;
    if (axis >= 0) {
        (void)stack(j, op, y, axis, true);
    }
}

void hoist_tflite_unpack(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_unpack_options *options = op->options;
    const hoist_tflite_value *x = hoist_tflite_input(j, op, 0);
    const int axis = x ? hoist_tflite_axis(j, op, x, options->axis) : -1;
    if (axis >= 0) {
        (void)stack(j, op, x, axis, false);
    }
}

// Padding ---------------------------------------------------------------------------------------

// The part of `y` that the input is; false: the pads do not make `y` of `x`.
static bool inside_of(const hoist_tflite_numbers *flat, const hoist_shape *x,
                      const hoist_quant_view *y, hoist_quant_view *out_inside)
{
    *out_inside = *y;
    if (flat->count != 2 * (uint32_t)x->rank || y->shape.rank != x->rank) {
        return false;
    }
    for (int i = 0; i < x->rank; i++) {
        const int64_t *const both = &flat->items[2 * (size_t)i];
        const int64_t before = both[0];
        const int64_t after = both[1];
        if (before < 0 || after < 0 || before > INT32_MAX || after > INT32_MAX ||
            before + x->dim[i] + after != y->shape.dim[i]) {
            return false;
        }
        *out_inside = hoist_quant_part(out_inside, i, (hoist_quant_range){before, 1, x->dim[i]});
    }
    return true;
}

// `value`: what pads hold; NULL: the zero point.
static void pad(hoist_tflite_job *j, const hoist_tflite_op *op, const hoist_tflite_value *value)
{
    const hoist_tflite_value *x = hoist_tflite_input(j, op, 0);
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    hoist_tflite_numbers pads;
    hoist_quant_view inside;
    if (!x || !y || !hoist_tflite_numbers_of(j, op, 1, &pads)) {
        return;
    }
    if (!inside_of(&pads, &x->view.shape, &y->view, &inside)) {
        refuse_shape(j, op);
        return;
    }
    if (!value) {
        hoist_tflite_end(j, op, hoist_quant_fill(&j->layers, &y->view));
    } else {
        hoist_quant_unary layer = {.y = y->view};
        if (hoist_shape_count(&value->view.shape) != 1 ||
            !hoist_quant_broadcast(&value->view, &y->view.shape, &layer.x)) {
            refuse_shape(j, op);
            return;
        }
        hoist_tflite_end(j, op, hoist_quant_copy(&j->layers, &layer));
    }
    copy(j, op, &x->view, &inside);
}

void hoist_tflite_pad(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    pad(j, op, NULL);
}

void hoist_tflite_pad_v2(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const hoist_tflite_value *value = hoist_tflite_input(j, op, 2);
    if (value) {
        pad(j, op, value);
    }
}

// Permuting and slicing -------------------------------------------------------------------------

void hoist_tflite_transpose(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const hoist_tflite_value *x = hoist_tflite_input(j, op, 0);
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    hoist_tflite_numbers order;
    int axes[HOIST_MAX_RANK] = {0};
    unsigned seen = 0;
    if (!x || !y || !hoist_tflite_numbers_of(j, op, 1, &order)) {
        return;
    }
    for (uint32_t i = 0; i < order.count; i++) {
        axes[i] = hoist_tflite_axis(j, op, x, order.items[i]);
        if (axes[i] < 0) {
            return;
        }
        seen |= 1U << axes[i];
    }
    if ((int)order.count != x->view.shape.rank || seen != (1U << order.count) - 1) {
        refuse_shape(j, op);
        return;
    }
    const hoist_quant_view permuted = hoist_quant_permute(&x->view, axes);
    copy(j, op, &permuted, &y->view);
}

void hoist_tflite_slice(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const hoist_tflite_value *x = hoist_tflite_input(j, op, 0);
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    hoist_tflite_numbers begins;
    hoist_tflite_numbers sizes;
    if (!x || !y || !hoist_tflite_numbers_of(j, op, 1, &begins) ||
        !hoist_tflite_numbers_of(j, op, 2, &sizes)) {
        return;
    }
    const int rank = x->view.shape.rank;
    hoist_quant_view part = x->view;
    bool fits = (int)begins.count == rank && (int)sizes.count == rank;
    for (int i = 0; fits && i < rank; i++) {
        const int64_t extent = x->view.shape.dim[i];
        const int64_t begin = begins.items[i];
        fits = begin >= 0 && begin < extent;
        const int64_t rest = fits ? extent - begin : 0;
        const int64_t count = sizes.items[i] == -1 ? rest : sizes.items[i]; // -1: to the end
        fits = fits && count >= 1 && count <= rest;
        part = fits ? hoist_quant_part(&part, i, (hoist_quant_range){begin, 1, count}) : part;
    }
    if (!fits) {
        refuse_shape(j, op);
        return;
    }
    copy(j, op, &part, &y->view);
}

// What STRIDED_SLICE is told of one axis.
typedef struct stride {
    int64_t begin, end, step;
    bool from_start, to_end; // begin and end do not count
    bool shrinks;            // one element, and the axis goes
} stride;

static int64_t within(int64_t index, int64_t extent, int64_t least, int64_t most)
{
    const int64_t from_start = index < 0 ? index + extent : index;
    return from_start < least ? least : from_start > most ? most : from_start;
}

// The elements of an axis; count 0: none, or the step is 0.
static hoist_quant_range range_of(stride s, int64_t extent)
{
    const bool up = s.step > 0;
    const int64_t first = up ? 0 : extent - 1;
    const int64_t last = up ? extent : -1; // the first one that is not there
    if (s.step == 0 || s.step < INT32_MIN || s.step > INT32_MAX) {
        return (hoist_quant_range){0, 1, 0};
    }
    if (s.shrinks) {
        const int64_t index = s.begin < 0 ? s.begin + extent : s.begin;
        return (hoist_quant_range){index, 1, index >= 0 && index < extent};
    }
    const int64_t least = up ? 0 : -1;
    const int64_t most = up ? extent : extent - 1;
    const int64_t begin = s.from_start ? first : within(s.begin, extent, least, most);
    const int64_t end = s.to_end ? last : within(s.end, extent, least, most);
    const int64_t way = up ? end - begin : begin - end;
    const int64_t step = up ? s.step : -s.step;
    const int64_t count = way > 0 ? (way + step - 1) / step : 0;
    return (hoist_quant_range){begin, count > 1 ? s.step : 1, count};
}

// Elements of the slice, all axes kept; false: it is empty, or the lists do not fit.
static bool slice_of(const hoist_quant_view *x, const tflite_strided_slice_options *o,
                     const hoist_tflite_numbers lists[3], hoist_quant_view *out_part)
{
    const uint32_t rank = (uint32_t)x->shape.rank;
    bool fits = lists[0].count == rank && lists[1].count == rank && lists[2].count == rank;
    *out_part = *x;
    for (uint32_t i = 0; fits && i < rank; i++) {
        const stride s = {.begin = lists[0].items[i],
                          .end = lists[1].items[i],
                          .step = lists[2].items[i],
                          .from_start = (uint32_t)o->begin_mask >> i & 1,
                          .to_end = (uint32_t)o->end_mask >> i & 1,
                          .shrinks = (uint32_t)o->shrink_axis_mask >> i & 1};
        const hoist_quant_range range = range_of(s, x->shape.dim[i]);
        fits = range.count > 0;
        *out_part = fits ? hoist_quant_part(out_part, (int)i, range) : *out_part;
    }
    return fits;
}

void hoist_tflite_strided_slice(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_strided_slice_options *o = op->options;
    const hoist_tflite_value *x = hoist_tflite_input(j, op, 0);
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    hoist_tflite_numbers lists[3]; // begin, end, step
    hoist_quant_view part;
    for (uint32_t i = 0; i < 3; i++) {
        if (!hoist_tflite_numbers_of(j, op, 1 + i, &lists[i])) {
            return;
        }
    }
    if (!x || !y) {
        return;
    }
    if (o->ellipsis_mask != 0 || o->new_axis_mask != 0 || o->offset) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s): ellipses, new axes or offsets", op->index,
                            HOIST_STR_ARGS(op->name));
        return;
    }
    if (!slice_of(&x->view, o, lists, &part)) {
        refuse_shape(j, op);
        return;
    }
    const hoist_shape kept = part.shape;
    for (int i = kept.rank - 1; i >= 0; i--) {
        part = (uint32_t)o->shrink_axis_mask >> i & 1 ? without(&part, i) : part;
    }
    copy(j, op, &part, &y->view);
}
