// Rows of ops/compute_plain.h that look for numbers, or up: places of the greatest, gathers, and
// resized images.
#include <math.h>
#include <string.h>

#include "base/reader.h"
#include "kernels/compute_table.h"
#include "kernels/plain_numbers.h"
#include "ops/compute_quant.h"
#include "tensor/float_bits.h"

extern const hoist_compute_group hoist_plain_lookup_group;

// The element of a view at the first indices of `at`, as many as it has dimensions.
static uint8_t *element(const hoist_view *view, const int64_t *at)
{
    uint8_t *byte = view->memory.data + view->offset;
    for (int i = 0; i < view->shape.rank; i++) {
        byte += at[i] * view->stride[i];
    }
    return byte;
}

// Stored numbers are little-endian.
static float float_at(const uint8_t *bytes)
{
    return hoist_f32_from_bits(hoist_load_u32le(bytes));
}

// Copies `count` elements along the last dimension, from and to those at `x_at` and `y_at`.
static void copy_row(const hoist_compute_call *call, const int64_t *x_at, const int64_t *y_at,
                     int64_t count)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *y = &call->views[call->input_count];
    const size_t size = hoist_element_size(x->dtype);
    const int64_t x_step = x->stride[x->shape.rank - 1];
    const int64_t y_step = y->stride[y->shape.rank - 1];
    const uint8_t *from = element(x, x_at);
    uint8_t *to = element(y, y_at);
    for (int64_t i = 0; i < count; i++) {
        memcpy(to + i * y_step, from + i * x_step, size);
    }
}

// Places ----------------------------------------------------------------------------------------

enum { PLACES = 256 }; // of a unit

// Units by places of the output.
static size_t arg_work(const hoist_compute_call *call)
{
    const uint64_t count = (uint64_t)hoist_shape_count(&call->views[1].shape);
    return (size_t)((count + PLACES - 1) / PLACES);
}

// Whether the element at `bytes` comes before the best so far; NaN never does, and everything
// comes before NaN.
static bool is_better(const hoist_compute_call *call, const uint8_t *bytes, const uint8_t *best)
{
    const bool greatest = call->op == HOIST_TFLITE_ARG_MAX;
    const hoist_dtype dtype = call->views[0].dtype;
    if (dtype == HOIST_DTYPE_F32) {
        const float x = float_at(bytes);
        const float y = float_at(best);
        return !isnan(x) && (isnan(y) || (greatest ? x > y : x < y));
    }
    const int64_t x = hoist_plain_load(dtype, bytes);
    const int64_t y = hoist_plain_load(dtype, best);
    return greatest ? x > y : x < y;
}

// The first of the best, along the middle dimension.
static int64_t place_of(const hoist_compute_call *call, int64_t a, int64_t b)
{
    const hoist_view *x = &call->views[0];
    const uint8_t *const first = element(x, (int64_t[]){a, 0, b});
    int64_t place = 0;
    for (int64_t i = 1; i < x->shape.dim[1]; i++) {
        const uint8_t *const best = first + place * x->stride[1];
        place = is_better(call, first + i * x->stride[1], best) ? i : place;
    }
    return place;
}

// Does units of places.
static void find_places(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_view *y = &call->views[1];
    const int64_t count = hoist_shape_count(&y->shape);
    const int64_t last = (int64_t)end * PLACES < count ? (int64_t)end * PLACES : count;
    for (int64_t i = (int64_t)begin * PLACES; i < last; i++) {
        const int64_t at[] = {i / y->shape.dim[1], i % y->shape.dim[1]};
        hoist_plain_store(y->dtype, place_of(call, at[0], at[1]), element(y, at));
    }
}

// Gathers ---------------------------------------------------------------------------------------

