// Rules of ops: attributes, inputs, buffers, DEST, single kinds of op, and what they write to.
#include "formats/buda/netlist_testing.h"

#define TWO "x.inputs: [a, b] | x.in_df: [Float16, Float16]"
#define THREE "x.inputs: [a, b, d] | x.in_df: [Float16, Float16, Float16]"
#define ADD "x.type: add | " TWO
#define MATMUL "x.type: matmul | " TWO " | x.attributes: {m_k: 1, u_kt: 1}"
#define REDUCE "x.type: reduce | x.attributes: {dim: c, type: max, m_k: 1, u_kt: 1}"
#define SPLICE "x.type: splice | " TWO " | x.t: 2 | o.t: 2 | x.attributes: "
#define ETHERNET "x.type: ethernet_datacopy | x.attributes: "

// clang-format off
static const buda_op_row good[] = {
    {"base", NULL, NULL, NULL, NULL, NULL},
    {"base on grayskull", "grayskull", NULL, NULL, NULL, NULL},
    {"add", NULL, ADD, NULL, NULL, NULL},
    {"matmul", NULL, MATMUL, NULL, NULL, NULL},
    {"matmul with bias", NULL, "x.type: matmul | " THREE " | x.attributes: {m_k: 1, u_kt: 1, bias: true}", NULL, NULL, NULL},
    {"matmul accumulates z", NULL, "x.type: matmul | " TWO " | a.t: 2 | b.t: 2 | x.attributes: {m_k: 1, u_kt: 1, z: 2, accumulate: true}", NULL, NULL, NULL},
    {"matmul transposes input 1", NULL, MATMUL " | x.input_1_tms: [transpose]", NULL, NULL, NULL},
    {"reduce", NULL, REDUCE, NULL, NULL, NULL},
    {"splice by t", NULL, SPLICE "{granularity: t, input0: [0, 1, 1], input1: [0, 1, 1]}", NULL, NULL, NULL},
    {"relu_mode none before relu_en", NULL, "x.attributes: {relu_mode: none, relu_en: true}", NULL, NULL, NULL},
    {"ublock of 8 tiles", NULL, "a.ublock: [2, 4] | x.ublock: [2, 4] | o.ublock: [2, 4]", NULL, NULL, NULL},
    {"16 tiles on wormhole", "wormhole", "a.ublock: [4, 4] | x.ublock: [4, 4] | o.ublock: [4, 4]", NULL, NULL, NULL},
    {"buffer of one", NULL, "x.buf_size_mb: 1", NULL, NULL, NULL},
    {"single buffer is a multiple of t", NULL, "x.buf_size_mb: 8 | x.t: 2 | a.t: 2 | o.t: 2", NULL, NULL, NULL},
    {"kernel_broadcast", NULL, ADD " | x.input_1_tms: [broadcast: {r: 1}] | x.attributes: {kernel_broadcast: {input_1: 1}}", NULL, NULL, NULL},
    {"untilized output", NULL, "x.untilize_output: true", NULL, NULL, NULL},
    {"gradient", NULL, "x.gradient_op: true | o.type: ram", NULL, NULL, NULL},
    {"gradient with a variable setting", NULL, "x.gradient_op: true | o.type: ram | p.o: {prologue: $v, epilogue: true}", NULL, NULL, NULL},
    {"ethernet copy", NULL, ETHERNET "{ingress_channels: [8], egress_channels: [0], dest_device: 1}", NULL, NULL, NULL},
    {"ethernet copy without channels", NULL, ETHERNET "{dest_device: 1}", NULL, NULL, NULL},
};

