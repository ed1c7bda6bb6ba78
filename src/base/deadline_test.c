#include <math.h>
#include <pthread.h>
#include <time.h>

#include "base/alloc.h"
#include "base/progress.h"
#include "base/tree.h"
#include "testing/test.h"

static hoist_deadline *create(hoist_test *t, double seconds)
{
    hoist_deadline *deadline = NULL;
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), seconds, &deadline),
                    HOIST_OK);
    return deadline;
}

HOIST_TEST(no_deadline_is_never_over)
{
    HOIST_EXPECT_EQ(t, hoist_deadline_look(NULL), HOIST_OK);
    HOIST_EXPECT(t, isinf(hoist_deadline_left(NULL)));
    hoist_deadline_destroy(NULL);
}

HOIST_TEST(a_time_that_has_passed_is_over_for_ever)
{
    hoist_deadline *const deadline = create(t, 0);
    HOIST_EXPECT_EQ(t, hoist_deadline_look(deadline), HOIST_LIMIT);
    HOIST_EXPECT(t, hoist_deadline_left(deadline) == 0);
    hoist_deadline_cancel(deadline);
    HOIST_EXPECT_EQ(t, hoist_deadline_look(deadline), HOIST_LIMIT);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(what_is_cancelled_is_over_for_ever)
{
    hoist_deadline *const deadline = create(t, -1);
    HOIST_EXPECT_EQ(t, hoist_deadline_look(deadline), HOIST_OK);
    HOIST_EXPECT(t, isinf(hoist_deadline_left(deadline)));
    hoist_deadline_cancel(deadline);
    hoist_deadline_cancel(deadline);
    HOIST_EXPECT_EQ(t, hoist_deadline_look(deadline), HOIST_CANCELLED);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(time_that_is_left_goes_down_from_what_was_given)
{
    hoist_deadline *const deadline = create(t, 3600);
    HOIST_EXPECT_EQ(t, hoist_deadline_look(deadline), HOIST_OK);
    const double left = hoist_deadline_left(deadline);
    HOIST_EXPECT(t, left > 0 && left < 3601);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(what_is_no_number_is_no_time)
{
    hoist_deadline *deadline = create(t, 1);
    hoist_deadline *const kept = deadline;
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), (double)NAN, &deadline),
                    HOIST_INVALID);
    HOIST_EXPECT(t, deadline == NULL);
    hoist_deadline_destroy(kept);
}

// Reports that came.
typedef struct reports {
    int count;
    hoist_progress last;
    hoist_deadline *cancelled; // by the first report
    hoist_deadline *looked_at; // again, by a report
} reports;

static void look(hoist_deadline *deadline)
{
    const hoist_status status = hoist_deadline_look(deadline);
    (void)status; // what it reports counts
}

static void note(void *self, const hoist_progress *progress)
{
    reports *const r = self;
    r->count++;
    r->last = *progress;
    if (r->cancelled) {
        hoist_deadline_cancel(r->cancelled);
    }
    if (r->looked_at) {
        look(r->looked_at);
    }
}

// Looks until there is a report; false: there is none for a second.
static bool look_for_report(hoist_deadline *deadline, reports *r)
{
    const int before = r->count;
    const struct timespec nap = {.tv_nsec = 5000000};
    for (int i = 0; i < 200 && r->count == before; i++) {
        look(deadline);
        (void)nanosleep(&nap, NULL);
    }
    return r->count > before;
}

static bool is_report(const reports *r, hoist_stage stage, uint64_t done, uint64_t total)
{
    return r->last.stage == stage && r->last.done == done && r->last.total == total;
}

