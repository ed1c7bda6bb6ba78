#include "ops/op.h"
#include "testing/test.h"

HOIST_TEST(op_rows_are_full_and_unique)
{
    for (int i = HOIST_OP_NONE + 1; i < HOIST_OP_COUNT; i++) {
        const hoist_op_def *def = hoist_op_get((hoist_op)i);
        hoist_test_row(t, def->name ? def->name : "(empty row)");
        HOIST_EXPECT(t, def->name != NULL && def->name[0] != '\0');
        HOIST_EXPECT(t, def->family > HOIST_FAMILY_NONE && def->family < HOIST_FAMILY_COUNT);
        HOIST_EXPECT(t, def->min_inputs >= 1 && def->min_inputs <= def->max_inputs);
        HOIST_EXPECT_EQ(t, hoist_op_find(hoist_str_from(def->name)), i);
    }
    HOIST_EXPECT_STR(t, hoist_str_from(hoist_op_get(HOIST_OP_NONE)->name), "");
    HOIST_EXPECT(t, hoist_op_get(HOIST_OP_COUNT) == hoist_op_get(HOIST_OP_NONE));
    HOIST_EXPECT(t, hoist_op_get((hoist_op)-1) == hoist_op_get(HOIST_OP_NONE));
}

HOIST_TEST(every_family_has_an_op)
{
    bool seen[HOIST_FAMILY_COUNT] = {false};
    for (int i = 0; i < HOIST_OP_COUNT; i++) {
        seen[hoist_op_get((hoist_op)i)->family] = true;
    }
    for (int i = 0; i < HOIST_FAMILY_COUNT; i++) {
        HOIST_EXPECT(t, seen[i]);
    }
}

static const struct {
    const char *name;
} unknown_ops[] = {{""}, {"conv"}, {"Matmul"}, {"matmul "}, {"matmu"}, {"add\n"}, {"fused"}};

HOIST_TEST_TABLE(unknown_op_names, unknown_ops)
{
    HOIST_EXPECT_EQ(t, hoist_op_find(hoist_str_from(row->name)), HOIST_OP_NONE);
}

// Section 1.10 lists the types of sub-ops.
static const struct {
    const char *name;
    bool in_fused;
} fused[] = {
    {"add", true},
    {"multiply", true},
    {"reciprocal", true},
    {"subtract", true},
    {"sqrt", true},
    {"matmul", true},
    {"sigmoid", true},
    {"exp", true},
    {"datacopy", true},
    {"nop", true},
    {"gelu_derivative", true},
    {"gelu", true},
    {"reduce", true},
    {"abs", true},
    {"sine", true},
    {"lrelu", true},
    {"square", true},
    {"power", true},
    {"log", true},
    {"tanh", true},
    {"cosine", true},
    {"quantization", true},
    {"requantization", true},
    {"dequantization", true},
    {"maximum", true},
    {"dropout", true},
    {"fused_op", false},
    {"splice", false},
    {"depthwise", false},
    {"tilizer", false},
    {"topk", false},
    {"embedding", false},
    {"ethernet_datacopy", false},
    {"buffer", false},
    {"drainer", false},
};

HOIST_TEST_TABLE(sub_op_types, fused)
{
    HOIST_EXPECT_EQ(t, hoist_op_get(hoist_op_find(hoist_str_from(row->name)))->in_fused,
                    row->in_fused);
}

static bool has_range(hoist_attr_kind kind)
{
    return kind == HOIST_ATTR_KIND_INT || kind == HOIST_ATTR_KIND_FLOAT ||
           kind == HOIST_ATTR_KIND_INTS || kind == HOIST_ATTR_KIND_INPUT_MAP;
}

HOIST_TEST(attr_rows_are_full_and_unique)
{
    for (int i = HOIST_ATTR_NONE + 1; i < HOIST_ATTR_COUNT; i++) {
        const hoist_attr_def *def = hoist_attr_get((hoist_attr)i);
        hoist_test_row(t, def->name ? def->name : "(empty row)");
        HOIST_EXPECT(t, def->name != NULL && def->name[0] != '\0');
        HOIST_EXPECT(t, def->kind != HOIST_ATTR_KIND_NONE);
        HOIST_EXPECT(t, def->families != 0);
        HOIST_EXPECT(t, def->summary != NULL && def->summary[0] != '\0');
        HOIST_EXPECT_EQ(t, def->words != NULL, def->kind == HOIST_ATTR_KIND_WORD);
        HOIST_EXPECT_EQ(t, def->min < def->max, has_range(def->kind));
        HOIST_EXPECT_EQ(t, def->zero_families & ~def->families, 0);
        if (i != HOIST_ATTR_INPUT) {
            HOIST_EXPECT_EQ(t, hoist_attr_find(hoist_str_from(def->name)), i);
        }
    }
    HOIST_EXPECT(t, hoist_attr_get(HOIST_ATTR_COUNT) == hoist_attr_get(HOIST_ATTR_NONE));
    HOIST_EXPECT(t, hoist_attr_get((hoist_attr)-1) == hoist_attr_get(HOIST_ATTR_NONE));
}

