// Rows of tflite and edgetpu that go element by element, as they are defined (TFLite kernels
// reference, sections 4.2, 4.3, 4.8, 4.9 and 4.11; darwinn reference section 16.7). Sums of bytes
// have vectors (quant_sum_level.c).
#include "base/reader.h"
#include "kernels/compute_table.h"
#include "kernels/elements.h"
#include "kernels/quant_scale.h"
#include "kernels/quant_sum.h"
#include "ops/compute_quant.h"

extern const hoist_compute_group hoist_quant_elements_group;

enum { UNIT = HOIST_QUANT_UNIT };

// Up to UNIT elements of the operands.
typedef struct line {
    int32_t a[UNIT];
    int32_t b[UNIT]; // of rows with two inputs
    int32_t y[UNIT];
    float f32[UNIT]; // the operand that is float32
    size_t count;
} line;

// y of a line from a, b and f32.
typedef void line_fn(const hoist_compute_call *call, line *l);

static const hoist_view *output_of(const hoist_compute_call *call)
{
    return &call->views[call->input_count];
}

size_t hoist_quant_elements_work(const hoist_compute_call *call)
{
    const uint64_t count = (uint64_t)hoist_shape_count(&output_of(call)->shape);
    return (size_t)((count + UNIT - 1) / UNIT);
}

// Two's complement.
static int32_t signed_byte(uint8_t byte)
{
    return byte < 0x80 ? byte : byte - 0x100;
}

// Integers of 8, 16 or 32 bits as such of 32.
static void read_numbers(const hoist_view *view, uint64_t begin, size_t count, int32_t *out)
{
    uint8_t bytes[4 * UNIT];
    hoist_elements_read(view, begin, count, bytes);
    for (size_t i = 0; i < count; i++) {
        switch (view->dtype) {
        case HOIST_DTYPE_I8:
            out[i] = signed_byte(bytes[i]);
            break;
        case HOIST_DTYPE_I16:
            out[i] = (int16_t)hoist_load_u16le(bytes + 2 * i);
            break;
        case HOIST_DTYPE_I32:
            out[i] = (int32_t)hoist_load_u32le(bytes + 4 * i);
            break;
        default:
            out[i] = bytes[i];
        }
    }
}

// The low bits of each, little-endian.
static void write_numbers(const hoist_view *view, uint64_t begin, size_t count, const int32_t *y)
{
    uint8_t bytes[4 * UNIT];
    // Bytes of a number.
    const size_t size = hoist_element_size(view->dtype);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < size; k++) {
            bytes[size * i + k] = (uint8_t)((uint32_t)y[i] >> (8 * k));
        }
    }
    hoist_elements_write(view, begin, count, bytes);
}

// An operand of either kind.
static void read_operand(const hoist_view *view, uint64_t begin, line *l, int32_t *numbers)
{
    uint8_t bytes[4 * UNIT];
    if (view->dtype == HOIST_DTYPE_F32) {
        hoist_elements_read(view, begin, l->count, bytes);
        hoist_elements_to_f32(HOIST_DTYPE_F32, bytes, l->count, l->f32);
    } else {
        read_numbers(view, begin, l->count, numbers);
    }
}

static void write_output(const hoist_view *view, uint64_t begin, const line *l)
{
    uint8_t bytes[4 * UNIT];
    if (view->dtype == HOIST_DTYPE_F32) {
        hoist_elements_from_f32(HOIST_DTYPE_F32, l->f32, l->count, bytes);
        hoist_elements_write(view, begin, l->count, bytes);
    } else {
        write_numbers(view, begin, l->count, l->y);
    }
}

