// Sizes, the choice of an architecture, copies for lists of devices, links, temporal epochs.
#include <stdio.h>

#include "base/buffer.h"
#include "formats/buda/net.h"
#include "formats/buda/netlist_testing.h"

// Sizes ------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    buda_df df;
    int64_t h, w;
    uint64_t raw, gs, bh; // bytes without header, with it on grayskull and on blackhole
} tiles[] = {
    {"Float32",      BUDA_FLOAT32,    32, 32, 4096, 4128, 4160},
    {"Int32",        BUDA_INT32,      32, 32, 4096, 4128, 4160},
    {"RawUInt32",    BUDA_RAW_UINT32, 32, 32, 4096, 4128, 4160},
    {"Tf32",         BUDA_TF32,       32, 32, 4096, 4128, 4160},
    {"Float16",      BUDA_FLOAT16,    32, 32, 2048, 2080, 2112},
    {"Float16_b",    BUDA_FLOAT16_B,  32, 32, 2048, 2080, 2112},
    {"UInt16",       BUDA_UINT16,     32, 32, 2048, 2080, 2112},
    {"RawUInt16",    BUDA_RAW_UINT16, 32, 32, 2048, 2080, 2112},
    {"Int8",         BUDA_INT8,       32, 32, 1024, 1056, 1088},
    {"UInt8",        BUDA_UINT8,      32, 32, 1024, 1056, 1088},
    {"RawUInt8",     BUDA_RAW_UINT8,  32, 32, 1024, 1056, 1088},
    {"Lf8",          BUDA_LF8,        32, 32, 1024, 1056, 1088},
    {"Fp8_e4m3",     BUDA_FP8_E4M3,   32, 32, 1024, 1056, 1088},
    {"Bfp8",         BUDA_BFP8,       32, 32, 1088, 1120, 1152},
    {"Bfp8_b",       BUDA_BFP8_B,     32, 32, 1088, 1120, 1152},
    {"Bfp4",         BUDA_BFP4,       32, 32, 576,  608,  640 },
    {"Bfp4_b",       BUDA_BFP4_B,     32, 32, 576,  608,  640 },
    {"Bfp2",         BUDA_BFP2,       32, 32, 320,  352,  384 },
    {"Bfp2_b",       BUDA_BFP2_B,     32, 32, 320,  352,  384 },
    {"Float16 1x32", BUDA_FLOAT16,    1,  32, 64,   96,   128 },
    {"Bfp8 1x32",    BUDA_BFP8,       1,  32, 48,   64,   64  },
    {"Bfp8 16x32",   BUDA_BFP8,       16, 32, 544,  576,  576 },
    {"Bfp8 32x16",   BUDA_BFP8,       32, 16, 544,  576,  576 },
    {"no format",    BUDA_DF_NONE,    32, 32, 0,    0,    0   },
    {"past the end", BUDA_DF_COUNT,   32, 32, 0,    0,    0   },
    {"no rows",      BUDA_FLOAT16,    0,  32, 0,    0,    0   },
    {"negative",     BUDA_FLOAT16,    32, -1, 0,    0,    0   },
    {"too tall",     BUDA_FLOAT16,    33, 32, 0,    0,    0   },
    {"huge",         BUDA_FLOAT16,    INT64_MAX, INT64_MAX, 0, 0, 0},
};
// clang-format on

HOIST_TEST_TABLE(tile_sizes, tiles)
{
    HOIST_EXPECT_EQ(t, buda_tile_bytes(row->df, row->h, row->w, false, BUDA_GRAYSKULL), row->raw);
    HOIST_EXPECT_EQ(t, buda_tile_bytes(row->df, row->h, row->w, true, BUDA_GRAYSKULL), row->gs);
    HOIST_EXPECT_EQ(t, buda_tile_bytes(row->df, row->h, row->w, true, BUDA_WORMHOLE_B0), row->gs);
    HOIST_EXPECT_EQ(t, buda_tile_bytes(row->df, row->h, row->w, true, BUDA_BLACKHOLE), row->bh);
    HOIST_EXPECT_EQ(t, buda_tile_bytes(row->df, row->h, row->w, true, BUDA_ARCH_NONE), row->gs);
}

HOIST_TEST(absent_tile_dim_is_32x32)
{
    const buda_pair absent = buda_tile_dim((buda_pair){0, 0, {0, 0}});
    const buda_pair given = buda_tile_dim((buda_pair){16, 32, {1, 1}});
    HOIST_EXPECT_EQ(t, absent.r * 100 + absent.c, 3232);
    HOIST_EXPECT_EQ(t, given.r * 100 + given.c, 1632);
}

