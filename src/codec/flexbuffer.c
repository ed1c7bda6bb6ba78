// Reading FlexBuffers. Everything is little-endian; w is 1, 2, 4 or 8.
//
//   root           value of w bytes, packed type, w; the last three things of the buffer
//   packed type    type << 2 | log2 of a width
//   number         in its slot, or (indirect) where the slot's offset leads, of its own width
//   offset         unsigned, counts backwards from where it is stored
//   key            bytes, NUL
//   string, blob   length of w bytes, [offset leads here] bytes, of a string a NUL
//   vector         length of w bytes, [here] items of w bytes, their packed types
//   typed vector   length of w bytes, [here] items of w bytes; without the length where the type
//                  says how many there are
//   map            offset of the keys, their width, length: w bytes each; [here] as a vector. The
//                  keys are a typed vector of keys.
#include "codec/flexbuffer.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/checked.h"
#include "base/reader.h"
#include "base/span.h"
#include "codec/flexbuffer_rules.h"

// Where the bytes of a value are, and how many.
typedef enum flex_shape {
    FLEX_INLINE, // in the slot
    FLEX_INDIRECT,
    FLEX_TERMINATED, // up to a NUL
    FLEX_COUNTED,    // a length, then bytes
    FLEX_TYPED,      // a length, then items
    FLEX_MIXED,      // a length, items, types
    FLEX_MAP,        // keys, a length, items, types
    FLEX_FIXED,      // items
} flex_shape;

typedef struct flex_row {
    const char *name;
    uint8_t kind; // hoist_flex_type
    uint8_t shape;
    uint8_t item;  // type of all items; of a string: of the byte after it
    uint8_t count; // FLEX_FIXED: items
} flex_row;

// clang-format off
#define TYPE(id) [HOIST_FLEX_##id]
#define KIND(id) HOIST_FLEX_##id
static const flex_row types[HOIST_FLEX_TYPE_COUNT] = {
    TYPE(NULL)           = {"null",             KIND(NULL),   FLEX_INLINE,     0,           0},
    TYPE(INT)            = {"int",              KIND(INT),    FLEX_INLINE,     0,           0},
    TYPE(UINT)           = {"uint",             KIND(UINT),   FLEX_INLINE,     0,           0},
    TYPE(FLOAT)          = {"float",            KIND(FLOAT),  FLEX_INLINE,     0,           0},
    TYPE(KEY)            = {"key",              KIND(KEY),    FLEX_TERMINATED, 0,           0},
    TYPE(STRING)         = {"string",           KIND(STRING), FLEX_COUNTED,    0,           0},
    TYPE(INDIRECT_INT)   = {"indirect int",     KIND(INT),    FLEX_INDIRECT,   0,           0},
    TYPE(INDIRECT_UINT)  = {"indirect uint",    KIND(UINT),   FLEX_INDIRECT,   0,           0},
    TYPE(INDIRECT_FLOAT) = {"indirect float",   KIND(FLOAT),  FLEX_INDIRECT,   0,           0},
    TYPE(MAP)            = {"map",              KIND(MAP),    FLEX_MAP,        0,           0},
    TYPE(VECTOR)         = {"vector",           KIND(VECTOR), FLEX_MIXED,      0,           0},
    TYPE(VECTOR_INT)     = {"vector of int",    KIND(VECTOR), FLEX_TYPED,      KIND(INT),   0},
    TYPE(VECTOR_UINT)    = {"vector of uint",   KIND(VECTOR), FLEX_TYPED,      KIND(UINT),  0},
    TYPE(VECTOR_FLOAT)   = {"vector of float",  KIND(VECTOR), FLEX_TYPED,      KIND(FLOAT), 0},
    TYPE(VECTOR_KEY)     = {"vector of key",    KIND(VECTOR), FLEX_TYPED,      KIND(KEY),   0},
    // Read as keys: the deprecated type does not say how wide the lengths of its strings are.
    TYPE(VECTOR_STRING)  = {"vector of string", KIND(VECTOR), FLEX_TYPED,      KIND(KEY),   0},
    TYPE(VECTOR_INT2)    = {"2 int",            KIND(VECTOR), FLEX_FIXED,      KIND(INT),   2},
    TYPE(VECTOR_UINT2)   = {"2 uint",           KIND(VECTOR), FLEX_FIXED,      KIND(UINT),  2},
    TYPE(VECTOR_FLOAT2)  = {"2 float",          KIND(VECTOR), FLEX_FIXED,      KIND(FLOAT), 2},
    TYPE(VECTOR_INT3)    = {"3 int",            KIND(VECTOR), FLEX_FIXED,      KIND(INT),   3},
    TYPE(VECTOR_UINT3)   = {"3 uint",           KIND(VECTOR), FLEX_FIXED,      KIND(UINT),  3},
    TYPE(VECTOR_FLOAT3)  = {"3 float",          KIND(VECTOR), FLEX_FIXED,      KIND(FLOAT), 3},
    TYPE(VECTOR_INT4)    = {"4 int",            KIND(VECTOR), FLEX_FIXED,      KIND(INT),   4},
    TYPE(VECTOR_UINT4)   = {"4 uint",           KIND(VECTOR), FLEX_FIXED,      KIND(UINT),  4},
    TYPE(VECTOR_FLOAT4)  = {"4 float",          KIND(VECTOR), FLEX_FIXED,      KIND(FLOAT), 4},
    TYPE(BLOB)           = {"blob",             KIND(BLOB),   FLEX_COUNTED,    0,           0},
    TYPE(BOOL)           = {"bool",             KIND(BOOL),   FLEX_INLINE,     0,           0},
    TYPE(VECTOR_BOOL)    = {"vector of bool",   KIND(VECTOR), FLEX_TYPED,      KIND(BOOL),  0},
};
#undef TYPE
#undef KIND
// clang-format on

