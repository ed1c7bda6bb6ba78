// Convolutions, dense layers, pools and softmax of float32, as they are defined in
// ops/compute_plain.h: one output after the other, or eight channels side by side, whose sums do
// not wait for each other.
#include <float.h>
#include <math.h>

#include "base/reader.h"
#include "kernels/compute_table.h"
#include "kernels/elements.h"
#include "ops/compute_plain.h"
#include "ops/compute_quant.h"
#include "tensor/float_bits.h"

extern const hoist_compute_group hoist_plain_window_group;

enum {
    BLOCK = 8,   // output channels at a time
    OUTPUTS = 64 // of a unit of a dense layer
};

// Numbers of views, which are little-endian, and where their first one is.
static float float_at(const uint8_t *bytes)
{
    return hoist_f32_from_bits(hoist_load_u32le(bytes));
}

static uint8_t *start_of(const hoist_view *view)
{
    return view->memory.data + view->offset;
}

static int64_t integer(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].integer;
}

// NaN stays what it is.
static float clamped(const hoist_compute_call *call, size_t low, float x)
{
    // Limits are two attributes, one behind the other.
    const float least = call->attrs.value[low].number;
    const float most = call->attrs.value[low + 1].number;
    return x < least ? least : x > most ? most : x;
}

// Taps [first, last) of a window along one axis are inside the image; the first is at `in`, and
// each next one `step` after it.
typedef struct span {
    int64_t first, last;
    int64_t in, step;
} span;

static span span_of(int64_t begin, int64_t taps, int64_t dilation, int64_t extent)
{
    // The first tap at 0 or behind it.
    const int64_t first = begin < 0 ? (-begin + dilation - 1) / dilation : 0;
    // How many taps begin before the image ends; it may end before it begins.
    const int64_t reach = extent > begin ? (extent - begin + dilation - 1) / dilation : 0;
    return (span){first, reach < taps ? reach : taps, begin + first * dilation, dilation};
}

// Where an output is, and what its window has inside the image.
typedef struct position {
    int64_t image, oy, ox;
    span down, across;
} position;

// A unit for each row of the output.
static size_t row_work(const hoist_compute_call *call)
{
    const hoist_shape *y = &call->views[call->input_count].shape;
    return (size_t)(y->dim[0] * y->dim[1]);
}

static void store_output(const hoist_view *y, const position *at, int64_t channel, float value)
{
    hoist_store_u32le(start_of(y) + at->image * y->stride[0] + at->oy * y->stride[1] +
                          at->ox * y->stride[2] + channel * y->stride[3],
                      hoist_f32_to_bits(value));
}

// Sums of products ------------------------------------------------------------------------------

// A row of inputs times a row of weights for each output.
typedef struct rows {
    const uint8_t *x, *weights;
    int64_t x_stride, weight_stride, output_stride;
    int64_t length;
} rows;

// Eight sums at once, in registers, each in its own order of terms.
static void add_block(const rows *r, float sums[BLOCK])
{
    float s[BLOCK];
    for (int b = 0; b < BLOCK; b++) {
        // A copy of its own, so that the compiler keeps it in registers.
        s[b] = sums[b];
    }
    for (int64_t i = 0; i < r->length; i++) {
        // Read once for eight outputs.
        const float x = float_at(r->x + i * r->x_stride);
        const uint8_t *weights = r->weights + i * r->weight_stride;
        for (int b = 0; b < BLOCK; b++) {
            s[b] += x * float_at(weights + b * r->output_stride);
        }
    }
    for (int b = 0; b < BLOCK; b++) {
        sums[b] = s[b];
    }
}

// `count` outputs, at most BLOCK.
static void add_rows(const rows *r, int64_t count, float sums[BLOCK])
{
    if (count == BLOCK) {
        add_block(r, sums);
        return;
    }
    for (int64_t b = 0; b < count; b++) {
        const uint8_t *weights = r->weights + b * r->output_stride;
        for (int64_t i = 0; i < r->length; i++) {
            sums[b] += float_at(r->x + i * r->x_stride) * float_at(weights + i * r->weight_stride);
        }
    }
}

