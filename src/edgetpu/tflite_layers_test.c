// Recovered layers as operators of a TFLite graph: each kind, and what has no form there.
#include "base/alloc.h"
#include "base/buffer.h"
#include "base/span.h"
#include "edgetpu/tflite_layers.h"
#include "formats/tflite/tflite_testing.h"

enum { LAYERS = 3, WEIGHTS = 4096 };
#define INPUT DWN_MODEL_INPUT

// A layer in the making; what is 0 is that of a window of one, and of limits that cut nothing off.
typedef struct sketch {
    dwn_layer_kind kind;
    uint32_t inputs[2];
    dwn_extent in, out;
    uint32_t kernel[2], stride[2], dilation[2], padding[2];
    float multiplier;
    float low, high;
    uint8_t zero;
    int32_t factors[2];
    bool has_rows, has_bias, is_in_rows;
    uint8_t order;
    uint32_t first;
} sketch;

typedef struct plan {
    const char *name;
    dwn_extent image;
    hoist_edgetpu_shape output; // of the graph
    bool is_signed;             // the graph's tensors
    uint8_t weight_zero;        // 128: layers are of int8
    sketch layers[LAYERS];
    const char *want; // operators and shapes of what they make; or why there are none
} plan;

#define SQUARE(n)                                                                                  \
    {                                                                                              \
        (n), (n)                                                                                   \
    }

