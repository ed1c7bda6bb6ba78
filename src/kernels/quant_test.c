// Rows of tflite and edgetpu: the values of the reference, what stops a run, units in any order,
// and which calls are plain. Random shapes against another implementation:
// tests/conformance/quant.py.
#include <string.h>

#include "base/reader.h"
#include "kernels/quant.h"
#include "ops/compute_quant.h"
#include "ops/multiplier.h"
#include "testing/test.h"

#define MAX_OPERANDS (HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS)
#define MOST 4096

static const hoist_compute_kernels *baseline(void)
{
    return hoist_compute_kernels_at(HOIST_CPU_BASELINE);
}

// A dense view of `memory`.
static hoist_view view_of(hoist_test *t, void *memory, hoist_dtype dtype, size_t rank,
                          const int64_t *dims)
{
    hoist_view view = {.dtype = dtype};
    hoist_shape shape;
    HOIST_EXPECT_EQ(t, hoist_shape_init(dims, rank, &shape), HOIST_OK);
    HOIST_EXPECT_EQ(t,
                    hoist_view_init((hoist_mut_bytes){memory, MOST}, dtype, &shape, 0, NULL, &view),
                    HOIST_OK);
    return view;
}

static hoist_multiplier multiplier_of(hoist_test *t, double factor)
{
    hoist_multiplier m;
    HOIST_EXPECT_EQ(t, hoist_quantize_multiplier(factor, &m), HOIST_OK);
    return m;
}

// A row with one input and one output, both lines of `count` numbers.
typedef struct line {
    hoist_compute_op op;
    hoist_compute_attrs attrs;
    hoist_dtype dtype;
    size_t count;
} line;

static hoist_status run_line(hoist_test *t, const line *l, const int16_t *x, int16_t *y)
{
    static uint8_t memory[2][MOST];
    hoist_compute_fault fault;
    const int64_t dims[] = {(int64_t)l->count};
    hoist_view views[] = {view_of(t, memory[0], l->dtype, 1, dims),
                          view_of(t, memory[1], l->dtype, 1, dims)};
    const hoist_compute_call call = {
        .op = l->op, .attrs = l->attrs, .views = views, .input_count = 1};
    for (size_t i = 0; i < l->count; i++) {
        memory[0][i] = (uint8_t)x[i];
    }
    const hoist_status status =
        hoist_compute_run(baseline(), &call, 0, hoist_compute_work(&call), &fault);
    for (size_t i = 0; i < l->count; i++) {
        y[i] = l->dtype == HOIST_DTYPE_I8 ? (int8_t)memory[1][i] : memory[1][i];
    }
    return status;
}

// Values of the reference -----------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    hoist_dtype dtype;
    double factor; // of the scale: 2^26 for softmax, 2^27 for the others
    size_t count;
    int16_t x[8];
    int16_t y[8];
} curves[] = {
    {"softmax u8", HOIST_TFLITE_SOFTMAX, HOIST_DTYPE_U8, 0.13083283603191376 * 0x1p26, 4,
     {10, 20, 30, 40}, {4, 14, 51, 188}},
    {"softmax i8", HOIST_TFLITE_SOFTMAX, HOIST_DTYPE_I8, 0.05 * 0x1p26, 3,
     {-128, 0, 127}, {-128, -128, 127}},
    {"softmax of one", HOIST_TFLITE_SOFTMAX, HOIST_DTYPE_U8, 0x1p26, 1, {77}, {255}},
    {"softmax of equals", HOIST_TFLITE_SOFTMAX, HOIST_DTYPE_U8, 0x1p26, 4, {9, 9, 9, 9}, {64, 64, 64, 64}},
    {"logistic", HOIST_TFLITE_LOGISTIC, HOIST_DTYPE_I8, 0.05 * 0x1p27, 7,
     {-128, -40, -1, 0, 1, 40, 127}, {-128, -97, -3, 0, 3, 97, 127}},
    {"tanh", HOIST_TFLITE_TANH, HOIST_DTYPE_I8, 0.05 * 0x1p27, 7,
     {-128, -40, -1, 0, 1, 40, 127}, {-128, -123, -6, 0, 6, 123, 127}},
};
// clang-format on

