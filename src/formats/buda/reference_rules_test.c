// Every row and clause of buda-netlist reference sections 5.1 and 5.7 in their order, but those of
// programs (reference_programs_test.c). A row is named by the rule and says what is wrong; the
// reference's own bad inputs are marked "Bad". `at` is the text where the finding has to be, ^
// before its first byte.
//
// Not here: 3c to 3e, which take options (net_test.c, tests/cli/architectures.test), and 95, which
// no file can break.
#include "formats/buda/netlist_testing.h"

typedef struct rule_row {
    const char *name;
    const char *arch; // NULL: the first of the list
    const char *find; // in base; NULL: `put` is the whole text
    const char *put;
    const char *rule;
    const char *at;
} rule_row;

#define OP(type, loc, inputs, formats, more)                                                       \
    "{type: " type ", grid_loc: " loc ", grid_size: [1, 1], inputs: [" inputs                      \
    "], in_df: [" formats                                                                          \
    "], acc_df: Float16, out_df: Float16, intermed_df: Float16, ublock_order: r, "                 \
    "buf_size_mb: 2, math_fidelity: HiFi3, t: 1, mblock: [1, 1], ublock: [1, 1]" more "}\n"
#define STORE(type, input, entries, device, more)                                                  \
    "{type: " type ", input: " input ", entries: " entries ", grid_size: [1, 1], t: 1, "           \
    "mblock: [1, 1], ublock: [1, 1], df: Float16, target_device: " device ", " more "}\n"

static const char base[] =
    "devices:\n"
    "  arch: [wormhole_b0, grayskull, blackhole]\n"
    "queues:\n"
    "  q0: " STORE("queue", "HOST", "4", "0", "loc: dram, dram: [[0, 0x10000000]]") "  w0: " STORE(
        "ram", "HOST", "4", "0",
        "loc: dram, dram: [[1, 0x10000000]]") "  w1: " STORE("ram", "HOST", "2", "0",
                                                             "loc: dram, dram: [[1, 0x20000000]]") "  w2: " STORE("ram",
                                                                                                                  "HOST",
                                                                                                                  "2", "0", "loc: dram, dram: [[1, 0x20000000]], alias: w1") "  h0: " STORE("queue", "HOST", "4", "0", "loc: host, host: [0x1000000]") "  o0: " STORE("queue", "x", "4", "0", "loc: dram, dram: [[2, 0x10000000]]") "  o1: " STORE("queue", "y", "4", "1", "loc: dram, dram: [[2, 0x10000000]]") "graphs:\n"
                                                                                                                                                                                                                                                                                                                                                                                                                 "  g0:\n"
                                                                                                                                                                                                                                                                                                                                                                                                                 "    target_device: 0\n"
                                                                                                                                                                                                                                                                                                                                                                                                                 "    input_count: 2\n"
                                                                                                                                                                                                                                                                                                                                                                                                                 "    x: " OP(
                                                                                                                                                                                                                                                                                                                                                                                                                     "add", "[0, 0]", "q0, w0", "Float16, Float16", "") "    z: " OP("tilizer", "[0, 1]", "h0", "Float16",
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                     "") "    n: " OP("add", "[1, 1]", "w1, w2", "Float16, Float16", "") "  g1:\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "    target_device: 1\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "    input_count: 2\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                         "    y: " OP(
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                             "nop", "[0, 0]", "z", "Float16", "") "programs:\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  "  - p:\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  "      - execute: {graph_name: g0, queue_settings: {q0: {rd_ptr_local: 0, rd_ptr_global: 0}, "
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  "h0: {rd_ptr_local: 0, rd_ptr_global: 0}}}\n"
                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                                  "      - execute: {graph_name: g1}\n";

// A fused op of one schedule.
#define SUB(name, type, in, out)                                                                   \
    name ": {type: " type ", inputs: [" in "], mblock: [1, 1], ublock: [1, 1], output: " out "}\n"
