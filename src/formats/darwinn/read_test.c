// Reading: rules 1 to 11 and 15 to 18; what is read in spite of faults.
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "codec/flexbuffer_testing.h"
#include "formats/darwinn/darwinn.h"
#include "formats/darwinn/package_testing.h"
#include "formats/darwinn/read.h"

// A copy of bytes in the arena, to be changed.
static uint8_t *copy_of(hoist_test *t, hoist_bytes bytes)
{
    uint8_t *const copy = hoist_arena_alloc(&t->arena, bytes.size);
    memcpy(copy, bytes.data, bytes.size);
    return copy;
}

static hoist_bytes sound_package(hoist_test *t, dwn_kind kind)
{
    const dwn_draft draft = dwn_draft_of(t, kind);
    return dwn_draft_package(&draft);
}

// Files ------------------------------------------------------------------------------------------

static const struct {
    const char *name;
    const char *bytes;
    size_t size;
    hoist_status status;
    const char *want;
} files[] = {
    // clang-format off
    {"empty", "", 0, HOIST_TRUNCATED, "DWN-001"},
    {"7 bytes", "\4\0\0\0DWN", 7, HOIST_TRUNCATED, "DWN-001"},
    {"root behind the end", "\377\0\0\0DWN1", 8, HOIST_INVALID, "FB-001 DWN-011"},
    {"a TFLite model", "\20\0\0\0TFL3\0\0\0\0", 12, HOIST_INVALID, "DWN-003"},
    {"neither", "\20\0\0\0ABCD\0\0\0\0", 12, HOIST_INVALID, "DWN-010 FB-001 DWN-011"},
    // clang-format on
};

HOIST_TEST_TABLE(read_files, files)
{
    dwn_module *module = NULL;
    const hoist_bytes bytes = {(const uint8_t *)row->bytes, row->size};
    HOIST_EXPECT_EQ(t, dwn_test_read(t, bytes, &module), row->status);
    HOIST_EXPECT(t, module == NULL);
    HOIST_EXPECT_STR(t, dwn_test_rules(t), row->want);
}

HOIST_TEST(read_sniffs)
{
    const hoist_bytes package = sound_package(t, DWN_PLAIN);
    const hoist_bytes other = {(const uint8_t *)"\20\0\0\0TFL3", 8};
    HOIST_EXPECT_EQ(t, dwn_sniff(package, HOIST_STR("a")), 95);
    HOIST_EXPECT_EQ(t, dwn_sniff(other, HOIST_STR("a")), 0);
    HOIST_EXPECT_EQ(t, dwn_sniff((hoist_bytes){package.data, 7}, HOIST_STR("a")), 0);
    HOIST_EXPECT_EQ(t, dwn_sniff(other, HOIST_STR("edgetpu-custom-op")), 100);
}

// Slices of the bytes cannot outlive them.
HOIST_TEST(read_wants_to_keep)
{
    const hoist_read_options options = {.alloc = hoist_allocator_system()};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_read(sound_package(t, DWN_PLAIN), &options, t->diag, &module),
                    HOIST_INTERNAL);
    HOIST_EXPECT(t, module == NULL);
}

static const struct {
    const char *name;
    dwn_change change;
    const char *arch;
} chips[] = {
    {"beagle", {"executables/0/chip", 0, "beagle"}, "beagle"},
    {"beagle_fpga", {"executables/0/chip", 0, "beagle_fpga"}, "beagle_fpga"},
    {"another", {"executables/0/chip", 0, "darwin"}, NULL},
    {"none", {"executables/0/chip", -1, NULL}, NULL},
};

HOIST_TEST_TABLE(read_target, chips)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    if (row->change.text) {
        dwn_draft_name(&draft, row->change.path, row->change.text);
    } else {
        dwn_draft_set(&draft, row->change.path, row->change.value);
    }
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_package(&draft), &module), HOIST_OK);
    const hoist_check_options options = {0};
    const hoist_target target = dwn_target(&module->base, &options);
    HOIST_EXPECT_STR(t, hoist_str_from(target.arch ? target.arch : "none"),
                     row->arch ? row->arch : "none");
    dwn_destroy(&module->base);
}

// Packages with faults ---------------------------------------------------------------------------

