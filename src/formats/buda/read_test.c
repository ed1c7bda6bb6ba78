// The reader: one place of a good netlist changed per row, the finding that must come of it, and
// the text that it must point at.
#include <string.h>

#include "base/alloc.h"
#include "formats/buda/netlist_test.h"
#include "formats/buda/words.h"

static const char base[] =
    "devices:\n"
    "  arch: [wormhole_b0, blackhole]\n"
    "queues:\n"
    "  qa: {type: queue, input: HOST, entries: 4, grid_size: [1, 2], t: 3, mblock: [2, 5],"
    " ublock: [6, 7], ublock_order: c, tile_dim: [16, 32], df: Bfp8_b, layout: flat,"
    " target_device: 0, loc: dram, dram: [[0, 0x10000000], [1, 0x10001000]]}\n"
    "  qb: {type: ram, input: opa, entries: 8, grid_size: [1, 1], t: 1, mblock: [1, 1],"
    " ublock: [1, 1], df: Float16, target_device: [0, 1], loc: host, host: [0x2000],"
    " alias: qc, input_tms: [hslice: 9], read_ports: [1], write_ports: [2]}\n"
    "graphs:\n"
    "  ga:\n"
    "    target_device: 1\n"
    "    input_count: 2\n"
    "    opa: {type: matmul, grid_loc: [3, 4], grid_size: [1, 2], grid_transpose: true,"
    " inputs: [qa, qx], t: 2, mblock: [1, 3], ublock: [2, 2], buf_size_mb: 4, overlay_size: 64,"
    " input_buf_min_size_tiles: [0, 11], input_dram_io_buf_size_tiles: [12, 0],"
    " forked_dram_inputs: [qa: opb], ublock_order: r, in_df: [Float32, Bfp2_b],"
    " out_df: Int8, intermed_df: Float16_b, acc_df: Int32, math_fidelity: HiFi2_A,"
    " untilize_output: yes, gradient_op: False, tile_dim: [32, 32],"
    " attributes: {m_k: 010, u_kt: 2, bias: true, relu_threshold: 1.5, relu_mode: max,"
    " kernel_broadcast: {input_1: 5}, ingress_channels: [1, 2], fused_op_id: 0, sfpu_op: gelu},"
    " input_1_tms: [broadcast: {r: 5}, transpose , pad: [0, 1, 2.5], tile_broadcast: rc],"
    " input_0_pad: {rt: 1, ct: 2, pad_value: -1.0}, input_0_unpad: {rt: 3, ct: 0}}\n"
    "    opb: {type: ethernet_datacopy, grid_size: [1, 1], inputs: [opa], t: 1, mblock: [1, 1],"
    " ublock: [1, 1], buf_size_mb: 2, in_df: [Float32], out_df: Float32, intermed_df: Float32,"
    " acc_df: Float32, math_fidelity: LoFi}\n"
    "fused_ops:\n"
    "  0:\n"
    "    inputs: 2\n"
    "    intermediates: 1\n"
    "    custom_kernel_path: a/b\n"
    "    schedules:\n"
    "      - - sa: {type: multiply, inputs: [input0, input1], mblock: [8, 9], ublock: [4, 3],"
    " zero_point: 0.5, attributes: {vector: r}, output: intermed0}\n"
    "        - sb: {type: exp, inputs: [intermed0], mblock: [8, 9], ublock: [4, 3],"
    " pop: [intermed0], pop_last: [], output: output}\n"
    "programs:\n"
    "  - pa:\n"
    "      - param: [$p_x]\n"
    "      - var: {$v: 5, $w: 6}\n"
    "      - staticvar: [$s]\n"
    "      - loop: $p_x\n"
    "      - allocate_queue: [qb]\n"
    "      - execute: {graph_name: ga, queue_settings: {qa: {prologue: false, rd_ptr_local: $v,"
    " rd_ptr_global: 0}}}\n"
    "      - varinst: [$v, incwrap, 1, 12]\n"
    "      - deallocate_queue: [qb]\n"
    "      - endloop\n"
    "test-config: {comparison-config: {type: Exact}}\n"
    "performance-check: {config-0: {graph-name: ga}}\n"
    "pipegen: 7\n";

typedef struct finding_case {
    const char *name;
    const char *find; // in `base`
    const char *put;
    const char *rule;
    const char *at; // the finding's place is where this text stands; NULL: no place
    const char *says;
} finding_case;

// Place of the first `text` in `file`.
static hoist_pos place_of(hoist_test *t, hoist_bytes file, const char *text)
{
    const uint8_t *const at = text ? memmem(file.data, file.size, text, strlen(text)) : NULL;
    hoist_pos pos = {at ? 1 : 0, at ? 1 : 0};
    HOIST_EXPECT_EQ(t, at != NULL, text != NULL);
    for (const uint8_t *p = file.data; at && p < at; p++) {
        pos.line += *p == '\n' ? 1 : 0;
        pos.column = *p == '\n' ? 1 : pos.column + 1;
    }
    return pos;
}

static void expect_finding(hoist_test *t, const finding_case *row)
{
    const hoist_bytes text = buda_test_patched(t, base, row->find, row->put);
    const hoist_buda_module *const module = buda_test_read(t, text);
    const hoist_pos pos = place_of(t, text, row->at);
    HOIST_EXPECT(t, module != NULL);
    buda_test_expect(t, row->rule, pos.line, pos.column, row->says);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag), 1);
    buda_test_destroy(module);
}

// clang-format off
static const finding_case section_cases[] = {
    {"queues missing", "queues:", "queue:", "BUDA-002", "devices", "no section queues"},
    {"graphs missing", "graphs:", "graph:", "BUDA-002", "devices", "no section graphs"},
    {"programs missing", "programs:", "program:", "BUDA-002", "devices", "no section programs"},
    {"queues empty", "queues:\n", "queues: {}\nold:\n", "BUDA-002", "{}", "queues is empty"},
    {"queues null", "queues:\n", "queues: ~\nold:\n", "BUDA-002", "~", "wanted a map"},
    {"graphs a list", "graphs:\n", "graphs: [5]\nold:\n", "BUDA-002", "[5]\nold", "wanted a map"},
    {"programs empty", "programs:\n", "programs: []\nold:\n", "BUDA-002", "[]\nold", "is empty"},
    {"programs a map", "programs:\n", "programs: {p: []}\nold:\n",
     "BUDA-002", "{p:", "wanted a list"},
    {"devices missing", "devices:", "device:", "BUDA-003a", "device:", "no section devices"},
    {"devices a list", "devices:\n", "devices: [1]\nold:\n", "BUDA-003a", "[1]", "wanted a map"},
    {"devices another key", "devices:\n", "devices:\n  chip: 1\n",
     "BUDA-003a", "chip", "no key 'chip'"},
    {"arch missing", "  arch: [wormhole_b0, blackhole]", "  {}", "BUDA-003a", "devices", "no arch"},
    {"arch unknown", "wormhole_b0", "tpu", "BUDA-003a", "tpu", "arch is 'tpu', wanted grayskull"},
    {"arch a map", "wormhole_b0", "{a: 1}", "BUDA-003a", "{a: 1}", "arch holds a map"},
    {"arch empty", "[wormhole_b0, blackhole]", "[]", "BUDA-003a", "[]", "empty list"},
    {"arch jawbridge", "wormhole_b0", "jawbridge", "BUDA-003a", "jawbridge", "no public device"},
    {"arch invalid", "wormhole_b0", "Invalid", "BUDA-003a", "Invalid", "names no device"},
    {"arch wormhole_b", "wormhole_b0", "wormhole_b", "BUDA-003b", "wormhole_b", "is read as"},
    {"section twice", "pipegen: 7", "devices: {arch: grayskull}",
     "BUDA-004b", "devices: {", "occurs again"},
    {"graphs before queues", "devices:\n", "graphs: {}\ndevices:\n",
     "BUDA-105", "graphs: {}", "stands before"},
};

