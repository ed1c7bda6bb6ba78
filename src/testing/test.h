// testing/test.h - the test harness: tables of rows over cmocka, and the things every test needs.
//
// An expectation that fails prints file, line and the row's name, and the test goes on to the next
// one; the test function fails at its end. A program of tests is
//
//     HOIST_TEST(map_keeps_first) { ... HOIST_EXPECT_EQ(t, status, HOIST_BUSY); }
//     HOIST_TEST_TABLE(spans, cases) { HOIST_EXPECT(t, row->size == ...); }   // cases[].name
//     HOIST_TEST_MAIN(HOIST_TEST_ROW(map_keeps_first), HOIST_TEST_ROW(spans))
#ifndef HOIST_SRC_TESTING_TEST_H
#define HOIST_SRC_TESTING_TEST_H

// clang-format off
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "base/arena.h"
#include "base/diag.h"
#include "base/span.h"

typedef struct hoist_test_block hoist_test_block;

typedef struct hoist_test {
    hoist_arena arena; // scratch, freed after the test
    hoist_diag *diag;  // fresh for each test and each row
    const char *row;   // name of the table row; NULL outside tables
    size_t failures;
    hoist_test_block *blocks; // owned, of hoist_test_exact
} hoist_test;

void hoist_test_begin(hoist_test *t);
void hoist_test_end(hoist_test *t); // fails the cmocka test when an expectation failed
void hoist_test_row(hoist_test *t, const char *name);
void hoist_test_fail(hoist_test *t, const char *file, int line, const char *format, ...)
    HOIST_PRINTF(4, 5);
// Ends the whole test as skipped, saying why.
void hoist_test_skip(hoist_test *t, const char *why);
// What the test program returns: 77, which ctest shows as skipped, when all its tests were skipped.
int hoist_test_exit_status(int failed, size_t count);

void hoist_test_expect_int(hoist_test *t, const char *file, int line, const char *what, int64_t got,
                           int64_t expected);
void hoist_test_expect_str(hoist_test *t, const char *file, int line, hoist_str got,
                           hoist_str expected);
// `rule` NULL: no finding at all; else a finding with that id (a trailing letter may be left out).
void hoist_test_expect_rule(hoist_test *t, const char *file, int line, const char *rule);

#define HOIST_EXPECT(t, condition)                                                                 \
    ((condition) ? (void)0 : hoist_test_fail((t), __FILE__, __LINE__, "%s", #condition))
#define HOIST_EXPECT_EQ(t, got, expected)                                                          \
    hoist_test_expect_int((t), __FILE__, __LINE__, #got, (int64_t)(got), (int64_t)(expected))
#define HOIST_EXPECT_STR(t, got, expected)                                                         \
    hoist_test_expect_str((t), __FILE__, __LINE__, (got), hoist_str_from(expected))
#define HOIST_EXPECT_RULE(t, rule) hoist_test_expect_rule((t), __FILE__, __LINE__, (rule))

#define HOIST_TEST(test_name)                                                                      \
    static void test_name##_body(hoist_test *t);                                                   \
    static void test_name(void **cmocka_state)                                                     \
    {                                                                                              \
        (void)cmocka_state;                                                                        \
        hoist_test test;                                                                           \
        hoist_test_begin(&test);                                                                   \
        test_name##_body(&test);                                                                   \
        hoist_test_end(&test);                                                                     \
    }                                                                                              \
    static void test_name##_body(hoist_test *t)

// Runs the body once per row of the array `cases`, whose items have a `const char *name`.
#define HOIST_TEST_TABLE(test_name, cases)                                                         \
    static void test_name##_row(hoist_test *t, const __typeof__((cases)[0]) *row);                 \
    HOIST_TEST(test_name)                                                                          \
    {                                                                                              \
        for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {                                       \
            hoist_test_row(t, (cases)[i].name);                                                    \
            test_name##_row(t, &(cases)[i]);                                                       \
        }                                                                                          \
    }                                                                                              \
    static void test_name##_row(hoist_test *t, const __typeof__((cases)[0]) *row)

#define HOIST_TEST_ROW(test_name) cmocka_unit_test(test_name)
#define HOIST_TEST_MAIN(...)                                                                       \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        const int failed = cmocka_run_group_tests(tests, NULL, NULL);                              \
        return hoist_test_exit_status(failed, HOIST_COUNT_OF(tests));                              \
    }

// A heap copy of exactly `bytes.size` bytes, so that a sanitizer sees a one-byte overread. Freed
// with the test.
hoist_bytes hoist_test_exact(hoist_test *t, hoist_bytes bytes);
// The whole file in the test's arena, or data NULL when it cannot be read.
hoist_bytes hoist_test_file(hoist_test *t, const char *path);
// Path of a file of the corpus (../shared/corpus or $HOIST_CORPUS), or NULL when it is absent.
const char *hoist_test_corpus(hoist_test *t, const char *relative);
// Calls `visit` for each file of a folder whose name ends so, as a row by that name; how many.
// Fails the test where there is no folder; NULL is none.
typedef void hoist_test_visit(hoist_test *t, const char *path, void *self);
size_t hoist_test_each_file(hoist_test *t, const char *folder, const char *ending,
                            hoist_test_visit *visit, void *self);
// The findings of t->diag as the command prints them, one per line; for golden comparisons.
hoist_str hoist_test_findings(hoist_test *t);

// Fails the n-th request (1-based) and, unless `once`, all later ones; n 0 never fails and only
// counts. Giving a part of a block back is no request: who cannot may keep it without harm.
typedef struct hoist_failing {
    hoist_allocator parent;
    size_t fail_at;
    bool once;
    size_t requests;
    size_t live; // bytes not yet freed
} hoist_failing;
hoist_allocator hoist_failing_allocator(hoist_failing *failing, size_t fail_at);

// A deadline in `seconds` (hoist_deadline_create), which hoist_deadline_destroy() frees.
hoist_deadline *hoist_test_deadline(hoist_test *t, double seconds);

// Calls `run` with its n-th request for memory refused, alone and with all later ones, for every n
// until it asks no more: it must return HOIST_NO_MEMORY and have freed what it took. Under
// AddressSanitizer so are pieces of arenas, each for itself, where there are many a share of them.
typedef hoist_status hoist_test_run(hoist_allocator alloc, const void *self);
void hoist_test_starve(hoist_test *t, hoist_test_run *run, const void *self);

// How many of `full` rounds a randomised test runs in this build, at least one. Slow ones (cross
// builds under an emulator) are configured to run a share.
#define HOIST_TEST_ROUNDS(full) (((full) + HOIST_TEST_SHARE - 1) / HOIST_TEST_SHARE)

// A small, seeded, portable generator (SplitMix64) for tests: the same numbers everywhere.
uint64_t hoist_test_random(uint64_t *state);

#endif // HOIST_SRC_TESTING_TEST_H
