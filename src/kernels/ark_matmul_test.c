// Products of matrices of ops/compute_ark.h: results computed by hand for all layouts and types,
// the order of the terms and where they are rounded.
#include "base/reader.h"
#include "kernels/ark_matmul.h"
#include "kernels/ark_product_testing.h"
#include "kernels/elements.h"
#include "ops/compute_ark.h"
#include "tensor/float_bits.h"

enum { MOST = 32 };

static ark_tensor a, b, y, expected;

// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    int64_t attrs[2];
    ark_operand operands[3]; // a, b, y
    double a[MOST], b[MOST];
    double y[MOST]; // and what is between its elements
    size_t count;   // of y
} cases[] = {
    // [1 2 3; 4 5 6] * [7 8; 9 10; 11 12] = [58 64; 139 154]
    {"a product", HOIST_DTYPE_F32, {0}, {{.shape = {2, {2, 3}}}, {.shape = {2, {3, 2}}}, {.shape = {2, {2, 2}}}},
        {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}, {58, 64, 139, 154}, 4},
    {"a product, f16", HOIST_DTYPE_F16, {0}, {{.shape = {2, {2, 3}}}, {.shape = {2, {3, 2}}}, {.shape = {2, {2, 2}}}},
        {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}, {58, 64, 139, 154}, 4},
    {"a product, bf16", HOIST_DTYPE_BF16, {0}, {{.shape = {2, {2, 3}}}, {.shape = {2, {3, 2}}}, {.shape = {2, {2, 2}}}},
        {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}, {58, 64, 139, 154}, 4},
    {"a transposed", HOIST_DTYPE_F32, {1, 0}, {{.shape = {2, {3, 2}}}, {.shape = {2, {3, 2}}}, {.shape = {2, {2, 2}}}},
        {1, 4, 2, 5, 3, 6}, {7, 8, 9, 10, 11, 12}, {58, 64, 139, 154}, 4},
    {"b transposed", HOIST_DTYPE_F32, {0, 1}, {{.shape = {2, {2, 3}}}, {.shape = {2, {2, 3}}}, {.shape = {2, {2, 2}}}},
        {1, 2, 3, 4, 5, 6}, {7, 9, 11, 8, 10, 12}, {58, 64, 139, 154}, 4},
    {"both", HOIST_DTYPE_BF16, {1, 1}, {{.shape = {2, {3, 2}}}, {.shape = {2, {2, 3}}}, {.shape = {2, {2, 2}}}},
        {1, 4, 2, 5, 3, 6}, {7, 9, 11, 8, 10, 12}, {58, 64, 139, 154}, 4},
    {"a row by a column", HOIST_DTYPE_F32, {0}, {{.shape = {2, {1, 3}}}, {.shape = {2, {3, 1}}}, {.shape = {2, {1, 1}}}},
        {1, 2, 3}, {4, 5, 6}, {32}, 1},
    // Batches [2, 2]: a differs along the first, b along the second; rows of a are 4 apart, those of y 3.
    {"batches on views with gaps", HOIST_DTYPE_F32, {0, 1},
        {{{4, {2, 2, 2, 3}}, 1, {8, 0, 4, 1}, true}, {{4, {2, 2, 1, 3}}, 0, {0, 3, 3, 1}, true}, {{4, {2, 2, 2, 1}}, 1, {12, 6, 3, 1}, true}},
        {9, 1, 2, 3, 9, 4, 5, 6, 9, -1, 0, 1, 9, 2, 2, 2}, {1, 1, 1, 1, 0, 2},
        {ARK_GAP, 6, ARK_GAP, ARK_GAP, 15, ARK_GAP, ARK_GAP, 7, ARK_GAP, ARK_GAP, 16, ARK_GAP, ARK_GAP, 0, ARK_GAP, ARK_GAP, 6, ARK_GAP, ARK_GAP, 1, ARK_GAP, ARK_GAP, 6}, 23},
    {"backwards", HOIST_DTYPE_F16, {0}, {{{2, {1, 3}}, 2, {3, -1}, true}, {.shape = {2, {3, 1}}}, {.shape = {2, {1, 1}}}},
        {1, 2, 3}, {100, 10, 1}, {321}, 1},
    // In index order: 2^24 + 1 is 2^24.
    {"the order of terms", HOIST_DTYPE_F32, {0}, {{.shape = {2, {2, 3}}}, {.shape = {2, {3, 1}}}, {.shape = {2, {2, 1}}}},
        {0x1p24, 1, -0x1p24, 0x1p24, -0x1p24, 1}, {1, 1, 1}, {0, 1}, 2},
    // (1 + 2^-12)^2 - (1 + 2^-11) = 2^-24, which a product that is rounded by itself loses.
    {"products are not rounded", HOIST_DTYPE_F32, {0}, {{.shape = {2, {1, 2}}}, {.shape = {2, {2, 1}}}, {.shape = {2, {1, 1}}}},
        {-0x1.002p0, 0x1.001p0}, {1, 0x1.001p0}, {0x1p-24}, 1},
    {"a sum begins with +0", HOIST_DTYPE_F32, {0}, {{.shape = {2, {1, 1}}}, {.shape = {2, {1, 1}}}, {.shape = {2, {1, 1}}}}, {-0.0}, {1}, {0}, 1},
    // 2048 + 1 + 1 is 2050 in float32, and 2048 where each sum is rounded to f16.
    {"sums are of float32, f16", HOIST_DTYPE_F16, {0}, {{.shape = {2, {1, 3}}}, {.shape = {2, {3, 1}}}, {.shape = {2, {1, 1}}}}, {2048, 1, 1}, {1, 1, 1}, {2050}, 1},
    {"sums are of float32, bf16", HOIST_DTYPE_BF16, {0}, {{.shape = {2, {1, 3}}}, {.shape = {2, {3, 1}}}, {.shape = {2, {1, 1}}}}, {256, 1, 1}, {1, 1, 1}, {258}, 1},
    {"too large, f16", HOIST_DTYPE_F16, {0}, {{.shape = {2, {2, 2}}}, {.shape = {2, {2, 1}}}, {.shape = {2, {2, 1}}}}, {256, 256, 256, -1}, {256, 256}, {INFINITY, 65280}, 2},
    {"no number", HOIST_DTYPE_F32, {0}, {{.shape = {2, {3, 2}}}, {.shape = {2, {2, 1}}}, {.shape = {2, {3, 1}}}},
        {INFINITY, -INFINITY, -NAN, 1, INFINITY, 1}, {1, 1}, {NAN, NAN, INFINITY}, 3},
};
// clang-format on

