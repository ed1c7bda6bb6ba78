#include "tensor/float_bits.h"
#include "tensor/tt_element.h"
#include "testing/test.h"

// Saturation samples of the reference (section 2.3), float32 bits in, float32 bits read back; then
// the edges of each rule.
// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint32_t in;
    uint32_t bits;
    uint32_t out;
} cases[] = {
    {"f16 inf",                  HOIST_DTYPE_TT_F16,    0x7f800000, 0x7fff,     0x47ffe000},
    {"f16 -inf",                 HOIST_DTYPE_TT_F16,    0xff800000, 0xffff,     0xc7ffe000},
    {"f16 nan",                  HOIST_DTYPE_TT_F16,    0x7fc00000, 0x7fff,     0x47ffe000},
    {"f16 top binade",           HOIST_DTYPE_TT_F16,    0x47ffffff, 0x7fff,     0x47ffe000},
    {"f16 first too large",      HOIST_DTYPE_TT_F16,    0x48000000, 0x7fff,     0x47ffe000},
    {"f16 flushed",              HOIST_DTYPE_TT_F16,    0x38000000, 0x0000,     0x00000000},
    {"f16 flushed, sign kept",   HOIST_DTYPE_TT_F16,    0xb87fffff, 0x8000,     0x80000000},
    {"f16 least",                HOIST_DTYPE_TT_F16,    0x38800000, 0x0400,     0x38800000},
    {"f16 truncated",            HOIST_DTYPE_TT_F16,    0x4079999a, 0x43cc,     0x40798000},
    {"f16 1e-6",                 HOIST_DTYPE_TT_F16,    0x358637bd, 0x0000,     0x00000000},
    {"bf16 largest",             HOIST_DTYPE_BF16,      0x7f7fffff, 0x7f7f,     0x7f7f0000},
    {"bf16 truncated",           HOIST_DTYPE_BF16,      0x3f80ffff, 0x3f80,     0x3f800000},
    {"bf16 nan becomes inf",     HOIST_DTYPE_BF16,      0x7f800001, 0x7f80,     0x7f800000},
    {"bf16 denormal",            HOIST_DTYPE_BF16,      0x807fffff, 0x807f,     0x807f0000},
    {"tf32",                     HOIST_DTYPE_TF32,      0x3fffffff, 0x3fffe000, 0x3fffe000},
    {"tf32 nan becomes inf",     HOIST_DTYPE_TF32,      0xff801fff, 0xff800000, 0xff800000},
    {"lf8 inf",                  HOIST_DTYPE_TT_LF8,    0x7f800000, 0x7f,       0x47e00000},
    {"lf8 3.9",                  HOIST_DTYPE_TT_LF8,    0x4079999a, 0x43,       0x40600000},
    {"lf8 -1.5",                 HOIST_DTYPE_TT_LF8,    0xbfc00000, 0xbe,       0xbfc00000},
    {"e4m3 one",                 HOIST_DTYPE_TT_F8E4M3, 0x3f800000, 0x38,       0x3f800000},
    {"e4m3 too large",           HOIST_DTYPE_TT_F8E4M3, 0xc4000000, 0xff,       0xc3f00000},
    {"e4m3 flushed",             HOIST_DTYPE_TT_F8E4M3, 0x3c000000, 0x00,       0x00000000},
    {"e4m3 least",               HOIST_DTYPE_TT_F8E4M3, 0x3c800000, 0x08,       0x3c800000},
    {"i8 pi",                    HOIST_DTYPE_TT_I8,     0x40490fdb, 0x03,       0x40400000},
    {"i8 128",                   HOIST_DTYPE_TT_I8,     0x43000000, 0x7f,       0x42fe0000},
    {"i8 -128",                  HOIST_DTYPE_TT_I8,     0xc3000000, 0xff,       0xc2fe0000},
    {"i8 -1.5",                  HOIST_DTYPE_TT_I8,     0xbfc00000, 0x82,       0xc0000000},
    {"i8 2.5",                   HOIST_DTYPE_TT_I8,     0x40200000, 0x03,       0x40400000},
    {"i8 just below a half",     HOIST_DTYPE_TT_I8,     0x3effffff, 0x00,       0x00000000},
    {"i8 small negative",        HOIST_DTYPE_TT_I8,     0xbe800000, 0x00,       0x00000000},
    {"i8 nan",                   HOIST_DTYPE_TT_I8,     0xffc00000, 0xff,       0xc2fe0000},
    {"u8 127.5",                 HOIST_DTYPE_U8,        0x42ff0000, 0x80,       0x43000000},
    {"u8 negative",              HOIST_DTYPE_U8,        0xbf800000, 0x00,       0x00000000},
    {"u8 256",                   HOIST_DTYPE_U8,        0x43800000, 0xff,       0x437f0000},
    {"u8 254.5",                 HOIST_DTYPE_U8,        0x437e8000, 0xff,       0x437f0000},
    {"u8 nan",                   HOIST_DTYPE_U8,        0x7fc00000, 0x00,       0x00000000},
    {"u16 65536",                HOIST_DTYPE_U16,       0x47800000, 0xffff,     0x477fff00},
    {"u16 0.5",                  HOIST_DTYPE_U16,       0x3f000000, 0x0001,     0x3f800000},
    {"i32 truncates up",         HOIST_DTYPE_TT_I32,    0x3f7fffff, 0x00000000, 0x00000000},
    {"i32 rounds down",          HOIST_DTYPE_TT_I32,    0xbf7fffff, 0x80000001, 0xbf800000},
    {"i32 small negative",       HOIST_DTYPE_TT_I32,    0xbe800000, 0x80000000, 0x00000000},
    {"i32 -2^31",                HOIST_DTYPE_TT_I32,    0xcf000000, 0x80000000, 0x00000000},
    {"i32 2^31",                 HOIST_DTYPE_TT_I32,    0x4f000000, 0x7fffffff, 0x4f000000},
    {"i32 nan",                  HOIST_DTYPE_TT_I32,    0x7fc00000, 0x00000000, 0x00000000},
    {"raw8",                     HOIST_DTYPE_TT_RAW8,   0xdeadbeef, 0xef,       0x000000ef},
    {"raw16",                    HOIST_DTYPE_TT_RAW16,  0xdeadbeef, 0xbeef,     0x0000beef},
    {"raw32",                    HOIST_DTYPE_TT_RAW32,  0x7f800001, 0x7f800001, 0x7f800001},
    {"f32",                      HOIST_DTYPE_F32,       0x7f800001, 0x7f800001, 0x7f800001},
};

