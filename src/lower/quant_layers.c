// Layers of quant.h as steps of the rows of ops/compute_quant.h: convolutions, sums, pools,
// softmax. Factors become a multiplier and a shift, as in gemmlowp's fixed-point requantization, or
// float32 where the profile requantizes in floats. quant.c adds the steps.
#include <math.h>

#include "base/arena.h"
#include "base/assert.h"
#include "base/reader.h"
#include "base/span.h"
#include "lower/quant.h"
#include "lower/quant_steps.h"

#define INTEGER(number) ((hoist_compute_value){.integer = (number)})
#define REAL(value) ((hoist_compute_value){.number = (float)(value)})

// low and high, from attribute `at` on: numbers of the output, zero point included; of a profile in
// float32 steps from the zero point.
static void put_limits(hoist_compute_attrs *attrs, size_t at, hoist_quant_limits limits,
                       const hoist_lower_view *y, hoist_requantization how)
{
    if (how == HOIST_REQUANTIZE_FLOAT) {
        attrs->value[at] = REAL(limits.low);
        attrs->value[at + 1] = REAL(limits.high);
        return;
    }
    attrs->value[at] = INTEGER(hoist_quant_rounded(limits.low) + y->zero);
    attrs->value[at + 1] = INTEGER(hoist_quant_rounded(limits.high) + y->zero);
}

// Sums of products ------------------------------------------------------------------------------

// One operand with a row per factor: i32 [R, 2] of multiplier and shift, or f32 [R].
static hoist_status put_scales(hoist_quant_layers *layers, hoist_quant_scales scales,
                               hoist_lower_view *out_view)
{
    const bool integer = layers->requantization != HOIST_REQUANTIZE_FLOAT;
    const size_t each = integer ? 2 * sizeof(int32_t) : sizeof(float);
    uint8_t *bytes = hoist_lower_array(layers->c, scales.count, each);
    if (!bytes) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < scales.count; i++) {
        hoist_multiplier m = {0, 0};
        const union { // the bits of a float32
            float number;
            uint32_t bits;
        } factor = {(float)scales.factors[i]};
        HOIST_TRY(hoist_quant_factor(layers, scales.factors[i], &m));
        if (!integer) {
            hoist_store_u32le(bytes + i * each, factor.bits);
            continue;
        }
        hoist_store_u32le(bytes + i * each, (uint32_t)m.multiplier);
        hoist_store_u32le(bytes + i * each + sizeof(int32_t), (uint32_t)m.shift);
    }
    const hoist_shape shape = {.rank = integer ? 2 : 1, .dim = {scales.count, integer ? 2 : 0}};
    const hoist_bytes data = {bytes, scales.count * each};
    *out_view = hoist_lower_view_dense(hoist_quant_constant(layers, data),
                                       integer ? HOIST_DTYPE_I32 : HOIST_DTYPE_F32, &shape);
    return HOIST_OK;
}

// The common end of all layers of products. Attributes begin with those of the row (window); from
// `zeros` on they are three zero points and two limits.
static hoist_status add_products(hoist_quant_layers *layers, const hoist_quant_products *layer,
                                 const hoist_quant_step *begun, size_t zeros)
{
    hoist_quant_step step = *begun;
    const hoist_lower_view *y = &layer->y;
    hoist_lower_view bias;
    hoist_lower_view scales;
    // An absent bias is as many zeros.
    const int64_t channels = y->shape.rank > 0 ? y->shape.dim[y->shape.rank - 1] : 1;
    step.attrs.value[zeros] = INTEGER(layer->x.zero);
    step.attrs.value[zeros + 1] = INTEGER(layer->weights.zero);
    step.attrs.value[zeros + 2] = INTEGER(y->zero);
    put_limits(&step.attrs, zeros + 3, layer->limits, y, layers->requantization);
    HOIST_TRY(put_scales(layers, layer->scales, &scales));
    // Sums of i16 * i8 need 64 bits.
    const hoist_dtype sum = layer->x.dtype == HOIST_DTYPE_I16 ? HOIST_DTYPE_I64 : HOIST_DTYPE_I32;
    bias = layer->bias ? *layer->bias : hoist_quant_zeros(layers, sum, channels);
    step.operands[0] = &layer->x;
    step.operands[1] = &layer->weights;
    step.operands[2] = &bias;
    step.operands[3] = &scales;
    step.operands[4] = y;
    return hoist_quant_compute(layers, &step);
}

