// Tenstorrent's element formats from and to float32 bit patterns (buda-ops reference section 2):
// saturation, rounding and special values as the reference model has them.
#include "tensor/tt_element.h"

#include "base/assert.h"
#include "tensor/float_bits.h"

// Biased exponent of a float32 and the mask of its mantissa.
#define F32_EXPONENT(u) (((u) >> 23) & 0xff)
#define F32_MANTISSA 0x7fffffu
#define F32_BIAS 127
#define F32_SIGN 0x80000000u

typedef uint32_t element_fn(const hoist_dtype_info *info, uint32_t u);

static uint32_t same(const hoist_dtype_info *info, uint32_t u)
{
    (void)info;
    return u;
}

static uint32_t tf32_encode(const hoist_dtype_info *info, uint32_t u)
{
    return u & ~((1u << (23 - info->mantissa_bits)) - 1);
}

static uint32_t bf16_encode(const hoist_dtype_info *info, uint32_t u)
{
    (void)info;
    return u >> 16;
}

static uint32_t bf16_decode(const hoist_dtype_info *info, uint32_t bits)
{
    (void)info;
    return bits << 16;
}

// A float whose top exponent is an ordinary binade: too small is flushed to a signed zero, too
// large (Inf and NaN too) becomes all ones below the sign, the rest is truncated.
static uint32_t small_float_encode(const hoist_dtype_info *info, uint32_t u)
{
    const int m = info->mantissa_bits;
    const int top = (1 << info->exponent_bits) - 1;
    const int field = (int)F32_EXPONENT(u) - F32_BIAS + info->bias;
    const uint32_t sign = (u >> 31) << (info->bits - 1);
    if (field <= 0) {
        return sign;
    }
    if (field > top) {
        return sign | ((1u << (info->bits - 1)) - 1);
    }
    return sign | ((uint32_t)field << m) | ((u & F32_MANTISSA) >> (23 - m));
}

// A zero exponent field stays zero, so a stored denormal reads as a tiny float32 denormal and not
// as its value.
static uint32_t small_float_decode(const hoist_dtype_info *info, uint32_t bits)
{
    const int m = info->mantissa_bits;
    const uint32_t sign = ((bits >> (info->bits - 1)) & 1) << 31;
    const uint32_t field = (bits >> m) & ((1u << info->exponent_bits) - 1);
    const uint32_t mantissa = (bits & ((1u << m) - 1)) << (23 - m);
    const uint32_t rebias = field ? (uint32_t)(F32_BIAS - info->bias) : 0;
    return sign | (field + rebias) << 23 | mantissa;
}

// Rounds 0 <= `a` <= 2^31 half up. Adding 0.5 first would turn 0.49999997 into 1.
static uint32_t round_half_up(float a)
{
    const uint32_t whole = (uint32_t)a;
    return whole + (a - (float)whole >= 0.5f);
}

static uint32_t i8_encode(const hoist_dtype_info *info, uint32_t u)
{
    (void)info;
    const float a = hoist_f32_from_bits(u & ~F32_SIGN);
    const uint32_t magnitude = a < 127.0f ? round_half_up(a) : 127;
    return magnitude ? ((u >> 31) << 7) | magnitude : 0;
}

// The two sides differ: negative numbers are rounded, others truncated.
static uint32_t i32_encode(const hoist_dtype_info *info, uint32_t u)
{
    (void)info;
    const float f = hoist_f32_from_bits(u);
    const float limit = 2147483648.0f;
    if (f < 0.0f) {
        return F32_SIGN | round_half_up(-f < limit ? -f : limit);
    }
    if (f < limit) {
        return (uint32_t)f;
    }
    return f >= limit ? INT32_MAX : 0;
}

static uint32_t magnitude_decode(const hoist_dtype_info *info, uint32_t bits)
{
    const uint32_t sign_bit = 1u << (info->bits - 1);
    const uint32_t magnitude = bits & (sign_bit - 1);
    const int32_t value = bits & sign_bit ? -(int32_t)magnitude : (int32_t)magnitude;
    return hoist_f32_to_bits((float)value);
}

static uint32_t unsigned_encode(const hoist_dtype_info *info, uint32_t u)
{
    const float f = hoist_f32_from_bits(u);
    const uint32_t most = (1u << info->bits) - 1;
    if (f >= (float)most) {
        return most;
    }
    return f > 0.0f ? round_half_up(f) : 0;
}

static uint32_t unsigned_decode(const hoist_dtype_info *info, uint32_t bits)
{
    (void)info;
    return hoist_f32_to_bits((float)bits);
}

// clang-format off
static const struct {
    element_fn *encode;
    element_fn *decode;
} rules[HOIST_DTYPE_COUNT] = {
    [HOIST_DTYPE_F32]       = {same,               same},
    [HOIST_DTYPE_TF32]      = {tf32_encode,        same},
    [HOIST_DTYPE_BF16]      = {bf16_encode,        bf16_decode},
    [HOIST_DTYPE_U8]        = {unsigned_encode,    unsigned_decode},
    [HOIST_DTYPE_U16]       = {unsigned_encode,    unsigned_decode},
    [HOIST_DTYPE_TT_F16]    = {small_float_encode, small_float_decode},
    [HOIST_DTYPE_TT_LF8]    = {small_float_encode, small_float_decode},
    [HOIST_DTYPE_TT_F8E4M3] = {small_float_encode, small_float_decode},
    [HOIST_DTYPE_TT_I8]     = {i8_encode,          magnitude_decode},
    [HOIST_DTYPE_TT_I32]    = {i32_encode,         magnitude_decode},
    [HOIST_DTYPE_TT_RAW8]   = {same,               same},
    [HOIST_DTYPE_TT_RAW16]  = {same,               same},
    [HOIST_DTYPE_TT_RAW32]  = {same,               same},
};
// clang-format on

static uint32_t low_bits(const hoist_dtype_info *info, uint32_t bits)
{
    return info->bits < 32 ? bits & ((1u << info->bits) - 1) : bits;
}

bool hoist_tt_has_rule(hoist_dtype dtype)
{
    return (unsigned)dtype < HOIST_DTYPE_COUNT && rules[dtype].encode != NULL;
}

uint32_t hoist_tt_encode(hoist_dtype dtype, uint32_t u)
{
    HOIST_ASSERT(hoist_tt_has_rule(dtype));
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return low_bits(info, rules[dtype].encode(info, u));
}

uint32_t hoist_tt_decode(hoist_dtype dtype, uint32_t bits)
{
    HOIST_ASSERT(hoist_tt_has_rule(dtype));
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return rules[dtype].decode(info, low_bits(info, bits));
}
