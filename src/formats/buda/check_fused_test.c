// Rules of fused ops: one definition of three schedules that breaks no rule, changed in one place.
#include "formats/buda/netlist_testing.h"

// Places are given by text, so that lines may move. Schedules: an element-wise one through dest, a
// reduce that leaves intermed1 to a broadcast, a matmul and what follows it.
// clang-format off
static const char base[] =
    "devices: {arch: [grayskull, wormhole_b0]}\n"
    "queues:\n"
    "  a: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 2], ublock: [2, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x10000000]]}\n"
    "  b: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 2], ublock: [2, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x11000000]]}\n"
    "  w: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [2, 2], ublock: [2, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x12000000]]}\n"
    "  o: {type: queue, input: x, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 2], ublock: [2, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x13000000]]}\n"
    "fused_ops:\n"
    "  f0:\n"
    "    inputs: 3\n"
    "    intermediates: 4\n"
    "    schedules:\n"
    "      -\n"
    "        - mul: {type: multiply, inputs: [input0, input1], mblock: [1, 2], ublock: [2, 2], output: dest}\n"
    "        - exp: {type: exp, inputs: [dest], mblock: [1, 2], ublock: [2, 2], output: intermed0}\n"
    "      -\n"
    "        - red: {type: reduce, inputs: [intermed0], mblock: [1, 1], ublock: [2, 1], output: intermed1, attributes: {dim: c, type: max, m_k: 2, u_kt: 2}}\n"
    "      -\n"
    "        - sub: {type: subtract, inputs: [intermed0, intermed1], input_1_tms: [broadcast: {c: 4}], mblock: [1, 2], ublock: [2, 2], pop: [intermed0], pop_last: [intermed1], output: intermed2}\n"
    "        - mm: {type: matmul, inputs: [intermed2, input2], mblock: [1, 2], ublock: [2, 2], pop: [intermed2], output: intermed3, attributes: {m_k: 2, u_kt: 2}}\n"
    "      -\n"
    "        - out: {type: add, inputs: [intermed3, input0], mblock: [1, 2], ublock: [2, 2], pop: [intermed3], output: output, attributes: {relu_en: true, relu_threshold: 0.5, relu_mode: min}}\n"
    "graphs:\n"
    "  g:\n"
    "    target_device: 0\n"
    "    input_count: 1\n"
    "    x: {type: fused_op, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a, b, w], in_df: [Float16, Float16, Float16], out_df: Float16, intermed_df: Float16, acc_df: Float16, math_fidelity: HiFi3, buf_size_mb: 2, t: 1, mblock: [1, 2], ublock: [2, 2], attributes: {fused_op_id: f0, relu_en: true, relu_threshold: 0.5, relu_mode: min}}\n"
    "programs:\n"
    "  - p:\n"
    "      - execute: {graph_name: g}\n";

// An integer fused op: a quantized product.
static const char integer_base[] =
    "devices: {arch: [grayskull, wormhole_b0]}\n"
    "queues:\n"
    "  a: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[0, 0x10000000]]}\n"
    "  s: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[0, 0x11000000]]}\n"
    "  b: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, 1], df: Int8, target_device: 0, loc: dram, dram: [[0, 0x12000000]]}\n"
    "  o: {type: queue, input: x, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, 1], df: Float32, target_device: 0, loc: dram, dram: [[0, 0x13000000]]}\n"
    "fused_ops:\n"
    "  0:\n"
    "    inputs: 3\n"
    "    intermediates: 1\n"
    "    schedules:\n"
    "      -\n"
    "        - quant: {type: quantization, inputs: [input0, input1], mblock: [1, 1], ublock: [1, 1], output: intermed0}\n"
    "        - prod: {type: multiply, inputs: [intermed0, input2], mblock: [1, 1], ublock: [1, 1], pop: [intermed0], output: dest}\n"
    "        - deq: {type: dequantization, inputs: [input1, dest], mblock: [1, 1], ublock: [1, 1], output: output}\n"
    "graphs:\n"
    "  g:\n"
    "    target_device: 0\n"
    "    input_count: 1\n"
    "    x: {type: fused_op, grid_loc: [0, 0], grid_size: [1, 1], inputs: [a, s, b], in_df: [Float32, Float32, Int8], out_df: Float32, intermed_df: Int8, acc_df: Int32, math_fidelity: HiFi4, buf_size_mb: 2, t: 1, mblock: [1, 1], ublock: [1, 1], attributes: {fused_op_id: 0}}\n"
    "programs:\n"
    "  - p:\n"
    "      - execute: {graph_name: g}\n";

