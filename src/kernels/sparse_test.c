// Golden sparse matmul against its definition, and encodings that lead outside.

#include "kernels/tiles_testing.h"

enum {
    MAX_WORDS = 8192,
    TILE_WORDS = 2048,
};

static uint64_t attr(const hoist_compute_call *call, size_t index)
{
    return (uint64_t)call->attrs.value[index].integer;
}

static unsigned depth_bits(uint64_t u_kt)
{
    const unsigned bits = u_kt > 1 ? (unsigned)ceil(log2((double)u_kt)) : 0;
    return bits > 1 ? bits : 1;
}

// One core at (row, col) of section 5.1.2: the loops of the reference, for streams that are whole.
typedef struct core {
    const hoist_compute_call *call;
    uint64_t row;
    uint64_t col;
    uint16_t words[MAX_WORDS];
    uint64_t slice;
    uint64_t strip_index;
} core;

static float *part_tile(const hoist_tiles *tiles, uint64_t row, uint64_t col)
{
    return tiles_tile(tiles, row * tiles->shape.cols + col);
}

static void load_words(core *c, uint64_t part)
{
    const hoist_tiles *in = &c->call->inputs[2];
    const uint64_t rows = in->shape.rows / attr(c->call, HOIST_SPARSE_GRID_ROWS);
    const uint64_t cols = in->shape.cols / attr(c->call, HOIST_SPARSE_FRACTURE);
    for (size_t i = 0; i < rows * cols * TILE_WORDS; i++) {
        const uint64_t k = i / TILE_WORDS;
        const float *tile = part_tile(in, c->row * rows + k / cols, part * cols + k % cols);
        const uint32_t word = hoist_f32_to_bits(tile[i % TILE_WORDS / 2]);
        c->words[i] = (uint16_t)(i % 2 ? word >> 16 : word & 0xffff);
    }
}

static void add_one(const core *c, uint64_t part, uint64_t sparse, uint64_t out_row,
                    uint64_t act_row)
{
    const hoist_compute_call *call = c->call;
    const hoist_tiles *s = &call->inputs[0];
    const hoist_tiles *act = &call->inputs[1];
    const hoist_tile_shape *out = &call->output.shape;
    const uint64_t cols = out->cols / attr(call, HOIST_SPARSE_GRID_COLS);
    const uint64_t rows = out->rows / attr(call, HOIST_SPARSE_GRID_ROWS);
    for (uint64_t i = 0; i < cols; i++) {
        const uint64_t col = c->col * cols + i;
        const float *a =
            part_tile(s, c->row * (s->shape.rows / attr(call, HOIST_SPARSE_GRID_ROWS)),
                      part * (s->shape.cols / attr(call, HOIST_SPARSE_FRACTURE)) + sparse);
        // Slices of the activations follow one another.
        const float *b = part_tile(act, act_row, col);
        tiles_add_product(
            a, b, part_tile(&call->output, c->slice * out->rows + c->row * rows + out_row, col));
    }
}

// Tiles of a ublock by its word.
static size_t tiles_of(const core *c, uint32_t word)
{
    const unsigned idx_bits = (unsigned)attr(c->call, HOIST_SPARSE_IDX_BITS);
    const size_t count = word >> idx_bits;
    return count ? count : (size_t)1 << (16 - idx_bits);
}

// Returns the words that the ublock has used.
static size_t run_ublock(const core *c, uint64_t part, uint64_t out_r, const uint16_t *words)
{
    const uint64_t u_kt = attr(c->call, HOIST_SPARSE_U_KT);
    const uint64_t rt = attr(c->call, HOIST_SPARSE_UBLOCK_RT);
    const unsigned place = 16 - (unsigned)attr(c->call, HOIST_SPARSE_PTR_BITS);
    const unsigned depth = depth_bits(u_kt);
    const size_t count = tiles_of(c, words[0]);
    size_t used = 1;
    for (uint64_t in_r = 0; in_r < rt; in_r++) {
        for (uint64_t in_d = 0; in_d < u_kt; in_d++) {
            const unsigned code = words[used] & ((1U << place) - 1);
            if (used <= count &&
                (code >> depth) * u_kt + (code & ((1U << depth) - 1)) == in_r * u_kt + in_d) {
                add_one(c, part, words[used] >> place, out_r * rt + in_r,
                        c->strip_index * u_kt + in_d);
                used++;
            }
        }
    }
    return used;
}

static void run_strip(const core *c, uint64_t part, uint64_t ublocks, const uint16_t *words)
{
    const unsigned idx_bits = (unsigned)attr(c->call, HOIST_SPARSE_IDX_BITS);
    size_t at = 0;
    uint64_t done = 0;
    for (uint64_t out_r = 0; out_r < attr(c->call, HOIST_SPARSE_MBLOCK_M); out_r++) {
        if (done < ublocks && (words[at] & ((1U << idx_bits) - 1)) == out_r) {
            at += run_ublock(c, part, out_r, words + at);
            done++;
        }
    }
}

