// Golden runs of single ops that are more than element by element: matmul, sparse matmul,
// depthwise, reduce, embedding, topk. The kernels of every level, bit for bit.
#include <string.h>

#include "base/reader.h"
#include "kernels/compute_testing.h"
#include "tensor/float_bits.h"
#include "vectors.h"

#define MAX_ATTRS HOIST_COMPUTE_MAX_ATTRS

// An input as the op sees it, after its TMs.
typedef struct operand {
    const char *name;       // of the queue; NULL: none
    hoist_tile_shape shape; // more slices than the file has: they repeat
    uint32_t height;        // of a tile; 0: 32
    uint32_t width;
    bool transposed; // the file holds the transposed tensor
} operand;

// What the arch does to a tensor as it enters the op, and files of flat queues.
typedef enum form {
    FORM_PLAIN = 0,
    FORM_TF32,       // Float32 on Wormhole: cut to Tf32
    FORM_FLAT_TABLE, // input 0 is there as host data only, bfloat16
} form;

// clang-format off
static const struct {
    const char *name; // of the case
    const char *out;
    hoist_compute_op op;
    form form;
    int64_t attrs[MAX_ATTRS];
    operand in[3];
    hoist_compute_op then; // what follows, with in[2] if it has a name; or NOTHING
    int64_t then_attr;
} cases[] = {
#define BH "op_tests_bh_test_plan_netlists_hlk_functional_tests_"
#define PERF "op_tests_bh_test_plan_netlists_hlk_perf_tests_prologued_inputs_"
#define NOTHING HOIST_COMPUTE_COUNT
#define CUSTOM(df, how)                                                                            \
    {"custom_matmul_" df, "o_mm", HOIST_GOLDEN_MATMUL, (how), {0},                                 \
     {{.name = "a", .shape = {1, 2, 4}}, {.name = "b", .shape = {1, 4, 2}}}, NOTHING, 0},          \
    {"custom_matmul_" df, "o_mmt", HOIST_GOLDEN_MATMUL, (how), {0},                                \
     {{.name = "a", .shape = {1, 2, 4}}, {.name = "b", .shape = {1, 4, 2}}}, NOTHING, 0},          \
    {"custom_matmul_" df, "o_mmb", HOIST_GOLDEN_MATMUL, (how), {0},                                \
     {{.name = "a", .shape = {1, 2, 4}}, {.name = "b", .shape = {1, 4, 2}},                        \
      {.name = "c", .shape = {1, 2, 2}}}, HOIST_GOLDEN_ADD_ROW, 0},                                \
    {"custom_matmul_" df, "o_mmg", HOIST_GOLDEN_MATMUL, (how), {0},                                \
     {{.name = "a", .shape = {1, 2, 4}}, {.name = "b", .shape = {1, 4, 2}}}, HOIST_GOLDEN_GELU, 0}
#define MATMUL(dir, q0, q1, q2, m, k, n)                                                           \
    {dir, q2, HOIST_GOLDEN_MATMUL, FORM_PLAIN, {0},                                                \
     {{.name = (q0), .shape = {1, m, k}}, {.name = (q1), .shape = {1, k, n}}}, NOTHING, 0}
#define DEPTHWISE(dir, m_k, z, r, c, in_c)                                                         \
    {"op_tests_depthwise_netlist_depthwise_op_" dir, "output0", HOIST_GOLDEN_DEPTHWISE,            \
     FORM_PLAIN, {m_k}, {{.name = "input0", .shape = {z, r, in_c}},                                \
     {.name = "input1", .shape = {z, m_k, c}}}, NOTHING, 0}
#define REDUCE(dir, q, out, axis, group, z, r, c)                                                  \
    {dir, out, HOIST_GOLDEN_REDUCE, FORM_PLAIN, {axis, group}, {{.name = (q), .shape = {z, r, c}}},\
     NOTHING, 0}
    CUSTOM("Float16", FORM_PLAIN),
    CUSTOM("Float16_b", FORM_PLAIN),
    CUSTOM("Float32", FORM_TF32),
    MATMUL(BH "matmul_bfp8_lofi_ublock_1_1", "input0", "input1", "output0", 2, 1, 1),
    MATMUL(BH "matmul_bfp8_lofi_ublock_1_4", "input0", "input1", "output0", 2, 2, 8),
    MATMUL(BH "matmul_bfp8_lofi_ublock_1_8", "input0", "input1", "output0", 2, 2, 16),
    MATMUL(BH "matmul_bfp8_lofi_uk_1", "input0", "input1", "output0", 4, 4, 8),
    MATMUL(BH "matmul_bfp8_lofi_uk_4", "input0", "input1", "output0", 4, 4, 8),
    MATMUL(BH "matmul_bfp8_lofi_sanity", "input0", "input1", "output0", 1, 4, 2),
    MATMUL(BH "matmul_bfp8_lofi_fail_simple", "input0", "input1", "output0", 1, 1, 1),
    MATMUL(BH "matmul_a_b_format", "input0", "input1", "output0", 4, 4, 4),
    MATMUL(PERF "emu_matmul_bfp8_lofi_2x2", "input0", "input1", "output0", 2, 6, 2),
    MATMUL(PERF "matmul_bf8_lofi_ublock_1_1", "input0", "input1", "output0", 2, 1, 2),
    MATMUL("op_tests_bh_test_plan_netlists_matmul_reconfig_df", "q0", "q1", "output", 1, 8, 4),
    {BH "matmul_w_bias", "output", HOIST_GOLDEN_MATMUL, FORM_PLAIN, {0},
     {{.name = "input0", .shape = {1, 4, 4}}, {.name = "input1", .shape = {1, 4, 4}},
      {.name = "input2", .shape = {1, 4, 4}}}, HOIST_GOLDEN_ADD_ROW, 0},
    {BH "matmul_transpose", "output", HOIST_GOLDEN_MATMUL, FORM_PLAIN, {0},
     {{.name = "input0", .shape = {1, 2, 6}},
      {.name = "input1", .shape = {1, 6, 6}, .transposed = true}}, NOTHING, 0},
    {"op_tests_netlist_matmul_accumulate_op", "ModuleBuilder.simple_reduce.output_reduce",
     HOIST_GOLDEN_MATMUL, FORM_PLAIN, {0},
     {{.name = "input_0_reduce", .shape = {4, 1, 2}},
      {.name = "lc.input_tensor.reduce.0", .shape = {4, 2, 2}}}, HOIST_GOLDEN_SUM_Z, 2},
    {BH "netlist_matmul_ident_op_with_32x16_tile_size", "output0", HOIST_GOLDEN_SPARSE_MATMUL,
     FORM_PLAIN, {1, 1, 1, 1, 2, 2, 2, 2, 5, 10, 10, 1},
     {{.name = "input0_sparse", .shape = {1, 1, 5}},
      {.name = "input1", .shape = {1, 4, 4}, .width = 16, .transposed = true},
      {.name = "input2_encoding", .shape = {1, 1, 2}}}, NOTHING, 0},
    DEPTHWISE("basic", 1, 1, 1, 1, 1),
    DEPTHWISE("entries", 1, 1, 1, 1, 1),
    DEPTHWISE("large_output", 1, 1, 4, 9, 9),
    DEPTHWISE("m_k", 3, 1, 1, 1, 3),
    DEPTHWISE("t", 1, 4, 1, 1, 1),
    {"op_tests_depthwise_netlist_depthwise_op_int", "output0", HOIST_GOLDEN_DEPTHWISE, FORM_PLAIN,
     {2}, {{.name = "input_0", .shape = {1, 1, 2}}, {.name = "input_1", .shape = {1, 2, 1}}},
     NOTHING, 0},
    REDUCE("netlist_tests_basic_netlist_reduce", "q0", "output", HOIST_AXIS_COLUMN, 0, 1, 4, 4),
    REDUCE(BH "netlist_reduce_c_dim", "input_0_max0", "ModuleBuilder.simple_max.output_max0",
           HOIST_AXIS_COLUMN, 0, 1, 4, 8),
    REDUCE(BH "netlist_reduce_r_dim", "input_0_max0", "ModuleBuilder.simple_max.output_max0",
           HOIST_AXIS_ROW, 0, 1, 6, 4),
    REDUCE("op_tests_netlist_reduce_c_dim_max_int8", "in0", "out0", HOIST_AXIS_COLUMN, 0, 1, 1, 2),
    REDUCE("op_tests_netlist_reduce_z_dim_max_int8", "input", "output", HOIST_AXIS_Z, 2, 2, 1, 3),
    {"op_tests_netlist_embedding_op",
     "PyTorchModuleBuilder_simple_embedding.output_embedding_0", HOIST_GOLDEN_EMBEDDING,
     FORM_FLAT_TABLE, {64, 1, 2},
     {{.name = "table", .shape = {1, 2, 4}}, {.name = "x", .shape = {1, 1, 1}}}, NOTHING, 0},
    {"op_tests_netlist_embedding_op_mc",
     "PyTorchModuleBuilder_simple_embedding.output_embedding_0", HOIST_GOLDEN_EMBEDDING,
     FORM_FLAT_TABLE, {32, 2, 2},
     {{.name = "table", .shape = {1, 2, 4}}, {.name = "x", .shape = {1, 2, 1}}}, NOTHING, 0},
    {"op_tests_netlist_topk_indices", "output", HOIST_GOLDEN_TOPK, FORM_PLAIN, {32, 1, 0, 1},
     {{.name = "inputs", .shape = {1, 1, 4}}, {.name = "indices", .shape = {1, 1, 4}}}, NOTHING, 0},
};
// clang-format on

