#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "os/term.h"
#include "testing/test.h"

HOIST_TEST(pipes_and_files_are_no_terminals)
{
    int ends[2] = {-1, -1};
    HOIST_EXPECT_EQ(t, pipe(ends), 0);
    HOIST_EXPECT(t, !hoist_term_is_tty(ends[1]));
    HOIST_EXPECT_EQ(t, hoist_term_width(ends[1]), 0);
    (void)close(ends[0]);
    (void)close(ends[1]);
    HOIST_EXPECT(t, !hoist_term_is_tty(-1));
    HOIST_EXPECT_EQ(t, hoist_term_width(-1), 0);
}

HOIST_TEST(a_terminal_says_its_width)
{
    const int master = posix_openpt(O_RDWR | O_NOCTTY);
    const char *name =
        master >= 0 && grantpt(master) == 0 && unlockpt(master) == 0 ? ptsname(master) : NULL;
    const int fd = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    if (fd < 0) {
        hoist_test_skip(t, "no pseudo terminal here");
        return;
    }
    const struct winsize size = {.ws_row = 24, .ws_col = 132};
    HOIST_EXPECT_EQ(t, ioctl(fd, TIOCSWINSZ, &size), 0);
    HOIST_EXPECT(t, hoist_term_is_tty(fd));
    HOIST_EXPECT_EQ(t, hoist_term_width(fd), 132);
    (void)close(fd);
    (void)close(master);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pipes_and_files_are_no_terminals),
                HOIST_TEST_ROW(a_terminal_says_its_width))