static void run_core(core *c)
{
    const uint64_t grid_cols = attr(c->call, HOIST_SPARSE_GRID_COLS);
    const uint64_t part = c->col / (grid_cols / attr(c->call, HOIST_SPARSE_FRACTURE));
    load_words(c, part);
    size_t at = 0;
    size_t tile = 0;
    while (c->slice < attr(c->call, HOIST_SPARSE_T)) {
        const uint16_t high = c->words[at + 1];
        c->strip_index = c->words[at] | (uint64_t)(high & 0x3fff) << 16;
        const uint64_t ublocks = c->words[at + 2];
        at += 3;
        run_strip(c, part, ublocks, c->words + at);
        for (uint64_t u = 0; u < ublocks; u++) {
            at += 1 + tiles_of(c, c->words[at]);
        }
        if (high & 0x8000) {
            tile += TILE_WORDS;
            at = tile;
        }
        c->slice += high >> 14 & 1;
    }
}

static void sparse_matmul(const hoist_compute_call *call)
{
    static core c;
    for (uint64_t n = 0; n < tiles_count(&call->output.shape); n++) {
        memset(tiles_tile(&call->output, n), 0, HOIST_TILE_FLOATS * sizeof(float));
    }
    for (uint64_t row = 0; row < attr(call, HOIST_SPARSE_GRID_ROWS); row++) {
        for (uint64_t col = 0; col < attr(call, HOIST_SPARSE_GRID_COLS); col++) {
            c = (core){.call = call, .row = row, .col = col};
            run_core(&c);
        }
    }
}

// Writes the stream of one core.
typedef struct writer {
    const hoist_tiles *encoding;
    uint64_t row; // the core's first encoding tile
    uint64_t col;
    uint64_t cols;
    size_t at;
} writer;

static void put(writer *w, uint32_t word)
{
    const uint64_t k = w->at / TILE_WORDS;
    float *tile = part_tile(w->encoding, w->row + k / w->cols, w->col + k % w->cols);
    float *place = &tile[w->at % TILE_WORDS / 2];
    const uint32_t pair = hoist_f32_to_bits(*place);
    *place =
        hoist_f32_from_bits(w->at % 2 ? (pair & 0xffff) | word << 16 : (pair & 0xffff0000) | word);
    w->at++;
}

// A non-empty choice of `count` (at most 16) things, as bits.
static uint32_t choose(size_t count, uint64_t *state)
{
    const uint32_t all = (1U << count) - 1;
    const uint32_t chosen = (uint32_t)(hoist_test_random(state) >> 40) & all;
    return chosen ? chosen : all;
}

static void put_ublock(writer *w, const hoist_compute_call *call, uint32_t row, uint64_t *state)
{
    const size_t u_kt = attr(call, HOIST_SPARSE_U_KT);
    const size_t places = attr(call, HOIST_SPARSE_UBLOCK_RT) * u_kt;
    const unsigned idx_bits = (unsigned)attr(call, HOIST_SPARSE_IDX_BITS);
    const unsigned place_bits = 16 - (unsigned)attr(call, HOIST_SPARSE_PTR_BITS);
    const uint32_t chosen = choose(places, state);
    const uint32_t count = (uint32_t)__builtin_popcount(chosen);
    put(w, (count << idx_bits & 0xffff) | row);
    for (uint32_t i = 0; i < places; i++) {
        if (chosen >> i & 1) {
            const uint64_t sparse = hoist_test_random(state) % attr(call, HOIST_SPARSE_TILES);
            put(w, (uint32_t)(sparse << place_bits) | (uint32_t)(i / u_kt) << depth_bits(u_kt) |
                       (uint32_t)(i % u_kt));
        }
    }
}

static void put_strip(writer *w, const hoist_compute_call *call, uint32_t flags, uint64_t *state)
{
    const hoist_tile_shape *act = &call->inputs[1].shape;
    const uint64_t strips = act->z * act->rows / attr(call, HOIST_SPARSE_U_KT);
    const uint32_t rows = choose(attr(call, HOIST_SPARSE_MBLOCK_M), state);
    put(w, (uint32_t)(hoist_test_random(state) % strips));
    put(w, flags);
    put(w, (uint32_t)__builtin_popcount(rows));
    for (uint32_t row = 0; row < attr(call, HOIST_SPARSE_MBLOCK_M); row++) {
        if (rows >> row & 1) {
            put_ublock(w, call, row, state);
        }
    }
}

