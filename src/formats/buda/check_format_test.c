// Rules of an op's formats and tiles: check_format.c, check_integer.c, check_tile.c.
#include "formats/buda/netlist_testing.h"

#define TWO "x.inputs: [a, b] | x.in_df: [Float16, Float16]"
#define MATMUL(more) "x.type: matmul | " TWO " | x.attributes: {m_k: 1, u_kt: 1" more "}"
// Int8 in and out, as integer ops need it.
#define OUT8                                                                                       \
    " | x.out_df: Int8 | x.intermed_df: Int8 | x.acc_df: Int32 | o.df: Int8 | a.df: Int8 | b.df: " \
    "Int8"
#define INT8 "x.in_df: [Int8]" OUT8
#define INT8_TWO "x.inputs: [a, b] | x.in_df: [Int8, Int8]" OUT8
#define INT8_MATMUL(more) "x.type: matmul | " INT8_TWO " | x.attributes: {m_k: 1, u_kt: 1" more "}"
#define QUANT                                                                                      \
    "x.type: quantization | x.inputs: [a, b] | x.in_df: [Float32, Float32] | a.df: Float32 | "     \
    "b.df: Float32 | x.intermed_df: Int8 | x.acc_df: Int32 | "
#define REQUANT                                                                                    \
    "x.inputs: [a, b] | x.in_df: [Int32, Float32] | a.df: Int32 | b.df: Float32 | x.intermed_df: " \
    "Int32 | x.acc_df: Int32 | "
// All tiles 16x32.
#define TINY(h) "a.tile_dim: [" h "] | o.tile_dim: [" h "] | x.tile_dim: [" h "]"
#define TINY_TWO(h) TINY(h) " | b.tile_dim: [" h "]"

// clang-format off
static const buda_op_row good[] = {
    {"Int8 nop", NULL, INT8, NULL, NULL, NULL},
    {"Int8 add", NULL, "x.type: add | " INT8_TWO, NULL, NULL, NULL},
    {"Int8 matmul", NULL, INT8_MATMUL(""), NULL, NULL, NULL},
    {"quantization", NULL, QUANT "x.out_df: Int8 | o.df: Int8", NULL, NULL, NULL},
    {"requantization", NULL, "x.type: requantization | " REQUANT "x.out_df: Int8 | o.df: Int8", NULL, NULL, NULL},
    {"dequantization", NULL, "x.type: dequantization | " REQUANT "x.out_df: Float32 | o.df: Float32", NULL, NULL, NULL},
    {"float nop accumulates in Int32", NULL, "x.acc_df: Int32", NULL, NULL, NULL},
    {"grayskull gradient datacopy", "grayskull", "x.type: datacopy | x.gradient_op: true | o.type: ram", NULL, NULL, NULL},
    {"grayskull Float32 out of Float16_b", "grayskull", MATMUL(", bias: false") " | x.intermed_df: Float16_b | x.out_df: Float32 | o.df: Float32", NULL, NULL, NULL},
    {"16x32 nop", NULL, TINY("16, 32"), NULL, NULL, NULL},
    {"1x32 matmul", NULL, "x.type: matmul | " TWO " | a.tile_dim: [1, 32] | x.tile_dim: [1, 32] | o.tile_dim: [1, 32] | x.attributes: {m_k: 1, u_kt: 1}", NULL, NULL, NULL},
    {"1x32 bias", NULL, "x.type: matmul | x.inputs: [a, b, d] | x.in_df: [Float16, Float16, Float16] | d.tile_dim: [1, 32] | x.attributes: {m_k: 1, u_kt: 1, bias: true}", NULL, NULL, NULL},
    {"sfpu_op of no op on tiny tiles", NULL, "x.type: matmul | " TWO " | a.tile_dim: [1, 32] | x.attributes: {m_k: 1, u_kt: 1, sfpu_op: invalid}", NULL, NULL, NULL},
    {"4x32 Bfp2", NULL, TINY("4, 32") " | x.in_df: [Bfp2] | a.df: Bfp2 | x.out_df: Bfp2 | o.df: Bfp2", NULL, NULL, NULL},
    {"sfpu of 32x16 by columns", NULL, "x.type: exp | " TINY("32, 16") " | x.attributes: {vector: c}", NULL, NULL, NULL},
    {"sfpu of 16x32 by default", NULL, "x.type: exp | " TINY("16, 32"), NULL, NULL, NULL},
    {"16x32 turned for a 32x16 matmul", NULL, MATMUL("") " | b.tile_dim: [16, 32] | x.tile_dim: [32, 16] | o.tile_dim: [32, 16] | x.input_1_tms: [transpose]", NULL, NULL, NULL},
};

