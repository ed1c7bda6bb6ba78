// report/diff_node.h - how kept nodes are packed; diff_keep.c writes them, diff.c reads them.
//
// A node is a byte of kind and flags, its unit and the number of its key where it has them, and its
// value: integers in as few bytes as they need, texts after their size, of maps and lists the size
// and digest of what they hold (16 bytes, set at their end) before it.
#ifndef HOIST_SRC_REPORT_DIFF_NODE_H
#define HOIST_SRC_REPORT_DIFF_NODE_H

#include "report/diff.h"

// Keys come again and again: they are kept once.
typedef struct hoist_diff_key {
    hoist_str text;  // arena
    uint64_t digest; // of it
} hoist_diff_key;

// What a scalar says: equal values are equal in all of these, however they were written.
typedef struct hoist_diff_value {
    uint64_t bits;
    hoist_str text;
    hoist_tree_kind kind; // INT for all integers up to 64 bits
    bool negative;
} hoist_diff_value;

// The node of an event, without key and contents; texts are borrowed from it.
hoist_diff_node hoist_diff_node_of(const hoist_tree_event *event);
hoist_diff_value hoist_diff_value_of(const hoist_diff_node *node);
// By value, maps and lists by their digests.
bool hoist_diff_is_same(const hoist_diff_node *a, const hoist_diff_node *b);
bool hoist_diff_is_scalar(const hoist_diff_node *node);

// Appends a node whose key has the number `key` (SIZE_MAX: none); of a list `rule` is the one that
// names its identity (SIZE_MAX: none). What a map or list holds is appended after it, then its end
// is called with where it began in `out`.
void hoist_diff_pack(hoist_buffer *out, const hoist_diff_node *node, size_t key, size_t rule);
void hoist_diff_pack_end(hoist_buffer *out, size_t contents, uint64_t digest);

#endif // HOIST_SRC_REPORT_DIFF_NODE_H
