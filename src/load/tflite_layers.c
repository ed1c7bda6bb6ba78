#include "load/tflite_layers.h"

#include <math.h>
#include <stdio.h>

#include "base/span.h"

hoist_status hoist_tflite_layers_refuse(hoist_tflite_layers *l, uint32_t index, const char *what)
{
    l->refused = index;
    (void)snprintf(l->why, sizeof(l->why), "layer %u (%s): %s", index,
                   dwn_layer_kind_name(l->recovery->layers[index].kind), what);
    return HOIST_UNSUPPORTED;
}

hoist_str hoist_tflite_layers_name(hoist_tflite_layers *l, uint32_t index, const char *what)
{
    const hoist_str name = hoist_arena_format(l->m->arena, "%slayers/%u%s", l->prefix, index, what);
    l->m->failed = l->m->failed || !name.data;
    return name;
}

hoist_tflite_shape hoist_tflite_image(dwn_extent extent)
{
    return (hoist_tflite_shape){4, {1, (int32_t)extent.h, (int32_t)extent.w, (int32_t)extent.c}};
}

// [1, n].
static hoist_tflite_shape row_of(dwn_extent extent)
{
    const uint64_t count = (uint64_t)extent.h * extent.w * extent.c;
    return (hoist_tflite_shape){2, {1, count > INT32_MAX ? INT32_MAX : (int32_t)count}};
}

static int64_t zero_of(const hoist_tflite_layers *l, uint8_t zero)
{
    return l->scales->is_signed ? (int64_t)zero - 128 : zero;
}

float hoist_tflite_layers_scale(const hoist_tflite_layers *l, uint32_t source)
{
    if (source & DWN_MODEL_INPUT) {
        const uint32_t input = source & ~DWN_MODEL_INPUT;
        return l->executable->input_layers.items[input].numerics->dequantization_factor;
    }
    return l->scales->layers[source].scale;
}

bool hoist_tflite_layers_activation(const hoist_tflite_layers *l, uint32_t index,
                                    int8_t *out_activation)
{
    static const int8_t numbers[] = {
        [DWN_ACTIVATION_NONE] = TFLITE_ACTIVATION_NONE,
        [DWN_ACTIVATION_RELU] = TFLITE_ACTIVATION_RELU,
        [DWN_ACTIVATION_RELU_1] = TFLITE_ACTIVATION_RELU_N1_TO_1,
        [DWN_ACTIVATION_RELU_6] = TFLITE_ACTIVATION_RELU6,
    };
    const dwn_recovered *layer = &l->recovery->layers[index];
    const dwn_layer_scales *own = &l->scales->layers[index];
    if (own->activation == DWN_ACTIVATION_OTHER) {
        return false;
    }
    const float to = dwn_activation_most(own->activation);
    *out_activation = numbers[own->activation];
    return isinf(to) || roundf(to / own->scale) == rintf(layer->high);
}

// Shapes and types -------------------------------------------------------------------------------

// A tensor of values like `of`, of that shape.
static uint32_t add_like(hoist_tflite_layers *l, hoist_str name, uint32_t of,
                         const hoist_tflite_shape *shape)
{
    if (l->m->failed) {
        return 0;
    }
    const tflite_quantization *q = l->m->graph->tensors.items[of].quantization;
    const float scale = hoist_fb_f32(q->scale, 0);
    const hoist_tflite_draft draft = {.name = name,
                                      .type = (tflite_type)l->m->graph->tensors.items[of].type,
                                      .shape = *shape,
                                      .scales = &scale,
                                      .scale_count = 1,
                                      .zero = hoist_fb_i64(q->zero_point, 0)};
    return hoist_tflite_maker_tensor(l->m, &draft);
}

// RESHAPE of a layer from tensor to tensor; `name` is that of its shape.
static void add_reshape(hoist_tflite_layers *l, hoist_str name, uint32_t from, uint32_t to)
{
    if (l->m->failed) {
        return;
    }
    const hoist_tflite_shape shape = hoist_tflite_maker_shape(l->m, to);
    const hoist_bytes data = hoist_tflite_maker_ints(l->m, shape.dim, shape.rank);
    const hoist_tflite_draft draft = {
        .name = name, .type = TFLITE_INT32, .shape = {1, {(int32_t)shape.rank}}, .data = data};
    const int32_t inputs[2] = {(int32_t)from, (int32_t)hoist_tflite_maker_tensor(l->m, &draft)};
    tflite_reshape_options *options = hoist_tflite_maker_alloc(l->m, sizeof(*options));
    if (options) {
        options->new_shape = data;
        hoist_tflite_maker_step(l->m,
                                &(hoist_tflite_step){TFLITE_OP_RESHAPE, inputs, 2, to, options});
    }
}

