// The members of containers as parts, and their digests, for hoist unpack and recover: arrays,
// layers, and whether a digest is right. In: a job. Out: calls of the caller's sink. nested_parts.c
// adds the containers in containers.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/options.h"
#include "base/span.h"
#include "load/job.h"
#include "load/load_rules.h"

hoist_status hoist_job_recover(const hoist_job *job, hoist_diag *diag,
                               const hoist_recovery_sink *sink)
{
    const hoist_call call = hoist_job_call(job, diag, NULL, "recovering what is in");
    bool is_able = false;
    hoist_status status = HOIST_OK;
    if (job->holder && job->holder->format->recover) {
        is_able = true;
        status = job->holder->format->recover(job->holder, sink);
    }
    for (size_t i = 0; i <= job->nested_count && status == HOIST_OK; i++) {
        const hoist_module *const module = hoist_job_module(job, i);
        if (module && module->format->recover) {
            is_able = true;
            status = module->format->recover(module, sink);
        }
    }
    // No module of the file has arrays to give.
    if (!is_able) {
        status = hoist_job_refuse(job, "recovered from", diag);
    }
    return hoist_call_end(&call, status);
}

// Sends the layers of what is nested, and adds its gaps to `*self`.
static hoist_status send_layers(const hoist_job *job, const hoist_nested *nested, void *self,
                                hoist_diag *diag, hoist_tree_sink *sink)
{
    uint64_t *const sum = self;
    uint64_t gaps = 0;
    (void)job;
    (void)diag;
    if (!nested->module->format->layers) { // bytes without layers
        return HOIST_OK;
    }
    const hoist_status status = nested->module->format->layers(nested->module, sink, &gaps);
    *sum += gaps;
    return status;
}

// Gaps are layers that could not be recovered; 0 is complete.
hoist_status hoist_job_layers(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink,
                              uint64_t *out_gaps)
{
    const hoist_call call = hoist_job_call(job, diag, sink, "recovering what is in");
    const hoist_format *const format = job->module->format;
    *out_gaps = 0;
    hoist_status status = format->layers ? format->layers(job->module, sink, out_gaps) : HOIST_OK;
    if (status == HOIST_OK) {
        status = hoist_job_each_nested(job, send_layers, out_gaps, diag, sink);
    }
    return hoist_call_end(&call, status);
}

hoist_status hoist_job_verify(const hoist_job *job, hoist_diag *diag, bool *out_right)
{
    *out_right = false; // also when it cannot be verified
    if (!job->module->format->verify) {
        return hoist_job_refuse(job, "verified", diag);
    }
    const hoist_call call = hoist_job_call(job, diag, NULL, "verifying");
    return hoist_call_end(&call, job->module->format->verify(job->module, diag, out_right));
}
