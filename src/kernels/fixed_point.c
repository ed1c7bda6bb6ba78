// Exponential, reciprocal and their kin on integers (TFLite kernels reference, section 5):
// polynomials and Newton's method in fixed point, as TFLite's reference kernels have them from
// gemmlowp.
#include "kernels/fixed_point.h"

#include <stddef.h>

#include "base/assert.h"

#define ONE INT32_MAX // in Q0

int32_t hoist_fixed_shift_saturating(int32_t x, int count)
{
    const int64_t wide = (int64_t)x * (INT64_C(1) << count);
    return wide > INT32_MAX ? INT32_MAX : wide < INT32_MIN ? INT32_MIN : (int32_t)wide;
}

int32_t hoist_fixed_half_sum(int32_t a, int32_t b)
{
    const int64_t sum = (int64_t)a + b;
    return (int32_t)((sum + (sum >= 0 ? 1 : -1)) / 2);
}

// e^b for b in [-1/4, 0) of Q0: the Taylor polynomial of degree 4 around -1/8.
static int32_t exp_of_quarter(int32_t b)
{
    const int32_t eighth = 1 << 28;
    const int32_t third = 715827883;          // 1/3
    const int32_t exp_of_eighth = 1895147668; // e^(-1/8)
    const int32_t x = b + eighth;
    const int32_t x2 = hoist_fixed_multiply(x, x);
    const int32_t x3 = hoist_fixed_multiply(x2, x);
    const int32_t x4 = hoist_fixed_multiply(x2, x2);
    const int32_t t = hoist_fixed_divide(x4, 2);
    const int32_t u = hoist_fixed_divide(hoist_fixed_multiply(t + x3, third) + x2, 1);
    return exp_of_eighth + hoist_fixed_multiply(exp_of_eighth, x + u);
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
int32_t hoist_fixed_exp(int32_t a, int bits)
{
    HOIST_ASSERT(a <= 0 && bits >= 0 && bits <= 29);
    if (a == 0) {
        return ONE;
    }
    const int fraction = 31 - bits;
    const int32_t quarter = (int32_t)(INT64_C(1) << (fraction - 2));
    const int32_t rest = (a & (quarter - 1)) - quarter;
    int32_t result = exp_of_quarter(hoist_fixed_shift_saturating(rest, bits));
    const uint32_t quarters = (uint32_t)rest - (uint32_t)a;
    for (size_t i = 0; i < sizeof exp_factors / sizeof *exp_factors; i++) {
        const exp_factor *f = &exp_factors[i];
        if (bits > f->exponent && (quarters >> (fraction + f->exponent) & 1)) {
            result = hoist_fixed_multiply(result, f->factor);
        }
    }
    return bits > 5 && a < -(INT64_C(1) << (36 - bits)) ? 0 : result;
}

// 2 / (1 + a) in Q2: three steps of Newton's method for the reciprocal of (1 + a) / 2.
static int32_t reciprocal_of_half(int32_t a)
{
    HOIST_ASSERT(a >= 0);
    const int32_t first = 1515870810;  // 48/17 in Q2
    const int32_t slope = -1010580540; // -32/17 in Q2
    const int32_t one = 1 << 29;       // in Q2
    const int32_t half = hoist_fixed_half_sum(a, ONE);
    int32_t x = first + hoist_fixed_multiply(half, slope);
    for (int i = 0; i < 3; i++) {
        const int32_t rest = one - hoist_fixed_multiply(half, x);
        x = hoist_fixed_add(x, hoist_fixed_shift_saturating(hoist_fixed_multiply(x, rest), 2));
    }
    return x;
}

int32_t hoist_fixed_reciprocal(int32_t a)
{
    return hoist_fixed_shift_saturating(reciprocal_of_half(a), 1);
}

int32_t hoist_fixed_ratio(int32_t a)
{
    return hoist_fixed_shift_saturating(reciprocal_of_half(a) - (1 << 29), 2);
}

static int32_t negative_of_size(int32_t f)
{
    HOIST_ASSERT(f != INT32_MIN);
    return f > 0 ? -f : f;
}

int32_t hoist_fixed_logistic(int32_t f)
{
    if (f == 0) {
        return 1 << 30;
    }
    const int32_t p = hoist_fixed_reciprocal(hoist_fixed_exp(negative_of_size(f), 4));
    return f > 0 ? p : ONE - p;
}

// tanh(f) = (1 - e^-2f) / (1 + e^-2f): read with one bit more before the point, f is 2f.
int32_t hoist_fixed_tanh(int32_t f)
{
    if (f == 0) {
        return 0;
    }
    const int32_t t = hoist_fixed_ratio(hoist_fixed_exp(negative_of_size(f), 5));
    return f > 0 ? t : -t;
}
