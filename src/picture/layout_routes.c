// The last stage of a layout (layout.h): heights of layers, and the points of edges. An edge begins
// and ends at ports, which the edges of a node share from left to right; it goes through its
// dummies, or around the layers in a lane at the left, which lanes share as the tracks of a channel
// do (left-edge algorithm of Hashimoto and Stevens, 1971).
#include "picture/layout_work.h"

enum {
    PORT_MOST = 18,  // units between two ports
    SLOPE = 14,      // an edge that goes so many units to the side gets one more of height
    SLOPE_MOST = 80, // at most
};

typedef struct router {
    layout_work *w;
    hoist_layout_point *points; // of the component
    size_t count;
    uint32_t *rank_out;  // of each edge among those of its upper vertex
    uint32_t *rank_in;   // and of its lower one
    uint32_t *aside_out; // of each node: links that go aside
    uint32_t *aside_in;
    uint32_t *used_out; // of those the ones that have a port
    uint32_t *used_in;
    uint32_t *lane; // of each link that goes aside
} router;

// Heights -----------------------------------------------------------------------------------------

// Units to the side of the edge that goes farthest between a layer and the next one.
static hoist_status find_slants(const layout_work *w, int64_t *slants)
{
    for (uint32_t i = 0; i < w->edge_count; i++) {
        const int64_t dx = w->x[w->edge_upper[i]] - w->x[w->edge_lower[i]];
        const int64_t slant = dx < 0 ? -dx : dx;
        int64_t *const most = &slants[w->vertex_layer[w->edge_upper[i]]];
        *most = slant > *most ? slant : *most;
    }
    return hoist_deadline_look(w->deadline);
}

// A layer is as high as its highest node; the gap below it grows where edges go far to the side.
hoist_status layout_heights(layout_work *w)
{
    int64_t *const slants = hoist_arena_array(w->arena, w->layer_count, sizeof(*slants));
    w->top = hoist_arena_array(w->arena, w->layer_count, sizeof(*w->top));
    w->bottom = hoist_arena_array(w->arena, w->layer_count, sizeof(*w->bottom));
    if (!slants || !w->top || !w->bottom) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(find_slants(w, slants));
    for (uint32_t i = 0; i < w->node_count; i++) {
        int64_t *const height = &w->bottom[w->layer[i]];
        *height = w->sizes[i].height > *height ? w->sizes[i].height : *height;
    }
    int64_t y = 0;
    for (uint32_t i = 0; i < w->layer_count; i++) {
        const int64_t more = slants[i] / SLOPE;
        w->top[i] = y;
        w->bottom[i] += y;
        y = w->bottom[i] + w->gap_y + (more < SLOPE_MOST ? more : SLOPE_MOST);
    }
    return HOIST_OK;
}

// Lanes -------------------------------------------------------------------------------------------

// Links that go aside by their upper layer, each to the first lane that is free there.
static hoist_status find_lanes(router *r)
{
    layout_work *const w = r->w;
    uint32_t free_from[LAYOUT_LANES] = {0};
    layout_index by_layer;
    uint32_t *const layer = hoist_arena_array(w->arena, w->link_count, sizeof(*layer));
    r->lane = hoist_arena_array(w->arena, w->link_count, sizeof(*r->lane));
    if (!layer || !r->lane) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < w->link_count; i++) {
        layer[i] = w->layer[w->upper[i]];
    }
    HOIST_TRY(layout_index_make(w, layer, w->link_count, w->layer_count, &by_layer));
    for (uint32_t i = 0; i < w->link_count; i++) {
        const uint32_t link = by_layer.edges[i];
        // It has dummies, and goes through the layers.
        if (w->link_edge[link] != LAYOUT_NONE) {
            continue;
        }
        uint32_t lane = 0;
        // A lane is free again at the layer where the link before it ends.
        while (lane < LAYOUT_LANES && free_from[lane] > layer[link]) {
            lane++;
        }
        lane = lane < LAYOUT_LANES ? lane : link % LAYOUT_LANES; // shared where all are taken
        free_from[lane] = w->layer[w->lower[link]];
        r->lane[link] = lane;
        r->aside_out[w->upper[link]]++;
        r->aside_in[w->lower[link]]++;
    }
    return HOIST_OK;
}

// Ports -------------------------------------------------------------------------------------------

// Indices are sorted by place: the number of an edge at its vertex is that of its port.
static void rank_edges(const layout_work *w, const layout_index *index, uint32_t *rank)
{
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        for (uint32_t k = index->first[v]; k < index->first[v + 1]; k++) {
            rank[index->edges[k]] = k - index->first[v];
        }
    }
}

// Ports at the upper side of a node, and at its lower one.
static uint32_t ports_in(const router *r, uint32_t node)
{
    return r->aside_in[node] + layout_degree(&r->w->up, r->w->vertex[node]);
}

static uint32_t ports_out(const router *r, uint32_t node)
{
    return r->aside_out[node] + layout_degree(&r->w->down, r->w->vertex[node]);
}

// Where the port number `i` of `count` of a node is.
static int64_t port(const layout_work *w, uint32_t node, int64_t i, int64_t count)
{
    const int64_t middle = w->x[w->vertex[node]];
    const int64_t width = w->sizes[node].width;
    const int64_t even = width / (count + 1);
    const int64_t step = even < PORT_MOST ? even : PORT_MOST;
    if (step == 0) {
        return middle - width / 2 + i * width / count; // several have the same one
    }
    return middle + (2 * i + 1 - count) * step / 2;
}

