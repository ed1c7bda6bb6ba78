// kernels/ark_pack.h - lines of a matrix, rows of a or columns of b, packed for ark_tile.h:
// float32, term after term, the elements of all lines at each. For ark_product_level.c, once per
// CPU level.
#ifndef HOIST_SRC_KERNELS_ARK_PACK_H
#define HOIST_SRC_KERNELS_ARK_PACK_H

#include <string.h>

#include "kernels/elements.h"
#include "kernels/lanes.h"
#include "kernels/move_table.h"
#include "ops/compute_ark.h"
#include "tensor/convert.h"
#include "tensor/element.h"

#define ARK_PACK_INLINE static inline __attribute__((always_inline))

typedef struct ark_lines {
    const uint8_t *first;
    int64_t line, term; // bytes from one to the next
    int64_t count;      // lines that there are
    int64_t width;      // lines of the panel: zeros are behind the last
    int64_t terms;      // at most HOIST_ARK_MATMUL_BLOCK
    hoist_dtype dtype;
} ark_lines;

// A 4 x 4 block of floats, transposed: from 4 lines whose terms are adjacent.
typedef float ark_quad __attribute__((vector_size(16)));

#if defined(__clang__)
#define ARK_QUADS(a, b, i, j, k, l) __builtin_shufflevector(a, b, i, j, k, l)
#else
typedef int32_t ark_quad_index __attribute__((vector_size(16)));
#define ARK_QUADS(a, b, i, j, k, l) __builtin_shuffle(a, b, (ark_quad_index){i, j, k, l})
#endif

ARK_PACK_INLINE void ark_transpose(const uint8_t *const line[4], int64_t term, float *packed,
                                   int64_t width)
{
    ark_quad q[4];
    for (int i = 0; i < 4; i++) {
        // Neither side need be aligned.
        memcpy(&q[i], line[i] + term * (int64_t)sizeof(float), sizeof q[i]);
    }
    // Pairs of lines are interleaved, then pairs of pairs.
    const ark_quad low0 = ARK_QUADS(q[0], q[1], 0, 4, 1, 5);
    const ark_quad low1 = ARK_QUADS(q[2], q[3], 0, 4, 1, 5);
    const ark_quad high0 = ARK_QUADS(q[0], q[1], 2, 6, 3, 7);
    const ark_quad high1 = ARK_QUADS(q[2], q[3], 2, 6, 3, 7);
    const ark_quad terms[4] = {ARK_QUADS(low0, low1, 0, 1, 4, 5), ARK_QUADS(low0, low1, 2, 3, 6, 7),
                               ARK_QUADS(high0, high1, 0, 1, 4, 5),
                               ARK_QUADS(high0, high1, 2, 3, 6, 7)};
    for (int i = 0; i < 4; i++) {
        memcpy(packed + (term + i) * width, &terms[i], sizeof terms[i]);
    }
}

// Up to 4 lines of floats whose terms are adjacent.
static void ark_pack_four(const uint8_t *const line[4], int64_t count, int64_t terms, float *packed,
                          int64_t width)
{
    int64_t term = 0;
    for (; count == 4 && term + 4 <= terms; term += 4) {
        ark_transpose(line, term, packed, width);
    }
    for (; term < terms; term++) {
        for (int64_t i = 0; i < count; i++) {
            memcpy(&packed[term * width + i], line[i] + term * (int64_t)sizeof(float),
                   sizeof(float));
        }
    }
}

#if defined(__AVX512F__)
// 16 terms of up to 16 lines, transposed: complete cache lines are read, since a set of a cache may
// hold fewer lines than this that are a power of two apart.
ARK_PACK_INLINE void ark_transpose_sixteen(const uint8_t *const line[16], int64_t count,
                                           float *packed, int64_t width)
{
    __m512 q[16]; // of 4 lines each: 4 blocks of 4 terms
    for (int i = 0; i < 16; i += 4) {
        const __m512 a = _mm512_loadu_ps(line[i]);
        const __m512 b = _mm512_loadu_ps(line[i + 1]);
        const __m512 c = _mm512_loadu_ps(line[i + 2]);
        const __m512 d = _mm512_loadu_ps(line[i + 3]);
        const __m512d low0 = (__m512d)_mm512_unpacklo_ps(a, b);
        const __m512d low1 = (__m512d)_mm512_unpacklo_ps(c, d);
        const __m512d high0 = (__m512d)_mm512_unpackhi_ps(a, b);
        const __m512d high1 = (__m512d)_mm512_unpackhi_ps(c, d);
        q[i] = (__m512)_mm512_unpacklo_pd(low0, low1);
        q[i + 1] = (__m512)_mm512_unpackhi_pd(low0, low1);
        q[i + 2] = (__m512)_mm512_unpacklo_pd(high0, high1);
        q[i + 3] = (__m512)_mm512_unpackhi_pd(high0, high1);
    }
    enum { EVEN = 0x88, ODD = 0xdd }; // blocks
    const __mmask16 there = (__mmask16)(0xffff >> (16 - count));
    for (int i = 0; i < 4; i++) {
        const __m512 even0 = _mm512_shuffle_f32x4(q[i], q[i + 4], EVEN);
        const __m512 even1 = _mm512_shuffle_f32x4(q[i + 8], q[i + 12], EVEN);
        const __m512 odd0 = _mm512_shuffle_f32x4(q[i], q[i + 4], ODD);
        const __m512 odd1 = _mm512_shuffle_f32x4(q[i + 8], q[i + 12], ODD);
        float *const to = packed + i * width;
        _mm512_mask_storeu_ps(to, there, _mm512_shuffle_f32x4(even0, even1, EVEN));
        _mm512_mask_storeu_ps(to + 4 * width, there, _mm512_shuffle_f32x4(odd0, odd1, EVEN));
        _mm512_mask_storeu_ps(to + 8 * width, there, _mm512_shuffle_f32x4(even0, even1, ODD));
        _mm512_mask_storeu_ps(to + 12 * width, there, _mm512_shuffle_f32x4(odd0, odd1, ODD));
    }
}

