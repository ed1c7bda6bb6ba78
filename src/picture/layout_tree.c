// Where the nodes and edges of a picture are, as tree events: the list "layouts" of docs/json.md,
// hoist.view/1. Input: the picture's graphs, as picture_tree.c sends them. Output: of each graph a
// layered drawing (layout.h) in units that a page takes for pixels.
#include "base/span.h"
#include "base/tree.h"
#include "picture/draw.h"
#include "picture/layout.h"
#include "picture/xml_text.h"

// Units: of a character of the page's monospaced font, and around texts.
enum {
    CHARACTER = 7,
    MARGIN = 12,
    LINES = 40, // height of a node: its name, and what it is
    LEAST_COLUMNS = 8,
    MOST_COLUMNS = 28, // of a name; the page cuts longer ones
    GAP_X = 18,
    GAP_Y = 34,
};

// A node is as wide as the longer of its two lines, within limits that keep layers readable.
static hoist_layout_size size_of(const hoist_picture_graph *g, const hoist_picture_node *node)
{
    const size_t name = hoist_markup_columns(node->name, MOST_COLUMNS);
    const hoist_str type = hoist_draw_attr_str(g, (size_t)(node - g->nodes), "type");
    const hoist_str kind = hoist_str_from(hoist_picture_node_rows[node->kind].name);
    const size_t below = hoist_markup_columns(type.size ? type : kind, MOST_COLUMNS);
    size_t columns = name > below ? name : below;
    columns = columns < LEAST_COLUMNS ? LEAST_COLUMNS : columns;
    columns = columns > MOST_COLUMNS ? MOST_COLUMNS : columns;
    return (hoist_layout_size){(int32_t)columns * CHARACTER + MARGIN, LINES};
}

// Nodes and edges that are data, which keep their numbers: those for people come after them.
static hoist_status read_graph(const hoist_picture_graph *g, hoist_arena *arena,
                               hoist_layout_input *out_input)
{
    hoist_layout_size *sizes = hoist_arena_array(arena, g->node_count, sizeof(sizes[0]));
    hoist_layout_link *links = hoist_arena_array(arena, g->edge_count, sizeof(links[0]));
    if (!sizes || !links) {
        return HOIST_NO_MEMORY;
    }
    size_t nodes = 0;
    // Nodes for people come last, so that the first one ends those that are data.
    while (nodes < g->node_count && !g->nodes[nodes].is_for_people) {
        sizes[nodes] = size_of(g, &g->nodes[nodes]);
        nodes++;
    }
    size_t count = 0;
    for (size_t i = 0; i < g->edge_count; i++) {
        if (!g->edges[i].is_for_people) {
            links[count++] = (hoist_layout_link){g->edges[i].from, g->edges[i].to};
        }
    }
    *out_input = (hoist_layout_input){.sizes = sizes,
                                      .links = links,
                                      .node_count = nodes,
                                      .link_count = count,
                                      .gap_x = GAP_X,
                                      .gap_y = GAP_Y};
    return HOIST_OK;
}

// Edges go straight down through most layers: such points say nothing.
static bool is_straight(const hoist_layout_point *p, size_t i, size_t count)
{
    return i > 0 && i + 1 < count && p[i - 1].x == p[i].x && p[i].x == p[i + 1].x;
}

// How many points there are, the first one, then from each to the next: short numbers, of which a
// page has very many.
static void send_points(const hoist_layout *layout, const hoist_layout_route *route,
                        hoist_tree_sink *sink)
{
    const hoist_layout_point *points = &layout->points[route->first];
    hoist_layout_point before = {0, 0};
    size_t shown = 0;
    for (size_t i = 0; i < route->count; i++) {
        shown += !is_straight(points, i, route->count);
    }
    hoist_tree_int(sink, "", route->way);
    hoist_tree_int(sink, "", route->is_back);
    hoist_tree_uint(sink, "", shown, HOIST_UNIT_NONE);
    for (size_t i = 0; i < route->count; i++) {
        if (!is_straight(points, i, route->count)) {
            // The first point is told from (0, 0).
            hoist_tree_int(sink, "", points[i].x - before.x);
            hoist_tree_int(sink, "", points[i].y - before.y);
            before = points[i];
        }
    }
}

// Where the file has each node; nothing where no node is an object of the file.
static void send_objects(const hoist_picture_graph *g, size_t count, hoist_tree_sink *sink)
{
    bool has_some = false;
    for (size_t i = 0; i < count; i++) {
        has_some = has_some || g->nodes[i].object.size;
    }
    hoist_tree_list(sink, "objects");
    for (size_t i = 0; has_some && i < count; i++) {
        hoist_tree_maybe_str(sink, "",
                             g->nodes[i].object.size ? g->nodes[i].object : (hoist_str){NULL, 0});
    }
    hoist_tree_end(sink);
}

// The map of one graph: flat lists of integers, in the order in which the graph has nodes and
// edges.
static void send_layout(const hoist_picture_graph *g, const hoist_layout_input *input,
                        const hoist_layout *layout, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_int(sink, "width", layout->width);
    hoist_tree_int(sink, "height", layout->height);
    hoist_tree_short_list(sink, "nodes");
    for (size_t i = 0; i < input->node_count; i++) {
        hoist_tree_int(sink, "", layout->nodes[i].x);
        hoist_tree_int(sink, "", layout->nodes[i].y);
        hoist_tree_int(sink, "", input->sizes[i].width);
        hoist_tree_int(sink, "", input->sizes[i].height);
    }
    hoist_tree_end(sink);
    hoist_tree_short_list(sink, "edges");
    for (size_t i = 0; i < input->link_count; i++) {
        send_points(layout, &layout->routes[i], sink);
    }
    hoist_tree_end(sink);
    send_objects(g, input->node_count, sink);
    hoist_tree_end(sink);
}

// Lays out one graph and sends it; scratch goes before the next one.
static hoist_status lay_out(const hoist_picture *picture, const hoist_picture_graph *g,
                            hoist_tree_sink *sink)
{
    hoist_arena arena;
    hoist_arena_init(&arena, picture->arena.alloc);
    hoist_layout_input input;
    hoist_layout layout;
    hoist_status status = read_graph(g, &arena, &input);
    if (status == HOIST_OK) {
        input.deadline = sink->deadline;
        status = hoist_layout_find(&input, &arena, &layout);
    }
    if (status == HOIST_OK) {
        send_layout(g, &input, &layout, sink);
    }
    hoist_arena_deinit(&arena);
    return status;
}

hoist_status hoist_picture_layouts(const hoist_picture *picture, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "layouts");
    for (size_t i = 0; i < picture->graph_count; i++) {
        HOIST_TRY(lay_out(picture, &picture->graphs[i], sink));
    }
    hoist_tree_end(sink);
    return sink->status;
}
