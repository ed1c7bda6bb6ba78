#include "formats/buda/netlist_testing.h"

// A netlist that breaks no rule. One line per object, so that a row below can name its place.
static const char base[] =
    /*  1 */
    "devices: {arch: [wormhole_b0, grayskull, blackhole]}\n"
    /*  2 */ "queues:\n"
    /*  3 */ "  q0: {type: queue, input: HOST, entries: 4, grid_size: [1, 2], t: 1, "
    "mblock: [1, 1], ublock: [1, 1], df: Float16, target_device: 0, loc: dram, "
    "dram: [[0, 0x10000000], [1, 0x10000000]]}\n"
    /*  4 */ "  w0: {type: ram, input: HOST, entries: 2, grid_size: [1, 1], t: 2, mblock: [1, 1], "
    "ublock: [1, 2], df: Float16, target_device: 0, loc: dram, dram: [[2, 0x10000000]]}\n"
    /*  5 */ "  w1: {type: ram, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], "
    "ublock: [1, 2], df: Float16, target_device: 0, loc: dram, dram: [[2, 0x10000000]], "
    "alias: w0}\n"
    /*  6 */ "  h0: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, "
    "mblock: [1, 1], ublock: [1, 2], df: Float16, target_device: 0, loc: host, "
    "host: [0x20000000]}\n"
    /*  7 */ "  f0: {type: queue, input: HOST, entries: 4, grid_size: [1, 1], t: 1, "
    "mblock: [1, 1], ublock: [2, 1], df: Float16, target_device: 0, loc: dram, "
    "dram: [[3, 0x10000000]], layout: flat}\n"
    /*  8 */ "  o0: {type: queue, input: y, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], "
    "ublock: [1, 2], df: Float16, target_device: 1, loc: dram, dram: [[0, 0x10000000]]}\n"
    /*  9 */ "graphs:\n"
    /* 10 */ "  g0:\n"
    /* 11 */ "    target_device: 0\n"
    /* 12 */ "    input_count: 2\n"
    /* 13 */ "    x: {type: add, grid_loc: [0, 0], grid_size: [1, 2], inputs: [q0, w1], "
    "in_df: [Float16, Float16], out_df: Float16, intermed_df: Float16, acc_df: Float16, "
    "math_fidelity: HiFi3, buf_size_mb: 2, t: 1, mblock: [1, 1], ublock: [1, 1]}\n"
    /* 14 */ "    z: {type: nop, grid_loc: [1, 0], grid_size: [2, 1], inputs: [h0], "
    "in_df: [Float16], out_df: Float16, intermed_df: Float16, acc_df: Float16, "
    "math_fidelity: HiFi3, buf_size_mb: 2, t: 1, mblock: [1, 1], ublock: [1, 2], "
    "grid_transpose: true}\n"
    /* 15 */ "    v: {type: tilizer, grid_loc: [9, 7], grid_size: [1, 1], inputs: [f0], "
    "in_df: [Float16], out_df: Float16, intermed_df: Float16, acc_df: Float16, "
    "math_fidelity: HiFi3, buf_size_mb: 2, t: 1, mblock: [1, 1], ublock: [2, 1]}\n"
    /* 16 */ "  g1:\n"
    /* 17 */ "    target_device: 1\n"
    /* 18 */ "    input_count: 2\n"
    /* 19 */ "    y: {type: nop, grid_loc: [0, 0], grid_size: [1, 1], inputs: [x], "
    "in_df: [Float16], out_df: Float16, intermed_df: Float16, acc_df: Float16, "
    "math_fidelity: HiFi3, buf_size_mb: 2, t: 1, mblock: [1, 1], ublock: [1, 2]}\n"
    /* 20 */ "  g2:\n"
    /* 21 */ "    target_device: 0\n"
    /* 22 */ "    input_count: 2\n"
    /* 23 */ "    u: {type: nop, grid_loc: [0, 0], grid_size: [1, 2], inputs: [q0], "
    "in_df: [Float16], out_df: Float16, intermed_df: Float16, acc_df: Float16, "
    "math_fidelity: HiFi3, buf_size_mb: 2, t: 1, mblock: [1, 1], ublock: [1, 1]}\n"
    /* 24 */ "programs:\n"
    /* 25 */ "  - p0:\n"
    /* 26 */ "      - execute: {graph_name: g0}\n"
    /* 27 */ "      - execute: {graph_name: g1}\n"
    /* 28 */ "      - execute: {graph_name: g2}\n"
    /* 29 */ "  - p1:\n"
    /* 30 */ "      - execute: {graph_name: g2}\n";

