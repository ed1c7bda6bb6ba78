// Operators against layers: what the compiler is expected to make of them, how they find each
// other, and what is reported of one constant that differs.
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "edgetpu/seen_testing.h"
#include "edgetpu/source.h"
#include "formats/tflite/tflite_testing.h"

// The model: an image is padded and convolved, goes through a depthwise layer and around it, is
// scaled, pooled and classified.
enum { IMAGE, PADDED, CONV, SPREAD, CLAMPED, SUM, PRODUCT, POOLED, FLAT, SCORES, CLASSES, RESULT };
enum { AMOUNTS = RESULT + 1, FILTERS, BIAS, TAPS, MATRIX, AXES, TENSORS };
enum {
    OP_PAD,
    OP_CONV,
    OP_SPREAD,
    OP_RELU,
    OP_ADD,
    OP_MUL,
    OP_POOL,
    OP_FLAT,
    OP_DENSE,
    OP_SOFTMAX
};
enum { OP_QUANTIZE = OP_SOFTMAX + 1, OPS };

typedef struct tensor_row {
    int32_t shape[4];
    uint8_t rank;
    int8_t type;
    float scale;
    int64_t zero;
} tensor_row;

// clang-format off
static const tensor_row tensor_rows[TENSORS] = {
    [IMAGE]   = {{1, 4, 4, 3}, 4, TFLITE_UINT8, 0.5F,      10},
    [PADDED]  = {{1, 6, 6, 3}, 4, TFLITE_UINT8, 0.5F,      10},
    [CONV]    = {{1, 4, 4, 2}, 4, TFLITE_UINT8, 0.25F,     0},
    [SPREAD]  = {{1, 4, 4, 2}, 4, TFLITE_UINT8, 0.125F,    7},
    [CLAMPED] = {{1, 4, 4, 2}, 4, TFLITE_UINT8, 0.125F,    7},
    [SUM]     = {{1, 4, 4, 2}, 4, TFLITE_UINT8, 0.5F,      3},
    [PRODUCT] = {{1, 4, 4, 2}, 4, TFLITE_UINT8, 2.0F,      1},
    [POOLED]  = {{1, 1, 1, 2}, 4, TFLITE_UINT8, 2.0F,      1},
    [FLAT]    = {{1, 2},       2, TFLITE_UINT8, 2.0F,      1},
    [SCORES]  = {{1, 3},       2, TFLITE_UINT8, 1.0F,      128},
    [CLASSES] = {{1, 3},       2, TFLITE_UINT8, 0.00390625F, 0},
    [RESULT]  = {{1, 3},       2, TFLITE_INT8,  0.00390625F, -128},
    [AMOUNTS] = {{4, 2},       2, TFLITE_INT32, 0,         0},
    [FILTERS] = {{2, 3, 3, 3}, 4, TFLITE_UINT8, 0.0625F,   100},
    [BIAS]    = {{2},          1, TFLITE_INT32, 0.03125F,  0},
    [TAPS]    = {{1, 3, 3, 2}, 4, TFLITE_INT8,  0.03125F,  0},
    [MATRIX]  = {{3, 2},       2, TFLITE_UINT8, 0.25F,     120},
    [AXES]    = {{2},          1, TFLITE_INT32, 0,         0},
};

static const struct {
    int8_t code;
    int32_t inputs[3];
    uint8_t count;
    int32_t output;
} op_rows[OPS] = {
    [OP_PAD]      = {TFLITE_OP_PAD,               {IMAGE, AMOUNTS},       2, PADDED},
    [OP_CONV]     = {TFLITE_OP_CONV_2D,           {PADDED, FILTERS, BIAS}, 3, CONV},
    [OP_SPREAD]   = {TFLITE_OP_DEPTHWISE_CONV_2D, {CONV, TAPS, -1},       3, SPREAD},
    [OP_RELU]     = {TFLITE_OP_RELU,              {SPREAD},               1, CLAMPED},
    [OP_ADD]      = {TFLITE_OP_ADD,               {CONV, CLAMPED},        2, SUM},
    [OP_MUL]      = {TFLITE_OP_MUL,               {SUM, CONV},            2, PRODUCT},
    [OP_POOL]     = {TFLITE_OP_AVERAGE_POOL_2D,   {PRODUCT},              1, POOLED},
    [OP_FLAT]     = {TFLITE_OP_RESHAPE,           {POOLED},               1, FLAT},
    [OP_DENSE]    = {TFLITE_OP_FULLY_CONNECTED,   {FLAT, MATRIX},         2, SCORES},
    [OP_SOFTMAX]  = {TFLITE_OP_SOFTMAX,           {SCORES},               1, CLASSES},
    [OP_QUANTIZE] = {TFLITE_OP_QUANTIZE,          {CLASSES},              1, RESULT},
};
// clang-format on

