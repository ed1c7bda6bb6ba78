// plan/reuse.h - values of a thread that need memory only for some of its steps: those that are
// never alive together share bytes (intervals.h), as values of calls do.
//
// That changes nothing that anyone sees of a buffer of which all uses are in one thread, every byte
// that is read was written before in the same run, and no need or address leads to it. What the
// caller reads after a run lives from its first write on to the next run, and all of it is written.
// What a caller writes to such a buffer before a run, no step reads.
#ifndef HOIST_SRC_PLAN_REUSE_H
#define HOIST_SRC_PLAN_REUSE_H

#include "plan/groups.h"
#include "plan/intervals.h"
#include "plan/stays.h"

// The steps of a thread between which a value lives.
typedef struct hoist_reuse_life {
    uint32_t thread;
    uint32_t first;
    uint32_t last; // UINT32_MAX: to the end of the run
    bool is_read;  // by the caller
} hoist_reuse_life;

typedef struct hoist_reuse_plan {
    hoist_allocator alloc;
    uint32_t buffer_count;
    uint32_t thread_count;
    uint64_t *offset;       // owned, per buffer with memory of its own: in that of its thread's
                            // values; UINT64_MAX: it is not shared
    hoist_reuse_life *life; // owned, per such buffer
    uint64_t *bytes;        // owned, per thread: of all its values
    hoist_ref *space;       // owned, per thread: that they are in
} hoist_reuse_plan;

// Of a program that passed hoist_program_verify(), whose order is `before`. `is_read`: as of
// hoist_group_options; NULL: the caller may read all, and ports keep their memory. HOIST_OK,
// HOIST_LIMIT (deadline, or beyond 2^63), HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_reuse_plan_build(
    const hoist_program *program, const hoist_before *before, const hoist_stay_plan *stays,
    const hoist_group_plan *groups, const hoist_group_options *options, hoist_reuse_plan *out_plan);
void hoist_reuse_plan_deinit(hoist_reuse_plan *plan);

#endif // HOIST_SRC_PLAN_REUSE_H
