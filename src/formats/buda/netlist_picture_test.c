// Drawings as golden text, their width, and netlists that are hard to draw.
#include <string.h>

#include "formats/buda/buda.h"
#include "formats/buda/netlist_testing.h"
#include "testing/drawing.h"

// Draws `text` in `width` columns; the drawing is in the test's arena.
static hoist_str draw(hoist_test *t, hoist_bytes text, size_t width)
{
    const hoist_buda_module *module = buda_test_read(t, text);
    if (!module) {
        return HOIST_STR("");
    }
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(
        t, hoist_drawing_text(&hoist_buda_format, &module->base, NULL, t->diag, width, &out),
        HOIST_OK);
    const hoist_str drawn = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    buda_test_destroy(module);
    return drawn;
}

// clang-format off
// The worker grid of graph side below its first row.
#define SIDE_GRID \
    "      |                               |\n" \
    "    1 | .   .   .   .   .   .   .   . |\n" \
    "      |                               |\n" \
    "    2 | .   .   .   .   .   .   .   . |\n" \
    "      |                               |\n" \
    "    3 | .   .   .   .   .   .   .   . |\n" \
    "      |                               |\n" \
    "    4 | .   .   .   .   .   .   .   . |\n" \
    "      |                               |\n" \
    "    5 | .   .   .   .   .   .   .   . |\n" \
    "      |                               |\n" \
    "    6 | .   .   .   .   .   .   .   . |\n" \
    "      |                               |\n" \
    "    7 | .   .   .   .   .   .   .   . |\n" \
    "      |                               |\n" \
    "    8 | .   .   .   .   .   .   .   . |\n" \
    "      |                           +---+\n" \
    "    9 | .   .   .   .   .   .   . | a |\n" \
    "      +---------------------------+---+\n"

static const char wide[] =
    "graph fwd\n"
    "=========\n"
    "  chip 0, epoch 0, input_count 2\n"
    "  2 ops on 6 of 80 workers (7.5 %)\n"
    "\n"
    "        0   1   2   3\n"
    "      +-------+-------+\n"
    "    0 | a   a | b   b |   a  mm                                  matmul   2x2\n"
    "      |       +-------+   b  act                                 fused_op 2x1T\n"
    "    1 | a   a | .   . |\n"
    "      +-------+-------+\n"
    "      free beyond: 8 rows, 4 columns\n"
    "\n"
    "   1   in --+--> a mm  --+--> b act\n"
    "        w --'            +--> b act\n"
    "                         '--> copy\n"
    "   2 a mm --+--> b act -----> out\n"
    "     a mm --'\n"
    "\n"
    "graph side\n"
    "==========\n"
    "  chip 1, epoch 0, input_count 2\n"
    "  1 op on 1 of 80 workers (1.2 %)\n"
    "\n"
    "        0   1   2   3   4   5   6   7\n"
    "      +-------------------------------+\n"
    "    0 | .   .   .   .   .   .   .   . |   a  copy                     nop 1x1\n"
    SIDE_GRID
    "\n"
    "   1 mm -----> a copy\n"
    "\n"
    "memory of chip 0\n"
    "  dram 0    0x30000000 |aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaabb|  0x310011a0  69.4 KiB\n"
    "  dram 1    0x31000000 |bb|                                 0x310011a0   4.4 KiB\n"
    "  host 0        0x1000 |ccccccccccccccc|                        0x9220  32.5 KiB\n"
    "\n"
    "    a  in                                                       queue  65.0 KiB\n"
    "    b  w                                                        ram     8.8 KiB\n"
    "    c  out                                                      queue  32.5 KiB\n";

