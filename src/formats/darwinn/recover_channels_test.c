// Values that are read as one, by the words of a pixel.
#include <math.h>
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { ALL = 0xffff, PARTS = 2, MOST = 5, PLACE = 0x207c };

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

static void add_part(fixture *f, uint32_t index, dwn_extent extent, uint8_t zero)
{
    static const uint32_t inputs[] = {DWN_MODEL_INPUT};
    f->values[1 + index] =
        (dwn_value){.extent = extent, .zero = zero, .source = index, .has_base = true};
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
        const uint32_t channels = i == 1 ? row->channels : part.full_rows ? 8 : 4;
        add_part(&f, i, (dwn_extent){4, 4, channels}, part.output_zero);
    }
    if (row->overwritten) {
        dwn_make_fill(&m, &(dwn_stored){1, false, 0, row->overwritten, {{0}}});
    }
    dwn_make_operation(&m, &row->reader);
    set_walk(t, &f, &m);
    dwn_walk *const w = &f.w;
    const dwn_group *reader = &w->operations.groups[w->operations.group_count - 1];
    uint32_t value = 0;
    dwn_geometry g;
    HOIST_EXPECT_EQ(t, dwn_join_channels(w, reader, &value, &g), HOIST_OK);
    HOIST_EXPECT_EQ(t, value, row->is_joined ? 1 + PARTS : DWN_NONE);
    if (!row->is_joined) {
        HOIST_EXPECT_EQ(t, w->layer_count, PARTS);
        return;
    }
    const dwn_recovered *l = &w->layers[PARTS];
    HOIST_EXPECT(t, l->kind == DWN_KIND_CONCATENATION && !l->is_in_rows);
    HOIST_EXPECT_EQ(t, l->inputs[0], row->inputs[0]);
    HOIST_EXPECT_EQ(t, l->inputs[1], row->inputs[1]);
    HOIST_EXPECT_EQ(t, l->output.c, row->parts[0].full_rows ? 12 : 8);
    HOIST_EXPECT_EQ(t, l->output_zero, 5);
    // Another layer that reads the same.
    HOIST_EXPECT_EQ(t, dwn_join_channels(w, reader, &value, &g), HOIST_OK);
    HOIST_EXPECT_EQ(t, value, 1 + PARTS);
    HOIST_EXPECT_EQ(t, w->layer_count, PARTS + 1);
    HOIST_EXPECT_EQ(t, dwn_trace_window(w, reader, &value, &g), HOIST_OK);
    HOIST_EXPECT_EQ(t, g.is_traced, row->is_traced);
    HOIST_EXPECT_EQ(t, value, 1 + PARTS);
}

// Some channels of a value of 4 x 8 pixels of three words, two pixels on each tile, from address
// 100 on, next to another of one word.
#define SIX(n)                                                                                     \
    {                                                                                              \
        .tiles = ALL, .rest = 2, .full_rows = 12, .last_rows = 12, .output_zero = 5,               \
        .b_base = 100, .b = {                                                                      \
            {3, 1},                                                                                \
            {2, (n)}                                                                               \
        }                                                                                          \
    }
#define ONE(at, n)                                                                                 \
    {                                                                                              \
        .tiles = ALL, .rest = 2, .output_zero = 5, .b_base = (at), .b = { {2, (n)} }               \
    }
#define READS(words, at, n)                                                                        \
    {                                                                                              \
        .tiles = ALL, .reduction = (words), .rest = 2, .input_zero = 5, .a_base = (at),            \
        .b_base = 900, .a = {                                                                      \
            {(words), 1},                                                                          \
            {2, (n)}                                                                               \
        }                                                                                          \
    }

// clang-format off
static const struct {
    const char *name;
    dwn_sketch parts[PARTS], reader;
    int32_t moved[3]; // from, to, and words of each pixel that are moved; 0: none are
    bool is_made, is_traced;
    uint32_t layers;  // that are new
    dwn_run runs[PARTS];
} cuts[] = {
    {"the first word",         {SIX(3), ONE(300, 1)}, READS(1, 100, 3), {0}, true, true, 1, {{1, 0, 4}}},
    {"a word inside",          {SIX(3), ONE(300, 1)}, READS(1, 101, 3), {0}, true, true, 1, {{1, 4, 4}}},
    {"the last words",         {SIX(3), ONE(300, 1)}, READS(2, 101, 3), {0}, true, true, 1, {{1, 4, 8}}},
    {"all words",              {SIX(3), ONE(300, 1)}, READS(3, 100, 3), {0}, false, false, 0, {{0}}},
    {"all words, further apart", {SIX(4), ONE(300, 1)}, READS(3, 100, 4), {0}, true, true, 0, {{1, 0, 12}}},
    {"with another behind it", {SIX(4), ONE(103, 4)}, READS(4, 100, 4), {0}, true, true, 1, {{1, 0, 12}, {2, 0, 4}}},
    {"some with another",      {SIX(4), ONE(103, 4)}, READS(2, 102, 4), {0}, true, true, 2, {{1, 8, 4}, {2, 0, 4}}},
    {"over the end of a pixel", {SIX(3), ONE(300, 1)}, READS(2, 102, 3), {0}, false, false, 0, {{0}}},
    {"in two parts, twice",    {SIX(4), ONE(103, 4)}, {.tiles = ALL, .reduction = 2, .rest = 4, .late = 2, .mask = 5, .full_rows = 4, .last_rows = 4, .input_zero = 5, .a_base = 100, .b_base = 900, .a = {{2, 1}, {2, 4}, {2, 0}, {2, 2}}, .b = {{2, 1}, {2, 2}}}, {0}, true, true, 1, {{1, 0, 12}, {2, 0, 4}}},
    {"another step",           {SIX(3), ONE(300, 1)}, READS(1, 101, 4), {0}, false, false, 0, {{0}}},
    {"moved together",         {SIX(3), ONE(300, 1)}, READS(1, 500, 1), {101, 500, 1}, true, true, 1, {{1, 4, 4}}},
    {"others are moved over it", {SIX(3), ONE(300, 1)}, READS(2, 101, 3), {400, 102, 1}, false, false, 0, {{0}}},
};
// clang-format on

