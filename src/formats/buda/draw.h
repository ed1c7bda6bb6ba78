// formats/buda/draw.h - the parts of the drawing of a netlist: draw.c (graphs), draw_flow.c (data
// flow), draw_memory.c (DRAM).
#ifndef HOIST_SRC_FORMATS_BUDA_DRAW_H
#define HOIST_SRC_FORMATS_BUDA_DRAW_H

#include "base/buffer.h"
#include "formats/buda/net.h"
#include "formats/draw_text.h"

typedef struct buda_drawing {
    const buda_net *net;
    hoist_arena *arena; // scratch
    size_t width;       // columns, 40 or more
    hoist_buffer *out;
} buda_drawing;

// The flow of data through the ops of a graph, a block per op in the order of dependencies.
// HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status buda_draw_flow(const buda_drawing *d, const buda_net_graph *graph);
// Per chip and channel a bar of the queues in order of addresses, and their legend. HOIST_OK,
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status buda_draw_memory(const buda_drawing *d);

// Per op of the graph one more than the layer of the deepest op of the graph that it reads, 0 in a
// cycle; and the ops' numbers in that order. Both live in `arena`. HOIST_OK, HOIST_NO_MEMORY.
// draw_flow.c
HOIST_NODISCARD hoist_status buda_graph_layers(const buda_net *net, const buda_net_graph *graph,
                                               hoist_arena *arena, size_t **out_layers,
                                               size_t **out_order);

#endif // HOIST_SRC_FORMATS_BUDA_DRAW_H
