// The steps of an LSTM (lstm.h): of float32 those that other operators have, too; of integers those
// of TFLite's kernel for 8-bit inputs and 16-bit cells, whose gates are in Q3 and Q0.
#include <math.h>

#include "lower/quant_plain.h"
#include "lower/tflite/lstm.h"

enum { GATE_BITS = 3 }; // before the point of what goes into a gate

static const hoist_quant_limits all = {-(double)INFINITY, (double)INFINITY};

// Reports a layer that does not fit; true when its step was added.
static bool end(const tflite_lstm *l, hoist_status status)
{
    tflite_lower_end(l->j, l->op, status);
    return status == HOIST_OK;
}

// y = a op b, element by element.
static bool pair(const tflite_lstm *l, hoist_compute_op row, const hoist_lower_view *a,
                 const hoist_lower_view *b, const hoist_lower_view *y, hoist_quant_limits limits)
{
    const hoist_quant_pair layer = {*a, *b, *y, limits};
    return end(l, hoist_plain_pair(&l->j->layers, row, &layer));
}

// The product of two tensors; integers are divided by 2^shift, rounded.
static bool product(const tflite_lstm *l, const hoist_lower_view *a, const hoist_lower_view *b,
                    const hoist_lower_view *y, int shift)
{
    const hoist_quant_pair layer = {.a = *a, .b = *b, .y = *y};
    return l->is_short ? end(l, hoist_plain_short_product(&l->j->layers, &layer, shift))
                       : pair(l, HOIST_TFLITE_MULTIPLY_F32, a, b, y, all);
}

static bool copy(const tflite_lstm *l, const hoist_lower_view *x, const hoist_lower_view *y)
{
    return end(l, hoist_quant_copy(&l->j->layers, &(hoist_quant_unary){*x, *y}));
}

// Float32: y = x * weights^T + bias.
static bool dense(const tflite_lstm *l, const hoist_lower_view *x,
                  const tflite_lower_value *weights, const tflite_lower_value *bias,
                  const hoist_lower_view *y, hoist_quant_limits limits)
{
    const hoist_quant_products layer = {.x = *x,
                                        .weights = weights->view,
                                        .y = *y,
                                        .bias = bias ? &bias->view : NULL,
                                        .limits = limits};
    return end(l, hoist_plain_dense(&l->j->layers, &layer));
}

// In place, on the sums of a gate.
static bool sigmoid(const tflite_lstm *l, tflite_gate_kind kind)
{
    const hoist_quant_unary layer = {l->gates[kind].sum, l->gates[kind].sum};
    const hoist_compute_op row =
        l->is_short ? HOIST_TFLITE_LOGISTIC_I16 : HOIST_TFLITE_LOGISTIC_F32;
    return end(l, hoist_plain_unary(&l->j->layers, row, &layer));
}

// The activation of the cell gate and the cell. Integers have tanh alone, of numbers with `bits`
// before the point; float32 any of the fused ones and TANH.
static bool activate(const tflite_lstm *l, const hoist_lower_view *x, const hoist_lower_view *y,
                     int bits)
{
    const hoist_quant_unary layer = {*x, *y};
    tflite_lower_reals range;
    if (l->is_short) {
        return end(l, hoist_plain_short_tanh(&l->j->layers, &layer, bits));
    }
    if (l->activation == TFLITE_ACTIVATION_TANH) {
        return end(l, hoist_plain_unary(&l->j->layers, HOIST_TFLITE_TANH_F32, &layer));
    }
    return tflite_lower_range(l->j, l->op, l->activation, &range) &&
           end(l, hoist_plain_clamp(&l->j->layers, &layer,
                                    (hoist_quant_limits){(double)range.from, (double)range.to}));
}

// One time --------------------------------------------------------------------------------------

// Rows of all times and elements are one matrix: a single dense step in place of T small ones.
bool tflite_lstm_add_given(const tflite_lstm *l, tflite_gate_kind kind)
{
    const tflite_gate *g = &l->gates[kind];
    const int64_t rows = l->x.shape.dim[0] * l->x.shape.dim[1];
    const hoist_shape from = {.rank = 2, .dim = {rows, l->x.shape.dim[2]}};
    const hoist_shape to = {.rank = 2, .dim = {rows, g->given.shape.dim[2]}};
    hoist_plain_short_dense layer = {
        .weights = g->weights->view, .bias = &g->bias->view, .factor = (double)g->factor};
    if (!hoist_lower_view_reshape(&l->x, &from, &layer.x) || // both are dense
        !hoist_lower_view_reshape(&g->given, &to, &layer.y)) {
        return false;
    }
    return l->is_short ? end(l, hoist_plain_add_short_dense(&l->j->layers, &layer))
                       : dense(l, &layer.x, g->weights, g->bias, &layer.y, all);
}

