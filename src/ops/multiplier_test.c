#include <math.h>

#include "ops/multiplier.h"
#include "testing/test.h"

static const struct {
    const char *name;
    double factor;
    hoist_status status;
    hoist_multiplier expected;
} factors[] = {
    {"half", 0.5, HOIST_OK, {1 << 30, 0}},
    {"three quarters", 0.75, HOIST_OK, {1610612736, 0}},
    {"one", 1, HOIST_OK, {1 << 30, 1}},
    {"one and a half", 1.5, HOIST_OK, {1610612736, 1}},
    {"of a layer", 0.0072474, HOIST_OK, {1992150143, -7}},
    {"zero", 0, HOIST_OK, {0, 0}},
    {"minus zero", -0.0, HOIST_OK, {0, 0}},
    {"rounds up to the next power", 1 - 0x1p-40, HOIST_OK, {1 << 30, 1}},
    {"a half of the last bit rounds up", 0.5 + 0x1p-32, HOIST_OK, {(1 << 30) + 1, 0}},
    {"less does not", 0.5 + 0x1p-33, HOIST_OK, {1 << 30, 0}},
    {"smallest", 0x1p-32, HOIST_OK, {1 << 30, -31}},
    {"too small", 0x1p-33, HOIST_OK, {0, 0}},
    {"denormal", 0x1p-1074, HOIST_OK, {0, 0}},
    {"rounds up to the smallest", 0x1p-32 * (1 - 0x1p-40), HOIST_OK, {1 << 30, -31}},
    {"greatest", 0x1p30 - 1, HOIST_OK, {INT32_MAX - 1, 30}},
    {"too great", 0x1p30, HOIST_LIMIT, {0, 0}},
    {"rounds up to too great", 0x1p30 - 0x1p-10, HOIST_LIMIT, {0, 0}},
    {"negative", -0.5, HOIST_INVALID, {0, 0}},
    {"infinite", INFINITY, HOIST_INVALID, {0, 0}},
    {"no number", NAN, HOIST_INVALID, {0, 0}},
};

HOIST_TEST_TABLE(multipliers, factors)
{
    hoist_multiplier m = {7, 7};
    HOIST_EXPECT_EQ(t, hoist_quantize_multiplier(row->factor, &m), row->status);
    HOIST_EXPECT_EQ(t, m.multiplier, row->expected.multiplier);
    HOIST_EXPECT_EQ(t, m.shift, row->expected.shift);
}

// Of either sign.
static const struct {
    const char *name;
    double factor;
    hoist_status status;
    hoist_multiplier expected;
} slopes[] = {
    {"positive", 0.75, HOIST_OK, {1610612736, 0}},
    {"negative", -0.5, HOIST_OK, {-(1 << 30), 0}},
    {"a half of the last bit goes away from 0", -0.5 - 0x1p-32, HOIST_OK, {-(1 << 30) - 1, 0}},
    {"the least keeps its shift", -1 + 0x1p-40, HOIST_OK, {INT32_MIN, 0}},
    {"too small", -0x1p-33, HOIST_OK, {0, 0}},
    {"too great", -0x1p30, HOIST_LIMIT, {0, 0}},
    {"infinite", -INFINITY, HOIST_INVALID, {0, 0}},
    {"no number", NAN, HOIST_INVALID, {0, 0}},
};

HOIST_TEST_TABLE(signed_multipliers, slopes)
{
    hoist_multiplier m = {7, 7};
    HOIST_EXPECT_EQ(t, hoist_quantize_multiplier_signed(row->factor, &m), row->status);
    HOIST_EXPECT_EQ(t, m.multiplier, row->expected.multiplier);
    HOIST_EXPECT_EQ(t, m.shift, row->expected.shift);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(multipliers), HOIST_TEST_ROW(signed_multipliers))
