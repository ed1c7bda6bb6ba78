// Maxima over windows: padding by addresses, strides by pixels, and what does not fit.
#include <math.h>
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { ALL = 0xffff, SIZE = 192, MADE = 1000, MOVED = 2000 };

// 64 x 64 x 1 to 4 channels, 3 x 3, with padding of 1.
static const dwn_sketch convolution = {.tiles = ALL,
                                       .reduction = 9,
                                       .rest = 256,
                                       .output_zero = 5,
                                       .b_base = MADE,
                                       .a = {{3, 1}, {3, 18}, {16, 1}, {16, 18}},
                                       .b = {{256, 1}}};

// 16 x 16 words of each tile into rows of 20.
#define MOVE(from)                                                                                 \
    {                                                                                              \
        .tiles = ALL, .mode = 0x30, .multiplier = 1, .high = INFINITY, .rest = 256,                \
        .a_base = (from), .b_base = MOVED, .a = {{256, 1}}, .b = {                                 \
            {16, 1},                                                                               \
            {16, 20}                                                                               \
        }                                                                                          \
    }
#define MAXIMUM(kh, kw, pixels)                                                                    \
    {                                                                                              \
        .opcode = DWN_OP_MAX, .tiles = ALL, .mode = 0x1c30, .code = 0x0938, .multiplier = 1,       \
        .input_zero = 5, .output_zero = 5, .constant = -5, .high = 250, .low = -5,                 \
        .reduction = (kw), .rest = (kh), .late = (pixels), .mask = 3, .b = {                       \
            {(pixels), 1}                                                                          \
        }                                                                                          \
    }

// clang-format off
static const struct {
    const char *name;
    dwn_sketch move, maximum;
    uint32_t copied; // from
    uint32_t again;  // from there, too; 0: not
    uint32_t value;  // stored around; 0: zeros
    dwn_layer_kind kind; // UNKNOWN: none
    uint32_t stride, padding[2], output;
} pools[] = {
    {"5x5",                     MOVE(MADE), MAXIMUM(5, 5, 256), MOVED - 42, 0, 0, DWN_KIND_MAX_POOL, 1, {2, 2}, 64},
    {"3x5",                     MOVE(MADE), MAXIMUM(3, 5, 256), MOVED - 22, 0, 0, DWN_KIND_MAX_POOL, 1, {1, 2}, 64},
    {"3x3, stride 2",           MOVE(MADE), MAXIMUM(3, 3, 64),  MOVED,      0, 0, DWN_KIND_MAX_POOL, 2, {0, 0}, 32},
    {"2x2, stride 2",           MOVE(MADE), MAXIMUM(2, 2, 64),  MOVED,      0, 0, DWN_KIND_MAX_POOL, 2, {0, 0}, 32},
    {"other copies",            MOVE(MADE), MAXIMUM(5, 5, 256), MOVED - 42, 5, 0, DWN_KIND_MAX_POOL, 1, {2, 2}, 64},
    {"two addresses that fit",  MOVE(MADE), MAXIMUM(5, 5, 256), MOVED - 42, MOVED - 41, 0, DWN_KIND_UNKNOWN, 0, {0}, 0},
    {"padding that is not SAME", MOVE(MADE), MAXIMUM(5, 5, 256), MOVED - 41, 0, 0, DWN_KIND_UNKNOWN, 0, {0}, 0},
    {"beyond the window",       MOVE(MADE), MAXIMUM(5, 5, 256), MOVED - 100, 0, 0, DWN_KIND_UNKNOWN, 0, {0}, 0},
    {"no stride gives so many", MOVE(MADE), MAXIMUM(5, 5, 200), MOVED - 42, 0, 0, DWN_KIND_UNKNOWN, 0, {0}, 0},
    {"another number around",   MOVE(MADE), MAXIMUM(5, 5, 256), MOVED - 42, 0, 7, DWN_KIND_UNKNOWN, 0, {0}, 0},
    {"another value is moved",  MOVE(MADE + 1), MAXIMUM(5, 5, 256), MOVED - 42, 0, 0, DWN_KIND_UNKNOWN, 0, {0}, 0},
    {"a constant",              MOVE(MADE), {.opcode = DWN_OP_MAX, .tiles = ALL, .mode = 0x1c30, .code = 0x0938, .multiplier = 1, .input_zero = 5, .output_zero = 5, .high = 250, .low = -5, .reduction = 5, .rest = 5, .late = 256, .mask = 3},
     MOVED - 42, 0, 0, DWN_KIND_UNKNOWN, 0, {0}, 0},
    {"a window too large",      MOVE(MADE), MAXIMUM(65, 1, 256), MOVED, 0, 0, DWN_KIND_UNKNOWN, 0, {0}, 0},
};
// clang-format on

