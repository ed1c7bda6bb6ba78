// The views that a step reads and writes, visited in the order of its operands: one table for
// verifier, planner and machine.
#include "program/uses.h"

typedef struct sink {
    void (*use)(void *self, hoist_step_use use);
    void *self;
} sink;

// HOIST_NO_REF: the operands of a barrier.
static void send(const sink *s, hoist_ref view, bool written)
{
    if (view != HOIST_NO_REF) {
        s->use(s->self, (hoist_step_use){view, written});
    }
}

// Views may be named several times; each is sent.
static void send_list(const sink *s, const hoist_ref *views, uint32_t count, bool written)
{
    for (uint32_t i = 0; i < count; i++) {
        send(s, views[i], written);
    }
}

// What the function, or any of the table, does with its parameter.
// Of a table any function may be called, so one that writes is enough.
static bool is_written(const hoist_program *program, const hoist_prog_target *target,
                       uint32_t index)
{
    const hoist_ref *list = target->function == HOIST_NO_REF ? target->table : &target->function;
    const uint32_t count = target->function == HOIST_NO_REF ? target->table_count : 1;
    for (uint32_t i = 0; i < count; i++) {
        const hoist_prog_function *f = &program->functions[list[i]];
        if (index < f->parameter_count && f->parameters[index].written) {
            return true;
        }
    }
    return false;
}

// Whether a view is written depends on what the callee does with its parameter.
static void send_arguments(const sink *s, const hoist_program *program,
                           const hoist_prog_target *target)
{
    for (uint32_t i = 0; i < target->argument_count; i++) {
        if (target->arguments[i].is_view) {
            send(s, target->arguments[i].view, is_written(program, target, i));
        }
    }
}

void hoist_step_uses(const hoist_program *program, const hoist_prog_step *step,
                     void (*use)(void *self, hoist_step_use use), void *self)
{
    const sink s = {use, self};
    switch (step->kind) {
    case HOIST_STEP_CALL:
    case HOIST_STEP_POST:
        send_arguments(&s, program, &step->as.call.target);
        break;
    case HOIST_STEP_MOVE:
        for (uint32_t i = 0; i < step->as.move->source_count; i++) {
            send(&s, step->as.move->sources[i].view, false);
        }
        send(&s, step->as.move->destination, true);
        break;
    case HOIST_STEP_COMPUTE:
        send_list(&s, step->as.compute->inputs, step->as.compute->input_count, false);
        send_list(&s, step->as.compute->outputs, step->as.compute->output_count, true);
        break;
    case HOIST_STEP_COLLECTIVE:
        send(&s, step->as.collective->source, false);
        send(&s, step->as.collective->destination, true);
        break;
    case HOIST_STEP_OPAQUE:
        send_list(&s, step->as.opaque->reads, step->as.opaque->read_count, false);
        send_list(&s, step->as.opaque->writes, step->as.opaque->write_count, true);
        break;
    // Control steps name no views.
    default:
        break;
    }
}
