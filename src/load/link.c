// Linking: addresses into the instructions of a file, or out of them.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/options.h"
#include "load/job.h"

// Links what is nested, each in its own part of the file's copy.
static hoist_status link_nested(const hoist_job *job, const hoist_link_options *options,
                                hoist_diag *diag, hoist_mut_bytes bytes, hoist_link_result *result)
{
    for (size_t i = 0; i < job->nested_count; i++) {
        const hoist_nested *const nested = &job->nested[i];
        if (nested->module && nested->module->format->link) {
            const hoist_mut_bytes part = {bytes.data + nested->payload.offset,
                                          nested->payload.bytes.size};
            hoist_frame frame;
            hoist_diag_push(diag, &frame, NULL, nested->payload.kind, nested->payload.path);
            const hoist_status status =
                nested->module->format->link(nested->module, options, diag, part, result);
            hoist_diag_pop(diag, &frame);
            HOIST_TRY(status);
        }
    }
    return HOIST_OK;
}

static bool can_link(const hoist_job *job)
{
    bool able = false;
    for (size_t i = 0; i <= job->nested_count && !able; i++) {
        const hoist_module *const module = hoist_job_module(job, i);
        able = module && module->format->link;
    }
    return able;
}

static hoist_status link_copy(const hoist_job *job, const hoist_link_options *options,
                              hoist_diag *diag, hoist_mut_bytes bytes, hoist_link_result *result)
{
    const hoist_format *const format = job->module->format;
    HOIST_TRY(format->link ? format->link(job->module, options, diag, bytes, result) : HOIST_OK);
    return link_nested(job, options, diag, bytes, result);
}

static hoist_status link_file(const hoist_job *job, const hoist_link_options *options,
                              hoist_diag *diag, hoist_mut_bytes *out_bytes,
                              hoist_link_result *out_result)
{
    hoist_link_options own;
    HOIST_TRY(hoist_judge_options(hoist_options_read(options, &own, sizeof(own)),
                                  options ? options->struct_size : 0, "hoist_link_options", diag));
    if (!can_link(job)) {
        return hoist_job_refuse(job, "linked", diag);
    }
    hoist_buffer copy;
    hoist_buffer_init(&copy, job->alloc);
    hoist_status status = job->module->format->write(job->module, &copy);
    if (status == HOIST_OK) {
        status = link_copy(job, &own, diag, (hoist_mut_bytes){copy.data, copy.size}, out_result);
    }
    return hoist_load_take(&copy, status, out_bytes);
}

hoist_status hoist_job_link(const hoist_job *job, const hoist_link_options *options,
                            hoist_diag *diag, hoist_mut_bytes *out_bytes,
                            hoist_link_result *out_result)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    *out_result = (hoist_link_result){0, 0};
    const hoist_call call = hoist_job_call(job, diag, NULL, "linking");
    const hoist_status status =
        hoist_call_end(&call, link_file(job, options, diag, out_bytes, out_result));
    if (status != HOIST_OK) {
        hoist_job_free_text(job, *out_bytes);
        *out_bytes = (hoist_mut_bytes){NULL, 0};
    }
    return status;
}
