// kernels/move.h - moves: bytes and elements from views to views (ops of the program's move step).
#ifndef HOIST_SRC_KERNELS_MOVE_H
#define HOIST_SRC_KERNELS_MOVE_H

#include "kernels/compute.h"

typedef enum hoist_move_kernel {
    HOIST_KERNEL_COPY = 0,
    HOIST_KERNEL_CAST, // through float32 even where the types are equal
    HOIST_KERNEL_FMA,  // sum of scale * source in float32, products and sums rounded apart
    HOIST_KERNEL_ADD,
    HOIST_KERNEL_MIN,
    HOIST_KERNEL_MAX,
} hoist_move_kernel;

#define HOIST_MOVE_MAX_VIEWS 16

// Strided views, elements in linear order even where shapes differ. Types that differ are converted
// through float32 (nearest even, integers saturate); the sources are read completely first where
// they overlap the destination.
typedef struct hoist_view_move {
    hoist_move_kernel op;
    hoist_view destination;
    const hoist_view *sources;
    const float *scales; // FMA
    size_t source_count;
    hoist_dtype arithmetic; // MIN, MAX: I32 or U32, the type of all views; else float32
    bool has_start;
    double start;
    size_t transpose_rank; // 0: none
    const uint8_t *transpose_axes;
    const int32_t *table; // NULL, or one source element per destination element, -1: fill
    float fill;
} hoist_view_move;

// HOIST_OK, HOIST_INVALID (element counts differ), HOIST_NO_MEMORY (of `alloc`: scratch for
// overlap).
HOIST_NODISCARD hoist_status hoist_move_views(const hoist_view_move *move, hoist_allocator alloc);

// Tiles: destination tile n (logical order) is tile table[n] of the sources joined, -1: `fill` in
// every element; NULL: tile n of the only source. No tile of the destination is one of a source.
typedef struct hoist_tile_move {
    hoist_tiles destination;
    const hoist_tiles *sources;
    size_t source_count;
    const int32_t *table;
    float fill;
} hoist_tile_move;

// Moves destination tiles [begin, end).
void hoist_move_tiles(const hoist_tile_move *move, size_t begin, size_t end);

#endif // HOIST_SRC_KERNELS_MOVE_H
