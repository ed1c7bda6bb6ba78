// runtime/open_steps.h - what processes need only while they are at a data step: as many as are
// worked on at once, used again, where there may be a hundred thousand processes.
#ifndef HOIST_SRC_RUNTIME_OPEN_STEPS_H
#define HOIST_SRC_RUNTIME_OPEN_STEPS_H

#include "runtime/profile.h"
#include "runtime/work.h"

typedef struct hoist_open_step hoist_open_step;

// A data step between its begin and its end.
struct hoist_open_step {
    hoist_work work;                                 // zeros, or made ready for a step before
    hoist_profiled_step profiled[HOIST_GROUP_STEPS]; // while profiling: of each step of a group
    double ended;          // while profiling: the last piece that was noted; 0: none was
    hoist_open_step *next; // that is free
};

// Those that no process has; zeros are none. The caller's lock guards them.
typedef struct hoist_open_steps {
    hoist_open_step *free; // owned
} hoist_open_steps;

// The one given back last, with what its work has allocated, or a new one; NULL: no memory.
hoist_open_step *hoist_open_steps_take(hoist_open_steps *steps, hoist_allocator alloc);
// NULL is nothing.
void hoist_open_steps_give(hoist_open_steps *steps, hoist_open_step *step);
// Those that were given back.
void hoist_open_steps_deinit(hoist_open_steps *steps, hoist_allocator alloc);

#endif // HOIST_SRC_RUNTIME_OPEN_STEPS_H
