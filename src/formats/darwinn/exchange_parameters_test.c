// Other parameters in place of those that a package has.
#include <string.h>

#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"
#include "formats/darwinn/recover.h"
#include "formats/darwinn/recover_testing.h"

// Blocks -----------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    dwn_block_shape shape;
    uint32_t channels;
} blocks[] = {
    {"dense",                   {.rows = 256, .steps = 64, .has_multipliers = true, .has_zeros = true}, 256},
    {"few rows",                {.rows = 8, .steps = 9, .has_bias = true}, 3},
    {"65 rows, all arrays",     {.rows = 65, .steps = 4, .has_multipliers = true, .has_bias = true, .has_zeros = true}, 7},
    {"nothing but weights",     {.rows = 16, .steps = 1}, 4},
    {"narrow groups",           {.rows = 4, .steps = 9, .rows_of_group = 4}, 1},
    {"depthwise",               {.rows = 8, .steps = 9, .rows_of_group = 4, .is_diagonal = true, .has_bias = true}, 6},
    {"depthwise, all arrays",   {.rows = 4, .steps = 4, .rows_of_group = 4, .is_diagonal = true, .has_multipliers = true, .has_bias = true, .has_zeros = true}, 4},
};
// clang-format on

// Arrays of noise for the shape.
static dwn_recovered noisy_layer(hoist_test *t, const dwn_block_shape *shape, uint32_t channels)
{
    const uint64_t words = shape->is_diagonal ? 1 : (channels + 3) / 4;
    dwn_recovered layer = {.block = *shape, .block_channels = channels, .weight_zero = 128};
    layer.rows = shape->is_diagonal ? channels : shape->rows;
    layer.weight_count = shape->steps / words * (shape->is_diagonal ? 1 : shape->rows) * channels;
    uint64_t state = shape->rows;
    uint8_t *const bytes =
        hoist_arena_alloc(&t->arena, layer.weight_count + (size_t)9 * layer.rows);
    for (size_t i = 0; i < layer.weight_count + (size_t)9 * layer.rows; i++) {
        bytes[i] = (uint8_t)hoist_test_random(&state);
    }
    float *const scales = hoist_arena_array(&t->arena, layer.rows, sizeof(float));
    int32_t *const bias = hoist_arena_array(&t->arena, layer.rows, sizeof(int32_t));
    for (uint32_t i = 0; i < layer.rows; i++) {
        scales[i] = (float)i / 3 + 1;
        bias[i] = (int32_t)i * 1000 - 7;
    }
    layer.weights = bytes;
    layer.weight_zeros = shape->has_zeros ? bytes + layer.weight_count : NULL;
    layer.multipliers = shape->has_multipliers ? scales : NULL;
    layer.bias = shape->has_bias ? bias : NULL;
    return layer;
}

// What is written of arrays is read as them.
HOIST_TEST_TABLE(blocks_are_read_as_they_were_written, blocks)
{
    const dwn_recovered layer = noisy_layer(t, &row->shape, row->channels);
    const size_t size = (size_t)dwn_block_size(&row->shape);
    const hoist_mut_bytes block = {hoist_arena_alloc(&t->arena, size), size};
    dwn_recovered again = {.weight_zero = 128};
    dwn_block_write(&layer, block);
    HOIST_EXPECT_EQ(t,
                    dwn_block_read(&row->shape, (hoist_bytes){block.data, size}, row->channels,
                                   &t->arena, &again),
                    HOIST_OK);
    const size_t n = layer.rows;
    HOIST_EXPECT_EQ(t, again.weight_count, layer.weight_count);
    HOIST_EXPECT(t, memcmp(again.weights, layer.weights, (size_t)layer.weight_count) == 0);
    HOIST_EXPECT(t, !layer.bias || memcmp(again.bias, layer.bias, n * 4) == 0);
    HOIST_EXPECT(t, !layer.multipliers || memcmp(again.multipliers, layer.multipliers, n * 4) == 0);
    HOIST_EXPECT(t, !layer.weight_zeros || memcmp(again.weight_zeros, layer.weight_zeros, n) == 0);
    HOIST_EXPECT(t, !row->shape.is_diagonal || row->shape.has_zeros ||
                        dwn_block_is_diagonal(&row->shape, (hoist_bytes){block.data, size}, 128) ==
                            (row->channels % 4 == 0));
    // And written again they are the same bytes.
    uint8_t *const twice = hoist_arena_alloc(&t->arena, size);
    memcpy(twice, block.data, size);
    dwn_block_write(&layer, (hoist_mut_bytes){twice, size});
    HOIST_EXPECT(t, memcmp(twice, block.data, size) == 0);
}

// Models -----------------------------------------------------------------------------------------

