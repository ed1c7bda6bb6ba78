// The second stage of a layout (layout.h): the order of vertices in each layer. It begins with that
// of a depth-first search; then sweeps, alternately downwards and upwards, sort each layer by the
// barycentres of the neighbours in the layer before (Sugiyama, Tagawa and Toda, 1981). The order
// with the fewest crossings stays; they are counted with an accumulator tree (Barth, Juenger and
// Mutzel, 2002). How many sweeps there are depends on the size
// alone: the first two find most of what there is to find.
#include <stdlib.h>
#include <string.h>

#include "picture/layout_work.h"

enum { MOST_SWEEPS = 24, LEAST_SWEEPS = 2, PATIENCE = 6, SWEEP_WORK = 2000000 };

// A vertex of the layer that is sorted, and its mean place by its neighbours.
typedef struct rank {
    double key;
    uint32_t place; // before; makes the order total
    uint32_t vertex;
} rank;

typedef struct sweeper {
    layout_work *w;
    rank *ranks;    // of a layer
    uint32_t *tree; // of a layer's places
    uint32_t *best; // order
    uint32_t *cursor;
} sweeper;

// Vertices of a layer, and of the layer that has most.
static uint32_t layer_size(const layout_work *w, uint32_t layer)
{
    return w->layer_first[layer + 1] - w->layer_first[layer];
}

static uint32_t widest(const layout_work *w)
{
    uint32_t width = 0;
    for (uint32_t i = 0; i < w->layer_count; i++) {
        width = layer_size(w, i) > width ? layer_size(w, i) : width;
    }
    return width;
}

// `place` is the inverse of `order` within each layer.
static void set_places(layout_work *w)
{
    for (uint32_t layer = 0; layer < w->layer_count; layer++) {
        for (uint32_t i = w->layer_first[layer]; i < w->layer_first[layer + 1]; i++) {
            w->place[w->order[i]] = i - w->layer_first[layer];
        }
    }
}

// The beginning -----------------------------------------------------------------------------------

// Where each layer begins in `order`, by counting its vertices.
static hoist_status make_layers(layout_work *w)
{
    w->layer_first = hoist_arena_array(w->arena, (size_t)w->layer_count + 1, sizeof(uint32_t));
    w->order = hoist_arena_array(w->arena, w->vertex_count, sizeof(*w->order));
    w->place = hoist_arena_array(w->arena, w->vertex_count, sizeof(*w->place));
    if (!w->layer_first || !w->order || !w->place) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < w->vertex_count; i++) {
        w->layer_first[w->vertex_layer[i] + 1]++;
    }
    for (uint32_t i = 0; i < w->layer_count; i++) {
        w->layer_first[i + 1] += w->layer_first[i];
    }
    return HOIST_OK;
}

// Vertices in the order in which a search along the edges comes to them, both ways, so that what
// belongs together is together.
static hoist_status begin(layout_work *w)
{
    uint32_t *const stack = hoist_arena_array(w->arena, w->vertex_count, sizeof(*stack));
    uint32_t *const filled = hoist_arena_array(w->arena, w->layer_count, sizeof(*filled));
    bool *const seen = hoist_arena_array(w->arena, w->vertex_count, sizeof(*seen));
    if (!stack || !filled || !seen) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t root = 0; root < w->vertex_count; root++) {
        uint32_t depth = 0;
        if (!seen[root]) {
            seen[root] = true;
            stack[depth++] = root;
        }
        while (depth > 0) {
            const uint32_t v = stack[--depth];
            const uint32_t layer = w->vertex_layer[v];
            w->order[w->layer_first[layer] + filled[layer]++] = v;
            // Pushed backwards, so that the first neighbour is on top, and those below come before
            // those above.
            for (uint32_t k = w->up.first[v + 1]; k-- > w->up.first[v];) {
                const uint32_t u = w->edge_upper[w->up.edges[k]];
                if (!seen[u]) {
                    seen[u] = true;
                    stack[depth++] = u;
                }
            }
            for (uint32_t k = w->down.first[v + 1]; k-- > w->down.first[v];) {
                const uint32_t u = w->edge_lower[w->down.edges[k]];
                if (!seen[u]) {
                    seen[u] = true;
                    stack[depth++] = u;
                }
            }
        }
    }
    return HOIST_OK;
}