// Checks the structure alone.
static void check(hoist_test *t, hoist_bytes text, const char *arch)
{
    buda_opened opened;
    if (buda_test_open(t, text, arch, &opened)) {
        HOIST_EXPECT_EQ(t, buda_check_structure(&opened.check), HOIST_OK);
        buda_test_close(&opened);
    }
}

HOIST_TEST(base_is_clean)
{
    check(t, buda_test_patched(t, base, NULL, NULL), NULL);
    HOIST_EXPECT_RULE(t, NULL);
}

// clang-format off
static const struct {
    const char *name;
    const char *find; // in base
    const char *put;
    const char *rule;
    uint32_t line;
    uint32_t column;
    const char *says;
} cases[] = {
    {"two queues of a name", "  w1: {", "  w0: {", "BUDA-004a", 5, 3,
     "queue name 'w0' is used twice, first in line 4"},
    {"two graphs of a name", "  g1:\n", "  g0:\n", "BUDA-004a", 16, 3,
     "graph name 'g0' is used twice, first in line 10"},
    {"two ops of a name in one graph", "    z: {", "    x: {", "BUDA-004a", 14, 5,
     "op name 'x' is used twice, first in line 13"},
    {"two ops of a name in two graphs", "    u: {", "    z: {", "BUDA-004a", 23, 5,
     "op name 'z' is used twice, first in line 14"},
    {"two programs of a name", "  - p1:", "  - p0:", "BUDA-004a", 29, 5,
     "program name 'p0' is used twice, first in line 25"},
    {"a device twice", "target_device: 0, loc: dram, dram: [[3", "target_device: [0, 0], loc: dram, dram: [[3",
     "BUDA-004a", 7, 3, "queue name 'f0.0' is used twice"},

    {"a buffer too few", "dram: [[0, 0x10000000], [1, 0x10000000]]", "dram: [[0, 0x10000000]]",
     "BUDA-009", 3, 151, "queue 'q0' has 1 dram item, its grid [1, 2] needs 2"},
    {"a buffer too many", "[[2, 0x10000000]]", "[[2, 0x10000000], [3, 0x0]]", "BUDA-009", 4, 149,
     "has 2 dram items, its grid [1, 1] needs 1"},
    {"host buffers too many", "host: [0x20000000]", "host: [0x20000000, 0x21000000]", "BUDA-009", 6,
     151, "has 2 host items"},

    {"queue fed by nothing", "input: y", "input: opx", "BUDA-010", 8, 28,
     "input 'opx' of queue 'o0' is neither HOST nor an op"},
    {"host in small letters", "input: HOST", "input: host", "BUDA-010", 3, 28, "neither HOST"},
    {"queue fed by a queue", "input: y", "input: q0", "BUDA-010", 8, 28, "'q0'"},

    {"input that is nothing", "inputs: [h0]", "inputs: [q9]", "BUDA-011", 14, 66,
     "input 'q9' of op 'z' is neither a queue nor an op"},
    {"second input that is nothing", "inputs: [q0, w1]", "inputs: [q0, g0]", "BUDA-011", 13, 70,
     "input 'g0' of op 'x'"},

    {"two producers", "    u: {", "    y: {", "BUDA-012", 8, 28, "fed by 2 ops named 'y'"},

    {"tiles of queue and producer differ", "target_device: 1, loc", "tile_dim: [16, 32], target_device: 1, loc",
     "BUDA-013", 8, 123, "queue 'o0' has tile_dim [16, 32], op 'y' that feeds it has [32, 32]"},
    {"tiles differ, queue's not written", "inputs: [x]", "tile_dim: [32, 16], inputs: [x]", "BUDA-013", 8, 3,
     "queue 'o0' has tile_dim [32, 32], op 'y' that feeds it has [32, 16]"},

    {"a format too few", "in_df: [Float16, Float16]", "in_df: [Float16]", "BUDA-014", 13, 82,
     "op 'x' has 1 in_df for 2 inputs"},
    {"a format too many", "inputs: [h0], in_df: [Float16]", "inputs: [h0], in_df: [Float16, Float16]", "BUDA-014",
     14, 78, "has 2 in_df for 1 input,"},
    {"io buffer sizes too many", "inputs: [h0]", "input_dram_io_buf_size_tiles: [0, 0], inputs: [h0]",
     "BUDA-014", 14, 87, "2 input_dram_io_buf_size_tiles for 1 input"},
    {"minimum sizes too many, as real files have", "inputs: [h0]", "input_buf_min_size_tiles: [0, 0], inputs: [h0]",
     NULL, 0, 0, NULL},

    {"input_count 0", "    input_count: 2\n    y", "    input_count: 0\n    y", "BUDA-015", 18, 18,
     "input_count of graph 'g1' is 0, expected 1 or more"},
    {"readers of different input_count", "    input_count: 2\n    u", "    input_count: 4\n    u",
     "BUDA-015", 13, 66,
     "graph 'g0' has input_count 2, graph 'g2', which reads queue 'q0' as well, has 4"},

    {"two ops on a core", "grid_loc: [1, 0]", "grid_loc: [0, 1]", "BUDA-017", 14, 30,
     "op 'z' takes core [0, 1], which op 'x' (line 13) has"},
    {"the same grid upright", "grid_transpose: true", "grid_transpose: false", NULL, 0, 0, NULL},
    {"transposed grid meets an op", "grid_loc: [9, 7]", "grid_loc: [1, 1]", "BUDA-017", 15, 34,
     "op 'v' takes core [1, 1], which op 'z'"},
    {"grid beyond the rows", "grid_loc: [9, 7]", "grid_loc: [10, 7]", "BUDA-017", 15, 34,
     "takes cores [10, 7] to [10, 7], the worker grid of wormhole_b0 has 10 rows and 8 columns"},
    {"grid beyond the columns", "grid_loc: [9, 7]", "grid_loc: [9, 8]", "BUDA-017", 15, 34, "[9, 8] to [9, 8]"},
    {"grid before the first row", "grid_loc: [9, 7]", "grid_loc: [-1, 7]", "BUDA-017", 15, 34, "[-1, 7]"},
    {"grid beyond 64 bits", "grid_loc: [9, 7], grid_size: [1, 1]",
     "grid_loc: [9223372036854775807, 9223372036854775807], grid_size: [2, 2]", "BUDA-017", 15, 34,
     "takes cores [9223372036854775807, 9223372036854775807] to [9223372036854775807, 9223372036854775807]"},
    {"huge grid", "grid_loc: [9, 7], grid_size: [1, 1]",
     "grid_loc: [9, 7], grid_size: [2147483647, 2147483647]", "BUDA-017", 15, 34, "takes cores [9, 7] to"},

    {"addresses of 32 bytes on wormhole", "[[0, 0x10000000], [1, 0x10000000]]", "[[0, 0x10000020], [1, 0x10000020]]",
     NULL, 0, 0, NULL},

    {"alias of itself", "alias: w0", "alias: w1", "BUDA-019", 5, 175, "queue 'w1' is an alias of itself"},
    {"alias of nothing", "alias: w0", "alias: w9", "BUDA-019", 5, 175, "'w9', which is no queue"},
    {"alias of an alias", "  w0: {", "  w0: {alias: w1, ", "BUDA-019", 5, 175, "which is itself an alias"},
    {"alias of a queue", "  w0: {type: ram", "  w0: {type: queue", "BUDA-019", 5, 175,
     "'w0', one of two aliases, is of type queue"},
    {"alias that is a queue", "  w1: {type: ram", "  w1: {type: queue", "BUDA-019", 5, 177, "'w1', one of two"},
    {"alias with other buffers", "[[2, 0x10000000]], alias", "[[3, 0x10000000]], alias", "BUDA-019", 5, 175,
     "queue 'w1' and its alias 'w0' have different buffers"},
    {"alias in another memory", "loc: dram, dram: [[2, 0x10000000]], alias", "loc: host, host: [0x10000000], alias",
     "BUDA-019", 5, 170, "different buffers"},
    {"alias with more elements", "  w1: {type: ram, input: HOST, entries: 4", "  w1: {type: ram, input: HOST, entries: 8",
     "BUDA-019", 5, 175,
     "queue 'w1' has 16384 elements in 8 entries, its alias 'w0' has 8192 in 2"},
    {"alias with entries that do not divide", "  w1: {type: ram, input: HOST, entries: 4",
     "  w1: {type: ram, input: HOST, entries: 3", "BUDA-019", 5, 175,
     "has 3 entries, its alias 'w0' has 2, expected one a multiple of the other"},

    {"alias of more elements than can be counted",
     "  w1: {type: ram, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [1, 1], ublock: [1, 2]",
     "  w1: {type: ram, input: HOST, entries: 4, grid_size: [1, 1], t: 1, mblock: [2147483647, 2147483647], ublock: [2147483647, 2]",
     NULL, 0, 0, NULL},

    {"op with the name of a queue", "    u: {", "    h0: {", "BUDA-020a", 23, 5,
     "op 'h0' has the name of the queue in line 6"},

    {"unused queue", "inputs: [h0]", "inputs: [q0]", "BUDA-020b", 6, 3,
     "queue 'h0' is read by no op and named by no program"},
    {"unused graph", "graph_name: g1", "graph_name: g0", "BUDA-020b", 16, 3,
     "graph 'g1' is executed by no program"},
    {"queue that a program allocates", "      - execute: {graph_name: g0}\n", "      - execute: {graph_name: g0}\n      - allocate_queue: [h1]\n", NULL, 0, 0, NULL},

    {"cross-graph on one device", "    target_device: 1", "    target_device: 0", "BUDA-058", 19, 66,
     "expected a graph of the same temporal epoch"},

    {"tilizer with another ublock", "ublock: [2, 1]}\n  g1", "ublock: [1, 2]}\n  g1", "BUDA-091", 15, 217,
     "tilizer 'v' has ublock [1, 2], its input queue 'f0' has [2, 1]"},

    {"fork of no queue", "inputs: [h0]", "forked_dram_inputs: [q9: x], inputs: [h0]", "BUDA-093", 14, 78,
     "forked input 'q9' is no queue"},
    {"fork of a host queue", "inputs: [h0]", "forked_dram_inputs: [h0: x], inputs: [h0]", "BUDA-093", 14, 78,
     "forked input 'h0' is not in DRAM"},
    {"fork of no input", "inputs: [h0]", "forked_dram_inputs: [q0: x], inputs: [h0]", "BUDA-093", 14, 78,
     "forked input 'q0' is no input of this op"},
    {"fork to an op of another graph", "inputs: [q0, w1]", "forked_dram_inputs: [q0: u], inputs: [q0, w1]", "BUDA-093", 13, 82,
     "forked input 'q0' names 'u', which is no op of graph 'g0'"},
    {"fork to no op", "inputs: [q0, w1]", "forked_dram_inputs: [q0: k], inputs: [q0, w1]", "BUDA-093", 13, 82,
     "names 'k'"},
    {"more forks than inputs", "inputs: [h0]", "forked_dram_inputs: [h0: x, q0: x], inputs: [h0]", "BUDA-093", 14, 77,
     "op 'z' has 2 forked inputs, it has 1 input"},

    {"a read port too few", "loc: dram, dram: [[0", "read_ports: [0], loc: dram, dram: [[0", "BUDA-094", 3, 146,
     "read_ports of queue 'q0' has 1 value, its grid has 2 buffers"},
    {"a read port of 3", "loc: dram, dram: [[0", "read_ports: [0, 3], loc: dram, dram: [[0", "BUDA-094", 3, 150,
     "read_ports of queue 'q0' has 3, expected 0 to 2"},
    {"a write port below 0", "loc: dram, dram: [[3", "write_ports: [-1], loc: dram, dram: [[3", "BUDA-094", 7, 148,
     "write_ports of queue 'f0' has -1"},
};
// clang-format on

