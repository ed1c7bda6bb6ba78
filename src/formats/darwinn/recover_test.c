// Whole models made for the purpose: chains, branches, strips, additions, and what stops recovery.
#include <string.h>

#include "base/tree.h"
#include "codec/json_writer.h"
#include "formats/darwinn/recover_send.h"
#include "formats/darwinn/recover_testing.h"

enum { BLOB = 8192 };

typedef struct plan { // of a model
    const char *name;
    dwn_extent input;
    uint8_t zero;
    uint32_t constants[8]; // stored before the last operation
    dwn_sketch sketches[6];
    uint32_t cached;         // bytes of parameters, all 1 but for what diagonals need
    dwn_layer_kind kinds[6]; // of the layers; the first UNKNOWN with `stops` ends the list
    uint32_t count;
    uint32_t heuristics; // bits that the last layer has
    uint32_t inputs[2];  // of the last layer
    uint32_t unknown;    // operations
    uint64_t left;       // bytes
    bool is_uneven;      // the last layer reads values of other channels than it has
} plan;

#define BIT(heuristic) (1u << (heuristic))
#define INPUT DWN_MODEL_INPUT
// 64 x 64 x 1 to as much, 3 x 3, with padding of 1: 36 words of parameters
#define WINDOW(in, out, at)                                                                        \
    {                                                                                              \
        .tiles = 0xffff, .reduction = 9, .rest = 256, .input_zero = (in), .output_zero = (out),    \
        .a_base = (at), .b_base = 1000, .a = {                                                     \
            {3, 1},                                                                                \
            {3, 18},                                                                               \
            {16, 1},                                                                               \
            {16, 18}                                                                               \
        }                                                                                          \
    }
// 64 x 64 x 4 to 8 channels, and one word of each of its pixels to 4, both 1 x 1
#define WIDE(in, out)                                                                              \
    {                                                                                              \
        .tiles = 0xffff, .reduction = 1, .rest = 256, .full_rows = 8, .last_rows = 8,              \
        .input_zero = (in), .output_zero = (out), .a_base = 100, .b_base = 1000, .a = {{256, 1}},  \
        .b = {                                                                                     \
            {2, 1},                                                                                \
            {256, 2}                                                                               \
        }                                                                                          \
    }
#define PART(in, out, at)                                                                          \
    {                                                                                              \
        .tiles = 0xffff, .reduction = 1, .rest = 256, .input_zero = (in), .output_zero = (out),    \
        .a_base = (at), .b_base = 3000, .multiplier = 0.25f, .a = {                                \
            {256, 2}                                                                               \
        }                                                                                          \
    }
// 1 x 1 x 8 to 4
#define DENSE(in, out)                                                                             \
    {                                                                                              \
        .reduction = 2, .input_zero = (in), .output_zero = (out), .a = { {2, 1} }                  \
    }
// 1 x 1 x 4 to as much
#define POINT(in, out, from, to)                                                                   \
    {                                                                                              \
        .reduction = 1, .input_zero = (in), .output_zero = (out), .a_base = (from),                \
        .b_base = (to), .multiplier = 1.0f / (float)(to)                                           \
    }
#define MOVE(from, to)                                                                             \
    {                                                                                              \
        .mode = 0x1c30, .multiplier = 1, .high = __builtin_inff(), .a_base = (from),               \
        .b_base = (to)                                                                             \
    }
#define SUM(k)                                                                                     \
    {                                                                                              \
        .mode = 0x00b0, .code = 0x0048, .constant = (k), .output_zero = 9, .a = {                  \
            {2, 0},                                                                                \
            {2, 100}                                                                               \
        }                                                                                          \
    }
#define DIAGONALS(a, b)                                                                            \
    {                                                                                              \
        (a), (uint32_t)(a) << 16, (a), (uint32_t)(a) << 16, (b), (uint32_t)(b) << 16, (b),         \
            (uint32_t)(b) << 16                                                                    \
    }