// The sum of a gate at one time: W x + b, R h, and through the peephole p * c. Integers add W x + b
// in the step of R h, rounded to 16 bits as the kernel does.
static bool add_gate(const tflite_lstm *l, tflite_gate_kind kind, int64_t time)
{
    const tflite_gate *g = &l->gates[kind];
    const hoist_lower_view given = hoist_lower_view_at(&g->given, l->time_axis, time);
    if (l->is_short) {
        const hoist_plain_short_dense layer = {.x = l->hidden,
                                               .weights = g->recurrent->view,
                                               .a = &given,
                                               .y = g->sum,
                                               .factor = (double)g->recurrent_factor};
        return end(l, hoist_plain_add_short_dense(&l->j->layers, &layer));
    }
    return dense(l, &l->hidden, g->recurrent, NULL, &l->scratch, all) &&
           pair(l, HOIST_TFLITE_ADD_F32, &given, &l->scratch, &g->sum, all) &&
           (!g->peephole || (product(l, &l->cell, &g->peephole->view, &l->scratch, 0) &&
                             pair(l, HOIST_TFLITE_ADD_F32, &g->sum, &l->scratch, &g->sum, all)));
}

// The input gate i, or 1 - f where it is coupled, and i * g into the cell gate's tensor. Integers:
// Q0.15 * Q0.15 to the cell's format.
static bool add_input(const tflite_lstm *l, int64_t time)
{
    const hoist_lower_view *input = &l->gates[TFLITE_GATE_INPUT].sum;
    const hoist_lower_view *cell = &l->gates[TFLITE_GATE_CELL].sum;
    const hoist_quant_unary rest = {l->gates[TFLITE_GATE_FORGET].sum, *input};
    const bool good =
        l->has_input_gate
            ? add_gate(l, TFLITE_GATE_INPUT, time) && sigmoid(l, TFLITE_GATE_INPUT)
            : end(l, hoist_plain_number(&l->j->layers, HOIST_TFLITE_SUBTRACT_F32, 1, &rest));
    return good && product(l, cell, input, cell, 15 + l->cell_bits);
}

// c = f * c + i * g, clipped; the product f * c was stored into the cell before.
static bool add_cell(const tflite_lstm *l, const hoist_lower_view *added)
{
    const double limit = (double)l->cell_clip;
    const hoist_quant_pair layer = {l->cell, *added, l->cell,
                                    l->cell_clip > 0 ? (hoist_quant_limits){-limit, limit} : all};
    return end(l, l->is_short ? hoist_plain_short_sum(&l->j->layers, &layer)
                              : hoist_plain_pair(&l->j->layers, HOIST_TFLITE_ADD_F32, &layer));
}

// h = o * act(c), or its projection, and a copy to y: the state is kept for the next time and run.
static bool add_output(const tflite_lstm *l, int64_t time)
{
    const hoist_lower_view *gate = &l->gates[TFLITE_GATE_OUTPUT].sum;
    const hoist_lower_view y = hoist_lower_view_at(&l->y, l->time_axis, time);
    const double clip = (double)l->projection_clip;
    const hoist_quant_limits limits = clip > 0 ? (hoist_quant_limits){-clip, clip} : all;
    bool good = add_gate(l, TFLITE_GATE_OUTPUT, time) && sigmoid(l, TFLITE_GATE_OUTPUT) &&
                activate(l, &l->cell, &l->scratch, l->cell_bits);
    if (good && l->is_short) {
        hoist_quant_pair layer = {.a = *gate, .b = l->scratch, .y = l->hidden};
        // The product is rounded to the scale that the file has for it.
        layer.y.zero = l->hidden_zero;
        good = end(
            l, hoist_plain_short_output(&l->j->layers, &layer, 0x1p-30 / (double)l->hidden_scale));
    } else if (good) {
        good = product(l, gate, &l->scratch, l->projection ? gate : &l->hidden, 0) &&
               (!l->projection ||
                dense(l, gate, l->projection, l->projection_bias, &l->hidden, limits));
    }
    return good && copy(l, &l->hidden, &y);
}

// In the order of the kernel: the output gate's peephole sees the new cell, the others the old one.
bool tflite_lstm_add_time(const tflite_lstm *l, int64_t time)
{
    const hoist_lower_view *forget = &l->gates[TFLITE_GATE_FORGET].sum;
    const hoist_lower_view *cell = &l->gates[TFLITE_GATE_CELL].sum;
    return add_gate(l, TFLITE_GATE_FORGET, time) && sigmoid(l, TFLITE_GATE_FORGET) &&
           add_gate(l, TFLITE_GATE_CELL, time) && activate(l, cell, cell, GATE_BITS) &&
           add_input(l, time) && product(l, forget, &l->cell, &l->cell, 15) && add_cell(l, cell) &&
           add_output(l, time);
}
