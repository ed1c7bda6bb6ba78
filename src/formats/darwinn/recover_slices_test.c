// Outputs of the model that have some channels of values, or channels of several: copied out as
// they are, or selected by weights of up to 4 rows.
#include <math.h>
#include <string.h>

#include "base/reader.h"
#include "formats/darwinn/recover_testing.h"
#include "formats/darwinn/recover_transpose.h"

enum { PIXELS = 4, FROM = 100, APART = 100, TO = 400, MOST = 8, BLOB = 256, ZERO = 7 };
enum { VALUES = 2, RUNS = 3, ROWS = 4, IN = 900 };

// Values of 1 x 4 pixels, each from an address of its own on, on one tile; what selects some of
// their numbers, if anything does; and a copy of what the output gets.
typedef struct slicing {
    uint32_t channels[VALUES]; // 0: there is no such value
    bool is_input;             // the first value is an input of the model
    uint32_t rows[ROWS];       // 1 + the byte that each row of weights selects; 0: none
    uint32_t reduction;        // words that an output is computed of; 0: one
    int64_t step;              // from one to the next
    uint32_t from;             // after FROM
    int64_t pitch[2][2];       // loops over pixels; count 0: all, one word each
    bool is_by_parameters;     // the mode is that of more rows
    uint16_t code;             // 0: that of few rows
    uint32_t bias;             // 1 + that of the first row; 0: none
    uint32_t supplied;
    uint8_t output_zero; // 0: that of the values
    uint32_t z;          // channels of the output
} slicing;

// clang-format off
static const struct {
    const char *name;
    slicing s;
    bool is_selection, is_made;
    dwn_run runs[RUNS];
} rows[] = {
    {"the first channel",       {.channels = {4}, .z = 1}, false, true, {{1, 0, 1}}},
    {"the first channels",      {.channels = {8}, .pitch = {{4, 2}}, .z = 3}, false, true, {{1, 0, 3}}},
    {"the second word",         {.channels = {8}, .from = 1, .pitch = {{4, 2}}, .z = 4}, false, true, {{1, 4, 4}}},
    {"some of the second word", {.channels = {8}, .from = 1, .pitch = {{4, 2}}, .z = 2}, false, true, {{1, 4, 2}}},
    {"of an input",             {.channels = {3}, .is_input = true, .z = 2}, false, true, {{0, 0, 2}}},
    {"all of an input",         {.channels = {3}, .is_input = true, .z = 3}, false, false, {{0}}},
    {"all of a value",          {.channels = {4}, .z = 4}, false, false, {{0}}},
    {"beyond its channels",     {.channels = {2}, .z = 3}, false, false, {{0}}},
    {"of the next pixel",       {.channels = {8}, .from = 2, .pitch = {{4, 2}}, .z = 3}, false, false, {{0}}},
    {"of a pixel twice",        {.channels = {4}, .pitch = {{2, 1}, {2, 1}}, .z = 1}, false, false, {{0}}},
    {"from elsewhere",          {.channels = {4}, .from = 50, .z = 1}, false, false, {{0}}},
    {"another zero point",      {.channels = {4}, .output_zero = 8, .z = 1}, false, false, {{0}}},
    {"selected",                {.channels = {4}, .rows = {3}, .z = 1}, true, true, {{1, 2, 1}}},
    {"selected from an input",  {.channels = {3}, .is_input = true, .rows = {3}, .z = 1}, true, true, {{0, 2, 1}}},
    {"by the mode of more rows", {.channels = {4}, .rows = {3}, .is_by_parameters = true, .z = 1}, true, true, {{1, 2, 1}}},
    {"without a bias",          {.channels = {4}, .rows = {3}, .bias = 1, .z = 1}, true, true, {{1, 2, 1}}},
    {"with a bias",             {.channels = {4}, .rows = {3}, .bias = 2, .z = 1}, false, false, {{0}}},
    {"of another class",        {.channels = {4}, .rows = {3}, .code = 0x338, .z = 1}, false, false, {{0}}},
    {"by other parameters",     {.channels = {4}, .rows = {3}, .supplied = 64, .z = 1}, false, false, {{0}}},
    {"two in a row",            {.channels = {4}, .rows = {2, 3}, .z = 2}, true, true, {{1, 1, 2}}},
    {"exchanged",               {.channels = {4}, .rows = {2, 1}, .z = 2}, true, true, {{1, 1, 1}, {1, 0, 1}}},
    {"of two values",           {.channels = {4, 4}, .rows = {1, 6}, .reduction = 2, .step = APART, .z = 2}, true, true, {{1, 0, 1}, {2, 1, 1}}},
    {"all of one of them",      {.channels = {1, 4}, .rows = {1, 7}, .reduction = 2, .step = APART, .z = 2}, true, true, {{1, 0, 1}, {2, 2, 1}}},
    {"all of both",             {.channels = {1, 2}, .rows = {1, 5, 6}, .reduction = 2, .step = APART, .z = 3}, true, true, {{1, 0, 1}, {2, 0, 2}}},
    {"three runs",              {.channels = {4, 4}, .rows = {1, 6, 3}, .reduction = 2, .step = APART, .z = 3}, true, true, {{1, 0, 1}, {2, 1, 1}, {1, 2, 1}}},
    {"a row selects nothing",   {.channels = {4}, .rows = {1, 0, 3}, .z = 3}, true, false, {{0}}},
    {"a number that is none",   {.channels = {2}, .rows = {4}, .z = 1}, true, false, {{0}}},
};
// clang-format on

