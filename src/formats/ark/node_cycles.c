// Nodes that depend on themselves (ARK-M32): the strongly connected components of the edges, by
// Tarjan's algorithm, with a stack of its own because a chain may be as long as the file. The
// stack is `path`, and `next` is where a visit goes on.
#include <inttypes.h>
#include <stdio.h>

#include "base/diag.h"
#include "formats/ark/node_edges.h"
#include "formats/ark/rules.h"

// Per node. Numbers begin with 1; 0: not visited.
typedef struct visit {
    uint32_t number; // in the order of visits
    uint32_t low;    // least number that is reached
    uint32_t next;   // edge to follow
    bool open;       // its component is not complete
} visit;

typedef struct search {
    const ark_node_edges *edges;
    visit *visits;
    uint32_t *path, path_count; // from the root to the node at hand
    uint32_t *open, open_count; // nodes whose component is not complete
    uint32_t *components;
    uint32_t numbers;
} search;

// A node is its own least number until an edge leads to an earlier one.
static void enter(search *s, uint32_t node)
{
    const uint32_t number = ++s->numbers;
    s->visits[node] = (visit){number, number, s->edges->starts[node], true};
    s->path[s->path_count++] = node;
    s->open[s->open_count++] = node;
}

static void lower(uint32_t *low, uint32_t to)
{
    *low = to < *low ? to : *low;
}

// A node that reaches no earlier one is the first of its component, whose other members are above
// it on the stack of open nodes.
static void leave(search *s)
{
    const uint32_t node = s->path[--s->path_count];
    if (s->path_count > 0) {
        lower(&s->visits[s->path[s->path_count - 1]].low, s->visits[node].low);
    }
    if (s->visits[node].low < s->visits[node].number) {
        return;
    }
    uint32_t member = 0;
    do {
        member = s->open[--s->open_count];
        s->visits[member].open = false;
        s->components[member] = node;
    } while (member != node);
}

// Each node is entered once and each edge is followed once.
static void visit_from(search *s, uint32_t root)
{
    enter(s, root);
    while (s->path_count > 0) {
        const uint32_t node = s->path[s->path_count - 1];
        visit *const v = &s->visits[node];
        if (v->next == s->edges->starts[node + 1]) {
            leave(s);
            continue;
        }
        const uint32_t producer = s->edges->producers[v->next++];
        if (s->visits[producer].number == 0) {
            enter(s, producer);
        } else if (s->visits[producer].open) {
            lower(&v->low, s->visits[producer].number);
        }
    }
}

// A producer of the same component: each of its nodes has one.
static uint32_t back(const ark_node_edges *edges, uint32_t node)
{
    uint32_t at = edges->starts[node];
    while (edges->components[edges->producers[at]] != edges->components[node]) {
        at++;
    }
    return edges->producers[at];
}

// Walks back from `node` until a node comes again; that is where the cycle begins. `steps` are
// zeroed for the nodes of the component.
static uint32_t find_cycle(const ark_node_edges *edges, uint32_t node, uint32_t *steps)
{
    while (steps[node] == 0) {
        steps[node] = 1;
        node = back(edges, node);
    }
    return node;
}

// "1 needs 2 needs 1", of a long cycle the begin. Edges are followed from a node to its producer.
static void report(const ark_module *module, const ark_node_edges *edges, uint32_t first,
                   hoist_diag *diag)
{
    enum { SHOWN_MOST = 8, ID_SIZE = 28 };
    const ark_node *const nodes = module->nodes.items;
    char text[SHOWN_MOST * ID_SIZE];
    size_t size = 0;
    uint32_t node = first;
    for (int i = 0; i < SHOWN_MOST && (i == 0 || node != first); i++) {
        size += (size_t)snprintf(text + size, sizeof(text) - size, "%" PRId64 " needs ",
                                 nodes[node].id.value);
        node = back(edges, node);
    }
    hoist_frame frame;
    hoist_diag_push_item(diag, &frame, "nodes", first);
    ark_report(diag, ARK_M32, nodes[first].pos, "nodes depend on each other: %s%" PRId64 "%s", text,
               nodes[node].id.value, node == first ? "" : " ...");
    hoist_diag_pop(diag, &frame);
}

// One for each component that has more than one node. The sizes of components are by their number,
// which is one of the nodes.
static hoist_status report_cycles(const ark_module *module, const ark_node_edges *edges,
                                  hoist_arena *arena, hoist_diag *diag)
{
    uint32_t *const sizes = hoist_arena_array(arena, edges->count, sizeof(*sizes));
    uint32_t *const steps = hoist_arena_array(arena, edges->count, sizeof(*steps));
    HOIST_TRY_MEMORY(sizes && steps);
    for (uint32_t i = 0; i < edges->count; i++) {
        sizes[edges->components[i]]++;
    }
    for (uint32_t i = 0; i < edges->count; i++) {
        uint32_t *const size = &sizes[edges->components[i]];
        if (*size > 1) {
            *size = 0; // the others of it are reported with this one
            report(module, edges, find_cycle(edges, i, steps), diag);
        }
    }
    return HOIST_OK;
}

// Components also serve check_nodes.c, so they are kept.
hoist_status ark_node_cycles_find(const ark_module *module, hoist_arena *arena, hoist_diag *diag,
                                  ark_node_edges *edges)
{
    search s = {.edges = edges,
                .visits = hoist_arena_array(arena, edges->count, sizeof(visit)),
                .path = hoist_arena_array(arena, edges->count, sizeof(uint32_t)),
                .open = hoist_arena_array(arena, edges->count, sizeof(uint32_t)),
                .components = hoist_arena_array(arena, edges->count, sizeof(uint32_t))};
    HOIST_TRY_MEMORY(s.visits && s.path && s.open && s.components);
    for (uint32_t i = 0; i < edges->count; i++) {
        if (s.visits[i].number == 0) {
            visit_from(&s, i);
        }
    }
    edges->components = s.components;
    return report_cycles(module, edges, arena, diag);
}
