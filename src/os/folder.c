// The files below a folder, read and written by openat() with O_NOFOLLOW at every step, so that no
// name leads out of the folder.
#include "os/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "base/span.h"
#include "os/os_rules.h"

enum {
    MAX_DEPTH = 64,
    MAX_FILES = 1000000,
};

hoist_status hoist_folder_open(hoist_folder *folder, const char *path, hoist_diag *diag)
{
    folder->fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY);
    return folder->fd >= 0 ? HOIST_OK
                           : hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be opened", errno);
}

void hoist_folder_close(hoist_folder *folder)
{
    if (folder->fd >= 0) {
        (void)close(folder->fd); // only looked up from, never written to
    }
    folder->fd = -1;
}

// "'sg00/pe.bin' cannot be created: ..."
static hoist_status fail_at(hoist_diag *diag, hoist_os_rule rule, hoist_str path, const char *what,
                            int error)
{
    char sentence[HOIST_SHOWN_BYTES + 64];
    (void)snprintf(sentence, sizeof(sentence), "'%.*s' %s", HOIST_STR_ARGS(path), what);
    return hoist_os_fail(diag, rule, sentence, error);
}

// Writing ----------------------------------------------------------------------------------------

// The next part of `*path` as a C string, "" at the end; false when it is none to go to.
static bool next_part(hoist_str *path, char out[NAME_MAX + 1])
{
    hoist_str part = {"", 0};
    do {
        const char *const slash = path->size ? memchr(path->data, '/', path->size) : NULL;
        const size_t size = slash ? (size_t)(slash - path->data) : path->size;
        part = hoist_str_slice(*path, 0, size);
        const size_t eaten = size + (slash ? 1 : 0);
        *path = hoist_str_slice(*path, eaten, path->size - eaten);
    } while (path->size && (part.size == 0 || hoist_str_equal_c(part, ".")));
    if (part.size > NAME_MAX || hoist_str_equal_c(part, "..") ||
        (part.size && memchr(part.data, '\0', part.size))) {
        return false;
    }
    const size_t kept = hoist_str_equal_c(part, ".") ? 0 : part.size;
    (void)snprintf(out, NAME_MAX + 1, "%.*s", (int)kept, part.data);
    return strcmp(out, HOIST_FOLDER_INCOMPLETE) != 0 && !hoist_temporary_is_name(out);
}

// The folder `name` in `parent`, made when it is absent; `parent` is closed. -1 with errno.
static int enter_folder(int parent, const char *name)
{
    const int made = mkdirat(parent, name, 0777);
    int folder = -1;
    if (made == 0 || errno == EEXIST) {
        folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    }
    const int error = errno;
    (void)close(parent);
    errno = error;
    return folder;
}

static int create_file(int parent, const char *name, const hoist_folder_write_options *options)
{
    const int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
    const mode_t mode = options->executable ? 0777 : 0666;
    int fd = openat(parent, name, flags, mode);
    if (fd < 0 && errno == EEXIST && options->replace && unlinkat(parent, name, 0) == 0) {
        fd = openat(parent, name, flags, mode);
    }
    return fd;
}

// 0 or an errno.
static int write_bytes(int fd, hoist_bytes bytes)
{
    int error = 0;
    while (bytes.size && !error) {
        const ssize_t written = write(fd, bytes.data, bytes.size);
        if (written >= 0) {
            bytes.data += written;
            bytes.size -= (size_t)written;
        } else if (errno != EINTR) {
            error = errno;
        }
    }
    return error;
}

static int write_file(int fd, hoist_bytes head, hoist_bytes bytes)
{
    int error = write_bytes(fd, head);
    if (!error) {
        error = write_bytes(fd, bytes);
    }
    if (close(fd) != 0 && errno != EINTR && !error) {
        error = errno;
    }
    return error;
}

// The folder `name` in `parent`, which is closed. -1 with errno.
static int find_folder(int parent, const char *name)
{
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int error = errno;
    (void)close(parent);
    errno = error;
    return folder;
}

// The folder that `path` is in, each one entered by `enter`, and the last part. -1 with errno;
// EINVAL for a path that may not be.
static int walk_to(const hoist_folder *folder, hoist_str path, int (*enter)(int, const char *),
                   char out_name[NAME_MAX + 1])
{
    int parent = fcntl(folder->fd, F_DUPFD_CLOEXEC, 0);
    const bool absolute = path.size && path.data[0] == '/';
    while (parent >= 0) {
        if (absolute || !next_part(&path, out_name) || !out_name[0]) {
            (void)close(parent);
            errno = EINVAL;
            return -1;
        }
        if (path.size == 0) {
            break;
        }
        parent = enter(parent, out_name);
    }
    return parent;
}

