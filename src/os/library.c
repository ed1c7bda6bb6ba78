// Shared libraries by dlopen(3). Names of one stay its own: libraries of a program do not see them.
#include "os/library.h"

#include <dlfcn.h>
#include <stddef.h>

void *hoist_library_open(const char *name, const char **out_reason)
{
    void *const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    const char *const reason = library ? NULL : dlerror();
    *out_reason = library ? NULL : reason ? reason : "no reason is given";
    return library;
}

void *hoist_library_find(void *library, const char *symbol)
{
    return dlsym(library, symbol);
}

void hoist_library_close(void *library)
{
    if (library) {
        (void)dlclose(library);
    }
}