HOIST_TEST_TABLE(by_hand, cases)
{
    ark_fill(&a, row->dtype, row->a, MOST, MOST);
    ark_fill(&b, row->dtype, row->b, MOST, MOST);
    ark_begin(&y, row->dtype, MOST);
    ark_begin(&expected, row->dtype, MOST);
    for (size_t i = 0; i < row->count; i++) {
        ark_set(&expected, i, ark_result(row->dtype, row->y[i]));
    }
    const hoist_view views[] = {ark_view_of(t, &a, &row->operands[0]),
                                ark_view_of(t, &b, &row->operands[1]),
                                ark_view_of(t, &y, &row->operands[2])};
    hoist_compute_call call = {.op = HOIST_ARK_MATMUL, .views = views, .input_count = 2};
    call.attrs.value[0].integer = row->attrs[0];
    call.attrs.value[1].integer = row->attrs[1];
    ark_expect(t, &call, &y, &expected);
}

// More elements than a unit has: y[i, j] = (i + 1) * j.
HOIST_TEST(several_units)
{
    enum { SIDE = 200 };
    ark_begin(&a, HOIST_DTYPE_F32, SIDE);
    ark_begin(&b, HOIST_DTYPE_F32, SIDE);
    ark_begin(&y, HOIST_DTYPE_F32, (size_t)SIDE * SIDE);
    ark_begin(&expected, HOIST_DTYPE_F32, (size_t)SIDE * SIDE);
    for (size_t i = 0; i < SIDE; i++) {
        ark_set(&a, i, ark_bits(HOIST_DTYPE_F32, (double)i + 1));
        ark_set(&b, i, ark_bits(HOIST_DTYPE_F32, (double)i));
        for (size_t j = 0; j < SIDE; j++) {
            ark_set(&expected, i * SIDE + j, ark_bits(HOIST_DTYPE_F32, (double)((i + 1) * j)));
        }
    }
    const hoist_view views[] = {ark_view(t, &a, &(hoist_shape){2, {SIDE, 1}}, 0, NULL),
                                ark_view(t, &b, &(hoist_shape){2, {1, SIDE}}, 0, NULL),
                                ark_view(t, &y, &(hoist_shape){2, {SIDE, SIDE}}, 0, NULL)};
    const hoist_compute_call call = {.op = HOIST_ARK_MATMUL, .views = views, .input_count = 2};
    ark_expect(t, &call, &y, &expected);
}

