// Rules 77 to 80 over netlists with one change each, and what must not be reported.
#include <string.h>

#include "formats/buda/memory_map.h"
#include "formats/buda/netlist_testing.h"

// Queues are on lines 3 to 6. Buffers of a and o: 32 + 2 * 2080 = 4192 bytes.
#define NETLIST(arch, queues, program)                                                             \
    "devices: {arch: " arch "}\nqueues:\n" queues "graphs:\n"                                      \
    "  g:\n    target_device: 0\n    input_count: 1\n"                                             \
    "    x: {type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16], "      \
    "acc_df: Float16, out_df: Float16, intermed_df: Float16, ublock_order: r, buf_size_mb: 2, "    \
    "math_fidelity: HiFi3, untilize_output: false, t: 1, mblock: [1, 1], ublock: [1, 1]}\n"        \
    "    e: {type: ethernet_datacopy, grid_size: [1, 1], inputs: [a], in_df: [Float16], "          \
    "acc_df: Float16, out_df: Float16, intermed_df: Float16, ublock_order: r, buf_size_mb: 2, "    \
    "math_fidelity: HiFi3, untilize_output: false, t: 1, mblock: [1, 1], ublock: [1, 1], "         \
    "attributes: {ingress_channels: [16], egress_channels: [0], dest_device: 1}}\n"                \
    "programs:\n  - p:\n" program
#define BLOCK "entries: 2, t: 1, mblock: [1, 1], ublock: [1, 1], df: Float16, target_device: 0"
#define A                                                                                          \
    "  a: {type: queue, input: HOST, grid_size: [1, 1], " BLOCK                                    \
    ", loc: dram, dram: [[0, 0x30000000]]}\n"
#define O                                                                                          \
    "  o: {type: queue, input: x, grid_size: [1, 2], " BLOCK                                       \
    ", loc: dram, dram: [[1, 0x30000000], [0, 0x30010000]]}\n"
#define H "  h: {type: queue, input: x, grid_size: [1, 1], " BLOCK ", loc: host, host: [0x1000]}\n"
#define D                                                                                          \
    "  d: {type: queue, input: HOST, grid_size: [1, 1], " BLOCK                                    \
    ", loc: dram, dram: [[0, 0x30020000]]}\n"
#define RUN "      - execute: {graph_name: g}\n"
#define TWO "      - allocate_queue: [a, d]\n      - deallocate_queue: [a, d]\n"

static const char gs[] = NETLIST("grayskull", A O H D, RUN);
static const char wh[] = NETLIST("wormhole_b0", A O H D, RUN);
static const char bh[] = NETLIST("blackhole", A O H D, RUN);
static const char one_dynamic[] =
    NETLIST("wormhole_b0", A O H D, "      - allocate_queue: [d]\n      - deallocate_queue: [d]\n");
static const char two_dynamic[] = NETLIST("wormhole_b0", A O H D, TWO);

