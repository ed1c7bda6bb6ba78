// Rows of ops/compute_ark.h that go element by element: results computed by hand in each type, all
// layouts and in place; f16 and bf16 against doubles rounded once.
#include "kernels/ark_testing.h"
#include "ops/compute_ark.h"

enum { ROW = 8 };

static ark_tensor a, b, y, expected;

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    hoist_dtype dtype;
    double a[ROW], b[ROW], y[ROW];
    size_t count;
} binary[] = {
    {"sums, f32", HOIST_ARK_ADD, HOIST_DTYPE_F32, {1, 0x1p24, -0.0, INFINITY, 0x1.fffffep127, 0x1p-149},
        {2, 1, -0.0, 1, 0x1p103, 0x1p-149}, {3, 0x1p24, -0.0, INFINITY, INFINITY, 0x1p-148}, 6},
    {"no number, f32", HOIST_ARK_ADD, HOIST_DTYPE_F32, {NAN, -NAN, INFINITY, -NAN}, {1, 2, -INFINITY, NAN}, {NAN, NAN, NAN, NAN}, 4},
    {"no number, f16", HOIST_ARK_SUBTRACT, HOIST_DTYPE_F16, {-NAN, INFINITY, 1}, {1, INFINITY, -NAN}, {NAN, NAN, NAN}, 3},
    {"no number, bf16", HOIST_ARK_MULTIPLY, HOIST_DTYPE_BF16, {-NAN, INFINITY, 0}, {1, 0, -INFINITY}, {NAN, NAN, NAN}, 3},
    // 65504 + 16 is halfway to 65536, which is even: infinity.
    {"sums, f16", HOIST_ARK_ADD, HOIST_DTYPE_F16, {2048, 2050, 65504, 65504, 0x1p-24}, {1, 1, 15, 16, 0x1p-24}, {2048, 2052, 65504, INFINITY, 0x1p-23}, 5},
    {"sums, bf16", HOIST_ARK_ADD, HOIST_DTYPE_BF16, {256, 258, -1}, {1, 1, 1}, {256, 260, 0}, 3},
    {"sums, i32", HOIST_ARK_ADD, HOIST_DTYPE_I32, {16777217, 2147483647, -2147483648.0}, {2, 1, -1}, {16777219, -2147483648.0, 2147483647}, 3},
    {"sums, u32", HOIST_ARK_ADD, HOIST_DTYPE_U32, {4294967295.0, 1}, {2, 4294967294.0}, {1, 4294967295.0}, 2},
    {"sums, i8", HOIST_ARK_ADD, HOIST_DTYPE_I8, {127, -128, -3}, {1, -1, 5}, {-128, 127, 2}, 3},
    {"sums, u8", HOIST_ARK_ADD, HOIST_DTYPE_U8, {255, 200}, {1, 100}, {0, 44}, 2},
    {"differences, f32", HOIST_ARK_SUBTRACT, HOIST_DTYPE_F32, {1, 5, 1}, {0x1p-25, 5, 2}, {1, 0, -1}, 3},
    {"differences, u8", HOIST_ARK_SUBTRACT, HOIST_DTYPE_U8, {1, 9}, {2, 4}, {255, 5}, 2},
    {"differences, i32", HOIST_ARK_SUBTRACT, HOIST_DTYPE_I32, {-2147483648.0, 7}, {1, 9}, {2147483647, -2}, 2},
    // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24 is halfway between two floats.
    {"products, f32", HOIST_ARK_MULTIPLY, HOIST_DTYPE_F32, {0x1.001p0, -0.0, 0x1p-75, 0x1p100}, {0x1.001p0, 3, 0x1p-75, -0x1p28}, {0x1.002p0, -0.0, 0, -INFINITY}, 4},
    {"products, f16", HOIST_ARK_MULTIPLY, HOIST_DTYPE_F16, {256, 0x1p-12, 3}, {256, 0x1p-13, 5}, {INFINITY, 0, 15}, 3},
    {"products, i32", HOIST_ARK_MULTIPLY, HOIST_DTYPE_I32, {65537, 46341, -5}, {65537, 46341, 7}, {131073, -2147479015.0, -35}, 3},
    {"products, u32", HOIST_ARK_MULTIPLY, HOIST_DTYPE_U32, {4294967295.0, 3}, {4294967295.0, 5}, {1, 15}, 2},
    {"products, i8", HOIST_ARK_MULTIPLY, HOIST_DTYPE_I8, {16, -128, 11}, {16, -1, -11}, {0, -128, -121}, 3},
    {"quotients, f32", HOIST_ARK_DIVIDE, HOIST_DTYPE_F32, {1, 1, -1, 0, -6, 0x1p-149}, {3, 0, 0, 0, 3, 2}, {0x1.555556p-2, INFINITY, -INFINITY, NAN, -2, 0}, 6},
    {"quotients, bf16", HOIST_ARK_DIVIDE, HOIST_DTYPE_BF16, {1, 2, 10}, {3, -0.0, 4}, {0x1.56p-2, -INFINITY, 2.5}, 3},
    {"quotients, i32", HOIST_ARK_DIVIDE, HOIST_DTYPE_I32, {7, -7, 7, -7, 5, 0, -2147483648.0, 16777217}, {2, 2, -2, -2, 0, 0, -1, 1}, {3, -3, -3, 3, 0, 0, -2147483648.0, 16777217}, 8},
    {"quotients, u32", HOIST_ARK_DIVIDE, HOIST_DTYPE_U32, {4294967295.0, 7, 1}, {2, 0, 4294967295.0}, {2147483647, 0, 0}, 3},
    {"quotients, i8", HOIST_ARK_DIVIDE, HOIST_DTYPE_I8, {-128, -7, 7}, {-1, 2, 0}, {-128, -3, 0}, 3},
    {"quotients, u8", HOIST_ARK_DIVIDE, HOIST_DTYPE_U8, {255, 255}, {2, 0}, {127, 0}, 2},
};
// clang-format on

