// The numerics declared and device: which steps an op becomes, with which formats, and what is
// refused (docs/formats/buda-device.md).
#include "lower/buda/job_testing.h"
#include "lower/program_text_testing.h"

typedef struct numerics_row {
    const char *name;
    const char *type, *inputs;
    const char *arch;                                  // NULL: wormhole_b0
    const char *in_df, *acc_df, *intermed_df, *out_df; // NULL: Float16_b
    const char *queue_df;                              // of the output; NULL: out_df
    const char *attributes;
    const char *tile;     // of all; NULL: 32x32
    const char *fidelity; // NULL: HiFi3
    const char *sub_ops;  // of fused op 0; NULL: none
    const char *keys;     // more of the op's; NULL: none
    int slices, columns;  // tiles of inputs besides the first one of each
    int rows;             // of the first input, and of the output
    const char *lines;    // of op x; NULL: refused, with what `says`
    const char *says;
    hoist_numerics numerics;
} numerics_row;

static const char *or_brain(const char *format)
{
    return format ? format : "Float16_b";
}

static hoist_str queue_of(hoist_test *t, const char *name, const char *input, const char *df,
                          const char *tile, int rows)
{
    return hoist_arena_format(
        &t->arena,
        "  %s: {type: queue, input: %s, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], "
        "ublock: [%d, 1], df: %s, target_device: 0, loc: dram, dram: [[0, 0x1%d000000]], tile_dim: "
        "%s}\n",
        name, input, rows, df, name[0] - 'a', tile);
}

// The factors of a matmul.
static hoist_str input_of(hoist_test *t, const char *name, const numerics_row *row, bool is_first)
{
    const int inner = 1 + row->columns;
    return hoist_arena_format(
        &t->arena,
        "  %s: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: %d, mblock: [1, 1], "
        "ublock: [%d, %d], df: %s, target_device: 0, loc: dram, dram: [[0, 0x1%d000000]], "
        "tile_dim: %s}\n",
        name, 1 + row->slices, is_first ? 1 + row->rows : inner, is_first ? inner : 1,
        or_brain(row->in_df), name[0] - 'a', row->tile ? row->tile : "[32, 32]");
}

static hoist_str netlist_of(hoist_test *t, const numerics_row *row)
{
    const char *in = or_brain(row->in_df);
    const char *out = or_brain(row->out_df);
    const char *tile = row->tile ? row->tile : "[32, 32]";
    hoist_str formats = hoist_arena_format(&t->arena, "%s", in);
    for (const char *c = row->inputs; *c; c++) {
        if (*c == ',') {
            formats = hoist_arena_format(&t->arena, "%s, %s", formats.data,
                                         c[2] == 'e' ? "RawUInt32" : in);
        }
    }
    const hoist_str head = hoist_arena_format(
        &t->arena,
        "queues:\n%s%s%s%s%s%s%sgraphs:\n" REF_GRAPH(
            "g", "1") "    x: {type: %s, grid_loc: [0, 0], grid_size: [1, 1], inputs: [%s], in_df: "
                      "[%s], acc_df: %s, out_df: %s, intermed_df: %s, ublock_order: r, "
                      "buf_size_mb: 2, math_fidelity: %s, t: 1, mblock: [1, 1], ublock: [1, 1]"
                      ", tile_dim: %s, %sattributes: {%s}}\n",
        input_of(t, "a", row, true).data, input_of(t, "b", row, false).data,
        queue_of(t, "c", "HOST", in, tile, 1).data,
        strstr(row->inputs, "e") ? queue_of(t, "e", "HOST", "RawUInt32", "[32, 32]", 1).data : "",
        queue_of(t, "o", "x", row->queue_df ? row->queue_df : out, tile, 1 + row->rows).data,
        row->sub_ops
            ? "fused_ops:\n  0:\n    inputs: 2\n    intermediates: 1\n    schedules:\n      -\n"
            : "",
        row->sub_ops ? row->sub_ops : "", row->type, row->inputs, formats.data,
        or_brain(row->acc_df), out, or_brain(row->intermed_df),
        row->fidelity ? row->fidelity : "HiFi3", tile, row->keys ? row->keys : "",
        row->attributes ? row->attributes : "");
    return lower_test_netlist(t, row->arch ? row->arch : "wormhole_b0", head.data,
                              REF_P REF_EXECUTE("g", REF_SET("a", "0", "0")));
}

