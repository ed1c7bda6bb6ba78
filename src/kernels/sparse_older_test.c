// Golden sparse matmul with encodings of the older forms: products as rows of a table, and
// encodings that lead outside.

#include "kernels/tiles_testing.h"

enum { MAX_WORDS = 24, MAX_PRODUCTS = 12 };

#define ROWS UINT32_C(0x20000000)
#define END UINT32_C(0x24000000)
#define TILE(sparse, next) ((uint32_t)(next) << 16 | (sparse))
#define ROW_ENDS(sparse, next) (UINT32_C(0x80000000) | TILE(sparse, next))
#define ENDS(sparse, next) (UINT32_C(0xc0000000) | TILE(sparse, next))
#define PAIR(low, high) ((uint32_t)(high) << 16 | (low))
#define BYTES(low, high) ((high) << 8 | (low))
#define LAST 0x0101

// out[row, columns of ublock n] += sparse tile x act[act]
typedef struct product {
    uint8_t row, n, sparse, act;
} product;

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    int64_t attrs[HOIST_COMPUTE_MAX_ATTRS]; // mblock, ublock; length and first row, or u_kt
    hoist_tile_shape sparse, act;
    size_t word_count;
    uint32_t words[MAX_WORDS];
    size_t count;
    product products[MAX_PRODUCTS];
    const char *fault; // NULL: there are products
} cases[] = {
    {"a list", HOIST_GOLDEN_SPARSE_INDICES, {2, 1, 1, 1, 6, 0}, {1, 4, 1}, {1, 2, 1},
     6, {ROWS, ROW_ENDS(1, 1), ENDS(3, 0), ROWS, ENDS(2, 0), END}, 3, {{0, 0, 1, 0}, {1, 0, 3, 0}, {0, 0, 2, 1}}, NULL},
    {"a list with a head", HOIST_GOLDEN_SPARSE_INDICES, {2, 1, 1, 1, 4, 1}, {1, 1, 4}, {2, 1, 1},
     4, {ROWS | 7, ROWS, ENDS(1, 0), END}, 1, {{1, 0, 1, 0}}, NULL},
    {"a row of several tiles", HOIST_GOLDEN_SPARSE_INDICES, {2, 1, 2, 2, 6, 2}, {1, 4, 1}, {1, 4, 2},
     6, {ROWS, TILE(1, 3), ROW_ENDS(2, 3), ROW_ENDS(1, 0), ROW_ENDS(0, 1), ENDS(3, 0)}, 5,
     {{2, 0, 1, 0}, {3, 0, 2, 0}, {3, 0, 1, 1}, {0, 0, 0, 0}, {1, 0, 3, 1}}, NULL},
    {"columns of ublocks", HOIST_GOLDEN_SPARSE_INDICES, {2, 2, 1, 1, 5, 0}, {1, 4, 1}, {1, 1, 2},
     5, {ROWS, ROW_ENDS(1, 1), ENDS(2, 0), ROW_ENDS(3, 1), ENDS(2, 0)}, 4,
     {{0, 0, 1, 0}, {1, 0, 2, 0}, {0, 1, 3, 0}, {1, 1, 2, 0}}, NULL},
    {"words after the list", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 2, 0}, {1, 4, 1}, {1, 1, 1},
     3, {ROWS, ENDS(1, 0), ENDS(9, 9)}, 1, {{0, 0, 1, 0}}, NULL},
    {"a row that does not end", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 2, 0}, {1, 4, 1}, {1, 1, 1},
     3, {ROWS, TILE(1, 0), ENDS(1, 0)}, 0, {{0}}, "a row of the list of indices does not end"},
    {"rows in a row", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 3, 0}, {1, 4, 1}, {1, 1, 1},
     3, {ROWS, TILE(1, 0), ROWS}, 0, {{0}}, "a row of the list of indices does not end"},
    {"a tile first", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 2, 0}, {1, 4, 1}, {1, 1, 1},
     2, {ENDS(1, 0), END}, 0, {{0}}, "a loop, or a tile where rows begin"},
    {"a loop", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 3, 0}, {1, 4, 1}, {1, 1, 1},
     3, {ROWS | 1 << 28, ROWS, ENDS(1, 0)}, 0, {{0}}, "a loop, or a tile where rows begin"},
    {"the end of a loop", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 3, 0}, {1, 4, 1}, {1, 1, 1},
     3, {ROWS, ENDS(1, 0), ROWS | 1 << 27}, 0, {{0}}, "a loop, or a tile where rows begin"},
    {"more indices than words", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 1025, 0}, {1, 4, 1}, {1, 2, 1},
     2, {END, END}, 0, {{0}}, "a loop, or a tile where rows begin"},
    {"no such sparse tile", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 2, 0}, {1, 4, 1}, {1, 1, 1},
     2, {ROWS, ENDS(4, 0)}, 0, {{0}}, "a sparse tile that is not there"},
    {"no such row of activations", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 4, 0}, {1, 4, 1}, {1, 1, 1},
     4, {ROWS, ENDS(1, 0), ROWS, ENDS(1, 0)}, 0, {{0}}, "a row of activations that is not there"},
    {"no such row of the output", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 3, 0}, {1, 4, 1}, {1, 1, 1},
     3, {ROWS, ROW_ENDS(1, 1), ENDS(1, 0)}, 0, {{0}}, "a row of the output that is not there"},
    {"no such first row", HOIST_GOLDEN_SPARSE_INDICES, {1, 1, 1, 1, 2, 1}, {1, 4, 1}, {1, 1, 1},
     2, {ROWS, ENDS(1, 0)}, 0, {{0}}, "a row of the output that is not there"},
    {"bytes", HOIST_GOLDEN_SPARSE_BYTES, {2, 1, 2, 1, 2}, {1, 4, 1}, {1, 4, 1},
     8, {PAIR(1, 2), PAIR(0, BYTES(0, 2)), PAIR(BYTES(0, 1), BYTES(3, 2)), PAIR(BYTES(1, 1), BYTES(1, 3)),
         PAIR(0, 1), PAIR(LAST, BYTES(1, 1)), PAIR(BYTES(2, 0), 9), 9}, 4,
     {{0, 0, 1, 2}, {1, 0, 2, 3}, {2, 0, 3, 3}, {3, 0, 0, 0}}, NULL},
    {"bytes of no ublocks", HOIST_GOLDEN_SPARSE_BYTES, {1, 1, 1, 2, 1}, {1, 4, 1}, {1, 1, 2},
     2, {PAIR(0, 0), PAIR(LAST, 0)}, 0, {{0}}, NULL},
    {"bytes that do not end", HOIST_GOLDEN_SPARSE_BYTES, {1, 1, 1, 1, 1}, {1, 4, 1}, {1, 1, 1},
     0, {0}, 0, {{0}}, "the encoding ends too early"},
    {"other flags", HOIST_GOLDEN_SPARSE_BYTES, {1, 1, 1, 1, 1}, {1, 4, 1}, {1, 1, 1},
     2, {PAIR(0, 0), 1}, 0, {{0}}, "flags that are neither 0 nor 0x0101"},
    {"no such place", HOIST_GOLDEN_SPARSE_BYTES, {1, 1, 2, 1, 2}, {1, 4, 1}, {1, 2, 1},
     3, {PAIR(0, 1), PAIR(LAST, BYTES(0, 1)), BYTES(4, 1)}, 0, {{0}}, "a place that its ublock does not have"},
    {"no such sparse tile in bytes", HOIST_GOLDEN_SPARSE_BYTES, {1, 1, 1, 1, 1}, {1, 4, 1}, {1, 1, 1},
     3, {PAIR(0, 1), PAIR(LAST, BYTES(0, 1)), BYTES(0, 4)}, 0, {{0}}, "a sparse tile that is not there"},
    {"no such strip", HOIST_GOLDEN_SPARSE_BYTES, {1, 1, 1, 1, 1}, {1, 4, 1}, {1, 1, 1},
     3, {PAIR(1, 1), PAIR(LAST, BYTES(0, 1)), BYTES(0, 1)}, 0, {{0}}, "a row of activations that is not there"},
    {"no such row of ublocks", HOIST_GOLDEN_SPARSE_BYTES, {1, 1, 1, 1, 1}, {1, 4, 1}, {1, 1, 1},
     3, {PAIR(0, 1), PAIR(LAST, BYTES(1, 1)), BYTES(0, 1)}, 0, {{0}}, "a row of the output that is not there"},
};
// clang-format on

