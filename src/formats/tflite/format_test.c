// The format as a whole: files that are recognised, read, written and shown, and what they hold.
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/tflite/tflite_testing.h"
#include "testing/trace.h"

// clang-format off
static const struct {
    const char *name;
    const char *head;
    size_t size;
    const char *file;
    int bid;
} bids[] = {
    {"identifier",         "\x1c\0\0\0TFL3\0\0\0\0", 12, "x",        100},
    {"identifier only",    "\x1c\0\0\0TFL3",         8,  "-",        100},
    {"name",               "\x1c\0\0\0ABCD",         8,  "a.tflite", 10},
    {"cut off",            "\x1c\0\0\0TFL",          7,  "a.tflite", 10},
    {"neither",            "\x1c\0\0\0DWN1",         8,  "a.bin",    0},
    {"empty",              "",                       0,  "",         0},
};
// clang-format on

HOIST_TEST_TABLE(files_are_recognised, bids)
{
    const hoist_bytes head = {(const uint8_t *)row->head, row->size};
    HOIST_EXPECT_EQ(t, tflite_sniff(head, hoist_str_from(row->file)), row->bid);
}

HOIST_TEST(what_is_read_is_written)
{
    const hoist_bytes file = tflite_test_write(t, tflite_test_model(&t->arena));
    tflite_module *const module = tflite_test_open(t, file);
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, tflite_write(&module->base, &out), HOIST_OK);
    HOIST_EXPECT(t, out.size == file.size && memcmp(out.data, file.data, file.size) == 0);
    out.size = 0;
    // The same model without the file's bytes is written anew.
    module->file = (hoist_bytes){NULL, 0};
    HOIST_EXPECT_EQ(t, tflite_write(&module->base, &out), HOIST_OK);
    HOIST_EXPECT(t, out.size == file.size && memcmp(out.data, file.data, file.size) == 0);
    hoist_buffer_deinit(&out);
    tflite_destroy(&module->base);
}

// The example is the test's model: tflite_example writes it anew.
HOIST_TEST(the_example_is_right)
{
    const hoist_bytes expected = tflite_test_write(t, tflite_test_model(&t->arena));
    const hoist_bytes file =
        hoist_test_file(t, HOIST_SOURCE_DIR "/examples/tflite/classifier.tflite");
    HOIST_EXPECT_EQ(t, file.size, expected.size);
    HOIST_EXPECT(t, file.size == expected.size && memcmp(file.data, expected.data, file.size) == 0);
}

// What is broken can be looked at; what is written must not be.
HOIST_TEST(what_is_broken_is_not_written)
{
    const hoist_bytes file = tflite_test_write(t, tflite_test_model(&t->arena));
    uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
    memcpy(copy, file.data, file.size);
    tflite_module *const right = tflite_test_open(t, file);
    const uint32_t at = right->model->subgraphs.items[0].tensors.items[0].table.at;
    copy[hoist_fb_place(file, at, 0) + 2] = 0xff; // the offset of its shape
    tflite_module *const module = tflite_test_open(t, (hoist_bytes){copy, file.size});
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_RULE(t, "FB-005");
    HOIST_EXPECT(t, module->model->subgraphs.items[0].tensors.items[0].shape.data == NULL);
    HOIST_EXPECT_EQ(t, tflite_write(&module->base, &out), HOIST_INVALID);
    hoist_buffer_deinit(&out);
    tflite_destroy(&module->base);
    tflite_destroy(&right->base);
}

HOIST_TEST(what_is_no_model_is_refused)
{
    hoist_module *module = NULL;
    const hoist_read_options keep = {.alloc = hoist_allocator_system(), .keep = true};
    const hoist_read_options lose = {.alloc = hoist_allocator_system()};
    const hoist_bytes file = tflite_test_write(t, tflite_test_model(&t->arena));
    HOIST_EXPECT_EQ(t, tflite_read(file, &lose, t->diag, &module), HOIST_INTERNAL);
    HOIST_EXPECT_EQ(t, tflite_read((hoist_bytes){file.data, 3}, &keep, t->diag, &module),
                    HOIST_TRUNCATED);
    HOIST_EXPECT(t, module == NULL);
    HOIST_EXPECT_RULE(t, "FB-001");
    tflite_destroy(NULL);
}

