// Models with operators that cannot be run, as far as they can: these are left out with all that
// follows from them, and what they read are outputs instead.
// In: the graph's operators. Out: j->left_out and j->outputs, a list of tensors as in the file.
// lower.c calls it only where the user asked for what can be run.
#include <inttypes.h>

#include "base/reader.h"
#include "base/span.h"
#include "lower/tflite/state.h"

typedef struct cutter {
    tflite_lower_job *j;
    bool *made;       // arena; by tensor: an operator that is kept writes it
    bool *lost;       // arena; by tensor: one that is left out does
    bool *given;      // arena; by tensor: it is among the outputs
    uint8_t *outputs; // arena; capacity for all tensors
    size_t count;     // of outputs
} cutter;

// The tensor of a list's item; -1: it was left out, or there is none.
static int64_t tensor_of(const cutter *c, hoist_bytes list, uint32_t item)
{
    const int32_t tensor = hoist_fb_i32(list, item);
    return tensor >= 0 && (uint32_t)tensor < c->j->graph->tensors.count ? tensor : -1;
}

// True for what depends on an operator that is left out.
static bool reads_lost(const cutter *c, const tflite_operator *row)
{
    bool found = false;
    for (uint32_t i = 0; i < tflite_count(row->inputs) && !found; i++) {
        const int64_t tensor = tensor_of(c, row->inputs, i);
        found = tensor >= 0 && c->lost[tensor];
    }
    return found;
}

// Adds an output once; -1 is passed over.
static void give(cutter *c, int64_t tensor)
{
    if (tensor >= 0 && !c->given[tensor]) {
        c->given[tensor] = true;
        hoist_store_u32le(c->outputs + c->count++ * sizeof(uint32_t), (uint32_t)tensor);
    }
}

// Sets the marks of all tensors of a list.
static void mark(const cutter *c, hoist_bytes list, bool *marks)
{
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const int64_t tensor = tensor_of(c, list, i);
        if (tensor >= 0) {
            marks[tensor] = true;
        }
    }
}

// One pass is enough: operators are in the order of execution (TFL-020).
static void choose_operators(cutter *c)
{
    for (uint32_t i = 0; i < c->j->graph->operators.count; i++) {
        const tflite_operator *row = &c->j->graph->operators.items[i];
        c->j->left_out[i] = !tflite_lower_is_known(c->j, row) || reads_lost(c, row);
        mark(c, row->outputs, c->j->left_out[i] ? c->lost : c->made);
    }
}

// The new outputs: those of the graph that are still made, then the tensors at the cut, which
// operators that are kept make and others that are left out would read.
static void choose_outputs(cutter *c)
{
    const tflite_subgraph *graph = c->j->graph;
    for (uint32_t i = 0; i < tflite_count(graph->outputs); i++) {
        const int64_t tensor = tensor_of(c, graph->outputs, i);
        give(c, tensor >= 0 && !c->lost[tensor] ? tensor : -1);
    }
    for (uint32_t i = 0; i < graph->operators.count; i++) {
        const hoist_bytes inputs = graph->operators.items[i].inputs;
        for (uint32_t k = 0; c->j->left_out[i] && k < tflite_count(inputs); k++) {
            const int64_t tensor = tensor_of(c, inputs, k);
            give(c, tensor >= 0 && c->made[tensor] && !c->lost[tensor] ? tensor : -1);
        }
    }
}

// A note for each operator, with the reason, and its name in the program's list of what is missing.
static void report_lost(tflite_lower_job *j)
{
    for (uint32_t i = 0; i < j->graph->operators.count; i++) {
        const tflite_operator *row = &j->graph->operators.items[i];
        char buffer[32];
        const tflite_lower_op op = {
            .index = i,
            .row = row,
            .name = tflite_code_name(tflite_code_of(j->module->model, row), buffer)};
        if (j->left_out[i]) {
            hoist_builder_leave_out(
                j->c->b, hoist_lower_format(j->c, "%.*s/%" PRIu32, HOIST_STR_ARGS(op.name), i));
            tflite_lower_refuse(j, RUN_040, &op, "operator %" PRIu32 " (%.*s) is left out: %s", i,
                                HOIST_STR_ARGS(op.name),
                                tflite_lower_is_known(j, row)
                                    ? "it reads what another one would make"
                                    : "it cannot be run");
        }
    }
}

void tflite_lower_cut(tflite_lower_job *j)
{
    const size_t tensors = (size_t)j->graph->tensors.count + 1;
    cutter c = {.j = j};
    j->left_out =
        hoist_lower_array(j->c, (size_t)j->graph->operators.count + 1, sizeof *j->left_out);
    c.made = hoist_lower_array(j->c, tensors, sizeof *c.made);
    c.lost = hoist_lower_array(j->c, tensors, sizeof *c.lost);
    c.given = hoist_lower_array(j->c, tensors, sizeof *c.given);
    c.outputs = hoist_lower_array(j->c, tensors, sizeof(uint32_t));
    if (!j->left_out || !c.made || !c.lost || !c.given || !c.outputs) {
        return;
    }
    choose_operators(&c);
    choose_outputs(&c);
    if (c.count > 0) {
        report_lost(j);
        j->outputs = (hoist_bytes){c.outputs, c.count * sizeof(uint32_t)};
    } else {
        // Without any output the cut is undone, so that lowering refuses the unknown operators by
        // name.
        j->left_out = NULL;
    }
}
