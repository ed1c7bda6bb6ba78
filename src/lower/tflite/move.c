// Operators that only move elements: views where the bytes may stay, else moves.
#include <inttypes.h>

#include "base/span.h"
#include "lower/tflite/state.h"

// One sentence for all shapes that do not fit: the operator and its place are in the finding.
static void refuse_shape(tflite_lower_job *j, const tflite_lower_op *op)
{
    tflite_lower_misfit(j, RUN_030, op, "the shapes are not what it makes of its input");
}

static bool is_like(const hoist_lower_view *a, const hoist_lower_view *b)
{
    return hoist_shape_equal(&a->shape, &b->shape);
}

// Copies one view to another; shapes have to be equal, not only counts, since rows would be
// misplaced.
static void copy(tflite_lower_job *j, const tflite_lower_op *op, const hoist_lower_view *from,
                 const hoist_lower_view *to)
{
    const hoist_quant_unary layer = {*from, *to};
    if (!is_like(from, to)) {
        refuse_shape(j, op);
        return;
    }
    tflite_lower_end(j, op, hoist_quant_copy(&j->layers, &layer));
}

// Joining and splitting -------------------------------------------------------------------------

// One input of a concatenation to its part of the output. uint8 of another scale is scaled in
// float32 (kernels reference 4.11).
static void join(tflite_lower_job *j, const tflite_lower_op *op, const tflite_lower_value *x,
                 const tflite_lower_value *y, const hoist_lower_view *part)
{
    float from = 0;
    float to = 0;
    const tflite_quantization *q = y->tensor->quantization;
    const bool is_plain = !q || q->scale.size == 0;
    if (!is_plain && (!tflite_lower_scale(j, op, x, &from) || !tflite_lower_scale(j, op, y, &to))) {
        return;
    }
    if (from == to && x->view.zero == y->view.zero) {
        copy(j, op, &x->view, part);
        return;
    }
    const hoist_quant_unary layer = {x->view, *part};
    tflite_lower_end(j, op, hoist_quant_rescale(&j->layers, &layer, from * (1.0F / to)));
}

// The parts of a whole along an axis, in their order: inputs that are joined, or outputs that it is
// split into. Together they have to be as long as the whole.
static void each_part(tflite_lower_job *j, const tflite_lower_op *op,
                      const tflite_lower_value *whole, int axis, bool is_joined)
{
    const int64_t end = whole->view.shape.dim[axis];
    const uint32_t parts = tflite_count(is_joined ? op->row->inputs : op->row->outputs);
    int64_t begin = 0;
    for (uint32_t i = 0; i < parts && j->c->status == HOIST_OK; i++) {
        const tflite_lower_value *one =
            is_joined ? tflite_lower_input(j, op, i) : tflite_lower_output(j, op, i);
        // 0: it has no such axis.
        const int64_t count = one && one->view.shape.rank > axis ? one->view.shape.dim[axis] : 0;
        if (!one || count == 0 || count > end - begin) {
            if (one) {
                refuse_shape(j, op);
            }
            return;
        }
        const hoist_lower_view part =
            hoist_lower_view_part(&whole->view, axis, (hoist_lower_range){begin, 1, count});
        if (is_joined) {
            join(j, op, one, whole, &part);
        } else {
            copy(j, op, &part, &one->view);
        }
        begin += count;
    }
    if (begin != end) {
        refuse_shape(j, op);
    }
}

// A fused activation is refused: the reference ignores it, other kernels do not.
void tflite_lower_concatenation(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_concatenation_options *options = op->options;
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    const int axis = y ? tflite_lower_axis(j, op, y, options->axis) : -1;
    if (axis < 0) {
        return;
    }
    if (options->fused_activation_function != TFLITE_ACTIVATION_NONE) {
        tflite_lower_misfit(j, RUN_030, op, "activation %d, expected none",
                            (int)options->fused_activation_function);
        return;
    }
    each_part(j, op, y, axis, true);
}