HOIST_TEST_TABLE(values_of_the_reference, curves)
{
    const hoist_multiplier m = multiplier_of(t, row->factor);
    hoist_compute_attrs attrs = {0};
    const bool softmax = row->op == HOIST_TFLITE_SOFTMAX;
    attrs.value[softmax ? HOIST_SOFTMAX_MULTIPLIER : HOIST_LOGISTIC_MULTIPLIER].integer =
        m.multiplier;
    attrs.value[softmax ? HOIST_SOFTMAX_SHIFT : HOIST_LOGISTIC_SHIFT].integer = m.shift;
    int16_t y[8] = {0};
    HOIST_EXPECT_EQ(t, run_line(t, &(line){row->op, attrs, row->dtype, row->count}, row->x, y),
                    HOIST_OK);
    for (size_t i = 0; i < row->count; i++) {
        HOIST_EXPECT_EQ(t, y[i], row->y[i]);
    }
}

// Unsigned curves are the signed ones, all 128 more.
HOIST_TEST(unsigned_curves_are_signed_ones_moved)
{
    const hoist_multiplier m = multiplier_of(t, 0.05 * 0x1p27);
    const hoist_compute_op ops[] = {HOIST_TFLITE_LOGISTIC, HOIST_TFLITE_TANH};
    for (size_t op = 0; op < 2; op++) {
        int16_t x[2][256], y[2][256];
        for (int i = 0; i < 256; i++) {
            x[0][i] = (int16_t)(i - 128);
            x[1][i] = (int16_t)i;
        }
        hoist_compute_attrs attrs = {
            {{.integer = 3}, {.integer = m.multiplier}, {.integer = m.shift}}};
        HOIST_EXPECT_EQ(t, run_line(t, &(line){ops[op], attrs, HOIST_DTYPE_I8, 256}, x[0], y[0]),
                        HOIST_OK);
        attrs.value[0].integer += 128;
        HOIST_EXPECT_EQ(t, run_line(t, &(line){ops[op], attrs, HOIST_DTYPE_U8, 256}, x[1], y[1]),
                        HOIST_OK);
        for (int i = 0; i < 256; i++) {
            HOIST_EXPECT_EQ(t, y[1][i], y[0][i] + 128);
        }
    }
}

// With equal scales and zero points 128 apart the sign bit changes (reference section 4.9).
HOIST_TEST(requantizing_signs)
{
    uint8_t x[MOST] = {0}, y[MOST] = {0};
    const int64_t dims[] = {256};
    hoist_view views[] = {view_of(t, x, HOIST_DTYPE_U8, 1, dims),
                          view_of(t, y, HOIST_DTYPE_I8, 1, dims)};
    const hoist_compute_call call = {
        .op = HOIST_TFLITE_REQUANTIZE,
        .attrs = {{{.integer = 130}, {.integer = 2}, {.integer = 1 << 30}, {.integer = 1}}},
        .views = views,
        .input_count = 1};
    hoist_compute_fault fault;
    for (int i = 0; i < 256; i++) {
        x[i] = (uint8_t)i;
    }
    HOIST_EXPECT_EQ(t, hoist_compute_run(baseline(), &call, 0, 1, &fault), HOIST_OK);
    for (int i = 0; i < 256; i++) {
        HOIST_EXPECT_EQ(t, y[i], i ^ 0x80);
    }
}

// What stops a run ------------------------------------------------------------------------------

