#include "machine/schedule.h"

#include <inttypes.h>

#include "base/assert.h"
#include "base/span.h"
#include "machine/chooser.h"
#include "machine/state.h"
#include "machine/step_name.h"
#include "program/rules.h"

hoist_chooser hoist_chooser_init(hoist_schedule schedule)
{
    return (hoist_chooser){.kind = schedule.kind, .state = schedule.seed};
}

// SplitMix64: the same numbers everywhere.
static uint64_t random_number(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static bool can_move(const hoist_machine *machine, size_t process)
{
    const hoist_event_kind kind = hoist_machine_peek(machine, process).kind;
    return kind != HOIST_EVENT_BLOCKED && kind != HOIST_EVENT_ENDED;
}

// The `i`-th process to ask. Late completion: the newest thread first, units when no thread moves.
static size_t candidate(const hoist_chooser *chooser, const hoist_machine *machine, size_t i)
{
    HOIST_ASSERT(i < machine->process_count);
    const size_t count = machine->process_count;
    if (chooser->kind != HOIST_SCHEDULE_ADVERSARIAL) {
        return (chooser->turn + i) % count;
    }
    const size_t threads = machine->thread_count;
    return i < threads ? threads - 1 - i : count - 1 - (i - threads);
}

// Each process that can move is as likely as the others; asking for a neighbour of one that cannot
// would favour those behind many that have ended.
static bool choose_random(hoist_chooser *chooser, const hoist_machine *machine, size_t *out_process)
{
    const size_t count = machine->process_count;
    for (size_t i = 0; i < count; i++) {
        *out_process = (size_t)(random_number(&chooser->state) % count);
        if (can_move(machine, *out_process)) {
            return true;
        }
    }
    size_t movable = 0;
    for (size_t i = 0; i < count; i++) {
        movable += can_move(machine, i);
    }
    size_t left = movable ? (size_t)(random_number(&chooser->state) % movable) + 1 : 0;
    for (size_t i = 0; left > 0; i++) {
        *out_process = i;
        left -= can_move(machine, i);
    }
    return movable > 0;
}

bool hoist_chooser_next(hoist_chooser *chooser, const hoist_machine *machine, size_t *out_process)
{
    const size_t count = machine->process_count;
    *out_process = 0;
    if (chooser->kind == HOIST_SCHEDULE_RANDOM) {
        return choose_random(chooser, machine, out_process);
    }
    for (size_t i = 0; i < count; i++) {
        const size_t process = candidate(chooser, machine, i);
        if (can_move(machine, process)) {
            chooser->turn = process;
            *out_process = process;
            return true;
        }
    }
    return false;
}

void hoist_report_fault(const hoist_machine *machine, size_t process,
                        const hoist_machine_event *event, hoist_diag *diag)
{
    const hoist_process *p = &machine->processes[process];
    hoist_step_at at = {HOIST_NO_REF, p->thread, event->step};
    const hoist_frame_state *top = hoist_process_top(p);
    if (top && top->function != HOIST_NO_REF) {
        at.function = top->function;
    }
    const hoist_str name = hoist_machine_process_name(machine, process);
    char where[HOIST_STEP_NAME_SIZE] = "the end of a posted call";
    hoist_frame frame = {.doing = NULL};
    if (top) {
        char path[HOIST_STEP_NAME_SIZE];
        hoist_step_name(machine->program, at, where);
        hoist_step_path(machine->program, at, path);
        hoist_diag_push(diag, &frame, NULL, HOIST_STR(""), hoist_str_from(path));
        hoist_report(diag, hoist_program_rule_of(machine->program, HOIST_PRG_103), event->step->loc,
                     "'%.*s' fails at %s: %s (%" PRId64 ")", HOIST_STR_ARGS(name), where,
                     event->fault, event->value);
        hoist_diag_pop(diag, &frame);
        return;
    }
    hoist_report(diag, hoist_program_rule_of(machine->program, HOIST_PRG_103), event->step->loc,
                 "'%.*s' fails at %s: %s", HOIST_STR_ARGS(name), where, event->fault);
}

static hoist_status run_schedule(hoist_machine *machine, hoist_schedule schedule,
                                 hoist_data_step data, void *self, hoist_diag *diag,
                                 hoist_outcome *out_outcome)
{
    hoist_chooser chooser = hoist_chooser_init(schedule);
    size_t process = 0;
    *out_outcome = HOIST_OUTCOME_DONE;
    while (hoist_chooser_next(&chooser, machine, &process)) {
        const hoist_machine_event event = hoist_machine_step(machine, process);
        if (event.kind == HOIST_EVENT_DATA) {
            if (data) {
                HOIST_TRY(data(self, machine, process, event.step));
            }
            hoist_machine_finish(machine, process);
        } else if (event.kind == HOIST_EVENT_FAULT) {
            hoist_report_fault(machine, process, &event, diag);
            *out_outcome = HOIST_OUTCOME_FAULT;
            return HOIST_OK;
        } else if (event.kind == HOIST_EVENT_FAILED) {
            *out_outcome = HOIST_OUTCOME_LIMIT;
            return event.status == HOIST_LIMIT ? HOIST_OK : event.status;
        }
    }
    if (!hoist_machine_is_done(machine)) {
        hoist_report_deadlock(machine, diag);
        *out_outcome = HOIST_OUTCOME_DEADLOCK;
    }
    return HOIST_OK;
}

hoist_status hoist_schedule_run(hoist_machine *machine, hoist_schedule schedule,
                                hoist_data_step data, void *self, hoist_diag *diag,
                                hoist_outcome *out_outcome)
{
    const hoist_program *program = machine->program;
    hoist_diag_sources(diag, program->sources, program->source_count);
    const hoist_status status = run_schedule(machine, schedule, data, self, diag, out_outcome);
    hoist_diag_sources(diag, NULL, 0);
    return status;
}
