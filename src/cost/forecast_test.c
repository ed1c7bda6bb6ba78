// Estimated runs of small programs, with times worked out by hand: what overlaps, what waits, what
// the second run saves, and that no step begins before what it waits for.
#include "base/alloc.h"
#include "base/span.h"
#include "cost/forecast.h"
#include "program/program_testing.h"
#include "testing/program_generator.h"

#define ROWS                                                                                       \
    "program p\nspace m\nbuffer x in m size 65536 lifetime session contents zero\n"                \
    "buffer y in m size 65536 lifetime session contents zero\n"                                    \
    "unit u depth 4\nunit v depth 4\nsemaphore s\nsemaphore w\n"                                   \
    "function eight {\n    move copy from [x f32[1]] to y f32[1]\n}\n"                             \
    "function more {\n    big: move copy from [x f32[4]] to y f32[4]\n}\n"

// A byte takes a second.
static const hoist_cost_model bytes = {
    .device = {"cpu", 3}, .level = "baseline", .cores = 1, .operations = 1, .memory = 1};
// Each unit by itself: 27.2 GB/s, half of the bytes.
static const hoist_cost_model queues = {.device = {"trn1", 4}};

static hoist_status make(const hoist_program *program, const hoist_cost_model *model,
                         hoist_diag *diag, hoist_forecast *out)
{
    static const hoist_ref entry = 0;
    static const int64_t *const none[] = {NULL};
    const hoist_forecast_options options = {.alloc = hoist_allocator_system(),
                                            .model = model,
                                            .max_steps = 10000,
                                            .entries = &entry,
                                            .parameters = none,
                                            .entry_count = 1};
    return hoist_forecast_make(program, &options, diag, out);
}

// clang-format off
static const struct {
    const char *name;
    const char *threads;
    double first; // seconds of `bytes`
    double total;
    double bound; // seconds of `queues` x 27.2e9
    size_t rows;
    const char *last; // name of the row that comes last
} runs[] = {
    {"one step after the other", "thread a {\n one: move copy from [x f32[1]] to y f32[1]\n two: move copy from [x f32[2]] to y f32[2]\n}\n",
     24, 24, 12, 2, "two"},
    {"steps of one name are one row", "thread a {\n loop 3\n one: move copy from [x f32[1]] to y f32[1]\n end\n}\n", 24, 24, 12, 1, "one"},
    {"units have one CPU together, queues of their own", "thread a {\n first: post u eight then [s add 1]\n other: post v more then [s add 1]\n wait s >= 2\n}\n",
     40, 40, 16, 2, "big"},
    {"calls of a unit follow each other", "thread a {\n p: post u eight\n q: post u eight\n drain u\n}\n", 16, 16, 8, 2, "q"},
    {"a wait", "thread a {\n p: post u more then [s add 1]\n wait s >= 1\n end: move copy from [x f32[1]] to y f32[1]\n}\n", 40, 40, 20, 2, "end"},
    {"what stays is done once", "thread a {\n register is lifetime session\n register n\n alu n = lt is 1\n loop n\n fill: move copy from [x f32[4]] to y f32[4]\n alu is = set 1\n end\n"
     " use: move copy from [x f32[1]] to y f32[1]\n}\n", 40, 8, 4, 1, "use"},
    {"what runs once", "thread a {\n register runs lifetime session\n branch runs == 0 to 2\n wait w >= 1\n one: move copy from [x f32[1]] to y f32[1]\n"
     " alu runs = add runs 1\n}\n", 8, 8, 4, 1, "one"},
    {"a label of a function", "thread a {\n call more\n}\n", 32, 32, 16, 1, "big"},
    {"the function without one", "thread a {\n call eight\n}\n", 8, 8, 4, 1, "eight"},
    {"the thread without both", "thread a {\n move copy from [x f32[1]] to y f32[1]\n}\n", 8, 8, 4, 1, "a"},
    {"nothing", "thread a {\n}\n", 0, 0, 0, 0, NULL},
};
// clang-format on