// The layers that it becomes, and what they read.
enum { L_CONV, L_SPREAD, L_ADD, L_MUL, L_POOL, L_DENSE, L_SOFTMAX, LAYERS };
static const uint32_t ops_of_layers[LAYERS] = {OP_CONV, OP_SPREAD, OP_ADD,    OP_MUL,
                                               OP_POOL, OP_DENSE,  OP_SOFTMAX};
static const uint32_t inputs_of_layers[LAYERS][2] = {
    {DWN_MODEL_INPUT}, {L_CONV}, {L_CONV, L_SPREAD}, {L_ADD, L_CONV}, {L_MUL}, {L_POOL}, {L_DENSE}};

typedef struct fixture {
    tflite_module module;
    tflite_model model;
    tflite_subgraph graph;
    tflite_tensor tensors[TENSORS];
    tflite_quantization quantizations[TENSORS];
    tflite_operator ops[OPS];
    tflite_operator_code codes[OPS];
    tflite_buffer buffers[TENSORS + 1];
    tflite_conv2d_options conv;
    tflite_depthwise_conv2d_options spread;
    tflite_add_options add;
    tflite_fused_options mul;
    tflite_pool2d_options pool;
    tflite_fully_connected_options dense;
    hoist_edgetpu_source_pair source;
    dwn_recovered layers[LAYERS];
} fixture;

static hoist_bytes bytes_of(hoist_arena *arena, size_t size)
{
    uint8_t *bytes = hoist_arena_alloc(arena, size);
    for (size_t i = 0; bytes && i < size; i++) {
        bytes[i] = (uint8_t)(i * 29 + 3);
    }
    return (hoist_bytes){bytes, size};
}

static void fill_tensors(fixture *f, hoist_arena *arena)
{
    for (uint32_t i = 0; i < TENSORS; i++) {
        const tensor_row *row = &tensor_rows[i];
        f->quantizations[i].scale = tflite_test_floats(arena, 1, &row->scale);
        f->quantizations[i].zero_point = tflite_test_longs(arena, 1, &row->zero);
        f->tensors[i] =
            (tflite_tensor){.shape = tflite_test_ints(arena, row->rank, row->shape),
                            .type = row->type,
                            .buffer = i + 1,
                            .quantization = row->scale > 0 ? &f->quantizations[i] : NULL};
    }
    f->buffers[1 + AMOUNTS].data = TEST_INTS(arena, 0, 0, 1, 1, 1, 1, 0, 0);
    f->buffers[1 + FILTERS].data = bytes_of(arena, 54);
    f->buffers[1 + BIAS].data = TEST_INTS(arena, 1000, -2000);
    f->buffers[1 + TAPS].data = bytes_of(arena, 18);
    f->buffers[1 + MATRIX].data = bytes_of(arena, 6);
}

