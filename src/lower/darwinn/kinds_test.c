// Each kind of recovered layer as its steps and constants, worked out by hand from the layer's
// numbers (kinds.c): unsigned and signed tensors, integers and floats; and what does not fit, with
// its reason.
#include "base/alloc.h"
#include "lower/darwinn/bench_testing.h"
#include "lower/darwinn/layers.h"
#include "lower/program_text_testing.h"

// One layer of inputs a and b, or of an earlier layer's values v.
typedef struct kind_row {
    const char *name;
    bool is_signed;
    hoist_requantization how;
    dwn_extent a, b; // 0: there is none
    dwn_recovered layer;
    const char *lines; // NULL: it does not fit, for the reason `why`
    const char *why;
} kind_row;

static const uint32_t first[] = {DWN_MODEL_INPUT, DWN_MODEL_INPUT + 1};
static const uint32_t second[] = {DWN_MODEL_INPUT + 1, DWN_MODEL_INPUT};
static const uint32_t value[] = {0};
static const uint8_t weights[] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,
                                  13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24};
static const int32_t bias[] = {10, -20};
static const float multipliers[] = {0.5F, 0.375F};
static const uint8_t same_zeros[] = {7, 7};
static const uint8_t other_zeros[] = {7, 8};

// clang-format off
#define FLOATS .how = HOIST_REQUANTIZE_FLOAT
#define IN(list, count) .inputs = (list), .input_count = (count)
#define WINDOW .kernel = {2, 3}, .stride = {1, 2}, .dilation = {1, 1}, .padding = {0, 1}
#define ZEROS .input_zero = 3, .weight_zero = 5, .output_zero = 7, .low = -7, .high = 120
#define WEIGHTS(o, n) .weights = weights, .rows = (o), .weight_count = (n)
#define CONV .kind = DWN_KIND_CONVOLUTION, IN(first, 1), WINDOW, ZEROS, .multiplier = 0.5F, .input = {4, 4, 2}, .output = {3, 2, 2}
#define AWAY .kind = DWN_KIND_CONVOLUTION, IN(first, 1), ZEROS, WEIGHTS(2, 24), .kernel = {2, 3}, .stride = {1, 2}, .dilation = {1, 1}, .multiplier = 0.5F, .input = {1, 1, 2}, .output = {3, 2, 2}
#define DEPTHWISE .kind = DWN_KIND_DEPTHWISE, IN(first, 1), WINDOW, ZEROS, .multiplier = 0.5F, .input = {4, 4, 2}, .output = {3, 2, 2}
#define DENSE .kind = DWN_KIND_DENSE, IN(first, 1), ZEROS, .multiplier = 0.25F, .input = {2, 2, 1}, .output = {1, 1, 3}
#define SUM .kind = DWN_KIND_ADD, .factors = {3, -2}, .constant = -11, .multiplier = 0.5F, ZEROS
#define POOL .kind = DWN_KIND_AVERAGE_POOL, IN(first, 1), .kernel = {2, 4}, .stride = {2, 4}, .dilation = {1, 1}, .input_zero = 3, .output_zero = 3, .low = -3, .high = 252
#define SOFTMAX .kind = DWN_KIND_SOFTMAX, IN(first, 1), .input_zero = 3
static const kind_row rows[] = {
    {"convolution", .a = {4, 4, 2}, .layer = {CONV, WEIGHTS(2, 24)},
     .lines = "buffer constant/0 in host size 24 lifetime constant contents bytes data 0102030405060708090a0b0c0d0e0f101112131415161718\n"
     "buffer constant/1 in host size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/2 in host size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.conv(stride_h 1, stride_w 2, pad_top 0, pad_left 1, dilation_h 1, dilation_w 1, zero_in 3, zero_weight 5, zero_out 7, low 0, high 127) from [a u8[1, 4, 4, 2], constant/0 u8[2, 2, 3, 2], constant/2 i32[2] by [0], constant/1 i32[1, 2]] to [y u8[1, 3, 2, 2]]\n"},
    {"convolution of signed numbers", .is_signed = true, .a = {4, 4, 2}, .layer = {CONV, WEIGHTS(2, 24)},
     .lines = "buffer constant/0 in host size 24 lifetime constant contents bytes data 8182838485868788898a8b8c8d8e8f909192939495969798\n"
     "buffer constant/1 in host size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/2 in host size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.conv(stride_h 1, stride_w 2, pad_top 0, pad_left 1, dilation_h 1, dilation_w 1, zero_in -125, zero_weight -123, zero_out -121, low -128, high -1) from [a i8[1, 4, 4, 2], constant/0 i8[2, 2, 3, 2], constant/2 i32[2] by [0], constant/1 i32[1, 2]] to [y i8[1, 3, 2, 2]]\n"},
    {"convolution with arrays", .a = {4, 4, 2}, .layer = {CONV, WEIGHTS(2, 24), .bias = bias, .multipliers = multipliers, .weight_zeros = same_zeros},
     .lines = "buffer constant/0 in host size 24 lifetime constant contents bytes data 0102030405060708090a0b0c0d0e0f101112131415161718\n"
     "buffer constant/1 in host size 8 lifetime constant contents bytes data 0a000000ecffffff\n"
     "buffer constant/2 in host size 16 lifetime constant contents bytes data 000000400000000000000060ffffffff\n"
     "compute tflite.conv(stride_h 1, stride_w 2, pad_top 0, pad_left 1, dilation_h 1, dilation_w 1, zero_in 3, zero_weight 7, zero_out 7, low 0, high 127) from [a u8[1, 4, 4, 2], constant/0 u8[2, 2, 3, 2], constant/1 i32[2], constant/2 i32[2, 2]] to [y u8[1, 3, 2, 2]]\n"},
    {"convolution in floats", FLOATS, .a = {4, 4, 2}, .layer = {CONV, WEIGHTS(2, 24), .bias = bias, .multipliers = multipliers},
     .lines = "buffer constant/0 in host size 24 lifetime constant contents bytes data 0102030405060708090a0b0c0d0e0f101112131415161718\n"
     "buffer constant/1 in host size 8 lifetime constant contents bytes data 0a000000ecffffff\n"
     "buffer constant/2 in host size 8 lifetime constant contents bytes data 0000003f0000c03e\n"
     "compute edgetpu.conv(stride_h 1, stride_w 2, pad_top 0, pad_left 1, dilation_h 1, dilation_w 1, zero_in 3, zero_weight 5, zero_out 7, low -7, high 1.2e02) from [a u8[1, 4, 4, 2], constant/0 u8[2, 2, 3, 2], constant/1 i32[2], constant/2 f32[2]] to [y u8[1, 3, 2, 2]]\n"},
    {"a weight too few", .a = {4, 4, 2}, .layer = {CONV, WEIGHTS(2, 23)}, .why = "it has 23 weights, its input and output expect 24"},
    {"zero points that differ", .a = {4, 4, 2}, .layer = {CONV, WEIGHTS(2, 24), .weight_zeros = other_zeros}, .why = "weights of channel 1 have zero point 8, those of channel 0 have 7"},
    {"depthwise", .a = {4, 4, 2}, .layer = {DEPTHWISE, WEIGHTS(2, 12)},
     .lines = "buffer constant/0 in host size 12 lifetime constant contents bytes data 0102030405060708090a0b0c\n"
     "buffer constant/1 in host size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/2 in host size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.depthwise(stride_h 1, stride_w 2, pad_top 0, pad_left 1, dilation_h 1, dilation_w 1, zero_in 3, zero_weight 5, zero_out 7, low 0, high 127) from [a u8[1, 4, 4, 2], constant/0 u8[1, 2, 3, 2], constant/2 i32[2] by [0], constant/1 i32[1, 2]] to [y u8[1, 3, 2, 2]]\n"},
    {"depthwise of signed numbers", .is_signed = true, .a = {4, 4, 2}, .layer = {DEPTHWISE, WEIGHTS(2, 12), .bias = bias},
     .lines = "buffer constant/0 in host size 12 lifetime constant contents bytes data 8182838485868788898a8b8c\n"
     "buffer constant/1 in host size 8 lifetime constant contents bytes data 0a000000ecffffff\n"
     "buffer constant/2 in host size 8 lifetime constant contents bytes data 0000004000000000\n"
     "compute tflite.depthwise(stride_h 1, stride_w 2, pad_top 0, pad_left 1, dilation_h 1, dilation_w 1, zero_in -125, zero_weight -123, zero_out -121, low -128, high -1) from [a i8[1, 4, 4, 2], constant/0 i8[1, 2, 3, 2], constant/1 i32[2], constant/2 i32[1, 2]] to [y i8[1, 3, 2, 2]]\n"},
    {"depthwise, a weight too many", .a = {4, 4, 2}, .layer = {DEPTHWISE, WEIGHTS(2, 13)}, .why = "it has 13 weights, its input and output expect 12"},
    {"dense", .a = {2, 2, 1}, .layer = {DENSE, WEIGHTS(3, 12)},
     .lines = "buffer constant/0 in host size 12 lifetime constant contents bytes data 0102030405060708090a0b0c\n"
     "buffer constant/1 in host size 8 lifetime constant contents bytes data 00000040ffffffff\n"
     "buffer constant/2 in host size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 3, zero_weight 5, zero_out 7, low 0, high 127) from [a u8[1, 4], constant/0 u8[3, 4], constant/2 i32[3] by [0], constant/1 i32[1, 2]] to [y u8[1, 3]]\n"},
    {"dense of an earlier layer", .a = {1, 1, 1}, .b = {1, 1, 4}, .layer = {.kind = DWN_KIND_DENSE, IN(value, 1), ZEROS, .multiplier = 0.25F, .input = {1, 1, 4}, .output = {1, 1, 3}, WEIGHTS(3, 12)},
     .lines = "buffer constant/0 in host size 12 lifetime constant contents bytes data 0102030405060708090a0b0c\n"
     "buffer constant/1 in host size 8 lifetime constant contents bytes data 00000040ffffffff\n"
     "buffer constant/2 in host size 4 lifetime constant contents bytes data 00000000\n"
     "compute tflite.dense(zero_in 3, zero_weight 5, zero_out 7, low 0, high 127) from [b u8[1, 4], constant/0 u8[3, 4], constant/2 i32[3] by [0], constant/1 i32[1, 2]] to [y u8[1, 3]]\n"},
    {"dense to more numbers than rows", .a = {2, 2, 1}, .layer = {.kind = DWN_KIND_DENSE, IN(first, 1), ZEROS, .multiplier = 1, .output = {1, 1, 4}, WEIGHTS(3, 12)}, .why = "its output is no row of numbers"},
    {"dense of other inputs", .a = {2, 3, 1}, .layer = {DENSE, WEIGHTS(3, 12)}, .why = "it has 12 weights, its input and output expect 18"},
    {"sum", .a = {2, 2, 3}, .b = {2, 2, 3}, .layer = {SUM, IN(first, 2), .output = {2, 2, 3}},
     .lines = "compute tflite.weighted_sum(k1 3, k2 -2, constant -11, zero_out 7, low 0, high 127, multiplier 1073741824, shift 0) from [a u8[1, 2, 2, 3], b u8[1, 2, 2, 3]] to [y u8[1, 2, 2, 3]]\n"},
    {"sum the other way round", .a = {2, 2, 3}, .b = {2, 2, 3}, .layer = {SUM, IN(second, 2), .output = {2, 2, 3}},
     .lines = "compute tflite.weighted_sum(k1 3, k2 -2, constant -11, zero_out 7, low 0, high 127, multiplier 1073741824, shift 0) from [b u8[1, 2, 2, 3], a u8[1, 2, 2, 3]] to [y u8[1, 2, 2, 3]]\n"},
    {"sum of signed numbers", .is_signed = true, .a = {2, 2, 3}, .b = {2, 2, 3}, .layer = {SUM, IN(first, 2), .output = {2, 2, 3}},
     .lines = "compute tflite.weighted_sum(k1 3, k2 -2, constant 117, zero_out -121, low -128, high -1, multiplier 1073741824, shift 0) from [a i8[1, 2, 2, 3], b i8[1, 2, 2, 3]] to [y i8[1, 2, 2, 3]]\n"},
    {"sum in floats", FLOATS, .a = {2, 2, 3}, .b = {2, 2, 3}, .layer = {SUM, IN(first, 2), .output = {2, 2, 3}},
     .lines = "compute edgetpu.weighted_sum(k1 3, k2 -2, constant -11, zero_out 7, low -7, high 1.2e02, multiplier 0.5) from [a u8[1, 2, 2, 3], b u8[1, 2, 2, 3]] to [y u8[1, 2, 2, 3]]\n"},
    {"sum of fewer channels", .a = {2, 2, 1}, .b = {2, 2, 3}, .layer = {SUM, IN(first, 2), .second_zero = 9, .output = {2, 2, 3}},
     .lines = "buffer constant/0 in host size 1 lifetime constant contents bytes data 03\n"
     "move copy from [constant/0 u8[1, 2, 2, 2] by [0, 0, 0, 0]] to model/3 u8[1, 2, 2, 2] by [12, 6, 3, 1] + 1\n"
     "move copy from [a u8[1, 2, 2, 1]] to model/3 u8[1, 2, 2, 1] by [12, 6, 3, 1]\n"
     "compute tflite.weighted_sum(k1 3, k2 -2, constant -11, zero_out 7, low 0, high 127, multiplier 1073741824, shift 0) from [model/3 u8[1, 2, 2, 3], b u8[1, 2, 2, 3]] to [y u8[1, 2, 2, 3]]\n"},
    {"sum of fewer channels on the other side", .is_signed = true, .a = {2, 2, 3}, .b = {2, 2, 2}, .layer = {SUM, IN(first, 2), .second_zero = 9, .output = {2, 2, 3}},
     .lines = "buffer constant/0 in host size 1 lifetime constant contents bytes data 89\n"
     "move copy from [constant/0 i8[1, 2, 2, 1] by [0, 0, 0, 0]] to model/3 i8[1, 2, 2, 1] by [12, 6, 3, 1] + 2\n"
     "move copy from [b i8[1, 2, 2, 2]] to model/3 i8[1, 2, 2, 2] by [12, 6, 3, 1]\n"
     "compute tflite.weighted_sum(k1 3, k2 -2, constant 117, zero_out -121, low -128, high -1, multiplier 1073741824, shift 0) from [a i8[1, 2, 2, 3], model/3 i8[1, 2, 2, 3]] to [y i8[1, 2, 2, 3]]\n"},
    {"sum of more channels", .a = {2, 2, 4}, .b = {2, 2, 3}, .layer = {SUM, IN(first, 2), .output = {2, 2, 3}}, .why = "an input cannot be stretched to the shape of the output"},
    {"sum of one", .a = {2, 2, 3}, .layer = {SUM, IN(first, 1), .output = {2, 2, 3}}, .why = "it has 1 inputs, expected 2"},
    {"product", .a = {2, 2, 3}, .b = {2, 2, 3}, .layer = {.kind = DWN_KIND_MULTIPLY, IN(first, 2), ZEROS, .second_zero = 9, .multiplier = 0.5F, .output = {2, 2, 3}},
     .lines = "compute tflite.multiply(zero_a 3, zero_b 9, zero_out 7, low 0, high 127, multiplier 1073741824, shift 0) from [a u8[1, 2, 2, 3], b u8[1, 2, 2, 3]] to [y u8[1, 2, 2, 3]]\n"},
    {"product by a number for each channel", FLOATS, .a = {2, 2, 3}, .b = {1, 1, 3}, .layer = {.kind = DWN_KIND_MULTIPLY, IN(first, 2), ZEROS, .second_zero = 9, .multiplier = 0.5F, .output = {2, 2, 3}},
     .lines = "compute edgetpu.multiply(zero_a 3, zero_b 9, zero_out 7, low -7, high 1.2e02, multiplier 0.5) from [a u8[1, 2, 2, 3], b u8[1, 2, 2, 3] by [3, 0, 0, 1]] to [y u8[1, 2, 2, 3]]\n"},
    {"product of other rows", .a = {2, 2, 3}, .b = {3, 2, 3}, .layer = {.kind = DWN_KIND_MULTIPLY, IN(first, 2), ZEROS, .multiplier = 0.5F, .output = {2, 2, 3}}, .why = "an input cannot be stretched to the shape of the output"},
    {"pool", .a = {4, 8, 3}, .layer = {POOL, .multiplier = 0.125F, .output = {2, 2, 3}},
     .lines = "compute tflite.average_pool(kernel_h 2, kernel_w 4, stride_h 2, stride_w 4, pad_top 0, pad_left 0, low 0, high 255) from [a u8[1, 4, 8, 3]] to [y u8[1, 2, 2, 3]]\n"},
    {"pool in floats", FLOATS, .a = {4, 8, 3}, .layer = {POOL, .multiplier = 0.125F, .output = {2, 2, 3}},
     .lines = "buffer constant/0 in host size 1 lifetime constant contents bytes data 01\n"
     "buffer constant/1 in host size 4 lifetime constant contents bytes data 0000003e\n"
     "buffer constant/2 in host size 4 lifetime constant contents bytes data 00000000\n"
     "compute edgetpu.depthwise(stride_h 2, stride_w 4, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, zero_in 3, zero_weight 0, zero_out 3, low -3, high 252) from [a u8[1, 4, 8, 3], constant/0 u8[1, 2, 4, 3] by [0, 0, 0, 0], constant/2 i32[3] by [0], constant/1 f32[1]] to [y u8[1, 2, 2, 3]]\n"},
    {"pool whose factor is nearly the window's", .a = {4, 8, 3}, .layer = {POOL, .multiplier = 0.12501F, .output = {2, 2, 3}},
     .lines = "compute tflite.average_pool(kernel_h 2, kernel_w 4, stride_h 2, stride_w 4, pad_top 0, pad_left 0, low 0, high 255) from [a u8[1, 4, 8, 3]] to [y u8[1, 2, 2, 3]]\n"},
    {"pool whose factor is not", .a = {4, 8, 3}, .layer = {POOL, .multiplier = 0.12502F, .output = {2, 2, 3}}, .why = "it takes numbers of scale 1.00016 and zero point 3 to those of scale 1 and zero point 3"},
    {"pool whose factor is less", .a = {4, 8, 3}, .layer = {POOL, .multiplier = 0.12498F, .output = {2, 2, 3}}, .why = "it takes numbers of scale 0.99984 and zero point 3 to those of scale 1 and zero point 3"},
    {"pool without a factor", .a = {4, 8, 3}, .layer = {POOL, .multiplier = __builtin_nanf(""), .output = {2, 2, 3}}, .why = "it takes numbers of scale nan and zero point 3 to those of scale 1 and zero point 3"},
    {"pool to another zero point", .a = {4, 8, 3}, .layer = {.kind = DWN_KIND_AVERAGE_POOL, IN(first, 1), .kernel = {1, 1}, .stride = {1, 1}, .multiplier = 1, .input_zero = 3, .output_zero = 4, .output = {4, 8, 3}}, .why = "it takes numbers of scale 1 and zero point 3 to those of scale 1 and zero point 4"},
    {"pool of all pixels to another scale", .a = {2, 4, 3}, .layer = {POOL, .input = {2, 4, 3}, .multiplier = 0.0625F, .output = {1, 1, 3}},
     .lines = "compute tflite.mean(zero_in 3, zero_out 3, multiplier 1073741824, shift 0) from [a u8[1, 2, 4, 3]] to [y u8[1, 1, 1, 3]]\n"},
    {"such a pool in floats", FLOATS, .a = {2, 4, 3}, .layer = {POOL, .input = {2, 4, 3}, .multiplier = 0.0625F, .output = {1, 1, 3}},
     .lines = "buffer constant/0 in host size 1 lifetime constant contents bytes data 01\n"
     "buffer constant/1 in host size 4 lifetime constant contents bytes data 0000803d\n"
     "buffer constant/2 in host size 4 lifetime constant contents bytes data 00000000\n"
     "compute edgetpu.depthwise(stride_h 2, stride_w 4, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, zero_in 3, zero_weight 0, zero_out 3, low -3, high 252) from [a u8[1, 2, 4, 3], constant/0 u8[1, 2, 4, 3] by [0, 0, 0, 0], constant/2 i32[3] by [0], constant/1 f32[1]] to [y u8[1, 1, 1, 3]]\n"},
    {"softmax", .a = {1, 1, 6}, .layer = {SOFTMAX, .scale = 0.5F, .output = {1, 1, 6}},
     .lines = "compute tflite.softmax(multiplier 1073741824, shift 26) from [a u8[6]] to [y u8[6]]\n"},
    {"softmax of an image is one of a row", .a = {1, 2, 3}, .layer = {SOFTMAX, .scale = 0.5F, .output = {1, 1, 6}},
     .lines = "compute tflite.softmax(multiplier 1073741824, shift 26) from [a u8[6]] to [y u8[6]]\n"},
    {"softmax to fewer", .a = {1, 1, 6}, .layer = {SOFTMAX, .scale = 0.5F, .output = {1, 1, 5}}, .why = "its output has another size or zero point than a softmax gives"},
    {"softmax to a zero point", .a = {1, 1, 6}, .layer = {SOFTMAX, .output_zero = 1, .scale = 0.5F, .output = {1, 1, 6}}, .why = "its output has another size or zero point than a softmax gives"},
    {"softmax without a scale", .a = {1, 1, 6}, .layer = {SOFTMAX, .output = {1, 1, 6}}, .why = "the scale of its input was not found"},
    {"softmax of no number", .a = {1, 1, 6}, .layer = {SOFTMAX, .scale = __builtin_nanf(""), .output = {1, 1, 6}}, .why = "the scale of its input was not found"},
    {"upsampling", .a = {2, 3, 4}, .layer = {.kind = DWN_KIND_UPSAMPLE, IN(first, 1), .output = {4, 6, 4}},
     .lines = "compute tflite.resize_bilinear(align_corners 0, half_pixel_centers 1) from [a u8[1, 2, 3, 4]] to [y u8[1, 4, 6, 4]]\n"},
    {"nearest upsampling", .a = {2, 3, 4}, .layer = {.kind = DWN_KIND_NEAREST, IN(first, 1), .output = {4, 6, 4}},
     .lines = "compute tflite.resize_nearest(align_corners 0, half_pixel_centers 0) from [a u8[1, 2, 3, 4]] to [y u8[1, 4, 6, 4]]\n"},
    {"transposed", .a = {2, 3, 4}, .layer = {.kind = DWN_KIND_TRANSPOSE, IN(first, 1), .order = 201, .output = {1, 4, 6}},
     .lines = "move copy from [a u8[1, 2, 3, 4]] to y u8[1, 2, 3, 4] by [24, 3, 1, 6]\n"},
    {"transposed to columns first", .a = {2, 3, 4}, .layer = {.kind = DWN_KIND_TRANSPOSE, IN(first, 1), .order = 120, .output = {3, 4, 2}},
     .lines = "move copy from [a u8[1, 2, 3, 4]] to y u8[1, 2, 3, 4] by [24, 1, 8, 2]\n"},
    {"slice", .a = {2, 3, 4}, .layer = {.kind = DWN_KIND_SLICE, IN(first, 1), .first = 1, .output = {2, 3, 2}},
     .lines = "move copy from [a u8[1, 2, 3, 2] by [24, 12, 4, 1] + 1] to y u8[1, 2, 3, 2]\n"},
    {"slice beyond the end", .a = {2, 3, 4}, .layer = {.kind = DWN_KIND_SLICE, IN(first, 1), .first = 3, .output = {2, 3, 2}}, .why = "its channels are beyond those of its input"},
    {"slice of other rows", .a = {2, 3, 4}, .layer = {.kind = DWN_KIND_SLICE, IN(first, 1), .first = 1, .output = {3, 3, 2}}, .why = "its output has another size than its channels"},
    {"transposed to fewer", .a = {2, 3, 4}, .layer = {.kind = DWN_KIND_TRANSPOSE, IN(first, 1), .order = 201, .output = {1, 4, 5}}, .why = "its output has another size than its input"},
    {"upsampling to other channels", .a = {2, 3, 4}, .layer = {.kind = DWN_KIND_UPSAMPLE, IN(first, 1), .output = {4, 6, 3}}, .why = "dimension 3 of y is 3, expected 4 (C)"},
    {"pad", .a = {1, 2, 3}, .layer = {.kind = DWN_KIND_PAD, IN(first, 1), .input = {1, 2, 3}, .output = {3, 3, 3}, .padding = {1, 1}, .input_zero = 3, .output_zero = 3},
     .lines = "buffer constant/0 in host size 1 lifetime constant contents bytes data 03\n"
     "move copy from [constant/0 u8[1, 3, 3, 3] by [0, 0, 0, 0]] to y u8[1, 3, 3, 3]\n"
     "move copy from [a u8[1, 1, 2, 3]] to y u8[1, 1, 2, 3] by [27, 9, 3, 1] + 12\n"},
    {"pad beyond the output", .a = {1, 2, 3}, .layer = {.kind = DWN_KIND_PAD, IN(first, 1), .input = {1, 2, 3}, .output = {3, 3, 3}, .padding = {1, 2}}, .why = "its input does not fit into its output"},
    {"convolution of windows beside the image", .a = {1, 1, 2}, .layer = {AWAY, .padding = {2, 3}},
     .lines = "buffer constant/0 in host size 24 lifetime constant contents bytes data 0102030405060708090a0b0c0d0e0f101112131415161718\n"
     "buffer constant/1 in host size 1 lifetime constant contents bytes data 03\n"
     "buffer constant/2 in host size 8 lifetime constant contents bytes data 0000004000000000\n"
     "buffer constant/3 in host size 4 lifetime constant contents bytes data 00000000\n"
     "move copy from [constant/1 u8[1, 4, 5, 2] by [0, 0, 0, 0]] to model/4 u8[1, 4, 5, 2]\n"
     "move copy from [a u8[1, 1, 1, 2]] to model/4 u8[1, 1, 1, 2] by [40, 10, 2, 1] + 26\n"
     "compute tflite.conv(stride_h 1, stride_w 2, pad_top 0, pad_left 0, dilation_h 1, dilation_w 1, zero_in 3, zero_weight 5, zero_out 7, low 0, high 127) from [model/4 u8[1, 4, 5, 2], constant/0 u8[2, 2, 3, 2], constant/3 i32[2] by [0], constant/2 i32[1, 2]] to [y u8[1, 3, 2, 2]]\n"},
    {"convolution of too many rows", .a = {1, 1, 2}, .layer = {AWAY, .padding = {1 << 20, 3}}, .why = "its padding is too large"},
    {"maximum", .a = {4, 8, 3}, .layer = {.kind = DWN_KIND_MAX_POOL, IN(first, 1), .kernel = {3, 3}, .stride = {1, 2}, .dilation = {1, 1}, .padding = {1, 0}, .input_zero = 3, .output_zero = 3, .low = -3, .high = 252, .output = {4, 4, 3}},
     .lines = "compute tflite.max_pool(kernel_h 3, kernel_w 3, stride_h 1, stride_w 2, pad_top 1, pad_left 0, low 0, high 255) from [a u8[1, 4, 8, 3]] to [y u8[1, 4, 4, 3]]\n"},
    {"maximum to another zero point", .a = {4, 8, 3}, .layer = {.kind = DWN_KIND_MAX_POOL, IN(first, 1), .kernel = {1, 1}, .stride = {1, 1}, .dilation = {1, 1}, .output_zero = 3, .output = {4, 8, 3}}, .why = "its output has another zero point than its input"},
    {"another scale", .a = {1, 2, 3}, .layer = {.kind = DWN_KIND_QUANTIZE, IN(first, 1), .input_zero = 3, .output_zero = 7, .multiplier = 0.5F, .output = {1, 2, 3}},
     .lines = "compute tflite.requantize(zero_in 3, zero_out 7, multiplier 1073741824, shift 0) from [a u8[1, 1, 2, 3]] to [y u8[1, 1, 2, 3]]\n"},
    {"another scale of signed numbers", .is_signed = true, .a = {1, 2, 3}, .layer = {.kind = DWN_KIND_QUANTIZE, IN(first, 1), .input_zero = 3, .output_zero = 7, .multiplier = 0.5F, .output = {1, 2, 3}},
     .lines = "compute tflite.requantize(zero_in -125, zero_out -121, multiplier 1073741824, shift 0) from [a i8[1, 1, 2, 3]] to [y i8[1, 1, 2, 3]]\n"},
    {"logistic", .a = {1, 2, 3}, .layer = {.kind = DWN_KIND_LOGISTIC, IN(first, 1), .input_zero = 1, .multiplier = 0.5F, .output = {1, 2, 3}},
     .lines = "compute tflite.logistic(zero_in 1, multiplier 1073741824, shift 27) from [a u8[1, 1, 2, 3]] to [y u8[1, 1, 2, 3]]\n"},
    {"logistic to another zero point", .a = {1, 2, 3}, .layer = {.kind = DWN_KIND_LOGISTIC, IN(first, 1), .output_zero = 1, .multiplier = 0.5F, .output = {1, 2, 3}}, .why = "its output has another zero point than a logistic's"},
    {"gather", .a = {1, 2, 3}, .layer = {.kind = DWN_KIND_GATHER, IN(first, 1), .output = {1, 1, 6}},
     .lines = "move copy from [a u8[1, 1, 2, 3]] to y u8[6]\n"},
    {"numbers one after the other", .a = {1, 2, 3}, .b = {1, 1, 2}, .layer = {.kind = DWN_KIND_CONCATENATION, IN(second, 2), .output = {1, 1, 8}},
     .lines = "move copy from [b u8[1, 1, 1, 2]] to y u8[2]\n"
     "move copy from [a u8[1, 1, 2, 3]] to y u8[6] + 2\n"},
    {"channels one after the other", .a = {2, 2, 3}, .b = {2, 2, 1}, .layer = {.kind = DWN_KIND_CONCATENATION, IN(first, 2), .output = {2, 2, 4}},
     .lines = "move copy from [a u8[1, 2, 2, 3]] to y u8[1, 2, 2, 3] by [16, 8, 4, 1]\n"
     "move copy from [b u8[1, 2, 2, 1]] to y u8[1, 2, 2, 1] by [16, 8, 4, 1] + 3\n"},
    {"rows one after the other", .a = {2, 2, 4}, .b = {1, 3, 2}, .layer = {.kind = DWN_KIND_CONCATENATION, .is_in_rows = true, IN(first, 2), .output = {1, 11, 2}},
     .lines = "move copy from [a u8[1, 2, 2, 4]] to y u8[16]\n"
     "move copy from [b u8[1, 1, 3, 2]] to y u8[6] + 16\n"},
    {"columns are an image", .a = {1, 2, 3}, .b = {1, 2, 1}, .layer = {.kind = DWN_KIND_CONCATENATION, IN(first, 2), .output = {1, 2, 4}},
     .lines = "move copy from [a u8[1, 1, 2, 3]] to y u8[1, 1, 2, 3] by [8, 8, 4, 1]\n"
     "move copy from [b u8[1, 1, 2, 1]] to y u8[1, 1, 2, 1] by [8, 8, 4, 1] + 3\n"},
    {"fewer numbers than there are", .a = {1, 2, 3}, .b = {1, 1, 2}, .layer = {.kind = DWN_KIND_CONCATENATION, IN(first, 2), .output = {1, 1, 7}}, .why = "it has fewer elements than its inputs"},
    {"more numbers", .a = {1, 2, 3}, .b = {1, 1, 2}, .layer = {.kind = DWN_KIND_CONCATENATION, IN(first, 2), .output = {1, 1, 9}}, .why = "it has more elements than its inputs"},
    {"fewer channels", .a = {2, 2, 3}, .b = {2, 2, 2}, .layer = {.kind = DWN_KIND_CONCATENATION, IN(first, 2), .output = {2, 2, 4}}, .why = "it has fewer elements than its inputs"},
    {"channels of other rows", .a = {2, 2, 3}, .b = {3, 2, 1}, .layer = {.kind = DWN_KIND_CONCATENATION, IN(first, 2), .output = {2, 2, 4}}, .why = "x has 6 elements, y has 4"},
    {"of nothing", .a = {2, 2, 3}, .layer = {.kind = DWN_KIND_CONCATENATION, IN(first, 0), .output = {2, 2, 4}}, .why = "it has 0 inputs, expected 1"},
};
// clang-format on

