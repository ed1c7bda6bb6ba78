// program/uses.h - which views a step reads and writes: one table for verifier, planner and
// machine.
#ifndef HOIST_SRC_PROGRAM_USES_H
#define HOIST_SRC_PROGRAM_USES_H

#include "program/program.h"

typedef struct hoist_step_use {
    hoist_ref view;
    bool written; // else read
} hoist_step_use;

// Calls `use` for every view that `step` names, in order: what is read, then what is written. Views
// that are arguments of a call or post count as the parameter says.
void hoist_step_uses(const hoist_program *program, const hoist_prog_step *step,
                     void (*use)(void *self, hoist_step_use use), void *self);

#endif // HOIST_SRC_PROGRAM_USES_H
