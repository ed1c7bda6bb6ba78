// Parameters that a tile keeps in one run, and sends piece by piece.
#include "formats/darwinn/recover_testing.h"

enum { UNIT = 64, BEGIN = 4 * UNIT };

// Addresses that are sent behind an operation of 16 rows, in units of the run, which begins at 4;
// it has 10 units, and another run follows.
// clang-format off
static const struct {
    const char *name;
    uint32_t sent[3];
    uint32_t count;
    uint64_t first, last; // both 0: nothing is known to be sent
} cases[] = {
    {"the beginning",         {4},         1, 4, 4},
    {"pieces",                {4, 7, 10},  3, 4, 10},
    {"the last unit",         {4, 13},     2, 4, 13},
    {"behind the run",        {4, 40},     2, 4, 4},
    {"no beginning",          {7},         1, 0, 0},
    {"a beginning too late",  {7, 4},      2, 4, 4},
    {"below all",             {1},         1, 0, 0},
};
// clang-format on

HOIST_TEST_TABLE(pieces, cases)
{
    static const uint8_t bytes[64 * UNIT];
    dwn_maker caching = {.next_id = 0};
    dwn_maker main = {.next_id = 0};
    dwn_model model = {0};
    dwn_make_begin(&caching);
    dwn_make_run(&caching, BEGIN);
    dwn_make_run(&caching, BEGIN + 10 * UNIT);
    dwn_make_begin(&main);
    dwn_make_operation(&main, &(dwn_sketch){.full_rows = 16, .last_rows = 16});
    for (uint32_t i = 0; i < row->count; i++) {
        dwn_make_supply(&main, false, row->sent[i] * UNIT);
    }
    dwn_test_model(t, &model, dwn_make_end(&main, false), (hoist_bytes){bytes, sizeof(bytes)});
    dwn_test_runs(t, &model, dwn_make_end(&caching, false));
    dwn_operations all;
    HOIST_EXPECT_EQ(t, dwn_operations_of(&model.chunk, 1, &t->arena, &all), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_supply_operations(&model.images[0], &model.images[1], &t->arena, &all),
                    HOIST_OK);
    const dwn_supply *const found = &all.items[0].supply;
    HOIST_EXPECT_EQ(t, found->source, row->first ? DWN_SUPPLY_CACHED : DWN_SUPPLY_NONE);
    HOIST_EXPECT_EQ(t, found->first, row->first * UNIT);
    HOIST_EXPECT_EQ(t, found->last, row->last * UNIT);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pieces))
