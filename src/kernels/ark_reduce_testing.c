// Sums, means and greatest elements along a dimension by their definition (ops/compute_ark.h), for
// tests: an element of the output after the other, its terms by their place in memory, in the order
// of accumulators that the profile defines.
#include <float.h>
#include <math.h>

#include "kernels/ark_definition_testing.h"
#include "kernels/ark_elements.h"
#include "kernels/elements.h"
#include "kernels/plain_numbers.h"
#include "ops/compute_ark.h"

enum { LANES = 16 }; // accumulators of terms that are adjacent

// The terms of an element of the output.
typedef struct terms {
    const uint8_t *first;
    int64_t stride; // bytes
    int64_t count;
    hoist_dtype dtype;
    size_t size;  // of a term, bytes
    size_t lanes; // accumulators: term k goes to k mod lanes
} terms;

static int axis_of(const hoist_compute_call *call)
{
    return (int)call->attrs.value[HOIST_ARK_REDUCE_AXIS].integer;
}

// The terms of element `number` of the output: the dimensions of the input but the axis count it.
static terms terms_of(const hoist_compute_call *call, uint64_t number)
{
    const hoist_view *x = &call->views[0];
    const int axis = axis_of(call);
    int64_t offset = x->offset;
    for (int i = x->shape.rank - 1; i >= 0; i--) {
        if (i != axis) {
            offset += (int64_t)(number % (uint64_t)x->shape.dim[i]) * x->stride[i];
            number /= (uint64_t)x->shape.dim[i];
        }
    }
    return (terms){.first = x->memory.data + offset,
                   .stride = x->stride[axis],
                   .count = x->shape.dim[axis],
                   .dtype = x->dtype,
                   .size = hoist_element_size(x->dtype),
                   .lanes = axis == x->shape.rank - 1 ? LANES : 1};
}

static float float_at(const terms *x, int64_t k)
{
    return hoist_to_f32(x->dtype, hoist_element_load(x->first + k * x->stride, x->size));
}

static int64_t integer_at(const terms *x, int64_t k)
{
    return hoist_plain_load(x->dtype, x->first + k * x->stride);
}

// `x` as the type stores it.
static int64_t wrapped(hoist_dtype dtype, int64_t x)
{
    uint8_t element[HOIST_ELEMENT_MAX_SIZE];
    hoist_plain_store(dtype, x, element);
    return hoist_plain_load(dtype, element);
}

// Sums ------------------------------------------------------------------------------------------

static double sum_of_floats(const terms *x)
{
    double sum[LANES] = {0};
    for (int64_t k = 0; k < x->count; k++) {
        sum[(size_t)k % x->lanes] += (double)float_at(x, k);
    }
    for (size_t width = x->lanes / 2; width > 0; width /= 2) {
        for (size_t i = 0; i < width; i++) {
            sum[i] += sum[i + width];
        }
    }
    return sum[0];
}

static int64_t sum_of_integers(const terms *x)
{
    int64_t sum = 0;
    for (int64_t k = 0; k < x->count; k++) {
        sum += integer_at(x, k); // at most 2^26 terms below 2^32
    }
    return wrapped(x->dtype, sum);
}

static uint64_t store(hoist_dtype dtype, double x)
{
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    return isnan(x) ? hoist_from_f32(dtype, hoist_ark_settle((float)x), nearest)
                    : hoist_from_f64(dtype, x, nearest);
}

static uint64_t sum(const terms *x)
{
    return hoist_ark_is_float(x->dtype) ? store(x->dtype, sum_of_floats(x))
                                        : (uint64_t)sum_of_integers(x);
}

static uint64_t mean(const terms *x)
{
    if (!hoist_ark_is_float(x->dtype)) {
        return (uint64_t)(sum_of_integers(x) / x->count);
    }
    const double count = (double)hoist_ark_round(x->dtype, (float)x->count);
    return store(x->dtype, sum_of_floats(x) / count);
}

// Maxima ----------------------------------------------------------------------------------------

static float lowest_of(hoist_dtype dtype)
{
    return dtype == HOIST_DTYPE_F32   ? -FLT_MAX
           : dtype == HOIST_DTYPE_F16 ? -65504.0F
                                      : hoist_f32_from_bits(0xff7f0000);
}

// The first of equals, as the profile has it of zeros, and never NaN.
static float greater(float x, float most)
{
    return x > most ? x : most;
}

static uint64_t max_of_floats(const terms *x)
{
    float most[LANES];
    for (size_t i = 0; i < x->lanes; i++) {
        most[i] = lowest_of(x->dtype);
    }
    for (int64_t k = 0; k < x->count; k++) {
        const size_t lane = (size_t)k % x->lanes;
        most[lane] = greater(float_at(x, k), most[lane]);
    }
    for (size_t width = x->lanes / 2; width > 0; width /= 2) {
        for (size_t i = 0; i < width; i++) {
            most[i] = greater(most[i + width], most[i]);
        }
    }
    return store(x->dtype, (double)most[0]);
}

static uint64_t max(const terms *x)
{
    if (hoist_ark_is_float(x->dtype)) {
        return max_of_floats(x);
    }
    int64_t most = integer_at(x, 0);
    for (int64_t k = 1; k < x->count; k++) {
        const int64_t next = integer_at(x, k);
        most = next > most ? next : most;
    }
    return (uint64_t)most;
}

// Calls -----------------------------------------------------------------------------------------

void ark_define_reduction(const hoist_compute_call *call)
{
    const hoist_view *y = hoist_ark_output(call);
    const uint64_t total = (uint64_t)hoist_shape_count(&y->shape);
    for (uint64_t n = 0; n < total; n++) {
        const terms x = terms_of(call, n);
        uint8_t element[HOIST_ELEMENT_MAX_SIZE];
        const uint64_t bits = call->op == HOIST_ARK_REDUCE_SUM    ? sum(&x)
                              : call->op == HOIST_ARK_REDUCE_MEAN ? mean(&x)
                                                                  : max(&x);
        hoist_element_store(element, x.size, bits);
        hoist_elements_write(y, n, 1, element);
    }
}