// A tensor of the bench; of one element where there is none.
static hoist_lower_view tensor(darwinn_bench *bench, const char *name, dwn_extent extent,
                               bool is_signed)
{
    const dwn_extent some = extent.c ? extent : (dwn_extent){1, 1, 1};
    const hoist_shape shape = darwinn_lower_shape(some);
    hoist_lower_view view = darwinn_bench_buffer(
        bench, name, is_signed ? HOIST_DTYPE_I8 : HOIST_DTYPE_U8, hoist_shape_count(&shape));
    HOIST_EXPECT(bench->t, hoist_lower_view_reshape(&view, &shape, &view));
    return view;
}

HOIST_TEST_TABLE(kinds_are_steps, rows)
{
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    hoist_lower_view inputs[2] = {tensor(&bench, "a", row->a, row->is_signed),
                                  tensor(&bench, "b", row->b, row->is_signed)};
    hoist_lower_view y = tensor(&bench, "y", row->layer.output, row->is_signed);
    darwinn_lower_lift l = {
        .model = &bench.model, .is_signed = row->is_signed, .inputs = inputs, .values = &inputs[1]};
    y.zero = row->layer.output_zero - (row->is_signed ? DARWINN_LOWER_FLIP : 0);
    darwinn_bench_thread(&bench);
    hoist_quant_init(&l.steps, &bench.c, bench.chip.host);
    l.steps.requantization = row->how;
    const hoist_status status = darwinn_lower_layer(&l, &row->layer, &y);
    HOIST_EXPECT_EQ(t, status, row->lines ? HOIST_OK : HOIST_UNSUPPORTED);
    if (row->lines) {
        hoist_program *program = darwinn_bench_finish(&bench);
        lower_test_expect_piece(t, program, "buffer constant|compute|move", row->lines);
        hoist_program_destroy(program);
    } else {
        HOIST_EXPECT_STR(t, hoist_str_from(l.steps.why), row->why);
    }
    darwinn_bench_end(&bench);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(kinds_are_steps))
