#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "hoist/load.h"

#include "base/buffer.h"
#include "testing/test.h"

static const char netlist[] =
    "devices: {arch: grayskull}\n"
    "queues:\n"
    "  q: {type: queue, input: HOST, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1],\n"
    "      ublock: [1, 1], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x30000000]]}\n"
    "graphs:\n"
    "  g: {target_device: 0, input_count: 1}\n"
    "programs:\n"
    "  - p: [endloop]\n";

static hoist_bytes text_bytes(const char *text)
{
    return (hoist_bytes){(const uint8_t *)text, strlen(text)};
}

static const struct {
    const char *name;
    const char *text;
    const char *format; // --format, or NULL to sniff
    hoist_status want;
    const char *want_rule;
} cases[] = {
    {"empty", "", NULL, HOIST_INVALID, "LOAD-001"},
    {"unknown", "\x7f\x45LF nothing we know", NULL, HOIST_INVALID, "LOAD-001"},
    {"unknown format name", netlist, "neff", HOIST_NOT_FOUND, "LOAD-003"},
    {"empty format name", netlist, "", HOIST_NOT_FOUND, "LOAD-003"},
    {"netlist", netlist, NULL, HOIST_OK, NULL},
    {"named format", netlist, "buda", HOIST_OK, NULL},
    {"malformed", "queues: [\n", "buda", HOIST_INVALID, "YAML-001"},
};

HOIST_TEST_TABLE(opening, cases)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .format = row->format};
    hoist_job *job = NULL;
    const hoist_status status =
        hoist_job_open_bytes(text_bytes(row->text), "name", &options, t->diag, &job);
    HOIST_EXPECT_EQ(t, status, row->want);
    HOIST_EXPECT_EQ(t, job != NULL, row->want == HOIST_OK);
    HOIST_EXPECT_RULE(t, row->want_rule);
    hoist_job_close(job);
}

// The options of a caller that was compiled for another version.
static const struct {
    const char *name;
    size_t size;     // struct_size
    uint8_t surplus; // a byte beyond what this library knows
    hoist_status want;
    const char *want_message;
} versions[] = {
    {"ours", sizeof(hoist_open_options), 0, HOIST_NOT_FOUND,
     "there is no format 'neff', this build knows 'buda'"},
    {"before there was a format", offsetof(hoist_open_options, format), 0, HOIST_OK, NULL},
    {"newer, nothing new asked", sizeof(hoist_open_options) + 8, 0, HOIST_NOT_FOUND,
     "there is no format 'neff', this build knows 'buda'"},
    {"newer, the new asked", sizeof(hoist_open_options) + 8, 1, HOIST_UNSUPPORTED,
     "the caller's options set a field that this library does not know"},
    {"forgotten", 0, 0, HOIST_INVALID,
     "the caller's options have a struct_size of 0, wanted the size of a hoist_open_options"},
};

HOIST_TEST_TABLE(callers_of_other_versions, versions)
{
    struct {
        hoist_open_options known;
        uint8_t newer[8];
    } options = {.known = {.struct_size = row->size, .format = "neff"}, .newer = {row->surplus}};
    hoist_job *job = NULL;
    const hoist_status status =
        hoist_job_open_bytes(text_bytes(netlist), "n.yaml", &options.known, t->diag, &job);
    HOIST_EXPECT_EQ(t, status, row->want);
    HOIST_EXPECT_RULE(t, row->want_message ? "LOAD-003" : NULL);
    if (row->want_message) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->message, row->want_message);
        HOIST_EXPECT_EQ(t, hoist_job_open("/nonexistent", &options.known, NULL, &job), row->want);
    }
    hoist_job_close(job);
}

HOIST_TEST(a_job_checks_and_writes)
{
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(netlist), "n.yaml", NULL, t->diag, &job),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_job_format(job)), "buda");
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, "BUDA-031h");
    hoist_mut_bytes text = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_write(job, &text), HOIST_OK);
    HOIST_EXPECT(t,
                 hoist_str_contains((hoist_str){(char *)text.data, text.size}, "input_count: 1"));
    hoist_job_free_text(job, text);
    hoist_job_close(job);
}

HOIST_TEST(files_that_cannot_be_read)
{
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open("/nonexistent/file", NULL, t->diag, &job), HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, "OS-001");
    const hoist_open_options options = {.struct_size = sizeof(options), .soc_path = "/nonexistent"};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(netlist), "n.yaml", &options, t->diag, &job),
                    HOIST_NOT_FOUND);
}