#define FUSED(first, second)                                                                       \
    "fused_ops:\n  f:\n    inputs: 1\n    intermediates: 1\n    schedules:\n"                      \
    "      - - " SUB(first, "nop", "input0", "dest") "        - " SUB(second, "exp", "dest",       \
                                                                      "output")

// clang-format off
static const rule_row structure[] = {
    {"1 Bad: empty file", NULL, NULL, "", "BUDA-001", ""},
    {"1 a list", NULL, NULL, "- queues\n- graphs\n", "BUDA-001", "^- queues"},
    {"1 a word", NULL, NULL, "queues\n", "BUDA-001", "^queues"},
    {"1 no YAML", NULL, NULL, "queues: {a: [1}\n", "BUDA-001", ""},
    {"1 a template", NULL, "t: 1, mblock: [1, 1]", "t: $TEMPLATE_t, mblock: [1, 1]", "BUDA-001", "t: ^$TEMPLATE_t"},

    {"2 Bad: empty programs", NULL, NULL, "devices: {arch: wormhole_b0}\nqueues: {q: 1}\ngraphs: {g: 1}\nprograms: []\n", "BUDA-002", "programs: ^[]"},
    {"2 no programs", NULL, NULL, "devices: {arch: wormhole_b0}\nqueues: {q: 1}\ngraphs: {g: 1}\n", "BUDA-002", "^devices"},
    {"2 no queues", NULL, "queues:\n", "queue:\n", "BUDA-002", "^devices"},
    {"2 no graphs", NULL, "graphs:\n", "graph:\n", "BUDA-002", "^devices"},
    {"2 empty queues", NULL, NULL, "queues: {}\ngraphs: {}\nprograms: []\n", "BUDA-002", "queues: ^{}"},
    {"2 empty graphs", NULL, NULL, "queues: {}\ngraphs: {}\nprograms: []\n", "BUDA-002", "graphs: ^{}"},
    {"2 queues are null", NULL, NULL, "queues: ~\ngraphs: {}\nprograms: []\n", "BUDA-002", "queues: ^~"},
    {"2 programs are a map", NULL, "  - p:\n      -", "  p:\n      -", "BUDA-002", "^p:\n"},

    {"3a Bad: tpu", NULL, "[wormhole_b0, grayskull, blackhole]", "tpu", "BUDA-003a", "arch: ^tpu"},
    {"3a one of a list", NULL, "grayskull", "greyskull", "BUDA-003a", "^greyskull"},
    {"3a no public facts", NULL, "grayskull", "jawbridge", "BUDA-003a", "^jawbridge"},
    {"3a another key", NULL, "  arch:", "  count: 2\n  arch:", "BUDA-003a", "^count: 2"},
    {"3a no arch", NULL, "  arch: [wormhole_b0, grayskull, blackhole]\n", "  {}\n", "BUDA-003a", "^devices"},
    {"3a no devices", NULL, "devices:\n  arch: [wormhole_b0, grayskull, blackhole]\n", "", "BUDA-003a", "^queues"},
    {"3b Bad: wormhole_b", NULL, "[wormhole_b0, grayskull, blackhole]", "wormhole_b", "BUDA-003b", "arch: ^wormhole_b"},
    {"3d a list", NULL, "grayskull", "grayskull", "BUDA-003d", "arch: [^wormhole_b0"},

    {"4a two queues", NULL, "  w1:", "  w0:", "BUDA-004a", "  ^w0: {type: ram, input: HOST, entries: 2"},
    {"4a two graphs", NULL, "  g1:", "  g0:", "BUDA-004a", "  ^g0:\n    target_device: 1"},
    {"4a Bad: two ops", NULL, "    n:", "    x:", "BUDA-004a", "    ^x: {type: add, grid_loc: [1, 1]"},
    {"4a two ops of two graphs", NULL, "    y:", "    x:", "BUDA-004a", "    ^x: {type: nop"},
    {"4a two programs", NULL, "      - execute: {graph_name: g1}", "  - p:\n      - execute: {graph_name: g1}", "BUDA-004a",
     "  - ^p:\n      - execute: {graph_name: g1}"},
    {"4b Bad: t twice", NULL, "HiFi3, t: 1,", "HiFi3, t: 1, t: 1,", "BUDA-004b", "t: 1, ^t: 1"},
    {"4b in a queue", NULL, "entries: 4,", "entries: 4, entries: 4,", "BUDA-004b", "entries: 4, ^entries"},
    {"4b in a graph", NULL, "    input_count: 2\n", "    input_count: 2\n    input_count: 2\n", "BUDA-004b", "2\n    ^input_count: 2\n    x"},
    {"4b a section", NULL, "programs:", "graphs: {}\nprograms:", "BUDA-004b", "^graphs: {}"},

    {"5 Bad: colour", NULL, "entries: 4,", "entries: 4, colour: red,", "BUDA-005", "^colour: red"},
    {"5 no type", NULL, "type: queue, input: HOST", "input: HOST", "BUDA-005", "  ^q0:"},
    {"5 no dram", NULL, ", dram: [[0, 0x10000000]]", "", "BUDA-005", "  ^q0:"},
    {"5 no host", NULL, ", host: [0x1000000]", "", "BUDA-005", "  ^h0:"},
    {"5 no map", NULL, "  q0: {", "  k0: 7\n  q0: {", "BUDA-005", "k0: ^7"},

    {"6 Bad: conv", NULL, "type: nop", "type: conv", "BUDA-006", "type: ^conv"},
    {"6 unknown key", NULL, "type: nop", "type: nop, colour: red", "BUDA-006", "^colour"},
    {"6 no kernel input key", NULL, "type: nop", "type: nop, input_kernel: 1", "BUDA-006", "^input_kernel"},
    {"6 no input number", NULL, "type: nop", "type: nop, input_a_tms: []", "BUDA-006", "^input_a_tms"},
    {"6 no out_df", NULL, "out_df: Float16, ", "", "BUDA-006", "    ^x:"},
    {"6 graph without input_count", NULL, "    input_count: 2\n    y", "    y", "BUDA-006", "  ^g1:"},
    {"6 untilize_output is a number", NULL, "type: nop", "type: nop, untilize_output: 1", "BUDA-006", "untilize_output: ^1"},

    {"7 Bad: t 0", NULL, "t: 1, mblock", "t: 0, mblock", "BUDA-007", "t: ^0"},
    {"7 target_device below 0", NULL, "target_device: 0, loc", "target_device: -1, loc", "BUDA-007", "target_device: ^-1"},
    {"7 entries 0", NULL, "entries: 4", "entries: 0", "BUDA-007", "entries: ^0"},
    {"7 mblock 0", NULL, "mblock: [1, 1]", "mblock: [1, 0]", "BUDA-007", "mblock: [1, ^0]"},
    {"7 ublock 0", NULL, "ublock: [1, 1]", "ublock: [0, 1]", "BUDA-007", "ublock: [^0, 1]"},
    {"7 grid 0", NULL, "grid_size: [1, 1]", "grid_size: [0, 1]", "BUDA-007", "grid_size: [^0, 1]"},
    {"7 a word", NULL, "entries: 4", "entries: four", "BUDA-007", "entries: ^four"},

    {"1.4 host with loc dram", NULL, "loc: dram", "host: [0x100], loc: dram", "BUDA-904", "host: ^[0x100]"},
    {"1.4 dram with loc host", NULL, "loc: host", "dram: [[0, 0x100]], loc: host", "BUDA-904", "dram: ^[[0, 0x100]]"},

    {"8 Bad: bf16", NULL, "df: Float16, target", "df: bf16, target", "BUDA-008", "df: ^bf16"},
    {"8 Tf32", NULL, "df: Float16, target", "df: Tf32, target", "BUDA-008", "df: ^Tf32"},
    {"8 type", NULL, "type: queue", "type: fifo", "BUDA-008", "type: ^fifo"},
    {"8 loc", NULL, "loc: host", "loc: l1", "BUDA-008", "loc: ^l1"},
    {"8 layout", NULL, "loc: host", "layout: tiled, loc: host", "BUDA-008", "layout: ^tiled"},
    {"8 ublock_order of a queue", NULL, "loc: host", "ublock_order: R, loc: host", "BUDA-008", "ublock_order: ^R"},
    {"8 ublock_order of an op", NULL, "ublock_order: r", "ublock_order: z", "BUDA-008", "ublock_order: ^z"},
    {"8 fidelity", NULL, "HiFi3", "HiFi5", "BUDA-008", "math_fidelity: ^HiFi5"},
    {"8 tile_dim", NULL, "loc: host", "tile_dim: [32, 8], loc: host", "BUDA-008", "tile_dim: ^[32, 8]"},
    {"8 in_df", NULL, "in_df: [Float16, Float16]", "in_df: [Float16, float16]", "BUDA-008", "in_df: [Float16, ^float16]"},
    {"8 out_df", NULL, "out_df: Float16", "out_df: FP16", "BUDA-008", "out_df: ^FP16"},
    {"8 intermed_df", NULL, "intermed_df: Float16", "intermed_df: FP16", "BUDA-008", "intermed_df: ^FP16"},
    {"8 acc_df", NULL, "acc_df: Float16", "acc_df: FP16", "BUDA-008", "acc_df: ^FP16"},

    {"9 Bad: one pair for [1, 2]", NULL, "entries: 4, grid_size: [1, 1]", "entries: 4, grid_size: [1, 2]", "BUDA-009", "dram: ^[[0, 0x10000000]]"},
    {"9 two addresses for one", NULL, "host: [0x1000000]", "host: [0x1000000, 0x2000000]", "BUDA-009", "host: ^[0x1000000,"},
    {"10 Bad: opx", NULL, "input: x", "input: opx", "BUDA-010", "input: ^opx"},
    {"11 Bad: q9", NULL, "inputs: [h0]", "inputs: [q9]", "BUDA-011", "inputs: [^q9]"},
    {"12 two producers", NULL, "    n:", "    x:", "BUDA-012", "input: ^x,"},
    {"13 tile_dim of the queue", NULL, "input: x, entries: 4", "input: x, tile_dim: [16, 32], entries: 4", "BUDA-013", "tile_dim: ^[16, 32]"},
    {"13 tile_dim of the op", NULL, "inputs: [q0, w0]", "tile_dim: [16, 32], inputs: [q0, w0]", "BUDA-013", "  ^o0:"},
    {"14 Bad: one in_df of two", NULL, "in_df: [Float16, Float16]", "in_df: [Float16]", "BUDA-014", "in_df: ^[Float16]"},
    {"14 buffer list too long", NULL, "type: nop", "type: nop, input_dram_io_buf_size_tiles: [0, 0]", "BUDA-014", "tiles: ^[0, 0]"},
    {"15 input_count 0", NULL, "    input_count: 2\n    y", "    input_count: 0\n    y", "BUDA-015", "input_count: ^0"},
    {"15 Bad: 2 and 4", NULL, "    input_count: 2\n    y: " "{type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [z]",
     "    input_count: 4\n    y: {type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [q0]", "BUDA-015", "inputs: [^q0, w0]"},
    {"16a Bad: mblock 0", NULL, "t: 1, mblock: [1, 1], ublock: [1, 1]}", "t: 1, mblock: [0, 1], ublock: [1, 1]}", "BUDA-016a", "mblock: [^0, 1]"},
    {"16a grid 0", NULL, "[0, 0], grid_size: [1, 1]", "[0, 0], grid_size: [1, 0]", "BUDA-016a", "grid_size: [1, ^0]"},
    {"16a t 0", NULL, "HiFi3, t: 1", "HiFi3, t: 0", "BUDA-016a", "t: ^0"},
    {"16a ublock 0", NULL, "ublock: [1, 1]}", "ublock: [1, 0]}", "BUDA-016a", "ublock: [1, ^0]"},
    {"16a buf_size_mb below 0", NULL, "buf_size_mb: 2", "buf_size_mb: -1", "BUDA-016a", "buf_size_mb: ^-1"},
    {"16a grid_loc of one number", NULL, "grid_loc: [0, 1]", "grid_loc: [1]", "BUDA-016a", "grid_loc: ^[1]"},
    {"16b no buf_size_mb", NULL, "buf_size_mb: 2, ", "", "BUDA-016b", "    ^x:"},
    {"17 Bad: two ops at a core", NULL, "grid_loc: [0, 1]", "grid_loc: [0, 0]", "BUDA-017", "tilizer, grid_loc: ^[0, 0]"},
    {"17 beyond the grid", NULL, "grid_loc: [0, 1]", "grid_loc: [10, 0]", "BUDA-017", "grid_loc: ^[10, 0]"},
    {"17 fits another arch", "grayskull", "grid_loc: [0, 1]", "grid_loc: [0, 12]", "BUDA-017", "grid_loc: ^[0, 12]"},
    {"18 Bad: 0x10008c20", "blackhole", "[[0, 0x10000000]]", "[[0, 0x10008c20]]", "BUDA-018", "^0x10008c20"},
    {"19 itself", NULL, "alias: w1", "alias: w2", "BUDA-019", "alias: ^w2"},
    {"19 no queue", NULL, "alias: w1", "alias: w9", "BUDA-019", "alias: ^w9"},
    {"19 an alias of an alias", NULL, "[[1, 0x20000000]]}", "[[1, 0x20000000]], alias: w0}", "BUDA-019", "alias: ^w1"},
    {"19 not a ram", NULL, "  w2: {type: ram", "  w2: {type: queue", "BUDA-019", "alias: ^w1"},
    {"19 other buffers", NULL, "[[1, 0x20000000]], alias", "[[1, 0x20000020]], alias", "BUDA-019", "alias: ^w1"},
    {"19 other elements", NULL, "  w2: {type: ram, input: HOST, entries: 2", "  w2: {type: ram, input: HOST, entries: 4", "BUDA-019", "alias: ^w1"},
    {"19 entries do not divide", NULL, "  w2: {type: ram, input: HOST, entries: 2", "  w2: {type: ram, input: HOST, entries: 3", "BUDA-019", "alias: ^w1"},
    {"20a op and queue", NULL, "    n:", "    h0:", "BUDA-020a", "    ^h0:"},
    {"20b queue", NULL, "  h0: {", "  u: " STORE("ram", "HOST", "1", "0", "loc: dram, dram: [[5, 0x10000000]]") "  h0: {", "BUDA-020b", "  ^u:"},
    {"20b graph", NULL, "graph_name: g1", "graph_name: g0", "BUDA-020b", "  ^g1:"},

    // 5.3: what structure has to do with.
    {"58 one chip", NULL, "    target_device: 1\n", "    target_device: 0\n", "BUDA-058", "inputs: [^z]"},
    {"86 one schedule", NULL, "programs:", FUSED("a", "a") "programs:", "BUDA-086", "- ^a: {type: exp"},
    {"86 two schedules", NULL, "programs:", FUSED("a", "b") "      - - " SUB("b", "nop", "input0", "output") "programs:", "BUDA-086", "- ^b: {type: nop"},
    {"91 tilizer", NULL, "ublock: [1, 1]}\n    n", "ublock: [2, 1]}\n    n", "BUDA-091", "ublock: ^[2, 1]"},
    {"93 no queue", NULL, "type: tilizer", "type: tilizer, forked_dram_inputs: [k: x]", "BUDA-093", "[^k: x]"},
    {"93 a host queue", NULL, "type: tilizer", "type: tilizer, forked_dram_inputs: [h0: x]", "BUDA-093", "[^h0: x]"},
    {"93 not an input", NULL, "type: tilizer", "type: tilizer, forked_dram_inputs: [q0: x]", "BUDA-093", "[^q0: x]"},
    {"93 op of another graph", NULL, "type: add", "type: add, forked_dram_inputs: [q0: y]", "BUDA-093", "[q0: ^y]"},
    {"94 too many ports", NULL, "loc: dram", "read_ports: [0, 1], loc: dram", "BUDA-094", "read_ports: ^[0, 1]"},
    {"94 port 3", NULL, "loc: dram", "write_ports: [3], loc: dram", "BUDA-094", "write_ports: [^3]"},
    {"94 grayskull", "grayskull", "loc: dram", "read_ports: [1], loc: dram", "BUDA-042", "read_ports: ^[1]"},
    {"96 Bad: two axes", NULL, "inputs: [z]", "inputs: [z], input_0_tms: [broadcast: {r: 3, c: 4}]", "BUDA-096", "broadcast: ^{r: 3"},
    {"105 graphs before queues", NULL, NULL, "devices: {arch: wormhole_b0}\ngraphs: {}\nqueues: {}\nprograms: []\n", "BUDA-105", "^graphs"},
};

