// Boxes of layers: every element once, where formats/darwinn/relayout.h has it.
#include <string.h>

#include "base/reader.h"
#include "formats/darwinn/package_testing.h"
#include "lower/darwinn/bench_testing.h"

// Layers of synthetic packages --------------------------------------------------------------------

static const struct {
    const char *name;
    dwn_kind kind;
    dwn_change changes[4];
    uint32_t layer; // of the outputs
    uint32_t boxes;
    int64_t reach;
} sound[] = {
    {"the schema's example", DWN_PLAIN, {{0}}, 0, 4, 640},
    {"the same as slices", DWN_SLICES, {{0}}, 0, 4, 640},
    {"one pixel", DWN_PLAIN, {{0}}, 1, 1, 10},
    {"executed twice", DWN_REPEATED, {{0}}, 0, 4, 1280},
    {"one pixel, executed twice", DWN_REPEATED, {{0}}, 1, 1, 26},
    {"elements of two bytes",
     DWN_PLAIN,
     {{"executables/0/output_layers/0/data_type", DWN_FIXED_POINT16, NULL},
      {"executables/0/output_layers/0/size_bytes", 1280, NULL}},
     0,
     4,
     1280},
    {"slices of two bytes",
     DWN_SLICES,
     {{"executables/0/output_layers/0/data_type", DWN_FIXED_POINT16, NULL},
      {"executables/0/output_layers/0/size_bytes", 1344, NULL},
      {"executables/0/output_layers/0/any_layer/shape_info/slice_offset/3", 1026, NULL}},
     0,
     4,
     1282},
    {"a slice is missing",
     DWN_SLICES,
     {{"executables/0/output_layers/0/any_layer/shape_info/slice_layout", 3, NULL},
      {"executables/0/output_layers/0/any_layer/shape_info/slice_offset", 12, NULL}},
     0,
     3,
     512},
};

static dwn_layer *layer_of(hoist_test *t, dwn_kind kind, const dwn_change *changes, uint32_t layer)
{
    dwn_draft draft = dwn_draft_of(t, kind);
    for (size_t i = 0; changes && changes[i].path; i++) {
        dwn_draft_set(&draft, changes[i].path, changes[i].value);
    }
    return &draft.executables[0]->output_layers.items[layer];
}

HOIST_TEST_TABLE(boxes_of_layers, sound)
{
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border border;
    const dwn_layer *const layer = layer_of(t, row->kind, row->changes, row->layer);
    HOIST_EXPECT(t, darwinn_lower_border_of(&bench.model, layer, &border));
    HOIST_EXPECT_EQ(t, border.count, row->boxes);
    HOIST_EXPECT_EQ(t, border.reach, row->reach);
    darwinn_expect_order(t, &border);
    darwinn_bench_end(&bench);
}

// What has no order -------------------------------------------------------------------------------

static const struct {
    const char *name;
    dwn_kind kind;
    dwn_change changes[4];
    const char *rule;
} refused[] = {
    {"an unknown type",
     DWN_PLAIN,
     {{"executables/0/output_layers/0/data_type", 7, NULL}},
     "RUN-036"},
    {"another shape", DWN_PLAIN, {{"executables/0/output_layers/0/z_dim", 31, NULL}}, "RUN-036"},
    {"less room", DWN_PLAIN, {{"executables/0/output_layers/0/size_bytes", 639, NULL}}, "RUN-036"},
    {"no layout",
     DWN_PLAIN,
     {{"executables/0/output_layers/0/any_layer/layout", 0, NULL}},
     "RUN-036"},
    {"a short map",
     DWN_PLAIN,
     {{"executables/0/output_layers/0/any_layer/layout/y_coordinate_to_linear_tile_id_map", 12,
       NULL}},
     "RUN-036"},
    {"a pixel outside",
     DWN_PLAIN,
     {{"executables/0/output_layers/0/any_layer/layout/linearized_tile_byte_offset/3", 513, NULL}},
     "RUN-036"},
    {"slices, executed twice",
     DWN_SLICES,
     {{"executables/0/output_layers/0/execution_count_per_inference", 2, NULL}},
     "RUN-036"},
    {"slices without their offsets",
     DWN_SLICES,
     {{"executables/0/output_layers/0/any_layer/shape_info/slice_offset", 8, NULL}},
     "RUN-036"},
    {"a slice outside the buffer",
     DWN_SLICES,
     {{"executables/0/output_layers/0/any_layer/shape_info/slice_offset/3", 513, NULL}},
     "RUN-036"},
};

