// What the rows of tflite and edgetpu expect of their operands: a case that fits, and for each rule
// one that does not. Those of ops/compute_plain.h, too.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ops/compute_quant.h"
#include "testing/test.h"

#define F(x)                                                                                       \
    {                                                                                              \
        .number = (x)                                                                              \
    }
#define I(x)                                                                                       \
    {                                                                                              \
        .integer = (x)                                                                             \
    }
#define MAX_OPERANDS (HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS)

// A call that fits. Operands are written as in the text form: "u8[1, 2, 3]".
typedef struct base_case {
    hoist_compute_op op;
    hoist_compute_attrs attrs;
    const char *operands[MAX_OPERANDS];
} base_case;

enum {
    CONV,
    CONV_F32,
    DEPTHWISE,
    DEPTHWISE_F32,
    CONV_I16,
    TRANSPOSE,
    TRANSPOSE_I16,
    TRANSPOSE_F32,
    DENSE,
    DENSE_F32,
    ADD,
    MULTIPLY,
    MULTIPLY_F32,
    WEIGHTED,
    WEIGHTED_F32,
    AVERAGE,
    MAXIMUM,
    HUGE_POOL,
    WIDE,
    WIDE_POOL,
    SOFTMAX,
    SOFTMAX_SINGLE,
    ROWS,
    LOGISTIC,
    RESIZE,
    MEAN,
    MEAN_SINGLE,
    REQUANTIZE,
    PRELU,
    QUANTIZE,
    DEQUANTIZE,
    RESCALE,
    CHOICE,
    FLOATS,
    ROOT,
    INTEGERS,
    DIVIDE,
    CAST,
    SWISH,
    ARG,
    GATHER,
    GATHER_ND,
    NEAREST,
    RESIZE_F32,
    DETECTIONS,
    POSE_ROOTS,
    POSES,
    POSE_MASKS,
    SHORT_DENSE,
    SHORT_SUM,
    BASE_COUNT,
};

