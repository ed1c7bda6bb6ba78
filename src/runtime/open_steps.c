// The works of data steps, kept for the next step of any process. Input: the processes that
// steps.c begins and ends; output: memory that is zeros, or that work.c has made ready before.
#include "runtime/open_steps.h"

#include "base/alloc.h"

hoist_open_step *hoist_open_steps_take(hoist_open_steps *steps, hoist_allocator alloc)
{
    // The list is a stack: the one used last is the likeliest to be in the caches.
    hoist_open_step *const kept = steps->free;
    if (!kept) {
        return hoist_alloc_zero(alloc, 1, sizeof *kept);
    }
    steps->free = kept->next;
    kept->next = NULL;
    return kept;
}

void hoist_open_steps_give(hoist_open_steps *steps, hoist_open_step *step)
{
    if (step) {
        step->next = steps->free;
        steps->free = step;
    }
}

void hoist_open_steps_deinit(hoist_open_steps *steps, hoist_allocator alloc)
{
    while (steps->free) {
        hoist_open_step *const step = steps->free;
        steps->free = step->next;
        hoist_work_deinit(&step->work, alloc);
        hoist_free(alloc, step, sizeof *step);
    }
}
