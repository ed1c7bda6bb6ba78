// Words of values in the memories of tiles: what tiles make, move, send and overwrite.
#include <math.h>
#include <string.h>

#include "formats/darwinn/recover_testing.h"
#include "formats/darwinn/recover_trace.h"

enum { ALL = 0xffff, PLACE = 0x207c, MOST = 7 };

// What a program does after a layer made the value.
typedef enum what {
    NOTHING = 0,
    MOVES,
    SENDS,
    GETS,
    STORES,
    COPIES, // out of the tiles,
    LOADS,  // and in again,
    BRINGS, // or parameters
    MAKES,  // another layer, of one word on each tile
    MAPS,   // a layer on single numbers
    LAYS,   // out what comes from the host
    FENCES,
} what;

typedef struct action {
    what what;
    uint16_t tiles;
    uint8_t channel;
    int32_t from, to; // of moves; else `from`
    int64_t loops[DWN_MESH_LOOPS][2];
    bool is_passed_on;
    uint32_t waits;
    dwn_cut cut;
    uint32_t got;
} action;

// 8 x 8 x 8, so that each tile has 2 x 2 pixels of two words, from address 100 on.
#define MAKER                                                                                      \
    {                                                                                              \
        .tiles = ALL, .reduction = 2, .rest = 4, .full_rows = 8, .last_rows = 8, .b_base = 100,    \
        .a = {{2, 1}, {4, 2}}, .b = {                                                              \
            {2, 1},                                                                                \
            {4, 2}                                                                                 \
        }                                                                                          \
    }

// Tile 5 gets words from tile 1, and sends them to tile 4 on another channel.
#define CORNER_SENDS(n)                                                                            \
    {                                                                                              \
        SENDS, 0x20, 1, 100, 0, .loops = {{2, 1}}, .is_passed_on = false, (n)                      \
    }
#define CORNER_COMES(n)                                                                            \
    {SENDS, 0x02, 0, 100, 0, .loops = {{2, 1}}, .is_passed_on = false, (n)},                       \
    {                                                                                              \
        GETS, 0x20, 0, 100, 0, .loops = { {2, 1} }                                                 \
    }
#define CORNER(sends, comes)                                                                       \
    CORNER_SENDS(sends), CORNER_COMES(comes),                                                      \
    {                                                                                              \
        GETS, 0x10, 1, 400, 0, .loops = { {2, 1} }                                                 \
    }

