// program/verify_code.c - the steps of functions and threads: flow of control, calls, and what is
// written.
#include <inttypes.h>

#include "base/span.h"
#include "program/judge.h"
#include "program/uses.h"

#define NO_LOOP HOIST_NO_REF

// Puts the step at hand.
static const hoist_prog_step *at_step(hoist_judge *j, uint32_t index)
{
    const hoist_prog_step *step = &j->code->steps[index];
    j->step = index;
    j->loc = step->loc;
    return step;
}

static void judge_registers(hoist_judge *j)
{
    for (uint32_t i = 0; i < j->code->register_count; i++) {
        const hoist_prog_register *reg = &j->code->registers[i];
        if (reg->lifetime == HOIST_LIFETIME_CONSTANT ||
            (j->function && reg->lifetime != HOIST_LIFETIME_CALL)) {
            (void)hoist_judge_fail(j, HOIST_PRG_020, "register '%.*s' outlives its code",
                                   HOIST_STR_ARGS(reg->name));
        }
    }
}

// `inner`: by step, the LOOP step of the innermost loop that it stands in. An END stands in its
// loop, a LOOP outside.
static void judge_loops(hoist_judge *j, uint32_t *inner, uint32_t *open)
{
    uint32_t depth = 0;
    for (uint32_t i = 0; i < j->code->step_count; i++) {
        const hoist_prog_step *step = at_step(j, i);
        const uint32_t loop = depth ? open[depth - 1] : NO_LOOP;
        inner[i] = loop;
        if (step->kind == HOIST_STEP_LOOP) {
            open[depth++] = i;
        } else if (step->kind == HOIST_STEP_END) {
            if (!depth || step->as.end.begin != loop || j->code->steps[loop].as.loop.end != i) {
                (void)hoist_judge_fail(j, HOIST_PRG_021, "the end has no loop");
            }
            depth -= depth > 0;
        }
    }
    while (depth > 0) {
        (void)at_step(j, open[--depth]);
        (void)hoist_judge_fail(j, HOIST_PRG_021, "the loop has no end");
    }
}

static void judge_branch(hoist_judge *j, uint32_t index, const uint32_t *inner)
{
    const uint32_t target = at_step(j, index)->as.branch.target_step;
    const uint32_t count = j->code->step_count;
    if (target > count) {
        (void)hoist_judge_fail(j, HOIST_PRG_022,
                               "the branch goes to step %" PRIu32 ", there are %" PRIu32, target,
                               count);
    } else if ((target == count ? NO_LOOP : inner[target]) != inner[index]) {
        (void)hoist_judge_fail(j, HOIST_PRG_022,
                               "the branch to step %" PRIu32 " leaves or enters a loop", target);
    }
}

static void judge_place(hoist_judge *j, const hoist_prog_step *step)
{
    const char *keyword = hoist_step_record(step->kind)->keyword;
    if ((step->kind == HOIST_STEP_POST || step->kind == HOIST_STEP_DRAIN) && j->function) {
        (void)hoist_judge_fail(j, HOIST_PRG_023, "a function cannot %s", keyword);
    }
    if ((step->kind == HOIST_STEP_ALLOCATE || step->kind == HOIST_STEP_FREE) &&
        !j->program->fifos[step->as.fifo.fifo].dynamic) {
        (void)hoist_judge_fail(j, HOIST_PRG_023, "fifo '%.*s' is not dynamic",
                               HOIST_STR_ARGS(j->program->fifos[step->as.fifo.fifo].name));
    }
    if (step->kind == HOIST_STEP_ALU && step->as.alu.op == HOIST_ALU_INCWRAP &&
        step->as.alu.b.reg == HOIST_NO_REF && step->as.alu.b.number == 0) {
        (void)hoist_judge_fail(j, HOIST_PRG_039, "incwrap by 0");
    }
}