HOIST_TEST_TABLE(maxima, pools)
{
    dwn_maker m = {.next_id = 0};
    dwn_maker runs = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    uint8_t blob[SIZE];
    const dwn_shared shared = {&convolution, 1, SIZE, false};
    memset(blob, 1, sizeof(blob));
    dwn_make_begin(&m);
    dwn_make_shared(&m, &shared, 0);
    dwn_make_operation(&m, &row->move);
    dwn_make_fill(&m, &(dwn_stored){ALL, false, row->value, MOVED - 42, {{20, 1}}});
    if (row->again) {
        dwn_make_copy(&m, ALL, row->again, 0);
    }
    dwn_make_copy(&m, ALL, row->copied, 0);
    dwn_make_operation(&m, &row->maximum);
    dwn_make_begin(&runs);
    dwn_make_runs(&runs, &shared);
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){64, 64, 1}, 0);
    dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){row->output, row->output, 4},
                    5);
    dwn_test_model(t, &model, dwn_make_end(&m, false), (hoist_bytes){blob, SIZE});
    dwn_test_runs(t, &model, dwn_make_end(&runs, false));
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, row->kind == DWN_KIND_UNKNOWN ? 1 : 2);
    HOIST_EXPECT_EQ(t, r.unknown, row->kind == DWN_KIND_UNKNOWN);
    if (r.count == 2) {
        const dwn_recovered *layer = &r.layers[1];
        HOIST_EXPECT_EQ(t, layer->kind, row->kind);
        HOIST_EXPECT_EQ(t, layer->kernel[0], row->maximum.rest);
        HOIST_EXPECT_EQ(t, layer->kernel[1], row->maximum.reduction);
        HOIST_EXPECT_EQ(t, layer->stride[0], row->stride);
        HOIST_EXPECT_EQ(t, layer->padding[0], row->padding[0]);
        HOIST_EXPECT_EQ(t, layer->padding[1], row->padding[1]);
        HOIST_EXPECT_EQ(t, layer->output.h, row->output);
        HOIST_EXPECT_EQ(t, layer->inputs[0], 0);
        HOIST_EXPECT_EQ(t, layer->output_layer, 0);
    }
}

// What tiles copy for a maximum: rows of the value that was moved, which has a pitch of 20.
// clang-format off
static const struct {
    const char *name;
    dwn_sketch maximum;
    uint32_t copied; // from
    int64_t rows, pitch;
    bool is_moved; // word for word
    bool is_seen;
} copies[] = {
    {"as many rows as windows read",   MAXIMUM(5, 5, 256), MOVED - 42, 20, 20, true, true},
    {"as many, with a stride",         MAXIMUM(3, 3, 64),  MOVED,      17, 20, true, true},
    {"a row less",                     MAXIMUM(5, 5, 256), MOVED - 42, 19, 20, true, false},
    {"a row more",                     MAXIMUM(3, 3, 64),  MOVED,      18, 20, true, false},
    {"rows further apart",             MAXIMUM(3, 3, 64),  MOVED,      17, 21, true, false},
    {"rows that are too short",        MAXIMUM(5, 5, 256), MOVED - 42, 20, 19, true, false},
    {"nothing is known of the words",  MAXIMUM(3, 3, 64),  MOVED,      17, 20, false, false},
};
// clang-format on

HOIST_TEST_TABLE(copies_of_windows, copies)
{
    enum { PLACE = 0x207c, WORD = 8 };
    dwn_maker m = {.next_id = 0};
    dwn_maker runs = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    uint8_t blob[SIZE];
    dwn_sketch move = MOVE(MADE);
    const dwn_shared shared = {&convolution, 1, SIZE, false};
    const uint32_t side = row->maximum.late == 64 ? 32 : 64;
    move.c_base = row->is_moved ? PLACE : 0;
    memset(blob, 1, sizeof(blob));
    dwn_make_begin(&m);
    for (uint32_t i = 0; i < 4; i++) { // the identity
        dwn_make_fill(&m, &(dwn_stored){ALL, false, UINT32_C(1) << 8 * i, WORD + i, {{0}}});
    }
    dwn_make_copy(&m, ALL, WORD, PLACE);
    dwn_make_shared(&m, &shared, 0);
    dwn_make_operation(&m, &move);
    dwn_make_copy_of(&m, &(dwn_sending){.tiles = ALL,
                                        .base = row->copied,
                                        .loops = {{20, 1}, {row->rows, row->pitch}}});
    dwn_make_operation(&m, &row->maximum);
    dwn_make_begin(&runs);
    dwn_make_runs(&runs, &shared);
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){64, 64, 1}, 0);
    dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){side, side, 4}, 5);
    dwn_test_model(t, &model, dwn_make_end(&m, false), (hoist_bytes){blob, SIZE});
    dwn_test_runs(t, &model, dwn_make_end(&runs, false));
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, 2);
    bool is_told = false;
    for (uint32_t i = 0; i < r.gap_count; i++) {
        is_told = is_told || strcmp(r.gaps[i].reason, "the tiles do not show where the windows of "
                                                      "the pool lie") == 0;
    }
    HOIST_EXPECT_EQ(t, is_told, !row->is_seen);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(maxima), HOIST_TEST_ROW(copies_of_windows))