typedef struct fused_row {
    const char *name;
    const char *arch;
    const char *find; // in the base
    const char *put;
    const char *rule;
    const char *at; // in the changed text
    const char *says;
} fused_row;

static const fused_row good[] = {
    {"base", NULL, NULL, NULL, NULL, NULL, NULL},
    {"base on grayskull", "grayskull", NULL, NULL, NULL, NULL, NULL},
    {"the other spelling of intermediates", NULL, "output: intermed0}", "output: interm0}", NULL, NULL, NULL},
    {"more intermediates than used", NULL, "intermediates: 4", "intermediates: 8", NULL, NULL, NULL},
    {"another input at the end", NULL, "[intermed3, input0]", "[intermed3, input1]", NULL, NULL, NULL},
    {"sub-op without relu", NULL, ", attributes: {relu_en: true, relu_threshold: 0.5, relu_mode: min}}\ngraphs", "}\ngraphs", NULL, NULL, NULL},
};

static const fused_row order[] = {
    {"unknown definition", NULL, "fused_op_id: f0", "fused_op_id: f1", "BUDA-064", "fused_op_id: ^f1", "which fused_ops does not define"},
    {"no fused_op_id", NULL, "fused_op_id: f0, ", "", "BUDA-064", "type: ^fused_op", "has no attribute 'fused_op_id'"},
    {"another number of inputs", NULL, "inputs: 3\n", "inputs: 4\n", "BUDA-064", "inputs: ^[a, b, w]", "expected 4 of its definition 'f0'"},
    {"nine intermediates", NULL, "intermediates: 4", "intermediates: 9", "BUDA-064", "intermediates: ^9", "expected at most 8"},
    {"operand beyond the inputs", NULL, "[input0, input1]", "[input0, input3]", "BUDA-064", "[input0, ^input3]", "one of the 3 inputs"},
    {"operand of no kind", NULL, "inputs: [dest]", "inputs: [dst]", "BUDA-064", "inputs: [^dst]", "reads 'dst'"},
    {"intermediate 8", NULL, "output: intermed0}", "output: intermed0, pop: []}\n        - bad: {type: nop, inputs: [intermed8], mblock: [1, 2], ublock: [2, 2], output: output}", "BUDA-064", "inputs: [^intermed8]", "one of the 3 inputs or of the 4 intermediates"},
    {"binary of one", NULL, "[input0, input1]", "[input0]", "BUDA-064", "inputs: ^[input0]", "expected 2 to 2 for its type 'multiply'"},
    {"output to an input", NULL, "output: intermed0}", "output: input1}", "BUDA-064", "output: ^input1", "expected dest, output or one of the 4 intermediates"},
    {"intermediate beyond the announced", NULL, "intermediates: 4", "intermediates: 3", "BUDA-064", "inputs: [^intermed3, input0]", "reads 'intermed3', expected dest, one of the 3 inputs or of the 3 intermediates"},
    {"output beyond the announced", NULL, "intermediates: 4", "intermediates: 3", "BUDA-064", "output: ^intermed3", "writes 'intermed3', expected dest, output or one of the 3 intermediates"},
    {"one intermediate", NULL, "intermediates: 4", "intermediates: 1", "BUDA-064", "[intermed0, ^intermed1]", "or of the 1 intermediate"},
    {"no intermediates", NULL, "intermediates: 4", "intermediates: 0", "BUDA-064", "output: ^intermed0", "one of the 0 intermediates"},
    {"empty schedule", NULL, "graphs:", "      - []\ngraphs:", "BUDA-064", "- ^[]", "is empty"},
    {"reduce in the middle", NULL, "        - sub:", "        - r2: {type: reduce, inputs: [input0], mblock: [1, 1], ublock: [2, 1], output: intermed4, attributes: {dim: c, type: max, m_k: 1, u_kt: 1}}\n        - sub:", "BUDA-065", "r2: {type: ^reduce", "must be the last of its schedule"},
    {"long matmul to output", NULL, "output: intermed3, ", "output: output, ", "BUDA-065", "pop: [intermed2], output: ^output", "m_k 2 and writes 'output'"},
    {"matmul by an intermediate", NULL, "[intermed2, input2]", "[input0, intermed2]", "BUDA-066", "[input0, ^intermed2]", "expected an input of the fused op"},
    {"matmul of dest", NULL, "[intermed2, input2]", "[dest, input2]", "BUDA-067", "inputs: [^dest, input2]", "type 'matmul' reads dest"},
    {"maximum of dest", NULL, "exp: {type: exp, inputs: [dest]", "exp: {type: maximum, inputs: [dest, input1]", "BUDA-067", "inputs: [^dest, input1]", "type 'maximum'"},
    {"maximum to dest", NULL, "mul: {type: multiply", "mul: {type: maximum", "BUDA-067", "output: ^dest", "writes dest"},
    {"dest that nobody reads", NULL, "inputs: [dest]", "inputs: [input1]", "BUDA-068", "exp: {type: exp, inputs: ^[input1]", "does not read dest"},
    {"dest at the start", NULL, "[input0, input1]", "[dest, input1]", "BUDA-068", "[^dest, input1]", "first of its schedule"},
    {"dest that was not written", NULL, "[input0, input1], mblock: [1, 2], ublock: [2, 2], output: dest", "[input0, input1], mblock: [1, 2], ublock: [2, 2], output: intermed5", "BUDA-068", "inputs: [^dest]", "before it does not write"},
    {"dest at the end", NULL, "output: intermed0}", "output: dest}", "BUDA-068", "inputs: [dest], mblock: [1, 2], ublock: [2, 2], output: ^dest", "writes dest at the end of its schedule, where no sub-op reads it"},
    {"dest as input 1 on grayskull", "grayskull", "exp: {type: exp, inputs: [dest]", "exp: {type: add, inputs: [input0, dest]", "BUDA-068", "[input0, ^dest]", "on grayskull it can only be input 0"},
    {"pop of a stranger", NULL, "pop: [intermed2]", "pop: [intermed0]", "BUDA-069", "2], pop: [^intermed0], output: intermed3", "is no input of it"},
    {"pop_last of a stranger", NULL, "pop_last: [intermed1]", "pop_last: [intermed3]", "BUDA-069", "pop_last: [^intermed3]", "is no input of it"},
    {"pop twice", NULL, "pop: [intermed0]", "pop: [intermed0, intermed0]", "BUDA-069", "[intermed0, ^intermed0]", "twice"},
    {"more pops than inputs", NULL, "pop: [intermed2]", "pop: [intermed2, input2, intermed2]", "BUDA-069", "pop: ^[intermed2, input2", "has 3 names"},
    {"in both lists", NULL, "pop_last: [intermed1]", "pop_last: [intermed0]", "BUDA-069", "pop_last: [^intermed0]", "in pop and in pop_last"},
    {"pop_last of an input", NULL, "pop: [intermed3]", "pop: [intermed3], pop_last: [input0]", "BUDA-069", "pop_last: [^input0]", "expected an intermediate"},
    {"read before written", NULL, "[intermed0, intermed1]", "[intermed0, intermed6]", "BUDA-070", "[intermed0, ^intermed6]", "no sub-op before it writes"},
    {"read after the pop", NULL, "[intermed3, input0]", "[intermed2, input0]", "BUDA-070", "[^intermed2, input0]", "is popped already"},
    {"written over", NULL, "output: intermed1,", "output: intermed0,", "BUDA-070", "output: ^intermed0, attributes", "writes 'intermed0', which 'exp' wrote and no sub-op popped"},
    {"never popped", NULL, "pop: [intermed3], ", "", "BUDA-070", "output: ^intermed3", "is not popped by the end"},
    {"crossing a reduce", NULL, "        - red:", "        - early: {type: nop, inputs: [input1], mblock: [1, 2], ublock: [2, 2], output: intermed7}\n        - red:", "BUDA-070", "output: ^intermed7", NULL},
    {"intermediate of a reduce's schedule", NULL, "inputs: [intermed3, input0], mblock: [1, 2], ublock: [2, 2], pop: [intermed3]", "inputs: [intermed3, intermed2], mblock: [1, 2], ublock: [2, 2], pop: [intermed3, intermed2]", "BUDA-070", "[intermed3, ^intermed2]", NULL},
    {"intermediate of a matmul's schedule", NULL, "pop: [intermed2], output: intermed3, attributes: {m_k: 2, u_kt: 2}}\n      -\n        - out: {type: add, inputs: [intermed3, input0], mblock: [1, 2], ublock: [2, 2], pop: [intermed3]", "output: intermed3, attributes: {m_k: 2, u_kt: 2}}\n      -\n        - out: {type: add, inputs: [intermed3, intermed2], mblock: [1, 2], ublock: [2, 2], pop: [intermed3, intermed2]", "BUDA-071", "[intermed3, ^intermed2]", "of another schedule"},
    {"two of a name", NULL, "- exp:", "- mul:", "BUDA-086", "^mul: {type: exp", "occurs twice in fused op 'f0'"},
    {"two of a name in two schedules", NULL, "- out:", "- mul:", "BUDA-086", "^mul: {type: add", NULL},
    {"attribute of a sub-op", NULL, "m_k: 2, u_kt: 2}}\n      -\n        - sub", "m_k: 2, u_kt: 2, bias: true}}\n      -\n        - sub", "BUDA-085", "^bias", "has attribute 'bias', which its type 'reduce' does not take"},
    {"slope of an exp", NULL, "output: intermed0}", "output: intermed0, attributes: {slope: 0.1}}", "BUDA-085", "{^slope", "type 'exp'"},
};

