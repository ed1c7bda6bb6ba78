// Block floats: 16 float32 in, a shared exponent and 16 mantissas out, rounded half away from zero
// or truncated, and back (buda-ops reference section 2.1).
#include "tensor/block.h"

#include "base/assert.h"

// Distance of the A formats' exponent bias (15) from float32's (127).
#define A_REBIAS 112
#define F32_MANTISSA 0x7fffffu
#define HIDDEN_ONE 0x800000u

// One value on the block's own exponent scale, before the common exponent is known.
typedef struct scaled {
    int exponent;
    uint32_t mantissa; // without the hidden one
} scaled;

static bool is_a_format(const hoist_dtype_info *info)
{
    return info->exponent_bits == 5;
}

static scaled scale(const hoist_dtype_info *info, uint32_t u)
{
    const int exponent = (int)((u >> 23) & 0xff);
    const uint32_t mantissa = u & F32_MANTISSA;
    if (!is_a_format(info)) {
        return (scaled){exponent, mantissa};
    }
    if (exponent - A_REBIAS > 31) {
        return (scaled){31, F32_MANTISSA};
    }
    if (exponent - A_REBIAS < 0) {
        return (scaled){0, 0};
    }
    return (scaled){exponent - A_REBIAS, mantissa};
}

// The hidden one is added even to a float32 denormal.
static uint32_t shifted_mantissa(scaled value, int block_exponent)
{
    HOIST_ASSERT(block_exponent >= value.exponent);
    const int shift = block_exponent - value.exponent;
    return shift > 31 ? 0 : (HIDDEN_ONE | value.mantissa) >> shift;
}

static uint8_t encode_datum(const hoist_dtype_info *info, uint32_t u, int exponent, bool truncate)
{
    if ((u & 0x7fffffff) == 0) {
        return 0; // the sign of -0.0 is lost
    }
    const int m = info->mantissa_bits;
    const int k = 24 - m;
    const uint32_t most = (1u << m) - 1;
    uint32_t q = shifted_mantissa(scale(info, u), exponent);
    q = truncate ? q >> k : (q + (1u << (k - 1))) >> k;
    if (q > most) {
        q = most; // rounding never bumps the shared exponent
    }
    const uint32_t sign = q ? u >> 31 : 0;
    HOIST_ASSERT(q <= most && m < 8);
    return (uint8_t)(sign << m | q);
}

hoist_block hoist_block_encode(hoist_dtype dtype, const uint32_t values[HOIST_BLOCK_SIZE],
                               bool truncate)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    HOIST_ASSERT(info->kind == HOIST_CLASS_BLOCK);
    int exponent = 0;
    for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
        const int own = scale(info, values[i]).exponent;
        exponent = own > exponent ? own : exponent;
    }
    hoist_block block = {.exponent = (uint8_t)(exponent & 0xff)};
    for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
        block.datum[i] = encode_datum(info, values[i], exponent, truncate);
    }
    return block;
}

uint32_t hoist_block_decode(hoist_dtype dtype, uint8_t exponent, uint8_t datum)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    HOIST_ASSERT(info->kind == HOIST_CLASS_BLOCK);
    const int m = info->mantissa_bits;
    const uint32_t sign = (uint32_t)((datum >> m) & 1) << 31;
    uint32_t q = datum & ((1u << m) - 1);
    if (q == 0) {
        return sign;
    }
    int e = is_a_format(info) ? (exponent & 31) + A_REBIAS : exponent;
    while (!(q >> (m - 1))) {
        q <<= 1;
        e--;
    }
    if (e < 0) {
        return sign;
    }
    const uint32_t fraction = (q << 1) & ((1u << m) - 1);
    return sign | ((uint32_t)e << 23) | (fraction << (23 - m));
}
