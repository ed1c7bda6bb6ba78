// edgetpu/seen_testing.h - for tests: what a comparison sends.
#ifndef HOIST_SRC_EDGETPU_SEEN_TESTING_H
#define HOIST_SRC_EDGETPU_SEEN_TESTING_H

#include "hoist/base.h"

#include "base/buffer.h"
#include "edgetpu/source.h"

typedef struct load_seen {
    hoist_buffer paths; // of what differs, with a ';' after each
    hoist_buffer fates; // of operators without a layer, likewise
    uint64_t layers;    // that were compared
    uint64_t values;    // of them
    uint64_t addresses; // that differ
    double largest;     // of all differences
} load_seen;

void load_seen_init(load_seen *seen);
void load_seen_deinit(load_seen *seen);
// Notes what it is sent in `seen`, which outlives it.
hoist_tree_sink load_seen_sink(load_seen *seen);
// What the comparison of a pair, whose arena it takes, sends; the caller leaves it.
load_seen load_seen_source(hoist_edgetpu_source_pair *pair, hoist_status *out_status);

#endif // HOIST_SRC_EDGETPU_SEEN_TESTING_H
