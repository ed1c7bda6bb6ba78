// hoist bench: what was measured, as one document for people and programs.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/span.h"
#include "base/tree.h"
#include "bench.h"

enum {
    MOST_SHOWN = 16, // threads and units for people
    WIDE = 60,       // columns from which tables have all they can
};

// What follows is for programs only, or for people only, until the audience is all again.
static void send_to(hoist_tree_sink *sink, hoist_tree_audience audience)
{
    sink->audience = audience;
}

// Head --------------------------------------------------------------------------------------------

static void send_names(const run *r, hoist_tree_sink *sink)
{
    hoist_tree_short_list(sink, "programs");
    for (size_t i = 0; i < r->program_count; i++) {
        hoist_tree_c(sink, "", r->programs[i].name);
    }
    hoist_tree_end(sink);
}

static void send_head(const bench *b, hoist_tree_sink *sink)
{
    const run *r = b->r;
    hoist_tree_c(sink, "file", r->file->path);
    hoist_tree_c(sink, "format", hoist_job_format(r->file->job));
    send_to(sink, HOIST_TREE_FOR_PROGRAMS);
    run_send_programs(r, sink);
    run_send_inputs(r, sink);
    send_to(sink, HOIST_TREE_FOR_PEOPLE);
    send_names(r, sink);
    send_to(sink, HOIST_TREE_FOR_ALL);
    hoist_tree_uint(sink, "threads", r->counts.threads, HOIST_UNIT_NONE);
    hoist_tree_c(sink, "cpu_level", r->counts.cpu_level);
    hoist_tree_uint(sink, "memory_bytes", r->counts.memory_bytes, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "warmup", r->warmup, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "profiled", b->profiled, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "iterations", b->count, HOIST_UNIT_NONE);
}

// Times -------------------------------------------------------------------------------------------

// Of iterations, and of memcpy after each; all zero without one.
typedef struct figures {
    run_times wall;
    run_times cpu;
    run_times copy;
    double ratio; // of the medians of wall and copy
} figures;

static figures figures_of(const bench *b)
{
    figures f = {.wall = run_times_of(b->wall, b->count), .cpu = run_times_of(b->cpu, b->count)};
    if (b->piece) {
        f.copy = run_times_of(b->copy, b->count);
        f.ratio = f.copy.median > 0 ? f.wall.median / f.copy.median : 0;
    }
    return f;
}

static void send_times(const char *key, const run_times *times, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, key);
    hoist_tree_float(sink, "least_seconds", times->least, HOIST_UNIT_SECONDS);
    hoist_tree_float(sink, "median_seconds", times->median, HOIST_UNIT_SECONDS);
    hoist_tree_float(sink, "p90_seconds", times->p90, HOIST_UNIT_SECONDS);
    hoist_tree_float(sink, "greatest_seconds", times->greatest, HOIST_UNIT_SECONDS);
    hoist_tree_end(sink);
}

