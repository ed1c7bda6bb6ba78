// The driver of the checks: which architecture and device hold, and that all parts are run.
#include <stdio.h>

#include "base/buffer.h"
#include "formats/buda/netlist_testing.h"

static const char base[] =
    /* 1 */
    "devices: {arch: [wormhole_b0, grayskull]}\n"
    /* 2 */ "queues:\n"
    /* 3 */ "  q: {type: queue, input: HOST, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1], "
    "ublock: [1, 1], df: Float16, target_device: 0, loc: dram, dram: [[0, 0x10000000]]}\n"
    /* 4 */ "  o: {type: queue, input: x, entries: 2, grid_size: [1, 1], t: 1, mblock: [1, 1], "
    "ublock: [1, 1], df: Float16, target_device: 0, loc: dram, dram: [[1, 0x10000000]]}\n"
    /* 5 */ "graphs:\n"
    /* 6 */ "  g:\n"
    /* 7 */ "    target_device: 0\n"
    /* 8 */ "    input_count: 1\n"
    /* 9 */ "    x: {type: nop, grid_loc: [9, 7], grid_size: [1, 1], inputs: [q], "
    "in_df: [Float16], out_df: Float16, intermed_df: Float16, acc_df: Float16, "
    "math_fidelity: HiFi3, buf_size_mb: 2, t: 1, mblock: [1, 1], ublock: [1, 1]}\n"
    /* 10 */ "programs:\n"
    /* 11 */ "  - p:\n"
    /* 12 */ "      - execute: {graph_name: g, queue_settings: {q: {prologue: false, "
    "epilogue: false, zero: false, rd_ptr_local: 0, rd_ptr_global: 0}}}\n";

// A wormhole_b0 of two rows and two columns.
#define SMALL_SOC                                                                                  \
    "arch_name: WORMHOLE_B0\ngrid: {x_size: 10, y_size: 12}\ndram: [[0-0], [5-0]]\n"               \
    "functional_workers: [[1-1, 2-1], [1-2, 2-2]]\n"

static void check(hoist_test *t, const char *find, const char *put,
                  const hoist_check_options *options)
{
    buda_test_check(t, buda_test_patched(t, base, find, put), options);
}

// clang-format off
static const struct {
    const char *name;
    const char *arch;     // --arch; NULL: not given
    const char *fallback; // ARCH_NAME
    const char *find;     // in base
    const char *put;
    const char *rule; // of the only error; NULL: no error
} cases[] = {
    {"first of the list",          NULL,          NULL,        NULL,               NULL,                  NULL       },
    {"first of the list is small", NULL,          NULL,        "grid_loc: [9, 7]", "grid_loc: [9, 8]",    NULL       },
    {"all of the list are small",  NULL,          NULL,        "grid_loc: [9, 7]", "grid_loc: [9, 12]",   "BUDA-017" },
    {"asked for the larger one",   "grayskull",   NULL,        "grid_loc: [9, 7]", "grid_loc: [9, 8]",    NULL       },
    {"ARCH_NAME is the larger",    NULL,          "grayskull", "grid_loc: [9, 7]", "grid_loc: [9, 8]",    NULL       },
    {"asked for goes before it",   "wormhole_b0", "grayskull", "grid_loc: [9, 7]", "grid_loc: [9, 8]",    "BUDA-017" },
    {"not in the list",            "blackhole",   NULL,        NULL,               NULL,                  "BUDA-003c"},
    {"no such architecture",       "tpu",         NULL,        NULL,               NULL,                  "BUDA-003c"},
    {"structure",                  NULL,          NULL,        "inputs: [q]",      "inputs: [z]",         "BUDA-011" },
    {"op",                         NULL,          NULL,        "buf_size_mb: 2",   "buf_size_mb: 3",      "BUDA-060a"},
    {"memory",                     NULL,          NULL,        "[[0, 0x1",         "[[9, 0x1",            "BUDA-080" },
    {"program",                    NULL,          NULL,        "- execute: {g",    "- loop: 0\n      - endloop\n      - execute: {g",
                                                                                                          "BUDA-031a"},
    {"formats along an edge",      NULL,          NULL,        "in_df: [Float16]", "in_df: [Bfp8]",       "BUDA-059a"},
};
// clang-format on

HOIST_TEST_TABLE(parts, cases)
{
    const hoist_check_options options = {.arch = hoist_str_from(row->arch),
                                         .arch_fallback = hoist_str_from(row->fallback)};
    check(t, row->find, row->put, &options);
    if (row->rule) {
        HOIST_EXPECT(t, hoist_diag_count(t->diag, HOIST_ERROR) > 0);
        HOIST_EXPECT_RULE(t, row->rule);
    } else {
        HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    }
}

