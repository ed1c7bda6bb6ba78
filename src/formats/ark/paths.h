// formats/ark/paths.h - which nodes of a model come after which by its edges: paths of
// ProducerNodeIds, exact for any number of nodes.
//
// In: the edges of a model, whatever they are; those that do not come from before in the file are
// passed over (rules M32 and M33 report them).
#ifndef HOIST_SRC_FORMATS_ARK_PATHS_H
#define HOIST_SRC_FORMATS_ARK_PATHS_H

#include "formats/ark/node_edges.h"

// Whether there is a path from one node to another; the answer is in `exists`. The caller sorts
// nothing: questions may be in any order.
typedef struct ark_path {
    uint32_t from, to; // nodes; from < to
    bool exists;
} ark_path;

// Answers all questions in one go. Sets of 1,024 nodes go along the edges as bits, so the work is
// that of all edges for each such set in which a question begins. HOIST_OK, HOIST_NO_MEMORY;
// HOIST_LIMIT, HOIST_CANCELLED when the module's deadline is over.
HOIST_NODISCARD hoist_status ark_paths_find(const ark_module *module, const ark_node_edges *edges,
                                            ark_path *paths, size_t count);

#endif // HOIST_SRC_FORMATS_ARK_PATHS_H
