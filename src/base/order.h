// base/order.h - three-way comparisons for sorting: below 0, 0 or above 0, as qsort expects them;
// and the search in what is sorted.
#ifndef HOIST_SRC_BASE_ORDER_H
#define HOIST_SRC_BASE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline int hoist_order_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static inline int hoist_order_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

// Index of the first of `count` items that `is_before` is false of; `count`: there is none. The
// items are of `size` bytes, and those that are before `key` come first. A binary search (lower
// bound).
static inline size_t hoist_order_first(const void *items, size_t count, size_t size,
                                       bool (*is_before)(const void *item, const void *key),
                                       const void *key)
{
    size_t low = 0;
    while (low < count) {
        const size_t middle = low + (count - low) / 2;
        if (is_before((const char *)items + middle * size, key)) {
            low = middle + 1;
        } else {
            count = middle;
        }
    }
    return low;
}

#endif // HOIST_SRC_BASE_ORDER_H