// The index at `at` of the second operand, for a dimension of `extent`; HOIST_INVALID: outside.
static hoist_status read_index(const hoist_compute_call *call, const int64_t at[2], int64_t extent,
                               int64_t *out_index, hoist_compute_fault *out_fault)
{
    const hoist_view *indices = &call->views[1];
    *out_index = hoist_plain_load(indices->dtype, element(indices, at));
    if (*out_index >= 0 && *out_index < extent) {
        return HOIST_OK;
    }
    *out_fault = (hoist_compute_fault){.what = "an index outside of its dimension",
                                       .row = (uint64_t)at[0],
                                       .col = indices->shape.rank > 1 ? (uint64_t)at[1] : 0,
                                       .value = (double)*out_index,
                                       .operand = 2};
    return HOIST_INVALID;
}

// A unit for each slice that is copied.
static size_t gather_work(const hoist_compute_call *call)
{
    return (size_t)(call->views[2].shape.dim[0] * call->views[2].shape.dim[1]);
}

// Slices by one index each; one that is outside stops the step.
static hoist_status gather(const hoist_compute_call *call, size_t begin, size_t end,
                           hoist_compute_fault *out_fault)
{
    const hoist_shape *x = &call->views[0].shape;
    const int64_t count = call->views[1].shape.dim[0];
    for (size_t unit = begin; unit < end; unit++) {
        const int64_t a = (int64_t)unit / count;
        const int64_t i = (int64_t)unit % count;
        int64_t index = 0;
        HOIST_TRY(read_index(call, (int64_t[]){i, 0}, x->dim[1], &index, out_fault));
        copy_row(call, (int64_t[]){a, index, 0}, (int64_t[]){a, i, 0}, x->dim[2]);
    }
    return HOIST_OK;
}

// A unit for each row of indices.
static size_t gather_nd_work(const hoist_compute_call *call)
{
    return (size_t)call->views[1].shape.dim[0];
}

static hoist_status gather_nd(const hoist_compute_call *call, size_t begin, size_t end,
                              hoist_compute_fault *out_fault)
{
    const hoist_shape *x = &call->views[0].shape;
    const int64_t count = call->views[1].shape.dim[1];
    for (size_t row = begin; row < end; row++) {
        int64_t at[HOIST_GATHER_MAX_INDICES + 1] = {0};
        for (int64_t i = 0; i < count; i++) {
            // Indices are of the last dimensions before the slice; those before them stay at 0.
            const int64_t dim = HOIST_GATHER_MAX_INDICES - count + i;
            HOIST_TRY(
                read_index(call, (int64_t[]){(int64_t)row, i}, x->dim[dim], &at[dim], out_fault));
        }
        copy_row(call, at, (int64_t[]){(int64_t)row, 0}, x->dim[HOIST_GATHER_MAX_INDICES]);
    }
    return HOIST_OK;
}

// Images ----------------------------------------------------------------------------------------

static bool has_option(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].integer != 0;
}

static size_t image_work(const hoist_compute_call *call)
{
    return (size_t)(call->views[1].shape.dim[0] * call->views[1].shape.dim[1]);
}

// Positions of the input for each of the output, in float32 as the reference has it.
static float step_of(const hoist_compute_call *call, int dim)
{
    const float in = (float)call->views[0].shape.dim[dim];
    const float out = (float)call->views[1].shape.dim[dim];
    return has_option(call, HOIST_RESIZE_ALIGN_CORNERS) && out > 1 ? (in - 1) / (out - 1)
                                                                   : in / out;
}

// The position of the input that is nearest to one of the output.
static int64_t nearest_of(const hoist_compute_call *call, int dim, int64_t i)
{
    const int64_t last = call->views[0].shape.dim[dim] - 1;
    const float half = has_option(call, HOIST_RESIZE_HALF_PIXEL) ? 0.5F : 0;
    const float position = ((float)i + half) * step_of(call, dim);
    const int64_t nearest =
        (int64_t)(has_option(call, HOIST_RESIZE_ALIGN_CORNERS) ? roundf(position)
                                                               : floorf(position));
    return nearest < last ? nearest : last;
}

