// Shapes in tiles and what TMs make of them.
#include "formats/buda/shape.h"
#include "testing/test.h"

static buda_tm one(buda_tm_kind kind, int64_t factor)
{
    return (buda_tm){.kind = kind, .factor = {factor, {1, 1}}};
}

// clang-format off
static const struct {
    const char *name;
    buda_tm_kind kind;
    int64_t factor;
    buda_shape from;
    buda_tm_result result;
    buda_shape to;
} stacks[] = {
    {"hslice", BUDA_TM_HSLICE, 3, {2, 5, 6}, BUDA_TM_OK, {6, 5, 2}},
    {"hstack", BUDA_TM_HSTACK, 3, {6, 5, 2}, BUDA_TM_OK, {2, 5, 6}},
    {"vslice", BUDA_TM_VSLICE, 5, {2, 5, 6}, BUDA_TM_OK, {10, 1, 6}},
    {"vstack", BUDA_TM_VSTACK, 2, {2, 5, 6}, BUDA_TM_OK, {1, 10, 6}},
    {"transpose", BUDA_TM_TRANSPOSE, 0, {2, 5, 6}, BUDA_TM_OK, {2, 6, 5}},
    {"tile_broadcast", BUDA_TM_TILE_BROADCAST, 0, {2, 5, 6}, BUDA_TM_OK, {2, 5, 6}},
    {"unknown TM", BUDA_TM_NONE, 7, {2, 5, 6}, BUDA_TM_OK, {2, 5, 6}},
    {"hslice of 6 by 4", BUDA_TM_HSLICE, 4, {2, 5, 6}, BUDA_TM_NOT_DIVISIBLE, {2, 5, 6}},
    {"hstack of 2 by 3", BUDA_TM_HSTACK, 3, {2, 5, 6}, BUDA_TM_NOT_DIVISIBLE, {2, 5, 6}},
    {"vslice of 5 by 2", BUDA_TM_VSLICE, 2, {2, 5, 6}, BUDA_TM_NOT_DIVISIBLE, {2, 5, 6}},
    {"vstack of 2 by 4", BUDA_TM_VSTACK, 4, {2, 5, 6}, BUDA_TM_NOT_DIVISIBLE, {2, 5, 6}},
    {"hslice by 0", BUDA_TM_HSLICE, 0, {2, 5, 6}, BUDA_TM_BAD_FACTOR, {2, 5, 6}},
    {"vstack by -1", BUDA_TM_VSTACK, -1, {2, 5, 6}, BUDA_TM_BAD_FACTOR, {2, 5, 6}},
    {"hstack too big", BUDA_TM_HSTACK, 2, {2, 5, INT64_MAX}, BUDA_TM_TOO_BIG, {2, 5, INT64_MAX}},
};
// clang-format on

static void expect_shape(hoist_test *t, const buda_shape *got, const buda_shape *expected)
{
    HOIST_EXPECT_EQ(t, got->z, expected->z);
    HOIST_EXPECT_EQ(t, got->r, expected->r);
    HOIST_EXPECT_EQ(t, got->c, expected->c);
}

HOIST_TEST_TABLE(slices_and_stacks, stacks)
{
    const buda_tm tm = one(row->kind, row->factor);
    buda_shape shape = row->from;
    HOIST_EXPECT_EQ(t, buda_shape_apply(&shape, &tm), row->result);
    expect_shape(t, &shape, &row->to);
}