static const struct {
    const char *name;
    hoist_attr want;
} names[] = {
    {"input0", HOIST_ATTR_INPUT}, {"input7", HOIST_ATTR_INPUT}, {"input8", HOIST_ATTR_NONE},
    {"input", HOIST_ATTR_NONE},   {"input07", HOIST_ATTR_NONE}, {"inputx", HOIST_ATTR_NONE},
    {"", HOIST_ATTR_NONE},        {"M_K", HOIST_ATTR_NONE},     {"m_k ", HOIST_ATTR_NONE},
    {"colour", HOIST_ATTR_NONE},
};

HOIST_TEST_TABLE(attr_names, names)
{
    HOIST_EXPECT_EQ(t, hoist_attr_find(hoist_str_from(row->name)), row->want);
}

// Section 1.6: which op takes which attribute.
// clang-format off
static const struct {
    const char *name; // attribute
    const char *op;
    bool fits;
} fits[] = {
    {"kernel_broadcast",       "nop",               true }, {"kernel_broadcast_per_t", "splice",         true },
    {"single_tile",            "add",               true }, {"single_tile",            "conv",           false},
    {"m_k",                    "matmul",            true }, {"m_k",                    "topk",           true },
    {"u_kt",                   "depthwise",         true }, {"u_kt",                   "reduce",         true },
    {"bias",                   "matmul",            true }, {"bias",                   "nop",            true },
    {"sfpu_op",                "matmul",            true }, {"accumulate",             "matmul",         true },
    {"z",                      "reduce",            true }, {"z",                      "matmul",         true },
    {"z",                      "add",               false}, {"z",                      "fused_op",       true },
    {"vector",                 "exp",               true }, {"approximate_mode",       "gelu",           true },
    {"relu_en",                "datacopy",          true }, {"relu_threshold",         "add",            true },
    {"relu_mode",              "depthwise",         true }, {"srnd_fpu_en",            "matmul",         true },
    {"stoch_rnd_mode",         "splice",            true }, {"zero_point",             "requantization", true },
    {"ingress_channels",       "ethernet_datacopy", true }, {"egress_channels",        "nop",            true },
    {"dest_device",            "ethernet_datacopy", true },
    {"identity",               "matmul",            true }, {"identity",               "fused_op",       true },
    {"identity",               "depthwise",         false}, {"identity",               "buffer",         false},
    {"num_sparse_tiles",       "matmul",            true }, {"num_sparse_tiles",       "nop",            false},
    {"num_columns",            "fused_op",          true }, {"num_columns",            "add",            false},
    {"indices_len",            "buffer",            false}, {"indices_len",            "splice",         false},
    {"fracture_factor",        "matmul",            true }, {"fracture_factor",        "topk",           false},
    {"starting_row",           "matmul",            true }, {"starting_row",           "exp",            false},
    {"act_t",                  "matmul",            true }, {"act_t",                  "tilizer",        false},
    {"num_index_tiles",        "matmul",            true }, {"num_index_tiles",        "buffer",         true },
    {"sparse_tile_ptr_bits",   "buffer",            true }, {"sparse_tile_ptr_bits",   "embedding",      false},
    {"sparse_ublock_idx_bits", "buffer",            true }, {"sparse_ublock_idx_bits", "reduce",         false},
    {"num_nz_strips",          "buffer",            true }, {"num_nz_strips",          "depthwise",      false},
    {"min_buffer_input",       "depthwise",         true }, {"min_buffer_input",       "buffer",         true },
    {"min_buffer_input",       "fused_op",          true }, {"min_buffer_input",       "add",            false},
    {"l1_acc",                 "depthwise",         true }, {"l1_acc",                 "fused_op",       false},
    {"dim",                    "reduce",            true }, {"dim",                    "matmul",         false},
    {"type",                   "fused_op",          true }, {"type",                   "nop",            false},
    {"p",                      "dropout",           true }, {"p",                      "fused_op",       true },
    {"p",                      "exp",               false}, {"seed",                   "lrelu",          false},
    {"seed",                   "dropout",           true },
    {"slope",                  "lrelu",             true }, {"slope",                  "power",          false},
    {"exp",                    "power",             true }, {"exp",                    "exp",            false},
    {"fused_op_id",            "fused_op",          true }, {"fused_op_id",            "matmul",         false},
    {"granularity",            "splice",            true }, {"granularity",            "nop",            false},
    {"input3",                 "splice",            true }, {"input3",                 "fused_op",       false},
    {"num_indices",            "embedding",         true }, {"num_indices",            "tilizer",        false},
    {"sfpu_execution_thread",  "matmul",            true }, {"sfpu_execution_thread",  "tanh",           true },
    {"sfpu_execution_thread",  "nop",               false}, {"sfpu_execution_thread",  "datacopy",       false},
    {"sfpu_execution_thread",  "add",               false}, {"sfpu_execution_thread",  "fused_op",       false},
    {"requant",                "matmul",            true }, {"requant",                "requantization", false},
    {"dequant",                "matmul",            true }, {"dequant",                "fused_op",       false},
    {"k",                      "topk",              true }, {"k",                      "matmul",         false},
    {"sort",                   "topk",              true }, {"sort",                   "reduce",         false},
    {"kreduce",                "topk",              true }, {"kreduce",                "splice",         false},
    {"colour",                 "matmul",            false},
};
// clang-format on

