// An entry of a queue: the float32 tensor in C order in, the bytes of the buffers of its grid out,
// and back, one tile after the other by tiling.h and tile.h. Runs need no bytes of entries, only
// what packing leaves of the tensor (queue.h); memory images have them (exchange/queue_image.c),
// and tests compare with the vendor's.
#include "tensor/queue_bytes.h"

#include "base/assert.h"
#include "tensor/element.h"
#include "tensor/float_bits.h"
#include "tensor/tt_element.h"

hoist_status hoist_queue_measure_buffers(const hoist_queue_layout *layout,
                                         const hoist_mut_bytes *buffers, size_t count,
                                         hoist_queue_size *out_size)
{
    hoist_queue_size size = {0};
    *out_size = size;
    HOIST_TRY(hoist_queue_measure(layout, &size));
    // A buffer for each core of the grid, each of exactly the size.
    if (count != size.tiling.buffers) {
        return HOIST_INVALID;
    }
    for (size_t i = 0; i < count; i++) {
        if (buffers[i].size != size.buffer_bytes) {
            return HOIST_INVALID;
        }
    }
    *out_size = size;
    return HOIST_OK;
}

// Index in the tensor of the k-th element that a flat buffer holds: its own part of every slice,
// row-major.
static size_t flat_element(const hoist_queue_layout *layout, const hoist_tiling_size *size,
                           size_t buffer, size_t k)
{
    const size_t rows = size->buffer_rows * layout->tiling.tile_height;
    const size_t cols = size->buffer_cols * layout->tiling.tile_width;
    const size_t z = k / (rows * cols);
    const size_t row = buffer / layout->tiling.grid_cols * rows + k / cols % rows;
    const size_t col = buffer % layout->tiling.grid_cols * cols + k % cols;
    HOIST_ASSERT(z < layout->tiling.t && row < size->rows && col < size->cols);
    return (z * size->rows + row) * size->cols + col;
}

// A buffer without tiles: element after element, no headers.
static void pack_flat(const hoist_queue_layout *layout, const hoist_queue_size *size, size_t buffer,
                      const float *tensor, uint8_t *out)
{
    HOIST_ASSERT(buffer < size->tiling.buffers);
    const size_t bytes = hoist_dtype_get(layout->dtype)->bits / 8;
    for (size_t k = 0; k < size->buffer_bytes / bytes; k++) {
        const size_t at = flat_element(layout, &size->tiling, buffer, k);
        const uint32_t u = hoist_f32_to_bits(tensor[at]);
        hoist_element_store(out + k * bytes, bytes, hoist_tile_encode(layout->dtype, u));
    }
}

static void unpack_flat(const hoist_queue_layout *layout, const hoist_queue_size *size,
                        size_t buffer, const uint8_t *in, float *tensor)
{
    HOIST_ASSERT(buffer < size->tiling.buffers);
    const size_t bytes = hoist_dtype_get(layout->dtype)->bits / 8;
    for (size_t k = 0; k < size->buffer_bytes / bytes; k++) {
        const uint64_t bits = hoist_element_load(in + k * bytes, bytes);
        tensor[flat_element(layout, &size->tiling, buffer, k)] =
            hoist_f32_from_bits(hoist_tt_decode(layout->dtype, (uint32_t)bits));
    }
}

void hoist_queue_pack_buffer(const hoist_queue_layout *layout, const hoist_queue_size *size,
                             size_t buffer, const float *tensor, uint8_t *out)
{
    if (layout->flat) {
        pack_flat(layout, size, buffer, tensor, out);
        return;
    }
    const hoist_tile_format tile = hoist_queue_tile(layout);
    const size_t tile_size = hoist_tile_size(&tile);
    for (size_t i = 0; i < size->tiling.buffer_tiles; i++) {
        const size_t origin =
            hoist_tiling_origin(&layout->tiling, &size->tiling, (hoist_tile_slot){buffer, i});
        hoist_tile_pack(&tile, tensor + origin, size->tiling.cols, layout->truncate,
                        out + i * tile_size);
    }
}

void hoist_queue_unpack_buffer(const hoist_queue_layout *layout, const hoist_queue_size *size,
                               size_t buffer, const uint8_t *in, float *tensor)
{
    if (layout->flat) {
        unpack_flat(layout, size, buffer, in, tensor);
        return;
    }
    const hoist_tile_format tile = hoist_queue_tile(layout);
    const size_t tile_size = hoist_tile_size(&tile);
    for (size_t i = 0; i < size->tiling.buffer_tiles; i++) {
        const size_t origin =
            hoist_tiling_origin(&layout->tiling, &size->tiling, (hoist_tile_slot){buffer, i});
        hoist_tile_unpack(&tile, in + i * tile_size, tensor + origin, size->tiling.cols);
    }
}

hoist_status hoist_queue_pack(const hoist_queue_layout *layout, const float *tensor,
                              const hoist_mut_bytes *buffers, size_t count)
{
    hoist_queue_size size;
    HOIST_TRY(hoist_queue_measure_buffers(layout, buffers, count, &size));
    for (size_t b = 0; b < count; b++) {
        hoist_queue_pack_buffer(layout, &size, b, tensor, buffers[b].data);
    }
    return HOIST_OK;
}

hoist_status hoist_queue_unpack(const hoist_queue_layout *layout, const hoist_mut_bytes *buffers,
                                size_t count, float *tensor)
{
    hoist_queue_size size;
    HOIST_TRY(hoist_queue_measure_buffers(layout, buffers, count, &size));
    for (size_t b = 0; b < count; b++) {
        hoist_queue_unpack_buffer(layout, &size, b, buffers[b].data, tensor);
    }
    return HOIST_OK;
}
