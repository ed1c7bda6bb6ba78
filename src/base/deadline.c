// Deadlines of long calls (hoist/base.h): a time and a cheap look at the clock, which loops over
// file content take.
#include <math.h>
#include <stdatomic.h>
#include <time.h>

#include "hoist/base.h"

#include "base/alloc.h"

struct hoist_deadline {
    hoist_allocator alloc;
    double at;         // seconds of CLOCK_MONOTONIC; infinity: no limit of time
    atomic_int status; // hoist_status; what is not HOIST_OK stays
};

// A signal handler may cancel.
_Static_assert(ATOMIC_INT_LOCK_FREE == 2, "a signal handler may store an atomic_int");

// The coarse clock is some milliseconds late and costs a tenth: looks may be frequent.
static double now(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_MONOTONIC_COARSE, &time); // cannot fail on Linux
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

hoist_status hoist_deadline_create(hoist_allocator alloc, double seconds,
                                   hoist_deadline **out_deadline)
{
    *out_deadline = NULL;
    if (isnan(seconds)) {
        return HOIST_INVALID;
    }
    hoist_deadline *const deadline = hoist_alloc_zero(alloc, 1, sizeof *deadline);
    if (!deadline) {
        return HOIST_NO_MEMORY;
    }
    deadline->alloc = alloc;
    deadline->at = seconds < 0 ? (double)INFINITY : now() + seconds;
    atomic_init(&deadline->status, HOIST_OK);
    *out_deadline = deadline;
    return HOIST_OK;
}

void hoist_deadline_destroy(hoist_deadline *deadline)
{
    if (deadline) {
        hoist_free(deadline->alloc, deadline, sizeof *deadline);
    }
}

// Whatever ended it first stays.
static void end(hoist_deadline *deadline, hoist_status status)
{
    int going = HOIST_OK;
    (void)atomic_compare_exchange_strong(&deadline->status, &going, (int)status);
}

void hoist_deadline_cancel(hoist_deadline *deadline)
{
    end(deadline, HOIST_CANCELLED);
}

hoist_status hoist_deadline_look(hoist_deadline *deadline)
{
    if (!deadline) {
        return HOIST_OK;
    }
    int status = atomic_load_explicit(&deadline->status, memory_order_relaxed);
    if (status == HOIST_OK && now() >= deadline->at) {
        end(deadline, HOIST_LIMIT);
        status = atomic_load_explicit(&deadline->status, memory_order_relaxed);
    }
    return (hoist_status)status;
}

double hoist_deadline_left(const hoist_deadline *deadline)
{
    const double left = deadline ? deadline->at - now() : (double)INFINITY;
    return left > 0 ? left : 0;
}