static size_t current; // row of `cases` that the definition is for

static void define(const hoist_compute_call *call)
{
    const uint64_t cols = call->output.shape.cols;
    const uint64_t ct = (uint64_t)call->attrs.value[HOIST_OLDER_UBLOCK_CT].integer;
    for (uint64_t n = 0; n < tiles_count(&call->output.shape); n++) {
        memset(tiles_tile(&call->output, n), 0, HOIST_TILE_FLOATS * sizeof(float));
    }
    for (size_t i = 0; i < cases[current].count; i++) {
        const product *p = &cases[current].products[i];
        for (uint64_t col = p->n * ct; col < (p->n + 1) * ct; col++) {
            tiles_add_product(tiles_tile(&call->inputs[0], p->sparse),
                              tiles_tile(&call->inputs[1], p->act * cols + col),
                              tiles_tile(&call->output, p->row * cols + col));
        }
    }
}

static hoist_compute_call make_call(hoist_test *t, size_t index, tiles_draw how, uint64_t *state)
{
    hoist_compute_call call = {.op = cases[index].op, .input_count = 3};
    for (size_t i = 0; i < HOIST_COMPUTE_MAX_ATTRS; i++) {
        call.attrs.value[i].integer = cases[index].attrs[i];
    }
    call.inputs[0] = tiles_input(t, cases[index].sparse, how, state);
    call.inputs[1] = tiles_input(t, cases[index].act, how, state);
    call.inputs[2] = tiles_make(t, (hoist_tile_shape){1, 1, 1}, state);
    float *encoding = tiles_tile(&call.inputs[2], 0);
    memset(encoding, 0, HOIST_TILE_FLOATS * sizeof(float));
    memcpy(encoding, cases[index].words, cases[index].word_count * sizeof(uint32_t));
    return call;
}

