// Values that are moved into the middle of larger ones: all words around them, and windows over
// them.
#include <math.h>
#include <string.h>

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

// Windows of 3 x 3 on 4 x 4 tiles, each of which makes 2 x 2 pixels of the words that begin a row
// and a column before its own: 4 x 4, of the first tiles 5. The value is at 3 and 4 of both axes.
typedef struct window {
    int32_t moved[SIDES]; // where tiles 0, 2, 8 and 10 have their pixels
    uint32_t value;
    uint8_t zero;
    int64_t pitch; // of windows on tile 0
    bool is_sent;
    uint32_t before; // 0: none
} window;

// clang-format off
static const struct {
    const char *name;
    window window;
} windows[] = {
    {"tiles of two rows and columns", {{24, 17, 9, 5}, ZERO, 128, 5, false, 4}},
    {"another number",                {{24, 17, 9, 5}, 0x80808000, 128, 5, false, 0}},
    {"no number at all",              {{24, 17, 9, 5}, ZERO, 128, 5, true, 0}},
    {"another zero point",            {{24, 17, 9, 5}, 0x7f7f7f7f, 127, 5, false, 0}},
    {"another row",                   {{24, 17, 14, 5}, ZERO, 128, 5, false, 0}},
    {"another column",                {{24, 18, 9, 5}, ZERO, 128, 5, false, 0}},
    {"another part",                  {{24, 17, 9, 6}, ZERO, 128, 5, false, 0}},
    {"before the part",               {{-1, 17, 9, 5}, ZERO, 128, 5, false, 0}},
    {"another pitch",                 {{24, 17, 9, 5}, ZERO, 128, 6, false, 0}},
};
// clang-format on

static dwn_sketch window_on(uint16_t tiles, uint8_t zero, int64_t pitch, int64_t rows)
{
    return (dwn_sketch){
        .tiles = tiles,
        .input_zero = zero,
        .reduction = 9,
        .rest = 4,
        .a = {{1, 1}, {3, 1}, {3, pitch}, {1, 1}, {2, 1}, {2, pitch}, {1, pitch * rows}}};
}

HOIST_TEST_TABLE(padded_windows, windows)
{
    const window *const w = &row->window;
    const dwn_sketch moves[SIDES] = {
        LAYOUT(0x1, w->moved[0], 1, 1, 5, 25), LAYOUT(0x4, w->moved[1], 1, 1, 4, 20),
        LAYOUT(0x100, w->moved[2], 1, 1, 5, 20), LAYOUT(0x400, w->moved[3], 1, 1, 4, 16)};
    const dwn_sketch reads[SIDES] = {
        window_on(0x1, w->zero, w->pitch, 5), window_on(0xe, w->zero, 4, 5),
        window_on(0x1110, w->zero, 5, 4), window_on(0xeee0, w->zero, 4, 4)};
    const dwn_value value = {.extent = {2, 2, 3}, .zero = 128};
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    for (size_t i = 0; i < SIDES; i++) {
        dwn_make_operation(&m, &moves[i]);
    }
    dwn_make_fill(&m, &(dwn_stored){0xffff, w->is_sent, w->value, 0, {{2, 1}}});
    for (size_t i = 0; i < SIDES; i++) {
        dwn_make_operation(&m, &reads[i]);
    }
    const dwn_operations all = operations_of(t, &m);
    HOIST_EXPECT_EQ(t, all.group_count, 2);
    dwn_geometry g;
    const bool is_padded = dwn_padded_window(&all, &all.groups[0], &all.groups[1], &value, &g);
    HOIST_EXPECT_EQ(t, is_padded, row->window.before > 0);
    if (is_padded) {
        HOIST_EXPECT_EQ(t, g.output.h, 8);
        HOIST_EXPECT_EQ(t, g.output.w, 8);
        HOIST_EXPECT_EQ(t, g.kernel[0], 3);
        HOIST_EXPECT_EQ(t, g.padding[0], w->before);
        HOIST_EXPECT_EQ(t, g.padding[1], w->before);
    }
}

// Models of one input, 2 x 2 x 3 with the zero point 128, that is moved and perhaps read by a
// layer.
enum { BLOCK = 64 };

// clang-format off
#define APART LAYOUT(0x1, 0, 1, 1, 1, 1), LAYOUT(0x4, 0, 1, 1, 1, 1), LAYOUT(0x100, 0, 1, 1, 1, 1), LAYOUT(0x400, 0, 1, 1, 1, 1)
#define AROUND BELOW, BELOW_RIGHT, RIGHT, ABOVE, ABOVE_RIGHT, LEFT
#define POINT(ZERO_POINT) {.weight_zero = 7, .input_zero = (ZERO_POINT), .output_zero = 5, .a = {{1, 1}, {1, 1}, {1, 4}, {1, 1}, {1, 8}, {1, 24}, {1, 12}}}
#define SUM(SECOND, CONSTANT) {.tiles = 0x505, .mode = 0xb0, .code = 0x58, .constant = (CONSTANT), .reduction = 2, .rest = 24, .output_zero = 5, \
                               .b_base = 100, .a = {{2, 0}, {2, SECOND}, {1, 0}, {4, 1}, {3, 4}}, .b = {{1, 1}, {1, 1}, {4, 1}, {3, 4}}}
