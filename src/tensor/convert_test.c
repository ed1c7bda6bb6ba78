#include <math.h>

#include "tensor/convert.h"
#include "tensor/float_bits.h"
#include "tensor/tt_element.h"
#include "testing/test.h"

#define NEAREST                                                                                    \
    {                                                                                              \
        HOIST_ROUND_NEAREST, false                                                                 \
    }
#define SATURATE                                                                                   \
    {                                                                                              \
        HOIST_ROUND_NEAREST, true                                                                  \
    }
#define TRUNCATE                                                                                   \
    {                                                                                              \
        HOIST_ROUND_TRUNCATE, false                                                                \
    }
#define TT                                                                                         \
    {                                                                                              \
        HOIST_ROUND_TT, false                                                                      \
    }

// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    double value;
    hoist_rounding rounding;
    uint64_t bits;
} cases[] = {
    {"f16 one",                    HOIST_DTYPE_F16,      1.0,              NEAREST,  0x3c00},
    {"f16 largest",                HOIST_DTYPE_F16,      65504.0,          NEAREST,  0x7bff},
    {"f16 half way up to inf",     HOIST_DTYPE_F16,      65520.0,          NEAREST,  0x7c00},
    {"f16 just below half way",    HOIST_DTYPE_F16,      65519.99,         NEAREST,  0x7bff},
    {"f16 saturates",              HOIST_DTYPE_F16,      1e9,              SATURATE, 0x7bff},
    {"f16 truncates to largest",   HOIST_DTYPE_F16,      1e9,              TRUNCATE, 0x7bff},
    {"f16 -inf",                   HOIST_DTYPE_F16,      -INFINITY,        NEAREST,  0xfc00},
    {"f16 -inf saturates",         HOIST_DTYPE_F16,      -INFINITY,        SATURATE, 0xfbff},
    {"f16 inf, truncating",        HOIST_DTYPE_F16,      INFINITY,         TRUNCATE, 0x7c00},
    {"f16 tie to even, down",      HOIST_DTYPE_F16,      1.0 + 0x1p-11,    NEAREST,  0x3c00},
    {"f16 tie to even, up",        HOIST_DTYPE_F16,      1.0 + 0x3p-11,    NEAREST,  0x3c02},
    {"f16 above the tie",          HOIST_DTYPE_F16,      1.0 + 0x1.001p-11, NEAREST, 0x3c01},
    {"f16 truncates",              HOIST_DTYPE_F16,      1.0 + 0x1.fp-11,  TRUNCATE, 0x3c00},
    {"f16 least denormal",         HOIST_DTYPE_F16,      0x1p-24,          NEAREST,  0x0001},
    {"f16 half of it, tie",        HOIST_DTYPE_F16,      0x1p-25,          NEAREST,  0x0000},
    {"f16 above half of it",       HOIST_DTYPE_F16,      0x1.1p-25,        NEAREST,  0x0001},
    {"f16 denormal rounds normal", HOIST_DTYPE_F16,      0x1.ffep-15,      NEAREST,  0x0400},
    {"f16 tiny",                   HOIST_DTYPE_F16,      -1e-300,          NEAREST,  0x8000},
    {"f16 -0",                     HOIST_DTYPE_F16,      -0.0,             NEAREST,  0x8000},
    {"f16 nan",                    HOIST_DTYPE_F16,      NAN,              NEAREST,  0x7e00},
    {"bf16 tie up",                HOIST_DTYPE_BF16,     1.0 + 0x3p-8,     NEAREST,  0x3f82},
    {"bf16 largest float",         HOIST_DTYPE_BF16,     0x1.fffffep127,   NEAREST,  0x7f80},
    {"bf16 truncated",             HOIST_DTYPE_BF16,     0x1.fffffep127,   TRUNCATE, 0x7f7f},
    {"bf16 tt",                    HOIST_DTYPE_BF16,     1.0 + 0x3p-8,     TT,       0x3f81},
    {"tf32",                       HOIST_DTYPE_TF32,     1.0 + 0x3p-11,    NEAREST,  0x3f804000},
    {"tf32 truncated",             HOIST_DTYPE_TF32,     1.0 + 0x3p-11,    TRUNCATE, 0x3f802000},
    {"f32 denormal",               HOIST_DTYPE_F32,      0x1p-149,         NEAREST,  0x00000001},
    {"f64",                        HOIST_DTYPE_F64,      -2.0,             NEAREST,  0xc000000000000000},
    {"e5m2 largest",               HOIST_DTYPE_F8E5M2,   57344.0,          NEAREST,  0x7b},
    {"e5m2 overflow",              HOIST_DTYPE_F8E5M2,   61440.0,          NEAREST,  0x7c},
    {"e4m3 largest",               HOIST_DTYPE_F8E4M3,   240.0,            NEAREST,  0x77},
    {"e4m3 overflow",              HOIST_DTYPE_F8E4M3,   248.0,            NEAREST,  0x78},
    {"e4m3 saturates",             HOIST_DTYPE_F8E4M3,   -300.0,           SATURATE, 0xf7},
    {"e4m3fn largest",             HOIST_DTYPE_F8E4M3FN, 448.0,            NEAREST,  0x7e},
    {"e4m3fn overflow is nan",     HOIST_DTYPE_F8E4M3FN, 480.0,            NEAREST,  0x7f},
    {"e4m3fn tie below overflow",  HOIST_DTYPE_F8E4M3FN, 464.0,            NEAREST,  0x7e},
    {"e4m3fn saturates",           HOIST_DTYPE_F8E4M3FN, -1e6,             SATURATE, 0xfe},
    {"e4m3fn inf is nan",          HOIST_DTYPE_F8E4M3FN, INFINITY,         NEAREST,  0x7f},
    {"e4m3fn nan",                 HOIST_DTYPE_F8E4M3FN, NAN,              SATURATE, 0x7f},
    {"e3m4 largest",               HOIST_DTYPE_F8E3M4,   15.5,             NEAREST,  0x6f},
    {"e3m4 overflow",              HOIST_DTYPE_F8E3M4,   15.75,            NEAREST,  0x70},
    {"e3m4 denormal",              HOIST_DTYPE_F8E3M4,   0x1p-6,           NEAREST,  0x01},
    {"tt-f16 rounds to its top",   HOIST_DTYPE_TT_F16,   131008.0,         NEAREST,  0x7fff},
    {"tt-f16 overflow",            HOIST_DTYPE_TT_F16,   1e6,              NEAREST,  0x7fff},
    {"tt-f16 nan",                 HOIST_DTYPE_TT_F16,   NAN,              NEAREST,  0x7fff},
    {"tt-f16 flushes",             HOIST_DTYPE_TT_F16,   -0x1.ffp-15,      NEAREST,  0x8000},
    {"tt-f16 rounds to its least", HOIST_DTYPE_TT_F16,   0x1.ffffp-15,     NEAREST,  0x0400},
    {"tt-f16 tt",                  HOIST_DTYPE_TT_F16,   0x1.ffffp-15,     TT,       0x0000},
    {"i8 tie",                     HOIST_DTYPE_I8,       2.5,              NEAREST,  0x02},
    {"i8 tie, odd",                HOIST_DTYPE_I8,       -3.5,             NEAREST,  0xfc},
    {"i8 truncates",               HOIST_DTYPE_I8,       -3.9,             TRUNCATE, 0xfd},
    {"i8 saturates",               HOIST_DTYPE_I8,       -1e9,             NEAREST,  0x80},
    {"i8 saturates up",            HOIST_DTYPE_I8,       127.5,            NEAREST,  0x7f},
    {"i8 nan",                     HOIST_DTYPE_I8,       NAN,              NEAREST,  0x00},
    {"i16",                        HOIST_DTYPE_I16,      -32769.0,         NEAREST,  0x8000},
    {"i32",                        HOIST_DTYPE_I32,      2147483647.4,     NEAREST,  0x7fffffff},
    {"i64 saturates",              HOIST_DTYPE_I64,      0x1p63,           NEAREST,  0x7fffffffffffffff},
    {"i64 least",                  HOIST_DTYPE_I64,      -INFINITY,        NEAREST,  0x8000000000000000},
    {"i64 large",                  HOIST_DTYPE_I64,      -0x1p62,          NEAREST,  0xc000000000000000},
    {"u8 negative",                HOIST_DTYPE_U8,       -0.6,             NEAREST,  0x00},
    {"u8 tie",                     HOIST_DTYPE_U8,       254.5,            NEAREST,  0xfe},
    {"u8 tt rounds half up",       HOIST_DTYPE_U8,       254.5,            TT,       0xff},
    {"u16",                        HOIST_DTYPE_U16,      65535.5,          NEAREST,  0xffff},
    {"u32",                        HOIST_DTYPE_U32,      4294967295.0,     NEAREST,  0xffffffff},
    {"u64 saturates",              HOIST_DTYPE_U64,      0x1p64,           NEAREST,  0xffffffffffffffff},
    {"bool",                       HOIST_DTYPE_BOOL,     -0.25,            NEAREST,  0x01},
    {"bool zero",                  HOIST_DTYPE_BOOL,     -0.0,             NEAREST,  0x00},
    {"bool nan",                   HOIST_DTYPE_BOOL,     NAN,              NEAREST,  0x01},
    {"sign-magnitude",             HOIST_DTYPE_TT_I8,    -2.0,             NEAREST,  0x82},
    {"sign-magnitude saturates",   HOIST_DTYPE_TT_I8,    -128.0,           NEAREST,  0xff},
    {"sign-magnitude zero",        HOIST_DTYPE_TT_I8,    -0.4,             NEAREST,  0x00},
    {"sign-magnitude 32",          HOIST_DTYPE_TT_I32,   -2147483648.0,    NEAREST,  0xffffffff},
    {"raw",                        HOIST_DTYPE_TT_RAW16, 0x1.beefp0,       NEAREST,  0x0000},
};
// clang-format on

