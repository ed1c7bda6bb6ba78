// What the Edge TPU's compiler makes of an operator: geometry, zero points, multipliers and clamps
// by the formulas of darwinn reference sections 16.4 to 16.7, all in float32.
#include <math.h>

#include "base/span.h"
#include "edgetpu/source.h"
#include "formats/darwinn/recover_numbers.h"
#include "formats/tflite/options.h"

// Beyond these no tensor of the chip goes; bounded, so that products of them fit 64 bits.
enum { MAX_EXTENT = 1 << 20, MAX_TAPS = 1 << 12, MAX_FACTOR = 1 << 20 };

// Tensors ----------------------------------------------------------------------------------------

// How a tensor encodes its values: one scale and zero point, or one for each channel.
typedef struct quantities {
    hoist_bytes scales; // float32
    hoist_bytes zeros;  // int64
    uint32_t count;     // of both; 0: it is not quantised as the chip requires
    uint8_t shift;      // signed values are so much higher on the chip
} quantities;

// Tensors that are not of 8 bits have a count of 0, as the chip computes on nothing else.
static quantities quantities_of(const tflite_tensor *tensor)
{
    quantities q = {.count = 0};
    if (!tensor || !tensor->quantization ||
        (tensor->type != TFLITE_INT8 && tensor->type != TFLITE_UINT8)) {
        return q;
    }
    q.scales = tensor->quantization->scale;
    q.zeros = tensor->quantization->zero_point;
    q.shift = tensor->type == TFLITE_INT8 ? 128 : 0;
    const size_t count = hoist_fb_count(q.scales, sizeof(float));
    const bool fits = count == hoist_fb_count(q.zeros, sizeof(int64_t)) && count <= MAX_EXTENT;
    q.count = fits ? (uint32_t)count : 0;
    return q;
}

// One scale counts for all channels.
static float scale_at(const quantities *q, uint32_t index)
{
    return hoist_fb_f32(q->scales, q->count > 1 ? index : 0);
}

// As the chip has it: unsigned. Hostile zero points wrap instead of overflowing.
static uint8_t zero_at(const quantities *q, uint32_t index)
{
    return (uint8_t)((uint64_t)hoist_fb_i64(q->zeros, q->count > 1 ? index : 0) + q->shift);
}

// Height, width and channels; of another rank than 4 all elements are channels. False: no layer has
// such extents (none, more than 32 bits, a batch above 1).
static bool extent_of(const tflite_tensor *tensor, dwn_extent *out_extent)
{
    const uint32_t rank = tflite_count(tensor->shape);
    int64_t elements = 0;
    *out_extent = (dwn_extent){1, 1, 1};
    if (!tflite_elements(tensor, &elements) || elements < 1 || elements > UINT32_MAX) {
        return false;
    }
    if (rank != 4 || hoist_fb_i32(tensor->shape, 0) != 1) {
        out_extent->c = (uint32_t)elements;
        return rank < 4;
    }
    out_extent->h = (uint32_t)hoist_fb_i32(tensor->shape, 1);
    out_extent->w = (uint32_t)hoist_fb_i32(tensor->shape, 2);
    out_extent->c = (uint32_t)hoist_fb_i32(tensor->shape, 3);
    return true;
}

// Scales by their bits: -0.0 and NaN are never the same quantity as others.
bool hoist_edgetpu_source_is_same_quantity(const tflite_tensor *a, const tflite_tensor *b)
{
    float scales[2] = {0, 0};
    int64_t zeros[2] = {0, 0};
    if (!a || !b || !tflite_quantity(a, &scales[0], &zeros[0]) ||
        !tflite_quantity(b, &scales[1], &zeros[1])) {
        return false;
    }
    const int64_t shift = INT64_C(128) * ((a->type == TFLITE_INT8) - (b->type == TFLITE_INT8));
    return memcmp(&scales[0], &scales[1], sizeof(float)) == 0 &&
           (uint64_t)zeros[0] + (uint64_t)shift == (uint64_t)zeros[1];
}

// Expecting --------------------------------------------------------------------------------------

// Lives for one call of hoist_edgetpu_source_expect().
typedef struct expecting {
    const hoist_edgetpu_source_pair *s;
    const tflite_operator *op;
    int32_t code;                      // tflite_operator_number
    int8_t activation;                 // fused, or that of a RELU after the operator
    hoist_edgetpu_expected *out;       // zeroed at first: kind UNKNOWN
    quantities in[2], weights, output; // of the tensors in `out`
} expecting;

