// Plain float32 ops on views of many layouts, against one element at a time.
#include <math.h>
#include <string.h>

#include "base/reader.h"
#include "kernels/compute.h"
#include "tensor/convert.h"
#include "tensor/float_bits.h"
#include "tensor/view_testing.h"
#include "testing/test.h"

static const uint32_t edges[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x40490fdb, 0xc2280000,
};

static float f_add(float a, float b)
{
    return a + b;
}
static float f_subtract(float a, float b)
{
    return a - b;
}
static float f_multiply(float a, float b)
{
    return a * b;
}
static float f_maximum(float a, float b)
{
    if (isnan(a) || isnan(b)) {
        return NAN;
    }
    if (a == 0 && b == 0) {
        return signbit(a) && signbit(b) ? -0.0F : 0.0F;
    }
    return a < b ? b : a;
}
static float f_relu(float a, float b)
{
    (void)b;
    return f_maximum(a, 0);
}

static const struct {
    const char *name;
    hoist_compute_op op;
    float (*expected)(float a, float b);
} ops[] = {
    {"add", HOIST_IEEE_ADD, f_add},
    {"subtract", HOIST_IEEE_SUBTRACT, f_subtract},
    {"multiply", HOIST_IEEE_MULTIPLY, f_multiply},
    {"maximum", HOIST_IEEE_MAXIMUM, f_maximum},
    {"relu", HOIST_IEEE_RELU, f_relu},
};

// Bytes are drawn so that every element of every type is within a view's memory.
#define MEMORY ((size_t)1 << 16)

typedef struct layout {
    hoist_dtype dtype;
    size_t rank;
    int64_t dims[HOIST_MAX_RANK];
    int64_t offset;
    bool strided;
    int64_t stride[HOIST_MAX_RANK];
} layout;

static const struct {
    const char *name;
    layout view[3]; // two inputs and the output
} layouts[] = {
    {"contiguous",
     {{HOIST_DTYPE_F32, 2, {31, 70}, 0, false, {0}},
      {HOIST_DTYPE_F32, 1, {2170}, 12000, false, {0}},
      {HOIST_DTYPE_F32, 3, {7, 10, 31}, 24000, false, {0}}}},
    {"transposed and reversed",
     {{HOIST_DTYPE_F32, 2, {40, 30}, 0, true, {4, 160}},
      {HOIST_DTYPE_F32, 2, {30, 40}, 4796, true, {-160, -4}},
      {HOIST_DTYPE_F32, 2, {40, 30}, 8003, true, {240, 8}}}},
    {"broadcast input",
     {{HOIST_DTYPE_F32, 3, {5, 6, 7}, 8, true, {0, 0, 4}},
      {HOIST_DTYPE_F32, 0, {0}, 0, false, {0}},
      {HOIST_DTYPE_F32, 1, {210}, 100, false, {0}}}},
    {"rank 8",
     {{HOIST_DTYPE_F32, 8, {2, 3, 1, 2, 2, 1, 5, 2}, 4, false, {0}},
      {HOIST_DTYPE_F32, 1, {240}, 2048, false, {0}},
      {HOIST_DTYPE_F32, 8, {2, 2, 2, 2, 1, 5, 3, 1}, 8192, false, {0}}}},
    {"scalar",
     {{HOIST_DTYPE_F32, 0, {0}, 4, false, {0}},
      {HOIST_DTYPE_F32, 2, {1, 1}, 8, false, {0}},
      {HOIST_DTYPE_F32, 0, {0}, 0, false, {0}}}},
    {"empty",
     {{HOIST_DTYPE_F32, 2, {0, 4}, 4, false, {0}},
      {HOIST_DTYPE_F32, 1, {0}, 8, false, {0}},
      {HOIST_DTYPE_F32, 3, {4, 2, 0}, 0, false, {0}}}},
    {"bf16 and f16 to f32",
     {{HOIST_DTYPE_BF16, 2, {10, 12}, 2, false, {0}},
      {HOIST_DTYPE_F16, 2, {10, 12}, 1000, true, {2, 20}},
      {HOIST_DTYPE_F32, 2, {10, 12}, 2000, false, {0}}}},
    {"f32 to bf16",
     {{HOIST_DTYPE_F32, 1, {500}, 0, false, {0}},
      {HOIST_DTYPE_I8, 1, {500}, 4000, false, {0}},
      {HOIST_DTYPE_BF16, 2, {20, 25}, 8000, true, {100, 4}}}},
    {"in place",
     {{HOIST_DTYPE_F32, 2, {50, 40}, 0, false, {0}},
      {HOIST_DTYPE_F32, 1, {2000}, 16000, false, {0}},
      {HOIST_DTYPE_F32, 2, {50, 40}, 0, false, {0}}}},
};

