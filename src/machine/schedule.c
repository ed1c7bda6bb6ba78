// Runs of a machine to their end, one process at a time by a chooser: round robin, random
// (SplitMix64, so that a seed gives one run everywhere) or adversarial, which completes posted
// calls as late as it can. machine.h makes the steps, deadlock.c reports why none is left.
#include "machine/schedule.h"

#include <inttypes.h>

#include "base/assert.h"
#include "base/span.h"
#include "machine/chooser.h"
#include "machine/state.h"
#include "program/rules.h"

hoist_chooser hoist_chooser_init(hoist_schedule schedule)
{
    // The seed is the whole state of the generator: two runs with one seed choose alike.
    return (hoist_chooser){.kind = schedule.kind, .state = schedule.seed};
}

// SplitMix64 (Steele, Lea and Flood 2014): the same numbers on every system, unlike rand().
static uint64_t random_number(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = *state;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

// The process to ask. Late completion: the newest thread first, units when no thread moves. Of
// ready ones that cannot move none stays ready, so that all that can are as likely as each other.
static size_t candidate(hoist_chooser *chooser, const hoist_machine *machine)
{
    const hoist_process_set *ready = &machine->ready;
    const size_t count = hoist_process_set_count(ready);
    size_t rank = 0;
    switch (chooser->kind) {
    case HOIST_SCHEDULE_IN_ORDER:
        // The process that moved last goes on until it cannot: `turn` is its number, not the one
        // after it.
        rank = hoist_process_set_rank(ready, chooser->turn % machine->process_count);
        return hoist_process_set_at(ready, rank < count ? rank : 0);
    case HOIST_SCHEDULE_RANDOM:
        // The remainder favours small ranks by less than count / 2^64.
        return hoist_process_set_at(ready, (size_t)(random_number(&chooser->state) % count));
    case HOIST_SCHEDULE_ADVERSARIAL:
        rank = hoist_process_set_rank(ready, machine->thread_count);
        // The last thread below the units, or else the last unit.
        return hoist_process_set_at(ready, (rank > 0 ? rank : count) - 1);
    }
    return 0;
}

bool hoist_chooser_next(hoist_chooser *chooser, hoist_machine *machine, size_t *out_process)
{
    *out_process = 0;
    // Ends: a process that is asked and cannot move leaves the ready set.
    while (hoist_process_set_count(&machine->ready) > 0) {
        const size_t process = candidate(chooser, machine);
        if (hoist_machine_ask(machine, process)) {
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
    const hoist_rule *rule = hoist_program_rule_of(machine->program, HOIST_PRG_103);
    const hoist_str name = hoist_machine_process_name(machine, process);
    // A unit at the end of a posted call has no code left: the post's place is the only one to
    // name.
    if (!hoist_process_top(&machine->processes[process])) {
        hoist_report(diag, rule, event->step->loc, "'%.*s' fails at the end of a posted call: %s",
                     HOIST_STR_ARGS(name), event->fault);
        return;
    }
    const hoist_step_at at = hoist_process_place(machine, process);
    char where[HOIST_STEP_NAME_SIZE];
    hoist_step_name(machine->program, at, where);
    hoist_step_report(machine->program, at, rule, diag, "'%.*s' fails at %s: %s (%" PRId64 ")",
                      HOIST_STR_ARGS(name), where, event->fault, event->value);
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
                // The data step's failure ends the run with the process still busy; the machine can
                // then only be destroyed.
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
    // Nothing is ready, and some still wait.
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
    // Findings at steps name members of the source file; the list is borrowed for the run only.
    hoist_diag_sources(diag, program->sources, program->source_count);
    const hoist_status status = run_schedule(machine, schedule, data, self, diag, out_outcome);
    hoist_diag_sources(diag, NULL, 0);
    return status;
}
