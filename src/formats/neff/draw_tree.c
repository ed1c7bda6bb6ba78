// What the drawing of a NEFF shows, as data: per subgraph its engines, queue sets, variables and
// semaphores as nodes, what passes between them as edges, then the memory of each area.
#include <stdio.h>

#include "base/span.h"
#include "base/tree.h"
#include "formats/neff/draw.h"

typedef struct tree_sender {
    neff_drawing d;
    hoist_tree_sink *sink;
    neff_flow_view flows;
    neff_semaphores semaphores;
    size_t node_count; // so far
    size_t queue_node; // of the first queue set; the others follow, as do those of the rest
    size_t var_node;
    size_t unknown_node;                     // an undeclared variable
    size_t semaphore_nodes[NEFF_SEMAPHORES]; // of those that are used
    size_t *remote_nodes;                    // arena; per queue set of the other core
} tree_sender;

// Nodes -------------------------------------------------------------------------------------------

static void begin_node(tree_sender *s, const char *kind)
{
    hoist_tree_map(s->sink, "");
    hoist_tree_uint(s->sink, "id", s->node_count++, HOIST_UNIT_NONE);
    hoist_tree_c(s->sink, "kind", kind);
}

static void send_word(hoist_tree_sink *sink, const char *key, const neff_words *words, int32_t word)
{
    if (word < 0) {
        hoist_tree_null(sink, key);
    } else {
        hoist_tree_c(sink, key, words->names[word]);
    }
}

static void send_engines(tree_sender *s)
{
    for (int e = 0; e < NEFF_ENGINE_COUNT; e++) {
        begin_node(s, "engine");
        hoist_tree_c(s->sink, "name", neff_engines[e].key);
        hoist_tree_uint(s->sink, "instructions",
                        neff_instructions_of(&s->d, &s->d.subgraph->engines[e]), HOIST_UNIT_NONE);
        hoist_tree_end(s->sink);
    }
}

static void send_queue(tree_sender *s, const neff_subgraph *of, uint32_t index)
{
    const neff_queue_set *const queue = &of->queues[index];
    const bool own = of == s->d.subgraph;
    begin_node(s, "queue_set");
    hoist_tree_str(s->sink, "name", queue->name);
    hoist_tree_str(s->sink, "graph", of->name);
    hoist_tree_str(s->sink, "type", queue->type_text);
    hoist_tree_bool(s->sink, "pinned", queue->pinned);
    hoist_tree_uint(s->sink, "rings", neff_size(queue->num_queues), HOIST_UNIT_NONE);
    hoist_tree_uint(s->sink, "instances", queue->instances.count, HOIST_UNIT_NONE);
    if (own) {
        hoist_tree_uint(s->sink, "triggers", s->flows.triggers[index], HOIST_UNIT_NONE);
        hoist_tree_uint(s->sink, "blocks", s->flows.traffic.queues[index].moved.blocks,
                        HOIST_UNIT_NONE);
    }
    hoist_tree_end(s->sink);
}

static void send_var(tree_sender *s, const neff_var *var)
{
    begin_node(s, "variable");
    hoist_tree_str(s->sink, "name", var->name);
    hoist_tree_str(s->sink, "type", var->type_text);
    send_word(s->sink, "area", &neff_fabrics, var->fabric);
    if (neff_has(&neff_var_table, var->present, "size")) {
        hoist_tree_uint(s->sink, "size_bytes", neff_size(var->size), HOIST_UNIT_BYTES);
    } else {
        hoist_tree_null(s->sink, "size_bytes");
    }
    hoist_tree_end(s->sink);
}

static void send_vars(tree_sender *s)
{
    const neff_traffic *const t = &s->flows.traffic;
    bool unknown = false;
    s->var_node = s->node_count;
    for (uint32_t i = 0; i < s->d.subgraph->var_count; i++) {
        send_var(s, &s->d.subgraph->vars[i]);
    }
    for (uint32_t i = 0; i < t->flow_count; i++) {
        unknown = unknown || t->flows[i]->from == NEFF_NONE || t->flows[i]->to == NEFF_NONE;
    }
    if (unknown) {
        s->unknown_node = s->node_count;
        begin_node(s, "unknown");
        hoist_tree_c(s->sink, "name", "?");
        hoist_tree_end(s->sink);
    }
}

static void send_semaphores(tree_sender *s)
{
    for (int i = 0; i < NEFF_SEMAPHORES; i++) {
        if (neff_semaphore_in(&s->semaphores.used, i)) {
            s->semaphore_nodes[i] = s->node_count;
            char name[16];
            (void)snprintf(name, sizeof(name), "$S[%d]", i); // as instructions have it
            begin_node(s, "semaphore");
            hoist_tree_c(s->sink, "name", name);
            hoist_tree_int(s->sink, "number", i);
            hoist_tree_end(s->sink);
        }
    }
}

