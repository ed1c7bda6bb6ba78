// Graphs as data: layers and order of steps, attributes of the row that they follow, edges by node.
#include "base/alloc.h"
#include "base/picture.h"
#include "base/span.h"
#include "testing/test.h"

enum { STEPS = 5, MOST_EDGES = 8 };

static void begin(hoist_picture *p, hoist_allocator alloc)
{
    const hoist_picture_graph graph = {.title = "graph", .name = HOIST_STR("g")};
    hoist_picture_init(p, alloc);
    hoist_picture_begin_graph(p, &graph);
}

static size_t add_node(hoist_picture *p, hoist_picture_node_kind kind, bool is_foreign)
{
    const hoist_picture_node node = {
        .kind = kind, .name = HOIST_STR("n"), .is_foreign = is_foreign};
    return hoist_picture_add_node(p, &node);
}

// clang-format off
static const struct {
    const char *name;
    struct { size_t from, to; } reads[MOST_EDGES]; // the first {0, 0} ends them
    size_t layers[STEPS];
    size_t order[STEPS];
} flows[] = {
    {"no edges",         {{0, 0}},                                 {1, 1, 1, 1, 1}, {0, 1, 2, 3, 4}},
    {"a chain",          {{0, 1}, {1, 2}, {2, 3}, {3, 4}},         {1, 2, 3, 4, 5}, {0, 1, 2, 3, 4}},
    {"backwards",        {{4, 3}, {3, 2}, {2, 1}, {1, 0}},         {5, 4, 3, 2, 1}, {4, 3, 2, 1, 0}},
    {"the deepest",      {{0, 1}, {1, 2}, {0, 3}, {2, 3}, {0, 4}}, {1, 2, 3, 4, 2}, {0, 1, 4, 2, 3}},
    {"read twice",       {{0, 1}, {0, 1}, {1, 2}},                 {1, 2, 3, 1, 1}, {0, 3, 4, 1, 2}},
    {"a cycle",          {{0, 1}, {1, 2}, {2, 1}, {2, 3}},         {1, 0, 0, 0, 1}, {0, 4, 1, 2, 3}},
    {"itself",           {{1, 1}, {2, 3}},                         {1, 0, 1, 2, 1}, {0, 2, 4, 3, 1}},
    {"from a place",     {{STEPS, 0}, {0, 1}},                     {1, 2, 1, 1, 1}, {0, 2, 3, 4, 1}},
    {"of another graph", {{STEPS + 1, 0}, {0, STEPS + 1}, {0, 2}}, {1, 1, 2, 1, 1}, {0, 1, 3, 4, 2}},
};
// clang-format on

HOIST_TEST_TABLE(steps_have_layers, flows)
{
    hoist_picture p;
    begin(&p, hoist_allocator_system());
    for (size_t i = 0; i < STEPS; i++) {
        HOIST_EXPECT_EQ(t, add_node(&p, HOIST_PICTURE_OP, false), i);
    }
    (void)add_node(&p, HOIST_PICTURE_QUEUE, false);
    (void)add_node(&p, HOIST_PICTURE_OP, true);
    for (size_t i = 0; row->reads[i].from || row->reads[i].to; i++) {
        hoist_picture_connect(&p, HOIST_PICTURE_READS, row->reads[i].from, row->reads[i].to);
    }
    hoist_picture_end_graph(&p);
    HOIST_EXPECT_EQ(t, hoist_picture_status(&p), HOIST_OK);
    const hoist_picture_graph *const g = p.graphs;
    HOIST_EXPECT_EQ(t, g->step_count, STEPS);
    for (size_t i = 0; i < STEPS; i++) {
        HOIST_EXPECT_EQ(t, g->nodes[i].layer, row->layers[i]);
        HOIST_EXPECT_EQ(t, g->order[i], row->order[i]);
    }
    hoist_picture_deinit(&p);
}

