// Packages as files and back: the same bytes, members exchanged, and what cannot be packed.
#include <string.h>

#include "base/reader.h"
#include "codec/flexbuffer_testing.h"
#include "formats/darwinn/package_parts_testing.h"
#include "formats/darwinn/package_testing.h"

static bool same(hoist_bytes a, hoist_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static dwn_folder folder_of(hoist_test *t, hoist_bytes bytes)
{
    dwn_folder folder;
    dwn_folder_init(&folder, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_folder_unpack(&folder, bytes, false), HOIST_OK);
    return folder;
}

static hoist_part *part_of(hoist_test *t, const dwn_folder *folder, const char *path)
{
    static hoist_part none;
    hoist_part *const part = dwn_folder_find(folder, path);
    HOIST_EXPECT(t, part != NULL);
    return part ? part : &none;
}

// Round trips ------------------------------------------------------------------------------------

typedef enum wrapping { BARE = 0, CUSTOM, BUNDLE } wrapping;

// clang-format off
static const struct {
    const char *name;
    dwn_kind kind;
    wrapping wrapping;
    size_t files; // with the manifest
} whole[] = {
    {"pair",                       DWN_PAIR,     BARE,   8},
    {"plain",                      DWN_PLAIN,    BARE,   4},
    {"batch, scratch, two chunks", DWN_ALONE,    BARE,   6},
    {"shape_info",                 DWN_SLICES,   BARE,   4},
    {"three executables",          DWN_TRIPLE,   BARE,  10},
    {"custom_options",             DWN_PAIR,     CUSTOM, 16},
    {"bundle",                     DWN_PAIR,     BUNDLE, 16},
};
// clang-format on

static hoist_bytes file_of(hoist_test *t, dwn_kind kind, wrapping around)
{
    const dwn_draft draft = dwn_draft_of(t, kind);
    const hoist_bytes package = dwn_draft_package(&draft);
    const hoist_bytes two[] = {package, package};
    return around == CUSTOM   ? dwn_draft_custom(t, two, 2)
           : around == BUNDLE ? dwn_draft_bundle(t, two, 2)
                              : package;
}

HOIST_TEST_TABLE(packages_come_back, whole)
{
    const hoist_bytes file = file_of(t, row->kind, row->wrapping);
    dwn_folder folder = folder_of(t, file);
    hoist_bytes packed;
    HOIST_EXPECT_EQ(t, folder.count, row->files);
    HOIST_EXPECT_EQ(t, dwn_folder_pack(&folder, t->diag, &packed), HOIST_OK);
    HOIST_EXPECT(t, same(packed, file));
    HOIST_EXPECT_RULE(t, NULL);
    dwn_folder_deinit(&folder);
}

// Whatever one byte is, the same file comes out, and nothing is reported of it.
HOIST_TEST(broken_packages_come_back)
{
    const hoist_bytes file = file_of(t, DWN_PAIR, CUSTOM);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
    size_t read = 0;
    memcpy(copy, file.data, file.size);
    for (size_t i = 0; i < file.size; i += i % 4096 < 512 ? 5 : 509) {
        const hoist_bytes bytes = {copy, file.size};
        dwn_folder folder;
        hoist_bytes packed;
        copy[i] ^= 0x41;
        dwn_folder_init(&folder, hoist_allocator_system());
        if (dwn_folder_unpack(&folder, bytes, false) == HOIST_OK) {
            HOIST_EXPECT_EQ(t, dwn_folder_pack(&folder, t->diag, &packed), HOIST_OK);
            HOIST_EXPECT(t, same(packed, bytes));
            read++;
        }
        dwn_folder_deinit(&folder);
        copy[i] = file.data[i];
    }
    HOIST_EXPECT(t, read > 100);
    HOIST_EXPECT_RULE(t, NULL);
}

HOIST_TEST(members_alone_have_no_manifest)
{
    dwn_folder folder;
    dwn_folder_init(&folder, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_folder_unpack(&folder, file_of(t, DWN_PAIR, BARE), true), HOIST_OK);
    HOIST_EXPECT_EQ(t, folder.count, 7);
    HOIST_EXPECT(t, !dwn_folder_find(&folder, DWN_MANIFEST_NAME));
    dwn_folder_deinit(&folder);
}

// Exchanged members ------------------------------------------------------------------------------

enum { LARGE = 10000 };

// clang-format off
static const struct {
    const char *name;
    wrapping wrapping;
    const char *path; // of the member
    size_t size;
} exchanged[] = {
    {"parameters of the same size",        BARE,   "packages/0/executables/1/parameters.bin", 128},
    {"parameters of other pages",          BARE,   "packages/0/executables/1/parameters.bin", LARGE},
    {"parameters where there were others", BARE,   "packages/0/executables/0/parameters.bin", 4096},
    {"no parameters",                      BARE,   "packages/0/executables/0/parameters.bin", 0},
    {"a longer chunk",                     BARE,   "packages/0/executables/0/chunks/0.bin", LARGE},
    {"in custom_options",                  CUSTOM, "packages/1/executables/1/parameters.bin", LARGE},
    {"of the same size there",             CUSTOM, "packages/1/executables/1/parameters.bin", 128},
    {"of a chip",                          BUNDLE, "packages/0/chips/1/executables/1/parameters.bin", LARGE},
    {"a shorter chunk of a chip",          BUNDLE, "packages/0/chips/0/executables/0/chunks/0.bin", 16},
};
// clang-format on

static hoist_bytes noise(hoist_test *t, size_t size)
{
    uint64_t state = size;
    uint8_t *const bytes = hoist_arena_alloc(&t->arena, size);
    for (size_t i = 0; i < size; i++) {
        bytes[i] = (uint8_t)hoist_test_random(&state);
    }
    return (hoist_bytes){bytes, size};
}

// All files but frames are as they were.
static void expect_members(hoist_test *t, const dwn_folder *a, const dwn_folder *b)
{
    for (size_t i = 0; i < a->count; i++) {
        const hoist_part *const was = &a->parts[i];
        const bool is_leaf = hoist_str_ends_with(was->path, "parameters.bin") ||
                             hoist_str_contains(was->path, "/chunks/");
        const hoist_part *const is = dwn_folder_find(b, was->path.data);
        HOIST_EXPECT(t, !is_leaf || was->bytes.size == 0 || (is && same(is->bytes, was->bytes)));
    }
}

// Everything large begins at a page of its package.
static void expect_pages(hoist_test *t, const dwn_contents *contents)
{
    HOIST_EXPECT_EQ(t, contents->bytes.size % DWN_PAGE, 0);
    for (uint32_t i = 0; i < contents->image_count; i++) {
        const dwn_image *const image = &contents->images[i];
        HOIST_EXPECT_EQ(t, (image->bytes.data - contents->bytes.data) % DWN_PAGE, 0);
        HOIST_EXPECT_EQ(t, image->bytes.size % DWN_PAGE, 0);
        HOIST_EXPECT_EQ(t, (image->rows->parameters.data - image->bytes.data) % DWN_PAGE, 0);
    }
    for (uint32_t i = 0; i < contents->chip_count; i++) {
        expect_pages(t, &contents->chips[i]);
    }
}

HOIST_TEST_TABLE(members_can_be_exchanged, exchanged)
{
    const hoist_bytes file = file_of(t, DWN_PAIR, row->wrapping);
    dwn_folder folder = folder_of(t, file);
    hoist_bytes packed;
    part_of(t, &folder, row->path)->bytes = noise(t, row->size);
    folder.hints = HOIST_PACK_HINTS_KEEP; // noise sends nothing
    HOIST_EXPECT_EQ(t, dwn_folder_pack(&folder, t->diag, &packed), HOIST_OK);
    dwn_folder again = folder_of(t, packed);
    expect_members(t, &folder, &again);
    dwn_module *module = NULL;
    HOIST_EXPECT_EQ(t, dwn_test_read(t, packed, &module), HOIST_OK);
    for (uint32_t i = 0; i < module->package_count; i++) {
        expect_pages(t, &module->packages[i]);
    }
    dwn_destroy(&module->base);
    dwn_folder_deinit(&again);
    dwn_folder_deinit(&folder);
}

// Fields without a row stay, and what has grown stands after.
typedef struct longer_executable {
    dwn_executable rows;
    int32_t extra;
} longer_executable;

static hoist_bytes unknown_executable(hoist_test *t)
{
    static const dwn_plan plan = {.type = DWN_STAND_ALONE, .parameters = 64};
    hoist_fb_field *const fields =
        hoist_arena_array(&t->arena, dwn_executable_rows.count + 1U, sizeof(*fields));
    memcpy(fields, dwn_executable_rows.fields, dwn_executable_rows.count * sizeof(*fields));
    fields[dwn_executable_rows.count] = (hoist_fb_field){.name = "extra",
                                                         .slot = 30,
                                                         .kind = HOIST_FB_I32,
                                                         .at = offsetof(longer_executable, extra)};
    const hoist_fb_type type = {"Longer", fields, (uint16_t)(dwn_executable_rows.count + 1U),
                                sizeof(longer_executable)};
    const longer_executable object = {*dwn_draft_executable(t, &plan), 77};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&type, &object, NULL, &out), HOIST_OK);
    const hoist_str copy = hoist_arena_str(&t->arena, hoist_buffer_text(&out));
    hoist_buffer_deinit(&out);
    return (hoist_bytes){(const uint8_t *)copy.data, copy.size};
}

