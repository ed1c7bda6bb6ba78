// Steps of loops against plain nests of loops: one by one, by runs, and in the order of strides.
#include <stdlib.h>

#include "formats/darwinn/recover_steps.h"
#include "testing/test.h"

enum { LOOPS = 4, MOST_STEPS = 6 * 6 * 6 * 6 };

#define L(n, by)                                                                                   \
    {                                                                                              \
        .count = n, .stride = by                                                                   \
    }

// clang-format off
static const struct {
    const char *name;
    dwn_loop loops[LOOPS];
    uint32_t merged; // loops that are left
    uint32_t sorted; // and in the order of strides
    uint64_t run;    // words that are one after the other there
} nests[] = {
    {"nothing",         {L(1, 0), L(1, 0), L(1, 0), L(1, 0)}, 0, 0, 1},
    {"one after the other", {L(5, 1), L(3, 5), L(2, 15), L(1, 0)}, 1, 1, 30},
    {"rows with a gap", {L(4, 1), L(3, 6), L(2, 18), L(1, 0)}, 2, 2, 4},
    {"words outside",   {L(6, 4), L(4, 1), L(1, 0), L(1, 0)}, 2, 1, 24},
    {"three orders",    {L(3, 8), L(2, 24), L(4, 1), L(2, 4)}, 2, 1, 48},
    {"backwards",       {L(3, -1), L(2, -3), L(1, 0), L(1, 0)}, 1, 1, 1},
    {"again and again", {L(3, 0), L(4, 1), L(2, 0), L(1, 0)}, 3, 2, 1},
    {"no stride",       {L(2, 7), L(1, 3), L(3, 14), L(2, 1)}, 2, 2, 2},
};
// clang-format on

// Addresses of a nest in its own order. Returns their number.
static size_t list_plain(const dwn_loop *loops, int64_t *out)
{
    size_t count = 0;
    for (int64_t d = 0; d < loops[3].count; d++) {
        for (int64_t c = 0; c < loops[2].count; c++) {
            for (int64_t b = 0; b < loops[1].count; b++) {
                for (int64_t a = 0; a < loops[0].count; a++) {
                    out[count++] = 100 + a * loops[0].stride + b * loops[1].stride +
                                   c * loops[2].stride + d * loops[3].stride;
                }
            }
        }
    }
    return count;
}

static size_t list_runs(dwn_steps steps, int64_t *out)
{
    uint64_t run = 0;
    size_t count = 0;
    for (uint64_t i = 0; i < steps.count; i += run) {
        run = dwn_steps_run(&steps, 1);
        for (uint64_t k = 0; k < run; k++) {
            out[count++] = steps.at + (int64_t)k;
        }
        dwn_steps_skip(&steps, run);
    }
    return count;
}

static int by_address(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a;
    const int64_t y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

HOIST_TEST_TABLE(steps_are_those_of_loops, nests)
{
    int64_t plain[MOST_STEPS];
    int64_t runs[MOST_STEPS];
    const size_t count = list_plain(row->loops, plain);
    const dwn_steps steps = dwn_steps_of(100, row->loops, LOOPS);
    dwn_steps one = steps;
    HOIST_EXPECT_EQ(t, steps.count, count);
    HOIST_EXPECT_EQ(t, steps.loops, row->merged);
    HOIST_EXPECT_EQ(t, list_runs(steps, runs), count);
    for (size_t i = 0; i < count; i++, dwn_steps_next(&one)) {
        HOIST_EXPECT_EQ(t, dwn_steps_address(&steps, i), plain[i]);
        HOIST_EXPECT_EQ(t, one.at, plain[i]);
        HOIST_EXPECT_EQ(t, runs[i], plain[i]);
    }
    const dwn_steps sorted = dwn_steps_sorted(&steps);
    HOIST_EXPECT_EQ(t, sorted.count, count);
    HOIST_EXPECT_EQ(t, sorted.loops, row->sorted);
    HOIST_EXPECT_EQ(t, dwn_steps_run(&sorted, 1), row->run);
    HOIST_EXPECT_EQ(t, list_runs(sorted, runs), count);
    qsort(plain, count, sizeof(*plain), by_address);
    qsort(runs, count, sizeof(*runs), by_address);
    for (size_t i = 0; i < count; i++) {
        HOIST_EXPECT_EQ(t, runs[i], plain[i]);
    }
}

// clang-format off
static const struct {
    const char *name;
    int64_t base;
    dwn_loop loops[LOOPS];
    bool is_apart; // from 100 to 119
} spans[] = {
    {"before",        90,  {L(10, 1), L(1, 0), L(1, 0), L(1, 0)}, true},
    {"up to it",      90,  {L(11, 1), L(1, 0), L(1, 0), L(1, 0)}, false},
    {"after",         120, {L(5, 1), L(2, 9), L(1, 0), L(1, 0)}, true},
    {"from its end",  119, {L(5, 1), L(2, 9), L(1, 0), L(1, 0)}, false},
    {"around it",     90,  {L(2, 50), L(1, 0), L(1, 0), L(1, 0)}, false},
    {"inside",        105, {L(1, 0), L(1, 0), L(1, 0), L(1, 0)}, false},
    {"backwards",     90,  {L(3, -1), L(1, 0), L(1, 0), L(1, 0)}, false},
    {"very far",      200, {L(UINT32_MAX, 1), L(UINT32_MAX, 7), L(1, 0), L(1, 0)}, false},
};
// clang-format on

HOIST_TEST_TABLE(spans_are_apart, spans)
{
    const dwn_loop all[] = {L(20, 1)};
    const dwn_steps a = dwn_steps_of(100, all, 1);
    const dwn_steps b = dwn_steps_of(row->base, row->loops, LOOPS);
    HOIST_EXPECT_EQ(t, dwn_steps_are_apart(&a, &b), row->is_apart);
    HOIST_EXPECT_EQ(t, dwn_steps_are_apart(&b, &a), row->is_apart);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(steps_are_those_of_loops), HOIST_TEST_ROW(spans_are_apart))