static const finding_case queue_cases[] = {
    {"unknown key", "entries: 4", "entries: 4, colour: red",
     "BUDA-005", "colour", "no key 'colour'"},
    {"key empty", "entries: 4", "entries: 4, \"\": red", "BUDA-005", "\"\"", "no key ''"},
    {"key twice", "entries: 4", "entries: 3, entries: 4",
     "BUDA-004b", "entries: 4", "'entries' occurs again"},
    {"a queue that is a list", "  qa: {", "  qa: [1]\n  qd: {", "BUDA-005", "[1]", "wanted a map"},
    {"type missing", "type: queue, ", "", "BUDA-005", "qa", "type is missing"},
    {"input missing", "input: HOST, ", "", "BUDA-005", "qa", "input is missing"},
    {"entries missing", "entries: 4, ", "", "BUDA-005", "qa", "entries is missing"},
    {"grid_size missing", "grid_size: [1, 2], ", "", "BUDA-005", "qa", "grid_size is missing"},
    {"t missing", " t: 3,", "", "BUDA-005", "qa", "t is missing"},
    {"mblock missing", "mblock: [2, 5], ", "", "BUDA-005", "qa", "mblock is missing"},
    {"ublock missing", "ublock: [6, 7], ", "", "BUDA-005", "qa", "ublock is missing"},
    {"df missing", "df: Bfp8_b, ", "", "BUDA-005", "qa", "df is missing"},
    {"target_device missing", "target_device: 0, ", "",
     "BUDA-005", "qa", "target_device is missing"},
    {"loc missing", "loc: dram, ", "", "BUDA-005", "qa", "loc is missing"},
    {"dram missing", ", dram: [[0, 0x10000000], [1, 0x10001000]]", "",
     "BUDA-005", "qa", "dram is missing"},
    {"host missing", ", host: [0x2000]", "", "BUDA-005", "qb", "host is missing"},
    {"input null", "input: HOST", "input: ~", "BUDA-005", "~", "wanted a name"},
    {"input a list", "input: HOST", "input: [q]", "BUDA-005", "[q]", "wanted a name"},
    {"alias a map", "alias: qc", "alias: {}", "BUDA-005", "{}", "wanted a name"},
    {"dram a pair too short", "[0, 0x10000000]", "[0]",
     "BUDA-005", "[0]", "wanted [channel, address]"},
    {"dram bare address", "[0, 0x10000000]", "0x10000000",
     "BUDA-005", "0x10000000,", "wanted [channel, address]"},
    {"dram address negative", "0x10000000", "-1", "BUDA-005", "-1", "wanted 0 or more"},
    {"dram address above 32 bits", "0x10000000", "0x100000000",
     "BUDA-005", "0x100000000", "or less"},
    {"dram address no number", "0x10000000", "zero", "BUDA-005", "zero", "wanted an integer"},
    {"dram a map", "[[0, 0x10000000], [1, 0x10001000]]", "{a: 1}",
     "BUDA-005", "{a: 1}", "wanted a list"},
    {"host a map item", "[0x2000]", "[{a: 1}]", "BUDA-005", "{a: 1}", "wanted an integer"},
    {"input_tms unknown", "hslice: 9", "wobble: 9", "BUDA-005", "wobble", "no TM 'wobble'"},
    {"read_ports no numbers", "read_ports: [1]", "read_ports: [x]",
     "BUDA-005", "x],", "wanted an integer"},
    {"write_ports a map", "write_ports: [2]", "write_ports: {a: 2}",
     "BUDA-005", "{a: 2}", "wanted a list"},
    {"entries 0", "entries: 4", "entries: 0",
     "BUDA-007", "0, grid", "entries is 0, wanted 1 or more"},
    {"entries text", "entries: 4", "entries: four", "BUDA-007", "four", "wanted an integer"},
    {"entries too large", "entries: 4", "entries: 99999999999",
     "BUDA-007", "99999999999", "or less"},
    {"entries beyond 64 bits", "entries: 4", "entries: 99999999999999999999",
     "BUDA-007", "9999", "wanted an integer"},
    {"entries bad octal", "entries: 4", "entries: 08", "BUDA-007", "08", "wanted an integer"},
    {"entries a list", "entries: 4", "entries: [4]", "BUDA-007", "[4]", "wanted an integer"},
    {"t 0", "t: 3,", "t: 0,", "BUDA-007", "0, mblock", "t is 0"},
    {"grid_size 0", "grid_size: [1, 2]", "grid_size: [0, 2]", "BUDA-007", "0, 2", "grid_size is 0"},
    {"grid_size of three", "grid_size: [1, 2]", "grid_size: [1, 2, 3]",
     "BUDA-007", "[1, 2, 3]", "has 3 items"},
    {"grid_size a number", "grid_size: [1, 2]", "grid_size: 12", "BUDA-007", "12", "two integers"},
    {"mblock negative", "mblock: [2, 5]", "mblock: [2, -5]", "BUDA-007", "-5", "mblock is -5"},
    {"ublock a word", "ublock: [6, 7]", "ublock: [6, x]", "BUDA-007", "x]", "wanted an integer"},
    {"target_device negative", "target_device: 0", "target_device: -1",
     "BUDA-007", "-1", "wanted 0 or more"},
    {"target_device empty list", "target_device: 0", "target_device: []",
     "BUDA-007", "[]", "wanted a chip"},
    {"target_device null", "target_device: 0", "target_device: ~",
     "BUDA-007", "~", "wanted an integer"},
    {"target_device a list with text", "[0, 1]", "[0, one]",
     "BUDA-007", "one", "wanted an integer"},
    {"type unknown", "type: queue", "type: pipe",
     "BUDA-008", "pipe", "wanted a queue type: queue, ram"},
    {"type null", "type: queue", "type: ", "BUDA-008", ", input: HOST", "is empty"},
    {"df unknown", "df: Bfp8_b", "df: bf16", "BUDA-008", "bf16", "wanted a data format: Float32"},
    {"df Tf32", "df: Bfp8_b", "df: Tf32", "BUDA-008", "Tf32", "wanted a data format"},
    {"df in lower case", "df: Bfp8_b", "df: bfp8_b", "BUDA-008", "bfp8_b", "wanted a data format"},
    {"loc unknown", "loc: host", "loc: l1", "BUDA-008", "l1", "wanted a location: dram, host"},
    {"layout unknown", "layout: flat", "layout: tiled",
     "BUDA-008", "tiled", "wanted a layout: tilized, flat"},
    {"ublock_order unknown", "ublock_order: c", "ublock_order: z",
     "BUDA-008", "z, tile", "wanted a ublock order: r, c"},
    {"tile_dim unknown", "tile_dim: [16, 32]", "tile_dim: [3, 32]",
     "BUDA-008", "[3, 32]", "no such tiles"},
    {"tile_dim one number", "tile_dim: [16, 32]", "tile_dim: [16]",
     "BUDA-008", "[16]", "has 1 items"},
};

