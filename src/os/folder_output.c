// A folder of files that appears complete: built under a temporary name (temporary.c), then
// renamed or moved (drain.c) under a lock.
#include "os/folder_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/diag.h"
#include "os/drain.h"
#include "os/os_rules.h"

void hoist_folder_output_init(hoist_folder_output *out, hoist_allocator alloc)
{
    *out =
        (hoist_folder_output){.temporary = {.parent = -1, .fd = -1}, .target = -1, .alloc = alloc};
    hoist_arena_init(&out->arena, alloc);
}

// What a killed process left
// -----------------------------------------------------------------------

// Moves the files that an output to the folder `target`, which is locked, has not moved any more.
// 0 or an errno.
static int complete(int target)
{
    struct stat st;
    const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const int marker = openat(target, HOIST_FOLDER_INCOMPLETE, flags);
    if (marker < 0) {
        return 0;
    }
    int error = 0;
    // Files of another user have no business in this folder with our rights.
    if (fstat(marker, &st) != 0 || st.st_uid != geteuid()) {
        error = EPERM;
    } else {
        error = hoist_drain(marker, target);
    }
    (void)close(marker);
    if (!error && unlinkat(target, HOIST_FOLDER_INCOMPLETE, AT_REMOVEDIR) != 0) {
        error = errno;
    }
    return error;
}

static hoist_status fail_incomplete(hoist_diag *diag, int error)
{
    return hoist_os_fail(diag, HOIST_OS_INCOMPLETE, "the folder is incomplete", error);
}

// The same, unless another process is doing it right now.
static hoist_status complete_idle(int target, hoist_diag *diag)
{
    int error = 0;
    if (flock(target, LOCK_EX | LOCK_NB) == 0) {
        error = complete(target);
        (void)flock(target, LOCK_UN);
    }
    return error ? fail_incomplete(diag, error) : HOIST_OK;
}

// Beginning --------------------------------------------------------------------------------------