// Equal numbers: their exponentials sum to as many, and each has the same share of 256.
HOIST_TEST(softmax_of_many_equals)
{
    enum { LONGEST = 9000 };
    static uint8_t memory[2][2 * LONGEST];
    static const int64_t lengths[] = {511, 512, 513, 1000, 4095, 4096, 4097, 9000};
    memset(memory[0], 7, sizeof memory[0]);
    for (size_t i = 0; i < HOIST_COUNT_OF(lengths); i++) {
        const int64_t length = lengths[i];
        hoist_compute_fault fault;
        const int64_t dims[] = {2, length};
        hoist_view views[2];
        hoist_shape shape;
        HOIST_EXPECT_EQ(t, hoist_shape_init(dims, 2, &shape), HOIST_OK);
        for (size_t k = 0; k < 2; k++) {
            const hoist_mut_bytes bytes = {memory[k], sizeof memory[k]};
            HOIST_EXPECT_EQ(t, hoist_view_init(bytes, HOIST_DTYPE_U8, &shape, 0, NULL, &views[k]),
                            HOIST_OK);
        }
        const hoist_compute_call call = {.op = HOIST_TFLITE_SOFTMAX,
                                         .attrs = {{{.integer = 1 << 30}, {.integer = 20}}},
                                         .views = views,
                                         .input_count = 1};
        memset(memory[1], 99, sizeof memory[1]);
        HOIST_EXPECT_EQ(t, hoist_compute_run(baseline(), &call, 1, 2, &fault), HOIST_OK);
        HOIST_EXPECT_EQ(t, memory[1][length], length == 511);
        HOIST_EXPECT_EQ(t, memory[1][2 * length - 1], length == 511);
    }
}

// A dense layer of 2 inputs and 3 outputs.
typedef struct layer {
    uint8_t x[MOST], weights[MOST], bias[MOST], scales[MOST], y[MOST];
    hoist_view views[MAX_OPERANDS];
    hoist_compute_call call;
} layer;

static void layer_init(hoist_test *t, layer *l, hoist_compute_op op)
{
    const bool real = op == HOIST_EDGETPU_DENSE;
    memset(l, 0, sizeof *l);
    l->views[0] = view_of(t, l->x, HOIST_DTYPE_U8, 2, (int64_t[]){1, 2});
    l->views[1] = view_of(t, l->weights, HOIST_DTYPE_U8, 2, (int64_t[]){3, 2});
    l->views[2] = view_of(t, l->bias, HOIST_DTYPE_I32, 1, (int64_t[]){3});
    l->views[3] = real ? view_of(t, l->scales, HOIST_DTYPE_F32, 1, (int64_t[]){3})
                       : view_of(t, l->scales, HOIST_DTYPE_I32, 2, (int64_t[]){3, 2});
    l->views[4] = view_of(t, l->y, HOIST_DTYPE_U8, 2, (int64_t[]){1, 3});
    l->call = (hoist_compute_call){.op = op, .views = l->views, .input_count = 4};
    hoist_compute_value *attrs = l->call.attrs.value;
    attrs[HOIST_DENSE_HIGH].integer = 255;
    if (real) {
        attrs[HOIST_DENSE_LOW].number = 0;
        attrs[HOIST_DENSE_HIGH].number = 255;
    }
    for (size_t i = 0; i < 6; i++) { // 0.5 each, or shift 0
        hoist_store_u32le(l->scales + 4 * i, real ? 0x3f000000 : i % 2 ? 0 : 1 << 30);
    }
}

