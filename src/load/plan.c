// Plans: how the operators of a file are spread over the processors that it is for, as the vendor's
// planner does it (formats/ark). In: a job whose first file is a model; other ranks need not be
// there. Planners rely on it that reading and checking it have found no errors. Out: the text of a
// plan.
#include "hoist/load.h"

#include "base/diag.h"
#include "load/job.h"
#include "load/load_rules.h"

static hoist_status plan(hoist_job *job, const hoist_plan_options *options, hoist_diag *diag,
                         hoist_buffer *out)
{
    hoist_plan_options own;
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_plan_options", diag));
    if (!job->module->format->plan) {
        return hoist_job_refuse(job, "planned", diag);
    }
    hoist_diag *found = NULL;
    HOIST_TRY(hoist_diag_create(job->alloc, NULL, &found));
    // A diag of our own: findings reach the caller only when they keep the plan from being made.
    hoist_status status = job->module->format->check(job->module, &job->options, found);
    const bool wrong = job->has_errors || hoist_diag_count(found, HOIST_ERROR) > 0;
    for (size_t i = 0; i < hoist_diag_kept(found) && wrong; i++) {
        hoist_diag_add(diag, hoist_diag_at(found, i));
    }
    hoist_diag_destroy(found);
    if (status == HOIST_OK) {
        status = wrong ? HOIST_INVALID : job->module->format->plan(job->module, &own, diag, out);
    }
    return status;
}

hoist_status hoist_job_plan(hoist_job *job, const hoist_plan_options *options, hoist_diag *diag,
                            hoist_mut_bytes *out_text)
{
    hoist_buffer text;
    *out_text = (hoist_mut_bytes){NULL, 0};
    hoist_buffer_init(&text, job->alloc);
    const hoist_call call = hoist_job_call(job, diag, NULL, "planning");
    const hoist_status status = hoist_call_end(&call, plan(job, options, diag, &text));
    return hoist_load_take(&text, status, out_text);
}
