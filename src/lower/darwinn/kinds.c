// Each kind of recovered layer as steps of lower/quant.h and quant_plain.h (darwinn reference
// sections 16.4 to 16.7). In: a dwn_recovered and the tensors of its inputs. Out: steps that write
// `y`, or the reason in steps.why. layers.c is the caller, values.c has the tensors.
#include <inttypes.h>
#include <math.h>

#include "base/reader.h"
#include "lower/darwinn/layers.h"
#include "lower/quant_plain.h"
#include "lower/quant_steps.h"

enum { MOST_EXTENT = 1 << 20 }; // rows or columns of a tensor that is made for padding

// Clamps of a layer are floats in steps of its output, zero point not counted, as limits are.
static hoist_quant_limits limits_of(const dwn_recovered *layer)
{
    return (hoist_quant_limits){(double)layer->low, (double)layer->high};
}

static hoist_quant_window window_of(const dwn_recovered *layer)
{
    return (hoist_quant_window){.kernel_h = layer->kernel[0],
                                .kernel_w = layer->kernel[1],
                                .stride_h = layer->stride[0],
                                .stride_w = layer->stride[1],
                                .pad_top = layer->padding[0],
                                .pad_left = layer->padding[1],
                                .dilation_h = layer->dilation[0],
                                .dilation_w = layer->dilation[1]};
}

// Sums of products ------------------------------------------------------------------------------

// The zero point of all weights. The steps have one for all rows; a layer with several is refused.
static hoist_status weight_zero_of(darwinn_lower_lift *l, const dwn_recovered *layer,
                                   uint8_t *out_zero)
{
    const uint8_t *zeros = layer->weight_zeros;
    *out_zero = zeros ? zeros[0] : layer->weight_zero;
    for (uint32_t i = 0; zeros && i < layer->rows; i++) {
        if (zeros[i] != zeros[0]) {
            return hoist_quant_refuse(&l->steps,
                                      "weights of channel %" PRIu32 " have zero point %u, those "
                                      "of channel 0 have %u",
                                      i, zeros[i], zeros[0]);
        }
    }
    return HOIST_OK;
}

// The weights as a constant of the type of hidden tensors; int8 has the top bit flipped.
static hoist_status put_weights(darwinn_lower_lift *l, const dwn_recovered *layer,
                                const hoist_shape *shape, hoist_lower_view *out_view)
{
    uint8_t zero = 0;
    const size_t size = (size_t)layer->weight_count;
    // The shape comes from the layer's extents, the count from its block: hostile files differ.
    if (hoist_shape_count(shape) != (int64_t)layer->weight_count) {
        return hoist_quant_refuse(
            &l->steps, "it has %" PRIu64 " weights, its input and output expect %" PRId64,
            layer->weight_count, hoist_shape_count(shape));
    }
    HOIST_TRY(weight_zero_of(l, layer, &zero));
    hoist_bytes bytes = {layer->weights, size};
    if (l->is_signed) {
        uint8_t *flipped = hoist_lower_array(l->steps.c, size, 1);
        if (!flipped) {
            return HOIST_NO_MEMORY;
        }
        for (size_t i = 0; i < size; i++) {
            flipped[i] = layer->weights[i] ^ 0x80;
        }
        bytes.data = flipped;
    }
    *out_view = hoist_lower_view_dense(hoist_quant_constant(&l->steps, bytes),
                                       l->is_signed ? HOIST_DTYPE_I8 : HOIST_DTYPE_U8, shape);
    out_view->zero = zero - (l->is_signed ? 128 : 0);
    return HOIST_OK;
}

// The bias as a constant of int32; NULL: out of memory.
static const hoist_lower_view *put_bias(darwinn_lower_lift *l, const dwn_recovered *layer,
                                        hoist_lower_view *out_bias)
{
    uint8_t *bytes = hoist_lower_array(l->steps.c, layer->rows, sizeof(int32_t));
    for (uint32_t i = 0; bytes && i < layer->rows; i++) {
        hoist_store_u32le(bytes + i * sizeof(int32_t), (uint32_t)layer->bias[i]);
    }
    if (!bytes) {
        return NULL;
    }
    const hoist_shape shape = {.rank = 1, .dim = {layer->rows}};
    const hoist_bytes all = {bytes, layer->rows * sizeof(int32_t)};
    *out_bias =
        hoist_lower_view_dense(hoist_quant_constant(&l->steps, all), HOIST_DTYPE_I32, &shape);
    return out_bias;
}

