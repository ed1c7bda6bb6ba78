// A compiled model as its frame and its payloads.
#include <string.h>

#include "base/alloc.h"
#include "formats/folder_parts.h"
#include "formats/tflite/tflite_testing.h"
#include "testing/trace.h"

enum { MAX_PARTS = 8 };

typedef struct folder {
    hoist_test *t;
    hoist_part parts[MAX_PARTS];
    size_t count;
} folder;

static hoist_status keep_part(void *self, const hoist_part *part)
{
    folder *const f = self;
    HOIST_EXPECT(f->t, f->count < MAX_PARTS);
    const hoist_str path = hoist_arena_str(&f->t->arena, part->path);
    const hoist_str bytes = hoist_arena_str(
        &f->t->arena, (hoist_str){(const char *)part->bytes.data, part->bytes.size});
    f->parts[f->count++] =
        (hoist_part){.path = path, .bytes = {(const uint8_t *)bytes.data, bytes.size}};
    return HOIST_OK;
}

static bool same(hoist_bytes a, hoist_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static hoist_status unpack(hoist_test *t, hoist_bytes bytes, folder *out)
{
    const hoist_read_options read = {.alloc = hoist_allocator_system(), .keep = true};
    static const hoist_unpack_options options;
    hoist_part_sink sink = {out, keep_part};
    hoist_module *module = NULL;
    *out = (folder){.t = t};
    HOIST_EXPECT_EQ(t, tflite_read(bytes, &read, t->diag, &module), HOIST_OK);
    const hoist_status status =
        module ? tflite_unpack(module, &options, t->diag, &sink) : HOIST_INVALID;
    tflite_destroy(module);
    return status;
}

static hoist_status pack(hoist_test *t, const folder *f, hoist_bytes *out)
{
    static const hoist_pack_options options;
    hoist_buffer buffer;
    hoist_buffer_init(&buffer, hoist_allocator_system());
    const hoist_status status = tflite_pack(f->parts, f->count, &options, t->diag, &buffer);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&buffer));
    *out = (hoist_bytes){(const uint8_t *)copy.data, copy.size};
    hoist_buffer_deinit(&buffer);
    return status;
}

static const hoist_bytes package = {(const uint8_t *)"no package, but who looks", 25};

// A model whose first operators are compiled ones.
static hoist_bytes compiled(hoist_test *t, unsigned operators)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, package);
    tflite_operator *const ops = model->subgraphs.items[0].operators.items;
    for (unsigned i = 1; i < operators; i++) {
        ops[i].opcode_index = ops[0].opcode_index;
        ops[i].custom_options = ops[0].custom_options;
        ops[i].builtin_options = (hoist_fb_union){.type = 0};
    }
    return tflite_test_write(t, model);
}

static const struct {
    const char *name;
    unsigned operators;
} counts[] = {{"one operator", 1}, {"three", 3}};

HOIST_TEST_TABLE(models_come_back, counts)
{
    const hoist_bytes file = compiled(t, row->operators);
    folder f;
    hoist_bytes packed;
    HOIST_EXPECT_EQ(t, unpack(t, file, &f), HOIST_OK);
    HOIST_EXPECT_EQ(t, f.count, 1 + row->operators);
    HOIST_EXPECT_STR(t, f.parts[0].path, "model.tflite");
    HOIST_EXPECT_EQ(t, f.parts[0].bytes.size, file.size);
    HOIST_EXPECT(t, !same(f.parts[0].bytes, file));
    HOIST_EXPECT_STR(t, f.parts[row->operators].path,
                     row->operators == 1 ? "payloads/0.bin" : "payloads/2.bin");
    HOIST_EXPECT_EQ(t, pack(t, &f, &packed), HOIST_OK);
    HOIST_EXPECT(t, same(packed, file));
}

static const struct {
    const char *name;
    const char *text; // of payload 1
} exchanged[] = {
    {"a longer payload", "longer, with something that nobody has seen, and then some more of that"},
    {"a shorter one", "short"},
    {"none", ""},
};

HOIST_TEST_TABLE(payloads_can_be_exchanged, exchanged)
{
    folder f;
    folder again;
    hoist_bytes packed;
    HOIST_EXPECT_EQ(t, unpack(t, compiled(t, 3), &f), HOIST_OK);
    f.parts[2].bytes = (hoist_bytes){(const uint8_t *)row->text, strlen(row->text)};
    HOIST_EXPECT_EQ(t, pack(t, &f, &packed), HOIST_OK);
    HOIST_EXPECT_EQ(t, unpack(t, packed, &again), HOIST_OK);
    const bool is_empty = row->text[0] == '\0';
    HOIST_EXPECT_EQ(t, again.count, is_empty ? 3 : 4);
    HOIST_EXPECT(t, same(again.parts[1].bytes, f.parts[1].bytes));
    HOIST_EXPECT(t, is_empty || same(again.parts[2].bytes, f.parts[2].bytes));
    HOIST_EXPECT(t, same(again.parts[again.count - 1].bytes, f.parts[3].bytes));
}