static uint32_t or_32(uint32_t edge)
{
    return edge ? edge : HOIST_TILE_DIM;
}

// A tensor of zeros.
static hoist_tiles make_tiles(hoist_test *t, hoist_tile_shape shape)
{
    const size_t count = shape.z * shape.rows * shape.cols * HOIST_TILE_FLOATS;
    char *base = hoist_arena_array(&t->arena, count + 16, sizeof(float));
    memset(base, 0, (count + 16) * sizeof(float));
    base += -(uintptr_t)base % 64;
    return (hoist_tiles){(float *)(void *)base, NULL, shape};
}

static float *tile_element(const hoist_tiles *tiles, uint64_t z, uint64_t row, uint64_t col,
                           const uint32_t tile[2])
{
    const hoist_tile_shape *s = &tiles->shape;
    const uint64_t n = (z * s->rows + row / tile[0]) * s->cols + col / tile[1];
    return tiles->base + n * HOIST_TILE_FLOATS + row % tile[0] * HOIST_TILE_DIM + col % tile[1];
}

// The floats of the first entry of a queue; NULL when the file is missing or of no such size.
static const float *read_floats(hoist_test *t, const char *prefix, form how, size_t *out_count)
{
    const bool flat = how == FORM_FLAT_TABLE;
    const hoist_str path =
        hoist_arena_format(&t->arena, "%s%s", prefix, flat ? ".host.npy" : ".e0.f32.npy");
    const hoist_bytes bytes = vectors_npy(t, path.data);
    *out_count = bytes.size / (flat ? 2 : 4);
    float *floats = hoist_arena_array(&t->arena, *out_count + 1, sizeof *floats);
    for (size_t i = 0; bytes.data && i < *out_count; i++) {
        uint32_t bits = flat ? (uint32_t)hoist_load_u16le(bytes.data + 2 * i) << 16
                             : hoist_load_u32le(bytes.data + 4 * i);
        bits = how == FORM_TF32 ? bits & 0xffffe000 : bits;
        floats[i] = hoist_f32_from_bits(bits);
    }
    return bytes.data ? floats : NULL;
}

