#include <string.h>

#include "ops/compute_ark.h"
#include "testing/test.h"

// Patterns have known characters, as many alternatives as the attribute has values, and runs that
// what is there gives a rank: one of unknown rank in a pattern.
static void expect_pattern(hoist_test *t, const hoist_compute_def *def,
                           const hoist_compute_operand_def *operand)
{
    int64_t alternatives = 1;
    for (const char *at = operand->dims; *at; at++) {
        alternatives += *at == '|';
        HOIST_EXPECT(t, strchr("|0123456789", *at) || (*at >= 'A' && *at <= 'Z') ||
                            (*at >= 'a' && *at <= 'z') || strcmp(operand->dims, "#") == 0);
    }
    if (alternatives > 1) {
        HOIST_EXPECT(t, operand->by < def->attr_count);
        HOIST_EXPECT_EQ(t, def->attrs[operand->by].min, 0);
        HOIST_EXPECT_EQ(t, def->attrs[operand->by].max, alternatives - 1);
    }
}

HOIST_TEST(rows_are_full_and_unique)
{
    for (hoist_compute_op op = 0; op < HOIST_COMPUTE_COUNT; op++) {
        const hoist_compute_def *def = hoist_compute_get(op);
        hoist_test_row(t, def->name ? def->name : "(empty row)");
        HOIST_EXPECT(t, def->name != NULL && def->name[0] != '\0');
        HOIST_EXPECT(t, def->inputs >= 1 && def->inputs <= HOIST_COMPUTE_MAX_INPUTS);
        HOIST_EXPECT(t, def->attr_count <= HOIST_COMPUTE_MAX_ATTRS);
        HOIST_EXPECT_EQ(t, def->tiled,
                        def->profile == HOIST_PROFILE_GOLDEN ||
                            def->profile == HOIST_PROFILE_DEVICE ||
                            def->profile == HOIST_PROFILE_DECLARED);
        for (size_t i = 0; i <= def->inputs; i++) {
            HOIST_EXPECT(t, def->operands[i].name != NULL && def->operands[i].types != 0);
            expect_pattern(t, def, &def->operands[i]);
        }
        for (size_t i = 0; i < def->attr_count; i++) {
            HOIST_EXPECT(t, def->attrs[i].name != NULL);
            HOIST_EXPECT(t, def->attrs[i].min <= def->attrs[i].max);
        }
        const hoist_str name =
            hoist_arena_format(&t->arena, "%s.%s", hoist_profile_name(def->profile), def->name);
        HOIST_EXPECT_EQ(t, hoist_compute_find(name), op);
    }
}

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    int64_t axis;
    int rank;
    int lead;
} leads[] = {
    {"of a number",           HOIST_ARK_ADD,         0, 0, 0},
    {"of elements",           HOIST_ARK_ADD,         0, 3, 3},
    {"of plain elements",     HOIST_IEEE_ADD,        0, 2, 2},
    {"of a line",             HOIST_ARK_ROPE,        0, 1, 0},
    {"of lines",              HOIST_ARK_ROPE,        0, 3, 2},
    {"of the first axis",     HOIST_ARK_REDUCE_SUM,  0, 3, 0},
    {"of the last axis",      HOIST_ARK_REDUCE_MAX,  2, 3, 2},
    {"of an axis between",    HOIST_ARK_REDUCE_MEAN, 1, 3, 1},
    {"of a product",          HOIST_ARK_MATMUL,      1, 2, 0},
    {"of tiles",              HOIST_GOLDEN_ADD,      0, 3, 0},
};
// clang-format on

HOIST_TEST_TABLE(parts, leads)
{
    const hoist_compute_attrs attrs = {.value = {{.integer = row->axis}}};
    HOIST_EXPECT_EQ(t, hoist_compute_lead(row->op, &attrs, row->rank), row->lead);
}

static const struct {
    const char *name;
} unknown[] = {{""},         {"exp"},        {"golden"},
               {"golden."},  {"golden.ex"},  {"golden.exp "},
               {"ieee.exp"}, {"goldenXexp"}, {".exp"}};

HOIST_TEST_TABLE(unknown_names, unknown)
{
    HOIST_EXPECT_EQ(t, hoist_compute_find(hoist_str_from(row->name)), HOIST_COMPUTE_COUNT);
}

