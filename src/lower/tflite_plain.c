// Operators on numbers that stand for themselves, choices and lookups.
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/tflite_lower.h"

// The two inputs and the output; false: this was reported.
static bool pair_of(hoist_tflite_job *j, const hoist_tflite_op *op, hoist_quant_pair *out_pair)
{
    const hoist_tflite_value *a = hoist_tflite_input(j, op, 0);
    const hoist_tflite_value *b = hoist_tflite_input(j, op, 1);
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    if (!a || !b || !y) {
        return false;
    }
    *out_pair = (hoist_quant_pair){.a = a->view, .b = b->view, .y = y->view};
    return true;
}

// Arithmetic ------------------------------------------------------------------------------------

bool hoist_tflite_arithmetic(hoist_tflite_job *j, const hoist_tflite_op *op, int32_t code,
                             int8_t activation)
{
    static const struct {
        int32_t code;
        hoist_compute_op real, whole; // HOIST_COMPUTE_COUNT: not here
    } kinds[] = {
        {TFLITE_OP_ADD, HOIST_TFLITE_REAL_ADD, HOIST_TFLITE_WHOLE_ADD},
        {TFLITE_OP_SUB, HOIST_TFLITE_REAL_SUBTRACT, HOIST_TFLITE_WHOLE_SUBTRACT},
        {TFLITE_OP_MUL, HOIST_TFLITE_REAL_MULTIPLY, HOIST_TFLITE_WHOLE_MULTIPLY},
        {TFLITE_OP_DIV, HOIST_TFLITE_REAL_DIVIDE, HOIST_COMPUTE_COUNT},
    };
    const hoist_tflite_value *y = hoist_tflite_output(j, op, 0);
    const bool is_real = y && y->view.dtype == HOIST_DTYPE_F32;
    const bool is_whole = y && y->view.dtype == HOIST_DTYPE_I32;
    hoist_quant_pair pair;
    hoist_tflite_reals range;
    size_t kind = 0;
    while (kinds[kind].code != code) {
        kind++;
    }
    const hoist_compute_op row = is_real ? kinds[kind].real : kinds[kind].whole;
    if ((!is_real && !is_whole) || row == HOIST_COMPUTE_COUNT) {
        return false;
    }
    if (pair_of(j, op, &pair) && hoist_tflite_range(j, op, activation, &range)) {
        // Without an activation results still are finite numbers in the reference.
        pair.limits.low = fmax((double)range.from, is_real ? (double)-FLT_MAX : INT32_MIN);
        pair.limits.high = fmin((double)range.to, is_real ? (double)FLT_MAX : INT32_MAX);
        hoist_tflite_end(j, op, hoist_plain_pair(&j->layers, row, &pair));
    }
    return true;
}

void hoist_tflite_divide(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_fused_options *options = op->options;
    if (hoist_tflite_output(j, op, 0) &&
        !hoist_tflite_arithmetic(j, op, TFLITE_OP_DIV, options->fused_activation_function)) {
        hoist_tflite_refuse(j, RUN_030, op, "operator %" PRIu32 " (%.*s): numbers that are not f32",
                            op->index, HOIST_STR_ARGS(op->name));
    }
}

void hoist_tflite_floor_divide(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    hoist_quant_pair pair;
    if (pair_of(j, op, &pair)) {
        hoist_tflite_end(j, op, hoist_plain_pair(&j->layers, HOIST_TFLITE_FLOOR_DIVIDE, &pair));
    }
}

static void lower_unary(hoist_tflite_job *j, const hoist_tflite_op *op, hoist_compute_op row)
{
    hoist_quant_unary layer;
    if (hoist_tflite_unary(j, op, &layer)) {
        hoist_tflite_end(j, op, hoist_plain_unary(&j->layers, row, &layer));
    }
}

void hoist_tflite_square_root(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_unary(j, op, HOIST_TFLITE_REAL_SQUARE_ROOT);
}

// The types are those of the tensors: what the options say is not always so.
void hoist_tflite_cast(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_unary(j, op, HOIST_TFLITE_CAST);
}

void hoist_tflite_hard_swish(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (hoist_tflite_unary(j, op, &layer) && hoist_tflite_scales(j, op, &x, &y)) {
        hoist_tflite_end(j, op, hoist_plain_swish(&j->layers, &layer, x, y));
    }
}

