// program/verify_code.c - the steps of functions and threads: flow of control, calls, and what is
// written.
#include <inttypes.h>

#include "base/span.h"
#include "program/uses.h"
#include "program/verifier.h"

#define NO_LOOP HOIST_NO_REF

// Puts the step at hand.
// Findings are at this step from here on.
static const hoist_prog_step *at_step(hoist_verifier *v, uint32_t index)
{
    const hoist_prog_step *step = &v->code->steps[index];
    v->step = index;
    v->loc = step->loc;
    return step;
}

// A call's registers have nowhere to stay between calls.
static void check_registers(hoist_verifier *v)
{
    for (uint32_t i = 0; i < v->code->register_count; i++) {
        const hoist_prog_register *reg = &v->code->registers[i];
        if (reg->lifetime == HOIST_LIFETIME_CONSTANT ||
            (v->function && reg->lifetime != HOIST_LIFETIME_CALL)) {
            (void)hoist_verifier_fail(v, HOIST_PRG_020, "register '%.*s' outlives its code",
                                      HOIST_STR_ARGS(reg->name));
        }
    }
}

// `inner`: by step, the LOOP step of the innermost loop that it is in. An END is in its
// loop, a LOOP outside.
// `inner` and `open` have an item for each step. A loop that is not closed is reported at its
// LOOP.
static void check_loops(hoist_verifier *v, uint32_t *inner, uint32_t *open)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < v->code->step_count; i++) {
        const hoist_prog_step *step = at_step(v, i);
        const uint32_t loop = depth ? open[depth - 1] : NO_LOOP;
        inner[i] = loop;
        if (step->kind == HOIST_STEP_LOOP) {
            open[depth++] = i;
        } else if (step->kind == HOIST_STEP_END) {
            if (!depth || step->as.end.begin != loop || v->code->steps[loop].as.loop.end != i) {
                (void)hoist_verifier_fail(v, HOIST_PRG_021, "the end has no loop");
            }
            depth -= depth > 0;
        }
    }
    while (depth > 0) {
        (void)at_step(v, open[--depth]);
        (void)hoist_verifier_fail(v, HOIST_PRG_021, "the loop has no end");
    }
}

// One past the last step is allowed, and is outside of all loops.
static void check_branch(hoist_verifier *v, uint32_t index, const uint32_t *inner)
{
    const uint32_t target = at_step(v, index)->as.branch.target_step;
    const uint32_t count = v->code->step_count;
    if (target > count) {
        (void)hoist_verifier_fail(v, HOIST_PRG_022,
                                  "the branch goes to step %" PRIu32 ", there are %" PRIu32, target,
                                  count);
    } else if ((target == count ? NO_LOOP : inner[target]) != inner[index]) {
        (void)hoist_verifier_fail(v, HOIST_PRG_022,
                                  "the branch to step %" PRIu32 " leaves or enters a loop", target);
    }
}

// What a step may do where it is; an incwrap by a register of 0 is found when it runs.
static void check_place(hoist_verifier *v, const hoist_prog_step *step)
{
    const char *keyword = hoist_step_record(step->kind)->keyword;
    if ((step->kind == HOIST_STEP_POST || step->kind == HOIST_STEP_DRAIN) && v->function) {
        (void)hoist_verifier_fail(v, HOIST_PRG_023, "a function cannot %s", keyword);
    }
    if ((step->kind == HOIST_STEP_ALLOCATE || step->kind == HOIST_STEP_FREE) &&
        !v->program->fifos[step->as.fifo.fifo].dynamic) {
        (void)hoist_verifier_fail(v, HOIST_PRG_023, "fifo '%.*s' is not dynamic",
                                  HOIST_STR_ARGS(v->program->fifos[step->as.fifo.fifo].name));
    }
    if (step->kind == HOIST_STEP_ALU && step->as.alu.op == HOIST_ALU_INCWRAP &&
        step->as.alu.b.reg == HOIST_NO_REF && step->as.alu.b.number == 0) {
        (void)hoist_verifier_fail(v, HOIST_PRG_039, "incwrap by 0");
    }
}

void hoist_verify_control(hoist_verifier *v)
{
    const uint32_t count = v->code->step_count;
    uint32_t *inner = hoist_verifier_array(v, count, sizeof *inner);
    uint32_t *open = hoist_verifier_array(v, count, sizeof *open);
    check_registers(v);
    if (!inner || !open) {
        return;
    }
    check_loops(v, inner, open);
    for (uint32_t i = 0; i < count; i++) {
        const hoist_prog_step *step = at_step(v, i);
        check_place(v, step);
        if (step->kind == HOIST_STEP_BRANCH) {
            check_branch(v, i, inner);
        }
    }
}

