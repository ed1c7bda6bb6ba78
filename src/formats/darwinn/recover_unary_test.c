// Operations on single numbers: what gives an operation the identity or a table, and models of
// them.
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { ALL = 0xffff, PLACE = 0x207c };

// 64 x 64 x 4, each word of 16 x 16 on each tile.
#define RESCALE                                                                                    \
    {                                                                                              \
        .tiles = ALL, .mode = 0x30, .multiplier = 0.25f, .input_zero = 3, .output_zero = 7,        \
        .high = 248, .low = -7, .rest = 256, .c_base = PLACE, .a = {{256, 1}}, .b = {              \
            {256, 1}                                                                               \
        }                                                                                          \
    }
#define TABLE                                                                                      \
    {                                                                                              \
        .tiles = ALL, .mode = 0x30, .multiplier = 0.25f, .input_zero = 3, .high = 0x1.4cb208p+3f,  \
        .low = -0x1.4cb208p+3f, .rest = 256, .c_base = PLACE, .table = 1, .a = {{256, 1}}, .b = {  \
            {256, 1}                                                                               \
        }                                                                                          \
    }

// What comes before an operation.
typedef struct before {
    uint16_t stored, copied; // tiles
    uint32_t base, from, to; // of the stores and the copy
    uint32_t wrong;          // 1 + the word that is stored as another number
    bool is_split;           // something else is stored after two words
    bool is_overwritten;     // the same tiles copy something else there afterwards
    uint16_t loaded;         // tiles that load the table
    bool is_other_table;
} before;

static void make_before(dwn_maker *m, const before *b)
{
    for (uint32_t i = 0; b->stored && i < 4; i++) {
        const uint32_t value = b->wrong == i + 1 ? 2 : UINT32_C(1) << 8 * i;
        dwn_make_fill(m, &(dwn_stored){b->stored, false, value, b->base + i, {{0}}});
        if (b->is_split && i == 1) {
            dwn_make_fill(m, &(dwn_stored){b->stored, false, 9, 0, {{0}}});
        }
    }
    if (b->copied) {
        dwn_make_copy(m, b->copied, b->from, b->to);
    }
    if (b->is_overwritten) {
        dwn_make_fill(m, &(dwn_stored){b->stored, false, 9, b->base, {{0}}});
        dwn_make_copy(m, b->copied, b->from, b->to);
    }
    if (b->loaded) {
        dwn_make_table(m, b->loaded, b->is_other_table);
    }
}

#define IDENTITY .stored = ALL, .copied = ALL, .base = 8, .from = 8, .to = PLACE

