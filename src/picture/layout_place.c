// The third stage of a layout (layout.h): horizontal places after Brandes and Koepf, "Fast and
// simple horizontal coordinate assignment" (2002). Vertices are aligned with the median of their
// neighbours in four ways, upwards and downwards, from the left and from the right; each way is
// compacted by longest paths over the graph of its blocks, and a vertex gets the mean of the middle
// two of its four places. Chains of dummies are straight, because edges that cross them are not
// aligned. All numbers are integers.
#include <string.h>

#include "picture/layout_work.h"

typedef struct placer {
    layout_work *w;
    bool *is_crossed; // of each edge: it crosses a chain of dummies
    // Of one way.
    bool is_upward; // vertices are aligned with those of the next layer instead
    bool is_right;  // from the right: all is as in a mirror
    uint32_t *root; // of each vertex: the first one of its block
    uint32_t *next; // the next one of the block; of the last the first
    // Of the graph of blocks, by root.
    uint32_t *missing; // blocks at its left that have no place yet
    uint32_t *ready;   // roots, each after those at its left
    int64_t *x[4];
} placer;

static uint32_t layer_size(const layout_work *w, uint32_t layer)
{
    return w->layer_first[layer + 1] - w->layer_first[layer];
}

// The vertex number `i` of a layer, and the place of one, as the mirror has them.
static uint32_t vertex_at(const placer *p, uint32_t layer, uint32_t i)
{
    const uint32_t *const order = &p->w->order[p->w->layer_first[layer]];
    return order[p->is_right ? layer_size(p->w, layer) - 1 - i : i];
}

static uint32_t place_of(const placer *p, uint32_t vertex)
{
    const uint32_t place = p->w->place[vertex];
    return p->is_right ? layer_size(p->w, p->w->vertex_layer[vertex]) - 1 - place : place;
}

// The next vertex to the right in the mirror; LAYOUT_NONE: there is none.
static uint32_t right_of(const placer *p, uint32_t vertex)
{
    const uint32_t layer = p->w->vertex_layer[vertex];
    const uint32_t place = place_of(p, vertex) + 1;
    return place < layer_size(p->w, layer) ? vertex_at(p, layer, place) : LAYOUT_NONE;
}

// Least units between the middles of two neighbours.
static int64_t distance(const placer *p, uint32_t a, uint32_t b)
{
    const layout_work *const w = p->w;
    // Two edges that pass side by side need less space than two nodes.
    const bool both = layout_is_dummy(w, a) && layout_is_dummy(w, b);
    return w->half[a] + w->half[b] + (both ? LAYOUT_DUMMY_GAP : w->gap_x);
}

// Crossed edges -----------------------------------------------------------------------------------

// The edge from the dummy `v` to a dummy above it; LAYOUT_NONE: there is none.
static uint32_t inner_edge(const layout_work *w, uint32_t v)
{
    // A dummy has one edge upwards.
    if (!layout_is_dummy(w, v)) {
        return LAYOUT_NONE;
    }
    const uint32_t edge = w->up.edges[w->up.first[v]];
    return layout_is_dummy(w, w->edge_upper[edge]) ? edge : LAYOUT_NONE;
}

// Marks edges of vertices [begin, end) of `layer` whose upper ends are not between two places.
static void mark_between(placer *p, uint32_t layer, uint32_t begin, uint32_t end, uint32_t least,
                         uint32_t most)
{
    const layout_work *const w = p->w;
    for (uint32_t i = begin; i < end; i++) {
        const uint32_t v = w->order[w->layer_first[layer] + i];
        for (uint32_t k = w->up.first[v]; k < w->up.first[v + 1]; k++) {
            const uint32_t edge = w->up.edges[k];
            const uint32_t place = w->place[w->edge_upper[edge]];
            // An edge of a chain is never marked itself.
            const bool is_inner = inner_edge(w, v) == edge;
            p->is_crossed[edge] = !is_inner && (place < least || place > most);
        }
    }
}

