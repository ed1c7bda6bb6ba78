// Files in files as folders in folders, through the public functions.
#include <string.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "base/assert.h"
#include "edgetpu/nested_testing.h"
#include "formats/darwinn/package_parts_testing.h"

static hoist_job *open_job(hoist_test *t, hoist_bytes bytes)
{
    const hoist_open_options options = {
        .struct_size = sizeof(options), .bytes_stay = true, .container_only = true};
    hoist_job *job = NULL;
    HOIST_EXPECT_EQ(t, hoist_job_open_bytes(bytes, "m.tflite", &options, t->diag, &job), HOIST_OK);
    return job;
}

static void unpack(hoist_test *t, hoist_bytes bytes, dwn_folder *folder)
{
    hoist_job *const job = open_job(t, bytes);
    hoist_part_sink sink = {folder, dwn_folder_take};
    dwn_folder_init(folder, hoist_allocator_system());
    HOIST_EXPECT_EQ(t, hoist_job_unpack(job, NULL, t->diag, &sink), HOIST_OK);
    hoist_job_close(job);
}

static hoist_status pack(hoist_test *t, const dwn_folder *folder, hoist_mut_bytes *out)
{
    return hoist_pack(folder->parts, folder->count, NULL, t->diag, out);
}

static bool same(hoist_mut_bytes a, hoist_bytes b)
{
    return a.size == b.size && memcmp(a.data, b.data, b.size) == 0;
}

#define INNER "payloads/0/"

HOIST_TEST(models_come_back)
{
    const hoist_bytes file = hoist_test_edgetpu_file(t);
    dwn_folder folder;
    hoist_mut_bytes packed;
    unpack(t, file, &folder);
    HOIST_EXPECT_EQ(t, folder.count, 10);
    HOIST_EXPECT_STR(t, folder.parts[0].path, "model.tflite");
    HOIST_EXPECT_STR(t, folder.parts[1].path, INNER "custom_options.bin");
    HOIST_EXPECT_STR(t, folder.parts[9].path, INNER DWN_MANIFEST_NAME);
    HOIST_EXPECT_EQ(t, pack(t, &folder, &packed), HOIST_OK);
    HOIST_EXPECT(t, same(packed, file));
    HOIST_EXPECT_RULE(t, NULL);
    hoist_pack_free((hoist_allocator){0}, packed);
    dwn_folder_deinit(&folder);
}

// Folders of several payloads, whose parts come one of each in turn, then backwards.
HOIST_TEST(parts_come_in_any_order)
{
    enum { OPERATORS = 3, EACH = 9 };
    const hoist_bytes file = hoist_test_edgetpu_files(t, OPERATORS);
    dwn_folder folder;
    hoist_mut_bytes packed;
    unpack(t, file, &folder);
    HOIST_ASSERT(folder.count == 1 + OPERATORS * EACH);
    HOIST_EXPECT_STR(t, folder.parts[1 + EACH].path, "payloads/1/custom_options.bin");
    hoist_part *const parts = hoist_arena_array(&t->arena, folder.count, sizeof(*parts));
    for (size_t i = 0; i < OPERATORS * EACH; i++) {
        parts[i] = folder.parts[1 + i % OPERATORS * EACH + i / OPERATORS];
    }
    parts[OPERATORS * EACH] = folder.parts[0];
    for (int round = 0; round < 2; round++) {
        HOIST_EXPECT_EQ(t, hoist_pack(parts, folder.count, NULL, t->diag, &packed), HOIST_OK);
        HOIST_EXPECT(t, same(packed, file));
        hoist_pack_free((hoist_allocator){0}, packed);
        for (size_t i = 0, k = folder.count - 1; i < k; i++, k--) {
            const hoist_part one = parts[i];
            parts[i] = parts[k];
            parts[k] = one;
        }
    }
    dwn_folder_deinit(&folder);
}

// Larger parameters of an executable reach through all that is around them.
HOIST_TEST(a_member_grows)
{
    dwn_folder folder;
    dwn_folder again;
    hoist_mut_bytes packed;
    unpack(t, hoist_test_edgetpu_file(t), &folder);
    hoist_part *const part =
        dwn_folder_find(&folder, INNER "packages/0/executables/1/parameters.bin");
    HOIST_EXPECT(t, part != NULL);
    part->bytes = (hoist_bytes){hoist_arena_alloc(&folder.arena, 20000), 20000};
    memset((uint8_t *)(uintptr_t)part->bytes.data, 7, 20000);
    HOIST_EXPECT_EQ(t, pack(t, &folder, &packed), HOIST_OK);
    unpack(t, (hoist_bytes){packed.data, packed.size}, &again);
    HOIST_EXPECT_EQ(t, again.count, folder.count);
    for (size_t i = 0; i < again.count; i++) {
        HOIST_EXPECT(t, hoist_str_equal(again.parts[i].path, folder.parts[i].path));
    }
    const hoist_part *const now =
        dwn_folder_find(&again, INNER "packages/0/executables/1/parameters.bin");
    HOIST_EXPECT(t, now && now->bytes.size == 20000 && now->bytes.data[19999] == 7);
    hoist_pack_free((hoist_allocator){0}, packed);
    dwn_folder_deinit(&again);
    dwn_folder_deinit(&folder);
}

