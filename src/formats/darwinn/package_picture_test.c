// Packages as pictures: recovered layers between inputs and outputs, and where parameters are.
#include <string.h>

#include "base/alloc.h"
#include "base/picture.h"
#include "base/span.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/recover_testing.h"
#include "testing/drawing.h"
#include "testing/trace.h"

// A dense layer of 4 rows with cached parameters, on `tiles` (0: the first one).
static void make_model(hoist_test *t, dwn_model *model, uint16_t tiles)
{
    const dwn_sketch dense = {
        .tiles = tiles, .reduction = 2, .input_zero = 3, .output_zero = 5, .a = {{2, 1}}};
    enum { BLOB = 128 };
    uint8_t *const blob = hoist_arena_alloc(&t->arena, BLOB);
    memset(blob, 1, BLOB);
    dwn_maker m = {.next_id = 0};
    dwn_make_begin(&m);
    dwn_make_operation(&m, &dense);
    dwn_test_border(&model->input, &model->numerics[0], (dwn_extent){1, 1, 8}, 3);
    dwn_test_border(&model->output, &model->numerics[1], (dwn_extent){1, 1, 4}, 5);
    dwn_test_model(t, model, dwn_make_end(&m, false), (hoist_bytes){blob, BLOB});
    dwn_maker runs = {.next_id = 0};
    dwn_make_begin(&runs);
    dwn_make_run(&runs, 0);
    dwn_test_runs(t, model, dwn_make_end(&runs, false));
}

static dwn_module module_of(dwn_contents *packages, uint32_t count)
{
    return (dwn_module){
        .base = {.format = &hoist_darwinn_format, .alloc = hoist_allocator_system()},
        .packages = packages,
        .package_count = count};
}

static hoist_str text_of(hoist_test *t, const dwn_module *module, size_t width)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(
        t, hoist_drawing_text(&hoist_darwinn_format, &module->base, NULL, t->diag, width, &out),
        HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return copy;
}

static const char expected[] = "package packages/0\n"
                               "==================\n"
                               "  1 layer, 1 gap\n"
                               "\n"
                               "     name        shape  cached  streamed\n"
                               "  a              1x1x8\n"
                               "  0  dense       1x1x4   128 B         -\n"
                               "  b              1x1x4\n"
                               "\n"
                               "  memory edgetpu, 128 B of 8.0 MiB\n"
                               "    cached       |#          |   128 B\n"
                               "\n"
                               "  memory host, 0 B\n";

// That the layer makes the output is not known.
HOIST_TEST(layers_stand_between_tensors)
{
    dwn_model model = {0};
    make_model(t, &model, 0);
    const dwn_module module = module_of(&model.contents, 1);
    HOIST_EXPECT_STR(t, text_of(t, &module, 40), expected);
}

HOIST_TEST(layers_have_the_tiles_of_their_instructions)
{
    dwn_model model = {0};
    hoist_picture picture;
    make_model(t, &model, 0x8001);
    const dwn_module module = module_of(&model.contents, 1);
    hoist_picture_init(&picture, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_picture(&module.base, NULL, t->diag, &picture), HOIST_OK);
    HOIST_EXPECT_EQ(t, picture.graphs[0].tile_rows * picture.graphs[0].tile_columns, 16);
    HOIST_EXPECT_EQ(t, picture.graphs[0].step_count, 1);
    HOIST_EXPECT_EQ(t, picture.graphs[0].nodes[0].tiles, 0x8001);
    HOIST_EXPECT_EQ(t, picture.graphs[0].nodes[1].tiles, 0);
    hoist_picture_deinit(&picture);
}

// A package in a model is named by its operator, several of them and bundles by their places.
HOIST_TEST(packages_have_names)
{
    const hoist_payload payload = {.path = HOIST_STR("subgraphs/0/operators/7")};
    dwn_model model = {0};
    make_model(t, &model, 0);
    dwn_module module = module_of(&model.contents, 1);
    module.payload = &payload;
    HOIST_EXPECT(
        t, hoist_str_starts_with(text_of(t, &module, 80), "package subgraphs/0/operators/7\n==="));
    dwn_contents both[] = {model.contents, {.chips = &model.contents, .chip_count = 1}};
    module = module_of(both, 2);
    const hoist_str text = text_of(t, &module, 80);
    HOIST_EXPECT(t, hoist_str_starts_with(text, "package packages/0\n==="));
    HOIST_EXPECT(t, hoist_str_contains(text, "package packages/1/chips/0\n==="));
}

HOIST_TEST(packages_without_a_program_are_left_out)
{
    dwn_contents empty = {0};
    const dwn_module module = module_of(&empty, 1);
    HOIST_EXPECT_STR(t, text_of(t, &module, 80), "");
}

static hoist_status draw(hoist_allocator alloc, const void *self)
{
    dwn_module module = *(const dwn_module *)self;
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    module.base.alloc = alloc;
    return hoist_drawing_tree(&hoist_darwinn_format, &module.base, NULL, NULL, &sink);
}

HOIST_TEST(memory_may_run_out)
{
    dwn_model model = {0};
    make_model(t, &model, 0);
    const dwn_module module = module_of(&model.contents, 1);
    hoist_test_starve(t, draw, &module);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(layers_stand_between_tensors),
                HOIST_TEST_ROW(layers_have_the_tiles_of_their_instructions),
                HOIST_TEST_ROW(packages_have_names),
                HOIST_TEST_ROW(packages_without_a_program_are_left_out),
                HOIST_TEST_ROW(memory_may_run_out))