// clang-format off
static const struct {
    const char *name;
    buda_tm_axis axes[2];
    size_t count;
    buda_tm_result result;
    buda_shape to; // from 2 x 3 x 4
} broadcasts[] = {
    {"r", {{'r', {5, {1, 1}}}}, 1, BUDA_TM_OK, {2, 15, 4}},
    {"c", {{'c', {5, {1, 1}}}}, 1, BUDA_TM_OK, {2, 3, 20}},
    {"z", {{'z', {5, {1, 1}}}}, 1, BUDA_TM_OK, {10, 3, 4}},
    {"two axes", {{'r', {2, {1, 1}}}, {'c', {2, {1, 1}}}}, 2, BUDA_TM_OK, {2, 6, 8}},
    {"unknown axis", {{'q', {5, {1, 1}}}}, 1, BUDA_TM_OK, {2, 3, 4}},
    {"by 0", {{'r', {0, {1, 1}}}}, 1, BUDA_TM_BAD_FACTOR, {2, 3, 4}},
    {"second axis by 0", {{'r', {2, {1, 1}}}, {'c', {0, {1, 1}}}}, 2, BUDA_TM_BAD_FACTOR, {2, 3, 4}},
    {"has broadcast of input 0 that makes a shape over 64 bits", {{'r', {INT64_MAX, {1, 1}}}}, 1, BUDA_TM_TOO_BIG, {2, 3, 4}},
};
// clang-format on

HOIST_TEST_TABLE(broadcasts_repeat, broadcasts)
{
    const buda_tm tm = {.kind = BUDA_TM_BROADCAST, .axes = row->axes, .axis_count = row->count};
    buda_shape shape = {2, 3, 4};
    HOIST_EXPECT_EQ(t, buda_shape_apply(&shape, &tm), row->result);
    expect_shape(t, &shape, &row->to);
}

// clang-format off
static const struct {
    const char *name;
    int64_t rows;
    int64_t columns;
    buda_tm_result result;
    buda_shape to; // from 2 x 3 x 4
} pads[] = {
    {"rows and columns", 1, 2, BUDA_TM_OK, {2, 4, 6}},
    {"nothing", 0, 0, BUDA_TM_OK, {2, 3, 4}},
    {"below 0", 0, -1, BUDA_TM_BAD_FACTOR, {2, 3, 4}},
    {"has broadcast of input 0 that makes a shape over 64 bits", INT64_MAX, 0, BUDA_TM_TOO_BIG, {2, 3, 4}},
};
// clang-format on

HOIST_TEST_TABLE(pads_append, pads)
{
    const buda_tm tm = {.kind = BUDA_TM_PAD, .pad = {row->rows, row->columns, {1, 1}}};
    buda_shape shape = {2, 3, 4};
    HOIST_EXPECT_EQ(t, buda_shape_apply(&shape, &tm), row->result);
    expect_shape(t, &shape, &row->to);
}

HOIST_TEST(blocks)
{
    const buda_pair grid = {2, 3, {1, 1}};
    const buda_pair mblock = {4, 5, {1, 1}};
    const buda_pair ublock = {6, 7, {1, 1}};
    const buda_pair empty = {0, 1, {1, 1}};
    const buda_pair huge = {INT64_MAX, 1, {1, 1}};
    const buda_int eight = {8, {1, 1}};
    const buda_int none = {0, {0, 0}};
    buda_shape shape;
    HOIST_EXPECT(t, buda_shape_of_block(grid, eight, mblock, ublock, &shape));
    expect_shape(t, &shape, &(buda_shape){8, 48, 105});
    HOIST_EXPECT(t, !buda_shape_of_block(grid, none, mblock, ublock, &shape));
    HOIST_EXPECT(t, !buda_shape_of_block(grid, eight, empty, ublock, &shape));
    HOIST_EXPECT(t, !buda_shape_of_block(grid, eight, huge, ublock, &shape));
}

HOIST_TEST(fits_ignores_zeros)
{
    const buda_shape shape = {2, 3, 4};
    HOIST_EXPECT(t, buda_shape_fits(&shape, &(buda_shape){2, 3, 4}));
    HOIST_EXPECT(t, buda_shape_fits(&shape, &(buda_shape){0, 3, 0}));
    HOIST_EXPECT(t, !buda_shape_fits(&shape, &(buda_shape){0, 4, 0}));
    HOIST_EXPECT(t, !buda_shape_fits(&shape, &(buda_shape){1, 0, 0}));
    HOIST_EXPECT(t, !buda_shape_fits(&shape, &(buda_shape){0, 0, 3}));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(slices_and_stacks), HOIST_TEST_ROW(broadcasts_repeat),
                HOIST_TEST_ROW(pads_append), HOIST_TEST_ROW(blocks),
                HOIST_TEST_ROW(fits_ignores_zeros))
