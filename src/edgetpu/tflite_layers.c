// Recovered layers as operators of a TFLite graph: one function for each kind, and all layers in
// their order. tflite_products.c has the layers with weights, tflite_values.c the tensors between
// them.
#include "edgetpu/tflite_layers.h"

#include <math.h>

#include "base/span.h"

// A pool of all pixels that gives another scale or zero point: TFLite's pools keep both, a MEAN
// over rows and columns changes them.
static void add_mean(hoist_edgetpu_layers *l, uint32_t index)
{
    static const int32_t rows_and_columns[] = {1, 2};
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_edgetpu_shape in = hoist_edgetpu_image(layer->input);
    const hoist_edgetpu_shape out = hoist_edgetpu_image(layer->output);
    const hoist_edgetpu_draft axes = {
        .name = hoist_edgetpu_layers_name(l, index, "/axes"),
        .type = TFLITE_INT32,
        .shape = {1, {2}},
        .data = hoist_edgetpu_maker_ints(l->m, rows_and_columns, 2),
    };
    tflite_reducer_options *options = hoist_edgetpu_maker_alloc(l->m, sizeof(*options));
    if (options) {
        const int32_t inputs[2] = {(int32_t)hoist_edgetpu_layers_input(l, index, 0, &in),
                                   (int32_t)hoist_edgetpu_maker_tensor(l->m, &axes)};
        options->keep_dims = true;
        hoist_edgetpu_layers_finish(
            l, index, &(hoist_edgetpu_step){TFLITE_OP_MEAN, inputs, 2, 0, options}, &out);
    }
}

// The multiplier times the number of taps is the ratio of scales: 1 of a plain pool. `ratio`
// compares it with the scales that were found, which have to agree.
static hoist_status add_pool(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_edgetpu_shape in = hoist_edgetpu_image(layer->input);
    const hoist_edgetpu_shape out = hoist_edgetpu_image(layer->output);
    const float sum = layer->multiplier * (float)layer->kernel[0] * (float)layer->kernel[1];
    const float ratio =
        sum * l->scales->layers[index].scale / hoist_edgetpu_layers_scale(l, layer->inputs[0]);
    int8_t activation = 0;
    const bool is_rescaled = // the output has another scale or zero point
        layer->input_zero != layer->output_zero || fabs((double)sum - 1) > DWN_SAME_SCALE;
    const bool has_all = layer->kernel[0] == layer->input.h && layer->kernel[1] == layer->input.w;
    // A rescaling pool has an equal in TFLite only over the entire image.
    if (fabs((double)ratio - 1) > DWN_SAME_SCALE || (is_rescaled && !has_all)) {
        return hoist_edgetpu_layers_refuse(l, index, "input and output have different scales");
    }
    if (!hoist_edgetpu_layers_activation(l, index, &activation) ||
        (is_rescaled && activation != TFLITE_ACTIVATION_NONE)) {
        return hoist_edgetpu_layers_refuse(l, index, "its clamps are those of no activation");
    }
    if (is_rescaled) {
        add_mean(l, index);
        return HOIST_OK;
    }
    tflite_pool2d_options *options = hoist_edgetpu_maker_alloc(l->m, sizeof(*options));
    if (options) {
        const int32_t input = (int32_t)hoist_edgetpu_layers_input(l, index, 0, &in);
        options->padding = TFLITE_PADDING_VALID;
        options->filter_height = (int32_t)layer->kernel[0];
        options->filter_width = (int32_t)layer->kernel[1];
        options->stride_h = (int32_t)layer->stride[0];
        options->stride_w = (int32_t)layer->stride[1];
        options->fused_activation_function = activation;
        hoist_edgetpu_layers_finish(
            l, index, &(hoist_edgetpu_step){TFLITE_OP_AVERAGE_POOL_2D, &input, 1, 0, options},
            &out);
    }
    return HOIST_OK;
}

