// Lays out graphs of three kinds (picture/layout.h): like neural networks, with a branch and
// parameters at every step, random ones, and a chain with edges from each half to the other. An
// argument gives another number of nodes.
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "bench/bench.h"
#include "picture/layout.h"

enum { DEFAULT_NODES = 10000, MOST_LINKS = 2, ROUNDS = 5 };

typedef struct bench_graph {
    hoist_layout_input in;
    hoist_layout_size *sizes;
    hoist_layout_link *links;
    size_t points; // of the last layout
    size_t bytes;
} bench_graph;

static void add(bench_graph *g, size_t from, size_t to)
{
    g->links[g->in.link_count++] = (hoist_layout_link){from, to};
}

// Half of the nodes are steps, each of which reads the one before and a node of its own.
static void make_network(bench_graph *g)
{
    const size_t steps = g->in.node_count / 2;
    for (size_t i = 0; i < steps; i++) {
        add(g, steps + i, i);
        if (i + 1 < steps) {
            add(g, i, i + 1);
        }
        if (i % 8 == 0 && i + 5 < steps) {
            add(g, i, i + 5);
        }
    }
}

// Each node reads up to two of the hundred before it.
static void make_random(bench_graph *g)
{
    uint64_t state = 1;
    for (size_t i = 1; i < g->in.node_count; i++) {
        for (size_t k = 0; k < 2; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            const size_t back = 1 + (size_t)(state >> 33) % 100;
            if (back <= i) {
                add(g, i - back, i);
            }
        }
    }
}

static void make_nested(bench_graph *g)
{
    const size_t count = g->in.node_count;
    for (size_t i = 0; i + 1 < count; i++) {
        add(g, i, i + 1);
    }
    for (size_t i = 0; i < count / 2; i++) {
        add(g, i, count - 1 - i);
    }
}

static void lay_out(void *self)
{
    bench_graph *const g = self;
    hoist_arena arena;
    hoist_layout out;
    hoist_arena_init(&arena, hoist_allocator_system());
    if (hoist_layout_find(&g->in, &arena, &out) != HOIST_OK) {
        abort();
    }
    g->points = out.point_count;
    hoist_bench_use(out.nodes);
    hoist_arena_deinit(&arena);
}

static bool measure(const char *name, void (*make)(bench_graph *g), size_t nodes)
{
    bench_graph g = {.in = {.node_count = nodes, .gap_x = 24, .gap_y = 40}};
    const hoist_allocator alloc = hoist_allocator_system();
    g.sizes = hoist_alloc_zero(alloc, nodes, sizeof(*g.sizes));
    g.links = hoist_alloc_zero(alloc, nodes * MOST_LINKS, sizeof(*g.links));
    if (!g.sizes || !g.links) {
        abort();
    }
    for (size_t i = 0; i < nodes; i++) {
        g.sizes[i] = (hoist_layout_size){(int32_t)(60 + i % 90), 40};
    }
    g.in.sizes = g.sizes;
    g.in.links = g.links;
    make(&g);
    char what[96];
    (void)hoist_bench_reset_peak();
    const size_t before = hoist_bench_resident();
    lay_out(&g);
    const double bytes = (double)(hoist_bench_peak() - before);
    (void)snprintf(what, sizeof(what), "layout of a %s, %zu nodes, %zu edges", name, nodes,
                   g.in.link_count);
    const double most = nodes <= DEFAULT_NODES ? 1 : (double)nodes / DEFAULT_NODES;
    const bool in_time =
        hoist_bench_at_most(what, hoist_bench_seconds(lay_out, &g, ROUNDS), "s", most);
    hoist_bench_figure("  memory", bytes / (double)(nodes + g.in.link_count),
                       "bytes for each node and edge");
    hoist_free(alloc, g.sizes, nodes * sizeof(*g.sizes));
    hoist_free(alloc, g.links, nodes * MOST_LINKS * sizeof(*g.links));
    return in_time;
}

int main(int argc, char **argv)
{
    const size_t nodes = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : DEFAULT_NODES;
    if (nodes < 2) {
        return 2;
    }
    bool good = measure("network", make_network, nodes);
    good = measure("random graph", make_random, nodes) && good;
    good = measure("chain with nested edges", make_nested, nodes) && good;
    return good ? 0 : 1;
}
