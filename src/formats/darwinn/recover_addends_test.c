// What additions read, word by word: of both operands the word that goes to the same place.
#include <string.h>

#include "formats/darwinn/recover_testing.h"
#include "formats/darwinn/recover_trace.h"

enum { FIRST = 100, SECOND = 200, FAR = SECOND - FIRST, LAYERS = 2, VALUES = 4, FURTHER = 2 };

// 2 x 2 pixels of 8 channels on tile 0: 8 words of each value.
#define VALUE(at, m)                                                                               \
    {                                                                                              \
        .reduction = 2, .rest = 4, .full_rows = 8, .last_rows = 8, .multiplier = (m),              \
        .b_base = (at), .a = {{2, 1}, {4, 2}}, .b = {                                              \
            {2, 1},                                                                                \
            {4, 2}                                                                                 \
        }                                                                                          \
    }

typedef struct adding {
    int64_t a[DWN_LOOPS][2], b[DWN_LOOPS][2];
    int32_t from;
    uint32_t values[2];
    uint32_t overwritten; // where something is stored; 0: nowhere
    bool is_flagged;      // loops go a word further than their increments
    bool is_blind;
} adding;

// clang-format off
#define IN_ORDER .a = {{2, 0}, {2, FAR}, {2, 1}, {4, 2}}, .b = {{2, 1}, {4, 2}}
#define BY_WORDS .a = {{2, 0}, {2, FAR}, {4, 2}, {2, 1}}, .b = {{4, 2}, {2, 1}}
static const struct {
    const char *name;
    adding s;
    bool differ;
} sums[] = {
    {"both in order",        {IN_ORDER, .from = FIRST, .values = {1, 2}}, false},
    {"with flags",           {IN_ORDER, .from = FIRST, .values = {1, 2}, .is_flagged = true}, false},
    {"exchanged",            {IN_ORDER, .from = FIRST, .values = {2, 1}}, true},
    {"one value twice",      {IN_ORDER, .from = FIRST, .values = {1, 1}}, true},
    {"word after word",      {BY_WORDS, .from = FIRST, .values = {1, 2}}, false},
    {"word after word, written in order", {.a = {{2, 0}, {2, FAR}, {4, 2}, {2, 1}}, .b = {{2, 1}, {4, 2}}, .from = FIRST, .values = {1, 2}}, true},
    {"a word later",         {IN_ORDER, .from = FIRST + 1, .values = {1, 2}}, true},
    {"a pixel later",        {IN_ORDER, .from = FIRST + 2, .values = {1, 2}}, true},
    {"the second a word later", {.a = {{2, 0}, {2, FAR + 1}, {2, 1}, {4, 2}}, .b = {{2, 1}, {4, 2}}, .from = FIRST, .values = {1, 2}}, true},
    {"a word is unknown",    {IN_ORDER, .from = FIRST, .values = {1, 2}, .overwritten = SECOND + 3}, false},
    {"nothing is known",     {IN_ORDER, .from = 400, .values = {1, 2}}, false},
    {"after something unknown", {IN_ORDER, .from = FIRST + 1, .values = {1, 2}, .is_blind = true}, false},
    {"fewer words",          {.a = {{2, 0}, {2, FAR}, {2, 1}, {2, 2}}, .b = {{2, 1}, {4, 2}}, .from = FIRST + 1, .values = {1, 2}}, false},
    {"one operand",          {.a = {{2, 0}, {1, 0}, {2, 1}, {4, 2}}, .b = {{2, 1}, {4, 2}}, .from = FIRST + 1, .values = {1, 2}}, false},
};
// clang-format on

static void set_flags(dwn_operation *op)
{
    for (size_t i = 1; i < DWN_LOOPS; i++) {
        op->a.loops[i].flags = FURTHER;
        op->a.loops[i].increment--;
    }
}

