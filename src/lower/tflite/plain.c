// Operators on numbers that stand for themselves, choices and lookups.
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/tflite/state.h"

// The two inputs and the output; false: one is missing, which was reported.
static bool pair_of(tflite_lower_job *j, const tflite_lower_op *op, hoist_quant_pair *out_pair)
{
    const tflite_lower_value *a = tflite_lower_input(j, op, 0);
    const tflite_lower_value *b = tflite_lower_input(j, op, 1);
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    if (!a || !b || !y) {
        return false;
    }
    *out_pair = (hoist_quant_pair){.a = a->view, .b = b->view, .y = y->view};
    return true;
}

// Arithmetic ------------------------------------------------------------------------------------

// Two tensors and an activation to a third, of float32 or int32.
static void lower_pair(tflite_lower_job *j, const tflite_lower_op *op, hoist_compute_op row,
                       int8_t activation)
{
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    hoist_quant_pair pair;
    tflite_lower_reals range;
    if (y && pair_of(j, op, &pair) && tflite_lower_range(j, op, activation, &range)) {
        // Without an activation results still are finite numbers in the reference.
        const bool is_whole = y->view.dtype == HOIST_DTYPE_I32;
        pair.limits.low = fmax((double)range.from, is_whole ? INT32_MIN : (double)-FLT_MAX);
        pair.limits.high = fmin((double)range.to, is_whole ? INT32_MAX : (double)FLT_MAX);
        tflite_lower_end(j, op, hoist_plain_pair(&j->layers, row, &pair));
    }
}

// The order of rows is that of the codes that callers pass: the loop ends, since all three are
// here.
bool tflite_lower_arithmetic(tflite_lower_job *j, const tflite_lower_op *op, int8_t activation)
{
    static const struct {
        int32_t code;
        hoist_compute_op real, whole;
    } kinds[] = {
        {TFLITE_OP_ADD, HOIST_TFLITE_ADD_F32, HOIST_TFLITE_ADD_I32},
        {TFLITE_OP_SUB, HOIST_TFLITE_SUBTRACT_F32, HOIST_TFLITE_SUBTRACT_I32},
        {TFLITE_OP_MUL, HOIST_TFLITE_MULTIPLY_F32, HOIST_TFLITE_MULTIPLY_I32},
    };
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    const bool is_real = y && y->view.dtype == HOIST_DTYPE_F32;
    // 8- and 16-bit numbers have scales: op.c goes on with them.
    if (!is_real && !(y && y->view.dtype == HOIST_DTYPE_I32)) {
        return false;
    }
    size_t kind = 0;
    while (kinds[kind].code != op->code) {
        kind++;
    }
    lower_pair(j, op, is_real ? kinds[kind].real : kinds[kind].whole, activation);
    return true;
}

// DIV of float32. The runtime's kernel of uint8 has no row here.
void tflite_lower_divide(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_fused_options *options = op->options;
    lower_pair(j, op, HOIST_TFLITE_DIVIDE_F32, options->fused_activation_function);
}

// FLOOR_DIV and FLOOR_MOD, of int32; the step stops the run at a divisor of 0.
void tflite_lower_floor_divide(tflite_lower_job *j, const tflite_lower_op *op)
{
    const hoist_compute_op row = op->code == TFLITE_OP_FLOOR_MOD ? HOIST_TFLITE_FLOOR_MOD_I32
                                                                 : HOIST_TFLITE_FLOOR_DIVIDE_I32;
    hoist_quant_pair pair;
    if (pair_of(j, op, &pair)) {
        tflite_lower_end(j, op, hoist_plain_pair(&j->layers, row, &pair));
    }
}

// PRELU: slopes are the second input, broadcast over the first.
void tflite_lower_prelu(tflite_lower_job *j, const tflite_lower_op *op)
{
    hoist_quant_pair pair;
    float x = 0;
    float slope = 0;
    float y = 0;
    if (!pair_of(j, op, &pair)) {
        return;
    }
    if (pair.a.dtype == HOIST_DTYPE_F32) {
        tflite_lower_end(j, op, hoist_plain_pair(&j->layers, HOIST_TFLITE_PRELU_F32, &pair));
    } else if (pair.a.dtype == HOIST_DTYPE_I16) { // the row takes them, of LEAKY_RELU
        tflite_lower_misfit(j, RUN_030, op, "numbers of 16 bits, expected 8 or float32");
    } else if (tflite_lower_scales(j, op, &x, &y) &&
               tflite_lower_scale(j, op, tflite_lower_input(j, op, 1), &slope)) {
        // factors are of float32 in the reference
        tflite_lower_end(
            j, op, hoist_quant_prelu(&j->layers, &pair, (double)(x / y), (double)(x * slope / y)));
    }
}

