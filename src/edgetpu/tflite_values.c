// What layers read and write as tensors, in the shapes and types that operators need: RESHAPE and
// QUANTIZE are added where the model's own tensors have others.
#include <math.h>
#include <stdio.h>

#include "edgetpu/tflite_layers.h"

// `why` is a sentence with the layer's number and kind, for the finding at its instructions.
hoist_status hoist_edgetpu_layers_refuse(hoist_edgetpu_layers *l, uint32_t index, const char *what)
{
    l->refused = index;
    (void)snprintf(l->why, sizeof(l->why), "layer %u (%s): %s", index,
                   dwn_layer_kind_name(l->recovery->layers[index].kind), what);
    return HOIST_UNSUPPORTED;
}

hoist_str hoist_edgetpu_layers_name(hoist_edgetpu_layers *l, uint32_t index, const char *what)
{
    return hoist_arena_format(l->m->arena, "%slayers/%u%s", l->prefix, index, what);
}

hoist_edgetpu_shape hoist_edgetpu_image(dwn_extent extent)
{
    return (hoist_edgetpu_shape){4, {1, (int32_t)extent.h, (int32_t)extent.w, (int32_t)extent.c}};
}

// A count that no tensor can have is clamped; the file is refused by its size.
hoist_edgetpu_shape hoist_edgetpu_row(dwn_extent extent)
{
    const uint64_t count = (uint64_t)extent.h * extent.w * extent.c;
    return (hoist_edgetpu_shape){2, {1, count > INT32_MAX ? INT32_MAX : (int32_t)count}};
}

// Zero points on the chip are unsigned; int8 is 128 lower.
static int64_t zero_of(const hoist_edgetpu_layers *l, uint8_t zero)
{
    return l->scales->is_signed ? (int64_t)zero - 128 : zero;
}

// `source` as dwn_recovered.inputs: a layer, or an input of the model.
float hoist_edgetpu_layers_scale(const hoist_edgetpu_layers *l, uint32_t source)
{
    if (source & DWN_MODEL_INPUT) {
        const uint32_t input = source & ~DWN_MODEL_INPUT;
        return l->executable->input_layers.items[input].numerics->dequantization_factor;
    }
    return l->scales->layers[source].scale;
}

// Extents that a recovery reads are those of the file where it has a layer for them.
dwn_extent hoist_edgetpu_layers_extent(const hoist_edgetpu_layers *l, uint32_t source)
{
    if (source & DWN_MODEL_INPUT) {
        return dwn_layer_extent(&l->executable->input_layers.items[source & ~DWN_MODEL_INPUT]);
    }
    return l->recovery->layers[source].output;
}

// The clamps have to be what TFLite computes of the activation and the scale, rounded in float32.
bool hoist_edgetpu_layers_activation(const hoist_edgetpu_layers *l, uint32_t index,
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
    return isinf(to) || roundf(to / own->scale) == rintf(layer->high); // the upper clamp in steps
}

// A tensor with the type, scale and zero point of `of`, in that shape.
static uint32_t add_like(hoist_edgetpu_layers *l, hoist_str name, uint32_t of,
                         const hoist_edgetpu_shape *shape)
{
    if (l->m->failed) {
        return 0;
    }
    const tflite_quantization *q = l->m->graph->tensors.items[of].quantization;
    const float scale = hoist_fb_f32(q->scale, 0);
    const hoist_edgetpu_draft draft = {.name = name,
                                       .type = (tflite_type)l->m->graph->tensors.items[of].type,
                                       .shape = *shape,
                                       .scales = &scale,
                                       .scale_count = 1,
                                       .zero = hoist_fb_i64(q->zero_point, 0)};
    return hoist_edgetpu_maker_tensor(l->m, &draft);
}

// Adds a RESHAPE between two tensors; `name` is that of the constant with the shape.
static void add_reshape(hoist_edgetpu_layers *l, hoist_str name, uint32_t from, uint32_t to)
{
    if (l->m->failed) {
        return;
    }
    const hoist_edgetpu_shape shape = hoist_edgetpu_maker_shape(l->m, to);
    const hoist_bytes data = hoist_edgetpu_maker_ints(l->m, shape.dim, shape.rank);
    const hoist_edgetpu_draft draft = {
        .name = name, .type = TFLITE_INT32, .shape = {1, {(int32_t)shape.rank}}, .data = data};
    const int32_t inputs[2] = {(int32_t)from, (int32_t)hoist_edgetpu_maker_tensor(l->m, &draft)};
    tflite_reshape_options *options = hoist_edgetpu_maker_alloc(l->m, sizeof(*options));
    if (options) {
        options->new_shape = data;
        hoist_edgetpu_maker_step(l->m,
                                 &(hoist_edgetpu_step){TFLITE_OP_RESHAPE, inputs, 2, to, options});
    }
}

// Between uint8 and int8, or to another scale.
static void add_quantize(hoist_edgetpu_layers *l, uint32_t from, uint32_t to)
{
    const int32_t input = (int32_t)from;
    hoist_edgetpu_maker_step(l->m, &(hoist_edgetpu_step){TFLITE_OP_QUANTIZE, &input, 1, to, NULL});
}

