// picture/flow_graph.h - the flow of data through a graph of a picture, as SVG, DOT and pages draw
// it: boxes and the lines between them. Parallel edges are one line, what moves data is between its
// two ends, and what has the same first parts in its name is one box, as deep as is asked for.
#ifndef HOIST_SRC_PICTURE_FLOW_GRAPH_H
#define HOIST_SRC_PICTURE_FLOW_GRAPH_H

#include "base/arena.h"
#include "base/picture.h"

enum {
    FLOW_COLORS = 6,       // of sorts that are frequent; all others have the next one
    FLOW_NOT_DEEP = -1,    // no groups
    FLOW_PART_MOST = 4096, // bytes of a name that are looked at for its parts
};

typedef struct flow_box {
    size_t node;             // of the graph; of a group its first one
    size_t count;            // nodes in it
    bool is_group;           // of several, or of what a name has deeper parts of
    hoist_str name;          // of a group its parts
    hoist_picture_role role; // of a group STEP when it has one
    unsigned color;          // of a step: its sort's, 0 to FLOW_COLORS
} flow_box;

typedef struct flow_line {
    size_t from; // boxes
    size_t to;
    size_t count;   // edges in it
    uint64_t bytes; // that they move; saturates
} flow_line;

typedef struct flow_graph {
    const hoist_picture_graph *graph;
    flow_box *boxes; // arena, as all here
    size_t box_count;
    flow_line *lines; // by `from`
    size_t line_count;
    size_t counts[FLOW_COLORS + 1]; // steps by color
} flow_graph;

// The sorts of steps that have a color: those that are frequent in all graphs that are drawn.
typedef struct flow_palette {
    hoist_str sorts[FLOW_COLORS];
    size_t count;
} flow_palette;

// What the deadline is, how deep names are drawn (FLOW_NOT_DEEP, or 1 and more), and which graphs.
typedef struct flow_view {
    const char *graph; // the name of graphs that are drawn; NULL: all
    int depth;         // 0: graphs are boxes
    hoist_deadline *deadline;
    flow_palette palette; // flow_palette_find()
} flow_view;

// Whether the view has the graph.
bool flow_view_has(const flow_view *view, const hoist_picture_graph *graph);

// Chooses the palette of a view. HOIST_OK, HOIST_NO_MEMORY, or the deadline's status.
// flow_palette.c
HOIST_NODISCARD hoist_status flow_palette_find(const hoist_picture *picture, hoist_arena *arena,
                                               flow_view *view);
// The name of a step's sort.
static inline hoist_str flow_sort_of(const hoist_picture_node *node)
{
    return node->sort.size ? node->sort : node->name;
}

// HOIST_OK, HOIST_NO_MEMORY, or the deadline's status.
HOIST_NODISCARD hoist_status flow_graph_find(const hoist_picture_graph *graph,
                                             const flow_view *view, hoist_arena *arena,
                                             flow_graph *out_flow);

// The graphs themselves as boxes of one graph, what they share as places between them: `*out_graph`
// is in `scratch`, a picture of its own, and has a step for each graph of the view in its order.
HOIST_NODISCARD hoist_status flow_overview(const hoist_picture *picture, const flow_view *view,
                                           hoist_picture *scratch);

#endif // HOIST_SRC_PICTURE_FLOW_GRAPH_H