HOIST_TEST(cores_of_an_op)
{
    buda_op op = {.grid_loc = {2, 3, {1, 1}}, .grid_size = {2, 5, {1, 1}}};
    HOIST_EXPECT_EQ(t, buda_op_cores(&op).r, 2);
    HOIST_EXPECT_EQ(t, buda_op_cores(&op).c, 5);
    op.grid_transpose.value = true;
    HOIST_EXPECT_EQ(t, buda_op_cores(&op).r, 5);
    HOIST_EXPECT_EQ(t, buda_op_cores(&op).c, 2);
}

// Architecture -----------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *devices; // value of devices.arch
    const char *arch;    // --arch
    const char *fallback; // ARCH_NAME
    buda_arch want;
    const char *rule;
} choices[] = {
    {"a string",                 "wormhole_b0",               "",            "",            BUDA_WORMHOLE_B0, NULL},
    {"a string, asked for",      "wormhole_b0",               "WORMHOLE_B0", "",            BUDA_WORMHOLE_B0, NULL},
    {"a string wins",            "wormhole_b0",               "grayskull",   "",            BUDA_WORMHOLE_B0, "BUDA-003e"},
    {"a string wins over env",   "wormhole_b0",               "",            "grayskull",   BUDA_WORMHOLE_B0, "BUDA-003e"},
    {"a string, unknown arch",   "wormhole_b0",               "tpu",         "",            BUDA_WORMHOLE_B0, "BUDA-003e"},
    {"first of the list",        "[blackhole, grayskull]",    "",            "",            BUDA_BLACKHOLE,   "BUDA-003d"},
    {"list of one",              "[blackhole]",               "",            "",            BUDA_BLACKHOLE,   NULL},
    {"chosen from the list",     "[blackhole, grayskull]",    "grayskull",   "",            BUDA_GRAYSKULL,   NULL},
    {"option before env",        "[blackhole, grayskull]",    "grayskull",   "blackhole",   BUDA_GRAYSKULL,   NULL},
    {"env chooses",              "[blackhole, grayskull]",    "",            "grayskull",   BUDA_GRAYSKULL,   NULL},
    {"the specification's name", "[grayskull, wormhole_b0]",  "wormhole_b",  "",            BUDA_WORMHOLE_B0, NULL},
    {"not in the list",          "[blackhole, grayskull]",    "wormhole",    "",            BUDA_ARCH_NONE,   "BUDA-003c"},
    {"env not in the list",      "[blackhole, grayskull]",    "",            "wormhole",    BUDA_ARCH_NONE,   "BUDA-003c"},
    {"unknown",                  "[blackhole, grayskull]",    "tpu",         "",            BUDA_ARCH_NONE,   "BUDA-003c"},
    {"unknown in the file",      "tpu",                       "",            "",            BUDA_ARCH_NONE,   "BUDA-003a"},
    {"empty list",               "[]",                        "grayskull",   "",            BUDA_ARCH_NONE,   "BUDA-003a"},
};
// clang-format on

#define OP                                                                                         \
    "in_df: [Float16], acc_df: Float16, out_df: Float16, intermed_df: Float16, "                   \
    "ublock_order: r, buf_size_mb: 2, math_fidelity: HiFi3, untilize_output: false, t: 1, "        \
    "mblock: [1, 1], ublock: [1, 1]}\n"
#define QUEUE "grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, 1], df: Float16, "

static const char small[] =
    "devices: {arch: ARCH}\n"
    "queues:\n"
    "  a: {type: queue, input: HOST, entries: 2, " QUEUE "target_device: 0, loc: dram, "
    "dram: [[0, 0x30000000]]}\n"
    "graphs:\n"
    "  g:\n    target_device: 0\n    input_count: 1\n"
    "    x: {type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], " OP "programs:\n"
    "  - p:\n      - execute: {graph_name: g}\n";

HOIST_TEST_TABLE(architectures, choices)
{
    const hoist_buda_module *module =
        buda_test_read(t, buda_test_patched(t, small, "ARCH", row->devices));
    const hoist_check_options options = {.arch = hoist_str_from(row->arch),
                                         .arch_fallback = hoist_str_from(row->fallback)};
    HOIST_EXPECT_EQ(t, buda_choose_arch(module, &options, t->diag), row->want);
    HOIST_EXPECT_RULE(t, row->rule);
    buda_test_destroy(module);
}