// clang-format off
static const base_case bases[BASE_COUNT] = {
    [CONV] = {HOIST_TFLITE_CONV,
        {{I(2), I(2), I(1), I(1), I(1), I(1), I(128), I(100), I(5), I(0), I(255)}},
        {"u8[2, 8, 6, 4]", "u8[6, 3, 3, 2]", "i32[6]", "i32[6, 2]", "u8[2, 4, 3, 6]"}},
    [CONV_F32] = {HOIST_EDGETPU_CONV,
        {{I(1), I(1), I(0), I(0), I(2), I(1), I(-1), I(0), I(5), F(-133), F(122)}},
        {"i8[1, 5, 5, 3]", "i8[2, 3, 3, 3]", "i32[2]", "f32[1]", "i8[1, 1, 3, 2]"}},
    [DEPTHWISE] = {HOIST_TFLITE_DEPTHWISE,
        {{I(1), I(1), I(1), I(1), I(1), I(1), I(0), I(0), I(0), I(-128), I(127)}},
        {"i8[1, 4, 4, 3]", "i8[1, 3, 3, 6]", "i32[6]", "i32[1, 2]", "i8[1, 4, 4, 6]"}},
    [DEPTHWISE_F32] = {HOIST_EDGETPU_DEPTHWISE,
        {{I(1), I(1), I(1), I(1), I(1), I(1), I(0), I(0), I(0), F(0), F(255.25F)}},
        {"u8[1, 4, 4, 3]", "u8[1, 3, 3, 3]", "i32[3]", "f32[3]", "u8[1, 4, 4, 3]"}},
    [CONV_I16] = {HOIST_TFLITE_CONV_I16,
        {{I(2), I(2), I(1), I(1), I(1), I(1), I(0), I(0), I(0), I(-32768), I(32767)}},
        {"i16[2, 8, 6, 4]", "i8[6, 3, 3, 2]", "i64[6]", "i32[6, 2]", "i16[2, 4, 3, 6]"}},
    [TRANSPOSE] = {HOIST_TFLITE_TRANSPOSE_CONV,
        {{I(2), I(2), I(9), I(9), I(1), I(1), I(128), I(100), I(5), I(0), I(255)}},
        {"u8[2, 4, 3, 5]", "u8[6, 3, 3, 5]", "i32[6]", "i32[6, 2]", "u8[2, 8, 6, 6]"}},
    [TRANSPOSE_I16] = {HOIST_TFLITE_TRANSPOSE_CONV_I16,
        {{I(2), I(2), I(9), I(9), I(1), I(1), I(0), I(0), I(0), I(-32768), I(32767)}},
        {"i16[2, 4, 3, 5]", "i8[6, 3, 3, 5]", "i64[6]", "i32[6, 2]", "i16[2, 8, 6, 6]"}},
    [TRANSPOSE_F32] = {HOIST_TFLITE_TRANSPOSE_CONV_F32,
        {{I(2), I(2), I(0), I(0), I(1), I(1), F(0), F(6)}},
        {"f32[1, 4, 3, 5]", "f32[6, 3, 3, 5]", "f32[6]", "f32[1, 9, 7, 6]"}},
    [DENSE] = {HOIST_TFLITE_DENSE, {{I(0), I(0), I(0), I(0), I(255)}},
        {"u8[2, 9]", "u8[5, 9]", "i32[5]", "i32[5, 2]", "u8[2, 5]"}},
    [DENSE_F32] = {HOIST_EDGETPU_DENSE, {{I(0), I(0), I(0), F(0), F(255)}},
        {"u8[2, 9]", "u8[5, 9]", "i32[5]", "f32[5]", "u8[2, 5]"}},
    [ADD] = {HOIST_TFLITE_ADD,
        {{I(1), I(2), I(3), I(20), I(1 << 30), I(0), I(1 << 30), I(-1), I(1 << 30), I(-18), I(0), I(255)}},
        {"u8[2, 3]", "u8[2, 3]", "u8[2, 3]"}},
    [MULTIPLY] = {HOIST_TFLITE_MULTIPLY,
        {{I(1), I(2), I(3), I(-128), I(127), I(1 << 30), I(0)}},
        {"i8[3]", "i8[3]", "i8[3]"}},
    [MULTIPLY_F32] = {HOIST_EDGETPU_MULTIPLY,
        {{I(1), I(2), I(3), F(-3), F(252), F(0.5F)}},
        {"u8[3]", "u8[3]", "u8[3]"}},
    [WEIGHTED] = {HOIST_TFLITE_WEIGHTED_SUM,
        {{I(3000), I(-2), I(77), I(3), I(0), I(255), I(1 << 30), I(-10)}},
        {"u8[]", "u8[]", "u8[]"}},
    [WEIGHTED_F32] = {HOIST_EDGETPU_WEIGHTED_SUM,
        {{I(-3000), I(2), I(77), I(3), F(0), F(252), F(0.01F)}},
        {"u8[1, 1]", "u8[1, 1]", "u8[1, 1]"}},
    [AVERAGE] = {HOIST_TFLITE_AVERAGE_POOL,
        {{I(2), I(3), I(2), I(1), I(1), I(2), I(-128), I(127)}},
        {"i8[1, 4, 4, 3]", "i8[1, 2, 6, 3]"}},
    [MAXIMUM] = {HOIST_TFLITE_MAX_POOL,
        {{I(2), I(2), I(2), I(2), I(0), I(0), I(0), I(255)}},
        {"u8[1, 4, 4, 3]", "u8[1, 2, 2, 3]"}},
    [HUGE_POOL] = {HOIST_TFLITE_MAX_POOL,
        {{I(1 << 15), I(255), I(1), I(1), I(0), I(0), I(0), I(255)}},
        {"u8[1, 32768, 65536, 3]", "u8[1, 1, 1, 3]"}},
    [WIDE] = {HOIST_TFLITE_CONV, // 2^20 * 2^10 * 2^4 products
        {{I(1), I(1), I(0), I(0), I(1), I(1), I(0), I(0), I(0), I(0), I(255)}},
        {"u8[1, 1, 1048576, 1]", "u8[1024, 1, 16, 1]", "i32[1024]", "i32[1, 2]", "u8[1, 1, 1048576, 1024]"}},
    [WIDE_POOL] = {HOIST_TFLITE_AVERAGE_POOL,
        {{I(1), I(16), I(1), I(1), I(0), I(0), I(0), I(255)}},
        {"u8[1, 1, 1048576, 1024]", "u8[1, 1, 1048576, 1024]"}},
    [SOFTMAX] = {HOIST_TFLITE_SOFTMAX, {{I(1 << 30), I(20)}}, {"u8[2, 10]", "u8[2, 10]"}},
    [SOFTMAX_SINGLE] = {HOIST_TFLITE_SOFTMAX_SINGLE, {{F(0.5F), F(0x1p-8F)}}, {"i8[2, 10]", "i8[2, 10]"}},
    [ROWS] = {HOIST_TFLITE_DENSE_I16_I8, {{I(-4), I(1 << 30), I(0)}}, {"i16[2, 3, 4]", "i16[3, 4]", "i32[3]", "i8[2, 3]"}},
    [LOGISTIC] = {HOIST_TFLITE_LOGISTIC, {{I(3), I(1 << 30), I(20)}}, {"i8[2, 10]", "i8[2, 10]"}},
    [RESIZE] = {HOIST_TFLITE_RESIZE_BILINEAR, {{I(0), I(1)}}, {"i8[1, 2, 3, 4]", "i8[1, 4, 6, 4]"}},
    [MEAN] = {HOIST_TFLITE_MEAN, {{I(3), I(4), I(1 << 30), I(0)}}, {"i8[2, 3, 4, 5]", "i8[2, 1, 1, 5]"}},
    [MEAN_SINGLE] = {HOIST_TFLITE_MEAN_SINGLE, {{I(1 << 30), I(0), I(-70000)}}, {"i8[2, 3, 4, 5]", "i8[2, 1, 1, 5]"}},
    [REQUANTIZE] = {HOIST_TFLITE_REQUANTIZE, {{I(300), I(-4), I(1 << 30), I(0)}}, {"i16[4]", "i8[4]"}},
    [PRELU] = {HOIST_TFLITE_PRELU, {{I(0), I(-32768), I(0), I(1 << 30), I(0), I(1 << 30), I(0)}}, {"i16[4]", "i16[4]", "i16[4]"}},
    [QUANTIZE] = {HOIST_TFLITE_QUANTIZE, {{F(0.5F), I(-4)}}, {"f32[4]", "i8[4]"}},
    [DEQUANTIZE] = {HOIST_TFLITE_DEQUANTIZE, {{F(0.5F), I(-4)}}, {"i16[4]", "f32[4]"}},
    [RESCALE] = {HOIST_TFLITE_RESCALE, {{F(0.5F), I(4), I(5)}}, {"u8[4]", "u8[4]"}},
    [CHOICE] = {HOIST_TFLITE_MINIMUM, {{I(0)}}, {"i16[4]", "i16[4]", "i16[4]"}},
    [FLOATS] = {HOIST_TFLITE_DIVIDE_F32, {{F(-1), F(6)}}, {"f32[2, 2]", "f32[2, 2]", "f32[2, 2]"}},
    [ROOT] = {HOIST_TFLITE_SQRT_F32, {{I(0)}}, {"f32[]", "f32[]"}},
    [INTEGERS] = {HOIST_TFLITE_MULTIPLY_I32, {{I(-1), I(6)}}, {"i32[4]", "i32[4]", "i32[4]"}},
    [DIVIDE] = {HOIST_TFLITE_FLOOR_DIVIDE_I32, {{I(0)}}, {"i32[4]", "i32[4]", "i32[4]"}},
    [CAST] = {HOIST_TFLITE_CAST, {{I(0)}}, {"i64[4]", "bool[4]"}},
    [SWISH] = {HOIST_TFLITE_HARD_SWISH, {{I(-3), I(4), I(16384), I(-7), I(20000), I(3)}}, {"i8[4]", "i8[4]"}},
    [ARG] = {HOIST_TFLITE_ARG_MIN, {{I(0)}}, {"u8[2, 5, 3]", "i64[2, 3]"}},
    [GATHER] = {HOIST_TFLITE_GATHER, {{I(0)}}, {"f32[2, 5, 3]", "i32[7]", "f32[2, 7, 3]"}},
    [GATHER_ND] = {HOIST_TFLITE_GATHER_ND, {{I(0)}}, {"i8[1, 1, 4, 5, 6]", "i64[3, 2]", "i8[3, 6]"}},
    [NEAREST] = {HOIST_TFLITE_RESIZE_NEAREST, {{I(1), I(0)}}, {"bool[1, 2, 3, 4]", "bool[1, 4, 6, 4]"}},
    [RESIZE_F32] = {HOIST_TFLITE_RESIZE_BILINEAR_F32, {{I(0), I(0)}}, {"f32[1, 2, 3, 4]", "f32[1, 4, 6, 4]"}},
    [DETECTIONS] = {HOIST_TFLITE_DETECTIONS_F32,
        {{I(10), I(2), I(90), I(100), I(0), F(0.5F), F(0.5F), F(10), F(10), F(5), F(5)}},
        {"f32[1917, 5]", "f32[1917, 91]", "f32[1917, 4]", "f32[21, 6]"}},
    [POSE_ROOTS] = {HOIST_TFLITE_POSE_ROOTS_F32, {{F(0.5F)}}, {"f32[23, 31, 17]", "i32[12121]"}},
    [POSES] = {HOIST_TFLITE_POSES_F32, {{I(10), F(0.5F), I(16), F(10)}},
        {"i32[12121]", "f32[23, 31, 17]", "f32[23, 31, 34]", "f32[23, 31, 64]", "f32[11, 52]"}},
    [SHORT_DENSE] = {HOIST_TFLITE_DENSE_I16, {{I(-128), I(1 << 30), I(0)}},
        {"i8[2, 9]", "i8[4, 9]", "i32[4]", "i16[2, 4]", "i16[2, 4]"}},
    [SHORT_SUM] = {HOIST_TFLITE_ADD_I16, {{I(-5), I(5)}}, {"i16[3]", "i16[3]", "i16[3]"}},
    [POSE_MASKS] = {HOIST_TFLITE_POSE_MASKS_F32, {{I(16)}}, {"f32[11, 52]", "f32[33, 33, 34]", "f32[10, 1089]"}},
};

