#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/output.h"
#include "os/scratch_testing.h"
#include "os/term.h"

HOIST_TEST(everything_arrives_in_order)
{
    int ends[2];
    HOIST_EXPECT_EQ(t, pipe(ends), 0);
    hoist_output out;
    hoist_output_init(&out, ends[1]);
    uint8_t block[9000];
    memset(block, 'x', sizeof(block));
    hoist_output_c(&out, "a");
    hoist_output_format(&out, "%d", 42);
    hoist_output_add(&out, (hoist_bytes){block, sizeof(block)});
    hoist_output_c(&out, "z");
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_OK);
    HOIST_EXPECT_EQ(t, close(ends[1]), 0);
    char got[10000];
    size_t size = 0;
    for (ssize_t n = 1; n > 0 && size < sizeof(got);) {
        n = read(ends[0], got + size, sizeof(got) - size);
        size += n > 0 ? (size_t)n : 0;
    }
    HOIST_EXPECT_EQ(t, size, 9004);
    HOIST_EXPECT(t, memcmp(got, "a42x", 4) == 0 && got[9003] == 'z');
    HOIST_EXPECT_EQ(t, close(ends[0]), 0);
}

// Interrupts the thread that writes once the pipe is full, then reads all.
typedef struct slow_reader {
    int fd;
    pthread_t writer;
    size_t size;
    bool is_right; // byte number i is i % 251
} slow_reader;

static void *read_slowly(void *self)
{
    slow_reader *const reader = self;
    uint8_t got[4096];
    int waiting = 0;
    for (int before = -1; before != waiting || waiting == 0;) {
        before = waiting;
        (void)usleep(20000);
        (void)ioctl(reader->fd, FIONREAD, &waiting);
    }
    (void)pthread_kill(reader->writer, SIGUSR1);
    (void)usleep(20000);
    reader->is_right = true;
    for (ssize_t n = 1; n > 0;) {
        n = read(reader->fd, got, sizeof(got));
        for (ssize_t i = 0; i < n; i++) {
            reader->is_right = reader->is_right && got[i] == reader->size++ % 251;
        }
    }
    return NULL;
}

static void ignore(int number)
{
    (void)number;
}

// A signal ends a write that the pipe has taken a part of: the rest follows.
HOIST_TEST(short_writes_go_on)
{
    static uint8_t block[1 << 20];
    const struct sigaction ignored = {.sa_handler = ignore};
    int ends[2];
    pthread_t thread;
    hoist_output out;
    for (size_t i = 0; i < sizeof(block); i++) {
        block[i] = (uint8_t)(i % 251);
    }
    HOIST_EXPECT_EQ(t, sigaction(SIGUSR1, &ignored, NULL), 0);
    HOIST_EXPECT_EQ(t, pipe(ends), 0);
    slow_reader reader = {.fd = ends[0], .writer = pthread_self()};
    HOIST_EXPECT_EQ(t, pthread_create(&thread, NULL, read_slowly, &reader), 0);
    hoist_output_init(&out, ends[1]);
    hoist_output_add(&out, (hoist_bytes){block, sizeof(block)});
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_OK);
    HOIST_EXPECT_EQ(t, close(ends[1]), 0);
    HOIST_EXPECT_EQ(t, pthread_join(thread, NULL), 0);
    HOIST_EXPECT_EQ(t, reader.size, sizeof(block));
    HOIST_EXPECT(t, reader.is_right);
    HOIST_EXPECT_EQ(t, close(ends[0]), 0);
}

HOIST_TEST(full_disk_is_remembered)
{
    const int fd = open("/dev/full", O_WRONLY | O_CLOEXEC);
    hoist_output out;
    hoist_output_init(&out, fd);
    hoist_output_c(&out, "text");
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_IO);
    hoist_output_c(&out, "dropped");
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_IO);
    HOIST_EXPECT_EQ(t, hoist_output_error(&out), ENOSPC);
    HOIST_EXPECT(t, !hoist_output_closed_pipe(&out));
    HOIST_EXPECT_EQ(t, close(fd), 0);
}

// Opens `out` on a pipe without a reader, with something to write; the end it writes to.
static int open_unread(hoist_test *t, hoist_output *out)
{
    (void)signal(SIGPIPE, SIG_IGN);
    int ends[2];
    HOIST_EXPECT_EQ(t, pipe(ends), 0);
    HOIST_EXPECT_EQ(t, close(ends[0]), 0);
    hoist_output_init(out, ends[1]);
    hoist_output_c(out, "nobody reads");
    return ends[1];
}

