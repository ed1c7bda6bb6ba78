// Lays out a graph (layout.h): its connected components one by one, by the stages of
// layout_work.h, and then side by side on shelves, the highest first (next fit of decreasing
// heights; Coffman, Garey, Johnson and Tarjan, 1980).
#include "picture/layout.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "picture/layout_work.h"

enum { MOST_ITEMS = 1 << 28, MARGIN = 28 }; // between components

// A part of the graph that no edge connects with the rest.
typedef struct component {
    uint32_t first_node; // of the list of nodes by component
    uint32_t node_count;
    uint32_t first_link;
    uint32_t link_count;
    size_t first_point; // of routes that are not loops
    size_t point_count;
    int64_t left; // of what it takes, before it has its place
    int64_t width;
    int64_t height;
} component;

// State of hoist_layout_find().
typedef struct finder {
    const hoist_layout_input *in;
    hoist_arena *arena;
    hoist_layout *out;
    size_t capacity;            // of points
    uint32_t *of_node;          // the component of a node
    uint32_t *nodes;            // by component
    uint32_t *number;           // of a node in its component
    uint32_t *links;            // by component, without loops
    hoist_layout_route *routes; // of `links`
    component *components;
    uint32_t component_count;
} finder;

// Components --------------------------------------------------------------------------------------

// Disjoint sets with path halving: each node that is passed then points to its grandparent.
static uint32_t find_root(uint32_t *parent, uint32_t node)
{
    while (parent[node] != node) {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    return node;
}

// The first node of a component is its root, so that components are in the order of those.
static void join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = find_root(parent, a);
    b = find_root(parent, b);
    parent[a > b ? a : b] = a > b ? b : a;
}

// Numbers the components by their first nodes, and notes for each node which one it is in.
static hoist_status find_components(finder *f)
{
    const uint32_t count = (uint32_t)f->in->node_count;
    uint32_t *const parent = f->number; // which has other content later
    for (uint32_t i = 0; i < count; i++) {
        parent[i] = i;
    }
    for (size_t i = 0; i < f->in->link_count; i++) {
        join(parent, (uint32_t)f->in->links[i].from, (uint32_t)f->in->links[i].to);
    }
    HOIST_TRY(hoist_deadline_look(f->in->deadline));
    for (uint32_t i = 0; i < count; i++) {
        f->component_count += parent[i] == i;
    }
    f->components = hoist_arena_array(f->arena, f->component_count, sizeof(*f->components));
    if (!f->components) {
        return HOIST_NO_MEMORY;
    }
    // A root is before the other nodes of its component.
    for (uint32_t i = 0, next = 0; i < count; i++) {
        const uint32_t root = find_root(parent, i);
        // The root's own number is known when another node asks for it.
        f->of_node[i] = root == i ? next++ : f->of_node[root];
    }
    return HOIST_OK;
}

// Sorts nodes and links by component.
static void sort_items(finder *f)
{
    const uint32_t count = (uint32_t)f->in->node_count;
    const hoist_layout_link *const links = f->in->links;
    for (uint32_t i = 0; i < count; i++) {
        f->components[f->of_node[i]].node_count++;
    }
    for (size_t i = 0; i < f->in->link_count; i++) {
        f->components[f->of_node[links[i].from]].link_count += links[i].from != links[i].to;
    }
    for (uint32_t i = 1; i < f->component_count; i++) {
        component *const c = &f->components[i];
        // Sums of what comes before say where each component begins.
        c->first_node = c[-1].first_node + c[-1].node_count;
        c->first_link = c[-1].first_link + c[-1].link_count;
    }
    for (uint32_t i = 0; i < f->component_count; i++) {
        // Counted once more while they are filled.
        f->components[i].node_count = 0;
        f->components[i].link_count = 0;
    }
    for (uint32_t i = 0; i < count; i++) {
        component *const c = &f->components[f->of_node[i]];
        f->number[i] = c->node_count;
        f->nodes[c->first_node + c->node_count++] = i;
    }
    for (size_t i = 0; i < f->in->link_count; i++) {
        if (links[i].from != links[i].to) {
            component *const c = &f->components[f->of_node[links[i].from]];
            f->links[c->first_link + c->link_count++] = (uint32_t)i;
        }
    }
}

// One component -----------------------------------------------------------------------------------

// Space for more points; all routes have theirs in one array.
static bool add_capacity(finder *f, size_t more)
{
    void *points = f->out->points;
    // What grows is the array alone: routes have numbers of points, not addresses.
    const bool is_grown = hoist_grow(f->arena->alloc, &points, &f->capacity,
                                     f->out->point_count + more, sizeof(*f->out->points));
    f->out->points = points;
    return is_grown;
}

