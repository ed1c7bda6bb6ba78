// ops/compute_quant.c - the table of the profiles tflite and edgetpu.
#include "ops/compute_quant.h"

#include "ops/compute_quant_fit.h"

#define COUNT(array) (uint8_t)(sizeof(array) / sizeof *(array))
#define BIG (INT64_C(1) << 31)
#define NUMBER INT32_MIN, INT32_MAX // the operand's type says more
#define BIT(index) (uint16_t)(1U << (index))
#define TYPE(name) (UINT64_C(1) << HOIST_DTYPE_##name)
#define BYTES (TYPE(U8) | TYPE(I8))
#define INTEGERS (BYTES | TYPE(I16))

// Attributes ------------------------------------------------------------------------------------

// clang-format off
#define CONV_ATTRS(kind, ...)                                                                      \
    [HOIST_CONV_STRIDE_H]    = {"stride_h", HOIST_COMPUTE_INT, 1, BIG},                            \
    [HOIST_CONV_STRIDE_W]    = {"stride_w", HOIST_COMPUTE_INT, 1, BIG},                            \
    [HOIST_CONV_PAD_TOP]     = {"pad_top", HOIST_COMPUTE_INT, 0, BIG},                             \
    [HOIST_CONV_PAD_LEFT]    = {"pad_left", HOIST_COMPUTE_INT, 0, BIG},                            \
    [HOIST_CONV_DILATION_H]  = {"dilation_h", HOIST_COMPUTE_INT, 1, BIG},                          \
    [HOIST_CONV_DILATION_W]  = {"dilation_w", HOIST_COMPUTE_INT, 1, BIG},                          \
    [HOIST_CONV_ZERO_IN]     = {"zero_in", HOIST_COMPUTE_INT, NUMBER},                             \
    [HOIST_CONV_ZERO_WEIGHT] = {"zero_weight", HOIST_COMPUTE_INT, NUMBER},                         \
    [HOIST_CONV_ZERO_OUT]    = {"zero_out", HOIST_COMPUTE_INT, NUMBER},                            \
    [HOIST_CONV_LOW]         = {"low", kind, __VA_ARGS__},                                         \
    [HOIST_CONV_HIGH]        = {"high", kind, __VA_ARGS__}
#define DENSE_ATTRS(kind, ...)                                                                     \
    [HOIST_DENSE_ZERO_IN]     = {"zero_in", HOIST_COMPUTE_INT, NUMBER},                            \
    [HOIST_DENSE_ZERO_WEIGHT] = {"zero_weight", HOIST_COMPUTE_INT, NUMBER},                        \
    [HOIST_DENSE_ZERO_OUT]    = {"zero_out", HOIST_COMPUTE_INT, NUMBER},                           \
    [HOIST_DENSE_LOW]         = {"low", kind, __VA_ARGS__},                                        \
    [HOIST_DENSE_HIGH]        = {"high", kind, __VA_ARGS__}
#define MULTIPLY_ATTRS(kind, ...)                                                                  \
    [HOIST_MULTIPLY_ZERO_A]   = {"zero_a", HOIST_COMPUTE_INT, NUMBER},                             \
    [HOIST_MULTIPLY_ZERO_B]   = {"zero_b", HOIST_COMPUTE_INT, NUMBER},                             \
    [HOIST_MULTIPLY_ZERO_OUT] = {"zero_out", HOIST_COMPUTE_INT, NUMBER},                           \
    [HOIST_MULTIPLY_LOW]      = {"low", kind, __VA_ARGS__},                                        \
    [HOIST_MULTIPLY_HIGH]     = {"high", kind, __VA_ARGS__}
#define WEIGHTED_ATTRS(kind, ...)                                                                  \
    [HOIST_WEIGHTED_K1]       = {"k1", HOIST_COMPUTE_INT, INT16_MIN, INT16_MAX},                   \
    [HOIST_WEIGHTED_K2]       = {"k2", HOIST_COMPUTE_INT, INT16_MIN, INT16_MAX},                   \
    [HOIST_WEIGHTED_CONSTANT] = {"constant", HOIST_COMPUTE_INT, INT32_MIN, INT32_MAX},             \
    [HOIST_WEIGHTED_ZERO_OUT] = {"zero_out", HOIST_COMPUTE_INT, NUMBER},                           \
    [HOIST_WEIGHTED_LOW]      = {"low", kind, __VA_ARGS__},                                        \
    [HOIST_WEIGHTED_HIGH]     = {"high", kind, __VA_ARGS__}
