// Writing a new buffer: each table is placed before the values that it refers to, since
// FlatBuffers' offsets count forward. Equal vtables are shared.
// Layout, front to back: vtable, table, then its values, each aligned to its size from the start
// of the buffer. (The public builder works from the end of the buffer to its start.)
#include <string.h>

#include "base/assert.h"
#include "base/reader.h"
#include "codec/flatbuffer_writer.h"

enum {
    MAX_PARTS = 128,       // 64 rows, and the types of unions
    LARGE_ALIGNMENT = 256, // what is aligned to pages and the like has an order of its own
};

// What a table stores: a field, or the type of a union.
typedef struct part {
    const hoist_fb_field *field;
    uint16_t slot;
    uint16_t offset; // in the table
    uint8_t size;    // bytes there
    bool is_type;
} part;

typedef struct table_plan {
    part parts[MAX_PARTS];
    size_t count;
    uint16_t slots; // of the vtable
    uint16_t size;  // of the table
    // 4, or 8 where a field of 8 bytes is stored.
    uint8_t alignment;
} table_plan;

uint32_t fb_writer_at(const fb_writer *w)
{
    return (uint32_t)(w->out->size - w->start);
}

void fb_writer_align(fb_writer *w, size_t alignment, size_t behind)
{
    HOIST_ASSERT(alignment > 0);
    const size_t rest = (w->out->size - w->start + behind) % alignment;
    hoist_buffer_fill(w->out, 0, rest ? alignment - rest : 0);
}

static void put_u32(fb_writer *w, uint32_t value)
{
    uint8_t bytes[4];
    hoist_store_u32le(bytes, value);
    hoist_buffer_add(w->out, (hoist_bytes){bytes, sizeof(bytes)});
}

static void put_u16(fb_writer *w, uint16_t value)
{
    uint8_t bytes[2];
    hoist_store_u16le(bytes, value);
    hoist_buffer_add(w->out, (hoist_bytes){bytes, sizeof(bytes)});
}

void fb_writer_link(fb_writer *w, uint32_t field, uint32_t target)
{
    if (!w->out->failed) {
        // Forward only: target > field.
        hoist_store_u32le(w->out->data + w->start + field, target - field);
    }
}

bool fb_is_stored(const hoist_fb_type *type, size_t row, const void *object)
{
    const hoist_fb_field *const field = &type->fields[row];
    const void *const member = fb_member(object, field);
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_STRING:
        return ((const hoist_str *)member)->data != NULL;
    case HOIST_FB_VECTOR:
    case HOIST_FB_STRUCTS:
        return ((const hoist_bytes *)member)->data != NULL;
    case HOIST_FB_TABLE:
        return *(const void *const *)member != NULL;
    case HOIST_FB_STRINGS:
    case HOIST_FB_TABLES:
        return fb_list_of(member).items != NULL;
    case HOIST_FB_UNION: {
        const hoist_fb_union *const value = member;
        // A value without a row has no C struct to write.
        return value->value && hoist_fb_variant_type(field->variants, value->type);
    }
    default:
        return (((const hoist_fb_table *)object)->present >> row & 1) ||
               fb_bits((hoist_fb_kind)field->kind, member) != fb_fallback_bits(field);
    }
}

// The vtable is as long as the highest slot that is stored: absent slots behind it cost
// nothing.
static void add_part(table_plan *plan, const hoist_fb_field *field, bool is_type)
{
    HOIST_ASSERT(plan->count < MAX_PARTS && field->slot >= is_type);
    const uint16_t slot = (uint16_t)(field->slot - is_type);
    plan->parts[plan->count++] =
        (part){field, slot, 0, (uint8_t)(is_type ? 1 : fb_inline_size(field)), is_type};
    plan->slots = plan->slots > slot ? plan->slots : (uint16_t)(slot + 1);
}

// Gives the parts of `size` bytes from number `*next` on their places, `count` of them at most.
// offset 0: not placed yet, as no field is at 0.
static void place_parts(table_plan *plan, uint8_t size, size_t count)
{
    for (size_t i = 0; i < plan->count && count; i++) {
        part *const p = &plan->parts[i];
        if (p->size == size && p->offset == 0) {
            p->offset = plan->size;
            plan->size = (uint16_t)(plan->size + size);
            count--;
        }
    }
}