// Data after the FlatBuffer would have to move.
HOIST_TEST(data_behind_keep_their_place)
{
    tflite_model *const model = tflite_test_model(&t->arena);
    tflite_test_compile(&t->arena, model, package);
    model->buffers.items[1] = (tflite_buffer){.offset = 16, .size = 4};
    folder f;
    hoist_bytes packed;
    const hoist_bytes file = tflite_test_write(t, model);
    HOIST_EXPECT_EQ(t, unpack(t, file, &f), HOIST_OK);
    HOIST_EXPECT_EQ(t, pack(t, &f, &packed), HOIST_OK);
    HOIST_EXPECT(t, same(packed, file));
    f.parts[1].bytes.size--;
    HOIST_EXPECT_EQ(t, pack(t, &f, &packed), HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "FOLD-004");
}

HOIST_TEST(models_of_the_cpu_are_no_containers)
{
    folder f;
    const hoist_bytes file = tflite_test_write(t, tflite_test_model(&t->arena));
    HOIST_EXPECT_EQ(t, unpack(t, file, &f), HOIST_UNSUPPORTED);
    HOIST_EXPECT_EQ(t, f.count, 0);
}

static const struct {
    const char *name;
    size_t index;    // of the part
    const char *now; // its path; NULL: it is gone
    const char *want;
} refused[] = {
    {"no model", 0, NULL, "FOLD-001"},
    {"no payload", 1, NULL, "FOLD-001"},
    {"a payload too many", 1, "payloads/1.bin", "FOLD-001"},
    {"a file of no meaning", 2, "notes.txt", "FOLD-002"},
    {"two models", 2, "model.tflite", "FOLD-003"},
};

HOIST_TEST_TABLE(folders_that_are_refused, refused)
{
    folder f;
    hoist_bytes packed;
    HOIST_EXPECT_EQ(t, unpack(t, compiled(t, 1), &f), HOIST_OK);
    f.parts[f.count] = f.parts[1];
    f.count += row->index == 2;
    if (row->now) {
        f.parts[row->index].path = hoist_str_from(row->now);
    } else {
        f.parts[row->index] = f.parts[--f.count];
    }
    HOIST_EXPECT_EQ(t, pack(t, &f, &packed), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, row->want);
}

// A file that is no model at all has no payloads.
HOIST_TEST(a_frame_that_cannot_be_read)
{
    folder f;
    hoist_bytes packed;
    HOIST_EXPECT_EQ(t, unpack(t, compiled(t, 1), &f), HOIST_OK);
    f.parts[0].bytes = package;
    HOIST_EXPECT_EQ(t, pack(t, &f, &packed), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "FOLD-002");
}

static hoist_status pack_starved(hoist_allocator alloc, const void *self)
{
    const folder *const f = self;
    static const hoist_pack_options options;
    hoist_buffer out;
    hoist_buffer_init(&out, alloc);
    const hoist_status status = tflite_pack(f->parts, f->count, &options, NULL, &out);
    hoist_buffer_deinit(&out);
    return status;
}

static hoist_status unpack_starved(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *const file = self;
    const hoist_read_options read = {.alloc = alloc, .keep = true};
    static const hoist_unpack_options options;
    hoist_part_sink sink = hoist_dropping_parts();
    hoist_module *module = NULL;
    HOIST_TRY(tflite_read(*file, &read, NULL, &module));
    const hoist_status status = tflite_unpack(module, &options, NULL, &sink);
    tflite_destroy(module);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    folder f;
    const hoist_bytes file = compiled(t, 2);
    hoist_test_starve(t, unpack_starved, &file);
    HOIST_EXPECT_EQ(t, unpack(t, file, &f), HOIST_OK);
    hoist_test_starve(t, pack_starved, &f);
    f.parts[1].bytes.size--;
    hoist_test_starve(t, pack_starved, &f);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(models_come_back), HOIST_TEST_ROW(payloads_can_be_exchanged),
                HOIST_TEST_ROW(data_behind_keep_their_place),
                HOIST_TEST_ROW(models_of_the_cpu_are_no_containers),
                HOIST_TEST_ROW(folders_that_are_refused),
                HOIST_TEST_ROW(a_frame_that_cannot_be_read), HOIST_TEST_ROW(gives_memory_back))
