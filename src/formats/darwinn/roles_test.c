// What the parts of a package are for: which executable is run and which fills the chip's memory,
// the buffers of an executable by their places, and the form of weights.
#include <string.h>

#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/hints.h"
#include "formats/darwinn/layer.h"
#include "formats/darwinn/link.h"
#include "formats/darwinn/package_testing.h"
#include "formats/darwinn/recover.h"
#include "formats/darwinn/stream_tensor.h"

// clang-format off
static const struct {
    const char *name;
    dwn_kind kind;
    dwn_change changes[3];
    uint32_t main, caching;
    uint64_t token_of; // executable whose token is that of the package; UINT64_MAX: there is none
} roles[] = {
    {"one", DWN_PLAIN, {{0}}, 0, DWN_NONE, 0},
    {"one of another type is run", DWN_PLAIN, {{"executables/0/type", DWN_PARAMETER_CACHING, NULL}}, 0, DWN_NONE, 0},
    {"a pair", DWN_PAIR, {{0}}, 0, 1, 0},
    {"a pair the other way", DWN_PAIR, {{"executables/0/type", DWN_PARAMETER_CACHING, NULL}, {"executables/1/type", DWN_EXECUTION_ONLY, NULL}}, 1, 0, 1},
    {"one that stands alone goes first", DWN_TRIPLE, {{0}}, 2, DWN_NONE, 2},
    {"two that fill the memory", DWN_PAIR, {{"executables/0/type", DWN_PARAMETER_CACHING, NULL}}, DWN_NONE, 0, UINT64_MAX},
    {"two that are run", DWN_PAIR, {{"executables/1/type", DWN_EXECUTION_ONLY, NULL}}, 0, DWN_NONE, 0},
    {"unknown types", DWN_PAIR, {{"executables/0/type", 7, NULL}, {"executables/1/type", -1, NULL}}, DWN_NONE, DWN_NONE, UINT64_MAX},
};
// clang-format on

HOIST_TEST_TABLE(roles_of_executables, roles)
{
    dwn_draft draft = dwn_draft_of(t, row->kind);
    for (size_t i = 0; i < HOIST_COUNT_OF(row->changes) && row->changes[i].path; i++) {
        dwn_draft_set(&draft, row->changes[i].path, row->changes[i].value);
    }
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    const dwn_contents *const contents = module->packages;
    const dwn_roles found = dwn_roles_of(contents);
    HOIST_EXPECT_EQ(t, found.main, row->main);
    HOIST_EXPECT_EQ(t, found.caching, row->caching);
    HOIST_EXPECT(t,
                 found.main_image == (row->main == DWN_NONE ? NULL : &contents->images[row->main]));
    HOIST_EXPECT(t, found.caching_image ==
                        (row->caching == DWN_NONE ? NULL : &contents->images[row->caching]));
    const hoist_bytes streamed = dwn_parameters_of(contents, false);
    const hoist_bytes cached = dwn_parameters_of(contents, true);
    HOIST_EXPECT_EQ(t, streamed.size,
                    found.main_image ? found.main_image->rows->parameters.size : 0);
    HOIST_EXPECT_EQ(t, cached.size,
                    found.caching_image ? found.caching_image->rows->parameters.size : 0);
    HOIST_EXPECT(t, found.caching_image || !cached.data);
    HOIST_EXPECT_EQ(t, dwn_token_of(contents),
                    row->token_of == UINT64_MAX
                        ? 0
                        : contents->images[row->token_of].rows->parameter_caching_token);
    dwn_destroy(&module->base);
}

HOIST_TEST(places_are_in_the_order_of_layers)
{
    static const struct {
        int16_t desc;
        const char *name;
    } expected[] = {
        {DWN_DESC_PARAMETER, ""},  {DWN_DESC_SCRATCH, ""},      {DWN_DESC_INPUT, "image"},
        {DWN_DESC_OUTPUT, "grid"}, {DWN_DESC_OUTPUT, "scores"},
    };
    dwn_draft draft = dwn_draft_of(t, DWN_ALONE); // a batch of 2
    dwn_executable *const e = draft.executables[0];
    size_t count = 0;
    const dwn_place *places = dwn_places_of(e, &t->arena, &count);
    HOIST_EXPECT_EQ(t, count, HOIST_COUNT_OF(expected));
    for (size_t i = 0; i < count && i < HOIST_COUNT_OF(expected); i++) {
        HOIST_EXPECT_EQ(t, places[i].desc, expected[i].desc);
        HOIST_EXPECT_STR(t, places[i].name, expected[i].name);
        HOIST_EXPECT_EQ(t, places[i].count, i < DWN_PLACE_LAYERS ? 1 : 2);
        HOIST_EXPECT(t, places[i].addresses == NULL);
        HOIST_EXPECT_EQ(t, dwn_desc_is_layer(places[i].desc), i >= DWN_PLACE_LAYERS);
    }
    // What is no batch is one element, and a name that is absent is empty.
    e->batch_size = -3;
    e->input_layers.items[0].name = (hoist_str){NULL, 0};
    places = dwn_places_of(e, &t->arena, &count);
    HOIST_EXPECT_EQ(t, places[DWN_PLACE_LAYERS].count, 1);
    HOIST_EXPECT(t, places[DWN_PLACE_LAYERS].name.data && !places[DWN_PLACE_LAYERS].name.size);
    e->input_layers.count = e->output_layers.count = 0;
    HOIST_EXPECT(t, dwn_places_of(e, &t->arena, &count) && count == DWN_PLACE_LAYERS);
}

