// Orders of writing: those of real files, and others.
#include "formats/darwinn/recover_operation.h"
#include "formats/darwinn/recover_testing.h"

// clang-format off
static const struct {
    const char *name;
    uint32_t words; // of a pixel
    int64_t b[DWN_LOOPS][2]; // counts and strides, the innermost first
    bool want;
} orders[] = {
    {"one word",                       1,  {{0}},                                       true},
    {"channels of one pixel",          16, {{16, 1}},                                   true},
    {"rows with space between them",    2,  {{2, 1}, {16, 2}, {16, 36}},                 true},
    {"two groups of channels",         32, {{16, 1}, {2, 32}, {2, 128}, {2, 16}},       true},
    {"the second group is narrow",     18, {{16, 1}, {33, 18}, {33, 630}, {2, 16}},     true},
    {"channel after channel",          2,  {{256, 2}, {2, 1}},                          true},
    {"beside another output",          8,  {{8, 1}, {48, 16}},                          true},
    {"loops of one step do not count", 2,  {{1, 7}, {2, 1}, {1, -5}, {16, 2}},          true},
    {"every second channel",           16, {{8, 2}},                                    false},
    {"a group that begins too early",  32, {{16, 1}, {2, 32}, {2, 15}},                 false},
    {"a group that begins too late",   32, {{16, 1}, {2, 32}, {2, 17}},                 false},
    {"the same word again",            2,  {{2, 1}, {16, 0}},                           false},
    {"backwards",                      2,  {{2, 1}, {16, -2}},                          false},
    {"rows that meet",                 2,  {{2, 1}, {16, 2}, {16, 30}},                 false},
    {"rows between two pixels",        2,  {{2, 1}, {16, 2}, {16, 37}},                 false},
    {"three loops over pixels",        2,  {{2, 1}, {16, 2}, {16, 36}, {2, 1000}},      false},
    {"rows without end",               2,  {{1 << 18, INT64_MAX / 2}, {2, INT64_MAX}},  false},
};
// clang-format on

HOIST_TEST_TABLE(writes_in_order, orders)
{
    dwn_operation op = {0};
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const int64_t count = row->b[i][0] ? row->b[i][0] : 1;
        op.b.loops[i] = (dwn_loop){.count = (uint32_t)count, .stride = row->b[i][1]};
    }
    HOIST_EXPECT_EQ(t, dwn_writes_in_order(&op, row->words), row->want);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(writes_in_order))