static float bias_at(const hoist_compute_call *call, int64_t channel)
{
    const hoist_view *bias = &call->views[2];
    return float_at(start_of(bias) + channel * bias->stride[0]);
}

// Output channels [first, first + count) at one position, which read channels from `channel` on.
static void convolve(const hoist_compute_call *call, const position *at, int64_t first,
                     int64_t count, int64_t channel)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *w = &call->views[1];
    float sums[BLOCK] = {0};
    rows r = {.x_stride = x->stride[3],
              .weight_stride = w->stride[3],
              .output_stride = w->stride[0],
              .length = w->shape.dim[3]};
    for (int64_t ky = at->down.first; ky < at->down.last; ky++) {
        // Only taps inside the image are gone through: the others would add 0.
        const int64_t iy = at->down.in + (ky - at->down.first) * at->down.step;
        for (int64_t kx = at->across.first; kx < at->across.last; kx++) {
            const int64_t ix = at->across.in + (kx - at->across.first) * at->across.step;
            // All channels of the group at this tap, and the weights of this tap for the first
            // output.
            r.x = start_of(x) + at->image * x->stride[0] + iy * x->stride[1] + ix * x->stride[2] +
                  channel * x->stride[3];
            r.weights = start_of(w) + first * w->stride[0] + ky * w->stride[1] + kx * w->stride[2];
            add_rows(&r, count, sums);
        }
    }
    for (int64_t b = 0; b < count; b++) {
        store_output(&call->views[3], at, first + b,
                     clamped(call, HOIST_CONV_F32_LOW, sums[b] + bias_at(call, first + b)));
    }
}

// All channels at one position; a block does not go beyond its group.
static void conv_at(const hoist_compute_call *call, const position *at)
{
    const int64_t outputs = call->views[3].shape.dim[3];
    const int64_t in_window = call->views[1].shape.dim[3];
    // Outputs of a group, which share their input channels.
    const int64_t per_group = outputs / (call->views[0].shape.dim[3] / in_window);
    for (int64_t first = 0; first < outputs;) {
        const int64_t left = per_group - first % per_group;
        const int64_t count = left < BLOCK ? left : BLOCK;
        convolve(call, at, first, count, first / per_group * in_window);
        first += count;
    }
}

// Each output channel at one position, from the one input channel that it has.
static void depthwise_at(const hoist_compute_call *call, const position *at)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *w = &call->views[1];
    // Outputs of one input channel, one after the other.
    const int64_t multiple = w->shape.dim[3] / x->shape.dim[3];
    for (int64_t o = 0; o < w->shape.dim[3]; o++) {
        float sum = 0;
        const uint8_t *image = start_of(x) + at->image * x->stride[0] + o / multiple * x->stride[3];
        for (int64_t ky = at->down.first; ky < at->down.last; ky++) {
            const int64_t iy = at->down.in + (ky - at->down.first) * at->down.step;
            for (int64_t kx = at->across.first; kx < at->across.last; kx++) {
                const int64_t ix = at->across.in + (kx - at->across.first) * at->across.step;
                sum += float_at(image + iy * x->stride[1] + ix * x->stride[2]) *
                       float_at(start_of(w) + ky * w->stride[1] + kx * w->stride[2] +
                                o * w->stride[3]);
            }
        }
        store_output(&call->views[3], at, o,
                     clamped(call, HOIST_CONV_F32_LOW, sum + bias_at(call, o)));
    }
}

