// Parts of a picture of two graphs, the second of which reads what the first one writes.
#include "base/alloc.h"
#include "base/span.h"
#include "picture/choose.h"
#include "picture/draw.h"
#include "testing/test.h"
#include "testing/trace.h"

static void add_op(hoist_picture *p, const char *name, const char *type, int64_t column)
{
    const hoist_picture_node node = {
        .kind = HOIST_PICTURE_OP,
        .name = hoist_str_from(name),
        .sort = hoist_str_from(type),
        .cores = {.is_placed = true, .column = column, .rows = 1, .columns = 1}};
    (void)hoist_picture_add_node(p, &node);
    hoist_picture_str(p, "type", hoist_str_from(type), HOIST_PICTURE_HIDDEN);
}

static void add_queue(hoist_picture *p, const char *name)
{
    const hoist_picture_node node = {
        .kind = HOIST_PICTURE_QUEUE, .name = hoist_str_from(name), .is_shared = true};
    (void)hoist_picture_add_node(p, &node);
}

static void begin(hoist_picture *p, const char *name, uint64_t epoch)
{
    const hoist_picture_graph graph = {
        .title = "graph", .name = hoist_str_from(name), .rows = 1, .columns = 3};
    hoist_picture_begin_graph(p, &graph);
    hoist_picture_uint(p, "epoch", epoch, HOIST_PICTURE_NAMED);
}

static hoist_status fill(hoist_picture *p)
{
    begin(p, "first", 0);
    add_op(p, "mha.query", "matmul", 0);
    add_op(p, "mha.key", "matmul", 1);
    add_op(p, "sum", "add", 2);
    add_queue(p, "in");
    add_queue(p, "between");
    hoist_picture_connect(p, HOIST_PICTURE_READS, 3, 0);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 3, 1);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 0, 2);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 1, 2);
    hoist_picture_connect(p, HOIST_PICTURE_WRITES, 2, 4);
    hoist_picture_end_graph(p);
    begin(p, "second", 1);
    add_op(p, "relu", "relu", 0);
    add_queue(p, "between");
    hoist_picture_connect(p, HOIST_PICTURE_READS, 1, 0);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 1, 0);
    hoist_picture_end_graph(p);
    static const hoist_picture_use uses[] = {{"used_bytes", "used", 10}};
    hoist_picture_memory memory = {.name = "host",
                                   .graph = HOIST_STR("second"),
                                   .graph_index = 1,
                                   .uses = uses,
                                   .use_count = 1};
    hoist_picture_add_memory(p, &memory);
    memory = (hoist_picture_memory){.name = "dram", .is_channel = true};
    hoist_picture_add_memory(p, &memory);
    return hoist_picture_status(p);
}

// clang-format off
static const struct {
    const char *name;
    hoist_picture_choice choice;
    bool found;
    const char *expected;
} parts[] = {
    {"a graph has its own memory", {.graph = "second"}, true,
     "graph second\n"
     "============\n"
     "  epoch 1\n"
     "  1 op on 1 of 3 workers (33.3 %)\n"
     "\n"
     "        0\n"
     "      +---+\n"
     "    0 | a |   a  relu                            relu 1x1\n"
     "      +---+\n"
     "      free beyond: 2 columns\n"
     "\n"
     "   1 between --+--> a relu\n"
     "     between --'\n"
     "\n"
     "\n"
     "  memory host, 10 B\n"
     "    used                 |#######################|    10 B\n"},
    {"no graph of that name", {.graph = "third"}, false, ""},
    {"an op and its neighbours", {.op = "sum"}, true,
     "graph first\n"
     "===========\n"
     "  epoch 0\n"
     "  1 op on 1 of 3 workers (33.3 %)\n"
     "\n"
     "        0   1   2\n"
     "      +-------+---+\n"
     "    0 | .   . | a |   a  sum                      add 1x1\n"
     "      +-------+---+\n"
     "\n"
     "   1 mha.query --+--> a sum -----> between\n"
     "       mha.key --'\n"
     "\n"},
    {"a queue in two graphs", {.op = "between"}, true,
     "graph first\n"
     "===========\n"
     "  epoch 0\n"
     "  1 op on 1 of 3 workers (33.3 %)\n"
     "\n"
     "        0   1   2\n"
     "      +-------+---+\n"
     "    0 | .   . | a |   a  sum                      add 1x1\n"
     "      +-------+---+\n"
     "\n"
     "   1 mha.query --+--> a sum -----> between\n"
     "       mha.key --'\n"
     "\n"
     "graph second\n"
     "============\n"
     "  epoch 1\n"
     "  1 op on 1 of 3 workers (33.3 %)\n"
     "\n"
     "        0\n"
     "      +---+\n"
     "    0 | a |   a  relu                            relu 1x1\n"
     "      +---+\n"
     "      free beyond: 2 columns\n"
     "\n"
     "   1 between --+--> a relu\n"
     "     between --'\n"
     "\n"},
    {"an op of the other graph", {.graph = "second", .op = "sum"}, false, ""},
    {"groups", {.graph = "first", .by_depth = true, .depth = 1}, true,
     "graph first\n"
     "===========\n"
     "  epoch 0\n"
     "\n"
     "     name        reads  nodes  type\n"
     "  a  in                     1\n"
     "  0  mha         a          2\n"
     "  1  sum         0          1  add\n"
     "  b  between     1          1\n"},
    {"graphs", {.by_depth = true}, true,
     "graphs\n"
     "======\n"
     "\n"
     "     name        reads  epoch  ops\n"
     "  0  first                  0    3\n"
     "  1  second      0          1    1\n"},
};
// clang-format on