// Where a value is stored: a slot of a vector or the root.
typedef struct flex_slot {
    uint64_t at;        // of the number or offset
    uint64_t packed_at; // of the packed type
    uint8_t width;      // of the slot
    uint8_t packed;
} flex_slot;

const char *hoist_flex_type_name(unsigned type)
{
    return type < HOIST_FLEX_TYPE_COUNT ? types[type].name : NULL;
}

// False when the bytes are not all in the buffer.
// Byte by byte from the highest: any width, any alignment.
static bool read_number(const hoist_flex *in, uint64_t at, uint8_t width, uint64_t *out_number)
{
    hoist_reader r = hoist_reader_init(in->bytes);
    hoist_reader_seek(&r, at);
    const hoist_bytes bytes = hoist_read_bytes(&r, width);
    *out_number = 0;
    for (size_t i = bytes.size; i-- > 0;) {
        *out_number = *out_number << 8 | bytes.data[i];
    }
    return !r.failed;
}

// Whether `size` bytes from `at` are in the buffer.
static bool holds(const hoist_flex *in, uint64_t at, uint64_t size)
{
    return at <= in->bytes.size && size <= in->bytes.size - at;
}

static hoist_status outside(const hoist_flex_value *v)
{
    return hoist_flex_fault(v->in, HOIST_INVALID, FX_005, v->at,
                            "a value of type '%s' does not end in the buffer of %zu bytes",
                            types[v->type].name, v->in->bytes.size);
}

// follow() has checked that v->at is in the buffer, since offsets count backwards.
static hoist_status measure_terminated(hoist_flex_value *v)
{
    const uint8_t *const from = v->in->bytes.data + v->at;
    const uint8_t *const end = memchr(from, 0, v->in->bytes.size - (size_t)v->at);
    if (!end) {
        return hoist_flex_fault(v->in, HOIST_INVALID, FX_007, v->at, "a key has no NUL after it");
    }
    v->count = (uint64_t)(end - from);
    return HOIST_OK;
}

// The length is before what it counts.
static hoist_status read_count(hoist_flex_value *v)
{
    const uint64_t size = v->width;
    return v->at >= size && read_number(v->in, v->at - size, v->width, &v->count) ? HOIST_OK
                                                                                  : outside(v);
}

