// os/thread.h - time, cores, and waits with a deadline. Threads, mutexes and conditions themselves
// are POSIX's.
#ifndef HOIST_SRC_OS_THREAD_H
#define HOIST_SRC_OS_THREAD_H

#include <pthread.h>

#include "hoist/base.h"

// Seconds of a clock that only goes forward.
double hoist_now(void);

// Seconds of processor time that all threads of this process have had.
double hoist_cpu_time(void);

// Cores that this process may run on; 1 or more.
uint32_t hoist_core_count(void);

// A condition whose deadlines are of hoist_now()'s clock. False when the system has no memory for
// it. pthread_cond_destroy() ends it.
bool hoist_cond_init(pthread_cond_t *cond);

// Waits for `cond`, whose mutex the caller holds, at most until `deadline` (hoist_now() seconds;
// negative: for ever). False when the deadline has passed. May wake for no reason.
bool hoist_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, double deadline);

#endif // HOIST_SRC_OS_THREAD_H
