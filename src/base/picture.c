// Rows of the pictures that hoist graph draws: graphs, nodes, edges, a grid, memory; and the layer
// of each node. Formats add them, src/picture draws them.
#include "base/picture.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "base/checked.h"

const hoist_picture_node_row hoist_picture_node_rows[] = {
    [HOIST_PICTURE_OP] = {"op", "ops", HOIST_PICTURE_STEP},
    [HOIST_PICTURE_OPERATOR] = {"operator", "operators", HOIST_PICTURE_STEP},
    [HOIST_PICTURE_LAYER] = {"layer", "layers", HOIST_PICTURE_STEP},
    [HOIST_PICTURE_QUEUE] = {"queue", "queues", HOIST_PICTURE_PLACE},
    [HOIST_PICTURE_VARIABLE] = {"variable", "variables", HOIST_PICTURE_PLACE},
    [HOIST_PICTURE_TENSOR] = {"tensor", "tensors", HOIST_PICTURE_PLACE},
    [HOIST_PICTURE_UNKNOWN] = {"unknown", "unknown", HOIST_PICTURE_LOST},
    [HOIST_PICTURE_ENGINE] = {"engine", "engines", HOIST_PICTURE_LANE},
    [HOIST_PICTURE_QUEUE_SET] = {"queue_set", "queue sets", HOIST_PICTURE_ITEM},
    [HOIST_PICTURE_SEMAPHORE] = {"semaphore", "semaphores", HOIST_PICTURE_SIGNAL},
    [HOIST_PICTURE_GROUP] = {"group", "groups", HOIST_PICTURE_STEP},
    [HOIST_PICTURE_GROUP_OF_PLACES] = {"group", "groups", HOIST_PICTURE_PLACE},
};

const hoist_picture_edge_row hoist_picture_edge_rows[] = {
    [HOIST_PICTURE_READS] = {.name = "reads", .number = "input"},
    [HOIST_PICTURE_WRITES] = {.name = "writes"},
    [HOIST_PICTURE_OWNS] = {.name = "owns"},
    [HOIST_PICTURE_MOVES] = {"moves", "descriptors", "queue_set", "bytes"},
    [HOIST_PICTURE_RAISES] = {.name = "raises"},
    [HOIST_PICTURE_AWAITED] = {.name = "awaited"},
};

void hoist_picture_init(hoist_picture *p, hoist_allocator alloc)
{
    *p = (hoist_picture){.failed = false};
    hoist_arena_init(&p->arena, alloc);
}

void hoist_picture_deinit(hoist_picture *p)
{
    const hoist_allocator alloc = p->arena.alloc;
    for (size_t i = 0; i < p->graph_count; i++) {
        const hoist_picture_graph *const g = &p->graphs[i];
        hoist_free(alloc, g->nodes, g->node_capacity * sizeof(*g->nodes));
        hoist_free(alloc, g->edges, g->edge_capacity * sizeof(*g->edges));
        hoist_free(alloc, g->attrs, g->attr_capacity * sizeof(*g->attrs));
    }
    hoist_free(alloc, p->graphs, p->graph_capacity * sizeof(*p->graphs));
    hoist_free(alloc, p->memories, p->memory_capacity * sizeof(*p->memories));
    hoist_free(alloc, p->sharings, p->sharing_capacity * sizeof(*p->sharings));
    hoist_arena_deinit(&p->arena);
}

