#include "ops/compute.h"
#include "testing/test.h"

HOIST_TEST(rows_are_full_and_unique)
{
    for (hoist_compute_op op = 0; op < HOIST_COMPUTE_COUNT; op++) {
        const hoist_compute_def *def = hoist_compute_get(op);
        hoist_test_row(t, def->name ? def->name : "(empty row)");
        HOIST_EXPECT(t, def->name != NULL && def->name[0] != '\0');
        HOIST_EXPECT(t, def->min_inputs >= 1 && def->min_inputs <= def->max_inputs);
        HOIST_EXPECT(t, def->max_inputs <= HOIST_COMPUTE_MAX_INPUTS);
        HOIST_EXPECT(t, def->attr_count <= HOIST_COMPUTE_MAX_ATTRS);
        HOIST_EXPECT(t, (def->infer != NULL) == (def->profile == HOIST_PROFILE_GOLDEN));
        for (size_t i = 0; i < def->attr_count; i++) {
            HOIST_EXPECT(t, def->attrs[i].name != NULL);
            HOIST_EXPECT(t, def->attrs[i].min <= def->attrs[i].max);
        }
        const hoist_str name =
            hoist_arena_format(&t->arena, "%s.%s", hoist_profile_name(def->profile), def->name);
        HOIST_EXPECT_EQ(t, hoist_compute_find(name), op);
    }
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
    {"sparse_matmul, columns", HOIST_GOLDEN_SPARSE_MATMUL, {2, 1, 9, 1, 1, 1, 4, 2, 8, 5, 5, 1}, {{1, 2, 8}, {1, 2, 5}, {1, 2, 1}}, 3, false, {0, 0, 0}},
};
// clang-format on

HOIST_TEST_TABLE(inferred_shapes, shapes)
{
    hoist_compute_attrs attrs = {0};
    for (size_t i = 0; i < HOIST_COMPUTE_MAX_ATTRS; i++) {
        attrs.value[i].integer = row->attrs[i];
    }
    hoist_tile_shape out = {0};
    const char *wanted = NULL;
    const bool fits = hoist_compute_get(row->op)->infer(&attrs, row->in, row->count, &out, &wanted);
    HOIST_EXPECT_EQ(t, fits, row->fits);
    if (!fits) {
        HOIST_EXPECT(t, wanted != NULL);
        return;
    }
    HOIST_EXPECT_EQ(t, out.z, row->out.z);
    HOIST_EXPECT_EQ(t, out.rows, row->out.rows);
    HOIST_EXPECT_EQ(t, out.cols, row->out.cols);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(rows_are_full_and_unique), HOIST_TEST_ROW(unknown_names),
                HOIST_TEST_ROW(inferred_shapes))