// SPLIT has inputs (axis, data), SPLIT_V (data, sizes, axis).
void tflite_lower_split(tflite_lower_job *j, const tflite_lower_op *op)
{
    const bool has_sizes = op->code == TFLITE_OP_SPLIT_V;
    const tflite_lower_value *x = tflite_lower_input(j, op, has_sizes ? 0 : 1);
    tflite_lower_numbers numbers;
    if (!x || !tflite_lower_numbers_of(j, op, has_sizes ? 2 : 0, &numbers)) {
        return;
    }
    const int axis = numbers.count == 1 ? tflite_lower_axis(j, op, x, numbers.items[0]) : -1;
    if (axis >= 0) {
        each_part(j, op, x, axis, false);
    } else if (numbers.count != 1) {
        refuse_shape(j, op);
    }
}

// PACK: input i becomes index i of a new axis; UNPACK is the inverse. False: the axis has another
// length than there are operands, which was reported.
static bool stack(tflite_lower_job *j, const tflite_lower_op *op, const tflite_lower_value *whole,
                  int axis, bool packs)
{
    const uint32_t count = tflite_count(packs ? op->row->inputs : op->row->outputs);
    if (count != whole->view.shape.dim[axis]) {
        refuse_shape(j, op);
        return false;
    }
    for (uint32_t i = 0; i < count && j->c->status == HOIST_OK; i++) {
        const tflite_lower_value *one =
            packs ? tflite_lower_input(j, op, i) : tflite_lower_output(j, op, i);
        // The axis is gone: one dimension less.
        const hoist_lower_view part = hoist_lower_view_at(&whole->view, axis, i);
        if (one) {
            copy(j, op, packs ? &one->view : &part, packs ? &part : &one->view);
        }
    }
    return true;
}

// The axis of PACK counts among the output's dimensions.
void tflite_lower_pack(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_pack_options *options = op->options;
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    const int axis = y ? tflite_lower_axis(j, op, y, options->axis) : -1;
    if (axis >= 0) {
        (void)stack(j, op, y, axis, true);
    }
}

void tflite_lower_unpack(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_unpack_options *options = op->options;
    const tflite_lower_value *x = tflite_lower_input(j, op, 0);
    const int axis = x ? tflite_lower_axis(j, op, x, options->axis) : -1;
    if (axis >= 0) {
        (void)stack(j, op, x, axis, false);
    }
}

// Padding ---------------------------------------------------------------------------------------

// The part of `y` that the input fills: pads are pairs [before, after] for each axis. False: x and
// pads do not add up to y.
static bool inside_of(const tflite_lower_numbers *flat, const hoist_shape *x,
                      const hoist_lower_view *y, hoist_lower_view *out_inside)
{
    *out_inside = *y;
    if (flat->count != 2 * (uint32_t)x->rank || y->shape.rank != x->rank) {
        return false;
    }
    for (int i = 0; i < x->rank; i++) {
        const int64_t *const both = &flat->items[2 * (size_t)i];
        const int64_t before = both[0];
        const int64_t after = both[1];
        // Bounded, so that the sum does not wrap.
        if (before < 0 || after < 0 || before > INT32_MAX || after > INT32_MAX ||
            before + x->dim[i] + after != y->shape.dim[i]) {
            return false;
        }
        *out_inside =
            hoist_lower_view_part(out_inside, i, (hoist_lower_range){before, 1, x->dim[i]});
    }
    return true;
}

// Fills y with pads first, then copies x into the middle: two steps, and no view of the border.
// Pads are the zero point of y, or with PADV2 the one element of input 2.
void tflite_lower_pad(tflite_lower_job *j, const tflite_lower_op *op)
{
    const bool has_value = op->code == TFLITE_OP_PADV2;
    const tflite_lower_value *value = has_value ? tflite_lower_input(j, op, 2) : NULL;
    if (has_value && !value) {
        return;
    }
    const tflite_lower_value *x = tflite_lower_input(j, op, 0);
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    tflite_lower_numbers pads;
    hoist_lower_view inside;
    if (!x || !y || !tflite_lower_numbers_of(j, op, 1, &pads)) {
        return;
    }
    if (!inside_of(&pads, &x->view.shape, &y->view, &inside)) {
        refuse_shape(j, op);
        return;
    }
    if (!value) {
        tflite_lower_end(j, op, hoist_quant_fill(&j->layers, &y->view));
    } else {
        hoist_quant_unary layer = {.y = y->view};
        if (hoist_shape_count(&value->view.shape) != 1 ||
            !hoist_lower_view_broadcast(&value->view, &y->view.shape, &layer.x)) {
            refuse_shape(j, op);
            return;
        }
        tflite_lower_end(j, op, hoist_quant_copy(&j->layers, &layer));
    }
    copy(j, op, &x->view, &inside);
}

