// A picture (base/picture.h) as tree events: the lists "graphs" and "memory" of docs/json.md,
// hoist.graph/1. picture_text.c draws the same picture for people.
#include "base/span.h"
#include "base/tree.h"
#include "picture/draw.h"

// Graphs ------------------------------------------------------------------------------------------

// An attribute as one event, or as a list of its integers. Null has no value, only its kind.
static void send_attr(const hoist_picture_attr *attr, hoist_tree_sink *sink)
{
    hoist_tree_event event = {
        .kind = attr->kind, .unit = attr->unit, .key = hoist_str_from(attr->key)};
    switch (attr->kind) {
    case HOIST_TREE_STR:
        event.str = attr->value.str;
        break;
    case HOIST_TREE_UINT:
        event.uinteger = attr->value.uinteger;
        break;
    case HOIST_TREE_INT:
        event.integer = attr->value.integer;
        break;
    case HOIST_TREE_FLOAT:
        event.number = attr->value.number;
        break;
    case HOIST_TREE_BOOL:
        event.boolean = attr->value.boolean;
        break;
    case HOIST_TREE_LIST:
        hoist_tree_short_list(sink, attr->key);
        for (size_t i = 0; i < attr->value.list.count; i++) {
            hoist_tree_int(sink, "", attr->value.list.items[i]);
        }
        hoist_tree_end(sink);
        return;
    default:
        break;
    }
    hoist_tree_send(sink, &event);
}

void hoist_picture_send_attrs(const hoist_picture_graph *g, size_t first, size_t count,
                              hoist_tree_sink *sink)
{
    for (size_t i = first; i < first + count; i++) {
        send_attr(&g->attrs[i], sink);
    }
}

// Null tells a step that has no place from a graph without a grid, which has no key.
static void send_cores(const hoist_picture_cores *cores, hoist_tree_sink *sink)
{
    if (!cores->is_placed) {
        hoist_tree_null(sink, "cores");
        return;
    }
    hoist_tree_short_map(sink, "cores");
    hoist_tree_int(sink, "row", cores->row);
    hoist_tree_int(sink, "column", cores->column);
    hoist_tree_int(sink, "rows", cores->rows);
    hoist_tree_int(sink, "columns", cores->columns);
    hoist_tree_end(sink);
}

static void send_node(const hoist_picture_graph *g, size_t id, hoist_tree_sink *sink)
{
    const hoist_picture_node *const node = &g->nodes[id];
    const hoist_picture_node_row *const row = &hoist_picture_node_rows[node->kind];
    hoist_tree_map(sink, "");
    hoist_tree_uint(sink, "id", id, HOIST_UNIT_NONE);
    hoist_tree_c(sink, "kind", row->name);
    hoist_tree_str(sink, "name", node->name);
    if (node->graph.data) {
        hoist_tree_str(sink, "graph", node->graph);
    }
    hoist_picture_send_attrs(g, node->first_attr, node->attr_count, sink);
    // The layer of a step in a cycle is null.
    if (row->role == HOIST_PICTURE_STEP) {
        hoist_tree_maybe_uint(sink, "layer", node->layer != 0, node->layer, HOIST_UNIT_NONE);
    }
    if (row->role == HOIST_PICTURE_STEP && g->rows) {
        send_cores(&node->cores, sink);
    }
    hoist_tree_end(sink);
}

// The keys of an edge depend on its kind: the row has NULL for what it does not have.
static void send_edge(const hoist_picture_edge *edge, hoist_tree_sink *sink)
{
    const hoist_picture_edge_row *const row = &hoist_picture_edge_rows[edge->kind];
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "kind", row->name);
    hoist_tree_uint(sink, "from", edge->from, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "to", edge->to, HOIST_UNIT_NONE);
    if (row->via) {
        hoist_tree_maybe_uint(sink, row->via, edge->via != HOIST_PICTURE_NONE, edge->via,
                              HOIST_UNIT_NONE);
    }
    if (row->number) {
        hoist_tree_uint(sink, row->number, edge->number, HOIST_UNIT_NONE);
    }
    if (row->bytes) {
        hoist_tree_uint(sink, row->bytes, edge->bytes, HOIST_UNIT_BYTES);
    }
    hoist_tree_end(sink);
}