// Shapes are {z, rows, cols}; attributes are integers in the row's order.
// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    int64_t attrs[HOIST_COMPUTE_MAX_ATTRS];
    hoist_tile_shape in[3];
    size_t count;
    bool fits;
    hoist_tile_shape out;
} shapes[] = {
    {"add", HOIST_GOLDEN_ADD, {0}, {{2, 3, 4}, {2, 3, 4}}, 2, true, {2, 3, 4}},
    {"add, z differs", HOIST_GOLDEN_ADD, {0}, {{2, 3, 4}, {1, 3, 4}}, 2, false, {0, 0, 0}},
    {"add, rows differ", HOIST_GOLDEN_ADD, {0}, {{2, 3, 4}, {2, 1, 4}}, 2, false, {0, 0, 0}},
    {"add, columns differ", HOIST_GOLDEN_ADD, {0}, {{2, 3, 4}, {2, 3, 1}}, 2, false, {0, 0, 0}},
    {"sum_z", HOIST_GOLDEN_SUM_Z, {2}, {{6, 3, 4}}, 1, true, {3, 3, 4}},
    {"sum_z, no group", HOIST_GOLDEN_SUM_Z, {0}, {{6, 3, 4}}, 1, false, {0, 0, 0}},
    {"sum_z, does not divide", HOIST_GOLDEN_SUM_Z, {4}, {{6, 3, 4}}, 1, false, {0, 0, 0}},
    {"reduce r", HOIST_GOLDEN_REDUCE, {HOIST_AXIS_ROW}, {{6, 3, 4}}, 1, true, {6, 1, 4}},
    {"reduce c", HOIST_GOLDEN_REDUCE, {HOIST_AXIS_COLUMN}, {{6, 3, 4}}, 1, true, {6, 3, 1}},
    {"reduce rc", HOIST_GOLDEN_REDUCE, {HOIST_AXIS_BOTH}, {{6, 3, 4}}, 1, true, {6, 1, 1}},
    {"reduce z", HOIST_GOLDEN_REDUCE, {HOIST_AXIS_Z, 3}, {{6, 3, 4}}, 1, true, {2, 3, 4}},
    {"reduce z, no group", HOIST_GOLDEN_REDUCE, {HOIST_AXIS_Z, 0}, {{6, 3, 4}}, 1, false, {0, 0, 0}},
    {"reduce z, does not divide", HOIST_GOLDEN_REDUCE, {HOIST_AXIS_Z, 4}, {{6, 3, 4}}, 1, false, {0, 0, 0}},
    {"matmul", HOIST_GOLDEN_MATMUL, {0}, {{2, 3, 4}, {2, 4, 5}}, 2, true, {2, 3, 5}},
    {"matmul, more slices in 1", HOIST_GOLDEN_MATMUL, {0}, {{2, 3, 4}, {3, 4, 5}}, 2, true, {2, 3, 5}},
    {"matmul, too few slices in 1", HOIST_GOLDEN_MATMUL, {0}, {{2, 3, 4}, {1, 4, 5}}, 2, false, {0, 0, 0}},
    {"matmul, inner dimension", HOIST_GOLDEN_MATMUL, {0}, {{2, 3, 4}, {2, 3, 5}}, 2, false, {0, 0, 0}},
    {"depthwise", HOIST_GOLDEN_DEPTHWISE, {3}, {{1, 2, 6}, {1, 3, 2}}, 2, true, {1, 2, 2}},
    {"depthwise, rows of the weights", HOIST_GOLDEN_DEPTHWISE, {3}, {{1, 2, 6}, {1, 2, 2}}, 2, false, {0, 0, 0}},
    {"depthwise, columns", HOIST_GOLDEN_DEPTHWISE, {4}, {{1, 2, 6}, {1, 4, 2}}, 2, false, {0, 0, 0}},
    {"embedding", HOIST_GOLDEN_EMBEDDING, {40, 1, 2}, {{1, 9, 4}, {1, 1, 1}}, 2, true, {1, 2, 4}},
    {"embedding, grid", HOIST_GOLDEN_EMBEDDING, {40, 3, 2}, {{1, 9, 4}, {1, 1, 1}}, 2, false, {0, 0, 0}},
    {"embedding, more indices than rows", HOIST_GOLDEN_EMBEDDING, {65, 1, 2}, {{1, 9, 4}, {1, 1, 1}}, 2, false, {0, 0, 0}},
    {"embedding, more indices than given", HOIST_GOLDEN_EMBEDDING, {1025, 1, 40}, {{1, 9, 4}, {1, 1, 1}}, 2, false, {0, 0, 0}},
    {"topk", HOIST_GOLDEN_TOPK, {64, 0, 0, 2}, {{1, 1, 8}, {1, 1, 8}}, 2, true, {1, 1, 4}},
    {"topk, k no power of two", HOIST_GOLDEN_TOPK, {33, 0, 0, 2}, {{1, 1, 8}, {1, 1, 8}}, 2, false, {0, 0, 0}},
    {"topk, large k", HOIST_GOLDEN_TOPK, {128, 0, 0, 1}, {{1, 1, 8}, {1, 1, 8}}, 2, false, {0, 0, 0}},
    {"topk, k over the columns", HOIST_GOLDEN_TOPK, {64, 0, 0, 8}, {{1, 1, 8}, {1, 1, 8}}, 2, false, {0, 0, 0}},
    {"topk, indices differ", HOIST_GOLDEN_TOPK, {32, 0, 0, 2}, {{1, 1, 8}, {1, 1, 4}}, 2, false, {0, 0, 0}},
    {"topk, grid", HOIST_GOLDEN_TOPK, {32, 0, 0, 3}, {{1, 1, 8}, {1, 1, 8}}, 2, false, {0, 0, 0}},
    {"sparse_matmul", HOIST_GOLDEN_SPARSE_MATMUL, {2, 1, 9, 1, 1, 1, 4, 2, 8, 5, 5, 1}, {{1, 2, 8}, {1, 2, 4}, {1, 2, 1}}, 3, true, {9, 2, 4}},
    {"sparse_matmul, grid rows", HOIST_GOLDEN_SPARSE_MATMUL, {2, 1, 9, 1, 1, 1, 4, 2, 8, 5, 5, 1}, {{1, 1, 8}, {1, 2, 4}, {1, 2, 1}}, 3, false, {0, 0, 0}},
    {"sparse_indices", HOIST_GOLDEN_SPARSE_INDICES, {4, 2, 2, 1, 170, 0}, {{1, 10, 1}, {9, 8, 2}, {1, 1, 1}}, 3, true, {1, 8, 2}},
    {"sparse_bytes", HOIST_GOLDEN_SPARSE_BYTES, {8, 2, 1, 2, 2}, {{1, 10, 1}, {1, 72, 4}, {1, 1, 1}}, 3, true, {1, 8, 4}},
    {"sparse_bytes, columns", HOIST_GOLDEN_SPARSE_BYTES, {8, 2, 1, 2, 2}, {{1, 10, 1}, {1, 72, 3}, {1, 1, 1}}, 3, false, {0, 0, 0}},
    {"sparse_matmul, columns", HOIST_GOLDEN_SPARSE_MATMUL, {2, 1, 9, 1, 1, 1, 4, 2, 8, 5, 5, 1}, {{1, 2, 8}, {1, 2, 5}, {1, 2, 1}}, 3, false, {0, 0, 0}},
};
// clang-format on

