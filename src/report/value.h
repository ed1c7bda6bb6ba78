// report/value.h - the tree that report/text.c keeps of a document, and its values in words.
#ifndef HOIST_SRC_REPORT_VALUE_H
#define HOIST_SRC_REPORT_VALUE_H

#include "base/arena.h"
#include "base/buffer.h"
#include "base/tree.h"

typedef struct hoist_value {
    hoist_tree_event event;     // key and str: plain text (report/plain.h), arena
    struct hoist_value *parent; // arena
    struct hoist_value *first;  // first item or member; arena
    struct hoist_value *last;
    struct hoist_value *next; // next item or member of the parent
    size_t count;             // items or members
    size_t cut;               // of them those that are not shown: the last ones
    struct hoist_value *rest; // where those begin; NULL: none
    struct hoist_value *seen; // the one before; NULL: all are left out
} hoist_value;

static inline bool hoist_value_is_scalar(const hoist_value *v)
{
    return v->event.kind != HOIST_TREE_MAP && v->event.kind != HOIST_TREE_LIST;
}

// True for what reads well on one line: a scalar, something empty, what its producer marked with
// inline_hint, a list of such that holds no map.
bool hoist_value_is_line(const hoist_value *v);

// True for a number, which tables align right.
bool hoist_value_is_number(const hoist_value *v);

// Appends a value for people: scalars with their unit, items joined by commas, inner lists in
// brackets, inner maps in braces. `brief` drops the exact figure of byte counts from 1 KiB on, and
// digits of floats beyond four.
void hoist_value_write(hoist_buffer *out, const hoist_value *v, bool brief);

#endif // HOIST_SRC_REPORT_VALUE_H