// The caller has space for layout_most_points().
static void add_point(router *r, int64_t x, int64_t y)
{
    r->points[r->count++] = (hoist_layout_point){x, y};
}

// Routes ------------------------------------------------------------------------------------------

// The port below the upper node, two points for each dummy, between which the line is upright, and
// the port above the lower node.
static void route_through(router *r, uint32_t link, int64_t begin_y)
{
    const layout_work *const w = r->w;
    const uint32_t upper = w->upper[link];
    const uint32_t lower = w->lower[link];
    uint32_t edge = w->link_edge[link];
    add_point(r, port(w, upper, r->aside_out[upper] + r->rank_out[edge], ports_out(r, upper)),
              begin_y);
    for (uint32_t layer = w->layer[upper] + 1; layer < w->layer[lower]; layer++) {
        const uint32_t dummy = w->edge_lower[edge];
        add_point(r, w->x[dummy], w->top[layer]);
        add_point(r, w->x[dummy], w->bottom[layer]);
        // A dummy has one edge downwards: the next one of the chain.
        edge = w->down.edges[w->down.first[dummy]];
    }
    add_point(r, port(w, lower, r->aside_in[lower] + r->rank_in[edge], ports_in(r, lower)),
              w->top[w->layer[lower]]);
}

// Out below the upper node, to the lane, along it, and back above the lower one. Lines of different
// lanes turn at different heights.
static void route_aside(router *r, uint32_t link, int64_t begin_y)
{
    const layout_work *const w = r->w;
    const uint32_t upper = w->upper[link];
    const uint32_t lower = w->lower[link];
    const uint32_t lane = r->lane[link];
    const int64_t turn = 4 + (int64_t)lane * (w->gap_y - 12) / ((int64_t)2 * LAYOUT_LANES);
    const int64_t x = -(int64_t)(lane + 1) * LAYOUT_LANE;
    const int64_t out = port(w, upper, r->used_out[upper]++, ports_out(r, upper));
    const int64_t in = port(w, lower, r->used_in[lower]++, ports_in(r, lower));
    const int64_t out_y = w->bottom[w->layer[upper]] + turn;
    const int64_t in_y = w->top[w->layer[lower]] - turn - 4;
    add_point(r, out, begin_y);
    add_point(r, out, out_y);
    add_point(r, x, out_y);
    add_point(r, x, in_y);
    add_point(r, in, in_y);
    add_point(r, in, w->top[w->layer[lower]]);
}

// Points are found downwards; an edge that was reversed goes up.
static void turn_around(hoist_layout_point *points, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        const hoist_layout_point swapped = points[i];
        points[i] = points[count - 1 - i];
        points[count - 1 - i] = swapped;
    }
}

// The points of a link, and what they are.
static void route(router *r, uint32_t link, hoist_layout_route *out)
{
    const layout_work *const w = r->w;
    const uint32_t upper = w->upper[link];
    const int64_t begin_y = w->top[w->layer[upper]] + w->sizes[upper].height;
    const size_t first = r->count;
    const bool is_aside = w->link_edge[link] == LAYOUT_NONE;
    (is_aside ? route_aside : route_through)(r, link, begin_y);
    *out = (hoist_layout_route){.first = first,
                                .count = r->count - first,
                                .way = is_aside ? HOIST_LAYOUT_ASIDE : HOIST_LAYOUT_CURVE,
                                .is_back = w->is_back[link]};
    if (out->is_back) {
        turn_around(&r->points[first], out->count);
    }
}

size_t layout_most_points(const layout_work *w)
{
    // Two for each dummy, six at most for each link.
    return (size_t)2 * (w->vertex_count - w->node_count) + (size_t)6 * w->link_count;
}

hoist_status layout_routes(layout_work *w, hoist_layout_route *routes, hoist_layout_point *points,
                           size_t *count)
{
    router r = {.w = w, .points = points, .count = *count};
    hoist_arena *const arena = w->arena;
    r.rank_out = hoist_arena_array(arena, w->edge_count, sizeof(*r.rank_out));
    r.rank_in = hoist_arena_array(arena, w->edge_count, sizeof(*r.rank_in));
    r.aside_out = hoist_arena_array(arena, w->node_count, sizeof(*r.aside_out));
    r.aside_in = hoist_arena_array(arena, w->node_count, sizeof(*r.aside_in));
    r.used_out = hoist_arena_array(arena, w->node_count, sizeof(*r.used_out));
    r.used_in = hoist_arena_array(arena, w->node_count, sizeof(*r.used_in));
    if (!r.rank_out || !r.rank_in || !r.aside_out || !r.aside_in || !r.used_out || !r.used_in) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(find_lanes(&r));
    rank_edges(w, &w->down, r.rank_out);
    rank_edges(w, &w->up, r.rank_in);
    HOIST_TRY(hoist_deadline_look(w->deadline));
    for (uint32_t i = 0; i < w->link_count; i++) {
        route(&r, i, &routes[i]);
    }
    *count = r.count;
    return HOIST_OK;
}