// Reads a whole unit before it writes, so that the output may be an input.
static void run(const hoist_compute_call *call, size_t begin, size_t end, line_fn *fn)
{
    const hoist_view *to = output_of(call);
    const uint64_t total = (uint64_t)hoist_shape_count(&to->shape);
    line l;
    for (size_t unit = begin; unit < end; unit++) {
        const uint64_t first = (uint64_t)unit * UNIT;
        l.count = total - first < UNIT ? (size_t)(total - first) : UNIT;
        read_operand(&call->views[0], first, &l, l.a);
        if (call->input_count > 1) {
            read_operand(&call->views[1], first, &l, l.b);
        }
        fn(call, &l);
        write_output(to, first, &l);
    }
}

// -x, modulo 2^32.
static int32_t negative(int32_t x)
{
    return hoist_fixed_add(~x, 1);
}

// Attributes by their kinds.
static int32_t integer(const hoist_compute_call *call, size_t index)
{
    return (int32_t)call->attrs.value[index].integer;
}

static float number(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].number;
}

// The number with its zero point, in the range of the output's type.
static int32_t clamped(const hoist_compute_call *call, int32_t x, int32_t zero)
{
    const hoist_dtype dtype = output_of(call)->dtype;
    return hoist_quant_place(x, zero, (int32_t)hoist_quant_least(dtype),
                             (int32_t)hoist_quant_greatest(dtype));
}

// Arithmetic ------------------------------------------------------------------------------------

// x less its zero point, shifted and scaled: one side of a sum.
static int32_t sum_side(const hoist_compute_call *call, int32_t x, size_t zero, size_t multiplier)
{
    const int32_t wide = hoist_fixed_shift(x - integer(call, zero), integer(call, HOIST_SUM_LEFT));
    return hoist_fixed_scale(wide, integer(call, multiplier), integer(call, multiplier + 1));
}

// Sums as the reference makes them: both sides to one scale, then to that of the output.
static void sum_line(const hoist_compute_call *call, line *l, bool negate)
{
    for (size_t i = 0; i < l->count; i++) {
        const int32_t a = sum_side(call, l->a[i], HOIST_SUM_ZERO_A, HOIST_SUM_MULTIPLIER_A);
        const int32_t b = sum_side(call, l->b[i], HOIST_SUM_ZERO_B, HOIST_SUM_MULTIPLIER_B);
        const int32_t sum = hoist_fixed_add(a, negate ? negative(b) : b);
        const int32_t x = hoist_fixed_scale(sum, integer(call, HOIST_SUM_MULTIPLIER),
                                            integer(call, HOIST_SUM_SHIFT));
        l->y[i] = hoist_quant_place(x, integer(call, HOIST_SUM_ZERO_OUT),
                                    integer(call, HOIST_SUM_LOW), integer(call, HOIST_SUM_HIGH));
    }
}

static void add_line(const hoist_compute_call *call, line *l)
{
    sum_line(call, l, false);
}

static void subtract_line(const hoist_compute_call *call, line *l)
{
    sum_line(call, l, true);
}

// What a result is before it is scaled.
typedef int32_t term_fn(const hoist_compute_call *call, const line *l, size_t i);

// The product of two numbers without their zero points.
static int32_t product_of(const hoist_compute_call *call, const line *l, size_t i)
{
    return (l->a[i] - integer(call, HOIST_MULTIPLY_ZERO_A)) *
           (l->b[i] - integer(call, HOIST_MULTIPLY_ZERO_B));
}

// k1 a + k2 b + constant.
static int32_t weighted_of(const hoist_compute_call *call, const line *l, size_t i)
{
    return integer(call, HOIST_WEIGHTED_K1) * l->a[i] + integer(call, HOIST_WEIGHTED_K2) * l->b[i] +
           integer(call, HOIST_WEIGHTED_CONSTANT);
}

// Attributes from `first` on: zero_out, low, high, multiplier and shift.
static void scale_line(const hoist_compute_call *call, line *l, term_fn *term, size_t first)
{
    for (size_t i = 0; i < l->count; i++) {
        const int32_t x =
            hoist_fixed_scale(term(call, l, i), integer(call, first + 3), integer(call, first + 4));
        l->y[i] = hoist_quant_place(x, integer(call, first), integer(call, first + 1),
                                    integer(call, first + 2));
    }
}