#define DECLARED .numerics = HOIST_NUMERICS_DECLARED
#define DEVICE .numerics = HOIST_NUMERICS_DEVICE
#define READ(queue, type) "read(" queue ") " type " tiled()"
#define OWN(number) "[x/" number " f32 tiled()]"
#define MOVE(from, type) "x: move copy from " OWN(from) " to write(o) " type " tiled()\n"
#define STEP(row, from, to) "x: compute " row " from " from " to " OWN(to) "\n"
#define PACK(attrs, from, to) STEP("device.pack(" attrs ")", OWN(from), to)
#define BINARY(row, type) STEP(row, "[" READ("a", type) ", " READ("b", type) "]", "0")

#define FACTORS "[read(a) bf16 tiled(ublock 1x2), read(b) bf16 tiled(ublock 2x1)]"

#define SPARSE                                                                                     \
    "m_k: 1, u_kt: 1, identity: true, num_index_tiles: 1, num_sparse_tiles: 1, "                   \
    "sparse_tile_ptr_bits: 8, sparse_ublock_idx_bits: 8"
#define ENCODING                                                                                   \
    "grid_rows 1, grid_cols 1, t 1, mblock_m 1, mblock_n 1, ublock_rt 1, ublock_ct 1, u_kt 1, "    \
    "sparse_tiles 1, ptr_bits 8, idx_bits 8, fracture 1"
#define SPARSE_INPUTS "[" READ("a", "bf16") ", " READ("b", "bf16") ", " READ("e", "tt-raw32") "]"

// clang-format off
#define FUSED DEVICE, .type = "fused_op", .inputs = "a, b", .attributes = "fused_op_id: 0"
#define SUB(name, type, inputs, output, more) \
    "        - " name ": {type: " type ", inputs: [" inputs "], mblock: [1, 1], ublock: [1, 1], output: " output more "}\n"
