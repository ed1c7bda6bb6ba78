// plan/groups.h - runs of data steps that may be done block by block: block 0 of every step, then
// block 1 of every step. A block stays in the caches from step to step, and what no one reads
// afterwards is never stored.
//
// A group is in one code, without a control step between its steps. All their views have the same
// first dimensions (but for those of one index), by which they are cut into parts (ops/compute.h):
// elements, or lines with their sums. A block is a box of parts. No byte that a step writes in one
// block is used by a step in another block, so blocks may be done in any order and side by side,
// with the bits of steps that are done one after the other.
//
// The first step may copy a message to where it lands: steps that read it there take it from the
// block, and the copy is not stored where nothing else reads it.
//
// The first step may be a product of matrices. The others then go element by element over values of
// its output's shape: its kernel passes on rows and columns as they become complete, and these are
// cut into blocks.
#ifndef HOIST_SRC_PLAN_GROUPS_H
#define HOIST_SRC_PLAN_GROUPS_H

#include "program/program.h"

#define HOIST_GROUP_STEPS 32       // at most
#define HOIST_GROUP_BLOCK 16384    // bytes of the largest value in a block, if a part has less
#define HOIST_GROUP_PART 65536     // bytes of the largest value in a part, at most
#define HOIST_GROUP_SCRATCH 262144 // bytes of values that are never stored, at most
#define HOIST_GROUP_COLUMNS 256    // in a block of a product, if it has as many

// A buffer whose bytes are never stored: they are in memory of the block.
typedef struct hoist_group_local {
    hoist_ref buffer; // with memory of its own
    int64_t base;     // its byte that is first in the memory of block 0
    uint64_t offset;  // in the memory of a block
    uint64_t size;    // bytes
    int64_t row;      // bytes from an index of the axis to the next
    bool is_product;  // the output of the product: in memory of its kernel, none of the block's
} hoist_group_local;

typedef struct hoist_group {
    uint32_t code;                   // functions first, then threads
    uint32_t first;                  // step
    uint32_t count;                  // of steps: 2 or more
    const hoist_prog_step *steps;    // the first of them
    bool is_product;                 // the first step is one
    int lead;                        // dimensions that all views have in common
    uint64_t extent[HOIST_MAX_RANK]; // of each of these dimensions
    int axis;                        // that blocks cut: one index before it, all indices after it;
                                     // of a product its rows (if one: columns), both are cut
    uint64_t most[HOIST_MAX_RANK];   // indices of each dimension in a block, but for the last
    uint64_t blocks;                 // of a product at least: its kernel makes smaller ones, too
    uint32_t local_first;
    uint32_t local_count;
    uint64_t scratch; // bytes of the memory of a block
} hoist_group;

typedef struct hoist_group_plan {
    hoist_allocator alloc;
    hoist_group *groups; // owned: by code and step
    size_t count;
    size_t capacity;
    hoist_group_local *locals; // owned: of all groups
    size_t local_count;
    size_t local_capacity;
    uint32_t *order;  // owned: groups by the address of their first step
    uint64_t scratch; // bytes of the largest
} hoist_group_plan;

typedef struct hoist_group_options {
    hoist_allocator alloc;
    // Per row of the program's ports: whether the caller may read it after a run. NULL: any.
    const bool *is_read;
    hoist_deadline *deadline; // NULL: none
} hoist_group_options;

// Marks the views among `names`, ports of the program, that the caller reads: `*out_is_read` has a
// row for each of the program's ports and one more, allocated with `alloc`. HOIST_OK, HOIST_INVALID
// (a name is of no port, which is reported), HOIST_NO_MEMORY; it may be there on failure, too.
HOIST_NODISCARD hoist_status hoist_group_choose_reads(const hoist_program *program,
                                                      const char *const *names, size_t count,
                                                      hoist_diag *diag, hoist_allocator alloc,
                                                      bool **out_is_read);

// Finds the groups of a program that passed hoist_program_verify(). HOIST_OK, HOIST_LIMIT
// (deadline), HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_group_plan_build(const hoist_program *program,
                                                    const hoist_group_options *options,
                                                    hoist_group_plan *out_plan);
void hoist_group_plan_deinit(hoist_group_plan *plan);

// The group that begins with `step`; NULL: none does.
const hoist_group *hoist_group_at(const hoist_group_plan *plan, const hoist_prog_step *step);

// What a group keeps in place of a buffer with memory of its own; NULL: the buffer itself is used.
const hoist_group_local *hoist_group_local_of(const hoist_group_plan *plan,
                                              const hoist_group *group, hoist_ref root);

// Whether the output of a group's product is stored.
bool hoist_group_stores_product(const hoist_program *program, const hoist_group_plan *plan,
                                const hoist_group *group);

// The indices of a block: [begin, begin + count) in each of the first axis + 1 dimensions, of a
// product in all of them.
typedef struct hoist_group_box {
    uint64_t begin[HOIST_MAX_RANK];
    uint64_t count[HOIST_MAX_RANK];
} hoist_group_box;
// Of a block by number; of a group without a product.
hoist_group_box hoist_group_box_of(const hoist_group *group, uint64_t block);

#endif // HOIST_SRC_PLAN_GROUPS_H