static void fill_options(fixture *f)
{
    f->conv = (tflite_conv2d_options){.padding = TFLITE_PADDING_VALID,
                                      .stride_w = 1,
                                      .stride_h = 1,
                                      .fused_activation_function = TFLITE_ACTIVATION_RELU6,
                                      .dilation_w_factor = 1,
                                      .dilation_h_factor = 1};
    f->spread = (tflite_depthwise_conv2d_options){.stride_w = 1,
                                                  .stride_h = 1,
                                                  .depth_multiplier = 1,
                                                  .dilation_w_factor = 1,
                                                  .dilation_h_factor = 1};
    f->pool = (tflite_pool2d_options){.padding = TFLITE_PADDING_VALID,
                                      .stride_w = 2,
                                      .stride_h = 2,
                                      .filter_width = 4,
                                      .filter_height = 4};
    f->ops[OP_CONV].builtin_options = (hoist_fb_union){TFLITE_OPTIONS_Conv2D, &f->conv, 0};
    f->ops[OP_SPREAD].builtin_options =
        (hoist_fb_union){TFLITE_OPTIONS_DepthwiseConv2D, &f->spread, 0};
    f->ops[OP_ADD].builtin_options = (hoist_fb_union){TFLITE_OPTIONS_Add, &f->add, 0};
    f->ops[OP_MUL].builtin_options = (hoist_fb_union){TFLITE_OPTIONS_Mul, &f->mul, 0};
    f->ops[OP_POOL].builtin_options = (hoist_fb_union){TFLITE_OPTIONS_Pool2D, &f->pool, 0};
    f->ops[OP_DENSE].builtin_options =
        (hoist_fb_union){TFLITE_OPTIONS_FullyConnected, &f->dense, 0};
}

static void fill_model(fixture *f, hoist_arena *arena)
{
    fill_tensors(f, arena);
    for (uint32_t i = 0; i < OPS; i++) {
        f->codes[i] = (tflite_operator_code){.deprecated_builtin_code = op_rows[i].code,
                                             .builtin_code = op_rows[i].code};
        f->ops[i] = (tflite_operator){
            .opcode_index = i,
            .inputs = tflite_test_ints(arena, op_rows[i].count, op_rows[i].inputs),
            .outputs = tflite_test_ints(arena, 1, &op_rows[i].output)};
    }
    fill_options(f);
    f->graph.tensors.items = f->tensors;
    f->graph.tensors.count = TENSORS;
    f->graph.operators.items = f->ops;
    f->graph.operators.count = OPS;
    f->graph.outputs = TEST_INTS(arena, RESULT);
    f->model.operator_codes.items = f->codes;
    f->model.operator_codes.count = OPS;
    f->model.subgraphs.items = &f->graph;
    f->model.subgraphs.count = 1;
    f->model.buffers.items = f->buffers;
    f->model.buffers.count = HOIST_COUNT_OF(f->buffers);
    f->module.base.alloc = hoist_allocator_system();
    f->module.model = &f->model;
}

// A model whose layers are what is expected of its operators, but for factors, which are given.
static fixture *new_fixture(hoist_test *t)
{
    fixture *f = hoist_arena_array(&t->arena, 1, sizeof(*f));
    HOIST_EXPECT(t, f != NULL);
    fill_model(f, &t->arena);
    f->source =
        (hoist_edgetpu_source_pair){.arena = &t->arena, .module = &f->module, .graph = &f->graph};
    HOIST_EXPECT_EQ(t, hoist_edgetpu_source_match(&f->source), HOIST_OK);
    for (uint32_t i = 0; i < LAYERS; i++) {
        f->layers[i] = f->source.operators[ops_of_layers[i]].expected.layer;
        f->layers[i].inputs = inputs_of_layers[i];
        f->layers[i].input_count = i == L_ADD || i == L_MUL ? 2 : 1;
    }
    f->layers[L_ADD].multiplier = 0x1p-10F;
    f->layers[L_ADD].factors[0] = 512; // 0.25 / (0.5 * M)
    f->layers[L_ADD].factors[1] = 256; // 0.125 / (0.5 * M)
    f->layers[L_ADD].constant = -(512 * 0 + 256 * 7);
    return f;
}

// What is sent ---------------------------------------------------------------------------------

static load_seen compare(fixture *f, hoist_arena *arena, hoist_status *out_status)
{
    f->source = (hoist_edgetpu_source_pair){.arena = arena,
                                            .module = &f->module,
                                            .graph = &f->graph,
                                            .layers = f->layers,
                                            .layer_count = LAYERS};
    return load_seen_source(&f->source, out_status);
}

