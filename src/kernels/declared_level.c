// The rows of the profile declared (ops/compute_declared.h) but dropout: tiles rounded to a type
// and back, and golden matmul (tile_product.h) whose sums are. Compiled once per CPU level.
#include <string.h>

#include "base/assert.h"
#include "kernels/compute_table.h"
#include "kernels/declared.h"
#include "kernels/level.h"
#include "kernels/tile_product.h"
#include "ops/compute_declared.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_declared_group);

// A copy of each tile, rounded there; the tile may be its own input.
static void round_tiles(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_dtype dtype = call->attrs.value[HOIST_DECLARED_DTYPE].dtype;
    for (size_t n = begin; n < end; n++) {
        float *out = hoist_tile_out(&call->output, n);
        memmove(out, hoist_tile_in(&call->inputs[0], n), HOIST_TILE_FLOATS * sizeof *out);
        hoist_declared_round(dtype, out);
    }
}

// Tile n of the output: sums of `block` tiles, rounded.
static void multiply(const hoist_compute_call *call, size_t n)
{
    const hoist_compute_value *attrs = call->attrs.value;
    const uint64_t block = (uint64_t)attrs[HOIST_DECLARED_BLOCK].integer;
    const hoist_tile_shape *out = &call->output.shape;
    const uint64_t inner = call->inputs[0].shape.cols;
    const uint64_t z = n / out->cols / out->rows;
    float *sum = hoist_tile_out(&call->output, n);
    memset(sum, 0, HOIST_TILE_FLOATS * sizeof *sum);
    for (uint64_t k = 0; k < inner; k++) {
        // The sum leaves the accumulator for memory, and comes back: both round it.
        if (k > 0 && k % block == 0) {
            hoist_declared_round(attrs[HOIST_DECLARED_ACC].dtype, sum);
            hoist_declared_round(attrs[HOIST_DECLARED_SPILL].dtype, sum);
        }
        const float *right =
            hoist_tile_in(&call->inputs[1], (z * inner + k) * out->cols + n % out->cols);
        const hoist_tile_ahead next = {.tile = right, .parts = 1};
        hoist_tile_add_lanes(hoist_tile_in(&call->inputs[0], n / out->cols * inner + k), right, sum,
                             &next);
    }
    hoist_declared_round(attrs[HOIST_DECLARED_ACC].dtype, sum);
}

static void matmul(const hoist_compute_call *call, size_t begin, size_t end)
{
    HOIST_ASSERT(call->attrs.value[HOIST_DECLARED_BLOCK].integer > 0);
    for (size_t n = begin; n < end; n++) {
        multiply(call, n);
    }
}

enum { FIRST = HOIST_DECLARED_MATMUL };

static const hoist_compute_row group_rows[] = {
    [HOIST_DECLARED_MATMUL - FIRST] = {.fill = matmul},
    [HOIST_DECLARED_ROUND - FIRST] = {.fill = round_tiles},
};
const hoist_compute_group HOIST_LEVEL_NAME(hoist_declared_group) = {
    FIRST, HOIST_COUNT_OF(group_rows), group_rows};
