// The constants of a sparse matmul: its sparse tiles, of one 1 in each row, and their encoding, of
// strips, ublocks and tiles, made at random (by shares of zeros) or by counts. An encoding is
// bytes: for each strip 4 (index and two marks), 2 (number of ublocks), for each ublock 2 (its
// number below the number of its tiles) and for each tile 2 (place in the ublock below the sparse
// tile). Layout: buda-ops reference, section 5.1.2. In: the op's attributes. Out: tiles of
// numbers, in which the bytes are packed.
#include <inttypes.h>
#include <math.h>

#include "base/buffer.h"
#include "base/span.h"
#include "formats/buda/op_view.h"
#include "formats/buda/rules.h"
#include "formats/buda/stimulus.h"

enum { TILE = 32, TILE_ELEMENTS = TILE * TILE, MOST_STRIPS = 1 << 20 };

// One strip while its row is encoded: where its bytes are, and the marks that packing sets.
typedef struct strip {
    uint32_t index;
    bool last_in_row; // of its t
    bool last_in_tile;
    size_t begin; // in the bytes of strips
    size_t size;  // of what follows the index
} strip;

typedef struct encoder {
    const buda_stimulus *s; // the identity matmul
    const buda_op *op;
    buda_random *random;
    hoist_diag *diag;
    // Of the op.
    int64_t m_k, u_kt, t, act_t, rows, mblock, ublock;
    // Places in a u16: tile pointer, ublock index.
    int64_t sparse_tiles, index_tiles, ptr_bits, idx_bits;
    int64_t col_bits; // of a tile's place in its ublock
    size_t capacity;  // bytes of a tile of the encoding
    int64_t unique;   // sparse tile that was named last
    hoist_buffer bytes;
    hoist_buffer strips; // of the row at hand ; encoded and packed before the next row begins
} encoder;

static hoist_status refuse(encoder *e, const char *format, ...) HOIST_PRINTF(2, 3);
// For findings with numbers in them; the type of the stimulus is in the sentence already.
static hoist_status refuse(encoder *e, const char *format, ...)
{
    hoist_buffer text;
    va_list args;
    hoist_buffer_init(&text, e->bytes.alloc);
    va_start(args, format);
    hoist_buffer_vformat(&text, format, args);
    va_end(args);
    const hoist_str all = hoist_buffer_text(&text);
    buda_report(e->diag, BUDA_905, e->s->pos, "the stimulus for matmul '%.*s' %.*s",
                HOIST_STR_ARGS(e->s->matmul), HOIST_STR_ARGS(all));
    hoist_buffer_deinit(&text);
    return HOIST_INVALID;
}

// In all graphs: op names are unique (rule 4a). NULL when there is none.
static const buda_op *find_op(const hoist_buda_module *module, hoist_str name)
{
    for (size_t g = 0; g < module->graph_count; g++) {
        const buda_graph *graph = &module->graphs[g];
        for (size_t i = 0; i < graph->op_count; i++) {
            if (hoist_str_equal(graph->ops[i].name.text, name)) {
                return &graph->ops[i];
            }
        }
    }
    return NULL;
}

// The t of what the op reads as input 1; that of its result where it is not known.
static int64_t input_t(const hoist_buda_module *module, const buda_op *op)
{
    const hoist_str name = op->inputs.count > 1 ? op->inputs.items[1].text : (hoist_str){NULL, 0};
    const buda_op *source = find_op(module, name);
    for (size_t i = 0; i < module->queue_count; i++) {
        if (hoist_str_equal(module->queues[i].name.text, name)) {
            return module->queues[i].t.value;
        }
    }
    return source ? source->t.value : op->t.value;
}

// Bits of the numbers 0 ... count-1; at least 1, as the reference's D.
static int64_t bit_width(int64_t count)
{
    int64_t bits = 1;
    while ((count - 1) >> bits > 0) {
        bits++;
    }
    return bits;
}

// Little-endian, as all of the stream.
static void add16(encoder *e, uint64_t value)
{
    hoist_buffer_char(&e->bytes, (char)(value & 0xff));
    hoist_buffer_char(&e->bytes, (char)(value >> 8 & 0xff));
}

// Completes a count that was not known when its place was written.
static void set16(encoder *e, size_t at, uint64_t value)
{
    if (!e->bytes.failed) {
        e->bytes.data[at] = (uint8_t)value;
        e->bytes.data[at + 1] = (uint8_t)(value >> 8);
    }
}

// Strips ------------------------------------------------------------------------------------------

