// How a run ends, and what is reported when it does so before all is done.
#include "runtime/run_end.h"

#include "base/assert.h"
#include "base/buffer.h"
#include "base/progress.h"
#include "runtime/lane.h"

// Leaves steps that a deadline has stopped as they are: no worker goes on with them.
static void drop_stopped(hoist_session *session)
{
    // Backwards, as each that is dropped leaves the set.
    for (size_t i = hoist_process_set_count(&session->busy); i-- > 0;) {
        const size_t process = hoist_process_set_at(&session->busy, i);
        if (session->lanes[process].stopped) {
            hoist_lane_end_step(session, process);
            hoist_lane_give_back(session, &session->lanes[process]);
        }
    }
}

void hoist_session_end_run(hoist_session *session, hoist_status status)
{
    if (session->running) {
        // The others hear of a failure, and may know a better reason for it.
        status = hoist_remote_end_run(session, status);
        session->running = false;
        hoist_stage_end(session->options.deadline, session->has_stage);
        session->has_stage = false;
        drop_stopped(session);
        // Why it failed could not be kept: then memory is what it failed for.
        const bool untold = status != HOIST_OK && hoist_diag_incomplete(session->diag);
        session->outcome = untold ? HOIST_NO_MEMORY : status;
        for (size_t i = 0; i < session->lane_count; i++) {
            // In the order of processes, so that the first one does not depend on who was faster.
            hoist_undefined_add(&session->seen, &session->lanes[i].seen);
        }
        const double now = hoist_now();
        session->counts.seconds += now - session->began;
        if (session->profiler) {
            hoist_profiler_end_run(session->profiler, now, session->counts.control_steps);
        }
    }
    (void)pthread_cond_broadcast(&session->ended);
    hoist_session_wake(session);
}

hoist_status hoist_session_stopped(hoist_session *session)
{
    return atomic_load_explicit(&session->cancel, memory_order_relaxed)
               ? HOIST_CANCELLED
               : hoist_deadline_look(session->options.deadline);
}

void hoist_session_end_stopped(hoist_session *session)
{
    const hoist_status why = hoist_session_stopped(session);
    HOIST_ASSERT(!session->running || why != HOIST_OK);
    if (why == HOIST_LIMIT && session->running) {
        const hoist_rule *const rule = hoist_runtime_rule_row(HOIST_RUNTIME_TIME);
        hoist_report(session->diag, rule, hoist_loc_none(),
                     "the time limit was reached %.3g s after the run began",
                     hoist_now() - session->began);
        hoist_report_waits(session->machine, rule, session->diag);
    }
    hoist_session_end_run(session, why);
}

// The step of a failure, for its message: "step 'matmul_2'".
static hoist_str label_of(const hoist_prog_step *step)
{
    return step && step->label.size ? step->label : HOIST_STR("(no name)");
}

// Where the file has the step.
static hoist_loc place_of(const hoist_prog_step *step)
{
    return step ? step->loc : hoist_loc_none();
}

void hoist_session_fail_fault(hoist_session *session, const hoist_machine_event *event)
{
    hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_FAULT), place_of(event->step),
                 "step '%.*s' cannot be done: %s (value %lld)",
                 HOIST_STR_ARGS(label_of(event->step)), event->fault, (long long)event->value);
    hoist_session_end_run(session, HOIST_INVALID);
}

void hoist_session_fail_status(hoist_session *session, const hoist_machine_event *event)
{
    if (event->status == HOIST_LIMIT) {
        hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_TIME),
                     place_of(event->step), "the run has not ended after %llu control %s",
                     (unsigned long long)session->options.max_steps,
                     hoist_plural(session->options.max_steps, "step", "steps"));
        hoist_report_waits(session->machine, hoist_runtime_rule_row(HOIST_RUNTIME_TIME),
                           session->diag);
    }
    hoist_session_end_run(session, event->status);
}

// The name of the buffer or fifo that an input of a step is in; empty where only the call of the
// function says which one it is.
static hoist_str input_name(const hoist_program *program, const hoist_prog_compute *compute,
                            unsigned input)
{
    const hoist_prog_view *view = &program->views[compute->inputs[input]];
    switch (view->base) {
    case HOIST_VIEW_BUFFER:
        return program->buffers[view->of].name;
    case HOIST_VIEW_READ_SLOT:
    case HOIST_VIEW_WRITE_SLOT:
        return program->fifos[view->of].name;
    case HOIST_VIEW_PARAMETER:
    case HOIST_VIEW_SPACE:
        break;
    }
    return HOIST_STR("");
}

// "2 at [0, 0, 1] of input 0 't1', expected 7", as far as the kernel knows it.
static void write_fault(const hoist_program *program, const hoist_prog_step *step,
                        const hoist_compute_fault *fault, hoist_buffer *out)
{
    const int digits = fault->has_expected ? 10 : 6; // of 32-bit integers, which differ in any
    hoist_buffer_format(out, "%.*g at [%llu, %llu, %llu]", digits, fault->value,
                        (unsigned long long)fault->z, (unsigned long long)fault->row,
                        (unsigned long long)fault->col);
    if (fault->operand > 0) {
        const hoist_str name = input_name(program, step->as.compute, fault->operand - 1);
        hoist_buffer_format(out, " of input %u", fault->operand - 1);
        if (name.size) {
            hoist_buffer_format(out, " '%.*s'", HOIST_STR_ARGS(name));
        }
    }
    if (fault->has_expected) {
        hoist_buffer_format(out, ", expected %.*g", digits, fault->expected);
    }
}

void hoist_session_fail_work(hoist_session *session, const hoist_lane *lane)
{
    const hoist_prog_step *step = lane->failed;
    if (lane->status == HOIST_INVALID && lane->fault.what) {
        hoist_buffer text;
        hoist_buffer_init(&text, session->alloc);
        write_fault(session->program, step, &lane->fault, &text);
        hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_ARITHMETIC),
                     place_of(step), "step '%.*s': %s: %.*s", HOIST_STR_ARGS(label_of(step)),
                     lane->fault.what, HOIST_STR_ARGS(hoist_buffer_text(&text)));
        hoist_buffer_deinit(&text);
    } else {
        hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_STEP), place_of(step),
                     "step '%.*s' failed: %s", HOIST_STR_ARGS(label_of(step)),
                     hoist_status_name(lane->status));
    }
    hoist_session_end_run(session, lane->status);
}

void hoist_session_report_unready(hoist_session *session, const hoist_prog_step *step,
                                  const char *why)
{
    hoist_report(session->diag, hoist_runtime_rule_row(HOIST_RUNTIME_STEP), place_of(step),
                 "step '%.*s' cannot be done: %s", HOIST_STR_ARGS(label_of(step)), why);
}
