// os/pager.h - a pager: a command that shows on a terminal what it reads from a pipe.
#ifndef HOIST_SRC_OS_PAGER_H
#define HOIST_SRC_OS_PAGER_H

#include <sys/types.h>

#include "hoist/base.h"

typedef struct hoist_pager {
    pid_t pid; // of the shell that runs it; 0: there is none
    int fd;    // the end of the pipe that is written; owned
} hoist_pager;

// Whether the first word of a shell command is a program: a file that may be executed, by its path
// or in a folder of PATH. True for a command that has more than words, which only a shell knows.
bool hoist_pager_is_program(const char *command);
// Runs `command` with /bin/sh; it reads what is written to `out_pager->fd`. False when it could not
// be started; `*out_pager` is zero then.
bool hoist_pager_begin(const char *command, hoist_pager *out_pager);
// Ends its input, and waits for its end. May be called in a signal handler. A second call does
// nothing.
void hoist_pager_end(hoist_pager *pager);

#endif // HOIST_SRC_OS_PAGER_H
