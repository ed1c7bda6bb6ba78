// Values that lie next to each other, and factors of multiplications by their places.
#include <math.h>
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { ALL = 0xffff, SHARE = 192, PLACE = 1000 };

// 64 x 64 x 1 to 4 channels, 3 x 3, with padding of 1; pixels are two words apart.
#define PART(zero, at, pitch)                                                                      \
    {                                                                                              \
        .tiles = ALL, .reduction = 9, .rest = 256, .output_zero = (zero), .b_base = (at),          \
        .a = {{3, 1}, {3, 18}, {16, 1}, {16, 18}}, .b = {                                          \
            {256, (pitch)}                                                                         \
        }                                                                                          \
    }
// 1 x 1 from 8 channels to 16.
#define READER(zero, at)                                                                           \
    {                                                                                              \
        .tiles = ALL, .reduction = 2, .rest = 256, .full_rows = 16, .last_rows = 16,               \
        .has_bias = true, .input_zero = (zero), .output_zero = 9, .a_base = (at), .b_base = 5000,  \
        .a = {{2, 1}, {256, 2}}, .b = {                                                            \
            {4, 1},                                                                                \
            {256, 4}                                                                               \
        }                                                                                          \
    }
#define MOVE(from, to, pitch)                                                                      \
    {                                                                                              \
        .tiles = ALL, .mode = 0x30, .multiplier = 1, .high = INFINITY, .rest = 256,                \
        .a_base = (from), .b_base = (to), .a = {{256, 1}}, .b = {                                  \
            {256, (pitch)}                                                                         \
        }                                                                                          \
    }

// clang-format off
static const struct {
    const char *name;
    dwn_sketch sketches[4];
    uint32_t count;
    uint32_t inputs[2]; // of the join
    bool is_joined;
} joins[] = {
    {"next to each other",      {PART(5, PLACE, 2), PART(5, PLACE + 1, 2), READER(5, PLACE)}, 3, {0, 1}, true},
    {"the second is made first", {PART(5, PLACE + 1, 2), PART(5, PLACE, 2), READER(5, PLACE)}, 3, {1, 0}, true},
    {"one is moved there",      {PART(5, PLACE, 2), PART(5, 3000, 1), MOVE(3000, PLACE + 1, 2), READER(5, PLACE)}, 4, {0, 1}, true},
    {"another is moved there",  {PART(5, PLACE, 2), PART(5, 3000, 1), MOVE(3001, PLACE + 1, 2), READER(5, PLACE)}, 4, {0}, false},
    {"one that fits is elsewhere", {{.tiles = ALL, .rest = 256, .full_rows = 8, .last_rows = 8, .has_bias = true, .has_weight_zeros = true, .output_zero = 5, .b_base = 4000, .a = {{256, 1}}, .b = {{2, 1}, {256, 2}}}, PART(5, PLACE, 2), PART(5, PLACE + 1, 2), READER(5, PLACE)}, 4, {1, 2}, true},
    {"another place is read",   {PART(5, PLACE, 2), PART(5, PLACE + 1, 2), READER(5, PLACE + 2)}, 3, {0}, false},
    {"another zero point",      {PART(5, PLACE, 2), PART(6, PLACE + 1, 2), READER(5, PLACE)}, 3, {0}, false},
    {"read with another one",   {PART(5, PLACE, 2), PART(5, PLACE + 1, 2), READER(6, PLACE)}, 3, {0}, false},
    {"not next to each other",  {PART(5, PLACE, 2), PART(5, PLACE + 2, 2), READER(5, PLACE)}, 3, {0}, false},
    {"pixels further apart",    {PART(5, PLACE, 2), PART(5, PLACE + 1, 3), READER(5, PLACE)}, 3, {0}, false},
    {"a third is missing",      {PART(5, PLACE, 3), PART(5, PLACE + 1, 3), READER(5, PLACE)}, 3, {0}, false},
    {"overwritten",             {PART(5, PLACE, 2), PART(5, PLACE + 1, 2), PART(6, PLACE + 1, 2), READER(5, PLACE)}, 4, {0}, false},
};
// clang-format on

static void recover(hoist_test *t, const dwn_sketch *sketches, uint32_t count, dwn_recovery *out)
{
    dwn_maker m = {.next_id = 0};
    dwn_maker runs = {.next_id = 0};
    dwn_model model = {0};
    dwn_sketch own[4];
    uint32_t parts = 0;
    for (uint32_t i = 0; i < count; i++) {
        own[i] = sketches[i];
        parts += sketches[i].mode == 0;
        own[i].multiplier = sketches[i].mode ? 1 : 0.5f / (float)(i + 1); // no strips
    }
    uint8_t *blob = hoist_arena_alloc(&t->arena, 4 * SHARE);
    memset(blob, 1, 4 * SHARE);
    const dwn_shared shared = {own, count, parts * SHARE, false};
    dwn_make_begin(&m);
    for (uint32_t i = 0; i < count; i++) {
        dwn_make_shared(&m, &shared, i);
    }
    dwn_make_begin(&runs);
    dwn_make_runs(&runs, &shared);
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){64, 64, 4}, 0);
    dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){64, 64, 16}, 9);
    dwn_test_model(t, &model, dwn_make_end(&m, false), (hoist_bytes){blob, parts * SHARE});
    dwn_test_runs(t, &model, dwn_make_end(&runs, false));
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, out), HOIST_OK);
}

