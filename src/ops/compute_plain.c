// ops/compute_plain.c - the table of plain numbers, choices and lookups.
#include "ops/compute_plain.h"

#include "ops/compute_quant.h"
#include "ops/compute_quant_fit.h"

#define COUNT(array) (uint8_t)(sizeof(array) / sizeof *(array))
#define BIT(index) (uint16_t)(1U << (index))
#define TYPE(name) (UINT64_C(1) << HOIST_DTYPE_##name)
#define BYTES (TYPE(U8) | TYPE(I8))
#define WHOLE (BYTES | TYPE(I16) | TYPE(I32))
#define INDICES (TYPE(I32) | TYPE(I64))
#define ANY (WHOLE | TYPE(I64) | TYPE(F32) | TYPE(BOOL))

// Attributes ------------------------------------------------------------------------------------

// clang-format off
static const hoist_compute_attr_def real_attrs[] = {
    [HOIST_PLAIN_LOW]  = {"low", HOIST_COMPUTE_FLOAT, 0, 0},
    [HOIST_PLAIN_HIGH] = {"high", HOIST_COMPUTE_FLOAT, 0, 0},
};
static const hoist_compute_attr_def whole_attrs[] = {
    [HOIST_PLAIN_LOW]  = {"low", HOIST_COMPUTE_INT, INT32_MIN, INT32_MAX},
    [HOIST_PLAIN_HIGH] = {"high", HOIST_COMPUTE_INT, INT32_MIN, INT32_MAX},
};
static const hoist_compute_attr_def swish_attrs[] = {
    [HOIST_SWISH_ZERO_IN]    = {"zero_in", HOIST_COMPUTE_INT, INT8_MIN, UINT8_MAX},
    [HOIST_SWISH_ZERO_OUT]   = {"zero_out", HOIST_COMPUTE_INT, INT8_MIN, UINT8_MAX},
    [HOIST_SWISH_MULTIPLIER] = {"multiplier", HOIST_COMPUTE_INT, 0, INT16_MAX},
    [HOIST_SWISH_SHIFT]      = {"shift", HOIST_COMPUTE_INT, -15, 0},
    [HOIST_SWISH_RAMP]       = {"ramp", HOIST_COMPUTE_INT, 0, INT16_MAX},
    [HOIST_SWISH_RAMP_SHIFT] = {"ramp_shift", HOIST_COMPUTE_INT, -15, 30},
};
static const hoist_compute_attr_def resize_attrs[] = {
    [HOIST_RESIZE_ALIGN_CORNERS] = {"align_corners", HOIST_COMPUTE_INT, 0, 1},
    [HOIST_RESIZE_HALF_PIXEL]    = {"half_pixel_centers", HOIST_COMPUTE_INT, 0, 1},
};

// Operands --------------------------------------------------------------------------------------

static const hoist_compute_operand_def choice_operands[] = {
    {"a", WHOLE | TYPE(F32), true, "*", 0},
    {"b", WHOLE | TYPE(F32), true, "*", 0},
    {"y", WHOLE | TYPE(F32), true, "*", 0},
};
static const hoist_compute_operand_def real_operands[] = {
    {"a", TYPE(F32), false, "*", 0}, {"b", TYPE(F32), false, "*", 0}, {"y", TYPE(F32), false, "*", 0}};
static const hoist_compute_operand_def root_operands[] = {
    {"x", TYPE(F32), false, "*", 0}, {"y", TYPE(F32), false, "*", 0}};
static const hoist_compute_operand_def whole_operands[] = {
    {"a", TYPE(I32), false, "*", 0}, {"b", TYPE(I32), false, "*", 0}, {"y", TYPE(I32), false, "*", 0}};
static const hoist_compute_operand_def cast_operands[] = {
    {"x", ANY, false, "*", 0}, {"y", ANY, false, "*", 0}};
static const hoist_compute_operand_def swish_operands[] = {
    {"x", BYTES, true, "*", BIT(HOIST_SWISH_ZERO_IN)},
    {"y", BYTES, true, "*", BIT(HOIST_SWISH_ZERO_OUT)},
};
static const hoist_compute_operand_def arg_operands[] = {
    {"x", WHOLE | TYPE(F32), false, "AMB", 0}, {"y", INDICES, false, "AB", 0}};
static const hoist_compute_operand_def gather_operands[] = {
    {"x", ANY, true, "AMB", 0}, {"indices", INDICES, false, "I", 0}, {"y", ANY, true, "AIB", 0}};
static const hoist_compute_operand_def gather_nd_operands[] = {
    {"x", ANY, true, "ABCDE", 0}, {"indices", INDICES, false, "RK", 0}, {"y", ANY, true, "RE", 0}};
static const hoist_compute_operand_def nearest_operands[] = {
    {"x", ANY, true, "NHWC", 0}, {"y", ANY, true, "NPQC", 0}};