// clang-format off
static const plan plans[] = {
    {.name = "one dense layer", .input = {1, 1, 8}, .zero = 3, .sketches = {DENSE(3, 5)}, .cached = 128,
     .kinds = {DWN_KIND_DENSE}, .count = 1, .inputs = {INPUT}, .heuristics = BIT(DWN_GUESS_LAST)},
    {.name = "other zero point", .input = {1, 1, 8}, .zero = 4, .sketches = {DENSE(3, 5)}, .cached = 128,
     .count = 0, .unknown = 1, .left = 128},
    {.name = "too few parameters", .input = {1, 1, 8}, .zero = 3, .sketches = {DENSE(3, 5)}, .cached = 64,
     .count = 0, .unknown = 1, .left = 64},
    {.name = "parameters left", .input = {1, 1, 8}, .zero = 3, .sketches = {DENSE(3, 5)}, .cached = 192,
     .kinds = {DWN_KIND_DENSE}, .count = 1, .inputs = {INPUT}, .left = 64},
    {.name = "the second reads the input again", .input = {1, 1, 8}, .zero = 3,
     .sketches = {DENSE(3, 5), DENSE(3, 6)}, .cached = 256,
     .kinds = {DWN_KIND_DENSE, DWN_KIND_DENSE}, .count = 2, .inputs = {INPUT}, .heuristics = BIT(DWN_GUESS_SIZE)},
    {.name = "joined", .input = {1, 1, 8}, .zero = 3,
     .sketches = {DENSE(3, 5), DENSE(3, 5), {.reduction = 2, .input_zero = 5, .output_zero = 7, .a = {{2, 1}}}}, .cached = 384,
     .kinds = {DWN_KIND_DENSE, DWN_KIND_DENSE}, .count = 2, .inputs = {INPUT}, .unknown = 1, .left = 128},
    {.name = "an earlier value was moved", .input = {1, 1, 4}, .zero = 3,
     .sketches = {POINT(3, 5, 100, 200), POINT(5, 5, 200, 300), MOVE(200, 400), POINT(5, 6, 400, 500)}, .cached = 192,
     .kinds = {DWN_KIND_DENSE, DWN_KIND_DENSE, DWN_KIND_DENSE}, .count = 3, .inputs = {0}, .heuristics = BIT(DWN_GUESS_ADDRESS)},
    {.name = "the last value was moved", .input = {1, 1, 4}, .zero = 3,
     .sketches = {POINT(3, 5, 100, 200), POINT(5, 5, 200, 300), MOVE(300, 400), POINT(5, 6, 400, 500)}, .cached = 192,
     .kinds = {DWN_KIND_DENSE, DWN_KIND_DENSE, DWN_KIND_DENSE}, .count = 3, .inputs = {1}, .heuristics = BIT(DWN_GUESS_LAST)},
    {.name = "memory is used again", .input = {1, 1, 4}, .zero = 3,
     .sketches = {POINT(3, 5, 100, 200), POINT(5, 5, 200, 300), POINT(5, 5, 300, 200), POINT(5, 6, 200, 500)}, .cached = 256,
     .kinds = {DWN_KIND_DENSE, DWN_KIND_DENSE, DWN_KIND_DENSE, DWN_KIND_DENSE}, .count = 4, .inputs = {2}, .heuristics = BIT(DWN_GUESS_LAST)},
    {.name = "pool of an earlier value", .input = {1, 1, 4}, .zero = 3,
     .sketches = {POINT(3, 5, 100, 200), POINT(5, 5, 200, 300), {.mode = 0x1870, .weight_zero = 5, .output_zero = 5, .copied = 201, .b_base = 400}}, .cached = 128,
     .kinds = {DWN_KIND_DENSE, DWN_KIND_DENSE, DWN_KIND_AVERAGE_POOL}, .count = 3, .inputs = {0}},
    {.name = "pool of the last value", .input = {1, 1, 4}, .zero = 3,
     .sketches = {POINT(3, 5, 100, 200), POINT(5, 5, 200, 300), {.mode = 0x1870, .weight_zero = 5, .output_zero = 5, .copied = 301, .b_base = 400}}, .cached = 128,
     .kinds = {DWN_KIND_DENSE, DWN_KIND_DENSE, DWN_KIND_AVERAGE_POOL}, .count = 3, .inputs = {1}},
    {.name = "convolution of an image", .input = {64, 64, 1}, .sketches = {WINDOW(0, 5, 981)}, .cached = 192,
     .kinds = {DWN_KIND_CONVOLUTION}, .count = 1, .inputs = {INPUT}, .heuristics = BIT(DWN_GUESS_SAME)},
    {.name = "a chain of convolutions", .input = {64, 64, 1}, .sketches = {WINDOW(0, 5, 981), WINDOW(5, 6, 981)}, .cached = 384,
     .kinds = {DWN_KIND_CONVOLUTION, DWN_KIND_CONVOLUTION}, .count = 2, .inputs = {0}, .heuristics = BIT(DWN_GUESS_LAST)},
    {.name = "the same place again", .input = {64, 64, 1}, .sketches = {WINDOW(0, 0, 500), WINDOW(0, 6, 500)}, .cached = 384,
     .kinds = {DWN_KIND_CONVOLUTION, DWN_KIND_CONVOLUTION}, .count = 2, .inputs = {INPUT}, .heuristics = BIT(DWN_GUESS_ADDRESS)},
    {.name = "zero point of an earlier one", .input = {64, 64, 1}, .sketches = {WINDOW(0, 5, 981), WINDOW(0, 6, 981)}, .cached = 384,
     .kinds = {DWN_KIND_CONVOLUTION, DWN_KIND_CONVOLUTION}, .count = 2, .inputs = {INPUT}, .heuristics = BIT(DWN_GUESS_ZERO_POINT)},
    {.name = "some channels of the last value", .input = {64, 64, 4}, .sketches = {WIDE(0, 5), PART(5, 6, 1001)}, .cached = 128,
     .kinds = {DWN_KIND_CONVOLUTION, DWN_KIND_SLICE, DWN_KIND_CONVOLUTION}, .count = 3, .inputs = {1}, .heuristics = BIT(DWN_GUESS_ADDRESS)},
    {.name = "of the next pixel", .input = {64, 64, 4}, .sketches = {WIDE(0, 5), PART(5, 6, 1002)}, .cached = 128,
     .kinds = {DWN_KIND_CONVOLUTION}, .count = 1, .inputs = {INPUT}, .unknown = 1, .left = 64},
    {.name = "of another zero point", .input = {64, 64, 4}, .sketches = {WIDE(0, 5), PART(4, 6, 1001)}, .cached = 128,
     .kinds = {DWN_KIND_CONVOLUTION}, .count = 1, .inputs = {INPUT}, .unknown = 1, .left = 64},
    {.name = "pool", .input = {64, 64, 4}, .zero = 3,
     .sketches = {{.mode = 0x1870, .weight_zero = 3, .reduction = 16, .rest = 16, .a = {{4, 0}, {4, 0}, {16, 1}}}},
     .kinds = {DWN_KIND_AVERAGE_POOL}, .count = 1, .inputs = {INPUT}},
    {.name = "pool without clamps", .input = {64, 64, 4}, .zero = 3,
     .sketches = {{.mode = 0x1870, .weight_zero = 3, .output_zero = 3, .high = __builtin_inff(), .low = -__builtin_inff(), .reduction = 16, .rest = 16, .a = {{4, 0}, {4, 0}, {16, 1}}}},
     .kinds = {DWN_KIND_AVERAGE_POOL}, .count = 1, .inputs = {INPUT}},
    {.name = "pool larger than the image", .input = {3, 3, 4}, .zero = 3,
     .sketches = {{.mode = 0x1870, .weight_zero = 3, .reduction = 16, .a = {{4, 0}, {4, 0}}}},
     .count = 0, .unknown = 1},
    {.name = "pool of other taps", .input = {64, 64, 4}, .zero = 3,
     .sketches = {{.mode = 0x1870, .weight_zero = 3, .reduction = 15, .a = {{4, 0}, {4, 0}}}},
     .count = 0, .unknown = 1},
    {.name = "multiplication", .input = {64, 64, 4}, .zero = 3,
     .sketches = {{.mode = 0x1c30, .input_zero = 3, .weight_zero = 3}},
     .kinds = {DWN_KIND_MULTIPLY}, .count = 1, .inputs = {INPUT, INPUT}},
    {.name = "multiplication by nothing known", .input = {64, 64, 4}, .zero = 3,
     .sketches = {{.mode = 0x1c30, .input_zero = 3, .weight_zero = 4}},
     .count = 0, .unknown = 1},
    {.name = "addition", .input = {64, 64, 1}, .sketches = {WINDOW(0, 5, 981), WINDOW(5, 6, 981), SUM(-(5 * 10 + 6 * 20))},
     .constants = DIAGONALS(10, 20), .cached = 384,
     .kinds = {DWN_KIND_CONVOLUTION, DWN_KIND_CONVOLUTION, DWN_KIND_ADD}, .count = 3, .inputs = {0, 1}, .heuristics = BIT(DWN_GUESS_CONSTANT)},
    {.name = "addition exchanged", .input = {64, 64, 1}, .sketches = {WINDOW(0, 5, 981), WINDOW(5, 6, 981), SUM(-(6 * 10 + 5 * 20))},
     .constants = DIAGONALS(10, 20), .cached = 384,
     .kinds = {DWN_KIND_CONVOLUTION, DWN_KIND_CONVOLUTION, DWN_KIND_ADD}, .count = 3, .inputs = {1, 0}},
    {.name = "addition of the input", .input = {64, 64, 1}, .sketches = {WINDOW(0, 5, 981), WINDOW(5, 6, 981), SUM(-(6 * 20))},
     .constants = DIAGONALS(10, 20), .cached = 384,
     .kinds = {DWN_KIND_CONVOLUTION, DWN_KIND_CONVOLUTION, DWN_KIND_ADD}, .count = 3, .inputs = {INPUT, 1}, .is_uneven = true},
    {.name = "addition of nothing known", .input = {64, 64, 1}, .sketches = {WINDOW(0, 5, 981), SUM(-7)},
     .constants = DIAGONALS(10, 20), .cached = 192,
     .kinds = {DWN_KIND_CONVOLUTION}, .count = 1, .inputs = {INPUT}, .unknown = 1},
    {.name = "addition without factors", .input = {64, 64, 1}, .sketches = {WINDOW(0, 5, 981), SUM(-(5 * 10))}, .cached = 192,
     .kinds = {DWN_KIND_CONVOLUTION}, .count = 1, .inputs = {INPUT}, .unknown = 1},
    {.name = "upsampling in two phases", .input = {8, 8, 4}, .zero = 3,
     .sketches = {{.opcode = DWN_OP_RESIZE, .mode = 0x18b0, .multiplier = 0x1p-14f}, {.opcode = DWN_OP_RESIZE, .mode = 0x18b0, .multiplier = 0x1p-14f, .low = -1}},
     .kinds = {DWN_KIND_UPSAMPLE}, .count = 1, .inputs = {INPUT}},
    {.name = "unknown, then known", .input = {1, 1, 8}, .zero = 3,
     .sketches = {{.mode = 0x1000, .multiplier = 1, .input_zero = 3, .output_zero = 3}, DENSE(3, 5)}, .cached = 128,
     .kinds = {DWN_KIND_UNKNOWN, DWN_KIND_DENSE}, .count = 2, .inputs = {0}, .unknown = 1},
    {.name = "unknown, then no pool", .input = {64, 64, 4}, .zero = 3,
     .sketches = {{.mode = 0x1000, .output_zero = 3}, {.mode = 0x1870, .weight_zero = 3, .reduction = 16, .a = {{4, 0}, {4, 0}}}},
     .kinds = {DWN_KIND_UNKNOWN, DWN_KIND_UNKNOWN}, .count = 2, .inputs = {0}, .unknown = 2},
    {.name = "unknown with parameters", .input = {1, 1, 8}, .zero = 3,
     .sketches = {{.mode = 0x0030, .multiplier = 1, .has_bias = true}}, .cached = 128,
     .kinds = {DWN_KIND_UNKNOWN}, .count = 1, .inputs = {INPUT}, .unknown = 1, .left = 128},
    {.name = "moves only", .input = {1, 1, 8}, .sketches = {{.mode = 0x1c30, .multiplier = 1, .high = __builtin_inff()}, {.mode = 0x1c30, .multiplier = 1, .high = __builtin_inff()}},
     .count = 0},
    {.name = "softmax", .input = {1, 1, 8}, .zero = 3,
     .sketches = {{.opcode = DWN_OP_MAX}, {.mode = 0x0030, .multiplier = 0.75f, .low = -13.0381f, .high = -0.0f},
                  {.opcode = DWN_OP_SUM}, {.mode = 0x00f0, .multiplier = 0x1p-23f}},
     .kinds = {DWN_KIND_UNKNOWN, DWN_KIND_UNKNOWN, DWN_KIND_UNKNOWN, DWN_KIND_UNKNOWN}, .count = 1, .inputs = {INPUT},
     .heuristics = BIT(DWN_GUESS_SOFTMAX)},
    {.name = "softmax with a multiplier that is nowhere", .input = {1, 1, 8}, .zero = 3,
     .sketches = {{.opcode = DWN_OP_MAX}, {.mode = 0x00b0, .multiplier = 0.75f, .low = -13.0381f, .high = -0.0f, .has_multipliers = true},
                  {.opcode = DWN_OP_SUM}, {.mode = 0x00f0, .multiplier = 0x1p-23f}},
     .count = 0, .unknown = 4},
    {.name = "softmax without an end", .input = {1, 1, 8}, .zero = 3,
     .sketches = {{.opcode = DWN_OP_MAX}, {.opcode = DWN_OP_SUM}},
     .kinds = {DWN_KIND_UNKNOWN, DWN_KIND_UNKNOWN}, .count = 2, .inputs = {0}, .unknown = 2},
};
// clang-format on

