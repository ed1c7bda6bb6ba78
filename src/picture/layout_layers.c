// The first stage of a layout (layout.h): from the links of a component to a proper graph. Links
// that close a cycle are reversed; layers are longest paths, after which nodes that feed more than
// they read sink towards their readers (as in the node promotion of Nikolov and Tarassov, 2006);
// links that cross layers become chains of dummies, the longest ones within a budget.
#include "picture/layout_work.h"

// At most that many dummies for each node and link, and in a component.
enum { DUMMIES_EACH = 4, MOST_DUMMIES = 500000 };

hoist_status layout_index_make(layout_work *w, const uint32_t *key, uint32_t count,
                               uint32_t vertices, layout_index *out_index)
{
    uint32_t *const first = hoist_arena_array(w->arena, (size_t)vertices + 2, sizeof(*first));
    uint32_t *const edges = hoist_arena_array(w->arena, count, sizeof(*edges));
    *out_index = (layout_index){first, edges};
    if (!first || !edges) {
        return HOIST_NO_MEMORY;
    }
    // Counted two places on, so that filling moves each beginning to where it belongs.
    for (uint32_t i = 0; i < count; i++) {
        first[key[i] + 2]++;
    }
    for (uint32_t i = 2; i < vertices + 2; i++) {
        first[i] += first[i - 1];
    }
    for (uint32_t i = 0; i < count; i++) {
        edges[first[key[i] + 1]++] = i;
    }
    return HOIST_OK;
}

// Cycles ------------------------------------------------------------------------------------------

// State of the depth-first search, without recursion: a chain of a million nodes is no problem.
typedef struct walk {
    layout_work *w;
    layout_index out; // links by `from`
    uint32_t *stack;
    uint32_t *next;  // of each node: the link that is looked at next
    uint8_t *state;  // 0: not seen, 1: on the stack, 2: done
    uint32_t *after; // nodes by when they were done, the last one first: all links go on in it
    uint32_t left;   // places of `after` that are free, at its front
} walk;

// Depth-first from one node. A link to a node of the stack closes a cycle.
static void walk_from(walk *k, uint32_t root)
{
    layout_work *const w = k->w;
    uint32_t depth = 0;
    k->stack[depth++] = root;
    k->state[root] = 1;
    while (depth > 0) {
        const uint32_t node = k->stack[depth - 1];
        // All links are done: the node goes before all that it leads to.
        if (k->next[node] == k->out.first[node + 1]) {
            k->state[node] = 2;
            k->after[--k->left] = node;
            depth--;
            continue;
        }
        const uint32_t link = k->out.edges[k->next[node]++];
        const uint32_t to = w->to[link];
        w->is_back[link] = k->state[to] == 1;
        if (k->state[to] == 0) {
            k->state[to] = 1;
            k->stack[depth++] = to;
        }
    }
}

// Walks from nodes that nothing leads to, then from the others.
static hoist_status find_back_links(walk *k, const uint32_t *degree_in)
{
    layout_work *const w = k->w;
    // A node that only cycles lead to is begun in the second pass.
    for (int pass = 0; pass < 2; pass++) {
        // Backwards, as `after` is filled from its end: nodes without links are then in their own
        // order.
        for (uint32_t i = w->node_count; i-- > 0;) {
            if (k->state[i] == 0 && (pass == 1 || degree_in[i] == 0)) {
                HOIST_TRY(hoist_deadline_look(w->deadline));
                walk_from(k, i);
            }
        }
    }
    for (uint32_t i = 0; i < w->link_count; i++) {
        w->upper[i] = w->is_back[i] ? w->to[i] : w->from[i];
        w->lower[i] = w->is_back[i] ? w->from[i] : w->to[i];
    }
    return HOIST_OK;
}

// Layers ------------------------------------------------------------------------------------------

static uint32_t most(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

// `by_upper`: links by their upper node; `after`: nodes, each before those below it.
static void find_layers(layout_work *w, const layout_index *by_upper, const uint32_t *after,
                        const uint32_t *degree_in)
{
    for (uint32_t i = 0; i < w->node_count; i++) {
        const uint32_t node = after[i];
        for (uint32_t k = by_upper->first[node]; k < by_upper->first[node + 1]; k++) {
            uint32_t *const below = &w->layer[w->lower[by_upper->edges[k]]];
            // The longest path so far that ends there.
            *below = most(*below, w->layer[node] + 1);
        }
    }
    // Upwards, so that those below have sunk already.
    for (uint32_t i = w->node_count; i-- > 0;) {
        const uint32_t node = after[i];
        uint32_t least = LAYOUT_NONE;
        for (uint32_t k = by_upper->first[node]; k < by_upper->first[node + 1]; k++) {
            const uint32_t below = w->layer[w->lower[by_upper->edges[k]]];
            least = below < least ? below : least;
        }
        // It has at least as many links below as above: sinking makes edges no longer in sum.
        if (least != LAYOUT_NONE && layout_degree(by_upper, node) >= degree_in[node]) {
            w->layer[node] = least - 1;
        }
    }
}

// Finds the links to reverse, and from what they are then the layers.
static hoist_status assign_layers(layout_work *w)
{
    walk k = {.w = w, .left = w->node_count};
    layout_index by_upper;
    uint32_t *const degree_in = hoist_arena_array(w->arena, w->node_count, sizeof(*degree_in));
    k.stack = hoist_arena_array(w->arena, w->node_count, sizeof(*k.stack));
    k.next = hoist_arena_array(w->arena, w->node_count, sizeof(*k.next));
    k.state = hoist_arena_array(w->arena, w->node_count, sizeof(*k.state));
    k.after = hoist_arena_array(w->arena, w->node_count, sizeof(*k.after));
    if (!degree_in || !k.stack || !k.next || !k.state || !k.after) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(layout_index_make(w, w->from, w->link_count, w->node_count, &k.out));
    for (uint32_t i = 0; i < w->link_count; i++) {
        degree_in[w->to[i]]++;
    }
    for (uint32_t i = 0; i < w->node_count; i++) {
        k.next[i] = k.out.first[i];
    }
    HOIST_TRY(find_back_links(&k, degree_in));
    for (uint32_t i = 0; i < w->node_count; i++) {
        // Counted again, now with the reversed links.
        degree_in[i] = 0;
    }
    for (uint32_t i = 0; i < w->link_count; i++) {
        degree_in[w->lower[i]]++;
    }
    HOIST_TRY(layout_index_make(w, w->upper, w->link_count, w->node_count, &by_upper));
    find_layers(w, &by_upper, k.after, degree_in);
    return HOIST_OK;
}

// Layers without nodes disappear; nodes have sunk out of them.
static hoist_status drop_empty_layers(layout_work *w)
{
    uint32_t *const number =
        hoist_arena_array(w->arena, (size_t)w->node_count + 1, sizeof(*number));
    if (!number) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < w->node_count; i++) {
        // Marks of the layers that have nodes, then their numbers without the others.
        number[w->layer[i]] = 1;
    }
    for (uint32_t i = 0; i < w->node_count; i++) {
        w->layer_count += number[i];
        number[i] = w->layer_count - 1;
    }
    for (uint32_t i = 0; i < w->node_count; i++) {
        w->layer[i] = number[w->layer[i]];
    }
    return HOIST_OK;
}