// One factor, or one for each row. NULL: out of memory.
static const double *factors_of(darwinn_lower_lift *l, const dwn_recovered *layer)
{
    const uint32_t count = layer->multipliers ? layer->rows : 1;
    double *factors = hoist_lower_array(l->steps.c, count, sizeof *factors);
    for (uint32_t i = 0; factors && i < count; i++) {
        factors[i] = (double)(layer->multipliers ? layer->multipliers[i] : layer->multiplier);
    }
    return factors;
}

// What all products have: weights of this shape, bias, factors and limits. x and y are the
// caller's. HOIST_NO_MEMORY, or the reason.
static hoist_status products_of(darwinn_lower_lift *l, const dwn_recovered *layer,
                                const hoist_shape *shape, hoist_lower_view *bias,
                                hoist_quant_products *out)
{
    *out = (hoist_quant_products){.window = window_of(layer), .limits = limits_of(layer)};
    HOIST_TRY(put_weights(l, layer, shape, &out->weights));
    out->bias = layer->bias ? put_bias(l, layer, bias) : NULL;
    out->scales = (hoist_quant_scales){factors_of(l, layer), layer->multipliers ? layer->rows : 1};
    return out->scales.factors && (out->bias || !layer->bias) ? HOIST_OK : HOIST_NO_MEMORY;
}

// Copies x into y after so many rows and columns; the rest of y is filled with the zero point.
static hoist_status put_inside(darwinn_lower_lift *l, const hoist_lower_view *x,
                               const uint32_t before[2], const hoist_lower_view *y)
{
    enum { ROWS = 1 }; // the first of both axes
    hoist_quant_unary copy = {.x = *x, .y = *y};
    for (int i = 0; i < 2; i++) {
        const hoist_lower_range range = {before[i], 1, x->shape.dim[ROWS + i]};
        if (range.begin + range.count > y->shape.dim[ROWS + i]) {
            return hoist_quant_refuse(&l->steps, "its input does not fit into its output");
        }
        copy.y = hoist_lower_view_part(&copy.y, ROWS + i, range);
    }
    HOIST_TRY(hoist_quant_fill(&l->steps, y));
    return hoist_quant_copy(&l->steps, &copy);
}

// The input of a layer's windows. The steps need windows that all meet the image; where some lie in
// the padding alone, the image is copied into a larger one first, and no padding is left.
static hoist_status put_input(darwinn_lower_lift *l, const dwn_recovered *layer,
                              hoist_quant_products *products)
{
    const uint32_t in[2] = {layer->input.h, layer->input.w};
    const uint32_t out[2] = {layer->output.h, layer->output.w};
    int64_t around[2];
    bool meets = true;
    for (size_t i = 0; i < 2; i++) {
        // From the first tap to the last.
        const int64_t reach = (int64_t)(layer->kernel[i] - 1) * layer->dilation[i];
        // Where the last window begins.
        const int64_t last = ((int64_t)out[i] - 1) * layer->stride[i];
        const int64_t end = (int64_t)layer->padding[i] + in[i];
        around[i] = last + reach + 1 > end ? last + reach + 1 : end;
        meets = meets && layer->padding[i] <= reach && last < end;
    }
    products->x = darwinn_lower_input(l, layer, 0, layer->input_zero);
    if (meets) {
        return HOIST_OK;
    }
    if (around[0] > MOST_EXTENT || around[1] > MOST_EXTENT) {
        return hoist_quant_refuse(&l->steps, "its padding is too large");
    }
    const dwn_extent extent = {(uint32_t)around[0], (uint32_t)around[1], layer->input.c};
    const hoist_lower_view whole = darwinn_lower_hidden(l, extent, layer->input_zero);
    HOIST_TRY(put_inside(l, &products->x, layer->padding, &whole));
    products->x = whole;
    products->window.pad_top = products->window.pad_left = 0;
    return HOIST_OK;
}

static hoist_status lift_conv(darwinn_lower_lift *l, const dwn_recovered *layer,
                              const hoist_lower_view *y)
{
    const hoist_shape shape = {
        .rank = 4, .dim = {layer->rows, layer->kernel[0], layer->kernel[1], layer->input.c}};
    hoist_lower_view bias;
    hoist_quant_products products;
    HOIST_TRY(products_of(l, layer, &shape, &bias, &products));
    HOIST_TRY(put_input(l, layer, &products));
    products.y = *y;
    return hoist_quant_conv(&l->steps, &products);
}

