// kernels/tile_product.h - products of 32x32 tiles in the two orders that the golden profile has.
//
//   lanes: for l in 0..7   p[l] = fma over k = l, l + 8, l + 16, l + 24 of A[i][k] * B[k][j]
//          q[l] = p[l] + p[l + 4], l in 0..3;   r[l] = q[l] + q[l + 2], l in 0..1
//          C[i][j] += r[0] + r[1]                              (buda-ops reference section 5.1)
//   chain: C[i][j] += fma over k = 0..31 of A[i][k] * B[k][j]          (section 5.1.2)
//
// Chains start with a product instead of fma(a, b, 0): only the sign of a zero differs, and that is
// lost when it is added to C, which is never -0.
//
// The chain order works on a block of BLOCK_ROWS rows and BLOCK_VECTORS vectors of columns at a
// time, so that one load of B serves several rows and the chains of a block hide the latency of the
// instruction. Chains of the lanes order are four products long, and there are eight of them: they
// are passes over the rows of A, with the rows of B of a chain in registers (below).
#ifndef HOIST_SRC_KERNELS_TILE_PRODUCT_H
#define HOIST_SRC_KERNELS_TILE_PRODUCT_H

#include <math.h>

#include "base/span.h"
#include "kernels/compute.h"
#include "kernels/lanes.h"

#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define HOIST_BLOCK_ROWS 4
#define HOIST_BLOCK_VECTORS 2
#else
#define HOIST_BLOCK_ROWS 1
#define HOIST_BLOCK_VECTORS 1
#endif

#define HOIST_BLOCK_WIDTH ((size_t)HOIST_BLOCK_VECTORS * HOIST_LANES)
#define HOIST_BLOCK_FLOATS ((size_t)HOIST_BLOCK_ROWS * HOIST_TILE_DIM)

// A block must live in registers, so loops over it are unrolled at every level of optimisation; gcc
// does not do that by itself below -O3, at a third of the speed or less.
#if defined(__clang__)
#define HOIST_UNROLL
#else
#define HOIST_UNROLL _Pragma("GCC unroll 4")
#endif

typedef struct hoist_block {
    hoist_f32s at[HOIST_BLOCK_ROWS][HOIST_BLOCK_VECTORS];
} hoist_block;

// a * b + c, rounded once.
static inline hoist_f32s hoist_lanes_fma(hoist_f32s a, hoist_f32s b, hoist_f32s c)
{
#if defined(__AVX512F__)
    return (hoist_f32s)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__)
    return (hoist_f32s)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    hoist_f32s sum = c;
    for (size_t i = 0; i < HOIST_LANES; i++) {
        sum[i] = fmaf(a[i], b[i], sum[i]);
    }
    return sum;
#endif
}

// p += A[.][k] x B[k][.]; `first`: without the old p. Here and below `a` is the block's first row,
// `b` its first column.
static inline __attribute__((always_inline)) void
hoist_block_step(hoist_block *p, const float *a, const float *b, size_t k, bool first)
{
    HOIST_UNROLL
    for (size_t v = 0; v < HOIST_BLOCK_VECTORS; v++) {
        const hoist_f32s column = hoist_lanes_load_f32(b, k * HOIST_TILE_DIM + v * HOIST_LANES);
        HOIST_UNROLL
        for (size_t r = 0; r < HOIST_BLOCK_ROWS; r++) {
            const hoist_f32s row = hoist_lanes_all_f32(a[r * HOIST_TILE_DIM + k]);
            p->at[r][v] = first ? row * column : hoist_lanes_fma(row, column, p->at[r][v]);
        }
    }
}

// Products of k = first, first + step, ...
static inline __attribute__((always_inline)) hoist_block
hoist_block_chain(const float *a, const float *b, size_t first, size_t step)
{
    hoist_block p;
    hoist_block_step(&p, a, b, first, true);
    HOIST_UNROLL
    for (size_t k = first + step; k < HOIST_TILE_DIM; k += step) {
        hoist_block_step(&p, a, b, k, false);
    }
    return p;
}

static inline __attribute__((always_inline)) void hoist_block_store_sum(float *c, hoist_block sum)
{
    HOIST_UNROLL
    for (size_t r = 0; r < HOIST_BLOCK_ROWS; r++) {
        HOIST_UNROLL
        for (size_t v = 0; v < HOIST_BLOCK_VECTORS; v++) {
            const size_t at = r * HOIST_TILE_DIM + v * HOIST_LANES;
            const hoist_f32s old = hoist_lanes_load_f32(c, at);
            hoist_lanes_store_f32(c, at, old + sum.at[r][v]);
        }
    }
}