static const buda_op_row attributes[] = {
    {"thread of a nop", NULL, "x.attributes: {sfpu_execution_thread: pack}", "BUDA-085", "{^sfpu_exe", "has attribute 'sfpu_execution_thread', which its type 'nop' does not take"},
    {"identity of a reduce", NULL, "x.type: reduce | x.attributes: {dim: c, type: max, identity: true}", "BUDA-085", ", ^identity", "type 'reduce'"},
    {"p of an exp", NULL, "x.type: exp | x.attributes: {p: 0.5}", "BUDA-085", "{^p:", "'p'"},
    {"slope of a power", NULL, "x.type: power | x.attributes: {exp: 2, slope: 0.5}", "BUDA-085", ", ^slope", NULL},
    {"z without dim z", NULL, "x.type: reduce | x.attributes: {dim: c, type: max, z: 2}", "BUDA-085", "z: ^2", "needs dim: z"},
    {"z without accumulate", NULL, "x.type: matmul | " TWO " | x.attributes: {m_k: 1, u_kt: 1, z: 2}", "BUDA-085", "z: ^2", "needs accumulate: true"},
    {"relu without mode", NULL, "x.attributes: {relu_en: true, relu_mode: none}", "BUDA-085", "relu_mode: ^none", "expected min or max"},
    {"depthwise buffers input 1", NULL, "x.type: depthwise | " TWO " | x.attributes: {m_k: 1, u_kt: 1, min_buffer_input: 1}", "BUDA-085", "input: ^1", "expected 0 for its type"},
    {"strips of another grid", NULL, "x.type: matmul | " TWO " | x.attributes: {m_k: 1, u_kt: 1, num_nz_strips: [1, 2]}", "BUDA-085", "strips: ^[1, 2]", "has 2 items"},
    {"vector z", NULL, "x.type: exp | x.attributes: {vector: z}", "BUDA-041", "vector: ^z", "expected r, c or rc"},
    {"broadcast of no input", NULL, "x.attributes: {kernel_broadcast: {input_1: 1}}", "BUDA-092", "{^input_1", "expected input_0 to input_0"},
    {"broadcast of a misspelt input", NULL, "x.attributes: {kernel_broadcast: {in_0: 1}}", "BUDA-092", "{^in_0", "expected input_0 to input_0"},
    {"broadcast in both forms", NULL, "x.attributes: {kernel_broadcast: {input_0: 1}, kernel_broadcast_per_t: {input_0: 1}}", "BUDA-092", "per_t: {^input_0", "has two kernel_broadcasts of input 0, expected one"},
    {"single_tile of no input", NULL, "x.attributes: {single_tile: [3]}", "BUDA-092", "tile: [^3]", "expected input_0 to input_0"},
    {"broadcast without TM", NULL, "x.attributes: {kernel_broadcast: {input_0: 4}}", "BUDA-047", "{^input_0", "expected a broadcast in its input_0_tms"},
    {"factor of input 0", NULL, "x.type: matmul | " TWO " | x.ublock: [2, 1] | x.input_0_tms: [broadcast: {r: 2}] | x.attributes: {m_k: 1, u_kt: 1, kernel_broadcast: {input_0: 3}}", "BUDA-047", "{^input_0", "expected a multiple of 2 for ublock [2, 1]"},
    {"no columns of input 0", NULL, "x.type: matmul | " TWO " | x.ublock: [2, 1] | x.input_0_tms: [broadcast: {r: 2}] | x.attributes: {m_k: 1, u_kt: 0, kernel_broadcast: {input_0: 3}}", "BUDA-038", "u_kt: ^0", "expected 1 or more"},
    {"factor of input 1", NULL, "x.type: matmul | " TWO " | x.ublock: [1, 2] | x.input_1_tms: [broadcast: {c: 2}] | x.attributes: {m_k: 1, u_kt: 1, kernel_broadcast: {input_1: 3}}", "BUDA-047", "{^input_1", "expected a multiple of 2 for ublock [1, 2]"},
};

