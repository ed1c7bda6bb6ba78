// Jobs of formats that belong to each other, and of others.
#include "hoist/load.h"

#include "base/buffer.h"
#include "base/span.h"
#include "edgetpu/nested_testing.h"
#include "formats/tflite/tflite_testing.h"
#include "program/text.h"
#include "program/verify.h"
#include "testing/trace.h"

static hoist_job *open_job(hoist_test *t, hoist_bytes bytes, const char *name)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .bytes_stay = true};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, name, &options, t->diag, &job), HOIST_OK);
    return job;
}

// The model that is recovered of a program is its source.
HOIST_TEST(a_recovered_model_is_the_source)
{
    hoist_job *const compiled = open_job(t, hoist_test_layers_file(t), "compiled.tflite");
    hoist_mut_bytes model = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_recover_model(compiled, t->diag, &model), HOIST_OK);
    hoist_job *const source = open_job(t, (hoist_bytes){model.data, model.size}, "source.tflite");
    size_t depth = 0;
    size_t count = 1;
    hoist_tree_sink sink = hoist_depth_sink(&depth);
    HOIST_EXPECT_EQ(t, hoist_job_comparison(source, compiled), HOIST_COMPARISON_SOURCE);
    HOIST_EXPECT_EQ(t, hoist_job_comparison(compiled, compiled), HOIST_COMPARISON_COMPILED);
    HOIST_EXPECT_EQ(t, hoist_job_compare(source, compiled, &sink, &count), HOIST_OK);
    HOIST_EXPECT_EQ(t, count, 0);
    HOIST_EXPECT_EQ(t, depth, 0);
    hoist_job_close(source);
    hoist_job_free_text(compiled, model);
    hoist_job_close(compiled);
}

// Matches as text, a line each.
typedef struct matches {
    hoist_buffer text;
    hoist_status result; // of each call
} matches;

static hoist_status take_match(void *self, const hoist_layer_match *m)
{
    matches *all = self;
    hoist_buffer_format(&all->text, "%u %.*s %u %.*s %u '%.*s' %d %u of %u\n", (unsigned)m->layer,
                        HOIST_STR_ARGS(m->kind), (unsigned)m->source_operator,
                        HOIST_STR_ARGS(m->operator_name), (unsigned)m->tensor,
                        HOIST_STR_ARGS(m->tensor_name), m->is_source_old, (unsigned)m->inexact,
                        (unsigned)m->channels);
    return all->result;
}

static hoist_str match(hoist_test *t, const hoist_job *old, const hoist_job *now,
                       hoist_status result, hoist_status expected)
{
    matches all = {.result = result};
    hoist_buffer_init(&all.text, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_job_match_layers(old, now, take_match, &all), expected);
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&all.text));
    hoist_buffer_deinit(&all.text);
    return text;
}

HOIST_TEST(layers_have_their_operators)
{
    hoist_job *const compiled = open_job(t, hoist_test_layers_file(t), "compiled.tflite");
    hoist_mut_bytes model = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_recover_model(compiled, t->diag, &model), HOIST_OK);
    hoist_job *const source = open_job(t, (hoist_bytes){model.data, model.size}, "source.tflite");
    HOIST_EXPECT_STR(t, match(t, source, compiled, HOIST_OK, HOIST_OK),
                     "0 convolution 0 CONV_2D 1 'grid' 1 0 of 32\n1 dense 2 FULLY_CONNECTED 9 "
                     "'layers/1' 1 0 of 10\n");
    HOIST_EXPECT_STR(t, match(t, compiled, source, HOIST_OK, HOIST_OK),
                     "0 convolution 0 CONV_2D 1 'grid' 0 0 of 32\n1 dense 2 FULLY_CONNECTED 9 "
                     "'layers/1' 0 0 of 10\n");
    HOIST_EXPECT_STR(t, match(t, source, compiled, HOIST_LIMIT, HOIST_LIMIT),
                     "0 convolution 0 CONV_2D 1 'grid' 1 0 of 32\n");
    HOIST_EXPECT_STR(t, match(t, source, source, HOIST_OK, HOIST_UNSUPPORTED), "");
    HOIST_EXPECT_STR(t, match(t, compiled, compiled, HOIST_OK, HOIST_UNSUPPORTED), "");
    hoist_job_close(source);
    hoist_job_free_text(compiled, model);
    hoist_job_close(compiled);
}

// Tensors between layers are ports on request, and the program is as good without.
HOIST_TEST(layers_can_be_read)
{
    hoist_job *const job = open_job(t, hoist_test_layers_file(t), "compiled.tflite");
    for (int layers = 0; layers < 2; layers++) {
        const hoist_lower_options options = {
            .struct_size = sizeof options, .driver = HOIST_DRIVER_NONE, .layers = layers};
        hoist_program *program = NULL;
        hoist_buffer text;
        hoist_buffer_init(&text, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, hoist_job_lower(job, &options, t->diag, &program), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_program_print(program, &text), HOIST_OK);
        hoist_buffer_char(&text, '\0');
        for (int i = 0; i < 2; i++) {
            const hoist_str row = hoist_arena_format(
                &t->arena,
                "buffer edgetpu/0/layer/%d in chip size %d of u8[1, %s] lifetime session output\n",
                i, i ? 10 : 640, i ? "1, 1, 10" : "4, 5, 32");
            HOIST_EXPECT_EQ(t, hoist_str_contains(hoist_buffer_text(&text), row.data), layers);
        }
        hoist_buffer_deinit(&text);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        hoist_program_destroy(program);
    }
    hoist_job_close(job);
}

