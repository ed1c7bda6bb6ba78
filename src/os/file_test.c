#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "os/file.h"
#include "testing/test.h"

static void fill(hoist_test *t, int fd, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        const char c = (char)('a' + i % 26);
        HOIST_EXPECT(t, write(fd, &c, 1) == 1);
    }
}

// A file of `size` bytes at `path`, a mkstemp template.
static void make_file(hoist_test *t, char *path, size_t size)
{
    const int fd = mkstemp(path);
    HOIST_EXPECT(t, fd >= 0);
    fill(t, fd, size);
    (void)close(fd);
}

static void expect_pattern(hoist_test *t, hoist_mut_bytes got, size_t size)
{
    HOIST_EXPECT_EQ(t, got.size, size);
    for (size_t i = 0; i < got.size; i++) {
        if (got.data[i] != 'a' + i % 26) {
            hoist_test_fail(t, __FILE__, __LINE__, "byte %zu is wrong", i);
            return;
        }
    }
}

// clang-format off
static const struct {
    const char *name;
    size_t size;
    size_t limit;
    hoist_status want;
} sizes[] = {
    {"empty",            0,    0,    HOIST_OK},
    {"empty, limit 1",   0,    1,    HOIST_OK},
    {"one byte",         1,    0,    HOIST_OK},
    {"at the limit",     5000, 5000, HOIST_OK},
    {"beyond the limit", 5001, 5000, HOIST_LIMIT},
    {"below the limit",  4999, 5000, HOIST_OK},
};
// clang-format on

HOIST_TEST_TABLE(reads_regular_files, sizes)
{
    char path[] = "/tmp/hoist-file-XXXXXX";
    make_file(t, path, row->size);
    hoist_failing counting;
    const hoist_allocator alloc = hoist_failing_allocator(&counting, 0);
    hoist_mut_bytes got;
    HOIST_EXPECT_EQ(t, hoist_file_read(path, row->limit, alloc, t->diag, &got), row->want);
    HOIST_EXPECT_RULE(t, row->want == HOIST_OK ? NULL : "OS-004");
    // One request of exactly the file's size.
    HOIST_EXPECT_EQ(t, counting.requests, row->want == HOIST_OK && row->size);
    HOIST_EXPECT_EQ(t, counting.live, row->want == HOIST_OK ? row->size : 0);
    expect_pattern(t, got, row->want == HOIST_OK ? row->size : 0);
    hoist_free(alloc, got.data, got.size);
    (void)unlink(path);
}

// Runs a child that writes `size` bytes into the pipe, or is ended by SIGPIPE when the reader is
// gone.
static pid_t write_behind(hoist_test *t, const int ends[2], size_t size)
{
    const pid_t child = fork();
    HOIST_EXPECT(t, child >= 0);
    if (child == 0) {
        (void)close(ends[0]);
        for (size_t i = 0; i < size; i++) {
            const char c = (char)('a' + i % 26);
            if (write(ends[1], &c, 1) != 1) {
                _exit(1);
            }
        }
        _exit(0);
    }
    return child;
}

// clang-format off
static const struct {
    const char *name;
    size_t size;
    size_t limit;
    hoist_status want;
} pipes[] = {
    {"empty pipe",        0,      0,      HOIST_OK},
    {"short pipe",        10,     0,      HOIST_OK},
    {"long pipe",         150000, 0,      HOIST_OK},
    {"pipe at limit",     70000,  70000,  HOIST_OK},
    {"pipe beyond limit", 70001,  70000,  HOIST_LIMIT},
    {"small limit",       11,     10,     HOIST_LIMIT},
};
// clang-format on

HOIST_TEST_TABLE(reads_pipes_to_their_end, pipes)
{
    int ends[2] = {-1, -1};
    HOIST_EXPECT_EQ(t, pipe(ends), 0);
    const pid_t child = write_behind(t, ends, row->size);
    (void)close(ends[1]);
    hoist_failing counting;
    const hoist_allocator alloc = hoist_failing_allocator(&counting, 0);
    hoist_mut_bytes got;
    HOIST_EXPECT_EQ(t, hoist_file_read_fd(ends[0], row->limit, alloc, t->diag, &got), row->want);
    HOIST_EXPECT_RULE(t, row->want == HOIST_OK ? NULL : "OS-004");
    expect_pattern(t, got, row->want == HOIST_OK ? row->size : 0);
    HOIST_EXPECT_EQ(t, counting.live, got.size);
    hoist_free(alloc, got.data, got.size);
    (void)close(ends[0]);
    (void)waitpid(child, NULL, 0);
}

