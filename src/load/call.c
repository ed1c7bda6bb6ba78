// Begins and ends every call on a job: findings are in the job's file, and the call ends at the
// job's deadline. For all sources of load/ that call a format: job.h has the contract. In: a job or
// a file's name. Out: the status that the public function returns.
#include "base/diag.h"
#include "load/job.h"
#include "load/load_rules.h"

hoist_call hoist_call_begin(hoist_str file, hoist_deadline *deadline, hoist_diag *diag,
                            const char *doing)
{
    // Has_stage: hoist_call_stage().
    return (hoist_call){deadline, diag, hoist_diag_enter(diag, file), doing, false};
}

hoist_call hoist_job_call(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink,
                          const char *doing)
{
    if (sink) { // what sends for long looks at it
        sink->deadline = job->deadline;
    }
    const hoist_call call = hoist_call_begin(job->name, job->deadline, diag, doing);
    hoist_job_source(job, diag);
    return call;
}

void hoist_call_stage(hoist_call *call, hoist_stage stage, uint64_t total)
{
    call->has_stage = hoist_stage_begin(call->deadline, stage, total);
}

hoist_status hoist_call_end(const hoist_call *call, hoist_status status)
{
    hoist_stage_end(call->deadline, call->has_stage); // nothing when another thread's stage goes on
    // A call that is over its deadline has failed, even if its work was just done: half of what it
    // gave may come from a format that stopped early.
    const hoist_status ended = hoist_deadline_look(call->deadline);
    if (ended == HOIST_LIMIT) {
        // HOIST_CANCELLED is the caller's own doing and has no finding.
        hoist_report(call->diag, hoist_load_rule(LOAD_006), hoist_loc_none(),
                     "the time limit was reached while %s the file", call->doing);
    }
    hoist_diag_leave(call->diag, call->before);
    return ended != HOIST_OK ? ended : status;
}

// Modules look at deadlines of their own, those of the last call included.
static void limit_file(hoist_job *job, hoist_deadline *deadline)
{
    job->deadline = deadline;
    if (job->module) {
        job->module->deadline = deadline;
    }
    if (job->holder) {
        job->holder->deadline = deadline;
    }
    for (size_t i = 0; i < job->nested_count; i++) {
        if (job->nested[i].module) {
            job->nested[i].module->deadline = deadline;
        }
    }
}

void hoist_job_limit(hoist_job *job, hoist_deadline *deadline)
{
    limit_file(job, deadline);
    for (size_t i = 0; i < job->other_count; i++) { // files of a job share its deadline
        limit_file(job->others[i], deadline);
    }
}
