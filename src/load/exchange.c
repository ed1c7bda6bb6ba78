// Other parameters in place of those of a file: passes the arrays to the format that has parameters
// (formats/darwinn), which changes a copy of the file's bytes in place. In: a job, arrays by layer.
// Out: the bytes of the changed file.
#include "base/diag.h"
#include "load/job.h"

// For hoist_job_count().
static bool exchanges(const hoist_format *format)
{
    return format->exchange != NULL;
}

// Of the one module that takes parameters; the file around it stays as it is.
static hoist_status exchange(const hoist_job *job, const hoist_new_parameters *items, size_t count,
                             hoist_diag *diag, hoist_mut_bytes bytes)
{
    size_t index = 0;
    if (hoist_job_count(job, exchanges, &index) != 1) {
        return hoist_job_refuse(job, "given other parameters", diag);
    }
    const hoist_module *const module = hoist_job_module(job, index);
    hoist_frame frame;
    hoist_job_enter(job, index, diag, &frame);
    const hoist_status status =
        module->format->exchange(module, items, count, diag, hoist_job_part(job, index, bytes));
    hoist_diag_pop(diag, &frame);
    return status;
}

hoist_status hoist_job_exchange(const hoist_job *job, const hoist_new_parameters *items,
                                size_t count, hoist_diag *diag, hoist_mut_bytes *out_bytes)
{
    *out_bytes = (hoist_mut_bytes){NULL, 0};
    const hoist_call call = hoist_job_call(job, diag, NULL, "changing");
    hoist_buffer copy;
    hoist_buffer_init(&copy, job->alloc);
    // The copy is what `write` gives, so that it has the layout that the format describes.
    hoist_status status = job->module->format->write(job->module, &copy);
    if (status == HOIST_OK) {
        status = exchange(job, items, count, diag, (hoist_mut_bytes){copy.data, copy.size});
    }
    // Freed when the change was refused.
    return hoist_load_take(&copy, hoist_call_end(&call, status), out_bytes);
}