// Sums of `count` terms: 2^24, then ones. Within the first block they are lost one by one; the sums
// of later blocks are not.
static const struct {
    const char *name;
    int64_t count;
    double y;
} blocks[] = {
    {"one block", 256, 0x1p24},
    {"the first of the second block", 257, 0x1p24},
    {"two of the second block", 258, 0x1p24 + 2},
    {"three blocks", 768, 0x1p24 + 512},
    // 2^24 + 515 is halfway between floats.
    {"each sum is rounded", 771, 0x1p24 + 516},
};

HOIST_TEST_TABLE(sums_of_blocks, blocks)
{
    ark_fill(&a, HOIST_DTYPE_F32, (double[]){1}, 1, (size_t)row->count);
    ark_set(&a, 0, ark_bits(HOIST_DTYPE_F32, 0x1p24));
    ark_fill(&b, HOIST_DTYPE_F32, (double[]){1}, 1, 1);
    ark_begin(&y, HOIST_DTYPE_F32, 1);
    ark_fill(&expected, HOIST_DTYPE_F32, &row->y, 1, 1);
    const hoist_view views[] = {
        ark_view(t, &a, &(hoist_shape){2, {1, row->count}}, 0, NULL),
        ark_view(t, &b, &(hoist_shape){2, {row->count, 1}}, 0, (int64_t[]){0, 0}),
        ark_view(t, &y, &(hoist_shape){2, {1, 1}}, 0, NULL)};
    const hoist_compute_call call = {.op = HOIST_ARK_MATMUL, .views = views, .input_count = 2};
    ark_expect(t, &call, &y, &expected);
}

// clang-format off
// Sizes about the edges of units, blocks, tiles of all levels and blocks of terms. y is spread, too.
static const ark_product_size sizes[] = {
    {"a tile",                          1,  14,  32,  16, {0, 0}, 0, 1},
    {"one row of a wide tile",          1,   1, 256, 100, {0, 0}, 0, 1},
    {"one row and a column more",       1,   1, 257, 100, {0, 0}, 0, 1},
    {"two rows of a wide tile",         1,   2, 193, 100, {0, 0}, 1, 1},
    {"three rows of a wide tile",       1,   3,  97,  30, {0, 0}, 0, 1},
    {"four rows, b transposed",         1,   4,  35,  31, {0, 1}, 1, 1},
    {"four rows, spread",               1,   4,  35,  31, {0, 0}, 1, 3},
    {"five rows",                       2,   5,  31,   9, {0, 0}, 0, 1},
    {"two tiles of rows",               1,  28,  40,  30, {0, 0}, 0, 1},
    {"three tiles of rows",             1,  29,  40,  30, {0, 0}, 0, 1},
    {"one block of terms",              1,   3,  17, 256, {0, 1}, 0, 1},
    {"one term more",                   1,   3,  17, 257, {0, 0}, 0, 1},
    {"several blocks",                  1,   9,   7, 700, {0, 1}, 0, 1},
    {"several blocks, spread",          1,   5,  33, 513, {0, 1}, 0, 2},
    {"several blocks and columns",      1,  15,  34, 513, {0, 1}, 0, 1},
    {"rows of several units",           1, 200,   2,   3, {0, 0}, 0, 1},
    {"rows of a block",                 1, 672,   3,   2, {0, 1}, 0, 1},
    {"columns of several parts",        1, 140, 300,   5, {0, 1}, 1, 1},
    {"one term",                        1,   7,  40,   1, {0, 0}, 0, 1},
};
// clang-format on