static hoist_status lift_depthwise(darwinn_lower_lift *l, const dwn_recovered *layer,
                                   const hoist_lower_view *y)
{
    const hoist_shape shape = {.rank = 4,
                               .dim = {1, layer->kernel[0], layer->kernel[1], layer->rows}};
    hoist_lower_view bias;
    hoist_quant_products products;
    HOIST_TRY(products_of(l, layer, &shape, &bias, &products));
    HOIST_TRY(put_input(l, layer, &products));
    products.y = *y;
    return hoist_quant_depthwise(&l->steps, &products);
}

// The input is one row: channels innermost, as in the chip's order.
static hoist_status lift_dense(darwinn_lower_lift *l, const dwn_recovered *layer,
                               const hoist_lower_view *y)
{
    const hoist_lower_view x = darwinn_lower_input(l, layer, 0, layer->input_zero);
    const int64_t inputs = hoist_shape_count(&x.shape);
    const hoist_shape shapes[] = {{.rank = 2, .dim = {layer->rows, inputs}},
                                  {.rank = 2, .dim = {1, inputs}},
                                  {.rank = 2, .dim = {1, layer->rows}}};
    hoist_lower_view bias;
    hoist_quant_products products;
    HOIST_TRY(products_of(l, layer, &shapes[0], &bias, &products));
    if (!hoist_lower_view_reshape(&x, &shapes[1], &products.x) ||
        !hoist_lower_view_reshape(y, &shapes[2], &products.y)) {
        return hoist_quant_refuse(&l->steps, "its output is no row of numbers");
    }
    return hoist_quant_matrix(&l->steps, &products);
}

// Two inputs ------------------------------------------------------------------------------------

// An input as wide as the output. Recovery may have found channels at the end of a producer to be
// padding; they are put back, with the zero point, which adds nothing.
static hoist_status widen(darwinn_lower_lift *l, const dwn_recovered *layer, uint32_t index,
                          uint8_t zero, hoist_lower_view *out_view)
{
    const hoist_lower_view x = darwinn_lower_input(l, layer, index, zero);
    const int64_t channels = x.shape.dim[3];
    *out_view = x;
    if (channels >= (int64_t)layer->output.c) {
        return HOIST_OK;
    }
    *out_view = darwinn_lower_hidden(l, layer->output, zero);
    const hoist_lower_range real = {0, 1, channels};
    const hoist_lower_range rest = {channels, 1, (int64_t)layer->output.c - channels};
    const hoist_quant_unary copy = {x, hoist_lower_view_part(out_view, 3, real)};
    const hoist_lower_view empty = hoist_lower_view_part(out_view, 3, rest);
    HOIST_TRY(hoist_quant_fill(&l->steps, &empty));
    return hoist_quant_copy(&l->steps, &copy);
}

// Inputs are widened in turn; both have the output's rows and columns.
static hoist_status pair_of(darwinn_lower_lift *l, const dwn_recovered *layer,
                            const hoist_lower_view *y, hoist_quant_pair *out_pair)
{
    *out_pair = (hoist_quant_pair){.y = *y, .limits = limits_of(layer)};
    HOIST_TRY(widen(l, layer, 0, layer->input_zero, &out_pair->a));
    return widen(l, layer, 1, layer->second_zero, &out_pair->b);
}

static hoist_status lift_add(darwinn_lower_lift *l, const dwn_recovered *layer,
                             const hoist_lower_view *y)
{
    hoist_quant_weighted sum = {.k1 = layer->factors[0],
                                .k2 = layer->factors[1],
                                .constant = layer->constant,
                                .factor = (double)layer->multiplier};
    if (l->is_signed) { // the constant is of unsigned numbers
        sum.constant += 128 * (sum.k1 + sum.k2);
    }
    HOIST_TRY(pair_of(l, layer, y, &sum.pair));
    return hoist_quant_add_weighted(&l->steps, &sum);
}

static hoist_status lift_multiply(darwinn_lower_lift *l, const dwn_recovered *layer,
                                  const hoist_lower_view *y)
{
    hoist_quant_pair pair;
    HOIST_TRY(pair_of(l, layer, y, &pair));
    return hoist_quant_multiply(&l->steps, &pair, (double)layer->multiplier);
}

