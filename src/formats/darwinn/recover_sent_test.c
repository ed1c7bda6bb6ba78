// What is sent for an output: tiles that the ring is drained of, to the host or to the scalar core,
// and the layers whose words they copied.
#include <string.h>

#include "formats/darwinn/recover_testing.h"

enum { WORDS = 16, WIDE = 0x2074, UNIT = 4, TILES = 2, FIRST = 100, SECOND = 200, MOST = 4 };
enum { HALF = WORDS / 2 };

typedef struct sending {
    uint32_t from[TILES]; // where tiles copy from
    uint32_t to;          // 0: where the ring takes it from
    uint32_t sizes[2];    // of transfers of output 0, and of another one or of scratch
    bool is_to_core;      // words go to the scalar core, and the transfers come afterwards
    bool is_scratch;      // the second transfer
    bool is_second_first;
    bool is_computed;   // the scalar core computes something in between
    uint16_t producers; // tiles of the first; 0: one
    bool is_late;       // all drains come after all that tiles send
    bool is_torn;       // something else is in between
    bool is_joined;     // half of the words are the second layer's
} sending;

// clang-format off
static const struct {
    const char *name;
    sending s;
    uint32_t value; // 1 and 2 are the layers'
    dwn_written expected;
} sendings[] = {
    {"of the first",           {.from = {FIRST, FIRST}, .sizes = {128}}, 1, DWN_WRITTEN_SO},
    {"of the second",          {.from = {SECOND, SECOND}, .sizes = {128}}, 2, DWN_WRITTEN_SO},
    {"of another",             {.from = {SECOND, SECOND}, .sizes = {128}}, 1, DWN_WRITTEN_NOT_SO},
    {"one tile of another",    {.from = {FIRST, SECOND}, .sizes = {128}}, 1, DWN_WRITTEN_NOT_SO},
    {"two words beyond", {.from = {FIRST + 2, FIRST}, .sizes = {128}}, 1, DWN_WRITTEN_UNKNOWN},
    {"one word beyond",        {.from = {FIRST + 1, FIRST}, .sizes = {128}}, 1, DWN_WRITTEN_SO},
    {"of nothing",             {.from = {400, FIRST}, .sizes = {128}}, 1, DWN_WRITTEN_UNKNOWN},
    {"of more bytes",          {.from = {SECOND, SECOND}, .sizes = {136}}, 1, DWN_WRITTEN_UNKNOWN},
    {"of fewer bytes",         {.from = {FIRST, FIRST}, .sizes = {120}}, 1, DWN_WRITTEN_UNKNOWN},
    {"in two transfers",       {.from = {FIRST, FIRST}, .sizes = {128, 0}}, 1, DWN_WRITTEN_SO},
    {"scratch comes last",     {.from = {FIRST, FIRST}, .sizes = {128, 128}, .is_scratch = true}, 1, DWN_WRITTEN_UNKNOWN},
    {"scratch comes first",    {.from = {FIRST, FIRST}, .sizes = {128, 128}, .is_scratch = true, .is_second_first = true}, 1, DWN_WRITTEN_SO},
    {"another output",         {.from = {FIRST, FIRST}, .sizes = {128, 128}}, 1, DWN_WRITTEN_UNKNOWN},
    {"another output before",  {.from = {FIRST, FIRST}, .sizes = {128, 128}, .is_second_first = true}, 1, DWN_WRITTEN_SO},
    {"copied to elsewhere",    {.from = {FIRST, FIRST}, .to = WIDE + UNIT, .sizes = {128}}, 1, DWN_WRITTEN_UNKNOWN},
    {"of both tiles at once",  {.from = {FIRST, FIRST}, .sizes = {128}, .producers = 3}, 1, DWN_WRITTEN_UNKNOWN},
    {"to the core",            {.from = {FIRST, FIRST}, .sizes = {128}, .is_to_core = true}, 1, DWN_WRITTEN_SO},
    {"drained at the end",     {.from = {FIRST, FIRST}, .sizes = {128}, .is_late = true}, 1, DWN_WRITTEN_SO},
    {"drained at the end, of another", {.from = {FIRST, SECOND}, .sizes = {128}, .is_late = true}, 1, DWN_WRITTEN_NOT_SO},
    {"drained at the end, too many", {.from = {FIRST, FIRST}, .sizes = {192}, .is_late = true}, 1, DWN_WRITTEN_UNKNOWN},
    {"drained after something else", {.from = {FIRST, FIRST}, .sizes = {128}, .is_late = true, .is_torn = true}, 1, DWN_WRITTEN_UNKNOWN},
    {"to the core, of another", {.from = {FIRST, SECOND}, .sizes = {128}, .is_to_core = true}, 1, DWN_WRITTEN_NOT_SO},
    {"to the core, for another output", {.from = {FIRST, FIRST}, .sizes = {128, 128}, .is_to_core = true, .is_second_first = true}, 1, DWN_WRITTEN_UNKNOWN},
    {"the core computes",      {.from = {FIRST, FIRST}, .sizes = {128}, .is_to_core = true, .is_computed = true}, 1, DWN_WRITTEN_NOT_SO},
    {"what the core computes", {.from = {FIRST, FIRST}, .sizes = {128}, .is_to_core = true, .is_computed = true}, 3, DWN_WRITTEN_SO},
};
// clang-format on

