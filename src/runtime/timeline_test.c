// Timelines: the time of workers without gaps, for notes by hand and for sessions of any number of
// workers; limits and memory.
#include <math.h>
#include <stdio.h>

#include "runtime/runtime_testing.h"
#include "runtime/timeline.h"

// Notes by hand -------------------------------------------------------------------------------

enum { CONTROL = 1, IDLE = 2, STEP = 3, WORKER = 10 }; // rows

// What happens to one worker: a letter and the second of its end; work begins a second before.
//   r a run begins   e it ends   w a wait begins   g it goes on   s a step
// The events: row letter (c control, i idle, s step) and its two seconds.
// clang-format off
static const struct {
    const char *name;
    const char *notes;
    const char *events;
    bool waits; // at first
} scripts[] = {
    {"nothing",                       "",             "",               true},
    {"a run without a step",          "r2 e5",        "c25",            false},
    {"a worker that never woke",      "r2 e5",        "i25",            true},
    {"a step",                        "r2 s5 e7",     "c24 s45 c57",    false},
    {"steps one after the other",     "r2 s3 s4 e4",  "s23 s34",        false},
    {"a wait",                        "r1 s2 w3 g6 e7", "s12 c23 i36 c67", false},
    {"a wait to the end",             "r1 w3 e5",     "c13 i35",        false},
    {"a wait from before",            "r1 g3 s4 e4",  "i13 s34",        true},
    {"a wait between two runs",       "r1 e2 w3 g4 r5 e6", "c12 c56",   false},
    {"a wait into a run",             "w1 r2 g4 e5",  "i24 c45",        false},
    {"a step that ends too late",     "r1 e3 s5",     "c13",            false},
    {"a step from before the run",    "r2 s2 e3",     "c23",            false},
    {"what overlaps is cut",          "r1 s4 S4 e5",  "c13 s34 c45",    false},
    {"what overlaps partly is cut",   "r1 s4 S5 e5",  "c13 s34 s45",    false},
};
// clang-format on

static void note(hoist_timeline *timeline, char what, double now)
{
    // S: two seconds long.
    hoist_timed step = {
        .row = STEP, .owner = WORKER, .begin = now - (what == 'S' ? 2 : 1), .end = now};
    switch (what) {
    case 'r':
        hoist_timeline_begin_run(timeline, now);
        break;
    case 'e':
        hoist_timeline_end_run(timeline, now);
        break;
    case 'w':
        hoist_timeline_begin_wait(timeline, 0, now);
        break;
    case 'g':
        hoist_timeline_end_wait(timeline, 0, now);
        break;
    default:
        (void)hoist_timeline_work(timeline, 0, &step);
        break;
    }
}

static hoist_timeline_setup setup_of(uint64_t most, bool waits)
{
    return (hoist_timeline_setup){.most = most,
                                  .control = CONTROL,
                                  .idle = IDLE,
                                  .first_worker = WORKER,
                                  .workers = 1,
                                  .waits = waits};
}

HOIST_TEST_TABLE(workers_have_no_gaps, scripts)
{
    hoist_timeline timeline;
    const hoist_timeline_setup setup = setup_of(100, row->waits);
    HOIST_EXPECT_EQ(t, hoist_timeline_init(&timeline, hoist_allocator_system(), &setup), HOIST_OK);
    for (const char *at = row->notes; *at; at += at[2] ? 3 : 2) {
        note(&timeline, at[0], at[1] - '0');
    }
    char text[128] = "";
    size_t used = 0;
    for (uint64_t i = 0; i < timeline.count; i++) {
        const hoist_timed *event = hoist_timeline_event_at(&timeline, i);
        HOIST_EXPECT_EQ(t, event->owner, WORKER);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%c%g%g", i ? " " : "",
                                 " cis"[event->row], event -> begin, event -> end);
    }
    HOIST_EXPECT_STR(t, hoist_str_from(text), row->events);
    HOIST_EXPECT_EQ(t, timeline.lost, 0);
    hoist_timeline_deinit(&timeline);
}

