// hoist time: how long a file takes on its device, estimated by hoist_job_time(). Several files are
// those of one job; the one of --compare is a job of its own.
#include "timing.h"

enum { WIDE = 76 }; // columns from which a row has its range

// The document is begun before the estimate, which sends as it goes; an estimate that fails
// leaves none.
static tool_exit send_time(tool *t, const tool_input *input, const hoist_time_options *options)
{
    hoist_document doc;
    t->doing = "timing";
    tool_document(t, &doc, false);
    tool_send_file(input, &doc.sink);
    const hoist_status status = hoist_job_time(input->job, options, input->diag, &doc.sink);
    const tool_exit code = tool_report_named(t, status, input, TOOL_OK);
    if (status != HOIST_OK) {
        return tool_worse(code, tool_exit_of(hoist_document_abandon(&doc)));
    }
    return tool_worse(code, tool_document_end(&doc));
}

static tool_exit time_files(tool *t, hoist_time_options *options)
{
    tool_input *files = NULL;
    tool_input other = {.path = NULL};
    // Both jobs are open at once, as rows of one are matched with rows of the other by name.
    tool_exit code = tool_open_job(t, &files);
    if (code == TOOL_OK && t->values[OPT_COMPARE]) {
        code = tool_open_file(t, t->values[OPT_COMPARE], &other);
        options->compared = other.job;
    }
    if (code == TOOL_OK) {
        tool_allow_memory(t, TIMING_MOST_BYTES);
        code = send_time(t, &files[0], options);
    }
    if (other.path) {
        tool_close(t, &other, code);
    }
    tool_close_job(t, files, code);
    return code;
}

// Options are read before any file is opened: a wrong --param is found at once.
tool_exit cmd_time(tool *t)
{
    hoist_arena arena;
    hoist_time_options options;
    hoist_arena_init(&arena, t->alloc);
    tool_exit code = tool_check_ranks(t);
    code = code == TOOL_OK ? timing_read_options(t, &arena, &options) : code;
    if (code == TOOL_OK) {
        // Width 0: standard output is no terminal, and lines may have any length.
        options.narrow = t->width > 0 && t->width < WIDE;
        code = time_files(t, &options);
    }
    hoist_arena_deinit(&arena);
    return code;
}
