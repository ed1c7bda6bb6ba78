// formats/darwinn/recover_send.h - recovered layers as trees.
#ifndef HOIST_SRC_FORMATS_DARWINN_RECOVER_SEND_H
#define HOIST_SRC_FORMATS_DARWINN_RECOVER_SEND_H

#include "formats/darwinn/recover_scales.h"

// Sends the list into the map that is open: "layers", "gaps", "heuristics", "blobs" and the totals.
// Extents are height, width, channels; pairs height, width. The sink's status. recover_tree.c
HOIST_NODISCARD hoist_status dwn_recovery_send(const dwn_recovery *recovery,
                                               const dwn_scales *scales, hoist_tree_sink *sink);
// Height, width and channels as a short list. recover_tree.c
void dwn_extent_send(const char *key, dwn_extent extent, hoist_tree_sink *sink);
// The list "gaps" of that. recover_tree.c
void dwn_gaps_send(const dwn_gap *gaps, uint32_t count, hoist_tree_sink *sink);

// Sends the list "packages" of a module: what each has, as above; `*out_gaps`: how many gaps they
// have together. HOIST_OK, the sink's failure, HOIST_LIMIT, HOIST_NO_MEMORY. recover_module.c
HOIST_NODISCARD hoist_status dwn_send_layers(const hoist_module *module, hoist_tree_sink *sink,
                                             uint64_t *out_gaps);

#endif // HOIST_SRC_FORMATS_DARWINN_RECOVER_SEND_H
