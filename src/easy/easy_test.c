// Whole tasks: findings, documents, arrays of files, and runs with right and wrong arrays.
#include <stdio.h>
#include <string.h>

#include "hoist/easy.h"

#include "base/alloc.h"
#include "base/span.h"
#include "testing/test.h"

// x is a queue of two entries, through which more pass; y is as short.
static const char netlist[] =
    "devices: {arch: wormhole_b0}\n"
    "queues:\n"
    "  x: {type: queue, input: HOST, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1],\n"
    "      ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[0, 0x30000000]]}\n"
    "  y: {type: queue, input: copy, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1],\n"
    "      ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[1, 0x30000000]]}\n"
    "graphs:\n"
    "  g:\n"
    "    target_device: 0\n"
    "    input_count: 1\n"
    "    copy: {type: datacopy, grid_loc: [0, 0], grid_size: [1, 1], inputs: [x], in_df: "
    "[Float32],\n"
    "      acc_df: Float32, out_df: Float32, intermed_df: Float32, ublock_order: r, buf_size_mb: "
    "2,\n"
    "      math_fidelity: HiFi3, untilize_output: false, t: 1, mblock: [1, 1], ublock: [1, 1]}\n"
    "programs:\n"
    "  - p:\n"
    "    - param: [$p_loops]\n"
    "    - staticvar: {$l: 0, $g: 0}\n"
    "    - loop: $p_loops\n"
    "    - execute: {graph_name: g, queue_settings: {x: {prologue: false, epilogue: false,\n"
    "        zero: false, rd_ptr_local: $l, rd_ptr_global: $g}}}\n"
    "    - varinst: [$l, incwrap, 1, 4]\n"
    "    - varinst: [$g, incwrap, 1, 4]\n"
    "    - endloop\n";

enum { ENTRIES = 7, ELEMENTS = 32 * 32 };

static hoist_job *open_netlist(hoist_test *t, const char *text)
{
    hoist_job *job = NULL;
    const hoist_bytes bytes = {(const uint8_t *)text, strlen(text)};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "net.yaml", NULL, t->diag, &job), HOIST_OK);
    return job;
}

static float numbers[ENTRIES * ELEMENTS];

static hoist_array whole_array(void)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(numbers); i++) {
        numbers[i] = (float)(i % 251) - 100;
    }
    return (hoist_array){.dtype = HOIST_DTYPE_F32,
                         .rank = 4,
                         .shape = {ENTRIES, 1, 32, 32},
                         .data = {(const uint8_t *)numbers, sizeof(numbers)}};
}

static const hoist_parameter loops = {"p_loops", ENTRIES};

HOIST_TEST(more_passes_than_queues_hold)
{
    hoist_job *const job = open_netlist(t, netlist);
    const hoist_array x = whole_array();
    const hoist_named_array input = {"x", &x};
    hoist_array_set *outputs = NULL;
    const hoist_run_once_options options = {
        .struct_size = sizeof(options), .parameters = &loops, .parameter_count = 1, .threads = 2};
    HOIST_EXPECT_EQ(t, hoist_run_once(job, &input, 1, &options, t->diag, &outputs), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_array_set_count(outputs), 1);
    hoist_array y = {.dtype = HOIST_DTYPE_NONE};
    HOIST_EXPECT_STR(t, hoist_array_set_at(outputs, 0, &y), "y");
    HOIST_EXPECT(t, y.rank == 4 && y.shape[0] == ENTRIES && y.data.size == sizeof(numbers));
    HOIST_EXPECT(t, memcmp(y.data.data, x.data.data, sizeof(numbers)) == 0);
    hoist_array_set_destroy(outputs);
    hoist_job_close(job);
}

typedef struct wrong_row {
    const char *name;  // of the input
    const char *entry; // NULL: all
    uint32_t rank;
    int64_t first; // extent
    hoist_dtype dtype;
    int64_t loops; // 0: not given
    hoist_status status;
    const char *rule; // NULL: any or none
} wrong_row;

static const wrong_row wrong[] = {
    {"z", NULL, 4, ENTRIES, HOIST_DTYPE_F32, ENTRIES, HOIST_NOT_FOUND, "EASY-001"},
    {"y", NULL, 4, ENTRIES, HOIST_DTYPE_F32, ENTRIES, HOIST_NOT_FOUND, "EASY-001"},
    {"x", NULL, 3, ENTRIES, HOIST_DTYPE_F32, ENTRIES, HOIST_INVALID, "EASY-002"},
    {"x", NULL, 4, ENTRIES + 1, HOIST_DTYPE_F32, ENTRIES, HOIST_INVALID, "EASY-002"},
    {"x", NULL, 4, ENTRIES, HOIST_DTYPE_I32, ENTRIES, HOIST_INVALID, "EASY-002"},
    {"x", "q", 4, ENTRIES, HOIST_DTYPE_F32, ENTRIES, HOIST_NOT_FOUND, NULL},
    {"x", NULL, 4, ENTRIES, HOIST_DTYPE_F32, 0, HOIST_NOT_FOUND, NULL},
    // A run that takes more than there is ends with a finding.
    {"x", "p", 4, ENTRIES, HOIST_DTYPE_F32, ENTRIES + 1, HOIST_INVALID, NULL},
};

