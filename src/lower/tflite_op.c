// The kinds of operators, and those that work on numbers one by one or on all of them.
#include <inttypes.h>
#include <math.h>
#include <stddef.h>

#include "base/span.h"
#include "lower/tflite_lower.h"

bool hoist_tflite_unary(hoist_tflite_job *j, const hoist_tflite_op *op,
                        hoist_quant_unary *out_layer)
{
    const hoist_tflite_value *x = hoist_tflite_input(j, op, 0);
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    if (!x || !y) {
        return false;
    }
    *out_layer = (hoist_quant_unary){x->view, y->view};
    return true;
}

bool hoist_tflite_scales(hoist_tflite_job *j, const hoist_tflite_op *op, float *out_x, float *out_y)
{
    return hoist_tflite_scale(j, op, hoist_tflite_input(j, op, 0), out_x) &&
           hoist_tflite_scale(j, op, hoist_tflite_output(j, op, 0), out_y);
}

static bool is_real(const hoist_quant_view *view)
{
    return view->dtype == HOIST_DTYPE_F32;
}

// Limits ----------------------------------------------------------------------------------------

// Steps from the zero point to the real number, as the reference has it: in float32, half away from
// zero (kernels reference, section 3).
static double steps_to(float number, float scale)
{
    return (double)roundf(number / scale);
}

bool hoist_tflite_range(hoist_tflite_job *j, const hoist_tflite_op *op, int8_t activation,
                        hoist_tflite_reals *out_range)
{
    static const hoist_tflite_reals ranges[] = {
        [TFLITE_ACTIVATION_NONE] = {-INFINITY, INFINITY},
        [TFLITE_ACTIVATION_RELU] = {0, INFINITY},
        [TFLITE_ACTIVATION_RELU_N1_TO_1] = {-1, 1},
        [TFLITE_ACTIVATION_RELU6] = {0, 6},
    };
    if (activation < 0 || (size_t)activation >= HOIST_COUNT_OF(ranges)) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s): activation %d, wanted none or a relu",
                            op->index, HOIST_STR_ARGS(op->name), (int)activation);
        return false;
    }
    *out_range = ranges[activation];
    return true;
}

bool hoist_tflite_limits(hoist_tflite_job *j, const hoist_tflite_op *op, int8_t activation,
                         const hoist_tflite_value *y, hoist_quant_limits *out_limits)
{
    hoist_tflite_reals range;
    float scale = 0;
    *out_limits = hoist_quant_all(&y->view);
    if (!hoist_tflite_range(j, op, activation, &range)) {
        return false;
    }
    if (activation == TFLITE_ACTIVATION_NONE) {
        return true;
    }
    if (!hoist_tflite_scale(j, op, y, &scale)) {
        return false;
    }
    out_limits->low = fmax(out_limits->low, steps_to(range.from, scale));
    out_limits->high = fmin(out_limits->high, steps_to(range.to, scale));
    return true;
}

// Two inputs ------------------------------------------------------------------------------------

typedef struct pair {
    hoist_quant_pair views;
    float scale_a, scale_b, scale_y;
} pair;

static bool pair_of(hoist_tflite_job *j, const hoist_tflite_op *op, int8_t activation,
                    pair *out_pair)
{
    const hoist_tflite_value *a = hoist_tflite_input(j, op, 0);
    const hoist_tflite_value *b = hoist_tflite_input(j, op, 1);
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    if (!a || !b || !y || !hoist_tflite_scale(j, op, a, &out_pair->scale_a) ||
        !hoist_tflite_scale(j, op, b, &out_pair->scale_b) ||
        !hoist_tflite_scale(j, op, y, &out_pair->scale_y)) {
        return false;
    }
    out_pair->views = (hoist_quant_pair){.a = a->view, .b = b->view, .y = y->view};
    return hoist_tflite_limits(j, op, activation, y, &out_pair->views.limits);
}

static bool is_power_of_two(float scale)
{
    int exponent = 0;
    return frexpf(scale, &exponent) == 0.5F;
}

