// The parts of `hoist bench`: measuring, and the report.
#ifndef HOIST_TOOLS_BENCH_H
#define HOIST_TOOLS_BENCH_H

#include "run.h"

// A row of the profile, over all iterations that were profiled.
typedef struct bench_row {
    hoist_profile_row sum;
    double *samples; // arena: of data steps, seconds in each iteration; NULL: of no such
    run_times times; // of `samples`
} bench_row;

typedef struct bench {
    run *r; // borrowed
    // Of each iteration that is timed, seconds; arena.
    double *wall;
    double *cpu;
    double *copy;    // memcpy of as many bytes, right after it
    size_t capacity; // of the three arrays
    size_t count;    // iterations timed so far
    // Of the iterations that were profiled.
    uint64_t profiled;
    bench_row *rows; // arena; those in which something was noted, and all workers
    size_t row_count;
    double run_seconds; // wall time of all
    uint64_t moved;     // bytes that moves and collectives write in an iteration
    uint64_t flops;     // operations of compute steps in an iteration
    // Memory for memcpy: nothing is copied when nothing is moved.
    uint8_t *from;    // owned
    uint8_t *to;      // owned
    size_t piece;     // bytes of each
    uint64_t repeats; // copies of all of it that are timed as one
} bench;

// Takes memory for samples: those of --iterations, or as many as are kept at most.
hoist_status bench_open(bench *b);
void bench_close(bench *b);

// Warms up, profiles some iterations, then times others without the profile, each before a memcpy.
hoist_status bench_iterate(bench *b);

// Whether one more iteration is timed after `count` in `elapsed` seconds, without --iterations,
// when and `left` seconds (infinity: any) were left for all of them.
bool bench_goes_on(size_t count, double elapsed, double left);

// Prints what was measured: text, or JSON with --json.
tool_exit bench_report(bench *b);

#endif // HOIST_TOOLS_BENCH_H
