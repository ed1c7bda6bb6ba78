// machine/schedule.h - runs a machine to its end under a schedule, without or with data.
#ifndef HOIST_SRC_MACHINE_SCHEDULE_H
#define HOIST_SRC_MACHINE_SCHEDULE_H

#include "machine/machine.h"

typedef enum hoist_schedule_kind {
    HOIST_SCHEDULE_IN_ORDER = 0, // each process as far as it goes, round robin
    HOIST_SCHEDULE_RANDOM,       // a seeded choice at every step
    HOIST_SCHEDULE_ADVERSARIAL,  // completes what was posted as late as it can, newest thread first
} hoist_schedule_kind;

typedef struct hoist_schedule {
    hoist_schedule_kind kind;
    uint64_t seed;
} hoist_schedule;

typedef enum hoist_outcome {
    HOIST_OUTCOME_DONE = 0,
    HOIST_OUTCOME_DEADLOCK,
    HOIST_OUTCOME_FAULT,
    HOIST_OUTCOME_LIMIT, // max_steps
} hoist_outcome;

// Called for every data step, before it is finished; NULL: data steps do nothing.
typedef hoist_status (*hoist_data_step)(void *self, hoist_machine *machine, size_t process,
                                        const hoist_prog_step *step);

// Runs from the state after hoist_machine_start(). A deadlock or fault is reported in `diag`: every
// process that waits, at its step, for what, and the cycle. HOIST_OK with `*out_outcome`, the data
// step's first failure, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_schedule_run(hoist_machine *machine, hoist_schedule schedule,
                                                hoist_data_step data, void *self, hoist_diag *diag,
                                                hoist_outcome *out_outcome);

// Reports why nothing moves: for the runtime, which finds out by itself that nothing does. Of the
// processes of several ranks that wait at one place of a file, the first.
void hoist_report_deadlock(const hoist_machine *machine, hoist_diag *diag);

// Reports, under `rule`, what the processes that wait wait for: of a run that a limit ends. At most
// 16 of them.
void hoist_report_waits(const hoist_machine *machine, const hoist_rule *rule, hoist_diag *diag);

// Reports the fault that `event` of `process` is.
void hoist_report_fault(const hoist_machine *machine, size_t process,
                        const hoist_machine_event *event, hoist_diag *diag);

#endif // HOIST_SRC_MACHINE_SCHEDULE_H
