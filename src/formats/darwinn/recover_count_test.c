// Rows and columns that tiles count: from loops over what they read or write, and from each other.
#include "formats/darwinn/recover_testing.h"

enum { PARTS = 4 };

// Part of a depthwise layer of 24 channels with windows of 3 x 3, of so many pixels.
#define SHOWN(ON, ROWS, COLUMNS)                                                                   \
    {                                                                                              \
        .tiles = (ON), .reduction = 9, .rest = (ROWS) * (COLUMNS)*6, .a = {                        \
            {3, 6},                                                                                \
            {3, INT64_C(6) * ((COLUMNS) + 2)},                                                     \
            {COLUMNS, 6},                                                                          \
            {ROWS, INT64_C(6) * ((COLUMNS) + 2)},                                                  \
            {6, 1}                                                                                 \
        }                                                                                          \
    }
// The same of a layer with windows of one, whose loops have rows after each other.
#define PRODUCT(ON, PIXELS)                                                                        \
    {                                                                                              \
        .tiles = (ON), .reduction = 6, .rest = (PIXELS), .full_rows = 48, .last_rows = 48, .a = {  \
            {6, 1},                                                                                \
            {PIXELS, 6}                                                                            \
        }                                                                                          \
    }
// And what is written is not.
#define WRITTEN(ON, ROWS, COLUMNS)                                                                 \
    {                                                                                              \
        .tiles = (ON), .reduction = 6, .rest = (ROWS) * (COLUMNS), .full_rows = 48,                \
        .last_rows = 48,                                                                           \
        .a =                                                                                       \
            {                                                                                      \
                {6, 1},                                                                            \
                {INT64_C(1) * (ROWS) * (COLUMNS), 6},                                              \
            },                                                                                     \
        .b = {                                                                                     \
            {12, 1},                                                                               \
            {COLUMNS, 12},                                                                         \
            {ROWS, INT64_C(12) * ((COLUMNS) + 1)},                                                 \
        }                                                                                          \
    }

// clang-format off
static const struct {
    const char *name;
    dwn_sketch parts[PARTS];
    uint32_t rows, columns; // 0: unknown
} cases[] = {
    {"all tiles alike",           {SHOWN(0xffff, 16, 15)},                                              64,  60},
    {"rows of two sizes",         {SHOWN(0x000f, 45, 30), SHOWN(0xfff0, 44, 30)},                       177, 120},
    {"both of two sizes",         {SHOWN(0x0007, 5, 4), SHOWN(0x0008, 5, 3), SHOWN(0x7770, 4, 4), SHOWN(0x8880, 4, 3)}, 17, 15},
    {"fewer tiles",               {SHOWN(0x0333, 2, 3)},                                                6,   6},
    {"one tile",                  {SHOWN(0x0001, 7, 9)},                                                7,   9},
    {"written",                   {WRITTEN(0xffff, 5, 4)},                                              20,  16},
    {"a product next to others",  {WRITTEN(0x7777, 5, 4), PRODUCT(0x8888, 15)},                         20,  15},
    {"two products next to others", {WRITTEN(0x0333, 5, 4), PRODUCT(0x0ccc, 15), WRITTEN(0x3000, 3, 4), PRODUCT(0xc000, 9)}, 18, 14},
    {"single pixels",             {{.tiles = 0x0777, .reduction = 9, .rest = 6, .a = {{9, 6}, {6, 1}}}}, 3,   3},
    {"products alone",            {PRODUCT(0xffff, 20)},                                                0,   0},
    {"a product that is none",    {WRITTEN(0x7777, 5, 4), PRODUCT(0x8888, 16)},                         0,   0},
    {"rows that differ",          {SHOWN(0x0001, 5, 4), SHOWN(0x0002, 4, 4)},                           0,   0},
    {"a tile is missing",         {SHOWN(0x7fff, 5, 4)},                                                0,   0},
    {"other channels",            {{.tiles = 0xffff, .reduction = 9, .rest = 80, .a = {{3, 5}, {3, 30}, {4, 5}, {4, 30}, {5, 1}}}}, 0, 0},
};
// clang-format on

HOIST_TEST_TABLE(counts, cases)
{
    dwn_operations all = {.group_count = 1};
    all.items = hoist_arena_array(&t->arena, PARTS, sizeof(*all.items));
    all.groups = hoist_arena_array(&t->arena, 1, sizeof(*all.groups));
    for (; all.count < PARTS && row->parts[all.count].tiles; all.count++) {
        all.items[all.count] = dwn_test_operation(t, &row->parts[all.count]);
    }
    all.groups[0] = (dwn_group){.count = all.count};
    uint32_t pixels[2] = {0, 0};
    const bool is_known = dwn_count_pixels(&all, &all.groups[0], (dwn_extent){99, 99, 24}, pixels);
    HOIST_EXPECT_EQ(t, is_known, row->rows > 0);
    if (is_known) {
        HOIST_EXPECT_EQ(t, pixels[0], row->rows);
        HOIST_EXPECT_EQ(t, pixels[1], row->columns);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(counts))