// A file of the test's own; its path.
static const char *written_file(hoist_test *t, const char *name, const char *text)
{
    const char *const path =
        hoist_arena_format(&t->arena, "/tmp/hoist-load-test-%d-%s", (int)getpid(), name).data;
    FILE *file = fopen(path, "wb");
    HOIST_EXPECT(t, file && fputs(text, file) >= 0);
    HOIST_EXPECT(t, file && fclose(file) == 0);
    return path;
}

HOIST_TEST(files_open_by_path)
{
    const char *const path = written_file(t, "n.yaml", netlist);
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open(path, NULL, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_job_format(job)), "buda");
    HOIST_EXPECT(t, strstr(hoist_job_format_title(job), "netlist") != NULL);
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->file, path);
    hoist_job_close(job);
    const hoist_open_options small = {.struct_size = sizeof(small), .max_bytes = 100};
    HOIST_EXPECT_EQ(t, hoist_job_open(path, &small, t->diag, &job), HOIST_LIMIT);
    HOIST_EXPECT(t, job == NULL);
    (void)remove(path);
}

static hoist_status open_with(hoist_allocator alloc, const void *self)
{
    hoist_open_options options = *(const hoist_open_options *)self;
    options.alloc = alloc;
    hoist_job *job = NULL;
    const hoist_status status =
        hoist_job_open_bytes(text_bytes(netlist), "n.yaml", &options, NULL, &job);
    hoist_job_close(job);
    return status;
}

HOIST_TEST(descriptors_and_archs_are_kept)
{
    const char *const soc = written_file(t, "soc.yaml", "arch_name: grayskull\n");
    const char *const cluster = written_file(t, "cluster.yaml", "chips: {}\n");
    const hoist_open_options options = {.struct_size = sizeof(options),
                                        .arch = "grayskull",
                                        .arch_fallback = "blackhole",
                                        .soc_path = soc,
                                        .cluster_path = cluster};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text_bytes(netlist), "n.yaml", &options, NULL, &job),
                    HOIST_OK);
    // What the descriptors lack is found in their own files.
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), "[SOC-"));
    hoist_job_close(job);
    hoist_test_starve(t, open_with, &options);
    (void)remove(soc);
    (void)remove(cluster);
}

HOIST_TEST(every_failed_allocation_is_survived)
{
    hoist_test_starve(t, open_with,
                      &(hoist_open_options){.struct_size = sizeof(hoist_open_options)});
}

HOIST_TEST(tables_of_formats_and_rules)
{
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_format_name(0)), "buda");
    HOIST_EXPECT(t, hoist_format_name(hoist_format_count()) == NULL);
    HOIST_EXPECT(t, hoist_rule_set_at(hoist_rule_set_count()) == NULL);
    for (size_t i = 0; i < hoist_rule_set_count(); i++) {
        const hoist_rule_set *set = hoist_rule_set_at(i);
        for (size_t r = 0; r < set->count; r++) {
            HOIST_EXPECT(t, set->rules[r].id && set->rules[r].title && *set->rules[r].title);
        }
    }
}

// A short list of devices times a graph, in millions.
HOIST_TEST(what_a_file_stands_for_has_a_limit)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, "queues: {q: {}}\nprograms: [p: []]\ngraphs: {g: {target_device: [0");
    for (int i = 1; i < 2000; i++) {
        hoist_buffer_format(&text, ", %d", i);
    }
    hoist_buffer_c(&text, "]}}\n");
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(hoist_buffer_bytes(&text), "many", NULL, t->diag, &job),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "LOAD-002");
    hoist_job_close(job);
    hoist_buffer_deinit(&text);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_a_file_stands_for_has_a_limit), HOIST_TEST_ROW(opening),
                HOIST_TEST_ROW(callers_of_other_versions), HOIST_TEST_ROW(a_job_checks_and_writes),
                HOIST_TEST_ROW(files_that_cannot_be_read), HOIST_TEST_ROW(files_open_by_path),
                HOIST_TEST_ROW(descriptors_and_archs_are_kept),
                HOIST_TEST_ROW(every_failed_allocation_is_survived),
                HOIST_TEST_ROW(tables_of_formats_and_rules))