static const finding_case op_cases[] = {
    {"unknown key", "overlay_size: 64", "overlay: 64",
     "BUDA-006", "overlay: 64", "no key 'overlay'"},
    {"key twice", "overlay_size: 64", "overlay_size: 32, overlay_size: 64",
     "BUDA-004b", "overlay_size: 64", "again"},
    {"unknown type", "type: matmul", "type: conv", "BUDA-006", "conv", "no op type 'conv'"},
    {"type null", "type: matmul", "type: ~", "BUDA-006", "~", "wanted a name"},
    {"an op that is a number", "    opb: {", "    opc: 5\n    opb: {",
     "BUDA-006", "5\n    opb", "wanted a map"},
    {"a graph that is a list", "  ga:\n", "  gb: [1]\n  ga:\n",
     "BUDA-006", "[1]\n  ga", "wanted a map"},
    {"graph device missing", "    target_device: 1\n", "",
     "BUDA-006", "ga", "target_device is missing"},
    {"graph device negative", "    target_device: 1\n", "    target_device: -3\n",
     "BUDA-006", "-3", "wanted 0 or more"},
    {"graph input_count missing", "    input_count: 2\n", "",
     "BUDA-006", "ga", "input_count is missing"},
    {"graph input_count text", "    input_count: 2\n", "    input_count: two\n",
     "BUDA-015", "two", "wanted an integer"},
    {"graph key twice", "    input_count: 2\n", "    input_count: 2\n    input_count: 3\n",
     "BUDA-004b", "input_count: 3", "again"},
    {"type missing", "type: matmul, ", "", "BUDA-006", "opa: {", "type is missing"},
    {"grid_loc missing", "grid_loc: [3, 4], ", "", "BUDA-006", "opa: {", "grid_loc is missing"},
    {"grid_size missing", "grid_size: [1, 2], grid_t", "grid_t",
     "BUDA-006", "opa: {", "grid_size is missing"},
    {"inputs missing", "inputs: [qa, qx], ", "", "BUDA-006", "opa: {", "inputs is missing"},
    {"t missing", " t: 2,", "", "BUDA-006", "opa: {", "t is missing"},
    {"mblock missing", "mblock: [1, 3], ", "", "BUDA-006", "opa: {", "mblock is missing"},
    {"ublock missing", "ublock: [2, 2], ", "", "BUDA-006", "opa: {", "ublock is missing"},
    {"in_df missing", "in_df: [Float32, Bfp2_b], ", "", "BUDA-006", "opa: {", "in_df is missing"},
    {"out_df missing", " out_df: Int8,", "", "BUDA-006", "opa: {", "out_df is missing"},
    {"intermed_df missing", "intermed_df: Float16_b, ", "",
     "BUDA-006", "opa: {", "intermed_df is missing"},
    {"acc_df missing", "acc_df: Int32, ", "", "BUDA-006", "opa: {", "acc_df is missing"},
    {"math_fidelity missing", "math_fidelity: HiFi2_A,", "",
     "BUDA-006", "opa: {", "math_fidelity is missing"},
    {"buf_size_mb missing", "buf_size_mb: 4, ", "",
     "BUDA-016b", "opa: {", "buf_size_mb is missing, 1 is taken"},
    {"inputs a map", "inputs: [qa, qx]", "inputs: {qa: qx}",
     "BUDA-006", "{qa: qx}", "wanted a list"},
    {"inputs with a list", "inputs: [qa, qx]", "inputs: [qa, [qx]]",
     "BUDA-006", "[qx]", "wanted a name"},
    {"grid_transpose no boolean", "grid_transpose: true", "grid_transpose: 1",
     "BUDA-006", "1, inputs", "true or false"},
    {"untilize_output no boolean", "untilize_output: yes", "untilize_output: ja",
     "BUDA-006", "ja", "true or false"},
    {"gradient_op a list", "gradient_op: False", "gradient_op: []",
     "BUDA-006", "[]", "true or false"},
    {"overlay_size negative", "overlay_size: 64", "overlay_size: -64",
     "BUDA-006", "-64", "wanted 0 or more"},
    {"buffer list negative", "[0, 11]", "[0, -11]", "BUDA-006", "-11", "wanted 0 or more"},
    {"buffer list a map", "[12, 0]", "{a: 0}", "BUDA-006", "{a: 0}", "wanted a list"},
    {"fork of two", "[qa: opb]", "[{qa: opb, qx: opb}]",
     "BUDA-006", "{qa: opb", "wanted one queue: op"},
    {"fork a word", "[qa: opb]", "[qa]", "BUDA-006", "qa], ublock", "wanted one queue: op"},
    {"fork to a list", "[qa: opb]", "[qa: [x]]", "BUDA-006", "[x]", "wanted a name"},
    {"input number too large", "input_1_tms", "input_256_tms",
     "BUDA-006", "input_256_tms", "no key 'input_256_tms'"},
    {"input number absent", "input_1_tms", "input__tms",
     "BUDA-006", "input__tms", "no key 'input__tms'"},
    {"input number with text", "input_1_tms", "input_1x_tms", "BUDA-006", "input_1x_tms", "no key"},
    {"input word unknown", "input_1_tms", "input_1_tmss", "BUDA-006", "input_1_tmss", "no key"},
    {"pad without ct", "ct: 2, ", "", "BUDA-006", "{rt: 1", "ct is missing"},
    {"pad with another key", "ct: 2, ", "ct: 2, z: 1, ",
     "BUDA-006", "z: 1", "a pad has no key 'z'"},
    {"pad rt negative", "rt: 1", "rt: -1", "BUDA-006", "-1, ct", "wanted 0 or more"},
    {"pad a list", "{rt: 3, ct: 0}", "[3, 0]", "BUDA-006", "[3, 0]", "wanted a map"},
    {"pad value text", "pad_value: -1.0", "pad_value: low", "BUDA-006", "low", "wanted a number"},
    {"unpad with a value", "{rt: 3, ct: 0}", "{rt: 3, ct: 0, pad_value: 1}",
     "BUDA-006", "pad_value: 1}", "no key 'pad_value'"},
    {"in_df unknown", "Bfp2_b", "Bfp3_b", "BUDA-008", "Bfp3_b", "wanted a data format"},
    {"in_df a map", "[Float32, Bfp2_b]", "{a: b}", "BUDA-008", "{a: b}", "wanted a list"},
    {"in_df with a list", "Bfp2_b", "[Bfp2_b]", "BUDA-008", "[Bfp2_b]", "wanted a data format"},
    {"out_df unknown", "out_df: Int8", "out_df: Invalid", "BUDA-008", "Invalid", "out_df"},
    {"intermed_df unknown", "Float16_b, acc", "Float16_a, acc",
     "BUDA-008", "Float16_a", "intermed_df"},
    {"acc_df unknown", "acc_df: Int32", "acc_df: int", "BUDA-008", "int, math", "acc_df"},
    {"math_fidelity unknown", "HiFi2_A", "HiFi5",
     "BUDA-008", "HiFi5", "wanted a math fidelity: LoFi"},
    {"op ublock_order unknown", "ublock_order: r", "ublock_order: R",
     "BUDA-008", "R, in_df", "wanted a ublock order"},
    {"op tile_dim unknown", "tile_dim: [32, 32]", "tile_dim: [64, 32]",
     "BUDA-008", "[64, 32]", "no such tiles"},
    {"op grid_size 0", "grid_size: [1, 2], grid_t", "grid_size: [1, 0], grid_t",
     "BUDA-016a", "0], grid_t", "grid_size is 0"},
    {"grid_loc one number", "grid_loc: [3, 4]", "grid_loc: [3]", "BUDA-016a", "[3]", "has 1 items"},
    {"op t 0", "t: 2,", "t: 0,", "BUDA-016a", "0, mblock", "t is 0"},
    {"op mblock 0", "mblock: [1, 3]", "mblock: [0, 3]", "BUDA-016a", "0, 3", "mblock is 0"},
    {"op ublock null", "ublock: [2, 2]", "ublock: ", "BUDA-016a", ", buf_size_mb: 4", "is empty"},
    {"buf_size_mb negative", "buf_size_mb: 4", "buf_size_mb: -2",
     "BUDA-016a", "-2", "wanted 0 or more"},
};

