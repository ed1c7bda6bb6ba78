// Operators on whole images: resizing, and means.
#include <inttypes.h>

#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/tflite_lower.h"

// Resizing --------------------------------------------------------------------------------------

// An image and its resized one, which is as large as the second input says; false: reported.
static bool images_of(hoist_tflite_job *j, const hoist_tflite_op *op, hoist_quant_unary *out_images)
{
    hoist_tflite_numbers size;
    if (!hoist_tflite_unary(j, op, out_images) || !hoist_tflite_numbers_of(j, op, 1, &size)) {
        return false;
    }
    const hoist_shape *y = &out_images->y.shape;
    if (size.count != 2 || y->rank != 4 || size.items[0] != y->dim[1] ||
        size.items[1] != y->dim[2]) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s): the size is not that of the output",
                            op->index, HOIST_STR_ARGS(op->name));
        return false;
    }
    return true;
}

void hoist_tflite_resize(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_resize_bilinear_options *options = op->options;
    const hoist_quant_corners corners = {options->align_corners, options->half_pixel_centers};
    hoist_quant_unary images;
    if (images_of(j, op, &images)) {
        hoist_tflite_end(j, op, hoist_quant_resize(&j->layers, &images, corners));
    }
}

void hoist_tflite_nearest(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_resize_nearest_options *options = op->options;
    const hoist_quant_corners corners = {options->align_corners, options->half_pixel_centers};
    hoist_quant_unary images;
    if (images_of(j, op, &images)) {
        hoist_tflite_end(j, op, hoist_plain_nearest(&j->layers, &images, corners));
    }
}

// Means -----------------------------------------------------------------------------------------

// Rows and columns of [N, H, W, C] are what is averaged.
static bool is_over_images(hoist_tflite_job *j, const hoist_tflite_op *op,
                           const hoist_quant_unary *layer)
{
    hoist_tflite_numbers axes;
    unsigned over = 0;
    if (!hoist_tflite_numbers_of(j, op, 1, &axes)) {
        return false;
    }
    for (uint32_t i = 0; i < axes.count; i++) {
        const int axis = hoist_tflite_axis(j, op, hoist_tflite_input(j, op, 0), axes.items[i]);
        if (axis < 0) {
            return false;
        }
        over |= 1U << axis;
    }
    if (layer->x.shape.rank != 4 || over != (1U << 1 | 1U << 2)) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s): a mean over other axes than 1 and 2 of 4",
                            op->index, HOIST_STR_ARGS(op->name));
        return false;
    }
    return true;
}

void hoist_tflite_mean(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (!hoist_tflite_unary(j, op, &layer) || !hoist_tflite_scales(j, op, &x, &y) ||
        !is_over_images(j, op, &layer)) {
        return;
    }
    // Without keep_dims the output is the same numbers as [N, C].
    const int64_t *dim = layer.x.shape.dim;
    const hoist_shape shape = {.rank = 4, .dim = {dim[0], 1, 1, dim[3]}};
    const hoist_quant_view whole = layer.y;
    if (!hoist_quant_reshape(&whole, &shape, &layer.y)) {
        layer.y = whole; // does not fit, which the row says
    }
    hoist_tflite_end(j, op, hoist_quant_mean(&j->layers, &layer, (double)x / (double)y));
}