HOIST_TEST(stages_of_nothing_and_of_nobody_count_nothing)
{
    hoist_deadline *const deadline = create(t, -1);
    HOIST_EXPECT(t, !hoist_stage_begin(NULL, HOIST_STAGE_OPENING, 1));
    HOIST_EXPECT(t, !hoist_stage_begin(deadline, HOIST_STAGE_OPENING, 1));
    hoist_stage_add(NULL, HOIST_STAGE_OPENING, 1);
    hoist_stage_expect(NULL, HOIST_STAGE_OPENING, 1);
    hoist_stage_turn(NULL, HOIST_STAGE_OPENING, HOIST_STAGE_INFLATING, 1);
    hoist_stage_end(NULL, false);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(a_stage_is_reported_with_its_counts_until_it_ends)
{
    hoist_deadline *const deadline = create(t, -1);
    reports r = {0};
    hoist_deadline_watch(deadline, note, &r);
    look(deadline);
    HOIST_EXPECT_EQ(t, r.count, 0); // there is none yet
    const bool is_own = hoist_stage_begin(deadline, HOIST_STAGE_OPENING, 0);
    hoist_stage_add(deadline, HOIST_STAGE_OPENING, 3);
    HOIST_EXPECT(t, is_own && look_for_report(deadline, &r));
    HOIST_EXPECT(t, is_report(&r, HOIST_STAGE_OPENING, 3, 0));
    HOIST_EXPECT_STR(t, hoist_str_from(r.last.name), "opening");
    HOIST_EXPECT_STR(t, hoist_str_from(r.last.unit), "bytes");
    hoist_stage_turn(deadline, HOIST_STAGE_OPENING, HOIST_STAGE_INFLATING, 100);
    hoist_stage_add(deadline, HOIST_STAGE_INFLATING, 40);
    HOIST_EXPECT(t, look_for_report(deadline, &r));
    HOIST_EXPECT(t, is_report(&r, HOIST_STAGE_INFLATING, 40, 100));
    hoist_stage_expect(deadline, HOIST_STAGE_INFLATING, 20);
    hoist_stage_set(deadline, 120);
    HOIST_EXPECT(t, look_for_report(deadline, &r));
    HOIST_EXPECT(t, is_report(&r, HOIST_STAGE_INFLATING, 120, 120));
    hoist_stage_end(deadline, is_own);
    HOIST_EXPECT(t, look_for_report(deadline, &r));
    HOIST_EXPECT(t, is_report(&r, HOIST_STAGE_NONE, 0, 0));
    HOIST_EXPECT_STR(t, hoist_str_from(r.last.name), "");
    HOIST_EXPECT(t, !look_for_report(deadline, &r)); // once
    hoist_deadline_destroy(deadline);
}

static void *add_elsewhere(void *deadline)
{
    hoist_stage_add(deadline, HOIST_STAGE_SCANNING, 7);
    return NULL;
}

HOIST_TEST(counts_of_another_stage_or_thread_are_not_those_of_this_one)
{
    hoist_deadline *const deadline = create(t, -1);
    reports r = {0};
    pthread_t other;
    hoist_deadline_watch(deadline, note, &r);
    const bool is_own = hoist_stage_begin(deadline, HOIST_STAGE_SCANNING, 9);
    HOIST_EXPECT(t, !hoist_stage_begin(deadline, HOIST_STAGE_OPENING, 5));
    hoist_stage_add(deadline, HOIST_STAGE_OPENING, 5);
    hoist_stage_expect(deadline, HOIST_STAGE_OPENING, 5);
    hoist_stage_turn(deadline, HOIST_STAGE_OPENING, HOIST_STAGE_INFLATING, 5);
    hoist_stage_end(deadline, false);
    if (pthread_create(&other, NULL, add_elsewhere, deadline) == 0) {
        (void)pthread_join(other, NULL);
    }
    HOIST_EXPECT(t, look_for_report(deadline, &r));
    HOIST_EXPECT(t, is_report(&r, HOIST_STAGE_SCANNING, 0, 9));
    hoist_stage_end(deadline, is_own);
    HOIST_EXPECT(t, hoist_stage_begin(deadline, HOIST_STAGE_OPENING, 0));
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(a_total_that_was_passed_is_not_known)
{
    hoist_deadline *const deadline = create(t, -1);
    reports r = {0};
    hoist_deadline_watch(deadline, note, &r);
    (void)hoist_stage_begin(deadline, HOIST_STAGE_PACKING, 4);
    hoist_stage_add(deadline, HOIST_STAGE_PACKING, 5);
    HOIST_EXPECT(t, look_for_report(deadline, &r));
    HOIST_EXPECT(t, is_report(&r, HOIST_STAGE_PACKING, 5, 0));
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(reports_are_some_milliseconds_apart)
{
    hoist_deadline *const deadline = create(t, 0.2);
    reports r = {0};
    hoist_deadline_watch(deadline, note, &r);
    (void)hoist_stage_begin(deadline, HOIST_STAGE_RUNNING, 0);
    while (hoist_deadline_look(deadline) == HOIST_OK) {
    }
    HOIST_EXPECT(t, r.count >= 1 && r.count <= 5);
    hoist_deadline_destroy(deadline);
}

HOIST_TEST(a_report_may_cancel_and_look)
{
    hoist_deadline *const deadline = create(t, -1);
    reports r = {.cancelled = deadline, .looked_at = deadline};
    hoist_deadline_watch(deadline, note, &r);
    (void)hoist_stage_begin(deadline, HOIST_STAGE_RUNNING, 0);
    HOIST_EXPECT_EQ(t, hoist_deadline_look(deadline), HOIST_CANCELLED);
    HOIST_EXPECT_EQ(t, r.count, 1);
    hoist_deadline_destroy(deadline);
}

// Two threads begin stages over and over, two look: what is reported is one of them.
enum { ROUNDS = 20000 };

typedef struct sharing {
    hoist_deadline *deadline;
    int wrong; // of the thread that reports
} sharing;

static void check_shared(void *self, const hoist_progress *progress)
{
    sharing *const s = self;
    const bool fits = progress->stage == HOIST_STAGE_PACKING    ? progress->total == 1000
                      : progress->stage == HOIST_STAGE_SCANNING ? progress->total == 2000
                                                                : progress->total == 0;
    s->wrong += !fits || progress->done > progress->total;
}

static void *begin_stages(void *self)
{
    sharing *const s = self;
    for (int i = 0; i < ROUNDS; i++) {
        const hoist_stage stage = i % 2 ? HOIST_STAGE_PACKING : HOIST_STAGE_SCANNING;
        const uint64_t total = i % 2 ? 1000 : 2000;
        const bool is_own = hoist_stage_begin(s->deadline, stage, total);
        if (is_own) {
            hoist_stage_add(s->deadline, stage, total);
        }
        look(s->deadline);
        hoist_stage_end(s->deadline, is_own);
    }
    return NULL;
}

HOIST_TEST(threads_share_a_deadline_that_is_watched)
{
    sharing s = {.deadline = create(t, -1)};
    pthread_t threads[3];
    size_t count = 0;
    hoist_deadline_watch(s.deadline, check_shared, &s);
    while (count < 3 && pthread_create(&threads[count], NULL, begin_stages, &s) == 0) {
        count++;
    }
    while (count > 0) {
        (void)pthread_join(threads[--count], NULL);
    }
    HOIST_EXPECT_EQ(t, s.wrong, 0);
    hoist_deadline_destroy(s.deadline);
}

static hoist_status create_and_destroy(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_deadline *deadline = NULL;
    const hoist_status status = hoist_deadline_create(alloc, 1, &deadline);
    hoist_deadline_destroy(deadline);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, create_and_destroy, NULL);
}

static hoist_status count_event(void *self, const hoist_tree_event *event)
{
    (void)event;
    (*(int *)self)++;
    return HOIST_OK;
}

HOIST_TEST(a_sink_takes_no_events_after_its_deadline)
{
    int events = 0;
    hoist_tree_sink sink = {.self = &events, .event = count_event, .deadline = create(t, -1)};
    hoist_tree_map(&sink, "a");
    hoist_deadline_cancel(sink.deadline);
    hoist_tree_map(&sink, "b");
    hoist_tree_end(&sink);
    HOIST_EXPECT_EQ(t, events, 1);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_CANCELLED);
    hoist_deadline_destroy(sink.deadline);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(no_deadline_is_never_over),
                HOIST_TEST_ROW(a_time_that_has_passed_is_over_for_ever),
                HOIST_TEST_ROW(what_is_cancelled_is_over_for_ever),
                HOIST_TEST_ROW(time_that_is_left_goes_down_from_what_was_given),
                HOIST_TEST_ROW(what_is_no_number_is_no_time), HOIST_TEST_ROW(memory_may_run_out),
                HOIST_TEST_ROW(a_sink_takes_no_events_after_its_deadline),
                HOIST_TEST_ROW(stages_of_nothing_and_of_nobody_count_nothing),
                HOIST_TEST_ROW(a_stage_is_reported_with_its_counts_until_it_ends),
                HOIST_TEST_ROW(counts_of_another_stage_or_thread_are_not_those_of_this_one),
                HOIST_TEST_ROW(a_total_that_was_passed_is_not_known),
                HOIST_TEST_ROW(reports_are_some_milliseconds_apart),
                HOIST_TEST_ROW(a_report_may_cancel_and_look),
                HOIST_TEST_ROW(threads_share_a_deadline_that_is_watched))
