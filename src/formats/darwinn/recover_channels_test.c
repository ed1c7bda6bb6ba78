// Values that are read as one, by the words of a pixel.
#include <math.h>
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { ALL = 0xffff, PARTS = 2, MOST = 5 };

// 4 x 4 pixels, one on each tile: values of one word each.
#define PART(zero, at)                                                                             \
    {                                                                                              \
        .tiles = ALL, .rest = 1, .output_zero = (zero), .b_base = (at)                             \
    }
// Of two words each.
#define WIDE(zero, at)                                                                             \
    {                                                                                              \
        .tiles = ALL, .rest = 1, .full_rows = 8, .last_rows = 8, .output_zero = (zero),            \
        .b_base = (at), .b = {                                                                     \
            {2, 1}                                                                                 \
        }                                                                                          \
    }
// From 8 channels, where the values are next to each other.
#define READER(zero, at)                                                                           \
    {                                                                                              \
        .tiles = ALL, .reduction = 2, .rest = 1, .input_zero = (zero), .a_base = (at),             \
        .b_base = 900, .a = {                                                                      \
            {2, 1}                                                                                 \
        }                                                                                          \
    }

// clang-format off
static const struct {
    const char *name;
    dwn_sketch parts[PARTS], reader;
    uint32_t channels;       // of the second value; of the first one that is WIDE 8
    uint32_t overwritten;    // an address; 0: none
    uint32_t inputs[PARTS];
    bool is_joined, is_traced;
} joins[] = {
    {"next to each other",      {PART(5, 100), PART(5, 101)}, READER(5, 100), 4, 0, {0, 1}, true, true},
    {"in the other order",      {PART(5, 101), PART(5, 100)}, READER(5, 100), 4, 0, {1, 0}, true, true},
    {"channels that fill no word", {PART(5, 100), PART(5, 101)}, READER(5, 100), 3, 0, {0, 0}, false, false},
    {"another zero point",      {PART(5, 100), PART(6, 101)}, READER(5, 100), 4, 0, {0, 0}, false, false},
    {"read with another one",   {PART(5, 100), PART(5, 101)}, READER(6, 100), 4, 0, {0, 0}, false, false},
    {"further apart",           {PART(5, 100), PART(5, 102)}, READER(5, 100), 4, 0, {0, 0}, false, false},
    {"read elsewhere",          {PART(5, 100), PART(5, 101)}, READER(5, 200), 4, 0, {0, 0}, false, false},
    {"from the second on",      {PART(5, 100), PART(5, 101)}, READER(5, 101), 4, 0, {0, 0}, false, false},
    {"two words and one",       {WIDE(5, 100), PART(5, 102)}, {.tiles = ALL, .reduction = 3, .rest = 1, .input_zero = 5, .a_base = 100, .b_base = 900, .a = {{3, 1}}}, 4, 0, {0, 1}, true, true},
    {"a word inside is overwritten", {WIDE(5, 100), PART(5, 102)}, {.tiles = ALL, .reduction = 3, .rest = 1, .input_zero = 5, .a_base = 100, .b_base = 900, .a = {{3, 1}}}, 4, 101, {0, 0}, false, false},
    {"the second is overwritten", {PART(5, 100), PART(5, 101)}, READER(5, 100), 4, 101, {0, 0}, false, false},
};
// clang-format on

// The walk before the reader: the list has the two values.
typedef struct fixture {
    dwn_value values[MOST + 1];
    dwn_recovered layers[MOST];
    dwn_made made[MOST];
    uint32_t owners[MOST];
    dwn_walk w;
} fixture;

static void add_part(fixture *f, uint32_t index, uint32_t channels, uint8_t zero)
{
    static const uint32_t inputs[] = {DWN_MODEL_INPUT};
    f->values[1 + index] =
        (dwn_value){.extent = {4, 4, channels}, .zero = zero, .source = index, .has_base = true};
    f->layers[index] = (dwn_recovered){
        .kind = DWN_KIND_CONVOLUTION, .inputs = inputs, .input_count = 1, .output_zero = zero};
    f->made[index] = (dwn_made){.strips = 1, .group = index};
}

static void set_walk(hoist_test *t, fixture *f, dwn_maker *m)
{
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(m, false))};
    f->values[0] = (dwn_value){.extent = {1, 1, 4}, .zero = 99};
    f->w = (dwn_walk){.arena = &t->arena,
                      .scratch = &t->arena,
                      .owners = f->owners,
                      .values = f->values,
                      .layers = f->layers,
                      .made = f->made,
                      .input_count = 1,
                      .layer_count = PARTS,
                      .current = PARTS};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &f->w.operations), HOIST_OK);
    for (uint32_t i = 0; i < f->w.operations.count; i++) {
        f->owners[i] = i < PARTS ? i : DWN_NONE;
    }
}

HOIST_TEST_TABLE(channels_of_a_pixel, joins)
{
    fixture f = {.owners = {0}};
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    for (uint32_t i = 0; i < PARTS; i++) {
        dwn_sketch part = row->parts[i];
        part.multiplier = 0.25f / (float)(i + 1); // no strips
        dwn_make_operation(&m, &part);
        add_part(&f, i, i == 1 ? row->channels : part.full_rows ? 8 : 4, part.output_zero);
    }
    if (row->overwritten) {
        dwn_make_fill(&m, &(dwn_stored){1, false, 0, row->overwritten, {{0}}});
    }
    dwn_make_operation(&m, &row->reader);
    set_walk(t, &f, &m);
    dwn_walk *const w = &f.w;
    const dwn_group *reader = &w->operations.groups[w->operations.group_count - 1];
    uint32_t value = 0;
    HOIST_EXPECT_EQ(t, dwn_join_channels(w, reader, &value), HOIST_OK);
    HOIST_EXPECT_EQ(t, value, row->is_joined ? 1 + PARTS : DWN_NONE);
    if (!row->is_joined) {
        HOIST_EXPECT_EQ(t, w->layer_count, PARTS);
        return;
    }
    const dwn_recovered *l = &f.layers[PARTS];
    HOIST_EXPECT(t, l->kind == DWN_KIND_CONCATENATION && !l->is_in_rows);
    HOIST_EXPECT_EQ(t, l->inputs[0], row->inputs[0]);
    HOIST_EXPECT_EQ(t, l->inputs[1], row->inputs[1]);
    HOIST_EXPECT_EQ(t, l->output.c, row->parts[0].full_rows ? 12 : 8);
    HOIST_EXPECT_EQ(t, l->output_zero, 5);
    // Another layer that reads the same.
    HOIST_EXPECT_EQ(t, dwn_join_channels(w, reader, &value), HOIST_OK);
    HOIST_EXPECT_EQ(t, value, 1 + PARTS);
    HOIST_EXPECT_EQ(t, w->layer_count, PARTS + 1);
    dwn_geometry g;
    HOIST_EXPECT(t, dwn_geometry_of(&w->operations, reader, f.values[value].extent, &g));
    HOIST_EXPECT_EQ(t, dwn_trace_window(w, reader, &value, &g), HOIST_OK);
    HOIST_EXPECT_EQ(t, g.is_traced, row->is_traced);
    HOIST_EXPECT_EQ(t, value, 1 + PARTS);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(channels_of_a_pixel))