// One input -------------------------------------------------------------------------------------

// The sum of a window as the device has it: a depthwise product with weights of 1, scaled and
// rounded as all products are.
static hoist_status lift_average(darwinn_lower_lift *l, const dwn_recovered *layer,
                                 const hoist_quant_pool *pool)
{
    static const uint8_t one = 1;
    const hoist_shape single = {.rank = 1, .dim = {1}};
    const hoist_shape window = {.rank = 4,
                                .dim = {1, layer->kernel[0], layer->kernel[1], layer->output.c}};
    const hoist_lower_view ones = hoist_lower_view_dense(
        hoist_quant_constant(&l->steps, (hoist_bytes){&one, sizeof one}), pool->x.dtype, &single);
    hoist_quant_products products = {.x = pool->x,
                                     .y = pool->y,
                                     .window = pool->window,
                                     .scales = {factors_of(l, layer), 1},
                                     .limits = pool->limits};
    if (!hoist_lower_view_broadcast(&ones, &window, &products.weights)) {
        return HOIST_INTERNAL;
    }
    return products.scales.factors ? hoist_quant_depthwise(&l->steps, &products) : HOIST_NO_MEMORY;
}

// A pool of all rows and columns that clamps nothing: TFLite's MEAN over both, which may give
// another scale and zero point.
static bool is_mean(const dwn_recovered *layer, const hoist_quant_pool *pool)
{
    const hoist_quant_limits all = hoist_quant_all(&pool->y);
    return layer->kernel[0] == layer->input.h && layer->kernel[1] == layer->input.w &&
           layer->output.h == 1 && layer->output.w == 1 && pool->limits.low <= all.low &&
           pool->limits.high >= all.high;
}

static hoist_status lift_pool(darwinn_lower_lift *l, const dwn_recovered *layer,
                              const hoist_lower_view *y)
{
    const double nearly = 1e-4; // float32 factors of 1 / taps
    const double ratio =
        (double)layer->multiplier * (double)layer->kernel[0] * (double)layer->kernel[1];
    const hoist_quant_pool pool = {.x = darwinn_lower_input(l, layer, 0, layer->input_zero),
                                   .y = *y,
                                   .window = window_of(layer),
                                   .limits = limits_of(layer)};
    const bool is_rescaled = !(fabs(ratio - 1) < nearly) || layer->input_zero != layer->output_zero;
    if (is_rescaled && is_mean(layer, &pool)) {
        const hoist_quant_unary images = {pool.x, pool.y};
        return l->steps.requantization == HOIST_REQUANTIZE_FLOAT
                   ? lift_average(l, layer, &pool)
                   : hoist_quant_mean(&l->steps, &images, ratio);
    }
    if (is_rescaled) {
        return hoist_quant_refuse(&l->steps,
                                  "it takes numbers of scale %g and zero point %u to those of "
                                  "scale 1 and zero point %u",
                                  ratio, layer->input_zero, layer->output_zero);
    }
    return l->steps.requantization == HOIST_REQUANTIZE_FLOAT
               ? lift_average(l, layer, &pool)
               : hoist_quant_add_pool(&l->steps, &pool);
}

// Maxima are of stored numbers: one zero point, and no scale.
static hoist_status lift_max_pool(darwinn_lower_lift *l, const dwn_recovered *layer,
                                  const hoist_lower_view *y)
{
    const hoist_quant_pool pool = {.x = darwinn_lower_input(l, layer, 0, layer->input_zero),
                                   .y = *y,
                                   .window = window_of(layer),
                                   .limits = limits_of(layer),
                                   .is_max = true};
    if (layer->input_zero != layer->output_zero) {
        return hoist_quant_refuse(&l->steps, "its output has another zero point than its input");
    }
    return hoist_quant_add_pool(&l->steps, &pool);
}

// The chip's softmax has the scale 1/256 and zero point 0 of TFLite's.
static hoist_status lift_softmax(darwinn_lower_lift *l, const dwn_recovered *layer,
                                 const hoist_lower_view *y)
{
    const hoist_lower_view x = darwinn_lower_input(l, layer, 0, layer->input_zero);
    const hoist_shape row = {.rank = 1, .dim = {hoist_shape_count(&x.shape)}};
    hoist_quant_unary flat;
    if (!hoist_lower_view_reshape(&x, &row, &flat.x) ||
        !hoist_lower_view_reshape(y, &row, &flat.y) || layer->output_zero != 0) {
        return hoist_quant_refuse(&l->steps, "its output has another size or zero point than a "
                                             "softmax gives");
    }
    if (!(layer->scale > 0)) {
        return hoist_quant_refuse(&l->steps, "the scale of its input was not found");
    }
    return hoist_quant_softmax(&l->steps, &flat, (double)layer->scale);
}