static void add_quantize(hoist_tflite_layers *l, uint32_t from, uint32_t to)
{
    const int32_t input = (int32_t)from;
    hoist_tflite_maker_step(l->m, &(hoist_tflite_step){TFLITE_OP_QUANTIZE, &input, 1, to, NULL});
}

// "layers/3/inputs/0/shape".
static hoist_str input_name(hoist_tflite_layers *l, uint32_t index, uint32_t input,
                            const char *what)
{
    const hoist_str name =
        hoist_arena_format(l->m->arena, "%slayers/%u/inputs/%u/%s", l->prefix, index, input, what);
    l->m->failed = l->m->failed || !name.data;
    return name;
}

uint32_t hoist_tflite_layers_input(hoist_tflite_layers *l, uint32_t index, uint32_t input,
                                   const hoist_tflite_shape *shape)
{
    const uint32_t source = l->recovery->layers[index].inputs[input];
    const uint32_t tensor =
        source & DWN_MODEL_INPUT ? l->read[source & ~DWN_MODEL_INPUT] : l->values[source];
    if (l->m->failed) {
        return 0;
    }
    const hoist_tflite_shape found = hoist_tflite_maker_shape(l->m, tensor);
    if (hoist_tflite_same_shape(&found, shape)) {
        return tensor;
    }
    const uint32_t to = add_like(l, input_name(l, index, input, "reshaped"), tensor, shape);
    add_reshape(l, input_name(l, index, input, "shape"), tensor, to);
    return to;
}

// The tensor that a layer writes, of the model's type.
static uint32_t add_value(hoist_tflite_layers *l, uint32_t index, const hoist_tflite_shape *shape)
{
    const hoist_tflite_draft draft = {
        .name = hoist_tflite_layers_name(l, index, ""),
        .type = l->m->type,
        .shape = *shape,
        .scales = &l->scales->layers[index].scale,
        .scale_count = 1,
        .zero = zero_of(l, l->recovery->layers[index].output_zero),
    };
    return hoist_tflite_maker_tensor(l->m, &draft);
}

void hoist_tflite_layers_finish(hoist_tflite_layers *l, uint32_t index,
                                const hoist_tflite_step *step, const hoist_tflite_shape *shape)
{
    const uint32_t output = l->recovery->layers[index].output_layer;
    const uint32_t border = output == DWN_NONE ? 0 : l->outputs[output];
    if (l->m->failed) {
        return;
    }
    const hoist_tflite_shape wanted = hoist_tflite_maker_shape(l->m, border);
    const bool has_type = l->m->graph->tensors.items[border].type == (int8_t)l->m->type;
    const bool has_shape = hoist_tflite_same_shape(shape, &wanted);
    const bool is_border = output != DWN_NONE && has_type && has_shape;
    uint32_t value = is_border ? border : add_value(l, index, shape);
    hoist_tflite_step own = *step;
    own.output = value;
    hoist_tflite_maker_step(l->m, &own);
    l->values[index] = value;
    if (output == DWN_NONE || is_border) {
        return;
    }
    if (!has_shape) {
        const uint32_t to =
            has_type ? border
                     : add_like(l, hoist_tflite_layers_name(l, index, "/out"), value, &wanted);
        add_reshape(l, hoist_tflite_layers_name(l, index, "/out/shape"), value, to);
        value = to;
    }
    if (!has_type) {
        add_quantize(l, value, border);
    }
}

// Kinds ------------------------------------------------------------------------------------------

static hoist_status add_pool(hoist_tflite_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_tflite_shape in = hoist_tflite_image(layer->input);
    const hoist_tflite_shape out = hoist_tflite_image(layer->output);
    const float sum = layer->multiplier * (float)layer->kernel[0] * (float)layer->kernel[1];
    const float ratio =
        sum * l->scales->layers[index].scale / hoist_tflite_layers_scale(l, layer->inputs[0]);
    int8_t activation = 0;
    if (layer->input_zero != layer->output_zero || fabsf(sum - 1) > 1e-4F ||
        fabsf(ratio - 1) > 1e-4F) {
        return hoist_tflite_layers_refuse(l, index, "input and output have different scales");
    }
    if (!hoist_tflite_layers_activation(l, index, &activation)) {
        return hoist_tflite_layers_refuse(l, index, "its clamps are those of no activation");
    }
    tflite_pool2d_options *options = hoist_tflite_maker_alloc(l->m, sizeof(*options));
    if (options) {
        const int32_t input = (int32_t)hoist_tflite_layers_input(l, index, 0, &in);
        options->padding = TFLITE_PADDING_VALID;
        options->filter_height = (int32_t)layer->kernel[0];
        options->filter_width = (int32_t)layer->kernel[1];
        options->stride_h = (int32_t)layer->stride[0];
        options->stride_w = (int32_t)layer->stride[1];
        options->fused_activation_function = activation;
        hoist_tflite_layers_finish(
            l, index, &(hoist_tflite_step){TFLITE_OP_AVERAGE_POOL_2D, &input, 1, 0, options}, &out);
    }
    return HOIST_OK;
}