HOIST_TEST_TABLE(what_has_no_order, refused)
{
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border border;
    const dwn_layer *const layer = layer_of(t, row->kind, row->changes, 0);
    HOIST_EXPECT(t, !darwinn_lower_border_of(&bench.model, layer, &border));
    HOIST_EXPECT_RULE(t, row->rule);
    HOIST_EXPECT(t, bench.c.errors);
    darwinn_bench_end(&bench);
}

// Hostile maps ------------------------------------------------------------------------------------

HOIST_TEST(scattered_pixels_are_boxes)
{
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border border;
    HOIST_EXPECT(t,
                 darwinn_lower_border_of(&bench.model, darwinn_bench_scattered(t, 100), &border));
    HOIST_EXPECT(t, border.count >= 4000 && border.count <= 10000);
    darwinn_expect_order(t, &border);
    darwinn_bench_end(&bench);
}

HOIST_TEST(pieces_have_a_limit)
{
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border border;
    dwn_layer *const layer = darwinn_bench_scattered(t, 400);
    layer->size_bytes = 160000;
    HOIST_EXPECT(t, !darwinn_lower_border_of(&bench.model, layer, &border));
    HOIST_EXPECT_RULE(t, "RUN-008");
    darwinn_bench_end(&bench);
}

HOIST_TEST(pixels_have_a_limit)
{
    enum { SIDE = 4097 };
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border border;
    dwn_layer *const layer = darwinn_bench_scattered(t, 2);
    dwn_output_layout *const layout = ((dwn_output_layer *)layer->any_layer.value)->layout;
    const hoist_bytes zeros = darwinn_bench_ramp(t, SIDE, 0);
    layer->y_dim = layer->x_dim = SIDE;
    layer->size_bytes = SIDE * SIDE;
    layout->y_coordinate_to_linear_tile_id_map = layout->x_coordinate_to_linear_tile_id_map = zeros;
    layout->x_coordinate_to_local_byte_offset = layout->y_coordinate_to_local_y_offset = zeros;
    layout->x_coordinate_to_local_y_row_size = zeros;
    HOIST_EXPECT(t, !darwinn_lower_border_of(&bench.model, layer, &border));
    HOIST_EXPECT_RULE(t, "RUN-008");
    darwinn_bench_end(&bench);
}

// Moves -------------------------------------------------------------------------------------------

#define HALF_WAY(type) ", constant/0 f32[2, 10] by [0, 0] scale " type
#define COPIED(type, chip)                                                                         \
    "move copy from [user " type "] to chip " chip "\nmove copy from [chip " chip                  \
    "] to user " type "\n"
#define FLIPPED(type, chip)                                                                        \
    "move fma from [user " type                                                                    \
    " scale 1" HALF_WAY("1") "] to chip " chip "\n"                                                \
                             "move fma from [chip " chip                                           \
                             " scale 1" HALF_WAY("-1") "] to user " type "\n"