static const fused_row shapes[] = {
    {"z broadcast", NULL, "{c: 4}", "{z: 4}", "BUDA-072", "[^broadcast", "broadcasts z"},
    {"TMs of no input", NULL, "input_1_tms: [broadcast", "input_2_tms: [broadcast", "BUDA-072", "input_2_tms: ^[", "has TMs of input 2"},
    {"transpose", NULL, "[broadcast: {c: 4}]", "[transpose]", "BUDA-072", "[^transpose", "no transpose inside"},
    {"pad", NULL, "[broadcast: {c: 4}]", "[pad: [1, 1, 0.0]]", "BUDA-072", "[^pad", "no pad inside"},
    {"a block that reads no input", NULL, "inputs: [intermed0, intermed1], input_1_tms", "inputs: [], input_1_tms", "BUDA-072", "input_1_tms: ^[", "has TMs of input 1, but only 0 inputs"},
    {"tile_broadcast of a unary", NULL, "inputs: [dest], ", "inputs: [dest], input_0_tms: [tile_broadcast: r], ", "BUDA-072", "[^tile_broadcast", "only input 1 of"},
    {"tile_broadcast of dest", NULL, "{type: exp, inputs: [dest], ", "{type: add, inputs: [input1, dest], input_1_tms: [tile_broadcast: r], ", "BUDA-072", "[^tile_broadcast", "of dest"},
    {"hslice", NULL, "[broadcast: {c: 4}]", "[hslice: 1]", "BUDA-072", "[^hslice", "slices or stacks"},
    {"hstack", NULL, "[broadcast: {c: 4}]", "[hstack: 1]", "BUDA-072", "[^hstack", "slices or stacks"},
    {"vslice of an input", NULL, "inputs: [input0, input1], ", "inputs: [input0, input1], input_0_tms: [vslice: 2], ", "BUDA-072", "[^vslice", "slices or stacks"},
    {"vstack behind a broadcast", NULL, "[broadcast: {c: 4}]", "[broadcast: {c: 4}, vstack: 1]", "BUDA-072", "^vstack", "slices or stacks"},
    {"broadcast of an input", NULL, "inputs: [input0, input1], ", "inputs: [input0, input1], input_1_tms: [broadcast: {r: 2}], ", "BUDA-072", "[^broadcast: {r: 2}", "expected an intermediate"},
    {"broadcast of r and c", NULL, "[broadcast: {c: 4}]", "[broadcast: {c: 4}, broadcast: {r: 1}]", "BUDA-072", "[^broadcast", "expected one of them"},
    {"broadcast into a maximum", NULL, "sub: {type: subtract", "sub: {type: maximum", "BUDA-072", "[^broadcast", "do not take"},
    {"r broadcast of two rows", NULL, "{c: 4}", "{r: 1}", "BUDA-073", "[^broadcast", "1 row in both"},
    {"c broadcast of two columns", NULL, "red: {type: reduce, inputs: [intermed0], mblock: [1, 1], ublock: [2, 1]", "red: {type: reduce, inputs: [intermed0], mblock: [1, 1], ublock: [2, 2]", "BUDA-073", "[^broadcast", "1 column in both"},
    {"r broadcast of a matmul", NULL, "[intermed2, input2], ", "[intermed2, input2], input_0_tms: [broadcast: {r: 2}], ", "BUDA-073", "[^broadcast: {r: 2}", "matmul that broadcasts r"},
    {"c broadcast of matmul columns", NULL, "[intermed2, input2], mblock: [1, 2], ublock: [2, 2], pop: [intermed2], output: intermed3, attributes: {m_k: 2", "[intermed2, input2], input_0_tms: [broadcast: {c: 2}], mblock: [1, 2], ublock: [2, 2], pop: [intermed2], output: intermed3, attributes: {m_k: 4", "BUDA-073", "[^broadcast: {c: 2}", "expected input 0 with 1 or m_k"},
    {"unary of another block", NULL, "inputs: [dest], mblock: [1, 2]", "inputs: [dest], mblock: [1, 4]", "BUDA-074", "inputs: [^dest]", "own dimensions after broadcasts"},
    {"broadcast too short", NULL, "{c: 4}", "{c: 2}", "BUDA-074", "[intermed0, ^intermed1]", "input 1 of sub-op 'sub'"},
    {"matmul of another depth", NULL, "{m_k: 2, u_kt: 2}}\n      -\n        - out", "{m_k: 2, u_kt: 1}}\n      -\n        - out", "BUDA-074", "[^intermed2, input2]", "m_k ublocks of u_kt columns"},
    {"matmul of other rows", NULL, "[intermed2, input2], mblock: [1, 2]", "[intermed2, input2], mblock: [2, 2]", "BUDA-074", "[^intermed2, input2]", "the rows of the sub-op"},
    {"matmul by other rows", NULL, "[intermed2, input2], mblock: [1, 2], ublock: [2, 2], pop: [intermed2], output: intermed3, attributes: {m_k: 2, u_kt: 2}", "[input2, intermed2], mblock: [1, 2], ublock: [2, 2], pop: [intermed2], output: intermed3, attributes: {m_k: 1, u_kt: 4}", "BUDA-074", "[input2, ^intermed2]", "m_k ublocks of u_kt rows"},
    {"matmul by other columns", NULL, "[intermed2, input2], mblock: [1, 2], ublock: [2, 2], pop: [intermed2], output: intermed3, attributes: {m_k: 2, u_kt: 2}", "[input2, intermed2], mblock: [1, 1], ublock: [2, 2], pop: [intermed2], output: intermed3, attributes: {m_k: 1, u_kt: 2}", "BUDA-074", "[input2, ^intermed2]", "the columns of the sub-op"},
    {"reduce into two columns", NULL, "mblock: [1, 1], ublock: [2, 1]", "mblock: [1, 2], ublock: [2, 1]", "BUDA-074", "[intermed0], mblock: ^[1, 2]", "1 column in both"},
    {"reduce into two rows", NULL, "dim: c", "dim: r", "BUDA-074", "mblock: ^[1, 1], ublock: [2, 1]", "1 row in both"},
    {"reduce of another depth", NULL, "m_k: 2, u_kt: 2}}\n      -\n        - sub", "m_k: 1, u_kt: 2}}\n      -\n        - sub", "BUDA-074", "inputs: [^intermed0], mblock", "m_k ublocks of u_kt columns"},
    {"reduce z", NULL, "dim: c", "dim: z", "BUDA-040a", "dim: ^z", "without dim r or c"},
    {"output of another block", NULL, "[intermed3, input0], mblock: [1, 2], ublock: [2, 2]", "[intermed3, input0], mblock: [1, 1], ublock: [2, 2]", "BUDA-075", "[intermed3, input0], mblock: ^[1, 1]", "expected [1, 2], [2, 2] of op 'x'"},
    {"output of another threshold", NULL, "relu_threshold: 0.5, relu_mode: min}}\ngraphs", "relu_threshold: 0.25, relu_mode: min}}\ngraphs", "BUDA-075", "threshold: ^0.25", "expected 0.5"},
    {"output of another relu mode", NULL, "relu_mode: min}}\ngraphs", "relu_mode: max}}\ngraphs", "BUDA-075", "mode: ^max", "expected min"},
    {"ublock over DEST", NULL, "inputs: [dest], mblock: [1, 2], ublock: [2, 2]", "inputs: [dest], mblock: [1, 2], ublock: [3, 3]", "BUDA-076", "ublock: ^[3, 3]", "holds 8 tiles in op 'x'"},
    {"ublock of nine rows", NULL, "inputs: [dest], mblock: [1, 2], ublock: [2, 2]", "inputs: [dest], mblock: [1, 2], ublock: [9, 1]", "BUDA-076", "ublock: ^[9, 1]", NULL},
    {"input of another shape", NULL, "inputs: [a, b, w]", "inputs: [a, w, w]", "BUDA-063b", "inputs: [a, ^w, w]", "is 1 x 4 x 4"},
    {"matmul input of another shape", NULL, "inputs: [a, b, w]", "inputs: [a, b, b]", "BUDA-063b", "inputs: [a, b, ^b]", "expected 1 x 4 x 4"},
    {"reduce of 5-bit exponents", NULL, "acc_df: Float16", "acc_df: Float32", "BUDA-040a", "in_df: [^Float16", "expected no 5-bit exponents with acc_df Float32"},
};

