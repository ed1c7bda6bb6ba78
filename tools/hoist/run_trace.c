// hoist run --trace: the timeline of a session as a trace (report/trace.h). Input: rows and events
// of hoist/runtime.h. Output: a file with three processes, which are the workers, the program's
// threads and units, and the host; numbers of threads are those of their rows, plus one. A fourth
// process is the estimated run (timing_trace.c).
#include <stdio.h>

#include "base/diag.h"
#include "base/span.h"
#include "base/tree.h"
#include "load/time.h"
#include "ranks.h"
#include "report/trace.h"
#include "run.h"
#include "timing.h"

// These words are categories of events in the trace and kinds in JSON: they are documented, not
// internal.
const char *run_profiled_word(hoist_profiled kind)
{
    static const char *const words[] = {
        [HOIST_PROFILED_RUNS] = "runs",       [HOIST_PROFILED_MOVE] = "move",
        [HOIST_PROFILED_COMPUTE] = "compute", [HOIST_PROFILED_COLLECTIVE] = "collective",
        [HOIST_PROFILED_OPAQUE] = "opaque",   [HOIST_PROFILED_CONTROL] = "control",
        [HOIST_PROFILED_IDLE] = "idle",       [HOIST_PROFILED_HOST] = "host",
        [HOIST_PROFILED_THREAD] = "thread",   [HOIST_PROFILED_UNIT] = "unit",
        [HOIST_PROFILED_WORKER] = "worker",   [HOIST_PROFILED_FUNCTION] = "function",
        [HOIST_PROFILED_OP] = "op",
    };
    return words[kind];
}

// Before and during the run -----------------------------------------------------------------------

// Known before the run: what cannot be written.
// The temporary file is made at once: a folder that cannot be written to is known before a long
// run.
static tool_exit create_file(run *r, const char *path)
{
    hoist_output *out = hoist_arena_alloc(&r->arena, sizeof(*out));
    if (!out) {
        return TOOL_LIMIT;
    }
    const hoist_source before = hoist_diag_enter(r->file->diag, hoist_str_from(path));
    const hoist_status status = hoist_output_create(out, path, r->t->temporaries, r->file->diag);
    hoist_diag_leave(r->file->diag, before);
    r->trace = status == HOIST_OK ? out : NULL;
    return tool_report(r->t, status, r->file);
}

tool_exit run_open_trace(run *r)
{
    const char *path = r->t->values[OPT_TRACE];
    if (!path) {
        return TOOL_OK;
    }
    if (r->t->ranks->comm) {
        tool_complain(r->t, "--trace is of one process: ranks in processes of their own have none");
        return TOOL_USAGE;
    }
    if (tool_is_stdout(path)) {
        tool_complain(r->t, "--trace takes a file: standard output has the report");
        return TOOL_USAGE;
    }
    return tool_spares_inputs(r->t, path) ? create_file(r, path) : TOOL_USAGE;
}

hoist_status run_begin_trace(run *r)
{
    return tool_given(r->t, OPT_TRACE) ? hoist_session_timeline_begin(r->session, 0) : HOIST_OK;
}

// Rows --------------------------------------------------------------------------------------------

// The processes of the trace.
enum { WORKERS = 1, PROGRAM, HOST, ESTIMATE };

static hoist_profile_row row_at(const run *r, size_t index)
{
    hoist_profile_row row = {.struct_size = sizeof(row)};
    (void)hoist_session_profile_at(r->session, index, &row);
    return row;
}

// The process of a row that owns events; 0: it owns none.
static uint32_t process_of(const hoist_profile_row *row)
{
    switch (row->kind) {
    case HOIST_PROFILED_WORKER:
        return WORKERS;
    case HOIST_PROFILED_THREAD:
    case HOIST_PROFILED_UNIT:
        // Without an event its row would be an empty line in the viewer.
        return row->calls ? PROGRAM : 0; // a NEFF has units by the dozen
    case HOIST_PROFILED_RUNS:
    case HOIST_PROFILED_HOST:
        return HOST;
    default:
        return 0;
    }
}

