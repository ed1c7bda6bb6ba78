// Pictures that no format makes: what texts leave out, cut and count, and the same as events.
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "picture/draw.h"
#include "testing/test.h"
#include "testing/trace.h"

static const int64_t shape[] = {1, 8, 300};

// Three operators in a row, the last one of two inputs; a tensor before and one after; memory.
static hoist_status fill(hoist_picture *p)
{
    static const char *const names[] = {"CONV_2D", "A_NAME_THAT_IS_LONGER_THAN_ITS_COLUMN", "ADD"};
    static const hoist_picture_use uses[] = {{"parameter_bytes", "parameters", 1024},
                                             {"none_bytes", "none", 0},
                                             {"tensor_bytes", "tensors", 1}};
    const hoist_picture_graph graph = {
        .title = "subgraph", .name = HOIST_STR("main"), .is_list = true};
    hoist_picture_begin_graph(p, &graph);
    hoist_picture_uint(p, "operator_count", 3, HOIST_PICTURE_COUNT);
    hoist_picture_uint(p, "gap_count", 1, HOIST_PICTURE_SOME);
    hoist_picture_uint(p, "fault_count", 0, HOIST_PICTURE_SOME);
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        const hoist_picture_node node = {.kind = HOIST_PICTURE_OPERATOR,
                                         .name = hoist_str_from(names[i])};
        (void)hoist_picture_add_node(p, &node);
        hoist_picture_str(p, "runs_on", HOIST_STR("cpu"), HOIST_PICTURE_EXTRA);
        hoist_picture_list(p, "shape", i == 1 ? NULL : shape, i == 0 ? 3 : 0, HOIST_PICTURE_COLUMN);
        hoist_picture_bytes(p, "size_bytes", i * 2400, HOIST_PICTURE_COLUMN);
    }
    for (size_t i = 0; i < 2; i++) {
        const hoist_picture_node node = {.kind = HOIST_PICTURE_TENSOR,
                                         .name = hoist_str_from(i ? "out" : "in\x1b")};
        (void)hoist_picture_add_node(p, &node);
        hoist_picture_list(p, "shape", shape, 2, HOIST_PICTURE_COLUMN);
    }
    hoist_picture_connect(p, HOIST_PICTURE_READS, 3, 0);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 0, 1);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 0, 2);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 1, 2);
    hoist_picture_connect(p, HOIST_PICTURE_WRITES, 2, 4);
    hoist_picture_end_graph(p);
    const hoist_picture_memory memory = {.name = "host",
                                         .graph = graph.name,
                                         .uses = uses,
                                         .use_count = HOIST_COUNT_OF(uses),
                                         .capacity = 2048};
    hoist_picture_add_memory(p, &memory);
    return hoist_picture_status(p);
}

// clang-format off
static const struct {
    const char *name;
    size_t width;
    const char *expected;
} texts[] = {
    {"wide", 64,
     "subgraph main\n"
     "=============\n"
     "  3 operators, 1 gap\n"
     "\n"
     "     name                       reads  runs on  shape       size\n"
     "  a  in?                                        1x8\n"
     "  0  CONV_2D                    a      cpu      1x8x300        -\n"
     "  1  A_NAME_.._THAN_ITS_COLUMN  0      cpu      ?        2.3 KiB\n"
     "  2  ADD                        0 1    cpu      scalar   4.7 KiB\n"
     "  b  out                        2               1x8\n"
     "\n"
     "  memory host, 1.0 KiB of 2.0 KiB\n"
     "    parameters           |##############             |   1.0 KiB\n"
     "    tensors              |#                          |     1 B\n"},
    {"narrow", 40,
     "subgraph main\n"
     "=============\n"
     "  3 operators, 1 gap\n"
     "\n"
     "     name               shape       size\n"
     "  a  in?                1x8\n"
     "  0  CONV_2D            1x8x300        -\n"
     "  1  A_NAM..ITS_COLUMN  ?        2.3 KiB\n"
     "  2  ADD                scalar   4.7 KiB\n"
     "  b  out                1x8\n"
     "\n"
     "  memory host, 1.0 KiB of 2.0 KiB\n"
     "    parameters   |######     |   1.0 KiB\n"
     "    tensors      |#          |     1 B\n"},
};
// clang-format on