// A member of a sound pair, of which 4 bytes are overwritten.
static const struct {
    const char *name;
    const char *path;   // NULL: the file's byte 4
    uint32_t bits;      // what is stored
    const char *want;   // findings of reading
    const char *object; // of the last of them
    bool is_read;
} damaged[] = {
    // clang-format off
    {"another identifier", NULL, 0x58585858, "DWN-010", "", true},
    {"no identifier", NULL, 0, "DWN-010", "", true},
    {"the executables' vector leads out", "serialized_multi_executable", 0x7fffffff, "FB-005 DWN-011", "", false},
    {"a text leads out", "compiler_version", 0, "FB-005 DWN-011", "", false},
    {"an executable's layers lead out", "executables/0/output_layers", 0x00ffffff, "FB-005 DWN-018", "executables/0", true},
    {"an executable's name leads out", "executables/1/name", 0x7fffffff, "FB-005 DWN-018", "executables/1", true},
    {"a hint leads out", "executables/0/dma_hints/hints/1/any_hint", 0x00ffffff, "FB-005 DWN-018", "executables/0", true},
    // clang-format on
};

HOIST_TEST_TABLE(read_damaged, damaged)
{
    const hoist_bytes package = sound_package(t, DWN_PAIR);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, package, &module), HOIST_OK);
    const uint64_t at = row->path ? dwn_test_place(module, row->path) : 4;
    dwn_destroy(&module->base);
    uint8_t *const bytes = copy_of(t, package);
    hoist_store_u32le(bytes + at, row->bits);
    HOIST_EXPECT_EQ(t, dwn_test_read(t, (hoist_bytes){bytes, package.size}, &module),
                    row->is_read ? HOIST_OK : HOIST_INVALID);
    HOIST_EXPECT_STR(t, dwn_test_rules(t), row->want);
    const size_t kept = hoist_diag_kept(t->diag);
    HOIST_EXPECT(t, kept > 0);
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, kept - 1)->object, row->object);
    if (module) {
        // The other executable is there and checked.
        HOIST_EXPECT_EQ(t, module->packages[0].image_count, 2);
        HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_OK);
        dwn_destroy(&module->base);
    }
}

// A package whose serialized_multi_executable is what the row says.
static const struct {
    const char *name;
    const char *bytes; // NULL: absent
    size_t size;
    const char *want;
    bool is_whole; // the finding is at the vector's data, else at the field
} multis[] = {
    // clang-format off
    {"absent", NULL, 0, "DWN-016", false},
    {"empty", "", 0, "DWN-016", false},
    {"4 bytes", "\4\0\0\0", 4, "FB-001 DWN-016", true},
    {"no root table", "\377\0\0\0\0\0\0\0", 8, "FB-001 DWN-016", true},
    // vtable of 4 bytes at 4, table at 8
    {"no field", "\10\0\0\0\4\0\4\0\4\0\0\0", 12, "DWN-017", false},
    // clang-format on
};

HOIST_TEST_TABLE(read_multi, multis)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    draft.rows.serialized_multi_executable =
        (hoist_bytes){(const uint8_t *)row->bytes, row->bytes ? row->size : 0};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&dwn_package_rows, &draft.rows, "DWN1", &out), HOIST_OK);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, hoist_buffer_bytes(&out), &module), HOIST_OK);
    HOIST_EXPECT_STR(t, dwn_test_rules(t), row->want);
    dwn_test_expect_at(t, "",
                       dwn_test_place(module, row->is_whole ? "serialized_multi_executable/0"
                                                            : "serialized_multi_executable"));
    HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_OK);
    dwn_destroy(&module->base);
    hoist_buffer_deinit(&out);
}

// Bundles ----------------------------------------------------------------------------------------

static const struct {
    const char *name;
    uint32_t count;
    bool has_inner; // the first chip's package is a bundle itself
    bool is_empty;  // the first chip has no bytes
    bool is_broken; // the first chip's bytes are no package
    const char *want;
    const char *object;
} bundles[] = {
    {"one chip", 1, false, false, false, "", NULL},
    {"three chips", 3, false, false, false, "", NULL},
    {"no chip", 0, false, false, false, "DWN-015", ""},
    {"a bundle in a bundle", 2, true, false, false, "DWN-015", "chips/0"},
    {"a chip without a package", 2, false, true, false, "DWN-015", "chips/0"},
    {"a chip with a broken package", 2, false, false, true, "DWN-010 FB-001 DWN-011 DWN-015",
     "chips/0"},
};