HOIST_TEST_TABLE(inferred_shapes, shapes)
{
    hoist_compute_attrs attrs = {0};
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    char why[HOIST_COMPUTE_WHY];
    for (size_t i = 0; i < HOIST_COMPUTE_MAX_ATTRS; i++) {
        attrs.value[i].integer = row->attrs[i];
    }
    for (size_t i = 0; i < row->count; i++) {
        operands[i] = hoist_compute_tiles(row->in[i]);
    }
    operands[row->count].dtype = HOIST_DTYPE_F32;
    const bool fits = hoist_compute_infer(row->op, &attrs, operands, why) == HOIST_FIT_OK;
    HOIST_EXPECT_EQ(t, fits, row->fits);
    HOIST_EXPECT_EQ(t, why[0] == '\0', fits);
    if (fits) {
        const hoist_compute_operand out = hoist_compute_tiles(row->out);
        HOIST_EXPECT(t, hoist_shape_equal(&operands[row->count].shape, &out.shape));
        // What is inferred fits, and nothing else does.
        HOIST_EXPECT_EQ(t, hoist_compute_fits(row->op, &attrs, operands, why), HOIST_FIT_OK);
        operands[row->count].shape.dim[1]++;
        HOIST_EXPECT_EQ(t, hoist_compute_fits(row->op, &attrs, operands, why), HOIST_FIT_SHAPES);
    }
}

