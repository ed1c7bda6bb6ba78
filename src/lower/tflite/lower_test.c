// Operators of TFLite models: the steps that they become, what is refused and why.
#include <string.h>

#include "base/span.h"
#include "lower/tflite/job_testing.h"
#include "program/verify.h"

// Options ---------------------------------------------------------------------------------------

#define RELU TFLITE_ACTIVATION_RELU
#define VALID TFLITE_PADDING_VALID
// clang-format off
static const tflite_conv2d_options same = {.stride_w = 1, .stride_h = 1, .dilation_w_factor = 1, .dilation_h_factor = 1};
static const tflite_conv2d_options valid2 = {.padding = VALID, .stride_w = 2, .stride_h = 2, .dilation_w_factor = 1, .dilation_h_factor = 1};
static const tflite_conv2d_options dilated = {.stride_w = 1, .stride_h = 1, .fused_activation_function = TFLITE_ACTIVATION_RELU6, .dilation_w_factor = 2, .dilation_h_factor = 2};
static const tflite_depthwise_conv2d_options deep = {.stride_w = 2, .stride_h = 2, .depth_multiplier = 2, .fused_activation_function = TFLITE_ACTIVATION_RELU_N1_TO_1, .dilation_w_factor = 1, .dilation_h_factor = 1};
static const tflite_fully_connected_options no_dense = {0}, relu_dense = {.fused_activation_function = RELU}, shuffled = {.weights_format = 1};
static const tflite_pool2d_options pool = {.padding = VALID, .stride_w = 2, .stride_h = 2, .filter_width = 2, .filter_height = 2};
static const tflite_pool2d_options pool_same = {.stride_w = 2, .stride_h = 2, .filter_width = 3, .filter_height = 3, .fused_activation_function = RELU};
static const tflite_add_options no_add = {0}, plain_add = {.pot_scale_int16 = true}, no_pot = {.pot_scale_int16 = true};
static const tflite_add_options relu_add = {.fused_activation_function = RELU}, tanh_add = {.fused_activation_function = TFLITE_ACTIVATION_TANH};
static const tflite_fused_options no_fused = {0};
static const tflite_softmax_options beta = {.beta = 1};
static const tflite_reducer_options keep = {.keep_dims = true}, drop = {0};
static const tflite_resize_bilinear_options half = {.half_pixel_centers = true};
static const tflite_concatenation_options axis1 = {.axis = 1}, last = {.axis = -1}, relu_join = {.fused_activation_function = RELU};
static const tflite_split_options two = {.num_splits = 2};
static const tflite_strided_slice_options no_masks = {0}, masks = {.begin_mask = 1, .end_mask = 1, .shrink_axis_mask = 2}, new_axis = {.new_axis_mask = 1},
    first = {.begin_mask = 1, .shrink_axis_mask = 1};
static const tflite_pack_options pack1 = {.values_count = 2, .axis = 1};
static const tflite_unpack_options unpack0 = {.num = 2};
static const tflite_leaky_relu_options leaky = {.alpha = 0.25F};
static const tflite_leaky_relu_options steep = {.alpha = -0x1p31F};
static const tflite_transpose_conv_options widening = {.stride_h = 2, .stride_w = 2},
    apart = {.padding = TFLITE_PADDING_VALID, .stride_h = 2, .stride_w = 1, .fused_activation_function = TFLITE_ACTIVATION_RELU};
static const tflite_leaky_relu_options falling = {.alpha = -0.25F};
static const tflite_fused_options relu6 = {.fused_activation_function = TFLITE_ACTIVATION_RELU6};
static const tflite_resize_nearest_options corners = {.align_corners = true};
static const tflite_gather_options middle = {.axis = 1}, batched = {.batch_dims = 1};
static const uint8_t three_four[] = {3, 0, 0, 0, 4, 0, 0, 0}, zero_number[] = {0, 0, 0, 0}, minus_two[] = {0xFE, 0xFF, 0xFF, 0xFF};
static const tflite_reshape_options as_options = {.new_shape = {three_four, sizeof three_four}}, as_scalar = {.new_shape = {zero_number, sizeof zero_number}};
static const tflite_squeeze_options second_last = {.squeeze_dims = {minus_two, sizeof minus_two}};

// Steps -----------------------------------------------------------------------------------------