// clang-format off
static const struct {
    const char *name;
    dwn_data_type type;
    hoist_dtype user, chip;
    int size; // of an execution on the chip
    const char *moves; // there and back
} types[] = {
    {"8 bits",               DWN_FIXED_POINT8,         HOIST_DTYPE_U8,   HOIST_DTYPE_U8,   16, COPIED("u8[2, 10]", "u8[2, 10] by [16, 1]")},
    {"8 bits and a sign",    DWN_SIGNED_FIXED_POINT8,  HOIST_DTYPE_I8,   HOIST_DTYPE_U8,   16, FLIPPED("i8[2, 10]", "u8[2, 10] by [16, 1]")},
    {"16 bits",              DWN_FIXED_POINT16,        HOIST_DTYPE_U16,  HOIST_DTYPE_U16,  32, COPIED("u16[2, 10]", "u16[2, 10] by [32, 2]")},
    {"16 bits and a sign",   DWN_SIGNED_FIXED_POINT16, HOIST_DTYPE_I16,  HOIST_DTYPE_U16,  32, FLIPPED("i16[2, 10]", "u16[2, 10] by [32, 2]")},
    {"32 bits as they are",  DWN_SIGNED_FIXED_POINT32, HOIST_DTYPE_I32,  HOIST_DTYPE_I32,  64, COPIED("i32[2, 10]", "i32[2, 10] by [64, 4]")},
    {"brain floats",         DWN_BFLOAT,               HOIST_DTYPE_BF16, HOIST_DTYPE_BF16, 32, COPIED("bf16[2, 10]", "bf16[2, 10] by [32, 2]")},
    {"half floats",          DWN_HALF,                 HOIST_DTYPE_F16,  HOIST_DTYPE_F16,  32, COPIED("f16[2, 10]", "f16[2, 10] by [32, 2]")},
    {"floats",               DWN_SINGLE,               HOIST_DTYPE_F32,  HOIST_DTYPE_F32,  64, COPIED("f32[2, 10]", "f32[2, 10] by [64, 4]")},
};
// clang-format on

HOIST_TEST_TABLE(each_type_goes_there_and_back, types)
{
    const dwn_change changes[] = {{"executables/0/output_layers/1/data_type", row->type, NULL},
                                  {"executables/0/output_layers/1/size_bytes", row->size, NULL},
                                  {NULL, 0, NULL}};
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border border;
    const dwn_layer *const layer = layer_of(t, DWN_REPEATED, changes, 1);
    HOIST_EXPECT(t, darwinn_lower_border_of(&bench.model, layer, &border));
    HOIST_EXPECT_EQ(t, darwinn_lower_chip_type(&border), row->chip);
    const int64_t bytes = 2 * row->size;
    const hoist_lower_view user = darwinn_bench_buffer(&bench, "user", row->user, 20);
    const hoist_lower_view chip = darwinn_bench_buffer(&bench, "chip", HOIST_DTYPE_U8, bytes);
    darwinn_bench_thread(&bench);
    darwinn_lower_to_chip(&bench.model, &border, &user, &chip);
    darwinn_lower_from_chip(&bench.model, &border, &chip, &user);
    HOIST_EXPECT_STR(t, darwinn_bench_steps(&bench), row->moves);
    darwinn_bench_end(&bench);
}

HOIST_TEST(moves_of_tiles)
{
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border border;
    const dwn_layer *const layer = layer_of(t, DWN_PLAIN, NULL, 0);
    HOIST_EXPECT(t, darwinn_lower_border_of(&bench.model, layer, &border));
    const hoist_lower_view user = darwinn_bench_buffer(&bench, "user", HOIST_DTYPE_U8, 640);
    const hoist_lower_view chip = darwinn_bench_buffer(&bench, "chip", HOIST_DTYPE_U8, 640);
    darwinn_bench_thread(&bench);
    darwinn_lower_order(&bench.model, &border, &user, &chip);
    HOIST_EXPECT_STR(
        t, darwinn_bench_steps(&bench),
        "move copy from [user u8[2, 3, 32] by [160, 32, 1]] to chip u8[2, 3, 32]\n"
        "move copy from [user u8[2, 2, 32] by [160, 32, 1] + 96] to chip u8[2, 2, 32] + 192\n"
        "move copy from [user u8[2, 3, 32] by [160, 32, 1] + 320] to chip u8[2, 3, 32] + 320\n"
        "move copy from [user u8[2, 2, 32] by [160, 32, 1] + 416] to chip u8[2, 2, 32] + 512\n");
    darwinn_bench_end(&bench);
}