HOIST_TEST_TABLE(read_bundle, bundles)
{
    const hoist_bytes package = sound_package(t, DWN_PLAIN);
    hoist_bytes chips_of[] = {package, package, package};
    if (row->has_inner) {
        chips_of[0] = dwn_draft_bundle(t, &package, 1);
    } else if (row->is_empty) {
        chips_of[0].size = 0;
    } else if (row->is_broken) {
        chips_of[0] = (hoist_bytes){(const uint8_t *)"garbage garbage", 15};
    }
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, dwn_draft_bundle(t, chips_of, row->count), &module),
                    HOIST_OK);
    HOIST_EXPECT_STR(t, dwn_test_rules(t), row->want);
    if (row->object) {
        HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, row->object);
        HOIST_EXPECT_EQ(t, hoist_diag_at(t->diag, 0)->loc.kind, HOIST_LOC_BYTE);
    }
    HOIST_EXPECT_EQ(t, module->packages[0].chip_count, row->count);
    for (uint32_t i = 1; i < row->count; i++) {
        HOIST_EXPECT_EQ(t, module->packages[0].chips[i].image_count, 1);
    }
    HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_OK);
    dwn_destroy(&module->base);
}

// custom_options ---------------------------------------------------------------------------------

typedef enum member { // of the map; what it is instead of what it should be
    SOUND = 0,
    ABSENT,
    OF_INT,
    OF_TEXT,
    OF_NULL,
    EMPTY,
    WITH_TEXT, // a list, one item a text
    WITH_INT,
} member;

static const struct {
    const char *name;
    member four, six, seven; // keys
    bool has_three;
    uint32_t chips; // items of key 6
    uint32_t more;  // items of key 7
    hoist_status status;
    const char *want;
} maps[] = {
    // clang-format off
    {"as the compiler writes it", SOUND, SOUND, SOUND, false, 1, 0, HOIST_OK, ""},
    {"the old form", SOUND, ABSENT, ABSENT, false, 0, 0, HOIST_OK, ""},
    {"key 6 is null", SOUND, OF_NULL, ABSENT, false, 0, 0, HOIST_OK, ""},
    {"two packages", SOUND, SOUND, SOUND, false, 2, 1, HOIST_OK, "DWN-009"},
    {"three packages", SOUND, SOUND, SOUND, false, 3, 2, HOIST_OK, "DWN-009"},
    {"no key 4", ABSENT, SOUND, SOUND, false, 1, 0, HOIST_INVALID, "DWN-006"},
    {"key 4 is a number", OF_INT, SOUND, SOUND, false, 1, 0, HOIST_INVALID, "DWN-006"},
    {"a number in key 7", SOUND, SOUND, WITH_INT, false, 2, 1, HOIST_OK, "DWN-009 DWN-006"},
    {"key 3", SOUND, SOUND, SOUND, true, 1, 0, HOIST_OK, "DWN-007"},
    {"key 6 is empty", SOUND, EMPTY, SOUND, false, 0, 0, HOIST_OK, "DWN-008"},
    {"key 6 is a text", SOUND, OF_TEXT, SOUND, false, 0, 0, HOIST_OK, "DWN-008"},
    {"a text in key 6", SOUND, WITH_TEXT, SOUND, false, 1, 0, HOIST_OK, "DWN-008"},
    {"two chips, one package", SOUND, SOUND, SOUND, false, 2, 0, HOIST_OK, "DWN-008"},
    {"one chip, two packages", SOUND, SOUND, SOUND, false, 1, 1, HOIST_OK, "DWN-008 DWN-009"},
    // clang-format on
};

static void put_text(hoist_flex_writer *w, const char *text)
{
    hoist_flex_put_string(w, (hoist_bytes){(const uint8_t *)text, strlen(text)});
}

static void put_list(hoist_flex_writer *w, member form, uint32_t count, hoist_bytes package)
{
    const size_t mark = hoist_flex_open(w);
    for (uint32_t i = 0; i < count; i++) {
        if (package.data && form != WITH_INT) {
            hoist_flex_put_string(w, package);
        } else if (form == WITH_TEXT) {
            put_text(w, "18");
        } else {
            hoist_flex_put_int(w, 18);
        }
    }
    hoist_flex_close(w, mark, HOIST_FLEX_VECTOR);
}

static void put_member(hoist_flex_writer *w, const char *key, member form, uint32_t count,
                       hoist_bytes package)
{
    if (form == ABSENT) {
        return;
    }
    hoist_flex_put_key(w, hoist_str_from(key));
    if (form == OF_INT) {
        hoist_flex_put_int(w, 4);
    } else if (form == OF_TEXT) {
        put_text(w, "18");
    } else if (form == OF_NULL) {
        hoist_flex_put_null(w);
    } else if (key[0] == '4') {
        hoist_flex_put_string(w, package);
    } else {
        put_list(w, form, count, package);
    }
}