// Repeating -------------------------------------------------------------------------------------

// Appends a dimension; false: the shape has as many as a view can have.
static bool append(hoist_shape *shape, int64_t extent)
{
    if (shape->rank == HOIST_MAX_RANK) {
        return false;
    }
    shape->dim[shape->rank++] = extent;
    return true;
}

// TILE in one copy: dimension n of x, repeated k times, is seen as two of y, [k, n], and x as [1,
// n] that is stretched to it: a stride of 0. Dimensions that are not repeated stay one.
void tflite_lower_tile(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_lower_value *x = tflite_lower_input(j, op, 0);
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    tflite_lower_numbers times;
    if (!x || !y || !tflite_lower_numbers_of(j, op, 1, &times)) {
        return;
    }
    const hoist_shape *shape = &x->view.shape;
    hoist_shape once = {.rank = 0};
    hoist_shape repeated = {.rank = 0};
    bool fits = (int)times.count == shape->rank && y->view.shape.rank == shape->rank;
    for (int i = 0; fits && i < shape->rank; i++) {
        const int64_t count = times.items[i];
        fits = count > 0 && y->view.shape.dim[i] % count == 0 &&
               y->view.shape.dim[i] / count == shape->dim[i] &&
               (count == 1 || (append(&once, 1) && append(&repeated, count))) &&
               append(&once, shape->dim[i]) && append(&repeated, shape->dim[i]);
    }
    hoist_quant_unary layer;
    hoist_lower_view one;
    if (!fits || !hoist_lower_view_reshape(&x->view, &once, &one) ||
        !hoist_lower_view_broadcast(&one, &repeated, &layer.x) ||
        !hoist_lower_view_reshape(&y->view, &repeated, &layer.y)) {
        refuse_shape(j, op);
        return;
    }
    tflite_lower_end(j, op, hoist_quant_copy(&j->layers, &layer));
}

// Permuting and slicing -------------------------------------------------------------------------

// Each axis occurs once: `seen` has a bit for each of them.
void tflite_lower_transpose(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_lower_value *x = tflite_lower_input(j, op, 0);
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    tflite_lower_numbers order;
    int axes[HOIST_MAX_RANK] = {0};
    unsigned seen = 0;
    if (!x || !y || !tflite_lower_numbers_of(j, op, 1, &order)) {
        return;
    }
    for (uint32_t i = 0; i < order.count; i++) {
        axes[i] = tflite_lower_axis(j, op, x, order.items[i]);
        if (axes[i] < 0) {
            return;
        }
        seen |= 1U << axes[i];
    }
    if ((int)order.count != x->view.shape.rank || seen != (1U << order.count) - 1) {
        refuse_shape(j, op);
        return;
    }
    const hoist_lower_view permuted = hoist_lower_view_permute(&x->view, axes);
    copy(j, op, &permuted, &y->view);
}

// SLICE: begins and sizes are constants; a size of -1 goes to the end.
void tflite_lower_slice(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_lower_value *x = tflite_lower_input(j, op, 0);
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    tflite_lower_numbers begins;
    tflite_lower_numbers sizes;
    if (!x || !y || !tflite_lower_numbers_of(j, op, 1, &begins) ||
        !tflite_lower_numbers_of(j, op, 2, &sizes)) {
        return;
    }
    const int rank = x->view.shape.rank;
    hoist_lower_view part = x->view;
    bool fits = (int)begins.count == rank && (int)sizes.count == rank;
    for (int i = 0; fits && i < rank; i++) {
        const int64_t extent = x->view.shape.dim[i];
        const int64_t begin = begins.items[i];
        fits = begin >= 0 && begin < extent;
        const int64_t rest = fits ? extent - begin : 0;
        const int64_t count = sizes.items[i] == -1 ? rest : sizes.items[i]; // -1: to the end
        fits = fits && count >= 1 && count <= rest;
        part = fits ? hoist_lower_view_part(&part, i, (hoist_lower_range){begin, 1, count}) : part;
    }
    if (!fits) {
        refuse_shape(j, op);
        return;
    }
    copy(j, op, &part, &y->view);
}

