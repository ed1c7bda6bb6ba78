// Containers and their members, as they are stored: custom_options hold packages, packages hold
// executables and chips, executables hold parameters and chunks. In: the bytes of one container;
// out: its members as slices with their paths (package_parts.h). package_frame_write.c writes it
// with other members.
#include <inttypes.h>

#include "base/span.h"
#include "codec/flexbuffer.h"
#include "formats/darwinn/package_parts.h"

// Names of frames; the folder above is that of the container.
const char *const dwn_level_files[DWN_LEVEL_COUNT] = {
    [DWN_LEVEL_BYTES] = "",
    [DWN_LEVEL_EXECUTABLE] = "executable.bin",
    [DWN_LEVEL_CHIP] = "package.bin",
    [DWN_LEVEL_PACKAGE] = "package.bin",
    [DWN_LEVEL_CUSTOM] = "custom_options.bin",
};

// All containers have at most as many members as the caller has counted.
static hoist_status reserve(dwn_frame *frame, size_t most, hoist_arena *arena)
{
    frame->members = hoist_arena_array(arena, most, sizeof(frame->members[0]));
    frame->levels = hoist_arena_array(arena, most, sizeof(frame->levels[0]));
    frame->paths = hoist_arena_array(arena, most, sizeof(frame->paths[0]));
    return frame->members && frame->levels && frame->paths ? HOIST_OK : HOIST_NO_MEMORY;
}

// Paths are relative to the container; those of containers end with a slash.
static hoist_status add_member(dwn_frame *frame, dwn_level level, hoist_str path, hoist_bytes bytes)
{
    frame->members[frame->count] = bytes;
    frame->levels[frame->count] = level;
    frame->paths[frame->count++] = path;
    return path.data ? HOIST_OK : HOIST_NO_MEMORY;
}

// The root table of a buffer; NULL where it cannot be read or has faults: such a container is a
// file without members.
static hoist_status read_rows(hoist_bytes bytes, const hoist_fb_type *type, hoist_arena *arena,
                              void **out_rows)
{
    const hoist_status status = hoist_fb_read(bytes, type, NULL, arena, NULL, out_rows);
    if (status == HOIST_OK && ((const hoist_fb_table *)*out_rows)->faults) {
        *out_rows = NULL;
    }
    return status == HOIST_NO_MEMORY ? status : HOIST_OK;
}

// Parameters are member 0 in any case, chunks follow: package_pack.c relies on it.
static hoist_status read_executable(dwn_frame *frame, hoist_arena *arena)
{
    HOIST_TRY(read_rows(frame->bytes, &dwn_executable_rows, arena, &frame->rows));
    const dwn_executable *const rows = frame->rows;
    if (!rows) {
        return HOIST_OK;
    }
    const uint32_t chunks = rows->instruction_bitstreams.count;
    HOIST_TRY(reserve(frame, 1 + (size_t)chunks, arena));
    HOIST_TRY(add_member(frame, DWN_LEVEL_BYTES, HOIST_STR("parameters.bin"), rows->parameters));
    for (uint32_t i = 0; i < chunks; i++) {
        HOIST_TRY(add_member(frame, DWN_LEVEL_BYTES,
                             hoist_arena_format(arena, "chunks/%" PRIu32 ".bin", i),
                             rows->instruction_bitstreams.items[i].bitstream));
    }
    return HOIST_OK;
}

// Executables of the nested MultiExecutable, then packages of a bundle; those have no bundle in
// turn.
static hoist_status read_package(dwn_frame *frame, hoist_arena *arena)
{
    HOIST_TRY(read_rows(frame->bytes, &dwn_package_rows, arena, &frame->rows));
    const dwn_package *const rows = frame->rows;
    if (!rows) {
        return HOIST_OK;
    }
    void *multi = NULL;
    if (rows->serialized_multi_executable.size) {
        HOIST_TRY(read_rows(rows->serialized_multi_executable, &dwn_multi_executable_rows, arena,
                            &multi));
    }
    frame->multi = multi;
    const uint32_t chips = frame->level == DWN_LEVEL_CHIP ? 0 : rows->multi_chip_package.count;
    const size_t executables = frame->multi ? frame->multi->serialized_executables.count : 0;
    HOIST_TRY(reserve(frame, executables + chips, arena));
    for (uint32_t i = 0; frame->multi && i < frame->multi->serialized_executables.count; i++) {
        HOIST_TRY(add_member(frame, DWN_LEVEL_EXECUTABLE,
                             hoist_arena_format(arena, "executables/%" PRIu32 "/", i),
                             dwn_text_bytes(frame->multi->serialized_executables.items[i])));
    }
    for (uint32_t i = 0; i < chips; i++) {
        HOIST_TRY(add_member(frame, DWN_LEVEL_CHIP,
                             hoist_arena_format(arena, "chips/%" PRIu32 "/", i),
                             rows->multi_chip_package.items[i].serialized_package));
    }
    return HOIST_OK;
}

// A member for package `index` of the map; a value that is no string has none.
static hoist_status add_package(dwn_frame *frame, uint64_t index, const hoist_flex_value *value,
                                hoist_arena *arena)
{
    if (value->kind != HOIST_FLEX_STRING) {
        return HOIST_OK;
    }
    return add_member(frame, DWN_LEVEL_PACKAGE,
                      hoist_arena_format(arena, "packages/%" PRIu64 "/", index),
                      hoist_flex_bytes(value));
}

// Keys "4" and "7" (reference 1.2); all other keys stay in the frame.
static hoist_status read_custom(dwn_frame *frame, hoist_arena *arena)
{
    hoist_flex flex = {.bytes = frame->bytes};
    hoist_flex_value map;
    hoist_flex_value first;
    hoist_flex_value more = {.count = 0};
    if (hoist_flex_root(&flex, &map) != HOIST_OK || map.kind != HOIST_FLEX_MAP ||
        hoist_flex_find(&map, "4", &first) != HOIST_OK) {
        return HOIST_OK;
    }
    const bool has_more =
        hoist_flex_find(&map, "7", &more) == HOIST_OK && more.kind == HOIST_FLEX_VECTOR;
    const uint64_t count = has_more ? more.count : 0;
    HOIST_TRY(reserve(frame, 1 + (size_t)count, arena));
    HOIST_TRY(add_package(frame, 0, &first, arena));
    for (uint64_t i = 0; i < count; i++) {
        hoist_flex_value item;
        if (hoist_flex_at(&more, i, &item) == HOIST_OK) {
            HOIST_TRY(add_package(frame, 1 + i, &item, arena));
        }
    }
    return HOIST_OK;
}

// A container whose members share bytes counts as having none: zeroing one would change the other.
hoist_status dwn_frame_read(dwn_level level, hoist_bytes bytes, hoist_arena *arena,
                            dwn_frame *out_frame)
{
    *out_frame = (dwn_frame){.level = level, .bytes = bytes};
    switch (level) {
    case DWN_LEVEL_EXECUTABLE:
        HOIST_TRY(read_executable(out_frame, arena));
        break;
    case DWN_LEVEL_CHIP:
    case DWN_LEVEL_PACKAGE:
        HOIST_TRY(read_package(out_frame, arena));
        break;
    case DWN_LEVEL_CUSTOM:
        HOIST_TRY(read_custom(out_frame, arena));
        break;
    case DWN_LEVEL_BYTES:
    case DWN_LEVEL_COUNT:
        break;
    }
    if (!hoist_frame_is_split(bytes, out_frame->members, out_frame->count)) {
        out_frame->count = 0;
    }
    return HOIST_OK;
}
