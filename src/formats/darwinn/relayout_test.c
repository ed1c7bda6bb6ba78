// Orders of outputs against the pictures that the documents draw, and bytes both ways.
#include <string.h>

#include "base/reader.h"
#include "formats/darwinn/package_testing.h"
#include "formats/darwinn/relayout.h"

#define GRID "executables/0/output_layers/0/"

static const dwn_layer *grid_of(const dwn_draft *draft)
{
    return &draft->executables[0]->output_layers.items[0];
}

static const dwn_layer *scores_of(const dwn_draft *draft)
{
    return &draft->executables[0]->output_layers.items[1];
}

// The example of the schema: 4 x 5 x 32 of 2 x 2 tiles; tiles 0 and 2 have 2 x 3 x 32 of it, tiles
// 1 and 3 have 2 x 2 x 32, each packed, one tile after the other.
static int64_t schema_place(int64_t y, int64_t x, int64_t z)
{
    static const int64_t starts[] = {0, INT64_C(2) * 3 * 32, INT64_C(2) * 5 * 32,
                                     INT64_C(2) * 5 * 32 + INT64_C(2) * 3 * 32};
    const bool right = x >= 3;
    const int64_t tile = (y / 2) * 2 + right;
    const int64_t width = right ? 2 : 3;
    return starts[tile] + ((y % 2) * width + (right ? x - 3 : x)) * 32 + z;
}

HOIST_TEST(relayout_schema_example)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_order order;
    HOIST_EXPECT_EQ(t, dwn_order_of(grid_of(&draft), &t->arena, &order), HOIST_OK);
    HOIST_EXPECT_EQ(t, order.count, 4 * 5 * 32);
    const int64_t *at = order.at;
    for (int64_t y = 0; y < 4; y++) {
        for (int64_t x = 0; x < 5; x++) {
            for (int64_t z = 0; z < 32; z++) {
                HOIST_EXPECT_EQ(t, *at++, schema_place(y, x, z));
            }
        }
    }
}

HOIST_TEST(relayout_slices_say_the_same)
{
    const dwn_draft maps = dwn_draft_of(t, DWN_PLAIN);
    const dwn_draft slices = dwn_draft_of(t, DWN_SLICES);
    dwn_order by_maps;
    dwn_order by_slices;
    HOIST_EXPECT_EQ(t, dwn_order_of(grid_of(&maps), &t->arena, &by_maps), HOIST_OK);
    HOIST_EXPECT_EQ(t, dwn_order_of(grid_of(&slices), &t->arena, &by_slices), HOIST_OK);
    HOIST_EXPECT_EQ(t, by_maps.count, by_slices.count);
    for (int64_t i = 0; i < by_maps.count; i++) {
        HOIST_EXPECT_EQ(t, by_slices.at[i], by_maps.at[i]);
    }
}

static hoist_bytes ints(hoist_test *t, const int32_t *items, size_t count)
{
    uint8_t *const bytes = hoist_arena_array(&t->arena, count, sizeof(*items));
    for (size_t i = 0; i < count; i++) {
        hoist_store_u32le(bytes + 4 * i, (uint32_t)items[i]);
    }
    return (hoist_bytes){bytes, count * sizeof(*items)};
}

// The example of section 5.1: 8 x 8 x 1 on 4 x 4 tiles of 2 x 2 pixels, in rows of 8 bytes, of
// which each pixel has 4.
HOIST_TEST(relayout_worked_example)
{
    static const int32_t y_map[] = {0, 0, 4, 4, 8, 8, 12, 12};
    static const int32_t x_map[] = {0, 0, 1, 1, 2, 2, 3, 3};
    static const int32_t tiles[] = {0,   16,  32,  48,  64,  80,  96,  112,
                                    128, 144, 160, 176, 192, 208, 224, 240};
    static const int32_t x_offset[] = {0, 4, 0, 4, 0, 4, 0, 4};
    static const int32_t y_local[] = {0, 1, 0, 1, 0, 1, 0, 1};
    static const int32_t row_size[] = {8, 8, 8, 8, 8, 8, 8, 8};
    dwn_output_layout layout = {.y_coordinate_to_linear_tile_id_map = ints(t, y_map, 8),
                                .x_coordinate_to_linear_tile_id_map = ints(t, x_map, 8),
                                .linearized_tile_byte_offset = ints(t, tiles, 16),
                                .x_coordinate_to_local_byte_offset = ints(t, x_offset, 8),
                                .y_coordinate_to_local_y_offset = ints(t, y_local, 8),
                                .x_coordinate_to_local_y_row_size = ints(t, row_size, 8)};
    dwn_output_layer output = {.layout = &layout};
    const dwn_layer layer = {.size_bytes = 256,
                             .y_dim = 8,
                             .x_dim = 8,
                             .z_dim = 1,
                             .any_layer = {.type = DWN_LAYER_OUTPUT, .value = &output},
                             .execution_count_per_inference = 1};
    dwn_order order;
    HOIST_EXPECT_EQ(t, dwn_order_of(&layer, &t->arena, &order), HOIST_OK);
    HOIST_EXPECT_EQ(t, order.at[3 * 8 + 5], 108);
    for (int64_t y = 0; y < 8; y++) {
        for (int64_t x = 0; x < 8; x++) {
            HOIST_EXPECT_EQ(t, order.at[y * 8 + x],
                            16 * (y / 2 * 4 + x / 2) + 8 * (y % 2) + 4 * (x % 2));
        }
    }
}