// The reference adds 16-bit numbers whose scales are powers of two in another way.
static bool only_shifts(const pair *p)
{
    return hoist_dtype_get(p->views.y.dtype)->bits == 16 && p->views.a.zero == 0 &&
           p->views.b.zero == 0 && p->views.y.zero == 0 && is_power_of_two(p->scale_a) &&
           is_power_of_two(p->scale_b) && is_power_of_two(p->scale_y);
}

static void lower_sum(hoist_tflite_job *j, const hoist_tflite_op *op, bool subtracts)
{
    const tflite_add_options *options = op->options;
    pair p;
    if (hoist_tflite_arithmetic(j, op, subtracts ? TFLITE_OP_SUB : TFLITE_OP_ADD,
                                options->fused_activation_function) ||
        !pair_of(j, op, options->fused_activation_function, &p)) {
        return;
    }
    if (options->pot_scale_int16 && only_shifts(&p)) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s): sums of 16-bit numbers whose scales are "
                            "powers of two",
                            op->index, HOIST_STR_ARGS(op->name));
        return;
    }
    const hoist_quant_sum sum = {.pair = p.views,
                                 .subtracts = subtracts,
                                 .scale_a = (double)p.scale_a,
                                 .scale_b = (double)p.scale_b,
                                 .scale_y = (double)p.scale_y};
    hoist_tflite_end(j, op, hoist_quant_add_sum(&j->layers, &sum));
}

static void lower_add(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_sum(j, op, false);
}

static void lower_subtract(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_sum(j, op, true);
}

static void lower_multiply(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_fused_options *options = op->options;
    pair p;
    if (!hoist_tflite_arithmetic(j, op, TFLITE_OP_MUL, options->fused_activation_function) &&
        pair_of(j, op, options->fused_activation_function, &p)) {
        const double factor = (double)p.scale_a * (double)p.scale_b / (double)p.scale_y;
        hoist_tflite_end(j, op, hoist_quant_multiply(&j->layers, &p.views, factor));
    }
}

// One input -------------------------------------------------------------------------------------

// The output's scale and zero point are those that the operator always has: 1/256 or 1/128, and the
// least number or the middle of the type (kernels reference 4.7, 4.8).
static bool has_output(hoist_tflite_job *j, const hoist_tflite_op *op, float scale, bool middle)
{
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    const bool is_signed = y->view.dtype == HOIST_DTYPE_I8;
    const int64_t zero = is_signed ? (middle ? 0 : -128) : (middle ? 128 : 0);
    float found = 0;
    if (!hoist_tflite_scale(j, op, y, &found)) {
        return false;
    }
    if (found != scale || y->view.zero != zero) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s): the output has scale %g and zero point "
                            "%" PRId64 ", wanted %g and %" PRId64,
                            op->index, HOIST_STR_ARGS(op->name), (double)found, y->view.zero,
                            (double)scale, zero);
        return false;
    }
    return true;
}

static void lower_softmax(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_softmax_options *options = op->options;
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (hoist_tflite_unary(j, op, &layer) && hoist_tflite_scales(j, op, &x, &y) &&
        has_output(j, op, 0x1p-8F, false)) {
        hoist_tflite_end(
            j, op, hoist_quant_softmax(&j->layers, &layer, (double)options->beta * (double)x));
    }
}

static void lower_logistic(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (hoist_tflite_unary(j, op, &layer) && hoist_tflite_scales(j, op, &x, &y) &&
        has_output(j, op, 0x1p-8F, false)) {
        hoist_tflite_end(j, op, hoist_quant_logistic(&j->layers, &layer, (double)x));
    }
}

static void lower_tanh(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (hoist_tflite_unary(j, op, &layer) && hoist_tflite_scales(j, op, &x, &y) &&
        has_output(j, op, 0x1p-7F, true)) {
        hoist_tflite_end(j, op, hoist_quant_tanh(&j->layers, &layer, (double)x));
    }
}

// Between float32 and whole numbers, or between two scales.
static void lower_quantize(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (!hoist_tflite_unary(j, op, &layer) ||
        !hoist_tflite_scale(j, op, hoist_tflite_output(j, op, 0), &y)) {
        return;
    }
    if (is_real(&layer.x)) {
        hoist_tflite_end(j, op, hoist_quant_quantize(&j->layers, &layer, y));
    } else if (hoist_tflite_scales(j, op, &x, &y)) {
        hoist_tflite_end(j, op, hoist_quant_requantize(&j->layers, &layer, (double)x / (double)y));
    }
}

