// Quantised TFLite models as programs: one function of the operators of the first subgraph, which a
// thread calls once for each run.
#include "lower/tflite/lower.h"

#include <inttypes.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/span.h"
#include "lower/tflite/state.h"

// Functions -------------------------------------------------------------------------------------

// Adds one operator to the function at hand. A new function begins after a request of the driver:
// requests end the function before them (custom.c).
static void lower_operator(tflite_lower_job *j, uint32_t index)
{
    char buffer[32];
    const tflite_operator *row = &j->graph->operators.items[index];
    const tflite_lower_op op = {
        .index = index,
        .row = row,
        .name = tflite_code_name(tflite_code_of(j->module->model, row), buffer)};
    // Place and name of all steps that the operator's layers add: "CONV_2D/3".
    j->layers.loc =
        tflite_lower_place(j, &tflite_operator_type, row, offsetof(tflite_operator, opcode_index));
    j->layers.label = hoist_lower_name(j->c, op.name, "/%" PRIu32, index);
    if (!j->layers.label.data) {
        return;
    }
    // A driven request is no step.
    if (j->function == HOIST_NO_REF && !(j->is_driven && j->packages[index])) {
        tflite_lower_begin_function(j);
    }
    tflite_lower_operator(j, &op);
}

// The order matters: shapes that options give are known before ports are made, ports before the
// operators' tensors (they keep the file's names), packages before functions (they add functions of
// their own).
static void lower_graph(tflite_lower_job *j)
{
    const uint32_t count = j->graph->operators.count;
    // Operators alternate with requests at most: one function and one request for each.
    j->parts = hoist_lower_array(j->c, 2 * (size_t)count + 1, sizeof *j->parts);
    if (!j->parts) {
        return;
    }
    tflite_lower_host_shapes(j);
    tflite_lower_ports(j);
    tflite_lower_prepare(j);
    for (uint32_t i = 0; i < count && j->c->status == HOIST_OK; i++) {
        if (!j->left_out || !j->left_out[i]) {
            lower_operator(j, i);
        }
    }
    tflite_lower_end_function(j);
}

// The program -----------------------------------------------------------------------------------

// Runs before any thread is built, since code cannot be nested. NULL or a job whose status failed.
static void *prepare(darwinn_lower_models *m)
{
    const tflite_module *module = tflite_of(m->file->module);
    tflite_lower_job *j = hoist_lower_array(&m->c, 1, sizeof *j);
    if (!j) {
        return NULL;
    }
    *j = (tflite_lower_job){.models = m,
                            .c = &m->c,
                            .module = module,
                            .graph = module->model->subgraphs.items, // there is one: TFL-003
                            .function = HOIST_NO_REF};
    j->outputs = j->graph->outputs;
    hoist_quant_init(&j->layers, j->c, m->host);
    if (m->c.options->requantization == HOIST_REQUANTIZE_SINGLE) { // TFLite's optimised kernels
        j->layers.requantization = HOIST_REQUANTIZE_SINGLE;
    }
    j->values = hoist_lower_array(j->c, j->graph->tensors.count, sizeof *j->values);
    // Unknown operators are cut off only where the caller asks for the rest of the model.
    if (j->values && m->c.options->on_unknown != HOIST_UNKNOWN_STOP) {
        tflite_lower_cut(j);
    }
    if (j->c->status == HOIST_OK) {
        lower_graph(j);
    }
    return j;
}

// One call for each element of the batch, which the function gets as its parameter.
static void call_part(darwinn_lower_models *m, hoist_ref function)
{
    const uint32_t elements = darwinn_lower_models_batch(m);
    for (uint32_t i = 0; i < elements; i++) {
        const hoist_prog_value element = {.reg = HOIST_NO_REF, .number = i};
        darwinn_lower_models_call(m, function, HOIST_STR("graph"), elements > 1 ? &element : NULL);
    }
}

// Adds the parts to the thread, in their order.
static void run(darwinn_lower_models *m, void *prepared)
{
    const tflite_lower_job *j = prepared;
    for (uint32_t i = 0; i < j->part_count; i++) {
        const tflite_lower_part *part = &j->parts[i];
        if (part->function == HOIST_NO_REF) {
            darwinn_lower_run(part->package, &part->request);
        } else {
            call_part(m, part->function);
        }
    }
}

hoist_status tflite_lower(const hoist_file *files, size_t count, const hoist_check_options *check,
                          const hoist_lower_options *options, hoist_diag *diag,
                          hoist_program **out_program)
{
    // Name of programs, and of the space of tensors.
    static const darwinn_lower_models_kind kind = {"tflite", "memory", prepare, run};
    (void)check; // nothing in them is about models
    return darwinn_lower_models_lower(&kind, files, count, options, diag, out_program);
}
