// The rows of tflite and edgetpu on quantised integers: convolutions, pools, dense layers and
// element by element. Ranges of attributes are here, rules that join several operands in
// compute_quant_fit.c; kernels/quant_*.c compute them.
#include "ops/compute_quant.h"

#include "ops/compute_quant_fit.h"
#include "ops/compute_rows.h"

#define NUMBER(text) INT(text, INT32_MIN, INT32_MAX) // the operand's type says more
#define MULTIPLIER(text) INT(text, 0, INT32_MAX)
#define SHIFT(text) INT(text, -31, 30)

// Attributes ------------------------------------------------------------------------------------

// clang-format off
#define CONV_ATTRS(limit)                                                                          \
    WINDOW_ATTRS,                                                                                  \
    [HOIST_CONV_ZERO_IN]     = NUMBER("zero_in"),                                                  \
    [HOIST_CONV_ZERO_WEIGHT] = NUMBER("zero_weight"),                                              \
    [HOIST_CONV_ZERO_OUT]    = NUMBER("zero_out"),                                                 \
    [HOIST_CONV_LOW]         = limit("low"),                                                       \
    [HOIST_CONV_HIGH]        = limit("high")
#define DENSE_ATTRS(limit)                                                                         \
    [HOIST_DENSE_ZERO_IN]     = NUMBER("zero_in"),                                                 \
    [HOIST_DENSE_ZERO_WEIGHT] = NUMBER("zero_weight"),                                             \
    [HOIST_DENSE_ZERO_OUT]    = NUMBER("zero_out"),                                                \
    [HOIST_DENSE_LOW]         = limit("low"),                                                      \
    [HOIST_DENSE_HIGH]        = limit("high")
#define MULTIPLY_ATTRS(limit)                                                                      \
    [HOIST_MULTIPLY_ZERO_A]   = NUMBER("zero_a"),                                                  \
    [HOIST_MULTIPLY_ZERO_B]   = NUMBER("zero_b"),                                                  \
    [HOIST_MULTIPLY_ZERO_OUT] = NUMBER("zero_out"),                                                \
    [HOIST_MULTIPLY_LOW]      = limit("low"),                                                      \
    [HOIST_MULTIPLY_HIGH]     = limit("high")
#define WEIGHTED_ATTRS(limit)                                                                      \
    [HOIST_WEIGHTED_K1]       = INT("k1", INT16_MIN, INT16_MAX),                                   \
    [HOIST_WEIGHTED_K2]       = INT("k2", INT16_MIN, INT16_MAX),                                   \
    [HOIST_WEIGHTED_CONSTANT] = NUMBER("constant"),                                                \
    [HOIST_WEIGHTED_ZERO_OUT] = NUMBER("zero_out"),                                                \
    [HOIST_WEIGHTED_LOW]      = limit("low"),                                                      \
    [HOIST_WEIGHTED_HIGH]     = limit("high")

