// For tests: the verdict on one entry, with default options.
#include "machine/order_testing.h"

#include "base/alloc.h"

hoist_verdict order_verdict(hoist_test *t, const hoist_program *program, hoist_ref entry)
{
    const hoist_order_options options = {.alloc = hoist_allocator_system()};
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    HOIST_EXPECT_EQ(t, hoist_program_check_order(program, entry, &options, t->diag, &verdict),
                    HOIST_OK);
    return verdict;
}
