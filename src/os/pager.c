// A pager as a process of its own: a shell that reads a pipe.
#include "os/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./";

// Whether `folder`, of so many bytes, has the program.
static bool has_program(const char *folder, size_t size, const char *name, size_t name_size)
{
    char path[4096];
    const int length = snprintf(path, sizeof(path), "%.*s%s%.*s", (int)size, folder,
                                size ? "/" : "", (int)name_size, name);
    return length > 0 && (size_t)length < sizeof(path) && access(path, X_OK) == 0;
}

bool hoist_pager_is_program(const char *command)
{
    command += strspn(command, " \t");
    const size_t size = strspn(command, plain);
    for (const char *rest = command; *rest; rest++) {
        if (!strchr(plain, *rest) && *rest != ' ' && *rest != '\t') {
            return true;
        }
    }
    if (size == 0 || memchr(command, '/', size)) {
        return size > 0 && has_program("", 0, command, size);
    }
    const char *path = getenv("PATH");
    path = path ? path : "/usr/bin:/bin";
    bool found = false;
    while (!found && *path) {
        const size_t folder = strcspn(path, ":");
        found = folder > 0 && has_program(path, folder, command, size);
        path += folder + (path[folder] == ':');
    }
    return found;
}

static bool spawn(const char *command, const int *ends, pid_t *out_pid)
{
    char shell[] = "/bin/sh";
    char option[] = "-c";
    char *const copy = strdup(command);
    char *const arguments[] = {shell, option, copy, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t ignored; // by this process: the pager has them as they were
    (void)sigemptyset(&ignored);
    (void)sigaddset(&ignored, SIGPIPE);
    (void)sigaddset(&ignored, SIGXFSZ);
    bool is_done = copy && posix_spawn_file_actions_init(&actions) == 0;
    if (is_done) {
        is_done = posix_spawnattr_init(&attributes) == 0;
        if (is_done) {
            is_done = posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO) == 0 &&
                      posix_spawnattr_setsigdefault(&attributes, &ignored) == 0 &&
                      posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF) == 0 &&
                      posix_spawn(out_pid, shell, &actions, &attributes, arguments, environ) == 0;
            (void)posix_spawnattr_destroy(&attributes);
        }
        (void)posix_spawn_file_actions_destroy(&actions);
    }
    free(copy);
    return is_done;
}

bool hoist_pager_begin(const char *command, hoist_pager *out_pager)
{
    int ends[2];
    *out_pager = (hoist_pager){.pid = 0, .fd = -1};
    if (pipe2(ends, O_CLOEXEC) != 0) {
        return false;
    }
    pid_t pid = 0;
    const bool is_done = spawn(command, ends, &pid);
    (void)close(ends[0]);
    if (is_done) {
        *out_pager = (hoist_pager){.pid = pid, .fd = ends[1]};
    } else {
        (void)close(ends[1]);
    }
    return is_done;
}

void hoist_pager_end(hoist_pager *pager)
{
    const int fd = pager->fd;
    if (pager->pid <= 0) {
        return;
    }
    pager->fd = -1;
    if (fd >= 0) {
        (void)close(fd);
    }
    // A handler that comes here during the wait waits, too.
    while (waitpid(pager->pid, NULL, 0) < 0 && errno == EINTR) {
    }
    pager->pid = 0;
}