HOIST_TEST(note_says_which_arch)
{
    const hoist_buda_module *module =
        buda_test_read(t, buda_test_patched(t, small, "ARCH", "[blackhole, grayskull]"));
    HOIST_EXPECT_EQ(t, buda_choose_arch(module, NULL, t->diag), BUDA_BLACKHOLE);
    buda_test_expect(t, "BUDA-003d", 1, 18, "checked for 'blackhole', the first of 2");
    buda_test_destroy(module);
}

// Nets as text -----------------------------------------------------------------------------------

static void describe_queue(const buda_net *net, const buda_net_queue *queue, hoist_buffer *out)
{
    hoist_buffer_format(out, "%.*s@%d", HOIST_STR_ARGS(queue->name), (int)queue->device);
    if (queue->producer != BUDA_NO_INDEX) {
        hoist_buffer_format(out, " from %.*s", HOIST_STR_ARGS(net->ops[queue->producer].name));
    }
    for (size_t i = 0; i < queue->consumer_count; i++) {
        hoist_buffer_format(out, " to %.*s", HOIST_STR_ARGS(net->ops[queue->consumers[i]].name));
    }
    if (queue->host_shift) {
        hoist_buffer_format(out, " +%d", (int)queue->host_shift);
    }
    hoist_buffer_char(out, '\n');
}

static void describe_op(const buda_net *net, const buda_net_op *op, hoist_buffer *out)
{
    hoist_buffer_format(out, "  %.*s(", HOIST_STR_ARGS(op->name));
    for (size_t i = 0; i < op->op->inputs.count; i++) {
        const buda_source source = op->inputs[i];
        const hoist_str name = source.kind == BUDA_SOURCE_QUEUE ? net->queues[source.index].name
                               : source.kind == BUDA_SOURCE_OP  ? net->ops[source.index].name
                                                                : HOIST_STR("?");
        hoist_buffer_format(out, "%s%.*s", i ? " " : "", HOIST_STR_ARGS(name));
    }
    hoist_buffer_c(out, ")");
    for (size_t i = 0; i < op->out_op_count; i++) {
        hoist_buffer_format(out, " >%.*s", HOIST_STR_ARGS(net->ops[op->out_ops[i]].name));
    }
    hoist_buffer_char(out, '\n');
}

// Queues, then graphs as "name@device #epoch" with their ops.
static hoist_str describe(hoist_test *t, const buda_net *net)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < net->queue_count; i++) {
        describe_queue(net, &net->queues[i], &out);
    }
    for (size_t i = 0; i < net->graph_count; i++) {
        const buda_net_graph *graph = &net->graphs[i];
        hoist_buffer_format(&out, "%.*s@%d #%zu\n", HOIST_STR_ARGS(graph->name), (int)graph->device,
                            graph->temporal);
        for (size_t k = 0; k < graph->op_count; k++) {
            describe_op(net, &net->ops[graph->first_op + k], &out);
        }
    }
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

#define Q(name, input, device, place)                                                              \
    "  " name ": {type: queue, input: " input ", entries: 2, " QUEUE "target_device: " device      \
    ", " place "}\n"
#define DRAM "loc: dram, dram: [[0, 0x30000000]]"
#define HOST "loc: host, host: [0x1000]"
#define G(name, device) "  " name ":\n    target_device: " device "\n    input_count: 1\n"
#define X(name, inputs)                                                                            \
    "    " name ": {type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: " inputs ", " OP
#define NET(queues, graphs, program)                                                               \
    "devices: {arch: wormhole_b0}\nqueues:\n" queues "graphs:\n" graphs "programs:\n" program
#define P(name) "  - " name ":\n"
#define E(graph) "      - execute: {graph_name: " graph "}\n"
#define V "      - varinst: [$i, set, 1]\n"

