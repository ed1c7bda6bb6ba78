#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/poison.h"
#include "testing/test.h"

HOIST_TEST(nothing_is_asked_for_nothing)
{
    hoist_failing failing;
    const hoist_allocator alloc = hoist_failing_allocator(&failing, 0);
    HOIST_EXPECT(t, hoist_alloc(alloc, 0) == NULL);
    HOIST_EXPECT(t, hoist_alloc_zero(alloc, 0, 8) == NULL);
    HOIST_EXPECT(t, hoist_alloc_zero(alloc, 8, 0) == NULL);
    hoist_free(alloc, NULL, 5);
    HOIST_EXPECT_EQ(t, failing.requests, 0);
}

HOIST_TEST(zeroed_memory_is_zero)
{
    const hoist_allocator alloc = hoist_allocator_system();
    // The first block leaves its bytes to the second one.
    void *dirty = hoist_alloc(alloc, 96);
    HOIST_EXPECT(t, dirty != NULL);
    memset(dirty, 0xa5, 96);
    hoist_free(alloc, dirty, 96);
    uint8_t *clean = hoist_alloc_zero(alloc, 12, 8);
    for (size_t i = 0; clean && i < 96; i++) {
        HOIST_EXPECT_EQ(t, clean[i], 0);
    }
    hoist_free(alloc, clean, 96);
}

// Memory of a large page is mapped and all other is not: every change between the two keeps bytes.
HOIST_TEST(memory_of_a_large_page_grows_and_shrinks)
{
    const size_t page = 2u << 20;
    const size_t sizes[] = {page, page + 1, page, 100, page, 2 * page, page, page};
    const hoist_allocator alloc = hoist_allocator_system();
    uint8_t *memory = hoist_alloc_zero(alloc, 1, page);
    HOIST_EXPECT(t, memory && (HOIST_POISONS || (uintptr_t)memory % page == 0));
    size_t before = page;
    memory[99] = 1;
    for (size_t i = 0; memory && i < HOIST_COUNT_OF(sizes); i++) {
        memory = hoist_resize(alloc, memory, before, sizes[i]);
        before = sizes[i];
        HOIST_EXPECT(t, memory && memory[0] == 0 && memory[99] == 1);
        memory[before - 1] = 7;
        memory[99] = 1;
    }
    hoist_free(alloc, memory, before);
}

HOIST_TEST(products_that_overflow_are_refused)
{
    hoist_failing failing;
    const hoist_allocator alloc = hoist_failing_allocator(&failing, 0);
    HOIST_EXPECT(t, hoist_alloc_zero(alloc, SIZE_MAX / 2 + 1, 2) == NULL);
    HOIST_EXPECT(t, hoist_alloc_zero(alloc, 2, SIZE_MAX / 2 + 1) == NULL);
    HOIST_EXPECT_EQ(t, failing.requests, 0);
}

HOIST_TEST(a_budget_counts_and_refuses)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = 100};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    void *a = hoist_alloc(alloc, 60);
    void *b = hoist_alloc(alloc, 40);
    HOIST_EXPECT(t, a && b && !budget.exceeded);
    HOIST_EXPECT_EQ(t, budget.used, 100);
    HOIST_EXPECT(t, hoist_alloc(alloc, 1) == NULL);
    HOIST_EXPECT(t, budget.exceeded);
    HOIST_EXPECT_EQ(t, budget.used, 100);
    hoist_free(alloc, a, 60);
    HOIST_EXPECT_EQ(t, budget.used, 40);
    // A block that grows needs space only for the difference.
    void *grown = hoist_resize(alloc, b, 40, 90);
    HOIST_EXPECT(t, grown != NULL);
    HOIST_EXPECT_EQ(t, budget.used, 90);
    HOIST_EXPECT(t, hoist_resize(alloc, grown, 90, SIZE_MAX) == NULL);
    HOIST_EXPECT_EQ(t, budget.used, 90);
    hoist_free(alloc, grown, 90);
    HOIST_EXPECT_EQ(t, budget.used, 0);
    HOIST_EXPECT_EQ(t, budget.peak, 100);
}

