// Quantised TFLite models as programs: one function of the operators of the first subgraph, which a
// thread calls once for each run.
#include <inttypes.h>
#include <stddef.h>

#include "base/alloc.h"
#include "base/span.h"
#include "lower/tflite_lower.h"

// Reporting -------------------------------------------------------------------------------------

// Of an operator, or with NULL of the model, at `loc`.
HOIST_PRINTF(5, 0)
static void report(hoist_tflite_job *j, hoist_lower_rule_id rule, const hoist_tflite_op *op,
                   hoist_loc loc, const char *format, va_list args)
{
    hoist_frame frame;
    const hoist_str path =
        op ? hoist_arena_format(j->arena, "subgraphs/0/operators/%" PRIu32, op->index)
           : HOIST_STR("subgraphs/0");
    if (!path.data) {
        j->status = HOIST_NO_MEMORY;
        return;
    }
    hoist_diag_push(j->diag, &frame, NULL, HOIST_STR(""), path);
    const hoist_rule *row = hoist_lower_rule(rule);
    hoist_vreport(j->diag, row, loc, format, args);
    hoist_diag_pop(j->diag, &frame);
    j->refused = j->refused || row->severity == HOIST_ERROR;
}

static hoist_loc place_of(const hoist_tflite_job *j, const hoist_tflite_op *op)
{
    return op ? tflite_place(j->module, &tflite_operator_type, op->row,
                             offsetof(tflite_operator, opcode_index))
              : hoist_loc_none();
}

void hoist_tflite_refuse(hoist_tflite_job *j, hoist_lower_rule_id rule, const hoist_tflite_op *op,
                         const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(j, rule, op, place_of(j, op), format, args);
    va_end(args);
}

void hoist_tflite_refuse_tensor(hoist_tflite_job *j, hoist_lower_rule_id rule,
                                const hoist_tflite_op *op, const tflite_tensor *tensor,
                                const char *format, ...)
{
    const hoist_loc own =
        tflite_place(j->module, &tflite_tensor_type, tensor, offsetof(tflite_tensor, shape));
    va_list args;
    va_start(args, format);
    report(j, rule, op, op ? place_of(j, op) : own, format, args);
    va_end(args);
}

hoist_loc hoist_tflite_place(const hoist_tflite_job *j, const hoist_fb_type *type,
                             const void *object, size_t member)
{
    hoist_loc loc = tflite_place(j->module, type, object, member);
    loc.source = j->models->source;
    return loc;
}

void hoist_tflite_end(hoist_tflite_job *j, const hoist_tflite_op *op, hoist_status status)
{
    if (status == HOIST_UNSUPPORTED) {
        hoist_tflite_refuse(j, RUN_030, op, "operator %" PRIu32 " (%.*s): %s", op->index,
                            HOIST_STR_ARGS(op->name), j->layers.why);
    } else if (status != HOIST_OK) {
        j->status = status;
    }
}

// Functions -------------------------------------------------------------------------------------

// A function of the operators that come next; of a batch it has the number of the element.
static void begin_function(hoist_tflite_job *j)
{
    const hoist_prog_parameter element = {.name = HOIST_STR("element"), .layout = HOIST_NO_REF};
    const hoist_str prefix = j->models->prefix;
    const hoist_str name = j->is_driven
                               ? hoist_arena_format(j->arena, "%.*sgraph/%" PRIu32,
                                                    HOIST_STR_ARGS(prefix), j->part_count)
                               : hoist_arena_format(j->arena, "%.*sgraph", HOIST_STR_ARGS(prefix));
    if (!name.data) {
        j->status = HOIST_NO_MEMORY;
        return;
    }
    j->function = hoist_builder_begin_function(
        j->b, &(hoist_prog_function){.name = name,
                                     .parameters = &element,
                                     .parameter_count = hoist_models_batch(j->models) > 1 ? 1 : 0});
}

void hoist_tflite_end_function(hoist_tflite_job *j)
{
    if (j->function != HOIST_NO_REF) {
        hoist_builder_end_code(j->b);
        j->parts[j->part_count++] = (hoist_tflite_part){.function = j->function};
        j->function = HOIST_NO_REF;
    }
}

