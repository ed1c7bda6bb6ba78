#include <string.h>

#include "tensor/block.h"
#include "tensor/float_bits.h"
#include "testing/test.h"

// The worked block of the reference (section 2.3).
static const float worked[HOIST_BLOCK_SIZE] = {
    1.0f,  -1.5f,      0.1f,        3.9f,      0.03125f,   -0.0078125f, 2.0f,  0.0f,
    -0.0f, 1.9921875f, 1.99609375f, 0.015625f, 0.0234375f, -3.0f,       0.99f, 1e-6f,
};

// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    bool truncate;
    uint8_t exponent;
    uint8_t datum[HOIST_BLOCK_SIZE];
    float out[HOIST_BLOCK_SIZE];
} cases[] = {
    {"bfp8b", HOIST_DTYPE_TT_BFP8B, false, 0x80,
     {0x20, 0xb0, 0x03, 0x7d, 0x01, 0x00, 0x40, 0x00, 0x00, 0x40, 0x40, 0x01, 0x01, 0xe0, 0x20, 0x00},
     {1, -1.5f, 0.09375f, 3.90625f, 0.03125f, 0, 2, 0, 0, 2, 2, 0.03125f, 0.03125f, -3, 1, 0}},
    {"bfp8b truncating", HOIST_DTYPE_TT_BFP8B, true, 0x80,
     {0x20, 0xb0, 0x03, 0x7c, 0x01, 0x00, 0x40, 0x00, 0x00, 0x3f, 0x3f, 0x00, 0x00, 0xe0, 0x1f, 0x00},
     {1, -1.5f, 0.09375f, 3.875f, 0.03125f, 0, 2, 0, 0, 1.96875f, 1.96875f, 0, 0, -3, 0.96875f, 0}},
    {"bfp8a", HOIST_DTYPE_TT_BFP8A, false, 0x10,
     {0x20, 0xb0, 0x03, 0x7d, 0x01, 0x00, 0x40, 0x00, 0x00, 0x40, 0x40, 0x01, 0x01, 0xe0, 0x20, 0x00},
     {1, -1.5f, 0.09375f, 3.90625f, 0.03125f, 0, 2, 0, 0, 2, 2, 0.03125f, 0.03125f, -3, 1, 0}},
    {"bfp4b", HOIST_DTYPE_TT_BFP4B, false, 0x80,
     {0x2, 0xb, 0x0, 0x7, 0x0, 0x0, 0x4, 0x0, 0x0, 0x4, 0x4, 0x0, 0x0, 0xe, 0x2, 0x0},
     {1, -1.5f, 0, 3.5f, 0, 0, 2, 0, 0, 2, 2, 0, 0, -3, 1, 0}},
    {"bfp4b truncating", HOIST_DTYPE_TT_BFP4B, true, 0x80,
     {0x2, 0xb, 0x0, 0x7, 0x0, 0x0, 0x4, 0x0, 0x0, 0x3, 0x3, 0x0, 0x0, 0xe, 0x1, 0x0},
     {1, -1.5f, 0, 3.5f, 0, 0, 2, 0, 0, 1.5f, 1.5f, 0, 0, -3, 0.5f, 0}},
    {"bfp2b", HOIST_DTYPE_TT_BFP2B, false, 0x80,
     {0x1, 0x3, 0x0, 0x1, 0x0, 0x0, 0x1, 0x0, 0x0, 0x1, 0x1, 0x0, 0x0, 0x3, 0x0, 0x0},
     {2, -2, 0, 2, 0, 0, 2, 0, 0, 2, 2, 0, 0, -2, 0, 0}},
    {"bfp2b truncating", HOIST_DTYPE_TT_BFP2B, true, 0x80,
     {0x0, 0x0, 0x0, 0x1, 0x0, 0x0, 0x1, 0x0, 0x0, 0x0, 0x0, 0x0, 0x0, 0x3, 0x0, 0x0},
     {0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 0, 0, 0, -2, 0, 0}},
};
// clang-format on

static hoist_block encode_floats(hoist_dtype dtype, const float *values, bool truncate)
{
    uint32_t bits[HOIST_BLOCK_SIZE];
    memcpy(bits, values, sizeof bits);
    return hoist_block_encode(dtype, bits, truncate);
}

HOIST_TEST_TABLE(worked_block, cases)
{
    const hoist_block block = encode_floats(row->dtype, worked, row->truncate);
    HOIST_EXPECT_EQ(t, block.exponent, row->exponent);
    for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
        HOIST_EXPECT_EQ(t, block.datum[i], row->datum[i]);
        const uint32_t out = hoist_block_decode(row->dtype, block.exponent, block.datum[i]);
        HOIST_EXPECT_EQ(t, out, hoist_f32_to_bits(row->out[i]));
    }
}