HOIST_TEST(reads_a_fifo_by_name)
{
    char folder[] = "/tmp/hoist-fifo-XXXXXX";
    HOIST_EXPECT(t, mkdtemp(folder) != NULL);
    const hoist_str path = hoist_arena_format(&t->arena, "%s/fifo", folder);
    HOIST_EXPECT_EQ(t, mkfifo(path.data, 0600), 0);
    const pid_t child = fork();
    if (child == 0) {
        const int fd = open(path.data, O_WRONLY);
        _exit(write(fd, "abc", 3) == 3 ? 0 : 1);
    }
    hoist_mut_bytes got;
    HOIST_EXPECT_EQ(t, hoist_file_read(path.data, 0, hoist_allocator_system(), t->diag, &got),
                    HOIST_OK);
    expect_pattern(t, got, 3);
    hoist_free(hoist_allocator_system(), got.data, got.size);
    (void)waitpid(child, NULL, 0);
    (void)unlink(path.data);
    (void)rmdir(folder);
}

HOIST_TEST(reads_files_that_hide_their_size)
{
    hoist_mut_bytes got;
    const hoist_status status =
        hoist_file_read("/proc/self/status", 0, hoist_allocator_system(), t->diag, &got);
    if (status == HOIST_NOT_FOUND) {
        hoist_test_skip(t, "no /proc here");
        return;
    }
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
    HOIST_EXPECT(t, got.size > 100);
    hoist_free(hoist_allocator_system(), got.data, got.size);
}

// The descriptor is after the start, so fewer bytes come than the file's size.
HOIST_TEST(reads_from_where_the_descriptor_stands)
{
    char path[] = "/tmp/hoist-file-XXXXXX";
    make_file(t, path, 100);
    const int fd = open(path, O_RDONLY);
    HOIST_EXPECT_EQ(t, lseek(fd, 52, SEEK_SET), 52);
    hoist_mut_bytes got;
    HOIST_EXPECT_EQ(t, hoist_file_read_fd(fd, 0, hoist_allocator_system(), t->diag, &got),
                    HOIST_OK);
    expect_pattern(t, got, 48);
    hoist_free(hoist_allocator_system(), got.data, got.size);
    HOIST_EXPECT_EQ(t, hoist_file_read_fd(fd, 0, hoist_allocator_system(), t->diag, &got),
                    HOIST_OK);
    HOIST_EXPECT(t, got.size == 0 && !got.data);
    (void)close(fd);
    (void)unlink(path);
}

// clang-format off
static const struct {
    const char *name;
    const char *path;
    hoist_status want;
    const char *finding;
} refused[] = {
    {"absent", "/nonexistent-hoist", HOIST_NOT_FOUND,
     "error: cannot be opened: No such file or directory [OS-001]\n"},
    {"no folder", "/dev/null/x", HOIST_NOT_FOUND,
     "error: cannot be opened: Not a directory [OS-001]\n"},
    {"directory", "/tmp", HOIST_IO, "error: expected a file: Is a directory [OS-002]\n"},
};
// clang-format on

HOIST_TEST_TABLE(says_why_it_cannot_open, refused)
{
    hoist_mut_bytes got = {(uint8_t *)t, 1};
    HOIST_EXPECT_EQ(t, hoist_file_read(row->path, 0, hoist_allocator_system(), t->diag, &got),
                    row->want);
    HOIST_EXPECT(t, !got.data && got.size == 0);
    HOIST_EXPECT_STR(t, hoist_test_findings(t), row->finding);
}

HOIST_TEST(says_that_permission_is_missing)
{
    if (geteuid() == 0) {
        hoist_test_skip(t, "root may read everything");
        return;
    }
    char path[] = "/tmp/hoist-file-XXXXXX";
    make_file(t, path, 1);
    HOIST_EXPECT_EQ(t, chmod(path, 0), 0);
    hoist_mut_bytes got;
    HOIST_EXPECT_EQ(t, hoist_file_read(path, 0, hoist_allocator_system(), t->diag, &got), HOIST_IO);
    HOIST_EXPECT_RULE(t, "OS-001");
    (void)unlink(path);
}

HOIST_TEST(says_that_reading_failed)
{
    int ends[2] = {-1, -1};
    HOIST_EXPECT_EQ(t, pipe(ends), 0);
    hoist_mut_bytes got;
    HOIST_EXPECT_EQ(t, hoist_file_read_fd(ends[1], 0, hoist_allocator_system(), t->diag, &got),
                    HOIST_IO);
    HOIST_EXPECT_RULE(t, "OS-003");
    (void)close(ends[0]);
    (void)close(ends[1]);
    HOIST_EXPECT_EQ(t, hoist_file_read_fd(ends[0], 0, hoist_allocator_system(), t->diag, &got),
                    HOIST_IO);
}