// One thing changed: an operand when `text` is there, else an attribute.
static const struct {
    const char *name;
    int base;
    size_t operand;
    const char *text;
    size_t attr;
    hoist_compute_value value;
    hoist_compute_fit fit;
    const char *why;
} changes[] = {
    // Types.
    {"x is not of bytes", CONV, 0, "i16[2, 8, 6, 4]", 0, I(0), HOIST_FIT_TYPES, "x is i16, expected i8 or u8"},
    {"weights of another sign", CONV, 1, "i8[6, 3, 3, 2]", 0, I(0), HOIST_FIT_TYPES, "weights is i8, x is u8"},
    {"y of another sign", ADD, 2, "i8[2, 3]", 0, I(0), HOIST_FIT_TYPES, "y is i8, a is u8"},
    {"bias is not i32", CONV, 2, "f32[6]", 0, I(0), HOIST_FIT_TYPES, "bias is f32, expected i32"},
    {"floats for integers", CONV, 3, "f32[6, 2]", 0, I(0), HOIST_FIT_TYPES, "requant is f32, expected i32"},
    {"integers for floats", CONV_F32, 3, "i32[1]", 0, I(0), HOIST_FIT_TYPES, "multiplier is i32, expected f32"},
    {"three integer types", QUANTIZE, 1, "u16[4]", 0, I(0), HOIST_FIT_TYPES, "y is u16, expected i8 or i16 or u8"},
    {"no type", ADD, 0, "none[2, 3]", 0, I(0), HOIST_FIT_TYPES, "a is none, expected i8 or i16 or u8"},
    // Extents.
    {"dimensions", CONV, 0, "u8[8, 6, 4]", 0, I(0), HOIST_FIT_SHAPES, "x has 3 dimensions, expected [N, H, W, C]"},
    {"of requant", CONV, 3, "i32[6]", 0, I(0), HOIST_FIT_SHAPES, "requant has 1 dimensions, expected [R, 2]"},
    {"a letter", CONV, 4, "u8[1, 4, 3, 6]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of y is 1, expected 2 (N)"},
    {"bias", CONV, 2, "i32[5]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of bias is 5, expected 6 (O)"},
    {"a digit", CONV, 3, "i32[6, 3]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of requant is 3, expected 2"},
    {"weights of one row", DEPTHWISE, 1, "i8[2, 3, 3, 6]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of weights is 2, expected 1"},
    {"nothing", CONV, 1, "u8[6, 0, 3, 2]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of weights is 0, expected 1 to 2147483647"},
    {"too much", CONV, 0, "u8[2147483648, 8, 6, 4]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of x is 2147483648, expected 1 to 2147483647"},
    {"other shapes", ADD, 1, "u8[3, 2]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of b is 3, expected 2"},
    {"other ranks", ADD, 2, "u8[6]", 0, I(0), HOIST_FIT_SHAPES, "y has 1 dimensions, expected [2, 3]"},
    {"nothing of any shape", WEIGHTED, 0, "u8[3, 0]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of a is 0, expected 1 or more"},
    {"mean keeps a place", MEAN, 1, "i8[2, 3, 1, 5]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of y is 3, expected 1"},
    // Numbers of an operand's type.
    {"zero_in of u8", CONV, 0, NULL, HOIST_CONV_ZERO_IN, I(256), HOIST_FIT_ATTRIBUTES, "zero_in is 256, and x is u8"},
    {"below u8", CONV, 0, NULL, HOIST_CONV_ZERO_WEIGHT, I(-1), HOIST_FIT_ATTRIBUTES, "zero_weight is -1, and weights is u8"},
    {"below i8", DEPTHWISE, 0, NULL, HOIST_CONV_LOW, I(-129), HOIST_FIT_ATTRIBUTES, "low is -129, and y is i8"},
    {"above i8", DEPTHWISE, 0, NULL, HOIST_CONV_HIGH, I(128), HOIST_FIT_ATTRIBUTES, "high is 128, and y is i8"},
    {"products of 16-bit numbers", PRELU, 0, NULL, HOIST_PRELU_ZERO_A, I(-1), HOIST_FIT_OK, ""},
    {"products that leave 32 bits", PRELU, 0, NULL, HOIST_PRELU_ZERO_A, I(-2), HOIST_FIT_SHAPES, "prelu expects a smaller zero point: a number times its slope could leave 32 bits"},
    {"above i16", REQUANTIZE, 0, NULL, HOIST_MEAN_ZERO_IN, I(32768), HOIST_FIT_ATTRIBUTES, "zero_in is 32768, and x is i16"},
    {"zero_out of edgetpu", CONV_F32, 0, NULL, HOIST_CONV_ZERO_OUT, I(200), HOIST_FIT_ATTRIBUTES, "zero_out is 200, and y is i8"},
    // Rules.
    {"groups", CONV, 1, "u8[6, 3, 3, 3]", 0, I(0), HOIST_FIT_SHAPES, "conv expects channels of x that those of a window divide"},
    {"channels of groups", CONV, 0, "u8[2, 8, 6, 8]", 0, I(0), HOIST_FIT_SHAPES, "conv expects output channels that the groups, channels of x over those of a window, divide"},
    {"rows of scales", CONV, 3, "i32[2, 2]", 0, I(0), HOIST_FIT_SHAPES, "conv expects one row of scales, or one for each output channel"},
    {"multipliers", DENSE_F32, 3, "f32[4]", 0, I(0), HOIST_FIT_SHAPES, "dense expects one row of scales, or one for each output channel"},
    {"a window above", CONV, 0, NULL, HOIST_CONV_PAD_TOP, I(3), HOIST_FIT_SHAPES, "conv expects windows that all meet the image"},
    {"a window to the left", CONV, 0, NULL, HOIST_CONV_PAD_LEFT, I(3), HOIST_FIT_SHAPES, "conv expects windows that all meet the image"},
    {"a window below", CONV, 0, NULL, HOIST_CONV_STRIDE_H, I(3), HOIST_FIT_SHAPES, "conv expects windows that all meet the image"},
    {"a window to the right", CONV, 0, NULL, HOIST_CONV_STRIDE_W, I(INT64_C(1) << 31), HOIST_FIT_SHAPES, "conv expects windows that all meet the image"},
    {"channels of depthwise", DEPTHWISE, 0, "i8[1, 4, 4, 4]", 0, I(0), HOIST_FIT_SHAPES, "depthwise expects output channels that the channels of x divide"},
    {"a short bias of long sums", CONV_I16, 2, "i32[6]", 0, I(0), HOIST_FIT_TYPES, "bias is i32, expected i64"},
    {"a window beside 16-bit numbers", CONV_I16, 0, NULL, HOIST_CONV_PAD_TOP, I(3), HOIST_FIT_SHAPES, "conv_i16 expects windows that all meet the image"},
    {"a zero point of 16-bit numbers", CONV_I16, 0, NULL, HOIST_CONV_ZERO_IN, I(32768), HOIST_FIT_ATTRIBUTES, "zero_in is 32768, and x is i16"},
    {"more than 48 bits of sums", CONV_I16, 1, "i8[6, 8192, 4096, 2]", 0, I(0), HOIST_FIT_SHAPES, "conv_i16 expects fewer products: their sum could leave 48 bits"},
    {"channels of a transposed convolution", TRANSPOSE, 0, "u8[2, 4, 3, 4]", 0, I(0), HOIST_FIT_SHAPES, "dimension 3 of weights is 5, expected 4 (I)"},
    {"rows of its scales", TRANSPOSE, 3, "i32[5, 2]", 0, I(0), HOIST_FIT_SHAPES, "transpose_conv expects one row of scales, or one for each output channel"},
    {"the products of one", TRANSPOSE, 1, "u8[6, 3, 19000, 5]", 0, I(0), HOIST_FIT_SHAPES, "transpose_conv expects fewer products: their sum could leave the 32 bits it is kept in"},
    {"a short bias of its long sums", TRANSPOSE_I16, 2, "i32[6]", 0, I(0), HOIST_FIT_TYPES, "bias is i32, expected i64"},
    {"more than 48 bits of its sums", TRANSPOSE_I16, 1, "i8[6, 8192, 4096, 5]", 0, I(0), HOIST_FIT_SHAPES, "transpose_conv_i16 expects fewer products: their sum could leave 48 bits"},
    {"limits of floats", TRANSPOSE_F32, 0, NULL, HOIST_CONV_F32_LOW, F(7), HOIST_FIT_SHAPES, "transpose_conv_f32 expects low no greater than high"},
    {"low above high", CONV, 0, NULL, HOIST_CONV_LOW, I(255), HOIST_FIT_OK, ""},
    {"low above high", DEPTHWISE, 0, NULL, HOIST_CONV_HIGH, I(-129 + 1), HOIST_FIT_OK, ""},
    {"low above high", DENSE, 0, NULL, HOIST_DENSE_HIGH, I(0), HOIST_FIT_OK, ""},
    {"low above high of a pool", MAXIMUM, 0, NULL, HOIST_POOL_LOW, I(255), HOIST_FIT_OK, ""},
    {"a pool beside the image", MAXIMUM, 0, NULL, HOIST_POOL_STRIDE_W, I(4), HOIST_FIT_SHAPES, "max_pool expects windows that all meet the image"},
    {"a pool above it", AVERAGE, 0, NULL, HOIST_POOL_PAD_TOP, I(2), HOIST_FIT_SHAPES, "average_pool expects windows that all meet the image"},
    {"both options", RESIZE, 0, NULL, HOIST_RESIZE_ALIGN_CORNERS, I(1), HOIST_FIT_SHAPES, "resize_bilinear expects aligned corners or half pixel centers, not both"},
    {"a large image", RESIZE, 0, "i8[1, 1048577, 3, 4]", 0, I(0), HOIST_FIT_SHAPES, "resize_bilinear expects images of at most 1048576 rows and columns"},
    {"a scale of 0", QUANTIZE, 0, NULL, HOIST_QUANT_SCALE, F(0), HOIST_FIT_SHAPES, "quantize expects a finite scale above 0"},
    {"a scale that is no number", DEQUANTIZE, 0, NULL, HOIST_QUANT_SCALE, F(NAN), HOIST_FIT_SHAPES, "dequantize expects a finite scale above 0"},
    {"an infinite scale", RESCALE, 0, NULL, HOIST_RESCALE_SCALE, F(INFINITY), HOIST_FIT_SHAPES, "rescale expects a finite scale above 0"},
    {"a multiplier of 0", MULTIPLY_F32, 0, NULL, HOIST_MULTIPLY_MULTIPLIER, F(0), HOIST_FIT_SHAPES, "multiply expects a finite multiplier above 0"},
    {"an infinite multiplier", WEIGHTED_F32, 0, NULL, HOIST_WEIGHTED_MULTIPLIER, F(INFINITY), HOIST_FIT_SHAPES, "weighted_sum expects a finite multiplier above 0"},
    {"a limit that is no number", CONV_F32, 0, NULL, HOIST_CONV_HIGH, F(NAN), HOIST_FIT_SHAPES, "conv expects finite limits that with zero_out are numbers of y, low first"},
    {"a limit that rounds to a number", CONV_F32, 0, NULL, HOIST_CONV_HIGH, F(122.49F), HOIST_FIT_OK, ""},
    {"a limit above", CONV_F32, 0, NULL, HOIST_CONV_HIGH, F(122.5F), HOIST_FIT_SHAPES, "conv expects finite limits that with zero_out are numbers of y, low first"},
    {"a limit below", DEPTHWISE_F32, 0, NULL, HOIST_CONV_LOW, F(-0.5F), HOIST_FIT_SHAPES, "depthwise expects finite limits that with zero_out are numbers of y, low first"},
    {"limits of dense", DENSE_F32, 0, NULL, HOIST_DENSE_LOW, F(-INFINITY), HOIST_FIT_SHAPES, "dense expects finite limits that with zero_out are numbers of y, low first"},
    {"limits of multiply", MULTIPLY_F32, 0, NULL, HOIST_MULTIPLY_LOW, F(253), HOIST_FIT_SHAPES, "multiply expects finite limits that with zero_out are numbers of y, low first"},
    {"limits of a sum", WEIGHTED_F32, 0, NULL, HOIST_WEIGHTED_HIGH, F(253), HOIST_FIT_SHAPES, "weighted_sum expects finite limits that with zero_out are numbers of y, low first"},
    // Plain numbers, choices, lookups.
    {"unlike numbers", CHOICE, 1, "i8[4]", 0, I(0), HOIST_FIT_TYPES, "b is i8, a is i16"},
    {"long numbers", CHOICE, 0, "i64[4]", 0, I(0), HOIST_FIT_TYPES, "a is i64, expected f32 or i8 or i16 or i32 or u8"},
    {"no float", FLOATS, 2, "i32[2, 2]", 0, I(0), HOIST_FIT_TYPES, "y is i32, expected f32"},
    {"a low float", FLOATS, 0, NULL, HOIST_PLAIN_LOW, F(6), HOIST_FIT_OK, ""},
    {"a low float above high", FLOATS, 0, NULL, HOIST_PLAIN_LOW, F(6.5F), HOIST_FIT_SHAPES, "divide_f32 expects low no greater than high"},
    {"a high that is no number", FLOATS, 0, NULL, HOIST_PLAIN_HIGH, F(NAN), HOIST_FIT_SHAPES, "divide_f32 expects low no greater than high"},
    {"infinite limits", FLOATS, 0, NULL, HOIST_PLAIN_LOW, F(-INFINITY), HOIST_FIT_OK, ""},
    {"a root of an integer", ROOT, 0, "i32[]", 0, I(0), HOIST_FIT_TYPES, "x is i32, expected f32"},
    {"a low number", INTEGERS, 0, NULL, HOIST_PLAIN_HIGH, I(-1), HOIST_FIT_OK, ""},
    {"a low number above high", INTEGERS, 0, NULL, HOIST_PLAIN_HIGH, I(-2), HOIST_FIT_SHAPES, "multiply_i32 expects low no greater than high"},
    {"a divisor of bytes", DIVIDE, 1, "i8[4]", 0, I(0), HOIST_FIT_TYPES, "b is i8, expected i32"},
    {"a cast to half", CAST, 1, "f16[4]", 0, I(0), HOIST_FIT_TYPES, "y is f16, expected f32 or i8 or i16 or i32 or i64 or u8 or bool"},
    {"a cast of another shape", CAST, 1, "bool[2, 2]", 0, I(0), HOIST_FIT_SHAPES, "y has 2 dimensions, expected [4]"},
    {"a zero point of u8", SWISH, 0, NULL, HOIST_SWISH_ZERO_IN, I(128), HOIST_FIT_ATTRIBUTES, "zero_in is 128, and x is i8"},
    {"a place of bytes", ARG, 1, "u8[2, 3]", 0, I(0), HOIST_FIT_TYPES, "y is u8, expected i32 or i64"},
    {"places of another axis", ARG, 1, "i32[2, 5]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of y is 5, expected 3 (B)"},
    {"other elements", GATHER, 2, "i32[2, 7, 3]", 0, I(0), HOIST_FIT_TYPES, "y is i32, x is f32"},
    {"as many as before", GATHER, 2, "f32[2, 5, 3]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of y is 5, expected 7 (I)"},
    {"a dimension without an index", GATHER_ND, 1, "i32[3, 1]", 0, I(0), HOIST_FIT_SHAPES, "gather_nd expects one element in dimensions that have no index"},
    {"an index more", GATHER_ND, 1, "i32[3, 3]", 0, I(0), HOIST_FIT_OK, ""},
    {"four indices", GATHER_ND, 1, "i32[3, 4]", 0, I(0), HOIST_FIT_OK, ""},
    {"five indices", GATHER_ND, 1, "i32[3, 5]", 0, I(0), HOIST_FIT_SHAPES, "gather_nd expects at most 4 indices for a row"},
    {"both options of the nearest", NEAREST, 0, NULL, HOIST_RESIZE_HALF_PIXEL, I(1), HOIST_FIT_OK, ""},
    {"as many rows as may be", NEAREST, 0, "bool[1, 1048576, 3, 4]", 0, I(0), HOIST_FIT_OK, ""},
    {"more rows", NEAREST, 0, "bool[1, 1048577, 3, 4]", 0, I(0), HOIST_FIT_SHAPES, "resize_nearest expects images of at most 1048576 rows and columns"},
    {"as many columns as may be", NEAREST, 0, "bool[1, 2, 1048576, 4]", 0, I(0), HOIST_FIT_OK, ""},
    {"more columns", NEAREST, 0, "bool[1, 2, 1048577, 4]", 0, I(0), HOIST_FIT_SHAPES, "resize_nearest expects images of at most 1048576 rows and columns"},
    {"as many rows of the output as may be", NEAREST, 1, "bool[1, 1048576, 6, 4]", 0, I(0), HOIST_FIT_OK, ""},
    {"more rows of the output", NEAREST, 1, "bool[1, 1048577, 6, 4]", 0, I(0), HOIST_FIT_SHAPES, "resize_nearest expects images of at most 1048576 rows and columns"},
    {"as many columns of the output as may be", NEAREST, 1, "bool[1, 4, 1048576, 4]", 0, I(0), HOIST_FIT_OK, ""},
    {"more columns of the output", NEAREST, 1, "bool[1, 4, 1048577, 4]", 0, I(0), HOIST_FIT_SHAPES, "resize_nearest expects images of at most 1048576 rows and columns"},
    {"a large image of floats", RESIZE_F32, 1, "f32[1, 4, 1048577, 4]", 0, I(0), HOIST_FIT_SHAPES, "resize_bilinear_f32 expects images of at most 1048576 rows and columns"},
    {"a box of three numbers", DETECTIONS, 0, "f32[1917, 3]", 0, I(0), HOIST_FIT_SHAPES, "detections_f32 expects boxes of 4 numbers or more"},
    {"a class for each score", DETECTIONS, 1, "f32[1917, 90]", 0, I(0), HOIST_FIT_OK, ""},
    {"a class without a score", DETECTIONS, 1, "f32[1917, 89]", 0, I(0), HOIST_FIT_SHAPES, "detections_f32 expects scores of its classes, and of the background or not"},
    {"two backgrounds", DETECTIONS, 1, "f32[1917, 92]", 0, I(0), HOIST_FIT_SHAPES, "detections_f32 expects scores of its classes, and of the background or not"},
    {"fewer rows", DETECTIONS, 3, "f32[20, 6]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of y is 20, expected 21 (R)"},
    {"fewer roots", POSE_ROOTS, 1, "i32[12120]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of y is 12120, expected 12121 (N)"},
    {"as many scores as may be", POSE_ROOTS, 0, "f32[1024, 64, 16]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of y is 12121, expected 1048576 (N)"},
    {"more scores", POSE_ROOTS, 0, "f32[1025, 64, 16]", 0, I(0), HOIST_FIT_SHAPES, "pose_roots_f32 expects at most 2^20 scores"},
    {"scores of one row", POSE_ROOTS, 0, "f32[1, 65537, 16]", 0, I(0), HOIST_FIT_SHAPES, "pose_roots_f32 expects at most 2^20 scores"},
    {"a keypoint more", POSES, 1, "f32[23, 31, 18]", 0, I(0), HOIST_FIT_SHAPES, "poses_f32 expects 17 scores, 34 short and 64 middle offsets"},
    {"a short offset fewer", POSES, 2, "f32[23, 31, 33]", 0, I(0), HOIST_FIT_SHAPES, "poses_f32 expects 17 scores, 34 short and 64 middle offsets"},
    {"middle offsets of one way", POSES, 3, "f32[23, 31, 32]", 0, I(0), HOIST_FIT_SHAPES, "poses_f32 expects 17 scores, 34 short and 64 middle offsets"},
    {"a root fewer", POSES, 0, "i32[12120]", 0, I(0), HOIST_FIT_SHAPES, "poses_f32 expects a root for each score"},
    {"roots of another place", POSES, 0, "i32[12138]", 0, I(0), HOIST_FIT_SHAPES, "poses_f32 expects a root for each score"},
    {"poses without their number", POSES, 4, "f32[10, 52]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of y is 10, expected 11 (R)"},
    {"poses without their mean", POSES, 4, "f32[11, 51]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of y is 51, expected 52 (C)"},
    {"too many poses", POSES, 0, NULL, HOIST_POSES_MOST, I(1025), HOIST_FIT_ATTRIBUTES, "most is 1025, expected 1 to 1024"},
    {"a stride of 0", POSES, 0, NULL, HOIST_POSES_STRIDE, I(0), HOIST_FIT_ATTRIBUTES, "stride is 0, expected 1 to 32767"},
    {"a mask fewer", POSE_MASKS, 2, "f32[9, 1089]", 0, I(0), HOIST_FIT_SHAPES, "dimension 0 of y is 9, expected 10 (P)"},
    {"masks that are not square", POSE_MASKS, 1, "f32[23, 31, 34]", 0, I(0), HOIST_FIT_OK, ""},
    {"masks of more rows", POSE_MASKS, 1, "f32[34, 33, 34]", 0, I(0), HOIST_FIT_SHAPES, "pose_masks_f32 expects masks that all places are in"},
    {"masks of points alone", POSE_MASKS, 0, "f32[11, 34]", 0, I(0), HOIST_FIT_SHAPES, "pose_masks_f32 expects poses of 52 numbers, and 34 long offsets"},
    {"short offsets of masks", POSE_MASKS, 1, "f32[33, 33, 17]", 0, I(0), HOIST_FIT_SHAPES, "pose_masks_f32 expects poses of 52 numbers, and 34 long offsets"},
    {"inputs of more bytes than 32 bits sum", SHORT_DENSE, 0, "i8[2, 65794]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of weights is 9, expected 65794 (I)"},
    {"a gate of more outputs", SHORT_DENSE, 4, "i16[2, 5]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of y is 5, expected 4 (O)"},
    {"a zero point beyond int8", SHORT_DENSE, 0, NULL, HOIST_SHORT_ZERO, I(128), HOIST_FIT_ATTRIBUTES, "zero is 128, expected -128 to 127"},
    {"limits the other way round", SHORT_SUM, 0, NULL, HOIST_SHORT_LOW, I(6), HOIST_FIT_SHAPES, "add_i16 expects low no greater than high"},
    {"no box to keep", DETECTIONS, 0, NULL, HOIST_DETECTIONS_MOST, I(0), HOIST_FIT_ATTRIBUTES, "most is 0, expected 1 to 32767"},
    // Sums. Most of u8 is 255 * 255 = 65025 each; 2^31 - 1 has 33025 of them.
    {"products of dense, the most", DENSE, 0, "u8[2, 33025]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of weights is 9, expected 33025 (I)"},
    {"shifted numbers", ADD, 0, NULL, HOIST_SUM_LEFT, I(23), HOIST_FIT_OK, ""},
    {"shifted numbers that leave 32 bits", ADD, 0, NULL, HOIST_SUM_LEFT, I(24), HOIST_FIT_SHAPES, "add expects a smaller left: shifted numbers could leave 32 bits"},
    {"a constant", WEIGHTED, 0, NULL, HOIST_WEIGHTED_CONSTANT, I(INT32_MAX - 3002 * 255), HOIST_FIT_OK, ""},
    {"a constant that leaves 32 bits", WEIGHTED, 0, NULL, HOIST_WEIGHTED_CONSTANT, I(-INT32_MAX + 3002 * 255 - 1), HOIST_FIT_SHAPES, "weighted_sum expects smaller numbers: the sum could leave 32 bits"},
    {"a float one", WEIGHTED_F32, 0, NULL, HOIST_WEIGHTED_CONSTANT, I(INT32_MIN), HOIST_FIT_SHAPES, "weighted_sum expects smaller numbers: the sum could leave 32 bits"},
    {"a window of very much", HUGE_POOL, 0, NULL, HOIST_POOL_KERNEL_W, I(1 << 16), HOIST_FIT_SHAPES, "max_pool expects smaller windows: their sum could leave 32 bits"},
    {"a window cut by the image", HUGE_POOL, 0, "u8[1, 1, 1, 3]", 0, I(0), HOIST_FIT_OK, ""},
    {"a long row", WIDE, 1, "u8[1024, 1, 17, 1]", 0, I(0), HOIST_FIT_SHAPES, "conv expects at most 2^34 products for a row of the output"},
    {"a long row of a pool", WIDE_POOL, 0, NULL, HOIST_POOL_KERNEL_W, I(17), HOIST_FIT_SHAPES, "average_pool expects at most 2^34 products for a row of the output"},
    {"an average of very much", AVERAGE, 0, "i8[1, 4, 2147483647, 3]", 0, I(0), HOIST_FIT_OK, ""},
    {"softmax to 16 bits", SOFTMAX_SINGLE, 1, "i16[2, 10]", 0, I(0), HOIST_FIT_OK, ""},
    {"softmax to other bytes", SOFTMAX, 1, "i8[2, 10]", 0, I(0), HOIST_FIT_SHAPES, "softmax expects a y of the type of x, or of i16 where x is i8"},
    {"softmax of u8 to 16 bits", SOFTMAX, 1, "i16[2, 10]", 0, I(0), HOIST_FIT_SHAPES, "softmax expects a y of the type of x, or of i16 where x is i8"},
    {"a single one to other bytes", SOFTMAX_SINGLE, 1, "u8[2, 10]", 0, I(0), HOIST_FIT_SHAPES, "softmax_single expects a y of the type of x, or of i16 where x is i8"},
    {"a scale of nothing for its output", SOFTMAX_SINGLE, 0, NULL, HOIST_SOFTMAX_SINGLE_OUT, F(0), HOIST_FIT_SHAPES, "softmax_single expects a finite scale above 0"},
    {"rows of other weights", ROWS, 1, "i16[3, 5]", 0, I(0), HOIST_FIT_SHAPES, "dimension 1 of weights is 5, expected 4 (I)"},
    {"a scale of nothing", SOFTMAX_SINGLE, 0, NULL, HOIST_SOFTMAX_SINGLE_SCALE, F(0), HOIST_FIT_SHAPES, "softmax_single expects a finite scale above 0"},
    {"another type of a mean", MEAN_SINGLE, 1, "u8[2, 1, 1, 5]", 0, I(0), HOIST_FIT_TYPES, "y is u8, x is i8"},
    {"a single mean of very much", MEAN_SINGLE, 0, "i8[2, 65536, 256, 5]", 0, I(0), HOIST_FIT_SHAPES, "mean_single expects fewer products: their sum could leave the 32 bits it is kept in"},
    {"a mean of very much", MEAN, 0, "i8[2, 65536, 256, 5]", 0, I(0), HOIST_FIT_SHAPES, "mean expects fewer products: their sum could leave the 32 bits it is kept in"},
};
// clang-format on

