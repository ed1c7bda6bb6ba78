// The netlist of the backend overview as buda-netlist reference section 8.5 corrects it, and the
// four faults that the overview's own form has, one by one.
#include "formats/buda/netlist_testing.h"

#define STORE(input, dram)                                                                         \
    "{type: queue, input: " input ", entries: 256, grid_size: [1, 2], t: 1, mblock: [2, 2], "      \
    "ublock: [2, 4], df: Float16, target_device: 0, loc: dram, dram: " dram "}\n"
#define OP(row, rows, input, m)                                                                    \
    "{type: nop, grid_loc: [" row ", 0], grid_size: [" rows ", 2], inputs: [" input "], "          \
    "in_df: [Float16], acc_df: Float16, out_df: Float16, intermed_df: Float16, ublock_order: r, "  \
    "buf_size_mb: 2, math_fidelity: HiFi3, untilize_output: false, t: 1, mblock: [" m ", 2], "     \
    "ublock: [2, 4]}\n"
#define DEVICES "devices:\n  arch: wormhole_b0\n"
#define PROGRAMS                                                                                   \
    "programs:\n"                                                                                  \
    "  - run_test_binary:\n"                                                                       \
    "      - param: [$p_loop_count]\n"                                                             \
    "      - staticvar: {$rd: 0}\n"                                                                \
    "      - loop: $p_loop_count\n"                                                                \
    "      - execute: {graph_name: test_binary, queue_settings: {q0: {prologue: false, "           \
    "epilogue: false, zero: false, rd_ptr_local: $rd, rd_ptr_global: $rd}}}\n"                     \
    "      - varinst: [$rd, incwrap, 128, 512]\n"                                                  \
    "      - endloop\n"

// clang-format off
static const char corrected[] =
    DEVICES
    "queues:\n"
    "  q0: " STORE("HOST", "[[0, 0x10000000], [2, 0x11000000]]")
    "  q2: " STORE("unary2", "[[1, 0x10000000], [3, 0x10000000]]")
    "graphs:\n"
    "  test_binary:\n"
    "    target_device: 0\n"
    "    input_count: 128\n"
    "    unary0: " OP("0", "1", "q0", "2")
    "    unary1: " OP("1", "2", "unary0", "1")
    "    unary2: " OP("4", "1", "unary1", "2")
    PROGRAMS;

static const struct {
    const char *name;
    const char *find, *put; // in `corrected`
    const char *rule;
    uint32_t line, column;
} faults[] = {
    {"(a) no devices",                DEVICES, "", "BUDA-003a", 1, 1},
    {"(a) no programs",               PROGRAMS, "", "BUDA-002", 1, 1},
    {"(b) q0 of 2 x 4 tiles",         "mblock: [2, 2], ublock: [2, 4]", "mblock: [2, 2], ublock: [1, 1]", "BUDA-063b", 10, 71},
    {"(c) q2 of 2 x 4 tiles",         "ublock: [2, 4], df: Float16, target_device: 0, loc: dram, dram: [[1",
                                      "ublock: [1, 1], df: Float16, target_device: 0, loc: dram, dram: [[1", "BUDA-063b", 5, 3},
    {"(d) one entry for 128 inputs",  "entries: 256", "entries: 1", "BUDA-032a", 18, 61},
};
// clang-format on

HOIST_TEST(corrected_is_clean)
{
    buda_test_check(t, buda_test_patched(t, corrected, NULL, NULL), NULL);
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST_TABLE(faults_are_found, faults)
{
    buda_test_check(t, buda_test_patched(t, corrected, row->find, row->put), NULL);
    buda_test_expect(t, row->rule, row->line, row->column, NULL);
}

// 32 bytes of header, 256 entries of 32 tiles of 2080 bytes.
HOIST_TEST(buffers_have_their_size)
{
    buda_opened opened;
    HOIST_EXPECT(t, buda_test_open(t, buda_test_patched(t, corrected, NULL, NULL), NULL, &opened));
    for (size_t i = 0; i < opened.net.queue_count; i++) {
        HOIST_EXPECT(t, opened.net.queues[i].sizes_known);
        HOIST_EXPECT_EQ(t, opened.net.queues[i].buffer_bytes, 17039392);
    }
    HOIST_EXPECT_EQ(t, opened.net.queue_count, 2);
    buda_test_close(&opened);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(corrected_is_clean), HOIST_TEST_ROW(faults_are_found),
                HOIST_TEST_ROW(buffers_have_their_size))