// clang-format off
static const struct {
    const char *name;
    before given;
    dwn_sketch sketch;
    dwn_layer_kind want;
} givens[] = {
    {"an identity",              {IDENTITY}, RESCALE, DWN_KIND_QUANTIZE},
    {"nothing",                  {.stored = 0}, RESCALE, DWN_KIND_UNKNOWN},
    {"not copied",               {.stored = ALL, .base = 8}, RESCALE, DWN_KIND_UNKNOWN},
    {"copied elsewhere",         {.stored = ALL, .copied = ALL, .base = 8, .from = 8, .to = 0x2068}, RESCALE, DWN_KIND_UNKNOWN},
    {"something else is copied", {.stored = ALL, .copied = ALL, .base = 8, .from = 9, .to = PLACE}, RESCALE, DWN_KIND_UNKNOWN},
    {"another number",           {IDENTITY, .wrong = 3}, RESCALE, DWN_KIND_UNKNOWN},
    {"another first number",     {IDENTITY, .wrong = 1}, RESCALE, DWN_KIND_UNKNOWN},
    {"stores between",           {IDENTITY, .is_split = true}, RESCALE, DWN_KIND_UNKNOWN},
    {"overwritten",              {IDENTITY, .is_overwritten = true}, RESCALE, DWN_KIND_UNKNOWN},
    {"a tile does not store it", {.stored = 0xfffe, .copied = ALL, .base = 8, .from = 8, .to = PLACE}, RESCALE, DWN_KIND_UNKNOWN},
    {"a tile does not copy it",  {.stored = ALL, .copied = 0xfffe, .base = 8, .from = 8, .to = PLACE}, RESCALE, DWN_KIND_UNKNOWN},
    {"nothing changes",          {IDENTITY}, {.mode = 0x30, .multiplier = 1, .input_zero = 3, .output_zero = 3, .low = -3, .high = 252, .c_base = PLACE}, DWN_KIND_UNKNOWN},
    {"another zero point only",  {IDENTITY}, {.mode = 0x30, .multiplier = 1, .input_zero = 3, .output_zero = 4, .low = -4, .high = 251, .c_base = PLACE}, DWN_KIND_QUANTIZE},
    {"clamps of an activation",  {IDENTITY}, {.mode = 0x30, .input_zero = 3, .output_zero = 4, .high = 251, .c_base = PLACE}, DWN_KIND_UNKNOWN},
    {"a sum",                    {IDENTITY}, {.mode = 0x30, .input_zero = 3, .reduction = 4, .a = {{4, 1}}, .c_base = PLACE}, DWN_KIND_UNKNOWN},
    {"a constant",               {IDENTITY}, {.mode = 0x30, .input_zero = 3, .constant = 1, .c_base = PLACE}, DWN_KIND_UNKNOWN},
    {"a bias",                   {IDENTITY}, {.mode = 0x30, .input_zero = 3, .has_bias = true, .c_base = PLACE}, DWN_KIND_UNKNOWN},
    {"more rows",                {IDENTITY}, {.mode = 0x30, .input_zero = 3, .full_rows = 8, .last_rows = 8, .c_base = PLACE}, DWN_KIND_UNKNOWN},
    {"weights with a zero point", {IDENTITY}, {.mode = 0x30, .input_zero = 3, .weight_zero = 1, .c_base = PLACE}, DWN_KIND_UNKNOWN},
    {"a table",                  {IDENTITY, .loaded = ALL}, TABLE, DWN_KIND_LOGISTIC},
    {"no table",                 {IDENTITY}, TABLE, DWN_KIND_UNKNOWN},
    {"another table",            {IDENTITY, .loaded = ALL, .is_other_table = true}, TABLE, DWN_KIND_UNKNOWN},
    {"a tile has no table",      {IDENTITY, .loaded = 0x7fff}, TABLE, DWN_KIND_UNKNOWN},
    {"a table, no identity",     {.loaded = ALL}, TABLE, DWN_KIND_UNKNOWN},
    {"a table with other limits", {IDENTITY, .loaded = ALL}, {.mode = 0x30, .input_zero = 3, .table = 1, .c_base = PLACE}, DWN_KIND_UNKNOWN},
    {"a table used otherwise",   {IDENTITY, .loaded = ALL}, {.mode = 0x30, .high = 0x1.4cb208p+3f, .table = 5, .c_base = PLACE}, DWN_KIND_UNKNOWN},
};
// clang-format on

HOIST_TEST_TABLE(what_is_given, givens)
{
    dwn_maker m = {.next_id = 0};
    dwn_operations all;
    dwn_make_begin(&m);
    make_before(&m, &row->given);
    dwn_make_operation(&m, &row->sketch);
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &all), HOIST_OK);
    HOIST_EXPECT_EQ(t, all.count, 1);
    HOIST_EXPECT_EQ(t, all.items[0].kind, row->want);
}

// More identities than are remembered: the first ones are.
HOIST_TEST(many_identities)
{
    dwn_maker m = {.next_id = 0};
    dwn_operations all;
    dwn_sketch sketch = RESCALE;
    dwn_make_begin(&m);
    make_before(&m, &(before){.stored = ALL, .base = 8});
    for (uint32_t i = 0; i <= DWN_IDENTITIES; i++) {
        dwn_make_copy(&m, ALL, 8, PLACE + 4 * i);
    }
    for (int32_t i = 0; i < 2; i++) {
        sketch.c_base = PLACE + i * 4 * DWN_IDENTITIES;
        dwn_make_operation(&m, &sketch);
    }
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &all), HOIST_OK);
    HOIST_EXPECT_EQ(t, all.count, 2);
    HOIST_EXPECT_EQ(t, all.items[0].kind, DWN_KIND_QUANTIZE);
    HOIST_EXPECT_EQ(t, all.items[1].kind, DWN_KIND_UNKNOWN);
}