// "u8[2, 3]"
static hoist_compute_operand operand_of(hoist_test *t, const char *text)
{
    hoist_compute_operand operand = {.dtype = HOIST_DTYPE_NONE};
    int64_t dims[HOIST_MAX_RANK] = {0};
    size_t rank = 0;
    const char *at = strchr(text, '[');
    operand.dtype = hoist_dtype_find((hoist_str){text, (size_t)(at - text)});
    for (at++; *at && *at != ']'; at += *at == ',') {
        char *end = NULL;
        dims[rank++] = strtoll(at, &end, 10);
        at = end;
    }
    HOIST_EXPECT_EQ(t, hoist_shape_init(dims, rank, &operand.shape), HOIST_OK);
    return operand;
}

static hoist_compute_fit fit(hoist_test *t, const base_case *base, char *why)
{
    hoist_compute_operand operands[MAX_OPERANDS];
    for (size_t i = 0; i < MAX_OPERANDS && base->operands[i]; i++) {
        operands[i] = operand_of(t, base->operands[i]);
    }
    return hoist_compute_fits(base->op, &base->attrs, operands, why);
}

HOIST_TEST(what_fits)
{
    char why[HOIST_COMPUTE_WHY];
    for (size_t i = 0; i < BASE_COUNT; i++) {
        hoist_test_row(t, hoist_compute_get(bases[i].op)->name);
        HOIST_EXPECT_EQ(t, fit(t, &bases[i], why), HOIST_FIT_OK);
        HOIST_EXPECT_STR(t, hoist_str_from(why), "");
    }
}

