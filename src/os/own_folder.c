// The file of an address, by dladdr(3). A program's name need not be a path: then the kernel knows
// it.
#include "os/own_folder.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *own_file(void)
{
    static const char anchor = 0;
    Dl_info info;
    const bool known = dladdr(&anchor, &info) && info.dli_fname;
    // Of a program it is what it was called as, which may be relative to an earlier folder.
    return known && info.dli_fname[0] == '/' ? info.dli_fname : "/proc/self/exe";
}

bool hoist_own_folder(char *out_folder, size_t size)
{
    char path[PATH_MAX];
    if (!realpath(own_file(), path)) {
        return false;
    }
    char *const last = strrchr(path, '/');
    const size_t length = last ? (size_t)(last - path) : 0;
    if (!last || length >= size) {
        return false;
    }
    memcpy(out_folder, path, length);
    out_folder[length] = '\0';
    return true;
}