HOIST_TEST_TABLE(broken, cases)
{
    check(t, buda_test_patched(t, base, row->find, row->put), NULL);
    if (row->rule) {
        buda_test_expect(t, row->rule, row->line, row->column, row->says);
    } else {
        HOIST_EXPECT_RULE(t, NULL);
    }
}

// clang-format off
static const struct {
    const char *arch;
    const char *name;
    const char *find; // in base
    const char *put;
    const char *rule;
    uint32_t line;
    uint32_t column;
    const char *says;
} arch_cases[] = {
    {"blackhole", "blackhole has more columns", "grid_loc: [9, 7]", "grid_loc: [9, 13]", NULL, 0, 0, NULL},
    {"blackhole", "addresses of 64 bytes", NULL, NULL, NULL, 0, 0, NULL},
    {"blackhole", "addresses of 32 bytes", "[[0, 0x10000000], [1, 0x10000000]]", "[[0, 0x10000040], [1, 0x10000020]]", "BUDA-018", 3, 173,
     "queue 'q0' has DRAM address 0x10000020 (1 of 2 addresses), expected a multiple of 64"},
    {"blackhole", "an odd address", "[[3, 0x10000000]]", "[[3, 0x10000001]]", "BUDA-018", 7, 156, "0x10000001"},
    {"grayskull", "cross-graph on grayskull", NULL, NULL, NULL, 0, 0, NULL},
    {"grayskull", "cross-graph on one grayskull", "    target_device: 1", "    target_device: 0", "BUDA-058", 19, 66,
     "op 'y' reads op 'x' of graph 'g0'; expected a graph of the same temporal epoch"},
};
// clang-format on