// Larger ones first, but for one of 4 bytes that fills the space before those of 8.
static void plan_table(const hoist_fb_type *type, const void *object, table_plan *plan)
{
    *plan = (table_plan){.size = 4, .alignment = 4};
    for (size_t i = 0; i < type->count; i++) {
        if (fb_is_stored(type, i, object)) {
            const hoist_fb_field *const field = &type->fields[i];
            add_part(plan, field, false);
            if (field->kind == HOIST_FB_UNION) {
                add_part(plan, field, true);
            }
            plan->alignment = fb_inline_size(field) == 8 ? 8 : plan->alignment;
        }
    }
    // 4 bytes of the vtable's distance, then one field of 4 bytes or padding, then those of 8.
    if (plan->alignment == 8) {
        place_parts(plan, 4, 1);
        plan->size = 8;
        place_parts(plan, 8, MAX_PARTS);
    }
    place_parts(plan, 4, MAX_PARTS);
    place_parts(plan, 2, MAX_PARTS);
    place_parts(plan, 1, MAX_PARTS);
}

// One of the last vtables that has these bytes; 0: none has.
// A ring of the last 32: tables of one type follow each other, so more would find little.
static uint32_t find_vtable(const fb_writer *w, const uint8_t *bytes, size_t size)
{
    const uint32_t kept = w->vtable_count < FB_KEPT_VTABLES ? w->vtable_count : FB_KEPT_VTABLES;
    for (uint32_t i = 0; i < kept; i++) {
        const size_t at = w->start + w->vtables[i];
        if (at + size <= w->out->size && memcmp(w->out->data + at, bytes, size) == 0) {
            return w->vtables[i];
        }
    }
    return 0;
}

static uint32_t write_vtable(fb_writer *w, const table_plan *plan)
{
    // Vtables are of 16-bit numbers.
    const uint32_t at = (fb_writer_align(w, 2, 0), fb_writer_at(w));
    put_u16(w, (uint16_t)(4 + 2 * plan->slots));
    put_u16(w, plan->size);
    hoist_buffer_fill(w->out, 0, (size_t)2 * plan->slots);
    if (w->out->failed) {
        return at;
    }
    uint8_t *const bytes = w->out->data + w->start + at;
    HOIST_ASSERT(w->start + at + 4 + (size_t)2 * plan->slots == w->out->size);
    for (size_t i = 0; i < plan->count; i++) {
        hoist_store_u16le(bytes + 4 + (size_t)2 * plan->parts[i].slot, plan->parts[i].offset);
    }
    const size_t size = 4 + 2U * plan->slots;
    w->out->size -= size; // for the search, which must not find this one
    const uint32_t same = find_vtable(w, bytes, size);
    if (same) {
        return same;
    }
    w->out->size += size;
    w->vtables[w->vtable_count++ % FB_KEPT_VTABLES] = at;
    return at;
}

// Stores the scalars of a table at `at`, and the types of unions.
static void store_scalars(fb_writer *w, uint32_t at, const table_plan *plan, const void *object)
{
    for (size_t i = 0; i < plan->count; i++) {
        const part *const p = &plan->parts[i];
        const void *const member = fb_member(object, p->field);
        uint8_t stored[8];
        HOIST_ASSERT(p->offset >= 4 && p->offset + p->size <= plan->size &&
                     p->size <= sizeof(stored));
        if (p->is_type) {
            stored[0] = ((const hoist_fb_union *)member)->type;
        } else if (p->field->kind < HOIST_FB_SCALARS) {
            hoist_store_u64le(stored, fb_bits((hoist_fb_kind)p->field->kind, member));
        } else {
            continue;
        }
        memcpy(w->out->data + w->start + at + p->offset, stored, p->size);
    }
}

// Writes what the table at `at` refers to: what is aligned to pages, or everything else.
static void write_children(fb_writer *w, uint32_t at, const table_plan *plan, const void *object,
                           bool large)
{
    for (size_t i = 0; i < plan->count; i++) {
        const part *const p = &plan->parts[i];
        if (!p->is_type && p->field->kind >= HOIST_FB_SCALARS &&
            (p->field->align >= LARGE_ALIGNMENT) == large) {
            const uint32_t child = fb_write_child(w, p->field, fb_member(object, p->field));
            HOIST_ASSERT(w->out->failed || child > at);
            fb_writer_link(w, at + p->offset, child);
        }
    }
}