static const buda_op_row grayskull[] = {
    {"Float32 DEST", "grayskull", "x.acc_df: Float32", "BUDA-042", "acc_df: ^Float32", "no 32-bit DEST"},
    {"Int32 DEST", "grayskull", "x.acc_df: Int32", "BUDA-042", "acc_df: ^Int32", "no 32-bit DEST"},
    {"gradient add", "grayskull", "x.type: add | " TWO " | x.gradient_op: true", "BUDA-042", "gradient_op: ^true", "only matmul, multiply and datacopy"},
    {"pack thread", "grayskull", "x.type: exp | x.attributes: {sfpu_execution_thread: pack}", "BUDA-042", "thread: ^pack", "on math only"},
    {"l1_acc", "grayskull", MATMUL(", l1_acc: true"), "BUDA-042", "l1_acc: ^true", "cannot accumulate in L1"},
    {"stochastic rounding", "grayskull", "x.attributes: {stoch_rnd_mode: fpu}", "BUDA-042", "mode: ^fpu", "rounds stochastically"},
    {"stochastic rounding, old key", "grayskull", "x.attributes: {srnd_fpu_en: true}", "BUDA-042", "en: ^true", "rounds stochastically"},
    {"tiny op", "grayskull", "x.tile_dim: [16, 32]", "BUDA-042", "tile_dim: ^[16, 32]", "expected [32, 32] on grayskull"},
    {"tiny queue", "grayskull", "d.tile_dim: [16, 32]", "BUDA-042", "tile_dim: ^[16, 32]", "expected [32, 32] on grayskull"},
    {"read ports", "grayskull", "d.read_ports: [0]", "BUDA-042", "read_ports: ^[0]", "lists DRAM ports"},
    {"write ports", "grayskull", "d.write_ports: [0]", "BUDA-042", "write_ports: ^[0]", "lists DRAM ports"},
    {"binary transpose", "grayskull", "x.type: add | " TWO " | x.input_0_tms: [transpose]", "BUDA-042", "[^transpose", "which grayskull cannot"},
    {"families of a long matmul", "grayskull", "x.type: matmul | " TWO " | x.intermed_df: Float16_b | x.attributes: {m_k: 2, u_kt: 1}", "BUDA-043", "intermed_df: ^Float16_b", "one exponent family"},
    {"families of a gradient", "grayskull", "x.gradient_op: true | x.out_df: Bfp8_b", "BUDA-043", "intermed_df: ^Float16", "accumulates in Float16 and writes Bfp8_b"},
    {"Float32 from A", "grayskull", "x.gradient_op: true | x.out_df: Float32", "BUDA-043", "intermed_df: ^Float16", "writes Float32"},
};