static bool raises_any(const neff_semaphore_set *set)
{
    for (size_t i = 0; i < sizeof(set->bits); i++) {
        if (set->bits[i]) {
            return true;
        }
    }
    return false;
}

// Queue sets of the other core that raise semaphores of this one.
static hoist_status send_remote(tree_sender *s)
{
    const neff_subgraph *const peer = s->d.peer;
    const uint32_t count = peer ? peer->queue_count : 0;
    s->remote_nodes = hoist_arena_array(s->d.arena, count, sizeof(*s->remote_nodes));
    if (!s->remote_nodes) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (raises_any(&s->semaphores.remote[i])) {
            s->remote_nodes[i] = s->node_count;
            send_queue(s, peer, i);
        }
    }
    return HOIST_OK;
}

static hoist_status send_nodes(tree_sender *s)
{
    s->node_count = 0;
    hoist_tree_list(s->sink, "nodes");
    send_engines(s);
    s->queue_node = s->node_count;
    for (uint32_t i = 0; i < s->d.subgraph->queue_count; i++) {
        send_queue(s, s->d.subgraph, i);
    }
    send_vars(s);
    send_semaphores(s);
    HOIST_TRY(send_remote(s));
    hoist_tree_end(s->sink);
    return s->sink->status;
}

// Edges -------------------------------------------------------------------------------------------

static void begin_edge(tree_sender *s, const char *kind, size_t from, size_t to)
{
    hoist_tree_map(s->sink, "");
    hoist_tree_c(s->sink, "kind", kind);
    hoist_tree_uint(s->sink, "from", from, HOIST_UNIT_NONE);
    hoist_tree_uint(s->sink, "to", to, HOIST_UNIT_NONE);
}

static void send_edge(tree_sender *s, const char *kind, size_t from, size_t to)
{
    begin_edge(s, kind, from, to);
    hoist_tree_end(s->sink);
}

static size_t node_of_var(const tree_sender *s, uint32_t var)
{
    return var == NEFF_NONE ? s->unknown_node : s->var_node + var;
}

static void send_flow(tree_sender *s, const neff_flow *flow)
{
    begin_edge(s, "moves", node_of_var(s, flow->from), node_of_var(s, flow->to));
    if (flow->queue == NEFF_NONE) {
        hoist_tree_null(s->sink, "queue_set");
    } else {
        hoist_tree_uint(s->sink, "queue_set", s->queue_node + flow->queue, HOIST_UNIT_NONE);
    }
    hoist_tree_uint(s->sink, "descriptors", flow->descs, HOIST_UNIT_NONE);
    hoist_tree_uint(s->sink, "bytes", flow->bytes, HOIST_UNIT_BYTES);
    hoist_tree_end(s->sink);
}

static void send_raises(tree_sender *s, const neff_semaphore_set *set, size_t node)
{
    for (int i = 0; i < NEFF_SEMAPHORES; i++) {
        if (neff_semaphore_in(set, i)) {
            send_edge(s, "raises", node, s->semaphore_nodes[i]);
        }
    }
}

static void send_engine_edges(tree_sender *s)
{
    for (int i = 0; i < NEFF_SEMAPHORES; i++) {
        for (size_t e = 0; e < NEFF_ENGINE_COUNT; e++) {
            if (s->semaphores.raised[i] >> e & 1) {
                send_edge(s, "raises", e, s->semaphore_nodes[i]);
            }
            if (s->semaphores.awaited[i] >> e & 1) {
                send_edge(s, "awaited", s->semaphore_nodes[i], e);
            }
        }
    }
}

static void send_edges(tree_sender *s)
{
    const neff_subgraph *const subgraph = s->d.subgraph;
    hoist_tree_list(s->sink, "edges");
    for (uint32_t i = 0; i < subgraph->queue_count; i++) {
        if (subgraph->queues[i].owner >= 0) {
            send_edge(s, "owns", (size_t)subgraph->queues[i].owner, s->queue_node + i);
        }
    }
    for (uint32_t i = 0; i < s->flows.traffic.flow_count; i++) {
        send_flow(s, s->flows.traffic.flows[i]);
    }
    for (uint32_t i = 0; i < subgraph->queue_count; i++) {
        send_raises(s, &s->semaphores.queues[i], s->queue_node + i);
    }
    for (uint32_t i = 0; s->d.peer && i < s->d.peer->queue_count; i++) {
        send_raises(s, &s->semaphores.remote[i], s->remote_nodes[i]);
    }
    send_engine_edges(s);
    hoist_tree_end(s->sink);
}