// clang-format off
static const struct {
    const char *name;
    action actions[MOST];
    uint32_t tile;
    int64_t at;
    uint32_t value, word; // 1 + the layer; 0: unknown
} traces[] = {
    {"made: the first word",       {{0}}, 0, 100, 1, 0},
    {"made: a second word",        {{0}}, 0, 101, 1, 1},
    {"made: the next pixel",       {{0}}, 0, 102, 1, 2},
    {"made: the next row",         {{0}}, 0, 104, 1, 16},
    {"made: another tile",         {{0}}, 5, 107, 1, (3 * 8 + 3) * 2 + 1},
    {"made: the last tile",        {{0}}, 15, 107, 1, 127},
    {"made: after all",            {{0}}, 0, 108, 0, 0},
    {"made: before all",           {{0}}, 0, 99, 0, 0},
    {"no address",                 {{0}}, 0, -1, 0, 0},
    {"beyond all addresses",       {{0}}, 0, DWN_TRACE_WORDS, 0, 0},
    {"moved",                      {{MOVES, 1, 0, 102, 700, .loops = {{2, 1}}}}, 0, 701, 1, 3},
    {"moved on another tile",      {{MOVES, 2, 0, 102, 700, .loops = {{2, 1}}}}, 0, 701, 0, 0},
    {"moved, and still there",     {{MOVES, 1, 0, 102, 700, .loops = {{2, 1}}}}, 0, 102, 1, 2},
    {"moved over itself",          {{MOVES, 1, 0, 102, 100, .loops = {{4, 1}}}}, 0, 103, 1, 17},
    {"unknown words are moved",    {{MOVES, 1, 0, 500, 100, .loops = {{2, 1}}}}, 0, 101, 0, 0},
    {"on single numbers",          {{MAPS, 1, 0, 100, 600, .loops = {{8, 1}}}}, 0, 604, 2, 16},
    {"other numbers are unknown",  {{MAPS, 1, 0, 500, 600, .loops = {{8, 1}}}}, 0, 604, 0, 0},
    {"overwritten by a layer",     {{MAKES, ALL, 0, 0, 101, .loops = {{0}}}}, 0, 101, 0, 0},
    {"next to what is overwritten", {{MAKES, ALL, 0, 0, 101, .loops = {{0}}}}, 0, 100, 1, 0},
    {"overwritten by a store",     {{STORES, 1, 0, 101, 0, .loops = {{2, 1}}}}, 0, 102, 0, 0},
    {"stored elsewhere",           {{STORES, 2, 0, 101, 0, .loops = {{2, 1}}}}, 0, 102, 1, 2},
    {"down",    {{SENDS, 0x0001, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x0010, 0, 300, 0, .loops = {{2, 1}}}}, 4, 301, 1, 1},
    {"left",    {{SENDS, 0x0002, 1, 100, 0, .loops = {{2, 1}}}, {GETS, 0x0001, 1, 300, 0, .loops = {{2, 1}}}}, 0, 300, 1, 4},
    {"up",      {{SENDS, 0x0010, 2, 100, 0, .loops = {{2, 1}}}, {GETS, 0x0001, 2, 300, 0, .loops = {{2, 1}}}}, 0, 301, 1, 33},
    {"right",   {{SENDS, 0x0001, 3, 100, 0, .loops = {{2, 1}}}, {GETS, 0x0002, 3, 300, 0, .loops = {{2, 1}}}}, 1, 301, 1, 1},
    {"the taker comes first", {{GETS, 0x0010, 0, 300, 0, .loops = {{2, 1}}}, {SENDS, 0x0001, 0, 100, 0, .loops = {{2, 1}}}}, 4, 301, 1, 1},
    {"strides", {{SENDS, 0x0001, 0, 100, 0, .loops = {{2, 1}, {2, 4}}}, {GETS, 0x0010, 0, 300, 0, .loops = {{4, 1}}}}, 4, 302, 1, 16},
    {"two in order", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {SENDS, 1, 0, 104, 0, .loops = {{2, 1}}},
                      {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 400, 0, .loops = {{2, 1}}}}, 4, 400, 1, 16},
    {"passed on", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 900, 0, .loops = {{4, 1}}, .is_passed_on = true}, {GETS, 0x100, 0, 300, 0, .loops = {{2, 1}}}}, 8, 301, 1, 1},
    {"passed on twice", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x110, 0, 900, 0, .loops = {{4, 1}}, .is_passed_on = true}, {GETS, 0x1000, 0, 300, 0, .loops = {{2, 1}}}}, 12, 300, 1, 0},
    {"passed on in one place", {{SENDS, 1, 0, 100, 0, .loops = {{4, 1}}}, {GETS, 0x10, 0, 900, 0, .loops = {{4, 0}}, .is_passed_on = true}, {GETS, 0x100, 0, 300, 0, .loops = {{4, 1}}}}, 8, 303, 1, 3},
    {"the way is overwritten", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 100, 0, .loops = {{4, 1}}, .is_passed_on = true}, {GETS, 0x100, 0, 300, 0, .loops = {{2, 1}}}}, 4, 103, 0, 0},
    {"more packets than are sent", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 900, 0, .loops = {{4, 1}, {2, 0}}, .is_passed_on = true}, {GETS, 0x100, 0, 300, 0, .loops = {{2, 1}}}}, 0, 100, 0, 0},
    {"fewer words than are taken", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 300, 0, .loops = {{3, 1}}}}, 0, 100, 0, 0},
    {"by another channel", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x10, 2, 300, 0, .loops = {{2, 1}}}}, 0, 100, 0, 0},
    {"nobody takes it", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}}, 0, 100, 0, 0},
    {"over the edge",   {{SENDS, 1, 1, 100, 0, .loops = {{2, 1}}}, {GETS, 0x8, 1, 300, 0, .loops = {{2, 1}}}}, 0, 100, 0, 0},
    {"nothing is sent", {{GETS, 1, 0, 100, 0, .loops = {{2, 1}}}}, 0, 101, 0, 0},
    {"a move before it is taken", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {MOVES, 1, 0, 102, 700, .loops = {{1, 1}}}, {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}}, 4, 301, 1, 1},
    {"a move to where it is sent from", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {MOVES, 1, 0, 102, 101, .loops = {{1, 1}}}, {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}}, 4, 301, 0, 0},
    {"a move there on another tile", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {MOVES, 2, 0, 102, 101, .loops = {{1, 1}}}, {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}}, 4, 301, 1, 1},
    {"a fence before it is taken", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {MOVES, 1, 0, 102, 700, .loops = {{1, 1}}}, {.what = FENCES}, {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}}, 4, 301, 0, 0},
    {"a fence before the move", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {.what = FENCES}, {MOVES, 1, 0, 102, 700, .loops = {{1, 1}}}, {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}}, 0, 100, 0, 0},
    {"a move before it is passed on", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 900, 0, .loops = {{4, 1}}, .is_passed_on = true}, {MOVES, 1, 0, 102, 700, .loops = {{1, 1}}}, {GETS, 0x100, 0, 300, 0, .loops = {{2, 1}}}}, 0, 100, 0, 0},
    {"two in order, after a move", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {SENDS, 1, 0, 104, 0, .loops = {{2, 1}}}, {MOVES, 1, 0, 102, 700, .loops = {{1, 1}}},
                      {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 400, 0, .loops = {{2, 1}}}}, 4, 400, 1, 16},
    {"copied out and in", {{COPIES, 1, 0, 102, 0, .loops = {{2, 1}}}, {LOADS, 1, 0, 700, 0, .loops = {{2, 1}}}}, 0, 701, 1, 3},
    {"on each tile", {{COPIES, ALL, 0, 102, 0, .loops = {{2, 1}}}, {LOADS, 2, 0, 700, 0, .loops = {{2, 1}}}}, 1, 701, 1, 7},
    {"in other strides", {{COPIES, 1, 0, 100, 0, .loops = {{2, 1}, {2, 4}}}, {LOADS, 1, 0, 700, 0, .loops = {{4, 2}}}}, 0, 704, 1, 16},
    {"fewer words than go out", {{COPIES, 1, 0, 102, 0, .loops = {{3, 1}}}, {LOADS, 1, 0, 100, 0, .loops = {{2, 1}}}}, 0, 101, 0, 0},
    {"copied in from elsewhere", {{LOADS, 1, 0, 100, 0, .loops = {{2, 1}}}}, 0, 101, 0, 0},
    {"next to what comes in", {{LOADS, 1, 0, 100, 0, .loops = {{2, 1}}}}, 0, 102, 1, 2},
    {"parameters that come in", {{BRINGS, 1, 0, 100, 0, .loops = {{2, 1}}}}, 0, 101, 1, 1},
    {"copied in, then sent", {{COPIES, 1, 0, 104, 0, .loops = {{2, 1}}}, {LOADS, 1, 0, 700, 0, .loops = {{2, 1}}}, {SENDS, 1, 0, 700, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}}, 4, 301, 1, 17},
    {"sent, then copied in", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}, {COPIES, 0x10, 0, 300, 0, .loops = {{2, 1}}}, {LOADS, 0x10, 0, 700, 0, .loops = {{2, 1}}}}, 4, 701, 1, 1},
    {"sent before it comes in", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}}}, {LOADS, 1, 0, 100, 0, .loops = {{2, 1}}}, {GETS, 0x10, 0, 300, 0, .loops = {{2, 1}}}}, 4, 301, 1, 1},
    {"side by side, as they come", {CORNER(0, 0)}, 4, 400, 1, 36},
    {"one waits for the other", {CORNER(1, 0)}, 4, 400, 1, 4},
    {"both wait for as much", {CORNER(1, 1)}, 4, 400, 1, 36},
    {"more is waited for", {CORNER(2, 1)}, 4, 400, 1, 4},
    {"a fence between", {CORNER_SENDS(1), {.what = FENCES}, CORNER_COMES(0), {GETS, 0x10, 1, 400, 0, .loops = {{2, 1}}}}, 4, 400, 1, 36},
    {"what comes after it on its channel", {{SENDS, 0x20, 1, 102, 0, .loops = {{2, 1}}, .is_passed_on = false, 1}, CORNER_SENDS(0), CORNER_COMES(0), {GETS, 0x10, 1, 500, 0, .loops = {{2, 1}}}, {GETS, 0x10, 1, 600, 0, .loops = {{2, 1}}}}, 4, 600, 1, 4},
    {"passed on with its own", {{SENDS, 2, 1, 106, 0, {{2, 1}}, .got = 107}, {SENDS, 4, 1, 100, 0, .loops = {{2, 1}}}, {GETS, 1, 1, 300, 0, .loops = {{2, 1}}}}, 0, 301, 1, 8},
    {"its own, and what it got", {{SENDS, 2, 1, 106, 0, {{2, 1}}, .got = 107}, {SENDS, 4, 1, 100, 0, .loops = {{2, 1}}}, {GETS, 1, 1, 300, 0, .loops = {{2, 1}}}}, 0, 300, 1, 22},
    {"passed on with its own, twice", {{SENDS, 2, 1, 106, 0, {{2, 1}}, .got = 107}, {SENDS, 4, 1, 106, 0, {{2, 1}}, .got = 107}, {SENDS, 8, 1, 100, 0, .loops = {{2, 1}}}, {GETS, 1, 1, 300, 0, .loops = {{2, 1}}}}, 0, 301, 1, 26},
    {"its own never comes", {{SENDS, 2, 1, 106, 0, {{2, 1}}, .got = 107}, {GETS, 1, 1, 300, 0, .loops = {{2, 1}}}}, 0, 100, 0, 0},
    {"fewer words at the end", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}, {2, 2}}, .is_passed_on = false, 0, {1, 1}}, {GETS, 0x10, 0, 100, 0, .loops = {{2, 1}, {2, 2}}, .is_passed_on = false, 0, {1, 1}}}, 4, 103, 1, 35},
    {"the words before the end", {{SENDS, 1, 0, 100, 0, .loops = {{2, 1}, {2, 2}}, .is_passed_on = false, 0, {1, 1}}, {GETS, 0x10, 0, 100, 0, .loops = {{2, 1}, {2, 2}}, .is_passed_on = false, 0, {1, 1}}}, 4, 102, 1, 2},
    {"what the host sends", {{LAYS, 1, 0, 102, 700, .loops = {{2, 1}}}}, 0, 701, 0, 0},
    {"too many steps", {{MOVES, ALL, 0, 500, 600, .loops = {{1 << 17, 0}, {1 << 9, 0}}}}, 0, 100, 0, 0},
};
// clang-format on