// Dummies -----------------------------------------------------------------------------------------

// The longest span of links that get dummies: as many of the short ones as the budget allows.
static hoist_status find_longest(layout_work *w, uint32_t *out_span)
{
    const uint64_t each = DUMMIES_EACH * ((uint64_t)w->node_count + w->link_count);
    const uint64_t budget = each < MOST_DUMMIES ? each : MOST_DUMMIES;
    uint64_t used = 0;
    uint32_t *const spans = hoist_arena_array(w->arena, (size_t)w->layer_count + 1, sizeof(*spans));
    if (!spans) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < w->link_count; i++) {
        spans[layout_span(w, i)]++;
    }
    for (*out_span = 1; *out_span + 1 < w->layer_count; (*out_span)++) {
        // A link over n layers has n - 1 dummies.
        used += (uint64_t)spans[*out_span + 1] * *out_span;
        if (used > budget) {
            break;
        }
    }
    return HOIST_OK;
}

// A chain of edges for each link that is not longer than `longest`; of others nothing.
static void add_chains(layout_work *w, uint32_t longest)
{
    uint32_t vertex = w->node_count;
    uint32_t edge = 0;
    for (uint32_t i = 0; i < w->link_count; i++) {
        const uint32_t span = layout_span(w, i);
        w->link_edge[i] = span > longest ? LAYOUT_NONE : edge;
        for (uint32_t k = 0; k < span && span <= longest; k++, edge++) {
            // The chain begins at the node, and goes on at the dummy before.
            w->edge_upper[edge] = k == 0 ? w->upper[i] : vertex - 1;
            w->edge_lower[edge] = k + 1 == span ? w->lower[i] : vertex;
            if (k + 1 < span) {
                w->vertex_layer[vertex++] = w->layer[w->upper[i]] + k + 1;
            }
        }
    }
}

// Counts vertices and edges of the chains, then makes them and their indices.
static hoist_status make_proper(layout_work *w)
{
    uint32_t longest = 0;
    uint64_t edges = 0;
    HOIST_TRY(find_longest(w, &longest));
    w->vertex_count = w->node_count;
    for (uint32_t i = 0; i < w->link_count; i++) {
        const uint32_t span = layout_span(w, i);
        edges += span <= longest ? span : 0;
        w->vertex_count += span <= longest ? span - 1 : 0;
    }
    w->vertex_layer = hoist_arena_array(w->arena, w->vertex_count, sizeof(*w->vertex_layer));
    w->edge_count = (uint32_t)edges;
    w->edge_upper = hoist_arena_array(w->arena, w->edge_count, sizeof(*w->edge_upper));
    w->edge_lower = hoist_arena_array(w->arena, w->edge_count, sizeof(*w->edge_lower));
    w->link_edge = hoist_arena_array(w->arena, w->link_count, sizeof(*w->link_edge));
    if (!w->vertex_layer || !w->edge_upper || !w->edge_lower || !w->link_edge) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < w->node_count; i++) {
        w->vertex_layer[i] = w->layer[i];
    }
    add_chains(w, longest);
    HOIST_TRY(layout_index_make(w, w->edge_lower, w->edge_count, w->vertex_count, &w->up));
    return layout_index_make(w, w->edge_upper, w->edge_count, w->vertex_count, &w->down);
}

hoist_status layout_layers(layout_work *w)
{
    w->layer = hoist_arena_array(w->arena, w->node_count, sizeof(*w->layer));
    w->is_back = hoist_arena_array(w->arena, w->link_count, sizeof(*w->is_back));
    w->upper = hoist_arena_array(w->arena, w->link_count, sizeof(*w->upper));
    w->lower = hoist_arena_array(w->arena, w->link_count, sizeof(*w->lower));
    if (!w->layer || !w->is_back || !w->upper || !w->lower) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(assign_layers(w));
    HOIST_TRY(drop_empty_layers(w));
    HOIST_TRY(hoist_deadline_look(w->deadline));
    return make_proper(w);
}
