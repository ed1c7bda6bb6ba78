// Entries one after the other: hoist_program_check_sequence() gives each what
// hoist_program_check_order() gives it after those before it, with its reason where it is unknown.
#include <string.h>

#include "base/alloc.h"
#include "machine/order_testing.h"
#include "program/text.h"

#define MOVE(to, from) "move copy from [" from " f32[4]] to " to " f32[4]\n"
#define COMMON                                                                                     \
    "program p\nspace m\nbuffer x in m size 64 lifetime session\n"                                 \
    "buffer y in m size 64 lifetime session contents zero\n"                                       \
    "buffer z in m size 64 lifetime run\n"                                                         \
    "buffer r in m size 64 lifetime session contents zero\n"                                       \
    "buffer h in m size 64 lifetime session\n"                                                     \
    "fifo q queue of f32[4] slots 2 in [r] slot_bytes 16\n"                                        \
    "fifo host queue of f32[4] slots 2 in [h] slot_bytes 16 host_push\n"                           \
    "unit u depth 1\nsemaphore s\nsemaphore one initial 1\n"                                       \
    "function read_x {\n" MOVE("y", "x") "}\n"

// Two threads of an entry, and entries by the names of what they start.
#define THREAD(name, steps) "thread " name " {\nregister n\n" steps "}\n"
#define ENTRY(name, starts) "entry " name " {\n" starts "}\n"

static const char text[] = COMMON                                           //
    THREAD("writes", MOVE("x", "y"))                                        //
    THREAD("reads", MOVE("y", "x"))                                         //
    THREAD("run_reads", MOVE("y", "z"))                                     //
    THREAD("run_writes", MOVE("z", "y"))                                    //
    THREAD("pushes", "reserve q\n" MOVE("x", "y") "push q by 1\n")          //
    THREAD("pops", "await q\nadvance q by 1\npop q by 1\n")                 //
    THREAD("locks", "wait one >= 1 then subtract 1\nsignal one add 1\n")    //
    THREAD("unlocks", "wait one >= 1 then subtract 1\nsignal one add 1\n")  //
    THREAD("stops", "wait s > n\n")                                         //
    THREAD("faults", "signal s sub n\n")                                    //
    THREAD("takes", "await host\nadvance host by 1\npop host by 1\n")       //
    THREAD("posts", "post u read_x\n" MOVE("y", "y"))                       //
    ENTRY("write", "start writes\n")                                        // 0
    ENTRY("read", "start reads\n")                                          // 1
    ENTRY("both", "start writes\nstart reads\n")                            // 2
    ENTRY("run_write", "start run_writes\n")                                // 3
    ENTRY("run_read", "start run_reads\n")                                  // 4
    ENTRY("push", "start pushes\n")                                         // 5
    ENTRY("pop", "start pops\n")                                            // 6
    ENTRY("lock", "start locks\nstart unlocks\n")                           // 7
    ENTRY("stop", "start stops\nparameter $n thread stops register n\n")    // 8
    ENTRY("fault", "start faults\nparameter $n thread faults register n\n") // 9
    ENTRY("take", "start takes\n")                                          // 10
    ENTRY("post", "start posts\n");                                         // 11

#define C HOIST_VERDICT_CLEAN
#define B HOIST_VERDICT_BAD
#define U HOIST_VERDICT_UNKNOWN

enum { MOST = 4 };

static const struct {
    const char *name;
    uint32_t count;
    hoist_ref entries[MOST];
    hoist_verdict verdicts[MOST];
    const char *rule; // NULL: no finding
    size_t errors;
    bool fills_once;
} cases[] = {
    {"nothing", 0, {0}, {0}, NULL, 0, false},
    {"what one writes the next reads", 2, {0, 1}, {C, C}, NULL, 0, false},
    {"the other way round", 2, {1, 0}, {B, C}, "PRG-104", 1, false},
    {"after a read of what nothing wrote", 3, {1, 1, 0}, {B, C, C}, "PRG-104", 1, false},
    {"a race is told of its entry", 3, {0, 2, 1}, {C, B, C}, "PRG-101", 1, false},
    {"a race twice", 2, {2, 2}, {B, B}, "PRG-101", 2, false},
    {"memory of a run is not kept", 2, {3, 4}, {C, B}, "PRG-104", 1, false},
    {"entries of fifos are", 2, {5, 6}, {C, C}, NULL, 0, false},
    {"no more than were pushed", 3, {5, 6, 6}, {C, C, B}, "PRG-102", 1, false},
    {"a slot is free again", 4, {5, 5, 6, 5}, {C, C, C, C}, NULL, 0, false},
    {"a lock leaves its entry unknown", 3, {0, 7, 1}, {C, U, C}, NULL, 0, false},
    {"after a deadlock", 3, {0, 8, 1}, {C, B, B}, "PRG-102", 2, false},
    {"after a fault", 2, {9, 0}, {B, B}, "PRG-103", 2, false},
    {"the host goes on", 4, {10, 10, 10, 10}, {C, C, C, C}, NULL, 0, false},
    {"the host fills once", 3, {10, 10, 10}, {C, C, B}, "PRG-102", 1, true},
    {"a unit begins anew", 3, {0, 11, 11}, {C, B, B}, "PRG-101", 2, false},
};

static hoist_program *read_program(hoist_test *t)
{
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse((hoist_bytes){(const uint8_t *)text, strlen(text)},
                                        hoist_allocator_system(), t->diag, &program),
                    HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    return program;
}

