// Facts that files state about the ports of their program, and the data that their own tests give
// to these (formats/format.h: facts, labels, test_input, test_limits). In: a job and a port's name.
// Out: the answer of the first file that knows the port; HOIST_NOT_FOUND when none does.
#include <string.h>

#include "base/buffer.h"
#include "base/diag.h"
#include "base/options.h"
#include "load/job.h"

hoist_status hoist_job_port_facts(const hoist_job *job, hoist_str port, hoist_port_facts *out_facts)
{
    const size_t size = out_facts->struct_size; // of the caller's version, maybe older
    hoist_port_facts facts = {.struct_size = sizeof(facts)};
    hoist_status status = HOIST_NOT_FOUND;
    // The size is the caller's: anything may be in it.
    if (size < sizeof(size) || size > HOIST_OPTIONS_MAX) {
        return HOIST_INVALID;
    }
    for (size_t i = 0; i <= job->other_count && status == HOIST_NOT_FOUND; i++) {
        const hoist_module *const module = hoist_job_file(job, i)->module;
        if (module->format->facts) {
            status = module->format->facts(module, port, &facts);
        }
    }
    // Fields that this library does not have are 0 for a newer caller.
    memset(out_facts, 0, size);
    memcpy(out_facts, &facts, size < sizeof(facts) ? size : sizeof(facts));
    out_facts->struct_size = size;
    return status;
}

// Names of classes, one per line, where the file carries them for that port.
hoist_status hoist_job_port_labels(const hoist_job *job, hoist_str port, hoist_mut_bytes *out_text)
{
    hoist_buffer text;
    hoist_status status = HOIST_NOT_FOUND;
    *out_text = (hoist_mut_bytes){NULL, 0};
    hoist_buffer_init(&text, job->alloc);
    for (size_t i = 0; i <= job->other_count && status == HOIST_NOT_FOUND; i++) {
        const hoist_module *const module = hoist_job_file(job, i)->module;
        if (module->format->labels) {
            status = module->format->labels(module, port, &text);
        }
    }
    return hoist_load_take(&text, status, out_text);
}

// Input data as the file's own test makes it; the caller has the space for it.
hoist_status hoist_job_test_input(const hoist_job *job, const hoist_test_input *input,
                                  hoist_diag *diag, double *out_values)
{
    hoist_status status = HOIST_NOT_FOUND;
    // A struct of another size is of another version, and its values would be misread.
    if (input->struct_size != sizeof(*input)) {
        return HOIST_INVALID;
    }
    for (size_t i = 0; i <= job->other_count && status == HOIST_NOT_FOUND; i++) {
        const hoist_job *const file = hoist_job_file(job, i);
        if (file->module->format->test_input) {
            // The finding is about the test of that file.
            const hoist_source before = hoist_diag_enter(diag, file->name);
            status =
                file->module->format->test_input(file->module, input, job->alloc, diag, out_values);
            hoist_diag_leave(diag, before);
        }
    }
    return status;
}

// The tolerance that the file's own test states for a port.
hoist_status hoist_job_test_limits(const hoist_job *job, hoist_str port, hoist_diag *diag,
                                   hoist_test_limits *out_limits)
{
    hoist_status status = HOIST_NOT_FOUND;
    if (out_limits->struct_size != sizeof(*out_limits)) {
        return HOIST_INVALID;
    }
    for (size_t i = 0; i <= job->other_count && status == HOIST_NOT_FOUND; i++) {
        const hoist_job *const file = hoist_job_file(job, i);
        if (file->module->format->test_limits) {
            const hoist_source before = hoist_diag_enter(diag, file->name);
            status = file->module->format->test_limits(file->module, port, diag, out_limits);
            hoist_diag_leave(diag, before);
        }
    }
    return status;
}
