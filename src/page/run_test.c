// The document of an estimated run: what kinds there are, when events begin, and why a file has
// none.
#include "hoist/load.h"

#include "base/alloc.h"
#include "base/span.h"
#include "page/run.h"
#include "testing/test.h"

static const hoist_page_parts parts = {
    .text = {"{{policy}}{{style}}{{script}}{{data}}", 37}, .style = {"", 0}, .script = {"", 0}};

static hoist_job *open_example(hoist_test *t, const char *name)
{
    const hoist_str path = hoist_arena_format(&t->arena, "%s/examples/%s", HOIST_SOURCE_DIR, name);
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path.data, NULL, t->diag, &job), HOIST_OK);
    return job;
}

static hoist_status send(hoist_job *job, hoist_allocator alloc, hoist_page *page)
{
    hoist_page_open(page, alloc, NULL, &parts, NULL);
    hoist_page_begin(page, "run-0", false);
    return page_run_send(job, page);
}

static hoist_status close_page(hoist_page *page, hoist_status produced)
{
    hoist_mut_bytes bytes = {NULL, 0};
    const hoist_status status = hoist_page_end(page, produced);
    const hoist_status taken = hoist_page_take(page, &bytes);
    hoist_free(page->alloc, bytes.data, bytes.size);
    return status == HOIST_OK ? taken : status;
}

// clang-format off
static const struct {
    const char *name;
    const char *file;
    const char *members[6]; // of the document, among others
} documents[] = {
    // 1 GHz: a cycle is 1,000 ticks. Each input goes through four ops; of the second one `up` begins
    // when that of the first has ended.
    {"a netlist", "buda/feed_forward.yaml",
     {"{\"device\":\"wormhole_b0\",\"host\":null,\"ticks_per_second\":1000000000000,\"words\":[\"up\",\"chip0\",",
      "\"name\":[1,6,7,8],\"process\":[2,2,2,2],", "\"cycles\":[4382,4343,8009,2056],",
      "\"typical_seconds\":[4382000,4343000,8009000,2056000],", "\"events\":[0,0,4382000,1,4382000,4343000,2,4343000,8009000,3,8009000,2056000,0,-12352000,4382000,"}},
    {"a model with a host", "tflite/layers_edgetpu.tflite",
     {"{\"device\":\"edgetpu\",\"host\":\"usb3\",", "\"words\":[\"chunk 0\",\"infeed\",", "\"untimed_steps\":[0,"}},
    {"a file with errors", "buda/feed_forward_broken.yaml", {"{\"why_not\":[\"queue 'w1' has 1 dram item,", "which a ram does not take\"]"}},
};
// clang-format on

HOIST_TEST_TABLE(documents_of_runs, documents)
{
    hoist_job *const job = open_example(t, row->file);
    hoist_page page;
    const hoist_status status = send(job, hoist_allocator_system(), &page);
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    const hoist_str json = hoist_buffer_text(&page.json);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->members) && row->members[i]; i++) {
        if (!hoist_str_contains(json, row->members[i])) {
            hoist_test_fail(t, __FILE__, __LINE__, "no %s in:\n%.*s", row->members[i],
                            (int)json.size, json.data);
        }
    }
    HOIST_EXPECT_EQ(t, close_page(&page, status), HOIST_OK);
    hoist_job_close(job);
}

static hoist_status send_starved(hoist_allocator alloc, const void *self)
{
    hoist_job *const *const job = self;
    hoist_page page;
    const hoist_status status = send(*job, alloc, &page);
    return close_page(&page, status);
}

HOIST_TEST(pages_need_memory)
{
    hoist_job *job = open_example(t, "buda/feed_forward.yaml");
    hoist_test_starve(t, send_starved, &job);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(documents_of_runs), HOIST_TEST_ROW(pages_need_memory))
