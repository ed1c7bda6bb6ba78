// runtime/timeline.h - what was done when: events of hoist_session_timeline_at(), kept by the
// profiler under the session's lock. Memory comes in blocks as events do; an event that has none is
// counted and lost, and the run goes on.
#ifndef HOIST_SRC_RUNTIME_TIMELINE_H
#define HOIST_SRC_RUNTIME_TIMELINE_H

#include "base/alloc.h"
#include "base/span.h"

// An event as hoist_timeline_event has it; times are those of hoist_now(). Small: writing it is
// most of what a timeline costs.
typedef struct hoist_timed {
    uint32_t row;
    uint32_t owner;
    double begin;
    double end;
    uint32_t steps;
    bool nested;
    const hoist_str *label; // borrowed from the program; NULL: none
    const hoist_loc *loc;   // the same
    uint64_t bytes_read;
    uint64_t bytes_written;
    uint64_t flops;
} hoist_timed;

typedef struct hoist_timeline_worker {
    double since; // to when its time is known, while something runs
    bool waits;   // idle since then, else in control
} hoist_timeline_worker;

typedef struct hoist_timeline_setup {
    uint64_t most;       // events
    size_t control;      // row
    size_t idle;         // row
    size_t first_worker; // row
    uint32_t workers;    // 1 or more
    bool waits;          // workers wait until they are seen to do something
    double origin;       // when it begins
} hoist_timeline_setup;

typedef struct hoist_timeline {
    hoist_timeline_setup setup;
    hoist_allocator alloc;
    hoist_timeline_worker *workers; // owned
    hoist_timed **blocks;           // owned: of equal size, the last one partly filled
    size_t block_count;
    size_t block_capacity;
    uint64_t count; // events that are kept
    uint64_t lost;  // events over the most, or without memory
    bool running;   // inside a run
} hoist_timeline;

// HOIST_OK or HOIST_NO_MEMORY; valid for hoist_timeline_deinit() either way.
HOIST_NODISCARD hoist_status hoist_timeline_init(hoist_timeline *timeline, hoist_allocator alloc,
                                                 const hoist_timeline_setup *setup);
void hoist_timeline_deinit(hoist_timeline *timeline);

// A run begins, or ends: then the time of every worker is known up to now.
void hoist_timeline_begin_run(hoist_timeline *timeline, double now);
void hoist_timeline_end_run(hoist_timeline *timeline, double now);
void hoist_timeline_begin_wait(hoist_timeline *timeline, size_t worker, double now);
void hoist_timeline_end_wait(hoist_timeline *timeline, size_t worker, double now);

// An event of any owner but a worker, or inside an event of one.
void hoist_timeline_add(hoist_timeline *timeline, const hoist_timed *timed);
// An event of a worker: since its last one it was in control. What lies before that, because
// another caller was the worker meanwhile, is cut off, in `*timed`, too. False: nothing is left, or
// nothing runs any more.
bool hoist_timeline_work(hoist_timeline *timeline, size_t worker, hoist_timed *timed);

// Event `index`, below count.
const hoist_timed *hoist_timeline_event_at(const hoist_timeline *timeline, uint64_t index);

#endif // HOIST_SRC_RUNTIME_TIMELINE_H