static void make_move(dwn_maker *m, const int32_t moved[3])
{
    const uint32_t words = (uint32_t)moved[2];
    dwn_make_operation(m, &(dwn_sketch){.tiles = ALL,
                                        .mode = 0x30,
                                        .multiplier = 1,
                                        .high = INFINITY,
                                        .low = -INFINITY,
                                        .c_base = PLACE,
                                        .rest = 2 * words,
                                        .a_base = moved[0],
                                        .b_base = moved[1],
                                        .a = {{words, 1}, {2, 3}},
                                        .b = {{2 * words, 1}}});
}

HOIST_TEST_TABLE(some_channels_of_a_pixel, cuts)
{
    fixture f = {.owners = {0}};
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    for (uint32_t i = 0; i < 4; i++) {
        dwn_make_fill(&m, &(dwn_stored){ALL, false, UINT32_C(1) << 8 * i, 8 + i, {{0}}});
    }
    dwn_make_copy(&m, ALL, 8, PLACE);
    for (uint32_t i = 0; i < PARTS; i++) {
        dwn_sketch part = row->parts[i];
        part.multiplier = 0.25f / (float)(i + 1); // no strips
        dwn_make_operation(&m, &part);
        add_part(&f, i, (dwn_extent){4, 8, i == 0 ? 12 : 4}, part.output_zero);
    }
    if (row->moved[2] > 0) {
        make_move(&m, row->moved);
    }
    dwn_make_operation(&m, &row->reader);
    set_walk(t, &f, &m);
    dwn_walk *const w = &f.w;
    const dwn_group *reader = &w->operations.groups[w->operations.group_count - 1];
    uint32_t value = 0;
    dwn_geometry g;
    HOIST_EXPECT_EQ(t, dwn_join_channels(w, reader, &value, &g), HOIST_OK);
    HOIST_EXPECT_EQ(t, value != DWN_NONE, row->is_made);
    HOIST_EXPECT_EQ(t, w->layer_count, PARTS + row->layers);
    if (!row->is_made) {
        return;
    }
    const dwn_recovered *l = &w->layers[value - 1];
    for (uint32_t i = 0; i < PARTS && row->runs[i].count > 0; i++) {
        const bool is_join = row->runs[1].count > 0;
        const uint32_t part = is_join ? dwn_value_of(w, l->inputs[i]) : value;
        const dwn_recovered *slice = &w->layers[part - 1];
        const bool is_cut = slice->kind == DWN_KIND_SLICE;
        HOIST_EXPECT_EQ(t, w->values[part].extent.c, row->runs[i].count);
        HOIST_EXPECT_EQ(t, is_cut ? slice->first : 0, row->runs[i].first);
        HOIST_EXPECT_EQ(t, is_cut ? dwn_value_of(w, slice->inputs[0]) : part, row->runs[i].value);
    }
    HOIST_EXPECT_EQ(t, dwn_trace_window(w, reader, &value, &g), HOIST_OK);
    HOIST_EXPECT_EQ(t, g.is_traced, row->is_traced);
    HOIST_EXPECT(t, g.stride[0] == 1 && g.stride[1] == 1);
    HOIST_EXPECT(t, g.output.h == 4 && g.output.w == 8);
}

// A value that fits is read for sure where no other can be, and no channels of another: nothing
// else says what is at the address.
// clang-format off
static const struct {
    const char *name;
    dwn_extent other;
    uint8_t zero;
    bool is_sure;
} others[] = {
    {"fewer pixels",          {4, 2, 8}, 5, true},
    {"another zero point",    {4, 4, 8}, 6, true},
    {"some channels of it",   {4, 4, 8}, 5, false},
};
// clang-format on

HOIST_TEST_TABLE(channels_of_others_may_be_read, others)
{
    fixture f = {.owners = {0}};
    dwn_maker m = {.next_id = 0};
    const dwn_sketch parts[PARTS] = {PART(5, 100), WIDE(5, 300)};
    const dwn_sketch reader = {
        .tiles = ALL, .reduction = 1, .rest = 1, .input_zero = 5, .a_base = 700, .b_base = 900};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &parts[0]);
    dwn_make_operation(&m, &parts[1]);
    dwn_make_operation(&m, &reader);
    add_part(&f, 0, (dwn_extent){4, 4, 4}, 5);
    add_part(&f, 1, row->other, row->zero);
    set_walk(t, &f, &m);
    dwn_geometry g;
    const dwn_group *group = &f.w.operations.groups[f.w.operations.group_count - 1];
    HOIST_EXPECT_EQ(t, dwn_find_input(&f.w, group, &g), 1);
    HOIST_EXPECT_EQ(t, g.is_sure, row->is_sure);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(channels_of_a_pixel), HOIST_TEST_ROW(some_channels_of_a_pixel),
                HOIST_TEST_ROW(channels_of_others_may_be_read))