static const finding_case tm_cases[] = {
    {"unknown", "broadcast: {r: 5}", "bcast: {r: 5}", "BUDA-006", "bcast", "no TM 'bcast'"},
    {"unknown bare", "transpose ,", "flip,", "BUDA-006", "flip", "wanted a TM"},
    {"bare that needs a number", "transpose ,", "hslice,",
     "BUDA-006", "hslice, pad", "wanted a TM"},
    {"transpose with a value", "transpose ,", "transpose: 1,",
     "BUDA-006", "1, pad", "takes no argument"},
    {"two in one map", "transpose ,", "{hslice: 2, vslice: 2},",
     "BUDA-006", "{hslice", "wanted a map with one TM"},
    {"a list", "transpose ,", "[transpose],",
     "BUDA-006", "[transpose]", "wanted a map with one TM"},
    {"tms a map", "input_1_tms: [", "input_2_tms: {a: b}, input_1_tms: [",
     "BUDA-006", "{a: b}", "wanted a list"},
    {"broadcast a number", "{r: 5}", "5", "BUDA-006", "5, transpose", "wanted {r|c|z: factor}"},
    {"broadcast empty", "{r: 5}", "{}", "BUDA-006", "{}", "wanted {r|c|z: factor}"},
    {"broadcast another axis", "{r: 5}", "{w: 5}",
     "BUDA-006", "w: 5", "axis 'w', wanted r, c or z"},
    {"broadcast 0", "{r: 5}", "{r: 0}", "BUDA-006", "0}, transpose", "wanted 1 or more"},
    {"broadcast text", "{r: 5}", "{r: five}", "BUDA-006", "five", "wanted an integer"},
    {"broadcast two axes", "{r: 5}", "{r: 5, c: 2}", "BUDA-096", "{r: 5, c", "2 axes, wanted one"},
    {"hslice 0", "hslice: 9", "hslice: 0", "BUDA-005", "0], read", "wanted 1 or more"},
    {"hslice a list", "hslice: 9", "hslice: [9]", "BUDA-005", "[9]", "wanted an integer"},
    {"pad of two", "[0, 1, 2.5]", "[0, 1]", "BUDA-006", "[0, 1], tile", "wanted [rt, ct, value]"},
    {"pad negative", "[0, 1, 2.5]", "[0, -1, 2.5]", "BUDA-006", "-1, 2.5", "wanted 0 or more"},
    {"pad value text", "[0, 1, 2.5]", "[0, 1, x]", "BUDA-006", "x], tile", "wanted a number"},
    {"tile_broadcast z", "tile_broadcast: rc", "tile_broadcast: z",
     "BUDA-006", "z], input", "wanted r, c or rc"},
};

static const finding_case attribute_cases[] = {
    {"unknown", "bias: true", "bais: true", "BUDA-085", "bais", "no attribute 'bais'"},
    {"input9", "bias: true", "input9: [0, 1, 1]", "BUDA-085", "input9", "no attribute 'input9'"},
    {"empty map", "{vector: r}", "{}", "BUDA-085", "{}", "wanted a map with entries"},
    {"null", "{vector: r}", "~", "BUDA-085", "~", "wanted a map with entries"},
    {"a list", "{vector: r}", "[r]", "BUDA-085", "[r]", "wanted a map with entries"},
    {"int text", "m_k: 010", "m_k: ten", "BUDA-085", "ten", "m_k is 'ten', wanted an integer"},
    {"int bad octal", "m_k: 010", "m_k: 09", "BUDA-085", "09", "wanted an integer"},
    {"int a list", "m_k: 010", "m_k: [1]", "BUDA-085", "[1], u_kt", "wanted an integer"},
    {"bool number", "bias: true", "bias: 1", "BUDA-085", "1, relu", "wanted true or false"},
    {"float text", "relu_threshold: 1.5", "relu_threshold: hot",
     "BUDA-085", "hot", "wanted a number"},
    {"float below its range", "relu_threshold: 1.5", "relu_threshold: -1.5",
     "BUDA-085", "-1.5", "relu_threshold is -1.5"},
    {"word unknown", "relu_mode: max", "relu_mode: mid", "BUDA-085", "mid", "wanted one of"},
    {"word a map", "relu_mode: max", "relu_mode: {a: 1}",
     "BUDA-085", "{a: 1}", "relu_mode is a map"},
    {"name a list", "fused_op_id: 0", "fused_op_id: [0]", "BUDA-085", "[0], sfpu", "wanted a name"},
    {"ints a number", "ingress_channels: [1, 2]", "ingress_channels: 1",
     "BUDA-085", "1, fused", "wanted a list of integers"},
    {"ints with text", "ingress_channels: [1, 2]", "ingress_channels: [a]",
     "BUDA-085", "a], fused", "wanted an integer"},
    {"input map a number", "{input_1: 5}", "5",
     "BUDA-085", "5, ingress", "wanted a map of input_N"},
    {"input map with text", "{input_1: 5}", "{input_1: many}",
     "BUDA-085", "many", "wanted an integer"},
    {"key twice", "bias: true", "bias: true, bias: false",
     "BUDA-004b", "bias: false", "'bias' occurs again"},
    {"input map twice", "bias: true", "kernel_broadcast: {input_0: 3}",
     "BUDA-004b", "kernel_broadcast: {input_1", "again"},
};

