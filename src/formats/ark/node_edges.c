// The edges of a model. Each is written twice, in the ConsumerNodeIds of one node and the
// ProducerNodeIds of the other; both lists are sorted and merged, which shows what only one of them
// has (ARK-M31).
#include "formats/ark/node_edges.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/map.h"
#include "base/order.h"
#include "formats/ark/graph_internal.h"
#include "formats/ark/rules.h"

typedef struct edge {
    uint32_t from, to; // the consumer needs `to` after `from`
    hoist_pos pos;     // where it is written
} edge;

typedef struct edge_list {
    edge *items; // arena
    size_t count;
} edge_list;

typedef struct finder {
    const ark_module *module;
    hoist_diag *diag;
    hoist_map ids;
    edge_list by_producers, by_consumers; // by the lists that they are from
} finder;

// Ids are for messages; edges are by index.
static int64_t id_of(const finder *f, size_t node)
{
    return f->module->nodes.items[node].id.value;
}

// Ids ---------------------------------------------------------------------------------------------

// Edges to an Id that several nodes have are edges to the first of them.
static hoist_status index_ids(finder *f)
{
    for (size_t i = 0; i < f->module->nodes.count; i++) {
        const ark_node *const node = &f->module->nodes.items[i];
        size_t first = 0;
        const hoist_status status =
            node->id.pos.line ? hoist_map_add(&f->ids, ark_id_key(&node->id.value), i, &first)
                              : HOIST_OK;
        if (status == HOIST_NO_MEMORY) {
            return status;
        }
        if (status == HOIST_BUSY) {
            hoist_frame frame;
            hoist_diag_push_item(f->diag, &frame, "nodes", (uint32_t)i);
            ark_report(f->diag, ARK_M30a, node->id.pos,
                       "node %" PRId64 " is already at line %" PRIu32, node->id.value,
                       f->module->nodes.items[first].pos.line);
            hoist_diag_pop(f->diag, &frame);
        }
    }
    return HOIST_OK;
}

// One finding for all: ids that begin at another number are off in each node.
static void check_positions(finder *f)
{
    size_t count = 0;
    const ark_node *first = NULL;
    size_t first_index = 0;
    for (size_t i = 0; i < f->module->nodes.count; i++) {
        const ark_node *const node = &f->module->nodes.items[i];
        if (node->id.pos.line && node->id.value != (int64_t)i) {
            first_index = first ? first_index : i;
            first = first ? first : node;
            count++;
        }
    }
    if (first) {
        hoist_frame frame;
        hoist_diag_push_item(f->diag, &frame, "nodes", (uint32_t)first_index);
        ark_report(f->diag, ARK_M30b, first->id.pos,
                   "Id is %" PRId64 ", expected the position %zu; %zu of %zu nodes differ",
                   first->id.value, first_index, count, f->module->nodes.count);
        hoist_diag_pop(f->diag, &frame);
    }
}

// Edges -------------------------------------------------------------------------------------------

// One list of one node. Ids that no node has, and the node's own, are reported and left out.
static void read_list(finder *f, uint32_t node, const hoist_rec_ints *list, bool producers)
{
    edge_list *const out = producers ? &f->by_producers : &f->by_consumers;
    const char *const what = producers ? "producer" : "consumer";
    for (size_t i = 0; i < list->count; i++) {
        const hoist_rec_int *const id = &list->items[i];
        size_t other = 0;
        if (!hoist_map_find(&f->ids, ark_id_key(&id->value), &other)) {
            ark_report(f->diag, ARK_M31, id->pos, "%s %" PRId64 " is no node of the file", what,
                       id->value);
        } else if (other == node) {
            ark_report(f->diag, ARK_M31, id->pos, "node %" PRId64 " is its own %s", id->value,
                       what);
        } else {
            out->items[out->count++] = producers ? (edge){(uint32_t)other, node, id->pos}
                                                 : (edge){node, (uint32_t)other, id->pos};
        }
    }
}