// One to three strips per slice, the slices by turns in `tiles` encoding tiles.
static void put_stream(writer w, const hoist_compute_call *call, uint64_t tiles, uint64_t *state)
{
    const uint64_t slices = attr(call, HOIST_SPARSE_T);
    for (uint64_t slice = 0; slice < slices; slice++) {
        for (size_t left = hoist_test_random(state) % 3; left > 0; left--) {
            put_strip(&w, call, 0, state);
        }
        const bool next = w.at / TILE_WORDS + 1 < tiles;
        put_strip(&w, call, next ? 0xc000 : 0x4000, state);
        if (next) {
            w.at = (w.at / TILE_WORDS + 1) * TILE_WORDS;
        }
    }
}

static hoist_compute_call make_call(const int64_t attrs[HOIST_COMPUTE_MAX_ATTRS])
{
    hoist_compute_call call = {.op = HOIST_GOLDEN_SPARSE_MATMUL, .input_count = 3};
    for (size_t i = 0; i < HOIST_COMPUTE_MAX_ATTRS; i++) {
        call.attrs.value[i].integer = attrs[i];
    }
    return call;
}

static void fill_encoding(const hoist_compute_call *call, uint64_t *state)
{
    const hoist_tiles *in = &call->inputs[2];
    for (uint64_t n = 0; n < tiles_count(&in->shape); n++) {
        memset(tiles_tile(in, n), 0, HOIST_TILE_FLOATS * sizeof(float));
    }
    const uint64_t rows = in->shape.rows / attr(call, HOIST_SPARSE_GRID_ROWS);
    const uint64_t cols = in->shape.cols / attr(call, HOIST_SPARSE_FRACTURE);
    for (uint64_t row = 0; row < in->shape.rows; row += rows) {
        for (uint64_t col = 0; col < in->shape.cols; col += cols) {
            put_stream((writer){in, row, col, cols, 0}, call, rows * cols, state);
        }
    }
}

// clang-format off
static const struct {
    const char *name;
    // grid rows and columns, t, mblock m and n, ublock rt and ct, u_kt, tiles, bits, fracture
    int64_t attrs[HOIST_COMPUTE_MAX_ATTRS];
    hoist_tile_shape sparse;
    hoist_tile_shape act;
    hoist_tile_shape encoding;
} cases[] = {
    {"one core",           {1, 1, 1, 2, 1, 2, 1, 2, 4, 8, 8, 1},   {1, 1, 4}, {1, 4, 1}, {1, 1, 1}},
    {"slices",             {1, 1, 3, 1, 2, 2, 1, 2, 4, 8, 8, 1},   {1, 1, 4}, {1, 4, 2}, {1, 1, 2}},
    {"slices of input",    {1, 1, 2, 2, 1, 1, 2, 2, 2, 10, 10, 1}, {1, 1, 2}, {3, 2, 2}, {1, 1, 1}},
    {"grid",               {2, 2, 1, 2, 1, 1, 1, 3, 3, 8, 12, 1},  {1, 2, 3}, {1, 3, 2}, {1, 2, 1}},
    {"fractured",          {2, 4, 2, 1, 1, 2, 1, 1, 2, 8, 8, 2},   {1, 2, 4}, {1, 2, 4}, {1, 2, 4}},
    {"encoding in rows",   {1, 1, 2, 1, 1, 2, 1, 1, 2, 8, 8, 1},   {1, 1, 2}, {1, 2, 1}, {1, 2, 1}},
    {"full count is 0",    {1, 1, 1, 2, 1, 2, 1, 2, 4, 8, 14, 1},  {1, 1, 4}, {1, 4, 1}, {1, 1, 1}},
};
// clang-format on

HOIST_TEST_TABLE(products, cases)
{
    uint64_t state = 1;
    for (tiles_draw how = 0; how < TILES_DRAW_COUNT; how++) {
        hoist_compute_call call = make_call(row->attrs);
        call.inputs[0] = tiles_input(t, row->sparse, how, &state);
        call.inputs[1] = tiles_input(t, row->act, how, &state);
        call.inputs[2] = tiles_make(t, row->encoding, &state);
        fill_encoding(&call, &state);
        tiles_check(t, &call, sparse_matmul, 2, &state);
    }
}

// Streams for one core with 4 sparse tiles, 2 strips, ublocks of 2 x 2 tiles (rows x depth), 2 rows
// of ublocks.
// clang-format off
#define LAST 0x4000
#define LAST_IN_TILE 0x8000
#define UBLOCK(count, row) ((count) << 8 | (row))
#define TILE(sparse, r, d) ((sparse) << 8 | (r) << 1 | (d))

