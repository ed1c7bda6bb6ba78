// Constants of two layers: which of them are compared, and what is reported of those that differ.
#include <math.h>
#include <stdio.h>

#include "formats/darwinn/compare.h"
#include "testing/test.h"

static const uint8_t weights[2][6] = {{1, 2, 3, 4, 5, 6}, {1, 2, 9, 4, 7, 6}};
static const int32_t biases[2][2] = {{10, INT32_MIN}, {10, INT32_MAX}};
static const float multipliers[2][2] = {{0.5F, 0.25F}, {0.5F, NAN}};
static const uint8_t zeros[2] = {128, 127};
static const int32_t no_bias[2] = {0, 0};

static dwn_recovered base_layer(void)
{
    return (dwn_recovered){.kind = DWN_KIND_CONVOLUTION,
                           .input = {4, 5, 3},
                           .output = {4, 5, 2},
                           .kernel = {1, 1},
                           .stride = {1, 1},
                           .dilation = {1, 1},
                           .multiplier = 0.5F,
                           .high = 255,
                           .weight_zero = 128,
                           .weights = weights[0],
                           .rows = 2,
                           .weight_count = 6};
}

// What was reported, one difference after the other.
typedef struct reported {
    char text[256];
    size_t size;
    uint64_t compared;
} reported;

static hoist_status report(void *self, const dwn_layer_difference *d)
{
    reported *const all = self;
    const int size = snprintf(
        all->text + all->size, sizeof(all->text) - all->size,
        "%s[%u] %u of %u: %.9g %.9g %s %s by %.9g;", dwn_constant_name(d->constant),
        (unsigned)d->first, (unsigned)d->elements, (unsigned)d->count, d->old.number, d->now.number,
        d->old.word ? d->old.word : "-", d->now.word ? d->now.word : "-", d->largest);
    all->size += (size_t)size;
    return HOIST_OK;
}

static reported compare(hoist_test *t, const dwn_recovered *old, const dwn_recovered *now)
{
    reported all = {.size = 0};
    const dwn_layer_sink sink = {&all, report};
    const uint64_t constants = dwn_constants_of(DWN_KIND_CONVOLUTION);
    HOIST_EXPECT_EQ(t, dwn_layer_compare(old, now, constants, &sink, &all.compared), HOIST_OK);
    return all;
}

static void change_nothing(dwn_recovered *old, dwn_recovered *now)
{
    (void)old;
    (void)now;
}

static void change_weights(dwn_recovered *old, dwn_recovered *now)
{
    (void)old;
    now->weights = weights[1];
}

static void change_bias(dwn_recovered *old, dwn_recovered *now)
{
    old->bias = biases[0];
    now->bias = biases[1];
}

static void give_bias(dwn_recovered *old, dwn_recovered *now)
{
    (void)old;
    now->bias = biases[0];
}

static void give_zeros_as_bias(dwn_recovered *old, dwn_recovered *now)
{
    (void)old;
    now->bias = no_bias;
}

static void give_multipliers(dwn_recovered *old, dwn_recovered *now)
{
    (void)old;
    now->multipliers = multipliers[1];
}

static void give_zero_points(dwn_recovered *old, dwn_recovered *now)
{
    old->weight_zeros = zeros;
    (void)now;
}

static void change_rows(dwn_recovered *old, dwn_recovered *now)
{
    (void)old;
    now->rows = 1;
    now->weight_count = 3;
    now->weights = weights[1] + 2; // not compared: others are as many
}

static void change_kind(dwn_recovered *old, dwn_recovered *now)
{
    (void)old;
    now->kind = DWN_KIND_DENSE;
}

static void change_sign(dwn_recovered *old, dwn_recovered *now)
{
    old->low = 0.0F;
    now->low = -0.0F;
}

static void change_what_does_not_count(dwn_recovered *old, dwn_recovered *now)
{
    (void)old;
    now->factors[0] = 1;
    now->scale = 1;
    now->second_zero = 1;
}

// clang-format off
static const struct {
    const char *name;
    void (*change)(dwn_recovered *old, dwn_recovered *now);
    const char *want;
    uint64_t compared; // 21 single values, the multiplier, the zero point, and elements
} rows[] = {
    {"nothing",           change_nothing,      "", 29},
    {"weights",           change_weights,      "weights[2] 2 of 6: 3 9 - - by 6;", 29},
    {"bias",              change_bias,         "bias[1] 1 of 2: -2.14748365e+09 2.14748365e+09 - - by 4.2949673e+09;", 31},
    {"a bias more",       give_bias,           "bias[0] 2 of 2: 0 10 - - by 2.14748365e+09;", 31},
    {"a bias of zeros",   give_zeros_as_bias,  "", 31},
    {"multipliers",       give_multipliers,    "multiplier[1] 1 of 2: 0.5 nan - - by nan;", 30},
    {"zero points",       give_zero_points,    "weight_zero_point[1] 1 of 2: 127 128 - - by 1;", 30},
    {"rows",              change_rows,         "weight_rows[0] 1 of 1: 2 1 - - by 1;weight_count[0] 1 of 1: 6 3 - - by 3;", 23},
    {"kind",              change_kind,         "kind[0] 1 of 1: 0 0 convolution dense by 0;", 29},
    {"sign of zero",      change_sign,         "low[0] 1 of 1: 0 -0 - - by 0;", 29},
    {"no constant of it", change_what_does_not_count, "", 29},
};
// clang-format on

HOIST_TEST_TABLE(constants, rows)
{
    dwn_recovered old = base_layer();
    dwn_recovered now = base_layer();
    row->change(&old, &now);
    const reported all = compare(t, &old, &now);
    HOIST_EXPECT_STR(t, hoist_str_from(all.text), row->want);
    HOIST_EXPECT_EQ(t, all.compared, row->compared);
}

static hoist_status refuse(void *self, const dwn_layer_difference *difference)
{
    (void)self;
    (void)difference;
    return HOIST_LIMIT;
}

HOIST_TEST(the_sink_ends_it)
{
    const dwn_recovered old = base_layer();
    dwn_recovered now = base_layer();
    now.high = 1;
    const dwn_layer_sink sink = {NULL, refuse};
    uint64_t compared = 0;
    HOIST_EXPECT_EQ(t, dwn_layer_compare(&old, &now, UINT32_MAX, &sink, &compared), HOIST_LIMIT);
}

HOIST_TEST(every_constant_has_a_name)
{
    for (int i = 0; i < DWN_CONSTANT_COUNT; i++) {
        HOIST_EXPECT(t, dwn_constant_name((dwn_constant)i) != NULL);
    }
    for (int i = 0; i < DWN_KIND_COUNT; i++) {
        HOIST_EXPECT(t, dwn_constants_of((dwn_layer_kind)i) & DWN_CONSTANT_BIT(DWN_CONSTANT_KIND));
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(constants), HOIST_TEST_ROW(the_sink_ends_it),
                HOIST_TEST_ROW(every_constant_has_a_name))
