// An entry of a queue: its layout in, sizes out; and what the bytes of its buffers can hold of a
// float32 tensor in C order, one tile after the other by tiling.h and tile.h.
#include "tensor/queue.h"

#include "base/assert.h"

hoist_tile_format hoist_queue_tile(const hoist_queue_layout *layout)
{
    return (hoist_tile_format){
        .dtype = layout->dtype,
        .height = layout->tiling.tile_height,
        .width = layout->tiling.tile_width,
        .alignment = layout->alignment,
    };
}

hoist_status hoist_queue_measure(const hoist_queue_layout *layout, hoist_queue_size *out_size)
{
    *out_size = (hoist_queue_size){0};
    hoist_tiling_size tiling = {0};
    HOIST_TRY(hoist_tiling_measure(&layout->tiling, &tiling));
    // Blocks share exponents within a tile, which a flat buffer does not have.
    const bool is_block = hoist_dtype_get(layout->dtype)->kind == HOIST_CLASS_BLOCK;
    if (!hoist_tile_dtype_ok(layout->dtype) || (layout->flat && is_block)) {
        return HOIST_UNSUPPORTED;
    }
    const hoist_tile_format tile = hoist_queue_tile(layout);
    if (!hoist_tile_format_ok(&tile)) {
        return HOIST_INVALID;
    }
    const size_t tile_bytes = layout->flat ? hoist_tile_data_size(&tile) : hoist_tile_size(&tile);
    *out_size = (hoist_queue_size){tiling, tiling.buffer_tiles * tile_bytes};
    return HOIST_OK;
}

hoist_status hoist_queue_quantize(const hoist_queue_layout *layout, float *tensor)
{
    hoist_queue_size size;
    HOIST_TRY(hoist_queue_measure(layout, &size));
    const hoist_tile_format tile = hoist_queue_tile(layout);
    uint8_t image[HOIST_TILE_MAX_SIZE];
    HOIST_ASSERT(hoist_tile_size(&tile) <= sizeof(image));
    for (size_t b = 0; b < size.tiling.buffers; b++) {
        for (size_t i = 0; i < size.tiling.buffer_tiles; i++) {
            float *rows = tensor + hoist_tiling_origin(&layout->tiling, &size.tiling,
                                                       (hoist_tile_slot){b, i});
            // There and back through the bytes: what remains is what the hardware would read.
            hoist_tile_pack(&tile, rows, size.tiling.cols, layout->truncate, image);
            hoist_tile_unpack(&tile, image, rows, size.tiling.cols);
        }
    }
    return HOIST_OK;
}