static void make_identity(dwn_maker *m)
{
    for (uint32_t i = 0; i < 4; i++) {
        dwn_make_fill(m, &(dwn_stored){ALL, false, UINT32_C(1) << 8 * i, 8 + i, {{0}}});
    }
    dwn_make_copy(m, ALL, 8, PLACE);
}

// Of an operation from the one place to the other.
static dwn_sketch sketch_of(const action *a)
{
    dwn_sketch sketch = {.tiles = a->tiles,
                         .mode = 0x30,
                         .multiplier = 1,
                         .high = INFINITY,
                         .low = -INFINITY,
                         .c_base = PLACE,
                         .a_base = a->from,
                         .b_base = a->to};
    memcpy(sketch.a, a->loops, sizeof(a->loops));
    memcpy(sketch.b, a->loops, sizeof(a->loops));
    sketch.rest = (uint32_t)(a->loops[0][0] * (a->loops[1][0] ? a->loops[1][0] : 1));
    return sketch;
}

static void make_action(dwn_maker *m, const action *a)
{
    dwn_sketch sketch = sketch_of(a);
    dwn_sending own = {.tiles = a->tiles,
                       .channel = a->channel,
                       .base = (uint32_t)a->from,
                       .is_passed_on = a->is_passed_on,
                       .waits = a->waits,
                       .cut = a->cut,
                       .got = a->got};
    memcpy(own.loops, a->loops, sizeof(own.loops));
    switch (a->what) {
    case MAPS:
        sketch.multiplier = 0.25f;
        sketch.high = 255;
        sketch.low = 0;
        dwn_make_operation(m, &sketch);
        break;
    case LAYS:
        sketch.code = 0x28;
        dwn_make_operation(m, &sketch);
        break;
    case FENCES:
        (void)dwn_make_add(m, DWN_OP_FENCE);
        break;
    case MOVES:
        dwn_make_operation(m, &sketch);
        break;
    case MAKES:
        sketch = (dwn_sketch){.tiles = a->tiles, .b_base = a->to, .multiplier = 0.125f};
        dwn_make_operation(m, &sketch);
        break;
    case SENDS:
        dwn_make_sending(m, &own);
        break;
    case GETS:
        dwn_make_getting(m, &own);
        break;
    case STORES:
        dwn_make_fill(m, &(dwn_stored){a->tiles, false, 7, (uint32_t)a->from, {{2, 1}}});
        break;
    case COPIES:
        dwn_make_copy_of(m, &own);
        break;
    case LOADS:
    case BRINGS:
        dwn_make_copy_in(m, 0, &own, a->what == BRINGS);
        break;
    case NOTHING:
        break;
    }
}