void hoist_judge_control(hoist_judge *j)
{
    const uint32_t count = j->code->step_count;
    uint32_t *inner = hoist_judge_array(j, count, sizeof *inner);
    uint32_t *open = hoist_judge_array(j, count, sizeof *open);
    judge_registers(j);
    if (!inner || !open) {
        return;
    }
    judge_loops(j, inner, open);
    for (uint32_t i = 0; i < count; i++) {
        const hoist_prog_step *step = at_step(j, i);
        judge_place(j, step);
        if (step->kind == HOIST_STEP_BRANCH) {
            judge_branch(j, i, inner);
        }
    }
}

// Calls ------------------------------------------------------------------------------------------

static void judge_argument(hoist_judge *j, const hoist_prog_function *f, uint32_t index,
                           const hoist_prog_argument *argument)
{
    const hoist_prog_parameter *parameter = &f->parameters[index];
    if (argument->is_view != parameter->is_view) {
        (void)hoist_judge_fail(j, HOIST_PRG_024, "parameter '%.*s' of '%.*s' is a %s",
                               HOIST_STR_ARGS(parameter->name), HOIST_STR_ARGS(f->name),
                               parameter->is_view ? "view" : "number");
        return;
    }
    if (!argument->is_view) {
        return;
    }
    const hoist_prog_view *view = &j->program->views[argument->view];
    if (view->dtype != parameter->dtype) {
        (void)hoist_judge_fail(j, HOIST_PRG_024,
                               "the view for parameter '%.*s' of '%.*s' has elements of type %s, "
                               "wanted %s",
                               HOIST_STR_ARGS(parameter->name), HOIST_STR_ARGS(f->name),
                               hoist_dtype_get(view->dtype)->name,
                               hoist_dtype_get(parameter->dtype)->name);
    } else if (view->layout != parameter->layout) {
        (void)hoist_judge_fail(j, HOIST_PRG_024,
                               "the view for parameter '%.*s' of '%.*s' has another layout",
                               HOIST_STR_ARGS(parameter->name), HOIST_STR_ARGS(f->name));
    }
}

static void judge_callee(hoist_judge *j, const hoist_prog_target *target, hoist_ref function)
{
    const hoist_prog_function *f = &j->program->functions[function];
    if (target->argument_count != f->parameter_count) {
        (void)hoist_judge_fail(j, HOIST_PRG_024,
                               "%" PRIu32 " arguments for '%.*s', which has %" PRIu32 " parameters",
                               target->argument_count, HOIST_STR_ARGS(f->name), f->parameter_count);
        return;
    }
    for (uint32_t i = 0; i < f->parameter_count; i++) {
        judge_argument(j, f, i, &target->arguments[i]);
    }
}

