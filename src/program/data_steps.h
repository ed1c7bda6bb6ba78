// program/data_steps.h - how many data steps a run will do, where its code says that.
#ifndef HOIST_SRC_PROGRAM_DATA_STEPS_H
#define HOIST_SRC_PROGRAM_DATA_STEPS_H

#include "program/program.h"

// ZERO, MOVE and COMPUTE steps of a run of `entry` with the values of its parameters, calls and
// posted calls included. 0: there are none; or it is not known, because a branch, a table of
// functions or a loop with a computed count decides, or memory ran out.
uint64_t hoist_program_data_steps(const hoist_program *program, hoist_ref entry,
                                  const int64_t *parameters, hoist_allocator alloc);

#endif // HOIST_SRC_PROGRAM_DATA_STEPS_H
