// Objects as tree events, by the rows of their types. Fields without a row are sent as bytes with
// their offset, so that a dump loses nothing.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/span.h"
#include "base/utf8.h"
#include "codec/flatbuffer_internal.h"
#include "codec/hash.h"

enum {
    SHORT_BYTES = 64,  // bytes that are shown as they are
    SHORT_LIST = 4096, // numbers that are shown one by one
};

// "0a1b" in `out`, which has space for the digits and a NUL.
static hoist_str hex(hoist_bytes bytes, char *out)
{
    for (size_t i = 0; i < bytes.size; i++) {
        (void)snprintf(out + i * 2, 3, "%02x", bytes.data[i]);
    }
    return (hoist_str){out, bytes.size * 2};
}

// Bytes as digits, or their number and digest.
static hoist_status visit_bytes(hoist_tree_sink *sink, const char *key, hoist_bytes bytes)
{
    char digits[SHORT_BYTES * 2 + 1] = "";
    if (bytes.size <= SHORT_BYTES) {
        hoist_tree_str(sink, key, hex(bytes, digits));
        return HOIST_OK;
    }
    return hoist_tree_digest(sink, hoist_str_from(key), bytes);
}

static void visit_scalar(hoist_tree_sink *sink, const char *key, const hoist_fb_field *field,
                         hoist_fb_kind kind, uint64_t bits)
{
    // Shifted up and down again, the sign of a narrow integer fills all 64 bits.
    const unsigned unused = 64 - 8 * (unsigned)hoist_fb_scalar_size(kind);
    const bool is_signed =
        kind == HOIST_FB_I8 || kind == HOIST_FB_I16 || kind == HOIST_FB_I32 || kind == HOIST_FB_I64;
    const int64_t value = is_signed ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
    const char *const word = hoist_fb_word_name(field->words, value);
    if (word) {
        hoist_tree_c(sink, key, word);
    } else if (kind == HOIST_FB_BOOL) {
        hoist_tree_bool(sink, key, bits != 0);
    } else if (kind == HOIST_FB_F32) {
        float number = 0;
        const uint32_t low = (uint32_t)bits;
        memcpy(&number, &low, sizeof(number));
        hoist_tree_float(sink, key, (double)number, HOIST_UNIT_NONE);
    } else if (kind == HOIST_FB_F64) {
        double number = 0;
        memcpy(&number, &bits, sizeof(number));
        hoist_tree_float(sink, key, number, HOIST_UNIT_NONE);
    } else if (is_signed) {
        hoist_tree_int(sink, key, value);
    } else {
        hoist_tree_uint(sink, key, bits, HOIST_UNIT_NONE);
    }
}

// Little-endian; items of vectors need not be aligned in memory.
static uint64_t load_bits(const uint8_t *p, size_t size)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) {
        bits |= (uint64_t)p[i] << 8 * i;
    }
    return bits;
}

static hoist_status visit_vector(hoist_tree_sink *sink, const hoist_fb_field *field,
                                 hoist_bytes vector)
{
    const size_t size = fb_item_size(field);
    // [ubyte] is data, not a list of numbers. A long vector is shown by its digest, as a weight
    // tensor as decimal numbers would be many times the file.
    if (size == 1 || vector.size / size > SHORT_LIST) {
        return visit_bytes(sink, field->name, vector);
    }
    hoist_tree_short_list(sink, field->name);
    for (size_t i = 0; i < vector.size / size; i++) {
        visit_scalar(sink, "", field, (hoist_fb_kind)field->item,
                     load_bits(vector.data + i * size, size));
    }
    hoist_tree_end(sink);
    return HOIST_OK;
}