// STRIDED_SLICE of one axis, as the file's lists and masks have it.
typedef struct stride {
    int64_t begin, end, step;
    bool from_start, to_end; // begin and end do not count
    bool shrinks;            // one element, and the axis goes
} stride;

// An index that may count from the end, clamped as Python's slices are.
static int64_t within(int64_t index, int64_t extent, int64_t least, int64_t most)
{
    const int64_t from_start = index < 0 ? index + extent : index;
    return from_start < least ? least : from_start > most ? most : from_start;
}

// The elements of an axis. A count of 0: the slice is empty, the step is 0 or no int32, or it is
// below 0 where the axis goes.
static hoist_lower_range range_of(stride s, int64_t extent)
{
    const bool up = s.step > 0;
    const int64_t first = up ? 0 : extent - 1;
    const int64_t last = up ? extent : -1; // the first one that is not there
    // So that -step and the sums below do not wrap.
    if (s.step == 0 || s.step < INT32_MIN || s.step > INT32_MAX) {
        return (hoist_lower_range){0, 1, 0};
    }
    if (s.shrinks) { // as TFLite has it: the mask of begins counts here, too
        const int64_t index = s.from_start ? 0 : within(s.begin, extent, 0, extent);
        return (hoist_lower_range){index, 1, up && index < extent};
    }
    const int64_t least = up ? 0 : -1;
    const int64_t most = up ? extent : extent - 1;
    const int64_t begin = s.from_start ? first : within(s.begin, extent, least, most);
    const int64_t end = s.to_end ? last : within(s.end, extent, least, most);
    const int64_t way = up ? end - begin : begin - end;
    const int64_t step = up ? s.step : -s.step;
    const int64_t count = way > 0 ? (way + step - 1) / step : 0;
    // Of one element no step has a meaning.
    return (hoist_lower_range){begin, count > 1 ? s.step : 1, count};
}

// Applies the ranges axis by axis; all axes are kept. False: the slice is empty, or the lists are
// not of the input's rank.
static bool slice_of(const hoist_lower_view *x, const tflite_strided_slice_options *o,
                     const tflite_lower_numbers lists[3], hoist_lower_view *out_part)
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
        const hoist_lower_range range = range_of(s, x->shape.dim[i]);
        fits = range.count > 0;
        *out_part = fits ? hoist_lower_view_part(out_part, (int)i, range) : *out_part;
    }
    return fits;
}

// Axes that shrink are removed after slicing, from the last to the first, so that the numbers of
// the axes before them stay.
void tflite_lower_strided_slice(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_strided_slice_options *o = op->options;
    const tflite_lower_value *x = tflite_lower_input(j, op, 0);
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    tflite_lower_numbers lists[3]; // begin, end, step
    hoist_lower_view part;
    for (uint32_t i = 0; i < 3; i++) {
        if (!tflite_lower_numbers_of(j, op, 1 + i, &lists[i])) {
            return;
        }
    }
    if (!x || !y) {
        return;
    }
    if (o->ellipsis_mask != 0 || o->new_axis_mask != 0 || o->offset) {
        tflite_lower_misfit(j, RUN_030, op, "ellipses, new axes or offsets");
        return;
    }
    if (!slice_of(&x->view, o, lists, &part)) {
        refuse_shape(j, op);
        return;
    }
    const hoist_shape kept = part.shape;
    for (int i = kept.rank - 1; i >= 0; i--) {
        part = (uint32_t)o->shrink_axis_mask >> i & 1 ? hoist_lower_view_at(&part, i, 0) : part;
    }
    copy(j, op, &part, &y->view);
}