static hoist_status measure_counted(hoist_flex_value *v)
{
    HOIST_TRY(read_count(v));
    if (!holds(v->in, v->at, v->count)) {
        return outside(v);
    }
    uint64_t behind = 0;
    if (v->type == HOIST_FLEX_STRING &&
        (!read_number(v->in, v->at + v->count, 1, &behind) || behind != 0)) {
        return hoist_flex_fault(v->in, HOIST_INVALID, FX_006, v->at + v->count,
                                "a string of %llu %s has no NUL after it",
                                (unsigned long long)v->count,
                                hoist_plural(v->count, "byte", "bytes"));
    }
    return HOIST_OK;
}

// `item` bytes for each of the items: in the vector, and after it where types follow.
static hoist_status measure_items(hoist_flex_value *v, uint64_t item)
{
    uint64_t size = 0;
    return hoist_ckd_mul(&size, v->count, item) || !holds(v->in, v->at, size) ? outside(v)
                                                                              : HOIST_OK;
}

//    keys: offset of the keys | their width | number of members | [v->at] values | types
static hoist_status measure_keys(hoist_flex_value *v)
{
    hoist_flex *const in = v->in;
    const uint64_t w = v->width;
    uint64_t offset = 0;
    uint64_t width = 0;
    if (v->at < 3 * w || !read_number(in, v->at - 3 * w, v->width, &offset) ||
        !read_number(in, v->at - 2 * w, v->width, &width)) {
        return outside(v);
    }
    // Offsets count backwards from where they are stored: larger ones would be before the
    // buffer.
    if (offset > v->at - 3 * w) {
        return hoist_flex_fault(in, HOIST_INVALID, FX_004, v->at - 3 * w,
                                "the offset %llu of a map's keys leads out of the buffer",
                                (unsigned long long)offset);
    }
    if (width != 1 && width != 2 && width != 4 && width != 8) {
        return hoist_flex_fault(in, HOIST_INVALID, FX_002, v->at - 2 * w,
                                "the keys of a map are %llu bytes wide, expected 1, 2, 4 or 8",
                                (unsigned long long)width);
    }
    // A value of its own, for the functions that measure; it is not kept.
    hoist_flex_value keys = {.in = in,
                             .type = HOIST_FLEX_VECTOR_KEY,
                             .at = v->at - 3 * w - offset,
                             .width = (uint8_t)width};
    HOIST_TRY(read_count(&keys));
    if (keys.count != v->count) {
        return hoist_flex_fault(in, HOIST_INVALID, FX_008, keys.at - width,
                                "a map has %llu keys and %llu values",
                                (unsigned long long)keys.count, (unsigned long long)v->count);
    }
    v->keys_at = keys.at;
    v->keys_width = keys.width;
    return measure_items(&keys, width);
}

// Finds out what the value at v->at has, and that it is all in the buffer.
static hoist_status measure(hoist_flex_value *v, const flex_row *row)
{
    switch ((flex_shape)row->shape) {
    case FLEX_INLINE:
        return HOIST_OK;
    case FLEX_INDIRECT:
        return holds(v->in, v->at, v->width) ? HOIST_OK : outside(v);
    case FLEX_TERMINATED:
        return measure_terminated(v);
    case FLEX_COUNTED:
        return measure_counted(v);
    case FLEX_TYPED:
        HOIST_TRY(read_count(v));
        return measure_items(v, v->width);
    case FLEX_MIXED:
        HOIST_TRY(read_count(v));
        return measure_items(v, v->width + 1u);
    case FLEX_MAP:
        HOIST_TRY(read_count(v));
        HOIST_TRY(measure_items(v, v->width + 1u));
        return measure_keys(v);
    case FLEX_FIXED:
        v->count = row->count;
        return measure_items(v, v->width);
    }
    return HOIST_INTERNAL;
}

