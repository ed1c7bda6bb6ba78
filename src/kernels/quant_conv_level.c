// 8-bit convolutions and dense layers as products of matrices: rows are output positions, columns
// output channels.
//
// A tile of ROWS positions is multiplied with a block of channels at a time. Where the bytes under
// a position lie in one piece (a window of one position, 4 taps a word) they are read in place;
// else they are gathered to a small buffer on the stack, CHUNK words of taps at a time, with the
// zero point where the window leaves the image.
//
// Sums of a tile stay in registers for a chunk: ROWS x COLUMNS vectors and one vector per column,
// out of 32 at AVX-512, of 16 below.
#include "kernels/quant_gather.h"
#include "kernels/quant_outcome.h"
#include "kernels/quant_table.h"

#define ROWS 6
#if defined(__AVX512F__)
#define COLUMNS 4
#else
#define COLUMNS 2
#endif
#define CHUNK 256

// A call, and what its tiles share.
typedef struct job {
    const hoist_quant_conv *conv;
    const uint8_t *prepared;
    hoist_quant_prepared layout;
    hoist_quant_outcome outcome;
    hoist_gather gather;
    bool in_place;
    bool is_short; // for hoist_gather_short()
    uint32_t zero_weight;
} job;

// A block of channels.
typedef struct block {
    size_t first; // channel
    size_t width; // channels, rounded up
    size_t count; // channels of y
    const uint8_t *words;
} block;

typedef struct tile {
    size_t count; // positions, 1 to ROWS
    hoist_spot spots[ROWS];
    const uint8_t *rows[ROWS]; // words of a chunk; those beyond `count` repeat the last
    uint32_t sums[ROWS][HOIST_QUANT_BLOCK];
    uint32_t extra[8]; // of each row, to be added to a chunk's sums
    uint8_t gathered[ROWS][CHUNK * HOIST_WORD_SIZE + HOIST_GATHER_SLACK];
} tile;

#if HOIST_WORD_TAPS == 4

// Partial sums of x' over `size` bytes, in 64-bit lanes.
static __m512i sum_of_bytes(const uint8_t *x, size_t size, uint8_t flip)
{
    const __m512i flips = _mm512_set1_epi8((char)flip);
    const __m512i zero = _mm512_setzero_si512();
    __m512i sum = zero;
    size_t i = 0;
    for (; i + 64 <= size; i += 64) {
        const __m512i bytes = _mm512_xor_si512(_mm512_loadu_si512(x + i), flips);
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(bytes, zero));
    }
    if (i < size) {
        const __mmask64 mask = ~UINT64_C(0) >> (64 - (size - i));
        const __m512i bytes = _mm512_maskz_loadu_epi8(mask, x + i);
        const __m512i part = _mm512_maskz_mov_epi8(mask, _mm512_xor_si512(bytes, flips));
        sum = _mm512_add_epi64(sum, _mm512_sad_epu8(part, zero));
    }
    return sum;
}

// The sums of 64-bit lanes, which are below 2^32, of four vectors.
static __m128i sum_lanes(const __m512i v[4])
{
    const __m512i a = _mm512_or_si512(v[0], _mm512_slli_epi64(v[1], 32));
    const __m512i b = _mm512_or_si512(v[2], _mm512_slli_epi64(v[3], 32));
    const __m512i four = _mm512_add_epi32(_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b));
    const __m256i half =
        _mm256_add_epi32(_mm512_castsi512_si256(four), _mm512_extracti64x4_epi64(four, 1));
    return _mm_add_epi32(_mm256_castsi256_si128(half), _mm256_extracti128_si256(half, 1));
}

// The same of at most 64 bytes, which `mask` has.
static __m512i sum_of_few(const uint8_t *x, __mmask64 mask, uint8_t flip)
{
    const __m512i flips = _mm512_maskz_set1_epi8(mask, (char)flip);
    const __m512i bytes = _mm512_xor_si512(_mm512_maskz_loadu_epi8(mask, x), flips);
    return _mm512_sad_epu8(bytes, _mm512_setzero_si512());
}

