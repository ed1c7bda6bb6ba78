// Queue entries packed and unpacked by the kernels of pack_level.c, for tests: walks buffers and
// tiles, writes headers and padding. Byte for byte what tensor/queue_bytes.h defines.
#include "kernels/pack_testing.h"

#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "kernels/pack_table.h"

const char *hoist_pack_kernels_name(const hoist_pack_kernels *kernels)
{
    return hoist_cpu_level_name(kernels->level);
}

// A tile image and how to reach the tile's floats.
typedef struct image_format {
    hoist_tile_format format;
    hoist_pack_tile tile;
    size_t size;     // bytes of the image
    size_t exponent; // bytes of its exponent section
    size_t used;     // bytes up to the padding
} image_format;

static image_format image_format_of(const hoist_queue_layout *layout, size_t stride)
{
    const hoist_tile_format format = hoist_queue_tile(layout);
    const size_t exponent = hoist_tile_exponent_size(&format);
    return (image_format){
        .format = format,
        .tile = hoist_pack_tile_of(&format, stride),
        .size = hoist_tile_size(&format),
        .exponent = exponent,
        .used = HOIST_TILE_HEADER_SIZE + exponent + hoist_tile_data_size(&format),
    };
}

static void pack_image(const image_format *f, hoist_pack_fn *pack, const float *rows, uint8_t *out)
{
    HOIST_ASSERT(f->used <= f->size && f->size <= HOIST_TILE_MAX_SIZE);
    uint8_t *exponents = out + HOIST_TILE_HEADER_SIZE;
    // Few rows: their exponents do not fill the section.
    memset(out, 0, HOIST_TILE_HEADER_SIZE + f->exponent);
    hoist_store_u32le(out, (uint32_t)(f->size / 16));
    pack(&f->tile, rows, exponents, exponents + f->exponent);
    memset(out + f->used, 0, f->size - f->used);
}

hoist_status hoist_pack_queue(const hoist_pack_kernels *kernels, const hoist_queue_layout *layout,
                              const float *tensor, const hoist_mut_bytes *buffers, size_t count)
{
    hoist_queue_size size;
    HOIST_TRY(hoist_queue_measure_buffers(layout, buffers, count, &size));
    const hoist_pack_row *row = &kernels->row[layout->dtype];
    hoist_pack_fn *pack = layout->truncate && row->truncate ? row->truncate : row->pack;
    if (layout->flat || !pack) {
        return hoist_queue_pack(layout, tensor, buffers, count);
    }
    const image_format f = image_format_of(layout, size.tiling.cols);
    for (size_t b = 0; b < count; b++) {
        for (size_t i = 0; i < size.tiling.buffer_tiles; i++) {
            const size_t origin =
                hoist_tiling_origin(&layout->tiling, &size.tiling, (hoist_tile_slot){b, i});
            pack_image(&f, pack, tensor + origin, buffers[b].data + i * f.size);
        }
    }
    return HOIST_OK;
}

hoist_status hoist_unpack_queue(const hoist_pack_kernels *kernels, const hoist_queue_layout *layout,
                                const hoist_mut_bytes *buffers, size_t count, float *tensor)
{
    hoist_queue_size size;
    HOIST_TRY(hoist_queue_measure_buffers(layout, buffers, count, &size));
    hoist_unpack_fn *unpack = kernels->row[layout->dtype].unpack;
    if (layout->flat || !unpack) {
        return hoist_queue_unpack(layout, buffers, count, tensor);
    }
    const image_format f = image_format_of(layout, size.tiling.cols);
    for (size_t b = 0; b < count; b++) {
        for (size_t i = 0; i < size.tiling.buffer_tiles; i++) {
            const size_t origin =
                hoist_tiling_origin(&layout->tiling, &size.tiling, (hoist_tile_slot){b, i});
            const uint8_t *exponents = buffers[b].data + i * f.size + HOIST_TILE_HEADER_SIZE;
            unpack(&f.tile, exponents, exponents + f.exponent, tensor + origin);
        }
    }
    return HOIST_OK;
}
