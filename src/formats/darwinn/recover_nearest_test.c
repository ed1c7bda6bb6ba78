// Upsampling that repeats pixels, by the words that tiles read.
#include <string.h>

#include "formats/darwinn/recover_layers.h"
#include "formats/darwinn/recover_testing.h"

enum { HALF = 128, AFTER = 130 }; // of 256: half a pixel, and a little more

// Tile 0 makes 2 x 2 pixels of one word, in rows of three from address 104 on: the pixel before the
// first is at 100.
typedef struct repeated {
    uint32_t start[2], step[2]; // of rows and columns
    uint32_t row, pixel;        // bytes from one to the next
    int32_t base;
    int64_t written[2][2]; // loops over what is written
    uint32_t overwritten;  // an address; 0: none
    bool is_blind;
    uint32_t times; // 0: recovery stops
} repeated;

#define TWICE .row = 12, .pixel = 4, .base = 100, .written = {{4, 1}, {4, 4}}
#define STEPS .start = {AFTER, AFTER}, .step = {HALF, HALF}

// clang-format off
static const struct {
    const char *name;
    repeated r;
} models[] = {
    {"twice",                 {STEPS, TWICE, .times = 2}},
    {"three times",           {.start = {172, 172}, .step = {86, 86}, .row = 12, .pixel = 4, .base = 100, .written = {{6, 1}, {6, 6}}, .times = 3}},
    {"other rows",            {.start = {AFTER - HALF, AFTER}, .step = {HALF, HALF}, TWICE}},
    {"other columns",         {.start = {AFTER, AFTER - HALF}, .step = {HALF, HALF}, TWICE}},
    {"a pixel further",       {.start = {HALF - 2, AFTER}, .step = {HALF, HALF}, TWICE}},
    {"smaller steps",         {.start = {AFTER, AFTER}, .step = {HALF, HALF / 2}, TWICE}},
    {"rows further apart",    {STEPS, .row = 16, .pixel = 4, .base = 100, .written = {{4, 1}, {4, 4}}}},
    {"no whole words",        {STEPS, .row = 12, .pixel = 5, .base = 100, .written = {{4, 1}, {4, 4}}}},
    {"another place",         {STEPS, .row = 12, .pixel = 4, .base = 101, .written = {{4, 1}, {4, 4}}}},
    {"nothing is there",      {STEPS, .row = 12, .pixel = 4, .base = 500, .written = {{4, 1}, {4, 4}}}},
    {"fewer pixels",          {STEPS, .row = 12, .pixel = 4, .base = 100, .written = {{4, 1}, {3, 4}}}},
    {"as many as there were", {STEPS, .row = 12, .pixel = 4, .base = 100, .written = {{2, 1}, {2, 2}}}},
    {"the last is overwritten", {STEPS, TWICE, .overwritten = 108}},
    {"the first is overwritten", {STEPS, TWICE, .overwritten = 104}},
    {"something unknown before", {STEPS, TWICE, .is_blind = true}},
};
// clang-format on

