// kernels/compute_table.h - what a source of compute kernels provides: rows of work and run
// functions, one row per op. Sources that are compiled per CPU level name their rows with
// HOIST_LEVEL_NAME(); compute_level.c lists the rows of a level.
#ifndef HOIST_SRC_KERNELS_COMPUTE_TABLE_H
#define HOIST_SRC_KERNELS_COMPUTE_TABLE_H

#include "base/span.h"
#include "kernels/compute.h"

// Units of work of a call.
typedef size_t hoist_compute_work_fn(const hoist_compute_call *call);

// Does units [begin, end), and cannot fail.
typedef void hoist_compute_fill_fn(const hoist_compute_call *call, size_t begin, size_t end);

// The same, as hoist_compute_run(). `out_fault` comes zeroed.
typedef hoist_status hoist_compute_run_fn(const hoist_compute_call *call, size_t begin, size_t end,
                                          hoist_compute_fault *out_fault);

// As hoist_compute_prepared_size() and hoist_compute_prepare().
typedef size_t hoist_compute_prepared_size_fn(const hoist_compute_call *call);
typedef bool hoist_compute_prepare_fn(const hoist_compute_call *call, uint8_t *prepared);

// As hoist_compute_scratch_size(). Rows that name it run with any `call->scratch`, or none.
typedef size_t hoist_compute_scratch_size_fn(const hoist_compute_call *call);

// As hoist_compute_form_of().
typedef bool hoist_compute_form_fn(const hoist_compute_call *call, const int64_t *step,
                                   hoist_compute_form *out_form);

typedef struct hoist_compute_row {
    hoist_compute_work_fn *work;                   // NULL: one unit per tile of the output
    hoist_compute_fill_fn *fill;                   // NULL: `run`
    hoist_compute_run_fn *run;                     // both NULL: the op is in other rows
    hoist_compute_prepared_size_fn *prepared_size; // NULL: nothing is prepared
    hoist_compute_prepare_fn *prepare;
    hoist_compute_scratch_size_fn *scratch_size; // NULL: the stack will do
    hoist_compute_form_fn *form;                 // NULL: no lines
} hoist_compute_row;

// The rows of a source: of ops [first, first + count), those of other sources empty. No row is
// there for all ops: a page that has one address in it is written to at every start of the program.
typedef struct hoist_compute_group {
    size_t first; // hoist_compute_op
    size_t count;
    const hoist_compute_row *rows;
} hoist_compute_group;

#define HOIST_COMPUTE_GROUPS 32

struct hoist_compute_kernels {
    hoist_cpu_level level;
    const char *fast;                                        // hoist_compute_fast()
    const hoist_compute_group *groups[HOIST_COMPUTE_GROUPS]; // NULL after the last
};

extern const hoist_compute_kernels hoist_compute_kernels_baseline;
extern const hoist_compute_kernels hoist_compute_kernels_v3;
extern const hoist_compute_kernels hoist_compute_kernels_v4;
extern const hoist_compute_kernels hoist_compute_kernels_vnni;
extern const hoist_compute_kernels hoist_compute_kernels_bf16;

// 1,024 zeros, aligned to 64: what HOIST_TILE_ZERO reads as.
extern const float hoist_tile_zeros[HOIST_TILE_FLOATS];

// Tile `n` of an input.
static inline const float *hoist_tile_in(const hoist_tiles *tiles, uint64_t n)
{
    const uint64_t at = tiles->tiles ? tiles->tiles[n] : n;
    return at == HOIST_TILE_ZERO ? hoist_tile_zeros : tiles->base + at * HOIST_TILE_FLOATS;
}

// Tile `n` of an output.
static inline float *hoist_tile_out(const hoist_tiles *tiles, uint64_t n)
{
    const uint64_t at = tiles->tiles ? tiles->tiles[n] : n;
    return tiles->base + at * HOIST_TILE_FLOATS;
}

// The rows and columns of a tile that a golden unary op processes (attribute `vector`).
typedef struct hoist_tile_extent {
    size_t rows;
    size_t cols;
} hoist_tile_extent;

static inline hoist_tile_extent hoist_tile_extent_of(const hoist_compute_call *call)
{
    const int64_t part = call->attrs.value[HOIST_UNARY_VECTOR].integer;
    return (hoist_tile_extent){part == HOIST_TILE_ROWS ? 4 : HOIST_TILE_DIM,
                               part == HOIST_TILE_COLUMNS ? 16 : HOIST_TILE_DIM};
}

// Zeroes what lies outside `extent`.
void hoist_tile_zero_rest(float *tile, hoist_tile_extent extent);

// The fault `what` at element `i` of tile `n` of `shape`.
hoist_compute_fault hoist_compute_fault_at(const char *what, const hoist_tile_shape *shape,
                                           uint64_t n, size_t i, float value);

#endif // HOIST_SRC_KERNELS_COMPUTE_TABLE_H
