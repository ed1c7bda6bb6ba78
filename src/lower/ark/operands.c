// What operators of all kinds do with their operands: axes and tiles of plans, the shapes of the
// result, overlap of results and inputs. In: tensors of a step. Out: parts of its work (tiles.c).
#include <inttypes.h>
#include <string.h>

#include "base/assert.h"
#include "lower/ark/state.h"

// Shapes are aligned at the last axis; axes without a dimension have one element.
void ark_lower_init_axes(ark_lower_work *work, const hoist_lower_view *y)
{
    for (int i = 0; i < ARK_LOWER_AXES; i++) {
        const int d = i - (ARK_LOWER_AXES - y->shape.rank);
        work->extent[i] = d < 0 ? 1 : y->shape.dim[d];
        work->padded[i] = work->extent[i];
        work->tile[i] = work->extent[i];
    }
}

// Dimension i of n is axis i of the last n.
ark_lower_operand ark_lower_aligned(const hoist_lower_view *view)
{
    ark_lower_operand operand = {.view = *view};
    HOIST_ASSERT(view->shape.rank <= ARK_LOWER_AXES);
    for (int i = 0; i < view->shape.rank; i++) {
        operand.axis[i] = (int8_t)(ARK_LOWER_AXES - view->shape.rank + i);
    }
    return operand;
}

// Entries are aligned at the last axis, too.
bool ark_lower_read_entries(const ark_lower_op *op, const char *name, const hoist_rec_ints *list,
                            size_t count, ark_lower_work *work)
{
    for (size_t i = 0; i < count; i++) {
        const int axis = ARK_LOWER_AXES - (int)count + (int)i;
        work->tile[axis] = list->items[i].value;
        if (work->tile[axis] < 1) {
            ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                             "entry %zu of %s is %" PRId64 ", expected 1 or more", i, name,
                             work->tile[axis]);
            return false;
        }
    }
    return true;
}

// Without a Tile everything is one tile.
bool ark_lower_read_tile(const ark_lower_op *op, ark_lower_work *work)
{
    const hoist_rec_ints *tile = &op->step->op->config.tile;
    for (int i = 0; tile->count > 0 && i < ARK_LOWER_AXES; i++) {
        work->tile[i] = 1;
    }
    if (tile->count > ARK_LOWER_AXES) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "Tile has %zu entries, expected at most %d", tile->count, ARK_LOWER_AXES);
        return false;
    }
    return ark_lower_read_entries(op, "Tile", tile, tile->count, work);
}

// Exact aliases of operators that work element by element need no memory: each element is read
// before it is written.
void ark_lower_separate(const ark_lower_op *op, ark_lower_work *work)
{
    const ark_step *step = op->step;
    const bool in_place = work->copies || hoist_compute_get(work->op)->tilewise;
    // A copy alone reads its source completely first.
    const bool is_atomic = work->copies && !op->rank->graph->module->is_plan;
    const hoist_lower_view *const y = &work->operands[work->inputs].view;
    for (uint32_t i = 0; !is_atomic && i < step->reads.count && i < work->inputs; i++) {
        hoist_lower_view *const x = &work->operands[i].view;
        if (!ark_lower_overlap(op->rank, step->reads.items[i], step->writes.items[0])) {
            continue;
        }
        if (in_place && ark_lower_is_same(x, y)) {
            // The same elements are one layout, also where strides of single ones differ.
            memcpy(x->stride, y->stride, sizeof x->stride);
        } else {
            work->through_memory = true;
        }
    }
}

// Proxies are refused here: only messages reach other ranks.
bool ark_lower_has_operands(const ark_lower_op *op, uint32_t reads)
{
    const ark_step *step = op->step;
    HOIST_ASSERT(step->reads.count == reads && step->writes.count == 1); // it is valid
    for (uint32_t i = 0; i <= reads; i++) {
        const uint32_t value = i < reads ? step->reads.items[i] : step->writes.items[0];
        if (!ark_lower_is_here(op->rank, value)) {
            ark_lower_refuse(op->job, RUN_043, op->rank, step,
                             "tensor %" PRId64 " is memory of another rank",
                             op->rank->graph->values[value].id);
            return false;
        }
    }
    return true;
}

hoist_lower_view ark_lower_input(const ark_lower_op *op, uint32_t index)
{
    return ark_lower_view(op->rank, op->step->reads.items[index]);
}

hoist_lower_view ark_lower_output(const ark_lower_op *op)
{
    return ark_lower_view(op->rank, op->step->writes.items[0]);
}

// Dimensions in front have one element and a stride of 0.
hoist_lower_view ark_lower_with_rank(const hoist_lower_view *view, int rank)
{
    hoist_lower_view wide = *view;
    const int lead = rank - view->shape.rank;
    wide.shape.rank = rank;
    for (int i = 0; i < rank; i++) {
        wide.shape.dim[i] = i < lead ? 1 : view->shape.dim[i - lead];
        wide.stride[i] = i < lead ? 0 : view->stride[i - lead];
    }
    return wide;
}