static const hoist_compute_operand_def bilinear_operands[] = {
    {"x", TYPE(F32), false, "NHWC", 0}, {"y", TYPE(F32), false, "NPQC", 0}};
// clang-format on

// Rules -----------------------------------------------------------------------------------------

static const char *fit_real(const hoist_compute_attrs *attrs, const hoist_compute_operand *operands,
                            const hoist_compute_extents *e)
{
    (void)operands;
    (void)e;
    return attrs->value[HOIST_PLAIN_LOW].number <= attrs->value[HOIST_PLAIN_HIGH].number
               ? NULL
               : "low no greater than high";
}

static const char *fit_whole(const hoist_compute_attrs *attrs,
                             const hoist_compute_operand *operands, const hoist_compute_extents *e)
{
    (void)operands;
    (void)e;
    return attrs->value[HOIST_PLAIN_LOW].integer <= attrs->value[HOIST_PLAIN_HIGH].integer
               ? NULL
               : "low no greater than high";
}

// Dimensions that no index is for have one element.
static const char *fit_indices(const hoist_compute_attrs *attrs,
                               const hoist_compute_operand *operands,
                               const hoist_compute_extents *e)
{
    (void)attrs;
    const int64_t count = e->of['K' - 'A'];
    if (count > HOIST_GATHER_MAX_INDICES) {
        return "at most 4 indices for a row";
    }
    for (int i = 0; i < HOIST_GATHER_MAX_INDICES - (int)count; i++) {
        if (operands[0].shape.dim[i] != 1) {
            return "one element in dimensions that have no index";
        }
    }
    return NULL;
}

// The table -------------------------------------------------------------------------------------

#define BARE(text, inputs, each, fails, wanted, rule)                                              \
    {                                                                                              \
        .name = (text), .profile = HOIST_PROFILE_TFLITE, .min_inputs = (inputs),                   \
        .max_inputs = (inputs), .tilewise = (each), .may_fail = (fails), .operands = (wanted),     \
        .fit = (rule)                                                                              \
    }
#define ROW(text, inputs, each, list, wanted, rule)                                                \
    {                                                                                              \
        .name = (text), .profile = HOIST_PROFILE_TFLITE, .min_inputs = (inputs),                   \
        .max_inputs = (inputs), .tilewise = (each), .attrs = (list), .attr_count = COUNT(list),    \
        .operands = (wanted), .fit = (rule)                                                        \
    }
#define AT(op) [HOIST_TFLITE_##op - HOIST_PLAIN_FIRST]

// clang-format off
const hoist_compute_def hoist_plain_rows[HOIST_COMPUTE_COUNT - HOIST_PLAIN_FIRST] = {
    AT(MAXIMUM)              = BARE("maximum", 2, true, false, choice_operands, NULL),
    AT(MINIMUM)              = BARE("minimum", 2, true, false, choice_operands, NULL),
    AT(REAL_ADD)             = ROW("real_add", 2, true, real_attrs, real_operands, fit_real),
    AT(REAL_SUBTRACT)        = ROW("real_subtract", 2, true, real_attrs, real_operands, fit_real),
    AT(REAL_MULTIPLY)        = ROW("real_multiply", 2, true, real_attrs, real_operands, fit_real),
    AT(REAL_DIVIDE)          = ROW("real_divide", 2, true, real_attrs, real_operands, fit_real),
    AT(REAL_SQUARE_ROOT)     = BARE("real_square_root", 1, true, false, root_operands, NULL),
    AT(WHOLE_ADD)            = ROW("whole_add", 2, true, whole_attrs, whole_operands, fit_whole),
    AT(WHOLE_SUBTRACT)       = ROW("whole_subtract", 2, true, whole_attrs, whole_operands, fit_whole),
    AT(WHOLE_MULTIPLY)       = ROW("whole_multiply", 2, true, whole_attrs, whole_operands, fit_whole),
    AT(FLOOR_DIVIDE)         = BARE("floor_divide", 2, true, true, whole_operands, NULL),
    AT(CAST)                 = BARE("cast", 1, true, false, cast_operands, NULL),
    AT(HARD_SWISH)           = ROW("hard_swish", 1, true, swish_attrs, swish_operands, NULL),
    AT(ARG_MAX)              = BARE("arg_max", 1, false, false, arg_operands, NULL),
    AT(ARG_MIN)              = BARE("arg_min", 1, false, false, arg_operands, NULL),
    AT(GATHER)               = BARE("gather", 2, false, true, gather_operands, NULL),
    AT(GATHER_ND)            = BARE("gather_nd", 2, false, true, gather_nd_operands, fit_indices),
    AT(RESIZE_NEAREST)       = ROW("resize_nearest", 1, false, resize_attrs, nearest_operands, hoist_fit_nearest),
    AT(REAL_RESIZE_BILINEAR) = ROW("real_resize_bilinear", 1, false, resize_attrs, bilinear_operands, hoist_fit_resize),
};
// clang-format on
