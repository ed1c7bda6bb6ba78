// Large pages by mmap(): aligned here, since the system aligns itself, if at all, no memory but
// that of whole large pages.
#include "base/large_page.h"

#include <stdint.h>
#include <sys/mman.h>

// Only whole large pages are asked for, since one that is touched is all there.
static void prefer_large(uint8_t *p, size_t size)
{
#if defined(MADV_HUGEPAGE)
    if (size >= HOIST_LARGE_PAGE) {
        (void)madvise(p, size - size % HOIST_LARGE_PAGE, MADV_HUGEPAGE); // else pages stay small
    }
#else
    (void)p;
    (void)size;
#endif
}

void *hoist_map_large(size_t size)
{
    uint8_t *const p = mmap(NULL, size + HOIST_LARGE_PAGE, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        return NULL;
    }
    const size_t before = (HOIST_LARGE_PAGE - (uintptr_t)p % HOIST_LARGE_PAGE) % HOIST_LARGE_PAGE;
    if (before > 0) {
        (void)munmap(p, before);
    }
    (void)munmap(p + before + size, HOIST_LARGE_PAGE - before);
    prefer_large(p + before, size);
    return p + before;
}

void hoist_unmap_large(void *memory, size_t size)
{
    if (memory) {
        (void)munmap(memory, size);
    }
}