static void lower_dequantize(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    if (hoist_tflite_unary(j, op, &layer) &&
        hoist_tflite_scale(j, op, hoist_tflite_input(j, op, 0), &x)) {
        hoist_tflite_end(j, op, hoist_quant_dequantize(&j->layers, &layer, x));
    }
}

static void lower_relu(hoist_tflite_job *j, const hoist_tflite_op *op, int8_t activation)
{
    hoist_quant_unary layer;
    hoist_quant_limits limits;
    float x = 0;
    float y = 0;
    if (hoist_tflite_unary(j, op, &layer) && hoist_tflite_scales(j, op, &x, &y) &&
        hoist_tflite_limits(j, op, activation, hoist_tflite_output(j, op, 0), &limits)) {
        hoist_tflite_end(j, op,
                         hoist_quant_clamp(&j->layers, &layer, (double)x / (double)y, limits));
    }
}

static void lower_plain_relu(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_relu(j, op, TFLITE_ACTIVATION_RELU);
}

static void lower_relu_1(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_relu(j, op, TFLITE_ACTIVATION_RELU_N1_TO_1);
}

static void lower_relu_6(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_relu(j, op, TFLITE_ACTIVATION_RELU6);
}

// The table -------------------------------------------------------------------------------------

// clang-format off
static hoist_tflite_lower_fn *const kinds[TFLITE_OP_COUNT] = {
    [TFLITE_OP_ADD]               = lower_add,
    [TFLITE_OP_AVERAGE_POOL_2D]   = hoist_tflite_average_pool,
    [TFLITE_OP_CONCATENATION]     = hoist_tflite_concatenation,
    [TFLITE_OP_CONV_2D]           = hoist_tflite_conv,
    [TFLITE_OP_DEPTHWISE_CONV_2D] = hoist_tflite_depthwise,
    [TFLITE_OP_DEQUANTIZE]        = lower_dequantize,
    [TFLITE_OP_FULLY_CONNECTED]   = hoist_tflite_dense,
    [TFLITE_OP_LOGISTIC]          = lower_logistic,
    [TFLITE_OP_MAX_POOL_2D]       = hoist_tflite_max_pool,
    [TFLITE_OP_MUL]               = lower_multiply,
    [TFLITE_OP_RELU]              = lower_plain_relu,
    [TFLITE_OP_RELU_N1_TO_1]      = lower_relu_1,
    [TFLITE_OP_RELU6]             = lower_relu_6,
    [TFLITE_OP_RESHAPE]           = hoist_tflite_reshape,
    [TFLITE_OP_RESIZE_BILINEAR]   = hoist_tflite_resize,
    [TFLITE_OP_SOFTMAX]           = lower_softmax,
    [TFLITE_OP_TANH]              = lower_tanh,
    [TFLITE_OP_CUSTOM]            = hoist_tflite_custom,
    [TFLITE_OP_PAD]               = hoist_tflite_pad,
    [TFLITE_OP_TRANSPOSE]         = hoist_tflite_transpose,
    [TFLITE_OP_MEAN]              = hoist_tflite_mean,
    [TFLITE_OP_SUB]               = lower_subtract,
    [TFLITE_OP_SQUEEZE]           = hoist_tflite_reshape,
    [TFLITE_OP_STRIDED_SLICE]     = hoist_tflite_strided_slice,
    [TFLITE_OP_SPLIT]             = hoist_tflite_split,
    [TFLITE_OP_PADV2]             = hoist_tflite_pad_v2,
    [TFLITE_OP_SLICE]             = hoist_tflite_slice,
    [TFLITE_OP_EXPAND_DIMS]       = hoist_tflite_reshape,
    [TFLITE_OP_PACK]              = hoist_tflite_pack,
    [TFLITE_OP_UNPACK]            = hoist_tflite_unpack,
    [TFLITE_OP_GATHER]            = hoist_tflite_gather,
    [TFLITE_OP_DIV]               = hoist_tflite_divide,
    [TFLITE_OP_SPLIT_V]           = hoist_tflite_split_v,
    [TFLITE_OP_CAST]              = hoist_tflite_cast,
    [TFLITE_OP_MAXIMUM]           = hoist_tflite_maximum,
    [TFLITE_OP_ARG_MAX]           = hoist_tflite_arg_max,
    [TFLITE_OP_MINIMUM]           = hoist_tflite_minimum,
    [TFLITE_OP_SQRT]              = hoist_tflite_square_root,
    [TFLITE_OP_ARG_MIN]           = hoist_tflite_arg_min,
    [TFLITE_OP_FLOOR_DIV]         = hoist_tflite_floor_divide,
    [TFLITE_OP_RESIZE_NEAREST_NEIGHBOR] = hoist_tflite_nearest,
    [TFLITE_OP_GATHER_ND]         = hoist_tflite_gather_nd,
    [TFLITE_OP_QUANTIZE]          = lower_quantize,
    [TFLITE_OP_HARD_SWISH]        = hoist_tflite_hard_swish,
};
// clang-format on

