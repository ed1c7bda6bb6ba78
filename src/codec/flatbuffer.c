// Offsets in a FlatBuffer (tables, vtables, slots) and members of the C structs that rows
// describe. Used by all other flatbuffer_*.c; nothing here reports.
//
// table    i32 distance back to its vtable, then the fields, in any order
// vtable   u16 its bytes, u16 bytes of the table, u16 per slot: place in the table, 0 absent
// offset   u32, counts forward from where it is stored; strings and vectors begin with a u32 count
#include "codec/flatbuffer.h"

#include <string.h>

#include "base/reader.h"
#include "codec/flatbuffer_internal.h"

// Bytes of the scalar kinds.
static const uint8_t scalar_sizes[HOIST_FB_SCALARS] = {
    [HOIST_FB_BOOL] = 1, [HOIST_FB_I8] = 1,  [HOIST_FB_U8] = 1,  [HOIST_FB_I16] = 2,
    [HOIST_FB_U16] = 2,  [HOIST_FB_I32] = 4, [HOIST_FB_U32] = 4, [HOIST_FB_I64] = 8,
    [HOIST_FB_U64] = 8,  [HOIST_FB_F32] = 4, [HOIST_FB_F64] = 8,
};

size_t hoist_fb_scalar_size(hoist_fb_kind kind)
{
    return scalar_sizes[kind];
}

size_t fb_inline_size(const hoist_fb_field *field)
{
    return field->kind < HOIST_FB_SCALARS ? scalar_sizes[field->kind] : sizeof(uint32_t);
}

size_t fb_item_size(const hoist_fb_field *field)
{
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_VECTOR:
        return scalar_sizes[field->item];
    case HOIST_FB_STRUCTS:
        return field->type->size;
    case HOIST_FB_STRING:
        return 1;
    default:
        return sizeof(uint32_t);
    }
}

hoist_str hoist_fb_identifier(hoist_bytes buffer)
{
    return buffer.size < 8 ? (hoist_str){"", 0} : (hoist_str){(const char *)buffer.data + 4, 4};
}

// The one place that looks at raw offsets of tables: what it lets through can be read by all
// other functions without a check of the vtable. Distances are signed, so the vtable may be
// after its table.
fb_rule fb_open(hoist_bytes buffer, uint64_t at, fb_raw *out_raw)
{
    if (at % 4 || at + 4 > buffer.size) {
        return FB_002;
    }
    // In 64 bits: neither the difference nor the sums below can overflow for any 32-bit values.
    const int64_t vtable = (int64_t)at - (int32_t)hoist_load_u32le(buffer.data + at);
    if (vtable < 0 || (uint64_t)vtable + 4 > buffer.size) {
        return FB_002;
    }
    const uint16_t vtable_size = hoist_load_u16le(buffer.data + vtable);
    const uint16_t table_size = hoist_load_u16le(buffer.data + vtable + 2);
    if (vtable % 2 || vtable_size < 4 || vtable_size % 2 ||
        (uint64_t)vtable + vtable_size > buffer.size) {
        return FB_003;
    }
    if (table_size < 4 || at + table_size > buffer.size) {
        return FB_002;
    }
    *out_raw =
        // Four bytes of the vtable are its two sizes.
        (fb_raw){(uint32_t)at, (uint32_t)vtable, (uint16_t)((vtable_size - 4) / 2), table_size};
    return FB_RULE_COUNT;
}

// A slot beyond the vtable is that of a field which the writer's schema did not have: absent.
uint16_t fb_field_offset(hoist_bytes buffer, const fb_raw *raw, uint32_t slot)
{
    return slot < raw->slots ? hoist_load_u16le(buffer.data + raw->vtable + 4 + (size_t)slot * 2)
                             : 0;
}

// Also for tables that were made: their place is 0, which no table of a buffer has.
uint32_t hoist_fb_place(hoist_bytes buffer, uint32_t table, uint16_t slot)
{
    fb_raw raw;
    if (table == 0 || fb_open(buffer, table, &raw) != FB_RULE_COUNT) {
        return 0;
    }
    const uint16_t offset = fb_field_offset(buffer, &raw, slot);
    return offset && offset < raw.size ? table + offset : 0;
}

uint32_t hoist_fb_member_place(hoist_bytes buffer, const hoist_fb_type *type, const void *object,
                               size_t member)
{
    const hoist_fb_table *const table = object;
    for (size_t i = 0; i < type->count; i++) {
        if (type->fields[i].at == member) {
            const uint32_t at = hoist_fb_place(buffer, table->at, type->fields[i].slot);
            return at ? at : table->at;
        }
    }
    return table->at;
}

