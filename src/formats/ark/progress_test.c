// Orders of the steps of plans in which all ranks get to their ends.
#include <inttypes.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "formats/ark/plan_testing.h"
#include "formats/ark/progress.h"

// clang-format off
#define NEXT ",\n"
#define P(tasks, groups) PLAN_RANK("0", "2", "ANY", tasks, groups)
#define CHANNEL "\"NumTasks\":1,\"ChannelType\":\"Sm\",\"Signal\":true,\"Wait\":true"
#define SENT(task) PLAN_TASK(task, PLAN_OP("Send", JOB_F("1", "16", JOB_OUT("1", "4")), \
    JOB_F("2", "16", JOB_TO("1", "4")), JOB_F("3", "16", JOB_TO("1", "4")), "", CHANNEL))
#define GOT(task) PLAN_TASK(task, PLAN_OP("Recv", JOB_F("4", "16", JOB_FROM("1", "5")), \
    JOB_F("5", "16", JOB_IN("1", "5")), JOB_F("6", "16", JOB_IN("1", "5")), "", CHANNEL))
#define RELU(task, from, to) PLAN_TASK(task, PLAN_RELU(from, to, "2"))
#define RUN(processors, task) PLAN_RUN(processors, task, "2")
// Rank 1 sends when it has received.
#define PEER JOB_RANK("1", "2", JOB_RECV("0", "4") NEXT JOB_SEND("0", "5"))

static const struct {
    const char *name;
    const char *texts[JOB_TEST_FILES + 1];
    const char *orders; // of the tasks of rank 0; "": those of the graph, or none
} cases[] = {
    {"the order of the plan ends", {P(SENT("0") NEXT GOT("1"), RUN("0,1", "0") NEXT RUN("1,2", "1")), PEER}, ""},
    {"no order ends", {P(GOT("0") NEXT SENT("1"), RUN("0,1", "0") NEXT RUN("0,1", "1")), PEER}, ""},
    {"the other file is missing", {P(GOT("0") NEXT SENT("1"), RUN("0,1", "0") NEXT RUN("1,2", "1"))}, ""},
    {"another order ends", {P(GOT("0") NEXT SENT("1"), RUN("0,1", "0") NEXT RUN("1,2", "1")), PEER}, "1 0"},
    {"with steps before and after", {P(GOT("0") NEXT SENT("1") NEXT RELU("2", "50", "51") NEXT RELU("3", "52", "53"),
        RUN("0,1", "2") NEXT RUN("0,1", "0") NEXT RUN("0,1", "3") NEXT RUN("1,2", "1")), PEER}, "2 1 0 3"},
    {"steps of one group", {P(GOT("0") NEXT SENT("1") NEXT RELU("2", "50", "51"), PLAN_GROUP("0,2",
        PLAN_PART("0,1", "0,16", "0,0", PLAN_USE("0", "0,1")) "," PLAN_PART("1,2", "0,16", "0,0",
        PLAN_USE("2", "0,2") "," PLAN_USE("1", "0,1")))), PEER}, "2 1 0"},
};
// clang-format on

static hoist_str shown(hoist_test *t, const char *const *texts)
{
    ark_test_job files;
    ark_job job;
    hoist_buffer out;
    uint32_t *const *orders = NULL;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, ark_test_job_open(texts, hoist_allocator_system(), NULL, NULL, &files),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_job_build(files.files, files.count, &t->arena, &job), HOIST_OK);
    HOIST_EXPECT_EQ(t, ark_job_find_orders(&job, &t->arena, &orders), HOIST_OK);
    const ark_graph *const graph = job.ranks[0].graph;
    for (uint32_t i = 0; orders && i < graph->step_count; i++) {
        hoist_buffer_format(&out, "%s%" PRIu32, i ? " " : "", graph->steps[orders[0][i]].owner);
    }
    ark_test_job_close(&files);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return copy;
}

HOIST_TEST_TABLE(orders, cases)
{
    HOIST_EXPECT_STR(t, shown(t, row->texts), row->orders);
}

static hoist_status find_orders(hoist_allocator alloc, const void *self)
{
    ark_test_job files;
    hoist_arena arena;
    ark_job job;
    uint32_t *const *orders = NULL;
    hoist_arena_init(&arena, alloc);
    hoist_status status = ark_test_job_open(self, alloc, NULL, NULL, &files);
    status = status ? status : ark_job_build(files.files, files.count, &arena, &job);
    status = status ? status : ark_job_find_orders(&job, &arena, &orders);
    ark_test_job_close(&files);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory)
{
    hoist_test_starve(t, find_orders, cases[3].texts);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(orders), HOIST_TEST_ROW(memory))
