// exchange/array_set.h - arrays with names, for what writes them.
#ifndef HOIST_SRC_EXCHANGE_ARRAY_SET_H
#define HOIST_SRC_EXCHANGE_ARRAY_SET_H

#include "hoist/exchange.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "codec/json_writer.h"

typedef struct hoist_set_item {
    hoist_str name;    // arena
    hoist_array array; // its data in the arena
} hoist_set_item;

typedef struct hoist_set_note {
    hoist_str key;  // arena
    hoist_str text; // arena
} hoist_set_note;

struct hoist_array_set {
    hoist_allocator alloc;
    hoist_arena arena;
    hoist_map names;
    hoist_set_item *items; // owned
    size_t count;
    size_t capacity;
    hoist_set_note *notes; // owned
    size_t note_count;
    size_t note_capacity;
    // A tree in the making.
    const char *key; // borrowed
    hoist_buffer text;
    hoist_json_writer writer;
    hoist_tree_sink inner;
    hoist_tree_sink sink;
    size_t skipped; // open maps and lists that are for people
};

// Hands over what `out` holds when `status` is HOIST_OK; else frees it.
hoist_status hoist_array_set_take(hoist_buffer *out, hoist_status status,
                                  hoist_mut_bytes *out_bytes);

#endif // HOIST_SRC_EXCHANGE_ARRAY_SET_H
