// Programs as threads: variables are registers, loops are loops, and executes and pointer changes
// are posted (buda-netlist reference sections 2.1 to 2.6).
// In: a buda_code. Out: a thread and an entry of the same name; functions come from execute.c and
// varinst.c.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/order.h"
#include "base/span.h"
#include "formats/buda/frames.h"
#include "lower/buda/control.h"

// The runtime's stack of loops has this depth.
enum { MAX_DEPTH = 64 }; // of loops; real programs have 2

// Plans: makes all functions, and lists actions of the thread. The thread itself is written
// afterwards, since the builder has one code open at a time.
// First pass ----------------------------------------------------------------------------------

// The registers of variables, as declarations make them. Values of other variables are set by
// steps where the declaration is met (emit_declaration()).
static void declare(buda_lower_thread *t, const buda_step *step)
{
    const bool fixed = step->instr->kind == BUDA_I_STATICVAR;
    for (size_t i = 0; i < step->instr->decl_count; i++) {
        hoist_prog_register *reg = &t->registers[step->variables[i]];
        const buda_operand *value = &step->operands[i];
        HOIST_ASSERT(t->registers);
        reg->lifetime = fixed ? HOIST_LIFETIME_SESSION : HOIST_LIFETIME_RUN;
        reg->initial = value->kind == BUDA_OPERAND_NUMBER ? value->value : 0;
        if (fixed && value->kind == BUDA_OPERAND_VARIABLE) {
            buda_lower_refuse(t->l, RUN_007, step->instr->decls[i].value.pos,
                              "the initial value of a static variable is another variable");
        }
    }
}

// read_only decides whether a write pointer is followed at all (pointer_of() in varinst.c): that
// has to be known now.
static void check_read_only(buda_lower_thread *t, const buda_step *step)
{
    for (size_t k = 0; k < step->launch_count; k++) {
        for (size_t b = 0; b < step->launches[k].bound_count; b++) {
            const buda_bound *bound = &step->launches[k].bound[b];
            if (bound->fields[BUDA_S_READ_ONLY].kind == BUDA_OPERAND_VARIABLE) {
                buda_lower_refuse(t->l, RUN_007, bound->setting->fields[BUDA_S_READ_ONLY].pos,
                                  "read_only of queue '%.*s' is a variable",
                                  HOIST_STR_ARGS(bound->setting->queue.text));
            }
        }
    }
}

// Depth counts open loops; the end is matched by program_code.c.
static void plan_loop(buda_lower_thread *t, const buda_step *step)
{
    // Inside an epoch it would depend on the turn which executes belong together.
    if (t->pending > 0) {
        buda_lower_refuse(t->l, RUN_006, step->instr->pos,
                          "a loop begins or ends between executes of one temporal epoch");
    }
    if (step->match == BUDA_NO_INDEX) {
        buda_lower_refuse(t->l, RUN_007, step->instr->pos, "the loop has no other end");
    } else if (step->instr->kind == BUDA_I_ENDLOOP) {
        t->depth--;
    } else {
        buda_lower_enter_loop(t, t->at); // settings that a turn before may have changed
        if (++t->depth == MAX_DEPTH) {
            buda_lower_refuse(t->l, RUN_008, step->instr->pos, "loops are nested %d deep",
                              MAX_DEPTH);
            hoist_lower_fail(&t->l->c, HOIST_UNSUPPORTED);
        }
    }
}

// Declarations need nothing here, except those that plan() has gone over.
static void plan_step(buda_lower_thread *t, const buda_step *step)
{
    switch (step->instr->kind) {
    case BUDA_I_LOOP:
    case BUDA_I_ENDLOOP:
        plan_loop(t, step);
        break;
    case BUDA_I_EXECUTE:
        check_read_only(t, step);
        buda_lower_execute(t, step);
        break;
    case BUDA_I_VARINST:
        buda_lower_varinst(t, step);
        break;
    case BUDA_I_ALLOCATE:
    case BUDA_I_DEALLOCATE:
        buda_lower_allocate(t, step);
        break;
    case BUDA_I_VAR:
    case BUDA_I_STATICVAR:
    case BUDA_I_PARAM:
    case BUDA_I_ENDPROGRAM:
    case BUDA_I_UNKNOWN:
        break;
    }
}