// clang-format off
static const struct {
    const char *name;
    const char *path; // of the part that is changed
    const char *now;  // its path; NULL: it is gone
    const char *want;
} refused[] = {
    {"a package too many",        INNER "custom_options.bin", "payloads/0.bin", "FOLD-001"},
    {"nothing for the operator",  INNER "custom_options.bin", NULL,             "FOLD-001"},
    {"a payload of no operator",  INNER "custom_options.bin", "payloads/1.bin", "FOLD-001"},
    {"a folder of no operator",   INNER "packages/0/executables/1/parameters.bin", "payloads/7/model.tflite", "FOLD-001"},
    {"no model",                  "model.tflite",             NULL,             "FOLD-001"},
    {"no manifest of a payload",  INNER "hoist-edgetpu.json", NULL,             "FOLD-001"},
};
// clang-format on

HOIST_TEST_TABLE(folders_that_are_refused, refused)
{
    dwn_folder folder;
    hoist_mut_bytes packed;
    unpack(t, hoist_test_edgetpu_file(t), &folder);
    hoist_part *const part = dwn_folder_find(&folder, row->path);
    HOIST_EXPECT(t, part != NULL);
    if (row->now) {
        part->path = hoist_str_from(row->now);
    } else {
        *part = folder.parts[--folder.count];
    }
    const hoist_status status = pack(t, &folder, &packed);
    HOIST_EXPECT_RULE(t, row->want);
    HOIST_EXPECT_EQ(t, status, HOIST_INVALID);
    hoist_pack_free((hoist_allocator){0}, packed);
    dwn_folder_deinit(&folder);
}

// A package that cannot be read stays in one piece.
HOIST_TEST(what_cannot_be_read_is_one_file)
{
    const hoist_bytes file = hoist_test_edgetpu_file(t);
    uint8_t *const copy = hoist_arena_alloc(&t->arena, file.size);
    memcpy(copy, file.data, file.size);
    for (size_t i = 0; i + 4 < file.size; i++) {
        if (memcmp(copy + i, "DWN1", 4) == 0) {
            memset(copy + i - 4, 0xff, 4); // the offset of its root
        }
    }
    dwn_folder folder;
    hoist_mut_bytes packed;
    unpack(t, (hoist_bytes){copy, file.size}, &folder);
    HOIST_EXPECT(t, folder.count < 10);
    HOIST_EXPECT_EQ(t, pack(t, &folder, &packed), HOIST_OK);
    HOIST_EXPECT(t, same(packed, (hoist_bytes){copy, file.size}));
    hoist_pack_free((hoist_allocator){0}, packed);
    dwn_folder_deinit(&folder);
}

typedef struct starved {
    hoist_bytes file;
    hoist_diag *diag; // with memory of its own: what it cannot keep is no failure
} starved;

static hoist_status there_and_back(hoist_allocator alloc, const void *self)
{
    const starved *const s = self;
    const hoist_open_options options = {
        .struct_size = sizeof(options), .alloc = alloc, .bytes_stay = true};
    const hoist_pack_options packing = {.struct_size = sizeof(packing), .alloc = alloc};
    hoist_mut_bytes packed = {NULL, 0};
    hoist_job *job = NULL;
    dwn_folder folder;
    dwn_folder_init(&folder, alloc);
    hoist_part_sink sink = {&folder, dwn_folder_take};
    hoist_status status = hoist_job_open_bytes(s->file, "m.tflite", &options, NULL, &job);
    status = status == HOIST_OK ? hoist_job_unpack(job, NULL, NULL, &sink) : status;
    if (status == HOIST_OK) {
        status = hoist_pack(folder.parts, folder.count, &packing, s->diag, &packed);
    }
    hoist_pack_free(alloc, packed);
    hoist_job_close(job);
    dwn_folder_deinit(&folder);
    return status;
}

HOIST_TEST(gives_memory_back)
{
    const starved s = {hoist_test_edgetpu_file(t), t->diag};
    hoist_test_starve(t, there_and_back, &s);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(models_come_back), HOIST_TEST_ROW(parts_come_in_any_order),
                HOIST_TEST_ROW(a_member_grows), HOIST_TEST_ROW(folders_that_are_refused),
                HOIST_TEST_ROW(what_cannot_be_read_is_one_file), HOIST_TEST_ROW(gives_memory_back))