// Copies what the stages found to the result, at the component's own place.
static hoist_status take(finder *f, component *c, layout_work *w)
{
    if (!add_capacity(f, layout_most_points(w))) {
        return HOIST_NO_MEMORY;
    }
    c->first_point = f->out->point_count;
    HOIST_TRY(layout_routes(w, &f->routes[c->first_link], f->out->points, &f->out->point_count));
    c->point_count = f->out->point_count - c->first_point;
    for (uint32_t i = 0; i < w->node_count; i++) {
        const uint32_t node = f->nodes[c->first_node + i];
        f->out->layers[node] = w->layer[i];
        f->out->nodes[node] =
            (hoist_layout_point){w->x[w->vertex[i]] - w->half[w->vertex[i]], w->top[w->layer[i]]};
        // Every node has space for a loop at its right, whether it has one or not.
        const int64_t right = f->out->nodes[node].x + w->sizes[i].width + LAYOUT_LOOP;
        c->width = right > c->width ? right : c->width;
    }
    for (size_t i = c->first_point; i < f->out->point_count; i++) {
        const int64_t x = f->out->points[i].x;
        // Routes in lanes are at the left of 0.
        c->left = x < c->left ? x : c->left;
        c->width = x > c->width ? x : c->width;
    }
    c->width -= c->left;
    c->height = w->bottom[w->layer_count - 1];
    return HOIST_OK;
}

// Lays out one component in scratch memory, with numbers of its own.
static hoist_status find_in(finder *f, component *c, hoist_arena *scratch)
{
    hoist_layout_size *const sizes = hoist_arena_array(scratch, c->node_count, sizeof(*sizes));
    uint32_t *const from = hoist_arena_array(scratch, c->link_count, sizeof(*from));
    uint32_t *const to = hoist_arena_array(scratch, c->link_count, sizeof(*to));
    if (!sizes || !from || !to) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < c->node_count; i++) {
        // Numbers of the component are dense, so that arrays of the stages are as long as it has
        // nodes.
        sizes[i] = f->in->sizes[f->nodes[c->first_node + i]];
    }
    for (uint32_t i = 0; i < c->link_count; i++) {
        const hoist_layout_link *const link = &f->in->links[f->links[c->first_link + i]];
        from[i] = f->number[link->from];
        to[i] = f->number[link->to];
    }
    layout_work w = {.arena = scratch,
                     .deadline = f->in->deadline,
                     .sizes = sizes,
                     .node_count = c->node_count,
                     .link_count = c->link_count,
                     .from = from,
                     .to = to,
                     .gap_x = f->in->gap_x,
                     .gap_y = f->in->gap_y};
    HOIST_TRY(layout_layers(&w));
    HOIST_TRY(layout_order(&w));
    HOIST_TRY(layout_place(&w));
    HOIST_TRY(layout_heights(&w));
    return take(f, c, &w);
}

// Lays out all components, each at (0, 0).
static hoist_status find_each(finder *f)
{
    for (uint32_t i = 0; i < f->component_count; i++) {
        component *const c = &f->components[i];
        // A node alone needs no stages.
        if (c->node_count == 1) {
            const hoist_layout_size size = f->in->sizes[f->nodes[c->first_node]];
            c->width = (int64_t)size.width + LAYOUT_LOOP;
            c->height = size.height;
            continue;
        }
        hoist_arena scratch;
        hoist_arena_init(&scratch, f->arena->alloc);
        const hoist_status status = find_in(f, c, &scratch);
        hoist_arena_deinit(&scratch);
        HOIST_TRY(status);
    }
    return hoist_deadline_look(f->in->deadline);
}

// Shelves -----------------------------------------------------------------------------------------

typedef struct shelf_item {
    int64_t height;
    uint32_t index; // of the component
} shelf_item;

// The order of the shelves; of equal heights the first component, so that the order is total.
static int by_height(const void *a, const void *b)
{
    const shelf_item *const one = a;
    const shelf_item *const other = b;
    if (one->height != other->height) {
        return one->height > other->height ? -1 : 1;
    }
    return one->index < other->index ? -1 : one->index > other->index;
}

// The least width that is 1.6 times the height of as much area, and has space for every component.
static int64_t shelf_width(const finder *f)
{
    double area = 0;
    int64_t width = 0;
    for (uint32_t i = 0; i < f->component_count; i++) {
        const component *const c = &f->components[i];
        // Floating point, as the area of a large graph may not fit an integer.
        area += (double)(c->width + MARGIN) * (double)(c->height + MARGIN);
        width = c->width > width ? c->width : width;
    }
    // Steps of a sixteenth: exact enough, and few also for an area that is very large.
    while ((double)width * (double)width < 1.6 * area) {
        width += 1 + width / 16;
    }
    return width;
}

// Moves nodes and points of a component so that its left and upper ends are at (x, y).
static void move_to(finder *f, component *c, int64_t x, int64_t y)
{
    x -= c->left;
    for (uint32_t i = 0; i < c->node_count; i++) {
        hoist_layout_point *const node = &f->out->nodes[f->nodes[c->first_node + i]];
        *node = (hoist_layout_point){node->x + x, node->y + y};
    }
    for (size_t i = c->first_point; i < c->first_point + c->point_count; i++) {
        hoist_layout_point *const point = &f->out->points[i];
        *point = (hoist_layout_point){point->x + x, point->y + y};
    }
    f->out->width = x + c->left + c->width > f->out->width ? x + c->left + c->width : f->out->width;
    f->out->height = y + c->height > f->out->height ? y + c->height : f->out->height;
}