static const finding_case fused_cases[] = {
    {"fused_ops a list", "fused_ops:\n", "fused_ops: [1]\nold:\n",
     "BUDA-006", "[1]\nold", "wanted a map"},
    {"a fused op that is a number", "  0:\n", "  1: 5\n  0:\n",
     "BUDA-006", "5\n  0:", "wanted a map"},
    {"id twice", "programs:",
     "  ? \"0\"\n  : {inputs: 1, intermediates: 0, schedules: []}\nprograms:",
     "BUDA-004b", "\"0\"", "again"},
    {"inputs missing", "    inputs: 2\n", "", "BUDA-006", "0:\n    inter", "inputs is missing"},
    {"intermediates missing", "    intermediates: 1\n", "",
     "BUDA-006", "0:\n    inputs", "intermediates is missing"},
    {"inputs negative", "    inputs: 2\n", "    inputs: -2\n",
     "BUDA-006", "-2", "wanted 0 or more"},
    {"schedules missing", "schedules:", "schedule:",
     "BUDA-006", "0:\n    inputs", "schedules is missing"},
    {"schedules a map", "    schedules:\n", "    schedules: {a: b}\n    rest:\n",
     "BUDA-006", "{a: b}", "list of lists"},
    {"a schedule that is a word", "      - - sa", "      - none\n      - - sa",
     "BUDA-006", "none", "wanted a list of sub-ops"},
    {"a step that is a word", "        - sb:", "        - none\n        - sb:",
     "BUDA-006", "none", "wanted one name: sub-op"},
    {"a sub-op that is a number", "        - sb:", "        - sc: 4\n        - sb:",
     "BUDA-006", "4\n", "wanted a map"},
    {"sub-op type unknown", "type: exp,", "type: expo,", "BUDA-006", "expo", "no op type 'expo'"},
    {"sub-op key unknown", "zero_point: 0.5", "zero: 0.5",
     "BUDA-006", "zero: 0.5", "a sub-op has no key"},
    {"sub-op type missing", "type: exp, ", "", "BUDA-006", "sb:", "type is missing"},
    {"sub-op inputs missing", "inputs: [intermed0], ", "", "BUDA-006", "sb:", "inputs is missing"},
    {"sub-op output missing", ", output: output", "", "BUDA-006", "sb:", "output is missing"},
    {"sub-op mblock 0", "[8, 9]", "[0, 9]", "BUDA-016a", "0, 9", "mblock is 0"},
    {"sub-op ublock missing", "ublock: [4, 3], zero", "zero",
     "BUDA-006", "sa:", "ublock is missing"},
    {"zero_point text", "zero_point: 0.5", "zero_point: x",
     "BUDA-006", "x, attr", "wanted a number"},
    {"sub-op key twice", "zero_point: 0.5", "zero_point: 0, zero_point: 1",
     "BUDA-004b", "zero_point: 1", "again"},
    {"interm in inputs", "inputs: [intermed0]", "inputs: [interm0]",
     "BUDA-104", "interm0]", "read as 'intermed0'"},
    {"interm as output", "output: intermed0", "output: interm0",
     "BUDA-104", "interm0}", "read as 'intermed0'"},
    {"interm in pop", "pop: [intermed0]", "pop: [interm0]",
     "BUDA-104", "interm0]", "read as 'intermed0'"},
};

static const finding_case program_cases[] = {
    {"item a word", "  - pa:\n", "  - halt\n  - pa:\n",
     "BUDA-021", "halt", "wanted one name: list"},
    {"item of two", "programs:\n", "programs:\n  - {p: [], q: []}\n",
     "BUDA-021", "{p:", "wanted one name: list"},
    {"a program that is a map", "programs:\n", "programs:\n  - p: {a: 1}\n",
     "BUDA-021", "{a: 1}", "wanted a list"},
    {"unknown word", "      - endloop", "      - halt",
     "BUDA-021", "halt", "wanted a map or endloop"},
    {"word that needs a value", "      - endloop", "      - loop",
     "BUDA-021", "loop\ntest", "wanted a map or endloop"},
    {"unknown instruction", "loop: $p_x", "repeat: 2",
     "BUDA-021", "repeat", "no instruction 'repeat'"},
    {"map of two", "      - loop: $p_x", "      - {loop: 2, var: [$a]}",
     "BUDA-021", "{loop", "map of 2 items"},
    {"a list", "      - loop: $p_x", "      - [loop, 2]", "BUDA-021", "[loop", "list of 2 items"},
    {"loop a list", "loop: $p_x", "loop: [2]", "BUDA-021", "[2]\n", "wanted a value or a variable"},
    {"var with a list", "var: {$v: 5, $w: 6}", "var: [$v, [$w]]",
     "BUDA-021", "[$w]", "wanted a value or a variable"},
    {"staticvar with a map value", "staticvar: [$s]", "staticvar: {$s: {a: 1}}",
     "BUDA-021", "{a: 1}", "wanted a value"},
    {"endloop with a value", "- endloop", "- endloop: 1",
     "BUDA-021", "1\ntest", "takes no argument"},
    {"endprogram in the middle", "      - loop: $p_x", "      - endprogram\n      - loop: 1",
     "BUDA-021", "endprogram", "as the last"},
    {"endprogram last", "      - endloop\n", "      - endloop\n      - endprogram\n",
     "BUDA-036a", "endprogram", "not needed"},
    {"endprogram last, as a map", "      - endloop\n", "      - endloop\n      - endprogram:\n",
     "BUDA-036a", "endprogram", "not needed"},
    {"allocate_queue a map", "deallocate_queue: [qb]", "deallocate_queue: {a: qb}",
     "BUDA-021", "{a: qb}", "wanted a list"},
    {"allocate_queue of lists", "deallocate_queue: [qb]", "deallocate_queue: [[qb]]",
     "BUDA-021", "[qb]]", "wanted a name"},
    {"param later", "staticvar: [$s]", "param: [$s]",
     "BUDA-022", "param: [$s]", "instruction 2, wanted it as the first"},
    {"param a map", "param: [$p_x]", "param: {$p_x: 1}", "BUDA-022", "{$p_x", "wanted a list"},
    {"param of lists", "param: [$p_x]", "param: [[$p_x]]", "BUDA-022", "[$p_x]]", "wanted a value"},
    {"varinst too short", "[$v, incwrap, 1, 12]", "[$v]", "BUDA-023", "[$v]", "too short"},
    {"varinst a word", "[$v, incwrap, 1, 12]", "$v", "BUDA-023", "$v\n", "wanted [destination"},
    {"varinst a map", "[$v, incwrap, 1, 12]", "{$v: 1}", "BUDA-023", "{$v: 1}", "is a map"},
    {"varinst op unknown", "incwrap, 1, 12", "div, 1, 12",
     "BUDA-023", "div", "no varinst operation 'div'"},
    {"incwrap with one operand", "incwrap, 1, 12", "incwrap, 1",
     "BUDA-023", "incwrap", "1 operands, wanted 2"},
    {"set with two operands", "incwrap, 1, 12", "set, 1, 12",
     "BUDA-023", "set, 1", "2 operands, wanted 1"},
    {"set with none", "incwrap, 1, 12", "set", "BUDA-023", "set]", "0 operands, wanted 1"},
    {"inc with two operands", "incwrap, 1, 12", "inc, 1, 12", "BUDA-023", "inc, 1", "wanted 1"},
    {"add with one operand", "incwrap, 1, 12", "add, 1", "BUDA-023", "add, 1", "wanted 2"},
    {"mul with three operands", "incwrap, 1, 12", "mul, 1, 2, 3",
     "BUDA-023", "mul, 1", "3 operands, wanted 2"},
    {"varinst operand a list", "incwrap, 1, 12", "incwrap, 1, [12]",
     "BUDA-023", "[12]", "wanted a value"},
    {"execute a word", "{graph_name: ga,", "ga\n      - execute: {graph_name: ga,",
     "BUDA-024", "ga\n      - exec", "wanted a map"},
    {"execute another key", "graph_name: ga", "graph_name: ga, when: now",
     "BUDA-024", "when", "no key 'when'"},
    {"graph_name missing", "graph_name: ga, ", "", "BUDA-024", "execute", "graph_name is missing"},
    {"graph_name a list", "graph_name: ga", "graph_name: [ga]",
     "BUDA-024", "[ga]", "wanted a name"},
    {"graph_name twice", "graph_name: ga", "graph_name: gb, graph_name: ga",
     "BUDA-004b", "graph_name: ga", "again"},
    {"settings a list", "{qa: {prologue: false, rd_ptr_local: $v, rd_ptr_global: 0}}", "[a]",
     "BUDA-024", "[a]", "wanted a map"},
    {"setting key unknown", "prologue: false", "prelude: false",
     "BUDA-025", "prelude", "a queue setting has no key 'prelude'"},
    {"setting a word", "{prologue: false, rd_ptr_local: $v, rd_ptr_global: 0}", "all",
     "BUDA-025", "all}", "wanted a map"},
    {"setting value a list", "rd_ptr_local: $v", "rd_ptr_local: [$v]",
     "BUDA-025", "[$v], rd", "wanted a value or a variable"},
    {"setting key twice", "rd_ptr_local: $v", "rd_ptr_local: 1, rd_ptr_local: $v",
     "BUDA-004b", "rd_ptr_local: $v", "again"},
};

