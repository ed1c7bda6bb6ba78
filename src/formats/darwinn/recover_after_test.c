// Padding at the bottom and the right: SAME, VALID, and PADs of which windows read all or less.
#include "formats/darwinn/recover_operation.h"
#include "formats/darwinn/recover_testing.h"

// clang-format off
static const struct {
    const char *name;
    uint32_t kind, in, out, kernel, stride, dilation, before; // of rows; columns have the same
    uint32_t read, unread;
} rows[] = {
    {"SAME of stride 1",                  DWN_KIND_CONVOLUTION,  8,   8,  3, 1,   1, 1,  1, 0},
    {"SAME of stride 2, even",            DWN_KIND_DEPTHWISE,    8,   4,  3, 2,   1, 0,  1, 0},
    {"SAME of stride 2, odd",             DWN_KIND_CONVOLUTION,  9,   5,  3, 2,   1, 1,  1, 0},
    {"SAME of a window of one",           DWN_KIND_CONVOLUTION,  8,   4,  1, 2,   1, 0,  0, 0},
    {"SAME with a dilation",              DWN_KIND_DEPTHWISE,    9,   9,  3, 1,   2, 2,  2, 0},
    {"VALID",                             DWN_KIND_CONVOLUTION,  8,   6,  3, 1,   1, 0,  0, 0},
    {"VALID that leaves a row out",       DWN_KIND_CONVOLUTION,  8,   3,  3, 2,   1, 0,  0, 0},
    {"a PAD of stride 1",                 DWN_KIND_CONVOLUTION,  8,   9,  3, 1,   1, 2,  1, 0},
    {"a PAD of which the end is unread",  DWN_KIND_CONVOLUTION,  8,   4,  3, 2,   1, 1,  0, 1},
    {"a PAD whose end is read",           DWN_KIND_CONVOLUTION,  8,   5,  3, 2,   1, 1,  2, 1},
    {"SAME behind a PAD",                 DWN_KIND_CONVOLUTION,  353, 177, 3, 2,  1, 0,  2, 1},
    {"one window before the last pixel",  DWN_KIND_CONVOLUTION,  2,   1,  1, 128, 1, 63, 0, 63},
    {"a window far before the end",       DWN_KIND_CONVOLUTION,  8,   1,  1, 4,   1, 2,  0, 0},
    {"a dense layer",                     DWN_KIND_DENSE,        1,   1,  1, 1,   1, 0,  0, 0},
    {"a pool",                            DWN_KIND_AVERAGE_POOL, 9,   2,  4, 4,   1, 0,  0, 0},
};
// clang-format on

HOIST_TEST_TABLE(after, rows)
{
    const dwn_recovered layer = {.kind = (dwn_layer_kind)row->kind,
                                 .input = {row->in, row->in, 1},
                                 .output = {row->out, row->out, 1},
                                 .kernel = {row->kernel, row->kernel},
                                 .stride = {row->stride, row->stride},
                                 .dilation = {row->dilation, row->dilation},
                                 .padding = {row->before, row->before}};
    const dwn_after after = dwn_padding_after(&layer);
    for (size_t i = 0; i < 2; i++) {
        HOIST_EXPECT_EQ(t, after.read[i], row->read);
        HOIST_EXPECT_EQ(t, after.unread[i], row->unread);
    }
}

// clang-format off
static const struct {
    const char *name;
    dwn_axis axis;
    bool has_windows, is_same;
} axes[] = {
    {"SAME",                           {.in = 8,   .out = 8,   .before = 1, .stride = 1, .reach = 3}, true,  true},
    {"SAME of a smaller input",        {.in = 480, .out = 241, .before = 1, .stride = 2, .reach = 3}, true,  false},
    {"VALID",                          {.in = 32,  .out = 30,  .before = 0, .stride = 1, .reach = 3}, true,  false},
    {"VALID that leaves a row out",    {.in = 8,   .out = 3,   .before = 0, .stride = 2, .reach = 3}, true,  false},
    {"a row more would be a window",   {.in = 9,   .out = 3,   .before = 0, .stride = 2, .reach = 3}, false, false},
    {"the last window reads nothing",  {.in = 8,   .out = 11,  .before = 0, .stride = 1, .reach = 3}, false, false},
    {"the first window reads nothing", {.in = 8,   .out = 9,   .before = 3, .stride = 1, .reach = 3}, false, false},
};
// clang-format on

HOIST_TEST_TABLE(windows_of_an_axis, axes)
{
    HOIST_EXPECT_EQ(t, dwn_axis_has_windows(&row->axis), row->has_windows);
    HOIST_EXPECT_EQ(t, dwn_axis_is_same(&row->axis), row->is_same);
}

// A PAD is one of both axes: where one of them has it the end of the other is unknown, too.
HOIST_TEST(after_of_one_axis)
{
    const dwn_recovered layer = {.kind = DWN_KIND_CONVOLUTION,
                                 .input = {8, 8, 1},
                                 .output = {4, 4, 1},
                                 .kernel = {3, 3},
                                 .stride = {2, 2},
                                 .dilation = {1, 1},
                                 .padding = {1, 0}};
    const dwn_after after = dwn_padding_after(&layer);
    HOIST_EXPECT_EQ(t, after.read[0], 0);
    HOIST_EXPECT_EQ(t, after.unread[0], 1);
    HOIST_EXPECT_EQ(t, after.read[1], 1);
    HOIST_EXPECT_EQ(t, after.unread[1], 1);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(after), HOIST_TEST_ROW(windows_of_an_axis),
                HOIST_TEST_ROW(after_of_one_axis))
