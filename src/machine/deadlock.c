// The findings of a run that does not move: which process waits at which step for what, which
// waiting processes could end that wait, and the first cycle among them. Helpers are found by a
// search of the code that is left (functions once each), not by running it; so a helper may turn
// out not to help. Called by schedule.c, order_trace.c and the runtime.
#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/span.h"
#include "machine/schedule.h"
#include "machine/state.h"
#include "program/rules.h"

// Processes whose waits are reported: each costs a search of the code of all others, and the first
// ones show the cause.
#define MAX_REPORTED 100

// A search of code for steps that could end a wait.
typedef struct search {
    const hoist_program *program;
    const hoist_machine_event *wait;
    uint8_t *seen; // functions; program->function_count
} search;

static bool is_signal(const search *s, const hoist_prog_step *step)
{
    if (step->kind == HOIST_STEP_SIGNAL) {
        return step->as.signal.semaphore == s->wait->object;
    }
    for (uint32_t i = 0; step->kind == HOIST_STEP_POST && i < step->as.call.signal_count; i++) {
        if (step->as.call.signals[i].semaphore == s->wait->object) {
            return true;
        }
    }
    // A wait that changes the count may end another's wait for a smaller count.
    return step->kind == HOIST_STEP_WAIT && step->as.wait.then != HOIST_THEN_NOTHING &&
           step->as.wait.semaphore == s->wait->object;
}

// A pointer set by the program can make a queue look full or empty, for either side.
static bool is_pointer_move(const search *s, const hoist_prog_step *step, bool of_writer)
{
    const bool moves = step->kind == HOIST_STEP_SET_POINTER ||
                       (of_writer ? step->kind == HOIST_STEP_PUSH : step->kind == HOIST_STEP_POP);
    return moves && step->as.fifo.fifo == s->wait->object;
}

// Whether `step` itself could end the wait.
static bool helps(const search *s, const hoist_prog_step *step)
{
    switch (s->wait->block) {
    case HOIST_BLOCK_SEMAPHORE:
        return is_signal(s, step);
    case HOIST_BLOCK_FIFO_EMPTY:
        return is_pointer_move(s, step, true);
    case HOIST_BLOCK_FIFO_FULL:
        return is_pointer_move(s, step, false);
    case HOIST_BLOCK_COLLECTIVE:
        return step->kind == HOIST_STEP_COLLECTIVE && step->as.collective->group == s->wait->object;
    case HOIST_BLOCK_NONE:
    case HOIST_BLOCK_UNIT_FULL: // the unit itself helps: process_helps()
    case HOIST_BLOCK_DRAIN:
        break;
    }
    return false;
}

// Whether code from step `first` on, with all that it calls and posts, could end the wait. Calls
// that are nested deeper than the machine goes are not looked at.
static bool code_helps(const search *s, const hoist_prog_code *code, uint32_t first,
                       uint32_t depth);

static bool target_helps(const search *s, const hoist_prog_target *target, uint32_t depth)
{
    // A table counts as a whole: which entry is called depends on a register.
    const uint32_t count = target->function != HOIST_NO_REF ? 1 : target->table_count;
    for (uint32_t i = 0; i < count; i++) {
        const hoist_ref f = target->function != HOIST_NO_REF ? target->function : target->table[i];
        // Once per search: a function's answer does not depend on who calls it, and functions that
        // post each other are no endless search.
        if (!s->seen[f]) {
            s->seen[f] = 1;
            if (code_helps(s, &s->program->functions[f].code, 0, depth + 1)) {
                return true;
            }
        }
    }
    return false;
}

static bool code_helps(const search *s, const hoist_prog_code *code, uint32_t first, uint32_t depth)
{
    for (uint32_t i = first; depth < HOIST_MACHINE_MAX_DEPTH && i < code->step_count; i++) {
        const hoist_prog_step *step = &code->steps[i];
        const bool calls = step->kind == HOIST_STEP_CALL || step->kind == HOIST_STEP_POST;
        if (helps(s, step) || (calls && target_helps(s, &step->as.call.target, depth))) {
            return true;
        }
    }
    return false;
}

// The first step of a frame that may still be made: the step at hand, or 0 inside a loop, whose
// body may come again from anywhere. Counters above the frame's own are of loops that it is in.
static uint32_t rest_of(const hoist_process *p, size_t frame)
{
    const size_t loops = frame + 1 < p->frame_count ? p->frames[frame + 1].loops : p->loop_count;
    return loops > p->frames[frame].loops ? 0 : p->frames[frame].step;
}