// The walk after all layers of a program: the first is 8 x 8 x 8, those on single numbers read it.
static void walk_of(hoist_test *t, dwn_maker *m, dwn_walk *w)
{
    enum { LAYERS = 4 };
    static dwn_value values[LAYERS + 1];
    static dwn_recovered layers[LAYERS];
    static dwn_made made[LAYERS];
    static uint32_t owners[64];
    static const uint32_t first[] = {0};
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(m, false))};
    *w = (dwn_walk){.arena = &t->arena,
                    .scratch = &t->arena,
                    .owners = owners,
                    .values = values,
                    .layers = layers,
                    .made = made,
                    .input_count = 1};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w->operations), HOIST_OK);
    values[0] = (dwn_value){.extent = {2, 2, 4}};
    for (uint32_t i = 0; i < w->operations.count; i++) {
        const dwn_operation *op = &w->operations.items[i];
        const bool is_first = w->layer_count == 0;
        owners[i] = DWN_NONE;
        if (op->kind != DWN_KIND_MOVE) {
            owners[i] = w->layer_count;
            made[w->layer_count] = (dwn_made){.strips = 1, .group = i};
            layers[w->layer_count] =
                (dwn_recovered){.kind = op->kind, .inputs = first, .input_count = 1};
            values[1 + w->layer_count] =
                (dwn_value){.extent = {is_first ? 8 : 1, is_first ? 8 : 1, is_first ? 8 : 4}};
            w->layer_count++;
        }
    }
}

