// program/verify_views.c - layouts, views and their bounds; a finding comes at the first step that
// uses the view, since layouts and views have no place of their own.
#include <inttypes.h>

#include "base/checked.h"
#include "base/span.h"
#include "program/verifier.h"

// Lowest and highest element offset of a strided layout. False: they cannot be counted.
// Relative to the view's offset: low is 0 or less, high 0 or more.
// An empty shape reaches nowhere.
static bool measure_strided(const hoist_prog_layout *layout, hoist_measured_layout *out)
{
    hoist_shape shape;
    const size_t rank = layout->shape.rank < 0 ? HOIST_MAX_RANK + 1 : (size_t)layout->shape.rank;
    if (hoist_shape_init(layout->shape.dim, rank, &shape) != HOIST_OK) {
        return false;
    }
    out->elements = (uint64_t)hoist_shape_count(&shape);
    for (int i = 0; out->elements && i < shape.rank; i++) {
        int64_t reach = 0;
        int64_t *end = layout->stride[i] < 0 ? &out->low : &out->high;
        if (hoist_ckd_mul_i64(&reach, shape.dim[i] - 1, layout->stride[i]) ||
            hoist_ckd_add_i64(end, *end, reach)) {
            return false;
        }
    }
    return true;
}

// The tiles of the tensor, and of the grid's fields, from the tiling's counts.
static bool measure_tiled(const hoist_prog_layout *layout, hoist_measured_layout *out)
{
    hoist_tiling_size size;
    const hoist_tiling *t = &layout->tiling;
    if (hoist_tiling_measure(t, &size) != HOIST_OK) {
        return false;
    }
    out->parts = size.buffers;
    out->elements = (uint64_t)size.buffers * size.buffer_tiles;
    out->tiles = (hoist_tile_shape){t->t, (uint64_t)t->grid_rows * size.buffer_rows,
                                    (uint64_t)t->grid_cols * size.buffer_cols};
    return true;
}

// Measured once; its finding is at the first row or step that asks.
const hoist_measured_layout *hoist_verifier_layout(hoist_verifier *v, hoist_ref ref)
{
    hoist_measured_layout *known = &v->layouts[ref];
    if (known->measured) {
        return known;
    }
    const hoist_prog_layout *layout = &v->program->layouts[ref];
    known->measured = true;
    known->tiled = layout->kind == HOIST_LAYOUT_TILED;
    known->ok = known->tiled ? measure_tiled(layout, known) : measure_strided(layout, known);
    if (!known->ok) {
        (void)hoist_verifier_fail(v, HOIST_PRG_016, "%s",
                                  known->tiled
                                      ? "the tiling has a count of 0, tiles that do not exist, "
                                        "or more than 2^40 elements"
                                      : "the shape has a dimension below 0, more than 8 of "
                                        "them, or elements that cannot be counted");
    }
    return known;
}

// Also of INT64_MIN.
static uint64_t size_of(int64_t stride)
{
    return stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride;
}

// Elements lie apart when, from the shortest stride on, each one steps over all that the shorter
// ones cover. There are layouts for which this is not so and which lie apart; no compiler writes
// them.
bool hoist_verifier_lies_apart(const hoist_prog_layout *layout, uint64_t covered)
{
    bool done[HOIST_MAX_RANK] = {false};
    for (int n = 0; n < layout->shape.rank; n++) {
        int shortest = -1;
        for (int i = 0; i < layout->shape.rank; i++) {
            if (!done[i] &&
                (shortest < 0 || size_of(layout->stride[i]) < size_of(layout->stride[shortest]))) {
                shortest = i;
            }
        }
        done[shortest] = true;
        const int64_t dim = layout->shape.dim[shortest];
        const uint64_t stride = size_of(layout->stride[shortest]);
        uint64_t reach = 0;
        if (dim > 1 && (stride < covered || hoist_ckd_mul(&reach, stride, (uint64_t)dim - 1) ||
                        hoist_ckd_add(&covered, covered, reach))) {
            return false;
        }
    }
    return true;
}

// Block floats have no elements of their own, and 4-bit types none of complete bytes.
int64_t hoist_verifier_element_bytes(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return info->kind == HOIST_CLASS_NONE || info->kind == HOIST_CLASS_BLOCK || info->bits % 8
               ? 0
               : info->bits / 8;
}

// Its own message, as no bytes can be named.
static bool fail_wrap(hoist_verifier *v, const hoist_prog_view *view)
{
    return hoist_verifier_fail(v, HOIST_PRG_018,
                               "bytes of the view, at offset %" PRId64 ", are beyond all addresses",
                               view->offset);
}

// What a view is of, in words: "buffer 'x'".
typedef struct owner {
    const char *kind;
    hoist_str name;
} owner;

