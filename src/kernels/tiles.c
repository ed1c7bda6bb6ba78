// What the kernels on tiles share (compute_table.h): zeros in the rest of a tile that is not full,
// and faults with the place of an element.
#include <string.h>

#include "base/assert.h"
#include "kernels/compute_table.h"

_Alignas(64) const float hoist_tile_zeros[HOIST_TILE_FLOATS] = {0};

void hoist_tile_zero_rest(float *tile, hoist_tile_extent extent)
{
    HOIST_ASSERT(extent.rows <= HOIST_TILE_DIM && extent.cols <= HOIST_TILE_DIM);
    if (extent.rows == HOIST_TILE_DIM && extent.cols == HOIST_TILE_DIM) {
        return;
    }
    for (size_t row = 0; row < HOIST_TILE_DIM; row++) {
        const size_t kept = row < extent.rows ? extent.cols : 0;
        memset(tile + row * HOIST_TILE_DIM + kept, 0, (HOIST_TILE_DIM - kept) * sizeof *tile);
    }
}

hoist_compute_fault hoist_compute_fault_at(const char *what, const hoist_tile_shape *shape,
                                           uint64_t n, size_t i, float value)
{
    HOIST_ASSERT(shape->cols > 0 && shape->rows > 0 && i < HOIST_TILE_FLOATS);
    const uint64_t row = n / shape->cols;
    return (hoist_compute_fault){
        .what = what,
        .z = row / shape->rows,
        .row = row % shape->rows * HOIST_TILE_DIM + i / HOIST_TILE_DIM,
        .col = n % shape->cols * HOIST_TILE_DIM + i % HOIST_TILE_DIM,
        .value = value,
    };
}