static const numerics_row rows[] = {
    {"declared sums and results", DECLARED, .type = "add", .inputs = "a, b", .out_df = "Bfp8_b", .lines =
     BINARY("golden.add", "bf16")
     STEP("declared.round(dtype bf16)", OWN("0"), "1")
     STEP("declared.round(dtype tt-bfp8b)", OWN("1"), "2")
     MOVE("2", "tt-bfp8b")},
    {"declared float32", DECLARED, .type = "add", .inputs = "a, b", .in_df = "Float32", .acc_df = "Float32",
     .intermed_df = "Float32", .out_df = "Float32", .lines =
     BINARY("golden.add", "f32") MOVE("0", "f32")},
    {"declared matmul", DECLARED, .type = "matmul", .inputs = "a, b", .acc_df = "Float32",
     .attributes = "m_k: 1, u_kt: 1", .lines =
     BINARY("declared.matmul(block 1, acc f32, spill bf16)", "bf16")
     STEP("declared.round(dtype bf16)", OWN("0"), "1")
     MOVE("1", "bf16")},
    {"a declared seed", DECLARED, .type = "dropout", .inputs = "a", .acc_df = "Float32", .in_df = "Float32",
     .out_df = "Float32", .attributes = "p: 0.5, seed: 7", .lines =
     STEP("declared.dropout(vector 0, p 0.5, seed 7)", "[" READ("a", "f32") "]", "0") MOVE("0", "f32")},
    {"an addition on the device", DEVICE, .type = "add", .inputs = "a, b", .lines =
     BINARY("device.add(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, row 0)", "bf16")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1") MOVE("1", "bf16")},
#define FIDELITY(name, phases, step) \
    {"fidelity " name, DEVICE, .type = "multiply", .inputs = "a, b", .fidelity = name, .lines = \
     BINARY("device.multiply(arch 0, dest 1, a 1, b 1, phases " phases ", phase_step " step ", row 0)", "bf16") \
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1") MOVE("1", "bf16")}
    FIDELITY("LoFi", "1", "1"), FIDELITY("HiFi2", "2", "1"), FIDELITY("HiFi2_A", "2", "1"),
    FIDELITY("HiFi2_B", "2", "2"), FIDELITY("HiFi4", "4", "1"),
    {"a product with relu, into float32 sums", .arch = "blackhole", DEVICE, .type = "multiply", .inputs = "a, b",
     .acc_df = "Float32", .out_df = "Bfp8_b", .attributes = "relu_en: true, relu_threshold: 1.5, relu_mode: max", .lines =
     BINARY("device.multiply(arch 1, dest 2, a 1, b 1, phases 3, phase_step 1, row 0)", "bf16")
     PACK("arch 1, dest 2, dtype tt-bfp8b, relu 3, threshold 16320", "0", "1") MOVE("1", "tt-bfp8b")},
    {"float16 has its own register", DEVICE, .type = "subtract", .inputs = "a, b", .in_df = "Float16",
     .acc_df = "Float16", .intermed_df = "Float16", .out_df = "Float16", .lines =
     BINARY("device.subtract(arch 0, dest 0, a 0, b 0, phases 3, phase_step 1, row 0)", "tt-f16")
     PACK("arch 0, dest 0, dtype tt-f16, relu 0, threshold 0", "0", "1") MOVE("1", "tt-f16")},
    {"float32 is tf32 in float32 sums", DEVICE, .type = "nop", .inputs = "a", .in_df = "Float32", .acc_df = "Float32",
     .intermed_df = "Float32", .out_df = "Float32", .lines =
     STEP("device.copy(arch 0, dest 2, a 2)", "[" READ("a", "f32") "]", "0")
     PACK("arch 0, dest 2, dtype f32, relu 0, threshold 0", "0", "1") MOVE("1", "f32")},
    {"float32 is float16_b in others", DEVICE, .type = "nop", .inputs = "a", .in_df = "Float32", .lines =
     STEP("device.copy(arch 0, dest 1, a 1)", "[" READ("a", "f32") "]", "0")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1") MOVE("1", "bf16")},
    {"a matmul with bias goes over memory", DEVICE, .type = "matmul", .inputs = "a, b, c",
     .attributes = "m_k: 1, u_kt: 1, bias: true", .lines =
     BINARY("device.matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill f32, spill_source 1, sums 0, block 1073741824)", "bf16")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1")
     STEP("device.add(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, row 1)", "[x/1 f32 tiled(), " READ("c", "bf16") "]", "2")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "2", "3") MOVE("3", "bf16")},

#define FUNCTION(name, row, more) \
    {name " in the vector unit", DEVICE, .type = name, .inputs = "a", .attributes = more, .lines = \
     STEP("device.copy(arch 0, dest 1, a 1)", "[" READ("a", "bf16") "]", "0") \
     STEP("device." name "(arch 0, dest 1, " row ")", OWN("0"), "1") \
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "1", "2") MOVE("2", "bf16")}
    FUNCTION("exp", "vector 1, approximate 0, parameter 0", "vector: r"),
    FUNCTION("gelu", "vector 2, approximate 1, parameter 0", "vector: c, approximate_mode: true"),
    FUNCTION("gelu_derivative", "vector 0, approximate 1, parameter 0", "vector: rc, approximate_mode: true"),
    FUNCTION("log", "vector 0, approximate 0, parameter 0", ""),
    FUNCTION("lrelu", "vector 0, approximate 0, parameter 15820", "slope: 0.1"),
    FUNCTION("power", "vector 0, approximate 0, parameter 3", "exp: 3"),
    FUNCTION("reciprocal", "vector 0, approximate 1, parameter 0", "approximate_mode: true"),
    FUNCTION("sigmoid", "vector 0, approximate 0, parameter 0", ""),
    FUNCTION("sqrt", "vector 0, approximate 0, parameter 0", "approximate_mode: false"),
    FUNCTION("square", "vector 0, approximate 0, parameter 0", ""),
    FUNCTION("abs", "vector 0, approximate 0, parameter 0", ""),
    FUNCTION("tanh", "vector 0, approximate 0, parameter 0", ""),
    {"a maximum of two registers", DEVICE, .type = "maximum", .inputs = "a, b", .lines =
     STEP("device.copy(arch 0, dest 1, a 1)", "[" READ("a", "bf16") "]", "0")
     STEP("device.copy(arch 0, dest 1, a 1)", "[" READ("b", "bf16") "]", "1")
     STEP("device.maximum(arch 0, dest 1)", "[x/0 f32 tiled(), x/1 f32 tiled()]", "2")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "2", "3") MOVE("3", "bf16")},
    {"gelu after a matmul", DEVICE, .type = "matmul", .inputs = "a, b", .attributes = "m_k: 1, u_kt: 1, sfpu_op: gelu", .lines =
     BINARY("device.matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill f32, spill_source 1, sums 0, block 1073741824)", "bf16")
     STEP("device.gelu(arch 0, dest 1, vector 0, approximate 0, parameter 0)", OWN("0"), "1")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "1", "2") MOVE("2", "bf16")},
    {"sums of blocks in memory", DEVICE, .type = "matmul", .inputs = "a, b", .columns = 1, .out_df = "Bfp8_b",
     .attributes = "m_k: 2, u_kt: 1, l1_acc: true", .lines =
     STEP("device.matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill bf16, spill_source 1, sums 1, block 1)", FACTORS, "0")
     PACK("arch 0, dest 1, dtype tt-bfp8b, relu 0, threshold 0", "0", "1") MOVE("1", "tt-bfp8b")},
    {"sums of blocks in memory that relu reads", DEVICE, .type = "matmul", .inputs = "a, b", .columns = 1,
     .attributes = "m_k: 2, u_kt: 1, l1_acc: true, relu_en: true, relu_threshold: 0.0, relu_mode: min", .lines =
     STEP("device.matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill bf16, spill_source 1, sums 1, block 1)", FACTORS, "0")
     PACK("arch 0, dest 1, dtype bf16, relu 2, threshold 0", "0", "1") MOVE("1", "bf16")},
    {"sums in memory that are the result", DEVICE, .type = "matmul", .inputs = "a, b", .columns = 1,
     .attributes = "m_k: 2, u_kt: 1, l1_acc: true", .lines =
     STEP("device.matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill bf16, spill_source 1, sums 2, block 1)", FACTORS, "0")
     MOVE("0", "bf16")},
    {"sums in memory and a bias", DEVICE, .arch = "blackhole", .type = "matmul", .inputs = "a, b, c", .columns = 1,
     .acc_df = "Float32", .intermed_df = "Float32", .out_df = "Bfp8_b",
     .attributes = "m_k: 2, u_kt: 1, l1_acc: true, bias: true, kernel_broadcast: {input_2: 1}", .lines =
     STEP("device.matmul(arch 1, dest 2, a 1, b 1, phases 3, phase_step 1, spill f32, spill_source 2, sums 2, block 1)", FACTORS, "0")
     STEP("device.add(arch 1, dest 2, a 2, b 1, phases 3, phase_step 1, row 1)", "[x/0 f32 tiled(), " READ("c", "bf16") "]", "1")
     PACK("arch 1, dest 2, dtype tt-bfp8b, relu 0, threshold 0", "1", "2") MOVE("2", "tt-bfp8b")},
    {"one block needs no memory", DEVICE, .type = "matmul", .inputs = "a, b", .attributes = "m_k: 1, u_kt: 1, l1_acc: true", .lines =
     BINARY("device.matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill f32, spill_source 1, sums 0, block 1073741824)", "bf16")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1") MOVE("1", "bf16")},
    {"a sparse product", DEVICE, .type = "matmul", .inputs = "a, b, e", .out_df = "Bfp8_b",
     .attributes = SPARSE, .lines =
     STEP("device.sparse_matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill bf16, spill_source 1, sums 0, " ENCODING ")", SPARSE_INPUTS, "0")
     PACK("arch 0, dest 1, dtype tt-bfp8b, relu 0, threshold 0", "0", "1") MOVE("1", "tt-bfp8b")},
    {"a sparse product in memory", DEVICE, .type = "matmul", .inputs = "a, b, e",
     .attributes = SPARSE, .lines =
     STEP("device.sparse_matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill bf16, spill_source 1, sums 3, " ENCODING ")", SPARSE_INPUTS, "0")
     MOVE("0", "bf16")},
    {"a sparse product that is added in memory", DEVICE, .type = "matmul", .inputs = "a, b, e",
     .attributes = SPARSE ", l1_acc: true", .lines =
     STEP("device.sparse_matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill bf16, spill_source 1, sums 2, " ENCODING ")", SPARSE_INPUTS, "0")
     MOVE("0", "bf16")},
    {"a sparse product with relu", DEVICE, .type = "matmul", .inputs = "a, b, e",
     .attributes = SPARSE ", l1_acc: true, relu_en: true, relu_threshold: 0.0, relu_mode: min", .lines =
     STEP("device.sparse_matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill bf16, spill_source 1, sums 1, " ENCODING ")", SPARSE_INPUTS, "0")
     PACK("arch 0, dest 1, dtype bf16, relu 2, threshold 0", "0", "1") MOVE("1", "bf16")},
    {"a sparse product and a bias", DEVICE, .type = "matmul", .inputs = "a, b, e, c",
     .attributes = SPARSE ", bias: true, kernel_broadcast: {input_3: 1}", .lines =
     STEP("device.sparse_matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill bf16, spill_source 1, sums 3, " ENCODING ")", SPARSE_INPUTS, "0")
     STEP("device.add(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, row 1)", "[x/0 f32 tiled(), " READ("c", "bf16") "]", "1")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "1", "2") MOVE("2", "bf16")},
    {"sums over slices", DEVICE, .type = "matmul", .inputs = "a, b", .columns = 1, .slices = 1, .rows = 1,
     .attributes = "m_k: 1, u_kt: 2, accumulate: true, z: 2", .lines =
     "x: move copy from [read(a) bf16 tiled(t 2 ublock 2x2)] to x/0 f32 tiled(ublock 2x4) table [0, 1, 4, 5, 2, 3, 6, 7]\n"
     "x: move copy from [read(b) bf16 tiled(t 2 ublock 2x1)] to x/1 f32 tiled(ublock 4x1) table [0..3]\n"
     "x: compute device.matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill bf16, spill_source 1, sums 0, block 2) "
     "from [x/0 f32 tiled(ublock 2x4), x/1 f32 tiled(ublock 4x1)] to [x/2 f32 tiled(ublock 2x1)]\n"
     "x: compute device.pack(arch 0, dest 1, dtype bf16, relu 0, threshold 0) from [x/2 f32 tiled(ublock 2x1)] to [x/3 f32 tiled(ublock 2x1)]\n"
     "x: move copy from [x/3 f32 tiled(ublock 2x1)] to write(o) bf16 tiled(ublock 2x1)\n"},
    {"small tiles of what goes element by element", DEVICE, .type = "subtract", .inputs = "a, b", .tile = "[16, 32]", .lines =
     "x: compute device.subtract(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, row 0) from "
     "[read(a) bf16 tiled(tile 16x32), read(b) bf16 tiled(tile 16x32)] to [x/0 f32 tiled()]\n"
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1")
     STEP("golden.mask(height 16, width 32)", OWN("1"), "2")
     "x: move copy from [x/2 f32 tiled()] to write(o) bf16 tiled(tile 16x32)\n"},
    {"tiles of inputs", DEVICE, .type = "splice", .inputs = "a", .in_df = "Bfp8_b", .attributes = "input0: [0, 1, 1]", .lines =
     "x: move copy from [read(a) tt-bfp8b tiled()] to x/0 f32 tiled() table [0]\n"
     STEP("device.copy(arch 0, dest 1, a 1)", OWN("0"), "1")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "1", "2") MOVE("2", "bf16")},
    {"the greatest of rows", DEVICE, .type = "reduce", .inputs = "a", .attributes = "type: max, dim: r", .lines =
     STEP("device.copy(arch 0, dest 1, a 1)", "[" READ("a", "bf16") "]", "0")
     STEP("golden.reduce(dim 0, group 0)", OWN("0"), "1")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "1", "2") MOVE("2", "bf16")},
    {"the greatest of one slice", DEVICE, .type = "reduce", .inputs = "a", .attributes = "type: max, dim: z, z: 1", .lines =
     STEP("device.copy(arch 0, dest 1, a 1)", "[" READ("a", "bf16") "]", "0")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1") MOVE("1", "bf16")},
    {"sub-ops over memory", FUSED, .sub_ops = SUB("s", "add", "input0, input1", "intermed0", "") SUB("u", "exp", "intermed0", "output", ", attributes: {relu_en: true, relu_threshold: 0.0, relu_mode: min}"), .lines =
     STEP("device.add(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, row 0)", "[" READ("a", "bf16") ", " READ("b", "bf16") "]", "0")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1")
     STEP("device.copy(arch 0, dest 1, a 1)", OWN("1"), "2")
     STEP("device.exp(arch 0, dest 1, vector 0, approximate 0, parameter 0)", OWN("2"), "3")
     PACK("arch 0, dest 1, dtype bf16, relu 2, threshold 0", "3", "4") MOVE("4", "bf16")},
    {"sub-ops in the register", FUSED, .sub_ops = SUB("s", "subtract", "input1, input0", "dest", "") SUB("u", "datacopy", "dest", "dest", "") SUB("v", "exp", "dest", "output", ", attributes: {vector: r}"), .lines =
     STEP("device.subtract(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, row 0)", "[" READ("b", "bf16") ", " READ("a", "bf16") "]", "0")
     STEP("device.exp(arch 0, dest 1, vector 1, approximate 0, parameter 0)", OWN("0"), "1")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "1", "2") MOVE("2", "bf16")},
    {"the register and a tile", FUSED, .sub_ops = SUB("s", "add", "input0, input1", "dest", "") SUB("u", "subtract", "input1, dest", "output", ""), .lines =
     STEP("device.add(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, row 0)", "[" READ("a", "bf16") ", " READ("b", "bf16") "]", "0")
     STEP("device.subtract(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, row 0)", "[" READ("b", "bf16") ", x/0 f32 tiled()]", "1")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "1", "2") MOVE("2", "bf16")},
    {"a column of each tile", FUSED, .sub_ops = SUB("s", "multiply", "input0, input1", "output", ", input_1_tms: [tile_broadcast: c]"), .lines =
     STEP("golden.broadcast_tile(axis 1)", "[" READ("b", "bf16") "]", "0")
     STEP("device.multiply(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, row 0)", "[" READ("a", "bf16") ", x/0 f32 tiled()]", "1")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "1", "2") MOVE("2", "bf16")},
    {"a matmul of sub-ops", FUSED, .sub_ops = SUB("s", "matmul", "input0, input1", "output", ", attributes: {m_k: 1, u_kt: 1}"), .lines =
     STEP("device.matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill f32, spill_source 1, sums 0, block 1073741824)", "[" READ("a", "bf16") ", " READ("b", "bf16") "]", "0")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1") MOVE("1", "bf16")},
    {"block floats with 5 bits of exponent", DEVICE, .type = "nop", .inputs = "a", .in_df = "Bfp4", .acc_df = "Float16",
     .intermed_df = "Bfp8", .out_df = "Float16", .lines =
     STEP("device.copy(arch 0, dest 0, a 0)", "[" READ("a", "tt-bfp4a") "]", "0")
     PACK("arch 0, dest 0, dtype tt-f16, relu 0, threshold 0", "0", "1") MOVE("1", "tt-f16")},
    {"two bits of mantissa in a matmul", DEVICE, .type = "matmul", .inputs = "a, b", .in_df = "Bfp2_b", .attributes = "m_k: 1, u_kt: 1", .lines =
     BINARY("device.matmul(arch 0, dest 1, a 1, b 1, phases 3, phase_step 1, spill f32, spill_source 1, sums 0, block 1073741824)", "tt-bfp2b")
     PACK("arch 0, dest 1, dtype bf16, relu 0, threshold 0", "0", "1") MOVE("1", "bf16")},
    {"what goes to another chip", DEVICE, .type = "ethernet_datacopy", .inputs = "a", .in_df = "Bfp8", .acc_df = "Bfp8",
     .intermed_df = "Bfp8", .out_df = "Bfp8", .attributes = "dest_device: 0", .lines =
     "x: move copy from [read(a) tt-bfp8a tiled()] to write(o) tt-bfp8a tiled()\n"},

    {"grayskull", .arch = "grayskull", DEVICE, .type = "nop", .inputs = "a", .says = "the device is a grayskull, whose arithmetic is not public"},
    {"an approximate exp", DEVICE, .type = "exp", .inputs = "a", .attributes = "approximate_mode: true",
     .says = "op 'x' (exp) needs the approximate kernel of this function, which"},
    {"a sigmoid on Blackhole", .arch = "blackhole", DEVICE, .type = "sigmoid", .inputs = "a", .says = "op 'x' (sigmoid) needs the kernel of this function on this core, which"},
    {"an exact derivative", DEVICE, .type = "gelu_derivative", .inputs = "a", .says = "op 'x' (gelu_derivative) needs the kernel of this function on this core, which"},
    {"a sine", DEVICE, .type = "sine", .inputs = "a", .says = "op 'x' (sine) needs stochastic rounding in the kernel of this function, which"},
    {"a dropout", DEVICE, .type = "dropout", .inputs = "a", .attributes = "p: 0.5", .says = "op 'x' (dropout) needs random numbers of a core"},
    {"a negative exponent", DEVICE, .type = "power", .inputs = "a", .attributes = "exp: -1", .says = "op 'x' (power) needs an exponent outside 0 to 65535"},
    {"a matmul of small tiles", DEVICE, .type = "matmul", .inputs = "a, b", .attributes = "m_k: 1, u_kt: 1", .tile = "[16, 32]", .says = "needs tiles that are not 32x32"},
    {"rows of small tiles", DEVICE, .type = "exp", .inputs = "a", .attributes = "vector: r", .tile = "[16, 32]", .says = "needs tiles that are not 32x32"},
    {"another format on the way", DEVICE, .type = "ethernet_datacopy", .inputs = "a", .out_df = "Bfp8_b", .attributes = "dest_device: 0",
     .says = "needs another format on the way to another chip"},
    {"rows and columns at once", DEVICE, .type = "reduce", .inputs = "a", .attributes = "type: max, dim: rc", .says = "op 'x' (reduce) needs a reduction of rows and columns at once"},
    {"a reduction of Float16", DEVICE, .type = "reduce", .inputs = "a", .in_df = "Float16", .acc_df = "Float16", .intermed_df = "Float16", .out_df = "Float16",
     .attributes = "type: max, dim: c", .says = "op 'x' (reduce) needs a reduction of Float16"},
    {"slices that there are not", DEVICE, .type = "reduce", .inputs = "a", .attributes = "type: max, dim: z, z: 3", .says = "op 'x' (reduce) needs another number of slices"},
    {"a kernel of its own", DEVICE, .type = "tilizer", .inputs = "a", .says = "op 'x' (tilizer) needs a kernel"},
    {"a wide register and a tile", FUSED, .in_df = "Bfp8_b", .acc_df = "Float32", .sub_ops = SUB("s", "exp", "input0", "dest", "") SUB("u", "add", "dest, input1", "output", ""),
     .says = "sub-op 'u' (add) of op 'x' needs such an operand in the register, which"},
    {"the register twice", FUSED, .sub_ops = SUB("s", "exp", "input0", "dest", "") SUB("u", "add", "dest, dest", "output", ""),
     .says = "sub-op 'u' (add) of op 'x' needs such an operand in the register, which"},
    {"a relu in the register", FUSED, .sub_ops = SUB("s", "exp", "input0", "dest", ", attributes: {relu_en: true, relu_threshold: 0.0, relu_mode: min}")
     SUB("u", "exp", "dest", "output", ""), .says = "sub-op 's' (exp) of op 'x' needs relu in the register"},
    {"a tile of one row as first operand", FUSED, .sub_ops = SUB("s", "add", "input0, input1", "output", ", input_0_tms: [tile_broadcast: r]"),
     .says = "sub-op 's' (add) of op 'x' needs tile_broadcast of such an operand"},
    {"a tile of one row of a matmul", FUSED, .sub_ops = SUB("s", "matmul", "input0, input1", "output", ", input_1_tms: [tile_broadcast: r], attributes: {m_k: 1, u_kt: 1}"),
     .says = "sub-op 's' (matmul) of op 'x' needs tile_broadcast of such an operand"},
    {"a kernel of a sub-op", FUSED, .sub_ops = SUB("s", "maximum", "input0, input1", "output", ""), .says = "sub-op 's' (maximum) of op 'x' needs a kernel"},
    {"a function of a sub-op", FUSED, .sub_ops = SUB("s", "sine", "input0", "output", ""), .says = "sub-op 's' (sine) of op 'x' needs stochastic rounding"},
    {"intermediates of another kind", FUSED, .intermed_df = "Float32", .acc_df = "Float32", .sub_ops = SUB("s", "exp", "input0", "intermed0", "") SUB("u", "add", "intermed0, input1", "output", ""),
     .says = "sub-op 'u' (add) of op 'x' needs formats of several kinds"},
    {"a format without a known unpacker", .arch = "blackhole", DEVICE, .type = "nop", .inputs = "a", .in_df = "Bfp8", .acc_df = "Float16",
     .intermed_df = "Bfp8", .out_df = "Bfp8", .says = "needs input 0 of format Bfp8"},
    {"one of two bits in a matmul", .arch = "blackhole", DEVICE, .type = "matmul", .inputs = "a, b", .in_df = "Bfp2_b", .attributes = "m_k: 1, u_kt: 1",
     .says = "needs input 0 of format Bfp2_b"},
    {"a result with 5 bits of exponent", DEVICE, .type = "nop", .inputs = "a", .in_df = "Bfp8", .acc_df = "Float16",
     .intermed_df = "Bfp8", .out_df = "Bfp8", .says = "needs a result of format Bfp8, acc_df Float16 and inputs of Bfp8"},
    {"a format without a known packer", DEVICE, .type = "nop", .inputs = "a", .out_df = "Bfp2_b",
     .says = "needs a result of format Bfp2_b, acc_df Float16_b and inputs of Float16_b"},
    {"sums in memory of Float16", DEVICE, .type = "matmul", .inputs = "a, b", .in_df = "Float16", .acc_df = "Float16", .intermed_df = "Float16", .columns = 1,
     .attributes = "m_k: 2, u_kt: 1, l1_acc: true", .says = "op 'x' (matmul) needs sums in memory of such a format"},
    {"sums in memory that are untilized", DEVICE, .type = "matmul", .inputs = "a, b", .columns = 1, .keys = "untilize_output: true, ",
     .attributes = "m_k: 2, u_kt: 1, l1_acc: true", .says = "op 'x' (matmul) needs sums in memory that are untilized"},
    {"Float32 next to an encoding", DEVICE, .type = "matmul", .inputs = "a, b, e", .in_df = "Float32", .acc_df = "Float32", .intermed_df = "Float32",
     .attributes = SPARSE, .says = "op 'x' (matmul) needs Float32 next to an encoding"},
    {"an older encoding", DEVICE, .type = "matmul", .inputs = "a, b, e",
     .attributes = "m_k: 1, u_kt: 1, identity: true, num_index_tiles: 1, num_sparse_tiles: 1", .says = "op 'x' (matmul) needs an encoding of an older form"},
    {"slices that are not there", DEVICE, .type = "matmul", .inputs = "a, b", .slices = 1, .attributes = "m_k: 1, u_kt: 1, accumulate: true, z: 3",
     .says = "op 'x' (matmul) needs another number of slices or blocks"},
    {"stochastic rounding", DEVICE, .type = "nop", .inputs = "a", .attributes = "stoch_rnd_mode: all", .says = "needs stochastic rounding"},
    {"a queue of another format", DEVICE, .type = "nop", .inputs = "a", .queue_df = "Bfp8_b", .says = "op 'x' gives Float16_b, its queue 'o' has Bfp8_b"},
};
// clang-format on

HOIST_TEST_TABLE(ops_as_steps, rows)
{
    hoist_program *program = NULL;
    const hoist_str netlist = netlist_of(t, row);
    const hoist_status status = lower_test_netlist_as(
        row->numerics, (hoist_bytes){(const uint8_t *)netlist.data, netlist.size}, t->diag,
        &program);
    HOIST_EXPECT_EQ(t, status, row->lines ? HOIST_OK : HOIST_UNSUPPORTED);
    if (row->lines && program) {
        HOIST_EXPECT_STR(t, lower_test_piece(t, program, "x: compute|x: move"), row->lines);
    } else {
        const hoist_str findings = hoist_test_findings(t);
        HOIST_EXPECT(t, hoist_str_contains(findings, row->says ? row->says : "nothing"));
        HOIST_EXPECT(t, hoist_str_contains(findings, "RUN-045"));
    }
    hoist_program_destroy(program);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(ops_as_steps))
