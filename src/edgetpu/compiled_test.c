// Two files with programs for the Edge TPU, and one with its source.
#include <string.h>

#include "base/alloc.h"
#include "base/span.h"
#include "edgetpu/edgetpu.h"
#include "edgetpu/nested_testing.h"
#include "edgetpu/seen_testing.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/recover_testing.h"
#include "formats/darwinn/scalar_hints.h"
#include "formats/tflite/tflite_testing.h"
#include "testing/trace.h"

static edgetpu_file open_file(hoist_test *t, hoist_bytes bytes)
{
    edgetpu_file file;
    HOIST_EXPECT_EQ(t, edgetpu_open(bytes, hoist_allocator_system(), t->diag, &file), HOIST_OK);
    return file;
}

// Expects those differences, and their number.
static load_seen compare(hoist_test *t, const edgetpu_file *old, const edgetpu_file *now,
                         hoist_comparison how, const char *expected)
{
    load_seen s;
    size_t count = 0;
    size_t expected_count = 0;
    load_seen_init(&s);
    hoist_tree_sink sink = load_seen_sink(&s);
    const hoist_family *const family = &hoist_edgetpu_family;
    HOIST_EXPECT_EQ(t, family->comparison(&old->file, &now->file), how);
    HOIST_EXPECT_EQ(t, family->compare(&old->file, &now->file, &sink, &count), HOIST_OK);
    HOIST_EXPECT_STR(t, hoist_buffer_text(&s.paths), expected);
    for (const char *c = expected; *c; c++) {
        expected_count += *c == ';';
    }
    HOIST_EXPECT_EQ(t, count, expected_count);
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
    const char *expected;
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
    edgetpu_file old = open_file(t, hoist_test_edgetpu_file_of(&draft));
    row->change(&draft);
    edgetpu_file now = open_file(t, hoist_test_edgetpu_file_of(&draft));
    HOIST_EXPECT_EQ(t, compare(t, &old, &now, HOIST_COMPARISON_COMPILED, row->expected).addresses,
                    0);
    edgetpu_close(&now);
    edgetpu_close(&old);
}

// Sizes differ by as much both ways; of elements it is the one that is farthest.
HOIST_TEST(differences_have_a_size)
{
    dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    edgetpu_file old = open_file(t, hoist_test_edgetpu_file_of(&draft));
    shorten_parameters(&draft);
    edgetpu_file now = open_file(t, hoist_test_edgetpu_file_of(&draft));
    static const char expected[] = "layers/1;executables/1/parameters/size;";
    HOIST_EXPECT_EQ(t, compare(t, &old, &now, HOIST_COMPARISON_COMPILED, expected).largest, 64);
    HOIST_EXPECT_EQ(t, compare(t, &now, &old, HOIST_COMPARISON_COMPILED, expected).largest, 64);
    edgetpu_close(&now);
    edgetpu_close(&old);
}

HOIST_TEST(bare_packages_and_models)
{
    dwn_draft draft = dwn_draft_of(t, DWN_LAYERS);
    edgetpu_file bare = open_file(t, dwn_draft_package(&draft));
    change_clamp(&draft);
    edgetpu_file other = open_file(t, dwn_draft_package(&draft));
    edgetpu_file model = open_file(t, hoist_test_layers_file(t));
    (void)compare(t, &bare, &other, HOIST_COMPARISON_COMPILED,
                  "layers/1/high;" CHUNK "words/66/tensor/high;");
    (void)compare(t, &bare, &model, HOIST_COMPARISON_COMPILED, "");
    edgetpu_close(&model);
    edgetpu_close(&other);
    edgetpu_close(&bare);
}

