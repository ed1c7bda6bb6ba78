// kernels/move_table.h - the move kernels of one CPU level. move_level.c (conversions and folds)
// and move_tile_level.c (copies) are compiled once per level and define one of the tables below.
#ifndef HOIST_SRC_KERNELS_MOVE_TABLE_H
#define HOIST_SRC_KERNELS_MOVE_TABLE_H

#include "kernels/move.h"

// Planes x rows x columns of elements that are evenly spaced on both sides; strides in bytes.
// Source and destination share no byte.
typedef struct hoist_move_tile {
    const uint8_t *source;
    uint8_t *destination;
    int64_t source_plane; // from a plane to the next
    int64_t source_row;
    int64_t source_col;
    int64_t destination_plane;
    int64_t destination_row;
    int64_t destination_col;
    size_t planes;
    size_t rows;
    size_t cols; // elements, or blocks, of a row
} hoist_move_tile;

// Elements as stored to float32 values of the host, or back; they are side by side in their rows
// on both sides. Neither needs alignment; both may be one place where the sizes of the elements are
// equal. `streams`: past the caches, where the level can; others may see it only behind a fence.
typedef void hoist_move_convert_fn(const hoist_move_tile *rows, bool streams);

typedef void hoist_move_tile_fn(const hoist_move_tile *tile);

// The same for blocks of any size. `stream`: past the caches, where the level can.
typedef void hoist_move_blocks_fn(const hoist_move_tile *tile, size_t block);

// `sum` and the next operand, times its scale (FMA), lane by lane.
typedef void hoist_move_fold_fn(float *sum, const float *next, float scale, size_t count);
typedef void hoist_move_fold_integers_fn(uint32_t *sum, const uint32_t *next, size_t count);

enum {
    HOIST_MOVE_ELEMENT_SIZES = 5, // 1, 2, 4, 8 and 16 bytes
    HOIST_MOVE_STAGED = 4096,     // elements of a tile that is transposed before it is converted
    HOIST_MOVE_STAGE = 16384,     // bytes of a tile of small blocks that goes past the caches
};

struct hoist_move_kernels {
    hoist_move_convert_fn *to_f32[HOIST_DTYPE_COUNT];   // NULL: one by one
    hoist_move_convert_fn *from_f32[HOIST_DTYPE_COUNT]; // NULL: one by one
    size_t whole;                                       // rows of a multiple of it convert fast
    hoist_move_fold_fn *fold[HOIST_KERNEL_MOVE_COUNT];  // FMA, ADD, MIN, MAX
    hoist_move_fold_fn *scale;                          // sum = next * scale
    hoist_move_fold_integers_fn *fold_i32[2];           // MIN, MAX
    hoist_move_fold_integers_fn *fold_u32[2];
    void (*settle)(float *sum, size_t count); // every NaN becomes the positive one without payload
    hoist_move_tile_fn *const *tile;          // by the binary logarithm of the element's size
    hoist_move_blocks_fn *blocks;
    hoist_move_blocks_fn *stream;
    void (*fence)(void);
};

// What makes elements of view 1 those of the destination in one go, or NULL; at every level or at
// none. Float32 in memory need not become values first.
hoist_move_convert_fn *hoist_move_conversion(const hoist_move_kernels *kernels,
                                             const hoist_move_plan *plan);

extern const hoist_move_kernels hoist_move_kernels_baseline;
extern const hoist_move_kernels hoist_move_kernels_v3;
extern const hoist_move_kernels hoist_move_kernels_v4;

#endif // HOIST_SRC_KERNELS_MOVE_TABLE_H