static uint32_t words_of(const slicing *s, uint32_t value)
{
    return (s->channels[value] + 3) / 4;
}

static bool has_rows(const slicing *s)
{
    return s->rows[0] > 0;
}

// Weights as a block of groups of 4 rows has them, behind the bias.
static void fill_blob(const slicing *s, uint8_t *blob)
{
    memset(blob, 0, BLOB);
    uint8_t *block = blob;
    if (s->bias > 0) {
        hoist_store_u32le(block, s->bias - 1);
        block += (size_t)ROWS * sizeof(uint32_t);
    }
    for (uint32_t row = 0; row < ROWS; row++) {
        const uint32_t byte = s->rows[row] - 1;
        if (s->rows[row] > 0) {
            block[(byte / 4 * ROWS + row) * 4 + byte % 4] = 1;
        }
    }
}

static void make_value(dwn_maker *m, const slicing *s, uint32_t index)
{
    const uint32_t words = words_of(s, index);
    const int32_t at = FROM + (int32_t)(index * APART);
    const dwn_sketch layout = {.mode = 0x30,
                               .code = 0x28,
                               .multiplier = 1,
                               .high = INFINITY,
                               .low = -INFINITY,
                               .rest = PIXELS,
                               .a_base = IN,
                               .b_base = at,
                               .a = {{PIXELS, 1}},
                               .b = {{PIXELS, 1}}};
    const dwn_sketch layer = {.multiplier = 0.25f / (float)(index + 1),
                              .rest = PIXELS,
                              .full_rows = 4 * words,
                              .last_rows = 4 * words,
                              .b_base = at,
                              .b = {{words, 1}, {PIXELS, words}}};
    dwn_make_operation(m, s->is_input ? &layout : &layer);
}

static void make_selection(dwn_maker *m, const slicing *s)
{
    const uint32_t reduction = s->reduction ? s->reduction : 1;
    dwn_make_operation(m, &(dwn_sketch){.mode = s->is_by_parameters ? 0x38 : 0x30,
                                        .code = s->code ? s->code : 0x328,
                                        .multiplier = 1,
                                        .high = 255 - ZERO,
                                        .low = -ZERO,
                                        .has_bias = s->bias > 0,
                                        .input_zero = ZERO,
                                        .output_zero = ZERO,
                                        .reduction = reduction,
                                        .rest = PIXELS,
                                        .a_base = FROM,
                                        .b_base = TO,
                                        .a = {{reduction, s->step}, {PIXELS, 1}},
                                        .b = {{PIXELS, 1}}});
}

static hoist_bytes make_program(dwn_maker *m, const slicing *s, uint32_t count)
{
    dwn_sending copied = {.tiles = 1, .base = has_rows(s) ? TO : FROM + s->from};
    memcpy(copied.loops, s->pitch, sizeof(s->pitch));
    if (copied.loops[0][0] == 0) {
        copied.loops[0][0] = PIXELS;
        copied.loops[0][1] = 1;
    }
    dwn_make_begin(m);
    for (uint32_t i = 0; i < count; i++) {
        make_value(m, s, i);
    }
    if (has_rows(s)) {
        make_selection(m, s);
    }
    dwn_make_copy_of(m, &copied);
    return dwn_make_end(m, false);
}

