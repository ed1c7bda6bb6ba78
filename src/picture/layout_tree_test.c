// Layouts as events: exact for small pictures, with numbers that fit those of the graphs' events.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/span.h"
#include "picture/draw.h"
#include "testing/test.h"
#include "testing/trace.h"

// A node is a letter of its kind and its name; an edge two digits, the numbers of nodes.
typedef struct small_graph {
    const char *nodes[4];
    const char *edges[4];
} small_graph;

static void add_nodes(hoist_picture *p, const small_graph *g)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(g->nodes) && g->nodes[i]; i++) {
        const char what = g->nodes[i][0];
        const hoist_picture_node node = {.kind =
                                             what == 'q' ? HOIST_PICTURE_QUEUE : HOIST_PICTURE_OP,
                                         .name = hoist_str_from(g->nodes[i] + 1),
                                         .is_for_people = what == 'p'};
        (void)hoist_picture_add_node(p, &node);
        if (what == 't') {
            hoist_picture_str(p, "type", HOIST_STR("a long type"), HOIST_PICTURE_VALUE);
        }
    }
}

static hoist_status fill(hoist_picture *p, const small_graph *g)
{
    const hoist_picture_graph graph = {.title = "graph", .name = HOIST_STR("g")};
    hoist_picture_begin_graph(p, &graph);
    add_nodes(p, g);
    for (size_t i = 0; i < HOIST_COUNT_OF(g->edges) && g->edges[i]; i++) {
        const size_t to = (size_t)(g->edges[i][1] - '0');
        const hoist_picture_edge edge = {.kind = HOIST_PICTURE_READS,
                                         .from = (size_t)(g->edges[i][0] - '0'),
                                         .to = to,
                                         .is_for_people = g->nodes[to][0] == 'p'};
        hoist_picture_add_edge(p, &edge);
    }
    hoist_picture_end_graph(p);
    return hoist_picture_status(p);
}

// clang-format off
static const struct {
    const char *name;
    small_graph graph;
    const char *sizes; // of the nodes, "width x height" each
    const char *ways;  // of the edges: the way, and whether it goes back
} graphs[] = {
    {"nothing",                {{NULL}, {NULL}},                          "",                ""},
    {"a node",                 {{"qx"}, {NULL}},                          "68x40",           ""},
    {"a kind is the text",     {{"oabcdefghij"}, {NULL}},                 "82x40",           ""},
    {"a type is longer",       {{"tx"}, {NULL}},                          "89x40",           ""},
    {"a long name is cut",     {{"o0123456789012345678901234567890123456789"}, {NULL}}, "208x40", ""},
    {"wide characters",        {{"o\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad"}, {NULL}}, "82x40", ""},
    {"an edge",                {{"qx", "oy"}, {"01"}},                    "68x40 68x40",     "00"},
    {"a cycle",                {{"ox", "oy"}, {"01", "10"}},              "68x40 68x40",     "01 00"},
    {"a loop",                 {{"ox"}, {"00"}},                          "68x40",           "21"},
    {"rows for people",        {{"ox", "oy", "pz"}, {"01", "02"}},        "68x40 68x40",     "00"},
};
// clang-format on

// The numbers of the events from the list `key` on, up to its end.
static size_t numbers_of(hoist_str events, const char *key, int64_t *out, size_t most)
{
    const char *at = strstr(events.data, key);
    size_t count = 0;
    for (at = at ? at + strlen(key) : NULL; at && count < most; at = strchr(at, '\n') + 1) {
        const char *number = strstr(at, "int ");
        const char *line = strchr(at, '\n');
        if (!number || !line || number > line) {
            break;
        }
        out[count++] = strtoll(number + 4, NULL, 10);
    }
    return count;
}

static hoist_str events_of(hoist_test *t, const small_graph *g)
{
    hoist_picture p;
    hoist_buffer text;
    hoist_picture_init(&p, hoist_allocator_system());
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    HOIST_EXPECT_EQ(t, fill(&p, g), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_picture_layouts(&p, &sink), HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    hoist_picture_deinit(&p);
    return copy;
}

HOIST_TEST_TABLE(sizes_follow_from_texts, graphs)
{
    const hoist_str events = events_of(t, &row->graph);
    int64_t numbers[16];
    char text[128] = "";
    size_t used = 0;
    const size_t count = numbers_of(events, "nodes: list\n", numbers, HOIST_COUNT_OF(numbers));
    for (size_t i = 0; i + 4 <= count; i += 4) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lldx%lld", i ? " " : "",
                                 (long long)numbers[i + 2], (long long)numbers[i + 3]);
        HOIST_EXPECT(t, numbers[i] >= 0 && numbers[i + 1] >= 0);
    }
    HOIST_EXPECT_EQ(t, count % 4, 0);
    HOIST_EXPECT_STR(t, hoist_str_from(text), row->sizes);
}

HOIST_TEST_TABLE(edges_keep_their_order, graphs)
{
    const hoist_str events = events_of(t, &row->graph);
    char text[64] = "";
    size_t used = 0;
    int64_t numbers[128];
    const size_t count = numbers_of(events, "edges: list\n", numbers, HOIST_COUNT_OF(numbers));
    size_t at = 0;
    while (at + 3 <= count) {
        const size_t points = (size_t)numbers[at + 2];
        HOIST_EXPECT(t, points >= 2 && points < count);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld%lld", used ? " " : "",
                                 (long long)numbers[at], (long long)numbers[at + 1]);
        at += 3 + 2 * points;
    }
    HOIST_EXPECT_EQ(t, at, count);
    HOIST_EXPECT_STR(t, hoist_str_from(text), row->ways);
}

static hoist_status lay_out(hoist_allocator alloc, const void *self)
{
    hoist_picture p;
    hoist_tree_sink sink = hoist_dropping_tree();
    hoist_picture_init(&p, alloc);
    hoist_status status = fill(&p, self);
    if (status == HOIST_OK) {
        status = hoist_picture_layouts(&p, &sink);
    }
    hoist_picture_deinit(&p);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    static const small_graph g = {{"qx", "oy", "oz"}, {"01", "12", "20"}};
    hoist_test_starve(t, lay_out, &g);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(sizes_follow_from_texts), HOIST_TEST_ROW(edges_keep_their_order),
                HOIST_TEST_ROW(memory_may_run_out))