// Views: ranks first, then extents; attributes are integers in the row's order.
// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    int64_t attrs[2];
    hoist_shape operands[3];
    hoist_compute_fit fit;
    const char *why;
} views[] = {
    {"any shapes of one count", HOIST_IEEE_ADD, {0}, {{1, {6}}, {2, {2, 3}}, {3, {3, 1, 2}}}, HOIST_FIT_OK, ""},
    {"no elements", HOIST_IEEE_ADD, {0}, {{1, {0}}, {2, {0, 3}}, {1, {0}}}, HOIST_FIT_OK, ""},
    {"another count", HOIST_IEEE_ADD, {0}, {{1, {6}}, {1, {6}}, {2, {2, 4}}}, HOIST_FIT_SHAPES, "y has 8 elements, a has 6"},
    {"a product", HOIST_ARK_MATMUL, {0}, {{2, {2, 3}}, {2, {3, 4}}, {2, {2, 4}}}, HOIST_FIT_OK, ""},
    {"a transposed", HOIST_ARK_MATMUL, {1, 0}, {{2, {3, 2}}, {2, {3, 4}}, {2, {2, 4}}}, HOIST_FIT_OK, ""},
    {"b transposed", HOIST_ARK_MATMUL, {0, 1}, {{2, {2, 3}}, {2, {4, 3}}, {2, {2, 4}}}, HOIST_FIT_OK, ""},
    {"both, in batches", HOIST_ARK_MATMUL, {1, 1}, {{4, {5, 6, 3, 2}}, {4, {5, 6, 4, 3}}, {4, {5, 6, 2, 4}}}, HOIST_FIT_OK, ""},
    {"terms differ", HOIST_ARK_MATMUL, {0}, {{2, {2, 3}}, {2, {4, 3}}, {2, {2, 3}}}, HOIST_FIT_SHAPES, "dimension 0 of b is 4, expected 3 (K)"},
    {"batches differ", HOIST_ARK_MATMUL, {0}, {{3, {5, 2, 3}}, {3, {6, 3, 4}}, {3, {5, 2, 4}}}, HOIST_FIT_SHAPES, "dimension 0 of b is 6, expected 5"},
    {"ranks of batches differ", HOIST_ARK_MATMUL, {0}, {{3, {5, 2, 3}}, {2, {3, 4}}, {3, {5, 2, 4}}}, HOIST_FIT_SHAPES, "b has 2 dimensions, expected [5, K, N]"},
    {"no matrix", HOIST_ARK_MATMUL, {0}, {{1, {3}}, {2, {3, 4}}, {1, {4}}}, HOIST_FIT_SHAPES, "a has 1 dimensions, expected [b..., M, K]"},
    {"an empty batch", HOIST_ARK_MATMUL, {0}, {{3, {0, 2, 3}}, {3, {0, 3, 4}}, {3, {0, 2, 4}}}, HOIST_FIT_SHAPES, "dimension 0 of a is 0, expected 1 or more"},
    {"long sums", HOIST_ARK_MATMUL, {0}, {{2, {1, 1 << 26}}, {2, {1 << 26, 1}}, {2, {1, 1}}}, HOIST_FIT_OK, ""},
    {"longer sums", HOIST_ARK_MATMUL, {0}, {{2, {1, (1 << 26) + 1}}, {2, {(1 << 26) + 1, 1}}, {2, {1, 1}}}, HOIST_FIT_SHAPES, "matmul expects at most 2^26 terms of a sum"},
    {"a transpose of 2", HOIST_ARK_MATMUL, {2}, {{2, {2, 3}}, {2, {3, 4}}, {2, {2, 4}}}, HOIST_FIT_ATTRIBUTES, "transpose_a is 2, expected 0 to 1"},
    {"the first axis", HOIST_ARK_REDUCE_SUM, {0, 0}, {{3, {2, 3, 4}}, {2, {3, 4}}}, HOIST_FIT_OK, ""},
    {"an axis between", HOIST_ARK_REDUCE_SUM, {1, 0}, {{3, {2, 3, 4}}, {2, {2, 4}}}, HOIST_FIT_OK, ""},
    {"the last axis, kept", HOIST_ARK_REDUCE_SUM, {2, 1}, {{3, {2, 3, 4}}, {3, {2, 3, 1}}}, HOIST_FIT_OK, ""},
    {"to a scalar", HOIST_ARK_REDUCE_SUM, {0, 0}, {{1, {7}}, {0, {0}}}, HOIST_FIT_OK, ""},
    {"of eight dimensions", HOIST_ARK_REDUCE_SUM, {7, 1}, {{8, {1, 1, 1, 1, 1, 1, 1, 9}}, {8, {1, 1, 1, 1, 1, 1, 1, 1}}}, HOIST_FIT_OK, ""},
    {"an axis that is not there", HOIST_ARK_REDUCE_SUM, {3, 1}, {{3, {2, 3, 4}}, {3, {2, 3, 1}}}, HOIST_FIT_SHAPES, "x has 3 dimensions, expected [a..., K, b...]"},
    {"an axis that is kept", HOIST_ARK_REDUCE_SUM, {1, 1}, {{3, {2, 3, 4}}, {2, {2, 4}}}, HOIST_FIT_SHAPES, "y has 2 dimensions, expected [2, 1, 4]"},
    {"an axis that is not kept", HOIST_ARK_REDUCE_SUM, {1, 0}, {{3, {2, 3, 4}}, {3, {2, 1, 4}}}, HOIST_FIT_SHAPES, "y has 3 dimensions, expected [2, 4]"},
    {"another axis", HOIST_ARK_REDUCE_SUM, {1, 0}, {{3, {2, 3, 4}}, {2, {2, 3}}}, HOIST_FIT_SHAPES, "dimension 1 of y is 3, expected 4"},
    {"a kept axis of two", HOIST_ARK_REDUCE_SUM, {1, 1}, {{3, {2, 3, 4}}, {3, {2, 2, 4}}}, HOIST_FIT_SHAPES, "dimension 1 of y is 2, expected 1"},
};
// clang-format on