static const struct {
    const char *name;
    int32_t op;
    const void *options;
    const char *tensors;
    const char *steps;
} runs[] = {
    {"a convolution with a scale for each channel", TFLITE_OP_CONV_2D, &same, "i8 1x4x4x2 0.5 -1, i8 2x3x3x2 0.25/0.5 0 = 1, i32 2 = 100 -100 > i8 1x4x4x2 0.5 3",
     "compute tflite.conv(stride_h 1, stride_w 1, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, zero_in -1, zero_weight 0, zero_out 3, low -128, high 127) from [t0 i8[1, 4, 4, 2], t1 i8[2, 3, 3, 2], t2 i32[2], constant/0 i32[2, 2]] to [t3 i8[1, 4, 4, 2]]"},
    {"one of uint8 with one scale", TFLITE_OP_CONV_2D, &valid2, "u8 1x5x5x1 0.1 128, u8 1x3x3x1 0.3 7 = 1 > u8 1x2x2x1 0.7 5",
     "compute tflite.conv(stride_h 2, stride_w 2, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, zero_in 128, zero_weight 7, zero_out 5, low 0, high 255) from [t0 u8[1, 5, 5, 1], t1 u8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 i32[1, 2]] to [t2 u8[1, 2, 2, 1]]"},
    {"one with a relu of 6 and dilation", TFLITE_OP_CONV_2D, &dilated, "i8 1x6x6x1 0.5 0, i8 1x3x3x1 0.25 0 = 1 > i8 1x6x6x1 0.05 -20",
     "compute tflite.conv(stride_h 1, stride_w 1, pad_top 2, pad_left 2, dilation_h 2, dilation_w 2, zero_in 0, zero_weight 0, zero_out -20, low -20, high 100) from [t0 i8[1, 6, 6, 1], t1 i8[1, 3, 3, 1], constant/1 i32[1] by [0], constant/0 i32[1, 2]] to [t2 i8[1, 6, 6, 1]]"},
    {"a depthwise one", TFLITE_OP_DEPTHWISE_CONV_2D, &deep, "i8 1x4x4x2 0.5 0, i8 1x3x3x4@3 0.25/0.5/1/2 0 = 1, none > i8 1x2x2x4 1 0",
     "compute tflite.depthwise(stride_h 2, stride_w 2, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, zero_in 0, zero_weight 0, zero_out 0, low -1, high 1) from [t0 i8[1, 4, 4, 2], t1 i8[1, 3, 3, 4], constant/1 i32[4] by [0], constant/0 i32[4, 2]] to [t2 i8[1, 2, 2, 4]]"},
    {"a dense layer of flattened rows", TFLITE_OP_FULLY_CONNECTED, &relu_dense, "i8 2x1x4 0.5 1, i8 3x4 0.1 2 = 1 > i8 2x3 0.3 -7",
     "compute tflite.dense(zero_in 1, zero_weight 2, zero_out -7, low -7, high 127) from [t0 i8[2, 4], t1 i8[3, 4], constant/1 i32[3] by [0], constant/0 i32[1, 2]] to [t2 i8[2, 3]]"},
    {"an average", TFLITE_OP_AVERAGE_POOL_2D, &pool, "u8 1x4x4x3 0.5 9 > u8 1x2x2x3 0.5 9",
     "compute tflite.average_pool(kernel_h 2, kernel_w 2, stride_h 2, stride_w 2, pad_top 0, pad_left 0, low 0, high 255) from [t0 u8[1, 4, 4, 3]] to [t1 u8[1, 2, 2, 3]]"},
    {"a maximum with padding", TFLITE_OP_MAX_POOL_2D, &pool_same, "i8 1x5x5x1 0.5 -3 > i8 1x3x3x1 0.5 -3",
     "compute tflite.max_pool(kernel_h 3, kernel_w 3, stride_h 2, stride_w 2, pad_top 1, pad_left 1, low -3, high 127) from [t0 i8[1, 5, 5, 1]] to [t1 i8[1, 3, 3, 1]]"},
    {"a sum", TFLITE_OP_ADD, &no_add, "i8 1x2x2x3 0.5 1, i8 3 0.25 2 > i8 1x2x2x3 1 3",
     "compute tflite.add(zero_a 1, zero_b 2, zero_out 3, left 20, multiplier_a 1073741824, shift_a 0, multiplier_b 1073741824, shift_b -1, multiplier 1073741824, shift -19, low -128, high 127) from [t0 i8[1, 2, 2, 3], t1 i8[1, 2, 2, 3] by [0, 0, 0, 1]] to [t2 i8[1, 2, 2, 3]]"},
    {"a sum of 16 bits", TFLITE_OP_ADD, &plain_add, "i16 4 0.5 0, i16 4 0.3 0 > i16 4 1 0",
     "compute tflite.add(zero_a 0, zero_b 0, zero_out 0, left 15, multiplier_a 1073741824, shift_a 0, multiplier_b 1288490240, shift_b -1, multiplier 1073741824, shift -14, low -32768, high 32767) from [t0 i16[4], t1 i16[4]] to [t2 i16[4]]"},
    {"a difference, cut at 0", TFLITE_OP_SUB, &relu_add, "u8 4 0.5 128, u8 1 0.25 2 > u8 4 1 100",
     "compute tflite.subtract(zero_a 128, zero_b 2, zero_out 100, left 20, multiplier_a 1073741824, shift_a 0, multiplier_b 1073741824, shift_b -1, multiplier 1073741824, shift -19, low 100, high 255) from [t0 u8[4], t1 u8[4] by [0]] to [t2 u8[4]]"},
    {"a product", TFLITE_OP_MUL, &no_fused, "i8 2x3 0.5 1, i8 2x1 0.5 2 > i8 2x3 0.25 3",
     "compute tflite.multiply(zero_a 1, zero_b 2, zero_out 3, low -128, high 127, multiplier 1073741824, shift 1) from [t0 i8[2, 3], t1 i8[2, 3] by [1, 0]] to [t2 i8[2, 3]]"},
    {"softmax", TFLITE_OP_SOFTMAX, &beta, "i8 1x4 0.5 10 > i8 1x4 0.00390625 -128",
     "compute tflite.softmax(multiplier 1073741824, shift 26) from [t0 i8[1, 4]] to [t1 i8[1, 4]]"},
    {"softmax of a huge scale", TFLITE_OP_SOFTMAX, &beta, "u8 1x4 64 0 > u8 1x4 0.00390625 0",
     "compute tflite.softmax(multiplier 2147483647, shift 31) from [t0 u8[1, 4]] to [t1 u8[1, 4]]"},
    {"logistic", TFLITE_OP_LOGISTIC, NULL, "i8 1x4 0.05 1 > i8 1x4 0.00390625 -128",
     "compute tflite.logistic(zero_in 1, multiplier 1717986944, shift 23) from [t0 i8[1, 4]] to [t1 i8[1, 4]]"},
    {"tanh of uint8", TFLITE_OP_TANH, NULL, "u8 1x4 0.05 129 > u8 1x4 0.0078125 128",
     "compute tflite.tanh(zero_in 129, multiplier 1717986944, shift 23) from [t0 u8[1, 4]] to [t1 u8[1, 4]]"},
    {"a relu of 6", TFLITE_OP_RELU6, NULL, "i8 4 0.1 -5 > i8 4 0.05 -8",
     "compute tflite.weighted_sum(k1 1, k2 0, constant 5, zero_out -8, low -8, high 112, multiplier 1073741824, shift 2) from [t0 i8[4], t0 i8[4]] to [t1 i8[4]]"},
    {"a relu", TFLITE_OP_RELU, NULL, "u8 4 0.1 5 > u8 4 0.1 5",
     "compute tflite.weighted_sum(k1 1, k2 0, constant -5, zero_out 5, low 5, high 255, multiplier 1073741824, shift 1) from [t0 u8[4], t0 u8[4]] to [t1 u8[4]]"},
    {"a relu from -1 to 1", TFLITE_OP_RELU_N1_TO_1, NULL, "i8 4 0.1 0 > i8 4 0.1 0",
     "compute tflite.weighted_sum(k1 1, k2 0, constant 0, zero_out 0, low -10, high 10, multiplier 1073741824, shift 1) from [t0 i8[4], t0 i8[4]] to [t1 i8[4]]"},
    {"a mean", TFLITE_OP_MEAN, &keep, "i8 1x4x3x2 0.5 1, i32 2 = 1 2 > i8 1x1x1x2 0.25 2",
     "compute tflite.mean(zero_in 1, zero_out 2, multiplier 1073741824, shift 2) from [t0 i8[1, 4, 3, 2]] to [t2 i8[1, 1, 1, 2]]"},
    {"a mean without its axes", TFLITE_OP_MEAN, &drop, "i8 1x4x3x2 0.5 1, i32 2 = -2 -3 > i8 1x2 0.25 2",
     "compute tflite.mean(zero_in 1, zero_out 2, multiplier 1073741824, shift 2) from [t0 i8[1, 4, 3, 2]] to [t2 i8[1, 1, 1, 2]]"},
    {"bilinear resizing", TFLITE_OP_RESIZE_BILINEAR, &half, "i8 1x2x2x1 0.5 1, i32 2 = 4 6 > i8 1x4x6x1 0.5 1",
     "compute tflite.resize_bilinear(align_corners 0, half_pixel_centers 1) from [t0 i8[1, 2, 2, 1]] to [t2 i8[1, 4, 6, 1]]"},
    {"another scale", TFLITE_OP_QUANTIZE, NULL, "i8 4 0.5 1 > u8 4 0.25 129",
     "compute tflite.requantize(zero_in 1, zero_out 129, multiplier 1073741824, shift 2) from [t0 i8[4]] to [t1 u8[4]]"},
    {"float32 to whole numbers", TFLITE_OP_QUANTIZE, NULL, "f32 4 > i8 4 0.25 -1",
     "compute tflite.quantize(scale 0.25, zero -1) from [t0 f32[4]] to [t1 i8[4]]"},
    {"and back", TFLITE_OP_DEQUANTIZE, NULL, "u8 4 0.5 128 > f32 4",
     "compute tflite.dequantize(scale 0.5, zero 128) from [t0 u8[4]] to [t1 f32[4]]"},
    {"a reshape that is an output", TFLITE_OP_RESHAPE, NULL, "i8 2x6 0.5 1, i32 2 = 3 4 > i8 3x4 0.5 1",
     "move copy from [t0 i8[2, 6]] to t2 i8[3, 4]"},
    {"a concatenation", TFLITE_OP_CONCATENATION, &axis1, "i8 2x1 0.5 1, i8 2x2 0.5 1 > i8 2x3 0.5 1",
     "move copy from [t0 i8[2, 1]] to t2 i8[2, 1] by [3, 1]\n"
     "move copy from [t1 i8[2, 2]] to t2 i8[2, 2] by [3, 1] + 1"},
    {"one that scales, from the end", TFLITE_OP_CONCATENATION, &last, "u8 2x1 0.5 1, u8 2x2 0.25 2 > u8 2x3 0.5 1",
     "move copy from [t0 u8[2, 1]] to t2 u8[2, 1] by [3, 1]\n"
     "compute tflite.rescale(scale 0.5, zero_in 2, zero_out 1) from [t1 u8[2, 2]] to [t2 u8[2, 2] by [3, 1] + 1]"},
    {"a convolution of float32", TFLITE_OP_CONV_2D, &same, "f32 1x4x4x2, f32 3x3x3x2 = 1, f32 3 = 2 > f32 1x4x4x3",
     "compute tflite.conv_f32(stride_h 1, stride_w 1, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, low -3.4028235e38, high 3.4028235e38) from [t0 f32[1, 4, 4, 2], t1 f32[3, 3, 3, 2], t2 f32[3]] to [t3 f32[1, 4, 4, 3]]"},
    {"a depthwise one without a bias", TFLITE_OP_DEPTHWISE_CONV_2D, &deep, "f32 1x5x5x2, f32 1x3x3x4 = 1 > f32 1x3x3x4",
     "compute tflite.depthwise_f32(stride_h 2, stride_w 2, pad_top 1, pad_left 1, dilation_h 1, dilation_w 1, low -1, high 1) from [t0 f32[1, 5, 5, 2], t1 f32[1, 3, 3, 4], constant/0 f32[4] by [0]] to [t2 f32[1, 3, 3, 4]]"},
    {"a dense layer of float32", TFLITE_OP_FULLY_CONNECTED, &relu_dense, "f32 2x2x2, f32 3x4 = 1, f32 3 = 2 > f32 2x3",
     "compute tflite.dense_f32(low 0, high 3.4028235e38) from [t0 f32[2, 4], t1 f32[3, 4], t2 f32[3]] to [t3 f32[2, 3]]"},
    {"an average of float32", TFLITE_OP_AVERAGE_POOL_2D, &pool_same, "f32 1x5x4x2 > f32 1x3x2x2",
     "compute tflite.average_pool_f32(kernel_h 3, kernel_w 3, stride_h 2, stride_w 2, pad_top 1, pad_left 0, low 0, high 3.4028235e38) from [t0 f32[1, 5, 4, 2]] to [t1 f32[1, 3, 2, 2]]"},
    {"the greatest of float32", TFLITE_OP_MAX_POOL_2D, &pool, "f32 1x4x4x1 > f32 1x2x2x1",
     "compute tflite.max_pool_f32(kernel_h 2, kernel_w 2, stride_h 2, stride_w 2, pad_top 0, pad_left 0, low -3.4028235e38, high 3.4028235e38) from [t0 f32[1, 4, 4, 1]] to [t1 f32[1, 2, 2, 1]]"},
    {"softmax of float32", TFLITE_OP_SOFTMAX, &beta, "f32 2x3 > f32 2x3",
     "compute tflite.softmax_f32(beta 1) from [t0 f32[2, 3]] to [t1 f32[2, 3]]"},
    {"logistic of float32", TFLITE_OP_LOGISTIC, NULL, "f32 4 > f32 4",
     "compute tflite.logistic_f32 from [t0 f32[4]] to [t1 f32[4]]"},
    {"tanh of float32", TFLITE_OP_TANH, NULL, "f32 4 > f32 4",
     "compute tflite.tanh_f32 from [t0 f32[4]] to [t1 f32[4]]"},
    {"prelu", TFLITE_OP_PRELU, NULL, "f32 2x3, f32 3 = 1 > f32 2x3",
     "compute tflite.prelu_f32 from [t0 f32[2, 3], t1 f32[2, 3] by [0, 4]] to [t2 f32[2, 3]]"},
    {"leaky relu", TFLITE_OP_LEAKY_RELU, &leaky, "f32 4 > f32 4",
     "compute tflite.prelu_f32 from [t0 f32[4], constant/0 f32[4] by [0]] to [t1 f32[4]]"},
    {"a mean of float32", TFLITE_OP_MEAN, &drop, "f32 1x3x2x5, i32 2 = 1 2 > f32 1x5",
     "compute tflite.average_pool_f32(kernel_h 3, kernel_w 2, stride_h 1, stride_w 1, pad_top 0, pad_left 0, low -inf, high inf) from [t0 f32[1, 3, 2, 5]] to [t2 f32[1, 1, 1, 5]]"},
    {"relu of float32", TFLITE_OP_RELU, NULL, "f32 2x2 > f32 2x2",
     "compute tflite.add_f32(low 0, high inf) from [t0 f32[2, 2], constant/0 f32[2, 2] by [0, 0]] to [t1 f32[2, 2]]"},
    {"relu6 of float32", TFLITE_OP_RELU6, NULL, "f32 4 > f32 4",
     "compute tflite.add_f32(low 0, high 6) from [t0 f32[4], constant/0 f32[4] by [0]] to [t1 f32[4]]"},
    {"a concatenation of float32", TFLITE_OP_CONCATENATION, &last, "f32 1, f32 2 > f32 3",
     "move copy from [t0 f32[1]] to t2 f32[1]\n"
     "move copy from [t1 f32[2]] to t2 f32[2] + 4"},
    {"a split", TFLITE_OP_SPLIT, &two, "i32 - = 1, i8 2x4 0.5 1 > i8 2x2 0.5 1, i8 2x2 0.5 1",
     "move copy from [t1 i8[2, 2] by [4, 1]] to t2 i8[2, 2]\n"
     "move copy from [t1 i8[2, 2] by [4, 1] + 2] to t3 i8[2, 2]"},
    {"an uneven split", TFLITE_OP_SPLIT_V, &two, "i8 3x2 0.5 1, i32 2 = 1 2, i32 - = -2 > i8 1x2 0.5 1, i8 2x2 0.5 1",
     "move copy from [t0 i8[1, 2]] to t3 i8[1, 2]\n"
     "move copy from [t0 i8[2, 2] + 2] to t4 i8[2, 2]"},
    {"a pad", TFLITE_OP_PAD, NULL, "i8 1x2 0.5 -3, i32 2x2 = 0 1 2 0 > i8 2x4 0.5 -3",
     "move copy from [constant/0 i8[2, 4] by [0, 0]] to t2 i8[2, 4]\n"
     "move copy from [t0 i8[1, 2]] to t2 i8[1, 2] by [4, 1] + 2"},
    {"a pad of another number", TFLITE_OP_PADV2, NULL, "i8 1x2 0.5 -3, i64 2x2 = 0 0 1 1, i8 - 0.5 -3 = 9 > i8 1x4 0.5 -3",
     "move copy from [t2 i8[1, 4] by [0, 0]] to t3 i8[1, 4]\n"
     "move copy from [t0 i8[1, 2]] to t3 i8[1, 2] by [4, 1] + 1"},
    {"a pad of int64", TFLITE_OP_PAD, NULL, "i64 2, i32 1x2 = 1 0 > i64 3",
     "move copy from [constant/0 i64[3] by [0]] to t2 i64[3]\n"
     "move copy from [t0 i64[2]] to t2 i64[2] + 8"},
    {"a transpose", TFLITE_OP_TRANSPOSE, NULL, "i8 2x3x4 0.5 1, i32 3 = 2 0 -2 > i8 4x2x3 0.5 1",
     "move copy from [t0 i8[4, 2, 3] by [1, 12, 4]] to t2 i8[4, 2, 3]"},
    {"a slice", TFLITE_OP_SLICE, NULL, "i8 4x5 0.5 1, i32 2 = 1 2, i32 2 = 2 -1 > i8 2x3 0.5 1",
     "move copy from [t0 i8[2, 3] by [5, 1] + 7] to t3 i8[2, 3]"},
    {"a slice with steps", TFLITE_OP_STRIDED_SLICE, &no_masks, "i8 8x4 0.5 1, i32 2 = 1 -1, i32 2 = -1 -5, i32 2 = 3 -1 > i8 2x4 0.5 1",
     "move copy from [t0 i8[2, 4] by [12, -1] + 7] to t4 i8[2, 4]"},
    {"one of masks that loses an axis", TFLITE_OP_STRIDED_SLICE, &masks, "i8 3x4 0.5 1, i32 2 = 5 2, i32 2 = 0 0, i32 2 = 1 1 > i8 3 0.5 1",
     "move copy from [t0 i8[3] by [4] + 2] to t4 i8[3]"},
    {"one that loses an axis whose begin is masked", TFLITE_OP_STRIDED_SLICE, &first, "i8 3x4 0.5 1, i32 2 = 2 0, i32 2 = 3 4, i32 2 = 1 1 > i8 4 0.5 1",
     "move copy from [t0 i8[4]] to t4 i8[4]"},
    {"packing", TFLITE_OP_PACK, &pack1, "i8 3 0.5 1, i8 3 0.5 1 > i8 3x2 0.5 1",
     "move copy from [t0 i8[3]] to t2 i8[3] by [2]\n"
     "move copy from [t1 i8[3]] to t2 i8[3] by [2] + 1"},
    {"unpacking", TFLITE_OP_UNPACK, &unpack0, "i8 2x3 0.5 1 > i8 3 0.5 1, i8 3 0.5 1",
     "move copy from [t0 i8[3]] to t1 i8[3]\n"
     "move copy from [t0 i8[3] + 3] to t2 i8[3]"},
    {"a reshape to what is left", TFLITE_OP_RESHAPE, NULL, "i8 2x6 0.5 1, i32 2 = 3 -1 > i8 3x4 0.5 1",
     "move copy from [t0 i8[2, 6]] to t2 i8[3, 4]"},
    {"a reshape to a computed shape", TFLITE_OP_RESHAPE, NULL, "i8 2x6 0.5 1, i32 2 > i8 3x4 0.5 1",
     "compute tflite.same_i32 from [t1 i32[2], constant/0 i32[2]] to [shape/1 i32[2]]\n"
     "move copy from [t0 i8[2, 6]] to t2 i8[3, 4]"},
    {"a reshape by its options", TFLITE_OP_RESHAPE, &as_options, "i8 2x6 0.5 1 > i8 3x4 0.5 1",
     "move copy from [t0 i8[2, 6]] to t1 i8[3, 4]"},
    {"a reshape to a scalar by its options", TFLITE_OP_RESHAPE, &as_scalar, "i8 1x1 0.5 1 > i8 - 0.5 1",
     "move copy from [t0 i8[1, 1]] to t1 i8[]"},
    {"a squeeze of one of two", TFLITE_OP_SQUEEZE, &second_last, "i8 1x4x1x2 0.5 1 > i8 1x4x2 0.5 1",
     "move copy from [t0 i8[1, 4, 1, 2]] to t1 i8[1, 4, 2]"},
    {"a last axis", TFLITE_OP_EXPAND_DIMS, NULL, "i8 4x2 0.5 1, i32 - = -1 > i8 4x2x1 0.5 1",
     "move copy from [t0 i8[4, 2]] to t2 i8[4, 2, 1]"},
    {"a squeeze that is an output", TFLITE_OP_SQUEEZE, NULL, "i8 1x4 0.5 1 > i8 4 0.5 1",
     "move copy from [t0 i8[1, 4]] to t1 i8[4]"},
    {"a sum of float32", TFLITE_OP_ADD, &no_add, "f32 2x2 0.5 0, f32 2 > f32 2x2",
     "compute tflite.add_f32(low -3.4028235e38, high 3.4028235e38) from [t0 f32[2, 2], t1 f32[2, 2] by [0, 4]] to [t2 f32[2, 2]]"},
    {"a difference of int32, cut at 0", TFLITE_OP_SUB, &relu_add, "i32 4, i32 - = 48 > i32 4",
     "compute tflite.subtract_i32(low 0, high 2147483647) from [t0 i32[4], t1 i32[4] by [0]] to [t2 i32[4]]"},
    {"a product of int32", TFLITE_OP_MUL, &no_fused, "i32 4, i32 4 > i32 4",
     "compute tflite.multiply_i32(low -2147483648, high 2147483647) from [t0 i32[4], t1 i32[4]] to [t2 i32[4]]"},
    {"a quotient, cut at 6", TFLITE_OP_DIV, &relu6, "f32 1x4, f32 4 > f32 1x4",
     "compute tflite.divide_f32(low 0, high 6) from [t0 f32[1, 4], t1 f32[1, 4] by [0, 4]] to [t2 f32[1, 4]]"},
    {"a quotient rounded down", TFLITE_OP_FLOOR_DIV, NULL, "i32 4, i32 - = 48 > i32 4",
     "compute tflite.floor_divide_i32 from [t0 i32[4], t1 i32[4] by [0]] to [t2 i32[4]]"},
    {"a rest", TFLITE_OP_FLOOR_MOD, NULL, "i32 4, i32 - = 48 > i32 4",
     "compute tflite.floor_mod_i32 from [t0 i32[4], t1 i32[4] by [0]] to [t2 i32[4]]"},
    {"leaky relu of int8", TFLITE_OP_LEAKY_RELU, &leaky, "i8 4 0.5 1 > i8 4 0.5 2",
     "compute tflite.prelu(zero_a 1, zero_b 0, zero_out 2, multiplier_a 1073741824, shift_a 1, multiplier 1073741824, shift -1) from [t0 i8[4], constant/0 i8[4] by [0]] to [t1 i8[4]]"},
    {"leaky relu of a negative slope", TFLITE_OP_LEAKY_RELU, &falling, "i8 4 0.5 1 > i8 4 0.5 2",
     "compute tflite.prelu(zero_a 1, zero_b 0, zero_out 2, multiplier_a 1073741824, shift_a 1, multiplier -1073741824, shift -1) from [t0 i8[4], constant/0 i8[4] by [0]] to [t1 i8[4]]"},
    {"leaky relu of int16", TFLITE_OP_LEAKY_RELU, &leaky, "i16 4 0.5 0 > i16 4 0.5 0",
     "compute tflite.prelu(zero_a 0, zero_b 0, zero_out 0, multiplier_a 1073741824, shift_a 1, multiplier 1073741824, shift -1) from [t0 i16[4], constant/0 i16[4] by [0]] to [t1 i16[4]]"},
    {"quantize from int16 to int32", TFLITE_OP_QUANTIZE, NULL, "i16 4 0.5 -32768 > i32 4 0.25 0",
     "compute tflite.requantize(zero_in -32768, zero_out 0, multiplier 1073741824, shift 2) from [t0 i16[4]] to [t1 i32[4]]"},
    {"quantize from int32 to int16", TFLITE_OP_QUANTIZE, NULL, "i32 4 0.5 0 > i16 4 0.25 0",
     "compute tflite.requantize(zero_in 0, zero_out 0, multiplier 1073741824, shift 2) from [t0 i32[4]] to [t1 i16[4]]"},
    {"prelu of uint8", TFLITE_OP_PRELU, NULL, "u8 2x3 0.5 1, u8 3 0.5 7 = 1 > u8 2x3 0.25 2",
     "compute tflite.prelu(zero_a 1, zero_b 7, zero_out 2, multiplier_a 1073741824, shift_a 2, multiplier 1073741824, shift 1) from [t0 u8[2, 3], t1 u8[2, 3] by [0, 1]] to [t2 u8[2, 3]]"},
    {"a convolution of int16", TFLITE_OP_CONV_2D, &same, "i16 1x4x4x2 0.5 0, i8 3x1x1x2 0.5 0 = 1, i64 3 = 1 > i16 1x4x4x3 0.5 0",
     "compute tflite.conv_i16(stride_h 1, stride_w 1, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, zero_in 0, zero_weight 0, zero_out 0, low -32768, high 32767) from [t0 i16[1, 4, 4, 2], t1 i8[3, 1, 1, 2], t2 i64[3], constant/0 i32[1, 2]] to [t3 i16[1, 4, 4, 3]]"},
    {"one without a bias", TFLITE_OP_CONV_2D, &same, "i16 1x4x4x2 0.5 0, i8 3x1x1x2 0.5 0 = 1 > i16 1x4x4x3 0.5 0",
     "compute tflite.conv_i16(stride_h 1, stride_w 1, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, zero_in 0, zero_weight 0, zero_out 0, low -32768, high 32767) from [t0 i16[1, 4, 4, 2], t1 i8[3, 1, 1, 2], constant/1 i64[3] by [0], constant/0 i32[1, 2]] to [t2 i16[1, 4, 4, 3]]"},
    {"a transposed convolution", TFLITE_OP_TRANSPOSE_CONV, &widening, "i32 4 = 1 4 6 2, i8 2x3x3x2 0.5/0.25 0 = 1, i8 1x2x3x2 0.5 -1 > i8 1x4x6x2 0.5 3",
     "compute tflite.transpose_conv(stride_h 2, stride_w 2, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, zero_in -1, zero_weight 0, zero_out 3, low -128, high 127) from [t2 i8[1, 2, 3, 2], t1 i8[2, 3, 3, 2], constant/1 i32[2] by [0], constant/0 i32[2, 2]] to [t3 i8[1, 4, 6, 2]]"},
    {"one of float32 with a bias", TFLITE_OP_TRANSPOSE_CONV, &apart, "i32 4 = 1 5 3 2, f32 2x3x3x1 = 1, f32 1x2x1x1, f32 2 = 1 > f32 1x5x3x2",
     "compute tflite.transpose_conv_f32(stride_h 2, stride_w 1, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, low 0, high 3.4028235e38) from [t2 f32[1, 2, 1, 1], t1 f32[2, 3, 3, 1], t3 f32[2]] to [t4 f32[1, 5, 3, 2]]"},
    {"one of int16 to a computed shape", TFLITE_OP_TRANSPOSE_CONV, &widening, "i32 4, i8 1x3x3x2 0.5 0 = 1, i16 1x2x3x2 0.5 0 > i16 1x4x6x1 0.5 0",
     "compute tflite.same_i32 from [t0 i32[4], constant/0 i32[4]] to [shape/1 i32[4]]\n"
     "compute tflite.transpose_conv_i16(stride_h 2, stride_w 2, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, zero_in 0, zero_weight 0, zero_out 0, low -32768, high 32767) from [t2 i16[1, 2, 3, 2], t1 i8[1, 3, 3, 2], constant/3 i64[1] by [0], constant/2 i32[1, 2]] to [t3 i16[1, 4, 6, 1]]"},
    {"tiles", TFLITE_OP_TILE, NULL, "i8 2x3, i32 2 = 1 2 > i8 2x6",
     "move copy from [t0 i8[2, 2, 3] by [3, 0, 1]] to t2 i8[2, 2, 3]"},
    {"a square root", TFLITE_OP_SQRT, NULL, "f32 4 > f32 4",
     "compute tflite.sqrt_f32 from [t0 f32[4]] to [t1 f32[4]]"},
    {"a cast", TFLITE_OP_CAST, NULL, "u8 4 > f32 4",
     "compute tflite.cast from [t0 u8[4]] to [t1 f32[4]]"},
    {"hard swish", TFLITE_OP_HARD_SWISH, NULL, "i8 4 0.0625 3 > i8 4 0.125 -4",
     "compute tflite.hard_swish(zero_in 3, zero_out -4, multiplier 16384, shift -7, ramp 21845, ramp_shift 3) from [t0 i8[4]] to [t1 i8[4]]"},
    {"the greater", TFLITE_OP_MAXIMUM, NULL, "i8 2x2 0.5 1, i8 2 0.5 1 > i8 2x2 0.5 1",
     "compute tflite.maximum from [t0 i8[2, 2], t1 i8[2, 2] by [0, 1]] to [t2 i8[2, 2]]"},
    {"the less", TFLITE_OP_MINIMUM, NULL, "f32 2, f32 - > f32 2",
     "compute tflite.minimum from [t0 f32[2], t1 f32[2] by [0]] to [t2 f32[2]]"},
    {"places of the greatest", TFLITE_OP_ARG_MAX, NULL, "u8 1x4x3 0.5 1, i32 - = 2 > i64 1x4",
     "compute tflite.arg_max from [t0 u8[4, 3, 1]] to [t2 i64[4, 1]]"},
    {"places of the least", TFLITE_OP_ARG_MIN, NULL, "i8 2x4x3 0.5 1, i32 - = -2 > i32 2x3",
     "compute tflite.arg_min from [t0 i8[2, 4, 3]] to [t2 i32[2, 3]]"},
    {"a gather", TFLITE_OP_GATHER, &middle, "i8 2x4x3 0.5 1, i32 2x2 > i8 2x2x2x3 0.5 1",
     "compute tflite.gather from [t0 i8[2, 4, 3], t1 i32[4]] to [t2 i8[2, 4, 3]]"},
    {"a gather of one row", TFLITE_OP_GATHER, NULL, "f32 4x3, i64 - = 2 > f32 3",
     "compute tflite.gather from [t0 f32[1, 4, 3], t1 i64[1]] to [t2 f32[1, 1, 3]]"},
    {"a gather of places", TFLITE_OP_GATHER_ND, NULL, "i8 5x4x3x2 0.5 1, i32 7x2 > i8 7x3x2 0.5 1",
     "compute tflite.gather_nd from [t0 i8[1, 1, 5, 4, 6], t1 i32[7, 2]] to [t2 i8[7, 6]]"},
    {"the nearest pixels", TFLITE_OP_RESIZE_NEAREST_NEIGHBOR, &corners, "i8 1x2x2x1 0.5 1, i32 2 = 4 6 > i8 1x4x6x1 0.5 1",
     "compute tflite.resize_nearest(align_corners 1, half_pixel_centers 0) from [t0 i8[1, 2, 2, 1]] to [t2 i8[1, 4, 6, 1]]"},
    {"bilinear resizing of uint8", TFLITE_OP_RESIZE_BILINEAR, &half, "u8 1x2x2x1 0.5 1, i32 2 = 4 6 > u8 1x4x6x1 0.5 1",
     "compute tflite.cast from [t0 u8[1, 2, 2, 1]] to [numbers/0 f32[1, 2, 2, 1]]\n"
     "compute tflite.resize_bilinear_f32(align_corners 0, half_pixel_centers 1) from [numbers/0 f32[1, 2, 2, 1]] to [numbers/1 f32[1, 4, 6, 1]]\n"
     "compute tflite.add_f32(low -inf, high inf) from [constant/2 f32[1, 4, 6, 1] by [0, 0, 0, 0], numbers/1 f32[1, 4, 6, 1]] to [numbers/1 f32[1, 4, 6, 1]]\n"
     "compute tflite.cast from [numbers/1 f32[1, 4, 6, 1]] to [t2 u8[1, 4, 6, 1]]"},
    {"bilinear resizing of float32", TFLITE_OP_RESIZE_BILINEAR, &half, "f32 1x2x2x1, i32 2 = 4 6 > f32 1x4x6x1",
     "compute tflite.resize_bilinear_f32(align_corners 0, half_pixel_centers 1) from [t0 f32[1, 2, 2, 1]] to [t2 f32[1, 4, 6, 1]]"},
    {"a new axis", TFLITE_OP_EXPAND_DIMS, NULL, "i8 4 0.5 1, i32 - = 0 > i8 1x4 0.5 1",
     "move copy from [t0 i8[4]] to t2 i8[1, 4]"},
};
// clang-format on

