// Golden ops whose bits are those of the C library (unary.h), several elements at a time.
//
// A lane is evaluated in double, independently of the library. The library's result before its last
// rounding differs from that by less than a bound; where all numbers within the bound round to the
// same float, that float is the library's, and elsewhere the library is asked. So nothing of the
// library's method is repeated here, and a better one would give the same bits or fail the probes
// of exact.c. The bounds hold for all 2^32 floats: tests/long/math_exhaustive.c.
#include <float.h>
#include <math.h>

#include "kernels/compute_table.h"
#include "kernels/lanes64.h"
#include "kernels/level.h"
#include "kernels/unary.h"

#define INLINE HOIST_LANES_INLINE

enum { LANES = HOIST_LANES64 };

typedef hoist_f64s f64s;
typedef hoist_u64s u64s;
typedef hoist_i64s i64s;
typedef hoist_f32h f32s;
typedef hoist_i32h i32s;

extern const hoist_compute_group HOIST_LEVEL_NAME(hoist_math_group);

// Without the sign.
INLINE f64s magnitude(f64s x)
{
    return (f64s)((u64s)x & INT64_MAX);
}

// a * b + c, rounded once or twice: whatever is faster.
INLINE f64s muladd(f64s a, f64s b, f64s c)
{
#if defined(__AVX512F__)
    return (f64s)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(__FMA__)
    return (f64s)_mm256_fmadd_pd((__m256d)a, (__m256d)b, (__m256d)c);
#else
    return a * b + c;
#endif
}

// Even and odd powers apart, which are two chains of half the length. Two coefficients or more.
INLINE f64s polynomial(f64s x, const double *coefficients, size_t count)
{
    const f64s square = x * x;
    f64s sum[2];
    for (size_t i = count; i-- > 0;) {
        const f64s next = hoist_lanes64_all(coefficients[i]);
        sum[i % 2] = i + 2 < count ? muladd(sum[i % 2], square, next) : next;
    }
    return muladd(sum[1], x, sum[0]);
}

typedef float scalar_fn(float x);

// What `a` and `b` round to where that is the same float, else scalar(x).
INLINE f32s settle_between(f32s x, f64s a, f64s b, scalar_fn *scalar)
{
    f32s result = __builtin_convertvector(a, f32s);
    const i32s unsure = ~(result == __builtin_convertvector(b, f32s)); // NaN, too
    if (__builtin_expect(hoist_lanes64_any(unsure), 0)) {
        for (size_t i = 0; i < LANES; i++) {
            if (unsure[i]) {
                result[i] = scalar(x[i]);
            }
        }
    }
    return result;
}

// The same with a bound on either side.
INLINE f32s settle(f32s x, f64s y, f64s bound, scalar_fn *scalar)
{
    return settle_between(x, y - bound, y + bound, scalar);
}

// e^x for |x| <= 700: e^x = 2^n * e^r, |r| <= log(2) / 2. Relative error below 2^-50.
INLINE f64s exponential_of(f64s x)
{
    static const double over_factorial[] = {
        1,
        1,
        1 / 2.0,
        1 / 6.0,
        1 / 24.0,
        1 / 120.0,
        1 / 720.0,
        1 / 5040.0,
        1 / 40320.0,
        1 / 362880.0,
        1 / 3628800.0,
        1 / 39916800.0,
        1 / 479001600.0,
    };
    const f64s shifted =
        muladd(x, hoist_lanes64_all(M_LOG2E), hoist_lanes64_all(HOIST_LANES64_SHIFT));
    const f64s n = shifted - HOIST_LANES64_SHIFT;
    // log(2) in two parts; the product with the first is exact.
    const f64s r = muladd(n, hoist_lanes64_all(-0x1.ef35793c7673p-45),
                          muladd(n, hoist_lanes64_all(-0x1.62e42fefa38p-1), x));
    const f64s e = polynomial(r, over_factorial, sizeof over_factorial / sizeof(double));
    return (f64s)((u64s)e + ((u64s)shifted << 52));
}

INLINE f32s exp_lanes(f32s x)
{
#if defined(__AVX2__)
    // Below -104 the result is 0, above 89 too large.
    const f64s e = exponential_of(hoist_lanes64_clamp(hoist_lanes64_widen(x), -104, 89));
    const f64s y = hoist_lanes64_choose(e > FLT_MAX, hoist_lanes64_all(FLT_MAX), e);
    return settle(x, y, y * 0x1p-33, hoist_golden_exp);
#else
    // Two lanes do not make up for what the library's expf leaves out.
    for (size_t i = 0; i < LANES; i++) {
        x[i] = hoist_golden_exp(x[i]);
    }
    return x;
#endif
}

// From here on the reference's own arithmetic: double, then float.
INLINE f32s sigmoid_lanes(f32s x)
{
    const f64s e = hoist_lanes64_widen(exp_lanes(-x));
    return __builtin_convertvector(1.0 / (1.0 + e), f32s);
}

#define GELU_K (M_2_SQRTPI / M_SQRT2)

// The reference's 1 + tanh(u), u = K * (x + 0.044715 * x^3), is one of the doubles between these.
typedef struct share {
    f64s inner; // nearer to 1
    f64s outer;
} share;