// Numbers ----------------------------------------------------------------------------------------

typedef struct numbers {
    uint32_t *vertex; // of each by its number before
    uint32_t *edge;
} numbers;

// Says the new number of each vertex, and finds for nodes their vertices and half widths.
static hoist_status renumber_vertices(layout_work *w, const numbers *new_of)
{
    w->vertex = hoist_arena_array(w->arena, w->node_count, sizeof(*w->vertex));
    w->half = hoist_arena_array(w->arena, w->vertex_count, sizeof(*w->half));
    if (!w->vertex || !w->half) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t layer = 0; layer < w->layer_count; layer++) {
        for (uint32_t i = w->layer_first[layer]; i < w->layer_first[layer + 1]; i++) {
            // Layers follow each other in the new numbers.
            new_of->vertex[w->order[i]] = i;
            w->vertex_layer[i] = layer;
        }
    }
    for (uint32_t i = 0; i < w->node_count; i++) {
        w->vertex[i] = new_of->vertex[i];
        // Only nodes get a width: dummies keep 0, by which they are known.
        w->half[w->vertex[i]] = (w->sizes[i].width + 1) / 2;
    }
    return HOIST_OK;
}

// `first` of the vertices in their new order.
static void sum_degrees(const layout_work *w, const layout_index *old, uint32_t *first)
{
    for (uint32_t i = 0; i < w->vertex_count; i++) {
        first[i + 1] = first[i] + layout_degree(old, w->order[i]);
    }
}

// Numbers edges by their upper vertices, and makes both indices anew.
static hoist_status renumber_edges(layout_work *w, const numbers *new_of)
{
    const layout_index up = w->up;
    const layout_index down = w->down;
    // Upper ends can be overwritten in place, as nothing reads the old ones; lower ends cannot.
    uint32_t *const lower = hoist_arena_array(w->arena, w->edge_count, sizeof(*lower));
    w->up.first = hoist_arena_array(w->arena, (size_t)w->vertex_count + 1, sizeof(uint32_t));
    w->down.first = hoist_arena_array(w->arena, (size_t)w->vertex_count + 1, sizeof(uint32_t));
    w->up.edges = hoist_arena_array(w->arena, w->edge_count, sizeof(uint32_t));
    if (!lower || !w->up.first || !w->down.first || !w->up.edges) {
        return HOIST_NO_MEMORY;
    }
    sum_degrees(w, &up, w->up.first);
    sum_degrees(w, &down, w->down.first);
    uint32_t edge = 0;
    for (uint32_t i = 0; i < w->vertex_count; i++) {
        const uint32_t v = w->order[i];
        for (uint32_t k = down.first[v]; k < down.first[v + 1]; k++, edge++) {
            new_of->edge[down.edges[k]] = edge;
            w->edge_upper[edge] = i;
            lower[edge] = new_of->vertex[w->edge_lower[down.edges[k]]];
        }
    }
    w->edge_lower = lower;
    edge = 0;
    for (uint32_t i = 0; i < w->vertex_count; i++) {
        const uint32_t v = w->order[i];
        for (uint32_t k = up.first[v]; k < up.first[v + 1]; k++) {
            w->up.edges[edge++] = new_of->edge[up.edges[k]];
        }
    }
    for (uint32_t i = 0; i < w->edge_count; i++) {
        // Edges are numbered in exactly this order.
        w->down.edges[i] = i;
    }
    for (uint32_t i = 0; i < w->link_count; i++) {
        // The first edge of each link's chain has a new number.
        if (w->link_edge[i] != LAYOUT_NONE) {
            w->link_edge[i] = new_of->edge[w->link_edge[i]];
        }
    }
    return HOIST_OK;
}