// clang-format off
static const plan plans[] = {
    {"same", {8, 8, 3}, {4, {1, 4, 4, 4}}, false, 7,
     {{.kind = DWN_KIND_CONVOLUTION, .inputs = {INPUT}, .in = {8, 8, 3}, .out = {4, 4, 4}, .kernel = SQUARE(3), .stride = SQUARE(2), .has_bias = true}},
     "CONV_2D 1,4,4,4 (3) of 3,3 by 2,2;"},
    {"valid", {8, 8, 3}, {4, {1, 6, 6, 4}}, false, 7,
     {{.kind = DWN_KIND_CONVOLUTION, .inputs = {INPUT}, .in = {8, 8, 3}, .out = {6, 6, 4}, .kernel = SQUARE(3)}},
     "CONV_2D 1,6,6,4 (3) of 3,3 by 1,1;"},
    {"higher than wide", {8, 9, 3}, {4, {1, 4, 8, 4}}, false, 7,
     {{.kind = DWN_KIND_CONVOLUTION, .inputs = {INPUT}, .in = {8, 9, 3}, .out = {4, 8, 4}, .kernel = {5, 2}}},
     "CONV_2D 1,4,8,4 (3) of 5,2 by 1,1;"},
    {"wider than high", {8, 9, 4}, {4, {1, 7, 3, 4}}, false, 7,
     {{.kind = DWN_KIND_DEPTHWISE, .inputs = {INPUT}, .in = {8, 9, 4}, .out = {7, 3, 4}, .kernel = {2, 3}, .stride = {1, 3}}},
     "DEPTHWISE_CONV_2D 1,7,3,4 (2) of 2,3 by 1,3;"},
    {"padded above", {8, 8, 4}, {4, {1, 4, 6, 4}}, false, 7,
     {{.kind = DWN_KIND_DEPTHWISE, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {4, 6, 4}, .kernel = SQUARE(3), .stride = {2, 1}, .padding = {1, 0}}},
     "PAD 1,9,8,4 (2);DEPTHWISE_CONV_2D 1,4,6,4 (2) of 3,3 by 2,1;"},
    {"windows beyond the right", {8, 8, 3}, {4, {1, 6, 5, 4}}, false, 7,
     {{.kind = DWN_KIND_CONVOLUTION, .inputs = {INPUT}, .in = {8, 8, 3}, .out = {6, 5, 4}, .kernel = SQUARE(3)}},
     "layer 0 (convolution): its windows do not give its output"},
    {"pool that is wider than high", {8, 8, 4}, {4, {1, 4, 2, 4}}, false, 7,
     {{.kind = DWN_KIND_AVERAGE_POOL, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {4, 2, 4}, .kernel = {2, 4}, .stride = {2, 4}, .multiplier = 0x1p-3F}},
     "AVERAGE_POOL_2D 1,4,2,4 (1) of 2,4 by 2,4;"},
    {"padded in front", {8, 8, 4}, {4, {1, 4, 4, 4}}, false, 7,
     {{.kind = DWN_KIND_DEPTHWISE, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {4, 4, 4}, .kernel = SQUARE(3), .stride = SQUARE(2), .padding = SQUARE(1)}},
     "PAD 1,9,9,4 (2);DEPTHWISE_CONV_2D 1,4,4,4 (2) of 3,3 by 2,2;"},
    {"dilated", {8, 8, 4}, {4, {1, 8, 8, 4}}, true, 128,
     {{.kind = DWN_KIND_DEPTHWISE, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {8, 8, 4}, .kernel = SQUARE(3), .dilation = SQUARE(2), .padding = SQUARE(2), .has_rows = true, .has_bias = true}},
     "DEPTHWISE_CONV_2D 1,8,8,4 (3) of 3,3 by 1,1 apart 2,2;"},
    {"windows beyond the image", {8, 8, 3}, {4, {1, 2, 2, 4}}, false, 7,
     {{.kind = DWN_KIND_CONVOLUTION, .inputs = {INPUT}, .in = {8, 8, 3}, .out = {2, 2, 4}, .kernel = SQUARE(3)}},
     "layer 0 (convolution): its windows do not give its output"},
    {"dense", {2, 2, 4}, {2, {1, 4}}, false, 7,
     {{.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {2, 2, 4}, .out = {1, 1, 4}, .has_bias = true}},
     "RESHAPE 1,16 (2);FULLY_CONNECTED 1,4 (3);"},
    {"types and shapes of the border", {2, 2, 4}, {4, {1, 1, 1, 4}}, false, 128,
     {{.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {2, 2, 4}, .out = {1, 1, 4}}},
     "QUANTIZE 1,2,2,4 (1);RESHAPE 1,16 (2);FULLY_CONNECTED 1,4 (2);RESHAPE 1,1,1,4 (2);QUANTIZE 1,1,1,4 (1);"},
    {"pool", {8, 8, 4}, {4, {1, 2, 2, 4}}, false, 7,
     {{.kind = DWN_KIND_AVERAGE_POOL, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {2, 2, 4}, .kernel = SQUARE(4), .stride = SQUARE(4), .multiplier = 0x1p-4F}},
     "AVERAGE_POOL_2D 1,2,2,4 (1) of 4,4 by 4,4;"},
    {"pool of another scale", {8, 8, 4}, {4, {1, 2, 2, 4}}, false, 7,
     {{.kind = DWN_KIND_AVERAGE_POOL, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {2, 2, 4}, .kernel = SQUARE(4), .stride = SQUARE(4), .multiplier = 0x1p-3F}},
     "layer 0 (average pool): input and output have different scales"},
    {"pool of all pixels of another scale", {8, 4, 4}, {2, {1, 4}}, false, 7,
     {{.kind = DWN_KIND_AVERAGE_POOL, .inputs = {INPUT}, .in = {8, 4, 4}, .out = {1, 1, 4}, .kernel = {8, 4}, .stride = {8, 4}, .multiplier = 0x1p-4F},
      {.kind = DWN_KIND_DENSE, .inputs = {0}, .in = {1, 1, 4}, .out = {1, 1, 4}, .has_bias = true}},
     "MEAN 1,1,1,4 (2);RESHAPE 1,4 (2);FULLY_CONNECTED 1,4 (3);"},
    {"maximum, same", {8, 8, 4}, {4, {1, 8, 4, 4}}, false, 7,
     {{.kind = DWN_KIND_MAX_POOL, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {8, 4, 4}, .kernel = SQUARE(3), .stride = {1, 2}, .padding = {1, 0}}},
     "MAX_POOL_2D 1,8,4,4 (1) of 3,3 by 1,2;"},
    {"maximum, valid", {8, 8, 4}, {4, {1, 6, 3, 4}}, false, 7,
     {{.kind = DWN_KIND_MAX_POOL, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {6, 3, 4}, .kernel = SQUARE(3), .stride = {1, 2}}},
     "MAX_POOL_2D 1,6,3,4 (1) of 3,3 by 1,2;"},
    {"maximum, padded otherwise", {8, 8, 4}, {4, {1, 7, 4, 4}}, false, 7,
     {{.kind = DWN_KIND_MAX_POOL, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {7, 4, 4}, .kernel = SQUARE(3), .stride = {1, 2}, .padding = {1, 0}}},
     "layer 0 (max pool): its padding is neither SAME nor VALID"},
    {"sum and product", {4, 4, 4}, {4, {1, 4, 4, 4}}, true, 128,
     {{.kind = DWN_KIND_MULTIPLY, .inputs = {INPUT, INPUT}, .in = {4, 4, 4}, .out = {4, 4, 4}, .multiplier = 0.25F},
      {.kind = DWN_KIND_ADD, .inputs = {INPUT, 0}, .in = {4, 4, 4}, .out = {4, 4, 4}, .multiplier = 0x1p-10F, .factors = {1024, 2048}}},
     "MUL 1,4,4,4 (2) of 4,4;ADD 1,4,4,4 (2) of 4,4;"},
    {"a sum of other factors", {4, 4, 4}, {4, {1, 4, 4, 4}}, true, 128,
     {{.kind = DWN_KIND_ADD, .inputs = {INPUT, INPUT}, .in = {4, 4, 4}, .out = {4, 4, 4}, .multiplier = 0x1p-10F, .factors = {1024, 2048}}},
     "layer 0 (add): no scales go with its factors"},
    {"softmax", {1, 1, 10}, {2, {1, 10}}, false, 7,
     {{.kind = DWN_KIND_SOFTMAX, .inputs = {INPUT}, .in = {1, 1, 10}, .out = {1, 1, 10}}},
     "RESHAPE 1,10 (2);SOFTMAX 1,10 (1) times 1;"},
    {"another scale and back", {2, 2, 4}, {4, {1, 2, 2, 4}}, false, 7,
     {{.kind = DWN_KIND_QUANTIZE, .inputs = {INPUT}, .in = {2, 2, 4}, .out = {2, 2, 4}, .multiplier = 0.25F},
      {.kind = DWN_KIND_QUANTIZE, .inputs = {0}, .in = {2, 2, 4}, .out = {2, 2, 4}, .multiplier = 4}},
     "QUANTIZE 1,2,2,4 (1);QUANTIZE 1,2,2,4 (1);"},
    {"a factor that is not the scales'", {2, 2, 4}, {4, {1, 2, 2, 4}}, false, 7,
     {{.kind = DWN_KIND_QUANTIZE, .inputs = {INPUT}, .in = {2, 2, 4}, .out = {2, 2, 4}, .multiplier = 0.25F}},
     "layer 0 (quantize): no scales go with its factor"},
    {"logistic", {2, 2, 4}, {4, {1, 2, 2, 4}}, false, 7,
     {{.kind = DWN_KIND_LOGISTIC, .inputs = {INPUT}, .in = {2, 2, 4}, .out = {2, 2, 4}, .multiplier = 0.5F},
      {.kind = DWN_KIND_QUANTIZE, .inputs = {0}, .in = {2, 2, 4}, .out = {2, 2, 4}, .multiplier = 0x1p-7F}},
     "LOGISTIC 1,2,2,4 (1);QUANTIZE 1,2,2,4 (1);"},
    {"a logistic of another scale", {2, 2, 4}, {4, {1, 2, 2, 4}}, false, 7,
     {{.kind = DWN_KIND_LOGISTIC, .inputs = {INPUT}, .in = {2, 2, 4}, .out = {2, 2, 4}, .multiplier = 0.25F},
      {.kind = DWN_KIND_QUANTIZE, .inputs = {0}, .in = {2, 2, 4}, .out = {2, 2, 4}, .multiplier = 0x1p-7F}},
     "layer 0 (logistic): its scales are not those of a logistic"},
    {"upsampling", {4, 4, 4}, {4, {1, 8, 8, 4}}, false, 7,
     {{.kind = DWN_KIND_UPSAMPLE, .inputs = {INPUT}, .in = {4, 4, 4}, .out = {8, 8, 4}}},
     "RESIZE_BILINEAR 1,8,8,4 (2);"},
    {"nearest upsampling", {4, 4, 4}, {4, {1, 8, 8, 4}}, false, 7,
     {{.kind = DWN_KIND_NEAREST, .inputs = {INPUT}, .in = {4, 4, 4}, .out = {8, 8, 4}}},
     "RESIZE_NEAREST_NEIGHBOR 1,8,8,4 (2);"},
    {"transposed", {2, 3, 4}, {3, {1, 4, 6}}, false, 7,
     {{.kind = DWN_KIND_TRANSPOSE, .inputs = {INPUT}, .in = {2, 3, 4}, .out = {1, 4, 6}, .order = 201}},
     "TRANSPOSE 1,4,2,3 (2);RESHAPE 1,4,6 (2);"},
    {"transposed to the shape", {2, 3, 4}, {4, {1, 3, 4, 2}}, true, 128,
     {{.kind = DWN_KIND_TRANSPOSE, .inputs = {INPUT}, .in = {2, 3, 4}, .out = {3, 4, 2}, .order = 120}},
     "TRANSPOSE 1,3,4,2 (2);"},
    {"some channels", {2, 3, 4}, {4, {1, 2, 3, 2}}, false, 7,
     {{.kind = DWN_KIND_SLICE, .inputs = {INPUT}, .in = {2, 3, 4}, .out = {2, 3, 2}, .first = 1}},
     "SLICE 1,2,3,2 (3);"},
    {"an input and some of its channels", {2, 3, 4}, {4, {1, 2, 3, 6}}, false, 7,
     {{.kind = DWN_KIND_SLICE, .inputs = {INPUT}, .in = {2, 3, 4}, .out = {2, 3, 2}, .first = 2},
      {.kind = DWN_KIND_CONCATENATION, .inputs = {INPUT, 0}, .in = {2, 3, 6}, .out = {2, 3, 6}}},
     "SLICE 1,2,3,2 (3);CONCATENATION 1,2,3,6 (2) of 2,3;"},
    {"rows of two values", {2, 2, 4}, {3, {1, 10, 2}}, false, 7,
     {{.kind = DWN_KIND_CONVOLUTION, .inputs = {INPUT}, .in = {2, 2, 4}, .out = {2, 2, 4}, .has_bias = true},
      {.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {2, 2, 4}, .out = {1, 1, 4}},
      {.kind = DWN_KIND_CONCATENATION, .inputs = {0, 1}, .in = {1, 10, 2}, .out = {1, 10, 2}, .is_in_rows = true}},
     "CONV_2D 1,2,2,4 (3) of 1,1 by 1,1;RESHAPE 1,16 (2);FULLY_CONNECTED 1,4 (2);RESHAPE 1,1,8,2 (2);RESHAPE 1,1,2,2 (2);CONCATENATION 1,1,10,2 (2) of 1,2;RESHAPE 1,10,2 (2);"},
    {"pad", {4, 5, 3}, {4, {1, 8, 8, 3}}, false, 7,
     {{.kind = DWN_KIND_PAD, .inputs = {INPUT}, .in = {4, 5, 3}, .out = {8, 8, 3}, .padding = {1, 2}}},
     "PAD 1,8,8,3 (2);"},
    {"gather", {4, 4, 1}, {2, {1, 16}}, false, 7,
     {{.kind = DWN_KIND_GATHER, .inputs = {INPUT}, .in = {4, 4, 1}, .out = {1, 1, 16}}},
     "RESHAPE 1,16 (2);"},
    {"concatenation", {1, 1, 4}, {2, {1, 8}}, false, 7,
     {{.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {1, 1, 4}, .out = {1, 1, 4}},
      {.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {1, 1, 4}, .out = {1, 1, 4}},
      {.kind = DWN_KIND_CONCATENATION, .inputs = {0, 1}, .in = {1, 1, 8}, .out = {1, 1, 8}}},
     "RESHAPE 1,4 (2);FULLY_CONNECTED 1,4 (2);RESHAPE 1,4 (2);FULLY_CONNECTED 1,4 (2);CONCATENATION 1,8 (2);"},
    {"clamps of no activation", {1, 1, 4}, {2, {1, 4}}, false, 7,
     {{.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {1, 1, 4}, .out = {1, 1, 4}, .low = 3}},
     "layer 0 (dense): its clamps are those of no activation"},
    {"relu6 of another scale", {1, 1, 4}, {2, {1, 4}}, false, 7,
     {{.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {1, 1, 4}, .out = {1, 1, 4}, .high = 60}},
     "layer 0 (dense): its clamps are those of no activation"},
    {"a pool with such clamps", {8, 8, 4}, {4, {1, 2, 2, 4}}, false, 7,
     {{.kind = DWN_KIND_AVERAGE_POOL, .inputs = {INPUT}, .in = {8, 8, 4}, .out = {2, 2, 4}, .kernel = SQUARE(4), .stride = SQUARE(4), .multiplier = 0x1p-4F, .low = 3}},
     "layer 0 (average pool): its clamps are those of no activation"},
    {"a sum with such clamps", {4, 4, 4}, {4, {1, 4, 4, 4}}, true, 128,
     {{.kind = DWN_KIND_MULTIPLY, .inputs = {INPUT, INPUT}, .in = {4, 4, 4}, .out = {4, 4, 4}, .multiplier = 0.25F, .low = 3}},
     "layer 0 (multiply): its clamps are those of no activation"},
    {"rows of uint8", {1, 1, 4}, {2, {1, 4}}, false, 7,
     {{.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {1, 1, 4}, .out = {1, 1, 4}, .has_rows = true}},
     "layer 0 (dense): weights of uint8 cannot have a scale for each channel"},
    {"a multiplier that is none", {1, 1, 4}, {2, {1, 4}}, false, 7,
     {{.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {1, 1, 4}, .out = {1, 1, 4}, .multiplier = -1}},
     "layer 0 (dense): no scale for its weights was found"},
    {"a scale that is none", {1, 1, 4}, {2, {1, 4}}, false, 7,
     {{.kind = DWN_KIND_DENSE, .inputs = {INPUT}, .in = {1, 1, 4}, .out = {1, 1, 4}, .multiplier = -1},
      {.kind = DWN_KIND_DENSE, .inputs = {0}, .in = {1, 1, 4}, .out = {1, 1, 4}}},
     "layer 0 (dense): no scale for its output was found"},
    {"a softmax of another scale", {1, 1, 10}, {2, {1, 10}}, false, 7,
     {{.kind = DWN_KIND_SOFTMAX, .inputs = {INPUT}, .in = {1, 1, 10}, .out = {1, 1, 10}, .multiplier = 2}},
     "layer 0 (softmax): its scales are not those of a softmax"},
    {"unknown", {1, 1, 4}, {2, {1, 4}}, false, 7,
     {{.kind = DWN_KIND_UNKNOWN, .inputs = {INPUT}, .in = {1, 1, 4}, .out = {1, 1, 4}}},
     "layer 0 (unknown): TFLite has no operator for it"},
};
// clang-format on