// NULL: the operator has no such input, or it was left out.
static const tflite_tensor *input_at(const expecting *e, uint32_t index)
{
    return hoist_edgetpu_source_tensor(e->s, e->op->inputs, index);
}

// Adds the rows and columns that a PAD puts at the top and left to the layer's padding; those at
// the other ends follow from the output. False: the amounts are no constant of 4 pairs.
static bool add_padding(expecting *e, const tflite_operator *pad)
{
    enum { TOP = 2, LEFT = 4, AMOUNTS = 8 }; // of pairs for each dimension
    const tflite_tensor *amounts = hoist_edgetpu_source_tensor(e->s, pad->inputs, 1);
    const hoist_bytes data = amounts && amounts->type == TFLITE_INT32
                                 ? tflite_buffer_data(e->s->module, amounts->buffer)
                                 : (hoist_bytes){NULL, 0};
    if (tflite_count(data) != AMOUNTS) {
        return false;
    }
    e->out->layer.padding[0] += (uint32_t)hoist_fb_i32(data, TOP);
    e->out->layer.padding[1] += (uint32_t)hoist_fb_i32(data, LEFT);
    return true;
}

// The compiler makes a PAD in front of a convolution the padding of its layer (reference 16.4): the
// layer then reads the PAD's input.
static void take_pad(expecting *e)
{
    const hoist_edgetpu_source_pair *s = e->s;
    const uint32_t index = s->writers[hoist_edgetpu_source_number(s, e->out->inputs[0])];
    const tflite_operator *pad = index == DWN_NONE ? NULL : s->operators[index].op;
    if (!pad || s->operators[index].state != HOIST_EDGETPU_SOURCE_OPEN ||
        hoist_edgetpu_source_code(s->module, pad) != TFLITE_OP_PAD) {
        return;
    }
    const tflite_tensor *from = hoist_edgetpu_source_tensor(s, pad->inputs, 0);
    if (from && add_padding(e, pad)) {
        e->out->inputs[0] = from;
        e->out->pad = index;
    }
}

// A RELU or RELU6 that alone reads the output is the layer's clamps: the output is then that of the
// RELU.
static void take_clamp(expecting *e)
{
    const hoist_edgetpu_source_pair *s = e->s;
    const uint32_t index = s->readers[hoist_edgetpu_source_number(s, e->out->output)];
    const tflite_operator *op = index == DWN_NONE ? NULL : s->operators[index].op;
    const int32_t code = op ? hoist_edgetpu_source_code(s->module, op) : -1;
    const tflite_tensor *clamped = op ? hoist_edgetpu_source_tensor(s, op->outputs, 0) : NULL;
    const bool is_open = op && s->operators[index].state == HOIST_EDGETPU_SOURCE_OPEN;
    const bool is_clamp = code == TFLITE_OP_RELU || code == TFLITE_OP_RELU6;
    if (is_open && is_clamp && clamped && e->activation == TFLITE_ACTIVATION_NONE) {
        e->activation = code == TFLITE_OP_RELU ? TFLITE_ACTIVATION_RELU : TFLITE_ACTIVATION_RELU6;
        e->out->output = clamped;
        e->out->clamp = index;
    }
}

// The activation by the names that recovery has. OTHER: the compiler's result for it is unknown.
static dwn_activation activation_of(int8_t activation)
{
    static const dwn_activation known[] = {
        [TFLITE_ACTIVATION_NONE] = DWN_ACTIVATION_NONE,
        [TFLITE_ACTIVATION_RELU] = DWN_ACTIVATION_RELU,
        [TFLITE_ACTIVATION_RELU_N1_TO_1] = DWN_ACTIVATION_RELU_1,
        [TFLITE_ACTIVATION_RELU6] = DWN_ACTIVATION_RELU_6,
    };
    return activation >= 0 && (size_t)activation < HOIST_COUNT_OF(known) ? known[activation]
                                                                         : DWN_ACTIVATION_OTHER;
}

// Zero points, extents and clamps, which all kinds have. False: the tensors are none of the chip's,
// or the activation is unknown.
static bool find_border(expecting *e)
{
    hoist_edgetpu_expected *out = e->out;
    dwn_recovered *layer = &out->layer;
    e->in[0] = quantities_of(out->inputs[0]);
    e->output = quantities_of(out->output);
    if (e->in[0].count != 1 || e->output.count != 1 || !extent_of(out->inputs[0], &layer->input) ||
        !extent_of(out->output, &layer->output)) {
        return false;
    }
    layer->input_zero = zero_at(&e->in[0], 0);
    layer->output_zero = zero_at(&e->output, 0);
    const dwn_activation activation = activation_of(e->activation);
    const dwn_clamps clamps =
        dwn_clamps_of(activation, scale_at(&e->output, 0), layer->output_zero);
    layer->low = clamps.low;
    layer->high = clamps.high;
    return activation != DWN_ACTIVATION_OTHER;
}

