// What the drawing of a netlist shows, as data: per graph its ops with the queues around them as
// nodes and edges, then the buffers of each channel.
#include "base/span.h"
#include "base/tree.h"
#include "formats/buda/buda.h"
#include "formats/buda/draw.h"
#include "formats/buda/memory_map.h"

// The node of a queue, or of an op of another graph, in the graph that is sent.
typedef struct node_mark {
    size_t graph; // one more than the graph's index that `id` is for
    size_t id;
} node_mark;

typedef struct graph_sender {
    const buda_net *net;
    hoist_arena *arena; // scratch
    hoist_tree_sink *sink;
    size_t graph;      // index of the one that is sent
    size_t node_count; // of it, so far
    node_mark *queues; // arena; per queue of the net
    node_mark *others; // arena; per op of the net
    size_t
        *unknowns; // arena; per input of the graph's ops, in order: the node of an unknown source
    size_t unknown_count;
} graph_sender;

static const buda_net_graph *graph_of(const graph_sender *s)
{
    return &s->net->graphs[s->graph];
}

// Nodes -------------------------------------------------------------------------------------------

static void begin_node(graph_sender *s, const char *kind, hoist_str name)
{
    hoist_tree_map(s->sink, "");
    hoist_tree_uint(s->sink, "id", s->node_count++, HOIST_UNIT_NONE);
    hoist_tree_c(s->sink, "kind", kind);
    hoist_tree_str(s->sink, "name", name);
}

static void send_cores(graph_sender *s, const buda_op *op)
{
    if (op->op == HOIST_OP_ETHERNET_DATACOPY || !buda_has(op->grid_loc.pos)) {
        hoist_tree_null(s->sink, "cores");
        return;
    }
    const buda_pair grid = buda_op_cores(op);
    hoist_tree_short_map(s->sink, "cores");
    hoist_tree_int(s->sink, "row", op->grid_loc.r);
    hoist_tree_int(s->sink, "column", op->grid_loc.c);
    hoist_tree_int(s->sink, "rows", grid.r);
    hoist_tree_int(s->sink, "columns", grid.c);
    hoist_tree_end(s->sink);
}

static void send_op(graph_sender *s, const buda_net_op *op, size_t layer)
{
    begin_node(s, "op", op->name);
    hoist_tree_str(s->sink, "graph", s->net->graphs[op->graph].name);
    hoist_tree_str(s->sink, "type", op->op->type.text);
    if (layer) {
        hoist_tree_uint(s->sink, "layer", layer, HOIST_UNIT_NONE);
    } else {
        hoist_tree_null(s->sink, "layer");
    }
    send_cores(s, op->op);
    hoist_tree_end(s->sink);
}

// True when the node is not there yet; it is then the next one.
static bool is_new(graph_sender *s, node_mark *mark)
{
    if (mark->graph == s->graph + 1) {
        return false;
    }
    *mark = (node_mark){s->graph + 1, s->node_count};
    return true;
}

static void send_queue(graph_sender *s, size_t index)
{
    const buda_net_queue *queue = &s->net->queues[index];
    if (is_new(s, &s->queues[index])) {
        begin_node(s, "queue", queue->name);
        hoist_tree_str(s->sink, "type", queue->queue->type.text);
        hoist_tree_end(s->sink);
    }
}

static bool is_own(const graph_sender *s, size_t op)
{
    const buda_net_graph *graph = graph_of(s);
    return op >= graph->first_op && op - graph->first_op < graph->op_count;
}

static void send_source(graph_sender *s, const buda_net_op *op, size_t input)
{
    const buda_source source = op->inputs[input];
    switch (source.kind) {
    case BUDA_SOURCE_QUEUE:
        send_queue(s, source.index);
        return;
    case BUDA_SOURCE_OP:
        if (!is_own(s, source.index) && is_new(s, &s->others[source.index])) {
            send_op(s, &s->net->ops[source.index], 0);
        }
        return;
    case BUDA_SOURCE_NONE:
        break;
    }
    s->unknowns[s->unknown_count++] = s->node_count;
    begin_node(s, "unknown", op->op->inputs.items[input].text);
    hoist_tree_end(s->sink);
}

static void send_neighbours(graph_sender *s, const buda_net_op *op)
{
    for (size_t k = 0; k < op->op->inputs.count; k++) {
        send_source(s, op, k);
    }
    for (size_t k = 0; k < op->out_queue_count; k++) {
        send_queue(s, op->out_queues[k]);
    }
}

// The graph's own ops come first, in their order.
static hoist_status send_nodes(graph_sender *s)
{
    const buda_net_graph *graph = graph_of(s);
    const buda_net_op *ops = &s->net->ops[graph->first_op];
    size_t *layers = NULL;
    size_t *order = NULL;
    size_t inputs = 0;
    HOIST_TRY(buda_graph_layers(s->net, graph, s->arena, &layers, &order));
    for (size_t i = 0; i < graph->op_count; i++) {
        inputs += ops[i].op->inputs.count;
    }
    s->unknowns = hoist_arena_array(s->arena, inputs, sizeof(s->unknowns[0]));
    if (!s->unknowns) {
        return HOIST_NO_MEMORY;
    }
    s->unknown_count = 0;
    s->node_count = 0;
    hoist_tree_list(s->sink, "nodes");
    for (size_t i = 0; i < graph->op_count; i++) {
        send_op(s, &ops[i], layers[i]);
    }
    for (size_t i = 0; i < graph->op_count; i++) {
        send_neighbours(s, &ops[i]);
    }
    hoist_tree_end(s->sink);
    return s->sink->status;
}

