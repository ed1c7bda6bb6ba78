// testing/text_tree.h - a document of maps, lists and texts that tests build, change in one place
// and write as YAML. The order of members is kept; keys may occur twice on purpose.
#ifndef HOIST_SRC_TESTING_TEXT_TREE_H
#define HOIST_SRC_TESTING_TEXT_TREE_H

#include "base/arena.h"
#include "base/buffer.h"

typedef enum hoist_text_kind {
    HOIST_TEXT_SCALAR,
    HOIST_TEXT_MAP,
    HOIST_TEXT_FLOW_MAP, // written in braces on one line
    HOIST_TEXT_LIST,
} hoist_text_kind;

typedef struct hoist_text_node {
    hoist_str key; // arena; empty in a list
    hoist_text_kind kind;
    hoist_str value;               // of a scalar: YAML as it is written; arena
    struct hoist_text_node *first; // arena; of a map or list
    struct hoist_text_node *next;  // arena; the sibling
} hoist_text_node;

// An empty map to start from. Like all functions here it aborts when memory runs out.
hoist_text_node *hoist_text_root(hoist_arena *arena);
// Adds a last member to a map, or with an empty key a last item to a list.
hoist_text_node *hoist_text_add(hoist_arena *arena, hoist_text_node *parent, hoist_text_kind kind,
                                hoist_str key);
// Gives the member `key` a text, printf's way; adds it when the map has none.
void hoist_text_set(hoist_arena *arena, hoist_text_node *parent, const char *key,
                    const char *format, ...) HOIST_PRINTF(4, 5);
// Adds a copy of `node`, its children included, under another key.
hoist_text_node *hoist_text_copy(hoist_arena *arena, hoist_text_node *parent,
                                 const hoist_text_node *node, hoist_str key);
// Takes the child `node` out of `parent`.
void hoist_text_remove(hoist_text_node *parent, const hoist_text_node *node);

// The first member with that key; NULL when there is none or `parent` is NULL.
hoist_text_node *hoist_text_find(const hoist_text_node *parent, const char *key);
size_t hoist_text_count(const hoist_text_node *parent);
// The child at `index`, which is below the count.
hoist_text_node *hoist_text_at(const hoist_text_node *parent, size_t index);

// Appends the document in block style.
void hoist_text_write(const hoist_text_node *root, hoist_buffer *out);

#endif // HOIST_SRC_TESTING_TEXT_TREE_H
