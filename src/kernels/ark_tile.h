// kernels/ark_tile.h - tiles of a product of float32 matrices, summed in registers: rows of a,
// packed, by vectors of columns of b, packed or where they are. A step of the sums takes a term of
// float32, or a pair of terms of bf16 in place of it, where the CPU has an instruction for pairs.
// For ark_product_level.c, once per CPU level.
#ifndef HOIST_SRC_KERNELS_ARK_TILE_H
#define HOIST_SRC_KERNELS_ARK_TILE_H

#include "kernels/ark_lanes.h"
#include "kernels/tile_product.h"

#define ARK_INLINE static inline __attribute__((always_inline))

// Registers: ROWS * VECTORS sums, VECTORS of b, one of a; for few rows the other way round.
#if defined(__AVX512F__)
enum { ARK_ROWS = 14, ARK_VECTORS = 2 };
#elif defined(__AVX2__)
enum { ARK_ROWS = 6, ARK_VECTORS = 2 };
#else
enum { ARK_ROWS = 8, ARK_VECTORS = 3 };
#endif

#if defined(__clang__)
#define ARK_UNROLL _Pragma("clang loop unroll(full)")
#else
#define ARK_UNROLL _Pragma("GCC unroll 28")
#endif

enum { ARK_MOST_VECTORS = 16, ARK_MOST_SUMS = 28 }; // of all shapes

// A tile and a block of terms.
typedef struct ark_tile {
    const float *a; // step after step, as many rows each as the shape has
    const uint8_t *b;
    int64_t b_step; // bytes from one step to the next
    int64_t steps;
    float *c;               // totals
    int64_t c_row;          // floats
    uint8_t *y;             // what they are stored to as bf16 in place of c; NULL: nothing
    int64_t y_row;          // bytes
    int64_t columns;        // of the tile that there are; those of b behind them are zeros
    int rows;               // of the tile that there are
    bool is_first, is_last; // of the blocks of terms
} ark_tile;

ARK_INLINE hoist_f32s ark_settled(hoist_f32s x)
{
    return hoist_lanes_choose_f32(x == x, x, (hoist_f32s)hoist_lanes_all(0x7fc00000));
}

// Sums, a vector of them, and the totals of earlier blocks, of which the first block has none.
ARK_INLINE hoist_f32s ark_total(const float *sums, const ark_tile *t, const float *c)
{
    const hoist_f32s s = hoist_lanes_load_f32(sums, 0);
    return t->is_first ? s : hoist_lanes_load_f32(c, 0) + s;
}

// Adds `count` sums, whole vectors, to the totals of earlier blocks.
ARK_INLINE void ark_add_row(const float *sums, int64_t count, const ark_tile *t, float *c)
{
    for (int64_t i = 0; i < count; i += HOIST_LANES) {
        // Any NaN becomes the one that is stored, once all blocks are added.
        const hoist_f32s total = ark_total(sums + i, t, c + i);
        hoist_lanes_store_f32(c, (size_t)i, t->is_last ? ark_settled(total) : total);
    }
}

// Stores the totals of a tile, `width` a row, which have space for as many in c.
static void ark_store_tile(const ark_tile *t, const float *sums, int64_t width)
{
    enum { ELEMENT = 2 };
    for (int64_t i = 0; i < t->rows; i++) {
        uint8_t line[ARK_MOST_VECTORS * HOIST_LANES * ELEMENT];
        uint8_t *const to = t->columns == width ? t->y + i * t->y_row : line;
        for (int64_t k = 0; k < width; k += HOIST_LANES) {
            const hoist_f32s total = ark_total(sums + i * width + k, t, t->c + i * t->c_row + k);
            hoist_ark_store_bf16(to + k * ELEMENT, (hoist_u32s)total);
        }
        if (to == line) {
            memcpy(t->y + i * t->y_row, line, (size_t)t->columns * ELEMENT);
        }
    }
}