// Bits that no encoder writes.
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint32_t bits;
    uint32_t out;
} decodes[] = {
    {"f16 denormal is a tiny one", HOIST_DTYPE_TT_F16,  0x03ff,     0x007fe000},
    {"f16 -denormal",              HOIST_DTYPE_TT_F16,  0x8001,     0x80002000},
    {"f16 top exponent",           HOIST_DTYPE_TT_F16,  0x7c00,     0x47800000},
    {"lf8 denormal",               HOIST_DTYPE_TT_LF8,  0x01,       0x00200000},
    {"i8 minus zero",              HOIST_DTYPE_TT_I8,   0x80,       0x00000000},
    {"i32 minus zero",             HOIST_DTYPE_TT_I32,  0x80000000, 0x00000000},
    {"higher bits are ignored",    HOIST_DTYPE_TT_I8,   0xffffff01, 0x3f800000},
};
// clang-format on

HOIST_TEST_TABLE(encodes, cases)
{
    HOIST_EXPECT_EQ(t, hoist_tt_encode(row->dtype, row->in), row->bits);
    HOIST_EXPECT_EQ(t, hoist_tt_decode(row->dtype, row->bits), row->out);
}

HOIST_TEST_TABLE(decodes_foreign_bits, decodes)
{
    HOIST_EXPECT_EQ(t, hoist_tt_decode(row->dtype, row->bits), row->out);
}

// What decoding makes of any bits stays: decode, encode, decode.
HOIST_TEST(every_narrow_element_settles)
{
    for (int i = 0; i < HOIST_DTYPE_COUNT; i++) {
        const hoist_dtype dtype = (hoist_dtype)i;
        const hoist_dtype_info *info = hoist_dtype_get(dtype);
        if (!hoist_tt_has_rule(dtype) || info->bits > 16) {
            continue;
        }
        hoist_test_row(t, info->name);
        size_t wrong = 0;
        for (uint32_t bits = 0; bits < 1u << info->bits; bits++) {
            const uint32_t value = hoist_tt_decode(dtype, bits);
            const bool denormal =
                (value & 0x7f800000) == 0 && info->exponent_bits && dtype != HOIST_DTYPE_BF16;
            const uint32_t expected = denormal ? value & 0x80000000 : value; // flushed
            wrong += hoist_tt_decode(dtype, hoist_tt_encode(dtype, value)) != expected;
        }
        HOIST_EXPECT_EQ(t, wrong, 0);
    }
}

HOIST_TEST(types_without_a_rule)
{
    HOIST_EXPECT(t, !hoist_tt_has_rule(HOIST_DTYPE_NONE));
    HOIST_EXPECT(t, !hoist_tt_has_rule(HOIST_DTYPE_F16));
    HOIST_EXPECT(t, !hoist_tt_has_rule(HOIST_DTYPE_TT_BFP8A));
    HOIST_EXPECT(t, !hoist_tt_has_rule(HOIST_DTYPE_COUNT));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(encodes), HOIST_TEST_ROW(decodes_foreign_bits),
                HOIST_TEST_ROW(every_narrow_element_settles), HOIST_TEST_ROW(types_without_a_rule))