static void make_drain(dwn_maker *m, bool is_to_core)
{
    enum { TO_HOST = 128 + 100 };
    dwn_bits_store(dwn_make_add(m, DWN_OP_DRAIN), TO_HOST, 1, !is_to_core);
}

static void make_producer(dwn_maker *m, uint16_t tiles)
{
    const hoist_mut_bytes x = dwn_make_add(m, DWN_OP_RING_PRODUCER);
    dwn_make_set(x, &dwn_mover_rows[DWN_HEADER_TILES], 0, tiles);
    dwn_make_set(x, &dwn_mover_rows[DWN_MOVER_ADDRESS], 0, WIDE / UNIT);
}

static void make_program(dwn_maker *m, const sending *s)
{
    dwn_make_begin(m);
    dwn_make_operation(m, &(dwn_sketch){.tiles = 3, .rest = WORDS, .b_base = FIRST});
    dwn_make_operation(m, &(dwn_sketch){.tiles = 3, .rest = WORDS, .b_base = SECOND, .low = -1});
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const hoist_mut_bytes x = dwn_make_add(m, DWN_OP_COPY_OUT);
        dwn_make_set(x, &dwn_copy_rows[DWN_HEADER_TILES], 0, 1u << tile);
        dwn_make_set(x, &dwn_copy_rows[DWN_COPY_ADDRESS], 0, s->from[tile]);
        dwn_make_set(x, &dwn_copy_rows[DWN_COPY_INCREMENT], 0, 1);
        dwn_make_set(x, &dwn_copy_rows[DWN_COPY_COUNT], 0, (s->is_joined ? HALF : WORDS) - 1);
        if (s->is_joined) {
            dwn_make_set(x, &dwn_copy_rows[DWN_COPY_COUNT], 1, 1);
            dwn_make_set(x, &dwn_copy_rows[DWN_COPY_INCREMENT], 1, SECOND - FIRST - (HALF - 1));
        }
        dwn_make_set(x, &dwn_copy_rows[DWN_COPY_WIDE], 0, s->to ? s->to : WIDE);
    }
    for (uint32_t tile = 0; tile < TILES; tile++) {
        const uint16_t tiles = (uint16_t)(tile == 0 && s->producers ? s->producers : 1u << tile);
        if (!s->is_to_core && !s->is_late) {
            make_drain(m, false);
        }
        make_producer(m, tiles);
        if (s->is_to_core) {
            (void)dwn_make_add(m, DWN_OP_SCALAR_FENCE);
            make_drain(m, true);
        }
    }
    for (uint32_t tile = 0; tile < TILES && s->is_late; tile++) {
        if (tile == 0 && s->is_torn) {
            (void)dwn_make_add(m, DWN_OP_FENCE);
        }
        dwn_make_bundle(m, &(dwn_bundle){.alu = 1});
        make_drain(m, false);
    }
    if (s->is_computed) {
        dwn_make_bundle(m, &(dwn_bundle){.alu = 0x14}); // floats
    }
}

// The walk after the layers of a program, and what is known of its output.
static dwn_walk *walk_of(hoist_test *t, const sending *s)
{
    enum { LAYERS = 3, OUTPUTS = 2 };
    static const uint32_t of_operations[MOST] = {0, 1, 2, DWN_NONE};
    dwn_layer *outputs = hoist_arena_array(&t->arena, OUTPUTS, sizeof(*outputs));
    dwn_executable *executable = hoist_arena_array(&t->arena, 1, sizeof(*executable));
    dwn_walk *w = hoist_arena_array(&t->arena, 1, sizeof(*w));
    outputs[0].name = HOIST_STR("y");
    outputs[1].name = HOIST_STR("z");
    executable->output_layers.items = outputs;
    executable->output_layers.count = OUTPUTS;
    const dwn_transfer first = {.word = s->is_to_core ? DWN_TEST_WORDS : 1,
                                .tag = DWN_TAG_OUTPUT,
                                .desc = DWN_DESC_OUTPUT,
                                .name = HOIST_STR("y"),
                                .size = s->sizes[0],
                                .is_known = true};
    dwn_transfer second = first;
    second.name = HOIST_STR("z");
    second.desc = s->is_scratch ? DWN_DESC_SCRATCH : DWN_DESC_OUTPUT;
    second.size = s->sizes[1];
    const uint32_t count = s->sizes[1] > 0 ? 2 : 1;
    const bool is_exchanged = count == 2 && s->is_second_first;
    const dwn_transfer transfers[] = {is_exchanged ? second : first, is_exchanged ? first : second};
    const dwn_program_run run = {.transfers = transfers, .transfer_count = count};
    dwn_maker m = {.next_id = 0};
    make_program(&m, s);
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    *w = (dwn_walk){.arena = &t->arena,
                    .scratch = &t->arena,
                    .executable = executable,
                    .owners = hoist_arena_array(&t->arena, MOST, sizeof(*w->owners)),
                    .layers = hoist_arena_array(&t->arena, LAYERS, sizeof(*w->layers)),
                    .made = hoist_arena_array(&t->arena, LAYERS, sizeof(*w->made)),
                    .values = hoist_arena_array(&t->arena, MOST, sizeof(*w->values)),
                    .sent = hoist_arena_array(&t->arena, OUTPUTS, sizeof(*w->sent)),
                    .ordered = hoist_arena_array(&t->arena, OUTPUTS, sizeof(*w->ordered)),
                    .input_count = 1,
                    .layer_count = LAYERS};
    memcpy(w->owners, of_operations, sizeof(of_operations));
    for (size_t i = 0; i < LAYERS; i++) {
        w->layers[i].kind = DWN_KIND_CONVOLUTION;
        w->made[i].strips = 1;
    }
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w->operations), HOIST_OK);
    dwn_set_drains(w, &run);
    HOIST_EXPECT_EQ(t, dwn_see_outputs(w), HOIST_OK);
    return w;
}

