// The kinds of operators, and those that work on numbers one by one or on all of them.
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/assert.h"
#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/tflite/state.h"

static bool is_real(const hoist_lower_view *view)
{
    return view->dtype == HOIST_DTYPE_F32;
}

// Two inputs ------------------------------------------------------------------------------------

// Operands of an elementwise operator of two quantised inputs.
typedef struct pair {
    hoist_quant_pair views;
    float scale_a, scale_b, scale_y;
} pair;

// Views, scales and limits; false: there is no such operand, or no scale, which was reported.
static bool pair_of(tflite_lower_job *j, const tflite_lower_op *op, int8_t activation,
                    pair *out_pair)
{
    const tflite_lower_value *a = tflite_lower_input(j, op, 0);
    const tflite_lower_value *b = tflite_lower_input(j, op, 1);
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    if (!a || !b || !y || !tflite_lower_scale(j, op, a, &out_pair->scale_a) ||
        !tflite_lower_scale(j, op, b, &out_pair->scale_b) ||
        !tflite_lower_scale(j, op, y, &out_pair->scale_y)) {
        return false;
    }
    out_pair->views = (hoist_quant_pair){.a = a->view, .b = b->view, .y = y->view};
    return tflite_lower_limits(j, op, activation, y, &out_pair->views.limits);
}

static bool is_power_of_two(float scale) // frexp gives a mantissa of exactly a half
{
    int exponent = 0;
    return frexpf(scale, &exponent) == 0.5F;
}

// The reference adds 16-bit numbers whose scales are powers of two with shifts alone,
// which rounds in another way; no row does.
static bool only_shifts(const pair *p)
{
    return hoist_dtype_get(p->views.y.dtype)->bits == 16 && p->views.a.zero == 0 &&
           p->views.b.zero == 0 && p->views.y.zero == 0 && is_power_of_two(p->scale_a) &&
           is_power_of_two(p->scale_b) && is_power_of_two(p->scale_y);
}

// ADD and SUB. Float32 and int32 are plain arithmetic (plain.c); others have a common scale.
static void lower_sum(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_add_options *options = op->options;
    pair p;
    if (tflite_lower_arithmetic(j, op, options->fused_activation_function) ||
        !pair_of(j, op, options->fused_activation_function, &p)) {
        return;
    }
    if (options->pot_scale_int16 && only_shifts(&p)) {
        tflite_lower_misfit(j, RUN_030, op,
                            "sums of 16-bit numbers whose scales are powers of two");
        return;
    }
    const hoist_quant_sum sum = {.pair = p.views,
                                 .subtracts = op->code == TFLITE_OP_SUB,
                                 .scale_a = (double)p.scale_a,
                                 .scale_b = (double)p.scale_b,
                                 .scale_y = (double)p.scale_y};
    tflite_lower_end(j, op, hoist_quant_add_sum(&j->layers, &sum));
}

static void lower_multiply(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_fused_options *options = op->options;
    pair p;
    if (!tflite_lower_arithmetic(j, op, options->fused_activation_function) &&
        pair_of(j, op, options->fused_activation_function, &p)) {
        // In double, as tflite-micro has it; older kernels had float32 (kernels reference 4.3).
        const double factor = (double)p.scale_a * (double)p.scale_b / (double)p.scale_y;
        tflite_lower_end(j, op, hoist_quant_multiply(&j->layers, &p.views, factor));
    }
}

// One input -------------------------------------------------------------------------------------

// The output's scale and zero point are those that the operator always has: 1/256 or 1/128, and the
// least number or the middle of the type (kernels reference 4.7, 4.8). A scale of 16 bits may be
// off by a thousandth.
static bool has_output(tflite_lower_job *j, const tflite_lower_op *op, float scale, bool middle)
{
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    const bool is_short = y->view.dtype == HOIST_DTYPE_I16;
    const bool is_signed = y->view.dtype == HOIST_DTYPE_I8 || is_short;
    const int64_t least = is_signed ? hoist_quant_least(y->view.dtype) : 0;
    const int64_t zero = middle ? least + (is_short ? 1 << 15 : 1 << 7) : least;
    float found = 0;
    if (!tflite_lower_scale(j, op, y, &found)) {
        return false;
    }
    if (!(fabsf(found - scale) <= (is_short ? 0.001F * scale : 0)) || y->view.zero != zero) {
        return tflite_lower_misfit(j, RUN_030, op,
                                   "the output has scale %g and zero point %" PRId64
                                   ", expected %g and %" PRId64,
                                   (double)found, y->view.zero, (double)scale, zero);
    }
    return true;
}

