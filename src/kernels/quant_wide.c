// Convolutions of 16-bit numbers with 8-bit weights, whose sums have 64 bits, and dense layers from
// 8 to 16 bits and back, as they are defined (ops/compute_quant.h): one output after the other.
#include "base/reader.h"
#include "kernels/compute_table.h"
#include "kernels/fixed_point.h"
#include "kernels/quant.h"
#include "kernels/quant_scale.h"
#include "ops/compute_quant.h"

extern const hoist_compute_group hoist_quant_wide_group;

enum { MOST_SHIFT = 7 }; // a greater one leaves no bits after the multiplier of 15

// Where an output is.
typedef struct position {
    int64_t image, oy, ox;
} position;

static int64_t number_at(const uint8_t *bytes)
{
    return (int16_t)hoist_load_u16le(bytes);
}

// Channels [first, first + c->i) of x at one tap, times the weights that begin at `weights`.
static int64_t tap_sum(const hoist_quant_conv *c, const uint8_t *x, const uint8_t *weights)
{
    int64_t sum = 0;
    for (int64_t j = 0; j < c->i; j++) {
        sum += (number_at(x + j * c->x_stride[3]) - c->zero_in) *
               ((int8_t)weights[j * c->weight_stride[3]] - c->zero_weight);
    }
    return sum;
}

// The sum of all taps inside the image for output channel `o`, and its bias, modulo 2^64.
static int64_t window_sum(const hoist_quant_conv *c, position at, int64_t o)
{
    // The first input channel of the output's group.
    const int64_t first = o / (c->o / (c->c / c->i)) * c->i;
    // Where the channels of the group begin.
    const uint8_t *image = c->x + at.image * c->x_stride[0] + first * c->x_stride[3];
    const uint8_t *weights = c->weights + o * c->weight_stride[0];
    int64_t sum = 0;
    for (int64_t ky = 0; ky < c->kh; ky++) {
        const int64_t iy = at.oy * c->stride_h - c->pad_top + c->dilation_h * ky;
        for (int64_t kx = 0; iy >= 0 && iy < c->h && kx < c->kw; kx++) {
            const int64_t ix = at.ox * c->stride_w - c->pad_left + c->dilation_w * kx;
            if (ix >= 0 && ix < c->w) {
                sum += tap_sum(c, image + iy * c->x_stride[1] + ix * c->x_stride[2],
                               weights + ky * c->weight_stride[1] + kx * c->weight_stride[2]);
            }
        }
    }
    return (int64_t)((uint64_t)sum + hoist_load_u64le(c->bias + o * c->bias_stride));
}

// In 64 bits until it is within the limits.
int32_t hoist_quant_scale_wide_sum(const hoist_quant_scale *s, int64_t o, int64_t sum)
{
    const uint8_t *row = s->numbers + (s->count == 1 ? 0 : o) * s->stride[0];
    const int64_t x = hoist_fixed_scale_wide(sum, (int32_t)hoist_load_u32le(row),
                                             (int32_t)hoist_load_u32le(row + s->stride[1])) +
                      s->zero_out;
    return x < s->low ? s->low : x > s->high ? s->high : (int32_t)x;
}

bool hoist_quant_scale_is_good_wide(const hoist_quant_scale *s, hoist_compute_fault *out_fault)
{
    if (!hoist_quant_scale_is_good(s, out_fault)) {
        return false;
    }
    for (int64_t i = 0; i < s->count; i++) {
        const int32_t shift =
            (int32_t)hoist_load_u32le(s->numbers + i * s->stride[0] + s->stride[1]);
        if (shift > MOST_SHIFT) {
            *out_fault = (hoist_compute_fault){.what = "a shift above 7 of 16-bit numbers",
                                               .row = (uint64_t)i,
                                               .col = 1,
                                               .value = (float)shift};
            return false;
        }
    }
    return true;
}

static size_t row_work(const hoist_compute_call *call)
{
    const hoist_shape *y = &call->views[call->input_count].shape;
    return (size_t)(y->dim[0] * y->dim[1]);
}

// Rows of the output, one output after the other.
static hoist_status conv(const hoist_compute_call *call, size_t begin, size_t end,
                         hoist_compute_fault *out_fault)
{
    const hoist_quant_conv c = hoist_quant_conv_of(call);
    if (!hoist_quant_scale_is_good_wide(&c.scale, out_fault)) {
        return HOIST_INVALID;
    }
    for (size_t unit = begin; unit < end; unit++) {
        position at = {(int64_t)unit / c.oh, (int64_t)unit % c.oh, 0};
        for (; at.ox < c.ow; at.ox++) {
            uint8_t *y =
                c.y + at.image * c.y_stride[0] + at.oy * c.y_stride[1] + at.ox * c.y_stride[2];
            for (int64_t o = 0; o < c.o; o++) {
                const int32_t x = hoist_quant_scale_wide_sum(&c.scale, o, window_sum(&c, at, o));
                hoist_store_u16le(y + o * c.y_stride[3], (uint16_t)x);
            }
        }
    }
    return HOIST_OK;
}

