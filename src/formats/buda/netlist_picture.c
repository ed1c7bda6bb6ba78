// What `hoist graph` draws of a netlist: per graph its ops with the queues around them as nodes and
// edges, then the buffers of each channel.
// In: a net (net.h). Out: data of base/picture.h, which src/picture draws as text, SVG or for
// Graphviz.
#include "base/picture.h"
#include "base/span.h"
#include "formats/buda/buda.h"
#include "formats/buda/memory_map.h"

// Queues and foreign ops become nodes at their first use in a graph; the mark says for which graph
// that was.
// The node of a queue, or of an op of another graph, in the graph that is sent.
typedef struct node_mark {
    size_t graph; // one more than the graph's index that `id` is for ; 0: none yet
    size_t id;
} node_mark;

typedef struct graph_sender {
    const buda_net *net;
    hoist_picture *picture;
    size_t graph;           // index of the one that is sent
    size_t node_count;      // of it, so far
    hoist_str *graph_names; // arena; per graph of the net
    node_mark *queues;      // arena; per queue of the net
    node_mark *others;      // arena; per op of the net
} graph_sender;

// A name of the net, which does not outlive it, as one that does: the module's own, or a copy.
static hoist_str kept_name(hoist_picture *p, hoist_str name, hoist_str own)
{
    // The text is in the module, which outlives the picture.
    if (name.data == own.data && name.size == own.size) {
        return own;
    }
    const hoist_str copy = hoist_arena_str(&p->arena, name);
    p->failed = p->failed || !copy.data;
    return copy;
}

// "queues/x", "graphs/g/x". Longer ones have none: messages and pages would cut them.
static hoist_str object_name(hoist_picture *p, const char *section, hoist_str graph, hoist_str name)
{
    enum { MOST = 512 };
    hoist_str object = HOIST_STR("");
    if (graph.size < MOST && name.size < MOST) {
        object = graph.size
                     ? hoist_arena_format(&p->arena, "%s/%.*s/%.*s", section, HOIST_STR_ARGS(graph),
                                          HOIST_STR_ARGS(name))
                     : hoist_arena_format(&p->arena, "%s/%.*s", section, HOIST_STR_ARGS(name));
        p->failed = p->failed || !object.data;
    }
    return object;
}

static const buda_net_graph *graph_of(const graph_sender *s)
{
    return &s->net->graphs[s->graph];
}

// Ids are given in order of sending: own ops first, so that op i of the graph is node i.
// Nodes -------------------------------------------------------------------------------------------

static void add_node(graph_sender *s, const hoist_picture_node *node)
{
    (void)hoist_picture_add_node(s->picture, node);
    s->node_count++;
}

// Ops of a graph are one run of the net.
static bool is_own(const graph_sender *s, size_t op)
{
    const buda_net_graph *const graph = graph_of(s);
    return op >= graph->first_op && op - graph->first_op < graph->op_count;
}

// `is_for_people`: a foreign reader, which texts list and graphs leave out.
static void send_op(graph_sender *s, size_t index, bool is_for_people)
{
    const buda_net_op *const op = &s->net->ops[index];
    const buda_pair cores = buda_op_cores(op->op);
    const hoist_picture_node node = {
        .kind = HOIST_PICTURE_OP,
        .name = kept_name(s->picture, op->name, op->op->name.text),
        .graph = s->graph_names[op->graph],
        .object = object_name(s->picture, "graphs", s->net->graphs[op->graph].graph->name.text,
                              op->op->name.text),
        // Drawn differently: it belongs to another graph.
        .is_foreign = !is_own(s, index),
        .is_for_people = is_for_people,
        .sort = op->op->type.text,
        .cores = {.is_placed = // ethernet ops are on no worker core
                  op->op->op != HOIST_OP_ETHERNET_DATACOPY && buda_has(op->op->grid_loc.pos),
                  .is_transposed = op->op->grid_transpose.value,
                  .row = op->op->grid_loc.r,
                  .column = op->op->grid_loc.c,
                  .rows = cores.r,
                  .columns = cores.c},
    };
    add_node(s, &node);
    hoist_picture_str(s->picture, "type", op->op->type.text, HOIST_PICTURE_HIDDEN);
}

// True when the node is not there yet; it is then the next one. The mark saves clearing a table
// for each graph, which would cost graphs times queues.
static bool is_new(graph_sender *s, node_mark *mark)
{
    if (mark->graph == s->graph + 1) {
        return false;
    }
    *mark = (node_mark){s->graph + 1, s->node_count};
    return true;
}

