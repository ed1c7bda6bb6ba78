// report/diff.h - compares two documents of tree events by what they say.
//
// Both are kept, without what the rules leave out; each value has a digest of all that it holds, so
// equal parts cost nothing. Members of maps are matched by key, items of lists by a key of theirs
// where a rule names one, else by place: what is equal at both ends and around what was put in or
// taken out stays out of the result. Time and memory are linear in the documents.
#ifndef HOIST_SRC_REPORT_DIFF_H
#define HOIST_SRC_REPORT_DIFF_H

#include "hoist/formats.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/map.h"
#include "base/tree.h"

typedef struct hoist_diff_node {
    hoist_str key; // arena
    union {
        hoist_str str; // arena; of a FLOAT that has `digits`, too
        int64_t integer;
        uint64_t uinteger;
        double number;
        bool boolean;
        const char *identity; // LIST: the key that its items are known by; NULL: their place
    } as;
    uint64_t digest;               // of all that it holds, not of its key
    struct hoist_diff_node *first; // item or member; arena
    struct hoist_diff_node *next;  // of the parent
    uint32_t count;                // items or members
    uint8_t kind;                  // hoist_tree_kind
    uint8_t unit;                  // hoist_tree_unit
    bool inline_hint;
    bool digits; // a FLOAT that stands for an integer beyond 64 bits
    bool seen;   // by the other document's
} hoist_diff_node;

typedef struct hoist_diff {
    hoist_allocator alloc;
    hoist_arena arena;
    hoist_map keys;               // in the arena
    const hoist_diff_rule *rules; // borrowed; at most 64
    uint64_t seed[2];             // of the digests
    hoist_diff_node *roots[2];    // arena
    struct hoist_diff_open *open; // owned: maps and lists that are not at their end
    size_t depth;
    size_t capacity;
    size_t skipped; // depth inside of something that does not count
    int side;       // whose events come
} hoist_diff;

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
// Takes a document: side 0 is the old one, 1 the new one; one after the other. It returns
// HOIST_NO_MEMORY, or HOIST_LIMIT for more than 1,200 maps and lists inside each other.
hoist_tree_sink hoist_diff_document(hoist_diff *diff, int side);
// Sends the differences, in the order of the old document. HOIST_OK, HOIST_NO_MEMORY, or the sink's
// status.
HOIST_NODISCARD hoist_status hoist_diff_compare(hoist_diff *diff, const hoist_diff_sink *sink);

// Sends a node and all that it holds as events under `key`.
void hoist_diff_send(hoist_tree_sink *sink, const char *key, const hoist_diff_node *node);
// Appends a node for people: at most about `width` columns (0: no limit) of plain text.
void hoist_diff_write(hoist_buffer *out, const hoist_diff_node *node, size_t width);

#endif // HOIST_SRC_REPORT_DIFF_H
