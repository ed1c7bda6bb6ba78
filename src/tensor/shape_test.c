#include "tensor/shape.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    size_t rank;
    int64_t dims[9];
    hoist_status status;
    int64_t count;
} cases[] = {
    {"scalar",            0, {0},                          HOIST_OK,      1 },
    {"one dimension",     1, {5},                          HOIST_OK,      5 },
    {"eight dimensions",  8, {2, 1, 3, 1, 1, 1, 1, 2},     HOIST_OK,      12},
    {"empty",             3, {4, 0, 7},                    HOIST_OK,      0 },
    {"nine dimensions",   9, {1, 1, 1, 1, 1, 1, 1, 1, 1},  HOIST_LIMIT,   1 },
    {"negative",          2, {3, -1},                      HOIST_INVALID, 1 },
    {"too many elements", 2, {INT64_MAX, 2},               HOIST_LIMIT,   1 },
    {"too many and none", 3, {INT64_MAX, 0, 2},            HOIST_LIMIT,   1 },
    {"just fits",         2, {INT64_MAX, 1},               HOIST_OK,      INT64_MAX},
};
// clang-format on

HOIST_TEST_TABLE(shape_init, cases)
{
    hoist_shape shape = {.rank = 2, .dim = {3, 5}}; // none of it stays when it fails
    HOIST_EXPECT_EQ(t, hoist_shape_init(row->dims, row->rank, &shape), row->status);
    HOIST_EXPECT_EQ(t, hoist_shape_count(&shape), row->count);
    HOIST_EXPECT_EQ(t, shape.rank, row->status == HOIST_OK ? (int)row->rank : 0);
}

HOIST_TEST(shape_equal)
{
    hoist_shape a;
    hoist_shape b;
    HOIST_EXPECT_EQ(t, hoist_shape_init((int64_t[]){2, 3}, 2, &a), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_shape_init((int64_t[]){2, 3}, 2, &b), HOIST_OK);
    HOIST_EXPECT(t, hoist_shape_equal(&a, &b));
    HOIST_EXPECT_EQ(t, hoist_shape_init((int64_t[]){3, 2}, 2, &b), HOIST_OK);
    HOIST_EXPECT(t, !hoist_shape_equal(&a, &b));
    HOIST_EXPECT_EQ(t, hoist_shape_init((int64_t[]){2, 3, 1}, 3, &b), HOIST_OK);
    HOIST_EXPECT(t, !hoist_shape_equal(&a, &b));
}

HOIST_TEST(shape_next_counts_in_c_order)
{
    hoist_shape shape;
    int64_t index[HOIST_MAX_RANK] = {0};
    HOIST_EXPECT_EQ(t, hoist_shape_init((int64_t[]){2, 3, 4}, 3, &shape), HOIST_OK);
    for (int64_t i = 0; i < 24; i++) {
        HOIST_EXPECT_EQ(t, (index[0] * 3 + index[1]) * 4 + index[2], i);
        HOIST_EXPECT_EQ(t, hoist_shape_next(&shape, index), i < 23);
    }
    HOIST_EXPECT_EQ(t, index[0] + index[1] + index[2], 0);
    HOIST_EXPECT_EQ(t, hoist_shape_init(NULL, 0, &shape), HOIST_OK);
    HOIST_EXPECT(t, !hoist_shape_next(&shape, index));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(shape_init), HOIST_TEST_ROW(shape_equal),
                HOIST_TEST_ROW(shape_next_counts_in_c_order))
