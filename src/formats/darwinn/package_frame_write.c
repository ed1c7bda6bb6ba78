// Containers with other members than they had, from their frames (package_parts.h). Members of the
// same sizes replace the bytes; with other sizes the container is written anew, and read again to
// verify that it has the members that it was given.
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "codec/flexbuffer_writer.h"
#include "formats/darwinn/package_parts.h"

// One call of dwn_frame_write(), which appends to `out`.
typedef struct frame_writer {
    dwn_frame *frame;
    const hoist_bytes *members;
    hoist_arena *arena;
    hoist_diag *diag;
    hoist_buffer *out;
} frame_writer;

// Counted from the start of the container: packages are not aligned in a model's file.
void dwn_fill_page(hoist_buffer *out, size_t start)
{
    const size_t rest = (out->size - start) % DWN_PAGE;
    hoist_buffer_fill(out, 0, rest ? DWN_PAGE - rest : 0);
}

// Writes the table anew where all its fields are known, else changes what is there, which keeps
// unknown fields. Padded to a page, as compilers do. FOLD_004: neither is possible.
static hoist_status write_rows(frame_writer *w, hoist_bytes was, const hoist_fb_type *type,
                               const void *rows, hoist_buffer *out)
{
    const size_t start = out->size;
    if (hoist_fb_is_known(type, rows)) {
        HOIST_TRY(hoist_fb_write(type, rows, hoist_fb_identifier(was).data, out));
    } else {
        const hoist_status status = hoist_fb_rewrite(was, type, rows, NULL, out);
        if (status == HOIST_UNSUPPORTED) {
            return hoist_fail(w->diag, status, hoist_folder_rule_row(FOLD_004), hoist_loc_none(),
                              "%s has other sizes, and fields that are not known",
                              dwn_level_files[w->frame->level]);
        }
        HOIST_TRY(status);
    }
    dwn_fill_page(out, start);
    return out->failed ? HOIST_NO_MEMORY : HOIST_OK;
}

// Members in the order of read_executable().
static hoist_status write_executable(frame_writer *w)
{
    dwn_executable *const rows = w->frame->rows;
    rows->parameters = w->members[0];
    for (uint32_t i = 0; i < rows->instruction_bitstreams.count; i++) {
        rows->instruction_bitstreams.items[i].bitstream = w->members[1 + i];
    }
    return write_rows(w, w->frame->bytes, &dwn_executable_rows, rows, w->out);
}

// The nested MultiExecutable with its new strings; nothing where the package has none.
static hoist_status write_multi(frame_writer *w, dwn_package *rows)
{
    dwn_multi_executable *const multi = w->frame->multi;
    if (!multi) {
        return HOIST_OK;
    }
    for (uint32_t i = 0; i < multi->serialized_executables.count; i++) {
        multi->serialized_executables.items[i] =
            (hoist_str){(const char *)w->members[i].data, w->members[i].size};
    }
    hoist_buffer bytes;
    hoist_buffer_init(&bytes, w->arena->alloc);
    hoist_status status =
        write_rows(w, rows->serialized_multi_executable, &dwn_multi_executable_rows, multi, &bytes);
    if (status == HOIST_OK) {
        status = hoist_buffer_keep(&bytes, w->arena, &rows->serialized_multi_executable);
    }
    hoist_buffer_deinit(&bytes);
    return status;
}

static hoist_status write_package(frame_writer *w)
{
    dwn_package *const rows = w->frame->rows;
    HOIST_TRY(write_multi(w, rows));
    const size_t executables = w->frame->multi ? w->frame->multi->serialized_executables.count : 0;
    for (size_t i = executables; i < w->frame->count; i++) {
        rows->multi_chip_package.items[i - executables].serialized_package = w->members[i];
    }
    return write_rows(w, w->frame->bytes, &dwn_package_rows, rows, w->out);
}

// A pair of the map, to be put in the order in which its keys are stored: that is the order in
// which the public builder got them, so a map that did not change is written byte for byte.
typedef struct map_entry {
    hoist_flex_value key;
    uint64_t index;
} map_entry;

static int by_place(const void *a, const void *b)
{
    const map_entry *const x = a;
    const map_entry *const y = b;
    return hoist_order_u64(x->key.at, y->key.at);
}

// A value: a member where it is a string, else itself. `*next` counts the members that were put.
static void put_item(frame_writer *w, hoist_flex_writer *f, const hoist_flex_value *value,
                     size_t *next)
{
    if (value->kind == HOIST_FLEX_STRING && *next < w->frame->count) {
        hoist_flex_put_string(f, w->members[(*next)++]);
    } else {
        hoist_flex_put_value(f, value);
    }
}

// The list of further packages ("7"). The value of "4" is member 0 only where it is a string.
static hoist_status put_more(frame_writer *w, hoist_flex_writer *f, const hoist_flex_value *map,
                             const hoist_flex_value *list)
{
    hoist_flex_value first;
    const bool has_first =
        hoist_flex_find(map, "4", &first) == HOIST_OK && first.kind == HOIST_FLEX_STRING;
    const size_t mark = hoist_flex_open(f);
    size_t next = has_first ? 1 : 0;
    for (uint64_t i = 0; i < list->count; i++) {
        hoist_flex_value item;
        HOIST_TRY(hoist_flex_at(list, i, &item));
        put_item(w, f, &item, &next);
    }
    hoist_flex_close(f, mark, HOIST_FLEX_VECTOR);
    return HOIST_OK;
}

