// The parts of drawings that lists of steps do not have: the grid and the flow, lanes, signals,
// scratchpads and channels. In: a picture per row, made by a function. Out: its text, whole, as it
// was read line by line against the rows; picture_test.c has lists of steps and events.
#include "base/alloc.h"
#include "base/span.h"
#include "picture/draw.h"
#include "testing/test.h"

static size_t add(hoist_picture *p, hoist_picture_node_kind kind, const char *name)
{
    const hoist_picture_node node = {
        .kind = kind, .name = hoist_str_from(name), .title = "an engine"};
    return hoist_picture_add_node(p, &node);
}

static void add_op(hoist_picture *p, const char *name, hoist_picture_cores cores)
{
    const hoist_picture_node node = {
        .kind = HOIST_PICTURE_OP, .name = hoist_str_from(name), .cores = cores};
    (void)hoist_picture_add_node(p, &node);
    hoist_picture_str(p, "type", HOIST_STR("matmul"), HOIST_PICTURE_HIDDEN);
}

// The grid and the flow ---------------------------------------------------------------------------

// One op over two columns, one that overlaps it, one transposed, one that is not placed, one that
// leaves the grid.
static void fill_grid(hoist_picture *p)
{
    const hoist_picture_graph graph = {
        .title = "graph", .name = HOIST_STR("g"), .rows = 3, .columns = 4};
    hoist_picture_begin_graph(p, &graph);
    add_op(p, "wide", (hoist_picture_cores){.is_placed = true, .rows = 1, .columns = 2});
    add_op(p, "over",
           (hoist_picture_cores){.is_placed = true, .column = 1, .rows = 1, .columns = 1});
    add_op(p, "high",
           (hoist_picture_cores){
               .is_placed = true, .is_transposed = true, .column = 2, .rows = 2, .columns = 1});
    add_op(p, "nowhere", (hoist_picture_cores){.rows = 1, .columns = 1});
    add_op(p, "outside",
           (hoist_picture_cores){.is_placed = true, .column = 3, .rows = 1, .columns = 9});
    hoist_picture_end_graph(p);
}

// Two inputs and two readers of one op; then a cycle, which has no layer; an input that no name
// leads to.
static void fill_flow(hoist_picture *p)
{
    const hoist_picture_graph graph = {
        .title = "graph", .name = HOIST_STR("f"), .rows = 1, .columns = 1};
    const hoist_picture_cores none = {.is_placed = false};
    hoist_picture_begin_graph(p, &graph);
    add_op(p, "sum", none);
    add_op(p, "left", none);
    add_op(p, "right", none);
    add_op(p, "round", none);
    (void)add(p, HOIST_PICTURE_QUEUE, "in");
    (void)add(p, HOIST_PICTURE_UNKNOWN, "lost");
    (void)add(p, HOIST_PICTURE_QUEUE, "out");
    hoist_picture_connect(p, HOIST_PICTURE_READS, 4, 0);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 5, 0);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 0, 1);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 0, 2);
    hoist_picture_connect(p, HOIST_PICTURE_READS, 3, 3);
    hoist_picture_connect(p, HOIST_PICTURE_WRITES, 2, 6);
    hoist_picture_end_graph(p);
}

// Lanes and signals -------------------------------------------------------------------------------

static void add_move(hoist_picture *p, size_t from, size_t to, size_t via, uint64_t bytes)
{
    const hoist_picture_edge edge = {
        .kind = HOIST_PICTURE_MOVES, .from = from, .to = to, .via = via, .bytes = bytes};
    hoist_picture_add_edge(p, &edge);
}

