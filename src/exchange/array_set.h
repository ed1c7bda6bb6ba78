// exchange/array_set.h - arrays with names, for what reads and writes files of them.
#ifndef HOIST_SRC_EXCHANGE_ARRAY_SET_H
#define HOIST_SRC_EXCHANGE_ARRAY_SET_H

#include "hoist/exchange.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "codec/json_writer.h"

// An array of a set. Only one of the ways of `data` needs freeing: `owned` by hoist_array_deinit,
// `file` with the set.
typedef struct hoist_set_item {
    hoist_str name;       // arena
    hoist_array array;    // its data in the arena, in `file`, borrowed, or owned
    hoist_mut_bytes file; // owned: of an archive, the .npy file; or empty
} hoist_set_item;

typedef struct hoist_set_note {
    hoist_str key;  // arena
    hoist_str text; // arena
} hoist_set_note;

struct hoist_array_set {
    hoist_allocator alloc;
    hoist_arena arena;
    hoist_map names;       // name -> index of `items`
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

// Adds an array as it is, under a copy of the name; `item->array.owned` and `item->file` are the
// set's from then on. HOIST_OK, HOIST_BUSY (the set has an array of that name), HOIST_NO_MEMORY:
// they stay the caller's.
HOIST_NODISCARD hoist_status hoist_array_set_keep(hoist_array_set *set, const hoist_set_item *item);

// Read all arrays of a file into an empty set; statuses of hoist_array_set_read(). npz_read.c,
// safetensors_read.c
HOIST_NODISCARD hoist_status hoist_npz_read(hoist_bytes file, hoist_deadline *deadline,
                                            hoist_diag *diag, hoist_array_set *set);
HOIST_NODISCARD hoist_status hoist_safetensors_read(hoist_bytes file, hoist_deadline *deadline,
                                                    hoist_diag *diag, hoist_array_set *set);
// The code of an element type in safetensors files; NULL: there is none. safetensors.c
const char *hoist_safetensors_code(hoist_dtype dtype);

// Gives what `out` holds as `*out_bytes` when `status` is HOIST_OK; else frees it. Returns
// `status`, or HOIST_NO_MEMORY where `out` failed.
hoist_status hoist_array_set_take(hoist_buffer *out, hoist_status status,
                                  hoist_mut_bytes *out_bytes);

#endif // HOIST_SRC_EXCHANGE_ARRAY_SET_H