static bool is_near(double got, double expected)
{
    return got >= expected * (1 - 1e-9) - 1e-30 && got <= expected * (1 + 1e-9) + 1e-30;
}

static hoist_program *program_of(hoist_test *t, const char *threads)
{
    return hoist_test_program(
        t, hoist_arena_format(&t->arena, "%s%sentry run {\n start a\n}\n", ROWS, threads),
        HOIST_OK);
}

HOIST_TEST_TABLE(times_of_runs, runs)
{
    hoist_program *program = program_of(t, row->threads);
    hoist_forecast line = {.count = 0};
    HOIST_EXPECT_EQ(t, make(program, &bytes, t->diag, &line), HOIST_OK);
    HOIST_EXPECT_EQ(t, line.outcome, HOIST_OUTCOME_DONE);
    HOIST_EXPECT_EQ(t, line.lead, HOIST_CASE_TYPICAL);
    for (int i = 0; i < HOIST_CASE_COUNT; i++) {
        HOIST_EXPECT(t, is_near(line.first[i], row->first));
        HOIST_EXPECT(t, is_near(line.total[i], row->total));
    }
    HOIST_EXPECT_EQ(t, line.count, row->rows);
    if (row->last && line.count) {
        HOIST_EXPECT_STR(t, line.rows[line.count - 1].name, row->last);
        HOIST_EXPECT(t, is_near(line.rows[line.count - 1].end, row->total));
    }
    hoist_forecast_deinit(&line);
    HOIST_EXPECT_EQ(t, make(program, &queues, t->diag, &line), HOIST_OK);
    HOIST_EXPECT_EQ(t, line.lead, HOIST_CASE_LOW);
    HOIST_EXPECT(t, line.is_bound && is_near(line.total[HOIST_CASE_LOW], row->bound / 27.2e9));
    HOIST_EXPECT(t, line.total[HOIST_CASE_TYPICAL] == 0);
    hoist_forecast_deinit(&line);
    hoist_program_destroy(program);
}

// Rows have what their steps have, and know how long they waited.
HOIST_TEST(rows_add_up)
{
    hoist_program *program = program_of(t, runs[2].threads);
    hoist_forecast line = {.count = 0};
    HOIST_EXPECT_EQ(t, make(program, &bytes, t->diag, &line), HOIST_OK);
    HOIST_EXPECT_EQ(t, line.process_count, 3);
    if (line.count == 2) {
        HOIST_EXPECT_STR(t, line.rows[0].name, "first");
        HOIST_EXPECT_STR(t, line.rows[0].function, "eight");
        HOIST_EXPECT_STR(t, line.processes[line.rows[0].process].name, "u");
        HOIST_EXPECT_EQ(t, line.rows[0].bytes, 8);
        HOIST_EXPECT_EQ(t, line.rows[0].waited, 0);
        HOIST_EXPECT_EQ(t, line.rows[1].begin, 8);
        HOIST_EXPECT_EQ(t, line.rows[1].waited, 8);
        HOIST_EXPECT_EQ(t, line.rows[1].steps, 1);
        HOIST_EXPECT_EQ(t, hoist_time_row_bound(&line.rows[1], HOIST_CASE_LOW), HOIST_BOUND_MEMORY);
        HOIST_EXPECT_EQ(t, hoist_time_row_seconds(&line.rows[1], HOIST_CASE_LOW), 32);
        HOIST_EXPECT_EQ(t, line.processes[1].bytes, 8);
        HOIST_EXPECT_EQ(t, line.processes[2].seconds[HOIST_CASE_HIGH], 32);
    }
    hoist_forecast_deinit(&line);
    hoist_program_destroy(program);
}

