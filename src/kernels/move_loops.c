// The views of a move as common loops, in the order that suits memory.
#include <stdlib.h>

#include "kernels/move_plan.h"

// Where the walk over the dimensions of a view is, innermost first.
typedef struct cursor {
    int dim;
    size_t left; // of that dimension
    int64_t stride;
} cursor;

// The next dimension, once the one inside is used up.
static void load_dim(const hoist_view *view, cursor *c)
{
    if (c->left == 1 && c->dim > 0) {
        c->dim--;
        c->left = (size_t)view->shape.dim[c->dim];
        c->stride = view->stride[c->dim];
    }
}

// The greatest common divisor (Euclid).
static size_t gcd(size_t a, size_t b)
{
    while (b) {
        const size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

// The next loop from the inside: as long as divides what every view has left. 1: there is none.
static size_t common_count(const hoist_move_plan *plan, cursor *cursors)
{
    size_t count = 0;
    for (size_t v = 0; v <= plan->move.source_count; v++) {
        load_dim(&plan->views[v], &cursors[v]);
        count = gcd(cursors[v].left, count);
    }
    return count;
}

// Adds a loop outside of those that are there. Loops are from the inside out here; those that go
// on where another ends become one when they are ordered.
static bool add_loop(hoist_move_plan *plan, size_t count, cursor *cursors)
{
    const size_t views = plan->move.source_count + 1;
    // Such a move goes element by element.
    if (plan->loop_count == HOIST_MOVE_MAX_LOOPS) {
        return false;
    }
    hoist_move_loop *loop = &plan->loops[plan->loop_count++];
    loop->count = count;
    for (size_t v = 0; v < views; v++) {
        loop->stride[v] = cursors[v].stride;
    }
    for (size_t v = 0; v < views; v++) {
        // What is left of a dimension goes on in steps of the loop.
        cursors[v].left /= count;
        cursors[v].stride *= (int64_t)count;
    }
    return true;
}

bool hoist_move_find_loops(hoist_move_plan *plan)
{
    cursor cursors[1 + HOIST_MOVE_MAX_VIEWS];
    for (size_t v = 0; v <= plan->move.source_count; v++) {
        // Before the innermost dimension.
        cursors[v] = (cursor){.dim = plan->views[v].shape.rank, .left = 1};
    }
    plan->loop_count = 0;
    for (uint64_t left = plan->count; left > 1;) {
        const size_t count = common_count(plan, cursors);
        if (count <= 1 || !add_loop(plan, count, cursors)) {
            return false;
        }
        left /= count;
    }
    return true;
}

static void swap_loops(hoist_move_loop *a, hoist_move_loop *b)
{
    const hoist_move_loop kept = *a;
    *a = *b;
    *b = kept;
}

void hoist_move_order_loops(hoist_move_plan *plan)
{
    const size_t views = plan->move.source_count + 1;
    hoist_move_loop *loops = plan->loops;
    for (size_t i = 0; i < plan->loop_count; i++) {
        // A loop that goes down begins at its other end, in all views.
        for (size_t v = 0; loops[i].stride[0] < 0 && v < views; v++) {
            const size_t at = views - 1 - v; // the destination last: the condition is on it
            plan->base[at] += (int64_t)(loops[i].count - 1) * loops[i].stride[at];
            loops[i].stride[at] = -loops[i].stride[at];
        }
    }
    for (size_t i = 1; i < plan->loop_count; i++) {
        // An insertion sort: loops are few, and equal ones keep their order.
        for (size_t k = i; k > 0 && loops[k - 1].stride[0] < loops[k].stride[0]; k--) {
            swap_loops(&loops[k - 1], &loops[k]);
        }
    }
    size_t kept = 0;
    for (size_t i = 1; i < plan->loop_count; i++) {
        bool joins = true;
        for (size_t v = 0; joins && v < views; v++) {
            joins = loops[kept].stride[v] == loops[i].stride[v] * (int64_t)loops[i].count;
        }
        if (joins) {
            // The outer loop goes on where this one ends: both are one.
            loops[i].count *= loops[kept].count;
        } else {
            kept++;
        }
        loops[kept] = loops[i];
    }
    plan->loop_count = plan->loop_count ? kept + 1 : 0;
}

bool hoist_move_turn_loops(hoist_move_plan *plan)
{
    hoist_move_loop *loops = plan->loops;
    const size_t last = plan->loop_count - 1;
    size_t closest = last;
    for (size_t i = 0; i < last; i++) {
        const int64_t stride = llabs(loops[i].stride[1]);
        // A stride of 0 stays at one element, and is no direction.
        if (stride > 0 && stride < llabs(loops[closest].stride[1])) {
            closest = i;
        }
    }
    for (size_t i = closest; i + 1 < last; i++) {
        swap_loops(&loops[i], &loops[i + 1]);
    }
    return closest != last;
}

void hoist_move_pad_loops(hoist_move_plan *plan)
{
    const size_t missing = plan->loop_count < 3 ? 3 - plan->loop_count : 0;
    for (size_t i = plan->loop_count; missing && i-- > 0;) {
        plan->loops[i + missing] = plan->loops[i];
    }
    for (size_t i = 0; i < missing; i++) {
        plan->loops[i] = (hoist_move_loop){.count = 1};
    }
    plan->loop_count += missing;
}