HOIST_TEST_TABLE(two_operands, binary)
{
    const hoist_shape shape = {1, {(int64_t)row->count}};
    ark_fill(&a, row->dtype, row->a, ROW, row->count);
    ark_fill(&b, row->dtype, row->b, ROW, row->count);
    ark_begin(&y, row->dtype, row->count);
    ark_begin(&expected, row->dtype, row->count);
    for (size_t i = 0; i < row->count; i++) {
        ark_set(&expected, i, ark_result(row->dtype, row->y[i]));
    }
    const hoist_view views[] = {ark_view(t, &a, &shape, 0, NULL), ark_view(t, &b, &shape, 0, NULL),
                                ark_view(t, &y, &shape, 0, NULL)};
    const hoist_compute_call call = {.op = row->op, .views = views, .input_count = 2};
    ark_expect(t, &call, &y, &expected);
}

// y[i, j] = a[j] - b[i]: inputs that are stretched by strides of 0, rows of y with a gap, and more
// than two units.
HOIST_TEST(stretched_operands)
{
    enum { ROWS = 37, COLUMNS = 41, PITCH = 45 };
    static const double numbers[] = {1, 20, 300, 4000, 50000};
    static const hoist_dtype types[] = {HOIST_DTYPE_F32, HOIST_DTYPE_I32};
    const hoist_shape shape = {2, {ROWS, COLUMNS}};
    for (size_t n = 0; n < HOIST_COUNT_OF(types); n++) {
        ark_fill(&a, types[n], numbers, 5, COLUMNS);
        ark_fill(&b, types[n], numbers, 4, ROWS);
        ark_begin(&y, types[n], 1 + ROWS * PITCH);
        ark_begin(&expected, types[n], 1 + ROWS * PITCH);
        for (size_t i = 0; i < (size_t)ROWS * COLUMNS; i++) {
            const double number = numbers[i % COLUMNS % 5] - numbers[i / COLUMNS % 4];
            ark_set(&expected, 1 + i / COLUMNS * PITCH + i % COLUMNS, ark_bits(types[n], number));
        }
        const hoist_view views[] = {ark_view(t, &a, &shape, 0, (int64_t[]){0, 1}),
                                    ark_view(t, &b, &shape, 0, (int64_t[]){1, 0}),
                                    ark_view(t, &y, &shape, 1, (int64_t[]){PITCH, 1})};
        const hoist_compute_call call = {
            .op = HOIST_ARK_SUBTRACT, .views = views, .input_count = 2};
        HOIST_EXPECT(t, hoist_compute_work(&call) > 2);
        ark_expect(t, &call, &y, &expected);
    }
}