HOIST_TEST_TABLE(from_f64, cases)
{
    HOIST_EXPECT_EQ(t, hoist_from_f64(row->dtype, row->value, row->rounding), row->bits);
}

// clang-format off
static const struct {
    const char *name;
    hoist_dtype dtype;
    uint64_t bits;
    double value;
} decodes[] = {
    {"f16 denormal",    HOIST_DTYPE_F16,       0x0001,             0x1p-24   },
    {"f16 -inf",        HOIST_DTYPE_F16,       0xfc00,             -INFINITY },
    {"e4m3 largest",    HOIST_DTYPE_F8E4M3,    0x77,               240.0     },
    {"e4m3 inf",        HOIST_DTYPE_F8E4M3,    0x78,               INFINITY  },
    {"e4m3fn top",      HOIST_DTYPE_F8E4M3FN,  0x78,               256.0     },
    {"e3m4",            HOIST_DTYPE_F8E3M4,    0x81,               -0x1p-6   },
    {"e5m2",            HOIST_DTYPE_F8E5M2,    0x01,               0x1p-16   },
    {"tf32 low bits",   HOIST_DTYPE_TF32,      0x3f801fff,         1.0       },
    {"tt-f16 top",      HOIST_DTYPE_TT_F16,    0x7fff,             131008.0  },
    {"tt-f16 denormal", HOIST_DTYPE_TT_F16,    0x0001,             0x1p-136  },
    {"tt-f8e4m3 top",   HOIST_DTYPE_TT_F8E4M3, 0xff,               -480.0    },
    {"i8",              HOIST_DTYPE_I8,        0xff80,             -128.0    },
    {"i16",             HOIST_DTYPE_I16,       0xffff,             -1.0      },
    {"i64",             HOIST_DTYPE_I64,       0x8000000000000000, -0x1p63   },
    {"u32",             HOIST_DTYPE_U32,       0xffffffff,         4294967295.0},
    {"u64",             HOIST_DTYPE_U64,       0x8000000000000000, 0x1p63    },
    {"bool",            HOIST_DTYPE_BOOL,      0x02,               1.0       },
    {"sign-magnitude",  HOIST_DTYPE_TT_I8,     0x83,               -3.0      },
    {"raw",             HOIST_DTYPE_TT_RAW8,   0x101,              0x1p-1074 },
    {"f64",             HOIST_DTYPE_F64,       0x3ff8000000000000, 1.5       },
};
// clang-format on