static const hoist_compute_attr_def conv_attrs[] = {CONV_ATTRS(NUMBER)};
static const hoist_compute_attr_def conv_f32_attrs[] = {CONV_ATTRS(FLOAT)};
static const hoist_compute_attr_def dense_attrs[] = {DENSE_ATTRS(NUMBER)};
static const hoist_compute_attr_def dense_f32_attrs[] = {DENSE_ATTRS(FLOAT)};
static const hoist_compute_attr_def sum_attrs[] = {
    [HOIST_SUM_ZERO_A]       = NUMBER("zero_a"),
    [HOIST_SUM_ZERO_B]       = NUMBER("zero_b"),
    [HOIST_SUM_ZERO_OUT]     = NUMBER("zero_out"),
    [HOIST_SUM_LEFT]         = INT("left", 0, 30),
    [HOIST_SUM_MULTIPLIER_A] = MULTIPLIER("multiplier_a"),
    [HOIST_SUM_SHIFT_A]      = SHIFT("shift_a"),
    [HOIST_SUM_MULTIPLIER_B] = MULTIPLIER("multiplier_b"),
    [HOIST_SUM_SHIFT_B]      = SHIFT("shift_b"),
    [HOIST_SUM_MULTIPLIER]   = MULTIPLIER("multiplier"),
    [HOIST_SUM_SHIFT]        = SHIFT("shift"),
    [HOIST_SUM_LOW]          = NUMBER("low"),
    [HOIST_SUM_HIGH]         = NUMBER("high"),
};
static const hoist_compute_attr_def multiply_attrs[] = {
    MULTIPLY_ATTRS(NUMBER),
    [HOIST_MULTIPLY_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_MULTIPLY_SHIFT]      = SHIFT("shift"),
};
static const hoist_compute_attr_def multiply_f32_attrs[] = {
    MULTIPLY_ATTRS(FLOAT),
    [HOIST_MULTIPLY_MULTIPLIER] = FLOAT("multiplier"),
};
static const hoist_compute_attr_def weighted_attrs[] = {
    WEIGHTED_ATTRS(NUMBER),
    [HOIST_WEIGHTED_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_WEIGHTED_SHIFT]      = SHIFT("shift"),
};
static const hoist_compute_attr_def weighted_f32_attrs[] = {
    WEIGHTED_ATTRS(FLOAT),
    [HOIST_WEIGHTED_MULTIPLIER] = FLOAT("multiplier"),
};
static const hoist_compute_attr_def prelu_attrs[] = {
    [HOIST_PRELU_ZERO_A]       = NUMBER("zero_a"),
    [HOIST_PRELU_ZERO_B]       = NUMBER("zero_b"),
    [HOIST_PRELU_ZERO_OUT]     = NUMBER("zero_out"),
    [HOIST_PRELU_MULTIPLIER_A] = MULTIPLIER("multiplier_a"),
    [HOIST_PRELU_SHIFT_A]      = SHIFT("shift_a"),
    [HOIST_PRELU_MULTIPLIER]   = NUMBER("multiplier"),
    [HOIST_PRELU_SHIFT]        = SHIFT("shift"),
};
static const hoist_compute_attr_def pool_attrs[] = {POOL_ATTRS(NUMBER)};
static const hoist_compute_attr_def softmax_attrs[] = {
    [HOIST_SOFTMAX_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_SOFTMAX_SHIFT]      = INT("shift", 0, 31),
};
static const hoist_compute_attr_def softmax_single_attrs[] = {
    [HOIST_SOFTMAX_SINGLE_SCALE] = FLOAT("scale"),
    [HOIST_SOFTMAX_SINGLE_OUT]   = FLOAT("scale_out"),
};
static const hoist_compute_attr_def mean_single_attrs[] = {
    [HOIST_MEAN_SINGLE_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_MEAN_SINGLE_SHIFT]      = SHIFT("shift"),
    [HOIST_MEAN_SINGLE_BIAS]       = INT("bias", INT32_MIN, INT32_MAX),
};
static const hoist_compute_attr_def logistic_attrs[] = {
    [HOIST_LOGISTIC_ZERO_IN]    = NUMBER("zero_in"),
    [HOIST_LOGISTIC_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_LOGISTIC_SHIFT]      = INT("shift", 0, 30),
};
static const hoist_compute_attr_def resize_attrs[] = {RESIZE_ATTRS};
static const hoist_compute_attr_def mean_attrs[] = {
    [HOIST_MEAN_ZERO_IN]    = NUMBER("zero_in"),
    [HOIST_MEAN_ZERO_OUT]   = NUMBER("zero_out"),
    [HOIST_MEAN_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_MEAN_SHIFT]      = SHIFT("shift"),
};
static const hoist_compute_attr_def quantize_attrs[] = {
    [HOIST_QUANT_SCALE] = FLOAT("scale"),
    [HOIST_QUANT_ZERO]  = NUMBER("zero"),
};
static const hoist_compute_attr_def rescale_attrs[] = {
    [HOIST_RESCALE_SCALE]    = FLOAT("scale"),
    [HOIST_RESCALE_ZERO_IN]  = NUMBER("zero_in"),
    [HOIST_RESCALE_ZERO_OUT] = NUMBER("zero_out"),
};
static const hoist_compute_attr_def short_attrs[] = {
    [HOIST_SHORT_ZERO]       = INT("zero", INT8_MIN, INT8_MAX),
    [HOIST_SHORT_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_SHORT_SHIFT]      = SHIFT("shift"),
};
static const hoist_compute_attr_def short_sum_attrs[] = {
    [HOIST_SHORT_LOW]  = INT("low", INT16_MIN, INT16_MAX),
    [HOIST_SHORT_HIGH] = INT("high", INT16_MIN, INT16_MAX),
};
static const hoist_compute_attr_def short_divide_attrs[] = {
    [HOIST_SHORT_DIVIDE] = INT("shift", 0, 31),
};
static const hoist_compute_attr_def short_tanh_attrs[] = {
    [HOIST_SHORT_BITS] = INT("bits", 0, 6),
};