// Any numbers, with signs, zeros and infinities.
static void fill_any(ark_tensor *x, hoist_dtype dtype, size_t count, uint64_t seed)
{
    ark_begin(x, dtype, count);
    for (size_t i = 0; i < count; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407); // Knuth's LCG
        const uint64_t draw = seed >> 33;
        const double number = (double)(int64_t)(draw % 4001 - 2000) / 64;
        ark_set(x, i,
                ark_bits(dtype, draw % 97 == 0     ? -0.0
                                : draw % 1009 == 0 ? INFINITY
                                                   : number));
    }
}

// Runs the call at every level with too little memory.
static void expect_without_memory(hoist_test *t, const hoist_compute_call *call)
{
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        const size_t size = hoist_compute_scratch_size(kernels, call);
        const hoist_compute_call with = ark_with_scratch(t, call, size ? size - 1 : 0);
        hoist_compute_fault fault;
        memset(y.bytes, 0, y.count * y.size);
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &with, 0, hoist_compute_work(call), &fault),
                        HOIST_OK);
        size_t wrong = 0;
        for (size_t i = 0; i < y.count; i++) {
            const uint64_t gap = ark_bits(y.dtype, ARK_GAP);
            wrong += ark_get(&y, i) != ark_get(&expected, i) && ark_get(&expected, i) != gap;
        }
        HOIST_EXPECT_EQ(t, wrong, 0);
    }
}

// Notes which elements were passed on, and what they were.
typedef struct passed_on {
    const hoist_view *y;      // the output
    const hoist_view *wanted; // of the same shape
    size_t wrong;
    int64_t elements;
} passed_on;

static void check_part(void *self, const hoist_compute_product *done)
{
    passed_on *const p = self;
    const size_t size = hoist_element_size(p->y->dtype);
    for (int64_t i = 0; i < done->rows * done->columns; i++) {
        const int64_t row = i / done->columns;
        const int64_t column = i % done->columns;
        const int64_t at = (int64_t)done->batch * p->wanted->stride[0] +
                           (done->row + row) * p->wanted->stride[1] +
                           (done->column + column) * p->wanted->stride[2];
        uint8_t *const element = done->first + row * done->row_step + column * done->column_step;
        p->wrong += memcmp(element, p->wanted->memory.data + p->wanted->offset + at, size) != 0;
        memset(element, 0xff, size); // it is whose who goes on with it
    }
    p->elements += done->rows * done->columns;
}

// Each element is passed on once, complete; those that are not stored leave the output as it is.
static void expect_passed_on(hoist_test *t, const hoist_compute_call *call, bool is_stored)
{
    const hoist_view *const out = &call->views[2];
    const hoist_view wanted = {.memory = {expected.bytes, expected.count * expected.size},
                               .dtype = out->dtype,
                               .shape = out->shape,
                               .offset = out->offset,
                               .stride = {out->stride[0], out->stride[1], out->stride[2]}};
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        passed_on seen = {.y = out, .wanted = &wanted};
        const hoist_compute_finish finish = {check_part, &seen, is_stored};
        hoist_compute_call with = *call;
        hoist_compute_fault fault;
        with.finish = &finish;
        with = ark_with_scratch(t, &with, hoist_compute_scratch_size(kernels, &with));
        HOIST_EXPECT(t, with.scratch.size <= HOIST_COMPUTE_MAX_SCRATCH);
        memset(y.bytes, 0, y.count * y.size);
        const size_t units = hoist_compute_work(call);
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &with, 0, units, &fault), HOIST_OK);
        HOIST_EXPECT_EQ(t, seen.elements, hoist_shape_count(&out->shape));
        HOIST_EXPECT_EQ(t, seen.wrong, 0);
        size_t written = 0;
        for (size_t i = 0; i < y.count; i++) {
            written += ark_get(&y, i) != 0;
        }
        HOIST_EXPECT_EQ(t, written, is_stored ? (size_t)seen.elements : 0);
    }
}

