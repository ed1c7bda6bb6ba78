// Rows of ops/compute_ark.h that go element by element, as they are defined there, for tests: a
// line of the operands is read (elements.h), computed by the function of its row for floats or for
// integers, and written. ark_math.h has exp, sigmoid and gelu.
#include "kernels/ark_definition_testing.h"

#include <math.h>

#include "base/assert.h"
#include "kernels/ark_elements.h"
#include "kernels/ark_math.h"
#include "kernels/elements.h"
#include "kernels/plain_numbers.h"
#include "tensor/convert.h"

enum { LINE = 512 }; // elements, even

// Elements of `a` become fn(a, b); of one input `b` has no meaning.
typedef void floats_fn(float *a, const float *b, size_t count);
typedef void integers_fn(int64_t *a, const int64_t *b, size_t count); // modulo 2^64

// Lines -----------------------------------------------------------------------------------------

static void read_floats(const hoist_view *view, uint64_t first, size_t count, float *values)
{
    uint8_t bytes[HOIST_ELEMENT_MAX_SIZE * LINE];
    hoist_elements_read(view, first, count, bytes);
    hoist_elements_to_f32(view->dtype, bytes, count, values);
}

static void write_floats(const hoist_view *view, uint64_t first, size_t count, float *values)
{
    uint8_t bytes[HOIST_ELEMENT_MAX_SIZE * LINE];
    for (size_t i = 0; i < count; i++) {
        values[i] = hoist_ark_settle(values[i]);
    }
    hoist_elements_from_f32(view->dtype, values, count, bytes);
    hoist_elements_write(view, first, count, bytes);
}

static void read_integers(const hoist_view *view, uint64_t first, size_t count, int64_t *values)
{
    uint8_t bytes[HOIST_ELEMENT_MAX_SIZE * LINE];
    const size_t size = hoist_element_size(view->dtype);
    hoist_elements_read(view, first, count, bytes);
    for (size_t i = 0; i < count; i++) {
        values[i] = hoist_plain_load(view->dtype, bytes + i * size);
    }
}

static void write_integers(const hoist_view *view, uint64_t first, size_t count,
                           const int64_t *values)
{
    uint8_t bytes[HOIST_ELEMENT_MAX_SIZE * LINE];
    const size_t size = hoist_element_size(view->dtype);
    for (size_t i = 0; i < count; i++) {
        hoist_plain_store(view->dtype, values[i], bytes + i * size);
    }
    hoist_elements_write(view, first, count, bytes);
}

static void run_floats(const hoist_compute_call *call, uint64_t first, size_t count, floats_fn *fn)
{
    float a[LINE] = {0};
    float b[LINE] = {0};
    read_floats(&call->views[0], first, count, a);
    if (call->input_count > 1) {
        read_floats(&call->views[1], first, count, b);
    }
    fn(a, b, count);
    write_floats(hoist_ark_output(call), first, count, a);
}

static void run_integers(const hoist_compute_call *call, uint64_t first, size_t count,
                         integers_fn *fn)
{
    int64_t a[LINE];
    int64_t b[LINE] = {0};
    read_integers(&call->views[0], first, count, a);
    if (call->input_count > 1) {
        read_integers(&call->views[1], first, count, b);
    }
    fn(a, b, count);
    write_integers(hoist_ark_output(call), first, count, a);
}

// Two operands ----------------------------------------------------------------------------------

static int64_t quotient(int64_t a, int64_t b)
{
    return b == 0 ? 0 : a / b;
}

#define BINARY(name, on_floats, on_integers)                                                       \
    static void name##_floats(float *a, const float *b, size_t count)                              \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            a[i] = on_floats;                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void name##_integers(int64_t *a, const int64_t *b, size_t count)                        \
    {                                                                                              \
        for (size_t i = 0; i < count; i++) {                                                       \
            a[i] = on_integers;                                                                    \
        }                                                                                          \
    }

BINARY(add, a[i] + b[i], a[i] + b[i])
BINARY(subtract, a[i] - b[i], a[i] - b[i])
BINARY(multiply, a[i] * b[i], (int64_t)((uint64_t)a[i] * (uint64_t)b[i]))
BINARY(divide, a[i] / b[i], quotient(a[i], b[i]))

// One operand -----------------------------------------------------------------------------------

// A NaN is not greater than 0.
static void relu_floats(float *a, const float *b, size_t count)
{
    (void)b;
    for (size_t i = 0; i < count; i++) {
        a[i] = a[i] > 0 ? a[i] : 0;
    }
}

static void relu_integers(int64_t *a, const int64_t *b, size_t count)
{
    (void)b;
    for (size_t i = 0; i < count; i++) {
        a[i] = a[i] > 0 ? a[i] : 0;
    }
}

static void sqrt_floats(float *a, const float *b, size_t count)
{
    (void)b;
    for (size_t i = 0; i < count; i++) {
        a[i] = sqrtf(a[i]);
    }
}

static void rsqrt_floats(float *a, const float *b, size_t count)
{
    (void)b;
    for (size_t i = 0; i < count; i++) {
        a[i] = 1 / sqrtf(a[i]);
    }
}

#define LANES(name, lanes)                                                                         \
    static void name##_floats(float *a, const float *b, size_t count)                              \
    {                                                                                              \
        (void)b;                                                                                   \
        for (size_t i = 0; i < count; i += HOIST_LANES) {                                          \
            const size_t left = count - i < HOIST_LANES ? count - i : HOIST_LANES;                 \
            hoist_f32s x = {0};                                                                    \
            memcpy(&x, a + i, left * sizeof *a);                                                   \
            x = lanes(x);                                                                          \
            memcpy(a + i, &x, left * sizeof *a);                                                   \
        }                                                                                          \
    }

