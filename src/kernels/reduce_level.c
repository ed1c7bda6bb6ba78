// Golden reduce and sum_z (buda-ops reference section 5.4).
//
// A maximum of running value `acc` and the next value v is acc < v ? v : acc: NaN is passed over,
// and of zeros the first stays, whatever its sign. So the order of the elements counts. Vectors
// hold columns; a maximum over columns takes rows one by one.
#include <math.h>
#include <string.h>

#include "kernels/compute_table.h"
#include "kernels/lanes.h"
#include "kernels/level.h"

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_reduce_group);

// Rows whose maxima run side by side.
#define ROWS 8

// acc < v ? v : acc
static hoist_f32s larger(hoist_f32s acc, hoist_f32s v)
{
    return hoist_lanes_choose_f32(acc < v, v, acc);
}

// Only a column, a row or one element has results: the rest of the tile is 0.
static void clear(float *tile)
{
    memset(tile, 0, HOIST_TILE_FLOATS * sizeof *tile);
}

// Less than anything, so that the first number is taken.
static void start(float acc[HOIST_TILE_DIM])
{
    for (size_t i = 0; i < HOIST_TILE_DIM; i++) {
        acc[i] = -INFINITY;
    }
}

// acc[row] becomes the maximum with the row's elements, left to right.
static void scan_columns(const float *tile, float acc[HOIST_TILE_DIM])
{
    for (size_t row = 0; row < HOIST_TILE_DIM; row += ROWS) {
        // Eight maxima do not wait for each other, while each takes its elements in order.
        float m[ROWS];
        memcpy(m, acc + row, sizeof m);
        const float *block = tile + row * HOIST_TILE_DIM;
        for (size_t col = 0; col < HOIST_TILE_DIM; col++) {
            for (size_t i = 0; i < ROWS; i++) {
                const float v = block[i * HOIST_TILE_DIM + col];
                m[i] = m[i] < v ? v : m[i];
            }
        }
        memcpy(acc + row, m, sizeof m);
    }
}

// acc[col] becomes the maximum with the column's elements, downwards.
static void scan_rows(const float *tile, float acc[HOIST_TILE_DIM])
{
    for (size_t col = 0; col < HOIST_TILE_DIM; col += HOIST_LANES) {
        hoist_f32s m = hoist_lanes_load_f32(acc, col);
        for (size_t i = col; i < HOIST_TILE_FLOATS; i += HOIST_TILE_DIM) {
            m = larger(m, hoist_lanes_load_f32(tile, i));
        }
        hoist_lanes_store_f32(acc, col, m);
    }
}

// The maximum of the tile, row by row, and of `acc` before it.
static float scan_tile(const float *tile, float acc)
{
    float rows[HOIST_TILE_DIM];
    start(rows);
    scan_columns(tile, rows);
    float m = -INFINITY;
    for (size_t i = 0; i < HOIST_TILE_DIM; i++) {
        m = m < rows[i] ? rows[i] : m;
    }
    return acc < m ? m : acc;
}

// The maxima of all rows of a row of tiles, into the first column.
static void reduce_columns(const hoist_tiles *in, uint64_t n, float *out)
{
    float acc[HOIST_TILE_DIM];
    start(acc);
    for (uint64_t col = 0; col < in->shape.cols; col++) {
        scan_columns(hoist_tile_in(in, n * in->shape.cols + col), acc);
    }
    clear(out);
    for (size_t i = 0; i < HOIST_TILE_DIM; i++) {
        out[i * HOIST_TILE_DIM] = acc[i];
    }
}

// Those of all columns of a column of tiles, into the first row.
static void reduce_rows(const hoist_tiles *in, uint64_t n, float *out)
{
    const uint64_t z = n / in->shape.cols;
    const uint64_t col = n % in->shape.cols;
    float acc[HOIST_TILE_DIM];
    start(acc);
    for (uint64_t row = 0; row < in->shape.rows; row++) {
        scan_rows(hoist_tile_in(in, (z * in->shape.rows + row) * in->shape.cols + col), acc);
    }
    clear(out);
    memcpy(out, acc, sizeof acc);
}

// The maximum of a slice, tile by tile, into the first element.
static void reduce_both(const hoist_tiles *in, uint64_t z, float *out)
{
    const uint64_t slice = in->shape.rows * in->shape.cols;
    float acc = -INFINITY;
    for (uint64_t i = 0; i < slice; i++) {
        acc = scan_tile(hoist_tile_in(in, z * slice + i), acc);
    }
    clear(out);
    out[0] = acc;
}

// Output tile `n` of a call that combines groups of `group` slices: the first slice's tile, and the
// distance to the same tile of the next slice.
static uint64_t first_of_group(const hoist_tiles *in, uint64_t n, uint64_t group,
                               uint64_t *out_step)
{
    *out_step = in->shape.rows * in->shape.cols;
    return n / *out_step * group * *out_step + n % *out_step;
}

// Here the slice comes first and the running value second: of zeros the last stays, and NaN wins
// over what came before it.
static void reduce_slices(const hoist_tiles *in, uint64_t n, uint64_t group, float *out)
{
    uint64_t step = 0;
    const uint64_t first = first_of_group(in, n, group, &step);
    memcpy(out, hoist_tile_in(in, first), HOIST_TILE_FLOATS * sizeof *out);
    for (uint64_t k = 1; k < group; k++) {
        const float *slice = hoist_tile_in(in, first + k * step);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_LANES) {
            hoist_lanes_store_f32(
                out, i, larger(hoist_lanes_load_f32(slice, i), hoist_lanes_load_f32(out, i)));
        }
    }
}

// Tiles of the output by the dimension that goes.
static void reduce(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_tiles *in = &call->inputs[0];
    for (size_t n = begin; n < end; n++) {
        float *out = hoist_tile_out(&call->output, n);
        switch ((hoist_tile_axis)call->attrs.value[HOIST_REDUCE_DIM].integer) {
        case HOIST_AXIS_ROW:
            reduce_rows(in, n, out);
            break;
        case HOIST_AXIS_COLUMN:
            reduce_columns(in, n, out);
            break;
        case HOIST_AXIS_BOTH:
            reduce_both(in, n, out);
            break;
        case HOIST_AXIS_Z:
            reduce_slices(in, n, (uint64_t)call->attrs.value[HOIST_REDUCE_GROUP].integer, out);
            break;
        }
    }
}

// Sums of slices in their order, element by element.
static void sum_z(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_tiles *in = &call->inputs[0];
    const uint64_t group = (uint64_t)call->attrs.value[HOIST_SUM_Z_GROUP].integer;
    for (size_t n = begin; n < end; n++) {
        uint64_t step = 0;
        const uint64_t first = first_of_group(in, n, group, &step);
        float *out = hoist_tile_out(&call->output, n);
        memcpy(out, hoist_tile_in(in, first), HOIST_TILE_FLOATS * sizeof *out);
        for (uint64_t k = 1; k < group; k++) {
            const float *slice = hoist_tile_in(in, first + k * step);
            for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_LANES) {
                hoist_lanes_store_f32(
                    out, i, hoist_lanes_load_f32(out, i) + hoist_lanes_load_f32(slice, i));
            }
        }
    }
}

enum { FIRST = HOIST_GOLDEN_SUM_Z };

static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_SUM_Z - FIRST] = {.fill = sum_z},
    [HOIST_GOLDEN_REDUCE - FIRST] = {.fill = reduce},
};
const hoist_compute_group HOIST_LEVEL_NAME(hoist_reduce_group) = {FIRST, HOIST_COUNT_OF(group_rows),
                                                                  group_rows};
