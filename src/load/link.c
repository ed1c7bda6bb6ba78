// Addresses of buffers into the instructions of a file, or out of them: applies the format's link
// (formats/darwinn) to a copy of the bytes. In: a job and addresses by kind. Out: bytes of equal
// size, and how many fields were changed.
#include <string.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "load/job.h"

// For hoist_job_count().
static bool links(const hoist_format *format)
{
    return format->link != NULL;
}

// Each module in its own part of the file's copy; `result` adds up over them.
static hoist_status link_copy(const hoist_job *job, const hoist_link_options *options,
                              hoist_diag *diag, hoist_mut_bytes bytes, hoist_link_result *result)
{
    for (size_t i = 0; i <= job->nested_count; i++) {
        const hoist_module *const module = hoist_job_module(job, i);
        if (module && module->format->link) {
            hoist_frame frame;
            hoist_job_enter(job, i, diag, &frame);
            const hoist_status status =
                module->format->link(module, options, diag, hoist_job_part(job, i, bytes), result);
            hoist_diag_pop(diag, &frame);
            HOIST_TRY(status);
        }
    }
    return HOIST_OK;
}

static hoist_status link_file(const hoist_job *job, const hoist_link_options *options,
                              hoist_diag *diag, hoist_mut_bytes *out_bytes,
                              hoist_link_result *out_result)
{
    hoist_link_options own;
    HOIST_TRY(hoist_load_options(options, &own, sizeof(own), "hoist_link_options", diag));
    size_t last = 0;
    if (!hoist_job_count(job, links, &last)) { // the last one does not matter here
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
    // hoist_load_take has given the bytes away before the deadline was looked at.
    if (status != HOIST_OK) {
        hoist_job_free_text(job, *out_bytes);
        *out_bytes = (hoist_mut_bytes){NULL, 0};
    }
    return status;
}