HOIST_TEST_TABLE(each_operator_becomes_steps, runs)
{
    hoist_program *program = NULL;
    const tflite_model *model = tflite_job_model(t, row->op, row->tensors, row->options);
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_STR(t, tflite_job_steps(t, program), row->steps);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        HOIST_EXPECT_RULE(t, NULL);
    }
    hoist_program_destroy(program);
}

// With the rounding of the interpreter's own kernels, which are not there for all forms of an
// operator.
// clang-format off
static const struct {
    const char *name;
    int32_t op;
    const void *options;
    const char *tensors;
    const char *steps;
} singles[] = {
    {"a mean", TFLITE_OP_MEAN, &keep, "i8 1x4x3x2 0.5 1, i32 2 = 2 1 > i8 1x1x1x2 0.25 2",
     "compute tflite.mean_single(multiplier 1431655808, shift -2, bias 0) from [t0 i8[1, 4, 3, 2]] to [t2 i8[1, 1, 1, 2]]"},
    {"one without its axes", TFLITE_OP_MEAN, &drop, "i8 1x4x3x2 0.5 1, i32 2 = 1 2 > i8 1x2 0.25 2",
     "compute tflite.mean(zero_in 1, zero_out 2, multiplier 1073741824, shift 2) from [t0 i8[1, 4, 3, 2]] to [t2 i8[1, 1, 1, 2]]"},
    {"one with an axis from the end", TFLITE_OP_MEAN, &keep, "i8 1x4x3x2 0.5 1, i32 2 = 1 -2 > i8 1x1x1x2 0.25 2",
     "compute tflite.mean(zero_in 1, zero_out 2, multiplier 1073741824, shift 2) from [t0 i8[1, 4, 3, 2]] to [t2 i8[1, 1, 1, 2]]"},
    {"one with an axis twice", TFLITE_OP_MEAN, &keep, "i8 1x4x3x2 0.5 1, i32 3 = 1 2 1 > i8 1x1x1x2 0.25 2",
     "compute tflite.mean(zero_in 1, zero_out 2, multiplier 1073741824, shift 2) from [t0 i8[1, 4, 3, 2]] to [t2 i8[1, 1, 1, 2]]"},
};
// clang-format on