// Edges -------------------------------------------------------------------------------------------

static void begin_edge(graph_sender *s, const char *kind, size_t from, size_t to)
{
    hoist_tree_map(s->sink, "");
    hoist_tree_c(s->sink, "kind", kind);
    hoist_tree_uint(s->sink, "from", from, HOIST_UNIT_NONE);
    hoist_tree_uint(s->sink, "to", to, HOIST_UNIT_NONE);
}

// The node of an input; unknown sources come in the order of their nodes.
static size_t source_node(graph_sender *s, buda_source source)
{
    switch (source.kind) {
    case BUDA_SOURCE_QUEUE:
        return s->queues[source.index].id;
    case BUDA_SOURCE_OP:
        return is_own(s, source.index) ? source.index - graph_of(s)->first_op
                                       : s->others[source.index].id;
    case BUDA_SOURCE_NONE:
        break;
    }
    return s->unknowns[s->unknown_count++];
}

static void send_edges(graph_sender *s)
{
    const buda_net_graph *graph = graph_of(s);
    s->unknown_count = 0;
    hoist_tree_list(s->sink, "edges");
    for (size_t i = 0; i < graph->op_count; i++) {
        const buda_net_op *op = &s->net->ops[graph->first_op + i];
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            begin_edge(s, "reads", source_node(s, op->inputs[k]), i);
            hoist_tree_uint(s->sink, "input", k, HOIST_UNIT_NONE);
            hoist_tree_end(s->sink);
        }
        for (size_t k = 0; k < op->out_queue_count; k++) {
            begin_edge(s, "writes", i, s->queues[op->out_queues[k]].id);
            hoist_tree_end(s->sink);
        }
    }
    hoist_tree_end(s->sink);
}

static hoist_status send_graph(graph_sender *s)
{
    const buda_net_graph *graph = graph_of(s);
    hoist_tree_map(s->sink, "");
    hoist_tree_str(s->sink, "name", graph->name);
    hoist_tree_int(s->sink, "chip", graph->device);
    hoist_tree_uint(s->sink, "epoch", graph->temporal, HOIST_UNIT_NONE);
    hoist_tree_int(s->sink, "input_count", graph->graph->input_count.value);
    hoist_tree_int(s->sink, "grid_rows", s->net->soc->row_count);
    hoist_tree_int(s->sink, "grid_columns", s->net->soc->column_count);
    HOIST_TRY(send_nodes(s));
    send_edges(s);
    hoist_tree_end(s->sink);
    return s->sink->status;
}

// Memory ------------------------------------------------------------------------------------------

static void send_channel(const graph_sender *s, const buda_range *ranges, size_t count)
{
    uint64_t end = 0;
    const uint64_t used = buda_ranges_used(ranges, count, &end);
    hoist_tree_map(s->sink, "");
    hoist_tree_int(s->sink, "chip", ranges[0].chip);
    hoist_tree_c(s->sink, "memory", ranges[0].loc == BUDA_LOC_DRAM ? "dram" : "host");
    hoist_tree_int(s->sink, "channel", ranges[0].channel);
    hoist_tree_uint(s->sink, "used_bytes", used, HOIST_UNIT_BYTES);
    hoist_tree_list(s->sink, "buffers");
    for (size_t i = 0; i < count; i++) {
        hoist_tree_map(s->sink, "");
        hoist_tree_str(s->sink, "queue", s->net->queues[ranges[i].queue].name);
        hoist_tree_uint(s->sink, "address", ranges[i].start, HOIST_UNIT_ADDRESS);
        hoist_tree_uint(s->sink, "size_bytes", ranges[i].end - ranges[i].start, HOIST_UNIT_BYTES);
        hoist_tree_end(s->sink);
    }
    hoist_tree_end(s->sink);
    hoist_tree_end(s->sink);
}

static hoist_status send_memory(const graph_sender *s)
{
    const buda_range *ranges = NULL;
    size_t count = 0;
    HOIST_TRY(buda_memory_ranges(s->net, s->arena, &ranges, &count));
    hoist_tree_list(s->sink, "memory");
    size_t on_channel = 0;
    for (size_t i = 0; i < count; i += on_channel) {
        on_channel = buda_ranges_of_channel(&ranges[i], count - i);
        send_channel(s, &ranges[i], on_channel);
    }
    hoist_tree_end(s->sink);
    return s->sink->status;
}

static hoist_status send_all(graph_sender *s)
{
    s->queues = hoist_arena_array(s->arena, s->net->queue_count, sizeof(s->queues[0]));
    s->others = hoist_arena_array(s->arena, s->net->op_count, sizeof(s->others[0]));
    if (!s->queues || !s->others) {
        return HOIST_NO_MEMORY;
    }
    hoist_tree_list(s->sink, "graphs");
    for (s->graph = 0; s->graph < s->net->graph_count; s->graph++) {
        HOIST_TRY(send_graph(s));
    }
    hoist_tree_end(s->sink);
    return send_memory(s);
}

hoist_status buda_draw_tree(const hoist_module *module, const hoist_check_options *options,
                            hoist_diag *diag, hoist_tree_sink *sink)
{
    buda_net net;
    hoist_arena arena;
    const buda_cluster *cluster = NULL;
    HOIST_TRY(buda_net_open((const hoist_buda_module *)module, options, diag, &net, &cluster));
    hoist_arena_init(&arena, module->alloc);
    graph_sender s = {.net = &net, .arena = &arena, .sink = sink};
    const hoist_status status = send_all(&s);
    hoist_arena_deinit(&arena);
    buda_net_deinit(&net);
    return status;
}
