// A set of processes in order, as a complete binary tree of counts (an order-statistic tree, laid
// out like a heap): rank and selection in logarithmic time.
#include "machine/process_set.h"

#include "base/alloc.h"
#include "base/assert.h"

// Keeps the count of the root, and with it all others, within 32 bits.
#define MAX_LEAVES ((size_t)1 << 31)

hoist_status hoist_process_set_init(hoist_process_set *set, hoist_allocator alloc, size_t capacity)
{
    *set = (hoist_process_set){.leaves = 1};
    // A power of 2 makes the children of i 2 i and 2 i + 1, without any links.
    while (set->leaves < capacity && set->leaves < MAX_LEAVES) {
        set->leaves *= 2;
    }
    if (set->leaves < capacity) {
        return HOIST_LIMIT;
    }
    set->counts = hoist_alloc_zero(alloc, 2 * set->leaves, sizeof *set->counts);
    return set->counts ? HOIST_OK : HOIST_NO_MEMORY;
}

void hoist_process_set_deinit(hoist_process_set *set, hoist_allocator alloc)
{
    hoist_free(alloc, set->counts, 2 * set->leaves * sizeof *set->counts);
    *set = (hoist_process_set){.counts = NULL};
}

void hoist_process_set_fill(hoist_process_set *set, size_t count)
{
    HOIST_ASSERT(count <= set->leaves);
    for (size_t i = 0; i < set->leaves; i++) {
        set->counts[set->leaves + i] = i < count;
    }
    // From the last inner node up: children have their counts first.
    for (size_t i = set->leaves; i-- > 1;) {
        set->counts[i] = set->counts[2 * i] + set->counts[2 * i + 1];
    }
}

void hoist_process_set_add(hoist_process_set *set, size_t process)
{
    if (!hoist_process_set_has(set, process)) {
        // Every node on the way to the root counts this leaf; [0] is not used.
        for (size_t i = set->leaves + process; i > 0; i /= 2) {
            set->counts[i]++;
        }
    }
}

void hoist_process_set_remove(hoist_process_set *set, size_t process)
{
    if (hoist_process_set_has(set, process)) {
        for (size_t i = set->leaves + process; i > 0; i /= 2) {
            set->counts[i]--;
        }
    }
}

size_t hoist_process_set_rank(const hoist_process_set *set, size_t process)
{
    if (process >= set->leaves) {
        return set->counts[1];
    }
    size_t rank = 0;
    for (size_t i = set->leaves + process; i > 1; i /= 2) {
        // At a right child, all members of its left sibling come before it.
        rank += i % 2 ? set->counts[i - 1] : 0;
    }
    return rank;
}

size_t hoist_process_set_at(const hoist_process_set *set, size_t rank)
{
    HOIST_ASSERT(rank < set->counts[1]);
    size_t i = 1;
    while (i < set->leaves) {
        i *= 2;
        // All of the left half come before the member of that rank: go right.
        if (rank >= set->counts[i]) {
            rank -= set->counts[i];
            i++;
        }
    }
    return i - set->leaves;
}
