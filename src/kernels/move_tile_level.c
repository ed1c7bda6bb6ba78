// Copies of rows x columns of elements, compiled once per CPU level (kernels/level.h). Elements are
// moved as they are; the kernels know only their size.
#include <string.h>

#include "kernels/level.h"
#include "kernels/move_table.h"

#define INLINE static inline __attribute__((always_inline))

// `size` and `step` are known after inlining, so that these become vector loops.

INLINE void gather(const uint8_t *restrict source, int64_t step, uint8_t *restrict destination,
                   size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(destination + i * size, source + (int64_t)i * step, size);
    }
}

INLINE void scatter(const uint8_t *restrict source, uint8_t *restrict destination, int64_t step,
                    size_t count, size_t size)
{
    for (size_t i = 0; i < count; i++) {
        memcpy(destination + (int64_t)i * step, source + i * size, size);
    }
}

// A row to elements side by side.
INLINE void gather_row(const uint8_t *source, int64_t step, uint8_t *destination, size_t count,
                       size_t size)
{
    const int64_t one = (int64_t)size;
    if (step == one) {
        memcpy(destination, source, count * size);
    } else if (step == 0) {
        gather(source, 0, destination, count, size);
    } else if (step == 2 * one) {
        gather(source, 2 * one, destination, count, size);
    } else if (step == 4 * one) {
        gather(source, 4 * one, destination, count, size);
    } else if (step == -one) {
        gather(source, -one, destination, count, size);
    } else {
        gather(source, step, destination, count, size);
    }
}

INLINE void copy_row(const hoist_move_tile *t, size_t row, size_t size)
{
    const uint8_t *source = t->source + (int64_t)row * t->source_row;
    uint8_t *destination = t->destination + (int64_t)row * t->destination_row;
    if (t->destination_col == (int64_t)size) {
        gather_row(source, t->source_col, destination, t->cols, size);
    } else if (t->source_col == (int64_t)size) {
        scatter(source, destination, t->destination_col, t->cols, size);
    } else {
        for (size_t i = 0; i < t->cols; i++) {
            memcpy(destination + (int64_t)i * t->destination_col,
                   source + (int64_t)i * t->source_col, size);
        }
    }
}

INLINE void copy_rows(const hoist_move_tile *t, size_t size)
{
    for (size_t row = 0; row < t->rows; row++) {
        copy_row(t, row, size);
    }
}

// Transposes ------------------------------------------------------------------------------------

// 16 bytes, whatever is in them: every interleaving of the halves of two vectors is one instruction
// on x86-64 and aarch64.
typedef uint8_t bytes16 __attribute__((vector_size(16)));
typedef uint16_t words16 __attribute__((vector_size(16)));
typedef uint32_t longs16 __attribute__((vector_size(16)));
typedef uint64_t quads16 __attribute__((vector_size(16)));

#define LOW8(a, b)                                                                                 \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH8(a, b)                                                                                \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define LOW16(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH16(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW32(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH32(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW64(a, b) __builtin_shufflevector(a, b, 0, 2)
#define HIGH64(a, b) __builtin_shufflevector(a, b, 1, 3)

// A square of n x n elements that fill n vectors: interleaving the first half of the vectors with
// the second, as often as n has binary digits, transposes them. Columns of the tile stand side by
// side in the source, rows in the destination.
#define SQUARE(name, type, n, low, high)                                                           \
    INLINE void name(const uint8_t *source, int64_t source_col, uint8_t *destination,              \
                     int64_t destination_row)                                                      \
    {                                                                                              \
        type a[n];                                                                                 \
        type b[n];                                                                                 \
        _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)                                     \
        {                                                                                          \
            memcpy(&a[i], source + i * source_col, 16);                                            \
        }                                                                                          \
        _Pragma("GCC unroll 4") for (int round = 1; round < (n); round *= 2)                       \
        {                                                                                          \
            _Pragma("GCC unroll 8") for (int i = 0; i < (n) / 2; i++)                              \
            {                                                                                      \
                b[2 * i] = low(a[i], a[i + (n) / 2]);                                              \
                b[2 * i + 1] = high(a[i], a[i + (n) / 2]);                                         \
            }                                                                                      \
            _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)                                 \
            {                                                                                      \
                a[i] = b[i];                                                                       \
            }                                                                                      \
        }                                                                                          \
        _Pragma("GCC unroll 16") for (int i = 0; i < (n); i++)                                     \
        {                                                                                          \
            memcpy(destination + i * destination_row, &a[i], 16);                                  \
        }                                                                                          \
    }

SQUARE(square8, bytes16, 16, LOW8, HIGH8)
SQUARE(square16, words16, 8, LOW16, HIGH16)
SQUARE(square32, longs16, 4, LOW32, HIGH32)
SQUARE(square64, quads16, 2, LOW64, HIGH64)

typedef void square_fn(const uint8_t *source, int64_t source_col, uint8_t *destination,
                       int64_t destination_row);

// What squares of `n` leave over: the last columns, and the last rows of the others.
INLINE void transpose_rest(const hoist_move_tile *t, size_t n, size_t size)
{
    const size_t rows = t->rows - t->rows % n;
    const size_t cols = t->cols - t->cols % n;
    hoist_move_tile right = *t;
    right.source += (int64_t)cols * t->source_col;
    right.destination += (int64_t)cols * t->destination_col;
    right.cols = t->cols - cols;
    copy_rows(&right, size);
    hoist_move_tile below = *t;
    below.source += (int64_t)rows * t->source_row;
    below.destination += (int64_t)rows * t->destination_row;
    below.rows = t->rows - rows;
    below.cols = cols;
    copy_rows(&below, size);
}

// Rows innermost: a line of the source is read to its end before it may leave the cache.
INLINE void transpose(const hoist_move_tile *t, square_fn *square, size_t n, size_t size)
{
    for (size_t col = 0; col + n <= t->cols; col += n) {
        for (size_t row = 0; row + n <= t->rows; row += n) {
            square(t->source + (int64_t)col * t->source_col + row * size, t->source_col,
                   t->destination + (int64_t)row * t->destination_row + col * size,
                   t->destination_row);
        }
    }
    transpose_rest(t, n, size);
}

INLINE void copy_or_transpose(const hoist_move_tile *t, square_fn *square, size_t n, size_t size)
{
    if (t->source_row == (int64_t)size && t->destination_col == (int64_t)size && t->rows >= n &&
        t->cols >= n) {
        transpose(t, square, n, size);
    } else {
        copy_rows(t, size);
    }
}

static void tile1(const hoist_move_tile *t)
{
    copy_or_transpose(t, square8, 16, 1);
}
static void tile2(const hoist_move_tile *t)
{
    copy_or_transpose(t, square16, 8, 2);
}
static void tile4(const hoist_move_tile *t)
{
    copy_or_transpose(t, square32, 4, 4);
}
static void tile8(const hoist_move_tile *t)
{
    copy_or_transpose(t, square64, 2, 8);
}
static void tile16(const hoist_move_tile *t)
{
    copy_rows(t, 16);
}

hoist_move_tile_fn *const HOIST_LEVEL_NAME(hoist_move_tiles)[HOIST_MOVE_ELEMENT_SIZES] = {
    tile1, tile2, tile4, tile8, tile16,
};
