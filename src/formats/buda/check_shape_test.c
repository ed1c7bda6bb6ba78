// Rules of edges (rules 39b, 59 and 63): check_shape.c.
#include "formats/buda/netlist_testing.h"

#define TWO "x.inputs: [a, b] | x.in_df: [Float16, Float16]"
#define THREE "x.inputs: [a, b, d] | x.in_df: [Float16, Float16, Float16]"
#define MATMUL(attributes) "x.type: matmul | " TWO " | x.attributes: {" attributes "}"

// clang-format off
static const buda_op_row good[] = {
    {"broadcast of r", NULL, "x.mblock: [3, 1] | o.mblock: [3, 1] | x.input_0_tms: [broadcast: {r: 3}]", NULL, NULL, NULL},
    {"broadcast of all axes", NULL, "x.mblock: [3, 2] | o.mblock: [3, 2] | x.t: 4 | o.t: 4 | x.input_0_tms: [broadcast: {r: 3}, broadcast: {c: 2}, broadcast: {z: 4}]", NULL, NULL, NULL},
    {"hslice", NULL, "a.mblock: [1, 4] | x.t: 4 | o.t: 4 | x.input_0_tms: [hslice: 4]", NULL, NULL, NULL},
    {"hstack", NULL, "a.t: 4 | x.mblock: [1, 4] | o.mblock: [1, 4] | x.input_0_tms: [hstack: 4]", NULL, NULL, NULL},
    {"vslice", NULL, "a.mblock: [4, 1] | x.t: 4 | o.t: 4 | x.input_0_tms: [vslice: 4]", NULL, NULL, NULL},
    {"vstack", NULL, "a.t: 4 | x.mblock: [4, 1] | o.mblock: [4, 1] | x.input_0_tms: [vstack: 4]", NULL, NULL, NULL},
    {"transpose", NULL, "a.mblock: [4, 2] | x.mblock: [2, 4] | o.mblock: [2, 4] | x.input_0_tms: [transpose]", NULL, NULL, NULL},
    {"pad TM", NULL, "x.mblock: [2, 3] | o.mblock: [2, 3] | x.input_0_tms: [pad: [1, 2, 0.0]]", NULL, NULL, NULL},
    {"unpad and pad", NULL, "a.mblock: [4, 4] | x.mblock: [3, 4] | o.mblock: [3, 4] | x.input_0_unpad: {rt: 2, ct: 1} | x.input_0_pad: {rt: 1, ct: 1, pad_value: 0.0}", NULL, NULL, NULL},
    {"no TMs written out", NULL, "x.input_0_tms: []", NULL, NULL, NULL},
    {"other split of one shape", NULL, "a.mblock: [4, 1] | a.ublock: [1, 2] | x.grid_size: [2, 1] | x.ublock: [2, 2] | o.grid_size: [1, 2] | o.mblock: [4, 1] | o.grid_size: [1, 2] | o.dram: [[0, 0x13000000], [1, 0x13000000]]", NULL, NULL, NULL},
    {"matmul", NULL, "a.mblock: [2, 6] | b.mblock: [6, 3] | x.mblock: [2, 3] | o.mblock: [2, 3] | " MATMUL("m_k: 3, u_kt: 2"), NULL, NULL, NULL},
    {"matmul with transpose", NULL, "a.mblock: [2, 6] | b.mblock: [3, 6] | x.mblock: [2, 3] | o.mblock: [2, 3] | x.input_1_tms: [transpose] | " MATMUL("m_k: 3, u_kt: 2"), NULL, NULL, NULL},
    {"depthwise", NULL, "a.mblock: [2, 6] | b.mblock: [3, 2] | x.mblock: [2, 2] | o.mblock: [2, 2] | x.type: depthwise | " TWO " | x.attributes: {m_k: 3, u_kt: 1}", NULL, NULL, NULL},
    {"reduce r", NULL, "a.mblock: [6, 2] | x.mblock: [1, 2] | o.mblock: [1, 2] | x.type: reduce | x.attributes: {dim: r, type: max, m_k: 3, u_kt: 2}", NULL, NULL, NULL},
    {"reduce z", NULL, "a.t: 6 | x.t: 2 | o.t: 2 | x.type: reduce | x.attributes: {dim: z, type: max, z: 3}", NULL, NULL, NULL},
    {"splice of ublocks", NULL, "a.mblock: [1, 3] | x.mblock: [1, 5] | o.mblock: [1, 5] | b.mblock: [1, 2] | x.type: splice | " TWO " | x.attributes: {input0: [0, 3, 3], input1: [0, 2, 2]}", NULL, NULL, NULL},
    {"queue with input_tms", NULL, "x.mblock: [1, 4] | a.mblock: [1, 4] | o.t: 4 | o.input_tms: [hslice: 4]", NULL, NULL, NULL},
    {"untilized queue of another split", NULL, "x.untilize_output: true | x.mblock: [2, 1] | a.mblock: [2, 1] | o.ublock: [2, 1]", NULL, NULL, NULL},
};

