// An entry of a fifo between the caller's array and the session's memory: the caller's elements in,
// converted and tiled by kernels/pack.h or tensor/host.h, the slot's bytes out, and back for pops.
// host.c calls it.
#include "runtime/carry.h"

#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "kernels/move.h"
#include "kernels/pack.h"
#include "runtime/ports.h"
#include "tensor/convert.h"
#include "tensor/element.h"
#include "tensor/float_bits.h"
#include "tensor/host.h"

static size_t element_bytes(hoist_dtype dtype)
{
    return hoist_dtype_get(dtype)->bits / 8;
}

static bool is_tiled(const hoist_program *program, hoist_ref fifo)
{
    return program->layouts[program->fifos[fifo].layout].kind == HOIST_LAYOUT_TILED;
}

hoist_status hoist_carry_check(const hoist_program *program, hoist_ref fifo, bool push,
                               hoist_dtype dtype, size_t size)
{
    const hoist_port port = hoist_program_port(program, fifo);
    // Besides the type of the port itself, queues of tiles take float32.
    const bool float32 = dtype == HOIST_DTYPE_F32 && is_tiled(program, fifo);
    if (dtype != port.host_dtype && !float32) {
        return HOIST_INVALID;
    }
    uint64_t count = 1;
    bool wraps = false;
    for (uint32_t i = 0; i < port.rank; i++) {
        wraps |= hoist_ckd_mul(&count, count, (uint64_t)port.shape[i]);
    }
    // What goes in may have another shape, of which tiles are picked; what comes out is the entry.
    if (!push && program->fifos[fifo].push_tiles) {
        const hoist_queue_layout layout = hoist_port_layout(program, fifo);
        hoist_tiling_size entry;
        HOIST_TRY(hoist_tiling_measure(&layout.tiling, &entry));
        count = entry.elements;
    }
    uint64_t bytes = 0;
    wraps |= hoist_ckd_mul(&bytes, count, element_bytes(dtype));
    return !wraps && size == bytes ? HOIST_OK : HOIST_INVALID;
}

// Tiles <-> tensor ----------------------------------------------------------------------------

typedef struct entry {
    float *base; // of the slot
    const hoist_store_fifo *fifo;
    const hoist_tiling *tiling;
    size_t cols; // elements across
    const hoist_pack_kernels *kernels;
} entry;

// The memory of a slot of tiles, and how its tiles lie in the tensor.
static entry entry_of(const hoist_store *store, hoist_ref fifo, uint32_t slot)
{
    HOIST_ASSERT(slot < store->program->fifos[fifo].slots && is_tiled(store->program, fifo));
    const hoist_prog_fifo *row = &store->program->fifos[fifo];
    const hoist_store_fifo *memory = &store->fifos[fifo];
    const hoist_tiling *tiling = &store->program->layouts[row->layout].tiling;
    return (entry){.base = (float *)(void *)(memory->base + slot * memory->slot_bytes),
                   .fifo = memory,
                   .tiling = tiling,
                   .cols = (size_t)memory->shape.cols * tiling->tile_width,
                   .kernels = hoist_pack_kernels_at(store->level)};
}

// Tile n of the entry, and the first of its elements in the tensor.
static float *tile_at(const entry *e, uint64_t n, size_t *out_first)
{
    HOIST_ASSERT(n < e->fifo->tile_count);
    const uint64_t across = e->fifo->shape.cols;
    *out_first = (size_t)(n / across * e->tiling->tile_height * e->cols +
                          n % across * e->tiling->tile_width);
    // The order of the device, by a table where it differs from that of the tensor.
    const uint64_t place = e->fifo->tiles ? e->fifo->tiles[n] : n;
    return e->base + place * HOIST_TILE_FLOATS;
}

// Tile n in the values of the port's type, from its rows in a tensor.
static void put_tile(const entry *e, uint64_t n, const hoist_queue_layout *layout,
                     hoist_tile_rows from)
{
    size_t first = 0;
    float *tile = tile_at(e, n, &first);
    // Carriers are of one size: what a small tile does not have is 0.
    if (e->tiling->tile_height < HOIST_TILE_DIM || e->tiling->tile_width < HOIST_TILE_DIM) {
        memset(tile, 0, HOIST_TILE_BYTES);
    }
    hoist_quantize_tile(e->kernels, layout, from, tile, HOIST_TILE_DIM);
}

// The tiles of a row of tiles, from its rows of elements.
static void put_row(const entry *e, uint64_t row, const hoist_queue_layout *layout,
                    const float *elements)
{
    const uint64_t across = e->fifo->shape.cols;
    for (uint64_t n = 0; n < across; n++) {
        put_tile(e, row * across + n, layout,
                 (hoist_tile_rows){elements + n * e->tiling->tile_width, e->cols});
    }
}