// Goes through each layer from the left: vertices between two chains may have edges only to what
// is between the same chains above.
static hoist_status mark_crossed(placer *p)
{
    const layout_work *const w = p->w;
    for (uint32_t layer = 1; layer < w->layer_count; layer++) {
        const uint32_t size = layer_size(w, layer);
        uint32_t begin = 0;
        uint32_t least = 0;
        HOIST_TRY(hoist_deadline_look(w->deadline));
        for (uint32_t i = 0; i < size; i++) {
            const uint32_t inner = inner_edge(w, w->order[w->layer_first[layer] + i]);
            if (inner != LAYOUT_NONE || i + 1 == size) {
                // After the last chain anything up to the end of the layer above is allowed.
                const uint32_t most = inner != LAYOUT_NONE ? w->place[w->edge_upper[inner]]
                                                           : layer_size(w, layer - 1);
                mark_between(p, layer, begin, i + 1, least, most);
                begin = i + 1;
                least = most;
            }
        }
    }
    return HOIST_OK;
}

// Blocks ------------------------------------------------------------------------------------------

// Aligns `v` with one of the middle two of its neighbours, as far as no alignment of its layer is
// crossed: neighbours have `*bound` vertices or more at their left.
static void align_vertex(placer *p, uint32_t v, uint32_t *bound)
{
    const layout_work *const w = p->w;
    const layout_index *const index = p->is_upward ? &w->down : &w->up;
    const uint32_t *const ends = p->is_upward ? w->edge_lower : w->edge_upper;
    const uint32_t degree = layout_degree(index, v);
    for (uint32_t i = 0; i < 2 && i < degree; i++) {
        // An odd number of neighbours has one median, which is tried twice.
        const uint32_t low = (degree - 1) / 2;
        const uint32_t high = degree / 2;
        const uint32_t middle = (i == 0) != p->is_right ? low : high;
        const uint32_t edge = index->edges[index->first[v] + middle];
        const uint32_t u = ends[edge];
        // A vertex that is alone still, an edge that may be straight, and an end at the right of
        // the ends before.
        if (p->next[v] == v && !p->is_crossed[edge] && place_of(p, u) >= *bound) {
            // The ring of the block now ends with `v`, which leads back to the root.
            p->next[u] = v;
            p->root[v] = p->root[u];
            p->next[v] = p->root[v];
            *bound = place_of(p, u) + 1;
        }
    }
}

// Makes blocks: at first each vertex is one of its own.
static hoist_status align(placer *p)
{
    const layout_work *const w = p->w;
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        p->root[v] = v;
        p->next[v] = v;
    }
    for (uint32_t i = 1; i < w->layer_count; i++) {
        // The first layer has nothing to be aligned with.
        const uint32_t layer = p->is_upward ? w->layer_count - 1 - i : i;
        uint32_t bound = 0;
        HOIST_TRY(hoist_deadline_look(w->deadline));
        for (uint32_t k = 0; k < layer_size(w, layer); k++) {
            align_vertex(p, vertex_at(p, layer, k), &bound);
        }
    }
    return HOIST_OK;
}

// Compaction --------------------------------------------------------------------------------------

// Gives all blocks the least places, and lists their roots from left to right.
static uint32_t push_left(placer *p, int64_t *x)
{
    const layout_work *const w = p->w;
    uint32_t count = 0;
    memset(p->missing, 0, w->vertex_count * sizeof(*p->missing));
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        x[v] = 0;
        // A vertex that is not the first in its layer waits for the one at its left.
        p->missing[p->root[v]] += place_of(p, v) > 0;
    }
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        if (p->root[v] == v && p->missing[v] == 0) {
            p->ready[count++] = v;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t root = p->ready[i];
        uint32_t v = root;
        do {
            const uint32_t right = right_of(p, v);
            if (right != LAYOUT_NONE) {
                const uint32_t other = p->root[right];
                // Roots are ready when all at their left have final places: longest paths in
                // topological order.
                const int64_t least = x[root] + distance(p, v, right);
                x[other] = least > x[other] ? least : x[other];
                if (--p->missing[other] == 0) {
                    p->ready[count++] = other;
                }
            }
            v = p->next[v];
        } while (v != root);
    }
    return count;
}

// Moves blocks towards those at their right.
static void pull_right(const placer *p, int64_t *x, uint32_t count)
{
    for (uint32_t i = count; i-- > 0;) {
        const uint32_t root = p->ready[i];
        int64_t most = INT64_MAX;
        uint32_t v = root;
        do {
            const uint32_t right = right_of(p, v);
            if (right != LAYOUT_NONE) {
                const int64_t x_most = x[p->root[right]] - distance(p, v, right);
                most = x_most < most ? x_most : most;
            }
            v = p->next[v];
        } while (v != root);
        x[root] = most != INT64_MAX && most > x[root] ? most : x[root];
    }
}

