// hoist run: drives the session, in one thread that runs, pops and pushes by turns, or with a
// pusher and a popper next to the session's workers. SIGINT cancels the session.
#include <signal.h>
#include <time.h>

#include "ranks.h"
#include "run.h"

// Longest sleep of the pusher and popper where nothing wakes them for space or entries.
static const double NAP = 0.002;

// The session that Ctrl-C cancels; a signal handler has no other way to it.
static _Atomic(hoist_session *) interruptible;

// hoist_session_cancel() is documented as safe in a signal handler: it stores a flag.
static void on_interrupt(int number)
{
    (void)number;
    hoist_session *session = atomic_load(&interruptible);
    if (session) {
        hoist_session_cancel(session);
    }
}

static void nap(void)
{
    const struct timespec time = {.tv_nsec = (long)(NAP * 1e9)};
    (void)nanosleep(&time, NULL);
}

// Threads -----------------------------------------------------------------------------------------

// Each queue is tried without waiting first; then the thread waits for the queue that had space
// last, where more space is likely, and otherwise naps.
static void *pusher(void *self)
{
    run *r = self;
    while (!atomic_load(&r->stop)) {
        if (!run_push(r) && !run_push_waiting(r, NAP)) {
            nap();
        }
    }
    return NULL;
}

static void *popper(void *self)
{
    run *r = self;
    while (!atomic_load(&r->stop)) {
        if (!run_pop(r) && !run_pop_waiting(r, NAP)) {
            nap();
        }
    }
    return NULL;
}

// One thread: runs as far as it goes, then pushes and pops, and so on.
// HOIST_BUSY: the session has nothing that it can do before entries are pushed or popped. When
// neither ran, popped nor pushed anything in a turn, nothing ever will: ending the input makes
// the session report what it waits for.
static hoist_status wait_alone(run *r)
{
    uint64_t before = 0;
    for (;;) {
        const hoist_status status = hoist_session_wait_idle(r->session, 0);
        if (status != HOIST_BUSY || atomic_load(&r->failure) != HOIST_OK) {
            return status;
        }
        hoist_session_counts counts = {.struct_size = sizeof(counts)};
        hoist_session_count(r->session, &counts);
        // Any of these means that the program went on.
        const uint64_t now = counts.control_steps + counts.computes + counts.moves;
        const bool ran = now != before;
        before = now;
        if (!ran && !run_pop(r) && !run_push(r) && atomic_load(&r->failure) == HOIST_OK) {
            hoist_session_end_input(r->session, NULL); // no more entries will come
            return hoist_session_wait_idle(r->session, HOIST_FOREVER);
        }
    }
}

// Programs follow one another on the same session: queues keep their entries between them.
static hoist_status run_programs(run *r)
{
    for (size_t i = 0; i < r->program_count; i++) {
        const run_program *program = &r->programs[i];
        HOIST_TRY(hoist_session_run(r->session, program->name, program->parameters,
                                    program->parameter_count));
        HOIST_TRY(r->alone ? wait_alone(r) : hoist_session_wait_idle(r->session, HOIST_FOREVER));
    }
    return HOIST_OK;
}

// The same between a pusher and a popper.
// Two threads for each iteration: their start costs little next to a run, and between
// iterations nothing else touches the session.
static hoist_status run_programs_among_threads(run *r)
{
    pthread_t threads[2];
    atomic_store(&r->stop, false);
    if (pthread_create(&threads[0], NULL, pusher, r) != 0) {
        return HOIST_NO_MEMORY;
    }
    hoist_status status = HOIST_NO_MEMORY;
    const bool both = pthread_create(&threads[1], NULL, popper, r) == 0;
    if (both) {
        status = run_programs(r);
    }
    atomic_store(&r->stop, true);
    (void)pthread_join(threads[0], NULL);
    if (both) {
        (void)pthread_join(threads[1], NULL);
    }
    return status;
}

static hoist_status run_through(run *r)
{
    run_rewind_outputs(r);
    HOIST_TRY(run_rewind_inputs(r));
    // What fits is pushed before the run, so the time of an iteration has no conversion of the
    // first inputs in it.
    (void)run_push(r);
    const hoist_status status = r->alone ? run_programs(r) : run_programs_among_threads(r);
    // Entries that came after the popper's last look.
    if (status == HOIST_OK) {
        atomic_store(&r->stop, false);
        (void)run_pop(r);
    }
    // What the pusher or popper met comes first: the session was cancelled because of it.
    const hoist_status failure = (hoist_status)atomic_load(&r->failure);
    return failure != HOIST_OK  ? failure
           : status != HOIST_OK ? status
                                : hoist_deadline_look(r->t->deadline);
}

hoist_status run_once(run *r, run_cost *out_cost)
{
    hoist_session_counts before = {.struct_size = sizeof(before)};
    hoist_session_count(r->session, &before);
    const double cpu = hoist_cpu_time();
    const hoist_status status = run_through(r);
    r->counts.struct_size = sizeof(r->counts);
    hoist_session_count(r->session, &r->counts);
    *out_cost =
        // Wall time is the session's own, of runs alone: filling inputs before is not in it.
        (run_cost){.wall = r->counts.seconds - before.seconds, .cpu = hoist_cpu_time() - cpu};
    return status;
}

hoist_status run_drive(run *r)
{
    r->is_golden = tool_word_of(r->t, OPT_QUEUE_MODE) == HOIST_QUEUES_GOLDEN;
    // Stored before the handler is installed, and taken away after it is gone.
    atomic_store(&interruptible, r->session);
    struct sigaction before;
    struct sigaction action = {.sa_handler = on_interrupt};
    (void)sigemptyset(&action.sa_mask);
    struct sigaction before_end;
    (void)sigaction(SIGINT, &action, &before);
    // A launcher ends the other processes when one has died: they report that.
    const bool is_rank = r->t->ranks->comm != NULL;
    if (is_rank) {
        (void)sigaction(SIGTERM, &action, &before_end);
    }
    const hoist_status status = r->command->iterate(r);
    (void)sigaction(SIGINT, &before, NULL);
    if (is_rank) {
        (void)sigaction(SIGTERM, &before_end, NULL);
    }
    atomic_store(&interruptible, NULL);
    hoist_session_report(r->session, r->file->diag);
    return status;
}
