// picture/layout_work.h - what the stages of a layout (layout.h) share: one component, first as
// nodes and links, then as a proper graph, in which every edge goes from a layer to the next one.
#ifndef HOIST_SRC_PICTURE_LAYOUT_WORK_H
#define HOIST_SRC_PICTURE_LAYOUT_WORK_H

#include "picture/layout.h"

enum {
    LAYOUT_DUMMY_GAP = 14, // units between two edges that cross a layer
    LAYOUT_LANE = 12,      // between two lanes at the left
    LAYOUT_LANES = 48,     // at most
    LAYOUT_LOOP = 14,      // how far a loop is from its node
};

// Edges of the proper graph by one of their ends: edges[first[v]] up to edges[first[v + 1]].
typedef struct layout_index {
    uint32_t *first;
    uint32_t *edges;
} layout_index;

typedef struct layout_work {
    // The component. Its links have no loops.
    hoist_arena *arena; // scratch; owns all below
    hoist_deadline *deadline;
    const hoist_layout_size *sizes;
    uint32_t node_count;
    uint32_t link_count;
    const uint32_t *from; // of each link
    const uint32_t *to;
    int32_t gap_x, gap_y;
    // Links as they are drawn: from upper to lower.
    bool *is_back;
    uint32_t *upper, *lower;
    uint32_t layer_count;
    uint32_t *layer; // of each node
    // The proper graph. Its vertices are first the nodes, then the dummies of each link, downwards;
    // layout_order() numbers them and the edges anew, layer by layer, so that all that is looked at
    // together is together in memory.
    uint32_t vertex_count;
    uint32_t edge_count;
    uint32_t *edge_upper, *edge_lower;
    uint32_t *link_edge;    // of each link its first edge; LAYOUT_NONE: it goes aside
    uint32_t *vertex;       // of each node
    uint32_t *vertex_layer; // of each vertex
    int32_t *half;          // of each vertex: half its width, rounded up; 0: it is a dummy
    uint32_t *layer_first;  // of each layer, and one more: into `order`
    uint32_t *order;        // vertices, layer by layer, from the left
    uint32_t *place;        // of each vertex: how many are before it in its layer
    layout_index up;        // edges by their lower vertex; sorted by the place of the upper one
    layout_index down;      // the other way round
    // Coordinates.
    int64_t *x;      // of each vertex: its middle
    int64_t *top;    // of each layer
    int64_t *bottom; // of the highest of its nodes
} layout_work;

#define LAYOUT_NONE UINT32_MAX

static inline uint32_t layout_degree(const layout_index *index, uint32_t vertex)
{
    return index->first[vertex + 1] - index->first[vertex];
}
static inline uint32_t layout_span(const layout_work *w, uint32_t link)
{
    return w->layer[w->lower[link]] - w->layer[w->upper[link]];
}
static inline bool layout_is_dummy(const layout_work *w, uint32_t vertex)
{
    return w->half[vertex] == 0;
}

// Each returns HOIST_OK, HOIST_NO_MEMORY, or the status of the deadline.

// Finds `upper` and `lower`, layers, dummies and edges. layout_layers.c
HOIST_NODISCARD hoist_status layout_layers(layout_work *w);
// The same links by a counting sort: `index->first` and links by `key`. layout_layers.c
HOIST_NODISCARD hoist_status layout_index_make(layout_work *w, const uint32_t *key, uint32_t count,
                                               uint32_t vertices, layout_index *out_index);
// Finds `order` and `place`, and numbers vertices and edges anew. layout_order.c
HOIST_NODISCARD hoist_status layout_order(layout_work *w);
// Finds `x`. layout_place.c
HOIST_NODISCARD hoist_status layout_place(layout_work *w);
// Finds `top` and `bottom`. layout_routes.c
HOIST_NODISCARD hoist_status layout_heights(layout_work *w);
// Most points that the routes of a component take. layout_routes.c
size_t layout_most_points(const layout_work *w);
// Writes the route of each link to `routes`, and its points from number *count of `points` on.
// layout_routes.c
HOIST_NODISCARD hoist_status layout_routes(layout_work *w, hoist_layout_route *routes,
                                           hoist_layout_point *points, size_t *count);

#endif // HOIST_SRC_PICTURE_LAYOUT_WORK_H
