// base/large_page.h - memory in large pages of the system: for allocators (alloc.c) and for tensors
// (os/pages.h). The first touch of each 4 KiB costs as much as writing them.
#ifndef HOIST_SRC_BASE_LARGE_PAGE_H
#define HOIST_SRC_BASE_LARGE_PAGE_H

#include <stddef.h>

enum { HOIST_LARGE_PAGE = 2 << 20 }; // bytes; where the system has none of these it takes its own

// `size` zero bytes that begin at a multiple of HOIST_LARGE_PAGE; what of them is whole large pages
// is asked for as such. `size` is a multiple of the system's own page and at most PTRDIFF_MAX less
// two large ones. NULL: the system has no memory.
void *hoist_map_large(size_t size);
void hoist_unmap_large(void *memory, size_t size); // all of it; NULL is allowed

#endif // HOIST_SRC_BASE_LARGE_PAGE_H