#define MULTIPLIER(text) {text, HOIST_COMPUTE_INT, 0, INT32_MAX}
#define SHIFT(text) {text, HOIST_COMPUTE_INT, -31, 30}
#define LEFT_SHIFT {"shift", HOIST_COMPUTE_INT, 0, 31}
#define ZERO(text) {text, HOIST_COMPUTE_INT, NUMBER}
#define REAL(text) {text, HOIST_COMPUTE_FLOAT, 0, 0}

static const hoist_compute_attr_def conv_attrs[] = {CONV_ATTRS(HOIST_COMPUTE_INT, NUMBER)};
static const hoist_compute_attr_def conv_real_attrs[] = {CONV_ATTRS(HOIST_COMPUTE_FLOAT, 0, 0)};
static const hoist_compute_attr_def dense_attrs[] = {DENSE_ATTRS(HOIST_COMPUTE_INT, NUMBER)};
static const hoist_compute_attr_def dense_real_attrs[] = {DENSE_ATTRS(HOIST_COMPUTE_FLOAT, 0, 0)};
static const hoist_compute_attr_def sum_attrs[] = {
    [HOIST_SUM_ZERO_A]       = ZERO("zero_a"),
    [HOIST_SUM_ZERO_B]       = ZERO("zero_b"),
    [HOIST_SUM_ZERO_OUT]     = ZERO("zero_out"),
    [HOIST_SUM_LEFT]         = {"left", HOIST_COMPUTE_INT, 0, 30},
    [HOIST_SUM_MULTIPLIER_A] = MULTIPLIER("multiplier_a"),
    [HOIST_SUM_SHIFT_A]      = SHIFT("shift_a"),
    [HOIST_SUM_MULTIPLIER_B] = MULTIPLIER("multiplier_b"),
    [HOIST_SUM_SHIFT_B]      = SHIFT("shift_b"),
    [HOIST_SUM_MULTIPLIER]   = MULTIPLIER("multiplier"),
    [HOIST_SUM_SHIFT]        = SHIFT("shift"),
    [HOIST_SUM_LOW]          = {"low", HOIST_COMPUTE_INT, NUMBER},
    [HOIST_SUM_HIGH]         = {"high", HOIST_COMPUTE_INT, NUMBER},
};
static const hoist_compute_attr_def multiply_attrs[] = {
    MULTIPLY_ATTRS(HOIST_COMPUTE_INT, NUMBER),
    [HOIST_MULTIPLY_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_MULTIPLY_SHIFT]      = SHIFT("shift"),
};
static const hoist_compute_attr_def multiply_real_attrs[] = {
    MULTIPLY_ATTRS(HOIST_COMPUTE_FLOAT, 0, 0),
    [HOIST_MULTIPLY_MULTIPLIER] = REAL("multiplier"),
};
static const hoist_compute_attr_def weighted_attrs[] = {
    WEIGHTED_ATTRS(HOIST_COMPUTE_INT, NUMBER),
    [HOIST_WEIGHTED_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_WEIGHTED_SHIFT]      = SHIFT("shift"),
};
static const hoist_compute_attr_def weighted_real_attrs[] = {
    WEIGHTED_ATTRS(HOIST_COMPUTE_FLOAT, 0, 0),
    [HOIST_WEIGHTED_MULTIPLIER] = REAL("multiplier"),
};
static const hoist_compute_attr_def pool_attrs[] = {
    [HOIST_POOL_KERNEL_H] = {"kernel_h", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_POOL_KERNEL_W] = {"kernel_w", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_POOL_STRIDE_H] = {"stride_h", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_POOL_STRIDE_W] = {"stride_w", HOIST_COMPUTE_INT, 1, BIG},
    [HOIST_POOL_PAD_TOP]  = {"pad_top", HOIST_COMPUTE_INT, 0, BIG},
    [HOIST_POOL_PAD_LEFT] = {"pad_left", HOIST_COMPUTE_INT, 0, BIG},
    [HOIST_POOL_LOW]      = {"low", HOIST_COMPUTE_INT, NUMBER},
    [HOIST_POOL_HIGH]     = {"high", HOIST_COMPUTE_INT, NUMBER},
};
static const hoist_compute_attr_def softmax_attrs[] = {
    [HOIST_SOFTMAX_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_SOFTMAX_SHIFT]      = LEFT_SHIFT,
};
static const hoist_compute_attr_def logistic_attrs[] = {
    [HOIST_LOGISTIC_ZERO_IN]    = ZERO("zero_in"),
    [HOIST_LOGISTIC_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_LOGISTIC_SHIFT]      = {"shift", HOIST_COMPUTE_INT, 0, 30},
};
static const hoist_compute_attr_def resize_attrs[] = {
    [HOIST_RESIZE_ALIGN_CORNERS] = {"align_corners", HOIST_COMPUTE_INT, 0, 1},
    [HOIST_RESIZE_HALF_PIXEL]    = {"half_pixel_centers", HOIST_COMPUTE_INT, 0, 1},
};
static const hoist_compute_attr_def mean_attrs[] = {
    [HOIST_MEAN_ZERO_IN]    = ZERO("zero_in"),
    [HOIST_MEAN_ZERO_OUT]   = ZERO("zero_out"),
    [HOIST_MEAN_MULTIPLIER] = MULTIPLIER("multiplier"),
    [HOIST_MEAN_SHIFT]      = SHIFT("shift"),
};
static const hoist_compute_attr_def quantize_attrs[] = {
    [HOIST_QUANT_SCALE] = REAL("scale"),
    [HOIST_QUANT_ZERO]  = ZERO("zero"),
};
static const hoist_compute_attr_def rescale_attrs[] = {
    [HOIST_RESCALE_SCALE]    = REAL("scale"),
    [HOIST_RESCALE_ZERO_IN]  = ZERO("zero_in"),
    [HOIST_RESCALE_ZERO_OUT] = ZERO("zero_out"),
};

