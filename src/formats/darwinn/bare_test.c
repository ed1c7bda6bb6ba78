// Instruction streams in files of their own.
#include "base/span.h"
#include "codec/json_writer.h"
#include "formats/darwinn/module.h"
#include "formats/darwinn/package_testing.h"

// Halts, or goes on in another chunk; sends one descriptor.
static hoist_bytes stream_of(hoist_test *t, bool has_successor)
{
    dwn_maker *m = hoist_arena_alloc(&t->arena, sizeof(*m));
    m->next_id = 0;
    dwn_make_begin(m);
    (void)dwn_make_movi(m, 10, 0x40); // address
    (void)dwn_make_movi(m, 12, 64);   // size
    (void)dwn_make_movi(m, 13, DWN_TAG_INPUT);
    dwn_make_send(m);
    return dwn_make_end(m, has_successor);
}

static hoist_bytes changed(hoist_test *t, hoist_bytes bytes, size_t at, uint8_t value)
{
    uint8_t *const copy = hoist_arena_alloc(&t->arena, bytes.size);
    for (size_t i = 0; i < bytes.size; i++) {
        copy[i] = i == at ? value : bytes.data[i];
    }
    return (hoist_bytes){copy, bytes.size};
}

HOIST_TEST(files_are_recognised)
{
    const hoist_bytes sound = stream_of(t, false);
    const hoist_str name = HOIST_STR("a.coral");
    const int bid = hoist_darwinn_stream_format.sniff(sound, name);
    HOIST_EXPECT(t, bid > 0);
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.sniff((hoist_bytes){sound.data, 15}, name), 0);
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.sniff((hoist_bytes){NULL, 0}, name), 0);
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.sniff(changed(t, sound, 1, 0), name), 0);
    for (dwn_kind kind = 0; kind < DWN_KINDS; kind++) {
        const dwn_draft draft = dwn_draft_of(t, kind);
        const hoist_bytes package = dwn_draft_package(&draft);
        HOIST_EXPECT(t, hoist_darwinn_stream_format.sniff(package, name) <
                            hoist_darwinn_format.sniff(package, name));
    }
}

static const struct {
    const char *name;
    bool has_successor;
    int32_t at; // byte that is changed, -1: none
    uint8_t value;
    const char *rules;
    const char *info; // a part of what is sent
} cases[] = {
    // clang-format off
    {"sound",           false, -1, 0,    "",        "\"ends\":\"halts\""},
    {"goes on",         true,  -1, 0,    "",        "\"ends\":\"another chunk follows\""},
    {"what it asks",    false, -1, 0,    "",        "\"what\":\"input\",\"size_bytes\":64}"},
    {"another count",   false, 3,  0x55, "DWN-035", "\"opcode\":\"start\",\"count\":1}"},
    {"unknown opcode",  false, 17, 0x0e, "DWN-036", "\"instructions\":1,"},
    // clang-format on
};

static hoist_str text_of(hoist_test *t, const hoist_module *module, bool is_info)
{
    hoist_buffer out;
    hoist_json_writer writer;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_json_writer_init(&writer, &out, false, false);
    hoist_tree_sink sink = hoist_json_writer_sink(&writer);
    const hoist_dump_options options = {.key = NULL};
    if (is_info) {
        hoist_tree_map(&sink, "");
        HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.info(module, NULL, t->diag, &sink),
                        HOIST_OK);
        hoist_tree_end(&sink);
    } else {
        HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.visit(module, &options, &sink), HOIST_OK);
    }
    const hoist_str text = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_json_writer_deinit(&writer);
    hoist_buffer_deinit(&out);
    return text;
}

static void expect_written(hoist_test *t, const hoist_module *module, hoist_bytes bytes)
{
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.write(module, &out), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_equal(hoist_buffer_text(&out),
                                    (hoist_str){(const char *)bytes.data, bytes.size}));
    hoist_buffer_deinit(&out);
}

HOIST_TEST_TABLE(streams_are_read, cases)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_bytes bytes = stream_of(t, row->has_successor);
    hoist_module *module = NULL;
    bytes = row->at < 0 ? bytes : changed(t, bytes, (size_t)row->at, row->value);
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.read(bytes, &options, t->diag, &module),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.check(module, NULL, t->diag), HOIST_OK);
    HOIST_EXPECT(t, hoist_str_contains(dwn_test_rules(t), row->rules));
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR) > 0, row->at >= 0);
    HOIST_EXPECT(t, hoist_str_contains(text_of(t, module, true), row->info));
    HOIST_EXPECT(t, hoist_str_contains(text_of(t, module, false), "\"chunks\":["));
    expect_written(t, module, bytes);
    hoist_darwinn_stream_format.destroy(module);
}

// There is no flow of data to draw, and that is no reason to refuse the file.
HOIST_TEST(streams_are_drawn_as_their_size)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system(), .keep = true};
    hoist_module *module = NULL;
    hoist_picture picture;
    HOIST_EXPECT_EQ(
        t, hoist_darwinn_stream_format.read(stream_of(t, false), &options, t->diag, &module),
        HOIST_OK);
    hoist_picture_init(&picture, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.picture(module, NULL, t->diag, &picture),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, picture.graph_count, 1);
    HOIST_EXPECT_EQ(t, picture.graphs[0].node_count, 0);
    HOIST_EXPECT_EQ(t, picture.graphs[0].attr_count, 2);
    HOIST_EXPECT(t, picture.graphs[0].attrs[1].value.uinteger > 0);
    hoist_picture_deinit(&picture);
    hoist_darwinn_stream_format.destroy(module);
}

static hoist_status read_stream(hoist_allocator alloc, const void *self)
{
    const hoist_read_options options = {.alloc = alloc, .keep = true};
    hoist_module *module = NULL;
    const hoist_status status =
        hoist_darwinn_stream_format.read(*(const hoist_bytes *)self, &options, NULL, &module);
    hoist_darwinn_stream_format.destroy(module);
    return status;
}

HOIST_TEST(memory_runs_out)
{
    const hoist_bytes bytes = stream_of(t, false);
    const hoist_read_options options = {.alloc = hoist_allocator_system()};
    hoist_module *module = NULL;
    hoist_test_starve(t, read_stream, &bytes);
    HOIST_EXPECT_EQ(t, hoist_darwinn_stream_format.read(bytes, &options, NULL, &module),
                    HOIST_INTERNAL);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(files_are_recognised), HOIST_TEST_ROW(streams_are_read),
                HOIST_TEST_ROW(streams_are_drawn_as_their_size), HOIST_TEST_ROW(memory_runs_out))
