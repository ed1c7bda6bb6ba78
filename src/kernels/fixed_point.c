// Exponential, reciprocal and their kin on integers (TFLite kernels reference, section 5):
// polynomials and Newton's method in fixed point, as TFLite's reference kernels have them from
// gemmlowp.
#include "kernels/fixed_point.h"

#include <stddef.h>

#include "base/assert.h"

// Formats of 16 and 32 bits, whose constants are those of 32 bits, rounded.
typedef enum width { SHORT = 16, LONG = 32 } width;

// The greatest number: one in Q0.
static int32_t one_of(width w)
{
    return w == SHORT ? INT16_MAX : INT32_MAX;
}

// A constant of 32 bits in the format of `w`.
static int32_t constant(int32_t number, width w)
{
    return hoist_fixed_divide(number, LONG - (int)w);
}

// Modulo 2^16, where numbers have 16 bits.
static int32_t wrap(int32_t number, width w)
{
    return w == SHORT ? (int16_t)number : number;
}

// a * b / 2^(w - 1), half up; saturates.
static int32_t multiply(int32_t a, int32_t b, width w)
{
    if (w == LONG) {
        return hoist_fixed_multiply(a, b);
    }
    const int32_t product = a * b;
    const int32_t nudge = product >= 0 ? 1 << 14 : 1 - (1 << 14);
    const int32_t result = (product + nudge) / (1 << 15);
    return result > INT16_MAX ? INT16_MAX : result;
}

// x * 2^count, cut off at the ends of the format.
static int32_t shift_saturating(int32_t x, int count, width w)
{
    const int64_t wide = (int64_t)x * (INT64_C(1) << count);
    const int32_t most = one_of(w);
    return wide > most ? most : wide < -(int64_t)most - 1 ? -most - 1 : (int32_t)wide;
}

int32_t hoist_fixed_shift_saturating(int32_t x, int count)
{
    return shift_saturating(x, count, LONG);
}

int32_t hoist_fixed_half_sum(int32_t a, int32_t b)
{
    const int64_t sum = (int64_t)a + b;
    return (int32_t)((sum + (sum >= 0 ? 1 : -1)) / 2);
}

// e^b for b in [-1/4, 0) of Q0: the Taylor polynomial of degree 4 around -1/8.
static int32_t exp_of_quarter(int32_t b, width w)
{
    const int32_t eighth = 1 << (w - 4);
    const int32_t third = constant(715827883, w);          // 1/3
    const int32_t exp_of_eighth = constant(1895147668, w); // e^(-1/8)
    // The distance from the middle of the interval, where the polynomial is exact.
    const int32_t x = b + eighth;
    const int32_t x2 = multiply(x, x, w);
    const int32_t x3 = multiply(x2, x, w);
    const int32_t x4 = multiply(x2, x2, w);
    // x + x^2/2 + x^3/6 + x^4/24, by nested divisions.
    const int32_t t = hoist_fixed_divide(x4, 2);
    const int32_t u = hoist_fixed_divide(multiply(t + x3, third, w) + x2, 1);
    return shift_saturating(exp_of_eighth + multiply(exp_of_eighth, x + u, w), 0, w);
}

// e^-(2^exponent) in Q0.
typedef struct exp_factor {
    int exponent;
    int32_t factor;
} exp_factor;

static const exp_factor exp_factors[] = {
    {-2, 1672461947}, {-1, 1302514674}, {0, 790015084}, {1, 290630308},
    {2, 39332535},    {3, 720401},      {4, 242},
};

