// The command line of `time` and `trace` as options. In: a tool. Out: hoist_time_options. Users:
// cmd_time.c, cmd_trace.c.
// 0 and NULL stand for "not given": the library then takes those of the file or of this
// machine.
#include "timing.h"

#include "parse.h"

tool_exit timing_read_options(tool *t, hoist_arena *arena, hoist_time_options *out_options)
{
    tool_names names;
    const tool_exit code = tool_read_names(t, arena, &names);
    *out_options = (hoist_time_options){
        .struct_size = sizeof(*out_options),
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
    };
    return code;
}
