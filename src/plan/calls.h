// plan/calls.h - where buffers of lifetime CALL are: offsets in the memory of a call, so that
// those that are never alive together share bytes.
#ifndef HOIST_SRC_PLAN_CALLS_H
#define HOIST_SRC_PLAN_CALLS_H

#include "plan/groups.h"
#include "plan/intervals.h"
#include "plan/reshapes.h"

// The steps of a function between which a buffer lives.
typedef struct hoist_call_life {
    hoist_ref
        function; // HOIST_NO_REF: the buffer is not of a call, or of those of several functions
    uint32_t first;
    uint32_t last;
} hoist_call_life;

typedef struct hoist_call_plan {
    hoist_allocator alloc;
    uint32_t buffer_count;
    uint32_t function_count;
    uint64_t *offset; // per buffer: from the start of its call's memory; UINT64_MAX: not of a call
    hoist_call_life *life;   // per buffer with memory of its own
    hoist_reshape *reshapes; // per buffer: through what it is read, if it is not stored
    uint64_t *bytes;         // per function: of one call
    uint64_t *with_all;      // per function: of one call and the deepest calls below it
} hoist_call_plan;

// Plans every function. A buffer of lifetime CALL is alive from the first to the last step of a
// function that names it, and over the whole of a loop that it is used in; one that several
// functions name has one place in all of them. The steps of a group (NULL: there is none) are one.
// One that is read through a table of tiles (reshapes.h) has no place; what it is read from lives
// as long as both. The output of a step on tiles that goes tile by tile has the place of an input
// that nothing reads afterwards.
// Windows are inside their base. HOIST_OK,
// HOIST_LIMIT (sizes beyond 2^63), HOIST_NO_MEMORY; HOIST_INVALID: a thread names such a buffer.
HOIST_NODISCARD hoist_status hoist_call_plan_build(const hoist_program *program,
                                                   const hoist_group_plan *groups,
                                                   hoist_allocator alloc,
                                                   hoist_call_plan *out_plan);
void hoist_call_plan_deinit(hoist_call_plan *plan);

#endif // HOIST_SRC_PLAN_CALLS_H