static const buda_op_row inputs[] = {
    {"binary of one", NULL, "x.type: add", "BUDA-087", "inputs: ^[a]", "has 1 input, expected 2"},
    {"binary of three", NULL, "x.type: multiply | " THREE, "BUDA-087", "inputs: ^[a, b, d]", "has 3 inputs"},
    {"unary of two", NULL, TWO, "BUDA-061", "[a, ^b]", "expected at most 1 for its type 'nop'"},
    {"third input without bias", NULL, "x.type: matmul | " THREE " | x.attributes: {m_k: 1, u_kt: 1}", "BUDA-061", ", ^d]", "needs bias, requant or dequant"},
    {"fourth input with bias only", NULL, "x.type: matmul | x.inputs: [a, b, d, a] | x.in_df: [Float16, Float16, Float16, Float16] | x.attributes: {m_k: 1, u_kt: 1, bias: true}", "BUDA-061", "d, ^a]", "bias together with"},
    {"fourth input of identity", NULL, "x.type: matmul | x.inputs: [a, b, d, a] | x.in_df: [Float16, Float16, Float16, Float16] | x.attributes: {m_k: 1, u_kt: 1, identity: true}", "BUDA-061", "d, ^a]", "needs bias"},
    {"depthwise without bias", NULL, "x.type: depthwise | " THREE " | x.attributes: {m_k: 1, u_kt: 1}", "BUDA-061", ", ^d]", "needs bias"},
    {"embedding of three", NULL, "x.type: embedding | " THREE " | x.attributes: {num_indices: 32}", "BUDA-061", ", ^d]", "at most 2"},
    {"odd buffer", NULL, "x.buf_size_mb: 3", "BUDA-060a", "mb: ^3", "expected 1 or an even number"},
    {"buffer beside t", NULL, "x.buf_size_mb: 6 | x.t: 4", "BUDA-060b", "mb: ^6", "expected a divisor or a multiple of t 4"},
    {"ublock over DEST", NULL, "x.ublock: [3, 3]", "BUDA-037", "ublock: ^[3, 3]", "holds 8 tiles"},
    {"ublock over wide DEST", NULL, "x.ublock: [1, 5] | x.acc_df: Float32", "BUDA-037", "ublock: ^[1, 5]", "holds 4 tiles"},
    {"ublock over integer DEST", NULL, "x.ublock: [5, 1] | x.acc_df: Int32", "BUDA-037", "ublock: ^[5, 1]", "holds 4 tiles"},
    {"ublock over wormhole's DEST", "wormhole", "x.ublock: [3, 11]", "BUDA-037", "ublock: ^[3, 11]", "holds 32 tiles"},
    {"topk over DEST", NULL, "x.type: topk | " TWO " | x.attributes: {m_k: 1, u_kt: 9, k: 32, sort: max}", "BUDA-037", "u_kt: ^9", "1 x 9 tiles"},
    {"huge ublock", NULL, "x.ublock: [2147483647, 2147483647]", "BUDA-037", "ublock: ^[2147483647", NULL},
    {"matmul by columns", NULL, MATMUL " | x.ublock_order: c", "BUDA-038", "order: ^c", "expected r for its type"},
    {"reduce by columns", NULL, REDUCE " | x.ublock_order: c", "BUDA-038", "order: ^c", NULL},
    {"m_k 0", NULL, "x.type: matmul | " TWO " | x.attributes: {m_k: 0, u_kt: 1}", "BUDA-038", "m_k: ^0", "expected 1 or more"},
    {"no u_kt", NULL, "x.type: matmul | " TWO " | x.attributes: {m_k: 1}", "BUDA-038", "attributes: ^{", "u_kt 0"},
    {"accumulate and identity", NULL, "x.type: matmul | " THREE " | x.attributes: {m_k: 1, u_kt: 1, identity: true, accumulate: true}", "BUDA-038", "accumulate: ^true", "one of them"},
    {"transpose of input 0", NULL, MATMUL " | x.input_0_tms: [transpose]", "BUDA-038", "[^transpose", "input 1 only"},
    {"transpose of binary input 1", NULL, ADD " | x.input_1_tms: [transpose]", "BUDA-038", "[^transpose", "input 0 only"},
    {"transpose of a reduce", NULL, REDUCE " | x.input_0_tms: [transpose]", "BUDA-038", "[^transpose", "only matmul, unary and binary"},
    {"transpose of Int32", NULL, "x.in_df: [Int32] | x.input_0_tms: [transpose]", "BUDA-038", "[^transpose", "Int32"},
    {"tile_broadcast", NULL, "x.input_0_tms: [tile_broadcast: r]", "BUDA-038", "[^tile_b", "only fused ops"},
};