static bool process_helps(const hoist_machine *m, const search *s, size_t process)
{
    const hoist_process *p = &m->processes[process];
    const bool of_unit =
        s->wait->block == HOIST_BLOCK_UNIT_FULL || s->wait->block == HOIST_BLOCK_DRAIN;
    if (of_unit) {
        return p->unit == s->wait->object;
    }
    // Per process: a function that does not help for one is searched once more for the next.
    memset(s->seen, 0, m->program->function_count);
    for (size_t i = 0; i < p->frame_count; i++) {
        if (code_helps(s, p->frames[i].code, rest_of(p, i), 0)) {
            return true;
        }
    }
    const hoist_prog_step *post = p->running ? p->current.post : NULL;
    // The signals of a call that runs are given at its end, after the code that is left.
    bool found = post && is_signal(s, post) && s->wait->block == HOIST_BLOCK_SEMAPHORE;
    for (size_t i = 0; i < p->waiting && !found; i++) {
        const hoist_posted *posted = &p->ring[(p->first + i) % p->ring_capacity];
        // Calls in the ring: what they run, and what they signal when they end.
        found = helps(s, posted->post) ||
                code_helps(s, &m->program->functions[posted->function].code, 0, 0);
    }
    return found;
}

// Who could end the wait of `process`: one byte per process in `out`.
static void find_helpers(const hoist_machine *m, size_t process, uint8_t *seen, uint8_t *out)
{
    const hoist_machine_event wait = hoist_machine_peek(m, process);
    const search s = {m->program, &wait, seen};
    for (size_t i = 0; i < m->process_count; i++) {
        // In a deadlock every process is blocked or has ended; one that has ended cannot help.
        out[i] = i != process && hoist_machine_peek(m, i).kind == HOIST_EVENT_BLOCKED &&
                 process_helps(m, &s, i);
    }
}

// Text ------------------------------------------------------------------------------------------

static const char *const compares[HOIST_CMP_COUNT] = {
    [HOIST_CMP_EQ] = "==", [HOIST_CMP_NE] = "!=", [HOIST_CMP_LT] = "<",
    [HOIST_CMP_LE] = "<=", [HOIST_CMP_GT] = ">",  [HOIST_CMP_GE] = ">=",
};

static void describe_wait(const hoist_machine *m, size_t process, const hoist_machine_event *wait,
                          hoist_buffer *out)
{
    const hoist_program *program = m->program;
    const hoist_prog_step *step = wait->step;
    switch (wait->block) {
    case HOIST_BLOCK_SEMAPHORE:
        hoist_buffer_format(out, "semaphore '%.*s', which is %" PRId64 ", expected %s %" PRId64,
                            HOIST_STR_ARGS(program->semaphores[wait->object].name),
                            m->semaphores[wait->object], compares[step->as.wait.compare],
                            hoist_process_value(m, &m->processes[process], step->as.wait.value));
        break;
    case HOIST_BLOCK_FIFO_EMPTY:
        hoist_buffer_format(out, "an entry of fifo '%.*s'",
                            HOIST_STR_ARGS(program->fifos[wait->object].name));
        break;
    case HOIST_BLOCK_FIFO_FULL:
        hoist_buffer_format(out, "a free slot of fifo '%.*s'",
                            HOIST_STR_ARGS(program->fifos[wait->object].name));
        break;
    case HOIST_BLOCK_UNIT_FULL:
        hoist_buffer_format(out, "space in the queue of unit '%.*s'",
                            HOIST_STR_ARGS(program->units[wait->object].name));
        break;
    case HOIST_BLOCK_DRAIN:
        hoist_buffer_format(out, "unit '%.*s' to complete its calls",
                            HOIST_STR_ARGS(program->units[wait->object].name));
        break;
    case HOIST_BLOCK_COLLECTIVE:
        hoist_buffer_format(out, "the %" PRIu32 " members of group %" PRIu32,
                            step->as.collective->members, step->as.collective->group);
        break;
    case HOIST_BLOCK_NONE:
        hoist_buffer_c(out, "its data step");
        break;
    }
}

// The host pushes and pops from outside: no process has a step that does it.
static bool host_helps(const hoist_machine *m, const hoist_machine_event *wait)
{
    const hoist_prog_fifo *fifos = m->program->fifos;
    return (wait->block == HOIST_BLOCK_FIFO_EMPTY && fifos[wait->object].host_push) ||
           (wait->block == HOIST_BLOCK_FIFO_FULL && fifos[wait->object].host_pop);
}

static void describe_helpers(const hoist_machine *m, const uint8_t *helpers, bool host,
                             hoist_buffer *out)
{
    size_t count = 0;
    for (size_t i = 0; i < m->process_count; i++) {
        if (helpers[i]) {
            hoist_buffer_format(out, "%s'%.*s'", count++ > 0 ? ", " : "; who could help waits: ",
                                HOIST_STR_ARGS(hoist_machine_process_name(m, i)));
        }
    }
    if (host) {
        hoist_buffer_c(out, "; the host could help");
    } else if (count == 0) {
        hoist_buffer_c(out, "; no process that is left could help");
    }
}

