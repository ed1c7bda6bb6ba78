// ops/compute_quant.h - the rows of the profiles tflite and edgetpu: products of 8-bit numbers and
// their results (TFLite kernels reference; darwinn reference section 16.7).
//
// A number q represents scale * (q - zero). Views are [N, H, W, C]; any strides, so that slices and
// broadcasts cost nothing. Letters in the operands' `dims`: N images of H x W with C channels; O
// output channels of P x Q; windows of K x L with I channels; R is O, or 1 for all of them.
//
// tflite: sums in int32, scaled by `multiplier` * 2^(shift - 31) in two roundings (MBQM of the
// reference), + zero_out, clamped to low..high. Products of one sum cannot leave int32, the
// verifier refuses shapes that could; a bias is added modulo 2^32. `requant` has pairs of
// multiplier, 0 or more, and shift, -31 to 30; other numbers stop the run. conv_single and
// dense_single round once, half up, as TFLite's optimised kernels for int8 numbers do.
//
// conv_i16: the sums of conv in int64, of 16-bit numbers with 8-bit weights; TFLite keeps 48 bits
// of them. `multiplier` is rounded to 15 bits, and the product once; shifts are -31 to 7. The same
// of transpose_conv_i16.
//
// The rows of LSTM cells, whose gates have 16 bits. dense_i16: the sums of dense, with the bias
// modulo 2^32, scaled in two roundings, and `a`. add_i16: a sum, clamped. multiply_i16: a product
// over 2^shift, half away from zero, modulo 2^16. multiply_i16_i8: a product, scaled in two
// roundings, + zero. dense_i16_i8, of SVDF: the sum of the products of a row of x with the weights,
// and the bias, modulo 2^32, scaled in two roundings, + zero. logistic_i16, tanh_i16: numbers with
// 3 (`bits`) bits before the point to numbers without one, by the polynomials that logistic and
// tanh have, in 16 bits.
//
// transpose_conv: element [n, h, w, i] of x adds its product with weights [o, k, l, i] to y
// [n, h * stride_h - pad_top + k * dilation_h, ...], where y has such a row and column.
//
// edgetpu: the same sums, then t = (float)sum * multiplier in float32, clamped to low..high
// (floats), rounded half to even, + zero_out. How the device rounds a half is not known; so the
// figures of section 16.8 come out. [inferred]
//
// Whatever is not here is a move: concatenation, split, pad, reshape, transpose. A layer without a
// bias takes a view of zeros, which may have stride 0; broadcast operands are views with stride 0.
#ifndef HOIST_SRC_OPS_COMPUTE_QUANT_H
#define HOIST_SRC_OPS_COMPUTE_QUANT_H

#include "ops/compute_plain.h"

// Least and greatest number of an integer type of at most 32 bits.
static inline int64_t hoist_quant_least(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return info->kind == HOIST_CLASS_SIGNED ? -(INT64_C(1) << (info->bits - 1)) : 0;
}

static inline int64_t hoist_quant_greatest(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return (INT64_C(1) << (info->bits - (info->kind == HOIST_CLASS_SIGNED))) - 1;
}