// Items of a buffer of bytes: valid until the next strip is added.
static strip *strips_of(encoder *e, size_t *out_count)
{
    *out_count = e->strips.size / sizeof(strip);
    return (strip *)(void *)e->strips.data;
}

// The number of ublocks comes first and is filled in by end_strip().
static void begin_strip(encoder *e, int64_t index)
{
    const strip s = {.index = (uint32_t)index, .begin = e->bytes.size};
    hoist_buffer_add(&e->strips, (hoist_bytes){(const uint8_t *)&s, sizeof s});
    add16(e, 0);
}

static void end_strip(encoder *e, uint64_t ublocks)
{
    size_t count = 0;
    strip *const all = strips_of(e, &count);
    if (!e->strips.failed && count) {
        set16(e, all[count - 1].begin, ublocks);
        all[count - 1].size = e->bytes.size - all[count - 1].begin;
    }
}

// All zeros when there is none yet.
static strip last_strip(encoder *e)
{
    size_t count = 0;
    const strip *const all = strips_of(e, &count);
    return count && !e->strips.failed ? all[count - 1] : (strip){.index = 0};
}

// The t ends: bit 30 of the strip's word.
static void mark_row_end(encoder *e)
{
    size_t count = 0;
    strip *const all = strips_of(e, &count);
    if (count && !e->strips.failed) {
        all[count - 1].last_in_row = true;
    }
}

// Sparse tiles are named in turn, so that each occurs. The rest of the u16 is the place in the
// ublock.
static void add_tile(encoder *e, int64_t row, int64_t col)
{
    e->unique = (e->unique + 1) % e->sparse_tiles;
    const int64_t place_bits = 16 - e->ptr_bits;
    const uint64_t place = (uint64_t)(row << e->col_bits | col) & ((1U << place_bits) - 1);
    add16(e, (uint64_t)e->unique << place_bits | place);
}

// The greatest count does not fit its bits and is written as 0.
static void end_ublock(encoder *e, size_t at, int64_t number, uint64_t tiles)
{
    const uint64_t most = UINT64_C(1) << (16 - e->idx_bits);
    const uint64_t count = tiles == most ? 0 : tiles;
    set16(e, at, count << e->idx_bits | ((uint64_t)number & ((UINT64_C(1) << e->idx_bits) - 1)));
}

// A share of 1 makes everything zero, a share of 0 nearly nothing.
static bool is_zero(encoder *e, double share)
{
    return buda_random_share(e->random) <= share;
}

// By shares ---------------------------------------------------------------------------------------

// At least one tile stays, so that no ublock is empty.
static void random_ublock(encoder *e, int64_t number)
{
    const int64_t row = buda_random_int(e->random, 0, e->ublock - 1); // one that is not zero
    const int64_t col = buda_random_int(e->random, 0, e->u_kt - 1);
    const size_t at = e->bytes.size;
    uint64_t tiles = 0;
    add16(e, 0);
    for (int64_t r = 0; r < e->ublock; r++) {
        for (int64_t c = 0; c < e->u_kt; c++) {
            if (!is_zero(e, e->s->zero_tiles) || (r == row && c == col)) {
                add_tile(e, r, c);
                tiles++;
            }
        }
    }
    end_ublock(e, at, number, tiles);
}

// As random_ublock(): one ublock of the strip stays.
static void random_strip(encoder *e, int64_t index)
{
    const int64_t kept = buda_random_int(e->random, 0, e->mblock - 1);
    uint64_t ublocks = 0;
    begin_strip(e, index);
    for (int64_t i = 0; i < e->mblock; i++) {
        if (!is_zero(e, e->s->zero_ublocks) || i == kept) {
            random_ublock(e, i);
            ublocks++;
        }
    }
    end_strip(e, ublocks);
}

// Strips of each t go on where those of the one before it ended, up to a diagonal. `width` strips
// of m_k belong to each t; `last` is the strip at which the next t begins.
static void random_row(encoder *e)
{
    const int64_t width = (e->m_k + e->t - 1) / e->t;
    int64_t last = -1;
    for (int64_t t = 0; t < e->t; t++) {
        bool empty = true;
        for (int64_t k = 0; k < e->m_k; k++) {
            const bool zero = is_zero(e, e->s->zero_strips);
            // The draw is made first, so that later draws do not depend on the place.
            if (zero || k < last || k >= (t + 1) * width) {
                continue;
            }
            // With t of its own the index counts over all of them.
            random_strip(e, e->act_t == 1 ? k : e->m_k * t + k);
            empty = false;
            if (e->bytes.failed || e->bytes.size > e->capacity * (size_t)e->index_tiles) {
                return; // too much, which is found when it is packed
            }
        }
        if (empty) { // one strip of nothing
            begin_strip(e, t > 0 ? last_strip(e).index : 0);
            end_strip(e, 0);
        }
        const int64_t index = last_strip(e).index;
        last = e->act_t == 1 || t == 0 ? index : index % (e->m_k * t);
        mark_row_end(e);
    }
}