// Sums and products: the options of both begin with the activation.
static hoist_status add_pair(hoist_tflite_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const bool is_sum = layer->kind == DWN_KIND_ADD;
    const hoist_tflite_shape shape = hoist_tflite_image(layer->output);
    int8_t activation = 0;
    if (!hoist_tflite_layers_activation(l, index, &activation)) {
        return hoist_tflite_layers_refuse(l, index, "its clamps are those of no activation");
    }
    if (l->scales->layers[index].exact != l->scales->layers[index].asked && is_sum) {
        return hoist_tflite_layers_refuse(l, index, "no scales go with its factors");
    }
    tflite_add_options *sum = hoist_tflite_maker_alloc(l->m, sizeof(*sum));
    tflite_fused_options *product = hoist_tflite_maker_alloc(l->m, sizeof(*product));
    if (sum && product) {
        const int32_t inputs[2] = {(int32_t)hoist_tflite_layers_input(l, index, 0, &shape),
                                   (int32_t)hoist_tflite_layers_input(l, index, 1, &shape)};
        sum->fused_activation_function = product->fused_activation_function = activation;
        const hoist_tflite_step step = {is_sum ? TFLITE_OP_ADD : TFLITE_OP_MUL, inputs, 2, 0,
                                        is_sum ? (void *)sum : (void *)product};
        hoist_tflite_layers_finish(l, index, &step, &shape);
    }
    return HOIST_OK;
}

static hoist_status add_softmax(hoist_tflite_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_tflite_shape shape = row_of(layer->output);
    if (layer->output_zero != 0 || l->scales->layers[index].scale != 0x1p-8F ||
        hoist_tflite_layers_scale(l, layer->inputs[0]) != layer->scale) {
        return hoist_tflite_layers_refuse(l, index, "its scales are not those of a softmax");
    }
    tflite_softmax_options *options = hoist_tflite_maker_alloc(l->m, sizeof(*options));
    if (options) {
        const int32_t input = (int32_t)hoist_tflite_layers_input(l, index, 0, &shape);
        options->beta = 1;
        hoist_tflite_layers_finish(
            l, index, &(hoist_tflite_step){TFLITE_OP_SOFTMAX, &input, 1, 0, options}, &shape);
    }
    return HOIST_OK;
}

static hoist_status add_upsample(hoist_tflite_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_tflite_shape in = hoist_tflite_image(layer->input);
    const hoist_tflite_shape out = hoist_tflite_image(layer->output);
    const hoist_tflite_draft size = {
        .name = hoist_tflite_layers_name(l, index, "/size"),
        .type = TFLITE_INT32,
        .shape = {1, {2}},
        .data = hoist_tflite_maker_ints(l->m, &out.dim[1], 2),
    };
    tflite_resize_bilinear_options *options = hoist_tflite_maker_alloc(l->m, sizeof(*options));
    if (options) {
        const int32_t inputs[2] = {(int32_t)hoist_tflite_layers_input(l, index, 0, &in),
                                   (int32_t)hoist_tflite_maker_tensor(l->m, &size)};
        options->half_pixel_centers = true;
        hoist_tflite_layers_finish(
            l, index, &(hoist_tflite_step){TFLITE_OP_RESIZE_BILINEAR, inputs, 2, 0, options}, &out);
    }
    return HOIST_OK;
}

// A gather is a RESHAPE of its input to one row.
static hoist_status add_gather(hoist_tflite_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const hoist_tflite_shape in = hoist_tflite_image(layer->input);
    const hoist_tflite_shape out = row_of(layer->output);
    const int32_t input = (int32_t)hoist_tflite_layers_input(l, index, 0, &in);
    const hoist_tflite_draft draft = {.name = hoist_tflite_layers_name(l, index, "/shape"),
                                      .type = TFLITE_INT32,
                                      .shape = {1, {2}},
                                      .data = hoist_tflite_maker_ints(l->m, out.dim, 2)};
    const int32_t inputs[2] = {input, (int32_t)hoist_tflite_maker_tensor(l->m, &draft)};
    tflite_reshape_options *options = hoist_tflite_maker_alloc(l->m, sizeof(*options));
    if (options) {
        options->new_shape = draft.data;
        hoist_tflite_layers_finish(
            l, index, &(hoist_tflite_step){TFLITE_OP_RESHAPE, inputs, 2, 0, options}, &out);
    }
    return HOIST_OK;
}