// Counts first: each list is allocated once.
static hoist_status read_lists(finder *f, hoist_arena *arena)
{
    size_t producers = 0;
    size_t consumers = 0;
    for (size_t i = 0; i < f->module->nodes.count; i++) {
        producers += f->module->nodes.items[i].producers.count;
        consumers += f->module->nodes.items[i].consumers.count;
    }
    f->by_producers.items = hoist_arena_array(arena, producers, sizeof(edge));
    f->by_consumers.items = hoist_arena_array(arena, consumers, sizeof(edge));
    HOIST_TRY_MEMORY(f->by_producers.items && f->by_consumers.items);
    for (uint32_t i = 0; i < f->module->nodes.count; i++) {
        const ark_node *const node = &f->module->nodes.items[i];
        HOIST_TRY(hoist_deadline_look(f->module->base.deadline));
        hoist_frame frame;
        hoist_diag_push_item(f->diag, &frame, "nodes", i);
        read_list(f, i, &node->producers, true);
        read_list(f, i, &node->consumers, false);
        hoist_diag_pop(f->diag, &frame);
    }
    return HOIST_OK;
}

// By consumer, then by producer, as the graph has them.
static int compare(const void *a, const void *b)
{
    const edge *const x = a;
    const edge *const y = b;
    const int by_node = hoist_order_u64(x->to, y->to);
    return by_node ? by_node : hoist_order_u64(x->from, y->from);
}

// An edge that a list has twice is one.
static void sort(edge_list *list)
{
    qsort(list->items, list->count, sizeof(*list->items), compare);
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (kept == 0 || compare(&list->items[kept - 1], &list->items[i]) != 0) {
            list->items[kept++] = list->items[i];
        }
    }
    list->count = kept;
}

// An edge that only the list of one of its nodes has. It counts as an edge all the same.
static void report_half(finder *f, const edge *e, bool in_producers)
{
    const uint32_t node = in_producers ? e->to : e->from;
    const uint32_t other = in_producers ? e->from : e->to;
    const ark_node *const lacking = &f->module->nodes.items[other];
    const hoist_rec_ints *const list = in_producers ? &lacking->consumers : &lacking->producers;
    if (!list->pos.line) {
        return; // the reader reported it
    }
    hoist_frame frame;
    hoist_diag_push_item(f->diag, &frame, "nodes", node);
    ark_report(f->diag, ARK_M31, e->pos,
               "node %" PRId64 " has node %" PRId64 " as %s, which does not have it as %s",
               id_of(f, node), id_of(f, other), in_producers ? "producer" : "consumer",
               in_producers ? "consumer" : "producer");
    hoist_diag_pop(f->diag, &frame);
}

// Both lists as one, by consumer and then by producer. As in merge sort: the lesser edge is next,
// and equal ones are one edge.
static hoist_status merge(finder *f, hoist_arena *arena, ark_node_edges *out)
{
    const edge_list *const a = &f->by_producers;
    const edge_list *const b = &f->by_consumers;
    uint32_t *const starts = hoist_arena_array(arena, (size_t)out->count + 1, sizeof(*starts));
    uint32_t *const producers = hoist_arena_array(arena, a->count + b->count, sizeof(*producers));
    HOIST_TRY_MEMORY(starts && producers);
    uint32_t count = 0;
    uint32_t node = 0;
    for (size_t i = 0, k = 0; i < a->count || k < b->count;) {
        const int order = i == a->count   ? 1
                          : k == b->count ? -1
                                          : compare(&a->items[i], &b->items[k]);
        const edge *const e = order <= 0 ? &a->items[i] : &b->items[k];
        if (order != 0) {
            report_half(f, e, order < 0);
        }
        while (node <= e->to) {
            starts[node++] = count;
        }
        producers[count++] = e->from;
        i += order <= 0;
        k += order >= 0;
    }
    while (node <= out->count) {
        starts[node++] = count;
    }
    out->starts = starts;
    out->producers = producers;
    return HOIST_OK;
}

// Cycles are found last, since components need all edges.
hoist_status ark_node_edges_find(const ark_module *module, hoist_arena *arena, hoist_diag *diag,
                                 ark_node_edges *out_edges)
{
    finder f = {.module = module, .diag = diag};
    *out_edges = (ark_node_edges){.count = (uint32_t)module->nodes.count};
    hoist_map_init(&f.ids, arena->alloc);
    hoist_status status = index_ids(&f);
    if (status == HOIST_OK) {
        check_positions(&f);
        status = read_lists(&f, arena);
    }
    if (status == HOIST_OK) {
        sort(&f.by_producers);
        sort(&f.by_consumers);
        status = merge(&f, arena, out_edges);
    }
    hoist_map_deinit(&f.ids);
    return status == HOIST_OK ? ark_node_cycles_find(module, arena, diag, out_edges) : status;
}
