// machine/semaphore.h - counters that are never negative: pure functions on the count.
#ifndef HOIST_SRC_MACHINE_SEMAPHORE_H
#define HOIST_SRC_MACHINE_SEMAPHORE_H

#include "program/program.h"

// Changes `*count`. NULL, or what is wrong (static): then the count is as it was, and `*out_wrong`
// what it would be, cut to 64 bits.
const char *hoist_semaphore_signal(const hoist_prog_semaphore *def, int64_t *count,
                                   hoist_signal_op op, int64_t value, int64_t *out_wrong);
// What a wait does once its condition holds.
const char *hoist_semaphore_then(const hoist_prog_semaphore *def, int64_t *count,
                                 hoist_wait_then then, int64_t value, int64_t *out_wrong);

#endif // HOIST_SRC_MACHINE_SEMAPHORE_H