// Only upsampling by 2 is recovered, which samples pixel centres.
static hoist_status lift_upsample(darwinn_lower_lift *l, const dwn_recovered *layer,
                                  const hoist_lower_view *y)
{
    const hoist_quant_unary unary = {darwinn_lower_input(l, layer, 0, layer->input_zero), *y};
    return hoist_quant_resize(&l->steps, &unary, (hoist_quant_corners){.half_pixel = true});
}

// Every pixel is repeated equally often, so ties between two nearest pixels do not occur.
static hoist_status lift_nearest(darwinn_lower_lift *l, const dwn_recovered *layer,
                                 const hoist_lower_view *y)
{
    const hoist_quant_unary unary = {darwinn_lower_input(l, layer, 0, layer->input_zero), *y};
    return hoist_plain_nearest(&l->steps, &unary, (hoist_quant_corners){.half_pixel = false});
}

// GATHER and CONCATENATION: all elements of all inputs, one after the other; those of images along
// the channels, unless they are rows of the output.
static hoist_status lift_join(darwinn_lower_lift *l, const dwn_recovered *layer,
                              const hoist_lower_view *y)
{
    const bool is_image = !layer->is_in_rows && (layer->output.h > 1 || layer->output.w > 1);
    const hoist_shape row = {.rank = 1, .dim = {hoist_shape_count(&y->shape)}};
    hoist_lower_view all = *y;
    const int axis = is_image ? y->shape.rank - 1 : 0;
    int64_t at = 0;
    if (!is_image && !hoist_lower_view_reshape(y, &row, &all)) {
        return hoist_quant_refuse(&l->steps, "its output does not lie in a row");
    }
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const hoist_lower_view x = darwinn_lower_input(l, layer, i, layer->input_zero);
        const int64_t count = is_image ? x.shape.dim[axis] : hoist_shape_count(&x.shape);
        if (count > all.shape.dim[axis] - at) {
            return hoist_quant_refuse(&l->steps, "it has fewer elements than its inputs");
        }
        const hoist_quant_unary copy = {
            x, hoist_lower_view_part(&all, axis, (hoist_lower_range){at, 1, count})};
        HOIST_TRY(hoist_quant_copy(&l->steps, &copy));
        at += count;
    }
    return at == all.shape.dim[axis] // every element is written once
               ? HOIST_OK
               : hoist_quant_refuse(&l->steps, "it has more elements than its inputs");
}

static hoist_status lift_pad(darwinn_lower_lift *l, const dwn_recovered *layer,
                             const hoist_lower_view *y)
{
    const hoist_lower_view x = darwinn_lower_input(l, layer, 0, layer->input_zero);
    return put_inside(l, &x, layer->padding, y);
}

// The output as an image of the exchanged axes, and with these as the input has them.
static hoist_status lift_transpose(darwinn_lower_lift *l, const dwn_recovered *layer,
                                   const hoist_lower_view *y)
{
    enum { RANK = 4 };
    const hoist_lower_view x = darwinn_lower_input(l, layer, 0, layer->input_zero);
    hoist_shape shape = {.rank = RANK, .dim = {1}};
    int axes[HOIST_MAX_RANK] = {0};
    for (uint32_t i = 1; i < RANK; i++) {
        const uint32_t axis = 1 + dwn_order_axis(layer->order, i - 1);
        shape.dim[i] = x.shape.dim[axis];
        axes[axis] = (int)i;
    }
    hoist_quant_unary copy = {.x = x};
    if (!hoist_lower_view_reshape(y, &shape, &copy.y)) {
        return hoist_quant_refuse(&l->steps, "its output has another size than its input");
    }
    copy.y = hoist_lower_view_permute(&copy.y, axes);
    return hoist_quant_copy(&l->steps, &copy);
}