static hoist_bytes ints(hoist_test *t, uint32_t count, uint32_t step)
{
    uint8_t *bytes = hoist_arena_alloc(&t->arena, (size_t)count * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        hoist_store_u32le(bytes + (size_t)i * sizeof(uint32_t), i * step);
    }
    return (hoist_bytes){bytes, (size_t)count * sizeof(uint32_t)};
}

// Pixels of the output on tile 0, one after the other.
static void lay_out(hoist_test *t, dwn_layer *output)
{
    dwn_output_layer *const own = hoist_arena_array(&t->arena, 1, sizeof(*own));
    dwn_output_layout *const layout = hoist_arena_array(&t->arena, 1, sizeof(*layout));
    *layout = (dwn_output_layout){.y_coordinate_to_linear_tile_id_map = ints(t, 1, 0),
                                  .x_coordinate_to_linear_tile_id_map = ints(t, PIXELS, 0),
                                  .linearized_tile_byte_offset = ints(t, 16, 0),
                                  .x_coordinate_to_local_byte_offset = ints(t, PIXELS, 4),
                                  .y_coordinate_to_local_y_offset = ints(t, 1, 0),
                                  .x_coordinate_to_local_y_row_size = ints(t, PIXELS, 0)};
    *own = (dwn_output_layer){.layout = layout};
    output->any_layer = (hoist_fb_union){.type = DWN_LAYER_OUTPUT, .value = own};
}

static void add_values(dwn_walk *w, const slicing *s, uint32_t count)
{
    const dwn_extent extent = {1, PIXELS, s->channels[0]};
    w->values[0] = (dwn_value){.extent = extent, .zero = ZERO, .source = DWN_MODEL_INPUT};
    for (uint32_t i = 0; i < count && !s->is_input; i++) {
        w->owners[i] = i;
        w->layers[i] = (dwn_recovered){.kind = DWN_KIND_CONVOLUTION,
                                       .output_layer = DWN_NONE,
                                       .low = -ZERO,
                                       .high = 255 - ZERO,
                                       .output_zero = ZERO};
        w->made[i] = (dwn_made){.strips = 1, .group = i};
        w->values[1 + i] = (dwn_value){
            .extent = {1, PIXELS, s->channels[i]}, .zero = ZERO, .source = i, .has_base = true};
        w->layer_count++;
    }
}

static dwn_walk *walk_of(hoist_test *t, const slicing *s, uint32_t count)
{
    dwn_maker m = {.next_id = 0};
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, make_program(&m, s, count))};
    dwn_walk *w = hoist_arena_array(&t->arena, 1, sizeof(*w));
    dwn_executable *executable = hoist_arena_array(&t->arena, 1, sizeof(*executable));
    dwn_layer *output = hoist_arena_array(&t->arena, 1, sizeof(*output));
    dwn_numerics *numerics = hoist_arena_array(&t->arena, 1, sizeof(*numerics));
    uint8_t *blob = hoist_arena_alloc(&t->arena, BLOB);
    dwn_test_border(output, numerics, (dwn_extent){1, PIXELS, s->z},
                    s->output_zero ? s->output_zero : ZERO);
    lay_out(t, output);
    fill_blob(s, blob);
    *executable = (dwn_executable){.output_layers = {output, 1}};
    *w = (dwn_walk){.arena = &t->arena,
                    .scratch = &t->arena,
                    .executable = executable,
                    .owners = hoist_arena_array(&t->arena, MOST, sizeof(*w->owners)),
                    .layers = hoist_arena_array(&t->arena, MOST, sizeof(*w->layers)),
                    .made = hoist_arena_array(&t->arena, MOST, sizeof(*w->made)),
                    .values = hoist_arena_array(&t->arena, MOST, sizeof(*w->values)),
                    .ordered = hoist_arena_array(&t->arena, 1, sizeof(*w->ordered)),
                    .input_count = 1};
    w->sources.cached.bytes = (hoist_bytes){blob, BLOB};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w->operations), HOIST_OK);
    for (uint32_t i = 0; i < w->operations.count; i++) {
        w->owners[i] = DWN_NONE;
        w->operations.items[i].supply =
            (dwn_supply){.source = DWN_SUPPLY_CACHED, .first = s->supplied, .last = s->supplied};
    }
    add_values(w, s, count);
    return w;
}

