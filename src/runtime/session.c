// Runs of a session: start, wait, cancel, and the counters of what has been done. session_open.c
// opens and closes sessions, dispatch.c moves them on.
#include "runtime/session.h"

#include <string.h>

#include "base/alloc.h"
#include "base/progress.h"
#include "program/data_steps.h"
#include "program/needs.h"
#include "runtime/ports.h"
#include "runtime/run_end.h"

hoist_status hoist_session_create_diag(const hoist_session *s, hoist_diag **out_diag)
{
    HOIST_TRY(hoist_diag_create(s->alloc, NULL, out_diag));
    hoist_diag_source(*out_diag, s->program->file, HOIST_STR(""));
    hoist_diag_sources(*out_diag, s->program->sources, s->program->source_count);
    if (hoist_diag_incomplete(*out_diag)) {
        hoist_diag_destroy(*out_diag);
        *out_diag = NULL;
        return HOIST_NO_MEMORY;
    }
    return HOIST_OK;
}

// The entry of a name; a missing one is a mistake of the caller.
static hoist_status find_entry(hoist_session *s, const char *name, hoist_ref *out_entry)
{
    *out_entry = hoist_prog_find_entry(s->program, name);
    return *out_entry != HOIST_NO_REF
               ? HOIST_OK
               : hoist_fail(s->diag, HOIST_NOT_FOUND,
                            hoist_runtime_rule_row(HOIST_RUNTIME_PARAMETER), hoist_loc_none(),
                            "there is no program '%s'", name);
}

// Puts the given values in the order of the entry; `set` tells which there are.
static hoist_status give_parameters(hoist_session *s, const hoist_prog_entry *entry,
                                    const hoist_parameter *given, size_t count, int64_t *values,
                                    bool *set)
{
    hoist_status status = HOIST_OK;
    const hoist_rule *rule = hoist_runtime_rule_row(HOIST_RUNTIME_PARAMETER);
    for (size_t i = 0; i < count; i++) {
        const uint32_t at = hoist_prog_find_parameter(entry, given[i].name);
        if (at == entry->parameter_count) {
            // Goes on, so that all mistakes are reported at once.
            status = hoist_fail(s->diag, HOIST_NOT_FOUND, rule, entry->loc,
                                "program '%.*s' has no parameter '%s'", HOIST_STR_ARGS(entry->name),
                                given[i].name);
        } else {
            values[at] = given[i].value;
            set[at] = true;
        }
    }
    for (uint32_t i = 0; i < entry->parameter_count; i++) {
        if (!set[i]) {
            status =
                hoist_fail(s->diag, HOIST_NOT_FOUND, rule, entry->loc,
                           "program '%.*s' needs the parameter '%.*s'", HOIST_STR_ARGS(entry->name),
                           HOIST_STR_ARGS(entry->parameters[i].name));
        }
    }
    return status;
}

// Of ranks in processes of their own it is not known what the others leave to this one.
static void begin_stage(hoist_session *s, hoist_ref entry, const int64_t *parameters)
{
    hoist_deadline *const deadline = s->options.deadline;
    s->data_steps = 0;
    s->has_stage = hoist_stage_begin(deadline, HOIST_STAGE_RUNNING, 0);
    if (s->has_stage && !s->remote) {
        hoist_stage_expect(deadline, HOIST_STAGE_RUNNING,
                           hoist_program_data_steps(s->program, entry, parameters, s->alloc));
    }
}

// Begins a run of an entry: contents of a run are set again, and the machine is at its first
// steps.
static hoist_status begin_run(hoist_session *s, hoist_ref index, const hoist_parameter *given,
                              size_t count)
{
    const hoist_prog_entry *entry = &s->program->entries[index];
    const size_t room = (size_t)entry->parameter_count + 1;
    int64_t *values = hoist_alloc_zero(s->alloc, room, sizeof *values);
    bool *set = hoist_alloc_zero(s->alloc, room, sizeof *set);
    hoist_status status = HOIST_NO_MEMORY;
    if (values && set) {
        status = give_parameters(s, entry, given, count, values, set);
    }
    if (status == HOIST_OK) {
        hoist_store_begin_run(&s->store);
        if (hoist_shadow_is_open(&s->shadow)) {
            hoist_shadow_begin_run(&s->shadow);
        }
        hoist_remote_begin_run(s->remote);
        status = hoist_machine_start(s->machine, index, values);
    }
    if (status == HOIST_OK) {
        s->running = true;
        s->stuck = false;
        s->outcome = HOIST_OK;
        s->began = hoist_now();
        begin_stage(s, index, values);
        if (s->profiler) {
            hoist_profiler_begin_run(s->profiler, index, s->began, s->counts.control_steps);
        }
        // Workers wait for this.
        hoist_session_wake(s);
    }
    hoist_free(s->alloc, values, room * sizeof *values);
    hoist_free(s->alloc, set, room * sizeof *set);
    return status;
}