// The output is the first input, the second, or both.
HOIST_TEST(in_place)
{
    enum { COUNT = 1300 };
    const hoist_shape shape = {2, {2, COUNT / 2}};
    for (int which = 0; which < 3; which++) {
        static double numbers[COUNT];
        for (int i = 0; i < COUNT; i++) {
            numbers[i] = i - 600;
        }
        ark_fill(&y, HOIST_DTYPE_F32, numbers, COUNT, COUNT);
        ark_fill(&a, HOIST_DTYPE_F32, (double[]){3}, 1, COUNT);
        for (int i = 0; i < COUNT; i++) {
            numbers[i] = which == 0 ? numbers[i] - 3 : which == 1 ? 3 - numbers[i] : 0;
        }
        ark_fill(&expected, HOIST_DTYPE_F32, numbers, COUNT, COUNT);
        const hoist_view other = ark_view(t, &a, &shape, 0, NULL);
        const hoist_view self = ark_view(t, &y, &shape, 0, NULL);
        const hoist_view views[] = {which == 1 ? other : self, which == 0 ? other : self, self};
        const hoist_compute_call call = {
            .op = HOIST_ARK_SUBTRACT, .views = views, .input_count = 2};
        ark_expect(t, &call, &y, &expected);
    }
}

static double result_of(hoist_compute_op op, double x, double z)
{
    return op == HOIST_ARK_ADD        ? x + z
           : op == HOIST_ARK_SUBTRACT ? x - z
           : op == HOIST_ARK_MULTIPLY ? x * z
                                      : x / z;
}

// Of 16-bit floats a double has every sum and product, and of quotients bits enough: rounding it
// once is the result of the type.
static void expect_exact(hoist_test *t, hoist_compute_op op, hoist_dtype dtype, uint64_t *seed)
{
    enum { COUNT = 4096 };
    const hoist_shape shape = {1, {COUNT}};
    ark_begin(&a, dtype, COUNT);
    ark_begin(&b, dtype, COUNT);
    ark_begin(&y, dtype, COUNT);
    ark_begin(&expected, dtype, COUNT);
    for (size_t i = 0; i < COUNT; i++) {
        *seed = *seed * 6364136223846793005U + 1442695040888963407U;
        // Every other pair is near in exponent, so that sums and quotients are not of one operand.
        const uint64_t second = i % 2 ? *seed >> 48 : (*seed >> 32 & 0xff7f) ^ (*seed >> 48);
        ark_set(&a, i, *seed >> 32 & 0xffff);
        ark_set(&b, i, second);
        const double number =
            result_of(op, hoist_to_f64(dtype, *seed >> 32 & 0xffff), hoist_to_f64(dtype, second));
        ark_set(&expected, i, ark_result(dtype, number));
    }
    const hoist_view views[] = {ark_view(t, &a, &shape, 0, NULL), ark_view(t, &b, &shape, 0, NULL),
                                ark_view(t, &y, &shape, 0, NULL)};
    const hoist_compute_call call = {.op = op, .views = views, .input_count = 2};
    ark_expect(t, &call, &y, &expected);
}

HOIST_TEST(exact_in_16_bits)
{
    uint64_t seed = 7;
    for (int round = 0; round < HOIST_TEST_ROUNDS(6); round++) {
        for (hoist_compute_op op = HOIST_ARK_ADD; op <= HOIST_ARK_DIVIDE; op++) {
            expect_exact(t, op, HOIST_DTYPE_F16, &seed);
            expect_exact(t, op, HOIST_DTYPE_BF16, &seed);
        }
    }
}