static const char narrow[] =
    "graph fwd\n"
    "=========\n"
    "  chip 0, epoch 0, input_count 2\n"
    "  2 ops on 6 of 80 workers (7.5 %)\n"
    "\n"
    "        0   1   2   3\n"
    "      +-------+-------+\n"
    "    0 | a   a | b   b |\n"
    "      |       +-------+\n"
    "    1 | a   a | .   . |\n"
    "      +-------+-------+\n"
    "    a  mm                matmul   2x2\n"
    "    b  act               fused_op 2x1T\n"
    "      free beyond: 8 rows, 4 columns\n"
    "\n"
    "   1   in --+--> a mm  --+--> b act\n"
    "        w --'            +--> b act\n"
    "                         '--> copy\n"
    "   2 a mm --+--> b act -----> out\n"
    "     a mm --'\n"
    "\n"
    "graph side\n"
    "==========\n"
    "  chip 1, epoch 0, input_count 2\n"
    "  1 op on 1 of 80 workers (1.2 %)\n"
    "\n"
    "        0   1   2   3   4   5   6   7\n"
    "      +-------------------------------+\n"
    "    0 | .   .   .   .   .   .   .   . |\n"
    SIDE_GRID
    "    a  copy                   nop 1x1\n"
    "\n"
    "   1 mm -----> a copy\n"
    "\n"
    "memory of chip 0\n"
    "  dram 0    0x30000000 |aaaaa|  69.4 KiB\n"
    "  dram 1    0x31000000 |b|       4.4 KiB\n"
    "  host 0        0x1000 |cc|     32.5 KiB\n"
    "\n"
    "    a  in               queue  65.0 KiB\n"
    "    b  w                ram     8.8 KiB\n"
    "    c  out              queue  32.5 KiB\n";
// clang-format on

HOIST_TEST(wide_drawing)
{
    HOIST_EXPECT_STR(t, draw(t, buda_test_patched(t, buda_test_show_netlist, NULL, NULL), 0), wide);
}

HOIST_TEST(narrow_drawing)
{
    HOIST_EXPECT_STR(t, draw(t, buda_test_patched(t, buda_test_show_netlist, NULL, NULL), 40),
                     narrow);
}

// clang-format off
static const char chain[] =
    "devices: {arch: wormhole_b0}\nqueues:\n" REF_QUEUE("q", "HOST", "4", "0x10100000")
    "graphs:\n" REF_GRAPH("g", "1") REF_NOP("last", "middle") REF_NOP("middle", "first") REF_NOP("first", "q")
    REF_OP("both", "add", "first, middle", "Float32, Float32", ", t: 1")
    "programs:\n" REF_P REF_EXECUTE("g", REF_SET("q", "0", "0"));

static const char chain_flow[] =
    "   1        q -----> c first  --+--> b middle\n"
    "                                '--> d both\n"
    "   2  c first -----> b middle --+--> a last\n"
    "                                '--> d both\n"
    "   3 b middle -----> a last\n"
    "      c first --+--> d both\n"
    "     b middle --'\n";
// clang-format on

// An op comes after all that it reads, wherever it is written.
HOIST_TEST(ops_are_drawn_in_the_order_of_data)
{
    const hoist_str drawn = draw(t, buda_test_patched(t, chain, NULL, NULL), 0);
    HOIST_EXPECT(t, hoist_str_contains(drawn, chain_flow));
}

// Nothing is free beyond rows that are not drawn.
HOIST_TEST(graphs_outside_the_grid_have_no_map)
{
    const hoist_str drawn = draw(
        t, buda_test_patched(t, buda_test_show_netlist, "grid_loc: [9, 7]", "grid_loc: [99, 7]"),
        0);
    const char *side = strstr(drawn.data, "graph side");
    HOIST_EXPECT(t, side && !strstr(side, "free beyond"));
}

static size_t longest_line(hoist_str text)
{
    size_t longest = 0;
    size_t start = 0;
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '\n') {
            longest = i - start > longest ? i - start : longest;
            start = i + 1;
        }
    }
    return longest;
}

