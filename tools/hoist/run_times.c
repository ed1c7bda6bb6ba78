// hoist run and bench: least, median, 90th and 95th percentile (at most a tenth, or a twentieth, of
// the samples is greater), greatest and mean of the times of many iterations.
#include <stdlib.h>

#include "run.h"

// Comparison instead of subtraction: differences of times are far below 1.
static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

// At least one sample. The median of an even count is the mean of the two in the middle; for an
// odd one both indices are the same.
run_times run_times_of(double *samples, size_t count)
{
    run_times t = {0};
    qsort(samples, count, sizeof(samples[0]), by_size);
    for (size_t i = 0; i < count; i++) {
        t.total += samples[i];
    }
    t.least = samples[0];
    t.median = (samples[(count - 1) / 2] + samples[count / 2]) / 2;
    t.p90 = samples[count - 1 - count / 10]; // at most a tenth is beyond it
    t.p95 = samples[count - 1 - count / 20];
    t.greatest = samples[count - 1];
    t.mean = t.total / (double)count;
    return t;
}