// Files that give no module.
static const struct {
    const char *name;
    const char *text;
    const char *rule;
    hoist_pos pos;
    const char *says;
} refused[] = {
    {"empty", "", "BUDA-001", {0, 0}, "the file is empty"},
    {"comment only", "# nothing\n", "BUDA-001", {0, 0}, "the file is empty"},
    {"a list", "- queues\n", "BUDA-001", {1, 1}, "the file is a list"},
    {"a word", "\n queues\n", "BUDA-001", {2, 2}, "the file is a scalar"},
    {"not YAML", "queues: {q0: [\n", "BUDA-001", {0, 0}, "not readable as YAML"},
    {"template", "devices:\n  arch: $TEMPLATE_arch\n", "BUDA-001", {2, 9}, "unfilled template"},
    {"template that is no YAML", "queues:\n\t[$TEMPLATE_queues\n",
     "BUDA-001", {2, 3}, "unfilled template"},
};
// clang-format on

HOIST_TEST_TABLE(sections, section_cases)
{
    const hoist_bytes text = buda_test_patched(t, base, row->find, row->put);
    const hoist_buda_module *const module = buda_test_read(t, text);
    const hoist_pos pos = place_of(t, text, row->at);
    buda_test_expect(t, row->rule, pos.line, pos.column, row->says);
    buda_test_destroy(module);
}

HOIST_TEST_TABLE(queues, queue_cases)
{
    expect_finding(t, row);
}

HOIST_TEST_TABLE(ops, op_cases)
{
    expect_finding(t, row);
}

HOIST_TEST_TABLE(tms, tm_cases)
{
    expect_finding(t, row);
}

HOIST_TEST_TABLE(attributes, attribute_cases)
{
    expect_finding(t, row);
}

HOIST_TEST_TABLE(fused_ops, fused_cases)
{
    expect_finding(t, row);
}

HOIST_TEST_TABLE(programs, program_cases)
{
    expect_finding(t, row);
}

HOIST_TEST_TABLE(refuses, refused)
{
    const hoist_bytes bytes = {(const uint8_t *)row->text, strlen(row->text)};
    const hoist_read_options options = {.alloc = hoist_allocator_system()};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, hoist_buda_format.read(bytes, &options, t->diag, &module), HOIST_INVALID);
    HOIST_EXPECT(t, module == NULL);
    buda_test_expect(t, row->rule, row->pos.line, row->pos.column, row->says);
}

static const hoist_buda_module *read_base(hoist_test *t)
{
    const hoist_buda_module *const m = buda_test_read(t, buda_test_patched(t, base, NULL, NULL));
    HOIST_EXPECT_RULE(t, NULL);
    return m;
}

HOIST_TEST(reads_queues)
{
    const hoist_buda_module *const m = read_base(t);
    HOIST_EXPECT_EQ(t, m->arch.count, 2);
    HOIST_EXPECT_EQ(t, m->arch.items[1].value, BUDA_BLACKHOLE);
    HOIST_EXPECT_EQ(t, m->queue_count, 2);
    const buda_queue *const qa = &m->queues[0];
    HOIST_EXPECT_STR(t, qa->name.text, "qa");
    HOIST_EXPECT_EQ(t, qa->name.pos.line, 4);
    HOIST_EXPECT_EQ(t, qa->name.pos.column, 3);
    HOIST_EXPECT_STR(t, qa->input.text, "HOST");
    HOIST_EXPECT_EQ(t, qa->entries.value, 4);
    HOIST_EXPECT_EQ(t, qa->mblock.c, 5);
    HOIST_EXPECT_EQ(t, qa->ublock_order.value, BUDA_ORDER_C);
    HOIST_EXPECT_EQ(t, qa->tile_dim.r, 16);
    HOIST_EXPECT_EQ(t, qa->df.value, BUDA_BFP8_B);
    HOIST_EXPECT_EQ(t, qa->layout.value, BUDA_LAYOUT_FLAT);
    HOIST_EXPECT(t, qa->target_device.scalar);
    HOIST_EXPECT_EQ(t, qa->dram.count, 2);
    HOIST_EXPECT_EQ(t, qa->dram.items[1].channel.value, 1);
    HOIST_EXPECT_EQ(t, qa->dram.items[1].address.value, 0x10001000);
    const buda_queue *const qb = &m->queues[1];
    HOIST_EXPECT_EQ(t, qb->type.value, BUDA_RAM);
    HOIST_EXPECT_EQ(t, qb->target_device.count, 2);
    HOIST_EXPECT(t, !qb->target_device.scalar);
    HOIST_EXPECT(t, !buda_has(qb->host.items[0].channel.pos));
    HOIST_EXPECT_EQ(t, qb->host.items[0].address.value, 0x2000);
    HOIST_EXPECT_STR(t, qb->alias.text, "qc");
    HOIST_EXPECT_EQ(t, qb->input_tms.items[0].factor.value, 9);
    HOIST_EXPECT_EQ(t, qb->write_ports.items[0].value, 2);
    // Absent values have their defaults and no place.
    HOIST_EXPECT_EQ(t, qb->tile_dim.c, 32);
    HOIST_EXPECT(t, !buda_has(qb->tile_dim.pos));
    HOIST_EXPECT_EQ(t, qb->ublock_order.value, BUDA_ORDER_R);
    buda_test_destroy(m);
}

