// Operations of compute steps, worked out by hand from their shapes.
#include "base/span.h"
#include "ops/compute.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name; // of the row
    int64_t transposed;
    hoist_shape shapes[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS];
    uint64_t flops;
} steps[] = {
    {"ark.add",          0, {{2, {2, 3}}, {2, {2, 3}}, {2, {2, 3}}}, 6},
    {"ark.gelu",         0, {{1, {5}}, {1, {5}}}, 45},
    {"ark.reduce_sum",   0, {{2, {3, 7}}, {2, {3, 1}}}, 21},
    {"ark.matmul",       0, {{2, {2, 5}}, {2, {5, 3}}, {2, {2, 3}}}, 60},
    {"ark.matmul",       1, {{2, {5, 2}}, {2, {5, 3}}, {2, {2, 3}}}, 60},
    {"ark.embedding",    0, {{1, {6}}, {2, {10, 2}}, {2, {6, 2}}}, 0},
    {"ark.matmul",       0, {{2, {1, INT64_MAX}}, {1, {1}}, {2, {2, 1}}}, UINT64_MAX},
    {"ark.add",          0, {{1, {0}}, {1, {0}}, {1, {0}}}, 0},
    {"ieee.relu",        0, {{1, {4}}, {1, {4}}}, 4},
    {"golden.add",       0, {{3, {1, 2, 3}}, {3, {1, 2, 3}}, {3, {1, 2, 3}}}, 6144},
    {"golden.copy",      0, {{3, {1, 2, 3}}, {3, {1, 2, 3}}}, 0},
    {"golden.matmul",    0, {{3, {1, 2, 3}}, {3, {1, 3, 4}}, {3, {1, 2, 4}}}, 2 * 8192 * 96},
    {"tflite.conv",      0, {{4, {1, 8, 8, 3}}, {4, {5, 2, 2, 3}}, {1, {5}}, {2, {5, 2}}, {4, {1, 7, 7, 5}}}, 2 * 245 * 12},
    {"tflite.depthwise", 0, {{4, {1, 8, 8, 5}}, {4, {1, 2, 2, 5}}, {1, {5}}, {2, {5, 2}}, {4, {1, 7, 7, 5}}}, 2 * 245 * 4},
    {"tflite.transpose_conv", 0, {{4, {1, 3, 2, 4}}, {4, {5, 3, 3, 4}}, {1, {5}}, {2, {5, 2}}, {4, {1, 7, 5, 5}}}, 2 * 24 * 45},
    {"tflite.dense",     0, {{2, {2, 6}}, {2, {5, 6}}, {1, {5}}, {2, {5, 2}}, {2, {2, 5}}}, 120},
};
// clang-format on

HOIST_TEST_TABLE(flops_follow_from_shapes, steps)
{
    const hoist_compute_op op = hoist_compute_find(hoist_str_from(row->name));
    const hoist_compute_attrs attrs = {.value = {{.integer = row->transposed}}};
    hoist_compute_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS] = {0};
    HOIST_EXPECT(t, op < HOIST_COMPUTE_COUNT);
    for (size_t i = 0; i < HOIST_COUNT_OF(operands); i++) {
        operands[i].shape = row->shapes[i];
    }
    HOIST_EXPECT_EQ(t, hoist_compute_flops(op, &attrs, operands), row->flops);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(flops_follow_from_shapes))
