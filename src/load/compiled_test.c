// Two files with programs for the Edge TPU, and one with its source, through jobs.
#include <string.h>

#include "hoist/load.h"

#include "formats/darwinn/scalar_hints.h"
#include "formats/tflite/tflite_testing.h"
#include "load/job.h"
#include "load/nested_testing.h"
#include "load/seen_testing.h"

static hoist_job *open_job(hoist_test *t, hoist_bytes bytes, const char *name)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .bytes_stay = true};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, name, &options, t->diag, &job), HOIST_OK);
    return job;
}

// Expects those differences, and that their count is told.
static load_seen compare(hoist_test *t, const hoist_job *old, const hoist_job *now,
                         hoist_comparison how, const char *want)
{
    load_seen s;
    size_t count = 0;
    size_t wanted = 0;
    load_seen_init(&s);
    hoist_tree_sink sink = load_seen_sink(&s);
    HOIST_EXPECT_EQ(t, hoist_job_comparison(old, now), how);
    HOIST_EXPECT_EQ(t, hoist_job_compare(old, now, &sink, &count), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&s.paths), want);
    for (const char *c = want; *c; c++) {
        wanted += *c == ';';
    }
    HOIST_EXPECT_EQ(t, count, wanted);
    load_seen_deinit(&s);
    return s;
}

// Changes ----------------------------------------------------------------------------------------

