// exp, sqrt, rsqrt, gelu, relu and sigmoid of ops/compute_ark.h: edges by hand; all f16 and bf16
// and a dense sample of f32 against the C library's double functions, with a bound on the distance.
#include <float.h>

#include "kernels/ark_testing.h"

static ark_tensor x, y;
static uint8_t first[sizeof y.bytes]; // those of the baseline

// Runs the row on `x` at every level, which give the same bits, into `y`.
static void run_unary(hoist_test *t, hoist_compute_op op)
{
    const hoist_shape shape = {1, {(int64_t)x.count}};
    const hoist_view views[] = {ark_view(t, &x, &shape, 0, NULL), ark_view(t, &y, &shape, 0, NULL)};
    const hoist_compute_call call = {.op = op, .views = views, .input_count = 1};
    const size_t units = hoist_compute_work(&call);
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        hoist_compute_fault fault;
        HOIST_EXPECT_EQ(t,
                        hoist_compute_run(hoist_compute_kernels_at(level), &call, 0, units, &fault),
                        HOIST_OK);
        if (level == HOIST_CPU_BASELINE) {
            memcpy(first, y.bytes, y.count * y.size);
        }
        HOIST_EXPECT(t, memcmp(first, y.bytes, y.count * y.size) == 0);
    }
}

// Distances ---------------------------------------------------------------------------------------

// gelu by way of x / (1 + e^(-2 u)): 1 + tanh(u) would cancel.
static double true_gelu(double v)
{
    const double u = 0.7978845608 * (v + 0.044715 * v * v * v);
    return v / (1 + exp(-2 * u));
}

static double true_sigmoid(double v)
{
    return 1 / (1 + exp(-v));
}

static double true_rsqrt(double v)
{
    return 1 / sqrt(v);
}

typedef double true_fn(double v);

// Halves of the last place are what rounding costs. 16-bit results are rounded twice, so that a few
// are off by little more; so is rsqrt.
static const struct {
    const char *name;
    hoist_compute_op op;
    true_fn *function;
    double places;    // f32: how far from the true number, in units of its last place
    double places_16; // f16 and bf16
} functions[] = {
    {"exp", HOIST_ARK_EXP, exp, 1, 0.51},
    {"sqrt", HOIST_ARK_SQRT, sqrt, 0.5001, 0.51},
    {"rsqrt", HOIST_ARK_RSQRT, true_rsqrt, 1.5, 0.51},
    {"gelu", HOIST_ARK_GELU, true_gelu, 0.51, 0.51},
    {"sigmoid", HOIST_ARK_SIGMOID, true_sigmoid, 1.7, 0.51},
};

// Of f32; relu is exact.
static double places_of(hoist_compute_op op)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(functions); i++) {
        if (functions[i].op == op) {
            return functions[i].places;
        }
    }
    return 0;
}

// The unit of the last place of `number` in `dtype`, subnormal numbers included.
static double unit_of(hoist_dtype dtype, double number)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    int exponent = 0;
    (void)frexp(number, &exponent);
    const int least = 1 - info->bias;
    return ldexp(1, (exponent - 1 < least ? least : exponent - 1) - info->mantissa_bits);
}

static void expect_close(hoist_test *t, size_t i, double number, double places)
{
    const double found = hoist_to_f64(y.dtype, ark_get(&y, i));
    if (ark_get(&y, i) == ark_result(y.dtype, number)) {
        return;
    }
    const double distance = fabs(found - number) / unit_of(y.dtype, number);
    if (!isfinite(found) || !isfinite(number) || distance > places) {
        hoist_test_fail(t, __FILE__, __LINE__, "%a gives %a, expected %a: %g last places",
                        hoist_to_f64(x.dtype, ark_get(&x, i)), found, number, distance);
    }
}

// Edges ------------------------------------------------------------------------------------------

