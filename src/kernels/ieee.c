// Plain float32 element by element, on views of any layout and type of whole bytes: values are read
// as float32 and rounded to the output's type.
#include <math.h>

#include "kernels/compute_table.h"
#include "kernels/elements.h"

extern const hoist_compute_group hoist_ieee_group;

enum { UNIT = 1024 }; // elements

// Elements of `a` become fn(a, b).
typedef void line_fn(float *a, const float *b, size_t count);

// The output is behind the inputs.
static const hoist_view *output_of(const hoist_compute_call *call)
{
    return &call->views[call->input_count];
}

// Units by elements; an empty output has one unit, in which nothing is done.
static size_t work(const hoist_compute_call *call)
{
    const uint64_t count = (uint64_t)hoist_shape_count(&output_of(call)->shape);
    return count == 0 ? 1 : (size_t)((count + UNIT - 1) / UNIT);
}

// Elements of an operand as floats.
static void read_values(const hoist_view *view, uint64_t begin, size_t count, float *values)
{
    uint8_t line[UNIT * HOIST_ELEMENT_MAX_SIZE];
    hoist_elements_read(view, begin, count, line);
    hoist_elements_to_f32(view->dtype, line, count, values);
}

// Reads a whole unit before it writes, so that the output may be an input.
static void run_unit(const hoist_compute_call *call, uint64_t begin, size_t count, line_fn *fn)
{
    float a[UNIT];
    float b[UNIT];
    read_values(&call->views[0], begin, count, a);
    if (call->input_count > 1) {
        read_values(&call->views[1], begin, count, b);
    }
    fn(a, b, count);
    uint8_t line[UNIT * HOIST_ELEMENT_MAX_SIZE];
    const hoist_view *output = output_of(call);
    hoist_elements_from_f32(output->dtype, a, count, line);
    hoist_elements_write(output, begin, count, line);
}

// Units of a call; the last one may have fewer elements.
static void run_units(const hoist_compute_call *call, size_t begin, size_t end, line_fn *fn)
{
    const uint64_t count = (uint64_t)hoist_shape_count(&output_of(call)->shape);
    for (size_t unit = begin; unit < end; unit++) {
        const uint64_t at = (uint64_t)unit * UNIT;
        run_unit(call, at, count - at < UNIT ? (size_t)(count - at) : UNIT, fn);
    }
}

// Each operation on a line, one rounding for each element.
static void add_line(float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        a[i] = a[i] + b[i];
    }
}

static void subtract_line(float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        a[i] = a[i] - b[i];
    }
}

static void multiply_line(float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        a[i] = a[i] * b[i];
    }
}

// IEEE 754-2019 maximum: NaN when either is; +0 above -0.
static float maximum_of(float a, float b)
{
    if (a == b) {
        return signbit(a) ? b : a;
    }
    return a > b || isnan(a) ? a : b;
}

static void maximum_line(float *a, const float *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        a[i] = maximum_of(a[i], b[i]);
    }
}

// The maximum with +0: NaN stays, -0 becomes +0.
static void relu_line(float *a, const float *b, size_t count)
{
    (void)b;
    for (size_t i = 0; i < count; i++) {
        a[i] = maximum_of(a[i], 0);
    }
}

#define IEEE(name, fn)                                                                             \
    static void name(const hoist_compute_call *call, size_t begin, size_t end)                     \
    {                                                                                              \
        run_units(call, begin, end, fn);                                                           \
    }

IEEE(add, add_line)
IEEE(subtract, subtract_line)
IEEE(multiply, multiply_line)
IEEE(maximum, maximum_line)
IEEE(relu, relu_line)

enum { FIRST = HOIST_IEEE_ADD };

// clang-format off
static const hoist_compute_row group_rows[] = {
    [HOIST_IEEE_ADD - FIRST]      = {.work = work, .fill = add},
    [HOIST_IEEE_SUBTRACT - FIRST] = {.work = work, .fill = subtract},
    [HOIST_IEEE_MULTIPLY - FIRST] = {.work = work, .fill = multiply},
    [HOIST_IEEE_MAXIMUM - FIRST]  = {.work = work, .fill = maximum},
    [HOIST_IEEE_RELU - FIRST]     = {.work = work, .fill = relu},
};
// clang-format on
const hoist_compute_group hoist_ieee_group = {FIRST, HOIST_COUNT_OF(group_rows), group_rows};