HOIST_TEST_TABLE(read_maps, maps)
{
    const hoist_bytes package = sound_package(t, DWN_PLAIN);
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    const size_t map = hoist_flex_open(&w);
    hoist_flex_put_key(&w, HOIST_STR("1"));
    hoist_flex_put_int(&w, 0);
    if (row->has_three) {
        hoist_flex_put_key(&w, HOIST_STR("3"));
        put_text(&w, "old");
    }
    put_member(&w, "4", row->four, 0, package);
    put_member(&w, "6", row->six, row->chips, (hoist_bytes){NULL, 0});
    put_member(&w, "7", row->seven, row->more, package);
    hoist_flex_close(&w, map, HOIST_FLEX_MAP);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, hoist_buffer_bytes(&out), &module), row->status);
    HOIST_EXPECT_STR(t, dwn_test_rules(t), row->want);
    HOIST_EXPECT_EQ(t, module != NULL, row->status == HOIST_OK);
    if (module) {
        HOIST_EXPECT_EQ(t, module->package_count, 1 + row->more);
        HOIST_EXPECT(t, module->is_custom && module->packages[0].rows != NULL);
        HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_OK);
        dwn_destroy(&module->base);
    }
    hoist_buffer_deinit(&out);
}

// An operator's bytes are custom_options, whatever they are.
static const struct {
    const char *name;
    const char *bytes;
    size_t size;
    const char *want;
} payloads[] = {
    {"a vector", "\1\2\3\4\5\0\0\0\50\1", 10, "DWN-005"},
    {"zeros", "\0\0\0\0\0\0\0\0\0", 9, "DWN-005"},
    {"a number", "\1\1\1\1\1\1\1\7\4\1", 10, "DWN-005"},
};

HOIST_TEST_TABLE(read_payloads, payloads)
{
    const hoist_payload payload = {.offset = 1000};
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .keep = true, .payload = &payload};
    hoist_module *module = NULL;
    const hoist_bytes bytes =
        hoist_test_exact(t, (hoist_bytes){(const uint8_t *)row->bytes, row->size});
    HOIST_EXPECT_EQ(t, dwn_read(bytes, &options, t->diag, &module), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, row->want);
    const hoist_finding *const last = hoist_diag_at(t->diag, hoist_diag_kept(t->diag) - 1);
    HOIST_EXPECT_EQ(t, last->loc.offset, 1000);
}

// Places count from the file's start, of which the operator is a part.
HOIST_TEST(read_places_in_a_file)
{
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    dwn_draft_set(&draft, "executables/0/version", 5);
    const hoist_bytes package = dwn_draft_package(&draft);
    const hoist_bytes custom = hoist_test_exact(t, dwn_draft_custom(t, &package, 1));
    const hoist_payload payload = {.offset = 100000};
    const hoist_read_options options = {
        .alloc = hoist_allocator_system(), .keep = true, .payload = &payload};
    hoist_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_read(custom, &options, t->diag, &module), HOIST_OK);
    dwn_module *const m = (dwn_module *)module;
    HOIST_EXPECT_EQ(t, dwn_test_check(t, m), HOIST_OK);
    HOIST_EXPECT_EQ(t, hoist_diag_kept(t->diag) > 0, true);
    const uint64_t place = dwn_test_place(m, "packages/0/executables/0/version");
    HOIST_EXPECT(t, place > 100000 && custom.data[place - 100000] == 5);
    HOIST_EXPECT_RULE(t, "DWN-027");
    bool found = false;
    for (size_t i = 0; i < hoist_diag_kept(t->diag); i++) {
        const hoist_finding *const f = hoist_diag_at(t->diag, i);
        found = found || (f->loc.offset == place &&
                          hoist_str_equal_c(f->object, "packages/0/executables/0"));
    }
    HOIST_EXPECT(t, found);
    dwn_destroy(module);
}

// What stands for far more than the file has is read once -----------------------------------------