HOIST_TEST_TABLE(the_interpreters_own_kernels, singles)
{
    const hoist_lower_options options = {.struct_size = sizeof options,
                                         .requantization = HOIST_REQUANTIZE_SINGLE};
    hoist_program *program = NULL;
    const tflite_model *model = tflite_job_model(t, row->op, row->tensors, row->options);
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, &options, &program), HOIST_OK);
    if (program) {
        HOIST_EXPECT_STR(t, tflite_job_steps(t, program), row->steps);
    }
    hoist_program_destroy(program);
}

// Refusals --------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    int32_t op;
    const void *options;
    const char *tensors;
    const char *rule;
    const char *says;
} refusals[] = {
    {"an operator that is not here", TFLITE_OP_SPACE_TO_DEPTH, NULL, "i8 1x2x2x1 0.5 1 > i8 1x1x1x4 0.5 1",
     "RUN-029", "operator 0 is SPACE_TO_DEPTH, which cannot be run"},
    {"one that calls others", TFLITE_OP_IF, NULL, "i8 4 0.5 1 > i8 4 0.5 1",
     "RUN-029", "operator 0 is IF"},
    {"one that loops", TFLITE_OP_WHILE, NULL, "i8 4 0.5 1 > i8 4 0.5 1",
     "RUN-029", "operator 0 is WHILE"},
    {"one of a later schema", 250, NULL, "i8 4 0.5 1 > i8 4 0.5 1",
     "RUN-029", "operator 0 is operator 250"},
    {"a custom one", TFLITE_OP_CUSTOM, NULL, "i8 4 0.5 1 > i8 4 0.5 1",
     "RUN-029", "operator 0 is the custom one 'mine'"},
    {"two inputs too many", TFLITE_OP_LOGISTIC, NULL, "i8 4 0.5 1, i8 4 0.5 1, i8 4 0.5 1 > i8 4 0.00390625 -128",
     "RUN-030", "has 3 inputs and 1 outputs"},
    {"an input that is left out", TFLITE_OP_ADD, &no_add, "i8 4 0.5 1, none > i8 4 0.5 1",
     "RUN-030", "input 1 is left out"},
    {"a convolution of float32 with int8 weights", TFLITE_OP_CONV_2D, &same, "f32 1x4x4x1, i8 1x1x1x1 0.5 0 = 1 > f32 1x4x4x1",
     "RUN-030", "weights is i8, expected f32"},
    {"leaky relu of a slope beyond any", TFLITE_OP_LEAKY_RELU, &steep, "i8 4 0.5 0 > i8 4 0.5 0",
     "RUN-030", "the slope is -2.14748e+09, expected -2^30 to 2^30, neither included"},
    {"leaky relu of int16 with a zero point", TFLITE_OP_LEAKY_RELU, &leaky, "i16 4 0.5 0 > i16 4 0.5 1",
     "RUN-030", "16-bit numbers have a zero point, expected 0"},
    {"prelu of int16", TFLITE_OP_PRELU, NULL, "i16 4 0.5 0, i16 4 0.5 0 = 1 > i16 4 0.5 0",
     "RUN-030", "numbers of 16 bits, expected 8 or float32"},
    {"quantize from int32 to int32", TFLITE_OP_QUANTIZE, NULL, "i32 4 0.5 0 > i32 4 0.25 0",
     "RUN-030", "numbers from i32 to i32"},
    {"quantize from int8 to int32", TFLITE_OP_QUANTIZE, NULL, "i8 4 0.5 0 > i32 4 0.25 0",
     "RUN-030", "numbers from i8 to i32"},
    {"quantize from int32 to uint8", TFLITE_OP_QUANTIZE, NULL, "i32 4 0.5 0 > u8 4 0.25 0",
     "RUN-030", "numbers from i32 to u8"},
    {"prelu without scales", TFLITE_OP_PRELU, NULL, "i8 4 0.5 0, i8 4 = 1 > i8 4 0.5 0",
     "RUN-030", "tensor 1 ('t1') has 0 scales, expected 1"},
    {"a convolution of int16 with a zero point", TFLITE_OP_CONV_2D, &same, "i16 1x4x4x2 0.5 1, i8 3x1x1x2 0.5 0 = 1, i64 3 = 1 > i16 1x4x4x3 0.5 0",
     "RUN-030", "16-bit numbers have a zero point, expected 0"},
    {"one to a zero point", TFLITE_OP_CONV_2D, &same, "i16 1x4x4x2 0.5 0, i8 3x1x1x2 0.5 0 = 1, i64 3 = 1 > i16 1x4x4x3 0.5 -1",
     "RUN-030", "16-bit numbers have a zero point, expected 0"},
    {"one of scales far apart", TFLITE_OP_CONV_2D, &same, "i16 1x4x4x2 16 0, i8 3x1x1x2 4 0 = 1, i64 3 = 1 > i16 1x4x4x3 0.5 0",
     "RUN-030", "the ratio of scales of 16-bit numbers is 128, expected below 128"},
    {"one with a bias of int32", TFLITE_OP_CONV_2D, &same, "i16 1x4x4x2 0.5 0, i8 3x1x1x2 0.5 0 = 1, i32 3 = 1 > i16 1x4x4x3 0.5 0",
     "RUN-030", "bias is i32, expected i64"},
    {"a transposed convolution to another shape", TFLITE_OP_TRANSPOSE_CONV, &widening, "i32 4 = 1 4 6 2, i8 1x3x3x2 0.5 0 = 1, i8 1x2x3x2 0.5 -1 > i8 1x4x6x1 0.5 3",
     "RUN-030", "the output has another shape than input 0 says"},
    {"one to fewer dimensions", TFLITE_OP_TRANSPOSE_CONV, &widening, "i32 3 = 1 4 6, i8 1x3x3x2 0.5 0 = 1, i8 1x2x3x2 0.5 -1 > i8 1x4x6x1 0.5 3",
     "RUN-030", "the output has another shape than input 0 says"},
    {"one to a computed shape of fewer dimensions", TFLITE_OP_TRANSPOSE_CONV, &widening, "i32 3, i8 1x3x3x2 0.5 0 = 1, i8 1x2x3x2 0.5 -1 > i8 1x4x6x1 0.5 3",
     "RUN-030", "the output has another shape than input 0 says"},
    {"one to a computed shape of one number", TFLITE_OP_TRANSPOSE_CONV, &widening, "i32 1x1, i8 1x3x3x2 0.5 0 = 1, i8 1x2x3x2 0.5 -1 > i8 1x4x6x1 0.5 3",
     "RUN-030", "the output has another shape than input 0 says"},
    {"one to a computed shape of int64", TFLITE_OP_TRANSPOSE_CONV, &widening, "i64 4, i8 1x3x3x2 0.5 0 = 1, i8 1x2x3x2 0.5 -1 > i8 1x4x6x1 0.5 3",
     "RUN-030", "a is i64, expected i32"},
    {"one of int16 with a zero point", TFLITE_OP_TRANSPOSE_CONV, &widening, "i32 4 = 1 4 6 1, i8 1x3x3x2 0.5 0 = 1, i16 1x2x3x2 0.5 -1 > i16 1x4x6x1 0.5 0",
     "RUN-030", "16-bit numbers have a zero point, expected 0"},
    {"one of int16 of scales far apart", TFLITE_OP_TRANSPOSE_CONV, &widening, "i32 4 = 1 4 6 1, i8 1x3x3x2 4 0 = 1, i16 1x2x3x2 16 0 > i16 1x4x6x1 0.5 0",
     "RUN-030", "the ratio of scales of 16-bit numbers is 128, expected below 128"},
    {"one from another size", TFLITE_OP_TRANSPOSE_CONV, &widening, "i32 4 = 1 4 6 1, i8 1x3x3x2 0.5 0 = 1, i8 1x3x3x2 0.5 -1 > i8 1x4x6x1 0.5 3",
     "RUN-030", "an output of 3 x 3 is not what its windows over 4 x 6 give"},
    {"tiles of another shape", TFLITE_OP_TILE, NULL, "i8 2x3, i32 2 = 2 2 > i8 4x3",
     "RUN-030", "the shapes are not what it makes of its input"},
    {"tiles of no elements", TFLITE_OP_TILE, NULL, "i8 2x3, i32 2 = 0 1 > i8 2x3",
     "RUN-030", "the shapes are not what it makes of its input"},
    {"tiles of fewer axes", TFLITE_OP_TILE, NULL, "i8 2x3, i32 1 = 2 > i8 4x3",
     "RUN-030", "the shapes are not what it makes of its input"},
    {"one to int8", TFLITE_OP_CONV_2D, &same, "f32 1x4x4x1, f32 1x1x1x1 = 1 > i8 1x4x4x1 0.5 0",
     "RUN-030", "y is i8, expected f32"},
    {"a pool of float32 to int8", TFLITE_OP_MAX_POOL_2D, &pool, "f32 1x4x4x1 > i8 1x2x2x1 0.5 0",
     "RUN-030", "y is i8, expected f32"},
    {"a sum of float32 that is int8", TFLITE_OP_ADD, &no_add, "f32 4 0.5 0, f32 4 0.5 0 > i8 4 0.5 0",
     "RUN-030", "a is f32, expected i8 or i16 or u8"},
    {"a sum of int32 that is float32", TFLITE_OP_ADD, &no_add, "i32 4, i32 4 > f32 4",
     "RUN-030", "a is i32, expected f32"},
    {"a sum of float32 with tanh", TFLITE_OP_ADD, &tanh_add, "f32 4, f32 4 > f32 4",
     "RUN-030", "activation 4, expected none or a relu"},
    {"a quotient of int8", TFLITE_OP_DIV, &no_fused, "i8 4 0.5 1, i8 4 0.5 1 > i8 4 0.5 1",
     "RUN-030", "a is i8, expected f32"},
    {"one of int32", TFLITE_OP_DIV, &no_fused, "i32 4, i32 4 > i32 4",
     "RUN-030", "a is i32, expected f32"},
    {"a quotient of float32, rounded down", TFLITE_OP_FLOOR_DIV, NULL, "f32 4, f32 4 > f32 4",
     "RUN-030", "a is f32, expected i32"},
    {"shapes that do not meet", TFLITE_OP_FLOOR_DIV, NULL, "i32 4, i32 3 > i32 4",
     "RUN-030", "an input cannot be stretched to the shape of the output"},
    {"a cast to half", TFLITE_OP_CAST, NULL, "i8 4 > f16 4",
     "RUN-030", "y is f16"},
    {"hard swish of a scale much greater", TFLITE_OP_HARD_SWISH, NULL, "i8 4 256 0 > i8 4 0.5 0",
     "RUN-030", "shift is 3, expected -15 to 0"},
    {"hard swish of int16", TFLITE_OP_HARD_SWISH, NULL, "i16 4 0.5 0 > i16 4 0.5 0",
     "RUN-030", "x is i16, expected i8 or u8"},
    {"the greater of other scales", TFLITE_OP_MAXIMUM, NULL, "i8 4 0.5 1, i8 4 0.25 1 > i8 4 0.5 1",
     "RUN-030", "inputs and output are quantised in different ways"},
    {"the greater of another zero point", TFLITE_OP_MAXIMUM, NULL, "i8 4 0.5 1, i8 4 0.5 1 > i8 4 0.5 2",
     "RUN-030", "inputs and output are quantised in different ways"},
    {"one without a scale", TFLITE_OP_MINIMUM, NULL, "i8 4 0.5 1, i8 4 > i8 4 0.5 1",
     "RUN-030", "has 0 scales"},
    {"places along two axes", TFLITE_OP_ARG_MAX, NULL, "i8 2x2 0.5 1, i32 2 = 0 1 > i32 2",
     "RUN-030", "which has 2 dimensions"},
    {"places along another axis", TFLITE_OP_ARG_MAX, NULL, "i8 2x3 0.5 1, i32 - = 2 > i32 2",
     "RUN-030", "axis 2 of"},
    {"an axis that is not known", TFLITE_OP_ARG_MIN, NULL, "i8 2x3 0.5 1, i32 1 > i32 2",
     "RUN-031", "what input 1 says is not known before the run"},
    {"places that keep the axis's length", TFLITE_OP_ARG_MAX, NULL, "i8 2x3 0.5 1, i32 - = 1 > i32 2x3",
     "RUN-030", "the shapes are not what it makes of its input"},
    {"a gather in batches", TFLITE_OP_GATHER, &batched, "i8 2x4 0.5 1, i32 2 > i8 2 0.5 1",
     "RUN-030", "1 batch dimensions, expected 0"},
    {"a gather of too few", TFLITE_OP_GATHER, &middle, "i8 2x4 0.5 1, i32 3 > i8 2x2 0.5 1",
     "RUN-030", "the shapes are not what it makes of its input"},
    {"a gather of more than can be counted", TFLITE_OP_GATHER, NULL, "i8 1x1048576x262144 0.5 1, i32 67108864 > i8 4 0.5 1",
     "RUN-030", "the shapes are not what it makes of its input"},
    {"a gather of other numbers", TFLITE_OP_GATHER, &middle, "i8 2x4 0.5 1, i32 3 > u8 2x3 0.5 1",
     "RUN-030", "y is u8, x is i8"},
    {"places of more dimensions", TFLITE_OP_GATHER_ND, NULL, "i8 4x3 0.5 1, i32 2x3 > i8 2 0.5 1",
     "RUN-030", "rows of 3 indices into 2 dimensions, expected 1 to 2"},
    {"places of none", TFLITE_OP_GATHER_ND, NULL, "i8 4x3 0.5 1, i32 - > i8 4x3 0.5 1",
     "RUN-030", "rows of 0 indices into 2 dimensions"},
    {"a size that is not that of the output", TFLITE_OP_RESIZE_NEAREST_NEIGHBOR, &corners, "i8 1x2x2x1 0.5 1, i32 2 = 4 5 > i8 1x4x6x1 0.5 1",
     "RUN-030", "the size is not that of the output"},
    {"types that differ", TFLITE_OP_ADD, &no_add, "i8 4 0.5 1, u8 4 0.5 1 > i8 4 0.5 1",
     "RUN-030", "b is u8, a is i8"},
    {"no options", TFLITE_OP_CONV_2D, NULL, "i8 1x4x4x1 0.5 0, i8 1x1x1x1 0.5 0 = 1 > i8 1x4x4x1 0.5 0",
     "RUN-030", "is not what its windows"},
    {"an output of another size", TFLITE_OP_CONV_2D, &same, "i8 1x4x4x1 0.5 0, i8 1x1x1x1 0.5 0 = 1 > i8 1x4x5x1 0.5 0",
     "RUN-030", "an output of 4 x 5 is not what its windows over 4 x 4 give"},
    {"a window larger than the image", TFLITE_OP_MAX_POOL_2D, &pool, "i8 1x1x4x1 0.5 0 > i8 1x1x2x1 0.5 0",
     "RUN-030", "is not what its windows"},
    {"images of 3 dimensions", TFLITE_OP_MAX_POOL_2D, &pool, "i8 4x4x1 0.5 0 > i8 2x2x1 0.5 0",
     "RUN-030", "images of 3 and 3 dimensions"},
    {"weights of 2 dimensions", TFLITE_OP_CONV_2D, &same, "i8 1x4x4x1 0.5 0, i8 1x1 0.5 0 = 1 > i8 1x4x4x1 0.5 0",
     "RUN-030", "weights of 2 dimensions, expected 4"},
    {"too few scales of weights", TFLITE_OP_CONV_2D, &same, "i8 1x4x4x1 0.5 0, i8 3x1x1x1 0.5/1 0 = 1 > i8 1x4x4x3 0.5 0",
     "RUN-030", "the weights have 2 scales, expected 1, or one for each of 3 channels"},
    {"scales of another dimension", TFLITE_OP_CONV_2D, &same, "i8 1x4x4x2 0.5 0, i8 2x1x1x2@3 0.5/1 0 = 1 > i8 1x4x4x2 0.5 0",
     "RUN-030", "the weights have 2 scales"},
    {"a zero point that nobody looks at", TFLITE_OP_CONV_2D, &same, "i8 1x4x4x1 0.5 0, i8 1x1x1x1 0.5 4 = 1 > i8 1x4x4x1 0.5 0",
     "RUN-030", "the weights have zero point 4, expected 0"},
    {"zero points of several scales", TFLITE_OP_FULLY_CONNECTED, &no_dense, "i8 1x4 0.5 0, i8 2x4 0.5/1 4 = 1 > i8 1x2 0.5 0",
     "RUN-030", "the weights have zero point 4, expected 0"},
    {"a bias of another type", TFLITE_OP_CONV_2D, &same, "i8 1x4x4x1 0.5 0, i8 1x1x1x1 0.5 0 = 1, i64 1 = 1 > i8 1x4x4x1 0.5 0",
     "RUN-030", "bias is i64, expected i32"},
    {"channels that do not fit", TFLITE_OP_CONV_2D, &same, "i8 1x4x4x3 0.5 0, i8 1x1x1x2 0.5 0 = 1 > i8 1x4x4x1 0.5 0",
     "RUN-030", "channels of x"},
    {"a ratio beyond all numbers", TFLITE_OP_CONV_2D, &same, "i8 1x4x4x1 1e20 0, i8 1x1x1x1 1e10 0 = 1 > i8 1x4x4x1 0.5 0",
     "RUN-030", "the ratio of scales is"},
    {"shuffled weights", TFLITE_OP_FULLY_CONNECTED, &shuffled, "i8 1x4 0.5 0, i8 2x4 0.5 0 = 1 > i8 1x2 0.5 0",
     "RUN-030", "its weights are shuffled"},
    {"rows of another length", TFLITE_OP_FULLY_CONNECTED, &no_dense, "i8 1x5 0.5 0, i8 2x4 0.5 0 = 1 > i8 1x2 0.5 0",
     "RUN-030", "are not rows for the weights"},
    {"an activation that is no relu", TFLITE_OP_ADD, &tanh_add, "i8 4 0.5 1, i8 4 0.5 1 > i8 4 0.5 1",
     "RUN-030", "activation 4, expected none or a relu"},
    {"a sum of 16 bits that only shifts", TFLITE_OP_ADD, &no_pot, "i16 4 0.5 0, i16 4 0.25 0 > i16 4 1 0",
     "RUN-030", "whose scales are powers of two"},
    {"shapes that cannot be stretched", TFLITE_OP_MUL, &no_fused, "i8 2x3 0.5 1, i8 2 0.5 1 > i8 2x3 0.5 1",
     "RUN-030", "cannot be stretched"},
    {"an average of another scale", TFLITE_OP_AVERAGE_POOL_2D, &pool, "i8 1x4x4x1 0.5 0 > i8 1x2x2x1 0.25 0",
     "RUN-030", "in different ways"},
    {"a maximum of another scale", TFLITE_OP_MAX_POOL_2D, &pool, "i8 1x4x4x1 0.5 0 > i8 1x2x2x1 0.25 0",
     "RUN-030", "in different ways"},
    {"a maximum of another zero point", TFLITE_OP_MAX_POOL_2D, &pool, "i8 1x4x4x1 0.5 0 > i8 1x2x2x1 0.5 1",
     "RUN-030", "in different ways"},
    {"softmax of another scale", TFLITE_OP_SOFTMAX, &beta, "i8 1x4 0.5 0 > i8 1x4 0.5 -128",
     "RUN-030", "the output has scale 0.5 and zero point -128, expected 0.00390625 and -128"},
    {"tanh of another zero point", TFLITE_OP_TANH, NULL, "i8 1x4 0.5 0 > i8 1x4 0.0078125 1",
     "RUN-030", "zero point 1, expected 0.0078125 and 0"},
    {"logistic of a tiny scale", TFLITE_OP_LOGISTIC, NULL, "i8 1x4 1e-10 0 > i8 1x4 0.00390625 -128",
     "RUN-030", "shift is"},
    {"a mean over other axes", TFLITE_OP_MEAN, &keep, "i8 1x4x3x2 0.5 1, i32 1 = 3 > i8 1x4x3x1 0.5 1",
     "RUN-030", "other axes than 1 and 2"},
    {"a mean of another shape", TFLITE_OP_MEAN, &keep, "i8 1x4x3x2 0.5 1, i32 2 = 1 2 > i8 1x1x1x3 0.5 1",
     "RUN-030", "dimension 3 of y"},
    {"an axis beyond", TFLITE_OP_MEAN, &keep, "i8 1x4x3x2 0.5 1, i32 1 = 4 > i8 1x4x3x1 0.5 1",
     "RUN-030", "axis 4 of tensor 0 ('t0'), which has 4 dimensions"},
    {"axes that a run decides", TFLITE_OP_MEAN, &keep, "i8 1x4x3x2 0.5 1, i32 2 > i8 1x1x1x2 0.5 1",
     "RUN-031", "what input 1 says is not known before the run"},
    {"axes of another type", TFLITE_OP_MEAN, &keep, "i8 1x4x3x2 0.5 1, i16 2 = 1 2 > i8 1x1x1x2 0.5 1",
     "RUN-031", "what input 1 says"},
    {"more numbers than dimensions", TFLITE_OP_TRANSPOSE, NULL, "i8 4 0.5 1, i32 9 = 0 1 2 3 4 5 6 7 8 > i8 4 0.5 1",
     "RUN-031", "input 1 has 9 numbers, expected at most 8"},
    {"a size of another output", TFLITE_OP_RESIZE_BILINEAR, &half, "i8 1x2x2x1 0.5 1, i32 2 = 4 5 > i8 1x4x6x1 0.5 1",
     "RUN-030", "the size is not that of the output"},
    {"a scale that is missing", TFLITE_OP_DEQUANTIZE, NULL, "i8 4 > f32 4",
     "RUN-030", "tensor 0 ('t0') has 0 scales, expected 1"},
    {"several scales", TFLITE_OP_DEQUANTIZE, NULL, "i8 2 0.5/1 0 > f32 2",
     "RUN-030", "tensor 0 ('t0') has 2 scales, expected 1"},
    {"a half float", TFLITE_OP_DEQUANTIZE, NULL, "f16 4 0.5 0 > f32 4",
     "RUN-030", "x is f16"},
    {"a reshape to another shape than the file has", TFLITE_OP_RESHAPE, NULL, "i8 2x6 0.5 1, i32 2 = 4 3 > i8 3x4 0.5 1",
     "RUN-030", "the output has another shape in the file than it makes"},
    {"a reshape of other rank", TFLITE_OP_RESHAPE, NULL, "i8 2x6 0.5 1, i32 1 = -1 > i8 3x4 0.5 1",
     "RUN-030", "the output has another shape in the file than it makes"},
    {"one by its options", TFLITE_OP_RESHAPE, &as_options, "i8 2x6 0.5 1 > i8 4x3 0.5 1",
     "RUN-030", "the output has another shape in the file than it makes"},
    {"a computed shape of other rank", TFLITE_OP_RESHAPE, NULL, "i8 2x6 0.5 1, i32 3 > i8 3x4 0.5 1",
     "RUN-030", "the output has another shape than input 1 says"},
    {"a squeeze of another axis", TFLITE_OP_SQUEEZE, &second_last, "i8 1x4x1x2 0.5 1 > i8 4x1x2 0.5 1",
     "RUN-030", "the output has another shape in the file than it makes"},
    {"a squeeze of all", TFLITE_OP_SQUEEZE, NULL, "i8 1x4x1x2 0.5 1 > i8 1x4x2 0.5 1",
     "RUN-030", "the output has another shape in the file than it makes"},
    {"a squeeze of more than one element", TFLITE_OP_SQUEEZE, &second_last, "i8 1x4x3x2 0.5 1 > i8 1x4x6 0.5 1",
     "RUN-030", "the output has another shape in the file than it makes"},
    {"a squeeze of an axis beyond", TFLITE_OP_SQUEEZE, &second_last, "i8 4 0.5 1 > i8 4 0.5 1",
     "RUN-030", "the output has another shape in the file than it makes"},
    {"an axis elsewhere", TFLITE_OP_EXPAND_DIMS, NULL, "i8 4x2 0.5 1, i32 - = 0 > i8 4x2x1 0.5 1",
     "RUN-030", "the output has another shape in the file than it makes"},
    {"two axes", TFLITE_OP_EXPAND_DIMS, NULL, "i8 4 0.5 1, i32 2 = 0 1 > i8 1x1x4 0.5 1",
     "RUN-030", "the output has another shape in the file than it makes"},
    {"an axis that a run decides", TFLITE_OP_EXPAND_DIMS, NULL, "i8 4 0.5 1, i32 1 > i8 1x4 0.5 1",
     "RUN-031", "what input 1 says is not known before the run"},
    {"a reshape to more", TFLITE_OP_RESHAPE, NULL, "i8 4 0.5 1 > i8 5 0.5 1",
     "RUN-030", "x has 4 elements, y has 5"},
    {"a reshape to another type", TFLITE_OP_RESHAPE, NULL, "i8 4 0.5 1 > u8 4 0.5 1",
     "RUN-030", "x is i8, y is u8"},
    {"strings", TFLITE_OP_RESHAPE, NULL, "str 4 > str 4",
     "RUN-030", "tensor 0 ('t0') has elements of type STRING"},
    {"a tensor without elements", TFLITE_OP_RESHAPE, NULL, "i8 0 0.5 1 > i8 0 0.5 1",
     "RUN-031", "tensor 0 ('t0') has 0 bytes"},
    {"a tensor beyond all memory", TFLITE_OP_RESHAPE, NULL, "i8 2000000x2000000 0.5 1 > i8 2000000x2000000 0.5 1",
     "RUN-031", "tensor 0 ('t0') has 4000000000000 bytes"},
    {"a shape that wraps", TFLITE_OP_RESHAPE, NULL, "i8 2000000000x2000000000x2000000000 0.5 1 > i8 1 0.5 1",
     "RUN-031", "tensor 0 ('t0') has 0 bytes"},
    {"nine dimensions", TFLITE_OP_RESHAPE, NULL, "i8 1x1x1x1x1x1x1x1x1 0.5 1 > i8 1 0.5 1",
     "RUN-031", "tensor 0 ('t0') has 9 dimensions, expected at most 8"},
    {"a concatenation that is too long", TFLITE_OP_CONCATENATION, &last, "i8 2 0.5 1, i8 2 0.5 1 > i8 3 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"one that is too short", TFLITE_OP_CONCATENATION, &last, "i8 2 0.5 1 > i8 3 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"one of other shapes", TFLITE_OP_CONCATENATION, &last, "i8 3x1 0.5 1, i8 2x2 0.5 1 > i8 2x3 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"int8 of other scales", TFLITE_OP_CONCATENATION, &last, "i8 1 0.5 1, i8 2 0.25 1 > i8 3 0.5 1",
     "RUN-030", "x is i8, expected u8"},
    {"a concatenation with a relu", TFLITE_OP_CONCATENATION, &relu_join, "i8 1 0.5 1, i8 2 0.5 1 > i8 3 0.5 1",
     "RUN-030", "activation 1, expected none"},
    {"a split that leaves something", TFLITE_OP_SPLIT, &two, "i32 - = 0, i8 4 0.5 1 > i8 1 0.5 1, i8 2 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a split of too much", TFLITE_OP_SPLIT, &two, "i32 - = 0, i8 4 0.5 1 > i8 3 0.5 1, i8 2 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a split along two axes", TFLITE_OP_SPLIT, &two, "i32 2 = 0 1, i8 4 0.5 1 > i8 2 0.5 1, i8 2 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"pads that do not fit", TFLITE_OP_PAD, NULL, "i8 2 0.5 1, i32 1x2 = 1 1 > i8 3 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a negative pad", TFLITE_OP_PAD, NULL, "i8 2 0.5 1, i32 1x2 = -1 1 > i8 2 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a pad of many numbers", TFLITE_OP_PADV2, NULL, "i8 2 0.5 1, i32 1x2 = 1 0, i8 2 0.5 1 = 1 1 > i8 3 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a zero point of float32", TFLITE_OP_PAD, NULL, "f32 2 0.5 1, i32 1x2 = 1 0 > f32 3 0.5 1",
     "RUN-030", "the zero point of y is 1, and y is f32"},
    {"an order with one axis twice", TFLITE_OP_TRANSPOSE, NULL, "i8 2x2 0.5 1, i32 2 = 0 0 > i8 2x2 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a slice beyond the end", TFLITE_OP_SLICE, NULL, "i8 4 0.5 1, i32 1 = 2, i32 1 = 3 > i8 3 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a slice before the start", TFLITE_OP_SLICE, NULL, "i8 4 0.5 1, i32 1 = -1, i32 1 = 1 > i8 1 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"steps of 0", TFLITE_OP_STRIDED_SLICE, &no_masks, "i8 4 0.5 1, i32 1 = 0, i32 1 = 4, i32 1 = 0 > i8 4 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a slice of nothing", TFLITE_OP_STRIDED_SLICE, &no_masks, "i8 4 0.5 1, i32 1 = 2, i32 1 = 2, i32 1 = 1 > i8 1 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a step back where the axis goes", TFLITE_OP_STRIDED_SLICE, &first, "i8 3x4 0.5 1, i32 2 = 2 0, i32 2 = 1 4, i32 2 = -1 1 > i8 4 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"lists of other lengths", TFLITE_OP_STRIDED_SLICE, &no_masks, "i8 4 0.5 1, i32 1 = 2, i32 2 = 3 3, i32 1 = 1 > i8 1 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"a new axis in a slice", TFLITE_OP_STRIDED_SLICE, &new_axis, "i8 4 0.5 1, i32 1 = 0, i32 1 = 4, i32 1 = 1 > i8 1x4 0.5 1",
     "RUN-030", "ellipses, new axes or offsets"},
    {"too few to pack", TFLITE_OP_PACK, &pack1, "i8 3 0.5 1 > i8 3x2 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
    {"other shapes to pack", TFLITE_OP_PACK, &pack1, "i8 2 0.5 1, i8 3 0.5 1 > i8 3x2 0.5 1",
     "RUN-030", "the shapes are not what it makes"},
};
// clang-format on

HOIST_TEST_TABLE(what_cannot_run_is_refused_by_name, refusals)
{
    hoist_program *program = NULL;
    const tflite_model *model = tflite_job_model(t, row->op, row->tensors, row->options);
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, program == NULL);
    hoist_program_destroy(program);
    const hoist_finding *finding = hoist_diag_at(t->diag, 0);
    if (finding) {
        HOIST_EXPECT(t, finding->loc.kind == HOIST_LOC_BYTE && finding->loc.offset > 0);
        HOIST_EXPECT(t, strstr(finding->message.data, row->says));
    }
    HOIST_EXPECT_RULE(t, row->rule);
}