HOIST_TEST(linked_programs_are_the_same)
{
    const hoist_link_address address = {"parameters", 0, UINT64_C(0x123456789a00)};
    const hoist_link_options options = {
        .struct_size = sizeof(options), .addresses = &address, .address_count = 1};
    hoist_link_result result = {0, 0};
    edgetpu_file old = open_file(t, hoist_test_layers_file(t));
    const hoist_payload *const payload = &old.nested[0].payload;
    const hoist_bytes bytes = tflite_of(old.module)->file;
    uint8_t *const linked = hoist_arena_alloc(&t->arena, bytes.size);
    memcpy(linked, bytes.data, bytes.size);
    const hoist_mut_bytes part = {linked + payload->offset, payload->bytes.size};
    HOIST_EXPECT_EQ(t, dwn_link_module(old.nested[0].module, &options, t->diag, part, &result),
                    HOIST_OK);
    edgetpu_file now = open_file(t, (hoist_bytes){linked, bytes.size});
    HOIST_EXPECT_EQ(t, compare(t, &old, &now, HOIST_COMPARISON_COMPILED, "").addresses, 2);
    edgetpu_close(&now);
    edgetpu_close(&old);
}

// The model that is recovered of a program is its source.
HOIST_TEST(a_recovered_model_is_the_source)
{
    edgetpu_file compiled = open_file(t, hoist_test_layers_file(t));
    hoist_buffer model;
    hoist_buffer_init(&model, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_edgetpu_family.recover_as(&compiled.file, NULL, t->diag, &model),
                    HOIST_OK);
    edgetpu_file source = open_file(t, hoist_buffer_bytes(&model));
    (void)compare(t, &source, &compiled, HOIST_COMPARISON_SOURCE, "");
    (void)compare(t, &compiled, &source, HOIST_COMPARISON_SOURCE, "");
    edgetpu_close(&source);
    edgetpu_close(&compiled);
    hoist_buffer_deinit(&model);
}

HOIST_TEST(two_models_are_compared_by_fields)
{
    edgetpu_file model = open_file(t, tflite_test_write(t, tflite_test_model(&t->arena)));
    HOIST_EXPECT_EQ(t, hoist_edgetpu_family.comparison(&model.file, &model.file),
                    HOIST_COMPARISON_FIELDS);
    edgetpu_close(&model);
}

// Inputs -----------------------------------------------------------------------------------------

// Two or three dense layers that follow each other, and a pool of what is at `from`: 200 has the
// first one's output, 300 the second one's, 350 the third one's.
static const hoist_file *pool_of(hoist_test *t, size_t layers, uint32_t from)
{
    static const uint8_t parameters[3 * 64] = {0};
    dwn_sketch sketches[4] = {
        {.reduction = 1, .input_zero = 3, .output_zero = 5, .a_base = 100, .b_base = 200},
        {.reduction = 1, .input_zero = 5, .output_zero = 5, .a_base = 200, .b_base = 300},
        {.reduction = 1, .input_zero = 5, .output_zero = 5, .a_base = 300, .b_base = 350},
    };
    const dwn_shared shared = {
        .sketches = sketches, .count = layers + 1, .size = (uint32_t)layers * 64};
    dwn_maker m = {.next_id = 0};
    dwn_maker runs = {.next_id = 0};
    dwn_model *const model = hoist_arena_array(&t->arena, 1, sizeof(*model));
    dwn_module *const module = hoist_arena_array(&t->arena, 1, sizeof(*module));
    hoist_file *const file = hoist_arena_array(&t->arena, 1, sizeof(*file));
    sketches[layers] = (dwn_sketch){
        .mode = 0x1870, .weight_zero = 5, .output_zero = 5, .copied = 1 + from, .b_base = 400};
    dwn_make_begin(&m);
    for (size_t i = 0; i < shared.count; i++) {
        dwn_make_shared(&m, &shared, i);
    }
    dwn_make_begin(&runs);
    dwn_make_runs(&runs, &shared);
    dwn_test_border(&model->input, &model->numerics[0], (dwn_extent){1, 1, 4}, 3);
    dwn_test_border(&model->output, &model->numerics[1], (dwn_extent){1, 1, 1}, 0);
    dwn_test_model(t, model, dwn_make_end(&m, false), (hoist_bytes){parameters, shared.size});
    dwn_test_runs(t, model, dwn_make_end(&runs, false));
    *module =
        (dwn_module){.base = {.format = &hoist_darwinn_format, .alloc = hoist_allocator_system()},
                     .packages = &model->contents,
                     .package_count = 1};
    *file = (hoist_file){.module = &module->base, .name = HOIST_STR("test")};
    return file;
}