// Gives all buffers the data of the last one. Returns how many there are.
static uint32_t share_data(hoist_test *t, tflite_model *model, hoist_buffer *out)
{
    enum { SHARERS = 200, SIZE = 20000 };
    void *read = NULL;
    tflite_buffer *const items = hoist_arena_array(&t->arena, SHARERS, sizeof(*items));
    const uint8_t *const data = hoist_arena_alloc(&t->arena, SIZE);
    memcpy(items, model->buffers.items, model->buffers.count * sizeof(*items));
    for (uint32_t i = model->buffers.count; i < SHARERS; i++) {
        items[i].data = (hoist_bytes){data, i + 1 < SHARERS ? 1 : SIZE};
    }
    const uint32_t first = model->buffers.count;
    model->buffers.items = items;
    model->buffers.count = SHARERS;
    HOIST_EXPECT_EQ(t, hoist_fb_write(&tflite_model_type, model, TFLITE_IDENTIFIER, out), HOIST_OK);
    const hoist_bytes file = hoist_buffer_bytes(out);
    HOIST_EXPECT_EQ(t, hoist_fb_read(file, &tflite_model_type, NULL, &t->arena, NULL, &read),
                    HOIST_OK);
    const tflite_model *const again = read;
    const tflite_buffer *const last = &again->buffers.items[SHARERS - 1];
    const uint32_t target = (uint32_t)(last->data.data - file.data) - 4;
    uint32_t shared = 0;
    for (uint32_t i = first; i < SHARERS - 1; i++) {
        const uint32_t at = hoist_fb_place(file, again->buffers.items[i].table.at, 0);
        if (at < target) {
            hoist_store_u32le(out->data + at, target - at);
            shared++;
        }
    }
    return shared;
}

HOIST_TEST(data_that_are_shared_do_not_multiply)
{
    hoist_buffer out;
    hoist_module *module = NULL;
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT(t, share_data(t, tflite_test_model(&t->arena), &out) > 100);
    HOIST_EXPECT_EQ(t, tflite_read(hoist_buffer_bytes(&out), &options, t->diag, &module),
                    HOIST_LIMIT);
    HOIST_EXPECT_RULE(t, "FB-010");
    HOIST_EXPECT(t, module == NULL);
    hoist_buffer_deinit(&out);
}

// Events of a sink: how deep it is, and whether it ever fell below.
typedef struct depth_sink {
    hoist_tree_sink base;
    long depth;
    size_t events;
} depth_sink;

static hoist_status count_event(void *self, const hoist_tree_event *event)
{
    depth_sink *const sink = self;
    const bool opens = event->kind == HOIST_TREE_MAP || event->kind == HOIST_TREE_LIST;
    sink->depth += opens ? 1 : event->kind == HOIST_TREE_END ? -1 : 0;
    sink->events++;
    return sink->depth >= 0 ? HOIST_OK : HOIST_INTERNAL;
}

static hoist_status send_tail(const void *self, hoist_tree_sink *sink)
{
    hoist_tree_bool(sink, "tail", *(const bool *)self);
    return HOIST_OK;
}