// Vertices get the numbers of their places in `order`, edges those of their upper ends.
static hoist_status renumber(layout_work *w)
{
    const numbers new_of = {
        .vertex = hoist_arena_array(w->arena, w->vertex_count, sizeof(*new_of.vertex)),
        .edge = hoist_arena_array(w->arena, w->edge_count, sizeof(*new_of.edge)),
    };
    if (!new_of.vertex || !new_of.edge) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(renumber_vertices(w, &new_of));
    HOIST_TRY(renumber_edges(w, &new_of));
    for (uint32_t i = 0; i < w->vertex_count; i++) {
        w->order[i] = i;
    }
    set_places(w);
    return hoist_deadline_look(w->deadline);
}

// Sorted edges ------------------------------------------------------------------------------------

// Sorts the edges of each vertex by the place of their other end: those are visited in order.
static void sort_index(sweeper *s, layout_index *index, const uint32_t *own,
                       const layout_index *other)
{
    layout_work *const w = s->w;
    // Where the next edge of each vertex goes.
    memcpy(s->cursor, index->first, w->vertex_count * sizeof(*s->cursor));
    for (uint32_t i = 0; i < w->vertex_count; i++) {
        const uint32_t v = w->order[i];
        for (uint32_t k = other->first[v]; k < other->first[v + 1]; k++) {
            const uint32_t edge = other->edges[k];
            index->edges[s->cursor[own[edge]]++] = edge;
        }
    }
}

// Each index from the other: first the upper ends by place, then the lower ones.
static void sort_edges(sweeper *s)
{
    sort_index(s, &s->w->up, s->w->edge_lower, &s->w->down);
    sort_index(s, &s->w->down, s->w->edge_upper, &s->w->up);
}

// Crossings ---------------------------------------------------------------------------------------

// Pairs of edges between `layer` and the next one that cross.
static uint64_t count_layer(const sweeper *s, uint32_t layer)
{
    const layout_work *const w = s->w;
    const uint32_t size = layer_size(w, layer + 1);
    uint64_t crossings = 0;
    uint64_t added = 0;
    // An empty binary indexed tree over the places of the lower layer.
    memset(s->tree, 0, ((size_t)size + 1) * sizeof(*s->tree));
    for (uint32_t i = w->layer_first[layer]; i < w->layer_first[layer + 1]; i++) {
        const uint32_t v = w->order[i];
        for (uint32_t k = w->down.first[v]; k < w->down.first[v + 1]; k++, added++) {
            const uint32_t place = w->place[w->edge_lower[w->down.edges[k]]] + 1;
            uint64_t before = 0;
            // How many edges before this one end at its place or further left: these do not cross
            // it.
            for (uint32_t t = place; t > 0; t &= t - 1) {
                before += s->tree[t];
            }
            crossings += added - before;
            // The lowest bit that is set leads to the next sum that has this place.
            for (uint32_t t = place; t <= size; t += t & (~t + 1)) {
                s->tree[t]++;
            }
        }
    }
    return crossings;
}

// Of all pairs of layers; edges must be in order for it.
static uint64_t count_crossings(sweeper *s)
{
    uint64_t crossings = 0;
    sort_edges(s);
    for (uint32_t layer = 0; layer + 1 < s->w->layer_count; layer++) {
        crossings += count_layer(s, layer);
    }
    return crossings;
}

// Sweeps ------------------------------------------------------------------------------------------

// By the barycentre; equal ones keep their places, so that qsort() has nothing to choose.
static int by_key(const void *a, const void *b)
{
    const rank *const one = a;
    const rank *const other = b;
    if (one->key != other->key) {
        return one->key < other->key ? -1 : 1;
    }
    return one->place < other->place ? -1 : one->place > other->place;
}