HOIST_TEST(closed_pipe_is_told_apart)
{
    hoist_output out;
    const int end = open_unread(t, &out);
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_IO);
    HOIST_EXPECT(t, hoist_output_closed_pipe(&out));
    HOIST_EXPECT(t, !hoist_term_is_tty(end));
    HOIST_EXPECT_EQ(t, hoist_term_width(end), 0);
    HOIST_EXPECT_EQ(t, close(end), 0);
}

// Writes `text` to the file; with the status of the end.
static hoist_status save(hoist_test *t, const char *path, const char *text)
{
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, path, NULL, t->diag), HOIST_OK);
    hoist_output_c(&out, text);
    const hoist_status status = hoist_output_close(&out, t->diag);
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), status);
    return status;
}

HOIST_TEST(files_are_replaced_when_they_are_complete)
{
    scratch s;
    scratch_make(t, &s);
    const char *const path = scratch_path(t, &s, "out");
    HOIST_EXPECT_EQ(t, save(t, path, "longer"), HOIST_OK);
    HOIST_EXPECT_EQ(t, chmod(path, 0640), 0);
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, path, NULL, t->diag), HOIST_OK);
    hoist_output_c(&out, "b");
    HOIST_EXPECT_EQ(t, hoist_output_flush(&out), HOIST_OK);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out"), "longer");
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out"), "b");
    struct stat st;
    HOIST_EXPECT(t, stat(path, &st) == 0 && (st.st_mode & 07777) == 0640);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    HOIST_EXPECT_RULE(t, NULL);
    scratch_drop(&s);
}

// A process whose standard input is closed opens a device as descriptor 0.
HOIST_TEST(closes_descriptor_0)
{
    const int kept = dup(STDIN_FILENO);
    (void)close(STDIN_FILENO);
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, "/dev/full", NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.fd, 0);
    hoist_output_c(&out, "text");
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_IO);
    HOIST_EXPECT_EQ(t, fcntl(STDIN_FILENO, F_GETFD), -1);
    if (kept >= 0) {
        HOIST_EXPECT_EQ(t, dup2(kept, STDIN_FILENO), STDIN_FILENO);
        (void)close(kept);
    }
}

HOIST_TEST(dropped_files_leave_the_old_one)
{
    scratch s;
    scratch_make(t, &s);
    scratch_put(t, &s, "out", "old");
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, scratch_path(t, &s, "out"), NULL, t->diag),
                    HOIST_OK);
    hoist_output_c(&out, "new");
    hoist_output_drop(&out);
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_OK);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out"), "old");
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    scratch_drop(&s);
}

HOIST_TEST(files_that_may_not_grow_leave_the_old_one)
{
    scratch s;
    scratch_make(t, &s);
    scratch_put(t, &s, "out", "old");
    struct rlimit before;
    HOIST_EXPECT_EQ(t, getrlimit(RLIMIT_FSIZE, &before), 0);
    (void)signal(SIGXFSZ, SIG_IGN);
    const struct rlimit least = {.rlim_cur = 2, .rlim_max = before.rlim_max};
    HOIST_EXPECT_EQ(t, setrlimit(RLIMIT_FSIZE, &least), 0);
    const hoist_status status = save(t, scratch_path(t, &s, "out"), "new and longer");
    HOIST_EXPECT_EQ(t, setrlimit(RLIMIT_FSIZE, &before), 0);
    HOIST_EXPECT_EQ(t, status, HOIST_IO);
    HOIST_EXPECT_RULE(t, "OS-005");
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "out"), "old");
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    scratch_drop(&s);
}

// clang-format off
static const struct {
    const char *name;
    const char *target; // of the link "link"
    const char *made;   // the file that is written
} links[] = {
    {"to a file",            "old",        "old"},
    {"that dangles",         "new",        "new"},
    {"to another folder",    "folder/new", "folder/new"},
    {"to a link",            "second",     "folder/old"},
};
// clang-format on

HOIST_TEST_TABLE(links_are_followed, links)
{
    scratch s;
    scratch_make(t, &s);
    HOIST_EXPECT_EQ(t, mkdir(scratch_path(t, &s, "folder"), 0777), 0);
    scratch_put(t, &s, "old", "old");
    scratch_put(t, &s, "folder/old", "old");
    HOIST_EXPECT_EQ(t, symlink(row->target, scratch_path(t, &s, "link")), 0);
    HOIST_EXPECT_EQ(t, symlink(scratch_path(t, &s, "folder/old"), scratch_path(t, &s, "second")),
                    0);
    HOIST_EXPECT_EQ(t, save(t, scratch_path(t, &s, "link"), "new"), HOIST_OK);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, row->made), "new");
    struct stat st;
    HOIST_EXPECT(t, lstat(scratch_path(t, &s, "link"), &st) == 0 && S_ISLNK(st.st_mode));
    scratch_drop(&s);
}

