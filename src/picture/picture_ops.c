// The steps of a picture (base/picture.h) as a table, and one op with what it is connected to, as
// tree events: what `hoist info` has of a graph and of an op. picture_tree.c sends all of it.
#include <inttypes.h>
#include <stdio.h>

#include "base/span.h"
#include "base/tree.h"
#include "picture/draw.h"

// "2x4 at 0, 3": the cores of a step.
static void send_cores(const hoist_picture_graph *g, const hoist_picture_node *node,
                       hoist_tree_sink *sink)
{
    const hoist_picture_cores *const cores = &node->cores;
    char text[96];
    // Without a grid there are no cores, and only steps run on some.
    if (!g->rows || hoist_picture_node_rows[node->kind].role != HOIST_PICTURE_STEP) {
        return;
    }
    (void)snprintf(text, sizeof(text), "%" PRId64 "x%" PRId64 " at %" PRId64 ", %" PRId64,
                   cores->rows, cores->columns, cores->row, cores->column);
    hoist_tree_maybe_c(sink, "cores", cores->is_placed ? text : NULL);
}

// Name, kind, attributes and cores of a node, into the map that is open.
static void send_node(const hoist_picture_graph *g, size_t id, hoist_tree_sink *sink)
{
    const hoist_picture_node *const node = &g->nodes[id];
    hoist_tree_str(sink, "name", node->name);
    hoist_tree_c(sink, "kind", hoist_picture_node_rows[node->kind].name);
    hoist_picture_send_attrs(g, node->first_attr, node->attr_count, sink);
    send_cores(g, node, sink);
}

// What the edges of a kind lead to, or come from: a list of names.
static void send_ends(const hoist_picture_graph *g, size_t id, const char *key,
                      hoist_picture_edge_kind kind, bool from, hoist_tree_sink *sink)
{
    hoist_tree_short_list(sink, key);
    for (size_t i = 0; i < g->edge_count; i++) {
        const hoist_picture_edge *const edge = &g->edges[i];
        // All edges are gone through again for each list: only the few ops that were asked for
        // have lists.
        if (edge->kind == kind && (from ? edge->from : edge->to) == id) {
            hoist_tree_str(sink, "", g->nodes[from ? edge->to : edge->from].name);
        }
    }
    hoist_tree_end(sink);
}

// One graph of the list: its steps or, `one`, the nodes of the name that was asked for.
static void send_graph(const hoist_picture_graph *g, bool one, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", g->name);
    hoist_picture_send_attrs(g, 0, g->attr_count, sink);
    hoist_tree_list(sink, "ops");
    const size_t most = one ? g->node_count : g->step_count;
    for (size_t i = 0; i < most; i++) {
        if (one && !g->nodes[i].is_asked) {
            continue;
        }
        hoist_tree_map(sink, "");
        send_node(g, i, sink);
        if (one) {
            send_ends(g, i, "reads", HOIST_PICTURE_READS, false, sink);
            send_ends(g, i, "read_by", HOIST_PICTURE_READS, true, sink);
            send_ends(g, i, "writes", HOIST_PICTURE_WRITES, true, sink);
            send_ends(g, i, "written_by", HOIST_PICTURE_WRITES, false, sink);
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

static hoist_status send_graphs(const hoist_picture *picture, bool one, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "selected");
    for (size_t i = 0; i < picture->graph_count; i++) {
        send_graph(&picture->graphs[i], one, sink);
    }
    hoist_tree_end(sink);
    return sink->status;
}

hoist_status hoist_picture_ops(const hoist_picture *picture, hoist_tree_sink *sink)
{
    return send_graphs(picture, false, sink);
}

hoist_status hoist_picture_op(const hoist_picture *picture, hoist_tree_sink *sink)
{
    return send_graphs(picture, true, sink);
}