// Whether the layer that makes the output gives these channels.
static void expect_runs(hoist_test *t, const dwn_walk *w, const dwn_run *runs, uint32_t z)
{
    const dwn_recovered *last = &w->layers[w->layer_count - 1];
    const bool is_join = last->kind == DWN_KIND_CONCATENATION;
    HOIST_EXPECT_EQ(t, last->output_layer, 0);
    HOIST_EXPECT_EQ(t, last->output.c, z);
    HOIST_EXPECT_EQ(t, is_join, runs[1].count > 0);
    for (uint32_t i = 0; i < RUNS && runs[i].count > 0; i++) {
        const uint32_t source = is_join ? last->inputs[i] : w->layer_count - 1;
        const uint32_t value = dwn_value_of(w, source);
        if (value == runs[i].value) {
            HOIST_EXPECT_EQ(t, w->values[value].extent.c, runs[i].count);
            continue;
        }
        const dwn_recovered *slice = &w->layers[source];
        HOIST_EXPECT_EQ(t, slice->kind, DWN_KIND_SLICE);
        HOIST_EXPECT_EQ(t, dwn_value_of(w, slice->inputs[0]), runs[i].value);
        HOIST_EXPECT_EQ(t, slice->first, runs[i].first);
        HOIST_EXPECT_EQ(t, slice->output.c, runs[i].count);
    }
}

HOIST_TEST_TABLE(outputs_are_channels, rows)
{
    const slicing *s = &row->s;
    const uint32_t count = s->channels[1] > 0 ? 2 : 1;
    dwn_walk *w = walk_of(t, s, count);
    bool is_selection = false;
    bool is_made = false;
    if (has_rows(s)) {
        const dwn_group *group = &w->operations.groups[w->operations.group_count - 1];
        HOIST_EXPECT_EQ(t, dwn_take_selection(w, group, &is_selection), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, is_selection, row->is_selection);
    dwn_drain drain = {.tile = 0, .copy = w->operations.copy_count - 1, .output = 0};
    w->operations.drains = &drain;
    w->operations.drain_count = 1;
    HOIST_EXPECT_EQ(t, dwn_read_ordered(w, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_take_ordered(w, 0, &is_made), HOIST_OK);
    HOIST_EXPECT_EQ(t, is_made, row->is_made);
    if (is_made) {
        const uint32_t last = w->layer_count - 1;
        expect_runs(t, w, row->runs, s->z);
        HOIST_EXPECT_EQ(t, w->layers[last].piece_count, is_selection ? 1 : 0);
        HOIST_EXPECT_EQ(t, w->made[last].is_selected, is_selection);
        HOIST_EXPECT_EQ(t, w->owners[w->operations.count - 1], is_selection ? last : w->owners[0]);
    }
}

// Layers that give channels are made once, but for those that make outputs of the model.
HOIST_TEST(slices_are_made_once)
{
    const slicing s = {.channels = {8, 8}, .z = 4};
    dwn_walk *w = walk_of(t, &s, 2);
    const dwn_run runs[] = {{1, 4, 4}, {2, 0, 8}};
    uint32_t first = 0;
    uint32_t again = 0;
    HOIST_EXPECT_EQ(t, dwn_join_runs(w, runs, 2, (dwn_use){0, false}, &first), HOIST_OK);
    HOIST_EXPECT_EQ(t, w->layer_count, 4);
    HOIST_EXPECT_EQ(t, w->layers[3].output.c, 12);
    HOIST_EXPECT(t, w->made[0].has_reader && w->made[1].has_reader && w->made[2].has_reader);
    HOIST_EXPECT_EQ(t, dwn_join_runs(w, runs, 2, (dwn_use){0, true}, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, again, first);
    HOIST_EXPECT_EQ(t, w->layer_count, 4);
    w->layers[3].output_layer = 0;
    HOIST_EXPECT_EQ(t, dwn_join_runs(w, runs, 2, (dwn_use){0, true}, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, w->layer_count, 5); // another join of the same slice
    w->layers[2].output_layer = 1;
    HOIST_EXPECT_EQ(t, dwn_join_runs(w, runs, 1, (dwn_use){0, false}, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, again, 3);
    HOIST_EXPECT_EQ(t, dwn_join_runs(w, runs, 1, (dwn_use){0, true}, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, w->layer_count, 6);
    HOIST_EXPECT_EQ(t, dwn_join_runs(w, &runs[1], 1, (dwn_use){0, true}, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, again, 2); // the value itself
    dwn_drop_layers(w, 2);
    HOIST_EXPECT_EQ(t, w->layer_count, 2);
    HOIST_EXPECT_EQ(t, w->zeros[ZERO], 0);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(outputs_are_channels), HOIST_TEST_ROW(slices_are_made_once))
