// Facts of layers that no second reading agrees with: a model in which all agree, and what is said
// of it when one of them does not.
#include <string.h>

#include "formats/darwinn/recover_testing.h"

// 64 x 64 x 4 -> 3 x 3 -> as much -> 1 x 1 -> as much, on 4 x 4 tiles of 16 x 16 pixels.
enum { WINDOW_BLOCK = 192, POINT_BLOCK = 64, BLOB = WINDOW_BLOCK + POINT_BLOCK, SKETCHES = 4 };

#define LAYOUT                                                                                     \
    {                                                                                              \
        .mode = 0x1c30, .code = 0x0038, .multiplier = 1, .high = __builtin_inff(), .b_base = 1000  \
    }
#define WINDOW                                                                                     \
    {                                                                                              \
        .tiles = 0xffff, .reduction = 9, .rest = 256, .weight_zero = 7, .output_zero = 5,          \
        .a_base = 981, .b_base = 2000, .a = {                                                      \
            {3, 1},                                                                                \
            {3, 18},                                                                               \
            {16, 1},                                                                               \
            {16, 18}                                                                               \
        }                                                                                          \
    }
#define POINT                                                                                      \
    {                                                                                              \
        .tiles = 0xffff, .rest = 256, .weight_zero = 7, .input_zero = 5, .output_zero = 6,         \
        .a_base = 2000, .b_base = 3000, .a = {                                                     \
            {256, 1}                                                                               \
        }                                                                                          \
    }

typedef struct facts { // of the model, for a row to change
    dwn_sketch sketches[SKETCHES];
    size_t count;
    dwn_extent input;
    dwn_extent output;
    uint8_t output_zero;
    uint8_t blob[BLOB];
    uint32_t supplies[SKETCHES]; // bytes where what is taken to an operation begins
    bool is_fed[SKETCHES];       // from the host, not from a tile
    bool has_none[SKETCHES];     // nothing is taken to it
    bool is_unplaced;            // the caching program puts nothing anywhere
} facts;

static facts sound(void)
{
    facts f = {.sketches = {LAYOUT, WINDOW, POINT},
               .count = 3,
               .input = {64, 64, 4},
               .output = {64, 64, 4},
               .output_zero = 6,
               .supplies = {0, 0, WINDOW_BLOCK},
               .has_none = {true}};
    for (size_t i = 0; i < BLOB; i++) {
        f.blob[i] = (uint8_t)(i % 5 + 20);
    }
    return f;
}

// What rows change --------------------------------------------------------------------------------

static void nothing(facts *f)
{
    (void)f;
}

static void other_parameters(facts *f)
{
    f->supplies[1] = POINT_BLOCK;
}

static void exchanged_parameters(facts *f)
{
    f->supplies[1] = WINDOW_BLOCK;
    f->supplies[2] = 0;
}

static void no_parameters(facts *f)
{
    f->has_none[2] = true;
}

static void fed_parameters(facts *f)
{
    f->is_fed[1] = true;
}

static void unplaced_parameters(facts *f)
{
    f->is_unplaced = true;
}

// One row of pixels higher: padding of 2 on top.
static void padding_on_top(facts *f)
{
    f->sketches[1].a_base -= 18;
}

static void padding_on_one_side(facts *f)
{
    f->sketches[1].a_base = 1000 - 18;
}

static void padding_nowhere(facts *f)
{
    f->sketches[1].a_base = 1001;
}

// A window without padding: 62 x 62 pixels, of which the last tiles have 14.
static void no_padding(facts *f)
{
    f->sketches[1].tiles = 0x7777;
    f->sketches[1].a_base = 1000;
    f->sketches[2].tiles = 0x7777;
    f->sketches[2].rest = 256;
}

static void more_pixels(facts *f)
{
    f->sketches[1].rest = 272;
    f->sketches[1].a[3][0] = 17;
    f->input = (dwn_extent){65, 64, 4};
}

static void empty_row(facts *f)
{
    for (size_t i = 3; i < WINDOW_BLOCK / 4; i += 4) {
        memset(f->blob + i * 4, 7, 4); // the last of the four rows of each step
    }
}