// Names are events of their own, before those that refer to the numbers.
static void name_rows(const run *r, hoist_trace *trace)
{
    static const char *const names[] = {
        [WORKERS] = "workers", [PROGRAM] = "threads and units of the program", [HOST] = "host"};
    const size_t count = hoist_session_profile_count(r->session);
    for (uint32_t process = WORKERS; process <= HOST; process++) {
        hoist_trace_name_process(trace, process, hoist_str_from(names[process]));
        for (size_t i = 0; i < count; i++) {
            const hoist_profile_row row = row_at(r, i);
            if (process_of(&row) == process) {
                hoist_trace_name_thread(trace, process, (uint32_t)i + 1, row.name);
            }
        }
    }
}

// Events ------------------------------------------------------------------------------------------

// The place of a step, by the keys of findings.
static void send_place(const hoist_timeline_event *event, hoist_tree_sink *sink)
{
    if (event->loc.kind == HOIST_LOC_NONE) {
        return;
    }
    hoist_tree_str(sink, "file", event->file);
    if (event->member.size) {
        hoist_tree_str(sink, "member", event->member);
    }
    if (event->loc.kind == HOIST_LOC_TEXT) {
        hoist_tree_uint(sink, "line", event->loc.pos.line, HOIST_UNIT_NONE);
        hoist_tree_uint(sink, "column", event->loc.pos.column, HOIST_UNIT_NONE);
    } else {
        hoist_tree_uint(sink, "offset", event->loc.offset, HOIST_UNIT_NONE);
    }
}

// 0 and empty values are left out, which keeps a file of a million events small.
static void send_arguments(const hoist_timeline_event *event, hoist_trace *trace)
{
    if (event->label.size) {
        hoist_tree_str(trace->sink, "step", event->label);
    }
    hoist_trace_amount(trace, "steps_together", event->steps > 1 ? event->steps : 0);
    // The event's length is a sum: its blocks ran between those of other steps.
    if (event->nested) {
        hoist_tree_bool(trace->sink, "sum_of_blocks", true);
    }
    send_place(event, trace->sink);
    hoist_trace_amount(trace, "read_bytes", event->bytes_read);
    hoist_trace_amount(trace, "written_bytes", event->bytes_written);
    hoist_trace_amount(trace, "flops", event->flops);
}

// "golden.matmul and 3 others", of steps that were done together.
static hoist_str name_of(const hoist_profile_row *row, const hoist_timeline_event *event,
                         char *text, size_t size)
{
    if (event->steps <= 1) {
        return row->name;
    }
    const int used = snprintf(text, size, "%.*s and %u %s", HOIST_STR_ARGS(row->name),
                              event->steps - 1, event->steps == 2 ? "other" : "others");
    return (hoist_str){text, used > 0 && (size_t)used < size ? (size_t)used : 0};
}

// `row` is what was done, `owner` who did it: a worker, a thread of the program, the host.
static void send_event(const run *r, uint64_t index, hoist_trace *trace)
{
    hoist_timeline_event event = {.struct_size = sizeof(event)};
    (void)hoist_session_timeline_at(r->session, index, &event);
    const hoist_profile_row what = row_at(r, event.row);
    const hoist_profile_row owner = row_at(r, event.owner);
    char name[HOIST_SHOWN_BYTES + 32];
    const hoist_trace_event sent = {.process = process_of(&owner),
                                    .thread = (uint32_t)event.owner + 1,
                                    .name = name_of(&what, &event, name, sizeof(name)),
                                    .category = run_profiled_word(what.kind),
                                    .begin = event.begin,
                                    .seconds = event.seconds};
    hoist_trace_begin(trace, &sent);
    send_arguments(&event, trace);
    hoist_trace_end(trace);
}

// The estimate ------------------------------------------------------------------------------------

