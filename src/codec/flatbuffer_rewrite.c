// Writing a buffer that was read, with changes: unchanged tables keep their place and bytes
// (flatbuffer_differ.c), changed ones are patched in place where they fit and appended by
// flatbuffer_write.c where they do not.
// The output begins as a copy of the input; patches go into the copy, new values behind it. An
// offset in the copy is changed with fb_writer_link(). What no row knows is never moved, so its
// offsets, which are relative to their place, stay right.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/order.h"
#include "base/reader.h"
#include "codec/flatbuffer_writer.h"

typedef struct rewriter {
    hoist_bytes buffer; // as it was read
    fb_writer writer;
    hoist_buffer
        targets; // uint32_t: what offsets of objects lead to, sorted: to see what is shared
    hoist_diag *diag;
    hoist_status status;
} rewriter;

// Only the first reason is reported: what follows is a consequence.
static void refuse(rewriter *r, uint32_t table, const char *what)
{
    if (r->status == HOIST_OK) {
        hoist_report(r->diag, fb_rule_row(FB_013), hoist_loc_byte(table), "%s", what);
        r->status = HOIST_UNSUPPORTED;
    }
}

// Targets ----------------------------------------------------------------------------------------

// Once for each object that was read from the place; a place that is noted twice is shared.
static void note_target(rewriter *r, uint32_t target)
{
    hoist_buffer_add(&r->targets, (hoist_bytes){(const uint8_t *)&target, sizeof(target)});
}

// Notes the tables and vectors that an object and those below it were read from.
// Recursion as deep as reading allowed. Unions without an object have nothing to note.
static void note_targets(rewriter *r, const hoist_fb_type *type, const void *object)
{
    const uint32_t table = ((const hoist_fb_table *)object)->at;
    if (table == 0) {
        return;
    }
    note_target(r, table);
    for (size_t i = 0; i < type->count; i++) {
        const hoist_fb_field *const field = &type->fields[i];
        const uint32_t at = hoist_fb_place(r->buffer, table, field->slot);
        if (at && (field->kind == HOIST_FB_VECTOR || field->kind == HOIST_FB_STRUCTS)) {
            note_target(r, fb_target(r->buffer, at));
        }
        const void *const member = fb_member(object, field);
        if (field->kind == HOIST_FB_TABLE && *(const void *const *)member) {
            note_targets(r, field->type, *(const void *const *)member);
        } else if (field->kind == HOIST_FB_UNION && ((const hoist_fb_union *)member)->value) {
            const hoist_fb_union *const value = member;
            note_targets(r, hoist_fb_variant_type(field->variants, value->type), value->value);
        } else if (field->kind == HOIST_FB_TABLES) {
            const fb_list list = fb_list_of(member);
            const uint8_t *item = list.items;
            for (uint32_t k = 0; k < list.count; k++, item += field->type->size) {
                note_targets(r, field->type, item);
            }
        }
    }
}

static int by_value(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a;
    const uint32_t y = *(const uint32_t *)b;
    return hoist_order_u64(x, y);
}

// Sorted targets: equal ones are neighbours.
static bool is_shared(const rewriter *r, uint32_t target)
{
    const uint32_t *const first = (const uint32_t *)(const void *)r->targets.data;
    const size_t count = r->targets.size / sizeof(*first);
    const uint32_t *const found =
        count ? bsearch(&target, first, count, sizeof(*first), by_value) : NULL;
    return found && ((found > first && found[-1] == target) ||
                     (found + 1 < first + count && found[1] == target));
}

// Changes ----------------------------------------------------------------------------------------

static uint32_t patch_table(rewriter *r, const hoist_fb_type *type, const void *object);

// A new table in place of one that cannot take a change.
// Its place if the change is refused, so that callers need no further case.
static uint32_t replace_table(rewriter *r, const hoist_fb_type *type, const void *object)
{
    const uint32_t at = ((const hoist_fb_table *)object)->at;
    if (!hoist_fb_is_known(type, object)) {
        refuse(r, at, "a changed table has fields that are not known, and cannot be made anew");
        return at;
    }
    return fb_write_table(&r->writer, type, object);
}

