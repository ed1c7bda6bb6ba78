// Products of the profile fast (ops/compute_ark.h) at every CPU level: their error against sums in
// float64, the bits of the profile ark below the level that has pairs, and the same bits however
// units are cut and whatever memory there is.
#include <math.h>

#include "kernels/ark_product_testing.h"
#include "ops/compute_ark.h"

static ark_tensor a, b, y, expected;

// clang-format off
// Sizes about the edges of pairs, tiles and blocks of terms. y is not spread.
static const ark_product_size sizes[] = {
    {"one term",                        1,   3,   5,    1, {0, 0}, 0, 1},
    {"a pair",                          1,   3,   5,    2, {0, 1}, 0, 1},
    {"a pair and a term",               1,  14,  32,    3, {0, 0}, 0, 1},
    {"a pair and a term, b transposed", 1,  14,  32,    3, {0, 1}, 0, 1},
    {"one row, b transposed",           1,   1,  70,   41, {0, 1}, 0, 1},
    {"sixteen lines and one more",      1,  17,  17,   67, {0, 1}, 0, 1},
    {"one block of terms",              1,   3,  17,  512, {0, 1}, 0, 1},
    {"one term more",                   1,   3,  17,  513, {0, 0}, 0, 1},
    {"one term more, b transposed",     1,   3,  17,  513, {0, 1}, 0, 1},
    {"several blocks, spread",          1,   5,  33, 1025, {0, 1}, 0, 1},
    {"many terms",                      1,   2,   2, 9001, {0, 1}, 0, 1},
};
// clang-format on

static uint32_t draw(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); // Knuth's LCG
    return (uint32_t)(*state >> 33);
}

// Numbers from -1 to 1; with `specials` zeros of both signs, infinities and NaN, too.
static void fill(ark_tensor *x, int64_t count, bool specials, uint64_t *state)
{
    static const double special[] = {0, -0.0, INFINITY, -INFINITY, NAN};
    ark_begin(x, HOIST_DTYPE_BF16, (size_t)count);
    for (size_t i = 0; i < x->count; i++) {
        const double number = (double)draw(state) * 0x1p-30 - 1;
        const uint32_t choice = draw(state) % 997;
        ark_set(x, i,
                ark_bits(HOIST_DTYPE_BF16,
                         specials && choice < HOIST_COUNT_OF(special) ? special[choice] : number));
    }
}

static double number_at(const hoist_view *view, int64_t batch, int64_t row, int64_t column)
{
    const uint8_t *const at = view->memory.data + view->offset + batch * view->stride[0] +
                              row * view->stride[1] + column * view->stride[2];
    return (double)hoist_to_f32(HOIST_DTYPE_BF16, hoist_element_load(at, sizeof(uint16_t)));
}

// Element [row, column] of batch `batch` is within the bound of ops/compute_ark.h.
static bool is_near(const hoist_compute_call *call, int64_t batch, int64_t row, int64_t column)
{
    const int64_t *const shape = call->views[0].shape.dim;
    const bool turns_a = call->attrs.value[HOIST_ARK_MATMUL_TRANSPOSE_A].integer != 0;
    const bool turns_b = call->attrs.value[HOIST_ARK_MATMUL_TRANSPOSE_B].integer != 0;
    const int64_t terms = turns_a ? shape[1] : shape[2];
    double sum = 0;
    double size = 0;
    for (int64_t k = 0; k < terms; k++) {
        const double product =
            number_at(&call->views[0], batch, turns_a ? k : row, turns_a ? row : k) *
            number_at(&call->views[1], batch, turns_b ? column : k, turns_b ? k : column);
        sum += product;
        size += fabs(product);
    }
    const double found = number_at(&call->views[2], batch, row, column);
    if (!isfinite(sum)) {
        return isnan(sum) ? isnan(found) : found == sum;
    }
    return fabs(found - sum) <=
           0x1p-8 * fabs(sum) + (double)terms * (HOIST_FAST_MATMUL_ERROR * size + 0x1p-126);
}

static void expect_near(hoist_test *t, const hoist_compute_call *call)
{
    const hoist_shape *const shape = &call->views[2].shape;
    size_t wrong = 0;
    for (int64_t i = 0; i < hoist_shape_count(shape); i++) {
        const int64_t row = i / shape->dim[2];
        wrong += !is_near(call, row / shape->dim[1], row % shape->dim[1], i % shape->dim[2]);
    }
    HOIST_EXPECT_EQ(t, wrong, 0);
}

static void run(hoist_test *t, const hoist_compute_kernels *kernels, const hoist_compute_call *call,
                size_t step)
{
    const size_t units = hoist_compute_work(call);
    hoist_compute_fault fault;
    ark_begin(&y, HOIST_DTYPE_BF16, y.count);
    for (size_t at = 0; at < units; at += step) {
        const size_t end = units - at < step ? units : at + step;
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, call, at, end, &fault), HOIST_OK);
    }
}

