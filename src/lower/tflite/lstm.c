// LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM: operands, and the steps (lstm_steps.c) of one time after
// the other. States are variables: they keep their numbers from run to run.
// The cell is the one with peepholes and a projection (Sak and others, 2014), as in TFLite's
// lstm_eval.cc; for each time:
//
//     i, f, o = sigmoid(W x + R h + b + p * c),  g = act(W x + R h + b)
//     c = f * c + i * g,  h = o * act(c), or its projection
//
// W x + b is computed for all times in one step (`given`), the rest in the order of times.
#include "lower/tflite/lstm.h"

#include <inttypes.h>
#include <math.h>

enum { MOST_TIMES = 4096 }; // each is some twenty steps

// Inputs; of those of gates the first, in the order of the gates.
enum { // all times are unrolled into steps
    INPUT = 0,
    WEIGHTS = 1,
    RECURRENT = 5,
    PEEPHOLES = 9, // the cell gate has none, and no place
    BIASES = 12,
    PROJECTION = 16,
    PROJECTION_BIAS,
    HIDDEN_STATE,
    CELL_STATE,
    NORMS,
    FEWEST_INPUTS = 20,
    MOST_INPUTS = 24,
    OUTPUT_INTERMEDIATE = 4, // after those of four gates
};

#define GATE_SCALE 0x1p-12F // of integers

// Returns false, as all functions below do for what was reported.
static bool misfit(const tflite_lstm *l, uint32_t input, const char *what)
{
    tflite_lower_misfit(l->j, RUN_030, l->op, "input %" PRIu32 " %s", input, what);
    return false;
}

// What an input has to be; of one dimension where `columns` is 0.
typedef struct form {
    hoist_dtype real, whole; // its type, of float32 and of integers
    int64_t rows, columns;
} form;

// The value of a required input, of that type and shape; NULL: it is another, which was reported.
static const tflite_lower_value *operand(const tflite_lstm *l, uint32_t input, form f)
{
    const tflite_lower_value *v = tflite_lower_input(l->j, l->op, input);
    const hoist_dtype dtype = l->is_short ? f.whole : f.real;
    if (!v) { // left out, or it cannot be held, which is reported already
        if (!tflite_lower_has_input(l->op, input)) {
            (void)misfit(l, input, "is left out");
        }
        return NULL;
    }
    if (v->view.dtype != dtype) {
        tflite_lower_misfit(l->j, RUN_030, l->op, "input %" PRIu32 " is of %s, expected %s", input,
                            hoist_dtype_get(v->view.dtype)->name, hoist_dtype_get(dtype)->name);
        return NULL;
    }
    const hoist_shape *shape = &v->view.shape;
    if (shape->rank != (f.columns ? 2 : 1) || shape->dim[0] != f.rows ||
        (f.columns && shape->dim[1] != f.columns)) {
        tflite_lower_misfit(l->j, RUN_030, l->op,
                            f.columns ? "input %" PRIu32 " is not of %" PRId64 " rows of %" PRId64
                                      : "input %" PRIu32 " is not of %" PRId64 " numbers",
                            input, f.rows, f.columns);
        return NULL;
    }
    return v;
}

// The same of an input that may be left out; kernels of integers are known without any of these.
// `*out_value` is NULL where it is absent; false: it was reported.
static bool optional(const tflite_lstm *l, uint32_t input, form f,
                     const tflite_lower_value **out_value)
{
    *out_value = NULL;
    if (!tflite_lower_has_input(l->op, input)) {
        return true;
    }
    if (l->is_short) {
        return misfit(l, input, "is there, which cannot be run of integers");
    }
    *out_value = operand(l, input, f);
    return *out_value;
}

// The batch is the dimension that is not the time.
static int64_t batch_of(const tflite_lstm *l)
{
    return l->x.shape.dim[1 - l->time_axis];
}

static hoist_dtype cell_type(const tflite_lstm *l)
{
    return l->is_short ? HOIST_DTYPE_I16 : HOIST_DTYPE_F32;
}

// Lives as long as the call.
static hoist_lower_view scratch(const tflite_lstm *l, const char *what, const hoist_shape *shape)
{
    return tflite_lower_scratch(l->j, what, cell_type(l), shape);
}

// Input and output in three dimensions, times at `time_axis`; LSTM of one time has two. False: it
// was reported.
static bool fill_ends(tflite_lstm *l, bool time_major, int64_t outputs)
{
    const tflite_lower_value *x = tflite_lower_input(l->j, l->op, INPUT);
    const tflite_lower_value *y = tflite_lower_output(l->j, l->op, 0);
    if (!x || !y) {
        return false;
    }
    hoist_shape shape = x->view.shape;
    l->is_short = x->view.dtype == HOIST_DTYPE_I8;
    l->time_axis = time_major && shape.rank == 3 ? 0 : 1;
    // One time: [B, I] is [B, 1, I].
    if (shape.rank == 2) {
        shape = (hoist_shape){.rank = 3, .dim = {shape.dim[0], 1, shape.dim[1]}};
    }
    if ((!l->is_short && x->view.dtype != HOIST_DTYPE_F32) || shape.rank != 3 ||
        !hoist_lower_view_reshape(&x->view, &shape, &l->x)) {
        return misfit(l, INPUT, "is not of float32 or int8 in 2 or 3 dimensions");
    }
    shape.dim[2] = outputs;
    if (y->view.dtype != x->view.dtype || !hoist_lower_view_reshape(&y->view, &shape, &l->y)) {
        tflite_lower_misfit(l->j, RUN_030, l->op,
                            "the output is not %" PRId64 " numbers of the input's type for each "
                            "row of the input",
                            outputs);
        return false;
    }
    if (shape.dim[l->time_axis] > MOST_TIMES) {
        tflite_lower_misfit(l->j, RUN_031, l->op, "%" PRId64 " times, expected at most %d",
                            shape.dim[l->time_axis], MOST_TIMES);
        return false;
    }
    return true;
}

