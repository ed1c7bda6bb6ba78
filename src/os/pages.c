// Large zero memory by mmap() for tensors, and the memory of the machine.
#include "os/pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/large_page.h"
#include "base/poison.h"

enum { GUARD = HOIST_POISONS ? 4096 : 0 }; // bytes after the pages that no code may touch

static size_t round_up(size_t size, size_t unit)
{
    return (size + unit - 1) / unit * unit;
}

static uint8_t *map(size_t size)
{
    uint8_t *const p = mmap(NULL, size, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

// Tensors of many tiles are walked column by column, a page a step: with pages of 4 KiB each step
// would miss the table of pages.
static uint8_t *map_tensor(size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return size >= HOIST_LARGE_PAGE ? hoist_map_large(round_up(size + GUARD, page))
                                    : map(size + GUARD);
}

hoist_mut_bytes hoist_pages_alloc(size_t size)
{
    if (size == 0 || size > PTRDIFF_MAX - GUARD - 2 * (size_t)HOIST_LARGE_PAGE) {
        return (hoist_mut_bytes){NULL, 0};
    }
    uint8_t *const p = map_tensor(size);
    if (!p) {
        return (hoist_mut_bytes){NULL, 0};
    }
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
