#include "bench/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEFAULT_ROUNDS = 7 };

static double seconds_of(clockid_t clock)
{
    struct timespec now = {0};
    (void)clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double time_one(hoist_bench_fn *run, void *self, clockid_t clock)
{
    const double start = seconds_of(clock);
    run(self);
    return seconds_of(clock) - start;
}

static size_t rounds_of(size_t rounds)
{
    return rounds ? rounds : DEFAULT_ROUNDS;
}

double hoist_bench_seconds(hoist_bench_fn *run, void *self, size_t rounds)
{
    double least = INFINITY;
    for (size_t i = 0; i < rounds_of(rounds); i++) {
        least = fmin(least, time_one(run, self, CLOCK_PROCESS_CPUTIME_ID));
    }
    return least;
}

bool hoist_bench_compare(const hoist_bench_pair *pair)
{
    const clockid_t clock = pair->wall ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
    double ours = INFINITY;
    double theirs = INFINITY;
    for (size_t i = 0; i < rounds_of(pair->rounds); i++) {
        ours = fmin(ours, time_one(pair->ours, pair->self, clock));
        theirs = fmin(theirs, time_one(pair->theirs, pair->self, clock));
    }
    const double ratio = ours > 0 ? theirs / ours : 0;
    (void)printf("%s: %.2fx", pair->what, ratio);
    if (pair->want > 0) {
        (void)printf(" (want >= %g)", pair->want);
    }
    (void)printf("; %.1f ms against %.1f ms\n", ours * 1e3, theirs * 1e3);
    (void)fflush(stdout);
    return ratio >= pair->want;
}

bool hoist_bench_at_most(const char *what, double value, const char *unit, double most)
{
    (void)printf("%s: %.3g %s (want <= %g)\n", what, value, unit, most);
    (void)fflush(stdout);
    return value <= most;
}

void hoist_bench_figure(const char *what, double value, const char *unit)
{
    (void)printf("%s: %.3g %s\n", what, value, unit);
    (void)fflush(stdout);
}

// A line of /proc/self/status such as "VmHWM:   1234 kB", in bytes.
static size_t read_status(const char *name)
{
    FILE *file = fopen("/proc/self/status", "r");
    if (!file) {
        return 0;
    }
    char line[256];
    size_t bytes = 0;
    while (bytes == 0 && fgets(line, sizeof(line), file)) {
        if (strncmp(line, name, strlen(name)) == 0) {
            bytes = (size_t)strtoull(line + strlen(name), NULL, 10) * 1024;
        }
    }
    (void)fclose(file);
    return bytes;
}

size_t hoist_bench_peak(void)
{
    return read_status("VmHWM:");
}

size_t hoist_bench_resident(void)
{
    return read_status("VmRSS:");
}

bool hoist_bench_reset_peak(void)
{
    FILE *file = fopen("/proc/self/clear_refs", "w");
    if (!file) {
        return false;
    }
    const bool written = fputs("5\n", file) >= 0; // proc(5): resets the peak resident set size
    return fclose(file) == 0 && written;
}

void hoist_bench_use(const void *result)
{
    static const void *volatile sink;
    sink = result;
    (void)sink;
}
