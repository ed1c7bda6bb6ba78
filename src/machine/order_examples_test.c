// The programs of examples/programs over all their orders: clean ones are clean, and what was taken
// out of a broken one is missed.
#include "machine/order.h"
#include "program/text.h"
#include "program/verify.h"
#include "testing/test.h"

static const struct {
    const char *name;
    hoist_verdict verdict;
    const char *rule; // one of those that are found; NULL: none
} examples[] = {
    {"neff_all_reduce", HOIST_VERDICT_CLEAN, NULL},
    {"edgetpu_token", HOIST_VERDICT_CLEAN, NULL},
    {"buda_training", HOIST_VERDICT_CLEAN, NULL},
    {"ark_ranks", HOIST_VERDICT_CLEAN, NULL},
    {"broken/neff_missing_wait", HOIST_VERDICT_BAD, "PRG-101"},
    {"broken/edgetpu_missing_fence", HOIST_VERDICT_BAD, "PRG-101"},
    {"broken/ark_missing_send", HOIST_VERDICT_BAD, "PRG-102"},
};

HOIST_TEST_TABLE(examples_have_their_verdict, examples)
{
    const hoist_str path =
        hoist_arena_format(&t->arena, "%s/examples/programs/%s.hoist", HOIST_SOURCE_DIR, row->name);
    const hoist_order_options options = {.alloc = hoist_allocator_system()};
    hoist_verdict verdict = HOIST_VERDICT_UNKNOWN;
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_read(hoist_test_file(t, path.data), hoist_allocator_system(),
                                       t->diag, &program),
                    HOIST_OK);
    if (!program) {
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, hoist_program_check_order(program, 0, &options, t->diag, &verdict),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, verdict, row->verdict);
    HOIST_EXPECT_RULE(t, row->rule);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(examples_have_their_verdict))