// clang-format off
static const struct {
    const char *name;
    const char *base;
    const char *find;  // NULL: unchanged
    const char *put;
    const char *rule;  // NULL: nothing is found
    uint32_t line, column;
    const char *says;
} cases[] = {
    {"grayskull is clean",           gs, NULL, NULL, NULL, 0, 0, NULL},
    {"wormhole is clean",            wh, NULL, NULL, NULL, 0, 0, NULL},
    {"blackhole is clean",           bh, NULL, NULL, NULL, 0, 0, NULL},
    {"channel 8 of 8",               gs, "[1, 0x30000000]", "[8, 0x30000000]", "BUDA-080", 4, 148,
     "buffer 0 is on DRAM channel 8, grayskull has channels 0 to 7"},
    {"channel 6 of 6",               wh, "[1, 0x30000000]", "[6, 0x30000000]", "BUDA-080", 4, 148, NULL},
    {"channel 7 of 8",               bh, "[1, 0x30000000]", "[7, 0x30000000]", NULL, 0, 0, NULL},
    {"second buffer's channel",      wh, "[0, 0x30010000]", "[9, 0x30010000]", "BUDA-080", 4, 165,
     "buffer 1 is on DRAM channel 9, wormhole_b0 has channels 0 to 5"},
    {"both channels, one finding",   wh, "[[1, 0x30000000], [0,", "[[8, 0x30000000], [9,", "BUDA-080", 4, 148,
     "(1 more buffer as well)"},
    {"ends past 1 GiB",              gs, "[1, 0x30000000]", "[1, 0x3ffff000]", "BUDA-079c", 4, 148,
     "ends at 0x40000060, its DRAM channel at 0x40000000"},
    {"ends at 1 GiB",                gs, "[1, 0x30000000]", "[1, 0x3fffefa0]", NULL, 0, 0, NULL},
    {"wormhole has 2 GiB",           wh, "[1, 0x30000000]", "[1, 0x3ffff000]", NULL, 0, 0, NULL},
    {"ends past 2 GiB",              wh, "[1, 0x30000000]", "[1, 0x7ffff000]", "BUDA-079c", 4, 148, NULL},
    {"last address",                 bh, "[1, 0x30000000]", "[1, 0xffffffc0]", "BUDA-079c", 4, 148, NULL},
    {"in the reserved part",         wh, "[1, 0x30000000]", "[1, 0x1000]", "BUDA-079d", 4, 148,
     "begins at 0x1000, the backend uses the channel up to 0x30d0000"},
    {"reserved part of channel 3",   wh, "[1, 0x30000000]", "[3, 0x30d0000]", "BUDA-079d", 4, 148, NULL},
    {"above the reserved part",      wh, "[1, 0x30000000]", "[1, 0x30d0000]", NULL, 0, 0, NULL},
    {"not a multiple of 32",         wh, "[1, 0x30000000]", "[1, 0x30000010]", "BUDA-079e", 4, 148,
     "begins at 0x30000010, expected a multiple of 32"},
    {"32 on grayskull",              gs, "[1, 0x30000000]", "[1, 0x30000004]", "BUDA-079e", 4, 148, NULL},
    {"blackhole's 64 is rule 18",    bh, "[1, 0x30000000]", "[1, 0x30000020]", NULL, 0, 0, NULL},
    {"host ends past 1 GiB",         wh, "host: [0x1000]", "host: [0x3ffff000]", "BUDA-078b", 5, 148,
     "ends at 0x40000060, host memory at 0x40000000"},
    {"host address with channel",    wh, "host: [0x1000]", "host: [[1, 0x3ffff000]]", "BUDA-078b", 5, 148, NULL},
    {"input from another chip",      gs, "target_device: 0, loc: dram, dram: [[0, 0x30000000]]",
     "target_device: 1, loc: dram, dram: [[0, 0x30000000]]", "BUDA-077", 3, 130,
     "the queue is on chip 1, a graph on chip 0 reads it"},
    {"the same on wormhole",         wh, "target_device: 0, loc: dram, dram: [[0, 0x30000000]]",
     "target_device: 1, loc: dram, dram: [[0, 0x30000000]]", NULL, 0, 0, NULL},
    {"remote output, channel 1",     gs, "target_device: 0, loc: dram, dram: [[1, 0x30000000]",
     "target_device: 1, loc: dram, dram: [[1, 0x30000000]", "BUDA-077", 4, 148,
     "chip 0 writes buffer 0 of chip 1, which must be on channel 0"},
    {"remote output, too low",       gs, "target_device: 0, loc: dram, dram: [[1, 0x30000000], [0, 0x30010000]",
     "target_device: 1, loc: dram, dram: [[0, 0x30000000], [0, 0x20010000]", "BUDA-077", 4, 165, NULL},
    {"remote output in the window",  gs, "target_device: 0, loc: dram, dram: [[1, 0x30000000]",
     "target_device: 1, loc: dram, dram: [[0, 0x30000000]", NULL, 0, 0, NULL},
    {"static queues overlap",        wh, "[0, 0x30020000]", "[0, 0x30001040]", "BUDA-079a", 6, 151,
     "overlaps buffer 0 of static queue 'a'"},
    {"reported at the later one",    wh, "[0, 0x30000000]", "[0, 0x30020020]", "BUDA-079a", 6, 151, NULL},
    {"side by side",                 wh, "[0, 0x30020000]", "[0, 0x30001060]", NULL, 0, 0, NULL},
    {"overlap within a queue",       wh, "[1, 0x30000000], [0, 0x30010000]", "[1, 0x30000000], [1, 0x30001040]",
     "BUDA-079a", 4, 165, "overlaps buffer 0 of static queue 'o'"},
    {"same range, no alias",         wh, "[0, 0x30020000]", "[0, 0x30000000]", "BUDA-079a", 6, 151, NULL},
    {"another channel",              wh, "[0, 0x30020000]", "[2, 0x30000000]", NULL, 0, 0, NULL},
    {"another chip",                 wh, "target_device: 0, loc: dram, dram: [[0, 0x30020000]",
     "target_device: 1, loc: dram, dram: [[0, 0x30000000]", NULL, 0, 0, NULL},
    {"inside a larger one",          wh, "HOST, grid_size: [1, 1], entries: 2", "HOST, grid_size: [1, 1], entries: 40",
     "BUDA-079a", 4, 165, NULL},
    {"dynamic over static",          one_dynamic, "[0, 0x30020000]", "[0, 0x30001040]", "BUDA-079b", 6, 151,
     "overlaps buffer 0 of static queue 'a'"},
    {"static over dynamic",          one_dynamic, "[0, 0x30000000]", "[0, 0x30020020]", "BUDA-079b", 6, 151, NULL},
    {"two dynamic ones may",         two_dynamic, "[0, 0x30020000]", "[0, 0x30000000]", NULL, 0, 0, NULL},
    {"alias may",                    wh, "loc: dram, dram: [[0, 0x30020000]]",
     "loc: dram, alias: a, dram: [[0, 0x30000000]]", NULL, 0, 0, NULL},
    {"alias of another may not",     wh, "loc: dram, dram: [[0, 0x30020000]]",
     "loc: dram, alias: o, dram: [[0, 0x30000000]]", "BUDA-079a", 6, 161, NULL},
    {"two aliases of one may",       wh, "dram: [[0, 0x30020000]]}",
     "alias: a, dram: [[0, 0x30000000]]}\n"
     "  k: {type: ram, input: HOST, grid_size: [1, 1], " BLOCK ", loc: dram, alias: a, dram: [[0, 0x30000000]]}",
     NULL, 0, 0, NULL},
    {"no size, no overlap",          wh, "input: HOST, grid_size: [1, 1], entries: 2, t: 1", "input: HOST, grid_size: [1, 1], entries: 2, t: 0",
     NULL, 0, 0, NULL},
    {"size overflows",               wh, "input: HOST, grid_size: [1, 1], entries: 2",
     "input: HOST, grid_size: [1, 1], entries: 9223372036854775807", NULL, 0, 0, NULL},
};
// clang-format on

