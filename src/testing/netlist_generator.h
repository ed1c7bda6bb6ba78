// testing/netlist_generator.h - random netlists that break no rule, from a seed: for property tests
// and benches. The same options give the same netlist on every machine.
//
// What comes out varies in architecture, devices, number and chaining of graphs, op types, TMs,
// formats, grids and blocks, queues and rams, gradients, fused ops, dynamic queues, and in the form
// of the programs (params or variables, static or not, shared or not, nested loops).
#ifndef HOIST_SRC_TESTING_NETLIST_GENERATOR_H
#define HOIST_SRC_TESTING_NETLIST_GENERATOR_H

#include "testing/text_tree.h"

typedef struct hoist_netlist_options {
    uint64_t seed;
    size_t programs; // 0: 1 to 3
    size_t graphs;   // of each program; 0: 1 to 3
    size_t ops;      // of each graph; 0: 1 to 8. A graph has fewer when its worker grid is full
} hoist_netlist_options;

// The document, in `arena`: a map of devices, queues, graphs, programs and, when there are any,
// fused_ops. Queues, ops and settings are flow maps of texts; instructions are maps of one member.
hoist_text_node *hoist_netlist_generate(hoist_arena *arena, const hoist_netlist_options *options);

// Numbers for whoever goes on from a seed: below `count`, which is at least 1.
size_t hoist_netlist_pick(uint64_t *state, size_t count);

#endif // HOIST_SRC_TESTING_NETLIST_GENERATOR_H