// Operands --------------------------------------------------------------------------------------

#define CONV_X {"x", BYTES, true, "NHWC", BIT(HOIST_CONV_ZERO_IN)}
#define CONV_WEIGHTS(dims) {"weights", BYTES, true, dims, BIT(HOIST_CONV_ZERO_WEIGHT)}
#define BIAS {"bias", TYPE(I32), false, "O", 0}
#define REQUANT {"requant", TYPE(I32), false, "R2", 0}
#define SCALE {"multiplier", TYPE(F32), false, "R", 0}
#define CONV_Y(more) {"y", BYTES, true, "NPQO", BIT(HOIST_CONV_ZERO_OUT) | (more)}
#define CONV_LIMITS BIT(HOIST_CONV_LOW) | BIT(HOIST_CONV_HIGH)
#define DENSE_X {"x", BYTES, true, "BI", BIT(HOIST_DENSE_ZERO_IN)}
#define DENSE_WEIGHTS {"weights", BYTES, true, "OI", BIT(HOIST_DENSE_ZERO_WEIGHT)}
#define DENSE_Y(more) {"y", BYTES, true, "BO", BIT(HOIST_DENSE_ZERO_OUT) | (more)}

static const hoist_compute_operand_def conv_operands[] = {
    CONV_X, CONV_WEIGHTS("OKLI"), BIAS, REQUANT, CONV_Y(CONV_LIMITS)};
static const hoist_compute_operand_def conv_real_operands[] = {
    CONV_X, CONV_WEIGHTS("OKLI"), BIAS, SCALE, CONV_Y(0)};
static const hoist_compute_operand_def depthwise_operands[] = {
    CONV_X, CONV_WEIGHTS("1KLO"), BIAS, REQUANT, CONV_Y(CONV_LIMITS)};
static const hoist_compute_operand_def depthwise_real_operands[] = {
    CONV_X, CONV_WEIGHTS("1KLO"), BIAS, SCALE, CONV_Y(0)};
static const hoist_compute_operand_def dense_operands[] = {
    DENSE_X, DENSE_WEIGHTS, BIAS, REQUANT,
    DENSE_Y(BIT(HOIST_DENSE_LOW) | BIT(HOIST_DENSE_HIGH))};
static const hoist_compute_operand_def dense_real_operands[] = {
    DENSE_X, DENSE_WEIGHTS, BIAS, SCALE, DENSE_Y(0)};
