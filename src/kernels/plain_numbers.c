// Rows of ops/compute_plain.h that go element by element, as they are defined there: a line of the
// operands is read (elements.h), computed by a function of its row, and written. plain_lookup.c has
// the rows that go by indices.
#include "kernels/plain_numbers.h"

#include <math.h>

#include "kernels/compute_table.h"
#include "kernels/elements.h"
#include "kernels/quant_scale.h"
#include "ops/compute_quant.h"

extern const hoist_compute_group hoist_plain_numbers_group;

enum { UNIT = 512 }; // elements

// Up to UNIT elements of the operands: integers, or those that are float32.
typedef struct line {
    int64_t a[UNIT], b[UNIT], y[UNIT];
    float f32_a[UNIT], f32_b[UNIT], f32_y[UNIT];
    uint64_t first; // of the operands' elements
    size_t count;
    hoist_compute_fault fault; // `what` NULL: none
} line;

// y of a line from a and b, or its fault.
typedef void line_fn(const hoist_compute_call *call, line *l);

static const hoist_view *output_of(const hoist_compute_call *call)
{
    return &call->views[call->input_count];
}

static bool is_float(const hoist_view *view)
{
    return view->dtype == HOIST_DTYPE_F32;
}

// Units by elements of the output.
static size_t work(const hoist_compute_call *call)
{
    const uint64_t count = (uint64_t)hoist_shape_count(&output_of(call)->shape);
    return (size_t)((count + UNIT - 1) / UNIT);
}

// Lines -----------------------------------------------------------------------------------------

// A line of an operand, as integers or floats.
static void read_operand(const hoist_view *view, const line *l, int64_t *integers, float *floats)
{
    uint8_t bytes[HOIST_ELEMENT_MAX_SIZE * UNIT];
    const size_t size = hoist_element_size(view->dtype);
    hoist_elements_read(view, l->first, l->count, bytes);
    if (is_float(view)) {
        hoist_elements_to_f32(view->dtype, bytes, l->count, floats);
        return;
    }
    for (size_t i = 0; i < l->count; i++) {
        integers[i] = hoist_plain_load(view->dtype, bytes + i * size);
    }
}

// A line of the result, as its type has it.
static void write_output(const hoist_view *view, const line *l)
{
    uint8_t bytes[HOIST_ELEMENT_MAX_SIZE * UNIT];
    const size_t size = hoist_element_size(view->dtype);
    if (is_float(view)) {
        hoist_elements_from_f32(view->dtype, l->f32_y, l->count, bytes);
    } else {
        for (size_t i = 0; i < l->count; i++) {
            hoist_plain_store(view->dtype, l->y[i], bytes + i * size);
        }
    }
    hoist_elements_write(view, l->first, l->count, bytes);
}

// Reads a whole unit before it writes, so that the output may be an input.
static hoist_status run(const hoist_compute_call *call, size_t begin, size_t end, line_fn *fn,
                        hoist_compute_fault *out_fault)
{
    const hoist_view *to = output_of(call);
    const uint64_t total = (uint64_t)hoist_shape_count(&to->shape);
    line l = {.count = 0};
    for (size_t unit = begin; unit < end; unit++) {
        l.first = (uint64_t)unit * UNIT;
        l.count = total - l.first < UNIT ? (size_t)(total - l.first) : UNIT;
        read_operand(&call->views[0], &l, l.a, l.f32_a);
        if (call->input_count > 1) {
            read_operand(&call->views[1], &l, l.b, l.f32_b);
        }
        fn(call, &l);
        if (l.fault.what) {
            *out_fault = l.fault;
            return HOIST_INVALID;
        }
        write_output(to, &l);
    }
    return HOIST_OK;
}

// Arithmetic ------------------------------------------------------------------------------------

// NaN stays what it is.
static float clamped_f32(const hoist_compute_call *call, float x)
{
    const float low = call->attrs.value[HOIST_PLAIN_LOW].number;
    const float high = call->attrs.value[HOIST_PLAIN_HIGH].number;
    return x < low ? low : x > high ? high : x;
}

// The operation of a row, in float32.
static float f32_of(hoist_compute_op op, float a, float b)
{
    return op == HOIST_TFLITE_ADD_F32        ? a + b
           : op == HOIST_TFLITE_SUBTRACT_F32 ? a - b
           : op == HOIST_TFLITE_MULTIPLY_F32 ? a * b
                                             : a / b;
}

// Arithmetic with the activation's limits.
static void f32_line(const hoist_compute_call *call, line *l)
{
    for (size_t i = 0; i < l->count; i++) {
        l->f32_y[i] = clamped_f32(call, f32_of(call->op, l->f32_a[i], l->f32_b[i]));
    }
}

// Negative numbers are multiplied with a slope of their own.
static void prelu_line(const hoist_compute_call *call, line *l)
{
    (void)call;
    for (size_t i = 0; i < l->count; i++) {
        l->f32_y[i] = l->f32_a[i] >= 0 ? l->f32_a[i] : l->f32_a[i] * l->f32_b[i];
    }
}

