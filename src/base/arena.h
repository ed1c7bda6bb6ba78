// base/arena.h - memory that lives and dies together: nodes, strings and tables of one module.
//
// Blocks grow from 4 KiB to 1 MiB; a larger request gets a block of its own. Nothing is freed
// before hoist_arena_deinit. AddressSanitizer reports who touches bytes between or beyond the
// pieces. Thread-compatible: one thread at a time.
#ifndef HOIST_SRC_BASE_ARENA_H
#define HOIST_SRC_BASE_ARENA_H

#include "hoist/base.h"

typedef struct hoist_arena_block hoist_arena_block;
typedef struct hoist_arena_adopted hoist_arena_adopted;

typedef struct hoist_arena {
    hoist_allocator alloc;
    hoist_arena_block *blocks; // owned, newest first
    uint8_t *next;             // free part of the newest block
    size_t left;               // bytes free there
    size_t total;              // bytes asked from `alloc`
    hoist_arena_adopted *adopted;
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

#endif // HOIST_SRC_BASE_ARENA_H
