// runtime/blocks.h - a group of steps (plan/groups.h) made ready, and blocks of it done: of each
// step the part of a block, one step after the other.
#ifndef HOIST_SRC_RUNTIME_BLOCKS_H
#define HOIST_SRC_RUNTIME_BLOCKS_H

#include "kernels/compute.h"
#include "plan/groups.h"

// A step of a group.
typedef struct hoist_block_step {
    hoist_compute_call call; // of the complete step, without its views
    hoist_view views[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    // Of each view: where its first element is in the memory of a block; below 0: it is stored.
    int64_t place[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
} hoist_block_step;

// What is done, and with what.
typedef struct hoist_blocks {
    const hoist_group *group;
    const hoist_block_step *steps; // of the group
    const hoist_compute_kernels *kernels;
    hoist_mut_bytes scratch; // of the worker; with too little for a block everything is stored
    bool is_timed;
} hoist_blocks;

typedef struct hoist_blocks_outcome {
    uint32_t step;                     // that failed
    uint64_t block;                    // in which it failed
    double seconds[HOIST_GROUP_STEPS]; // of each step, if timed
} hoist_blocks_outcome;

// Sets `place` of all views of a step, whose `views` are as the program has them.
void hoist_blocks_place(const hoist_program *program, const hoist_group_plan *plan,
                        const hoist_group *group, const hoist_prog_step *step,
                        hoist_block_step *out_step);

// Does blocks [begin, end). A step that fails ends its block; the earliest step that fails is
// reported, with its first block. HOIST_OK, or the status of that step.
HOIST_NODISCARD hoist_status hoist_blocks_run(const hoist_blocks *blocks, uint64_t begin,
                                              uint64_t end, hoist_blocks_outcome *out_outcome);

#endif // HOIST_SRC_RUNTIME_BLOCKS_H
