// Comparing and recovering where two formats belong to one family (edgetpu): a file with another
// one, or as another format's. In: one job or two. Out: tree events, matches or bytes, which the
// family's functions (formats/format.h, hoist_family) make.
#include "base/diag.h"
#include "load/job.h"
#include "load/load_rules.h"

// The family that both formats belong to; NULL: they have none, or different ones.
static const hoist_family *family_of(const hoist_job *old, const hoist_job *now)
{
    const hoist_family *const family = hoist_format_row_of(old->module->format)->family;
    return family == hoist_format_row_of(now->module->format)->family ? family : NULL;
}

// Which way two files are compared: by fields, or as source and compiled model, or two of these.
hoist_comparison hoist_job_comparison(const hoist_job *old, const hoist_job *now)
{
    const hoist_family *const family = family_of(old, now);
    const hoist_file files[2] = {hoist_job_opened(old), hoist_job_opened(now)};
    // FIELDS: what the caller compares itself, by the trees of both (report/diff).
    return family && family->comparison ? family->comparison(&files[0], &files[1])
                                        : HOIST_COMPARISON_FIELDS;
}

hoist_status hoist_job_compare(const hoist_job *old, const hoist_job *now, hoist_tree_sink *sink,
                               size_t *out_count)
{
    *out_count = 0;
    // Findings and deadline are those of the first job.
    const hoist_call call = hoist_job_call(old, NULL, sink, "comparing");
    const hoist_file files[2] = {hoist_job_opened(old), hoist_job_opened(now)};
    hoist_status status = HOIST_UNSUPPORTED;
    const hoist_family *const family = family_of(old, now);
    if (family && hoist_job_comparison(old, now) != HOIST_COMPARISON_FIELDS) {
        status = family->compare(&files[0], &files[1], sink, out_count);
    }
    return hoist_call_end(&call, status);
}

hoist_status hoist_job_match_layers(const hoist_job *old, const hoist_job *now,
                                    hoist_layer_match_call take, void *self)
{
    const hoist_call call = hoist_job_call(old, NULL, NULL, "matching the layers of");
    const hoist_file files[2] = {hoist_job_opened(old), hoist_job_opened(now)};
    hoist_status status = HOIST_UNSUPPORTED;
    const hoist_family *const family = family_of(old, now);
    if (family && hoist_job_comparison(old, now) == HOIST_COMPARISON_SOURCE) {
        status = family->match(&files[0], &files[1], take, self);
    }
    return hoist_call_end(&call, status);
}

hoist_status hoist_job_recover_model(const hoist_job *job, hoist_diag *diag,
                                     hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    const hoist_family *const family = hoist_format_row_of(job->module->format)->family;
    hoist_status status = HOIST_UNSUPPORTED;
    hoist_buffer out;
    hoist_buffer_init(&out, job->alloc); // freed or given away by hoist_load_take()
    // A plain family cannot write models: the refusal is the same as for a format without one.
    if (family && family->recover_as) {
        const hoist_call call = hoist_job_call(job, diag, NULL, "recovering the model of");
        const hoist_file file = hoist_job_opened(job);
        status = family->recover_as(&file, hoist_load_rule(LOAD_005), diag, &out);
        status = hoist_call_end(&call, status);
    }
    if (status == HOIST_UNSUPPORTED) {
        status = hoist_job_refuse(job, "written as ordinary models", diag);
    }
    return hoist_load_take(&out, status, out_bytes);
}
