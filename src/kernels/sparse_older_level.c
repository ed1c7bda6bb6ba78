// Golden identity ("sparse") matmul whose encoding is of one of the two forms before that of
// sparse_level.c, on one core. In: sparse tiles in their order, activations, whose slices are one
// behind the other, and the encoding; out: one slice.
//
// sparse_indices, a list of 32-bit words:
//   bit 29 set: rows of activations begin, ublock_rt of them; with bit 26 nothing does, and
//     where another such word follows the first word, that is the head of the list
//   a tile: sparse tile | row of the output for the next tile << 16 | bit 30: last of a ublock
//     column | bit 31: last of a row of activations; the first tile goes to row `first_row`
// sparse_bytes, strips of 16-bit words:
//   strip: index | number of ublocks | 0x0101 for the last one, else 0 | ublocks
//   ublock: row of ublocks | count << 8; `count` tiles: place in the ublock | sparse tile << 8
//
// Encodings are data: every word is read inside the encoding, every tile that it names is checked,
// and what the vendor's files do not show is a fault. Source: the vendor's saved encodings with
// their inputs and results (tt-budabackend, verif/op_tests/pytorch_bin/matmul_ident), and for the
// list calculate_identity (ops/mm_bare.cpp), which nothing calls.
#include <string.h>

#include "kernels/compute_table.h"
#include "kernels/level.h"
#include "kernels/tile_product.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_sparse_older_group);

enum {
    ROWS_BEGIN = 1 << 29, // not a tile
    LOOPS = 3 << 27,      // neither bit is in any file of the vendor
    NOTHING = 1 << 26,    // with ROWS_BEGIN
    LAST_OF_COLUMN = 1 << 30,
    MOST_ROWS = 0x1fff,  // of the output: bits 16 to 28 of a tile
    LAST_STRIP = 0x0101, // sparse_bytes
};
#define LAST_OF_ROW (UINT32_C(1) << 31)

// One unit: a column of tiles of the output.
typedef struct column {
    const hoist_compute_call *call;
    uint64_t col;
    uint64_t at;       // next word of the encoding
    uint64_t row;      // sparse_indices: of the output, for the next tile
    const char *fault; // static; NULL: all is well
} column;

static uint64_t attr(const column *c, size_t index)
{
    return (uint64_t)c->call->attrs.value[index].integer;
}

static uint64_t tile_count(const hoist_tiles *tiles)
{
    return tiles->shape.z * tiles->shape.rows * tiles->shape.cols;
}

// Word `at` of the encoding, 32 bits; 0 and a fault after its end.
static uint32_t word_at(column *c, uint64_t at)
{
    const hoist_tiles *encoding = &c->call->inputs[2];
    uint32_t word = 0;
    if (at / HOIST_TILE_FLOATS >= tile_count(encoding)) {
        c->fault = "sparse matmul: the encoding ends too early";
        return 0;
    }
    memcpy(&word, hoist_tile_in(encoding, at / HOIST_TILE_FLOATS) + at % HOIST_TILE_FLOATS,
           sizeof word);
    return word;
}

// out[row] += sparse tile x activation
static void add_product(column *c, uint64_t row, uint64_t sparse, uint64_t act_row)
{
    const hoist_tiles *act = &c->call->inputs[1];
    const hoist_tiles *out = &c->call->output;
    if (sparse >= tile_count(&c->call->inputs[0])) {
        c->fault = "sparse matmul: the encoding names a sparse tile that is not there";
    } else if (act_row >= act->shape.z * act->shape.rows) {
        c->fault = "sparse matmul: the encoding names a row of activations that is not there";
    } else if (row >= out->shape.rows) {
        c->fault = "sparse matmul: the encoding names a row of the output that is not there";
    } else {
        hoist_tile_add_chain(hoist_tile_in(&c->call->inputs[0], sparse),
                             hoist_tile_in(act, act_row * act->shape.cols + c->col),
                             hoist_tile_out(out, row * out->shape.cols + c->col));
    }
}

// sparse_indices ------------------------------------------------------------------------------

// The tiles of a row of activations; `counts`: they are for this column. Whether they were the last
// of a ublock column.
static bool run_row(column *c, uint64_t act_row, bool counts)
{
    uint32_t word = 0;
    do {
        word = c->at < attr(c, HOIST_OLDER_LENGTH) ? word_at(c, c->at++) : ROWS_BEGIN;
        if (word & ROWS_BEGIN) {
            c->fault = "sparse matmul: a row of the list of indices does not end";
        } else if (counts && !c->fault) {
            add_product(c, c->row, word & 0xffff, act_row);
        }
        c->row = word >> 16 & MOST_ROWS;
    } while (!c->fault && !(word & LAST_OF_ROW));
    return word & LAST_OF_COLUMN;
}