// Of the same job on its device; of no rows where nothing public says how long it takes: a run that
// was measured needs no estimate.
static hoist_status estimate(const run *r, hoist_estimate *e)
{
    hoist_time_options options;
    // Findings of the estimate are not the run's: they would look as if it had failed.
    hoist_diag *ignored = NULL;
    hoist_arena arena;
    tool_allow_memory(r->t, TIMING_MOST_BYTES);
    HOIST_TRY(hoist_diag_create(r->t->alloc, NULL, &ignored));
    hoist_arena_init(&arena, r->t->alloc);
    const tool_exit code = timing_read_options(r->t, &arena, &options);
    hoist_status status = code == TOOL_LIMIT ? HOIST_NO_MEMORY : HOIST_OK;
    if (code == TOOL_OK) {
        // The estimate is for as many cores as the run had.
        options.cores = r->counts.threads;
        status = hoist_job_estimate(r->file->job, &options, ignored, e);
    }
    if (hoist_diag_incomplete(ignored)) {
        status = HOIST_NO_MEMORY; // why there is no estimate is not all known
    }
    hoist_arena_deinit(&arena);
    hoist_diag_destroy(ignored);
    if (status != HOIST_OK) {
        hoist_estimate_end(e);
        *e = (hoist_estimate){.made = false};
    }
    return status == HOIST_NO_MEMORY || status == HOIST_CANCELLED ? status : HOIST_OK;
}

// The file ----------------------------------------------------------------------------------------

// Members before the events, which viewers ignore.
static void send_facts(const run *r, const hoist_estimate *e, uint64_t count, uint64_t lost,
                       hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "generator", "hoist " HOIST_VERSION_TEXT);
    hoist_tree_c(sink, "kind", "measured");
    tool_send_file(r->file, sink);
    run_send_programs(r, sink);
    hoist_tree_uint(sink, "threads", r->counts.threads, HOIST_UNIT_NONE);
    hoist_tree_c(sink, "cpu_level", r->counts.cpu_level);
    hoist_tree_uint(sink, "iterations", r->iterations, HOIST_UNIT_NONE);
    double seconds = 0;
    for (uint64_t i = 0; i < r->iterations; i++) {
        seconds += r->seconds[i];
    }
    hoist_tree_float(sink, "seconds", seconds, HOIST_UNIT_SECONDS);
    hoist_tree_uint(sink, "events", count, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "lost_events", lost, HOIST_UNIT_NONE);
    const hoist_str device = e->made ? hoist_estimate_device(e) : (hoist_str){NULL, 0};
    if (e->forecast.count && device.data) {
        hoist_tree_str(sink, "estimated_device", device);
    }
}

static hoist_status write_events(const run *r, const hoist_estimate *e, hoist_output *out)
{
    uint64_t lost = 0;
    const uint64_t count = hoist_session_timeline_count(r->session, &lost);
    hoist_trace trace;
    hoist_trace_open(&trace, r->t->alloc, out);
    trace.sink->deadline = r->t->deadline;
    send_facts(r, e, count, lost, trace.sink);
    hoist_trace_begin_events(&trace);
    name_rows(r, &trace);
    for (uint64_t i = 0; i < count && trace.sink->status == HOIST_OK; i++) {
        send_event(r, i, &trace);
    }
    // Events beyond the session's limit were counted, not kept.
    if (lost) {
        tool_complain(r->t, "%s: %llu of %llu events are not in it", r->t->values[OPT_TRACE],
                      (unsigned long long)lost, (unsigned long long)count + lost);
    }
    const hoist_status status =
        e->forecast.count ? timing_send_events(e, ESTIMATE, &trace) : HOIST_OK;
    const hoist_status written = hoist_trace_close(&trace);
    return status == HOIST_OK ? written : status;
}

tool_exit run_write_trace(run *r)
{
    if (!r->trace) {
        return TOOL_OK;
    }
    // The timeline is complete and readable from here on.
    hoist_session_profile_end(r->session);
    hoist_estimate e = {.made = false};
    hoist_status status = estimate(r, &e);
    if (status == HOIST_OK) {
        status = write_events(r, &e, r->trace);
    }
    hoist_estimate_end(&e);
    const hoist_source before =
        hoist_diag_enter(r->file->diag, hoist_str_from(r->t->values[OPT_TRACE]));
    status = status == HOIST_OK ? hoist_output_close(r->trace, r->file->diag) : status;
    hoist_diag_leave(r->file->diag, before);
    return tool_report(r->t, status, r->file);
}

void run_close_trace(run *r)
{
    if (r->trace) {
        hoist_output_drop(r->trace);
    }
}