typedef struct made {
    const plan *plan;
    dwn_recovered layers[LAYERS];
    dwn_recovery recovery;
    dwn_numerics numerics[2];
    dwn_layer border[2];
    dwn_executable executable;
} made;

static void fill_border(dwn_layer *layer, dwn_numerics *numerics, float scale)
{
    *numerics = (dwn_numerics){.dequantization_factor = scale};
    *layer = (dwn_layer){.numerics = numerics};
}

static dwn_recovered layer_of(const plan *p, const sketch *s)
{
    static const uint8_t weights[WEIGHTS];
    static const int32_t bias[4] = {1, -2, 3, -4};
    static const float multipliers[4] = {0.1F, 0.2F, 0.3F, 0.4F};
    static const uint8_t zeros[4] = {128, 128, 128, 128};
    const bool is_pair = s->kind == DWN_KIND_ADD || s->kind == DWN_KIND_MULTIPLY ||
                         s->kind == DWN_KIND_CONCATENATION;
    dwn_recovered l = {.kind = s->kind,
                       .inputs = s->inputs,
                       .input_count = is_pair ? 2 : 1,
                       .output_layer = DWN_NONE,
                       .input = s->in,
                       .output = s->out,
                       .multiplier = s->multiplier != 0 ? s->multiplier : 0.1F,
                       .low = s->low,
                       .high = s->high != 0 ? s->high : 255,
                       .factors = {s->factors[0], s->factors[1]},
                       .is_in_rows = s->is_in_rows,
                       .order = s->order,
                       .first = s->first,
                       .scale = 0.5F * (s->multiplier != 0 ? s->multiplier : 1)};
    for (size_t i = 0; i < 2; i++) {
        l.kernel[i] = s->kernel[i] ? s->kernel[i] : 1;
        l.stride[i] = s->stride[i] ? s->stride[i] : 1;
        l.dilation[i] = s->dilation[i] ? s->dilation[i] : 1;
        l.padding[i] = s->padding[i];
    }
    const uint32_t taps = l.kernel[0] * l.kernel[1];
    if (s->kind == DWN_KIND_DENSE || s->kind == DWN_KIND_CONVOLUTION ||
        s->kind == DWN_KIND_DEPTHWISE) {
        const bool is_dense = s->kind == DWN_KIND_DENSE;
        const uint32_t row = is_dense ? s->in.h * s->in.w * s->in.c : taps * s->in.c;
        l.weights = weights;
        l.rows = 4;
        l.weight_zero = p->weight_zero;
        l.weight_count = s->kind == DWN_KIND_DEPTHWISE ? row : row * l.rows;
        l.bias = s->has_bias ? bias : NULL;
        l.multipliers = s->has_rows ? multipliers : NULL;
        l.weight_zeros = s->has_rows && p->weight_zero == 128 ? zeros : NULL;
    }
    return l;
}