static const fused_row integers[] = {
    {"base", NULL, NULL, NULL, NULL, NULL, NULL},
    {"on grayskull", "grayskull", NULL, NULL, "BUDA-042", "acc_df: ^Int32", NULL},
    {"exp", NULL, "prod: {type: multiply, inputs: [intermed0, input2]", "prod: {type: exp, inputs: [intermed0]", "BUDA-052", "type: ^exp", "binary ops and datacopy only"},
    {"product of Float32", NULL, "[intermed0, input2]", "[intermed0, input0]", "BUDA-052", "[intermed0, ^input0]", "expected Int8"},
    {"dest in a product", NULL, "deq: {type: dequantization, inputs: [input1, dest]", "deq: {type: multiply, inputs: [dest, input2]", "BUDA-067", "inputs: [^dest", "only requantization and dequantization"},
    {"quantization of an intermediate", NULL, "quant: {type: quantization, inputs: [input0, input1]", "quant: {type: quantization, inputs: [intermed0, input1]", "BUDA-054", "inputs: [^intermed0, input1]", "inputs of the fused op only"},
    {"quantization of Int8", NULL, "inputs: [input0, input1]", "inputs: [input2, input1]", "BUDA-054", "inputs: [^input2, input1]", "expected Float32"},
    {"dequantization of dest as input 0", NULL, "[input1, dest]", "[dest, input1]", "BUDA-054", "[^dest, input1]", "takes it as input 1"},
    {"dequantization of Float32", NULL, "[input1, dest]", "[input0, input1]", "BUDA-054", "[^input0, input1], mblock: [1, 1], ublock: [1, 1], output: output", "Int8 or Int32"},
    {"dequantization of dest by Int8", NULL, "[input1, dest]", "[input2, dest]", "BUDA-054", "[^input2, dest]", "expected Float32 next to dest"},
    {"dequantization of dest, three tiles", NULL, "dest], mblock: [1, 1], ublock: [1, 1]", "dest], mblock: [1, 1], ublock: [1, 3]", "BUDA-054", "ublock: ^[1, 3]", "over 2 tiles"},
    {"dequantized to Int8", NULL, "out_df: Float32", "out_df: Int8", "BUDA-052", "out_df: ^Int8", "expected Float32 of its last sub-op"},
    {"requantized to Float32", NULL, "deq: {type: dequantization", "deq: {type: requantization", "BUDA-052", "out_df: ^Float32", "Int8 or Int32"},
    {"quantization in a float op", NULL, "acc_df: Int32", "acc_df: Float16", "BUDA-054", "type: ^quantization", "expected acc_df Int32 of op 'x'"},
};
// clang-format on