// Maxima compare stored numbers: both scales have to be one. There is no PAD of them, since zeros
// could be larger than all pixels.
static hoist_status add_max_pool(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_edgetpu_shape in = hoist_edgetpu_image(layer->input);
    const hoist_edgetpu_shape out = hoist_edgetpu_image(layer->output);
    const dwn_axis axes[2] = {dwn_axis_of(layer, 0), dwn_axis_of(layer, 1)};
    // TFLite knows two kinds of padding, for both axes alike.
    const bool is_same = dwn_axis_is_same(&axes[0]) && dwn_axis_is_same(&axes[1]);
    tflite_pool2d_options *options = hoist_edgetpu_maker_alloc(l->m, sizeof(*options));
    if (layer->input_zero != layer->output_zero ||
        l->scales->layers[index].scale != hoist_edgetpu_layers_scale(l, layer->inputs[0])) {
        return hoist_edgetpu_layers_refuse(l, index, "input and output have different scales");
    }
    if (!is_same && (dwn_axis_after(&axes[0]) > 0 || dwn_axis_after(&axes[1]) > 0 ||
                     layer->padding[0] > 0 || layer->padding[1] > 0)) {
        return hoist_edgetpu_layers_refuse(l, index, "its padding is neither SAME nor VALID");
    }
    if (options) {
        const int32_t input = (int32_t)hoist_edgetpu_layers_input(l, index, 0, &in);
        options->padding = is_same ? TFLITE_PADDING_SAME : TFLITE_PADDING_VALID;
        options->filter_height = (int32_t)layer->kernel[0];
        options->filter_width = (int32_t)layer->kernel[1];
        options->stride_h = (int32_t)layer->stride[0];
        options->stride_w = (int32_t)layer->stride[1];
        const hoist_edgetpu_step step = {TFLITE_OP_MAX_POOL_2D, &input, 1, 0, options};
        hoist_edgetpu_layers_finish(l, index, &step, &out);
    }
    return HOIST_OK;
}

// Sums and products; the options of both begin with the activation.
static hoist_status add_pair(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const bool is_sum = layer->kind == DWN_KIND_ADD;
    const hoist_edgetpu_shape shape = hoist_edgetpu_image(layer->output);
    int8_t activation = 0;
    if (!hoist_edgetpu_layers_activation(l, index, &activation)) {
        return hoist_edgetpu_layers_refuse(l, index, "its clamps are those of no activation");
    }
    // Factors of a sum prove its scales.
    if (l->scales->layers[index].exact != l->scales->layers[index].asked && is_sum) {
        return hoist_edgetpu_layers_refuse(l, index, "no scales go with its factors");
    }
    tflite_add_options *sum = hoist_edgetpu_maker_alloc(l->m, sizeof(*sum));
    tflite_fused_options *product = hoist_edgetpu_maker_alloc(l->m, sizeof(*product));
    if (sum && product) {
        const int32_t inputs[2] = {(int32_t)hoist_edgetpu_layers_input(l, index, 0, &shape),
                                   (int32_t)hoist_edgetpu_layers_input(l, index, 1, &shape)};
        sum->fused_activation_function = product->fused_activation_function = activation;
        const hoist_edgetpu_step step = {is_sum ? TFLITE_OP_ADD : TFLITE_OP_MUL, inputs, 2, 0,
                                         is_sum ? (void *)sum : (void *)product};
        hoist_edgetpu_layers_finish(l, index, &step, &shape);
    }
    return HOIST_OK;
}

// TFLite's SOFTMAX has a fixed output scale of 1/256, and the layer holds the scale of its input.
static hoist_status add_softmax(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_edgetpu_shape shape = hoist_edgetpu_row(layer->output);
    if (layer->output_zero != 0 || l->scales->layers[index].scale != 0x1p-8F ||
        hoist_edgetpu_layers_scale(l, layer->inputs[0]) != layer->scale) {
        return hoist_edgetpu_layers_refuse(l, index, "its scales are not those of a softmax");
    }
    tflite_softmax_options *options = hoist_edgetpu_maker_alloc(l->m, sizeof(*options));
    if (options) {
        const int32_t input = (int32_t)hoist_edgetpu_layers_input(l, index, 0, &shape);
        options->beta = 1;
        hoist_edgetpu_layers_finish(
            l, index, &(hoist_edgetpu_step){TFLITE_OP_SOFTMAX, &input, 1, 0, options}, &shape);
    }
    return HOIST_OK;
}