// In double where the reference has it so, then rounded.
static float curve_of(hoist_compute_op op, float x)
{
    return op == HOIST_TFLITE_LOGISTIC_F32 ? 1 / (1 + (float)exp(-(double)x))
           : op == HOIST_TFLITE_TANH_F32   ? (float)tanh((double)x)
                                           : sqrtf(x);
}

// Square roots, logistic and tanh.
static void curve_line(const hoist_compute_call *call, line *l)
{
    for (size_t i = 0; i < l->count; i++) {
        l->f32_y[i] = curve_of(call->op, l->f32_a[i]);
    }
}

// Modulo 2^32, as a signed number.
static int64_t modulo_of(int64_t x)
{
    return (int32_t)(uint32_t)(uint64_t)x;
}

// Sums in 64 bits cannot overflow; products of 32 bits fit, too.
static void i32_line(const hoist_compute_call *call, line *l)
{
    const int64_t low = call->attrs.value[HOIST_PLAIN_LOW].integer;
    const int64_t high = call->attrs.value[HOIST_PLAIN_HIGH].integer;
    for (size_t i = 0; i < l->count; i++) {
        const int64_t x = modulo_of(call->op == HOIST_TFLITE_ADD_I32        ? l->a[i] + l->b[i]
                                    : call->op == HOIST_TFLITE_SUBTRACT_I32 ? l->a[i] - l->b[i]
                                                                            : l->a[i] * l->b[i]);
        l->y[i] = x < low ? low : x > high ? high : x;
    }
}

// Quotients rounded down, and what they leave over.
static void floor_divide_line(const hoist_compute_call *call, line *l)
{
    const bool is_rest = call->op == HOIST_TFLITE_FLOOR_MOD_I32;
    for (size_t i = 0; i < l->count; i++) {
        if (l->b[i] == 0) {
            l->fault = (hoist_compute_fault){
                .what = "a division by 0", .col = l->first + (uint64_t)i, .operand = 2};
            return;
        }
        const int64_t quotient = l->a[i] / l->b[i];
        const bool is_above = l->a[i] % l->b[i] != 0 && (l->a[i] < 0) != (l->b[i] < 0);
        const int64_t rest = l->a[i] % l->b[i] + (is_above ? l->b[i] : 0);
        l->y[i] = is_rest ? rest : modulo_of(quotient - is_above);
    }
}

// The expected numbers, where the file's are these or not known.
static void same_line(const hoist_compute_call *call, line *l)
{
    (void)call;
    for (size_t i = 0; i < l->count; i++) {
        if (l->a[i] != l->b[i] && l->a[i] != -1) {
            l->fault = (hoist_compute_fault){.what = "a number differs",
                                             .col = l->first + (uint64_t)i,
                                             .value = (double)l->a[i],
                                             .operand = 1,
                                             .has_expected = true,
                                             .expected = (double)l->b[i]};
            return;
        }
        l->y[i] = l->b[i];
    }
}

// Choices ---------------------------------------------------------------------------------------

// With NaN the second operand is the result, as in the reference.
static void choice_line(const hoist_compute_call *call, line *l)
{
    const bool greatest = call->op == HOIST_TFLITE_MAXIMUM;
    for (size_t i = 0; i < l->count && is_float(output_of(call)); i++) {
        const float a = l->f32_a[i];
        const float b = l->f32_b[i];
        l->f32_y[i] = (greatest ? a > b : a < b) ? a : b;
    }
    for (size_t i = 0; i < l->count && !is_float(output_of(call)); i++) {
        l->y[i] = (greatest ? l->a[i] > l->b[i] : l->a[i] < l->b[i]) ? l->a[i] : l->b[i];
    }
}

// Casts -----------------------------------------------------------------------------------------

// Truncated; beyond the numbers of the type its nearest, NaN 0. Bool: whether it is not 0.
static int64_t integer_of(float x, hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    const bool is_signed = info->kind == HOIST_CLASS_SIGNED;
    if (dtype == HOIST_DTYPE_BOOL) {
        return x != 0;
    }
    const float beyond = ldexpf(1, (int)info->bits - is_signed); // the first that is too great
    const int64_t most = (int64_t)(UINT64_MAX >> (64 - info->bits + is_signed));
    const int64_t least = is_signed ? -most - 1 : 0;
    return isnan(x) ? 0 : x >= beyond ? most : x <= (is_signed ? -beyond : 0) ? least : (int64_t)x;
}

// Through an integer of 64 bits, or from float32.
static void cast_line(const hoist_compute_call *call, line *l)
{
    const bool from_float = is_float(&call->views[0]);
    const hoist_view *to = output_of(call);
    for (size_t i = 0; i < l->count; i++) {
        const int64_t integer = from_float ? integer_of(l->f32_a[i], to->dtype) : l->a[i];
        l->y[i] = to->dtype == HOIST_DTYPE_BOOL ? integer != 0 : integer;
        l->f32_y[i] = from_float ? l->f32_a[i] : (float)integer;
    }
}

// Hard swish ------------------------------------------------------------------------------------

