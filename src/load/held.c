// Files in containers that are there for one file: the job becomes one of that file. In: a job
// whose module is the container. Out: module and descriptors of what is in it, and the container as
// `holder`. nested.c has files that are parts of what the outer one says.
#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"
#include "load/job.h"

// A descriptor of the container, unless the caller gave one. False: out of memory.
static bool take_text(hoist_job *job, const hoist_held_text *text, hoist_bytes *bytes,
                      hoist_str *name)
{
    if (bytes->size || !text->bytes.size) {
        return true;
    }
    *bytes = text->bytes; // of the file, which stays as long as the job
    *name = hoist_arena_format(&job->arena, "%.*s!%.*s", HOIST_STR_ARGS(job->name),
                               HOIST_STR_ARGS(text->member));
    return name->data != NULL;
}

// The file becomes the job's module.
static hoist_status take_held(hoist_job *job, const hoist_held *held, hoist_module *module)
{
    hoist_check_options *const options = &job->options;
    job->holder = job->module;
    job->module = module;
    job->member = hoist_arena_str(&job->arena, held->file.member);
    const bool taken = job->member.data &&
                       take_text(job, &held->soc, &options->soc, &options->soc_name) &&
                       take_text(job, &held->cluster, &options->cluster, &options->cluster_name);
    return taken ? HOIST_OK : HOIST_NO_MEMORY;
}

// A file that cannot be read leaves the job to its container; the errors are reported.
static hoist_status read_held(hoist_job *job, const hoist_held *held,
                              const hoist_read_options *options, hoist_diag *diag)
{
    const hoist_format *const format = hoist_format_find(hoist_str_from(held->format));
    const hoist_bytes bytes = held->file.bytes;
    hoist_read_options own = *options;
    hoist_module *module = NULL;
    if (bytes.size > hoist_format_max_bytes(format)) {
        return hoist_file_too_large(hoist_format_max_bytes(format), diag);
    }
    own.keep = format->keeps_bytes;
    const hoist_status status = hoist_format_read(format, bytes, &own, diag, &module);
    if (status == HOIST_OK) {
        return take_held(job, held, module);
    }
    return status == HOIST_NO_MEMORY || status == HOIST_LIMIT ? status : HOIST_OK;
}

hoist_status hoist_job_open_held(hoist_job *job, const hoist_read_options *options,
                                 hoist_diag *diag)
{
    const hoist_format *const format = job->module->format;
    hoist_held held;
    if (!format->held || options->container_only || format->held(job->module, &held) != HOIST_OK) {
        return HOIST_OK;
    }
    hoist_diag_source(diag, job->name, held.file.member);
    const hoist_status status = read_held(job, &held, options, diag);
    hoist_diag_source(diag, job->name, HOIST_STR(""));
    return status;
}