// Puts components side by side; the first one that does not fit begins the next shelf.
static hoist_status pack(finder *f)
{
    const int64_t most = shelf_width(f);
    int64_t x = 0;
    int64_t y = 0;
    int64_t height = 0;
    shelf_item *const items = hoist_arena_array(f->arena, f->component_count, sizeof(*items));
    if (!items) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < f->component_count; i++) {
        items[i] = (shelf_item){f->components[i].height, i};
    }
    qsort(items, f->component_count, sizeof(*items), by_height);
    for (uint32_t i = 0; i < f->component_count; i++) {
        component *const c = &f->components[items[i].index];
        if (x > 0 && x + c->width > most) {
            x = 0;
            y += height + MARGIN;
            height = 0;
        }
        move_to(f, c, x, y);
        x += c->width + MARGIN;
        height = c->height > height ? c->height : height;
    }
    return HOIST_OK;
}

// Results -----------------------------------------------------------------------------------------

// A route around the right side of a node, between a quarter and three quarters of its height.
static void add_loop(finder *f, size_t link)
{
    const size_t node = f->in->links[link].from;
    const hoist_layout_size size = f->in->sizes[node];
    const hoist_layout_point at = f->out->nodes[node];
    const int64_t right = at.x + size.width;
    const hoist_layout_point points[] = {{right, at.y + size.height / 4},
                                         {right + LAYOUT_LOOP - 2, at.y + size.height / 4},
                                         {right + LAYOUT_LOOP - 2, at.y + size.height * 3 / 4},
                                         {right, at.y + size.height * 3 / 4}};
    f->out->routes[link] = (hoist_layout_route){
        .first = f->out->point_count, .count = 4, .way = HOIST_LAYOUT_LOOP, .is_back = true};
    for (size_t i = 0; i < 4; i++) {
        f->out->points[f->out->point_count++] = points[i];
    }
}

// The routes in the order of the input, and those of loops.
static hoist_status list_routes(finder *f)
{
    size_t loops = 0;
    for (size_t i = 0; i < f->in->link_count; i++) {
        loops += f->in->links[i].from == f->in->links[i].to;
    }
    if (!add_capacity(f, 4 * loops)) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < f->in->link_count - loops; i++) {
        // Routes were found component by component.
        f->out->routes[f->links[i]] = f->routes[i];
    }
    for (size_t i = 0; i < f->in->link_count; i++) {
        if (f->in->links[i].from == f->in->links[i].to) {
            add_loop(f, i);
        }
    }
    return HOIST_OK;
}

// The whole layout, step by step.
static hoist_status find_all(finder *f)
{
    HOIST_TRY(find_components(f));
    sort_items(f);
    HOIST_TRY(find_each(f));
    HOIST_TRY(pack(f));
    return list_routes(f);
}

hoist_status hoist_layout_find(const hoist_layout_input *input, hoist_arena *arena,
                               hoist_layout *out_layout)
{
    finder f = {.in = input, .arena = arena, .out = out_layout};
    *out_layout = (hoist_layout){.width = 0};
    // Numbers are of 32 bits from here on, with space for sums of a few of them.
    if (input->node_count > MOST_ITEMS || input->link_count > MOST_ITEMS) {
        return HOIST_LIMIT;
    }
    out_layout->nodes = hoist_arena_array(arena, input->node_count, sizeof(*out_layout->nodes));
    out_layout->layers = hoist_arena_array(arena, input->node_count, sizeof(*out_layout->layers));
    out_layout->routes = hoist_arena_array(arena, input->link_count, sizeof(*out_layout->routes));
    f.of_node = hoist_arena_array(arena, input->node_count, sizeof(*f.of_node));
    f.nodes = hoist_arena_array(arena, input->node_count, sizeof(*f.nodes));
    f.number = hoist_arena_array(arena, input->node_count, sizeof(*f.number));
    f.links = hoist_arena_array(arena, input->link_count, sizeof(*f.links));
    f.routes = hoist_arena_array(arena, input->link_count, sizeof(*f.routes));
    if (!out_layout->nodes || !out_layout->layers || !out_layout->routes || !f.of_node ||
        !f.nodes || !f.number || !f.links || !f.routes) {
        return HOIST_NO_MEMORY;
    }
    hoist_status status = find_all(&f);
    // The points grew outside the arena, which takes them over now.
    const size_t size = f.capacity * sizeof(*out_layout->points);
    if (status == HOIST_OK && size && !hoist_arena_adopt(arena, out_layout->points, size)) {
        status = HOIST_NO_MEMORY;
    }
    // What the arena has not taken is freed here.
    if (status != HOIST_OK) {
        hoist_free(arena->alloc, out_layout->points, size);
        *out_layout = (hoist_layout){.width = 0};
    }
    return status;
}
