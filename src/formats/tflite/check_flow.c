// Which operators write and read the tensors of a subgraph (TFL-007, 019 to 022), and names of
// tensors (TFL-026). A tensor has a value before the first operator when it is an input, a constant
// or a variable, or has no elements. Two walks over the operators: the first notes the writers, the
// second checks the readers against them.
#include <inttypes.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/span.h"
#include "formats/tflite/check.h"

typedef struct flow {
    tflite_checker *c;
    const tflite_subgraph *graph;
    bool *is_given;    // has a value before the first operator; owned
    uint32_t *writers; // of each tensor: its first writer's index + 1; 0: none; owned
} flow;

// Tensors are handled as pointers into the subgraph's list, which gives the index back.
static uint32_t index_of(const flow *f, const tflite_tensor *tensor)
{
    return (uint32_t)(tensor - f->graph->tensors.items);
}

// Fills is_given. A buffer of 0 bytes is no constant: converters give every tensor one.
static void find_given(flow *f)
{
    const tflite_subgraph *const graph = f->graph;
    for (uint32_t i = 0; i < graph->tensors.count; i++) {
        const tflite_tensor *const tensor = &graph->tensors.items[i];
        int64_t count = 0;
        const bool is_empty = tflite_elements(tensor, &count) && count == 0;
        f->is_given[i] = tensor->is_variable || is_empty || tensor->external_buffer ||
                         tflite_buffer_data(f->c->module, tensor->buffer).size > 0;
    }
    for (uint32_t i = 0; i < tflite_count(graph->inputs); i++) {
        const tflite_tensor *const tensor = tflite_tensor_at(graph, graph->inputs, i);
        if (tensor) {
            f->is_given[index_of(f, tensor)] = true;
        }
    }
}

// Any operator may write a variable; a tensor without elements has no value that differs.
static bool may_be_written(const flow *f, const tflite_tensor *tensor)
{
    int64_t count = 0;
    return !f->is_given[index_of(f, tensor)] || tensor->is_variable ||
           (tflite_elements(tensor, &count) && count == 0);
}

// The first writer is kept, so that a reader after it is not reported in addition to TFL-019.
static void note_writer(flow *f, const tflite_operator *op, uint32_t op_index,
                        const tflite_tensor *tensor)
{
    uint32_t *const writer = &f->writers[index_of(f, tensor)];
    const hoist_loc place = TFLITE_PLACE(f->c, operator, op, outputs);
    if (!may_be_written(f, tensor)) {
        tflite_report(f->c->diag, TFL_019, place,
                      "the operator writes tensor %" PRIu32 " ('%.*s'), an input or a constant",
                      index_of(f, tensor), HOIST_STR_ARGS(tensor->name));
    } else if (*writer && !tensor->is_variable) {
        tflite_report(f->c->diag, TFL_019, place,
                      "the operator writes tensor %" PRIu32 " ('%.*s'), as operator %" PRIu32
                      " does",
                      index_of(f, tensor), HOIST_STR_ARGS(tensor->name), *writer - 1);
    }
    *writer = *writer ? *writer : op_index + 1;
}

// Inputs of a custom operator may be memory that it works in, as the scratch of an Ethos-U is.
static bool may_have_memory(const flow *f, const tflite_operator *op)
{
    const tflite_operator_code *code = tflite_code_of(f->c->module->model, op);
    return code && tflite_code_number(code) == TFLITE_OP_CUSTOM && !tflite_is_edgetpu(code);
}

// An operator that reads its own output is TFL-020, too: writer - 1 == op_index.
static void note_reader(flow *f, const tflite_operator *op, uint32_t op_index,
                        const tflite_tensor *tensor)
{
    const uint32_t writer = f->writers[index_of(f, tensor)];
    const hoist_loc place = TFLITE_PLACE(f->c, operator, op, inputs);
    if (f->is_given[index_of(f, tensor)] || (writer && writer - 1 < op_index)) {
        return;
    }
    if (!writer && may_have_memory(f, op)) {
        return;
    }
    if (!writer) {
        tflite_report(f->c->diag, TFL_021, place,
                      "the operator reads tensor %" PRIu32 " ('%.*s'), which nothing writes",
                      index_of(f, tensor), HOIST_STR_ARGS(tensor->name));
    } else {
        tflite_report(f->c->diag, TFL_020, place,
                      "the operator reads tensor %" PRIu32 " ('%.*s'), which operator %" PRIu32
                      " writes",
                      index_of(f, tensor), HOIST_STR_ARGS(tensor->name), writer - 1);
    }
}