static float bits_of(uint32_t start, uint32_t step)
{
    const uint32_t bits = start << 2 | step << 10;
    float value = 0;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

HOIST_TEST_TABLE(pixels_are_repeated, models)
{
    static const uint32_t inputs[] = {DWN_MODEL_INPUT};
    const repeated *r = &row->r;
    const dwn_sketch maker = {.rest = 4, .b_base = 104, .b = {{2, 1}, {2, 3}}};
    dwn_sketch sketch = {.opcode = DWN_OP_RESIZE,
                         .mode = 0x18b0,
                         .multiplier = 1,
                         .high = bits_of(r->start[1], r->step[1]),
                         .low = bits_of(r->start[0], r->step[0]),
                         .output_zero = (uint8_t)r->row,
                         .constant = (int32_t)r->pixel,
                         .a_base = r->base,
                         .b_base = 900};
    dwn_value values[4] = {{.extent = {1, 1, 4}, .zero = 99},
                           {.extent = {2, 2, 4}, .zero = 5, .has_base = true}};
    dwn_recovered layers[3] = {{.kind = DWN_KIND_CONVOLUTION, .inputs = inputs, .input_count = 1}};
    dwn_made made[3] = {{.strips = 1}};
    uint32_t owners[2] = {0, DWN_NONE};
    dwn_walk w = {.arena = &t->arena,
                  .scratch = &t->arena,
                  .owners = owners,
                  .values = values,
                  .layers = layers,
                  .made = made,
                  .input_count = 1,
                  .layer_count = 1,
                  .current = 1,
                  .is_blind = r->is_blind};
    dwn_maker m = {.next_id = 0};
    memcpy(sketch.b, r->written, sizeof(r->written));
    dwn_make_begin(&m);
    dwn_make_operation(&m, &maker);
    if (r->overwritten) {
        dwn_make_fill(&m, &(dwn_stored){1, false, 0, r->overwritten, {{0}}});
    }
    dwn_make_operation(&m, &sketch);
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &w.operations), HOIST_OK);
    HOIST_EXPECT_EQ(t, w.operations.group_count, 2);
    HOIST_EXPECT_EQ(t, w.operations.items[1].kind, DWN_KIND_NEAREST);
    HOIST_EXPECT_EQ(t, dwn_take_nearest(&w, &w.operations.groups[1]), HOIST_OK);
    HOIST_EXPECT_EQ(t, w.stopped == NULL, r->times > 0);
    HOIST_EXPECT_EQ(t, w.layer_count, r->times > 0 ? 2 : 1);
    if (r->times > 0) {
        HOIST_EXPECT_EQ(t, layers[1].kind, DWN_KIND_NEAREST);
        HOIST_EXPECT_EQ(t, layers[1].inputs[0], 0);
        HOIST_EXPECT_EQ(t, layers[1].output.h, 2 * r->times);
        HOIST_EXPECT_EQ(t, layers[1].output.w, 2 * r->times);
        HOIST_EXPECT_EQ(t, layers[1].output.c, 4);
        HOIST_EXPECT_EQ(t, layers[1].output_zero, 5);
        HOIST_EXPECT(t, layers[1].low == -5 && layers[1].high == 250);
    }
}

// Operations of one upsampling have numbers of their own.
HOIST_TEST(tiles_are_one_group)
{
    dwn_maker m = {.next_id = 0};
    dwn_operations all;
    dwn_make_begin(&m);
    for (uint16_t i = 0; i < 3; i++) {
        const dwn_sketch sketch = {.opcode = DWN_OP_RESIZE,
                                   .tiles = (uint16_t)(i < 2 ? 1 << i : 2),
                                   .mode = 0x18b0,
                                   .multiplier = 1,
                                   .high = bits_of(AFTER, HALF + i),
                                   .low = bits_of(AFTER, HALF + i),
                                   .output_zero = (uint8_t)i,
                                   .constant = i};
        dwn_make_operation(&m, &sketch);
    }
    const dwn_chunk chunk = {.stream = dwn_test_stream(t, dwn_make_end(&m, false))};
    HOIST_EXPECT_EQ(t, dwn_operations_of(&chunk, 1, &t->arena, &all), HOIST_OK);
    HOIST_EXPECT_EQ(t, all.group_count, 2);
    HOIST_EXPECT_EQ(t, all.groups[0].count, 2);
    HOIST_EXPECT_EQ(t, all.items[1].resize.step[0], HALF + 1);
    HOIST_EXPECT_EQ(t, all.items[1].resize.start[1], AFTER);
    HOIST_EXPECT_EQ(t, all.items[1].resize.pitch[0], 1);
    HOIST_EXPECT_EQ(t, all.items[1].resize.pitch[1], 1);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(pixels_are_repeated), HOIST_TEST_ROW(tiles_are_one_group))