// Operands --------------------------------------------------------------------------------------

#define CONV_X {"x", INT8S, true, "NHWC", BIT(HOIST_CONV_ZERO_IN), 0}
#define CONV_WEIGHTS(dims) {"weights", INT8S, true, dims, BIT(HOIST_CONV_ZERO_WEIGHT), 0}
#define BIAS OPERAND("bias", TYPE(I32), "O")
#define REQUANT OPERAND("requant", TYPE(I32), "R2")
#define SCALE OPERAND("multiplier", TYPE(F32), "R")
#define CONV_NUMBERS BIT(HOIST_CONV_ZERO_OUT) | BIT(HOIST_CONV_LOW) | BIT(HOIST_CONV_HIGH)
#define CONV_Y {"y", INT8S, true, "NPQO", CONV_NUMBERS, 0}
#define DENSE_X {"x", INT8S, true, "BI", BIT(HOIST_DENSE_ZERO_IN), 0}
#define DENSE_WEIGHTS {"weights", INT8S, true, "OI", BIT(HOIST_DENSE_ZERO_WEIGHT), 0}
#define DENSE_NUMBERS BIT(HOIST_DENSE_ZERO_OUT) | BIT(HOIST_DENSE_LOW) | BIT(HOIST_DENSE_HIGH)
#define DENSE_Y {"y", INT8S, true, "BO", DENSE_NUMBERS, 0}

static const hoist_compute_operand_def conv_operands[] = {
    CONV_X, CONV_WEIGHTS("OKLI"), BIAS, REQUANT, CONV_Y};
static const hoist_compute_operand_def conv_f32_operands[] = {
    CONV_X, CONV_WEIGHTS("OKLI"), BIAS, SCALE, CONV_Y};
static const hoist_compute_operand_def depthwise_operands[] = {
    CONV_X, CONV_WEIGHTS("1KLO"), BIAS, REQUANT, CONV_Y};
static const hoist_compute_operand_def depthwise_f32_operands[] = {
    CONV_X, CONV_WEIGHTS("1KLO"), BIAS, SCALE, CONV_Y};
static const hoist_compute_operand_def transpose_operands[] = {
    {"x", INT8S, true, "NHWI", BIT(HOIST_CONV_ZERO_IN), 0}, CONV_WEIGHTS("OKLI"), BIAS, REQUANT, CONV_Y};
static const hoist_compute_operand_def conv_i16_operands[] = {
    {"x", TYPE(I16), false, "NHWC", BIT(HOIST_CONV_ZERO_IN), 0},
    {"weights", TYPE(I8), false, "OKLI", BIT(HOIST_CONV_ZERO_WEIGHT), 0},
    OPERAND("bias", TYPE(I64), "O"),
    REQUANT,
    {"y", TYPE(I16), false, "NPQO", CONV_NUMBERS, 0},
};
static const hoist_compute_operand_def transpose_i16_operands[] = {
    {"x", TYPE(I16), false, "NHWI", BIT(HOIST_CONV_ZERO_IN), 0},
    {"weights", TYPE(I8), false, "OKLI", BIT(HOIST_CONV_ZERO_WEIGHT), 0},
    OPERAND("bias", TYPE(I64), "O"),
    REQUANT,
    {"y", TYPE(I16), false, "NPQO", CONV_NUMBERS, 0},
};
#define SHORT(text, dims) OPERAND(text, TYPE(I16), dims)
static const hoist_compute_operand_def dense_i16_operands[] = {
    OPERAND("x", TYPE(I8), "BI"), OPERAND("weights", TYPE(I8), "OI"), BIAS, SHORT("a", "BO"),
    SHORT("y", "BO")};
static const hoist_compute_operand_def short_operands[] = {
    SHORT("a", "s"), SHORT("b", "s"), SHORT("y", "s")};
static const hoist_compute_operand_def short_byte_operands[] = {
    SHORT("a", "s"), SHORT("b", "s"), OPERAND("y", TYPE(I8), "s")};
static const hoist_compute_operand_def dense_i16_i8_operands[] = {
    SHORT("x", "BOI"), SHORT("weights", "OI"), BIAS, OPERAND("y", TYPE(I8), "BO")};
static const hoist_compute_operand_def short_curve_operands[] = {
    SHORT("x", "s"), SHORT("y", "s")};
