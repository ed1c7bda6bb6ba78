// What the kinds of operators ask of their operands: one input and one output, scales, limits.
#include <float.h>
#include <inttypes.h>
#include <math.h>

#include "base/reader.h"
#include "base/span.h"
#include "lower/quant_plain.h"
#include "lower/quant_steps.h"
#include "lower/tflite/state.h"

// All elementwise operators of one input use this: shapes are compared by the row of the step.
bool tflite_lower_unary(tflite_lower_job *j, const tflite_lower_op *op,
                        hoist_quant_unary *out_layer)
{
    const tflite_lower_value *x = tflite_lower_input(j, op, 0);
    const tflite_lower_value *y = tflite_lower_output(j, op, 0);
    if (!x || !y) {
        return false;
    }
    *out_layer = (hoist_quant_unary){x->view, y->view};
    return true;
}

bool tflite_lower_scales(tflite_lower_job *j, const tflite_lower_op *op, float *out_x, float *out_y)
{
    return tflite_lower_scale(j, op, tflite_lower_input(j, op, 0), out_x) &&
           tflite_lower_scale(j, op, tflite_lower_output(j, op, 0), out_y);
}

// Quant rows of i16 subtract no zero points.
bool tflite_lower_symmetric(tflite_lower_job *j, const tflite_lower_op *op,
                            const hoist_lower_view *x, const hoist_lower_view *y)
{
    if (x->dtype != HOIST_DTYPE_I16 || (x->zero == 0 && y->zero == 0)) {
        return true;
    }
    return tflite_lower_misfit(j, RUN_030, op, "16-bit numbers have a zero point, expected 0");
}

// A shape that is known only in the run (the result of SHAPE, a resize) cannot change what was
// lowered for the shape in the file, so a step compares them and stops the run when they differ.
bool tflite_lower_expect_shape(tflite_lower_job *j, const tflite_lower_op *op, uint32_t input,
                               const hoist_shape *shape)
{
    const tflite_lower_value *x = tflite_lower_input(j, op, input);
    uint8_t *bytes = hoist_lower_array(j->c, HOIST_MAX_RANK, sizeof(int32_t));
    if (!x || !bytes) {
        return false;
    }
    // A vector of as many numbers as the output has dimensions.
    if (x->view.shape.rank != 1 || x->view.shape.dim[0] != shape->rank) {
        return tflite_lower_misfit(
            j, RUN_030, op, "the output has another shape than input %" PRIu32 " says", input);
    }
    for (int i = 0; i < shape->rank; i++) {
        hoist_store_u32le(bytes + sizeof(int32_t) * (size_t)i, (uint32_t)shape->dim[i]);
    }
    const hoist_bytes dims = {bytes, sizeof(int32_t) * (size_t)shape->rank};
    const hoist_quant_pair pair = {
        .a = x->view,
        .b = hoist_lower_view_dense(hoist_quant_constant(&j->layers, dims), HOIST_DTYPE_I32,
                                    &x->view.shape),
        .y = tflite_lower_scratch(j, "shape", HOIST_DTYPE_I32, &x->view.shape)};
    const hoist_status status = hoist_plain_pair(&j->layers, HOIST_TFLITE_SAME_I32, &pair);
    tflite_lower_end(j, op, status);
    return status == HOIST_OK;
}

// Limits ----------------------------------------------------------------------------------------

// Steps from the zero point to `number`, as the reference computes them
// (CalculateActivationRangeQuantized; kernels reference, section 3): in float32, half away from
// zero.
static double steps_to(float number, float scale)
{
    return (double)roundf(number / scale);
}

bool tflite_lower_range(tflite_lower_job *j, const tflite_lower_op *op, int8_t activation,
                        tflite_lower_reals *out_range)
{
    // TANH and SIGN_BIT are refused: the reference has no fused kernel of them.
    static const tflite_lower_reals ranges[] = {
        [TFLITE_ACTIVATION_NONE] = {-INFINITY, INFINITY},
        [TFLITE_ACTIVATION_RELU] = {0, INFINITY},
        [TFLITE_ACTIVATION_RELU_N1_TO_1] = {-1, 1},
        [TFLITE_ACTIVATION_RELU6] = {0, 6},
    };
    const bool is_known = activation >= 0 && (size_t)activation < HOIST_COUNT_OF(ranges);
    *out_range = ranges[is_known ? activation : TFLITE_ACTIVATION_NONE];
    return is_known || tflite_lower_misfit(j, RUN_030, op, "activation %d, expected none or a relu",
                                           (int)activation);
}

bool tflite_lower_limits(tflite_lower_job *j, const tflite_lower_op *op, int8_t activation,
                         const tflite_lower_value *y, hoist_quant_limits *out_limits)
{
    tflite_lower_reals range;
    float scale = 0;
    *out_limits = hoist_quant_all(&y->view);
    if (!tflite_lower_range(j, op, activation, &range)) {
        return false;
    }
    // Reference kernels of float32 clamp to the finite range without an activation as well.
    if (y->view.dtype == HOIST_DTYPE_F32) { // finite even without an activation
        *out_limits = (hoist_quant_limits){fmax((double)range.from, (double)-FLT_MAX),
                                           fmin((double)range.to, (double)FLT_MAX)};
        return true;
    }
    if (activation == TFLITE_ACTIVATION_NONE) {
        return true;
    }
    if (!tflite_lower_scale(j, op, y, &scale)) {
        return false;
    }
    // The zero point is not part of limits: hoist_quant_limits counts steps from it.
    out_limits->low = fmax(out_limits->low, steps_to(range.from, scale));
    out_limits->high = fmin(out_limits->high, steps_to(range.to, scale));
    return true;
}