// For messages.
static owner owner_of(const hoist_verifier *v, const hoist_prog_view *view)
{
    const hoist_program *p = v->program;
    switch (view->base) {
    case HOIST_VIEW_BUFFER:
        return (owner){"buffer", p->buffers[view->of].name};
    case HOIST_VIEW_READ_SLOT:
    case HOIST_VIEW_WRITE_SLOT:
        return (owner){"a slot of fifo", p->fifos[view->of].name};
    case HOIST_VIEW_SPACE:
        return (owner){"space", p->spaces[view->of].name};
    case HOIST_VIEW_PARAMETER:
        break;
    }
    return (owner){"parameter", v->function->parameters[view->of].name};
}

// A view without elements covers nothing and lies anywhere.
static bool strided_fits(hoist_verifier *v, const hoist_prog_view *view, uint64_t size)
{
    const hoist_measured_layout *layout = hoist_verifier_layout(v, view->layout);
    int64_t low = 0;
    int64_t high = 0;
    if (layout->elements == 0) {
        return true;
    }
    const bool wraps = hoist_ckd_add_i64(&low, layout->low, view->offset) ||
                       hoist_ckd_add_i64(&high, layout->high, view->offset) ||
                       hoist_ckd_add_i64(&high, high, hoist_verifier_element_bytes(view->dtype));
    if (wraps) {
        return fail_wrap(v, view);
    }
    if (low < 0 || (uint64_t)high > size) {
        const owner of = owner_of(v, view);
        return hoist_verifier_fail(v, HOIST_PRG_018,
                                   "the view covers bytes %" PRId64 " to %" PRId64
                                   " of %s '%.*s', which has %" PRIu64,
                                   low, high, of.kind, HOIST_STR_ARGS(of.name), size);
    }
    return true;
}

// `size`: tiles.
// By subtraction: offset + count could wrap.
static bool tiles_fit(hoist_verifier *v, const hoist_prog_view *view, uint64_t size)
{
    const uint64_t count = hoist_verifier_layout(v, view->layout)->elements;
    if (view->offset < 0 || (uint64_t)view->offset > size ||
        count > size - (uint64_t)view->offset) {
        const owner of = owner_of(v, view);
        return hoist_verifier_fail(v, HOIST_PRG_018,
                                   "the view covers %" PRIu64 " %s from %" PRId64
                                   " on, of %s '%.*s', which has %" PRIu64,
                                   count, hoist_plural(count, "tile", "tiles"), view->offset,
                                   of.kind, HOIST_STR_ARGS(of.name), size);
    }
    return true;
}

// A view with a register is checked when it runs.
static bool slot_fits(hoist_verifier *v, const hoist_prog_view *view)
{
    const hoist_prog_fifo *fifo = &v->program->fifos[view->of];
    const hoist_measured_layout *entry = hoist_verifier_layout(v, fifo->layout);
    const hoist_measured_layout *layout = hoist_verifier_layout(v, view->layout);
    if (entry->tiled != layout->tiled) {
        return hoist_verifier_fail(v, HOIST_PRG_018, "a %s view of a slot with %s entries",
                                   layout->tiled ? "tiled" : "strided",
                                   entry->tiled ? "tiled" : "strided");
    }
    if (view->reg != HOIST_NO_REF) {
        return true;
    }
    return layout->tiled ? tiles_fit(v, view, entry->elements)
                         : strided_fits(v, view, fifo->slot_bytes);
}

// The runtime keeps a tile as 1,024 float32, whatever its type: a buffer holds so many
// carriers.
static bool buffer_fits(hoist_verifier *v, const hoist_prog_view *view)
{
    const uint64_t size = v->program->buffers[view->of].size;
    return hoist_verifier_layout(v, view->layout)->tiled
               ? tiles_fit(v, view, size / HOIST_CARRIER_BYTES)
               : strided_fits(v, view, size);
}

// What does not depend on the code; see parameter_fits() for the rest.
static bool check_view(hoist_verifier *v, const hoist_prog_view *view)
{
    // A layout that cannot be measured was reported; nothing follows from it.
    const hoist_measured_layout *layout = hoist_verifier_layout(v, view->layout);
    if (!layout->ok) {
        return false;
    }
    if (layout->tiled ? view->dtype == HOIST_DTYPE_NONE
                      : hoist_verifier_element_bytes(view->dtype) == 0) {
        return hoist_verifier_fail(v, HOIST_PRG_017, "a %s view has elements of type %s",
                                   layout->tiled ? "tiled" : "strided",
                                   hoist_dtype_get(view->dtype)->name);
    }
    switch (view->base) {
    case HOIST_VIEW_READ_SLOT:
    case HOIST_VIEW_WRITE_SLOT:
        return slot_fits(v, view);
    case HOIST_VIEW_BUFFER:
        return view->reg != HOIST_NO_REF || buffer_fits(v, view);
    case HOIST_VIEW_SPACE: {
        // 0: a space without a limit.
        const uint64_t capacity = v->program->spaces[view->of].capacity;
        return view->reg != HOIST_NO_REF || layout->tiled ||
               strided_fits(v, view, capacity ? capacity : INT64_MAX);
    }
    case HOIST_VIEW_PARAMETER:
        break;
    }
    return true;
}