static void check_row(hoist_test *t, const char *text, const fused_row *row)
{
    const hoist_bytes netlist = buda_test_patched(t, text, row->find, row->put);
    const buda_op_row expected = {
        .name = row->name, .rule = row->rule, .at = row->at, .says = row->says};
    buda_test_check_ops(t, netlist, row->arch, NULL);
    buda_test_expect_row(t, &expected, netlist);
}

HOIST_TEST_TABLE(good_fused_ops, good)
{
    const hoist_bytes text = buda_test_patched(t, base, row->find, row->put);
    buda_test_check_ops(t, text, row->arch, NULL);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
}

HOIST_TEST_TABLE(order_of_sub_ops, order)
{
    check_row(t, base, row);
}

HOIST_TEST_TABLE(dimensions_of_sub_ops, shapes)
{
    check_row(t, base, row);
}

HOIST_TEST_TABLE(integer_fused_ops, integers)
{
    check_row(t, integer_base, row);
}

// An input is compared as its sub-op reads it, so what rule 72 finds is not found twice.
HOIST_TEST(broadcast_of_a_smaller_input)
{
    const hoist_bytes small = buda_test_patched(
        t, base, "ublock: [2, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x11000000]",
        "ublock: [1, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x11000000]");
    const hoist_bytes text =
        buda_test_patched(t, (const char *)small.data, "inputs: [input0, input1], ",
                          "inputs: [input0, input1], input_1_tms: [broadcast: {r: 2}], ");
    buda_test_check_ops(t, text, NULL, NULL);
    HOIST_EXPECT_RULE(t, "BUDA-072");
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 1);
}