// A copy of bytes with one of them changed.
static hoist_bytes changed(hoist_test *t, hoist_bytes bytes, size_t at)
{
    uint8_t *copy = hoist_arena_alloc(&t->arena, bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    copy[at] ^= 1;
    return (hoist_bytes){copy, bytes.size};
}

static void change_nothing(dwn_draft *draft)
{
    (void)draft;
}

static void change_weight(dwn_draft *draft)
{
    dwn_executable *caching = draft->executables[1];
    caching->parameters = changed(draft->t, caching->parameters, 5);
}

static void shorten_parameters(dwn_draft *draft)
{
    draft->executables[1]->parameters.size -= 64;
}

// The last tensor operation of the program, in a copy.
static hoist_mut_bytes last_operation(dwn_draft *draft)
{
    hoist_bytes *chunk = &draft->executables[0]->instruction_bitstreams.items[0].bitstream;
    uint8_t *copy = hoist_arena_alloc(&draft->t->arena, chunk->size);
    memcpy(copy, chunk->data, chunk->size);
    *chunk = (hoist_bytes){copy, chunk->size};
    const dwn_stream stream = dwn_test_stream(draft->t, *chunk);
    uint32_t word = 0;
    for (size_t i = 0; i < stream.count; i++) {
        word = stream.instructions[i].opcode == 1 ? stream.instructions[i].word : word;
    }
    return (hoist_mut_bytes){copy + (size_t)word * DWN_WORD_SIZE,
                             (size_t)DWN_MAX_WORDS * DWN_WORD_SIZE};
}

static void change_clamp(dwn_draft *draft)
{
    static const uint32_t bits = 0x42f80000; // 124
    dwn_field_store(&dwn_tensor_rows[DWN_TENSOR_HIGH], last_operation(draft), 0, bits);
}

static void change_base(dwn_draft *draft)
{
    dwn_field_store(&dwn_tensor_rows[DWN_TENSOR_B_BASE], last_operation(draft), 0, 9);
}

static void change_zero(dwn_draft *draft)
{
    dwn_field_store(&dwn_tensor_rows[DWN_TENSOR_INPUT_ZERO], last_operation(draft), 0, 9);
}

#define CHUNK "executables/0/chunks/0/"

// clang-format off
static const struct {
    const char *name;
    void (*change)(dwn_draft *draft);
    const char *want;
} rows[] = {
    {"nothing",          change_nothing,     ""},
    {"a bias",           change_weight,      "layers/0/bias[1];executables/1/parameters[5];"},
    {"fewer parameters", shorten_parameters, "layers/1;executables/1/parameters/size;"},
    {"a clamp",          change_clamp,       "layers/1/high;" CHUNK "words/66/tensor/high;"},
    {"a base",           change_base,        CHUNK "words/66/tensor/b.base;"},
    {"a zero point",     change_zero,        "layers/1;" CHUNK "words/66/tensor/input_zero;"},
};
// clang-format on

HOIST_TEST_TABLE(two_compiled_models, rows)
{
    dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    hoist_job *old = open_job(t, hoist_test_edgetpu_file_of(&draft), "old.tflite");
    row->change(&draft);
    hoist_job *now = open_job(t, hoist_test_edgetpu_file_of(&draft), "new.tflite");
    HOIST_EXPECT_EQ(t, compare(t, old, now, HOIST_COMPARISON_COMPILED, row->want).addresses, 0);
    hoist_job_close(now);
    hoist_job_close(old);
}

// Sizes differ by as much both ways; of elements it is the one that is farthest.
HOIST_TEST(differences_have_a_size)
{
    dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    hoist_job *old = open_job(t, hoist_test_edgetpu_file_of(&draft), "old.tflite");
    shorten_parameters(&draft);
    hoist_job *now = open_job(t, hoist_test_edgetpu_file_of(&draft), "new.tflite");
    static const char want[] = "layers/1;executables/1/parameters/size;";
    HOIST_EXPECT_EQ(t, compare(t, old, now, HOIST_COMPARISON_COMPILED, want).largest, 64);
    HOIST_EXPECT_EQ(t, compare(t, now, old, HOIST_COMPARISON_COMPILED, want).largest, 64);
    hoist_job_close(now);
    hoist_job_close(old);
}

HOIST_TEST(bare_packages_and_models)
{
    dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    hoist_job *bare = open_job(t, dwn_draft_package(&draft), "old.bin");
    change_clamp(&draft);
    hoist_job *other = open_job(t, dwn_draft_package(&draft), "new.bin");
    hoist_job *model = open_job(t, hoist_test_layers_file(t), "m.tflite");
    (void)compare(t, bare, other, HOIST_COMPARISON_COMPILED,
                  "layers/1/high;" CHUNK "words/66/tensor/high;");
    (void)compare(t, bare, model, HOIST_COMPARISON_COMPILED, "");
    hoist_job_close(model);
    hoist_job_close(other);
    hoist_job_close(bare);
}

HOIST_TEST(linked_programs_are_the_same)
{
    const hoist_bytes file = hoist_test_layers_file(t);
    const hoist_link_address address = {"image", 0, 0x123456789a};
    const hoist_link_options options = {
        .struct_size = sizeof(options), .addresses = &address, .address_count = 1};
    hoist_job *old = open_job(t, file, "old.tflite");
    hoist_mut_bytes linked;
    hoist_link_result result;
    HOIST_EXPECT_EQ(t, hoist_job_link(old, &options, t->diag, &linked, &result), HOIST_OK);
    hoist_job *now = open_job(t, (hoist_bytes){linked.data, linked.size}, "new.tflite");
    HOIST_EXPECT_EQ(t, compare(t, old, now, HOIST_COMPARISON_COMPILED, "").addresses, 2);
    hoist_job_close(now);
    hoist_job_free_text(old, linked);
    hoist_job_close(old);
}

// The model that is recovered of a program is its source.
HOIST_TEST(a_recovered_model_is_the_source)
{
    hoist_job *compiled = open_job(t, hoist_test_layers_file(t), "compiled.tflite");
    hoist_mut_bytes model = {NULL, 0};
    HOIST_EXPECT_EQ(t, hoist_job_recover_model(compiled, t->diag, &model), HOIST_OK);
    hoist_job *source = open_job(t, (hoist_bytes){model.data, model.size}, "source.tflite");
    (void)compare(t, source, compiled, HOIST_COMPARISON_SOURCE, "");
    (void)compare(t, compiled, source, HOIST_COMPARISON_SOURCE, "");
    hoist_job_close(source);
    hoist_job_free_text(compiled, model);
    hoist_job_close(compiled);
}

HOIST_TEST(others_are_compared_by_fields)
{
    hoist_job *model = open_job(t, tflite_test_write(t, tflite_test_model(&t->arena)), "m.tflite");
    size_t count = 1;
    hoist_tree_sink sink = {.event = NULL};
    HOIST_EXPECT_EQ(t, hoist_job_comparison(model, model), HOIST_COMPARISON_FIELDS);
    HOIST_EXPECT_EQ(t, hoist_job_compare(model, model, &sink, &count), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, count, 0);
    hoist_job_close(model);
}

HOIST_TEST(tokens_are_listed)
{
    hoist_job *model = open_job(t, tflite_test_write(t, tflite_test_model(&t->arena)), "m.tflite");
    hoist_job *compiled = open_job(t, hoist_test_layers_file(t), "c.tflite");
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
    hoist_job *bundle = open_job(t, dwn_draft_bundle(t, chips, 2), "bundle.bin");
    HOIST_EXPECT_EQ(t, hoist_job_token(bundle, 0), 0x51);
    HOIST_EXPECT_EQ(t, hoist_job_token(bundle, 1), 0x52);
    HOIST_EXPECT_EQ(t, hoist_job_token(bundle, 2), 0);
    hoist_job_close(bundle);
}

// Limits ----------------------------------------------------------------------------------------

static hoist_status drop(void *self, const hoist_tree_event *event)
{
    (void)self;
    (void)event;
    return HOIST_OK;
}

// A program that has more bytes than any, all of them the same ones.
HOIST_TEST(programs_without_end_are_refused)
{
    static const uint8_t zeros[1 << 20];
    enum { COUNT = DWN_MAX_PROGRAM / sizeof(zeros) + 1 };
    hoist_job *old = open_job(t, hoist_test_layers_file(t), "old.tflite");
    hoist_job *now = open_job(t, hoist_test_layers_file(t), "new.tflite");
    hoist_tree_sink sink = {.event = drop};
    size_t count = 0;
    dwn_chunk *const chunks = hoist_arena_array(&t->arena, COUNT, sizeof(*chunks));
    for (size_t i = 0; i < COUNT; i++) {
        chunks[i].stream.bytes = (hoist_bytes){zeros, sizeof(zeros)};
    }
    dwn_image *const main = dwn_of(hoist_job_module(now, 1))->packages[0].images;
    main->chunks = chunks;
    main->chunk_count = COUNT;
    HOIST_EXPECT_EQ(t, hoist_job_compare(old, now, &sink, &count), HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, hoist_job_compare(now, old, &sink, &count), HOIST_LIMIT);
    hoist_job_close(now);
    hoist_job_close(old);
}

// Memory -----------------------------------------------------------------------------------------

static hoist_status open_and_compare(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *files = self;
    const hoist_open_options options = {
        .struct_size = sizeof(options), .alloc = alloc, .bytes_stay = true};
    hoist_job *old = NULL;
    hoist_job *now = NULL;
    hoist_tree_sink sink = {.event = drop};
    size_t count = 0;
    HOIST_TRY(hoist_job_open_bytes(files[0], "old.tflite", &options, NULL, &old));
    hoist_status status = hoist_job_open_bytes(files[1], "new.tflite", &options, NULL, &now);
    status = status == HOIST_OK ? hoist_job_compare(old, now, &sink, &count) : status;
    hoist_job_close(now);
    hoist_job_close(old);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    const hoist_bytes first = hoist_test_edgetpu_file_of(&draft);
    change_clamp(&draft);
    const hoist_bytes files[2] = {first, hoist_test_edgetpu_file_of(&draft)};
    hoist_test_starve(t, open_and_compare, files);
    const hoist_bytes pair[2] = {tflite_test_write(t, tflite_test_model(&t->arena)), first};
    hoist_test_starve(t, open_and_compare, pair);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(differences_have_a_size), HOIST_TEST_ROW(two_compiled_models),
                HOIST_TEST_ROW(bare_packages_and_models),
                HOIST_TEST_ROW(linked_programs_are_the_same),
                HOIST_TEST_ROW(a_recovered_model_is_the_source),
                HOIST_TEST_ROW(others_are_compared_by_fields), HOIST_TEST_ROW(tokens_are_listed),
                HOIST_TEST_ROW(tokens_of_a_bundle_are_listed),
                HOIST_TEST_ROW(programs_without_end_are_refused), HOIST_TEST_ROW(memory_runs_out))
