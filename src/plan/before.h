// plan/before.h - which steps are over before others begin, in every run and whatever the schedule.
//
// Known of programs whose threads are straight lines: no loop, branch, call or post, and each fifo
// filled by one thread and emptied by one, by single entries. Then the k-th entry that is awaited
// is the k-th that is pushed, in all runs, and a run can be followed once for all of them. These
// are vector clocks (Fidge, Mattern) of one run, which hold for every run.
#ifndef HOIST_SRC_PLAN_BEFORE_H
#define HOIST_SRC_PLAN_BEFORE_H

#include "program/program.h"

// A step of a thread; both count from 0.
typedef struct hoist_before_step {
    uint32_t thread;
    uint32_t step;
} hoist_before_step;

// The entries of a fifo in a run: at place first + k of `pushes` and `pops` is the k-th.
typedef struct hoist_before_fifo {
    uint32_t first;
    uint32_t count; // of entries
    uint32_t fills; // thread; HOIST_NO_REF: none
    uint32_t empties;
} hoist_before_fifo;

typedef struct hoist_before {
    hoist_allocator alloc;
    const hoist_program *program; // borrowed
    bool is_known;                // else nothing below is there
    hoist_before_fifo *fifos;     // owned, per fifo
    uint32_t *pushes;             // owned: steps of `fills`
    uint32_t *pops;               // owned: steps of `empties`
    size_t entry_count;
    // Rows of a clock: of each thread how many steps are over. A thread has a row from a step on.
    uint32_t *clocks; // owned: thread_count numbers for each row
    uint32_t *from;   // owned, per row: the step of its thread after which it holds
    uint32_t *first;  // owned, per thread and one more: its rows
    size_t row_count;
} hoist_before;

// HOIST_OK, also with `is_known` false: a program of another kind, one that does not end, or one
// whose clocks would take more than some megabytes. HOIST_LIMIT (deadline), HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_before_build(const hoist_program *program, hoist_allocator alloc,
                                                hoist_deadline *deadline, hoist_before *out_before);
void hoist_before_deinit(hoist_before *before);

// Whether `a` is over before `b` begins, in all runs. False: it is not certain.
bool hoist_is_before(const hoist_before *before, hoist_before_step a, hoist_before_step b);

#endif // HOIST_SRC_PLAN_BEFORE_H
