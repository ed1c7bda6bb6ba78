// kernels/sparse_walk.h - the encoding of a sparse matmul (buda-ops reference section 5.1.2),
// walked for one unit of work: a column of tiles of the output of one row of cores.
//
// The encoding of a core is a stream of 16-bit words in its encoding tiles, one tile behind the
// other. It is data: every word is read inside the stream, every tile that it names is checked.
//
//   strip: index bits 0..15 | bits 16..29, bit 14: last of this output slice, bit 15: last in this
//          tile | number of ublocks | ublocks
//   ublock: count << idx_bits | row of ublocks; `count` tiles (0 stands for 1 << (16 - idx_bits))
//   tile: sparse tile << (16 - ptr_bits) | row in the ublock << depth bits | depth
//
// Rows of ublocks, and tiles in a ublock, count only while they ascend: what follows one that does
// not is never reached, because the reference walks the block and compares. A device takes tiles
// in any order.
#ifndef HOIST_SRC_KERNELS_SPARSE_WALK_H
#define HOIST_SRC_KERNELS_SPARSE_WALK_H

#include "kernels/compute.h"

// Tiles of an input that belong to one core.
typedef struct hoist_sparse_part {
    const hoist_tiles *tiles;
    uint64_t row; // its first tile
    uint64_t col;
    uint64_t rows; // its size
    uint64_t cols;
} hoist_sparse_part;

typedef struct hoist_sparse_strip {
    uint64_t index;      // row of ublocks of the activations
    bool first_of_slice; // the one before, if any, was of another output slice
    bool last_of_slice;  // the next strip is of the next output slice
    bool last_in_tile;   // the next strip begins with the next encoding tile
    uint64_t ublocks;
} hoist_sparse_strip;

typedef struct hoist_sparse_visitor hoist_sparse_visitor;

typedef struct hoist_sparse_walk {
    const hoist_compute_call *call;
    const hoist_sparse_visitor *visitor;
    void *user;
    hoist_sparse_part sparse;
    hoist_sparse_part encoding;
    uint64_t at;       // next word of the encoding
    uint64_t row;      // first tile row of the output
    uint64_t col;      // tile column of the output
    uint64_t slice;    // output slice
    const char *fault; // static; NULL: all is well
} hoist_sparse_walk;

// What a walk calls; NULL: nothing is done then.
struct hoist_sparse_visitor {
    size_t attrs;   // where the row has the attribute HOIST_SPARSE_GRID_ROWS
    bool is_strict; // what does not ascend is a fault
    void (*begin_strip)(hoist_sparse_walk *walk, const hoist_sparse_strip *strip);
    // A ublock that has tiles: `row` is the first of its tile rows within the unit's.
    void (*begin_ublock)(hoist_sparse_walk *walk, const hoist_sparse_strip *strip, uint64_t row);
    void (*end_ublock)(hoist_sparse_walk *walk, const hoist_sparse_strip *strip, uint64_t row);
    // out[slice, row, col] += sparse x activation
    void (*product)(hoist_sparse_walk *walk, uint64_t row, const float *sparse,
                    const float *activation);
};

// Units of a call.
size_t hoist_sparse_units(const hoist_compute_call *call, const hoist_sparse_visitor *visitor);

// Walks `unit`, whose tiles begin with 0 in all slices. HOIST_INVALID: the encoding leads outside,
// `*out_fault` has the place.
HOIST_NODISCARD hoist_status hoist_sparse_walk_unit(const hoist_compute_call *call, size_t unit,
                                                    const hoist_sparse_visitor *visitor, void *user,
                                                    hoist_compute_fault *out_fault);

// Tile `row` of the unit's in the slice at hand.
float *hoist_sparse_output(const hoist_sparse_walk *walk, uint64_t row);

// An attribute HOIST_SPARSE_*.
uint64_t hoist_sparse_attr(const hoist_sparse_walk *walk, size_t index);

#endif // HOIST_SRC_KERNELS_SPARSE_WALK_H
