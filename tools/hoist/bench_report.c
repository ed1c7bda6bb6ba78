// hoist bench, reporting: one document for people and programs from the samples of bench.c. Tables
// for people are cut (16 threads and units, functions, ops) and narrow on narrow terminals; JSON
// has everything.
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/span.h"
#include "base/tree.h"
#include "bench.h"

enum {
    MOST_SHOWN = 16, // threads and units, functions and ops for people
    MIDDLE = 60,     // columns from which tables have more than a time and its share
    WIDE = 124,      // columns from which they have all
};

// What follows is for programs only, or for people only, until the audience is all again.
// A document is sent once, for text and JSON alike; the audience of the sink decides which of
// the two shows a member. Every function here leaves it as it found it.
static void send_to(hoist_tree_sink *sink, hoist_tree_audience audience)
{
    sink->audience = audience;
}

// Head --------------------------------------------------------------------------------------------

// Programs and inputs are lists of maps for programs; people get the names alone, on one line.
static void send_head(const bench *b, hoist_tree_sink *sink)
{
    const run *r = b->r;
    tool_send_file(r->file, sink);
    send_to(sink, HOIST_TREE_FOR_PROGRAMS);
    run_send_programs(r, sink);
    run_send_inputs(r, sink);
    send_to(sink, HOIST_TREE_FOR_PEOPLE);
    hoist_tree_short_list(sink, "programs");
    for (size_t i = 0; i < r->program_count; i++) {
        hoist_tree_c(sink, "", r->programs[i].name);
    }
    hoist_tree_end(sink);
    send_to(sink, HOIST_TREE_FOR_ALL);
    hoist_tree_uint(sink, "threads", r->counts.threads, HOIST_UNIT_NONE);
    hoist_tree_c(sink, "cpu_level", r->counts.cpu_level);
    run_send_fast(r, sink);
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

// JSON: one map for wall, CPU and memcpy each.
static void send_times(const char *key, const run_times *times, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, key);
    hoist_tree_float(sink, "least_seconds", times->least, HOIST_UNIT_SECONDS);
    hoist_tree_float(sink, "median_seconds", times->median, HOIST_UNIT_SECONDS);
    hoist_tree_float(sink, "p90_seconds", times->p90, HOIST_UNIT_SECONDS);
    hoist_tree_float(sink, "p95_seconds", times->p95, HOIST_UNIT_SECONDS);
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
        {"p95", offsetof(run_times, p95)},
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
            // `offset` is that of a double in run_times, from the table above.
            const char *times = (const char *)columns[k].times;
            hoist_tree_float(sink, columns[k].name,
                             *(const double *)(const void *)(times + rows[i].offset),
                             HOIST_UNIT_SECONDS);
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// Rates are of the median: the mean is moved by a single slow iteration.
static void send_measured(const bench *b, hoist_tree_sink *sink)
{
    figures f = {.wall = run_times_of(b->wall, b->count), .cpu = run_times_of(b->cpu, b->count)};
    if (b->piece) {
        f.copy = run_times_of(b->copy, b->count);
        f.ratio = f.copy.median > 0 ? f.wall.median / f.copy.median : 0;
    }
    hoist_tree_uint(sink, "moved_bytes", b->moved, HOIST_UNIT_BYTES);
    hoist_tree_float(sink, "rate_bytes_per_second",
                     f.wall.median > 0 ? (double)b->moved / f.wall.median : 0, HOIST_UNIT_RATE);
    send_to(sink, b->flops ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_uint(sink, "flops", b->flops, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "compute_flops_per_second",
                     f.wall.median > 0 ? (double)b->flops / f.wall.median : 0, HOIST_UNIT_FLOPS);
    send_to(sink, HOIST_TREE_FOR_PEOPLE);
    if (b->piece) {
        char words[96];
        // Three digits that count: 1.23, 12.3, 123.
        (void)snprintf(words, sizeof(words),
                       "an iteration takes %.*f times as long as copying as many bytes",
                       f.ratio < 10    ? 2
                       : f.ratio < 100 ? 1
                                       : 0,
                       f.ratio);
        hoist_tree_c(sink, "memcpy", words);
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

// Lists of the document in this order. Each row of a profile is in exactly one.
typedef enum time_table {
    BY_KIND = 0,
    BY_FUNCTION,
    BY_OP,
    BY_OWNER, // of time: a thread, unit or worker
    TABLES
} time_table;

static const char *const table_keys[TABLES] = {
    [BY_KIND] = "time_by_kind",
    [BY_FUNCTION] = "time_by_function",
    [BY_OP] = "time_by_op",
    [BY_OWNER] = "time_by_owner",
};

// The table that a kind of row is in.
typedef struct row_kind {
    time_table table;
    int order; // rows of one table: those of a lower one come first
    bool has_bytes;
    bool is_short; // only the longest are for people: a NEFF may have a thousand rings
} row_kind;

// clang-format off
static const row_kind row_kinds[] = {
    [HOIST_PROFILED_RUNS]       = {BY_KIND,     0, false, false},
    [HOIST_PROFILED_MOVE]       = {BY_KIND,     0, true,  false},
    [HOIST_PROFILED_COMPUTE]    = {BY_KIND,     0, true,  false},
    [HOIST_PROFILED_COLLECTIVE] = {BY_KIND,     0, true,  false},
    [HOIST_PROFILED_OPAQUE]     = {BY_KIND,     0, true,  false},
    [HOIST_PROFILED_CONTROL]    = {BY_KIND,     1, false, false},
    [HOIST_PROFILED_IDLE]       = {BY_KIND,     1, false, false},
    [HOIST_PROFILED_HOST]       = {BY_KIND,     2, true,  false},
    [HOIST_PROFILED_THREAD]     = {BY_OWNER,    0, true,  true },
    [HOIST_PROFILED_UNIT]       = {BY_OWNER,    0, true,  true },
    [HOIST_PROFILED_WORKER]     = {BY_OWNER,    1, false, false},
    [HOIST_PROFILED_FUNCTION]   = {BY_FUNCTION, 0, true,  true },
    [HOIST_PROFILED_OP]         = {BY_OP,       0, true,  true },
};
// clang-format on

// HOIST_PROFILED_RUNS has a row for completeness only: close_rows() took it out of the rows.
static const row_kind *kind_of(const bench_row *row)
{
    return &row_kinds[row->sum.kind];
}

static bool is_owner(const bench_row *row)
{
    return kind_of(row)->table == BY_OWNER;
}

// Longest first within what belongs together.
// For qsort(): rows of all tables are sorted together, and each table then picks its own.
static int by_time(const void *a, const void *b)
{
    const bench_row *x = a;
    const bench_row *y = b;
    const int order = kind_of(x)->order - kind_of(y)->order;
    return order ? order : (x->sum.seconds < y->sum.seconds) - (x->sum.seconds > y->sum.seconds);
}

// The readers of the columns of a table, by the width of the window.
typedef struct audiences {
    hoist_tree_audience more; // of times of single iterations and rates
    hoist_tree_audience all;  // of calls, the least time and bytes
} audiences;

// A column that does not fit on the terminal is for programs only; the JSON is the same for
// every width.
static audiences columns_of(const bench *b)
{
    const size_t width = b->r->t->width; // 0: not limited
    return (audiences){
        width && width < MIDDLE ? HOIST_TREE_FOR_PROGRAMS : HOIST_TREE_FOR_ALL,
        width && width < WIDE ? HOIST_TREE_FOR_PROGRAMS : HOIST_TREE_FOR_ALL,
    };
}

// Times of the row in single iterations: of owners, and the least, for those of `columns->all`.
// Rows of control and idle time have no samples: unknown, which a table shows as empty.
static void send_samples(const bench_row *row, const audiences *columns, hoist_tree_sink *sink)
{
    const struct {
        const char *key;
        double seconds;
    } times[] = {{"least_seconds", row->times.least},
                 {"median_seconds", row->times.median},
                 {"p95_seconds", row->times.p95}};
    for (size_t i = 0; i < HOIST_COUNT_OF(times); i++) {
        send_to(sink, i == 0 || is_owner(row) ? columns->all : columns->more);
        // Every row of a table has every column, also where it has no value: the columns of a
        // text table are those of its first row.
        if (row->samples) {
            hoist_tree_float(sink, times[i].key, times[i].seconds, HOIST_UNIT_SECONDS);
        } else {
            hoist_tree_unknown(sink, times[i].key, HOIST_UNIT_SECONDS);
        }
    }
}

static void send_bytes(const bench *b, const bench_row *row, const audiences *columns,
                       hoist_tree_sink *sink)
{
    const hoist_profile_row *const sum = &row->sum;
    const double bytes = (double)sum->bytes_read + (double)sum->bytes_written;
    send_to(sink, columns->all);
    if (kind_of(row)->has_bytes) {
        hoist_tree_uint(sink, "read_bytes", sum->bytes_read / b->profiled, HOIST_UNIT_BYTES);
        hoist_tree_uint(sink, "written_bytes", sum->bytes_written / b->profiled, HOIST_UNIT_BYTES);
        send_to(sink, columns->more);
        hoist_tree_float(sink, "rate_bytes_per_second", sum->seconds > 0 ? bytes / sum->seconds : 0,
                         HOIST_UNIT_RATE);
    } else {
        hoist_tree_unknown(sink, "read_bytes", HOIST_UNIT_BYTES);
        hoist_tree_unknown(sink, "written_bytes", HOIST_UNIT_BYTES);
        send_to(sink, columns->more);
        hoist_tree_unknown(sink, "rate_bytes_per_second", HOIST_UNIT_RATE);
    }
}

// Operations of compute steps, where their rows count some.
// Text has the rate only, which needs no second column to compare.
static void send_flops(const bench *b, const bench_row *row, hoist_tree_sink *sink)
{
    const hoist_profile_row *const sum = &row->sum;
    const hoist_tree_audience audience = sink->audience;
    send_to(sink, HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_maybe_uint(sink, "flops", sum->flops > 0, sum->flops / b->profiled, HOIST_UNIT_NONE);
    send_to(sink, audience);
    hoist_tree_maybe_float(sink, "compute_flops_per_second", sum->flops > 0 && sum->seconds > 0,
                           (double)sum->flops / (sum->seconds > 0 ? sum->seconds : 1),
                           HOIST_UNIT_FLOPS);
}

// The row for whom the list is, its lesser columns for those of `columns`. `all`: the seconds that
// its own are a share of; 0: of none.
// Figures are means per iteration, while samples are of single ones.
static void send_row(const bench *b, const bench_row *row, double all, const audiences *columns,
                     hoist_tree_sink *sink)
{
    const hoist_tree_audience audience = sink->audience;
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", row->sum.name);
    send_to(sink, is_owner(row) ? columns->more : HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_c(sink, "kind", run_profiled_word(row->sum.kind));
    // Calls of an iteration, which need not be an integer.
    const double calls = (double)row->sum.calls / (double)b->profiled;
    send_to(sink, HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_float(sink, "calls", calls, HOIST_UNIT_NONE);
    const hoist_tree_audience counts = is_owner(row) ? columns->more : columns->all;
    if (counts != HOIST_TREE_FOR_PROGRAMS) {
        send_to(sink, HOIST_TREE_FOR_PEOPLE);
        hoist_tree_float(sink, "calls", round(calls * 100) / 100, HOIST_UNIT_NONE);
    }
    send_to(sink, audience);
    hoist_tree_float(sink, "time_seconds", row->sum.seconds / (double)b->profiled,
                     HOIST_UNIT_SECONDS);
    if (all > 0) {
        hoist_tree_float(sink, "share_percent", 100 * row->sum.seconds / all, HOIST_UNIT_PERCENT);
    } else {
        hoist_tree_unknown(sink, "share_percent", HOIST_UNIT_PERCENT);
    }
    send_samples(row, columns, sink);
    send_bytes(b, row, columns, sink);
    send_to(sink, columns->more);
    send_flops(b, row, sink);
    send_to(sink, audience);
    hoist_tree_end(sink);
}

// The seconds that those of `row` are a share of.
static double whole_of(const bench *b, const bench_row *row)
{
    // With threads of their own, pushing and popping are no worker's.
    const bool apart = row->sum.kind == HOIST_PROFILED_HOST && !b->r->alone;
    return is_owner(row) ? b->run_seconds : apart ? 0 : b->run_seconds * b->r->counts.threads;
}

// JSON has all four lists, empty ones, too; people do not see the titles of empty tables.
static bool has_rows(const bench *b, time_table table)
{
    size_t i = 0;
    while (i < b->row_count && kind_of(&b->rows[i])->table != table) {
        i++;
    }
    return i < b->row_count;
}

static void send_rows(const bench *b, time_table table, hoist_tree_sink *sink)
{
    static const audiences for_programs = {HOIST_TREE_FOR_PROGRAMS, HOIST_TREE_FOR_PROGRAMS};
    const audiences columns = columns_of(b);
    size_t shown = 0;
    send_to(sink, has_rows(b, table) ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_list(sink, table_keys[table]);
    for (size_t i = 0; i < b->row_count; i++) {
        const bench_row *const row = &b->rows[i];
        if (kind_of(row)->table != table) {
            continue;
        }
        const bool shows = !kind_of(row)->is_short || shown++ < MOST_SHOWN;
        send_to(sink, shows ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS);
        send_row(b, row, whole_of(b, row), shows ? &columns : &for_programs, sink);
    }
    send_to(sink, has_rows(b, table) ? HOIST_TREE_FOR_ALL : HOIST_TREE_FOR_PROGRAMS);
    hoist_tree_end(sink);
    send_to(sink, HOIST_TREE_FOR_ALL);
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
        for (int i = 0; i < TABLES; i++) {
            send_rows(b, (time_table)i, &doc.sink);
        }
    }
    return tool_document_end(&doc);
}