static const hoist_compute_operand_def dense_operands[] = {
    DENSE_X, DENSE_WEIGHTS, BIAS, REQUANT, DENSE_Y};
static const hoist_compute_operand_def dense_f32_operands[] = {
    DENSE_X, DENSE_WEIGHTS, BIAS, SCALE, DENSE_Y};
static const hoist_compute_operand_def sum_operands[] = {
    {"a", INT16S, true, "s", BIT(HOIST_SUM_ZERO_A), 0},
    {"b", INT16S, true, "s", BIT(HOIST_SUM_ZERO_B), 0},
    {"y", INT16S, true, "s",
     BIT(HOIST_SUM_ZERO_OUT) | BIT(HOIST_SUM_LOW) | BIT(HOIST_SUM_HIGH), 0},
};
static const hoist_compute_operand_def multiply_operands[] = {
    {"a", INT8S, true, "s", BIT(HOIST_MULTIPLY_ZERO_A), 0},
    {"b", INT8S, true, "s", BIT(HOIST_MULTIPLY_ZERO_B), 0},
    {"y", INT8S, true, "s",
     BIT(HOIST_MULTIPLY_ZERO_OUT) | BIT(HOIST_MULTIPLY_LOW) | BIT(HOIST_MULTIPLY_HIGH), 0},
};
static const hoist_compute_operand_def weighted_operands[] = {
    ALIKE("a", INT8S, "s"),
    ALIKE("b", INT8S, "s"),
    {"y", INT8S, true, "s",
     BIT(HOIST_WEIGHTED_ZERO_OUT) | BIT(HOIST_WEIGHTED_LOW) | BIT(HOIST_WEIGHTED_HIGH), 0},
};
static const hoist_compute_operand_def prelu_operands[] = {
    {"a", INT16S, true, "s", BIT(HOIST_PRELU_ZERO_A), 0},
    {"b", INT16S, true, "s", BIT(HOIST_PRELU_ZERO_B), 0},
    {"y", INT16S, true, "s", BIT(HOIST_PRELU_ZERO_OUT), 0},
};
static const hoist_compute_operand_def pool_operands[] = {
    ALIKE("x", INT8S, "NHWC"),
    {"y", INT8S, true, "NPQC", BIT(HOIST_POOL_LOW) | BIT(HOIST_POOL_HIGH), 0},
};
static const hoist_compute_operand_def softmax_operands[] = {
    OPERAND("x", INT8S, "s"), OPERAND("y", INT16S, "s")};
static const hoist_compute_operand_def logistic_operands[] = {
    {"x", INT8S, true, "s", BIT(HOIST_LOGISTIC_ZERO_IN), 0}, ALIKE("y", INT8S, "s")};
static const hoist_compute_operand_def resize_operands[] = {
    ALIKE("x", INT8S, "NHWC"), ALIKE("y", INT8S, "NPQC")};
static const hoist_compute_operand_def mean_operands[] = {
    {"x", INT8S, true, "NHWC", BIT(HOIST_MEAN_ZERO_IN), 0},
    {"y", INT8S, true, "N11C", BIT(HOIST_MEAN_ZERO_OUT), 0},
};
static const hoist_compute_operand_def mean_single_operands[] = {
    ALIKE("x", INT8S, "NHWC"), ALIKE("y", INT8S, "N11C")};
static const hoist_compute_operand_def requantize_operands[] = {
    {"x", INT32S, false, "s", BIT(HOIST_MEAN_ZERO_IN), 0},
    {"y", INT32S, false, "s", BIT(HOIST_MEAN_ZERO_OUT), 0},
};
static const hoist_compute_operand_def quantize_operands[] = {
    OPERAND("x", TYPE(F32), "s"), {"y", INT16S, false, "s", BIT(HOIST_QUANT_ZERO), 0}};
static const hoist_compute_operand_def dequantize_operands[] = {
    {"x", INT16S, false, "s", BIT(HOIST_QUANT_ZERO), 0}, OPERAND("y", TYPE(F32), "s")};
static const hoist_compute_operand_def rescale_operands[] = {
    {"x", TYPE(U8), false, "s", BIT(HOIST_RESCALE_ZERO_IN), 0},
    {"y", TYPE(U8), false, "s", BIT(HOIST_RESCALE_ZERO_OUT), 0},
};
// clang-format on

// The table -------------------------------------------------------------------------------------

