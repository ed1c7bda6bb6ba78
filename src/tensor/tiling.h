// tensor/tiling.h - how a queue entry [t, rows, columns] is cut over a grid of buffers into macro
// blocks, micro blocks and tiles (buda-netlist reference section 4.1, buda-ops section 1).
#ifndef HOIST_SRC_TENSOR_TILING_H
#define HOIST_SRC_TENSOR_TILING_H

#include "hoist/tensor.h"

// All counts are at least 1. One entry has t slices of (grid_rows * mblock_m * ublock_rt) x
// (grid_cols * mblock_n * ublock_ct) tiles.
typedef struct hoist_tiling {
    uint32_t grid_rows;
    uint32_t grid_cols;
    uint32_t t;
    uint32_t mblock_m;  // micro blocks in a macro block, down
    uint32_t mblock_n;  // across
    uint32_t ublock_rt; // tiles in a micro block, down
    uint32_t ublock_ct; // across
    bool column_major;  // micro blocks of a slice go down the columns (ublock_order: c)
    uint32_t tile_height;
    uint32_t tile_width;
} hoist_tiling;

// Sizes that follow from a tiling. None of them wraps once hoist_tiling_measure() accepted it.
typedef struct hoist_tiling_size {
    size_t rows;         // elements down one slice
    size_t cols;         // elements across
    size_t elements;     // of one entry: t * rows * cols
    size_t buffers;      // of the grid
    size_t buffer_rows;  // tile rows that one buffer owns in a slice
    size_t buffer_cols;  // tile columns
    size_t buffer_tiles; // tiles of one entry in one buffer
} hoist_tiling_size;

// A tile by place: which slice, and the tile row and column over the whole grid.
typedef struct hoist_tile_at {
    size_t z;
    size_t row;
    size_t col;
} hoist_tile_at;

// A tile by storage: which buffer (row-major over the grid) and which tile of it.
typedef struct hoist_tile_slot {
    size_t buffer;
    size_t tile;
} hoist_tile_slot;

// Checks `tiling` and computes its sizes. HOIST_INVALID: a count is 0 or the tile dimensions do
// not exist; HOIST_LIMIT: more than 2^40 elements, or more than memory can index.
HOIST_NODISCARD hoist_status hoist_tiling_measure(const hoist_tiling *tiling,
                                                  hoist_tiling_size *out_size);

// The two directions of the map. `slot` and `at` must be inside the (accepted) tiling.
hoist_tile_at hoist_tiling_place(const hoist_tiling *tiling, hoist_tile_slot slot);
hoist_tile_slot hoist_tiling_find(const hoist_tiling *tiling, hoist_tile_at at);

// Index in the tensor [t, rows, columns] of the first element of a tile; `size` is what
// hoist_tiling_measure gave for `tiling`.
size_t hoist_tiling_origin(const hoist_tiling *tiling, const hoist_tiling_size *size,
                           hoist_tile_slot slot);

#endif // HOIST_SRC_TENSOR_TILING_H