// What lowers an operator; NULL: nothing does. `*out_kind`: its row.
static hoist_tflite_lower_fn *lowering_of(const tflite_operator_code *code,
                                          const tflite_operator_row **out_kind)
{
    const int32_t number = code ? tflite_code_number(code) : -1;
    *out_kind = tflite_operator_get(number);
    return *out_kind ? kinds[number] : NULL;
}

bool hoist_tflite_is_known(const hoist_tflite_job *j, const tflite_operator *row)
{
    const tflite_operator_code *code = tflite_code_of(j->module->model, row);
    const tflite_operator_row *kind = NULL;
    hoist_tflite_lower_fn *const lower = lowering_of(code, &kind);
    return lower == hoist_tflite_custom ? tflite_is_edgetpu(code) : lower != NULL;
}

// As many tensors as the kind wants, none of them left out; false: this was reported.
static bool has_operands(hoist_tflite_job *j, const hoist_tflite_op *op,
                         const tflite_operator_row *kind)
{
    const uint32_t inputs = tflite_count(op->row->inputs);
    const uint32_t outputs = tflite_count(op->row->outputs);
    if (inputs < kind->fewest || (kind->most != TFLITE_MANY && inputs > kind->most) ||
        outputs < 1 || (kind->outputs != TFLITE_MANY && outputs != kind->outputs)) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s) has %" PRIu32 " inputs and %" PRIu32
                            " outputs, which are not those of its kind",
                            op->index, HOIST_STR_ARGS(op->name), inputs, outputs);
        return false;
    }
    for (uint32_t i = 0; i < inputs; i++) {
        const bool optional = kind->most != TFLITE_MANY && i >= kind->fewest;
        if (!optional && !hoist_tflite_has_input(op, i)) {
            hoist_tflite_refuse(j, RUN_030, op,
                                "operator %" PRIu32 " (%.*s): input %" PRIu32 " is left out",
                                op->index, HOIST_STR_ARGS(op->name), i);
            return false;
        }
    }
    return true;
}

void hoist_tflite_operator(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    static const union {
        uint64_t alignment;
        uint8_t bytes[256]; // more than any options
    } no_options = {0};
    const tflite_operator_row *kind = NULL;
    hoist_tflite_lower_fn *const lower =
        lowering_of(tflite_code_of(j->module->model, op->row), &kind);
    if (!lower) {
        hoist_tflite_refuse(j, RUN_029, op, "operator %" PRIu32 " is %.*s, which cannot be run",
                            op->index, HOIST_STR_ARGS(op->name));
        return;
    }
    const hoist_fb_union *options = &op->row->builtin_options;
    hoist_tflite_op own = *op;
    own.options = options->value && options->type == kind->options ? options->value
                                                                   : (const void *)&no_options;
    // What a custom one wants, its package says.
    if (lower == hoist_tflite_custom || has_operands(j, op, kind)) {
        lower(j, &own);
    }
}
