// Boxes and lines of the flow through a graph (flow_graph.h), of the rows of base/picture.h.
#include "picture/flow_graph.h"

#include "base/checked.h"
#include "base/map.h"
#include "base/span.h"

static const size_t NONE = HOIST_PICTURE_NONE;

// State of flow_graph_find(). The arrays are scratch in the caller's arena.
typedef struct finder {
    const hoist_picture_graph *graph;
    const flow_view *view;
    hoist_arena *arena;
    flow_graph *out;
    bool *has_edge;  // of each node: it is an end of an edge that is drawn
    size_t *box;     // of each node; NONE: it is not drawn
    hoist_map names; // of groups: their boxes
} finder;

bool flow_view_has(const flow_view *view, const hoist_picture_graph *graph)
{
    return !view->graph || hoist_str_equal_c(graph->name, view->graph);
}

// Nodes -------------------------------------------------------------------------------------------

// Whether an edge says where data goes; the others say who owns, raises and awaits.
static bool is_flow(const hoist_picture_edge *edge)
{
    switch (edge->kind) {
    case HOIST_PICTURE_READS:
    case HOIST_PICTURE_WRITES:
    case HOIST_PICTURE_MOVES:
        return true;
    case HOIST_PICTURE_OWNS:
    case HOIST_PICTURE_RAISES:
    case HOIST_PICTURE_AWAITED:
        break;
    }
    return false;
}

// The role by the kind; kinds are many, roles few.
static hoist_picture_role role_of(const hoist_picture_graph *graph, size_t node)
{
    return hoist_picture_node_rows[graph->nodes[node].kind].role;
}

// Lanes and signals are drawn when an edge of data leads to them; a node of another graph only
// then, too.
static bool is_drawn(const finder *f, size_t node)
{
    const hoist_picture_role role = role_of(f->graph, node);
    const bool is_data =
        role == HOIST_PICTURE_STEP || role == HOIST_PICTURE_PLACE || role == HOIST_PICTURE_ITEM;
    return f->has_edge[node] || (is_data && !f->graph->nodes[node].is_foreign);
}

// The first `depth` parts of a name that has more; else empty.
static hoist_str group_of(hoist_str name, int depth)
{
    int parts = 0;
    for (size_t i = 0; i < name.size && i < FLOW_PART_MOST && depth > 0; i++) {
        // A separator at the very beginning ends no part: such a name would have an empty one.
        const bool is_end = (name.data[i] == '/' || name.data[i] == '.') && i > 0;
        parts += is_end;
        if (is_end && parts == depth) {
            // A name that ends with the separator has no deeper part, and is a box of its own.
            return i + 1 < name.size ? hoist_str_slice(name, 0, i) : HOIST_STR("");
        }
    }
    return HOIST_STR("");
}

// A box for one node; those of steps get their color later, when all are known.
static flow_box *add_box(finder *f, size_t node, hoist_str name)
{
    flow_box *const box = &f->out->boxes[f->out->box_count++];
    *box = (flow_box){.node = node,
                      .count = 1,
                      .name = name,
                      .role = role_of(f->graph, node),
                      .color = FLOW_COLORS};
    return box;
}

// Puts a node into the box of its group, which the first node of the group begins.
static hoist_status add_node(finder *f, size_t node)
{
    const hoist_picture_node *const n = &f->graph->nodes[node];
    const hoist_str group = group_of(n->path.size ? n->path : n->name, f->view->depth);
    f->box[node] = f->out->box_count;
    if (group.size == 0) {
        (void)add_box(f, node, n->name);
        return HOIST_OK;
    }
    size_t there = 0;
    // HOIST_BUSY: the group has a box already, whose number is in `there`.
    const hoist_status status = hoist_map_add(&f->names, group, f->out->box_count, &there);
    if (status != HOIST_BUSY) {
        HOIST_TRY(status);
        add_box(f, node, group)->is_group = true;
        return HOIST_OK;
    }
    flow_box *const box = &f->out->boxes[there];
    f->box[node] = there;
    box->count++;
    // A step represents its group, as it has a sort and reads and writes.
    if (role_of(f->graph, node) == HOIST_PICTURE_STEP && box->role != HOIST_PICTURE_STEP) {
        box->role = HOIST_PICTURE_STEP;
        box->node = node;
    }
    return HOIST_OK;
}

// Finds which nodes are ends of edges, then makes boxes in the order of the nodes.
static hoist_status add_nodes(finder *f)
{
    const hoist_picture_graph *const g = f->graph;
    for (size_t i = 0; i < g->edge_count; i++) {
        const hoist_picture_edge *const edge = &g->edges[i];
        if (is_flow(edge)) {
            f->has_edge[edge->from] = true;
            f->has_edge[edge->to] = true;
            if (edge->kind == HOIST_PICTURE_MOVES && edge->via != NONE) {
                f->has_edge[edge->via] = true;
            }
        }
    }
    for (size_t i = 0; i < g->node_count; i++) {
        HOIST_TRY(hoist_deadline_look(f->view->deadline));
        f->box[i] = NONE;
        if (is_drawn(f, i)) {
            HOIST_TRY(add_node(f, i));
        }
    }
    return HOIST_OK;
}

// Colors ------------------------------------------------------------------------------------------

