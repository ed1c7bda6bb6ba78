// Scales from multipliers and clamps, and back.
#include "formats/darwinn/recover_numbers.h"
#include "testing/test.h"

// clang-format off
static const struct {
    const char *name;
    dwn_activation activation; // what the model had
    float scale;
    uint8_t zero;
    dwn_activation found;      // what can be known of it
    bool is_known;             // the scale follows from the clamps
} clamps[] = {
    {"nothing is cut off",          DWN_ACTIVATION_NONE,   0.1F,    130, DWN_ACTIVATION_NONE,   false},
    {"relu",                        DWN_ACTIVATION_RELU,   0.1F,    130, DWN_ACTIVATION_RELU,   false},
    {"relu that cuts nothing",      DWN_ACTIVATION_RELU,   0.1F,    0,   DWN_ACTIVATION_NONE,   false},
    {"relu6",                       DWN_ACTIVATION_RELU_6, 0.0828F, 0,   DWN_ACTIVATION_RELU_6, true},
    {"relu6 with a zero point",     DWN_ACTIVATION_RELU_6, 0.0377F, 60,  DWN_ACTIVATION_RELU_6, true},
    {"relu6 that cuts at 0 only",   DWN_ACTIVATION_RELU_6, 0.02F,   100, DWN_ACTIVATION_RELU,   false},
    {"relu6 that cuts nothing",     DWN_ACTIVATION_RELU_6, 0.0235F, 0,   DWN_ACTIVATION_NONE,   false},
    {"relu6 just inside",           DWN_ACTIVATION_RELU_6, 0.02352946F, 0, DWN_ACTIVATION_RELU_6, true},
    {"-1 to 1",                     DWN_ACTIVATION_RELU_1, 0.013F,  128, DWN_ACTIVATION_RELU_1, true},
};
// clang-format on

HOIST_TEST_TABLE(activations, clamps)
{
    const dwn_clamps made = dwn_clamps_of(row->activation, row->scale, row->zero);
    HOIST_EXPECT_EQ(t, dwn_activation_of(made, row->zero), row->found);
    const float scale = dwn_scale_of_clamps(row->found, made, row->zero);
    HOIST_EXPECT_EQ(t, scale != 0, row->is_known);
    if (row->is_known) {
        const dwn_clamps again = dwn_clamps_of(row->found, scale, row->zero);
        HOIST_EXPECT(t, again.low == made.low && again.high == made.high);
        HOIST_EXPECT(t, scale > row->scale * 0.999999F && scale < row->scale * 1.000001F);
    }
}

HOIST_TEST(clamps_of_no_activation)
{
    HOIST_EXPECT_EQ(t, dwn_activation_of((dwn_clamps){3, 200}, 0), DWN_ACTIVATION_OTHER);
    HOIST_EXPECT_EQ(t, dwn_activation_of((dwn_clamps){3, 255}, 0), DWN_ACTIVATION_OTHER);
    HOIST_EXPECT_EQ(t, dwn_activation_of((dwn_clamps){-20, 10}, 30), DWN_ACTIVATION_OTHER);
    HOIST_EXPECT(t, dwn_scale_of_clamps(DWN_ACTIVATION_OTHER, (dwn_clamps){3, 200}, 0) == 0);
    HOIST_EXPECT(t, dwn_scale_of_clamps(DWN_ACTIVATION_RELU_6, (dwn_clamps){0, 0}, 0) == 0);
    HOIST_EXPECT(t, dwn_scale_of_clamps(DWN_ACTIVATION_RELU_6, (dwn_clamps){0, -1}, 0) == 0);
    HOIST_EXPECT(
        t, dwn_scale_of_clamps(DWN_ACTIVATION_RELU_6, (dwn_clamps){0, __builtin_nanf("")}, 0) == 0);
}

// Scales as models have them.
// clang-format off
static const struct {
    const char *name;
    float in, weight, out;
    dwn_rounding rounding;
    bool is_exact; // there are scales of weights whose multiplier is M to 31 bits
} products[] = {
    {"powers of two",          0.0078125F,  0.0123F,     0.0078125F, DWN_ROUNDS_PRODUCT, true },
    {"in double, equal scales", 0.0123F,    0.00371F,    0.0123F,    DWN_ROUNDS_NOTHING, true },
    {"rounded, equal scales",  0.0123F,     0.00371F,    0.0123F,    DWN_ROUNDS_PRODUCT, false},
    {"both ends are known",    0.00784303F, 0.00084921F, 0.0190489F, DWN_ROUNDS_NOTHING, false},
    {"image to relu6",         0.0078125F,  0.021827F,   0.0235285F, DWN_ROUNDS_PRODUCT, false},
};
// clang-format on

