// Parts of folders that are packed, and frames.
#include "formats/folder_parts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/rules.h"
#include "base/span.h"

static const hoist_rule rules[] = {
#define FOLD_RULE(number, ...) HOIST_RULE("FOLD-" #number, __VA_ARGS__, "ours"),
#include "formats/folder_rules.inc"
};

const hoist_rule_set hoist_folder_rules = {"folder", "Folders of Edge TPU models that are packed",
                                           rules, FOLD_RULE_COUNT};

// Parts ------------------------------------------------------------------------------------------

hoist_status hoist_parts_init(hoist_parts *parts, const hoist_part *items, size_t count,
                              hoist_allocator alloc, hoist_diag *diag)
{
    *parts = (hoist_parts){.items = items, .count = count, .diag = diag};
    hoist_map_init(&parts->names, alloc);
    parts->taken = hoist_alloc_zero(alloc, count + 1, sizeof(parts->taken[0]));
    if (!parts->taken) {
        return HOIST_NO_MEMORY;
    }
    hoist_status result = HOIST_OK;
    for (size_t i = 0; i < count; i++) {
        const hoist_status status = hoist_map_add(&parts->names, items[i].path, i, NULL);
        if (status == HOIST_BUSY) {
            result = hoist_fail(diag, HOIST_INVALID, &rules[FOLD_003], hoist_loc_none(),
                                "two files have the name '%.*s'", HOIST_STR_ARGS(items[i].path));
        } else if (status != HOIST_OK) {
            return status;
        }
    }
    return result;
}

void hoist_parts_deinit(hoist_parts *parts, hoist_allocator alloc)
{
    hoist_map_deinit(&parts->names);
    if (parts->taken) {
        hoist_free(alloc, parts->taken, (parts->count + 1) * sizeof(parts->taken[0]));
    }
}

const hoist_part *hoist_parts_take(hoist_parts *parts, hoist_str path)
{
    size_t index = 0;
    if (!hoist_map_find(&parts->names, path, &index)) {
        return NULL;
    }
    parts->taken[index] = true;
    return &parts->items[index];
}

hoist_status hoist_parts_check_rest(const hoist_parts *parts)
{
    hoist_status status = HOIST_OK;
    for (size_t i = 0; i < parts->count; i++) {
        if (!parts->taken[i]) {
            status = hoist_fail(parts->diag, HOIST_INVALID, &rules[FOLD_002], hoist_loc_none(),
                                "'%.*s' has no place in what is packed",
                                HOIST_STR_ARGS(parts->items[i].path));
        }
    }
    return status;
}

// Frames -----------------------------------------------------------------------------------------

void hoist_frame_cut(hoist_bytes bytes, const hoist_bytes *members, size_t count, hoist_buffer *out)
{
    const size_t start = out->size;
    hoist_buffer_add(out, bytes);
    for (size_t i = 0; i < count && !out->failed; i++) {
        if (members[i].size) {
            memset(out->data + start + (members[i].data - bytes.data), 0, members[i].size);
        }
    }
}

bool hoist_frame_fill(hoist_bytes frame, const hoist_bytes *places, const hoist_bytes *members,
                      size_t count, hoist_buffer *out)
{
    const size_t start = out->size;
    for (size_t i = 0; i < count; i++) {
        if (places[i].size != members[i].size || !places[i].data != !members[i].data) {
            return false;
        }
    }
    hoist_buffer_add(out, frame);
    for (size_t i = 0; i < count && !out->failed; i++) {
        if (members[i].size && members[i].data) {
            memcpy(out->data + start + (places[i].data - frame.data), members[i].data,
                   members[i].size);
        }
    }
    return true;
}

bool hoist_frame_is_split(hoist_bytes bytes, const hoist_bytes *members, size_t count)
{
    size_t left = bytes.size;
    for (size_t i = 0; i < count; i++) {
        if (members[i].size > left) {
            return false;
        }
        left -= members[i].size;
    }
    return true;
}

bool hoist_frame_same_places(hoist_bytes a, const hoist_bytes *in_a, hoist_bytes b,
                             const hoist_bytes *in_b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (in_a[i].size != in_b[i].size || !in_a[i].data != !in_b[i].data ||
            (in_a[i].data && in_a[i].data - a.data != in_b[i].data - b.data)) {
            return false;
        }
    }
    return true;
}

bool hoist_frame_same_bytes(const hoist_bytes *a, const hoist_bytes *b, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (a[i].size != b[i].size || (a[i].size && memcmp(a[i].data, b[i].data, a[i].size) != 0)) {
            return false;
        }
    }
    return true;
}

bool hoist_frame_is_hole(hoist_bytes bytes)
{
    return bytes.size && bytes.data[0] == 0 &&
           memcmp(bytes.data, bytes.data + 1, bytes.size - 1) == 0;
}

hoist_status hoist_buffer_keep(hoist_buffer *buffer, hoist_arena *arena, hoist_bytes *out_bytes)
{
    *out_bytes = (hoist_bytes){NULL, 0};
    hoist_mut_bytes bytes;
    HOIST_TRY(hoist_buffer_take(buffer, &bytes));
    if (bytes.data && !hoist_arena_adopt(arena, bytes.data, bytes.size)) {
        hoist_free(arena->alloc, bytes.data, bytes.size);
        return HOIST_NO_MEMORY;
    }
    *out_bytes = (hoist_bytes){bytes.data, bytes.size};
    return HOIST_OK;
}