// Takes away what the zero point of the weights has added: it times the sum of each row. Rows
// together, as the last steps of a sum cost more than those over 64 bytes or so; unrolled, as sums
// of short rows that wait in memory took a tenth of the time of a layer with few channels.
static void add_zero_weight(const job *j, tile *t, size_t size)
{
    const __m128i minus = _mm_set1_epi32((int32_t)(0 - j->zero_weight));
    const __mmask64 mask = size < 64 ? ~UINT64_C(0) >> (64 - size) : ~UINT64_C(0);
    __m512i sums[8];
    if (j->zero_weight == 0) {
        memset(t->extra, 0, sizeof t->extra);
        return;
    }
    HOIST_QUANT_UNROLL
    for (size_t r = 0; r < 8; r++) {
        sums[r] = _mm512_setzero_si512();
        if (r < ROWS) {
            if (size <= 64) {
                sums[r] = sum_of_few(t->rows[r], mask, j->gather.flip);
            } else if (r < t->count) { // a dense layer has one long row
                sums[r] = sum_of_bytes(t->rows[r], size, j->gather.flip);
            }
        }
    }
    _mm_storeu_si128((__m128i *)t->extra, _mm_mullo_epi32(sum_lanes(sums), minus));
    _mm_storeu_si128((__m128i *)(t->extra + 4), _mm_mullo_epi32(sum_lanes(sums + 4), minus));
}

#else

static void add_zero_weight(const job *j, tile *t, size_t size)
{
    (void)j;
    (void)size;
    memset(t->extra, 0, sizeof t->extra);
}

#endif

// Words [begin, end) of the taps under a position.
static const uint8_t *load_row(const job *j, const hoist_spot *at, uint8_t *gathered, size_t begin,
                               size_t end)
{
    if (j->in_place) {
        return j->conv->x + at->corner + begin * HOIST_WORD_SIZE;
    }
#if HOIST_WORD_TAPS == 4
    if (j->is_short) {
        _mm512_storeu_si512(gathered, hoist_gather_short(&j->gather, at));
        return gathered;
    }
#endif
    const size_t last = end * HOIST_WORD_TAPS;
    const size_t taps = last < j->layout.taps ? last : j->layout.taps;
    hoist_gather_taps(&j->gather, at, begin * HOIST_WORD_TAPS, taps, gathered);
    return gathered;
}

// Taps of all positions of a tile; rows that are missing repeat the last.
static void load_rows(const job *j, tile *t, size_t begin, size_t end)
{
    for (size_t r = 0; r < t->count; r++) {
        t->rows[r] = load_row(j, &t->spots[r], t->gathered[r], begin, end);
    }
    for (size_t r = t->count; r < ROWS; r++) {
        t->rows[r] = t->rows[t->count - 1];
    }
    add_zero_weight(j, t, (end - begin) * HOIST_WORD_SIZE);
}

// A chunk's products for some columns of the block.
typedef struct product {
    tile *t;
    const uint8_t *start; // NULL: sums go on from where they are
    const uint8_t *words; // of the first column
    size_t width;
    size_t steps;
    size_t column;
    hoist_u32s flip;
} product;