// Ublocks and tiles are spread evenly; the first ones get what is left over.
// By counts ---------------------------------------------------------------------------------------

// Numbers of what was encoded so far in all rows of the grid.
typedef struct counted {
    int64_t strips, ublocks;
} counted;

// Divisions are safe: check_counts() has found ublocks >= strips >= t >= 1.
static void counted_strip(encoder *e, int64_t index, counted *done)
{
    const int64_t strips = (int64_t)e->s->nz_strips;
    const int64_t ublocks = (int64_t)e->s->nz_ublocks;
    const int64_t tiles = (int64_t)e->s->nz_tiles;
    const int64_t here = ublocks / strips + (ublocks % strips > done->strips);
    begin_strip(e, index);
    for (int64_t i = 0; i < here; i++) {
        const int64_t count = tiles / ublocks + (done->ublocks < tiles % ublocks);
        const size_t at = e->bytes.size;
        add16(e, 0);
        for (int64_t k = 0; k < count; k++) {
            add_tile(e, k / e->u_kt, k % e->u_kt);
        }
        end_ublock(e, at, i, (uint64_t)count);
        done->ublocks++;
    }
    end_strip(e, (uint64_t)here);
    done->strips++;
}

// As random_row(), but with as many strips per t as the count asks for.
static void counted_row(encoder *e, counted *done)
{
    const int64_t strips = (int64_t)e->s->nz_strips;
    const int64_t width = strips / e->t;
    int64_t again = strips % e->t; // that begin with the last strip of the t before them
    again += width * e->t > e->m_k ? width * e->t - e->m_k : 0;
    int64_t last = -1;
    for (int64_t t = 0; t < e->t; t++) {
        const int64_t most = last + width < e->m_k ? last + width : e->m_k - 1;
        for (int64_t k = last < 0 ? 0 : last; k <= most; k++) {
            if (k == last && t < e->t - again) {
                continue;
            }
            counted_strip(e, e->act_t == 1 ? k : e->m_k * t + k, done);
            if (e->bytes.failed || e->bytes.size > e->capacity * (size_t)e->index_tiles) {
                return; // too much, which is found when it is packed
            }
        }
        last = most;
        mark_row_end(e);
    }
}

// As doubles, because the file may have any number here; NaN does not get this far
// (read_number()).
static hoist_status check_counts(encoder *e)
{
    const double strips = e->s->nz_strips;
    const double ublocks = e->s->nz_ublocks;
    const double tiles = e->s->nz_tiles;
    const double in_ublock = (double)(e->ublock * e->u_kt);
    if (strips < (double)e->t || strips > (double)(e->m_k + e->t - 1) || ublocks < strips ||
        ublocks > strips * (double)e->mblock || tiles < ublocks || tiles > ublocks * in_ublock) {
        return refuse(e,
                      "has nz_strips %g, nz_ublocks %g and nz_tiles %g, expected %" PRId64
                      " to %" PRId64 " strips, 1 to %" PRId64 " ublocks in each and 1 to %g "
                      "tiles in each of these",
                      strips, ublocks, tiles, e->t, e->m_k + e->t - 1, e->mblock, in_ublock);
    }
    return HOIST_OK;
}

// A strip is never split over two tiles, so each tile's strips are chosen first, and written then.
// Packing -----------------------------------------------------------------------------------------

// Marks the last strip of each tile. The size of a strip counts twice when it is looked at, as in
// the generator of test programs: tiles end early rather than late.
static bool mark_tiles(encoder *e)
{
    size_t count = 0;
    strip *const all = strips_of(e, &count);
    size_t used = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t size = 4 + all[i].size;
        if (size > e->capacity) { // no tile could hold it
            return false;
        }
        used += size;
        if (i > 0 && used + size > e->capacity) {
            all[i - 1].last_in_tile = true;
            used = size;
        }
    }
    if (count) {
        all[count - 1].last_in_tile = true;
        all[count - 1].last_in_row = true;
    }
    return true;
}

