// Convolutions, dense layers and pools.
#include <assert.h>
#include <inttypes.h>
#include <math.h>

#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/tflite/state.h"

// Padding ---------------------------------------------------------------------------------------

// Rows or columns of one window operator; all are int32 of the file.
typedef struct axis {
    int64_t in, out;
    int64_t kernel, stride, dilation;
} axis;

// Rows (columns) before the image (kernels reference, section 3). All terms are products of two
// 32-bit numbers, so that nothing wraps in int64. An odd total has the larger half after the image.
static int64_t pad_before(int8_t padding, axis a)
{
    const int64_t effective = (a.kernel - 1) * a.dilation + 1;
    const int64_t total = (a.out - 1) * a.stride + effective - a.in;
    return padding == TFLITE_PADDING_SAME && total > 0 ? total / 2 : 0;
}

// Whether the output has the length that the reference gives it; strides of 0 fail here, too.
static bool has_length(int8_t padding, axis a)
{
    const int64_t effective = (a.kernel - 1) * a.dilation + 1;
    const int64_t extent = padding == TFLITE_PADDING_SAME ? a.in : a.in - effective + 1;
    return a.stride > 0 && extent > 0 && (extent + a.stride - 1) / a.stride == a.out;
}

// The window over x [N, H, W, C] to y [N, P, Q, O]: fills its pads; kernel, strides and dilations
// are set. False: this was reported.
static bool place_window(tflite_lower_job *j, const tflite_lower_op *op, int8_t padding,
                         const hoist_quant_unary *images, hoist_quant_window *window)
{
    const hoist_shape *x = &images->x.shape;
    const hoist_shape *y = &images->y.shape;
    if (x->rank != 4 || y->rank != 4) {
        return tflite_lower_misfit(j, RUN_030, op, "images of %d and %d dimensions, expected 4",
                                   x->rank, y->rank);
    }
    const axis down = {x->dim[1], y->dim[1], window->kernel_h, window->stride_h,
                       window->dilation_h};
    const axis across = {x->dim[2], y->dim[2], window->kernel_w, window->stride_w,
                         window->dilation_w};
    if (!has_length(padding, down) || !has_length(padding, across)) {
        return tflite_lower_misfit(j, RUN_030, op,
                                   "an output of %" PRId64 " x %" PRId64
                                   " is not what its windows over %" PRId64 " x %" PRId64 " give",
                                   y->dim[1], y->dim[2], x->dim[1], x->dim[2]);
    }
    window->pad_top = pad_before(padding, down);
    window->pad_left = pad_before(padding, across);
    return true;
}

// Sums of products ------------------------------------------------------------------------------

// How convolutions and dense layers differ in the order of their operands and dimensions.
typedef struct kind {
    int channel_axis;   // of the weights
    bool is_dense;      // its kernel looks at zero points of int8 weights, too
    bool is_transposed; // windows are of the output; input 0 is its shape
    int8_t activation;
} kind;

// Operands of one of them; borrowed values.
typedef struct tensors {
    const tflite_lower_value *x, *weights, *y;
    const tflite_lower_value *bias; // NULL: none
    int64_t channels;               // of the weights
} tensors;

// Kernels of int8 weights take their zero points for 0 (kernels reference 4.1); others than dense
// ones and uint8 are therefore refused when they are not. False: this was reported.
static bool check_zeros(tflite_lower_job *j, const tflite_lower_op *op, const kind *k,
                        const tflite_lower_value *weights, bool is_one)
{
    const hoist_bytes zeros = weights->tensor->quantization->zero_point;
    const bool looks = is_one && (k->is_dense || weights->view.dtype == HOIST_DTYPE_U8);
    for (size_t i = 0; !looks && i < hoist_fb_count(zeros, sizeof(int64_t)); i++) {
        if (hoist_fb_i64(zeros, i) != 0) {
            return tflite_lower_misfit(j, RUN_030, op,
                                       "the weights have zero point %" PRId64 ", expected 0",
                                       hoist_fb_i64(zeros, i));
        }
    }
    return true;
}

// Factors of the layer (kernels reference, section 3): where the weights have one scale, dense
// layers and those of uint8 have the product of the scales rounded to float32. False: reported.
static bool factors_of(tflite_lower_job *j, const tflite_lower_op *op, const kind *k,
                       const tensors *t, hoist_quant_scales *out_scales)
{
    const tflite_quantization *q = t->weights->tensor->quantization;
    const size_t count = q && q->details.type == 0 ? hoist_fb_count(q->scale, sizeof(float)) : 0;
    const bool is_one = count == 1;
    const bool rounds = is_one && (k->is_dense || t->x->view.dtype == HOIST_DTYPE_U8);
    float x = 0;
    float y = 0;
    if (!tflite_lower_scale(j, op, t->x, &x) || !tflite_lower_scale(j, op, t->y, &y)) {
        return false;
    }
    // A tensor of one scale per channel has it along the output channels, whose axis depends on the
    // kind.
    if (!is_one && (count == 0 || (int64_t)count != t->channels ||
                    q->quantized_dimension != k->channel_axis)) {
        return tflite_lower_misfit(
            j, RUN_030, op,
            "the weights have %zu scales, expected 1, or one for each of %" PRId64 " channels",
            count, t->channels);
    }
    double *factors = hoist_lower_array(j->c, count, sizeof *factors);
    for (size_t i = 0; factors && i < count; i++) {
        const float weight = hoist_fb_f32(q->scale, i);
        const double product = rounds ? (double)(x * weight) : (double)x * (double)weight;
        factors[i] = product / (double)y;
    }
    j->c->status = factors ? j->c->status : HOIST_NO_MEMORY; // out of memory is no misfit
    *out_scales = (hoist_quant_scales){factors, (uint32_t)count};
    return factors && check_zeros(j, op, k, t->weights, is_one);
}

