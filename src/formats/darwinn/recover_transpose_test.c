// Outputs of the model that selections put into another order, byte by byte.
#include <math.h>
#include <string.h>

#include "base/reader.h"
#include "formats/darwinn/recover_testing.h"
#include "formats/darwinn/recover_transpose.h"

enum { PIXELS = 4, CHANNELS = 4, VALUES = 2, FROM = 100, TO = 200, END = 300, PLACE = 0x207c };
enum { ALL = 0xffff, BLOB = 1024, MOST = 8, ZERO = 7 };

// Two values of 1 x 4 pixels of a word each, next to each other, or one of them; a selection that
// makes words of a channel each of them; and a copy of these for the output.
typedef struct transposing {
    uint32_t values;     // 0: one
    uint32_t rows[2];    // of weights that are exchanged
    uint32_t at, weight; // a byte of the weights, and what it becomes; `weight` 0: it stays
    uint32_t bias;       // plus 1 of the first row; 0: there is none
    float multiplier;    // 0: just below 1
    uint8_t zero;        // of what the selection writes; 0: that of the values
    float high;          // 0: the type's
    uint8_t weight_zero;
    int32_t base;         // where it writes; 0: TO
    uint32_t supplied;    // where its parameters are said to be
    uint32_t overwritten; // an address; 0: none
    uint32_t copied;      // from; 0: where it writes
    uint32_t tile;        // that is drained
    bool is_other_output; // what is drained
    uint8_t output_zero;  // of the model; 0: that of the values
    int32_t x, z;         // of the output; 0: what is made
    bool is_usual;        // the selection keeps the order
    bool is_in_two;       // it is two: bytes become words, and words bytes
    uint16_t words_class; // of these; 0: the one that does so
    int32_t words_base;   // where their 1 is; 0: where the identity is
    bool is_by_words;     // and in between words are multiplied by 1
} transposing;

// clang-format off
static const struct {
    const char *name;
    transposing t;
    bool is_selection, is_made;
} rows[] = {
    {"transposed",              {.values = 1}, true, true},
    {"two values",              {.values = 2}, true, true},
    {"a factor of 1",           {.multiplier = 1}, true, true},
    {"no bias",                 {.bias = 1}, true, true},
    {"in two steps",            {.is_in_two = true}, true, true},
    {"by words in between",     {.is_in_two = true, .is_by_words = true}, true, true},
    {"by words of another class", {.is_in_two = true, .is_by_words = true, .words_class = 0x28}, false, false},
    {"by words that are rows",  {.is_in_two = true, .is_by_words = true, .words_base = PLACE}, false, false},
    {"by words from elsewhere", {.is_in_two = true, .is_by_words = true, .words_base = PLACE + 0x4100}, false, false},
    {"two values in two steps", {.values = 2, .is_in_two = true}, true, true},
    {"two numbers exchanged",   {.rows = {1, 2}}, true, false},
    {"numbers of two channels exchanged", {.rows = {3, 4}}, true, false},
    {"a number is missing",     {.at = 0, .weight = 256}, true, false},
    {"a weight of 2",           {.at = 0, .weight = 2}, false, false},
    {"two weights in a row",    {.at = 1, .weight = 1}, false, false},
    {"a bias",                  {.bias = 2}, false, false},
    {"another factor",          {.multiplier = 0.75f}, false, false},
    {"a factor that rounds",    {.multiplier = 1.0f - 1.0f / 256}, false, false},
    {"another zero point",      {.zero = 8}, false, false},
    {"a clamp",                 {.high = 100}, false, false},
    {"a zero point of weights", {.weight_zero = 1}, false, false},
    {"over what it reads",      {.base = FROM + 3}, false, false},
    {"other parameters",        {.supplied = 64}, false, false},
    {"a word is overwritten",   {.overwritten = TO + 1}, true, false},
    {"what it reads is overwritten", {.overwritten = FROM + 1}, true, true},
    {"copied from elsewhere",   {.copied = TO + 1}, true, false},
    {"the other tile is drained", {.tile = 1}, true, false},
    {"for another output",      {.is_other_output = true}, true, false},
    {"an output of another zero point", {.output_zero = 8}, true, false},
    {"an output of fewer pixels", {.x = 3}, true, false},
    {"an output of fewer channels", {.z = 3}, true, false},
    {"an output of other rows",  {.x = 2, .z = 8}, true, true},
    {"in the usual order",      {.is_usual = true}, true, false},
    {"two values in the usual order", {.values = 2, .is_usual = true}, true, false},
};
// clang-format on

