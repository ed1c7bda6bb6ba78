#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "base/span.h"
#include "testing/test.h"

// A folder of two members as a file, on the heap.
static hoist_mut_bytes make_file(hoist_test *t, uint32_t pkg_version)
{
    static const hoist_part parts[] = {
        {.path = {"neff.json", 9}, .bytes = {(const uint8_t *)"{}", 2}},
        {.path = {"sg00/x", 6}, .bytes = {(const uint8_t *)"content", 7}, .executable = true},
    };
    const hoist_pack_options options = {.struct_size = sizeof(options), .pkg_version = pkg_version};
    hoist_mut_bytes file;
    HOIST_EXPECT_EQ(t, hoist_pack(parts, 2, &options, t->diag, &file), HOIST_OK);
    return file;
}

static hoist_status count_part(void *self, const hoist_part *part)
{
    size_t *const bytes = self;
    for (size_t i = 0; i < part->bytes.size; i++) {
        *bytes += part->bytes.data[i] ? 1 : 0;
    }
    return HOIST_OK;
}

// How the job gets its bytes; it must have them until it is closed.
typedef enum way { BORROWED, STAYING, BY_PATH, BY_PATH_MAPPED } way;
static const struct {
    const char *name;
    way way;
    uint32_t pkg_version;
} ways[] = {
    {"copied from the caller, raw", BORROWED, 1},
    {"copied from the caller, gzip", BORROWED, 2},
    {"the caller's, raw", STAYING, 1},
    {"a file, raw", BY_PATH, 1},
    {"a file, gzip", BY_PATH, 2},
    {"a mapped file", BY_PATH_MAPPED, 1},
};

static hoist_status open_by_path(hoist_test *t, hoist_mut_bytes file, bool large, hoist_job **job)
{
    char path[] = "/tmp/hoist-parts-XXXXXX";
    const hoist_open_options options = {.struct_size = sizeof(options), .container_only = true};
    const int fd = mkstemp(path);
    HOIST_EXPECT(t, fd >= 0 && write(fd, file.data, file.size) == (ssize_t)file.size);
    // Bytes after the archive are a warning.
    HOIST_EXPECT(t, !large || ftruncate(fd, 2 << 20) == 0);
    (void)close(fd);
    const hoist_status status = hoist_job_open(path, &options, t->diag, job);
    (void)unlink(path);
    return status;
}

HOIST_TEST_TABLE(a_job_keeps_its_bytes, ways)
{
    const hoist_mut_bytes file = make_file(t, row->pkg_version);
    const hoist_open_options options = {
        .struct_size = sizeof(options), .bytes_stay = row->way == STAYING, .container_only = true};
    hoist_job *job = NULL;
    hoist_status status = HOIST_OK;
    if (row->way == BORROWED || row->way == STAYING) {
        const hoist_bytes exact = {file.data, file.size};
        status = hoist_job_open_bytes(exact, "x.neff", &options, t->diag, &job);
    } else {
        status = open_by_path(t, file, row->way == BY_PATH_MAPPED, &job);
    }
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    if (row->way != STAYING) {
        memset(file.data, 0xff, file.size);
    }
    size_t bytes = 0;
    bool right = false;
    const hoist_unpack_options unpack = {.struct_size = sizeof(unpack), .members_only = true};
    hoist_part_sink sink = {&bytes, count_part};
    HOIST_EXPECT_EQ(t, hoist_job_unpack(job, &unpack, t->diag, &sink), HOIST_OK);
    HOIST_EXPECT_EQ(t, bytes, 9);
    HOIST_EXPECT_EQ(t, hoist_job_verify(job, t->diag, &right), HOIST_OK);
    HOIST_EXPECT(t, right);
    hoist_job_close(job);
    hoist_pack_free((hoist_allocator){0}, file);
}

static const char netlist[] =
    "devices: {arch: grayskull}\nqueues:\n  q: {type: queue, input: HOST, "
    "entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, "
    "1], df: Float16, target_device: 0, loc: dram, dram: [[0, "
    "0x30000000]]}\ngraphs:\n  g: {target_device: 0, input_count: "
    "1}\nprograms:\n  - p: [endloop]\n";

HOIST_TEST(a_netlist_is_no_container)
{
    const hoist_bytes text = {(const uint8_t *)netlist, sizeof(netlist) - 1};
    const hoist_pack_options options = {.struct_size = sizeof(options), .format = "buda"};
    hoist_part_sink sink = {NULL, NULL};
    const hoist_recovery_sink arrays = {NULL, NULL, NULL};
    hoist_job *job = NULL;
    hoist_mut_bytes out;
    bool right = true;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text, "n.yaml", NULL, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_unpack(job, NULL, t->diag, &sink), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "LOAD-004");
    HOIST_EXPECT_EQ(t, hoist_job_recover(job, NULL, &arrays), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, hoist_job_verify(job, t->diag, &right), HOIST_UNSUPPORTED);
    HOIST_EXPECT(t, !right);
    HOIST_EXPECT_EQ(t, hoist_pack(NULL, 0, &options, t->diag, &out), HOIST_UNSUPPORTED);
    hoist_job_close(job);
}