static bool is_real(const hoist_lower_view *view)
{
    return view->dtype == HOIST_DTYPE_F32;
}

// The common start of all kinds: operands, factors and limits. False: this was reported.
static bool begin_products(tflite_lower_job *j, const tflite_lower_op *op, const kind *k,
                           tensors *out_tensors, hoist_quant_products *out_layer)
{
    tensors t = {.x = tflite_lower_input(j, op, k->is_transposed ? 2 : 0),
                 .weights = tflite_lower_input(j, op, 1),
                 .y = tflite_lower_output(j, op, 0)};
    const uint32_t bias = k->is_transposed ? 3 : 2;
    const bool has_bias = tflite_lower_has_input(op, bias);
    // An absent bias (-1, or a shorter list) is fine; one that cannot be held is not.
    t.bias = has_bias ? tflite_lower_input(j, op, bias) : NULL;
    if (!t.x || !t.weights || !t.y || (has_bias && !t.bias)) {
        return false;
    }
    const int rank = t.weights->view.shape.rank;
    if (rank != (k->is_dense ? 2 : 4)) {
        return tflite_lower_misfit(j, RUN_030, op, "weights of %d dimensions, expected %d", rank,
                                   k->is_dense ? 2 : 4);
    }
    t.channels = t.weights->view.shape.dim[k->channel_axis];
    *out_tensors = t;
    *out_layer = (hoist_quant_products){.x = t.x->view,
                                        .weights = t.weights->view,
                                        .y = t.y->view,
                                        .bias = t.bias ? &t.bias->view : NULL};
    return (is_real(&t.x->view) || factors_of(j, op, k, &t, &out_layer->scales)) &&
           tflite_lower_limits(j, op, k->activation, t.y, &out_layer->limits);
}

// The same of windows over images: layer->window has strides and dilations already, the rest comes
// from the weights. A transposed convolution is the window of its output over its input.
static bool begin_windows(tflite_lower_job *j, const tflite_lower_op *op, const kind *k,
                          int8_t padding, hoist_quant_products *layer)
{
    const hoist_quant_window given = layer->window;
    tensors t;
    if (!begin_products(j, op, k, &t, layer)) {
        return false;
    }
    // {wide image, narrow image}.
    const hoist_quant_unary images = {k->is_transposed ? layer->y : layer->x,
                                      k->is_transposed ? layer->x : layer->y};
    layer->window = given;
    layer->window.kernel_h = layer->weights.shape.dim[1];
    layer->window.kernel_w = layer->weights.shape.dim[2];
    return place_window(j, op, padding, &images, &layer->window);
}

// CONV_2D: weights [O, K, L, C].
void tflite_lower_conv(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_conv2d_options *o = op->options;
    const kind k = {.channel_axis = 0, .activation = o->fused_activation_function};
    hoist_quant_products layer = {.window = {.stride_h = o->stride_h,
                                             .stride_w = o->stride_w,
                                             .dilation_h = o->dilation_h_factor,
                                             .dilation_w = o->dilation_w_factor}};
    if (begin_windows(j, op, &k, o->padding, &layer) &&
        tflite_lower_symmetric(j, op, &layer.x, &layer.y)) {
        tflite_lower_end(j, op,
                         is_real(&layer.x)
                             ? hoist_plain_windows(&j->layers, HOIST_TFLITE_CONV_F32, &layer)
                             : hoist_quant_conv(&j->layers, &layer));
    }
}

// DEPTHWISE_CONV_2D: weights [1, K, L, O]; the multiplier follows from O and C.
void tflite_lower_depthwise(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_depthwise_conv2d_options *o = op->options;
    const kind k = {.channel_axis = 3, .activation = o->fused_activation_function};
    hoist_quant_products layer = {.window = {.stride_h = o->stride_h,
                                             .stride_w = o->stride_w,
                                             .dilation_h = o->dilation_h_factor,
                                             .dilation_w = o->dilation_w_factor}};
    if (begin_windows(j, op, &k, o->padding, &layer)) {
        tflite_lower_end(j, op,
                         is_real(&layer.x)
                             ? hoist_plain_windows(&j->layers, HOIST_TFLITE_DEPTHWISE_F32, &layer)
                             : hoist_quant_depthwise(&j->layers, &layer));
    }
}