void hoist_quant_put_window(hoist_quant_step *step, const hoist_quant_window *window)
{
    hoist_compute_value *value = step->attrs.value;
    value[HOIST_CONV_STRIDE_H] = INTEGER(window->stride_h);
    value[HOIST_CONV_STRIDE_W] = INTEGER(window->stride_w);
    value[HOIST_CONV_PAD_TOP] = INTEGER(window->pad_top);
    value[HOIST_CONV_PAD_LEFT] = INTEGER(window->pad_left);
    value[HOIST_CONV_DILATION_H] = INTEGER(window->dilation_h);
    value[HOIST_CONV_DILATION_W] = INTEGER(window->dilation_w);
}

static hoist_status add_windows(hoist_quant_layers *layers, const hoist_quant_products *layer,
                                hoist_compute_op op)
{
    hoist_quant_step step = {.op = op};
    hoist_quant_put_window(&step, &layer->window);
    return add_products(layers, layer, &step, HOIST_CONV_ZERO_IN);
}

static bool is_whole(const hoist_quant_layers *layers) // products with integer multipliers
{
    return layers->requantization != HOIST_REQUANTIZE_FLOAT;
}

// The row of a layer of products. TFLite's optimised kernels give sums of int8 numbers to ruy,
// which rounds once, those of uint8 numbers to gemmlowp, which rounds twice as the reference does.
static hoist_compute_op product_row(const hoist_quant_layers *layers,
                                    const hoist_quant_products *layer, hoist_compute_op twice,
                                    hoist_compute_op once, hoist_compute_op real)
{
    const bool rounds_once =
        layers->requantization == HOIST_REQUANTIZE_SINGLE && layer->x.dtype == HOIST_DTYPE_I8;
    return !is_whole(layers) ? real : rounds_once ? once : twice;
}

// Sums of i16 numbers are rescaled by a multiplier of 15 bits (MultiplyByQuantizedMultiplier of
// int64); a factor of 2^7 or more would leave too few of them.
static hoist_status add_wide(hoist_quant_layers *layers, const hoist_quant_products *layer,
                             hoist_compute_op op)
{
    HOIST_ASSERT(is_whole(layers));
    for (uint32_t i = 0; i < layer->scales.count; i++) {
        if (!(layer->scales.factors[i] < 0x1p7 - 0x1p-16)) {
            return hoist_quant_refuse(
                layers, "the ratio of scales of 16-bit numbers is %g, expected below 128",
                layer->scales.factors[i]);
        }
    }
    return add_windows(layers, layer, op);
}

// Grouped convolutions are the same row: groups follow from the channels of the weights.
hoist_status hoist_quant_conv(hoist_quant_layers *layers, const hoist_quant_products *layer)
{
    if (layer->x.dtype == HOIST_DTYPE_I16) {
        return add_wide(layers, layer, HOIST_TFLITE_CONV_I16);
    }
    return add_windows(layers, layer,
                       product_row(layers, layer, HOIST_TFLITE_CONV, HOIST_TFLITE_CONV_SINGLE,
                                   HOIST_EDGETPU_CONV));
}

hoist_status hoist_quant_depthwise(hoist_quant_layers *layers, const hoist_quant_products *layer)
{
    return add_windows(layers, layer,
                       is_whole(layers) ? HOIST_TFLITE_DEPTHWISE : HOIST_EDGETPU_DEPTHWISE);
}

hoist_status hoist_quant_transpose(hoist_quant_layers *layers, const hoist_quant_products *layer)
{
    HOIST_ASSERT(is_whole(layers));
    return layer->x.dtype == HOIST_DTYPE_I16
               ? add_wide(layers, layer, HOIST_TFLITE_TRANSPOSE_CONV_I16)
               : add_windows(layers, layer, HOIST_TFLITE_TRANSPOSE_CONV);
}

hoist_status hoist_quant_matrix(hoist_quant_layers *layers, const hoist_quant_products *layer)
{
    hoist_quant_step step = {.op = product_row(layers, layer, HOIST_TFLITE_DENSE,
                                               HOIST_TFLITE_DENSE_SINGLE, HOIST_EDGETPU_DENSE)};
    return add_products(layers, layer, &step, HOIST_DENSE_ZERO_IN);
}

