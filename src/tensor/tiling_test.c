#include "tensor/tiling.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    hoist_tiling tiling;
    hoist_status status;
    size_t elements;
    size_t buffer_tiles;
} cases[] = {
    {"one tile",          {1, 1, 1, 1, 1, 1, 1, false, 32, 32},        HOIST_OK,      1024,   1 },
    {"all different",     {2, 3, 5, 2, 1, 4, 2, false, 16, 32},        HOIST_OK,      245760, 80},
    {"32x16",             {1, 1, 1, 2, 2, 1, 1, true, 32, 16},         HOIST_OK,      2048,   4 },
    {"no rows in grid",   {0, 1, 1, 1, 1, 1, 1, false, 32, 32},        HOIST_INVALID, 0,      0 },
    {"t is 0",            {1, 1, 0, 1, 1, 1, 1, false, 32, 32},        HOIST_INVALID, 0,      0 },
    {"ublock_ct is 0",    {1, 1, 1, 1, 1, 1, 0, false, 32, 32},        HOIST_INVALID, 0,      0 },
    {"tile 16x16",        {1, 1, 1, 1, 1, 1, 1, false, 16, 16},        HOIST_INVALID, 0,      0 },
    {"tile 64x32",        {1, 1, 1, 1, 1, 1, 1, false, 64, 32},        HOIST_INVALID, 0,      0 },
    {"2^40 elements",     {1, 1, 1u << 30, 1, 1, 1, 1, false, 32, 32}, HOIST_OK,      (size_t)1 << 40, 1u << 30},
    {"beyond 2^40",       {1, 2, 1u << 30, 1, 1, 1, 1, false, 32, 32}, HOIST_LIMIT,   0,      0 },
    {"wraps around",      {UINT32_MAX, UINT32_MAX, UINT32_MAX, 1, 1, 1, 1, false, 32, 32}, HOIST_LIMIT, 0, 0},
    {"large but invalid", {UINT32_MAX, UINT32_MAX, UINT32_MAX, 0, 1, 1, 1, false, 32, 32}, HOIST_INVALID, 0, 0},
};
// clang-format on

HOIST_TEST_TABLE(tiling_measure, cases)
{
    hoist_tiling_size size;
    HOIST_EXPECT_EQ(t, hoist_tiling_measure(&row->tiling, &size), row->status);
    HOIST_EXPECT_EQ(t, size.elements, row->elements);
    HOIST_EXPECT_EQ(t, size.buffer_tiles, row->buffer_tiles);
    HOIST_EXPECT_EQ(t, size.elements, row->tiling.t * size.rows * size.cols);
}

// Tiles of buffer 1 of a 1x2 grid, t 2, mblock 2x2, ublock 1x2, in storage order.
// clang-format off
static const struct {
    const char *name;
    bool column_major;
    size_t tile;
    hoist_tile_at at;
} places[] = {
    {"first",                    false, 0,  {0, 0, 4}},
    {"second of its ublock",     false, 1,  {0, 0, 5}},
    {"next ublock, r",           false, 2,  {0, 0, 6}},
    {"third ublock, r",          false, 4,  {0, 1, 4}},
    {"second slice",             false, 8,  {1, 0, 4}},
    {"last",                     false, 15, {1, 1, 7}},
    {"next ublock, c",           true,  2,  {0, 1, 4}},
    {"third ublock, c",          true,  4,  {0, 0, 6}},
    {"last of second slice, c",  true,  15, {1, 1, 7}},
};
// clang-format on

HOIST_TEST_TABLE(tiling_place, places)
{
    const hoist_tiling tiling = {1, 2, 2, 2, 2, 1, 2, row->column_major, 32, 32};
    const hoist_tile_at at = hoist_tiling_place(&tiling, (hoist_tile_slot){1, row->tile});
    HOIST_EXPECT_EQ(t, at.z, row->at.z);
    HOIST_EXPECT_EQ(t, at.row, row->at.row);
    HOIST_EXPECT_EQ(t, at.col, row->at.col);
}

static uint32_t small(uint64_t *state)
{
    return 1 + (uint32_t)(hoist_test_random(state) >> 32) % 3;
}

// The formula of the reference, section 4.1, for the tile at (z, ubr, ubc, tr, tc).
static size_t reference_index(const hoist_tiling *g, hoist_tile_at at)
{
    const size_t ubr = at.row / g->ublock_rt % g->mblock_m;
    const size_t ubc = at.col / g->ublock_ct % g->mblock_n;
    const size_t ublock = g->column_major ? ubc * g->mblock_m + ubr : ubr * g->mblock_n + ubc;
    const size_t all = at.z * g->mblock_m * g->mblock_n + ublock;
    return (all * g->ublock_rt + at.row % g->ublock_rt) * g->ublock_ct + at.col % g->ublock_ct;
}

HOIST_TEST(both_maps_are_inverse)
{
    uint64_t state = 2;
    for (size_t i = 0; i < 200; i++) {
        const hoist_tiling g = {small(&state),
                                small(&state),
                                small(&state),
                                small(&state),
                                small(&state),
                                small(&state),
                                small(&state),
                                small(&state) > 1,
                                32,
                                32};
        hoist_tiling_size size;
        HOIST_EXPECT_EQ(t, hoist_tiling_measure(&g, &size), HOIST_OK);
        for (size_t k = 0; k < size.buffers * size.buffer_tiles; k++) {
            const hoist_tile_slot slot = {k / size.buffer_tiles, k % size.buffer_tiles};
            const hoist_tile_at at = hoist_tiling_place(&g, slot);
            const hoist_tile_slot back = hoist_tiling_find(&g, at);
            HOIST_EXPECT(t, at.z < g.t && at.row < size.rows / 32 && at.col < size.cols / 32);
            HOIST_EXPECT(t, back.buffer == slot.buffer && back.tile == slot.tile);
            HOIST_EXPECT_EQ(t, reference_index(&g, at), slot.tile);
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(tiling_measure), HOIST_TEST_ROW(tiling_place),
                HOIST_TEST_ROW(both_maps_are_inverse))