static const struct {
    const char *name;
    dwn_sketch moves[SIDES];
    dwn_stored fills[FILLS];
    dwn_sketch reader; // mode 0 and no loops: there is none
    dwn_extent output;
    uint8_t output_zero;
    uint32_t layers;
    dwn_layer_kind last;
    uint32_t padding[2]; // of the last
    const char *gap;     // NULL: there is none
} models[] = {
    {"a padded output",       {FOUR}, {AROUND}, {.mode = 0}, {6, 8, 3}, 128, 1, DWN_KIND_PAD, {2, 3}, NULL},
    {"of another zero point", {FOUR}, {AROUND}, {.mode = 0}, {6, 8, 3}, 127, 1, DWN_KIND_PAD, {2, 3}, "no layer was found that makes the output"},
    {"nothing is done",       {APART}, {{0}}, {.mode = 0}, {2, 2, 3}, 128, 1, DWN_KIND_PAD, {0, 0}, NULL},
    {"nothing, another size", {APART}, {{0}}, {.mode = 0}, {2, 4, 3}, 128, 0, DWN_KIND_UNKNOWN, {0, 0}, "no layer was found that makes the output"},
    {"nothing, another zero", {APART}, {{0}}, {.mode = 0}, {2, 2, 3}, 127, 0, DWN_KIND_UNKNOWN, {0, 0}, "no layer was found that makes the output"},
    {"padding of a layer",    {FOUR}, {AROUND}, POINT(128), {1, 1, 4}, 5, 1, DWN_KIND_CONVOLUTION, {2, 3}, NULL},
    {"of another zero point", {FOUR}, {AROUND}, POINT(127), {1, 1, 4}, 5, 1, DWN_KIND_PAD, {2, 3}, "no value fits as the input of the layer"},
    {"twice the value",       {FOUR}, {AROUND}, SUM(-1, -256), {6, 8, 3}, 5, 2, DWN_KIND_ADD, {0, 0}, NULL},
    {"twice, another sum",    {FOUR}, {AROUND}, SUM(-1, -255), {6, 8, 3}, 5, 1, DWN_KIND_PAD, {2, 3}, "no values fit as the operands of the addition"},
    {"a second value",        {FOUR}, {AROUND}, SUM(11, -256), {6, 8, 3}, 5, 1, DWN_KIND_PAD, {2, 3}, "no values fit as the operands of the addition"},
};
// clang-format on

static bool has_reason(const dwn_recovery *r, const char *reason)
{
    for (uint32_t i = 0; i < r->gap_count; i++) {
        if (strcmp(r->gaps[i].reason, reason) == 0) {
            return true;
        }
    }
    return false;
}

HOIST_TEST_TABLE(padded_models, models)
{
    static const uint8_t blob[BLOCK] = {20, 21, 22, 7, 20, 21, 22, 7, 20, 21, 22, 7, 20, 21, 22, 7};
    const bool is_sum = row->reader.mode != 0;
    const bool is_point = row->reader.weight_zero != 0;
    dwn_maker main = {.next_id = 0};
    dwn_maker runs = {.next_id = 0};
    dwn_make_begin(&main);
    dwn_make_begin(&runs);
    for (size_t i = 0; i < SIDES; i++) {
        dwn_make_operation(&main, &row->moves[i]);
    }
    for (size_t i = 0; i < FILLS && row->fills[i].tiles; i++) {
        dwn_make_fill(&main, &row->fills[i]);
    }
    for (uint32_t i = 0; is_sum && i < 8; i++) {
        dwn_make_constant(&main, i % 2 ? 0x10000 : 1);
    }
    if (is_sum || is_point) {
        dwn_make_operation(&main, &row->reader);
    }
    if (is_point) {
        dwn_make_supply(&main, false, 0);
        dwn_make_run(&runs, 0);
    }
    dwn_model model;
    dwn_recovery r;
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){2, 2, 3}, 128);
    dwn_test_border(&model.output, &model.numerics[1], row->output, row->output_zero);
    dwn_test_model(t, &model, dwn_make_end(&main, false),
                   (hoist_bytes){blob, is_point ? sizeof(blob) : 0});
    dwn_test_runs(t, &model, dwn_make_end(&runs, false));
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, row->layers);
    HOIST_EXPECT(t, row->gap ? has_reason(&r, row->gap) : r.gap_count == 0);
    if (r.count > 0) {
        const dwn_recovered *last = &r.layers[r.count - 1];
        HOIST_EXPECT_EQ(t, last->kind, row->last);
        HOIST_EXPECT_EQ(t, last->padding[0], row->padding[0]);
        HOIST_EXPECT_EQ(t, last->padding[1], row->padding[1]);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(padded_values), HOIST_TEST_ROW(padded_windows),
                HOIST_TEST_ROW(padded_models))
