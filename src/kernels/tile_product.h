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
// A block of BLOCK_ROWS rows and BLOCK_VECTORS vectors of columns is worked on at a time, so that
// one load of B serves several rows and the chains of a block hide the latency of the instruction.
#ifndef HOIST_SRC_KERNELS_TILE_PRODUCT_H
#define HOIST_SRC_KERNELS_TILE_PRODUCT_H

#include <math.h>

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

// A line of the caches, and the part of the next tile that is asked for with a block.
#define HOIST_LINE_FLOATS ((size_t)16)
#define HOIST_BLOCK_ASK ((size_t)HOIST_BLOCK_ROWS * HOIST_BLOCK_WIDTH)

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

static inline __attribute__((always_inline)) hoist_block hoist_block_add(hoist_block x,
                                                                         hoist_block y)
{
    HOIST_UNROLL
    for (size_t r = 0; r < HOIST_BLOCK_ROWS; r++) {
        HOIST_UNROLL
        for (size_t v = 0; v < HOIST_BLOCK_VECTORS; v++) {
            x.at[r][v] += y.at[r][v];
        }
    }
    return x;
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

// q[l] and r[l] of the lanes order.
static inline __attribute__((always_inline)) hoist_block hoist_block_q(const float *a,
                                                                       const float *b, size_t l)
{
    const hoist_block p = hoist_block_chain(a, b, l, 8);
    return hoist_block_add(p, hoist_block_chain(a, b, l + 4, 8));
}
static inline __attribute__((always_inline)) hoist_block hoist_block_r(const float *a,
                                                                       const float *b, size_t l)
{
    const hoist_block q = hoist_block_q(a, b, l);
    return hoist_block_add(q, hoist_block_q(a, b, l + 2));
}

// Asks for `floats` to come into the first cache.
static inline void hoist_tile_ask(const float *from, size_t floats)
{
    for (size_t i = 0; i < floats; i += HOIST_LINE_FLOATS) {
        __builtin_prefetch(from + i);
    }
}

static inline __attribute__((always_inline)) hoist_block hoist_block_load(const float *part)
{
    hoist_block x;
    HOIST_UNROLL
    for (size_t r = 0; r < HOIST_BLOCK_ROWS; r++) {
        HOIST_UNROLL
        for (size_t v = 0; v < HOIST_BLOCK_VECTORS; v++) {
            const size_t at = r * HOIST_TILE_DIM + v * HOIST_LANES;
            x.at[r][v] = hoist_lanes_load_f32(part, at);
        }
    }
    return x;
}
static inline __attribute__((always_inline)) void hoist_block_store(float *part, hoist_block x)
{
    HOIST_UNROLL
    for (size_t r = 0; r < HOIST_BLOCK_ROWS; r++) {
        HOIST_UNROLL
        for (size_t v = 0; v < HOIST_BLOCK_VECTORS; v++) {
            hoist_lanes_store_f32(part, r * HOIST_TILE_DIM + v * HOIST_LANES, x.at[r][v]);
        }
    }
}

// C += A x B in the lanes order; tiles of 32 rows of 32, C apart from A and B. The tile `next` is
// asked for meanwhile.
//
// With 32 registers q[0], q[2], q[1] and q[3] are a pass over the tile each, which has nothing to
// keep in registers but its two chains. With 16 the sums of passes cost more than the stack does.
static inline void hoist_tile_add_lanes(const float *a, const float *b, float *c, const float *next)
{
#if defined(__AVX512F__)
    _Alignas(64) float even[HOIST_TILE_FLOATS];
    _Alignas(64) float odd[HOIST_TILE_FLOATS];
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_BLOCK_FLOATS) {
        hoist_tile_ask(next + i, HOIST_BLOCK_FLOATS);
        hoist_block_store(even + i, hoist_block_q(a + i, b, 0));
    }
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_BLOCK_FLOATS) {
        const hoist_block q = hoist_block_load(even + i);
        hoist_block_store(even + i, hoist_block_add(q, hoist_block_q(a + i, b, 2)));
    }
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_BLOCK_FLOATS) {
        hoist_block_store(odd + i, hoist_block_q(a + i, b, 1));
    }
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_BLOCK_FLOATS) {
        const hoist_block q = hoist_block_load(odd + i);
        const hoist_block r = hoist_block_add(q, hoist_block_q(a + i, b, 3));
        hoist_block_store_sum(c + i, hoist_block_add(hoist_block_load(even + i), r));
    }
#else
    for (size_t j = 0; j < HOIST_TILE_DIM; j += HOIST_BLOCK_WIDTH) {
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_BLOCK_FLOATS) {
            hoist_tile_ask(next, HOIST_BLOCK_ASK);
            next += HOIST_BLOCK_ASK;
            const hoist_block r = hoist_block_r(a + i, b + j, 0);
            hoist_block_store_sum(c + i + j, hoist_block_add(r, hoist_block_r(a + i, b + j, 1)));
        }
    }
#endif
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
