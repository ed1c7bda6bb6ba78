// Values whose rows lie after each other: a detector with two heads, of boxes or of scores.
#include <math.h>
#include <string.h>

#include "base/reader.h"
#include "formats/darwinn/recover_testing.h"

enum { ALL = 0xffff, PLACE = 0x207c, SHARE = 192, ROWS = 8, ZERO = 9, MOVES = 3, HEADS = 2 };

// The heads, of 16 and 8 channels, are two rows of eight channels and one; the last of each is
// none.
typedef struct move {
    int32_t from, to;
    uint32_t words;
} move;

typedef struct detector {
    move moves[MOVES];
    bool is_copied;         // to the host; else a logistic function reads it
    uint32_t first, second; // heads in the list, as they are expected
    uint8_t other_zero;     // of the second head; 0: that of the first
    uint32_t weight_at;     // a row of the first head that has one
    int32_t read;           // where it is read
    int64_t loops[2][2];    // how; the counts of the first two loops, and their strides
    int32_t rows, channels; // of the output
    bool is_complete;
} detector;

#define SOUND .read = 300, .loops = {{2, 1}, {3, 2}}, .rows = 3, .channels = 7
#define HEAD_MOVES                                                                                 \
    {                                                                                              \
        {100, 300, 4},                                                                             \
        {                                                                                          \
            200, 304, 2                                                                            \
        }                                                                                          \
    }

// clang-format off
static const struct {
    const char *name;
    detector d;
} detectors[] = {
    {"scores",                  {.moves = HEAD_MOVES, .first = 0, .second = 1, SOUND, .is_complete = true}},
    {"boxes",                   {.moves = HEAD_MOVES, .is_copied = true, .first = 0, .second = 1, SOUND, .is_complete = true}},
    {"the other order",         {.moves = {{100, 302, 4}, {200, 300, 2}}, .first = 1, .second = 0, SOUND, .is_complete = true}},
    {"boxes in the other order", {.moves = {{100, 302, 4}, {200, 300, 2}}, .is_copied = true, .first = 1, .second = 0, SOUND, .is_complete = true}},
    {"in one loop",             {.moves = HEAD_MOVES, .first = 0, .second = 1, .read = 300, .loops = {{6, 1}}, .rows = 3, .channels = 7, .is_complete = true}},
    {"moved in parts",          {.moves = {{100, 300, 1}, {101, 301, 3}, {200, 304, 2}}, .first = 0, .second = 1, SOUND, .is_complete = true}},
    {"a word is missing",       {.moves = {{100, 300, 3}, {200, 304, 2}}, SOUND}},
    {"words exchanged",         {.moves = {{101, 300, 3}, {100, 303, 1}, {200, 304, 2}}, SOUND}},
    {"a box is missing",        {.moves = {{100, 300, 3}, {200, 304, 2}}, .is_copied = true, SOUND}},
    {"one head twice",          {.moves = {{100, 300, 4}, {100, 304, 2}}, SOUND}},
    {"the second is overwritten", {.moves = {{100, 300, 4}, {200, 304, 2}, {100, 305, 1}}, SOUND}},
    {"read elsewhere",          {.moves = HEAD_MOVES, .read = 301, .loops = {{2, 1}, {3, 2}}, .rows = 3, .channels = 7}},
    {"copied from elsewhere",   {.moves = HEAD_MOVES, .is_copied = true, .read = 301, .loops = {{2, 1}, {3, 2}}, .rows = 3, .channels = 7}},
    {"not all is copied",       {.moves = HEAD_MOVES, .is_copied = true, .read = 300, .loops = {{5, 1}}, .rows = 3, .channels = 7}},
    {"every other word",        {.moves = HEAD_MOVES, .is_copied = true, .read = 300, .loops = {{6, 2}}, .rows = 3, .channels = 7}},
    {"another zero point",      {.moves = HEAD_MOVES, .other_zero = 6, SOUND}},
    {"boxes of another zero point", {.moves = HEAD_MOVES, .is_copied = true, .other_zero = 6, SOUND}},
    {"a row that is no padding", {.moves = HEAD_MOVES, .weight_at = 7, SOUND}},
    {"a row of boxes that is no padding", {.moves = HEAD_MOVES, .is_copied = true, .weight_at = 15, SOUND}},
    {"rows of three words",     {.moves = HEAD_MOVES, .is_copied = true, .read = 300, .loops = {{6, 1}}, .rows = 2, .channels = 12}},
    {"fewer rows",              {.moves = HEAD_MOVES, .is_copied = true, .read = 300, .loops = {{6, 1}}, .rows = 2, .channels = 7}},
};
// clang-format on