// Tensors without dimensions have space for one element of a batch.
HOIST_TEST(scalars_are_of_one_element)
{
    static const char *const says[] = {
        "", "tensor 0 ('t0') has no dimension for the 2 elements of a batch [RUN-031]\n"};
    for (uint32_t batch = 1; batch <= 2; batch++) {
        const hoist_lower_options options = {.struct_size = sizeof options, .batch = batch};
        tflite_model *model =
            tflite_job_model(t, TFLITE_OP_RESHAPE, "i8 1 0.5 1 > i8 1 0.5 1", NULL);
        tflite_tensor *tensors = model->subgraphs.items[0].tensors.items;
        hoist_program *program = NULL;
        memset(&tensors[0].shape, 0, sizeof tensors[0].shape);
        HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, &options, &program),
                        batch == 1 ? HOIST_OK : HOIST_UNSUPPORTED);
        HOIST_EXPECT(t, hoist_str_ends_with(hoist_test_findings(t), says[batch - 1]));
        HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), batch - 1);
        hoist_program_destroy(program);
    }
}

// Whichever tensor of an operator has a type that nothing runs, it is what is reported, and nothing
// that follows from it. Operators that have their second input in options, or in the shape of the
// output, do not look at it.
HOIST_TEST_TABLE(each_tensor_is_looked_at, runs)
{
    uint32_t count = 1;
    for (uint32_t i = 0; i < count; i++) {
        tflite_model *model = tflite_job_model(t, row->op, row->tensors, row->options);
        tflite_subgraph *graph = &model->subgraphs.items[0];
        hoist_program *program = NULL;
        count = graph->tensors.count;
        graph->tensors.items[i].type = TFLITE_STRING;
        hoist_test_row(t, row->name); // with no findings
        const hoist_status status = tflite_job_lower(t, model, NULL, &program);
        const bool unused = i == 1 && status == HOIST_OK;
        HOIST_EXPECT(t, unused || status == HOIST_UNSUPPORTED);
        HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), unused ? 0 : 1);
        const hoist_str is_of = hoist_arena_format(&t->arena, "tensor %u ('t%u') has", i, i);
        const hoist_str findings = hoist_test_findings(t);
        HOIST_EXPECT(t, unused || hoist_str_contains(findings, is_of.data) ||
                            hoist_str_contains(findings, "is not known before the run"));
        hoist_program_destroy(program);
    }
}

// An operand that is missing is all that is reported of its operator, even where shapes do not fit.
HOIST_TEST(what_follows_is_not_reported)
{
    tflite_model *model =
        tflite_job_model(t, TFLITE_OP_PADV2, "i8 2 0.5 1, i32 1x2 = 1 0, str - > i8 4 0.5 1", NULL);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t, tflite_job_lower(t, model, NULL, &program), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    HOIST_EXPECT(t, strstr(hoist_diag_at(t->diag, 0)->message.data, "t2"));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(each_operator_becomes_steps),
                HOIST_TEST_ROW(the_interpreters_own_kernels),
                HOIST_TEST_ROW(what_cannot_run_is_refused_by_name),
                HOIST_TEST_ROW(scalars_are_of_one_element),
                HOIST_TEST_ROW(each_tensor_is_looked_at),
                HOIST_TEST_ROW(what_follows_is_not_reported))
