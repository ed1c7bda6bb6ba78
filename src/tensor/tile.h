// tensor/tile.h - the byte image of one packed tile (buda-ops reference sections 1.1 and 1.2).
//
//     u32 image size / 16, 12 zero bytes, [exponents of a block float], data, zero padding
//
// Data are face by face (16 columns, up to 16 rows each); raw formats are not cut into faces.
#ifndef HOIST_SRC_TENSOR_TILE_H
#define HOIST_SRC_TENSOR_TILE_H

#include "hoist/tensor.h"

#define HOIST_TILE_HEADER_SIZE 16
#define HOIST_FACE_SIZE 16
#define HOIST_TILE_MAX_SIZE 4160 // bytes: float32 32x32 aligned to 64

// What a tile looks like in memory.
typedef struct hoist_tile_format {
    hoist_dtype dtype;
    uint32_t height;    // rows; with `width` one of the seven tile dimensions
    uint32_t width;     // columns
    uint32_t alignment; // of the image's size in bytes: 32, on Blackhole 64
} hoist_tile_format;

// True for 32x32, 16x32, 8x32, 4x32, 2x32, 1x32 and 32x16.
bool hoist_tile_dim_ok(uint32_t height, uint32_t width);

// True when tiles of `dtype` exist: the types with a TT rule and the block floats.
bool hoist_tile_dtype_ok(hoist_dtype dtype);

// True when all of `format` is usable; the functions below require it.
bool hoist_tile_format_ok(const hoist_tile_format *format);

// Bytes of the exponent section (0 unless a block float), of the data section, and of the whole
// image with header and padding.
size_t hoist_tile_exponent_size(const hoist_tile_format *format);
size_t hoist_tile_data_size(const hoist_tile_format *format);
size_t hoist_tile_size(const hoist_tile_format *format);

// Place in the tile of the datum that is at `index` (< height * width) in the data section.
void hoist_tile_place(const hoist_tile_format *format, size_t index, uint32_t *out_row,
                      uint32_t *out_col);

// Packs `height` x `width` floats, whose rows are `stride` floats apart, into the
// hoist_tile_size() bytes at `out`. `truncate`: as in hoist_block_encode.
void hoist_tile_pack(const hoist_tile_format *format, const float *rows, size_t stride,
                     bool truncate, uint8_t *out);

// Unpacks the image at `image` (hoist_tile_size() bytes). The header is not checked: a buffer of
// zeros reads as zeros.
void hoist_tile_unpack(const hoist_tile_format *format, const uint8_t *image, float *rows,
                       size_t stride);

// Element bits as tile packing stores them. For TT_F8E4M3 these are the bits of TT_LF8, an oddity
// of the reference backend that its vectors confirm; unpacking reads them as e4m3, so that 1.0
// comes back as 1.5. Not for block floats.
uint32_t hoist_tile_encode(hoist_dtype dtype, uint32_t f32_bits);

#endif // HOIST_SRC_TENSOR_TILE_H