// A layer that enlarges an image: `options` are its operator's, NULL where no memory is left. The
// size is a constant operand.
static hoist_status add_resize(hoist_edgetpu_layers *l, uint32_t index, tflite_operator_number op,
                               void *options)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_edgetpu_shape in = hoist_edgetpu_image(layer->input);
    const hoist_edgetpu_shape out = hoist_edgetpu_image(layer->output);
    const hoist_edgetpu_draft size = {
        .name = hoist_edgetpu_layers_name(l, index, "/size"),
        .type = TFLITE_INT32,
        .shape = {1, {2}},
        .data = hoist_edgetpu_maker_ints(l->m, &out.dim[1], 2),
    };
    if (options) {
        const int32_t inputs[2] = {(int32_t)hoist_edgetpu_layers_input(l, index, 0, &in),
                                   (int32_t)hoist_edgetpu_maker_tensor(l->m, &size)};
        hoist_edgetpu_layers_finish(l, index, &(hoist_edgetpu_step){op, inputs, 2, 0, options},
                                    &out);
    }
    return HOIST_OK;
}

// Upsampling by 2 samples pixel centres.
static hoist_status add_upsample(hoist_edgetpu_layers *l, uint32_t index)
{
    tflite_resize_bilinear_options *options = hoist_edgetpu_maker_alloc(l->m, sizeof(*options));
    if (options) {
        options->half_pixel_centers = true;
    }
    return add_resize(l, index, TFLITE_OP_RESIZE_BILINEAR, options);
}

// align_corners and half_pixel_centers are false: pixels are repeated.
static hoist_status add_nearest(hoist_edgetpu_layers *l, uint32_t index)
{
    void *options = hoist_edgetpu_maker_alloc(l->m, sizeof(tflite_resize_nearest_options));
    return add_resize(l, index, TFLITE_OP_RESIZE_NEAREST_NEIGHBOR, options);
}

// A gather is a RESHAPE of its input to one row.
static hoist_status add_gather(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_edgetpu_shape in = hoist_edgetpu_image(layer->input);
    const hoist_edgetpu_shape out = hoist_edgetpu_row(layer->output);
    const int32_t input = (int32_t)hoist_edgetpu_layers_input(l, index, 0, &in);
    const hoist_edgetpu_draft draft = {.name = hoist_edgetpu_layers_name(l, index, "/shape"),
                                       .type = TFLITE_INT32,
                                       .shape = {1, {2}},
                                       .data = hoist_edgetpu_maker_ints(l->m, out.dim, 2)};
    const int32_t inputs[2] = {input, (int32_t)hoist_edgetpu_maker_tensor(l->m, &draft)};
    tflite_reshape_options *options = hoist_edgetpu_maker_alloc(l->m, sizeof(*options));
    if (options) {
        options->new_shape = draft.data;
        hoist_edgetpu_layers_finish(
            l, index, &(hoist_edgetpu_step){TFLITE_OP_RESHAPE, inputs, 2, 0, options}, &out);
    }
    return HOIST_OK;
}

// The shape in which an input of a concatenation, or its output, is seen, and the axis along which
// it is joined: rows as [1, 1, pixels, channels] along 2, channels of images along 3, of flat
// tensors along 1.
static hoist_edgetpu_shape joined_shape(const dwn_recovered *layer, dwn_extent extent,
                                        int32_t *out_axis)
{
    if (layer->is_in_rows) {
        const uint32_t channels = layer->output.c;
        *out_axis = 2;
        return hoist_edgetpu_image(
            (dwn_extent){1, extent.h * extent.w * (extent.c / channels), channels});
    }
    // Flat outputs are rows in all operators here.
    const bool is_image = layer->output.h > 1 || layer->output.w > 1;
    *out_axis = is_image ? 3 : 1;
    return is_image ? hoist_edgetpu_image(extent) : hoist_edgetpu_row(extent);
}

// TFLite's kernel of int8 does not rescale inputs; recovered layers before it do.
static hoist_status add_concatenation(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    int32_t *inputs = hoist_edgetpu_maker_alloc(l->m, layer->input_count * sizeof(*inputs));
    tflite_concatenation_options *options = hoist_edgetpu_maker_alloc(l->m, sizeof(*options));
    if (!inputs || !options) {
        return HOIST_OK;
    }
    const hoist_edgetpu_shape out = joined_shape(layer, layer->output, &options->axis);
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const uint32_t source = layer->inputs[i];
        if (hoist_edgetpu_layers_scale(l, source) != l->scales->layers[index].scale) {
            return hoist_edgetpu_layers_refuse(l, index, "its inputs have different scales");
        }
        const hoist_edgetpu_shape in =
            joined_shape(layer, hoist_edgetpu_layers_extent(l, source), &options->axis);
        inputs[i] = (int32_t)hoist_edgetpu_layers_input(l, index, i, &in);
    }
    hoist_edgetpu_layers_finish(
        l, index,
        &(hoist_edgetpu_step){TFLITE_OP_CONCATENATION, inputs, layer->input_count, 0, options},
        &out);
    return HOIST_OK;
}