static hoist_status send_graph(tree_sender *s)
{
    HOIST_TRY(neff_flow_view_read(&s->d, &s->flows));
    HOIST_TRY(neff_semaphores_read(&s->d, &s->semaphores));
    hoist_tree_map(s->sink, "");
    hoist_tree_str(s->sink, "name", s->d.subgraph->name);
    HOIST_TRY(send_nodes(s));
    send_edges(s);
    hoist_tree_end(s->sink);
    return s->sink->status;
}

// Memory ------------------------------------------------------------------------------------------

static void send_scratchpad(const tree_sender *s, const neff_scratchpad *pad)
{
    hoist_tree_map(s->sink, "");
    hoist_tree_str(s->sink, "backing_buf", pad->buffer);
    hoist_tree_uint(s->sink, "extent_bytes", pad->extent, HOIST_UNIT_BYTES);
    hoist_tree_uint(s->sink, "sum_bytes", pad->sum, HOIST_UNIT_BYTES);
    hoist_tree_list(s->sink, "slices");
    for (uint32_t i = 0; i < pad->count; i++) {
        const neff_var *const var = &s->d.subgraph->vars[pad->vars[i]];
        hoist_tree_map(s->sink, "");
        hoist_tree_str(s->sink, "variable", var->name);
        hoist_tree_int(s->sink, "offset", var->backing_variable_off);
        hoist_tree_uint(s->sink, "size_bytes", neff_size(var->size), HOIST_UNIT_BYTES);
        hoist_tree_end(s->sink);
    }
    hoist_tree_end(s->sink);
    hoist_tree_end(s->sink);
}

static void send_area(const tree_sender *s, int fabric, const neff_area *area,
                      const neff_scratchpad *pads, uint32_t pad_count)
{
    static const char *const keys[NEFF_USE_COUNT] = {
        [NEFF_USE_TENSORS] = "tensor_bytes",        [NEFF_USE_CONSTANTS] = "constant_bytes",
        [NEFF_USE_BUFFERS] = "buffer_bytes",        [NEFF_USE_TABLES] = "table_bytes",
        [NEFF_USE_SCRATCHPAD] = "scratchpad_bytes", [NEFF_USE_OTHER] = "other_bytes",
    };
    uint64_t total = 0;
    hoist_tree_map(s->sink, "");
    hoist_tree_str(s->sink, "graph", s->d.subgraph->name);
    hoist_tree_c(s->sink, "area", neff_fabrics.names[fabric]);
    for (int i = NEFF_USE_TENSORS; i < NEFF_USE_COUNT; i++) {
        total = neff_sum(total, area->bytes[i]);
        hoist_tree_uint(s->sink, keys[i], area->bytes[i], HOIST_UNIT_BYTES);
    }
    hoist_tree_uint(s->sink, "total_bytes", total, HOIST_UNIT_BYTES);
    hoist_tree_list(s->sink, "scratchpads");
    for (uint32_t i = 0; i < pad_count; i++) {
        if (pads[i].fabric == fabric) {
            send_scratchpad(s, &pads[i]);
        }
    }
    hoist_tree_end(s->sink);
    hoist_tree_end(s->sink);
}

static hoist_status send_memory(tree_sender *s)
{
    const neff_scratchpad *pads = NULL;
    uint32_t count = 0;
    neff_area areas[NEFF_FABRIC_COUNT];
    HOIST_TRY(neff_scratchpads(s->d.subgraph, s->d.arena, &pads, &count));
    neff_areas(s->d.subgraph, pads, count, areas);
    for (int f = 0; f < NEFF_FABRIC_COUNT; f++) {
        if (areas[f].used) {
            send_area(s, f, &areas[f], pads, count);
        }
    }
    return s->sink->status;
}

// Does `send` with each subgraph.
static hoist_status for_each(tree_sender *s, const char *key, hoist_status (*send)(tree_sender *s))
{
    const neff_module *const module = s->d.module;
    hoist_tree_list(s->sink, key);
    for (uint32_t i = 0; i < module->subgraph_count; i++) {
        s->d.subgraph = &module->subgraphs[i];
        s->d.peer = module->subgraph_count == 2 ? &module->subgraphs[1 - i] : NULL;
        HOIST_TRY(send(s));
    }
    hoist_tree_end(s->sink);
    return s->sink->status;
}

hoist_status neff_draw_tree(const hoist_module *module, const hoist_check_options *options,
                            hoist_diag *diag, hoist_tree_sink *sink)
{
    (void)diag;
    bool given = false;
    hoist_arena arena;
    hoist_arena_init(&arena, module->alloc);
    tree_sender s = {.d = {.module = neff_of(module),
                           .generation = neff_generation_for(neff_of(module), options, &given),
                           .arena = &arena},
                     .sink = sink};
    hoist_status status = for_each(&s, "graphs", send_graph);
    if (status == HOIST_OK) {
        status = for_each(&s, "memory", send_memory);
    }
    hoist_arena_deinit(&arena);
    return status;
}