static dwn_shared shared_of(const plan *p)
{
    size_t count = 0;
    while (count < HOIST_COUNT_OF(p->sketches) && p->sketches[count].multiplier >= 0 &&
           (p->sketches[count].opcode || p->sketches[count].mode || p->sketches[count].reduction ||
            p->sketches[count].high != 0)) {
        count++;
    }
    return (dwn_shared){.sketches = p->sketches, .count = count, .size = p->cached};
}

static hoist_bytes chunk_of(const plan *p, dwn_maker *m)
{
    const dwn_shared shared = shared_of(p);
    dwn_make_begin(m);
    for (size_t i = 0; i < shared.count; i++) {
        for (size_t k = 0; i + 1 == shared.count && k < HOIST_COUNT_OF(p->constants); k++) {
            dwn_make_constant(m, p->constants[k]);
        }
        dwn_make_shared(m, &shared, i);
    }
    return dwn_make_end(m, false);
}

// Gives a model the program that caches what the operations share.
static void set_runs(hoist_test *t, dwn_model *model, const dwn_shared *shared)
{
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    dwn_make_runs(&m, shared);
    dwn_test_runs(t, model, dwn_make_end(&m, false));
}

// Gaps with that reason.
static uint32_t count_gaps(const dwn_recovery *r, const char *reason)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->gap_count; i++) {
        count += strcmp(r->gaps[i].reason, reason) == 0;
    }
    return count;
}

