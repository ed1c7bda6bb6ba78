// The rows of tflite on plain numbers, choices and lookups: functions, types and shapes as
// TensorFlow Lite's reference kernels have them. Shapes are patterns of letters: equal letters are
// equal extents. kernels/plain_numbers.c and plain_lookup.c compute them.
#include "ops/compute_plain.h"

#include "ops/compute_quant.h"
#include "ops/compute_quant_fit.h"
#include "ops/compute_rows.h"

#define INDICES (TYPE(I32) | TYPE(I64))
#define CHOICES (INT32S | TYPE(F32))
#define ANY (CHOICES | TYPE(I64) | TYPE(BOOL))

// Attributes ------------------------------------------------------------------------------------

// clang-format off
static const hoist_compute_attr_def f32_attrs[] = {
    [HOIST_PLAIN_LOW]  = FLOAT("low"),
    [HOIST_PLAIN_HIGH] = FLOAT("high"),
};
static const hoist_compute_attr_def i32_attrs[] = {
    [HOIST_PLAIN_LOW]  = INT("low", INT32_MIN, INT32_MAX),
    [HOIST_PLAIN_HIGH] = INT("high", INT32_MIN, INT32_MAX),
};
static const hoist_compute_attr_def swish_attrs[] = {
    [HOIST_SWISH_ZERO_IN]    = INT("zero_in", INT8_MIN, UINT8_MAX),
    [HOIST_SWISH_ZERO_OUT]   = INT("zero_out", INT8_MIN, UINT8_MAX),
    [HOIST_SWISH_MULTIPLIER] = INT("multiplier", 0, INT16_MAX),
    [HOIST_SWISH_SHIFT]      = INT("shift", -15, 0),
    [HOIST_SWISH_RAMP]       = INT("ramp", 0, INT16_MAX),
    [HOIST_SWISH_RAMP_SHIFT] = INT("ramp_shift", -15, 30),
};
static const hoist_compute_attr_def resize_attrs[] = {RESIZE_ATTRS};
static const hoist_compute_attr_def conv_attrs[] = {
    WINDOW_ATTRS,
    [HOIST_CONV_F32_LOW]    = FLOAT("low"),
    [HOIST_CONV_F32_HIGH]   = FLOAT("high"),
};
static const hoist_compute_attr_def pool_attrs[] = {POOL_ATTRS(FLOAT)};
static const hoist_compute_attr_def softmax_attrs[] = {
    [HOIST_SOFTMAX_F32_BETA] = FLOAT("beta"),
};

static const hoist_compute_attr_def detections_attrs[] = {
    [HOIST_DETECTIONS_MOST]      = INT("most", 1, INT16_MAX),
    [HOIST_DETECTIONS_EACH]      = INT("each", 1, INT16_MAX),
    [HOIST_DETECTIONS_CLASSES]   = INT("classes", 1, BIG),
    [HOIST_DETECTIONS_PER_CLASS] = INT("per_class", 1, BIG),
    [HOIST_DETECTIONS_REGULAR]   = INT("regular", 0, 1),
    [HOIST_DETECTIONS_SCORE]     = FLOAT("score"),
    [HOIST_DETECTIONS_OVERLAP]   = FLOAT("overlap"),
    [HOIST_DETECTIONS_Y_SCALE]   = FLOAT("y_scale"),
    [HOIST_DETECTIONS_X_SCALE]   = FLOAT("x_scale"),
    [HOIST_DETECTIONS_H_SCALE]   = FLOAT("h_scale"),
    [HOIST_DETECTIONS_W_SCALE]   = FLOAT("w_scale"),
};
static const hoist_compute_attr_def pose_roots_attrs[] = {
    [HOIST_POSE_ROOTS_SCORE] = FLOAT("score"),
};
static const hoist_compute_attr_def poses_attrs[] = {
    [HOIST_POSES_MOST]   = INT("most", 1, HOIST_POSES_LIMIT),
    [HOIST_POSES_SCORE]  = FLOAT("score"),
    [HOIST_POSES_STRIDE] = INT("stride", 1, INT16_MAX),
    [HOIST_POSES_RADIUS] = FLOAT("radius"),
};
static const hoist_compute_attr_def pose_masks_attrs[] = {
    [HOIST_POSE_MASKS_STRIDE] = INT("stride", 1, INT16_MAX),
};