static const struct {
    const char *name;
    hoist_compute_op op;
    size_t word; // of the scales
    uint32_t bits;
    const char *what;
    uint64_t row, col;
} bad_scales[] = {
    {"good", HOIST_TFLITE_DENSE, 0, 1, NULL, 0, 0},
    {"negative", HOIST_TFLITE_DENSE, 2, 0x80000000, "a multiplier below 0", 1, 0},
    {"the greatest", HOIST_TFLITE_DENSE, 4, INT32_MAX, NULL, 0, 0},
    {"a shift down", HOIST_TFLITE_DENSE, 5, (uint32_t)-32, "a shift outside of -31 to 30", 2, 1},
    {"the last shift down", HOIST_TFLITE_DENSE, 5, (uint32_t)-31, NULL, 0, 0},
    {"a shift up", HOIST_TFLITE_DENSE, 1, 31, "a shift outside of -31 to 30", 0, 1},
    {"the last shift up", HOIST_TFLITE_DENSE, 1, 30, NULL, 0, 0},
    {"no number", HOIST_EDGETPU_DENSE, 2, 0x7fc00000, "a multiplier that is not finite", 2, 0},
    {"infinite", HOIST_EDGETPU_DENSE, 1, 0xff800000, "a multiplier that is not finite", 1, 0},
    {"negative float", HOIST_EDGETPU_DENSE, 1, 0xbf800000, NULL, 0, 0},
};

HOIST_TEST_TABLE(scales_are_checked_by_the_run, bad_scales)
{
    static layer l;
    hoist_compute_fault fault;
    layer_init(t, &l, row->op);
    hoist_store_u32le(l.scales + 4 * row->word, row->bits);
    HOIST_EXPECT_EQ(t, hoist_compute_run(baseline(), &l.call, 0, 1, &fault),
                    row->what ? HOIST_INVALID : HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_str_from(fault.what ? fault.what : ""), row->what ? row->what : "");
    HOIST_EXPECT_EQ(t, fault.row, row->row);
    HOIST_EXPECT_EQ(t, fault.col, row->col);
}

// A half of whole numbers rounds away from zero, one of floats to even; 2^31 + 2^31 is 0.
HOIST_TEST(a_dense_layer_by_hand)
{
    static layer l;
    hoist_compute_fault fault;
    const hoist_compute_op ops[] = {HOIST_TFLITE_DENSE, HOIST_EDGETPU_DENSE};
    for (size_t op = 0; op < 2; op++) {
        layer_init(t, &l, ops[op]);
        memcpy(l.x, "\x03\x05", 2);
        memcpy(l.weights, "\x01\x00\x02\x01\x00\x01", 6);
        hoist_store_u32le(l.bias + 4, 10);
        hoist_store_u32le(l.bias + 8, 0x80000000);
        HOIST_EXPECT_EQ(t, hoist_compute_run(baseline(), &l.call, 0, 1, &fault), HOIST_OK);
        HOIST_EXPECT_EQ(t, l.y[0], 2);            // 3 / 2
        HOIST_EXPECT_EQ(t, l.y[1], op ? 10 : 11); // 21 / 2
        HOIST_EXPECT_EQ(t, l.y[2], 0);
    }
}

// Which calls are plain -------------------------------------------------------------------------

static const struct {
    const char *name;
    size_t operand;
    int64_t offset;
    size_t dim;
    int64_t stride; // 0: as it is
    bool plain;
} layouts[] = {
    {"dense", 0, 0, 0, 0, true},
    {"rows of x apart", 0, 0, 0, 99, true},
    {"x anywhere", 0, 3, 0, 0, true},
    {"inputs of x apart", 0, 0, 1, 2, false},
    {"weights anywhere", 1, 3, 0, 0, true},
    {"rows of weights apart", 1, 0, 0, 3, false},
    {"weights backwards", 1, 3, 1, -1, false},
    {"bias apart", 2, 0, 0, 8, false},
    {"bias at an odd place", 2, 2, 0, 0, false},
    {"one bias for all", 2, 0, 0, -4, false},
    {"scales apart", 3, 0, 0, 16, false},
    {"shifts apart", 3, 0, 1, 12, false},
    {"scales at an odd place", 3, 1, 0, 0, false},
    {"outputs apart", 4, 0, 1, 2, false},
};