static bool has_gap(const dwn_recovery *r, uint32_t layer, const char *reason)
{
    bool is_there = false;
    for (uint32_t i = 0; i < r->gap_count; i++) {
        const dwn_gap *gap = &r->gaps[i];
        is_there =
            is_there || (gap->has_layer && gap->layer == layer && strcmp(gap->reason, reason) == 0);
    }
    return is_there;
}

// The same layers and gaps, and no weights.
static void expect_places(hoist_test *t, const dwn_model *model, const dwn_recovery *whole)
{
    dwn_recovery r;
    HOIST_EXPECT_EQ(t, dwn_recover_places(&model->contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, whole->count);
    HOIST_EXPECT_EQ(t, r.gap_count, whole->gap_count);
    HOIST_EXPECT_EQ(t, r.cached_decoded, whole->cached_decoded);
    for (uint32_t i = 0; i < r.count && i < whole->count; i++) {
        HOIST_EXPECT_EQ(t, r.layers[i].kind, whole->layers[i].kind);
        HOIST_EXPECT_EQ(t, r.layers[i].heuristics, whole->layers[i].heuristics);
        HOIST_EXPECT_EQ(t, r.layers[i].rows, whole->layers[i].rows);
        HOIST_EXPECT(t, !r.layers[i].weights);
    }
}

HOIST_TEST_TABLE(models, plans)
{
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    uint8_t *blob = hoist_arena_alloc(&t->arena, BLOB);
    memset(blob, 1, BLOB);
    dwn_test_border(&model.input, &model.numerics[0], row->input, row->zero);
    dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){1, 1, 1}, 0);
    dwn_test_model(t, &model, chunk_of(row, &m), (hoist_bytes){blob, row->cached});
    const dwn_shared shared = shared_of(row);
    set_runs(t, &model, &shared);
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, row->count);
    HOIST_EXPECT_EQ(t, r.unknown, row->unknown);
    HOIST_EXPECT_EQ(t, r.cached_size - r.cached_decoded, row->left);
    expect_places(t, &model, &r);
    const bool is_softmax = row->heuristics & BIT(DWN_GUESS_SOFTMAX);
    for (uint32_t i = 0; i < r.count && i < row->count; i++) {
        HOIST_EXPECT_EQ(t, r.layers[i].kind, is_softmax ? DWN_KIND_SOFTMAX : row->kinds[i]);
    }
    if (r.count > 0 && r.count == row->count) {
        const dwn_recovered *last = &r.layers[r.count - 1];
        HOIST_EXPECT_EQ(t, last->heuristics & row->heuristics, row->heuristics);
        if (last->kind == DWN_KIND_ADD) {
            HOIST_EXPECT_EQ(
                t,
                has_gap(&r, r.count - 1, "the number of last channels that are padding is unknown"),
                row->is_uneven);
        }
        for (uint32_t i = 0; i < last->input_count; i++) {
            HOIST_EXPECT_EQ(t, last->inputs[i], row->inputs[i]);
        }
    }
}