// Casts -----------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_dtype from, to;
    double x[ROW], y[ROW];
    size_t count;
} casts[] = {
    {"f32 to f16", HOIST_DTYPE_F32, HOIST_DTYPE_F16, {1, 2049, 2051, 65519, 65520, -0x1p-25, 0x1.8p-24, -NAN}, {1, 2048, 2052, 65504, INFINITY, -0.0, 0x1p-23, NAN}, 8},
    {"f32 to bf16", HOIST_DTYPE_F32, HOIST_DTYPE_BF16, {257, 259, -0x1.fffffep127, 0x1p-149, INFINITY}, {256, 260, -INFINITY, 0, INFINITY}, 5},
    {"f16 to f32", HOIST_DTYPE_F16, HOIST_DTYPE_F32, {0x1p-24, 65504, -INFINITY, -NAN}, {0x1p-24, 65504, -INFINITY, NAN}, 4},
    {"f16 to bf16", HOIST_DTYPE_F16, HOIST_DTYPE_BF16, {257, 259, 65504, 0x1p-24}, {256, 260, 65536, 0x1p-24}, 4},
    {"bf16 to f16", HOIST_DTYPE_BF16, HOIST_DTYPE_F16, {65280, 65536, 0x1p-25, 0x1p-24}, {65280, INFINITY, 0, 0x1p-24}, 4},
    {"bf16 to f32", HOIST_DTYPE_BF16, HOIST_DTYPE_F32, {0x1.fep127, -0.0}, {0x1.fep127, -0.0}, 2},
    {"f32 to itself", HOIST_DTYPE_F32, HOIST_DTYPE_F32, {0x1.000002p0, -0.0, -NAN}, {0x1.000002p0, -0.0, NAN}, 3},
    {"f32 to i32", HOIST_DTYPE_F32, HOIST_DTYPE_I32, {1.5, 2.75, -1.5, -0.75, 2147483520, 0x1p31, -0x1p31, -0x1.000002p31}, {1, 2, -1, 0, 2147483520, INT32_MAX, INT32_MIN, INT32_MIN}, 8},
    {"not finite, f32 to i32", HOIST_DTYPE_F32, HOIST_DTYPE_I32, {INFINITY, -INFINITY, NAN, -NAN}, {INT32_MAX, INT32_MIN, 0, 0}, 4},
    {"f32 to u32", HOIST_DTYPE_F32, HOIST_DTYPE_U32, {1.75, -0.75, -1, 0x1p31, 0x1.fffffep31, 0x1p32, INFINITY, NAN}, {1, 0, 0, 2147483648.0, 4294967040.0, UINT32_MAX, UINT32_MAX, 0}, 8},
    {"f16 to i32", HOIST_DTYPE_F16, HOIST_DTYPE_I32, {0.5, 1.5, 2.5, -0.5, -1.5, -2.75, 65504, INFINITY}, {0, 2, 2, 0, -2, -3, 65504, INT32_MAX}, 8},
    {"bf16 to i32", HOIST_DTYPE_BF16, HOIST_DTYPE_I32, {0.5, 3.5, 0x1p31, -0x1p31, -0x1p40, 0x1p30}, {0, 4, INT32_MAX, INT32_MIN, INT32_MIN, 0x1p30}, 6},
    {"f16 to u32", HOIST_DTYPE_F16, HOIST_DTYPE_U32, {0.5, 1.5, -0.5, -7, NAN}, {0, 2, 0, 0, 0}, 5},
    {"bf16 to u32", HOIST_DTYPE_BF16, HOIST_DTYPE_U32, {2.5, 3.5, 0x1p32, 0x1p31}, {2, 4, UINT32_MAX, 0x1p31}, 4},
    // Truncated, then modulo 256.
    {"f32 to i8", HOIST_DTYPE_F32, HOIST_DTYPE_I8, {1.75, -1.75, 127.9F, 128, 255.5, -129, 300, 0x1p40}, {1, -1, 127, -128, -1, 127, 44, 0}, 8},
    {"f32 to u8", HOIST_DTYPE_F32, HOIST_DTYPE_U8, {255.75, 256, -1, -0.5, 0x1p31, NAN, INFINITY, -INFINITY}, {255, 0, 255, 0, 0, 0, 0, 0}, 8},
    {"f16 to i8", HOIST_DTYPE_F16, HOIST_DTYPE_I8, {1.5, 2.75, -2.75, 200, INFINITY}, {1, 2, -2, -56, 0}, 5},
    {"bf16 to u8", HOIST_DTYPE_BF16, HOIST_DTYPE_U8, {1.5, -3.5, 258}, {1, 253, 2}, 3},
    {"i32 to f32", HOIST_DTYPE_I32, HOIST_DTYPE_F32, {16777217, 16777219, INT32_MIN, INT32_MAX}, {16777216, 16777220, -0x1p31, 0x1p31}, 4},
    // By way of f32 the third would be 2^30, which is halfway.
    {"i32 to bf16", HOIST_DTYPE_I32, HOIST_DTYPE_BF16, {257, 259, 1077936129, -1}, {256, 260, 0x1.02p30, -1}, 4},
    {"i32 to f16", HOIST_DTYPE_I32, HOIST_DTYPE_F16, {2049, 65519, 65520, -100000}, {2048, 65504, INFINITY, -INFINITY}, 4},
    {"u32 to f32", HOIST_DTYPE_U32, HOIST_DTYPE_F32, {UINT32_MAX, 2147483648.0}, {0x1p32, 0x1p31}, 2},
    {"i8 to bf16", HOIST_DTYPE_I8, HOIST_DTYPE_BF16, {-128, 127}, {-128, 127}, 2},
    {"u8 to f16", HOIST_DTYPE_U8, HOIST_DTYPE_F16, {255, 0}, {255, 0}, 2},
    {"i32 to i8", HOIST_DTYPE_I32, HOIST_DTYPE_I8, {127, 128, -129, 16777217}, {127, -128, 127, 1}, 4},
    {"i32 to u32", HOIST_DTYPE_I32, HOIST_DTYPE_U32, {-1, INT32_MAX}, {UINT32_MAX, INT32_MAX}, 2},
    {"u32 to i32", HOIST_DTYPE_U32, HOIST_DTYPE_I32, {UINT32_MAX, 2147483648.0}, {-1, INT32_MIN}, 2},
    {"i8 to u32", HOIST_DTYPE_I8, HOIST_DTYPE_U32, {-1, 5}, {UINT32_MAX, 5}, 2},
    {"u8 to i8", HOIST_DTYPE_U8, HOIST_DTYPE_I8, {200, 5}, {-56, 5}, 2},
};
// clang-format on