// A busy lane with one item of six moves, whose last bytes add up to more than 64 bits; an idle
// lane, which is left out; an item that no lane owns.
static void fill_lanes(hoist_picture *p)
{
    const hoist_picture_graph graph = {.title = "graph", .name = HOIST_STR("lanes")};
    hoist_picture_begin_graph(p, &graph);
    const size_t busy = add(p, HOIST_PICTURE_ENGINE, "pool");
    hoist_picture_uint(p, "instruction_count", 3, HOIST_PICTURE_COUNT);
    (void)add(p, HOIST_PICTURE_ENGINE, "act");
    hoist_picture_uint(p, "instruction_count", 0, HOIST_PICTURE_COUNT);
    const size_t item = add(p, HOIST_PICTURE_QUEUE_SET, "q0");
    hoist_picture_uint(p, "ring_count", 1, HOIST_PICTURE_COUNT);
    (void)add(p, HOIST_PICTURE_QUEUE_SET, "stray");
    const size_t from = add(p, HOIST_PICTURE_VARIABLE, "x");
    const size_t to = add(p, HOIST_PICTURE_VARIABLE, "y");
    hoist_picture_connect(p, HOIST_PICTURE_OWNS, busy, item);
    for (uint64_t i = 0; i < 4; i++) {
        add_move(p, from, to, item, (i + 1) * 1024);
    }
    add_move(p, from, to, item, UINT64_MAX);
    add_move(p, from, to, item, 1);
    hoist_picture_end_graph(p);
}

static void add_signal(hoist_picture *p, uint64_t number)
{
    (void)add(p, HOIST_PICTURE_SEMAPHORE, "s");
    hoist_picture_uint(p, "number", number, HOIST_PICTURE_HIDDEN);
}

// A signal of five items, one of another graph, and a lane; one without either side.
static void fill_signals(hoist_picture *p)
{
    static const char *const names[] = {"q0", "q1", "q2", "q3"};
    const hoist_picture_graph graph = {.title = "graph", .name = HOIST_STR("signals")};
    const hoist_picture_node far = {.kind = HOIST_PICTURE_QUEUE_SET,
                                    .name = HOIST_STR("far"),
                                    .graph = HOIST_STR("sg01"),
                                    .is_foreign = true};
    hoist_picture_begin_graph(p, &graph);
    add_signal(p, 10);
    add_signal(p, 254);
    const size_t lane = add(p, HOIST_PICTURE_ENGINE, "pe");
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        const size_t item = add(p, HOIST_PICTURE_QUEUE_SET, names[i]);
        hoist_picture_connect(p, HOIST_PICTURE_OWNS, lane, item);
        hoist_picture_connect(p, HOIST_PICTURE_RAISES, item, 0);
    }
    hoist_picture_connect(p, HOIST_PICTURE_RAISES, hoist_picture_add_node(p, &far), 0);
    hoist_picture_connect(p, HOIST_PICTURE_RAISES, lane, 0);
    hoist_picture_connect(p, HOIST_PICTURE_AWAITED, 0, lane);
    hoist_picture_end_graph(p);
}

// Memory ------------------------------------------------------------------------------------------

// Three slices: two that overlap, one without bytes at the end.
static void fill_pad(hoist_picture *p)
{
    static const hoist_picture_range slices[] = {{.name = {"x", 1}, .start = 0, .size = 4096},
                                                 {.name = {"y", 1}, .start = 2048, .size = 6144},
                                                 {.name = {"none", 4}, .start = 8192, .size = 0}};
    static const hoist_picture_pad pads[] = {
        {.name = {"p0", 2}, .extent = 8192, .sum = 10240, .ranges = slices, .count = 3}};
    const hoist_picture_graph graph = {.title = "graph", .name = HOIST_STR("pads")};
    hoist_picture_begin_graph(p, &graph);
    hoist_picture_end_graph(p);
    const hoist_picture_memory memory = {.name = "main",
                                         .graph = graph.name,
                                         .has_pads = true,
                                         .pads = pads,
                                         .pad_count = HOIST_COUNT_OF(pads)};
    hoist_picture_add_memory(p, &memory);
}

