// test-config and performance-check: buda-netlist reference section 3, key by key.
#include "formats/buda/netlist_testing.h"

static const char base[] =
    /*  1 */
    "devices: {arch: wormhole_b0}\n"
    /*  2 */ "queues: {}\n"
    /*  3 */ "graphs: {}\n"
    /*  4 */ "programs: []\n"
    /*  5 */ "test-config:\n"
    /*  6 */ "  test-args: {microbatch_count: 2, trace: True}\n"
    /*  7 */ "  io-config: {inputs: [q0], outputs: [q1]}\n"
    /*  8 */ "  comparison-config: {type: AllCloseHw, atol: 0.01, check_pct: 0.9, check_pcc: -1}\n"
    /*  9 */ "  stimulus-config:\n"
    /* 10 */ "    type: uniform\n"
    /* 11 */ "    uniform_lower_bound: -1\n"
    /* 12 */ "    set_tile_rows: [1, 32]\n"
    /* 13 */ "    overrides:\n"
    /* 14 */ "      q.*: {type: sparse, nz_tiles: 3}\n"
    /* 15 */ "performance-check:\n"
    /* 16 */ "  config-0:\n"
    /* 17 */ "    graph-name: g\n"
    /* 18 */ "    tensors-per-second: {expected: 10, rtol: 0.1}\n"
    /* 19 */ "    target-inputs: [0, 1]\n";

// Reads, and checks these sections alone.
static void check(hoist_test *t, hoist_bytes text)
{
    const hoist_buda_module *module = buda_test_read(t, text);
    if (module) {
        const buda_check check = {.module = module, .diag = t->diag, .scratch = &t->arena};
        HOIST_EXPECT_EQ(t, buda_check_test_sections(&check), HOIST_OK);
    }
    buda_test_destroy(module);
}

// Findings of this file's rules; those of the empty sections above are not counted.
static size_t count_ours(const hoist_test *t)
{
    size_t count = 0;
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        count += strncmp(hoist_diag_at(t->diag, i)->rule->id, "BUDA-9", 6) == 0;
    }
    return count;
}

// clang-format off
// What may be written, one after the other in the same map.
static const struct {
    const char *name;
    const char *find, *put; // in base
} fine[] = {
    {"as it is",        NULL, NULL},
    {"exact",           "type: AllCloseHw, atol: 0.01", "type: Exact, rtol: 1e-3, verbosity: Verbose"},
    {"tilized",         "atol: 0.01", "method: tilizedtensor, check_tile_rows_range: [1, 4], check_tile_cols_range: [4, 4]"},
    {"headers",         "atol: 0.01", "lhs_header: mine, rhs_header: theirs"},
    {"overrides",       "atol: 0.01", "overrides: {q0: {type: Exact}, 'o.*': {}}"},
    {"normal",          "set_tile_rows: [1, 32]", "normal_mean: 0.5\n    normal_stddev: 1"},
    {"constant",        "set_tile_rows: [1, 32]", "constant_value: 1"},
    {"debug tiles",     "set_tile_rows: [1, 32]", "debug_tile_id_base: 0\n    debug_tile_id_step: 1"},
    {"steps",           "set_tile_rows: [1, 32]", "step_start: 0\n    step_increment: 1"},
    {"columns",         "set_tile_rows: [1, 32]", "set_tile_cols: [2, 2]"},
    {"sparse",          "nz_tiles: 3", "zero_strip_freq: 0.5, zero_ublock_freq: 0, zero_tile_freq: 1, nz_strips: 1, nz_ublocks: 2"},
    {"encoding",        "sparse, nz_tiles: 3", "sparse_encoding_nz_counts, matmul_ident_name: op0, enc_tile_byte_size: 4096"},
    {"debug section",   "  io-config: {", "  test-generation-debug: {anything: [goes]}\n  io-config: {"},
    {"no arguments",    "{microbatch_count: 2, trace: True}", ""},
    {"misspelled argument of real files", "trace: True", "sequence_lenth: 0x10"},
    {"lower bound",     "expected: 10, rtol: 0.1", "min_bound: 10"},
    {"other measures",  "tensors-per-second", "output-bw"},
    {"targets",         "target-inputs: [0, 1]", "target-ops: [a]\n    target-cores: [1-2]\n    test-group: x\n    test-name: y\n    program-name: p"},
    {"other names",     "config-0", "host"},
};