// The same with float limits and a float multiplier.
static void scale_f32_line(const hoist_compute_call *call, line *l, term_fn *term, size_t first)
{
    for (size_t i = 0; i < l->count; i++) {
        l->y[i] =
            hoist_quant_place_f32(term(call, l, i), number(call, first + 3), integer(call, first),
                                  number(call, first + 1), number(call, first + 2));
    }
}

static void multiply_line(const hoist_compute_call *call, line *l)
{
    scale_line(call, l, product_of, HOIST_MULTIPLY_ZERO_OUT);
}

static void multiply_f32_line(const hoist_compute_call *call, line *l)
{
    scale_f32_line(call, l, product_of, HOIST_MULTIPLY_ZERO_OUT);
}

static void weighted_line(const hoist_compute_call *call, line *l)
{
    scale_line(call, l, weighted_of, HOIST_WEIGHTED_ZERO_OUT);
}

static void weighted_f32_line(const hoist_compute_call *call, line *l)
{
    scale_f32_line(call, l, weighted_of, HOIST_WEIGHTED_ZERO_OUT);
}

// A negative number is multiplied by its slope and scaled, others are only scaled (TFLite's
// reference, prelu.h).
static void prelu_line(const hoist_compute_call *call, line *l)
{
    for (size_t i = 0; i < l->count; i++) {
        const int32_t a = l->a[i] - integer(call, HOIST_PRELU_ZERO_A);
        const int32_t product = a * (l->b[i] - integer(call, HOIST_PRELU_ZERO_B));
        const int32_t x = a >= 0 ? hoist_fixed_scale(a, integer(call, HOIST_PRELU_MULTIPLIER_A),
                                                     integer(call, HOIST_PRELU_SHIFT_A))
                                 : hoist_fixed_scale(product, integer(call, HOIST_PRELU_MULTIPLIER),
                                                     integer(call, HOIST_PRELU_SHIFT));
        l->y[i] = clamped(call, x, integer(call, HOIST_PRELU_ZERO_OUT));
    }
}

// Curves ----------------------------------------------------------------------------------------
// Logistic and tanh are defined on signed numbers; unsigned ones are 128 more.

// The input as a number of Q4, clamped to [-15, 15] by `*out_edge`: -1 and 1 at the ends, else 0.
static int32_t argument_of(const hoist_compute_call *call, int32_t x, int *out_edge)
{
    const int32_t shift = integer(call, HOIST_LOGISTIC_SHIFT);
    const int32_t radius = (15 * (1 << 27)) >> shift;
    // The distance from the zero point, in steps of the input.
    const int32_t d = x - integer(call, HOIST_LOGISTIC_ZERO_IN);
    *out_edge = d <= -radius ? -1 : d >= radius ? 1 : 0;
    return *out_edge ? 0 : hoist_fixed_scale(d, integer(call, HOIST_LOGISTIC_MULTIPLIER), shift);
}

// A curve of Q4 numbers, in steps of the output.
static void curve_line(const hoist_compute_call *call, line *l, int32_t (*curve)(int32_t))
{
    // Unsigned results are 128 more.
    const int32_t middle = output_of(call)->dtype == HOIST_DTYPE_U8 ? 128 : 0;
    for (size_t i = 0; i < l->count; i++) {
        int edge = 0;
        const int32_t f = argument_of(call, l->a[i], &edge);
        const int32_t y = edge < 0 ? INT8_MIN : edge > 0 ? INT8_MAX : curve(f);
        l->y[i] = hoist_quant_place(y, 0, INT8_MIN, INT8_MAX) + middle;
    }
}

// From Q0 to 1/256, and from unsigned to signed.
static int32_t logistic_of(int32_t f)
{
    return hoist_fixed_divide(hoist_fixed_logistic(f), 23) - 128;
}

// From Q0 to 1/128.
static int32_t tanh_of(int32_t f)
{
    return hoist_fixed_divide(hoist_fixed_tanh(f), 24);
}