HOIST_TEST_TABLE(attr_fits, fits)
{
    const hoist_attr attr = hoist_attr_find(hoist_str_from(row->name));
    const hoist_op op = hoist_op_find(hoist_str_from(row->op));
    if (hoist_attr_fits(attr, op) != row->fits) {
        hoist_test_fail(t, __FILE__, __LINE__, "on %s: expected %d", row->op, row->fits);
    }
}

HOIST_TEST(sub_op_attributes)
{
    static const char *const expected[] = {"m_k", "u_kt",    "vector",         "type",
                                           "dim", "relu_en", "relu_threshold", "relu_mode",
                                           "p",   "seed",    "slope",          "exp"};
    size_t found = 0;
    for (int i = 0; i < HOIST_ATTR_COUNT; i++) {
        found += hoist_attr_fits_sub_op((hoist_attr)i) ? 1u : 0u;
    }
    HOIST_EXPECT_EQ(t, found, HOIST_COUNT_OF(expected));
    for (size_t i = 0; i < HOIST_COUNT_OF(expected); i++) {
        HOIST_EXPECT(t, hoist_attr_fits_sub_op(hoist_attr_find(hoist_str_from(expected[i]))));
    }
}

static const struct {
    const char *name; // attribute
    const char *word;
    int want;
} words[] = {
    {"vector", "r", 0},
    {"vector", "rc", 2},
    {"vector", "z", 3},
    {"dim", "z", 3},
    {"dim", "", -1},
    {"type", "max", 0},
    {"type", "sum", -1},
    {"relu_mode", "none", 0},
    {"relu_mode", "max", 2},
    {"relu_mode", "MAX", -1},
    {"stoch_rnd_mode", "all", 3},
    {"stoch_rnd_mode", "fp", -1},
    {"granularity", "t", 1},
    {"granularity", "T", -1},
    {"sfpu_execution_thread", "pack", 1},
    {"sort", "argmax", 1},
    {"sort", "min", -1},
    {"m_k", "r", -1},
    {"no such", "r", -1},
};

HOIST_TEST_TABLE(attr_words, words)
{
    const hoist_attr attr = hoist_attr_find(hoist_str_from(row->name));
    HOIST_EXPECT_EQ(t, hoist_attr_word(hoist_attr_get(attr), hoist_str_from(row->word)), row->want);
}

static const struct {
    const char *name;
    double min;
    double max;
} ranges[] = {
    {"relu_threshold", 0, 3.4028234663852886e38},
    {"p", 0, 1},
    {"dest_device", 0, INT32_MAX},
    {"min_buffer_input", 0, 1},
    {"sparse_ublock_idx_bits", INT32_MIN, INT32_MAX},
    {"input0", 0, INT32_MAX},
};

HOIST_TEST_TABLE(attr_ranges, ranges)
{
    const hoist_attr_def *def = hoist_attr_get(hoist_attr_find(hoist_str_from(row->name)));
    HOIST_EXPECT(t, def->min == row->min && def->max == row->max);
}

HOIST_TEST(narrower_values)
{
    const hoist_attr_def *buffer_input = hoist_attr_get(HOIST_ATTR_MIN_BUFFER_INPUT);
    HOIST_EXPECT_EQ(t, buffer_input->zero_families,
                    HOIST_FAMILY_BIT(HOIST_FAMILY_DEPTHWISE) |
                        HOIST_FAMILY_BIT(HOIST_FAMILY_BUFFER));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(op_rows_are_full_and_unique), HOIST_TEST_ROW(every_family_has_an_op),
                HOIST_TEST_ROW(unknown_op_names), HOIST_TEST_ROW(sub_op_types),
                HOIST_TEST_ROW(attr_rows_are_full_and_unique), HOIST_TEST_ROW(attr_names),
                HOIST_TEST_ROW(attr_fits), HOIST_TEST_ROW(sub_op_attributes),
                HOIST_TEST_ROW(attr_words), HOIST_TEST_ROW(attr_ranges),
                HOIST_TEST_ROW(narrower_values))