static const hoist_compute_operand_def sum_operands[] = {
    {"a", INTEGERS, true, "*", BIT(HOIST_SUM_ZERO_A)},
    {"b", INTEGERS, true, "*", BIT(HOIST_SUM_ZERO_B)},
    {"y", INTEGERS, true, "*",
     BIT(HOIST_SUM_ZERO_OUT) | BIT(HOIST_SUM_LOW) | BIT(HOIST_SUM_HIGH)},
};
static const hoist_compute_operand_def multiply_operands[] = {
    {"a", BYTES, true, "*", BIT(HOIST_MULTIPLY_ZERO_A)},
    {"b", BYTES, true, "*", BIT(HOIST_MULTIPLY_ZERO_B)},
    {"y", BYTES, true, "*",
     BIT(HOIST_MULTIPLY_ZERO_OUT) | BIT(HOIST_MULTIPLY_LOW) | BIT(HOIST_MULTIPLY_HIGH)},
};
static const hoist_compute_operand_def multiply_real_operands[] = {
    {"a", BYTES, true, "*", BIT(HOIST_MULTIPLY_ZERO_A)},
    {"b", BYTES, true, "*", BIT(HOIST_MULTIPLY_ZERO_B)},
    {"y", BYTES, true, "*", BIT(HOIST_MULTIPLY_ZERO_OUT)},
};
static const hoist_compute_operand_def weighted_operands[] = {
    {"a", BYTES, true, "*", 0},
    {"b", BYTES, true, "*", 0},
    {"y", BYTES, true, "*",
     BIT(HOIST_WEIGHTED_ZERO_OUT) | BIT(HOIST_WEIGHTED_LOW) | BIT(HOIST_WEIGHTED_HIGH)},
};
static const hoist_compute_operand_def weighted_real_operands[] = {
    {"a", BYTES, true, "*", 0},
    {"b", BYTES, true, "*", 0},
    {"y", BYTES, true, "*", BIT(HOIST_WEIGHTED_ZERO_OUT)},
};
static const hoist_compute_operand_def pool_operands[] = {
    {"x", BYTES, true, "NHWC", 0},
    {"y", BYTES, true, "NPQC", BIT(HOIST_POOL_LOW) | BIT(HOIST_POOL_HIGH)},
};
static const hoist_compute_operand_def softmax_operands[] = {
    {"x", BYTES, true, "*", 0}, {"y", BYTES, true, "*", 0}};
static const hoist_compute_operand_def logistic_operands[] = {
    {"x", BYTES, true, "*", BIT(HOIST_LOGISTIC_ZERO_IN)}, {"y", BYTES, true, "*", 0}};
static const hoist_compute_operand_def resize_operands[] = {
    {"x", BYTES, true, "NHWC", 0}, {"y", BYTES, true, "NPQC", 0}};
static const hoist_compute_operand_def mean_operands[] = {
    {"x", BYTES, true, "NHWC", BIT(HOIST_MEAN_ZERO_IN)},
    {"y", BYTES, true, "N11C", BIT(HOIST_MEAN_ZERO_OUT)},
};
static const hoist_compute_operand_def requantize_operands[] = {
    {"x", INTEGERS, false, "*", BIT(HOIST_MEAN_ZERO_IN)},
    {"y", INTEGERS, false, "*", BIT(HOIST_MEAN_ZERO_OUT)},
};
static const hoist_compute_operand_def quantize_operands[] = {
    {"x", TYPE(F32), false, "*", 0}, {"y", INTEGERS, false, "*", BIT(HOIST_QUANT_ZERO)}};
static const hoist_compute_operand_def dequantize_operands[] = {
    {"x", INTEGERS, false, "*", BIT(HOIST_QUANT_ZERO)}, {"y", TYPE(F32), false, "*", 0}};
static const hoist_compute_operand_def rescale_operands[] = {
    {"x", TYPE(U8), false, "*", BIT(HOIST_RESCALE_ZERO_IN)},
    {"y", TYPE(U8), false, "*", BIT(HOIST_RESCALE_ZERO_OUT)},
};
// clang-format on

// The table -------------------------------------------------------------------------------------

#define ROW(text, who, inputs, each, fails, list, wanted, rule)                                    \
    {                                                                                              \
        .name = (text), .profile = HOIST_PROFILE_##who, .min_inputs = (inputs),                    \
        .max_inputs = (inputs), .tilewise = (each), .may_fail = (fails), .attrs = (list),          \
        .attr_count = COUNT(list), .operands = (wanted), .fit = (rule)                             \
    }