// The tensor of all tiles.
static void gather(const entry *e, float *tensor)
{
    const size_t width = e->tiling->tile_width * sizeof(float);
    for (uint64_t n = 0; n < e->fifo->tile_count; n++) {
        size_t first = 0;
        const float *tile = tile_at(e, n, &first);
        for (uint32_t r = 0; r < e->tiling->tile_height; r++) {
            memcpy(tensor + first + r * e->cols, tile + (size_t)r * HOIST_TILE_DIM, width);
        }
    }
}

// An entry from the caller's tensor, by the tiles of the edge's TM chain.
static void pick_tiles(const hoist_prog_fifo *row, const entry *e, const hoist_queue_layout *layout,
                       const float *given)
{
    HOIST_ASSERT(row->push_shape.rank == 3 && e->fifo->tile_count <= row->push_tile_count);
    const size_t given_cols = (size_t)row->push_shape.dim[2];
    const size_t across = given_cols / e->tiling->tile_width;
    for (uint64_t n = 0; n < e->fifo->tile_count; n++) {
        const size_t source = row->push_tiles[n];
        if (source == HOIST_NO_REF) {
            size_t first = 0;
            memset(tile_at(e, n, &first), 0, HOIST_TILE_BYTES);
            continue;
        }
        HOIST_ASSERT(source / across * e->tiling->tile_height <
                     (size_t)(row->push_shape.dim[0] * row->push_shape.dim[1]));
        const size_t from = source / across * e->tiling->tile_height * given_cols +
                            source % across * e->tiling->tile_width;
        put_tile(e, n, layout, (hoist_tile_rows){given + from, given_cols});
    }
}

// The port's layout, but `t` slices of rows x cols tiles in one block: of what the caller gives
// each tile is rounded by itself, wherever it goes.
static hoist_queue_layout one_block(const hoist_store *store, hoist_ref fifo, uint32_t t,
                                    uint32_t rows, uint32_t cols)
{
    hoist_queue_layout layout = hoist_port_layout(store->program, fifo);
    // One core and one block: then tiles are in the order of the tensor.
    layout.tiling.grid_rows = layout.tiling.grid_cols = 1;
    layout.tiling.t = t;
    layout.tiling.mblock_m = layout.tiling.mblock_n = 1;
    layout.tiling.ublock_rt = rows;
    layout.tiling.ublock_ct = cols;
    return layout;
}

// What the caller gives, as a float32 tensor that is not rounded to the port's type.
static hoist_status load(const hoist_queue_layout *layout, hoist_dtype dtype, hoist_bytes elements,
                         float *tensor)
{
    if (dtype == hoist_host_dtype(layout->dtype)) {
        return hoist_host_load(layout, elements, tensor);
    }
    memcpy(tensor, elements.data, elements.size); // sessions are of little-endian machines
    return HOIST_OK;
}

// Through the edge's TM chain, of an entry of the given shape.
static hoist_status carry_picked_in(const hoist_store *store, hoist_ref fifo, const entry *e,
                                    hoist_dtype dtype, hoist_bytes elements)
{
    const hoist_prog_fifo *row = &store->program->fifos[fifo];
    const hoist_tiling *tiling = e->tiling;
    const int64_t *dim = row->push_shape.dim;
    const hoist_queue_layout layout =
        one_block(store, fifo, (uint32_t)dim[0], (uint32_t)(dim[1] / tiling->tile_height),
                  (uint32_t)(dim[2] / tiling->tile_width));
    hoist_queue_size size;
    HOIST_TRY(hoist_queue_measure(&layout, &size));
    // The whole array is needed at once: the chain picks tiles from anywhere in it.
    float *tensor = hoist_alloc_zero(store->alloc, size.tiling.elements, sizeof *tensor);
    const hoist_status status = tensor ? load(&layout, dtype, elements, tensor) : HOIST_NO_MEMORY;
    if (status == HOIST_OK) {
        pick_tiles(row, e, &layout, tensor);
    }
    hoist_free(store->alloc, tensor, tensor ? size.tiling.elements * sizeof *tensor : 0);
    return status;
}

