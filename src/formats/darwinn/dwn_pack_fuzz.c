// Unpacks any bytes and packs what came out: the same bytes. Then the same with members of other
// sizes: what is packed can be read, and has those members. Any text as the manifest. At last the
// same bytes as what a run sends over USB, whose frames are taken apart.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/reader.h"
#include "base/span.h"
#include "formats/darwinn/package_parts_testing.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool condition)
{
    if (!condition) {
        abort();
    }
}

static bool is_frame(hoist_str path)
{
    return hoist_str_ends_with(path, "package.bin") ||
           hoist_str_ends_with(path, "executable.bin") ||
           hoist_str_ends_with(path, "custom_options.bin") || hoist_str_ends_with(path, ".json");
}

// Members lose their last bytes, so that everything around them is laid out anew.
static void shrink(dwn_folder *folder)
{
    for (size_t i = 0; i < folder->count; i++) {
        hoist_part *const part = &folder->parts[i];
        part->bytes.size -= is_frame(part->path) || part->bytes.size < 2 ? 0 : 1;
    }
}

static void try_smaller(dwn_folder *folder)
{
    hoist_bytes packed;
    dwn_folder again;
    shrink(folder);
    folder->hints = HOIST_PACK_HINTS_KEEP;
    dwn_folder_init(&again, folder->arena.alloc);
    if (dwn_folder_pack(folder, NULL, &packed) == HOIST_OK) {
        require(dwn_folder_unpack(&again, packed, false) == HOIST_OK);
        for (size_t i = 0; i < folder->count; i++) {
            const hoist_part *const was = &folder->parts[i];
            const hoist_part *const is = dwn_folder_find(&again, was->path.data);
            require(is && (is_frame(was->path) ||
                           (is->bytes.size == was->bytes.size &&
                            memcmp(is->bytes.data, was->bytes.data, was->bytes.size) == 0)));
        }
    }
    dwn_folder_deinit(&again);
}

static void try_manifest(dwn_folder *folder, hoist_bytes text)
{
    hoist_bytes packed;
    hoist_part *const manifest = dwn_folder_find(folder, DWN_MANIFEST_NAME);
    require(manifest != NULL);
    manifest->bytes = text;
    (void)dwn_folder_pack(folder, NULL, &packed);
}

// Frames go to the end of the stream, and each begins where its step says.
static void check_stream(const hoist_stream *stream, hoist_bytes bytes)
{
    uint64_t at = 0;
    for (size_t i = 0; i < stream->step_count; i++) {
        const hoist_stream_step *const step = &stream->steps[i];
        if (step->is_sent) {
            require(step->at == at && bytes.size - at >= 8);
            require(hoist_load_u32le(bytes.data + at) == step->size);
            require(hoist_load_u32le(bytes.data + at + 4) == step->tag);
            at += 8 + step->size;
        }
    }
    require(at == bytes.size);
}

static void try_stream(hoist_bytes bytes)
{
    static const hoist_stream_options options;
    hoist_budget budget = {.parent = hoist_allocator_system(), .limit = (size_t)64 << 20};
    const hoist_allocator alloc = hoist_budget_allocator(&budget);
    const hoist_read_options read = {.alloc = alloc, .keep = true};
    hoist_stream stream = {.step_count = 0};
    hoist_module *module = NULL;
    hoist_arena arena;
    hoist_buffer out;
    hoist_arena_init(&arena, alloc);
    hoist_buffer_init(&out, alloc);
    if (dwn_read(bytes, &read, NULL, &module) == HOIST_OK &&
        dwn_stream_module(module, &options, NULL, &arena, &out, &stream) == HOIST_OK) {
        check_stream(&stream, hoist_buffer_bytes(&out));
    }
    dwn_destroy(module);
    hoist_buffer_deinit(&out);
    hoist_arena_deinit(&arena);
    require(budget.used == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const hoist_bytes bytes = {data, size};
    hoist_bytes packed;
    dwn_folder folder;
    dwn_folder_init(&folder, hoist_allocator_system());
    if (dwn_folder_unpack(&folder, bytes, false) == HOIST_OK) {
        require(dwn_folder_pack(&folder, NULL, &packed) == HOIST_OK);
        require(packed.size == size && memcmp(packed.data, data, size) == 0);
        folder.hints = HOIST_PACK_HINTS_MAKE;
        (void)dwn_folder_pack(&folder, NULL, &packed);
        try_smaller(&folder);
        try_manifest(&folder, bytes);
    }
    dwn_folder_deinit(&folder);
    try_stream(bytes);
    return 0;
}