// Strips -----------------------------------------------------------------------------------------

// A layer of 16 x 16 pixels per tile in two passes of 8 rows, then another with the same signature.
HOIST_TEST(strips_are_one_layer)
{
    static const dwn_sketch half = {.tiles = 0xffff,
                                    .reduction = 9,
                                    .rest = 128,
                                    .a_base = 981,
                                    .b_base = 1000,
                                    .a = {{3, 1}, {3, 18}, {16, 1}, {8, 18}}};
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    dwn_make_begin(&m);
    dwn_make_operation(&m, &half);
    dwn_make_operation(&m, &half);
    dwn_make_operation(&m, &half);
    static const uint8_t blob[384] = {1};
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){64, 64, 1}, 0);
    dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){64, 64, 1}, 0);
    dwn_test_model(t, &model, dwn_make_end(&m, false), (hoist_bytes){blob, sizeof(blob)});
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, 2);
    HOIST_EXPECT_EQ(t, r.layers[0].word_count, 2);
    HOIST_EXPECT_EQ(t, r.layers[0].words[1].word, 18);
    HOIST_EXPECT(t, r.layers[0].heuristics & BIT(DWN_GUESS_STRIP));
    HOIST_EXPECT_EQ(t, r.layers[1].inputs[0], 0);
    HOIST_EXPECT(t, !(r.layers[1].heuristics & BIT(DWN_GUESS_STRIP)));
    HOIST_EXPECT_EQ(t, count_gaps(&r, "the tiles of the layer make less than its output"), 1);
}

