// Tiles by storage and by place: the number of a tile in the memory of a grid's buffers in, its
// row, column and batch out, and back (buda-netlist reference section 4.1).
#include "tensor/tiling.h"

#include "base/assert.h"
#include "base/checked.h"
#include "base/span.h"
#include "tensor/tile.h"

#define MAX_ELEMENTS ((uint64_t)1 << 40)

hoist_status hoist_tiling_measure(const hoist_tiling *tiling, hoist_tiling_size *out_size)
{
    *out_size = (hoist_tiling_size){0};
    const uint32_t factors[] = {tiling->grid_rows, tiling->mblock_m,    tiling->ublock_rt,
                                tiling->grid_cols, tiling->mblock_n,    tiling->ublock_ct,
                                tiling->t,         tiling->tile_height, tiling->tile_width};
    uint64_t elements = 1;
    bool too_many = false;
    // All of them are looked at, so that a 0 is found behind a product that is too large.
    for (size_t i = 0; i < HOIST_COUNT_OF(factors); i++) {
        if (factors[i] == 0) {
            return HOIST_INVALID;
        }
        too_many |= hoist_ckd_mul(&elements, elements, factors[i]) || elements > MAX_ELEMENTS;
    }
    if (!hoist_tile_dim_ok(tiling->tile_height, tiling->tile_width)) {
        return HOIST_INVALID;
    }
    // Elements are at most 4 bytes, tile headers less than as much again.
    if (too_many || elements > SIZE_MAX / 64) {
        return HOIST_LIMIT;
    }
    const size_t buffer_rows = (size_t)tiling->mblock_m * tiling->ublock_rt;
    const size_t buffer_cols = (size_t)tiling->mblock_n * tiling->ublock_ct;
    *out_size = (hoist_tiling_size){
        .rows = tiling->grid_rows * buffer_rows * tiling->tile_height,
        .cols = tiling->grid_cols * buffer_cols * tiling->tile_width,
        .elements = (size_t)elements,
        .buffers = (size_t)tiling->grid_rows * tiling->grid_cols,
        .buffer_rows = buffer_rows,
        .buffer_cols = buffer_cols,
        .buffer_tiles = tiling->t * buffer_rows * buffer_cols,
    };
    return HOIST_OK;
}

// Number of a micro block in its slice <-> its row and column.
static size_t ublock_number(const hoist_tiling *tiling, size_t row, size_t col)
{
    HOIST_ASSERT(row < tiling->mblock_m && col < tiling->mblock_n);
    return tiling->column_major ? col * tiling->mblock_m + row : row * tiling->mblock_n + col;
}

// The reverse of the above.
static void ublock_place(const hoist_tiling *tiling, size_t number, size_t *out_row,
                         size_t *out_col)
{
    HOIST_ASSERT(number < (size_t)tiling->mblock_m * tiling->mblock_n);
    const size_t m = tiling->mblock_m;
    const size_t n = tiling->mblock_n;
    *out_row = tiling->column_major ? number % m : number / n;
    *out_col = tiling->column_major ? number / m : number % n;
}

hoist_tile_at hoist_tiling_place(const hoist_tiling *tiling, hoist_tile_slot slot)
{
    HOIST_ASSERT(slot.buffer < (size_t)tiling->grid_rows * tiling->grid_cols);
    const size_t rt = tiling->ublock_rt;
    const size_t ct = tiling->ublock_ct;
    const size_t ublocks = (size_t)tiling->mblock_m * tiling->mblock_n;
    // From the inside out: a tile in its micro block, that in its slice, the slice in the buffer.
    const size_t in_ublock = slot.tile % (rt * ct);
    const size_t ublock = slot.tile / (rt * ct);
    size_t ublock_row = 0;
    size_t ublock_col = 0;
    ublock_place(tiling, ublock % ublocks, &ublock_row, &ublock_col);
    const size_t grid_row = slot.buffer / tiling->grid_cols;
    const size_t grid_col = slot.buffer % tiling->grid_cols;
    return (hoist_tile_at){
        .z = ublock / ublocks,
        .row = (grid_row * tiling->mblock_m + ublock_row) * rt + in_ublock / ct,
        .col = (grid_col * tiling->mblock_n + ublock_col) * ct + in_ublock % ct,
    };
}

hoist_tile_slot hoist_tiling_find(const hoist_tiling *tiling, hoist_tile_at at)
{
    const size_t rt = tiling->ublock_rt;
    const size_t ct = tiling->ublock_ct;
    const size_t m = tiling->mblock_m;
    const size_t n = tiling->mblock_n;
    // The core by the whole rows and columns of a buffer, the micro block by what is left.
    const size_t ublock_row = at.row / rt % m;
    HOIST_ASSERT(at.row / (m * rt) < tiling->grid_rows && at.col / (n * ct) < tiling->grid_cols &&
                 at.z < tiling->t);
    const size_t ublock_col = at.col / ct % n;
    const size_t ublock = at.z * m * n + ublock_number(tiling, ublock_row, ublock_col);
    return (hoist_tile_slot){
        .buffer = at.row / (m * rt) * tiling->grid_cols + at.col / (n * ct),
        .tile = (ublock * rt + at.row % rt) * ct + at.col % ct,
    };
}

size_t hoist_tiling_origin(const hoist_tiling *tiling, const hoist_tiling_size *size,
                           hoist_tile_slot slot)
{
    HOIST_ASSERT(slot.tile < size->buffer_tiles);
    const hoist_tile_at at = hoist_tiling_place(tiling, slot);
    const size_t row = at.row * tiling->tile_height;
    const size_t col = at.col * tiling->tile_width;
    return (at.z * size->rows + row) * size->cols + col;
}