// Places of one way: as far left as possible, then closer to what is at the right.
static void compact(placer *p, int64_t *x)
{
    const uint32_t count = push_left(p, x);
    pull_right(p, x, count);
    for (uint32_t v = 0; v < p->w->vertex_count; v++) {
        x[v] = x[p->root[v]]; // that of a root is its own
    }
    for (uint32_t v = 0; p->is_right && v < p->w->vertex_count; v++) {
        // Back out of the mirror.
        x[v] = -x[v];
    }
}

// The four ways together --------------------------------------------------------------------------

typedef struct extent {
    int64_t least, most;
} extent;

// From the left side of the leftmost vertex to the right side of the rightmost one.
static extent extent_of(const layout_work *w, const int64_t *x)
{
    extent e = {INT64_MAX, INT64_MIN};
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        const int64_t half = w->half[v];
        e.least = x[v] - half < e.least ? x[v] - half : e.least;
        e.most = x[v] + half > e.most ? x[v] + half : e.most;
    }
    return e;
}

// An insertion sort: four numbers, of which the middle two are used.
static void sort_four(int64_t *x)
{
    for (int i = 1; i < 4; i++) {
        for (int k = i; k > 0 && x[k] < x[k - 1]; k--) {
            const int64_t swapped = x[k];
            x[k] = x[k - 1];
            x[k - 1] = swapped;
        }
    }
}

// Lays the four on the narrowest one, at the side from which each was made.
static void combine(const placer *p)
{
    const layout_work *const w = p->w;
    extent extents[4];
    int narrowest = 0;
    for (int i = 0; i < 4; i++) {
        extents[i] = extent_of(w, p->x[i]);
        if (extents[i].most - extents[i].least <
            extents[narrowest].most - extents[narrowest].least) {
            narrowest = i;
        }
    }
    const int64_t width = extents[narrowest].most - extents[narrowest].least;
    int64_t least = INT64_MAX;
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        int64_t x[4];
        for (int i = 0; i < 4; i++) {
            const bool is_right = i % 2 == 1;
            x[i] = p->x[i][v] - (is_right ? extents[i].most - width : extents[i].least);
        }
        sort_four(x);
        const int64_t sum = x[1] + x[2];
        w->x[v] = (sum - (sum < 0 && sum % 2 != 0)) / 2; // downwards, so that distances stay
        least = w->x[v] - w->half[v] < least ? w->x[v] - w->half[v] : least;
    }
    for (uint32_t v = 0; v < w->vertex_count; v++) {
        // The component begins at 0.
        w->x[v] -= least;
    }
}

hoist_status layout_place(layout_work *w)
{
    placer p = {.w = w};
    const size_t count = w->vertex_count;
    p.is_crossed = hoist_arena_array(w->arena, w->edge_count, sizeof(*p.is_crossed));
    p.root = hoist_arena_array(w->arena, count, sizeof(*p.root));
    p.next = hoist_arena_array(w->arena, count, sizeof(*p.next));
    p.missing = hoist_arena_array(w->arena, count, sizeof(*p.missing));
    p.ready = hoist_arena_array(w->arena, count, sizeof(*p.ready));
    w->x = hoist_arena_array(w->arena, count, sizeof(*w->x));
    if (!p.is_crossed || !p.root || !p.next || !p.missing || !p.ready || !w->x) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(mark_crossed(&p));
    for (int i = 0; i < 4; i++) {
        p.x[i] = hoist_arena_array(w->arena, count, sizeof(*p.x[i]));
        if (!p.x[i]) {
            return HOIST_NO_MEMORY;
        }
        // 0 and 1 go down, 2 and 3 up; odd ones are from the right.
        p.is_upward = i >= 2;
        p.is_right = i % 2 == 1;
        HOIST_TRY(align(&p));
        compact(&p, p.x[i]);
        HOIST_TRY(hoist_deadline_look(w->deadline));
    }
    combine(&p);
    return HOIST_OK;
}
