// Sessions take the memory that hoist_program_plan() states, and that of kernels.
#include <stdio.h>

#include "base/span.h"
#include "runtime/runtime_testing.h"

static const struct {
    const char *name;
} programs[] = {{"ark_layer"},     {"ark_ranks"},       {"buda_training"},
                {"edgetpu_token"}, {"neff_all_reduce"}, {"tflite_edges"}};

static hoist_status take_total(void *total, const hoist_tree_event *event)
{
    if (hoist_str_equal_c(event->key, "total_bytes")) {
        *(uint64_t *)total = event->uinteger;
    }
    return HOIST_OK;
}

static void expect_planned(hoist_test *t, const hoist_program *program,
                           const hoist_program_plan_options *options)
{
    const hoist_session_options given = {.struct_size = sizeof given,
                                         .sequential = true,
                                         .reads = options->reads,
                                         .read_count = options->read_count};
    hoist_session *session = NULL;
    uint64_t total = 0;
    hoist_tree_sink sink = {.self = &total, .event = take_total};
    HOIST_EXPECT_EQ(t, hoist_session_open(program, &given, t->diag, &session), HOIST_OK);
    if (session) {
        HOIST_EXPECT_EQ(t, hoist_program_plan(program, options, NULL, &sink), HOIST_OK);
        HOIST_EXPECT_EQ(t, total + session->scratch.pages.size + session->prepared.pages.size,
                        session->store.bytes);
    }
    hoist_session_close(session);
}

// Of the first request that is refused a session states all that is planned, before it takes any.
HOIST_TEST_TABLE(refusals_state_what_is_planned, programs)
{
    hoist_program *program = runtime_example(t, row->name);
    const hoist_program_plan_options all = {.struct_size = sizeof all};
    hoist_session_options options = {.struct_size = sizeof options, .sequential = true};
    hoist_session *session = NULL;
    uint64_t total = 0;
    hoist_tree_sink sink = {.self = &total, .event = take_total};
    if (program && hoist_program_plan(program, &all, NULL, &sink) == HOIST_OK && total > 1) {
        options.max_memory = total - 1;
        HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_LIMIT);
        char says[200];
        (void)snprintf(says, sizeof says,
                       "the program needs at least %llu bytes of memory, more than its limit of "
                       "%llu: raise max_memory (--max-memory)",
                       (unsigned long long)total, (unsigned long long)options.max_memory);
        HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), says));
        options.max_memory = 1;
        HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_LIMIT);
        (void)snprintf(
            says, sizeof says,
            "at least %llu bytes of memory, more than its limit of 1:", (unsigned long long)total);
        HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), says));
        options.max_memory = total + 100000; // and tables of tiles
        HOIST_EXPECT_EQ(t, hoist_session_open(program, &options, t->diag, &session), HOIST_OK);
    }
    HOIST_EXPECT(t, total > 1);
    hoist_session_close(session);
    hoist_program_destroy(program);
}

// A caller who reads anything, and one who reads nothing.
HOIST_TEST_TABLE(sessions_take_what_is_planned, programs)
{
    static const char *const nothing[] = {NULL};
    hoist_program *program = runtime_example(t, row->name);
    hoist_program_plan_options options = {.struct_size = sizeof options};
    if (program) {
        expect_planned(t, program, &options);
        options.reads = nothing;
        expect_planned(t, program, &options);
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(sessions_take_what_is_planned),
                HOIST_TEST_ROW(refusals_state_what_is_planned))