// Takes extents out of the constants that are compared: instructions do not contain those of a
// dense layer's input, nor rows and columns of a flat tensor.
static void forget_extents(expecting *e, bool is_flat)
{
    const uint64_t inputs = DWN_CONSTANT_BIT(DWN_CONSTANT_INPUT_HEIGHT) |
                            DWN_CONSTANT_BIT(DWN_CONSTANT_INPUT_WIDTH) |
                            DWN_CONSTANT_BIT(DWN_CONSTANT_INPUT_CHANNELS);
    const uint64_t outputs = DWN_CONSTANT_BIT(DWN_CONSTANT_OUTPUT_HEIGHT) |
                             DWN_CONSTANT_BIT(DWN_CONSTANT_OUTPUT_WIDTH) |
                             DWN_CONSTANT_BIT(DWN_CONSTANT_OUTPUT_CHANNELS);
    e->out->constants &= ~(inputs | (is_flat ? outputs : 0));
}

// Products ---------------------------------------------------------------------------------------

// Strides, dilations and the kind of padding, by rows and columns.
typedef struct window {
    int32_t stride[2], dilation[2];
    int8_t padding;
} window;

// Sets what a window says, SAME padding included. False: no compiled layer has such numbers. PADs
// in front are added later.
static bool set_window(expecting *e, const window *w)
{
    dwn_recovered *layer = &e->out->layer;
    const uint32_t in[2] = {layer->input.h, layer->input.w};
    const uint32_t out[2] = {layer->output.h, layer->output.w};
    for (int axis = 0; axis < 2; axis++) {
        const int32_t s = w->stride[axis];
        const int32_t d = w->dilation[axis];
        if (s < 1 || s > MAX_EXTENT || d < 1 || d > MAX_EXTENT || layer->kernel[axis] < 1 ||
            layer->kernel[axis] > MAX_TAPS) {
            return false;
        }
        // Rows or columns that a window spans.
        const int64_t reach = ((int64_t)layer->kernel[axis] - 1) * d + 1;
        const int64_t total = ((int64_t)out[axis] - 1) * s + reach - in[axis];
        layer->stride[axis] = (uint32_t)s;
        layer->dilation[axis] = (uint32_t)d;
        layer->padding[axis] =
            w->padding == TFLITE_PADDING_SAME && total > 0 ? (uint32_t)(total / 2) : 0;
        if (out[axis] == 1) { // there is no second window, so its distance is unknown
            e->out->constants &= ~DWN_CONSTANT_BIT(DWN_CONSTANT_STRIDE_HEIGHT + axis);
        }
    }
    return true;
}

// Weights as the chip has them: unsigned, and those of a depthwise layer of one input channel
// ordered as a convolution's (`is_spread`: [taps][rows] to [rows][taps]).
static hoist_status set_weights(expecting *e, hoist_bytes data, bool is_spread)
{
    dwn_recovered *layer = &e->out->layer;
    layer->weights = data.data;
    layer->weight_count = data.size;
    if (!is_spread && e->weights.shift == 0) {
        return HOIST_OK;
    }
    // Borrowed from the file where nothing changes.
    uint8_t *weights = hoist_arena_alloc(e->s->arena, data.size);
    if (!weights) {
        return HOIST_NO_MEMORY;
    }
    const size_t taps = data.size / layer->rows;
    for (size_t i = 0; i < data.size; i++) {
        const size_t at = is_spread ? i % layer->rows * taps + i / layer->rows : i;
        weights[at] = data.data[i] ^ e->weights.shift; // flips the top bit of int8
    }
    layer->weights = weights;
    return HOIST_OK;
}

// Scales of multipliers. Where weights have one scale, TFLite rounds its product with the input's
// to float32, but for convolutions of int8 (kernels reference section 3).
static hoist_status set_scales(expecting *e)
{
    const uint32_t rows = e->out->layer.rows;
    const bool rounds =
        e->weights.count == 1 && (e->code == TFLITE_OP_FULLY_CONNECTED || e->in[0].shift == 0);
    float *scales = hoist_arena_array(e->s->arena, rows, sizeof(*scales));
    for (uint32_t row = 0; scales && row < rows; row++) {
        scales[row] = scale_at(&e->weights, row);
    }
    e->out->ends = (dwn_ends){.in = scale_at(&e->in[0], 0),
                              .out = scale_at(&e->output, 0),
                              .rounding = rounds ? DWN_ROUNDS_PRODUCT : DWN_ROUNDS_NOTHING};
    e->out->weight_scales = scales;
    return scales ? HOIST_OK : HOIST_NO_MEMORY;
}

