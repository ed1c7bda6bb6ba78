// Golden identity ("sparse") matmul, buda-ops reference section 5.1.2.
//
// The encoding of a core is a stream of 16-bit words in its encoding tiles, one tile behind the
// other. It is data: every word is read inside the stream, every tile that it names is checked.
//
//   strip: index bits 0..15 | bits 16..29, bit 14: last of this output slice, bit 15: last in this
//          tile | number of ublocks | ublocks
//   ublock: count << idx_bits | row of ublocks; `count` tiles (0 stands for 1 << (16 - idx_bits))
//   tile: sparse tile << (16 - ptr_bits) | row in the ublock << depth bits | depth
//
// Rows of ublocks, and tiles in a ublock, count only while they ascend: what follows one that does
// not is never reached, because the reference walks the block and compares.
#include <string.h>

#include "kernels/compute_table.h"
#include "kernels/level.h"
#include "kernels/tile_product.h"

extern const hoist_compute_row HOIST_LEVEL_NAME(hoist_sparse_rows)[HOIST_COMPUTE_COUNT];

#define WORDS_PER_TILE ((uint64_t)2 * HOIST_TILE_FLOATS)

// Tiles of an input that belong to one core.
typedef struct part {
    const hoist_tiles *tiles;
    uint64_t row; // its first tile
    uint64_t col;
    uint64_t rows; // its size
    uint64_t cols;
} part;

// One unit: a column of tiles of the output of one row of cores.
typedef struct job {
    const hoist_compute_call *call;
    part sparse;
    part encoding;
    uint64_t at;       // next word of the encoding
    uint64_t row;      // first tile row of the output
    uint64_t col;      // tile column of the output
    uint64_t slice;    // output slice
    const char *fault; // static; NULL: all is well
} job;

typedef struct strip {
    uint64_t index;     // row of ublocks of the activations
    bool last_of_slice; // the next strip is of the next output slice
    bool last_in_tile;  // the next strip begins with the next encoding tile
    uint64_t ublocks;
} strip;