static hoist_status fail_to_create(hoist_diag *diag, hoist_str path, int error)
{
    const hoist_status status = fail_at(diag, HOIST_OS_OPEN, path, "cannot be created", error);
    return error == EINVAL ? HOIST_INVALID : status;
}

// Creates the file and the folders above it. Its descriptor; `*out_parent` is the folder that it is
// in. -1 with errno.
static int create_at(const hoist_folder *folder, hoist_str path, char name[NAME_MAX + 1],
                     const hoist_folder_write_options *options, int *out_parent)
{
    sigset_t mask;
    hoist_temporaries_enter(options->list, &mask);
    *out_parent = walk_to(folder, path, enter_folder, name);
    const int fd = *out_parent < 0 ? -1 : create_file(*out_parent, name, options);
    const int error = errno;
    hoist_temporaries_leave(options->list, &mask);
    if (fd < 0 && *out_parent >= 0) {
        (void)close(*out_parent);
    }
    errno = error;
    return fd;
}

hoist_status hoist_folder_write(const hoist_folder *folder, hoist_str path, hoist_bytes bytes,
                                const hoist_folder_write_options *options, hoist_diag *diag)
{
    char name[NAME_MAX + 1];
    int parent = -1;
    const int fd = create_at(folder, path, name, options, &parent);
    if (fd < 0) {
        return fail_to_create(diag, path, errno);
    }
    const int error = write_file(fd, options->head, bytes);
    if (error) {
        (void)unlinkat(parent, name, 0);
    }
    (void)close(parent);
    return error ? fail_at(diag, HOIST_OS_WRITE, path, "cannot be written", error) : HOIST_OK;
}

hoist_status hoist_folder_check(const hoist_folder *folder, hoist_str path, bool replace,
                                hoist_diag *diag)
{
    char name[NAME_MAX + 1];
    struct stat st;
    const int parent = walk_to(folder, path, find_folder, name);
    if (parent < 0) {
        return errno == ENOENT ? HOIST_OK : fail_to_create(diag, path, errno);
    }
    int error = 0;
    if (fstatat(parent, name, &st, AT_SYMLINK_NOFOLLOW) == 0) {
        error = !replace ? EEXIST : S_ISDIR(st.st_mode) ? EISDIR : 0;
    }
    (void)close(parent);
    return error ? fail_to_create(diag, path, error) : HOIST_OK;
}

// Reading ----------------------------------------------------------------------------------------

typedef struct folder_walk {
    hoist_folder_files *files;
    hoist_diag *diag;
    size_t limit;
} folder_walk;

static hoist_status add_file(folder_walk *w, int fd, const struct stat *st, hoist_str path)
{
    hoist_folder_files *const files = w->files;
    if (files->count == MAX_FILES) {
        return hoist_fail(w->diag, HOIST_LIMIT, &hoist_os_rules.rules[HOIST_OS_LIMIT],
                          hoist_loc_none(), "the folder has more than %d files", MAX_FILES);
    }
    void *items = files->items;
    if (!hoist_grow(files->alloc, &items, &files->capacity, files->count + 1,
                    sizeof(files->items[0]))) {
        return HOIST_NO_MEMORY;
    }
    files->items = items;
    hoist_folder_file *const file = &files->items[files->count];
    *file = (hoist_folder_file){.path = path, .executable = (st->st_mode & 0100) != 0};
    HOIST_TRY(hoist_file_map_fd(fd, w->limit, files->alloc, w->diag, &file->view));
    files->count++;
    return HOIST_OK;
}

static hoist_status walk(folder_walk *w, int fd, hoist_str path, unsigned depth);

// An entry that is open already; `fd` is closed here.
static hoist_status add_entry(folder_walk *w, int fd, hoist_str path, unsigned depth)
{
    struct stat st;
    hoist_status status = HOIST_OK;
    if (fstat(fd, &st) != 0) {
        status = fail_at(w->diag, HOIST_OS_READ, path, "cannot be read", errno);
    } else if (S_ISDIR(st.st_mode)) {
        return walk(w, fd, path, depth);
    } else if (S_ISREG(st.st_mode)) {
        status = add_file(w, fd, &st, path);
    } else {
        status = hoist_fail(
            w->diag, HOIST_INVALID, &hoist_os_rules.rules[HOIST_OS_DIRECTORY], hoist_loc_none(),
            "'%.*s' is a device or pipe, expected files and folders", HOIST_STR_ARGS(path));
    }
    (void)close(fd);
    return status;
}

