// formats/neff/build_tree.h - the JSON of a NEFF that is being made: a tree whose maps know which
// table of fields.h their keys are of.
#ifndef HOIST_SRC_FORMATS_NEFF_BUILD_TREE_H
#define HOIST_SRC_FORMATS_NEFF_BUILD_TREE_H

#include "hoist/neff.h"

#include "base/buffer.h"
#include "formats/neff/fields.h"

typedef struct neff_made neff_made;

// A value; in a map with its key. All in the builder's arena.
struct neff_made {
    hoist_str key;
    neff_made *next;
    hoist_tree_kind kind;
    bool given;  // by the caller as a hoist_neff_key
    bool absent; // left out by the caller
    union {      // by kind
        int64_t integer;
        uint64_t uinteger;
        struct {
            double number;
            hoist_str digits; // of an integer beyond 64 bits, else empty
        };
        bool boolean;
        hoist_str text;
        struct {                              // maps and lists
            const hoist_rec_table *tables[2]; // of a map's keys; NULL: none
            size_t count;                     // children
            neff_made *first;
            neff_made *last;
        };
    };
};

// Makes values. After a failure, which stays in `status`, nothing is done any more and what is
// returned is not to be used.
typedef struct neff_maker {
    hoist_arena *arena;
    hoist_status status;
} neff_maker;

// A map of the keys of these tables (NULL: any keys), a list.
neff_made *neff_make_map(neff_maker *m, const hoist_rec_table *table,
                         const hoist_rec_table *second);
neff_made *neff_make_list(neff_maker *m);
// Adds a value to a list, or to a map under a key that it has not got.
void neff_made_add(neff_maker *m, neff_made *parent, hoist_str key, neff_made *value);
// The child with that key, absent ones too; NULL.
neff_made *neff_made_find(const neff_made *map, hoist_str key);

// One member of a map each; `key` is static and a key of the map's tables, when it has any. A NULL
// text is not written, and neither is what is not `given`.
void neff_put_int(neff_maker *m, neff_made *map, const char *key, int64_t value);
void neff_put_given(neff_maker *m, neff_made *map, const char *key, bool given, int64_t value);
void neff_put_number(neff_maker *m, neff_made *map, const char *key, double value);
void neff_put_true(neff_maker *m, neff_made *map, const char *key, bool given);
void neff_put_text(neff_maker *m, neff_made *map, const char *key, const char *text);
void neff_put_ints(neff_maker *m, neff_made *map, const char *key, hoist_neff_ints values);
void neff_put_names(neff_maker *m, neff_made *map, const char *key, hoist_neff_names values);
void neff_put(neff_maker *m, neff_made *map, const char *key, neff_made *value);

// What the caller gives besides fields: it takes the place of what is there.
void neff_put_keys(neff_maker *m, neff_made *map, hoist_neff_keys keys);

// The tree as JSON text, appended. HOIST_NO_MEMORY. build_write.c
HOIST_NODISCARD hoist_status neff_made_write(const neff_made *root, bool compact,
                                             hoist_neff_order order, hoist_buffer *out);

#endif // HOIST_SRC_FORMATS_NEFF_BUILD_TREE_H
