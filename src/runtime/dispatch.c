// The threads of a session: they move the machine's control under the lock, and work on data
// without it (steps.h).
#include "base/assert.h"
#include "runtime/run_end.h"
#include "runtime/steps.h"

// Threads of the entry come first, then units.
static bool is_unit(const hoist_session *session, size_t process, size_t *out_unit)
{
    HOIST_ASSERT(hoist_machine_process_count(session->machine) >= session->program->unit_count);
    const size_t threads =
        hoist_machine_process_count(session->machine) - session->program->unit_count;
    *out_unit = process - threads;
    return process >= threads;
}

// A unit takes or completes a call: what it does next is another call's.
static void begin_call(hoist_session *session, size_t process, const hoist_prog_step *step)
{
    size_t unit = 0;
    if (step && step->kind == HOIST_STEP_POST && is_unit(session, process, &unit)) {
        session->lanes[process].function = HOIST_NO_REF;
        session->lanes[process].worked = false;
    }
}

// Counts a call of a unit when it first works on data, and the unit's cache when it enters another
// function that does: the deepest call.
static void count_function(hoist_session *session, size_t process)
{
    size_t unit = 0;
    if (!is_unit(session, process, &unit)) {
        return;
    }
    session->counts.calls += !session->lanes[process].worked;
    session->lanes[process].worked = true;
    const uint32_t depth = hoist_machine_depth(session->machine, process);
    const hoist_ref now =
        depth ? hoist_machine_frame(session->machine, process, depth - 1) : HOIST_NO_REF;
    // Steps of the same function in a row ask once.
    if (now != session->lanes[process].function) {
        session->lanes[process].function = now;
        if (now != HOIST_NO_REF) {
            const hoist_binary_found found = hoist_binary_cache_ask(&session->caches[unit], now);
            session->counts.cache_hits += found == HOIST_BINARY_HIT;
            session->counts.cache_misses += found != HOIST_BINARY_HIT;
            session->counts.cache_evictions += found == HOIST_BINARY_EVICTED;
        }
    }
}

// Steps between two looks at the time by whoever waits.
enum { SLICE = 4096 };

// Control of one process as far as it goes, at most `most` steps. True when it moved.
static bool advance_process(hoist_session *session, size_t process, int most)
{
    HOIST_ASSERT(!hoist_process_set_has(&session->busy, process));
    bool moved = false;
    session->is_slice = false;
    // Control steps are short; all of them are made with the lock.
    for (int i = 0; i < most && session->running && !hoist_session_is_stopped(session); i++) {
        const hoist_machine_event event = hoist_machine_step(session->machine, process);
        session->counts.control_steps += event.kind == HOIST_EVENT_STEPPED;
        switch (event.kind) {
        case HOIST_EVENT_STEPPED:
            begin_call(session, process, event.step);
            moved = true;
            break;
        case HOIST_EVENT_DATA:
            count_function(session, process);
            // What this process has pushed may let others go on while it works.
            if (moved && session->waiting > 0) {
                hoist_session_wake(session);
            }
            if (hoist_step_begin(session, process, event.step)) {
                hoist_step_do(session, process);
            }
            return true;
        case HOIST_EVENT_FAULT:
            hoist_session_fail_fault(session, &event);
            return true;
        case HOIST_EVENT_FAILED:
            hoist_session_fail_status(session, &event);
            return true;
        case HOIST_EVENT_ENDED:
            session->lanes[process].function = HOIST_NO_REF;
            return moved;
        default:
            return moved;
        }
    }
    session->is_slice = moved;
    return moved;
}

// Any process that can go on. True when one has. One that cannot is not ready any more.
static bool advance_any(hoist_session *session)
{
    // After the process that went on last, so that all get their turn.
    size_t process = session->turn;
    while (session->running && !hoist_session_is_stopped(session) &&
           hoist_machine_next(session->machine, process, &process)) {
        if (advance_process(session, process, SLICE)) {
            session->turn = process + 1;
            return true;
        }
    }
    return false;
}

// The steps that the schedule asks for, to the end of a data step at most. True when any was made.
static bool advance_chosen(hoist_session *session)
{
    bool moved = false;
    size_t process = 0;
    for (int i = 0; i < SLICE && session->running && !hoist_session_is_stopped(session) &&
                    hoist_chooser_next(&session->chooser, session->machine, &process);
         i++) {
        const uint64_t before = session->counts.control_steps;
        moved = advance_process(session, process, 1) || moved;
        // It was a data step, or the process cannot go on.
        if (session->counts.control_steps == before) {
            return moved;
        }
    }
    session->is_slice = moved;
    return moved;
}

// Moves what can be moved, by one thread: control of every process as far as it goes, and the data
// steps it meets. True when anything has moved.
static bool advance(hoist_session *session)
{
    if (!session->running) {
        return false;
    }
    if (hoist_session_is_stopped(session)) {
        hoist_session_end_stopped(session);
        return true;
    }
    // With a schedule the order of steps is part of what was asked for.
    const bool scheduled = session->options.schedule != HOIST_RUN_AS_IT_COMES;
    const bool moved = scheduled ? advance_chosen(session) : advance_any(session);
    if (moved) {
        session->stuck = false;
        hoist_session_wake(session);
    }
    return moved;
}