// clang-format off
static const struct {
    const char *name;
    size_t width;
    const char *find, *put; // change of the netlist
    const char *shows;      // a piece of the drawing; NULL: any
} cases[] = {
    {"below the least width",  1,   NULL, NULL, NULL},
    {"60 columns",             60,  NULL, NULL, NULL},
    {"200 columns",            200, NULL, NULL, NULL},
    {"shared core",            80,  "grid_loc: [0, 2]", "grid_loc: [0, 1]", "| # |"},
    {"outside the grid",       80,  "grid_loc: [9, 7]", "grid_loc: [99, 7]", "1 op on 0 of 80 workers"},
    {"beyond the edge",        80,  "grid_loc: [9, 7], grid_size: [1, 1]", "grid_loc: [9, 7], grid_size: [5, 5]",
     "1 op on 1 of 80"},
    {"huge grid",              80,  "grid_size: [2, 2], inputs: [in, w]",
     "grid_size: [9223372036854775807, 9223372036854775807], inputs: [in, w]", "2 ops on 80 of 80"},
    {"negative place",         80,  "grid_loc: [0, 0]", "grid_loc: [-1, 0]", NULL},
    {"a cycle",                80,  "inputs: [in, w]", "inputs: [act, w]", "loop"},
    {"reads itself",           80,  "inputs: [in, w]", "inputs: [mm, w]", "loop"},
    {"unknown input",          80,  "inputs: [in, w]", "inputs: [zz, w]", "zz (unknown)"},
    {"no inputs",              80,  "inputs: [in, w]", "inputs: []", "> a mm"},
    {"control bytes",          80,  "  fwd:", "  \"f\\x1b[2Jwd\":", "graph f?[2Jwd"},
    {"a long name",            80,  "    copy:",
     "    a_name_that_is_so_long_that_no_line_of_a_drawing_can_ever_hold_it_next_to_anything_else:",
     ".."},
    {"sizes unknown",          80,  "t: 1, mblock: [2, 1]", "t: 0, mblock: [2, 1]", NULL},
    {"address at the end",     80,  "[0, 0x30000000]", "[0, 0xffffffff]", "0x10001041f"},
};
// clang-format on

HOIST_TEST_TABLE(drawings_keep_their_width, cases)
{
    const hoist_str drawn =
        draw(t, buda_test_patched(t, buda_test_show_netlist, row->find, row->put), row->width);
    HOIST_EXPECT(t, longest_line(drawn) <= (row->width < 40 ? 40 : row->width));
    HOIST_EXPECT(t, !row->shows || hoist_str_contains(drawn, row->shows));
    for (size_t i = 0; i < drawn.size; i++) {
        const char c = drawn.data[i];
        HOIST_EXPECT(t, c == '\n' || (c >= ' ' && c <= '~'));
        HOIST_EXPECT(t, c != '\n' || i == 0 || drawn.data[i - 1] != ' ');
    }
}

// Sixty queues on one chip: more than letters.
HOIST_TEST(many_queues_have_no_legend)
{
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, "devices: {arch: grayskull}\nqueues:\n");
    for (int i = 0; i < 60; i++) {
        hoist_buffer_format(&text,
                            "  q%d: {type: ram, input: HOST, entries: 1, grid_size: [1, 1], t: 1, "
                            "mblock: [1, 1], ublock: [1, 1], df: Float16, target_device: 0, loc: "
                            "dram, dram: [[0, %d]]}\n",
                            i, 0x30000000 + i * 4096);
    }
    const hoist_str drawn = draw(t, hoist_buffer_bytes(&text), 80);
    HOIST_EXPECT(t, hoist_str_contains(drawn, "60 queues, letters are used again"));
    hoist_buffer_deinit(&text);
}

static hoist_status draw_with(hoist_allocator alloc, const void *module)
{
    hoist_buda_module copy = *(const hoist_buda_module *)module;
    copy.base.alloc = alloc;
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status =
        hoist_drawing_text(&hoist_buda_format, &copy.base, NULL, NULL, 80, &out);
    hoist_buffer_deinit(&out);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    const hoist_buda_module *module =
        buda_test_read(t, buda_test_patched(t, buda_test_show_netlist, NULL, NULL));
    hoist_test_starve(t, draw_with, module);
    buda_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ops_are_drawn_in_the_order_of_data),
                HOIST_TEST_ROW(graphs_outside_the_grid_have_no_map), HOIST_TEST_ROW(wide_drawing),
                HOIST_TEST_ROW(narrow_drawing), HOIST_TEST_ROW(drawings_keep_their_width),
                HOIST_TEST_ROW(many_queues_have_no_legend), HOIST_TEST_ROW(memory_may_run_out))
