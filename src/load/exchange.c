// Other parameters in place of those of a file.
#include "base/diag.h"
#include "load/job.h"

// The one module of the file that takes parameters; NULL: none or several. `*out_index` as for
// hoist_job_module().
static const hoist_module *find_module(const hoist_job *job, size_t *out_index)
{
    const hoist_module *found = NULL;
    for (size_t i = 0; i <= job->nested_count; i++) {
        const hoist_module *const module = hoist_job_module(job, i);
        if (module && module->format->exchange) {
            if (found) {
                return NULL;
            }
            found = module;
            *out_index = i;
        }
    }
    return found;
}

static hoist_status exchange(const hoist_job *job, const hoist_new_parameters *items, size_t count,
                             hoist_diag *diag, hoist_mut_bytes bytes)
{
    size_t index = 0;
    const hoist_module *const module = find_module(job, &index);
    if (!module) {
        return hoist_job_refuse(job, "given other parameters", diag);
    }
    if (!index) {
        return module->format->exchange(module, items, count, diag, bytes);
    }
    const hoist_payload *const payload = &job->nested[index - 1].payload;
    const hoist_mut_bytes part = {bytes.data + payload->offset, payload->bytes.size};
    hoist_frame frame;
    hoist_diag_push(diag, &frame, NULL, payload->kind, payload->path);
    const hoist_status status = module->format->exchange(module, items, count, diag, part);
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
    hoist_status status = job->module->format->write(job->module, &copy);
    if (status == HOIST_OK) {
        status = exchange(job, items, count, diag, (hoist_mut_bytes){copy.data, copy.size});
    }
    return hoist_load_take(&copy, hoist_call_end(&call, status), out_bytes);
}