HOIST_TEST(three_multicasts)
{
    const hoist_bytes wide = buda_test_patched(t, base, "grid_size: [1, 1], inputs: [a, b, w]",
                                               "grid_size: [2, 2], inputs: [a, b, w]");
    const hoist_bytes text =
        buda_test_patched(t, (const char *)wide.data, "mul: {type: multiply", "mul: {type: matmul");
    buda_test_check_ops(t, text, NULL, NULL);
    const hoist_pos pos = buda_test_place(t, text, "inputs: ^[a, b, w]");
    buda_test_expect(t, "BUDA-061", pos.line, pos.column, "multicasts 3 inputs");
}

HOIST_TEST(wide_dest_of_a_user)
{
    const hoist_bytes wide = buda_test_patched(t, base, "acc_df: Float16", "acc_df: Float32");
    const hoist_bytes text = buda_test_patched(t, (const char *)wide.data,
                                               "inputs: [dest], mblock: [1, 2], ublock: [2, 2]",
                                               "inputs: [dest], mblock: [1, 2], ublock: [1, 5]");
    buda_test_check_ops(t, text, NULL, NULL);
    const hoist_pos pos = buda_test_place(t, text, "ublock: ^[1, 5]");
    buda_test_expect(t, "BUDA-076", pos.line, pos.column, "holds 4 tiles");
}