// All registers of variables first: their numbers are those of the code. Registers of settings
// follow.
static void plan(buda_lower_thread *t)
{
    const buda_code *code = t->code;
    for (size_t v = 0; v < code->variable_count; v++) {
        (void)buda_lower_new_register(
            t, hoist_lower_joined(&t->l->c, HOIST_STR("$"), code->variables[v]), HOIST_LIFETIME_RUN,
            0);
    }
    for (size_t i = 0; i < code->count && t->l->c.status == HOIST_OK; i++) {
        const buda_instr_kind kind = code->steps[i].instr->kind;
        if (kind == BUDA_I_VAR || kind == BUDA_I_STATICVAR) {
            declare(t, &code->steps[i]);
        }
    }
    buda_lower_find_settings(t);
    // The scratch arena is emptied after each instruction.
    for (t->at = 0; t->at < code->count && t->l->c.status == HOIST_OK; t->at++) {
        t->functions = 0;
        plan_step(t, &code->steps[t->at]);
        hoist_lower_clean(&t->l->c);
    }
}

// Writes: instructions as steps of the thread, with the actions of each behind it.
// Second pass ---------------------------------------------------------------------------------

// Both operands are always given; operations of one ignore the second.
static void emit_alu(const buda_lower_thread *t, hoist_alu_op op, size_t destination,
                     hoist_prog_value a, hoist_prog_value b)
{
    hoist_prog_step step = buda_lower_step_at(t, HOIST_STEP_ALU);
    step.as.alu.op = op;
    step.as.alu.destination = (hoist_ref)destination;
    step.as.alu.a = a;
    step.as.alu.b = b;
    (void)hoist_builder_step(t->l->c.b, &step);
}

// Variables are 32-bit numbers that wrap (section 2.2). ADD and MUL are 64-bit steps, WRAP32
// brings the result back; SET and INCWRAP cannot leave 32 bits.
static void emit_varinst(buda_lower_thread *t, const buda_step *step)
{
    const size_t v = step->variables[0];
    const hoist_prog_value self = hoist_lower_register((hoist_ref)v);
    const hoist_prog_value a = buda_lower_operand(&step->operands[0], 0);
    const hoist_prog_value b = step->instr->operand_count > 1
                                   ? buda_lower_operand(&step->operands[1], 0)
                                   : hoist_lower_number(0);
    switch (step->instr->var_op) {
    case BUDA_V_SET:
        emit_alu(t, HOIST_ALU_SET, v, a, hoist_lower_number(0));
        return;
    case BUDA_V_ADD:
        emit_alu(t, HOIST_ALU_ADD, v, a, b);
        break;
    case BUDA_V_MUL:
        emit_alu(t, HOIST_ALU_MUL, v, a, b);
        break;
    case BUDA_V_INC:
        emit_alu(t, HOIST_ALU_ADD, v, self, a);
        break;
    case BUDA_V_INCWRAP:
        emit_alu(t, HOIST_ALU_INCWRAP, v, a, b);
        return;
    case BUDA_V_UNKNOWN:
        buda_lower_refuse(t->l, RUN_007, step->instr->pos, "the operation of a varinst is unknown");
        return;
    }
    emit_alu(t, HOIST_ALU_WRAP32, v, self, hoist_lower_number(0));
}

// A local variable that begins as another one: the only declaration that is a step.
static void emit_declaration(const buda_lower_thread *t, const buda_step *step)
{
    for (size_t i = 0; i < step->instr->decl_count; i++) {
        if (step->operands[i].kind == BUDA_OPERAND_VARIABLE) {
            emit_alu(t, HOIST_ALU_SET, step->variables[i],
                     buda_lower_operand(&step->operands[i], 0), hoist_lower_number(0));
        }
    }
}