HOIST_TEST_TABLE(values_in_one, joins)
{
    dwn_recovery r;
    recover(t, row->sketches, row->count, &r);
    const dwn_recovered *joined = NULL;
    for (uint32_t i = 0; i < r.count; i++) {
        joined = r.layers[i].kind == DWN_KIND_CONCATENATION ? &r.layers[i] : joined;
    }
    HOIST_EXPECT_EQ(t, joined != NULL, row->is_joined);
    if (!joined) {
        HOIST_EXPECT(t, r.unknown > 0);
        return;
    }
    const dwn_recovered *last = &r.layers[r.count - 1];
    HOIST_EXPECT_EQ(t, r.count, row->inputs[0] + row->inputs[1] == 3 ? 5 : 4);
    HOIST_EXPECT_EQ(t, joined->inputs[0], row->inputs[0]);
    HOIST_EXPECT_EQ(t, joined->inputs[1], row->inputs[1]);
    HOIST_EXPECT_EQ(t, joined->output.c, 8);
    HOIST_EXPECT_EQ(t, joined->heuristics, 1u << DWN_GUESS_IN_PLACE);
    HOIST_EXPECT_EQ(t, last->inputs[0], r.count - 2);
    HOIST_EXPECT_EQ(t, last->rows, 16);
    HOIST_EXPECT_EQ(t, r.unknown, 0);
}

// What one layer reads as one is that for another layer, too.
HOIST_TEST(one_join_has_two_readers)
{
    const dwn_sketch sketches[] = {PART(5, PLACE, 2), PART(5, PLACE + 1, 2), READER(5, PLACE),
                                   READER(5, PLACE)};
    dwn_recovery r;
    uint32_t joins_found = 0;
    recover(t, sketches, 4, &r);
    for (uint32_t i = 0; i < r.count; i++) {
        joins_found += r.layers[i].kind == DWN_KIND_CONCATENATION;
    }
    HOIST_EXPECT_EQ(t, joins_found, 1);
    HOIST_EXPECT_EQ(t, r.count, 5);
    HOIST_EXPECT_EQ(t, r.layers[3].inputs[0], 2);
    HOIST_EXPECT_EQ(t, r.layers[4].inputs[0], 2);
}

// Factors ----------------------------------------------------------------------------------------

enum { FIRST = 200, SECOND = 300 };

static const struct {
    const char *name;
    int32_t read;    // by the multiplication
    uint32_t copied; // from, while it runs; 0: nothing is
    uint32_t values[2];
    bool is_sure;
} factors[] = {
    {"by places", FIRST, SECOND, {1, 2}, true},
    {"the other place", FIRST + 50, SECOND, {3, 2}, true},
    {"nothing is copied", FIRST, 0, {1, 2}, true},
    {"another place", FIRST + 1, SECOND, {3, 2}, false},
};

// Three values: of zero point 5 at FIRST and at FIRST + 50, of zero point 6 at SECOND.
HOIST_TEST_TABLE(factors_by_places, factors)
{
    static const dwn_sketch next = {.mode = 0x1000};
    const dwn_sketch product = {
        .mode = 0x1c30, .input_zero = 5, .weight_zero = 6, .a_base = row->read};
    dwn_maker m = {.next_id = 0};
    dwn_value values[4] = {
        {.extent = {8, 8, 4}},
        {.extent = {8, 8, 4}, .zero = 5, .source = 0, .has_base = true, .base = FIRST},
        {.extent = {8, 8, 4}, .zero = 6, .source = 1, .has_base = true, .base = SECOND},
        {.extent = {8, 8, 4}, .zero = 5, .source = 2, .has_base = true, .base = FIRST + 50}};
    dwn_walk w = {.values = values, .input_count = 1, .layer_count = 3, .current = 3};
    dwn_operands found;
    w.zeros[5] = 2;
    w.zeros[6] = 1;
    dwn_make_begin(&m);
    dwn_make_operation(&m, &product);
    if (row->copied) {
        dwn_make_copy(&m, ALL, row->copied, 0);
    }
    dwn_make_operation(&m, &next);
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w.operations), HOIST_OK);
    HOIST_EXPECT(t, dwn_find_factors(&w, &w.operations.groups[0], &found));
    HOIST_EXPECT_EQ(t, found.values[0], row->values[0]);
    HOIST_EXPECT_EQ(t, found.values[1], row->values[1]);
    HOIST_EXPECT_EQ(t, found.is_sure, row->is_sure);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(values_in_one), HOIST_TEST_ROW(one_join_has_two_readers),
                HOIST_TEST_ROW(factors_by_places))