// Attributes by index.
enum {
    // conv, depthwise, transpose_conv, and those of i16; low and high of edgetpu are floats, here
    // and
    // below.
    HOIST_CONV_STRIDE_H = 0,
    HOIST_CONV_STRIDE_W,
    HOIST_CONV_PAD_TOP,
    HOIST_CONV_PAD_LEFT,
    HOIST_CONV_DILATION_H,
    HOIST_CONV_DILATION_W,
    HOIST_CONV_ZERO_IN,
    HOIST_CONV_ZERO_WEIGHT,
    HOIST_CONV_ZERO_OUT,
    HOIST_CONV_LOW,
    HOIST_CONV_HIGH,
    // dense_i16, multiply_i16_i8 and dense_i16_i8 (ZERO is of their output)
    HOIST_SHORT_ZERO = 0,
    HOIST_SHORT_MULTIPLIER,
    HOIST_SHORT_SHIFT,
    HOIST_SHORT_LOW = 0, // add_i16
    HOIST_SHORT_HIGH,
    HOIST_SHORT_DIVIDE = 0, // multiply_i16
    HOIST_SHORT_BITS = 0,   // tanh_i16
    // dense
    HOIST_DENSE_ZERO_IN = 0,
    HOIST_DENSE_ZERO_WEIGHT,
    HOIST_DENSE_ZERO_OUT,
    HOIST_DENSE_LOW,
    HOIST_DENSE_HIGH,
    // add, subtract: each operand is shifted left by `left` bits and scaled, then their sum.
    HOIST_SUM_ZERO_A = 0,
    HOIST_SUM_ZERO_B,
    HOIST_SUM_ZERO_OUT,
    HOIST_SUM_LEFT,
    HOIST_SUM_MULTIPLIER_A,
    HOIST_SUM_SHIFT_A,
    HOIST_SUM_MULTIPLIER_B,
    HOIST_SUM_SHIFT_B,
    HOIST_SUM_MULTIPLIER,
    HOIST_SUM_SHIFT,
    HOIST_SUM_LOW,
    HOIST_SUM_HIGH,
    // multiply
    HOIST_MULTIPLY_ZERO_A = 0,
    HOIST_MULTIPLY_ZERO_B,
    HOIST_MULTIPLY_ZERO_OUT,
    HOIST_MULTIPLY_LOW,
    HOIST_MULTIPLY_HIGH,
    HOIST_MULTIPLY_MULTIPLIER, // edgetpu: float
    HOIST_MULTIPLY_SHIFT,      // tflite only
    // weighted_sum: k1 * a + k2 * b + constant, scaled
    HOIST_WEIGHTED_K1 = 0,
    HOIST_WEIGHTED_K2,
    HOIST_WEIGHTED_CONSTANT,
    HOIST_WEIGHTED_ZERO_OUT,
    HOIST_WEIGHTED_LOW,
    HOIST_WEIGHTED_HIGH,
    HOIST_WEIGHTED_MULTIPLIER, // edgetpu: float
    HOIST_WEIGHTED_SHIFT,      // tflite only
    // prelu: a less its zero point, scaled by multiplier_a where it is 0 or more, else its product
    // with b less zero_b, which stays in 32 bits, scaled by multiplier, which may be negative
    HOIST_PRELU_ZERO_A = 0,
    HOIST_PRELU_ZERO_B,
    HOIST_PRELU_ZERO_OUT,
    HOIST_PRELU_MULTIPLIER_A,
    HOIST_PRELU_SHIFT_A,
    HOIST_PRELU_MULTIPLIER,
    HOIST_PRELU_SHIFT,
    // average_pool, max_pool
    HOIST_POOL_KERNEL_H = 0,
    HOIST_POOL_KERNEL_W,
    HOIST_POOL_STRIDE_H,
    HOIST_POOL_STRIDE_W,
    HOIST_POOL_PAD_TOP,
    HOIST_POOL_PAD_LEFT,
    HOIST_POOL_LOW,
    HOIST_POOL_HIGH,
    // softmax over the innermost dimension: beta * scale of the input * 2^26
    HOIST_SOFTMAX_MULTIPLIER = 0,
    HOIST_SOFTMAX_SHIFT,
    // softmax_single: beta * scale of the input; exponentials, their sum and shares are float32,
    // and
    // shares are rounded to the nearest, halves up
    HOIST_SOFTMAX_SINGLE_SCALE = 0, // float
    HOIST_SOFTMAX_SINGLE_OUT,       // float: scale of the output
    // logistic, tanh: scale of the input * 2^27
    HOIST_LOGISTIC_ZERO_IN = 0,
    HOIST_LOGISTIC_MULTIPLIER,
    HOIST_LOGISTIC_SHIFT,
    HOIST_RESIZE_ALIGN_CORNERS = 0, // 0 or 1
    HOIST_RESIZE_HALF_PIXEL,        // 0 or 1
    // mean over H and W, requantize: scale of the input / scale of the output; an input of i32 less
    // its zero point is modulo 2^32
    HOIST_MEAN_ZERO_IN = 0,
    HOIST_MEAN_ZERO_OUT,
    HOIST_MEAN_MULTIPLIER,
    HOIST_MEAN_SHIFT,
    // mean_single: scale of the input / (number of elements * scale of the output); sums of numbers
    // with their zero points are scaled, then the bias is added
    HOIST_MEAN_SINGLE_MULTIPLIER = 0,
    HOIST_MEAN_SINGLE_SHIFT,
    HOIST_MEAN_SINGLE_BIAS,
    // quantize: round(x / scale) + zero, NaN counts as minus infinity; dequantize: scale * (q -
    // zero)
    HOIST_QUANT_SCALE = 0, // float
    HOIST_QUANT_ZERO,
    // rescale: round(x * scale - zero_in * scale) + zero_out in float32; scale is that of the input
    // times the reciprocal of the output's
    HOIST_RESCALE_SCALE = 0, // float
    HOIST_RESCALE_ZERO_IN,
    HOIST_RESCALE_ZERO_OUT,
};

#endif // HOIST_SRC_OPS_COMPUTE_QUANT_H