HOIST_TEST(unknown_fields_stay)
{
    const hoist_bytes bytes = unknown_executable(t);
    dwn_frame frame;
    HOIST_EXPECT_EQ(t, dwn_frame_read(DWN_LEVEL_EXECUTABLE, bytes, &t->arena, &frame), HOIST_OK);
    HOIST_EXPECT_EQ(t, frame.count, 2);
    const hoist_bytes members[] = {noise(t, LARGE), frame.members[1]};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_frame_write(&frame, members, &t->arena, t->diag, &out), HOIST_OK);
    HOIST_EXPECT_EQ(t, out.size % DWN_PAGE, 0);
    dwn_frame again;
    HOIST_EXPECT_EQ(
        t, dwn_frame_read(DWN_LEVEL_EXECUTABLE, hoist_buffer_bytes(&out), &t->arena, &again),
        HOIST_OK);
    HOIST_EXPECT_EQ(t, ((const hoist_fb_table *)again.rows)->unknowns, 1);
    HOIST_EXPECT_EQ(t, (again.members[0].data - out.data) % DWN_PAGE, 0);
    HOIST_EXPECT(t, same(again.members[0], members[0]));
    hoist_buffer_deinit(&out);
}

// Parameters where the table has no field for them, and unknown fields.
HOIST_TEST(what_cannot_be_moved_is_refused)
{
    const hoist_bytes bytes = unknown_executable(t);
    dwn_frame frame;
    HOIST_EXPECT_EQ(t, dwn_frame_read(DWN_LEVEL_EXECUTABLE, bytes, &t->arena, &frame), HOIST_OK);
    const hoist_bytes members[] = {{NULL, 0}, frame.members[1]};
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_frame_write(&frame, members, &t->arena, t->diag, &out),
                    HOIST_UNSUPPORTED);
    HOIST_EXPECT_RULE(t, "FOLD-004");
    hoist_buffer_deinit(&out);
}