// Models ------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    dwn_sketch sketch;
    uint8_t zero;       // of the input
    dwn_extent input;
    uint8_t output_zero;
    dwn_layer_kind want; // UNKNOWN: there is no layer
    const char *gap;     // NULL: the model is complete
} models[] = {
    {"rescaled",             RESCALE, 3, {64, 64, 4}, 7, DWN_KIND_QUANTIZE, NULL},
    {"a logistic",           TABLE,   3, {64, 64, 4}, 0, DWN_KIND_LOGISTIC, NULL},
    {"another zero point",   RESCALE, 4, {64, 64, 4}, 7, DWN_KIND_UNKNOWN,  "no value fits as the input of the operation on single numbers"},
    {"another size",         RESCALE, 3, {64, 60, 4}, 7, DWN_KIND_UNKNOWN,  "no value fits as the input of the operation on single numbers"},
    {"another order",        {.tiles = ALL, .mode = 0x30, .input_zero = 3, .output_zero = 7, .high = 248, .low = -7, .rest = 256, .c_base = PLACE, .a = {{16, 1}, {16, 16}}, .b = {{16, 16}, {16, 1}}},
     3, {64, 64, 4}, 7, DWN_KIND_QUANTIZE, "the output is written in an order that no known file has"},
    {"into longer rows",     {.tiles = ALL, .mode = 0x30, .input_zero = 3, .output_zero = 7, .high = 248, .low = -7, .rest = 512, .c_base = PLACE, .a = {{256, 2}, {2, 1}}, .b = {{16, 2}, {16, 36}, {2, 1}}},
     3, {64, 64, 8}, 7, DWN_KIND_QUANTIZE, NULL},
    {"channels first on one side", {.tiles = ALL, .mode = 0x30, .input_zero = 3, .output_zero = 7, .high = 248, .low = -7, .rest = 512, .c_base = PLACE, .a = {{256, 2}, {2, 1}}, .b = {{2, 1}, {16, 2}, {16, 36}}},
     3, {64, 64, 8}, 7, DWN_KIND_QUANTIZE, "the output is written in an order that no known file has"},
    {"an output that is not a logistic's", {.tiles = ALL, .mode = 0x30, .input_zero = 3, .output_zero = 7, .high = 0x1.4cb208p+3f, .low = -0x1.4cb208p+3f, .rest = 256, .c_base = PLACE, .table = 1, .a = {{256, 1}}, .b = {{256, 1}}},
     3, {64, 64, 4}, 7, DWN_KIND_UNKNOWN, "no value fits as the input of the operation on single numbers"},
};
// clang-format on

HOIST_TEST_TABLE(whole_models, models)
{
    static const before given = {IDENTITY, .loaded = ALL};
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    dwn_make_begin(&m);
    make_before(&m, &given);
    dwn_make_operation(&m, &row->sketch);
    dwn_test_border(&model.input, &model.numerics[0], row->input, row->zero);
    dwn_test_border(&model.output, &model.numerics[1], row->input, row->output_zero);
    dwn_test_model(t, &model, dwn_make_end(&m, false), (hoist_bytes){NULL, 0});
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, row->want != DWN_KIND_UNKNOWN);
    HOIST_EXPECT_EQ(t, r.gap_count == 0, row->gap == NULL);
    if (row->gap && r.gap_count > 0) {
        HOIST_EXPECT(t, strcmp(r.gaps[0].reason, row->gap) == 0);
    }
    if (r.count == 1) {
        HOIST_EXPECT_EQ(t, r.layers[0].kind, row->want);
        HOIST_EXPECT_EQ(t, r.layers[0].output.c, row->input.c);
        HOIST_EXPECT_EQ(t, r.layers[0].inputs[0], DWN_MODEL_INPUT);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_is_given), HOIST_TEST_ROW(many_identities),
                HOIST_TEST_ROW(whole_models))
