// base/map.h - names to indices, by hash; insertion order is the caller's business.
//
// Keys are borrowed: they must outlive the map. Keys come from untrusted files,
// so the hash is SipHash-1-3 under a key of the map's own, taken from where the system happened to
// put its first table: who writes a file cannot know which of its names will collide. Bytes decide
// what is equal and no order of slots is ever shown, so results do not depend on the key.
#ifndef HOIST_SRC_BASE_MAP_H
#define HOIST_SRC_BASE_MAP_H

#include "hoist/base.h"

typedef struct hoist_map_slot {
    hoist_str key; // borrowed; data is NULL in a free slot
    uint64_t hash;
    size_t value;
} hoist_map_slot;

typedef struct hoist_map {
    hoist_allocator alloc;
    hoist_map_slot *slots; // owned
    size_t capacity;       // a power of two, or 0
    size_t count;
    uint64_t seed[2]; // of the hash; zero until there is a table
} hoist_map;

void hoist_map_init(hoist_map *map, hoist_allocator alloc);
void hoist_map_deinit(hoist_map *map);

// Adds `key`. When it is there already, `*out_existing` (may be NULL) gets its value, the map is
// left alone, and HOIST_BUSY is returned. HOIST_NO_MEMORY when the table cannot grow.
HOIST_NODISCARD hoist_status hoist_map_add(hoist_map *map, hoist_str key, size_t value,
                                           size_t *out_existing);
// Finds `key`; false when absent (then *out_value is 0).
bool hoist_map_find(const hoist_map *map, hoist_str key, size_t *out_value);

#endif // HOIST_SRC_BASE_MAP_H