// clang-format off
static const struct {
    const char *name;
    const char *text;
    const char *want;
} nets[] = {
    {"one of each", NET(Q("a", "HOST", "0", DRAM) Q("o", "x", "0", DRAM), G("g", "0") X("x", "[a]"), P("p") E("g")),
     "a@0 to x\no@0 from x\ng@0 #0\n  x(a)\n"},
    {"an op twice, a chain", NET(Q("a", "HOST", "0", DRAM), G("g", "0") X("x", "[a, a]") X("y", "[x, x]"), P("p") E("g")),
     "a@0 to x to x\ng@0 #0\n  x(a a) >y >y\n  y(x x)\n"},
    {"unknown names", NET(Q("a", "zz", "0", DRAM), G("g", "0") X("x", "[nobody]"), P("p") E("g")),
     "a@0\ng@0 #0\n  x(?)\n"},
    {"net2net is host", NET(Q("a", "net2net_x", "0", DRAM), G("g", "0") X("net2net_x", "[a]"), P("p") E("g")),
     "a@0 to net2net_x\ng@0 #0\n  net2net_x(a)\n"},
    {"a queue before an op of its name", NET(Q("x", "HOST", "0", DRAM), G("g", "0") X("x", "[x]"), P("p") E("g")),
     "x@0 to x\ng@0 #0\n  x(x)\n"},
    {"two devices", NET(Q("a", "HOST", "[0, 1]", DRAM) Q("o", "x", "[0, 1]", DRAM),
                        G("g", "[0, 1]") X("x", "[a]") X("y", "[x]"), P("p") E("g")),
     "a.0@0 to x.0\na.1@1 to x.1\no.0@0 from x.0\no.1@1 from x.1\n"
     "g.0@0 #0\n  x.0(a.0) >y.0\n  y.0(x.0)\ng.1@1 #0\n  x.1(a.1) >y.1\n  y.1(x.1)\n"},
    {"a list of one", NET(Q("a", "HOST", "[3]", DRAM), G("g", "[3]") X("x", "[a]"), P("p") E("g")),
     "a.3@3 to x.3\ng.3@3 #0\n  x.3(a.3)\n"},
    {"copies on the host", NET(Q("a", "HOST", "[2, 5, 7]", HOST), G("g", "[2, 5, 7]") X("x", "[a]"), P("p") E("g")),
     "a.2@2 to x.2\na.5@2 to x.5 +4192\na.7@2 to x.7 +8384\n"
     "g.2@2 #0\n  x.2(a.2)\ng.5@5 #0\n  x.5(a.5)\ng.7@7 #0\n  x.7(a.7)\n"},
    {"copies on the host of no known size", "devices: {arch: wormhole_b0}\nqueues:\n  a: {type: queue, input: HOST, entries: 2147483647, t: 2147483647, grid_size: [1, 1], mblock: [2147483647, 1], ublock: [1, 1], df: Float16, target_device: [2, 5], " HOST "}\ngraphs:\n" G("g", "2") X("x", "[a.5]") "programs:\n" P("p") E("g"),
     "a.2@2\na.5@2 to x\ng@2 #0\n  x(a.5)\n"},
    {"copies named in full", NET(Q("a", "HOST", "[0, 1]", DRAM) Q("o", "x.1", "1", DRAM), G("g", "1") X("x", "[a.0, a.1]"), P("p") E("g")),
     "a.0@0 to x\na.1@1 to x\no@1 from x\ng@1 #0\n  x(a.0 a.1)\n"},
    {"the copy on the graph's device", NET(Q("a", "HOST", "[0, 1]", DRAM), G("g", "1") X("x", "[a]"), P("p") E("g")),
     "a.0@0\na.1@1 to x\ng@1 #0\n  x(a.1)\n"},
    {"copied queue, single producer", NET(Q("o", "x", "[0, 1]", DRAM), G("g", "0") X("x", "[o]"), P("p") E("g")),
     "o.0@0 from x to x\no.1@1 from x\ng@0 #0\n  x(o.0)\n"},
    {"input from another device", NET(Q("a", "HOST", "0", DRAM), G("g", "0") X("x", "[a]") G("h", "1") X("y", "[x]"), P("p") E("g") P("q") E("h")),
     "a@0 to x\ng@0 #0\n  x(a) >y\nh@1 #0\n  y(x)\n"},
    {"input from the same device", NET(Q("a", "HOST", "0", DRAM), G("g", "0") X("x", "[a]") G("h", "0") X("y", "[x]"), P("p") E("g") E("h")),
     "a@0 to x\ng@0 #0\n  x(a) >y\nh@0 #1\n  y(x)\n"},
    {"executes on two devices", NET(Q("a", "HOST", "0", DRAM), G("g", "0") X("x", "[a]") G("h", "1") X("y", "[a]"), P("p") E("g") V E("h")),
     "a@0 to x to y\ng@0 #0\n  x(a)\nh@1 #0\n  y(a)\n"},
    {"executes of two programs", NET(Q("a", "HOST", "0", DRAM), G("g", "0") X("x", "[a]") G("h", "1") X("y", "[a]"), P("p") E("g") P("q") E("h")),
     "a@0 to x to y\ng@0 #0\n  x(a)\nh@1 #1\n  y(a)\n"},
    {"a third one starts anew", NET(Q("a", "HOST", "0", DRAM),
                                    G("g", "0") X("x", "[a]") G("h", "1") X("y", "[a]") G("i", "0") X("z", "[a]"),
                                    P("p") E("g") E("h") E("i")),
     "a@0 to x to y to z\ng@0 #0\n  x(a)\nh@1 #0\n  y(a)\ni@0 #1\n  z(a)\n"},
    {"a graph that nobody has", NET(Q("a", "HOST", "0", DRAM), G("g", "0") X("x", "[a]"), P("p") E("nobody") E("g")),
     "a@0 to x\ng@0 #0\n  x(a)\n"},
};
// clang-format on