static const buda_op_row kinds[] = {
    {"reduce without dim", NULL, "x.type: reduce | x.attributes: {type: max}", "BUDA-040a", "attributes: ^{", "has no attribute 'dim'"},
    {"reduce without type", NULL, "x.type: reduce | x.attributes: {dim: c}", "BUDA-040a", "attributes: ^{", "has no attribute 'type'"},
    {"reduce z converts its input", NULL, "x.type: reduce | x.intermed_df: Float16_b | x.out_df: Float16_b | x.attributes: {dim: z, type: max, z: 1}", "BUDA-040a", "in_df: [^Float16]", "expected its intermed_df Float16_b"},
    {"reduce z converts its output", NULL, "x.type: reduce | x.out_df: Bfp8 | x.attributes: {dim: z, type: max, z: 1}", "BUDA-040a", "out_df: ^Bfp8", "writes Bfp8"},
    {"reduce of 5-bit exponents", NULL, REDUCE " | x.acc_df: Float32", "BUDA-040a", "in_df: [^Float16]", "no 5-bit exponents"},
    {"reduce rc", NULL, "x.type: reduce | x.attributes: {dim: rc, type: max}", "BUDA-040b", "dim: ^rc", "the compiler does not know"},
    {"identity gradient", NULL, "x.type: matmul | " THREE " | x.gradient_op: true | x.attributes: {m_k: 1, u_kt: 1, identity: true}", "BUDA-049", "gradient_op: ^true", NULL},
    {"identity of two", NULL, "x.type: matmul | " TWO " | x.attributes: {m_k: 1, u_kt: 1, identity: true}", "BUDA-049", "inputs: ^[a, b]", "expected 3 or more"},
    {"identity with a float encoding", NULL, "x.type: matmul | " THREE " | x.attributes: {m_k: 1, u_kt: 1, identity: true}", "BUDA-049", "Float16, ^Float16]", "expected RawUInt8"},
    {"identity encoding sliced", NULL, "x.type: matmul | " THREE " | x.input_2_tms: [hslice: 1] | x.attributes: {m_k: 1, u_kt: 1, identity: true}", "BUDA-049", "[^hslice", "expected a broadcast as the first TM of its input 2"},
    {"splice of two formats", NULL, "x.type: splice | x.inputs: [a, b] | x.in_df: [Float16, Bfp8] | x.attributes: {input0: [0, 1, 1], input1: [0, 1, 1]}", "BUDA-050", ", ^Bfp8]", "expected Float16 as input 0"},
    {"splice without a piece", NULL, SPLICE "{input0: [0, 1, 1]}", "BUDA-050", "[a, ^b]", "expected [index, length, stride]"},
    {"splice with half a piece", NULL, SPLICE "{input0: [0, 1, 1], input1: [0, 1]}", "BUDA-050", "input1: ^[0, 1]", "has 2 values"},
    {"splice of length 0", NULL, SPLICE "{input0: [0, 0, 1], input1: [0, 1, 1]}", "BUDA-050", "input0: ^[0, 0", "length and stride"},
    {"splice of an input it has not", NULL, SPLICE "{input0: [0, 1, 1], input1: [0, 1, 1], input4: [0, 1, 1]}", "BUDA-050", ", ^input4", "has an attribute of an input that it does not have"},
    {"embedding of 33", NULL, "x.type: embedding | " TWO " | x.attributes: {num_indices: 33}", "BUDA-057", "indices: ^33", "multiple of 32"},
    {"embedding of too many", NULL, "x.type: embedding | " TWO " | x.mblock: [3, 1] | x.attributes: {num_indices: 64}", "BUDA-057", "mblock: ^[3, 1]", "expected 2 rows for num_indices 64"},
    {"embedding of high ublocks", NULL, "x.type: embedding | " TWO " | x.ublock: [2, 1] | x.attributes: {num_indices: 32}", "BUDA-057", "ublock: ^[2, 1]", "expected 1 row"},
    {"tilizer with TMs", NULL, "x.type: tilizer | x.input_0_tms: [hslice: 1]", "BUDA-057", "[^hslice", "takes none"},
    {"depthwise u_kt", NULL, "x.type: depthwise | " TWO " | x.attributes: {m_k: 1, u_kt: 2}", "BUDA-057", "u_kt: ^2", "expected 1"},
    {"depthwise without m_k", NULL, "x.type: depthwise | " TWO " | x.attributes: {u_kt: 1}", "BUDA-057", "attributes: ^{", "m_k 0"},
    {"high buffer", NULL, "x.type: buffer | x.mblock: [2, 1]", "BUDA-057", "mblock: ^[2, 1]", "expected 1 row"},
};

