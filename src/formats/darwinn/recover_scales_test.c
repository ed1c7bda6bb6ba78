// Scales of layers from what they say of each other.
#include <math.h>

#include "base/alloc.h"
#include "formats/darwinn/recover_scales.h"
#include "testing/test.h"

enum { LAYERS = 6 };
#define INPUT DWN_MODEL_INPUT

// A layer in the making; its limits are those of the type where `high` is 0.
typedef struct sketch {
    dwn_layer_kind kind;
    uint32_t inputs[2];
    float multiplier;
    float low, high;
    uint8_t zero;
    int32_t factors[2];
    float scale; // of softmax
    bool is_output;
} sketch;

typedef struct plan {
    const char *name;
    float in, out; // scales of the model's input and output
    sketch layers[LAYERS];
    dwn_scale_source sources[LAYERS];
    float scales[LAYERS]; // 0: not looked at
} plan;

#define PRODUCT(input, m)                                                                          \
    {                                                                                              \
        .kind = DWN_KIND_CONVOLUTION, .inputs = {(input)}, .multiplier = (m)                       \
    }
#define LAST(k, input)                                                                             \
    {                                                                                              \
        .kind = (k), .inputs = {(input)}, .multiplier = 1, .is_output = true                       \
    }

// clang-format off
static const plan plans[] = {
    {"one layer", 0.5F, 0.25F, {LAST(DWN_KIND_DENSE, INPUT)}, {DWN_SCALE_STORED}, {0.25F}},
    {"a chain", 0.5F, 0.25F, {PRODUCT(INPUT, 0.1F), LAST(DWN_KIND_DENSE, 0)},
     {DWN_SCALE_FREE, DWN_SCALE_STORED}, {0.5F, 0.25F}},
    {"clamps", 0.5F, 0.25F, {{.kind = DWN_KIND_DEPTHWISE, .inputs = {INPUT}, .multiplier = 0.1F, .high = 60}, LAST(DWN_KIND_DENSE, 0)},
     {DWN_SCALE_CLAMPS, DWN_SCALE_STORED}, {0.1F, 0.25F}},
    {"backwards through a pool and a gather", 0.5F, 0.25F,
     {PRODUCT(INPUT, 0.1F), {.kind = DWN_KIND_AVERAGE_POOL, .inputs = {0}, .multiplier = 1}, LAST(DWN_KIND_GATHER, 1)},
     {DWN_SCALE_SHARED, DWN_SCALE_SHARED, DWN_SCALE_STORED}, {0.25F, 0.25F, 0.25F}},
    {"forwards through a mean of another scale", 0.5F, 0.25F, {{.kind = DWN_KIND_AVERAGE_POOL, .inputs = {INPUT}, .multiplier = 2}, LAST(DWN_KIND_DENSE, 0)},
     {DWN_SCALE_FACTORS, DWN_SCALE_STORED}, {0.25F, 0.25F}},
    {"backwards through a mean of another scale", 0.5F, 0.25F, {PRODUCT(INPUT, 0.1F), {.kind = DWN_KIND_AVERAGE_POOL, .inputs = {0}, .multiplier = 2}, LAST(DWN_KIND_GATHER, 1)},
     {DWN_SCALE_FACTORS, DWN_SCALE_SHARED, DWN_SCALE_STORED}, {0.5F, 0.25F, 0.25F}},
    {"forwards through a maximum", 0.5F, 0.25F, {{.kind = DWN_KIND_MAX_POOL, .inputs = {INPUT}}, LAST(DWN_KIND_DENSE, 0)},
     {DWN_SCALE_SHARED, DWN_SCALE_STORED}, {0.5F, 0.25F}},
    {"forwards through an upsampling", 0.5F, 0.25F, {{.kind = DWN_KIND_UPSAMPLE, .inputs = {INPUT}}, LAST(DWN_KIND_DENSE, 0)},
     {DWN_SCALE_SHARED, DWN_SCALE_STORED}, {0.5F, 0.25F}},
    {"sum of a known scale", 0.5F, 0.25F,
     {PRODUCT(INPUT, 0.1F), PRODUCT(INPUT, 0.2F), {.kind = DWN_KIND_ADD, .inputs = {0, 1}, .multiplier = 0x1p-10F, .factors = {2048, 512}, .is_output = true}},
     {DWN_SCALE_FACTORS, DWN_SCALE_FACTORS, DWN_SCALE_STORED}, {0.5F, 0.125F, 0.25F}},
    {"sum of the input", 0.5F, 0.25F,
     {PRODUCT(INPUT, 0.1F), {.kind = DWN_KIND_ADD, .inputs = {INPUT, 0}, .multiplier = 0x1p-10F, .factors = {2048, 512}}, LAST(DWN_KIND_DENSE, 1)},
     {DWN_SCALE_FACTORS, DWN_SCALE_FACTORS, DWN_SCALE_STORED}, {0.125F, 0.25F, 0.25F}},
    {"sum of what was chosen", 0.5F, 0.25F,
     {PRODUCT(INPUT, 0.1F), PRODUCT(0, 0.1F), {.kind = DWN_KIND_ADD, .inputs = {0, 1}, .multiplier = 0x1p-10F, .factors = {2048, 512}}, LAST(DWN_KIND_DENSE, 2)},
     {DWN_SCALE_FREE, DWN_SCALE_FACTORS, DWN_SCALE_FACTORS, DWN_SCALE_STORED}, {0.5F, 0.125F, 0.25F, 0.25F}},
    {"square of a known scale", 0.5F, 0.25F,
     {PRODUCT(INPUT, 0.1F), {.kind = DWN_KIND_MULTIPLY, .inputs = {0, 0}, .multiplier = 0.25F, .is_output = true}},
     {DWN_SCALE_FACTORS, DWN_SCALE_STORED}, {0.25F, 0.25F}},
    {"product of two", 0.5F, 0.25F,
     {PRODUCT(INPUT, 0.1F), {.kind = DWN_KIND_MULTIPLY, .inputs = {INPUT, 0}, .multiplier = 0.25F, .is_output = true}},
     {DWN_SCALE_FACTORS, DWN_SCALE_STORED}, {0.125F, 0.25F}},
    {"product of what is known", 0.5F, 0.25F,
     {{.kind = DWN_KIND_MULTIPLY, .inputs = {INPUT, INPUT}, .multiplier = 0.25F}, LAST(DWN_KIND_DENSE, 0)},
     {DWN_SCALE_FACTORS, DWN_SCALE_STORED}, {1, 0.25F}},
    {"softmax", 0.5F, 0.00390625F, {PRODUCT(INPUT, 0.1F), {.kind = DWN_KIND_SOFTMAX, .inputs = {0}, .scale = 0.75F}, LAST(DWN_KIND_DENSE, 1)},
     {DWN_SCALE_SOFTMAX, DWN_SCALE_SOFTMAX, DWN_SCALE_STORED}, {0.75F, 0.00390625F, 0.00390625F}},
    {"logistic", 0.5F, 0.00390625F, {PRODUCT(INPUT, 0.1F), {.kind = DWN_KIND_LOGISTIC, .inputs = {0}, .multiplier = 0.75F}, LAST(DWN_KIND_DENSE, 1)},
     {DWN_SCALE_SOFTMAX, DWN_SCALE_SOFTMAX, DWN_SCALE_STORED}, {0.75F, 0.00390625F, 0.00390625F}},
    {"back through another scale", 0.5F, 0.25F, {PRODUCT(INPUT, 0.1F), {.kind = DWN_KIND_QUANTIZE, .inputs = {0}, .multiplier = 0.75F, .is_output = true}},
     {DWN_SCALE_FACTORS, DWN_SCALE_STORED}, {0.1875F, 0.25F}},
    {"to another scale", 0.5F, 0.25F, {{.kind = DWN_KIND_QUANTIZE, .inputs = {INPUT}, .multiplier = 0.25F}, LAST(DWN_KIND_DENSE, 0)},
     {DWN_SCALE_FACTORS, DWN_SCALE_STORED}, {2, 0.25F}},
    {"behind something unknown", 0.5F, 0.25F, {{.kind = DWN_KIND_UNKNOWN, .inputs = {INPUT}}, PRODUCT(0, 0.1F), LAST(DWN_KIND_DENSE, 1)},
     {DWN_SCALE_NONE, DWN_SCALE_NONE, DWN_SCALE_STORED}, {0, 0, 0.25F}},
    {"an input without a scale", 0, 0.25F, {PRODUCT(INPUT, 0.1F), LAST(DWN_KIND_DENSE, 0)},
     {DWN_SCALE_NONE, DWN_SCALE_STORED}, {0, 0.25F}},
};
// clang-format on

