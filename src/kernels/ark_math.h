// kernels/ark_math.h - exp, sigmoid and gelu of the profile ark on vectors of float32: the same
// bits at every CPU level and on every architecture. exp is less than 1 last place from the true
// value, sigmoid less than 1.7 and gelu less than 0.51 (README.md).
//
// Everything is IEEE arithmetic in the order that is written here, without fused multiply-add. e^x
// is 2^n * e^r, reduced as Cody and Waite do (Software Manual for the Elementary Functions, chapter
// 6), and the polynomial of e^r is the best one of its degree, found by Remez' algorithm. The
// product with 2^n comes last, so that it rounds once to subnormal numbers, zero and infinity.
//
// NaN gives NaN, not always the same one: hoist_ark_settle().
#ifndef HOIST_SRC_KERNELS_ARK_MATH_H
#define HOIST_SRC_KERNELS_ARK_MATH_H

#include "kernels/lanes64.h"

// In float32: exp and sigmoid ---------------------------------------------------------------------

// Beyond +-LIMIT e^x is outside of float32, however it is divided, and 2^n is two floats' product.
#define HOIST_ARK_LIMIT 170.0F

// 2^n * (1 + part).
typedef struct hoist_ark_power {
    hoist_i32s n;    // from -246 to 246
    hoist_f32s part; // e^r - 1 for |r| <= log(2) / 2
} hoist_ark_power;

// NaN comes out as it is: both functions give their second operand then.
HOIST_LANES_INLINE hoist_f32s hoist_ark_clamp(hoist_f32s x)
{
    const hoist_f32s above = hoist_lanes_greater_f32(hoist_lanes_all_f32(-HOIST_ARK_LIMIT), x);
    return hoist_lanes_lesser_f32(hoist_lanes_all_f32(HOIST_ARK_LIMIT), above);
}

// x * 2^n: the first product is exact where x is 0 or not subnormal.
HOIST_LANES_INLINE hoist_f32s hoist_ark_scale(hoist_f32s x, hoist_i32s n)
{
    const hoist_u32s half = (hoist_u32s)(n >> 1);
    const hoist_u32s first = (half + 127) << 23;
    const hoist_u32s second = ((hoist_u32s)n - half + 127) << 23;
    return x * (hoist_f32s)first * (hoist_f32s)second;
}

// Adding this to a float below 2^22 rounds it to an integer, which then is in the low bits.
#define HOIST_ARK_SHIFT 0x1.8p23F

// e^x for |x| <= HOIST_ARK_LIMIT.
HOIST_LANES_INLINE hoist_ark_power hoist_ark_power_of(hoist_f32s x)
{
    // (e^r - 1 - r) / r^2
    static const float c[] = {0x1.fffffcp-2F, 0x1.555492p-3F, 0x1.5558f2p-5F, 0x1.1239e2p-7F,
                              0x1.6a2434p-10F};
    const hoist_f32s shift = hoist_lanes_all_f32(HOIST_ARK_SHIFT);
    const hoist_f32s shifted = x * hoist_lanes_all_f32(0x1.715476p0F) + shift;
    const hoist_f32s n = shifted - shift;
    // log(2) in two parts: the product with the first is exact, and so is the difference.
    const hoist_f32s r =
        (x - n * hoist_lanes_all_f32(0x1.62e4p-1F)) - n * hoist_lanes_all_f32(0x1.7f7d1cp-20F);
    hoist_f32s sum = hoist_lanes_all_f32(c[4]);
    for (size_t i = 4; i > 0; i--) {
        sum = sum * r + hoist_lanes_all_f32(c[i - 1]);
    }
    return (hoist_ark_power){(hoist_i32s)((hoist_u32s)shifted - (hoist_u32s)shift),
                             sum * (r * r) + r};
}

HOIST_LANES_INLINE hoist_f32s hoist_ark_exp(hoist_f32s x)
{
    const hoist_ark_power power = hoist_ark_power_of(hoist_ark_clamp(x));
    return hoist_ark_scale(hoist_lanes_all_f32(1) + power.part, power.n);
}

