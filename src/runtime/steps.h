// runtime/steps.h - the steps of a session that work on data, cut into units that any worker
// takes. The caller of each function holds the session's lock; those that work give it up
// meanwhile.
#ifndef HOIST_SRC_RUNTIME_STEPS_H
#define HOIST_SRC_RUNTIME_STEPS_H

#include "runtime/session.h"

// Makes the data step ready at which a process is, for all workers. False: the run has ended.
bool hoist_step_begin(hoist_session *session, size_t process, const hoist_prog_step *step);
// Works on the step of a process, and ends it when no unit is left.
void hoist_step_do(hoist_session *session, size_t process);
// Goes on with a step that a deadline has stopped. True when there was one.
bool hoist_steps_resume(hoist_session *session);
// Works on the first open step with units that nobody has taken: one after another, so that steps
// end early. True when there was one.
bool hoist_steps_help(hoist_session *session);

// Which worker this thread is; a caller who does everything alone is the first.
size_t hoist_session_own_worker(const hoist_session *session);

#endif // HOIST_SRC_RUNTIME_STEPS_H