typedef struct made {
    dwn_recovered layers[LAYERS];
    dwn_recovery recovery;
    dwn_numerics numerics[2];
    dwn_layer border[2];
    dwn_executable executable;
} made;

static void make(const plan *p, made *m)
{
    static const uint8_t weights[4] = {1, 2, 3, 4};
    *m = (made){.numerics = {{.dequantization_factor = p->in}, {.dequantization_factor = p->out}}};
    for (size_t i = 0; i < 2; i++) {
        m->border[i].numerics = &m->numerics[i];
    }
    m->executable.input_layers.items = &m->border[0];
    m->executable.output_layers.items = &m->border[1];
    m->executable.input_layers.count = m->executable.output_layers.count = 1;
    for (uint32_t i = 0; i < LAYERS && (p->layers[i].inputs[0] || p->layers[i].kind); i++) {
        const sketch *s = &p->layers[i];
        const bool is_pair = s->kind == DWN_KIND_ADD || s->kind == DWN_KIND_MULTIPLY;
        const bool has_weights = s->kind == DWN_KIND_CONVOLUTION || s->kind == DWN_KIND_DEPTHWISE ||
                                 s->kind == DWN_KIND_DENSE;
        m->layers[i] = (dwn_recovered){.kind = s->kind,
                                       .inputs = s->inputs,
                                       .input_count = is_pair ? 2 : 1,
                                       .output_layer = s->is_output ? 0 : DWN_NONE,
                                       .kernel = {1, 1},
                                       .multiplier = s->multiplier,
                                       .low = s->low,
                                       .high = s->high != 0 ? s->high : 255,
                                       .output_zero = s->zero,
                                       .scale = s->scale,
                                       .factors = {s->factors[0], s->factors[1]},
                                       .weights = has_weights ? weights : NULL,
                                       .weight_zero = 7,
                                       .rows = 4,
                                       .weight_count = 4};
        m->recovery.count = i + 1;
    }
    m->recovery.layers = m->layers;
}

