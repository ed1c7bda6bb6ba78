// os/thread.h - time, cores, and waits with a deadline. Threads, mutexes and conditions themselves
// are POSIX's.
#ifndef HOIST_SRC_OS_THREAD_H
#define HOIST_SRC_OS_THREAD_H

#include <pthread.h>
#include <stdatomic.h>

#include "hoist/base.h"

// Seconds of a clock that only goes forward.
double hoist_now(void);

// Seconds of processor time that all threads of this process have had.
double hoist_cpu_time(void);

// Cores that this process may run on; 1 or more.
uint32_t hoist_core_count(void);

// Calls run(self, i) for each i below `count` in order, the ones that are not begun as soon as a
// core is free: by this thread, and by others as long as the system gives some. Returns when all
// have ended. What the calls share they must lock, allocators too (os/shared_alloc.h).
void hoist_run_on_cores(size_t count, void (*run)(void *self, size_t i), void *self);

// Locks a mutex that others hold for moments only: sleeps when it has not become free in some
// microseconds. To sleep and to be woken takes longer than that.
void hoist_lock_soon(pthread_mutex_t *mutex);

// Waits until `counter` is no longer `seen`, for `seconds` at most, and keeps the core meanwhile.
// False when it has not changed.
bool hoist_spin_while(const atomic_uint *counter, unsigned seen, double seconds);

// A condition whose deadlines are of hoist_now()'s clock. False when the system has no memory for
// it. pthread_cond_destroy() ends it.
bool hoist_cond_init(pthread_cond_t *cond);

// Waits for `cond`, whose mutex the caller holds, at most until `deadline` (hoist_now() seconds;
// negative: for ever). False when the deadline has passed. May wake for no reason.
bool hoist_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, double deadline);

#endif // HOIST_SRC_OS_THREAD_H
