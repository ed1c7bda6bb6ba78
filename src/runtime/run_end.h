// runtime/run_end.h - how a run ends, and what is reported when it does so before all is done. The
// caller of each function holds the session's lock.
#ifndef HOIST_SRC_RUNTIME_RUN_END_H
#define HOIST_SRC_RUNTIME_RUN_END_H

#include "runtime/session.h"

// Why the session has to stop: HOIST_CANCELLED, or HOIST_LIMIT for its deadline; HOIST_OK: it has
// not. Needs no lock.
hoist_status hoist_session_stopped(hoist_session *session);
static inline bool hoist_session_is_stopped(hoist_session *session)
{
    return hoist_session_stopped(session) != HOIST_OK;
}

// Ends the run with `status`.
void hoist_session_end_run(hoist_session *session, hoist_status status);
// Ends the run of a session that has to stop; a deadline is reported, with who was waiting for
// what.
void hoist_session_end_stopped(hoist_session *session);
// Ends the run as its control cannot go on: an index outside its table, for example.
void hoist_session_fail_fault(hoist_session *session, const hoist_machine_event *event);
// ... as there is no memory for calls, or the limit of steps is reached.
void hoist_session_fail_status(hoist_session *session, const hoist_machine_event *event);
// ... as a kernel stopped: arithmetic has an element and a value, all else only a status.
void hoist_session_fail_work(hoist_session *session, const hoist_lane *lane);

// Reports why a step cannot be made ready; the run goes on.
void hoist_session_report_unready(hoist_session *session, const hoist_prog_step *step,
                                  const char *why);

#endif // HOIST_SRC_RUNTIME_RUN_END_H