// Instructions that only post have no steps of their own.
static void emit_instr(buda_lower_thread *t, const buda_step *step)
{
    switch (step->instr->kind) {
    case BUDA_I_VAR:
        emit_declaration(t, step);
        break;
    case BUDA_I_VARINST:
        emit_varinst(t, step);
        break;
    case BUDA_I_LOOP: {
        hoist_prog_step loop = buda_lower_step_at(t, HOIST_STEP_LOOP);
        loop.as.loop.count = buda_lower_operand(&step->operands[0], 0);
        // A count below 1 is an error at run time (rule 31a).
        loop.as.loop.must_run = true;
        (void)hoist_builder_step(t->l->c.b, &loop);
        break;
    }
    case BUDA_I_ENDLOOP: {
        const hoist_prog_step end = buda_lower_step_at(t, HOIST_STEP_END);
        (void)hoist_builder_step(t->l->c.b, &end);
        break;
    }
    case BUDA_I_STATICVAR:
    case BUDA_I_PARAM:
    case BUDA_I_EXECUTE:
    case BUDA_I_ALLOCATE:
    case BUDA_I_DEALLOCATE:
    case BUDA_I_ENDPROGRAM:
    case BUDA_I_UNKNOWN:
        break;
    }
}

// Drains first: the units that share queues with the function have to be done.
static void emit_post(const buda_lower_thread *t, const buda_lower_action *action)
{
    buda_lower_job *l = t->l;
    for (size_t i = 0; i < action->drain_count; i++) {
        hoist_prog_step drain = buda_lower_step_at(t, HOIST_STEP_DRAIN);
        drain.as.call.unit = l->units[action->drains[i]].unit;
        drain.as.call.target.function = HOIST_NO_REF;
        (void)hoist_builder_step(l->c.b, &drain);
    }
    hoist_prog_argument *arguments =
        hoist_lower_scratch(&l->c, action->argument_count, sizeof *arguments);
    if (!arguments) {
        return;
    }
    for (size_t i = 0; i < action->argument_count; i++) {
        arguments[i] = (hoist_prog_argument){.value = action->arguments[i], .view = HOIST_NO_REF};
    }
    hoist_prog_step post = buda_lower_step_at(t, HOIST_STEP_POST);
    post.as.call.unit = l->units[action->unit].unit;
    post.as.call.target.function = action->function;
    post.as.call.target.arguments = arguments;
    post.as.call.target.argument_count = (uint32_t)action->argument_count;
    (void)hoist_builder_step(l->c.b, &post);
}

// With a condition: skipped when the register has another number than the action's.
static void emit_action(const buda_lower_thread *t, const buda_lower_action *action)
{
    hoist_builder *b = t->l->c.b;
    if (action->destination != HOIST_NO_REF) {
        emit_alu(t, HOIST_ALU_SET, action->destination, action->value, hoist_lower_number(0));
    } else if (action->when == HOIST_NO_REF) {
        emit_post(t, action);
    } else {
        hoist_prog_step skip = buda_lower_step_at(t, HOIST_STEP_BRANCH);
        skip.as.branch.a = hoist_lower_register(action->when);
        skip.as.branch.b = hoist_lower_number(action->expected);
        skip.as.branch.compare = HOIST_CMP_NE;
        const uint32_t at = hoist_builder_step(b, &skip);
        emit_post(t, action);
        hoist_builder_set_target(b, at, hoist_builder_next_step(b));
    }
}

// Actions of one instruction in the order of `order`; qsort() is not stable.
static int compare_actions(const void *a, const void *b)
{
    const buda_lower_action *left = a;
    const buda_lower_action *right = b;
    const int order = hoist_order_u64(left->at, right->at);
    return order ? order : hoist_order_u64(left->order, right->order);
}

// Registers before steps, as the builder requires.
static hoist_ref emit(buda_lower_thread *t)
{
    buda_lower_job *l = t->l;
    const buda_name *name = &t->code->program->name;
    const hoist_ref thread = hoist_builder_begin_thread(
        l->c.b, &(hoist_prog_thread){.name = name->text, .loc = hoist_loc_pos(name->pos)});
    for (size_t i = 0; i < t->register_count; i++) {
        (void)hoist_builder_register(l->c.b, &t->registers[i]);
    }
    if (t->action_count > 0) { // qsort() of NULL is undefined
        qsort(t->actions, t->action_count, sizeof *t->actions, compare_actions);
    }
    size_t next = 0;
    // Merges two sorted lists: instructions, and actions by instruction.
    for (t->at = 0; t->at < t->code->count; t->at++) {
        emit_instr(t, &t->code->steps[t->at]);
        while (next < t->action_count && t->actions[next].at == t->at) {
            emit_action(t, &t->actions[next++]);
        }
    }
    hoist_builder_end_code(l->c.b);
    return thread;
}

