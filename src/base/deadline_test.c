#include <math.h>

#include "base/alloc.h"
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
                HOIST_TEST_ROW(a_sink_takes_no_events_after_its_deadline))