HOIST_TEST(layers_that_read_another_layer)
{
    const edgetpu_file old = {.file = *pool_of(t, 2, 200)};
    const edgetpu_file now = {.file = *pool_of(t, 2, 300)};
    const edgetpu_file longer = {.file = *pool_of(t, 3, 350)};
    (void)compare(t, &old, &old, HOIST_COMPARISON_COMPILED, "");
    (void)compare(t, &old, &now, HOIST_COMPARISON_COMPILED,
                  "layers/2/inputs;" CHUNK "words/43/nw0/address;");
    // Where a layer is removed, those after it have other numbers, and read other numbers.
    load_seen s;
    size_t count = 0;
    load_seen_init(&s);
    hoist_tree_sink sink = load_seen_sink(&s);
    HOIST_EXPECT_EQ(t, hoist_edgetpu_family.compare(&longer.file, &now.file, &sink, &count),
                    HOIST_OK);
    HOIST_EXPECT(t, hoist_str_starts_with(hoist_buffer_text(&s.paths), "layers/2;executables/"));
    load_seen_deinit(&s);
}

// Limits ----------------------------------------------------------------------------------------

// A program that has more bytes than any, all of them the same ones.
HOIST_TEST(programs_without_end_are_refused)
{
    static const uint8_t zeros[1 << 20];
    enum { COUNT = DWN_MAX_PROGRAM / sizeof(zeros) + 1 };
    edgetpu_file old = open_file(t, hoist_test_layers_file(t));
    edgetpu_file now = open_file(t, hoist_test_layers_file(t));
    hoist_tree_sink sink = hoist_dropping_tree();
    size_t count = 0;
    dwn_chunk *const chunks = hoist_arena_array(&t->arena, COUNT, sizeof(*chunks));
    for (size_t i = 0; i < COUNT; i++) {
        chunks[i].stream.bytes = (hoist_bytes){zeros, sizeof(zeros)};
    }
    dwn_image *const main = dwn_of(now.nested[0].module)->packages[0].images;
    main->chunks = chunks;
    main->chunk_count = COUNT;
    HOIST_EXPECT_EQ(t, hoist_edgetpu_family.compare(&old.file, &now.file, &sink, &count),
                    HOIST_LIMIT);
    HOIST_EXPECT_EQ(t, hoist_edgetpu_family.compare(&now.file, &old.file, &sink, &count),
                    HOIST_LIMIT);
    edgetpu_close(&now);
    edgetpu_close(&old);
}

// Memory -----------------------------------------------------------------------------------------

static hoist_status open_and_compare(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *files = self;
    edgetpu_file old;
    edgetpu_file now = {.module = NULL};
    hoist_tree_sink sink = hoist_dropping_tree();
    size_t count = 0;
    HOIST_TRY(edgetpu_open(files[0], alloc, NULL, &old));
    hoist_status status = edgetpu_open(files[1], alloc, NULL, &now);
    if (status == HOIST_OK) {
        status = hoist_edgetpu_family.compare(&old.file, &now.file, &sink, &count);
    }
    edgetpu_close(&now);
    edgetpu_close(&old);
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
                HOIST_TEST_ROW(two_models_are_compared_by_fields),
                HOIST_TEST_ROW(layers_that_read_another_layer),
                HOIST_TEST_ROW(programs_without_end_are_refused), HOIST_TEST_ROW(memory_runs_out))
