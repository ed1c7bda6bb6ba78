// codec/flexbuffer.h - FlexBuffers: values that carry their own types, read where they lie.
//
// A value is a few numbers that say where its bytes are; strings and blobs are slices of the
// buffer, which outlives them. Everything is looked at when it is asked for, and every length,
// offset and width before it is used, so values of a buffer that are not checked do no harm.
//
// Facts: FlexBuffers encoding ("flexbuffer_internals" of FlatBuffers); DarwiNN reference section
// 1.2.
#ifndef HOIST_SRC_CODEC_FLEXBUFFER_H
#define HOIST_SRC_CODEC_FLEXBUFFER_H

#include "hoist/base.h"

#include "base/tree.h"

// Types as they are stored, in the upper six bits of a packed type. The lower two are the width.
typedef enum hoist_flex_type {
    HOIST_FLEX_NULL = 0,
    HOIST_FLEX_INT,
    HOIST_FLEX_UINT,
    HOIST_FLEX_FLOAT,
    HOIST_FLEX_KEY,
    HOIST_FLEX_STRING,
    HOIST_FLEX_INDIRECT_INT,
    HOIST_FLEX_INDIRECT_UINT,
    HOIST_FLEX_INDIRECT_FLOAT,
    HOIST_FLEX_MAP,
    HOIST_FLEX_VECTOR, // each item has a type of its own
    HOIST_FLEX_VECTOR_INT,
    HOIST_FLEX_VECTOR_UINT,
    HOIST_FLEX_VECTOR_FLOAT,
    HOIST_FLEX_VECTOR_KEY,
    HOIST_FLEX_VECTOR_STRING, // deprecated: the widths of their lengths are lost; read as keys
    HOIST_FLEX_VECTOR_INT2,   // of two items; no length is stored
    HOIST_FLEX_VECTOR_UINT2,
    HOIST_FLEX_VECTOR_FLOAT2,
    HOIST_FLEX_VECTOR_INT3,
    HOIST_FLEX_VECTOR_UINT3,
    HOIST_FLEX_VECTOR_FLOAT3,
    HOIST_FLEX_VECTOR_INT4,
    HOIST_FLEX_VECTOR_UINT4,
    HOIST_FLEX_VECTOR_FLOAT4,
    HOIST_FLEX_BLOB,
    HOIST_FLEX_BOOL,
    HOIST_FLEX_VECTOR_BOOL = 36,
    HOIST_FLEX_TYPE_COUNT,
} hoist_flex_type;

enum { HOIST_FLEX_MAX_DEPTH = 64 };

// A buffer that is being read; the caller's, who sets the first three and keeps it as long as the
// values.
typedef struct hoist_flex {
    hoist_bytes bytes;    // borrowed
    uint64_t base_offset; // of the buffer in the file, for places of findings
    hoist_diag *diag;     // may be NULL
    size_t faults;        // met so far; one that is met twice counts twice
} hoist_flex;

typedef struct hoist_flex_value {
    hoist_flex *in;       // borrowed; NULL: there is no value
    hoist_flex_type type; // as stored
    hoist_flex_type kind; // what it is to the reader: NULL, BOOL, INT, UINT, FLOAT, KEY, STRING,
                          // BLOB, VECTOR or MAP
    uint8_t width;        // bytes of the number, or of each item
    uint8_t keys_width;   // MAP: bytes of each offset of a key
    uint64_t at;          // byte of the buffer: of the number, or of the first byte or item
    uint64_t keys_at;     // MAP: of the first offset of a key
    uint64_t count;       // bytes of KEY, STRING, BLOB; items of VECTOR and MAP
} hoist_flex_value;

// The functions below that return a status give HOIST_OK, or HOIST_INVALID when a rule is broken,
// which is a finding; then there is no value.

// The value of the whole buffer.
HOIST_NODISCARD hoist_status hoist_flex_root(hoist_flex *in, hoist_flex_value *out_value);
// The item or member of a VECTOR or MAP at `index`, which is below its count. Members are in the
// order of their keys.
HOIST_NODISCARD hoist_status hoist_flex_at(const hoist_flex_value *value, uint64_t index,
                                           hoist_flex_value *out_item);
// The key of the member at `index`.
HOIST_NODISCARD hoist_status hoist_flex_key_at(const hoist_flex_value *map, uint64_t index,
                                               hoist_flex_value *out_key);
// The member `key` of a MAP, whose keys are sorted; HOIST_NOT_FOUND also when it is no map.
HOIST_NODISCARD hoist_status hoist_flex_find(const hoist_flex_value *map, const char *key,
                                             hoist_flex_value *out_member);

// Each is false, with a zero, when the value is of another kind or the number does not fit.
bool hoist_flex_i64(const hoist_flex_value *value, int64_t *out_number);
bool hoist_flex_u64(const hoist_flex_value *value, uint64_t *out_number);
bool hoist_flex_f64(const hoist_flex_value *value, double *out_number); // FLOAT only
bool hoist_flex_bool(const hoist_flex_value *value, bool *out_truth);
// The bytes of a KEY, STRING or BLOB without the NUL after them; empty for others.
hoist_bytes hoist_flex_bytes(const hoist_flex_value *value);
// The same as a text, which may hold any bytes.
hoist_str hoist_flex_text(const hoist_flex_value *value);

// Name of a type, "vector of int"; NULL when there is none of that number.
const char *hoist_flex_type_name(unsigned type);

// Looks at every value below `value`: each fault is a finding, and looking goes on. HOIST_OK
// (in->faults has what was found), or HOIST_LIMIT when FX-011 or FX-012 is broken.
HOIST_NODISCARD hoist_status hoist_flex_check(const hoist_flex_value *value);

// Sends `value` and all below it: maps, lists, numbers, truth values, texts. Blobs, and strings
// that are no UTF-8 or hold a NUL, are maps of "bytes" and "sha256"; what breaks a rule is
// null, and is reported again where there is a diag. HOIST_OK, HOIST_NO_MEMORY, HOIST_LIMIT,
// HOIST_UNSUPPORTED (no SHA-256); the sink keeps its own status.
HOIST_NODISCARD hoist_status hoist_flex_visit(const hoist_flex_value *value, const char *key,
                                              hoist_tree_sink *sink);

extern const hoist_rule_set hoist_flex_rules;

#endif // HOIST_SRC_CODEC_FLEXBUFFER_H