// Bytes ------------------------------------------------------------------------------------------

// Ten elements of one pixel in a buffer of 16; of the signed ones the top bit is flipped.
static const struct {
    const char *name;
    dwn_data_type type;
    size_t size;
    uint8_t flip; // of the last byte of each element
} types[] = {
    {"FIXED_POINT8", DWN_FIXED_POINT8, 1, 0},
    {"FIXED_POINT16", DWN_FIXED_POINT16, 2, 0},
    {"SIGNED_FIXED_POINT32", DWN_SIGNED_FIXED_POINT32, 4, 0},
    {"BFLOAT", DWN_BFLOAT, 2, 0},
    {"HALF", DWN_HALF, 2, 0},
    {"SINGLE", DWN_SINGLE, 4, 0},
    {"SIGNED_FIXED_POINT8", DWN_SIGNED_FIXED_POINT8, 1, 0x80},
    {"SIGNED_FIXED_POINT16", DWN_SIGNED_FIXED_POINT16, 2, 0x80},
};

static hoist_mut_bytes new_bytes(hoist_test *t, size_t size)
{
    return (hoist_mut_bytes){hoist_arena_alloc(&t->arena, size), size};
}

static hoist_mut_bytes random_bytes(hoist_test *t, size_t size)
{
    uint64_t state = 7;
    const hoist_mut_bytes made = new_bytes(t, size);
    for (size_t i = 0; i < size; i++) {
        made.data[i] = (uint8_t)hoist_test_random(&state);
    }
    return made;
}

static hoist_bytes read_only(hoist_mut_bytes bytes)
{
    return (hoist_bytes){bytes.data, bytes.size};
}

HOIST_TEST_TABLE(relayout_types, types)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_draft_set(&draft, "executables/0/output_layers/1/data_type", row->type);
    dwn_draft_set(&draft, "executables/0/output_layers/1/size_bytes", 16.0 * (double)row->size);
    const size_t used = 10 * row->size;
    const hoist_mut_bytes user = random_bytes(t, used);
    const hoist_mut_bytes chip = random_bytes(t, 16 * row->size);
    const hoist_mut_bytes back = random_bytes(t, used);
    HOIST_EXPECT_EQ(t, dwn_to_chip(scores_of(&draft), read_only(user), &t->arena, chip), HOIST_OK);
    for (size_t i = 0; i < chip.size; i++) {
        const uint8_t flip = i % row->size == row->size - 1 ? row->flip : 0;
        HOIST_EXPECT_EQ(t, chip.data[i], i < used ? user.data[i] ^ flip : 0);
    }
    HOIST_EXPECT_EQ(t, dwn_from_chip(scores_of(&draft), read_only(chip), &t->arena, back),
                    HOIST_OK);
    HOIST_EXPECT(t, memcmp(user.data, back.data, used) == 0);
}

static const struct {
    const char *name;
    dwn_kind kind;
    size_t batch;
    size_t executions;
    int16_t type;
} moves[] = {
    {"plain", DWN_PLAIN, 1, 1, DWN_FIXED_POINT8},
    {"slices", DWN_SLICES, 1, 1, DWN_FIXED_POINT8},
    {"a batch of 3", DWN_PLAIN, 3, 1, DWN_FIXED_POINT8},
    {"slices of a batch of 2", DWN_SLICES, 2, 1, DWN_FIXED_POINT8},
    {"executed twice", DWN_REPEATED, 1, 2, DWN_FIXED_POINT8},
    {"executed twice, a batch of 2", DWN_REPEATED, 2, 2, DWN_FIXED_POINT8},
    {"16 bits", DWN_PLAIN, 2, 1, DWN_FIXED_POINT16},
    {"signed 16 bits", DWN_PLAIN, 1, 1, DWN_SIGNED_FIXED_POINT16},
    {"no elements of a batch", DWN_PLAIN, 0, 1, DWN_FIXED_POINT8},
};

