// Sums, means and maxima of ops/compute_ark.h: results computed by hand for all axes, layouts and
// types, the order of the terms and where results are rounded.
#include "kernels/ark_random_testing.h"
#include "ops/compute_ark.h"

enum { MOST = 36 };

static ark_tensor x, y, expected;

#define SUM HOIST_ARK_REDUCE_SUM
#define MEAN HOIST_ARK_REDUCE_MEAN
#define MAX HOIST_ARK_REDUCE_MAX
#define LINE(count)                                                                                \
    {                                                                                              \
        .shape = { 1, {count} }                                                                    \
    }
#define SCALAR                                                                                     \
    {                                                                                              \
        .shape = { 0, {0} }                                                                        \
    }
#define FROM_1_TO_12                                                                               \
    {                                                                                              \
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12                                                      \
    }

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    hoist_dtype dtype;
    int64_t attrs[2]; // axis, keep_dims
    ark_operand operands[2];
    double x[MOST];
    double y[MOST]; // and what is between its elements
    size_t count;   // of y
} cases[] = {
    // [[1 2 3] [4 5 6]] and [[7 8 9] [10 11 12]]
    {"the first axis", SUM, HOIST_DTYPE_F32, {0, 0}, {{.shape = {3, {2, 2, 3}}}, {.shape = {2, {2, 3}}}}, FROM_1_TO_12, {8, 10, 12, 14, 16, 18}, 6},
    {"an axis between", SUM, HOIST_DTYPE_F32, {1, 0}, {{.shape = {3, {2, 2, 3}}}, {.shape = {2, {2, 3}}}}, FROM_1_TO_12, {5, 7, 9, 17, 19, 21}, 6},
    {"the last axis", SUM, HOIST_DTYPE_F32, {2, 0}, {{.shape = {3, {2, 2, 3}}}, {.shape = {2, {2, 2}}}}, FROM_1_TO_12, {6, 15, 24, 33}, 4},
    {"an axis that is kept", SUM, HOIST_DTYPE_F32, {1, 1}, {{.shape = {3, {2, 2, 3}}}, {.shape = {3, {2, 1, 3}}}}, FROM_1_TO_12, {5, 7, 9, 17, 19, 21}, 6},
    {"the first axis, mean", MEAN, HOIST_DTYPE_F16, {0, 0}, {{.shape = {3, {2, 2, 3}}}, {.shape = {2, {2, 3}}}}, FROM_1_TO_12, {4, 5, 6, 7, 8, 9}, 6},
    {"the last axis, mean", MEAN, HOIST_DTYPE_BF16, {2, 1}, {{.shape = {3, {2, 2, 3}}}, {.shape = {3, {2, 2, 1}}}}, FROM_1_TO_12, {2, 5, 8, 11}, 4},
    {"the first axis, max", MAX, HOIST_DTYPE_BF16, {0, 1}, {{.shape = {3, {2, 2, 3}}}, {.shape = {3, {1, 2, 3}}}}, FROM_1_TO_12, {7, 8, 9, 10, 11, 12}, 6},
    {"the last axis, max", MAX, HOIST_DTYPE_I32, {2, 0}, {{.shape = {3, {2, 2, 3}}}, {.shape = {2, {2, 2}}}}, FROM_1_TO_12, {3, 6, 9, 12}, 4},
    {"to a scalar", SUM, HOIST_DTYPE_F32, {0, 0}, {LINE(4), SCALAR}, {1, 2, 3, 4}, {10}, 1},
    // x[i, j, k, l] = numbers[1 + 12 i + 6 j + 3 k + l]; y has columns of one row.
    {"views of four dimensions with gaps", SUM, HOIST_DTYPE_F32, {2, 0},
        {{{4, {2, 2, 2, 2}}, 1, {12, 6, 3, 1}, true}, {{3, {2, 2, 2}}, 0, {1, 8, 3}, true}},
        {9, 1, 2, 9, 3, 4, 9, 5, 6, 9, 7, 8, 9, 10, 20, 9, 30, 40, 9, 50, 60, 9, 70, 80},
        {4, 40, ARK_GAP, 6, 60, ARK_GAP, ARK_GAP, ARK_GAP, 12, 120, ARK_GAP, 14, 140}, 13},
    {"backwards", MAX, HOIST_DTYPE_I8, {1, 0}, {{{2, {2, 3}}, 5, {-3, -1}, true}, LINE(2)}, {1, 2, 3, -4, -5, -6}, {-4, 3}, 2},
    {"a sum begins with +0", SUM, HOIST_DTYPE_F32, {0, 1}, {LINE(1), LINE(1)}, {-0.0}, {0}, 1},
    // 16 accumulators: those of terms 0 and 16 are the same, and 2^60 takes what is added before it goes.
    {"terms 16 apart are one accumulator", SUM, HOIST_DTYPE_F32, {0, 0}, {LINE(33), SCALAR},
        {[0] = 0x1p60, [16] = 1, [32] = -0x1p60}, {0}, 1},
    {"others are not", SUM, HOIST_DTYPE_F32, {0, 0}, {LINE(33), SCALAR}, {[0] = 0x1p60, [15] = 1, [32] = -0x1p60}, {1}, 1},
    // Folded by 8 first: 1 of number 8 goes to 2^60 of number 0, 1 of number 4 to what is left of it.
    {"number 8 is folded before 4", SUM, HOIST_DTYPE_F32, {0, 0}, {LINE(16), SCALAR}, {[0] = 0x1p60, [8] = -0x1p60, [4] = 1}, {1}, 1},
    {"and 4 before 2", SUM, HOIST_DTYPE_F32, {0, 0}, {LINE(16), SCALAR}, {[0] = 0x1p60, [8] = 1, [4] = -0x1p60}, {0}, 1},
    {"and 2 before 1", SUM, HOIST_DTYPE_F32, {0, 0}, {LINE(16), SCALAR}, {[0] = 0x1p60, [2] = -0x1p60, [1] = 1}, {1}, 1},
    {"another axis has one", SUM, HOIST_DTYPE_F32, {0, 0}, {{.shape = {2, {4, 1}}}, LINE(1)}, {0x1p60, 1, -0x1p60, 1}, {1}, 1},
    {"the last axis of one row has 16", SUM, HOIST_DTYPE_F32, {1, 0}, {{.shape = {2, {1, 4}}}, LINE(1)}, {0x1p60, 1, -0x1p60, 1}, {2}, 1},
    // 65519.99.. is below the halfway of 65504 and infinity, but not its float32.
    {"a sum is rounded once, f16", SUM, HOIST_DTYPE_F16, {1, 0}, {{.shape = {2, {2, 4}}}, LINE(2)},
        {2048, 1, 0x1p-24, 0, 2048, 1, 0, 0}, {2050, 2048}, 2},
    {"a sum is rounded once, bf16", SUM, HOIST_DTYPE_BF16, {1, 0}, {{.shape = {2, {2, 4}}}, LINE(2)},
        {256, 1, 0x1p-30, 0, 256, 1, 0, 0}, {258, 256}, 2},
    {"a mean is rounded once, bf16", MEAN, HOIST_DTYPE_BF16, {1, 0}, {{.shape = {2, {2, 2}}}, LINE(2)}, {512, 2.015625, 512, 2}, {258, 256}, 2},
    {"a mean is of float64", MEAN, HOIST_DTYPE_F32, {0, 0}, {LINE(3), SCALAR}, {0x1p30, 1, -0x1p30}, {0x1.555556p-2}, 1},
    {"sums too large", SUM, HOIST_DTYPE_F16, {1, 0}, {{.shape = {2, {3, 3}}}, LINE(3)},
        {65504, 65504, -65504, 65504, 65504, 0, -65504, -15.9921875, 0}, {65504, INFINITY, -65504}, 3},
    {"no number", SUM, HOIST_DTYPE_F32, {1, 0}, {{.shape = {2, {3, 2}}}, LINE(3)}, {INFINITY, -INFINITY, -NAN, 1, INFINITY, 1}, {NAN, NAN, INFINITY}, 3},
    {"no number, f16", MEAN, HOIST_DTYPE_F16, {0, 0}, {{.shape = {2, {2, 3}}}, LINE(3)}, {INFINITY, -NAN, 3, -INFINITY, 1, 2}, {NAN, NAN, 2.5}, 3},
    {"sums of i32 wrap", SUM, HOIST_DTYPE_I32, {1, 0}, {{.shape = {2, {2, 3}}}, LINE(2)}, {2147483647, 1, 1, -2147483648.0, -1, 16777217}, {-2147483647, -2130706432.0}, 2},
    {"sums of u32 wrap", SUM, HOIST_DTYPE_U32, {0, 0}, {{.shape = {2, {2, 1}}}, LINE(1)}, {4294967295.0, 2}, {1}, 1},
    {"sums of i8 wrap", SUM, HOIST_DTYPE_I8, {0, 0}, {LINE(3), SCALAR}, {127, 127, 127}, {125}, 1},
    {"sums of u8 wrap", SUM, HOIST_DTYPE_U8, {0, 0}, {LINE(3), SCALAR}, {255, 255, 4}, {2}, 1},
    {"means of i32 are truncated", MEAN, HOIST_DTYPE_I32, {1, 0}, {{.shape = {2, {3, 2}}}, LINE(3)}, {3, 4, -3, -4, 2147483647, 1}, {3, -3, -1073741824.0}, 3},
    {"means of u32", MEAN, HOIST_DTYPE_U32, {0, 0}, {LINE(2), SCALAR}, {4294967295.0, 4}, {1}, 1},
    {"means of i8", MEAN, HOIST_DTYPE_I8, {0, 0}, {LINE(2), SCALAR}, {100, 100}, {-28}, 1},
    {"lowest of f32", MAX, HOIST_DTYPE_F32, {1, 0}, {{.shape = {2, {4, 2}}}, LINE(4)},
        {-INFINITY, -INFINITY, NAN, -NAN, -INFINITY, -5, NAN, -7}, {-0x1.fffffep127, -0x1.fffffep127, -5, -7}, 4},
    {"lowest of f16", MAX, HOIST_DTYPE_F16, {1, 0}, {{.shape = {2, {2, 2}}}, LINE(2)}, {-INFINITY, NAN, INFINITY, NAN}, {-65504, INFINITY}, 2},
    {"lowest of bf16", MAX, HOIST_DTYPE_BF16, {0, 0}, {{.shape = {2, {2, 2}}}, LINE(2)}, {-INFINITY, NAN, -INFINITY, 1}, {-0x1.fep127, 1}, 2},
    {"maxima of i32", MAX, HOIST_DTYPE_I32, {1, 0}, {{.shape = {2, {2, 2}}}, LINE(2)}, {-2147483648.0, -2147483648.0, 16777217, 16777216}, {-2147483648.0, 16777217}, 2},
    {"maxima of u32", MAX, HOIST_DTYPE_U32, {0, 0}, {LINE(2), SCALAR}, {1, 4294967295.0}, {4294967295.0}, 1},
    {"maxima of u8", MAX, HOIST_DTYPE_U8, {0, 0}, {LINE(2), SCALAR}, {200, 100}, {200}, 1},
    // -0 is not above +0, nor +0 above -0: the first stays, in the order of accumulators.
    {"the first of zeros", MAX, HOIST_DTYPE_F32, {0, 0}, {{.shape = {2, {2, 2}}}, LINE(2)}, {-0.0, 0, 0, -0.0}, {-0.0, 0}, 2},
    {"the first of zeros by accumulators", MAX, HOIST_DTYPE_F32, {1, 0}, {{.shape = {2, {2, 17}}}, LINE(2)},
        {[0] = -1, -1, -0.0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, [17] = -1, -1, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -0.0}, {0, -0.0}, 2},
};
// clang-format on

