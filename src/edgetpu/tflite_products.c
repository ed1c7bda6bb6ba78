// Layers with weights as operators: CONV_2D, DEPTHWISE_CONV_2D and FULLY_CONNECTED with their
// weights, biases and options. A padding that is neither SAME nor VALID becomes a PAD before the
// operator.
#include "base/span.h"
#include "edgetpu/tflite_layers.h"

// Padding ----------------------------------------------------------------------------------------

// The windows that fit into `extent` are as many as the output has positions.
static bool fits(const dwn_axis *a, int64_t extent)
{
    return extent >= a->reach && (extent - a->reach) / a->stride + 1 == a->out;
}

// Adds a PAD before the layer; returns the tensor that it writes. Pads have the input's zero point,
// which is what the chip leaves out of its sums.
static uint32_t add_pad(hoist_edgetpu_layers *l, uint32_t index, uint32_t from,
                        const dwn_axis axes[2])
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const float scale = hoist_edgetpu_layers_scale(l, layer->inputs[0]);
    const int32_t amounts[8] = {0,
                                0,
                                (int32_t)axes[0].before,
                                (int32_t)dwn_axis_after(&axes[0]),
                                (int32_t)axes[1].before,
                                (int32_t)dwn_axis_after(&axes[1]),
                                0,
                                0};
    const hoist_edgetpu_draft padding = {.name = hoist_edgetpu_layers_name(l, index, "/padding"),
                                         .type = TFLITE_INT32,
                                         .shape = {2, {4, 2}},
                                         .data = hoist_edgetpu_maker_ints(l->m, amounts, 8)};
    hoist_edgetpu_draft padded = {.name = hoist_edgetpu_layers_name(l, index, "/padded"),
                                  .type = l->m->type,
                                  .shape = hoist_edgetpu_image(layer->input),
                                  .scales = &scale,
                                  .scale_count = 1,
                                  // As a tensor of the model's type.
                                  .zero = layer->input_zero - (l->scales->is_signed ? 128 : 0)};
    padded.shape.dim[1] += amounts[2] + amounts[3];
    padded.shape.dim[2] += amounts[4] + amounts[5];
    const int32_t inputs[2] = {(int32_t)from, (int32_t)hoist_edgetpu_maker_tensor(l->m, &padding)};
    const uint32_t to = hoist_edgetpu_maker_tensor(l->m, &padded);
    void *options = hoist_edgetpu_maker_alloc(l->m, sizeof(tflite_no_options));
    hoist_edgetpu_maker_step(l->m, &(hoist_edgetpu_step){TFLITE_OP_PAD, inputs, 2, to, options});
    return to;
}

// Parameters -------------------------------------------------------------------------------------

// TFLite's order of weights is the recovered one (dwn_weights_shape).
static hoist_edgetpu_shape weights_shape(const dwn_recovered *layer)
{
    int64_t extents[4];
    hoist_edgetpu_shape shape = {.rank = dwn_weights_shape(layer, extents)};
    for (uint32_t i = 0; i < shape.rank; i++) {
        shape.dim[i] = (int32_t)extents[i];
    }
    return shape;
}

// Weights in the model's type: the chip's are unsigned, int8 has the top bit flipped.
static hoist_bytes weights_of(hoist_edgetpu_layers *l, const dwn_recovered *layer)
{
    const hoist_bytes chip = {layer->weights, (size_t)layer->weight_count};
    const uint8_t *data = dwn_weights_flipped(chip, l->scales->is_signed, l->m->arena);
    l->m->failed = l->m->failed || !data;
    return (hoist_bytes){data, data ? chip.size : 0};
}

// Weights of int8 are symmetric in TFLite: their zero point of 128 on the chip is 0 here.
static uint32_t add_weights(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const dwn_layer_scales *own = &l->scales->layers[index];
    const hoist_edgetpu_draft draft = {
        .name = hoist_edgetpu_layers_name(l, index, "/weights"),
        .type = l->m->type,
        .shape = weights_shape(layer),
        .scales = own->weights,
        .scale_count = own->weight_count,
        .zero = l->scales->is_signed ? 0 : layer->weight_zero,
        .axis = layer->kind == DWN_KIND_DEPTHWISE ? 3 : 0, // of output channels
        .data = weights_of(l, layer),
    };
    return hoist_edgetpu_maker_tensor(l->m, &draft);
}

// The tensor of the bias, whose scale is input * weights. CONV_2D gets zeros where its layer has
// none: without a bias TFLite refuses it (TFL-037). -1: the operator does without.
static int32_t add_bias(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const dwn_layer_scales *own = &l->scales->layers[index];
    const float in = hoist_edgetpu_layers_scale(l, layer->inputs[0]);
    if (!layer->bias && layer->kind != DWN_KIND_CONVOLUTION) {
        return -1;
    }
    float *scales = hoist_edgetpu_maker_alloc(l->m, own->weight_count * sizeof(*scales));
    const int32_t *sums =
        layer->bias ? layer->bias : hoist_edgetpu_maker_alloc(l->m, layer->rows * sizeof(*sums));
    for (uint32_t i = 0; scales && i < own->weight_count; i++) {
        scales[i] = in * own->weights[i];
    }
    if (!scales || !sums) { // `failed` is set
        return -1;
    }
    const hoist_edgetpu_draft draft = {
        .name = hoist_edgetpu_layers_name(l, index, "/bias"),
        .type = TFLITE_INT32,
        .shape = {1, {(int32_t)layer->rows}},
        .scales = scales,
        .scale_count = own->weight_count,
        .data = hoist_edgetpu_maker_ints(l->m, sums, layer->rows),
    };
    return (int32_t)hoist_edgetpu_maker_tensor(l->m, &draft);
}

