#include "os/pages.h"

#include <sys/mman.h>
#include <unistd.h>

hoist_mut_bytes hoist_pages_alloc(size_t size)
{
    if (size == 0 || size > PTRDIFF_MAX) {
        return (hoist_mut_bytes){NULL, 0};
    }
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? (hoist_mut_bytes){NULL, 0} : (hoist_mut_bytes){p, size};
}

void hoist_pages_free(hoist_mut_bytes pages)
{
    if (pages.data) {
        (void)munmap(pages.data, pages.size);
    }
}

uint64_t hoist_memory_size(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}