HOIST_TEST_TABLE(by_hand, cases)
{
    ark_fill(&x, row->dtype, row->x, MOST, MOST);
    ark_begin(&y, row->dtype, MOST);
    ark_begin(&expected, row->dtype, MOST);
    for (size_t i = 0; i < row->count; i++) {
        ark_set(&expected, i, ark_result(row->dtype, row->y[i]));
    }
    const hoist_view views[] = {ark_view_of(t, &x, &row->operands[0]),
                                ark_view_of(t, &y, &row->operands[1])};
    hoist_compute_call call = {.op = row->op, .views = views, .input_count = 1};
    call.attrs.value[HOIST_ARK_REDUCE_AXIS].integer = row->attrs[0];
    call.attrs.value[HOIST_ARK_REDUCE_KEEP_DIMS].integer = row->attrs[1];
    ark_expect(t, &call, &y, &expected);
}

// One number many times, by a stride of 0: `terms` times 1.
static const struct {
    const char *name;
    hoist_compute_op op;
    hoist_dtype dtype;
    int64_t terms;
    double y;
    size_t units; // of two elements
} stretched[] = {
    {"an element is a unit", SUM, HOIST_DTYPE_F32, 70000, 70000, 2},
    {"two are", SUM, HOIST_DTYPE_F32, 32768, 32768, 1},
    // 2049 as f16 is 2048: 2049 / 2048 is nearest to 1 + 2^-10 or 1, and even.
    {"the number of terms as f16", MEAN, HOIST_DTYPE_F16, 2051, 2051.0 / 2052, 1},
    {"the number of terms as bf16", MEAN, HOIST_DTYPE_BF16, 259, 259.0 / 260, 1},
    {"beyond f16", MEAN, HOIST_DTYPE_F16, 70000, 0, 2},
    {"the largest of f16", MEAN, HOIST_DTYPE_F16, 65519, 1, 2},
    {"more than an i8 has", MEAN, HOIST_DTYPE_I8, 300, 0, 1},
    {"more than an u8 has", SUM, HOIST_DTYPE_U8, 300, 44, 1},
};

