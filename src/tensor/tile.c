// The byte image of one tile: header, exponents of block floats, faces of 16 columns, padding
// (buda-ops reference sections 1.1 and 1.2). tensor/block.h and tt_element.h have the elements.
#include "tensor/tile.h"

#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "base/span.h"
#include "tensor/block.h"
#include "tensor/float_bits.h"
#include "tensor/tt_element.h"

// A section of elements of 2, 4, 8, 16 or 32 bits, low bits first.
typedef struct elements {
    uint8_t *data;
    uint32_t bits;
} elements;

// Tiles that the hardware has.
static const struct {
    uint32_t height;
    uint32_t width;
} tile_dims[] = {{32, 32}, {16, 32}, {8, 32}, {4, 32}, {2, 32}, {1, 32}, {32, 16}};

bool hoist_tile_dim_ok(uint32_t height, uint32_t width)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(tile_dims); i++) {
        if (height == tile_dims[i].height && width == tile_dims[i].width) {
            return true;
        }
    }
    return false;
}

static bool is_block(hoist_dtype dtype)
{
    return hoist_dtype_get(dtype)->kind == HOIST_CLASS_BLOCK;
}

bool hoist_tile_dtype_ok(hoist_dtype dtype)
{
    return is_block(dtype) || hoist_tt_has_rule(dtype);
}

bool hoist_tile_format_ok(const hoist_tile_format *format)
{
    return hoist_tile_dim_ok(format->height, format->width) && hoist_tile_dtype_ok(format->dtype) &&
           (format->alignment == 32 || format->alignment == 64);
}

size_t hoist_tile_exponent_size(const hoist_tile_format *format)
{
    // Elements of other types have exponents of their own.
    if (!is_block(format->dtype)) {
        return 0;
    }
    // Fewer than 16 rows: one exponent per face row, padded to 16 bytes.
    if (format->height < HOIST_FACE_SIZE) {
        return HOIST_FACE_SIZE;
    }
    // One byte for each block of 16.
    return (size_t)format->height * format->width / HOIST_BLOCK_SIZE;
}

size_t hoist_tile_data_size(const hoist_tile_format *format)
{
    HOIST_ASSERT(hoist_tile_dim_ok(format->height, format->width));
    return (size_t)format->height * format->width * hoist_dtype_get(format->dtype)->bits / 8;
}

size_t hoist_tile_size(const hoist_tile_format *format)
{
    HOIST_ASSERT(format->alignment > 0);
    const size_t size =
        HOIST_TILE_HEADER_SIZE + hoist_tile_exponent_size(format) + hoist_tile_data_size(format);
    return (size + format->alignment - 1) / format->alignment * format->alignment;
}

// Raw elements are in plain rows.
static bool has_faces(const hoist_tile_format *format)
{
    return hoist_dtype_get(format->dtype)->kind != HOIST_CLASS_RAW;
}

// A face has 16 rows, or all of a tile that has fewer.
static uint32_t face_height(const hoist_tile_format *format)
{
    return format->height < HOIST_FACE_SIZE ? format->height : HOIST_FACE_SIZE;
}

void hoist_tile_place(const hoist_tile_format *format, size_t index, uint32_t *out_row,
                      uint32_t *out_col)
{
    HOIST_ASSERT(index < (size_t)format->height * format->width);
    const uint32_t i = (uint32_t)index;
    if (!has_faces(format)) {
        *out_row = i / format->width;
        *out_col = i % format->width;
        return;
    }
    const uint32_t face_rows = face_height(format);
    const uint32_t face = i / (face_rows * HOIST_FACE_SIZE);
    // Faces are in order of rows, too: those at the left first.
    const uint32_t faces_x = format->width / HOIST_FACE_SIZE;
    *out_row = face / faces_x * HOIST_FACE_SIZE + i / HOIST_FACE_SIZE % face_rows;
    *out_col = face % faces_x * HOIST_FACE_SIZE + i % HOIST_FACE_SIZE;
    HOIST_ASSERT(*out_row < format->height && *out_col < format->width);
}

// Stores an element; the section is 0 before, so that bits are only set.
static void put_element(elements section, size_t index, uint32_t bits)
{
    HOIST_ASSERT(section.bits == 32 || section.bits == 16 ||
                 (section.bits <= 8 && bits >> section.bits == 0));
    switch (section.bits) {
    case 32:
        hoist_store_u32le(section.data + 4 * index, bits);
        return;
    case 16:
        hoist_store_u16le(section.data + 2 * index, (uint16_t)bits);
        return;
    default: {
        const size_t at = index * section.bits;
        section.data[at / 8] = (uint8_t)(section.data[at / 8] | bits << (at % 8));
    }
    }
}