HOIST_TEST_TABLE(one_thing_changed, changes)
{
    char why[HOIST_COMPUTE_WHY];
    base_case changed = bases[row->base];
    if (row->text) {
        changed.operands[row->operand] = row->text;
    } else {
        changed.attrs.value[row->attr] = row->value;
    }
    HOIST_EXPECT_EQ(t, fit(t, &changed, why), row->fit);
    HOIST_EXPECT_STR(t, hoist_str_from(why), row->why);
}

// Low above high, where each is a number of its own.
static const struct {
    const char *name;
    int base;
    size_t low, high;
} limits[] = {
    {"conv", CONV, HOIST_CONV_LOW, HOIST_CONV_HIGH},
    {"depthwise", DEPTHWISE, HOIST_CONV_LOW, HOIST_CONV_HIGH},
    {"conv_i16", CONV_I16, HOIST_CONV_LOW, HOIST_CONV_HIGH},
    {"transpose_conv_i16", TRANSPOSE_I16, HOIST_CONV_LOW, HOIST_CONV_HIGH},
    {"transpose_conv", TRANSPOSE, HOIST_CONV_LOW, HOIST_CONV_HIGH},
    {"dense", DENSE, HOIST_DENSE_LOW, HOIST_DENSE_HIGH},
    {"add", ADD, HOIST_SUM_LOW, HOIST_SUM_HIGH},
    {"multiply", MULTIPLY, HOIST_MULTIPLY_LOW, HOIST_MULTIPLY_HIGH},
    {"weighted_sum", WEIGHTED, HOIST_WEIGHTED_LOW, HOIST_WEIGHTED_HIGH},
    {"average_pool", AVERAGE, HOIST_POOL_LOW, HOIST_POOL_HIGH},
    {"max_pool", MAXIMUM, HOIST_POOL_LOW, HOIST_POOL_HIGH},
};