// Options ----------------------------------------------------------------------------------------

// Rows come first in layers, columns in the schema.
static void *conv_options(hoist_edgetpu_layers *l, const dwn_recovered *layer, int8_t padding,
                          int8_t activation)
{
    tflite_conv2d_options *o = hoist_edgetpu_maker_alloc(l->m, sizeof(*o));
    if (o) {
        o->padding = padding;
        o->fused_activation_function = activation;
        o->stride_h = (int32_t)layer->stride[0];
        o->stride_w = (int32_t)layer->stride[1];
        o->dilation_h_factor = (int32_t)layer->dilation[0];
        o->dilation_w_factor = (int32_t)layer->dilation[1];
    }
    return o;
}

// The chip's depthwise layers have one output channel for each of the input.
static void *depthwise_options(hoist_edgetpu_layers *l, const dwn_recovered *layer, int8_t padding,
                               int8_t activation)
{
    tflite_depthwise_conv2d_options *o = hoist_edgetpu_maker_alloc(l->m, sizeof(*o));
    if (o) {
        o->padding = padding;
        o->fused_activation_function = activation;
        o->depth_multiplier = 1; // others are convolutions of one channel
        o->stride_h = (int32_t)layer->stride[0];
        o->stride_w = (int32_t)layer->stride[1];
        o->dilation_h_factor = (int32_t)layer->dilation[0];
        o->dilation_w_factor = (int32_t)layer->dilation[1];
    }
    return o;
}

// weights_format 0: [O][I], not shuffled.
static void *dense_options(hoist_edgetpu_layers *l, int8_t activation)
{
    tflite_fully_connected_options *o = hoist_edgetpu_maker_alloc(l->m, sizeof(*o));
    if (o) {
        o->fused_activation_function = activation;
    }
    return o;
}

// Layers -----------------------------------------------------------------------------------------

// SAME where both axes have its padding, VALID where there is none, else PAD and VALID.
static hoist_status add_windows(hoist_edgetpu_layers *l, uint32_t index, int8_t activation)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const dwn_axis axes[2] = {dwn_axis_of(layer, 0), dwn_axis_of(layer, 1)};
    const hoist_edgetpu_shape in = hoist_edgetpu_image(layer->input);
    const hoist_edgetpu_shape out = hoist_edgetpu_image(layer->output);
    const bool same = dwn_axis_is_same(&axes[0]) && dwn_axis_is_same(&axes[1]);
    bool is_padded = false;
    for (size_t i = 0; i < 2 && !same; i++) {
        const int64_t around = axes[i].before + dwn_axis_after(&axes[i]);
        is_padded = is_padded || around > 0;
        if (!fits(&axes[i], axes[i].in + around)) {
            return hoist_edgetpu_layers_refuse(l, index, "its windows do not give its output");
        }
    }
    uint32_t input = hoist_edgetpu_layers_input(l, index, 0, &in);
    if (is_padded) {
        input = add_pad(l, index, input, axes);
    }
    const int8_t padding = same ? TFLITE_PADDING_SAME : TFLITE_PADDING_VALID;
    const bool is_depthwise = layer->kind == DWN_KIND_DEPTHWISE;
    const int32_t inputs[3] = {(int32_t)input, (int32_t)add_weights(l, index), add_bias(l, index)};
    const hoist_edgetpu_step step = {is_depthwise ? TFLITE_OP_DEPTHWISE_CONV_2D : TFLITE_OP_CONV_2D,
                                     inputs, inputs[2] < 0 ? 2 : 3, 0,
                                     is_depthwise ? depthwise_options(l, layer, padding, activation)
                                                  : conv_options(l, layer, padding, activation)};
    hoist_edgetpu_layers_finish(l, index, &step, &out);
    return HOIST_OK;
}

// The input is one row, whatever image it comes from.
static void add_dense(hoist_edgetpu_layers *l, uint32_t index, int8_t activation)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    // weight_count is rows * inputs: a dense layer reads everything that it is given.
    const hoist_edgetpu_shape in = {2, {1, (int32_t)(layer->weight_count / layer->rows)}};
    const hoist_edgetpu_shape out = {2, {1, (int32_t)layer->rows}};
    const int32_t inputs[3] = {(int32_t)hoist_edgetpu_layers_input(l, index, 0, &in),
                               (int32_t)add_weights(l, index), add_bias(l, index)};
    const hoist_edgetpu_step step = {TFLITE_OP_FULLY_CONNECTED, inputs, inputs[2] < 0 ? 2 : 3, 0,
                                     dense_options(l, activation)};
    hoist_edgetpu_layers_finish(l, index, &step, &out);
}

// Checks everything before the first tensor is added, so that a refused layer leaves nothing
// behind.
hoist_status hoist_edgetpu_add_products(hoist_edgetpu_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    int8_t activation = 0;
    if (!hoist_edgetpu_layers_activation(l, index, &activation)) {
        return hoist_edgetpu_layers_refuse(l, index, "its clamps are those of no activation");
    }
    const dwn_layer_scales *own = &l->scales->layers[index];
    for (uint32_t i = 0; i < own->weight_count; i++) {
        if (own->weights[i] == 0) {
            return hoist_edgetpu_layers_refuse(l, index, "no scale for its weights was found");
        }
    }
    // TFLite's uint8 kernels take one scale for all weights.
    if (!l->scales->is_signed && dwn_has_row_scales(layer)) {
        return hoist_edgetpu_layers_refuse(l, index,
                                           "weights of uint8 cannot have a scale for each channel");
    }
    if (layer->kind == DWN_KIND_DENSE) {
        add_dense(l, index, activation);
        return HOIST_OK;
    }
    return add_windows(l, index, activation);
}