// Row `row` of the whole selection: which byte of what it reads. Words are those of one pixel after
// the other, of each value.
static uint32_t source_of(const transposing *x, uint32_t row)
{
    const uint32_t value = row / (PIXELS * CHANNELS);
    const uint32_t channel = row / PIXELS % CHANNELS;
    const uint32_t pixel = row % PIXELS;
    return x->is_usual ? row : (value * PIXELS + pixel) * CHANNELS + channel;
}

static void set_weight(uint8_t *block, uint32_t stored, uint32_t row, uint32_t byte)
{
    block[(byte / 4 * stored + row) * 4 + byte % 4] = 1;
}

// The blocks: of one selection; or of one that makes a word of each byte, and another that has them
// in the end.
static void fill_blob(const transposing *x, uint8_t *blob, uint32_t count)
{
    const uint32_t bytes = count * PIXELS * CHANNELS;
    uint8_t *block = blob;
    memset(blob, 0, BLOB * MOST);
    for (uint32_t i = 0; i < 4 && x->is_in_two; i++) {
        set_weight(block, 16, 4 * i, i);
    }
    block += x->is_in_two ? 64 : 0;
    if (x->bias > 0) {
        hoist_store_u32le(block, x->bias - 1);
        block += (size_t)bytes * sizeof(uint32_t);
    }
    for (uint32_t row = 0; row < bytes; row++) {
        const uint32_t other = row == x->rows[0]   ? x->rows[1]
                               : row == x->rows[1] ? x->rows[0]
                                                   : row;
        set_weight(block, bytes, row, source_of(x, other) * (x->is_in_two ? 4 : 1));
    }
    block[x->at] = x->weight > 0 ? (uint8_t)x->weight : block[x->at];
}

static dwn_sketch selection_of(const transposing *x, uint32_t count)
{
    const uint32_t words = count * PIXELS * (x->is_in_two ? 4 : 1);
    const uint32_t bytes = count * PIXELS * CHANNELS;
    return (dwn_sketch){.tiles = 1,
                        .multiplier = x->multiplier > 0 ? x->multiplier : 1 - 0x1p-24f,
                        .high = x->high > 0 ? x->high : 255 - ZERO,
                        .low = -ZERO,
                        .has_bias = x->bias > 0,
                        .input_zero = ZERO,
                        .output_zero = x->zero ? x->zero : ZERO,
                        .weight_zero = x->weight_zero,
                        .reduction = words,
                        .rest = 1,
                        .full_rows = bytes,
                        .last_rows = bytes,
                        .a_base = x->is_in_two ? END + (x->is_by_words ? 100 : 0) : FROM,
                        .b_base = x->base ? x->base : TO,
                        .a = {{words, 1}},
                        .b = {{bytes / 4, 1}}};
}

// A word of each byte, and the same words elsewhere.
static void make_expansion(dwn_maker *m, const transposing *x, uint32_t count)
{
    const uint32_t words = count * PIXELS;
    dwn_make_operation(m, &(dwn_sketch){.tiles = 1,
                                        .mode = 0x30,
                                        .code = 0x328,
                                        .multiplier = 1 - 0x1p-24f,
                                        .high = 255 - ZERO,
                                        .low = -ZERO,
                                        .input_zero = ZERO,
                                        .output_zero = ZERO,
                                        .reduction = 1,
                                        .rest = words,
                                        .full_rows = 16,
                                        .last_rows = 16,
                                        .a_base = FROM,
                                        .b_base = END,
                                        .a = {{words, 1}},
                                        .b = {{4, 1}, {words, 4}}});
    if (x->is_by_words) {
        dwn_make_operation(m,
                           &(dwn_sketch){.tiles = 1,
                                         .mode = 0x30,
                                         .code = x->words_class ? x->words_class : 0x18,
                                         .multiplier = 1,
                                         .high = 0x1p32f,
                                         .low = -0.0f,
                                         .c_base = x->words_base ? x->words_base : PLACE | 0x4000,
                                         .rest = 4 * words,
                                         .a_base = END,
                                         .b_base = END + 100,
                                         .a = {{4 * words, 1}},
                                         .b = {{4 * words, 1}}});
    }
}