// From sums of products to Q3.12, of integers: scales of both operands over 2^-12. False: a scale
// is missing, which was reported.
static bool fill_factors(const tflite_lstm *l, tflite_gate *g)
{
    const tflite_lower_value *x = tflite_lower_input(l->j, l->op, INPUT);
    const tflite_lower_value *hidden = tflite_lower_input(l->j, l->op, HIDDEN_STATE);
    float of_x = 0;
    float of_hidden = 0;
    if (!tflite_lower_scale(l->j, l->op, x, &of_x) ||
        !tflite_lower_scale(l->j, l->op, hidden, &of_hidden) ||
        !tflite_lower_scale(l->j, l->op, g->weights, &g->factor) ||
        !tflite_lower_scale(l->j, l->op, g->recurrent, &g->recurrent_factor)) {
        return false;
    }
    g->factor = g->factor * of_x / GATE_SCALE;
    g->recurrent_factor = g->recurrent_factor * of_hidden / GATE_SCALE;
    return true;
}

// A gate's operands, and the step that computes W x + b of all times. False: it was reported.
static bool fill_gate(tflite_lstm *l, tflite_gate_kind kind, int64_t cells)
{
    // The cell gate has none.
    static const uint32_t peepholes[] = {PEEPHOLES, PEEPHOLES + 1, 0, PEEPHOLES + 2};
    static const hoist_dtype f32 = HOIST_DTYPE_F32;
    tflite_gate *g = &l->gates[kind];
    const form weights = {f32, HOIST_DTYPE_I8, cells, l->x.shape.dim[2]};
    const form recurrent = {f32, HOIST_DTYPE_I8, cells, l->y.shape.dim[2]};
    const hoist_shape times = {.rank = 3, .dim = {l->x.shape.dim[0], l->x.shape.dim[1], cells}};
    const hoist_shape one = {.rank = 2, .dim = {batch_of(l), cells}};
    g->weights = operand(l, WEIGHTS + kind, weights);
    g->recurrent = operand(l, RECURRENT + kind, recurrent);
    g->bias = operand(l, BIASES + kind, (form){f32, HOIST_DTYPE_I32, cells, 0});
    if (!g->weights || !g->recurrent || !g->bias ||
        (kind != TFLITE_GATE_CELL &&
         !optional(l, peepholes[kind], (form){f32, HOIST_DTYPE_I16, cells, 0}, &g->peephole)) ||
        (l->is_short && !fill_factors(l, g))) {
        return false;
    }
    g->given = scratch(l, "given", &times);
    g->sum = scratch(l, "gate", &one);
    return tflite_lstm_add_given(l, kind);
}

// A state. It has to be a variable, since the next run goes on from its numbers. False: it was
// reported.
static bool fill_state(const tflite_lstm *l, uint32_t input, hoist_dtype whole, int64_t columns,
                       hoist_lower_view *out_view)
{
    const form f = {HOIST_DTYPE_F32, whole, batch_of(l), columns};
    const tflite_lower_value *state = operand(l, input, f);
    if (!state) {
        return false;
    }
    *out_view = state->view;
    return state->tensor->is_variable || misfit(l, input, "is no variable");
}

// Of integers: the scale of the cell, a power of 2, as bits before the point of its 16-bit numbers;
// the cell's clip in steps; scale and zero point of o * tanh(c), which the file has as intermediate
// tensor 4. False: this was reported.
static bool fill_scales(tflite_lstm *l)
{
    const tflite_lower_value *cell = tflite_lower_input(l->j, l->op, CELL_STATE);
    const hoist_bytes intermediates = l->op->row->intermediates;
    float scale = 0;
    int exponent = 0;
    if (!tflite_lower_scale(l->j, l->op, cell, &scale)) {
        return false;
    }
    l->cell_bits = frexpf(scale, &exponent) == 0.5F ? 15 + exponent - 1 : -1; // scale 2^(bits - 15)
    if (l->cell_bits < 0 || l->cell_bits > 6) {
        return misfit(l, CELL_STATE, "has no scale of 2^-15 to 2^-9");
    }
    const float clip = l->cell_clip / scale;
    l->cell_clip = clip > 0 ? truncf(fminf(clip, INT16_MAX)) : 0;
    const tflite_tensor *product =
        tflite_count(intermediates) > OUTPUT_INTERMEDIATE
            ? tflite_tensor_at(l->j->graph, intermediates, OUTPUT_INTERMEDIATE)
            : NULL;
    if (!product || !product->quantization ||
        !tflite_quantity(product, &l->hidden_scale, &l->hidden_zero)) {
        tflite_lower_misfit(l->j, RUN_030, l->op, "it has no scale for the product of its output");
        return false;
    }
    return true;
}

