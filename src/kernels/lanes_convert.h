// kernels/lanes_convert.h - lanes of elements as stored to float32 values, hoist_lanes_of_TYPE(),
// and back, hoist_lanes_to_TYPE(): the definitions of tensor/convert.h under HOIST_ROUND_NEAREST.
//
// float32 arithmetic occurs where it is exact or rounds to nearest by itself: the environment's
// rounding mode must be that.
#ifndef HOIST_SRC_KERNELS_LANES_CONVERT_H
#define HOIST_SRC_KERNELS_LANES_CONVERT_H

#include "kernels/lanes.h"

#define HOIST_F32_SIGN 0x80000000u
#define HOIST_F32_INFINITY 0x7f800000u
#define HOIST_F32_MANTISSA 0x7fffffu

// A small float: `m` mantissa bits below `e` exponent bits. `fn`: no infinity, all ones is NaN.
typedef struct hoist_small_float {
    uint32_t e;
    uint32_t m;
    bool fn;
} hoist_small_float;

// Types by their parts; e4m3fn has numbers where others have infinities.
static const hoist_small_float hoist_f16_form = {5, 10, false};
static const hoist_small_float hoist_f8e5m2_form = {5, 2, false};
static const hoist_small_float hoist_f8e4m3_form = {4, 3, false};
static const hoist_small_float hoist_f8e4m3fn_form = {4, 3, true};
static const hoist_small_float hoist_f8e3m4_form = {3, 4, false};

// 2^exponent, modulo 2^32: negative exponents are large unsigned ones.
HOIST_LANES_INLINE hoist_f32s hoist_lanes_power_of_two(uint32_t exponent)
{
    return (hoist_f32s)hoist_lanes_all((127 + exponent) << 23);
}

// Denormals: adding a number whose last place is theirs rounds to it, ties to even.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_narrow(hoist_u32s u, hoist_small_float f)
{
    // The exponent of 1; `top` is the exponent of infinity and NaN.
    const uint32_t bias = (1u << (f.e - 1)) - 1;
    const uint32_t shift = 23 - f.m;
    const uint32_t top = ((1u << f.e) - 1) << f.m;
    const uint32_t worst = f.fn ? top | 7 : top; // what overflows
    const hoist_u32s magnitude = u & ~HOIST_F32_SIGN;
    const hoist_u32s odd = (magnitude >> shift) & 1;
    // Half of the last place is added, less one where the place is even: ties go to even.
    const hoist_u32s normal =
        ((magnitude + ((1u << (shift - 1)) - 1) + odd) >> shift) - ((127 - bias) << f.m);
    const hoist_f32s last = hoist_lanes_power_of_two(24 - bias - f.m);
    const hoist_u32s small = (hoist_u32s)((hoist_f32s)magnitude + last) - (hoist_u32s)last;
    const hoist_i32s is_small = hoist_lanes_less(magnitude, hoist_lanes_all((128 - bias) << 23));
    // What is beyond the largest number becomes infinity, or NaN where the form has none.
    const hoist_u32s fields =
        hoist_lanes_min(hoist_lanes_choose(is_small, small, normal), hoist_lanes_all(worst));
    const uint32_t quiet = f.fn ? worst : top | 1u << (f.m - 1);
    // The payload that fits, and quiet.
    const hoist_u32s nan = ((magnitude & HOIST_F32_MANTISSA) >> shift) | quiet;
    const hoist_i32s is_nan = hoist_lanes_less(hoist_lanes_all(HOIST_F32_INFINITY), magnitude);
    return hoist_lanes_choose(is_nan, nan, fields) | u >> 31 << (f.e + f.m);
}