HOIST_TEST_TABLE(plain_calls, layouts)
{
    static _Alignas(64) layer l;
    layer_init(t, &l, HOIST_TFLITE_DENSE);
    l.views[row->operand].offset = row->offset;
    if (row->stride) {
        l.views[row->operand].stride[row->dim] = row->stride;
    }
    const hoist_quant_conv conv = hoist_quant_conv_of(&l.call);
    HOIST_EXPECT_EQ(t, hoist_quant_conv_is_plain(&conv), row->plain && hoist_is_little_endian());
}

// Units -----------------------------------------------------------------------------------------

// Calls with many units: shapes of the operands, inputs first.
// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    hoist_compute_attrs attrs;
    size_t inputs;
    struct {
        hoist_dtype dtype;
        size_t rank;
        int64_t dims[4];
    } operands[MAX_OPERANDS];
    size_t units;
} calls[] = {
    {"conv", HOIST_TFLITE_CONV,
     {{{.integer = 1}, {.integer = 1}, {.integer = 1}, {.integer = 1}, {.integer = 1}, {.integer = 1},
       {.integer = 3}, {.integer = 5}, {.integer = 7}, {.integer = 0}, {.integer = 255}}},
     4,
     {{HOIST_DTYPE_U8, 4, {2, 3, 3, 2}}, {HOIST_DTYPE_U8, 4, {130, 3, 3, 2}}, {HOIST_DTYPE_I32, 1, {130}},
      {HOIST_DTYPE_I32, 2, {130, 2}}, {HOIST_DTYPE_U8, 4, {2, 3, 3, 130}}},
     18},
    {"depthwise", HOIST_TFLITE_DEPTHWISE,
     {{{.integer = 1}, {.integer = 1}, {.integer = 1}, {.integer = 1}, {.integer = 1}, {.integer = 1},
       {.integer = 3}, {.integer = 5}, {.integer = 7}, {.integer = 0}, {.integer = 255}}},
     4,
     {{HOIST_DTYPE_U8, 4, {2, 3, 3, 70}}, {HOIST_DTYPE_U8, 4, {1, 3, 3, 70}}, {HOIST_DTYPE_I32, 1, {70}},
      {HOIST_DTYPE_I32, 2, {1, 2}}, {HOIST_DTYPE_U8, 4, {2, 3, 3, 70}}},
     6},
    {"pool", HOIST_TFLITE_AVERAGE_POOL,
     {{{.integer = 2}, {.integer = 2}, {.integer = 1}, {.integer = 1}, {.integer = 1}, {.integer = 1},
       {.integer = 0}, {.integer = 255}}},
     1,
     {{HOIST_DTYPE_U8, 4, {2, 3, 3, 70}}, {HOIST_DTYPE_U8, 4, {2, 4, 4, 70}}},
     8},
    {"softmax", HOIST_TFLITE_SOFTMAX, {{{.integer = 1 << 30}, {.integer = 22}}}, 1,
     {{HOIST_DTYPE_U8, 3, {3, 4, 5}}, {HOIST_DTYPE_U8, 3, {3, 4, 5}}}, 12},
    {"mean", HOIST_TFLITE_MEAN, {{{.integer = 1}, {.integer = 2}, {.integer = 1 << 30}, {.integer = 1}}}, 1,
     {{HOIST_DTYPE_U8, 4, {2, 3, 3, 70}}, {HOIST_DTYPE_U8, 4, {2, 1, 1, 70}}}, 4},
    {"resize", HOIST_TFLITE_RESIZE_BILINEAR, {{{.integer = 0}, {.integer = 1}}}, 1,
     {{HOIST_DTYPE_U8, 4, {2, 3, 3, 4}}, {HOIST_DTYPE_U8, 4, {2, 6, 6, 4}}}, 12},
    {"requantize", HOIST_TFLITE_REQUANTIZE,
     {{{.integer = 1}, {.integer = 2}, {.integer = 1 << 30}, {.integer = 0}}}, 1,
     {{HOIST_DTYPE_U8, 1, {3000}}, {HOIST_DTYPE_U8, 1, {3000}}}, 3},
};
// clang-format on