static const buda_op_row outputs[] = {
    {"untilized Bfp8", NULL, "x.untilize_output: true | x.out_df: Bfp8", "BUDA-039a", "out_df: ^Bfp8", "expected Float16, Float16_b or Float32, Int8 or Int32"},
    {"untilized Int8 on grayskull", "grayskull", "x.untilize_output: true | x.out_df: Int8", "BUDA-039a", "out_df: ^Int8", NULL},
    {"untilized by columns", NULL, "x.untilize_output: true | x.ublock_order: c", "BUDA-039a", "order: ^c", "expected r"},
    {"untilized long matmul", NULL, "x.untilize_output: true | x.type: matmul | " TWO " | x.attributes: {m_k: 2, u_kt: 1}", "BUDA-039a", "m_k: ^2", "expected 1"},
    {"untilized reduce z", NULL, "x.untilize_output: true | x.type: reduce | x.attributes: {dim: z, type: max, z: 1}", "BUDA-039a", "untilize_output: ^true", "reduces z"},
    {"untilized to nobody", NULL, "x.untilize_output: true | o.input: HOST", "BUDA-039a", "untilize_output: ^true", "feeds 0 queues"},
    {"untilized to two", NULL, "x.untilize_output: true | d.input: x", "BUDA-039a", "untilize_output: ^true", "feeds 2 queues"},
    {"untilized to an op", NULL, "x.untilize_output: true | y.inputs: [x]", "BUDA-039a", "untilize_output: ^true", "op 'y' cannot read it"},
    {"untilized queue with two buffers", NULL, "x.untilize_output: true | x.grid_size: [1, 2] | a.grid_size: [1, 2] | o.grid_size: [1, 2]", "BUDA-039a", "0x13000000]]\n    grid_size: ^[1, 2]", "expected [1, 1]"},
    {"untilized queue that is read", NULL, "x.untilize_output: true | y.inputs: [o]", "BUDA-039a", "  ^o:", "op 'y' cannot read it"},
    {"gradient to a queue", NULL, "x.gradient_op: true", "BUDA-046b", "o:\n    type: ^queue", "expected a ram"},
    {"gradient to nobody", NULL, "x.gradient_op: true | o.input: HOST", "BUDA-046b", "gradient_op: ^true", "feeds 0 queues"},
    {"gradient to an op", NULL, "x.gradient_op: true | o.type: ram | y.inputs: [x]", "BUDA-046b", "gradient_op: ^true", "and 1 op"},
    {"gradient ram of another block", NULL, "x.gradient_op: true | o.type: ram | o.mblock: [2, 1]", "BUDA-046b", "  ^o:", "another grid, t, mblock or ublock"},
    {"gradient ram with TMs", NULL, "x.gradient_op: true | o.type: ram | o.input_tms: [hslice: 1]", "BUDA-046b", "input_tms: ^[", "expected none"},
    {"gradient ram without prologue", NULL, "x.gradient_op: true | o.type: ram | p.o: {prologue: false, epilogue: true}", "BUDA-046b", "prologue: ^false", "prologue of ram 'o'"},
    {"gradient ram with no epilogue", NULL, "x.gradient_op: true | o.type: ram | p.o: {prologue: true}", "BUDA-046b", "{^o: {", "epilogue of ram 'o'"},
    {"channels of two lengths", NULL, ETHERNET "{ingress_channels: [8], egress_channels: [0, 1], dest_device: 1}", "BUDA-062a", "egress_channels: ^[0, 1]", "1 ingress and 2 egress"},
    {"channels of another grid", NULL, ETHERNET "{ingress_channels: [8, 9], egress_channels: [0, 1], dest_device: 1}", "BUDA-062a", "{ingress_channels: ^[8, 9]", "expected one per core of its grid [1, 1]"},
};
// clang-format on

