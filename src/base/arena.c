// Arenas: a bump allocator over blocks that grow from 4 KiB to 1 MiB, or to 2. Under
// AddressSanitizer each piece has its exact size.
#include "base/arena.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"
#include "base/large_page.h"
#include "base/poison.h"

enum {
    ARENA_ALIGN = 16,
    ARENA_FIRST_BLOCK = 4096,
    ARENA_LAST_BLOCK = 1 << 20,
};

struct hoist_arena_block {
    _Alignas(16) hoist_arena_block *below; // owned
    size_t size;                           // of the whole block, this header included
};

struct hoist_arena_adopted {
    hoist_arena_adopted *below; // in a block
    void *memory;               // owned
    size_t size;
};

static atomic_bool pieces_alone;

void hoist_arena_pieces_alone(bool alone)
{
    atomic_store(&pieces_alone, alone);
}

// Where the pieces of a block are: after its header. Under AddressSanitizer in a block of their
// own, in twice as much memory that is not counted, so that red zones change no limit and no number
// of requests.
static uint8_t *make_pieces(hoist_arena_block *block)
{
    uint8_t *pieces = (uint8_t *)(block + 1);
    if (HOIST_POISONS) {
        pieces = malloc(2 * block->size);
        if (!pieces) {
            abort();
        }
        memcpy(block + 1, &pieces, sizeof(pieces));
        hoist_poison(pieces, 2 * block->size);
    }
    return pieces;
}

void hoist_arena_init(hoist_arena *arena, hoist_allocator alloc)
{
    *arena = (hoist_arena){.alloc = alloc};
}

void hoist_arena_deinit(hoist_arena *arena)
{
    for (hoist_arena_adopted *own = arena->adopted; own; own = own->below) {
        hoist_free(arena->alloc, own->memory, own->size);
    }
    hoist_arena_block *block = arena->blocks;
    while (block) {
        hoist_arena_block *below = block->below;
        uint8_t *pieces = NULL;
        if (HOIST_POISONS) {
            memcpy(&pieces, block + 1, sizeof(pieces));
            free(pieces);
        }
        hoist_free(arena->alloc, block, block->size);
        block = below;
    }
    *arena = (hoist_arena){.alloc = arena->alloc};
}

// Adds a block with space for `size` bytes. Blocks double, so a big module costs few requests.
static bool arena_add_block(hoist_arena *arena, size_t size)
{
    HOIST_ASSERT(size % ARENA_ALIGN == 0);
    size_t wanted = arena->total < ARENA_FIRST_BLOCK ? ARENA_FIRST_BLOCK : arena->total;
    const size_t most = arena->has_large_pages ? HOIST_LARGE_PAGE : ARENA_LAST_BLOCK;
    if (wanted > most) {
        wanted = most;
    }
    uint64_t least = 0;
    if (hoist_ckd_add(&least, size, sizeof(hoist_arena_block)) || least > SIZE_MAX) {
        return false;
    }
    if (wanted < least || (HOIST_POISONS && atomic_load(&pieces_alone))) {
        wanted = (size_t)least;
    }
    hoist_arena_block *block = hoist_alloc(arena->alloc, wanted);
    if (!block) {
        return false;
    }
    block->below = arena->blocks;
    block->size = wanted;
    arena->blocks = block;
    arena->next = make_pieces(block);
    arena->left = wanted - sizeof(hoist_arena_block);
    arena->total += wanted;
    return true;
}

void *hoist_arena_alloc(hoist_arena *arena, size_t size)
{
    uint64_t rounded = 0;
    if (hoist_ckd_align(&rounded, size ? size : 1, ARENA_ALIGN) || rounded > SIZE_MAX) {
        return NULL;
    }
    if (rounded > arena->left && !arena_add_block(arena, (size_t)rounded)) {
        arena->failed = true;
        return NULL;
    }
    void *memory = arena->next;
    HOIST_ASSERT(rounded <= arena->left && (uintptr_t)memory % ARENA_ALIGN == 0);
    arena->next += rounded + HOIST_RED_ZONE; // no more than a piece
    arena->left -= (size_t)rounded;
    hoist_unpoison(memory, size);
    memset(memory, 0, size);
    return memory;
}

void *hoist_arena_array(hoist_arena *arena, size_t count, size_t size)
{
    size_t total = 0;
    return hoist_ckd_size_mul(&total, count, size) ? NULL : hoist_arena_alloc(arena, total);
}

hoist_str hoist_arena_str(hoist_arena *arena, hoist_str text)
{
    if (text.size == SIZE_MAX) {
        return (hoist_str){NULL, 0};
    }
    char *copy = hoist_arena_alloc(arena, text.size + 1);
    if (!copy) {
        return (hoist_str){NULL, 0};
    }
    if (text.size) {
        memcpy(copy, text.data, text.size);
    }
    return (hoist_str){copy, text.size};
}

hoist_str hoist_arena_vformat(hoist_arena *arena, const char *format, va_list args)
{
    char small[256]; // most texts; others are formatted twice
    va_list again;
    va_copy(again, args);
    const int size = vsnprintf(small, sizeof(small), format, args);
    char *text = size < 0 ? NULL : hoist_arena_alloc(arena, (size_t)size + 1);
    int written = text ? size : -1;
    if (text && (size_t)size < sizeof(small)) {
        memcpy(text, small, (size_t)size + 1);
    } else if (text) {
        written = vsnprintf(text, (size_t)size + 1, format, again);
    }
    va_end(again);
    return written < 0 ? (hoist_str){NULL, 0} : (hoist_str){text, (size_t)written};
}

hoist_str hoist_arena_format(hoist_arena *arena, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const hoist_str text = hoist_arena_vformat(arena, format, args);
    va_end(args);
    return text;
}

bool hoist_arena_adopt(hoist_arena *arena, void *memory, size_t size)
{
    HOIST_ASSERT(memory || size == 0);
    hoist_arena_adopted *own = hoist_arena_alloc(arena, sizeof(*own));
    if (!own) {
        return false;
    }
    *own = (hoist_arena_adopted){arena->adopted, memory, size};
    arena->adopted = own;
    return true;
}
