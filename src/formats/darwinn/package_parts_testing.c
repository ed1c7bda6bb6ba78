#include "formats/darwinn/package_parts_testing.h"

#include <string.h>

#include "base/span.h"

void dwn_folder_init(dwn_folder *folder, hoist_allocator alloc)
{
    *folder = (dwn_folder){.count = 0};
    hoist_arena_init(&folder->arena, alloc);
}

void dwn_folder_deinit(dwn_folder *folder)
{
    hoist_arena_deinit(&folder->arena);
}

// Capacity for one more part.
static bool grow(dwn_folder *folder)
{
    if (folder->count < folder->capacity) {
        return true;
    }
    const size_t capacity = folder->capacity ? 2 * folder->capacity : 16;
    hoist_part *const parts = hoist_arena_array(&folder->arena, capacity, sizeof(*parts));
    if (!parts) {
        return false;
    }
    if (folder->count) {
        memcpy(parts, folder->parts, folder->count * sizeof(*parts));
    }
    folder->parts = parts;
    folder->capacity = capacity;
    return true;
}

hoist_status dwn_folder_take(void *self, const hoist_part *part)
{
    dwn_folder *const folder = self;
    const hoist_str path = hoist_arena_str(&folder->arena, part->path);
    const hoist_str bytes = hoist_arena_str(
        &folder->arena, (hoist_str){(const char *)part->bytes.data, part->bytes.size});
    if (!path.data || !bytes.data || !grow(folder)) {
        return HOIST_NO_MEMORY;
    }
    folder->parts[folder->count++] =
        (hoist_part){.path = path, .bytes = {(const uint8_t *)bytes.data, bytes.size}};
    return HOIST_OK;
}

hoist_part *dwn_folder_find(const dwn_folder *folder, const char *path)
{
    for (size_t i = 0; i < folder->count; i++) {
        if (hoist_str_equal_c(folder->parts[i].path, path)) {
            return &folder->parts[i];
        }
    }
    return NULL;
}

hoist_status dwn_folder_unpack(dwn_folder *folder, hoist_bytes bytes, bool members_only)
{
    const hoist_read_options read = {.alloc = folder->arena.alloc, .keep = true};
    const hoist_unpack_options options = {.members_only = members_only};
    hoist_part_sink sink = {folder, dwn_folder_take};
    hoist_module *module = NULL;
    HOIST_TRY(dwn_read(bytes, &read, NULL, &module));
    const hoist_status status = dwn_unpack(module, &options, NULL, &sink);
    dwn_destroy(module);
    return status;
}

hoist_status dwn_folder_pack(dwn_folder *folder, hoist_diag *diag, hoist_bytes *out_bytes)
{
    const hoist_pack_options options = {.hints = folder->hints};
    hoist_buffer out;
    *out_bytes = (hoist_bytes){NULL, 0};
    hoist_buffer_init(&out, folder->arena.alloc);
    hoist_status status = dwn_pack(folder->parts, folder->count, &options, diag, &out);
    if (status == HOIST_OK) {
        status = hoist_buffer_keep(&out, &folder->arena, out_bytes);
    }
    hoist_buffer_deinit(&out);
    return status;
}
