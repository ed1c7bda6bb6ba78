// runtime/store.h - the memory of a session: bytes of buffers, carriers of fifos, memory of calls.
//
// A fifo with a TILED layout is held as carriers: 1,024 float32 per tile. Tile k of the entry in
// slot s of part p is at tile p * part_tiles + s * entry_tiles + k of the fifo's memory, k in
// device order, so that a fifo whose parts are windows of another's (an alias) sees the same tiles
// cut otherwise. Everything else is the declared bytes.
#ifndef HOIST_SRC_RUNTIME_STORE_H
#define HOIST_SRC_RUNTIME_STORE_H

#include "kernels/compute.h"
#include "plan/pages.h"

#define HOIST_TILE_BYTES (HOIST_TILE_FLOATS * sizeof(float))
_Static_assert(HOIST_TILE_BYTES == HOIST_PAGE_TILE_BYTES, "plans count tiles as they are held");

typedef struct hoist_store_fifo {
    uint8_t *base;          // of slot 0; borrowed from `pages` of the fifo that has them
    hoist_mut_bytes pages;  // of the store's; empty: another fifo's, or a buffer's bytes
    uint64_t slot_bytes;    // from a slot to the next
    uint32_t slots;         // in memory (plan/stays.h)
    hoist_tile_shape shape; // TILED: of an entry
    uint32_t *tiles;        // TILED: place of logical tile n of slot 0, for hoist_tiles; owned
    uint64_t tile_count;    // of an entry
    // Of a fifo whose entries stay (plan/stays.h), per slot: the entry, which is in a buffer, once
    // there was one. Owned; NULL: entries are in the slots.
    hoist_mut_bytes *entries;
} hoist_store_fifo;

// The largest table of tiles of one layout, in bytes.
#define HOIST_STORE_MAX_TABLE (UINT64_C(1) << 28)

// In whose pages a buffer is.
typedef enum hoist_store_share {
    HOIST_SHARE_NONE = 0, // its own, or those of the buffer that it is a window of
    HOIST_SHARE_CONSTANT, // of an equal constant
    HOIST_SHARE_VALUE,    // of its thread's values; the caller cannot read it
    HOIST_SHARE_RESULT,   // of its thread's values; the caller reads it after a run
} hoist_store_share;

typedef struct hoist_store {
    const hoist_program *program; // borrowed
    hoist_allocator alloc;
    hoist_mut_bytes pages;     // owned: of all buffers and fifos, one after the other
    size_t used;               // bytes of `pages`
    hoist_mut_bytes *buffers;  // per buffer; roots have a part of `pages`, windows point into them
    hoist_store_share *shared; // per buffer
    hoist_store_fifo *fifos;   // per fifo
    hoist_mut_bytes *threads;  // per thread: a part of `pages`, of the values that share bytes
    uint32_t **layout_tiles;   // per TILED layout of a buffer view: as `tiles`; NULL: tile n at n
    uint64_t bytes;            // taken from the system
    uint64_t table_bytes;      // of all tables of tiles
    uint64_t limit;            // 0: none
    uint64_t needed;           // bytes that `limit` refused last
    hoist_cpu_level level;     // of conversions; baseline until the session sets it
    hoist_page_refusal refused;
} hoist_store;

// Takes memory for everything but buffers of lifetime CALL, sets contents and relocations.
// HOIST_LIMIT: more than `limit` bytes with the `later` ones that the caller takes afterwards, or
// an entry of more tiles than a table may have; HOIST_UNSUPPORTED with `store->refused`: fifos of
// tiles that share memory without being cut into the same parts, contents or names outside of a
// call for memory of one call; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_store_init_with(hoist_store *store, const hoist_program *program,
                                                   const hoist_page_plan_options *options,
                                                   uint64_t later, uint64_t limit);
static inline hoist_status hoist_store_init(hoist_store *store, const hoist_program *program,
                                            hoist_allocator alloc, uint64_t limit)
{
    const hoist_page_plan_options options = {.alloc = alloc, .home = HOIST_NO_REF};
    return hoist_store_init_with(store, program, &options, 0, limit);
}
void hoist_store_deinit(hoist_store *store);

// Takes `size` zero bytes more, within the limit; the caller frees them (os/pages.h). HOIST_LIMIT,
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_store_take(hoist_store *store, uint64_t size,
                                              hoist_mut_bytes *out_pages);

// The bytes of a slot: its own, or those of the entry that it has.
hoist_mut_bytes hoist_store_slot(const hoist_store *store, hoist_ref fifo, uint64_t slot);

// Buffers of lifetime RUN get their contents again.
void hoist_store_begin_run(hoist_store *store);

// Places of logical tiles for a layout whose tiles of one part are `part_tiles` apart; NULL with
// `*out_identity` when tile n is at n, NULL without it when out of memory.
uint32_t *hoist_store_tile_table(const hoist_prog_layout *layout, uint64_t part_tiles,
                                 hoist_allocator alloc, bool *out_identity);
// The shape in tiles of a TILED layout.
hoist_tile_shape hoist_store_shape(const hoist_prog_layout *layout);

#endif // HOIST_SRC_RUNTIME_STORE_H
