// load/time.h - an estimate of a job's time: for the sources of hoist_job_time(), and for those
// that draw its rows.
#ifndef HOIST_SRC_LOAD_TIME_H
#define HOIST_SRC_LOAD_TIME_H

#include "base/map.h"
#include "base/picture.h"
#include "cost/forecast.h"
#include "load/job.h"
#include "program/program.h"

typedef struct hoist_estimate {
    const hoist_job *job;
    hoist_program *program; // owned
    hoist_cost_model model;
    hoist_forecast forecast;
    bool made; // the forecast
    bool narrow;
} hoist_estimate;

// time.c. Estimates a job with checked options. Free with hoist_estimate_end, whatever is returned;
// the statuses of hoist_job_time().
HOIST_NODISCARD hoist_status hoist_estimate_make(const hoist_job *job,
                                                 const hoist_time_options *options,
                                                 hoist_diag *diag, hoist_estimate *out_estimate);
void hoist_estimate_end(hoist_estimate *e);
// time.c. The same with the options of a caller, as hoist_job_time() takes them.
HOIST_NODISCARD hoist_status hoist_job_estimate(const hoist_job *job,
                                                const hoist_time_options *options, hoist_diag *diag,
                                                hoist_estimate *out_estimate);
// time.c. Appends to each step of the picture of `job` the share of the estimated time that it
// takes, by default options, and adds memory over time when `lives`. The statuses of
// hoist_job_time().
HOIST_NODISCARD hoist_status hoist_job_append_time(const hoist_job *job, bool lives,
                                                   hoist_diag *diag, hoist_picture *picture);
// time_shares.c. The same of an estimate that was made. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_estimate_append_shares(const hoist_estimate *e,
                                                          hoist_picture *picture);

// time_lives.c. Adds to the picture what lives when in memory that steps share; nothing where
// sessions refuse the program. HOIST_OK, HOIST_LIMIT, HOIST_CANCELLED, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_estimate_append_lives(const hoist_estimate *e,
                                                         hoist_picture *picture);

// time_rows.c. Whether a host does what the device does not: the program's work is of a device
// behind a link.
bool hoist_estimate_has_host(const hoist_estimate *e);

// Steps by their names, each once, in the order in which they came; of two estimates.
typedef struct hoist_time_tally_row {
    hoist_str name; // borrowed
    uint64_t steps;
    double seconds[2]; // of each estimate
    bool has[2];       // steps of each
} hoist_time_tally_row;

typedef struct hoist_time_tally {
    hoist_allocator alloc;
    hoist_map known;            // names to rows
    hoist_time_tally_row *rows; // owned
    size_t count;
    size_t capacity;
} hoist_time_tally;

// time_tally.c.
void hoist_time_tally_init(hoist_time_tally *tally, hoist_allocator alloc);
void hoist_time_tally_deinit(hoist_time_tally *tally);
// Adds steps of estimate `side`, 0 or 1. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_time_tally_add(hoist_time_tally *tally, hoist_str name, int side,
                                                  uint64_t steps, double seconds);

// The low, typical and high seconds of a forecast; of bounds only the low one, null for others.
void hoist_send_range(hoist_tree_sink *sink, const hoist_forecast *forecast, const double *seconds);
extern const char *const hoist_case_keys[HOIST_CASE_COUNT]; // "low_seconds" and so on

// A row of hoist.time/1. Texts are of the estimate; data NULL: none.
typedef struct hoist_estimate_row {
    hoist_str name, process, function, device, bound;
    uint64_t steps, untimed_steps, bytes, operations, cycles;
    double begin, end; // seconds from the beginning of the run
    double waited;
    double seconds[HOIST_CASE_COUNT]; // negative: not known
} hoist_estimate_row;

// A row of copies that take no time is in no timeline.
static inline bool hoist_estimate_row_is_drawn(const hoist_estimate_row *row)
{
    return row->seconds[HOIST_CASE_LOW] > 0 || row->untimed_steps;
}

// How many of the cases are known, from the low one on.
int hoist_forecast_known(const hoist_forecast *forecast);
// The row number `i` of the forecast's.
hoist_estimate_row hoist_estimate_row_at(const hoist_estimate *e, size_t i);
// What the rows are of, and the link between both where a host does the rest; data NULL: none.
hoist_str hoist_estimate_device(const hoist_estimate *e);
hoist_str hoist_estimate_link(const hoist_estimate *e);

// time_send.c. Sends all that one estimate has, as members of the map that is open.
// HOIST_NO_MEMORY, or the sink's status.
HOIST_NODISCARD hoist_status hoist_estimate_send(const hoist_estimate *e, hoist_tree_sink *sink);
// time_compare.c. Sends the totals of `other`, and the rows of both by their names.
// HOIST_NO_MEMORY, or the sink's status.
HOIST_NODISCARD hoist_status hoist_estimate_compare(const hoist_estimate *e,
                                                    const hoist_estimate *other,
                                                    hoist_tree_sink *sink);

#endif // HOIST_SRC_LOAD_TIME_H
