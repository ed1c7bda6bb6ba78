// A compiled model as an ordinary one.
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "edgetpu/edgetpu.h"
#include "edgetpu/nested_testing.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"
#include "formats/tflite/tflite.h"
#include "formats/tflite/tflite_testing.h"

static const hoist_rule no_form = {.id = "TEST-001", .severity = HOIST_ERROR};

static edgetpu_file open_file(hoist_test *t, hoist_bytes bytes)
{
    edgetpu_file file;
    HOIST_EXPECT_EQ(t, edgetpu_open(bytes, hoist_allocator_system(), t->diag, &file), HOIST_OK);
    return file;
}

// What is written of a file, in a block of its size; empty: nothing is.
static hoist_bytes recover_from(hoist_test *t, hoist_bytes bytes, hoist_status expected)
{
    edgetpu_file file = open_file(t, bytes);
    hoist_buffer model;
    hoist_buffer_init(&model, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_edgetpu_family.recover_as(&file.file, &no_form, t->diag, &model),
                    expected);
    HOIST_EXPECT_EQ(t, model.size > 0, expected == HOIST_OK);
    const hoist_bytes kept = hoist_test_exact(t, hoist_buffer_bytes(&model));
    hoist_buffer_deinit(&model);
    edgetpu_close(&file);
    return kept;
}

static void check_clean(hoist_test *t, hoist_bytes bytes)
{
    static const hoist_check_options options = {.resources = false};
    edgetpu_file file = open_file(t, bytes);
    HOIST_EXPECT_EQ(t, tflite_check(file.module, &options, t->diag), HOIST_OK);
    for (size_t i = 0; i < file.file.nested_count; i++) {
        HOIST_EXPECT_EQ(t, dwn_check_all(file.nested[i].module, &options, t->diag), HOIST_OK);
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_WARNING), 0);
    edgetpu_close(&file);
}

HOIST_TEST(the_example_is_made_by_its_program)
{
    const hoist_bytes made = hoist_test_layers_file(t);
    const hoist_bytes kept =
        hoist_test_file(t, HOIST_SOURCE_DIR "/examples/tflite/layers_edgetpu.tflite");
    HOIST_EXPECT(t, kept.size == made.size && memcmp(kept.data, made.data, made.size) == 0);
}

HOIST_TEST(a_compiled_model_is_clean)
{
    check_clean(t, hoist_test_layers_file(t));
}

HOIST_TEST(layers_become_operators)
{
    static const int32_t codes[] = {TFLITE_OP_CONV_2D, TFLITE_OP_RESHAPE, TFLITE_OP_FULLY_CONNECTED,
                                    TFLITE_OP_RESHAPE, TFLITE_OP_QUANTIZE};
    const hoist_bytes file = recover_from(t, hoist_test_layers_file(t), HOIST_OK);
    check_clean(t, file);
    tflite_module *module = tflite_test_open(t, file);
    const tflite_subgraph *graph = module->model->subgraphs.items;
    HOIST_EXPECT_EQ(t, graph->operators.count, 5);
    for (uint32_t i = 0; i < graph->operators.count && i < 5; i++) {
        const tflite_operator_code *code =
            tflite_code_of(module->model, &graph->operators.items[i]);
        HOIST_EXPECT_EQ(t, tflite_code_number(code), codes[i]);
    }
    const tflite_conv2d_options *conv = graph->operators.items[0].builtin_options.value;
    HOIST_EXPECT_EQ(t, conv->padding, TFLITE_PADDING_SAME);
    HOIST_EXPECT_EQ(t, conv->fused_activation_function, TFLITE_ACTIVATION_RELU6);
    const tflite_tensor *weights = tflite_tensor_at(graph, graph->operators.items[0].inputs, 1);
    HOIST_EXPECT_EQ(t, weights->type, TFLITE_UINT8);
    HOIST_EXPECT_EQ(t, hoist_fb_i64(weights->quantization->zero_point, 0), 120);
    HOIST_EXPECT(t, hoist_fb_f32(weights->quantization->scale, 0) == 0x1p-8F);
    tflite_destroy(&module->base);
}

// Operators next to the compiled one, and kinds that are not used any more.
HOIST_TEST(other_operators_stay)
{
    tflite_model *model = tflite_test_model(&t->arena);
    const dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    tflite_test_compile(&t->arena, model, dwn_draft_package(&draft));
    // The operator reads and writes what the model had there, which the package does not fit.
    (void)recover_from(t, tflite_test_write(t, model), HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, no_form.id);
}

static void expect_refused(hoist_test *t, hoist_bytes file, size_t findings)
{
    (void)recover_from(t, file, HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), findings);
    HOIST_EXPECT_RULE(t, no_form.id);
}

HOIST_TEST(every_gap_is_reported)
{
    expect_refused(t, hoist_test_edgetpu_file(t), 5); // instructions, two blobs, two outputs
}