HOIST_TEST_TABLE(types_to_types, casts)
{
    const hoist_shape shape = {1, {(int64_t)row->count}};
    ark_fill(&a, row->from, row->x, row->count, row->count);
    ark_begin(&y, row->to, row->count);
    ark_begin(&expected, row->to, row->count);
    for (size_t i = 0; i < row->count; i++) {
        ark_set(&expected, i, ark_result(row->to, row->y[i]));
    }
    const hoist_view views[] = {ark_view(t, &a, &shape, 0, NULL), ark_view(t, &y, &shape, 0, NULL)};
    const hoist_compute_call call = {.op = HOIST_ARK_CAST, .views = views, .input_count = 1};
    ark_expect(t, &call, &y, &expected);
}

// Rope ------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    double x[ROW], y[ROW], z[ROW];
} rotations[] = {
    // (3, 4) by 90 degrees, by 180, and by what is no angle.
    {"f32", HOIST_DTYPE_F32, {3, 4, 3, 4, 3, 4, 1, 0}, {0, 1, -1, 0, 2, 5, 1, 0}, {-4, 3, -3, -4, -14, 23, 1, 0}},
    {"f16", HOIST_DTYPE_F16, {3, 4, 3, 4, 3, 4, 1, 0}, {0, 1, -1, 0, 2, 5, 1, 0}, {-4, 3, -3, -4, -14, 23, 1, 0}},
    // Products and sums are rounded: 255 * 257 = 65535 is infinity of f16 where 65535 - 50 would not be.
    {"each product is rounded, f16", HOIST_DTYPE_F16, {255, 1, 33, 1, 1, 1, 0, 0}, {257, 50, 65, 95, 1, 0x1p-11, 0, 0}, {INFINITY, 13008, 2048, 3200, 0x1.ffcp-1, 1, 0, 0}},
    {"each product is rounded, bf16", HOIST_DTYPE_BF16, {17, 1, 1, 1, 1, 1, 0, 0}, {17, 33, 1, 0x1p-9, -NAN, 1, 0, 0}, {255, 576, 1, 1, NAN, NAN, 0, 0}},
    {"each product is rounded, f32", HOIST_DTYPE_F32, {0x1.001p0, 1, 1, 1, 0, 0, 0, 0}, {0x1.001p0, 0x1.002p0, 1, 0x1p-25, 0, 0, 0, 0}, {0, 0x1.002p1, 1, 1, 0, 0, 0, 0}},
};
// clang-format on