static hoist_status open_entry(folder_walk *w, DIR *dir, const char *name, hoist_str folder,
                               unsigned depth)
{
    if (strcmp(name, HOIST_FOLDER_INCOMPLETE) == 0) {
        return hoist_fail(w->diag, HOIST_INVALID, &hoist_os_rules.rules[HOIST_OS_INCOMPLETE],
                          hoist_loc_none(),
                          "the files in '%s' are incomplete: who wrote them was killed",
                          folder.size ? folder.data : ".");
    }
    const hoist_str path =
        hoist_arena_format(&w->files->arena, "%s%s%s", folder.data, folder.size ? "/" : "", name);
    if (!path.data) {
        return HOIST_NO_MEMORY;
    }
    // Not to wait for the other end of a FIFO.
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
    const int fd = openat(dirfd(dir), name, flags);
    if (fd < 0 && errno == ELOOP) {
        return hoist_fail(w->diag, HOIST_INVALID, &hoist_os_rules.rules[HOIST_OS_OPEN],
                          hoist_loc_none(), "'%.*s' is a link, expected files and folders",
                          HOIST_STR_ARGS(path));
    }
    if (fd < 0) {
        return fail_at(w->diag, HOIST_OS_OPEN, path, "cannot be opened", errno);
    }
    return add_entry(w, fd, path, depth + 1);
}

// What is being written, or was left by a process that was killed, is not part of the folder yet.
static bool is_content(const char *name)
{
    return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !hoist_temporary_is_name(name);
}

// Goes through the folder `fd`, which is closed here.
static hoist_status walk(folder_walk *w, int fd, hoist_str path, unsigned depth)
{
    DIR *const dir = depth < MAX_DEPTH ? fdopendir(fd) : NULL;
    if (!dir) {
        const int error = errno;
        (void)close(fd);
        return depth < MAX_DEPTH
                   ? fail_at(w->diag, HOIST_OS_READ, path, "cannot be read", error)
                   : hoist_fail(w->diag, HOIST_LIMIT, &hoist_os_rules.rules[HOIST_OS_LIMIT],
                                hoist_loc_none(), "'%.*s' is more than %d folders deep",
                                HOIST_STR_ARGS(path), MAX_DEPTH);
    }
    hoist_status status = HOIST_OK;
    while (status == HOIST_OK) {
        errno = 0;
        const struct dirent *const entry = readdir(dir);
        if (!entry) {
            status =
                errno ? fail_at(w->diag, HOIST_OS_READ, path, "cannot be read", errno) : HOIST_OK;
            break;
        }
        if (is_content(entry->d_name)) {
            status = open_entry(w, dir, entry->d_name, path, depth);
        }
    }
    (void)closedir(dir);
    return status;
}

static int compare_files(const void *left, const void *right)
{
    const hoist_folder_file *a = left;
    const hoist_folder_file *b = right;
    return hoist_str_compare(a->path, b->path);
}

hoist_status hoist_folder_read(const hoist_folder *folder, size_t limit, hoist_allocator alloc,
                               hoist_diag *diag, hoist_folder_files *out_files)
{
    *out_files = (hoist_folder_files){.alloc = alloc};
    hoist_arena_init(&out_files->arena, alloc);
    folder_walk w = {.files = out_files, .diag = diag, .limit = limit};
    // A descriptor of its own: where reading is in a folder is shared among duplicates.
    const int fd = openat(folder->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be opened", errno);
    }
    HOIST_TRY(walk(&w, fd, HOIST_STR(""), 0));
    if (out_files->count) {
        qsort(out_files->items, out_files->count, sizeof(out_files->items[0]), compare_files);
    }
    return HOIST_OK;
}

void hoist_folder_files_free(hoist_folder_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        hoist_file_unmap(&files->items[i].view);
    }
    hoist_free(files->alloc, files->items, files->capacity * sizeof(files->items[0]));
    hoist_arena_deinit(&files->arena);
    *files = (hoist_folder_files){.alloc = files->alloc};
}
