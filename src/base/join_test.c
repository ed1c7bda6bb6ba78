#include "base/join.h"
#include "testing/test.h"

enum { THINGS = 8 };

// Pairs that are joined in turn, and the roots of all things after that. A pair of one thing ends
// the list.
static const struct {
    const char *name;
    size_t pairs[THINGS][2];
    size_t roots[THINGS];
} rows[] = {
    {"alone", {{0, 0}}, {0, 1, 2, 3, 4, 5, 6, 7}},
    {"one pair", {{2, 5}}, {0, 1, 2, 3, 4, 2, 6, 7}},
    {"the lower is the root", {{5, 2}}, {0, 1, 2, 3, 4, 2, 6, 7}},
    {"twice", {{2, 5}, {5, 2}}, {0, 1, 2, 3, 4, 2, 6, 7}},
    {"two pairs", {{0, 1}, {6, 7}}, {0, 0, 2, 3, 4, 5, 6, 6}},
    {"two sets", {{2, 3}, {5, 6}, {6, 3}}, {0, 1, 2, 2, 4, 2, 2, 7}},
    {"a lower one comes last", {{6, 7}, {7, 5}, {5, 0}}, {0, 1, 2, 3, 4, 0, 0, 0}},
    {"chain upwards",
     {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}},
     {0, 0, 0, 0, 0, 0, 0, 0}},
    {"chain downwards",
     {{7, 6}, {6, 5}, {5, 4}, {4, 3}, {3, 2}, {2, 1}, {1, 0}},
     {0, 0, 0, 0, 0, 0, 0, 0}},
};

HOIST_TEST_TABLE(joins, rows)
{
    size_t parents[THINGS];
    hoist_join_init(parents, THINGS);
    for (size_t i = 0; row->pairs[i][0] != row->pairs[i][1]; i++) {
        const size_t root = hoist_join(parents, row->pairs[i][0], row->pairs[i][1]);
        HOIST_EXPECT_EQ(t, root, hoist_join_root(parents, row->pairs[i][0]));
        HOIST_EXPECT_EQ(t, root, hoist_join_root(parents, row->pairs[i][1]));
    }
    for (size_t i = 0; i < THINGS; i++) {
        HOIST_EXPECT_EQ(t, hoist_join_root(parents, i), row->roots[i]);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(joins))