static hoist_bytes make_program(dwn_maker *m, const transposing *x, uint32_t count)
{
    const dwn_sketch selection = selection_of(x, count);
    const dwn_sending copied = {.tiles = 1,
                                .base = x->copied ? x->copied : (uint32_t)selection.b_base,
                                .loops = {{count * PIXELS, 1}}};
    dwn_make_begin(m);
    for (uint32_t i = 0; i < 4; i++) {
        dwn_make_fill(m, &(dwn_stored){ALL, false, UINT32_C(1) << 8 * i, 8 + i, {{0}}});
    }
    dwn_make_copy(m, ALL, 8, PLACE);
    for (uint32_t i = 0; i < count; i++) {
        dwn_make_operation(m, &(dwn_sketch){.tiles = 1,
                                            .multiplier = i > 0 ? 0.25f : 0.125f,
                                            .rest = PIXELS,
                                            .b_base = FROM + (int32_t)(i * PIXELS),
                                            .b = {{PIXELS, 1}}});
    }
    if (x->is_in_two) {
        make_expansion(m, x, count);
    }
    dwn_make_operation(m, &selection);
    if (x->overwritten) {
        dwn_make_fill(m, &(dwn_stored){1, false, 0, x->overwritten, {{0}}});
    }
    dwn_make_copy_of(m, &copied);
    return dwn_make_end(m, false);
}

static hoist_bytes ints(hoist_test *t, uint32_t count, int32_t step)
{
    uint8_t *bytes = hoist_arena_alloc(&t->arena, (size_t)count * sizeof(int32_t));
    for (uint32_t i = 0; i < count; i++) {
        hoist_store_u32le(bytes + (size_t)i * sizeof(int32_t), (uint32_t)((int32_t)i * step));
    }
    return (hoist_bytes){bytes, (size_t)count * sizeof(int32_t)};
}

// Pixels of the output on tile 0, one after the other.
static void lay_out(hoist_test *t, dwn_layer *output)
{
    dwn_output_layer *const own = hoist_arena_array(&t->arena, 1, sizeof(*own));
    dwn_output_layout *const layout = hoist_arena_array(&t->arena, 1, sizeof(*layout));
    const uint32_t columns = (uint32_t)output->x_dim;
    *layout = (dwn_output_layout){.y_coordinate_to_linear_tile_id_map = ints(t, 1, 0),
                                  .x_coordinate_to_linear_tile_id_map = ints(t, columns, 0),
                                  .linearized_tile_byte_offset = ints(t, 16, 0),
                                  .x_coordinate_to_local_byte_offset =
                                      ints(t, columns, (output->z_dim + 3) / 4 * 4),
                                  .y_coordinate_to_local_y_offset = ints(t, 1, 0),
                                  .x_coordinate_to_local_y_row_size = ints(t, columns, 0)};
    *own = (dwn_output_layer){.layout = layout};
    output->any_layer = (hoist_fb_union){.type = DWN_LAYER_OUTPUT, .value = own};
}

// The walk after the values, before the selections.
static dwn_walk *walk_of(hoist_test *t, const transposing *x, uint32_t count)
{
    dwn_maker m = {.next_id = 0};
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, make_program(&m, x, count))};
    dwn_walk *w = hoist_arena_array(&t->arena, 1, sizeof(*w));
    dwn_executable *executable = hoist_arena_array(&t->arena, 1, sizeof(*executable));
    dwn_layer *output = hoist_arena_array(&t->arena, 1, sizeof(*output));
    dwn_numerics *numerics = hoist_arena_array(&t->arena, 1, sizeof(*numerics));
    uint8_t *blob = hoist_arena_alloc(&t->arena, (size_t)BLOB * MOST);
    const dwn_extent extent = {1, x->x ? (uint32_t)x->x : count * CHANNELS,
                               x->z ? (uint32_t)x->z : PIXELS};
    dwn_test_border(output, numerics, extent, x->output_zero ? x->output_zero : ZERO);
    lay_out(t, output);
    *executable = (dwn_executable){.output_layers = {output, 1}};
    fill_blob(x, blob, count);
    *w = (dwn_walk){.arena = &t->arena,
                    .scratch = &t->arena,
                    .executable = executable,
                    .owners = hoist_arena_array(&t->arena, MOST, sizeof(*w->owners)),
                    .layers = hoist_arena_array(&t->arena, MOST, sizeof(*w->layers)),
                    .made = hoist_arena_array(&t->arena, MOST, sizeof(*w->made)),
                    .values = hoist_arena_array(&t->arena, MOST, sizeof(*w->values)),
                    .ordered = hoist_arena_array(&t->arena, 1, sizeof(*w->ordered)),
                    .input_count = 1,
                    .layer_count = count};
    w->sources.cached.bytes = (hoist_bytes){blob, (size_t)BLOB * MOST};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w->operations), HOIST_OK);
    for (uint32_t i = 0; i < w->operations.count; i++) {
        w->owners[i] = i < count ? i : DWN_NONE;
        w->operations.items[i].supply = (dwn_supply){.source = DWN_SUPPLY_CACHED};
    }
    for (uint32_t i = 0; i < count; i++) {
        w->layers[i] = (dwn_recovered){.kind = DWN_KIND_CONVOLUTION, .output_layer = DWN_NONE};
        w->made[i] = (dwn_made){.strips = 1, .group = i};
        w->values[1 + i] = (dwn_value){.extent = {1, PIXELS, CHANNELS}, .zero = ZERO, .source = i};
    }
    return w;
}