// A sum of products that begins with a constant is no layer that is known.
HOIST_TEST(constants_of_sums_are_told)
{
    uint8_t blob[192];
    memset(blob, 1, sizeof(blob));
    for (int32_t constant = 0; constant < 2; constant++) {
        dwn_maker m = {.next_id = 0};
        dwn_model model = {0};
        dwn_recovery r;
        dwn_sketch sketch = WINDOW(0, 5, 981);
        sketch.constant = constant;
        dwn_make_begin(&m);
        dwn_make_operation(&m, &sketch);
        dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){64, 64, 1}, 0);
        dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){64, 64, 4}, 5);
        dwn_test_model(t, &model, dwn_make_end(&m, false), (hoist_bytes){blob, sizeof(blob)});
        HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
        HOIST_EXPECT_EQ(t, r.count, 1);
        HOIST_EXPECT_EQ(t, count_gaps(&r, "sums of products begin with a constant"), constant);
    }
}

// Parts ------------------------------------------------------------------------------------------

typedef struct split { // two layers of 4 channels each
    const char *name;
    int32_t bases[2];
    uint8_t zeros[2];
    dwn_extent output;
    uint32_t count;     // of layers
    uint32_t inputs[2]; // of the one that joins them
    const char *why;    // there is none
} split;

static const split splits[] = {
    {"in order", {2000, 3000}, {5, 5}, {64, 64, 8}, 3, {0, 1}, NULL},
    {"by address", {3000, 2000}, {5, 5}, {64, 64, 8}, 3, {1, 0}, NULL},
    {"one is enough",
     {2000, 3000},
     {5, 5},
     {64, 64, 4},
     2,
     {0},
     "several layers may make the output"},
    {"another zero point",
     {2000, 3000},
     {5, 6},
     {64, 64, 8},
     2,
     {0},
     "no layer was found that makes the output"},
    {"more channels",
     {2000, 3000},
     {5, 5},
     {64, 64, 9},
     2,
     {0},
     "no layer was found that makes the output"},
    {"fewer channels",
     {2000, 3000},
     {5, 5},
     {64, 64, 7},
     2,
     {0},
     "no layer was found that makes the output"},
    {"another height",
     {2000, 3000},
     {5, 5},
     {32, 64, 8},
     2,
     {0},
     "no layer was found that makes the output"},
};

// A model of one pixel of 4 channels, with parameters of ones; its output has the zero point.
static void make_points(hoist_test *t, const dwn_shared *shared, uint8_t output_zero,
                        dwn_model *model)
{
    const hoist_mut_bytes blob = {hoist_arena_alloc(&t->arena, shared->size), shared->size};
    dwn_maker m = {.next_id = 0};
    memset(blob.data, 1, blob.size);
    dwn_make_begin(&m);
    for (size_t i = 0; i < shared->count; i++) {
        dwn_make_shared(&m, shared, i);
    }
    dwn_test_border(&model->input, &model->numerics[0], (dwn_extent){1, 1, 4}, 3);
    dwn_test_border(&model->output, &model->numerics[1], (dwn_extent){1, 1, 4}, output_zero);
    dwn_test_model(t, model, dwn_make_end(&m, false), (hoist_bytes){blob.data, blob.size});
}

// Two layers, and a softmax of the first: by its address; of one with another zero point it is not
// known that it is that.
HOIST_TEST(softmax_of_an_earlier_value)
{
    for (uint8_t zero = 5; zero < 7; zero++) {
        const dwn_sketch sketches[] = {
            POINT(3, 5, 100, 200),
            POINT(5, zero, 200, 300),
            {.opcode = DWN_OP_MAX, .copied = 201, .b_base = 400},
            {.mode = 0x0030, .multiplier = 0.75f, .low = -13.0381f, .high = -0.0f, .b_base = 400},
            {.mode = 0x00f0, .multiplier = 0x1p-23f, .b_base = 400}};
        const dwn_shared shared = {sketches, HOIST_COUNT_OF(sketches), 128, false};
        dwn_model model = {0};
        dwn_recovery r;
        make_points(t, &shared, 0, &model);
        set_runs(t, &model, &shared);
        HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
        HOIST_EXPECT_EQ(t, r.count, 3);
        const bool is_known = r.count == 3 && r.layers[2].inputs[0] == 0;
        HOIST_EXPECT_EQ(t, is_known, zero == 5);
        HOIST_EXPECT_EQ(t, count_gaps(&r, "the values that the layer reads are unknown"),
                        zero != 5);
    }
}

