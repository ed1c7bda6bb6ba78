// Large zero memory by mmap() for tensors, and the memory of the machine.
#include "os/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/poison.h"

enum { GUARD = HOIST_POISONS ? 4096 : 0 }; // bytes after the pages that no code may touch

enum { LARGE_PAGE = 2 << 20 }; // bytes; where the system has none of these it takes its own

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

// Tensors of many tiles are walked column by column, a page a step: with pages of 4 KiB each step
// would miss the table of pages, and each of their first touches would cost as much as writing
// them. Only whole large pages are asked for, since one that is touched is all there.
static void prefer_large(uint8_t *p, size_t size)
{
#if defined(MADV_HUGEPAGE)
    if (size >= LARGE_PAGE) {
        (void)madvise(p, size - size % LARGE_PAGE, MADV_HUGEPAGE); // else pages stay small
    }
#else
    (void)p;
    (void)size;
#endif
}

static uint8_t *map(size_t size)
{
    uint8_t *const p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

// `size` bytes of pages that begin where a large page does: only there can the system have one, and
// it aligns itself, if at all, no memory but that of whole large pages.
static uint8_t *map_aligned(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t used = round_up(size, page);
    uint8_t *const p = map(used + LARGE_PAGE);
    if (!p) {
        return NULL;
    }
    const size_t before = round_up((uintptr_t)p, LARGE_PAGE) - (uintptr_t)p;
    if (before > 0) {
        (void)munmap(p, before);
    }
    if (before < LARGE_PAGE) {
        (void)munmap(p + before + used, LARGE_PAGE - before);
    }
    return p + before;
}

hoist_mut_bytes hoist_pages_alloc(size_t size)
{
    if (size == 0 || size > PTRDIFF_MAX - GUARD - 2 * (size_t)LARGE_PAGE) {
        return (hoist_mut_bytes){NULL, 0};
    }
    uint8_t *const p = size >= LARGE_PAGE ? map_aligned(size + GUARD) : map(size + GUARD);
    if (!p) {
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