// Channels of each pixel, from one on.
static hoist_status lift_slice(darwinn_lower_lift *l, const dwn_recovered *layer,
                               const hoist_lower_view *y)
{
    const hoist_lower_view x = darwinn_lower_input(l, layer, 0, layer->input_zero);
    const int axis = x.shape.rank - 1;
    const hoist_lower_range range = {layer->first, 1, layer->output.c};
    if (range.count > x.shape.dim[axis] - range.begin) {
        return hoist_quant_refuse(&l->steps, "its channels are beyond those of its input");
    }
    hoist_quant_unary copy = {.x = hoist_lower_view_part(&x, axis, range)};
    if (!hoist_lower_view_reshape(y, &copy.x.shape, &copy.y)) {
        return hoist_quant_refuse(&l->steps, "its output has another size than its channels");
    }
    return hoist_quant_copy(&l->steps, &copy);
}

// The factor is scale in / scale out, as in the file.
static hoist_status lift_quantize(darwinn_lower_lift *l, const dwn_recovered *layer,
                                  const hoist_lower_view *y)
{
    const hoist_quant_unary unary = {darwinn_lower_input(l, layer, 0, layer->input_zero), *y};
    return hoist_quant_requantize(&l->steps, &unary, (double)layer->multiplier);
}

// The chip's table has 256 steps from 0 to 1: TFLite's scale and zero point.
static hoist_status lift_logistic(darwinn_lower_lift *l, const dwn_recovered *layer,
                                  const hoist_lower_view *y)
{
    const hoist_quant_unary unary = {darwinn_lower_input(l, layer, 0, layer->input_zero), *y};
    if (layer->output_zero != 0) {
        return hoist_quant_refuse(&l->steps, "its output has another zero point than a logistic's");
    }
    return hoist_quant_logistic(&l->steps, &unary, (double)layer->multiplier);
}

// A layer that is known to exist, but not what it does: an opaque step from its input to its
// output.
static hoist_status lift_unknown(darwinn_lower_lift *l, const dwn_recovered *layer,
                                 const hoist_lower_view *y)
{
    const hoist_lower_view x = darwinn_lower_input(l, layer, 0, layer->input_zero);
    return darwinn_lower_opaque(l, layer->word_count ? layer->words : NULL, &x, 1, y);
}

// The table -------------------------------------------------------------------------------------

// Adds a layer's steps; the table has checked the number of inputs.
typedef hoist_status lift_fn(darwinn_lower_lift *l, const dwn_recovered *layer,
                             const hoist_lower_view *y);

static const struct {
    lift_fn *lift;   // NULL: never in the list
    uint32_t inputs; // at least
} kinds[DWN_KIND_COUNT] = {
    [DWN_KIND_UNKNOWN] = {lift_unknown, 1},     [DWN_KIND_CONVOLUTION] = {lift_conv, 1},
    [DWN_KIND_DEPTHWISE] = {lift_depthwise, 1}, [DWN_KIND_DENSE] = {lift_dense, 1},
    [DWN_KIND_AVERAGE_POOL] = {lift_pool, 1},   [DWN_KIND_ADD] = {lift_add, 2},
    [DWN_KIND_MULTIPLY] = {lift_multiply, 2},   [DWN_KIND_SOFTMAX] = {lift_softmax, 1},
    [DWN_KIND_UPSAMPLE] = {lift_upsample, 1},   [DWN_KIND_GATHER] = {lift_join, 1},
    [DWN_KIND_CONCATENATION] = {lift_join, 1},  [DWN_KIND_PAD] = {lift_pad, 1},
    [DWN_KIND_MAX_POOL] = {lift_max_pool, 1},   [DWN_KIND_QUANTIZE] = {lift_quantize, 1},
    [DWN_KIND_LOGISTIC] = {lift_logistic, 1},   [DWN_KIND_NEAREST] = {lift_nearest, 1},
    [DWN_KIND_TRANSPOSE] = {lift_transpose, 1}, [DWN_KIND_SLICE] = {lift_slice, 1},
};

// Kinds are those of the recovery's table (recover_kinds.inc); gaps have none.
hoist_status darwinn_lower_layer(darwinn_lower_lift *l, const dwn_recovered *layer,
                                 const hoist_lower_view *y)
{
    if (!kinds[layer->kind].lift || layer->input_count < kinds[layer->kind].inputs) {
        return hoist_quant_refuse(&l->steps, "it has %" PRIu32 " inputs, expected %" PRIu32,
                                  layer->input_count, kinds[layer->kind].inputs);
    }
    return kinds[layer->kind].lift(l, layer, y);
}