// The node's id, after sending the node if this graph has none for it.
static size_t queue_node(graph_sender *s, size_t index)
{
    const buda_net_queue *const queue = &s->net->queues[index];
    if (is_new(s, &s->queues[index])) {
        const hoist_picture_node node = {
            .kind = HOIST_PICTURE_QUEUE,
            .is_shared = true,
            .object = object_name(s->picture, "queues", HOIST_STR(""), queue->queue->name.text),
            .name = kept_name(s->picture, queue->name, queue->queue->name.text)};
        add_node(s, &node);
        hoist_picture_str(s->picture, "type", queue->queue->type.text, HOIST_PICTURE_HIDDEN);
    }
    return s->queues[index].id;
}

// Own ops were sent first and in order.
static size_t op_node(graph_sender *s, size_t index, bool is_for_people)
{
    if (is_own(s, index)) {
        return index - graph_of(s)->first_op;
    }
    if (is_new(s, &s->others[index])) {
        send_op(s, index, is_for_people);
    }
    return s->others[index].id;
}

// A name that nothing has is a node of its own, so that a broken netlist is drawn as well.
static size_t source_node(graph_sender *s, const buda_net_op *op, size_t input)
{
    const buda_source source = op->inputs[input];
    switch (source.kind) {
    case BUDA_SOURCE_QUEUE:
        return queue_node(s, source.index);
    case BUDA_SOURCE_OP:
        return op_node(s, source.index, false);
    case BUDA_SOURCE_NONE:
        break;
    }
    const hoist_picture_node node = {.kind = HOIST_PICTURE_UNKNOWN,
                                     .name = op->op->inputs.items[input].text};
    add_node(s, &node);
    return s->node_count - 1;
}

// The graph's own ops, then what is around them; `*out_sources` has the nodes of all inputs. The
// nodes of inputs are kept, because edges are sent after all nodes.
static hoist_status send_nodes(graph_sender *s, size_t **out_sources)
{
    const buda_net_graph *const graph = graph_of(s);
    const buda_net_op *const ops = &s->net->ops[graph->first_op];
    size_t count = 0;
    s->node_count = 0;
    for (size_t i = 0; i < graph->op_count; i++) {
        send_op(s, graph->first_op + i, false);
        count += ops[i].op->inputs.count;
    }
    size_t *source = hoist_arena_array(&s->picture->arena, count, sizeof(*source));
    *out_sources = source;
    HOIST_TRY_MEMORY(source);
    for (size_t i = 0; i < graph->op_count; i++) {
        for (size_t k = 0; k < ops[i].op->inputs.count; k++) {
            *source++ = source_node(s, &ops[i], k);
        }
        // Queues that only this graph writes.
        for (size_t k = 0; k < ops[i].out_queue_count; k++) {
            (void)queue_node(s, ops[i].out_queues[k]);
        }
    }
    return HOIST_OK;
}

// Edges -------------------------------------------------------------------------------------------

// Ops of other graphs that read those of this one: for texts, which list readers in the netlist's
// order. `before`: readers of graphs before this one, else after it.
static void send_readers(graph_sender *s, bool before)
{
    const buda_net_graph *const graph = graph_of(s);
    for (size_t i = 0; i < graph->op_count; i++) {
        const buda_net_op *const op = &s->net->ops[graph->first_op + i];
        for (size_t k = 0; k < op->out_op_count; k++) {
            const size_t reader = op->out_ops[k];
            if (!is_own(s, reader) && (reader < graph->first_op) == before) {
                const hoist_picture_edge edge = {.kind = HOIST_PICTURE_READS,
                                                 .is_for_people = true,
                                                 .from = i,
                                                 .to = op_node(s, reader, true)};
                hoist_picture_add_edge(s->picture, &edge);
            }
        }
    }
}

// Readers before and after, so that the readers of an op ascend with the file.
static void send_edges(graph_sender *s, const size_t *source)
{
    const buda_net_graph *const graph = graph_of(s);
    send_readers(s, true);
    for (size_t i = 0; i < graph->op_count; i++) {
        const buda_net_op *const op = &s->net->ops[graph->first_op + i];
        for (size_t k = 0; k < op->op->inputs.count; k++) {
            const hoist_picture_edge edge = {
                .kind = HOIST_PICTURE_READS, .from = *source++, .to = i, .number = k};
            hoist_picture_add_edge(s->picture, &edge);
        }
        for (size_t k = 0; k < op->out_queue_count; k++) {
            hoist_picture_connect(s->picture, HOIST_PICTURE_WRITES, i,
                                  queue_node(s, op->out_queues[k]));
        }
    }
    send_readers(s, false);
}

// A named attribute in the graph's head.
static void send_number(hoist_picture *p, const char *key, int64_t number)
{
    const hoist_picture_attr attr = {
        .key = key, .kind = HOIST_TREE_INT, .show = HOIST_PICTURE_NAMED, .value.integer = number};
    hoist_picture_add_attr(p, &attr);
}