// Two tensors -----------------------------------------------------------------------------------

hoist_status hoist_quant_put_pair(hoist_quant_layers *layers, const hoist_quant_pair *pair,
                                  hoist_lower_view views[2], hoist_quant_step *step)
{
    if (!hoist_lower_view_broadcast(&pair->a, &pair->y.shape, &views[0]) ||
        !hoist_lower_view_broadcast(&pair->b, &pair->y.shape, &views[1])) {
        return hoist_quant_refuse(layers,
                                  "an input cannot be stretched to the shape of the output");
    }
    step->operands[0] = &views[0];
    step->operands[1] = &views[1];
    step->operands[2] = &pair->y;
    return HOIST_OK;
}

// Multiplier and shift of a factor, at attributes `at` and `at + 1`.
static hoist_status put_factor(hoist_quant_layers *layers, double factor, hoist_quant_step *step,
                               size_t at)
{
    hoist_multiplier m;
    HOIST_TRY(hoist_quant_factor(layers, factor, &m));
    step->attrs.value[at] = INTEGER(m.multiplier);
    step->attrs.value[at + 1] = INTEGER(m.shift);
    return HOIST_OK;
}

// Both operands are brought to twice the larger scale, so that neither factor is above a half, and
// the sum of two 8-bit numbers shifted by 20 fits 32 bits (kernels reference 4.2).
hoist_status hoist_quant_add_sum(hoist_quant_layers *layers, const hoist_quant_sum *layer)
{
    const hoist_quant_pair *pair = &layer->pair;
    const int left = hoist_dtype_get(pair->y.dtype)->bits == 16 ? 15 : 20;
    const double greater = layer->scale_a > layer->scale_b ? layer->scale_a : layer->scale_b;
    const double twice = 2 * greater;
    hoist_quant_step step = {.op = layer->subtracts ? HOIST_TFLITE_SUBTRACT : HOIST_TFLITE_ADD};
    hoist_lower_view views[2];
    step.attrs.value[HOIST_SUM_ZERO_A] = INTEGER(pair->a.zero);
    step.attrs.value[HOIST_SUM_ZERO_B] = INTEGER(pair->b.zero);
    step.attrs.value[HOIST_SUM_ZERO_OUT] = INTEGER(pair->y.zero);
    step.attrs.value[HOIST_SUM_LEFT] = INTEGER(left);
    put_limits(&step.attrs, HOIST_SUM_LOW, pair->limits, &pair->y, HOIST_REQUANTIZE_DOUBLE);
    HOIST_TRY(hoist_quant_put_pair(layers, pair, views, &step));
    HOIST_TRY(put_factor(layers, layer->scale_a / twice, &step, HOIST_SUM_MULTIPLIER_A));
    HOIST_TRY(put_factor(layers, layer->scale_b / twice, &step, HOIST_SUM_MULTIPLIER_B));
    HOIST_TRY(put_factor(layers, twice / ((double)(1 << left) * layer->scale_y), &step,
                         HOIST_SUM_MULTIPLIER));
    return hoist_quant_compute(layers, &step);
}

// The factor at attribute `at`, as the layers' profile has it.
static hoist_status put_either(hoist_quant_layers *layers, double factor, hoist_quant_step *step,
                               size_t at)
{
    if (is_whole(layers)) {
        return put_factor(layers, factor, step, at);
    }
    step->attrs.value[at] = REAL(factor);
    return HOIST_OK;
}

hoist_status hoist_quant_multiply(hoist_quant_layers *layers, const hoist_quant_pair *pair,
                                  double factor)
{
    hoist_quant_step step = {.op =
                                 is_whole(layers) ? HOIST_TFLITE_MULTIPLY : HOIST_EDGETPU_MULTIPLY};
    hoist_lower_view views[2];
    step.attrs.value[HOIST_MULTIPLY_ZERO_A] = INTEGER(pair->a.zero);
    step.attrs.value[HOIST_MULTIPLY_ZERO_B] = INTEGER(pair->b.zero);
    step.attrs.value[HOIST_MULTIPLY_ZERO_OUT] = INTEGER(pair->y.zero);
    put_limits(&step.attrs, HOIST_MULTIPLY_LOW, pair->limits, &pair->y, layers->requantization);
    HOIST_TRY(hoist_quant_put_pair(layers, pair, views, &step));
    HOIST_TRY(put_either(layers, factor, &step, HOIST_MULTIPLY_MULTIPLIER));
    return hoist_quant_compute(layers, &step);
}

