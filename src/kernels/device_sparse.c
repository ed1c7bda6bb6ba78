// The sparse matmul of a Tensix core (ops/compute_device.h, tt-budabackend
// hlks/matmul/matmul_ident.cpp): strip after strip the ublocks that have tiles are summed in the
// register. Memory has a sum of each ublock between strips; the output tile holds it as float32,
// in the last strip of a slice what the register holds, unless memory is the result.
#include "kernels/compute_table.h"
#include "kernels/device_product.h"
#include "kernels/sparse_walk.h"
#include "tensor/float_bits.h"

extern const hoist_compute_group hoist_device_sparse_group;

typedef struct unit {
    hoist_device_product product;
    bool is_first;    // strip of a slice: memory holds nothing
    bool in_register; // the tiles of the output are numbers of the register
    uint64_t row;     // of tiles in the ublock at hand
} unit;

static void open_row(unit *u, const hoist_sparse_walk *walk)
{
    const float *tile = hoist_sparse_output(walk, u->row);
    hoist_device_product *p = &u->product;
    memcpy(p->memory, tile, sizeof p->memory);
    if (!u->in_register) {
        hoist_device_begin_block(p, !u->is_first && !hoist_device_adds(p->sums));
        return;
    }
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        p->held[i] = hoist_device_narrow(p->core.unit.dest, p->memory[i]);
    }
}

static void keep_register(const hoist_device_product *p, float *tile)
{
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        tile[i] = hoist_f32_from_bits(hoist_device_widen(p->core.unit.dest, p->held[i]));
    }
}

static void close_row(unit *u, const hoist_sparse_walk *walk)
{
    float *tile = hoist_sparse_output(walk, u->row);
    if (u->in_register) {
        keep_register(&u->product, tile);
        return;
    }
    hoist_device_store(&u->product, u->is_first);
    memcpy(tile, u->product.memory, sizeof u->product.memory);
}

// Unless memory is the result, the last strip reloads all sums, also those that it adds nothing to.
static void begin_strip(hoist_sparse_walk *walk, const hoist_sparse_strip *strip)
{
    unit *u = walk->user;
    hoist_device_product *p = &u->product;
    const uint64_t rows =
        walk->call->output.shape.rows / hoist_sparse_attr(walk, HOIST_SPARSE_GRID_ROWS);
    u->is_first = strip->first_of_slice;
    u->in_register = strip->last_of_slice && !hoist_device_keeps(p->sums);
    for (uint64_t row = 0; u->in_register && row < rows; row++) {
        float *tile = hoist_sparse_output(walk, row);
        memcpy(p->memory, tile, sizeof p->memory);
        hoist_device_begin_block(p, !u->is_first);
        keep_register(p, tile);
    }
}

static void begin_ublock(hoist_sparse_walk *walk, const hoist_sparse_strip *strip, uint64_t row)
{
    unit *u = walk->user;
    (void)strip;
    u->row = row;
    open_row(u, walk);
}

// Rows of a ublock ascend; all of them go over memory.
static void go_to_row(hoist_sparse_walk *walk, uint64_t row)
{
    unit *u = walk->user;
    while (u->row < row) {
        close_row(u, walk);
        u->row++;
        open_row(u, walk);
    }
}

static void add_product(hoist_sparse_walk *walk, uint64_t row, const float *sparse,
                        const float *activation)
{
    unit *u = walk->user;
    go_to_row(walk, row);
    hoist_device_add_product(&u->product, sparse, activation);
}

static void end_ublock(hoist_sparse_walk *walk, const hoist_sparse_strip *strip, uint64_t row)
{
    (void)strip;
    go_to_row(walk, row + hoist_sparse_attr(walk, HOIST_SPARSE_UBLOCK_RT) - 1);
    close_row(walk->user, walk);
}

static const hoist_sparse_visitor visitor = {.attrs = HOIST_DEVICE_SPARSE,
                                             .is_strict = true,
                                             .begin_strip = begin_strip,
                                             .begin_ublock = begin_ublock,
                                             .end_ublock = end_ublock,
                                             .product = add_product};

static size_t units(const hoist_compute_call *call)
{
    return hoist_sparse_units(call, &visitor);
}

static hoist_status sparse_matmul(const hoist_compute_call *call, size_t begin, size_t end,
                                  hoist_compute_fault *out_fault)
{
    hoist_status status = HOIST_OK;
    unit u = {.product = hoist_device_product_of(call)};
    for (size_t i = begin; i < end && status == HOIST_OK; i++) {
        status = hoist_sparse_walk_unit(call, i, &visitor, &u, out_fault);
    }
    return status;
}

enum { FIRST = HOIST_DEVICE_SPARSE_MATMUL };

static const hoist_compute_row group_rows[] = {
    [HOIST_DEVICE_SPARSE_MATMUL - FIRST] = {.work = units, .run = sparse_matmul},
};
const hoist_compute_group hoist_device_sparse_group = {FIRST, HOIST_COUNT_OF(group_rows),
                                                       group_rows};