// In 16 bits: a * b / 2^15 half up, or (`truncates`) toward zero; only the product of the least
// numbers saturates.
static int32_t short_product(int32_t a, int32_t b, bool truncates)
{
    const int32_t product = a * b;
    const int32_t nudge = truncates ? 0 : product >= 0 ? 1 << 14 : 1 - (1 << 14);
    return a == INT16_MIN && b == INT16_MIN ? INT16_MAX : (product + nudge) / (1 << 15);
}

// x * 2^count, cut off at 16 bits.
static int32_t short_shift(int32_t x, int count)
{
    const int64_t wide = (int64_t)x * (INT64_C(1) << count);
    return (int32_t)(wide > INT16_MAX ? INT16_MAX : wide < INT16_MIN ? INT16_MIN : wide);
}

// x, where 3 is 32768, from -1 to 1, as a number from 0 to 1 in 2^15ths. The last step to the left
// is done behind the product, so that no saturation but its own counts.
static int32_t ramp_of(const hoist_compute_call *call, int32_t x)
{
    const int shift = (int)call->attrs.value[HOIST_SWISH_RAMP_SHIFT].integer;
    const int32_t ramp = (int32_t)call->attrs.value[HOIST_SWISH_RAMP].integer;
    int32_t value = short_product(shift > 0 ? short_shift(x, shift - 1) : x, ramp, false);
    value = shift > 0 ? short_shift(value, 1) : hoist_fixed_divide(value, -shift);
    return (value + (1 << 15)) >> 1;
}

// x * relu6(x + 3) / 6 in 16 bits, step by step as the reference does it.
static void hard_swish_line(const hoist_compute_call *call, line *l)
{
    const hoist_compute_value *attrs = call->attrs.value;
    const hoist_dtype dtype = output_of(call)->dtype;
    for (size_t i = 0; i < l->count; i++) {
        const int32_t x = ((int32_t)l->a[i] - (int32_t)attrs[HOIST_SWISH_ZERO_IN].integer) * 128;
        const int32_t y = short_product(x, (int32_t)attrs[HOIST_SWISH_MULTIPLIER].integer, false);
        const int32_t product = short_product(ramp_of(call, x), y, true);
        l->y[i] = hoist_quant_place(
            hoist_fixed_divide(product, -(int)attrs[HOIST_SWISH_SHIFT].integer),
            (int32_t)attrs[HOIST_SWISH_ZERO_OUT].integer, (int32_t)hoist_quant_least(dtype),
            (int32_t)hoist_quant_greatest(dtype));
    }
}

// The table -------------------------------------------------------------------------------------

#define LINES(name)                                                                                \
    static hoist_status name(const hoist_compute_call *call, size_t begin, size_t end,             \
                             hoist_compute_fault *out_fault)                                       \
    {                                                                                              \
        return run(call, begin, end, name##_line, out_fault);                                      \
    }

LINES(f32)
LINES(curve)
LINES(prelu)
LINES(i32)
LINES(floor_divide)
LINES(same)
LINES(choice)
LINES(cast)
LINES(hard_swish)

enum { FIRST = HOIST_TFLITE_MAXIMUM };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_MAXIMUM - FIRST]          = {.work = work, .run = choice},
    [HOIST_TFLITE_MINIMUM - FIRST]          = {.work = work, .run = choice},
    [HOIST_TFLITE_ADD_F32 - FIRST]          = {.work = work, .run = f32},
    [HOIST_TFLITE_SUBTRACT_F32 - FIRST]     = {.work = work, .run = f32},
    [HOIST_TFLITE_MULTIPLY_F32 - FIRST]     = {.work = work, .run = f32},
    [HOIST_TFLITE_DIVIDE_F32 - FIRST]       = {.work = work, .run = f32},
    [HOIST_TFLITE_SQRT_F32 - FIRST]         = {.work = work, .run = curve},
    [HOIST_TFLITE_LOGISTIC_F32 - FIRST]     = {.work = work, .run = curve},
    [HOIST_TFLITE_TANH_F32 - FIRST]         = {.work = work, .run = curve},
    [HOIST_TFLITE_PRELU_F32 - FIRST]        = {.work = work, .run = prelu},
    [HOIST_TFLITE_ADD_I32 - FIRST]          = {.work = work, .run = i32},
    [HOIST_TFLITE_SUBTRACT_I32 - FIRST]     = {.work = work, .run = i32},
    [HOIST_TFLITE_MULTIPLY_I32 - FIRST]     = {.work = work, .run = i32},
    [HOIST_TFLITE_FLOOR_DIVIDE_I32 - FIRST] = {.work = work, .run = floor_divide},
    [HOIST_TFLITE_FLOOR_MOD_I32 - FIRST]    = {.work = work, .run = floor_divide},
    [HOIST_TFLITE_SAME_I32 - FIRST]         = {.work = work, .run = same},
    [HOIST_TFLITE_CAST - FIRST]             = {.work = work, .run = cast},
    [HOIST_TFLITE_HARD_SWISH - FIRST]       = {.work = work, .run = hard_swish},
};
// clang-format on
const hoist_compute_group hoist_plain_numbers_group = {FIRST, HOIST_COUNT_OF(group_rows),
                                                       group_rows};