// The second layer as well says that there are three channels.
static void three_channels(facts *f)
{
    empty_row(f);
    for (size_t row = 0; row < POINT_BLOCK / 4; row++) {
        f->blob[WINDOW_BLOCK + row * 4 + 3] = 7;
    }
}

static void full_fourth_channel(facts *f)
{
    f->input.c = 3;
}

static void order_of_writing(facts *f)
{
    f->sketches[2].b[0][0] = 256;
    f->sketches[2].b[0][1] = -1;
}

static void unread_output(facts *f)
{
    f->output_zero = 5;
}

static void softmax_of_an_image(facts *f)
{
    f->count = 4;
    f->output_zero = 0;
    f->sketches[2] = (dwn_sketch){.opcode = DWN_OP_MAX};
    f->sketches[3] = (dwn_sketch){.mode = 0x00f0, .multiplier = 0x1p-23f};
    f->has_none[2] = f->has_none[3] = true;
}

// Two units of 4 channels, each with its own number.
static void softmax_of_two_scales(facts *f)
{
    static const dwn_sketch sketches[SKETCHES] = {
        {.opcode = DWN_OP_MAX},
        {.mode = 0x0030, .multiplier = 1, .low = -13.0381F, .high = -0.0F, .has_multipliers = true},
        {.opcode = DWN_OP_SUM},
        {.mode = 0x00f0, .multiplier = 0x1p-23f}};
    memcpy(f->sketches, sketches, sizeof(sketches));
    memset(f->has_none, true, sizeof(f->has_none));
    f->count = SKETCHES;
    f->input = f->output = (dwn_extent){1, 1, 8};
}

// One pixel on each tile: its window lies in the tile without space between rows.
static void window_in_one_loop(facts *f)
{
    f->input = f->output = (dwn_extent){4, 4, 4};
    f->sketches[1].rest = f->sketches[2].rest = 1;
    f->sketches[1].a_base = 1000 - 4;
    memset(f->sketches[1].a, 0, sizeof(f->sketches[1].a));
    memset(f->sketches[2].a, 0, sizeof(f->sketches[2].a));
    f->sketches[1].a[0][0] = 9;
    f->sketches[1].a[0][1] = 1;
}

// The image, and what was made of it, are both what the second layer may read.
// 8 x 8 pixels to one on each of four tiles: 2 x 2, with strides from 4 to 7.
static void one_pixel_of_each_tile(facts *f)
{
    f->input = (dwn_extent){8, 8, 4};
    f->output = (dwn_extent){2, 2, 4};
    for (size_t i = 1; i < 3; i++) {
        f->sketches[i].tiles = 0x33;
        f->sketches[i].rest = 1;
    }
    memset(f->sketches[1].a[2], 0, 2 * sizeof(f->sketches[1].a[2]));
    memset(f->sketches[2].a[0], 0, sizeof(f->sketches[2].a[0]));
}

static void two_values(facts *f)
{
    f->sketches[1].output_zero = 0;
    f->sketches[2].input_zero = 0;
    f->sketches[2].a_base = 4000;
}

static void upsampling(facts *f)
{
    f->sketches[2] = (dwn_sketch){.opcode = DWN_OP_RESIZE, .mode = 0x18b0, .multiplier = 0x1p-14f};
    f->has_none[2] = true;
    f->output = (dwn_extent){128, 128, 4};
    f->output_zero = 5;
}

// A pool of 3 x 3 that steps by one makes as many pixels as it reads, one by its window a ninth.
static void pool_of_small_steps(facts *f)
{
    f->sketches[2] = (dwn_sketch){.tiles = 0xffff,
                                  .mode = 0x1870,
                                  .weight_zero = 5,
                                  .output_zero = 6,
                                  .reduction = 4,
                                  .rest = 256,
                                  .a = {{2, 0}, {2, 0}, {256, 1}}};
    f->has_none[2] = true;
    f->output = (dwn_extent){32, 32, 4};
}

