// Calls of compute rows as convolutions and pools on plain memory: views and attributes in,
// hoist_quant_conv or hoist_quant_pool (quant.h) out, and whether the fast kernels take them.
#include <math.h>

#include "base/assert.h"
#include "base/reader.h"
#include "kernels/quant.h"
#include "ops/compute_quant.h"
#include "tensor/float_bits.h"

static uint8_t *start_of(const hoist_view *view)
{
    return view->memory.data + view->offset;
}

// Strides of an image or of weights.
static void copy_strides(const hoist_view *view, int64_t out[4])
{
    HOIST_ASSERT(view->shape.rank == 4);
    for (int i = 0; i < 4; i++) {
        out[i] = view->stride[i];
    }
}

static int64_t integer(const hoist_compute_call *call, size_t index)
{
    return call->attrs.value[index].integer;
}

hoist_quant_scale hoist_quant_scale_of(const hoist_compute_call *call, const hoist_view *numbers,
                                       size_t zero_out)
{
    hoist_quant_scale scale = {.is_float = numbers->dtype == HOIST_DTYPE_F32,
                               .is_single = call->op == HOIST_TFLITE_CONV_SINGLE ||
                                            call->op == HOIST_TFLITE_DENSE_SINGLE,
                               .count = numbers->shape.dim[0],
                               .numbers = start_of(numbers),
                               .stride = {numbers->stride[0], numbers->stride[1]},
                               .zero_out = (int32_t)integer(call, zero_out)};
    // One pair for all channels, or one for each.
    HOIST_ASSERT(scale.count > 0);
    // One number for each channel, and limits in floats.
    if (scale.is_float) {
        scale.stride[1] = 0;
        scale.low_f32 = call->attrs.value[zero_out + 1].number;
        scale.high_f32 = call->attrs.value[zero_out + 2].number;
    } else {
        // Limits are right behind the zero point, in each kind of row.
        scale.low = (int32_t)integer(call, zero_out + 1);
        scale.high = (int32_t)integer(call, zero_out + 2);
    }
    return scale;
}

// One product of a row of x with the weights: an image of one position.
static hoist_quant_conv dense_of(const hoist_compute_call *call)
{
    HOIST_ASSERT(call->input_count == 4 && call->views[0].shape.rank == 2);
    const hoist_view *x = &call->views[0];
    const hoist_view *weights = &call->views[1];
    const hoist_view *y = &call->views[4];
    return (hoist_quant_conv){
        .is_signed = x->dtype == HOIST_DTYPE_I8,
        .n = x->shape.dim[0],
        .h = 1,
        .w = 1,
        .c = x->shape.dim[1],
        .o = weights->shape.dim[0],
        .kh = 1,
        .kw = 1,
        .i = x->shape.dim[1],
        .oh = 1,
        .ow = 1,
        .stride_h = 1,
        .stride_w = 1,
        .dilation_h = 1,
        .dilation_w = 1,
        .zero_in = (int32_t)integer(call, HOIST_DENSE_ZERO_IN),
        .zero_weight = (int32_t)integer(call, HOIST_DENSE_ZERO_WEIGHT),
        .scale = hoist_quant_scale_of(call, &call->views[3], HOIST_DENSE_ZERO_OUT),
        .x = start_of(x),
        // Rows are images, columns channels; what is between has one index.
        .x_stride = {x->stride[0], 0, 0, x->stride[1]},
        .weights = start_of(weights),
        .weight_stride = {weights->stride[0], 0, 0, weights->stride[1]},
        .bias = start_of(&call->views[2]),
        .bias_stride = call->views[2].stride[0],
        .y = start_of(y),
        .y_stride = {y->stride[0], 0, 0, y->stride[1]},
    };
}

// Windows over an image, of a convolution or a depthwise one.
static hoist_quant_conv windows_of(const hoist_compute_call *call, bool is_depthwise)
{
    HOIST_ASSERT(call->input_count == 4);
    const hoist_view *x = &call->views[0];
    const hoist_view *weights = &call->views[1];
    const hoist_view *y = &call->views[4];
    hoist_quant_conv conv = {
        .is_signed = x->dtype == HOIST_DTYPE_I8,
        .is_depthwise = is_depthwise,
        .n = x->shape.dim[0],
        .h = x->shape.dim[1],
        .w = x->shape.dim[2],
        .c = x->shape.dim[3],
        .o = y->shape.dim[3],
        .kh = weights->shape.dim[1],
        .kw = weights->shape.dim[2],
        // A depthwise output reads one channel only.
        .i = is_depthwise ? 1 : weights->shape.dim[3],
        .oh = y->shape.dim[1],
        .ow = y->shape.dim[2],
        .stride_h = integer(call, HOIST_CONV_STRIDE_H),
        .stride_w = integer(call, HOIST_CONV_STRIDE_W),
        .pad_top = integer(call, HOIST_CONV_PAD_TOP),
        .pad_left = integer(call, HOIST_CONV_PAD_LEFT),
        .dilation_h = integer(call, HOIST_CONV_DILATION_H),
        .dilation_w = integer(call, HOIST_CONV_DILATION_W),
        .zero_in = (int32_t)integer(call, HOIST_CONV_ZERO_IN),
        .zero_weight = (int32_t)integer(call, HOIST_CONV_ZERO_WEIGHT),
        .scale = hoist_quant_scale_of(call, &call->views[3], HOIST_CONV_ZERO_OUT),
        .x = start_of(x),
        .weights = start_of(weights),
        .bias = start_of(&call->views[2]),
        .bias_stride = call->views[2].stride[0],
        .y = start_of(y),
    };
    copy_strides(x, conv.x_stride);
    copy_strides(weights, conv.weight_stride);
    copy_strides(y, conv.y_stride);
    return conv;
}