HOIST_TEST(operators_become_layers)
{
    const fixture *f = new_fixture(t);
    const dwn_recovered *conv = &f->layers[L_CONV];
    HOIST_EXPECT_EQ(t, conv->kind, DWN_KIND_CONVOLUTION);
    HOIST_EXPECT(t, conv->multiplier == 0.125F); // 0.5 * 0.0625 / 0.25
    HOIST_EXPECT(t, conv->low == 0 && conv->high == 24.0F);
    HOIST_EXPECT_EQ(t, conv->padding[0], 1); // of the PAD
    HOIST_EXPECT_EQ(t, conv->input.h, 4);
    HOIST_EXPECT_EQ(t, conv->weight_zero, 100);
    HOIST_EXPECT_EQ(t, conv->bias[1], -2000);
    const dwn_recovered *spread = &f->layers[L_SPREAD];
    HOIST_EXPECT_EQ(t, spread->kind, DWN_KIND_DEPTHWISE);
    HOIST_EXPECT_EQ(t, spread->weight_zero, 128); // int8 on the chip
    HOIST_EXPECT_EQ(t, spread->weights[0], 3 ^ 0x80);
    HOIST_EXPECT(t, spread->low == 0 && spread->high == 248.0F); // of the RELU after
    HOIST_EXPECT_EQ(t, spread->padding[1], 1);                   // SAME
    HOIST_EXPECT(t, f->layers[L_MUL].multiplier == 0.0625F);     // 0.5 * 0.25 / 2
    HOIST_EXPECT(t, f->layers[L_POOL].multiplier == 0.0625F);    // 1 / 16
    HOIST_EXPECT_EQ(t, f->layers[L_DENSE].kind, DWN_KIND_DENSE);
    HOIST_EXPECT(t, f->layers[L_DENSE].low == -128.0F && f->layers[L_DENSE].high == 127.0F);
    HOIST_EXPECT(t, f->layers[L_SOFTMAX].scale == 1.0F);
    hoist_edgetpu_expected pad;
    HOIST_EXPECT_EQ(t, hoist_edgetpu_source_expect(&f->source, OP_PAD, &pad), HOIST_OK);
    HOIST_EXPECT_EQ(t, pad.layer.kind, DWN_KIND_PAD);
    HOIST_EXPECT_EQ(t, pad.layer.padding[1], 1);
    HOIST_EXPECT_EQ(t, pad.layer.output.h, 6);
}

// The convolution reads the image without a border, through one window of this size.
static const struct {
    const char *name;
    int32_t window[2];
    int32_t output[2];
    dwn_layer_kind want;
} windows[] = {
    {"all of the image", {4, 4}, {1, 1}, DWN_KIND_DENSE},
    {"all of its rows", {4, 3}, {1, 2}, DWN_KIND_CONVOLUTION},
    {"all of its columns", {3, 4}, {2, 1}, DWN_KIND_CONVOLUTION},
    {"a part", {3, 3}, {2, 2}, DWN_KIND_CONVOLUTION},
};

HOIST_TEST_TABLE(convolutions_that_read_all_at_once_are_dense, windows)
{
    enum { OUTPUTS = 2, CHANNELS = 3 };
    fixture *f = new_fixture(t);
    const int32_t taps = row->window[0] * row->window[1];
    const size_t size = (size_t)OUTPUTS * CHANNELS * (size_t)taps;
    f->ops[OP_CONV].inputs = TEST_INTS(&t->arena, IMAGE, FILTERS, BIAS);
    f->tensors[FILTERS].shape =
        TEST_INTS(&t->arena, OUTPUTS, row->window[0], row->window[1], CHANNELS);
    f->buffers[1 + FILTERS].data = bytes_of(&t->arena, size);
    f->tensors[CONV].shape = TEST_INTS(&t->arena, 1, row->output[0], row->output[1], OUTPUTS);
    f->source =
        (hoist_edgetpu_source_pair){.arena = &t->arena, .module = &f->module, .graph = &f->graph};
    HOIST_EXPECT_EQ(t, hoist_edgetpu_source_match(&f->source), HOIST_OK);
    const dwn_recovered *layer = &f->source.operators[OP_CONV].expected.layer;
    HOIST_EXPECT_EQ(t, layer->kind, row->want);
    HOIST_EXPECT_EQ(t, layer->kernel[0], row->window[0]);
    HOIST_EXPECT_EQ(t, layer->padding[0], 0);
}

HOIST_TEST(equal_models_are_the_same)
{
    fixture *f = new_fixture(t);
    hoist_status status = HOIST_INTERNAL;
    load_seen s = compare(f, &t->arena, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&s.paths), "");
    HOIST_EXPECT_EQ(t, s.layers, LAYERS);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&s.fates),
                     "padding of a layer;clamps of a layer;hands its values on;"
                     "hands its values on;");
    load_seen_deinit(&s);
}

