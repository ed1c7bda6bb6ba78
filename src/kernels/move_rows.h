// kernels/move_rows.h - rows of elements to rows of elements by vectors with masks, for the sources
// that are compiled once per CPU level; AVX-512 only.
//
// Where rows follow each other without a gap in the destination they are written as one: a vector
// takes the end of a row and the beginning of the next ones, so that every store but the first and
// the last is whole and aligned, and may go past the caches.
#ifndef HOIST_SRC_KERNELS_MOVE_ROWS_H
#define HOIST_SRC_KERNELS_MOVE_ROWS_H

#include "kernels/lanes.h"
#include "kernels/move_table.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512VL__)
#define HOIST_MOVE_ROWS

// Elements at `p` as lanes; those that `mask` leaves out are zero and not read.
typedef __m512i hoist_rows_load_fn(const uint8_t *p, uint64_t mask);
typedef __m512i hoist_rows_lanes_fn(__m512i lanes);
typedef void hoist_rows_store_fn(uint8_t *p, uint64_t mask, __m512i lanes);
typedef void hoist_rows_stream_fn(uint8_t *p, __m512i lanes); // `p` is aligned

// Known after inlining.
typedef struct hoist_rows_form {
    hoist_rows_load_fn *load;
    hoist_rows_lanes_fn *lanes;
    hoist_rows_store_fn *store;
    hoist_rows_stream_fn *stream;
    size_t count; // elements of a vector
    size_t from;  // bytes of an element
    size_t to;
} hoist_rows_form;

#define HOIST_ROWS_INLINE static inline __attribute__((always_inline))

// Bytes as lanes of 32 bits, those of the mask alone: what is behind a row need not be readable.
HOIST_ROWS_INLINE __m512i hoist_rows_load8(const uint8_t *p, uint64_t mask)
{
    return _mm512_cvtepu8_epi32(_mm_maskz_loadu_epi8((__mmask16)mask, p));
}
HOIST_ROWS_INLINE __m512i hoist_rows_load16(const uint8_t *p, uint64_t mask)
{
    return _mm512_cvtepu16_epi32(_mm256_maskz_loadu_epi16((__mmask16)mask, p));
}
HOIST_ROWS_INLINE __m512i hoist_rows_load32(const uint8_t *p, uint64_t mask)
{
    return _mm512_maskz_loadu_epi32((__mmask16)mask, p);
}
HOIST_ROWS_INLINE __m512i hoist_rows_load_bytes(const uint8_t *p, uint64_t mask)
{
    return _mm512_maskz_loadu_epi8(mask, p);
}

// The low bits of lanes, to the elements of the mask.
HOIST_ROWS_INLINE void hoist_rows_store8(uint8_t *p, uint64_t mask, __m512i lanes)
{
    _mm_mask_storeu_epi8(p, (__mmask16)mask, _mm512_cvtepi32_epi8(lanes));
}
HOIST_ROWS_INLINE void hoist_rows_store16(uint8_t *p, uint64_t mask, __m512i lanes)
{
    _mm256_mask_storeu_epi16(p, (__mmask16)mask, _mm512_cvtepi32_epi16(lanes));
}
HOIST_ROWS_INLINE void hoist_rows_store32(uint8_t *p, uint64_t mask, __m512i lanes)
{
    _mm512_mask_storeu_epi32(p, (__mmask16)mask, lanes);
}
HOIST_ROWS_INLINE void hoist_rows_store_bytes(uint8_t *p, uint64_t mask, __m512i lanes)
{
    _mm512_mask_storeu_epi8(p, mask, lanes);
}

// All lanes of a vector, past the caches.
HOIST_ROWS_INLINE void hoist_rows_stream8(uint8_t *p, __m512i lanes)
{
    _mm_stream_si128((__m128i *)(void *)p, _mm512_cvtepi32_epi8(lanes));
}
HOIST_ROWS_INLINE void hoist_rows_stream16(uint8_t *p, __m512i lanes)
{
    _mm256_stream_si256((__m256i *)(void *)p, _mm512_cvtepi32_epi16(lanes));
}
HOIST_ROWS_INLINE void hoist_rows_stream32(uint8_t *p, __m512i lanes)
{
    _mm512_stream_si512((__m512i *)(void *)p, lanes);
}

// Where the reading is.
typedef struct hoist_rows_cursor {
    const hoist_move_tile *tile;
    size_t plane;
    size_t row;
    const uint8_t *at;
    size_t left; // elements of the row
} hoist_rows_cursor;

// The first `count` bits; a shift by 64 would be undefined.
HOIST_ROWS_INLINE uint64_t hoist_rows_mask(size_t count)
{
    return count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}

// To the beginning of the row that the cursor names.
HOIST_ROWS_INLINE void hoist_rows_start(hoist_rows_cursor *c)
{
    c->at = c->tile->source + (int64_t)c->plane * c->tile->source_plane +
            (int64_t)c->row * c->tile->source_row;
    c->left = c->tile->cols;
}

// The beginning of a row some rows on; there need not be one. Of rows that are pages apart the
// machine does not guess which comes next: it took half as long again.
HOIST_ROWS_INLINE void hoist_rows_ask(const hoist_rows_cursor *c)
{
    const uintptr_t row = (uintptr_t)c->at + 8 * (uintptr_t)c->tile->source_row;
    for (size_t at = 0; at < 256; at += 64) {
        __builtin_prefetch((const void *)(row + at));
    }
}