// All three kinds of layers are convolutions.
hoist_quant_conv hoist_quant_conv_of(const hoist_compute_call *call)
{
    switch (call->op) {
    case HOIST_TFLITE_DENSE:
    case HOIST_TFLITE_DENSE_SINGLE:
    case HOIST_EDGETPU_DENSE:
        return dense_of(call);
    case HOIST_TFLITE_DEPTHWISE:
    case HOIST_EDGETPU_DEPTHWISE:
        return windows_of(call, true);
    default:
        return windows_of(call, false);
    }
}

// Windows of a pool have no weights, and no distance between their positions.
hoist_quant_pool hoist_quant_pool_of(const hoist_compute_call *call)
{
    HOIST_ASSERT(call->input_count == 1);
    const hoist_view *x = &call->views[0];
    const hoist_view *y = &call->views[1];
    hoist_quant_pool pool = {
        .is_signed = x->dtype == HOIST_DTYPE_I8,
        .n = x->shape.dim[0],
        .h = x->shape.dim[1],
        .w = x->shape.dim[2],
        .c = x->shape.dim[3],
        .kh = integer(call, HOIST_POOL_KERNEL_H),
        .kw = integer(call, HOIST_POOL_KERNEL_W),
        .oh = y->shape.dim[1],
        .ow = y->shape.dim[2],
        .stride_h = integer(call, HOIST_POOL_STRIDE_H),
        .stride_w = integer(call, HOIST_POOL_STRIDE_W),
        .pad_top = integer(call, HOIST_POOL_PAD_TOP),
        .pad_left = integer(call, HOIST_POOL_PAD_LEFT),
        .low = (int32_t)integer(call, HOIST_POOL_LOW),
        .high = (int32_t)integer(call, HOIST_POOL_HIGH),
        .x = start_of(x),
        .y = start_of(y),
    };
    copy_strides(x, pool.x_stride);
    copy_strides(y, pool.y_stride);
    return pool;
}

// A fault at a row and column of the operand of scales.
static hoist_compute_fault scale_fault(const char *what, int64_t row, uint64_t col, float value)
{
    return (hoist_compute_fault){.what = what, .row = (uint64_t)row, .col = col, .value = value};
}

// Scales are an operand that only a run can check: nothing keeps a file from having any.
bool hoist_quant_scale_is_good(const hoist_quant_scale *scale, hoist_compute_fault *out_fault)
{
    for (int64_t i = 0; i < scale->count; i++) {
        const uint8_t *row = scale->numbers + i * scale->stride[0];
        // A float, or the multiplier of a pair.
        const uint32_t bits = hoist_load_u32le(row);
        if (scale->is_float) {
            const float multiplier = hoist_f32_from_bits(bits);
            if (!isfinite(multiplier)) {
                *out_fault = scale_fault("a multiplier that is not finite", i, 0, multiplier);
                return false;
            }
            continue;
        }
        const int32_t multiplier = (int32_t)bits;
        const int32_t shift = (int32_t)hoist_load_u32le(row + scale->stride[1]);
        // Vectors take it to be 0 or more.
        if (multiplier < 0) {
            *out_fault = scale_fault("a multiplier below 0", i, 0, (float)multiplier);
            return false;
        }
        // Other shifts have no meaning in 32 bits.
        if (shift < -31 || shift > 30) {
            *out_fault = scale_fault("a shift outside of -31 to 30", i, 1, (float)shift);
            return false;
        }
    }
    return true;
}

// Elements of one dimension follow each other.
static bool follows(int64_t count, int64_t stride, int64_t size)
{
    return count == 1 || stride == size;
}

// Whether weights have no gaps, as vectors load over the ends of their dimensions.
static bool is_dense(const int64_t dim[4], const int64_t stride[4])
{
    int64_t size = 1;
    for (int i = 3; i >= 0; i--) {
        // `size` is what the dimensions inside take.
        if (!follows(dim[i], stride[i], size)) {
            return false;
        }
        size *= dim[i];
    }
    return true;
}

// Whether numbers of 32 bits follow each other, aligned.
static bool has_plain_words(const uint8_t *start, int64_t count, int64_t stride, int64_t size)
{
    return (uintptr_t)start % sizeof(int32_t) == 0 && follows(count, stride, size);
}

bool hoist_quant_conv_is_plain(const hoist_quant_conv *c)
{
    // The order of weights differs between the two kinds.
    const int64_t per_output[4] = {c->o, c->kh, c->kw, c->i};
    const int64_t depthwise[4] = {1, c->kh, c->kw, c->o};
    const hoist_quant_scale *s = &c->scale;
    return hoist_is_little_endian() && follows(c->c, c->x_stride[3], 1) &&
           follows(c->o, c->y_stride[3], 1) &&
           is_dense(c->is_depthwise ? depthwise : per_output, c->weight_stride) &&
           has_plain_words(c->bias, c->o, c->bias_stride, 4) &&
           has_plain_words(s->numbers, s->count, s->stride[0], s->is_float ? 4 : 8) &&
           (s->is_float || s->stride[1] == 4);
}

// Only channels need be adjacent; pixels and rows may be anywhere.
bool hoist_quant_pool_is_plain(const hoist_quant_pool *p)
{
    return hoist_is_little_endian() && follows(p->c, p->x_stride[3], 1) &&
           follows(p->c, p->y_stride[3], 1);
}