HOIST_QUANT_INLINE void multiply(const product *p, const size_t rows, const size_t columns)
{
    hoist_u32s sums[ROWS][COLUMNS];
    HOIST_QUANT_UNROLL
    for (size_t r = 0; r < rows; r++) {
        HOIST_QUANT_UNROLL
        for (size_t c = 0; c < columns; c++) {
            // The first chunk begins with what the zero points and the bias come to.
            const void *from = p->start ? (const void *)p->start : p->t->sums[r];
            sums[r][c] = hoist_lanes_load(from, p->column + c * HOIST_LANES) + p->t->extra[r];
        }
    }
    const uint8_t *words = p->words;
    for (size_t s = 0; s < p->steps; s++) {
        hoist_u32s weights[COLUMNS];
        HOIST_QUANT_UNROLL
        for (size_t c = 0; c < columns; c++) {
            weights[c] = hoist_lanes_load(words, c * HOIST_LANES);
        }
        HOIST_QUANT_UNROLL
        for (size_t r = 0; r < rows; r++) {
            hoist_u32s x = hoist_words_all(p->t->rows[r] + s * HOIST_WORD_SIZE);
#if HOIST_WORD_TAPS == 4
            // What was gathered has x as it is in the image; words take unsigned numbers.
            x ^= p->flip;
#endif
            HOIST_QUANT_UNROLL
            for (size_t c = 0; c < columns; c++) {
                sums[r][c] = hoist_words_dot(sums[r][c], x, weights[c]);
            }
        }
        words += p->width * HOIST_WORD_SIZE;
    }
    HOIST_QUANT_UNROLL
    for (size_t r = 0; r < rows; r++) {
        HOIST_QUANT_UNROLL
        for (size_t c = 0; c < columns; c++) {
            hoist_lanes_store(p->t->sums[r], p->column + c * HOIST_LANES, sums[r][c]);
        }
    }
}

// Few kinds of tiles: a layer's last positions, and dense layers with one.
HOIST_QUANT_INLINE void multiply_rows(const product *p, const size_t columns)
{
    if (p->t->count == 1) {
        multiply(p, 1, columns);
    } else if (p->t->count <= ROWS / 2) {
        multiply(p, ROWS / 2, columns);
    } else {
        multiply(p, ROWS, columns);
    }
}

// Strips of columns, in channels.
enum {
    WIDE = COLUMNS * HOIST_LANES,
    HALF = COLUMNS / 2 * HOIST_LANES, // as wide as NARROW below AVX-512
    NARROW = HOIST_RUN < WIDE ? HOIST_RUN : WIDE,
};

// The widest strip that `left` channels have space for. Returns its channels.
static size_t multiply_columns(const product *p, size_t left)
{
    if (left >= WIDE) {
        multiply_rows(p, WIDE / HOIST_LANES);
        return WIDE;
    }
    if (left >= HALF && HALF > NARROW) {
        multiply_rows(p, HALF / HOIST_LANES);
        return HALF;
    }
    multiply_rows(p, NARROW / HOIST_LANES);
    return NARROW;
}

// Sums of words [begin, end) for all columns.
static void multiply_chunk(const job *j, const block *b, tile *t, size_t begin, size_t end)
{
    product p = {
        .t = t,
        .start = begin == 0 ? j->prepared + HOIST_WORD_SIZE * b->first : NULL,
        .width = b->width,
        .steps = end - begin,
        .flip = hoist_lanes_all(j->gather.flip * UINT32_C(0x01010101)),
    };
    while (p.column < b->width) {
        p.words = b->words + HOIST_WORD_SIZE * (begin * b->width + p.column);
        p.column += multiply_columns(&p, b->width - p.column);
    }
}

// Fewer bytes than a run: a call of memcpy would take as long as all else of few channels.
static void put_part(uint8_t *y, const uint8_t *bytes, size_t count)
{
    HOIST_QUANT_UNROLL
    for (size_t size = HOIST_RUN / 2; size > 0; size /= 2) {
        if (count & size) {
            memcpy(y, bytes, size);
            y += size;
            bytes += size;
        }
    }
}

// Results of HOIST_RUN channels from `column` of the block on, for all rows of the tile.
static void store_columns(const job *j, const block *b, const tile *t, size_t column)
{
    const hoist_quant_outcome outcome = j->outcome;
    const size_t left = b->count - column;
    for (size_t r = 0; r < t->count; r++) {
        uint32_t run[HOIST_RUN];
        for (size_t i = 0; i < HOIST_RUN; i += HOIST_LANES) {
            const hoist_u32s sum = hoist_lanes_load(t->sums[r], column + i);
            const hoist_u32s y = hoist_quant_result(&outcome, b->first + column + i, sum);
            hoist_lanes_store(run, i, y & 0xff);
        }
        uint8_t *y = t->spots[r].y + b->first + column;
        if (left >= HOIST_RUN) {
            hoist_lanes_put8(y, run);
        } else {
            uint8_t bytes[HOIST_RUN];
            hoist_lanes_put8(bytes, run);
            put_part(y, bytes, left);
        }
    }
}

