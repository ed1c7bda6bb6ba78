// codec/yaml.h - YAML text to a tree with positions, on libyaml's events.
//
// What is read: one YAML 1.1 document as libyaml sees it, block and flow, all scalar styles,
// anchors and aliases. Scalars keep their text; what `0x10` or `y` means is the caller's business
// (base/span.h has the conversions). The tree lives in the caller's arena; text is copied, so the
// input may go away afterwards.
//
// Findings (rule ids YAML-001..., codec/yaml_rules.inc): malformed text, limits, duplicate keys
// (both entries are kept, in order), a second document, an alias without anchor, a merge key.
// After an error that libyaml cannot pass (malformed text) no tree is returned.
#ifndef HOIST_SRC_CODEC_YAML_H
#define HOIST_SRC_CODEC_YAML_H

#include "hoist/base.h"

#include "base/arena.h"

typedef enum hoist_yaml_kind {
    HOIST_YAML_SCALAR,
    HOIST_YAML_LIST,
    HOIST_YAML_MAP,
} hoist_yaml_kind;

typedef struct hoist_yaml_node {
    hoist_yaml_kind kind;
    bool plain;     // scalar without quotes: the only kind that can be null, bool or a number
    bool flow;      // list or map written with brackets
    bool duplicate; // in a map: its key occurred before
    uint32_t count; // list items or map entries
    hoist_pos pos;  // first byte of the value (of the alias `*a` where there is one)
    hoist_str text; // scalar: the text after escapes and folding; arena
    const struct hoist_yaml_node *key; // in a map: the key of this entry; NULL in a list
    // Next item or entry of the parent. Of the first of several equal keys of a map: the last one.
    const struct hoist_yaml_node *next;
    // First item or entry; NULL when empty. Of a key: the next entry of its map with an equal key.
    const struct hoist_yaml_node *first;
} hoist_yaml_node;

typedef struct hoist_yaml_limits {
    size_t max_bytes;    // of the input; 0: 256 MiB
    size_t max_depth;    // nested lists and maps; 0: 256 (libyaml is quadratic in depth)
    size_t max_nodes;    // scalars, lists and maps as written; 0: 16,000,000 (of 64 bytes each)
    size_t max_expanded; // nodes after aliases are followed, in total, where every 64 bytes of a
                         // scalar count as one more; 0: 32,000,000
    hoist_deadline *deadline; // NULL: none
} hoist_yaml_limits;

extern const hoist_rule_set hoist_yaml_rules;

// Reads one document. `limits` may be NULL for the defaults. `*out_root` is NULL for an empty
// stream (which is no error here).
//
// An alias becomes a node of its own that shares the children of the anchored one; following them
// is bounded by max_expanded, so walking the tree ends.
//
// Duplicate keys are reported as YAML-005 (warning) only when `report_duplicates`; the flag
// `duplicate` is set on the later entry in any case, so that a format can check by its own rule.
//
// Returns HOIST_OK, HOIST_INVALID (malformed, depth), HOIST_LIMIT (bytes, nodes, expansion) or
// HOIST_NO_MEMORY. Nesting beyond max_depth is HOIST_INVALID: a built-in structural cap.
HOIST_NODISCARD hoist_status hoist_yaml_read(hoist_bytes text, const hoist_yaml_limits *limits,
                                             bool report_duplicates, hoist_arena *arena,
                                             hoist_diag *diag, const hoist_yaml_node **out_root);

// First entry of a map whose key is the scalar `key`; NULL when absent or `map` is no map.
const hoist_yaml_node *hoist_yaml_find(const hoist_yaml_node *map, const char *key);

// Walks the items of a value that collects over equal keys: those of `entry`, then those of later
// entries of its map with the same key. Entries of another kind than `kind`, HOIST_YAML_LIST or
// HOIST_YAML_MAP, have no items.
typedef struct hoist_yaml_items {
    const hoist_yaml_node *entry;
    const hoist_yaml_node *item; // NULL at the end
    hoist_yaml_kind kind;
} hoist_yaml_items;

hoist_yaml_items hoist_yaml_items_begin(const hoist_yaml_node *entry, hoist_yaml_kind kind);
void hoist_yaml_items_next(hoist_yaml_items *it);
size_t hoist_yaml_items_count(const hoist_yaml_node *entry, hoist_yaml_kind kind);

// True for a plain scalar that YAML reads as null: empty, ~, null, Null, NULL.
bool hoist_yaml_is_null(const hoist_yaml_node *node);

// yaml-cpp's booleans: y n yes no on off true false, in lower, Capitalised or UPPER form; plain or
// quoted. False when `text` is none of them.
bool hoist_yaml_to_bool(hoist_str text, bool *out_value);

#endif // HOIST_SRC_CODEC_YAML_H