HOIST_TEST_TABLE(broken_on_other_architectures, arch_cases)
{
    check(t, buda_test_patched(t, base, row->find, row->put), row->arch);
    if (row->rule) {
        buda_test_expect(t, row->rule, row->line, row->column, row->says);
    } else {
        HOIST_EXPECT_RULE(t, NULL);
    }
}

// Queues and a graph on two devices each.
static const char copies[] = "devices: {arch: wormhole_b0}\n"
                             "queues:\n"
                             "  q: {type: queue, input: HOST, entries: 2, grid_size: [1, 1], t: 1, "
                             "mblock: [1, 1], ublock: [1, 1], df: Float16, target_device: [0, 1], "
                             "loc: dram, dram: [[0, 0x10000000]]}\n"
                             "  o: {type: queue, input: x, entries: 2, grid_size: [1, 1], t: 1, "
                             "mblock: [1, 1], ublock: [1, 1], df: Float16, target_device: [0, 1], "
                             "loc: dram, dram: [[0, 0x20000000]]}\n"
                             "graphs:\n"
                             "  g:\n"
                             "    target_device: [0, 1]\n"
                             "    input_count: 1\n"
                             "    x: {type: nop, grid_loc: [0, 0], grid_size: [1, 1], "
                             "inputs: [q], in_df: [Float16], out_df: Float16, "
                             "intermed_df: Float16, acc_df: Float16, math_fidelity: HiFi3, "
                             "buf_size_mb: 2, t: 1, mblock: [1, 1], ublock: [1, 1]}\n"
                             "programs:\n"
                             "  - p:\n"
                             "      - execute: {graph_name: g, queue_settings: {q: "
                             "{rd_ptr_local: 0, rd_ptr_global: 0}}}\n";