// `v` has the slot's place and width, and gets those of what its offset leads to.
static hoist_status follow(hoist_flex_value *v, const flex_slot *slot, const flex_row *row)
{
    uint64_t offset = 0;
    const bool inside = read_number(v->in, slot->at, slot->width, &offset);
    if (!inside || offset > slot->at) {
        return hoist_flex_fault(v->in, HOIST_INVALID, FX_004, slot->at,
                                "the offset %llu of a value of type '%s' leads out of the buffer",
                                (unsigned long long)offset, row->name);
    }
    v->at = slot->at - offset;
    // The low two bits of a packed type: of what the offset leads to, not of the slot.
    v->width = (uint8_t)(1u << (slot->packed & 3));
    return measure(v, row);
}

// After this all that the value says of its extent has been checked, but for its items.
static hoist_status read_slot(hoist_flex *in, const flex_slot *slot, hoist_flex_value *out_value)
{
    *out_value = (hoist_flex_value){0};
    const unsigned type = slot->packed >> 2;
    if (!hoist_flex_type_name(type)) {
        return hoist_flex_fault(in, HOIST_INVALID, FX_003, slot->packed_at,
                                "the type of a value is %u, which none has", type);
    }
    const flex_row *const row = &types[type];
    hoist_flex_value v = {
        .in = in, .type = type, .kind = row->kind, .width = slot->width, .at = slot->at};
    if (row->shape != FLEX_INLINE) {
        HOIST_TRY(follow(&v, slot, row));
    }
    // Also for items of typed vectors, each of which would be refused by itself.
    if (v.width == 1 &&
        (v.kind == HOIST_FLEX_FLOAT || (row->item == HOIST_FLEX_FLOAT && v.count > 0))) {
        return hoist_flex_fault(in, HOIST_INVALID, FX_010, v.at,
                                "a floating-point number has one byte, expected 2, 4 or 8");
    }
    *out_value = v;
    return HOIST_OK;
}

hoist_status hoist_flex_root(hoist_flex *in, hoist_flex_value *out_value)
{
    *out_value = (hoist_flex_value){0};
    const size_t size = in->bytes.size;
    if (size < 3) {
        return hoist_flex_fault(in, HOIST_INVALID, FX_001, 0,
                                "the buffer has %zu bytes, expected 3 or more", size);
    }
    const uint8_t width = in->bytes.data[size - 1];
    if (width != 1 && width != 2 && width != 4 && width != 8) {
        return hoist_flex_fault(in, HOIST_INVALID, FX_002, size - 1,
                                "the root value is %u bytes wide, expected 1, 2, 4 or 8", width);
    }
    if (size < width + 2u) {
        return hoist_flex_fault(in, HOIST_INVALID, FX_001, 0,
                                "the buffer has %zu bytes, its root value needs %u", size,
                                width + 2u);
    }
    //    ... value | packed type | width   end of the buffer
    const flex_slot slot = {.at = size - 2 - width,
                            .packed_at = size - 2,
                            .width = width,
                            .packed = in->bytes.data[size - 2]};
    return read_slot(in, &slot, out_value);
}

// Typed vectors have the type in their own; others have a byte for each item behind the items.
hoist_status hoist_flex_at(const hoist_flex_value *value, uint64_t index,
                           hoist_flex_value *out_item)
{
    HOIST_ASSERT(value->in && index < value->count);
    const flex_row *const row = &types[value->type];
    const uint64_t types_at = value->at + value->count * value->width;
    flex_slot slot = {.at = value->at + index * value->width,
                      .packed_at = value->at,
                      .width = value->width,
                      .packed = (uint8_t)(row->item << 2)};
    if (row->shape == FLEX_MIXED || row->shape == FLEX_MAP) {
        slot.packed_at = types_at + index;
        slot.packed = value->in->bytes.data[slot.packed_at];
    }
    return read_slot(value->in, &slot, out_item);
}

hoist_status hoist_flex_key_at(const hoist_flex_value *map, uint64_t index,
                               hoist_flex_value *out_key)
{
    HOIST_ASSERT(map->kind == HOIST_FLEX_MAP && index < map->count);
    const flex_slot slot = {.at = map->keys_at + index * map->keys_width,
                            .packed_at = map->keys_at,
                            .width = map->keys_width,
                            .packed = HOIST_FLEX_KEY << 2};
    return read_slot(map->in, &slot, out_key);
}