#define EACH(who, text, list, ...) ROW(who, text, list, .tilewise = true, __VA_ARGS__)
#define AT(op) [HOIST_##op - HOIST_QUANT_FIRST]

// Softmax: maximum, difference, exp, sum, product. Bilinear: four products and three sums.
// Weighted: two products and two sums. Bringing a result to its scale is counted nowhere: it is a
// conversion.
// clang-format off
const hoist_compute_def hoist_quant_rows[HOIST_PLAIN_FIRST - HOIST_QUANT_FIRST] = {
    AT(TFLITE_CONV)            = ROW(TFLITE, "conv", conv_operands, ATTRS(conv_attrs), .rule = hoist_rule_conv, FLOPS(WEIGHTS, 2)),
    AT(TFLITE_DEPTHWISE)       = ROW(TFLITE, "depthwise", depthwise_operands, ATTRS(conv_attrs), .rule = hoist_rule_depthwise, FLOPS(DEPTHWISE, 2)),
    AT(TFLITE_DENSE)           = ROW(TFLITE, "dense", dense_operands, ATTRS(dense_attrs), .rule = hoist_rule_dense, FLOPS(WEIGHTS, 2)),
    AT(TFLITE_CONV_SINGLE)     = ROW(TFLITE, "conv_single", conv_operands, ATTRS(conv_attrs), .rule = hoist_rule_conv, FLOPS(WEIGHTS, 2)),
    AT(TFLITE_DENSE_SINGLE)    = ROW(TFLITE, "dense_single", dense_operands, ATTRS(dense_attrs), .rule = hoist_rule_dense, FLOPS(WEIGHTS, 2)),
    AT(TFLITE_ADD)             = EACH(TFLITE, "add", sum_operands, ATTRS(sum_attrs), .rule = hoist_rule_sum, FLOPS(OUTPUT, 1)),
    AT(TFLITE_SUBTRACT)        = EACH(TFLITE, "subtract", sum_operands, ATTRS(sum_attrs), .rule = hoist_rule_sum, FLOPS(OUTPUT, 1)),
    AT(TFLITE_MULTIPLY)        = EACH(TFLITE, "multiply", multiply_operands, ATTRS(multiply_attrs), .rule = hoist_rule_multiply, FLOPS(OUTPUT, 1)),
    AT(TFLITE_AVERAGE_POOL)    = ROW(TFLITE, "average_pool", pool_operands, ATTRS(pool_attrs), .rule = hoist_rule_pool, FLOPS(WINDOW, 1)),
    AT(TFLITE_MAX_POOL)        = ROW(TFLITE, "max_pool", pool_operands, ATTRS(pool_attrs), .rule = hoist_rule_pool, FLOPS(WINDOW, 1)),
    AT(TFLITE_SOFTMAX)         = ROW(TFLITE, "softmax", softmax_operands, ATTRS(softmax_attrs), .rule = hoist_rule_softmax, FLOPS(OUTPUT, 5)),
    AT(TFLITE_SOFTMAX_SINGLE)  = ROW(TFLITE, "softmax_single", softmax_operands, ATTRS(softmax_single_attrs), .rule = hoist_rule_softmax_single, FLOPS(OUTPUT, 5)),
    AT(TFLITE_LOGISTIC)        = EACH(TFLITE, "logistic", logistic_operands, ATTRS(logistic_attrs), FLOPS(OUTPUT, 1)),
    AT(TFLITE_TANH)            = EACH(TFLITE, "tanh", logistic_operands, ATTRS(logistic_attrs), FLOPS(OUTPUT, 1)),
    AT(TFLITE_RESIZE_BILINEAR) = ROW(TFLITE, "resize_bilinear", resize_operands, ATTRS(resize_attrs), .rule = hoist_rule_resize, FLOPS(OUTPUT, 7)),
    AT(TFLITE_MEAN)            = ROW(TFLITE, "mean", mean_operands, ATTRS(mean_attrs), .rule = hoist_rule_mean, FLOPS(INPUT, 1)),
    AT(TFLITE_MEAN_SINGLE)     = ROW(TFLITE, "mean_single", mean_single_operands, ATTRS(mean_single_attrs), .rule = hoist_rule_mean_single, FLOPS(INPUT, 1)),
    AT(TFLITE_REQUANTIZE)      = EACH(TFLITE, "requantize", requantize_operands, ATTRS(mean_attrs)),
    AT(TFLITE_QUANTIZE)        = EACH(TFLITE, "quantize", quantize_operands, ATTRS(quantize_attrs), .rule = hoist_rule_scale),
    AT(TFLITE_DEQUANTIZE)      = EACH(TFLITE, "dequantize", dequantize_operands, ATTRS(quantize_attrs), .rule = hoist_rule_scale),
    AT(TFLITE_RESCALE)         = EACH(TFLITE, "rescale", rescale_operands, ATTRS(rescale_attrs), .rule = hoist_rule_scale),
    AT(TFLITE_WEIGHTED_SUM)    = EACH(TFLITE, "weighted_sum", weighted_operands, ATTRS(weighted_attrs), .rule = hoist_rule_weighted, FLOPS(OUTPUT, 4)),
    AT(TFLITE_PRELU)           = EACH(TFLITE, "prelu", prelu_operands, ATTRS(prelu_attrs), .rule = hoist_rule_prelu, FLOPS(OUTPUT, 1)),
    AT(TFLITE_TRANSPOSE_CONV)  = ROW(TFLITE, "transpose_conv", transpose_operands, ATTRS(conv_attrs), .rule = hoist_rule_transpose, FLOPS(SCATTERED, 2)),
    AT(TFLITE_CONV_I16)        = ROW(TFLITE, "conv_i16", conv_i16_operands, ATTRS(conv_attrs), .rule = hoist_rule_conv, FLOPS(WEIGHTS, 2)),
    AT(TFLITE_TRANSPOSE_CONV_I16) = ROW(TFLITE, "transpose_conv_i16", transpose_i16_operands, ATTRS(conv_attrs), .rule = hoist_rule_transpose, FLOPS(SCATTERED, 2)),
    AT(TFLITE_DENSE_I16)       = ROW(TFLITE, "dense_i16", dense_i16_operands, ATTRS(short_attrs), .rule = hoist_rule_dense_i16, FLOPS(WEIGHTS, 2)),
    AT(TFLITE_ADD_I16)         = EACH(TFLITE, "add_i16", short_operands, ATTRS(short_sum_attrs), .rule = hoist_rule_limits, FLOPS(OUTPUT, 1)),
    AT(TFLITE_MULTIPLY_I16)    = EACH(TFLITE, "multiply_i16", short_operands, ATTRS(short_divide_attrs), FLOPS(OUTPUT, 1)),
    AT(TFLITE_MULTIPLY_I16_I8) = ROW(TFLITE, "multiply_i16_i8", short_byte_operands, ATTRS(short_attrs), .rule = NULL, FLOPS(OUTPUT, 1)),
    AT(TFLITE_DENSE_I16_I8)    = ROW(TFLITE, "dense_i16_i8", dense_i16_i8_operands, ATTRS(short_attrs), .rule = hoist_rule_dense_i16_i8, FLOPS(INPUT, 2)),
    AT(TFLITE_LOGISTIC_I16)    = ROW(TFLITE, "logistic_i16", short_curve_operands, .tilewise = true, FLOPS(OUTPUT, 1)),
    AT(TFLITE_TANH_I16)        = EACH(TFLITE, "tanh_i16", short_curve_operands, ATTRS(short_tanh_attrs), FLOPS(OUTPUT, 1)),
    AT(EDGETPU_CONV)           = ROW(EDGETPU, "conv", conv_f32_operands, ATTRS(conv_f32_attrs), .rule = hoist_rule_conv, FLOPS(WEIGHTS, 2)),
    AT(EDGETPU_DEPTHWISE)      = ROW(EDGETPU, "depthwise", depthwise_f32_operands, ATTRS(conv_f32_attrs), .rule = hoist_rule_depthwise, FLOPS(DEPTHWISE, 2)),
    AT(EDGETPU_DENSE)          = ROW(EDGETPU, "dense", dense_f32_operands, ATTRS(dense_f32_attrs), .rule = hoist_rule_dense, FLOPS(WEIGHTS, 2)),
    AT(EDGETPU_MULTIPLY)       = EACH(EDGETPU, "multiply", multiply_operands, ATTRS(multiply_f32_attrs), .rule = hoist_rule_multiply, FLOPS(OUTPUT, 1)),
    AT(EDGETPU_WEIGHTED_SUM)   = EACH(EDGETPU, "weighted_sum", weighted_operands, ATTRS(weighted_f32_attrs), .rule = hoist_rule_weighted, FLOPS(OUTPUT, 4)),
};
// clang-format on