// The folder above `path`, and the last part, which has no '/' at its end; -1 with errno.
static int open_above(const char *path, char out_name[NAME_MAX + 1])
{
    char above[PATH_MAX];
    size_t size = strlen(path);
    while (size > 1 && path[size - 1] == '/') {
        size--;
    }
    size_t start = size;
    while (start > 0 && path[start - 1] != '/') {
        start--;
    }
    if (size - start > NAME_MAX || start >= sizeof(above)) {
        errno = ENAMETOOLONG;
        return -1;
    }
    (void)snprintf(out_name, NAME_MAX + 1, "%.*s", (int)(size - start), path + start);
    (void)snprintf(above, sizeof(above), "%.*s", start ? (int)start : 1, start ? path : ".");
    return open(above, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

static hoist_status begin_new(hoist_folder_output *out, const char *path, hoist_temporaries *list,
                              hoist_diag *diag)
{
    const int above = open_above(path, out->name);
    const int error =
        above < 0 ? errno : hoist_temporary_create(&out->temporary, list, above, out->name, 0);
    return error ? hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be created", error) : HOIST_OK;
}

// Removes what an output left that began while the folder was absent.
static void sweep_above(const char *path)
{
    char name[NAME_MAX + 1];
    const int above = open_above(path, name);
    if (above >= 0 && name[0]) {
        hoist_temporary_sweep(above, name);
    }
    if (above >= 0) {
        (void)close(above);
    }
}

static hoist_status begin_in(hoist_folder_output *out, const char *path, hoist_temporaries *list,
                             hoist_diag *diag)
{
    sweep_above(path);
    HOIST_TRY(complete_idle(out->target, diag));
    const int own = fcntl(out->target, F_DUPFD_CLOEXEC, 0);
    const int error = own < 0 ? errno : hoist_temporary_create(&out->temporary, list, own, "", 0);
    return error ? hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be written", error) : HOIST_OK;
}

hoist_status hoist_folder_output_begin(hoist_folder_output *out, const char *path, bool replace,
                                       hoist_temporaries *list, hoist_diag *diag)
{
    struct stat st;
    out->replace = replace;
    out->target = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOCTTY);
    if (out->target >= 0) {
        return begin_in(out, path, list, diag);
    }
    const int error = errno;
    return error == ENOENT && lstat(path, &st) != 0
               ? begin_new(out, path, list, diag)
               : hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be opened", error);
}

// Writing ----------------------------------------------------------------------------------------

static hoist_status keep_path(hoist_folder_output *out, hoist_str path)
{
    void *paths = out->paths;
    if (!hoist_grow(out->alloc, &paths, &out->capacity, out->count + 1, sizeof(out->paths[0]))) {
        return HOIST_NO_MEMORY;
    }
    out->paths = paths;
    out->paths[out->count] = hoist_arena_str(&out->arena, path);
    return out->paths[out->count++].data ? HOIST_OK : HOIST_NO_MEMORY;
}

hoist_status hoist_folder_output_write(hoist_folder_output *out, hoist_str path, hoist_bytes bytes,
                                       const hoist_folder_write_options *options, hoist_diag *diag)
{
    const hoist_folder target = {out->target};
    const hoist_folder folder = {out->temporary.fd};
    hoist_folder_write_options own = *options;
    own.replace = out->replace;
    own.list = out->temporary.list;
    // Better known before everything is written.
    if (out->target >= 0) {
        HOIST_TRY(hoist_folder_check(&target, path, out->replace, diag));
    }
    HOIST_TRY(keep_path(out, path));
    return hoist_folder_write(&folder, path, bytes, &own, diag);
}

// The end ----------------------------------------------------------------------------------------

// Moves the files into the folder, which no other process does as long as it is locked.
static hoist_status move_in(hoist_folder_output *out, hoist_diag *diag)
{
    const int before = complete(out->target);
    if (before) {
        return fail_incomplete(diag, before);
    }
    // That no file has come to be there since it was added.
    const hoist_folder target = {out->target};
    for (size_t i = 0; i < out->count; i++) {
        HOIST_TRY(hoist_folder_check(&target, out->paths[i], out->replace, diag));
    }
    const int error = hoist_temporary_spill(&out->temporary, out->target, HOIST_FOLDER_INCOMPLETE);
    if (!error) {
        return HOIST_OK;
    }
    return hoist_folder_output_begun(out)
               ? hoist_os_fail(diag, HOIST_OS_WRITE, "cannot be written", error)
               : fail_incomplete(diag, error);
}

static hoist_status finish_in(hoist_folder_output *out, hoist_diag *diag)
{
    // Without locks (some network file systems) one process at a time is the user's business.
    while (flock(out->target, LOCK_EX) != 0 && errno == EINTR) {
    }
    const hoist_status status = move_in(out, diag);
    (void)flock(out->target, LOCK_UN);
    return status;
}

hoist_status hoist_folder_output_finish(hoist_folder_output *out, hoist_diag *diag)
{
    if (out->target >= 0) {
        return finish_in(out, diag);
    }
    int error = hoist_temporary_rename(&out->temporary, out->temporary.parent, out->name);
    if (error == ENOTEMPTY || error == EEXIST) { // another process was faster
        const int flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        out->target = openat(out->temporary.parent, out->name, flags);
        if (out->target >= 0) {
            return finish_in(out, diag);
        }
        error = errno;
    }
    return error ? hoist_os_fail(diag, HOIST_OS_OPEN, "cannot be created", error) : HOIST_OK;
}

void hoist_folder_output_drop(hoist_folder_output *out)
{
    hoist_temporary_drop(&out->temporary);
    if (out->target >= 0) {
        (void)close(out->target);
    }
    hoist_free(out->alloc, out->paths, out->capacity * sizeof(out->paths[0]));
    hoist_arena_deinit(&out->arena);
    hoist_folder_output_init(out, out->alloc);
}