// The first layer makes the output and nothing reads it; of many layers after it one is like it,
// and read by the last.
HOIST_TEST(an_output_long_before_the_end)
{
    enum { LAYERS = 140, SHARE = 64, OTHERS = 9, OUTPUT = 7 };
    dwn_sketch sketches[LAYERS];
    for (int32_t i = 0; i < LAYERS; i++) {
        const uint8_t in = i < 2 ? 3 : i + 1 == LAYERS ? OUTPUT : OTHERS;
        const uint8_t out = i == 0 || i + 2 == LAYERS ? OUTPUT : OTHERS;
        sketches[i] = (dwn_sketch)POINT(in, out, i < 2 ? 100 : 200 + i - 1, 200 + i);
    }
    const dwn_shared shared = {sketches, LAYERS, LAYERS * SHARE, false};
    dwn_model model = {0};
    dwn_recovery r;
    make_points(t, &shared, OUTPUT, &model);
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, LAYERS);
    HOIST_EXPECT_EQ(t, r.count > 0 ? r.layers[0].output_layer : DWN_NONE, 0);
    HOIST_EXPECT_EQ(t, r.count == LAYERS ? r.layers[LAYERS - 2].output_layer : 0, DWN_NONE);
}

HOIST_TEST_TABLE(outputs_in_parts, splits)
{
    static const dwn_sketch layout = {
        .mode = 0x1c30, .code = 0x0038, .multiplier = 1, .high = __builtin_inff(), .b_base = 1000};
    uint8_t blob[384];
    memset(blob, 1, sizeof(blob));
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    dwn_sketch sketches[3] = {layout, WINDOW(0, 5, 981), WINDOW(0, 5, 981)};
    const dwn_shared shared = {sketches, 3, sizeof(blob), false};
    dwn_make_begin(&m);
    for (uint32_t i = 0; i < 3; i++) {
        if (i > 0) {
            sketches[i].output_zero = row->zeros[i - 1];
            sketches[i].b_base = row->bases[i - 1];
            sketches[i].multiplier = i == 1 ? 0.5f : 0.25f;
        }
        dwn_make_shared(&m, &shared, i);
    }
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){64, 64, 4}, 0);
    dwn_test_border(&model.output, &model.numerics[1], row->output, 5);
    dwn_test_model(t, &model, dwn_make_end(&m, false), (hoist_bytes){blob, sizeof(blob)});
    set_runs(t, &model, &shared);
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, row->count);
    if (r.count == 3 && row->count == 3) {
        const dwn_recovered *joined = &r.layers[2];
        HOIST_EXPECT_EQ(t, joined->kind, DWN_KIND_CONCATENATION);
        HOIST_EXPECT_EQ(t, joined->heuristics, BIT(DWN_GUESS_PARTS));
        HOIST_EXPECT_EQ(t, joined->output_layer, 0);
        HOIST_EXPECT_EQ(t, joined->output.c, 8);
        HOIST_EXPECT_EQ(t, joined->inputs[0], row->inputs[0]);
        HOIST_EXPECT_EQ(t, joined->inputs[1], row->inputs[1]);
        // Nothing is sent.
        HOIST_EXPECT_EQ(t, r.gap_count, 1);
        HOIST_EXPECT_EQ(t, count_gaps(&r, "the order in which the output joins values is unknown"),
                        1);
    } else {
        HOIST_EXPECT_EQ(t, count_gaps(&r, row->why), 1);
    }
}

// Details ----------------------------------------------------------------------------------------

typedef struct chain {
    dwn_model *model;
} chain;

static hoist_status recover_chain(hoist_allocator alloc, const void *self)
{
    const chain *c = self;
    hoist_arena arena;
    dwn_recovery r;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = dwn_recover(&c->model->contents, &arena, &r);
    hoist_arena_deinit(&arena);
    return status;
}

static void make_chain(hoist_test *t, dwn_maker *m, dwn_model *model)
{
    static const dwn_sketch first = WINDOW(0, 5, 981);
    static const dwn_sketch second = WINDOW(5, 6, 981);
    static const uint8_t blob[512] = {1};
    static const dwn_sketch unknown = {.mode = 0x1000};
    dwn_make_begin(m);
    dwn_make_operation(m, &first);
    dwn_make_operation(m, &second);
    dwn_make_operation(m, &unknown);
    dwn_test_border(&model->input, &model->numerics[0], (dwn_extent){64, 64, 1}, 0);
    dwn_test_border(&model->output, &model->numerics[1], (dwn_extent){64, 64, 1}, 6);
    dwn_test_model(t, model, dwn_make_end(m, false), (hoist_bytes){blob, sizeof(blob)});
}

