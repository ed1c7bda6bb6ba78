// runtime/blocks.h - a group of steps (plan/groups.h) made ready, and blocks of it done: of each
// step the part of a block, one step after the other. A product of matrices at the beginning of a
// group calls for the others with each part of it that is complete.
#ifndef HOIST_SRC_RUNTIME_BLOCKS_H
#define HOIST_SRC_RUNTIME_BLOCKS_H

#include "kernels/compute.h"
#include "plan/groups.h"

enum { HOIST_BLOCK_VIEWS = HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS };

// An operand of a step: where the elements of a block are.
typedef struct hoist_block_operand {
    int64_t index[HOIST_MAX_RANK]; // bytes from an index to the next in the buffer
    bool is_local;                 // in memory of the block (or of the product's kernel) instead
    bool is_product;
    int64_t place; // there: of the first element
    int64_t row;   // there: bytes from an index of the axis to the next
} hoist_block_operand;

// A step whose blocks are lines (hoist_compute_form): one for each index of the dimension that
// blocks cut, or one for all.
typedef struct hoist_block_lines {
    hoist_compute_form form;                   // `run` NULL: no lines
    uint64_t parts;                            // of an index
    int64_t step[HOIST_COMPUTE_LINE_OPERANDS]; // bytes from a part to the next
} hoist_block_lines;

// A step of a group.
typedef struct hoist_block_step {
    bool copies;             // its input to its output; `call` has the number of inputs alone
    hoist_compute_call call; // of the complete step, without its views
    hoist_view views[HOIST_BLOCK_VIEWS];
    hoist_block_operand operands[HOIST_BLOCK_VIEWS]; // as the views
    hoist_block_lines lines;
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

// The view of an operand of a step: inputs, then the output.
hoist_ref hoist_block_view(const hoist_prog_step *step, size_t operand);

// Sets the operands of a step, whose `call` and `views` are as the program has them, and its
// `lines`, if it has them.
void hoist_blocks_place(const hoist_program *program, const hoist_group_plan *plan,
                        const hoist_compute_kernels *kernels, const hoist_group *group,
                        const hoist_prog_step *step, hoist_block_step *out_step);

// The blocks of a group, or the units of its product, whose parts are then the blocks.
size_t hoist_blocks_units(const hoist_group *group, const hoist_block_step *steps);

// Does blocks, or units of the product, [begin, end). A step that fails ends its block; the
// earliest step that fails is reported, with its first block (of a product: `begin`). HOIST_OK, or
// the status of that step.
HOIST_NODISCARD hoist_status hoist_blocks_run(const hoist_blocks *blocks, uint64_t begin,
                                              uint64_t end, hoist_blocks_outcome *out_outcome);

#endif // HOIST_SRC_RUNTIME_BLOCKS_H