LANES(exp, hoist_ark_exp)
LANES(sigmoid, hoist_ark_sigmoid)
LANES(gelu, hoist_ark_gelu)

// Casts -----------------------------------------------------------------------------------------

// f32 is truncated, 16-bit floats go to the nearest integer (ties to even); beyond i32 and u32 it
// is their nearest number. Narrow integers take the truncated number modulo 2^bits.
static int64_t integer_of(double x, hoist_dtype from, hoist_dtype to)
{
    const bool is_narrow = hoist_element_size(to) == 1;
    if (isnan(x) || (is_narrow && isinf(x))) {
        return 0;
    }
    if (is_narrow) {
        return (int64_t)fmod(x, 256);
    }
    const double least = to == HOIST_DTYPE_I32 ? INT32_MIN : 0;
    const double most = to == HOIST_DTYPE_I32 ? INT32_MAX : UINT32_MAX;
    const double integer = from == HOIST_DTYPE_F32 ? trunc(x) : hoist_round_even(x);
    return (int64_t)(integer < least ? least : integer > most ? most : integer);
}

static void cast_floats(const hoist_compute_call *call, uint64_t first, size_t count)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *y = hoist_ark_output(call);
    float floats[LINE];
    int64_t integers[LINE];
    read_floats(x, first, count, floats);
    if (hoist_ark_is_float(y->dtype)) {
        write_floats(y, first, count, floats);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        integers[i] = integer_of(floats[i], x->dtype, y->dtype);
    }
    write_integers(y, first, count, integers);
}

// To floats by way of double, which has all integers: rounded once.
static void cast_integers(const hoist_compute_call *call, uint64_t first, size_t count)
{
    const hoist_view *y = hoist_ark_output(call);
    int64_t integers[LINE];
    read_integers(&call->views[0], first, count, integers);
    if (!hoist_ark_is_float(y->dtype)) {
        write_integers(y, first, count, integers);
        return;
    }
    uint8_t bytes[HOIST_ELEMENT_MAX_SIZE * LINE];
    const size_t size = hoist_element_size(y->dtype);
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    for (size_t i = 0; i < count; i++) {
        hoist_element_store(bytes + i * size, size,
                            hoist_from_f64(y->dtype, (double)integers[i], nearest));
    }
    hoist_elements_write(y, first, count, bytes);
}

static void cast(const hoist_compute_call *call, uint64_t first, size_t count)
{
    if (hoist_ark_is_float(call->views[0].dtype)) {
        cast_floats(call, first, count);
    } else {
        cast_integers(call, first, count);
    }
}

// Rope ------------------------------------------------------------------------------------------

// Pairs (x0, x1) rotated by (cos, sin); a line has complete pairs, since a row is even.
static void rope(const hoist_compute_call *call, uint64_t first, size_t count)
{
    const hoist_dtype dtype = hoist_ark_output(call)->dtype;
    float x[LINE];
    float y[LINE];
    read_floats(&call->views[0], first, count, x);
    read_floats(&call->views[1], first, count, y);
    for (size_t i = 0; i < count; i += 2) {
        const float products[] = {
            hoist_ark_round(dtype, x[i] * y[i]), hoist_ark_round(dtype, x[i + 1] * y[i + 1]),
            hoist_ark_round(dtype, x[i] * y[i + 1]), hoist_ark_round(dtype, x[i + 1] * y[i])};
        x[i] = products[0] - products[1];
        x[i + 1] = products[2] + products[3];
    }
    write_floats(hoist_ark_output(call), first, count, x);
}

// The table -------------------------------------------------------------------------------------

// clang-format off
static const struct {
    floats_fn *floats;
    integers_fn *integers;
} functions[HOIST_COMPUTE_COUNT] = {
    [HOIST_ARK_ADD]      = {add_floats, add_integers},
    [HOIST_ARK_SUBTRACT] = {subtract_floats, subtract_integers},
    [HOIST_ARK_MULTIPLY] = {multiply_floats, multiply_integers},
    [HOIST_ARK_DIVIDE]   = {divide_floats, divide_integers},
    [HOIST_ARK_EXP]      = {.floats = exp_floats},
    [HOIST_ARK_SQRT]     = {.floats = sqrt_floats},
    [HOIST_ARK_RSQRT]    = {.floats = rsqrt_floats},
    [HOIST_ARK_GELU]     = {.floats = gelu_floats},
    [HOIST_ARK_RELU]     = {relu_floats, relu_integers},
    [HOIST_ARK_SIGMOID]  = {.floats = sigmoid_floats},
};
// clang-format on

void ark_define(const hoist_compute_call *call)
{
    const uint64_t total = (uint64_t)hoist_shape_count(&hoist_ark_output(call)->shape);
    for (uint64_t first = 0; first < total; first += LINE) {
        const size_t count = total - first < LINE ? (size_t)(total - first) : LINE;
        if (call->op == HOIST_ARK_CAST) {
            cast(call, first, count);
        } else if (call->op == HOIST_ARK_ROPE) {
            rope(call, first, count);
        } else if (hoist_ark_is_float(hoist_ark_output(call)->dtype)) {
            run_floats(call, first, count, functions[call->op].floats);
        } else {
            run_integers(call, first, count, functions[call->op].integers);
        }
    }
}