// Binary search: about log2 of the members are read, whatever their number. A map whose keys
// are not sorted (FX-009) may hide members, as it does from other readers.
hoist_status hoist_flex_find(const hoist_flex_value *map, const char *key,
                             hoist_flex_value *out_member)
{
    *out_member = (hoist_flex_value){0};
    const hoist_str name = hoist_str_from(key);
    uint64_t low = 0;
    uint64_t high = map->kind == HOIST_FLEX_MAP ? map->count : 0;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        hoist_flex_value found;
        HOIST_TRY(hoist_flex_key_at(map, middle, &found));
        const int order = hoist_str_compare(name, hoist_flex_text(&found));
        if (order == 0) {
            return hoist_flex_at(map, middle, out_member);
        }
        if (order < 0) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return HOIST_NOT_FOUND;
}

static uint64_t number_of(const hoist_flex_value *value)
{
    uint64_t number = 0;
    (void)read_number(value->in, value->at, value->width, &number); // it was measured
    return number;
}

bool hoist_flex_i64(const hoist_flex_value *value, int64_t *out_number)
{
    *out_number = 0;
    if (value->kind == HOIST_FLEX_UINT) {
        const uint64_t number = number_of(value);
        *out_number = number <= INT64_MAX ? (int64_t)number : 0;
        return number <= INT64_MAX;
    }
    if (value->kind != HOIST_FLEX_INT) {
        return false;
    }
    const uint64_t sign = (uint64_t)1 << (8 * value->width - 1);
    // Sign extension without a shift of a negative number.
    *out_number = (int64_t)((number_of(value) ^ sign) - sign);
    return true;
}

bool hoist_flex_u64(const hoist_flex_value *value, uint64_t *out_number)
{
    int64_t number = 0;
    if (value->kind == HOIST_FLEX_UINT) {
        *out_number = number_of(value);
        return true;
    }
    const bool fits = hoist_flex_i64(value, &number) && number >= 0;
    *out_number = fits ? (uint64_t)number : 0;
    return fits;
}

// IEEE 754 binary16.
static double half_value(uint64_t bits)
{
    const uint64_t exponent = bits >> 10 & 31;
    const uint64_t fraction = bits & 1023;
    double magnitude = 0;
    if (exponent == 31) {
        magnitude = fraction ? NAN : INFINITY;
    } else {
        // The weight of the last bit of subnormal numbers, 2^-24; it doubles with each exponent
        // above 1.
        double unit = 1.0 / (1 << 24);
        for (uint64_t i = 1; i < exponent; i++) {
            unit *= 2;
        }
        magnitude = unit * (double)(exponent ? fraction + 1024 : fraction);
    }
    return bits >> 15 ? -magnitude : magnitude;
}

bool hoist_flex_f64(const hoist_flex_value *value, double *out_number)
{
    *out_number = 0;
    if (value->kind != HOIST_FLEX_FLOAT) {
        return false;
    }
    const uint64_t bits = number_of(value);
    if (value->width == 8) {
        memcpy(out_number, &bits, sizeof(bits));
    } else if (value->width == 4) {
        const uint32_t low = (uint32_t)bits;
        float number = 0;
        memcpy(&number, &low, sizeof(low));
        *out_number = (double)number;
    } else {
        *out_number = half_value(bits);
    }
    return true;
}

bool hoist_flex_bool(const hoist_flex_value *value, bool *out_truth)
{
    const bool is_bool = value->kind == HOIST_FLEX_BOOL;
    *out_truth = is_bool && number_of(value) != 0;
    return is_bool;
}

hoist_bytes hoist_flex_bytes(const hoist_flex_value *value)
{
    const bool has = value->kind == HOIST_FLEX_KEY || value->kind == HOIST_FLEX_STRING ||
                     value->kind == HOIST_FLEX_BLOB;
    return has ? (hoist_bytes){value->in->bytes.data + value->at, (size_t)value->count}
               : (hoist_bytes){NULL, 0};
}

hoist_str hoist_flex_text(const hoist_flex_value *value)
{
    const hoist_bytes bytes = hoist_flex_bytes(value);
    return (hoist_str){(const char *)bytes.data, bytes.size};
}