// The lanes order by passes. A pass goes down the 32 rows of A with the rows of B of one chain, or
// of a pair of chains, in registers: for each row it loads 4 (8) numbers of A, and adds the sums
// that earlier passes left in tiles of scratch. Rows do not depend on each other, so the latency is
// hidden without a block of them.
//
// Accesses to the cache for 32 vectors of products, of which a machine with two units for them does
// two in a cycle, as it loads two vectors (gcc 12):
//                          A    B    sums   stores   registers
//   passes of pairs, v4    16   1    4      4        16 of B, 4 of sums
//   passes of chains, v3   16   1    8      8        8 of B, 2 of sums
//   blocks of 4 x 2, v3    16   8    8      8        8 of sums, 2 of B; 7 sums of 8 on the stack
// Loads bound blocks: 32 for 32 products. EPYC (Zen 5, additions have units of their own), tiles in
// the first cache, parts of what a loop without memory reaches (135 and 270 GFLOP/s): blocks 0.86
// and 0.92, passes 0.90 and 0.95.
#define HOIST_PASS_VECTORS 2
#define HOIST_PASS_WIDTH ((size_t)HOIST_PASS_VECTORS * HOIST_LANES)
#if defined(__AVX512F__) || defined(__aarch64__)
#define HOIST_PASS_PAIRS true // 32 registers
#else
#define HOIST_PASS_PAIRS false
#endif

#define HOIST_LINE_FLOATS ((size_t)16)                       // a line of the caches
#define HOIST_TILE_ALIGN (HOIST_TILE_FLOATS * sizeof(float)) // where tiles of sessions begin

typedef struct hoist_pass_row {
    hoist_f32s at[HOIST_PASS_VECTORS];
} hoist_pass_row;

// Rows l, l + 8, l + 16 and l + 24 of B.
typedef struct hoist_pass_rows {
    hoist_pass_row at[HOIST_TILE_DIM / 8];
} hoist_pass_rows;

// The tiles to which a pass adds, in this order; NULL: none.
typedef struct hoist_pass_sums {
    const float *at[4];
} hoist_pass_sums;

// A tile that comes next: with each product a part of its lines is asked for.
typedef struct hoist_tile_ahead {
    const float *tile;
    size_t part;
    size_t parts;
} hoist_tile_ahead;

HOIST_LANES_INLINE hoist_pass_row hoist_pass_load(const float *from)
{
    hoist_pass_row row;
    HOIST_UNROLL
    for (size_t v = 0; v < HOIST_PASS_VECTORS; v++) {
        row.at[v] = hoist_lanes_load_f32(from, v * HOIST_LANES);
    }
    return row;
}

HOIST_LANES_INLINE hoist_pass_row hoist_pass_add(hoist_pass_row x, hoist_pass_row y)
{
    HOIST_UNROLL
    for (size_t v = 0; v < HOIST_PASS_VECTORS; v++) {
        x.at[v] += y.at[v];
    }
    return x;
}

HOIST_LANES_INLINE hoist_pass_rows hoist_pass_load_b(const float *b, size_t l)
{
    hoist_pass_rows rows;
    HOIST_UNROLL
    for (size_t k = 0; k < HOIST_TILE_DIM / 8; k++) {
        rows.at[k] = hoist_pass_load(b + (l + 8 * k) * HOIST_TILE_DIM);
    }
    return rows;
}

// p[l] of a row; `a` is its number l.
HOIST_LANES_INLINE hoist_pass_row hoist_pass_chain(const float *a, const hoist_pass_rows *b)
{
    hoist_pass_row p;
    HOIST_UNROLL
    for (size_t k = 0; k < HOIST_TILE_DIM / 8; k++) {
        const hoist_f32s x = hoist_lanes_all_f32(a[8 * k]);
        HOIST_UNROLL
        for (size_t v = 0; v < HOIST_PASS_VECTORS; v++) {
            const hoist_f32s y = b->at[k].at[v];
            p.at[v] = k == 0 ? x * y : hoist_lanes_fma(x, y, p.at[v]);
        }
    }
    return p;
}

