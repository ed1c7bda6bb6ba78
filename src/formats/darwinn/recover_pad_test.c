// Values that are moved into the middle of larger ones: all words around them, and windows over
// them.
#include <math.h>

#include "formats/darwinn/recover_testing.h"

#define ZERO UINT32_C(0x80808080)
enum { SIDES = 4, FILLS = 6 };

#define LAYOUT(ON, BASE, W, H, PITCH, ALL)                                                         \
    {                                                                                              \
        .tiles = (ON), .mode = 0x1c30, .code = 0x38, .multiplier = 1, .high = INFINITY,            \
        .b_base = (BASE), .b = {                                                                   \
            {1, 1},                                                                                \
            {W, 1},                                                                                \
            {H, PITCH},                                                                            \
            {1, ALL}                                                                               \
        }                                                                                          \
    }

// 2 x 2 pixels of 4 tiles in an image of 6 x 8: each tile has 3 rows and 4 columns.
#define FOUR                                                                                       \
    LAYOUT(0x1, 11, 1, 1, 4, 12), LAYOUT(0x4, 8, 1, 1, 4, 12), LAYOUT(0x100, 3, 1, 1, 4, 12),      \
        LAYOUT(0x400, 0, 1, 1, 4, 12)
#define BELOW                                                                                      \
    {                                                                                              \
        0x100, false, ZERO, 7,                                                                     \
        {                                                                                          \
            {1, 1},                                                                                \
            {                                                                                      \
                2, 4                                                                               \
            }                                                                                      \
        }                                                                                          \
    }
#define BELOW_RIGHT                                                                                \
    {                                                                                              \
        0x400, false, ZERO, 4,                                                                     \
        {                                                                                          \
            {1, 1},                                                                                \
            {                                                                                      \
                2, 4                                                                               \
            }                                                                                      \
        }                                                                                          \
    }
#define RIGHT                                                                                      \
    {                                                                                              \
        0x404, false, ZERO, 1,                                                                     \
        {                                                                                          \
            {3, 1},                                                                                \
            {                                                                                      \
                3, 4                                                                               \
            }                                                                                      \
        }                                                                                          \
    }
#define ABOVE                                                                                      \
    {                                                                                              \
        0x1, false, ZERO, 3,                                                                       \
        {                                                                                          \
            {1, 1},                                                                                \
            {                                                                                      \
                2, 4                                                                               \
            }                                                                                      \
        }                                                                                          \
    }
#define ABOVE_RIGHT                                                                                \
    {                                                                                              \
        0x4, false, ZERO, 0,                                                                       \
        {                                                                                          \
            {1, 1},                                                                                \
            {                                                                                      \
                2, 4                                                                               \
            }                                                                                      \
        }                                                                                          \
    }
#define LEFT                                                                                       \
    {                                                                                              \
        0x101, false, ZERO, 0,                                                                     \
        {                                                                                          \
            {3, 1},                                                                                \
            {                                                                                      \
                3, 4                                                                               \
            }                                                                                      \
        }                                                                                          \
    }