// note_writer or note_reader.
typedef void note(flow *f, const tflite_operator *op, uint32_t op_index,
                  const tflite_tensor *tensor);

// Walks the inputs or the outputs of all operators, in the order in which they run. -1, an input
// that is left out, and indices that do not exist have no tensor; TFL-006 reports the latter.
static void walk_operators(flow *f, bool outputs, note *call)
{
    for (uint32_t i = 0; i < f->graph->operators.count; i++) {
        const tflite_operator *const op = &f->graph->operators.items[i];
        const hoist_bytes list = outputs ? op->outputs : op->inputs;
        hoist_frame frame;
        hoist_diag_push_item(f->c->diag, &frame, "operators", i);
        for (uint32_t k = 0; k < tflite_count(list); k++) {
            const tflite_tensor *const tensor = tflite_tensor_at(f->graph, list, k);
            if (tensor) {
                call(f, op, i, tensor);
            }
        }
        hoist_diag_pop(f->c->diag, &frame);
    }
}

// Inputs that nothing writes are given by definition, so TFL-022 concerns outputs only.
static void check_border(flow *f, hoist_bytes list, const char *what, hoist_loc place)
{
    tflite_checker *const c = f->c;
    for (uint32_t i = 0; i < tflite_count(list); i++) {
        const tflite_tensor *const tensor = tflite_tensor_at(f->graph, list, i);
        if (!tensor) {
            tflite_report(c->diag, TFL_007, place,
                          "%s %" PRIu32 " is tensor %" PRId32 ", the subgraph has %" PRIu32, what,
                          i, hoist_fb_i32(list, i), f->graph->tensors.count);
        } else if (!f->is_given[index_of(f, tensor)] && !f->writers[index_of(f, tensor)]) {
            tflite_report(c->diag, TFL_022, place,
                          "%s %" PRIu32 " is tensor %" PRIu32 " ('%.*s'), which nothing writes",
                          what, i, index_of(f, tensor), HOIST_STR_ARGS(tensor->name));
        }
    }
}

// One finding per file (named_twice): converters that drop names make thousands of equal ones.
static hoist_status check_names(flow *f)
{
    hoist_map names;
    hoist_status status = HOIST_OK;
    hoist_map_init(&names, f->c->module->base.alloc);
    for (uint32_t i = 0; i < f->graph->tensors.count && status != HOIST_NO_MEMORY; i++) {
        const tflite_tensor *const tensor = &f->graph->tensors.items[i];
        size_t before = 0;
        if (tensor->name.size == 0 || f->c->named_twice) {
            continue;
        }
        // HOIST_BUSY: an earlier tensor, whose index is then in `before`, has the name.
        status = hoist_map_add(&names, tensor->name, i, &before);
        if (status == HOIST_BUSY) {
            hoist_frame frame;
            hoist_diag_push_item(f->c->diag, &frame, "tensors", i);
            tflite_report(f->c->diag, TFL_026, TFLITE_PLACE(f->c, tensor, tensor, name),
                          "tensors %zu and %" PRIu32 " are both named '%.*s'", before, i,
                          HOIST_STR_ARGS(tensor->name));
            hoist_diag_pop(f->c->diag, &frame);
            f->c->named_twice = true;
        }
    }
    hoist_map_deinit(&names);
    return status == HOIST_NO_MEMORY ? status : HOIST_OK;
}

hoist_status tflite_check_flow(tflite_checker *c, const tflite_subgraph *graph)
{
    const hoist_allocator alloc = c->module->base.alloc;
    const size_t count = graph->tensors.count;
    flow f = {.c = c,
              .graph = graph,
              .is_given = hoist_alloc_zero(alloc, count, sizeof(bool)),
              .writers = hoist_alloc_zero(alloc, count, sizeof(uint32_t))};
    hoist_status status = count == 0 || (f.is_given && f.writers) ? HOIST_OK : HOIST_NO_MEMORY;
    if (status == HOIST_OK) {
        find_given(&f);
        walk_operators(&f, true, note_writer);
        // All writers are known before the first reader is checked.
        walk_operators(&f, false, note_reader);
        check_border(&f, graph->inputs, "input", TFLITE_PLACE(c, subgraph, graph, inputs));
        check_border(&f, graph->outputs, "output", TFLITE_PLACE(c, subgraph, graph, outputs));
        status = check_names(&f);
    }
    hoist_free(alloc, f.is_given, count * sizeof(bool));
    hoist_free(alloc, f.writers, count * sizeof(uint32_t));
    return status;
}