HOIST_TEST_TABLE(to_f64, decodes)
{
    const double got = hoist_to_f64(row->dtype, row->bits);
    HOIST_EXPECT(t, got == row->value);
    if (hoist_dtype_get(row->dtype)->kind != HOIST_CLASS_RAW) {
        HOIST_EXPECT(t, hoist_to_f32(row->dtype, row->bits) == (float)row->value);
    }
}

// Every bit pattern of every type of 8 and 16 bits: decode, encode, decode; both widths agree.
HOIST_TEST(every_narrow_element)
{
    for (int i = HOIST_DTYPE_NONE + 1; i < HOIST_DTYPE_COUNT; i++) {
        const hoist_dtype dtype = (hoist_dtype)i;
        const hoist_dtype_info *info = hoist_dtype_get(dtype);
        if (info->bits > 16 || info->kind == HOIST_CLASS_BLOCK || info->kind == HOIST_CLASS_RAW) {
            continue;
        }
        hoist_test_row(t, info->name);
        size_t wrong = 0;
        for (uint64_t bits = 0; bits < (uint64_t)1 << info->bits; bits++) {
            const double value = hoist_to_f64(dtype, bits);
            const float narrow = hoist_to_f32(dtype, bits);
            const hoist_rounding nearest = NEAREST;
            const double again = hoist_to_f64(dtype, hoist_from_f64(dtype, value, nearest));
            const uint64_t by_float = hoist_from_f32(dtype, narrow, nearest);
            // Only Tenstorrent's small floats decode to float32 denormals that they cannot hold.
            const bool flushed = fabs(value) < 0x1p-126 && dtype != HOIST_DTYPE_BF16;
            if (isnan(value)) {
                wrong += !isnan(narrow) || !isnan(again);
            } else {
                wrong += (double)narrow != value || again != (flushed ? 0.0 : value);
            }
            wrong += by_float != hoist_from_f64(dtype, value, nearest);
        }
        HOIST_EXPECT_EQ(t, wrong, 0);
    }
}

