// base/tree.h - the tree visitor: how a module, a report or a table leaves its owner without the
// receiver knowing its C types. A producer sends events; a sink renders them as JSON or as text.
//
// Grammar of a stream: value = MAP member* END | LIST value* END | scalar; members carry a key,
// list items do not. The producer stops at the first status that is not HOIST_OK.
#ifndef HOIST_SRC_BASE_TREE_H
#define HOIST_SRC_BASE_TREE_H

#include "hoist/base.h"

typedef enum hoist_tree_kind {
    HOIST_TREE_MAP,
    HOIST_TREE_LIST,
    HOIST_TREE_END, // of the innermost map or list
    HOIST_TREE_STR,
    HOIST_TREE_INT,
    HOIST_TREE_UINT,
    HOIST_TREE_FLOAT,
    HOIST_TREE_BOOL,
    HOIST_TREE_NULL,
} hoist_tree_kind;

// How people like to read the number; machines get the plain value.
typedef enum hoist_tree_unit {
    HOIST_UNIT_NONE,
    HOIST_UNIT_BYTES,   // 17,039,392 (16.2 MiB)
    HOIST_UNIT_ADDRESS, // 0x30000000
    HOIST_UNIT_PERCENT, // value is 0..100
} hoist_tree_unit;

typedef struct hoist_tree_event {
    hoist_tree_kind kind;
    hoist_tree_unit unit;
    hoist_str key;     // in a map; borrowed during the call
    hoist_pos pos;     // place in the source, {0,0} when there is none
    hoist_str str;     // HOIST_TREE_STR
    int64_t integer;   // HOIST_TREE_INT
    uint64_t uinteger; // HOIST_TREE_UINT
    double number;     // HOIST_TREE_FLOAT
    bool boolean;      // HOIST_TREE_BOOL
    bool inline_hint;  // a short map or list that reads best on one line
} hoist_tree_event;

typedef struct hoist_tree_sink {
    void *self;
    hoist_status (*event)(void *self, const hoist_tree_event *event);
    hoist_status status; // sticky: the first failure; later events are not sent
} hoist_tree_sink;

// Each sends one event; failures stay in sink->status. `key` is "" inside a list.
void hoist_tree_send(hoist_tree_sink *sink, const hoist_tree_event *event);
void hoist_tree_map(hoist_tree_sink *sink, const char *key);
void hoist_tree_list(hoist_tree_sink *sink, const char *key);
void hoist_tree_end(hoist_tree_sink *sink);
void hoist_tree_str(hoist_tree_sink *sink, const char *key, hoist_str value);
void hoist_tree_c(hoist_tree_sink *sink, const char *key, const char *value);
void hoist_tree_int(hoist_tree_sink *sink, const char *key, int64_t value);
void hoist_tree_uint(hoist_tree_sink *sink, const char *key, uint64_t value, hoist_tree_unit unit);
void hoist_tree_float(hoist_tree_sink *sink, const char *key, double value, hoist_tree_unit unit);
void hoist_tree_bool(hoist_tree_sink *sink, const char *key, bool value);
void hoist_tree_null(hoist_tree_sink *sink, const char *key);

#endif // HOIST_SRC_BASE_TREE_H