// Calls ------------------------------------------------------------------------------------------

// Layouts are shared by the builder, so equal ones have equal indices.
static void check_argument(hoist_verifier *v, const hoist_prog_function *f, uint32_t index,
                           const hoist_prog_argument *argument)
{
    const hoist_prog_parameter *parameter = &f->parameters[index];
    if (argument->is_view != parameter->is_view) {
        (void)hoist_verifier_fail(v, HOIST_PRG_024, "parameter '%.*s' of '%.*s' is a %s",
                                  HOIST_STR_ARGS(parameter->name), HOIST_STR_ARGS(f->name),
                                  parameter->is_view ? "view" : "number");
        return;
    }
    if (!argument->is_view) {
        return;
    }
    const hoist_prog_view *view = &v->program->views[argument->view];
    if (view->dtype != parameter->dtype) {
        (void)hoist_verifier_fail(
            v, HOIST_PRG_024,
            "the view for parameter '%.*s' of '%.*s' has elements of type %s, "
            "expected %s",
            HOIST_STR_ARGS(parameter->name), HOIST_STR_ARGS(f->name),
            hoist_dtype_get(view->dtype)->name, hoist_dtype_get(parameter->dtype)->name);
    } else if (view->layout != parameter->layout) {
        (void)hoist_verifier_fail(v, HOIST_PRG_024,
                                  "the view for parameter '%.*s' of '%.*s' has another layout",
                                  HOIST_STR_ARGS(parameter->name), HOIST_STR_ARGS(f->name));
    }
}

// Arguments are looked at only when their number is right.
static void check_callee(hoist_verifier *v, const hoist_prog_target *target, hoist_ref function)
{
    const hoist_prog_function *f = &v->program->functions[function];
    if (target->argument_count != f->parameter_count) {
        (void)hoist_verifier_fail(
            v, HOIST_PRG_024, "%" PRIu32 " arguments for '%.*s', which has %" PRIu32 " parameters",
            target->argument_count, HOIST_STR_ARGS(f->name), f->parameter_count);
        return;
    }
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        check_argument(v, f, i, &target->arguments[i]);
    }
}

// Of a table every function has to fit.
void hoist_verify_call(hoist_verifier *v, const hoist_prog_step *step)
{
    const hoist_prog_target *target = &step->as.call.target;
    if (target->function != HOIST_NO_REF) {
        check_callee(v, target, target->function);
        return;
    }
    // Whichever is called in the end.
    for (uint32_t i = 0; i < target->table_count; i++) {
        check_callee(v, target, target->table[i]);
    }
}

// A function on the path of calls: the next call to follow is `item` of step `step`.
typedef struct call_frame {
    hoist_ref function;
    uint32_t step;
    uint32_t item;
} call_frame;

enum { FRESH = 0, OPEN, DONE };

// The next function that the frame's function calls; HOIST_NO_REF: none is left.
// Only CALL: a posted function runs later, on a unit, and comes back to nobody.
static hoist_ref next_call(const hoist_program *p, call_frame *at)
{
    const hoist_prog_code *code = &p->functions[at->function].code;
    for (; at->step < code->step_count; at->step++, at->item = 0) {
        const hoist_prog_step *step = &code->steps[at->step];
        if (step->kind != HOIST_STEP_CALL) {
            continue;
        }
        const hoist_prog_target *target = &step->as.call.target;
        const bool direct = target->function != HOIST_NO_REF;
        if (at->item < (direct ? 1 : target->table_count)) {
            return direct ? (at->item++, target->function) : target->table[at->item++];
        }
    }
    return HOIST_NO_REF;
}

// The frame's step is still the one with the call: only its item has moved on.
static void report_cycle(hoist_verifier *v, const call_frame *frame, hoist_ref callee)
{
    const hoist_prog_function *f = &v->program->functions[frame->function];
    v->function = f;
    v->code = &f->code;
    v->name = f->name;
    (void)at_step(v, frame->step);
    (void)hoist_verifier_fail(v, HOIST_PRG_025, "the call of '%.*s' comes back to it",
                              HOIST_STR_ARGS(v->program->functions[callee].name));
}

