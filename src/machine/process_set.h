// machine/process_set.h - a set of processes, in the order of their numbers.
//
// A tree that counts the members below each node: all but filling it takes the logarithm of how
// many processes there are.
#ifndef HOIST_SRC_MACHINE_PROCESS_SET_H
#define HOIST_SRC_MACHINE_PROCESS_SET_H

#include "hoist/base.h"

#include "base/assert.h"

typedef struct hoist_process_set {
    uint32_t *counts; // owned; [1] all members, [2 i] and [2 i + 1] the halves of [i]
    size_t leaves;    // a power of 2
} hoist_process_set;

// For processes 0 to below `capacity`, with none of them. HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT
// (2^31 processes).
HOIST_NODISCARD hoist_status hoist_process_set_init(hoist_process_set *set, hoist_allocator alloc,
                                                    size_t capacity);
void hoist_process_set_deinit(hoist_process_set *set, hoist_allocator alloc);

// Makes 0 to below `count` the members.
void hoist_process_set_fill(hoist_process_set *set, size_t count);
// No effect when it is (is not) a member.
void hoist_process_set_add(hoist_process_set *set, size_t process);
void hoist_process_set_remove(hoist_process_set *set, size_t process);

static inline bool hoist_process_set_has(const hoist_process_set *set, size_t process)
{
    HOIST_ASSERT(process < set->leaves);
    return set->counts[set->leaves + process] != 0;
}

// 0 where there is no memory yet.
static inline size_t hoist_process_set_count(const hoist_process_set *set)
{
    return set->counts ? set->counts[1] : 0;
}

// How many members are below `process`.
size_t hoist_process_set_rank(const hoist_process_set *set, size_t process);
// The member with that many below it.
size_t hoist_process_set_at(const hoist_process_set *set, size_t rank);

#endif // HOIST_SRC_MACHINE_PROCESS_SET_H