// The same with a row for each figure, which is narrow.
static void send_time_table(const bench *b, const figures *f, hoist_tree_sink *sink)
{
    static const struct {
        const char *name;
        size_t offset; // in run_times
    } rows[] = {
        {"least", offsetof(run_times, least)},
        {"median", offsetof(run_times, median)},
        {"p90", offsetof(run_times, p90)},
        {"greatest", offsetof(run_times, greatest)},
    };
    const struct {
        const char *name;
        const run_times *times;
    } columns[] = {
        {"wall_seconds", &f->wall}, {"cpu_seconds", &f->cpu}, {"memcpy_seconds", &f->copy}};
    hoist_tree_list(sink, "time");
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        hoist_tree_map(sink, "");
        hoist_tree_c(sink, "iteration", rows[i].name);
        for (size_t k = 0; k < (b->piece ? 3U : 2U); k++) {
            const char *times = (const char *)columns[k].times;
            hoist_tree_float(sink, columns[k].name,
                             *(const double *)(const void *)(times + rows[i].offset),
                             HOIST_UNIT_SECONDS);
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

static void send_ratio(double ratio, hoist_tree_sink *sink)
{
    char words[96];
    (void)snprintf(words, sizeof(words),
                   "an iteration takes %.*f times as long as copying as many bytes",
                   ratio < 10    ? 2
                   : ratio < 100 ? 1
                                 : 0,
                   ratio);
    hoist_tree_c(sink, "memcpy", words);
}

static void send_measured(const bench *b, hoist_tree_sink *sink)
{
    const figures f = figures_of(b);
    hoist_tree_uint(sink, "moved_bytes", b->moved, HOIST_UNIT_BYTES);
    hoist_tree_float(sink, "rate_bytes_per_second",
                     f.wall.median > 0 ? (double)b->moved / f.wall.median : 0, HOIST_UNIT_RATE);
    send_to(sink, HOIST_TREE_FOR_PEOPLE);
    if (b->piece) {
        send_ratio(f.ratio, sink);
    }
    send_time_table(b, &f, sink);
    send_to(sink, HOIST_TREE_FOR_PROGRAMS);
    send_times("wall", &f.wall, sink);
    send_times("cpu", &f.cpu, sink);
    if (b->piece) {
        send_times("memcpy", &f.copy, sink);
        hoist_tree_float(sink, "memcpy_ratio", f.ratio, HOIST_UNIT_NONE);
    } else {
        hoist_tree_null(sink, "memcpy");
        hoist_tree_null(sink, "memcpy_ratio");
    }
    send_to(sink, HOIST_TREE_FOR_ALL);
}

// Profile -----------------------------------------------------------------------------------------

// What a kind of row is called, and in which table it stands.
typedef struct row_kind {
    const char *word;
    int order; // rows of one table: those of a lower one come first
    bool has_bytes;
    bool is_owner; // of time: a thread, unit or worker
} row_kind;

static const row_kind row_kinds[] = {
    [HOIST_PROFILED_RUNS] = {"runs", 0, false, false},
    [HOIST_PROFILED_MOVE] = {"move", 0, true, false},
    [HOIST_PROFILED_COMPUTE] = {"compute", 0, true, false},
    [HOIST_PROFILED_COLLECTIVE] = {"collective", 0, true, false},
    [HOIST_PROFILED_OPAQUE] = {"opaque", 0, true, false},
    [HOIST_PROFILED_CONTROL] = {"control", 1, false, false},
    [HOIST_PROFILED_IDLE] = {"idle", 1, false, false},
    [HOIST_PROFILED_HOST] = {"host", 2, true, false},
    [HOIST_PROFILED_THREAD] = {"thread", 0, true, true},
    [HOIST_PROFILED_UNIT] = {"unit", 0, true, true},
    [HOIST_PROFILED_WORKER] = {"worker", 1, false, true},
};

static const row_kind *kind_of(const hoist_profile_row *row)
{
    return &row_kinds[row->kind];
}

// Longest first within what belongs together.
static int by_time(const void *a, const void *b)
{
    const hoist_profile_row *x = a;
    const hoist_profile_row *y = b;
    const int order = kind_of(x)->order - kind_of(y)->order;
    return order ? order : (x->seconds < y->seconds) - (x->seconds > y->seconds);
}

static void send_bytes(const bench *b, const hoist_profile_row *row, hoist_tree_sink *sink)
{
    if (!kind_of(row)->has_bytes) {
        hoist_tree_unknown(sink, "read_bytes", HOIST_UNIT_BYTES);
        hoist_tree_unknown(sink, "written_bytes", HOIST_UNIT_BYTES);
        hoist_tree_unknown(sink, "rate_bytes_per_second", HOIST_UNIT_RATE);
        return;
    }
    const double bytes = (double)row->bytes_read + (double)row->bytes_written;
    hoist_tree_uint(sink, "read_bytes", row->bytes_read / b->profiled, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "written_bytes", row->bytes_written / b->profiled, HOIST_UNIT_BYTES);
    hoist_tree_float(sink, "rate_bytes_per_second", row->seconds > 0 ? bytes / row->seconds : 0,
                     HOIST_UNIT_RATE);
}

// Calls of an iteration, which need not be a whole number.
static void send_calls(double calls, hoist_tree_audience audience, hoist_tree_sink *sink)
{
    send_to(sink, HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_float(sink, "calls", calls, HOIST_UNIT_NONE);
    if (audience != HOIST_TREE_FOR_PROGRAMS) {
        send_to(sink, HOIST_TREE_FOR_PEOPLE);
        hoist_tree_float(sink, "calls", round(calls * 100) / 100, HOIST_UNIT_NONE);
    }
}

// The row for whom the list is, its lesser columns for `others`. `all`: the seconds that its own
// are a share of; 0: of none.
static void send_row(const bench *b, const hoist_profile_row *row, double all,
                     hoist_tree_audience others, hoist_tree_sink *sink)
{
    const hoist_tree_audience audience = sink->audience;
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", row->name);
    send_to(sink, kind_of(row)->is_owner ? others : HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_c(sink, "kind", kind_of(row)->word);
    send_calls((double)row->calls / (double)b->profiled, others, sink);
    send_to(sink, audience);
    hoist_tree_float(sink, "time_seconds", row->seconds / (double)b->profiled, HOIST_UNIT_SECONDS);
    if (all > 0) {
        hoist_tree_float(sink, "share_percent", 100 * row->seconds / all, HOIST_UNIT_PERCENT);
    } else {
        hoist_tree_unknown(sink, "share_percent", HOIST_UNIT_PERCENT);
    }
    send_to(sink, others);
    send_bytes(b, row, sink);
    send_to(sink, audience);
    hoist_tree_end(sink);
}

// The seconds that those of `row` are a share of.
static double whole_of(const bench *b, const hoist_profile_row *row)
{
    // With threads of their own, pushing and popping are no worker's.
    const bool apart = row->kind == HOIST_PROFILED_HOST && !b->r->alone;
    return kind_of(row)->is_owner ? b->run_seconds
           : apart                ? 0
                                  : b->run_seconds * b->r->counts.threads;
}

// For people only the threads and units that took longest: a NEFF may have a thousand rings.
static void send_rows(const bench *b, const char *key, bool owners, hoist_tree_sink *sink)
{
    const size_t width = b->r->t->width;
    const hoist_tree_audience others =
        width && width < WIDE ? HOIST_TREE_FOR_PROGRAMS : HOIST_TREE_FOR_ALL;
    size_t shown = 0;
    hoist_tree_list(sink, key);
    for (size_t i = 0; i < b->row_count; i++) {
        const hoist_profile_row *row = &b->rows[i];
        if (kind_of(row)->is_owner != owners) {
            continue;
        }
        const bool first = row->kind != HOIST_PROFILED_THREAD && row->kind != HOIST_PROFILED_UNIT;
        const bool shows = first || shown++ < MOST_SHOWN;
        send_to(sink, shows ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS);
        send_row(b, row, whole_of(b, row), shows ? others : HOIST_TREE_FOR_PROGRAMS, sink);
    }
    send_to(sink, HOIST_TREE_FOR_ALL);
    hoist_tree_end(sink);
}

tool_exit bench_report(bench *b)
{
    tool *t = b->r->t;
    t->doing = "writing";
    hoist_document doc;
    tool_document(t, &doc, false);
    send_head(b, &doc.sink);
    send_measured(b, &doc.sink);
    send_to(&doc.sink, HOIST_TREE_FOR_PROGRAMS);
    tool_send_warnings(t, b->r->file, &doc.sink);
    send_to(&doc.sink, HOIST_TREE_FOR_ALL);
    if (tool_given(t, OPT_JSON) || !tool_given(t, OPT_QUIET)) {
        qsort(b->rows, b->row_count, sizeof(b->rows[0]), by_time);
        send_rows(b, "time_by_kind", false, &doc.sink);
        send_rows(b, "time_by_owner", true, &doc.sink);
    }
    return tool_document_end(t, &doc);
}
