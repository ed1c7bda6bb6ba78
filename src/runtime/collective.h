// runtime/collective.h - what the members of a collective get from each other.
#ifndef HOIST_SRC_RUNTIME_COLLECTIVE_H
#define HOIST_SRC_RUNTIME_COLLECTIVE_H

#include "kernels/move.h"
#include "program/program.h"

// One member's views, in ascending rank.
typedef struct hoist_collective_member {
    hoist_view source;
    hoist_view destination;
    bool is_elsewhere; // its destination is in another process
} hoist_collective_member;

// Elements are taken in linear order. all_reduce: every destination is the reduction of all
// sources, in float32, ranks ascending; all_gather: all sources one after the other;
// reduce_scatter: member m's equal share of the reduction; broadcast: the first member's source.
// All sources are read before a destination is written. HOIST_OK, HOIST_INVALID (element counts do
// not fit), HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_collective_run(const hoist_prog_collective *step,
                                                  const hoist_collective_member *members,
                                                  size_t count, const hoist_move_kernels *kernels,
                                                  hoist_allocator alloc);

#endif // HOIST_SRC_RUNTIME_COLLECTIVE_H
