// What a test-config gives the inputs of a test, and how near it takes results to be: the choice of
// a config by names and patterns, each type's numbers, and the findings of what cannot be followed.
#include <math.h>
#include <string.h>

#include "base/buffer.h"
#include "formats/buda/netlist_testing.h"
#include "formats/buda/stimulus.h"

#define NETLIST(stimulus)                                                                          \
    "devices: {arch: grayskull}\n"                                                                 \
    "queues:\n"                                                                                    \
    "  q: {type: queue, input: HOST, entries: 1, grid_size: [1, 1], t: 1, mblock: [1, 1], "        \
    "ublock: [1, 2], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x1000]]}\n"             \
    "test-config:\n"                                                                               \
    "  comparison-config: {type: AllCloseHw, atol: 0.5, check_pct: 0.9, check_pcc: "               \
    "0.98}\n" stimulus

static const struct {
    const char *name;
    const char *text;
    const char *found; // elements 0, 1, 31, 32 and 64 (the next row), or what is reported
} cases[] = {
    {"a constant", NETLIST("  stimulus-config: {type: constant, constant_value: 2.5}\n"),
     "2.5 2.5 2.5 2.5 2.5"},
    {"an override by name",
     NETLIST("  stimulus-config: {type: Constant, constant_value: 1, "
             "overrides: {.*: {type: Constant, constant_value: 2}, "
             "q: {type: Constant, constant_value: 3}}}\n"),
     "3 3 3 3 3"},
    {"an override by a pattern",
     NETLIST("  stimulus-config: {type: Constant, constant_value: 1, "
             "overrides: {q.+: {type: Constant, constant_value: 2}, "
             "q.*: {type: Constant, constant_value: 4}}}\n"),
     "4 4 4 4 4"},
    {"a pattern of something else",
     NETLIST("  stimulus-config: {type: Constant, constant_value: 1, "
             "overrides: {'[q]': {type: Constant, constant_value: "
             "2}, \"q\\\\.\": {type: Constant, constant_value: 4}}}\n"),
     "1 1 1 1 1"},
    {"numbers of tiles",
     NETLIST("  stimulus-config: {type: DebugTileId, debug_tile_id_base: 1, "
             "debug_tile_id_step: 2}\n"),
     "1 1 1 3 1"},
    {"steps, tile by tile",
     NETLIST("  stimulus-config: {type: Step, step_start: 1, "
             "step_increment: 2}\n"),
     "1 3 63 2049 65"},
    {"steps of rows",
     NETLIST("  stimulus-config: {type: StepRowwise, step_start: 0, "
             "step_increment: 2}\n"),
     "0 2 62 32 0"},
    {"steps of columns",
     NETLIST("  stimulus-config: {type: StepColumnwise, step_start: 0, "
             "step_increment: 2}\n"),
     "0 0 0 0 2"},
    {"a part of a tile",
     NETLIST("  stimulus-config: {type: Constant, constant_value: 1, "
             "set_tile_rows: [1, 1], set_tile_cols: [2, 32]}\n"),
     "0 1 1 0 0"},
    {"a range of one number",
     NETLIST("  stimulus-config: {type: Uniform, uniform_lower_bound: 2, "
             "uniform_upper_bound: 2}\n"),
     "2 2 2 2 2"},
    {"a normal one of no deviation",
     NETLIST("  stimulus-config: {type: Normal, normal_mean: -1, "
             "normal_stddev: 0}\n"),
     "-1 -1 -1 -1 -1"},
    {"no type", NETLIST("  stimulus-config: {constant_value: 1}\n"),
     "5:20: warning: the stimulus of 'q' has no type that is known [BUDA-905]"},
    {"no value", NETLIST("  stimulus-config: {type: Constant}\n"),
     "the stimulus of 'q' is constant, expected constant_value"},
    {"no number", NETLIST("  stimulus-config: {type: Constant, constant_value: x}\n"),
     "has a value that is no number"},
    {"bounds the wrong way",
     NETLIST("  stimulus-config: {type: Uniform, uniform_lower_bound: 2, "
             "uniform_upper_bound: 1}\n"),
     "is uniform, expected uniform_lower_bound and uniform_upper_bound, not below it"},
    {"rows that are not there",
     NETLIST("  stimulus-config: {type: Constant, constant_value: 1, "
             "set_tile_rows: [1, 33]}\n"),
     "sets rows or columns that a tile does not have"},
    {"no matmul", NETLIST("  stimulus-config: {type: sparse}\n"),
     "is sparse, expected matmul_ident_name"},
    {"a matmul that is not there",
     NETLIST("  stimulus-config: {type: sparse_encoding, "
             "matmul_ident_name: m}\n"),
     "the stimulus for matmul 'm' names an op that is not there"},
};

static const int64_t shape[] = {1, 32, 64};

static hoist_status give(hoist_module *module, hoist_test *t, uint64_t seed, double *values)
{
    const hoist_test_input input = {.struct_size = sizeof input,
                                    .port = HOIST_STR("q"),
                                    .shape = shape,
                                    .rank = 3,
                                    .dtype = HOIST_DTYPE_F16,
                                    .seed = seed};
    return buda_test_input(module, &input, hoist_allocator_system(), t->diag, values);
}

