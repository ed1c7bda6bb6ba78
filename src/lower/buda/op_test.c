// Each op of a netlist as the steps of its function: rows, attributes and their defaults, masks of
// small tiles, and the order of what follows an op (buda-ops reference sections 4.2 and 5); then
// the sub-ops of fused ops (section 6).
#include "lower/buda/job_testing.h"
#include "lower/program_text_testing.h"

// An op x over queues a, b, c and d that the host fills, to queue o; on a Grayskull, which rounds
// no Float32.
typedef struct shape {
    int t, rows, cols; // all 0: one tile
} shape;

typedef struct op_row {
    const char *name;
    const char *type;
    const char *inputs;
    const char *attributes;
    shape a, b, c, o;
    const char *lines; // of op x that compute; NULL: refused, with the message `says`
    const char *says;
    const char *more;   // keys of op x; NULL: none
    const char *format; // of all queues and of the op; NULL: Float32
    const char *tile;   // of queue a; NULL: 32 x 32
} op_row;

static hoist_str queue_text(hoist_test *t, const op_row *row, const char *name, shape s)
{
    const bool is_output = name[0] == 'o';
    return hoist_arena_format(
        &t->arena,
        "  %s: {type: queue, input: %s, entries: 4, grid_size: [1, 1], t: %d, mblock: [%d, %d], "
        "ublock: [1, 1], df: %s, target_device: 0, loc: dram, dram: [[0, 0x1%d000000]]%s%s}\n",
        name, is_output ? "x" : "HOST", s.t ? s.t : 1, s.rows ? s.rows : 1, s.cols ? s.cols : 1,
        row->format ? row->format : "Float32", is_output ? 7 : name[0] - 'a',
        row->tile && name[0] == 'a' ? ", tile_dim: " : "",
        row->tile && name[0] == 'a' ? row->tile : "");
}

// The formats of as many inputs as the op has.
static hoist_str formats_text(hoist_test *t, const op_row *row, const char *format)
{
    hoist_str text = hoist_arena_format(&t->arena, "%s", format);
    for (const char *c = row->inputs; *c; c++) {
        if (*c == ',') {
            text = hoist_arena_format(&t->arena, "%s, %s", text.data, format);
        }
    }
    return text;
}

static hoist_str netlist_of(hoist_test *t, const op_row *row, const char *fused_ops)
{
    const char *format = row->format ? row->format : "Float32";
    const hoist_str head = hoist_arena_format(
        &t->arena,
        "queues:\n%s%s%s%s%sgraphs:\n" REF_GRAPH(
            "g",
            "1") "    x: {type: %s, grid_loc: [0, 0], "
                 "grid_size: [1, 1], inputs: [%s], in_df: [%s], acc_df: %s, out_df: %s, "
                 "intermed_df: %s, "
                 "ublock_order: r, buf_size_mb: 2, math_fidelity: HiFi3, t: %d, mblock: [%d, %d], "
                 "ublock: [1, 1]%s%s%s%s%s}\n%s",
        queue_text(t, row, "a", row->a).data, queue_text(t, row, "b", row->b).data,
        queue_text(t, row, "c", row->c).data, queue_text(t, row, "d", (shape){0, 0, 0}).data,
        queue_text(t, row, "o", row->o).data, row->type, row->inputs,
        formats_text(t, row, format).data, format, format, format, row->o.t ? row->o.t : 1,
        row->o.rows ? row->o.rows : 1, row->o.cols ? row->o.cols : 1,
        row->attributes[0] ? ", attributes: {" : "", row->attributes, row->attributes[0] ? "}" : "",
        row->more ? ", " : "", row->more ? row->more : "", fused_ops);
    return lower_test_netlist(t, "grayskull", head.data,
                              REF_P REF_EXECUTE("g", REF_SET("a", "0", "0")));
}

// The steps that compute and move within the op; not the move to its queue.
static void expect_lines(hoist_test *t, hoist_str netlist, const char *lines, const char *says)
{
    hoist_program *program = NULL;
    const hoist_bytes bytes = {(const uint8_t *)netlist.data, netlist.size};
    const hoist_status status =
        lower_test_netlist_with(bytes, hoist_allocator_system(), t->diag, &program);
    HOIST_EXPECT_EQ(t, status, lines ? HOIST_OK : HOIST_UNSUPPORTED);
    if (lines && program) {
        HOIST_EXPECT_STR(t, lower_test_piece(t, program, "x: compute|x: move"), lines);
    } else {
        HOIST_EXPECT_STR(t, hoist_test_findings(t), says ? says : "");
    }
    hoist_program_destroy(program);
}

// Functions of the vector unit, as they are printed.
// clang-format off
static const struct {
    const char *name; // in netlists
    const char *attributes;
    const char *step;
} functions[] = {
    {"exp",             "",                 "exp(vector 0)"},
    {"log",             "",                 "log(vector 0)"},
    {"sqrt",            "",                 "sqrt(vector 0)"},
    {"gelu",            "",                 "gelu(vector 0)"},
    {"gelu_derivative", "",                 "gelu_derivative(vector 0)"},
    {"reciprocal",      "",                 "reciprocal(vector 0)"},
    {"sigmoid",         "",                 "sigmoid(vector 0)"},
    {"tanh",            "",                 "tanh(vector 0)"},
    {"abs",             "",                 "abs(vector 0)"},
    {"sine",            "",                 "sine(vector 0)"},
    {"cosine",          "",                 "cosine(vector 0)"},
    {"square",          "",                 "square(vector 0)"},
    {"dropout",         "p: 0.25, seed: 7", "dropout(vector 0, p 0.25)"},
    {"power",           "exp: 3",           "power(vector 0, exponent 3)"},
    {"lrelu",           "slope: 0.5",       "lrelu(vector 0, slope 0.5)"},
};
// clang-format on

