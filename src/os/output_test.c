#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/output.h"
#include "os/term.h"
#include "testing/test.h"

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

// Opens `out` on a pipe that nobody reads, with something to write; the end it writes to.
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

HOIST_TEST(created_files_are_emptied_first)
{
    char path[] = "/tmp/hoist-output-XXXXXX";
    HOIST_EXPECT_EQ(t, close(mkstemp(path)), 0);
    for (int i = 0; i < 2; i++) {
        hoist_output out;
        HOIST_EXPECT_EQ(t, hoist_output_create(&out, path, t->diag), HOIST_OK);
        hoist_output_c(&out, i ? "b" : "longer");
        HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_test_file(t, path).size, 1);
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT_EQ(t, unlink(path), 0);
}

// clang-format off
static const struct {
    const char *name;
    const char *path;
    hoist_status want;
} refused[] = {
    {"folder is absent", "/nonexistent-hoist/a", HOIST_NOT_FOUND},
    {"directory",        "/tmp",                 HOIST_IO},
};
// clang-format on

HOIST_TEST_TABLE(says_why_it_cannot_create, refused)
{
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, row->path, t->diag), row->want);
    HOIST_EXPECT_RULE(t, "OS-001");
    hoist_output_c(&out, "nobody gets this");
    HOIST_EXPECT_EQ(t, hoist_output_close(&out, t->diag), HOIST_IO);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
}

HOIST_TEST(close_reports_the_first_failure)
{
    hoist_output out;
    HOIST_EXPECT_EQ(t, hoist_output_create(&out, "/dev/full", t->diag), HOIST_OK);
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

HOIST_TEST_MAIN(HOIST_TEST_ROW(everything_arrives_in_order),
                HOIST_TEST_ROW(full_disk_is_remembered), HOIST_TEST_ROW(closed_pipe_is_told_apart),
                HOIST_TEST_ROW(created_files_are_emptied_first),
                HOIST_TEST_ROW(says_why_it_cannot_create),
                HOIST_TEST_ROW(close_reports_the_first_failure),
                HOIST_TEST_ROW(close_is_silent_about_a_closed_pipe),
                HOIST_TEST_ROW(a_failed_close_is_a_failure))