HOIST_TEST(attributes_belong_to_the_last_row)
{
    hoist_picture p;
    begin(&p, hoist_allocator_system());
    hoist_picture_uint(&p, "of the graph", 1, HOIST_PICTURE_NAMED);
    (void)add_node(&p, HOIST_PICTURE_OP, false);
    (void)add_node(&p, HOIST_PICTURE_QUEUE, false);
    hoist_picture_bytes(&p, "bytes", 2, HOIST_PICTURE_COLUMN);
    hoist_picture_str(&p, "none", (hoist_str){NULL, 0}, HOIST_PICTURE_HIDDEN);
    hoist_picture_list(&p, "no list", NULL, 0, HOIST_PICTURE_HIDDEN);
    hoist_picture_end_graph(&p);
    const hoist_picture_graph *const g = p.graphs;
    HOIST_EXPECT_EQ(t, g->attr_count, 1);
    HOIST_EXPECT_EQ(t, g->nodes[0].attr_count, 0);
    HOIST_EXPECT_EQ(t, g->nodes[1].attr_count, 3);
    HOIST_EXPECT_EQ(t, g->nodes[1].first_attr, 1);
    HOIST_EXPECT_EQ(t, g->attrs[1].value.uinteger, 2);
    HOIST_EXPECT_EQ(t, g->attrs[1].unit, HOIST_UNIT_BYTES);
    HOIST_EXPECT_EQ(t, g->attrs[2].kind, HOIST_TREE_NULL);
    HOIST_EXPECT_EQ(t, g->attrs[3].kind, HOIST_TREE_NULL);
    hoist_picture_deinit(&p);
}

HOIST_TEST(edges_by_node)
{
    hoist_picture p;
    hoist_picture_index index;
    begin(&p, hoist_allocator_system());
    for (size_t i = 0; i < 3; i++) {
        (void)add_node(&p, HOIST_PICTURE_OP, false);
    }
    hoist_picture_connect(&p, HOIST_PICTURE_READS, 0, 2);
    hoist_picture_connect(&p, HOIST_PICTURE_WRITES, 1, 2);
    hoist_picture_connect(&p, HOIST_PICTURE_READS, 1, 2);
    hoist_picture_connect(&p, HOIST_PICTURE_READS, 0, 1);
    hoist_picture_end_graph(&p);
    HOIST_EXPECT_EQ(t, hoist_picture_index_edges(p.graphs, hoist_picture_reader, &t->arena, &index),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_picture_edges_of(&index, 0), 0);
    HOIST_EXPECT_EQ(t, hoist_picture_edges_of(&index, 1), 1);
    HOIST_EXPECT_EQ(t, hoist_picture_edges_of(&index, 2), 2);
    HOIST_EXPECT_EQ(t, index.edges[index.first[1]], 3);
    HOIST_EXPECT_EQ(t, index.edges[index.first[2]], 0);
    HOIST_EXPECT_EQ(t, index.edges[index.first[2] + 1], 2);
    hoist_picture_deinit(&p);
}

HOIST_TEST(totals_saturate)
{
    hoist_picture_use uses[] = {{"a", "a", 1}, {"b", "b", 2}};
    const hoist_picture_memory memory = {.uses = uses, .use_count = 2};
    HOIST_EXPECT_EQ(t, hoist_picture_total(&memory), 3);
    uses[1].bytes = UINT64_MAX - 1;
    HOIST_EXPECT_EQ(t, hoist_picture_total(&memory), UINT64_MAX);
    uses[1].bytes = UINT64_MAX;
    HOIST_EXPECT_EQ(t, hoist_picture_total(&memory), UINT64_MAX);
}

// What fails stays failed, and takes no more rows.
static hoist_status build(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_picture p;
    begin(&p, alloc);
    for (size_t i = 0; i < 20; i++) {
        const size_t node = add_node(&p, HOIST_PICTURE_OP, false);
        hoist_picture_uint(&p, "number", i, HOIST_PICTURE_HIDDEN);
        hoist_picture_connect(&p, HOIST_PICTURE_READS, node / 2, node);
    }
    const hoist_picture_memory memory = {.name = "host"};
    hoist_picture_add_memory(&p, &memory);
    hoist_picture_end_graph(&p);
    const hoist_status status = hoist_picture_status(&p);
    hoist_picture_deinit(&p);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, build, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(steps_have_layers),
                HOIST_TEST_ROW(attributes_belong_to_the_last_row), HOIST_TEST_ROW(edges_by_node),
                HOIST_TEST_ROW(totals_saturate), HOIST_TEST_ROW(memory_may_run_out))