// Operands --------------------------------------------------------------------------------------

static const hoist_compute_operand_def choice_operands[] = {
    ALIKE("a", CHOICES, "s"),
    ALIKE("b", CHOICES, "s"),
    ALIKE("y", CHOICES, "s"),
};
static const hoist_compute_operand_def f32_operands[] = {
    OPERAND("a", TYPE(F32), "s"), OPERAND("b", TYPE(F32), "s"), OPERAND("y", TYPE(F32), "s")};
static const hoist_compute_operand_def root_operands[] = {
    OPERAND("x", TYPE(F32), "s"), OPERAND("y", TYPE(F32), "s")};
static const hoist_compute_operand_def i32_operands[] = {
    OPERAND("a", TYPE(I32), "s"), OPERAND("b", TYPE(I32), "s"), OPERAND("y", TYPE(I32), "s")};
static const hoist_compute_operand_def cast_operands[] = {
    OPERAND("x", ANY, "s"), OPERAND("y", ANY, "s")};
static const hoist_compute_operand_def swish_operands[] = {
    {"x", INT8S, true, "s", BIT(HOIST_SWISH_ZERO_IN), 0},
    {"y", INT8S, true, "s", BIT(HOIST_SWISH_ZERO_OUT), 0},
};
static const hoist_compute_operand_def arg_operands[] = {
    OPERAND("x", CHOICES, "AMB"), OPERAND("y", INDICES, "AB")};
static const hoist_compute_operand_def gather_operands[] = {
    ALIKE("x", ANY, "AMB"), OPERAND("indices", INDICES, "I"), ALIKE("y", ANY, "AIB")};
static const hoist_compute_operand_def gather_nd_operands[] = {
    ALIKE("x", ANY, "ABCDE"), OPERAND("indices", INDICES, "RK"), ALIKE("y", ANY, "RE")};
static const hoist_compute_operand_def nearest_operands[] = {
    ALIKE("x", ANY, "NHWC"), ALIKE("y", ANY, "NPQC")};
static const hoist_compute_operand_def bilinear_operands[] = {
    OPERAND("x", TYPE(F32), "NHWC"), OPERAND("y", TYPE(F32), "NPQC")};
#define REAL(text, dims) OPERAND(text, TYPE(F32), dims)
static const hoist_compute_operand_def conv_operands[] = {
    REAL("x", "NHWC"), REAL("weights", "OKLI"), REAL("bias", "O"), REAL("y", "NPQO")};
static const hoist_compute_operand_def transpose_operands[] = {
    REAL("x", "NHWI"), REAL("weights", "OKLI"), REAL("bias", "O"), REAL("y", "NPQO")};
static const hoist_compute_operand_def depthwise_operands[] = {
    REAL("x", "NHWC"), REAL("weights", "1KLO"), REAL("bias", "O"), REAL("y", "NPQO")};
static const hoist_compute_operand_def dense_operands[] = {
    REAL("x", "BI"), REAL("weights", "OI"), REAL("bias", "O"), REAL("y", "BO")};
static const hoist_compute_operand_def pool_operands[] = {REAL("x", "NHWC"), REAL("y", "NPQC")};
static const hoist_compute_operand_def detections_operands[] = {
    REAL("boxes", "BE"), REAL("scores", "BC"), REAL("anchors", "B4"), REAL("y", "R6")};
static const hoist_compute_operand_def pose_roots_operands[] = {
    REAL("scores", "HWK"), OPERAND("y", TYPE(I32), "N")};
static const hoist_compute_operand_def poses_operands[] = {
    OPERAND("roots", TYPE(I32), "N"), REAL("scores", "HWK"), REAL("shorts", "HWS"),
    REAL("mids", "HWM"), REAL("y", "RC")};
static const hoist_compute_operand_def pose_masks_operands[] = {
    REAL("poses", "RC"), REAL("longs", "HWS"), REAL("y", "PN")};