// SQRT and CAST. The types of a cast are those of the tensors: its options may name others, and the
// kernel does not read them.
void tflite_lower_each(tflite_lower_job *j, const tflite_lower_op *op)
{
    const hoist_compute_op row =
        op->code == TFLITE_OP_CAST ? HOIST_TFLITE_CAST : HOIST_TFLITE_SQRT_F32;
    hoist_quant_unary layer;
    if (tflite_lower_unary(j, op, &layer)) {
        tflite_lower_end(j, op, hoist_plain_unary(&j->layers, row, &layer));
    }
}

// HARD_SWISH of 8 bits, by the kernel's own fixed-point arithmetic.
void tflite_lower_hard_swish(tflite_lower_job *j, const tflite_lower_op *op)
{
    hoist_quant_unary layer;
    float x = 0;
    float y = 0;
    if (tflite_lower_unary(j, op, &layer) && tflite_lower_scales(j, op, &x, &y)) {
        tflite_lower_end(j, op, hoist_plain_swish(&j->layers, &layer, x, y));
    }
}

// Choices ---------------------------------------------------------------------------------------

// MAXIMUM and MINIMUM compare stored numbers, which is right only where both tensors have one scale
// and zero point, or none.
static bool is_like(tflite_lower_job *j, const tflite_lower_op *op, const tflite_lower_value *x,
                    const tflite_lower_value *y)
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
    if (!tflite_lower_scale(j, op, x, &x_scale) || !tflite_lower_scale(j, op, y, &y_scale)) {
        return false;
    }
    if (x_scale != y_scale || x->view.zero != y->view.zero) {
        return tflite_lower_misfit(j, RUN_030, op,
                                   "inputs and output are quantised in different ways");
    }
    return true;
}

// Scales of both inputs have to be the output's: the kernel does not requantise.
void tflite_lower_choice(tflite_lower_job *j, const tflite_lower_op *op)
{
    const hoist_compute_op row =
        op->code == TFLITE_OP_MAXIMUM ? HOIST_TFLITE_MAXIMUM : HOIST_TFLITE_MINIMUM;
    hoist_quant_pair pair;
    if (pair_of(j, op, &pair) &&
        is_like(j, op, tflite_lower_input(j, op, 0), tflite_lower_output(j, op, 0)) &&
        is_like(j, op, tflite_lower_input(j, op, 1), tflite_lower_output(j, op, 0))) {
        tflite_lower_end(j, op, hoist_plain_pair(&j->layers, row, &pair));
    }
}

// ARG_MAX and ARG_MIN: the axis is a constant of one number.
void tflite_lower_places(tflite_lower_job *j, const tflite_lower_op *op)
{
    const hoist_compute_op row =
        op->code == TFLITE_OP_ARG_MAX ? HOIST_TFLITE_ARG_MAX : HOIST_TFLITE_ARG_MIN;
    hoist_quant_unary layer;
    tflite_lower_numbers axes;
    if (!tflite_lower_unary(j, op, &layer) || !tflite_lower_numbers_of(j, op, 1, &axes)) {
        return;
    }
    const int64_t given = axes.count == 1 ? axes.items[0] : INT64_MAX; // none of any tensor
    const int axis = tflite_lower_axis(j, op, tflite_lower_input(j, op, 0), given);
    if (axis >= 0) {
        tflite_lower_end(j, op, hoist_plain_places(&j->layers, row, &layer, axis));
    }
}

// Lookups ---------------------------------------------------------------------------------------

// GATHER along one axis; indices of int32 or int64 come from a tensor that the run may compute.
void tflite_lower_gather(tflite_lower_job *j, const tflite_lower_op *op)
{
    const tflite_gather_options *options = op->options;
    hoist_quant_pair pair;
    if (!pair_of(j, op, &pair)) {
        return;
    }
    if (options->batch_dims != 0) {
        tflite_lower_misfit(j, RUN_030, op, "%" PRId32 " batch dimensions, expected 0",
                            options->batch_dims);
        return;
    }
    const hoist_plain_lookup layer = {.x = pair.a, .indices = pair.b, .y = pair.y};
    const int axis = tflite_lower_axis(j, op, tflite_lower_input(j, op, 0), options->axis);
    if (axis >= 0) {
        tflite_lower_end(j, op, hoist_plain_gather(&j->layers, &layer, axis));
    }
}

// GATHER_ND: the innermost dimension of the indices is a tuple for the leading axes.
void tflite_lower_gather_nd(tflite_lower_job *j, const tflite_lower_op *op)
{
    hoist_quant_pair pair;
    if (pair_of(j, op, &pair)) {
        const hoist_plain_lookup layer = {.x = pair.a, .indices = pair.b, .y = pair.y};
        tflite_lower_end(j, op, hoist_plain_gather_nd(&j->layers, &layer));
    }
}
