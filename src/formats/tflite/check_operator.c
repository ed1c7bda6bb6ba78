// The checks of an operator by itself: its kind, the numbers of its tensors and how many they are
// (TFL-005, 006, 031, 032, 037). check_options.c checks its options, check_flow.c the values of its
// tensors.
#include <inttypes.h>
#include <string.h>

#include "formats/tflite/check.h"

// `what` is "input", "output" or "intermediate"; only inputs may be -1.
static void check_list(tflite_checker *c, const tflite_subgraph *graph, hoist_loc place,
                       const char *what, hoist_bytes list)
{
    const bool optional = strcmp(what, "input") == 0;
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const int32_t tensor = hoist_fb_i32(list, i);
        const bool left_out = optional && tensor == -1;
        if (!left_out && (tensor < 0 || (uint32_t)tensor >= graph->tensors.count)) {
            tflite_report(c->diag, TFL_006, place,
                          "%s %" PRIu32 " is tensor %" PRId32 ", the subgraph has %" PRIu32, what,
                          i, tensor, graph->tensors.count);
        }
    }
}

// The number of inputs or outputs against the operator's row, with a message for each form of
// bound.
static void check_count(tflite_checker *c, hoist_loc place, const tflite_operator_row *row,
                        const char *what, uint32_t count)
{
    const bool inputs = strcmp(what, "input") == 0;
    const uint32_t least = inputs ? row->fewest : row->outputs == TFLITE_MANY ? 0 : row->outputs;
    const uint32_t most = inputs ? row->most : row->outputs;
    if (count >= least && (most == TFLITE_MANY || count <= most)) {
        return;
    }
    if (least == most) {
        tflite_report(c->diag, TFL_031, place, "%s has %" PRIu32 " %s%s, expected %" PRIu32,
                      row->name, count, what, count == 1 ? "" : "s", least);
    } else if (most == TFLITE_MANY) {
        tflite_report(c->diag, TFL_031, place,
                      "%s has %" PRIu32 " %s%s, expected %" PRIu32 " or more", row->name, count,
                      what, count == 1 ? "" : "s", least);
    } else {
        tflite_report(c->diag, TFL_031, place,
                      "%s has %" PRIu32 " %s%s, expected %" PRIu32 " to %" PRIu32, row->name, count,
                      what, count == 1 ? "" : "s", least, most);
    }
}

// The index of a called subgraph, where the options name one; cycles are check_calls.c.
static void check_callees(tflite_checker *c, const tflite_operator *op)
{
    int64_t callees[2];
    const size_t count = tflite_callees(op, callees);
    for (size_t i = 0; i < count; i++) {
        if (callees[i] < 0 || callees[i] >= c->model->subgraphs.count) {
            tflite_report(c->diag, TFL_032, TFLITE_PLACE(c, operator, op, builtin_options),
                          "the operator calls subgraph %" PRId64 ", the model has %" PRIu32,
                          callees[i], c->model->subgraphs.count);
        }
    }
}

// The third input of convolutions (TFL-037). A list of two is left to the kernel of
// DEPTHWISE_CONV_2D, which accepts it, and refused by that of CONV_2D.
static void check_bias(tflite_checker *c, const tflite_operator *op, int32_t number)
{
    const uint32_t count = tflite_count(op->inputs);
    const hoist_loc place = TFLITE_PLACE(c, operator, op, inputs);
    const bool is_left_out = count == 3 && hoist_fb_i32(op->inputs, 2) == -1;
    if (number == TFLITE_OP_CONV_2D && (count == 2 || is_left_out)) {
        tflite_report(c->diag, TFL_037, place, "CONV_2D has no bias, expected one, be it zeros");
    } else if (number == TFLITE_OP_DEPTHWISE_CONV_2D && is_left_out) {
        tflite_report(c->diag, TFL_037, place,
                      "the third input of DEPTHWISE_CONV_2D is -1, expected a bias or two inputs");
    }
}

// What depends on the kind. An operator without a known kind has no counts or options to check: a
// newer converter may have written it (TFL-023 warns).
static void check_kind(tflite_checker *c, const tflite_operator *op)
{
    const tflite_operator_code *const code = tflite_code_of(c->model, op);
    if (!code) {
        tflite_report(c->diag, TFL_005, TFLITE_PLACE(c, operator, op, opcode_index),
                      "the operator has code %" PRIu32 ", the model has %" PRIu32, op->opcode_index,
                      c->model->operator_codes.count);
        return;
    }
    // NULL: of no known kind.
    const tflite_operator_row *const row = tflite_operator_get(tflite_code_number(code));
    if (row) {
        check_count(c, TFLITE_PLACE(c, operator, op, inputs), row, "input",
                    tflite_count(op->inputs));
        check_count(c, TFLITE_PLACE(c, operator, op, outputs), row, "output",
                    tflite_count(op->outputs));
        check_bias(c, op, tflite_code_number(code));
        tflite_check_options(c, op, row);
        check_callees(c, op);
    }
}

void tflite_check_operators(tflite_checker *c, const tflite_subgraph *graph)
{
    for (uint32_t i = 0; // the deadline: a file of a few MB can have millions of operators
         i < graph->operators.count && hoist_deadline_look(c->module->base.deadline) == HOIST_OK;
         i++) {
        const tflite_operator *const op = &graph->operators.items[i];
        hoist_frame frame;
        hoist_diag_push_item(c->diag, &frame, "operators", i);
        check_list(c, graph, TFLITE_PLACE(c, operator, op, inputs), "input", op->inputs);
        check_list(c, graph, TFLITE_PLACE(c, operator, op, outputs), "output", op->outputs);
        check_list(c, graph, TFLITE_PLACE(c, operator, op, intermediates), "intermediate",
                   op->intermediates);
        check_kind(c, op);
        hoist_diag_pop(c->diag, &frame);
    }
}
