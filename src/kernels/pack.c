// Queue entries as packing and unpacking leave them: chooses the table of the CPU level, walks
// buffers and tiles; pack_level.c does the elements. Bit for bit what tensor/queue.h defines.
#include "kernels/pack.h"

#include "kernels/level_choice.h"
#include "kernels/pack_table.h"

const hoist_pack_kernels *hoist_pack_kernels_at(hoist_cpu_level level)
{
    return HOIST_LEVEL_CHOICE(hoist_pack_kernels, v4, v4, level);
}

hoist_pack_tile hoist_pack_tile_of(const hoist_tile_format *format, size_t stride)
{
    const bool raw = hoist_dtype_get(format->dtype)->kind == HOIST_CLASS_RAW;
    const size_t face = format->height < HOIST_FACE_SIZE ? format->height : HOIST_FACE_SIZE;
    return (hoist_pack_tile){format->height, format->width, raw ? 1 : face, stride};
}

hoist_status hoist_quantize_queue(const hoist_pack_kernels *kernels,
                                  const hoist_queue_layout *layout, float *tensor)
{
    hoist_queue_size size;
    HOIST_TRY(hoist_queue_measure(layout, &size));
    const hoist_pack_row *row = &kernels->row[layout->dtype];
    // Only block floats have a kernel that truncates.
    hoist_pack_fn *pack = layout->truncate && row->truncate ? row->truncate : row->pack;
    if (!pack || !row->unpack) {
        return hoist_queue_quantize(layout, tensor);
    }
    const hoist_tile_format format = hoist_queue_tile(layout);
    const hoist_pack_tile tile = hoist_pack_tile_of(&format, size.tiling.cols);
    uint8_t image[HOIST_TILE_MAX_SIZE];
    uint8_t *data = image + hoist_tile_exponent_size(&format);
    for (size_t b = 0; b < size.tiling.buffers; b++) {
        for (size_t i = 0; i < size.tiling.buffer_tiles; i++) {
            float *rows = tensor + hoist_tiling_origin(&layout->tiling, &size.tiling,
                                                       (hoist_tile_slot){b, i});
            // Without a header: the image is read back at once.
            pack(&tile, rows, image, data);
            row->unpack(&tile, image, data, rows);
        }
    }
    return HOIST_OK;
}
