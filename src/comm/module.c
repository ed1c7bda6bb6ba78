// Opens hoist-mpi.so, which has comm/mpi, where a build or an installation has put it. Without MPI
// at build time there is no module to look for.
#include "comm/module.h"

#include <limits.h>
#include <stdio.h>

#include "base/span.h"
#include "os/library.h"
#include "os/own_folder.h"

static const char NAME[] = "hoist-mpi.so";

const char *hoist_comm_mpi(void)
{
    static const char version[] = HOIST_MPI_VERSION;
    return version[0] ? version : NULL; // "": no MPI when it was built
}

// The module stays open until the process ends, as MPI does.
static void *open_module(const char *path)
{
    const char *reason = NULL;
    void *module = hoist_library_open(path, &reason);
    return module ? hoist_library_find(module, HOIST_COMM_MODULE_SYMBOL) : NULL;
}

// Next to the library or command, as in a build; in the folder of an installed library; from an
// installed command to that folder.
static void *find_module(void)
{
    static const char *const folders[] = {"", "hoist/", HOIST_MPI_FROM_BIN};
    char own[PATH_MAX];
    if (!hoist_own_folder(own, sizeof own)) {
        return NULL;
    }
    for (size_t i = 0; i < HOIST_COUNT_OF(folders); i++) {
        char path[PATH_MAX];
        const int size = snprintf(path, sizeof path, "%s/%s%s", own, folders[i], NAME);
        // A path that is too long is none.
        void *const found = (size_t)size < sizeof path ? open_module(path) : NULL;
        if (found) {
            return found;
        }
    }
    return NULL;
}

hoist_status hoist_comm_open_mpi(hoist_allocator alloc, const char *module, const char **out_why,
                                 hoist_comm **out_comm)
{
    *out_comm = NULL;
    *out_why = "";
    if (!hoist_comm_mpi()) {
        *out_why = "this hoist was built without MPI";
        return HOIST_UNSUPPORTED;
    }
    union {
        void *address;
        hoist_comm_module *open; // POSIX lets a function's address be one of data
    } found = {.address = module ? open_module(module) : find_module()};
    if (!found.address) {
        *out_why = "hoist-mpi.so or the MPI library that it needs is not installed";
        return HOIST_UNSUPPORTED;
    }
    return found.open(alloc, HOIST_VERSION_TEXT, out_why, out_comm);
}
