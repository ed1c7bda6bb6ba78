// Deadlines of long calls (hoist/base.h): a time and a cheap look at the clock, which loops over
// file content take; and the counts that such loops report on the way (progress.h).
#include <math.h>
#include <stdatomic.h>
#include <threads.h>
#include <time.h>

#include "base/alloc.h"
#include "base/progress.h"

enum { PERIOD = 50 }; // milliseconds between two reports

static const struct {
    const char *name;
    const char *unit;
} stages[HOIST_STAGE_COUNT] = {
    [HOIST_STAGE_NONE] = {"", ""},
    [HOIST_STAGE_OPENING] = {"opening", "bytes"},
    [HOIST_STAGE_INFLATING] = {"inflating", "bytes"},
    [HOIST_STAGE_CHECKING] = {"checking", "files"},
    [HOIST_STAGE_ORDERS] = {"checking orders", "steps"},
    [HOIST_STAGE_LOWERING] = {"lowering", "parts"},
    [HOIST_STAGE_RUNNING] = {"running", "steps"},
    [HOIST_STAGE_PACKING] = {"packing", "bytes"},
    [HOIST_STAGE_UNPACKING] = {"unpacking", "bytes"},
    [HOIST_STAGE_SCANNING] = {"scanning", "files"},
};

struct hoist_deadline {
    hoist_allocator alloc;
    double at;                // seconds of CLOCK_MONOTONIC; infinity: no limit of time
    atomic_int status;        // hoist_status; what is not HOIST_OK stays
    hoist_progress_call call; // NULL: nobody watches, and nothing below counts
    void *self;
    atomic_bool is_taken;   // a stage has begun
    atomic_uintptr_t owner; // the thread that has begun it
    atomic_uint changes;    // of the stage; odd: it is being changed
    atomic_int stage;
    atomic_ullong done;
    atomic_ullong total;
    atomic_bool reports; // a thread does
    atomic_llong next;   // milliseconds of CLOCK_MONOTONIC: of the next report
    bool was_stage;      // the last report was of one; of the thread that reports
    int period;          // milliseconds between two reports
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

// Progress ----------------------------------------------------------------------------------------

void hoist_deadline_watch(hoist_deadline *deadline, hoist_progress_call call, void *self)
{
    deadline->call = call;
    deadline->self = self;
    deadline->period = PERIOD;
}

void hoist_deadline_report_all(hoist_deadline *deadline)
{
    deadline->period = 0;
}

static void change(hoist_deadline *deadline, hoist_stage stage, uint64_t total)
{
    atomic_fetch_add(&deadline->changes, 1);
    atomic_store(&deadline->stage, (int)stage);
    atomic_store(&deadline->done, 0);
    atomic_store(&deadline->total, total);
    atomic_fetch_add(&deadline->changes, 1);
}

static uintptr_t own_thread(void)
{
    return (uintptr_t)thrd_current();
}

bool hoist_stage_begin(hoist_deadline *deadline, hoist_stage stage, uint64_t total)
{
    if (!deadline || !deadline->call || atomic_exchange(&deadline->is_taken, true)) {
        return false;
    }
    atomic_store(&deadline->owner, own_thread());
    change(deadline, stage, total);
    return true;
}

void hoist_stage_end(hoist_deadline *deadline, bool is_own)
{
    if (is_own) {
        atomic_store(&deadline->owner, 0);
        change(deadline, HOIST_STAGE_NONE, 0);
        atomic_store(&deadline->is_taken, false);
    }
}

static bool is_ours(const hoist_deadline *deadline, hoist_stage stage)
{
    return deadline && deadline->call &&
           atomic_load_explicit(&deadline->stage, memory_order_relaxed) == (int)stage &&
           atomic_load_explicit(&deadline->owner, memory_order_relaxed) == own_thread();
}

void hoist_stage_turn(hoist_deadline *deadline, hoist_stage from, hoist_stage to, uint64_t total)
{
    if (is_ours(deadline, from)) {
        change(deadline, to, total);
    }
}

void hoist_stage_expect(hoist_deadline *deadline, hoist_stage stage, uint64_t more)
{
    if (is_ours(deadline, stage)) {
        atomic_fetch_add(&deadline->total, more);
    }
}

void hoist_stage_add(hoist_deadline *deadline, hoist_stage stage, uint64_t more)
{
    if (is_ours(deadline, stage)) {
        // Who reports sees the stage that the count is of.
        const uint64_t done = atomic_load_explicit(&deadline->done, memory_order_relaxed);
        atomic_store_explicit(&deadline->done, done + more, memory_order_release);
    }
}

void hoist_stage_set(hoist_deadline *deadline, uint64_t done)
{
    atomic_store_explicit(&deadline->done, done, memory_order_release);
}

// False: the stage changes meanwhile. A total that was passed was none.
static bool take(hoist_deadline *deadline, hoist_progress *out_progress)
{
    const unsigned before = atomic_load(&deadline->changes);
    const hoist_stage stage = (hoist_stage)atomic_load(&deadline->stage);
    const uint64_t done = atomic_load(&deadline->done);
    const uint64_t total = atomic_load(&deadline->total);
    *out_progress = (hoist_progress){.stage = stage,
                                     .name = stages[stage].name,
                                     .unit = stages[stage].unit,
                                     .done = done,
                                     .total = done <= total ? total : 0};
    return before % 2 == 0 && before == atomic_load(&deadline->changes);
}

// One thread at a time; one that comes meanwhile goes on with its work.
static void report(hoist_deadline *deadline, double time)
{
    const long long ms = (long long)(time * 1e3);
    hoist_progress progress;
    if (ms < atomic_load_explicit(&deadline->next, memory_order_relaxed) ||
        atomic_exchange(&deadline->reports, true)) {
        return;
    }
    if (ms >= atomic_load(&deadline->next) && take(deadline, &progress)) {
        const bool is_new = progress.stage != HOIST_STAGE_NONE || deadline->was_stage;
        atomic_store(&deadline->next, ms + deadline->period);
        deadline->was_stage = progress.stage != HOIST_STAGE_NONE;
        if (is_new) {
            deadline->call(deadline->self, &progress);
        }
    }
    atomic_store(&deadline->reports, false);
}

// Looks -------------------------------------------------------------------------------------------

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
    if (atomic_load_explicit(&deadline->status, memory_order_relaxed) == HOIST_OK) {
        const double time = now();
        if (deadline->call) { // which may cancel
            report(deadline, time);
        }
        if (time >= deadline->at) {
            end(deadline, HOIST_LIMIT);
        }
    }
    return (hoist_status)atomic_load_explicit(&deadline->status, memory_order_relaxed);
}

double hoist_deadline_left(const hoist_deadline *deadline)
{
    const double left = deadline ? deadline->at - now() : (double)INFINITY;
    return left > 0 ? left : 0;
}