HOIST_TEST(nothing_is_compiled)
{
    expect_refused(t, tflite_test_write(t, tflite_test_model(&t->arena)), 1);
}

// Where the finding is; UINT64_MAX: there is none, or without a place.
static uint64_t place_of(hoist_test *t, const char *text)
{
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *finding = hoist_diag_at(t->diag, i);
        if (hoist_str_contains(finding->message, text)) {
            return finding->loc.kind == HOIST_LOC_BYTE ? finding->loc.offset : UINT64_MAX;
        }
    }
    return UINT64_MAX;
}

HOIST_TEST(no_package)
{
    tflite_model *model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, (hoist_bytes){(const uint8_t *)"no package", 10});
    (void)recover_from(t, tflite_test_write(t, model), HOIST_NOT_FOUND);
    HOIST_EXPECT(t, place_of(t, "the package has no executable") != UINT64_MAX);
}

// A second layer of the name `image`, whose extents have a product that no int64_t has.
HOIST_TEST(extents_may_be_anything)
{
    dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    dwn_executable *const main = draft.executables[0];
    dwn_layer *const layers = hoist_arena_array(&t->arena, 2, sizeof(*layers));
    layers[0] = layers[1] = main->input_layers.items[0];
    layers[1].y_dim = layers[1].x_dim = INT32_MIN;
    main->input_layers.items = layers;
    main->input_layers.count = 2;
    expect_refused(t, hoist_test_edgetpu_file_of(&draft), 1);
    HOIST_EXPECT(t, place_of(t, "'image' is no 8-bit tensor") != UINT64_MAX);
}

// The package has an input, the operator none: its layer has no tensor at its place of the list.
HOIST_TEST(operators_may_have_fewer_tensors_than_layers)
{
    tflite_module *module = tflite_test_open(t, hoist_test_layers_file(t));
    module->model->subgraphs.items[0].operators.items[0].inputs.size = 0;
    const hoist_bytes changed = tflite_test_write(t, module->model);
    tflite_destroy(&module->base);
    expect_refused(t, changed, 1);
    HOIST_EXPECT(t, place_of(t, "'image' is no 8-bit tensor") != UINT64_MAX);
}

// Borders that do not fit -------------------------------------------------------------------------

typedef void change_tensor(hoist_test *t, tflite_tensor *tensor);

static void other_type(hoist_test *t, tflite_tensor *tensor)
{
    (void)t;
    tensor->type = TFLITE_INT16;
}

static void other_sign(hoist_test *t, tflite_tensor *tensor)
{
    (void)t;
    tensor->type = tensor->type == TFLITE_INT8 ? TFLITE_UINT8 : TFLITE_INT8;
}

static void other_scale(hoist_test *t, tflite_tensor *tensor)
{
    const float scale = hoist_fb_f32(tensor->quantization->scale, 0);
    tensor->quantization->scale = TEST_FLOATS(&t->arena, scale * 1.0000002F);
}

static void other_zero(hoist_test *t, tflite_tensor *tensor)
{
    const int64_t zero = hoist_fb_i64(tensor->quantization->zero_point, 0);
    tensor->quantization->zero_point = TEST_LONGS(&t->arena, zero + 1);
}

static void no_quantity(hoist_test *t, tflite_tensor *tensor)
{
    (void)t;
    tensor->quantization = NULL;
}

static void fewer_elements(hoist_test *t, tflite_tensor *tensor)
{
    tensor->shape = TEST_INTS(&t->arena, 1, 1);
}

static void five_dimensions(hoist_test *t, tflite_tensor *tensor)
{
    int64_t elements = 0;
    HOIST_EXPECT(t, tflite_elements(tensor, &elements));
    tensor->shape = TEST_INTS(&t->arena, 1, 1, 1, 1, (int32_t)elements);
}

static void other_name(hoist_test *t, tflite_tensor *tensor)
{
    (void)t;
    tensor->name = HOIST_STR("another");
}

static const struct {
    const char *name;
    change_tensor *change;
    bool fits;
} borders[] = {
    {"16 bits", other_type, false},
    {"the other sign", other_sign, false},
    {"the next scale", other_scale, false},
    {"the next zero point", other_zero, false},
    {"not quantised", no_quantity, false},
    {"fewer elements", fewer_elements, false},
    {"five dimensions", five_dimensions, false},
    {"a name that no layer has goes by its place", other_name, true},
};