// Of the cases above those in which both ends of a transfer do not fit, as known programs have
// none.
static bool is_misfit(const char *name)
{
    static const char *const names[] = {
        "fewer words than are taken", "more packets than are sent",
        "by another channel",         "nothing is sent",
        "fewer words than go out",    "over the edge",
        "a fence before it is taken", "a move before it is passed on",
    };
    bool is_so = false;
    for (size_t i = 0; i < HOIST_COUNT_OF(names); i++) {
        is_so = is_so || strcmp(name, names[i]) == 0;
    }
    return is_so;
}

HOIST_TEST_TABLE(words_are_followed, traces)
{
    dwn_maker m = {.next_id = 0};
    dwn_walk w;
    const dwn_sketch maker = MAKER;
    dwn_make_begin(&m);
    make_identity(&m);
    dwn_make_operation(&m, &maker);
    for (size_t i = 0; i < MOST; i++) {
        make_action(&m, &row->actions[i]);
    }
    walk_of(t, &m, &w);
    HOIST_EXPECT_EQ(t, dwn_trace_to(&w, w.operations.count), HOIST_OK);
    const dwn_held held = dwn_trace_at(&w, row->tile, row->at);
    HOIST_EXPECT_EQ(t, held.value, row->value ? row->value + 1 : 0);
    HOIST_EXPECT_EQ(t, held.word, row->word);
    HOIST_EXPECT_EQ(t, w.has_misfit, is_misfit(row->name));
    // Again, in memory that has words.
    HOIST_EXPECT_EQ(t, dwn_trace_begin(&w), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_trace_at(&w, row->tile, row->at).value, 0);
    for (uint32_t i = 0; i <= w.operations.count; i++) {
        HOIST_EXPECT_EQ(t, dwn_trace_to(&w, i), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, dwn_trace_at(&w, row->tile, row->at).value, held.value);
}

// How tiles share what a layer makes --------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    dwn_extent extent;
    dwn_sketch sketches[3];
    bool is_dense;
    uint32_t strips;
    uint32_t tile;
    uint32_t word; // of address 0; UINT32_MAX: unknown
} shares[] = {
    {"one tile",        {2, 3, 4}, {{.tiles = 1, .rest = 6, .b = {{6, 1}}}}, false, 1, 0, 0},
    {"3 x 3 tiles",     {3, 3, 4}, {{.tiles = 0x0777, .rest = 1}}, false, 1, 10, 8},
    {"every other",     {2, 2, 4}, {{.tiles = 0x0505, .rest = 1}}, false, 1, 10, 3},
    {"two widths",      {1, 5, 4}, {{.tiles = 1, .rest = 2, .b = {{2, 1}}}, {.tiles = 0xe, .rest = 1}}, false, 1, 2, 3},
    {"two heights",     {5, 1, 4}, {{.tiles = 1, .rest = 2, .b = {{2, 1}}}, {.tiles = 0x1110, .rest = 1}}, false, 1, 8, 3},
    {"more than there is",   {1, 4, 4}, {{.tiles = 1, .rest = 2, .b = {{2, 1}}}, {.tiles = 0xe, .rest = 1}}, false, 1, 2, UINT32_MAX},
    {"less than there is",   {1, 6, 4}, {{.tiles = 1, .rest = 2, .b = {{2, 1}}}, {.tiles = 0xe, .rest = 1}}, false, 1, 2, UINT32_MAX},
    {"no rectangle",    {2, 2, 4}, {{.tiles = 0x0007, .rest = 1}, {.tiles = 0x0010, .rest = 1}}, false, 1, 0, UINT32_MAX},
    {"no rectangle of the same sums", {2, 2, 4}, {{.tiles = 1, .rest = 2, .b = {{2, 1}}}, {.tiles = 0x20, .rest = 2, .b = {{2, 1}}}}, false, 1, 0, UINT32_MAX},
    {"strips",          {1, 4, 4}, {{.tiles = 0xf, .rest = 1}}, false, 2, 2, UINT32_MAX},
    {"another order",   {2, 2, 8}, {{.tiles = 1, .rest = 8, .b = {{4, 2}, {2, 1}, {1, 1}}}}, false, 1, 0, 0},
    {"rows before columns", {2, 2, 4}, {{.tiles = 1, .rest = 4, .b = {{2, 2}, {2, 1}}}}, false, 1, 0, UINT32_MAX},
    {"channels of tiles", {1, 1, 40}, {{.tiles = 3, .rest = 1, .full_rows = 16, .last_rows = 16, .b = {{4, 1}}}, {.tiles = 4, .rest = 1, .full_rows = 8, .last_rows = 8, .b = {{2, 1}}}}, true, 1, 2, 8},
    {"groups of channels", {1, 1, 28}, {{.tiles = 1, .rest = 2, .full_rows = 8, .last_rows = 4, .b = {{4, 1}}}, {.tiles = 2, .rest = 2, .full_rows = 8, .last_rows = 8, .b = {{4, 1}}}}, true, 1, 1, 3},
    {"channels are missing", {1, 1, 44}, {{.tiles = 3, .rest = 1, .full_rows = 16, .last_rows = 16, .b = {{4, 1}}}, {.tiles = 4, .rest = 1, .full_rows = 8, .last_rows = 8, .b = {{2, 1}}}}, true, 1, 2, UINT32_MAX},
};
// clang-format on