// The true numbers are 20 digits of 200 bits.
// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    double x[12];
    double y[12];
    size_t count;
} edges[] = {
    {"exp", HOIST_ARK_EXP, {0, -0.0, 1, -1, 0.5, 0x1.5798eep-27, 0x1.62e42ep+6, 0x1.62e43p+6, INFINITY, -INFINITY, NAN, 0x1p-149},
        {1, 1, 2.7182818284590452354, 0.3678794411714423216, 1.6487212707001281468, 1.0000000099999999892, 3.4027985374118486567e+38, INFINITY, INFINITY, 0, NAN, 1}, 12},
    // Subnormal numbers; 2^-150 is halfway between the least and 0.
    {"exp of little", HOIST_ARK_EXP, {-0x1.5ep+6, -100, -0x1.9fe368p+6, -0x1.9fe36ap+6, -1e30, -FLT_MAX, FLT_MAX},
        {9.982350930569247556e-39, 3.720075976020835963e-44, 0x1p-149, 0, 0, 0, INFINITY}, 7},
    {"sigmoid", HOIST_ARK_SIGMOID, {0, -0.0, 1, -1, -20, 20, -88, -90, INFINITY, -INFINITY, NAN, 0x1.4484cp-100},
        {0.5, 0.5, 0.73105857863000487925, 0.26894142136999512075, 2.0611536181902035814e-9, 0.99999999793884638181, 6.0546018954011858845e-39, 8.1940126239905154304e-40, 1, 0, NAN, 0.5}, 12},
    {"sigmoid of little", HOIST_ARK_SIGMOID, {-103, -104, -701, -FLT_MAX, FLT_MAX}, {1.8521167695179754623e-45, 0, 0, 0, 1}, 5},
    {"gelu", HOIST_ARK_GELU, {0, -0.0, 1, -1, 0.5, -2.5, -5, -8, -10, 3, 10, NAN},
        {0, -0.0, 0.84119199060747691854, -0.15880800939252308146, 0.34571400982483483558, -0.015084266090273418383, -2.2917961967685829027e-7, -3.1077829380513288582e-21, -1.2040923485873562463e-37, 2.9963626079181393869, 10, NAN}, 12},
    {"gelu of much", HOIST_ARK_GELU, {-11, -0x1.93e594p+99, -FLT_MAX, 0x1.93e594p+99, FLT_MAX, INFINITY, -INFINITY},
        {-0.0, -0.0, -0.0, 0x1.93e594p+99, FLT_MAX, INFINITY, NAN}, 7},
    {"gelu of little", HOIST_ARK_GELU, {0x1.16c2p-133, 0x1.79ca1p-67, 0x1p-149, -0x1p-148}, {4.9999730505573797908e-41, 4.9999998413276126945e-21, 0, -0x1p-149}, 4},
    {"relu", HOIST_ARK_RELU, {0, -0.0, 1, -1, INFINITY, -INFINITY, NAN, -NAN, 0x1p-149, -0x1p-149}, {0, 0, 1, 0, INFINITY, 0, 0, 0, 0x1p-149, 0}, 10},
    {"sqrt", HOIST_ARK_SQRT, {0, -0.0, 4, 2, -1, INFINITY, -INFINITY, NAN, 0x1p-148, -0x1p-149}, {0, -0.0, 2, 1.4142135623730950488, NAN, INFINITY, NAN, NAN, 0x1p-74, NAN}, 10},
    {"rsqrt", HOIST_ARK_RSQRT, {0, -0.0, 4, 0.0625, -1, INFINITY, -INFINITY, NAN, 0x1p-148, 2}, {INFINITY, -INFINITY, 0.5, 4, NAN, 0, NAN, NAN, 0x1p74, 0x1.6a09e6p-1}, 10},
};
// clang-format on

HOIST_TEST_TABLE(by_hand, edges)
{
    ark_fill(&x, HOIST_DTYPE_F32, row->x, row->count, row->count);
    ark_begin(&y, HOIST_DTYPE_F32, row->count);
    run_unary(t, row->op);
    for (size_t i = 0; i < row->count; i++) {
        expect_close(t, i, row->y[i], places_of(row->op));
    }
}

