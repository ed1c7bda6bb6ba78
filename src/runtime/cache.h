// runtime/cache.h - a unit's cache of functions made ready, as a device's cache of epoch binaries:
// bounded, least recently used goes first (buda-netlist reference section 6.5).
//
// What a session prepares once for all functions (memory plan, tile tables) it keeps whatever this
// cache says; the cache decides, and counts, which functions a unit would have had to load again.
#ifndef HOIST_SRC_RUNTIME_CACHE_H
#define HOIST_SRC_RUNTIME_CACHE_H

#include "program/program.h"

typedef struct hoist_binary_slot {
    hoist_ref function; // HOIST_NO_REF: free
    uint64_t used;      // when it was last asked for
} hoist_binary_slot;

typedef struct hoist_binary_cache {
    hoist_binary_slot *slots; // owned
    uint32_t count;
    uint64_t now;
} hoist_binary_cache;

// What asking for a function found.
typedef enum hoist_binary_found {
    HOIST_BINARY_HIT = 0,
    HOIST_BINARY_MISS,    // it took a free slot
    HOIST_BINARY_EVICTED, // it took another function's
} hoist_binary_found;

// `count` slots, 1 or more. HOIST_OK or HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_binary_cache_init(hoist_binary_cache *cache, uint32_t count,
                                                     hoist_allocator alloc);
void hoist_binary_cache_deinit(hoist_binary_cache *cache, hoist_allocator alloc);
// Fills a free slot without counting; false when none is free.
bool hoist_binary_cache_preload(hoist_binary_cache *cache, hoist_ref function);
// The unit starts `function`.
hoist_binary_found hoist_binary_cache_ask(hoist_binary_cache *cache, hoist_ref function);

#endif // HOIST_SRC_RUNTIME_CACHE_H