// Two chunks that are one in the file are two when one of them is changed.
HOIST_TEST(shared_members_part)
{
    dwn_draft draft = dwn_draft_of(t, DWN_ALONE);
    dwn_executable *const e = draft.executables[0];
    e->instruction_bitstreams.items[1].bitstream = e->instruction_bitstreams.items[0].bitstream;
    hoist_buffer out;
    hoist_buffer_init(&out, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_fb_write(&dwn_executable_rows, e, NULL, &out), HOIST_OK);
    dwn_frame frame;
    HOIST_EXPECT_EQ(
        t, dwn_frame_read(DWN_LEVEL_EXECUTABLE, hoist_buffer_bytes(&out), &t->arena, &frame),
        HOIST_OK);
    // As a file that shares them would be read.
    frame.members[2] = frame.members[1];
    dwn_executable *const rows = frame.rows;
    rows->instruction_bitstreams.items[1].bitstream = frame.members[1];
    const hoist_bytes members[] = {frame.members[0], frame.members[1],
                                   noise(t, frame.members[1].size)};
    hoist_buffer made;
    hoist_buffer_init(&made, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_frame_write(&frame, members, &t->arena, t->diag, &made), HOIST_OK);
    dwn_frame again;
    HOIST_EXPECT_EQ(
        t, dwn_frame_read(DWN_LEVEL_EXECUTABLE, hoist_buffer_bytes(&made), &t->arena, &again),
        HOIST_OK);
    HOIST_EXPECT(t, hoist_frame_same_bytes(again.members, members, 3));
    hoist_buffer_deinit(&made);
    hoist_buffer_deinit(&out);
}