HOIST_TEST(events_beyond_the_limit_are_lost)
{
    hoist_timeline timeline;
    const hoist_timeline_setup setup = setup_of(5000, false);
    HOIST_EXPECT_EQ(t, hoist_timeline_init(&timeline, hoist_allocator_system(), &setup), HOIST_OK);
    for (unsigned i = 0; i < 5003; i++) {
        hoist_timeline_add(&timeline, &(hoist_timed){.row = STEP, .flops = i});
    }
    HOIST_EXPECT_EQ(t, timeline.count, 5000);
    HOIST_EXPECT_EQ(t, timeline.lost, 3);
    HOIST_EXPECT_EQ(t, hoist_timeline_event_at(&timeline, 4095)->flops, 4095);
    HOIST_EXPECT_EQ(t, hoist_timeline_event_at(&timeline, 4999)->flops, 4999);
    hoist_timeline_deinit(&timeline);
}

// Every event is kept or lost, whichever request fails.
static hoist_status add_some(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_timeline timeline;
    const hoist_timeline_setup setup = setup_of(9000, false);
    hoist_status status = hoist_timeline_init(&timeline, alloc, &setup);
    for (unsigned i = 0; status == HOIST_OK && i < 5000; i++) {
        hoist_timeline_add(&timeline, &(hoist_timed){.row = STEP});
    }
    if (status == HOIST_OK && timeline.lost) {
        status = timeline.count + timeline.lost == 5000 ? HOIST_NO_MEMORY : HOIST_INTERNAL;
    }
    hoist_timeline_deinit(&timeline);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, add_some, NULL);
}

// Sessions ------------------------------------------------------------------------------------

static const runtime_mode modes[] = RUNTIME_MODES;

static hoist_timeline_event event_at(hoist_session *session, uint64_t index)
{
    hoist_timeline_event event = {.struct_size = sizeof event};
    (void)hoist_session_timeline_at(session, index, &event);
    return event;
}

static hoist_profile_row row_at(hoist_session *session, size_t index)
{
    hoist_profile_row row = {.struct_size = sizeof row};
    (void)hoist_session_profile_at(session, index, &row);
    return row;
}

// Data of two threads that wait for each other, long enough to be cut into units.
static const char two_threads[] =
    "program p\nspace m\n"
    "buffer x in m size 1048576 lifetime session output contents zero\n"
    "buffer y in m size 1048576 lifetime session output contents zero\n"
    "semaphore s\n"
    "thread a {\nloop 5\n"
    "first: move copy from [x f32[131072]] to y f32[131072]\n"
    "signal s add 1\nend\n}\n"
    "thread b {\nwait s >= 5\n"
    "compute ieee.add from [y f32[131072], y f32[131072]] to [x f32[131072]]\n"
    "compute ieee.multiply from [x f32[131072], x f32[131072]] to [y f32[131072]]\n}\n"
    "entry e {\nstart a\nstart b\n}\n";

static hoist_session *open_timed(hoist_test *t, const hoist_program *program,
                                 const runtime_mode *mode, int runs)
{
    hoist_session *session = runtime_open(t, program, mode);
    HOIST_EXPECT_EQ(t, hoist_session_timeline_begin(session, 0), HOIST_OK);
    for (int i = 0; i < runs; i++) {
        HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    }
    hoist_session_profile_end(session);
    return session;
}