static void make(const plan *p, made *m)
{
    *m = (made){.plan = p};
    const bool is_softmax = p->layers[0].kind == DWN_KIND_SOFTMAX;
    fill_border(&m->border[0], &m->numerics[0], 0.5F);
    fill_border(&m->border[1], &m->numerics[1], is_softmax ? 0x1p-8F : 0.5F);
    m->border[0].data_type = p->is_signed ? DWN_SIGNED_FIXED_POINT8 : DWN_FIXED_POINT8;
    m->executable.input_layers.items = &m->border[0];
    m->executable.output_layers.items = &m->border[1];
    m->executable.input_layers.count = m->executable.output_layers.count = 1;
    m->border[0].y_dim = (int32_t)p->image.h;
    m->border[0].x_dim = (int32_t)p->image.w;
    m->border[0].z_dim = (int32_t)p->image.c;
    for (uint32_t i = 0; i < LAYERS && p->layers[i].in.h > 0; i++) {
        m->layers[i] = layer_of(p, &p->layers[i]);
        m->recovery.count = i + 1;
    }
    m->layers[m->recovery.count - 1].output_layer = 0;
    m->recovery.layers = m->layers;
}

// Strides, and what is not as usual: dilations, and channels for each of the input.
static void list_windows(const hoist_fb_union *options, hoist_buffer *out)
{
    if (options->type == TFLITE_OPTIONS_Conv2D) {
        const tflite_conv2d_options *o = options->value;
        hoist_buffer_format(out, " by %d,%d", o->stride_h, o->stride_w);
        if (o->dilation_h_factor != 1 || o->dilation_w_factor != 1) {
            hoist_buffer_format(out, " apart %d,%d", o->dilation_h_factor, o->dilation_w_factor);
        }
    } else if (options->type == TFLITE_OPTIONS_DepthwiseConv2D) {
        const tflite_depthwise_conv2d_options *o = options->value;
        hoist_buffer_format(out, " by %d,%d", o->stride_h, o->stride_w);
        if (o->dilation_h_factor != 1 || o->dilation_w_factor != 1) {
            hoist_buffer_format(out, " apart %d,%d", o->dilation_h_factor, o->dilation_w_factor);
        }
        if (o->depth_multiplier != 1) {
            hoist_buffer_format(out, " times %d", o->depth_multiplier);
        }
    } else if (options->type == TFLITE_OPTIONS_Pool2D) {
        const tflite_pool2d_options *o = options->value;
        hoist_buffer_format(out, " of %d,%d by %d,%d", o->filter_height, o->filter_width,
                            o->stride_h, o->stride_w);
    } else if (options->type == TFLITE_OPTIONS_Softmax) {
        const tflite_softmax_options *o = options->value;
        hoist_buffer_format(out, " times %g", (double)o->beta);
    }
}

