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

HOIST_TEST_TABLE(sessions_take_what_is_planned, programs)
{
    hoist_program *program = runtime_example(t, row->name);
    const runtime_mode mode = {"sequential", 0, true};
    hoist_session *session = program ? runtime_open(t, program, &mode) : NULL;
    uint64_t total = 0;
    hoist_tree_sink sink = {.self = &total, .event = take_total};
    if (session) {
        HOIST_EXPECT_EQ(t, hoist_program_plan(program, NULL, NULL, &sink), HOIST_OK);
        HOIST_EXPECT_EQ(t, total + session->scratch.pages.size + session->prepared.pages.size,
                        session->store.bytes);
    }
    hoist_session_close(session);
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(sessions_take_what_is_planned))