#define AT(op) [HOIST_##op - HOIST_QUANT_FIRST]

// clang-format off
const hoist_compute_def hoist_quant_rows[HOIST_PLAIN_FIRST - HOIST_QUANT_FIRST] = {
    AT(TFLITE_CONV)            = ROW("conv", TFLITE, 4, false, true, conv_attrs, conv_operands, hoist_fit_conv),
    AT(TFLITE_DEPTHWISE)       = ROW("depthwise", TFLITE, 4, false, true, conv_attrs, depthwise_operands, hoist_fit_depthwise),
    AT(TFLITE_DENSE)           = ROW("dense", TFLITE, 4, false, true, dense_attrs, dense_operands, hoist_fit_dense),
    AT(TFLITE_ADD)             = ROW("add", TFLITE, 2, true, false, sum_attrs, sum_operands, hoist_fit_sum),
    AT(TFLITE_SUBTRACT)        = ROW("subtract", TFLITE, 2, true, false, sum_attrs, sum_operands, hoist_fit_sum),
    AT(TFLITE_MULTIPLY)        = ROW("multiply", TFLITE, 2, true, false, multiply_attrs, multiply_operands, hoist_fit_multiply),
    AT(TFLITE_AVERAGE_POOL)    = ROW("average_pool", TFLITE, 1, false, false, pool_attrs, pool_operands, hoist_fit_pool),
    AT(TFLITE_MAX_POOL)        = ROW("max_pool", TFLITE, 1, false, false, pool_attrs, pool_operands, hoist_fit_pool),
    AT(TFLITE_SOFTMAX)         = ROW("softmax", TFLITE, 1, false, true, softmax_attrs, softmax_operands, NULL),
    AT(TFLITE_LOGISTIC)        = ROW("logistic", TFLITE, 1, true, false, logistic_attrs, logistic_operands, NULL),
    AT(TFLITE_TANH)            = ROW("tanh", TFLITE, 1, true, false, logistic_attrs, logistic_operands, NULL),
    AT(TFLITE_RESIZE_BILINEAR) = ROW("resize_bilinear", TFLITE, 1, false, false, resize_attrs, resize_operands, hoist_fit_resize),
    AT(TFLITE_MEAN)            = ROW("mean", TFLITE, 1, false, false, mean_attrs, mean_operands, hoist_fit_mean),
    AT(TFLITE_REQUANTIZE)      = ROW("requantize", TFLITE, 1, true, false, mean_attrs, requantize_operands, NULL),
    AT(TFLITE_QUANTIZE)        = ROW("quantize", TFLITE, 1, true, false, quantize_attrs, quantize_operands, hoist_fit_scale),
    AT(TFLITE_DEQUANTIZE)      = ROW("dequantize", TFLITE, 1, true, false, quantize_attrs, dequantize_operands, hoist_fit_scale),
    AT(TFLITE_RESCALE)         = ROW("rescale", TFLITE, 1, true, false, rescale_attrs, rescale_operands, hoist_fit_scale),
    AT(TFLITE_WEIGHTED_SUM)    = ROW("weighted_sum", TFLITE, 2, true, false, weighted_attrs, weighted_operands, hoist_fit_weighted),
    AT(EDGETPU_CONV)           = ROW("conv", EDGETPU, 4, false, true, conv_real_attrs, conv_real_operands, hoist_fit_conv_real),
    AT(EDGETPU_DEPTHWISE)      = ROW("depthwise", EDGETPU, 4, false, true, conv_real_attrs, depthwise_real_operands, hoist_fit_depthwise_real),
    AT(EDGETPU_DENSE)          = ROW("dense", EDGETPU, 4, false, true, dense_real_attrs, dense_real_operands, hoist_fit_dense_real),
    AT(EDGETPU_MULTIPLY)       = ROW("multiply", EDGETPU, 2, true, false, multiply_real_attrs, multiply_real_operands, hoist_fit_multiply_real),
    AT(EDGETPU_WEIGHTED_SUM)   = ROW("weighted_sum", EDGETPU, 2, true, false, weighted_real_attrs, weighted_real_operands, hoist_fit_weighted_real),
};
// clang-format on
