// kernels/quant_outcome.h - from sums of 32 bits to 8-bit results, in vectors (TFLite kernels
// reference, section 2).
//
// The first rounding of MBQM, round((x * m) / 2^31) with halves towards minus infinity's
// neighbour 0, is floor((x * m + 2^30) / 2^31): the reference's nudge of 1 - 2^30 for negative
// products and its truncating division come to the same. It cannot saturate, as m is not negative.
#ifndef HOIST_SRC_KERNELS_QUANT_OUTCOME_H
#define HOIST_SRC_KERNELS_QUANT_OUTCOME_H

#include "kernels/quant_prepared.h"

// What becomes of sums. Arrays are parts of prepared constants, by channel.
typedef struct hoist_quant_outcome {
    const uint8_t *multiplier;
    const uint8_t *right; // one less, or 0
    const uint8_t *once;  // 1, or 0 where nothing is shifted right
    const uint8_t *sign;  // -1, or 0 there; 0 of single roundings
    const uint8_t *left;  // NULL: no shift is positive
    bool is_float;
    bool is_single;
    int32_t low; // without zero_out
    int32_t high;
    uint32_t zero_out;
    float low_f32;
    float high_f32;
} hoist_quant_outcome;

// Reads `left` of every channel to see whether it is needed.
static inline hoist_quant_outcome hoist_quant_outcome_of(const hoist_quant_conv *conv,
                                                         const hoist_quant_prepared *layout,
                                                         const uint8_t *prepared)
{
    const hoist_quant_scale *scale = &conv->scale;
    hoist_quant_outcome out = {
        .multiplier = prepared + hoist_quant_part(layout, HOIST_QUANT_MULTIPLIER),
        .right = prepared + hoist_quant_part(layout, HOIST_QUANT_RIGHT),
        .once = prepared + hoist_quant_part(layout, HOIST_QUANT_ONCE),
        .sign = prepared + hoist_quant_part(layout, HOIST_QUANT_SIGN),
        .is_float = scale->is_float,
        .is_single = scale->is_single,
        .low = scale->low - scale->zero_out,
        .high = scale->high - scale->zero_out,
        .zero_out = (uint32_t)scale->zero_out,
        .low_f32 = scale->low_f32,
        .high_f32 = scale->high_f32,
    };
    const uint8_t *left = prepared + hoist_quant_part(layout, HOIST_QUANT_LEFT);
    hoist_u32s any = hoist_lanes_all(0);
    for (size_t o = 0; o < layout->channels && !scale->is_float; o += HOIST_LANES) {
        any |= hoist_lanes_load(left, o);
    }
    out.left = hoist_lanes_any((hoist_i32s)any) ? left : NULL;
    return out;
}

// floor((x * m + 2^30) / 2^31); m is 0 or more.
HOIST_QUANT_INLINE hoist_i32s hoist_lanes_multiply_high(hoist_u32s x, hoist_u32s m)
{
#if defined(__AVX512F__)
    const __m512i half = _mm512_set1_epi64(1 << 30);
    // Products of 64 bits are of every second lane: even ones, then odd ones, shifted to where
    // lanes are.
    const __m512i even = _mm512_mul_epi32((__m512i)x, (__m512i)m);
    const __m512i odd =
        _mm512_mul_epi32(_mm512_srli_epi64((__m512i)x, 32), _mm512_srli_epi64((__m512i)m, 32));
    return (hoist_i32s)_mm512_mask_blend_epi32(0xaaaa,
                                               _mm512_srli_epi64(_mm512_add_epi64(even, half), 31),
                                               _mm512_slli_epi64(_mm512_add_epi64(odd, half), 1));
#elif defined(__AVX2__)
    const __m256i half = _mm256_set1_epi64x(1 << 30);
    const __m256i even = _mm256_mul_epi32((__m256i)x, (__m256i)m);
    const __m256i odd =
        _mm256_mul_epi32(_mm256_srli_epi64((__m256i)x, 32), _mm256_srli_epi64((__m256i)m, 32));
    return (hoist_i32s)_mm256_blend_epi32(_mm256_srli_epi64(_mm256_add_epi64(even, half), 31),
                                          _mm256_slli_epi64(_mm256_add_epi64(odd, half), 1), 0xaa);
#else
    hoist_i32s result = (hoist_i32s)x;
    for (size_t i = 0; i < HOIST_LANES; i++) {
        const int64_t product = (int64_t)(int32_t)x[i] * (int32_t)m[i];
        result[i] = (int32_t)((product + (1 << 30)) >> 31);
    }
    return result;
#endif
}