// Nothing of the type lies nearer: the neighbours of the result are at least as far away.
HOIST_TEST(nearest_is_nearest)
{
    static const hoist_dtype dtypes[] = {HOIST_DTYPE_F16,      HOIST_DTYPE_BF16,
                                         HOIST_DTYPE_F8E5M2,   HOIST_DTYPE_F8E4M3,
                                         HOIST_DTYPE_F8E4M3FN, HOIST_DTYPE_F8E3M4};
    uint64_t state = 11;
    for (size_t i = 0; i < 60000; i++) {
        const hoist_dtype dtype = dtypes[i % HOIST_COUNT_OF(dtypes)];
        // Inside the range of all: up to 8.
        const double value = ldexp((double)(hoist_test_random(&state) >> 11), -50 - (int)(i % 13));
        const uint64_t bits = hoist_from_f64(dtype, value, (hoist_rounding)NEAREST);
        const double error = fabs(hoist_to_f64(dtype, bits) - value);
        const double above = fabs(hoist_to_f64(dtype, bits + 1) - value);
        const double below = bits ? fabs(hoist_to_f64(dtype, bits - 1) - value) : error;
        HOIST_EXPECT(t, error <= above && error <= below);
        HOIST_EXPECT(t, (error < above && error < below) || bits == 0 || bits % 2 == 0);
        const uint64_t chopped = hoist_from_f64(dtype, value, (hoist_rounding)TRUNCATE);
        HOIST_EXPECT(t, hoist_to_f64(dtype, chopped) <= value);
        HOIST_EXPECT(t, hoist_to_f64(dtype, chopped + 1) > value);
    }
}