HOIST_TEST_TABLE(parts_of_a_picture, parts)
{
    hoist_picture all;
    hoist_picture part;
    hoist_buffer out;
    bool found = false;
    hoist_picture_init(&all, hoist_allocator_system());
    hoist_picture_init(&part, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, fill(&all), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_picture_choose(&all, &row->choice, &part, &found), HOIST_OK);
    HOIST_EXPECT_EQ(t, found, row->found);
    HOIST_EXPECT_EQ(t, hoist_picture_text(&part, 60, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->expected);
    hoist_buffer_deinit(&out);
    hoist_picture_deinit(&part);
    hoist_picture_deinit(&all);
}

// Ops as events: of a part all steps, of one op what it is connected to.
static hoist_str events_of(hoist_test *t, const hoist_picture_choice *choice,
                           hoist_status (*send)(const hoist_picture *p, hoist_tree_sink *sink))
{
    hoist_picture all;
    hoist_picture part;
    hoist_buffer text;
    bool found = false;
    hoist_picture_init(&all, hoist_allocator_system());
    hoist_picture_init(&part, hoist_allocator_system());
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    HOIST_EXPECT_EQ(t, fill(&all), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_picture_choose(&all, choice, &part, &found), HOIST_OK);
    HOIST_EXPECT_EQ(t, send(&part, &sink), HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&text));
    hoist_buffer_deinit(&text);
    hoist_picture_deinit(&part);
    hoist_picture_deinit(&all);
    return copy;
}

HOIST_TEST(ops_are_events)
{
    const hoist_picture_choice second = {.graph = "second"};
    HOIST_EXPECT_STR(t, events_of(t, &second, hoist_picture_ops),
                     "selected: list\n"
                     "map\n"
                     "name: str 6 second\n"
                     "epoch: uint 1\n"
                     "ops: list\n"
                     "map\n"
                     "name: str 4 relu\n"
                     "kind: str 2 op\n"
                     "type: str 4 relu\n"
                     "cores: str 11 1x1 at 0, 0\n"
                     "end\n"
                     "end\n"
                     "end\n"
                     "end\n");
    const hoist_picture_choice key = {.op = "mha.key"};
    HOIST_EXPECT_STR(t, events_of(t, &key, hoist_picture_op),
                     "selected: list\n"
                     "map\n"
                     "name: str 5 first\n"
                     "epoch: uint 0\n"
                     "ops: list\n"
                     "map\n"
                     "name: str 7 mha.key\n"
                     "kind: str 2 op\n"
                     "type: str 6 matmul\n"
                     "cores: str 11 1x1 at 0, 1\n"
                     "reads: list\n"
                     "str 2 in\n"
                     "end\n"
                     "read_by: list\n"
                     "str 3 sum\n"
                     "end\n"
                     "writes: list\n"
                     "end\n"
                     "written_by: list\n"
                     "end\n"
                     "end\n"
                     "end\n"
                     "end\n"
                     "end\n");
}

static hoist_status choose_all(hoist_allocator alloc, const void *self)
{
    hoist_picture all;
    hoist_picture part;
    bool found = false;
    hoist_picture_init(&all, alloc);
    hoist_picture_init(&part, alloc);
    hoist_status status = fill(&all);
    if (status == HOIST_OK) {
        status = hoist_picture_choose(&all, self, &part, &found);
    }
    hoist_picture_deinit(&part);
    hoist_picture_deinit(&all);
    return status;
}

HOIST_TEST(survives_every_failed_allocation)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(parts); i++) {
        hoist_test_starve(t, choose_all, &parts[i].choice);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(parts_of_a_picture), HOIST_TEST_ROW(ops_are_events),
                HOIST_TEST_ROW(survives_every_failed_allocation))