// Cells (S) and outputs (O) are rows and columns of the output gate's recurrent weights, which
// every form of the operator has. False: it was reported.
static bool extents(const tflite_lstm *l, int64_t *out_cells, int64_t *out_outputs)
{
    const uint32_t input = RECURRENT + TFLITE_GATE_OUTPUT;
    const tflite_lower_value *v = tflite_lower_input(l->j, l->op, input);
    if (!v || v->view.shape.rank != 2) {
        return misfit(l, input, "is no matrix");
    }
    *out_cells = v->view.shape.dim[0];
    *out_outputs = v->view.shape.dim[1];
    return true;
}

// Everything but the steps of times; false: it was reported.
static bool fill(tflite_lstm *l, bool time_major)
{
    static const hoist_dtype f32 = HOIST_DTYPE_F32;
    int64_t cells = 0;
    int64_t outputs = 0;
    if (!extents(l, &cells, &outputs) || !fill_ends(l, time_major, outputs) ||
        !fill_state(l, HIDDEN_STATE, HOIST_DTYPE_I8, outputs, &l->hidden) ||
        !fill_state(l, CELL_STATE, HOIST_DTYPE_I16, cells, &l->cell) ||
        !optional(l, PROJECTION, (form){f32, f32, outputs, cells}, &l->projection) ||
        !optional(l, PROJECTION_BIAS, (form){f32, f32, outputs, 0}, &l->projection_bias) ||
        (l->is_short && !fill_scales(l))) {
        return false;
    }
    if (!l->projection && cells != outputs) {
        return misfit(l, PROJECTION, "is left out, and cells are not as many as outputs");
    }
    const hoist_shape one = {.rank = 2, .dim = {batch_of(l), cells}};
    // Without an input gate (CIFG: coupled input and forget gate) it is 1 - f.
    l->has_input_gate = tflite_lower_has_input(l->op, WEIGHTS);
    if (!l->has_input_gate && l->is_short) {
        return misfit(l, WEIGHTS, "is left out, which cannot be run of integers");
    }
    l->scratch = scratch(l, "scratch", &one);
    bool good = true;
    if (!l->has_input_gate) {
        l->gates[TFLITE_GATE_INPUT].sum = scratch(l, "gate", &one);
    }
    for (int kind = l->has_input_gate ? 0 : TFLITE_GATE_FORGET; kind < TFLITE_GATES && good;
         kind++) {
        good = fill_gate(l, (tflite_gate_kind)kind, cells);
    }
    return good;
}

// Layer normalisation has four more inputs, which are refused. False: it was reported.
static bool is_known(const tflite_lstm *l)
{
    const uint32_t count = tflite_count(l->op->row->inputs);
    if (count < FEWEST_INPUTS || count > MOST_INPUTS || tflite_count(l->op->row->outputs) != 1) {
        tflite_lower_misfit(l->j, RUN_030, l->op, "expected 20 to 24 inputs and 1 output");
        return false;
    }
    for (uint32_t i = NORMS; i < count; i++) {
        if (tflite_lower_has_input(l->op, i)) {
            return misfit(l, i, "normalises a gate, which cannot be run");
        }
    }
    return true;
}

// Both operators have the same inputs; LSTM is one time without a time dimension, and may be the
// basic cell, whose five inputs have other meanings.
void tflite_lower_lstm(tflite_lower_job *j, const tflite_lower_op *op)
{
    const bool is_sequence = op->code == TFLITE_OP_UNIDIRECTIONAL_SEQUENCE_LSTM;
    tflite_lstm l = {.j = j, .op = op};
    bool time_major = false;
    bool is_other = false;
    if (is_sequence) {
        const tflite_unidirectional_lstm_options *o = op->options;
        l.activation = o->fused_activation_function;
        l.cell_clip = o->cell_clip;
        l.projection_clip = o->proj_clip;
        time_major = o->time_major;
        is_other = o->diagonal_recurrent_tensors;
    } else {
        const tflite_lstm_options *o = op->options;
        l.activation = o->fused_activation_function;
        l.cell_clip = o->cell_clip;
        l.projection_clip = o->proj_clip;
        is_other = o->kernel_type != 0;
    }
    if (is_other) {
        tflite_lower_misfit(j, RUN_030, op, "%s",
                            is_sequence ? "recurrent weights that are diagonals"
                                        : "the kernel of a basic cell");
        return;
    }
    if (!is_known(&l) || !fill(&l, time_major)) {
        return;
    }
    bool good = true;
    for (int64_t time = 0; time < l.x.shape.dim[l.time_axis] && good; time++) {
        good = tflite_lstm_add_time(&l, time);
    }
}