static bool load_operand(hoist_test *t, const char *directory, const operand *in, form how,
                         hoist_tiles *out_tiles)
{
    const uint32_t tile[2] = {or_32(in->height), or_32(in->width)};
    const uint64_t rows = in->shape.rows * tile[0];
    const uint64_t cols = in->shape.cols * tile[1];
    size_t count = 0;
    const char *prefix = hoist_arena_format(&t->arena, "%s/in_%s", directory, in->name).data;
    const float *floats = read_floats(t, prefix, how, &count);
    *out_tiles = make_tiles(t, in->shape);
    const uint64_t slices = count / (rows * cols);
    HOIST_EXPECT(t, floats && slices > 0);
    if (!floats || slices == 0) {
        return false;
    }
    for (uint64_t z = 0; z < in->shape.z; z++) {
        for (uint64_t i = 0; i < rows; i++) {
            for (uint64_t j = 0; j < cols; j++) {
                const uint64_t at = in->transposed ? j * rows + i : i * cols + j;
                *tile_element(out_tiles, z, i, j, tile) = floats[z % slices * rows * cols + at];
            }
        }
    }
    return true;
}

// Runs `call`, whose output becomes a new tensor.
static void run(hoist_test *t, const hoist_compute_kernels *kernels, hoist_compute_call *call)
{
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    char why[HOIST_COMPUTE_WHY];
    for (size_t i = 0; i < call->input_count; i++) {
        operands[i] = hoist_compute_tiles(call->inputs[i].shape);
    }
    operands[call->input_count].dtype = HOIST_DTYPE_F32;
    HOIST_EXPECT_EQ(t, hoist_compute_infer(call->op, &call->attrs, operands, why), HOIST_FIT_OK);
    const int64_t *dim = operands[call->input_count].shape.dim;
    const hoist_tile_shape shape = {(uint64_t)dim[0], (uint64_t)dim[1], (uint64_t)dim[2]};
    call->output = make_tiles(t, shape);
    hoist_compute_fault fault;
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, call, 0, hoist_compute_work(call), &fault),
                    HOIST_OK);
}

