// Arrays of the application and entries of queues: host types in, the float32 tensor of an entry
// out (buda-ops reference section 2.4), and back. A row for each host type; runtime/carry.c calls
// it.
#include "tensor/host.h"

#include <math.h>

#include "base/assert.h"
#include "base/span.h"
#include "tensor/convert.h"
#include "tensor/element.h"
#include "tensor/float_bits.h"
#include "tensor/tt_element.h"

typedef uint32_t pop_fn(uint32_t u);

// x86's cvtps2dq: to nearest even; NaN and what does not fit give INT32_MIN.
static int32_t nearest_i32(uint32_t u)
{
    const double value = hoist_round_even((double)hoist_f32_from_bits(u));
    return value >= INT32_MIN && value <= INT32_MAX ? (int32_t)value : INT32_MIN;
}

static uint32_t pop_f32(uint32_t u)
{
    return u;
}

static uint32_t pop_bf16(uint32_t u)
{
    return hoist_tt_encode(HOIST_DTYPE_BF16, u);
}

// Saturated values decode as Inf or NaN when the host takes them for IEEE halves.
static uint32_t pop_f16(uint32_t u)
{
    return hoist_tt_encode(HOIST_DTYPE_TT_F16, u);
}

static uint32_t pop_i8(uint32_t u)
{
    const int32_t value = nearest_i32(u);
    return (uint32_t)(value < INT8_MIN ? INT8_MIN : value > INT8_MAX ? INT8_MAX : value) & 0xff;
}

static uint32_t pop_i32(uint32_t u)
{
    return (uint32_t)nearest_i32(u);
}

static uint32_t pop_u16(uint32_t u)
{
    const int32_t value = nearest_i32(u);
    return (uint32_t)(value < 0 ? 0 : value > UINT16_MAX ? UINT16_MAX : value);
}

// The reference packs to unsigned 16 and then from signed 16 bits, where 32768 is negative.
static uint32_t pop_u8(uint32_t u)
{
    const uint32_t value = pop_u16(u);
    return value > INT16_MAX ? 0 : value > UINT8_MAX ? UINT8_MAX : value;
}

// clang-format off
static const struct {
    hoist_dtype host;
    pop_fn *pop;
} formats[HOIST_DTYPE_COUNT] = {
    [HOIST_DTYPE_F32]      = {HOIST_DTYPE_F32,      pop_f32 },
    [HOIST_DTYPE_BF16]     = {HOIST_DTYPE_BF16,     pop_bf16},
    [HOIST_DTYPE_TT_F16]   = {HOIST_DTYPE_F16,      pop_f16 },
    [HOIST_DTYPE_TT_BFP8A] = {HOIST_DTYPE_F16,      pop_f16 },
    [HOIST_DTYPE_TT_BFP4A] = {HOIST_DTYPE_F16,      pop_f16 },
    [HOIST_DTYPE_TT_BFP2A] = {HOIST_DTYPE_F16,      pop_f16 },
    [HOIST_DTYPE_TT_BFP8B] = {HOIST_DTYPE_BF16,     pop_bf16},
    [HOIST_DTYPE_TT_BFP4B] = {HOIST_DTYPE_BF16,     pop_bf16},
    [HOIST_DTYPE_TT_BFP2B] = {HOIST_DTYPE_BF16,     pop_bf16},
    [HOIST_DTYPE_TT_I8]    = {HOIST_DTYPE_I8,       pop_i8  },
    [HOIST_DTYPE_TT_I32]   = {HOIST_DTYPE_I32,      pop_i32 },
    [HOIST_DTYPE_U8]       = {HOIST_DTYPE_U8,       pop_u8  },
    [HOIST_DTYPE_U16]      = {HOIST_DTYPE_U16,      pop_u16 },
    [HOIST_DTYPE_TT_RAW8]  = {HOIST_DTYPE_TT_RAW8,  pop_f32 },
    [HOIST_DTYPE_TT_RAW16] = {HOIST_DTYPE_TT_RAW16, pop_f32 },
    [HOIST_DTYPE_TT_RAW32] = {HOIST_DTYPE_TT_RAW32, pop_f32 },
};
// clang-format on

hoist_dtype hoist_host_dtype(hoist_dtype dtype)
{
    return (unsigned)dtype < HOIST_DTYPE_COUNT ? formats[dtype].host : HOIST_DTYPE_NONE;
}

static hoist_status measure(const hoist_queue_layout *layout, size_t host_size,
                            hoist_tiling_size *out_size)
{
    *out_size = (hoist_tiling_size){0};
    const hoist_dtype host = hoist_host_dtype(layout->dtype);
    if (host == HOIST_DTYPE_NONE) {
        return HOIST_UNSUPPORTED;
    }
    hoist_queue_size size;
    HOIST_TRY(hoist_queue_measure(layout, &size));
    if (host_size != size.tiling.elements * hoist_dtype_get(host)->bits / 8) {
        return HOIST_INVALID;
    }
    *out_size = size.tiling;
    return HOIST_OK;
}

// Index in the tensor of the k-th host datum.
static size_t tensor_index(const hoist_queue_layout *layout, const hoist_tiling_size *size,
                           size_t k)
{
    if (hoist_dtype_get(layout->dtype)->kind != HOIST_CLASS_RAW) {
        return k;
    }
    const size_t height = layout->tiling.tile_height;
    const size_t width = layout->tiling.tile_width;
    const size_t tile = k / (height * width);
    const size_t across = size->cols / width;
    // Tile rows of all slices in one run: a slice is an integer number of them.
    const size_t row = tile / across * height + k / width % height;
    HOIST_ASSERT(row < size->rows * layout->tiling.t);
    return row * size->cols + tile % across * width + k % width;
}

// The common case, worth a loop of its own.
static void load_bf16(hoist_bytes host, size_t count, float *tensor)
{
    for (size_t k = 0; k < count; k++) {
        const uint32_t bits = hoist_load_u16le(host.data + 2 * k);
        tensor[k] = hoist_f32_from_bits(bits << 16);
    }
}

hoist_status hoist_host_load(const hoist_queue_layout *layout, hoist_bytes host, float *tensor)
{
    hoist_tiling_size size;
    HOIST_TRY(measure(layout, host.size, &size));
    const hoist_dtype dtype = hoist_host_dtype(layout->dtype);
    const size_t bytes = hoist_dtype_get(dtype)->bits / 8;
    if (dtype == HOIST_DTYPE_BF16) {
        load_bf16(host, size.elements, tensor);
        return HOIST_OK;
    }
    for (size_t k = 0; k < size.elements; k++) {
        const uint64_t bits = hoist_element_load(host.data + k * bytes, bytes);
        tensor[tensor_index(layout, &size, k)] = hoist_to_f32(dtype, bits);
    }
    return HOIST_OK;
}

hoist_status hoist_host_pop(const hoist_queue_layout *layout, const float *tensor,
                            hoist_mut_bytes host)
{
    hoist_tiling_size size;
    HOIST_TRY(measure(layout, host.size, &size));
    const size_t bytes = hoist_dtype_get(hoist_host_dtype(layout->dtype))->bits / 8;
    for (size_t k = 0; k < size.elements; k++) {
        const uint32_t u = hoist_f32_to_bits(tensor[tensor_index(layout, &size, k)]);
        hoist_element_store(host.data + k * bytes, bytes, formats[layout->dtype].pop(u));
    }
    return HOIST_OK;
}
