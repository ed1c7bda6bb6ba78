// Temporary names that are locked while their writer lives (flock), swept when it was killed, and
// removed by signal handlers.
#include "os/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/span.h"
#include "os/drain.h"

enum {
    TRIES = 100, // to get an unused name, and to keep it
    DIGITS = 16,
};

static const char MARK[] = ".hoist-";
static const char END[] = ".tmp";
enum { TAIL = sizeof(MARK) - 1 + DIGITS + sizeof(END) - 1 };

// The list ---------------------------------------------------------------------------------------

void hoist_temporaries_enter(hoist_temporaries *list, sigset_t *out_mask)
{
    if (!list) {
        return;
    }
    // All that a handler may be for; a fault in here would be our own.
    sigset_t mask;
    (void)sigfillset(&mask);
    (void)sigdelset(&mask, SIGBUS);
    (void)sigdelset(&mask, SIGSEGV);
    (void)sigdelset(&mask, SIGABRT);
    (void)pthread_sigmask(SIG_BLOCK, &mask, out_mask);
    while (atomic_exchange(&list->busy, true)) {
        (void)poll(NULL, 0, 1); // unlike a mutex it may be waited for in a signal handler
    }
}

void hoist_temporaries_leave(hoist_temporaries *list, const sigset_t *mask)
{
    if (list) {
        atomic_store(&list->busy, false);
        (void)pthread_sigmask(SIG_SETMASK, mask, NULL);
    }
}

static void link_out(hoist_temporary *t)
{
    hoist_temporary **at = t->list ? &t->list->first : NULL;
    while (at && *at && *at != t) {
        at = &(*at)->next;
    }
    if (at && *at) {
        *at = t->next;
    }
}

// Takes the entry from the file system.
static void erase(const hoist_temporary *t)
{
    if (t->is_folder) {
        (void)hoist_drain(t->fd, -1);
    }
    (void)unlinkat(t->parent, t->name, t->is_folder ? AT_REMOVEDIR : 0);
}

void hoist_temporaries_remove(hoist_temporaries *list)
{
    sigset_t mask;
    hoist_temporaries_enter(list, &mask);
    for (const hoist_temporary *t = list->first; t; t = t->next) {
        erase(t);
    }
}

// Names ------------------------------------------------------------------------------------------

// ".NAME.hoist-" of the target; of a long name as much as leaves space for the rest.
static void write_stem(const char *target, char out[NAME_MAX + 1])
{
    const size_t most = NAME_MAX - 1 - TAIL;
    const size_t kept = hoist_str_cut(hoist_str_from(target), most);
    (void)snprintf(out, NAME_MAX + 1, "%s%.*s%s", *target ? "." : "", (int)kept, target, MARK);
}

static bool write_name(const char *target, char out[NAME_MAX + 1])
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof(number), 0) != (ssize_t)sizeof(number)) {
        return false;
    }
    write_stem(target, out);
    const size_t used = strlen(out);
    (void)snprintf(out + used, NAME_MAX + 1 - used, "%0*llx%s", DIGITS, (unsigned long long)number,
                   END);
    return true;
}

// Whether the name ends as a temporary one, from the digits on.
static bool has_tail(const char *tail)
{
    return strspn(tail, "0123456789abcdef") == DIGITS && strcmp(tail + DIGITS, END) == 0;
}

bool hoist_temporary_is_name(const char *entry)
{
    const size_t size = strlen(entry);
    const char *const tail = size < TAIL ? NULL : entry + size - TAIL;
    return tail && entry[0] == '.' && strncmp(tail, MARK, sizeof(MARK) - 1) == 0 &&
           has_tail(tail + sizeof(MARK) - 1);
}

// Creation ---------------------------------------------------------------------------------------