static void make_heads(dwn_maker *m, dwn_maker *runs, const detector *d)
{
    const uint8_t zero = d->other_zero ? d->other_zero : 5;
    const dwn_sketch heads[HEADS] = {{.tiles = 1,
                                      .reduction = 2,
                                      .rest = 1,
                                      .full_rows = 16,
                                      .last_rows = 16,
                                      .has_bias = true,
                                      .input_zero = 3,
                                      .weight_zero = ZERO,
                                      .output_zero = 5,
                                      .b_base = 100,
                                      .a = {{2, 1}},
                                      .b = {{4, 1}}},
                                     {.tiles = 1,
                                      .reduction = 2,
                                      .rest = 1,
                                      .full_rows = 8,
                                      .last_rows = 8,
                                      .has_bias = true,
                                      .input_zero = 3,
                                      .weight_zero = ZERO,
                                      .output_zero = zero,
                                      .b_base = 200,
                                      .a = {{2, 1}},
                                      .b = {{2, 1}},
                                      .multiplier = 0.25f}};
    const dwn_shared shared = {heads, HEADS, HEADS * SHARE, false};
    for (uint32_t i = 0; i < 4; i++) {
        dwn_make_fill(m, &(dwn_stored){ALL, false, UINT32_C(1) << 8 * i, 8 + i, {{0}}});
    }
    dwn_make_copy(m, ALL, 8, PLACE);
    dwn_make_shared(m, &shared, 0);
    dwn_make_shared(m, &shared, 1);
    dwn_make_runs(runs, &shared);
}

// The weights of both: the last row of each eight is at the zero point.
static void fill_blob(const detector *d, uint8_t *blob)
{
    for (size_t head = 0; head < HEADS; head++) {
        uint8_t *const block = blob + head * SHARE;
        for (uint32_t o = 0; o < 16; o++) {
            const bool is_empty = o % ROWS == ROWS - 1;
            hoist_store_u32le(block + (size_t)o * 4, is_empty ? 0 : 1 + o);
            for (size_t i = 0; i < 8; i++) {
                const size_t at = 64 + i / 4 * 64 + (size_t)o * 4 + i % 4;
                block[at] = is_empty ? ZERO : (uint8_t)(20 + o);
            }
        }
    }
    if (d->weight_at) {
        blob[64 + (size_t)d->weight_at * 4] = 1;
    }
}

static void make_moves(dwn_maker *m, const detector *d)
{
    for (size_t i = 0; i < MOVES && d->moves[i].words; i++) {
        const move *own = &d->moves[i];
        const dwn_sketch sketch = {.tiles = 1,
                                   .mode = 0x30,
                                   .multiplier = 1,
                                   .high = INFINITY,
                                   .low = -INFINITY,
                                   .c_base = PLACE,
                                   .rest = own->words,
                                   .a_base = own->from,
                                   .b_base = own->to,
                                   .a = {{own->words, 1}},
                                   .b = {{own->words, 1}}};
        dwn_make_operation(m, &sketch);
    }
}