// Multiplier, zero point and bias of each output channel; arrays only where weights have several
// scales, as in parameter blocks.
static hoist_status set_rows(expecting *e, hoist_bytes bias)
{
    dwn_recovered *layer = &e->out->layer;
    const bool by_row = e->weights.count > 1;
    float *multipliers = hoist_arena_array(e->s->arena, layer->rows, sizeof(float));
    uint8_t *zeros = hoist_arena_alloc(e->s->arena, layer->rows);
    int32_t *sums = hoist_arena_array(e->s->arena, layer->rows, sizeof(int32_t));
    if (!multipliers || !zeros || !sums) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t row = 0; row < layer->rows; row++) {
        multipliers[row] = dwn_multiplier_of(scale_at(&e->in[0], 0), scale_at(&e->weights, row),
                                             scale_at(&e->output, 0));
        zeros[row] = zero_at(&e->weights, row);
        sums[row] = bias.size ? hoist_fb_i32(bias, row) : 0;
    }
    layer->multipliers = by_row ? multipliers : NULL;
    layer->weight_zeros = by_row ? zeros : NULL;
    layer->multiplier = multipliers[0];
    layer->weight_zero = zeros[0];
    layer->bias = bias.size ? sums : NULL;
    return set_scales(e);
}

// Everything that follows from weights and bias; `rows_at` is the dimension of output channels. The
// kind becomes UNKNOWN when they are not as a compiled layer has them: no constants, other sizes.
static hoist_status set_product(expecting *e, uint32_t rows_at, bool is_spread)
{
    dwn_recovered *layer = &e->out->layer;
    const tflite_tensor *weights = input_at(e, 1);
    const tflite_tensor *bias = input_at(e, 2);
    const hoist_bytes data = tflite_buffer_data(e->s->module, weights->buffer);
    const hoist_bytes sums =
        bias ? tflite_buffer_data(e->s->module, bias->buffer) : (hoist_bytes){NULL, 0};
    uint64_t size = 0;
    e->weights = quantities_of(weights);
    layer->rows = (uint32_t)hoist_fb_i32(weights->shape, rows_at);
    const bool fits = tflite_bytes(weights, &size) && size == data.size && size > 0 &&
                      (e->weights.count == 1 || e->weights.count == layer->rows) &&
                      (!bias || (bias->type == TFLITE_INT32 && tflite_count(sums) == layer->rows));
    if (!fits) {
        layer->kind = DWN_KIND_UNKNOWN;
        return HOIST_OK;
    }
    HOIST_TRY(set_weights(e, data, is_spread));
    return set_rows(e, sums);
}

// A product without constant weights is no layer of the chip.
static bool has_weights(const expecting *e, uint32_t rank)
{
    const tflite_tensor *weights = input_at(e, 1);
    return weights && tflite_count(weights->shape) == rank;
}

// The window of a layer by its operator's options. False: they are not there.
// Absent options are no defaults here: a convolution with a stride of 0 is none.
static bool read_window(expecting *e, window *w)
{
    const hoist_fb_union *any = &e->op->builtin_options;
    if (e->code == TFLITE_OP_CONV_2D && any->type == TFLITE_OPTIONS_Conv2D && any->value) {
        const tflite_conv2d_options *o = any->value;
        *w = (window){
            {o->stride_h, o->stride_w}, {o->dilation_h_factor, o->dilation_w_factor}, o->padding};
        e->activation = o->fused_activation_function;
        return true;
    }
    if (any->type == TFLITE_OPTIONS_DepthwiseConv2D && any->value) {
        const tflite_depthwise_conv2d_options *o = any->value;
        *w = (window){
            {o->stride_h, o->stride_w}, {o->dilation_h_factor, o->dilation_w_factor}, o->padding};
        e->activation = o->fused_activation_function;
        return e->code == TFLITE_OP_DEPTHWISE_CONV_2D;
    }
    return false;
}

