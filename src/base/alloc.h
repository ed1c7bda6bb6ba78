// base/alloc.h - the only door to the heap.
//
// All memory of the library comes through a hoist_allocator, so that tests can fail the n-th
// request and the command can cap the total.
#ifndef HOIST_SRC_BASE_ALLOC_H
#define HOIST_SRC_BASE_ALLOC_H

#include "hoist/base.h"

// HOIST_TRY for what requests of memory gave: `HOIST_TRY_MEMORY(rows && names)`.
#define HOIST_TRY_MEMORY(got) HOIST_TRY((got) ? HOIST_OK : HOIST_NO_MEMORY)

// `size` bytes, not zeroed; NULL when out of memory. `size` 0 gives NULL as well.
void *hoist_alloc(hoist_allocator alloc, size_t size);
// `count` * `size` bytes, zeroed; NULL when out of memory or when the product overflows.
void *hoist_alloc_zero(hoist_allocator alloc, size_t count, size_t size);
// Resizes; on failure NULL, and `old` stays valid.
void *hoist_resize(hoist_allocator alloc, void *old, size_t old_size, size_t new_size);
// Frees; `old` may be NULL. `size` is what was asked for.
void hoist_free(hoist_allocator alloc, void *old, size_t size);

// An allocator that refuses requests beyond `limit` bytes in total. The struct must outlive every
// user of the allocator that hoist_budget_allocator() returns. Not thread-safe.
typedef struct hoist_budget {
    hoist_allocator parent;
    size_t limit;  // bytes
    size_t used;   // bytes now
    size_t peak;   // largest value of used
    bool exceeded; // a request was refused because of the limit
} hoist_budget;

hoist_allocator hoist_budget_allocator(hoist_budget *budget);

// Grows `*items` (an array of `item_size` bytes each) to hold at least `need` items, doubling.
// Returns false when out of memory; the array is then unchanged. Items beyond what was needed so
// far are poisoned (base/poison.h), whatever the capacity: ask for each item before it is used.
bool hoist_grow(hoist_allocator alloc, void **items, size_t *capacity, size_t need,
                size_t item_size);

#endif // HOIST_SRC_BASE_ALLOC_H
