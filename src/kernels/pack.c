// Tiles as packing and unpacking leave them: chooses the table of the CPU level and the kernel of
// the type; pack_level.c does the elements. Bit for bit what tensor/queue.h defines.
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

void hoist_quantize_tile(const hoist_pack_kernels *kernels, const hoist_queue_layout *layout,
                         hoist_tile_rows from, float *to, size_t to_stride)
{
    const hoist_pack_row *row = &kernels->row[layout->dtype];
    const hoist_tile_format format = hoist_queue_tile(layout);
    const hoist_pack_tile tile = hoist_pack_tile_of(&format, from.stride);
    const hoist_pack_tile result = hoist_pack_tile_of(&format, to_stride);
    uint8_t image[HOIST_TILE_MAX_SIZE];
    if (row->round) {
        row->round(&tile, from.first, to, to_stride);
    } else if (row->unpack) {
        // Without a header: the image is read back at once.
        uint8_t *data = image + hoist_tile_exponent_size(&format);
        (layout->truncate ? row->truncate : row->pack)(&tile, from.first, image, data);
        row->unpack(&result, image, data, to);
    } else {
        hoist_tile_pack(&format, from.first, from.stride, layout->truncate, image);
        hoist_tile_unpack(&format, image, to, to_stride);
    }
}