static const struct {
    const char *name;
    dwn_layer_kind kind;
    uint32_t rank;
    int64_t shape[4];
} shapes[] = {
    {"a convolution", DWN_KIND_CONVOLUTION, 4, {6, 3, 5, 2}},
    {"depthwise", DWN_KIND_DEPTHWISE, 4, {1, 3, 5, 2}},
    {"dense", DWN_KIND_DENSE, 2, {6, 30, 5, 2}},
    {"unknown", DWN_KIND_UNKNOWN, 4, {6, 3, 5, 2}},
};

HOIST_TEST_TABLE(shapes_of_weights, shapes)
{
    const dwn_recovered layer = {.kind = row->kind,
                                 .rows = 6,
                                 .weight_count = 180,
                                 .kernel = {3, 5},
                                 .input = {.h = 7, .w = 8, .c = 2}};
    int64_t shape[4] = {0};
    HOIST_EXPECT_EQ(t, dwn_weights_shape(&layer, shape), row->rank);
    for (uint32_t i = 0; i < row->rank; i++) {
        HOIST_EXPECT_EQ(t, shape[i], row->shape[i]);
    }
    HOIST_EXPECT_EQ(t, dwn_kind_has_products(row->kind), row->kind != DWN_KIND_UNKNOWN);
}

HOIST_TEST(weights_of_signed_models_are_flipped)
{
    static const uint8_t chip[] = {0, 1, 0x7f, 0x80, 0x81, 0xff};
    static const uint8_t model[] = {0x80, 0x81, 0xff, 0, 1, 0x7f};
    const hoist_bytes bytes = {chip, sizeof(chip)};
    const uint8_t *const flipped = dwn_weights_flipped(bytes, true, &t->arena);
    HOIST_EXPECT(t, flipped != chip && memcmp(flipped, model, sizeof(model)) == 0);
    HOIST_EXPECT(t, dwn_weights_flipped(bytes, false, &t->arena) == chip);
    const uint8_t *const back =
        dwn_weights_flipped((hoist_bytes){flipped, sizeof(model)}, true, &t->arena);
    HOIST_EXPECT(t, memcmp(back, chip, sizeof(chip)) == 0);
}

static const struct {
    const char *name;
    uint64_t a, b, product, sum;
} numbers[] = {
    {"small", 3, 4, 12, 7},
    {"nothing", 0, UINT64_MAX, 0, UINT64_MAX},
    {"one", 1, UINT64_MAX, UINT64_MAX, UINT64_MAX},
    {"the largest product", UINT64_C(1) << 32, UINT32_MAX, UINT64_C(0xffffffff00000000),
     UINT64_C(0x1ffffffff)},
    {"a product too large", UINT64_C(1) << 32, UINT64_C(1) << 32, UINT64_MAX, UINT64_C(1) << 33},
    {"the largest sum", UINT64_MAX - 5, 5, UINT64_MAX, UINT64_MAX},
    {"a sum too large", UINT64_MAX - 5, 7, UINT64_MAX, UINT64_MAX},
};

HOIST_TEST_TABLE(counts_saturate, numbers)
{
    HOIST_EXPECT(t, dwn_times(row->a, row->b) == row->product);
    HOIST_EXPECT(t, dwn_times(row->b, row->a) == row->product);
    HOIST_EXPECT(t, dwn_plus(row->a, row->b) == row->sum);
    HOIST_EXPECT(t, dwn_plus(row->b, row->a) == row->sum);
}

static const struct {
    const char *name;
    int32_t start, end;
    int64_t extent;
} ranges[] = {
    {"one index", 0, 0, 1},
    {"four of them", 2, 5, 4},
    {"below 0", -3, 3, 7},
    {"the other way", 5, 2, -2},
    {"all that there are", INT32_MIN, INT32_MAX, INT64_C(1) << 32},
};

HOIST_TEST_TABLE(extents_of_ranges, ranges)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_draft_set(&draft, "executables/0/output_layers/0/shape/dimension/2", row->start);
    dwn_draft_set(&draft, "executables/0/output_layers/0/shape/dimension/3", row->end);
    const dwn_tensor_shape *const shape = draft.executables[0]->output_layers.items[0].shape;
    HOIST_EXPECT_EQ(t, dwn_shape_range(shape, 1).start, row->start);
    HOIST_EXPECT_EQ(t, dwn_shape_extent(shape, 1), row->extent);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(roles_of_executables),
                HOIST_TEST_ROW(places_are_in_the_order_of_layers),
                HOIST_TEST_ROW(shapes_of_weights),
                HOIST_TEST_ROW(weights_of_signed_models_are_flipped),
                HOIST_TEST_ROW(counts_saturate), HOIST_TEST_ROW(extents_of_ranges))