HOIST_TEST_TABLE(weights, products)
{
    const float multiplier = dwn_multiplier_of(row->in, row->weight, row->out);
    bool is_exact = false;
    const dwn_ends ends = {row->in, row->out, row->rounding};
    const float found = dwn_weight_scale(multiplier, &ends, false, &is_exact);
    HOIST_EXPECT_EQ(t, is_exact, row->is_exact);
    HOIST_EXPECT_EQ(t, dwn_is_exact(multiplier, row->in, found, row->out, row->rounding), is_exact);
    HOIST_EXPECT(t, found > row->weight * 0.999999F && found < row->weight * 1.000001F);
    HOIST_EXPECT(t, dwn_multiplier_of(row->in, found, row->out) == multiplier);
}

// A scale that is chosen gives the multiplier to the last of its 31 bits, however TFLite rounds.
HOIST_TEST_TABLE(chosen, products)
{
    const float multiplier = dwn_multiplier_of(row->in, row->weight, row->out);
    const dwn_clamps made = dwn_clamps_of(DWN_ACTIVATION_NONE, row->out, 11);
    uint32_t tries = DWN_TRIES;
    const dwn_ends from = {row->in, 0, row->rounding};
    const float out = dwn_free_scale(multiplier, &from, made, 11, &tries);
    bool is_exact = false;
    const dwn_ends ends = {row->in, out, row->rounding};
    (void)dwn_weight_scale(multiplier, &ends, true, &is_exact);
    HOIST_EXPECT(t, is_exact);
    HOIST_EXPECT(t, out >= row->in && out < row->in * 1.01F);
    tries = 0;
    HOIST_EXPECT(t, dwn_free_scale(multiplier, &from, made, 11, &tries) == 0);
}

// Before another scale: the factor of the compiler, bit for bit, and the clamps where there are
// several.
HOIST_TEST(scales_before)
{
    for (uint32_t i = 0; i < 256; i++) {
        const float in = 0.01F + (float)i * 0.0123F;
        const float out = 1.7F - (float)i * 0.0057F;
        const float multiplier = dwn_multiplier_of(in, 1, out);
        const dwn_clamps made = dwn_clamps_of(DWN_ACTIVATION_NONE, in, (uint8_t)i);
        const float found = dwn_scale_before(multiplier, out, made, (uint8_t)i);
        const dwn_clamps again = dwn_clamps_of(DWN_ACTIVATION_NONE, found, (uint8_t)i);
        HOIST_EXPECT(t, dwn_multiplier_of(found, 1, out) == multiplier);
        HOIST_EXPECT(t, again.low == made.low && again.high == made.high);
    }
}

static const float bad[] = {0, -1, __builtin_inff(), __builtin_nanf(""), 1e-30F, 1e30F};

HOIST_TEST(numbers_that_are_none)
{
    const dwn_clamps all = {-128, 127};
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        bool is_exact = true;
        const dwn_ends from = {bad[i], 1, DWN_ROUNDS_NOTHING};
        const dwn_ends to = {1, bad[i], DWN_ROUNDS_NOTHING};
        const dwn_ends good = {1, 1, DWN_ROUNDS_NOTHING};
        HOIST_EXPECT(t, dwn_weight_scale(0.5F, &from, false, &is_exact) == 0);
        HOIST_EXPECT(t, !is_exact);
        HOIST_EXPECT(t, dwn_weight_scale(0.5F, &to, false, &is_exact) == 0);
        HOIST_EXPECT(t, dwn_weight_scale(bad[i], &good, true, &is_exact) == 0);
        uint32_t tries = DWN_TRIES;
        HOIST_EXPECT(t, dwn_free_scale(0.5F, &from, all, 128, &tries) == 0);
        HOIST_EXPECT(t, dwn_free_scale(bad[i], &good, all, 128, &tries) == 0);
        HOIST_EXPECT(t, dwn_scale_before(0.5F, bad[i], all, 128) == 0);
        HOIST_EXPECT(t, dwn_scale_before(bad[i], 1, all, 128) == 0);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(activations), HOIST_TEST_ROW(clamps_of_no_activation),
                HOIST_TEST_ROW(weights), HOIST_TEST_ROW(chosen), HOIST_TEST_ROW(scales_before),
                HOIST_TEST_ROW(numbers_that_are_none))