// The pool of all pixels as a mean over those axes: the same layer, or another operator.
static const struct {
    const char *name;
    int32_t axes[2];
    const char *paths;
} means[] = {
    {"rows and columns", {1, 2}, ""},
    {"in another order", {2, 1}, ""},
    {"from the end", {-3, -2}, ""},
    {"columns and channels", {2, 3}, "operators/6;layers/4;"},
    {"rows twice", {1, 1}, "operators/6;layers/4;"},
    {"an axis beyond", {2, 5}, "operators/6;layers/4;"},
};

HOIST_TEST_TABLE(means_are_pools, means)
{
    fixture *f = new_fixture(t);
    hoist_status status = HOIST_INTERNAL;
    f->codes[OP_POOL].deprecated_builtin_code = TFLITE_OP_MEAN;
    f->codes[OP_POOL].builtin_code = TFLITE_OP_MEAN;
    f->ops[OP_POOL].inputs = TEST_INTS(&t->arena, PRODUCT, AXES);
    f->buffers[1 + AXES].data = tflite_test_ints(&t->arena, 2, row->axes);
    load_seen s = compare(f, &t->arena, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&s.paths), row->paths);
    load_seen_deinit(&s);
}

// A SPLIT into one part in place of the RESHAPE, and one into two.
static const struct {
    const char *name;
    int32_t outputs[2];
    size_t count;
    const char *paths;
} splits[] = {
    {"one part", {FLAT}, 1, ""},
    {"two parts", {FLAT, RESULT}, 2, "operators/7;"},
};

HOIST_TEST_TABLE(splits_into_one_part_are_no_layers, splits)
{
    fixture *f = new_fixture(t);
    hoist_status status = HOIST_INTERNAL;
    f->codes[OP_FLAT].deprecated_builtin_code = TFLITE_OP_SPLIT;
    f->codes[OP_FLAT].builtin_code = TFLITE_OP_SPLIT;
    f->ops[OP_FLAT].inputs = TEST_INTS(&t->arena, AXES, POOLED);
    f->ops[OP_FLAT].outputs = tflite_test_ints(&t->arena, row->count, row->outputs);
    load_seen s = compare(f, &t->arena, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&s.paths), row->paths);
    load_seen_deinit(&s);
}

// Damage -----------------------------------------------------------------------------------------

static uint8_t weights[54];
static int32_t bias[2];

static void break_weight(dwn_recovered *layer)
{
    memcpy(weights, layer->weights, (size_t)layer->weight_count);
    weights[5] ^= 1;
    layer->weights = weights;
}

static void break_bias(dwn_recovered *layer)
{
    memcpy(bias, layer->bias, sizeof(bias));
    bias[1] = 7;
    layer->bias = bias;
}

static void break_multiplier(dwn_recovered *layer)
{
    layer->multiplier *= 1.0000001F;
}

static void break_low(dwn_recovered *layer)
{
    layer->low -= 1;
}

static void break_high(dwn_recovered *layer)
{
    layer->high += 0.5F;
}

static void break_zeros(dwn_recovered *layer)
{
    layer->input_zero ^= 1;
    layer->output_zero ^= 1;
}

static void break_factor(dwn_recovered *layer)
{
    layer->factors[1]++;
}

static void break_constant(dwn_recovered *layer)
{
    layer->constant++;
}

static void break_padding(dwn_recovered *layer)
{
    layer->padding[1] = 0;
}

static void break_kernel(dwn_recovered *layer)
{
    layer->kernel[0] = 5;
}

static void break_scale(dwn_recovered *layer)
{
    layer->scale = 0.99F;
}

static void break_kind(dwn_recovered *layer)
{
    layer->kind = DWN_KIND_UNKNOWN;
}

static void break_input(dwn_recovered *layer)
{
    static const uint32_t other[] = {L_SPREAD};
    layer->inputs = other;
}

static void exchange(dwn_recovered *layer)
{
    static const uint32_t other[] = {L_SPREAD, L_CONV};
    layer->inputs = other;
    layer->factors[0] = 256;
    layer->factors[1] = 512;
    layer->input_zero = 7;
    layer->second_zero = 0;
}