HOIST_TEST_TABLE(tiles_share, shares)
{
    dwn_maker m = {.next_id = 0};
    dwn_walk w;
    dwn_make_begin(&m);
    for (size_t i = 0; i < 3 && row->sketches[i].tiles; i++) {
        dwn_make_operation(&m, &row->sketches[i]);
    }
    walk_of(t, &m, &w);
    HOIST_EXPECT_EQ(t, w.operations.group_count, 1);
    for (uint32_t i = 0; i < w.operations.count; i++) {
        w.owners[i] = 0;
    }
    w.values[1].extent = row->extent;
    w.made[0].strips = row->strips;
    w.layers[0].kind = row->is_dense ? DWN_KIND_DENSE : DWN_KIND_CONVOLUTION;
    HOIST_EXPECT_EQ(t, dwn_trace_to(&w, w.operations.count), HOIST_OK);
    const dwn_held held = dwn_trace_at(&w, row->tile, 0);
    HOIST_EXPECT_EQ(t, held.value, row->word == UINT32_MAX ? 0 : 2);
    HOIST_EXPECT_EQ(t, held.word, row->word == UINT32_MAX ? 0 : row->word);
}

// A multiplication makes the channels of a word in words of their own, and a move puts them
// together.
// clang-format off
static const struct {
    const char *name;
    int32_t from;      // where the move reads
    uint32_t read;     // words
    uint16_t mode;     // of the move
    dwn_layer_kind kind;
    uint32_t word;     // of the second word that it writes; UINT32_MAX: unknown
} products[] = {
    {"put together",          200, 16, 0x1c30, DWN_KIND_MULTIPLY, 1},
    {"from another place",    201, 16, 0x1c30, DWN_KIND_MULTIPLY, UINT32_MAX},
    {"fewer words",           200, 8,  0x1c30, DWN_KIND_MULTIPLY, UINT32_MAX},
    {"a move of another kind", 200, 16, 0x30,  DWN_KIND_MULTIPLY, UINT32_MAX},
    {"of no product",         200, 16, 0x1c30, DWN_KIND_ADD,      UINT32_MAX},
};
// clang-format on