// A row of outputs is a unit.
static size_t dense_work(const hoist_compute_call *call)
{
    return (size_t)call->views[0].shape.dim[0];
}

// The sum of a row of 8-bit numbers with its weights, and the bias.
static int32_t dense_sum(const hoist_compute_call *call, int64_t row, int64_t output)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *weights = &call->views[1];
    const hoist_view *bias = &call->views[2];
    const int32_t zero = (int32_t)call->attrs.value[HOIST_SHORT_ZERO].integer;
    const uint8_t *a = x->memory.data + x->offset + row * x->stride[0];
    const uint8_t *b = weights->memory.data + weights->offset + output * weights->stride[0];
    int32_t sum = 0; // it fits: hoist_rule_dense_i16()
    for (int64_t i = 0; i < x->shape.dim[1]; i++) {
        sum += ((int8_t)a[i * x->stride[1]] - zero) * (int8_t)b[i * weights->stride[1]];
    }
    const uint8_t *c = bias->memory.data + bias->offset + output * bias->stride[0];
    return hoist_fixed_add(sum, (int32_t)hoist_load_u32le(c));
}

// Adds scaled sums to what the last operand has, and cuts off at 16 bits.
static hoist_status dense(const hoist_compute_call *call, size_t begin, size_t end,
                          hoist_compute_fault *out_fault)
{
    const hoist_view *before = &call->views[3];
    const hoist_view *y = &call->views[4];
    const int32_t multiplier = (int32_t)call->attrs.value[HOIST_SHORT_MULTIPLIER].integer;
    const int shift = (int)call->attrs.value[HOIST_SHORT_SHIFT].integer;
    (void)out_fault;
    for (int64_t row = (int64_t)begin; row < (int64_t)end; row++) {
        for (int64_t o = 0; o < y->shape.dim[1]; o++) {
            const uint8_t *a = before->memory.data + before->offset + row * before->stride[0] +
                               o * before->stride[1];
            const int64_t sum =
                number_at(a) + hoist_fixed_scale(dense_sum(call, row, o), multiplier, shift);
            const int64_t within = sum > INT16_MAX ? INT16_MAX : sum < INT16_MIN ? INT16_MIN : sum;
            uint8_t *to = y->memory.data + y->offset + row * y->stride[0] + o * y->stride[1];
            hoist_store_u16le(to, (uint16_t)within);
        }
    }
    return HOIST_OK;
}

// The sum of the products of row `row` of x with its weights, and the bias, modulo 2^32.
static int32_t row_sum(const hoist_compute_call *call, int64_t row, int64_t output)
{
    const hoist_view *x = &call->views[0];
    const hoist_view *weights = &call->views[1];
    const hoist_view *bias = &call->views[2];
    const uint8_t *a = x->memory.data + x->offset + row * x->stride[0] + output * x->stride[1];
    const uint8_t *b = weights->memory.data + weights->offset + output * weights->stride[0];
    uint32_t sum = hoist_load_u32le(bias->memory.data + bias->offset + output * bias->stride[0]);
    for (int64_t i = 0; i < x->shape.dim[2]; i++) {
        sum += (uint32_t)(number_at(a + i * x->stride[2]) * number_at(b + i * weights->stride[1]));
    }
    return (int32_t)sum;
}

// Rows of 16-bit numbers to outputs of 8 bits.
static void dense_byte(const hoist_compute_call *call, size_t begin, size_t end)
{
    const hoist_view *y = &call->views[3];
    const int32_t multiplier = (int32_t)call->attrs.value[HOIST_SHORT_MULTIPLIER].integer;
    const int shift = (int)call->attrs.value[HOIST_SHORT_SHIFT].integer;
    const int32_t zero = (int32_t)call->attrs.value[HOIST_SHORT_ZERO].integer;
    for (int64_t row = (int64_t)begin; row < (int64_t)end; row++) {
        for (int64_t o = 0; o < y->shape.dim[1]; o++) {
            const int32_t x = hoist_fixed_scale(row_sum(call, row, o), multiplier, shift);
            uint8_t *to = y->memory.data + y->offset + row * y->stride[0] + o * y->stride[1];
            *to = (uint8_t)hoist_quant_place(x, zero, INT8_MIN, INT8_MAX);
        }
    }
}

enum { FIRST = HOIST_TFLITE_CONV_I16 };

static const hoist_compute_row group_rows[] = {
    [HOIST_TFLITE_CONV_I16 - FIRST] = {.work = row_work, .run = conv},
    [HOIST_TFLITE_DENSE_I16 - FIRST] = {.work = dense_work, .run = dense},
    [HOIST_TFLITE_DENSE_I16_I8 - FIRST] = {.work = dense_work, .fill = dense_byte},
};
const hoist_compute_group hoist_quant_wide_group = {FIRST, HOIST_COUNT_OF(group_rows), group_rows};