static hoist_module *read_text(hoist_test *t, const char *text)
{
    hoist_module *module = NULL;
    const hoist_str all = hoist_str_from(text);
    HOIST_EXPECT_EQ(t,
                    hoist_buda_format.read((hoist_bytes){(const uint8_t *)all.data, all.size},
                                           &(hoist_read_options){.alloc = hoist_allocator_system()},
                                           t->diag, &module),
                    HOIST_OK);
    return module;
}

HOIST_TEST_TABLE(stimuli, cases)
{
    static double values[32 * 64];
    hoist_module *module = read_text(t, row->text);
    if (!module) {
        return;
    }
    const hoist_status status = give(module, t, 0, values);
    if (status == HOIST_OK) {
        HOIST_EXPECT_STR(t,
                         hoist_arena_format(&t->arena, "%g %g %g %g %g", values[0], values[1],
                                            values[31], values[32], values[64]),
                         row->found);
    } else {
        HOIST_EXPECT_EQ(t, status, HOIST_INVALID);
        HOIST_EXPECT(t, hoist_str_contains(hoist_test_findings(t), strchr(row->found, 't')));
    }
    hoist_buda_format.destroy(module);
}

// Without a config numbers are uniform from 0.001 to 1; another seed gives others.
HOIST_TEST(no_config)
{
    static double values[2][32 * 64];
    hoist_module *module = read_text(t, NETLIST(""));
    if (!module) {
        return;
    }
    HOIST_EXPECT_EQ(t, give(module, t, 0, values[0]), HOIST_OK);
    HOIST_EXPECT_EQ(t, give(module, t, 1, values[1]), HOIST_OK);
    HOIST_EXPECT(t, memcmp(values[0], values[1], sizeof values[0]) != 0);
    for (size_t i = 0; i < 32 * 64; i++) {
        HOIST_EXPECT(t, values[0][i] >= 0.001 && values[0][i] <= 1);
    }
    hoist_test_limits limits = {.struct_size = sizeof limits};
    HOIST_EXPECT_EQ(t, buda_test_limits(module, HOIST_STR("q"), t->diag, &limits), HOIST_OK);
    HOIST_EXPECT(t, !limits.exact && limits.atol == 0.5 && limits.rtol == 1e-4 &&
                        limits.share == 0.9 && limits.by_pcc && limits.pcc == 0.98);
    hoist_buda_format.destroy(module);
}

#define QUEUE(name, columns, df)                                                                   \
    "  " name ": {type: queue, input: HOST, entries: 1, grid_size: [1, 1], t: 1, mblock: [1, 1], " \
    "ublock: [1, " columns "], df: " df ", target_device: 0, loc: dram, dram: [[0, 0x1000]]}\n"
#define MATMUL(attributes)                                                                         \
    "devices: {arch: grayskull}\n"                                                                 \
    "queues:\n" QUEUE("s", "2", "Float16") QUEUE("q", "1", "Float16") QUEUE(                       \
        "e", "1",                                                                                  \
        "RawUInt32") "graphs:\n  g:\n    target_device: 0\n    input_count: 1\n"                   \
                     "    m: {type: matmul, grid_loc: [0, 0], grid_size: [1, 1], inputs: [s, q, "  \
                     "e], t: 1, "                                                                  \
                     "mblock: [1, 1], ublock: [1, 1], attributes: {m_k: 4, u_kt: 1, identity: "    \
                     "true, "                                                                      \
                     "num_sparse_tiles: 2, num_index_tiles: 1" attributes "}}\n"                   \
                     "test-config:\n  stimulus-config: {type: Constant, constant_value: 3}\n"

// The config is for the queues of other ops: the matmul's have a 1 in each row, and an encoding of
// at least one strip, which is the last of its tile.
static const struct {
    const char *name;
    const char *text;
    bool is_made;
} matmuls[] = {
    {"an encoding", MATMUL(", sparse_tile_ptr_bits: 4, sparse_ublock_idx_bits: 4"), true},
    {"an older one, which is not made", MATMUL(""), false},
};

HOIST_TEST_TABLE(constants_of_matmuls, matmuls)
{
    static double values[32 * 64];
    hoist_module *module = read_text(t, row->text);
    if (!module) {
        return;
    }
    const int64_t one[] = {1, 32, 32};
    hoist_test_input input = {.struct_size = sizeof input,
                              .port = HOIST_STR("e"),
                              .shape = one,
                              .rank = 3,
                              .dtype = HOIST_DTYPE_TT_RAW32};
    HOIST_EXPECT_EQ(t, buda_test_input(module, &input, hoist_allocator_system(), t->diag, values),
                    HOIST_OK);
    HOIST_EXPECT(t, row->is_made ? values[0] >= 0x40000000 && values[1023] == 0
                                 : values[0] == 3 && values[1023] == 3);
    input.port = HOIST_STR("s");
    input.shape = shape;
    input.dtype = HOIST_DTYPE_F16;
    HOIST_EXPECT_EQ(t, buda_test_input(module, &input, hoist_allocator_system(), t->diag, values),
                    HOIST_OK);
    double sum = 0;
    for (size_t i = 0; i < 32; i++) {
        sum += values[64 * 5 + i]; // a row of the first tile
    }
    HOIST_EXPECT(t, sum == (row->is_made ? 1 : 96));
    hoist_buda_format.destroy(module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(stimuli), HOIST_TEST_ROW(no_config),
                HOIST_TEST_ROW(constants_of_matmuls))