static const buda_op_row formats[] = {
    {"gradient in Bfp4", NULL, "x.gradient_op: true | x.intermed_df: Bfp4", "BUDA-044", "intermed_df: ^Bfp4", "expected a wider format"},
    {"long matmul in Bfp2", NULL, "x.type: matmul | " TWO " | x.intermed_df: Bfp2_b | x.attributes: {m_k: 2, u_kt: 1}", "BUDA-044", "intermed_df: ^Bfp2_b", NULL},
    {"bias in Bfp4", NULL, MATMUL(", bias: true") " | x.intermed_df: Bfp4_b", "BUDA-044", "intermed_df: ^Bfp4_b", NULL},
    {"l1_acc of Float32 elsewhere", NULL, MATMUL(", l1_acc: true") " | x.acc_df: Float32 | x.intermed_df: Float16_b", "BUDA-045", "intermed_df: ^Float16_b", "expected Float32 as acc_df"},
    {"l1_acc of Int32 elsewhere", NULL, MATMUL(", l1_acc: true") " | x.acc_df: Int32 | x.intermed_df: Float16_b", "BUDA-045", "intermed_df: ^Float16_b", "expected Int32 as acc_df"},
    {"wormhole sfpu of Float16", "wormhole", "x.type: exp | x.acc_df: Float32", "BUDA-045", "in_df: [^Float16]", "expected Float32 for acc_df Float32 on wormhole"},
    {"fpu rounding into Float32", NULL, "x.acc_df: Float32 | x.attributes: {stoch_rnd_mode: fpu}", "BUDA-045", "mode: ^fpu", "does not allow"},
    {"all rounding into Float32", NULL, "x.acc_df: Float32 | x.attributes: {stoch_rnd_mode: all}", "BUDA-045", "mode: ^all", NULL},
    {"old rounding into Float32", NULL, "x.acc_df: Float32 | x.attributes: {srnd_fpu_en: true}", "BUDA-045", "en: ^true", NULL},
    {"gradient of two formats", NULL, "x.gradient_op: true | x.out_df: Bfp8", "BUDA-046a", "intermed_df: ^Float16", "expected its out_df Bfp8"},
    {"gradient in integers", NULL, "x.gradient_op: true | x.acc_df: Int32", "BUDA-046a", "acc_df: ^Int32", "do not accumulate in integers"},
    {"gradient maximum", NULL, "x.type: maximum | " TWO " | x.gradient_op: true", "BUDA-046a", "gradient_op: ^true", "can have no gradient"},
    {"transposed gradient", NULL, "x.type: exp | x.gradient_op: true | x.input_0_tms: [transpose]", "BUDA-046a", "[^transpose", "only matmul and datacopy"},
    {"Bfp8 packed at random", NULL, "x.out_df: Bfp8 | x.attributes: {stoch_rnd_mode: pack}", "BUDA-048", "mode: ^pack", "expected none or fpu"},
    {"Bfp8_b intermediate rounded in all", NULL, "x.intermed_df: Bfp8_b | x.attributes: {stoch_rnd_mode: all}", "BUDA-048", "mode: ^all", NULL},
    {"l1_acc in Float16", NULL, MATMUL(", l1_acc: true"), "BUDA-051", "intermed_df: ^Float16", "Float32, Int32 or Float16_b"},
    {"float exp in Int32", NULL, "x.type: exp | x.acc_df: Int32", "BUDA-053", "acc_df: ^Int32", "no input is an integer"},
    {"float matmul with requant", NULL, MATMUL(", requant: true"), "BUDA-053", "requant: ^true", "need integer inputs"},
    {"float matmul with dequant", NULL, MATMUL(", dequant: true"), "BUDA-053", "dequant: ^true", NULL},
    {"UInt16 input", NULL, "x.in_df: [UInt16]", "BUDA-055", "in_df: [^UInt16]", "reads UInt16 as input 0, which only topk does, as input 1"},
    {"UInt16 values of topk", NULL, "x.type: topk | x.inputs: [a, b] | x.in_df: [UInt16, UInt16] | x.attributes: {k: 8, sort: max}", "BUDA-055", "in_df: [^UInt16, ", NULL},
    {"UInt16 output", NULL, "x.out_df: UInt16", "BUDA-055", "out_df: ^UInt16", "only topk writes it"},
    {"UInt16 intermediate", NULL, "x.intermed_df: UInt16", "BUDA-055", "intermed_df: ^UInt16", NULL},
    {"UInt16 DEST", NULL, "x.acc_df: UInt16", "BUDA-055", "acc_df: ^UInt16", NULL},
    {"argmax of another format", NULL, "x.type: topk | x.inputs: [a, b] | x.in_df: [Float16, UInt16] | x.attributes: {k: 8, sort: argmax}", "BUDA-055", "out_df: ^Float16", "expected UInt16 as its input 1"},
};

