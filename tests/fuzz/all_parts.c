#include "all_parts.h"

#include <string.h>

#include "base/span.h"

static hoist_status keep(void *self, const hoist_part *part)
{
    all_parts *const parts = self;
    if (parts->count == ALL_MOST_PARTS) {
        return HOIST_LIMIT;
    }
    uint8_t *const bytes = hoist_arena_alloc(&parts->arena, part->bytes.size);
    const hoist_str path = hoist_arena_str(&parts->arena, part->path);
    if (!bytes || !path.data) {
        return HOIST_NO_MEMORY;
    }
    if (part->bytes.size) {
        memcpy(bytes, part->bytes.data, part->bytes.size);
    }
    parts->items[parts->count++] = (hoist_part){
        .path = path, .bytes = {bytes, part->bytes.size}, .executable = part->executable};
    return HOIST_OK;
}

hoist_status all_parts_take(all_parts *parts, const hoist_job *job, hoist_allocator alloc)
{
    hoist_part_sink sink = {parts, keep};
    parts->count = 0;
    hoist_arena_init(&parts->arena, alloc);
    return hoist_job_unpack(job, NULL, NULL, &sink);
}

void all_parts_drop(all_parts *parts)
{
    hoist_arena_deinit(&parts->arena);
}

static bool is_manifest(hoist_str path)
{
    return hoist_str_ends_with(path, "hoist-neff.json") ||
           hoist_str_ends_with(path, "hoist-edgetpu.json");
}

bool all_parts_same(const all_parts *a, const all_parts *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) {
        const hoist_bytes x = a->items[i].bytes;
        const hoist_bytes y = b->items[i].bytes;
        same = hoist_str_equal(a->items[i].path, b->items[i].path) &&
               (is_manifest(a->items[i].path) ||
                (x.size == y.size && (x.size == 0 || memcmp(x.data, y.data, x.size) == 0)));
    }
    return same;
}

hoist_status all_parts_pack(const all_parts *parts, const hoist_job *job, hoist_diag *diag,
                            hoist_mut_bytes *out_bytes)
{
    const hoist_pack_options options = {.struct_size = sizeof(options),
                                        .alloc = parts->arena.alloc,
                                        .format = hoist_job_format(job)};
    return hoist_pack(parts->items, parts->count, &options, diag, out_bytes);
}
