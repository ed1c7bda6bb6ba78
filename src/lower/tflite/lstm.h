// lower/tflite/lstm.h - what the operands of an LSTM (lstm.c) and its steps (lstm_steps.c) share.
#ifndef HOIST_SRC_LOWER_TFLITE_LSTM_H
#define HOIST_SRC_LOWER_TFLITE_LSTM_H

#include "lower/tflite/state.h"

// In the order of the file's operands: weights, recurrent weights and biases of gate k are at a
// first operand + k.
typedef enum tflite_gate_kind {
    TFLITE_GATE_INPUT = 0,
    TFLITE_GATE_FORGET,
    TFLITE_GATE_CELL,
    TFLITE_GATE_OUTPUT,
    TFLITE_GATES,
} tflite_gate_kind;

// Sizes below: B elements of a batch, T times, I inputs, S cells, O outputs.
typedef struct tflite_gate {
    const tflite_lower_value *weights, *recurrent; // [S, I], [S, O]
    const tflite_lower_value *bias, *peephole;     // [S]; NULL: none
    float factor, recurrent_factor;                // integers: from sums to the steps of the gate
    hoist_lower_view given; // [B, T, S]: what comes of the inputs, with the bias
    hoist_lower_view sum;   // [B, S], of one time
} tflite_gate;

// The operands of one operator. Either all numbers are float32, or (`is_short`) inputs and outputs
// are int8, gates and cells int16.
typedef struct tflite_lstm {
    tflite_lower_job *j;
    const tflite_lower_op *op;
    bool is_short;
    int time_axis;         // of x and y: 1, or 0 where times come first
    hoist_lower_view x, y; // [B, T, I], [B, T, O]
    bool has_input_gate;   // else it is what the forget gate leaves over
    tflite_gate gates[TFLITE_GATES];
    hoist_lower_view hidden, cell;                          // states, [B, O] and [B, S]
    hoist_lower_view scratch;                               // [B, S]
    const tflite_lower_value *projection, *projection_bias; // [O, S], [O]; NULL: none
    int8_t activation;                                      // of the cell gate and the cell
    float cell_clip, projection_clip;                       // 0: none
    int cell_bits;      // integers: bits of the cell before the point
    float hidden_scale; // integers: of the product that the output is
    int64_t hidden_zero;
} tflite_lstm;

// What comes of all inputs at once, to `given`. False, here and below: it does not fit, which was
// reported.
bool tflite_lstm_add_given(const tflite_lstm *l, tflite_gate_kind kind);
// The steps of one time.
bool tflite_lstm_add_time(const tflite_lstm *l, int64_t time);

#endif // HOIST_SRC_LOWER_TFLITE_LSTM_H