// The reverse of put_element().
static uint32_t get_element(const uint8_t *data, uint32_t width, size_t index)
{
    HOIST_ASSERT(width == 32 || width == 16 || 8 % width == 0);
    switch (width) {
    case 32:
        return hoist_load_u32le(data + 4 * index);
    case 16:
        return hoist_load_u16le(data + 2 * index);
    default: {
        const size_t at = index * width;
        return (uint32_t)(data[at / 8] >> (at % 8)) & ((1u << width) - 1);
    }
    }
}

uint32_t hoist_tile_encode(hoist_dtype dtype, uint32_t f32_bits)
{
    const hoist_dtype stored = dtype == HOIST_DTYPE_TT_F8E4M3 ? HOIST_DTYPE_TT_LF8 : dtype;
    return hoist_tt_encode(stored, f32_bits);
}

// The bits of the float that the index-th element of the image is made of.
static uint32_t datum_at(const hoist_tile_format *format, const float *rows, size_t stride,
                         size_t index)
{
    HOIST_ASSERT(stride >= format->width);
    uint32_t row = 0;
    uint32_t col = 0;
    hoist_tile_place(format, index, &row, &col);
    return hoist_f32_to_bits(rows[row * stride + col]);
}

// Exponents and data of all blocks; 16 elements in a row of the image are one block.
static void pack_blocks(const hoist_tile_format *format, const float *rows, size_t stride,
                        bool truncate, uint8_t *out)
{
    HOIST_ASSERT(is_block(format->dtype));
    const size_t count = (size_t)format->height * format->width / HOIST_BLOCK_SIZE;
    const elements data = {out + hoist_tile_exponent_size(format),
                           hoist_dtype_get(format->dtype)->bits};
    for (size_t b = 0; b < count; b++) {
        uint32_t values[HOIST_BLOCK_SIZE];
        for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
            values[i] = datum_at(format, rows, stride, b * HOIST_BLOCK_SIZE + i);
        }
        const hoist_block block = hoist_block_encode(format->dtype, values, truncate);
        out[b] = block.exponent;
        for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
            put_element(data, b * HOIST_BLOCK_SIZE + i, block.datum[i]);
        }
    }
}

void hoist_tile_pack(const hoist_tile_format *format, const float *rows, size_t stride,
                     bool truncate, uint8_t *out)
{
    HOIST_ASSERT(hoist_tile_format_ok(format));
    const size_t size = hoist_tile_size(format);
    // Padding and the rest of the header are 0.
    memset(out, 0, size);
    // The header begins with the size in units of 16 bytes.
    hoist_store_u32le(out, (uint32_t)(size / 16));
    out += HOIST_TILE_HEADER_SIZE;
    if (is_block(format->dtype)) {
        pack_blocks(format, rows, stride, truncate, out);
        return;
    }
    const size_t count = (size_t)format->height * format->width;
    const elements data = {out, hoist_dtype_get(format->dtype)->bits};
    for (size_t i = 0; i < count; i++) {
        const uint32_t u = datum_at(format, rows, stride, i);
        put_element(data, i, hoist_tile_encode(format->dtype, u));
    }
}

void hoist_tile_unpack(const hoist_tile_format *format, const uint8_t *image, float *rows,
                       size_t stride)
{
    HOIST_ASSERT(hoist_tile_format_ok(format));
    const uint8_t *exponents = image + HOIST_TILE_HEADER_SIZE;
    const uint8_t *data = exponents + hoist_tile_exponent_size(format);
    const uint32_t bits = hoist_dtype_get(format->dtype)->bits;
    const size_t count = (size_t)format->height * format->width;
    for (size_t i = 0; i < count; i++) {
        const uint32_t element = get_element(data, bits, i);
        const uint32_t u = is_block(format->dtype)
                               ? hoist_block_decode(format->dtype, exponents[i / HOIST_BLOCK_SIZE],
                                                    (uint8_t)element)
                               : hoist_tt_decode(format->dtype, element);
        uint32_t row = 0;
        uint32_t col = 0;
        hoist_tile_place(format, i, &row, &col);
        rows[row * stride + col] = hoist_f32_from_bits(u);
    }
}