// Nodes of a graph first, then edges: the interface of pictures has this order.
static hoist_status send_graph(graph_sender *s)
{
    const buda_net_graph *const graph = graph_of(s);
    size_t *sources = NULL;
    const hoist_picture_graph begun = {.title = "graph",
                                       // Grid on which placed ops are drawn.
                                       .name = s->graph_names[s->graph],
                                       .rows = s->net->soc->row_count,
                                       .columns = s->net->soc->column_count};
    hoist_picture_begin_graph(s->picture, &begun);
    send_number(s->picture, "chip", graph->device);
    hoist_picture_uint(s->picture, "epoch", graph->temporal, HOIST_PICTURE_NAMED);
    send_number(s->picture, "input_count", graph->graph->input_count.value);
    HOIST_TRY(send_nodes(s, &sources));
    send_edges(s, sources);
    hoist_picture_end_graph(s->picture);
    return hoist_picture_status(s->picture);
}

// Memory ------------------------------------------------------------------------------------------

// Saturates at 10^18: for the column "total" of texts.
// Saturates: a list of places times a 64-bit size is for people only.
static uint64_t bytes_of_queue(const buda_net_queue *queue)
{
    const double bytes =
        (double)queue->buffer_bytes * (double)buda_queue_places(queue->queue)->count;
    return bytes < 1e18 ? (uint64_t)bytes : (uint64_t)1000000000000000000;
}

// Ranges of one channel, with the queue's index as owner: equal owners have one colour.
static hoist_status send_channel(const graph_sender *s, const buda_range *ranges, size_t count)
{
    hoist_picture_range *const out = hoist_arena_array(&s->picture->arena, count, sizeof(*out));
    hoist_picture_memory channel = {.name = ranges[0].loc == BUDA_LOC_DRAM ? "dram" : "host",
                                    .is_channel = true,
                                    .chip = ranges[0].chip,
                                    .channel = ranges[0].channel,
                                    .ranges = out,
                                    .range_count = count};
    channel.used = buda_ranges_used(ranges, count, &channel.end);
    HOIST_TRY_MEMORY(out);
    for (size_t i = 0; i < count; i++) {
        const buda_net_queue *const queue = &s->net->queues[ranges[i].queue];
        const hoist_str own = queue->queue->name.text;
        out[i] = (hoist_picture_range){.name = kept_name(s->picture, queue->name, own),
                                       .type = queue->queue->type.text,
                                       .owner = ranges[i].queue,
                                       .start = ranges[i].start,
                                       .size = ranges[i].end - ranges[i].start,
                                       .total = bytes_of_queue(queue)};
    }
    hoist_picture_add_memory(s->picture, &channel);
    return HOIST_OK;
}

// Tables per net and not per graph; see is_new().
static hoist_status send_all(graph_sender *s)
{
    hoist_arena *const arena = &s->picture->arena;
    const buda_range *ranges = NULL;
    size_t count = 0;
    s->graph_names = hoist_arena_array(arena, s->net->graph_count, sizeof(s->graph_names[0]));
    s->queues = hoist_arena_array(arena, s->net->queue_count, sizeof(s->queues[0]));
    s->others = hoist_arena_array(arena, s->net->op_count, sizeof(s->others[0]));
    HOIST_TRY_MEMORY(s->graph_names && s->queues && s->others);
    for (size_t i = 0; i < s->net->graph_count; i++) {
        const buda_net_graph *const graph = &s->net->graphs[i];
        s->graph_names[i] = kept_name(s->picture, graph->name, graph->graph->name.text);
    }
    // `graph` is read by the senders.
    for (s->graph = 0; s->graph < s->net->graph_count; s->graph++) {
        HOIST_TRY(send_graph(s));
    }
    HOIST_TRY(buda_memory_ranges(s->net, arena, &ranges, &count));
    size_t on_channel = 0;
    for (size_t i = 0; i < count; i += on_channel) {
        on_channel = buda_ranges_of_channel(&ranges[i], count - i);
        HOIST_TRY(send_channel(s, &ranges[i], on_channel));
    }
    return hoist_picture_status(s->picture);
}

// Errors in names and sizes do not stop the picture; only memory and limits do.
hoist_status buda_picture(const hoist_module *module, const hoist_check_options *options,
                          hoist_diag *diag, hoist_picture *picture)
{
    buda_net net;
    const buda_cluster *cluster = NULL;
    HOIST_TRY(buda_net_open((const hoist_buda_module *)module, options, diag, &net, &cluster));
    graph_sender s = {.net = &net, .picture = picture};
    const hoist_status status = send_all(&s);
    buda_net_deinit(&net);
    return status;
}
