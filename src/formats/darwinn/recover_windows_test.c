// Windows, strides and padding by the words that tiles read.
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { ALL = 0xffff, NOWHERE = 4000 };

// A value of one word in each pixel that tile 0 makes, and a layer that reads it.
typedef struct reading {
    dwn_extent input;
    dwn_sketch maker, reader;
    uint32_t overwritten; // an address where something is stored between; 0: nothing is
    uint8_t zero;         // of the value; the reader's is 0
    bool is_blind;
    uint32_t kernel[2]; // of the geometry that was found; 0: 3 x 3
    uint32_t stride;    // likewise; 0: 1
    bool is_found;      // which value it reads
} reading;

// 4 x 4 in the middle of 6 x 6, and 3 x 3 without anything around it.
#define PADDED .input = {4, 4, 4}, .maker = {.rest = 16, .b_base = 107, .b = {{4, 1}, {4, 6}}}
#define BARE .input = {3, 3, 4}, .maker = {.rest = 9, .b_base = 107, .b = {{9, 1}}}
#define ONE(at)                                                                                    \
    {                                                                                              \
        .reduction = 9, .rest = 16, .a_base = (at), .a = {{3, 1}, {3, 6}, {4, 1}, {4, 6}},         \
        .b_base = NOWHERE                                                                          \
    }
#define TWO(at)                                                                                    \
    {                                                                                              \
        .reduction = 9, .rest = 4, .a_base = (at), .a = {{3, 1}, {3, 6}, {2, 2}, {2, 12}},         \
        .b_base = NOWHERE                                                                          \
    }
#define ALL_TAPS(at)                                                                               \
    {                                                                                              \
        .reduction = 9, .rest = 1, .a_base = (at), .a = {{9, 1}}, .b_base = NOWHERE                \
    }
#define POINTS(at)                                                                                 \
    {                                                                                              \
        .reduction = 1, .rest = 16, .a_base = (at), .a = {{4, 1}, {4, 6}}, .b_base = NOWHERE       \
    }

// clang-format off
static const struct {
    const char *name;
    reading r;
    bool is_traced;
    uint32_t padding[2];
} readings[] = {
    {"padding of one",          {PADDED, .reader = ONE(100), .is_found = true}, true, {1, 1}},
    {"the value was not found", {.input = {4, 4, 4}, .maker = {.tiles = ALL, .rest = 1, .b_base = 9}, .reader = {.tiles = ALL, .rest = 1, .a_base = 9}}, true, {0, 0}},
    {"no value is there",       {.input = {4, 4, 4}, .maker = {.tiles = ALL, .rest = 1, .b_base = 9}, .reader = {.tiles = ALL, .rest = 1, .a_base = 8}}, false, {0, 0}},
    {"padding at the top alone", {PADDED, .reader = ONE(101), .is_found = true}, true, {1, 0}},
    {"padding at the left alone", {PADDED, .reader = ONE(106), .is_found = true}, true, {0, 1}},
    {"no padding, a stride of 2", {PADDED, .reader = TWO(107), .stride = 2, .is_found = true}, true, {0, 0}},
    {"padding, a stride of 2",  {PADDED, .reader = TWO(100), .stride = 2, .is_found = true}, true, {1, 1}},
    {"another stride",          {PADDED, .reader = TWO(107), .stride = 1, .is_found = true}, false, {0, 0}},
    {"padding of a window",     {PADDED, .reader = ONE(86), .is_found = true}, false, {0, 0}},
    {"after the value",         {PADDED, .reader = ONE(114), .is_found = true}, false, {0, 0}},
    {"nothing of it is read",   {PADDED, .reader = ONE(1000), .is_found = true}, false, {0, 0}},
    {"a pixel is overwritten",  {PADDED, .reader = ONE(100), .overwritten = 114, .is_found = true}, false, {0, 0}},
    {"the last is overwritten", {PADDED, .reader = ONE(100), .overwritten = 128, .is_found = true}, false, {0, 0}},
    {"another zero point",      {PADDED, .reader = ONE(100), .zero = 1}, false, {0, 0}},
    {"nothing is known",        {PADDED, .reader = ONE(100), .is_blind = true, .is_found = true}, false, {0, 0}},
    {"a square in one loop",    {BARE, .reader = ALL_TAPS(107), .kernel = {3, 3}, .is_found = true}, true, {0, 0}},
    {"a row in one loop",       {BARE, .reader = ALL_TAPS(107), .kernel = {1, 9}, .is_found = true}, false, {0, 0}},
    {"a column in one loop",    {BARE, .reader = ALL_TAPS(107), .kernel = {9, 1}, .is_found = true}, false, {0, 0}},
    {"points",                  {PADDED, .reader = POINTS(107), .kernel = {1, 1}, .is_found = true}, true, {0, 0}},
    {"points of other rows",    {PADDED, .reader = POINTS(106), .kernel = {1, 1}, .is_found = true}, false, {0, 0}},
};
// clang-format on

