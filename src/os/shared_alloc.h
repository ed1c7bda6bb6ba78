// os/shared_alloc.h - an allocator that several threads may use, over one that they may not.
#ifndef HOIST_SRC_OS_SHARED_ALLOC_H
#define HOIST_SRC_OS_SHARED_ALLOC_H

#include <pthread.h>

#include "hoist/base.h"

typedef struct hoist_shared_alloc {
    hoist_allocator parent;
    pthread_mutex_t lock; // guards every call of `parent`
} hoist_shared_alloc;

// `shared` must stay where it is, and outlive every user of hoist_shared_allocator(). False when
// the system has no memory for a lock.
bool hoist_shared_alloc_init(hoist_shared_alloc *shared, hoist_allocator parent);
void hoist_shared_alloc_deinit(hoist_shared_alloc *shared);
hoist_allocator hoist_shared_allocator(hoist_shared_alloc *shared);

#endif // HOIST_SRC_OS_SHARED_ALLOC_H
