// Estimates of L1 and streams, one formula per row: section 5.5, rules 81 and 82.
#include "formats/buda/netlist_testing.h"
#include "formats/buda/resources.h"

// One op `x` over 2080-byte tiles. Its parts: output 2 * 4 * 2080 = 16640; an input needs 33280.
static const char base[] =
    "devices: {arch: wormhole_b0}\n"
    "queues:\n"
    "  a: {type: queue, input: HOST, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1], "
    "ublock: [2, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x30000000]]}\n"
    "graphs:\n"
    "  g:\n    target_device: 0\n    input_count: 4\n"
    "    x: {type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16], "
    "acc_df: Float16, out_df: Float16, intermed_df: Float16, ublock_order: r, buf_size_mb: 2, "
    "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [2, 2]}\n"
    "    y: {type: nop, grid_loc: [1, 0], grid_size: [1, 1], inputs: [x], in_df: [Float16], "
    "acc_df: Float16, out_df: Float16, intermed_df: Float16, ublock_order: r, buf_size_mb: 2, "
    "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [2, 2]}\n"
    "fused_ops:\n  f: {inputs: 1, intermediates: 2, schedules: []}\n"
    "programs:\n  - p:\n      - execute: {graph_name: g}\n";

// clang-format off
static const struct {
    const char *name;
    const char *find, *put; // change of the netlist
    uint64_t l1;            // bytes of op x
} cases[] = {
    {"nop",                   NULL, NULL, 16640 + 33280},
    {"one output buffer",     "buf_size_mb: 2", "buf_size_mb: 1", 8320 + 33280},
    {"half is enough",        "buf_size_mb: 2", "buf_size_mb: 8", 4 * 8320 + 33280},
    {"half is too little",    "buf_size_mb: 2", "buf_size_mb: 6", 6 * 8320 + 33280},
    {"tiles divide the room", "in_df: [Float16]", "in_df: [RawUInt8]", 16640 + 33792},
    {"two inputs",            "inputs: [a], in_df: [Float16]", "inputs: [a, a], in_df: [Float16, Float16]", 16640 + 2 * 33280},
    {"input without format",  "inputs: [a], in_df: [Float16]", "inputs: [a, a], in_df: [Float16]", 16640 + 33280},
    {"least input buffer",    "t: 1, mblock: [1, 1], ublock: [2, 2]}\n    y",
     "t: 1, mblock: [1, 1], ublock: [2, 2], input_buf_min_size_tiles: [17]}\n    y", 16640 + 20 * 2080},
    {"large ublock",          "t: 1, mblock: [1, 1], ublock: [2, 2]}\n    y", "t: 1, mblock: [1, 1], ublock: [5, 2]}\n    y",
     41600 + 41600},
    {"kernel_broadcast",      "grid_loc: [0, 0]", "attributes: {kernel_broadcast: {input_0: 3}}, grid_loc: [0, 0]", 16640 + 2 * 3 * 2080},
    {"matmul",                "{type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16]",
     "{type: matmul, attributes: {m_k: 4, u_kt: 3}, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a, a], in_df: [Float16, Float16]",
     16640 + 2 * 2 * 12 * 2080},
    {"matmul, other intermed", "{type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16], acc_df: Float16, out_df: Float16, intermed_df: Float16",
     "{type: matmul, attributes: {m_k: 4, u_kt: 1}, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a, a], in_df: [Float16, Float16], acc_df: Float16, out_df: Float16, intermed_df: Float32",
     16640 + 2 * 33280 + 4 * 4128},
    {"matmul, m_k 1",         "{type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16], acc_df: Float16, out_df: Float16, intermed_df: Float16",
     "{type: matmul, attributes: {m_k: 1, u_kt: 1}, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a, a], in_df: [Float16, Float16], acc_df: Float16, out_df: Float16, intermed_df: Float32",
     16640 + 2 * 33280},
    {"identity matmul",       "{type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16]",
     "{type: matmul, attributes: {m_k: 1, u_kt: 1, identity: true, num_sparse_tiles: 5}, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a, a, a], in_df: [Float16, Float16, Float16]",
     16640 + 10 * 2080 + 33280 + 2 * 2080},
    {"gradient",              "grid_loc: [0, 0]", "gradient_op: true, grid_loc: [0, 0]", 33280 + 4 * 2080},
    {"reduce r",              "type: nop, grid_loc: [0, 0]", "type: reduce, attributes: {dim: r, type: max, m_k: 1, u_kt: 9}, grid_loc: [0, 0]",
     16640 + 2 * 18 * 2080},
    {"reduce c",              "type: nop, grid_loc: [0, 0]", "type: reduce, attributes: {dim: c, type: max, m_k: 1, u_kt: 9}, grid_loc: [0, 0]",
     16640 + 2 * 18 * 2080},
    {"reduce z",              "type: nop, grid_loc: [0, 0]", "type: reduce, attributes: {dim: z, type: max, z: 2}, grid_loc: [0, 0]",
     16640 + 33280},
    {"topk",                  "type: nop, grid_loc: [0, 0]", "type: topk, attributes: {k: 1, sort: max, m_k: 3, u_kt: 2}, grid_loc: [0, 0]",
     16640 + 33280 + 2 * (3 * 2 * 2) * 2080},
    {"depthwise",             "{type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16]",
     "{type: depthwise, attributes: {m_k: 1, u_kt: 1}, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a, a], in_df: [Float16, Float16]",
     16640 + 33280 + 33280},
    {"splice of four",        "{type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a], in_df: [Float16]",
     "{type: splice, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a, a, a, a], in_df: [Float16, Float16, Float16, Float16]",
     16640 + 4 * 33280},
    {"fused",                 "type: nop, grid_loc: [0, 0]", "type: fused_op, attributes: {fused_op_id: f}, grid_loc: [0, 0]",
     16640 + 33280 + 2 * 2 * 8320},
    {"fused, no definition",  "type: nop, grid_loc: [0, 0]", "type: fused_op, attributes: {fused_op_id: h}, grid_loc: [0, 0]",
     16640 + 33280},
    {"ethernet",              "type: nop, grid_loc: [0, 0]", "type: ethernet_datacopy, grid_loc: [0, 0]", 16640 + 16640},
    {"saturates",             "t: 1, mblock: [1, 1], ublock: [2, 2]}\n    y",
     "t: 1, mblock: [4611686018427387904, 4611686018427387904], ublock: [2, 2]}\n    y", UINT64_MAX},
};
// clang-format on