// The grid, whose places schema_place() knows, with 8 bytes of padding.
HOIST_TEST_TABLE(relayout_moves, moves)
{
    dwn_draft draft = dwn_draft_of(t, row->kind);
    const dwn_layer *const layer = grid_of(&draft);
    dwn_draft_set(&draft, GRID "data_type", row->type);
    const size_t size = dwn_type_of(row->type)->size;
    const size_t padded = 640 * size + 8;
    dwn_draft_set(&draft, GRID "size_bytes", (double)padded);
    const size_t count = row->batch * row->executions;
    const hoist_mut_bytes chip = random_bytes(t, count * padded);
    const hoist_mut_bytes user = new_bytes(t, count * 640 * size);
    HOIST_EXPECT_EQ(t, dwn_from_chip(layer, read_only(chip), &t->arena, user), HOIST_OK);
    for (size_t i = 0; i < count * 640 * size; i++) {
        const int64_t k = (int64_t)(i / size % 640);
        const int64_t place = schema_place(k / 160, k / 32 % 5, k % 32);
        const bool is_top = i % size == size - 1 && dwn_type_of(row->type)->is_flipped;
        const uint8_t sent = chip.data[i / (640 * size) * padded + (size_t)place * size + i % size];
        HOIST_EXPECT_EQ(t, user.data[i], is_top ? sent ^ 0x80 : sent);
    }
    const hoist_mut_bytes again = random_bytes(t, chip.size);
    HOIST_EXPECT_EQ(t, dwn_to_chip(layer, read_only(user), &t->arena, again), HOIST_OK);
    for (size_t i = 0; i < chip.size; i++) {
        HOIST_EXPECT_EQ(t, again.data[i], i % padded < 640 * size ? chip.data[i] : 0);
    }
}

HOIST_TEST(relayout_missing_slices)
{
    dwn_draft draft = dwn_draft_of(t, DWN_SLICES);
    dwn_draft_set(&draft, GRID "any_layer/shape_info/slice_layout", 3);
    dwn_draft_set(&draft, GRID "any_layer/shape_info/slice_offset", 12);
    const hoist_mut_bytes user = random_bytes(t, 640);
    const hoist_mut_bytes chip = new_bytes(t, 640);
    memset(chip.data, 1, chip.size);
    HOIST_EXPECT_EQ(t, dwn_from_chip(grid_of(&draft), read_only(chip), &t->arena, user), HOIST_OK);
    for (size_t i = 0; i < 640; i++) {
        HOIST_EXPECT_EQ(t, user.data[i], !(i / 160 >= 2 && i / 32 % 5 >= 3));
    }
}

// Refusals ---------------------------------------------------------------------------------------

#define MAPS GRID "any_layer/layout/"
#define SLICES GRID "any_layer/shape_info/"

static const struct {
    const char *name;
    dwn_kind kind;
    dwn_change changes[3];
} unsound[] = {
    // clang-format off
    {"an unknown type", DWN_PLAIN, {{GRID "data_type", 6, NULL}}},
    {"an extent below 0", DWN_PLAIN, {{GRID "y_dim", -4, NULL}, {GRID "x_dim", -5, NULL}}},
    {"more elements than fit", DWN_PLAIN, {{GRID "size_bytes", 639, NULL}}},
    {"another shape", DWN_PLAIN, {{GRID "shape/dimension/1", 1, NULL}}},
    {"no layout", DWN_PLAIN, {{GRID "any_layer/layout", 0, NULL}}},
    {"a map too short", DWN_PLAIN, {{MAPS "x_coordinate_to_local_y_row_size", 16, NULL}}},
    {"a pixel behind the buffer", DWN_PLAIN, {{MAPS "linearized_tile_byte_offset/3", 513, NULL}}},
    {"executed never", DWN_PLAIN, {{GRID "execution_count_per_inference", 0, NULL}}},
    {"slices of no shape", DWN_SLICES, {{GRID "shape", 0, NULL}}},
    {"slices executed twice", DWN_SLICES, {{GRID "execution_count_per_inference", 2, NULL}}},
    {"an offset less", DWN_SLICES, {{SLICES "slice_offset", 12, NULL}}},
    {"a slice without a shape", DWN_SLICES, {{SLICES "slice_layout/0/shape", 0, NULL}}},
    {"a stride too small", DWN_SLICES, {{SLICES "slice_layout/0/stride/2", 31, NULL}}},
    {"a slice of another rank", DWN_SLICES, {{SLICES "slice_layout/0/stride", 12, NULL},
     {SLICES "slice_layout/0/shape/dimension", 24, NULL}}},
    {"a slice before the buffer", DWN_SLICES, {{SLICES "slice_offset/0", -1, NULL}}},
    {"a slice behind the buffer", DWN_SLICES, {{SLICES "slice_offset/3", 513, NULL}}},
    {"half an element", DWN_SLICES, {{GRID "data_type", DWN_FIXED_POINT16, NULL}, {GRID "size_bytes", 1280, NULL},
     {SLICES "slice_offset/1", 193, NULL}}},
    {"a slice outside the tensor", DWN_SLICES, {{SLICES "slice_layout/0/shape/dimension/2", 3, NULL},
     {SLICES "slice_layout/0/shape/dimension/3", 4, NULL}}},
    {"slices that share elements", DWN_SLICES, {{SLICES "slice_layout/0/shape/dimension/2", 2, NULL},
     {SLICES "slice_layout/0/shape/dimension/3", 3, NULL}}},
    // clang-format on
};

