// runtime/profile.h - where the time of runs goes: rows of hoist_session_profile_at().
//
// Rows are in a fixed order: runs, control, idle, push, pop, a row for each kind of data step of
// the program, for each thread, unit, worker, function and op. They are made before anything runs,
// so that noting never asks for memory. All calls are made with the session's lock.
#ifndef HOIST_SRC_RUNTIME_PROFILE_H
#define HOIST_SRC_RUNTIME_PROFILE_H

#include "hoist/runtime.h"

#include "base/arena.h"
#include "runtime/opaque.h"
#include "runtime/profile_places.h"
#include "runtime/timeline.h"
#include "runtime/work.h"

// The rows that every profile has.
enum {
    HOIST_PROFILE_ROW_RUNS = 0,
    HOIST_PROFILE_ROW_CONTROL,
    HOIST_PROFILE_ROW_IDLE,
    HOIST_PROFILE_ROW_PUSH,
    HOIST_PROFILE_ROW_POP,
    HOIST_PROFILE_FIXED_ROWS,
};

// What distinguishes the data steps of one row from those of others.
typedef struct hoist_profile_key {
    uint64_t bits;
    const hoist_prog_step *step; // one of them; borrowed from the program
} hoist_profile_key;

typedef struct hoist_profiler {
    const hoist_program *program; // borrowed
    hoist_arena arena;
    hoist_profile_key *keys; // arena: ascending, of the rows after the fixed ones
    size_t key_count;
    hoist_profile_row *rows; // arena
    size_t row_count;
    size_t first_thread; // row of the program's first thread; units follow
    size_t first_worker; // row
    hoist_profile_places places;
    size_t first_place;      // row
    uint32_t workers;        // 1 or more
    bool callers_work;       // sequential: what callers do is not done by workers at the same time
    hoist_ref entry;         // that runs, or ran last
    double run_began;        // negative: nothing runs
    uint64_t control_before; // control steps of the session when the run began
    uint32_t idle;           // workers that wait now
    double idle_since;       // when `idle` last changed, or the run began
    double host_in_runs;     // seconds of pushes and pops that came to their end in a run
    hoist_timeline timeline; // what was done when
    bool has_timeline;       // it is kept
} hoist_profiler;

// What it needs to know of the session.
typedef struct hoist_profiler_setup {
    const hoist_program *program;
    hoist_allocator alloc;
    uint32_t workers; // 0: sequential
    uint32_t idle;    // workers that wait now
    uint64_t events;  // that the timeline has at most; 0: there is none
} hoist_profiler_setup;

// HOIST_OK or HOIST_NO_MEMORY; valid for hoist_profiler_deinit() either way.
HOIST_NODISCARD hoist_status hoist_profiler_init(hoist_profiler *profiler,
                                                 const hoist_profiler_setup *setup);
void hoist_profiler_deinit(hoist_profiler *profiler);

// A run of `entry` begins, or ends; the session has made `control_steps` so far.
void hoist_profiler_begin_run(hoist_profiler *profiler, hoist_ref entry, double now,
                              uint64_t control_steps);
void hoist_profiler_end_run(hoist_profiler *profiler, double now, uint64_t control_steps);

// A worker begins to wait because there is nothing to do, or goes on.
void hoist_profiler_begin_wait(hoist_profiler *profiler, size_t worker, double now);
void hoist_profiler_end_wait(hoist_profiler *profiler, size_t worker, double now);

// Bytes that a data step reads and writes, each operand once, and its operations.
typedef struct hoist_traffic {
    uint64_t read;
    uint64_t written;
    uint64_t flops; // of compute steps
} hoist_traffic;

// A data step as it is noted.
typedef struct hoist_profiled_step {
    const hoist_prog_step *step; // borrowed from the program
    size_t kind_row;
    size_t process_row;   // of the thread or unit that made it
    size_t place_rows[2]; // of its function and op; 0: it has none
    double began;
    hoist_traffic traffic;
} hoist_profiled_step;

// What a worker has done of one step, or of a group of them.
typedef struct hoist_profiled_piece {
    size_t worker;
    double began;
    double seconds;
    const double *each; // seconds of each step of a group; NULL: it is one step
} hoist_profiled_piece;

// `process` of the machine begins a data step, which was made ready. `opaque`: what the callback is
// given; NULL: it is not called.
void hoist_profiler_begin_step(hoist_profiler *profiler, size_t process, const hoist_work *work,
                               const hoist_opaque_work *opaque, const hoist_store *store,
                               hoist_profiled_step *out_step);
// The same for the steps of a group, with their operands' bytes whether they are stored or not.
void hoist_profiler_begin_group(hoist_profiler *profiler, size_t process, const hoist_work *work,
                                hoist_profiled_step *out_steps);
// A worker has done a piece of `count` steps that were begun together.
void hoist_profiler_work(hoist_profiler *profiler, const hoist_profiled_step *steps, uint32_t count,
                         const hoist_profiled_piece *piece);
// `count` steps that were begun together are done.
void hoist_profiler_end_step(hoist_profiler *profiler, const hoist_profiled_step *steps,
                             uint32_t count, double now);

// An entry of `size` bytes was pushed (popped) from `began` on, within `seconds`.
void hoist_profiler_host(hoist_profiler *profiler, bool is_push, size_t size, double began,
                         double seconds);

// Row `index` (below row_count) as of `now`.
hoist_profile_row hoist_profiler_row(const hoist_profiler *profiler, size_t index, double now);

#endif // HOIST_SRC_RUNTIME_PROFILE_H