HOIST_TEST_TABLE(scales, plans)
{
    made m;
    dwn_scales found;
    make(row, &m);
    HOIST_EXPECT_EQ(t, dwn_scales_of(&m.recovery, &m.executable, &t->arena, &found), HOIST_OK);
    HOIST_EXPECT(t, !found.is_signed);
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < m.recovery.count; i++) {
        const dwn_layer_scales *own = &found.layers[i];
        HOIST_EXPECT_EQ(t, own->source, row->sources[i]);
        HOIST_EXPECT(t, row->scales[i] == 0 || fabsf(own->scale / row->scales[i] - 1) < 1e-3F);
        HOIST_EXPECT(t, row->sources[i] != DWN_SCALE_FREE || own->exact == own->asked);
        HOIST_EXPECT_EQ(t, own->weights != NULL, own->weight_count > 0);
        chosen += own->source == DWN_SCALE_FREE;
    }
    HOIST_EXPECT_EQ(t, found.free, chosen);
}

// Channels have scales of their own; the exact ones of two equal scales are the multipliers.
HOIST_TEST(scales_of_rows)
{
    static const float multipliers[4] = {0.1F, 0.2F, 0.3F, 0.4F};
    static const uint8_t zeros[4] = {128, 128, 128, 128};
    made m;
    dwn_scales found;
    make(&plans[1], &m);
    for (size_t i = 0; i < 2; i++) {
        m.layers[i].multipliers = multipliers;
        m.layers[i].weight_zeros = zeros;
        m.layers[i].multiplier = 1;
    }
    HOIST_EXPECT_EQ(t, dwn_scales_of(&m.recovery, &m.executable, &t->arena, &found), HOIST_OK);
    HOIST_EXPECT(t, found.is_signed);
    HOIST_EXPECT_EQ(t, found.layers[0].weight_count, 4);
    HOIST_EXPECT_EQ(t, found.layers[0].exact, 4);
    HOIST_EXPECT(t, found.layers[0].scale == 0.5F);
    for (uint32_t i = 0; i < 4; i++) {
        HOIST_EXPECT(t, found.layers[0].weights[i] == multipliers[i]);
    }
    HOIST_EXPECT_EQ(t, dwn_rounding_of(&m.layers[1], true), DWN_ROUNDS_NOTHING);
    HOIST_EXPECT_EQ(t, dwn_rounding_of(&m.layers[1], false), DWN_ROUNDS_PRODUCT);
}

