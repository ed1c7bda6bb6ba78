// The keys of test-config and performance-check (buda-netlist reference section 3): one table for
// each map. check_test_config.c checks them, info_test_sections.c shows a part of their values.
// Order of rows has no meaning, except for words of enums in stimulus.h and stimulus_read.c.
#include "formats/buda/test_sections.h"

#include <stdint.h>

#include "base/span.h"

// Ranges that rows share.
#define TABLE(rows) rows, HOIST_COUNT_OF(rows)
#define REAL .min = -1.7976931348623157e308, .max = 1.7976931348623157e308
#define NATURAL .min = 0, .max = INT32_MAX
#define SHARE .min = 0, .max = 1

static const char *const comparisons[] = {"Exact", "AllClose", "AllCloseHw", NULL};
static const char *const verbosities[] = {"Concise", "AllFails", "Verbose", NULL};
static const char *const methods[] = {"FlatTensor", "TilizedTensor", NULL};
// In the order of buda_stimulus_kind
static const char *const stimuli[] = {"Uniform",
                                      "Normal",
                                      "Constant",
                                      "DebugTileId",
                                      "Sparse",
                                      "sparse_encoding",
                                      "sparse_encoding_nz_counts",
                                      "Step",
                                      "StepRowwise",
                                      "StepColumnwise",
                                      NULL};

// clang-format off
// Declared before the rows: overrides hold maps of the same keys.
static const buda_test_table comparison_table;
static const buda_test_key comparison_keys[] = {
    {"type",                  BUDA_TEST_WORD, .words = comparisons},
    {"atol",                  BUDA_TEST_NUMBER, REAL},
    {"rtol",                  BUDA_TEST_NUMBER, REAL},
    {"check_pct",             BUDA_TEST_NUMBER, SHARE},
    {"check_pcc",             BUDA_TEST_NUMBER, .min = -1, .max = 1},
    {"verbosity",             BUDA_TEST_WORD, .words = verbosities},
    {"method",                BUDA_TEST_WORD, .words = methods},
    {"check_tile_rows_range", .kind = BUDA_TEST_RANGE},
    {"check_tile_cols_range", .kind = BUDA_TEST_RANGE},
    {"lhs_header",            .kind = BUDA_TEST_TEXT},
    {"rhs_header",            .kind = BUDA_TEST_TEXT},
    {"overrides",             BUDA_TEST_MAPS, .table = &comparison_table},
};
static const buda_test_table comparison_table = {"comparison-config", TABLE(comparison_keys)};

static const buda_test_table stimulus_table;
static const buda_test_key stimulus_keys[] = {
    {"type",                BUDA_TEST_WORD, .words = stimuli},
    {"uniform_lower_bound", BUDA_TEST_NUMBER, REAL},
    {"uniform_upper_bound", BUDA_TEST_NUMBER, REAL},
    {"normal_mean",         BUDA_TEST_NUMBER, REAL},
    {"normal_stddev",       BUDA_TEST_NUMBER, REAL},
    {"constant_value",      BUDA_TEST_NUMBER, REAL},
    {"debug_tile_id_base",  BUDA_TEST_NUMBER, REAL},
    {"debug_tile_id_step",  BUDA_TEST_NUMBER, REAL},
    {"step_start",          BUDA_TEST_NUMBER, REAL},
    {"step_increment",      BUDA_TEST_NUMBER, REAL},
    {"zero_strip_freq",     BUDA_TEST_NUMBER, SHARE},
    {"zero_ublock_freq",    BUDA_TEST_NUMBER, SHARE},
    {"zero_tile_freq",      BUDA_TEST_NUMBER, SHARE},
    {"nz_strips",           BUDA_TEST_INTEGER, NATURAL},
    {"nz_ublocks",          BUDA_TEST_INTEGER, NATURAL},
    {"nz_tiles",            BUDA_TEST_INTEGER, NATURAL},
    {"matmul_ident_name",   .kind = BUDA_TEST_TEXT},
    {"enc_tile_byte_size",  BUDA_TEST_INTEGER, NATURAL},
    {"set_tile_rows",       .kind = BUDA_TEST_RANGE},
    {"set_tile_cols",       .kind = BUDA_TEST_RANGE},
    {"overrides",           BUDA_TEST_MAPS, .table = &stimulus_table},
};
static const buda_test_table stimulus_table = {"stimulus-config", TABLE(stimulus_keys)};

