// The graphs of a picture as boxes (flow_graph.h): a step for each graph, a place for each thing
// that two of them share, and edges for what they read of each other. In: the rows of a picture;
// out: one more graph, in a picture of its own.
#include "base/map.h"
#include "base/span.h"
#include "picture/flow_graph.h"

static const size_t NONE = HOIST_PICTURE_NONE;

// Something that graphs share by its name.
typedef struct shared_thing {
    hoist_str name;
    hoist_picture_node_kind kind;
    size_t first; // the graph that has it first
    size_t node;  // of the overview; NONE: one graph has it
} shared_thing;

typedef struct overview {
    const hoist_picture *picture;
    const flow_view *view;
    hoist_picture *out;
    size_t *steps;    // of each graph: its step; NONE: the view has it not
    hoist_map names;  // of graphs: their steps
    hoist_map things; // that are shared: their numbers
    shared_thing *shared;
    size_t shared_count;
} overview;

// Steps -------------------------------------------------------------------------------------------

// A step for a graph, with the graph's attributes and how many nodes it has.
static void add_step(overview *o, size_t graph)
{
    const hoist_picture_graph *const g = &o->picture->graphs[graph];
    const hoist_picture_node node = {
        .kind = HOIST_PICTURE_OP, .name = g->name, .sort = hoist_str_from(g->title)};
    o->steps[graph] = hoist_picture_add_node(o->out, &node);
    for (size_t i = 0; i < g->attr_count; i++) {
        hoist_picture_add_attr(o->out, &g->attrs[i]);
    }
    hoist_picture_uint(o->out, "nodes", g->node_count, HOIST_PICTURE_COUNT);
}

// Makes the steps, and remembers them by name for nodes that say which graph they are of.
static hoist_status add_steps(overview *o)
{
    for (size_t i = 0; i < o->picture->graph_count; i++) {
        o->steps[i] = NONE;
        if (flow_view_has(o->view, &o->picture->graphs[i])) {
            add_step(o, i);
            // Of graphs of the same name the first is found: HOIST_BUSY is no failure.
            const hoist_status status =
                hoist_map_add(&o->names, o->picture->graphs[i].name, o->steps[i], NULL);
            if (status == HOIST_NO_MEMORY) {
                return status;
            }
        }
    }
    return HOIST_OK;
}

// Things that are shared --------------------------------------------------------------------------

// Notes who has a thing first. A second graph that has it makes it a place of the overview.
static hoist_status note_thing(overview *o, size_t graph, const hoist_picture_node *node)
{
    size_t at = 0;
    const hoist_status status = hoist_map_add(&o->things, node->name, o->shared_count, &at);
    if (status == HOIST_OK) {
        o->shared[o->shared_count++] = (shared_thing){node->name, node->kind, graph, NONE};
        return HOIST_OK;
    }
    // A graph that has it twice does not share it.
    if (status == HOIST_BUSY && o->shared[at].first != graph && o->shared[at].node == NONE) {
        const hoist_picture_node place = {.kind = node->kind, .name = node->name};
        o->shared[at].node = hoist_picture_add_node(o->out, &place);
    }
    return status == HOIST_BUSY ? HOIST_OK : status;
}

// Goes through all nodes that may be shared, of the graphs of the view.
static hoist_status note_things(overview *o)
{
    for (size_t i = 0; i < o->picture->graph_count; i++) {
        const hoist_picture_graph *const g = &o->picture->graphs[i];
        for (size_t k = 0; k < g->node_count && o->steps[i] != NONE; k++) {
            if (g->nodes[k].is_shared) {
                HOIST_TRY(note_thing(o, i, &g->nodes[k]));
            }
        }
        HOIST_TRY(hoist_deadline_look(o->view->deadline));
    }
    return hoist_picture_status(o->out);
}

// Edges -------------------------------------------------------------------------------------------

// The node of the overview for a node of a graph.
static size_t node_for(const overview *o, size_t graph, size_t node)
{
    const hoist_picture_node *const n = &o->picture->graphs[graph].nodes[node];
    size_t at = 0;
    if (n->is_shared && hoist_map_find(&o->things, n->name, &at)) {
        // NONE when only one graph has it: what it reads and writes there concerns nobody else.
        return o->shared[at].node;
    }
    if (n->is_foreign) {
        // A node of another graph stands for that graph.
        return n->graph.data && hoist_map_find(&o->names, n->graph, &at) ? at : NONE;
    }
    return o->steps[graph];
}

static hoist_status add_edges(overview *o, size_t graph)
{
    const hoist_picture_graph *const g = &o->picture->graphs[graph];
    for (size_t i = 0; i < g->edge_count; i++) {
        const hoist_picture_edge *const edge = &g->edges[i];
        // Only edges that are data, too.
        const bool is_flow =
            (edge->kind == HOIST_PICTURE_READS || edge->kind == HOIST_PICTURE_WRITES) &&
            !edge->is_for_people;
        const size_t from = is_flow ? node_for(o, graph, edge->from) : NONE;
        const size_t to = is_flow ? node_for(o, graph, edge->to) : NONE;
        // Inside of one graph nothing is drawn.
        if (from != NONE && to != NONE && from != to) {
            hoist_picture_connect(o->out, HOIST_PICTURE_READS, from, to);
        }
    }
    return hoist_deadline_look(o->view->deadline);
}

// Steps first, then places, then edges between them, as rows of a picture come.
static hoist_status send_all(overview *o)
{
    // As many things at most as there are nodes in all graphs.
    size_t nodes = 0;
    for (size_t i = 0; i < o->picture->graph_count; i++) {
        nodes += o->picture->graphs[i].node_count;
    }
    o->steps = hoist_arena_array(&o->out->arena, o->picture->graph_count, sizeof(*o->steps));
    o->shared = hoist_arena_array(&o->out->arena, nodes, sizeof(*o->shared));
    if (!o->steps || !o->shared) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(add_steps(o));
    HOIST_TRY(note_things(o));
    for (size_t i = 0; i < o->picture->graph_count; i++) {
        if (o->steps[i] != NONE) {
            HOIST_TRY(add_edges(o, i));
        }
    }
    return hoist_picture_status(o->out);
}

hoist_status flow_overview(const hoist_picture *picture, const flow_view *view,
                           hoist_picture *scratch)
{
    const hoist_picture_graph begun = {.title = "graphs", .name = HOIST_STR("")};
    overview o = {.picture = picture, .view = view, .out = scratch};
    hoist_map_init(&o.names, scratch->arena.alloc);
    hoist_map_init(&o.things, scratch->arena.alloc);
    hoist_picture_begin_graph(scratch, &begun);
    hoist_status status = hoist_picture_status(scratch);
    if (status == HOIST_OK) {
        status = send_all(&o);
    }
    hoist_map_deinit(&o.names);
    hoist_map_deinit(&o.things);
    if (status == HOIST_OK) {
        hoist_picture_end_graph(scratch);
        status = hoist_picture_status(scratch);
    }
    return status;
}
