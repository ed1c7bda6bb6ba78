// The whole-number arithmetic: the values of the reference, and what must hold for all arguments.
#include <math.h>

#include "kernels/fixed_point.h"
#include "testing/test.h"

#define ONE INT32_MAX

static const struct {
    const char *name;
    int32_t x, multiplier;
    int shift;
    int32_t expected;
} scales[] = {
    {"half", 1000, 1 << 30, 0, 500},
    {"half of odd", 1001, 1 << 30, 0, 501},
    {"half of negative odd rounds up", -1001, 1 << 30, 0, -500},
    {"long", 12345, 1234567890, -5, 222},
    {"long negative", -12345, 1234567890, -5, -222},
    {"quarter of 7", 7, 1 << 30, -1, 2},
    {"quarter of -7", -7, 1 << 30, -1, -2},
    {"quarter of 5, rounded twice", 5, 1 << 30, -1, 2},
    {"quarter of -5", -5, 1 << 30, -1, -1},
    {"times one", 77, 1 << 30, 1, 77},
    {"nothing", 77, 0, 0, 0},
    {"smallest", INT32_MAX, ONE, -31, 1},
    {"smallest negative", INT32_MIN, ONE, -31, -1},
    {"the shift wraps", 3, 1 << 30, 30, -536870912},
    {"the shift loses all", 4, 1 << 30, 30, 0},
};

HOIST_TEST_TABLE(scaling, scales)
{
    HOIST_EXPECT_EQ(t, hoist_fixed_scale(row->x, row->multiplier, row->shift), row->expected);
}

static const struct {
    const char *name;
    int32_t x, multiplier;
    int shift;
    int32_t expected;
} single_scales[] = {
    {"half of 7", 7, 1 << 30, 0, 4},
    {"half of -7 goes up", -7, 1 << 30, 0, -3},
    {"quarter of 6", 6, 1 << 30, -1, 2},
    {"quarter of -6 goes up", -6, 1 << 30, -1, -1},
    {"a product below a half, which two roundings take above", 3, (1 << 30) + (1 << 26), -2, 0},
    {"quarter of -5", -5, 1 << 30, -1, -1},
    {"times one", 77, 1 << 30, 1, 77},
    {"nothing", 77, 0, 0, 0},
    {"smallest", INT32_MAX, ONE, -31, 1},
    {"smallest negative", INT32_MIN, ONE, -31, -1},
    {"the shift wraps", 3, 1 << 30, 30, -536870912},
};

HOIST_TEST_TABLE(scaling_with_one_rounding, single_scales)
{
    HOIST_EXPECT_EQ(t, hoist_fixed_scale_single(row->x, row->multiplier, row->shift),
                    row->expected);
}

// The multiplier of 31 bits is rounded to 15: 2^30 is 2^14, 2^30 + 2^15 is 2^14 + 1.
static const struct {
    const char *name;
    int64_t x;
    int32_t multiplier;
    int shift;
    int64_t expected;
} wide_products[] = {
    {"half", 1000, 1 << 30, 0, 500},
    {"a half rounds up", 1001, 1 << 30, 0, 501},
    {"minus a half, too", -1001, 1 << 30, 0, -500},
    {"shifted right", 12345, 1 << 30, -5, 193},
    {"shifted left", -3, 1 << 30, 7, -192},
    {"a multiplier that rounds up", 1 << 20, (1 << 30) + (1 << 15), 0, (1 << 19) + (1 << 5)},
    {"one that does not", 1 << 20, (1 << 30) + (1 << 15) - 1, 0, 1 << 19},
    {"the greatest", 1 << 15, INT32_MAX, 0, INT16_MAX},
    {"beyond 32 bits", INT64_C(1) << 40, 1 << 30, -31, 256},
    {"beyond 48 bits", INT64_MAX, 1 << 30, -31, INT64_C(1) << 15},
    {"the least", INT64_MIN, INT32_MAX, 7, -((int64_t)INT16_MAX *(INT64_C(1) << 39))},
    {"nothing", INT64_MAX, 0, 0, 0},
};

HOIST_TEST_TABLE(wide_scaling, wide_products)
{
    HOIST_EXPECT_EQ(t, hoist_fixed_scale_wide(row->x, row->multiplier, row->shift), row->expected);
}

static const struct {
    const char *name;
    int32_t x;
    int exponent;
    int32_t expected;
} divisions[] = {
    {"5/2", 5, 1, 3},
    {"-5/2", -5, 1, -3},
    {"6/4", 6, 2, 2},
    {"-6/4", -6, 2, -2},
    {"-7/4", -7, 2, -2},
    {"-5/4", -5, 2, -1},
    {"by one", -9, 0, -9},
    {"0", 0, 31, 0},
    {"below a half", (1 << 30) - 1, 31, 0},
    {"a half", 1 << 30, 31, 1},
    {"minus a half", -(1 << 30), 31, -1},
    {"above minus a half", 1 - (1 << 30), 31, 0},
    {"least", INT32_MIN, 31, -1},
    {"greatest", INT32_MAX, 31, 1},
};

