// plan/intervals.h - places for buffers that live for a stretch of steps, so that those that are
// never alive together share bytes.
#ifndef HOIST_SRC_PLAN_INTERVALS_H
#define HOIST_SRC_PLAN_INTERVALS_H

#include "program/program.h"

#define HOIST_PLAN_ALIGNMENT 64 // bytes, of every place

typedef struct hoist_interval {
    hoist_ref buffer; // root of its windows
    uint32_t first;   // step
    uint32_t last;
    uint64_t size;
    bool pinned; // its place is given
} hoist_interval;

static inline uint64_t hoist_interval_align(uint64_t at)
{
    return (at + HOIST_PLAN_ALIGNMENT - 1) / HOIST_PLAN_ALIGNMENT * HOIST_PLAN_ALIGNMENT;
}

// Sets `offsets[buffer]` of each interval that is not pinned, and sorts the intervals. Greedy: the
// largest first, behind those that are pinned, each at the lowest place that is free for its time.
// `*out_bytes`: where all of them end, aligned. HOIST_OK, HOIST_LIMIT (beyond 2^63),
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_intervals_place(hoist_interval *intervals, size_t count,
                                                   hoist_allocator alloc, uint64_t *offsets,
                                                   uint64_t *out_bytes);

#endif // HOIST_SRC_PLAN_INTERVALS_H
