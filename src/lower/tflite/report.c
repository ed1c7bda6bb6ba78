// Findings in models, the places of steps, and the function that operators are added to.
#include <inttypes.h>
#include <stddef.h>

#include "base/span.h"
#include "lower/tflite/state.h"

// Reporting -------------------------------------------------------------------------------------

// Place and object path of a finding: an operator, or with NULL the model, at `loc`.
static hoist_lower_place at(tflite_lower_job *j, const tflite_lower_op *op, hoist_loc loc)
{
    return (hoist_lower_place){
        .loc = loc,
        .path = {HOIST_STR("subgraphs/0"),
                 op ? hoist_lower_format(j->c, "operators/%" PRIu32, op->index) : HOIST_STR("")}};
}

static hoist_loc place_of(const tflite_lower_job *j, const tflite_lower_op *op)
{
    return op ? tflite_place(j->module, &tflite_operator_type, op->row,
                             offsetof(tflite_operator, opcode_index))
              : hoist_loc_none();
}

// The three functions differ in the text before the message and in the place. They return false so
// that callers can write `return tflite_lower_refuse(...)`.
bool tflite_lower_refuse(tflite_lower_job *j, hoist_lower_rule_id rule, const tflite_lower_op *op,
                         const char *format, ...)
{
    const hoist_lower_place place = at(j, op, place_of(j, op));
    va_list args;
    va_start(args, format);
    hoist_lower_vrefuse(j->c, hoist_lower_rule(rule), &place, format, args);
    va_end(args);
    return false;
}

bool tflite_lower_misfit(tflite_lower_job *j, hoist_lower_rule_id rule, const tflite_lower_op *op,
                         const char *format, ...)
{
    hoist_lower_place place = at(j, op, place_of(j, op));
    va_list args;
    // "operator 3 (ADD): ".
    place.front = hoist_lower_format(j->c, "operator %" PRIu32 " (%.*s): ", op->index,
                                     HOIST_STR_ARGS(op->name));
    va_start(args, format);
    hoist_lower_vrefuse(j->c, hoist_lower_rule(rule), &place, format, args);
    va_end(args);
    return false;
}

bool tflite_lower_refuse_tensor(tflite_lower_job *j, hoist_lower_rule_id rule,
                                const tflite_lower_op *op, const tflite_tensor *tensor,
                                const char *format, ...)
{
    const hoist_loc own =
        tflite_place(j->module, &tflite_tensor_type, tensor, offsetof(tflite_tensor, shape));
    const hoist_lower_place place = at(j, op, op ? place_of(j, op) : own);
    va_list args;
    va_start(args, format);
    hoist_lower_vrefuse(j->c, hoist_lower_rule(rule), &place, format, args);
    va_end(args);
    return false;
}

// The source is the index of the file in the job: places of several files stay apart.
hoist_loc tflite_lower_place(const tflite_lower_job *j, const hoist_fb_type *type,
                             const void *object, size_t member)
{
    hoist_loc loc = tflite_place(j->module, type, object, member);
    loc.source = j->models->source;
    return loc;
}

// RUN_030 has the sentence of the row or of quant.c. Other statuses end the lowering: memory,
// limits.
void tflite_lower_end(tflite_lower_job *j, const tflite_lower_op *op, hoist_status status)
{
    if (status == HOIST_UNSUPPORTED) {
        tflite_lower_misfit(j, RUN_030, op, "%s", j->layers.why);
    } else {
        hoist_lower_fail(j->c, status);
    }
}

// Functions -------------------------------------------------------------------------------------

// Functions are called "graph", or "graph/0" and so on where requests lie between them.
void tflite_lower_begin_function(tflite_lower_job *j)
{
    const hoist_prog_parameter element = {.name = HOIST_STR("element"), .layout = HOIST_NO_REF};
    const hoist_str prefix = j->models->prefix;
    const hoist_str name = j->is_driven
                               ? hoist_lower_name(j->c, prefix, "graph/%" PRIu32, j->part_count)
                               : hoist_lower_joined(j->c, prefix, HOIST_STR("graph"));
    if (!name.data) {
        return;
    }
    j->function = hoist_builder_begin_function(
        j->c->b, &(hoist_prog_function){.name = name,
                                        .parameters = &element,
                                        .parameter_count =
                                            darwinn_lower_models_batch(j->models) > 1 ? 1 : 0});
}

// Called before each request of a driver and after the last operator; without code being built it
// does nothing.
void tflite_lower_end_function(tflite_lower_job *j)
{
    if (j->function != HOIST_NO_REF) {
        hoist_builder_end_code(j->c->b);
        j->parts[j->part_count++] = (tflite_lower_part){.function = j->function};
        j->function = HOIST_NO_REF;
    }
}