// A model of one dense layer, 1 x 1 x 8 to 4, whose bytes are its parameters alone.
typedef struct small_model {
    dwn_maker maker;
    dwn_model model;
    dwn_module module;
} small_model;

static small_model *make_model(hoist_test *t)
{
    static const dwn_sketch dense = {
        .reduction = 2, .input_zero = 3, .output_zero = 3, .has_bias = true, .a = {{2, 1}}};
    small_model *const s = hoist_arena_alloc(&t->arena, sizeof(*s));
    dwn_make_begin(&s->maker);
    dwn_make_operation(&s->maker, &dense);
    dwn_test_border(&s->model.input, &s->model.numerics[0], (dwn_extent){1, 1, 8}, 3);
    dwn_test_border(&s->model.output, &s->model.numerics[1], (dwn_extent){1, 1, 4}, 3);
    uint8_t *const blob = hoist_arena_alloc(&t->arena, 192);
    memset(blob, 1, 192);
    dwn_test_model(t, &s->model, dwn_make_end(&s->maker, false), (hoist_bytes){blob, 192});
    s->module =
        (dwn_module){.base = {.format = &hoist_darwinn_format, .alloc = hoist_allocator_system()},
                     .bytes = {blob, 192},
                     .packages = &s->model.contents,
                     .package_count = 1};
    return s;
}

static hoist_status put(hoist_test *t, const small_model *s, const hoist_new_parameters *items,
                        size_t count, uint8_t out[192])
{
    memcpy(out, s->module.bytes.data, 192);
    return dwn_exchange(&s->module.base, items, count, t->diag, (hoist_mut_bytes){out, 192});
}

static const uint8_t noise[] = "0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrst";
static const int64_t rows_by_columns[] = {4, 8};
static const int64_t columns_by_rows[] = {8, 4};
static const int64_t four[] = {4};

// Two arrays of one layer, and nothing else, are changed.
HOIST_TEST(arrays_go_to_their_places)
{
    const small_model *const s = make_model(t);
    const hoist_new_parameters items[] = {
        {"layers/0/weights", HOIST_DTYPE_U8, 2, rows_by_columns, {noise, 32}},
        {"layers/0/bias", HOIST_DTYPE_I32, 1, four, {noise, 16}},
    };
    uint8_t out[192];
    HOIST_EXPECT_EQ(t, put(t, s, items, 2, out), HOIST_OK);
    HOIST_EXPECT(t, memcmp(out, noise, 16) == 0); // bias, then rows of the first four channels
    HOIST_EXPECT_EQ(t, out[64], noise[0]);
    HOIST_EXPECT_EQ(t, out[64 + 4], noise[8]);
    HOIST_EXPECT_EQ(t, out[64 + 64], noise[4]);
    size_t changed = 0;
    for (size_t i = 0; i < sizeof(out); i++) {
        changed += out[i] != s->module.bytes.data[i];
    }
    HOIST_EXPECT_EQ(t, changed, 16 + 32);
}

// Of all parameters and an array of a layer, in whatever order, the array goes to its place and
// everything else is that of the parameters.
HOIST_TEST(arrays_go_into_other_parameters)
{
    const small_model *const s = make_model(t);
    uint8_t other[192];
    for (size_t i = 0; i < sizeof(other); i++) {
        other[i] = (uint8_t)(i * 7 + 2);
    }
    const hoist_new_parameters weights = {
        "layers/0/weights", HOIST_DTYPE_U8, 2, rows_by_columns, {noise, 32}};
    const hoist_new_parameters all = {"cached", HOIST_DTYPE_NONE, 0, NULL, {other, sizeof(other)}};
    const hoist_new_parameters orders[2][2] = {{all, weights}, {weights, all}};
    for (size_t k = 0; k < 2; k++) {
        uint8_t out[192];
        HOIST_EXPECT_EQ(t, put(t, s, orders[k], 2, out), HOIST_OK);
        size_t kept = 0;
        for (size_t i = 0; i < sizeof(out); i++) {
            kept += out[i] == other[i];
        }
        HOIST_EXPECT(t, memcmp(out, other, 64) == 0); // biases
        HOIST_EXPECT_EQ(t, out[64], noise[0]);
        HOIST_EXPECT_EQ(t, out[64 + 64], noise[4]);
        HOIST_EXPECT(t, kept >= sizeof(out) - 32);
    }
}