// Float32 directly; 8 and 16 bits with the output's fixed scale. Single rounding means
// TFLite's optimised kernel, which computes exponentials in float32.
static void lower_softmax(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_softmax_options *options = op->options;
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (!tflite_lower_unary(j, op, &layer)) {
        return;
    }
    if (is_real(&layer.x)) {
        tflite_lower_end(j, op, hoist_plain_softmax(&j->layers, &layer, options->beta));
        return;
    }
    const bool is_short = layer.y.dtype == HOIST_DTYPE_I16;
    if (!tflite_lower_scales(j, op, &x, &y) ||
        !has_output(j, op, is_short ? 0x1p-16F : 0x1p-8F, false)) { // 16 bits: 1/65536
        return;
    }
    const bool is_single = j->layers.requantization == HOIST_REQUANTIZE_SINGLE;
    const double factor = (double)options->beta * (double)x;
    tflite_lower_end(j, op,
                     is_single
                         ? hoist_quant_softmax_single(&j->layers, &layer, x * options->beta, y)
                         : hoist_quant_softmax(&j->layers, &layer, factor));
}

// LOGISTIC and TANH.
static void lower_curve(tflite_lower_job *j, const tflite_lower_op *op)
{
    const bool is_tanh = op->code == TFLITE_OP_TANH;
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (!tflite_lower_unary(j, op, &layer)) {
        return;
    }
    if (is_real(&layer.x)) {
        const hoist_compute_op row = is_tanh ? HOIST_TFLITE_TANH_F32 : HOIST_TFLITE_LOGISTIC_F32;
        tflite_lower_end(j, op, hoist_plain_unary(&j->layers, row, &layer));
    } else if (tflite_lower_scales(j, op, &x, &y) &&
               has_output(j, op, is_tanh ? 0x1p-7F : 0x1p-8F, is_tanh)) {
        tflite_lower_end(j, op,
                         is_tanh ? hoist_quant_tanh(&j->layers, &layer, (double)x)
                                 : hoist_quant_logistic(&j->layers, &layer, (double)x));
    }
}

// TFLite's kernels of QUANTIZE: int32 comes from int16 and goes to int16 and int8 alone.
static bool has_kernel(const hoist_quant_unary *layer)
{
    const hoist_dtype x = layer->x.dtype;
    const hoist_dtype y = layer->y.dtype;
    return (x != HOIST_DTYPE_I32 || y == HOIST_DTYPE_I16 || y == HOIST_DTYPE_I8) &&
           (y != HOIST_DTYPE_I32 || x == HOIST_DTYPE_I16);
}

// Between float32 and integers, or between two scales.
static void lower_quantize(tflite_lower_job *j, const tflite_lower_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (!tflite_lower_unary(j, op, &layer) ||
        !tflite_lower_scale(j, op, tflite_lower_output(j, op, 0), &y)) {
        return;
    }
    if (!has_kernel(&layer)) {
        tflite_lower_misfit(j, RUN_030, op, "numbers from %s to %s",
                            hoist_dtype_get(layer.x.dtype)->name,
                            hoist_dtype_get(layer.y.dtype)->name);
    } else if (is_real(&layer.x)) {
        tflite_lower_end(j, op, hoist_quant_quantize(&j->layers, &layer, y));
    } else if (tflite_lower_scales(j, op, &x, &y)) {
        tflite_lower_end(j, op, hoist_quant_requantize(&j->layers, &layer, (double)x / (double)y));
    }
}

// The scale of the output does not count: it is float32.
static void lower_dequantize(tflite_lower_job *j, const tflite_lower_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    if (tflite_lower_unary(j, op, &layer) &&
        tflite_lower_scale(j, op, tflite_lower_input(j, op, 0), &x)) {
        tflite_lower_end(j, op, hoist_quant_dequantize(&j->layers, &layer, x));
    }
}

// Three operators that differ in their limits; limits are those of a fused activation.
static void lower_relu(tflite_lower_job *j, const tflite_lower_op *op)
{
    const int8_t activation = op->code == TFLITE_OP_RELU    ? TFLITE_ACTIVATION_RELU
                              : op->code == TFLITE_OP_RELU6 ? TFLITE_ACTIVATION_RELU6
                                                            : TFLITE_ACTIVATION_RELU_N1_TO_1;
    hoist_quant_unary layer;
    hoist_quant_limits limits;
    float x = 0;
    float y = 0;
    if (!tflite_lower_unary(j, op, &layer) ||
        !tflite_lower_limits(j, op, activation, tflite_lower_output(j, op, 0), &limits)) {
        return;
    }
    // The limits of fused activations are finite; a RELU by itself lets infinity through.
    if (is_real(&layer.x)) { // infinite numbers stay so
        const double high = limits.high < (double)FLT_MAX ? limits.high : (double)INFINITY;
        const hoist_quant_limits own = {limits.low, high};
        tflite_lower_end(j, op, hoist_plain_clamp(&j->layers, &layer, own));
    } else if (tflite_lower_scales(j, op, &x, &y)) {
        tflite_lower_end(j, op,
                         hoist_quant_clamp(&j->layers, &layer, (double)x / (double)y, limits));
    }
}