// out = sums + p[l], or with `pair` sums + (p[l] + p[l + 4]), in HOIST_PASS_WIDTH columns.
HOIST_LANES_INLINE void hoist_pass(const float *a, const float *b, size_t l, bool pair,
                                   hoist_pass_sums sums, float *out)
{
    const hoist_pass_rows first = hoist_pass_load_b(b, l);
    const hoist_pass_rows second = hoist_pass_load_b(b, pair ? l + 4 : l);
    HOIST_UNROLL
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_TILE_DIM) {
        hoist_pass_row sum = hoist_pass_chain(a + i + l, &first);
        if (pair) {
            sum = hoist_pass_add(sum, hoist_pass_chain(a + i + l + 4, &second));
        }
        HOIST_UNROLL
        for (size_t s = 0; s < HOIST_COUNT_OF(sums.at); s++) {
            sum = sums.at[s] ? hoist_pass_add(hoist_pass_load(sums.at[s] + i), sum) : sum;
        }
        HOIST_UNROLL
        for (size_t v = 0; v < HOIST_PASS_VECTORS; v++) {
            hoist_lanes_store_f32(out, i + v * HOIST_LANES, sum.at[v]);
        }
    }
}

// out = sums + q[l].
HOIST_LANES_INLINE void hoist_pass_q(const float *a, const float *b, size_t l, hoist_pass_sums sums,
                                     float *out)
{
    if (HOIST_PASS_PAIRS) {
        hoist_pass(a, b, l, true, sums, out);
    } else {
        const float *const *s = sums.at;
        _Alignas(HOIST_TILE_ALIGN) float p[HOIST_TILE_FLOATS];
        hoist_pass(a, b, l, false, (hoist_pass_sums){{NULL}}, p);
        hoist_pass(a, b, l + 4, false, (hoist_pass_sums){{p, s[0], s[1], s[2]}}, out);
    }
}

// Asks for a part of a tile to come into the first cache: each `parts`-th line, from `part` on.
static inline void hoist_tile_ask(const float *tile, size_t part, size_t parts)
{
    for (size_t i = part * HOIST_LINE_FLOATS; i < HOIST_TILE_FLOATS;
         i += parts * HOIST_LINE_FLOATS) {
        __builtin_prefetch(tile + i);
    }
}

// C += A x B in the lanes order; tiles of 32 rows of 32, C apart from A and B. `next` is asked for
// meanwhile, a few lines with each pass: all at once they keep the tile's own loads waiting.
//
// Scratch begins with a page, as tiles do: a pass stores row i where it has loaded row i of A,
// modulo 4,096. Stored where rows of A are still to come, these loads would wait for the store.
static inline void hoist_tile_add_lanes(const float *a, const float *b, float *c,
                                        const hoist_tile_ahead *next)
{
    _Alignas(HOIST_TILE_ALIGN) float even[HOIST_TILE_FLOATS];
    _Alignas(HOIST_TILE_ALIGN) float odd[HOIST_TILE_FLOATS];
    const size_t passes = HOIST_TILE_DIM / HOIST_PASS_WIDTH * 4;
    const size_t parts = next->parts * passes;
    size_t part = next->part * passes;
    for (size_t j = 0; j < HOIST_TILE_DIM; j += HOIST_PASS_WIDTH) {
        hoist_tile_ask(next->tile, part++, parts);
        hoist_pass_q(a, b + j, 0, (hoist_pass_sums){{NULL}}, even);
        hoist_tile_ask(next->tile, part++, parts);
        hoist_pass_q(a, b + j, 2, (hoist_pass_sums){{even}}, even);
        hoist_tile_ask(next->tile, part++, parts);
        hoist_pass_q(a, b + j, 1, (hoist_pass_sums){{NULL}}, odd);
        hoist_tile_ask(next->tile, part++, parts);
        hoist_pass_q(a, b + j, 3, (hoist_pass_sums){{odd, even, c + j}}, c + j);
    }
}

// The same in the chain order.
static inline void hoist_tile_add_chain(const float *a, const float *b, float *c)
{
    for (size_t j = 0; j < HOIST_TILE_DIM; j += HOIST_BLOCK_WIDTH) {
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_BLOCK_FLOATS) {
            hoist_block_store_sum(c + i + j, hoist_block_chain(a + i, b + j, 0, 1));
        }
    }
}

#endif // HOIST_SRC_KERNELS_TILE_PRODUCT_H
