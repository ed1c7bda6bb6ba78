// Allocators: the system's, and one with a budget over another. Under AddressSanitizer unused
// bytes are poisoned (poison.h).
#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/checked.h"
#include "base/large_page.h"
#include "base/poison.h"

// Memory of this size is a large page of the system's, where it has them. It is mapped, as the heap
// has no such place without a hole before it. AddressSanitizer knows the heap only.
static bool is_page(size_t size)
{
    return size == HOIST_LARGE_PAGE && !HOIST_POISONS;
}

static void give(void *memory, size_t size)
{
    if (is_page(size)) {
        hoist_unmap_large(memory, size);
    } else {
        free(memory);
    }
}

static void *system_resize(void *self, void *old, size_t old_size, size_t new_size)
{
    (void)self;
    if (new_size == 0) {
        give(old, old_size);
        return NULL;
    }
    if (!is_page(new_size) && !(old && is_page(old_size))) {
        return realloc(old, new_size);
    }
    void *const memory = is_page(new_size) ? hoist_map_large(new_size) : malloc(new_size);
    if (memory && old) {
        memcpy(memory, old, old_size < new_size ? old_size : new_size);
        give(old, old_size);
    }
    return memory;
}

hoist_allocator hoist_allocator_system(void)
{
    return (hoist_allocator){NULL, system_resize};
}

void *hoist_alloc(hoist_allocator alloc, size_t size)
{
    return size ? alloc.resize(alloc.self, NULL, 0, size) : NULL;
}

void *hoist_alloc_zero(hoist_allocator alloc, size_t count, size_t size)
{
    size_t total = 0;
    if (hoist_ckd_size_mul(&total, count, size)) {
        return NULL;
    }
    void *memory = hoist_alloc(alloc, total);
    if (memory) {
        memset(memory, 0, total);
    }
    return memory;
}

void *hoist_resize(hoist_allocator alloc, void *old, size_t old_size, size_t new_size)
{
    hoist_unpoison(old, old_size); // an allocator may copy all of it
    return alloc.resize(alloc.self, old, old_size, new_size);
}

void hoist_free(hoist_allocator alloc, void *old, size_t size)
{
    if (old) {
        hoist_unpoison(old, size);
        (void)alloc.resize(alloc.self, old, size, 0);
    }
}

static void *budget_resize(void *self, void *old, size_t old_size, size_t new_size)
{
    hoist_budget *budget = self;
    const size_t others = budget->used - old_size;
    if (new_size > budget->limit || others > budget->limit - new_size) {
        budget->exceeded = true;
        return NULL;
    }
    void *memory = budget->parent.resize(budget->parent.self, old, old_size, new_size);
    if (memory || new_size == 0) {
        budget->used = others + new_size;
        budget->peak = budget->used > budget->peak ? budget->used : budget->peak;
    }
    return memory;
}

hoist_allocator hoist_budget_allocator(hoist_budget *budget)
{
    return (hoist_allocator){budget, budget_resize};
}

bool hoist_grow(hoist_allocator alloc, void **items, size_t *capacity, size_t need,
                size_t item_size)
{
    HOIST_ASSERT(item_size > 0 && (*items || *capacity == 0));
    if (need <= *capacity) {
        hoist_unpoison_up_to(*items, need * item_size);
        return true;
    }
    size_t wanted = *capacity ? *capacity : 8;
    while (wanted < need) {
        if (hoist_ckd_size_mul(&wanted, wanted, 2)) {
            return false;
        }
    }
    size_t bytes = 0;
    if (hoist_ckd_size_mul(&bytes, wanted, item_size)) {
        return false;
    }
    void *grown = hoist_resize(alloc, *items, *capacity * item_size, bytes);
    if (!grown) {
        return false;
    }
    hoist_poison((char *)grown + need * item_size, (wanted - need) * item_size);
    *items = grown;
    *capacity = wanted;
    return true;
}