static void lower_leaky_relu(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_leaky_relu_options *options = op->options;
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (!tflite_lower_unary(j, op, &layer)) {
        return;
    }
    if (is_real(&layer.x)) {
        tflite_lower_end(j, op, hoist_plain_leaky(&j->layers, &layer, options->alpha));
    } else if (tflite_lower_symmetric(j, op, &layer.x, &layer.y) &&
               tflite_lower_scales(j, op, &x, &y)) {
        // Factors are quotients of float32 in the reference, not of double.
        tflite_lower_end(j, op,
                         hoist_quant_leaky(&j->layers, &layer, (double)(x / y),
                                           (double)(x * options->alpha / y)));
    }
}

// The table -------------------------------------------------------------------------------------

// Kinds that differ in little share a function, which looks at op->code. A number without a row is
// RUN_029, which names the operator.
// clang-format off
static tflite_lower_fn *const kinds[TFLITE_OP_COUNT] = {
    [TFLITE_OP_ADD]               = lower_sum,
    [TFLITE_OP_AVERAGE_POOL_2D]   = tflite_lower_pool,
    [TFLITE_OP_CONCATENATION]     = tflite_lower_concatenation,
    [TFLITE_OP_CONV_2D]           = tflite_lower_conv,
    [TFLITE_OP_DEPTHWISE_CONV_2D] = tflite_lower_depthwise,
    [TFLITE_OP_DEQUANTIZE]        = lower_dequantize,
    [TFLITE_OP_FULLY_CONNECTED]   = tflite_lower_dense,
    [TFLITE_OP_LOGISTIC]          = lower_curve,
    [TFLITE_OP_LSTM]              = tflite_lower_lstm,
    [TFLITE_OP_UNIDIRECTIONAL_SEQUENCE_LSTM] = tflite_lower_lstm,
    [TFLITE_OP_PRELU]             = tflite_lower_prelu,
    [TFLITE_OP_LEAKY_RELU]        = lower_leaky_relu,
    [TFLITE_OP_MAX_POOL_2D]       = tflite_lower_pool,
    [TFLITE_OP_MUL]               = lower_multiply,
    [TFLITE_OP_RELU]              = lower_relu,
    [TFLITE_OP_RELU_N1_TO_1]      = lower_relu,
    [TFLITE_OP_RELU6]             = lower_relu,
    [TFLITE_OP_RESHAPE]           = tflite_lower_reshape,
    [TFLITE_OP_RESIZE_BILINEAR]   = tflite_lower_resize,
    [TFLITE_OP_SOFTMAX]           = lower_softmax,
    [TFLITE_OP_SVDF]              = tflite_lower_svdf,
    [TFLITE_OP_TANH]              = lower_curve,
    [TFLITE_OP_CUSTOM]            = tflite_lower_custom,
    [TFLITE_OP_PAD]               = tflite_lower_pad,
    [TFLITE_OP_TRANSPOSE]         = tflite_lower_transpose,
    [TFLITE_OP_MEAN]              = tflite_lower_mean,
    [TFLITE_OP_SUB]               = lower_sum,
    [TFLITE_OP_SQUEEZE]           = tflite_lower_reshape,
    [TFLITE_OP_STRIDED_SLICE]     = tflite_lower_strided_slice,
    [TFLITE_OP_SPLIT]             = tflite_lower_split,
    [TFLITE_OP_PADV2]             = tflite_lower_pad,
    [TFLITE_OP_SLICE]             = tflite_lower_slice,
    [TFLITE_OP_EXPAND_DIMS]       = tflite_lower_reshape,
    [TFLITE_OP_PACK]              = tflite_lower_pack,
    [TFLITE_OP_UNPACK]            = tflite_lower_unpack,
    [TFLITE_OP_GATHER]            = tflite_lower_gather,
    [TFLITE_OP_TRANSPOSE_CONV]    = tflite_lower_transpose_conv,
    [TFLITE_OP_TILE]              = tflite_lower_tile,
    [TFLITE_OP_FLOOR_MOD]         = tflite_lower_floor_divide,
    [TFLITE_OP_DIV]               = tflite_lower_divide,
    [TFLITE_OP_SPLIT_V]           = tflite_lower_split,
    [TFLITE_OP_CAST]              = tflite_lower_each,
    [TFLITE_OP_MAXIMUM]           = tflite_lower_choice,
    [TFLITE_OP_ARG_MAX]           = tflite_lower_places,
    [TFLITE_OP_MINIMUM]           = tflite_lower_choice,
    [TFLITE_OP_SQRT]              = tflite_lower_each,
    [TFLITE_OP_ARG_MIN]           = tflite_lower_places,
    [TFLITE_OP_FLOOR_DIV]         = tflite_lower_floor_divide,
    [TFLITE_OP_RESIZE_NEAREST_NEIGHBOR] = tflite_lower_nearest,
    [TFLITE_OP_GATHER_ND]         = tflite_lower_gather_nd,
    [TFLITE_OP_QUANTIZE]          = lower_quantize,
    [TFLITE_OP_HARD_SWISH]        = tflite_lower_hard_swish,
};
// clang-format on