// An entry is what a caller runs: one thread, with the program's params by name.
// Entries -------------------------------------------------------------------------------------

static void add_entry(buda_lower_thread *t, hoist_ref thread)
{
    buda_lower_job *l = t->l;
    const buda_name *name = &t->code->program->name;
    size_t count = 0;
    hoist_prog_entry_parameter *parameters =
        hoist_lower_array(&l->c, t->code->variable_count, sizeof *parameters);
    for (size_t i = 0; parameters && i < t->code->count; i++) {
        const buda_step *step = &t->code->steps[i];
        for (size_t k = 0; step->instr->kind == BUDA_I_PARAM && k < step->instr->decl_count; k++) {
            // A name that is declared twice counts once too often.
            if (count < t->code->variable_count) {
                const hoist_ref reg = (hoist_ref)step->variables[k];
                parameters[count++] = (hoist_prog_entry_parameter){
                    .name = t->registers[reg].name, .thread = thread, .reg = reg};
            }
        }
    }
    if (parameters) {
        (void)hoist_builder_entry(l->c.b, &(hoist_prog_entry){.name = name->text,
                                                              .loc = hoist_loc_pos(name->pos),
                                                              .threads = &thread,
                                                              .thread_count = 1,
                                                              .parameters = parameters,
                                                              .parameter_count = (uint32_t)count});
    }
}

// Once for all programs; lower_program() leaves it as it found it.
static bool thread_init(buda_lower_thread *t, buda_lower_job *l)
{
    const size_t queues = l->net.queue_count;
    *t = (buda_lower_thread){.l = l};
    t->settings = hoist_lower_array(&l->c, queues, sizeof *t->settings);
    t->last = hoist_lower_array(&l->c, queues, sizeof *t->last);
    t->epochs = hoist_lower_array(&l->c, l->net.graph_count, sizeof *t->epochs);
    if (!t->settings || !t->last || !t->epochs) {
        return false;
    }
    for (size_t q = 0; q < queues; q++) { // 0 would be a register
        t->last[q] = HOIST_NO_REF;
    }
    for (size_t g = 0; g < l->net.graph_count; g++) {
        t->epochs[l->net.graphs[g].temporal].graph_count++;
    }
    return true;
}

// Epochs that the program did not complete: their graphs do not run (rule 35e). Only epochs of
// this program's graphs can be pending.
static void drop_pending(buda_lower_thread *t)
{
    for (size_t i = 0; i < t->code->count; i++) {
        for (size_t k = 0; k < t->code->steps[i].launch_count; k++) {
            buda_lower_epoch *epoch =
                &t->epochs[t->l->net.graphs[t->code->steps[i].launches[k].graph].temporal];
            *epoch = (buda_lower_epoch){.graph_count = epoch->graph_count};
        }
    }
    t->pending = 0;
}

// A failed program ends the lowering (status); the state is cleaned all the same.
static void lower_program(buda_lower_thread *t)
{
    buda_frames frames;
    buda_enter_program(t->l->c.diag, &frames, t->code->program);
    t->action_count = 0;
    t->register_count = 0;
    t->depth = 0;
    plan(t);
    if (t->l->c.status == HOIST_OK) {
        add_entry(t, emit(t));
    }
    drop_pending(t);
    buda_lower_forget(t, true);
    buda_leave(t->l->c.diag, &frames);
}

// One state for all programs: arrays that have grown are kept.
void buda_lower_programs(buda_lower_job *l)
{
    buda_lower_thread t;
    if (!thread_init(&t, l)) {
        return;
    }
    for (size_t p = 0; p < l->module->program_count && l->c.status == HOIST_OK; p++) {
        t.code = &l->codes[p];
        lower_program(&t);
    }
    hoist_free(l->c.arena.alloc, t.actions, t.action_capacity * sizeof *t.actions);
    hoist_free(l->c.arena.alloc, t.registers, t.register_capacity * sizeof *t.registers);
}