// Opens what was created just now, with the lock. 0; EEXIST: a sweep of another process took it in
// the moment before, another name may do; or the errno of what stopped it.
static int hold(hoist_temporary *t)
{
    struct stat st;
    if (t->is_folder) {
        t->fd = openat(t->parent, t->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    if (t->fd < 0) {
        return errno == ENOENT ? EEXIST : errno;
    }
    // Where there are no locks no process sweeps.
    const bool is_held = flock(t->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    return is_held && fstat(t->fd, &st) == 0 && st.st_nlink > 0 ? 0 : EEXIST;
}

static int create(hoist_temporary *t, mode_t mode)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
    int made = 0;
    if (t->is_folder) {
        made = mkdirat(t->parent, t->name, 0777);
    } else {
        made = t->fd = openat(t->parent, t->name, flags, mode);
    }
    const int error = made < 0 ? errno : hold(t);
    if (error && made >= 0) {
        (void)unlinkat(t->parent, t->name, t->is_folder ? AT_REMOVEDIR : 0);
        (void)(t->fd < 0 ? 0 : close(t->fd));
        t->fd = -1;
    }
    return error;
}

int hoist_temporary_create(hoist_temporary *out, hoist_temporaries *list, int parent,
                           const char *name, mode_t mode)
{
    *out = (hoist_temporary){.list = list, .parent = parent, .fd = -1, .is_folder = mode == 0};
    hoist_temporary_sweep(parent, name);
    int error = EEXIST;
    for (int i = 0; i < TRIES && error == EEXIST; i++) {
        sigset_t mask;
        if (!write_name(name, out->name)) {
            error = errno;
            break;
        }
        hoist_temporaries_enter(list, &mask);
        error = create(out, mode);
        if (!error) {
            if (out->list) {
                out->next = out->list->first;
                out->list->first = out;
            }
        }
        hoist_temporaries_leave(list, &mask);
    }
    if (error) {
        (void)close(parent);
        out->parent = -1;
    }
    return error;
}

// The end ----------------------------------------------------------------------------------------

static void finish(hoist_temporary *t)
{
    (void)close(t->fd);
    (void)close(t->parent);
    t->fd = t->parent = -1;
}

int hoist_temporary_rename(hoist_temporary *temporary, int parent, const char *name)
{
    sigset_t mask;
    hoist_temporaries_enter(temporary->list, &mask);
    const int error = renameat(temporary->parent, temporary->name, parent, name) == 0 ? 0 : errno;
    if (!error) {
        link_out(temporary);
    }
    hoist_temporaries_leave(temporary->list, &mask);
    if (!error) {
        finish(temporary);
    }
    return error;
}

int hoist_temporary_spill(hoist_temporary *temporary, int parent, const char *marker)
{
    sigset_t mask;
    hoist_temporaries_enter(temporary->list, &mask);
    int error = renameat(temporary->parent, temporary->name, parent, marker) == 0 ? 0 : errno;
    const bool is_renamed = !error;
    if (is_renamed) {
        link_out(temporary);
        error = hoist_drain(temporary->fd, parent);
    }
    if (!error && unlinkat(parent, marker, AT_REMOVEDIR) != 0) {
        error = errno;
    }
    hoist_temporaries_leave(temporary->list, &mask);
    if (is_renamed) {
        finish(temporary);
    }
    return error;
}

void hoist_temporary_drop(hoist_temporary *temporary)
{
    if (temporary->parent < 0) {
        return;
    }
    sigset_t mask;
    hoist_temporaries_enter(temporary->list, &mask);
    erase(temporary);
    link_out(temporary);
    hoist_temporaries_leave(temporary->list, &mask);
    finish(temporary);
}

// What was left ----------------------------------------------------------------------------------

// Removes an entry unless a process holds it or it is another user's.
static void sweep_entry(int parent, const char *name)
{
    struct stat st;
    // Not to wait for the other end of a FIFO.
    const int fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return;
    }
    if (fstat(fd, &st) == 0 && st.st_uid == geteuid() && flock(fd, LOCK_EX | LOCK_NB) == 0) {
        if (S_ISDIR(st.st_mode)) {
            (void)hoist_drain(fd, -1);
        }
        if (S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)) {
            (void)unlinkat(parent, name, S_ISDIR(st.st_mode) ? AT_REMOVEDIR : 0);
        }
    }
    (void)close(fd);
}

void hoist_temporary_sweep(int parent, const char *name)
{
    char stem[NAME_MAX + 1];
    hoist_entries entries;
    write_stem(name, stem);
    const size_t size = strlen(stem);
    const int fd = openat(parent, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return; // a folder that may be written, but not read
    }
    hoist_entries_begin(&entries, fd);
    for (const char *entry; (entry = hoist_entries_next(&entries));) {
        if (strncmp(entry, stem, size) == 0 && has_tail(entry + size)) {
            sweep_entry(parent, entry);
        }
    }
    (void)close(fd);
}