// A convolution whose one window is its entire input: the compiler emits a dense layer.
static bool reads_all_at_once(const dwn_recovered *layer)
{
    return layer->output.h == 1 && layer->output.w == 1 && layer->padding[0] == 0 &&
           layer->padding[1] == 0 && layer->kernel[0] == layer->input.h &&
           layer->kernel[1] == layer->input.w;
}

// The order matters: clamps before the border (which needs the output), SAME padding before the PAD
// is added to it, the input's extent after that.
static hoist_status expect_convolution(expecting *e)
{
    enum { RANK = 4, OUTPUTS = 0, CHANNELS = 3 };
    dwn_recovered *layer = &e->out->layer;
    const bool is_depthwise = e->code == TFLITE_OP_DEPTHWISE_CONV_2D;
    window w = {.padding = 0};
    if (!has_weights(e, RANK) || !read_window(e, &w)) {
        return HOIST_OK;
    }
    take_clamp(e);
    const bool is_bordered = find_border(e);
    const hoist_bytes shape = input_at(e, 1)->shape;
    layer->kernel[0] = (uint32_t)hoist_fb_i32(shape, 1);
    layer->kernel[1] = (uint32_t)hoist_fb_i32(shape, 2);
    if (!is_bordered || !set_window(e, &w)) {
        return HOIST_OK;
    }
    take_pad(e);
    if (!extent_of(e->out->inputs[0], &layer->input)) {
        return HOIST_OK;
    }
    const bool is_spread = is_depthwise && layer->input.c == 1;
    layer->kind = is_depthwise && !is_spread ? DWN_KIND_DEPTHWISE : DWN_KIND_CONVOLUTION;
    if (layer->kind == DWN_KIND_CONVOLUTION && reads_all_at_once(layer)) {
        layer->kind = DWN_KIND_DENSE;
        forget_extents(e, false);
    }
    return set_product(e, is_depthwise ? CHANNELS : OUTPUTS, is_spread);
}

// Shuffled weights belong to the CPU's kernels alone.
static hoist_status expect_dense(expecting *e)
{
    enum { RANK = 2, OUTPUTS = 0 };
    const hoist_fb_union *any = &e->op->builtin_options;
    const tflite_fully_connected_options *o = any->value;
    if (!has_weights(e, RANK) || !o || any->type != TFLITE_OPTIONS_FullyConnected ||
        o->weights_format != 0) {
        return HOIST_OK;
    }
    e->activation = o->fused_activation_function;
    take_clamp(e);
    if (!find_border(e)) {
        return HOIST_OK;
    }
    e->out->layer.kind = DWN_KIND_DENSE;
    HOIST_TRY(set_product(e, OUTPUTS, false));
    forget_extents(e, false);
    return HOIST_OK;
}

// Others -----------------------------------------------------------------------------------------

// The multiplier is that of a product whose weights are all 1 / taps. [observed in the five models
// with pools]
static hoist_status expect_pool(expecting *e, dwn_layer_kind kind)
{
    const hoist_fb_union *any = &e->op->builtin_options;
    const tflite_pool2d_options *o = any->value;
    dwn_recovered *layer = &e->out->layer;
    if (!o || any->type != TFLITE_OPTIONS_Pool2D) {
        return HOIST_OK;
    }
    e->activation = o->fused_activation_function;
    take_clamp(e);
    const bool is_bordered = find_border(e);
    const window w = {{o->stride_h, o->stride_w}, {1, 1}, o->padding};
    layer->kernel[0] = (uint32_t)o->filter_height;
    layer->kernel[1] = (uint32_t)o->filter_width;
    if (is_bordered && set_window(e, &w)) {
        const float share = 1.0f / (float)(layer->kernel[0] * layer->kernel[1]);
        layer->kind = kind;
        layer->multiplier =
            dwn_multiplier_of(scale_at(&e->in[0], 0), share, scale_at(&e->output, 0));
    }
    return HOIST_OK;
}

// The axes of the reduction are rows and columns of an image, in any order or sign.
static bool reduces_image(const expecting *e)
{
    const tflite_tensor *axes = input_at(e, 1);
    const tflite_tensor *image = e->out->inputs[0];
    const bool has_axes = axes && image && axes->type == TFLITE_INT32;
    const hoist_bytes data =
        has_axes ? tflite_buffer_data(e->s->module, axes->buffer) : (hoist_bytes){NULL, 0};
    uint32_t seen = 0; // bits of axes
    for (uint32_t i = 0; i < tflite_count(data); i++) {
        const int32_t axis = hoist_fb_i32(data, i);
        const int32_t place = axis < 0 ? axis + 4 : axis;
        seen |= place >= 0 && place < 4 ? 1u << place : 1u << 4;
    }
    return has_axes && tflite_count(image->shape) == 4 && seen == 6; // bits 1 and 2
}