// Adds the sums of a tile, `width` a row, to the totals.
static void ark_add_tile(const ark_tile *t, const float *sums, int64_t width)
{
    const size_t size = (size_t)t->columns * sizeof *sums;
    for (int64_t i = 0; i < t->rows; i++) {
        float *const c = t->c + i * t->c_row;
        if (t->columns == width) {
            ark_add_row(sums + i * width, width, t, c);
            continue;
        }
        // Columns behind the matrix are not there: the row goes through a line of full width.
        float line[ARK_MOST_VECTORS * HOIST_LANES];
        memset(line, 0, sizeof line);
        memcpy(line, c, size);
        ark_add_row(sums + i * width, width, t, line);
        memcpy(c, line, size);
    }
}

// a * b + sum; of pairs the sum of both products, which are rounded one after the other, from
// numbers and to numbers of which those below 2^-126 are zeros.
ARK_INLINE hoist_f32s ark_add_products(bool are_pairs, hoist_f32s a, hoist_f32s b, hoist_f32s sum)
{
#if defined(__AVX512BF16__)
    if (are_pairs) {
        return (hoist_f32s)_mm512_dpbf16_ps((__m512)sum, (__m512bh)a, (__m512bh)b);
    }
#endif
    (void)are_pairs;
    return hoist_lanes_fma(a, b, sum);
}

// One step of a tile of many rows: its vectors of b serve row after row.
ARK_INLINE void ark_add_step(int rows, int vectors, bool are_pairs, const float *a,
                             const uint8_t *b, hoist_f32s s[])
{
    hoist_f32s column[ARK_MOST_VECTORS];
    ARK_UNROLL for (int v = 0; v < vectors; v++)
    {
        memcpy(&column[v], b + (size_t)v * sizeof column[v], sizeof column[v]);
    }
    ARK_UNROLL for (int i = 0; i < rows; i++)
    {
        const hoist_f32s row = hoist_lanes_all_f32(a[i]);
        ARK_UNROLL for (int v = 0; v < vectors; v++)
        {
            s[i * vectors + v] = ark_add_products(are_pairs, row, column[v], s[i * vectors + v]);
        }
    }
}

// The same of one with few rows.
ARK_INLINE void ark_add_wide_step(int rows, int vectors, const float *a, const uint8_t *b,
                                  hoist_f32s s[])
{
    hoist_f32s row[4];
    ARK_UNROLL for (int i = 0; i < rows; i++)
    {
        row[i] = hoist_lanes_all_f32(a[i]);
    }
    ARK_UNROLL for (int v = 0; v < vectors; v++)
    {
        hoist_f32s column;
        memcpy(&column, b + (size_t)v * sizeof column, sizeof column);
        ARK_UNROLL for (int i = 0; i < rows; i++)
        {
            s[i * vectors + v] = hoist_lanes_fma(row[i], column, s[i * vectors + v]);
        }
    }
}

// Sums a tile over all terms of the block; `rows` and `vectors` are known after inlining.
ARK_INLINE void ark_sum_tile(int rows, int vectors, bool are_pairs, const ark_tile *t)
{
    enum { AHEAD = 8 }; // steps whose b is asked for
    hoist_f32s s[ARK_MOST_SUMS];
    ARK_UNROLL for (int i = 0; i < rows; i++)
    {
        ARK_UNROLL for (int v = 0; v < vectors; v++)
        {
            s[i * vectors + v] = (hoist_f32s){0};
        }
        // Totals are needed at the end, and are on their way until then.
        __builtin_prefetch(t->c + i * t->c_row, 1);
        __builtin_prefetch(t->c + i * t->c_row + t->columns - 1, 1);
    }
    const float *a = t->a;
    const uint8_t *b = t->b;
    for (int64_t k = 0; k < t->steps; k++) {
        ARK_UNROLL for (int v = 0; v < vectors; v++)
        {
            __builtin_prefetch(b + AHEAD * t->b_step + (size_t)v * sizeof s[0]);
        }
        if (vectors > ARK_VECTORS) {
            ark_add_wide_step(rows, vectors, a, b, s);
        } else {
            ark_add_step(rows, vectors, are_pairs, a, b, s);
        }
        a += rows;
        b += t->b_step;
    }
    // Through memory, as the last part is not unrolled for each shape.
    float sums[ARK_MOST_SUMS * HOIST_LANES];
    ARK_UNROLL for (int i = 0; i < rows * vectors; i++)
    {
        hoist_lanes_store_f32(sums, (size_t)i * HOIST_LANES, s[i]);
    }
    if (t->y) {
        ark_store_tile(t, sums, (int64_t)vectors * HOIST_LANES);
        return;
    }
    ark_add_tile(t, sums, (int64_t)vectors * HOIST_LANES);
}