HOIST_TEST(survives_every_failed_allocation)
{
    hoist_status status = HOIST_NO_MEMORY;
    for (size_t n = 1; n < 20 && status == HOIST_NO_MEMORY; n++) {
        int ends[2] = {-1, -1};
        HOIST_EXPECT_EQ(t, pipe(ends), 0);
        const pid_t child = write_behind(t, ends, 140000);
        (void)close(ends[1]);
        hoist_failing failing;
        const hoist_allocator alloc = hoist_failing_allocator(&failing, n);
        hoist_mut_bytes got;
        status = hoist_file_read_fd(ends[0], 0, alloc, NULL, &got);
        HOIST_EXPECT(t, status == HOIST_OK || status == HOIST_NO_MEMORY);
        hoist_free(alloc, got.data, got.size);
        HOIST_EXPECT_EQ(t, failing.live, 0);
        (void)close(ends[0]);
        (void)waitpid(child, NULL, 0);
    }
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
}

// clang-format off
static const struct {
    const char *name;
    size_t size;
    size_t skipped; // bytes read before
    size_t limit;
    hoist_status want;
    bool mapped;
} views[] = {
    {"empty",                     0,             0, 0,           HOIST_OK,    false},
    {"small",                     5000,          0, 0,           HOIST_OK,    false},
    {"just too small",            (1 << 20) - 1, 0, 0,           HOIST_OK,    false},
    {"large",                     1 << 20,       0, 1 << 20,     HOIST_OK,    true },
    {"large, read from already",  1 << 20,       1, 0,           HOIST_OK,    false},
    {"large has no limit",        1 << 20,       0, 1,           HOIST_OK,    true },
    {"beyond the limit",          5000,          0, 4999,        HOIST_LIMIT, false},
};
// clang-format on

HOIST_TEST_TABLE(maps_large_files, views)
{
    char path[] = "/tmp/hoist-file-XXXXXX";
    const int fd = mkstemp(path);
    HOIST_EXPECT(t, fd >= 0);
    HOIST_EXPECT_EQ(t, ftruncate(fd, (off_t)row->size), 0);
    HOIST_EXPECT_EQ(t, lseek(fd, (off_t)row->skipped, SEEK_SET), (off_t)row->skipped);
    const hoist_allocator alloc = hoist_allocator_system();
    hoist_file_view view;
    HOIST_EXPECT_EQ(t, hoist_file_map_fd(fd, row->limit, alloc, t->diag, &view), row->want);
    (void)close(fd);
    HOIST_EXPECT_EQ(t, view.mapped, row->mapped);
    HOIST_EXPECT_EQ(t, view.bytes.size, row->want == HOIST_OK ? row->size - row->skipped : 0);
    for (size_t i = 0; i < view.bytes.size; i += 4096) {
        HOIST_EXPECT_EQ(t, view.bytes.data[i], 0);
    }
    hoist_file_unmap(&view);
    HOIST_EXPECT_EQ(t, view.bytes.size, 0);
    HOIST_EXPECT_EQ(t, hoist_file_map(path, row->limit, alloc, t->diag, &view), row->want);
    hoist_file_unmap(&view);
    (void)unlink(path);
}

HOIST_TEST(maps_nothing_that_is_not_there)
{
    hoist_file_view view;
    HOIST_EXPECT_EQ(t,
                    hoist_file_map("/nonexistent/x", 0, hoist_allocator_system(), t->diag, &view),
                    HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, "OS-001");
    hoist_file_unmap(&view);
    HOIST_EXPECT_EQ(t, hoist_file_map("/tmp", 0, hoist_allocator_system(), t->diag, &view),
                    HOIST_IO);
}

HOIST_TEST(rules_have_titles)
{
    for (size_t i = 0; i < hoist_os_rules.count; i++) {
        HOIST_EXPECT(t, hoist_os_rules.rules[i].id && hoist_os_rules.rules[i].title[0]);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(reads_regular_files), HOIST_TEST_ROW(reads_pipes_to_their_end),
                HOIST_TEST_ROW(reads_a_fifo_by_name),
                HOIST_TEST_ROW(reads_files_that_hide_their_size),
                HOIST_TEST_ROW(reads_from_where_the_descriptor_stands),
                HOIST_TEST_ROW(says_why_it_cannot_open),
                HOIST_TEST_ROW(says_that_permission_is_missing),
                HOIST_TEST_ROW(says_that_reading_failed),
                HOIST_TEST_ROW(survives_every_failed_allocation), HOIST_TEST_ROW(maps_large_files),
                HOIST_TEST_ROW(maps_nothing_that_is_not_there), HOIST_TEST_ROW(rules_have_titles))
