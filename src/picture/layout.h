// picture/layout.h - a layered drawing of a directed graph as data: where its nodes are, and the
// points of its edges. No format, no text and no SVG: whoever draws (draw_svg.h, a page) gives the
// sizes and gets integers.
//
// The stages are those of Sugiyama, Tagawa and Toda (1981), for each connected component:
//   layout_layers.c  edges that close a cycle are reversed (depth-first search), nodes get layers
//   by
//                    longest paths, dummy nodes stand for edges that cross layers;
//   layout_order.c   few crossings, by barycentres in bounded sweeps;
//   layout_place.c   horizontal places after Brandes and Koepf (2002);
//   layout_routes.c  heights of layers, ports of nodes, points of edges.
// layout.c finds the components and packs them on shelves. Memory is linear in nodes and edges: the
// longest edges, for which dummy nodes would be more than that, go around all layers in lanes at
// the left. The result depends on nothing but the input.
#ifndef HOIST_SRC_PICTURE_LAYOUT_H
#define HOIST_SRC_PICTURE_LAYOUT_H

#include "base/arena.h"

// Of a node: units; at least 1 each, at most HOIST_LAYOUT_MOST.
typedef struct hoist_layout_size {
    int32_t width;
    int32_t height;
} hoist_layout_size;
enum { HOIST_LAYOUT_MOST = 1 << 20 };

typedef struct hoist_layout_link {
    size_t from; // nodes; equal ones are a loop
    size_t to;
} hoist_layout_link;

typedef struct hoist_layout_input {
    const hoist_layout_size *sizes; // borrowed; of each node
    const hoist_layout_link *links; // borrowed
    size_t node_count;
    size_t link_count;
    int32_t gap_x;            // least units between two nodes of a layer
    int32_t gap_y;            // and between two layers
    hoist_deadline *deadline; // borrowed; NULL: none
} hoist_layout_input;

typedef struct hoist_layout_point {
    int64_t x; // to the right
    int64_t y; // down
} hoist_layout_point;

typedef enum hoist_layout_way {
    HOIST_LAYOUT_CURVE, // lines between the points may be curves that begin and end upright
    HOIST_LAYOUT_ASIDE, // straight lines, around the layers
    HOIST_LAYOUT_LOOP,  // straight lines, at the right of the node
} hoist_layout_way;

// An edge, from its `from` to its `to`.
typedef struct hoist_layout_route {
    size_t first; // of points
    size_t count; // 2 or more
    hoist_layout_way way;
    bool is_back; // upwards, to a node that it depends on
} hoist_layout_route;

typedef struct hoist_layout {
    hoist_layout_point *nodes; // upper left corners; arena, as all here
    size_t *layers;            // of nodes, from 0 in each component
    hoist_layout_route *routes;
    hoist_layout_point *points;
    size_t point_count;
    int64_t width; // all is in [0, width) x [0, height)
    int64_t height;
} hoist_layout;

// Lays out a graph; the result is in `arena`, as is what is needed in between. HOIST_OK,
// HOIST_NO_MEMORY, HOIST_LIMIT (2^28 nodes or links, or the deadline), HOIST_CANCELLED.
HOIST_NODISCARD hoist_status hoist_layout_find(const hoist_layout_input *input, hoist_arena *arena,
                                               hoist_layout *out_layout);

#endif // HOIST_SRC_PICTURE_LAYOUT_H