HOIST_TEST(reads_ops)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_graph *const graph = &m->graphs[0];
    HOIST_EXPECT_EQ(t, m->graph_count, 1);
    HOIST_EXPECT_EQ(t, graph->input_count.value, 2);
    HOIST_EXPECT_EQ(t, graph->op_count, 2);
    const buda_op *const op = &graph->ops[0];
    HOIST_EXPECT_EQ(t, op->op, HOIST_OP_MATMUL);
    HOIST_EXPECT_EQ(t, op->grid_loc.c, 4);
    HOIST_EXPECT(t, op->grid_transpose.value && op->untilize_output.value);
    HOIST_EXPECT(t, buda_has(op->gradient_op.pos) && !op->gradient_op.value);
    HOIST_EXPECT_STR(t, op->inputs.items[1].text, "qx");
    HOIST_EXPECT_EQ(t, op->buf_size_mb.value, 4);
    HOIST_EXPECT_EQ(t, op->overlay_size.value, 64);
    HOIST_EXPECT_EQ(t, op->input_buf_min_size_tiles.items[1].value, 11);
    HOIST_EXPECT_EQ(t, op->input_dram_io_buf_size_tiles.items[0].value, 12);
    HOIST_EXPECT_EQ(t, op->forked_count, 1);
    HOIST_EXPECT_STR(t, op->forked_dram_inputs[0].queue.text, "qa");
    HOIST_EXPECT_STR(t, op->forked_dram_inputs[0].op.text, "opb");
    HOIST_EXPECT_EQ(t, op->in_df.items[1].value, BUDA_BFP2_B);
    HOIST_EXPECT_EQ(t, op->acc_df.value, BUDA_INT32);
    HOIST_EXPECT_EQ(t, op->math_fidelity.value, BUDA_HIFI2_A);
    HOIST_EXPECT_EQ(t, graph->ops[1].op, HOIST_OP_ETHERNET_DATACOPY);
    HOIST_EXPECT_EQ(t, graph->ops[1].attributes.count, 0);
    buda_test_destroy(m);
}

HOIST_TEST(reads_input_keys)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_input_keys *const first = m->graphs[0].ops[0].input_keys;
    HOIST_EXPECT_EQ(t, first->input, 0);
    HOIST_EXPECT_EQ(t, first->pad.ct.value, 2);
    HOIST_EXPECT(t, first->pad.pad_value.value == -1.0);
    HOIST_EXPECT_EQ(t, first->unpad.rt.value, 3);
    HOIST_EXPECT(t, !buda_has(first->tms.pos));
    const buda_tms *const tms = &first->next->tms;
    HOIST_EXPECT_EQ(t, first->next->input, 1);
    HOIST_EXPECT_EQ(t, tms->count, 4);
    HOIST_EXPECT_EQ(t, tms->items[0].kind, BUDA_TM_BROADCAST);
    HOIST_EXPECT_EQ(t, tms->items[0].axes[0].axis, 'r');
    HOIST_EXPECT_EQ(t, tms->items[0].axes[0].factor.value, 5);
    HOIST_EXPECT_EQ(t, tms->items[1].kind, BUDA_TM_TRANSPOSE);
    HOIST_EXPECT_EQ(t, tms->items[2].pad.c, 1);
    HOIST_EXPECT(t, tms->items[2].pad_value.value == 2.5);
    HOIST_EXPECT_STR(t, tms->items[3].tile_axis.text, "rc");
    buda_test_destroy(m);
}

static const buda_attribute *attribute(const buda_op *op, hoist_attr attr)
{
    for (size_t i = 0; i < op->attributes.count; i++) {
        if (op->attributes.items[i].attr == attr) {
            return &op->attributes.items[i];
        }
    }
    return NULL;
}

HOIST_TEST(reads_attributes)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_op *const op = &m->graphs[0].ops[0];
    HOIST_EXPECT_EQ(t, op->attributes.count, 9);
    HOIST_EXPECT_EQ(t, attribute(op, HOIST_ATTR_M_K)->integer, 8); // 010 is octal
    HOIST_EXPECT(t, attribute(op, HOIST_ATTR_BIAS)->boolean);
    HOIST_EXPECT(t, attribute(op, HOIST_ATTR_RELU_THRESHOLD)->number == 1.5);
    HOIST_EXPECT_STR(t, attribute(op, HOIST_ATTR_RELU_MODE)->text, "max");
    HOIST_EXPECT(t, attribute(op, HOIST_ATTR_RELU_MODE)->word >= 0);
    HOIST_EXPECT_EQ(t, attribute(op, HOIST_ATTR_INGRESS_CHANNELS)->ints.items[1].value, 2);
    HOIST_EXPECT_STR(t, attribute(op, HOIST_ATTR_FUSED_OP_ID)->text, "0");
    const buda_attribute *const period = attribute(op, HOIST_ATTR_KERNEL_BROADCAST);
    HOIST_EXPECT_STR(t, period->inputs.items[0].text, "input_1");
    HOIST_EXPECT_EQ(t, period->values.items[0].value, 5);
    buda_test_destroy(m);
}

HOIST_TEST(reads_fused_ops)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_fused *const fused = &m->fused[0];
    HOIST_EXPECT_EQ(t, m->fused_count, 1);
    HOIST_EXPECT_STR(t, fused->name.text, "0");
    HOIST_EXPECT_EQ(t, fused->inputs.value, 2);
    HOIST_EXPECT_EQ(t, fused->intermediates.value, 1);
    HOIST_EXPECT_STR(t, fused->custom_kernel_path.text, "a/b");
    HOIST_EXPECT_EQ(t, fused->schedule_count, 1);
    HOIST_EXPECT_EQ(t, fused->schedules[0].count, 2);
    const buda_sub_op *const sa = &fused->schedules[0].ops[0];
    HOIST_EXPECT_EQ(t, sa->op, HOIST_OP_MULTIPLY);
    HOIST_EXPECT_STR(t, sa->inputs.items[1].text, "input1");
    HOIST_EXPECT_STR(t, sa->output.text, "intermed0");
    HOIST_EXPECT(t, sa->zero_point.value == 0.5);
    const buda_sub_op *const sb = &fused->schedules[0].ops[1];
    HOIST_EXPECT_STR(t, sb->pop.items[0].text, "intermed0");
    HOIST_EXPECT(t, buda_has(sb->pop_last.pos) && sb->pop_last.count == 0);
    buda_test_destroy(m);
}