// Every small float is a float32: fields move, and denormals are counted in their last place.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_widen(hoist_u32s bits, hoist_small_float f)
{
    const uint32_t bias = (1u << (f.e - 1)) - 1;
    const uint32_t top = ((1u << f.e) - 1) << f.m;
    const hoist_u32s magnitude = bits & ((1u << (f.e + f.m)) - 1);
    const hoist_u32s normal = (magnitude << (23 - f.m)) + ((127 - bias) << 23);
    const hoist_f32s count = __builtin_convertvector((hoist_i32s)magnitude, hoist_f32s);
    const hoist_u32s small = (hoist_u32s)(count * hoist_lanes_power_of_two(1 - bias - f.m));
    const hoist_i32s is_small = hoist_lanes_less(magnitude, hoist_lanes_all(1u << f.m));
    const hoist_i32s is_top =
        hoist_lanes_less(hoist_lanes_all((f.fn ? top | 7 : top) - 1), magnitude);
    // Infinity has no mantissa; NaN keeps its own.
    const hoist_u32s special = ((magnitude & ((1u << f.m) - 1)) << (23 - f.m)) | HOIST_F32_INFINITY;
    const hoist_u32s finite = hoist_lanes_choose(is_small, small, normal);
    return hoist_lanes_choose(is_top, special, finite) | bits >> (f.e + f.m) << 31;
}

