// kernels/move_plan.h - the parts of planning a move: its views as loops (move_loops.c), what they
// share (move_share.c), tiles and units (move_tiles.c). move_plan.c puts them together.
#ifndef HOIST_SRC_KERNELS_MOVE_PLAN_H
#define HOIST_SRC_KERNELS_MOVE_PLAN_H

#include "base/assert.h"
#include "kernels/move.h"

// The views of a plan as common loops, from the inside out. False where their shapes have none.
bool hoist_move_find_loops(hoist_move_plan *plan);
// The destination upwards: its longest stride outermost, none negative. Loops that now step on
// where the next inner one ends are joined.
void hoist_move_order_loops(hoist_move_plan *plan);
// The loop along which source 0 has its elements closest becomes the last but one, unless that is
// the last. True when it is not.
bool hoist_move_turn_loops(hoist_move_plan *plan);
// Loops of one turn outside, so that there are planes, rows and columns.
void hoist_move_pad_loops(hoist_move_plan *plan);

// True when no two elements share a byte, as far as can be told.
bool hoist_move_is_distinct(const hoist_view *view);
bool hoist_move_is_same_place(const hoist_view *a, const hoist_view *b);
// True when a source of the plan is not where the destination is, nor element for element in its
// place; `distinct`: no two elements of the destination share a byte.
bool hoist_move_is_crossed(const hoist_move_plan *plan, bool distinct);

// Way, tiles and units of plans that have loops: elements of one type that stay as they are, any
// others.
void hoist_move_plan_copy(hoist_move_plan *plan);
void hoist_move_plan_elements(hoist_move_plan *plan);

static inline uint64_t hoist_move_parts(uint64_t whole, uint64_t part)
{
    HOIST_ASSERT(part > 0);
    return (whole + part - 1) / part;
}

static inline void hoist_move_set_units(hoist_move_plan *plan, uint64_t whole, uint64_t unit)
{
    plan->unit = (size_t)unit;
    plan->units = (size_t)hoist_move_parts(whole, unit);
}

#endif // HOIST_SRC_KERNELS_MOVE_PLAN_H