// clang-format off
static const struct {
    const char *name;
    void (*damage)(dwn_recovered *layer);
    uint32_t layer;
    const char *want; // paths
} damages[] = {
    {"weight",              break_weight,     L_CONV,    "layers/0/weights[5];"},
    {"bias",                break_bias,       L_CONV,    "layers/0/bias[1];"},
    {"multiplier",          break_multiplier, L_DENSE,   "layers/5/multiplier;"},
    {"clamp",               break_low,        L_SPREAD,  "layers/1/low;"},
    {"other clamp",         break_high,       L_POOL,    "layers/4/high;"},
    {"zero points",         break_zeros,      L_SPREAD,  "layers/1/input_zero_point;layers/1/output_zero_point;"},
    {"factor",              break_factor,     L_ADD,     "layers/2/second_factor;"},
    {"constant",            break_constant,   L_ADD,     "layers/2/constant;"},
    {"padding",             break_padding,    L_CONV,    "layers/0/padding_left;"},
    {"kernel",              break_kernel,     L_SPREAD,  "layers/1/kernel_height;"},
    {"multiplication",      break_multiplier, L_MUL,     "layers/3/multiplier;"},
    {"scale of a softmax",  break_scale,      L_SOFTMAX, "layers/6/input_scale;"},
    {"unknown layer",       break_kind,       L_DENSE,   "operators/8;layers/5;"},
    {"input",               break_input,      L_POOL,    "layers/4/inputs;"},
    {"exchanged operands",  exchange,         L_ADD,     ""},
};
// clang-format on

HOIST_TEST_TABLE(one_constant_that_differs, damages)
{
    fixture *f = new_fixture(t);
    row->damage(&f->layers[row->layer]);
    hoist_status status = HOIST_INTERNAL;
    load_seen s = compare(f, &t->arena, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&s.paths), row->want);
    load_seen_deinit(&s);
}

// What cannot be expected ------------------------------------------------------------------------

static void spoil_rank(fixture *f)
{
    f->tensors[FILTERS].shape.size -= sizeof(int32_t);
}

static void spoil_data(fixture *f)
{
    f->buffers[1 + FILTERS].data.size--;
}

static void spoil_bias(fixture *f)
{
    f->buffers[1 + BIAS].data.size -= sizeof(int32_t);
}

static void spoil_quantization(fixture *f)
{
    f->tensors[FILTERS].quantization = NULL;
}

static void spoil_zeros(fixture *f)
{
    f->quantizations[PADDED].zero_point.size = 0;
}

static void spoil_type(fixture *f)
{
    f->tensors[CONV].type = TFLITE_INT16;
}

static void spoil_options(fixture *f)
{
    f->ops[OP_CONV].builtin_options.value = NULL;
}

static void spoil_variant(fixture *f)
{
    f->ops[OP_CONV].builtin_options.type = TFLITE_OPTIONS_Pool2D;
}

static void spoil_stride(fixture *f)
{
    f->conv.stride_h = 0;
}

static void spoil_dilation(fixture *f)
{
    f->conv.dilation_w_factor = -1;
}

static void spoil_activation(fixture *f)
{
    f->conv.fused_activation_function = TFLITE_ACTIVATION_TANH;
}

static void spoil_batch(fixture *f)
{
    static const uint8_t shape[] = {2, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0, 2, 0, 0, 0};
    f->tensors[CONV].shape = (hoist_bytes){shape, sizeof(shape)};
}

static void spoil_tensor(fixture *f)
{
    static const uint8_t list[] = {99, 0, 0, 0};
    f->ops[OP_CONV].inputs = (hoist_bytes){list, sizeof(list)};
}

static void spoil_output(fixture *f)
{
    f->ops[OP_CONV].outputs.size = 0;
}

static void spoil_loop(fixture *f)
{
    f->ops[OP_FLAT].inputs = f->ops[OP_FLAT].outputs; // reads what it writes
}

