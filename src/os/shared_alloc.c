// A lock around an allocator, for threads that share it.
#include "os/shared_alloc.h"

bool hoist_shared_alloc_init(hoist_shared_alloc *shared, hoist_allocator parent)
{
    shared->parent = parent;
    return pthread_mutex_init(&shared->lock, NULL) == 0;
}

void hoist_shared_alloc_deinit(hoist_shared_alloc *shared)
{
    (void)pthread_mutex_destroy(&shared->lock);
}

static void *resize(void *self, void *old, size_t old_size, size_t new_size)
{
    hoist_shared_alloc *shared = self;
    (void)pthread_mutex_lock(&shared->lock);
    void *memory = shared->parent.resize(shared->parent.self, old, old_size, new_size);
    (void)pthread_mutex_unlock(&shared->lock);
    return memory;
}

hoist_allocator hoist_shared_allocator(hoist_shared_alloc *shared)
{
    return (hoist_allocator){.self = shared, .resize = resize};
}