static const struct {
    const char *name;
    hoist_pack_options options;
    hoist_status want;
} packs[] = {
    {"forgotten size", {.pkg_version = 1}, HOIST_INVALID},
    {"no such format",
     {.struct_size = sizeof(hoist_pack_options), .format = "zip"},
     HOIST_NOT_FOUND},
    {"no such packaging",
     {.struct_size = sizeof(hoist_pack_options), .pkg_version = 3},
     HOIST_INVALID},
};

HOIST_TEST_TABLE(refuses_to_pack, packs)
{
    hoist_mut_bytes out;
    HOIST_EXPECT_EQ(t, hoist_pack(NULL, 0, &row->options, NULL, &out), row->want);
    HOIST_EXPECT(t, out.data == NULL);
}

HOIST_TEST(options_of_unpacking_are_checked)
{
    const hoist_mut_bytes file = make_file(t, 1);
    const hoist_unpack_options forgotten = {.members_only = true};
    hoist_part_sink sink = {NULL, count_part};
    hoist_job *job = NULL;
    const hoist_bytes bytes = {file.data, file.size};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "x.neff", NULL, t->diag, &job), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_job_unpack(job, &forgotten, t->diag, &sink), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "LOAD-003");
    hoist_job_close(job);
    hoist_pack_free((hoist_allocator){0}, file);
}

// What opening may take follows from the format and the size.
HOIST_TEST(memory_by_format)
{
    const hoist_bytes text = {(const uint8_t *)netlist, sizeof(netlist) - 1};
    const hoist_bytes huge = {(const uint8_t *)netlist, SIZE_MAX / 2};
    const size_t mib = (size_t)1 << 20;
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_format_of(text, "x")), "buda");
    HOIST_EXPECT(t, !hoist_format_of((hoist_bytes){NULL, 0}, "x"));
    HOIST_EXPECT_EQ(t, hoist_open_memory(text, "x", "buda"), 56 * mib + 48 * text.size);
    HOIST_EXPECT_EQ(t, hoist_open_memory(text, "x", NULL), 56 * mib + 48 * text.size);
    HOIST_EXPECT_EQ(t, hoist_open_memory((hoist_bytes){NULL, 0}, "x", NULL), 56 * mib);
    HOIST_EXPECT_EQ(t, hoist_open_memory(text, "x", "neff"), 256 * mib + 100 * text.size);
    HOIST_EXPECT(t, hoist_open_memory(huge, "x", "neff") == SIZE_MAX);
}

HOIST_TEST(files_may_be_too_large)
{
    const hoist_bytes text = {(const uint8_t *)netlist, sizeof(netlist) - 1};
    const hoist_open_options options = {.struct_size = sizeof(options), .max_bytes = 10};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(text, "n.yaml", &options, t->diag, &job), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "OS-004");
}

HOIST_TEST(archives_may_expand_too_far)
{
    const hoist_mut_bytes file = make_file(t, 2);
    const hoist_open_options options = {.struct_size = sizeof(options), .max_expanded = 1000};
    hoist_job *job = NULL;
    const hoist_bytes bytes = {file.data, file.size};
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "x.neff", &options, t->diag, &job), HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "NEFF-020");
    hoist_pack_free((hoist_allocator){0}, file);
}

static hoist_status round_trip_starved(hoist_allocator alloc, const void *self)
{
    const hoist_mut_bytes *const file = self;
    const hoist_open_options options = {
        .struct_size = sizeof(options), .alloc = alloc, .container_only = true};
    const hoist_bytes bytes = {file->data, file->size};
    hoist_job *job = NULL;
    HOIST_TRY(hoist_job_open_bytes(bytes, "x.neff", &options, NULL, &job));
    size_t count = 0;
    hoist_part_sink sink = {&count, count_part};
    const hoist_status status = hoist_job_unpack(job, NULL, NULL, &sink);
    hoist_job_close(job);
    return status;
}

HOIST_TEST(survives_every_failed_allocation)
{
    const hoist_mut_bytes file = make_file(t, 1);
    hoist_test_starve(t, round_trip_starved, &file);
    hoist_pack_free((hoist_allocator){0}, file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_job_keeps_its_bytes), HOIST_TEST_ROW(a_netlist_is_no_container),
                HOIST_TEST_ROW(refuses_to_pack), HOIST_TEST_ROW(options_of_unpacking_are_checked),
                HOIST_TEST_ROW(memory_by_format), HOIST_TEST_ROW(files_may_be_too_large),
                HOIST_TEST_ROW(archives_may_expand_too_far),
                HOIST_TEST_ROW(survives_every_failed_allocation))
