// How --expect checks.
#include <math.h>

#include "run.h"
#include "testing/test.h"

enum { MOST = 20 };

static const struct {
    const char *name;
    hoist_dtype declared;
    run_limits limits;
    float found[4], expected[4];
    bool passed;
    uint64_t differing;
    double max_abs;
} rows[] = {
    {"the same", HOIST_DTYPE_F32, {-1, -1, -1, false}, {1, 2, 3, 4}, {1, 2, 3, 4}, true, 0, 0},
    {"float32 within", HOIST_DTYPE_F32, {-1, -1, -1, false}, {1.000005f}, {1}, true, 0, 5e-6},
    {"float32 beyond", HOIST_DTYPE_F32, {-1, -1, -1, false}, {1.00003f}, {1}, false, 1, 3e-5},
    {"bfloat16 within", HOIST_DTYPE_BF16, {-1, -1, -1, false}, {1.015625f}, {1}, true, 0, 0.015625},
    {"bfloat16 beyond", HOIST_DTYPE_BF16, {-1, -1, -1, false}, {1.03125f}, {1}, false, 1, 0.03125},
    {"half within",
     HOIST_DTYPE_TT_F16,
     {-1, -1, -1, false},
     {1.0009765625f},
     {1},
     true,
     0,
     0x1p-10},
    {"half beyond", HOIST_DTYPE_TT_F16, {-1, -1, -1, false}, {1.00390625f}, {1}, false, 1, 0x1p-8},
    {"a step of the block",
     HOIST_DTYPE_TT_BFP8B,
     {-1, -1, -1, false},
     {100, 0.5f},
     {100, 1.5f},
     true,
     0,
     1},
    {"two steps of the block",
     HOIST_DTYPE_TT_BFP8B,
     {-1, -1, -1, false},
     {100, 0.5f},
     {100, 2.5f},
     false,
     1,
     2},
    {"one of an 8-bit integer", HOIST_DTYPE_I8, {-1, -1, -1, false}, {5}, {6}, true, 0, 1},
    {"two of an 8-bit integer", HOIST_DTYPE_I8, {-1, -1, -1, false}, {5}, {7}, false, 1, 2},
    {"integers are exact", HOIST_DTYPE_TT_I32, {-1, -1, -1, false}, {5}, {6}, false, 1, 1},
    {"atol says", HOIST_DTYPE_F32, {2, -1, -1, false}, {5}, {7}, true, 0, 2},
    {"rtol says", HOIST_DTYPE_F32, {-1, 0.5, -1, false}, {5}, {8}, true, 0, 3},
    {"rtol is of what was expected", HOIST_DTYPE_F32, {-1, 0.5, -1, false}, {8}, {5}, false, 1, 3},
    {"NaN is NaN", HOIST_DTYPE_F32, {-1, -1, -1, false}, {NAN}, {-NAN}, true, 0, 0},
    {"NaN is no number", HOIST_DTYPE_F32, {-1, -1, -1, false}, {NAN}, {1}, false, 1, 0},
    {"infinities", HOIST_DTYPE_F32, {-1, -1, -1, false}, {INFINITY}, {INFINITY}, true, 0, 0},
    {"infinities of two signs",
     HOIST_DTYPE_F32,
     {1e30, -1, -1, false},
     {INFINITY},
     {-INFINITY},
     false,
     1,
     0},
    {"zeros are equal", HOIST_DTYPE_F32, {-1, -1, -1, false}, {-0.0f}, {0}, true, 0, 0},
    {"but not the same bits", HOIST_DTYPE_F32, {-1, -1, -1, true}, {-0.0f}, {0}, false, 1, 0},
    {"exact", HOIST_DTYPE_F32, {-1, -1, -1, true}, {1, NAN}, {1, NAN}, true, 0, 0},
    {"not exact", HOIST_DTYPE_F32, {-1, -1, -1, true}, {0x1.000002p0f}, {1}, false, 1, 0x1p-23},
    {"correlated", HOIST_DTYPE_F32, {-1, -1, 0.99, false}, {2, 4, 6, 8}, {1, 2, 3, 4}, true, 4, 4},
    {"not correlated",
     HOIST_DTYPE_F32,
     {-1, -1, 0.99, false},
     {4, 3, 2, 1},
     {1, 2, 3, 4},
     false,
     4,
     3},
    {"correlated and within",
     HOIST_DTYPE_F32,
     {1, -1, 0.99, false},
     {2, 4, 6, 8},
     {1, 2, 3, 4},
     false,
     3,
     4},
    {"constants have no correlation",
     HOIST_DTYPE_F32,
     {-1, -1, 0.99, false},
     {1, 1, 1, 1},
     {1, 1, 1, 2},
     false,
     1,
     1},
};

HOIST_TEST_TABLE(comparisons, rows)
{
    const run_pair pair = {.found = row->found,
                           .expected = row->expected,
                           .count = 4,
                           .columns = 4,
                           .declared = row->declared};
    run_comparison result;
    run_compare_floats(&pair, &row->limits, &result);
    HOIST_EXPECT_EQ(t, result.passed, row->passed);
    HOIST_EXPECT_EQ(t, result.differing, row->differing);
    HOIST_EXPECT(t, fabs(result.max_abs - row->max_abs) <= 1e-6 * row->max_abs + 1e-7);
}

HOIST_TEST(the_largest_difference_has_a_place)
{
    float found[MOST] = {0};
    float expected[MOST] = {0};
    found[17] = 3;
    found[18] = 2;
    const run_pair pair = {found, expected, MOST, 10, HOIST_DTYPE_F32, false, 1};
    const run_limits limits = {-1, -1, -1, false};
    run_comparison result;
    run_compare_floats(&pair, &limits, &result);
    HOIST_EXPECT_EQ(t, result.max_at, 17);
    HOIST_EXPECT_EQ(t, result.differing, 2);
    HOIST_EXPECT_EQ(t, result.elements, MOST);
    HOIST_EXPECT(t, !result.pcc_known);
}

// Blocks are 16 elements of a row, and a row's last one may be shorter.
HOIST_TEST(blocks_end_with_the_row)
{
    float found[MOST] = {0};
    float expected[MOST] = {0};
    expected[0] = 100; // a step of 1 in elements 0 to 9, of 0 behind
    found[0] = 100;
    found[9] = 1;
    found[10] = 1;
    const run_pair pair = {found, expected, MOST, 10, HOIST_DTYPE_TT_BFP8B, false, 1};
    const run_limits limits = {-1, -1, -1, false};
    run_comparison result;
    run_compare_floats(&pair, &limits, &result);
    HOIST_EXPECT_EQ(t, result.differing, 1);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(comparisons), HOIST_TEST_ROW(the_largest_difference_has_a_place),
                HOIST_TEST_ROW(blocks_end_with_the_row))
