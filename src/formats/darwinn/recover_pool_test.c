// Pools of all pixels in two passes, rows first: one layer, and what the passes have to agree in.
#include <math.h>

#include "formats/darwinn/recover_testing.h"

enum { SKETCHES = 3, ZERO = 7, SUMS = 9 };

// 4 x 6 pixels of 3 channels; two tiles add up two rows each, and the first all four.
#define LAYOUT                                                                                     \
    {                                                                                              \
        .mode = 0x1c30, .code = 0x38, .multiplier = 1, .high = INFINITY                            \
    }
#define ROWS                                                                                       \
    .tiles = 3, .mode = 0x1870, .code = 0x938, .multiplier = 1, .high = INFINITY,                  \
    .weight_zero = ZERO, .output_zero = SUMS
#define ALL                                                                                        \
    .mode = 0xf0, .code = 0x938, .multiplier = 1.0f / 24, .high = INFINITY, .output_zero = ZERO

// clang-format off
static const struct {
    const char *name;
    dwn_sketch passes[SKETCHES];
    bool is_one; // layer
} models[] = {
    {"rows, then all",     {LAYOUT, {ROWS, .reduction = 6, .rest = 2, .a = {{6, 0}, {1, 0}, {2, 1}}}, {ALL, .weight_zero = SUMS, .reduction = 4, .a = {{1, 0}, {4, 0}}}}, true},
    {"fewer columns",      {LAYOUT, {ROWS, .reduction = 5, .rest = 2, .a = {{5, 0}, {1, 0}, {2, 1}}}, {ALL, .weight_zero = SUMS, .reduction = 4, .a = {{1, 0}, {4, 0}}}}, false},
    {"fewer rows",         {LAYOUT, {ROWS, .reduction = 6, .rest = 2, .a = {{6, 0}, {1, 0}, {2, 1}}}, {ALL, .weight_zero = SUMS, .reduction = 3, .a = {{1, 0}, {3, 0}}}}, false},
    {"fewer sums of rows", {LAYOUT, {ROWS, .reduction = 6, .rest = 1, .a = {{6, 0}, {1, 0}, {1, 1}}}, {ALL, .weight_zero = SUMS, .reduction = 4, .a = {{1, 0}, {4, 0}}}}, false},
    {"more sums",          {LAYOUT, {ROWS, .reduction = 6, .rest = 2, .a = {{6, 0}, {1, 0}, {2, 1}}}, {ALL, .weight_zero = SUMS, .reduction = 4, .rest = 2, .a = {{1, 0}, {4, 0}}}}, false},
    {"other sums",         {LAYOUT, {ROWS, .reduction = 6, .rest = 2, .a = {{6, 0}, {1, 0}, {2, 1}}}, {ALL, .weight_zero = 8, .reduction = 4, .a = {{1, 0}, {4, 0}}}}, false},
    {"rows alone",         {LAYOUT, {ROWS, .reduction = 6, .rest = 2, .a = {{6, 0}, {1, 0}, {2, 1}}}}, false},
};
// clang-format on

HOIST_TEST_TABLE(pools_in_passes, models)
{
    dwn_maker m = {.next_id = 0};
    dwn_model model;
    dwn_recovery r;
    dwn_make_begin(&m);
    for (size_t i = 0; i < SKETCHES && row->passes[i].mode + row->passes[i].code > 0; i++) {
        dwn_make_operation(&m, &row->passes[i]);
    }
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){4, 6, 3}, ZERO);
    dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){1, 1, 3}, ZERO);
    dwn_test_model(t, &model, dwn_make_end(&m, false), (hoist_bytes){NULL, 0});
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.gap_count == 0, row->is_one);
    if (row->is_one) {
        const dwn_recovered *pool = &r.layers[0];
        HOIST_EXPECT_EQ(t, r.count, 1);
        HOIST_EXPECT_EQ(t, pool->kind, DWN_KIND_AVERAGE_POOL);
        HOIST_EXPECT_EQ(t, pool->kernel[0], 4);
        HOIST_EXPECT_EQ(t, pool->kernel[1], 6);
        HOIST_EXPECT_EQ(t, pool->input_zero, ZERO);
        HOIST_EXPECT(t, pool->multiplier == 1.0f / 24);
        HOIST_EXPECT_EQ(t, pool->word_count, 2);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pools_in_passes))