// Streamed parameters hide computing, or computing them, in the low case only.
HOIST_TEST(streams_overlap_at_best)
{
    static const struct {
        uint64_t bytes, cycles;
    } cases[] = {{50000000, 1000000}, {500000, 50000000}, {500000, 500000}};
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        hoist_program *program =
            program_of(t, "thread a {\n s: move copy from [x f32[1]] to y f32[1]\n"
                          " c: move copy from [x f32[1]] to y f32[1]\n}\n");
        const hoist_prog_work works[] = {
            {.device = {"edgetpu", 7}, .bytes = cases[i].bytes, .streamed = true},
            {.device = {"edgetpu", 7}, .cycles = cases[i].cycles}};
        const hoist_cost_model usb = {.link = "usb3"};
        hoist_prog_step *const steps = (hoist_prog_step *)(uintptr_t)program->threads[0].code.steps;
        hoist_forecast line = {.count = 0};
        program->works = works;
        program->work_count = 2;
        steps[0].work = 1;
        steps[1].work = 2;
        HOIST_EXPECT_EQ(t, make(program, &usb, t->diag, &line), HOIST_OK);
        const double moves = (double)cases[i].bytes / 500e6;
        const double computes = (double)cases[i].cycles / 500e6;
        HOIST_EXPECT(t, line.overlaps);
        HOIST_EXPECT(t, is_near(line.total[HOIST_CASE_LOW], moves > computes ? moves : computes));
        HOIST_EXPECT(t, is_near(line.total[HOIST_CASE_TYPICAL],
                                (double)cases[i].bytes / 410e6 + (double)cases[i].cycles / 480e6));
        hoist_forecast_deinit(&line);
        hoist_program_destroy(program);
    }
}

HOIST_TEST(runs_that_do_not_end)
{
    hoist_program *stuck = program_of(t, "thread a {\n wait s >= 1\n}\n");
    hoist_program *endless = program_of(t, "thread a {\n loop 100000\n signal s add 1\n end\n}\n");
    hoist_forecast line = {.count = 0};
    HOIST_EXPECT_EQ(t, make(stuck, &bytes, t->diag, &line), HOIST_OK);
    HOIST_EXPECT_EQ(t, line.outcome, HOIST_OUTCOME_DEADLOCK);
    HOIST_EXPECT_RULE(t, "PRG-102");
    hoist_forecast_deinit(&line);
    HOIST_EXPECT_EQ(t, make(endless, &bytes, t->diag, &line), HOIST_OK);
    HOIST_EXPECT_EQ(t, line.outcome, HOIST_OUTCOME_LIMIT);
    hoist_forecast_deinit(&line);
    hoist_program_destroy(stuck);
    hoist_program_destroy(endless);
}

// The host fills queues and empties them as the program needs it.
HOIST_TEST(the_host_helps)
{
    const char *const text =
        "program p\nspace m\nbuffer r in m size 32\nbuffer o in m size 32\n"
        "fifo q queue of f32[4] slots 2 in [r] slot_bytes 16 host_push\n"
        "fifo p queue of f32[4] slots 2 in [o] slot_bytes 16 host_pop\n"
        "thread a {\n loop 5\n await q\n reserve p\n move copy from [read(q) f32[4]] to write(p) "
        "f32[4]\n"
        " push p by 1\n advance q by 1\n pop q by 1\n end\n}\nentry run {\n start a\n}\n";
    hoist_program *program = hoist_test_program(t, hoist_str_from(text), HOIST_OK);
    hoist_forecast line = {.count = 0};
    if (program) {
        HOIST_EXPECT_EQ(t, make(program, &bytes, t->diag, &line), HOIST_OK);
        HOIST_EXPECT_EQ(t, line.outcome, HOIST_OUTCOME_DONE);
        HOIST_EXPECT(t, is_near(line.total[HOIST_CASE_TYPICAL], 5 * 32));
        hoist_forecast_deinit(&line);
    }
    hoist_program_destroy(program);
}

