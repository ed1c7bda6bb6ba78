// machine/chooser.h - which process makes the next step under a schedule.
#ifndef HOIST_SRC_MACHINE_CHOOSER_H
#define HOIST_SRC_MACHINE_CHOOSER_H

#include "machine/schedule.h"

typedef struct hoist_chooser {
    hoist_schedule_kind kind;
    uint64_t state; // of the random numbers
    size_t turn;    // IN_ORDER: who goes on
} hoist_chooser;

hoist_chooser hoist_chooser_init(hoist_schedule schedule);
// A process whose next step can be made, or is a fault; false: there is none.
bool hoist_chooser_next(hoist_chooser *chooser, hoist_machine *machine, size_t *out_process);

#endif // HOIST_SRC_MACHINE_CHOOSER_H