// A map whose first package is a number has only the others as members.
HOIST_TEST(the_first_package_may_be_missing)
{
    const hoist_bytes package = file_of(t, DWN_PAIR, BARE);
    hoist_buffer out;
    hoist_flex_writer w;
    hoist_buffer_init(&out, hoist_allocator_system());
    hoist_flex_writer_init(&w, &out);
    const size_t map = hoist_flex_open(&w);
    hoist_flex_put_key(&w, HOIST_STR("4"));
    hoist_flex_put_int(&w, 7);
    hoist_flex_put_key(&w, HOIST_STR("7"));
    const size_t list = hoist_flex_open(&w);
    hoist_flex_put_string(&w, package);
    hoist_flex_close(&w, list, HOIST_FLEX_VECTOR);
    hoist_flex_close(&w, map, HOIST_FLEX_MAP);
    HOIST_EXPECT_EQ(t, hoist_flex_finish(&w), HOIST_OK);
    dwn_frame frame;
    dwn_frame again;
    HOIST_EXPECT_EQ(
        t, dwn_frame_read(DWN_LEVEL_CUSTOM, hoist_buffer_bytes(&out), &t->arena, &frame), HOIST_OK);
    HOIST_EXPECT_EQ(t, frame.count, 1);
    hoist_bytes *const members = hoist_arena_alloc(&t->arena, sizeof(*members)); // and no more
    *members = noise(t, LARGE);
    hoist_buffer made;
    hoist_buffer_init(&made, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, dwn_frame_write(&frame, members, &t->arena, t->diag, &made), HOIST_OK);
    HOIST_EXPECT_EQ(t,
                    dwn_frame_read(DWN_LEVEL_CUSTOM, hoist_buffer_bytes(&made), &t->arena, &again),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, again.count, 1);
    HOIST_EXPECT(t, again.count == 1 && same(again.members[0], members[0]));
    hoist_buffer_deinit(&made);
    hoist_buffer_deinit(&out);
}

// Hints ------------------------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    hoist_pack_hints hints;
    bool is_exchanged; // the chunk, for one that sends as many parameters as there are
    bool is_made;      // the hints are those of the exchanged chunk
} hints[] = {
    {"nothing has changed",  HOIST_PACK_HINTS_AUTO, false, false},
    {"made all the same",    HOIST_PACK_HINTS_MAKE, false, false},
    {"made where it has",    HOIST_PACK_HINTS_AUTO, true,  true},
    {"kept",                 HOIST_PACK_HINTS_KEEP, true,  false},
};
// clang-format on

static hoist_bytes package_with(hoist_test *t, uint32_t parameters)
{
    const dwn_plan plan = {.type = DWN_STAND_ALONE, .parameters = parameters};
    dwn_draft draft = {.t = t, .count = 1, .rows = dwn_draft_of(t, DWN_PLAIN).rows};
    draft.executables[0] = dwn_draft_executable(t, &plan);
    return dwn_draft_package(&draft);
}

#define CHUNK "packages/0/executables/0/chunks/0.bin"
#define PARAMETERS "packages/0/executables/0/parameters.bin"

