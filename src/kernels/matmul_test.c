// Golden matmul and depthwise against their definitions.
#include <math.h>

#include "kernels/tiles_testing.h"

// buda-ops reference section 5.1, word for word.
static float lanes_product(const float a[32], const float b[32])
{
    float p[8];
    for (size_t l = 0; l < 8; l++) {
        p[l] = 0;
    }
    for (size_t k = 0; k < 32; k += 8) {
        for (size_t l = 0; l < 8; l++) {
            p[l] = fmaf(a[k + l], b[k + l], p[l]);
        }
    }
    float q[4];
    for (size_t l = 0; l < 4; l++) {
        q[l] = p[l] + p[l + 4];
    }
    return (q[0] + q[2]) + (q[1] + q[3]);
}

static float chain_product(const float a[32], const float b[32])
{
    float sum = 0;
    for (size_t k = 0; k < 32; k++) {
        sum = fmaf(a[k], b[k], sum);
    }
    return sum;
}

static void matmul(const hoist_compute_call *call)
{
    const hoist_tile_shape *out = &call->output.shape;
    for (uint64_t z = 0; z < out->z; z++) {
        for (uint64_t i = 0; i < out->rows * 32; i++) {
            for (uint64_t j = 0; j < out->cols * 32; j++) {
                float c = 0;
                for (uint64_t k = 0; k < call->inputs[0].shape.cols; k++) {
                    float a[32];
                    float b[32];
                    for (size_t e = 0; e < 32; e++) {
                        a[e] = *tiles_at(&call->inputs[0], z, i, k * 32 + e);
                        b[e] = *tiles_at(&call->inputs[1], z, k * 32 + e, j);
                    }
                    c = c + lanes_product(a, b);
                }
                *tiles_at(&call->output, z, i, j) = c;
            }
        }
    }
}

// Section 5.9.
static void depthwise(const hoist_compute_call *call)
{
    const hoist_tile_shape *out = &call->output.shape;
    for (uint64_t z = 0; z < out->z; z++) {
        for (uint64_t i = 0; i < out->rows * 32; i++) {
            for (uint64_t j = 0; j < out->cols * 32; j++) {
                float c = 0;
                for (uint64_t block = 0; block < call->inputs[1].shape.rows; block++) {
                    const uint64_t col = (j / 32 + block * out->cols) * 32;
                    float a[32];
                    float b[32];
                    for (size_t e = 0; e < 32; e++) {
                        a[e] = *tiles_at(&call->inputs[0], z, i, col + e);
                        b[e] = *tiles_at(&call->inputs[1], z, block * 32 + e, j);
                    }
                    c = c + chain_product(a, b);
                }
                *tiles_at(&call->output, z, i, j) = c;
            }
        }
    }
}

// clang-format off
static const struct {
    const char *name;
    hoist_compute_op op;
    tiles_definition *definition;
    int64_t m_k;
    hoist_tile_shape a;
    hoist_tile_shape b;
} cases[] = {
    {"matmul, one tile",           HOIST_GOLDEN_MATMUL,    matmul,    0, {1, 1, 1}, {1, 1, 1}},
    {"matmul, few units",          HOIST_GOLDEN_MATMUL,    matmul,    0, {1, 5, 2}, {1, 2, 2}},
    {"matmul, complete strip",     HOIST_GOLDEN_MATMUL,    matmul,    0, {1, 4, 1}, {1, 1, 16}},
    {"matmul, strip and rest",     HOIST_GOLDEN_MATMUL,    matmul,    0, {2, 5, 1}, {2, 1, 4}},
    {"matmul, slices",             HOIST_GOLDEN_MATMUL,    matmul,    0, {2, 2, 3}, {2, 3, 2}},
    {"matmul, more slices in B",   HOIST_GOLDEN_MATMUL,    matmul,    0, {2, 1, 2}, {3, 2, 1}},
    {"depthwise, one block",       HOIST_GOLDEN_DEPTHWISE, depthwise, 1, {1, 2, 3}, {1, 1, 3}},
    {"depthwise, blocks",          HOIST_GOLDEN_DEPTHWISE, depthwise, 3, {1, 2, 6}, {1, 3, 2}},
    {"depthwise, slices",          HOIST_GOLDEN_DEPTHWISE, depthwise, 2, {2, 1, 4}, {2, 2, 2}},
};
// clang-format on

HOIST_TEST_TABLE(products, cases)
{
    uint64_t state = 1;
    for (tiles_draw how = 0; how < TILES_DRAW_COUNT; how++) {
        hoist_compute_call call = {.op = row->op, .input_count = 2};
        call.attrs.value[HOIST_DEPTHWISE_M_K].integer = row->m_k;
        call.inputs[0] = tiles_input(t, row->a, how, &state);
        call.inputs[1] = tiles_input(t, row->b, how, &state);
        tiles_check(t, &call, row->definition, 2, &state);
    }
}

// A product that underflows to -0 in every place must come out as +0: the running sums start at +0.
HOIST_TEST(negative_zeros_vanish)
{
    uint64_t state = 1;
    const hoist_tile_shape one = {1, 1, 1};
    hoist_compute_call call = {.op = HOIST_GOLDEN_MATMUL, .input_count = 2};
    call.inputs[0] = tiles_input(t, one, TILES_NORMAL, &state);
    call.inputs[1] = tiles_input(t, one, TILES_NORMAL, &state);
    call.output = tiles_make(t, one, &state);
    for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
        tiles_tile(&call.inputs[0], 0)[i] = -0x1p-140F;
        tiles_tile(&call.inputs[1], 0)[i] = 0x1p-140F;
    }
    for (hoist_cpu_level level = HOIST_CPU_BASELINE; level <= hoist_cpu_detect(); level++) {
        hoist_compute_fault fault;
        HOIST_EXPECT_EQ(t, hoist_compute_run(hoist_compute_kernels_at(level), &call, 0, 1, &fault),
                        HOIST_OK);
        for (size_t i = 0; i < HOIST_TILE_FLOATS; i++) {
            HOIST_EXPECT_EQ(t, hoist_f32_to_bits(tiles_tile(&call.output, 0)[i]), 0);
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(products), HOIST_TEST_ROW(negative_zeros_vanish))