// Layers that are computed alone read inputs in place of each other's results.
HOIST_TEST(layers_can_be_alone)
{
    hoist_job *const job = open_job(t, hoist_test_layers_file(t), "compiled.tflite");
    for (int alone = 0; alone < 2; alone++) {
        const hoist_lower_options options = {.struct_size = sizeof options,
                                             .driver = HOIST_DRIVER_NONE,
                                             .layers = true,
                                             .layers_alone = alone};
        hoist_program *program = NULL;
        hoist_buffer text;
        hoist_buffer_init(&text, hoist_allocator_system());
        HOIST_EXPECT_EQ(t, hoist_job_lower(job, &options, t->diag, &program), HOIST_OK);
        HOIST_EXPECT_EQ(t, hoist_program_print(program, &text), HOIST_OK);
        hoist_buffer_char(&text, '\0');
        const hoist_str all = hoist_buffer_text(&text);
        HOIST_EXPECT_EQ(t, hoist_str_contains(all, "buffer edgetpu/0/given/0 in chip size 640 "),
                        alone);
        HOIST_EXPECT(t, hoist_str_contains(all, "buffer edgetpu/0/layer/1 in chip size 10 "));
        hoist_buffer_deinit(&text);
        HOIST_EXPECT_EQ(t, hoist_program_verify(program, t->diag), HOIST_OK);
        hoist_program_destroy(program);
    }
    hoist_job_close(job);
}

HOIST_TEST(what_has_no_form_is_reported)
{
    hoist_job *const job = open_job(t, hoist_test_edgetpu_file(t), "m.tflite");
    hoist_mut_bytes model;
    HOIST_EXPECT_EQ(t, hoist_job_recover_model(job, t->diag, &model), HOIST_NOT_FOUND);
    HOIST_EXPECT_RULE(t, "LOAD-005");
    HOIST_EXPECT(t, model.data == NULL);
    hoist_job_close(job);
}

static const char netlist[] = "devices:\n  arch: grayskull\n";

HOIST_TEST(others_are_compared_by_fields)
{
    hoist_job *const model =
        open_job(t, tflite_test_write(t, tflite_test_model(&t->arena)), "m.tflite");
    const hoist_bytes text = {(const uint8_t *)netlist, sizeof(netlist) - 1};
    hoist_job *const other = open_job(t, text, "n.yaml");
    hoist_tree_sink sink = {.event = NULL};
    hoist_job *const pairs[][2] = {{model, model}, {other, other}, {model, other}};
    for (size_t i = 0; i < HOIST_COUNT_OF(pairs); i++) {
        size_t count = 1;
        HOIST_EXPECT_EQ(t, hoist_job_comparison(pairs[i][0], pairs[i][1]), HOIST_COMPARISON_FIELDS);
        HOIST_EXPECT_EQ(t, hoist_job_compare(pairs[i][0], pairs[i][1], &sink, &count),
                        HOIST_UNSUPPORTED);
        HOIST_EXPECT_EQ(t, count, 0);
    }
    hoist_job_close(other);
    hoist_job_close(model);
}

HOIST_TEST(others_have_no_models)
{
    const dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    const hoist_bytes text = {(const uint8_t *)netlist, sizeof(netlist) - 1};
    hoist_job *const jobs[] = {open_job(t, dwn_draft_package(&draft), "package.bin"),
                               open_job(t, text, "n.yaml")};
    for (size_t i = 0; i < HOIST_COUNT_OF(jobs); i++) {
        hoist_mut_bytes model;
        HOIST_EXPECT_EQ(t, hoist_job_recover_model(jobs[i], t->diag, &model), HOIST_UNSUPPORTED);
        HOIST_EXPECT_RULE(t, "LOAD-004");
        hoist_job_close(jobs[i]);
    }
}

HOIST_TEST(tokens_are_listed)
{
    hoist_job *const model =
        open_job(t, tflite_test_write(t, tflite_test_model(&t->arena)), "m.tflite");
    hoist_job *const compiled = open_job(t, hoist_test_layers_file(t), "c.tflite");
    HOIST_EXPECT_EQ(t, hoist_job_token(model, 0), 0);
    HOIST_EXPECT_EQ(t, hoist_job_token(compiled, 0), 0x1234);
    HOIST_EXPECT_EQ(t, hoist_job_token(compiled, 1), 0);
    hoist_job_close(compiled);
    hoist_job_close(model);
}

HOIST_TEST(tokens_of_a_bundle_are_listed)
{
    hoist_bytes chips[2];
    for (uint32_t i = 0; i < HOIST_COUNT_OF(chips); i++) {
        dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
        dwn_draft_set(&draft, "executables/0/parameter_caching_token", 0x51 + i);
        dwn_draft_set(&draft, "executables/1/parameter_caching_token", 0x51 + i);
        chips[i] = dwn_draft_package(&draft);
    }
    hoist_job *const bundle = open_job(t, dwn_draft_bundle(t, chips, 2), "bundle.bin");
    HOIST_EXPECT_EQ(t, hoist_job_token(bundle, 0), 0x51);
    HOIST_EXPECT_EQ(t, hoist_job_token(bundle, 1), 0x52);
    HOIST_EXPECT_EQ(t, hoist_job_token(bundle, 2), 0);
    hoist_job_close(bundle);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(a_recovered_model_is_the_source),
                HOIST_TEST_ROW(layers_have_their_operators), HOIST_TEST_ROW(layers_can_be_read),
                HOIST_TEST_ROW(layers_can_be_alone), HOIST_TEST_ROW(what_has_no_form_is_reported),
                HOIST_TEST_ROW(others_are_compared_by_fields),
                HOIST_TEST_ROW(others_have_no_models), HOIST_TEST_ROW(tokens_are_listed),
                HOIST_TEST_ROW(tokens_of_a_bundle_are_listed))
