// hoist time: how long a file takes on its device, estimated by hoist_job_time(). Several files are
// those of one job; the one of --compare is a job of its own.
#include "base/arena.h"
#include "parse.h"
#include "tool.h"

// Most bytes that an estimate takes: a small file may have a long run, and its steps are kept.
enum { MOST_BYTES = 1 << 30 };

enum { WIDE = 76 }; // columns from which a row has its range

static tool_exit report(tool *t, hoist_status status, const tool_input *input)
{
    const tool_exit code = tool_report(t, status, input);
    return status == HOIST_NOT_FOUND && code == TOOL_UNREADABLE ? TOOL_USAGE : code;
}

static tool_exit send_time(tool *t, const tool_input *input, const hoist_time_options *options)
{
    hoist_document doc;
    t->doing = "timing";
    tool_document(t, &doc, false);
    tool_send_file(input, &doc.sink);
    const hoist_status status = hoist_job_time(input->job, options, input->diag, &doc.sink);
    const tool_exit code = report(t, status, input);
    if (status != HOIST_OK) {
        return tool_worse(code, tool_exit_of(hoist_document_abandon(&doc)));
    }
    return tool_worse(code, tool_document_end(t, &doc));
}

static tool_exit time_files(tool *t, hoist_time_options *options)
{
    tool_input *files = NULL;
    tool_input other = {.path = NULL};
    tool_exit code = tool_open_job(t, &files);
    if (code == TOOL_OK && t->values[OPT_COMPARE]) {
        code = tool_open_file(t, t->values[OPT_COMPARE], &other);
        options->compared = other.job;
    }
    if (code == TOOL_OK) {
        tool_allow_memory(t, MOST_BYTES);
        code = send_time(t, &files[0], options);
    }
    if (other.path) {
        tool_close(t, &other, code);
    }
    tool_close_job(t, files, code);
    return code;
}

tool_exit cmd_time(tool *t)
{
    hoist_arena arena;
    tool_names names;
    hoist_arena_init(&arena, t->alloc);
    tool_exit code = tool_check_ranks(t);
    code = code == TOOL_OK ? tool_read_names(t, &arena, &names) : code;
    if (code == TOOL_OK) {
        hoist_time_options options = {
            .struct_size = sizeof(options),
            .host = t->values[OPT_HOST],
            .cores = (uint32_t)tool_count_of(t, OPT_CORES, 0),
            .cpu_level = t->values[OPT_CPU_LEVEL],
            .flops = tool_number_of(t, OPT_FLOPS, 0),
            .bandwidth = tool_number_of(t, OPT_BANDWIDTH, 0),
            .ranks = (uint32_t)tool_count_of(t, OPT_RANKS, 0),
            .batch = (uint32_t)tool_count_of(t, OPT_BATCH, 0),
            .max_steps = tool_count_of(t, OPT_MAX_STEPS, 0),
            .programs = names.programs,
            .program_count = names.program_count,
            .parameters = names.parameters,
            .parameter_count = names.parameter_count,
            .narrow = t->width > 0 && t->width < WIDE,
        };
        code = time_files(t, &options);
    }
    hoist_arena_deinit(&arena);
    return code;
}