// clang-format off
static const struct {
    const char *name;
    const char *find; // in copies
    const char *put;
    const char *rule; // NULL: none
} copied[] = {
    {"all is well",          NULL,            NULL,                      NULL       },
    {"input of both copies", "inputs: [q]",   "inputs: [y]",             "BUDA-011" },
    {"feed of both copies",  "input: x",      "input: y",                "BUDA-010" },
    {"tiles of both copies", "inputs: [q]",   "tile_dim: [16, 32], inputs: [q]", "BUDA-013"},
    {"cores of both copies", "grid_loc: [0, 0]", "grid_loc: [0, 8]",     "BUDA-017" },
};
// clang-format on

// What all copies of an object share is reported once.
HOIST_TEST_TABLE(copies_are_checked_once, copied)
{
    check(t, buda_test_patched(t, copies, row->find, row->put), NULL);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), row->rule ? 1 : 0);
    HOIST_EXPECT_RULE(t, row->rule);
}

HOIST_TEST(input_missing_on_one_device)
{
    check(t,
          buda_test_patched(t, copies,
                            "df: Float16, target_device: [0, 1], loc: dram, dram: [[0, 0x1",
                            "df: Float16, target_device: [0, 2], loc: dram, dram: [[0, 0x1"),
          NULL);
    buda_test_expect(t, "BUDA-011", 9, 66, "input 'q' of op 'x'");
}