HOIST_TEST_TABLE(nets_are_linked, nets)
{
    const hoist_buda_module *module =
        buda_test_read(t, (hoist_bytes){(const uint8_t *)row->text, strlen(row->text)});
    buda_net net;
    HOIST_EXPECT_EQ(t, buda_net_build(module, BUDA_WORMHOLE_B0, &net), HOIST_OK);
    HOIST_EXPECT_STR(t, describe(t, &net), row->want);
    buda_net_deinit(&net);
    buda_test_destroy(module);
}

HOIST_TEST(grayskull_runs_one_after_the_other)
{
    static const char text[] =
        NET(Q("a", "HOST", "0", DRAM), G("g", "0") X("x", "[a]") G("h", "1") X("y", "[a]"),
            P("p") E("g") E("h"));
    const hoist_buda_module *module =
        buda_test_read(t, (hoist_bytes){(const uint8_t *)text, strlen(text)});
    buda_net net;
    HOIST_EXPECT_EQ(t, buda_net_build(module, BUDA_GRAYSKULL, &net), HOIST_OK);
    HOIST_EXPECT_EQ(t, net.graphs[1].temporal, 1);
    buda_net_deinit(&net);
    HOIST_EXPECT_EQ(t, buda_net_build(module, BUDA_ARCH_NONE, &net), HOIST_OK);
    HOIST_EXPECT(t, net.soc == buda_soc_of(BUDA_GRAYSKULL));
    buda_net_deinit(&net);
    buda_net_deinit(&net);
    buda_test_destroy(module);
}

// Sizes of queues --------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    buda_arch arch;
    const char *find, *put;
    uint64_t entry, buffer; // 0: not known
} sizes[] = {
    {"as it is",            BUDA_GRAYSKULL, NULL, NULL, 2080, 4192},
    {"blackhole",           BUDA_BLACKHOLE, NULL, NULL, 2112, 4288},
    // The overview's q0: two ublocks of 2x4 in two rows of mblocks.
    {"overview's netlist",  BUDA_WORMHOLE_B0, "entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, 1]",
     "entries: 256, grid_size: [1, 1], t: 1, mblock: [2, 2], ublock: [2, 4]", 66560, 17039392},
    {"no entries",          BUDA_GRAYSKULL, "entries: 2", "entries: 0", 2080, 32},
    {"flat",                BUDA_GRAYSKULL, "loc: dram", "layout: flat, loc: dram", 2048, 4128},
    {"tiny tile",           BUDA_WORMHOLE_B0, "loc: dram", "tile_dim: [1, 32], loc: dram", 96, 224},
    {"negative entries",    BUDA_GRAYSKULL, "entries: 2", "entries: -1", 2080, 0},
    {"t of 0",              BUDA_GRAYSKULL, "t: 1, mblock", "t: 0, mblock", 0, 0},
    {"unknown format",      BUDA_GRAYSKULL, "df: Float16, target", "df: Float15, target", 0, 0},
    {"no ublock",           BUDA_GRAYSKULL, "ublock: [1, 1], df: Float16, target", "df: Float16, target", 0, 0},
    {"mblock overflows",    BUDA_GRAYSKULL, "mblock: [1, 1]", "mblock: [4611686018427387904, 4611686018427387904]", 0, 0},
    {"entries overflow",    BUDA_GRAYSKULL, "entries: 2", "entries: 9223372036854775807", 2080, 0},
};
// clang-format on

