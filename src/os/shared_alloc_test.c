#include "base/alloc.h"
#include "os/shared_alloc.h"
#include "testing/test.h"

enum { THREADS = 4, ROUNDS = 2000, BLOCK = 48 };

static void *use(void *self)
{
    const hoist_allocator *alloc = self;
    for (int i = 0; i < ROUNDS; i++) {
        hoist_free(*alloc, hoist_alloc(*alloc, BLOCK), BLOCK);
    }
    return NULL;
}

// The budget's counters are plain numbers: only the lock keeps them right.
HOIST_TEST(threads_share_an_allocator_that_is_not_theirs)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = SIZE_MAX};
    hoist_shared_alloc shared;
    HOIST_EXPECT(t, hoist_shared_alloc_init(&shared, hoist_budget_allocator(&budget)));
    hoist_allocator alloc = hoist_shared_allocator(&shared);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        HOIST_EXPECT(t, pthread_create(&threads[i], NULL, use, &alloc) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        HOIST_EXPECT_EQ(t, pthread_join(threads[i], NULL), 0);
    }
    HOIST_EXPECT_EQ(t, budget.used, 0);
    HOIST_EXPECT(t, budget.peak >= BLOCK && budget.peak <= (size_t)THREADS * BLOCK);
    hoist_shared_alloc_deinit(&shared);
}

HOIST_TEST(what_the_parent_refuses_is_refused)
{
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = BLOCK};
    hoist_shared_alloc shared;
    HOIST_EXPECT(t, hoist_shared_alloc_init(&shared, hoist_budget_allocator(&budget)));
    const hoist_allocator alloc = hoist_shared_allocator(&shared);
    HOIST_EXPECT(t, hoist_alloc(alloc, BLOCK + 1) == NULL);
    void *memory = hoist_alloc(alloc, BLOCK);
    HOIST_EXPECT(t, memory != NULL);
    hoist_free(alloc, memory, BLOCK);
    hoist_shared_alloc_deinit(&shared);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(threads_share_an_allocator_that_is_not_theirs),
                HOIST_TEST_ROW(what_the_parent_refuses_is_refused))