HOIST_TEST_TABLE(relayout_refuses, unsound)
{
    dwn_draft draft = dwn_draft_of(t, row->kind);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->changes) && row->changes[i].path; i++) {
        dwn_draft_set(&draft, row->changes[i].path, row->changes[i].value);
    }
    const dwn_layer *const layer = grid_of(&draft);
    const hoist_mut_bytes bytes = new_bytes(t, 1280);
    const int64_t actual = dwn_layer_actual(layer);
    const size_t user = actual > 0 && actual < 1280 ? (size_t)actual : 1280;
    const hoist_mut_bytes chip = {bytes.data, layer->size_bytes < 1280 ? 640 : 1280};
    HOIST_EXPECT_EQ(t, dwn_to_chip(layer, (hoist_bytes){bytes.data, user}, &t->arena, chip),
                    HOIST_INVALID);
}

static const struct {
    const char *name;
    size_t user;
    size_t chip;
} sizes[] = {
    {"no bytes of the user", 0, 640},
    {"no bytes of the chip", 640, 0},
    {"a byte less", 639, 640},
    {"a byte of the chip less", 640, 639},
    {"two of one, one of other", 1280, 640},
};

HOIST_TEST_TABLE(relayout_sizes, sizes)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    const hoist_mut_bytes user = new_bytes(t, row->user);
    const hoist_mut_bytes chip = new_bytes(t, row->chip);
    HOIST_EXPECT_EQ(t, dwn_from_chip(grid_of(&draft), read_only(chip), &t->arena, user),
                    HOIST_INVALID);
    HOIST_EXPECT_EQ(t, dwn_to_chip(grid_of(&draft), read_only(user), &t->arena, chip),
                    HOIST_INVALID);
}

HOIST_TEST(relayout_of_nothing)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_draft_set(&draft, GRID "z_dim", 0);
    dwn_draft_set(&draft, GRID "shape", 0);
    dwn_order order;
    HOIST_EXPECT_EQ(t, dwn_order_of(grid_of(&draft), &t->arena, &order), HOIST_OK);
    HOIST_EXPECT_EQ(t, order.count, 0);
}

static hoist_status run_both(hoist_allocator alloc, const void *self)
{
    static uint8_t user[640];
    static uint8_t chip[640];
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    const hoist_status status = dwn_to_chip(self, (hoist_bytes){user, sizeof(user)}, &arena,
                                            (hoist_mut_bytes){chip, sizeof(chip)});
    hoist_arena_deinit(&arena);
    return status;
}

HOIST_TEST(relayout_gives_memory_back)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_SLICES);
    hoist_test_starve(t, run_both, grid_of(&draft));
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(relayout_schema_example),
                HOIST_TEST_ROW(relayout_slices_say_the_same),
                HOIST_TEST_ROW(relayout_worked_example), HOIST_TEST_ROW(relayout_types),
                HOIST_TEST_ROW(relayout_moves), HOIST_TEST_ROW(relayout_missing_slices),
                HOIST_TEST_ROW(relayout_refuses), HOIST_TEST_ROW(relayout_sizes),
                HOIST_TEST_ROW(relayout_of_nothing), HOIST_TEST_ROW(relayout_gives_memory_back))
