// Works of data steps: used again with what they have allocated, and freed once.
#include "base/alloc.h"
#include "runtime/open_steps.h"
#include "testing/test.h"

HOIST_TEST(the_last_one_is_used_again)
{
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_open_steps steps = {NULL};
    hoist_open_step *const a = hoist_open_steps_take(&steps, alloc);
    hoist_open_step *const b = hoist_open_steps_take(&steps, alloc);
    HOIST_EXPECT(t, a && b && a != b);
    if (a && b) {
        HOIST_EXPECT(t, a->work.members == NULL && a->work.kind == HOIST_WORK_NONE);
        HOIST_EXPECT(t, hoist_grow(alloc, (void **)&a->work.members, &a->work.member_capacity, 3,
                                   sizeof *a->work.members));
        HOIST_EXPECT(t, hoist_grow(alloc, (void **)&a->work.steps, &a->work.step_capacity, 2,
                                   sizeof *a->work.steps));
        hoist_collective_member *const members = a->work.members;
        hoist_open_steps_give(&steps, b);
        hoist_open_steps_give(&steps, a);
        HOIST_EXPECT(t, hoist_open_steps_take(&steps, alloc) == a);
        HOIST_EXPECT(t, a->work.members == members && a->next == NULL);
        HOIST_EXPECT(t, hoist_open_steps_take(&steps, alloc) == b);
        HOIST_EXPECT(t, steps.free == NULL);
    }
    hoist_open_steps_give(&steps, a);
    hoist_open_steps_give(&steps, NULL);
    hoist_open_steps_give(&steps, b);
    hoist_open_steps_deinit(&steps, alloc); // a sanitizer knows what is left
    HOIST_EXPECT(t, steps.free == NULL);
}

static hoist_status take_two(hoist_allocator alloc, const void *self)
{
    hoist_open_steps steps = {NULL};
    hoist_open_step *const a = hoist_open_steps_take(&steps, alloc);
    hoist_open_step *const b = hoist_open_steps_take(&steps, alloc);
    const bool both = a && b;
    (void)self;
    hoist_open_steps_give(&steps, a);
    hoist_open_steps_give(&steps, b);
    hoist_open_steps_deinit(&steps, alloc);
    return both ? HOIST_OK : HOIST_NO_MEMORY;
}

HOIST_TEST(no_memory)
{
    hoist_test_starve(t, take_two, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(the_last_one_is_used_again), HOIST_TEST_ROW(no_memory))
