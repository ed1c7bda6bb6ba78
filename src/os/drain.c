// Empties or moves the content of a folder with system calls alone, so that signal handlers can
// call it: no memory, no recursion, a path of fixed size.
#include "os/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Network file systems give an entry that a process has open a new name when it is removed: such a
// folder is never empty.
enum { MAX_PASSES = 1000 };

// As the kernel writes it (getdents(2)); the name is of any length.
typedef struct raw_entry {
    uint64_t inode;
    int64_t offset;
    uint16_t size;
    uint8_t type;
    char name[];
} raw_entry;

void hoist_entries_begin(hoist_entries *entries, int fd)
{
    entries->fd = fd;
    entries->size = entries->at = entries->error = 0;
    (void)lseek(fd, 0, SEEK_SET);
}

const char *hoist_entries_next(hoist_entries *entries)
{
    for (;;) {
        if (entries->at == entries->size) {
            // readdir() allocates, which a signal handler may not.
            entries->size =
                (int)syscall(SYS_getdents64, entries->fd, entries->buffer, sizeof(entries->buffer));
            entries->at = 0;
        }
        if (entries->size <= 0) {
            entries->error = entries->size < 0 ? errno : 0;
            entries->size = 0;
            return NULL;
        }
        const raw_entry *const entry = (const void *)(entries->buffer + entries->at);
        entries->at += entry->size;
        if (strcmp(entry->name, ".") != 0 && strcmp(entry->name, "..") != 0) {
            return entry->name;
        }
    }
}

typedef struct drain {
    int from;
    int to; // -1: nothing is kept
    size_t size;
    char path[PATH_MAX]; // of the folder that is emptied, below both; '\0' between its parts
} drain;

// The folder at d->path below `top`; -1 with errno.
static int walk(const drain *d, int top)
{
    int fd = openat(top, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (size_t at = 0; fd >= 0 && at < d->size; at += strlen(d->path + at) + 1) {
        const int outer = fd;
        fd = openat(outer, d->path + at, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        const int error = errno;
        (void)close(outer);
        errno = error;
    }
    return fd;
}

static bool enter(drain *d, const char *name)
{
    const size_t size = strlen(name) + 1;
    if (size > sizeof(d->path) - d->size) {
        return false;
    }
    memcpy(d->path + d->size, name, size);
    d->size += size;
    return true;
}

// Takes an entry out of `from`. 0; ENOTEMPTY: it is a folder that has to be emptied first; or the
// errno of what stopped it.
static int take(int from, int to, const char *name)
{
    const int done = to < 0 ? unlinkat(from, name, 0) : renameat(from, name, to, name);
    const bool is_folder = done != 0 && (to < 0 ? errno == EISDIR || errno == EPERM
                                                : errno == ENOTEMPTY || errno == EEXIST);
    if (done == 0 || (is_folder && unlinkat(from, name, AT_REMOVEDIR) == 0) || errno == ENOENT) {
        return 0;
    }
    return is_folder && errno == EEXIST ? ENOTEMPTY : errno;
}

// Takes out what is in `from` until nothing is left. 0; ENOTEMPTY: `out_child` is a folder that has
// to be emptied first; or the errno of what stopped it.
static int empty(int from, int to, char out_child[NAME_MAX + 1])
{
    for (int pass = 0; pass < MAX_PASSES; pass++) {
        hoist_entries entries;
        hoist_entries_begin(&entries, from);
        const char *name = hoist_entries_next(&entries);
        if (!name) {
            return entries.error;
        }
        for (; name; name = hoist_entries_next(&entries)) {
            const int error = take(from, to, name);
            if (error) {
                (void)strncpy(out_child, name, NAME_MAX);
                out_child[NAME_MAX] = '\0';
                return error;
            }
        }
    }
    return EBUSY;
}

// Goes one folder up or down. 0, EINPROGRESS: there is more to do, or the errno of what stopped it.
static int step(drain *d)
{
    char child[NAME_MAX + 1];
    const int from = walk(d, d->from);
    const int to = from >= 0 && d->to >= 0 ? walk(d, d->to) : -1;
    int error = from < 0 || (to < 0 && d->to >= 0) ? errno : empty(from, to, child);
    if (error == ENOTEMPTY) {
        error = enter(d, child) ? EINPROGRESS : ENAMETOOLONG;
    } else if (!error && d->size) {
        d->size--;
        while (d->size && d->path[d->size - 1]) {
            d->size--;
        }
        error = EINPROGRESS;
    }
    if (from >= 0) {
        (void)close(from);
    }
    if (to >= 0) {
        (void)close(to);
    }
    return error;
}

int hoist_drain(int from, int to)
{
    drain d = {.from = from, .to = to};
    int error = EINPROGRESS;
    while (error == EINPROGRESS) {
        error = step(&d);
    }
    return error;
}