// What the last wait saw is old.
static void forget_late(hoist_session *s)
{
    hoist_diag_destroy(s->late);
    s->late = NULL;
}

// Keeps what runs now, when the deadline of a wait has passed, until the next such wait or the end
// of the run: it is no finding of the run.
static hoist_status report_late(hoist_session *s)
{
    forget_late(s);
    if (hoist_session_create_diag(s, &s->late) != HOIST_OK) {
        return HOIST_LIMIT; // as well
    }
    hoist_report(s->late, hoist_runtime_rule_row(HOIST_RUNTIME_TIME), hoist_loc_none(),
                 "the run has not ended after %.3g s", hoist_now() - s->began);
    const size_t count = hoist_process_set_count(&s->busy);
    for (size_t i = 0; i < count; i++) {
        const size_t process = hoist_process_set_at(&s->busy, i);
        // A kernel at work is the likeliest reason.
        const hoist_prog_step *step = s->lanes[process].open->work.step;
        hoist_report(s->late, hoist_runtime_rule_row(HOIST_RUNTIME_TIME), step->loc,
                     "'%.*s' is working on step '%.*s'",
                     HOIST_STR_ARGS(hoist_machine_process_name(s->machine, process)),
                     HOIST_STR_ARGS(step->label));
    }
    if (count == 0 && s->stuck) {
        hoist_report_deadlock(s->machine, s->late);
    } else if (s->running) {
        hoist_report_waits(s->machine, hoist_runtime_rule_row(HOIST_RUNTIME_TIME), s->late);
    }
    return HOIST_LIMIT;
}

// Whether a run goes on, or a step that it has left running; what was stopped is not waited for,
// since its kernel may never return.
static bool is_running(hoist_session *s)
{
    return s->running || hoist_remote_is_busy(s->remote) ||
           (hoist_session_is_busy(s) && hoist_session_stopped(s) == HOIST_OK);
}

static hoist_status wait_idle(hoist_session *s, double timeout)
{
    const double deadline = timeout < 0 ? -1 : hoist_now() + timeout;
    // A look: a session without workers does something in it all the same.
    if (timeout == 0 && is_running(s)) {
        (void)hoist_session_wait(s, &s->ended, deadline);
        HOIST_TRY(is_running(s) ? HOIST_BUSY : HOIST_OK);
    }
    while (is_running(s)) {
        if (!hoist_session_wait(s, &s->ended, deadline) && is_running(s)) {
            return report_late(s);
        }
    }
    forget_late(s);
    return s->outcome;
}

// Names an input that was not given, with what its file says about it.
static void report_missing(hoist_session *s, size_t index)
{
    const hoist_rule *rule = hoist_runtime_rule_row(HOIST_RUNTIME_INPUT);
    const hoist_port_at at = hoist_port_find(s->program, index);
    if (at.view == HOIST_NO_REF) {
        const hoist_prog_buffer *row = &s->program->buffers[at.buffer];
        hoist_report(s->diag, rule, row->loc,
                     "input '%.*s' was never written, expected its %llu bytes",
                     HOIST_STR_ARGS(row->name), (unsigned long long)row->size);
        return;
    }
    const hoist_prog_port *row = &s->program->ports[at.view];
    const char *what =
        s->given[index] ? "does not have all bytes that are needed" : "was never written";
    if (row->note.size) {
        hoist_report(s->diag, rule, row->loc, "input '%.*s' %s (%.*s)", HOIST_STR_ARGS(row->name),
                     what, HOIST_STR_ARGS(row->note));
    } else {
        hoist_report(s->diag, rule, row->loc, "input '%.*s' %s", HOIST_STR_ARGS(row->name), what);
    }
}

// Nothing runs on what the caller was to give and has not given; queues are waited for.
static hoist_status find_inputs(hoist_session *s)
{
    const size_t count = hoist_program_port_count(s->program);
    // Inputs stay from run to run.
    if (s->inputs_given || count == 0) {
        return HOIST_OK;
    }
    bool *missing = hoist_alloc_zero(s->alloc, count, sizeof *missing);
    if (!missing) {
        return HOIST_NO_MEMORY;
    }
    hoist_status status = hoist_prog_find_missing(s->program, s->alloc, s->given, missing);
    const bool known = status == HOIST_OK;
    for (size_t i = s->program->fifo_count; known && i < count; i++) {
        if (missing[i]) {
            report_missing(s, i);
            status = HOIST_NOT_FOUND;
        }
    }
    s->inputs_given = status == HOIST_OK;
    hoist_free(s->alloc, missing, count * sizeof *missing);
    return status;
}