// A mean over all pixels is an average pool of one window, whose stride does not exist.
static hoist_status expect_mean(expecting *e)
{
    dwn_recovered *layer = &e->out->layer;
    if (reduces_image(e) && find_border(e)) {
        const float share = 1.0f / ((float)layer->input.h * (float)layer->input.w);
        const uint64_t strides = DWN_CONSTANT_BIT(DWN_CONSTANT_STRIDE_HEIGHT) |
                                 DWN_CONSTANT_BIT(DWN_CONSTANT_STRIDE_WIDTH);
        layer->kind = DWN_KIND_AVERAGE_POOL;
        layer->kernel[0] = layer->input.h;
        layer->kernel[1] = layer->input.w;
        layer->multiplier =
            dwn_multiplier_of(scale_at(&e->in[0], 0), share, scale_at(&e->output, 0));
        e->out->constants &= ~strides;
    }
    return HOIST_OK;
}

// Two operands, in the operator's order, which the compiler may exchange. False: one is none of the
// chip's.
static bool find_operands(expecting *e)
{
    hoist_edgetpu_expected *out = e->out;
    const hoist_fb_union *any = &e->op->builtin_options;
    const tflite_add_options *add = any->type == TFLITE_OPTIONS_Add ? any->value : NULL;
    const tflite_fused_options *mul = any->type == TFLITE_OPTIONS_Mul ? any->value : NULL;
    e->activation = add   ? add->fused_activation_function
                    : mul ? mul->fused_activation_function
                          : TFLITE_ACTIVATION_NONE;
    take_clamp(e);
    out->inputs[1] = input_at(e, 1);
    e->in[1] = quantities_of(out->inputs[1]);
    if (e->in[1].count != 1 || !find_border(e)) {
        return false;
    }
    out->layer.second_zero = zero_at(&e->in[1], 0);
    forget_extents(e, false);
    return true;
}

// Products have a multiplier; that of a sum is set by hoist_edgetpu_source_settle(), since the
// compiler chooses one.
static hoist_status expect_pair(expecting *e, dwn_layer_kind kind)
{
    if (find_operands(e)) {
        e->out->layer.kind = kind;
        e->out->layer.multiplier = dwn_multiplier_of(scale_at(&e->in[0], 0), scale_at(&e->in[1], 0),
                                                     scale_at(&e->output, 0));
    }
    return HOIST_OK;
}

// k = round(s / (s_out * M)), the integer factor of an operand of a sum; 0 where it is out of
// range.
static int32_t factor_of(const tflite_tensor *input, const tflite_tensor *output, float multiplier)
{
    const quantities in = quantities_of(input);
    const quantities out = quantities_of(output);
    const double factor =
        (double)scale_at(&in, 0) / ((double)scale_at(&out, 0) * (double)multiplier);
    return factor > -MAX_FACTOR && factor < MAX_FACTOR ? (int32_t)lrint(factor) : 0;
}

// An average pool in two passes (rows, then columns) has a multiplier of two shares, and the clamps
// of an 8-bit output are no limits of their own.
static void settle_passes(const hoist_edgetpu_expected *expected, dwn_recovered *layer)
{
    const quantities in = quantities_of(expected->inputs[0]);
    const quantities out = quantities_of(expected->output);
    const float low = (float)(0 - layer->output_zero);
    const float high = (float)(UINT8_MAX - layer->output_zero);
    const float shares[2] = {1.0f / (float)layer->kernel[0], 1.0f / (float)layer->kernel[1]};
    layer->low = rintf(layer->low) == low ? low : layer->low;
    layer->high = rintf(layer->high) == high ? high : layer->high;
    if (scale_at(&in, 0) == scale_at(&out, 0)) {
        layer->multiplier = shares[0] * shares[1];
    }
}

void hoist_edgetpu_source_settle(const dwn_recovered *found, bool is_exchanged,
                                 hoist_edgetpu_expected *expected)
{
    dwn_recovered *layer = &expected->layer;
    if (is_exchanged) {
        const tflite_tensor *first = expected->inputs[0];
        const uint8_t zero = layer->input_zero;
        expected->inputs[0] = expected->inputs[1];
        expected->inputs[1] = first;
        layer->input_zero = layer->second_zero;
        layer->second_zero = zero;
    }
    if (layer->kind == DWN_KIND_AVERAGE_POOL && found->is_in_passes) {
        settle_passes(expected, layer);
    }
    if (layer->kind == DWN_KIND_ADD) {
        layer->multiplier = found->multiplier; // the compiler's choice, which no rule is known for
        for (int i = 0; i < 2; i++) {
            layer->factors[i] = factor_of(expected->inputs[i], expected->output, found->multiplier);
        }
        layer->constant =
            -(layer->factors[0] * layer->input_zero + layer->factors[1] * layer->second_zero);
    }
}

