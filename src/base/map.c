// Open addressing with linear probing, at most two thirds full.
#include "base/map.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/span.h"

static const uint64_t MAP_SEED = 0x9e3779b97f4a7c15u;

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
    size_t i = (size_t)hash & (map->capacity - 1);
    while (map->slots[i].used &&
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
        if (map->slots[i].used) {
            *map_slot(&bigger, map->slots[i].key, map->slots[i].hash) = map->slots[i];
        }
    }
    bigger.count = map->count;
    hoist_map_deinit(map);
    *map = bigger;
    return true;
}

hoist_status hoist_map_add(hoist_map *map, hoist_str key, size_t value, size_t *out_existing)
{
    if (out_existing) {
        *out_existing = 0;
    }
    if ((map->count + 1) * 3 > map->capacity * 2 && !map_grow(map)) {
        return HOIST_NO_MEMORY;
    }
    const uint64_t hash = hoist_str_hash(key, MAP_SEED);
    hoist_map_slot *slot = map_slot(map, key, hash);
    if (slot->used) {
        if (out_existing) {
            *out_existing = slot->value;
        }
        return HOIST_BUSY;
    }
    *slot = (hoist_map_slot){key, hash, value, true};
    map->count++;
    return HOIST_OK;
}

bool hoist_map_find(const hoist_map *map, hoist_str key, size_t *out_value)
{
    *out_value = 0;
    if (map->count == 0) {
        return false;
    }
    const hoist_map_slot *slot = map_slot(map, key, hoist_str_hash(key, MAP_SEED));
    if (slot->used) {
        *out_value = slot->value;
    }
    return slot->used;
}
