// Walking a tree (walk.h): one open folder for each level, entries as the system gives them. Every
// step is relative to an open folder, so that a folder that becomes a link meanwhile leads nowhere.
#include "os/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/span.h"

enum { MOST_LEVELS = 256 };

typedef struct level {
    DIR *folder;   // owned
    size_t parent; // bytes of the path before this folder's entries
} level;

typedef struct walker {
    hoist_walk *walk;
    hoist_buffer path; // NUL-terminated
    level levels[MOST_LEVELS];
    size_t depth;
} walker;

// Makes the path that of an entry of the folder whose path has `size` bytes.
static bool set_path(walker *w, size_t size, const char *name)
{
    w->path.size = size;
    if (size && w->path.data[size - 1] != '/') {
        hoist_buffer_char(&w->path, '/');
    }
    hoist_buffer_c(&w->path, name);
    hoist_buffer_char(&w->path, '\0');
    return !w->path.failed;
}

static const char *path_of(const walker *w)
{
    return (const char *)w->path.data;
}

static void report(const walker *w, int error)
{
    w->walk->failed(w->walk->self, path_of(w), error);
}

// Enters the folder that the path names; `name` is relative to `parent`.
static void enter(walker *w, int parent, const char *name, int flags)
{
    if (w->depth == MOST_LEVELS) {
        report(w, ELOOP);
        return;
    }
    const int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK | flags);
    DIR *const folder = fd < 0 ? NULL : fdopendir(fd);
    if (!folder) {
        const int error = errno;
        if (fd >= 0) {
            (void)close(fd);
        }
        report(w, error);
        return;
    }
    w->levels[w->depth++] = (level){folder, w->path.size - 1};
}

static hoist_status meet(walker *w, const struct stat *info, bool is_named)
{
    if (S_ISLNK(info->st_mode)) {
        w->walk->links++;
        return HOIST_OK;
    }
    if (!S_ISREG(info->st_mode)) {
        w->walk->special++;
        return HOIST_OK;
    }
    const hoist_walk_file file = {
        .path = path_of(w),
        .size = (uint64_t)info->st_size,
        .mtime = (int64_t)info->st_mtim.tv_sec * 1000000000 + info->st_mtim.tv_nsec,
        .device = (uint64_t)info->st_dev,
        .inode = (uint64_t)info->st_ino,
        .is_named = is_named,
    };
    return w->walk->file(w->walk->self, &file);
}

// One entry of the innermost folder.
static hoist_status step(walker *w, const struct dirent *entry)
{
    const level *const in = &w->levels[w->depth - 1];
    const int fd = dirfd(in->folder);
    struct stat info;
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) {
        return HOIST_OK;
    }
    if (!set_path(w, in->parent, entry->d_name)) {
        return HOIST_NO_MEMORY;
    }
    if (fstatat(fd, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
        report(w, errno);
        return HOIST_OK;
    }
    if (S_ISDIR(info.st_mode)) {
        enter(w, fd, entry->d_name, O_NOFOLLOW);
        return HOIST_OK;
    }
    return meet(w, &info, false);
}

static hoist_status walk_levels(walker *w)
{
    hoist_status status = HOIST_OK;
    while (w->depth && status == HOIST_OK) {
        const level *const in = &w->levels[w->depth - 1];
        errno = 0;
        const struct dirent *const entry = readdir(in->folder);
        if (entry) {
            status = step(w, entry);
            continue;
        }
        const int error = errno;
        if (error) {
            w->path.size = in->parent;
            hoist_buffer_char(&w->path, '\0');
            report(w, error);
        }
        (void)closedir(in->folder);
        w->depth--;
    }
    while (w->depth) {
        (void)closedir(w->levels[--w->depth].folder);
    }
    return status;
}

hoist_status hoist_walk_run(hoist_walk *walk, const char *path)
{
    walker w = {.walk = walk};
    struct stat info;
    hoist_buffer_init(&w.path, walk->alloc);
    hoist_status status = HOIST_OK;
    if (!set_path(&w, 0, path)) {
        status = HOIST_NO_MEMORY;
    } else if (stat(path, &info) != 0) {
        report(&w, errno);
    } else if (S_ISDIR(info.st_mode)) {
        enter(&w, AT_FDCWD, path, 0);
        status = walk_levels(&w);
    } else {
        status = meet(&w, &info, true);
    }
    hoist_buffer_deinit(&w.path);
    return status;
}

int hoist_regular_open(const char *path, bool follow, int *out_fd)
{
    struct stat info;
    const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (follow ? 0 : O_NOFOLLOW);
    *out_fd = open(path, flags);
    if (*out_fd < 0) {
        return errno;
    }
    const int error = fstat(*out_fd, &info) != 0 ? errno : S_ISREG(info.st_mode) ? 0 : EINVAL;
    if (error) {
        (void)close(*out_fd);
        *out_fd = -1;
    }
    return error;
}

int hoist_regular_head(int fd, uint8_t *bytes, size_t size, size_t *out_size)
{
    const ssize_t got = pread(fd, bytes, size, 0);
    *out_size = got > 0 ? (size_t)got : 0;
    return got < 0 ? errno : 0;
}

void hoist_regular_close(int fd)
{
    (void)close(fd);
}

bool hoist_file_identity(const char *path, uint64_t *out_device, uint64_t *out_inode)
{
    struct stat info;
    const bool found = stat(path, &info) == 0;
    *out_device = found ? (uint64_t)info.st_dev : 0;
    *out_inode = found ? (uint64_t)info.st_ino : 0;
    return found;
}