// The numbers of the first op in the stream.
typedef struct first_op {
    uint64_t l1, reads, writes, fork, join;
    size_t maps; // begun so far: the outer one, then one per op
} first_op;

static hoist_status collect(void *self, const hoist_tree_event *event)
{
    first_op *op = self;
    op->maps += event->kind == HOIST_TREE_MAP;
    if (event->kind != HOIST_TREE_UINT || op->maps != 2) {
        return HOIST_OK;
    }
    const struct {
        const char *key;
        uint64_t *value;
    } expected[] = {{"l1_bytes", &op->l1},
                    {"reads", &op->reads},
                    {"writes", &op->writes},
                    {"fork", &op->fork},
                    {"join", &op->join}};
    for (size_t i = 0; i < HOIST_COUNT_OF(expected); i++) {
        if (hoist_str_equal_c(event->key, expected[i].key)) {
            *expected[i].value = event->uinteger;
        }
    }
    return HOIST_OK;
}

static first_op estimate(hoist_test *t, hoist_bytes text, const char *arch)
{
    first_op op = {0};
    buda_opened opened;
    HOIST_EXPECT(t, buda_test_open(t, text, arch, &opened));
    hoist_tree_sink sink = {.self = &op, .event = collect};
    buda_send_resources(&opened.net, &sink);
    HOIST_EXPECT_EQ(t, sink.status, HOIST_OK);
    buda_test_close(&opened);
    return op;
}

HOIST_TEST_TABLE(l1_of_an_op, cases)
{
    const first_op op = estimate(t, buda_test_patched(t, base, row->find, row->put), NULL);
    HOIST_EXPECT_EQ(t, op.l1, row->l1);
}

HOIST_TEST(streams_of_an_op)
{
    const first_op op = estimate(
        t, buda_test_patched(t, base, "inputs: [a], in_df", "inputs: [a, a], in_df"), NULL);
    HOIST_EXPECT_EQ(t, op.reads, 2);
    HOIST_EXPECT_EQ(t, op.writes, 0);
    HOIST_EXPECT_EQ(t, op.fork, 1);
    HOIST_EXPECT_EQ(t, op.join, 2);
}

HOIST_TEST(no_arch_no_estimate)
{
    const first_op op = estimate(t, buda_test_patched(t, base, NULL, NULL), "none");
    HOIST_EXPECT_EQ(t, op.maps, 1);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(l1_of_an_op), HOIST_TEST_ROW(streams_of_an_op),
                HOIST_TEST_ROW(no_arch_no_estimate))
