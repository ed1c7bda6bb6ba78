// hoist run: lowers a file to a program and executes it with data. This file joins the driver of
// run_files.c with expectations (run_expect.c), outputs (run_outputs.c), memory images
// (run_memory.h), the timeline (run_trace.c) and the report (run_report.c).
#include "ranks.h"
#include "run.h"

// All that can be wrong with files and options fails here, before the run, which may take
// hours: labels, the trace, expected arrays, the output folder, memory images.
static tool_exit prepare(run *r)
{
    r->seconds = hoist_arena_array(&r->arena, (size_t)r->iterations, sizeof(r->seconds[0]));
    if (!r->seconds) {
        return TOOL_LIMIT;
    }
    const char *folder = r->t->values[OPT_OUTPUT_DIR];
    tool_exit code = run_open_labels(r);
    code = code == TOOL_OK ? run_open_trace(r) : code;
    code = code == TOOL_OK ? run_open_expectations(r) : code;
    code = code == TOOL_OK && folder ? run_open_folder(r, folder) : code;
    return code == TOOL_OK ? run_open_memory(r) : code;
}

// The trace has the iterations that are timed, without those for warming up.
static hoist_status iterate(run *r)
{
    for (uint64_t i = 0; i < r->warmup + r->iterations; i++) {
        run_cost cost;
        if (i == r->warmup) {
            HOIST_TRY(run_begin_trace(r));
        }
        HOIST_TRY(run_once(r, &cost));
        if (i >= r->warmup) {
            r->seconds[i - r->warmup] = cost.wall;
        }
    }
    return run_read_rest(r);
}

// Of a process whose report is not printed.
// Under a launcher only rank 0 prints the report, but each rank has expectations of its own.
static tool_exit report_expectations(run *r)
{
    for (size_t i = 0; i < r->expectation_count; i++) {
        if (!r->expectations[i].result.passed) {
            tool_complain(r->t, "%s: '%s' is not as in %s", r->file->path,
                          r->expectations[i].output->name, r->expectations[i].path);
        }
    }
    return TOOL_OK;
}

static tool_exit give_out(run *r)
{
    r->t->doing = "writing";
    // TOOL_NO does not end it: outputs are written also where expectations failed, to look at
    // them.
    const tool_exit compared = run_compare(r);
    if (compared != TOOL_OK && compared != TOOL_NO) {
        return compared;
    }
    const char *folder = r->t->values[OPT_OUTPUT_DIR];
    tool_exit written = folder ? run_write_outputs(r, folder) : TOOL_OK;
    written = written == TOOL_OK ? run_write_memory(r) : written;
    written = written == TOOL_OK ? run_write_trace(r) : written;
    const tool_exit known = run_check_unknown(r);
    if (written != TOOL_OK) {
        return written;
    }
    const tool_exit reported = ranks_have(r->t->ranks, 0) ? run_report(r) : report_expectations(r);
    return tool_worse(tool_worse(compared, known), reported);
}

static void close_run(run *r)
{
    run_close_labels(r);
    run_close_memory(r);
    run_close_trace(r);
    run_close_expectations(r);
}

tool_exit cmd_run(tool *t)
{
    static const run_command command = {.iterations = 1,
                                        .prepare = prepare,
                                        .iterate = iterate,
                                        .give_out = give_out,
                                        .close = close_run};
    return run_files(t, &command);
}