// Maps of each value by itself: QUANTIZE or LOGISTIC.
static hoist_status add_mapped(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const bool is_logistic = layer->kind == DWN_KIND_LOGISTIC;
    const hoist_edgetpu_shape shape = hoist_edgetpu_image(layer->output);
    const float from = hoist_edgetpu_layers_scale(l, layer->inputs[0]);
    const float to = l->scales->layers[index].scale;
    if (is_logistic && (layer->output_zero != 0 || to != 0x1p-8F || from != layer->multiplier)) {
        return hoist_edgetpu_layers_refuse(l, index, "its scales are not those of a logistic");
    }
    if (!is_logistic && dwn_multiplier_of(from, 1, to) != layer->multiplier) {
        return hoist_edgetpu_layers_refuse(l, index, "no scales go with its factor");
    }
    const int32_t input = (int32_t)hoist_edgetpu_layers_input(l, index, 0, &shape);
    const tflite_operator_number number = is_logistic ? TFLITE_OP_LOGISTIC : TFLITE_OP_QUANTIZE;
    const hoist_edgetpu_step step = {number, &input, 1, 0, NULL};
    hoist_edgetpu_layers_finish(l, index, &step, &shape);
    return HOIST_OK;
}

// [before, after] of four dimensions; those after follow from both extents.
static hoist_status add_pad(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_edgetpu_shape in = hoist_edgetpu_image(layer->input);
    const hoist_edgetpu_shape out = hoist_edgetpu_image(layer->output);
    int32_t amounts[8] = {0};
    for (size_t i = 0; i < 2; i++) {
        amounts[2 * i + 2] = (int32_t)layer->padding[i];
        amounts[2 * i + 3] = out.dim[i + 1] - in.dim[i + 1] - amounts[2 * i + 2];
    }
    const hoist_edgetpu_draft padding = {.name = hoist_edgetpu_layers_name(l, index, "/padding"),
                                         .type = TFLITE_INT32,
                                         .shape = {2, {4, 2}},
                                         .data = hoist_edgetpu_maker_ints(l->m, amounts, 8)};
    void *options = hoist_edgetpu_maker_alloc(l->m, sizeof(tflite_no_options));
    const int32_t inputs[2] = {(int32_t)hoist_edgetpu_layers_input(l, index, 0, &in),
                               (int32_t)hoist_edgetpu_maker_tensor(l->m, &padding)};
    hoist_edgetpu_layers_finish(l, index,
                                &(hoist_edgetpu_step){TFLITE_OP_PAD, inputs, 2, 0, options}, &out);
    return HOIST_OK;
}

// A TRANSPOSE of rows, columns and channels; extents of its output that are others follow by a
// RESHAPE to it.
static hoist_status add_transpose(hoist_edgetpu_layers *l, uint32_t index)
{
    enum { RANK = 4 };
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_edgetpu_shape in = hoist_edgetpu_image(layer->input);
    hoist_edgetpu_shape out = {RANK, {1}};
    int32_t axes[RANK] = {0};
    for (uint32_t i = 1; i < RANK; i++) {
        axes[i] = 1 + (int32_t)dwn_order_axis(layer->order, i - 1);
        out.dim[i] = in.dim[axes[i]];
    }
    const hoist_edgetpu_draft order = {.name = hoist_edgetpu_layers_name(l, index, "/axes"),
                                       .type = TFLITE_INT32,
                                       .shape = {1, {RANK}},
                                       .data = hoist_edgetpu_maker_ints(l->m, axes, RANK)};
    void *options = hoist_edgetpu_maker_alloc(l->m, sizeof(tflite_no_options));
    const int32_t inputs[2] = {(int32_t)hoist_edgetpu_layers_input(l, index, 0, &in),
                               (int32_t)hoist_edgetpu_maker_tensor(l->m, &order)};
    hoist_edgetpu_layers_finish(
        l, index, &(hoist_edgetpu_step){TFLITE_OP_TRANSPOSE, inputs, 2, 0, options}, &out);
    return HOIST_OK;
}