// Instructions and parameters of another package, which differs in nothing else but hints.
HOIST_TEST_TABLE(hints_follow_the_instructions, hints)
{
    const hoist_bytes small = package_with(t, 64);
    const hoist_bytes large = package_with(t, 4160);
    dwn_folder folder = folder_of(t, small);
    dwn_folder other = folder_of(t, large);
    hoist_bytes packed;
    folder.hints = row->hints;
    if (row->is_exchanged) {
        part_of(t, &folder, CHUNK)->bytes = part_of(t, &other, CHUNK)->bytes;
        part_of(t, &folder, PARAMETERS)->bytes = part_of(t, &other, PARAMETERS)->bytes;
    }
    HOIST_EXPECT_EQ(t, dwn_folder_pack(&folder, t->diag, &packed), HOIST_OK);
    HOIST_EXPECT_EQ(t, same(packed, large), row->is_made);
    HOIST_EXPECT_EQ(t, same(packed, small), !row->is_exchanged);
    dwn_folder_deinit(&other);
    dwn_folder_deinit(&folder);
}

// The chunk of a package with more parameters than there are.
HOIST_TEST(instructions_of_other_parameters_are_refused)
{
    dwn_folder folder = folder_of(t, package_with(t, 64));
    dwn_folder other = folder_of(t, package_with(t, 4160));
    hoist_bytes packed;
    part_of(t, &folder, CHUNK)->bytes = part_of(t, &other, CHUNK)->bytes;
    HOIST_EXPECT_EQ(t, dwn_folder_pack(&folder, t->diag, &packed), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "FOLD-006");
    folder.hints = HOIST_PACK_HINTS_KEEP;
    HOIST_EXPECT_EQ(t, dwn_folder_pack(&folder, t->diag, &packed), HOIST_OK);
    dwn_folder_deinit(&other);
    dwn_folder_deinit(&folder);
}

HOIST_TEST(instructions_without_a_meaning_are_refused)
{
    dwn_folder folder = folder_of(t, package_with(t, 64));
    hoist_bytes packed;
    part_of(t, &folder, CHUNK)->bytes = noise(t, 64);
    HOIST_EXPECT_EQ(t, dwn_folder_pack(&folder, t->diag, &packed), HOIST_INVALID);
    HOIST_EXPECT_RULE(t, "FOLD-006");
    dwn_folder_deinit(&folder);
}

// What cannot be packed --------------------------------------------------------------------------

// clang-format off
static const struct {
    const char *name;
    const char *path; // of the part that is changed; NULL: it is a new one
    const char *now;  // its path; NULL: it is gone
    const char *text; // of its bytes; NULL: as they were
    const char *want;
} refused[] = {
    {"no manifest",            DWN_MANIFEST_NAME,                         NULL, NULL, "FOLD-001"},
    {"no package",             "packages/0/package.bin",                  NULL, NULL, "FOLD-001"},
    {"no executable",          "packages/0/executables/0/executable.bin", NULL, NULL, "FOLD-001"},
    {"no parameters",          "packages/0/executables/1/parameters.bin", NULL, NULL, "FOLD-001"},
    {"no chunk",               "packages/0/executables/1/chunks/0.bin",   NULL, NULL, "FOLD-001"},
    {"a misspelled name",      "packages/0/executables/1/parameters.bin", "packages/0/executables/1/parameter.bin", NULL, "FOLD-001"},
    {"an executable too many", NULL, "packages/0/executables/2/parameters.bin", "x", "FOLD-002"},
    {"a broken frame",         "packages/0/executables/1/executable.bin", "packages/0/executables/1/executable.bin", "what?", "FOLD-002"},
    {"an empty frame",         "packages/0/executables/1/executable.bin", "packages/0/executables/1/executable.bin", "", "FOLD-002"},
    {"a name twice",           "packages/0/executables/1/parameters.bin", "packages/0/package.bin", NULL, "FOLD-003"},
    {"a manifest of something", DWN_MANIFEST_NAME, DWN_MANIFEST_NAME, "{\"contents\": \"oats\"}", "FOLD-005"},
    {"a manifest of nothing",  DWN_MANIFEST_NAME, DWN_MANIFEST_NAME, "{}", "FOLD-005"},
    {"a manifest that is a list", DWN_MANIFEST_NAME, DWN_MANIFEST_NAME, "[]", "FOLD-005"},
    {"a manifest that is no JSON", DWN_MANIFEST_NAME, DWN_MANIFEST_NAME, "{", "JSON-002"},
    {"other contents",         DWN_MANIFEST_NAME, DWN_MANIFEST_NAME, "{\"contents\": \"custom_options\"}", "FOLD-001"},
};
// clang-format on