// Its attributes, then nodes and edges. An edge refers to nodes by ids, which are their numbers.
static void send_graph(const hoist_picture_graph *g, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "name", g->name);
    hoist_picture_send_attrs(g, 0, g->attr_count, sink);
    if (g->rows) {
        hoist_tree_int(sink, "grid_rows", g->rows);
        hoist_tree_int(sink, "grid_columns", g->columns);
    }
    hoist_tree_list(sink, "nodes");
    for (size_t i = 0; i < g->node_count; i++) {
        // Those come last, so that ids have no gaps.
        if (!g->nodes[i].is_for_people) {
            send_node(g, i, sink);
        }
    }
    hoist_tree_end(sink);
    hoist_tree_list(sink, "edges");
    for (size_t i = 0; i < g->edge_count; i++) {
        if (!g->edges[i].is_for_people) {
            send_edge(&g->edges[i], sink);
        }
    }
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}

// Memory ------------------------------------------------------------------------------------------

// The keys of a list of ranges and its items.
typedef struct range_keys {
    const char *list, *name, *start;
    hoist_tree_unit unit;
} range_keys;

static void send_ranges(const hoist_picture_range *ranges, size_t count, const range_keys *keys,
                        hoist_tree_sink *sink)
{
    hoist_tree_list(sink, keys->list);
    for (size_t i = 0; i < count; i++) {
        hoist_tree_map(sink, "");
        hoist_tree_str(sink, keys->name, ranges[i].name);
        hoist_tree_uint(sink, keys->start, ranges[i].start, keys->unit);
        hoist_tree_uint(sink, "size_bytes", ranges[i].size, HOIST_UNIT_BYTES);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

static void send_channel(const hoist_picture_memory *m, hoist_tree_sink *sink)
{
    static const range_keys keys = {"buffers", "queue", "address", HOIST_UNIT_ADDRESS};
    hoist_tree_int(sink, "chip", m->chip);
    hoist_tree_c(sink, "memory", m->name);
    hoist_tree_int(sink, "channel", m->channel);
    hoist_tree_uint(sink, "used_bytes", m->used, HOIST_UNIT_BYTES);
    send_ranges(m->ranges, m->range_count, &keys, sink);
}

static void send_pad(const hoist_picture_pad *pad, hoist_tree_sink *sink)
{
    static const range_keys keys = {"slices", "variable", "offset", HOIST_UNIT_NONE};
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "backing_buf", pad->name);
    hoist_tree_uint(sink, "extent_bytes", pad->extent, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "sum_bytes", pad->sum, HOIST_UNIT_BYTES);
    send_ranges(pad->ranges, pad->count, &keys, sink);
    hoist_tree_end(sink);
}

static void send_area(const hoist_picture_memory *m, hoist_tree_sink *sink)
{
    hoist_tree_str(sink, "graph", m->graph);
    hoist_tree_c(sink, "area", m->name);
    for (size_t i = 0; i < m->use_count; i++) {
        hoist_tree_uint(sink, m->uses[i].key, m->uses[i].bytes, HOIST_UNIT_BYTES);
    }
    hoist_tree_uint(sink, "total_bytes", hoist_picture_total(m), HOIST_UNIT_BYTES);
    if (m->capacity) {
        hoist_tree_uint(sink, "capacity_bytes", m->capacity, HOIST_UNIT_BYTES);
    }
    if (m->has_pads) {
        hoist_tree_list(sink, "scratchpads");
        for (size_t i = 0; i < m->pad_count; i++) {
            send_pad(&m->pads[i], sink);
        }
        hoist_tree_end(sink);
    }
}

hoist_status hoist_picture_tree(const hoist_picture *picture, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "graphs");
    for (size_t i = 0; i < picture->graph_count; i++) {
        send_graph(&picture->graphs[i], sink);
    }
    hoist_tree_end(sink);
    hoist_tree_list(sink, "memory");
    for (size_t i = 0; i < picture->memory_count; i++) {
        const hoist_picture_memory *const memory = &picture->memories[i];
        hoist_tree_map(sink, "");
        (memory->is_channel ? send_channel : send_area)(memory, sink);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    return sink->status;
}