static void expect_fault(hoist_test *t, hoist_compute_call *call, const char *says, uint64_t *state)
{
    call->output = tiles_make(t, tiles_output_shape(t, call), state);
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        hoist_compute_fault fault = {.what = ""};
        HOIST_EXPECT_EQ(t, hoist_compute_run(hoist_compute_kernels_at(level), call, 0, 1, &fault),
                        HOIST_INVALID);
        HOIST_EXPECT(t, strstr(fault.what, says) != NULL);
    }
}

HOIST_TEST_TABLE(encodings, cases)
{
    uint64_t state = 1;
    current = (size_t)(row - cases);
    for (tiles_draw how = 0; how < TILES_DRAW_COUNT; how++) {
        hoist_compute_call call = make_call(t, current, how, &state);
        if (row->fault) {
            expect_fault(t, &call, row->fault, &state);
        } else {
            tiles_check(t, &call, define, 2, &state);
        }
    }
}

// Whatever the words are, the kernels end and touch nothing outside: the sanitizers watch.
HOIST_TEST(random_encodings)
{
    uint64_t state = 1;
    const size_t of[] = {2, 15}; // lists and bytes
    size_t refused = 0;
    for (size_t round = 0; round < 400; round++) {
        const uint32_t mask = round % 4 < 2 ? UINT32_MAX : UINT32_C(0xe0030103);
        hoist_compute_call call = make_call(t, of[round % 2], TILES_INTEGERS, &state);
        float *encoding = tiles_tile(&call.inputs[2], 0);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            encoding[i] = hoist_f32_from_bits((uint32_t)(hoist_test_random(&state) >> 32) & mask);
        }
        call.attrs.value[HOIST_OLDER_LENGTH].integer = round % 2 ? 2 : (int64_t)round + 1;
        call.output = tiles_make(t, tiles_output_shape(t, &call), &state);
        hoist_compute_fault fault;
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(hoist_cpu_detect());
        refused += hoist_compute_run(kernels, &call, 0, 1, &fault) == HOIST_INVALID;
    }
    HOIST_EXPECT(t, refused > 300);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(encodings), HOIST_TEST_ROW(random_encodings))
