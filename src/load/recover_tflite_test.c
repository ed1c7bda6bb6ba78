// A compiled model as an ordinary one, through a job.
#include <string.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "base/buffer.h"
#include "formats/darwinn/package_testing.h"
#include "formats/tflite/tflite_testing.h"
#include "load/nested_testing.h"

static hoist_job *open_job(hoist_test *t, hoist_bytes bytes, const char *name)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .bytes_stay = true};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, name, &options, t->diag, &job), HOIST_OK);
    return job;
}

// What is written of a file, in a block of its size; empty: nothing is.
static hoist_bytes recover_from(hoist_test *t, hoist_bytes file, hoist_status want)
{
    hoist_job *job = open_job(t, file, "m.tflite");
    hoist_mut_bytes model = {NULL, 0};
    hoist_bytes kept = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_recover_model(job, t->diag, &model), want);
    HOIST_EXPECT_EQ(t, model.data != NULL, want == HOIST_OK);
    if (model.data) {
        kept = hoist_test_exact(t, (hoist_bytes){model.data, model.size});
        hoist_job_free_text(job, model);
    }
    hoist_job_close(job);
    return kept;
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
    hoist_job *job = open_job(t, hoist_test_layers_file(t), "m.tflite");
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_WARNING), 0);
    hoist_job_close(job);
}

HOIST_TEST(layers_become_operators)
{
    static const int32_t codes[] = {TFLITE_OP_CONV_2D, TFLITE_OP_RESHAPE, TFLITE_OP_FULLY_CONNECTED,
                                    TFLITE_OP_RESHAPE, TFLITE_OP_QUANTIZE};
    const hoist_bytes file = recover_from(t, hoist_test_layers_file(t), HOIST_OK);
    hoist_job *job = open_job(t, file, "made.tflite");
    HOIST_EXPECT_EQ(t, hoist_job_check(job, t->diag), HOIST_OK);
    HOIST_EXPECT_RULE(t, NULL);
    hoist_job_close(job);
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

// Operators beside the compiled one, and kinds that are not used any more.
HOIST_TEST(other_operators_stay)
{
    tflite_model *model = tflite_test_model(&t->arena);
    const dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    tflite_test_compile(&t->arena, model, dwn_draft_package(&draft));
    // The operator reads and writes what the model had there, which the package does not fit.
    (void)recover_from(t, tflite_test_write(t, model), HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, "LOAD-005");
}

static void expect_refused(hoist_test *t, hoist_bytes file, size_t findings)
{
    (void)recover_from(t, file, HOIST_NOT_FOUND);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), findings);
    HOIST_EXPECT_RULE(t, "LOAD-005");
}

HOIST_TEST(every_gap_is_told)
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
    const hoist_bytes file = tflite_test_write(t, model);
    hoist_job *job = open_job(t, file, "m.tflite");
    hoist_mut_bytes made;
    HOIST_EXPECT_EQ(t, hoist_job_recover_model(job, t->diag, &made), HOIST_NOT_FOUND);
    HOIST_EXPECT(t, place_of(t, "the package has no executable") != UINT64_MAX);
    hoist_job_close(job);
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
    hoist_job *job = open_job(t, dwn_draft_package(&draft), "package.bin");
    hoist_mut_bytes made;
    HOIST_EXPECT_EQ(t, hoist_job_recover_model(job, t->diag, &made), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "LOAD-004");
    hoist_job_close(job);
}

static hoist_status recover_with(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *file = self;
    const hoist_open_options options = {
        .struct_size = sizeof(options), .bytes_stay = true, .alloc = alloc};
    hoist_job *job = NULL;
    hoist_mut_bytes made;
    HOIST_TRY(hoist_job_open_bytes(*file, "m.tflite", &options, NULL, &job));
    const hoist_status status = hoist_job_recover_model(job, NULL, &made);
    if (made.data) {
        hoist_job_free_text(job, made);
    }
    hoist_job_close(job);
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

// Nothing but too little memory is told of too little memory, be a message of any length.
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
    HOIST_EXPECT_RULE(t, "LOAD-005");
    hoist_test_starve(t, refuse_with, &file);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(the_example_is_made_by_its_program),
                HOIST_TEST_ROW(a_compiled_model_is_clean), HOIST_TEST_ROW(layers_become_operators),
                HOIST_TEST_ROW(other_operators_stay), HOIST_TEST_ROW(every_gap_is_told),
                HOIST_TEST_ROW(nothing_is_compiled), HOIST_TEST_ROW(no_package),
                HOIST_TEST_ROW(extents_may_be_anything),
                HOIST_TEST_ROW(zero_points_may_be_anything), HOIST_TEST_ROW(other_formats),
                HOIST_TEST_ROW(memory_runs_out), HOIST_TEST_ROW(memory_runs_out_for_a_finding))
