// A part of a picture as a picture of its own (choose.h). In: the rows of base/picture.h; out: the
// same, less of them, or boxes of flow_graph.h and flow_overview.c as nodes of a list.
#include "picture/choose.h"

#include "base/span.h"
#include "picture/flow_graph.h"

static const size_t NONE = HOIST_PICTURE_NONE;

// State of one choice. All that is added goes to `out`, in whose arena the scratch is, too.
typedef struct chooser {
    const hoist_picture *picture;
    const hoist_picture_choice *choice;
    flow_view view;
    hoist_picture *out;
    bool found; // some graph had what was asked for by name
} chooser;

// Begins a graph in `out` with the heading and attributes of `g`. As a list it has no grid: boxes
// of groups have no cores.
static void begin_graph(const chooser *c, const hoist_picture_graph *g, bool is_list)
{
    const hoist_picture_graph begun = {.title = g->title,
                                       .name = g->name,
                                       .rows = is_list ? 0 : g->rows,
                                       .columns = is_list ? 0 : g->columns,
                                       .tile_rows = g->tile_rows,
                                       .tile_columns = g->tile_columns,
                                       .is_list = is_list || g->is_list};
    hoist_picture_begin_graph(c->out, &begun);
    for (size_t i = 0; i < g->attr_count; i++) {
        hoist_picture_add_attr(c->out, &g->attrs[i]);
    }
}

// Adds a node of `g` with its attributes.
static size_t copy_node(const chooser *c, const hoist_picture_graph *g, size_t node, bool foreign)
{
    hoist_picture_node copy = g->nodes[node];
    copy.is_foreign = copy.is_foreign || foreign;
    copy.attr_count = 0;
    copy.layer = 0;
    // Adding the attributes counts them again, and the layers are found anew when the graph ends.
    const size_t id = hoist_picture_add_node(c->out, &copy);
    for (size_t i = 0; i < g->nodes[node].attr_count; i++) {
        hoist_picture_add_attr(c->out, &g->attrs[g->nodes[node].first_attr + i]);
    }
    return id;
}

// Adds the edges of `g` whose ends are among the nodes that `ids` has; of one that is through a
// node that is not, nothing is left.
static void copy_edges(const chooser *c, const hoist_picture_graph *g, const size_t *ids,
                       const bool *named)
{
    for (size_t i = 0; i < g->edge_count; i++) {
        hoist_picture_edge edge = g->edges[i];
        // Without `named` all edges stay; else those that have a named node at an end, or between
        // the ends.
        const bool is_at =
            !named || named[edge.from] || named[edge.to] ||
            (edge.via != NONE && edge.kind == HOIST_PICTURE_MOVES && named[edge.via]);
        // Numbers of nodes are those of the new graph from here on.
        edge.from = ids[edge.from];
        edge.to = ids[edge.to];
        edge.via = edge.kind == HOIST_PICTURE_MOVES && edge.via != NONE ? ids[edge.via] : edge.via;
        // What moved the data is not part of the choice: such an edge would say that it moves by
        // itself.
        const bool has_via =
            edge.kind != HOIST_PICTURE_MOVES || edge.via != NONE || g->edges[i].via == NONE;
        if (is_at && has_via && edge.from != NONE && edge.to != NONE) {
            hoist_picture_add_edge(c->out, &edge);
        }
    }
}

// Ops ---------------------------------------------------------------------------------------------

// A computation of the graph itself; one of another graph is there only as a name.
static bool is_step(const hoist_picture_graph *g, size_t node)
{
    return hoist_picture_node_rows[g->nodes[node].kind].role == HOIST_PICTURE_STEP &&
           !g->nodes[node].is_foreign;
}

// Marks what is at an end of an edge that has a node of `focus`.
static void mark_ends(const hoist_picture_graph *g, const bool *focus, bool *near)
{
    for (size_t i = 0; i < g->edge_count; i++) {
        const hoist_picture_edge *const edge = &g->edges[i];
        const size_t via = edge->kind == HOIST_PICTURE_MOVES ? edge->via : NONE;
        if (focus[edge->from] || focus[edge->to] || (via != NONE && focus[via])) {
            near[edge->from] = true;
            near[edge->to] = true;
            // Where nothing is between the ends, an end is marked a second time.
            near[via == NONE ? edge->to : via] = true;
        }
    }
}