HOIST_TEST_TABLE(many_terms, stretched)
{
    const double one = 1;
    ark_fill(&x, row->dtype, &one, 1, 1);
    ark_begin(&y, row->dtype, 2);
    ark_fill(&expected, row->dtype, &row->y, 1, 2);
    const hoist_view views[] = {
        ark_view(t, &x, &(hoist_shape){2, {2, row->terms}}, 0, (int64_t[]){0, 0}),
        ark_view(t, &y, &(hoist_shape){1, {2}}, 0, NULL)};
    hoist_compute_call call = {.op = row->op, .views = views, .input_count = 1};
    call.attrs.value[HOIST_ARK_REDUCE_AXIS].integer = 1;
    HOIST_EXPECT_EQ(t, hoist_compute_work(&call), row->units);
    ark_expect(t, &call, &y, &expected);
}

// Random shapes of up to four dimensions, any axis, every type, with strides of 0, backwards and
// with gaps, against the definition.
static hoist_view random_view(hoist_test *t, ark_tensor *tensor, const hoist_shape *shape,
                              bool is_input, uint32_t *state)
{
    int64_t strides[HOIST_MAX_RANK] = {0};
    int64_t offset = ark_next(state) % 5;
    int64_t step = ark_next(state) % 8 == 0 ? 2 : 1;
    for (int i = shape->rank - 1; i >= 0; i--) {
        const uint32_t kind = ark_next(state) % 8;
        const bool is_stretched = is_input && kind == 0;
        strides[i] = is_stretched ? 0 : kind == 1 ? -step : step;
        offset += strides[i] < 0 ? step * (shape->dim[i] - 1) : 0;
        step *= is_stretched ? 1 : shape->dim[i];
        step += kind == 2 ? 3 : 0;
    }
    hoist_view view = ark_view(t, tensor, shape, offset, strides);
    view.offset += ark_next(state) % 4 == 0; // from a byte on that no element is aligned to
    return view;
}