HOIST_TEST_TABLE(dividing, divisions)
{
    HOIST_EXPECT_EQ(t, hoist_fixed_divide(row->x, row->exponent), row->expected);
}

static const struct {
    const char *name;
    int32_t a, b, expected;
} products[] = {
    {"saturates", INT32_MIN, INT32_MIN, INT32_MAX},
    {"least by greatest", INT32_MIN, INT32_MAX, -INT32_MAX},
    {"greatest", INT32_MAX, INT32_MAX, INT32_MAX - 1},
    {"half rounds up", 1, 1 << 30, 1},
    {"minus half rounds up", -1, 1 << 30, 0},
    {"below a half", 1, (1 << 30) - 1, 0},
    {"just over minus a half", -1, (1 << 30) + 1, -1},
};

HOIST_TEST_TABLE(multiplying, products)
{
    HOIST_EXPECT_EQ(t, hoist_fixed_multiply(row->a, row->b), row->expected);
    HOIST_EXPECT_EQ(t, hoist_fixed_multiply(row->b, row->a), row->expected);
}

// Numbers around all powers of two, and a generator for the rest.
static int32_t edge(size_t i)
{
    const uint32_t power = UINT32_C(1) << (i / 6 % 32);
    const uint32_t near = power + (uint32_t)(i % 3) - 1;
    return (int32_t)(i % 6 < 3 ? near : -near);
}

enum { EDGES = 192 };

static uint32_t next(uint32_t *state)
{
    *state = *state * 1664525 + 1013904223;
    return *state ^ *state >> 15;
}

// The nearest integer, halves up, in exact arithmetic.
static int64_t product_rounded(int32_t a, int32_t b)
{
    const int64_t twice = (int64_t)a * b; // floor((p + 2^30) / 2^31)
    const int64_t up = twice + (INT64_C(1) << 30);
    return up >= 0 ? up >> 31 : -((-up + (INT64_C(1) << 31) - 1) >> 31);
}

static int64_t quotient_rounded(int32_t x, int exponent)
{
    const int64_t size = x < 0 ? -(int64_t)x : x;
    const int64_t up = exponent ? (size + (INT64_C(1) << (exponent - 1))) >> exponent : size;
    return x < 0 ? -up : up;
}

static void expect_pair(hoist_test *t, int32_t a, int32_t b)
{
    if (a != INT32_MIN || b != INT32_MIN) {
        HOIST_EXPECT_EQ(t, hoist_fixed_multiply(a, b), product_rounded(a, b));
    }
    HOIST_EXPECT_EQ(t, hoist_fixed_divide(a, b & 31), quotient_rounded(a, b & 31));
    const int64_t sum = (int64_t)a + b;
    HOIST_EXPECT_EQ(t, hoist_fixed_half_sum(a, b), (sum + (sum < 0 ? -1 : 1)) / 2);
}

HOIST_TEST(rounding_is_exact_everywhere)
{
    uint32_t state = 1;
    for (size_t i = 0; i < EDGES; i++) {
        for (size_t j = 0; j < EDGES; j++) {
            expect_pair(t, edge(i), edge(j));
        }
    }
    for (size_t i = 0; i < 200000; i++) {
        const int32_t a = (int32_t)next(&state);
        expect_pair(t, a, (int32_t)next(&state));
    }
}

// The definition in two roundings, for all shifts.
HOIST_TEST(scaling_is_shift_product_quotient)
{
    uint32_t state = 7;
    for (size_t i = 0; i < 200000; i++) {
        const int shift = (int)(next(&state) % 62) - 31;
        const int32_t x = (int32_t)next(&state) >> (shift > 0 ? shift : 0);
        const int32_t m = (int32_t)(next(&state) >> 1);
        const int32_t wide = (int32_t)((int64_t)x * (INT64_C(1) << (shift > 0 ? shift : 0)));
        const int64_t expected =
            quotient_rounded((int32_t)product_rounded(wide, m), shift > 0 ? 0 : -shift);
        HOIST_EXPECT_EQ(t, hoist_fixed_scale(x, m, shift), expected);
    }
}

static const struct {
    const char *name;
    int32_t x;
    int count;
    int32_t expected;
} saturations[] = {
    {"fits", 5, 3, 40},
    {"up", 1 << 29, 2, INT32_MAX},
    {"down", -(1 << 29) - 1, 2, INT32_MIN},
    {"just fits", -(1 << 29), 2, INT32_MIN},
    {"nothing", 0, 31, 0},
};

HOIST_TEST_TABLE(saturating, saturations)
{
    HOIST_EXPECT_EQ(t, hoist_fixed_shift_saturating(row->x, row->count), row->expected);
}

static int32_t exp_q5(int32_t a)
{
    return hoist_fixed_exp(a, 5);
}
static int32_t exp_q6(int32_t a)
{
    return hoist_fixed_exp(a, 6);
}