// Depth-first search with three colours, with a stack of its own: call chains may be as long as
// the program. Functions end in the order callees before callers.
void hoist_verify_cycles(hoist_verifier *v)
{
    const uint32_t count = v->program->function_count;
    uint8_t *state = hoist_verifier_array(v, count, sizeof *state);
    call_frame *path = hoist_verifier_array(v, count, sizeof *path);
    uint32_t done = 0;
    v->callees_first = hoist_verifier_array(v, count, sizeof *v->callees_first);
    v->table = HOIST_NAMES_FUNCTION;
    for (uint32_t i = 0; state && path && v->callees_first && i < count; i++) {
        uint32_t depth = 0;
        if (state[i] == FRESH) {
            path[depth++] = (call_frame){.function = i};
            state[i] = OPEN;
        }
        while (depth > 0) {
            const hoist_ref callee = next_call(v->program, &path[depth - 1]);
            if (callee == HOIST_NO_REF) {
                state[path[--depth].function] = DONE;
                v->callees_first[done++] = path[depth].function;
            } else if (state[callee] == OPEN) {
                report_cycle(v, &path[depth - 1], callee);
            } else if (state[callee] == FRESH) {
                path[depth++] = (call_frame){.function = callee};
                state[callee] = OPEN;
            }
        }
    }
}

// Views ------------------------------------------------------------------------------------------

// A window of a constant is one, and so is a window that says so itself.
static bool is_constant(const hoist_verifier *v, hoist_ref view)
{
    const hoist_ref root = hoist_verifier_root(v, view);
    const hoist_prog_view *row = &v->program->views[view];
    return (root != HOIST_NO_REF &&
            v->program->buffers[root].lifetime == HOIST_LIFETIME_CONSTANT) ||
           (row->base == HOIST_VIEW_BUFFER &&
            v->program->buffers[row->of].lifetime == HOIST_LIFETIME_CONSTANT);
}

// A caller relies on the mark: arguments of other parameters may be constants.
static void check_write(hoist_verifier *v, hoist_ref view)
{
    const hoist_prog_view *row = &v->program->views[view];
    if (is_constant(v, view)) {
        (void)hoist_verifier_fail(v, HOIST_PRG_026, "the step writes a constant");
    }
    if (row->base == HOIST_VIEW_PARAMETER && !v->function->parameters[row->of].written) {
        (void)hoist_verifier_fail(
            v, HOIST_PRG_026, "the step writes parameter '%.*s', which is not marked as written",
            HOIST_STR_ARGS(v->function->parameters[row->of].name));
    }
}

typedef struct use_check {
    hoist_verifier *v;
    bool sound; // all views so far
} use_check;

// Writing is checked also where the view is unsound: the two are independent.
static void check_use(void *self, hoist_step_use use)
{
    use_check *u = self;
    u->sound &= hoist_verify_view(u->v, use.view);
    if (use.written) {
        check_write(u->v, use.view);
    }
}

// Operands are compared with each other only when each is sound by itself.
static void check_steps(hoist_verifier *v)
{
    for (uint32_t i = 0; i < v->code->step_count; i++) {
        const hoist_prog_step *step = at_step(v, i);
        use_check uses = {.v = v, .sound = true};
        if (step->kind == HOIST_STEP_CALL || step->kind == HOIST_STEP_POST) {
            hoist_verify_call(v, step);
        }
        hoist_step_uses(v->program, step, check_use, &uses);
        if (uses.sound) {
            hoist_verify_data(v, step);
        }
    }
}

// Findings are those of one function or thread: name and place are set for them.
static void check_code(hoist_verifier *v, hoist_str name, hoist_loc loc,
                       const hoist_prog_code *code)
{
    const size_t failures = v->failures;
    v->name = name;
    v->loc = loc;
    v->code = code;
    v->step = HOIST_NO_REF;
    hoist_verify_control(v);
    check_steps(v);
    // Ranges of unsound views mean nothing.
    if (v->failures == failures) {
        hoist_verify_contents(v);
    }
    v->step = HOIST_NO_REF;
}

// Cycles last: they need calls that are right.
void hoist_verify_codes(hoist_verifier *v)
{
    const hoist_program *p = v->program;
    v->table = HOIST_NAMES_FUNCTION;
    for (uint32_t i = 0; i < p->function_count && !v->no_memory; i++) {
        v->function = &p->functions[i];
        for (uint32_t k = 0; k < v->function->parameter_count; k++) {
            if (v->function->parameters[k].is_view) {
                v->name = v->function->name;
                v->loc = v->function->loc;
                // Measured here for its finding, at the function itself.
                (void)hoist_verifier_layout(v, v->function->parameters[k].layout);
            }
        }
        check_code(v, p->functions[i].name, p->functions[i].loc, &p->functions[i].code);
    }
    v->function = NULL;
    v->table = HOIST_NAMES_THREAD;
    for (uint32_t i = 0; i < p->thread_count && !v->no_memory; i++) {
        check_code(v, p->threads[i].name, p->threads[i].loc, &p->threads[i].code);
    }
    hoist_verify_cycles(v);
}
