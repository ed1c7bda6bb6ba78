// Layouts of graphs that are made here: nodes do not overlap, edges go down unless they close a
// cycle, all is inside, equal input gives equal output, and memory is linear.
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "picture/layout.h"
#include "testing/test.h"

enum { MOST_NODES = 4096, MOST_LINKS = 12288, GAP_X = 20, GAP_Y = 30 };

typedef struct drawn {
    hoist_layout_size sizes[MOST_NODES];
    hoist_layout_link links[MOST_LINKS];
    hoist_layout_input in;
    hoist_arena arena;
    hoist_layout out;
} drawn;

static void set_up(drawn *d, size_t nodes)
{
    for (size_t i = 0; i < nodes; i++) {
        d->sizes[i] = (hoist_layout_size){(int32_t)(40 + 7 * (i % 5)), (int32_t)(20 + i % 3)};
    }
    d->in = (hoist_layout_input){
        .sizes = d->sizes, .links = d->links, .node_count = nodes, .gap_x = GAP_X, .gap_y = GAP_Y};
    hoist_arena_init(&d->arena, hoist_allocator_system());
}

static void link_nodes(drawn *d, size_t from, size_t to)
{
    d->links[d->in.link_count++] = (hoist_layout_link){from, to};
}

static bool overlap(const drawn *d, size_t a, size_t b)
{
    const hoist_layout_point p = d->out.nodes[a];
    const hoist_layout_point q = d->out.nodes[b];
    return p.x < q.x + d->sizes[b].width && q.x < p.x + d->sizes[a].width &&
           p.y < q.y + d->sizes[b].height && q.y < p.y + d->sizes[a].height;
}

static void expect_nodes(hoist_test *t, const drawn *d)
{
    size_t overlaps = 0;
    size_t outside = 0;
    for (size_t i = 0; i < d->in.node_count; i++) {
        const hoist_layout_point p = d->out.nodes[i];
        outside += p.x < 0 || p.y < 0 || p.x + d->sizes[i].width > d->out.width ||
                   p.y + d->sizes[i].height > d->out.height;
        for (size_t k = 0; k < i; k++) {
            overlaps += overlap(d, i, k);
        }
    }
    HOIST_EXPECT_EQ(t, overlaps, 0);
    HOIST_EXPECT_EQ(t, outside, 0);
}

// An end of a route is on the border of its node.
static bool touches(const drawn *d, size_t node, hoist_layout_point p)
{
    const hoist_layout_point at = d->out.nodes[node];
    return p.x >= at.x && p.x <= at.x + d->sizes[node].width && p.y >= at.y &&
           p.y <= at.y + d->sizes[node].height;
}

static void expect_routes(hoist_test *t, const drawn *d)
{
    size_t loose = 0;
    size_t upwards = 0;
    size_t outside = 0;
    for (size_t i = 0; i < d->in.link_count; i++) {
        const hoist_layout_route *const r = &d->out.routes[i];
        const hoist_layout_link link = d->links[i];
        const hoist_layout_point *const points = &d->out.points[r->first];
        loose += !touches(d, link.from, points[0]) || !touches(d, link.to, points[r->count - 1]);
        upwards += r->way != HOIST_LAYOUT_LOOP &&
                   (d->out.layers[link.from] < d->out.layers[link.to]) == r->is_back;
        for (size_t k = 0; k < r->count; k++) {
            outside += points[k].x < 0 || points[k].x > d->out.width || points[k].y < 0 ||
                       points[k].y > d->out.height;
            upwards += k > 0 && r->way == HOIST_LAYOUT_CURVE &&
                       (r->is_back ? points[k].y > points[k - 1].y : points[k].y < points[k - 1].y);
        }
    }
    HOIST_EXPECT_EQ(t, loose, 0);
    HOIST_EXPECT_EQ(t, upwards, 0);
    HOIST_EXPECT_EQ(t, outside, 0);
    HOIST_EXPECT(t, d->out.point_count <= 20 * (d->in.node_count + d->in.link_count));
}