// Which nodes are drawn with their edges, and which are at the other ends: those of the name, and
// where no step has it the steps that are connected to them. False: none has it.
static bool find_focus(const chooser *c, const hoist_picture_graph *g, bool *focus, bool *near)
{
    bool found = false;
    bool has_step = false;
    for (size_t i = 0; i < g->node_count; i++) {
        // Several nodes may have the name; the node of another graph alone is not a find.
        focus[i] = hoist_str_equal_c(g->nodes[i].name, c->choice->op);
        found = found || (focus[i] && !g->nodes[i].is_foreign);
        has_step = has_step || (focus[i] && is_step(g, i));
    }
    mark_ends(g, focus, near);
    // The name is that of a place: those who read or write it are what people want to see.
    for (size_t i = 0; found && !has_step && i < g->node_count; i++) {
        focus[i] = focus[i] || (near[i] && is_step(g, i));
    }
    // The steps that are new in the focus bring the other ends of their own edges.
    if (found && !has_step) {
        mark_ends(g, focus, near);
    }
    return found;
}

// Copies a node, and notes whether it is one of those that were asked for, or a neighbour.
static void add_asked(const chooser *c, const hoist_picture_graph *g, size_t node, bool foreign,
                      size_t *out_id)
{
    *out_id = copy_node(c, g, node, foreign);
    // A node that could not be added has no number.
    if (hoist_picture_status(c->out) == HOIST_OK) {
        hoist_picture_graph *const last = &c->out->graphs[c->out->graph_count - 1];
        last->nodes[*out_id].is_asked = hoist_str_equal_c(g->nodes[node].name, c->choice->op);
    }
}

// The nodes of the asked name with their surroundings, as a graph; nothing when the graph has
// none.
static hoist_status choose_ops(chooser *c, const hoist_picture_graph *g)
{
    hoist_arena *const arena = &c->out->arena;
    bool *const focus = hoist_arena_array(arena, g->node_count, sizeof(*focus));
    bool *const near = hoist_arena_array(arena, g->node_count, sizeof(*near));
    size_t *const ids = hoist_arena_array(arena, g->node_count, sizeof(*ids));
    if (!focus || !near || !ids) {
        return HOIST_NO_MEMORY;
    }
    if (!find_focus(c, g, focus, near)) {
        return HOIST_OK;
    }
    c->found = true;
    begin_graph(c, g, false);
    for (size_t i = 0; i < g->node_count; i++) {
        ids[i] = NONE;
    }
    // Steps first, as base/picture.h has it: the count of steps ends at the first other node.
    for (int steps = 1; steps >= 0; steps--) {
        for (size_t i = 0; i < g->node_count; i++) {
            // A step that is not in the focus has only some of its edges: it is there as a name.
            if ((focus[i] || near[i]) && (focus[i] && is_step(g, i)) == steps) {
                add_asked(c, g, i, is_step(g, i) && !focus[i], &ids[i]);
            }
        }
    }
    copy_edges(c, g, ids, focus);
    hoist_picture_end_graph(c->out);
    return hoist_picture_status(c->out);
}

// Depth -------------------------------------------------------------------------------------------

// A box of several nodes as one node; its kind depends on whether there is a step in it.
static size_t add_box(const chooser *c, const flow_graph *flow, size_t index)
{
    const flow_box *const box = &flow->boxes[index];
    const hoist_picture_node node = {.kind = box->role == HOIST_PICTURE_STEP
                                                 ? HOIST_PICTURE_GROUP
                                                 : HOIST_PICTURE_GROUP_OF_PLACES,
                                     .name = box->name};
    const size_t id = hoist_picture_add_node(c->out, &node);
    // A box of one step is that step: its sort is known.
    const bool has_sort = box->role == HOIST_PICTURE_STEP && box->count == 1;
    if (has_sort) {
        hoist_picture_str(c->out, "type", flow->graph->nodes[box->node].sort, HOIST_PICTURE_COLUMN);
    }
    hoist_picture_uint(c->out, "nodes", box->count, HOIST_PICTURE_COLUMN);
    return id;
}

