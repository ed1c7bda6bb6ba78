// Sessions take the memory that hoist_program_plan() states, and that of kernels.
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

HOIST_TEST_MAIN(HOIST_TEST_ROW(sessions_take_what_is_planned))