static const struct {
    const char *name;
    void (*change)(facts *f);
    uint32_t layer;
    const char *reason; // NULL: there is no gap
} rows[] = {
    // clang-format off
    {"all agree",                 nothing,              0, NULL},
    {"other parameters",          other_parameters,     0, "no instruction takes these parameters to the layer"},
    {"parameters exchanged",      exchanged_parameters, 0, "no instruction takes these parameters to the layer"},
    {"no parameters",             no_parameters,        1, "no instruction takes these parameters to the layer"},
    {"parameters from the host",  fed_parameters,       0, "parameters of the layer are not where they should be"},
    {"parameters in no tile",     unplaced_parameters,  0, "no instruction takes these parameters to the layer"},
    {"padding of 2 on top",       padding_on_top,       0, "no two readings of the instructions give the same padding"},
    {"padding on one side",       padding_on_one_side,  0, "no two readings of the instructions give the same padding"},
    {"padding that is none",      padding_nowhere,      0, "no two readings of the instructions give the same padding"},
    {"fewer pixels",              no_padding,           0, "the tiles of the layer make less than its output"},
    {"more pixels",               more_pixels,          0, "no value fits as the input of the layer"},
    {"an empty row that is read", empty_row,            0, "the number of last channels that are padding is unknown"},
    {"an empty row and column",   three_channels,       0, NULL},
    {"a channel that is read",    full_fourth_channel,  0, "the number of last channels that are padding is unknown"},
    {"another order",             order_of_writing,     1, "the output is written in an order that no known file has"},
    {"what nobody reads",         unread_output,        1, "no layer was found that reads the output"},
    {"softmax of an image",       softmax_of_an_image,  1, "the numbers of an image over which the softmax goes are unknown"},
    {"softmax of two scales",     softmax_of_two_scales, 0, "the softmax does not have one scale for all numbers"},
    {"a window in one loop",      window_in_one_loop,   0, "height and width of the window are unknown"},
    {"one pixel of each tile",    one_pixel_of_each_tile, 0, "several strides make an output of this size"},
    {"two values that fit",       two_values,           1, "the values that the layer reads are unknown"},
    {"upsampling",                upsampling,           1, "the origin from which upsampling counts pixels is unknown"},
    {"a pool of small steps",     pool_of_small_steps,  1, "the tiles of the layer make more than its output"},
    // clang-format on
};

static void recover(hoist_test *t, const facts *f, dwn_recovery *out)
{
    dwn_maker main = {.next_id = 0};
    dwn_maker runs = {.next_id = 0};
    dwn_model *model = hoist_arena_array(&t->arena, 1, sizeof(*model));
    dwn_make_begin(&main);
    dwn_make_begin(&runs);
    for (size_t i = 0; i < f->count; i++) {
        dwn_make_operation(&main, &f->sketches[i]);
        if (!f->has_none[i]) {
            dwn_make_supply(&main, f->is_fed[i], f->supplies[i]);
        }
        if (!f->has_none[i] && !f->is_unplaced) {
            dwn_make_run(&runs, f->supplies[i]);
        }
    }
    dwn_test_border(&model->input, &model->numerics[0], f->input, 0);
    dwn_test_border(&model->output, &model->numerics[1], f->output, f->output_zero);
    dwn_test_model(t, model, dwn_make_end(&main, false), (hoist_bytes){f->blob, sizeof(f->blob)});
    dwn_test_runs(t, model, dwn_make_end(&runs, false));
    HOIST_EXPECT_EQ(t, dwn_recover(&model->contents, &t->arena, out), HOIST_OK);
}

// The gap with that reason; NULL: there is none.
static const dwn_gap *find_gap(const dwn_recovery *r, const char *reason)
{
    for (uint32_t i = 0; i < r->gap_count; i++) {
        if (strcmp(r->gaps[i].reason, reason) == 0) {
            return &r->gaps[i];
        }
    }
    return NULL;
}

HOIST_TEST_TABLE(one_fact_is_not_proven, rows)
{
    facts f = sound();
    dwn_recovery r;
    row->change(&f);
    recover(t, &f, &r);
    if (!row->reason) {
        HOIST_EXPECT_EQ(t, r.gap_count, 0);
        return;
    }
    const dwn_gap *gap = find_gap(&r, row->reason);
    HOIST_EXPECT(t, gap != NULL);
    if (gap && gap->has_layer) {
        HOIST_EXPECT_EQ(t, gap->layer, row->layer);
        HOIST_EXPECT_EQ(t, gap->words.word, r.layers[row->layer].words[0].word);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(one_fact_is_not_proven))
