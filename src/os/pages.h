// os/pages.h - large memory from the system: zero, and not there before it is touched. For tensors,
// most of which are never touched all over; everything else comes through a hoist_allocator.
#ifndef HOIST_SRC_OS_PAGES_H
#define HOIST_SRC_OS_PAGES_H

#include "hoist/base.h"

// `size` zero bytes at the start of a page; {NULL, 0} for size 0 or when the system has none.
hoist_mut_bytes hoist_pages_alloc(size_t size);
void hoist_pages_free(hoist_mut_bytes pages); // {NULL, 0} is allowed

// Bytes of memory that the machine has; 0 when the system does not say.
uint64_t hoist_memory_size(void);

#endif // HOIST_SRC_OS_PAGES_H
