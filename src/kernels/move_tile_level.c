// Copies of rows x columns of elements, compiled once per CPU level (kernels/level.h). Elements are
// moved as they are; the kernels know only their size.
#include <string.h>

#include "kernels/lanes.h"
#include "kernels/level.h"
#include "kernels/move_rows.h"
#include "kernels/move_squares.h"
#include "kernels/move_table.h"

#define INLINE static inline __attribute__((always_inline))

enum {
    VECTOR = 4 * HOIST_LANES, // bytes
    LINE = 64,                // bytes of a cache line
    WAYS = 8,                 // lines at such distances that stay in the first cache together
    CALL = 1024,              // bytes that are worth a call of memcpy
    LONG = 4096,              // bytes that go past the caches wherever they begin
};

// `count` bytes by `part`, the last part over the one before it; `count` is `part` or more.
INLINE void copy_parts(uint8_t *destination, const uint8_t *source, size_t count, size_t part)
{
    for (size_t at = 0; at + part < count; at += part) {
        memcpy(destination + at, source + at, part);
    }
    memcpy(destination + (count - part), source + (count - part), part);
}

// `part` to twice as many bytes: the second half may lie over the first.
INLINE void copy_halves(uint8_t *destination, const uint8_t *source, size_t count, size_t part)
{
    memcpy(destination, source, part);
    memcpy(destination + (count - part), source + (count - part), part);
}

// Few bytes without a call: rows of a tile are often shorter than what memcpy needs to begin.
INLINE void copy_bytes(uint8_t *destination, const uint8_t *source, size_t count)
{
    if (count >= CALL) {
        memcpy(destination, source, count);
    } else if (count >= VECTOR) {
        copy_parts(destination, source, count, VECTOR);
    } else if (count >= 16) {
        copy_parts(destination, source, count, 16);
    } else if (count >= 8) {
        copy_halves(destination, source, count, 8);
    } else if (count >= 4) {
        copy_halves(destination, source, count, 4);
    } else if (count >= 2) {
        copy_halves(destination, source, count, 2);
    } else if (count) {
        *destination = *source;
    }
}

typedef void block_fn(uint8_t *destination, const uint8_t *source, size_t count);

// Calls `copy` for each block of a tile; it is known after inlining, as the size may be.
INLINE void each_block(const hoist_move_tile *t, size_t block, block_fn *copy)
{
    for (size_t plane = 0; plane < t->planes; plane++) {
        for (size_t row = 0; row < t->rows; row++) {
            const uint8_t *source =
                t->source + (int64_t)plane * t->source_plane + (int64_t)row * t->source_row;
            uint8_t *destination = t->destination + (int64_t)plane * t->destination_plane +
                                   (int64_t)row * t->destination_row;
            for (size_t col = 0; col < t->cols; col++) {
                copy(destination, source, block);
                source += t->source_col;
                destination += t->destination_col;
            }
        }
    }
}

// Blocks of one size, which may be a constant.
INLINE void copy_equal_blocks(const hoist_move_tile *t, size_t block)
{
    each_block(t, block, copy_bytes);
}

// Blocks of the usual small sizes need no loop inside.
static void copy_blocks(const hoist_move_tile *t, size_t block)
{
    switch (block) {
    case 12:
        copy_equal_blocks(t, 12);
        return;
    case 16:
        copy_equal_blocks(t, 16);
        return;
    case 24:
        copy_equal_blocks(t, 24);
        return;
    case 32:
        copy_equal_blocks(t, 32);
        return;
    case 48:
        copy_equal_blocks(t, 48);
        return;
    case 64:
        copy_equal_blocks(t, 64);
        return;
    case 128:
        copy_equal_blocks(t, 128);
        return;
    default:
        copy_equal_blocks(t, block);
    }
}

hoist_move_blocks_fn HOIST_LEVEL_NAME(hoist_move_blocks);
hoist_move_blocks_fn HOIST_LEVEL_NAME(hoist_move_stream_blocks);
void HOIST_LEVEL_NAME(hoist_move_fence)(void);

void HOIST_LEVEL_NAME(hoist_move_blocks)(const hoist_move_tile *tile, size_t block)
{
    copy_blocks(tile, block);
}

// Past the caches -------------------------------------------------------------------------------

