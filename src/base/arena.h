// base/arena.h - memory that lives and dies together: nodes, strings and tables of one module.
//
// Blocks grow from 4 KiB to 1 MiB; a larger request gets a block of its own. Nothing is freed
// before hoist_arena_deinit. AddressSanitizer reports who touches bytes between or beyond the
// pieces. Thread-compatible: one thread at a time.
#ifndef HOIST_SRC_BASE_ARENA_H
#define HOIST_SRC_BASE_ARENA_H

#include "base/alloc.h"

typedef struct hoist_arena_block hoist_arena_block;
typedef struct hoist_arena_adopted hoist_arena_adopted;

typedef struct hoist_arena {
    hoist_allocator alloc;
    hoist_arena_block *blocks; // owned, newest first
    uint8_t *next;             // free part of the newest block
    size_t left;               // bytes free there
    size_t total;              // bytes asked from `alloc`
    hoist_arena_adopted *adopted;
    bool failed;          // a request was refused
    bool has_large_pages; // set before the first piece: blocks grow to large pages of the system,
                          // for arenas of many megabytes that are touched all over
} hoist_arena;

void hoist_arena_init(hoist_arena *arena, hoist_allocator alloc);
void hoist_arena_deinit(hoist_arena *arena);

// `size` bytes aligned to 16, zeroed; NULL when out of memory. `size` 0 gives a valid pointer.
void *hoist_arena_alloc(hoist_arena *arena, size_t size);
// `count` items of `size` bytes, zeroed; NULL when out of memory or the product overflows.
void *hoist_arena_array(hoist_arena *arena, size_t count, size_t size);
// A NUL-terminated copy of `text` (the NUL is not counted); {NULL, 0} when out of memory.
hoist_str hoist_arena_str(hoist_arena *arena, hoist_str text);
// printf into the arena; {NULL, 0} when out of memory.
hoist_str hoist_arena_format(hoist_arena *arena, const char *format, ...) HOIST_PRINTF(2, 3);
hoist_str hoist_arena_vformat(hoist_arena *arena, const char *format, va_list args)
    HOIST_PRINTF(2, 0);
// Takes over `size` bytes that came from the arena's allocator, such as a table that has grown;
// they are freed with the arena. False when out of memory: they stay the caller's.
HOIST_NODISCARD bool hoist_arena_adopt(hoist_arena *arena, void *memory, size_t size);

// What work that took memory from the arena ends with: HOIST_NO_MEMORY where a request was refused,
// such as that for a text of which nothing is left then.
static inline hoist_status hoist_arena_status(const hoist_arena *arena, hoist_status status)
{
    return status == HOIST_OK && arena->failed ? HOIST_NO_MEMORY : status;
}

// For tests under AddressSanitizer: from now on every piece is a request of its own, so that each
// can be refused. Elsewhere it does nothing.
void hoist_arena_pieces_alone(bool alone);

#endif // HOIST_SRC_BASE_ARENA_H