// As many terms as make 16: the others are left. Of fewer lines the last one is read for others.
static int64_t ark_pack_sixteen(const ark_lines *l, int64_t next, int64_t terms, float *packed)
{
    const int64_t count = l->count - next < 16 ? l->count - next : 16;
    const uint8_t *line[16];
    for (int64_t i = 0; i < 16; i++) {
        line[i] = l->first + (next + (i < count ? i : count - 1)) * l->line;
    }
    int64_t term = 0;
    for (; term + 16 <= terms; term += 16) {
        ark_transpose_sixteen(line, count, packed + term * l->width + next, l->width);
        for (int i = 0; i < 16; i++) {
            line[i] += 16 * sizeof(float);
        }
    }
    return term;
}
#endif

// Lines of floats, or of other words of 32 bits, that are adjacent.
static void ark_pack_words(const ark_lines *l, int64_t terms, float *packed)
{
    enum { LINES = 4 };
    int64_t done = 0;
#if defined(__AVX512F__)
    for (int64_t next = 0; l->count > LINES && next < l->count; next += 16) {
        done = ark_pack_sixteen(l, next, terms, packed);
    }
#endif
    for (int64_t next = 0; done < terms && next < l->count; next += LINES) {
        const int64_t left = l->count - next;
        const int64_t i = left < LINES && l->count >= LINES ? l->count - LINES : next; // once more
        const int64_t count = l->count - i < LINES ? l->count - i : LINES;
        const uint8_t *line[LINES];
        for (int64_t k = 0; k < count; k++) {
            line[k] = l->first + (i + k) * l->line + done * (int64_t)sizeof(float);
        }
        ark_pack_four(line, count, terms - done, packed + done * l->width + i, l->width);
    }
}

// Lines of 16 bits whose terms are adjacent.
static void ark_pack_along(const ark_lines *l, const hoist_move_kernels *kernels, float *packed)
{
    enum { LINES = 4 };
    float wide[LINES * HOIST_ARK_MATMUL_BLOCK];
    for (int64_t next = 0; next < l->count; next += LINES) {
        const int64_t left = l->count - next;
        // The last four lines once more where fewer are left: four at a time are turned in
        // registers.
        const int64_t i = left < LINES && l->count >= LINES ? l->count - LINES : next; // once more
        const int64_t count = l->count - i < LINES ? l->count - i : LINES;
        const uint8_t *line[LINES];
        for (int64_t k = 0; k < count; k++) {
            // Widened first, as the square of four takes floats.
            float *const to = wide + k * HOIST_ARK_MATMUL_BLOCK;
            const hoist_move_tile row = {.source = l->first + (i + k) * l->line,
                                         .destination = (uint8_t *)to,
                                         .planes = 1,
                                         .rows = 1,
                                         .cols = (size_t)l->terms};
            kernels->to_f32[l->dtype](&row, false);
            line[k] = (const uint8_t *)to;
        }
        ark_pack_four(line, count, l->terms, packed + i, l->width);
    }
}

// Lines that are adjacent themselves.
static void ark_pack_across(const ark_lines *l, const hoist_move_kernels *kernels, float *packed)
{
    const hoist_move_tile rows = {.source = l->first,
                                  .destination = (uint8_t *)packed,
                                  .source_row = l->term,
                                  .destination_row = l->width * (int64_t)sizeof(float),
                                  .planes = 1,
                                  .rows = (size_t)l->terms,
                                  .cols = (size_t)l->count};
    kernels->to_f32[l->dtype](&rows, false);
}

// Asks for part `part` of `parts` of the lines, for the second cache.
static inline void ark_ask_for(const ark_lines *l, int64_t part, int64_t parts)
{
    enum { CACHE_LINE = 64 };
    const int64_t size = (int64_t)hoist_element_size(l->dtype);
    const bool is_along = l->term == size;
    const int64_t runs = is_along ? l->count : l->terms;
    const int64_t step = is_along ? l->line : l->term;
    const int64_t bytes = (is_along ? l->terms : l->count) * size;
    for (int64_t run = runs * part / parts; run < runs * (part + 1) / parts; run++) {
        for (int64_t at = 0; at < bytes; at += CACHE_LINE) {
            __builtin_prefetch(l->first + run * step + at, 0, 2);
        }
    }
}

static void ark_pack(const ark_lines *l, const hoist_move_kernels *kernels, float *packed)
{
    const int64_t size = (int64_t)hoist_element_size(l->dtype);
    // Tiles are of full width: lines that do not exist add zeros.
    if (l->count < l->width) {
        memset(packed, 0, (size_t)(l->terms * l->width) * sizeof *packed);
    }
    if (l->term == size && size == (int64_t)sizeof(float)) {
        ark_pack_words(l, l->terms, packed);
        return;
    }
    if (l->term == size) {
        ark_pack_along(l, kernels, packed);
        return;
    }
    if (l->line == size) {
        ark_pack_across(l, kernels, packed);
        return;
    }
    // Neither lines nor terms are adjacent: element by element.
    for (int64_t term = 0; term < l->terms; term++) {
        for (int64_t i = 0; i < l->count; i++) {
            const uint8_t *const from = l->first + i * l->line + term * l->term;
            packed[term * l->width + i] =
                hoist_to_f32(l->dtype, hoist_element_load(from, (size_t)size));
        }
    }
}

#endif // HOIST_SRC_KERNELS_ARK_PACK_H