// A string or vector that is stored and has changed.
static void patch_bytes(rewriter *r, const hoist_fb_field *field, uint32_t at, const void *member)
{
    const hoist_bytes was = fb_stored_bytes(r->buffer, field, at);
    const hoist_bytes is = fb_member_bytes(field, member);
    if (fb_same_bytes(was, is)) {
        return;
    }
    // Strings are never patched in place: writers may share equal strings, which is not noted.
    if (field->kind != HOIST_FB_STRING && was.size == is.size &&
        !is_shared(r, fb_target(r->buffer, at))) {
        const size_t place = (size_t)(was.data - r->buffer.data);
        // `was` points into the input; the copy has the same bytes at the same place.
        memcpy(r->writer.out->data + r->writer.start + place, is.data, is.size);
        return;
    }
    fb_writer_link(&r->writer, at, fb_write_child(&r->writer, field, member));
}

// The object after the offset stored at `at`, which was read from there or is a new one.
static void patch_child(rewriter *r, uint32_t at, const hoist_fb_type *type, const void *object)
{
    // At 0 the buffer has the offset of its root table, which is an offset like any other.
    const uint32_t was = fb_target(r->buffer, at);
    const uint32_t is = ((const hoist_fb_table *)object)->at == was
                            ? patch_table(r, type, object)
                            : replace_table(r, type, object);
    if (is != was) {
        fb_writer_link(&r->writer, at, is);
    }
}

static void patch_tables(rewriter *r, const hoist_fb_field *field, uint32_t at, const void *member)
{
    const fb_list list = fb_list_of(member);
    const uint32_t vector = fb_target(r->buffer, at);
    // Another number of items: a new vector with new tables, which needs all of them to be
    // known.
    if (hoist_load_u32le(r->buffer.data + vector) != list.count) {
        const uint8_t *item = list.items;
        for (uint32_t i = 0; i < list.count; i++, item += field->type->size) {
            if (!hoist_fb_is_known(field->type, item)) {
                refuse(r, vector, "a list whose length changes has tables that are not known");
                return;
            }
        }
        fb_writer_link(&r->writer, at, fb_write_child(&r->writer, field, member));
        return;
    }
    const uint8_t *item = list.items;
    for (uint32_t i = 0; i < list.count && r->status == HOIST_OK; i++, item += field->type->size) {
        patch_child(r, vector + 4 + 4 * i, field->type, item);
    }
}

static void patch_strings(rewriter *r, const hoist_fb_field *field, uint32_t at, const void *member)
{
    HOIST_FB_LIST(hoist_str) list;
    memcpy(&list, member, sizeof(list));
    const uint32_t vector = fb_target(r->buffer, at);
    if (hoist_load_u32le(r->buffer.data + vector) != list.count) {
        fb_writer_link(&r->writer, at, fb_write_child(&r->writer, field, member));
        return;
    }
    const hoist_fb_field one = {.kind = HOIST_FB_STRING, .align = field->align};
    for (uint32_t i = 0; i < list.count; i++) {
        patch_bytes(r, &one, vector + 4 + 4 * i, &list.items[i]);
    }
}

static void patch_scalar(rewriter *r, const hoist_fb_field *field, uint32_t at, const void *member)
{
    uint8_t stored[8];
    hoist_store_u64le(stored, fb_bits((hoist_fb_kind)field->kind, member));
    uint8_t *const place = r->writer.out->data + r->writer.start + at;
    // A bool may be stored as any byte but 0.
    if (field->kind != HOIST_FB_BOOL || (*place != 0) != (stored[0] != 0)) {
        memcpy(place, stored, hoist_fb_scalar_size((hoist_fb_kind)field->kind));
    }
}

// A field that is stored at `at`, and that the object still has.
static void patch_field(rewriter *r, const hoist_fb_field *field, uint32_t at, const void *member)
{
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_STRING:
    case HOIST_FB_VECTOR:
    case HOIST_FB_STRUCTS:
        patch_bytes(r, field, at, member);
        break;
    case HOIST_FB_TABLE:
        patch_child(r, at, field->type, *(const void *const *)member);
        break;
    case HOIST_FB_TABLES:
        patch_tables(r, field, at, member);
        break;
    case HOIST_FB_STRINGS:
        patch_strings(r, field, at, member);
        break;
    case HOIST_FB_UNION: {
        const hoist_fb_union *const value = member;
        patch_child(r, at, hoist_fb_variant_type(field->variants, value->type), value->value);
        break;
    }
    default:
        patch_scalar(r, field, at, member);
        break;
    }
}