// PRELU and LEAKY_RELU: the slope may be negative, which the signed multiplier allows.
hoist_status hoist_quant_prelu(hoist_quant_layers *layers, const hoist_quant_pair *pair,
                               double factor, double slope_factor)
{
    hoist_quant_step step = {.op = HOIST_TFLITE_PRELU};
    hoist_lower_view views[2];
    step.attrs.value[HOIST_PRELU_ZERO_A] = INTEGER(pair->a.zero);
    step.attrs.value[HOIST_PRELU_ZERO_B] = INTEGER(pair->b.zero);
    step.attrs.value[HOIST_PRELU_ZERO_OUT] = INTEGER(pair->y.zero);
    HOIST_TRY(hoist_quant_put_pair(layers, pair, views, &step));
    HOIST_TRY(put_factor(layers, factor, &step, HOIST_PRELU_MULTIPLIER_A));
    hoist_multiplier slope;
    if (hoist_quantize_multiplier_signed(slope_factor, &slope) != HOIST_OK) {
        return hoist_quant_refuse(
            layers, "the slope is %g, expected -2^30 to 2^30, neither included", slope_factor);
    }
    step.attrs.value[HOIST_PRELU_MULTIPLIER] = INTEGER(slope.multiplier);
    step.attrs.value[HOIST_PRELU_SHIFT] = INTEGER(slope.shift);
    return hoist_quant_compute(layers, &step);
}