// One pair; all keys but "4" and "7" keep their values.
static hoist_status put_entry(frame_writer *w, hoist_flex_writer *f, const hoist_flex_value *map,
                              const map_entry *entry)
{
    const hoist_str key = hoist_flex_text(&entry->key);
    hoist_flex_value value;
    size_t first = 0;
    HOIST_TRY(hoist_flex_at(map, entry->index, &value));
    hoist_flex_put_key(f, key);
    if (hoist_str_equal_c(key, "4")) {
        put_item(w, f, &value, &first);
    } else if (hoist_str_equal_c(key, "7") && value.kind == HOIST_FLEX_VECTOR) {
        return put_more(w, f, map, &value);
    } else {
        hoist_flex_put_value(f, &value);
    }
    return HOIST_OK;
}

// Keys are sorted by place, values follow them.
static hoist_status put_map(frame_writer *w, hoist_flex_writer *f, const hoist_flex_value *map)
{
    map_entry *const entries = hoist_arena_array(w->arena, map->count, sizeof(*entries));
    if (!entries) {
        return HOIST_NO_MEMORY;
    }
    for (uint64_t i = 0; i < map->count; i++) {
        entries[i].index = i;
        HOIST_TRY(hoist_flex_key_at(map, i, &entries[i].key));
    }
    if (map->count > 1) {
        qsort(entries, (size_t)map->count, sizeof(*entries), by_place);
    }
    const size_t mark = hoist_flex_open(f);
    for (uint64_t i = 0; i < map->count; i++) {
        HOIST_TRY(put_entry(w, f, map, &entries[i]));
    }
    hoist_flex_close(f, mark, HOIST_FLEX_MAP);
    return HOIST_OK;
}

// Only maps without faults can be written again: others have values that cannot be read.
static hoist_status write_custom(frame_writer *w)
{
    hoist_flex flex = {.bytes = w->frame->bytes};
    hoist_flex_value map;
    HOIST_TRY(hoist_flex_root(&flex, &map));
    HOIST_TRY(hoist_flex_check(&map));
    if (flex.faults) {
        return hoist_fail(w->diag, HOIST_UNSUPPORTED, hoist_folder_rule_row(FOLD_004),
                          hoist_loc_none(),
                          "%s has other sizes, and faults: hoist check reports them",
                          dwn_level_files[DWN_LEVEL_CUSTOM]);
    }
    hoist_flex_writer f;
    hoist_flex_writer_init(&f, w->out);
    const hoist_status status = put_map(w, &f, &map);
    const hoist_status finished = hoist_flex_finish(&f);
    return status == HOIST_OK ? finished : status;
}

static hoist_status write_anew(frame_writer *w)
{
    switch (w->frame->level) {
    case DWN_LEVEL_EXECUTABLE:
        return write_executable(w);
    case DWN_LEVEL_CHIP:
    case DWN_LEVEL_PACKAGE:
        return write_package(w);
    case DWN_LEVEL_CUSTOM:
        return write_custom(w);
    case DWN_LEVEL_BYTES:
    case DWN_LEVEL_COUNT:
        break;
    }
    return HOIST_INTERNAL; // it has no members
}

// Reads the container in `out` from `start` on, and compares its members with those it was given.
static hoist_status compare(const frame_writer *w, size_t start, bool *out_same)
{
    const size_t size = w->out->size - start;
    const hoist_bytes made = {size ? w->out->data + start : NULL, size};
    dwn_frame again;
    HOIST_TRY(dwn_frame_read(w->frame->level, made, w->arena, &again));
    *out_same = again.count == w->frame->count &&
                hoist_frame_same_bytes(again.members, w->members, again.count);
    return HOIST_OK;
}

// Three tries: fill the holes, write anew, refuse. Each result is read again, as shared bytes and
// vectors can spoil either.
hoist_status dwn_frame_write(dwn_frame *frame, const hoist_bytes *members, hoist_arena *arena,
                             hoist_diag *diag, hoist_buffer *out)
{
    frame_writer w = {frame, members, arena, diag, out};
    const size_t start = out->size;
    bool same = false;
    if (hoist_frame_fill(frame->bytes, frame->members, members, frame->count, out)) {
        HOIST_TRY(out->failed ? HOIST_NO_MEMORY : compare(&w, start, &same));
    }
    if (!same) { // sizes have changed, or members share their bytes
        out->size = start;
        HOIST_TRY(write_anew(&w));
        HOIST_TRY(out->failed ? HOIST_NO_MEMORY : compare(&w, start, &same));
    }
    return same ? HOIST_OK
                : hoist_fail(diag, HOIST_UNSUPPORTED, hoist_folder_rule_row(FOLD_004),
                             hoist_loc_none(), "the members of %s cannot be changed one by one",
                             dwn_level_files[frame->level]);
}

// Used for hints, which are no members.
hoist_status dwn_frame_write_rows(dwn_frame *frame, hoist_arena *arena, hoist_diag *diag,
                                  hoist_buffer *out)
{
    frame_writer w = {frame, frame->members, arena, diag, out};
    return write_anew(&w);
}