static void logistic_line(const hoist_compute_call *call, line *l)
{
    curve_line(call, l, logistic_of);
}

static void hyperbolic_tangent_line(const hoist_compute_call *call, line *l)
{
    curve_line(call, l, tanh_of);
}

// Conversions -----------------------------------------------------------------------------------

// The nearest integer, halves away from zero; beyond any 16-bit number it does not matter how
// far. NaN is taken for the least.
static int32_t rounded(float x)
{
    const float far = 1 << 17;
    return x >= far ? 1 << 17 : x > -far ? (int32_t)roundf(x) : -(1 << 17);
}

// Of 32 bits, a number less its zero point may wrap.
static void requantize_line(const hoist_compute_call *call, line *l)
{
    const int32_t zero_in = negative(integer(call, HOIST_MEAN_ZERO_IN));
    for (size_t i = 0; i < l->count; i++) {
        const int32_t x = hoist_fixed_scale(hoist_fixed_add(l->a[i], zero_in),
                                            integer(call, HOIST_MEAN_MULTIPLIER),
                                            integer(call, HOIST_MEAN_SHIFT));
        l->y[i] = clamped(call, x, integer(call, HOIST_MEAN_ZERO_OUT));
    }
}

// From float32 to steps, by a division as the reference has it.
static void quantize_line(const hoist_compute_call *call, line *l)
{
    for (size_t i = 0; i < l->count; i++) {
        l->y[i] = clamped(call, rounded(l->f32[i] / number(call, HOIST_QUANT_SCALE)),
                          integer(call, HOIST_QUANT_ZERO));
    }
}

// From steps to float32.
static void dequantize_line(const hoist_compute_call *call, line *l)
{
    for (size_t i = 0; i < l->count; i++) {
        l->f32[i] =
            number(call, HOIST_QUANT_SCALE) * (float)(l->a[i] - integer(call, HOIST_QUANT_ZERO));
    }
}

// From steps of one scale to those of another, in float32.
static void rescale_line(const hoist_compute_call *call, line *l)
{
    const float scale = number(call, HOIST_RESCALE_SCALE);
    // The zero point, scaled once for all.
    const float offset = (float)-integer(call, HOIST_RESCALE_ZERO_IN) * scale;
    for (size_t i = 0; i < l->count; i++) {
        l->y[i] = clamped(call, rounded((float)l->a[i] * scale + offset),
                          integer(call, HOIST_RESCALE_ZERO_OUT));
    }
}

// 16-bit numbers --------------------------------------------------------------------------------

// Both sides have one scale already: only the limits are left.
static void add_short_line(const hoist_compute_call *call, line *l)
{
    const int32_t low = integer(call, HOIST_SHORT_LOW);
    const int32_t high = integer(call, HOIST_SHORT_HIGH);
    for (size_t i = 0; i < l->count; i++) {
        const int32_t sum = l->a[i] + l->b[i];
        l->y[i] = sum < low ? low : sum > high ? high : sum;
    }
}

// A product of 16-bit numbers, by a power of two.
static void multiply_short_line(const hoist_compute_call *call, line *l)
{
    for (size_t i = 0; i < l->count; i++) {
        l->y[i] = hoist_fixed_divide(l->a[i] * l->b[i], integer(call, HOIST_SHORT_DIVIDE));
    }
}

// A product of 16-bit numbers to 8 bits.
static void multiply_short_byte_line(const hoist_compute_call *call, line *l)
{
    const int32_t multiplier = integer(call, HOIST_SHORT_MULTIPLIER);
    const int shift = integer(call, HOIST_SHORT_SHIFT);
    for (size_t i = 0; i < l->count; i++) {
        const int32_t x = hoist_fixed_scale(l->a[i] * l->b[i], multiplier, shift);
        l->y[i] = clamped(call, x, integer(call, HOIST_SHORT_ZERO));
    }
}