// clang-format off
static const struct {
    const char *name;
    dwn_sketch moves[SIDES];
    dwn_stored fills[FILLS];
    dwn_extent output; // 0: none
    uint32_t before[2];
} values[] = {
    {"four tiles",            {FOUR}, {BELOW, BELOW_RIGHT, RIGHT, ABOVE, ABOVE_RIGHT, LEFT},  {6, 8, 3}, {2, 3}},
    {"nothing around it",     {LAYOUT(0x1, 5, 1, 1, 1, 1), LAYOUT(0x4, 5, 1, 1, 1, 1), LAYOUT(0x100, 5, 1, 1, 1, 1), LAYOUT(0x400, 5, 1, 1, 1, 1)}, {{0}}, {2, 2, 3}, {0, 0}},
    {"one tile",              {LAYOUT(0x1, 1, 2, 2, 3, 9)}, {{0x1, false, ZERO, 0, {{3, 3}}}, {0x1, false, ZERO, 7, {{2, 1}}}}, {3, 3, 3}, {0, 1}},
    {"a word is missing",     {FOUR}, {BELOW, BELOW_RIGHT, RIGHT, ABOVE, ABOVE_RIGHT},        {0}, {0}},
    {"a word is stored twice", {FOUR}, {BELOW, BELOW_RIGHT, RIGHT, ABOVE, ABOVE_RIGHT, {0x101, false, ZERO, 0, {{4, 1}, {3, 4}}}}, {0}, {0}},
    {"a pixel is stored over", {FOUR}, {BELOW, BELOW_RIGHT, RIGHT, {0x1, false, ZERO, 3, {{1, 1}, {3, 4}}}, ABOVE_RIGHT, LEFT}, {0}, {0}},
    {"another number",        {FOUR}, {BELOW, BELOW_RIGHT, RIGHT, ABOVE, ABOVE_RIGHT, {0x101, false, 0x80808081, 0, {{3, 1}, {3, 4}}}}, {0}, {0}},
    {"beyond the part",       {FOUR}, {BELOW, BELOW_RIGHT, RIGHT, ABOVE, ABOVE_RIGHT, {0x101, false, ZERO, 0, {{3, 1}, {4, 4}}}}, {0}, {0}},
    {"sent from others",      {FOUR}, {BELOW, BELOW_RIGHT, RIGHT, ABOVE, ABOVE_RIGHT, {0x101, true, ZERO, 0, {{3, 1}, {3, 4}}}}, {0}, {0}},
    {"too many words",        {FOUR}, {BELOW, BELOW_RIGHT, RIGHT, ABOVE, ABOVE_RIGHT, {0x101, false, ZERO, 0, {{65536, 1}, {65536, 4}, {65536, 4}}}}, {0}, {0}},
    {"columns do not meet",   {LAYOUT(0x1, 11, 1, 1, 4, 12), LAYOUT(0x4, 9, 1, 1, 4, 12), LAYOUT(0x100, 3, 1, 1, 4, 12), LAYOUT(0x400, 1, 1, 1, 4, 12)},
     {BELOW, {0x404, false, ZERO, 0, {{1, 1}, {3, 4}}}, {0x404, false, ZERO, 2, {{2, 1}, {3, 4}}}, {0x4, false, ZERO, 1, {{2, 4}}}, {0x400, false, ZERO, 5, {{2, 4}}}, LEFT}, {0}, {0}},
    {"a tile is missing",     {LAYOUT(0x1, 11, 1, 1, 4, 12), LAYOUT(0x4, 8, 1, 1, 4, 12), LAYOUT(0x100, 3, 1, 1, 4, 12)}, {BELOW, RIGHT, ABOVE, ABOVE_RIGHT, LEFT}, {0}, {0}},
    {"rows that overlap",     {LAYOUT(0x1, 0, 2, 2, 1, 4)}, {{0}}, {0}, {0}},
    {"no whole rows",         {LAYOUT(0x1, 0, 2, 2, 3, 8)}, {{0}}, {0}, {0}},
};
// clang-format on

static dwn_operations operations_of(hoist_test *t, dwn_maker *m)
{
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(m, false))};
    dwn_operations all;
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &all), HOIST_OK);
    return all;
}

static const dwn_value pixels = {.extent = {2, 2, 3}, .zero = 128};

HOIST_TEST_TABLE(padded_values, values)
{
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    for (size_t i = 0; i < SIDES && row->moves[i].tiles; i++) {
        dwn_make_operation(&m, &row->moves[i]);
    }
    for (size_t i = 0; i < FILLS && row->fills[i].tiles; i++) {
        dwn_make_fill(&m, &row->fills[i]);
    }
    const dwn_operations all = operations_of(t, &m);
    dwn_padded padded;
    HOIST_EXPECT_EQ(t, all.group_count, 1);
    const bool is_padded = dwn_padded_value(&all, &all.groups[0], &pixels, &t->arena, &padded);
    HOIST_EXPECT_EQ(t, is_padded, row->output.h > 0);
    if (is_padded) {
        HOIST_EXPECT_EQ(t, padded.extent.h, row->output.h);
        HOIST_EXPECT_EQ(t, padded.extent.w, row->output.w);
        HOIST_EXPECT_EQ(t, padded.before[0], row->before[0]);
        HOIST_EXPECT_EQ(t, padded.before[1], row->before[1]);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(padded_values))
