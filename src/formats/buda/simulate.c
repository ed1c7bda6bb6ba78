// formats/buda/simulate.c - the instructions of a program: variables, loops, and the order of
// everything else. buda-netlist reference sections 2.2 to 2.5.
// In: codes of all programs (program_code.c). Out: findings. Programs run in the order of the file
// on one state of queues; variables are each program's own.
#include "formats/buda/simulate.h"

#include <inttypes.h>

#include "base/assert.h"
#include "base/span.h"
#include "formats/buda/simulate_state.h"
#include "formats/buda/words.h"

// A hundred times what the largest netlist that was seen takes, and well below a second. The limit
// is on the sum over all programs: loops of a hostile file could run for years.
#define MAX_STEPS 1000000

static const buda_sim_value unknown = {0, false}; // a param, or anything computed from one

// Declarations ----------------------------------------------------------------------------------

// For the message of rule 31e: "it is a var already".
static const char *const kind_names[] = {
    [BUDA_SIM_UNDECLARED] = "nothing",         [BUDA_SIM_LOCAL] = "a var",
    [BUDA_SIM_STATIC] = "a staticvar",         [BUDA_SIM_PARAM] = "a param",
    [BUDA_SIM_IMPLICIT] = "made by a varinst",
};

// True when the name is free. A staticvar of a static is no declaration but a reminder: it keeps
// the value. Statics of the run before do not exist here, as each program is run once.
static bool may_declare(buda_sim *s, const buda_decl *decl, const buda_sim_variable *variable,
                        buda_sim_kind kind)
{
    HOIST_ASSERT(variable >= s->variables && variable < s->variables + s->code->variable_count);
    const bool again = variable->kind == BUDA_SIM_STATIC && kind == BUDA_SIM_STATIC;
    if (variable->kind != BUDA_SIM_UNDECLARED && !again) {
        buda_program_report(s->reporter, BUDA_031e, decl->name.pos, 0,
                            "variable '%.*s' is declared again, it is %s already",
                            HOIST_STR_ARGS(decl->name.text), kind_names[variable->kind]);
    }
    return variable->kind == BUDA_SIM_UNDECLARED;
}

// The value that the caller gives for a param; unknown without a caller's list. Names of the list
// include the `$` (section 2.3).
static buda_sim_value param_value(buda_sim *s, const buda_decl *decl)
{
    if (!s->params) {
        return unknown;
    }
    const buda_param *param = NULL;
    for (size_t i = 0; i < s->params->count && !param; i++) {
        param = hoist_str_equal(s->params->items[i].name, decl->name.text) ? &s->params->items[i]
                                                                           : NULL;
    }
    buda_sim_value value = {0, true}; // known, as 0, unless the text is none
    if (!param) {
        buda_program_report(s->reporter, BUDA_031f, decl->name.pos, 0,
                            "param '%.*s' has no value, expected one from the caller",
                            HOIST_STR_ARGS(decl->name.text));
        return unknown;
    }
    if (buda_immediate_read(param->value, &value.value) == BUDA_IMMEDIATE_BAD) {
        buda_program_report(s->reporter, BUDA_031f, decl->name.pos, 0,
                            "param '%.*s' has the value '%.*s', expected a number, true or false",
                            HOIST_STR_ARGS(decl->name.text), HOIST_STR_ARGS(param->value));
        return unknown;
    }
    return value;
}

// Rule 31e for each name; the others are declared all the same.
static void declare(buda_sim *s, const buda_step *step)
{
    const buda_sim_kind kind = step->instr->kind == BUDA_I_VAR         ? BUDA_SIM_LOCAL
                               : step->instr->kind == BUDA_I_STATICVAR ? BUDA_SIM_STATIC
                                                                       : BUDA_SIM_PARAM;
    for (size_t i = 0; i < step->instr->decl_count; i++) {
        const buda_decl *decl = &step->instr->decls[i];
        const buda_operand *initial = &step->operands[i];
        buda_sim_variable *variable = &s->variables[step->variables[i]];
        if (!may_declare(s, decl, variable, kind)) {
            continue;
        }
        buda_sim_value value = buda_sim_number(0); // without a value: 0 (section 2.1)
        if (kind == BUDA_SIM_PARAM) {
            value = param_value(s, decl);
        } else if (initial->kind != BUDA_OPERAND_ABSENT) {
            value = buda_sim_eval(s, initial, &decl->value);
        }
        *variable = (buda_sim_variable){kind, value};
    }
}

// All arithmetic is on 64 bits and then wraps to 32, as C ints do on the vendor's host.
// varinst ---------------------------------------------------------------------------------------

// (old + step + off) mod wrap as C's remainder, off the smallest multiple of wrap, 0 or more, that
// makes step + off 0 or more (section 2.4).
static int64_t increment_wrapped(int64_t old, int64_t step, int64_t wrap)
{
    HOIST_ASSERT(wrap != 0);
    // `wrap` may be negative: C's remainder ignores the sign of the divisor.
    const int64_t size = wrap < 0 ? -wrap : wrap;
    const int64_t off = step < 0 ? (-step + size - 1) / size * size : 0;
    return (old + step + off) % wrap;
}