// Whether all that comes after the values is selections.
static bool take_all(hoist_test *t, dwn_walk *w, const transposing *x, uint32_t count)
{
    bool is_so = true;
    for (uint32_t i = count; i < w->operations.group_count && is_so; i++) {
        const dwn_group *group = &w->operations.groups[i];
        dwn_operation *op = &w->operations.items[group->first];
        op->supply.first = op->supply.last = w->sources.cached.at + x->supplied;
        HOIST_EXPECT_EQ(t, dwn_take_selection(w, group, &is_so), HOIST_OK);
        HOIST_EXPECT_EQ(t, op->selection != NULL, is_so);
    }
    return is_so;
}

HOIST_TEST_TABLE(outputs_are_transposed, rows)
{
    const transposing *x = &row->t;
    const uint32_t count = x->values ? x->values : 1;
    dwn_walk *w = walk_of(t, x, count);
    bool is_made = false;
    HOIST_EXPECT_EQ(t, take_all(t, w, x, count), row->is_selection);
    if (!row->is_selection) {
        return;
    }
    dwn_drain drain = {.tile = x->tile, .copy = 0, .output = x->is_other_output ? 1 : 0};
    w->operations.drains = &drain;
    w->operations.drain_count = 1;
    // The copies of identities come first.
    drain.copy = w->operations.copy_count - 1;
    HOIST_EXPECT_EQ(t, dwn_read_ordered(w, 0), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_take_ordered(w, 0, &is_made), HOIST_OK);
    HOIST_EXPECT_EQ(t, is_made, row->is_made);
    HOIST_EXPECT_EQ(t, w->layer_count, count + (is_made ? count : 0));
    if (!is_made) {
        return;
    }
    const dwn_recovered *l = &w->layers[w->layer_count - 1];
    HOIST_EXPECT_EQ(t, l->kind, DWN_KIND_TRANSPOSE);
    HOIST_EXPECT_EQ(t, l->order, 201);
    HOIST_EXPECT_EQ(t, l->input.c, count * CHANNELS);
    HOIST_EXPECT_EQ(t, l->output.w, x->x ? x->x : (int32_t)(count * CHANNELS));
    HOIST_EXPECT_EQ(t, l->output_layer, 0);
    HOIST_EXPECT_EQ(t, l->inputs[0], count == 1 ? 0 : 2);
    HOIST_EXPECT_EQ(t, l->piece_count, x->is_in_two ? 2 : 1);
    HOIST_EXPECT_EQ(t, l->pieces[0].offset, 0);
    HOIST_EXPECT_EQ(t, w->owners[w->operations.count - 1], w->layer_count - 1);
    HOIST_EXPECT_EQ(t, w->owners[count], w->layer_count - 1);
    HOIST_EXPECT(t, w->made[0].has_reader);
    if (count > 1) {
        const dwn_recovered *join = &w->layers[w->layer_count - 2];
        HOIST_EXPECT(t, join->kind == DWN_KIND_CONCATENATION && !join->is_in_rows);
        HOIST_EXPECT_EQ(t, join->inputs[1], 1);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(outputs_are_transposed))
