// base/tree.h - the producer's side of the tree visitor of hoist/base.h.
#ifndef HOIST_SRC_BASE_TREE_H
#define HOIST_SRC_BASE_TREE_H

#include "hoist/base.h"

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
// A null in place of a value of `unit`.
void hoist_tree_unknown(hoist_tree_sink *sink, const char *key, hoist_tree_unit unit);
// A null in place of a value that is absent: NULL, data NULL, or not `known`.
void hoist_tree_maybe_c(hoist_tree_sink *sink, const char *key, const char *value);
void hoist_tree_maybe_str(hoist_tree_sink *sink, const char *key, hoist_str value);
void hoist_tree_maybe_uint(hoist_tree_sink *sink, const char *key, bool known, uint64_t value,
                           hoist_tree_unit unit);
void hoist_tree_maybe_float(hoist_tree_sink *sink, const char *key, bool known, double value,
                            hoist_tree_unit unit);
// With inline_hint.
void hoist_tree_short_map(hoist_tree_sink *sink, const char *key);
void hoist_tree_short_list(hoist_tree_sink *sink, const char *key);

#endif // HOIST_SRC_BASE_TREE_H