static void compare_output(hoist_test *t, const char *directory, const char *name,
                           const hoist_compute_kernels *kernels, const hoist_tiles *got,
                           const uint32_t tile[2])
{
    const hoist_tile_shape *s = &got->shape;
    const uint64_t rows = s->rows * tile[0];
    const uint64_t cols = s->cols * tile[1];
    const size_t count = s->z * rows * cols;
    const hoist_bytes file =
        vectors_npy(t, hoist_arena_format(&t->arena, "%s/out_%s.f32.npy", directory, name).data);
    HOIST_EXPECT(t, file.data && file.size % (count * sizeof(float)) == 0);
    if (!file.data || file.size < count * sizeof(float)) {
        return;
    }
    float *wanted = hoist_arena_array(&t->arena, count, sizeof *wanted);
    float *flat = hoist_arena_array(&t->arena, count, sizeof *flat);
    for (size_t i = 0; i < count; i++) {
        wanted[i] = hoist_f32_from_bits(hoist_load_u32le(file.data + 4 * i));
        flat[i] = *tile_element(got, i / (rows * cols), i / cols % rows, i % cols, tile);
    }
    vectors_compare_floats(t, compute_kernels_name(kernels), flat, wanted, count);
}

HOIST_TEST_TABLE(single_ops, cases)
{
    const char *root = hoist_test_corpus(t, "buda-golden");
    if (!root) {
        hoist_test_skip(t, "the corpus is absent");
        return;
    }
    const char *directory = hoist_arena_format(&t->arena, "%s/%s", root, row->name).data;
    hoist_tiles in[3];
    size_t count = 0;
    for (; count < 3 && row->in[count].name; count++) {
        const form how = row->form == FORM_FLAT_TABLE && count > 0 ? FORM_PLAIN : row->form;
        if (!load_operand(t, directory, &row->in[count], how, &in[count])) {
            return;
        }
    }
    const uint8_t inputs = hoist_compute_get(row->op)->inputs;
    const uint32_t tile[2] = {HOIST_TILE_DIM, or_32(count > 1 ? row->in[1].width : 0)};
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        const hoist_compute_kernels *kernels = hoist_compute_kernels_at(level);
        hoist_compute_call call = {.op = row->op, .input_count = inputs};
        memcpy(call.inputs, in, inputs * sizeof *in);
        for (size_t i = 0; i < MAX_ATTRS; i++) {
            call.attrs.value[i].integer = row->attrs[i];
        }
        run(t, kernels, &call);
        if (row->then != HOIST_COMPUTE_COUNT) {
            hoist_compute_call then = {.op = row->then, .input_count = count > 2 ? 2 : 1};
            then.attrs.value[0].integer = row->then_attr;
            then.inputs[0] = call.output;
            then.inputs[1] = in[2];
            run(t, kernels, &then);
            call.output = then.output;
        }
        compare_output(t, directory, row->out, kernels, &call.output, tile);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(single_ops))