static const struct {
    const char *name;
    size_t count;
    uint16_t words[16];
    hoist_status want;
} streams[] = {
    {"one tile", 5, {1, LAST, 1, UBLOCK(1, 1), TILE(3, 1, 1)}, HOIST_OK},
    {"no ublock", 3, {1, LAST, 0}, HOIST_OK},
    {"unused strip index", 3, {0xffff, LAST | 0x3fff, 0}, HOIST_OK},
    {"tiles descend", 6, {0, LAST, 1, UBLOCK(2, 0), TILE(0, 1, 0), TILE(1, 0, 1)}, HOIST_OK},
    {"ublocks descend", 7, {0, LAST, 2, UBLOCK(1, 1), TILE(0, 1, 0), UBLOCK(1, 0), TILE(2, 0, 0)}, HOIST_OK},
    {"ublock twice", 7, {0, LAST, 2, UBLOCK(1, 1), TILE(0, 1, 0), UBLOCK(1, 1), TILE(2, 0, 0)}, HOIST_OK},
    {"row of ublocks too large", 5, {0, LAST, 1, UBLOCK(1, 2), TILE(0, 0, 0)}, HOIST_OK},
    {"row in the ublock too large", 5, {0, LAST, 1, UBLOCK(1, 0), TILE(0, 2, 0)}, HOIST_OK},
    {"never ends", 0, {0}, HOIST_INVALID},
    {"sparse tile too large", 5, {0, LAST, 1, UBLOCK(1, 0), TILE(4, 0, 0)}, HOIST_INVALID},
    {"strip too large", 5, {2, LAST, 1, UBLOCK(1, 0), TILE(0, 0, 0)}, HOIST_INVALID},
    {"strip much too large", 5, {0xffff, LAST | 0x3fff, 1, UBLOCK(1, 0), TILE(0, 0, 0)}, HOIST_INVALID},
    {"too many ublocks", 3, {0, LAST, 0xffff}, HOIST_INVALID},
    {"no further tile", 3, {0, LAST_IN_TILE, 0}, HOIST_INVALID},
};
// clang-format on

HOIST_TEST_TABLE(hand_made_streams, streams)
{
    static const int64_t attrs[HOIST_COMPUTE_MAX_ATTRS] = {1, 1, 1, 2, 1, 2, 1, 2, 4, 8, 8, 1};
    uint64_t state = 1;
    hoist_compute_call call = make_call(attrs);
    call.inputs[0] = tiles_input(t, (hoist_tile_shape){1, 1, 4}, TILES_INTEGERS, &state);
    call.inputs[1] = tiles_input(t, (hoist_tile_shape){1, 4, 1}, TILES_INTEGERS, &state);
    call.inputs[2] = tiles_make(t, (hoist_tile_shape){1, 1, 1}, &state);
    memset(tiles_tile(&call.inputs[2], 0), 0, HOIST_TILE_FLOATS * sizeof(float));
    writer w = {&call.inputs[2], 0, 0, 1, 0};
    for (size_t i = 0; i < row->count; i++) {
        put(&w, row->words[i]);
    }
    if (row->want == HOIST_OK) {
        tiles_check(t, &call, sparse_matmul, 2, &state);
        return;
    }
    call.output = tiles_make(t, tiles_output_shape(t, &call), &state);
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        hoist_compute_fault fault;
        HOIST_EXPECT_EQ(t, hoist_compute_run(hoist_compute_kernels_at(level), &call, 0, 1, &fault),
                        row->want);
        HOIST_EXPECT(t, fault.what != NULL);
    }
}

// Whatever the words are, the kernel ends and touches nothing outside: the sanitizers watch.
HOIST_TEST(random_streams)
{
    static const int64_t attrs[HOIST_COMPUTE_MAX_ATTRS] = {1, 1, 1, 2, 1, 2, 1, 2, 4, 8, 8, 1};
    uint64_t state = 1;
    hoist_compute_call call = make_call(attrs);
    call.inputs[0] = tiles_input(t, (hoist_tile_shape){1, 1, 4}, TILES_INTEGERS, &state);
    call.inputs[1] = tiles_input(t, (hoist_tile_shape){1, 4, 1}, TILES_INTEGERS, &state);
    call.inputs[2] = tiles_make(t, (hoist_tile_shape){1, 1, 2}, &state);
    call.output = tiles_make(t, tiles_output_shape(t, &call), &state);
    size_t refused = 0;
    for (size_t round = 0; round < 300; round++) {
        writer w = {&call.inputs[2], 0, 0, 2, 0};
        const uint32_t mask = round % 2 ? 0xffff : 0x4303; // the second: small numbers
        while (w.at < (size_t)2 * TILE_WORDS) {
            put(&w, (uint32_t)(hoist_test_random(&state) >> 48) & mask);
        }
        hoist_compute_fault fault;
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(hoist_cpu_detect());
        refused += hoist_compute_run(kernels, &call, 0, 1, &fault) == HOIST_INVALID;
    }
    HOIST_EXPECT(t, refused > 0 && refused < 300);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(products), HOIST_TEST_ROW(hand_made_streams),
                HOIST_TEST_ROW(random_streams))
