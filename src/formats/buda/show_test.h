// formats/buda/show_test.h - for the tests of info and draw: one small netlist of two graphs on two
// chips, with a fused op, a loop and a host queue.
#ifndef HOIST_SRC_FORMATS_BUDA_SHOW_TEST_H
#define HOIST_SRC_FORMATS_BUDA_SHOW_TEST_H

#define SHOW_OP                                                                                    \
    "acc_df: Float16, out_df: Float16, intermed_df: Float16, ublock_order: r, buf_size_mb: 2, "    \
    "math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [2, 2]"

static const char show_netlist[] =
    "devices: {arch: [wormhole_b0, grayskull]}\n"
    "queues:\n"
    "  in: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [2, 1], "
    "ublock: [2, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x30000000]]}\n"
    "  w: {type: ram, input: HOST, entries: 1, grid_size: [1, 2], t: 1, mblock: [1, 1], "
    "ublock: [2, 2], df: Bfp8_b, target_device: 0, loc: dram, "
    "dram: [[0, 0x31000000], [1, 0x31000000]]}\n"
    "  out: {type: queue, input: act, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], "
    "ublock: [2, 2], df: Float16, target_device: 0, loc: host, host: [0x1000]}\n"
    "graphs:\n"
    "  fwd:\n    target_device: 0\n    input_count: 2\n"
    "    mm: {type: matmul, grid_loc: [0, 0], grid_size: [2, 2], inputs: [in, w], "
    "in_df: [Float16, Bfp8_b], attributes: {m_k: 2, u_kt: 1}, " SHOW_OP "}\n"
    "    act: {type: fused_op, grid_loc: [0, 2], grid_size: [2, 1], grid_transpose: true, "
    "inputs: [mm, mm], in_df: [Float16, Float16], attributes: {fused_op_id: f0}, " SHOW_OP "}\n"
    "  side:\n    target_device: 1\n    input_count: 2\n"
    "    copy: {type: nop, grid_loc: [9, 7], grid_size: [1, 1], inputs: [mm], "
    "in_df: [Float16], " SHOW_OP "}\n"
    "programs:\n"
    "  - run:\n"
    "      - param: [$p_loops]\n"
    "      - loop: $p_loops\n"
    "      - execute: {graph_name: fwd}\n"
    "      - execute: {graph_name: side}\n"
    "      - endloop\n"
    "fused_ops:\n"
    "  f0:\n    inputs: 2\n    intermediates: 1\n    schedules:\n"
    "      - - mul: {type: multiply, inputs: [input0, input1], mblock: [1, 1], ublock: [2, 2], "
    "output: dest}\n"
    "        - exp0: {type: exp, inputs: [dest], mblock: [1, 1], ublock: [2, 2], "
    "output: output}\n"
    "test-config:\n  comparison-config: {type: AllClose}\n";

#endif // HOIST_SRC_FORMATS_BUDA_SHOW_TEST_H