// Rows of the output, position by position: what a window has inside the image is found once.
static void windows(const hoist_compute_call *call, size_t begin, size_t end)
{
    const bool is_depthwise = call->op == HOIST_TFLITE_DEPTHWISE_F32;
    const hoist_shape *x = &call->views[0].shape;
    const hoist_shape *w = &call->views[1].shape;
    const hoist_shape *y = &call->views[3].shape;
    for (size_t unit = begin; unit < end; unit++) {
        position at = {.image = (int64_t)unit / y->dim[1], .oy = (int64_t)unit % y->dim[1]};
        at.down =
            span_of(at.oy * integer(call, HOIST_CONV_STRIDE_H) - integer(call, HOIST_CONV_PAD_TOP),
                    w->dim[1], integer(call, HOIST_CONV_DILATION_H), x->dim[1]);
        for (at.ox = 0; at.ox < y->dim[2]; at.ox++) {
            at.across = span_of(at.ox * integer(call, HOIST_CONV_STRIDE_W) -
                                    integer(call, HOIST_CONV_PAD_LEFT),
                                w->dim[2], integer(call, HOIST_CONV_DILATION_W), x->dim[2]);
            // All channels of the position.
            (is_depthwise ? depthwise_at : conv_at)(call, &at);
        }
    }
}

// Units of a row of the output.
static int64_t dense_blocks(const hoist_compute_call *call)
{
    return (call->views[3].shape.dim[1] + OUTPUTS - 1) / OUTPUTS;
}

static size_t dense_work(const hoist_compute_call *call)
{
    return (size_t)(call->views[3].shape.dim[0] * dense_blocks(call));
}

// Outputs of a unit, eight at a time.
static void dense(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *w = &call->views[1];
    const hoist_view *y = &call->views[3];
    for (size_t unit = begin; unit < end; unit++) {
        // Units of a row follow each other.
        const int64_t row = (int64_t)unit / dense_blocks(call);
        const int64_t from = (int64_t)unit % dense_blocks(call) * OUTPUTS;
        const int64_t to = from + OUTPUTS < y->shape.dim[1] ? from + OUTPUTS : y->shape.dim[1];
        for (int64_t first = from; first < to; first += BLOCK) {
            float sums[BLOCK] = {0};
            const int64_t count = to - first < BLOCK ? to - first : BLOCK;
            const rows r = {.x = start_of(x) + row * x->stride[0],
                            .weights = start_of(w) + first * w->stride[0],
                            .x_stride = x->stride[1],
                            .weight_stride = w->stride[1],
                            .output_stride = w->stride[0],
                            .length = x->shape.dim[1]};
            add_rows(&r, count, sums);
            for (int64_t o = first; o < first + count; o++) {
                const float value =
                    clamped(call, HOIST_PLAIN_LOW, sums[o - first] + bias_at(call, o));
                hoist_store_u32le(start_of(y) + row * y->stride[0] + o * y->stride[1],
                                  hoist_f32_to_bits(value));
            }
        }
    }
}

// Pools -----------------------------------------------------------------------------------------

// The greatest or the mean of what a window has inside the image.
static float pooled(const hoist_compute_call *call, const position *at, int64_t channel)
{
    const bool is_max = call->op == HOIST_TFLITE_MAX_POOL_F32;
    const hoist_view *x = &call->views[0];
    const uint8_t *image = start_of(x) + at->image * x->stride[0] + channel * x->stride[3];
    float result = is_max ? -INFINITY : 0;
    for (int64_t ky = 0; ky < at->down.last - at->down.first; ky++) {
        for (int64_t kx = 0; kx < at->across.last - at->across.first; kx++) {
            const float value = float_at(image + (at->down.in + ky) * x->stride[1] +
                                         (at->across.in + kx) * x->stride[2]);
            // NaN is never greater, and makes any sum NaN.
            result = !is_max ? result + value : value > result ? value : result;
        }
    }
    // Positions outside the image do not count.
    const int64_t count = (at->down.last - at->down.first) * (at->across.last - at->across.first);
    return is_max ? result : result / (float)count;
}