// Runs the memory rules alone, on a net opened with `options`.
static void check_memory(hoist_test *t, hoist_bytes text, const hoist_check_options *options)
{
    const hoist_buda_module *module = buda_test_read(t, text);
    if (!module) {
        return;
    }
    buda_net net;
    const buda_cluster *cluster = NULL;
    HOIST_EXPECT_EQ(t, buda_net_open(module, options, t->diag, &net, &cluster), HOIST_OK);
    const buda_check check = {
        .module = module,
        .net = &net,
        .cluster = cluster,
        .options = options,
        .diag = t->diag,
        .scratch = &t->arena,
        .arch = net.arch,
    };
    HOIST_EXPECT_EQ(t, buda_check_memory(&check), HOIST_OK);
    buda_net_deinit(&net);
    buda_test_destroy(module);
}

static size_t count_memory_findings(const hoist_diag *diag)
{
    return buda_test_count(diag, "BUDA-07") + buda_test_count(diag, "BUDA-080");
}

HOIST_TEST_TABLE(memory_rules, cases)
{
    check_memory(t, buda_test_patched(t, row->base, row->find, row->put), NULL);
    HOIST_EXPECT_EQ(t, count_memory_findings(t->diag), row->rule != NULL);
    if (row->rule) {
        buda_test_expect(t, row->rule, row->line, row->column, row->says);
    }
}