// Free names: microbatch_count, loop counts and the like.
static const buda_test_key argument_keys[] = {{NULL, .kind = BUDA_TEST_ARGUMENT}};
static const buda_test_table argument_table = {"test-args", TABLE(argument_keys)};

static const buda_test_key io_keys[] = {
    {"inputs",  .kind = BUDA_TEST_TEXTS},
    {"outputs", .kind = BUDA_TEST_TEXTS},
};
static const buda_test_table io_table = {"io-config", TABLE(io_keys)};

// The sections of test-config.
static const buda_test_key config_keys[] = {
    {"test-args",             BUDA_TEST_MAP, .table = &argument_table},
    {"io-config",             BUDA_TEST_MAP, .table = &io_table},
    {"comparison-config",     BUDA_TEST_MAP, .table = &comparison_table},
    {"stimulus-config",       BUDA_TEST_MAP, .table = &stimulus_table},
    {"test-generation-debug", .kind = BUDA_TEST_ANY},
};
const buda_test_table buda_test_config_table = {"test-config", TABLE(config_keys)};

// A measure passes within expected +- rtol * expected (section 3.5).
static const buda_test_key measure_keys[] = {
    {"expected",  BUDA_TEST_NUMBER, REAL},
    {"rtol",      BUDA_TEST_NUMBER, REAL},
    {"min_bound", BUDA_TEST_NUMBER, REAL},
};
const buda_test_table buda_measure_table = {"a measure", TABLE(measure_keys)};

// The public performance library reads four measures that the reference's list leaves out.
static const buda_test_key performance_keys[] = {
    {"graph-name",                 .kind = BUDA_TEST_TEXT},
    {"program-name",               .kind = BUDA_TEST_TEXT},
    {"tensors-per-second",         BUDA_TEST_MAP, .table = &buda_measure_table},
    {"cycles-per-tensor",          BUDA_TEST_MAP, .table = &buda_measure_table},
    {"backend-samples-per-second", BUDA_TEST_MAP, .table = &buda_measure_table},
    {"math-utilization",           BUDA_TEST_MAP, .table = &buda_measure_table},
    {"average-math-utilization",   BUDA_TEST_MAP, .table = &buda_measure_table},
    {"execution-cycles",           BUDA_TEST_MAP, .table = &buda_measure_table},
    {"total-runtime",              BUDA_TEST_MAP, .table = &buda_measure_table},
    {"input0-bw",                  BUDA_TEST_MAP, .table = &buda_measure_table},
    {"output-bw",                  BUDA_TEST_MAP, .table = &buda_measure_table},
    {"target-inputs",              BUDA_TEST_INTEGERS, .min = INT32_MIN, .max = INT32_MAX},
    {"target-ops",                 .kind = BUDA_TEST_TEXTS},
    {"target-cores",               .kind = BUDA_TEST_TEXTS},
    {"test-group",                 .kind = BUDA_TEST_TEXT},
    {"test-name",                  .kind = BUDA_TEST_TEXT},
};
const buda_test_table buda_performance_table = {"performance-check", TABLE(performance_keys)};

// Names are config-0, config-1 and so on in the reference; real files have others too.
static const buda_test_key check_keys[] = {{NULL, BUDA_TEST_MAP, .table = &buda_performance_table}};
const buda_test_table buda_performance_check_table = {"performance-check", TABLE(check_keys)};
// clang-format on

// A row without a key comes alone in its table, so the order of comparison does not matter.
const buda_test_key *buda_test_key_find(const buda_test_table *table, hoist_str key)
{
    for (size_t i = 0; i < table->count; i++) {
        if (!table->keys[i].key || hoist_str_equal_c(key, table->keys[i].key)) {
            return &table->keys[i];
        }
    }
    return NULL;
}
