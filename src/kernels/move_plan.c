// The plan of a move: its views in, checked and simplified to common loops (move_loops.c); the way
// out that they permit, by what they share (move_share.c) and how large they are (README.md, table
// of ways).
#include "kernels/move_plan.h"

#include "base/assert.h"
#include "kernels/elements.h"

enum {
    LINE_UNIT = 16384,   // elements
    STREAMED = 16 << 20, // bytes of a result that leaves nothing in the caches
};

// Dimensions of one element left out, and those joined that step on where the next inner one ends.
static void join_dims(hoist_view *view)
{
    hoist_shape *shape = &view->shape;
    int rank = 0;
    for (int i = 0; i < shape->rank; i++) {
        const int64_t dim = shape->dim[i];
        // It has one index, whatever its stride.
        if (dim == 1) {
            continue;
        }
        // The outer dimension steps on by what this one takes.
        if (rank > 0 && view->stride[rank - 1] == dim * view->stride[i]) {
            shape->dim[rank - 1] *= dim;
            view->stride[rank - 1] = view->stride[i];
        } else {
            shape->dim[rank] = dim;
            view->stride[rank] = view->stride[i];
            rank++;
        }
    }
    shape->rank = rank;
    HOIST_ASSERT(rank >= 0 && rank <= HOIST_MAX_RANK);
}

// The source as the transposed tensor: dimensions change places, no byte moves.
static hoist_status transpose(hoist_view *view, const hoist_view_move *move)
{
    const hoist_view source = *view;
    if (move->transpose_rank == 0) {
        return HOIST_OK;
    }
    if (move->transpose_rank != (size_t)source.shape.rank) {
        return HOIST_INVALID;
    }
    for (size_t i = 0; i < move->transpose_rank; i++) {
        HOIST_ASSERT(move->transpose_axes[i] < move->transpose_rank);
        view->shape.dim[i] = source.shape.dim[move->transpose_axes[i]];
        view->stride[i] = source.stride[move->transpose_axes[i]];
    }
    return HOIST_OK;
}

static uint64_t count_of(const hoist_view *view)
{
    return (uint64_t)hoist_shape_count(&view->shape);
}

// As many elements as the destination, or all that the table names.
static hoist_status check(const hoist_view_move *move, uint64_t count)
{
    const bool one = move->op == HOIST_KERNEL_COPY || move->op == HOIST_KERNEL_CAST;
    if (move->source_count > HOIST_MOVE_MAX_VIEWS ||
        (one && !move->table && move->source_count != 1)) {
        return HOIST_INVALID;
    }
    uint64_t joined = 0;
    for (size_t i = 0; i < move->source_count; i++) {
        const uint64_t elements = count_of(&move->sources[i]);
        if (!move->table && elements != count) {
            return HOIST_INVALID;
        }
        // With a table sources are numbered through.
        joined += elements;
    }
    // Below 0 is a fill.
    for (uint64_t i = 0; move->table && i < count; i++) {
        if (move->table[i] >= 0 && (uint64_t)move->table[i] >= joined) {
            return HOIST_INVALID;
        }
    }
    return HOIST_OK;
}

// Views as simple as they can be, the destination first.
static hoist_status take_views(hoist_move_plan *plan)
{
    HOIST_ASSERT(plan->move.source_count <= HOIST_MOVE_MAX_VIEWS);
    const hoist_view_move *move = &plan->move;
    plan->views[0] = move->destination;
    for (size_t i = 0; i < move->source_count; i++) {
        plan->views[i + 1] = move->sources[i];
        HOIST_TRY(transpose(&plan->views[i + 1], move));
    }
    for (size_t i = 0; plan->count && i <= move->source_count; i++) {
        join_dims(&plan->views[i]);
        plan->base[i] = plan->views[i].memory.data + plan->views[i].offset;
    }
    return HOIST_OK;
}

// Whether elements go as they are: one source of the same type, without a table.
static bool is_copy(const hoist_move_plan *plan)
{
    HOIST_ASSERT(plan->move.source_count > 0 || plan->move.table ||
                 plan->move.op != HOIST_KERNEL_COPY);
    return plan->move.op == HOIST_KERNEL_COPY && !plan->move.table &&
           plan->views[0].dtype == plan->views[1].dtype;
}

static void choose_way(hoist_move_plan *plan)
{
    const bool copies = is_copy(plan);
    const bool distinct = hoist_move_is_distinct(&plan->views[0]);
    const bool loops = !plan->move.table && distinct && hoist_move_find_loops(plan);
    // Nothing is to be done: the way stays NOTHING.
    if (copies && hoist_move_is_same_place(&plan->views[0], &plan->views[1])) {
        return;
    }
    if (loops) {
        hoist_move_order_loops(plan);
        if (copies) {
            hoist_move_plan_copy(plan);
        } else {
            hoist_move_plan_elements(plan);
        }
    } else {
        plan->way = HOIST_MOVE_LINES;
        // Elements that share bytes must be written in their order: one unit.
        hoist_move_set_units(plan, plan->count, distinct ? LINE_UNIT : plan->count);
    }
    // Units would overwrite what others still read; a block of bytes is memmove's.
    if (hoist_move_is_crossed(plan, distinct)) {
        plan->way = plan->way == HOIST_MOVE_FLAT ? HOIST_MOVE_FLAT : HOIST_MOVE_BUFFERED;
        plan->unit *= plan->units; // all of it
        plan->units = 1;
    }
    // A result that is larger than caches would only push out what others need.
    if (plan->count * hoist_element_size(plan->views[0].dtype) >= STREAMED) {
        hoist_move_stream(plan);
    }
}

hoist_status hoist_move_prepare(const hoist_view_move *move, hoist_move_plan *out_plan)
{
    out_plan->move = *move;
    out_plan->way = HOIST_MOVE_NOTHING;
    out_plan->streams = false;
    out_plan->units = 1;
    out_plan->count = count_of(&move->destination);
    HOIST_TRY(check(move, out_plan->count));
    HOIST_TRY(take_views(out_plan));
    if (out_plan->count > 0) {
        choose_way(out_plan);
    }
    HOIST_ASSERT(out_plan->units > 0);
    return HOIST_OK;
}