// Choices ---------------------------------------------------------------------------------------

// Whether both tensors' numbers stand for the same: no scales, or equal ones.
static bool is_like(hoist_tflite_job *j, const hoist_tflite_op *op, const hoist_tflite_value *x,
                    const hoist_tflite_value *y)
{
    const tflite_quantization *from = x->tensor->quantization;
    const tflite_quantization *to = y->tensor->quantization;
    const hoist_bytes none = {NULL, 0};
    const hoist_bytes a = from ? from->scale : none;
    const hoist_bytes b = to ? to->scale : none;
    if (a.size == 0 && b.size == 0) {
        return true;
    }
    float x_scale = 0;
    float y_scale = 0;
    if (!hoist_tflite_scale(j, op, x, &x_scale) || !hoist_tflite_scale(j, op, y, &y_scale)) {
        return false;
    }
    if (x_scale != y_scale || x->view.zero != y->view.zero) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s): inputs and output are quantised in "
                            "different ways",
                            op->index, HOIST_STR_ARGS(op->name));
        return false;
    }
    return true;
}

static void lower_choice(hoist_tflite_job *j, const hoist_tflite_op *op, hoist_compute_op row)
{
    hoist_quant_pair pair;
    if (pair_of(j, op, &pair) &&
        is_like(j, op, hoist_tflite_input(j, op, 0), hoist_tflite_output(j, op, 0)) &&
        is_like(j, op, hoist_tflite_input(j, op, 1), hoist_tflite_output(j, op, 0))) {
        hoist_tflite_end(j, op, hoist_plain_pair(&j->layers, row, &pair));
    }
}

void hoist_tflite_maximum(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_choice(j, op, HOIST_TFLITE_MAXIMUM);
}

void hoist_tflite_minimum(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_choice(j, op, HOIST_TFLITE_MINIMUM);
}

static void lower_places(hoist_tflite_job *j, const hoist_tflite_op *op, hoist_compute_op row)
{
    hoist_quant_unary layer;
    hoist_tflite_numbers axes;
    if (!hoist_tflite_unary(j, op, &layer) || !hoist_tflite_numbers_of(j, op, 1, &axes)) {
        return;
    }
    const int64_t given = axes.count == 1 ? axes.items[0] : INT64_MAX; // none of any tensor
    const int axis = hoist_tflite_axis(j, op, hoist_tflite_input(j, op, 0), given);
    if (axis >= 0) {
        hoist_tflite_end(j, op, hoist_plain_places(&j->layers, row, &layer, axis));
    }
}

void hoist_tflite_arg_max(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_places(j, op, HOIST_TFLITE_ARG_MAX);
}

void hoist_tflite_arg_min(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    lower_places(j, op, HOIST_TFLITE_ARG_MIN);
}

// Lookups ---------------------------------------------------------------------------------------

void hoist_tflite_gather(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    const tflite_gather_options *options = op->options;
    hoist_quant_pair pair;
    if (!pair_of(j, op, &pair)) {
        return;
    }
    if (options->batch_dims != 0) {
        hoist_tflite_refuse(j, RUN_030, op,
                            "operator %" PRIu32 " (%.*s): %" PRId32 " batch dimensions, wanted 0",
                            op->index, HOIST_STR_ARGS(op->name), options->batch_dims);
        return;
    }
    const hoist_plain_lookup layer = {.x = pair.a, .indices = pair.b, .y = pair.y};
    const int axis = hoist_tflite_axis(j, op, hoist_tflite_input(j, op, 0), options->axis);
    if (axis >= 0) {
        hoist_tflite_end(j, op, hoist_plain_gather(&j->layers, &layer, axis));
    }
}

void hoist_tflite_gather_nd(hoist_tflite_job *j, const hoist_tflite_op *op)
{
    hoist_quant_pair pair;
    if (pair_of(j, op, &pair)) {
        const hoist_plain_lookup layer = {.x = pair.a, .indices = pair.b, .y = pair.y};
        hoist_tflite_end(j, op, hoist_plain_gather_nd(&j->layers, &layer));
    }
}
