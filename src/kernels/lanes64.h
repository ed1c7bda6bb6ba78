// kernels/lanes64.h - vectors of doubles, half as many lanes as lanes.h has, and of the floats and
// integers that go with them: for functions that are computed in double and stored as float32.
#ifndef HOIST_SRC_KERNELS_LANES64_H
#define HOIST_SRC_KERNELS_LANES64_H

#include "kernels/lanes.h"

#define HOIST_LANES64 (HOIST_LANES / 2) // doubles of a vector

typedef double hoist_f64s __attribute__((vector_size(8 * HOIST_LANES64)));
typedef uint64_t hoist_u64s __attribute__((vector_size(8 * HOIST_LANES64)));
typedef int64_t hoist_i64s __attribute__((vector_size(8 * HOIST_LANES64)));
typedef float hoist_f32h __attribute__((vector_size(4 * HOIST_LANES64)));
typedef int32_t hoist_i32h __attribute__((vector_size(4 * HOIST_LANES64)));

HOIST_LANES_INLINE hoist_f64s hoist_lanes64_all(double value)
{
    return value - (hoist_f64s){0};
}

// By one instruction; gcc 12 converts wide vectors part by part if left to itself.
HOIST_LANES_INLINE hoist_f64s hoist_lanes64_widen(hoist_f32h x)
{
#if defined(__AVX512F__)
    return (hoist_f64s)_mm512_cvtps_pd((__m256)x);
#else
    return __builtin_convertvector(x, hoist_f64s);
#endif
}

// The first half of the lanes as doubles, and the second one.
HOIST_LANES_INLINE hoist_f64s hoist_lanes64_low(hoist_f32s x)
{
#if defined(__AVX512F__)
    return (hoist_f64s)_mm512_cvtps_pd(_mm512_castps512_ps256((__m512)x));
#elif defined(__AVX2__)
    return (hoist_f64s)_mm256_cvtps_pd(_mm256_castps256_ps128((__m256)x));
#elif defined(__SSE2__)
    return (hoist_f64s)_mm_cvtps_pd((__m128)x);
#else
    hoist_f32h half;
    memcpy(&half, &x, sizeof half);
    return __builtin_convertvector(half, hoist_f64s);
#endif
}
HOIST_LANES_INLINE hoist_f64s hoist_lanes64_high(hoist_f32s x)
{
#if defined(__AVX512F__)
    const __m256d half = _mm512_extractf64x4_pd((__m512d)x, 1);
    return (hoist_f64s)_mm512_cvtps_pd((__m256)half);
#elif defined(__AVX2__)
    return (hoist_f64s)_mm256_cvtps_pd(_mm256_extractf128_ps((__m256)x, 1));
#elif defined(__SSE2__)
    return (hoist_f64s)_mm_cvtps_pd(_mm_movehl_ps((__m128)x, (__m128)x));
#else
    hoist_f32h half;
    memcpy(&half, (const uint8_t *)&x + sizeof half, sizeof half);
    return __builtin_convertvector(half, hoist_f64s);
#endif
}

// Both halves rounded to float32.
HOIST_LANES_INLINE hoist_f32s hoist_lanes64_join(hoist_f64s low, hoist_f64s high)
{
#if defined(__AVX512F__)
    const __m512d first = (__m512d)_mm512_castps256_ps512(_mm512_cvtpd_ps((__m512d)low));
    return (hoist_f32s)_mm512_insertf64x4(first, (__m256d)_mm512_cvtpd_ps((__m512d)high), 1);
#elif defined(__AVX2__)
    return (hoist_f32s)_mm256_set_m128(_mm256_cvtpd_ps((__m256d)high),
                                       _mm256_cvtpd_ps((__m256d)low));
#elif defined(__SSE2__)
    return (hoist_f32s)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
    const hoist_f32h half[] = {__builtin_convertvector(low, hoist_f32h),
                               __builtin_convertvector(high, hoist_f32h)};
    hoist_f32s both;
    memcpy(&both, half, sizeof both);
    return both;
#endif
}

// By a mask of all ones or zero, as in lanes.h.
HOIST_LANES_INLINE hoist_f64s hoist_lanes64_choose(hoist_i64s mask, hoist_f64s yes, hoist_f64s no)
{
    return (hoist_f64s)(((hoist_u64s)yes & (hoist_u64s)mask) |
                        ((hoist_u64s)no & ~(hoist_u64s)mask));
}

// True when a lane of `mask` is set.
HOIST_LANES_INLINE bool hoist_lanes64_any(hoist_i32h mask)
{
#if defined(__AVX512F__)
    return _mm256_movemask_ps((__m256)mask) != 0;
#elif defined(__AVX2__)
    return _mm_movemask_ps((__m128)mask) != 0;
#else
    uint64_t both;
    _Static_assert(sizeof both == sizeof mask, "two lanes");
    memcpy(&both, &mask, sizeof both);
    return both != 0;
#endif
}

// NaN stays: of two numbers of which one is NaN these instructions give the second.
HOIST_LANES_INLINE hoist_f64s hoist_lanes64_clamp(hoist_f64s x, double low, double high)
{
    const hoist_f64s least = hoist_lanes64_all(low);
    const hoist_f64s most = hoist_lanes64_all(high);
#if defined(__AVX512F__)
    return (hoist_f64s)_mm512_min_pd((__m512d)most, _mm512_max_pd((__m512d)least, (__m512d)x));
#elif defined(__AVX2__)
    return (hoist_f64s)_mm256_min_pd((__m256d)most, _mm256_max_pd((__m256d)least, (__m256d)x));
#elif defined(__SSE2__)
    return (hoist_f64s)_mm_min_pd((__m128d)most, _mm_max_pd((__m128d)least, (__m128d)x));
#else
    const hoist_f64s above = hoist_lanes64_choose(x < least, least, x);
    return hoist_lanes64_choose(above > most, most, above);
#endif
}

// Adding this to a double below 2^51 rounds it to an integer, which then is in the low bits.
#define HOIST_LANES64_SHIFT 0x1.8p52

#endif // HOIST_SRC_KERNELS_LANES64_H