HOIST_TEST_TABLE(pairs, rotations)
{
    const hoist_shape shape = {2, {2, ROW / 2}};
    ark_fill(&a, row->dtype, row->x, ROW, ROW);
    ark_fill(&b, row->dtype, row->y, ROW, ROW);
    ark_begin(&y, row->dtype, ROW);
    ark_begin(&expected, row->dtype, ROW);
    for (size_t i = 0; i < ROW; i++) {
        ark_set(&expected, i, ark_result(row->dtype, row->z[i]));
    }
    hoist_view views[] = {ark_view(t, &a, &shape, 0, NULL), ark_view(t, &b, &shape, 0, NULL),
                          ark_view(t, &y, &shape, 0, NULL)};
    const hoist_compute_call call = {.op = HOIST_ARK_ROPE, .views = views, .input_count = 2};
    ark_expect(t, &call, &y, &expected);
    views[2] = views[0];
    ark_expect(t, &call, &a, &expected);
    ark_fill(&a, row->dtype, row->x, ROW, ROW);
    views[2] = views[1];
    ark_expect(t, &call, &b, &expected);
}

// (i, 1) by 90 degrees is (-1, i): rows of 6 with a gap, one row of angles for all, several units.
HOIST_TEST(rows_of_pairs)
{
    enum { ROWS = 200, WIDTH = 6, PITCH = 7 };
    const hoist_shape shape = {2, {ROWS, WIDTH}};
    ark_begin(&a, HOIST_DTYPE_F32, (size_t)ROWS * WIDTH);
    ark_fill(&b, HOIST_DTYPE_F32, (double[]){0, 1}, 2, WIDTH);
    ark_begin(&y, HOIST_DTYPE_F32, (size_t)ROWS * PITCH);
    ark_begin(&expected, HOIST_DTYPE_F32, (size_t)ROWS * PITCH);
    for (size_t i = 0; i < (size_t)ROWS * WIDTH; i++) {
        const size_t pair = i / 2;
        const double first = (double)pair;
        ark_set(&a, i, ark_bits(HOIST_DTYPE_F32, i % 2 ? 1 : first));
        ark_set(&expected, i / WIDTH * PITCH + i % WIDTH,
                ark_bits(HOIST_DTYPE_F32, i % 2 ? first : -1));
    }
    const hoist_view views[] = {ark_view(t, &a, &shape, 0, NULL),
                                ark_view(t, &b, &shape, 0, (int64_t[]){0, 1}),
                                ark_view(t, &y, &shape, 0, (int64_t[]){PITCH, 1})};
    const hoist_compute_call call = {.op = HOIST_ARK_ROPE, .views = views, .input_count = 2};
    HOIST_EXPECT(t, hoist_compute_work(&call) > 2);
    ark_expect(t, &call, &y, &expected);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(types_to_types), HOIST_TEST_ROW(pairs),
                HOIST_TEST_ROW(rows_of_pairs), HOIST_TEST_ROW(two_operands),
                HOIST_TEST_ROW(stretched_operands), HOIST_TEST_ROW(in_place),
                HOIST_TEST_ROW(exact_in_16_bits))