static const buda_op_row tms[] = {
    {"hslice", NULL, "a.mblock: [1, 3] | x.input_0_tms: [hslice: 2]", "BUDA-063a", "[^hslice", "does not divide its 3 tile columns"},
    {"vslice", NULL, "a.mblock: [3, 1] | x.input_0_tms: [vslice: 2]", "BUDA-063a", "[^vslice", "does not divide its 3 tile rows"},
    {"hstack", NULL, "a.t: 3 | x.input_0_tms: [hstack: 2]", "BUDA-063a", "[^hstack", "does not divide its 3 slices of t"},
    {"vstack after broadcast", NULL, "a.t: 3 | x.input_0_tms: [broadcast: {z: 3}, vstack: 2]", "BUDA-063a", "^vstack", "its 9 slices"},
    {"hslice 0", NULL, "x.input_0_tms: [hslice: 0]", "BUDA-063a", "[^hslice", "out of range"},
    {"pad below 0", NULL, "x.input_0_tms: [pad: [-1, 0, 0.0]]", "BUDA-063a", "[^pad", "out of range"},
    {"too big", NULL, "x.input_0_tms: [broadcast: {z: 2147483647}, broadcast: {z: 2147483647}, broadcast: {z: 2147483647}]", "BUDA-063a", "{z: 2147483647}, broadcast: {z: 2147483647}, ^broadcast", "makes a shape over 64 bits"},
    {"queue input_tms", NULL, "o.input_tms: [hslice: 2]", "BUDA-063a", "[^hslice", "does not fit the shape"},
    {"pad of a queue", NULL, "o.input_tms: [pad: [1, 1, 0.0]]", "BUDA-063a", "[^pad", "no TM that a queue takes"},
    {"two pads", NULL, "x.input_0_tms: [pad: [1, 0, 0.0], pad: [1, 0, 0.0]]", "BUDA-063b", "0.0], ^pad", "pads an input twice"},
    {"pad in both forms", NULL, "x.input_0_tms: [pad: [1, 0, 0.0]] | x.input_0_pad: {rt: 1, ct: 0, pad_value: 0.0}", "BUDA-063b", "[^pad", "pads an input twice"},
    {"unpad of everything", NULL, "x.input_0_unpad: {rt: 1, ct: 0}", "BUDA-063b", "unpad: ^{rt: 1", "has input_0_unpad of 1 row and 0 columns of 1 x 1 tiles, expected fewer"},
    {"TMs of no input", NULL, "x.input_1_tms: [hslice: 1]", "BUDA-063b", "input_1_tms: ^[", "only 1 input"},
    {"pad of no input", NULL, "x.input_1_pad: {rt: 1, ct: 1, pad_value: 0.0}", "BUDA-063b", "input_1_pad: ^{", "only 1 input"},
};