// All results of a tile, 16 channels at a time.
static void store(const job *j, const block *b, const tile *t)
{
    for (size_t column = 0; column < b->count; column += HOIST_RUN) {
        store_columns(j, b, t, column);
    }
}

// Sums over all chunks of taps, then the results.
static void run_tile(const job *j, const block *b, tile *t)
{
    for (size_t begin = 0; begin < j->layout.steps; begin += CHUNK) {
        const size_t left = j->layout.steps - begin;
        const size_t end = begin + (left < CHUNK ? left : CHUNK);
        load_rows(j, t, begin, end);
        multiply_chunk(j, b, t, begin, end);
    }
    store(j, b, t);
}

// Rows [begin, end) of the output positions of all images, for one block.
static void run_block(const job *j, const block *b, size_t begin, size_t end)
{
    const hoist_quant_conv *conv = j->conv;
    hoist_spot at = hoist_spot_at(conv, (int64_t)begin);
    size_t left = (end - begin) * (size_t)conv->ow;
    while (left > 0) {
        tile t;
        t.count = left < ROWS ? left : ROWS;
        for (size_t r = 0; r < t.count; r++) {
            t.spots[r] = at;
            hoist_spot_next(conv, &at);
        }
        run_tile(j, b, &t);
        left -= t.count;
    }
}

// Whether the taps under a position are one piece of x: one pixel, inside the image.
static bool is_in_place(const hoist_quant_conv *conv)
{
    return HOIST_WORD_TAPS == 4 && conv->kh == 1 && conv->kw == 1 &&
           conv->c % HOIST_WORD_TAPS == 0 && conv->pad_top == 0 && conv->pad_left == 0 &&
           (conv->oh - 1) * conv->stride_h < conv->h && (conv->ow - 1) * conv->stride_w < conv->w;
}

// The channels of a block, and where their words are.
static block block_at(const job *j, size_t index)
{
    const size_t first = index * HOIST_QUANT_BLOCK;
    const size_t width = j->layout.channels - first;
    const size_t count = (size_t)j->conv->o - first;
    return (block){
        .first = first,
        .width = width < HOIST_QUANT_BLOCK ? width : HOIST_QUANT_BLOCK,
        .count = count < HOIST_QUANT_BLOCK ? count : HOIST_QUANT_BLOCK,
        .words = j->prepared + j->layout.words + HOIST_WORD_SIZE * first * j->layout.steps,
    };
}

void HOIST_LEVEL_NAME(hoist_quant_conv)(const hoist_quant_conv *conv, const uint8_t *prepared,
                                        size_t begin, size_t end)
{
    if (!prepared) {
        hoist_quant_conv_reference(conv, NULL, begin, end);
        return;
    }
    job j = {
        .conv = conv,
        .prepared = prepared,
        .layout = hoist_quant_prepared_of(conv),
        .in_place = is_in_place(conv),
        .zero_weight = (uint32_t)hoist_quant_zero_weight(conv),
    };
    j.gather = hoist_gather_of(conv, &j.layout);
    j.is_short = j.gather.has_whole_lines && j.layout.taps <= 64;
    j.outcome = hoist_quant_outcome_of(conv, &j.layout, prepared);
    const size_t rows = (size_t)(conv->n * conv->oh);
    while (begin < end) {
        // Units go down all images before the next block begins.
        const size_t index = begin / rows;
        const size_t last = (index + 1) * rows < end ? (index + 1) * rows : end;
        const block b = block_at(&j, index);
        run_block(&j, &b, begin - index * rows, last - index * rows);
        begin = last;
    }
}
