// plan/lanes.h - memory of calls: how many bytes each process of a program has for the functions
// that it runs, one below the other.
#ifndef HOIST_SRC_PLAN_LANES_H
#define HOIST_SRC_PLAN_LANES_H

#include "plan/calls.h"

typedef struct hoist_lane_plan {
    hoist_allocator alloc;
    size_t count;    // processes that the machine can have at most, 1 or more
    uint64_t *bytes; // owned: per process, of the entry that needs most
} hoist_lane_plan;

// In every entry a process is a thread of it, or, after these, a unit. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_lane_plan_build(const hoist_program *program,
                                                   const hoist_call_plan *calls,
                                                   hoist_allocator alloc,
                                                   hoist_lane_plan *out_plan);
void hoist_lane_plan_deinit(hoist_lane_plan *plan);

#endif // HOIST_SRC_PLAN_LANES_H