bool fb_knows(const hoist_fb_type *type, uint32_t slot)
{
    for (size_t i = 0; i < type->count; i++) {
        const hoist_fb_field *const field = &type->fields[i];
        // A union has two slots: its type, then its value, by which its row goes.
        if (field->slot == slot || (field->kind == HOIST_FB_UNION && field->slot == slot + 1)) {
            return true;
        }
    }
    return false;
}

const hoist_fb_type *hoist_fb_variant_type(const hoist_fb_variant *variants, uint8_t value)
{
    for (const hoist_fb_variant *v = variants; v && v->type; v++) {
        if (v->value == value) {
            return v->type;
        }
    }
    return NULL;
}

const void *fb_member(const void *object, const hoist_fb_field *field)
{
    return (const uint8_t *)object + field->at;
}

// By memcpy, as lists of different item types are different C types to the compiler.
fb_list fb_list_of(const void *member)
{
    fb_list list;
    memcpy(&list, member, sizeof(list));
    return list;
}

// One and two bytes are loaded from members of exactly that type, which are aligned.
uint64_t fb_bits(hoist_fb_kind kind, const void *member)
{
    switch (scalar_sizes[kind]) {
    case 1:
        return *(const uint8_t *)member;
    case 2:
        return *(const uint16_t *)member;
    case 4: {
        uint32_t bits = 0;
        memcpy(&bits, member, sizeof(bits));
        return bits;
    }
    default: {
        uint64_t bits = 0;
        memcpy(&bits, member, sizeof(bits));
        return bits;
    }
    }
}

uint64_t fb_fallback_bits(const hoist_fb_field *field)
{
    if (field->kind == HOIST_FB_F32) {
        const float number = (float)field->fallback;
        return fb_bits(HOIST_FB_F32, &number);
    }
    if (field->kind == HOIST_FB_F64) {
        const double number = field->fallback;
        return fb_bits(HOIST_FB_F64, &number);
    }
    // Negative fallbacks have their sign extended to 64 bits; the upper part is cut off again.
    const size_t size = scalar_sizes[field->kind];
    const uint64_t bits = (uint64_t)(int64_t)field->fallback;
    return size == 8 ? bits : bits & ((1ULL << size * 8) - 1);
}

int32_t hoist_fb_i32(hoist_bytes vector, size_t index)
{
    return (int32_t)hoist_load_u32le(vector.data + index * 4);
}

int64_t hoist_fb_i64(hoist_bytes vector, size_t index)
{
    return (int64_t)hoist_load_u64le(vector.data + index * 8);
}

float hoist_fb_f32(hoist_bytes vector, size_t index)
{
    const uint32_t bits = hoist_load_u32le(vector.data + index * 4);
    float value = 0;
    memcpy(&value, &bits, sizeof(value));
    return value;
}

const char *hoist_fb_word_name(const hoist_fb_word *words, int64_t value)
{
    for (const hoist_fb_word *word = words; word && word->name; word++) {
        if (word->value == value) {
            return word->name;
        }
    }
    return NULL;
}

// The part of hoist_fb_is_known() for the member of one field.
// Calls `below` for every object that the fields of `object` hold; whether all say yes.
static bool all_known(const hoist_fb_field *field, const void *member)
{
    if (field->kind == HOIST_FB_TABLE) {
        const void *const table = *(const void *const *)member;
        return !table || hoist_fb_is_known(field->type, table);
    }
    if (field->kind == HOIST_FB_UNION) {
        const hoist_fb_union *const value = member;
        const hoist_fb_type *const type = hoist_fb_variant_type(field->variants, value->type);
        return value->type == 0 ||
               (type && (!value->value || hoist_fb_is_known(type, value->value)));
    }
    if (field->kind == HOIST_FB_TABLES) {
        const fb_list list = fb_list_of(member);
        const uint8_t *item = list.items;
        for (uint32_t i = 0; i < list.count; i++, item += field->type->size) {
            if (!hoist_fb_is_known(field->type, item)) {
                return false;
            }
        }
    }
    return true;
}

// Recursion as deep as reading allowed (64 tables).
bool hoist_fb_is_known(const hoist_fb_type *type, const void *object)
{
    if (((const hoist_fb_table *)object)->unknowns) {
        return false;
    }
    for (size_t i = 0; i < type->count; i++) {
        if (!all_known(&type->fields[i], fb_member(object, &type->fields[i]))) {
            return false;
        }
    }
    return true;
}