static const struct {
    const char *name;
    int32_t (*function)(int32_t);
    int32_t x, expected;
} values[] = {
    {"e^-1", exp_q5, -(1 << 26), 790015308},
    {"e^-1/4", exp_q5, -(1 << 24), 1672462419},
    {"e^-10", exp_q5, -10 * (1 << 26), 97496},
    {"e^0", exp_q5, 0, ONE},
    {"e^-33 is nothing", exp_q6, -33 * (1 << 25), 0},
    {"1/(1+0)", hoist_fixed_reciprocal, 0, 2147483647},
    {"1/(1+1/2)", hoist_fixed_reciprocal, 1 << 30, 1431655762},
    {"tanh 1/2", hoist_fixed_tanh, 1 << 26, 992388804},
    {"tanh -1/2", hoist_fixed_tanh, -(1 << 26), -992388804},
    {"tanh 0", hoist_fixed_tanh, 0, 0},
    {"logistic 1/2", hoist_fixed_logistic, 1 << 26, 1336721090},
    {"logistic -1/2", hoist_fixed_logistic, -(1 << 26), ONE - 1336721090},
    {"logistic 0", hoist_fixed_logistic, 0, 1 << 30},
};

HOIST_TEST_TABLE(values_of_the_reference, values)
{
    HOIST_EXPECT_EQ(t, row->function(row->x), row->expected);
}

// How far a result may be from the true value, in 2^-31.
static void expect_near(hoist_test *t, int32_t got, double expected, double tolerance)
{
    HOIST_EXPECT(t, fabs((double)got - expected * 0x1p31) <= tolerance);
}

// Over the whole range in steps: close to the true value, and never overflowing on the way.
HOIST_TEST(functions_are_close_to_the_true_value)
{
    for (int64_t i = 0; i <= INT32_MAX; i += 4111) {
        const int32_t x = (int32_t)i;
        for (int bits = 0; bits <= 12; bits++) {
            const double argument = -(double)x / (double)(INT64_C(1) << (31 - bits));
            expect_near(t, hoist_fixed_exp(-x, bits), exp(argument), 2000);
        }
        const double unit = (double)x * 0x1p-31;
        const double four = (double)x * 0x1p-27;
        expect_near(t, hoist_fixed_reciprocal(x), 1 / (1 + unit), 2000);
        expect_near(t, hoist_fixed_ratio(x), (1 - unit) / (1 + unit), 4000);
        expect_near(t, hoist_fixed_logistic(x), 1 / (1 + exp(-four)), 4000);
        expect_near(t, hoist_fixed_logistic(-x), 1 / (1 + exp(four)), 4000);
        expect_near(t, hoist_fixed_tanh(x), tanh(four), 4000);
        HOIST_EXPECT_EQ(t, hoist_fixed_tanh(-x), -hoist_fixed_tanh(x));
    }
}

// Numbers that gemmlowp's own functions give, of FixedPoint<int16_t, 3> and of 0, 3 and 6 bits.
static const struct {
    const char *name;
    int16_t x, logistic, tanh_0, tanh_3, tanh_6;
} shorts[] = {
    {"least", -32768, 11, -24964, -32767, -32767},
    {"-20000", -20000, 243, -17844, -32767, -32767},
    {"-1", -4096, 8815, -4076, -24964, -32767},
    {"-1000", -1000, 14391, -1000, -7840, -31476},
    {"below 0", -1, 16383, 8, -8, -64},
    {"0", 0, 16384, 0, 0, 0},
    {"above 0", 1, 16384, -8, 8, 64},
    {"1000", 1000, 18376, 1000, 7840, 31476},
    {"1", 4096, 23952, 4076, 24964, 32767},
    {"20000", 20000, 32524, 17844, 32767, 32767},
    {"greatest", 32767, 32756, 24964, 32767, 32767},
};

HOIST_TEST_TABLE(curves_of_16_bits, shorts)
{
    HOIST_EXPECT_EQ(t, hoist_fixed_logistic_short(row->x), row->logistic);
    HOIST_EXPECT_EQ(t, hoist_fixed_tanh_short(row->x, 0), row->tanh_0);
    HOIST_EXPECT_EQ(t, hoist_fixed_tanh_short(row->x, 3), row->tanh_3);
    HOIST_EXPECT_EQ(t, hoist_fixed_tanh_short(row->x, 6), row->tanh_6);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(curves_of_16_bits), HOIST_TEST_ROW(wide_scaling),
                HOIST_TEST_ROW(scaling), HOIST_TEST_ROW(scaling_with_one_rounding),
                HOIST_TEST_ROW(dividing), HOIST_TEST_ROW(multiplying),
                HOIST_TEST_ROW(rounding_is_exact_everywhere),
                HOIST_TEST_ROW(scaling_is_shift_product_quotient), HOIST_TEST_ROW(saturating),
                HOIST_TEST_ROW(values_of_the_reference),
                HOIST_TEST_ROW(functions_are_close_to_the_true_value))
