// Registers, actions and posted functions, which the passes over a program share: execute.c and
// varinst.c decide on actions, program.c makes the thread of them. Registers of one thread:
// variables first, in the order of buda_code, so that a variable's number is its register's.
#include "lower/buda/control.h"

// HOIST_NO_REF when memory runs out, which the context remembers.
hoist_ref buda_lower_new_register(buda_lower_thread *t, hoist_str name, hoist_lifetime lifetime,
                                  int64_t initial)
{
    const hoist_prog_register row = {.name = name, .lifetime = lifetime, .initial = initial};
    return hoist_lower_add(&t->l->c, (void **)&t->registers, &t->register_count,
                           &t->register_capacity, &row, sizeof row)
               ? (hoist_ref)t->register_count - 1
               : HOIST_NO_REF;
}

// `order` keeps actions of one instruction in the order in which they were added, also when an
// earlier instruction gets one later (capture() in execute.c).
void buda_lower_act(buda_lower_thread *t, size_t at, const buda_lower_action *action)
{
    buda_lower_action row = *action;
    row.at = at;
    row.order = t->action_count;
    (void)hoist_lower_add(&t->l->c, (void **)&t->actions, &t->action_count, &t->action_capacity,
                          &row, sizeof row);
}

// "program/instruction/n": no other function of the program is called that.
static hoist_str function_name(buda_lower_thread *t)
{
    return hoist_lower_name(&t->l->c, t->code->program->name.text, "/%zu/%zu", t->at,
                            t->functions++);
}

// "p0", "p1", ...: the arguments come from registers of the thread, see execute.c.
hoist_ref buda_lower_begin(buda_lower_thread *t, size_t count)
{
    buda_lower_job *l = t->l;
    hoist_prog_parameter *parameters = hoist_lower_scratch(&l->c, count, sizeof *parameters);
    for (size_t i = 0; parameters && i < count; i++) {
        parameters[i] = (hoist_prog_parameter){.name = hoist_lower_format(&l->c, "p%zu", i),
                                               .layout = HOIST_NO_REF};
    }
    return hoist_builder_begin_function(
        l->c.b, &(hoist_prog_function){.name = function_name(t),
                                       .loc = hoist_loc_pos(t->code->steps[t->at].instr->pos),
                                       .parameters = parameters,
                                       .parameter_count = parameters ? (uint32_t)count : 0});
}

// Variables are registers of the same number; a bad immediate was refused by check and is `absent`
// here.
hoist_prog_value buda_lower_operand(const buda_operand *operand, int64_t absent)
{
    switch (operand->kind) {
    case BUDA_OPERAND_NUMBER:
        return hoist_lower_number(operand->value);
    case BUDA_OPERAND_VARIABLE:
        return hoist_lower_register((hoist_ref)operand->variable);
    case BUDA_OPERAND_ABSENT:
    case BUDA_OPERAND_BAD:
        break;
    }
    return hoist_lower_number(absent);
}

// The label of a step is the instruction's word, for traces and timelines.
hoist_prog_step buda_lower_step_at(const buda_lower_thread *t, hoist_step_kind kind)
{
    const buda_instr *instr = t->code->steps[t->at].instr;
    return (hoist_prog_step){.kind = kind, .loc = hoist_loc_pos(instr->pos), .label = instr->word};
}

// Steps of the function that is being built, not of the thread.
void buda_lower_fifo_step(buda_lower_thread *t, hoist_step_kind kind, size_t queue,
                          hoist_prog_value value)
{
    hoist_prog_step step = buda_lower_step_at(t, kind);
    step.as.fifo.fifo = t->l->fifos[queue];
    step.as.fifo.value = value;
    (void)hoist_builder_step(t->l->c.b, &step);
}

void buda_lower_set_pointer(buda_lower_thread *t, size_t queue, hoist_fifo_pointer pointer,
                            hoist_prog_value value)
{
    hoist_prog_step step = buda_lower_step_at(t, HOIST_STEP_SET_POINTER);
    step.as.fifo.fifo = t->l->fifos[queue];
    step.as.fifo.pointer = pointer;
    step.as.fifo.value = value;
    (void)hoist_builder_step(t->l->c.b, &step);
}
