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

// A parameter that is given twice takes no place of another one: the last counts, as in sessions.
HOIST_TEST(parameters_may_be_given_again)
{
    hoist_job *const job = open_netlist(t, netlist);
    const hoist_array x = whole_array();
    const hoist_named_array input = {"x", &x};
    const hoist_parameter given[] = {{"p_loops", 1}, {"other", 2}, {"$p_loops", ENTRIES}};
    hoist_array_set *outputs = NULL;
    const hoist_run_once_options options = {
        .struct_size = sizeof(options), .parameters = given, .parameter_count = 3};
    HOIST_EXPECT_EQ(t, hoist_run_once(job, &input, 1, &options, t->diag, &outputs), HOIST_OK);
    hoist_array y = {.dtype = HOIST_DTYPE_NONE};
    HOIST_EXPECT_STR(t, hoist_array_set_at(outputs, 0, &y), "y");
    HOIST_EXPECT_EQ(t, y.shape[0], ENTRIES);
    hoist_array_set_destroy(outputs);
    hoist_job_close(job);
}

// w and y are rams of two entries; the program reads the second of w and writes the second of y.
static const char rams[] =
    "devices: {arch: wormhole_b0}\n"
    "queues:\n"
    "  x: {type: queue, input: HOST, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1],\n"
    "      ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[0, 0x30000000]]}\n"
    "  w: {type: ram, input: HOST, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1],\n"
    "      ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[2, 0x30000000]]}\n"
    "  y: {type: ram, input: sum, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1],\n"
    "      ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[1, 0x30000000]]}\n"
    "graphs:\n"
    "  g:\n"
    "    target_device: 0\n"
    "    input_count: 1\n"
    "    sum: {type: add, grid_loc: [0, 0], grid_size: [1, 1], inputs: [x, w],\n"
    "      in_df: [Float32, Float32], acc_df: Float32, out_df: Float32, intermed_df: Float32,\n"
    "      ublock_order: r, buf_size_mb: 2, math_fidelity: HiFi3, untilize_output: false, t: 1,\n"
    "      mblock: [1, 1], ublock: [1, 1]}\n"
    "programs:\n"
    "  - p:\n"
    "    - execute: {graph_name: g, queue_settings: {x: {prologue: false, epilogue: false,\n"
    "        zero: false, rd_ptr_local: 0, rd_ptr_global: 0}, w: {prologue: false,\n"
    "        epilogue: false, zero: false, rd_ptr_global: 1, wr_ptr_global: 0}, y: {prologue:\n"
    "        false, epilogue: false, zero: false, rd_ptr_global: 0, wr_ptr_global: 1}}}\n";

HOIST_TEST(rams_are_addressed_by_entry)
{
    hoist_job *const job = open_netlist(t, rams);
    hoist_array w = whole_array();
    hoist_array x = w; // one entry, without a dimension of entries
    x.rank = 3;
    x.data.size = ELEMENTS * sizeof(float);
    memmove(x.shape, x.shape + 1, 3 * sizeof(x.shape[0]));
    w.shape[0] = 2;
    w.data.size = 2 * x.data.size;
    const hoist_named_array inputs[] = {{"x", &x}, {"w", &w}};
    hoist_array_set *outputs = NULL;
    HOIST_EXPECT_EQ(t, hoist_run_once(job, inputs, 2, NULL, t->diag, &outputs), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_array_set_count(outputs), 1);
    hoist_array y = {.dtype = HOIST_DTYPE_NONE};
    HOIST_EXPECT_STR(t, hoist_array_set_at(outputs, 0, &y), "y");
    HOIST_EXPECT(t, y.rank == 4 && y.shape[0] == 2 && y.data.size == w.data.size);
    const float *const sums = (const float *)(const void *)y.data.data;
    for (size_t i = 0; i < ELEMENTS; i++) {
        HOIST_EXPECT(t, sums[i] == 0 && sums[ELEMENTS + i] == numbers[i] + numbers[ELEMENTS + i]);
    }
    hoist_array_set_destroy(outputs);
    w.shape[0] = 3; // more than the ram has
    w.data.size = 3 * x.data.size;
    HOIST_EXPECT_EQ(t, hoist_run_once(job, inputs, 2, NULL, t->diag, &outputs), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "EASY-002");
    hoist_job_close(job);
}

