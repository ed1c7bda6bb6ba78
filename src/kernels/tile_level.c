// Golden ops that know where in its tile an element is (buda-ops reference sections 1, 2, 3 and
// 4.2).
#include "kernels/compute_table.h"
#include "kernels/lanes.h"
#include "kernels/level.h"
#include "kernels/pack_table.h"
#include "tensor/tile.h"
#include "tensor/tt_element.h"

#define DIM HOIST_TILE_DIM
#define TILE_BYTES (HOIST_TILE_FLOATS * sizeof(float))

extern const hoist_pack_kernels HOIST_LEVEL_NAME(hoist_pack_kernels);
extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_tile_group);

// x * 0 where Inf counts as the largest finite number: a zero of x's sign, or x's NaN, quiet.
static hoist_u32s cleared(hoist_u32s x)
{
    const hoist_i32s nan = (hoist_i32s)(x & 0x7fffffff) > 0x7f800000;
    return hoist_lanes_choose(nan, x | 0x400000, x & 0x80000000);
}

// The golden op multiplies by a tile of ones and zeros, so what is masked keeps its sign and NaN.
static void mask(const hoist_compute_call *call, size_t begin, size_t end)
{
    const size_t height = (size_t)call->attrs.value[HOIST_MASK_HEIGHT].integer;
    const size_t width = (size_t)call->attrs.value[HOIST_MASK_WIDTH].integer;
    int32_t kept[DIM]; // all ones in the columns that stay
    for (size_t i = 0; i < DIM; i++) {
        kept[i] = i < width ? -1 : 0;
    }
    for (size_t n = begin; n < end; n++) {
        const float *in = hoist_tile_in(&call->inputs[0], n);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i += HOIST_LANES) {
            const hoist_u32s x = hoist_lanes_load(in, i);
            hoist_u32s keep = hoist_lanes_load(kept, i % DIM);
            keep = i / DIM < height ? keep : keep ^ keep;
            hoist_lanes_store(out, i, hoist_lanes_choose((hoist_i32s)keep, x, cleared(x)));
        }
    }
}

// By way of a copy, as the output may be the input's memory.
static void transpose(const hoist_compute_call *call, size_t begin, size_t end)
{
    for (size_t n = begin; n < end; n++) {
        const float *in = hoist_tile_in(&call->inputs[0], n);
        float transposed[HOIST_TILE_FLOATS];
        for (size_t row = 0; row < DIM; row++) {
            for (size_t col = 0; col < DIM; col++) {
                transposed[row * DIM + col] = in[col * DIM + row];
            }
        }
        memcpy(hoist_tile_out(&call->output, n), transposed, TILE_BYTES);
    }
}

// Row 0, column 0 or element 0 goes to all the others; `in` and `out` may be one tile.
static void broadcast_tile(const float *in, int64_t axis, float *out)
{
    const float corner = in[0];
    for (size_t row = 0; row < DIM; row++) {
        if (axis == HOIST_AXIS_ROW) {
            memmove(out + row * DIM, row ? out : in, DIM * sizeof *out);
            continue;
        }
        const float value = axis == HOIST_AXIS_COLUMN ? in[row * DIM] : corner;
        for (size_t col = 0; col < DIM; col++) {
            out[row * DIM + col] = value;
        }
    }
}

static void broadcast(const hoist_compute_call *call, size_t begin, size_t end)
{
    const int64_t axis = call->attrs.value[HOIST_BROADCAST_AXIS].integer;
    for (size_t n = begin; n < end; n++) {
        broadcast_tile(hoist_tile_in(&call->inputs[0], n), axis, hoist_tile_out(&call->output, n));
    }
}

// The element types without a fast kernel.
static void quantize_elements(hoist_dtype dtype, const float *in, float *out)
{
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        uint32_t bits;
        memcpy(&bits, in + i, sizeof bits);
        bits = hoist_tt_decode(dtype, hoist_tile_encode(dtype, bits));
        memcpy(out + i, &bits, sizeof bits);
    }
}

// Outside the tile's own height and width a packed tile has nothing, and zeros come back.
static void quantize_tile(const hoist_tile_format *format, const float *in, float *out)
{
    const hoist_pack_row *row = &HOIST_LEVEL_NAME(hoist_pack_kernels).row[format->dtype];
    const size_t face = format->height < HOIST_FACE_SIZE ? format->height : HOIST_FACE_SIZE;
    const hoist_pack_tile tile = {format->height, format->width, face, DIM};
    if (row->unpack) {
        uint8_t exponents[HOIST_TILE_FLOATS / HOIST_RUN];
        uint8_t data[TILE_BYTES];
        hoist_pack_fn *pack = row->truncate ? row->truncate : row->pack;
        pack(&tile, in, exponents, data);
        row->unpack(&tile, exponents, data, out);
    } else {
        quantize_elements(format->dtype, in, out);
    }
    hoist_tile_zero_rest(out, (hoist_tile_extent){format->height, format->width});
}

// Attributes may come from a program's text: dimensions that no packed tile has are a fault.
static hoist_status quantize(const hoist_compute_call *call, size_t begin, size_t end,
                             hoist_compute_fault *out_fault)
{
    const hoist_compute_value *attrs = call->attrs.value;
    const hoist_tile_format format = {
        .dtype = attrs[HOIST_QUANTIZE_DTYPE].dtype,
        .height = (uint32_t)attrs[HOIST_QUANTIZE_HEIGHT].integer,
        .width = (uint32_t)attrs[HOIST_QUANTIZE_WIDTH].integer,
        .alignment = 32,
    };
    if (!hoist_tile_format_ok(&format)) {
        out_fault->what = "quantisation to a type or tile dimensions that tiles do not have";
        return HOIST_INVALID;
    }
    for (size_t n = begin; n < end; n++) {
        quantize_tile(&format, hoist_tile_in(&call->inputs[0], n),
                      hoist_tile_out(&call->output, n));
    }
    return HOIST_OK;
}

enum { FIRST = HOIST_GOLDEN_QUANTIZE };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_QUANTIZE - FIRST]       = {.run = quantize},
    [HOIST_GOLDEN_MASK - FIRST]           = {.fill = mask},
    [HOIST_GOLDEN_TRANSPOSE_TILE - FIRST] = {.fill = transpose},
    [HOIST_GOLDEN_BROADCAST_TILE - FIRST] = {.fill = broadcast},
};
// clang-format on
const hoist_compute_group HOIST_LEVEL_NAME(hoist_tile_group) = {FIRST, HOIST_COUNT_OF(group_rows),
                                                                group_rows};