// Kinds without constants other than zero points and clamps.
static hoist_status expect_flat(expecting *e, dwn_layer_kind kind)
{
    if (find_border(e)) {
        e->out->layer.kind = kind;
        e->out->layer.scale = scale_at(&e->in[0], 0);
        forget_extents(e, kind != DWN_KIND_UPSAMPLE && kind != DWN_KIND_NEAREST);
    }
    return HOIST_OK;
}

// With align_corners pixels are not repeated equally often, which no layer does.
static hoist_status expect_nearest(expecting *e)
{
    const hoist_fb_union *any = &e->op->builtin_options;
    const tflite_resize_nearest_options *o =
        any->type == TFLITE_OPTIONS_ResizeNearestNeighbor ? any->value : NULL;
    return o && o->align_corners ? HOIST_OK : expect_flat(e, DWN_KIND_NEAREST);
}

// Layers that map each value by itself: one factor, no extents.
static void set_mapping(expecting *e, dwn_layer_kind kind)
{
    const float to = kind == DWN_KIND_LOGISTIC ? 1 : scale_at(&e->output, 0);
    e->out->layer.kind = kind;
    e->out->layer.multiplier = dwn_multiplier_of(scale_at(&e->in[0], 0), 1, to);
    forget_extents(e, true);
}

// QUANTIZE; one that changes neither scale nor zero point is no layer.
static hoist_status expect_quantize(expecting *e)
{
    if (!hoist_edgetpu_source_is_same_quantity(e->out->inputs[0], e->out->output) &&
        find_border(e)) {
        set_mapping(e, DWN_KIND_QUANTIZE);
    }
    return HOIST_OK;
}

static hoist_status expect_logistic(expecting *e)
{
    if (find_border(e)) {
        set_mapping(e, DWN_KIND_LOGISTIC);
    }
    return HOIST_OK;
}

// How a concatenation joins: along channels, the last axis, or along rows, where all dimensions
// before the axis are 1. NEITHER is no layer.
static uint8_t joined_by(const expecting *e)
{
    enum { CHANNELS = 0, IN_ROWS = 1, NEITHER = 2 };
    const hoist_fb_union *any = &e->op->builtin_options;
    const tflite_concatenation_options *o =
        any->type == TFLITE_OPTIONS_Concatenation ? any->value : NULL;
    const int64_t rank = tflite_count(e->out->output->shape);
    const int64_t axis = o && o->axis < 0 ? o->axis + rank : o ? o->axis : rank - 1;
    for (int64_t i = 0; i < axis && axis < rank - 1; i++) {
        if (hoist_fb_i32(e->out->output->shape, (size_t)i) != 1) {
            return NEITHER;
        }
    }
    return axis < rank - 1 ? IN_ROWS : CHANNELS;
}

// CONCATENATION. The layer reads values with its own scale: inputs of another are scaled by layers
// before it (source_join.c).
static hoist_status expect_concatenation(expecting *e)
{
    HOIST_TRY(expect_flat(e, DWN_KIND_CONCATENATION));
    e->out->layer.input_zero = e->out->layer.output_zero;
    e->out->layer.is_in_rows = joined_by(e);
    return HOIST_OK;
}

void hoist_edgetpu_source_expect_scaling(const hoist_edgetpu_source_pair *s,
                                         const hoist_edgetpu_source_operator *op, uint32_t index,
                                         hoist_edgetpu_expected *out)
{
    *out = (hoist_edgetpu_expected){.constants = UINT64_MAX, .pad = DWN_NONE, .clamp = DWN_NONE};
    expecting e = {.s = s, .op = op->op, .out = out};
    out->inputs[0] = input_at(&e, index);
    out->output = hoist_edgetpu_source_tensor(s, op->op->outputs, 0);
    if (out->inputs[0] && out->output && find_border(&e)) {
        set_mapping(&e, DWN_KIND_QUANTIZE);
    }
    out->constants &= dwn_constants_of(out->layer.kind);
}