// Before: "OUT.part" was written on the way, whatever it was.
HOIST_TEST(names_beside_the_file_do_not_matter)
{
    scratch s;
    scratch_make(t, &s);
    scratch_put(t, &s, "other", "old");
    HOIST_EXPECT_EQ(t, mkfifo(scratch_path(t, &s, "a.part"), 0600), 0);
    HOIST_EXPECT_EQ(t, symlink("other", scratch_path(t, &s, "b.part")), 0);
    HOIST_EXPECT_EQ(t, save(t, scratch_path(t, &s, "a"), "new"), HOIST_OK);
    HOIST_EXPECT_EQ(t, save(t, scratch_path(t, &s, "b"), "new"), HOIST_OK);
    HOIST_EXPECT_STR(t, scratch_get(t, &s, "other"), "old");
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 5);
    scratch_drop(&s);
}

HOIST_TEST(files_that_may_not_be_written_are_refused)
{
    if (geteuid() == 0) {
        hoist_test_skip(t, "root may write any file");
    }
    scratch s;
    scratch_make(t, &s);
    scratch_put(t, &s, "out", "old");
    HOIST_EXPECT_EQ(t, chmod(scratch_path(t, &s, "out"), 0444), 0);
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, scratch_path(t, &s, "out"), NULL, t->diag),
                    HOIST_IO);
    HOIST_EXPECT_EQ(t, scratch_count(t, &s, "."), 1);
    scratch_drop(&s);
}

// clang-format off
static const struct {
    const char *name;
    const char *path;
    hoist_status want;
} refused[] = {
    {"folder is absent", "/nonexistent-hoist/a", HOIST_NOT_FOUND},
    {"directory",        "/tmp",                 HOIST_IO},
    {"ends in a slash",  "/tmp/nonexistent-hoist/", HOIST_IO},
    {"empty",            "",                     HOIST_NOT_FOUND},
    {"leads nowhere",    "/proc/self/nonexistent", HOIST_NOT_FOUND},
};
// clang-format on

HOIST_TEST_TABLE(says_why_it_cannot_create, refused)
{
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, row->path, NULL, t->diag), row->want);
    HOIST_EXPECT_RULE(t, "OS-001");
    hoist_output_c(&out, "nobody gets this");
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_IO);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
}

HOIST_TEST(close_reports_the_first_failure)
{
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, "/dev/full", NULL, t->diag), HOIST_OK);
    hoist_output_c(&out, "text");
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_IO);
    HOIST_EXPECT_STR(t, hoist_test_findings(t),
                     "error: cannot be written: No space left on device [OS-005]\n");
}

HOIST_TEST(close_is_silent_about_a_closed_pipe)
{
    hoist_output out;
    (void)open_unread(t, &out);
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_IO);
    HOIST_EXPECT(t, hoist_output_closed_pipe(&out));
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST(a_failed_close_is_a_failure)
{
    int ends[2];
    HOIST_EXPECT_EQ(t, pipe(ends), 0);
    hoist_output out;
    hoist_output_init(&out, ends[1]);
    HOIST_EXPECT_EQ(t, close(ends[1]), 0);
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_IO);
    HOIST_EXPECT_RULE(t, "OS-005");
    HOIST_EXPECT_EQ(t, close(ends[0]), 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(everything_arrives_in_order), HOIST_TEST_ROW(short_writes_go_on),
                HOIST_TEST_ROW(full_disk_is_remembered), HOIST_TEST_ROW(closed_pipe_is_told_apart),
                HOIST_TEST_ROW(files_are_replaced_when_they_are_complete),
                HOIST_TEST_ROW(closes_descriptor_0),
                HOIST_TEST_ROW(dropped_files_leave_the_old_one),
                HOIST_TEST_ROW(files_that_may_not_grow_leave_the_old_one),
                HOIST_TEST_ROW(links_are_followed),
                HOIST_TEST_ROW(names_beside_the_file_do_not_matter),
                HOIST_TEST_ROW(files_that_may_not_be_written_are_refused),
                HOIST_TEST_ROW(says_why_it_cannot_create),
                HOIST_TEST_ROW(close_reports_the_first_failure),
                HOIST_TEST_ROW(close_is_silent_about_a_closed_pipe),
                HOIST_TEST_ROW(a_failed_close_is_a_failure))
