// Files in files: an Edge TPU package in a TFLite model, through a job.
#include <string.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/reader.h"
#include "edgetpu/nested_testing.h"

static hoist_job *open_job(hoist_test *t, hoist_bytes bytes)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .bytes_stay = true};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "m.tflite", &options, t->diag, &job), HOIST_OK);
    return job;
}

// Keys and texts of a tree, one after the other.
typedef struct seen {
    hoist_buffer text;
} seen;

static hoist_status see(void *self, const hoist_tree_event *event)
{
    seen *const s = self;
    hoist_buffer_str(&s->text, event->key);
    hoist_buffer_char(&s->text, '=');
    hoist_buffer_str(&s->text, event->kind == HOIST_TREE_STR ? event->str : HOIST_STR(""));
    hoist_buffer_char(&s->text, ';');
    return HOIST_OK;
}

static bool has(const seen *s, const char *what)
{
    return hoist_str_contains(hoist_buffer_text(&s->text), what);
}

HOIST_TEST(the_example_is_made_by_its_program)
{
    const hoist_bytes made = hoist_test_edgetpu_file(t);
    const hoist_bytes kept =
        hoist_test_file(t, HOIST_SOURCE_DIR "/examples/tflite/small_edgetpu.tflite");
    HOIST_EXPECT(t, kept.size == made.size && memcmp(kept.data, made.data, made.size) == 0);
}

HOIST_TEST(both_are_checked_and_shown)
{
    hoist_job *const job = open_job(t, hoist_test_edgetpu_file(t));
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_WARNING), 0);
    HOIST_EXPECT_RULE(t, "DWN-078");
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_job_format(job)), "tflite");
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_job_target(job).arch), "beagle");
    seen s;
    hoist_buffer_init(&s.text, hoist_allocator_system());
    hoist_tree_sink sink = {.self = &s, .event = see};
    HOIST_EXPECT_EQ(t, hoist_job_dump(job, NULL, false, &sink), HOIST_OK);
    HOIST_EXPECT(t, has(&s, "path=subgraphs/0/operators/0;kind=edgetpu-custom-op;"));
    HOIST_EXPECT(t, has(&s, "format=darwinn;module="));
    s.text.size = 0;
    HOIST_EXPECT_EQ(t, hoist_job_info(job, false, t->diag, &sink), HOIST_OK);
    HOIST_EXPECT(t, has(&s, "type=EXECUTION_ONLY;"));
    s.text.size = 0;
    HOIST_EXPECT_EQ(t, hoist_job_disasm_tree(job, NULL, t->diag, &sink), HOIST_OK);
    HOIST_EXPECT(t, has(&s, "payload=subgraphs/0/operators/0;executable=executables/0;"));
    hoist_buffer_deinit(&s.text);
    hoist_job_close(job);
}

// What is broken in the package is reported at its byte of the file, and the model is still there.
HOIST_TEST(a_broken_package_leaves_its_model)
{
    const hoist_bytes file = hoist_test_edgetpu_file(t);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
    memcpy(copy, file.data, file.size);
    size_t at = 0;
    while (memcmp(copy + at, "DWN1", 4) != 0) {
        at++;
    }
    hoist_store_u32le(copy + at - 4, 0x7fffffff); // where its root table is
    hoist_job *const job = open_job(t, (hoist_bytes){copy, file.size});
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag) > 0, true);
    HOIST_EXPECT_RULE(t, "DWN-011");
    HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.offset, at - 4);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "subgraphs/0/operators/0/packages/0");
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    hoist_job_close(job);
}

HOIST_TEST(linking_changes_the_fields_alone)
{
    const hoist_bytes file = hoist_test_edgetpu_file(t);
    hoist_job *const job = open_job(t, file);
    const hoist_link_address addresses[] = {{"parameters", 0, 0x1122334455667788U},
                                            {"input:image", 0, 0x8000000012345678U}};
    const hoist_link_options options = {
        .struct_size = sizeof(options), .addresses = addresses, .address_count = 2};
    const hoist_link_options undo = {.struct_size = sizeof(undo), .undo = true};
    hoist_mut_bytes linked;
    hoist_link_result result;
    HOIST_EXPECT_EQ(t, hoist_job_link(job, &options, t->diag, &linked, &result), HOIST_OK);
    HOIST_EXPECT(t, result.filled > 0 && result.skipped > 0);
    HOIST_EXPECT(t, linked.size == file.size && memcmp(linked.data, file.data, file.size) != 0);
    hoist_job *const again = open_job(t, (hoist_bytes){linked.data, linked.size});
    hoist_mut_bytes undone;
    HOIST_EXPECT_EQ(t, hoist_job_link(again, &undo, t->diag, &undone, &result), HOIST_OK);
    HOIST_EXPECT_EQ(t, result.skipped, 0);
    HOIST_EXPECT(t, undone.size == file.size && memcmp(undone.data, file.data, file.size) == 0);
    hoist_job_free_text(again, undone);
    hoist_job_close(again);
    hoist_job_free_text(job, linked);
    hoist_job_close(job);
}

static const struct {
    const char *name;
    hoist_link_address address;
} strangers[] = {{"no such buffer", {"weights", 0, 1}},
                 {"no such element", {"image", 1, 1}},
                 {"a layer of the other direction", {"output:image", 0, 1}}};

HOIST_TEST_TABLE(addresses_of_nothing_are_refused, strangers)
{
    hoist_job *const job = open_job(t, hoist_test_edgetpu_file(t));
    const hoist_link_options options = {
        .struct_size = sizeof(options), .addresses = &row->address, .address_count = 1};
    hoist_mut_bytes linked;
    hoist_link_result result;
    HOIST_EXPECT_EQ(t, hoist_job_link(job, &options, t->diag, &linked, &result), HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, "DWN-085");
    HOIST_EXPECT(t, !linked.data);
    hoist_job_close(job);
}

static hoist_status open_and_link(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *const file = self;
    const hoist_open_options options = {
        .struct_size = sizeof(options), .alloc = alloc, .bytes_stay = true};
    const hoist_link_options undo = {.struct_size = sizeof(undo), .undo = true};
    hoist_job *job = NULL;
    HOIST_TRY(hoist_job_open_bytes(*file, "m.tflite", &options, NULL, &job));
    hoist_mut_bytes linked;
    hoist_link_result result;
    hoist_status status = hoist_job_check(job, NULL);
    if (status == HOIST_OK) {
        status = hoist_job_link(job, &undo, NULL, &linked, &result);
        hoist_job_free_text(job, linked);
    }
    hoist_job_close(job);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    const hoist_bytes file = hoist_test_edgetpu_file(t);
    hoist_test_starve(t, open_and_link, &file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(the_example_is_made_by_its_program),
                HOIST_TEST_ROW(both_are_checked_and_shown),
                HOIST_TEST_ROW(a_broken_package_leaves_its_model),
                HOIST_TEST_ROW(linking_changes_the_fields_alone),
                HOIST_TEST_ROW(addresses_of_nothing_are_refused), HOIST_TEST_ROW(gives_memory_back))