HOIST_TEST_TABLE(lists_of_steps, texts)
{
    hoist_picture p;
    hoist_buffer out;
    hoist_picture_init(&p, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, fill(&p), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_picture_text(&p, row->width, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->expected);
    hoist_buffer_deinit(&out);
    hoist_picture_deinit(&p);
}

static hoist_str events_of(hoist_test *t, const hoist_picture *p)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    HOIST_EXPECT_EQ(t, hoist_picture_tree(p, &sink), HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    return copy;
}

HOIST_TEST(events_have_what_texts_leave_out)
{
    static const char *const pieces[] = {
        "name: str 4 main\noperator_count: uint 3\ngap_count: uint 1\nfault_count: uint 0\nnodes: "
        "list\n",
        "id: uint 1\nkind: str 8 operator\n",
        "runs_on: str 3 cpu\nshape: null\nsize_bytes: uint 2400\nlayer: uint 2\nend\n",
        "kind: str 6 writes\nfrom: uint 2\nto: uint 4\nend\n",
        "graph: str 4 main\narea: str 4 host\nparameter_bytes: uint 1024\nnone_bytes: uint 0\n"
        "tensor_bytes: uint 1\ntotal_bytes: uint 1025\ncapacity_bytes: uint 2048\nend\n",
    };
    hoist_picture p;
    hoist_picture_init(&p, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, fill(&p), HOIST_OK);
    const hoist_str events = events_of(t, &p);
    for (size_t i = 0; i < HOIST_COUNT_OF(pieces); i++) {
        HOIST_EXPECT(t, hoist_str_contains(events, pieces[i]));
    }
    hoist_picture_deinit(&p);
}

// Rows that are for people only are not sent; texts have both.
HOIST_TEST(rows_for_people)
{
    hoist_picture p;
    hoist_buffer out;
    hoist_picture_init(&p, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    const hoist_picture_graph graph = {
        .title = "graph", .name = HOIST_STR("g"), .rows = 1, .columns = 2};
    const hoist_picture_node nodes[] = {{.kind = HOIST_PICTURE_OP, .name = HOIST_STR("own")},
                                        {.kind = HOIST_PICTURE_OP,
                                         .name = HOIST_STR("far"),
                                         .is_foreign = true,
                                         .is_for_people = true}};
    const hoist_picture_edge edge = {.kind = HOIST_PICTURE_READS, .is_for_people = true, .to = 1};
    hoist_picture_begin_graph(&p, &graph);
    (void)hoist_picture_add_node(&p, &nodes[0]);
    (void)hoist_picture_add_node(&p, &nodes[1]);
    hoist_picture_add_edge(&p, &edge);
    hoist_picture_end_graph(&p);
    HOIST_EXPECT_EQ(t, hoist_picture_text(&p, 80, &out), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&out), "> a own -----> far\n"));
    HOIST_EXPECT(t, !hoist_str_contains(events_of(t, &p), "far"));
    HOIST_EXPECT(t, hoist_str_contains(events_of(t, &p), "edges: list\nend\n"));
    hoist_buffer_deinit(&out);
    hoist_picture_deinit(&p);
}

static hoist_status draw(hoist_allocator alloc, const void *self)
{
    (void)self;
    hoist_picture p;
    hoist_buffer out;
    hoist_picture_init(&p, alloc);
    hoist_buffer_init(&out, alloc);
    hoist_status status = fill(&p);
    if (status == HOIST_OK) {
        status = hoist_picture_text(&p, 80, &out);
    }
    hoist_buffer_deinit(&out);
    hoist_picture_deinit(&p);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    hoist_test_starve(t, draw, NULL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(lists_of_steps), HOIST_TEST_ROW(events_have_what_texts_leave_out),
                HOIST_TEST_ROW(rows_for_people), HOIST_TEST_ROW(memory_may_run_out))