// tanh(|u|) = 1 - w, w = 2 / (1 + e^2|u|). What the reference makes of u is off by less than
// 2^-49.5 of it, hence its w by less than 2^-43 of itself for all u whose tanh is not 1. Where w is
// small that says more than any bound of the tanh does: there 1 - w has few bits of w, and is
// rounded here as it is there.
INLINE share gelu_share(f64s x)
{
    const f64s twice = (2 * GELU_K) * (x + 0.044715 * (x * x * x));
    const f64s w = 2.0 / (1.0 + exponential_of(hoist_lanes64_clamp(magnitude(twice), 0, 700)));
    const f64s less = 1.0 - w * (1.0 + 0x1p-43);
    const f64s more = 1.0 - w * (1.0 - 0x1p-43);
    // The share is odd around 1: the sign of x decides on which side.
    const u64s sign = (u64s)x & ~(uint64_t)INT64_MAX;
    return (share){1.0 + (f64s)((u64s)less ^ sign), 1.0 + (f64s)((u64s)more ^ sign)};
}

INLINE f32s gelu_lanes(f32s x)
{
    const f64s wide = hoist_lanes64_widen(x);
    const f64s half = 0.5 * wide;
    const share s = gelu_share(wide);
    return settle_between(x, half * s.inner, half * s.outer, hoist_golden_gelu);
}

// Where the bell is smaller than any normal number the library is asked, and beyond that it is 0.
INLINE f32s gelu_derivative_lanes(f32s x)
{
    const f64s wide = hoist_lanes64_widen(x);
    const f64s exponent = -0.5 * (wide * wide);
    const f64s usual = exponential_of(hoist_lanes64_clamp(exponent, -700, 0));
    const f64s tiny =
        hoist_lanes64_choose(exponent < -760, hoist_lanes64_all(0), hoist_lanes64_all((double)NAN));
    const f64s bell = wide * hoist_lanes64_choose(exponent < -700, tiny, usual) * (0.5 * GELU_K);
    const share s = gelu_share(wide);
    return settle_between(x, 0.5 * s.inner + bell * (1.0 - 0x1p-46),
                          0.5 * s.outer + bell * (1.0 + 0x1p-46), hoist_golden_gelu_derivative);
}

// log(2^e * m) = e * log(2) + 2 * (s + s^3 / 3 + s^5 / 5 ...), s = (m - 1) / (m + 1), where
// sqrt(1/2) <= m < sqrt(2). Relative error below 2^-46.
INLINE f64s logarithm_of(f64s x)
{
    static const double odd[] = {
        2, 2 / 3.0, 2 / 5.0, 2 / 7.0, 2 / 9.0, 2 / 11.0, 2 / 13.0, 2 / 15.0, 2 / 17.0, 2 / 19.0,
    };
    // sqrt(1/2): the exponent changes there, so that m is around 1.
    const uint64_t half_root = 0x3fe6a09e667f3bcd;
    const uint64_t bias = UINT64_C(1024) << 52; // keeps the shift unsigned
    const u64s steps = ((u64s)x - half_root + bias) >> 52;
    const f64s m = (f64s)((u64s)x - ((steps - 1024) << 52));
    const f64s e = (f64s)(steps - 1024 + UINT64_C(0x4338000000000000)) - HOIST_LANES64_SHIFT;
    const f64s s = (m - 1) / (m + 1);
    const f64s series = s * polynomial(s * s, odd, sizeof odd / sizeof(double));
    return muladd(e, hoist_lanes64_all(M_LN2), series);
}

// The library sums a short polynomial: it is up to 2^-28.6 off, however small the logarithm.
INLINE f32s log_lanes(f32s x)
{
    const f64s wide = hoist_lanes64_widen(x);
    // Others are the library's to answer: zero, negative numbers, infinity and NaN.
    const i64s usual = (wide > 0) & (wide < (double)INFINITY);
    const f64s y = hoist_lanes64_choose(usual, logarithm_of(wide), hoist_lanes64_all((double)NAN));
    return settle(x, y, hoist_lanes64_all(0x1.6ap-29), hoist_golden_log);
}

typedef f32s lanes_fn(f32s x);

// Does the elements of the extent, and zeros the rest of the tile.
INLINE void map(const hoist_compute_call *call, size_t begin, size_t end, lanes_fn *lanes)
{
    const hoist_tile_extent extent = hoist_tile_extent_of(call);
    for (size_t n = begin; n < end; n++) {
        const float *in = hoist_tile_in(&call->inputs[0], n);
        float *out = hoist_tile_out(&call->output, n);
        for (size_t row = 0; row < extent.rows; row++) {
            for (size_t col = 0; col < extent.cols; col += LANES) {
                const size_t i = row * HOIST_TILE_DIM + col;
                f32s x;
                memcpy(&x, in + i, sizeof x);
                const f32s y = lanes(x);
                memcpy(out + i, &y, sizeof y);
            }
        }
        hoist_tile_zero_rest(out, extent);
    }
}

#define MATH(name, lanes)                                                                          \
    static void name(const hoist_compute_call *call, size_t begin, size_t end)                     \
    {                                                                                              \
        map(call, begin, end, lanes);                                                              \
    }

MATH(exponential, exp_lanes)
MATH(logarithm, log_lanes)
MATH(sigmoid, sigmoid_lanes)
MATH(gelu, gelu_lanes)
MATH(gelu_derivative, gelu_derivative_lanes)

enum { FIRST = HOIST_GOLDEN_EXP };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_GOLDEN_EXP - FIRST]             = {.fill = exponential},
    [HOIST_GOLDEN_LOG - FIRST]             = {.fill = logarithm},
    [HOIST_GOLDEN_SIGMOID - FIRST]         = {.fill = sigmoid},
    [HOIST_GOLDEN_GELU - FIRST]            = {.fill = gelu},
    [HOIST_GOLDEN_GELU_DERIVATIVE - FIRST] = {.fill = gelu_derivative},
};
// clang-format on
const hoist_compute_group HOIST_LEVEL_NAME(hoist_math_group) = {FIRST, HOIST_COUNT_OF(group_rows),
                                                                group_rows};