static void make_end(dwn_maker *m, const detector *d)
{
    if (d->is_copied) {
        dwn_sending copied = {.tiles = 1, .base = (uint32_t)d->read};
        memcpy(copied.loops, d->loops, sizeof(d->loops));
        dwn_make_copy_of(m, &copied);
        return;
    }
    dwn_sketch logistic = {.tiles = 1,
                           .mode = 0x30,
                           .multiplier = 0.25f,
                           .input_zero = 5,
                           .high = 0x1.4cb208p+3f,
                           .low = -0x1.4cb208p+3f,
                           .rest = 6,
                           .c_base = PLACE,
                           .table = 1,
                           .a_base = d->read,
                           .b_base = d->read};
    memcpy(logistic.a, d->loops, sizeof(d->loops));
    memcpy(logistic.b, d->loops, sizeof(d->loops));
    dwn_make_table(m, ALL, false);
    dwn_make_operation(m, &logistic);
}

static hoist_bytes ints(hoist_test *t, uint32_t count, int32_t step)
{
    uint8_t *bytes = hoist_arena_alloc(&t->arena, (size_t)count * sizeof(int32_t));
    for (uint32_t i = 0; i < count; i++) {
        hoist_store_u32le(bytes + (size_t)i * sizeof(int32_t), (uint32_t)((int32_t)i * step));
    }
    return (hoist_bytes){bytes, (size_t)count * sizeof(int32_t)};
}

// All rows on tile 0, one after the other.
static void lay_out(hoist_test *t, const detector *d, dwn_layer *output)
{
    dwn_output_layer *const own = hoist_arena_array(&t->arena, 1, sizeof(*own));
    dwn_output_layout *const layout = hoist_arena_array(&t->arena, 1, sizeof(*layout));
    const int32_t row = (d->channels + 3) / 4 * 4;
    *layout =
        (dwn_output_layout){.y_coordinate_to_linear_tile_id_map = ints(t, 1, 0),
                            .x_coordinate_to_linear_tile_id_map = ints(t, (uint32_t)d->rows, 0),
                            .linearized_tile_byte_offset = ints(t, 16, 0),
                            .x_coordinate_to_local_byte_offset = ints(t, (uint32_t)d->rows, row),
                            .y_coordinate_to_local_y_offset = ints(t, 1, 0),
                            .x_coordinate_to_local_y_row_size = ints(t, (uint32_t)d->rows, 0)};
    *own = (dwn_output_layer){.layout = layout};
    output->any_layer = (hoist_fb_union){.type = DWN_LAYER_OUTPUT, .value = own};
}

HOIST_TEST_TABLE(heads_become_one, detectors)
{
    const detector *d = &row->d;
    dwn_maker m = {.next_id = 0};
    dwn_maker runs = {.next_id = 0};
    dwn_model model = {0};
    dwn_recovery r;
    uint8_t blob[HEADS * SHARE];
    dwn_make_begin(&m);
    dwn_make_begin(&runs);
    make_heads(&m, &runs, d);
    make_moves(&m, d);
    make_end(&m, d);
    fill_blob(d, blob);
    dwn_test_border(&model.input, &model.numerics[0], (dwn_extent){1, 1, 8}, 3);
    dwn_test_border(&model.output, &model.numerics[1],
                    (dwn_extent){1, (uint32_t)d->rows, (uint32_t)d->channels},
                    d->is_copied ? 5 : 0);
    lay_out(t, d, &model.output);
    dwn_test_model(t, &model, dwn_make_end(&m, false), (hoist_bytes){blob, sizeof(blob)});
    dwn_test_runs(t, &model, dwn_make_end(&runs, false));
    HOIST_EXPECT_EQ(t, dwn_recover(&model.contents, &t->arena, &r), HOIST_OK);
    HOIST_EXPECT_EQ(t, r.gap_count == 0, d->is_complete);
    if (r.gap_count > 0 || !d->is_complete) {
        return;
    }
    const dwn_recovered *joined = &r.layers[2];
    HOIST_EXPECT_EQ(t, r.count, d->is_copied ? 3 : 4);
    HOIST_EXPECT(t, joined->kind == DWN_KIND_CONCATENATION && joined->is_in_rows);
    HOIST_EXPECT_EQ(t, joined->input_count, 2);
    HOIST_EXPECT_EQ(t, joined->inputs[0], d->first);
    HOIST_EXPECT_EQ(t, joined->inputs[1], d->second);
    HOIST_EXPECT_EQ(t, joined->output_layer, d->is_copied ? 0 : DWN_NONE);
    HOIST_EXPECT_EQ(t, joined->output_zero, 5);
    HOIST_EXPECT_EQ(t, joined->output.h, 1);
    HOIST_EXPECT_EQ(t, joined->output.w, 3);
    HOIST_EXPECT_EQ(t, joined->output.c, 7);
    HOIST_EXPECT_EQ(t, r.layers[r.count - 1].output_layer, 0);
    for (uint32_t head = 0; head < HEADS; head++) {
        const dwn_recovered *l = &r.layers[head];
        HOIST_EXPECT_EQ(t, l->rows, head == 0 ? 14 : 7);
        HOIST_EXPECT_EQ(t, l->output.c, l->rows);
        HOIST_EXPECT_EQ(t, l->bias[l->rows - 1], head == 0 ? 15 : 7);
    }
}