static const struct {
    const char *name;
    const char *find, *put; // in base
    const char *rule;
    uint32_t line, column;
    const char *says;
} wrong[] = {
    {"unknown section",     "  test-args", "  test-arguments", "BUDA-901", 6, 3, "test-config has no key 'test-arguments'"},
    {"unknown io",          "inputs:", "ins:", "BUDA-901", 7, 15, "io-config has no key 'ins'"},
    {"unknown comparison",  "atol", "tolerance", "BUDA-901", 8, 41, "comparison-config has no key 'tolerance'"},
    {"unknown stimulus",    "uniform_lower_bound", "lower_bound", "BUDA-901", 11, 5, "stimulus-config has no key 'lower_bound'"},
    {"unknown override",    "nz_tiles", "tiles", "BUDA-901", 14, 27, "stimulus-config has no key 'tiles'"},
    {"unknown performance", "graph-name", "graph", "BUDA-901", 17, 5, "performance-check has no key 'graph'"},
    {"unknown bound",       "rtol", "atol", "BUDA-901", 18, 40, "a measure has no key 'atol'"},

    {"argument is a list",  "trace: True", "trace: [1]", "BUDA-902", 6, 43, "trace is a list, expected an integer, true or false"},
    {"argument is a word",  "trace: True", "trace: much", "BUDA-902", 6, 43, "trace is 'much'"},
    {"inputs are a name",   "[q0]", "q0", "BUDA-902", 7, 23, "inputs is 'q0', expected a list of names"},
    {"inputs hold a list",  "[q0]", "[[q0]]", "BUDA-902", 7, 24, "inputs is a list, expected a text"},
    {"comparison",          "AllCloseHw", "Close", "BUDA-902", 8, 29, "type is 'Close', expected one of Exact, AllClose, AllCloseHw"},
    {"type is a map",       "AllCloseHw", "{}", "BUDA-902", 8, 29, "type is an empty map"},
    {"no number",           "0.01", "small", "BUDA-902", 8, 47, "atol is 'small', expected a number"},
    {"share above 1",       "check_pct: 0.9", "check_pct: 1.5", "BUDA-902", 8, 64, "check_pct is 1.5, expected 0 to 1"},
    {"correlation below -1", "check_pcc: -1", "check_pcc: -2", "BUDA-902", 8, 80, "check_pcc is -2, expected -1 to 1"},
    {"stimulus",            "type: uniform", "type: random", "BUDA-902", 10, 11, "expected one of Uniform, Normal, "},
    {"rows are a number",   "[1, 32]", "4", "BUDA-902", 12, 20, "set_tile_rows is '4', expected [first, last]"},
    {"rows from 0",         "[1, 32]", "[0, 4]", "BUDA-902", 12, 20, "set_tile_rows is [0, 4], expected first and last from 1 to 32"},
    {"rows backwards",      "[1, 32]", "[4, 3]", "BUDA-902", 12, 20, "[4, 3]"},
    {"rows beyond a tile",  "[1, 32]", "[1, 33]", "BUDA-902", 12, 20, "[1, 33]"},
    {"rows are words",      "[1, 32]", "[1, all]", "BUDA-902", 12, 20, "expected [first, last]"},
    {"rows are lists",      "[1, 32]", "[[1], 2]", "BUDA-902", 12, 20, "expected [first, last]"},
    {"overrides are a list", "\n      q.*: {type: sparse, nz_tiles: 3}", " [1]", "BUDA-902", 13, 16, "overrides is a list, expected a map"},
    {"override is a word",  "{type: sparse, nz_tiles: 3}", "sparse", "BUDA-902", 14, 12, "q.* is 'sparse', expected a map"},
    {"fraction of a tile",  "nz_tiles: 3", "nz_tiles: 0.5", "BUDA-902", 14, 37, "nz_tiles is '0.5', expected an integer"},
    {"tiles below 0",       "nz_tiles: 3", "nz_tiles: -3", "BUDA-902", 14, 37, "nz_tiles is -3, expected 0 to"},
    {"name is a list",      "graph-name: g", "graph-name: [g]", "BUDA-902", 17, 17, "graph-name is a list, expected a text"},
    {"measure is a number", "{expected: 10, rtol: 0.1}", "10", "BUDA-902", 18, 25, "tensors-per-second is '10', expected a map"},
    {"expectation",         "expected: 10", "expected: fast", "BUDA-902", 18, 36, "expected is 'fast', expected a number"},
    {"inputs as words",     "[0, 1]", "[0, one]", "BUDA-902", 19, 24, "target-inputs is 'one', expected an integer"},
    {"inputs as a number",  "[0, 1]", "0", "BUDA-902", 19, 20, "expected a list of integers"},
    {"config is a word",    "\n    graph-name: g\n    tensors-per-second: {expected: 10, rtol: 0.1}\n    target-inputs: [0, 1]", " fast", "BUDA-902", 16, 13,
     "config-0 is 'fast', expected a map"},
    {"key twice",           "rtol: 0.1", "rtol: 0.1, rtol: 0.2", "BUDA-004b", 18, 51, "key 'rtol' occurs again"},
};
// clang-format on

HOIST_TEST_TABLE(reads, fine)
{
    check(t, buda_test_patched(t, base, row->find, row->put));
    if (count_ours(t)) {
        hoist_test_fail(t, __FILE__, __LINE__, "expected nothing, got\n%.*s",
                        HOIST_STR_ARGS(hoist_test_findings(t)));
    }
}

HOIST_TEST_TABLE(reports, wrong)
{
    check(t, buda_test_patched(t, base, row->find, row->put));
    buda_test_expect(t, row->rule, row->line, row->column, row->says);
    HOIST_EXPECT_EQ(t, count_ours(t), row->rule[5] == '9' ? 1 : 0);
}

HOIST_TEST(sections_that_are_no_maps)
{
    check(t, (hoist_bytes){(const uint8_t *)"test-config: [1]\nperformance-check: 7\n", 38});
    buda_test_expect(t, "BUDA-902", 1, 14, "test-config is a list, expected a map");
    buda_test_expect(t, "BUDA-902", 2, 20, "performance-check is '7', expected a map");
}

HOIST_TEST(object_path)
{
    check(t, buda_test_patched(t, base, "nz_tiles", "tiles"));
    const size_t last = hoist_diag_kept(t->diag) - 1;
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, last)->object,
                     "test-config/stimulus-config/overrides/q.*/tiles");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(reads), HOIST_TEST_ROW(reports),
                HOIST_TEST_ROW(sections_that_are_no_maps), HOIST_TEST_ROW(object_path))
