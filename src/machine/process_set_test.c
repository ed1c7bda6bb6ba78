#include "machine/process_set.h"
#include "testing/test.h"

enum { MOST = 70 };

// The same asked of a plain array.
static void expect_set(hoist_test *t, const hoist_process_set *set, const bool *plain, size_t count)
{
    size_t below = 0;
    for (size_t i = 0; i < count; i++) {
        HOIST_EXPECT_EQ(t, hoist_process_set_has(set, i), plain[i]);
        HOIST_EXPECT_EQ(t, hoist_process_set_rank(set, i), below);
        if (plain[i]) {
            HOIST_EXPECT_EQ(t, hoist_process_set_at(set, below), i);
            below++;
        }
    }
    HOIST_EXPECT_EQ(t, hoist_process_set_rank(set, count), below);
    HOIST_EXPECT_EQ(t, hoist_process_set_rank(set, 1000), below);
    HOIST_EXPECT_EQ(t, hoist_process_set_count(set), below);
}

HOIST_TEST(sets_are_arrays)
{
    uint64_t seed = 1;
    for (size_t capacity = 0; capacity <= MOST; capacity++) {
        bool plain[MOST] = {false};
        hoist_process_set set;
        HOIST_EXPECT_EQ(t, hoist_process_set_init(&set, hoist_allocator_system(), capacity),
                        HOIST_OK);
        expect_set(t, &set, plain, capacity);
        const size_t filled = capacity / 2;
        hoist_process_set_fill(&set, filled);
        for (size_t i = 0; i < capacity; i++) {
            plain[i] = i < filled;
        }
        expect_set(t, &set, plain, capacity);
        for (size_t i = 0; i < 2 * capacity; i++) {
            const size_t process = hoist_test_random(&seed) % capacity;
            const bool adds = hoist_test_random(&seed) % 2;
            (adds ? hoist_process_set_add : hoist_process_set_remove)(&set, process);
            plain[process] = adds;
            expect_set(t, &set, plain, capacity);
        }
        hoist_process_set_deinit(&set, hoist_allocator_system());
    }
}

HOIST_TEST(too_many_processes_are_a_limit)
{
    hoist_process_set set;
    const size_t many = ((size_t)1 << 31) + 1;
    HOIST_EXPECT_EQ(t, hoist_process_set_init(&set, hoist_allocator_system(), many), HOIST_LIMIT);
    hoist_process_set_deinit(&set, hoist_allocator_system());
}

HOIST_TEST(no_memory_is_a_status)
{
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_process_set set;
    HOIST_EXPECT_EQ(t, hoist_process_set_init(&set, hoist_failing_allocator(&failing, 1), MOST),
                    HOIST_NO_MEMORY);
    hoist_process_set_deinit(&set, hoist_allocator_system());
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(sets_are_arrays), HOIST_TEST_ROW(too_many_processes_are_a_limit),
                HOIST_TEST_ROW(no_memory_is_a_status))