// Both ways for a form, whose numbers are known after inlining.
#define SMALL_FLOAT(name)                                                                          \
    HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_##name(hoist_u32s u)                              \
    {                                                                                              \
        return hoist_lanes_narrow(u, hoist_##name##_form);                                         \
    }                                                                                              \
    HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_##name(hoist_u32s bits)                           \
    {                                                                                              \
        return hoist_lanes_widen(bits, hoist_##name##_form);                                       \
    }

SMALL_FLOAT(f16)
SMALL_FLOAT(f8e5m2)
SMALL_FLOAT(f8e4m3)
SMALL_FLOAT(f8e4m3fn)
SMALL_FLOAT(f8e3m4)

// The type itself, so that tables have it as they have others.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_f32(hoist_u32s u)
{
    return u;
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_f32(hoist_u32s bits)
{
    return bits;
}

HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_bf16(hoist_u32s u)
{
    // The same rounding in the lower half: a carry goes into the exponent as it should.
    const hoist_u32s rounded = (u + 0x7fff + ((u >> 16) & 1)) >> 16;
    const hoist_i32s is_nan =
        hoist_lanes_less(hoist_lanes_all(HOIST_F32_INFINITY), u & ~HOIST_F32_SIGN);
    return hoist_lanes_choose(is_nan, u >> 16 | 0x40, rounded);
}

HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_bf16(hoist_u32s bits)
{
    return bits << 16;
}

// Integers.

// 0 for NaN, all other numbers as they are.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_without_nan(hoist_u32s u)
{
    return hoist_lanes_keep(
        ~hoist_lanes_less(hoist_lanes_all(HOIST_F32_INFINITY), u & ~HOIST_F32_SIGN), u);
}

// Of up to 16 bits, from `least` to `most`. Adding 1.5 * 2^23 leaves the integer in the mantissa.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_short(hoist_u32s u, float least, float most,
                                                   uint32_t mask)
{
    const hoist_f32s low = hoist_lanes_all_f32(least);
    const hoist_f32s high = hoist_lanes_all_f32(most);
    hoist_f32s x = (hoist_f32s)hoist_lanes_without_nan(u);
    // Clamped first: what is added is then small enough to round to an integer.
    x = hoist_lanes_choose_f32(x < low, low, x);
    x = hoist_lanes_choose_f32(x > high, high, x);
    const hoist_f32s large = hoist_lanes_all_f32(12582912.0F);
    return ((hoist_u32s)(x + large) - (hoist_u32s)large) & mask;
}

// Lanes of 0 to below 2^31 as integers: truncated, or the nearest.
typedef hoist_u32s hoist_lanes_integer_fn(hoist_f32s x);

HOIST_LANES_INLINE hoist_u32s hoist_lanes_truncated(hoist_f32s x)
{
    return (hoist_u32s) __builtin_convertvector(x, hoist_i32s);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_nearest(hoist_f32s x)
{
    const hoist_f32s large =
        hoist_lanes_all_f32(8388608.0F); // 2^23: from there on all are integers
    const hoist_u32s rounded = (hoist_u32s)(x + large) - (hoist_u32s)large;
    return hoist_lanes_choose(x < large, rounded, hoist_lanes_truncated(x));
}

// Saturated; NaN gives 0.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_signed(hoist_u32s u,
                                                    hoist_lanes_integer_fn *to_integer)
{
    const hoist_u32s number = hoist_lanes_without_nan(u);
    const hoist_f32s magnitude = (hoist_f32s)(number & ~HOIST_F32_SIGN);
    const hoist_i32s fits = magnitude < hoist_lanes_all_f32(2147483648.0F);
    const hoist_u32s integer =
        to_integer((hoist_f32s)hoist_lanes_keep(fits, (hoist_u32s)magnitude));
    // All ones for a negative number: flipping and adding one is its negative.
    const hoist_u32s minus = -(number >> 31);
    // The end of the range on the number's side.
    const hoist_u32s end = minus ^ 0x7fffffffu;
    return hoist_lanes_choose(fits, (integer ^ minus) - minus, end);
}

HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_unsigned(hoist_u32s u,
                                                      hoist_lanes_integer_fn *to_integer)
{
    const hoist_u32s number = hoist_lanes_without_nan(u);
    const hoist_f32s half = hoist_lanes_all_f32(2147483648.0F);
    const hoist_f32s x = (hoist_f32s)hoist_lanes_keep((hoist_i32s)number >= 0, number);
    const hoist_i32s fits = x < hoist_lanes_all_f32(4294967296.0F);
    const hoist_i32s is_high = x >= half;
    // The conversion is of signed numbers: 2^31 is taken off before it, and put back as a bit.
    const hoist_f32s rest = hoist_lanes_choose_f32(is_high, x - half, x);
    const hoist_u32s integer = to_integer((hoist_f32s)hoist_lanes_keep(fits, (hoist_u32s)rest));
    return hoist_lanes_choose(fits,
                              integer + hoist_lanes_keep(is_high, hoist_lanes_all(HOIST_F32_SIGN)),
                              hoist_lanes_all(UINT32_MAX));
}

HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_i32(hoist_u32s u)
{
    return hoist_lanes_to_signed(u, hoist_lanes_nearest);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_u32(hoist_u32s u)
{
    return hoist_lanes_to_unsigned(u, hoist_lanes_nearest);
}

// Ranges of the types, and the bits of them that are stored.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_i8(hoist_u32s u)
{
    return hoist_lanes_to_short(u, -128, 127, 0xff);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_u8(hoist_u32s u)
{
    return hoist_lanes_to_short(u, 0, 255, 0xff);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_i16(hoist_u32s u)
{
    return hoist_lanes_to_short(u, -32768, 32767, 0xffff);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_u16(hoist_u32s u)
{
    return hoist_lanes_to_short(u, 0, 65535, 0xffff);
}
// 1, but 0 for zeros of either sign; NaN gives 1.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_to_bool(hoist_u32s u)
{
    return hoist_lanes_keep((u & ~HOIST_F32_SIGN) != 0, hoist_lanes_all(1));
}

HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_integer(hoist_i32s integer)
{
    return (hoist_u32s) __builtin_convertvector(integer, hoist_f32s);
}
// Up and down again, which copies the sign into the lane.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_i8(hoist_u32s bits)
{
    return hoist_lanes_of_integer((hoist_i32s)(bits << 24) >> 24);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_u8(hoist_u32s bits)
{
    return hoist_lanes_of_integer((hoist_i32s)bits);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_i16(hoist_u32s bits)
{
    return hoist_lanes_of_integer((hoist_i32s)(bits << 16) >> 16);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_u16(hoist_u32s bits)
{
    return hoist_lanes_of_integer((hoist_i32s)bits);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_i32(hoist_u32s bits)
{
    return hoist_lanes_of_integer((hoist_i32s)bits);
}
// The low half is exact and the high one a multiple of 2^16: only their sum rounds.
HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_u32(hoist_u32s bits)
{
    const hoist_f32s high = (hoist_f32s)hoist_lanes_of_integer((hoist_i32s)(bits >> 16));
    const hoist_f32s low = (hoist_f32s)hoist_lanes_of_integer((hoist_i32s)(bits & 0xffff));
    return (hoist_u32s)(high * hoist_lanes_all_f32(65536.0F) + low);
}
HOIST_LANES_INLINE hoist_u32s hoist_lanes_of_bool(hoist_u32s bits)
{
    return hoist_lanes_keep(bits != 0, hoist_lanes_all(0x3f800000));
}

#endif // HOIST_SRC_KERNELS_LANES_CONVERT_H