static void set_case(hoist_compute_op op, const int64_t values[2], const hoist_shape *given,
                     hoist_compute_attrs *attrs, hoist_compute_operand *operands)
{
    *attrs = (hoist_compute_attrs){.value = {{.integer = values[0]}, {.integer = values[1]}}};
    for (size_t i = 0; i <= hoist_compute_get(op)->inputs; i++) {
        operands[i] = (hoist_compute_operand){HOIST_DTYPE_F32, given[i]};
    }
}

HOIST_TEST_TABLE(shapes_of_views, views)
{
    hoist_compute_attrs attrs;
    hoist_compute_operand operands[3];
    char why[HOIST_COMPUTE_WHY];
    set_case(row->op, row->attrs, row->operands, &attrs, operands);
    HOIST_EXPECT_EQ(t, hoist_compute_fits(row->op, &attrs, operands, why), row->fit);
    HOIST_EXPECT_STR(t, hoist_str_from(why), row->why);
    if (row->fit == HOIST_FIT_OK && row->op != HOIST_IEEE_ADD) {
        hoist_shape *out = &operands[hoist_compute_get(row->op)->inputs].shape;
        const hoist_shape given = *out;
        *out = (hoist_shape){.rank = 0};
        HOIST_EXPECT_EQ(t, hoist_compute_infer(row->op, &attrs, operands, why), HOIST_FIT_OK);
        HOIST_EXPECT(t, hoist_shape_equal(out, &given));
    }
}

HOIST_TEST(shapes_that_do_not_follow)
{
    const hoist_shape image[] = {{4, {1, 4, 4, 3}}, {0, {0}}};
    const int64_t values[] = {1, 0};
    hoist_compute_attrs attrs;
    hoist_compute_operand operands[3];
    char why[HOIST_COMPUTE_WHY];
    set_case(HOIST_TFLITE_RESIZE_NEAREST, values, image, &attrs, operands);
    HOIST_EXPECT_EQ(t, hoist_compute_infer(HOIST_TFLITE_RESIZE_NEAREST, &attrs, operands, why),
                    HOIST_FIT_SHAPES);
    HOIST_EXPECT_STR(t, hoist_str_from(why), "the shape of y does not follow from the inputs");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rows_are_full_and_unique), HOIST_TEST_ROW(parts),
                HOIST_TEST_ROW(unknown_names), HOIST_TEST_ROW(inferred_shapes),
                HOIST_TEST_ROW(shapes_of_views), HOIST_TEST_ROW(shapes_that_do_not_follow))