HOIST_TEST(tensors_keep_integers)
{
    static const char text[] = "program p\n"
                               "space m\n"
                               "buffer a in m size 8 of f32[2] lifetime session contents caller\n"
                               "buffer n in m size 2 of u8[2] lifetime session contents caller\n"
                               "buffer y in m size 8 of f32[2] lifetime run output\n"
                               "buffer q in m size 2 of u8[2] lifetime run output\n"
                               "thread main {\n"
                               "    compute ieee.add from [a f32[2], a f32[2]] to [y f32[2]]\n"
                               "    move copy from [n u8[2]] to q u8[2]\n"
                               "}\n"
                               "entry run {\n"
                               "    start main\n"
                               "}\n";
    static const float halves[] = {0.5F, -1.5F};
    static const float sums[] = {1, -3};
    static const float counts[] = {7, 250};
    static const uint8_t bytes[] = {7, 250};
    const hoist_array a = {.dtype = HOIST_DTYPE_F32,
                           .rank = 1,
                           .shape = {2},
                           .data = {(const uint8_t *)halves, sizeof(halves)}};
    // Integers are given as they are, or as float32.
    const hoist_array given[] = {
        {.dtype = HOIST_DTYPE_U8, .rank = 1, .shape = {2}, .data = {bytes, sizeof(bytes)}},
        {.dtype = HOIST_DTYPE_F32,
         .rank = 1,
         .shape = {2},
         .data = {(const uint8_t *)counts, sizeof(counts)}}};
    hoist_job *job = NULL;
    const hoist_bytes file = {(const uint8_t *)text, sizeof(text) - 1};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(file, "p.hoist", NULL, t->diag, &job), HOIST_OK);
    for (size_t i = 0; i < HOIST_COUNT_OF(given); i++) {
        const hoist_named_array inputs[] = {{"n", &given[i]}, {"a", &a}};
        hoist_array_set *outputs = NULL;
        hoist_array y = {.dtype = HOIST_DTYPE_NONE};
        hoist_array q = {.dtype = HOIST_DTYPE_NONE};
        HOIST_EXPECT_EQ(t, hoist_run_once(job, inputs, 2, NULL, t->diag, &outputs), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_array_set_count(outputs), 2);
        HOIST_EXPECT_STR(t, hoist_array_set_at(outputs, 0, &y), "y");
        HOIST_EXPECT_STR(t, hoist_array_set_at(outputs, 1, &q), "q");
        HOIST_EXPECT(t, y.dtype == HOIST_DTYPE_F32 && y.rank == 1 && y.shape[0] == 2);
        HOIST_EXPECT(t, q.dtype == HOIST_DTYPE_U8 && q.rank == 1 && q.shape[0] == 2);
        HOIST_EXPECT(t, memcmp(y.data.data, sums, sizeof(sums)) == 0);
        HOIST_EXPECT(t, memcmp(q.data.data, bytes, sizeof(bytes)) == 0);
        hoist_array_set_destroy(outputs);
    }
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
        {HOIST_DOCUMENT_LAYERS, true, "\"file\": \"net.yaml\""},
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

HOIST_TEST(pages_are_bytes)
{
    hoist_job *const job = open_netlist(t, netlist);
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_page_options options = {.struct_size = sizeof options, .size_bytes = strlen(netlist)};
    hoist_mut_bytes page = {NULL, 0};
    hoist_mut_bytes named = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_page(job, &options, t->diag, &page), HOIST_OK);
    options.name = "net.yaml";
    HOIST_EXPECT_EQ(t, hoist_job_page(job, &options, t->diag, &named), HOIST_OK);
    const hoist_str text = {(const char *)page.data, page.size};
    HOIST_EXPECT(t, hoist_str_contains(text, "id=\"content-0\">") &&
                        hoist_str_ends_with(text, "</html>\n") && named.size == page.size &&
                        memcmp(named.data, page.data, page.size) == 0);
    hoist_easy_free(page, alloc);
    hoist_easy_free(named, alloc);
    options.struct_size = 1;
    HOIST_EXPECT_EQ(t, hoist_job_page(job, &options, NULL, &page), HOIST_INVALID);
    hoist_deadline *const over = hoist_test_deadline(t, 0);
    hoist_job_limit(job, over);
    HOIST_EXPECT_EQ(t, hoist_job_page(job, NULL, NULL, &page), HOIST_LIMIT);
    HOIST_EXPECT(t, !page.data);
    hoist_job_close(job);
    hoist_deadline_destroy(over);
}

