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

// Lines whose terms are adjacent.
static void ark_pack_along(const ark_lines *l, const hoist_move_kernels *kernels, float *packed)
{
    enum { LINES = 4 };
    float wide[LINES * HOIST_ARK_MATMUL_BLOCK];
    const size_t size = hoist_element_size(l->dtype);
    for (int64_t next = 0; next < l->count; next += LINES) {
        const int64_t left = l->count - next;
        // The last four lines once more where fewer are left: four at a time are turned in
        // registers.
        const int64_t i = left < LINES && l->count >= LINES ? l->count - LINES : next; // once more
        const int64_t count = l->count - i < LINES ? l->count - i : LINES;
        const uint8_t *line[LINES];
        for (int64_t k = 0; k < count; k++) {
            const uint8_t *const from = l->first + (i + k) * l->line;
            line[k] = from;
            // Widened first, as the square of four takes floats.
            if (size != sizeof(float)) {
                float *const to = wide + k * HOIST_ARK_MATMUL_BLOCK;
                const hoist_move_tile row = {.source = from,
                                             .destination = (uint8_t *)to,
                                             .planes = 1,
                                             .rows = 1,
                                             .cols = (size_t)l->terms};
                kernels->to_f32[l->dtype](&row, false);
                line[k] = (const uint8_t *)to;
            }
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
