// Golden embedding (buda-ops reference section 5.7): rows of a table chosen by a list of indices,
// one output tile after the other.
#include <string.h>

#include "kernels/compute_table.h"

extern const hoist_compute_group hoist_embedding_group;

#define ROW_SIZE (HOIST_TILE_DIM * sizeof(float))
#define NO_ROW UINT32_C(0xffffffff)

// Index `i` of row `grid_row` of cores. Their indices are the 1,024 words of each of their tiles,
// one tile behind the other.
static uint32_t index_at(const hoist_compute_call *call, uint64_t grid_row, uint64_t i)
{
    const hoist_tiles *indices = &call->inputs[1];
    const hoist_tile_shape *shape = &indices->shape;
    // Rows of tiles that a row of cores has.
    const uint64_t rows =
        shape->rows / (uint64_t)call->attrs.value[HOIST_EMBEDDING_GRID_ROWS].integer;
    const uint64_t tile = i / HOIST_TILE_FLOATS;
    const uint64_t z = tile / shape->cols / rows;
    const uint64_t row = z * shape->rows + grid_row * rows + tile / shape->cols % rows;
    // A number of 32 bits in the place of a float.
    uint32_t index = 0;
    memcpy(&index,
           hoist_tile_in(indices, row * shape->cols + tile % shape->cols) + i % HOIST_TILE_FLOATS,
           sizeof index);
    return index;
}

// 32 columns of row `index` of the table, whose slices follow one another; NULL: no such row.
static const float *table_row(const hoist_tiles *table, uint32_t index, uint64_t col)
{
    // Padding of the list of indices gives zeros.
    if (index == NO_ROW) {
        return hoist_tile_zeros;
    }
    const uint64_t row = index / HOIST_TILE_DIM;
    if (row >= table->shape.z * table->shape.rows) {
        return NULL;
    }
    return hoist_tile_in(table, row * table->shape.cols + col) +
           (size_t)(index % HOIST_TILE_DIM) * HOIST_TILE_DIM;
}

// Output tile `n`; every slice gets the same rows.
static hoist_status gather_tile(const hoist_compute_call *call, size_t n,
                                hoist_compute_fault *out_fault)
{
    const hoist_tile_shape *out = &call->output.shape;
    const uint64_t count = (uint64_t)call->attrs.value[HOIST_EMBEDDING_INDICES].integer;
    const uint64_t rows =
        out->rows / (uint64_t)call->attrs.value[HOIST_EMBEDDING_GRID_ROWS].integer;
    const uint64_t row = n / out->cols % out->rows;
    float *tile = hoist_tile_out(&call->output, n);
    for (size_t r = 0; r < HOIST_TILE_DIM; r++) {
        const uint64_t i = row % rows * HOIST_TILE_DIM + r;
        // Rows of a tile behind the last index are zeros, too.
        const uint32_t index = i < count ? index_at(call, row / rows, i) : NO_ROW;
        const float *from = table_row(&call->inputs[0], index, n % out->cols);
        if (!from) {
            *out_fault = hoist_compute_fault_at("embedding index past the end of the table", out, n,
                                                r * HOIST_TILE_DIM, (float)index);
            return HOIST_INVALID;
        }
        memcpy(tile + r * HOIST_TILE_DIM, from, ROW_SIZE);
    }
    return HOIST_OK;
}

static hoist_status embedding(const hoist_compute_call *call, size_t begin, size_t end,
                              hoist_compute_fault *out_fault)
{
    for (size_t n = begin; n < end; n++) {
        HOIST_TRY(gather_tile(call, n, out_fault));
    }
    return HOIST_OK;
}

enum { FIRST = HOIST_GOLDEN_EMBEDDING };

static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_EMBEDDING - FIRST] = {.run = embedding},
};
const hoist_compute_group hoist_embedding_group = {FIRST, HOIST_COUNT_OF(group_rows), group_rows};