HOIST_TEST(models_are_shown)
{
    tflite_module *const module =
        tflite_test_open(t, tflite_test_write(t, tflite_test_model(&t->arena)));
    const bool tail = true;
    const hoist_dump_options options = {.key = "module", .tail = send_tail, .tail_self = &tail};
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    hoist_tree_sink sink = hoist_trace_sink(&text);
    HOIST_EXPECT_EQ(t, tflite_visit(&module->base, &options, &sink), HOIST_OK);
    const hoist_str got = hoist_buffer_text(&text);
    HOIST_EXPECT(t, hoist_str_starts_with(got, "module: map\nversion: uint 3\n"));
    HOIST_EXPECT(t, hoist_str_contains(got, "builtin_code: str 11 MAX_POOL_2D\n"));
    HOIST_EXPECT(t, hoist_str_contains(got, "builtin_options_type: str 13 Pool2DOptions\n"));
    HOIST_EXPECT(t, hoist_str_contains(got, "fused_activation_function: str 4 RELU\n"));
    HOIST_EXPECT(t, hoist_str_ends_with(got, "tail: true\nend\n"));
    hoist_buffer_deinit(&text);
    tflite_destroy(&module->base);
}

static hoist_status take_piece(void *self, hoist_str text)
{
    hoist_buffer_str(self, text);
    return HOIST_OK;
}

HOIST_TEST(models_are_shown_as_text)
{
    tflite_module *const module =
        tflite_test_open(t, tflite_test_write(t, tflite_test_model(&t->arena)));
    hoist_buffer text;
    hoist_buffer_init(&text, hoist_allocator_system());
    const hoist_piece_sink sink = {.self = &text, .piece = take_piece};
    HOIST_EXPECT_EQ(t, tflite_text(&module->base, &sink), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&text), "custom_code") == false);
    HOIST_EXPECT(t, hoist_str_contains(hoist_buffer_text(&text), "name: softmax\n"));
    hoist_buffer_deinit(&text);
    tflite_destroy(&module->base);
}

// Compiled operators -----------------------------------------------------------------------------

HOIST_TEST(compiled_operators_are_handed_out)
{
    static const char package[] = "no package, but bytes \0 and more";
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, (hoist_bytes){(const uint8_t *)package, sizeof(package)});
    tflite_module *const module = tflite_test_open(t, tflite_test_write(t, model));
    hoist_payload *payloads = NULL;
    size_t count = 0;
    HOIST_EXPECT_EQ(t, tflite_payloads(&module->base, &t->arena, &payloads, &count), HOIST_OK);
    HOIST_EXPECT_EQ(t, count, 1);
    HOIST_EXPECT_STR(t, payloads[0].kind, "edgetpu-custom-op");
    HOIST_EXPECT_STR(t, payloads[0].path, "subgraphs/0/operators/0");
    HOIST_EXPECT_EQ(t, payloads[0].neighbours, TEST_OPS - 1);
    HOIST_EXPECT(t, module->file.data + payloads[0].offset == payloads[0].bytes.data);
    HOIST_EXPECT_EQ(t, payloads[0].input_count, 3);
    HOIST_EXPECT_EQ(t, payloads[0].output_count, 1);
    const hoist_border_tensor *const input = &payloads[0].inputs[0];
    HOIST_EXPECT_STR(t, input->name, "input");
    HOIST_EXPECT_EQ(t, input->dtype, HOIST_DTYPE_I8);
    HOIST_EXPECT(t, input->rank == 4 && input->shape[1] == 8 && input->shape[3] == 3);
    HOIST_EXPECT(t, input->is_quantized && input->scale == 0.5F && input->zero_point == -128);
    HOIST_EXPECT(t, !payloads[0].inputs[1].is_quantized); // by one scale
    hoist_flex in = {.bytes = payloads[0].bytes, .diag = t->diag};
    hoist_flex_value root;
    hoist_flex_value found;
    HOIST_EXPECT_EQ(t, hoist_flex_root(&in, &root), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_find(&root, "4", &found), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_flex_bytes(&found).size, sizeof(package));
    tflite_destroy(&module->base);
}