// clang-format on

// Rules -----------------------------------------------------------------------------------------

static const char *check_limits(const hoist_compute_case *c)
{
    const hoist_compute_value low = c->attrs->value[HOIST_PLAIN_LOW];
    const hoist_compute_value high = c->attrs->value[HOIST_PLAIN_HIGH];
    const bool floats = c->def->attrs[HOIST_PLAIN_LOW].kind == HOIST_COMPUTE_FLOAT;
    return (floats ? low.number <= high.number : low.integer <= high.integer)
               ? NULL
               : "low no greater than high";
}

// Dimensions that no index is for have one element.
static const char *check_indices(const hoist_compute_case *c)
{
    const int64_t count = hoist_case_extent(c, 'K');
    if (count > HOIST_GATHER_MAX_INDICES) {
        return "at most 4 indices for a row";
    }
    for (int i = 0; i < HOIST_GATHER_MAX_INDICES - (int)count; i++) {
        if (c->operands[0].shape.dim[i] != 1) {
            return "one element in dimensions that have no index";
        }
    }
    return NULL;
}

static const char *derive_detections(hoist_compute_case *c)
{
    c->extent['R' - 'A'] = hoist_case_integer(c, HOIST_DETECTIONS_MOST) *
                               hoist_case_integer(c, HOIST_DETECTIONS_EACH) +
                           1;
    return NULL;
}

// All boxes are looked at for each one that is taken; a run has to notice when its time is over.
static const char *check_detections(const hoist_compute_case *c)
{
    const int64_t boxes = hoist_case_extent(c, 'B');
    const int64_t columns = hoist_case_extent(c, 'C');
    const int64_t background = columns - hoist_case_integer(c, HOIST_DETECTIONS_CLASSES);
    if (hoist_case_extent(c, 'E') < 4) {
        return "boxes of 4 numbers or more";
    }
    if (background < 0 || background > 1) {
        return "scores of its classes, and of the background or not";
    }
    return boxes <= INT32_MAX / 2 / columns && boxes * columns <= (INT64_C(1) << 34) / boxes
               ? NULL
               : "at most 2^34 scores to be compared";
}

// A run has to notice when its time is over: of roots, and of their distances to poses.
#define MOST_ROOTS (INT64_C(1) << 20)

static const char *derive_roots(hoist_compute_case *c)
{
    const int64_t width = hoist_case_extent(c, 'W');
    const int64_t keypoints = hoist_case_extent(c, 'K');
    if (width > MOST_ROOTS / keypoints ||
        hoist_case_extent(c, 'H') > MOST_ROOTS / (width * keypoints)) {
        return "at most 2^20 scores";
    }
    c->extent['N' - 'A'] = hoist_case_extent(c, 'H') * width * keypoints;
    return NULL;
}

static const char *derive_poses(hoist_compute_case *c)
{
    c->extent['R' - 'A'] = hoist_case_integer(c, HOIST_POSES_MOST) + 1;
    c->extent['C' - 'A'] = HOIST_POSE_COLUMNS;
    return NULL;
}

static const char *check_poses(const hoist_compute_case *c)
{
    const int64_t places = hoist_case_extent(c, 'N') / HOIST_POSE_KEYPOINTS;
    if (hoist_case_extent(c, 'K') != HOIST_POSE_KEYPOINTS ||
        hoist_case_extent(c, 'S') != 2 * HOIST_POSE_KEYPOINTS ||
        hoist_case_extent(c, 'M') != 4 * HOIST_POSE_EDGES) {
        return "17 scores, 34 short and 64 middle offsets";
    }
    return hoist_case_extent(c, 'N') <= MOST_ROOTS &&
                   hoist_case_extent(c, 'N') % HOIST_POSE_KEYPOINTS == 0 &&
                   places / hoist_case_extent(c, 'H') == hoist_case_extent(c, 'W') &&
                   places % hoist_case_extent(c, 'H') == 0
               ? NULL
               : "a root for each score";
}

static const char *derive_masks(hoist_compute_case *c)
{
    c->extent['P' - 'A'] = hoist_case_extent(c, 'R') - 1;
    return NULL;
}