// Whether the data of a tensor of int32 are as many as its shape has elements.
static bool has_its_size(const hoist_edgetpu_maker *m, const tflite_tensor *tensor)
{
    const hoist_bytes data = m->model->buffers.items[tensor->buffer].data;
    size_t size = sizeof(int32_t);
    for (uint32_t i = 0; i < tflite_count(tensor->shape); i++) {
        size *= (size_t)hoist_fb_i32(tensor->shape, i);
    }
    return tensor->type != TFLITE_INT32 || (tflite_count(tensor->shape) > 0 && size == data.size);
}

// The operators of the graph, the shapes of what they make, how many inputs they have, the height
// and width of the second input, and their windows.
static void list(const hoist_edgetpu_maker *m, hoist_buffer *out)
{
    for (uint32_t i = 0; i < m->operator_count; i++) {
        char buffer[32];
        const tflite_operator *op = &m->operators[i];
        const tflite_tensor *to = tflite_tensor_at(m->graph, op->outputs, 0);
        const hoist_str name =
            tflite_code_name(&m->model->operator_codes.items[op->opcode_index], buffer);
        hoist_buffer_format(out, "%.*s ", HOIST_STR_ARGS(name));
        for (uint32_t k = 0; k < tflite_count(to->shape); k++) {
            hoist_buffer_format(out, k ? ",%d" : "%d", hoist_fb_i32(to->shape, k));
        }
        hoist_buffer_format(out, " (%u)", tflite_count(op->inputs));
        const tflite_tensor *filters =
            tflite_count(op->inputs) > 1 ? tflite_tensor_at(m->graph, op->inputs, 1) : NULL;
        if (filters && tflite_count(filters->shape) == 4) {
            hoist_buffer_format(out, " of %d,%d", hoist_fb_i32(filters->shape, 1),
                                hoist_fb_i32(filters->shape, 2));
        }
        if (filters && !has_its_size(m, filters)) {
            hoist_buffer_c(out, " of another size");
        }
        list_windows(&op->builtin_options, out);
        hoist_buffer_char(out, ';');
    }
}