// Unknown operands give an unknown result, wrap 0 a finding and an unknown result.
static buda_sim_value incwrap(buda_sim *s, buda_sim_value old, buda_sim_value step,
                              buda_sim_value wrap)
{
    const buda_instr *instr = buda_sim_instr(s);
    if (wrap.known && wrap.value == 0) {
        buda_program_report(s->reporter, BUDA_031g, instr->operands[1].pos, 0,
                            "incwrap of '%.*s' wraps at 0, expected another number",
                            HOIST_STR_ARGS(instr->destination.text));
        return unknown;
    }
    if (!old.known || !step.known || !wrap.known) {
        return unknown;
    }
    return buda_sim_number(increment_wrapped(old.value, step.value, wrap.value));
}

// Both operands are evaluated before `var_op` is looked at, so that undeclared variables are
// reported for every operation.
static buda_sim_value varinst_result(buda_sim *s, const buda_step *step, buda_sim_value old)
{
    const buda_instr *instr = step->instr;
    const buda_var_op_row *row = buda_var_op_get(instr->var_op);
    if (!row || instr->operand_count != row->operands) {
        return unknown; // reported by the reader (rule 23)
    }
    const buda_sim_value a = buda_sim_eval(s, &step->operands[0], &instr->operands[0]);
    const buda_sim_value b = // one operand: `b` is not looked at
        row->operands == 2 ? buda_sim_eval(s, &step->operands[1], &instr->operands[1]) : a;
    const bool known = a.known && b.known;
    switch (instr->var_op) {
    case BUDA_V_SET:
        return a;
    case BUDA_V_ADD:
        return known ? buda_sim_number((int64_t)a.value + b.value) : unknown;
    case BUDA_V_MUL:
        return known ? buda_sim_number((int64_t)a.value * b.value) : unknown;
    case BUDA_V_INC:
        return known && old.known ? buda_sim_number((int64_t)old.value + a.value) : unknown;
    case BUDA_V_INCWRAP:
        return incwrap(s, old, a, b);
    case BUDA_V_UNKNOWN:
        break;
    }
    return unknown;
}

// Rule 31d: the vendor creates the variable, which here is local to the run.
static void varinst(buda_sim *s, const buda_step *step)
{
    buda_sim_variable *variable = &s->variables[step->variables[0]];
    const buda_token *destination = &step->instr->destination;
    if (!buda_has(destination->pos) || destination->refused) {
        return; // reported by the reader (rule 23)
    }
    const bool named = hoist_str_contains(destination->text, "$"); // else rule 23 again
    if (variable->kind == BUDA_SIM_UNDECLARED && named) {
        buda_program_report(s->reporter, BUDA_031d, destination->pos, 0,
                            "varinst sets '%.*s', which is not declared before",
                            HOIST_STR_ARGS(destination->text));
    }
    const buda_sim_value value = varinst_result(s, step, variable->value);
    variable->value = value;
    if (variable->kind == BUDA_SIM_UNDECLARED) {
        variable->kind = BUDA_SIM_IMPLICIT;
    }
    // Queues whose last setting names the variable get its value now: that is how programs pop
    // (section 2.8).
    buda_sim_pass_on(s, step->variables[0]);
}

// Loops -----------------------------------------------------------------------------------------

// The count is read once, on entry. A count below 1 is reported and taken as unknown: the body is
// walked once.
static void begin_loop(buda_sim *s, const buda_step *step)
{
    const buda_sim_value count = buda_sim_eval(s, &step->operands[0], &step->instr->count);
    if (count.known && count.value < 1) {
        buda_program_report(s->reporter, BUDA_031a, step->instr->count.pos, 0,
                            "loop count is %" PRId32 ", expected 1 or more", count.value);
    }
    if (step->match == BUDA_NO_INDEX) {
        return; // rule 31h; runs its body once
    }
    if (s->depth == BUDA_SIM_MAX_DEPTH) {
        s->steps_left = 0; // ends the simulation, with note 903
        return;
    }
    // Only a known count has turns; 0 stands for an unknown one.
    const bool sure = count.known && count.value >= 1;
    HOIST_ASSERT(s->depth < BUDA_SIM_MAX_DEPTH);
    buda_sim_loop *loop = &s->loops[s->depth++];
    *loop = (buda_sim_loop){.begin = s->pc, .turns = sure ? count.value : 0};
    if (loop->turns <= 1) { // the only turn is the last
        buda_sim_flow_begin(s, loop);
    }
}

