// Bilinear resizing and means of images, as they are defined (TFLite kernels reference, sections
// 4.10 and 4.6).
#include "kernels/compute_table.h"
#include "kernels/quant_scale.h"
#include "ops/compute_quant.h"

extern const hoist_compute_group hoist_quant_image_group;

enum { CHANNELS = 64 }; // of a unit of mean

// Where an element of an image is: image, row, column, channel.
typedef struct place {
    int64_t at[4];
} place;

// The byte of an element.
static uint8_t *element(const hoist_view *view, place p)
{
    uint8_t *byte = view->memory.data + view->offset;
    for (int i = 0; i < 4; i++) {
        byte += p.at[i] * view->stride[i];
    }
    return byte;
}

// The number there, by the view's type.
static int32_t number_at(const hoist_view *view, place p)
{
    const uint8_t byte = *element(view, p);
    return view->dtype == HOIST_DTYPE_I8 ? (int8_t)byte : byte;
}

// Resizing --------------------------------------------------------------------------------------

// Positions are in steps of 1/1024. The two input positions of an output position, and how much of
// the second is taken; the first has 1024 less that.
typedef struct blend {
    int64_t lower, upper;
    int64_t fraction;
} blend;

// From one output position to the next, rounded half up.
static int64_t step_of(int64_t in, int64_t out, bool align_corners)
{
    return align_corners && out > 1 ? (1024 * (in - 1) + (out - 1) / 2) / (out - 1)
                                    : (1024 * in + out / 2) / out;
}

// Positions beyond the image are at its edge.
static blend blend_of(const hoist_compute_attrs *attrs, int64_t in, int64_t out, int64_t i)
{
    const int64_t step = step_of(in, out, attrs->value[HOIST_RESIZE_ALIGN_CORNERS].integer != 0);
    const bool half = attrs->value[HOIST_RESIZE_HALF_PIXEL].integer != 0;
    const int64_t position = half ? i * step + step / 2 - 512 : i * step;
    const int64_t lower = position / 1024 > 0 ? position / 1024 : 0;
    const int64_t upper = (position + 1023) / 1024;
    blend b = {lower < in ? lower : in - 1, upper < in ? upper : in - 1, 0};
    b.fraction = position - 1024 * b.lower;
    return b;
}

// Four numbers by their shares, which sum to 2^20; halves go away from zero.
static int32_t blended(const hoist_view *x, place p, blend down, blend across)
{
    int64_t sum = 0;
    for (int i = 0; i < 4; i++) {
        p.at[1] = i < 2 ? down.lower : down.upper;
        p.at[2] = i % 2 == 0 ? across.lower : across.upper;
        sum += (i < 2 ? 1024 - down.fraction : down.fraction) *
               (i % 2 == 0 ? 1024 - across.fraction : across.fraction) * number_at(x, p);
    }
    return (int32_t)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));
}

static size_t resize_work(const hoist_compute_call *call)
{
    return (size_t)(call->views[1].shape.dim[0] * call->views[1].shape.dim[1]);
}

// A row of the output, channel by channel.
static void resize_row(const hoist_compute_call *call, int64_t image, int64_t oy)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *y = &call->views[1];
    const blend down = blend_of(&call->attrs, x->shape.dim[1], y->shape.dim[1], oy);
    for (int64_t ox = 0; ox < y->shape.dim[2]; ox++) {
        const blend across = blend_of(&call->attrs, x->shape.dim[2], y->shape.dim[2], ox);
        for (int64_t channel = 0; channel < y->shape.dim[3]; channel++) {
            const int32_t value = blended(x, (place){{image, 0, 0, channel}}, down, across);
            *element(y, (place){{image, oy, ox, channel}}) = (uint8_t)value;
        }
    }
}

static void resize(const hoist_compute_call *call, size_t begin, size_t end)
{
    const int64_t rows = call->views[1].shape.dim[1];
    for (size_t unit = begin; unit < end; unit++) {
        resize_row(call, (int64_t)unit / rows, (int64_t)unit % rows);
    }
}

// Means -----------------------------------------------------------------------------------------

// The scale with the division by `count` in it.
typedef struct mean_scale {
    int32_t multiplier;
    int shift;
} mean_scale;

