// The programs of examples/programs: clean, and broken in the way that they say.
#include "base/alloc.h"
#include "machine/order_testing.h"
#include "program/text.h"
#include "program/verify.h"

static hoist_program *read_example(hoist_test *t, const char *name)
{
    const hoist_str path =
        hoist_arena_format(&t->arena, "%s/examples/programs/%s.hoist", HOIST_SOURCE_DIR, name);
    hoist_program *program = NULL;
    HOIST_EXPECT_EQ(t,
                    hoist_program_parse(hoist_test_file(t, path.data), hoist_allocator_system(),
                                        t->diag, &program),
                    HOIST_OK);
    if (program) {
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_RULE(t, NULL);
    return program;
}

static const struct {
    const char *name;
    const char *rule;    // NULL: every entry is clean
    const char *says[2]; // in one message of the findings
} examples[] = {
    {"neff_all_reduce", NULL, {NULL, NULL}},
    {"edgetpu_token", NULL, {NULL, NULL}},
    {"buda_training", NULL, {NULL, NULL}},
    {"ark_ranks", NULL, {NULL, NULL}},
    {"ark_layer", NULL, {NULL, NULL}},
    {"tflite_edges", NULL, {NULL, NULL}},
    {"broken/neff_missing_wait",
     "PRG-101",
     {"move (functions/whole/steps/0", "collective 'reduce' (threads/pe0"}},
    {"broken/edgetpu_missing_fence",
     "PRG-101",
     {"(functions/receive/steps/1, 74:5) writes", "(functions/send/steps/0, 66:5) reads"}},
    {"broken/ark_missing_send", "PRG-102", {"threads/rank1", "fifo 'tag5'"}},
};

static bool says(const hoist_diag *diag, const char *one, const char *two)
{
    for (size_t i = 0; i < hoist_diag_kept(diag); i++) {
        const hoist_str message = hoist_diag_at(diag, i)->message;
        if (hoist_str_contains(message, one) && hoist_str_contains(message, two)) {
            return true;
        }
    }
    return false;
}

HOIST_TEST_TABLE(verdicts, examples)
{
    hoist_program *program = read_example(t, row->name);
    hoist_verdict worst = HOIST_VERDICT_CLEAN;
    for (hoist_ref i = 0; program && i < program->entry_count; i++) {
        const hoist_verdict verdict = order_verdict(t, program, i);
        worst = verdict == HOIST_VERDICT_CLEAN ? worst : verdict;
    }
    HOIST_EXPECT_EQ(t, worst, row->rule ? HOIST_VERDICT_BAD : HOIST_VERDICT_CLEAN);
    HOIST_EXPECT_RULE(t, row->rule);
    if (row->rule && !says(t->diag, row->says[0], row->says[1])) {
        const hoist_str all = hoist_test_findings(t);
        hoist_test_fail(t, __FILE__, __LINE__, "%.*s", HOIST_STR_ARGS(all));
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(verdicts))