HOIST_TEST(signedness)
{
    static const uint8_t zeros[4] = {128, 128, 127, 128};
    made m;
    dwn_scales found;
    make(&plans[1], &m);
    m.layers[0].weight_zero = m.layers[1].weight_zero = 128;
    HOIST_EXPECT_EQ(t, dwn_scales_of(&m.recovery, &m.executable, &t->arena, &found), HOIST_OK);
    HOIST_EXPECT(t, found.is_signed);
    HOIST_EXPECT_EQ(t, dwn_rounding_of(&m.layers[0], true), DWN_ROUNDS_NOTHING);
    HOIST_EXPECT_EQ(t, dwn_rounding_of(&m.layers[1], true), DWN_ROUNDS_PRODUCT); // dense
    m.layers[1].weight_zeros = zeros;
    HOIST_EXPECT_EQ(t, dwn_scales_of(&m.recovery, &m.executable, &t->arena, &found), HOIST_OK);
    HOIST_EXPECT(t, !found.is_signed);
    make(&plans[4], &m); // without weights the input says it
    m.recovery.count = 1;
    m.border[0].data_type = DWN_SIGNED_FIXED_POINT8;
    HOIST_EXPECT_EQ(t, dwn_scales_of(&m.recovery, &m.executable, &t->arena, &found), HOIST_OK);
    HOIST_EXPECT(t, found.is_signed);
}

// Values that are joined have one scale, with which a product and a sum have their factors: these
// leave several.
HOIST_TEST(joined_values_agree)
{
    enum { JOIN = 2, TIMES = 500 };
    static const plan joined = {
        .in = 0.0231F,
        .out = 0.25F,
        .layers = {{.kind = DWN_KIND_MULTIPLY, .inputs = {INPUT, INPUT}},
                   {.kind = DWN_KIND_ADD, .inputs = {INPUT, INPUT}, .multiplier = 0x1p-14F},
                   {.kind = DWN_KIND_CONCATENATION, .inputs = {0, 1}},
                   LAST(DWN_KIND_DENSE, 2)}};
    for (int i = 0; i < TIMES; i++) {
        const float scale = 0.011F + 0.0000317F * (float)i;
        const dwn_clamps clamps = dwn_clamps_of(DWN_ACTIVATION_NONE, scale, 9);
        made m;
        dwn_scales found;
        make(&joined, &m);
        m.layers[JOIN].input_count = 2;
        m.layers[0].multiplier = dwn_multiplier_of(joined.in, joined.in, scale);
        for (size_t k = 0; k < 2; k++) {
            m.layers[1].factors[k] = (int32_t)rintf(joined.in / scale * 0x1p14F);
            m.layers[k].output_zero = 9;
            m.layers[k].low = clamps.low;
            m.layers[k].high = clamps.high;
        }
        HOIST_EXPECT_EQ(t, dwn_scales_of(&m.recovery, &m.executable, &t->arena, &found), HOIST_OK);
        const float own = found.layers[JOIN].scale;
        HOIST_EXPECT(t, own == found.layers[0].scale && own == found.layers[1].scale);
        HOIST_EXPECT(t, fabsf(own / scale - 1) < 0x1p-20F);
        const float multiplier = dwn_multiplier_of(joined.in, joined.in, own);
        HOIST_EXPECT(t, fabsf(multiplier / m.layers[0].multiplier - 1) < 0x1p-22F);
    }
}

static hoist_status solve(hoist_allocator alloc, const void *self)
{
    const made *m = self;
    hoist_arena arena;
    dwn_scales found;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = dwn_scales_of(&m->recovery, &m->executable, &arena, &found);
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    made m;
    make(&plans[7], &m);
    hoist_test_starve(t, solve, &m);
}

HOIST_TEST(names)
{
    for (int i = 0; i < DWN_SCALE_SOURCES; i++) {
        const dwn_scale_source_row *const row = &dwn_scale_sources[i];
        HOIST_EXPECT(t, row->name && row->meaning && row->letter);
    }
    for (int i = 0; i <= DWN_ACTIVATION_OTHER; i++) {
        HOIST_EXPECT(t, dwn_activation_name((dwn_activation)i) != NULL);
    }
    for (int i = 0; i < DWN_GUESS_COUNT; i++) {
        const dwn_heuristic_row *const row = &dwn_heuristics[i];
        HOIST_EXPECT(t, row->name && row->meaning && row->section);
        for (int k = 0; k < i; k++) {
            HOIST_EXPECT(t, dwn_heuristics[k].letter != row->letter);
        }
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(scales), HOIST_TEST_ROW(scales_of_rows), HOIST_TEST_ROW(signedness),
                HOIST_TEST_ROW(joined_values_agree), HOIST_TEST_ROW(memory_runs_out),
                HOIST_TEST_ROW(names))
