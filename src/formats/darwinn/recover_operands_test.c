// What additions, multiplications and operations on single numbers read: what was written last
// there, where that is known, whatever was made last or has the zero point.
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { WORDS = 16, LAYERS = 3, PLACE = 0x2060, FLAG = 0x4000 };

typedef struct reading {
    uint8_t zeros[LAYERS]; // of layers that write at `at`, one after the other
    int32_t at[LAYERS];
    int32_t read[2]; // where the operation reads
} reading;

typedef struct found {
    uint32_t values[2]; // 1 and more are the layers'
    bool is_sure;
} found;

// clang-format off
static const struct {
    const char *name;
    reading r;
    found sum, product;
} operands[] = {
    {"the only ones",        {{5, 6, 9}, {100, 200, 300}, {100, 200}}, {{1, 2}, true}, {{1, 2}, true}},
    {"an earlier one",       {{5, 5, 6}, {100, 200, 300}, {100, 300}}, {{1, 3}, true}, {{1, 3}, true}},
    {"a later one",          {{5, 5, 6}, {100, 200, 300}, {200, 300}}, {{2, 3}, true}, {{2, 3}, true}},
    {"an earlier second one", {{6, 5, 6}, {100, 200, 300}, {200, 100}}, {{2, 1}, true}, {{2, 1}, true}},
    {"the first is overwritten", {{5, 6, 9}, {100, 200, 100}, {100, 200}}, {{1, 2}, false}, {{1, 2}, false}},
    {"the second is overwritten", {{5, 6, 9}, {100, 200, 200}, {100, 200}}, {{1, 2}, false}, {{1, 2}, false}},
    {"places exchanged",     {{5, 6, 9}, {100, 200, 300}, {200, 100}}, {{1, 2}, false}, {{1, 2}, false}},
    {"read inside of one",   {{5, 6, 9}, {100, 200, 300}, {104, 200}}, {{1, 2}, true}, {{1, 2}, true}},
    {"nothing is known",     {{5, 6, 9}, {100, 200, 300}, {600, 700}}, {{1, 2}, true}, {{1, 2}, true}},
};
// clang-format on

typedef struct scene {
    dwn_walk w;
    uint32_t owners[LAYERS + 2];
    dwn_value values[LAYERS + 1];
    dwn_recovered layers[LAYERS];
    dwn_made made[LAYERS];
    dwn_maker m;
} scene;

// The layers of a program, and an operation of it: the last but one group.
static scene *scene_of(hoist_test *t, const reading *r, const dwn_sketch *last)
{
    scene *s = hoist_arena_alloc(&t->arena, sizeof(*s));
    memset(s, 0, sizeof(*s));
    dwn_make_begin(&s->m);
    for (uint32_t i = 0; i < LAYERS; i++) {
        s->owners[i] = i;
        s->values[i + 1] = (dwn_value){.extent = {4, 4, 4},
                                       .zero = r->zeros[i],
                                       .source = i,
                                       .has_base = true,
                                       .base = r->at[i]};
        s->w.zeros[r->zeros[i]]++;
        dwn_make_operation(&s->m, &(dwn_sketch){.multiplier = 0.125f * (float)(i + 1),
                                                .rest = WORDS,
                                                .b_base = r->at[i],
                                                .b = {{WORDS, 1}}});
    }
    dwn_make_operation(&s->m, last);
    dwn_make_copy(&s->m, 1, (uint32_t)r->read[1], PLACE);
    dwn_make_operation(&s->m, &(dwn_sketch){.mode = 0x1000});
    s->owners[LAYERS] = s->owners[LAYERS + 1] = DWN_NONE;
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&s->m, false))};
    s->w.values = s->values;
    s->w.owners = s->owners;
    s->w.layers = s->layers;
    s->w.made = s->made;
    s->w.input_count = 1;
    s->w.layer_count = s->w.current = LAYERS;
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &s->w.operations), HOIST_OK);
    return s;
}

static void expect_found(hoist_test *t, const dwn_operands *o, const found *expected)
{
    HOIST_EXPECT_EQ(t, o->values[0], expected->values[0]);
    HOIST_EXPECT_EQ(t, o->values[1], expected->values[1]);
    HOIST_EXPECT_EQ(t, o->is_sure, expected->is_sure);
}