// Section 5.7 for ops: edits as op_netlist_test.h has them. One of `x` and `o`.
#define TINY(h) " | a.tile_dim: " h
#define OUT(h) " | x.tile_dim: " h " | o.tile_dim: " h
static const buda_op_row ops[] = {
    {"85 unknown attribute", NULL, "x.attributes: {colour: 1}", "BUDA-085", "{^colour", NULL},
    {"85 no attributes", NULL, "x.attributes: {}", "BUDA-085", "attributes: ^{}", NULL},
    {"85 of another type", NULL, "x.attributes: {fused_op_id: 0}", "BUDA-085", "{^fused_op_id", NULL},
    {"85 Bad: thread of a datacopy", NULL, "x.type: datacopy | x.attributes: {sfpu_execution_thread: pack}", "BUDA-085", "{^sfpu_execution_thread", NULL},
    {"85 thread of a binary", NULL, "x.type: add | x.inputs: [a, b] | x.in_df: [Float16, Float16] | x.attributes: {sfpu_execution_thread: pack}", "BUDA-085",
     "{^sfpu_execution_thread", NULL},
    {"85 thread of an sfpu op", NULL, "x.type: exp | x.attributes: {sfpu_execution_thread: pack}", NULL, NULL, NULL},
    {"85 wrong kind", NULL, "x.attributes: {m_k: much}", "BUDA-085", "m_k: ^much", NULL},
    {"85 z without dim z", NULL, "x.type: reduce | x.attributes: {dim: r, type: max, z: 2, m_k: 1, u_kt: 1}", "BUDA-085", "z: ^2", NULL},
    {"87 Bad: one input", NULL, "x.type: add", "BUDA-087", "inputs: ^[a]", NULL},
    {"87 unequal tiles", NULL, "x.type: add | x.inputs: [a, b] | x.in_df: [Float16, Float16]" TINY("[16, 32]"), "BUDA-087", "inputs: [a, ^b]", NULL},
    {"88a vector c of 16 rows", NULL, "x.type: exp | x.attributes: {vector: c}" TINY("[16, 32]") OUT("[16, 32]"), "BUDA-088a", "vector: ^c", NULL},
    {"88a vector r of 16 columns", NULL, "x.type: exp | x.attributes: {vector: r}" TINY("[32, 16]") OUT("[32, 16]"), "BUDA-088a", "vector: ^r", NULL},
    {"88a vector r of 16 rows", NULL, "x.type: exp | x.attributes: {vector: r}" TINY("[16, 32]") OUT("[16, 32]"), NULL, NULL, NULL},
    {"88b narrow input", NULL, "x.type: nop" TINY("[32, 16]"), "BUDA-088b", "inputs: [^a]", NULL},
    {"88b narrow output", NULL, "x.type: nop" OUT("[32, 16]"), "BUDA-088b", "inputs: [^a]", NULL},
    {"88c gradient datacopy", NULL, "x.type: nop | x.gradient_op: true | o.type: ram" TINY("[16, 32]"), "BUDA-088c", "inputs: [^a]", NULL},
    {"88d reduce r to 32x16", NULL, "x.type: reduce | x.attributes: {dim: r, type: max, m_k: 1, u_kt: 1}" OUT("[32, 16]"), "BUDA-088d", "tile_dim: ^[32, 16]\nprograms", NULL},
    {"88d reduce c to 16x32", NULL, "x.type: reduce | x.attributes: {dim: c, type: max, m_k: 1, u_kt: 1}" OUT("[16, 32]"), "BUDA-088d", "tile_dim: ^[16, 32]\nprograms", NULL},
    {"89 narrow input 1", NULL, "x.type: matmul | x.inputs: [a, b] | x.in_df: [Float16, Float16] | x.ublock_order: r | x.attributes: {m_k: 1, u_kt: 1} | b.tile_dim: [32, 16]", "BUDA-089", "inputs: [a, ^b]", NULL},
    {"90 transposed 8x32", NULL, "x.type: matmul | x.inputs: [a, b] | x.in_df: [Float16, Float16] | x.ublock_order: r | x.attributes: {m_k: 1, u_kt: 1} | x.input_1_tms: [transpose] | b.tile_dim: [8, 32]", "BUDA-090", "[^transpose]", NULL},
    {"92 no such input", NULL, "x.attributes: {kernel_broadcast: {input_1: 1}}", "BUDA-092", "{^input_1", NULL},
    {"92 twice", NULL, "x.attributes: {kernel_broadcast: {input_0: 1, input_0: 2}}", "BUDA-092", ", ^input_0", NULL},
    {"92 both forms", NULL, "x.attributes: {kernel_broadcast: {input_0: 1}, kernel_broadcast_per_t: {input_0: 1}}", "BUDA-092", "per_t: {^input_0", NULL},
    {"92 a single tile too", NULL, "x.attributes: {kernel_broadcast: {input_0: 1}, single_tile: [0]}", "BUDA-092", "single_tile: [^0", NULL},
};
// clang-format on