// The function of a kind; NULL: none. `*out_kind`: the row of the number, NULL where there is none.
static tflite_lower_fn *lowering_of(const tflite_operator_code *code,
                                    const tflite_operator_row **out_kind)
{
    const int32_t number = code ? tflite_code_number(code) : -1;
    *out_kind = tflite_operator_get(number);
    HOIST_ASSERT(!*out_kind || (number >= 0 && number < TFLITE_OP_COUNT));
    return *out_kind ? kinds[number] : NULL;
}

bool tflite_lower_is_known(const tflite_lower_job *j, const tflite_operator *row)
{
    const tflite_operator_code *code = tflite_code_of(j->module->model, row);
    const tflite_operator_row *kind = NULL;
    tflite_lower_fn *const lower = lowering_of(code, &kind);
    // Custom operators are known by name.
    return lower == tflite_lower_custom ? tflite_is_edgetpu(code) || tflite_lower_host(code)
                                        : lower != NULL;
}

// As many operands as the kind's row states, none of the required ones left out; false: this was
// reported. After it functions of the table index inputs without a check of the count.
static bool has_operands(tflite_lower_job *j, const tflite_lower_op *op,
                         const tflite_operator_row *kind)
{
    const uint32_t inputs = tflite_count(op->row->inputs);
    const uint32_t outputs = tflite_count(op->row->outputs);
    if (inputs < kind->fewest || (kind->most != TFLITE_MANY && inputs > kind->most) ||
        outputs < 1 || (kind->outputs != TFLITE_MANY && outputs != kind->outputs)) {
        return tflite_lower_refuse(j, RUN_030, op,
                                   "operator %" PRIu32 " (%.*s) has %" PRIu32 " inputs and %" PRIu32
                                   " outputs, which are not those of its kind",
                                   op->index, HOIST_STR_ARGS(op->name), inputs, outputs);
    }
    for (uint32_t i = 0; i < inputs; i++) {
        const bool optional = kind->most != TFLITE_MANY && i >= kind->fewest;
        if (!optional && !tflite_lower_has_input(op, i)) {
            return tflite_lower_misfit(j, RUN_030, op, "input %" PRIu32 " is left out", i);
        }
    }
    return true;
}

void tflite_lower_operator(tflite_lower_job *j, const tflite_lower_op *op)
{
    // Absent options are the schema's defaults. Zeros stand for them in all options that operators
    // here have; of the wrong kind they count as absent, as in the runtime.
    static const union {
        uint64_t alignment;
        uint8_t bytes[256]; // more than any options
    } no_options = {0};
    const tflite_operator_row *kind = NULL;
    tflite_lower_fn *const lower = lowering_of(tflite_code_of(j->module->model, op->row), &kind);
    if (!lower) {
        tflite_lower_refuse(j, RUN_029, op, "operator %" PRIu32 " is %.*s, which cannot be run",
                            op->index, HOIST_STR_ARGS(op->name));
        return;
    }
    const hoist_fb_union *options = &op->row->builtin_options;
    tflite_lower_op own = *op;
    own.code = tflite_code_number(tflite_code_of(j->module->model, op->row));
    own.options = options->value && options->type == kind->options ? options->value
                                                                   : (const void *)&no_options;
    // Its package says what a custom operator requires.
    if (lower == tflite_lower_custom || has_operands(j, op, kind)) {
        lower(j, &own);
    }
}
