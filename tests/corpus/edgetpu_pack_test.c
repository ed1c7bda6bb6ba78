// Every compiled model as a folder and back: the same bytes. With members of other sizes what comes
// out can be read, and has them.
#include <stdio.h>
#include <string.h>

#include "hoist/load.h"

#include "base/alloc.h"
#include "edgetpu_testing.h"
#include "formats/darwinn/package_parts_testing.h"

typedef struct figures {
    size_t files;
    size_t parts;
    size_t grown;
} figures;

static bool same(hoist_bytes a, hoist_bytes b)
{
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

static hoist_status unpack(hoist_bytes bytes, dwn_folder *folder)
{
    const hoist_open_options options = {.struct_size = sizeof(options), .bytes_stay = true};
    hoist_part_sink sink = {folder, dwn_folder_take};
    hoist_job *job = NULL;
    dwn_folder_init(folder, hoist_allocator_system());
    HOIST_TRY(hoist_job_open_bytes(bytes, "m.tflite", &options, NULL, &job));
    const hoist_status status = hoist_job_unpack(job, NULL, NULL, &sink);
    hoist_job_close(job);
    return status;
}

static bool is_leaf(hoist_str path)
{
    return hoist_str_ends_with(path, "parameters.bin") || hoist_str_contains(path, "/chunks/");
}

// Another page at the end of every parameter blob and a word at that of every chunk.
static void grow(dwn_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++) {
        hoist_part *const part = &folder->parts[i];
        const size_t more = hoist_str_ends_with(part->path, "parameters.bin") ? 4096 : 16;
        if (is_leaf(part->path)) {
            const size_t size = part->bytes.size + more;
            uint8_t *const bytes = hoist_arena_alloc(&folder->arena, size);
            memcpy(bytes, part->bytes.data, part->bytes.size);
            part->bytes = (hoist_bytes){bytes, size};
        }
    }
}

static void expect_grown(hoist_test *t, dwn_folder *folder, figures *f)
{
    const hoist_pack_options options = {.struct_size = sizeof(options),
                                        .hints = HOIST_PACK_HINTS_KEEP};
    hoist_mut_bytes packed;
    dwn_folder again;
    grow(folder);
    HOIST_EXPECT_EQ(t, hoist_pack(folder->parts, folder->count, &options, t->diag, &packed),
                    HOIST_OK);
    HOIST_EXPECT_EQ(t, unpack((hoist_bytes){packed.data, packed.size}, &again), HOIST_OK);
    HOIST_EXPECT_EQ(t, again.count, folder->count);
    for (size_t i = 0; i < folder->count; i++) {
        const hoist_part *const is = dwn_folder_find(&again, folder->parts[i].path.data);
        HOIST_EXPECT(t, is && (!is_leaf(is->path) || same(is->bytes, folder->parts[i].bytes)));
        f->grown += is_leaf(folder->parts[i].path);
    }
    dwn_folder_deinit(&again);
    hoist_pack_free((hoist_allocator){0}, packed);
}

static void judge_file(hoist_test *t, const char *path, void *self)
{
    figures *const f = self;
    const hoist_bytes file = hoist_test_file(t, path);
    hoist_mut_bytes packed;
    dwn_folder folder;
    HOIST_EXPECT_EQ(t, unpack(file, &folder), HOIST_OK);
    HOIST_EXPECT(t, folder.count >= 6);
    HOIST_EXPECT_EQ(t, hoist_pack(folder.parts, folder.count, NULL, t->diag, &packed), HOIST_OK);
    HOIST_EXPECT(t, same((hoist_bytes){packed.data, packed.size}, file));
    hoist_pack_free((hoist_allocator){0}, packed);
    const hoist_pack_options options = {.struct_size = sizeof(options),
                                        .hints = HOIST_PACK_HINTS_MAKE};
    HOIST_EXPECT_EQ(t, hoist_pack(folder.parts, folder.count, &options, t->diag, &packed),
                    HOIST_OK);
    HOIST_EXPECT(t, same((hoist_bytes){packed.data, packed.size}, file)); // they were right
    hoist_pack_free((hoist_allocator){0}, packed);
    f->files++;
    f->parts += folder.count;
    expect_grown(t, &folder, f);
    HOIST_EXPECT_EQ(t, hoist_diag_count(t->diag, HOIST_ERROR), 0);
    dwn_folder_deinit(&folder);
}

HOIST_TEST(edgetpu_pack)
{
    figures f = {0};
    if (!edgetpu_each_file(t, judge_file, &f)) {
        hoist_test_skip(t, "no compiled models here");
    }
    printf("%zu files, %zu parts, %zu of them with other sizes, too\n", f.files, f.parts, f.grown);
    HOIST_EXPECT(t, f.files >= 21);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(edgetpu_pack))