static void check(hoist_test *t, hoist_bytes text, const char *arch)
{
    const hoist_check_options options = {.arch = hoist_str_from(arch)};
    buda_test_check(t, text, &options);
}

HOIST_TEST(base_is_clean)
{
    check(t, buda_test_patched(t, base, NULL, NULL), "wormhole_b0");
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST_TABLE(sections_5_1_and_5_7, structure)
{
    const hoist_bytes text = row->find ? buda_test_patched(t, base, row->find, row->put)
                                       : (hoist_bytes){(const uint8_t *)row->put, strlen(row->put)};
    const hoist_pos at = *row->at ? buda_test_place(t, text, row->at) : (hoist_pos){0, 0};
    check(t, text, row->arch);
    buda_test_expect(t, row->rule, at.line, at.column, NULL);
}

// An address that is no address is checked once.
HOIST_TEST(unread_addresses_are_not_checked)
{
    static const char *const addresses[] = {"1.5", "-1", "[1]"};
    for (size_t i = 0; i < HOIST_COUNT_OF(addresses); i++) {
        const size_t before = hoist_diag_kept(t->diag);
        check(t, buda_test_patched(t, base, "0x10000000", addresses[i]), "wormhole_b0");
        HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), before + 1);
    }
    HOIST_EXPECT_RULE(t, "BUDA-005");
}

HOIST_TEST_TABLE(ops_of_5_7, ops)
{
    buda_test_op_row(t, row);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(base_is_clean), HOIST_TEST_ROW(sections_5_1_and_5_7),
                HOIST_TEST_ROW(unread_addresses_are_not_checked), HOIST_TEST_ROW(ops_of_5_7))