// Rows of the output, pixel by pixel: all channels of one are copied.
static void resize_nearest(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_shape *y = &call->views[1].shape;
    for (size_t unit = begin; unit < end; unit++) {
        const int64_t image = (int64_t)unit / y->dim[1];
        const int64_t oy = (int64_t)unit % y->dim[1];
        const int64_t iy = nearest_of(call, 1, oy);
        for (int64_t ox = 0; ox < y->dim[2]; ox++) {
            copy_row(call, (int64_t[]){image, iy, nearest_of(call, 2, ox), 0},
                     (int64_t[]){image, oy, ox, 0}, y->dim[3]);
        }
    }
}

// The two input positions around one of the output, and how far it is from the first.
typedef struct blend {
    int64_t lower, upper;
    float fraction; // below 0 where the first is beyond the image
} blend;

// Neighbours beyond the image are its edge.
static blend blend_of(const hoist_compute_call *call, int dim, int64_t i)
{
    const int64_t last = call->views[0].shape.dim[dim] - 1;
    const float step = step_of(call, dim);
    const float position = has_option(call, HOIST_RESIZE_HALF_PIXEL)
                               ? ((float)i + 0.5F) * step - 0.5F
                               : (float)i * step;
    blend b = {(int64_t)fmaxf(floorf(position), 0), (int64_t)ceilf(position), 0};
    b.lower = b.lower < last ? b.lower : last;
    b.upper = b.upper < last ? b.upper : last;
    b.fraction = position - (float)b.lower;
    return b;
}

// The order of products and sums is that of the reference.
static float blended(const hoist_compute_call *call, int64_t image, int64_t channel, blend down,
                     blend across)
{
    float sum = 0;
    for (int i = 0; i < 4; i++) { // corners: upper left, lower left, upper right, lower right
        const bool is_lower = i % 2 != 0;
        const bool is_right = i / 2 != 0;
        const int64_t at[] = {image, is_lower ? down.upper : down.lower,
                              is_right ? across.upper : across.lower, channel};
        const float term = float_at(element(&call->views[0], at)) *
                           (is_lower ? down.fraction : 1 - down.fraction) *
                           (is_right ? across.fraction : 1 - across.fraction);
        sum = i == 0 ? term : sum + term;
    }
    return sum + 0.0F; // its rounding: -0 becomes 0
}

// Rows of the output; what is the same for a row is worked out once.
static void resize_bilinear(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_view *y = &call->views[1];
    for (size_t unit = begin; unit < end; unit++) {
        int64_t at[] = {(int64_t)unit / y->shape.dim[1], (int64_t)unit % y->shape.dim[1], 0, 0};
        const blend down = blend_of(call, 1, at[1]);
        for (at[2] = 0; at[2] < y->shape.dim[2]; at[2]++) {
            const blend across = blend_of(call, 2, at[2]);
            for (at[3] = 0; at[3] < y->shape.dim[3]; at[3]++) {
                const float value = blended(call, at[0], at[3], down, across);
                hoist_store_u32le(element(y, at), hoist_f32_to_bits(value));
            }
        }
    }
}

enum { FIRST = HOIST_TFLITE_ARG_MAX };

static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_ARG_MAX - FIRST] = {.work = arg_work, .fill = find_places},
    [HOIST_TFLITE_ARG_MIN - FIRST] = {.work = arg_work, .fill = find_places},
    [HOIST_TFLITE_GATHER - FIRST] = {.work = gather_work, .run = gather},
    [HOIST_TFLITE_GATHER_ND - FIRST] = {.work = gather_nd_work, .run = gather_nd},
    [HOIST_TFLITE_RESIZE_NEAREST - FIRST] = {.work = image_work, .fill = resize_nearest},
    [HOIST_TFLITE_RESIZE_BILINEAR_F32 - FIRST] = {.work = image_work, .fill = resize_bilinear},
};
const hoist_compute_group hoist_plain_lookup_group = {FIRST, HOIST_COUNT_OF(group_rows),
                                                      group_rows};
