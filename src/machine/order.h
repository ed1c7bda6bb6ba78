// machine/order.h - races and deadlock of an entry, over every order that its waits permit.
//
// For monotone programs (semaphores only grow, waits are >= or > and change nothing, each unit and
// each end of a fifo is one process's at a time) the answer is exact: what happens before what is
// the same in all runs. Branches do no harm, since registers come from registers.
//
// Semaphores may also fall and be set, and waits be of all kinds and change what they wait for
// (events that are set, awaited and cleared; counts that are taken), when
// - each change that sets a semaphore has an order with all others of it: between two of them the
//   changes are sums, in whatever order;
// - no wait can miss its moment: it passes whatever else has happened of what does not come after
//   it in all runs;
// - no order takes a semaphore below 0 or beyond its maximum.
// Then all runs end, what is shown to come first does so in all of them, and if that leaves no race
// the program is CLEAN. README.md says why.
//
// For all others, and where clocks may not name all that comes first, a bounded number of schedules
// is explored; when none of them is bad, the verdict is UNKNOWN, never CLEAN. So it is when a run
// exceeds a limit, and when all that is found are accesses whose bytes are not known exactly (a
// view of more than 1,024 runs, a table that leaves elements out).
//
// The host fills every queue that it may fill, up to its slots, takes from one when
// a process waits for a free slot, and has filled every ram that it may fill. So a program that
// reads again what it has popped is bad, since the slot may have been filled anew by then; with
// `host_fills_once` it is not.
#ifndef HOIST_SRC_MACHINE_ORDER_H
#define HOIST_SRC_MACHINE_ORDER_H

#include "machine/schedule.h"

typedef struct hoist_order_options {
    hoist_allocator alloc;
    hoist_deadline *deadline;  // when it has to end; NULL: never
    const int64_t *parameters; // of the entry; NULL: all 1
    uint64_t max_steps;        // 0: 1,000,000
    uint32_t max_schedules;    // of programs that are not monotone; 0: 64
    uint32_t max_findings;     // 0: 100
    uint64_t max_visits;       // cells and epochs to look at; 0: 67,108,864, some seconds
    const hoist_ref *before;   // entries that have run before, in order: what they leave in fifos
    uint32_t before_count;     // and memory is there
    const int64_t *const *before_parameters; // of each; NULL: all 1
    hoist_tree_sink
        *races;           // NULL, or where each race goes as a map, step by step (order_witness.c)
    const char **out_why; // NULL, or set to the reason of an UNKNOWN verdict: static
    bool host_fills_once; // queues are full when the first entry begins, and that was all
} hoist_order_options;

// Races are PRG-101 (two accesses, at least one a write, of the same bytes, unordered; both steps
// are named; reported once for steps that have the same places, as the ranks of a file have),
// deadlocks PRG-102 (every waiting step and the cycle), faults PRG-103, reads of bytes of undefined
// contents that no step before them writes, and no need names, PRG-104. HOIST_OK with
// `*out_verdict`, HOIST_NO_MEMORY; HOIST_LIMIT: fifos with more than 2^26 slots, or the deadline;
// HOIST_CANCELLED.
HOIST_NODISCARD hoist_status hoist_program_check_order(const hoist_program *program,
                                                       hoist_ref entry,
                                                       const hoist_order_options *options,
                                                       hoist_diag *diag,
                                                       hoist_verdict *out_verdict);

typedef struct hoist_order_result {
    hoist_verdict verdict;
    const char *why; // it is UNKNOWN: static
} hoist_order_result;

// The same of each of options->before, with those before it, in one go: a result for each.
HOIST_NODISCARD hoist_status hoist_program_check_sequence(const hoist_program *program,
                                                          const hoist_order_options *options,
                                                          hoist_diag *diag,
                                                          hoist_order_result *out_results);

#endif // HOIST_SRC_MACHINE_ORDER_H