HOIST_TEST(object_path_names_the_queue)
{
    check_memory(t, buda_test_patched(t, wh, "[1, 0x30000000]", "[6, 0x30000000]"), NULL);
    const hoist_finding *finding = buda_test_find(t->diag, "BUDA-080");
    HOIST_EXPECT(t, finding != NULL);
    HOIST_EXPECT_STR(t, finding->object, "queues/o");
}

static hoist_bytes bytes_of(const char *text)
{
    return (hoist_bytes){(const uint8_t *)text, strlen(text)};
}

#define CLUSTER "chips: {0: [0, 0, 0, 0], 1: [1, 0, 0, 0]}\nchips_with_mmio: "

HOIST_TEST(host_queue_needs_mmio)
{
    const hoist_check_options far = {.cluster = bytes_of(CLUSTER "[1]\n")};
    check_memory(t, bytes_of(wh), &far);
    buda_test_expect(t, "BUDA-078a", 5, 27, "op 'x' on chip 0 writes a host queue");
    const hoist_check_options near = {.cluster = bytes_of(CLUSTER "[0]\n")};
    const size_t before = count_memory_findings(t->diag);
    check_memory(t, bytes_of(gs), &near);
    HOIST_EXPECT_EQ(t, count_memory_findings(t->diag), before + 2); // grayskull has no ethernet
}

HOIST_TEST(ethernet_channels_need_a_descriptor)
{
    check_memory(t, bytes_of(wh), NULL);
    HOIST_EXPECT_EQ(t, count_memory_findings(t->diag), 0);
    const hoist_check_options options = {.cluster = bytes_of(CLUSTER "[0]\n")};
    check_memory(t, bytes_of(wh), &options);
    buda_test_expect(t, "BUDA-080", 12, 289, "ethernet channel 16 does not exist, the chip has 16");
}

HOIST_TEST(soc_descriptor_replaces_the_table)
{
    const hoist_check_options options = {
        .soc = bytes_of("arch_name: WORMHOLE_B0\ngrid: {x_size: 10, y_size: 12}\ndram: [0-0]\n"
                        "functional_workers: [1-1]\n"),
        .soc_name = HOIST_STR("soc.yaml"),
    };
    check_memory(t, bytes_of(wh), &options);
    buda_test_expect(t, "BUDA-080", 4, 148, "wormhole_b0 has channels 0 to 0");
}

HOIST_TEST(descriptor_of_another_arch_is_reported)
{
    const hoist_check_options options = {
        .soc = bytes_of("arch_name: GRAYSKULL\ngrid: {x_size: 10, y_size: 12}\ndram: [0-0, 1-0]\n"
                        "functional_workers: [1-1]\n"),
        .soc_name = HOIST_STR("soc.yaml"),
    };
    hoist_diag_source(t->diag, HOIST_STR("net.yaml"), HOIST_STR(""));
    check_memory(t, bytes_of(wh), &options);
    const hoist_finding *finding = buda_test_find(t->diag, "SOC-013");
    HOIST_EXPECT(t, finding != NULL);
    HOIST_EXPECT_STR(t, finding->file, "soc.yaml");
    HOIST_EXPECT_STR(t, hoist_diag_file(t->diag), "net.yaml");
}

HOIST_TEST(bad_descriptors_are_not_used)
{
    const hoist_check_options options = {.soc = bytes_of("[]"), .cluster = bytes_of("[]")};
    check_memory(t, buda_test_patched(t, wh, "[1, 0x30000000]", "[6, 0x30000000]"), &options);
    HOIST_EXPECT_RULE(t, "SOC-001");
    buda_test_expect(t, "BUDA-080", 4, 148, "wormhole_b0 has channels 0 to 5");
}

