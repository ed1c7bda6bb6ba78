// cost/clock.h - runs a machine to its end with a clock: each data step takes time, control takes
// none. A step begins when its process comes to it and the resource that it takes is free; what
// waits goes on when what it waits for ends, by the machine's own semantics.
#ifndef HOIST_SRC_COST_CLOCK_H
#define HOIST_SRC_COST_CLOCK_H

#include "machine/schedule.h"

enum { HOIST_CLOCK_RESOURCES = 8 };

// What a data step takes.
typedef struct hoist_clock_need {
    double seconds;    // 0 or more
    uint32_t resource; // below HOIST_CLOCK_RESOURCES: one step has it at a time, in the order in
                       // which they come to it; else none
} hoist_clock_need;

typedef struct hoist_clock_span {
    const hoist_prog_step *step;
    size_t process;
    const hoist_prog_step *post; // of a unit: that the call came from
    double ready;                // seconds: when its process came to it
    double begin;                // when it got its resource
    double end;
} hoist_clock_span;

typedef struct hoist_clock {
    hoist_allocator alloc;
    hoist_deadline *deadline; // NULL: none
    // The need of the step that `process` is at; views resolve with hoist_machine_resolve().
    hoist_clock_need (*need)(void *self, const hoist_machine *machine, size_t process,
                             const hoist_prog_step *step);
    // Takes each step when it begins. HOIST_OK, or what ends the run.
    hoist_status (*span)(void *self, const hoist_clock_span *span);
    // Called when nothing can move and no step is under way: true when it has changed something
    // that may let the run go on. NULL: nothing does.
    bool (*idle)(void *self, hoist_machine *machine);
    void *self;
    double now; // seconds: where the run begins; afterwards where it ended
} hoist_clock;

// Runs from the state after hoist_machine_start(). Statuses and `*out_outcome` as
// hoist_schedule_run(); HOIST_LIMIT, HOIST_CANCELLED: the deadline.
HOIST_NODISCARD hoist_status hoist_clock_run(hoist_clock *clock, hoist_machine *machine,
                                             hoist_diag *diag, hoist_outcome *out_outcome);

#endif // HOIST_SRC_COST_CLOCK_H