// Runs what a session runs once, before anything else.
static hoist_status run_once(hoist_session *s)
{
    for (uint32_t i = 0; !s->began_once && i < s->program->entry_count; i++) {
        if (s->program->entries[i].once) {
            HOIST_TRY(begin_run(s, i, NULL, 0));
            HOIST_TRY(wait_idle(s, HOIST_FOREVER));
        }
    }
    // Only when all have worked: the next run tries again.
    s->began_once = true;
    return HOIST_OK;
}

hoist_status hoist_session_run(hoist_session *session, const char *entry,
                               const hoist_parameter *parameters, size_t count)
{
    (void)pthread_mutex_lock(&session->lock);
    hoist_status status = wait_idle(session, HOIST_FOREVER);
    // While a caller reads or writes, no run begins.
    while (status == HOIST_OK && session->host_reads) {
        (void)hoist_session_wait(session, &session->changed, -1);
        status = wait_idle(session, HOIST_FOREVER);
    }
    const hoist_status stopped = hoist_session_stopped(session);
    status = stopped != HOIST_OK ? stopped : status;
    hoist_ref index = HOIST_NO_REF;
    if (status == HOIST_OK) {
        status = find_entry(session, entry, &index);
    }
    if (status == HOIST_OK) {
        status = find_inputs(session);
    }
    if (status == HOIST_OK) {
        status = run_once(session);
    }
    if (status == HOIST_OK) {
        status = begin_run(session, index, parameters, count);
    }
    (void)pthread_mutex_unlock(&session->lock);
    return status;
}

hoist_status hoist_session_wait_idle(hoist_session *session, double timeout)
{
    (void)pthread_mutex_lock(&session->lock);
    const hoist_status status = wait_idle(session, timeout);
    (void)pthread_mutex_unlock(&session->lock);
    return status;
}

void hoist_session_end_input(hoist_session *session, const char *name)
{
    (void)pthread_mutex_lock(&session->lock);
    for (uint32_t i = 0; i < session->program->fifo_count; i++) {
        session->input_ended[i] = session->input_ended[i] || !name ||
                                  hoist_str_equal_c(session->program->fifos[i].name, name);
    }
    // What had waited for an input that does not come can now never go on.
    if (session->stuck) {
        (void)hoist_session_settle(session);
    }
    hoist_session_wake(session);
    (void)pthread_mutex_unlock(&session->lock);
}

void hoist_session_cancel(hoist_session *session)
{
    atomic_store_explicit(&session->cancel, true, memory_order_relaxed);
}

void hoist_session_report(hoist_session *session, hoist_diag *diag)
{
    (void)pthread_mutex_lock(&session->lock);
    hoist_undefined_report(&session->seen, session->program, session->diag, session->alloc);
    for (; session->reported < hoist_diag_kept(session->diag); session->reported++) {
        hoist_diag_add(diag, hoist_diag_at(session->diag, session->reported));
    }
    for (size_t i = 0; i < hoist_diag_kept(session->late); i++) {
        hoist_diag_add(diag, hoist_diag_at(session->late, i));
    }
    forget_late(session);
    (void)pthread_mutex_unlock(&session->lock);
}

const char *hoist_fast_products(void)
{
    return hoist_compute_fast(hoist_compute_kernels_at(hoist_cpu_detect()));
}

void hoist_session_count(hoist_session *session, hoist_session_counts *out_counts)
{
    hoist_session_counts all;
    (void)pthread_mutex_lock(&session->lock);
    all = session->counts;
    all.memory_bytes = session->store.bytes;
    all.threads = session->worker_count ? session->worker_count : 1;
    all.cpu_level = hoist_cpu_level_name(session->level);
    all.exact = hoist_compute_is_exact();
    all.fast = hoist_compute_fast(session->kernels);
    all.fast = !session->has_fast ? NULL : all.fast ? all.fast : "none";
    const hoist_machine_counts units = hoist_machine_count(session->machine);
    all.commands = units.commands;
    all.full_waits = units.full_waits;
    all.idle_waits = units.idle_waits;
    (void)pthread_mutex_unlock(&session->lock);
    const size_t size = out_counts->struct_size;
    memcpy(out_counts, &all, size < sizeof all ? size : sizeof all);
    out_counts->struct_size = size;
}