// "layers/3/inputs/0/shape".
static hoist_str input_name(hoist_edgetpu_layers *l, uint32_t index, uint32_t input,
                            const char *what)
{
    return hoist_arena_format(l->m->arena, "%slayers/%u/inputs/%u/%s", l->prefix, index, input,
                              what);
}

// Each reader that needs another shape adds a RESHAPE of its own.
uint32_t hoist_edgetpu_layers_input(hoist_edgetpu_layers *l, uint32_t index, uint32_t input,
                                    const hoist_edgetpu_shape *shape)
{
    const uint32_t source = l->recovery->layers[index].inputs[input];
    const uint32_t tensor =
        source & DWN_MODEL_INPUT ? l->read[source & ~DWN_MODEL_INPUT] : l->values[source];
    if (l->m->failed) {
        return 0;
    }
    const hoist_edgetpu_shape found = hoist_edgetpu_maker_shape(l->m, tensor);
    if (hoist_edgetpu_same_shape(&found, shape)) {
        return tensor;
    }
    const uint32_t to = add_like(l, input_name(l, index, input, "reshaped"), tensor, shape);
    add_reshape(l, input_name(l, index, input, "shape"), tensor, to);
    return to;
}

// The tensor that a layer writes, in the type that all values of the model have.
static uint32_t add_value(hoist_edgetpu_layers *l, uint32_t index, const hoist_edgetpu_shape *shape)
{
    const hoist_edgetpu_draft draft = {
        .name = hoist_edgetpu_layers_name(l, index, ""),
        .type = l->m->type,
        .shape = *shape,
        .scales = &l->scales->layers[index].scale,
        .scale_count = 1,
        .zero = zero_of(l, l->recovery->layers[index].output_zero),
    };
    return hoist_edgetpu_maker_tensor(l->m, &draft);
}

// The operator writes the model's own output where type and shape agree; else its value, then
// RESHAPE and QUANTIZE as needed. Readers of the value get it before these.
void hoist_edgetpu_layers_finish(hoist_edgetpu_layers *l, uint32_t index,
                                 const hoist_edgetpu_step *step, const hoist_edgetpu_shape *shape)
{
    const uint32_t output = l->recovery->layers[index].output_layer;
    const uint32_t border = output == DWN_NONE ? 0 : l->outputs[output];
    if (l->m->failed) {
        return;
    }
    const hoist_edgetpu_shape expected = hoist_edgetpu_maker_shape(l->m, border);
    // Where the layer makes no output, tensor 0 is looked at and the result not used.
    const bool has_type = l->m->graph->tensors.items[border].type == (int8_t)l->m->type;
    const bool has_shape = hoist_edgetpu_same_shape(shape, &expected);
    const bool is_border = output != DWN_NONE && has_type && has_shape;
    uint32_t value = is_border ? border : add_value(l, index, shape);
    hoist_edgetpu_step own = *step;
    own.output = value;
    hoist_edgetpu_maker_step(l->m, &own);
    l->values[index] = value;
    if (output == DWN_NONE || is_border) {
        return;
    }
    if (!has_shape) {
        const uint32_t to =
            has_type ? border
                     : add_like(l, hoist_edgetpu_layers_name(l, index, "/out"), value, &expected);
        add_reshape(l, hoist_edgetpu_layers_name(l, index, "/out/shape"), value, to);
        value = to;
    }
    if (!has_type) {
        add_quantize(l, value, border);
    }
}

// Inputs of the model in the type of its values: an input of another type is quantised once, for
// all its readers.
static void add_inputs(hoist_edgetpu_layers *l)
{
    for (uint32_t i = 0; i < l->executable->input_layers.count && !l->m->failed; i++) {
        const uint32_t border = l->inputs[i];
        const hoist_edgetpu_shape shape = hoist_edgetpu_maker_shape(l->m, border);
        const dwn_numerics *numerics = l->executable->input_layers.items[i].numerics;
        l->read[i] = border;
        if (l->m->graph->tensors.items[border].type != (int8_t)l->m->type) {
            const hoist_edgetpu_draft draft = {
                .name = hoist_arena_format(l->m->arena, "%sinputs/%u", l->prefix, i),
                .type = l->m->type,
                .shape = shape,
                .scales = &numerics->dequantization_factor,
                .scale_count = 1,
                .zero = zero_of(l, (uint8_t)numerics->zero_point)};
            l->read[i] = hoist_edgetpu_maker_tensor(l->m, &draft);
            add_quantize(l, border, l->read[i]);
        }
    }
}

// The type is decided by recovery: signed where all weights have the zero point 128.
void hoist_edgetpu_layers_begin(hoist_edgetpu_layers *l)
{
    const uint32_t inputs = l->executable->input_layers.count;
    l->m->type = l->scales->is_signed ? TFLITE_INT8 : TFLITE_UINT8;
    l->values = hoist_edgetpu_maker_alloc(l->m, l->recovery->count * sizeof(*l->values));
    l->read = hoist_edgetpu_maker_alloc(l->m, inputs * sizeof(*l->read));
    add_inputs(l);
}