static const buda_op_row integers[] = {
    {"float output", NULL, INT8 " | x.out_df: Float16", "BUDA-052", "out_df: ^Float16", "expected an integer format for its integer inputs"},
    {"dequant to integers", NULL, INT8_MATMUL(", dequant: true"), "BUDA-052", "out_df: ^Int8", "expected a float format for dequant"},
    {"float intermediate", NULL, INT8 " | x.intermed_df: Float16", "BUDA-052", "intermed_df: ^Float16", "Int8, UInt8 or Int32"},
    {"float DEST", NULL, INT8 " | x.acc_df: Float16", "BUDA-052", "acc_df: ^Float16", "expected Int32"},
    {"low fidelity", NULL, INT8 " | x.math_fidelity: HiFi3", "BUDA-052", "fidelity: ^HiFi3", "expected HiFi4 for integers"},
    {"add of a float", NULL, "x.type: add | " INT8_TWO " | x.in_df: [Int8, Float16]", "BUDA-052", ", ^Float16]", "Int8, UInt8 or Int32"},
    {"multiply of Int32", NULL, "x.type: multiply | " INT8_TWO " | x.in_df: [Int32, Int8]", "BUDA-052", "in_df: [^Int32", "Int8 or UInt8"},
    {"subtract of Int32", NULL, "x.type: subtract | " INT8_TWO " | x.in_df: [Int8, Int32]", "BUDA-052", ", ^Int32]", "Int8 or UInt8"},
    {"splice of integer and float", NULL, "x.type: splice | " INT8_TWO " | x.in_df: [Int8, Float16]", "BUDA-052", ", ^Float16]", "expected an integer format as another input has"},
    {"matmul of Int32", NULL, INT8_MATMUL("") " | x.in_df: [Int32, Int8]", "BUDA-052", "in_df: [^Int32", "Int8 or UInt8"},
    {"matmul by Int32", NULL, INT8_MATMUL("") " | x.in_df: [Int8, Int32]", "BUDA-052", ", ^Int32]", "Int8 or UInt8"},
    {"integer l1_acc", NULL, INT8_MATMUL(", l1_acc: true"), "BUDA-052", "l1_acc: ^true", "cannot accumulate in L1"},
    {"bias of Int8", NULL, INT8_MATMUL(", bias: true") " | x.inputs: [a, b, d] | x.in_df: [Int8, Int8, Int8]", "BUDA-052", "Int8, ^Int8]", "expected Int32"},
    {"scale of Int8", NULL, INT8_MATMUL(", requant: true") " | x.inputs: [a, b, d] | x.in_df: [Int8, Int8, Int8]", "BUDA-052", "Int8, ^Int8]", "expected Float32"},
    {"integer min_buffer_input", NULL, INT8_MATMUL(", min_buffer_input: 1"), "BUDA-052", "input: ^1", "expected 0"},
    {"integer identity with bias", NULL, INT8_MATMUL(", identity: true, bias: true") " | x.inputs: [a, b, d, a] | x.in_df: [Int8, Int8, RawUInt32, Int32]", "BUDA-052", "d, ^a]", "it takes 3 inputs"},
    {"requant and dequant", NULL, INT8_MATMUL(", requant: true, dequant: true"), "BUDA-052", "dequant: ^true", "one of them"},
    {"identity requant", NULL, INT8_MATMUL(", identity: true, requant: true"), "BUDA-052", "requant: ^true", "only a dense one"},
    {"a threshold of no relu", NULL, INT8 " | x.attributes: {relu_threshold: 127}", NULL, NULL, NULL},
    {"relu over Int8", NULL, INT8 " | x.attributes: {relu_en: true, relu_threshold: 127}", "BUDA-052", "threshold: ^127", "less than 127"},
    {"relu threshold of Int32", NULL, INT8 " | x.out_df: Int32 | x.attributes: {relu_en: true, relu_threshold: 1, relu_mode: min}", "BUDA-052", "threshold: ^1", "expected 0 for an Int32 output"},
    {"relu mode of Int32", NULL, INT8 " | x.out_df: Int32 | x.attributes: {relu_en: true, relu_mode: max}", "BUDA-052", "mode: ^max", "another relu_mode than min"},
    {"quantization of Float16", NULL, QUANT "x.out_df: Int8 | x.in_df: [Float16, Float32]", "BUDA-054", "in_df: [^Float16", "expected Float32"},
    {"quantization by Float16", NULL, QUANT "x.out_df: Int8 | x.in_df: [Float32, Float16]", "BUDA-054", ", ^Float16]", "expected Float32"},
    {"quantization to Int32", NULL, QUANT "x.out_df: Int32", "BUDA-054", "out_df: ^Int32", "expected Int8"},
    {"quantization in Float32", NULL, QUANT "x.out_df: Int8 | x.acc_df: Float32", "BUDA-054", "acc_df: ^Float32", "expected Int32"},
    {"requantization of Float16", NULL, "x.type: requantization | " REQUANT "x.out_df: Int8 | x.in_df: [Float16, Float32]", "BUDA-054", "in_df: [^Float16", "Int8 or Int32"},
    {"requantization to Int32", NULL, "x.type: requantization | " REQUANT "x.out_df: Int32", "BUDA-054", "out_df: ^Int32", "expected Int8"},
    {"dequantization to Int8", NULL, "x.type: dequantization | " REQUANT "x.out_df: Int8", "BUDA-054", "out_df: ^Int8", "expected Float32"},
    {"requantization of UInt8", NULL, "x.type: requantization | " REQUANT "x.out_df: UInt8 | x.in_df: [UInt8, Float32]", "BUDA-054", "in_df: [^UInt8", "cannot use it"},
    {"reduce to UInt8", NULL, "x.type: reduce | x.out_df: UInt8 | x.attributes: {dim: c, type: max}", "BUDA-054", "out_df: ^UInt8", "cannot use it"},
};