HOIST_TEST_TABLE(sequences, cases)
{
    hoist_program *program = read_program(t);
    hoist_order_result results[MOST] = {{0}};
    const hoist_order_options options = {.alloc = hoist_allocator_system(),
                                         .before = row->entries,
                                         .before_count = row->count,
                                         .host_fills_once = row->fills_once};
    HOIST_EXPECT_EQ(t, hoist_program_check_sequence(program, &options, t->diag, results), HOIST_OK);
    for (uint32_t i = 0; i < row->count; i++) {
        HOIST_EXPECT_EQ(t, results[i].verdict, row->verdicts[i]);
        HOIST_EXPECT_EQ(t, results[i].why != NULL, row->verdicts[i] == U);
    }
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), row->errors);
    hoist_program_destroy(program);
}

// The same by an entry at a time, with those before it.
HOIST_TEST_TABLE(each_alone_is_the_same, cases)
{
    hoist_program *program = read_program(t);
    for (uint32_t i = 0; i < row->count; i++) {
        const char *why = NULL;
        const hoist_order_options options = {.alloc = hoist_allocator_system(),
                                             .before = row->entries,
                                             .before_count = i,
                                             .out_why = &why,
                                             .host_fills_once = row->fills_once};
        hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
        HOIST_EXPECT_EQ(
            t, hoist_program_check_order(program, row->entries[i], &options, NULL, &verdict),
            HOIST_OK);
        HOIST_EXPECT_EQ(t, verdict, row->verdicts[i]);
        HOIST_EXPECT_EQ(t, why != NULL, row->verdicts[i] == U);
    }
    hoist_program_destroy(program);
}

// Parameters belong to their entry: with 0 nothing is taken, and nothing awaited.
HOIST_TEST(parameters_of_each)
{
    hoist_program *program = read_program(t);
    const hoist_ref entries[] = {9, 8, 9};
    const int64_t numbers[] = {0, -1, 2};
    const int64_t *const parameters[] = {&numbers[0], &numbers[1], &numbers[2]};
    hoist_order_result results[3];
    const hoist_order_options options = {.alloc = hoist_allocator_system(),
                                         .before = entries,
                                         .before_count = 3,
                                         .before_parameters = parameters};
    HOIST_EXPECT_EQ(t, hoist_program_check_sequence(program, &options, t->diag, results), HOIST_OK);
    HOIST_EXPECT_EQ(t, results[0].verdict, C);
    HOIST_EXPECT_EQ(t, results[1].verdict, C);
    HOIST_EXPECT_EQ(t, results[2].verdict, B);
    HOIST_EXPECT_RULE(t, "PRG-103");
    hoist_program_destroy(program);
}

// Each limit, and the reason that it gives.
HOIST_TEST(reasons_of_unknown)
{
    hoist_program *program = read_program(t);
    const char *why = NULL;
    hoist_order_options options = {
        .alloc = hoist_allocator_system(), .max_steps = 1, .out_why = &why};
    hoist_verdict verdict = HOIST_VERDICT_CLEAN;
    HOIST_EXPECT_EQ(t, hoist_program_check_order(program, 5, &options, t->diag, &verdict),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, verdict, U);
    HOIST_EXPECT_STR(t, hoist_str_from(why), "a run is longer than what was looked at");
    options.max_steps = 0;
    HOIST_EXPECT_EQ(t, hoist_program_check_order(program, 7, &options, t->diag, &verdict),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, verdict, U);
    HOIST_EXPECT_STR(t, hoist_str_from(why),
                     "what waits for what depends on the run, and only some were tried");
    why = NULL;
    HOIST_EXPECT_EQ(t, hoist_program_check_order(program, 0, &options, t->diag, &verdict),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, verdict, C);
    HOIST_EXPECT(t, why == NULL);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_program_destroy(program);
}

static hoist_status check_with(hoist_allocator alloc, const void *self)
{
    static const hoist_ref entries[] = {0, 5, 6, 1};
    hoist_order_result results[HOIST_COUNT_OF(entries)];
    const hoist_order_options options = {
        .alloc = alloc, .before = entries, .before_count = HOIST_COUNT_OF(entries)};
    return hoist_program_check_sequence(self, &options, NULL, results);
}

// Entry 8 never ends, so each entry after it is checked by a machine of its own.
static hoist_status check_after_deadlock(hoist_allocator alloc, const void *self)
{
    static const hoist_ref entries[] = {8, 0, 1};
    hoist_order_result results[HOIST_COUNT_OF(entries)];
    const hoist_order_options options = {
        .alloc = alloc, .before = entries, .before_count = HOIST_COUNT_OF(entries)};
    return hoist_program_check_sequence(self, &options, NULL, results);
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_program *program = read_program(t);
    hoist_test_starve(t, check_with, program);
    hoist_program_destroy(program);
}

// Without memory for what comes after the first half of the requests no verdict is given.
HOIST_TEST(no_memory_after_a_deadlock)
{
    hoist_program *program = read_program(t);
    hoist_failing failing = {.parent = hoist_allocator_system()};
    HOIST_EXPECT_EQ(t, check_after_deadlock(hoist_failing_allocator(&failing, 0), program),
                    HOIST_OK);
    const size_t half = failing.requests / 2;
    HOIST_EXPECT(t, half > 10);
    for (size_t n = 1; n <= half; n++) {
        failing = (hoist_failing){.parent = hoist_allocator_system()};
        HOIST_EXPECT_EQ(t, check_after_deadlock(hoist_failing_allocator(&failing, n), program),
                        HOIST_NO_MEMORY);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(sequences), HOIST_TEST_ROW(each_alone_is_the_same),
                HOIST_TEST_ROW(parameters_of_each), HOIST_TEST_ROW(reasons_of_unknown),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory),
                HOIST_TEST_ROW(no_memory_after_a_deadlock))