HOIST_TEST(plain_models_hold_nothing)
{
    tflite_module *const module =
        tflite_test_open(t, tflite_test_write(t, tflite_test_model(&t->arena)));
    hoist_payload *payloads = NULL;
    size_t count = 1;
    HOIST_EXPECT_EQ(t, tflite_payloads(&module->base, &t->arena, &payloads, &count), HOIST_OK);
    HOIST_EXPECT_EQ(t, count, 0);
    tflite_destroy(&module->base);
}

// Names ------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    tflite_operator_code code;
    const char *expected;
} names[] = {
    {"builtin", {.deprecated_builtin_code = 3, .builtin_code = 3}, "CONV_2D"},
    {"old", {.deprecated_builtin_code = 3}, "CONV_2D"},
    {"new", {.deprecated_builtin_code = 127, .builtin_code = 150}, "GELU"},
    {"unknown", {.deprecated_builtin_code = 127, .builtin_code = 250}, "operator 250"},
    {"custom", {.deprecated_builtin_code = 32, .custom_code = {"Mine", 4}}, "Mine"},
    {"custom without a name", {.builtin_code = 32}, "custom"},
};
// clang-format on

HOIST_TEST_TABLE(operators_are_named, names)
{
    char buffer[32];
    HOIST_EXPECT_STR(t, tflite_code_name(&row->code, buffer), row->expected);
    HOIST_EXPECT_STR(t, tflite_code_name(NULL, buffer), "unknown");
}

// The corpus -------------------------------------------------------------------------------------

static void expect_right(hoist_test *t, const char *path, void *self)
{
    (void)self;
    const hoist_bytes file = hoist_test_file(t, path);
    tflite_module *const module = tflite_test_open(t, file);
    HOIST_EXPECT_EQ(t, tflite_check(&module->base, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_WARNING), 0);
    if (hoist_diag_count(t->diag, HOIST_ERROR) + hoist_diag_count(t->diag, HOIST_WARNING)) {
        (void)printf("%s\n", hoist_test_findings(t).data);
    }
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, tflite_write(&module->base, &out), HOIST_OK);
    HOIST_EXPECT(t, out.size == file.size && memcmp(out.data, file.data, file.size) == 0);
    hoist_buffer_deinit(&out);
    depth_sink sink = {.base = {.event = count_event}};
    sink.base.self = &sink;
    HOIST_EXPECT_EQ(t, tflite_visit(&module->base, NULL, &sink.base), HOIST_OK);
    HOIST_EXPECT_EQ(t, tflite_info(&module->base, NULL, t->diag, &sink.base), HOIST_OK);
    HOIST_EXPECT(t, sink.depth == 0 && sink.base.status == HOIST_OK && sink.events > 100);
    tflite_destroy(&module->base);
}

static size_t expect_folder(hoist_test *t, const char *name)
{
    const char *const path = hoist_test_corpus(t, name);
    return path ? hoist_test_each_file(t, path, ".tflite", expect_right, NULL) : 0;
}

HOIST_TEST(real_models_are_right)
{
    const size_t count = expect_folder(t, "darwinn/pairs") + expect_folder(t, "darwinn/compiled") +
                         expect_folder(t, "darwinn");
    if (count == 0) {
        hoist_test_skip(t, "the corpus is absent");
    }
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(files_are_recognised), HOIST_TEST_ROW(what_is_read_is_written),
                HOIST_TEST_ROW(the_example_is_right), HOIST_TEST_ROW(what_is_broken_is_not_written),
                HOIST_TEST_ROW(what_is_no_model_is_refused),
                HOIST_TEST_ROW(data_that_are_shared_do_not_multiply),
                HOIST_TEST_ROW(models_are_shown), HOIST_TEST_ROW(models_are_shown_as_text),
                HOIST_TEST_ROW(compiled_operators_are_handed_out),
                HOIST_TEST_ROW(plain_models_hold_nothing), HOIST_TEST_ROW(operators_are_named),
                HOIST_TEST_ROW(real_models_are_right))