HOIST_TEST(ranges_are_told)
{
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    make_chain(t, &m, &model);
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.count, 3);
    HOIST_EXPECT_EQ(t, r.layers[1].words[0].word, 18);
    HOIST_EXPECT_EQ(t, r.layers[1].pieces[0].offset, 192);
    HOIST_EXPECT_EQ(t, r.layers[1].pieces[0].size, 192);
    HOIST_EXPECT(t, r.layers[1].pieces[0].is_cached);
    HOIST_EXPECT_EQ(t, r.layers[1].padding[0], 1);
    HOIST_EXPECT_EQ(t, r.layers[0].weights[0], 1);
    HOIST_EXPECT(t, r.gap_count > 2);
    HOIST_EXPECT_EQ(t, r.gaps[0].words.word, 35);
    HOIST_EXPECT_EQ(t, r.gaps[0].words.words, 17);
    HOIST_EXPECT_EQ(t, r.gaps[1].piece.offset, 384);
    HOIST_EXPECT_EQ(t, r.gaps[1].piece.size, 128);
}

// What people and programs see of an addition after two convolutions.
HOIST_TEST(lists_are_sent)
{
    static const char expected[] =
        "\"kind\":\"add\",\"inputs\":[{\"layer\":1},{\"layer\":0}],\"input\":[64,64,1],"
        "\"output\":[64,64,1],\"kernel\":[1,1],\"stride\":[1,1],\"dilation\":[1,1],"
        "\"padding\":[0,0],\"padding_after\":[0,0],\"padding_unread\":[0,0],\"multiplier\":0.5,"
        "\"low\":0,\"high\":255,\"input_zero_point\":6,"
        "\"output_zero_point\":9,\"second_zero_point\":5,\"first_factor\":10,"
        "\"second_factor\":20,\"constant\":-160,\"activation\":\"relu\","
        "\"output_scale\":0.10000000149011612,"
        "\"scale_from\":\"factors\",\"weight_scales\":[],\"reference_multipliers\":2,"
        "\"exact_multipliers\":2,\"blocks\":[],";
    static const char lost[] = "\"gaps\":[{\"what\":\"output 0\",\"where\":\"-\",\"reason\":\"no "
                               "layer was found that makes the output\","
                               "\"output_layer\":0}";
    const plan *p = NULL;
    for (size_t i = 0; i < HOIST_COUNT_OF(plans); i++) {
        p = strcmp(plans[i].name, "addition exchanged") == 0 ? &plans[i] : p;
    }
    static const uint8_t blob[384] = {1};
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    dwn_scales scales;
    hoist_buffer out;
    hoist_json_writer writer;
    dwn_test_border(&model.input, &model.numerics[0], p->input, p->zero);
    dwn_test_border(&model.output, &model.numerics[1], (dwn_extent){1, 1, 1}, 0);
    dwn_test_model(t, &model, chunk_of(p, &m), (hoist_bytes){blob, sizeof(blob)});
    const dwn_shared shared = shared_of(p);
    set_runs(t, &model, &shared);
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_scales_of(&r, model.images[0].rows, &t->arena, &scales), HOIST_OK);
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&writer, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    hoist_tree_map(&sink, "");
    HOIST_EXPECT_EQ(t, dwn_recovery_send(&r, &scales, &sink), HOIST_OK);
    hoist_tree_end(&sink);
    HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&out), expected));
    HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&out), lost));
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&out);
}

HOIST_TEST(memory_runs_out)
{
    dwn_maker m = {.next_id = 0};
    dwn_model model = {0};
    make_chain(t, &m, &model);
    hoist_test_starve(t, recover_chain, &(chain){&model});
}

HOIST_TEST(packages_without_a_program)
{
    const dwn_contents empty = {0};
    dwn_image broken = {0};
    const dwn_contents unread = {.images = &broken, .image_count = 1};
    dwn_recovery r;
    HOIST_EXPECT_EQ(t, dwn_recover(&empty, &t->arena, &r), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, dwn_recover(&unread, &t->arena, &r), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, r.count, 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(models), HOIST_TEST_ROW(strips_are_one_layer),
                HOIST_TEST_ROW(constants_of_sums_are_told),
                HOIST_TEST_ROW(softmax_of_an_earlier_value),
                HOIST_TEST_ROW(an_output_long_before_the_end), HOIST_TEST_ROW(outputs_in_parts),
                HOIST_TEST_ROW(ranges_are_told), HOIST_TEST_ROW(lists_are_sent),
                HOIST_TEST_ROW(memory_runs_out), HOIST_TEST_ROW(packages_without_a_program))