static void logistic_short_line(const hoist_compute_call *call, line *l)
{
    (void)call;
    for (size_t i = 0; i < l->count; i++) {
        l->y[i] = hoist_fixed_logistic_short((int16_t)l->a[i]);
    }
}

static void tanh_short_line(const hoist_compute_call *call, line *l)
{
    for (size_t i = 0; i < l->count; i++) {
        l->y[i] = hoist_fixed_tanh_short((int16_t)l->a[i], integer(call, HOIST_SHORT_BITS));
    }
}

#define ELEMENTS(name)                                                                             \
    static void name(const hoist_compute_call *call, size_t begin, size_t end)                     \
    {                                                                                              \
        run(call, begin, end, name##_line);                                                        \
    }

void hoist_quant_sum(const hoist_compute_call *call, bool negates, size_t begin, size_t end)
{
    run(call, begin, end, negates ? subtract_line : add_line);
}

ELEMENTS(multiply)
ELEMENTS(multiply_f32)
ELEMENTS(weighted)
ELEMENTS(weighted_f32)
ELEMENTS(prelu)
ELEMENTS(logistic)
ELEMENTS(hyperbolic_tangent)
ELEMENTS(requantize)
ELEMENTS(quantize)
ELEMENTS(dequantize)
ELEMENTS(rescale)
ELEMENTS(add_short)
ELEMENTS(multiply_short)
ELEMENTS(multiply_short_byte)
ELEMENTS(logistic_short)
ELEMENTS(tanh_short)

enum { FIRST = HOIST_TFLITE_MULTIPLY };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_MULTIPLY - FIRST]      = {.work = hoist_quant_elements_work, .fill = multiply},
    [HOIST_TFLITE_LOGISTIC - FIRST]      = {.work = hoist_quant_elements_work, .fill = logistic},
    [HOIST_TFLITE_TANH - FIRST]          = {.work = hoist_quant_elements_work, .fill = hyperbolic_tangent},
    [HOIST_TFLITE_REQUANTIZE - FIRST]    = {.work = hoist_quant_elements_work, .fill = requantize},
    [HOIST_TFLITE_QUANTIZE - FIRST]      = {.work = hoist_quant_elements_work, .fill = quantize},
    [HOIST_TFLITE_DEQUANTIZE - FIRST]    = {.work = hoist_quant_elements_work, .fill = dequantize},
    [HOIST_TFLITE_RESCALE - FIRST]       = {.work = hoist_quant_elements_work, .fill = rescale},
    [HOIST_TFLITE_WEIGHTED_SUM - FIRST]  = {.work = hoist_quant_elements_work, .fill = weighted},
    [HOIST_TFLITE_PRELU - FIRST]         = {.work = hoist_quant_elements_work, .fill = prelu},
    [HOIST_TFLITE_ADD_I16 - FIRST]       = {.work = hoist_quant_elements_work, .fill = add_short},
    [HOIST_TFLITE_MULTIPLY_I16 - FIRST]  = {.work = hoist_quant_elements_work, .fill = multiply_short},
    [HOIST_TFLITE_MULTIPLY_I16_I8 - FIRST] = {.work = hoist_quant_elements_work, .fill = multiply_short_byte},
    [HOIST_TFLITE_LOGISTIC_I16 - FIRST]  = {.work = hoist_quant_elements_work, .fill = logistic_short},
    [HOIST_TFLITE_TANH_I16 - FIRST]      = {.work = hoist_quant_elements_work, .fill = tanh_short},
    [HOIST_EDGETPU_MULTIPLY - FIRST]     = {.work = hoist_quant_elements_work, .fill = multiply_f32},
    [HOIST_EDGETPU_WEIGHTED_SUM - FIRST] = {.work = hoist_quant_elements_work, .fill = weighted_f32},
};
// clang-format on
const hoist_compute_group hoist_quant_elements_group = {FIRST, HOIST_COUNT_OF(group_rows),
                                                        group_rows};