HOIST_TEST_TABLE(what_is_sent, sendings)
{
    dwn_walk *w = walk_of(t, &row->s);
    HOIST_EXPECT_EQ(t, dwn_is_sent(w, 0, &row->value, 1), row->expected);
    const uint32_t both[] = {1, 2};
    const bool is_either = row->expected != DWN_WRITTEN_UNKNOWN && !row->s.is_computed;
    HOIST_EXPECT(t, !is_either || dwn_is_sent(w, 0, both, 2) == DWN_WRITTEN_SO);
}

// Pixels of 16 words, half of them of either layer.
// clang-format off
static const struct {
    const char *name;
    sending s;
    uint32_t values[2], channels[2];
    dwn_written expected;
} joined[] = {
    {"in order",        {.from = {FIRST, FIRST}, .sizes = {128}, .is_joined = true}, {1, 2}, {32, 32}, DWN_WRITTEN_SO},
    {"exchanged",       {.from = {FIRST, FIRST}, .sizes = {128}, .is_joined = true}, {2, 1}, {32, 32}, DWN_WRITTEN_NOT_SO},
    {"of one",          {.from = {FIRST, FIRST}, .sizes = {128}}, {1, 2}, {32, 32}, DWN_WRITTEN_NOT_SO},
    {"other shares",    {.from = {FIRST, FIRST}, .sizes = {128}, .is_joined = true}, {1, 2}, {16, 48}, DWN_WRITTEN_NOT_SO},
    {"fewer channels at the end", {.from = {FIRST, FIRST}, .sizes = {128}, .is_joined = true}, {1, 2}, {32, 30}, DWN_WRITTEN_SO},
    {"channels between", {.from = {FIRST, FIRST}, .sizes = {128}, .is_joined = true}, {1, 2}, {30, 32}, DWN_WRITTEN_NOT_SO},
    {"other pixels",    {.from = {FIRST, FIRST}, .sizes = {128}, .is_joined = true}, {1, 2}, {32, 16}, DWN_WRITTEN_UNKNOWN},
    {"more than is sent", {.from = {FIRST, FIRST}, .sizes = {128}, .is_joined = true}, {1, 2}, {32, 64}, DWN_WRITTEN_UNKNOWN},
    {"of nothing known", {.from = {400, 400}, .sizes = {128}, .is_joined = true}, {1, 2}, {32, 32}, DWN_WRITTEN_UNKNOWN},
    {"one tile exchanged", {.from = {FIRST, SECOND}, .sizes = {128}, .is_joined = true}, {1, 2}, {32, 32}, DWN_WRITTEN_NOT_SO},
    {"sent to another place", {.from = {FIRST, FIRST}, .to = WIDE + UNIT, .sizes = {128}, .is_joined = true}, {1, 2}, {32, 32}, DWN_WRITTEN_UNKNOWN},
};
// clang-format on

HOIST_TEST_TABLE(values_are_sent_in_order, joined)
{
    dwn_walk *w = walk_of(t, &row->s);
    dwn_written written = DWN_WRITTEN_UNKNOWN;
    w->values[row->values[0]].extent = (dwn_extent){1, 2, row->channels[0]};
    w->values[row->values[1]].extent = (dwn_extent){1, 2, row->channels[1]};
    HOIST_EXPECT_EQ(t, dwn_are_sent_so(w, 0, row->values, 2, &written), HOIST_OK);
    HOIST_EXPECT_EQ(t, written, row->expected);
    HOIST_EXPECT_EQ(t, dwn_are_sent_so(w, 1, row->values, 2, &written), HOIST_OK);
    HOIST_EXPECT(t, written != DWN_WRITTEN_SO);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(what_is_sent), HOIST_TEST_ROW(values_are_sent_in_order))