// The bounds of a view of a parameter are the parameter's, which differ from function to function.
static bool parameter_fits(hoist_verifier *v, const hoist_prog_view *view)
{
    const hoist_prog_parameter *parameter = &v->function->parameters[view->of];
    // The caller's view has the parameter's layout, so its bounds are known here.
    const hoist_measured_layout *whole = hoist_verifier_layout(v, parameter->layout);
    const hoist_measured_layout *layout = hoist_verifier_layout(v, view->layout);
    if (!whole->ok || view->reg != HOIST_NO_REF) {
        return whole->ok;
    }
    if (whole->tiled != layout->tiled) {
        return hoist_verifier_fail(v, HOIST_PRG_018, "a %s view of parameter '%.*s', which is %s",
                                   layout->tiled ? "tiled" : "strided",
                                   HOIST_STR_ARGS(parameter->name),
                                   whole->tiled ? "tiled" : "strided");
    }
    if (layout->tiled) {
        return tiles_fit(v, view, whole->elements);
    }
    int64_t low = 0;
    int64_t high = 0;
    int64_t end = 0;
    const bool wraps =
        hoist_ckd_add_i64(&low, layout->low, view->offset) ||
        hoist_ckd_add_i64(&high, layout->high, view->offset) ||
        hoist_ckd_add_i64(&high, high, hoist_verifier_element_bytes(view->dtype)) ||
        (whole->elements &&
         hoist_ckd_add_i64(&end, whole->high, hoist_verifier_element_bytes(parameter->dtype)));
    if (layout->elements && wraps) {
        return fail_wrap(v, view);
    }
    if (layout->elements && (low < whole->low || high > end)) {
        return hoist_verifier_fail(v, HOIST_PRG_018,
                                   "the view covers bytes %" PRId64 " to %" PRId64
                                   " of parameter '%.*s', which has %" PRId64 " to %" PRId64,
                                   low, high, HOIST_STR_ARGS(parameter->name), whole->low, end);
    }
    return true;
}

// The result is kept, but for parameters, whose bounds differ from function to function.
bool hoist_verify_view(hoist_verifier *v, hoist_ref ref)
{
    hoist_check_state *state = &v->views[ref];
    const hoist_prog_view *view = &v->program->views[ref];
    if (*state == HOIST_UNCHECKED) {
        *state = check_view(v, view) ? HOIST_SOUND : HOIST_UNSOUND;
    }
    return *state == HOIST_SOUND && (view->base != HOIST_VIEW_PARAMETER || parameter_fits(v, view));
}

// HOIST_NO_REF: of a parameter or a space, whose memory is known in a run only.
hoist_ref hoist_verifier_root(const hoist_verifier *v, hoist_ref ref)
{
    const hoist_prog_view *view = &v->program->views[ref];
    switch (view->base) {
    case HOIST_VIEW_BUFFER:
        return v->roots[view->of].buffer;
    case HOIST_VIEW_READ_SLOT:
    case HOIST_VIEW_WRITE_SLOT: // all parts are alike; the first is checked for them
        return v->program->fifos[view->of].part_count
                   ? v->roots[v->program->fifos[view->of].parts[0]].buffer
                   : HOIST_NO_REF;
    default:
        return HOIST_NO_REF;
    }
}

// Only of views that are sound: the sums below cannot overflow then.
bool hoist_verifier_range(const hoist_verifier *v, hoist_ref ref, hoist_view_range *out_range)
{
    const hoist_prog_view *view = &v->program->views[ref];
    *out_range = (hoist_view_range){.buffer = HOIST_NO_REF};
    if (view->base != HOIST_VIEW_BUFFER || view->reg != HOIST_NO_REF) {
        return false;
    }
    const hoist_measured_layout *layout = &v->layouts[view->layout];
    const hoist_buffer_root *root = &v->roots[view->of];
    out_range->buffer = root->buffer;
    if (layout->tiled) {
        out_range->begin = root->offset + (uint64_t)view->offset * HOIST_CARRIER_BYTES;
        out_range->end = out_range->begin + layout->elements * HOIST_CARRIER_BYTES;
        out_range->whole = true;
        return true;
    }
    // No elements, no bytes: wherever it is.
    if (layout->elements == 0) {
        out_range->begin = root->offset;
        out_range->end = root->offset;
        return true;
    }
    const int64_t bytes = hoist_verifier_element_bytes(view->dtype);
    out_range->begin = root->offset + (uint64_t)(layout->low + view->offset);
    out_range->end = root->offset + (uint64_t)(layout->high + view->offset + bytes);
    int64_t dense[HOIST_MAX_RANK];
    const hoist_prog_layout *row = &v->program->layouts[view->layout];
    // Dense, but for dimensions of 1, whose strides do not matter.
    out_range->whole = hoist_layout_dense(&row->shape, view->dtype, dense);
    for (int i = 0; out_range->whole && i < row->shape.rank; i++) {
        out_range->whole = dense[i] == row->stride[i] || row->shape.dim[i] == 1;
    }
    return true;
}