// SLICE of rows, columns and channels: all of the first two.
static hoist_status add_slice(hoist_edgetpu_layers *l, uint32_t index)
{
    enum { RANK = 4 };
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_edgetpu_shape in = hoist_edgetpu_image(layer->input);
    const hoist_edgetpu_shape out = hoist_edgetpu_image(layer->output);
    const int32_t begin[RANK] = {0, 0, 0, (int32_t)layer->first};
    const hoist_edgetpu_draft lists[2] = {
        {.name = hoist_edgetpu_layers_name(l, index, "/begin"),
         .type = TFLITE_INT32,
         .shape = {1, {RANK}},
         .data = hoist_edgetpu_maker_ints(l->m, begin, RANK)},
        {.name = hoist_edgetpu_layers_name(l, index, "/size"),
         .type = TFLITE_INT32,
         .shape = {1, {RANK}},
         .data = hoist_edgetpu_maker_ints(l->m, out.dim, RANK)},
    };
    if (l->scales->layers[index].scale != hoist_edgetpu_layers_scale(l, layer->inputs[0])) {
        return hoist_edgetpu_layers_refuse(l, index, "input and output have different scales");
    }
    void *options = hoist_edgetpu_maker_alloc(l->m, sizeof(tflite_no_options));
    const int32_t inputs[3] = {(int32_t)hoist_edgetpu_layers_input(l, index, 0, &in),
                               (int32_t)hoist_edgetpu_maker_tensor(l->m, &lists[0]),
                               (int32_t)hoist_edgetpu_maker_tensor(l->m, &lists[1])};
    hoist_edgetpu_layers_finish(
        l, index, &(hoist_edgetpu_step){TFLITE_OP_SLICE, inputs, 3, 0, options}, &out);
    return HOIST_OK;
}

// Every output needs a scale, which TFLite's tensors have and chip instructions lack.
static hoist_status add_layer(hoist_edgetpu_layers *l, uint32_t index)
{
    if (l->scales->layers[index].scale == 0) {
        return hoist_edgetpu_layers_refuse(l, index, "no scale for its output was found");
    }
    switch (l->recovery->layers[index].kind) {
    case DWN_KIND_CONVOLUTION:
    case DWN_KIND_DEPTHWISE:
    case DWN_KIND_DENSE:
        return hoist_edgetpu_add_products(l, index);
    case DWN_KIND_AVERAGE_POOL:
        return add_pool(l, index);
    case DWN_KIND_MAX_POOL:
        return add_max_pool(l, index);
    case DWN_KIND_ADD:
    case DWN_KIND_MULTIPLY:
        return add_pair(l, index);
    case DWN_KIND_SOFTMAX:
        return add_softmax(l, index);
    case DWN_KIND_UPSAMPLE:
        return add_upsample(l, index);
    case DWN_KIND_NEAREST:
        return add_nearest(l, index);
    case DWN_KIND_GATHER:
        return add_gather(l, index);
    case DWN_KIND_CONCATENATION:
        return add_concatenation(l, index);
    case DWN_KIND_PAD:
        return add_pad(l, index);
    case DWN_KIND_TRANSPOSE:
        return add_transpose(l, index);
    case DWN_KIND_SLICE:
        return add_slice(l, index);
    case DWN_KIND_QUANTIZE:
    case DWN_KIND_LOGISTIC:
        return add_mapped(l, index);
    case DWN_KIND_UNKNOWN: // gaps and layouts, which complete recoveries have none of
    case DWN_KIND_MOVE:
    case DWN_KIND_COUNT:
        break;
    }
    return hoist_edgetpu_layers_refuse(l, index, "TFLite has no operator for it");
}

// Layers are in an order in which inputs come first, so every input has its tensor.
hoist_status hoist_edgetpu_layers_add(hoist_edgetpu_layers *l)
{
    hoist_edgetpu_layers_begin(l);
    for (uint32_t i = 0; i < l->recovery->count && !l->m->failed; i++) {
        HOIST_TRY(add_layer(l, i));
    }
    l->m->failed = l->m->failed || l->m->arena->failed; // for a name
    return HOIST_OK;
}