// relu has integers, too: the rest are floats only.
static const struct {
    const char *name;
    hoist_dtype dtype;
    double x[4];
    double y[4];
} integers[] = {
    {"i32", HOIST_DTYPE_I32, {INT32_MIN, -1, 16777217, INT32_MAX}, {0, 0, 16777217, INT32_MAX}},
    {"u32", HOIST_DTYPE_U32, {0, 1, 16777217, UINT32_MAX}, {0, 1, 16777217, UINT32_MAX}},
    {"i8", HOIST_DTYPE_I8, {-128, -1, 0, 127}, {0, 0, 0, 127}},
    {"u8", HOIST_DTYPE_U8, {0, 1, 128, 255}, {0, 1, 128, 255}},
};

HOIST_TEST_TABLE(relu_of_integers, integers)
{
    ark_fill(&x, row->dtype, row->x, 4, 4);
    ark_begin(&y, row->dtype, 4);
    run_unary(t, HOIST_ARK_RELU);
    for (size_t i = 0; i < 4; i++) {
        HOIST_EXPECT_EQ(t, ark_get(&y, i), ark_bits(row->dtype, row->y[i]));
    }
}

// A NaN of any bits gives the one that the profile stores.
HOIST_TEST(nans)
{
    static const uint32_t bits[] = {0x7f800001, 0x7fc00000, 0x7fffffff, 0xff800001,
                                    0xffc00000, 0xffffffff, 0x7fa5a5a5, 0xffd00abc};
    static const hoist_compute_op ops[] = {HOIST_ARK_EXP, HOIST_ARK_SQRT, HOIST_ARK_RSQRT,
                                           HOIST_ARK_GELU, HOIST_ARK_SIGMOID};
    for (size_t n = 0; n < HOIST_COUNT_OF(ops); n++) {
        ark_begin(&x, HOIST_DTYPE_F32, HOIST_COUNT_OF(bits));
        ark_begin(&y, HOIST_DTYPE_F32, HOIST_COUNT_OF(bits));
        for (size_t i = 0; i < HOIST_COUNT_OF(bits); i++) {
            ark_set(&x, i, bits[i]);
        }
        run_unary(t, ops[n]);
        for (size_t i = 0; i < HOIST_COUNT_OF(bits); i++) {
            HOIST_EXPECT_EQ(t, ark_get(&y, i), 0x7fc00000);
        }
    }
}

// Samples ----------------------------------------------------------------------------------------

HOIST_TEST_TABLE(all_of_16_bits, functions)
{
    static const hoist_dtype types[] = {HOIST_DTYPE_F16, HOIST_DTYPE_BF16};
    for (size_t n = 0; n < HOIST_COUNT_OF(types); n++) {
        ark_begin(&x, types[n], 1 << 16);
        ark_begin(&y, types[n], 1 << 16);
        for (size_t i = 0; i < x.count; i++) {
            ark_set(&x, i, i);
        }
        run_unary(t, row->op);
        for (size_t i = 0; i < x.count; i++) {
            const double v = hoist_to_f64(types[n], i);
            const bool cancels = row->op == HOIST_ARK_GELU && v == -INFINITY;
            expect_close(t, i, cancels ? (double)NAN : row->function(v), row->places_16);
        }
    }
}

// 128 numbers of each exponent and sign in a round.
HOIST_TEST_TABLE(samples_of_32_bits, functions)
{
    uint32_t seed = 1;
    for (int round = 0; round < HOIST_TEST_ROUNDS(3); round++) {
        ark_begin(&x, HOIST_DTYPE_F32, 1 << 16);
        ark_begin(&y, HOIST_DTYPE_F32, 1 << 16);
        for (size_t i = 0; i < x.count; i++) {
            seed = seed * 1664525 + 1013904223;
            ark_set(&x, i, (uint32_t)i << 23 | seed >> 9);
        }
        run_unary(t, row->op);
        for (size_t i = 0; i < x.count; i++) {
            expect_close(t, i, row->function(hoist_to_f64(HOIST_DTYPE_F32, ark_get(&x, i))),
                         row->places);
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(by_hand), HOIST_TEST_ROW(relu_of_integers), HOIST_TEST_ROW(nans),
                HOIST_TEST_ROW(all_of_16_bits), HOIST_TEST_ROW(samples_of_32_bits))
