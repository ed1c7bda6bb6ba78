// Operators on whole images: resizing, and means.
#include <inttypes.h>
#include <math.h>

#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/tflite/state.h"

// Resizing --------------------------------------------------------------------------------------

// An image and its resized one. The second input states rows and columns, which have to be the
// output's; false: this was reported.
static bool images_of(tflite_lower_job *j, const tflite_lower_op *op, hoist_quant_unary *out_images)
{
    tflite_lower_numbers size;
    if (!tflite_lower_unary(j, op, out_images) || !tflite_lower_numbers_of(j, op, 1, &size)) {
        return false;
    }
    const hoist_shape *y = &out_images->y.shape;
    if (size.count != 2 || y->rank != 4 || size.items[0] != y->dim[1] ||
        size.items[1] != y->dim[2]) {
        return tflite_lower_misfit(j, RUN_030, op, "the size is not that of the output");
    }
    return true;
}

// True while steps may be added after this one.
static bool end(tflite_lower_job *j, const tflite_lower_op *op, hoist_status status)
{
    tflite_lower_end(j, op, status);
    return status == HOIST_OK;
}

// TFLite resizes uint8 in float32 and rounds by adding a half before it truncates; int8 has a
// kernel in integers (kernels reference 4.10). Four steps: widen, resize, add 0.5, narrow.
static void resize_unsigned(tflite_lower_job *j, const tflite_lower_op *op,
                            const hoist_quant_unary *images, hoist_quant_corners corners)
{
    const hoist_lower_view from =
        tflite_lower_scratch(j, "numbers", HOIST_DTYPE_F32, &images->x.shape);
    const hoist_lower_view to =
        tflite_lower_scratch(j, "numbers", HOIST_DTYPE_F32, &images->y.shape);
    const hoist_quant_unary layers[] = {{images->x, from}, {from, to}, {to, to}, {to, images->y}};
    if (end(j, op, hoist_plain_unary(&j->layers, HOIST_TFLITE_CAST, &layers[0])) &&
        end(j, op, hoist_quant_resize(&j->layers, &layers[1], corners)) &&
        end(j, op, hoist_plain_number(&j->layers, HOIST_TFLITE_ADD_F32, 0.5F, &layers[2]))) {
        (void)end(j, op, hoist_plain_unary(&j->layers, HOIST_TFLITE_CAST, &layers[3]));
    }
}

// RESIZE_BILINEAR.
void tflite_lower_resize(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_resize_bilinear_options *options = op->options;
    const hoist_quant_corners corners = {options->align_corners, options->half_pixel_centers};
    hoist_quant_unary images;
    if (!images_of(j, op, &images)) {
        return;
    }
    if (images.x.dtype == HOIST_DTYPE_U8 && images.y.dtype == HOIST_DTYPE_U8) {
        resize_unsigned(j, op, &images, corners);
    } else {
        tflite_lower_end(j, op, hoist_quant_resize(&j->layers, &images, corners));
    }
}

// RESIZE_NEAREST_NEIGHBOR copies elements, so any type will do.
void tflite_lower_nearest(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_resize_nearest_options *options = op->options;
    const hoist_quant_corners corners = {options->align_corners, options->half_pixel_centers};
    hoist_quant_unary images;
    if (images_of(j, op, &images)) {
        tflite_lower_end(j, op, hoist_plain_nearest(&j->layers, &images, corners));
    }
}

// Means -----------------------------------------------------------------------------------------

// MEAN over rows and columns of [N, H, W, C]; other axes are refused. `*out_plain`: both axes are
// there once each, counted from the first, as is_own() requires.
static bool is_over_images(tflite_lower_job *j, const tflite_lower_op *op,
                           const hoist_quant_unary *layer, bool *out_plain)
{
    tflite_lower_numbers axes;
    unsigned over = 0;
    *out_plain = true;
    if (!tflite_lower_numbers_of(j, op, 1, &axes)) {
        return false;
    }
    for (uint32_t i = 0; i < axes.count; i++) {
        const int axis = tflite_lower_axis(j, op, tflite_lower_input(j, op, 0), axes.items[i]);
        if (axis < 0) {
            return false;
        }
        over |= 1U << axis;
        *out_plain = *out_plain && axes.count == 2 && axes.items[i] >= 0;
    }
    if (layer->x.shape.rank != 4 || over != (1U << 1 | 1U << 2)) {
        return tflite_lower_misfit(j, RUN_030, op, "a mean over other axes than 1 and 2 of 4");
    }
    return true;
}

// Whether TFLite's optimised kernel computes the mean: with keep_dims alone, and for axes that are
// written as 1 and 2. Elsewhere its interpreter runs the reference.
static bool is_own(const tflite_lower_job *j, const tflite_lower_op *op, bool is_plain)
{
    const tflite_reducer_options *options = op->options;
    return j->layers.requantization == HOIST_REQUANTIZE_SINGLE && options->keep_dims && is_plain;
}

// Integers have a factor of their own; of float32 the mean is an average pool of the image.
void tflite_lower_mean(tflite_lower_job *j, const tflite_lower_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    bool is_plain = false;
    if (!tflite_lower_unary(j, op, &layer) || !is_over_images(j, op, &layer, &is_plain)) {
        return;
    }
    // Without keep_dims the output is the same numbers as [N, C].
    const int64_t *dim = layer.x.shape.dim;
    const hoist_shape shape = {.rank = 4, .dim = {dim[0], 1, 1, dim[3]}};
    const hoist_lower_view whole = layer.y;
    if (!hoist_lower_view_reshape(&whole, &shape, &layer.y)) {
        layer.y = whole; // does not fit, which the row says
    }
    if (layer.x.dtype == HOIST_DTYPE_F32) { // a pool of the complete image
        const hoist_quant_pool pool = {
            .x = layer.x,
            .y = layer.y,
            .window = {.kernel_h = dim[1], .kernel_w = dim[2], .stride_h = 1, .stride_w = 1},
            .limits = {-(double)INFINITY, (double)INFINITY}};
        tflite_lower_end(j, op, hoist_quant_add_pool(&j->layers, &pool));
    } else if (tflite_lower_scales(j, op, &x, &y)) {
        tflite_lower_end(j, op,
                         is_own(j, op, is_plain)
                             ? hoist_quant_mean_single(&j->layers, &layer, x, y)
                             : hoist_quant_mean(&j->layers, &layer, (double)x / (double)y));
    }
}