// Sorts a layer; vertices without a neighbour in `ends`, those of `index`, stay in their place.
static void sort_layer(sweeper *s, uint32_t layer, const layout_index *index, const uint32_t *ends)
{
    layout_work *const w = s->w;
    uint32_t *const order = &w->order[w->layer_first[layer]];
    const uint32_t size = layer_size(w, layer);
    uint32_t count = 0;
    for (uint32_t i = 0; i < size; i++) {
        const uint32_t v = order[i];
        const uint32_t degree = layout_degree(index, v);
        double sum = 0;
        for (uint32_t k = index->first[v]; k < index->first[v + 1]; k++) {
            sum += (double)w->place[ends[index->edges[k]]];
        }
        // Without neighbours there is no mean.
        if (degree > 0) {
            s->ranks[count++] = (rank){sum / (double)degree, i, v};
        }
    }
    qsort(s->ranks, count, sizeof(*s->ranks), by_key);
    // Places of the sorted ones are filled from the left.
    for (uint32_t i = 0, next = 0; i < size; i++) {
        if (layout_degree(index, order[i]) > 0) {
            order[i] = s->ranks[next++].vertex;
        }
        w->place[order[i]] = i;
    }
}

// Sorts all layers but one, each by the layer before it in the direction of the sweep.
static hoist_status sweep(sweeper *s, bool is_up)
{
    layout_work *const w = s->w;
    for (uint32_t i = 1; i < w->layer_count; i++) {
        HOIST_TRY(hoist_deadline_look(w->deadline));
        if (is_up) {
            sort_layer(s, w->layer_count - 1 - i, &w->down, w->edge_lower);
        } else {
            sort_layer(s, i, &w->up, w->edge_upper);
        }
    }
    return HOIST_OK;
}

// Sweeps by the work that one is; the deadline does not count, as results must not depend on time.
static int sweeps_for(const layout_work *w)
{
    const uint64_t allowed = SWEEP_WORK / ((uint64_t)w->vertex_count + w->edge_count + 1);
    return allowed > MOST_SWEEPS    ? MOST_SWEEPS
           : allowed < LEAST_SWEEPS ? LEAST_SWEEPS
                                    : (int)allowed;
}

// Sweeps until nothing crosses, until there is no progress for some time, or all are done.
static hoist_status improve(sweeper *s)
{
    layout_work *const w = s->w;
    const size_t size = w->vertex_count * sizeof(*w->order);
    uint64_t fewest = count_crossings(s);
    int unchanged = 0;
    memcpy(s->best, w->order, size);
    for (int i = 0; i < sweeps_for(w) && fewest > 0 && unchanged < PATIENCE; i++) {
        HOIST_TRY(sweep(s, i % 2 == 1));
        HOIST_TRY(hoist_deadline_look(w->deadline));
        const uint64_t crossings = count_crossings(s);
        unchanged++;
        if (crossings < fewest) {
            fewest = crossings;
            unchanged = 0;
            memcpy(s->best, w->order, size);
        }
    }
    // The last order need not be the best one.
    memcpy(w->order, s->best, size);
    set_places(w);
    sort_edges(s);
    return HOIST_OK;
}

hoist_status layout_order(layout_work *w)
{
    sweeper s = {.w = w};
    HOIST_TRY(make_layers(w));
    HOIST_TRY(begin(w));
    HOIST_TRY(renumber(w));
    const size_t width = widest(w);
    s.ranks = hoist_arena_array(w->arena, width, sizeof(*s.ranks));
    s.tree = hoist_arena_array(w->arena, width + 1, sizeof(*s.tree));
    s.best = hoist_arena_array(w->arena, w->vertex_count, sizeof(*s.best));
    s.cursor = hoist_arena_array(w->arena, w->vertex_count, sizeof(*s.cursor));
    if (!s.ranks || !s.tree || !s.best || !s.cursor) {
        return HOIST_NO_MEMORY;
    }
    return improve(&s);
}