HOIST_TEST_TABLE(products_are_put_together, products)
{
    const dwn_sketch product = {.rest = 16, .b_base = 200, .b = {{16, 1}}};
    const dwn_sketch move = {.mode = row->mode,
                             .multiplier = 1,
                             .high = INFINITY,
                             .low = -INFINITY,
                             .rest = 4,
                             .a_base = row->from,
                             .b_base = 300,
                             .a = {{row->read, 1}},
                             .b = {{4, 1}}};
    dwn_maker m = {.next_id = 0};
    dwn_walk w;
    dwn_make_begin(&m);
    dwn_make_operation(&m, &product);
    dwn_make_operation(&m, &move);
    walk_of(t, &m, &w);
    w.values[1].extent = (dwn_extent){2, 2, 4};
    w.layers[0].kind = row->kind;
    HOIST_EXPECT_EQ(t, dwn_trace_to(&w, w.operations.count), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_trace_at(&w, 0, 301).value, row->word == UINT32_MAX ? 0 : 2);
    HOIST_EXPECT_EQ(t, dwn_trace_at(&w, 0, 301).word, row->word == UINT32_MAX ? 0 : row->word);
}

// Inputs of the model, of which the tiles lay out rows in one group or two.
// clang-format off
static const struct {
    const char *name;
    dwn_extent inputs[2];
    dwn_sketch moves[3];
    uint32_t tile;
    int64_t at;
    uint32_t value, word; // 1 + the input; 0: unknown
    uint32_t sent[4];     // 1 + the input that is sent before each operation, and after the last
} layouts[] = {
#define LAY(t, n, to) {.tiles = (t), .mode = 0x30, .code = 0x28, .multiplier = 1, .high = INFINITY, .low = -INFINITY, .rest = (n), .a_base = 900, .b_base = (to), .a = {{(n), 1}}, .b = {{(n), 1}}}
#define OTHER_LAY(t, n, to) {.tiles = (t), .mode = 0x30, .code = 0x38, .multiplier = 1, .high = INFINITY, .low = -INFINITY, .rest = (n), .a_base = 900, .b_base = (to), .a = {{(n), 1}}, .b = {{(n), 1}}}
#define BYTES(c, n, to) {.tiles = 1, .mode = 0x1c30, .code = 0x38, .multiplier = 1, .high = INFINITY, .low = -INFINITY, .reduction = (c), .rest = (n), .a_base = 900, .b_base = (to), .a = {{(c), 0}, {(n), 1}}, .b = {{(n), 1}}}
    {"all at once",           {{1, 4, 4}, {9, 9, 4}}, {LAY(1, 4, 50)}, 0, 53, 1, 3, {0}},
    {"the second input",      {{9, 9, 4}, {1, 4, 4}}, {LAY(1, 4, 50)}, 0, 53, 2, 3, {0}},
    {"row after row",         {{2, 2, 4}, {9, 9, 4}}, {LAY(1, 2, 50), LAY(1, 2, 60)}, 0, 61, 1, 3, {0}},
    {"row after row, the first", {{2, 2, 4}, {9, 9, 4}}, {LAY(1, 2, 50), LAY(1, 2, 60)}, 0, 51, 1, 1, {0}},
    {"on two tiles",          {{1, 4, 4}, {9, 9, 4}}, {LAY(3, 2, 50)}, 1, 50, 1, 2, {0}},
    {"either of two",         {{1, 4, 4}, {1, 4, 4}}, {LAY(1, 4, 50)}, 0, 53, 0, 0, {0}},
    {"the one that is sent",  {{1, 4, 4}, {1, 4, 4}}, {LAY(1, 4, 50)}, 0, 53, 2, 3, {0, 2}},
    {"sent before",           {{1, 4, 4}, {1, 4, 4}}, {LAY(1, 4, 50)}, 0, 53, 1, 3, {1}},
    {"both are sent",         {{1, 4, 4}, {1, 4, 4}}, {LAY(1, 4, 50)}, 0, 53, 0, 0, {1, 2}},
    {"unknown is what is sent", {{1, 4, 4}, {1, 4, 4}}, {LAY(1, 4, 50)}, 0, 53, 0, 0, {1, UINT32_MAX}},
    {"one after the other",   {{1, 4, 4}, {1, 4, 4}}, {LAY(1, 4, 50), OTHER_LAY(1, 4, 60)}, 0, 53, 2, 3, {0, 2, 1}},
    {"the other",             {{1, 4, 4}, {1, 4, 4}}, {LAY(1, 4, 50), OTHER_LAY(1, 4, 60)}, 0, 63, 1, 3, {0, 2, 1}},
    {"the same again",        {{1, 4, 4}, {1, 4, 4}}, {LAY(1, 4, 50), OTHER_LAY(1, 4, 60)}, 0, 63, 0, 0, {0, 2}},
    {"by its channels",       {{1, 4, 3}, {1, 4, 2}}, {BYTES(2, 4, 50)}, 0, 53, 2, 3, {0}},
    {"by other channels",     {{1, 4, 3}, {1, 4, 2}}, {BYTES(1, 4, 50)}, 0, 53, 0, 0, {0, 2}},
    {"neither",               {{1, 5, 4}, {9, 9, 4}}, {LAY(1, 4, 50)}, 0, 53, 0, 0, {0}},
    {"too many groups",       {{1, 5, 4}, {9, 9, 4}}, {LAY(1, 1, 50), LAY(1, 1, 51), LAY(1, 1, 52)}, 0, 50, 0, 0, {0}},
};
// clang-format on