HOIST_TEST_TABLE(good_ops, good)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(attributes_fit, attributes)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(inputs_and_blocks, inputs)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(kinds_of_op, kinds)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(what_ops_write_to, outputs)
{
    buda_test_op_row(t, row);
}

// Chips 0 and 1, channel 0 to channel 8.
static const int64_t chips[] = {0, 1};
static const buda_link links[] = {{{0, 1}, {0, 8}}};
static const buda_cluster cluster = {
    .chips = chips, .chip_count = 2, .links = links, .link_count = 1};

// clang-format off
static const buda_op_row clusters[] = {
    {"linked", NULL, ETHERNET "{ingress_channels: [8], egress_channels: [0], dest_device: 1}", NULL, NULL, NULL},
    {"no such chip", NULL, ETHERNET "{ingress_channels: [8], egress_channels: [0], dest_device: 7}", "BUDA-062b", "dest_device: ^7", "expected a chip of the cluster"},
    {"not linked there", NULL, ETHERNET "{ingress_channels: [8], egress_channels: [0], dest_device: 0}", "BUDA-062b", "egress_channels: [^0]", "to its dest_device"},
    {"not linked at all", NULL, ETHERNET "{ingress_channels: [8], egress_channels: [5]}", "BUDA-062b", "egress_channels: [^5]", "in the cluster"},
};
// clang-format on

HOIST_TEST_TABLE(channels_are_linked, clusters)
{
    const hoist_bytes text = buda_test_op_netlist(t, row->edits);
    buda_test_check_ops(t, text, NULL, &cluster);
    buda_test_expect_row(t, row, text);
}

// Each op of the file is checked once, however many devices its graph has.
HOIST_TEST(one_finding_for_a_list_of_devices)
{
    const hoist_bytes text = buda_test_op_netlist(t, "x.buf_size_mb: 3");
    const hoist_bytes listed =
        buda_test_patched(t, (const char *)text.data, "  g:\n    target_device: 0",
                          "  g:\n    target_device: [0, 1, 2]");
    buda_test_check_ops(t, listed, NULL, NULL);
    HOIST_EXPECT_EQ(t, buda_test_count(t->diag, "BUDA-060a"), 1);
}

HOIST_TEST(objects_are_named)
{
    buda_test_check_ops(t, buda_test_op_netlist(t, "x.buf_size_mb: 3"), NULL, NULL);
    HOIST_EXPECT(t, hoist_diag_kept(t->diag) == 1);
    if (hoist_diag_kept(t->diag) == 1) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "graphs/g/ops/x");
    }
}

HOIST_TEST(memory_runs_out)
{
    buda_test_starve(t, buda_test_op_netlist(t, "x.gradient_op: true | o.type: ram"),
                     buda_check_ops);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(good_ops), HOIST_TEST_ROW(attributes_fit),
                HOIST_TEST_ROW(inputs_and_blocks), HOIST_TEST_ROW(kinds_of_op),
                HOIST_TEST_ROW(what_ops_write_to), HOIST_TEST_ROW(channels_are_linked),
                HOIST_TEST_ROW(one_finding_for_a_list_of_devices),
                HOIST_TEST_ROW(objects_are_named), HOIST_TEST_ROW(memory_runs_out))