// Gives boxes of single steps the colors of their sorts, and counts how many have each.
static void set_colors(flow_graph *out, const flow_palette *palette)
{
    for (size_t i = 0; i < out->box_count; i++) {
        flow_box *const box = &out->boxes[i];
        const hoist_str name = flow_sort_of(&out->graph->nodes[box->node]);
        // A group may have steps of several sorts: it has no color of its own.
        const bool has_sort = box->role == HOIST_PICTURE_STEP && !box->is_group;
        for (unsigned k = 0; has_sort && k < palette->count; k++) {
            box->color = hoist_str_equal(name, palette->sorts[k]) ? k : box->color;
        }
        out->counts[box->color] += has_sort;
    }
}

// Lines -------------------------------------------------------------------------------------------

typedef struct line_list {
    flow_line *items; // as edges have them
    size_t count;
    size_t *first; // by `from`
    size_t *order;
} line_list;

// A line between the boxes of two nodes, unless one is not drawn or both are in one group.
static void add_line(const finder *f, line_list *all, size_t from, size_t to, uint64_t bytes)
{
    const size_t a = f->box[from];
    const size_t b = f->box[to];
    // A loop of a single node stays; what is between two nodes of a group is not seen.
    const bool is_inside = a == b && from != to; // of a group
    if (a != NONE && b != NONE && !is_inside) {
        all->items[all->count++] = (flow_line){a, b, 1, bytes};
    }
}

// Lines in the order of edges. A move through a node is two lines, each with all of its bytes.
static void list_lines(const finder *f, line_list *all)
{
    for (size_t i = 0; i < f->graph->edge_count; i++) {
        const hoist_picture_edge *const edge = &f->graph->edges[i];
        const bool is_move = edge->kind == HOIST_PICTURE_MOVES;
        const uint64_t bytes = is_move ? edge->bytes : 0;
        if (is_move && edge->via != NONE) {
            add_line(f, all, edge->from, edge->via, bytes);
            add_line(f, all, edge->via, edge->to, bytes);
        } else if (is_flow(edge)) {
            add_line(f, all, edge->from, edge->to, bytes);
        }
    }
}

// Sorts lines by `from` (counting), which keeps the order of edges.
static void sort_lines(const finder *f, line_list *all)
{
    for (size_t i = 0; i < all->count; i++) {
        // Counted two places on, so that filling moves each beginning to where it belongs.
        all->first[all->items[i].from + 2]++;
    }
    for (size_t i = 2; i < f->out->box_count + 2; i++) {
        all->first[i] += all->first[i - 1];
    }
    for (size_t i = 0; i < all->count; i++) {
        all->order[all->first[all->items[i].from + 1]++] = i;
    }
}

// Makes one line of all that have the same ends. `seen`: of each box the line that leads to it, and
// one more.
static void join_lines(finder *f, const line_list *all, size_t *seen)
{
    flow_graph *const out = f->out;
    for (size_t i = 0; i < all->count; i++) {
        const flow_line line = all->items[all->order[i]];
        // Lines come by `from`: the last one to this end is the same one when it begins in the
        // same box.
        const size_t there = seen[line.to];
        flow_line *const old = there ? &out->lines[there - 1] : NULL;
        if (old && old->from == line.from) {
            old->count++;
            // Sizes are of the file, so that their sum may not fit.
            old->bytes =
                hoist_ckd_add(&old->bytes, old->bytes, line.bytes) ? UINT64_MAX : old->bytes;
        } else {
            out->lines[out->line_count++] = line;
            seen[line.to] = out->line_count;
        }
    }
}

static hoist_status find_lines(finder *f)
{
    const size_t boxes = f->out->box_count;
    // At most two lines for each edge.
    const size_t most = 2 * f->graph->edge_count;
    line_list all = {.items = hoist_arena_array(f->arena, most, sizeof(*all.items)),
                     .first = hoist_arena_array(f->arena, boxes + 2, sizeof(*all.first)),
                     .order = hoist_arena_array(f->arena, most, sizeof(*all.order))};
    size_t *const seen = hoist_arena_array(f->arena, boxes, sizeof(*seen));
    f->out->lines = hoist_arena_array(f->arena, most, sizeof(*f->out->lines));
    if (!all.items || !all.first || !all.order || !seen || !f->out->lines) {
        return HOIST_NO_MEMORY;
    }
    list_lines(f, &all);
    HOIST_TRY(hoist_deadline_look(f->view->deadline));
    sort_lines(f, &all);
    join_lines(f, &all, seen);
    return hoist_deadline_look(f->view->deadline);
}

hoist_status flow_graph_find(const hoist_picture_graph *graph, const flow_view *view,
                             hoist_arena *arena, flow_graph *out_flow)
{
    finder f = {.graph = graph, .view = view, .arena = arena, .out = out_flow};
    *out_flow = (flow_graph){.graph = graph};
    f.has_edge = hoist_arena_array(arena, graph->node_count, sizeof(*f.has_edge));
    f.box = hoist_arena_array(arena, graph->node_count, sizeof(*f.box));
    out_flow->boxes = hoist_arena_array(arena, graph->node_count, sizeof(*out_flow->boxes));
    if (!f.has_edge || !f.box || !out_flow->boxes) {
        return HOIST_NO_MEMORY;
    }
    // The table grows, so that it has memory of its own, which is freed here.
    hoist_map_init(&f.names, arena->alloc);
    const hoist_status status = add_nodes(&f);
    hoist_map_deinit(&f.names);
    HOIST_TRY(status);
    set_colors(out_flow, &view->palette);
    return find_lines(&f);
}
