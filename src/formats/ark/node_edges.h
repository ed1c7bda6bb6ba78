// formats/ark/node_edges.h - the nodes of a model and their edges: node ids as indices, an edge
// once however often the file has it, and the nodes that are in a cycle.
#ifndef HOIST_SRC_FORMATS_ARK_NODE_EDGES_H
#define HOIST_SRC_FORMATS_ARK_NODE_EDGES_H

#include "formats/ark/graph.h"

typedef struct ark_node_edges {
    uint32_t count; // of nodes
    // The producers of node i: producers[starts[i]] up to producers[starts[i + 1]], ascending.
    const uint32_t *starts;
    const uint32_t *producers;
    // Nodes that depend on each other have the same number, all others one of their own.
    const uint32_t *components;
} ark_node_edges;

// Finds the edges, in `arena`. Reports what is wrong with the ids and the lists of nodes (M30, M31)
// and each cycle (M32). HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT, HOIST_CANCELLED.
HOIST_NODISCARD hoist_status ark_node_edges_find(const ark_module *module, hoist_arena *arena,
                                                 hoist_diag *diag, ark_node_edges *out_edges);

// node_cycles.c: fills the components and reports M32.
HOIST_NODISCARD hoist_status ark_node_cycles_find(const ark_module *module, hoist_arena *arena,
                                                  hoist_diag *diag, ark_node_edges *edges);

#endif // HOIST_SRC_FORMATS_ARK_NODE_EDGES_H
