// Operations of compute steps, worked out by hand from their shapes.
#include <math.h>

#include "base/span.h"
#include "ops/compute_quant.h"
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
    {"tflite.softmax_f32", 0, {{2, {2, 5}}, {2, {2, 5}}}, 60},
    {"tflite.resize_bilinear_f32", 0, {{4, {1, 2, 2, 3}}, {4, {1, 4, 4, 3}}}, 7 * 48},
    {"tflite.resize_nearest", 0, {{4, {1, 2, 2, 3}}, {4, {1, 4, 4, 3}}}, 0},
    {"tflite.mean",      0, {{2, {3, 7}}, {2, {3, 1}}}, 21},
    {"tflite.arg_max",   0, {{2, {3, 7}}, {1, {3}}}, 21},
    {"golden.reduce",    0, {{3, {1, 2, 3}}, {3, {1, 1, 3}}}, 6144},
    {"golden.lrelu",     0, {{3, {1, 1, 2}}, {3, {1, 1, 2}}}, 2048},
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

// Windows of 3 x 2, and limits that are there or not.
HOIST_TEST(flops_follow_from_attributes)
{
    static const struct {
        const char *name;
        float low, high; // of float32 pools
        uint64_t flops;
    } rows[] = {{"tflite.average_pool", 0, 0, 6 * 40},
                {"tflite.max_pool_f32", -INFINITY, INFINITY, 6 * 40},
                {"tflite.max_pool_f32", 0, INFINITY, 7 * 40},
                {"tflite.average_pool_f32", 0, 6, 8 * 40}};
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        const hoist_compute_attrs attrs = {.value = {[HOIST_POOL_KERNEL_H] = {.integer = 3},
                                                     [HOIST_POOL_KERNEL_W] = {.integer = 2},
                                                     [HOIST_POOL_LOW] = {.number = rows[i].low},
                                                     [HOIST_POOL_HIGH] = {.number = rows[i].high}}};
        const hoist_compute_operand operands[] = {{.shape = {4, {1, 8, 8, 5}}},
                                                  {.shape = {4, {1, 2, 4, 5}}}};
        const hoist_compute_op op = hoist_compute_find(hoist_str_from(rows[i].name));
        HOIST_EXPECT_EQ(t, hoist_compute_flops(op, &attrs, operands), rows[i].flops);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(flops_follow_from_shapes),
                HOIST_TEST_ROW(flops_follow_from_attributes))