// 1 / (1 + e^-x) from e^-|x|, of negative x as e^x / (1 + e^x). That sum is rounded; what it has
// lost goes to the dividend, where it costs nothing: without it the result is 2.2 last places off.
HOIST_LANES_INLINE hoist_f32s hoist_ark_sigmoid(hoist_f32s x)
{
    const hoist_f32s one = hoist_lanes_all_f32(1);
    const hoist_u32s minus = (hoist_u32s)hoist_ark_clamp(x) | hoist_lanes_all(0x80000000);
    const hoist_ark_power power = hoist_ark_power_of((hoist_f32s)minus);
    const hoist_f32s fraction = one + power.part;
    const hoist_f32s e = hoist_ark_scale(fraction, power.n);
    const hoist_f32s sum = one + e;
    const hoist_f32s lost = (e - (sum - one)) * fraction;
    const hoist_i32s is_negative = x < 0;
    const hoist_f32s dividend = hoist_lanes_choose_f32(is_negative, one + (power.part - lost), one);
    return hoist_ark_scale(dividend / sum, power.n & is_negative);
}

// In float64: gelu --------------------------------------------------------------------------------

// Beyond +-LIMIT e^x is far outside of float32, and its exponent inside of double.
#define HOIST_ARK_EXP_LIMIT 700

// e^x for |x| <= HOIST_ARK_EXP_LIMIT, where x = n * log(2) + r, |r| <= log(2) / 2: relative error
// below 2^-33. 0 gives 1.
HOIST_LANES_INLINE hoist_f64s hoist_ark_exp64(hoist_f64s x)
{
    // (e^r - 1 - r) / r^2
    static const double c[] = {
        0x1.0000003a236d4p-1, 0x1.555554433bb08p-3,  0x1.55548dc4a732bp-5,
        0x1.111270b3a4585p-7, 0x1.6d8d06ca37d8fp-10, 0x1.9f089541db8f6p-13,
    };
    const hoist_f64s shifted = x * 0x1.71547652b82fep+0 + HOIST_LANES64_SHIFT;
    const hoist_f64s n = shifted - HOIST_LANES64_SHIFT;
    // log(2) in two parts: the product with the first is exact, and so is the difference.
    const hoist_f64s r = (x - n * 0x1.62e42fefa38p-1) - n * 0x1.ef35793c7673p-45;
    hoist_f64s sum = hoist_lanes64_all(c[5]);
    for (size_t i = 5; i > 0; i--) {
        sum = sum * r + c[i - 1];
    }
    sum = sum * r * r + r + 1.0;
    return (hoist_f64s)((hoist_u64s)sum + ((hoist_u64s)shifted << 52));
}

// 1 / (1 + e^-x), and exactly 0 where e^-x is beyond all floats.
HOIST_LANES_INLINE hoist_f64s hoist_ark_sigmoid64(hoist_f64s x)
{
    const double limit = HOIST_ARK_EXP_LIMIT;
    const hoist_f64s share = 1.0 / (1.0 + hoist_ark_exp64(hoist_lanes64_clamp(-x, -limit, limit)));
    return hoist_lanes64_choose(x < -limit, hoist_lanes64_all(0), share);
}

// x / 2 * (1 + tanh(u)), u = 0.7978845608 * (x + 0.044715 * x^3), as x * sigmoid(2 u), which does
// not cancel. -Inf gives NaN, as the formula does.
HOIST_LANES_INLINE hoist_f64s hoist_ark_gelu64(hoist_f64s x)
{
    return x * hoist_ark_sigmoid64((2 * 0.7978845608) * (x + 0.044715 * (x * x * x)));
}

// An error of 2 u is as many last places of e^(2 u) as it is large: hence double.
HOIST_LANES_INLINE hoist_f32s hoist_ark_gelu(hoist_f32s x)
{
    return hoist_lanes64_join(hoist_ark_gelu64(hoist_lanes64_low(x)),
                              hoist_ark_gelu64(hoist_lanes64_high(x)));
}

#endif // HOIST_SRC_KERNELS_ARK_MATH_H