static mean_scale scale_of(const hoist_compute_call *call, int64_t count)
{
    const int64_t multiplier = call->attrs.value[HOIST_MEAN_MULTIPLIER].integer;
    const int shift = (int)call->attrs.value[HOIST_MEAN_SHIFT].integer;
    int bits = 0; // of count, less one
    while (bits < 32 && count >> bits > 1) {
        bits++;
    }
    // The shift may not go below -31.
    bits = bits < 31 + shift ? bits : 31 + shift;
    return (mean_scale){(int32_t)((multiplier << bits) / count), shift - bits};
}

// The sum of a channel of an image.
static int64_t sum_of(const hoist_view *x, int64_t image, int64_t channel)
{
    int64_t sum = 0;
    for (int64_t iy = 0; iy < x->shape.dim[1]; iy++) {
        for (int64_t ix = 0; ix < x->shape.dim[2]; ix++) {
            sum += number_at(x, (place){{image, iy, ix, channel}});
        }
    }
    return sum;
}

// The mean as the reference has it: zero points come off the sum.
static void mean_channel(const hoist_compute_call *call, mean_scale scale, int64_t image,
                         int64_t channel)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *y = &call->views[1];
    const int64_t count = x->shape.dim[1] * x->shape.dim[2];
    const int64_t zeros = call->attrs.value[HOIST_MEAN_ZERO_IN].integer * count;
    const int32_t sum = (int32_t)(sum_of(x, image, channel) - zeros);
    const int32_t value = hoist_fixed_scale(sum, scale.multiplier, scale.shift);
    const int32_t zero_out = (int32_t)call->attrs.value[HOIST_MEAN_ZERO_OUT].integer;
    *element(y, (place){{image, 0, 0, channel}}) =
        (uint8_t)hoist_quant_place(value, zero_out, (int32_t)hoist_quant_least(y->dtype),
                                   (int32_t)hoist_quant_greatest(y->dtype));
}

// As the interpreter's own kernel has it: the bias has both zero points.
static void mean_single_channel(const hoist_compute_call *call, int64_t image, int64_t channel)
{
    const hoist_view *y = &call->views[1];
    const hoist_compute_value *attrs = call->attrs.value;
    const int32_t sum = (int32_t)sum_of(&call->views[0], image, channel);
    const int64_t value =
        attrs[HOIST_MEAN_SINGLE_BIAS].integer +
        hoist_fixed_scale(sum, (int32_t)attrs[HOIST_MEAN_SINGLE_MULTIPLIER].integer,
                          (int)attrs[HOIST_MEAN_SINGLE_SHIFT].integer);
    const int64_t least = hoist_quant_least(y->dtype);
    const int64_t greatest = hoist_quant_greatest(y->dtype);
    *element(y, (place){{image, 0, 0, channel}}) = (uint8_t)(value < least      ? least
                                                             : value > greatest ? greatest
                                                                                : value);
}

// Units of an image.
static int64_t blocks_of(const hoist_compute_call *call)
{
    return (call->views[0].shape.dim[3] + CHANNELS - 1) / CHANNELS;
}

static size_t mean_work(const hoist_compute_call *call)
{
    return (size_t)(call->views[0].shape.dim[0] * blocks_of(call));
}

// Channels of a unit, by either definition.
static void mean(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_shape *shape = &call->views[0].shape;
    const bool is_single = call->op == HOIST_TFLITE_MEAN_SINGLE;
    const mean_scale scale =
        is_single ? (mean_scale){0, 0} : scale_of(call, shape->dim[1] * shape->dim[2]);
    for (size_t unit = begin; unit < end; unit++) {
        const int64_t image = (int64_t)unit / blocks_of(call);
        const int64_t first = (int64_t)unit % blocks_of(call) * CHANNELS;
        for (int64_t channel = first; channel < shape->dim[3] && channel < first + CHANNELS;
             channel++) {
            if (is_single) {
                mean_single_channel(call, image, channel);
            } else {
                mean_channel(call, scale, image, channel);
            }
        }
    }
}

enum { FIRST = HOIST_TFLITE_RESIZE_BILINEAR };

static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_RESIZE_BILINEAR - FIRST] = {.work = resize_work, .fill = resize},
    [HOIST_TFLITE_MEAN - FIRST] = {.work = mean_work, .fill = mean},
    [HOIST_TFLITE_MEAN_SINGLE - FIRST] = {.work = mean_work, .fill = mean},
};
const hoist_compute_group hoist_quant_image_group = {FIRST, HOIST_COUNT_OF(group_rows), group_rows};