HOIST_TEST(what_does_not_fit_is_refused)
{
    hoist_job *const job = open_netlist(t, netlist);
    for (size_t i = 0; i < HOIST_COUNT_OF(wrong); i++) {
        hoist_array x = whole_array();
        x.rank = wrong[i].rank;
        x.shape[0] = wrong[i].first;
        x.dtype = wrong[i].dtype;
        const hoist_named_array input = {wrong[i].name, &x};
        const hoist_parameter parameter = {"$p_loops", wrong[i].loops};
        const hoist_run_once_options options = {.struct_size = sizeof(options),
                                                .entry = wrong[i].entry,
                                                .parameters = &parameter,
                                                .parameter_count = wrong[i].loops != 0};
        hoist_array_set *outputs = NULL;
        HOIST_EXPECT_EQ(t, hoist_run_once(job, &input, 1, &options, t->diag, &outputs),
                        wrong[i].status);
        HOIST_EXPECT(t, !outputs);
        if (wrong[i].rule) {
            HOIST_EXPECT_RULE(t, wrong[i].rule);
        }
    }
    hoist_array_set *outputs = NULL;
    HOIST_EXPECT_EQ(t, hoist_run_once(job, NULL, 0, NULL, t->diag, &outputs), HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, "EASY-001");
    const hoist_run_once_options forgotten = {.struct_size = 0};
    HOIST_EXPECT_EQ(t, hoist_run_once(job, NULL, 0, &forgotten, NULL, &outputs), HOIST_INVALID);
    hoist_job_close(job);
}

HOIST_TEST(findings_are_text)
{
    hoist_job *const job =
        open_netlist(t, "devices: {arch: wormhole_b0}\nqueues:\n  q: {type: queue, input: x}\n");
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_mut_bytes all = {NULL, 0};
    hoist_mut_bytes first = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT(t, hoist_diag_kept(t->diag) > 1);
    HOIST_EXPECT_EQ(t, hoist_diag_text(t->diag, alloc, &all), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_finding_text(hoist_diag_at(t->diag, 0), alloc, &first), HOIST_OK);
    const hoist_str text = {(const char *)first.data, first.size};
    static const char line[] = "net.yaml:1:1: error: the file has no section graphs [BUDA-002]\n";
    HOIST_EXPECT(t, hoist_str_starts_with(text, line));
    HOIST_EXPECT(t, first.size < all.size && memcmp(first.data, all.data, first.size) == 0);
    hoist_easy_free(first, alloc);
    hoist_easy_free(all, alloc);
    HOIST_EXPECT_EQ(t, hoist_diag_text(NULL, alloc, &all), HOIST_OK);
    HOIST_EXPECT_EQ(t, all.size, 0);
    hoist_easy_free(all, alloc);
    hoist_job_close(job);
}

HOIST_TEST(documents_are_bytes)
{
    static const struct {
        hoist_document_kind kind;
        bool json;
        const char *part;
    } rows[] = {
        {HOIST_DOCUMENT_INFO, true, "\"file\": \"net.yaml\""},
        {HOIST_DOCUMENT_INFO, false, "file: "},
        {HOIST_DOCUMENT_DUMP, true, "\"schema\": \"hoist.dump/1\""},
        {HOIST_DOCUMENT_DUMP, false, "datacopy"},
        {HOIST_DOCUMENT_GRAPH, true, "\"schema\": \"hoist.graph/1\""},
        {HOIST_DOCUMENT_GRAPH, false, "copy"},
        {HOIST_DOCUMENT_LAYERS, true, "\"format\": \"buda\""},
    };
    hoist_job *const job = open_netlist(t, netlist);
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_mut_bytes bytes = {NULL, 0};
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        HOIST_EXPECT_EQ(t,
                        hoist_job_document(job, rows[i].kind, rows[i].json, alloc, t->diag, &bytes),
                        HOIST_OK);
        const hoist_str text = {(const char *)bytes.data, bytes.size};
        HOIST_EXPECT(t, hoist_str_contains(text, rows[i].part) && hoist_str_ends_with(text, "\n"));
        hoist_easy_free(bytes, alloc);
    }
    HOIST_EXPECT_EQ(t, hoist_job_document(job, (hoist_document_kind)9, true, alloc, NULL, &bytes),
                    HOIST_INVALID);
    HOIST_EXPECT(t, !bytes.data);
    hoist_job_close(job);
}

HOIST_TEST(npy_files_are_read)
{
    const hoist_allocator alloc = hoist_allocator_system();
    const char *const path = "easy_test.npy";
    const hoist_array x = whole_array();
    hoist_array read;
    HOIST_EXPECT_EQ(t, hoist_npy_save(&x, path, alloc, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_npy_open(path, alloc, t->diag, &read), HOIST_OK);
    HOIST_EXPECT(t, read.rank == 4 && read.owned && read.data.size == sizeof(numbers) &&
                        memcmp(read.data.data, x.data.data, sizeof(numbers)) == 0);
    hoist_array_deinit(&read, alloc);
    HOIST_EXPECT_EQ(t, remove(path), 0);
    HOIST_EXPECT_EQ(t, hoist_npy_open(path, alloc, t->diag, &read), HOIST_NOT_FOUND);
    HOIST_EXPECT(t, !read.owned && read.data.size == 0);
    HOIST_EXPECT_EQ(t, hoist_npy_open("/dev/null", alloc, t->diag, &read), HOIST_INVALID);
}

HOIST_TEST(a_netlist_holds_no_arrays)
{
    hoist_job *const job = open_netlist(t, netlist);
    hoist_array_set *arrays = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_arrays(job, hoist_allocator_system(), NULL, &arrays),
                    HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, !arrays);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(more_passes_than_queues_hold),
                HOIST_TEST_ROW(what_does_not_fit_is_refused), HOIST_TEST_ROW(findings_are_text),
                HOIST_TEST_ROW(documents_are_bytes), HOIST_TEST_ROW(npy_files_are_read),
                HOIST_TEST_ROW(a_netlist_holds_no_arrays))
