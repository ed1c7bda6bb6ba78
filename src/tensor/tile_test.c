#include <string.h>

#include "base/reader.h"
#include "tensor/float_bits.h"
#include "tensor/tile.h"
#include "tensor/tt_element.h"
#include "testing/test.h"

// Sizes of the references: buda-ops section 1.2, buda-netlist section 4.2.
// clang-format off
static const struct {
    const char *name;
    hoist_tile_format format;
    size_t size;
} sizes[] = {
    {"Float32",            {HOIST_DTYPE_F32,      32, 32, 32}, 4128},
    {"Float32 blackhole",  {HOIST_DTYPE_F32,      32, 32, 64}, 4160},
    {"Tf32",               {HOIST_DTYPE_TF32,     32, 32, 32}, 4128},
    {"RawUInt32",          {HOIST_DTYPE_TT_RAW32, 32, 32, 32}, 4128},
    {"Float16",            {HOIST_DTYPE_TT_F16,   32, 32, 32}, 2080},
    {"Float16 blackhole",  {HOIST_DTYPE_TT_F16,   32, 32, 64}, 2112},
    {"UInt16",             {HOIST_DTYPE_U16,      32, 32, 32}, 2080},
    {"Bfp8",               {HOIST_DTYPE_TT_BFP8A, 32, 32, 32}, 1120},
    {"Bfp8_b blackhole",   {HOIST_DTYPE_TT_BFP8B, 32, 32, 64}, 1152},
    {"Bfp4_b",             {HOIST_DTYPE_TT_BFP4B, 32, 32, 32}, 608 },
    {"Bfp4 blackhole",     {HOIST_DTYPE_TT_BFP4A, 32, 32, 64}, 640 },
    {"Bfp2",               {HOIST_DTYPE_TT_BFP2A, 32, 32, 32}, 352 },
    {"Bfp2_b blackhole",   {HOIST_DTYPE_TT_BFP2B, 32, 32, 64}, 384 },
    {"Int8",               {HOIST_DTYPE_TT_I8,    32, 32, 32}, 1056},
    {"Int8 blackhole",     {HOIST_DTYPE_TT_I8,    32, 32, 64}, 1088},
    {"Float16 16x32",      {HOIST_DTYPE_TT_F16,   16, 32, 32}, 1056},
    {"Float16 8x32",       {HOIST_DTYPE_TT_F16,   8,  32, 32}, 544 },
    {"Float16 4x32",       {HOIST_DTYPE_TT_F16,   4,  32, 32}, 288 },
    {"Float16 2x32",       {HOIST_DTYPE_TT_F16,   2,  32, 32}, 160 },
    {"Float16 1x32",       {HOIST_DTYPE_TT_F16,   1,  32, 32}, 96  },
    {"Float16 32x16",      {HOIST_DTYPE_TT_F16,   32, 16, 32}, 1056},
    {"Float32 1x32",       {HOIST_DTYPE_F32,      1,  32, 32}, 160 },
    {"Bfp8_b 1x32",        {HOIST_DTYPE_TT_BFP8B, 1,  32, 32}, 64  },
};

static const struct {
    const char *name;
    hoist_tile_format format;
    bool ok;
} formats[] = {
    {"good",              {HOIST_DTYPE_F32,  32, 32, 32}, true },
    {"height 0",          {HOIST_DTYPE_F32,  0,  32, 32}, false},
    {"16x16",             {HOIST_DTYPE_F32,  16, 16, 32}, false},
    {"transposed tiny",   {HOIST_DTYPE_F32,  32, 8,  32}, false},
    {"height 3",          {HOIST_DTYPE_F32,  3,  32, 32}, false},
    {"alignment 0",       {HOIST_DTYPE_F32,  32, 32, 0 }, false},
    {"alignment 48",      {HOIST_DTYPE_F32,  32, 32, 48}, false},
    {"no type",           {HOIST_DTYPE_NONE, 32, 32, 32}, false},
    {"IEEE half",         {HOIST_DTYPE_F16,  32, 32, 32}, false},
};

