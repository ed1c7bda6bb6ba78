// hoist trace: the estimated run of a file as a trace (report/trace.h). In: rows of
// an estimate. Out: a file with one process (timing_trace.c). Neighbour:
// run_trace.c has the run that was measured.
#include "base/diag.h"
#include "base/span.h"
#include "base/tree.h"
#include "load/time.h"
#include "timing.h"

enum { PROGRAM = 1 }; // the process of the trace

// Members before the events are metadata: trace viewers ignore keys that they do not know.
static hoist_status write_trace(tool *t, const tool_input *input, const hoist_estimate *e,
                                hoist_output *out)
{
    hoist_trace trace;
    hoist_trace_open(&trace, t->alloc, out);
    trace.sink->deadline = t->deadline;
    hoist_tree_c(trace.sink, "generator", "hoist " HOIST_VERSION_TEXT);
    hoist_tree_c(trace.sink, "kind", "estimated");
    tool_send_file(input, trace.sink);
    // What the estimate assumes, by the words of --target and --host.
    hoist_trace_text(&trace, "device", hoist_estimate_device(e));
    hoist_trace_text(&trace, "host", hoist_estimate_link(e));
    hoist_trace_begin_events(&trace);
    const hoist_status status = timing_send_events(e, PROGRAM, &trace);
    // Also after a failure, so that the JSON ends as it should; the first failure is returned.
    const hoist_status written = hoist_trace_close(&trace);
    return status == HOIST_OK ? written : status;
}

// To the file, which is complete or as it was.
static hoist_status write_file(tool *t, const tool_input *input, const hoist_estimate *e,
                               const char *path)
{
    hoist_output file;
    const hoist_source before = hoist_diag_enter(input->diag, hoist_str_from(path));
    hoist_status status = hoist_output_create(&file, path, t->temporaries, input->diag);
    if (status == HOIST_OK) {
        status = write_trace(t, input, e, &file);
        if (status == HOIST_OK) {
            status = hoist_output_close(&file, input->diag);
        } else {
            hoist_output_drop(&file);
        }
    }
    hoist_diag_leave(input->diag, before);
    return status;
}

// The file is begun only when there is an estimate to write.
static tool_exit trace_job(tool *t, const tool_input *input, const hoist_time_options *options)
{
    const char *const path = t->values[OPT_OUTPUT];
    hoist_estimate e;
    t->doing = "timing";
    tool_allow_memory(t, TIMING_MOST_BYTES);
    hoist_status status = hoist_job_estimate(input->job, options, input->diag, &e);
    tool_exit code = tool_report_named(t, status, input, TOOL_OK);
    if (status == HOIST_OK) {
        t->doing = "writing";
        status = path && !tool_is_stdout(path) ? write_file(t, input, &e, path)
                                               : write_trace(t, input, &e, t->out);
        code = tool_report(t, status, input);
    }
    hoist_estimate_end(&e);
    return code;
}

tool_exit cmd_trace(tool *t)
{
    hoist_arena arena;
    hoist_time_options options;
    tool_input *files = NULL;
    if (t->values[OPT_OUTPUT] && !tool_spares_inputs(t, t->values[OPT_OUTPUT])) {
        return TOOL_USAGE;
    }
    hoist_arena_init(&arena, t->alloc);
    tool_exit code = tool_check_ranks(t);
    code = code == TOOL_OK ? timing_read_options(t, &arena, &options) : code;
    if (code == TOOL_OK) {
        code = tool_open_job(t, &files);
        code = code == TOOL_OK ? trace_job(t, &files[0], &options) : code;
        tool_close_job(t, files, code);
    }
    hoist_arena_deinit(&arena);
    return code;
}