// Two executables, of which the second is the first again.
HOIST_TEST(read_shared_executables)
{
    const dwn_plan plan = {.type = DWN_STAND_ALONE, .parameters = 65536};
    dwn_draft draft = dwn_draft_of(t, DWN_PLAIN);
    draft.executables[0] = dwn_draft_executable(t, &plan);
    hoist_buffer executable;
    hoist_buffer multi;
    hoist_buffer out;
    hoist_buffer_init(&executable, hoist_allocator_system());
    hoist_buffer_init(&multi, hoist_allocator_system());
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(
        t, hoist_fb_write(&dwn_executable_rows, draft.executables[0], NULL, &executable), HOIST_OK);
    hoist_str texts[] = {hoist_buffer_text(&executable), HOIST_STR("other")};
    const dwn_multi_executable rows = {.serialized_executables = {texts, 2}};
    HOIST_EXPECT_EQ(t, hoist_fb_write(&dwn_multi_executable_rows, &rows, NULL, &multi), HOIST_OK);
    // The vector: its count, then an offset for each from where it is stored.
    uint8_t *const root = multi.data + hoist_load_u32le(multi.data);
    uint8_t *const field =
        multi.data + hoist_fb_place(hoist_buffer_bytes(&multi), (uint32_t)(root - multi.data), 0);
    uint8_t *const vector = field + hoist_load_u32le(field);
    hoist_store_u32le(vector + 8, hoist_load_u32le(vector + 4) - 4);
    dwn_package package = draft.rows;
    package.serialized_multi_executable = hoist_buffer_bytes(&multi);
    HOIST_EXPECT_EQ(t, hoist_fb_write(&dwn_package_rows, &package, "DWN1", &out), HOIST_OK);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, hoist_buffer_bytes(&out), &module), HOIST_OK);
    HOIST_EXPECT_STR(t, dwn_test_rules(t), "DWN-018");
    HOIST_EXPECT_STR(t, hoist_diag_at(t->diag, 0)->object, "executables/1");
    HOIST_EXPECT(t, module->packages[0].images[0].rows && !module->packages[0].images[1].rows);
    dwn_destroy(&module->base);
    hoist_buffer_deinit(&executable);
    hoist_buffer_deinit(&multi);
    hoist_buffer_deinit(&out);
}

// Chunks that are one table: the vector of the schema's rows, many times the same.
HOIST_TEST(read_shared_chunks)
{
    enum { MANY = 1000 };
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, sound_package(t, DWN_PLAIN), &module), HOIST_OK);
    dwn_image image = module->packages[0].images[0];
    dwn_executable rows = *image.rows;
    dwn_bitstream *const chunks = hoist_arena_array(&t->arena, MANY, sizeof(*chunks));
    for (size_t i = 0; i < MANY; i++) {
        chunks[i] = rows.instruction_bitstreams.items[0];
    }
    rows.instruction_bitstreams.items = chunks;
    rows.instruction_bitstreams.count = MANY;
    image = (dwn_image){.rows = &rows, .bytes = image.bytes};
    dwn_reader r = {.module = module, .diag = t->diag, .arena = &t->arena};
    HOIST_EXPECT_EQ(t, dwn_read_chunks(&r, &image), HOIST_OK);
    HOIST_EXPECT_STR(t, dwn_test_rules(t), "DWN-018");
    HOIST_EXPECT_EQ(t, image.chunk_count, image.bytes.size / chunks[0].bitstream.size);
    dwn_destroy(&module->base);
}

// Hints whose names are one text: more bytes than the file could have.
HOIST_TEST(read_shared_names)
{
    enum { MANY = 5000 };
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, sound_package(t, DWN_PLAIN), &module), HOIST_OK);
    dwn_hints *const stored = module->packages[0].images[0].rows->dma_hints;
    dwn_stored_hint *const many = hoist_arena_array(&t->arena, MANY, sizeof(*many));
    const dwn_dma_hint *const dma = stored->hints.items[1].any_hint.value;
    dma->meta->name = (hoist_str){(const char *)module->bytes.data, module->bytes.size};
    for (size_t i = 0; i < MANY; i++) {
        many[i] = stored->hints.items[1];
    }
    stored->hints.items = many;
    stored->hints.count = MANY;
    HOIST_EXPECT_EQ(t, dwn_test_check(t, module), HOIST_LIMIT);
    dwn_destroy(&module->base);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(read_files), HOIST_TEST_ROW(read_sniffs),
                HOIST_TEST_ROW(read_wants_to_keep), HOIST_TEST_ROW(read_target),
                HOIST_TEST_ROW(read_damaged), HOIST_TEST_ROW(read_multi),
                HOIST_TEST_ROW(read_bundle), HOIST_TEST_ROW(read_maps),
                HOIST_TEST_ROW(read_payloads), HOIST_TEST_ROW(read_places_in_a_file),
                HOIST_TEST_ROW(read_shared_executables), HOIST_TEST_ROW(read_shared_chunks),
                HOIST_TEST_ROW(read_shared_names))