static const char *check_masks(const hoist_compute_case *c)
{
    const int64_t height = hoist_case_extent(c, 'H');
    const int64_t width = hoist_case_extent(c, 'W');
    const int64_t poses = hoist_case_extent(c, 'P');
    const int64_t most = MOST_ROOTS / HOIST_POSE_KEYPOINTS;
    if (hoist_case_extent(c, 'C') != HOIST_POSE_COLUMNS ||
        hoist_case_extent(c, 'S') != 2 * HOIST_POSE_KEYPOINTS) {
        return "poses of 52 numbers, and 34 long offsets";
    }
    if (poses < 1 || poses > HOIST_POSES_LIMIT || width > most / height) {
        return "1 to 1024 poses and at most 61680 places";
    }
    const int64_t last = ((poses - 1) * width + height - 1) * height + width - 1;
    return last / poses < hoist_case_extent(c, 'N') ? NULL : "masks that all places are in";
}

// The table -------------------------------------------------------------------------------------

#define EACH(text, list, ...) ROW(TFLITE, text, list, .tilewise = true, __VA_ARGS__)
#define AT(op) [HOIST_TFLITE_##op - HOIST_PLAIN_FIRST]

// Softmax: maximum, difference, product with beta, exp, sum, quotient. Bilinear: four products and
// three sums. Hard swish: sum, two limits, two products.
// clang-format off
const hoist_compute_def hoist_plain_rows[HOIST_ARK_FIRST - HOIST_PLAIN_FIRST] = {
    AT(MAXIMUM)             = ROW(TFLITE, "maximum", choice_operands, .tilewise = true, FLOPS(OUTPUT, 1)),
    AT(MINIMUM)             = ROW(TFLITE, "minimum", choice_operands, .tilewise = true, FLOPS(OUTPUT, 1)),
    AT(ADD_F32)             = EACH("add_f32", f32_operands, ATTRS(f32_attrs), .rule = check_limits, FLOPS_LIMITED(OUTPUT, 1, HOIST_PLAIN_LOW)),
    AT(SUBTRACT_F32)        = EACH("subtract_f32", f32_operands, ATTRS(f32_attrs), .rule = check_limits, FLOPS_LIMITED(OUTPUT, 1, HOIST_PLAIN_LOW)),
    AT(MULTIPLY_F32)        = EACH("multiply_f32", f32_operands, ATTRS(f32_attrs), .rule = check_limits, FLOPS_LIMITED(OUTPUT, 1, HOIST_PLAIN_LOW)),
    AT(DIVIDE_F32)          = EACH("divide_f32", f32_operands, ATTRS(f32_attrs), .rule = check_limits, FLOPS_LIMITED(OUTPUT, 1, HOIST_PLAIN_LOW)),
    AT(SQRT_F32)            = ROW(TFLITE, "sqrt_f32", root_operands, .tilewise = true, FLOPS(OUTPUT, 1)),
    AT(ADD_I32)             = EACH("add_i32", i32_operands, ATTRS(i32_attrs), .rule = check_limits, FLOPS(OUTPUT, 1)),
    AT(SUBTRACT_I32)        = EACH("subtract_i32", i32_operands, ATTRS(i32_attrs), .rule = check_limits, FLOPS(OUTPUT, 1)),
    AT(MULTIPLY_I32)        = EACH("multiply_i32", i32_operands, ATTRS(i32_attrs), .rule = check_limits, FLOPS(OUTPUT, 1)),
    AT(FLOOR_DIVIDE_I32)    = ROW(TFLITE, "floor_divide_i32", i32_operands, .tilewise = true, FLOPS(OUTPUT, 1)),
    AT(FLOOR_MOD_I32)       = ROW(TFLITE, "floor_mod_i32", i32_operands, .tilewise = true, FLOPS(OUTPUT, 1)),
    AT(SAME_I32)            = ROW(TFLITE, "same_i32", i32_operands, .tilewise = true),
    AT(CAST)                = ROW(TFLITE, "cast", cast_operands, .tilewise = true),
    AT(HARD_SWISH)          = EACH("hard_swish", swish_operands, ATTRS(swish_attrs), FLOPS(OUTPUT, 5)),
    AT(ARG_MAX)             = ROW(TFLITE, "arg_max", arg_operands, .rule = NULL, FLOPS(INPUT, 1)),
    AT(ARG_MIN)             = ROW(TFLITE, "arg_min", arg_operands, .rule = NULL, FLOPS(INPUT, 1)),
    AT(GATHER)              = ROW(TFLITE, "gather", gather_operands, .rule = NULL),
    AT(GATHER_ND)           = ROW(TFLITE, "gather_nd", gather_nd_operands, .rule = check_indices),
    AT(RESIZE_NEAREST)      = ROW(TFLITE, "resize_nearest", nearest_operands, ATTRS(resize_attrs), .rule = hoist_rule_nearest),
    AT(RESIZE_BILINEAR_F32) = ROW(TFLITE, "resize_bilinear_f32", bilinear_operands, ATTRS(resize_attrs), .rule = hoist_rule_resize, FLOPS(OUTPUT, 7)),
    AT(CONV_F32)            = ROW(TFLITE, "conv_f32", conv_operands, ATTRS(conv_attrs), .rule = hoist_rule_conv, FLOPS_LIMITED(WEIGHTS, 2, HOIST_CONV_F32_LOW)),
    AT(DEPTHWISE_F32)       = ROW(TFLITE, "depthwise_f32", depthwise_operands, ATTRS(conv_attrs), .rule = hoist_rule_depthwise, FLOPS_LIMITED(DEPTHWISE, 2, HOIST_CONV_F32_LOW)),
    AT(DENSE_F32)           = ROW(TFLITE, "dense_f32", dense_operands, ATTRS(f32_attrs), .rule = check_limits, FLOPS_LIMITED(WEIGHTS, 2, HOIST_PLAIN_LOW)),
    AT(AVERAGE_POOL_F32)    = ROW(TFLITE, "average_pool_f32", pool_operands, ATTRS(pool_attrs), .rule = hoist_rule_pool, FLOPS_LIMITED(WINDOW, 1, HOIST_POOL_LOW)),
    AT(MAX_POOL_F32)        = ROW(TFLITE, "max_pool_f32", pool_operands, ATTRS(pool_attrs), .rule = hoist_rule_pool, FLOPS_LIMITED(WINDOW, 1, HOIST_POOL_LOW)),
    AT(SOFTMAX_F32)         = ROW(TFLITE, "softmax_f32", root_operands, ATTRS(softmax_attrs), FLOPS(OUTPUT, 6)),
    AT(LOGISTIC_F32)        = ROW(TFLITE, "logistic_f32", root_operands, .tilewise = true, FLOPS(OUTPUT, 1)),
    AT(TANH_F32)            = ROW(TFLITE, "tanh_f32", root_operands, .tilewise = true, FLOPS(OUTPUT, 1)),
    AT(PRELU_F32)           = ROW(TFLITE, "prelu_f32", f32_operands, .tilewise = true, FLOPS(OUTPUT, 1)),
    AT(TRANSPOSE_CONV_F32)  = ROW(TFLITE, "transpose_conv_f32", transpose_operands, ATTRS(conv_attrs), .rule = hoist_rule_transpose, FLOPS_LIMITED(SCATTERED, 2, HOIST_CONV_F32_LOW)),
    AT(DETECTIONS_F32)      = ROW(TFLITE, "detections_f32", detections_operands, ATTRS(detections_attrs), .derive = derive_detections, .rule = check_detections),
    AT(POSE_ROOTS_F32)      = ROW(TFLITE, "pose_roots_f32", pose_roots_operands, ATTRS(pose_roots_attrs), .derive = derive_roots),
    AT(POSES_F32)           = ROW(TFLITE, "poses_f32", poses_operands, ATTRS(poses_attrs), .derive = derive_poses, .rule = check_poses),
    AT(POSE_MASKS_F32)      = ROW(TFLITE, "pose_masks_f32", pose_masks_operands, ATTRS(pose_masks_attrs), .derive = derive_masks, .rule = check_masks),
};
// clang-format on
