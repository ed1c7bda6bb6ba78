// What a job shows of itself: its content (dump) and its summary (info), with those of nested
// modules and of the container. In: a job. Out: events of a tree. commands.c adds what programs
// give to chips.
#include "load/job.h"

// Nested modules are dumped under "module", after the keys of their payload.
static hoist_status dump_nested(const hoist_job *job, const hoist_nested *nested, void *self,
                                hoist_diag *diag, hoist_tree_sink *sink)
{
    (void)job;
    (void)self;
    (void)diag;
    const hoist_dump_options options = {.key = "module"};
    return nested->module->format->visit(nested->module, &options, sink);
}

// What a dump says next to the module.
typedef struct dump_tail {
    const hoist_job *job;
    bool positions;
} dump_tail;

// Passed to `visit` as its tail: the list of payloads, and the container, are in the map of the
// file.
static hoist_status dump_rest(const void *self, hoist_tree_sink *sink)
{
    const dump_tail *const tail = self;
    const hoist_module *const holder = tail->job->holder;
    const hoist_dump_options options = {.key = "container", .positions = tail->positions};
    HOIST_TRY(hoist_job_each_nested(tail->job, dump_nested, NULL, NULL, sink));
    return holder ? holder->format->visit(holder, &options, sink) : HOIST_OK;
}

hoist_status hoist_job_dump(const hoist_job *job, const char *key, bool positions,
                            hoist_tree_sink *sink)
{
    const dump_tail tail = {job, positions};
    const hoist_dump_options options = {
        .key = key, .positions = positions, .tail = dump_rest, .tail_self = &tail};
    if (!job->module->format->visit) {
        return HOIST_UNSUPPORTED;
    }
    const hoist_call call = hoist_job_call(job, NULL, sink, "dumping");
    return hoist_call_end(&call, job->module->format->visit(job->module, &options, sink));
}

// No positions: places are those of the outer file.
// The summary of a nested module, in the map of its payload; formats without one send nothing.
static hoist_status info_nested(const hoist_job *job, const hoist_nested *nested, void *self,
                                hoist_diag *diag, hoist_tree_sink *sink)
{
    (void)self;
    const hoist_format *const format = nested->module->format;
    return format->info ? format->info(nested->module, &job->options, diag, sink) : HOIST_OK;
}

// The summary of the container that the file is in: a map "container".
static hoist_status info_holder(const hoist_job *job, hoist_diag *diag, hoist_tree_sink *sink)
{
    if (!job->holder) {
        return HOIST_OK;
    }
    hoist_tree_map(sink, "container");
    hoist_tree_c(sink, "format", job->holder->format->name);
    hoist_tree_c(sink, "title", job->holder->format->title);
    HOIST_TRY(job->holder->format->info(job->holder, &job->options, diag, sink));
    hoist_tree_end(sink);
    return sink->status;
}

hoist_status hoist_job_info(const hoist_job *job, bool resources, hoist_diag *diag,
                            hoist_tree_sink *sink)
{
    if (!job->module->format->info) {
        return hoist_job_refuse(job, "summarised", diag);
    }
    // Members of a map that the caller has opened.
    const hoist_call call = hoist_job_call(job, diag, sink, "summarising");
    // The two keys that every format's summary begins with.
    hoist_tree_c(sink, "format", job->module->format->name);
    hoist_tree_c(sink, "title", job->module->format->title);
    hoist_check_options options = job->options;
    options.resources = resources; // costly parts are sent only when asked for
    hoist_status status = job->module->format->info(job->module, &options, diag, sink);
    if (status == HOIST_OK && hoist_format_row_of(job->module->format)->counts_commands) {
        status = hoist_job_send_commands(job, sink);
    }
    if (status == HOIST_OK) {
        status = hoist_job_each_nested(job, info_nested, NULL, diag, sink);
    }
    status = status == HOIST_OK ? info_holder(job, diag, sink) : status;
    return hoist_call_end(&call, status);
}
