// Bytes that the views of a move share: elements of the destination with each other, sources with
// the destination. The answer may say shared where it is not sure: the way is then the slower one.
#include <stdlib.h>

#include "base/assert.h"
#include "kernels/elements.h"
#include "kernels/move_plan.h"

// Sorted by their strides, each dimension steps over what those below it reach.
bool hoist_move_is_distinct(const hoist_view *view)
{
    int64_t reach = (int64_t)hoist_element_size(view->dtype);
    bool done[HOIST_MAX_RANK] = {false};
    for (int round = 0; round < view->shape.rank; round++) {
        int least = -1;
        for (int i = 0; i < view->shape.rank; i++) {
            if (!done[i] && (least < 0 || llabs(view->stride[i]) < llabs(view->stride[least]))) {
                least = i;
            }
        }
        const int64_t stride = llabs(view->stride[least]);
        // It begins where an element of a smaller dimension still is.
        if (stride < reach) {
            return false;
        }
        done[least] = true;
        reach += (view->shape.dim[least] - 1) * stride;
    }
    return true;
}

// Whether each element of one view is in the bytes of the same element of the other.
bool hoist_move_is_same_place(const hoist_view *a, const hoist_view *b)
{
    bool same = a->memory.data + a->offset == b->memory.data + b->offset &&
                a->shape.rank == b->shape.rank &&
                hoist_element_size(a->dtype) == hoist_element_size(b->dtype);
    for (int i = 0; same && i < a->shape.rank; i++) {
        same = a->shape.dim[i] == b->shape.dim[i] && a->stride[i] == b->stride[i];
    }
    return same;
}

// What a view takes of every `period` bytes: length bytes from `begin` on; longer than the period
// when that says nothing.
typedef struct footprint {
    uint64_t begin;
    uint64_t length;
} footprint;

static footprint footprint_in(const hoist_view *view, uint64_t period)
{
    HOIST_ASSERT(period > 0);
    uint64_t length = hoist_element_size(view->dtype);
    uint64_t begin = (uint64_t)(uintptr_t)view->memory.data + (uint64_t)view->offset;
    for (int i = 0; i < view->shape.rank; i++) {
        const uint64_t stride = (uint64_t)llabs(view->stride[i]);
        if (stride % period != 0) {
            const uint64_t reach = (uint64_t)(view->shape.dim[i] - 1) * stride;
            // The first byte is at the other end of such a dimension.
            begin -= view->stride[i] < 0 ? reach : 0;
            length += reach;
        }
    }
    return (footprint){begin % period, length};
}

// True when the views take different bytes of every `period`: columns of one matrix.
static bool are_apart_in(const hoist_view *a, const hoist_view *b, int64_t stride)
{
    const uint64_t period = (uint64_t)llabs(stride);
    if (period == 0) {
        return false;
    }
    const footprint x = footprint_in(a, period);
    const footprint y = footprint_in(b, period);
    const uint64_t distance = (y.begin + period - x.begin) % period;
    return x.length <= distance && y.length <= period - distance;
}

// Whether two views certainly share no byte: by their extents, or within the steps of a matrix.
static bool are_apart(const hoist_view *a, const hoist_view *b)
{
    if (!hoist_elements_may_overlap(a, b)) {
        return true;
    }
    for (int i = 0; i < a->shape.rank; i++) {
        if (are_apart_in(a, b, a->stride[i])) {
            return true;
        }
    }
    return false;
}

bool hoist_move_is_crossed(const hoist_move_plan *plan, bool distinct)
{
    const hoist_view *to = &plan->views[0];
    for (size_t i = 1; i <= plan->move.source_count; i++) {
        const hoist_view *from = &plan->views[i];
        const bool in_place = distinct && !plan->move.table && hoist_move_is_same_place(to, from);
        if (!in_place && !are_apart(to, from)) {
            return true;
        }
    }
    return false;
}