typedef struct page_row {
    hoist_test *t;
    hoist_job *job;
} page_row;

static hoist_status make_page(hoist_allocator alloc, const void *self)
{
    const page_row *const row = self;
    const hoist_page_options options = {
        .struct_size = sizeof options, .alloc = alloc, .found = row->t->diag};
    hoist_mut_bytes page = {NULL, 0};
    const hoist_status status = hoist_job_page(row->job, &options, NULL, &page);
    hoist_easy_free(page, alloc);
    return status;
}

HOIST_TEST(pages_need_memory)
{
    const page_row row = {t, open_netlist(t, netlist)};
    hoist_test_starve(t, make_page, &row);
    hoist_job_close(row.job);
}

static hoist_status take_arrays(hoist_allocator alloc, const void *job)
{
    hoist_array_set *arrays = NULL;
    const hoist_status status = hoist_job_arrays(job, alloc, NULL, &arrays);
    hoist_array_set_destroy(arrays);
    return status;
}

HOIST_TEST(arrays_need_memory)
{
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(
        t,
        hoist_job_open(HOIST_SOURCE_DIR "/examples/tflite/classifier.tflite", NULL, t->diag, &job),
        HOIST_OK);
    hoist_test_starve(t, take_arrays, job);
    hoist_job_close(job);
}

static hoist_status read_npy(hoist_allocator alloc, const void *path)
{
    hoist_array read;
    const hoist_status status = hoist_npy_open(path, alloc, NULL, &read);
    hoist_array_deinit(&read, alloc);
    return status;
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
    hoist_test_starve(t, read_npy, path);
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

// The image holds 0.5 for w, and x is given.
HOIST_TEST(runs_with_what_its_container_holds)
{
    const hoist_bytes file = hoist_test_file(t, HOIST_SOURCE_DIR "/fuzz/corpus/tti_fuzz/elements");
    float ones[32 * 64];
    for (size_t i = 0; i < HOIST_COUNT_OF(ones); i++) {
        ones[i] = 1;
    }
    const hoist_array array = {.dtype = HOIST_DTYPE_F32,
                               .rank = 3,
                               .shape = {1, 32, 64},
                               .data = {(const uint8_t *)ones, sizeof(ones)}};
    const hoist_named_array input = {"x", &array};
    hoist_array_set *outputs = NULL;
    hoist_array y;
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(file, "net.tti", NULL, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_job_container(job)), "tti");
    HOIST_EXPECT_EQ(t, hoist_run_once(job, &input, 1, NULL, t->diag, &outputs), HOIST_OK);
    if (outputs) {
        float first = 0;
        HOIST_EXPECT_STR(t, hoist_array_set_at(outputs, 0, &y), "y");
        memcpy(&first, y.data.data, sizeof(first));
        HOIST_EXPECT(t, first == 1.5f);
    }
    hoist_array_set_destroy(outputs);
    hoist_job_close(job);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(more_passes_than_queues_hold),
                HOIST_TEST_ROW(parameters_may_be_given_again),
                HOIST_TEST_ROW(rams_are_addressed_by_entry), HOIST_TEST_ROW(tensors_keep_integers),
                HOIST_TEST_ROW(what_does_not_fit_is_refused), HOIST_TEST_ROW(findings_are_text),
                HOIST_TEST_ROW(documents_are_bytes), HOIST_TEST_ROW(pages_are_bytes),
                HOIST_TEST_ROW(pages_need_memory), HOIST_TEST_ROW(arrays_need_memory),
                HOIST_TEST_ROW(npy_files_are_read), HOIST_TEST_ROW(a_netlist_holds_no_arrays),
                HOIST_TEST_ROW(runs_with_what_its_container_holds))