// To the next row, of the next plane after the last.
HOIST_ROWS_INLINE void hoist_rows_next(hoist_rows_cursor *c)
{
    c->row++;
    if (c->row == c->tile->rows) {
        c->row = 0;
        c->plane++;
    }
    hoist_rows_start(c);
    hoist_rows_ask(c);
}

// The next vector: what is left of this row, and the rest of the next.
HOIST_ROWS_INLINE __m512i hoist_rows_join(hoist_rows_cursor *c, hoist_rows_form f)
{
    const size_t part = c->left;
    const uint64_t mask = hoist_rows_mask(part);
    const __m512i lanes = f.load(c->at, mask);
    hoist_rows_next(c);
    // Of the memory before the row nothing is read.
    const uintptr_t lane0 = (uintptr_t)c->at - part * f.from;
    const __m512i more = f.load((const uint8_t *)lane0, hoist_rows_mask(f.count) & ~mask);
    c->at += (f.count - part) * f.from;
    c->left -= f.count - part;
    return _mm512_or_si512(lanes, more);
}

// `count` elements of this row, less than a vector.
HOIST_ROWS_INLINE void hoist_rows_part(hoist_rows_cursor *c, uint8_t *destination, size_t count,
                                       hoist_rows_form f)
{
    const uint64_t mask = hoist_rows_mask(count);
    f.store(destination, mask, f.lanes(f.load(c->at, mask)));
    c->at += count * f.from;
    c->left -= count;
}

// `count` elements side by side, past the caches. Rows are as long as a vector or longer.
HOIST_ROWS_INLINE void hoist_rows_stream(hoist_rows_cursor *c, uint8_t *destination, size_t count,
                                         hoist_rows_form f)
{
    const size_t ahead = (size_t)(-(uintptr_t)destination % (f.count * f.to)) / f.to;
    hoist_rows_part(c, destination, ahead, f);
    destination += ahead * f.to;
    for (count -= ahead; count >= f.count; count -= f.count) {
        __m512i lanes;
        if (c->left >= f.count) {
            lanes = f.load(c->at, hoist_rows_mask(f.count));
            c->at += f.count * f.from;
            c->left -= f.count;
        } else {
            lanes = hoist_rows_join(c, f);
        }
        f.stream(destination, f.lanes(lanes));
        destination += f.count * f.to;
    }
    hoist_rows_part(c, destination, count, f);
}

// A row that is longer than a vector: whole ones, and a masked rest.
HOIST_ROWS_INLINE void hoist_rows_one(const uint8_t *source, uint8_t *destination, size_t count,
                                      hoist_rows_form f)
{
    for (; count >= f.count; count -= f.count) {
        const uint64_t all = hoist_rows_mask(f.count);
        f.store(destination, all, f.lanes(f.load(source, all)));
        source += f.count * f.from;
        destination += f.count * f.to;
    }
    if (count) {
        const uint64_t mask = hoist_rows_mask(count);
        f.store(destination, mask, f.lanes(f.load(source, mask)));
    }
}

// Row by row. Short rows are one vector each: a loop within would cost as much as the vector.
HOIST_ROWS_INLINE void hoist_rows_each(const hoist_move_tile *t, hoist_rows_form f)
{
    const uint64_t mask = hoist_rows_mask(t->cols);
    for (size_t plane = 0; plane < t->planes; plane++) {
        const uint8_t *source = t->source + (int64_t)plane * t->source_plane;
        uint8_t *destination = t->destination + (int64_t)plane * t->destination_plane;
        for (size_t row = 0; row < t->rows; row++) {
            if (t->cols <= f.count) {
                f.store(destination, mask, f.lanes(f.load(source, mask)));
            } else {
                hoist_rows_one(source, destination, t->cols, f);
            }
            source += t->source_row;
            destination += t->destination_row;
        }
    }
}

// All of the tile, whose elements are side by side in their rows on both sides. Past the caches
// go rows of a vector or more, of elements that are aligned.
HOIST_ROWS_INLINE void hoist_rows_move(const hoist_move_tile *t, bool streams, hoist_rows_form f)
{
    if (!streams || t->cols < f.count || (uintptr_t)t->destination % f.to != 0) {
        hoist_rows_each(t, f);
        return;
    }
    const int64_t row = (int64_t)(t->cols * f.to);
    const int64_t plane = (int64_t)t->rows * row;
    const bool rows = t->rows == 1 || t->destination_row == row;
    const bool planes = rows && (t->planes == 1 || t->destination_plane == plane);
    // Elements that follow each other in the destination: of a row, a plane, or the whole tile.
    const size_t count = t->cols * (rows ? t->rows : 1) * (planes ? t->planes : 1);
    hoist_rows_cursor c = {.tile = t};
    for (; c.plane < t->planes; c.plane = planes ? t->planes : c.plane + 1) {
        for (c.row = 0; c.row < t->rows; c.row = rows ? t->rows : c.row + 1) {
            uint8_t *destination = t->destination + (int64_t)c.plane * t->destination_plane +
                                   (int64_t)c.row * t->destination_row;
            hoist_rows_cursor part = c;
            hoist_rows_start(&part);
            hoist_rows_stream(&part, destination, count, f);
        }
    }
}

#endif

#endif // HOIST_SRC_KERNELS_MOVE_ROWS_H