// Each tensor at the border of the operator, changed alone.
HOIST_TEST_TABLE(tensors_at_the_border, borders)
{
    for (int side = 0; side < 2; side++) {
        tflite_module *module = tflite_test_open(t, hoist_test_layers_file(t));
        tflite_subgraph *const graph = &module->model->subgraphs.items[0];
        const tflite_operator *const op = &graph->operators.items[0];
        const int32_t index = hoist_fb_i32(side ? op->outputs : op->inputs, 0);
        row->change(t, &graph->tensors.items[index]);
        const hoist_bytes file = tflite_test_write(t, module->model);
        tflite_destroy(&module->base);
        (void)recover_from(t, file, row->fits ? HOIST_OK : HOIST_NOT_FOUND);
    }
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), row->fits ? 0 : 2);
    HOIST_EXPECT(t, row->fits || hoist_str_contains(hoist_test_findings(t), "no 8-bit tensor"));
}

static const struct {
    const char *name;
    uint32_t packages; // 0: bytes that are no map
} holders[] = {{"no map", 0}, {"two packages", 2}};

HOIST_TEST_TABLE(operators_hold_one_package, holders)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    const hoist_bytes packages[2] = {dwn_draft_package(&draft), dwn_draft_package(&draft)};
    tflite_model *model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, packages[0]);
    model->subgraphs.items[0].operators.items[0].custom_options =
        row->packages ? dwn_draft_custom(t, packages, row->packages)
                      : (hoist_bytes){(const uint8_t *)"no map", 6};
    (void)recover_from(t, tflite_test_write(t, model), HOIST_NOT_FOUND);
    HOIST_EXPECT(t, place_of(t, "the operator holds no package, or several") != UINT64_MAX);
}

// A zero point whose unsigned form no int64_t has.
HOIST_TEST(zero_points_may_be_anything)
{
    static const int64_t largest = INT64_MAX;
    const hoist_bytes file = hoist_test_layers_file(t);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
    tflite_module *module = tflite_test_open(t, file);
    const tflite_subgraph *graph = module->model->subgraphs.items;
    const tflite_tensor *scores = tflite_tensor_at(graph, graph->outputs, 1);
    const hoist_bytes zero = scores->quantization->zero_point;
    HOIST_EXPECT_EQ(t, scores->type, TFLITE_INT8);
    memcpy(copy, file.data, file.size);
    memcpy(copy + (zero.data - file.data), tflite_test_longs(&t->arena, 1, &largest).data,
           sizeof(largest));
    tflite_destroy(&module->base);
    expect_refused(t, (hoist_bytes){copy, file.size}, 1);
    HOIST_EXPECT(t, place_of(t, "'scores' is no 8-bit tensor") != UINT64_MAX);
}

HOIST_TEST(other_formats)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    (void)recover_from(t, dwn_draft_package(&draft), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, NULL);
}

static hoist_status recover_with(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *bytes = self;
    edgetpu_file file;
    hoist_buffer made;
    hoist_buffer_init(&made, alloc);
    HOIST_TRY(edgetpu_open(*bytes, alloc, NULL, &file));
    const hoist_status status = hoist_edgetpu_family.recover_as(&file.file, &no_form, NULL, &made);
    hoist_buffer_deinit(&made);
    edgetpu_close(&file);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    const hoist_bytes file = hoist_test_layers_file(t);
    hoist_test_starve(t, recover_with, &file);
}

static hoist_status refuse_with(hoist_allocator alloc, const void *self)
{
    const hoist_status status = recover_with(alloc, self);
    return status == HOIST_NOT_FOUND ? HOIST_OK : status;
}

// Nothing but too little memory is reported of too little memory, be a message of any length.
HOIST_TEST(memory_runs_out_for_a_finding)
{
    enum { LONG = 100000 };
    dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    char *const name = hoist_arena_alloc(&t->arena, LONG);
    memset(name, 'n', LONG);
    dwn_layer *const layer = &draft.executables[0]->output_layers.items[1];
    layer->name = (hoist_str){name, LONG};
    layer->data_type = DWN_FIXED_POINT16;
    const hoist_bytes file = hoist_test_edgetpu_file_of(&draft);
    (void)recover_from(t, file, HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, no_form.id);
    hoist_test_starve(t, refuse_with, &file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(the_example_is_made_by_its_program),
                HOIST_TEST_ROW(a_compiled_model_is_clean), HOIST_TEST_ROW(layers_become_operators),
                HOIST_TEST_ROW(other_operators_stay), HOIST_TEST_ROW(every_gap_is_reported),
                HOIST_TEST_ROW(nothing_is_compiled), HOIST_TEST_ROW(no_package),
                HOIST_TEST_ROW(extents_may_be_anything),
                HOIST_TEST_ROW(operators_may_have_fewer_tensors_than_layers),
                HOIST_TEST_ROW(tensors_at_the_border), HOIST_TEST_ROW(operators_hold_one_package),
                HOIST_TEST_ROW(zero_points_may_be_anything), HOIST_TEST_ROW(other_formats),
                HOIST_TEST_ROW(memory_runs_out), HOIST_TEST_ROW(memory_runs_out_for_a_finding))
