// Files in containers that are there for them: a netlist in a device image, through a job.
#include <string.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "formats/tti/tti_testing.h"

#define DEVICE                                                                                     \
    "{\"version\":\"1.1.0\",\"arch\":\"Wormhole_B0\",\"devtype\":\"Golden\",\"compiled_graph_"     \
    "state\":{"                                                                                    \
    "\"netlist_filename\":\"net.yaml\",\"ordered_input_names\":[],\"ordered_output_names\":[],"    \
    "\"ordered_constant_node_names\":[],\"ordered_parameter_node_names\":[],"                      \
    "\"post_const_eval_constants\":{},\"post_const_eval_parameters\":{}}}"

// A job of an image with that netlist and cluster; NULL: it has none.
static hoist_job *open_image(hoist_test *t, const char *netlist, const char *cluster)
{
    const tti_test_entry entries[] = {
        {"unzipped_tti/device.json", DEVICE, 0},
        {netlist ? "unzipped_tti/net.yaml" : NULL, netlist, 0},
        {"unzipped_tti/compile_and_runtime_config.json", "{}", 0},
        {cluster ? "unzipped_tti/backend_build_binaries/cluster_desc.yaml" : NULL, cluster, 0},
    };
    const hoist_bytes file = tti_test_archive(t, entries, HOIST_COUNT_OF(entries));
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(file, "a.tti", NULL, t->diag, &job), HOIST_OK);
    return job;
}

// Findings with file and member, as people see them.
static hoist_str findings(hoist_test *t)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *const f = hoist_diag_at(t->diag, i);
        hoist_buffer_format(&text, "%.*s!%.*s %s;", HOIST_STR_ARGS(f->file),
                            HOIST_STR_ARGS(f->member), f->rule->id);
    }
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

// Of each section without an entry.
#define EMPTY "a.tti!unzipped_tti/net.yaml BUDA-002;"

// clang-format off
static const struct {
    const char *name;
    const char *netlist; // NULL: left out
    const char *cluster;
    const char *format;    // of the job
    const char *container; // NULL: none
    const char *findings;
} cases[] = {
    {"a netlist with a finding", "devices: {arch: wormhole_b0}\nqueues: {}\ngraphs: {}\nprograms: []\n", NULL,
     "buda", "tti", EMPTY EMPTY EMPTY},
    {"no netlist", NULL, NULL, "tti", NULL, "a.tti!unzipped_tti/device.json TTI-009;"},
    {"no YAML", "devices: [", NULL, "tti", NULL, "a.tti!unzipped_tti/net.yaml YAML-001;a.tti!unzipped_tti/net.yaml BUDA-001;"},
    {"a cluster with a finding", "devices: {arch: wormhole_b0}\nqueues: {}\ngraphs: {}\nprograms: []\n", "[]",
     "buda", "tti", EMPTY EMPTY EMPTY "a.tti!unzipped_tti/backend_build_binaries/cluster_desc.yaml! SOC-001;"},
};
// clang-format on

HOIST_TEST_TABLE(held, cases)
{
    hoist_job *const job = open_image(t, row->netlist, row->cluster);
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, findings(t), row->findings);
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_job_format(job)), row->format);
    const char *const container = hoist_job_container(job);
    HOIST_EXPECT_STR(t, hoist_str_from(container ? container : ""),
                     row->container ? row->container : "");
    hoist_job_close(job);
}

// The keys of a document.
static hoist_status take_key(void *self, const hoist_tree_event *event)
{
    hoist_buffer_str(self, event->key);
    hoist_buffer_char(self, ' ');
    return HOIST_OK;
}

HOIST_TEST(both_are_shown)
{
    hoist_job *const job = open_image(t, "devices: {arch: wormhole_b0}\nqueues: {}\n", NULL);
    hoist_buffer keys;
    hoist_buffer_init(&keys, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &keys, .event = take_key};
    HOIST_EXPECT_EQ(t, hoist_job_dump(job, "module", true, &sink), HOIST_OK);
    HOIST_EXPECT(t,
                 hoist_str_contains(hoist_buffer_text(&keys), "queues  container netlist state"));
    keys.size = 0;
    HOIST_EXPECT_EQ(t, hoist_job_info(job, false, t->diag, &sink), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&keys), "container format title image"));
    hoist_buffer_deinit(&keys);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(held), HOIST_TEST_ROW(both_are_shown))