// clang-format off
static const struct {
    const char *name;
    const char *arch; // --arch
    bool all_archs;
    const char *find;
    const char *put;
    const char *verdicts; // "ARCH ERRORS" of each
    const char *target;   // architecture, and who chose it
    size_t errors;        // findings
} lists[] = {
    {"clean for all",         "", false, NULL, NULL, "wormhole_b0 0, grayskull 0", "wormhole_b0, first listed", 0},
    {"clean for the second",  "", false, "grid_loc: [9, 7]", "grid_loc: [9, 8]", "wormhole_b0 1, grayskull 0", "grayskull, first clean", 0},
    {"clean for none",        "", false, "grid_loc: [9, 7]", "grid_loc: [9, 12]", "wormhole_b0 1, grayskull 1", "wormhole_b0, first listed", 1},
    {"findings for all",      "", true, "grid_loc: [9, 7]", "grid_loc: [9, 12]", "wormhole_b0 1, grayskull 1", "wormhole_b0, first listed", 2},
    {"findings of the first", "", true, "grid_loc: [9, 7]", "grid_loc: [9, 8]", "wormhole_b0 1, grayskull 0", "grayskull, first clean", 1},
    {"one is chosen",         "grayskull", true, "grid_loc: [9, 7]", "grid_loc: [9, 8]", "", "grayskull, option", 0},
    {"one is listed",         "", false, "[wormhole_b0, grayskull]", "[grayskull, grayskull]", "", "grayskull, first listed", 0},
    {"errors of reading",     "", false, "input_count: 1", "input_count: one", "wormhole_b0 1, grayskull 1", "wormhole_b0, first listed", 1},
};
// clang-format on

static void expect_verdicts(hoist_test *t, const hoist_module *module, const char *expected)
{
    size_t count = 0;
    const hoist_arch_verdict *const rows = hoist_buda_format.verdicts(module, &count);
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    for (size_t i = 0; i < count; i++) {
        hoist_buffer_format(&text, "%s%s %zu", i ? ", " : "", rows[i].arch, rows[i].errors);
    }
    HOIST_EXPECT_STR(t, hoist_buffer_text(&text), expected);
    hoist_buffer_deinit(&text);
}

HOIST_TEST_TABLE(verdicts_for_each_of_a_list, lists)
{
    const hoist_read_options read = {.alloc = hoist_allocator_system()};
    const hoist_check_options options = {.arch = hoist_str_from(row->arch),
                                         .all_archs = row->all_archs};
    hoist_module *module = NULL;
    const hoist_bytes text = buda_test_patched(t, base, row->find, row->put);
    if (hoist_format_read(&hoist_buda_format, text, &read, t->diag, &module) != HOIST_OK) {
        HOIST_EXPECT(t, module != NULL);
        return;
    }
    HOIST_EXPECT_EQ(t, hoist_buda_format.check(module, &options, t->diag), HOIST_OK);
    expect_verdicts(t, module, row->verdicts);
    const hoist_target target = hoist_buda_format.target(module, &options);
    char chosen[64];
    (void)snprintf(chosen, sizeof chosen, "%s, %s", target.arch, target.source);
    HOIST_EXPECT_STR(t, hoist_str_from(chosen), row->target);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), row->errors);
    hoist_buda_format.destroy(module);
}

HOIST_TEST(findings_of_all_parts_at_once)
{
    check(t, "grid_loc: [9, 7], grid_size: [1, 1], inputs: [q], in_df: [Float16]",
          "grid_loc: [9, 12], grid_size: [1, 1], inputs: [q], in_df: [Bfp8]", NULL);
    HOIST_EXPECT_RULE(t, "BUDA-017");
    HOIST_EXPECT_RULE(t, "BUDA-059a");
}

HOIST_TEST(smaller_device)
{
    const hoist_check_options options = {
        .soc = {(const uint8_t *)SMALL_SOC, sizeof(SMALL_SOC) - 1},
        .soc_name = HOIST_STR("small.yaml"),
    };
    check(t, NULL, NULL, &options);
    buda_test_expect(t, "BUDA-017", 9, 30, "has 2 rows and 2 columns");
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 1);
}

HOIST_TEST(device_of_another_architecture)
{
    const hoist_check_options options = {
        .arch = HOIST_STR("grayskull"),
        .soc = {(const uint8_t *)SMALL_SOC, sizeof(SMALL_SOC) - 1},
        .soc_name = HOIST_STR("small.yaml"),
    };
    hoist_diag_source(t->diag, HOIST_STR("net.yaml"), HOIST_STR(""));
    check(t, "inputs: [q]", "inputs: [z]", &options);
    HOIST_EXPECT_RULE(t, "SOC-013");
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *finding = hoist_diag_at(t->diag, i);
        const bool of_device = strncmp(finding->rule->id, "SOC", 3) == 0;
        HOIST_EXPECT_STR(t, finding->file, of_device ? "small.yaml" : "net.yaml");
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(parts), HOIST_TEST_ROW(verdicts_for_each_of_a_list),
                HOIST_TEST_ROW(findings_of_all_parts_at_once), HOIST_TEST_ROW(smaller_device),
                HOIST_TEST_ROW(device_of_another_architecture))