// A device with memory of its own reads a slot once while it stays the same one, and all that is
// written. Slots of 16 bytes: 5 of a queue, one of a ram, 15 of
// results.
HOIST_TEST(slots_that_stay)
{
    const char *const text =
        "program p\nspace m\nbuffer r in m size 64\nbuffer o in m size 64\nbuffer w in m size 16\n"
        "fifo q queue of f32[4] slots 4 in [r] slot_bytes 16 host_push\n"
        "fifo p queue of f32[4] slots 4 in [o] slot_bytes 16 host_pop\n"
        "fifo k ram of f32[4] slots 1 in [w] slot_bytes 16 host_push\n"
        "thread a {\n loop 5\n await q\n loop 3\n reserve p\n"
        " sum: move add from [read(q) f32[4], read(k) f32[4]] to write(p) f32[4]\n"
        " push p by 1\n end\n advance q by 1\n pop q by 1\n end\n}\nentry run {\n start a\n}\n";
    const hoist_cost_model chip = {.device = {"wormhole_b0", 11}};
    hoist_program *program = hoist_test_program(t, hoist_str_from(text), HOIST_OK);
    hoist_forecast line = {.count = 0};
    if (program) {
        HOIST_EXPECT_EQ(t, make(program, &chip, t->diag, &line), HOIST_OK);
        HOIST_EXPECT(t, is_near(line.total[HOIST_CASE_LOW], (5 + 1 + 15) * 16 / 288e9));
        hoist_forecast_deinit(&line);
    }
    hoist_program_destroy(program);
}

// Of random programs: each row lies within the run, a process has its rows in order, and the best
// case is no longer than the worst.
HOIST_TEST(random_programs)
{
    const size_t rounds = HOIST_TEST_ROUNDS(100);
    const hoist_cost_model cpu = {.device = {"cpu", 3}, .level = "baseline", .cores = 1};
    for (size_t i = 0; i < rounds; i++) {
        const hoist_program_options options = {.seed = i};
        hoist_generated made;
        hoist_forecast line = {.count = 0};
        HOIST_EXPECT_EQ(t, hoist_program_generate(hoist_allocator_system(), &options, &made),
                        HOIST_OK);
        HOIST_EXPECT_EQ(t, make(made.program, &cpu, t->diag, &line), HOIST_OK);
        HOIST_EXPECT_EQ(t, line.outcome, HOIST_OUTCOME_DONE);
        HOIST_EXPECT(t, line.total[HOIST_CASE_LOW] <= line.total[HOIST_CASE_TYPICAL] &&
                            line.total[HOIST_CASE_TYPICAL] <= line.total[HOIST_CASE_HIGH]);
        for (size_t k = 0; k < line.count; k++) {
            const hoist_time_row *const a = &line.rows[k];
            HOIST_EXPECT(t, a->begin >= 0 && a->begin <= a->end &&
                                a->end <= line.total[HOIST_CASE_TYPICAL]);
            for (size_t j = k + 1; j < line.count; j++) {
                HOIST_EXPECT(t, a->process != line.rows[j].process || a->end <= line.rows[j].begin);
            }
        }
        hoist_forecast_deinit(&line);
        hoist_program_destroy(made.program);
    }
}

static hoist_status make_once(hoist_allocator alloc, const void *self)
{
    static const hoist_ref entry = 0;
    static const int64_t *const none[] = {NULL};
    const hoist_forecast_options options = {
        .alloc = alloc, .model = &bytes, .entries = &entry, .parameters = none, .entry_count = 1};
    hoist_forecast line;
    const hoist_status status = hoist_forecast_make(self, &options, NULL, &line);
    hoist_forecast_deinit(&line);
    return status;
}

HOIST_TEST(every_failing_allocation_is_no_memory)
{
    hoist_program *program = program_of(t, runs[2].threads);
    hoist_test_starve(t, make_once, program);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(times_of_runs), HOIST_TEST_ROW(rows_add_up),
                HOIST_TEST_ROW(streams_overlap_at_best), HOIST_TEST_ROW(runs_that_do_not_end),
                HOIST_TEST_ROW(the_host_helps), HOIST_TEST_ROW(slots_that_stay),
                HOIST_TEST_ROW(random_programs),
                HOIST_TEST_ROW(every_failing_allocation_is_no_memory))