static void fill(uint8_t *memory, size_t size, uint32_t *state)
{
    for (size_t i = 0; i < size; i++) {
        *state = *state * 1664525 + 1013904223;
        memory[i] = (uint8_t)(*state >> 24);
    }
}

HOIST_TEST_TABLE(units_in_any_order, calls)
{
    static _Alignas(64) uint8_t memory[MAX_OPERANDS][MOST];
    static uint8_t once[MOST];
    hoist_view views[MAX_OPERANDS];
    hoist_compute_fault fault;
    uint32_t state = 1;
    for (size_t i = 0; i <= row->inputs; i++) {
        fill(memory[i], MOST, &state);
        views[i] = view_of(t, memory[i], row->operands[i].dtype, row->operands[i].rank,
                           row->operands[i].dims);
    }
    for (size_t i = 0; i < MOST / 8; i++) { // good scales
        hoist_store_u32le(memory[3] + 8 * i, 1 << 30);
        hoist_store_u32le(memory[3] + 8 * i + 4, (uint32_t)-7);
    }
    uint8_t *y = memory[row->inputs];
    const hoist_compute_call call = {
        .op = row->op, .attrs = row->attrs, .views = views, .input_count = row->inputs};
    HOIST_EXPECT_EQ(t, hoist_compute_work(&call), row->units);
    HOIST_EXPECT_EQ(t, hoist_compute_run(baseline(), &call, 0, row->units, &fault), HOIST_OK);
    memcpy(once, y, MOST);
    memset(y, 0xa5, (size_t)hoist_shape_count(&views[row->inputs].shape));
    for (size_t i = row->units; i-- > 0;) {
        HOIST_EXPECT_EQ(t, hoist_compute_run(baseline(), &call, i, i + 1, &fault), HOIST_OK);
    }
    HOIST_EXPECT(t, memcmp(once, y, MOST) == 0);
}

// What each level prepares is what it wants, and the results are those of the reference.
HOIST_TEST(levels_and_prepared_forms_agree)
{
    static _Alignas(64) layer l;
    static _Alignas(64) uint8_t prepared[1 << 16];
    hoist_compute_fault fault;
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        uint32_t state = 5;
        layer_init(t, &l, HOIST_TFLITE_DENSE);
        fill(l.x, 2, &state);
        fill(l.weights, 6, &state);
        HOIST_EXPECT_EQ(t, hoist_compute_run(baseline(), &l.call, 0, 1, &fault), HOIST_OK);
        const uint8_t expected[] = {l.y[0], l.y[1], l.y[2]};
        const size_t size = hoist_compute_prepared_size(kernels, &l.call);
        HOIST_EXPECT(t, size <= sizeof prepared);
        if (size > 0 && size <= sizeof prepared) {
            HOIST_EXPECT(t, hoist_compute_prepare(kernels, &l.call, prepared));
            l.call.prepared = prepared;
        }
        memset(l.y, 0, 3);
        HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &l.call, 0, 1, &fault), HOIST_OK);
        HOIST_EXPECT(t, memcmp(l.y, expected, sizeof expected) == 0);
        hoist_store_u32le(l.scales, 0xffffffff);
        HOIST_EXPECT(t, size == 0 || !hoist_compute_prepare(kernels, &l.call, prepared));
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(values_of_the_reference),
                HOIST_TEST_ROW(unsigned_curves_are_signed_ones_moved),
                HOIST_TEST_ROW(requantizing_signs), HOIST_TEST_ROW(softmax_of_many_equals),
                HOIST_TEST_ROW(scales_are_checked_by_the_run),
                HOIST_TEST_ROW(a_dense_layer_by_hand), HOIST_TEST_ROW(plain_calls),
                HOIST_TEST_ROW(units_in_any_order), HOIST_TEST_ROW(levels_and_prepared_forms_agree))
