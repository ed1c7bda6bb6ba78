// formats/buda/walk.h - one walk over the whole model, in the shape of the file, for all who show
// it: visit.c sends it as a document, write.c as a netlist.
#ifndef HOIST_SRC_FORMATS_BUDA_WALK_H
#define HOIST_SRC_FORMATS_BUDA_WALK_H

#include "base/tree.h"
#include "formats/buda/fields.h"

typedef struct buda_walk {
    hoist_tree_sink *sink;
    const char *key;  // of the map that is the module; NULL where it stands alone
    bool positions;   // events have the places of their values
    bool object_line; // queues, ops, settings and instructions have inline_hint
    bool extra_apart; // unknown keys stand in a map "extra", not among the known ones
    // Sends a value that is kept as a tree: with its key when it is a map's entry.
    void (*tree)(const struct buda_walk *walk, const hoist_yaml_node *node);
} buda_walk;

// Sends the module as one map. Values that the file does not have are not sent. Attributes come in
// the order of their table, which is one that the reference reads (section 8.5); everything else
// in the order of the tables of fields.c. Failures stay in the sink.
void buda_walk_module(const buda_walk *walk, const hoist_buda_module *module);

#endif // HOIST_SRC_FORMATS_BUDA_WALK_H
