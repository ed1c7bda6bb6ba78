// Rows by index of ops/compute_ark.h: elements of each type as they are, negative indices, layouts;
// indices outside of the table.
#include "kernels/ark_testing.h"

static ark_tensor indices, weight, y, expected;

static hoist_compute_call call_of(const hoist_view views[3])
{
    return (hoist_compute_call){.op = HOIST_ARK_EMBEDDING, .views = views, .input_count = 2};
}

static const struct {
    const char *name;
    hoist_dtype dtype;
} types[] = {
    {"f32", HOIST_DTYPE_F32}, {"f16", HOIST_DTYPE_F16}, {"bf16", HOIST_DTYPE_BF16},
    {"i32", HOIST_DTYPE_I32}, {"u32", HOIST_DTYPE_U32}, {"i8", HOIST_DTYPE_I8},
    {"u8", HOIST_DTYPE_U8},
};

// A table of 5 rows of 3, transposed in memory; indices [2, 3], rows of the output 4 apart.
HOIST_TEST_TABLE(rows_by_index, types)
{
    static const double index[] = {0, 4, 2, -1, -5, 2};
    static const size_t rows[] = {0, 4, 2, 4, 0, 2};
    ark_fill(&indices, HOIST_DTYPE_I32, index, 6, 6);
    ark_begin(&weight, row->dtype, 15);
    ark_begin(&y, row->dtype, 24);
    ark_begin(&expected, row->dtype, 24);
    // Bits that are no number stay what they are.
    for (size_t i = 0; i < 15; i++) {
        ark_set(&weight, i, i * 0x11111111 + 0xf0000007);
    }
    for (size_t i = 0; i < 18; i++) {
        ark_set(&expected, i / 3 * 4 + i % 3, ark_get(&weight, i % 3 * 5 + rows[i / 3]));
    }
    const hoist_view views[] = {
        ark_view(t, &indices, &(hoist_shape){2, {2, 3}}, 0, NULL),
        ark_view(t, &weight, &(hoist_shape){2, {5, 3}}, 0, (int64_t[]){1, 5}),
        ark_view(t, &y, &(hoist_shape){3, {2, 3, 3}}, 0, (int64_t[]){12, 4, 1})};
    const hoist_compute_call call = call_of(views);
    HOIST_EXPECT_EQ(t, hoist_compute_work(&call), 6);
    ark_expect(t, &call, &y, &expected);
}

// A row that is copied in parts; one index without a dimension.
HOIST_TEST(wide_rows)
{
    enum { WIDTH = 1025 };
    ark_fill(&indices, HOIST_DTYPE_I32, (double[]){1}, 1, 1);
    ark_begin(&weight, HOIST_DTYPE_F32, (size_t)2 * WIDTH);
    ark_begin(&y, HOIST_DTYPE_F32, WIDTH);
    ark_begin(&expected, HOIST_DTYPE_F32, WIDTH);
    for (size_t i = 0; i < (size_t)2 * WIDTH; i++) {
        ark_set(&weight, i, i);
        ark_set(&expected, i % WIDTH, i);
    }
    const hoist_view views[] = {ark_view(t, &indices, &(hoist_shape){0, {0}}, 0, NULL),
                                ark_view(t, &weight, &(hoist_shape){2, {2, WIDTH}}, 0, NULL),
                                ark_view(t, &y, &(hoist_shape){1, {WIDTH}}, 0, NULL)};
    const hoist_compute_call call = call_of(views);
    ark_expect(t, &call, &y, &expected);
}

static const struct {
    const char *name;
    double index;
    bool fits;
} limits[] = {
    {"the last", 4, true},
    {"one more", 5, false},
    {"the first from the end", -5, true},
    {"one less", -6, false},
    {"the greatest", INT32_MAX, false},
    {"the least", INT32_MIN, false},
};

HOIST_TEST_TABLE(indices_outside, limits)
{
    ark_fill(&indices, HOIST_DTYPE_I32, (double[]){0, 1, 2, 3, row->index, 1}, 6, 6);
    ark_begin(&weight, HOIST_DTYPE_F16, 10);
    ark_begin(&y, HOIST_DTYPE_F16, 12);
    const hoist_view views[] = {ark_view(t, &indices, &(hoist_shape){2, {2, 3}}, 0, NULL),
                                ark_view(t, &weight, &(hoist_shape){2, {5, 2}}, 0, NULL),
                                ark_view(t, &y, &(hoist_shape){3, {2, 3, 2}}, 0, NULL)};
    const hoist_compute_call call = call_of(views);
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(hoist_cpu_detect());
    hoist_compute_fault fault;
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 4, &fault), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 5, 6, &fault), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 6, &fault),
                    row->fits ? HOIST_OK : HOIST_INVALID);
    HOIST_EXPECT_EQ(t, fault.what == NULL, row->fits);
    if (!row->fits) {
        HOIST_EXPECT_STR(t, hoist_str_from(fault.what), "an index outside of the table");
        HOIST_EXPECT_EQ(t, fault.row, 1);
        HOIST_EXPECT_EQ(t, fault.col, 1);
        HOIST_EXPECT(t, fault.value == (double)row->index);
        HOIST_EXPECT_EQ(t, fault.operand, 1);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rows_by_index), HOIST_TEST_ROW(wide_rows),
                HOIST_TEST_ROW(indices_outside))