// Cuts `a` into quarters and a rest: the rest goes through the polynomial, each bit of the quarters
// is a factor.
static int32_t exp_of(int32_t a, int bits, width w)
{
    // 1 is beyond the format; its nearest is one_of().
    if (a == 0) {
        return one_of(w);
    }
    const int fraction = (int)w - 1 - bits;
    const int32_t quarter = (int32_t)(INT64_C(1) << (fraction - 2));
    const int32_t rest = (a & (quarter - 1)) - quarter;
    int32_t result = exp_of_quarter(shift_saturating(rest, bits, w), w);
    const uint32_t quarters = (uint32_t)rest - (uint32_t)a;
    for (size_t i = 0; i < sizeof exp_factors / sizeof *exp_factors; i++) {
        const exp_factor *f = &exp_factors[i];
        if (bits > f->exponent && (quarters >> (fraction + f->exponent) & 1)) {
            result = multiply(result, constant(f->factor, w), w);
        }
    }
    return bits > 5 && a < -(INT64_C(1) << (fraction + 5)) ? 0 : result;
}

int32_t hoist_fixed_exp(int32_t a, int bits)
{
    HOIST_ASSERT(a <= 0 && bits >= 0 && bits <= 29);
    return exp_of(a, bits, LONG);
}

// 2 / (1 + a) in Q2: three steps of Newton's method for the reciprocal of (1 + a) / 2.
static int32_t reciprocal_of_half(int32_t a, width w)
{
    HOIST_ASSERT(a >= 0);
    const int32_t first = constant(1515870810, w);  // 48/17 in Q2
    const int32_t slope = constant(-1010580540, w); // -32/17 in Q2
    const int32_t one = 1 << (w - 3);               // in Q2
    // (1 + a) / 2, which is at least 1/2: Newton's method begins with a line that is near its
    // reciprocal.
    const int32_t half = hoist_fixed_half_sum(a, one_of(w));
    int32_t x = first + multiply(half, slope, w);
    for (int i = 0; i < 3; i++) {
        const int32_t rest = one - multiply(half, x, w);
        x = wrap(hoist_fixed_add(x, shift_saturating(multiply(x, rest, w), 2, w)), w);
    }
    return x;
}

// From Q2 to Q0, and half of it: 1 / (1 + a).
static int32_t reciprocal(int32_t a, width w)
{
    return shift_saturating(reciprocal_of_half(a, w), 1, w);
}

int32_t hoist_fixed_reciprocal(int32_t a)
{
    return reciprocal(a, LONG);
}

// 2 / (1 + a) - 1 is (1 - a) / (1 + a).
static int32_t ratio(int32_t a, width w)
{
    return shift_saturating(reciprocal_of_half(a, w) - (1 << (w - 3)), 2, w);
}

int32_t hoist_fixed_ratio(int32_t a)
{
    return ratio(a, LONG);
}

// -|f|, without the overflow that |f| would have.
static int32_t negative_of_size(int32_t f)
{
    return f > 0 ? -f : f;
}

// Of positive f from e^-f; of negative f it is 1 less that of -f.
static int32_t logistic(int32_t f, int bits, width w)
{
    // A half, without rounding.
    if (f == 0) {
        return 1 << (w - 2);
    }
    const int32_t p = reciprocal(exp_of(negative_of_size(f), bits, w), w);
    return f > 0 ? p : one_of(w) - p;
}

// tanh(f) = (1 - e^-2f) / (1 + e^-2f): read with one bit more before the point, f is 2f.
static int32_t tanh_of(int32_t f, int bits, width w)
{
    if (f == 0) {
        return 0;
    }
    const int32_t t = ratio(exp_of(negative_of_size(f), bits + 1, w), w);
    return f > 0 ? t : -t;
}

int32_t hoist_fixed_logistic(int32_t f)
{
    HOIST_ASSERT(f != INT32_MIN);
    return logistic(f, 4, LONG);
}

int32_t hoist_fixed_tanh(int32_t f)
{
    HOIST_ASSERT(f != INT32_MIN);
    return tanh_of(f, 4, LONG);
}

int16_t hoist_fixed_logistic_short(int16_t f)
{
    return (int16_t)logistic(f, 3, SHORT);
}

int16_t hoist_fixed_tanh_short(int16_t f, int bits)
{
    HOIST_ASSERT(bits >= 0 && bits <= 6);
    return (int16_t)tanh_of(f, bits, SHORT);
}
