// Views as walks over bytes of a buffer (walk.h). Two walks of one memory keep their parts apart
// where both go in equal strides from part to part, and these strides are so long that all of one
// part ends before the next begins: parts are then places of a grid that both share.
#include "plan/walk.h"

#include "base/assert.h"
#include "base/checked.h"

// The elements of a row's layout from `offset` of `root` on. False: they are not evenly spaced, of
// no number of bytes, or there are none.
static bool walk_layout(const hoist_program *program, const hoist_prog_view *row, hoist_ref root,
                        int64_t offset, hoist_walk *out_walk)
{
    const hoist_prog_layout *layout = &program->layouts[row->layout];
    const uint32_t bits = hoist_dtype_get(row->dtype)->bits;
    if (row->reg != HOIST_NO_REF || layout->kind != HOIST_LAYOUT_STRIDED || bits == 0 ||
        bits % 8 != 0) {
        return false;
    }
    hoist_walk walk = {.root = root, .offset = offset, .size = bits / 8};
    walk.low = walk.offset;
    walk.high = walk.offset + walk.size;
    for (int i = 0; i < layout->shape.rank; i++) {
        if (layout->shape.dim[i] < 1) { // no elements
            return false;
        }
        // Dimensions of one index are left out, see walk.h.
        if (layout->shape.dim[i] > 1) {
            // All elements are inside the buffer, so none of these sums overflows.
            const int64_t way = (layout->shape.dim[i] - 1) * layout->stride[i];
            walk.low += way < 0 ? way : 0;
            walk.high += way > 0 ? way : 0;
            walk.count[walk.rank] = (uint64_t)layout->shape.dim[i];
            walk.stride[walk.rank++] = layout->stride[i];
        }
    }
    *out_walk = walk;
    return true;
}

// Only views whose bytes follow from their layout; a view by register moves at run time.
bool hoist_walk_init(const hoist_program *program, hoist_ref view, bool written,
                     hoist_walk *out_walk)
{
    const hoist_prog_view *row = &program->views[view];
    uint64_t inside = 0;
    if (row->base != HOIST_VIEW_BUFFER) {
        return false;
    }
    const hoist_ref root = hoist_prog_root(program, row->of, &inside);
    if (!walk_layout(program, row, root, (int64_t)inside + row->offset, out_walk)) {
        return false;
    }
    out_walk->written = written;
    return true;
}

bool hoist_walk_init_slot(const hoist_program *program, hoist_ref view, hoist_walk *out_walk)
{
    const hoist_prog_view *row = &program->views[view];
    return row->base == HOIST_VIEW_READ_SLOT &&
           walk_layout(program, row, HOIST_NO_REF, row->offset, out_walk);
}

// `lead` counts dimensions of the shape, the result those of the walk.
int hoist_walk_lead(const hoist_program *program, hoist_ref view, int lead)
{
    const hoist_shape *shape = &program->layouts[program->views[view].layout].shape;
    int count = 0;
    for (int i = 0; i < lead && i < shape->rank; i++) {
        count += shape->dim[i] > 1;
    }
    return count;
}

// Strides may be negative: the first element is then not the lowest.
hoist_walk_part hoist_walk_part_of(const hoist_walk *walk, int lead)
{
    hoist_walk_part part = {walk->offset, walk->offset + walk->size};
    for (int i = lead; i < walk->rank; i++) {
        const int64_t way = (int64_t)(walk->count[i] - 1) * walk->stride[i];
        part.low += way < 0 ? way : 0;
        part.high += way > 0 ? way : 0;
    }
    return part;
}

// From the innermost dimension outwards, each stride is the size of what is inside.
bool hoist_walk_is_dense(const hoist_walk *walk, int lead)
{
    int64_t size = walk->size;
    for (int i = walk->rank - 1; i >= lead; i--) {
        if (walk->stride[i] != size) {
            return false;
        }
        size *= (int64_t)walk->count[i];
    }
    return true;
}

// Saturates, since a view may repeat elements by strides of 0.
uint64_t hoist_walk_part_bytes(const hoist_walk *walk, int lead)
{
    uint64_t bytes = (uint64_t)walk->size;
    for (int i = lead; i < walk->rank; i++) {
        if (hoist_ckd_mul(&bytes, bytes, walk->count[i])) { // elements may be one and the same
            return UINT64_MAX;
        }
    }
    return bytes;
}

bool hoist_walks_disjoint(const hoist_walk *a, const hoist_walk *b)
{
    return a->root != b->root || a->high <= b->low || b->high <= a->low;
}

// From the innermost of the leading dimensions: the span of a part, then of a row of parts, has to
// fit into the next stride.
bool hoist_walks_apart(const hoist_walk *a, const hoist_walk *b, int lead)
{
    HOIST_ASSERT(lead <= a->rank && lead <= b->rank);
    if (hoist_walks_disjoint(a, b)) {
        return true;
    }
    const hoist_walk_part x = hoist_walk_part_of(a, lead);
    const hoist_walk_part y = hoist_walk_part_of(b, lead);
    const int64_t low = x.low < y.low ? x.low : y.low;
    const int64_t high = x.high > y.high ? x.high : y.high;
    uint64_t span = (uint64_t)high - (uint64_t)low;
    for (int i = lead - 1; i >= 0; i--) {
        HOIST_ASSERT(a->count[i] == b->count[i]);
        const int64_t stride = a->stride[i];
        const uint64_t pace = stride < 0 ? 0 - (uint64_t)stride : (uint64_t)stride; // as a distance
        if (stride != b->stride[i] || pace < span) {
            return false;
        }
        span += pace * (a->count[i] - 1); // at most twice the buffer
    }
    return true;
}