// Addition as the Edge TPU has it: small integers k1 and k2 in place of the scales' ratios.
static hoist_status add_weighted(hoist_quant_layers *layers, const hoist_quant_weighted *layer,
                                 hoist_requantization how)
{
    const hoist_quant_pair *pair = &layer->pair;
    const bool integer = how != HOIST_REQUANTIZE_FLOAT;
    hoist_quant_step step = {.op =
                                 integer ? HOIST_TFLITE_WEIGHTED_SUM : HOIST_EDGETPU_WEIGHTED_SUM};
    hoist_lower_view views[2];
    step.attrs.value[HOIST_WEIGHTED_K1] = INTEGER(layer->k1);
    step.attrs.value[HOIST_WEIGHTED_K2] = INTEGER(layer->k2);
    step.attrs.value[HOIST_WEIGHTED_CONSTANT] = INTEGER(layer->constant);
    step.attrs.value[HOIST_WEIGHTED_ZERO_OUT] = INTEGER(pair->y.zero);
    put_limits(&step.attrs, HOIST_WEIGHTED_LOW, pair->limits, &pair->y, how);
    HOIST_TRY(hoist_quant_put_pair(layers, pair, views, &step));
    HOIST_TRY(integer ? put_factor(layers, layer->factor, &step, HOIST_WEIGHTED_MULTIPLIER)
                      : put_either(layers, layer->factor, &step, HOIST_WEIGHTED_MULTIPLIER));
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_quant_add_weighted(hoist_quant_layers *layers, const hoist_quant_weighted *layer)
{
    return add_weighted(layers, layer, layers->requantization);
}

// One tensor ------------------------------------------------------------------------------------

// Rows of bytes have limits as numbers of y, rows of float32 as floats; x and y have one scale.
hoist_status hoist_quant_add_pool(hoist_quant_layers *layers, const hoist_quant_pool *layer)
{
    const hoist_quant_window *w = &layer->window;
    const bool is_real = layer->x.dtype == HOIST_DTYPE_F32;
    const hoist_compute_op whole =
        layer->is_max ? HOIST_TFLITE_MAX_POOL : HOIST_TFLITE_AVERAGE_POOL;
    const hoist_compute_op real =
        layer->is_max ? HOIST_TFLITE_MAX_POOL_F32 : HOIST_TFLITE_AVERAGE_POOL_F32;
    hoist_quant_step step = {.op = is_real ? real : whole, .operands = {&layer->x, &layer->y}};
    step.attrs.value[HOIST_POOL_KERNEL_H] = INTEGER(w->kernel_h);
    step.attrs.value[HOIST_POOL_KERNEL_W] = INTEGER(w->kernel_w);
    step.attrs.value[HOIST_POOL_STRIDE_H] = INTEGER(w->stride_h);
    step.attrs.value[HOIST_POOL_STRIDE_W] = INTEGER(w->stride_w);
    step.attrs.value[HOIST_POOL_PAD_TOP] = INTEGER(w->pad_top);
    step.attrs.value[HOIST_POOL_PAD_LEFT] = INTEGER(w->pad_left);
    put_limits(&step.attrs, HOIST_POOL_LOW, layer->limits, &layer->y,
               is_real ? HOIST_REQUANTIZE_FLOAT : HOIST_REQUANTIZE_DOUBLE);
    return hoist_quant_compute(layers, &step);
}

// Of `layer`, with attributes to come.
static hoist_quant_step unary(hoist_compute_op op, const hoist_quant_unary *layer)
{
    return (hoist_quant_step){.op = op, .operands = {&layer->x, &layer->y}};
}

// MEAN and REQUANTIZE have the same attributes at the same places.
static hoist_status add_scaled(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                               hoist_compute_op op, double factor)
{
    hoist_quant_step step = unary(op, layer);
    step.attrs.value[HOIST_MEAN_ZERO_IN] = INTEGER(layer->x.zero);
    step.attrs.value[HOIST_MEAN_ZERO_OUT] = INTEGER(layer->y.zero);
    HOIST_TRY(put_factor(layers, factor, &step, HOIST_MEAN_MULTIPLIER));
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_quant_mean(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                              double factor)
{
    return add_scaled(layers, layer, HOIST_TFLITE_MEAN, factor);
}

// TFLite's optimised MEAN over H and W computes its multiplier and bias in float32, in this order
// of operations: another order gives other bits.
hoist_status hoist_quant_mean_single(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                     float scale_in, float scale_out)
{
    const hoist_shape *x = &layer->x.shape;
    const float count = x->rank == 4 ? (float)(x->dim[1] * x->dim[2]) : 1; // else it is refused
    const float all = count * scale_out;
    const float scaled = (float)layer->x.zero * scale_in;
    const float zero = scaled / scale_out;
    const float far = zero > 0 ? zero + 0.5F : zero - 0.5F;
    hoist_quant_step step = unary(HOIST_TFLITE_MEAN_SINGLE, layer);
    // Far from INT32_MIN and INT32_MAX: the cast is defined, the bias fits.
    if (!(far > (float)INT32_MIN / 2 && far < (float)INT32_MAX / 2)) {
        return hoist_quant_refuse(layers, "the zero point of x is %g in steps of y", (double)zero);
    }
    HOIST_TRY(put_factor(layers, (double)(scale_in / all), &step, HOIST_MEAN_SINGLE_MULTIPLIER));
    step.attrs.value[HOIST_MEAN_SINGLE_BIAS] = INTEGER(layer->y.zero - (int64_t)far);
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_quant_softmax_single(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                        float factor, float scale_out)
{
    hoist_quant_step step = unary(HOIST_TFLITE_SOFTMAX_SINGLE, layer);
    step.attrs.value[HOIST_SOFTMAX_SINGLE_SCALE] = REAL(factor);
    step.attrs.value[HOIST_SOFTMAX_SINGLE_OUT] = REAL(scale_out);
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_quant_requantize(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                    double factor)
{
    return add_scaled(layers, layer, HOIST_TFLITE_REQUANTIZE, factor);
}

// Factors of up to 2^31, of a softmax with a large beta. hoist_quant_factor() ends at 2^30; halving
// is exact, and the exponent takes it back.
static hoist_status put_large_factor(hoist_quant_layers *layers, double factor,
                                     hoist_quant_step *step, size_t at)
{
    if (factor < 0x1p30) {
        return put_factor(layers, factor, step, at);
    }
    HOIST_TRY(put_factor(layers, factor / 2, step, at));
    step->attrs.value[at + 1].integer++;
    return HOIST_OK;
}

hoist_status hoist_quant_softmax(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                 double factor)
{
    // beta * scale in Q5.26, clamped as PreprocessSoftmaxScaling does.
    const double most = 0x1p31 - 1; // kernels reference 4.7
    const double scaled = factor * 0x1p26;
    // NaN and infinity are left for the row to refuse.
    const double used = isfinite(factor) && scaled > most ? most : scaled;
    hoist_quant_step step = unary(HOIST_TFLITE_SOFTMAX, layer);
    HOIST_TRY(put_large_factor(layers, used, &step, HOIST_SOFTMAX_MULTIPLIER));
    return hoist_quant_compute(layers, &step);
}

static hoist_status add_curve(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                              hoist_compute_op op, double scale_in)
{
    hoist_quant_step step = unary(op, layer);
    step.attrs.value[HOIST_LOGISTIC_ZERO_IN] = INTEGER(layer->x.zero);
    HOIST_TRY(put_factor(layers, scale_in * 0x1p27, &step, HOIST_LOGISTIC_MULTIPLIER)); // Q4.27
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_quant_logistic(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                  double scale_in)
{
    return add_curve(layers, layer, HOIST_TFLITE_LOGISTIC, scale_in);
}

hoist_status hoist_quant_tanh(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                              double scale_in)
{
    return add_curve(layers, layer, HOIST_TFLITE_TANH, scale_in);
}

hoist_status hoist_quant_resize(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                hoist_quant_corners corners)
{
    const bool is_real = layer->x.dtype == HOIST_DTYPE_F32;
    hoist_quant_step step =
        unary(is_real ? HOIST_TFLITE_RESIZE_BILINEAR_F32 : HOIST_TFLITE_RESIZE_BILINEAR, layer);
    step.attrs.value[HOIST_RESIZE_ALIGN_CORNERS] = INTEGER(corners.aligned);
    step.attrs.value[HOIST_RESIZE_HALF_PIXEL] = INTEGER(corners.half_pixel);
    return hoist_quant_compute(layers, &step);
}

// RELU and QUANTIZE with limits: k1 * x with k2 = 0 is the row that has both a factor and limits.
hoist_status hoist_quant_clamp(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                               double factor, hoist_quant_limits limits)
{
    const hoist_quant_weighted sum = {.pair = {layer->x, layer->x, layer->y, limits},
                                      .k1 = 1,
                                      .constant = -layer->x.zero,
                                      .factor = factor};
    return add_weighted(layers, &sum, HOIST_REQUANTIZE_DOUBLE);
}

// LEAKY_RELU is a PRELU whose slopes are all the number 1, so that the slope is in the factor.
hoist_status hoist_quant_leaky(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                               double factor, double slope_factor)
{
    static const uint8_t one[] = {1, 0}; // little-endian, of 1 or 2 bytes
    const hoist_shape scalar = {.rank = 0};
    const hoist_ref constant = hoist_quant_constant(
        layers, (hoist_bytes){one, hoist_dtype_get(layer->x.dtype)->bits == 16 ? 2U : 1U});
    const hoist_quant_pair pair = {.a = layer->x,
                                   .b = hoist_lower_view_dense(constant, layer->x.dtype, &scalar),
                                   .y = layer->y};
    return hoist_quant_prelu(layers, &pair, factor, slope_factor);
}

// Of concatenations; scales in float32, not by a multiplier.
hoist_status hoist_quant_rescale(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                 float factor)
{
    hoist_quant_step step = unary(HOIST_TFLITE_RESCALE, layer);
    step.attrs.value[HOIST_RESCALE_SCALE] = REAL(factor);
    step.attrs.value[HOIST_RESCALE_ZERO_IN] = INTEGER(layer->x.zero);
    step.attrs.value[HOIST_RESCALE_ZERO_OUT] = INTEGER(layer->y.zero);
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_quant_quantize(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                  float scale)
{
    hoist_quant_step step = unary(HOIST_TFLITE_QUANTIZE, layer);
    step.attrs.value[HOIST_QUANT_SCALE] = REAL(scale);
    step.attrs.value[HOIST_QUANT_ZERO] = INTEGER(layer->y.zero);
    return hoist_quant_compute(layers, &step);
}

hoist_status hoist_quant_dequantize(hoist_quant_layers *layers, const hoist_quant_unary *layer,
                                    float scale)
{
    hoist_quant_step step = unary(HOIST_TFLITE_DEQUANTIZE, layer);
    step.attrs.value[HOIST_QUANT_SCALE] = REAL(scale);
    step.attrs.value[HOIST_QUANT_ZERO] = INTEGER(layer->x.zero);
    return hoist_quant_compute(layers, &step);
}