HOIST_TEST(object_path)
{
    check(t, buda_test_patched(t, copies, "inputs: [q]", "inputs: [y]"), NULL);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "graphs/g/ops/x");
}

// Reads and checks with the n-th request for memory failing.
static hoist_status check_failing(hoist_test *t, size_t fail_at, size_t *out_requests)
{
    const hoist_bytes text = {(const uint8_t *)base, sizeof(base) - 1};
    hoist_failing failing = {.parent = hoist_allocator_system()};
    const hoist_read_options options = {.alloc = hoist_failing_allocator(&failing, 0)};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, hoist_buda_format.read(text, &options, t->diag, &module), HOIST_OK);
    failing.requests = 0;
    failing.fail_at = fail_at;
    const hoist_status status = hoist_buda_format.check(module, NULL, t->diag);
    *out_requests = failing.requests;
    failing.fail_at = 0;
    hoist_buda_format.destroy(module);
    HOIST_EXPECT_EQ(t, failing.live, 0);
    return status;
}

HOIST_TEST(check_without_memory)
{
    size_t requests = 0;
    HOIST_EXPECT_EQ(t, check_failing(t, 0, &requests), HOIST_OK);
    const size_t total = requests;
    HOIST_EXPECT(t, total > 0);
    for (size_t i = 1; i <= total; i++) {
        HOIST_EXPECT_EQ(t, check_failing(t, i, &requests), HOIST_NO_MEMORY);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(base_is_clean), HOIST_TEST_ROW(broken),
                HOIST_TEST_ROW(broken_on_other_architectures),
                HOIST_TEST_ROW(copies_are_checked_once),
                HOIST_TEST_ROW(input_missing_on_one_device), HOIST_TEST_ROW(object_path),
                HOIST_TEST_ROW(check_without_memory))
