// A unit's cache of functions: a list in order of use, the least recently used one leaves when the
// capacity is exceeded (LRU). It decides and counts; nothing is loaded or freed here.
#include "runtime/cache.h"

#include "base/alloc.h"
#include "base/assert.h"

hoist_status hoist_binary_cache_init(hoist_binary_cache *cache, uint32_t count,
                                     hoist_allocator alloc)
{
    *cache = (hoist_binary_cache){.slots = hoist_alloc_zero(alloc, count, sizeof *cache->slots)};
    if (!cache->slots) {
        return HOIST_NO_MEMORY;
    }
    cache->count = count;
    // A place that is free has no function, and a time of 0.
    for (uint32_t i = 0; i < count; i++) {
        cache->slots[i].function = HOIST_NO_REF;
    }
    return HOIST_OK;
}

void hoist_binary_cache_deinit(hoist_binary_cache *cache, hoist_allocator alloc)
{
    hoist_free(alloc, cache->slots, cache->count * sizeof *cache->slots);
    *cache = (hoist_binary_cache){.slots = NULL};
}

bool hoist_binary_cache_preload(hoist_binary_cache *cache, hoist_ref function)
{
    HOIST_ASSERT(function != HOIST_NO_REF);
    for (uint32_t i = 0; i < cache->count; i++) {
        if (cache->slots[i].function == HOIST_NO_REF) {
            cache->slots[i] = (hoist_binary_slot){function, ++cache->now};
            return true;
        }
    }
    return false;
}

hoist_binary_found hoist_binary_cache_ask(hoist_binary_cache *cache, hoist_ref function)
{
    HOIST_ASSERT(cache->count > 0 && function != HOIST_NO_REF);
    hoist_binary_slot *oldest = &cache->slots[0];
    for (uint32_t i = 0; i < cache->count; i++) {
        hoist_binary_slot *slot = &cache->slots[i];
        // The slots are few: no table is needed to find one.
        if (slot->function == function) {
            slot->used = ++cache->now;
            return HOIST_BINARY_HIT;
        }
        if (slot->used < oldest->used) { // a free slot was never used: 0
            oldest = slot;
        }
    }
    const bool evicted = oldest->function != HOIST_NO_REF;
    // The new function is there from now on, whether the slot was free or another one's.
    *oldest = (hoist_binary_slot){function, ++cache->now};
    return evicted ? HOIST_BINARY_EVICTED : HOIST_BINARY_MISS;
}