hoist_status hoist_picture_status(const hoist_picture *p)
{
    return p->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// Makes place for one more item; false when memory ran out, now or before.
static bool grow(hoist_picture *p, void **items, size_t *capacity, size_t count, size_t size)
{
    p->failed = p->failed || !hoist_grow(p->arena.alloc, items, capacity, count + 1, size);
    return !p->failed;
}

// The graph that was begun last, of a picture that has not failed.
static hoist_picture_graph *open_graph(hoist_picture *p)
{
    HOIST_ASSERT(p->graph_count > 0);
    return &p->graphs[p->graph_count - 1];
}

void hoist_picture_begin_graph(hoist_picture *p, const hoist_picture_graph *graph)
{
    void *graphs = p->graphs;
    if (grow(p, &graphs, &p->graph_capacity, p->graph_count, sizeof(*p->graphs))) {
        p->graphs = graphs;
        p->graphs[p->graph_count++] = *graph;
    }
}

size_t hoist_picture_add_node(hoist_picture *p, const hoist_picture_node *node)
{
    if (p->failed) {
        return 0;
    }
    hoist_picture_graph *const g = open_graph(p);
    void *nodes = g->nodes;
    if (!grow(p, &nodes, &g->node_capacity, g->node_count, sizeof(*g->nodes))) {
        return 0;
    }
    g->nodes = nodes;
    g->nodes[g->node_count] = *node;
    g->nodes[g->node_count].first_attr = g->all_attr_count;
    return g->node_count++;
}

void hoist_picture_add_edge(hoist_picture *p, const hoist_picture_edge *edge)
{
    if (p->failed) {
        return;
    }
    hoist_picture_graph *const g = open_graph(p);
    void *edges = g->edges;
    if (grow(p, &edges, &g->edge_capacity, g->edge_count, sizeof(*g->edges))) {
        g->edges = edges;
        g->edges[g->edge_count++] = *edge;
    }
}

void hoist_picture_connect(hoist_picture *p, hoist_picture_edge_kind kind, size_t from, size_t to)
{
    const hoist_picture_edge edge = {.kind = kind, .from = from, .to = to};
    hoist_picture_add_edge(p, &edge);
}

void hoist_picture_add_memory(hoist_picture *p, const hoist_picture_memory *memory)
{
    void *memories = p->memories;
    if (grow(p, &memories, &p->memory_capacity, p->memory_count, sizeof(*p->memories))) {
        p->memories = memories;
        p->memories[p->memory_count++] = *memory;
    }
}

void hoist_picture_add_sharing(hoist_picture *p, const hoist_picture_sharing *sharing)
{
    void *sharings = p->sharings;
    if (grow(p, &sharings, &p->sharing_capacity, p->sharing_count, sizeof(*p->sharings))) {
        p->sharings = sharings;
        p->sharings[p->sharing_count++] = *sharing;
    }
}

// Attributes --------------------------------------------------------------------------------------

static bool keep_attr(hoist_picture *p, hoist_picture_graph *g, hoist_picture_attr attr)
{
    void *attrs = g->attrs;
    if (!grow(p, &attrs, &g->attr_capacity, g->all_attr_count, sizeof(*g->attrs))) {
        return false;
    }
    g->attrs = attrs;
    g->attrs[g->all_attr_count++] = attr;
    return true;
}

// Those of the node move to the end, where there is space.
void hoist_picture_append_attr(hoist_picture *p, size_t graph, size_t node,
                               const hoist_picture_attr *attr)
{
    hoist_picture_graph *const g = &p->graphs[graph];
    hoist_picture_node *const n = &g->nodes[node];
    const size_t first = g->all_attr_count;
    for (size_t i = 0; i < n->attr_count && !p->failed; i++) {
        (void)keep_attr(p, g, g->attrs[n->first_attr + i]);
    }
    if (!p->failed && keep_attr(p, g, *attr)) {
        n->first_attr = first;
        n->attr_count++;
    }
}

void hoist_picture_add_attr(hoist_picture *p, const hoist_picture_attr *attr)
{
    if (p->failed) {
        return;
    }
    hoist_picture_graph *const g = open_graph(p);
    if (!keep_attr(p, g, *attr)) {
        return;
    }
    *(g->node_count ? &g->nodes[g->node_count - 1].attr_count : &g->attr_count) += 1;
}

void hoist_picture_str(hoist_picture *p, const char *key, hoist_str value, hoist_picture_show show)
{
    const hoist_picture_attr attr = {.key = key,
                                     .kind = value.data ? HOIST_TREE_STR : HOIST_TREE_NULL,
                                     .show = show,
                                     .value.str = value};
    hoist_picture_add_attr(p, &attr);
}

void hoist_picture_uint(hoist_picture *p, const char *key, uint64_t value, hoist_picture_show show)
{
    const hoist_picture_attr attr = {
        .key = key, .kind = HOIST_TREE_UINT, .show = show, .value.uinteger = value};
    hoist_picture_add_attr(p, &attr);
}

void hoist_picture_bytes(hoist_picture *p, const char *key, uint64_t value, hoist_picture_show show)
{
    const hoist_picture_attr attr = {.key = key,
                                     .kind = HOIST_TREE_UINT,
                                     .unit = HOIST_UNIT_BYTES,
                                     .show = show,
                                     .value.uinteger = value};
    hoist_picture_add_attr(p, &attr);
}

void hoist_picture_null(hoist_picture *p, const char *key, hoist_picture_show show)
{
    const hoist_picture_attr attr = {.key = key, .kind = HOIST_TREE_NULL, .show = show};
    hoist_picture_add_attr(p, &attr);
}

void hoist_picture_list(hoist_picture *p, const char *key, const int64_t *items, size_t count,
                        hoist_picture_show show)
{
    const hoist_picture_attr attr = {.key = key,
                                     .kind = items ? HOIST_TREE_LIST : HOIST_TREE_NULL,
                                     .show = show,
                                     .value.list = {items, count}};
    hoist_picture_add_attr(p, &attr);
}

// Indices -----------------------------------------------------------------------------------------

hoist_status hoist_picture_index_edges(const hoist_picture_graph *graph,
                                       size_t (*node_of)(const hoist_picture_edge *edge),
                                       hoist_arena *arena, hoist_picture_index *out_index)
{
    size_t *const first = hoist_arena_array(arena, graph->node_count + 2, sizeof(*first));
    size_t *const edges = hoist_arena_array(arena, graph->edge_count, sizeof(*edges));
    *out_index = (hoist_picture_index){first, edges};
    if (!first || !edges) {
        return HOIST_NO_MEMORY;
    }
    // Counted two places on, so that filling moves each beginning to where it belongs.
    for (size_t i = 0; i < graph->edge_count; i++) {
        const size_t node = node_of(&graph->edges[i]);
        if (node != HOIST_PICTURE_NONE) {
            first[node + 2]++;
        }
    }
    for (size_t i = 2; i < graph->node_count + 2; i++) {
        first[i] += first[i - 1];
    }
    for (size_t i = 0; i < graph->edge_count; i++) {
        const size_t node = node_of(&graph->edges[i]);
        if (node != HOIST_PICTURE_NONE) {
            edges[first[node + 1]++] = i;
        }
    }
    return HOIST_OK;
}

size_t hoist_picture_reader(const hoist_picture_edge *edge)
{
    return edge->kind == HOIST_PICTURE_READS ? edge->to : HOIST_PICTURE_NONE;
}

size_t hoist_picture_read_node(const hoist_picture_edge *edge)
{
    return edge->kind == HOIST_PICTURE_READS ? edge->from : HOIST_PICTURE_NONE;
}

uint64_t hoist_picture_total(const hoist_picture_memory *memory)
{
    uint64_t total = 0;
    for (size_t i = 0; i < memory->use_count; i++) {
        if (hoist_ckd_add(&total, total, memory->uses[i].bytes)) {
            return UINT64_MAX;
        }
    }
    return total;
}

// Layers ------------------------------------------------------------------------------------------

static size_t count_steps(const hoist_picture_graph *g)
{
    size_t count = 0;
    while (count < g->node_count && !g->nodes[count].is_foreign &&
           hoist_picture_node_rows[g->nodes[count].kind].role == HOIST_PICTURE_STEP) {
        count++;
    }
    return count;
}

// Lists the steps by waves: those whose inputs are all listed. What remains is a cycle, and goes
// last with layer 0.
static hoist_status find_layers(hoist_picture_graph *g, hoist_arena *arena)
{
    hoist_picture_index readers;
    size_t listed = 0;
    g->step_count = count_steps(g);
    g->order = hoist_arena_array(arena, g->step_count, sizeof(*g->order));
    size_t *const missing = hoist_arena_array(arena, g->node_count, sizeof(*missing));
    if (!missing || !g->order) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(hoist_picture_index_edges(g, hoist_picture_read_node, arena, &readers));
    for (size_t i = 0; i < g->edge_count; i++) {
        const hoist_picture_edge *const edge = &g->edges[i];
        missing[edge->to] += edge->kind == HOIST_PICTURE_READS && edge->from < g->step_count;
    }
    for (size_t i = 0; i < g->step_count; i++) {
        if (missing[i] == 0) {
            g->nodes[i].layer = 1;
            g->order[listed++] = i;
        }
    }
    for (size_t next = 0; next < listed; next++) {
        const size_t step = g->order[next];
        for (size_t k = readers.first[step]; k < readers.first[step + 1]; k++) {
            const size_t reader = g->edges[readers.edges[k]].to;
            if (reader < g->step_count && --missing[reader] == 0) {
                g->nodes[reader].layer = g->nodes[step].layer + 1;
                g->order[listed++] = reader;
            }
        }
    }
    for (size_t i = 0; i < g->step_count; i++) {
        if (g->nodes[i].layer == 0) {
            g->order[listed++] = i;
        }
    }
    return HOIST_OK;
}

void hoist_picture_end_graph(hoist_picture *p)
{
    p->failed = p->failed || find_layers(open_graph(p), &p->arena) != HOIST_OK;
}
