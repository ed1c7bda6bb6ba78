// The first half of a check: the rules of the format, for each file of a job and the files nested
// in it, then for all files together. In: a job that was opened. Out: findings, and whether the job
// may be lowered. order.c has the second half.
#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "load/job.h"

// The container, the file's own module, then what is nested, each under its object path.
static hoist_status check_file(const hoist_job *job, hoist_diag *diag)
{
    if (job->holder) {
        hoist_diag_source(diag, job->name, HOIST_STR(""));
        HOIST_TRY(job->holder->format->check(job->holder, &job->options, diag));
    }
    hoist_job_source(job, diag);
    for (size_t i = 0; i <= job->nested_count; i++) {
        hoist_module *const module = i ? job->nested[i - 1].module : job->module;
        // What could not be opened was reported when it was read.
        if (module && module->format->check) {
            hoist_frame frame;
            hoist_job_enter(job, i, diag, &frame);
            const hoist_status status = module->format->check(module, &job->options, diag);
            hoist_diag_pop(diag, &frame);
            HOIST_TRY(status);
        }
    }
    return HOIST_OK;
}

// The rules of a format for all files of a job together, as the messages between ranks. Called for
// a job of one file, too: it may refer to ranks that are not there.
static hoist_status check_together(const hoist_job *job, hoist_diag *diag)
{
    const size_t count = job->other_count + 1;
    if (!job->module->format->check_job) {
        return HOIST_OK;
    }
    // Borrows modules and names.
    hoist_file *const files = hoist_alloc_zero(job->alloc, count, sizeof *files);
    if (!files) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        files[i] = hoist_job_opened(hoist_job_file(job, i));
    }
    const hoist_status status = job->module->format->check_job(files, count, &job->options, diag);
    hoist_free(job->alloc, files, count * sizeof *files);
    return status;
}

// `counts`: each file is one of the stage that this call has begun.
// `counts` is false when an outer call has the stage: it counts its own way.
static hoist_status check_rules(const hoist_job *job, bool counts, hoist_diag *diag)
{
    const size_t errors = hoist_diag_count(diag, HOIST_ERROR);
    bool sound = true;
    for (size_t i = 0; i <= job->other_count; i++) {
        const hoist_job *file = hoist_job_file(job, i);
        sound = sound && !file->has_errors; // errors of reading keep the job from being lowered
        HOIST_TRY(check_file(file, diag));
        hoist_stage_add(job->deadline, HOIST_STAGE_CHECKING, counts);
    }
    hoist_job_source(job, diag);
    sound = sound && hoist_diag_count(diag, HOIST_ERROR) == errors;
    const hoist_status status = check_together(job, diag);
    // The format's answer for a job that lacks files: no error of the files that are there.
    if (status == HOIST_NOT_FOUND) {
        return sound ? HOIST_NOT_FOUND : HOIST_INVALID;
    }
    HOIST_TRY(status);
    return sound && hoist_diag_count(diag, HOIST_ERROR) == errors ? HOIST_OK : HOIST_INVALID;
}

hoist_status hoist_job_check_rules(const hoist_job *job, hoist_diag *diag)
{
    if (job->is_clean) { // checked before, with not even a note to repeat
        return HOIST_OK;
    }
    const uint64_t files = (uint64_t)job->other_count + 1;
    const bool is_own = hoist_stage_begin(job->deadline, HOIST_STAGE_CHECKING, files);
    const hoist_status status = check_rules(job, is_own, diag);
    hoist_stage_end(job->deadline, is_own);
    return status;
}