// x / 2^right, half away from zero: floor((floor((x - sign) / 2^(right - 1)) + 1) / 2), where
// `sign` is 1 of a negative x. Five operations, none of which overflows, as a product's upper half
// is neither -2^31 nor 2^31 - 1. With right = 0 all three counts take care that nothing happens.
// Without signs halves go up.
HOIST_QUANT_INLINE hoist_i32s hoist_lanes_divide(hoist_i32s x, const hoist_quant_outcome *out,
                                                 size_t at)
{
    const hoist_u32s right = hoist_lanes_load(out->right, at);
    const hoist_u32s once = hoist_lanes_load(out->once, at);
    const hoist_i32s sign = (hoist_i32s)hoist_lanes_load(out->sign, at) & (x >> 31);
    const hoist_i32s part = (x + sign) >> (hoist_i32s)right;
    return (part + (hoist_i32s)once) >> (hoist_i32s)once;
}

// Results of the sums of channels `at`.., in integers, clamped.
HOIST_QUANT_INLINE hoist_u32s hoist_quant_i32(const hoist_quant_outcome *out, const bool is_single,
                                              size_t at, hoist_u32s sum)
{
    if (out->left) {
        sum <<= hoist_lanes_load(out->left, at);
    }
    const hoist_u32s multiplier = hoist_lanes_load(out->multiplier, at);
    hoist_i32s high = hoist_lanes_multiply_high(sum, multiplier);
    if (is_single) { // what is shifted right comes without the first rounding
        high -= (hoist_i32s)(sum * multiplier >> 30 & hoist_lanes_load(out->once, at));
    }
    hoist_u32s y = (hoist_u32s)hoist_lanes_divide(high, out, at);
    // The limits have the zero point taken off, so that it is added once.
    y = hoist_lanes_max(y, hoist_lanes_all((uint32_t)out->low));
    y = hoist_lanes_min(y, hoist_lanes_all((uint32_t)out->high));
    return y + out->zero_out;
}

// The same by way of floats. What is rounded is small: at 1.5 * 2^23 floats are integers, so
// the addition rounds it, half to even.
HOIST_QUANT_INLINE hoist_u32s hoist_quant_f32(const hoist_quant_outcome *out, size_t at,
                                              hoist_u32s sum)
{
    const hoist_f32s low = hoist_lanes_all_f32(out->low_f32);
    const hoist_f32s high = hoist_lanes_all_f32(out->high_f32);
    const hoist_f32s scale = (hoist_f32s)hoist_lanes_load(out->multiplier, at);
    hoist_f32s t = __builtin_convertvector((hoist_i32s)sum, hoist_f32s) * scale;
    // Within the limits the sum below stays in the range where it rounds to integers.
    t = hoist_lanes_choose_f32(t < low, low, t);
    t = hoist_lanes_choose_f32(t > high, high, t);
    const hoist_f32s whole_steps = hoist_lanes_all_f32(0x1.8p23F);
    t = (t + whole_steps) - whole_steps;
    return (hoist_u32s) __builtin_convertvector(t, hoist_i32s) + out->zero_out;
}

HOIST_QUANT_INLINE hoist_u32s hoist_quant_result(const hoist_quant_outcome *out, size_t at,
                                                 hoist_u32s sum)
{
    return out->is_float ? hoist_quant_f32(out, at, sum)
                         : hoist_quant_i32(out, out->is_single, at, sum);
}

#endif // HOIST_SRC_KERNELS_QUANT_OUTCOME_H