static void lower_operator(hoist_tflite_job *j, uint32_t index)
{
    char room[32];
    const tflite_operator *row = &j->graph->operators.items[index];
    const hoist_tflite_op op = {.index = index,
                                .row = row,
                                .name =
                                    tflite_code_name(tflite_code_of(j->module->model, row), room)};
    j->layers.loc =
        hoist_tflite_place(j, &tflite_operator_type, row, offsetof(tflite_operator, opcode_index));
    j->layers.label = hoist_arena_format(j->arena, "%.*s/%" PRIu32, HOIST_STR_ARGS(op.name), index);
    if (!j->layers.label.data) {
        j->status = HOIST_NO_MEMORY;
        return;
    }
    if (j->function == HOIST_NO_REF && !(j->is_driven && j->packages[index])) {
        begin_function(j);
    }
    hoist_tflite_operator(j, &op);
}

static void lower_graph(hoist_tflite_job *j)
{
    const uint32_t count = j->graph->operators.count;
    j->parts = hoist_arena_array(j->arena, 2 * (size_t)count + 1, sizeof *j->parts);
    if (!j->parts) {
        j->status = HOIST_NO_MEMORY;
        return;
    }
    hoist_tflite_ports(j);
    hoist_tflite_prepare(j);
    for (uint32_t i = 0; i < count && j->status == HOIST_OK; i++) {
        if (!j->left_out || !j->left_out[i]) {
            lower_operator(j, i);
        }
    }
    hoist_tflite_end_function(j);
}

// The program -----------------------------------------------------------------------------------

static void *prepare(hoist_models *m)
{
    const tflite_module *module = tflite_of(m->file->module);
    hoist_tflite_job *j = hoist_arena_array(&m->arena, 1, sizeof *j);
    if (!j) {
        m->status = HOIST_NO_MEMORY;
        return NULL;
    }
    *j = (hoist_tflite_job){.models = m,
                            .options = m->options,
                            .diag = m->diag,
                            .b = m->b,
                            .arena = &m->arena,
                            .names = &m->names,
                            .module = module,
                            .graph = module->model->subgraphs.items, // there is one: TFL-003
                            .function = HOIST_NO_REF};
    j->outputs = j->graph->outputs;
    hoist_quant_init(&j->layers, j->b, j->arena, j->names, m->host);
    j->values = hoist_arena_array(j->arena, j->graph->tensors.count, sizeof *j->values);
    if (!j->values) {
        m->status = HOIST_NO_MEMORY;
        return NULL;
    }
    if (m->options->on_unknown != HOIST_UNKNOWN_STOP) {
        hoist_tflite_cut(j);
    }
    if (j->status == HOIST_OK) {
        lower_graph(j);
    }
    m->refused = m->refused || j->refused;
    m->status = j->status;
    return j;
}

static void call_part(hoist_models *m, hoist_ref function)
{
    const uint32_t elements = hoist_models_batch(m);
    for (uint32_t i = 0; i < elements; i++) {
        const hoist_prog_value element = {.reg = HOIST_NO_REF, .number = i};
        hoist_models_call(m, function, HOIST_STR("graph"), elements > 1 ? &element : NULL);
    }
}

static void run(hoist_models *m, void *prepared)
{
    const hoist_tflite_job *j = prepared;
    for (uint32_t i = 0; i < j->part_count; i++) {
        const hoist_tflite_part *part = &j->parts[i];
        if (part->function == HOIST_NO_REF) {
            hoist_darwinn_run(part->package, &part->request);
        } else {
            call_part(m, part->function);
        }
    }
}

hoist_status hoist_lower_tflite(const hoist_lower_file *files, size_t count,
                                const hoist_check_options *check,
                                const hoist_lower_options *options, hoist_diag *diag,
                                hoist_program **out_program)
{
    static const hoist_models_kind kind = {"tflite", "memory", prepare, run};
    (void)check; // nothing in them is about models
    return hoist_models_lower(&kind, files, count, options, diag, out_program);
}