static void expect_reduced(hoist_test *t, hoist_compute_op op, uint32_t *state)
{
    static const int64_t dims[] = {1, 2, 3, 7, 16, 33, 530, 1100};
    hoist_shape from = {.rank = 1 + (int)(ark_next(state) % 4)};
    int64_t count = 1;
    for (int i = 0; i < from.rank; i++) {
        const int64_t dim = dims[ark_next(state) % HOIST_COUNT_OF(dims)];
        from.dim[i] = count * dim <= 6000 ? dim : 1;
        count *= from.dim[i];
    }
    const int axis = (int)(ark_next(state) % (uint32_t)from.rank);
    const bool keeps = ark_next(state) % 2 == 0;
    hoist_shape to = from;
    to.dim[axis] = 1;
    for (int i = axis; !keeps && i + 1 < from.rank; i++) {
        to.dim[i] = from.dim[i + 1];
    }
    to.rank -= !keeps;
    const hoist_view views[] = {random_view(t, &x, &from, true, state),
                                random_view(t, &y, &to, false, state)};
    hoist_compute_call call = {.op = op, .views = views, .input_count = 1};
    call.attrs.value[HOIST_ARK_REDUCE_AXIS].integer = axis;
    call.attrs.value[HOIST_ARK_REDUCE_KEEP_DIMS].integer = keeps;
    ark_expect_defined(t, &call, ark_define_reduction, &y, state);
}

static const struct {
    const char *name;
    hoist_compute_op op;
} reductions[] = {{"sum", SUM}, {"mean", MEAN}, {"max", MAX}};

HOIST_TEST_TABLE(as_defined, reductions)
{
    for (size_t n = 0; n < ARK_TYPES; n++) {
        uint32_t state = (uint32_t)row->op;
        ark_fill_any(&x, ark_types[n], &state);
        ark_fill_any(&y, ark_types[n], &state);
        for (int i = 0; i < HOIST_TEST_ROUNDS(120); i++) {
            expect_reduced(t, row->op, &state);
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(by_hand), HOIST_TEST_ROW(many_terms), HOIST_TEST_ROW(as_defined))
