// Buffered output to a descriptor, which remembers its first failure; and new files that replace
// old ones by rename (temporary.c).
#include "os/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/span.h"
#include "os/os_rules.h"

enum { MAX_LINKS = 40 }; // one after the other, as Linux follows them

void hoist_output_init(hoist_output *out, int fd)
{
    out->fd = fd;
    out->error = 0;
    out->temporary = (hoist_temporary){.parent = -1, .fd = -1};
    out->mode = 0;
    out->watch = NULL;
    out->used = 0;
}

// Creation ---------------------------------------------------------------------------------------

// Bytes of the path before its last part.
static size_t folder_size(const char *path)
{
    const char *const slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

// Follows the last part of `path` while it is a link: the file may be absent. 0 or an errno.
static int follow(const char *path, char out[PATH_MAX])
{
    char target[PATH_MAX];
    size_t base = 0;
    int size = snprintf(out, PATH_MAX, "%s", path);
    for (int i = 0; size >= 0 && size < PATH_MAX; i++) {
        const ssize_t got = readlink(out, target, sizeof(target));
        if (got < 0) {
            return 0; // no link; why it cannot be written shows when it is
        }
        if (i == MAX_LINKS) {
            return ELOOP;
        }
        base = got && target[0] == '/' ? 0 : folder_size(out);
        size = snprintf(out + base, PATH_MAX - base, "%.*s", (int)got, target);
        size = size < 0 ? size : size + (int)base;
    }
    return ENAMETOOLONG;
}

// Opens the folder of `path` and gives the last part; -1 with errno. Searching is enough.
static int open_parent(char path[PATH_MAX], char out_name[NAME_MAX + 1])
{
    const size_t size = folder_size(path);
    const int length = snprintf(out_name, NAME_MAX + 1, "%s", path + size);
    if (length <= 0 || length > NAME_MAX) {
        errno = length > 0 ? ENAMETOOLONG : *path ? EISDIR : ENOENT;
        return -1;
    }
    path[size] = '\0';
    return open(size ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
}

// Begins a file that is absent or will be replaced. 0 or an errno.
static int begin(hoist_output *out, const char *path, hoist_temporaries *list)
{
    char last[PATH_MAX];
    struct stat st;
    const int error = follow(path, last);
    const int parent = error ? -1 : open_parent(last, out->name);
    if (parent < 0) {
        return error ? error : errno;
    }
    if (fstatat(parent, out->name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        out->mode = st.st_mode;
        if (faccessat(parent, out->name, W_OK, AT_EACCESS) != 0) {
            const int denied = errno;
            (void)close(parent);
            return denied;
        }
    }
    // No other user can open it before it has the permissions of the old file.
    return hoist_temporary_create(&out->temporary, list, parent, out->name,
                                  out->mode ? 0600 : 0666);
}

hoist_status hoist_output_create(hoist_output *out, const char *path, hoist_temporaries *list,
                                 hoist_diag *diag)
{
    struct stat st;
    hoist_output_init(out, -1);
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
        out->fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
        out->error = out->fd < 0 ? errno : 0;
    } else {
        out->error = begin(out, path, list);
        out->fd = out->temporary.fd;
    }
    return out->error ? hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be written", out->error)
                      : HOIST_OK;
}

// Writing ----------------------------------------------------------------------------------------

// Over short writes and interruptions.
static void write_bytes(hoist_output *out, hoist_bytes bytes)
{
    while (bytes.size && !out->error) {
        const ssize_t written = write(out->fd, bytes.data, bytes.size);
        if (written >= 0) {
            bytes.data += written;
            bytes.size -= (size_t)written;
        } else if (errno != EINTR) {
            out->error = errno;
        }
    }
}

static void write_all(hoist_output *out, hoist_bytes bytes)
{
    const hoist_output_watch *const watch = bytes.size && !out->error ? out->watch : NULL;
    if (watch) {
        watch->before(watch->self, out);
    }
    write_bytes(out, bytes);
    if (watch) {
        watch->after(watch->self, out, bytes);
    }
}

hoist_status hoist_output_flush(hoist_output *out)
{
    write_all(out, (hoist_bytes){out->buffer, out->used});
    out->used = 0;
    return out->error ? HOIST_IO : HOIST_OK;
}

void hoist_output_add(hoist_output *out, hoist_bytes bytes)
{
    if (out->error || bytes.size == 0) {
        return;
    }
    if (bytes.size > sizeof(out->buffer) - out->used) {
        (void)hoist_output_flush(out);
    }
    if (bytes.size >= sizeof(out->buffer)) {
        write_all(out, bytes);
        return;
    }
    memcpy(out->buffer + out->used, bytes.data, bytes.size);
    out->used += bytes.size;
}

void hoist_output_str(hoist_output *out, hoist_str text)
{
    hoist_output_add(out, (hoist_bytes){(const uint8_t *)text.data, text.size});
}

void hoist_output_c(hoist_output *out, const char *text)
{
    hoist_output_str(out, hoist_str_from(text));
}

void hoist_output_vformat(hoist_output *out, const char *format, va_list args)
{
    char text[4096];
    const int size = vsnprintf(text, sizeof(text), format, args);
    if (size > 0) {
        const size_t kept = (size_t)size < sizeof(text) ? (size_t)size : sizeof(text) - 1;
        hoist_output_str(out, (hoist_str){text, kept});
    }
}

void hoist_output_format(hoist_output *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    hoist_output_vformat(out, format, args);
    va_end(args);
}

// Gives the complete file its name, after everything that it has on its device: else the name may
// survive a loss of power, and the content not.
static void complete(hoist_output *out)
{
    if (!out->error && fsync(out->fd) != 0 && errno != EINVAL && errno != EROFS) {
        out->error = errno;
    }
    if (!out->error && out->mode) {
        (void)fchmod(out->fd,
                     out->mode & 0777); // where a file system has none, there is nothing to keep
    }
    if (!out->error) {
        out->error = hoist_temporary_rename(&out->temporary, out->temporary.parent, out->name);
    }
    hoist_temporary_drop(&out->temporary);
}

hoist_status hoist_output_close(hoist_output *out, hoist_diag *diag)
{
    if (out->fd < 0) {
        return out->error ? HOIST_IO : HOIST_OK;
    }
    (void)hoist_output_flush(out);
    if (out->temporary.parent >= 0) {
        complete(out);
    } else if (close(out->fd) != 0 && errno != EINTR && !out->error) {
        // Not repeated after EINTR: on Linux the descriptor is gone by then.
        out->error = errno;
    }
    out->fd = -1;
    if (out->error && !hoist_output_closed_pipe(out)) {
        (void)hoist_os_fail(diag, HOIST_OS_WRITE, "cannot be written", out->error);
    }
    return out->error ? HOIST_IO : HOIST_OK;
}

void hoist_output_drop(hoist_output *out)
{
    if (out->temporary.parent >= 0) {
        hoist_temporary_drop(&out->temporary);
    } else if (out->fd >= 0) {
        (void)close(out->fd); // its result does not matter any more
    }
    out->fd = -1;
}

int hoist_output_error(const hoist_output *out)
{
    return out->error;
}

bool hoist_output_closed_pipe(const hoist_output *out)
{
    return out->error == EPIPE;
}