// Rows of the output, channel by channel.
static void pool(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_shape *x = &call->views[0].shape;
    const hoist_shape *y = &call->views[1].shape;
    for (size_t unit = begin; unit < end; unit++) {
        position at = {.image = (int64_t)unit / y->dim[1], .oy = (int64_t)unit % y->dim[1]};
        at.down =
            span_of(at.oy * integer(call, HOIST_POOL_STRIDE_H) - integer(call, HOIST_POOL_PAD_TOP),
                    integer(call, HOIST_POOL_KERNEL_H), 1, x->dim[1]);
        for (at.ox = 0; at.ox < y->dim[2]; at.ox++) {
            at.across = span_of(at.ox * integer(call, HOIST_POOL_STRIDE_W) -
                                    integer(call, HOIST_POOL_PAD_LEFT),
                                integer(call, HOIST_POOL_KERNEL_W), 1, x->dim[2]);
            for (int64_t channel = 0; channel < y->dim[3]; channel++) {
                store_output(&call->views[1], &at, channel,
                             clamped(call, HOIST_POOL_LOW, pooled(call, &at, channel)));
            }
        }
    }
}

// Softmax ---------------------------------------------------------------------------------------

// A row is the innermost dimension.
static uint64_t row_length(const hoist_compute_call *call)
{
    const hoist_shape *shape = &call->views[0].shape;
    return shape->rank ? (uint64_t)shape->dim[shape->rank - 1] : 1;
}

// A unit for each row.
static size_t softmax_work(const hoist_compute_call *call)
{
    return (size_t)((uint64_t)hoist_shape_count(&call->views[0].shape) / row_length(call));
}

// Numbers by their place in the view, whatever gaps it has.
static float number_at(const hoist_view *view, uint64_t i)
{
    uint8_t bytes[sizeof(float)];
    hoist_elements_read(view, i, 1, bytes);
    return float_at(bytes);
}

static void put_number(const hoist_view *view, uint64_t i, float number)
{
    uint8_t bytes[sizeof(float)];
    hoist_store_u32le(bytes, hoist_f32_to_bits(number));
    hoist_elements_write(view, i, 1, bytes);
}

// Rows: the greatest is taken off first, so that no exponential is too large.
static void softmax(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *y = &call->views[1];
    const float beta = call->attrs.value[HOIST_SOFTMAX_F32_BETA].number;
    for (size_t unit = begin; unit < end; unit++) {
        const uint64_t first = (uint64_t)unit * row_length(call);
        const uint64_t last = first + row_length(call);
        float most = -FLT_MAX;
        float sum = 0;
        for (uint64_t i = first; i < last; i++) {
            const float value = number_at(x, i);
            most = value > most ? value : most;
        }
        for (uint64_t i = first; i < last; i++) {
            // In double, then float32, as the reference has it.
            const float e = (float)exp((double)((number_at(x, i) - most) * beta));
            // The output holds the exponentials until their sum is known.
            put_number(y, i, e);
            sum += e;
        }
        for (uint64_t i = first; i < last; i++) {
            put_number(y, i, number_at(y, i) / sum);
        }
    }
}

enum { FIRST = HOIST_TFLITE_CONV_F32 };

static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_CONV_F32 - FIRST] = {.work = row_work, .fill = windows},
    [HOIST_TFLITE_DEPTHWISE_F32 - FIRST] = {.work = row_work, .fill = windows},
    [HOIST_TFLITE_DENSE_F32 - FIRST] = {.work = dense_work, .fill = dense},
    [HOIST_TFLITE_AVERAGE_POOL_F32 - FIRST] = {.work = row_work, .fill = pool},
    [HOIST_TFLITE_MAX_POOL_F32 - FIRST] = {.work = row_work, .fill = pool},
    [HOIST_TFLITE_SOFTMAX_F32 - FIRST] = {.work = softmax_work, .fill = softmax},
};
const hoist_compute_group hoist_plain_window_group = {FIRST, HOIST_COUNT_OF(group_rows),
                                                      group_rows};