static hoist_status add_concatenation(hoist_tflite_layers *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    const bool is_image = layer->output.h > 1 || layer->output.w > 1;
    const hoist_tflite_shape out =
        is_image ? hoist_tflite_image(layer->output) : row_of(layer->output);
    int32_t *inputs = hoist_tflite_maker_alloc(l->m, layer->input_count * sizeof(*inputs));
    tflite_concatenation_options *options = hoist_tflite_maker_alloc(l->m, sizeof(*options));
    if (!inputs || !options) {
        return HOIST_OK;
    }
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const uint32_t source = layer->inputs[i];
        if (hoist_tflite_layers_scale(l, source) != l->scales->layers[index].scale) {
            return hoist_tflite_layers_refuse(l, index, "its inputs have different scales");
        }
        const dwn_extent extent = l->recovery->layers[source].output;
        const hoist_tflite_shape in = is_image ? hoist_tflite_image(extent) : row_of(extent);
        inputs[i] = (int32_t)hoist_tflite_layers_input(l, index, i, &in);
    }
    options->axis = is_image ? 3 : 1;
    hoist_tflite_layers_finish(
        l, index,
        &(hoist_tflite_step){TFLITE_OP_CONCATENATION, inputs, layer->input_count, 0, options},
        &out);
    return HOIST_OK;
}

// All --------------------------------------------------------------------------------------------

static hoist_status add_layer(hoist_tflite_layers *l, uint32_t index)
{
    if (l->scales->layers[index].scale == 0) {
        return hoist_tflite_layers_refuse(l, index, "no scale for its output was found");
    }
    switch (l->recovery->layers[index].kind) {
    case DWN_KIND_CONVOLUTION:
    case DWN_KIND_DEPTHWISE:
    case DWN_KIND_DENSE:
        return hoist_tflite_add_products(l, index);
    case DWN_KIND_AVERAGE_POOL:
        return add_pool(l, index);
    case DWN_KIND_ADD:
    case DWN_KIND_MULTIPLY:
        return add_pair(l, index);
    case DWN_KIND_SOFTMAX:
        return add_softmax(l, index);
    case DWN_KIND_UPSAMPLE:
        return add_upsample(l, index);
    case DWN_KIND_GATHER:
        return add_gather(l, index);
    case DWN_KIND_CONCATENATION:
        return add_concatenation(l, index);
    case DWN_KIND_UNKNOWN:
    case DWN_KIND_MOVE:
    case DWN_KIND_COUNT:
        break;
    }
    return hoist_tflite_layers_refuse(l, index, "TFLite has no operator for it");
}

// The inputs of the model, of the type of its values.
static void add_inputs(hoist_tflite_layers *l)
{
    for (uint32_t i = 0; i < l->executable->input_layers.count && !l->m->failed; i++) {
        const uint32_t border = l->inputs[i];
        const hoist_tflite_shape shape = hoist_tflite_maker_shape(l->m, border);
        const dwn_numerics *numerics = l->executable->input_layers.items[i].numerics;
        l->read[i] = border;
        if (l->m->graph->tensors.items[border].type != (int8_t)l->m->type) {
            const hoist_tflite_draft draft = {
                .name = hoist_arena_format(l->m->arena, "%sinputs/%u", l->prefix, i),
                .type = l->m->type,
                .shape = shape,
                .scales = &numerics->dequantization_factor,
                .scale_count = 1,
                .zero = zero_of(l, (uint8_t)numerics->zero_point)};
            l->read[i] = hoist_tflite_maker_tensor(l->m, &draft);
            add_quantize(l, border, l->read[i]);
        }
    }
}

hoist_status hoist_tflite_layers_add(hoist_tflite_layers *l)
{
    const uint32_t inputs = l->executable->input_layers.count;
    l->m->type = l->scales->is_signed ? TFLITE_INT8 : TFLITE_UINT8;
    l->values = hoist_tflite_maker_alloc(l->m, l->recovery->count * sizeof(*l->values));
    l->read = hoist_tflite_maker_alloc(l->m, inputs * sizeof(*l->read));
    add_inputs(l);
    for (uint32_t i = 0; i < l->recovery->count && !l->m->failed; i++) {
        HOIST_TRY(add_layer(l, i));
    }
    return HOIST_OK;
}