// Reports that `process` waits, `how`, and for what; with `helpers`, who could end the wait.
static void report_wait(const hoist_machine *m, size_t process, const char *how,
                        const uint8_t *helpers, const hoist_rule *rule, hoist_diag *diag)
{
    const hoist_machine_event wait = hoist_machine_peek(m, process);
    const hoist_step_at at = hoist_process_place(m, process);
    char step[HOIST_STEP_NAME_SIZE];
    hoist_step_name(m->program, at, step);
    hoist_buffer text;
    hoist_buffer_init(&text, m->alloc);
    describe_wait(m, process, &wait, &text);
    if (helpers) {
        describe_helpers(m, helpers, host_helps(m, &wait), &text);
    }
    hoist_step_report(m->program, at, rule, diag, "'%.*s' %s at %s for %.*s",
                      HOIST_STR_ARGS(hoist_machine_process_name(m, process)), how, step,
                      HOIST_STR_ARGS(hoist_buffer_text(&text)));
    hoist_buffer_deinit(&text);
}

void hoist_report_waits(const hoist_machine *machine, const hoist_rule *rule, hoist_diag *diag)
{
    enum { MOST = 16 };
    size_t reported = 0;
    for (size_t i = 0; i < machine->process_count && reported < MOST; i++) {
        const hoist_machine_event wait = hoist_machine_peek(machine, i);
        if (wait.kind == HOIST_EVENT_BLOCKED && wait.block != HOIST_BLOCK_NONE) {
            report_wait(machine, i, "waits", NULL, rule, diag);
            reported++;
        }
    }
}

// Follows first helpers from a process that waits until one comes again: the cycle. `next` has the
// first helper of each process, SIZE_MAX for none; `path` has space for every process. One helper
// per process makes the walk from a start a single path, which ends or repeats.
static void report_cycle(const hoist_machine *m, const size_t *next, size_t *path, hoist_diag *diag)
{
    const size_t count = m->process_count;
    for (size_t start = 0; start < count && start < MAX_REPORTED; start++) {
        size_t length = 0;
        size_t again = SIZE_MAX;
        for (size_t at = start; at != SIZE_MAX && again == SIZE_MAX; at = next[at]) {
            // A search of the path, not a mark per process: cycles are short, and marks would have
            // to be reset for each start.
            for (size_t i = 0; i < length; i++) {
                again = path[i] == at ? i : again;
            }
            path[length++] = at;
        }
        if (again == SIZE_MAX) {
            continue;
        }
        hoist_buffer text;
        hoist_buffer_init(&text, m->alloc);
        hoist_buffer_c(&text, "they wait for each other: ");
        for (size_t i = again; i < length; i++) {
            hoist_buffer_format(&text, "%s'%.*s'", i > again ? " for " : "",
                                HOIST_STR_ARGS(hoist_machine_process_name(m, path[i])));
        }
        hoist_step_report(m->program, hoist_process_place(m, path[again]),
                          hoist_program_rule_of(m->program, HOIST_PRG_102), diag, "%.*s",
                          HOIST_STR_ARGS(hoist_buffer_text(&text)));
        hoist_buffer_deinit(&text);
        return;
    }
}

// True when a wait at a copy of `step` is among the first `count` that were reported: ranks that
// run one file wait at the same place each, which is one finding. The same step again is another
// process of this rank, and has a finding of its own.
static bool was_reported(const hoist_prog_step *const *reported_steps, size_t count,
                         const hoist_prog_step *step)
{
    for (size_t i = 0; i < count; i++) {
        if (reported_steps[i] != step && hoist_step_is_copy(reported_steps[i], step)) {
            return true;
        }
    }
    return false;
}

void hoist_report_deadlock(const hoist_machine *machine, hoist_diag *diag)
{
    const size_t count = machine->process_count;
    const size_t functions = (size_t)machine->program->function_count + 1;
    uint8_t *helpers = hoist_alloc_zero(machine->alloc, count + 1, 1);
    uint8_t *seen = hoist_alloc_zero(machine->alloc, functions, 1);
    size_t *next = hoist_alloc_zero(machine->alloc, count + 1, sizeof *next);
    size_t *path = hoist_alloc_zero(machine->alloc, count + 1, sizeof *path);
    const hoist_rule *rule = hoist_program_rule_of(machine->program, HOIST_PRG_102);
    const hoist_prog_step *reported_steps[MAX_REPORTED];
    size_t reported = 0;
    // Without memory there are no findings: the outcome says DEADLOCK all the same.
    const bool memory = helpers && seen && next && path;
    for (size_t i = 0; memory && i < count; i++) {
        const hoist_machine_event wait = hoist_machine_peek(machine, i);
        next[i] = SIZE_MAX;
        if (wait.kind == HOIST_EVENT_BLOCKED && reported < MAX_REPORTED) {
            find_helpers(machine, i, seen, helpers);
            if (!was_reported(reported_steps, reported, wait.step)) {
                report_wait(machine, i, "waits for ever", helpers, rule, diag);
            }
            reported_steps[reported++] = wait.step;
            const uint8_t *first = memchr(helpers, 1, count);
            next[i] = first ? (size_t)(first - helpers) : SIZE_MAX;
        }
    }
    if (memory) {
        report_cycle(machine, next, path, diag);
    }
    hoist_free(machine->alloc, helpers, count + 1);
    hoist_free(machine->alloc, seen, functions);
    hoist_free(machine->alloc, next, (count + 1) * sizeof *next);
    hoist_free(machine->alloc, path, (count + 1) * sizeof *path);
}
