// bench/bench.h - measures two ways of doing the same thing, side by side in one process.
//
// Both run alternately, so that a slow phase of the machine hits both; what is compared is the
// least of the CPU times, or of the wall times where threads share the work: what disturbs only
// adds to them. One line per figure goes to standard output:
//
//     json tape vs jansson: 6.3x (want >= 5); 212.4 ms against 1338.1 ms
#ifndef HOIST_BENCH_BENCH_H
#define HOIST_BENCH_BENCH_H

#include <stdbool.h>
#include <stddef.h>

typedef void hoist_bench_fn(void *self);

typedef struct hoist_bench_pair {
    const char *what; // "json tape vs jansson"
    hoist_bench_fn *ours;
    hoist_bench_fn *theirs;
    void *self;    // passed to both
    double want;   // least ratio theirs / ours; 0: none
    size_t rounds; // of each; 0: 7
    bool wall;     // compare wall times
} hoist_bench_pair;

// Runs and prints one comparison. True when the wanted ratio was reached.
bool hoist_bench_compare(const hoist_bench_pair *pair);

// Prints a figure that must not exceed `most`, for instance "json tape: 2.31 bytes of memory per
// byte of text (want <= 2.5)". True when it does not.
bool hoist_bench_at_most(const char *what, double value, const char *unit, double most);

// Prints a figure that nothing is wanted of.
void hoist_bench_figure(const char *what, double value, const char *unit);

// Least CPU seconds of `rounds` runs (0: 7); prints nothing.
double hoist_bench_seconds(hoist_bench_fn *run, void *self, size_t rounds);

// Peak resident memory of this process so far, in bytes; 0 when unknown. The kernel's own
// counter: hoist_bench_reset_peak() sets it back to what is resident now, where that is allowed.
size_t hoist_bench_peak(void);
size_t hoist_bench_resident(void);
bool hoist_bench_reset_peak(void);

// Keeps the compiler from dropping a result.
void hoist_bench_use(const void *result);

#endif // HOIST_BENCH_BENCH_H