static void expect_same(hoist_test *t)
{
    HOIST_EXPECT(t, memcmp(y.bytes, expected.bytes, y.count * y.size) == 0);
}

// At every level: near, and the same in one go with memory and in units without; as ark where the
// level has no pairs.
static void expect_product(hoist_test *t, hoist_compute_call call)
{
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        call.op = HOIST_FAST_MATMUL;
        const size_t size = hoist_compute_scratch_size(kernels, &call);
        HOIST_EXPECT(t, size <= HOIST_COMPUTE_MAX_SCRATCH);
        const hoist_compute_call with = ark_with_scratch(t, &call, size);
        run(t, kernels, &with, hoist_compute_work(&call));
        expect_near(t, &call);
        expected = y;
        run(t, kernels, &call, 1);
        expect_same(t);
        if (!hoist_compute_fast(kernels)) {
            call.op = HOIST_ARK_MATMUL;
            run(t, kernels, &call, hoist_compute_work(&call));
            expect_same(t);
        }
    }
}

static void expect_size(hoist_test *t, const ark_product_size *row)
{
    const hoist_shape a_shape = ark_product_shape(row->batches, row->m, row->k, row->transposes[0]);
    const hoist_shape b_shape = ark_product_shape(row->batches, row->k, row->n, row->transposes[1]);
    const hoist_shape y_shape = ark_product_shape(row->batches, row->m, row->n, 0);
    uint64_t state = 1;
    for (int specials = 0; specials < 2; specials++) {
        fill(&a, hoist_shape_count(&a_shape) * row->spread, specials != 0, &state);
        fill(&b, hoist_shape_count(&b_shape) * row->spread, specials != 0, &state);
        ark_begin(&y, HOIST_DTYPE_BF16, (size_t)(row->batches * row->m * (row->n + row->gap)));
        const hoist_view views[] = {ark_product_view(t, &a, &a_shape, 0, row->spread),
                                    ark_product_view(t, &b, &b_shape, 0, row->spread),
                                    ark_product_view(t, &y, &y_shape, row->gap, 1)};
        hoist_compute_call call = {.views = views, .input_count = 2};
        call.attrs.value[HOIST_ARK_MATMUL_TRANSPOSE_A].integer = row->transposes[0];
        call.attrs.value[HOIST_ARK_MATMUL_TRANSPOSE_B].integer = row->transposes[1];
        expect_product(t, call);
    }
}

HOIST_TEST_TABLE(any_size, ark_product_sizes)
{
    expect_size(t, row);
}

HOIST_TEST_TABLE(own_sizes, sizes)
{
    expect_size(t, row);
}

// Numbers below 2^-126 may count as zeros.
HOIST_TEST(least_numbers)
{
    ark_fill(&a, HOIST_DTYPE_BF16, (double[]){0x1p-130, 1, 0x1p-100}, 3, 3);
    ark_fill(&b, HOIST_DTYPE_BF16, (double[]){1, 0x1p-126, 0x1p-30}, 3, 3);
    ark_begin(&y, HOIST_DTYPE_BF16, 1);
    const hoist_shape row = ark_product_shape(1, 1, 3, 0);
    const hoist_shape column = ark_product_shape(1, 3, 1, 0);
    const hoist_shape one = ark_product_shape(1, 1, 1, 0);
    const hoist_view views[] = {ark_product_view(t, &a, &row, 0, 1),
                                ark_product_view(t, &b, &column, 0, 1),
                                ark_product_view(t, &y, &one, 0, 1)};
    expect_product(t, (hoist_compute_call){.views = views, .input_count = 2});
    const double found = number_at(&views[2], 0, 0, 0);
    HOIST_EXPECT(t, found >= 0x1p-126 && found <= 0x1.2p-126);
}

// The instructions of a level, and none for others.
HOIST_TEST(names)
{
    HOIST_EXPECT(t, !hoist_compute_fast(hoist_compute_kernels_at(HOIST_CPU_BASELINE)));
    HOIST_EXPECT(t, !hoist_compute_fast(hoist_compute_kernels_at(HOIST_CPU_X86_64_VNNI)));
    HOIST_EXPECT(t, !hoist_compute_fast(hoist_compute_kernels_at(HOIST_CPU_AMX)));
#if defined(__x86_64__)
    HOIST_EXPECT_STR(
        t, hoist_str_from(hoist_compute_fast(hoist_compute_kernels_at(HOIST_CPU_X86_64_BF16))),
        "AVX512-BF16");
#endif
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(any_size), HOIST_TEST_ROW(own_sizes), HOIST_TEST_ROW(least_numbers),
                HOIST_TEST_ROW(names))
