// hoist trace: the estimated run of a file as a trace (report/trace.h). In: rows of
// hoist_job_time() (timing.c). Out: a file with one process, whose threads are those of the program
// and its units. Neighbour: run_trace.c has the run that was measured.
#include <string.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/span.h"
#include "base/tree.h"
#include "report/trace.h"
#include "timing.h"

enum { PROGRAM = 1 }; // the process of the trace

// Numbers of threads by their names, from 1, in the order in which they begin.
static hoist_status name_threads(const timing_rows *rows, hoist_map *threads, hoist_trace *trace)
{
    for (size_t i = 0; i < rows->count; i++) {
        const timing_row *const row = &rows->rows[i];
        const uint32_t number = (uint32_t)threads->count + 1;
        const hoist_status status = timing_row_is_shown(row)
                                        ? hoist_map_add(threads, row->process, number, NULL)
                                        : HOIST_BUSY;
        if (status == HOIST_OK) {
            hoist_trace_name_thread(trace, PROGRAM, number, row->process);
        } else if (status != HOIST_BUSY) {
            return status;
        }
    }
    return HOIST_OK;
}

static void send_text(hoist_tree_sink *sink, const char *key, hoist_str text)
{
    if (text.data) {
        hoist_tree_str(sink, key, text);
    }
}

static void send_amount(hoist_tree_sink *sink, const char *key, uint64_t amount)
{
    if (amount) {
        hoist_tree_uint(sink, key, amount, HOIST_UNIT_NONE);
    }
}

static void send_arguments(const timing_row *row, hoist_tree_sink *sink)
{
    send_text(sink, "function", row->function);
    send_text(sink, "device", row->device);
    send_amount(sink, "steps", row->steps);
    send_amount(sink, "untimed_steps", row->untimed_steps);
    send_amount(sink, "bytes", row->bytes);
    send_amount(sink, "operations", row->operations);
    send_amount(sink, "cycles", row->cycles);
    const struct {
        const char *key;
        double seconds;
    } times[] = {
        {"low_seconds", row->low}, {"typical_seconds", row->typical}, {"high_seconds", row->high}};
    for (size_t i = 0; i < HOIST_COUNT_OF(times); i++) {
        if (times[i].seconds >= 0) {
            hoist_tree_float(sink, times[i].key, times[i].seconds, HOIST_UNIT_SECONDS);
        }
    }
}

static void send_event(const timing_row *row, uint32_t thread, hoist_trace *trace)
{
    const hoist_trace_event event = {.process = PROGRAM,
                                     .thread = thread,
                                     .name = row->name,
                                     .category = row->bound.data ? row->bound.data : "untimed",
                                     .begin = row->begin,
                                     .seconds = row->end - row->begin};
    hoist_trace_begin(trace, &event);
    send_arguments(row, trace->sink);
    hoist_trace_end(trace);
}

static hoist_status send_events(const timing_rows *rows, hoist_trace *trace)
{
    hoist_map threads;
    hoist_map_init(&threads, rows->arena.alloc);
    hoist_trace_begin_events(trace);
    hoist_trace_name_process(trace, PROGRAM, HOIST_STR("threads and units, estimated"));
    const hoist_status status = name_threads(rows, &threads, trace);
    for (size_t i = 0; i < rows->count && status == HOIST_OK; i++) {
        size_t thread = 0;
        if (timing_row_is_shown(&rows->rows[i]) &&
            hoist_map_find(&threads, rows->rows[i].process, &thread)) {
            send_event(&rows->rows[i], (uint32_t)thread, trace);
        }
    }
    hoist_map_deinit(&threads);
    return status;
}

static hoist_status write_trace(tool *t, const tool_input *input, const timing_rows *rows,
                                hoist_output *out)
{
    hoist_trace trace;
    hoist_trace_open(&trace, t->alloc, out);
    trace.sink->deadline = t->deadline;
    hoist_tree_c(trace.sink, "generator", "hoist " HOIST_VERSION_TEXT);
    hoist_tree_c(trace.sink, "kind", "estimated");
    tool_send_file(input, trace.sink);
    send_text(trace.sink, "device", rows->device);
    send_text(trace.sink, "host", rows->host);
    const hoist_status status = send_events(rows, &trace);
    const hoist_status written = hoist_trace_close(&trace);
    return status == HOIST_OK ? written : status;
}

// To the file, which is complete or as it was.
static hoist_status write_file(tool *t, const tool_input *input, const timing_rows *rows,
                               const char *path)
{
    hoist_output file;
    const hoist_source before = hoist_diag_enter(input->diag, hoist_str_from(path));
    hoist_status status = hoist_output_create(&file, path, t->temporaries, input->diag);
    if (status == HOIST_OK) {
        status = write_trace(t, input, rows, &file);
        if (status == HOIST_OK) {
            status = hoist_output_close(&file, input->diag);
        } else {
            hoist_output_drop(&file);
        }
    }
    hoist_diag_leave(input->diag, before);
    return status;
}

static tool_exit trace_job(tool *t, const tool_input *input, const hoist_time_options *options)
{
    const char *const path = t->values[OPT_OUTPUT];
    timing_rows rows;
    timing_rows_init(&rows, t->alloc);
    t->doing = "timing";
    tool_allow_memory(t, TIMING_MOST_BYTES);
    hoist_status status = hoist_job_time(input->job, options, input->diag, &rows.sink);
    tool_exit code = timing_report(t, status, input);
    if (status == HOIST_OK) {
        t->doing = "writing";
        status = path && !tool_is_stdout(path) ? write_file(t, input, &rows, path)
                                               : write_trace(t, input, &rows, t->out);
        code = tool_report(t, status, input);
    }
    timing_rows_deinit(&rows);
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
