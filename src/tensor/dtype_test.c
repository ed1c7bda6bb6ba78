#include "hoist/tensor.h"

#include "testing/test.h"

static const struct {
    const char *name;
    hoist_dtype want;
} names[] = {
    {"f32", HOIST_DTYPE_F32},           {"bf16", HOIST_DTYPE_BF16},
    {"tt-bfp8b", HOIST_DTYPE_TT_BFP8B}, {"tt-bfp2a", HOIST_DTYPE_TT_BFP2A},
    {"none", HOIST_DTYPE_NONE},         {"", HOIST_DTYPE_NONE},
    {"F32", HOIST_DTYPE_NONE},          {"f32 ", HOIST_DTYPE_NONE},
    {"tt-bfp8", HOIST_DTYPE_NONE},      {"bf1", HOIST_DTYPE_NONE},
};

HOIST_TEST_TABLE(dtype_find, names)
{
    HOIST_EXPECT_EQ(t, hoist_dtype_find(hoist_str_from(row->name)), row->want);
}

HOIST_TEST(dtype_table)
{
    for (int i = HOIST_DTYPE_NONE + 1; i < HOIST_DTYPE_COUNT; i++) {
        const hoist_dtype_info *info = hoist_dtype_get((hoist_dtype)i);
        hoist_test_row(t, info->name);
        HOIST_EXPECT_EQ(t, hoist_dtype_find(hoist_str_from(info->name)), i);
        HOIST_EXPECT(t, info->kind != HOIST_CLASS_NONE);
        HOIST_EXPECT(t, info->bits > 0 && info->block > 0);
        const bool is_float = info->kind == HOIST_CLASS_FLOAT;
        const int used = 1 + info->mantissa_bits + (is_float ? info->exponent_bits : 0);
        if (info->exponent_bits && i != HOIST_DTYPE_TF32) {
            HOIST_EXPECT_EQ(t, info->bits, used);
        }
        if (info->exponent_bits) {
            HOIST_EXPECT_EQ(t, info->bias, (1 << (info->exponent_bits - 1)) - 1);
        }
    }
}

HOIST_TEST(dtype_outside_the_enum)
{
    const hoist_dtype_info *none = hoist_dtype_get(HOIST_DTYPE_NONE);
    HOIST_EXPECT(t, hoist_dtype_get(HOIST_DTYPE_COUNT) == none);
    HOIST_EXPECT(t, hoist_dtype_get((hoist_dtype)0x7fff) == none);
    HOIST_EXPECT_STR(t, hoist_str_from(none->name), "none");
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(dtype_find), HOIST_TEST_ROW(dtype_table),
                HOIST_TEST_ROW(dtype_outside_the_enum))