static hoist_status build(const made *m, hoist_arena *arena, hoist_buffer *out)
{
    static const float scale = 0.5F;
    tflite_model model = {.version = TFLITE_SCHEMA_VERSION};
    tflite_subgraph graph = {.debug_metadata_index = -1};
    hoist_edgetpu_maker maker;
    dwn_scales scales;
    HOIST_TRY(dwn_scales_of(&m->recovery, &m->executable, arena, &scales));
    hoist_edgetpu_maker_init(&maker, arena, &model);
    hoist_edgetpu_maker_open(&maker, &graph);
    hoist_edgetpu_draft border = {.type = m->plan->is_signed ? TFLITE_INT8 : TFLITE_UINT8,
                                  .shape = hoist_edgetpu_image(m->plan->image),
                                  .scales = &scale,
                                  .scale_count = 1};
    const uint32_t input = hoist_edgetpu_maker_tensor(&maker, &border);
    border.shape = m->plan->output;
    const uint32_t output = hoist_edgetpu_maker_tensor(&maker, &border);
    hoist_edgetpu_layers layers = {.m = &maker,
                                   .recovery = &m->recovery,
                                   .scales = &scales,
                                   .executable = &m->executable,
                                   .inputs = &input,
                                   .outputs = &output,
                                   .prefix = ""};
    const hoist_status status = maker.failed ? HOIST_OK : hoist_edgetpu_layers_add(&layers);
    if (status != HOIST_OK) {
        hoist_buffer_c(out, layers.why);
    } else if (!maker.failed) {
        list(&maker, out);
    }
    return maker.failed || out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

HOIST_TEST_TABLE(layers, plans)
{
    made m;
    hoist_buffer out;
    make(row, &m);
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, build(&m, &t->arena, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->want);
    hoist_buffer_deinit(&out);
}

static hoist_status build_with(hoist_allocator alloc, const void *self)
{
    hoist_arena arena;
    hoist_buffer out;
    hoist_arena_init(&arena, alloc);
    hoist_buffer_init(&out, alloc);
    const hoist_status status = build(self, &arena, &out);
    hoist_buffer_deinit(&out);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST_TABLE(memory_runs_out, plans)
{
    made m;
    make(row, &m);
    hoist_test_starve(t, build_with, &m);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(layers), HOIST_TEST_ROW(memory_runs_out))