// clang-format off
static const struct {
    const char *name;
    void (*spoil)(fixture *f);
    dwn_layer_kind want; // of the convolution
} spoilt[] = {
    {"rank of weights",     spoil_rank,         DWN_KIND_UNKNOWN},
    {"data of weights",     spoil_data,         DWN_KIND_UNKNOWN},
    {"data of bias",        spoil_bias,         DWN_KIND_UNKNOWN},
    {"no quantisation",     spoil_quantization, DWN_KIND_UNKNOWN},
    {"no zero point",       spoil_zeros,        DWN_KIND_UNKNOWN},
    {"16 bits",             spoil_type,         DWN_KIND_UNKNOWN},
    {"no options",          spoil_options,      DWN_KIND_UNKNOWN},
    {"options of a pool",   spoil_variant,      DWN_KIND_UNKNOWN},
    {"stride 0",            spoil_stride,       DWN_KIND_UNKNOWN},
    {"dilation -1",         spoil_dilation,     DWN_KIND_UNKNOWN},
    {"tanh",                spoil_activation,   DWN_KIND_UNKNOWN},
    {"two images",          spoil_batch,        DWN_KIND_UNKNOWN},
    {"no such tensor",      spoil_tensor,       DWN_KIND_UNKNOWN},
    {"no output",           spoil_output,       DWN_KIND_UNKNOWN},
    {"a tensor of itself",  spoil_loop,         DWN_KIND_CONVOLUTION},
};
// clang-format on

