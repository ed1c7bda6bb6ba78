// formats/buda/stimulus.h - what a netlist's test-config gives the inputs of a test, and how close
// it takes results to be. Facts: buda-netlist reference section 3; the sparse encodings are those
// of section 3.3's generator and buda-ops reference section 4 (sparse matmul).
//
// The vendor's random numbers are those of a C++ library, so that they cannot be had without it:
// here they are SplitMix64's, by seed, queue and entry. A normal distribution is the sum of twelve
// uniform ones, which has the same bits on all machines and ends at six deviations.
#ifndef HOIST_SRC_FORMATS_BUDA_STIMULUS_H
#define HOIST_SRC_FORMATS_BUDA_STIMULUS_H

#include "formats/buda/module.h"

// By the words of test_sections.c.
typedef enum buda_stimulus_kind {
    BUDA_STIMULUS_UNIFORM = 0,
    BUDA_STIMULUS_NORMAL,
    BUDA_STIMULUS_CONSTANT,
    BUDA_STIMULUS_TILE_ID,
    BUDA_STIMULUS_SPARSE,
    BUDA_STIMULUS_ENCODING,
    BUDA_STIMULUS_ENCODING_COUNTS,
    BUDA_STIMULUS_STEP,
    BUDA_STIMULUS_STEP_ROWWISE,
    BUDA_STIMULUS_STEP_COLUMNWISE,
} buda_stimulus_kind;

// One config, with the defaults of test programs; NaN: none, and the file gives none.
typedef struct buda_stimulus {
    buda_stimulus_kind kind;
    hoist_pos pos; // line 0: the file has no stimulus-config
    double low, high;
    double mean, deviation;
    double constant;
    double id_base, id_step;
    double start, increment;
    double zero_strips, zero_ublocks, zero_tiles; // shares
    double nz_strips, nz_ublocks, nz_tiles;       // counts; -1: none is given
    double tile_bytes;                            // of a tile of an encoding
    hoist_str matmul;
    int64_t rows[2], cols[2]; // first and last of a tile that are set, from 0
} buda_stimulus;

// Random numbers, each from the one before.
typedef struct buda_random {
    uint64_t state;
} buda_random;
double buda_random_share(buda_random *random);                           // [0, 1)
int64_t buda_random_int(buda_random *random, int64_t low, int64_t high); // both included

// The entry of `section` ("stimulus-config") for the queue `name`: the override of that name, else
// the first whose name, as a regular expression, matches all of it, else the section itself; NULL:
// there is none. Of expressions `.`, a character after a backslash, `*` and `+` mean something;
// names with other signs of expressions match themselves only.
const hoist_yaml_node *buda_test_config_of(const hoist_buda_module *module, const char *section,
                                           hoist_str name);

// The stimulus of a queue; without a stimulus-config numbers from 0.001 to 1, as test programs of
// ops take them. HOIST_INVALID with a finding: it is wrong, or lacks what its type needs.
HOIST_NODISCARD hoist_status buda_stimulus_read(const hoist_buda_module *module, hoist_str queue,
                                                hoist_diag *diag, buda_stimulus *out_stimulus);

// Tiles of 32x32 elements, row by row. `values` are borrowed.
typedef struct buda_sparse_tiles {
    size_t count;
    double *values;
} buda_sparse_tiles;

// Makes those of the input 0 or 2 of a sparse matmul. Statuses as of buda_test_input().
HOIST_NODISCARD hoist_status buda_stimulus_sparse(const hoist_buda_module *module,
                                                  const buda_stimulus *stimulus,
                                                  buda_random *random, hoist_allocator alloc,
                                                  hoist_diag *diag, buda_sparse_tiles tiles);

// Makes a stimulus of another type that of sparse tiles or an encoding where the queue is input 0
// or 2 of a sparse matmul, whose elements have `bits` bits: no other numbers mean anything to the
// op. False: it is no such queue.
bool buda_stimulus_of_matmul(const hoist_buda_module *module, hoist_str queue, uint32_t bits,
                             buda_stimulus *stimulus);

// As hoist_format.test_input and hoist_format.test_limits.
HOIST_NODISCARD hoist_status buda_test_input(const hoist_module *module,
                                             const hoist_test_input *input, hoist_allocator alloc,
                                             hoist_diag *diag, double *out_values);
HOIST_NODISCARD hoist_status buda_test_limits(const hoist_module *module, hoist_str port,
                                              hoist_diag *diag, hoist_test_limits *out_limits);

#endif // HOIST_SRC_FORMATS_BUDA_STIMULUS_H
