// Models as pictures: operators in order with what they read, and models that are broken.
#include "base/alloc.h"
#include "base/span.h"
#include "formats/tflite/tflite.h"
#include "formats/tflite/tflite_testing.h"
#include "testing/drawing.h"
#include "testing/trace.h"

static hoist_str text_of(hoist_test *t, tflite_model *model)
{
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(
        t, hoist_drawing_text(&hoist_tflite_format, &module->base, NULL, t->diag, 80, &out),
        HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    tflite_destroy(&module->base);
    return copy;
}

// clang-format off
static const char whole[] =
    "  5 operators\n"
    "\n"
    "     name             reads  runs on  type  shape     size  parameter\n"
    "  a  input                            INT8  1x8x8x3  192 B\n"
    "  0  CONV_2D          a      cpu      INT8  1x8x8x4  256 B      124 B\n"
    "  1  MAX_POOL_2D      0      cpu      INT8  1x4x4x4   64 B          -\n"
    "  2  RESHAPE          1      cpu      INT8  1x64      64 B        8 B\n"
    "  3  FULLY_CONNECTED  2      cpu      INT8  1x10      10 B      640 B\n"
    "  4  SOFTMAX          3      cpu      INT8  1x10      10 B          -\n"
    "  b  softmax          4               INT8  1x10      10 B\n"
    "\n"
    "  memory host, 1.3 KiB\n"
    "    parameters           |###########################################|   772 B\n"
    "    tensors              |##################################         |   596 B\n";
// clang-format on

HOIST_TEST(operators_are_listed_in_order)
{
    HOIST_EXPECT(t, hoist_str_ends_with(text_of(t, tflite_test_model(&t->arena)), whole));
}

HOIST_TEST(compiled_operators_run_elsewhere)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, (hoist_bytes){(const uint8_t *)"12345", 5});
    const hoist_str text = text_of(t, model);
    HOIST_EXPECT(t, hoist_str_contains(text, ", 1 edgetpu operator\n"));
    HOIST_EXPECT(t, hoist_str_contains(text, "  0  edgetpu-custom-op  a      edgetpu  "));
    HOIST_EXPECT(t, hoist_str_contains(text, "    packages             |"));
}

// What is wrong in a model is no reason not to draw the rest.
HOIST_TEST(broken_models_are_drawn)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_subgraph *const graph = &model->subgraphs.items[0];
    graph->operators.items[0].opcode_index = 99;
    graph->operators.items[1].outputs = TEST_INTS(&t->arena, 99);
    graph->operators.items[4].outputs = (hoist_bytes){NULL, 0};
    graph->inputs = TEST_INTS(&t->arena, 99, -5);
    graph->tensors.items[TEST_SOFTMAX].type = 99;
    graph->tensors.items[TEST_SOFTMAX].shape = (hoist_bytes){NULL, 0};
    const hoist_str text = text_of(t, model);
    HOIST_EXPECT(t,
                 hoist_str_contains(text, "  0  unknown          a      cpu      INT8  1x8x8x4"));
    HOIST_EXPECT(t, hoist_str_contains(text, "  1  MAX_POOL_2D      0      cpu      ?     ?"));
    HOIST_EXPECT(t, hoist_str_contains(text, "  c  softmax                          ?     ?"));
}

static hoist_status draw(hoist_allocator alloc, const void *self)
{
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_module *module = NULL;
    size_t depth = 0;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    HOIST_TRY(tflite_read(*(const hoist_bytes *)self, &options, NULL, &module));
    const hoist_status status = hoist_drawing_tree(&hoist_tflite_format, module, NULL, NULL, &sink);
    tflite_destroy(module);
    return status;
}

HOIST_TEST(memory_may_run_out)
{
    const hoist_bytes file = tflite_test_write(t, tflite_test_model(&t->arena));
    hoist_test_starve(t, draw, &file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(operators_are_listed_in_order),
                HOIST_TEST_ROW(compiled_operators_run_elsewhere),
                HOIST_TEST_ROW(broken_models_are_drawn), HOIST_TEST_ROW(memory_may_run_out))