static const buda_op_row shapes[] = {
    {"unary rows", NULL, "a.mblock: [2, 1]", "BUDA-063b", "inputs: [^a]", "is 1 x 2 x 1 (t, tile rows, tile columns) after its TMs, expected 1 x 1 x 1"},
    {"unary t", NULL, "a.t: 2", "BUDA-063b", "inputs: [^a]", "is 2 x 1 x 1"},
    {"binary columns", NULL, "x.type: add | " TWO " | b.ublock: [1, 2]", "BUDA-063b", "[a, ^b]", "is 1 x 1 x 2"},
    {"after TMs", NULL, "x.input_0_tms: [broadcast: {c: 2}]", "BUDA-063b", "inputs: [^a]", "is 1 x 1 x 2"},
    {"from an op", NULL, "y.inputs: [x] | y.mblock: [2, 1]", "BUDA-063b", "inputs: [^x]", "input 0 of op 'y'"},
    {"matmul depth of input 0", NULL, MATMUL("m_k: 2, u_kt: 1"), "BUDA-063b", "[^a, b]", "expected 1 x 1 x 2"},
    {"matmul depth of input 1", NULL, "a.mblock: [1, 2] | " MATMUL("m_k: 2, u_kt: 1"), "BUDA-063b", "[a, ^b]", "expected 1 x 2 x 1"},
    {"matmul columns", NULL, "b.mblock: [1, 2] | " MATMUL("m_k: 1, u_kt: 1"), "BUDA-063b", "[a, ^b]", "expected 1 x 1 x 1"},
    {"matmul accumulates", NULL, "a.t: 2 | " MATMUL("m_k: 1, u_kt: 1, accumulate: true, z: 2"), "BUDA-063b", "[a, ^b]", "expected 2 x 1 x 1"},
    {"bias columns", NULL, "d.mblock: [1, 2] | " MATMUL("m_k: 1, u_kt: 1, bias: true") " | " THREE, "BUDA-063b", "b, ^d]", "input 2"},
    {"identity activations", NULL, "b.mblock: [1, 2] | " MATMUL("m_k: 1, u_kt: 1, identity: true") " | " THREE, "BUDA-063b", "a, ^b, d]", "input 1"},
    {"depthwise input", NULL, "x.type: depthwise | " TWO " | x.attributes: {m_k: 2, u_kt: 1}", "BUDA-063b", "[^a, b]", "expected 1 x 1 x 2"},
    {"depthwise weights", NULL, "a.mblock: [1, 2] | x.type: depthwise | " TWO " | x.attributes: {m_k: 2, u_kt: 1}", "BUDA-063b", "[a, ^b]", "expected 1 x 2 x 1"},
    {"reduce r", NULL, "x.type: reduce | x.attributes: {dim: r, type: max, m_k: 2, u_kt: 1}", "BUDA-063b", "inputs: [^a]", "expected 1 x 2 x 1"},
    {"reduce c", NULL, "x.type: reduce | x.attributes: {dim: c, type: max, m_k: 2, u_kt: 1}", "BUDA-063b", "inputs: [^a]", "expected 1 x 1 x 2"},
    {"reduce z", NULL, "x.type: reduce | x.attributes: {dim: z, type: max, z: 2}", "BUDA-063b", "inputs: [^a]", "expected 2 x 1 x 1"},
    {"splice of t", NULL, "b.mblock: [1, 2] | x.type: splice | " TWO " | x.attributes: {granularity: t, input0: [0, 1, 1], input1: [0, 1, 1]}", "BUDA-063b", "[a, ^b]", "expected 1 x 1 x 1"},
    {"splice of ublocks", NULL, "b.t: 2 | x.type: splice | " TWO " | x.attributes: {input0: [0, 1, 1], input1: [0, 1, 1]}", "BUDA-063b", "[a, ^b]", "expected 1 x 1 x 1"},
    {"topk rows", NULL, "b.mblock: [2, 1] | x.type: topk | " TWO " | x.attributes: {k: 8, sort: max, m_k: 1, u_kt: 1}", "BUDA-063b", "[a, ^b]", "expected 1 x 1 x 1"},
    {"matmul of unread slices", NULL, "b.t: 3 | " MATMUL("m_k: 1, u_kt: 1"), "BUDA-063c", "[a, ^b]", "has 3 slices of t in input 1 after its TMs, and its matmul reads the first 1"},
    {"matmul of too few slices", NULL, "a.t: 4 | x.t: 4 | o.t: 4 | b.t: 3 | " MATMUL("m_k: 1, u_kt: 1"), "BUDA-063b", "[a, ^b]", "is 3 x 1 x 1 (t, tile rows, tile columns) after its TMs, expected 4 x 1 x 1"},
    {"unread slices of accumulation", NULL, "a.t: 2 | b.t: 4 | " MATMUL("m_k: 1, u_kt: 1, accumulate: true, z: 2"), "BUDA-063c", "[a, ^b]", "reads the first 2"},
    {"slices of matmul input 0", NULL, "a.t: 2 | " MATMUL("m_k: 1, u_kt: 1"), "BUDA-063b", "[^a, b]", "is 2 x 1 x 1"},
    {"matmul of one", NULL, "x.type: matmul | x.attributes: {m_k: 1, u_kt: 1}", "BUDA-063b", "inputs: ^[a]", "expected 2 or more for its type 'matmul'"},
    {"queue", NULL, "o.mblock: [1, 2]", "BUDA-063b", "  ^o:", "expected 1 x 1 x 1 of op 'x'"},
    {"untilized queue", NULL, "x.untilize_output: true | o.t: 2", "BUDA-039b", "  ^o:", "holds 2 x 1 x 1"},
    {"untilized queue with TMs", NULL, "x.untilize_output: true | o.input_tms: [hslice: 1]", "BUDA-039b", "input_tms: ^[", "expected none"},
    {"format of a queue read", NULL, "a.df: Bfp8", "BUDA-059a", "in_df: [^Float16]", "expected Bfp8 of 'a'"},
    {"format of an op read", NULL, "y.inputs: [x] | y.in_df: [Bfp8]", "BUDA-059a", "in_df: [^Bfp8]", "expected Float16 of 'x'"},
    {"format of a queue written", NULL, "o.df: Bfp8", "BUDA-059b", "df: ^Bfp8", "expected Float16 of op 'x'"},
};
// clang-format on

HOIST_TEST_TABLE(good_edges, good)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(tms_of_edges, tms)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(shapes_and_formats_of_edges, shapes)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(good_edges), HOIST_TEST_ROW(tms_of_edges),
                HOIST_TEST_ROW(shapes_and_formats_of_edges))