static void walk_of(hoist_test *t, const reading *r, dwn_walk *w)
{
    static dwn_value values[2];
    static dwn_recovered layers[1];
    static dwn_made made[1];
    static uint32_t owners[2];
    static const uint32_t inputs[] = {DWN_MODEL_INPUT};
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &r->maker);
    if (r->overwritten) {
        dwn_make_fill(&m, &(dwn_stored){1, false, 0, r->overwritten, {{0}}});
    }
    dwn_make_operation(&m, &r->reader);
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    *w = (dwn_walk){.arena = &t->arena,
                    .scratch = &t->arena,
                    .owners = owners,
                    .values = values,
                    .layers = layers,
                    .made = made,
                    .input_count = 1,
                    .layer_count = 1,
                    .current = 1,
                    .is_blind = r->is_blind};
    values[0] = (dwn_value){.extent = {1, 1, 4}, .zero = 99};
    values[1] = (dwn_value){.extent = r->input, .zero = r->zero, .source = 0, .has_base = true};
    layers[0] = (dwn_recovered){
        .kind = DWN_KIND_CONVOLUTION, .inputs = inputs, .input_count = 1, .output = r->input};
    made[0] = (dwn_made){.strips = 1};
    owners[0] = 0;
    owners[1] = DWN_NONE;
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w->operations), HOIST_OK);
}

static dwn_geometry geometry_of(const reading *r)
{
    const uint32_t side = r->reader.rest == 16 ? 4 : r->reader.rest == 4 ? 2 : 1;
    const uint32_t stride = r->stride ? r->stride : 1;
    return (dwn_geometry){
        .kind = DWN_KIND_CONVOLUTION,
        .output = {side, side, 4},
        .kernel = {r->kernel[0] ? r->kernel[0] : 3, r->kernel[1] ? r->kernel[1] : 3},
        .stride = {stride, stride},
        .dilation = {1, 1},
        .heuristics = 1u << DWN_GUESS_SAME};
}

HOIST_TEST_TABLE(windows_by_words, readings)
{
    const reading *r = &row->r;
    dwn_walk w;
    dwn_geometry g = {0};
    reading own = *r;
    own.maker.multiplier = 0.25f; // no strips
    walk_of(t, &own, &w);
    const dwn_group *group = &w.operations.groups[w.operations.group_count - 1];
    uint32_t value = r->is_found ? 1 : DWN_NONE;
    if (r->is_found) {
        g = geometry_of(r);
    }
    HOIST_EXPECT_EQ(t, dwn_trace_window(&w, group, &value, &g), HOIST_OK);
    HOIST_EXPECT_EQ(t, g.is_traced, row->is_traced);
    HOIST_EXPECT_EQ(t, value, row->is_traced || r->is_found ? 1 : DWN_NONE);
    if (row->is_traced) {
        HOIST_EXPECT(t, g.is_sure && g.is_read && !(g.heuristics >> DWN_GUESS_SAME & 1));
        HOIST_EXPECT_EQ(t, g.padding[0], row->padding[0]);
        HOIST_EXPECT_EQ(t, g.padding[1], row->padding[1]);
    }
}

// Words that are known exclude what is sure for other reasons.
// clang-format off
static const struct {
    const char *name;
    reading r;
    uint32_t padding[2];
    bool differ;
} known[] = {
    {"as they say",           {PADDED, .reader = ONE(100)}, {1, 1}, false},
    {"a column more",         {PADDED, .reader = ONE(100)}, {1, 2}, true},
    {"a column less",         {PADDED, .reader = ONE(100)}, {1, 0}, true},
    {"a row less",            {PADDED, .reader = ONE(100)}, {0, 1}, true},
    {"read a column before",  {PADDED, .reader = ONE(99)},  {1, 1}, true},
    {"another stride",        {PADDED, .reader = TWO(107), .stride = 1}, {0, 0}, true},
    {"a word is unknown",     {PADDED, .reader = ONE(100), .overwritten = 114}, {1, 1}, false},
    {"one is, and others not", {PADDED, .reader = ONE(100), .overwritten = 114}, {1, 0}, true},
    {"all are unknown",       {PADDED, .reader = ONE(1000)}, {1, 1}, false},
    {"a square in one loop",  {BARE, .reader = ALL_TAPS(107), .kernel = {3, 3}}, {0, 0}, false},
    {"a row in one loop",     {BARE, .reader = ALL_TAPS(107), .kernel = {1, 9}}, {0, 0}, true},
    {"after something unknown", {PADDED, .reader = ONE(100), .is_blind = true}, {1, 0}, false},
};
// clang-format on

HOIST_TEST_TABLE(known_words_exclude, known)
{
    dwn_walk w;
    reading own = row->r;
    own.maker.multiplier = 0.25f; // no strips
    walk_of(t, &own, &w);
    dwn_geometry g = geometry_of(&own);
    memcpy(g.padding, row->padding, sizeof(g.padding));
    g.is_sure = g.is_read = true;
    bool differ = !row->differ;
    const dwn_group *group = &w.operations.groups[w.operations.group_count - 1];
    HOIST_EXPECT_EQ(t, dwn_words_differ(&w, group, 1, &g, &differ), HOIST_OK);
    HOIST_EXPECT_EQ(t, differ, row->differ);
}

// What is sure is not looked at again.
HOIST_TEST(sure_windows_are_left_alone)
{
    dwn_walk w;
    const reading r = {PADDED, .reader = ONE(100)};
    walk_of(t, &r, &w);
    dwn_geometry g = {.kind = DWN_KIND_CONVOLUTION,
                      .output = {4, 4, 4},
                      .kernel = {3, 3},
                      .stride = {1, 1},
                      .dilation = {1, 1},
                      .padding = {1, 1},
                      .is_sure = true,
                      .is_read = true};
    uint32_t value = 1;
    HOIST_EXPECT_EQ(t, dwn_trace_window(&w, &w.operations.groups[0], &value, &g), HOIST_OK);
    HOIST_EXPECT(t, !g.is_traced && !w.trace);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(windows_by_words), HOIST_TEST_ROW(known_words_exclude),
                HOIST_TEST_ROW(sure_windows_are_left_alone))