// One constant for all layers of as many bytes; names of constants are tried once.
HOIST_TEST(layers_share_their_middle)
{
    static const dwn_change wide[] = {
        {"executables/0/output_layers/1/data_type", DWN_SIGNED_FIXED_POINT16, NULL},
        {"executables/0/output_layers/1/size_bytes", 32, NULL},
        {NULL, 0, NULL}};
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border borders[4];
    for (size_t i = 0; i < HOIST_COUNT_OF(borders); i++) {
        const dwn_layer *const layer = layer_of(t, DWN_REPEATED, i % 2 ? wide : NULL, 1);
        HOIST_EXPECT(t, darwinn_lower_border_of(&bench.model, layer, &borders[i]));
    }
    HOIST_EXPECT_EQ(t, borders[2].middle, borders[0].middle);
    HOIST_EXPECT_EQ(t, borders[3].middle, borders[1].middle);
    HOIST_EXPECT(t, borders[1].middle != borders[0].middle);
    HOIST_EXPECT_EQ(t, bench.c.constants, 2);
    darwinn_bench_end(&bench);
}

HOIST_TEST(what_no_slice_has_is_cleared)
{
    static const dwn_change one_less[] = {
        {"executables/0/output_layers/0/any_layer/shape_info/slice_layout", 0, NULL},
        {"executables/0/output_layers/0/any_layer/shape_info/slice_offset", 0, NULL},
        {NULL, 0, NULL}};
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border border;
    const dwn_layer *const layer = layer_of(t, DWN_SLICES, one_less, 0);
    HOIST_EXPECT(t, darwinn_lower_border_of(&bench.model, layer, &border));
    const hoist_lower_view user = darwinn_bench_buffer(&bench, "user", HOIST_DTYPE_U8, 640);
    const hoist_lower_view chip = darwinn_bench_buffer(&bench, "chip", HOIST_DTYPE_U8, 640);
    darwinn_bench_thread(&bench);
    darwinn_lower_from_chip(&bench.model, &border, &chip, &user);
    HOIST_EXPECT_STR(t, darwinn_bench_steps(&bench),
                     "move copy from [constant/0 u8[640] by [0]] to user u8[640]\n");
    darwinn_bench_end(&bench);
}

// Failures ----------------------------------------------------------------------------------------

HOIST_TEST(what_ends_the_builder_is_told)
{
    darwinn_bench bench;
    darwinn_bench_begin(t, &bench, t->arena.alloc);
    darwinn_lower_border border;
    const dwn_layer *const layer = layer_of(t, DWN_REPEATED, NULL, 1); // of signed numbers
    (void)hoist_builder_step(bench.c.b, &(hoist_prog_step){.kind = HOIST_STEP_END}); // no code
    HOIST_EXPECT(t, !darwinn_lower_border_of(&bench.model, layer, &border));
    HOIST_EXPECT_EQ(t, bench.c.status, HOIST_INTERNAL);
    darwinn_bench_end(&bench);
}

typedef struct starved {
    hoist_test *t;
    const dwn_layer *layer;
} starved;

static hoist_status make_border(hoist_allocator alloc, const void *self)
{
    const starved *const s = self;
    darwinn_bench bench;
    darwinn_lower_border border;
    darwinn_bench_begin(s->t, &bench, alloc);
    if (bench.c.b) {
        (void)darwinn_lower_border_of(&bench.model, s->layer, &border);
    }
    const hoist_status status = darwinn_bench_status(&bench);
    darwinn_bench_end(&bench);
    return status;
}

HOIST_TEST(borders_without_memory)
{
    const dwn_layer *const layers[] = {layer_of(t, DWN_PLAIN, NULL, 0),
                                       layer_of(t, DWN_PLAIN, NULL, 1),
                                       layer_of(t, DWN_SLICES, NULL, 0)};
    for (size_t i = 0; i < HOIST_COUNT_OF(layers); i++) {
        const starved self = {t, layers[i]};
        hoist_test_starve(t, make_border, &self);
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(boxes_of_layers), HOIST_TEST_ROW(what_has_no_order),
                HOIST_TEST_ROW(scattered_pixels_are_boxes), HOIST_TEST_ROW(pieces_have_a_limit),
                HOIST_TEST_ROW(pixels_have_a_limit), HOIST_TEST_ROW(each_type_goes_there_and_back),
                HOIST_TEST_ROW(moves_of_tiles), HOIST_TEST_ROW(what_no_slice_has_is_cleared),
                HOIST_TEST_ROW(layers_share_their_middle),
                HOIST_TEST_ROW(what_ends_the_builder_is_told),
                HOIST_TEST_ROW(borders_without_memory))
