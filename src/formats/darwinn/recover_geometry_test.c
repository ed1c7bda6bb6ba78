// Windows, strides, extents and padding from loops: those of real layers, and hostile ones.
#include "formats/darwinn/recover_testing.h"

typedef struct shape { // height, width; of the window
    uint32_t kernel[2], stride[2], dilation;
} shape;

// clang-format off
static const struct {
    const char *name;
    dwn_extent input;
    dwn_sketch sketch;
    dwn_layer_kind kind; // UNKNOWN: the group does not read that input
    dwn_extent output;
    shape want;
    bool is_whole;
} cases[] = {
    {"depthwise 3x3",         {64, 64, 8},    {.reduction = 9, .rest = 512, .a = {{3, 2}, {3, 36}, {16, 2}, {16, 36}, {2, 1}}},
     DWN_KIND_DEPTHWISE,      {64, 64, 8},    {{3, 3}, {1, 1}, 1}, true},
    {"depthwise, stride 2",   {64, 64, 16},   {.reduction = 9, .rest = 256, .a = {{3, 4}, {3, 68}, {8, 8}, {8, 136}, {4, 1}}},
     DWN_KIND_DEPTHWISE,      {32, 32, 16},   {{3, 3}, {2, 2}, 1}, true},
    {"depthwise, dilated",    {33, 33, 480},  {.reduction = 9, .rest = 9720, .a = {{3, 240}, {3, 3120}, {9, 120}, {9, 1560}, {120, 1}}},
     DWN_KIND_DEPTHWISE,      {33, 33, 480},  {{3, 3}, {1, 1}, 2}, true},
    {"depthwise, merged",     {8, 8, 128},    {.reduction = 9, .rest = 32, .a = {{9, 32}, {32, 1}}},
     DWN_KIND_DEPTHWISE,      {4, 4, 128},    {{3, 3}, {2, 2}, 1}, true},
    {"depthwise, part",       {177, 241, 24}, {.reduction = 9, .rest = 8370, .a = {{3, 6}, {3, 198}, {31, 6}, {45, 198}, {6, 1}}},
     DWN_KIND_DEPTHWISE,      {177, 241, 24}, {{3, 3}, {1, 1}, 1}, false},
    {"1x1",                   {64, 64, 8},    {.reduction = 2, .rest = 256, .full_rows = 16, .last_rows = 16, .a = {{2, 1}, {256, 2}}},
     DWN_KIND_CONVOLUTION,    {64, 64, 16},   {{1, 1}, {1, 1}, 1}, true},
    {"1x1, three groups",     {12, 12, 80},   {.reduction = 20, .rest = 27, .full_rows = 64, .last_rows = 12, .a = {{20, 1}, {9, 20}, {3, 0}}},
     DWN_KIND_CONVOLUTION,    {12, 12, 140},  {{1, 1}, {1, 1}, 1}, true},
    {"groups of half words",  {64, 64, 8},    {.reduction = 2, .rest = 512, .full_rows = 6, .last_rows = 4, .a = {{2, 1}, {256, 2}, {2, 0}}}, DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"1x1 in blocks",         {8, 8, 256},    {.reduction = 64, .rest = 16, .full_rows = 64, .last_rows = 64, .a = {{8, 1}, {4, 64}, {8, 8}, {4, 0}}},
     DWN_KIND_CONVOLUTION,    {8, 8, 256},    {{1, 1}, {1, 1}, 1}, true},
    {"3x3 of an image",       {128, 128, 3},  {.reduction = 9, .rest = 256, .full_rows = 8, .last_rows = 8, .a = {{3, 1}, {3, 33}, {16, 2}, {16, 66}}},
     DWN_KIND_CONVOLUTION,    {64, 64, 8},    {{3, 3}, {2, 2}, 1}, true},
    {"odd extents",           {353, 481, 3},  {.reduction = 9, .rest = 1395, .full_rows = 24, .last_rows = 24, .a = {{3, 1}, {3, 63}, {31, 2}, {45, 126}}},
     DWN_KIND_CONVOLUTION,    {177, 241, 24}, {{3, 3}, {2, 2}, 1}, false},
    {"7x7",                   {64, 64, 1},    {.reduction = 49, .rest = 256, .full_rows = 8, .last_rows = 8, .a = {{7, 1}, {7, 22}, {16, 1}, {16, 22}}},
     DWN_KIND_CONVOLUTION,    {64, 64, 8},    {{7, 7}, {1, 1}, 1}, true},
    {"taps in a row",         {176, 176, 16}, {.reduction = 36, .rest = 484, .full_rows = 32, .last_rows = 32, .a = {{12, 1}, {3, 180}, {22, 8}, {22, 360}}},
     DWN_KIND_CONVOLUTION,    {88, 88, 32},   {{3, 3}, {2, 2}, 1}, true},
    {"no pixels in a row",    {176, 176, 16}, {.reduction = 30, .rest = 484, .full_rows = 32, .last_rows = 32, .a = {{10, 1}, {3, 180}, {22, 8}, {22, 360}}}, DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"depthwise, as many taps", {4, 4, 36},   {.reduction = 9, .rest = 9, .a = {{9, 9}, {9, 1}}},
     DWN_KIND_DEPTHWISE,      {4, 4, 36},     {{3, 3}, {1, 1}, 1}, true},
    {"channels after taps",   {5, 5, 128},    {.reduction = 288, .rest = 4, .full_rows = 64, .last_rows = 64, .a = {{9, 32}, {32, 1}, {4, 0}}},
     DWN_KIND_CONVOLUTION,    {3, 3, 256},    {{3, 3}, {2, 2}, 1}, true},
    {"channels after taps, one group", {5, 5, 128}, {.reduction = 288, .full_rows = 64, .last_rows = 24, .a = {{3, 32}, {3, 160}, {32, 1}}},
     DWN_KIND_CONVOLUTION,    {3, 3, 24},     {{3, 3}, {2, 2}, 1}, true},
    {"dense",                 {1, 1, 256},    {.tiles = 0xf, .reduction = 64, .full_rows = 64, .last_rows = 64, .a = {{64, 1}}},
     DWN_KIND_DENSE,          {1, 1, 256},    {{1, 1}, {1, 1}, 1}, true},
    {"dense, groups",         {1, 1, 16},     {.tiles = 3, .reduction = 4, .full_rows = 64, .last_rows = 4, .a = {{4, 1}, {3, 0}}},
     DWN_KIND_DENSE,          {1, 1, 264},    {{1, 1}, {1, 1}, 1}, true},
    {"dense of pixels",       {3, 3, 1},      {.reduction = 9, .full_rows = 12, .last_rows = 12, .a = {{9, 1}}},
     DWN_KIND_DENSE,          {1, 1, 12},     {{1, 1}, {1, 1}, 1}, true},
    {"dense in blocks",       {1, 1, 256},    {.tiles = 3, .reduction = 72, .full_rows = 64, .last_rows = 64, .a = {{12, 1}, {6, 12}}},
     DWN_KIND_DENSE,          {1, 1, 128},    {{1, 1}, {1, 1}, 1}, true},
    {"channels outside",      {56, 56, 24},   {.reduction = 9, .rest = 147, .late = 6, .full_rows = 64, .last_rows = 64, .a = {{3, 6}, {3, 90}, {7, 12}, {7, 180}, {6, 1}, {3, 0}}},
     DWN_KIND_CONVOLUTION,    {28, 28, 192},  {{3, 3}, {2, 2}, 1}, true},
    {"a stride of 64 and 128", {128, 64, 3},  {.a = {{1, 1}, {1, 1}, {1, 32}, {1, 1}, {1, 64}, {1, 4096}, {1, 2048}}},
     DWN_KIND_CONVOLUTION,    {1, 1, 4},      {{1, 1}, {128, 64}, 1}, true},
    {"strides, channels outside", {128, 96, 32}, {.reduction = 4, .late = 2, .a = {{4, 1}, {1, 8}, {1, 256}, {1, 768}, {1, 32768}, {1, 8192}, {2, 4}}},
     DWN_KIND_CONVOLUTION,    {1, 1, 4},      {{1, 1}, {128, 96}, 1}, true},
    {"channels outside that are not all", {128, 96, 32}, {.reduction = 4, .late = 2, .a = {{4, 1}, {1, 16}, {1, 256}, {1, 768}, {1, 32768}, {1, 8192}, {2, 4}}}, DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"a stride in no place",  {128, 64, 3},   {.a = {{1, 1}, {1, 2}, {1, 32}, {1, 1}, {1, 64}, {1, 4096}, {1, 2048}}},    DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"a stride of no rows",   {128, 64, 3},   {.a = {{1, 1}, {1, 1}, {1, 32}, {1, 1}, {1, 64}, {1, 4095}, {1, 2048}}},    DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"rows alone",            {6, 4, 512},    {.reduction = 9, .rest = 256, .a = {{9, 128}, {2, 384}, {128, 1}}},
     DWN_KIND_DEPTHWISE,      {6, 4, 512},    {{3, 3}, {1, 1}, 1}, true},
    {"rows alone, stride 2",  {12, 8, 256},   {.reduction = 9, .rest = 128, .a = {{9, 64}, {2, 384}, {64, 1}}},
     DWN_KIND_DEPTHWISE,      {6, 4, 256},    {{3, 3}, {2, 2}, 1}, true},
    {"rows alone, with space between them", {8, 4, 8}, {.reduction = 9, .rest = 4, .a = {{3, 2}, {3, 8}, {2, 8}, {2, 1}}},
     DWN_KIND_DEPTHWISE,      {8, 4, 8},      {{3, 3}, {1, 1}, 1}, true},
    {"columns alone",         {4, 16, 8},     {.reduction = 9, .rest = 8, .a = {{3, 2}, {3, 12}, {4, 2}, {2, 1}}},
     DWN_KIND_DEPTHWISE,      {4, 16, 8},     {{3, 3}, {1, 1}, 1}, true},
    {"windows inside",        {64, 64, 3},    {.tiles = 0xffff, .reduction = 25, .rest = 225, .a = {{5, 1}, {5, 19}, {15, 1}, {15, 19}}},
     DWN_KIND_CONVOLUTION,    {60, 60, 4},    {{5, 5}, {1, 1}, 1}, true},
    {"windows inside, stride 2", {67, 66, 3}, {.tiles = 0xffff, .reduction = 25, .rest = 64, .a = {{5, 1}, {5, 20}, {8, 2}, {8, 40}}},
     DWN_KIND_CONVOLUTION,    {34, 33, 4},    {{5, 5}, {2, 2}, 1}, false},
    {"windows beyond",        {66, 66, 3},    {.tiles = 0xffff, .reduction = 9, .rest = 289, .a = {{3, 1}, {3, 19}, {17, 1}, {17, 19}}},
     DWN_KIND_CONVOLUTION,    {68, 68, 4},    {{3, 3}, {1, 1}, 1}, true},
    {"a strip of fewer rows", {64, 64, 3},    {.tiles = 0xffff, .reduction = 9, .rest = 240, .a = {{3, 1}, {3, 18}, {16, 1}, {15, 18}}},
     DWN_KIND_CONVOLUTION,    {64, 64, 4},    {{3, 3}, {1, 1}, 1}, false},
    {"more rows, fewer columns", {64, 64, 3}, {.tiles = 0xffff, .reduction = 9, .rest = 255, .a = {{3, 1}, {3, 17}, {15, 1}, {17, 17}}},
     DWN_KIND_CONVOLUTION,    {64, 64, 4},    {{3, 3}, {1, 1}, 1}, false},
    {"dense, a block too many", {1, 1, 256},  {.reduction = 84, .a = {{12, 1}, {7, 12}}},                                 DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"dense, no blocks",      {1, 1, 256},    {.reduction = 72, .a = {{12, 2}, {6, 24}}},                                 DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"dense, other length",   {1, 1, 256},    {.reduction = 63, .a = {{63, 1}}},                                          DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"dense, other loops",    {1, 1, 256},    {.reduction = 64, .a = {{65, 1}}},                                          DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"channels missing",      {64, 64, 16},   {.reduction = 4, .a = {{2, 1}, {256, 4}}},                                  DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"taps missing",          {64, 64, 8},    {.reduction = 18, .a = {{2, 1}, {256, 2}}},                                 DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"no whole taps",         {64, 64, 8},    {.reduction = 3, .a = {{2, 1}, {256, 2}}},                                  DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"no square",             {8, 8, 128},    {.reduction = 8, .a = {{8, 32}, {32, 1}}},                                  DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"stride between pixels", {64, 64, 8},    {.reduction = 9, .a = {{3, 3}, {3, 36}, {16, 2}, {16, 36}, {2, 1}}},        DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"stride of 5",           {64, 64, 8},    {.reduction = 9, .a = {{3, 2}, {3, 36}, {16, 10}, {16, 36}, {2, 1}}},       DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"more pixels than are",  {16, 16, 8},    {.reduction = 9, .a = {{3, 2}, {3, 36}, {16, 2}, {16, 36}, {2, 1}}},        DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"no stride gives them",  {64, 64, 128},  {.reduction = 9, .a = {{9, 32}, {32, 1}}},                                  DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"groups of channels",    {64, 64, 8},    {.reduction = 9, .a = {{3, 2}, {3, 36}, {16, 2}, {16, 36}, {3, 1}}},        DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"loops that stand still",{64, 64, 8},    {.reduction = 9, .a = {{3, 0}, {3, 0}}},                                    DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"five loops of pixels",  {64, 64, 1},    {.reduction = 1, .a = {{2, 1}, {2, 2}, {2, 4}, {2, 8}, {2, 16}}},           DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
    {"huge groups",           {64, 64, 8},    {.reduction = 2, .full_rows = 64, .a = {{2, 1}, {256, 2}, {262144, 0}, {262144, 0}, {262144, 0}, {262144, 0}}}, DWN_KIND_UNKNOWN, {0}, {{0}, {0}, 0}, false},
};
// clang-format on

static dwn_operations one_group(hoist_test *t, const dwn_sketch *sketch)
{
    dwn_operations all = {.count = 1, .group_count = 1};
    all.items = hoist_arena_array(&t->arena, 1, sizeof(*all.items));
    all.groups = hoist_arena_array(&t->arena, 1, sizeof(*all.groups));
    all.items[0] = dwn_test_operation(t, sketch);
    all.groups[0] = (dwn_group){.count = 1, .tiles = all.items[0].tiles};
    return all;
}

// An operation on no tile has no rows.
HOIST_TEST(no_tile_has_no_rows)
{
    dwn_operations all =
        one_group(t, &(dwn_sketch){.reduction = 64, .full_rows = 64, .a = {{64, 1}}});
    dwn_geometry g;
    HOIST_EXPECT(t, dwn_geometry_of(&all, &all.groups[0], (dwn_extent){1, 1, 256}, &g));
    all.items[0].tiles = 0;
    HOIST_EXPECT_EQ(t, dwn_dense_rows(&all, &all.groups[0]), 0);
    HOIST_EXPECT(t, !dwn_geometry_of(&all, &all.groups[0], (dwn_extent){1, 1, 256}, &g));
}

HOIST_TEST_TABLE(geometry, cases)
{
    const dwn_operations all = one_group(t, &row->sketch);
    dwn_geometry g;
    const bool is_read = dwn_geometry_of(&all, &all.groups[0], row->input, &g);
    HOIST_EXPECT_EQ(t, is_read, row->kind != DWN_KIND_UNKNOWN);
    if (!is_read) {
        return;
    }
    HOIST_EXPECT_EQ(t, g.kind, row->kind);
    HOIST_EXPECT_EQ(t, g.output.h, row->output.h);
    HOIST_EXPECT_EQ(t, g.output.w, row->output.w);
    HOIST_EXPECT_EQ(t, g.output.c, row->output.c);
    for (size_t axis = 0; axis < 2; axis++) {
        HOIST_EXPECT_EQ(t, g.kernel[axis], row->want.kernel[axis]);
        HOIST_EXPECT_EQ(t, g.stride[axis], row->want.stride[axis]);
        HOIST_EXPECT_EQ(t, g.dilation[axis], row->want.dilation);
    }
    HOIST_EXPECT_EQ(t, g.is_whole, row->is_whole);
}

// One pixel of each tile may be that of several strides: all tiles together have those of one.
HOIST_TEST(strides_by_all_tiles)
{
    const dwn_sketch sketch = {.tiles = 0x0505,
                               .reduction = 288,
                               .rest = 4,
                               .full_rows = 64,
                               .last_rows = 64,
                               .a = {{9, 32}, {32, 1}, {4, 0}}};
    dwn_operations all = one_group(t, &sketch);
    dwn_geometry g;
    all.items[0].supply = (dwn_supply){.source = DWN_SUPPLY_CACHED, .last = 221184};
    all.groups[0].produced = 16; // 4 pixels, each in 4 groups of channels
    HOIST_EXPECT(t, dwn_geometry_of(&all, &all.groups[0], (dwn_extent){3, 3, 128}, &g));
    HOIST_EXPECT_EQ(t, g.kind, DWN_KIND_CONVOLUTION);
    HOIST_EXPECT_EQ(t, g.stride[0], 2);
    HOIST_EXPECT_EQ(t, g.output.h, 2);
    all.groups[0].produced = 17; // those of none: the least stride
    HOIST_EXPECT(t, dwn_geometry_of(&all, &all.groups[0], (dwn_extent){3, 3, 128}, &g));
    HOIST_EXPECT_EQ(t, g.stride[0], 1);
    // Weights of their own for each tile are those of a dense layer.
    all.items[0].supply.last = 4 * 294912 - 73728;
    HOIST_EXPECT(t, dwn_geometry_of(&all, &all.groups[0], (dwn_extent){3, 3, 128}, &g));
    HOIST_EXPECT_EQ(t, g.kind, DWN_KIND_DENSE);
    HOIST_EXPECT_EQ(t, g.output.c, 1024);
}

// Channels before the taps of a window: all, those of a block, or none.
static const struct {
    const char *name;
    dwn_sketch sketch;
    uint64_t inner;
} inners[] = {
    {"all", {.reduction = 72, .rest = 49, .a = {{8, 1}, {3, 8}, {3, 72}, {7, 8}, {7, 72}}}, 8},
    {"blocks",
     {.reduction = 18,
      .rest = 49,
      .late = 4,
      .a = {{2, 1}, {3, 8}, {3, 72}, {7, 8}, {7, 72}, {4, 2}}},
     2},
    {"none",
     {.reduction = 9, .rest = 49, .late = 8, .a = {{3, 8}, {3, 72}, {7, 8}, {7, 72}, {8, 1}}},
     1},
};

HOIST_TEST_TABLE(channels_before_taps, inners)
{
    const dwn_operations all = one_group(t, &row->sketch);
    dwn_geometry g;
    HOIST_EXPECT(t, dwn_geometry_of(&all, &all.groups[0], (dwn_extent){28, 28, 32}, &g));
    HOIST_EXPECT_EQ(t, g.kind, DWN_KIND_CONVOLUTION);
    HOIST_EXPECT_EQ(t, g.kernel[0], 3);
    HOIST_EXPECT_EQ(t, g.inner, row->inner);
}

// Distances of the bases, as 16.4 has worked them out.
// clang-format off
static const struct {
    const char *name;
    dwn_extent input;
    shape window;
    int64_t pitch; // 0: no window is known
    int32_t produced, consumed;
    bool is_padding;
    uint32_t top, left;
} distances[] = {
    {"38 is 36 + 2",        {64, 64, 8},   {{3, 3}, {1, 1}, 1}, 36,   1127, 1089, true,  1, 1},
    {"69 is 3 * 22 + 3",    {64, 64, 1},   {{7, 7}, {1, 1}, 1}, 22,   581,  512,  true,  3, 3},
    {"nothing",             {128, 128, 3}, {{3, 3}, {2, 2}, 1}, 33,   0,    0,    true,  0, 0},
    {"dilated",             {33, 33, 480}, {{3, 3}, {1, 1}, 2}, 1560, 3360, 0,    true,  2, 2},
    {"too far",             {64, 64, 8},   {{3, 3}, {1, 1}, 1}, 36,   3 * 36, 0,  false, 0, 0},
    {"too far to the left", {64, 64, 8},   {{3, 3}, {1, 1}, 1}, 36,   6,    0,    false, 0, 0},
    {"within a pixel",      {64, 64, 8},   {{3, 3}, {1, 1}, 1}, 36,   1,    0,    false, 0, 0},
    {"behind",              {64, 64, 8},   {{3, 3}, {1, 1}, 1}, 36,   0,    38,   false, 0, 0},
    {"no pitch",            {64, 64, 8},   {{3, 3}, {1, 1}, 1}, 0,    0,    0,    false, 0, 0},
    {"window of one",       {64, 64, 8},   {{1, 1}, {1, 1}, 1}, 0,    7,    7,    true,  0, 0},
    {"window of one moved", {64, 64, 8},   {{1, 1}, {1, 1}, 1}, 0,    9,    7,    false, 0, 0},
};
// clang-format on

static dwn_geometry window_of(const shape *s, int64_t pitch)
{
    return (dwn_geometry){.kernel = {s->kernel[0], s->kernel[1]},
                          .stride = {s->stride[0], s->stride[1]},
                          .dilation = {s->dilation, s->dilation},
                          .has_window = pitch != 0,
                          .pitch = pitch};
}

HOIST_TEST_TABLE(padding, distances)
{
    dwn_geometry g = window_of(&row->window, row->pitch);
    HOIST_EXPECT_EQ(t, dwn_padding_of(&g, row->input, row->produced, row->consumed),
                    row->is_padding);
    HOIST_EXPECT_EQ(t, g.padding[0], row->top);
    HOIST_EXPECT_EQ(t, g.padding[1], row->left);
}

// clang-format off
static const struct {
    const char *name;
    dwn_extent input, output;
    shape window;
    uint32_t top, left;
} sames[] = {
    {"stride 1",            {64, 64, 8}, {64, 64, 8}, {{3, 3}, {1, 1}, 1}, 1, 1},
    {"stride 2, even",      {64, 64, 8}, {32, 32, 8}, {{3, 3}, {2, 2}, 1}, 0, 0},
    {"stride 2, odd",       {65, 64, 8}, {33, 32, 8}, {{3, 3}, {2, 2}, 1}, 1, 0},
    {"dilated",             {33, 33, 8}, {33, 33, 8}, {{3, 3}, {1, 1}, 2}, 2, 2},
    {"nothing over",        {64, 64, 8}, {32, 32, 8}, {{2, 2}, {2, 2}, 1}, 0, 0},
    {"window of one",       {64, 64, 8}, {32, 32, 8}, {{1, 1}, {2, 2}, 1}, 0, 0},
};
// clang-format on

HOIST_TEST_TABLE(same_padding, sames)
{
    dwn_geometry g = window_of(&row->window, 0);
    g.output = row->output;
    const dwn_sides same = dwn_padding_same(&g, row->input);
    HOIST_EXPECT_EQ(t, same.top, row->top);
    HOIST_EXPECT_EQ(t, same.left, row->left);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(geometry), HOIST_TEST_ROW(channels_before_taps),
                HOIST_TEST_ROW(no_tile_has_no_rows), HOIST_TEST_ROW(strides_by_all_tiles),
                HOIST_TEST_ROW(padding), HOIST_TEST_ROW(same_padding))