// Whether the table has space for the field's change: it is stored as it was, or not as before.
// A vtable with room for more fields does not exist: only what is stored can change in place.
static bool has_space(const rewriter *r, const hoist_fb_type *type, size_t row, const void *object)
{
    const hoist_fb_field *const field = &type->fields[row];
    const uint32_t table = ((const hoist_fb_table *)object)->at;
    const uint32_t at = hoist_fb_place(r->buffer, table, field->slot);
    if (field->kind < HOIST_FB_SCALARS) {
        const uint64_t bits = fb_bits((hoist_fb_kind)field->kind, fb_member(object, field));
        return at || bits == fb_fallback_bits(field);
    }
    if (field->kind == HOIST_FB_UNION) {
        const hoist_fb_union *const value = fb_member(object, field);
        const uint32_t type_at = hoist_fb_place(r->buffer, table, (uint16_t)(field->slot - 1));
        const uint8_t was = type_at ? r->buffer.data[type_at] : 0;
        return was == value->type &&
               (!value->value == !at || !hoist_fb_variant_type(field->variants, was));
    }
    return !at == !fb_is_stored(type, row, object);
}

// Changes a table that was read; its place, which is a new one when it was made anew.
static uint32_t patch_table(rewriter *r, const hoist_fb_type *type, const void *object)
{
    const uint32_t table = ((const hoist_fb_table *)object)->at;
    // A change to a table that two objects were read from would be one to both.
    bool space = !is_shared(r, table) || !fb_differs(r->buffer, type, object);
    for (size_t i = 0; i < type->count && space; i++) {
        space = has_space(r, type, i, object);
    }
    if (!space) {
        return replace_table(r, type, object);
    }
    for (size_t i = 0; i < type->count && r->status == HOIST_OK; i++) {
        const hoist_fb_field *const field = &type->fields[i];
        const uint32_t at = hoist_fb_place(r->buffer, table, field->slot);
        if (at && (field->kind < HOIST_FB_SCALARS || fb_is_stored(type, i, object))) {
            patch_field(r, field, at, fb_member(object, field));
        }
        r->status = r->writer.out->failed ? HOIST_NO_MEMORY : r->status;
    }
    return table;
}

// What is followed below without a second look must be sound.
// Reads the buffer once more, without findings: the caller's objects may be of another reading.
static hoist_status check(hoist_bytes buffer, const hoist_fb_type *root, hoist_diag *diag,
                          hoist_allocator alloc)
{
    hoist_arena arena;
    hoist_arena_init(&arena, alloc);
    void *object = NULL;
    const hoist_status status = hoist_fb_read(buffer, root, NULL, &arena, NULL, &object);
    const uint32_t faults = object ? ((const hoist_fb_table *)object)->faults : 0;
    hoist_arena_deinit(&arena);
    if (status == HOIST_OK && faults) {
        return hoist_fail(diag, HOIST_INVALID, fb_rule_row(FB_013), hoist_loc_none(),
                          "the buffer to change has %" PRIu32 " faults", faults);
    }
    return status;
}

hoist_status hoist_fb_rewrite(hoist_bytes buffer, const hoist_fb_type *root, const void *object,
                              hoist_diag *diag, hoist_buffer *out)
{
    HOIST_TRY(check(buffer, root, diag, out->alloc));
    rewriter r = {.buffer = buffer, .writer = {.out = out, .start = out->size}, .diag = diag};
    hoist_buffer_init(&r.targets, out->alloc);
    note_targets(&r, root, object);
    // The copy comes first: places in the output are then those of the input.
    hoist_buffer_add(out, buffer);
    if (r.targets.failed || out->failed) {
        hoist_buffer_deinit(&r.targets);
        return HOIST_NO_MEMORY;
    }
    qsort(r.targets.data, r.targets.size / sizeof(uint32_t), sizeof(uint32_t), by_value);
    patch_child(&r, 0, root, object);
    hoist_buffer_deinit(&r.targets);
    if (r.status != HOIST_OK || out->failed) {
        return out->failed ? HOIST_NO_MEMORY : r.status;
    }
    return r.writer.status == HOIST_OK && out->size - r.writer.start <= INT32_MAX ? HOIST_OK
                                                                                  : HOIST_LIMIT;
}