#if defined(HOIST_MOVE_ROWS)

INLINE __m512i same(__m512i bytes)
{
    return bytes;
}

// Blocks become rows of bytes: planes of the tile are done one by one, for want of a fourth
// stride.
void HOIST_LEVEL_NAME(hoist_move_stream_blocks)(const hoist_move_tile *tile, size_t block)
{
    hoist_move_tile rows = *tile;
    for (size_t i = 0; i < tile->planes; i++) {
        rows.planes = tile->rows;
        rows.source_plane = tile->source_row;
        rows.destination_plane = tile->destination_row;
        rows.rows = tile->cols;
        rows.source_row = tile->source_col;
        rows.destination_row = tile->destination_col;
        rows.cols = block;
        hoist_rows_move(&rows, true,
                        (hoist_rows_form){hoist_rows_load_bytes, same, hoist_rows_store_bytes,
                                          hoist_rows_stream32, 64, 1, 1});
        rows.source += tile->source_plane;
        rows.destination += tile->destination_plane;
    }
}

#else

// Lines past the caches, the parts of lines at both ends as usual.
INLINE void stream_bytes(uint8_t *destination, const uint8_t *source, size_t count)
{
#if defined(__SSE2__)
    // Bytes up to the next line.
    const size_t ahead = (size_t)(-(uintptr_t)destination % LINE);
    size_t at = ahead < count ? ahead : count;
    copy_bytes(destination, source, at);
    for (; at + 16 <= count; at += 16) {
        _mm_stream_si128((__m128i *)(void *)(destination + at),
                         _mm_loadu_si128((const __m128i *)(const void *)(source + at)));
    }
    copy_bytes(destination + at, source + at, count - at);
#else
    copy_bytes(destination, source, count);
#endif
}

// A part of a line costs as much as a hundred lines: short blocks must be whole ones.
void HOIST_LEVEL_NAME(hoist_move_stream_blocks)(const hoist_move_tile *tile, size_t block)
{
    // A low bit that any of them has is in all.
    const uintptr_t all = (uintptr_t)tile->destination | block | (uintptr_t)tile->destination_col |
                          (uintptr_t)tile->destination_row | (uintptr_t)tile->destination_plane;
    if (all % LINE == 0 || block >= LONG) {
        each_block(tile, block, stream_bytes);
    } else {
        copy_blocks(tile, block);
    }
}

#endif

void HOIST_LEVEL_NAME(hoist_move_fence)(void)
{
#if defined(__SSE2__)
    // Stores past the caches are not in order with others until here.
    _mm_sfence();
#endif
}

