// Clocks, number of cores, and condition variables with deadlines of the monotonic clock.
#include "os/thread.h"

#include <math.h>
#include <sched.h>
#include <time.h>
#include <unistd.h>

static double read_clock(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now); // cannot fail on Linux
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double hoist_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double hoist_cpu_time(void)
{
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

uint32_t hoist_core_count(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        const int count = CPU_COUNT(&set);
        return count > 0 ? (uint32_t)count : 1;
    }
#endif
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (uint32_t)count : 1;
}

// A moment in a loop that waits: the core's other hardware thread gets on, and the loop's end is
// not mistaken for one of many.
static void pause_core(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb");
#endif
}

void hoist_lock_soon(pthread_mutex_t *mutex)
{
    enum { TRIES = 200 }; // 2 to 10 microseconds
    for (int i = 0; i < TRIES; i++) {
        if (pthread_mutex_trylock(mutex) == 0) {
            return;
        }
        pause_core();
    }
    (void)pthread_mutex_lock(mutex);
}

bool hoist_spin_while(const atomic_uint *counter, unsigned seen, double seconds)
{
    const double end = hoist_now() + seconds;
    do {
        if (atomic_load_explicit(counter, memory_order_relaxed) != seen) {
            return true;
        }
        pause_core();
    } while (hoist_now() < end);
    return false;
}

bool hoist_cond_init(pthread_cond_t *cond)
{
    pthread_condattr_t attr;
    if (pthread_condattr_init(&attr) != 0) {
        return false;
    }
    const bool made = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0 &&
                      pthread_cond_init(cond, &attr) == 0;
    (void)pthread_condattr_destroy(&attr);
    return made;
}

bool hoist_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex, double deadline)
{
    if (deadline < 0) {
        return pthread_cond_wait(cond, mutex) == 0;
    }
    const double whole = floor(deadline);
    const struct timespec until = {.tv_sec = (time_t)whole,
                                   .tv_nsec = (long)((deadline - whole) * 1e9)};
    return pthread_cond_timedwait(cond, mutex, &until) == 0;
}

typedef struct core_run {
    void (*run)(void *self, size_t i);
    void *self;
    size_t count;
    atomic_size_t next; // that no thread has begun
} core_run;

static void *run_some(void *self)
{
    core_run *const all = self;
    for (size_t i = 0; (i = atomic_fetch_add(&all->next, 1)) < all->count;) {
        all->run(all->self, i);
    }
    return NULL;
}

void hoist_run_on_cores(size_t count, void (*run)(void *self, size_t i), void *self)
{
    enum { MOST = 16 };
    core_run all = {.run = run, .self = self, .count = count};
    pthread_t threads[MOST];
    const size_t cores = hoist_core_count();
    size_t begun = 0;
    while (begun < MOST && begun + 1 < cores && begun + 1 < count &&
           pthread_create(&threads[begun], NULL, run_some, &all) == 0) {
        begun++;
    }
    (void)run_some(&all);
    while (begun > 0) {
        (void)pthread_join(threads[--begun], NULL);
    }
}
