#include "plan/fit.h"
#include "testing/test.h"

enum { TIMES = 40, PLACED = 120 };

// What the lowest free place is by definition: everything placed is looked at again and again.
typedef struct placed {
    hoist_fit_life life;
    hoist_fit_span span;
} placed;

static uint64_t lowest(const placed *all, size_t count, hoist_fit_life life, uint64_t size)
{
    uint64_t at = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < count; i++) {
            const bool meet = all[i].life.last >= life.first && all[i].life.first <= life.last;
            if (meet && at < all[i].span.end && at + size > all[i].span.begin) {
                at = all[i].span.end;
                moved = true;
            }
        }
    }
    return at;
}

static hoist_fit_life life_of(uint64_t *state)
{
    const uint32_t a = (uint32_t)(hoist_test_random(state) % TIMES);
    const uint32_t b = (uint32_t)(hoist_test_random(state) % TIMES);
    return (hoist_fit_life){a < b ? a : b, a < b ? b : a};
}

HOIST_TEST(places_are_those_of_the_definition)
{
    uint64_t seed = 1;
    uint64_t *const state = &seed;
    for (int round = 0; round < HOIST_TEST_ROUNDS(300); round++) {
        placed all[PLACED];
        hoist_fit fit;
        HOIST_EXPECT_EQ(t, hoist_fit_init(&fit, hoist_allocator_system(), TIMES), HOIST_OK);
        const bool scattered = round % 2 == 0; // some are placed anywhere, on others too
        for (size_t i = 0; i < PLACED; i++) {
            const hoist_fit_life life = life_of(state);
            const uint64_t size = 1 + hoist_test_random(state) % 9;
            const uint64_t at = hoist_fit_find(&fit, life, size);
            HOIST_EXPECT_EQ(t, at, lowest(all, i, life, size));
            const uint64_t to = scattered && i % 4 == 0 ? hoist_test_random(state) % 60 : at;
            all[i] = (placed){life, {to, to + size}};
            HOIST_EXPECT_EQ(t, hoist_fit_take(&fit, life, all[i].span), HOIST_OK);
        }
        hoist_fit_deinit(&fit);
    }
}

HOIST_TEST(nothing_fits_anywhere)
{
    hoist_fit fit;
    HOIST_EXPECT_EQ(t, hoist_fit_init(&fit, hoist_allocator_system(), 1), HOIST_OK);
    const hoist_fit_life life = {0, 0};
    HOIST_EXPECT_EQ(t, hoist_fit_take(&fit, life, (hoist_fit_span){0, 3}), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_fit_find(&fit, life, 0), 0);
    HOIST_EXPECT_EQ(t, hoist_fit_find(&fit, life, 1), 3);
    hoist_fit_deinit(&fit);
}

// Places of lives all over the tree.
static hoist_status take_with(hoist_allocator alloc, const void *self)
{
    uint64_t seed = *(const uint64_t *)self;
    hoist_fit fit;
    hoist_status status = hoist_fit_init(&fit, alloc, TIMES);
    for (size_t i = 0; i < TIMES && status == HOIST_OK; i++) {
        const hoist_fit_life life = life_of(&seed);
        const uint64_t at = 2 * (hoist_test_random(&seed) % TIMES);
        status = hoist_fit_take(&fit, life, (hoist_fit_span){at, at + 1});
    }
    hoist_fit_deinit(&fit);
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        hoist_test_starve(t, take_with, &seed);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(places_are_those_of_the_definition),
                HOIST_TEST_ROW(nothing_fits_anywhere),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