// Byte `at` of a row's tiles, whose numbers are of 1, 2 or 4 bytes. Tiles are doubles, one for
// each number; a number is put together byte by byte, the lowest first.
static void put_byte(const encoder *e, double *tiles, size_t at, uint8_t byte)
{
    const size_t wide = e->capacity / TILE_ELEMENTS;
    tiles[at / wide] += ldexp((double)byte, (int)(8 * (at % wide)));
}

// Tile after tile; the last strip of a tile ends it, and the rest of it stays 0.
static hoist_status pack_row(encoder *e, double *tiles)
{
    size_t count = 0;
    HOIST_TRY_MEMORY(!e->bytes.failed && !e->strips.failed);
    if (!mark_tiles(e)) {
        return refuse(e, "makes a strip of more than the %zu bytes of a tile", e->capacity);
    }
    const strip *const all = strips_of(e, &count);
    size_t tile = 0;
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const uint32_t head = // bits 30 and 31 of the strip's word
            all[i].index | (uint32_t)all[i].last_in_row << 30 | (uint32_t)all[i].last_in_tile << 31;
        if (tile == (size_t)e->index_tiles || at + 4 + all[i].size > e->capacity) {
            return refuse(e, "makes an encoding of more than num_index_tiles, %" PRId64 ", tiles",
                          e->index_tiles);
        }
        double *const to = tiles + tile * TILE_ELEMENTS;
        for (size_t k = 0; k < 4; k++) {
            put_byte(e, to, at++, (uint8_t)(head >> (8 * k)));
        }
        for (size_t k = 0; k < all[i].size; k++) {
            put_byte(e, to, at++, e->bytes.data[all[i].begin + k]);
        }
        tile += all[i].last_in_tile;
        at = all[i].last_in_tile ? 0 : at;
    }
    return HOIST_OK;
}

// Each row of the grid has an encoding of its own, of index_tiles tiles.
static hoist_status encode(encoder *e, double *out_tiles)
{
    const bool counts = e->s->kind == BUDA_STIMULUS_ENCODING_COUNTS;
    counted done = {0, 0};
    HOIST_TRY(counts ? check_counts(e) : HOIST_OK);
    for (int64_t row = 0; row < e->rows; row++) {
        e->bytes.size = e->strips.size = 0;
        if (counts) {
            counted_row(e, &done);
        } else {
            random_row(e);
        }
        HOIST_TRY(pack_row(e, out_tiles + (size_t)(row * e->index_tiles) * TILE_ELEMENTS));
    }
    return HOIST_OK;
}

// All ---------------------------------------------------------------------------------------------

// The numbers of the op, each in a range in which sums and products fit. Products of two of them
// stay below 2^40.
static hoist_status read_op(encoder *e, const hoist_buda_module *module)
{
    const buda_attributes *attributes = &e->op->attributes;
    const int64_t ptr_bits = buda_attr_int(attributes, HOIST_ATTR_SPARSE_TILE_PTR_BITS, 0);
    const int64_t idx_bits = buda_attr_int(attributes, HOIST_ATTR_SPARSE_UBLOCK_IDX_BITS, -1);
    // As the vendor: t of the activations unless the attribute gives it.
    const int64_t act_t = buda_attr_int(attributes, HOIST_ATTR_ACT_T, 0);
    e->m_k = buda_attr_int(attributes, HOIST_ATTR_M_K, 1);
    e->u_kt = buda_attr_int(attributes, HOIST_ATTR_U_KT, 1);
    e->sparse_tiles = buda_attr_int(attributes, HOIST_ATTR_NUM_SPARSE_TILES, 0);
    e->index_tiles = buda_attr_int(attributes, HOIST_ATTR_NUM_INDEX_TILES, 0);
    e->ptr_bits = ptr_bits;
    e->idx_bits = idx_bits > 0 ? idx_bits : ptr_bits;
    e->t = e->op->t.value;
    e->act_t = act_t ? act_t : input_t(module, e->op);
    e->rows = e->op->grid_size.r;
    e->mblock = e->op->mblock.r;
    e->ublock = e->op->ublock.r;
    const int64_t all[] = {e->m_k,    e->u_kt,     e->sparse_tiles, e->index_tiles,
                           e->t,      e->act_t,    e->rows,         e->mblock,
                           e->ublock, e->ptr_bits, e->idx_bits};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] < 1 || all[i] > MOST_STRIPS) {
            return refuse(e, "needs sizes and attributes of the op, each from 1 to %d",
                          (int)MOST_STRIPS);
        }
    }
    return HOIST_OK;
}

