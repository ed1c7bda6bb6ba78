// Places of buffers by their time (intervals.h): lives in, an offset for each and the bytes of all
// out. plan/fit.h finds what is free over a time. Used by calls.c (memory of a call) and reuse.c
// (memory of a thread).
#include "plan/intervals.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "base/order.h"
#include "plan/fit.h"

// Pinned ones first, then the largest. First fit by decreasing size: large buffers are the hardest
// to fit in later.
static int by_size(const void *a, const void *b)
{
    const hoist_interval *x = a;
    const hoist_interval *y = b;
    if (x->pinned != y->pinned) {
        return x->pinned ? -1 : 1;
    }
    if (x->size != y->size) {
        return x->size > y->size ? -1 : 1;
    }
    // Makes the order total, so that a plan depends on the program alone.
    return hoist_order_u64(x->buffer, y->buffer);
}

// For the moments.
static int by_value(const void *a, const void *b)
{
    return hoist_order_u64(*(const uint32_t *)a, *(const uint32_t *)b);
}

// Two that live together do so at a moment when one of them begins, so these are all the times that
// count: ascending, each once. Fewer times make a smaller tree in fit.c.
static uint32_t list_moments(const hoist_interval *intervals, size_t all, uint32_t *out)
{
    uint32_t count = 0;
    for (size_t i = 0; i < all; i++) {
        out[i] = intervals[i].first;
    }
    qsort(out, all, sizeof *out, by_value);
    for (size_t i = 0; i < all; i++) {
        if (i == 0 || out[i] != out[count - 1]) {
            out[count++] = out[i];
        }
    }
    return count;
}

static bool is_until(const void *moment, const void *step)
{
    return *(const uint32_t *)moment <= *(const uint32_t *)step;
}

// How many of the moments are at `step` or before it. The first moment is at or before every step
// that is asked for, so the count is 1 or more.
static uint32_t moments_until(const uint32_t *moments, uint32_t count, uint32_t step)
{
    return (uint32_t)hoist_order_first(moments, count, sizeof *moments, is_until, &step);
}

// The lowest offset at which `v` overlaps none of those placed before that live with it. `*out_end`
// is where it ends. HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY.
// Sizes come from the file; sums stay below 2^63 with a margin for alignment.
static hoist_status place(hoist_fit *fit, const hoist_interval *v, hoist_fit_life life,
                          uint64_t *offsets, uint64_t *out_end)
{
    const uint64_t most = INT64_MAX - HOIST_PLAN_ALIGNMENT;
    if (v->size >= most) {
        return HOIST_LIMIT;
    }
    // Whole cache lines.
    const uint64_t units = hoist_interval_align(v->size) / HOIST_PLAN_ALIGNMENT;
    uint64_t *offset = &offsets[v->buffer];
    if (!v->pinned) {
        *offset = hoist_fit_find(fit, life, units) * HOIST_PLAN_ALIGNMENT;
    }
    if (hoist_ckd_add(out_end, *offset, v->size) || *out_end >= most) {
        return HOIST_LIMIT;
    }
    // A pinned buffer is taken as well, so that nothing else is placed on it.
    const uint64_t begin = *offset / HOIST_PLAN_ALIGNMENT;
    return units > 0 ? hoist_fit_take(fit, life, (hoist_fit_span){begin, begin + units}) : HOIST_OK;
}

// What is to be placed, and where that is written.
typedef struct layout {
    hoist_interval *intervals;
    size_t count;
    uint64_t *offsets;
    uint64_t *bytes;
} layout;

// Places are multiples of the alignment, so fit.c counts in units of it.
static hoist_status place_in(const layout *l, hoist_fit *fit, const uint32_t *moments,
                             uint32_t count)
{
    uint64_t bytes = 0;
    qsort(l->intervals, l->count, sizeof *l->intervals, by_size);
    for (size_t i = 0; i < l->count; i++) {
        const hoist_interval *v = &l->intervals[i];
        // Moments count from 1 in moments_until()
        const hoist_fit_life life = {moments_until(moments, count, v->first) - 1,
                                     moments_until(moments, count, v->last) - 1};
        uint64_t end = 0;
        HOIST_TRY(place(fit, v, life, l->offsets, &end));
        bytes = end > bytes ? end : bytes;
    }
    *l->bytes = hoist_interval_align(bytes);
    return HOIST_OK;
}

// Without intervals there is no tree, and 0 bytes.
hoist_status hoist_intervals_place(hoist_interval *intervals, size_t count, hoist_allocator alloc,
                                   uint64_t *offsets, uint64_t *out_bytes)
{
    const size_t most = count + 1;
    const layout all = {intervals, count, offsets, out_bytes};
    uint32_t *moments = hoist_alloc_zero(alloc, most, sizeof *moments);
    hoist_fit fit = {.alloc = alloc};
    hoist_status status = HOIST_NO_MEMORY;
    *out_bytes = 0;
    if (moments && count > 0) { // an array of one more than `count`, never NULL for 0
        const uint32_t times = list_moments(intervals, count, moments);
        status = hoist_fit_init(&fit, alloc, times);
        status = status == HOIST_OK ? place_in(&all, &fit, moments, times) : status;
    } else if (moments) {
        status = HOIST_OK;
    }
    hoist_fit_deinit(&fit);
    hoist_free(alloc, moments, most * sizeof *moments);
    return status;
}