HOIST_TEST_TABLE(queue_sizes, sizes)
{
    const hoist_buda_module *module =
        buda_test_read(t, buda_test_patched(t, small, row->find, row->put));
    buda_net net;
    HOIST_EXPECT_EQ(t, buda_net_build(module, row->arch, &net), HOIST_OK);
    HOIST_EXPECT_EQ(t, net.queues[0].entry_bytes, row->entry);
    HOIST_EXPECT_EQ(t, net.queues[0].buffer_bytes, row->buffer);
    HOIST_EXPECT_EQ(t, net.queues[0].sizes_known, row->buffer != 0);
    buda_net_deinit(&net);
    buda_test_destroy(module);
}

HOIST_TEST(untilized_producer_writes_rows)
{
    static const char text[] = NET(Q("a", "HOST", "0", DRAM) Q("o", "x", "0", DRAM),
                                   G("g", "0") X("x", "[a]"), P("p") E("g"));
    const hoist_buda_module *module = buda_test_read(
        t, buda_test_patched(t, text, "untilize_output: false", "untilize_output: true"));
    buda_net net;
    HOIST_EXPECT_EQ(t, buda_net_build(module, BUDA_WORMHOLE_B0, &net), HOIST_OK);
    HOIST_EXPECT_EQ(t, net.queues[0].entry_bytes, 2080);
    HOIST_EXPECT_EQ(t, net.queues[1].entry_bytes, 2048);
    buda_net_deinit(&net);
    buda_test_destroy(module);
}

// Limits -----------------------------------------------------------------------------------------

// "[0, 1, ... count-1]", or "[0, 0, ...]" when not `different`.
static hoist_str device_list(hoist_test *t, size_t count, bool different)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    for (size_t i = 0; i < count; i++) {
        hoist_buffer_format(&out, "%s%zu", i ? ", " : "[", different ? i : 0);
    }
    hoist_buffer_char(&out, ']');
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return text;
}

static const struct {
    const char *name;
    size_t devices;
    bool different;
    size_t executes;
    hoist_status want;
} limits[] = {
    {"a thousand copies", 1000, true, 1, HOIST_OK},
    {"1,025 devices", 1025, true, 1, HOIST_LIMIT},
    {"a million objects", 400000, false, 1, HOIST_LIMIT},
    {"executes of copies", 100000, false, 200, HOIST_LIMIT},
};

HOIST_TEST_TABLE(copies_are_limited, limits)
{
    const hoist_str devices = device_list(t, row->devices, row->different);
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_buffer_c(&text, "devices: {arch: wormhole_b0}\nqueues:\n" Q(
                              "a", "HOST", "0",
                              DRAM) "graphs:\n  g:\n    input_count: 1\n    target_device: ");
    hoist_buffer_str(&text, devices);
    hoist_buffer_c(&text, "\n" X("x", "[a]") "programs:\n" P("p"));
    for (size_t i = 0; i < row->executes; i++) {
        hoist_buffer_c(&text, E("g"));
    }
    const hoist_buda_module *module = buda_test_read(t, hoist_buffer_bytes(&text));
    buda_net net;
    HOIST_EXPECT_EQ(t, buda_net_build(module, BUDA_WORMHOLE_B0, &net), row->want);
    buda_net_deinit(&net);
    buda_test_destroy(module);
    hoist_buffer_deinit(&text);
}

// Every request fails once; the net's memory comes from the module's allocator.
static hoist_status build_with(hoist_allocator alloc, const void *module)
{
    hoist_buda_module copy = *(const hoist_buda_module *)module;
    copy.base.alloc = alloc;
    buda_net net;
    const hoist_status status = buda_net_build(&copy, BUDA_WORMHOLE_B0, &net);
    buda_net_deinit(&net);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    const hoist_buda_module *module =
        buda_test_read(t, buda_test_patched(t, nets[5].text, NULL, NULL));
    hoist_test_starve(t, build_with, module);
    buda_test_destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(tile_sizes), HOIST_TEST_ROW(absent_tile_dim_is_32x32),
                HOIST_TEST_ROW(cores_of_an_op), HOIST_TEST_ROW(architectures),
                HOIST_TEST_ROW(note_says_which_arch), HOIST_TEST_ROW(nets_are_linked),
                HOIST_TEST_ROW(grayskull_runs_one_after_the_other), HOIST_TEST_ROW(queue_sizes),
                HOIST_TEST_ROW(untilized_producer_writes_rows), HOIST_TEST_ROW(copies_are_limited),
                HOIST_TEST_ROW(memory_may_run_out))