HOIST_TEST_TABLE(nothing_is_expected, spoilt)
{
    fixture *f = new_fixture(t);
    row->spoil(f);
    hoist_status status = HOIST_INTERNAL;
    load_seen s = compare(f, &t->arena, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_EQ(t, f->source.operators[OP_CONV].expected.layer.kind, row->want);
    HOIST_EXPECT_EQ(t, s.paths.size > 0, row->want == DWN_KIND_UNKNOWN);
    load_seen_deinit(&s);
}

HOIST_TEST(nothing_is_expected_of_a_pool_without_its_options)
{
    for (int kind = 0; kind < 3; kind++) {
        fixture *f = new_fixture(t);
        hoist_fb_union *const options = &f->ops[OP_POOL].builtin_options;
        options->value = kind == 1 ? NULL : options->value;
        options->type = kind == 2 ? TFLITE_OPTIONS_Conv2D : options->type;
        hoist_status status = HOIST_INTERNAL;
        load_seen s = compare(f, &t->arena, &status);
        HOIST_EXPECT_EQ(t, status, HOIST_OK);
        HOIST_EXPECT_EQ(t, f->source.operators[OP_POOL].expected.layer.kind,
                        kind ? DWN_KIND_UNKNOWN : DWN_KIND_AVERAGE_POOL);
        load_seen_deinit(&s);
    }
}

// A transposition of images, in place of the pool.
static const struct {
    const char *name;
    int32_t axes[5];
    size_t count;
    dwn_layer_kind kind;
    uint8_t order;
} transpositions[] = {
    {"channels first", {0, 3, 1, 2}, 4, DWN_KIND_TRANSPOSE, 201},
    {"columns first", {0, 2, 1, 3}, 4, DWN_KIND_TRANSPOSE, 102},
    {"of images", {1, 0, 2, 3}, 4, DWN_KIND_UNKNOWN, 0},
    {"an axis beyond", {0, 4, 1, 2}, 4, DWN_KIND_UNKNOWN, 0},
    {"an axis from the end", {0, -1, 1, 2}, 4, DWN_KIND_UNKNOWN, 0},
    {"of three axes", {0, 2, 1}, 3, DWN_KIND_UNKNOWN, 0},
    {"of five", {0, 3, 1, 2, 4}, 5, DWN_KIND_UNKNOWN, 0},
};

HOIST_TEST_TABLE(transpositions_are_layers, transpositions)
{
    fixture *f = new_fixture(t);
    hoist_status status = HOIST_INTERNAL;
    f->codes[OP_POOL].deprecated_builtin_code = TFLITE_OP_TRANSPOSE;
    f->codes[OP_POOL].builtin_code = TFLITE_OP_TRANSPOSE;
    f->ops[OP_POOL].inputs = TEST_INTS(&t->arena, PRODUCT, AXES);
    f->buffers[1 + AXES].data = tflite_test_ints(&t->arena, row->count, row->axes);
    load_seen s = compare(f, &t->arena, &status);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT_EQ(t, f->source.operators[OP_POOL].expected.layer.kind, row->kind);
    HOIST_EXPECT_EQ(t, f->source.operators[OP_POOL].expected.layer.order, row->order);
    load_seen_deinit(&s);
}

// Time ------------------------------------------------------------------------------------------

enum { CHAIN = 20000, POOLS = 2000 };

// An operator of the code from one tensor to another.
static tflite_operator operator_of(hoist_arena *arena, uint32_t code, int32_t from, int32_t to)
{
    return (tflite_operator){.opcode_index = code,
                             .inputs = tflite_test_ints(arena, 1, &from),
                             .outputs = tflite_test_ints(arena, 1, &to)};
}

// Many pools read the end of a long chain of reshapes; each is compared with as many layers, which
// read something else. Were the chain followed each time, this would take hours.
HOIST_TEST(long_chains_take_little_time)
{
    fixture *f = new_fixture(t);
    const uint32_t ops = CHAIN + POOLS;
    tflite_tensor *const tensors = hoist_arena_array(&t->arena, ops + 1, sizeof(*tensors));
    tflite_operator *const operators = hoist_arena_array(&t->arena, ops, sizeof(*operators));
    dwn_recovered *const layers = hoist_arena_array(&t->arena, POOLS, sizeof(*layers));
    static const uint32_t inputs[] = {POOLS};
    for (uint32_t i = 0; i <= ops; i++) {
        tensors[i] = f->tensors[i > CHAIN ? POOLED : PRODUCT];
    }
    for (uint32_t i = 0; i < ops; i++) {
        const bool is_pool = i >= CHAIN;
        operators[i] = operator_of(&t->arena, is_pool ? OP_POOL : OP_FLAT,
                                   is_pool ? CHAIN : (int32_t)i, (int32_t)i + 1);
        operators[i].builtin_options = f->ops[is_pool ? OP_POOL : OP_FLAT].builtin_options;
    }
    for (uint32_t i = 0; i < POOLS; i++) {
        layers[i] = f->layers[L_POOL];
        layers[i].inputs = inputs;
    }
    f->graph = (tflite_subgraph){.tensors = {tensors, ops + 1}, .operators = {operators, ops}};
    f->source = (hoist_edgetpu_source_pair){.arena = &t->arena,
                                            .module = &f->module,
                                            .graph = &f->graph,
                                            .layers = layers,
                                            .layer_count = POOLS};
    HOIST_EXPECT_EQ(t, hoist_edgetpu_source_match(&f->source), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_edgetpu_source_maker(&f->source, &tensors[CHAIN]), DWN_MODEL_INPUT);
    HOIST_EXPECT_EQ(t, f->source.operators[CHAIN].state,
                    HOIST_EDGETPU_SOURCE_LAYER); // by its shape
    HOIST_EXPECT_EQ(t, f->source.operators[ops - 1].layer, POOLS - 1);
}

// A model with a difference, compared with memory of `alloc`.
static hoist_status run_compare(hoist_allocator alloc, const void *self)
{
    fixture own = *(const fixture *)self;
    own.module.base.alloc = alloc;
    own.layers[L_POOL].high = 1;
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    hoist_status status = HOIST_INTERNAL;
    load_seen s = compare(&own, &arena, &status);
    load_seen_deinit(&s);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    fixture *const f = new_fixture(t);
    hoist_test_starve(t, run_compare, f);
    f->layers[L_POOL].kind = DWN_KIND_PAD; // an operator without a layer, a layer without one
    hoist_test_starve(t, run_compare, f);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(operators_become_layers),
                HOIST_TEST_ROW(convolutions_that_read_all_at_once_are_dense),
                HOIST_TEST_ROW(equal_models_are_the_same), HOIST_TEST_ROW(means_are_pools),
                HOIST_TEST_ROW(splits_into_one_part_are_no_layers),
                HOIST_TEST_ROW(one_constant_that_differs), HOIST_TEST_ROW(nothing_is_expected),
                HOIST_TEST_ROW(nothing_is_expected_of_a_pool_without_its_options),
                HOIST_TEST_ROW(transpositions_are_layers),
                HOIST_TEST_ROW(long_chains_take_little_time), HOIST_TEST_ROW(memory_runs_out))