// A PAD that no layer takes over.
static hoist_status expect_pad(expecting *e)
{
    if (find_border(e) && add_padding(e, e->op)) {
        e->out->layer.kind = DWN_KIND_PAD;
    }
    return HOIST_OK;
}

// Rows, columns and channels in another order; what becomes of the extents of the output is not
// said, as a RESHAPE may come after it.
static hoist_status expect_transpose(expecting *e)
{
    enum { RANK = 4, BASE = 10 };
    const tflite_tensor *axes = input_at(e, 1);
    const hoist_bytes data = axes && axes->type == TFLITE_INT32
                                 ? tflite_buffer_data(e->s->module, axes->buffer)
                                 : (hoist_bytes){NULL, 0};
    uint32_t order = 0;
    if (tflite_count(data) != RANK || hoist_fb_i32(data, 0) != 0 ||
        tflite_count(e->out->inputs[0]->shape) != RANK || !find_border(e)) {
        return HOIST_OK;
    }
    for (size_t i = 1; i < RANK; i++) {
        const int32_t axis = hoist_fb_i32(data, i);
        if (axis < 1 || axis >= RANK) {
            return HOIST_OK;
        }
        order = order * BASE + (uint32_t)axis - 1;
    }
    forget_extents(e, true);
    e->out->layer.kind = DWN_KIND_TRANSPOSE;
    e->out->layer.order = (uint8_t)order;
    return HOIST_OK;
}

// One function for each operator that the compiler is known to take; others stay UNKNOWN.
static hoist_status expect_kind(expecting *e)
{
    switch (e->code) {
    case TFLITE_OP_CONV_2D:
    case TFLITE_OP_DEPTHWISE_CONV_2D:
        return expect_convolution(e);
    case TFLITE_OP_FULLY_CONNECTED:
        return expect_dense(e);
    case TFLITE_OP_AVERAGE_POOL_2D:
        return expect_pool(e, DWN_KIND_AVERAGE_POOL);
    case TFLITE_OP_MAX_POOL_2D:
        return expect_pool(e, DWN_KIND_MAX_POOL);
    case TFLITE_OP_MEAN:
        return expect_mean(e);
    case TFLITE_OP_ADD:
        return expect_pair(e, DWN_KIND_ADD);
    case TFLITE_OP_MUL:
        return expect_pair(e, DWN_KIND_MULTIPLY);
    case TFLITE_OP_SOFTMAX:
        return expect_flat(e, DWN_KIND_SOFTMAX);
    case TFLITE_OP_RESIZE_BILINEAR:
        return expect_flat(e, DWN_KIND_UPSAMPLE);
    case TFLITE_OP_RESIZE_NEAREST_NEIGHBOR:
        return expect_nearest(e);
    case TFLITE_OP_CONCATENATION:
        return expect_concatenation(e);
    case TFLITE_OP_RESHAPE:
        return expect_flat(e, DWN_KIND_GATHER);
    case TFLITE_OP_PAD:
        return expect_pad(e);
    case TFLITE_OP_TRANSPOSE:
        return expect_transpose(e);
    case TFLITE_OP_QUANTIZE:
        return expect_quantize(e);
    case TFLITE_OP_LOGISTIC:
        return expect_logistic(e);
    default:
        return HOIST_OK;
    }
}

// A layer with kind UNKNOWN and status HOIST_OK: nothing is known of such operators, or not of this
// one.
hoist_status hoist_edgetpu_source_expect(const hoist_edgetpu_source_pair *s, uint32_t op,
                                         hoist_edgetpu_expected *out)
{
    *out = (hoist_edgetpu_expected){.constants = UINT64_MAX, .pad = DWN_NONE, .clamp = DWN_NONE};
    dwn_recovered *layer = &out->layer;
    layer->kernel[0] = layer->kernel[1] = 1;
    layer->stride[0] = layer->stride[1] = 1;
    layer->dilation[0] = layer->dilation[1] = 1;
    expecting e = {.s = s, .op = s->operators[op].op, .out = out};
    e.code = hoist_edgetpu_source_code(s->module, e.op);
    out->inputs[0] = input_at(&e, 0);
    out->output = hoist_edgetpu_source_tensor(s, e.op->outputs, 0);
    if (out->inputs[0] && out->output) {
        HOIST_TRY(expect_kind(&e));
    }
    out->constants &= dwn_constants_of(layer->kind);
    if (layer->kind == DWN_KIND_ADD) {
        out->constants &= ~DWN_CONSTANT_BIT(DWN_CONSTANT_MULTIPLIER);
    }
    return HOIST_OK;
}