// The compiler's own conversion, which is round to nearest even.
HOIST_TEST(f32_as_the_machine_does)
{
    uint64_t state = 5;
    for (size_t i = 0; i < 60000; i++) {
        const uint64_t r = hoist_test_random(&state);
        // Doubles whose exponents cover float's, denormals and overflow included.
        const uint64_t exponent = 1023 - 160 + (r >> 52) % 300;
        const double value = hoist_f64_from_bits((r & 0x800fffffffffffff) | exponent << 52);
        const uint32_t expected = hoist_f32_to_bits((float)value);
        HOIST_EXPECT_EQ(t, hoist_from_f64(HOIST_DTYPE_F32, value, (hoist_rounding)NEAREST),
                        expected);
    }
}

HOIST_TEST(nan_payloads)
{
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(hoist_to_f32(HOIST_DTYPE_BF16, 0xff81)), 0xff810000);
    HOIST_EXPECT_EQ(t, hoist_f32_to_bits(hoist_to_f32(HOIST_DTYPE_F16, 0x7d00)), 0x7fa00000);
    HOIST_EXPECT_EQ(t, hoist_f64_to_bits(hoist_to_f64(HOIST_DTYPE_F32, 0x7f800001)),
                    0x7ff0000020000000);
    const float signalling = hoist_f32_from_bits(0x7fa00000);
    HOIST_EXPECT_EQ(t, hoist_from_f32(HOIST_DTYPE_F16, signalling, (hoist_rounding)NEAREST),
                    0x7f00);
    HOIST_EXPECT_EQ(t, hoist_from_f32(HOIST_DTYPE_TT_RAW32, signalling, (hoist_rounding)NEAREST),
                    0x7fa00000);
}

// The device's rounding is defined on float32: both ways of asking give the same bits, and where a
// type has no rule of its own they are those of truncation.
HOIST_TEST(device_rounding_of_either_width)
{
    const hoist_rounding device = {.mode = HOIST_ROUND_TT};
    const hoist_rounding truncate = {.mode = HOIST_ROUND_TRUNCATE};
    uint64_t seed = 17;
    for (int i = HOIST_DTYPE_NONE + 1; i < HOIST_DTYPE_COUNT; i++) {
        const hoist_dtype dtype = (hoist_dtype)i;
        if (hoist_dtype_get(dtype)->kind == HOIST_CLASS_BLOCK) {
            continue;
        }
        hoist_test_row(t, hoist_dtype_get(dtype)->name);
        size_t wrong = 0;
        for (int k = 0; k < 5000; k++) {
            const uint32_t bits = (uint32_t)hoist_test_random(&seed);
            const float value = hoist_to_f32(HOIST_DTYPE_F32, bits);
            if (isnan(value)) {
                continue; // a signalling one does not survive as double
            }
            const uint64_t narrow = hoist_from_f32(dtype, value, device);
            wrong += narrow != hoist_from_f64(dtype, (double)value, device);
            wrong += !hoist_tt_has_rule(dtype) && narrow != hoist_from_f32(dtype, value, truncate);
        }
        HOIST_EXPECT_EQ(t, wrong, 0);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(from_f64), HOIST_TEST_ROW(to_f64),
                HOIST_TEST_ROW(every_narrow_element), HOIST_TEST_ROW(nearest_is_nearest),
                HOIST_TEST_ROW(f32_as_the_machine_does), HOIST_TEST_ROW(nan_payloads),
                HOIST_TEST_ROW(device_rounding_of_either_width))