// A tile size, with the function that is unrolled for it.
typedef struct ark_shape {
    int rows, vectors;
    void (*sum)(const ark_tile *tile);
} ark_shape;

#define ARK_SHAPE(rows, vectors)                                                                   \
    static void ark_sum_##rows##x##vectors(const ark_tile *t)                                      \
    {                                                                                              \
        ark_sum_tile(rows, vectors, false, t);                                                     \
    }

// clang-format off
#if defined(__AVX512F__)
ARK_SHAPE(1, 2) ARK_SHAPE(2, 2) ARK_SHAPE(4, 2) ARK_SHAPE(6, 2) ARK_SHAPE(8, 2) ARK_SHAPE(10, 2) ARK_SHAPE(12, 2) ARK_SHAPE(14, 2)
ARK_SHAPE(1, 16) ARK_SHAPE(2, 12) ARK_SHAPE(4, 6)
static const ark_shape ark_shapes[] = {
    {1, 2, ark_sum_1x2},   {2, 2, ark_sum_2x2},   {4, 2, ark_sum_4x2},   {6, 2, ark_sum_6x2},
    {8, 2, ark_sum_8x2},   {10, 2, ark_sum_10x2}, {12, 2, ark_sum_12x2}, {14, 2, ark_sum_14x2},
    {1, 16, ark_sum_1x16}, {2, 12, ark_sum_2x12}, {4, 6, ark_sum_4x6},
};
#elif defined(__AVX2__)
ARK_SHAPE(1, 2) ARK_SHAPE(2, 2) ARK_SHAPE(4, 2) ARK_SHAPE(6, 2)
ARK_SHAPE(1, 12) ARK_SHAPE(2, 6)
static const ark_shape ark_shapes[] = {
    {1, 2, ark_sum_1x2},   {2, 2, ark_sum_2x2}, {4, 2, ark_sum_4x2}, {6, 2, ark_sum_6x2},
    {1, 12, ark_sum_1x12}, {2, 6, ark_sum_2x6},
};
#else
ARK_SHAPE(1, 3) ARK_SHAPE(2, 3) ARK_SHAPE(4, 3) ARK_SHAPE(6, 3) ARK_SHAPE(8, 3)
ARK_SHAPE(1, 16) ARK_SHAPE(2, 12) ARK_SHAPE(4, 6)
static const ark_shape ark_shapes[] = {
    {1, 3, ark_sum_1x3},   {2, 3, ark_sum_2x3}, {4, 3, ark_sum_4x3}, {6, 3, ark_sum_6x3},
    {8, 3, ark_sum_8x3},   {1, 16, ark_sum_1x16}, {2, 12, ark_sum_2x12}, {4, 6, ark_sum_4x6},
};
#endif
// clang-format on

#if defined(__AVX512BF16__)
#define ARK_PAIRS(rows)                                                                            \
    static void ark_sum_pairs_##rows(const ark_tile *t)                                            \
    {                                                                                              \
        ark_sum_tile(rows, ARK_VECTORS, true, t);                                                  \
    }

// clang-format off
ARK_PAIRS(1) ARK_PAIRS(2) ARK_PAIRS(4) ARK_PAIRS(6) ARK_PAIRS(8) ARK_PAIRS(10) ARK_PAIRS(12) ARK_PAIRS(14)
static const ark_shape ark_pair_shapes[] = {
    {1, ARK_VECTORS, ark_sum_pairs_1},   {2, ARK_VECTORS, ark_sum_pairs_2},
    {4, ARK_VECTORS, ark_sum_pairs_4},   {6, ARK_VECTORS, ark_sum_pairs_6},
    {8, ARK_VECTORS, ark_sum_pairs_8},   {10, ARK_VECTORS, ark_sum_pairs_10},
    {12, ARK_VECTORS, ark_sum_pairs_12}, {14, ARK_VECTORS, ark_sum_pairs_14},
};
// clang-format on
#endif

#endif // HOIST_SRC_KERNELS_ARK_TILE_H
