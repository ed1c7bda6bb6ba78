// kernels/fixed_point.h - the integer arithmetic of TFLite's reference kernels (TFLite kernels
// reference, sections 2 and 5). Bits are defined for all arguments; nothing here is undefined.
//
// Qk: a raw int32 with k bits before the point and 31 - k behind it. One in Q0 is 2^31 - 1.
#ifndef HOIST_SRC_KERNELS_FIXED_POINT_H
#define HOIST_SRC_KERNELS_FIXED_POINT_H

#include <stdint.h>

// a * b / 2^31, half up (which takes -0.5 to 0); saturates where both are -2^31.
static inline int32_t hoist_fixed_multiply(int32_t a, int32_t b)
{
    if (a == INT32_MIN && b == INT32_MIN) {
        return INT32_MAX;
    }
    const int64_t product = (int64_t)a * b;
    const int64_t nudge = product >= 0 ? INT64_C(1) << 30 : 1 - (INT64_C(1) << 30);
    return (int32_t)((product + nudge) / (INT64_C(1) << 31));
}

// x / 2^exponent, half away from zero; exponent 0 to 31.
static inline int32_t hoist_fixed_divide(int32_t x, int exponent)
{
    const int32_t mask = (int32_t)((INT64_C(1) << exponent) - 1);
    const int32_t remainder = x & mask;
    const int32_t threshold = (mask >> 1) + (x < 0 ? 1 : 0);
    return (x >> exponent) + (remainder > threshold ? 1 : 0);
}

// x * 2^count modulo 2^32; count 0 to 31.
static inline int32_t hoist_fixed_shift(int32_t x, int count)
{
    return (int32_t)((uint32_t)x << count);
}

// a + b modulo 2^32.
static inline int32_t hoist_fixed_add(int32_t a, int32_t b)
{
    return (int32_t)((uint32_t)a + (uint32_t)b);
}

// x * multiplier * 2^(shift - 31), rounded twice; any multiplier, shift -31 to 30. A positive
// shift is done first, modulo 2^32: where that loses bits TFLite's result is undefined.
static inline int32_t hoist_fixed_scale(int32_t x, int32_t multiplier, int shift)
{
    const int left = shift > 0 ? shift : 0;
    const int right = shift > 0 ? 0 : -shift;
    return hoist_fixed_divide(hoist_fixed_multiply(hoist_fixed_shift(x, left), multiplier), right);
}

// The same with one rounding of the 64-bit product, half up.
static inline int32_t hoist_fixed_scale_single(int32_t x, int32_t multiplier, int shift)
{
    const int left = shift > 0 ? shift : 0;
    const int right = shift > 0 ? 31 : 31 - shift;
    const int64_t product = (int64_t)hoist_fixed_shift(x, left) * multiplier;
    return (int32_t)((product + (INT64_C(1) << (right - 1))) >> right);
}

// x * multiplier * 2^(shift - 31) of a sum of 64 bits (TFLite's of 48): the multiplier, 0 or more,
// is rounded to 15 bits, the product once, half up; shift -31 to 7. Sums beyond 2^47 count as 2^47,
// which leaves any 16 bits.
static inline int64_t hoist_fixed_scale_wide(int64_t x, int32_t multiplier, int shift)
{
    const int64_t most = INT64_C(1) << 47;
    const int64_t within = x > most ? most : x < -most ? -most : x;
    const int64_t reduced =
        multiplier < 0x7FFF0000 ? ((int64_t)multiplier + (1 << 15)) >> 16 : INT16_MAX;
    return (within * reduced + (INT64_C(1) << (14 - shift))) >> (15 - shift);
}

// x * 2^count, saturating; count 0 to 31.
int32_t hoist_fixed_shift_saturating(int32_t x, int count);

// (a + b) / 2, half away from zero.
int32_t hoist_fixed_half_sum(int32_t a, int32_t b);

// e^a in Q0 of a <= 0 in Q`bits`; bits 0 to 29.
int32_t hoist_fixed_exp(int32_t a, int bits);

// 1 / (1 + a) and (1 - a) / (1 + a) in Q0 of a in Q0, 0 or more.
int32_t hoist_fixed_reciprocal(int32_t a);
int32_t hoist_fixed_ratio(int32_t a);

// 1 / (1 + e^-f) and tanh(f) in Q0 of f in Q4; f is not -2^31.
int32_t hoist_fixed_logistic(int32_t f);
int32_t hoist_fixed_tanh(int32_t f);

// The same of 16 bits, 15 - bits of them behind the point: in Q0 of f in Q3, and in Q`bits`, 0
// to 6.
int16_t hoist_fixed_logistic_short(int16_t f);
int16_t hoist_fixed_tanh_short(int16_t f, int bits);

#endif // HOIST_SRC_KERNELS_FIXED_POINT_H
