// hoist plan: the default plan of a model, as the vendor's planner writes it.
// Only formats that have a planner give one (ark); others exit with 4. The plan is complete in
// memory before anything is written, and `--output` leaves the old file where it fails.
#include "parse.h"
#include "tool.h"

tool_exit cmd_plan(tool *t)
{
    const hoist_plan_options options = {.struct_size = sizeof(options),
                                        .arch = t->values[OPT_GPU],
                                        .processors =
                                            (uint32_t)tool_count_of(t, OPT_PROCESSORS, 0)};
    tool_input input;
    if (t->values[OPT_OUTPUT] && !tool_spares_inputs(t, t->values[OPT_OUTPUT])) {
        return TOOL_USAGE;
    }
    tool_exit code = tool_open_file(t, t->arguments[0], &input);
    if (code == TOOL_OK) {
        hoist_mut_bytes text;
        t->doing = "planning";
        const char *const path = t->values[OPT_OUTPUT] ? t->values[OPT_OUTPUT] : "-";
        const hoist_status status = hoist_job_plan(input.job, &options, input.diag, &text);
        code = tool_save_made(t, &input, path, status, text, TOOL_USAGE);
    }
    tool_close(t, &input, code);
    return code;
}
