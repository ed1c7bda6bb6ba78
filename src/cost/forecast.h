// cost/forecast.h - the estimated run of a program's entries: when each step begins and ends, what
// takes its time, and how long all of them take at best, typically and at worst.
//
// The entries run twice: in the second run the device has what the first one left there, parameters
// for instance. Rows are of the second run.
#ifndef HOIST_SRC_COST_FORECAST_H
#define HOIST_SRC_COST_FORECAST_H

#include "base/arena.h"
#include "base/diag.h"
#include "cost/model.h"
#include "machine/schedule.h"

// Steps of a process one after the other that have one name.
typedef struct hoist_time_row {
    hoist_str name;     // the label, else that of the function or process that they are in
    hoist_str function; // that the process carries out, outermost; empty: its own code
    size_t process;     // number of a row of `processes`
    hoist_str device;   // that carries them out; empty: not known
    hoist_resource resource;
    uint64_t steps;
    uint64_t untimed; // of them; there is no public time of these
    uint64_t bytes;
    uint64_t operations;
    uint64_t cycles;
    // By the case that has times of all kinds, typical or else low: seconds from the beginning.
    double begin;
    double end;
    double waited; // until its resource was free
    bool at_once;  // kinds of time pass at the same time, the longest counts; rows of a process may
                   // overlap
    double seconds[HOIST_CASE_COUNT][HOIST_BOUND_COUNT];
} hoist_time_row;

// A thread or unit.
typedef struct hoist_time_process {
    hoist_str name;
    uint64_t steps;
    uint64_t bytes;
    double seconds[HOIST_CASE_COUNT];
} hoist_time_process;

// When a step was made, the last time that it was.
typedef struct hoist_step_time {
    double begin;
    double end;
    bool is_known;
} hoist_step_time;

typedef struct hoist_forecast {
    hoist_arena arena;
    hoist_time_row *rows; // owned
    size_t count;
    size_t capacity;
    hoist_time_process *processes; // arena
    size_t process_count;
    hoist_step_time **steps; // arena; by function, then by thread: of each of its steps
    bool is_timed;           // some step is
    bool is_bound;           // times are known at best only: the others are 0
    hoist_case lead;         // the case of begin and end
    bool once;               // only the first run ends: rows and totals are of that
    bool overlaps;           // in the low case: parameters and computing
    double total[HOIST_CASE_COUNT];
    double first[HOIST_CASE_COUNT]; // of the first run
    hoist_outcome outcome;          // not DONE: it was reported why the run does not end
} hoist_forecast;

typedef struct hoist_forecast_options {
    hoist_allocator alloc;
    hoist_deadline *deadline; // NULL: none
    uint64_t max_steps;       // control steps of a run; 0: not limited
    const hoist_cost_model *model;
    const hoist_ref *entries;         // in order
    const int64_t *const *parameters; // of each entry
    uint32_t entry_count;
} hoist_forecast_options;

// Runs the entries of a verified program. Free with hoist_forecast_deinit, whatever is returned.
// HOIST_OK with `outcome`, HOIST_NO_MEMORY; HOIST_LIMIT, HOIST_CANCELLED: the deadline.
HOIST_NODISCARD hoist_status hoist_forecast_make(const hoist_program *program,
                                                 const hoist_forecast_options *options,
                                                 hoist_diag *diag, hoist_forecast *out_forecast);
void hoist_forecast_deinit(hoist_forecast *forecast);

// What takes most of a row's time in a case, waiting aside; HOIST_BOUND_COUNT: it takes none.
hoist_bound hoist_time_row_bound(const hoist_time_row *row, hoist_case of);
double hoist_time_row_seconds(const hoist_time_row *row, hoist_case of);

#endif // HOIST_SRC_COST_FORECAST_H