// The row and column of the datum at an index.
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint32_t height;
    uint32_t width;
    size_t index;
    uint32_t row;
    uint32_t col;
} places[] = {
    {"first face",          HOIST_DTYPE_F32,      32, 32, 17,   1,  1 },
    {"second face",         HOIST_DTYPE_F32,      32, 32, 256,  0,  16},
    {"third face",          HOIST_DTYPE_F32,      32, 32, 512,  16, 0 },
    {"last",                HOIST_DTYPE_F32,      32, 32, 1023, 31, 31},
    {"8x32, second face",   HOIST_DTYPE_F32,      8,  32, 128,  0,  16},
    {"1x32, second face",   HOIST_DTYPE_F32,      1,  32, 16,   0,  16},
    {"32x16, second face",  HOIST_DTYPE_F32,      32, 16, 256,  16, 0 },
    {"raw has no faces",    HOIST_DTYPE_TT_RAW16, 32, 32, 17,   0,  17},
    {"raw, second row",     HOIST_DTYPE_TT_RAW8,  32, 32, 33,   1,  1 },
};
// clang-format on

HOIST_TEST_TABLE(tile_size, sizes)
{
    HOIST_EXPECT_EQ(t, hoist_tile_size(&row->format), row->size);
}

HOIST_TEST_TABLE(tile_format_ok, formats)
{
    HOIST_EXPECT_EQ(t, hoist_tile_format_ok(&row->format), row->ok);
}

HOIST_TEST_TABLE(tile_place, places)
{
    const hoist_tile_format format = {row->dtype, row->height, row->width, 32};
    uint32_t at_row = 0;
    uint32_t at_col = 0;
    hoist_tile_place(&format, row->index, &at_row, &at_col);
    HOIST_EXPECT_EQ(t, at_row, row->row);
    HOIST_EXPECT_EQ(t, at_col, row->col);
}

HOIST_TEST(tile_image_of_bfp4)
{
    const hoist_tile_format format = {HOIST_DTYPE_TT_BFP4B, 2, 32, 32};
    float rows[2 * 32] = {[0] = 1.0f, [1] = -1.5f, [16] = 2.0f, [32 + 31] = 0.5f};
    uint8_t image[HOIST_TILE_MAX_SIZE];
    memset(image, 0xa5, sizeof image);
    hoist_tile_pack(&format, rows, 32, false, image);
    HOIST_EXPECT_EQ(t, hoist_tile_size(&format), 64);
    HOIST_EXPECT_EQ(t, hoist_load_u32le(image), 4);
    // Exponents: left face rows 0 and 1, right face rows 0 and 1, padding.
    static const uint8_t exponents[5] = {127, 0, 128, 126, 0};
    HOIST_EXPECT(t, memcmp(image + 16, exponents, sizeof exponents) == 0);
    HOIST_EXPECT_EQ(t, image[32], 0xe4);      // low nibble first
    HOIST_EXPECT_EQ(t, image[32 + 16], 0x04); // right face
    HOIST_EXPECT_EQ(t, image[32 + 16 + 15], 0x40);
    HOIST_EXPECT_EQ(t, image[64], 0xa5); // nothing after
    float back[2 * 32];
    hoist_tile_unpack(&format, image, back, 32);
    for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
        HOIST_EXPECT_EQ(t, hoist_f32_to_bits(back[i]), hoist_f32_to_bits(rows[i]));
    }
}

HOIST_TEST(e4m3_tiles_hold_lf8)
{
    const hoist_tile_format format = {HOIST_DTYPE_TT_F8E4M3, 1, 32, 32};
    float row[32] = {1.0f};
    uint8_t image[64];
    hoist_tile_pack(&format, row, 32, false, image);
    HOIST_EXPECT_EQ(t, image[16], hoist_tt_encode(HOIST_DTYPE_TT_LF8, hoist_f32_to_bits(1.0f)));
    hoist_tile_unpack(&format, image, row, 32);
    HOIST_EXPECT(t, row[0] == 1.5f);
}

HOIST_TEST(zeros_read_as_zeros)
{
    static const uint8_t image[HOIST_TILE_MAX_SIZE] = {0};
    for (int dtype = 1; dtype < HOIST_DTYPE_COUNT; dtype++) {
        const hoist_tile_format format = {(hoist_dtype)dtype, 32, 32, 32};
        if (hoist_tile_format_ok(&format)) {
            float rows[32 * 32];
            hoist_tile_unpack(&format, image, rows, 32);
            for (size_t i = 0; i < HOIST_COUNT_OF(rows); i++) {
                HOIST_EXPECT_EQ(t, hoist_f32_to_bits(rows[i]), 0);
            }
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(tile_size), HOIST_TEST_ROW(tile_format_ok),
                HOIST_TEST_ROW(tile_place), HOIST_TEST_ROW(tile_image_of_bfp4),
                HOIST_TEST_ROW(e4m3_tiles_hold_lf8), HOIST_TEST_ROW(zeros_read_as_zeros))