// The boxes and lines of the flow, grouped by parts of names, as a graph that is drawn as a list.
static hoist_status choose_groups(chooser *c, const hoist_picture_graph *g)
{
    flow_graph flow;
    HOIST_TRY(flow_graph_find(g, &c->view, &c->out->arena, &flow));
    size_t *const ids = hoist_arena_array(&c->out->arena, flow.box_count, sizeof(*ids));
    if (!ids) {
        return HOIST_NO_MEMORY;
    }
    begin_graph(c, g, true);
    // Again steps before all else.
    for (int steps = 1; steps >= 0; steps--) {
        for (size_t i = 0; i < flow.box_count; i++) {
            if ((flow.boxes[i].role == HOIST_PICTURE_STEP) == steps) {
                ids[i] = add_box(c, &flow, i);
            }
        }
    }
    for (size_t i = 0; i < flow.line_count; i++) {
        const flow_line *const line = &flow.lines[i];
        // Lines have lost their kind: what leads to a step is read by it, all else is written.
        const bool reads = flow.boxes[line->to].role == HOIST_PICTURE_STEP;
        hoist_picture_connect(c->out, reads ? HOIST_PICTURE_READS : HOIST_PICTURE_WRITES,
                              ids[line->from], ids[line->to]);
    }
    hoist_picture_end_graph(c->out);
    return hoist_picture_status(c->out);
}

// Overview ----------------------------------------------------------------------------------------

// A step for each graph of the view, in its order: attributes are columns, and the ops are counted,
// or where there are none all nodes.
static void add_graph_steps(const chooser *c)
{
    for (size_t i = 0; i < c->picture->graph_count; i++) {
        const hoist_picture_graph *const g = &c->picture->graphs[i];
        const hoist_picture_node node = {.kind = HOIST_PICTURE_GROUP, .name = g->name};
        if (!flow_view_has(&c->view, g)) {
            continue;
        }
        (void)hoist_picture_add_node(c->out, &node);
        for (size_t k = 0; k < g->attr_count; k++) {
            hoist_picture_attr attr = g->attrs[k];
            // Keys differ from graph to graph; a column is empty for those that lack the key.
            const bool is_hidden = attr.show == HOIST_PICTURE_HIDDEN;
            attr.show = is_hidden ? HOIST_PICTURE_HIDDEN : HOIST_PICTURE_COLUMN;
            hoist_picture_add_attr(c->out, &attr);
        }
        hoist_picture_uint(c->out, g->step_count ? "ops" : "nodes",
                           g->step_count ? g->step_count : g->node_count, HOIST_PICTURE_COLUMN);
    }
}

// Who reads whom, once: directly, or what the first graph that writes a place has written there.
static hoist_status connect_graphs(const chooser *c, const hoist_picture_graph *overview)
{
    hoist_arena *const arena = &c->out->arena;
    const size_t nodes = overview->node_count;
    size_t *const writer = hoist_arena_array(arena, nodes, sizeof(*writer)); // and one more
    size_t *const seen =
        hoist_arena_array(arena, nodes, sizeof(*seen)); // by which reader, the same
    hoist_picture_index readers;
    if (!writer || !seen) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < overview->edge_count; i++) {
        const hoist_picture_edge *const edge = &overview->edges[i];
        // Several graphs may write a place: the first one stays.
        const bool writes = edge->from < overview->step_count && edge->to >= overview->step_count;
        writer[edge->to] = writes && !writer[edge->to] ? edge->from + 1 : writer[edge->to];
    }
    HOIST_TRY(hoist_picture_index_edges(overview, hoist_picture_reader, arena, &readers));
    for (size_t step = 0; step < overview->step_count; step++) {
        for (size_t i = readers.first[step]; i < readers.first[step + 1]; i++) {
            const size_t end = overview->edges[readers.edges[i]].from;
            const size_t from = end < overview->step_count ? end + 1 : writer[end];
            // Not itself, and each writer once for this reader.
            if (from && from != step + 1 && seen[from - 1] != step + 1) {
                seen[from - 1] = step + 1;
                hoist_picture_connect(c->out, HOIST_PICTURE_READS, from - 1, step);
            }
        }
    }
    return HOIST_OK;
}