HOIST_TEST_TABLE(functions_of_the_vector_unit, functions)
{
    const op_row op = {.type = row->name, .inputs = "a", .attributes = row->attributes};
    const hoist_str lines =
        hoist_arena_format(&t->arena,
                           "x: compute golden.%s from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
                           "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n",
                           row->step);
    expect_lines(t, netlist_of(t, &op, ""), lines.data, NULL);
}

// clang-format off
static const op_row unaries[] = {
    {"lrelu without a slope", "lrelu", "a", "", .lines =
     "x: compute golden.lrelu(vector 0, slope 0.01) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"power without an exponent", "power", "a", "", .lines =
     "x: compute golden.power(vector 0, exponent 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"the last of two slopes", "lrelu", "a", "slope: 0.5, slope: 0.25", .lines =
     "x: compute golden.lrelu(vector 0, slope 0.25) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a vector of rows", "exp", "a", "vector: r", .lines =
     "x: compute golden.exp(vector 1) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"of columns", "exp", "a", "vector: c", .lines =
     "x: compute golden.exp(vector 2) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"of both", "exp", "a", "vector: rc", .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"tiles of 16 rows have no vectors", "exp", "a", "vector: r", .tile = "[16, 32]", .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled(tile 16x32)] to [x/0 f32 tiled()]\n"
     "x: compute golden.mask(height 16, width 32) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"nor do results of 16 rows", "exp", "a", "vector: c", .more = "tile_dim: [16, 32]", .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.mask(height 16, width 32) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"tiles of 16 columns", "exp", "a", "vector: r", .tile = "[32, 16]", .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled(tile 32x16)] to [x/0 f32 tiled()]\n"
     "x: compute golden.mask(height 32, width 16) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"the smaller of two tiles", "exp", "a", "", .tile = "[8, 32]", .more = "tile_dim: [32, 16]", .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled(tile 8x32)] to [x/0 f32 tiled()]\n"
     "x: compute golden.mask(height 8, width 16) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a copy", "nop", "a", "", .lines = "x: move copy from [read(a) f32 tiled()] to write(o) f32 tiled()\n"},
    {"a copy of small tiles", "datacopy", "a", "", .tile = "[16, 32]", .lines =
     "x: compute golden.mask(height 16, width 32) from [read(a) f32 tiled(tile 16x32)] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"over ethernet", "ethernet_datacopy", "a", "", .tile = "[4, 32]", .lines =
     "x: compute golden.mask(height 4, width 32) from [read(a) f32 tiled(tile 4x32)] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a tilizer masks to its own tile", "tilizer", "a", "", .tile = "[4, 32]", .more = "tile_dim: [16, 32]", .lines =
     "x: compute golden.mask(height 16, width 32) from [read(a) f32 tiled(tile 4x32)] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a tilizer of full tiles", "tilizer", "a", "", .lines = "x: move copy from [read(a) f32 tiled()] to write(o) f32 tiled()\n"},
    {"relu", "exp", "a", "relu_en: true", .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.relu_min(threshold 0) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"relu from below", "exp", "a", "relu_en: true, relu_mode: min, relu_threshold: 0.5", .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.relu_min(threshold 0.5) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"relu from above", "nop", "a", "relu_en: true, relu_mode: max, relu_threshold: 0.25", .lines =
     "x: compute golden.relu_max(threshold 0.25) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"no relu", "nop", "a", "relu_en: false, relu_mode: max, relu_threshold: 0.25", .lines = "x: move copy from [read(a) f32 tiled()] to write(o) f32 tiled()\n"},
    {"a threshold alone is no relu", "nop", "a", "relu_threshold: 0.25", .lines = "x: move copy from [read(a) f32 tiled()] to write(o) f32 tiled()\n"},
    {"reduced rows", "reduce", "a", "dim: r, type: max", .a = {3, 2, 4}, .o = {3, 1, 4}, .lines =
     "x: compute golden.reduce(dim 0, group 0) from [read(a) f32 tiled(t 3 mblock 2x4)] to [x/0 f32 tiled(t 3 ublock 1x4)]\n"
     "x: move copy from [x/0 f32 tiled(t 3 ublock 1x4)] to write(o) f32 tiled(t 3 mblock 1x4)\n"},
    {"reduced columns", "reduce", "a", "dim: c, type: max", .a = {3, 2, 4}, .o = {3, 2, 1}, .lines =
     "x: compute golden.reduce(dim 1, group 0) from [read(a) f32 tiled(t 3 mblock 2x4)] to [x/0 f32 tiled(t 3 ublock 2x1)]\n"
     "x: move copy from [x/0 f32 tiled(t 3 ublock 2x1)] to write(o) f32 tiled(t 3 mblock 2x1)\n"},
    {"rows and columns", "reduce", "a", "dim: rc, type: max", .a = {3, 2, 4}, .o = {3, 1, 1}, .lines =
     "x: compute golden.reduce(dim 2, group 0) from [read(a) f32 tiled(t 3 mblock 2x4)] to [x/0 f32 tiled(t 3)]\n"
     "x: move copy from [x/0 f32 tiled(t 3)] to write(o) f32 tiled(t 3)\n"},
    {"groups of slices", "reduce", "a", "dim: z, z: 3, type: max", .a = {6, 2, 4}, .o = {2, 2, 4}, .lines =
     "x: compute golden.reduce(dim 3, group 3) from [read(a) f32 tiled(t 6 mblock 2x4)] to [x/0 f32 tiled(t 2 ublock 2x4)]\n"
     "x: move copy from [x/0 f32 tiled(t 2 ublock 2x4)] to write(o) f32 tiled(t 2 mblock 2x4)\n"},
    {"z counts for slices only", "reduce", "a", "dim: r, z: 3, type: max", .a = {6, 2, 4}, .o = {6, 1, 4}, .lines =
     "x: compute golden.reduce(dim 0, group 0) from [read(a) f32 tiled(t 6 mblock 2x4)] to [x/0 f32 tiled(t 6 ublock 1x4)]\n"
     "x: move copy from [x/0 f32 tiled(t 6 ublock 1x4)] to write(o) f32 tiled(t 6 mblock 1x4)\n"},
    {"groups that do not divide", "reduce", "a", "dim: z, z: 4, type: max", .a = {6, 2, 4}, .o = {2, 2, 4}, .says = "13:5: error: op 'x' becomes reduce: reduce expects a number of slices that the group divides [RUN-003]\n"},
    {"groups of no slices", "reduce", "a", "dim: z, type: max", .a = {6, 2, 4}, .o = {2, 2, 4}, .says = "13:5: error: op 'x' becomes reduce: reduce expects a number of slices that the group divides [RUN-003]\n"},
    {"a reduction of nothing", "reduce", "a", "type: max", .says = "13:5: error: op 'x' reduces without dim [RUN-002]\n"},
    {"an input too many", "exp", "a, b", "", .says = "13:15: error: exp of op 'x' has 2 inputs, expected 1 [RUN-003]\n"},
    {"an input that is not there", "exp", "k", "", .says = "13:66: error: input 0 of op 'x' does not exist [RUN-003]\n"},
    {"no row for it", "buffer", "a", "", .says = "13:15: error: op 'x' is a 'buffer', which the reference does not run [RUN-001]\n"},
};

static const op_row others[] = {
    {"add", "add", "a, b", "", .lines =
     "x: compute golden.add from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"subtract", "subtract", "a, b", "", .lines =
     "x: compute golden.subtract from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"multiply", "multiply", "a, b", "", .lines =
     "x: compute golden.multiply from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"maximum", "maximum", "b, a", "", .lines =
     "x: compute golden.maximum from [read(b) f32 tiled(), read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a sum of small tiles", "add", "a, b", "", .tile = "[8, 32]", .lines =
     "x: compute golden.add from [read(a) f32 tiled(tile 8x32), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.mask(height 8, width 32) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"quantization", "quantization", "a, b", "zero_point: 3.0", .lines =
     "x: compute golden.multiply from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value 3) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"requantization", "requantization", "a, b", "zero_point: -2.5", .lines =
     "x: compute golden.multiply from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value -2.5) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"dequantization", "dequantization", "a, b", "zero_point: 3.0", .lines =
     "x: compute golden.add_scalar(value -3) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.multiply from [x/0 f32 tiled(), read(b) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"without a zero point", "quantization", "a, b", "", .lines =
     "x: compute golden.multiply from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value 0) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"one input too few", "add", "a", "", .says = "13:15: error: add of op 'x' has 1 inputs, expected 2 [RUN-003]\n"},
    {"one input too many", "add", "a, b, c", "", .says = "13:15: error: add of op 'x' has 3 inputs, expected 2 [RUN-003]\n"},
    {"factors", "matmul", "a, b", "m_k: 3, u_kt: 1", .a = {2, 1, 3}, .b = {2, 3, 4}, .o = {2, 1, 4}, .lines =
     "x: compute golden.matmul from [read(a) f32 tiled(t 2 mblock 1x3), read(b) f32 tiled(t 2 mblock 3x4)] to [x/0 f32 tiled(t 2 ublock 1x4)]\n"
     "x: move copy from [x/0 f32 tiled(t 2 ublock 1x4)] to write(o) f32 tiled(t 2 mblock 1x4)\n"},
    {"factors that do not meet", "matmul", "a, b", "m_k: 3, u_kt: 1", .a = {2, 1, 3}, .b = {2, 4, 4}, .o = {2, 1, 4}, .says = "13:5: error: op 'x' becomes matmul: dimension 1 of b is 4, expected 3 (K) [RUN-003]\n"},
    {"an accumulated product", "matmul", "a, b", "m_k: 3, u_kt: 1, accumulate: true, z: 2", .a = {4, 1, 3}, .b = {4, 3, 4}, .o = {2, 1, 4}, .lines =
     "x: compute golden.matmul from [read(a) f32 tiled(t 4 mblock 1x3), read(b) f32 tiled(t 4 mblock 3x4)] to [x/0 f32 tiled(t 4 ublock 1x4)]\n"
     "x: compute golden.sum_z(group 2) from [x/0 f32 tiled(t 4 ublock 1x4)] to [x/1 f32 tiled(t 2 ublock 1x4)]\n"
     "x: move copy from [x/1 f32 tiled(t 2 ublock 1x4)] to write(o) f32 tiled(t 2 mblock 1x4)\n"},
    {"accumulated over no z", "matmul", "a, b", "m_k: 3, u_kt: 1, accumulate: true", .a = {4, 1, 3}, .b = {4, 3, 4}, .o = {2, 1, 4}, .says = "13:5: error: op 'x' becomes sum_z: group is 0, expected 1 to 2147483648 [RUN-002]\n"},
    {"a masked factor", "matmul", "a, b", "m_k: 1, u_kt: 1", .tile = "[8, 32]", .lines =
     "x: compute golden.mask(height 8, width 32) from [read(a) f32 tiled(tile 8x32)] to [x/0 f32 tiled()]\n"
     "x: compute golden.matmul from [x/0 f32 tiled(), read(b) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a masked product", "matmul", "b, c", "m_k: 1, u_kt: 1", .more = "tile_dim: [16, 32]", .lines =
     "x: compute golden.matmul from [read(b) f32 tiled(), read(c) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.mask(height 16, width 32) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a bias", "matmul", "a, b, c", "m_k: 1, u_kt: 1, bias: true", .lines =
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_row from [x/0 f32 tiled(), read(c) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a bias of integers", "matmul", "a, b, c", "m_k: 1, u_kt: 1, bias: true", .format = "Int8", .lines =
     "x: compute golden.matmul from [read(a) tt-i8 tiled(), read(b) tt-i8 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add from [x/0 f32 tiled(), read(c) tt-i8 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tt-i8, height 32, width 32) from [x/1 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) tt-i8 tiled()\n"},
    {"a scale behind a bias", "matmul", "a, b, c, d", "m_k: 1, u_kt: 1, bias: true, requant: true, zero_point: 4.0", .lines =
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_row from [x/0 f32 tiled(), read(c) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/1 f32 tiled(), read(d) f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: compute golden.add_scalar(value 4) from [x/2 f32 tiled()] to [x/3 f32 tiled()]\n"
     "x: move copy from [x/3 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a scale without a bias", "matmul", "a, b, c", "m_k: 1, u_kt: 1, dequant: true, zero_point: 4.0", .lines =
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value -4) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/1 f32 tiled(), read(c) f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"},
    {"gelu behind a scale", "matmul", "a, b, c", "m_k: 1, u_kt: 1, requant: true, sfpu_op: gelu", .lines =
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.multiply from [x/0 f32 tiled(), read(c) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.add_scalar(value 0) from [x/1 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: compute golden.gelu(vector 0) from [x/2 f32 tiled()] to [x/3 f32 tiled()]\n"
     "x: move copy from [x/3 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a vector unit that does nothing", "matmul", "a, b", "m_k: 1, u_kt: 1, sfpu_op: Invalid", .lines =
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a vector unit that does more", "matmul", "a, b", "m_k: 1, u_kt: 1, sfpu_op: exp", .says = "13:291: error: sfpu_op of op 'x' is 'exp', only gelu can follow a matmul [RUN-002]\n"},
    {"a bias that is not there", "matmul", "a, b", "m_k: 1, u_kt: 1, bias: true", .says = "13:5: error: matmul 'x' has 2 inputs, its attributes need 3 [RUN-003]\n"},
    {"a scale that nothing asks for", "matmul", "a, b, c", "m_k: 1, u_kt: 1", .says = "13:5: error: matmul 'x' has 3 inputs, its attributes need 2 [RUN-003]\n"},
    {"sparse", "matmul", "a, b, c", "m_k: 1, u_kt: 2, identity: true, num_sparse_tiles: 5, sparse_tile_ptr_bits: 6, sparse_ublock_idx_bits: 7, fracture_factor: 1",
     .a = {1, 1, 3}, .b = {1, 2, 4}, .c = {1, 1, 2}, .o = {3, 2, 4}, .lines =
     "x: compute golden.sparse_matmul(grid_rows 1, grid_cols 1, t 3, mblock_m 2, mblock_n 4, ublock_rt 1, ublock_ct 1, u_kt 2, sparse_tiles 5, ptr_bits 6, idx_bits 7, fracture 1) from [read(a) f32 tiled(mblock 1x3), read(b) f32 tiled(mblock 2x4), read(c) f32 tiled(mblock 1x2)] to [x/0 f32 tiled(t 3 ublock 2x4)]\n"
     "x: move copy from [x/0 f32 tiled(t 3 ublock 2x4)] to write(o) f32 tiled(t 3 mblock 2x4)\n"},
    {"sparse, by default", "matmul", "a, b, c", "m_k: 1, identity: true, num_sparse_tiles: 5, sparse_tile_ptr_bits: 6",
     .a = {1, 1, 3}, .b = {1, 2, 4}, .c = {1, 1, 2}, .o = {3, 2, 4}, .lines =
     "x: compute golden.sparse_matmul(grid_rows 1, grid_cols 1, t 3, mblock_m 2, mblock_n 4, ublock_rt 1, ublock_ct 1, u_kt 1, sparse_tiles 5, ptr_bits 6, idx_bits 6, fracture 1) from [read(a) f32 tiled(mblock 1x3), read(b) f32 tiled(mblock 2x4), read(c) f32 tiled(mblock 1x2)] to [x/0 f32 tiled(t 3 ublock 2x4)]\n"
     "x: move copy from [x/0 f32 tiled(t 3 ublock 2x4)] to write(o) f32 tiled(t 3 mblock 2x4)\n"},
    {"sparse without tiles", "matmul", "a, b, c", "m_k: 1, identity: true, sparse_tile_ptr_bits: 6",
     .a = {1, 1, 3}, .b = {1, 2, 4}, .c = {1, 1, 2}, .o = {3, 2, 4}, .says = "13:5: error: op 'x' becomes sparse_matmul: sparse_tiles is 0, expected 1 to 2147483648 [RUN-002]\n"},
    {"sparse without bits", "matmul", "a, b, c", "m_k: 1, identity: true, num_sparse_tiles: 5",
     .a = {1, 1, 3}, .b = {1, 2, 4}, .c = {1, 1, 2}, .o = {3, 2, 4}, .says = "13:5: error: op 'x' has no sparse_tile_ptr_bits: its encoding is of an older form, known for one core, t 1 and a u_kt that is a power of 2 or ublocks of one row [RUN-002]\n"},
    {"sparse, too many bits", "matmul", "a, b, c", "m_k: 1, identity: true, num_sparse_tiles: 5, sparse_tile_ptr_bits: 17",
     .a = {1, 1, 3}, .b = {1, 2, 4}, .c = {1, 1, 2}, .o = {3, 2, 4}, .says = "13:5: error: op 'x' becomes sparse_matmul: ptr_bits is 17, expected 1 to 16 [RUN-002]\n"},
    {"sparse by a list", "matmul", "a, b, c", "m_k: 1, u_kt: 1, identity: true, num_sparse_tiles: 5, indices_len: 11, starting_row: 1",
     .a = {1, 1, 3}, .b = {1, 2, 4}, .c = {1, 1, 2}, .o = {1, 2, 4}, .lines =
     "x: compute golden.sparse_indices(mblock_m 2, mblock_n 4, ublock_rt 1, ublock_ct 1, length 11, first_row 1) from [read(a) f32 tiled(mblock 1x3), read(b) f32 tiled(mblock 2x4), read(c) f32 tiled(mblock 1x2)] to [x/0 f32 tiled(ublock 2x4)]\n"
     "x: move copy from [x/0 f32 tiled(ublock 2x4)] to write(o) f32 tiled(mblock 2x4)\n"},
    {"sparse by a list, deep", "matmul", "a, b, c", "m_k: 1, u_kt: 2, identity: true, num_sparse_tiles: 5, indices_len: 11",
     .a = {1, 1, 3}, .b = {1, 2, 4}, .c = {1, 1, 2}, .o = {1, 2, 4}, .says = "13:5: error: op 'x' has no sparse_tile_ptr_bits: its encoding is of an older form, known for one core, t 1 and u_kt 1 [RUN-002]\n"},
    {"sparse by a list of no length", "matmul", "a, b, c", "m_k: 1, u_kt: 1, identity: true, num_sparse_tiles: 5, indices_len: -1",
     .a = {1, 1, 3}, .b = {1, 2, 4}, .c = {1, 1, 2}, .o = {1, 2, 4}, .says = "13:5: error: op 'x' becomes sparse_indices: length is -1, expected 1 to 2147483648 [RUN-002]\n"},
    {"sparse by bytes", "matmul", "a, b, c", "m_k: 1, u_kt: 3, identity: true, num_sparse_tiles: 5",
     .a = {1, 1, 3}, .b = {1, 2, 4}, .c = {1, 1, 2}, .o = {1, 2, 4}, .lines =
     "x: compute golden.sparse_bytes(mblock_m 2, mblock_n 4, ublock_rt 1, ublock_ct 1, u_kt 3) from [read(a) f32 tiled(mblock 1x3), read(b) f32 tiled(mblock 2x4), read(c) f32 tiled(mblock 1x2)] to [x/0 f32 tiled(ublock 2x4)]\n"
     "x: move copy from [x/0 f32 tiled(ublock 2x4)] to write(o) f32 tiled(mblock 2x4)\n"},
    {"sparse with a bias", "matmul", "a, b, c, d", "m_k: 1, identity: true, num_sparse_tiles: 5, sparse_tile_ptr_bits: 6, bias: true",
     .a = {1, 1, 3}, .b = {1, 2, 1}, .c = {1, 1, 2}, .lines =
     "x: compute golden.sparse_matmul(grid_rows 1, grid_cols 1, t 1, mblock_m 1, mblock_n 1, ublock_rt 1, ublock_ct 1, u_kt 1, sparse_tiles 5, ptr_bits 6, idx_bits 6, fracture 1) from [read(a) f32 tiled(mblock 1x3), read(b) f32 tiled(mblock 2x1), read(c) f32 tiled(mblock 1x2)] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_row from [x/0 f32 tiled(), read(d) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"depthwise", "depthwise", "a, b", "m_k: 3, u_kt: 1", .a = {2, 1, 6}, .b = {2, 3, 2}, .o = {2, 1, 2}, .lines =
     "x: compute golden.depthwise(m_k 3) from [read(a) f32 tiled(t 2 mblock 1x6), read(b) f32 tiled(t 2 mblock 3x2)] to [x/0 f32 tiled(t 2 ublock 1x2)]\n"
     "x: move copy from [x/0 f32 tiled(t 2 ublock 1x2)] to write(o) f32 tiled(t 2 mblock 1x2)\n"},
    {"depthwise with a bias", "depthwise", "a, b, c", "m_k: 3, u_kt: 1, bias: true", .a = {2, 1, 6}, .b = {2, 3, 2}, .c = {2, 1, 2}, .o = {2, 1, 2}, .lines =
     "x: compute golden.depthwise(m_k 3) from [read(a) f32 tiled(t 2 mblock 1x6), read(b) f32 tiled(t 2 mblock 3x2)] to [x/0 f32 tiled(t 2 ublock 1x2)]\n"
     "x: compute golden.add_row from [x/0 f32 tiled(t 2 ublock 1x2), read(c) f32 tiled(t 2 mblock 1x2)] to [x/1 f32 tiled(t 2 ublock 1x2)]\n"
     "x: move copy from [x/1 f32 tiled(t 2 ublock 1x2)] to write(o) f32 tiled(t 2 mblock 1x2)\n"},
    {"a bias that depthwise has not", "depthwise", "a, b", "m_k: 3, u_kt: 1, bias: true", .a = {2, 1, 6}, .b = {2, 3, 2}, .o = {2, 1, 2}, .lines =
     "x: compute golden.depthwise(m_k 3) from [read(a) f32 tiled(t 2 mblock 1x6), read(b) f32 tiled(t 2 mblock 3x2)] to [x/0 f32 tiled(t 2 ublock 1x2)]\n"
     "x: move copy from [x/0 f32 tiled(t 2 ublock 1x2)] to write(o) f32 tiled(t 2 mblock 1x2)\n"},
    {"depthwise of nothing", "depthwise", "a, b", "u_kt: 1", .a = {2, 1, 6}, .b = {2, 3, 2}, .o = {2, 1, 2}, .says = "13:5: error: op 'x' becomes depthwise: m_k is 0, expected 1 to 2147483648 [RUN-002]\n"},
    {"embedding", "embedding", "a, b", "num_indices: 33", .a = {1, 9, 4}, .b = {1, 1, 1}, .o = {1, 2, 4}, .lines =
     "x: compute golden.embedding(indices 33, grid_rows 1, rows 2) from [read(a) f32 tiled(mblock 9x4), read(b) f32 tiled()] to [x/0 f32 tiled(ublock 2x4)]\n"
     "x: move copy from [x/0 f32 tiled(ublock 2x4)] to write(o) f32 tiled(mblock 2x4)\n"},
    {"embedding of all the rows", "embedding", "a, b", "num_indices: 64", .a = {1, 9, 4}, .b = {1, 1, 1}, .o = {1, 2, 4}, .lines =
     "x: compute golden.embedding(indices 64, grid_rows 1, rows 2) from [read(a) f32 tiled(mblock 9x4), read(b) f32 tiled()] to [x/0 f32 tiled(ublock 2x4)]\n"
     "x: move copy from [x/0 f32 tiled(ublock 2x4)] to write(o) f32 tiled(mblock 2x4)\n"},
    {"of a row too many", "embedding", "a, b", "num_indices: 65", .a = {1, 9, 4}, .b = {1, 1, 1}, .o = {1, 2, 4}, .says = "13:5: error: op 'x' becomes embedding: embedding expects rows of output and indices that divide over the grid's rows, with place for all indices [RUN-003]\n"},
    {"embedding of no indices", "embedding", "a, b", "", .a = {1, 9, 4}, .b = {1, 1, 1}, .o = {1, 2, 4}, .says = "13:5: error: op 'x' becomes embedding: indices is 0, expected 1 to 2147483648 [RUN-002]\n"},
    {"topk", "topk", "a, b", "k: 8, sort: max", .a = {1, 1, 4}, .b = {1, 1, 4}, .lines =
     "x: compute golden.topk(k 8, argmax 0, kreduce 0, grid_cols 1) from [read(a) f32 tiled(mblock 1x4), read(b) f32 tiled(mblock 1x4)] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"topk of indices", "topk", "a, b", "k: 32, sort: argmax", .a = {1, 1, 4}, .b = {1, 1, 4}, .lines =
     "x: compute golden.topk(k 32, argmax 1, kreduce 0, grid_cols 1) from [read(a) f32 tiled(mblock 1x4), read(b) f32 tiled(mblock 1x4)] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"topk of sorted runs", "topk", "a, b", "k: 16, sort: max, kreduce: true", .a = {1, 1, 4}, .b = {1, 1, 4}, .lines =
     "x: compute golden.topk(k 16, argmax 0, kreduce 1, grid_cols 1) from [read(a) f32 tiled(mblock 1x4), read(b) f32 tiled(mblock 1x4)] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"topk of none", "topk", "a, b", "sort: max", .a = {1, 1, 4}, .b = {1, 1, 4}, .says = "13:5: error: op 'x' becomes topk: k is 0, expected 1 to 2147483648 [RUN-002]\n"},
};
// clang-format on

HOIST_TEST_TABLE(ops_of_one_input, unaries)
{
    expect_lines(t, netlist_of(t, row, ""), row->lines, row->says);
}

HOIST_TEST_TABLE(ops_of_several_inputs, others)
{
    expect_lines(t, netlist_of(t, row, ""), row->lines, row->says);
}

// Fused ops -------------------------------------------------------------------------------------

#define SUB(name, type, inputs, output, more)                                                      \
    name ": {type: " type ", inputs: [" inputs                                                     \
         "], mblock: [1, 1], ublock: [1, 1], output: " output more "}\n"
#define FIRST(name, type, inputs, output, more)                                                    \
    "fused_ops:\n  0:\n    inputs: 2\n    intermediates: 2\n    schedules:\n      - - " SUB(       \
        name, type, inputs, output, more)
#define NEXT(name, type, inputs, output, more) "        - " SUB(name, type, inputs, output, more)

typedef struct fused_row {
    const char *name;
    op_row op; // what it has besides type and inputs
    const char *fused_ops;
    const char *lines; // NULL: refused, with the message `says`
    const char *says;
} fused_row;

// clang-format off
#define ID "fused_op_id: 0"
#define PLAIN {.attributes = ID}
static const fused_row fused_ops[] = {
    {"one sub-op", PLAIN, FIRST("s", "subtract", "input1, input0", "output", ""), .lines =
     "x: compute golden.subtract from [read(b) f32 tiled(), read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"intermediates by their numbers", PLAIN, FIRST("s", "exp", "input0", "intermed0", "") NEXT("u", "log", "input1", "intermed1", "")
     NEXT("v", "subtract", "intermed1, intermed0", "output", ""), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.log(vector 0) from [read(b) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.subtract from [x/1 f32 tiled(), x/0 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"},
    {"dest is what came last", PLAIN, FIRST("s", "exp", "input0", "dest", "") NEXT("u", "log", "dest", "dest", "")
     NEXT("v", "add", "dest, input1", "output", ""), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.log(vector 0) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.add from [x/1 f32 tiled(), read(b) f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"},
    {"what is copied stays where it is", PLAIN, FIRST("s", "datacopy", "input1", "dest", "") NEXT("u", "nop", "dest", "output", ""), .lines = "x: move copy from [read(b) f32 tiled()] to write(o) f32 tiled()\n"},
    {"in several schedules", PLAIN, FIRST("s", "exp", "input0", "intermed0", "") "      - - " SUB("u", "sqrt", "intermed0", "output", ""), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.sqrt(vector 0) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a product", PLAIN, FIRST("s", "matmul", "input0, input1", "output", ", attributes: {m_k: 1, u_kt: 1}"), .lines =
     "x: compute golden.matmul from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a reduction", PLAIN, FIRST("s", "reduce", "input0", "output", ", attributes: {dim: c, type: max}"), .lines =
     "x: compute golden.reduce(dim 1, group 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"attributes of sub-ops", PLAIN, FIRST("s", "lrelu", "input0", "dest", ", attributes: {slope: 0.5}") NEXT("u", "power", "dest", "output", ", attributes: {exp: 4}"), .lines =
     "x: compute golden.lrelu(vector 0, slope 0.5) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.power(vector 0, exponent 4) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"vectors of small tiles, too", {.attributes = ID, .tile = "[16, 32]"}, FIRST("s", "exp", "input0", "output", ", attributes: {vector: c}"), .lines =
     "x: compute golden.exp(vector 2) from [read(a) f32 tiled(tile 16x32)] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a scale behind dest", PLAIN, FIRST("s", "exp", "input0", "dest", "") NEXT("u", "dequantization", "dest, input1", "output", ", zero_point: 3.0"), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value -3) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/1 f32 tiled(), read(b) f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a scale in front of dest", PLAIN, FIRST("s", "exp", "input0", "dest", "") NEXT("u", "dequantization", "input1, dest", "output", ", zero_point: 3.0"), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value -3) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/1 f32 tiled(), read(b) f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a scale in front of something else", PLAIN, FIRST("s", "exp", "input0", "intermed0", "") NEXT("u", "dequantization", "input1, intermed0", "output", ", zero_point: 3.0"), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value -3) from [read(b) f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/1 f32 tiled(), x/0 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"},
    {"only a dequantization looks for dest", PLAIN, FIRST("s", "exp", "input0", "dest", "") NEXT("u", "subtract", "input1, dest", "output", ""), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.subtract from [read(b) f32 tiled(), x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a quantization is rounded", PLAIN, FIRST("s", "quantization", "input0, input1", "output", ", zero_point: 1.5"), .lines =
     "x: compute golden.multiply from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value 1.5) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tt-i8, height 32, width 32) from [x/1 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"},
    {"so is a requantization", PLAIN, FIRST("s", "requantization", "input0, input1", "output", ", zero_point: 1.5"), .lines =
     "x: compute golden.multiply from [read(a) f32 tiled(), read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add_scalar(value 1.5) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tt-i8, height 32, width 32) from [x/1 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"},
    {"integers are rounded where they are kept", {.attributes = ID, .format = "Int32"}, FIRST("s", "add", "input0, input1", "dest", "")
     NEXT("u", "multiply", "dest, input1", "intermed0", "") NEXT("v", "maximum", "intermed0, input0", "output", ""), .lines =
     "x: compute golden.add from [read(a) tt-i32 tiled(), read(b) tt-i32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tt-i32, height 32, width 32) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.multiply from [x/1 f32 tiled(), read(b) tt-i32 tiled()] to [x/2 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tt-i32, height 32, width 32) from [x/2 f32 tiled()] to [x/3 f32 tiled()]\n"
     "x: compute golden.maximum from [x/3 f32 tiled(), read(a) tt-i32 tiled()] to [x/4 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tt-i32, height 32, width 32) from [x/4 f32 tiled()] to [x/5 f32 tiled()]\n"
     "x: compute golden.quantize(dtype tt-i32, height 32, width 32) from [x/5 f32 tiled()] to [x/6 f32 tiled()]\n"
     "x: move copy from [x/6 f32 tiled()] to write(o) tt-i32 tiled()\n"},
    {"relu of a sub-op", PLAIN, FIRST("s", "exp", "input0", "output", ", attributes: {relu_en: true, relu_mode: max, relu_threshold: 0.5}"), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.relu_max(threshold 0.5) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"relu of the op is that of its output", {.attributes = ID ", relu_en: true, relu_threshold: 0.25"}, FIRST("s", "exp", "input0", "dest", "") NEXT("u", "log", "dest", "output", ""), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.log(vector 0) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.relu_min(threshold 0.25) from [x/1 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: move copy from [x/2 f32 tiled()] to write(o) f32 tiled()\n"},
    {"and goes before the sub-op's", {.attributes = ID ", relu_en: true, relu_threshold: 0.25"}, FIRST("s", "exp", "input0", "output", ", attributes: {relu_en: true, relu_mode: max, relu_threshold: 0.5}"), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.relu_min(threshold 0.25) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"which others keep", {.attributes = ID ", relu_en: true, relu_threshold: 0.25"}, FIRST("s", "exp", "input0", "dest", ", attributes: {relu_en: true, relu_mode: max, relu_threshold: 0.5}") NEXT("u", "log", "dest", "output", ""), .lines =
     "x: compute golden.exp(vector 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.relu_max(threshold 0.5) from [x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: compute golden.log(vector 0) from [x/1 f32 tiled()] to [x/2 f32 tiled()]\n"
     "x: compute golden.relu_min(threshold 0.25) from [x/2 f32 tiled()] to [x/3 f32 tiled()]\n"
     "x: move copy from [x/3 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a tile broadcast over rows", PLAIN, FIRST("s", "nop", "input0", "output", ", input_0_tms: [tile_broadcast: r]"), .lines =
     "x: compute golden.broadcast_tile(axis 0) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a tile broadcast over columns", PLAIN, FIRST("s", "add", "input0, input1", "output", ", input_1_tms: [tile_broadcast: c]"), .lines =
     "x: compute golden.broadcast_tile(axis 1) from [read(b) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: compute golden.add from [read(a) f32 tiled(), x/0 f32 tiled()] to [x/1 f32 tiled()]\n"
     "x: move copy from [x/1 f32 tiled()] to write(o) f32 tiled()\n"},
    {"over both", PLAIN, FIRST("s", "nop", "input0", "output", ", input_0_tms: [tile_broadcast: rc]"), .lines =
     "x: compute golden.broadcast_tile(axis 2) from [read(a) f32 tiled()] to [x/0 f32 tiled()]\n"
     "x: move copy from [x/0 f32 tiled()] to write(o) f32 tiled()\n"},
    {"TMs in a row", PLAIN, FIRST("s", "reduce", "input0", "output", ", input_0_tms: [broadcast: {c: 2}, tile_broadcast: c, broadcast: {c: 3}], attributes: {dim: c, type: max}"), .lines =
     "x: move copy from [read(a) f32 tiled()] to x/0 f32 tiled(ublock 1x2) table [0x2]\n"
     "x: compute golden.broadcast_tile(axis 1) from [x/0 f32 tiled(ublock 1x2)] to [x/1 f32 tiled(ublock 1x2)]\n"
     "x: move copy from [x/1 f32 tiled(ublock 1x2)] to x/2 f32 tiled(ublock 1x6) table [0, 1, 0, 1, 0, 1]\n"
     "x: compute golden.reduce(dim 1, group 0) from [x/2 f32 tiled(ublock 1x6)] to [x/3 f32 tiled()]\n"
     "x: move copy from [x/3 f32 tiled()] to write(o) f32 tiled()\n"},
    {"a transpose", PLAIN, FIRST("s", "nop", "input0", "output", ", input_0_tms: [transpose]"), .says = "19:106: error: a transpose inside fused op 'x' [RUN-002]\n"},
    {"a TM that does not divide", PLAIN, FIRST("s", "nop", "input0", "output", ", input_0_tms: [hslice: 2]"), .says = "19:106: error: an input of a sub-op: 'hslice' cannot be applied to 1 x 1 x 1 tiles [RUN-004]\n"},
    {"an intermediate that holds nothing", PLAIN, FIRST("s", "exp", "intermed1", "output", ""), .says = "19:35: error: 'intermed1' holds nothing here [RUN-002]\n"},
    {"nothing in dest", PLAIN, FIRST("s", "exp", "dest", "output", ""), .says = "19:35: error: 'dest' holds nothing here [RUN-002]\n"},
    {"an input that the op has not", PLAIN, FIRST("s", "exp", "input2", "output", ""), .says = "19:35: error: 'input2' holds nothing here [RUN-002]\n"},
    {"no operand", PLAIN, FIRST("s", "exp", "somewhere", "output", ""), .says = "19:35: error: 'somewhere' holds nothing here [RUN-002]\n"},
    {"to an input", PLAIN, FIRST("s", "exp", "input0", "input1", ""), .says = "19:84: error: sub-op 's' writes to 'input1' [RUN-002]\n"},
    {"to an intermediate that nothing has", PLAIN, FIRST("s", "exp", "input0", "intermed99", ""), .says = "19:84: error: sub-op 's' writes to 'intermed99' [RUN-002]\n"},
    {"no output", PLAIN, FIRST("s", "exp", "input0", "dest", ""), .says = "15:3: error: fused op '0' writes no output [RUN-002]\n"},
    {"another definition", {.attributes = "fused_op_id: 1"}, FIRST("s", "exp", "input0", "output", ""), .says = "13:280: error: the fused op of 'x' is not defined [RUN-002]\n"},
    {"no definition", {.attributes = ""}, FIRST("s", "exp", "input0", "output", ""), .says = "13:5: error: the fused op of 'x' is not defined [RUN-002]\n"},
    {"a sub-op with too few inputs", PLAIN, FIRST("s", "add", "input0", "output", ""), .says = "19:21: error: add of op 'x' has 1 inputs, expected 2 [RUN-003]\n"},
    {"a sub-op with more inputs than any", PLAIN, FIRST("s", "add", "input0, input1, input0, input1, input0", "output", ""), .says = "19:34: error: sub-op 's' has 5 inputs [RUN-003]\n"},
    {"factors with a bias", PLAIN, FIRST("s", "matmul", "input0, input1, input1", "output", ", attributes: {m_k: 1, u_kt: 1}"), .says = "13:5: error: op 'x' has 3 inputs for matmul, expected 2 [RUN-003]\n"},
    {"a sub-op that is not run", PLAIN, FIRST("s", "tilizer", "input0", "output", ""), .says = "19:21: error: op 'x' has a tilizer, which is not run here [RUN-001]\n"},
};
// clang-format on

HOIST_TEST_TABLE(fused_ops_are_their_sub_ops, fused_ops)
{
    op_row op = row->op;
    op.type = "fused_op";
    op.inputs = "a, b";
    expect_lines(t, netlist_of(t, &op, row->fused_ops), row->lines, row->says);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(functions_of_the_vector_unit), HOIST_TEST_ROW(ops_of_one_input),
                HOIST_TEST_ROW(ops_of_several_inputs), HOIST_TEST_ROW(fused_ops_are_their_sub_ops))