// Kernels of all levels have the bits of the definition.
static void expect_size(hoist_test *t, const ark_product_size *row)
{
    const hoist_shape a_shape = ark_product_shape(row->batches, row->m, row->k, row->transposes[0]);
    const hoist_shape b_shape = ark_product_shape(row->batches, row->k, row->n, row->transposes[1]);
    const hoist_shape y_shape = ark_product_shape(row->batches, row->m, row->n, 0);
    static const hoist_dtype dtypes[] = {HOIST_DTYPE_F32, HOIST_DTYPE_BF16, HOIST_DTYPE_F16};
    for (size_t i = 0; i < HOIST_COUNT_OF(dtypes); i++) {
        fill_any(&a, dtypes[i], (size_t)(hoist_shape_count(&a_shape) * row->spread), 1);
        fill_any(&b, dtypes[i], (size_t)(hoist_shape_count(&b_shape) * row->spread), 2);
        ark_begin(&y, dtypes[i],
                  (size_t)(row->batches * row->m * (row->n + row->gap) * row->spread));
        ark_begin(&expected, dtypes[i], y.count);
        hoist_view views[] = {ark_product_view(t, &a, &a_shape, 0, row->spread),
                              ark_product_view(t, &b, &b_shape, 0, row->spread),
                              ark_product_view(t, &expected, &y_shape, row->gap, row->spread)};
        hoist_compute_call call = {.op = HOIST_ARK_MATMUL, .views = views, .input_count = 2};
        call.attrs.value[0].integer = row->transposes[0];
        call.attrs.value[1].integer = row->transposes[1];
        hoist_ark_matmul_reference(&call, 0, hoist_ark_matmul_work(&call));
        views[2] = ark_product_view(t, &y, &y_shape, row->gap, row->spread);
        ark_expect(t, &call, &y, &expected);
        expect_without_memory(t, &call);
        expect_passed_on(t, &call, false);
        expect_passed_on(t, &call, true);
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

// clang-format off
// Sizes whose elements are not looked at.
static const struct {
    const char *name;
    int64_t batches, m, n, k;
    size_t units;
} cuts[] = {
    {"one element",             1,    1,     1,     1,   1},
    {"small",                   1,   40,    40,    40,   1},
    {"one row for many",        1,    1, 11008,  4096, 115},
    {"one row of few terms",    1,    1, 11008,     1,   1},
    {"wide",                    1,  512, 11008,  4096, 115},
    {"more rows than a block",  1, 1000, 11008,  4096, 230},
    {"tall",                    1, 8192,    64,  1024,  28},
    {"rows for some threads",   1,  512,    96,  4096,   4},
    {"batches",                32,  512,   512,   128, 192},
    {"many terms",              1,   16,    16, 11008,   1},
};
// clang-format on

// Blocks of units, taken in shares of any size, have each element once; other threads get units of
// their own where that is worth it.
HOIST_TEST_TABLE(how_it_is_cut, cuts)
{
    static uint8_t nothing;
    hoist_view views[3] = {{.shape = ark_product_shape(row->batches, row->m, row->k, 0)},
                           {.shape = ark_product_shape(row->batches, row->k, row->n, 0)},
                           {.shape = ark_product_shape(row->batches, row->m, row->n, 0)}};
    for (int i = 0; i < 3; i++) {
        views[i].memory.data = &nothing;
    }
    // Offsets are counted in elements of y.
    views[2].stride[0] = row->m * row->n;
    views[2].stride[1] = row->n;
    views[2].stride[2] = 1;
    const hoist_compute_call call = {.op = HOIST_ARK_MATMUL, .views = views, .input_count = 2};
    const hoist_ark_product p = hoist_ark_product_of(&call);
    const size_t units = hoist_ark_matmul_work(&call);
    HOIST_EXPECT_EQ(t, units, row->units);
    for (size_t share = 1; share <= units; share += 1 + units / 7) {
        int64_t elements = 0;
        for (size_t begin = 0; begin < units;) {
            const size_t end = units - begin < share ? units : begin + share;
            const hoist_ark_block block = hoist_ark_block_at(&call, &p, begin, end);
            const int64_t first = (int64_t)((uintptr_t)block.y.first - (uintptr_t)&nothing);
            HOIST_EXPECT(t, block.units > 0 && block.units <= end - begin);
            HOIST_EXPECT(t, block.rows > 0 && block.rows <= HOIST_ARK_MOST_ROWS);
            HOIST_EXPECT(t, first / row->n % row->m + block.rows <= row->m);
            HOIST_EXPECT(t, block.columns > 0 && first % row->n + block.columns <= row->n);
            elements += block.rows * block.columns;
            begin += block.units;
        }
        HOIST_EXPECT_EQ(t, elements, row->batches * row->m * row->n);
    }
}

// One number 70,000 times, by a stride of 0.
HOIST_TEST(many_terms)
{
    enum { TERMS = 70000 };
    ark_fill(&a, HOIST_DTYPE_F32, (double[]){1, 2}, 2, 2);
    ark_fill(&b, HOIST_DTYPE_F32, (double[]){1}, 1, 1);
    ark_begin(&y, HOIST_DTYPE_F32, 2);
    ark_fill(&expected, HOIST_DTYPE_F32, (double[]){TERMS, 2 * TERMS}, 2, 2);
    const hoist_view views[] = {
        ark_view(t, &a, &(hoist_shape){2, {2, TERMS}}, 0, (int64_t[]){1, 0}),
        ark_view(t, &b, &(hoist_shape){2, {TERMS, 1}}, 0, (int64_t[]){0, 0}),
        ark_view(t, &y, &(hoist_shape){2, {2, 1}}, 0, NULL)};
    const hoist_compute_call call = {.op = HOIST_ARK_MATMUL, .views = views, .input_count = 2};
    ark_expect(t, &call, &y, &expected);
}

// More elements than kernels have memory for: in two parts.
HOIST_TEST(more_than_is_kept_at_a_time)
{
    enum { ROWS = 672, COLUMNS = 1200 };
    fill_any(&a, HOIST_DTYPE_F32, ROWS, 1);
    fill_any(&b, HOIST_DTYPE_F32, COLUMNS, 2);
    ark_begin(&y, HOIST_DTYPE_F32, (size_t)ROWS * COLUMNS);
    ark_begin(&expected, HOIST_DTYPE_F32, (size_t)ROWS * COLUMNS);
    const hoist_shape shape = {3, {1, ROWS, COLUMNS}};
    hoist_view views[] = {ark_view(t, &a, &(hoist_shape){3, {1, ROWS, 1}}, 0, NULL),
                          ark_view(t, &b, &(hoist_shape){3, {1, 1, COLUMNS}}, 0, NULL),
                          ark_view(t, &expected, &shape, 0, NULL)};
    const hoist_compute_call call = {.op = HOIST_ARK_MATMUL, .views = views, .input_count = 2};
    hoist_ark_matmul_reference(&call, 0, hoist_ark_matmul_work(&call));
    views[2] = ark_view(t, &y, &shape, 0, NULL);
    expect_passed_on(t, &call, false);
}

// The first batch of the output is aligned as its type, the second is not.
HOIST_TEST(batches_that_begin_anywhere)
{
    ark_fill(&a, HOIST_DTYPE_F32, (double[]){1, 2}, 2, 2);
    ark_fill(&b, HOIST_DTYPE_F32, (double[]){3}, 1, 1);
    uint8_t bytes[16] = {0};
    const hoist_view views[] = {
        ark_view(t, &a, &(hoist_shape){3, {2, 1, 1}}, 0, NULL),
        ark_view(t, &b, &(hoist_shape){3, {2, 1, 1}}, 0, (int64_t[]){0, 0, 0}),
        {.memory = {bytes, sizeof bytes},
         .dtype = HOIST_DTYPE_F32,
         .shape = {3, {2, 1, 1}},
         .stride = {5, 4, 4}}};
    const hoist_compute_call call = {.op = HOIST_ARK_MATMUL, .views = views, .input_count = 2};
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        const hoist_compute_call with =
            ark_with_scratch(t, &call, hoist_compute_scratch_size(kernels, &call));
        hoist_compute_fault fault;
        memset(bytes, 0, sizeof bytes);
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &with, 0, hoist_compute_work(&call), &fault),
                        HOIST_OK);
        HOIST_EXPECT(t, hoist_f32_from_bits(hoist_load_u32le(bytes)) == 3);
        HOIST_EXPECT(t, hoist_f32_from_bits(hoist_load_u32le(bytes + 5)) == 6);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(by_hand), HOIST_TEST_ROW(several_units),
                HOIST_TEST_ROW(sums_of_blocks), HOIST_TEST_ROW(any_size), HOIST_TEST_ROW(own_sizes),
                HOIST_TEST_ROW(how_it_is_cut), HOIST_TEST_ROW(many_terms),
                HOIST_TEST_ROW(more_than_is_kept_at_a_time),
                HOIST_TEST_ROW(batches_that_begin_anywhere))