// Depth 0: one graph whose nodes are the graphs. Where one reads what another wrote to a place,
// there is an edge, and no place.
static hoist_status choose_overview(const chooser *c)
{
    const hoist_picture_graph begun = {.title = "graphs", .name = HOIST_STR(""), .is_list = true};
    hoist_picture overview;
    hoist_picture_init(&overview, c->out->arena.alloc);
    hoist_status status = flow_overview(c->picture, &c->view, &overview);
    if (status == HOIST_OK) {
        hoist_picture_begin_graph(c->out, &begun);
        add_graph_steps(c);
        status = hoist_picture_status(c->out);
    }
    if (status == HOIST_OK) {
        status = connect_graphs(c, &overview.graphs[0]);
        hoist_picture_end_graph(c->out);
    }
    hoist_picture_deinit(&overview);
    return status == HOIST_OK ? hoist_picture_status(c->out) : status;
}

// Graphs ------------------------------------------------------------------------------------------

// A whole graph, row by row.
static hoist_status choose_all(const chooser *c, const hoist_picture_graph *g)
{
    size_t *const ids = hoist_arena_array(&c->out->arena, g->node_count, sizeof(*ids));
    if (!ids) {
        return HOIST_NO_MEMORY;
    }
    begin_graph(c, g, false);
    for (size_t i = 0; i < g->node_count; i++) {
        ids[i] = copy_node(c, g, i, false);
    }
    copy_edges(c, g, ids, NULL);
    hoist_picture_end_graph(c->out);
    return hoist_picture_status(c->out);
}

// The memory of graph number `from`, which is the last one that was added.
static void copy_memory(const chooser *c, size_t from)
{
    for (size_t i = 0; i < c->picture->memory_count; i++) {
        hoist_picture_memory memory = c->picture->memories[i];
        if (!memory.is_channel && memory.graph_index == from) {
            memory.graph_index = c->out->graph_count - 1;
            hoist_picture_add_memory(c->out, &memory);
        }
    }
}

// What the choice leaves of one graph.
static hoist_status choose_graph(chooser *c, size_t index)
{
    const hoist_picture_graph *const g = &c->picture->graphs[index];
    HOIST_TRY(hoist_deadline_look(c->choice->deadline));
    if (c->choice->op) {
        return choose_ops(c, g);
    }
    c->found = true;
    // A graph without steps has nothing to group; it is copied as it is.
    if (c->choice->by_depth && g->step_count) {
        return choose_groups(c, g);
    }
    HOIST_TRY(choose_all(c, g));
    copy_memory(c, index);
    return HOIST_OK;
}

hoist_status hoist_picture_choose(const hoist_picture *picture, const hoist_picture_choice *choice,
                                  hoist_picture *out, bool *out_found)
{
    chooser c = {
        .picture = picture,
        .choice = choice,
        .view = {.graph = choice->graph, .depth = choice->depth, .deadline = choice->deadline},
        .out = out};
    *out_found = false;
    for (size_t i = 0; i < picture->graph_count; i++) {
        const bool is_chosen = flow_view_has(&c.view, &picture->graphs[i]);
        // The overview has all graphs of the view at once.
        if (is_chosen && choice->by_depth && choice->depth == 0 && !choice->op) {
            *out_found = true;
            return choose_overview(&c);
        }
        if (is_chosen) {
            HOIST_TRY(choose_graph(&c, i));
        }
    }
    // Channels and shared memory belong to no graph, so that a part of the graphs says nothing of
    // them.
    const bool all = !choice->graph && !choice->op && !choice->by_depth;
    for (size_t i = 0; i < picture->memory_count; i++) {
        if (all && picture->memories[i].is_channel) {
            hoist_picture_add_memory(out, &picture->memories[i]);
        }
    }
    for (size_t i = 0; all && i < picture->sharing_count; i++) {
        hoist_picture_add_sharing(out, &picture->sharings[i]);
    }
    *out_found = c.found || (!choice->graph && !choice->op);
    return hoist_picture_status(out);
}
