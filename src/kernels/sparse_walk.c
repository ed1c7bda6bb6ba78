// The encoding of a sparse matmul, strip after strip (sparse_walk.h has the layout): in the
// encoding and the inputs, out the calls of a visitor, which are the golden profile's
// (sparse_level.c) or a device's (device_sparse.c).
#include "kernels/sparse_walk.h"

#include <string.h>

#include "kernels/compute_table.h"

#define WORDS_PER_TILE ((uint64_t)2 * HOIST_TILE_FLOATS)

uint64_t hoist_sparse_attr(const hoist_sparse_walk *j, size_t index)
{
    return (uint64_t)j->call->attrs.value[j->visitor->attrs + index].integer;
}

float *hoist_sparse_output(const hoist_sparse_walk *j, uint64_t row)
{
    const hoist_tile_shape *out = &j->call->output.shape;
    return hoist_tile_out(&j->call->output,
                          (j->slice * out->rows + j->row + row) * out->cols + j->col);
}

// Bits of the depth in a tile's word.
static unsigned depth_bits(uint64_t u_kt)
{
    unsigned bits = 1;
    while (bits < 32 && UINT64_C(1) << bits < u_kt) {
        bits++;
    }
    return bits;
}

// Word `at` of the stream; 0 and a fault behind its end.
static uint32_t word_at(hoist_sparse_walk *j, uint64_t at)
{
    const hoist_sparse_part *p = &j->encoding;
    const hoist_tile_shape *shape = &p->tiles->shape;
    const uint64_t k = at / WORDS_PER_TILE;
    const uint64_t z = k / p->cols / p->rows;
    if (z >= shape->z) {
        j->fault = "sparse matmul: the encoding ends too early";
        return 0;
    }
    const uint64_t row = p->row + k / p->cols % p->rows;
    const float *tile =
        hoist_tile_in(p->tiles, (z * shape->rows + row) * shape->cols + p->col + k % p->cols);
    uint32_t pair = 0;
    memcpy(&pair, tile + at % WORDS_PER_TILE / 2, sizeof pair);
    return at % 2 ? pair >> 16 : pair & 0xffff;
}

static uint64_t tiles_in_ublock(const hoist_sparse_walk *j, uint32_t word)
{
    const uint64_t bits = hoist_sparse_attr(j, HOIST_SPARSE_IDX_BITS);
    const uint64_t count = word >> bits;
    return count ? count : UINT64_C(1) << (16 - bits);
}

// out[slice, row, col] += sparse tile x activation
static void add_product(hoist_sparse_walk *j, uint64_t row, uint64_t sparse, uint64_t depth)
{
    const hoist_tiles *weights = j->sparse.tiles;
    const hoist_tiles *act = &j->call->inputs[1];
    const uint64_t act_z = depth / act->shape.rows;
    if (sparse >= j->sparse.cols) {
        j->fault = "sparse matmul: the encoding names a sparse tile that is not there";
        return;
    }
    if (act_z >= act->shape.z) {
        j->fault = "sparse matmul: the encoding names a row of activations that is not there";
        return;
    }
    const uint64_t act_row = act_z * act->shape.rows + depth % act->shape.rows;
    j->visitor->product(
        j, row,
        hoist_tile_in(weights, j->sparse.row * weights->shape.cols + j->sparse.col + sparse),
        hoist_tile_in(act, act_row * act->shape.cols + j->col));
}

// After what does not ascend, and is not reached.
static void check_order(hoist_sparse_walk *j)
{
    if (!j->fault && j->visitor->is_strict) {
        j->fault = "sparse matmul: tiles or ublocks of the encoding that do not ascend";
    }
}

// The tiles of a ublock, from word `at`. Returns the word behind the last one that counts.
static uint64_t run_ublock(hoist_sparse_walk *j, const hoist_sparse_strip *s, uint64_t ublock_row,
                           uint64_t count, uint64_t at)
{
    const uint64_t u_kt = hoist_sparse_attr(j, HOIST_SPARSE_U_KT);
    const uint64_t ublock_rt = hoist_sparse_attr(j, HOIST_SPARSE_UBLOCK_RT);
    const unsigned place_bits = 16 - (unsigned)hoist_sparse_attr(j, HOIST_SPARSE_PTR_BITS);
    const unsigned bits = depth_bits(u_kt);
    uint64_t next = 0; // least place that still counts
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t word = word_at(j, at);
        const uint32_t code = word & ((1U << place_bits) - 1);
        const uint64_t place = (uint64_t)(code >> bits) * u_kt + (code & ((1U << bits) - 1));
        if (j->fault || place < next || place >= ublock_rt * u_kt) {
            check_order(j);
            return at;
        }
        add_product(j, ublock_row * ublock_rt + place / u_kt, word >> place_bits,
                    s->index * u_kt + place % u_kt);
        next = place + 1;
        at++;
    }
    return at;
}

