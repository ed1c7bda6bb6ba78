// What many iterations took, and how many are timed.
#include <math.h>
#include <string.h>

#include "bench.h"
#include "testing/test.h"

enum { MOST = 20 };

static const struct {
    const char *name;
    size_t count;
    double samples[MOST];
    run_times want;
} samples[] = {
    {"one",
     1,
     {3},
     {.least = 3, .median = 3, .p90 = 3, .p95 = 3, .greatest = 3, .mean = 3, .total = 3}},
    {"two",
     2,
     {4, 2},
     {.least = 2, .median = 3, .p90 = 4, .p95 = 4, .greatest = 4, .mean = 3, .total = 6}},
    {"three",
     3,
     {5, 1, 3},
     {.least = 1, .median = 3, .p90 = 5, .p95 = 5, .greatest = 5, .mean = 3, .total = 9}},
    {"equal ones",
     4,
     {2, 2, 2, 2},
     {.least = 2, .median = 2, .p90 = 2, .p95 = 2, .greatest = 2, .mean = 2, .total = 8}},
    {"nine have none beyond",
     9,
     {9, 8, 7, 6, 5, 4, 3, 2, 1},
     {.least = 1, .median = 5, .p90 = 9, .p95 = 9, .greatest = 9, .mean = 5, .total = 45}},
    {"ten have one beyond",
     10,
     {1, 2, 3, 4, 5, 6, 7, 8, 9, 100},
     {.least = 1,
      .median = 5.5,
      .p90 = 9,
      .p95 = 100,
      .greatest = 100,
      .mean = 14.5,
      .total = 145}},
    {"nineteen have none beyond",
     19,
     {19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
     {.least = 1, .median = 10, .p90 = 18, .p95 = 19, .greatest = 19, .mean = 10, .total = 190}},
    {"twenty have one beyond",
     20,
     {20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1},
     {.least = 1,
      .median = 10.5,
      .p90 = 18,
      .p95 = 19,
      .greatest = 20,
      .mean = 10.5,
      .total = 210}},
};

HOIST_TEST_TABLE(times_of_samples, samples)
{
    double own[MOST];
    memcpy(own, row->samples, sizeof(own));
    const run_times got = run_times_of(own, row->count);
    HOIST_EXPECT(t, got.least == row->want.least);
    HOIST_EXPECT(t, got.median == row->want.median);
    HOIST_EXPECT(t, got.p90 == row->want.p90);
    HOIST_EXPECT(t, got.p95 == row->want.p95);
    HOIST_EXPECT(t, got.greatest == row->want.greatest);
    HOIST_EXPECT(t, fabs(got.mean - row->want.mean) < 1e-12);
    HOIST_EXPECT(t, fabs(got.total - row->want.total) < 1e-12);
}

static const struct {
    const char *name;
    size_t count;
    double elapsed;
    double left; // seconds; infinity: no limit
    bool goes_on;
} times[] = {
    {"the first", 0, 0, INFINITY, true},
    {"five at least", 4, 1e6, INFINITY, true},
    {"five are enough", 5, 1e6, INFINITY, false},
    {"time is left", 5, 1.4, INFINITY, true},
    {"no time is left", 6, 1.6, INFINITY, false},
    {"as many as are kept", 10000, 0.1, INFINITY, false},
    {"one less", 9999, 0.1, INFINITY, true},
    {"half of what is left", 5, 0.4, 1, true},
    {"beyond half of it", 5, 0.6, 1, false},
    {"much is left", 5, 1.4, 100, true},
    {"no time at all", 4, 0, 0, true},
    {"no time at all, five", 5, 0, 0, false},
};

HOIST_TEST_TABLE(how_many_are_timed, times)
{
    HOIST_EXPECT_EQ(t, bench_goes_on(row->count, row->elapsed, row->left), row->goes_on);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(times_of_samples), HOIST_TEST_ROW(how_many_are_timed))