// What has to hold so that all numbers fit their bits in a u16.
static hoist_status check_op(encoder *e)
{
    const double bytes = e->s->tile_bytes;
    e->col_bits = bit_width(e->u_kt);
    if (e->t != e->act_t && e->act_t != 1) {
        return refuse(e, "needs act_t 1 or t, %" PRId64 ", found %" PRId64, e->t, e->act_t);
    }
    if (bytes != 1024 && bytes != 2048 && bytes != 4096) { // bytes of a tile of 8, 16 or 32 bits
        return refuse(e, "has enc_tile_byte_size %g, expected 1024, 2048 or 4096", bytes);
    }
    if (e->ptr_bits > 15 || e->idx_bits > 15 || e->mblock >= INT64_C(1) << e->idx_bits ||
        e->ublock * e->u_kt > INT64_C(1) << (16 - e->idx_bits) ||
        e->sparse_tiles >= INT64_C(1) << e->ptr_bits ||
        bit_width(e->ublock) + e->col_bits > 16 - e->ptr_bits || e->t * e->m_k > MOST_STRIPS) {
        return refuse(e, "does not fit the bits of sparse_tile_ptr_bits and "
                         "sparse_ublock_idx_bits");
    }
    e->capacity = (size_t)bytes;
    return HOIST_OK;
}

// One 1 in each row of each tile. A permutation-like matrix: each output row takes one input row.
static void fill_tiles(encoder *e, size_t tiles, double *out_tiles)
{
    for (size_t row = 0; row < tiles * TILE; row++) {
        out_tiles[row * TILE + (size_t)buda_random_int(e->random, 0, TILE - 1)] = 1;
    }
}

// The queue has to have as many tiles as the op reads.
static hoist_status make(encoder *e, const hoist_buda_module *module, size_t tiles,
                         double *out_tiles)
{
    const bool encoded = e->s->kind != BUDA_STIMULUS_SPARSE;
    if (!e->op) {
        return refuse(e, "names an op that is not there");
    }
    HOIST_TRY(read_op(e, module));
    const int64_t expected = e->rows * (encoded ? e->index_tiles : e->sparse_tiles);
    if ((int64_t)tiles != expected) {
        return refuse(e, "is for a queue of %" PRId64 " tiles, found %zu", expected, tiles);
    }
    if (!encoded) {
        fill_tiles(e, tiles, out_tiles);
        return HOIST_OK;
    }
    HOIST_TRY(check_op(e));
    return encode(e, out_tiles);
}

// Buffers live for one entry; their size is bounded by capacity times index_tiles.
hoist_status buda_stimulus_sparse(const hoist_buda_module *module, const buda_stimulus *stimulus,
                                  buda_random *random, hoist_allocator alloc, hoist_diag *diag,
                                  buda_sparse_tiles tiles)
{
    encoder e = {
        .s = stimulus, .op = find_op(module, stimulus->matmul), .random = random, .diag = diag};
    hoist_buffer_init(&e.bytes, alloc);
    hoist_buffer_init(&e.strips, alloc);
    const hoist_status status = make(&e, module, tiles.count, tiles.values);
    hoist_buffer_deinit(&e.bytes);
    hoist_buffer_deinit(&e.strips);
    return status;
}

// The sparse matmul that reads the queue as `input`; NULL: there is none.
static const buda_op *find_reader(const hoist_buda_module *module, hoist_str queue, size_t input)
{
    for (size_t g = 0; g < module->graph_count; g++) {
        const buda_graph *const graph = &module->graphs[g];
        for (size_t i = 0; i < graph->op_count; i++) {
            const buda_op *const op = &graph->ops[i];
            if (buda_attr_bool(&op->attributes, HOIST_ATTR_IDENTITY) && op->inputs.count > input &&
                hoist_str_equal(op->inputs.items[input].text, queue)) {
                return op;
            }
        }
    }
    return NULL;
}

bool buda_stimulus_of_matmul(const hoist_buda_module *module, hoist_str queue, uint32_t bits,
                             buda_stimulus *stimulus)
{
    const buda_op *const tiles = find_reader(module, queue, 0);
    const buda_op *const encoded = tiles ? NULL : find_reader(module, queue, 2);
    if (!tiles && !encoded) {
        return false;
    }
    stimulus->kind = tiles ? BUDA_STIMULUS_SPARSE : BUDA_STIMULUS_ENCODING;
    stimulus->matmul = (tiles ? tiles : encoded)->name.text;
    // Mostly zeros, as sparse matmuls are for.
    stimulus->zero_strips = stimulus->zero_ublocks = stimulus->zero_tiles = 0.9;
    stimulus->tile_bytes = (double)bits / 8 * TILE_ELEMENTS;
    return true;
}
