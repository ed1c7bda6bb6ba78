// base/map.h - names to indices, by hash; insertion order is the caller's business.
//
// Keys are borrowed: they must outlive the map. The hash is seeded per map from its address-free
// `seed`, and lookups fall back to comparing bytes, so results never depend on the seed.
#ifndef HOIST_SRC_BASE_MAP_H
#define HOIST_SRC_BASE_MAP_H

#include "hoist/base.h"

typedef struct hoist_map_slot {
    hoist_str key; // borrowed
    uint64_t hash;
    size_t value;
    bool used;
} hoist_map_slot;

typedef struct hoist_map {
    hoist_allocator alloc;
    hoist_map_slot *slots; // owned
    size_t capacity;       // a power of two, or 0
    size_t count;
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