HOIST_TEST(reads_programs)
{
    const hoist_buda_module *const m = read_base(t);
    const buda_program *const program = &m->programs[0];
    HOIST_EXPECT_STR(t, program->name.text, "pa");
    HOIST_EXPECT_EQ(t, program->count, 9);
    const buda_instr *const in = program->instrs;
    HOIST_EXPECT_EQ(t, in[0].kind, BUDA_I_PARAM);
    HOIST_EXPECT_STR(t, in[1].decls[1].value.text, "6");
    HOIST_EXPECT(t, in[1].decls_as_map && !in[2].decls_as_map);
    HOIST_EXPECT(t, !buda_has(in[2].decls[0].value.pos));
    HOIST_EXPECT_STR(t, in[3].count.text, "$p_x");
    HOIST_EXPECT_STR(t, in[4].queues.items[0].text, "qb");
    HOIST_EXPECT_STR(t, in[5].graph.text, "ga");
    HOIST_EXPECT_EQ(t, in[5].setting_count, 1);
    HOIST_EXPECT_STR(t, in[5].settings[0].fields[BUDA_S_RD_PTR_LOCAL].text, "$v");
    HOIST_EXPECT(t, !buda_has(in[5].settings[0].fields[BUDA_S_ZERO].pos));
    HOIST_EXPECT_EQ(t, in[6].var_op, BUDA_V_INCWRAP);
    HOIST_EXPECT_STR(t, in[6].destination.text, "$v");
    HOIST_EXPECT_STR(t, in[6].operands[1].text, "12");
    HOIST_EXPECT_EQ(t, in[8].kind, BUDA_I_ENDLOOP);
    HOIST_EXPECT(t, m->test_config && m->performance_check);
    HOIST_EXPECT_STR(t, m->extra->node->key->text, "pipegen");
    buda_test_destroy(m);
}

// Lists and maps collect over duplicate keys, scalars are overwritten, names are kept both.
HOIST_TEST(reads_duplicates)
{
    const hoist_buda_module *m =
        buda_test_read(t, buda_test_patched(t, base, "input_1_tms: [",
                                            "input_1_tms: [vslice: 3], bad: 1, input_1_tms: ["));
    HOIST_EXPECT_EQ(t, m->graphs[0].ops[0].input_keys->next->tms.count, 5);
    HOIST_EXPECT_STR(t, m->graphs[0].ops[0].extra->node->key->text, "bad");
    buda_test_destroy(m);
    m = buda_test_read(t, buda_test_patched(t, base, "bias: true",
                                            "bias: true, kernel_broadcast: {input_0: 3}, bias: n"));
    const buda_op *const op = &m->graphs[0].ops[0];
    HOIST_EXPECT(t, !attribute(op, HOIST_ATTR_BIAS)->boolean);
    HOIST_EXPECT_EQ(t, attribute(op, HOIST_ATTR_KERNEL_BROADCAST)->values.count, 2);
    HOIST_EXPECT_EQ(t, op->attributes.count, 9);
    buda_test_destroy(m);
    m = buda_test_read(t, buda_test_patched(t, base, "  qb:", "  qa:"));
    HOIST_EXPECT_EQ(t, m->queue_count, 2);
    buda_test_destroy(m);
}

// `input_1_tms: None`: a scalar where a list belongs has no items (section 1.1).
HOIST_TEST(reads_scalars_as_empty_lists)
{
    const hoist_buda_module *const m =
        buda_test_read(t, buda_test_patched(t, base, "[0, 11]", "None"));
    HOIST_EXPECT_RULE(t, NULL);
    HOIST_EXPECT(t, buda_has(m->graphs[0].ops[0].input_buf_min_size_tiles.pos));
    HOIST_EXPECT_EQ(t, m->graphs[0].ops[0].input_buf_min_size_tiles.count, 0);
    buda_test_destroy(m);
}

// A grid_loc of an ethernet op may have any length.
HOIST_TEST(reads_ethernet_grid_loc)
{
    const hoist_buda_module *const m = buda_test_read(
        t, buda_test_patched(t, base, "datacopy, grid_size", "datacopy, grid_loc: [], grid_size"));
    HOIST_EXPECT_RULE(t, NULL);
    buda_test_destroy(m);
}

HOIST_TEST(reports_object_paths)
{
    const hoist_buda_module *const m =
        buda_test_read(t, buda_test_patched(t, base, "incwrap, 1, 12", "incwrap, 1"));
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "programs/pa/6");
    buda_test_destroy(m);
}

// Reading with the n-th request refused: no module, no leak, no crash.
HOIST_TEST(survives_failed_allocations)
{
    const hoist_bytes bytes = {(const uint8_t *)base, sizeof(base) - 1};
    hoist_failing failing = {.parent = hoist_allocator_system()};
    hoist_status status = HOIST_NO_MEMORY;
    for (size_t n = 1; status == HOIST_NO_MEMORY && n < 1000; n++) {
        const hoist_read_options options = {.alloc = hoist_failing_allocator(&failing, n)};
        hoist_module *module = NULL;
        status = hoist_buda_format.read(bytes, &options, NULL, &module);
        HOIST_EXPECT_EQ(t, status == HOIST_OK, module != NULL);
        hoist_buda_format.destroy(module);
        HOIST_EXPECT_EQ(t, failing.live, 0);
    }
    HOIST_EXPECT_EQ(t, status, HOIST_OK);
}

// clang-format off
static const struct {
    const char *name;
    const char *head;
    const char *file;
    int bid;
} bids[] = {
    {"netlist", base, "x", 90},
    {"one section", "graphs :\n", "x", 60},
    {"indented", "  graphs:\n", "x", 0},
    {"other YAML", "a: b\n", "a.yaml", 10},
    {"empty YAML", "", "a.yml", 10},
    {"longer word", "queuesx:\n", "a", 0},
};
// clang-format on

HOIST_TEST_TABLE(sniffs, bids)
{
    const hoist_bytes head = {(const uint8_t *)row->head, strlen(row->head)};
    HOIST_EXPECT_EQ(t, hoist_buda_format.sniff(head, hoist_str_from(row->file)), row->bid);
}

HOIST_TEST(sniffs_no_binary)
{
    static const uint8_t head[] = "queues:\n\0graphs:\n";
    const hoist_str name = HOIST_STR("a.yaml");
    HOIST_EXPECT_EQ(t, hoist_buda_format.sniff((hoist_bytes){head, sizeof(head)}, name), 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(sections), HOIST_TEST_ROW(queues), HOIST_TEST_ROW(ops),
                HOIST_TEST_ROW(tms), HOIST_TEST_ROW(attributes), HOIST_TEST_ROW(fused_ops),
                HOIST_TEST_ROW(programs), HOIST_TEST_ROW(refuses), HOIST_TEST_ROW(reads_queues),
                HOIST_TEST_ROW(reads_ops), HOIST_TEST_ROW(reads_input_keys),
                HOIST_TEST_ROW(reads_attributes), HOIST_TEST_ROW(reads_fused_ops),
                HOIST_TEST_ROW(reads_programs), HOIST_TEST_ROW(reads_duplicates),
                HOIST_TEST_ROW(reads_scalars_as_empty_lists),
                HOIST_TEST_ROW(reads_ethernet_grid_loc), HOIST_TEST_ROW(reports_object_paths),
                HOIST_TEST_ROW(survives_failed_allocations), HOIST_TEST_ROW(sniffs),
                HOIST_TEST_ROW(sniffs_no_binary))