// True when something waits that the host could still give or take.
static bool host_may_help(hoist_session *session)
{
    if (session->host_at_work) {
        return true;
    }
    const size_t count = hoist_machine_process_count(session->machine);
    for (size_t i = 0; i < count; i++) {
        const hoist_machine_event event = hoist_machine_peek(session->machine, i);
        if (event.kind != HOIST_EVENT_BLOCKED) {
            continue;
        }
        const hoist_prog_fifo *fifos = session->program->fifos;
        // A process waits for an entry that the host may still push ...
        if (event.block == HOIST_BLOCK_FIFO_EMPTY && fifos[event.object].host_push &&
            !session->input_ended[event.object]) {
            return true;
        }
        // ... or for a slot that the host may still empty.
        if (event.block == HOIST_BLOCK_FIFO_FULL && fifos[event.object].host_pop) {
            return true;
        }
    }
    return false;
}

// Ends the run when the processes of other ranks are the reason. True when it ended.
static bool follow_others(hoist_session *session)
{
    hoist_status why = HOIST_OK;
    const bool leaves = session->running && hoist_remote_leaves(session->remote, &why);
    if (leaves) {
        hoist_session_end_run(session, why);
    }
    return leaves;
}

bool hoist_session_settle(hoist_session *session)
{
    if (!session->running || hoist_session_is_busy(session)) {
        return false;
    }
    // With other processes only all of them together know whether nothing moves any more.
    if (session->remote && !hoist_session_is_stopped(session)) {
        session->stuck = true;
        const bool is_done = hoist_machine_is_done(session->machine);
        return (is_done || !host_may_help(session)) && hoist_remote_settle(session, is_done) &&
               follow_others(session);
    }
    if (hoist_machine_is_done(session->machine)) {
        hoist_session_end_run(session, HOIST_OK);
        return true;
    }
    if (hoist_session_is_stopped(session)) { // the host may have stopped for the same reason
        hoist_session_end_stopped(session);
        return true;
    }
    session->stuck = true;
    // Nothing can move, and nobody can change that.
    if (!host_may_help(session)) {
        hoist_report_deadlock(session->machine, session->diag);
        hoist_session_end_run(session, HOIST_INVALID);
        return true;
    }
    return false;
}

// A worker looks so long for a change before it sleeps: most steps are shorter, and to sleep and to
// be woken would take as long as they do.
static const double SPIN_SECONDS = 100e-6;

// Waits for a change without giving up the core. False when none has come.
static bool spin(hoist_session *session)
{
    const unsigned seen = atomic_load_explicit(&session->changes, memory_order_relaxed);
    (void)pthread_mutex_unlock(&session->lock);
    (void)hoist_spin_while(&session->changes, seen, SPIN_SECONDS);
    hoist_lock_soon(&session->lock);
    // It may have come while the lock was waited for.
    return atomic_load_explicit(&session->changes, memory_order_relaxed) != seen;
}

// Waits for any change, for example by another thread's push: there is nothing to do for whoever
// does the work.
static void wait_idly(hoist_session *session, double deadline)
{
    if (session->profiler) {
        hoist_profiler_begin_wait(session->profiler, hoist_session_own_worker(session),
                                  hoist_now());
    }
    session->waiting++;
    if (!session->may_spin || !spin(session)) {
        (void)hoist_cond_wait(&session->changed, &session->lock, deadline);
    }
    HOIST_ASSERT(session->waiting > 0);
    session->waiting--;
    if (session->profiler) {
        hoist_profiler_end_wait(session->profiler, hoist_session_own_worker(session), hoist_now());
    }
}

bool hoist_session_wait(hoist_session *session, pthread_cond_t *what, double deadline)
{
    // There is no worker: whoever waits does the work meanwhile.
    if (session->options.sequential) {
        session->deadline = deadline;
        if (hoist_steps_resume(session) || advance(session) || hoist_session_settle(session) ||
            hoist_remote_wait(session)) {
            (void)follow_others(session);
            return deadline < 0 || hoist_now() < deadline;
        }
    }
    // A cancellation wakes nobody: it is seen at the latest after this time.
    const double soon = hoist_now() + 0.1;
    const double until = deadline >= 0 && deadline < soon ? deadline : soon;
    if (session->options.sequential) {
        wait_idly(session, until);
    } else {
        (void)hoist_cond_wait(what, &session->lock, until);
    }
    if (hoist_session_is_stopped(session)) {
        hoist_session_end_stopped(session);
    }
    return deadline < 0 || hoist_now() < deadline;
}

// A program that computes nothing but control holds the lock all the time. Giving it up for a
// moment is not enough: who waits for it has to wake up first.
static void let_others(hoist_session *session)
{
    session->is_slice = false;
    (void)hoist_cond_wait(&session->changed, &session->lock, hoist_now() + 0.00005);
}

// Who works next to a thread that looks after messages, and may have taken up a step since.
static const double NAP = 0.001;

void *hoist_session_worker(void *self)
{
    hoist_session *session = self;
    unsigned slices = 0;
    (void)pthread_mutex_lock(&session->lock);
    while (!session->stop) {
        if (hoist_steps_help(session) || advance(session) || hoist_session_settle(session)) {
            // Messages go out as soon as there may be some.
            (void)hoist_remote_pump(session);
            (void)follow_others(session);
            if (session->is_slice && ++slices % 16 == 0) {
                let_others(session);
            }
            continue;
        }
        if (hoist_remote_wait(session)) {
            (void)follow_others(session);
        } else {
            wait_idly(session, session->running && session->remote ? hoist_now() + NAP : -1);
        }
    }
    (void)pthread_mutex_unlock(&session->lock);
    return NULL;
}