// A block of one value and fifteen times another.
// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint32_t first;
    uint32_t others;
    uint8_t exponent;
    uint32_t first_out;
    uint32_t other_out;
} pairs[] = {
    {"inf in A saturates",          HOIST_DTYPE_TT_BFP8A, 0x7f800000, 0x3f800000, 31,  0x47fe0000, 0x00000000},
    {"inf in B collapses the rest", HOIST_DTYPE_TT_BFP8B, 0x7f800000, 0x3f800000, 255, 0x7f800000, 0x00000000},
    {"nan in B",                    HOIST_DTYPE_TT_BFP8B, 0xffc00000, 0x7f7fffff, 255, 0xffc00000, 0x7f800000},
    {"zeros",                       HOIST_DTYPE_TT_BFP8B, 0x80000000, 0x00000000, 0,   0x00000000, 0x00000000},
    {"denormals get a hidden one",  HOIST_DTYPE_TT_BFP8B, 0x00000001, 0x80000001, 0,   0x00000000, 0x80000000},
    {"tiny in A",                   HOIST_DTYPE_TT_BFP8A, 0x00000001, 0x00000000, 0,   0x38000000, 0x00000000},
    {"rounding never bumps",        HOIST_DTYPE_TT_BFP8B, 0x3fffffff, 0x3f800000, 127, 0x3ffe0000, 0x3f800000},
    {"far below",                   HOIST_DTYPE_TT_BFP8B, 0x7f000000, 0x3f800000, 254, 0x7f000000, 0x00000000},
};
// clang-format on

HOIST_TEST_TABLE(special_blocks, pairs)
{
    uint32_t values[HOIST_BLOCK_SIZE];
    for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
        values[i] = i ? row->others : row->first;
    }
    const hoist_block block = hoist_block_encode(row->dtype, values, false);
    HOIST_EXPECT_EQ(t, block.exponent, row->exponent);
    HOIST_EXPECT_EQ(t, hoist_block_decode(row->dtype, block.exponent, block.datum[0]),
                    row->first_out);
    HOIST_EXPECT_EQ(t, hoist_block_decode(row->dtype, block.exponent, block.datum[9]),
                    row->other_out);
}

// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint8_t exponent;
    uint8_t datum;
    uint32_t out;
} foreign[] = {
    {"minus zero",                    HOIST_DTYPE_TT_BFP8B, 0x80, 0x80, 0x80000000},
    {"below float32",                 HOIST_DTYPE_TT_BFP8B, 0x05, 0x01, 0x00000000},
    {"minus below float32",           HOIST_DTYPE_TT_BFP8B, 0x05, 0x81, 0x80000000},
    {"exponent field just 0",         HOIST_DTYPE_TT_BFP8B, 0x06, 0x01, 0x00000000},
    {"exponent field just 1",         HOIST_DTYPE_TT_BFP8B, 0x07, 0x01, 0x00800000},
    {"A goes below its exponents",    HOIST_DTYPE_TT_BFP8A, 0x00, 0x01, 0x35000000},
    {"A ignores high exponent bits",  HOIST_DTYPE_TT_BFP8A, 0xef, 0x40, 0x3f800000},
    {"4 bits",                        HOIST_DTYPE_TT_BFP4B, 0x7f, 0x0f, 0xbfe00000},
    {"2 bits",                        HOIST_DTYPE_TT_BFP2A, 0x0f, 0x03, 0xbf800000},
};
// clang-format on

HOIST_TEST_TABLE(decodes_any_bytes, foreign)
{
    HOIST_EXPECT_EQ(t, hoist_block_decode(row->dtype, row->exponent, row->datum), row->out);
}

// Decoding a block and encoding it again gives the same values, for blocks that an encoder wrote.
HOIST_TEST(blocks_settle)
{
    uint64_t state = 3;
    for (int dtype = HOIST_DTYPE_TT_BFP8A; dtype <= HOIST_DTYPE_TT_BFP2B; dtype++) {
        hoist_test_row(t, hoist_dtype_get((hoist_dtype)dtype)->name);
        for (size_t n = 0; n < 2000; n++) {
            uint32_t values[HOIST_BLOCK_SIZE];
            uint32_t again[HOIST_BLOCK_SIZE];
            for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
                // Exponents 100..127: inside both families, without saturation.
                const uint64_t r = hoist_test_random(&state);
                values[i] = ((uint32_t)r & 0x807fffff) | (uint32_t)(114 + (r >> 40) % 14) << 23;
            }
            const hoist_block a = hoist_block_encode((hoist_dtype)dtype, values, false);
            for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
                again[i] = hoist_block_decode((hoist_dtype)dtype, a.exponent, a.datum[i]);
            }
            // All mantissas may have rounded to one exponent less only if all are zero.
            const hoist_block b = hoist_block_encode((hoist_dtype)dtype, again, false);
            for (size_t i = 0; i < HOIST_BLOCK_SIZE; i++) {
                const uint32_t out = hoist_block_decode((hoist_dtype)dtype, b.exponent, b.datum[i]);
                HOIST_EXPECT_EQ(t, out, again[i]);
            }
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(worked_block), HOIST_TEST_ROW(special_blocks),
                HOIST_TEST_ROW(decodes_any_bytes), HOIST_TEST_ROW(blocks_settle))