static void expect_good(hoist_test *t, drawn *d)
{
    hoist_layout again;
    HOIST_EXPECT_EQ(t, hoist_layout_find(&d->in, &d->arena, &d->out), HOIST_OK);
    expect_nodes(t, d);
    expect_routes(t, d);
    HOIST_EXPECT_EQ(t, hoist_layout_find(&d->in, &d->arena, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, again.width, d->out.width);
    HOIST_EXPECT_EQ(t, again.height, d->out.height);
    HOIST_EXPECT(t, d->in.node_count == 0 || memcmp(again.nodes, d->out.nodes,
                                                    d->in.node_count * sizeof(*again.nodes)) == 0);
    HOIST_EXPECT_EQ(t, again.point_count, d->out.point_count);
    HOIST_EXPECT(t,
                 again.point_count == 0 || memcmp(again.points, d->out.points,
                                                  again.point_count * sizeof(*again.points)) == 0);
}

// Shapes of graphs --------------------------------------------------------------------------------

static void make_nothing(drawn *d)
{
    set_up(d, 0);
}

static void make_single(drawn *d)
{
    set_up(d, 1);
}

static void make_loop(drawn *d)
{
    set_up(d, 2);
    link_nodes(d, 0, 0);
    link_nodes(d, 0, 1);
    link_nodes(d, 1, 1);
}

static void make_pairs(drawn *d)
{
    set_up(d, 300);
    for (size_t i = 0; i < 200; i += 2) {
        link_nodes(d, i + 1, i);
    }
}

static void make_ring(drawn *d)
{
    set_up(d, 7);
    for (size_t i = 0; i < 7; i++) {
        link_nodes(d, i, (i + 1) % 7);
        link_nodes(d, i, (i + 1) % 7);
    }
}

static void make_star(drawn *d)
{
    set_up(d, 400);
    for (size_t i = 1; i < 400; i++) {
        link_nodes(d, i % 2 ? 0 : i, i % 2 ? i : 0);
    }
}

// Ends of edges at a node that is narrower than they are many.
static void make_crowd(drawn *d)
{
    set_up(d, 2);
    for (size_t i = 0; i < 200; i++) {
        link_nodes(d, 0, 1);
    }
}

static void make_complete(drawn *d)
{
    set_up(d, 40);
    for (size_t i = 0; i < 40; i++) {
        for (size_t k = i + 1; k < 40; k++) {
            link_nodes(d, i, k);
        }
    }
}

// An edge from each node of a chain to the one as far from its end: dummies would be n * n / 4.
static void make_nested(drawn *d)
{
    set_up(d, 1200);
    for (size_t i = 0; i + 1 < 1200; i++) {
        link_nodes(d, i, i + 1);
    }
    for (size_t i = 0; i < 599; i++) {
        link_nodes(d, i, 1199 - i);
    }
}

static void make_network(drawn *d)
{
    set_up(d, 160);
    for (size_t i = 0; i + 2 < 80; i++) {
        link_nodes(d, i, i + 1);
        link_nodes(d, 80 + i, i); // its parameters
        if (i % 3 == 0) {
            link_nodes(d, i, i + 2);
        }
    }
}

static const struct {
    const char *name;
    void (*make)(drawn *d);
    size_t aside; // routes around the layers
} shapes[] = {
    {"nothing", make_nothing, 0},     {"single", make_single, 0},   {"loops", make_loop, 0},
    {"pairs", make_pairs, 0},         {"ring", make_ring, 0},       {"star", make_star, 0},
    {"crowd", make_crowd, 0},         {"nested", make_nested, 490}, {"network", make_network, 0},
    {"complete", make_complete, 300},
};

HOIST_TEST_TABLE(graphs_of_all_shapes, shapes)
{
    drawn *const d = hoist_alloc_zero(hoist_allocator_system(), 1, sizeof(*d));
    size_t aside = 0;
    row->make(d);
    expect_good(t, d);
    for (size_t i = 0; i < d->in.link_count; i++) {
        aside += d->out.routes[i].way == HOIST_LAYOUT_ASIDE;
    }
    HOIST_EXPECT_EQ(t, aside, row->aside);
    hoist_arena_deinit(&d->arena);
    hoist_free(hoist_allocator_system(), d, sizeof(*d));
}

HOIST_TEST(random_graphs)
{
    drawn *const d = hoist_alloc_zero(hoist_allocator_system(), 1, sizeof(*d));
    uint64_t state = 18;
    for (int round = 0; round < HOIST_TEST_ROUNDS(120); round++) {
        const size_t nodes = 1 + hoist_test_random(&state) % 120;
        const size_t links = hoist_test_random(&state) % (3 * nodes);
        const size_t reach = 1 + hoist_test_random(&state) % nodes;
        set_up(d, nodes);
        for (size_t i = 0; i < links; i++) {
            const size_t from = hoist_test_random(&state) % nodes;
            link_nodes(d, from, (from + hoist_test_random(&state) % reach) % nodes);
        }
        expect_good(t, d);
        hoist_arena_deinit(&d->arena);
    }
    hoist_free(hoist_allocator_system(), d, sizeof(*d));
}

// What people see ---------------------------------------------------------------------------------

// A chain is upright, and two branches are at the sides of where they part.
HOIST_TEST(straight_lines_and_symmetry)
{
    static const hoist_layout_size sizes[6] = {{40, 20}, {40, 20}, {40, 20},
                                               {40, 20}, {40, 20}, {40, 20}};
    static const hoist_layout_link links[] = {{0, 1}, {1, 2}, {1, 3}, {2, 4}, {3, 4}, {4, 5}};
    const hoist_layout_input in = {sizes, links, 6, HOIST_COUNT_OF(links), GAP_X, GAP_Y, NULL};
    hoist_arena arena;
    hoist_layout out;
    hoist_arena_init(&arena, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_layout_find(&in, &arena, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.nodes[0].x, out.nodes[1].x);
    HOIST_EXPECT_EQ(t, out.nodes[4].x, out.nodes[1].x);
    HOIST_EXPECT_EQ(t, out.nodes[5].x, out.nodes[1].x);
    HOIST_EXPECT_EQ(t, out.nodes[2].x + out.nodes[3].x, 2 * out.nodes[1].x);
    HOIST_EXPECT_EQ(t, out.nodes[3].x - out.nodes[2].x, 40 + GAP_X);
    HOIST_EXPECT_EQ(t, out.layers[5], 4);
    hoist_arena_deinit(&arena);
}

// A ladder whose rungs are listed crosswise has no crossing in the end.
HOIST_TEST(crossings_go)
{
    static const hoist_layout_size sizes[6] = {{40, 20}, {40, 20}, {40, 20},
                                               {40, 20}, {40, 20}, {40, 20}};
    static const hoist_layout_link links[] = {{0, 5}, {0, 4}, {1, 3}, {1, 4}, {2, 5}};
    const hoist_layout_input in = {sizes, links, 6, HOIST_COUNT_OF(links), GAP_X, GAP_Y, NULL};
    hoist_arena arena;
    hoist_layout out;
    size_t crossings = 0;
    hoist_arena_init(&arena, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_layout_find(&in, &arena, &out), HOIST_OK);
    for (size_t i = 0; i < HOIST_COUNT_OF(links); i++) {
        for (size_t k = 0; k < i; k++) {
            const int64_t up = out.nodes[links[i].from].x - out.nodes[links[k].from].x;
            const int64_t down = out.nodes[links[i].to].x - out.nodes[links[k].to].x;
            crossings += (up < 0 && down > 0) || (up > 0 && down < 0);
        }
    }
    HOIST_EXPECT_EQ(t, crossings, 0);
    hoist_arena_deinit(&arena);
}

// What is read late is drawn late.
HOIST_TEST(sources_are_above_their_readers)
{
    static const hoist_layout_size sizes[5] = {{40, 20}, {40, 20}, {40, 20}, {40, 20}, {40, 20}};
    static const hoist_layout_link links[] = {{0, 1}, {1, 2}, {2, 3}, {4, 3}};
    const hoist_layout_input in = {sizes, links, 5, HOIST_COUNT_OF(links), GAP_X, GAP_Y, NULL};
    hoist_arena arena;
    hoist_layout out;
    hoist_arena_init(&arena, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_layout_find(&in, &arena, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.layers[4], 2);
    hoist_arena_deinit(&arena);
}

// Limits ------------------------------------------------------------------------------------------

static hoist_status find_with(hoist_allocator alloc, const void *self)
{
    hoist_arena arena;
    hoist_layout out;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = hoist_layout_find(self, &arena, &out);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    drawn *const d = hoist_alloc_zero(hoist_allocator_system(), 1, sizeof(*d));
    make_complete(d);
    link_nodes(d, 3, 3);
    hoist_test_starve(t, find_with, &d->in);
    hoist_arena_deinit(&d->arena);
    hoist_free(hoist_allocator_system(), d, sizeof(*d));
}

HOIST_TEST(time_and_numbers_have_limits)
{
    drawn *const d = hoist_alloc_zero(hoist_allocator_system(), 1, sizeof(*d));
    make_network(d);
    HOIST_EXPECT_EQ(t, hoist_deadline_create(hoist_allocator_system(), 0, &d->in.deadline),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_layout_find(&d->in, &d->arena, &d->out), HOIST_LIMIT);
    hoist_deadline_destroy(d->in.deadline);
    d->in.deadline = NULL;
    d->in.node_count = ((size_t)1 << 28) + 1;
    HOIST_EXPECT_EQ(t, hoist_layout_find(&d->in, &d->arena, &d->out), HOIST_LIMIT);
    hoist_arena_deinit(&d->arena);
    hoist_free(hoist_allocator_system(), d, sizeof(*d));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(graphs_of_all_shapes), HOIST_TEST_ROW(random_graphs),
                HOIST_TEST_ROW(straight_lines_and_symmetry), HOIST_TEST_ROW(crossings_go),
                HOIST_TEST_ROW(sources_are_above_their_readers), HOIST_TEST_ROW(memory_may_run_out),
                HOIST_TEST_ROW(time_and_numbers_have_limits))