HOIST_TEST(unknown_arch_is_not_checked)
{
    const hoist_check_options options = {.arch = HOIST_STR("tpu")};
    check_memory(t,
                 buda_test_patched(t, wh, "arch: wormhole_b0}", "arch: [wormhole_b0, grayskull]}"),
                 &options);
    HOIST_EXPECT_RULE(t, "BUDA-003c");
    HOIST_EXPECT_EQ(t, count_memory_findings(t->diag), 0);
}

// Two chips write host queues at one address: each has host memory of its own.
#define CHIP(n)                                                                                    \
    "  g" n ":\n    target_device: " n "\n    input_count: 1\n"                                    \
    "    x" n ": {type: nop, grid_loc: [" n ", 0], grid_size: [1, 1], inputs: [a" n "], "          \
    "in_df: [Float16], acc_df: Float16, out_df: Float16, intermed_df: Float16, buf_size_mb: 2, "   \
    "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [1, 1]}\n"
#define HOST_QUEUES(n)                                                                             \
    "  a" n ": {type: queue, input: HOST, grid_size: [1, 1], " BLOCK ", loc: host, host: [0x100" n \
    "0000]}\n"                                                                                     \
    "  h" n ": {type: queue, input: x" n ", grid_size: [1, 1], " BLOCK                             \
    ", loc: host, host: [0x1000]}\n"
static const char two_chips[] = "devices: {arch: wormhole_b0}\nqueues:\n" HOST_QUEUES("0")
    HOST_QUEUES("1") "graphs:\n" CHIP("0")
        CHIP("1") "programs:\n  - p:\n      - execute: {graph_name: g0}\n      - execute: "
                  "{graph_name: g1}\n";

HOIST_TEST(host_memory_is_of_the_writing_chip)
{
    check_memory(t, bytes_of(two_chips), NULL);
    HOIST_EXPECT_EQ(t, count_memory_findings(t->diag), 0);
    check_memory(t, buda_test_patched(t, two_chips, "target_device: 1\n", "target_device: 0\n"),
                 NULL);
    buda_test_expect(t, "BUDA-079a", 6, 150, "overlaps buffer 0 of static queue 'h0'");
}

// What check_program.c asks about queues that are live together.
HOIST_TEST(queues_overlap_by_name)
{
    const hoist_bytes text =
        buda_test_patched(t, two_dynamic, "[0, 0x30020000]", "[0, 0x30000000]");
    buda_opened opened;
    HOIST_EXPECT(t, buda_test_open(t, text, NULL, &opened));
    const bool *dynamic = NULL;
    size_t place = 0;
    HOIST_EXPECT(t, buda_queues_overlap(&opened.net, 0, 3, &place));
    HOIST_EXPECT_EQ(t, place, 0);
    HOIST_EXPECT(t, !buda_queues_overlap(&opened.net, 0, 1, &place));
    HOIST_EXPECT_EQ(t, buda_dynamic_queues(&opened.net, &t->arena, &dynamic), HOIST_OK);
    HOIST_EXPECT(t, dynamic[0] && dynamic[3] && !dynamic[1] && !dynamic[2]);
    buda_test_close(&opened);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(memory_rules), HOIST_TEST_ROW(object_path_names_the_queue),
                HOIST_TEST_ROW(host_queue_needs_mmio),
                HOIST_TEST_ROW(ethernet_channels_need_a_descriptor),
                HOIST_TEST_ROW(soc_descriptor_replaces_the_table),
                HOIST_TEST_ROW(descriptor_of_another_arch_is_reported),
                HOIST_TEST_ROW(bad_descriptors_are_not_used),
                HOIST_TEST_ROW(unknown_arch_is_not_checked),
                HOIST_TEST_ROW(host_memory_is_of_the_writing_chip),
                HOIST_TEST_ROW(queues_overlap_by_name))