HOIST_TEST(a_budget_does_not_count_what_its_parent_refused)
{
    hoist_failing failing;
    hoist_budget budget = {.parent = hoist_failing_allocator(&failing, 2), .limit = 100};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    void *a = hoist_alloc(alloc, 10);
    HOIST_EXPECT(t, hoist_alloc(alloc, 20) == NULL);
    HOIST_EXPECT_EQ(t, budget.used, 10);
    HOIST_EXPECT(t, !budget.exceeded);
    hoist_free(alloc, a, 10);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

static const struct {
    const char *name;
    size_t capacity; // before
    size_t need;
    size_t item_size;
    size_t wanted; // capacity after; 0: refused
} growths[] = {
    {"nothing needed, nothing held", 0, 0, 4, 0},
    {"the first items get eight", 0, 1, 4, 8},
    {"eight of eight", 0, 8, 4, 8},
    {"one more doubles", 8, 9, 4, 16},
    {"far more doubles often", 8, 1000, 4, 1024},
    {"enough already", 16, 16, 4, 16},
    {"doubling overflows", 0, SIZE_MAX, 1, 0},
    {"bytes overflow", 0, SIZE_MAX / 4, 16, 0},
};

HOIST_TEST_TABLE(arrays_double, growths)
{
    const hoist_allocator alloc = hoist_allocator_system();
    void *items = hoist_alloc(alloc, row->capacity * row->item_size);
    void *const before = items;
    size_t capacity = row->capacity;
    const bool grown = hoist_grow(alloc, &items, &capacity, row->need, row->item_size);
    HOIST_EXPECT_EQ(t, grown, row->wanted != 0 || row->need == 0);
    HOIST_EXPECT_EQ(t, capacity, row->wanted ? row->wanted : row->capacity);
    HOIST_EXPECT(t, grown || items == before);
    hoist_free(alloc, items, capacity * row->item_size);
}

HOIST_TEST(a_failed_growth_leaves_the_array)
{
    hoist_failing failing;
    const hoist_allocator alloc = hoist_failing_allocator(&failing, 2);
    void *items = NULL;
    size_t capacity = 0;
    HOIST_EXPECT(t, hoist_grow(alloc, &items, &capacity, 4, 1));
    memcpy(items, "kept", 4);
    HOIST_EXPECT(t, !hoist_grow(alloc, &items, &capacity, 9, 1));
    HOIST_EXPECT_EQ(t, capacity, 8);
    HOIST_EXPECT_EQ(t, memcmp(items, "kept", 4), 0);
    hoist_free(alloc, items, capacity);
    HOIST_EXPECT_EQ(t, failing.live, 0);
}

static const struct {
    const char *name;
    size_t needs[3]; // one growth after the other
    size_t item_size;
} reaches[] = {
    {"items one by one", {1, 2, 3}, 4},     {"bytes one by one", {1, 2, 3}, 1},
    {"items of three bytes", {1, 5, 6}, 3}, {"in leaps", {2, 40, 63}, 1},
    {"up to the capacity", {3, 8, 9}, 8},   {"fewer than before", {7, 2, 7}, 1},
    {"within a granule", {17, 19, 23}, 1},
};

HOIST_TEST_TABLE(items_that_nobody_asked_for_may_not_be_touched, reaches)
{
    if (!HOIST_POISONS) {
        hoist_test_skip(t, "built without AddressSanitizer");
    }
    const hoist_allocator alloc = hoist_allocator_system();
    void *items = NULL;
    size_t capacity = 0;
    size_t reached = 0;
    for (size_t i = 0; i < HOIST_COUNT_OF(row->needs); i++) {
        HOIST_EXPECT(t, hoist_grow(alloc, &items, &capacity, row->needs[i], row->item_size));
        reached = row->needs[i] > reached ? row->needs[i] : reached;
        for (size_t at = 0; at < capacity * row->item_size; at++) {
            HOIST_EXPECT_EQ(t, hoist_is_poisoned((const char *)items + at),
                            at >= reached * row->item_size);
        }
    }
    hoist_free(alloc, items, capacity * row->item_size);
}

// An allocator of the caller may copy what it moves, and use again what it gets back.
static void *copying_resize(void *self, void *old, size_t old_size, size_t new_size)
{
    void *const memory = new_size ? malloc(new_size) : NULL;
    (void)self;
    if (memory && old) {
        memcpy(memory, old, old_size < new_size ? old_size : new_size);
    }
    if (old && (memory || new_size == 0)) {
        memset(old, 0xdd, old_size);
        free(old);
    }
    return memory;
}

HOIST_TEST(allocators_may_touch_all_of_a_block)
{
    const hoist_allocator alloc = {NULL, copying_resize};
    void *items = NULL;
    size_t capacity = 0;
    HOIST_EXPECT(t, hoist_grow(alloc, &items, &capacity, 3, 1));
    HOIST_EXPECT(t, hoist_grow(alloc, &items, &capacity, 9, 1));
    HOIST_EXPECT_EQ(t, capacity, 16);
    hoist_free(alloc, items, capacity);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(nothing_is_asked_for_nothing), HOIST_TEST_ROW(zeroed_memory_is_zero),
                HOIST_TEST_ROW(memory_of_a_large_page_grows_and_shrinks),
                HOIST_TEST_ROW(products_that_overflow_are_refused),
                HOIST_TEST_ROW(a_budget_counts_and_refuses),
                HOIST_TEST_ROW(a_budget_does_not_count_what_its_parent_refused),
                HOIST_TEST_ROW(arrays_double), HOIST_TEST_ROW(a_failed_growth_leaves_the_array),
                HOIST_TEST_ROW(items_that_nobody_asked_for_may_not_be_touched),
                HOIST_TEST_ROW(allocators_may_touch_all_of_a_block))
