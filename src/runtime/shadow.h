// runtime/shadow.h - which bytes of a session's memory are unknown, because an opaque step that was
// not executed may have written them.
//
// A byte of marks for each byte of memory: 0 (known) or 255. Nothing is there before the first byte
// becomes unknown, and then only for the memory that unknown bytes come to. Guarded by the
// session's lock.
#ifndef HOIST_SRC_RUNTIME_SHADOW_H
#define HOIST_SRC_RUNTIME_SHADOW_H

#include "runtime/work.h"

// Memory that is one piece.
typedef struct hoist_shadow_region {
    const uint8_t *base; // borrowed
    size_t size;
    hoist_mut_bytes marks; // owned; empty: all bytes are known
    // Outside of these bytes all are unknown: what computes may write a whole memory, and need not
    // mark it again where nothing was written since.
    size_t known_from, known_to;
} hoist_shadow_region;

typedef struct hoist_shadow {
    hoist_store *store;           // borrowed; marks count to its limit
    hoist_shadow_region *regions; // owned, by address; NULL: no byte was ever unknown
    size_t count;
    size_t capacity;
    uint64_t *popped; // owned: per fifo, unknown bytes of the entries that were popped
} hoist_shadow;

// Makes space for `more` regions and for those of the store, which it adds. HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_shadow_open(hoist_shadow *shadow, hoist_store *store,
                                               size_t more);
// Adds a region, before any byte is marked.
void hoist_shadow_add(hoist_shadow *shadow, hoist_mut_bytes memory);
void hoist_shadow_deinit(hoist_shadow *shadow); // of zeros is allowed

static inline bool hoist_shadow_is_open(const hoist_shadow *shadow)
{
    return shadow->regions != NULL;
}

// Marks all elements of a view, or of tiles, as unknown or known. HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_shadow_mark(hoist_shadow *shadow, const hoist_view *view,
                                               bool unknown);
HOIST_NODISCARD hoist_status hoist_shadow_mark_tiles(hoist_shadow *shadow, const hoist_tiles *tiles,
                                                     bool unknown);
// As known: takes no memory.
void hoist_shadow_clear(hoist_shadow *shadow, const hoist_view *view);
void hoist_shadow_clear_tiles(hoist_shadow *shadow, const hoist_tiles *tiles);
// Unknown bytes of a view; of tiles, of their float32 elements.
uint64_t hoist_shadow_count(const hoist_shadow *shadow, const hoist_view *view);
uint64_t hoist_shadow_count_tiles(const hoist_shadow *shadow, const hoist_tiles *tiles);

// The tiles of a slot of a TILED fifo, and the elements of one of another fifo.
hoist_tiles hoist_shadow_slot_tiles(const hoist_store *store, hoist_ref fifo, uint32_t slot);
hoist_view hoist_shadow_slot_view(const hoist_store *store, hoist_ref fifo, uint32_t slot);

// Carries marks along with a step that was made ready. Copies between equal types, by byte; other
// moves and reductions: an element is unknown when any byte that it is made of is; computes: all
// outputs are unknown when any input has an unknown byte. HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_shadow_carry(hoist_shadow *shadow,
                                                const hoist_work_context *context,
                                                const hoist_work *work);

// What hoist_store_begin_run() sets is known.
void hoist_shadow_begin_run(hoist_shadow *shadow);

#endif // HOIST_SRC_RUNTIME_SHADOW_H