// What a group reads: a value of two words and one of a word, of tile 0.
// clang-format off
static const struct {
    const char *name;
    int32_t from;
    uint32_t words, overwritten; // the last: an address where something is stored; 0: nowhere
    uint32_t values[2], count;
    bool is_so;
} reads[] = {
    {"all of both",        100, 3, 0,   {1, 2}, 2, true},
    {"all of the first",   100, 2, 0,   {1},    1, true},
    {"all of the second",  102, 1, 0,   {2},    1, true},
    {"exchanged",          100, 3, 0,   {2, 1}, 2, false},
    {"another one",        100, 2, 0,   {2},    1, false},
    {"one of both",        100, 3, 0,   {1},    1, false},
    {"a word too few",     100, 1, 0,   {1},    1, false},
    {"from the second word on", 101, 2, 0, {1, 2}, 2, false},
    {"a word too many",    100, 4, 0,   {1, 2}, 2, false},
    {"a word is unknown",  100, 3, 101, {1, 2}, 2, false},
};
// clang-format on

HOIST_TEST_TABLE(all_of_values_is_read, reads)
{
    const dwn_sketch sketches[] = {
        {.reduction = 2, .full_rows = 8, .last_rows = 8, .b_base = 100, .b = {{2, 1}}},
        {.multiplier = 0.25f, .b_base = 102},
        {.multiplier = 1, .a_base = row->from, .a = {{row->words, 1}}, .b_base = 900}};
    dwn_maker m = {.next_id = 0};
    uint32_t owners[] = {0, 1, DWN_NONE};
    dwn_value values[] = {{.extent = {1, 1, 4}}, {.extent = {1, 1, 8}}, {.extent = {1, 1, 4}}};
    dwn_recovered layers[] = {{.kind = DWN_KIND_CONVOLUTION}, {.kind = DWN_KIND_CONVOLUTION}};
    dwn_made made[] = {{.strips = 1}, {.strips = 1}};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &sketches[0]);
    dwn_make_operation(&m, &sketches[1]);
    if (row->overwritten) {
        dwn_make_fill(&m, &(dwn_stored){1, false, 0, row->overwritten, {{0}}});
    }
    dwn_make_operation(&m, &sketches[2]);
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    dwn_walk w = {.arena = &t->arena,
                  .scratch = &t->arena,
                  .owners = owners,
                  .values = values,
                  .layers = layers,
                  .made = made,
                  .input_count = 1,
                  .layer_count = 2};
    bool is_so = !row->is_so;
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w.operations), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_reads_all(&w, &w.operations.groups[2], row->values, row->count, &is_so),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, is_so, row->is_so);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(heads_become_one), HOIST_TEST_ROW(all_of_values_is_read))