static uint64_t attr(const job *j, size_t index)
{
    return (uint64_t)j->call->attrs.value[index].integer;
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
static uint32_t word_at(job *j, uint64_t at)
{
    const part *p = &j->encoding;
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

static uint64_t tiles_in_ublock(const job *j, uint32_t word)
{
    const uint64_t bits = attr(j, HOIST_SPARSE_IDX_BITS);
    const uint64_t count = word >> bits;
    return count ? count : UINT64_C(1) << (16 - bits);
}

// out[slice, row, col] += sparse tile x activation
static void add_product(job *j, uint64_t row, uint64_t sparse, uint64_t depth)
{
    const hoist_tiles *weights = j->sparse.tiles;
    const hoist_tiles *act = &j->call->inputs[1];
    const hoist_tile_shape *out = &j->call->output.shape;
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
    hoist_tile_add_chain(
        hoist_tile_in(weights, j->sparse.row * weights->shape.cols + j->sparse.col + sparse),
        hoist_tile_in(act, act_row * act->shape.cols + j->col),
        hoist_tile_out(&j->call->output,
                       (j->slice * out->rows + j->row + row) * out->cols + j->col));
}

// The tiles of a ublock, from word `at`. Returns the word behind the last one that counts.
static uint64_t run_ublock(job *j, const strip *s, uint64_t ublock_row, uint64_t count, uint64_t at)
{
    const uint64_t u_kt = attr(j, HOIST_SPARSE_U_KT);
    const uint64_t ublock_rt = attr(j, HOIST_SPARSE_UBLOCK_RT);
    const unsigned place_bits = 16 - (unsigned)attr(j, HOIST_SPARSE_PTR_BITS);
    const unsigned bits = depth_bits(u_kt);
    uint64_t next = 0; // least place that still counts
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t word = word_at(j, at);
        const uint32_t code = word & ((1U << place_bits) - 1);
        const uint64_t place = (uint64_t)(code >> bits) * u_kt + (code & ((1U << bits) - 1));
        if (j->fault || place < next || place >= ublock_rt * u_kt) {
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
static void run_ublocks(job *j, const strip *s, uint64_t at)
{
    const uint64_t bits = attr(j, HOIST_SPARSE_IDX_BITS);
    uint64_t next = 0; // least row that still counts
    for (uint64_t i = 0; i < s->ublocks && !j->fault; i++) {
        const uint32_t word = word_at(j, at);
        const uint64_t row = word & ((1U << bits) - 1);
        if (j->fault || row < next || row >= attr(j, HOIST_SPARSE_MBLOCK_M)) {
            return;
        }
        at = run_ublock(j, s, row, tiles_in_ublock(j, word), at + 1);
        next = row + 1;
    }
}

static strip read_strip(job *j)
{
    const uint32_t low = word_at(j, j->at);
    const uint32_t high = word_at(j, j->at + 1);
    const strip s = {
        .index = low | (uint64_t)(high & 0x3fff) << 16,
        .last_of_slice = high >> 14 & 1,
        .last_in_tile = high >> 15 & 1,
        .ublocks = word_at(j, j->at + 2),
    };
    j->at += 3;
    return s;
}

// Steps over the ublocks of a strip.
static void skip_ublocks(job *j, const strip *s)
{
    for (uint64_t i = 0; i < s->ublocks && !j->fault; i++) {
        // All of them, also those that did not count: the next strip is behind.
        j->at += 1 + tiles_in_ublock(j, word_at(j, j->at));
    }
}

// Strip after strip, until all slices of the output are done.
static void run_job(job *j)
{
    uint64_t tile = 0; // start of the encoding tile, words
    while (j->slice < attr(j, HOIST_SPARSE_T) && !j->fault) {
        const strip s = read_strip(j);
        run_ublocks(j, &s, j->at);
        skip_ublocks(j, &s);
        if (s.last_in_tile) {
            tile += WORDS_PER_TILE;
            j->at = tile;
        }
        j->slice += s.last_of_slice;
    }
}

// The parts of the inputs that the unit's core has.
static job make_job(const hoist_compute_call *call, size_t unit)
{
    const hoist_tile_shape *out = &call->output.shape;
    job j = {.call = call, .col = unit % out->cols};
    const uint64_t grid_row = unit / out->cols;
    const uint64_t grid_rows = attr(&j, HOIST_SPARSE_GRID_ROWS);
    const uint64_t fracture = attr(&j, HOIST_SPARSE_FRACTURE);
    // Every grid_cols / fracture cores share a part of inputs 0 and 2.
    const uint64_t piece = j.col / (out->cols / fracture);
    part *parts[] = {&j.sparse, &j.encoding};
    const hoist_tiles *inputs[] = {&call->inputs[0], &call->inputs[2]};
    for (size_t i = 0; i < 2; i++) {
        const uint64_t rows = inputs[i]->shape.rows / grid_rows;
        const uint64_t cols = inputs[i]->shape.cols / fracture;
        *parts[i] = (part){inputs[i], grid_row * rows, piece * cols, rows, cols};
    }
    j.row = grid_row * (out->rows / grid_rows);
    return j;
}

// Products are added: the unit's tiles begin with 0, in all slices.
static void clear_column(const job *j)
{
    const hoist_tile_shape *out = &j->call->output.shape;
    const uint64_t rows = out->rows / attr(j, HOIST_SPARSE_GRID_ROWS);
    for (uint64_t i = 0; i < out->z * rows; i++) {
        const uint64_t row = i / rows * out->rows + j->row + i % rows;
        memset(hoist_tile_out(&j->call->output, row * out->cols + j->col), 0,
               HOIST_TILE_FLOATS * sizeof(float));
    }
}

static size_t sparse_work(const hoist_compute_call *call)
{
    const uint64_t grid_rows = (uint64_t)call->attrs.value[HOIST_SPARSE_GRID_ROWS].integer;
    return (size_t)(grid_rows * call->output.shape.cols);
}

static hoist_status sparse_matmul(const hoist_compute_call *call, size_t begin, size_t end,
                                  hoist_compute_fault *out_fault)
{
    for (size_t unit = begin; unit < end; unit++) {
        job j = make_job(call, unit);
        clear_column(&j);
        run_job(&j);
        if (j.fault) {
            *out_fault = (hoist_compute_fault){
                .what = j.fault,
                .z = j.slice,
                .row = j.row * HOIST_TILE_DIM,
                .col = j.col * HOIST_TILE_DIM,
            };
            return HOIST_INVALID;
        }
    }
    return HOIST_OK;
}

const hoist_compute_row HOIST_LEVEL_NAME(hoist_sparse_rows)[HOIST_COMPUTE_COUNT] = {
    [HOIST_GOLDEN_SPARSE_MATMUL] = {.work = sparse_work, .run = sparse_matmul},
};