// Two chips; on the first a full channel and one that is half as full, of two owners. Letters begin
// anew on the second.
static void fill_channels(hoist_picture *p)
{
    static const hoist_picture_range ranges[] = {
        {.name = {"a", 1},
         .type = {"ram", 3},
         .owner = 3,
         .start = 4096,
         .size = 3072,
         .total = 6144},
        {.name = {"b", 1}, .type = {"queue", 5}, .start = 7168, .size = 1024, .total = 1024},
        {.name = {"a", 1},
         .type = {"ram", 3},
         .owner = 3,
         .start = 64,
         .size = 2048,
         .total = 6144},
        {.name = {"c", 1},
         .type = {"ram", 3},
         .owner = 5,
         .start = 7168,
         .size = 1024,
         .total = 2048}};
    const hoist_picture_memory memories[] = {
        {.name = "dram",
         .is_channel = true,
         .used = 4096,
         .end = 8192,
         .ranges = ranges,
         .range_count = 2},
        {.name = "dram",
         .is_channel = true,
         .channel = 1,
         .used = 2048,
         .end = 2112,
         .ranges = &ranges[2],
         .range_count = 1},
        {.name = "host",
         .is_channel = true,
         .chip = 1,
         .used = 1024,
         .end = 8192,
         .ranges = &ranges[3],
         .range_count = 1},
    };
    for (size_t i = 0; i < HOIST_COUNT_OF(memories); i++) {
        hoist_picture_add_memory(p, &memories[i]);
    }
}

