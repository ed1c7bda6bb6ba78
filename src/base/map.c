// Open addressing with linear probing, at most two thirds full.
#include "base/map.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/span.h"

// An address that the system chose, spread over 64 bits (the finalizer of SplitMix64).
static uint64_t map_spread(const void *address)
{
    uint64_t x = (uint64_t)(uintptr_t)address + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t map_hash(const hoist_map *map, hoist_str key)
{
    return hoist_str_siphash(key, map->seed[0], map->seed[1]);
}

void hoist_map_init(hoist_map *map, hoist_allocator alloc)
{
    *map = (hoist_map){.alloc = alloc};
}

void hoist_map_deinit(hoist_map *map)
{
    hoist_free(map->alloc, map->slots, map->capacity * sizeof(map->slots[0]));
    *map = (hoist_map){.alloc = map->alloc};
}

// The slot that holds `key`, or the free one where it belongs. The table has a free slot.
static hoist_map_slot *map_slot(const hoist_map *map, hoist_str key, uint64_t hash)
{
    HOIST_ASSERT(map->count < map->capacity && (map->capacity & (map->capacity - 1)) == 0);
    size_t i = (size_t)hash & (map->capacity - 1);
    while (map->slots[i].key.data &&
           (map->slots[i].hash != hash || !hoist_str_equal(map->slots[i].key, key))) {
        i = (i + 1) & (map->capacity - 1);
    }
    return &map->slots[i];
}

static bool map_grow(hoist_map *map)
{
    hoist_map bigger = {.alloc = map->alloc, .capacity = map->capacity ? map->capacity * 2 : 16};
    bigger.slots = hoist_alloc_zero(map->alloc, bigger.capacity, sizeof(map->slots[0]));
    if (!bigger.slots) {
        return false;
    }
    for (size_t i = 0; i < map->capacity; i++) {
        if (map->slots[i].key.data) {
            *map_slot(&bigger, map->slots[i].key, map->slots[i].hash) = map->slots[i];
        }
    }
    bigger.count = map->count;
    HOIST_ASSERT(bigger.count < bigger.capacity);
    bigger.seed[0] = map->capacity ? map->seed[0] : map_spread(bigger.slots);
    bigger.seed[1] = map->capacity ? map->seed[1] : map_spread(&bigger);
    hoist_map_deinit(map);
    *map = bigger;
    return true;
}

hoist_status hoist_map_add(hoist_map *map, hoist_str key, size_t value, size_t *out_existing)
{
    HOIST_ASSERT(key.data || key.size == 0);
    if (out_existing) {
        *out_existing = 0;
    }
    if ((map->count + 1) * 3 > map->capacity * 2 && !map_grow(map)) {
        return HOIST_NO_MEMORY;
    }
    const uint64_t hash = map_hash(map, key);
    hoist_map_slot *slot = map_slot(map, key, hash);
    if (slot->key.data) {
        if (out_existing) {
            *out_existing = slot->value;
        }
        return HOIST_BUSY;
    }
    *slot = (hoist_map_slot){{key.data ? key.data : "", key.size}, hash, value};
    map->count++;
    HOIST_ASSERT(map->count * 3 <= map->capacity * 2);
    return HOIST_OK;
}

bool hoist_map_find(const hoist_map *map, hoist_str key, size_t *out_value)
{
    HOIST_ASSERT(key.data || key.size == 0);
    *out_value = 0;
    if (map->count == 0) {
        return false;
    }
    const hoist_map_slot *slot = map_slot(map, key, map_hash(map, key));
    *out_value = slot->key.data ? slot->value : 0;
    return slot->key.data != NULL;
}