HOIST_TEST_TABLE(folders_that_are_refused, refused)
{
    dwn_folder folder = folder_of(t, file_of(t, DWN_PAIR, BARE));
    const hoist_part blank = {.path = HOIST_STR("")};
    HOIST_EXPECT_EQ(t, row->path ? HOIST_OK : dwn_folder_take(&folder, &blank), HOIST_OK);
    hoist_part *const part = part_of(t, &folder, row->path ? row->path : "");
    hoist_bytes packed;
    if (!row->now) {
        *part = folder.parts[--folder.count];
    } else {
        part->path = hoist_str_from(row->now);
    }
    if (row->text) {
        part->bytes = (hoist_bytes){(const uint8_t *)row->text, strlen(row->text)};
    }
    const hoist_status status = dwn_folder_pack(&folder, t->diag, &packed);
    HOIST_EXPECT(t, status == HOIST_INVALID || status == HOIST_TRUNCATED);
    HOIST_EXPECT_RULE(t, row->want);
    dwn_folder_deinit(&folder);
}

static hoist_status there_and_back(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *const file = self;
    dwn_folder folder;
    hoist_bytes packed;
    dwn_folder_init(&folder, alloc);
    folder.hints = HOIST_PACK_HINTS_KEEP;
    hoist_status status = dwn_folder_unpack(&folder, *file, false);
    for (size_t i = 0; status == HOIST_OK && i < folder.count; i++) {
        const bool is_chunk = hoist_str_contains(folder.parts[i].path, "/chunks/");
        folder.parts[i].bytes.size -= is_chunk ? 16 : 0;
    }
    status = status == HOIST_OK ? dwn_folder_pack(&folder, NULL, &packed) : status;
    dwn_folder_deinit(&folder);
    return status;
}

static hoist_status make_hints_again(hoist_allocator alloc, const void *self)
{
    const hoist_bytes *const file = self;
    dwn_folder folder;
    hoist_bytes packed;
    dwn_folder_init(&folder, alloc);
    folder.hints = HOIST_PACK_HINTS_MAKE;
    hoist_status status = dwn_folder_unpack(&folder, *file, false);
    status = status == HOIST_OK ? dwn_folder_pack(&folder, NULL, &packed) : status;
    dwn_folder_deinit(&folder);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    const hoist_bytes file = file_of(t, DWN_PAIR, CUSTOM);
    const hoist_bytes sound = package_with(t, 64);
    hoist_test_starve(t, there_and_back, &file);
    hoist_test_starve(t, make_hints_again, &sound);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(packages_come_back), HOIST_TEST_ROW(broken_packages_come_back),
                HOIST_TEST_ROW(members_alone_have_no_manifest),
                HOIST_TEST_ROW(members_can_be_exchanged), HOIST_TEST_ROW(unknown_fields_stay),
                HOIST_TEST_ROW(what_cannot_be_moved_is_refused),
                HOIST_TEST_ROW(shared_members_part),
                HOIST_TEST_ROW(the_first_package_may_be_missing),
                HOIST_TEST_ROW(hints_follow_the_instructions),
                HOIST_TEST_ROW(instructions_without_a_meaning_are_refused),
                HOIST_TEST_ROW(instructions_of_other_parameters_are_refused),
                HOIST_TEST_ROW(folders_that_are_refused), HOIST_TEST_ROW(gives_memory_back))