// clang-format off
static const struct {
    const char *name;
    void (*fill)(hoist_picture *p);
    size_t width;
    const char *expected;
} parts[] = {
    {"grid", fill_grid, 72,
     "graph g\n"
     "=======\n"
     "  5 ops on 5 of 12 workers (41.7 %)\n"
     "\n"
     "        0   1   2   3\n"
     "      +---+---+---+---+\n"
     "    0 | a | # | c | e |   a  wide                          matmul 1x2\n"
     "      +---+---+   +---+   b  over                          matmul 1x1\n"
     "    1 | .   . | c | . |   c  high                          matmul 1x2T\n"
     "      +-------+---+---+   d  nowhere                       matmul 1x1\n"
     "                          e  outside                       matmul 1x9\n"
     "      free beyond: 1 row\n"
     "\n"
     "   1       > a wide\n"
     "           > b over\n"
     "           > c high\n"
     "           > d nowhere\n"
     "           > e outside\n"
     "\n"},
    {"flow", fill_flow, 72,
     "graph f\n"
     "=======\n"
     "  4 ops on 0 of 1 workers (0.0 %)\n"
     "\n"
     "    a  sum                                                 matmul 0x0\n"
     "    b  left                                                matmul 0x0\n"
     "    c  right                                               matmul 0x0\n"
     "    d  round                                               matmul 0x0\n"
     "\n"
     "   1             in --+--> a sum   --+--> b left\n"
     "     lost (unknown) --'              '--> c right\n"
     "   2          a sum -----> b left\n"
     "              a sum -----> c right -----> out\n"
     "loop        d round -----> d round -----> d round\n"
     "\n"},
    {"narrow flow", fill_flow, 40,
     "graph f\n"
     "=======\n"
     "  4 ops on 0 of 1 workers (0.0 %)\n"
     "\n"
     "    a  sum                 matmul 0x0\n"
     "    b  left                matmul 0x0\n"
     "    c  right               matmul 0x0\n"
     "    d  round               matmul 0x0\n"
     "\n"
     "   1     in --+--> a sum  --+--> b left\n"
     "     l..wn) --'             '--> c..ght\n"
     "   2  a sum -----> b left\n"
     "      a sum -----> c..ght -----> out\n"
     "loop d..und -----> d..und -----> d..und\n"
     "\n"},
    {"lanes", fill_lanes, 60,
     "graph lanes\n"
     "===========\n"
     "\n"
     "  pool  an engine, 3 instructions\n"
     "    q0\n"
     "      1 ring\n"
     "      x                    -> y                      1.0 KiB\n"
     "      x                    -> y                      2.0 KiB\n"
     "      x                    -> y                      3.0 KiB\n"
     "      x                    -> y                      4.0 KiB\n"
     "      and 2 more with 16.0 EiB\n"
     "\n"
     "  queue sets without a known owner\n"
     "    stray\n"},
    {"signals", fill_signals, 72,
     "graph signals\n"
     "=============\n"
     "\n"
     "  pe  an engine\n"
     "    q0\n"
     "    q1\n"
     "    q2\n"
     "    q3\n"
     "\n"
     "  semaphores: who raises, who waits\n"
     "     10  q0, q1, q2 and more, sg01/far, pe               -> pe\n"
     "    254  nobody                                          -> nobody\n"},
    {"scratchpad", fill_pad, 64,
     "graph pads\n"
     "==========\n"
     "\n"
     "  memory main, 0 B\n"
     "\n"
     "  scratchpad main/p0: 10.0 KiB in 8.0 KiB\n"
     "    x                    |aaaaaaaaaaaaa              |   4.0 KiB\n"
     "    y                    |       bbbbbbbbbbbbbbbbbbbb|   6.0 KiB\n"
     "    none                 |                           |     0 B\n"
     "    slices               |111111122222211111111111111|   8.0 KiB\n"},
    {"narrow scratchpad", fill_pad, 40,
     "graph pads\n"
     "==========\n"
     "\n"
     "  memory main, 0 B\n"
     "\n"
     "  scratchpad main/p0: 10.0 KiB in 8.0 KiB\n"
     "    x            |aaaaa      |   4.0 KiB\n"
     "    y            |   bbbbbbbb|   6.0 KiB\n"
     "    none         |           |     0 B\n"
     "    slices       |11122111111|   8.0 KiB\n"},
    {"channels", fill_channels, 72,
     "memory of chip 0\n"
     "  dram 0        0x1000 |aaaaaaaaaaaaaaaaaaabbbbbb|      0x2000   4.0 KiB\n"
     "  dram 1          0x40 |aaaaaaaaaaaaa|                   0x840   2.0 KiB\n"
     "\n"
     "    a  a                                                ram     6.0 KiB\n"
     "    b  b                                                queue   1.0 KiB\n"
     "\n"
     "memory of chip 1\n"
     "  host 0        0x1c00 |aaaaaaaaaaaaaaaaaaaaaaaaa|      0x2000   1.0 KiB\n"
     "\n"
     "    a  c                                                ram     2.0 KiB\n"},
    {"narrow channels", fill_channels, 48,
     "memory of chip 0\n"
     "  dram 0        0x1000 |aaaaaaaaaabbb|   4.0 KiB\n"
     "  dram 1          0x40 |aaaaaaa|         2.0 KiB\n"
     "\n"
     "    a  a                        ram     6.0 KiB\n"
     "    b  b                        queue   1.0 KiB\n"
     "\n"
     "memory of chip 1\n"
     "  host 0        0x1c00 |aaaaaaaaaaaaa|   1.0 KiB\n"
     "\n"
     "    a  c                        ram     2.0 KiB\n"},
};
// clang-format on

HOIST_TEST_TABLE(parts_of_drawings, parts)
{
    hoist_picture p;
    hoist_buffer out;
    hoist_picture_init(&p, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    row->fill(&p);
    HOIST_EXPECT_EQ(t, hoist_picture_status(&p), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_picture_text(&p, row->width, &out), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&out), row->expected);
    hoist_buffer_deinit(&out);
    hoist_picture_deinit(&p);
}

static hoist_status draw(hoist_allocator alloc, const void *self)
{
    const size_t part = *(const size_t *)self;
    hoist_picture p;
    hoist_buffer out;
    hoist_picture_init(&p, alloc);
    hoist_buffer_init(&out, alloc);
    parts[part].fill(&p);
    hoist_status status = hoist_picture_status(&p);
    if (status == HOIST_OK) {
        status = hoist_picture_text(&p, parts[part].width, &out);
    }
    hoist_buffer_deinit(&out);
    hoist_picture_deinit(&p);
    return status;
}

HOIST_TEST(memory_may_run_out_in_each_part)
{
    for (size_t i = 0; i < HOIST_COUNT_OF(parts); i++) {
        hoist_test_starve(t, draw, &i);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(parts_of_drawings), HOIST_TEST_ROW(memory_may_run_out_in_each_part))