HOIST_TEST_TABLE(low_above_high, limits)
{
    char why[HOIST_COMPUTE_WHY];
    base_case changed = bases[row->base];
    changed.attrs.value[row->low].integer = 6;
    changed.attrs.value[row->high].integer = 5;
    HOIST_EXPECT_EQ(t, fit(t, &changed, why), HOIST_FIT_SHAPES);
    HOIST_EXPECT(t, hoist_str_contains(hoist_str_from(why), "low no greater than high"));
    changed.attrs.value[row->high].integer = 6;
    HOIST_EXPECT_EQ(t, fit(t, &changed, why), HOIST_FIT_OK);
}

// The greatest number of products that cannot leave 32 bits, and one more.
static const struct {
    const char *name;
    int64_t zero_in, zero_weight;
    const char *type;
    int64_t most;
} sums[] = {
    {"u8", 0, 0, "u8", 33025},
    {"u8 around the middle", 128, 128, "u8", 131071},
    {"u8 at the other end", 255, 0, "u8", 33025},
    {"i8 symmetric", 0, 0, "i8", 131071},
    {"i8", -128, 0, "i8", 65793},
};

HOIST_TEST_TABLE(sums_stay_in_32_bits, sums)
{
    for (int64_t more = 0; more < 2; more++) {
        char why[HOIST_COMPUTE_WHY];
        base_case c = bases[DENSE];
        c.attrs.value[HOIST_DENSE_ZERO_IN].integer = row->zero_in;
        c.attrs.value[HOIST_DENSE_ZERO_WEIGHT].integer = row->zero_weight;
        c.attrs.value[HOIST_DENSE_HIGH].integer = 5;
        c.operands[0] =
            hoist_arena_format(&t->arena, "%s[2, %" PRId64 "]", row->type, row->most + more).data;
        c.operands[1] =
            hoist_arena_format(&t->arena, "%s[5, %" PRId64 "]", row->type, row->most + more).data;
        c.operands[4] = hoist_arena_format(&t->arena, "%s[2, 5]", row->type).data;
        HOIST_EXPECT_EQ(t, fit(t, &c, why), more ? HOIST_FIT_SHAPES : HOIST_FIT_OK);
        HOIST_EXPECT_STR(t, hoist_str_from(why),
                         more
                             ? "dense expects fewer products: their sum could leave the 32 bits it "
                               "is kept in"
                             : "");
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_fits), HOIST_TEST_ROW(one_thing_changed),
                HOIST_TEST_ROW(low_above_high), HOIST_TEST_ROW(sums_stay_in_32_bits))