HOIST_TEST_TABLE(inputs_are_laid_out, layouts)
{
    dwn_maker m = {.next_id = 0};
    dwn_walk w;
    dwn_value values[2] = {{.extent = row->inputs[0]}, {.extent = row->inputs[1]}};
    dwn_make_begin(&m);
    for (size_t i = 0; i < 3 && row->moves[i].tiles; i++) {
        dwn_make_operation(&m, &row->moves[i]);
    }
    walk_of(t, &m, &w);
    w.values = values;
    w.input_count = 2;
    dwn_receipt receipts[4];
    w.receipts = receipts;
    for (uint32_t i = 0; i <= w.operations.count; i++) {
        // Right before the operation, or behind the last one.
        const dwn_words at = i < w.operations.count ? w.operations.items[i].at
                             : i > 0                ? w.operations.items[i - 1].at
                                                    : (dwn_words){0};
        if (row->sent[i] > 0) {
            receipts[w.receipt_count++] =
                (dwn_receipt){{at.chunk, at.word + (i < w.operations.count ? -1u : 1u), 1},
                              row->sent[i] - 1 == UINT32_MAX - 1 ? DWN_NONE : row->sent[i] - 1};
        }
    }
    HOIST_EXPECT_EQ(t, dwn_trace_to(&w, w.operations.count), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_trace_at(&w, row->tile, row->at).value, row->value);
    HOIST_EXPECT_EQ(t, dwn_trace_at(&w, row->tile, row->at).word, row->word);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(words_are_followed), HOIST_TEST_ROW(tiles_share),
                HOIST_TEST_ROW(products_are_put_together), HOIST_TEST_ROW(inputs_are_laid_out))