// A row of tiles at a time, which stays in the caches on its way. Float32 is read where the caller
// has it.
static hoist_status carry_tiles_in(const hoist_store *store, hoist_ref fifo, uint32_t slot,
                                   hoist_dtype dtype, hoist_bytes elements)
{
    const entry e = entry_of(store, fifo, slot);
    if (store->program->fifos[fifo].push_tiles) {
        return carry_picked_in(store, fifo, &e, dtype, elements);
    }
    const uint64_t across = e.fifo->shape.cols;
    const hoist_queue_layout layout = one_block(store, fifo, 1, 1, (uint32_t)across);
    hoist_queue_size size;
    HOIST_TRY(hoist_queue_measure(&layout, &size));
    const size_t band = size.tiling.elements;
    const size_t bytes = band * element_bytes(dtype);
    const bool is_there =
        dtype == HOIST_DTYPE_F32 && (uintptr_t)elements.data % _Alignof(float) == 0;
    float *loaded = is_there ? NULL : hoist_alloc_zero(store->alloc, band, sizeof *loaded);
    hoist_status status = is_there || loaded ? HOIST_OK : HOIST_NO_MEMORY;
    for (uint64_t r = 0; status == HOIST_OK && r < e.fifo->tile_count / across; r++) {
        const hoist_bytes part = {elements.data + r * bytes, bytes};
        status = loaded ? load(&layout, dtype, part, loaded) : HOIST_OK;
        if (status == HOIST_OK) {
            put_row(&e, r, &layout, loaded ? loaded : (const float *)(const void *)part.data);
        }
    }
    hoist_free(store->alloc, loaded, loaded ? band * sizeof *loaded : 0);
    return status;
}

// Numbers that the caller gets as small floats, to nearest: popping them cuts off then what is 0.
static void round_to_host(hoist_dtype host, float *tensor, size_t count)
{
    const hoist_rounding nearest = {.mode = HOIST_ROUND_NEAREST};
    const hoist_dtype dtype = host == HOIST_DTYPE_F16 ? HOIST_DTYPE_TT_F16 : host;
    for (size_t i = 0; hoist_dtype_get(dtype)->kind == HOIST_CLASS_FLOAT && i < count; i++) {
        tensor[i] = hoist_to_f32(dtype, hoist_from_f32(dtype, tensor[i], nearest));
    }
}

// An entry of tiles as a tensor, in the caller's type.
static hoist_status carry_tiles_out(const hoist_store *store, hoist_ref fifo, uint32_t slot,
                                    hoist_dtype dtype, hoist_mut_bytes elements)
{
    const hoist_queue_layout layout = hoist_port_layout(store->program, fifo);
    const entry e = entry_of(store, fifo, slot);
    const size_t count = elements.size / element_bytes(dtype);
    float *tensor = hoist_alloc_zero(store->alloc, count, sizeof *tensor);
    if (!tensor) {
        return HOIST_NO_MEMORY;
    }
    gather(&e, tensor);
    hoist_status status = HOIST_OK;
    if (dtype == HOIST_DTYPE_F32) {
        memcpy(elements.data, tensor, elements.size); // as in convert_in()
    } else {
        round_to_host(dtype, tensor, count);
        status = hoist_host_pop(&layout, tensor, elements);
    }
    hoist_free(store->alloc, tensor, count * sizeof *tensor);
    return status;
}

// Strided slots: C order without gaps on the caller's side.
static hoist_status carry_view(const hoist_store *store, hoist_ref fifo, uint32_t slot,
                               hoist_mut_bytes elements, bool in)
{
    HOIST_ASSERT(slot < store->program->fifos[fifo].slots && !is_tiled(store->program, fifo));
    const hoist_prog_fifo *row = &store->program->fifos[fifo];
    const hoist_prog_layout *layout = &store->program->layouts[row->layout];
    const hoist_store_fifo *memory = &store->fifos[fifo];
    const hoist_mut_bytes bytes = {memory->base + slot * memory->slot_bytes,
                                   (size_t)memory->slot_bytes};
    hoist_view device;
    hoist_view host;
    HOIST_TRY(hoist_view_init(bytes, row->dtype, &layout->shape, 0, layout->stride, &device));
    HOIST_TRY(hoist_view_init(elements, row->dtype, &layout->shape, 0, NULL, &host));
    // The same elements on both sides, with other distances between them.
    const hoist_view_move move = {
        .destination = in ? device : host, .sources = in ? &host : &device, .source_count = 1};
    return hoist_move_views(hoist_move_kernels_at(store->level), &move, store->alloc);
}

hoist_status hoist_carry_in(const hoist_store *store, hoist_ref fifo, uint32_t slot,
                            hoist_dtype dtype, hoist_bytes elements)
{
    if (is_tiled(store->program, fifo)) {
        return carry_tiles_in(store, fifo, slot, dtype, elements);
    }
    union {
        const uint8_t *given;
        uint8_t *data; // only read
    } bytes = {elements.data};
    return carry_view(store, fifo, slot, (hoist_mut_bytes){bytes.data, elements.size}, true);
}

hoist_status hoist_carry_out(const hoist_store *store, hoist_ref fifo, uint32_t slot,
                             hoist_dtype dtype, hoist_mut_bytes elements)
{
    if (is_tiled(store->program, fifo)) {
        return carry_tiles_out(store, fifo, slot, dtype, elements);
    }
    return carry_view(store, fifo, slot, elements, false);
}