// The ublocks of a strip in their order, as long as their rows ascend.
static void run_ublocks(hoist_sparse_walk *j, const hoist_sparse_strip *s, uint64_t at)
{
    const uint64_t bits = hoist_sparse_attr(j, HOIST_SPARSE_IDX_BITS);
    uint64_t next = 0; // least row that still counts
    for (uint64_t i = 0; i < s->ublocks && !j->fault; i++) {
        const uint32_t word = word_at(j, at);
        const uint64_t row = word & ((1U << bits) - 1);
        if (j->fault || row < next || row >= hoist_sparse_attr(j, HOIST_SPARSE_MBLOCK_M)) {
            check_order(j);
            return;
        }
        const uint64_t first = row * hoist_sparse_attr(j, HOIST_SPARSE_UBLOCK_RT);
        if (j->visitor->begin_ublock) {
            j->visitor->begin_ublock(j, s, first);
        }
        at = run_ublock(j, s, row, tiles_in_ublock(j, word), at + 1);
        if (j->visitor->end_ublock) {
            j->visitor->end_ublock(j, s, first);
        }
        next = row + 1;
    }
}

static hoist_sparse_strip read_strip(hoist_sparse_walk *j)
{
    const uint32_t low = word_at(j, j->at);
    const uint32_t high = word_at(j, j->at + 1);
    const hoist_sparse_strip s = {
        .index = low | (uint64_t)(high & 0x3fff) << 16,
        .last_of_slice = high >> 14 & 1,
        .last_in_tile = high >> 15 & 1,
        .ublocks = word_at(j, j->at + 2),
    };
    j->at += 3;
    return s;
}

// Steps over the ublocks of a strip.
static void skip_ublocks(hoist_sparse_walk *j, const hoist_sparse_strip *s)
{
    for (uint64_t i = 0; i < s->ublocks && !j->fault; i++) {
        // All of them, also those that did not count: the next strip is behind.
        j->at += 1 + tiles_in_ublock(j, word_at(j, j->at));
    }
}

// Strip after strip, until all slices of the output are done.
static void run(hoist_sparse_walk *j)
{
    uint64_t tile = 0; // start of the encoding tile, words
    bool is_first = true;
    while (j->slice < hoist_sparse_attr(j, HOIST_SPARSE_T) && !j->fault) {
        hoist_sparse_strip s = read_strip(j);
        s.first_of_slice = is_first;
        if (j->visitor->begin_strip && !j->fault) {
            j->visitor->begin_strip(j, &s);
        }
        run_ublocks(j, &s, j->at);
        skip_ublocks(j, &s);
        if (s.last_in_tile) {
            tile += WORDS_PER_TILE;
            j->at = tile;
        }
        is_first = s.last_of_slice;
        j->slice += s.last_of_slice;
    }
}

// The parts of the inputs that the unit's core has.
static hoist_sparse_walk make_walk(const hoist_compute_call *call, size_t unit,
                                   const hoist_sparse_visitor *visitor, void *user)
{
    const hoist_tile_shape *out = &call->output.shape;
    hoist_sparse_walk j = {.call = call, .visitor = visitor, .user = user, .col = unit % out->cols};
    const uint64_t grid_row = unit / out->cols;
    const uint64_t grid_rows = hoist_sparse_attr(&j, HOIST_SPARSE_GRID_ROWS);
    const uint64_t fracture = hoist_sparse_attr(&j, HOIST_SPARSE_FRACTURE);
    // Every grid_cols / fracture cores share a part of inputs 0 and 2.
    const uint64_t piece = j.col / (out->cols / fracture);
    hoist_sparse_part *parts[] = {&j.sparse, &j.encoding};
    const hoist_tiles *inputs[] = {&call->inputs[0], &call->inputs[2]};
    for (size_t i = 0; i < 2; i++) {
        const uint64_t rows = inputs[i]->shape.rows / grid_rows;
        const uint64_t cols = inputs[i]->shape.cols / fracture;
        *parts[i] = (hoist_sparse_part){inputs[i], grid_row * rows, piece * cols, rows, cols};
    }
    j.row = grid_row * (out->rows / grid_rows);
    return j;
}

// Products are added: the unit's tiles begin with 0, in all slices.
static void clear_column(const hoist_sparse_walk *j)
{
    const hoist_tile_shape *out = &j->call->output.shape;
    const uint64_t rows = out->rows / hoist_sparse_attr(j, HOIST_SPARSE_GRID_ROWS);
    for (uint64_t i = 0; i < out->z * rows; i++) {
        const uint64_t row = i / rows * out->rows + j->row + i % rows;
        memset(hoist_tile_out(&j->call->output, row * out->cols + j->col), 0,
               HOIST_TILE_FLOATS * sizeof(float));
    }
}

size_t hoist_sparse_units(const hoist_compute_call *call, const hoist_sparse_visitor *visitor)
{
    const hoist_sparse_walk j = {.call = call, .visitor = visitor};
    return (size_t)(hoist_sparse_attr(&j, HOIST_SPARSE_GRID_ROWS) * call->output.shape.cols);
}

hoist_status hoist_sparse_walk_unit(const hoist_compute_call *call, size_t unit,
                                    const hoist_sparse_visitor *visitor, void *user,
                                    hoist_compute_fault *out_fault)
{
    hoist_sparse_walk j = make_walk(call, unit, visitor, user);
    clear_column(&j);
    run(&j);
    if (!j.fault) {
        return HOIST_OK;
    }
    *out_fault = (hoist_compute_fault){
        .what = j.fault,
        .z = j.slice,
        .row = j.row * HOIST_TILE_DIM,
        .col = j.col * HOIST_TILE_DIM,
    };
    return HOIST_INVALID;
}
