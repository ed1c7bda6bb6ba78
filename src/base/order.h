// base/order.h - three-way comparisons for sorting: below 0, 0 or above 0, as qsort expects them.
#ifndef HOIST_SRC_BASE_ORDER_H
#define HOIST_SRC_BASE_ORDER_H

#include <stdint.h>

static inline int hoist_order_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static inline int hoist_order_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

#endif // HOIST_SRC_BASE_ORDER_H