// Elements --------------------------------------------------------------------------------------

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
    // The usual steps as constants: the compiler makes shuffles of them.
    if (step == 0) {
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

// One row: gathered, scattered, or element by element where both sides have gaps.
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

// Elements that are apart on either side.
INLINE void copy_apart(const hoist_move_tile *t, size_t size)
{
    for (size_t row = 0; row < t->rows; row++) {
        copy_row(t, row, size);
    }
}

// Rows that are whole on both sides are blocks. Those that are nearest to each other in the
// destination go first: where others are a power of two apart, lines do not stay in the cache until
// their rest is written.
INLINE void copy_rows(const hoist_move_tile *t, size_t size)
{
    hoist_move_tile rows = *t;
    rows.planes = 1;
    rows.rows = t->planes;
    rows.source_row = t->source_plane;
    rows.destination_row = t->destination_plane;
    rows.cols = t->rows;
    rows.source_col = t->source_row;
    rows.destination_col = t->destination_row;
    // Planes are nearer to each other than rows.
    if (t->destination_plane < t->destination_row && t->destination_plane > 0) {
        rows.rows = t->rows;
        rows.source_row = t->source_row;
        rows.destination_row = t->destination_row;
        rows.cols = t->planes;
        rows.source_col = t->source_plane;
        rows.destination_col = t->destination_plane;
    }
    copy_blocks(&rows, t->cols * size);
}

// Transposes ------------------------------------------------------------------------------------

// Elements [row, row + rows) of columns [col, col + cols), as a tile.
INLINE hoist_move_tile part_of(const hoist_move_tile *t, size_t row, size_t rows, size_t col,
                               size_t cols)
{
    hoist_move_tile part = *t;
    part.source += (int64_t)row * t->source_row + (int64_t)col * t->source_col;
    part.destination += (int64_t)row * t->destination_row + (int64_t)col * t->destination_col;
    part.rows = rows;
    part.cols = cols;
    return part;
}

// Rows [row, row + n) of all columns, which are whole squares.
INLINE void transpose_row(const hoist_move_tile *t, size_t row, hoist_squares q)
{
    const size_t wide = q.n * HOIST_SQUARES_WIDE;
    const uint8_t *source = t->source + row * q.size;
    uint8_t *destination = t->destination + (int64_t)row * t->destination_row;
    size_t col = 0;
    for (; col + wide <= t->cols; col += wide) {
        q.wide(source + (int64_t)col * t->source_col, t->source_col, destination + col * q.size,
               t->destination_row);
    }
    for (; col < t->cols; col += q.n) {
        q.one(source + (int64_t)col * t->source_col, t->source_col, destination + col * q.size,
              t->destination_row);
    }
}

enum { AHEAD = 8 }; // lines that are asked for before they are written

// At most a line of rows and of columns. Of lines whose distance is a power of two few fit the
// cache side by side: each line of the source is read once, into the stage, each of the destination
// is written once, and asked for before.
INLINE void transpose_staged(const hoist_move_tile *t, hoist_squares q)
{
    uint8_t stage[LINE * LINE];
    hoist_move_tile staged = *t;
    staged.source = stage;
    staged.source_col = LINE;
    for (size_t col = 0; col < t->cols; col++) {
        // By as many bytes as are loaded: loads wait for wider stores.
        copy_parts(stage + col * LINE, t->source + (int64_t)col * t->source_col, t->rows * q.size,
                   q.n * q.size);
    }
    // Not before the stage is full: both sides may be in the same set.
    for (size_t row = 0; row < t->rows && row < AHEAD; row++) {
        __builtin_prefetch(t->destination + (int64_t)row * t->destination_row, 1);
    }
    for (size_t row = 0; row < t->rows; row += q.n) {
        transpose_row(&staged, row, q);
        for (size_t i = row + AHEAD; i < row + AHEAD + q.n && i < t->rows; i++) {
            __builtin_prefetch(t->destination + (int64_t)i * t->destination_row, 1);
        }
    }
}

// Parts of a line of rows and of columns, each by way of the stage.
INLINE void transpose_lines(const hoist_move_tile *t, hoist_squares q)
{
    const size_t most = LINE / q.size;
    for (size_t row = 0; row < t->rows; row += most) {
        for (size_t col = 0; col < t->cols; col += most) {
            const size_t rows = t->rows - row < most ? t->rows - row : most;
            const size_t cols = t->cols - col < most ? t->cols - col : most;
            const hoist_move_tile part = part_of(t, row, rows, col, cols);
            transpose_staged(&part, q);
        }
    }
}

// Along the source, some columns at a time: the tile fits the cache, and the next lines of the
// source are on their way.
INLINE void transpose_columns(const hoist_move_tile *t, hoist_squares q)
{
    // Columns of a wide vector of squares.
    const size_t most = q.n * HOIST_SQUARES_WIDE;
    for (size_t col = 0; col < t->cols; col += most) {
        const size_t cols = t->cols - col < most ? t->cols - col : most;
        const hoist_move_tile part = part_of(t, 0, t->rows, col, cols);
        for (size_t row = 0; row < t->rows; row += q.n) {
            transpose_row(&part, row, q);
        }
    }
}

// True when lines of either side push each other out of the first cache.
INLINE bool are_crowded(const hoist_move_tile *t)
{
    return (t->source_col % 2048 == 0 && t->cols > WAYS) ||
           (t->destination_row % 2048 == 0 && t->rows > WAYS);
}

// Squares as far as they go, then what is left on the right and below.
INLINE void transpose(const hoist_move_tile *t, hoist_squares q)
{
    const size_t rows = t->rows - t->rows % q.n;
    const size_t cols = t->cols - t->cols % q.n;
    // What is of whole squares; the rest lies on the right, over all rows, and below it.
    const hoist_move_tile whole = part_of(t, 0, rows, 0, cols);
    const hoist_move_tile right = part_of(t, 0, t->rows, cols, t->cols - cols);
    const hoist_move_tile below = part_of(t, rows, t->rows - rows, 0, cols);
    if (are_crowded(t)) {
        transpose_lines(&whole, q);
    } else {
        transpose_columns(&whole, q);
    }
    if (cols < t->cols) {
        copy_apart(&right, q.size);
    }
    if (rows < t->rows) {
        copy_apart(&below, q.size);
    }
}

// Planes that lie side by side in the destination, whose rows are a power of two apart: of their
// lines too few fit the cache to be written plane by plane. So rows of some planes are written at a
// time: 0.40 to 0.50 ns per float32 became 0.35.
INLINE void transpose_planes(const hoist_move_tile *t, hoist_squares q)
{
    uint8_t stage[LINE * LINE];
    const size_t row = t->cols * q.size;
    // Planes that the stage holds.
    const size_t most = sizeof stage / (t->rows * row);
    for (size_t i = 0; i < t->planes; i += most) {
        const size_t planes = t->planes - i < most ? t->planes - i : most;
        hoist_move_tile plane = *t;
        plane.source += (int64_t)i * t->source_plane;
        plane.destination = stage;
        plane.destination_row = (int64_t)(planes * row);
        for (size_t k = 0; k < planes; k++) {
            transpose(&plane, q);
            plane.source += t->source_plane;
            plane.destination += row;
        }
        copy_blocks(&(hoist_move_tile){.source = stage,
                                       .destination = t->destination + i * row,
                                       .source_col = (int64_t)(planes * row),
                                       .destination_col = t->destination_row,
                                       .planes = 1,
                                       .rows = 1,
                                       .cols = t->rows},
                    planes * row);
    }
}

// A tile of elements of one size, by the way that its strides allow.
INLINE void copy_tile(const hoist_move_tile *t, hoist_squares q)
{
    // Whether elements of a row follow each other, on either side.
    const bool source_rows = t->source_col == (int64_t)q.size;
    const bool destination_rows = t->destination_col == (int64_t)q.size;
    if (source_rows && destination_rows) {
        copy_rows(t, q.size);
        return;
    }
    // Rows of one side are columns of the other, and there is a whole square at least.
    const bool turns = t->source_row == (int64_t)q.size && destination_rows && q.n > 1 &&
                       t->rows >= q.n && t->cols >= q.n;
    const bool is_small = t->rows * t->cols * q.size <= LINE * LINE / 2;
    if (turns && is_small && t->rows > WAYS && t->destination_row % 2048 == 0 &&
        t->destination_plane == (int64_t)(t->cols * q.size)) {
        transpose_planes(t, q);
        return;
    }
    hoist_move_tile plane = *t;
    for (size_t i = 0; i < t->planes; i++) {
        if (turns) {
            transpose(&plane, q);
        } else {
            copy_apart(&plane, q.size);
        }
        plane.source += t->source_plane;
        plane.destination += t->destination_plane;
    }
}

// Tiles of bytes that are narrow on one side take the smaller square.
static void tile1(const hoist_move_tile *t)
{
    if (t->rows < 16 || t->cols < 16) {
        copy_tile(t, (hoist_squares){hoist_half8, hoist_wide_half8, 8, 1});
    } else {
        copy_tile(t, (hoist_squares){hoist_square8, hoist_wide8, 16, 1});
    }
}
static void tile2(const hoist_move_tile *t)
{
    copy_tile(t, (hoist_squares){hoist_square16, hoist_wide16, 8, 2});
}
static void tile4(const hoist_move_tile *t)
{
    copy_tile(t, (hoist_squares){hoist_square32, hoist_wide32, 4, 4});
}
static void tile8(const hoist_move_tile *t)
{
    copy_tile(t, (hoist_squares){hoist_square64, hoist_wide64, 2, 8});
}
static void tile16(const hoist_move_tile *t)
{
    copy_tile(t, (hoist_squares){NULL, NULL, 1, 16});
}

hoist_move_tile_fn *const HOIST_LEVEL_NAME(hoist_move_tiles)[HOIST_MOVE_ELEMENT_SIZES] = {
    tile1, tile2, tile4, tile8, tile16,
};
