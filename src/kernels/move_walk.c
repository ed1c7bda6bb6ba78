// The walk over the tiles of a move: from the place of one tile to that of the next in the order of
// the plan's loops, innermost first. move_tiles.c cuts the tiles.
#include "base/assert.h"
#include "kernels/move_ways.h"

const hoist_move_loop *hoist_move_tile_loops(const hoist_move_plan *plan)
{
    HOIST_ASSERT(plan->loop_count >= 3);
    return &plan->loops[plan->loop_count - 3];
}

void hoist_move_walk_to(hoist_move_walk *w, const hoist_move_plan *plan, uint64_t tile)
{
    w->plan = plan;
    w->views = plan->move.source_count + 1;
    for (size_t v = 0; v < w->views; v++) {
        w->base[v] = plan->base[v];
    }
    for (size_t i = plan->loop_count; i-- > 0;) {
        const hoist_move_loop *loop = &plan->loops[i];
        const size_t inner = plan->loop_count - i;
        w->step[i] = inner <= 3 ? plan->tile[3 - inner] : 1;
        const uint64_t turns = (loop->count + w->step[i] - 1) / w->step[i];
        HOIST_ASSERT(turns > 0);
        // The number of a tile, digit by digit: each loop has its turns.
        w->index[i] = (size_t)(tile % turns) * w->step[i];
        HOIST_ASSERT(w->index[i] < loop->count);
        tile /= turns;
        for (size_t v = 0; v < w->views; v++) {
            w->base[v] += (int64_t)w->index[i] * loop->stride[v];
        }
    }
}

void hoist_move_step(hoist_move_walk *w)
{
    for (size_t i = w->plan->loop_count; i-- > 0;) {
        const hoist_move_loop *loop = &w->plan->loops[i];
        const size_t index = w->index[i];
        const bool goes_on = index + w->step[i] < loop->count;
        // A loop that is through goes back to its beginning, and the next outer one a step on.
        const int64_t steps = goes_on ? (int64_t)w->step[i] : -(int64_t)index;
        for (size_t v = 0; v < w->views; v++) {
            w->base[v] += steps * loop->stride[v];
        }
        w->index[i] = goes_on ? index + w->step[i] : 0;
        if (goes_on) {
            return;
        }
    }
}

void hoist_move_tile_size(const hoist_move_walk *w, size_t size[3])
{
    HOIST_ASSERT(w->plan->loop_count >= 3); // as of every plan of tiles
    const size_t first = w->plan->loop_count - 3;
    for (size_t i = 0; i < 3; i++) {
        const size_t left = w->plan->loops[first + i].count - w->index[first + i];
        size[i] = left < w->step[first + i] ? left : w->step[first + i];
    }
}