HOIST_TEST_TABLE(sums_of_words, sums)
{
    const adding *s = &row->s;
    static const dwn_sketch makers[] = {VALUE(FIRST, 0.5f), VALUE(SECOND, 0.25f)};
    dwn_sketch sum = {.mode = 0xb0, .code = 0x48, .a_base = s->from, .b_base = 600};
    dwn_maker m = {.next_id = 0};
    uint32_t owners[LAYERS + 1] = {0, 1, DWN_NONE};
    dwn_value values[VALUES] = {
        {.extent = {1, 1, 4}}, {.extent = {2, 2, 8}}, {.extent = {2, 2, 8}}};
    dwn_recovered layers[LAYERS] = {{.kind = DWN_KIND_CONVOLUTION}, {.kind = DWN_KIND_CONVOLUTION}};
    dwn_made made[LAYERS] = {{.strips = 1}, {.strips = 1}};
    memcpy(sum.a, s->a, sizeof(sum.a));
    memcpy(sum.b, s->b, sizeof(sum.b));
    dwn_make_begin(&m);
    dwn_make_operation(&m, &makers[0]);
    dwn_make_operation(&m, &makers[1]);
    if (s->overwritten) {
        dwn_make_fill(&m, &(dwn_stored){1, false, 0, s->overwritten, {{0}}});
    }
    dwn_make_operation(&m, &sum);
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    dwn_walk w = {.arena = &t->arena,
                  .scratch = &t->arena,
                  .owners = owners,
                  .values = values,
                  .layers = layers,
                  .made = made,
                  .input_count = 1,
                  .layer_count = LAYERS,
                  .is_blind = s->is_blind};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w.operations), HOIST_OK);
    HOIST_EXPECT_EQ(t, w.operations.group_count, LAYERS + 1);
    if (s->is_flagged) {
        set_flags(&w.operations.items[LAYERS]);
    }
    dwn_added added = {.are_proven = true};
    HOIST_EXPECT_EQ(
        t,
        dwn_see_addends(&w, &w.operations.groups[LAYERS], s->values, (dwn_extent){2, 2, 8}, &added),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, added.differ, row->differ);
    HOIST_EXPECT(t, !added.are_proven); // none is a slice
}

// A slice of a value of 12 channels, and one of 8.
// clang-format off
static const struct {
    const char *name;
    uint32_t first;
    int32_t from;          // where the slice is read
    bool is_first;         // of the operands
    uint32_t overwritten;  // 0: nothing is
    dwn_added want;
} cuts[] = {
    {"the last channels",     4, FIRST + 1, true,  0, {false, true}},
    {"the first channels",    0, FIRST,     true,  0, {false, true}},
    {"the other operand",     4, FIRST + 1, false, 0, {true, false}},
    {"others are read",       0, FIRST + 1, true,  0, {true, false}},
    {"one is overwritten",    4, FIRST + 1, true,  FIRST + 2, {false, false}},
    {"one is not, next to it", 4, FIRST + 1, true, FIRST, {false, true}},
};
// clang-format on

// The two convolutions before the sum.
static const dwn_sketch makers[] = {{.reduction = 2,
                                     .rest = 4,
                                     .full_rows = 12,
                                     .last_rows = 12,
                                     .b_base = FIRST,
                                     .a = {{2, 1}, {4, 2}},
                                     .b = {{3, 1}, {4, 3}}},
                                    {.reduction = 2,
                                     .rest = 4,
                                     .full_rows = 8,
                                     .last_rows = 8,
                                     .multiplier = 0.25f,
                                     .b_base = SECOND,
                                     .a = {{2, 1}, {4, 2}},
                                     .b = {{2, 1}, {4, 3}}}};

HOIST_TEST_TABLE(sums_of_slices, cuts)
{
    static const uint32_t inputs[] = {0};
    const dwn_sketch sum = {.mode = 0xb0,
                            .code = 0x48,
                            .a_base = row->from,
                            .b_base = 600,
                            .a = {{2, 0}, {2, SECOND - row->from}, {2, 1}, {4, 3}},
                            .b = {{2, 1}, {4, 2}}};
    dwn_maker m = {.next_id = 0};
    uint32_t owners[LAYERS + 1] = {0, 1, DWN_NONE};
    dwn_value values[] = {{.extent = {1, 1, 4}},
                          {.extent = {2, 2, 12}},
                          {.extent = {2, 2, 8}},
                          {.extent = {2, 2, 8}}};
    dwn_recovered layers[] = {{.kind = DWN_KIND_CONVOLUTION},
                              {.kind = DWN_KIND_CONVOLUTION},
                              {.kind = DWN_KIND_SLICE,
                               .inputs = inputs,
                               .input_count = 1,
                               .input = {2, 2, 12},
                               .output = {2, 2, 8},
                               .first = row->first}};
    dwn_made made[] = {{.strips = 1}, {.strips = 1}, {.strips = 0}};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &makers[0]);
    dwn_make_operation(&m, &makers[1]);
    if (row->overwritten) {
        dwn_make_fill(&m, &(dwn_stored){1, false, 0, row->overwritten, {{0}}});
    }
    dwn_make_operation(&m, &sum);
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    dwn_walk w = {.arena = &t->arena,
                  .scratch = &t->arena,
                  .owners = owners,
                  .values = values,
                  .layers = layers,
                  .made = made,
                  .input_count = 1,
                  .layer_count = 3};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w.operations), HOIST_OK);
    const uint32_t operands[2] = {row->is_first ? 3 : 2, row->is_first ? 2 : 3};
    dwn_added added = {false, false};
    HOIST_EXPECT_EQ(
        t,
        dwn_see_addends(&w, &w.operations.groups[LAYERS], operands, (dwn_extent){2, 2, 8}, &added),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, added.differ, row->want.differ);
    HOIST_EXPECT_EQ(t, added.are_proven, row->want.are_proven);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(sums_of_words), HOIST_TEST_ROW(sums_of_slices))