// clang-format off
static const struct {
    const char *name;
    hoist_new_parameters item;
    hoist_status want;
} items[] = {
    {"all of them",        {"cached", HOIST_DTYPE_NONE, 0, NULL, {noise, 0}}, HOIST_INVALID},
    {"none to be streamed", {"streamed", HOIST_DTYPE_NONE, 0, NULL, {noise, 64}}, HOIST_NOT_FOUND},
    {"another shape",      {"layers/0/weights", HOIST_DTYPE_U8, 2, columns_by_rows, {noise, 32}}, HOIST_INVALID},
    {"another rank",       {"layers/0/weights", HOIST_DTYPE_U8, 1, rows_by_columns, {noise, 32}}, HOIST_INVALID},
    {"another type",       {"layers/0/weights", HOIST_DTYPE_I8, 2, rows_by_columns, {noise, 32}}, HOIST_INVALID},
    {"too few bytes",      {"layers/0/weights", HOIST_DTYPE_U8, 2, rows_by_columns, {noise, 31}}, HOIST_INVALID},
    {"a bias of bytes",    {"layers/0/bias", HOIST_DTYPE_U8, 1, four, {noise, 4}}, HOIST_INVALID},
    {"an array that is not there", {"layers/0/multipliers", HOIST_DTYPE_F32, 1, four, {noise, 16}}, HOIST_NOT_FOUND},
    {"an unknown array",   {"layers/0/colors", HOIST_DTYPE_U8, 1, four, {noise, 4}}, HOIST_NOT_FOUND},
    {"an unknown layer",   {"layers/1/weights", HOIST_DTYPE_U8, 2, rows_by_columns, {noise, 32}}, HOIST_NOT_FOUND},
    {"a layer far away",   {"layers/99999999999999999999/weights", HOIST_DTYPE_U8, 2, rows_by_columns, {noise, 32}}, HOIST_NOT_FOUND},
    {"a layer below 0",    {"layers/-1/weights", HOIST_DTYPE_U8, 2, rows_by_columns, {noise, 32}}, HOIST_NOT_FOUND},
    {"no layer",           {"weights", HOIST_DTYPE_U8, 2, rows_by_columns, {noise, 32}}, HOIST_NOT_FOUND},
    {"all, of another size", {"", HOIST_DTYPE_NONE, 0, NULL, {noise, 32}}, HOIST_INVALID},
};
// clang-format on

HOIST_TEST_TABLE(others_are_refused, items)
{
    uint8_t out[192];
    HOIST_EXPECT_EQ(t, put(t, make_model(t), &row->item, 1, out), row->want);
    HOIST_EXPECT_RULE(t, "DWN-087");
}

// Whole packages, and the parameters of each executable.
HOIST_TEST(blobs_are_exchanged)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    const hoist_bytes file = dwn_draft_package(&draft);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, file, &module), HOIST_OK);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
    memcpy(copy, file.data, file.size);
    const hoist_new_parameters streamed = {.name = "streamed", .bytes = {noise, 64}};
    HOIST_EXPECT_EQ(
        t, dwn_exchange(&module->base, &streamed, 1, t->diag, (hoist_mut_bytes){copy, file.size}),
        HOIST_OK);
    const hoist_bytes was = module->packages[0].images[0].rows->parameters;
    const size_t at = (size_t)(was.data - module->bytes.data);
    HOIST_EXPECT(t, memcmp(copy + at, noise, 64) == 0);
    HOIST_EXPECT(t, memcmp(copy, file.data, at) == 0);
    HOIST_EXPECT(t, memcmp(copy + at + 64, file.data + at + 64, file.size - at - 64) == 0);
    dwn_destroy(&module->base);
}

HOIST_TEST(several_packages_are_refused)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_PAIR);
    const hoist_bytes package = dwn_draft_package(&draft);
    const hoist_bytes two[] = {package, package};
    const hoist_bytes file = dwn_draft_custom(t, two, 2);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, file, &module), HOIST_OK);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
    HOIST_EXPECT_EQ(
        t, dwn_exchange(&module->base, NULL, 0, t->diag, (hoist_mut_bytes){copy, file.size}),
        HOIST_UNSUPPORTED);
    dwn_destroy(&module->base);
}

typedef struct starved {
    const small_model *model;
    uint8_t *out;
} starved;

static hoist_status put_starved(hoist_allocator alloc, const void *self)
{
    const starved *const s = self;
    const hoist_new_parameters item = {"layers/0/bias", HOIST_DTYPE_I32, 1, four, {noise, 16}};
    dwn_module module = s->model->module;
    module.base.alloc = alloc;
    return dwn_exchange(&module.base, &item, 1, NULL, (hoist_mut_bytes){s->out, 192});
}

HOIST_TEST(gives_memory_back)
{
    const starved s = {make_model(t), hoist_arena_alloc(&t->arena, 192)};
    hoist_test_starve(t, put_starved, &s);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(blocks_are_read_as_they_were_written),
                HOIST_TEST_ROW(arrays_go_to_their_places),
                HOIST_TEST_ROW(arrays_go_into_other_parameters), HOIST_TEST_ROW(others_are_refused),
                HOIST_TEST_ROW(blobs_are_exchanged), HOIST_TEST_ROW(several_packages_are_refused),
                HOIST_TEST_ROW(gives_memory_back))