// Leading dimensions are batches: [B, columns] of whatever shape the tensor has; false: its
// elements are no multiple of `columns`.
static bool flatten(const hoist_lower_view *view, int64_t columns, hoist_lower_view *out_view)
{
    const hoist_lower_view whole = *view;
    const hoist_shape shape = {.rank = 2,
                               .dim = {hoist_shape_count(&view->shape) / columns, columns}};
    return hoist_lower_view_reshape(&whole, &shape, out_view);
}

// FULLY_CONNECTED: weights [O, I].
void tflite_lower_dense(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_fully_connected_options *o = op->options;
    const kind k = {.is_dense = true, .activation = o->fused_activation_function};
    hoist_quant_products layer = {0};
    tensors t = {0};
    if (!begin_products(j, op, &k, &t, &layer)) {
        return;
    }
    assert(t.x && t.y);
    const int64_t *dim = layer.weights.shape.dim; // [O, I], none of them 0
    if (o->weights_format != 0 || !flatten(&t.x->view, dim[1], &layer.x) ||
        !flatten(&t.y->view, dim[0], &layer.y)) {
        tflite_lower_misfit(j, RUN_030, op, "%s",
                            o->weights_format != 0
                                ? "its weights are shuffled"
                                : "input and output are not rows for the weights");
        return;
    }
    tflite_lower_end(j, op,
                     is_real(&layer.x) ? hoist_plain_dense(&j->layers, &layer)
                                       : hoist_quant_matrix(&j->layers, &layer));
}

// Input 0 states the shape of the output, as a constant or as a tensor that the run checks. False:
// it states another one, which was reported.
static bool has_shape(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    tflite_lower_numbers dims;
    if (y && !tflite_lower_is_constant(j, op, 0)) {
        return tflite_lower_expect_shape(j, op, 0, &y->view.shape);
    }
    if (!y || !tflite_lower_numbers_of(j, op, 0, &dims)) {
        return false;
    }
    bool fits = (int)dims.count == y->view.shape.rank;
    for (uint32_t i = 0; fits && i < dims.count; i++) {
        fits = dims.items[i] == y->view.shape.dim[i];
    }
    return fits ||
           tflite_lower_misfit(j, RUN_030, op, "the output has another shape than input 0 says");
}

// TRANSPOSE_CONV: inputs are shape, weights, data and bias.
void tflite_lower_transpose_conv(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_transpose_conv_options *o = op->options;
    const kind k = {
        .channel_axis = 0, .is_transposed = true, .activation = o->fused_activation_function};
    hoist_quant_products layer = {
        .window = {
            .stride_h = o->stride_h, .stride_w = o->stride_w, .dilation_h = 1, .dilation_w = 1}};
    if (has_shape(j, op) && begin_windows(j, op, &k, o->padding, &layer) &&
        tflite_lower_symmetric(j, op, &layer.x, &layer.y)) {
        tflite_lower_end(
            j, op,
            is_real(&layer.x)
                ? hoist_plain_windows(&j->layers, HOIST_TFLITE_TRANSPOSE_CONV_F32, &layer)
                : hoist_quant_transpose(&j->layers, &layer));
    }
}

// Pools -----------------------------------------------------------------------------------------

// Average and maximum are computed on stored numbers, so x and y need one scale and zero point; the
// runtime's tolerance is 1e-6.
static bool has_one_scale(tflite_lower_job *j, const tflite_lower_op *op,
                          const tflite_lower_value *x, const tflite_lower_value *y)
{
    float from = 0;
    float to = 0;
    if (!tflite_lower_scale(j, op, x, &from) || !tflite_lower_scale(j, op, y, &to)) {
        return false;
    }
    if (fabsf(from - to) > 1.0e-6F || x->view.zero != y->view.zero) {
        return tflite_lower_misfit(j, RUN_030, op,
                                   "input and output are quantised in different ways");
    }
    return true;
}

// AVERAGE_POOL_2D and MAX_POOL_2D; L2_POOL_2D has no row.
void tflite_lower_pool(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_pool2d_options *o = op->options;
    const tflite_lower_value *x = tflite_lower_input(j, op, 0);
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    if (!x || !y || (!is_real(&x->view) && !has_one_scale(j, op, x, y))) {
        return;
    }
    const hoist_quant_unary images = {x->view, y->view};
    hoist_quant_pool layer = {.x = x->view,
                              .y = y->view,
                              .window = {.kernel_h = o->filter_height,
                                         .kernel_w = o->filter_width,
                                         .stride_h = o->stride_h,
                                         .stride_w = o->stride_w,
                                         .dilation_h = 1,
                                         .dilation_w = 1},
                              .is_max = op->code == TFLITE_OP_MAX_POOL_2D};
    if (place_window(j, op, o->padding, &images, &layer.window) &&
        tflite_lower_limits(j, op, o->fused_activation_function, y, &layer.limits)) {
        tflite_lower_end(j, op, hoist_quant_add_pool(&j->layers, &layer));
    }
}
