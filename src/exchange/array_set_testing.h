// exchange/array_set_testing.h - for tests: reading a file of several arrays, also without memory
// or time.
#ifndef HOIST_SRC_EXCHANGE_ARRAY_SET_TESTING_H
#define HOIST_SRC_EXCHANGE_ARRAY_SET_TESTING_H

#include "exchange/array_set.h"
#include "testing/test.h"

static inline hoist_status read_set(hoist_test *t, hoist_bytes file, hoist_array_set **out_set)
{
    return hoist_array_set_read(hoist_test_exact(t, file), NULL, hoist_allocator_system(), t->diag,
                                out_set);
}

typedef struct file_of_test {
    hoist_bytes bytes;
    hoist_deadline *deadline;
} file_of_test;

static inline hoist_status read_alone(hoist_allocator alloc, const void *self)
{
    const file_of_test *const file = self;
    hoist_array_set *set = NULL;
    const hoist_status status =
        hoist_array_set_read(file->bytes, file->deadline, alloc, NULL, &set);
    hoist_array_set_destroy(set);
    return status;
}

// Each request for memory is refused once, and the deadline is over.
static inline void expect_memory_and_time(hoist_test *t, hoist_bytes bytes)
{
    file_of_test file = {.bytes = bytes};
    hoist_deadline *deadline = NULL;
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), -1, &deadline), HOIST_OK);
    hoist_deadline_cancel(deadline);
    hoist_test_starve(t, read_alone, &file);
    file.deadline = deadline;
    HOIST_EXPECT_EQ(t, read_alone(hoist_allocator_system(), &file), HOIST_CANCELLED);
    hoist_deadline_destroy(deadline);
}

#endif // HOIST_SRC_EXCHANGE_ARRAY_SET_TESTING_H