// A ublock column after the other; only the one that has this column of tiles is multiplied.
static void run_rows(column *c, uint64_t block)
{
    const uint64_t rows = attr(c, HOIST_OLDER_UBLOCK_RT);
    for (uint64_t n = 0; n < attr(c, HOIST_OLDER_MBLOCK_N) && !c->fault; n++) {
        const bool counts = n == c->col / attr(c, HOIST_OLDER_UBLOCK_CT);
        bool last = false;
        while (!last && !c->fault) {
            for (uint64_t i = 0; i < rows && !c->fault; i++) {
                last = run_row(c, block * rows + i, counts);
            }
        }
    }
}

// The whole list, block by block of rows.
static void run_indices(column *c)
{
    uint64_t block = 0;
    c->row = attr(c, HOIST_OLDER_FIRST_ROW);
    while (c->at < attr(c, HOIST_OLDER_LENGTH) && !c->fault) {
        const bool first = c->at == 0;
        const uint32_t word = word_at(c, c->at++);
        const bool is_head = first && !(word & NOTHING) && word_at(c, c->at) & ROWS_BEGIN;
        if (!c->fault && (!(word & ROWS_BEGIN) || word & LOOPS)) {
            c->fault = "sparse matmul: a list of indices has a loop, or a tile where rows begin";
        } else if (!(word & NOTHING) && !is_head) {
            run_rows(c, block++);
        }
    }
}

// sparse_bytes --------------------------------------------------------------------------------

// The next word of 16 bits, the lower half first.
static uint32_t half_at(column *c)
{
    const uint64_t at = c->at++;
    const uint32_t word = word_at(c, at / 2);
    return at % 2 ? word >> 16 : word & 0xffff;
}

// The tiles of a ublock, each at its place.
static void run_ublock(column *c, uint64_t strip)
{
    const uint64_t u_kt = attr(c, HOIST_OLDER_U_KT);
    const uint64_t rows = attr(c, HOIST_OLDER_UBLOCK_RT);
    const uint32_t head = half_at(c);
    for (uint32_t i = 0; i < head >> 8 && !c->fault; i++) {
        const uint32_t word = half_at(c);
        const uint64_t place = word & 0xff;
        if (!c->fault && place >= rows * u_kt) {
            c->fault = "sparse matmul: the encoding names a place that its ublock does not have";
        } else if (!c->fault) {
            add_product(c, (head & 0xff) * rows + place / u_kt, word >> 8,
                        strip * u_kt + place % u_kt);
        }
    }
}

// Strips until the one whose flags say that it is the last.
static void run_bytes(column *c)
{
    uint32_t flags = 0;
    while (flags == 0 && !c->fault) {
        const uint32_t strip = half_at(c);
        const uint32_t ublocks = half_at(c);
        flags = half_at(c);
        for (uint32_t i = 0; i < ublocks && !c->fault; i++) {
            run_ublock(c, strip);
        }
    }
    if (!c->fault && flags != LAST_STRIP) {
        c->fault = "sparse matmul: a strip ends in flags that are neither 0 nor 0x0101";
    }
}

// Both ----------------------------------------------------------------------------------------

static size_t columns(const hoist_compute_call *call)
{
    return (size_t)call->output.shape.cols;
}

// Columns of the output, each from zeros.
static hoist_status run(const hoist_compute_call *call, size_t begin, size_t end,
                        void (*run_column)(column *), hoist_compute_fault *out_fault)
{
    const hoist_tile_shape *out = &call->output.shape;
    for (size_t col = begin; col < end; col++) {
        column c = {.call = call, .col = col};
        for (uint64_t row = 0; row < out->rows; row++) {
            memset(hoist_tile_out(&call->output, row * out->cols + col), 0,
                   HOIST_TILE_FLOATS * sizeof(float));
        }
        run_column(&c);
        if (c.fault) {
            *out_fault = (hoist_compute_fault){.what = c.fault, .col = col * HOIST_TILE_DIM};
            return HOIST_INVALID;
        }
    }
    return HOIST_OK;
}

static hoist_status sparse_indices(const hoist_compute_call *call, size_t begin, size_t end,
                                   hoist_compute_fault *out_fault)
{
    return run(call, begin, end, run_indices, out_fault);
}

static hoist_status sparse_bytes(const hoist_compute_call *call, size_t begin, size_t end,
                                 hoist_compute_fault *out_fault)
{
    return run(call, begin, end, run_bytes, out_fault);
}

enum { FIRST = HOIST_GOLDEN_SPARSE_INDICES };

static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_SPARSE_INDICES - FIRST] = {.work = columns, .run = sparse_indices},
    [HOIST_GOLDEN_SPARSE_BYTES - FIRST] = {.work = columns, .run = sparse_bytes},
};
const hoist_compute_group HOIST_LEVEL_NAME(hoist_sparse_older_group) = {
    FIRST, HOIST_COUNT_OF(group_rows), group_rows};