uint32_t fb_write_table(fb_writer *w, const hoist_fb_type *type, const void *object)
{
    table_plan plan;
    plan_table(type, object, &plan);
    const uint32_t vtable = write_vtable(w, &plan);
    fb_writer_align(w, plan.alignment, 0);
    const uint32_t at = fb_writer_at(w);
    // The vtable is before the table, be it its own or an earlier one: the distance is
    // positive.
    put_u32(w, at - vtable);
    hoist_buffer_fill(w->out, 0, plan.size - 4U);
    if (w->out->failed || w->out->size - w->start > INT32_MAX) {
        w->status = HOIST_LIMIT;
        return at;
    }
    store_scalars(w, at, &plan, object);
    // The largest alignment of what the table refers to.
    uint16_t alignment = 1;
    for (size_t i = 0; i < plan.count; i++) {
        const uint16_t other = plan.parts[i].field->align;
        alignment = other > alignment ? other : alignment;
    }
    // The small values are written in front of the aligned data if they fit into the padding
    // there, else behind it; which of the two is found by trying. The state is put back for the
    // second try.
    const fb_writer before = *w;
    const size_t size = w->out->size;
    write_children(w, at, &plan, object, false);
    // What does not fit before the first page is after what is aligned to pages.
    const bool fits = (w->out->size - w->start + 4) / alignment == (size - w->start) / alignment;
    if (alignment >= LARGE_ALIGNMENT && !fits && !w->out->failed) {
        *w = before;
        w->out->size = size;
        write_children(w, at, &plan, object, true);
        write_children(w, at, &plan, object, false);
    } else {
        write_children(w, at, &plan, object, true);
    }
    return at;
}

// A vector of `count` items; `bytes` are all of them.
static uint32_t write_vector(fb_writer *w, hoist_bytes bytes, size_t count, size_t alignment)
{
    // The items are aligned, the count is 4 bytes before them.
    fb_writer_align(w, alignment > 4 ? alignment : 4, 4);
    const uint32_t at = fb_writer_at(w);
    put_u32(w, (uint32_t)count);
    hoist_buffer_add(w->out, bytes);
    return at;
}

static uint32_t write_string(fb_writer *w, hoist_str text, size_t alignment)
{
    const uint32_t at =
        write_vector(w, (hoist_bytes){(const uint8_t *)text.data, text.size}, text.size, alignment);
    hoist_buffer_char(w->out, 0);
    return at;
}

// A vector of so many offsets, to be stored later; the place of its length.
// The offsets are known when their items have been written, which is after the vector.
static uint32_t write_offsets(fb_writer *w, uint32_t count)
{
    const uint32_t at = write_vector(w, (hoist_bytes){NULL, 0}, count, 4);
    hoist_buffer_fill(w->out, 0, (size_t)count * 4);
    return at;
}

static uint32_t write_strings(fb_writer *w, const hoist_fb_field *field, const void *member)
{
    HOIST_FB_LIST(hoist_str) list;
    memcpy(&list, member, sizeof(list));
    const uint32_t at = write_offsets(w, list.count);
    for (uint32_t i = 0; i < list.count && !w->out->failed; i++) {
        fb_writer_link(w, at + 4 + 4 * i, write_string(w, list.items[i], field->align));
    }
    return at;
}

static uint32_t write_tables(fb_writer *w, const hoist_fb_field *field, const void *member)
{
    const fb_list list = fb_list_of(member);
    const uint32_t at = write_offsets(w, list.count);
    const uint8_t *item = list.items;
    for (uint32_t i = 0; i < list.count && !w->out->failed; i++, item += field->type->size) {
        fb_writer_link(w, at + 4 + 4 * i, fb_write_table(w, field->type, item));
    }
    return at;
}

uint32_t fb_write_child(fb_writer *w, const hoist_fb_field *field, const void *member)
{
    HOIST_ASSERT(field->kind >= HOIST_FB_SCALARS);
    const size_t item = fb_item_size(field);
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_STRING:
        return write_string(w, *(const hoist_str *)member, field->align);
    case HOIST_FB_VECTOR:
    case HOIST_FB_STRUCTS: {
        const hoist_bytes vector = *(const hoist_bytes *)member;
        // Structs of 32-bit members, as in reading.
        const size_t natural = field->kind == HOIST_FB_VECTOR ? item : 4;
        return write_vector(w, vector, vector.size / item,
                            field->align > natural ? field->align : natural);
    }
    case HOIST_FB_STRINGS:
        return write_strings(w, field, member);
    case HOIST_FB_TABLES:
        return write_tables(w, field, member);
    case HOIST_FB_TABLE:
        return fb_write_table(w, field->type, *(const void *const *)member);
    default: {
        const hoist_fb_union *const value = member;
        return fb_write_table(w, hoist_fb_variant_type(field->variants, value->type), value->value);
    }
    }
}

hoist_status hoist_fb_write(const hoist_fb_type *root, const void *object, const char *identifier,
                            hoist_buffer *out)
{
    fb_writer w = {.out = out, .start = out->size};
    // The offset of the root, which is linked at the end; the identifier is behind it.
    put_u32(&w, 0);
    if (identifier) {
        hoist_buffer_add(out, (hoist_bytes){(const uint8_t *)identifier, 4});
    }
    const uint32_t at = fb_write_table(&w, root, object);
    fb_writer_link(&w, 0, at);
    HOIST_TRY_MEMORY(!out->failed);
    return w.status == HOIST_OK && out->size - w.start <= INT32_MAX ? HOIST_OK : HOIST_LIMIT;
}
