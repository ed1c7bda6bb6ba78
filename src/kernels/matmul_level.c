// Golden matmul and depthwise: products of 32x32 tiles (tile_product.h) in the reference's order of
// sums, which decides the bits. Compiled once per CPU level.
#include <string.h>

#include "base/assert.h"
#include "kernels/compute_table.h"
#include "kernels/level.h"
#include "kernels/tile_product.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_matmul_group);

// Tile rows of the output that a unit does at most: each tile of input 1 is loaded once for all of
// them, and they stay in the first cache with it.
#define STRIP 4

// An output that has fewer units is done row by row, so that several workers get some. A sum of
// rows by a column of ones is one strip.
#define FEW_UNITS 16

static uint64_t strip_rows(const hoist_tile_shape *out)
{
    return out->z * ((out->rows + STRIP - 1) / STRIP) * out->cols < FEW_UNITS ? 1 : STRIP;
}

static size_t matmul_work(const hoist_compute_call *call)
{
    const hoist_tile_shape *out = &call->output.shape;
    const uint64_t height = strip_rows(out);
    return (size_t)(out->z * ((out->rows + height - 1) / height) * out->cols);
}

// Output tiles [row, row + count) of column `col` in slice `z`.
static void multiply_strip(const hoist_compute_call *call, uint64_t z, uint64_t row, uint64_t col,
                           size_t count)
{
    const hoist_tiles *a = &call->inputs[0];
    const hoist_tiles *b = &call->inputs[1];
    const hoist_tile_shape *out = &call->output.shape;
    const uint64_t inner = a->shape.cols;
    float *c[STRIP];
    HOIST_ASSERT(count > 0 && count <= STRIP);
    for (size_t r = 0; r < count; r++) {
        c[r] = hoist_tile_out(&call->output, (z * out->rows + row + r) * out->cols + col);
        memset(c[r], 0, HOIST_TILE_FLOATS * sizeof *c[r]);
    }
    // The tile of input 2 that comes next is asked for, since it is pages away: the one below, and
    // at last the top of the next column. Tiles of input 1 are in the second cache; asking for them
    // took as long as it saved.
    const uint64_t top = z * inner * out->cols + col;
    const uint64_t after = col + 1 < out->cols ? top + 1 : top;
    for (uint64_t k = 0; k < inner; k++) {
        const uint64_t right = top + k * out->cols;
        const uint64_t ahead = k + 1 < inner ? right + out->cols : after;
        hoist_tile_ahead next = {.tile = hoist_tile_in(b, ahead), .parts = count};
        for (; next.part < count; next.part++) {
            const uint64_t left = (z * out->rows + row + next.part) * inner + k;
            hoist_tile_add_lanes(hoist_tile_in(a, left), hoist_tile_in(b, right), c[next.part],
                                 &next);
        }
    }
}

// C[z] = A[z] x B[z]; k tiles ascending.
static void matmul(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_tile_shape *out = &call->output.shape;
    const uint64_t height = strip_rows(out);
    const uint64_t strips = (out->rows + height - 1) / height;
    for (size_t unit = begin; unit < end; unit++) {
        const uint64_t strip = unit / out->cols;
        const uint64_t row = strip % strips * height;
        const uint64_t left = out->rows - row;
        multiply_strip(call, strip / strips, row, unit % out->cols,
                       (size_t)(left < height ? left : height));
    }
}

// C[z][:, c] = sum over b of A[z][:, c + b * cols] x B[z][b, c], b ascending (section 5.9).
static void depthwise(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_tile_shape *out = &call->output.shape;
    const uint64_t blocks = call->inputs[1].shape.rows;
    for (size_t n = begin; n < end; n++) {
        const uint64_t z = n / out->cols / out->rows;
        const uint64_t col = n % out->cols;
        float *c = hoist_tile_out(&call->output, n);
        memset(c, 0, HOIST_TILE_FLOATS * sizeof *c);
        for (uint64_t b = 0; b < blocks; b++) {
            const uint64_t left = (n / out->cols * blocks + b) * out->cols + col;
            hoist_tile_add_chain(
                hoist_tile_in(&call->inputs[0], left),
                hoist_tile_in(&call->inputs[1], (z * blocks + b) * out->cols + col), c);
        }
    }
}

enum { FIRST = HOIST_GOLDEN_MATMUL };

static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_MATMUL - FIRST] = {.work = matmul_work, .fill = matmul},
    [HOIST_GOLDEN_DEPTHWISE - FIRST] = {.fill = depthwise},
};
const hoist_compute_group HOIST_LEVEL_NAME(hoist_matmul_group) = {FIRST, HOIST_COUNT_OF(group_rows),
                                                                  group_rows};