void hoist_judge_call(hoist_judge *j, const hoist_prog_step *step)
{
    const hoist_prog_target *target = &step->as.call.target;
    if (target->function != HOIST_NO_REF) {
        judge_callee(j, target, target->function);
        return;
    }
    for (uint32_t i = 0; i < target->table_count; i++) {
        judge_callee(j, target, target->table[i]);
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

static void report_cycle(hoist_judge *j, const call_frame *frame, hoist_ref callee)
{
    const hoist_prog_function *f = &j->program->functions[frame->function];
    j->function = f;
    j->code = &f->code;
    j->name = f->name;
    (void)at_step(j, frame->step);
    (void)hoist_judge_fail(j, HOIST_PRG_025, "the call of '%.*s' comes back to it",
                           HOIST_STR_ARGS(j->program->functions[callee].name));
}

void hoist_judge_cycles(hoist_judge *j)
{
    const uint32_t count = j->program->function_count;
    uint8_t *state = hoist_judge_array(j, count, sizeof *state);
    call_frame *path = hoist_judge_array(j, count, sizeof *path);
    j->table = HOIST_NAMES_FUNCTION;
    for (uint32_t i = 0; state && path && i < count; i++) {
        uint32_t depth = 0;
        if (state[i] == FRESH) {
            path[depth++] = (call_frame){.function = i};
            state[i] = OPEN;
        }
        while (depth > 0) {
            const hoist_ref callee = next_call(j->program, &path[depth - 1]);
            if (callee == HOIST_NO_REF) {
                state[path[--depth].function] = DONE;
            } else if (state[callee] == OPEN) {
                report_cycle(j, &path[depth - 1], callee);
            } else if (state[callee] == FRESH) {
                path[depth++] = (call_frame){.function = callee};
                state[callee] = OPEN;
            }
        }
    }
}

// Views ------------------------------------------------------------------------------------------

static bool is_constant(const hoist_judge *j, hoist_ref view)
{
    const hoist_ref root = hoist_judge_root_of(j, view);
    const hoist_prog_view *row = &j->program->views[view];
    return (root != HOIST_NO_REF &&
            j->program->buffers[root].lifetime == HOIST_LIFETIME_CONSTANT) ||
           (row->base == HOIST_VIEW_BUFFER &&
            j->program->buffers[row->of].lifetime == HOIST_LIFETIME_CONSTANT);
}

static void judge_write(hoist_judge *j, hoist_ref view)
{
    const hoist_prog_view *row = &j->program->views[view];
    if (is_constant(j, view)) {
        (void)hoist_judge_fail(j, HOIST_PRG_026, "the step writes a constant");
    }
    if (row->base == HOIST_VIEW_PARAMETER && !j->function->parameters[row->of].written) {
        (void)hoist_judge_fail(j, HOIST_PRG_026,
                               "the step writes parameter '%.*s', which is not marked as written",
                               HOIST_STR_ARGS(j->function->parameters[row->of].name));
    }
}

typedef struct use_judge {
    hoist_judge *j;
    bool sound; // all views so far
} use_judge;

static void judge_use(void *self, hoist_step_use use)
{
    use_judge *u = self;
    u->sound &= hoist_judge_view(u->j, use.view);
    if (use.written) {
        judge_write(u->j, use.view);
    }
}

static void judge_steps(hoist_judge *j)
{
    for (uint32_t i = 0; i < j->code->step_count; i++) {
        const hoist_prog_step *step = at_step(j, i);
        use_judge uses = {.j = j, .sound = true};
        if (step->kind == HOIST_STEP_CALL || step->kind == HOIST_STEP_POST) {
            hoist_judge_call(j, step);
        }
        hoist_step_uses(j->program, step, judge_use, &uses);
        if (uses.sound) {
            hoist_judge_data(j, step);
        }
    }
}

static void judge_code(hoist_judge *j, hoist_str name, hoist_loc loc, const hoist_prog_code *code)
{
    const size_t failures = j->failures;
    j->name = name;
    j->loc = loc;
    j->code = code;
    j->step = HOIST_NO_REF;
    hoist_judge_control(j);
    judge_steps(j);
    if (j->failures == failures) {
        hoist_judge_contents(j);
    }
    j->step = HOIST_NO_REF;
}

void hoist_judge_codes(hoist_judge *j)
{
    const hoist_program *p = j->program;
    j->table = HOIST_NAMES_FUNCTION;
    for (uint32_t i = 0; i < p->function_count && !j->no_memory; i++) {
        j->function = &p->functions[i];
        for (uint32_t k = 0; k < j->function->parameter_count; k++) {
            if (j->function->parameters[k].is_view) {
                j->name = j->function->name;
                j->loc = j->function->loc;
                (void)hoist_judge_layout_at(j, j->function->parameters[k].layout);
            }
        }
        judge_code(j, p->functions[i].name, p->functions[i].loc, &p->functions[i].code);
    }
    j->function = NULL;
    j->table = HOIST_NAMES_THREAD;
    for (uint32_t i = 0; i < p->thread_count && !j->no_memory; i++) {
        judge_code(j, p->threads[i].name, p->threads[i].loc, &p->threads[i].code);
    }
    hoist_judge_cycles(j);
}