HOIST_TEST_TABLE(operands_that_were_written, operands)
{
    const int32_t factors[2] = {10, 20};
    const int32_t *read = row->r.read;
    const dwn_sketch sum = {.mode = 0xb0,
                            .code = 0x48,
                            .constant = -(5 * 10 + 6 * 20),
                            .a_base = read[0],
                            .a = {{2, 0}, {2, read[1] - read[0] - 1}}};
    const dwn_sketch product = {.mode = 0x1c30,
                                .input_zero = 5,
                                .weight_zero = 6,
                                .a_base = read[0],
                                .c_base = FLAG + PLACE};
    dwn_operands o;
    scene *s = scene_of(t, &row->r, &sum);
    const dwn_group *group = &s->w.operations.groups[LAYERS];
    HOIST_EXPECT(t, dwn_find_operands(&s->w, group, factors, &o));
    expect_found(t, &o, &row->sum);
    s = scene_of(t, &row->r, &product);
    group = &s->w.operations.groups[LAYERS];
    HOIST_EXPECT(t, dwn_find_factors(&s->w, group, &o));
    expect_found(t, &o, &row->product);
}

// clang-format off
static const struct {
    const char *name;
    reading r;
    found single;
} singles[] = {
    {"the only one",    {{9, 5, 6}, {100, 200, 300}, {200, 0}}, {{2}, true}},
    {"an earlier one",  {{5, 5, 6}, {100, 200, 300}, {100, 0}}, {{1}, true}},
    {"overwritten",     {{5, 9, 6}, {100, 100, 300}, {100, 0}}, {{1}, false}},
    {"overwritten by one of that zero point", {{5, 5, 6}, {100, 100, 300}, {100, 0}}, {{2}, true}},
};
// clang-format on

HOIST_TEST_TABLE(single_numbers_that_were_written, singles)
{
    const dwn_sketch sketch = {
        .mode = 0x30, .input_zero = 5, .rest = WORDS, .a_base = row->r.read[0]};
    const scene *s = scene_of(t, &row->r, &sketch);
    dwn_operands o = {.is_sure = false};
    o.values[0] = dwn_find_mapped(&s->w, &s->w.operations.groups[LAYERS], &o.is_sure);
    expect_found(t, &o, &row->single);
}

// A layer without parameters that adds the first two and has made some of its output, and an
// operation with its constants.
// clang-format off
static const struct {
    const char *name;
    reading r;
    uint32_t needed, made;
    bool is_strip;
} strips[] = {
    {"the same operands",     {{5, 6, 9}, {100, 200, 300}, {100, 200}}, 2 * WORDS, WORDS, true},
    {"of unknown places",     {{5, 6, 9}, {100, 200, 300}, {600, 700}}, 2 * WORDS, WORDS, true},
    {"what it made",          {{5, 6, 9}, {100, 200, 300}, {300, 200}}, 2 * WORDS, WORDS, false},
    {"what it made is the second", {{5, 6, 9}, {100, 200, 300}, {100, 300}}, 2 * WORDS, WORDS, false},
    {"all of an output",      {{5, 6, 9}, {100, 200, 300}, {100, 200}}, WORDS, WORDS / 2, false},
    {"nothing is left",       {{5, 6, 9}, {100, 200, 300}, {100, 200}}, WORDS, WORDS, false},
};
// clang-format on

HOIST_TEST_TABLE(strips_read_what_their_layer_reads, strips)
{
    static const uint32_t inputs[] = {0, 1};
    const int32_t *read = row->r.read;
    const dwn_sketch next = {.multiplier = 0.125f * LAYERS,
                             .rest = WORDS,
                             .a_base = read[0],
                             .a = {{1, 0}, {2, read[1] - read[0] - 1}},
                             .b_base = 400,
                             .b = {{WORDS, 1}}};
    scene *s = scene_of(t, &row->r, &next);
    s->layers[2].inputs = inputs;
    s->layers[2].input_count = 2;
    s->made[2] = (dwn_made){.group = 2, .needed = row->needed, .produced = row->made, .strips = 1};
    const uint32_t layer = dwn_find_strip(&s->w, &s->w.operations.groups[LAYERS]);
    HOIST_EXPECT_EQ(t, layer, row->is_strip ? 2 : DWN_NONE);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(operands_that_were_written),
                HOIST_TEST_ROW(single_numbers_that_were_written),
                HOIST_TEST_ROW(strips_read_what_their_layer_reads))
