// Searches in sorted arrays (order.h).
#include "base/order.h"
#include "testing/test.h"

static const uint32_t numbers[] = {2, 4, 4, 4, 9, UINT32_MAX};

static bool is_below(const void *item, const void *key)
{
    return *(const uint32_t *)item < *(const uint32_t *)key;
}

static const struct {
    const char *name;
    size_t count; // of the numbers
    uint32_t key;
    size_t first;
} cases[] = {
    {"no items", 0, 4, 0},     {"before the only one", 1, 1, 0},
    {"the only one", 1, 2, 0}, {"after the only one", 1, 3, 1},
    {"before all", 6, 0, 0},   {"the first of equal ones", 6, 4, 1},
    {"between two", 6, 5, 4},  {"the last", 6, UINT32_MAX, 5},
    {"after all", 5, 10, 5},
};

HOIST_TEST_TABLE(first, cases)
{
    HOIST_EXPECT_EQ(t,
                    hoist_order_first(numbers, row->count, sizeof numbers[0], is_below, &row->key),
                    row->first);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(first))
