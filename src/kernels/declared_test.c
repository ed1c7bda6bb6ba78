// The profile declared: numbers rounded to each type, sums rounded where a netlist declares a type,
// and dropout with a seed.
#include "kernels/declared.h"
#include "kernels/tiles_testing.h"
#include "ops/compute_declared.h"

static _Alignas(64) float a[2 * HOIST_TILE_FLOATS];
static _Alignas(64) float b[2 * HOIST_TILE_FLOATS];
static _Alignas(64) float y[2 * HOIST_TILE_FLOATS];

// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint32_t in, out;
} numbers[] = {
    {"float32 stays",             HOIST_DTYPE_F32,      0x3f800001, 0x3f800001},
    {"raw bits stay",             HOIST_DTYPE_TT_RAW16, 0x3f812345, 0x3f812345},
    {"bf16 up",                   HOIST_DTYPE_BF16,     0x3f808001, 0x3f810000},
    {"bf16, half to even",        HOIST_DTYPE_BF16,     0x3f808000, 0x3f800000},
    {"bf16, half to even, up",    HOIST_DTYPE_BF16,     0x3f818000, 0x3f820000},
    {"tf32, half to even",        HOIST_DTYPE_TF32,     0x3f801000, 0x3f800000},
    {"float16 up",                HOIST_DTYPE_TT_F16,   0x3f801001, 0x3f802000},
    {"float16 has no infinity",   HOIST_DTYPE_TT_F16,   0x7f800000, 0x47ffe000},
    {"int8",                      HOIST_DTYPE_TT_I8,    0xc0200000, 0xc0000000},
    {"a block float alone",       HOIST_DTYPE_TT_BFP8B, 0x3f810000, 0x3f820000},
    {"a block float of one bit",  HOIST_DTYPE_TT_BFP2B, 0x3f900000, 0x3f800000},
};
// clang-format on

// Each alone in its row of a face: the others are zeros.
HOIST_TEST_TABLE(one_number, numbers)
{
    hoist_compute_call call = {.op = HOIST_DECLARED_ROUND,
                               .inputs = {{a, NULL, {1, 1, 1}}},
                               .output = {y, NULL, {1, 1, 1}},
                               .input_count = 1};
    hoist_compute_fault fault;
    memset(a, 0, sizeof a);
    a[17] = hoist_f32_from_bits(row->in);
    call.attrs.value[HOIST_DECLARED_DTYPE].dtype = row->dtype;
    HOIST_EXPECT_EQ(
        t, hoist_compute_run(hoist_compute_kernels_at(hoist_cpu_detect()), &call, 0, 1, &fault),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(y[17]), row->out);
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(y[16]), 0);
}

// 1 x 2 tiles times 2 x 1: the first tile gives 257, of which bf16 keeps 256, the second 1.
HOIST_TEST(sums)
{
    static const struct {
        int64_t block;
        float expected;
    } cases[] = {{2, 258}, {1, 257}};
    hoist_compute_call call = {.op = HOIST_DECLARED_MATMUL,
                               .inputs = {{a, NULL, {1, 1, 2}}, {b, NULL, {1, 2, 1}}},
                               .output = {y, NULL, {1, 1, 1}},
                               .input_count = 2};
    hoist_compute_fault fault;
    memset(a, 0, sizeof a);
    memset(b, 0, sizeof b);
    a[0] = 257;
    a[HOIST_TILE_FLOATS] = 1;
    b[0] = b[HOIST_TILE_FLOATS] = 1;
    call.attrs.value[HOIST_DECLARED_ACC].dtype = HOIST_DTYPE_F32;
    call.attrs.value[HOIST_DECLARED_SPILL].dtype = HOIST_DTYPE_BF16;
    for (size_t i = 0; i < HOIST_COUNT_OF(cases); i++) {
        call.attrs.value[HOIST_DECLARED_BLOCK].integer = cases[i].block;
        HOIST_EXPECT_EQ(
            t, hoist_compute_run(hoist_compute_kernels_at(hoist_cpu_detect()), &call, 0, 1, &fault),
            HOIST_OK);
        HOIST_EXPECT(t, y[0] == cases[i].expected);
    }
    call.attrs.value[HOIST_DECLARED_ACC].dtype = HOIST_DTYPE_BF16;
    HOIST_EXPECT_EQ(
        t, hoist_compute_run(hoist_compute_kernels_at(hoist_cpu_detect()), &call, 0, 1, &fault),
        HOIST_OK);
    HOIST_EXPECT(t, y[0] == 256);
}

static uint32_t dropped(size_t tile)
{
    uint32_t bits = 0;
    for (size_t i = 0; i < 32; i++) {
        bits |= (uint32_t)(y[tile * HOIST_TILE_FLOATS + i] == 0) << i;
    }
    return bits;
}

// Tile n of seed s has the mask of tile 0 of seed s + n; golden has that of 5489 everywhere.
HOIST_TEST(seeds)
{
    hoist_compute_call call = {.op = HOIST_GOLDEN_DROPOUT,
                               .inputs = {{a, NULL, {1, 1, 2}}},
                               .output = {y, NULL, {1, 1, 2}},
                               .input_count = 1};
    hoist_compute_fault fault;
    const hoist_compute_kernels *kernels = hoist_compute_kernels_at(hoist_cpu_detect());
    for (size_t i = 0; i < HOIST_COUNT_OF(a); i++) {
        a[i] = 1;
    }
    call.attrs.value[HOIST_DROPOUT_P].number = 0.5F;
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 2, &fault), HOIST_OK);
    const uint32_t golden = dropped(0);
    HOIST_EXPECT_EQ(t, dropped(1), golden);
    call.op = HOIST_DECLARED_DROPOUT;
    call.attrs.value[HOIST_DECLARED_SEED].integer = 5488;
    HOIST_EXPECT_EQ(t, hoist_compute_run(kernels, &call, 0, 2, &fault), HOIST_OK);
    HOIST_EXPECT_EQ(t, dropped(1), golden);
    HOIST_EXPECT(t, dropped(0) != golden);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(one_number), HOIST_TEST_ROW(sums), HOIST_TEST_ROW(seeds))