// In a struct `slot` is the byte offset of the part: structs have no vtable.
static hoist_status visit_structs(hoist_tree_sink *sink, const hoist_fb_field *field,
                                  hoist_bytes vector)
{
    const hoist_fb_type *const type = field->type;
    if (vector.size / type->size > SHORT_LIST) {
        return visit_bytes(sink, field->name, vector);
    }
    hoist_tree_short_list(sink, field->name);
    for (size_t at = 0; at < vector.size; at += type->size) {
        hoist_tree_short_map(sink, "");
        for (size_t i = 0; i < type->count; i++) {
            const hoist_fb_field *const part = &type->fields[i];
            visit_scalar(sink, part->name, part, (hoist_fb_kind)part->kind,
                         load_bits(vector.data + at + part->slot,
                                   hoist_fb_scalar_size((hoist_fb_kind)part->kind)));
        }
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    return HOIST_OK;
}

// A string as text where it is one, else as bytes.
static hoist_status visit_string(hoist_tree_sink *sink, const char *key, hoist_str text)
{
    if (!hoist_utf8_is_text(text)) {
        return visit_bytes(sink, key, (hoist_bytes){(const uint8_t *)text.data, text.size});
    }
    hoist_tree_str(sink, key, text);
    return HOIST_OK;
}

static hoist_status visit_strings(hoist_tree_sink *sink, const hoist_fb_field *field,
                                  const void *member)
{
    HOIST_FB_LIST(hoist_str) list;
    memcpy(&list, member, sizeof(list));
    if (!list.items) {
        return HOIST_OK;
    }
    hoist_tree_list(sink, field->name);
    for (uint32_t i = 0; i < list.count; i++) {
        if (list.items[i].data) {
            HOIST_TRY(visit_string(sink, "", list.items[i]));
        } else {
            // A string that could not be read.
            hoist_tree_null(sink, "");
        }
    }
    hoist_tree_end(sink);
    return HOIST_OK;
}

static hoist_status visit_tables(hoist_bytes buffer, hoist_tree_sink *sink,
                                 const hoist_fb_field *field, const void *member)
{
    const fb_list list = fb_list_of(member);
    if (!list.items) {
        return HOIST_OK;
    }
    hoist_tree_list(sink, field->name);
    const uint8_t *item = list.items;
    for (uint32_t i = 0; i < list.count; i++, item += field->type->size) {
        hoist_tree_map(sink, "");
        HOIST_TRY(hoist_fb_visit(buffer, field->type, item, sink));
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    return HOIST_OK;
}

static hoist_status visit_table(hoist_bytes buffer, hoist_tree_sink *sink, const char *key,
                                const hoist_fb_type *type, const void *object)
{
    if (!object) {
        return HOIST_OK;
    }
    hoist_tree_map(sink, key);
    HOIST_TRY(hoist_fb_visit(buffer, type, object, sink));
    hoist_tree_end(sink);
    return HOIST_OK;
}

// The type by name or number, and the value; of one without a row what its table holds.
static hoist_status visit_union(hoist_bytes buffer, hoist_tree_sink *sink,
                                const hoist_fb_field *field, const hoist_fb_union *value)
{
    if (value->type == 0) {
        return HOIST_OK;
    }
    char key[128];
    (void)snprintf(key, sizeof(key), "%s_type", field->name);
    const hoist_fb_type *const type = hoist_fb_variant_type(field->variants, value->type);
    const char *const word = hoist_fb_word_name(field->words, value->type);
    if (word || type) {
        hoist_tree_c(sink, key, word ? word : type->name);
    } else {
        hoist_tree_uint(sink, key, value->type, HOIST_UNIT_NONE);
    }
    // A type without rows: all of its fields are unknown and shown as bytes.
    static const hoist_fb_type unknown = {"", NULL, 0, sizeof(hoist_fb_table)};
    const hoist_fb_table table = {.at = value->at, .unknowns = 1};
    return type ? visit_table(buffer, sink, field->name, type, value->value)
                : visit_table(buffer, sink, field->name, &unknown, value->at ? &table : NULL);
}

static hoist_status visit_field(hoist_bytes buffer, hoist_tree_sink *sink,
                                const hoist_fb_field *field, const void *member)
{
    switch ((hoist_fb_kind)field->kind) {
    case HOIST_FB_STRING: {
        const hoist_str *const text = member;
        return text->data ? visit_string(sink, field->name, *text) : HOIST_OK;
    }
    case HOIST_FB_VECTOR:
    case HOIST_FB_STRUCTS: {
        const hoist_bytes vector = *(const hoist_bytes *)member;
        if (!vector.data) {
            return HOIST_OK;
        }
        return field->kind == HOIST_FB_VECTOR ? visit_vector(sink, field, vector)
                                              : visit_structs(sink, field, vector);
    }
    case HOIST_FB_TABLE:
        return visit_table(buffer, sink, field->name, field->type, *(const void *const *)member);
    case HOIST_FB_STRINGS:
        return visit_strings(sink, field, member);
    case HOIST_FB_TABLES:
        return visit_tables(buffer, sink, field, member);
    case HOIST_FB_UNION:
        return visit_union(buffer, sink, field, member);
    default:
        visit_scalar(sink, field->name, field, (hoist_fb_kind)field->kind,
                     fb_bits((hoist_fb_kind)field->kind, member));
        return HOIST_OK;
    }
}

// Where fields of a table start: a bit per byte.
typedef struct field_starts {
    uint8_t bits[UINT16_MAX / 8 + 1];
} field_starts;

// Bytes from a stored field up to the next of its table or to the table's end, at most SHORT_BYTES.
// The size of a field without a row is not stored anywhere: at most what is free until the
// next.
static size_t gap_behind(const fb_raw *raw, const field_starts *starts, uint16_t offset)
{
    const size_t most = raw->size < offset + SHORT_BYTES ? raw->size : offset + SHORT_BYTES;
    size_t end = offset + 1U;
    while (end < most && !(starts->bits[end / 8] >> end % 8 & 1)) {
        end++;
    }
    return end - offset;
}

// Fields that have no row: the bytes that are between them and the next.
static hoist_status visit_unknowns(hoist_bytes buffer, const hoist_fb_type *type, uint32_t at,
                                   hoist_tree_sink *sink)
{
    fb_raw raw;
    if (fb_open(buffer, at, &raw) != FB_RULE_COUNT) {
        return HOIST_OK;
    }
    field_starts starts;
    memset(&starts, 0, sizeof(starts));
    for (uint32_t slot = 0; slot < raw.slots; slot++) {
        const uint16_t offset = fb_field_offset(buffer, &raw, slot);
        // Offset 0, of absent fields, sets a bit that no field can be at.
        starts.bits[offset / 8] |= (uint8_t)(1U << offset % 8);
    }
    for (uint32_t slot = 0; slot < raw.slots; slot++) {
        const uint16_t offset = fb_field_offset(buffer, &raw, slot);
        if (offset >= 4 && offset < raw.size && !fb_knows(type, slot)) {
            char key[24];
            (void)snprintf(key, sizeof(key), "slot %" PRIu32, slot);
            const hoist_bytes bytes = {buffer.data + at + offset,
                                       gap_behind(&raw, &starts, offset)};
            HOIST_TRY(visit_bytes(sink, key, bytes));
        }
    }
    return HOIST_OK;
}

// In the order of rows, which is that of the schema. Scalars with their fallback are left out,
// unless they were stored; enums are always there, as their names say something.
hoist_status hoist_fb_visit(hoist_bytes buffer, const hoist_fb_type *type, const void *object,
                            hoist_tree_sink *sink)
{
    const hoist_fb_table *const head = object;
    for (size_t i = 0; i < type->count; i++) {
        const hoist_fb_field *const field = &type->fields[i];
        const void *const member = fb_member(object, field);
        const bool shown = field->kind >= HOIST_FB_SCALARS || field->words ||
                           head->present >> i & 1 ||
                           fb_bits((hoist_fb_kind)field->kind, member) != fb_fallback_bits(field);
        HOIST_TRY(shown ? visit_field(buffer, sink, field, member) : HOIST_OK);
    }
    return head->unknowns ? visit_unknowns(buffer, type, head->at, sink) : HOIST_OK;
}