static hoist_view make_view(hoist_test *t, uint8_t *memory, layout l)
{
    hoist_shape shape;
    hoist_view view;
    HOIST_EXPECT_EQ(t, hoist_shape_init(l.dims, l.rank, &shape), HOIST_OK);
    HOIST_EXPECT_EQ(t,
                    hoist_view_init((hoist_mut_bytes){memory, MEMORY}, l.dtype, &shape, l.offset,
                                    l.strided ? l.stride : NULL, &view),
                    HOIST_OK);
    return view;
}

static void fill(uint8_t *memory, uint64_t *state)
{
    for (size_t i = 0; i < MEMORY / 4; i++) {
        const uint32_t u = (uint32_t)hoist_test_random(state);
        const float number = (float)(int32_t)u * 0x1p-28F;
        const uint32_t bits =
            u % 4 ? hoist_f32_to_bits(number) : edges[(u >> 8) % HOIST_COUNT_OF(edges)];
        hoist_store_u32le(memory + 4 * i, bits);
    }
}

// NaNs are equal whatever their payload: IEEE 754 leaves it open.
static bool same_value(float a, float b)
{
    return isnan(a) ? isnan(b) : hoist_f32_to_bits(a) == hoist_f32_to_bits(b);
}

static void check(hoist_test *t, size_t op, const hoist_view views[3], size_t count)
{
    float *a = hoist_arena_array(&t->arena, count + 1, sizeof *a);
    float *b = hoist_arena_array(&t->arena, count + 1, sizeof *b);
    float *got = hoist_arena_array(&t->arena, count + 1, sizeof *got);
    view_gather(&views[0], a);
    view_gather(&views[1], b);
    const size_t inputs = hoist_compute_get(ops[op].op)->inputs;
    const hoist_view unary[2] = {views[0], views[2]};
    const hoist_compute_call call = {
        .op = ops[op].op, .views = inputs == 1 ? unary : views, .input_count = inputs};
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(hoist_cpu_detect());
    hoist_compute_fault fault;
    for (size_t unit = hoist_compute_work(&call); unit > 0; unit--) {
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, unit - 1, unit, &fault), HOIST_OK);
    }
    view_gather(&views[2], got);
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    for (size_t i = 0; i < count; i++) {
        const float exact = ops[op].expected(a[i], b[i]);
        const hoist_dtype dtype = views[2].dtype;
        const float expected = hoist_to_f32(dtype, hoist_from_f32(dtype, exact, nearest));
        HOIST_EXPECT(t, same_value(got[i], expected));
    }
}

HOIST_TEST_TABLE(layouts_and_ops, layouts)
{
    uint8_t *memory = hoist_arena_array(&t->arena, MEMORY, 1);
    uint64_t state = 11;
    for (size_t op = 0; op < HOIST_COUNT_OF(ops); op++) {
        fill(memory, &state);
        hoist_view views[3];
        for (size_t i = 0; i < 3; i++) {
            views[i] = make_view(t, memory, row->view[i]);
        }
        const size_t count = (size_t)hoist_shape_count(&views[2].shape);
        if ((size_t)hoist_shape_count(&views[1].shape) != count) {
            views[1] = views[0];
        }
        check(t, op, views, count);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(layouts_and_ops))