static void close_both(hoist_session *session, hoist_program *program)
{
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// Seconds of the events of an owner but the nested ones; expects that they are apart, in the order
// of their ends, and nested ones inside.
static double seconds_of(hoist_test *t, hoist_session *session, size_t owner)
{
    double sum = 0;
    double last = 0;  // end of the event before
    double inner = 0; // end of what is nested in it
    for (uint64_t i = 0; i < hoist_session_timeline_count(session, NULL); i++) {
        const hoist_timeline_event event = event_at(session, i);
        if (event.owner != owner) {
            continue;
        }
        HOIST_EXPECT(t, event.seconds >= 0 && event.steps >= 1);
        HOIST_EXPECT(t, event.begin >= (event.nested ? inner : last) - 1e-9);
        inner = event.nested ? event.begin + event.seconds : event.begin;
        HOIST_EXPECT(t, !event.nested || inner <= last + 1e-9);
        last = event.nested ? last : event.begin + event.seconds;
        sum += event.nested ? 0 : event.seconds;
    }
    return sum;
}

HOIST_TEST_TABLE(events_add_up_to_rows, modes)
{
    hoist_program *program = runtime_program(t, two_threads);
    hoist_session *session = open_timed(t, program, row, 3);
    hoist_session_counts counts = {.struct_size = sizeof counts};
    hoist_session_count(session, &counts);
    uint64_t lost = 1;
    HOIST_EXPECT(t, hoist_session_timeline_count(session, &lost) > 0);
    HOIST_EXPECT_EQ(t, lost, 0);
    for (size_t i = 0; i < hoist_session_profile_count(session); i++) {
        const hoist_profile_row sum = row_at(session, i);
        const double seconds = seconds_of(t, session, i);
        if (sum.kind == HOIST_PROFILED_WORKER || sum.kind == HOIST_PROFILED_RUNS) {
            HOIST_EXPECT(t, fabs(seconds - counts.seconds) < 1e-6);
        } else if (sum.kind == HOIST_PROFILED_THREAD) {
            HOIST_EXPECT(t, fabs(seconds - sum.seconds) < 1e-6);
        }
    }
    close_both(session, program);
}

HOIST_TEST(events_name_their_steps)
{
    hoist_program *program = runtime_program(t, two_threads);
    hoist_session *session = open_timed(t, program, &modes[0], 1);
    uint64_t copies = 0;
    uint64_t runs = 0;
    for (uint64_t i = 0; i < hoist_session_timeline_count(session, NULL); i++) {
        const hoist_timeline_event event = event_at(session, i);
        const hoist_profile_row kind = row_at(session, event.row);
        const bool copy = row_at(session, event.owner).kind == HOIST_PROFILED_THREAD &&
                          hoist_str_equal_c(kind.name, "move copy");
        copies += copy;
        runs += kind.kind == HOIST_PROFILED_RUNS;
        if (copy) {
            HOIST_EXPECT_STR(t, event.label, "first");
            HOIST_EXPECT_EQ(t, event.bytes_read, 524288);
            HOIST_EXPECT_EQ(t, event.bytes_written, 524288);
            HOIST_EXPECT_EQ(t, event.loc.source, 0);
        }
    }
    HOIST_EXPECT_EQ(t, copies, 5);
    HOIST_EXPECT_EQ(t, runs, 1);
    close_both(session, program);
}

HOIST_TEST(a_profile_alone_has_no_events)
{
    hoist_program *program = runtime_program(t, two_threads);
    hoist_session *session = open_timed(t, program, &modes[1], 1);
    HOIST_EXPECT(t, hoist_session_timeline_count(session, NULL) > 0);
    HOIST_EXPECT_EQ(t, hoist_session_profile_begin(session), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    hoist_timeline_event event = {.struct_size = sizeof event, .flops = 9};
    HOIST_EXPECT_EQ(t, hoist_session_timeline_count(session, NULL), 0);
    HOIST_EXPECT(t, !hoist_session_timeline_at(session, 0, &event));
    HOIST_EXPECT_EQ(t, event.flops, 0);
    close_both(session, program);
}

HOIST_TEST(a_timeline_may_be_short)
{
    hoist_program *program = runtime_program(t, two_threads);
    hoist_session *session = runtime_open(t, program, &modes[0]);
    HOIST_EXPECT_EQ(t, hoist_session_timeline_begin(session, 2), HOIST_OK);
    HOIST_EXPECT_EQ(t, runtime_run(session, "e"), HOIST_OK);
    uint64_t lost = 0;
    HOIST_EXPECT_EQ(t, hoist_session_timeline_count(session, &lost), 2);
    HOIST_EXPECT(t, lost > 0);
    close_both(session, program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(workers_have_no_gaps),
                HOIST_TEST_ROW(events_beyond_the_limit_are_lost),
                HOIST_TEST_ROW(memory_may_run_out), HOIST_TEST_ROW(events_add_up_to_rows),
                HOIST_TEST_ROW(events_name_their_steps),
                HOIST_TEST_ROW(a_profile_alone_has_no_events),
                HOIST_TEST_ROW(a_timeline_may_be_short))
