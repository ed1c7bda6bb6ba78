// What a user does about a file that could not be opened: the name that was meant, or what folders
// are for. In: the path, after opening it has failed; out: a line on standard error.
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "nearest.h"
#include "tool.h"

enum { MOST_NAMES = 10000 }; // of a folder that are looked at

// Copies the one name of the folder that the path's last part was meant to be; false: there is
// none.
static bool find_near(const char *folder, const char *name, char *out, size_t size)
{
    DIR *const dir = opendir(folder);
    tool_nearest nearest = tool_nearest_begin(name, strlen(name));
    bool found = false;
    for (int i = 0; dir && i < MOST_NAMES; i++) {
        const struct dirent *const item = readdir(dir);
        if (!item) {
            break;
        }
        const char *const before = nearest.best;
        tool_nearest_try(&nearest, item->d_name);
        // readdir() reuses its memory, so the best name is copied before the next one is read.
        if (nearest.best != before && strlen(item->d_name) < size) {
            (void)snprintf(out, size, "%s", item->d_name); // the name is the folder's
            nearest.best = out;
            found = true;
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    return found && tool_nearest_name(&nearest) != NULL;
}

// The folder that the path's last part would be in, "." for a bare name; false: it is too long.
// "/x" is in "/", "a/x" in "a", "x" in ".".
static bool find_folder(const char *path, char *out, size_t size)
{
    const char *const slash = strrchr(path, '/');
    const int length = slash == path ? 1 : slash ? (int)(slash - path) : 0;
    return snprintf(out, size, "%.*s", length ? length : 1, length ? path : ".") < (int)size;
}

// In the order of the path: no such folder, a file of nearly that name in it, or what is there.
static void hint_missing(tool *t, const char *path)
{
    char folder[4096];
    char near[256];
    struct stat st;
    if (!find_folder(path, folder, sizeof(folder))) {
        return;
    }
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;
    if (stat(folder, &st) != 0) {
        tool_complain(t, "there is no folder '%s'", folder);
    } else if (S_ISDIR(st.st_mode) && find_near(folder, name, near, sizeof(near))) {
        tool_complain(t, "did you mean '%.*s%s'?", (int)(name - path), path, near);
    } else if (S_ISDIR(st.st_mode)) {
        tool_complain(t, "'hoist scan %s' lists the files in that folder that can be opened",
                      folder);
    } else {
        // ENOTDIR: "a.neff/b" where a.neff is a file.
        tool_complain(t, "'%s' is a file, not a folder", folder);
    }
}

// The finding about the file is printed as well; this line only adds to it.
void tool_hint_path(tool *t, const char *path)
{
    struct stat st;
    if (strcmp(path, "-") == 0) {
        return;
    }
    if (stat(path, &st) != 0) {
        hint_missing(t, path);
    } else if (S_ISDIR(st.st_mode)) {
        tool_complain(
            t,
            "%s is a folder: name its files, or 'hoist pack' it, if it is one that 'hoist "
            "unpack' wrote",
            path);
    }
}