// Each sub-op is checked for each user; a file may not make that a matter of hours.
HOIST_TEST(too_many_pairs)
{
    enum { EACH = 5000 };
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_buffer_c(&out, "devices: {arch: wormhole_b0}\n"
                         "queues: {a: {}}\nfused_ops:\n  f:\n    schedules:\n      -\n");
    for (int i = 0; i < EACH; i++) {
        hoist_buffer_format(&out, "        - s%d: {type: nop}\n", i);
    }
    hoist_buffer_c(&out, "graphs:\n  g:\n    input_count: 1\n");
    for (int i = 0; i < EACH; i++) {
        hoist_buffer_format(&out, "    x%d: {type: fused_op, attributes: {fused_op_id: f}}\n", i);
    }
    hoist_buffer_c(&out, "programs: [p: [execute: {graph_name: g}]]\n");
    buda_opened opened;
    if (buda_test_open(t, hoist_buffer_bytes(&out), NULL, &opened)) {
        HOIST_EXPECT_EQ(t, buda_check_fused(&opened.check), HOIST_LIMIT);
        buda_test_close(&opened);
    }
    hoist_buffer_deinit(&out);
}

HOIST_TEST(memory_runs_out)
{
    buda_test_starve(t, buda_test_patched(t, base, NULL, NULL), buda_check_fused);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(good_fused_ops), HOIST_TEST_ROW(order_of_sub_ops),
                HOIST_TEST_ROW(dimensions_of_sub_ops), HOIST_TEST_ROW(integer_fused_ops),
                HOIST_TEST_ROW(broadcast_of_a_smaller_input), HOIST_TEST_ROW(three_multicasts),
                HOIST_TEST_ROW(wide_dest_of_a_user), HOIST_TEST_ROW(too_many_pairs),
                HOIST_TEST_ROW(memory_runs_out))
