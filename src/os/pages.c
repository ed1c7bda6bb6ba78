// Large zero memory by mmap() for tensors, and the memory of the machine.
#include "os/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/poison.h"

enum { GUARD = HOIST_POISONS ? 4096 : 0 }; // bytes after the pages that no code may touch

// Tensors of many tiles are walked column by column, a page a step: with pages of 4 KiB each step
// would miss the table of pages. Only whole large pages are asked for, since one that is touched is
// all there.
static void prefer_large(uint8_t *p, size_t size)
{
#if defined(MADV_HUGEPAGE)
    const size_t large = (size_t)2 << 20;
    if (size >= large) {
        (void)madvise(p, size - size % large, MADV_HUGEPAGE); // else pages stay small
    }
#else
    (void)p;
    (void)size;
#endif
}

hoist_mut_bytes hoist_pages_alloc(size_t size)
{
    if (size == 0 || size > PTRDIFF_MAX - GUARD) {
        return (hoist_mut_bytes){NULL, 0};
    }
    uint8_t *const p = mmap(NULL, size + GUARD, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        return (hoist_mut_bytes){NULL, 0};
    }
    prefer_large(p, size);
    hoist_poison(p + size, GUARD);
    return (hoist_mut_bytes){p, size};
}

void hoist_pages_free(hoist_mut_bytes pages)
{
    if (pages.data) {
        hoist_unpoison(pages.data + pages.size, GUARD); // others may get these addresses
        (void)munmap(pages.data, pages.size + GUARD);
    }
}

uint64_t hoist_memory_size(void)
{
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : 0;
}
