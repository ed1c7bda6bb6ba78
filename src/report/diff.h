// report/diff.h - compares two documents of tree events by what they say.
//
// Both are kept, packed into about as many bytes as their text has, without what the rules leave
// out; each map and list has a digest of all that it holds, so equal parts cost nothing. Members of
// maps are matched by key, items of lists by a key of theirs where a rule names one, else by place:
// what is equal at both ends and around what was put in or taken out stays out of the result. Time
// and memory are linear in the documents.
#ifndef HOIST_SRC_REPORT_DIFF_H
#define HOIST_SRC_REPORT_DIFF_H

#include "hoist/formats.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "base/tree.h"

typedef struct hoist_diff {
    hoist_allocator alloc;
    hoist_arena arena;
    hoist_map keys;                // to numbers
    struct hoist_diff_key *key_at; // owned: by number
    size_t key_count;
    size_t key_capacity;
    const hoist_diff_rule *rules; // borrowed; at most 64
    uint64_t seed[2];             // of the digests
    hoist_mut_bytes roots[2];     // owned: packed nodes, one each; {NULL, 0}: none yet
    hoist_buffer packed;          // of the document that comes
    struct hoist_diff_open *open; // owned: maps and lists that are not at their end
    size_t depth;
    size_t capacity;
    size_t skipped; // depth inside of something that does not count
    int side;       // whose events come
} hoist_diff;

// Items or members, one after the other. Borrowed from the hoist_diff, as all of a node is.
typedef struct hoist_diff_items {
    const hoist_diff *diff;
    hoist_bytes left; // packed nodes
} hoist_diff_items;

typedef struct hoist_diff_node {
    hoist_str key; // empty: of an item
    union {
        hoist_str str; // of a FLOAT that has `digits`, too
        int64_t integer;
        uint64_t uinteger;
        double number;
        bool boolean;
        const char *identity; // LIST: the key that its items are known by; NULL: their place
    } as;
    hoist_diff_items items; // MAP, LIST
    uint64_t digest;        // MAP, LIST: of all that it holds, not of its key
    hoist_tree_kind kind;
    hoist_tree_unit unit;
    bool inline_hint;
    bool digits; // a FLOAT that represents an integer beyond 64 bits
} hoist_diff_node;

// One difference. Nodes are borrowed.
typedef struct hoist_difference {
    hoist_str path;             // "members[sg00/def.json]/json/var/x/size"; plain text
    const hoist_diff_node *old; // NULL: only the new document has it
    const hoist_diff_node *now; // NULL: only the old one
} hoist_difference;

typedef struct hoist_diff_sink {
    void *self;
    hoist_status (*difference)(void *self, const hoist_difference *difference);
} hoist_diff_sink;

// `rules` ends with a row without path. Free with hoist_diff_deinit.
void hoist_diff_init(hoist_diff *diff, const hoist_diff_rule *rules, hoist_allocator alloc);
void hoist_diff_deinit(hoist_diff *diff);
// Takes a document: side 0 is the old one, 1 the new one; one after the other, each once. It
// returns HOIST_NO_MEMORY, HOIST_LIMIT for more than 1,200 maps and lists inside each other, or
// HOIST_INTERNAL for an end or a root too many.
hoist_tree_sink hoist_diff_document(hoist_diff *diff, int side);
// Sends the differences, in the order of the old document. HOIST_OK, HOIST_NO_MEMORY, or the sink's
// status.
HOIST_NODISCARD hoist_status hoist_diff_compare(hoist_diff *diff, const hoist_diff_sink *sink);

// Takes the next node from the front of `items`. False: there is none.
bool hoist_diff_next(hoist_diff_items *items, hoist_diff_node *out_node);
// Sends a node and all that it holds as events under `key`.
void hoist_diff_send(hoist_tree_sink *sink, const char *key, const hoist_diff_node *node);
// Appends a node for people: at most about `width` columns (0: no limit) of plain text.
void hoist_diff_write(hoist_buffer *out, const hoist_diff_node *node, size_t width);

#endif // HOIST_SRC_REPORT_DIFF_H
