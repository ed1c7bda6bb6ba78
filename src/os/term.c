// Whether a descriptor is a terminal, and its width.
#include "os/term.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool hoist_term_is_tty(int fd)
{
    return isatty(fd) == 1;
}

size_t hoist_term_width(int fd)
{
    struct winsize size = {0};
    return ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}
