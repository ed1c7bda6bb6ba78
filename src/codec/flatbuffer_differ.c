// Compares objects with the bytes of the buffer that they were read from, so that
// flatbuffer_rewrite.c changes only what the caller changed.
// All functions assume a buffer in which reading found no fault: offsets are followed
// unchecked.
#include <string.h>

#include "base/reader.h"
#include "codec/flatbuffer_writer.h"

uint32_t fb_target(hoist_bytes buffer, uint32_t at)
{
    return at + hoist_load_u32le(buffer.data + at);
}

// 4 bytes behind the target: the count is before the items.
hoist_bytes fb_stored_bytes(hoist_bytes buffer, const hoist_fb_field *field, uint32_t at)
{
    if (!at) {
        return (hoist_bytes){NULL, 0};
    }
    const uint32_t target = fb_target(buffer, at);
    return (hoist_bytes){buffer.data + target + 4,
                         hoist_load_u32le(buffer.data + target) * fb_item_size(field)};
}

hoist_bytes fb_member_bytes(const hoist_fb_field *field, const void *member)
{
    if (field->kind == HOIST_FB_STRING) {
        const hoist_str text = *(const hoist_str *)member;
        return (hoist_bytes){(const uint8_t *)text.data, text.size};
    }
    return *(const hoist_bytes *)member;
}

// Absent (data NULL) and empty are different: one has no field, the other a vector of no items.
bool fb_same_bytes(hoist_bytes a, hoist_bytes b)
{
    return a.size == b.size && !a.data == !b.data &&
           (a.data == b.data || memcmp(a.data, b.data, a.size) == 0);
}

// Floats by their bits, so NaN is equal to itself and 0 differs from -0.
static bool scalar_differs(hoist_bytes buffer, const hoist_fb_field *field, uint32_t at,
                           const void *member)
{
    const uint64_t bits = fb_bits((hoist_fb_kind)field->kind, member);
    if (!at) {
        return bits != fb_fallback_bits(field);
    }
    if (field->kind == HOIST_FB_BOOL) {
        return (buffer.data[at] != 0) != (bits != 0);
    }
    uint8_t stored[8];
    hoist_store_u64le(stored, bits);
    return memcmp(buffer.data + at, stored, hoist_fb_scalar_size((hoist_fb_kind)field->kind)) != 0;
}

// Whether `object` is not what the offset stored at `at` leads to (0: nothing is stored).
static bool child_differs(hoist_bytes buffer, uint32_t at, const hoist_fb_type *type,
                          const void *object)
{
    if (!at || !object) {
        return !at != !object;
    }
    // An object that was read from another table was moved here by the caller, whatever its
    // content.
    return ((const hoist_fb_table *)object)->at != fb_target(buffer, at) ||
           fb_differs(buffer, type, object);
}

static bool strings_differ(hoist_bytes buffer, uint32_t at, const void *member)
{
    HOIST_FB_LIST(hoist_str) list;
    memcpy(&list, member, sizeof(list));
    if (!at || !list.items) {
        return !at != !list.items;
    }
    const uint32_t vector = fb_target(buffer, at);
    const hoist_fb_field one = {.kind = HOIST_FB_STRING};
    // After another count the loop does nothing: no item is looked at beyond the stored ones.
    bool differs = hoist_load_u32le(buffer.data + vector) != list.count;
    for (uint32_t i = 0; i < list.count && !differs; i++) {
        differs = !fb_same_bytes(fb_stored_bytes(buffer, &one, vector + 4 + 4 * i),
                                 fb_member_bytes(&one, &list.items[i]));
    }
    return differs;
}

static bool tables_differ(hoist_bytes buffer, uint32_t at, const hoist_fb_type *type,
                          const void *member)
{
    const fb_list list = fb_list_of(member);
    if (!at || !list.items) {
        return !at != !list.items;
    }
    const uint32_t vector = fb_target(buffer, at);
    bool differs = hoist_load_u32le(buffer.data + vector) != list.count;
    const uint8_t *item = list.items;
    for (uint32_t i = 0; i < list.count && !differs; i++, item += type->size) {
        differs = child_differs(buffer, vector + 4 + 4 * i, type, item);
    }
    return differs;
}

static bool union_differs(hoist_bytes buffer, uint32_t table, uint32_t at,
                          const hoist_fb_field *field, const hoist_fb_union *value)
{
    const uint32_t type_at = hoist_fb_place(buffer, table, (uint16_t)(field->slot - 1));
    const uint8_t stored = type_at ? buffer.data[type_at] : 0;
    const hoist_fb_type *const type = hoist_fb_variant_type(field->variants, stored);
    // A type without a row cannot have been changed by the caller: it has no object.
    return value->type != stored || (type && child_differs(buffer, at, type, value->value));
}

static bool field_differs(hoist_bytes buffer, uint32_t table, const hoist_fb_field *field,
                          const void *member)
{
    const uint32_t at = hoist_fb_place(buffer, table, field->slot);
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_STRING:
    case HOIST_FB_VECTOR:
    case HOIST_FB_STRUCTS:
        return !fb_same_bytes(fb_stored_bytes(buffer, field, at), fb_member_bytes(field, member));
    case HOIST_FB_TABLE:
        return child_differs(buffer, at, field->type, *(const void *const *)member);
    case HOIST_FB_STRINGS:
        return strings_differ(buffer, at, member);
    case HOIST_FB_TABLES:
        return tables_differ(buffer, at, field->type, member);
    case HOIST_FB_UNION:
        return union_differs(buffer, table, at, field, member);
    default:
        return scalar_differs(buffer, field, at, member);
    }
}

// Stops at the first difference; only whether there is one matters.
bool fb_differs(hoist_bytes buffer, const hoist_fb_type *type, const void *object)
{
    const uint32_t table = ((const hoist_fb_table *)object)->at;
    bool differs = false;
    for (size_t i = 0; i < type->count && !differs; i++) {
        differs =
            field_differs(buffer, table, &type->fields[i], fb_member(object, &type->fields[i]));
    }
    return differs;
}
