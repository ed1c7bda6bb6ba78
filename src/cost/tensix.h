// cost/tensix.h - cycles of one op of a netlist on the cores of a Tenstorrent chip: the vendor's
// public model, which it fitted to measurements on silicon, and the range in which nine of ten of
// these lie. Where the vendor's kernels do less than its model says, they count (README.md).
//
// All cores of an op's grid do the same amount of work at the same time, so that one core's cycles
// are the op's.
#ifndef HOIST_SRC_COST_TENSIX_H
#define HOIST_SRC_COST_TENSIX_H

#include "hoist/base.h"

// Properties of an op that have weights of their own.
typedef enum hoist_tensix_trait {
    HOIST_TENSIX_BFP = 1, // block floats
    HOIST_TENSIX_INT8 = 2,
    HOIST_TENSIX_INT32 = 4,
    HOIST_TENSIX_APPROXIMATE = 8, // approximate_mode
    HOIST_TENSIX_ROWS = 16,       // vector: r
    HOIST_TENSIX_COLUMNS = 32,    // vector: c
    HOIST_TENSIX_L1 = 64,         // l1_acc
    HOIST_TENSIX_DIM_C = 128,     // dim: c
    HOIST_TENSIX_FLOAT16 = 256,
    HOIST_TENSIX_FLOAT32 = 512,
} hoist_tensix_trait;

// Extents are of one core, in the words of netlists.
typedef struct hoist_tensix_op {
    hoist_str type; // as netlists have it: "matmul"
    unsigned
        traits; // set of hoist_tensix_trait; one of them names the format, of the output as a rule
    uint32_t phases; // 1 to 4: LoFi, HiFi2, HiFi3, HiFi4
    uint64_t t;
    uint64_t mblock_m;
    uint64_t mblock_n;
    uint64_t ublock_rt;
    uint64_t ublock_ct;
    uint64_t mblock_k;  // products only
    uint64_t ublock_kt; // the same
    uint64_t z;         // of `reduce` along z: how many tiles it sums; else 0
    bool is_sparse;     // a product with a sparse matrix, of which the next three are
    uint64_t nz_tiles;
    uint64_t nz_ublocks; // 0: not known
    uint64_t nz_strips;  // 0: not known
} hoist_tensix_op;

// Weights of one kind of op, in cycles, and how far measurements are from the formula.
typedef struct hoist_tensix_row {
    const char *type;
    unsigned traits; // that an op must have
    double low;      // measured over estimated cycles: nine of ten public measurements lie between
    double high;     // these two; 0: there are none
    uint32_t measured; // how many there are
} hoist_tensix_row;

typedef struct hoist_tensix_cycles {
    double cycles; // for one input
    double low;    // at best and at worst, by measurements; where there are none, as the vendor
    double high;   // says of most ops: estimates are 0.8 to 1.1 times what is measured
    const hoist_tensix_row *row; // that they come from
} hoist_tensix_cycles;

// False where the vendor has no weights for the op, or the device is none of "grayskull",
// "wormhole", "wormhole_b0" and "blackhole"; extents that are 0 count as 1.
bool hoist_tensix_estimate(hoist_str device, const hoist_tensix_op *op,
                           hoist_tensix_cycles *out_cycles);

// Row `index` for tests and tables; NULL beyond the last.
const hoist_tensix_row *hoist_tensix_row_at(size_t index);

extern const char hoist_tensix_source[]; // of weights and measurements

#endif // HOIST_SRC_COST_TENSIX_H