// After the first iteration of a loop of unknown count: whatever its body changes may have changed
// more. The state after the loop is then that of "one iteration or more": everything that the body
// touches is unknown.
static void forget_body(buda_sim *s, size_t begin, size_t end)
{
    HOIST_ASSERT(begin < end && end <= s->code->count);
    for (size_t i = begin + 1; i < end && buda_sim_spend(s, 1); i++) {
        const buda_step *step = &s->code->steps[i];
        if (step->instr->kind == BUDA_I_VARINST) {
            s->variables[step->variables[0]].value = unknown;
            buda_sim_pass_on(s, step->variables[0]);
        }
        for (size_t k = 0; k < step->launch_count; k++) {
            buda_sim_forget(s, &step->launches[k]);
        }
    }
}

// Back to the start while turns are left; `pc` is increased by run_program().
static void end_loop(buda_sim *s, const buda_step *step)
{
    if (step->match == BUDA_NO_INDEX || s->depth == 0) {
        return; // rule 31h
    }
    buda_sim_loop *loop = &s->loops[s->depth - 1];
    HOIST_ASSERT(loop->begin < s->pc);
    if (loop->turns > 1) {
        loop->turns--;
        // Flow is compared over the last iteration: see simulate_flow.c.
        if (loop->turns == 1) {
            buda_sim_flow_begin(s, loop);
        }
        s->pc = loop->begin;
        return;
    }
    buda_sim_flow_end(s, loop);
    if (loop->turns == 0) {
        forget_body(s, loop->begin, s->pc);
    }
    s->depth--;
}

// Programs --------------------------------------------------------------------------------------

// By kind of instruction; NULL: no effect.
static void (*const steps[])(buda_sim *s, const buda_step *step) = {
    [BUDA_I_VAR] = declare,
    [BUDA_I_STATICVAR] = declare,
    [BUDA_I_PARAM] = declare,
    [BUDA_I_LOOP] = begin_loop,
    [BUDA_I_ENDLOOP] = end_loop,
    [BUDA_I_VARINST] = varinst,
    [BUDA_I_EXECUTE] = buda_sim_execute,
    [BUDA_I_ALLOCATE] = buda_sim_allocate,
    [BUDA_I_DEALLOCATE] = buda_sim_deallocate,
    [BUDA_I_ENDPROGRAM] = NULL,
};

// The reporter's place follows the instruction.
static void run_step(buda_sim *s)
{
    HOIST_ASSERT(s->pc < s->code->count);
    const buda_step *step = &s->code->steps[s->pc];
    s->reporter->instr = s->pc;
    if (step->instr->kind != BUDA_I_UNKNOWN && steps[step->instr->kind]) {
        steps[step->instr->kind](s, step);
    }
}

// A run begins with pc 0, no loops, no variables (section 2.3). Queues keep their state: later
// programs continue with it.
static void run_program(buda_sim *s, const buda_code *code)
{
    s->code = code;
    s->run++;
    s->depth = 0;
    s->reporter->program = code->program;
    s->variables = hoist_arena_array(s->arena, code->variable_count, sizeof(*s->variables));
    s->flows = hoist_arena_array(s->arena, code->count, sizeof(buda_sim_flow *));
    if (!s->variables || !s->flows) {
        s->no_memory = true;
        return;
    }
    for (s->pc = 0; s->pc < code->count && buda_sim_spend(s, 1) && !s->no_memory; s->pc++) {
        run_step(s);
    }
    buda_sim_end_epochs(s); // rule 35e is about one program
}

// Rule 903: reports where the walk ended when it ran out of steps or loops.
static void report_end(const buda_sim *s)
{
    const buda_code *const code = s->code;
    const size_t at = s->pc < code->count ? s->pc : code->count - 1;
    buda_program_report(s->reporter, BUDA_903,
                        code->count ? code->steps[at].instr->pos : code->program->name.pos, 0,
                        "programs are checked up to here only: more than %d steps, or more than %d "
                        "loops inside each other",
                        MAX_STEPS, BUDA_SIM_MAX_DEPTH);
}

// The parts are initialized in the order in which they depend on each other; check_epochs()
// reports rules 35a and 35b, which need no run.
hoist_status buda_simulate(const buda_index *index, const buda_code *codes,
                           const buda_params *params, buda_reporter *reporter)
{
    buda_sim s = {.index = index,
                  .net = index->net,
                  .params = params,
                  .reporter = reporter,
                  .arena = index->arena,
                  .steps_left = MAX_STEPS};
    HOIST_TRY_MEMORY(buda_sim_queue_init(&s, codes) && buda_sim_execute_init(&s) &&
                     buda_sim_live_init(&s) && buda_sim_check_epochs(&s));
    const size_t count = index->net->module->program_count;
    for (size_t p = 0; p < count && s.steps_left && !s.no_memory; p++) {
        run_program(&s, &codes[p]);
    }
    buda_sim_end_live(&s); // rule 29d is about all programs together
    // A deadline ends the walk by setting steps_left to 0, which must not be taken for the limit
    // of steps.
    HOIST_TRY(hoist_deadline_look(s.net->module->base.deadline));
    if (!s.steps_left && !s.no_memory && s.code) {
        report_end(&s);
    }
    return s.no_memory || reporter->no_memory ? HOIST_NO_MEMORY : HOIST_OK;
}