static const buda_op_row tiles[] = {
    {"tiny tiles of a reduce", NULL, "x.type: reduce | a.tile_dim: [16, 32] | x.attributes: {dim: c, type: max}", "BUDA-056", "inputs: [^a]", "reads 16x32 tiles as input 0, expected 32x32"},
    {"tiny bias", NULL, MATMUL(", bias: true") " | x.inputs: [a, b, d] | d.tile_dim: [16, 32]", "BUDA-056", "b, ^d]", "input 2"},
    {"tiny input 0 of identity", NULL, MATMUL(", identity: true") " | a.tile_dim: [1, 32]", "BUDA-056", "[^a, b]", "input 0"},
    {"1x32 Bfp2 output", NULL, TINY("1, 32") " | x.out_df: Bfp2", "BUDA-056", "      tile_dim: ^[1, 32]", "under the 32 bytes"},
    {"2x32 Bfp2_b input", NULL, TINY("2, 32") " | x.in_df: [Bfp2_b]", "BUDA-056", "inputs: [^a]", "under the 32 bytes"},
    {"1x32 Bfp4 input", NULL, TINY("1, 32") " | x.in_df: [Bfp4]", "BUDA-056", "inputs: [^a]", "under the 32 bytes"},
    {"tiny Int8", NULL, TINY("16, 32") " | " INT8, "BUDA-056", "in_df: [^Int8]", "tiny tiles do not hold"},
    {"tiny Int32 output", NULL, TINY("16, 32") " | x.out_df: Int32", "BUDA-056", "out_df: ^Int32", "tiny tiles do not hold"},
    {"tiny matmul with gelu", NULL, MATMUL(", sfpu_op: gelu") " | a.tile_dim: [16, 32]", "BUDA-056", "sfpu_op: ^gelu", "cannot fuse one"},
    {"tiny gradient matmul", NULL, MATMUL("") " | x.gradient_op: true | x.tile_dim: [16, 32]", "BUDA-056", "gradient_op: ^true", "cannot accumulate"},
    {"binary of two tiles", NULL, "x.type: add | " TWO " | b.tile_dim: [16, 32]", "BUDA-087", "[a, ^b]", "reads 32x32 and 16x32"},
    {"sfpu of 16x32 by columns", NULL, "x.type: exp | " TINY("16, 32") " | x.attributes: {vector: c}", "BUDA-088a", "vector: ^c", "expected r for an input of 16x32 tiles"},
    {"sfpu of 32x16 by rows", NULL, "x.type: exp | " TINY("32, 16") " | x.attributes: {vector: rc}", "BUDA-088a", "vector: ^rc", "expected c for an input of 32x16 tiles"},
    {"32x16 into 32x32", NULL, "a.tile_dim: [32, 16]", "BUDA-088b", "inputs: [^a]", "expected 32x16 on both or none"},
    {"32x32 into 32x16", NULL, "x.tile_dim: [32, 16]", "BUDA-088b", "inputs: [^a]", "writes 32x16"},
    {"gradient copy to another tile", NULL, "x.gradient_op: true | a.tile_dim: [16, 32]", "BUDA-088c", "inputs: [^a]", "expected equal ones"},
    {"reduce r into 32x16", NULL, "x.type: reduce | x.tile_dim: [32, 16] | x.attributes: {dim: r, type: max}", "BUDA-088d", "tile_dim: ^[32, 16]", "expected 32 columns"},
    {"reduce c into 16x32", NULL, "x.type: reduce | x.tile_dim: [16, 32] | x.attributes: {dim: c, type: max}", "BUDA-088d", "tile_dim: ^[16, 32]", "expected 32x32 or 32x16"},
    {"matmul by 32x16", NULL, MATMUL("") " | b.tile_dim: [32, 16]", "BUDA-089", "[a, ^b]", "expected 32x16 on both or none"},
    {"matmul into 32x16", NULL, MATMUL("") " | x.tile_dim: [32, 16]", "BUDA-089", "[a, ^b]", "writes 32x16"},
    {"transpose of 8x32", NULL, MATMUL("") " | b.tile_dim: [8, 32] | x.input_1_tms: [transpose]", "BUDA-090", "[^transpose", "expected 32x32 or 16x32"},
};
// clang-format on

HOIST_TEST_TABLE(good_formats, good)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(what_grayskull_lacks, grayskull)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(formats_of_ops, formats)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(integer_ops, integers)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_TABLE(tiles_of_ops, tiles)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(good_formats), HOIST_TEST_ROW(what_grayskull_lacks),
                HOIST_TEST_ROW(formats_of_ops), HOIST_TEST_ROW(integer_ops),
                HOIST_TEST_ROW(tiles_of_ops))
