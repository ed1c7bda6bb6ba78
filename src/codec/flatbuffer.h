// codec/flatbuffer.h - FlatBuffers by rows: one row per field of the schema, from which a buffer is
// verified and read into C structs, shown, and written again.
//
// Reading looks at every offset, vtable and length before it is used; strings and vectors are
// slices of the buffer, which outlives the objects. Writing either makes a new buffer, or changes
// one that was read: then what the schema's rows do not know stays where it is, byte for byte, and
// so what refers to it stays right without being understood.
//
// Facts: FlatBuffers "Internals" and its C++ verifier.
#ifndef HOIST_SRC_CODEC_FLATBUFFER_H
#define HOIST_SRC_CODEC_FLATBUFFER_H

#include "hoist/base.h"

#include "base/arena.h"
#include "base/buffer.h"
#include "base/tree.h"

// What a field is, and so what its member in the C struct is.
typedef enum hoist_fb_kind {
    HOIST_FB_BOOL = 0,                  // bool
    HOIST_FB_I8,                        // int8_t
    HOIST_FB_U8,                        // uint8_t
    HOIST_FB_I16,                       // int16_t
    HOIST_FB_U16,                       // uint16_t
    HOIST_FB_I32,                       // int32_t
    HOIST_FB_U32,                       // uint32_t
    HOIST_FB_I64,                       // int64_t
    HOIST_FB_U64,                       // uint64_t
    HOIST_FB_F32,                       // float
    HOIST_FB_F64,                       // double
    HOIST_FB_SCALARS,                   // how many kinds are scalars
    HOIST_FB_STRING = HOIST_FB_SCALARS, // hoist_str of any bytes
    HOIST_FB_VECTOR,  // hoist_bytes: scalars as stored, little-endian, not aligned
    HOIST_FB_STRUCTS, // hoist_bytes: structs as stored
    HOIST_FB_TABLE,   // pointer to the C struct of `type`
    HOIST_FB_STRINGS, // HOIST_FB_LIST(hoist_str)
    HOIST_FB_TABLES,  // HOIST_FB_LIST of the C struct of `type`
    HOIST_FB_UNION,   // hoist_fb_union; its type is the slot before
} hoist_fb_kind;

// A vector of strings or tables. Absent: `items` is NULL. Present and empty: it is not.
#define HOIST_FB_LIST(T)                                                                           \
    struct {                                                                                       \
        T *items;       /* arena */                                                                \
        uint32_t count; /* items */                                                                \
    }

typedef struct hoist_fb_union {
    uint8_t type; // 0: none
    void *value;  // the C struct of the variant's row; NULL: none, or there is no row for `type`
    uint32_t at;  // of the value's table in the buffer; 0: none, or it was made
} hoist_fb_union;

// Every C struct of a table begins with this. One that the caller makes has zeros here; it may set
// bits of `present` for scalars that are to be stored though they have their fallback.
typedef struct hoist_fb_table {
    uint32_t at;       // of the table in the buffer that it was read from; 0: it was made
    uint32_t unknowns; // fields that were stored and have no row
    uint32_t faults;   // that reading found in it and in what it refers to
    uint64_t present;  // bit i: row i was stored
} hoist_fb_table;

typedef struct hoist_fb_word { // of an enum; name NULL ends the list
    const char *name;
    int64_t value;
} hoist_fb_word;

struct hoist_fb_type;

typedef struct hoist_fb_variant { // of a union; type NULL ends the list
    uint8_t value;
    const struct hoist_fb_type *type;
} hoist_fb_variant;

typedef struct hoist_fb_field {
    const char *name; // as the schema spells it
    uint16_t slot;    // field id; of a union its value's; in a struct: byte offset
    uint8_t kind;     // hoist_fb_kind
    uint8_t item;     // VECTOR: kind of its items
    uint16_t at;      // offset of the member in the C struct; of structs unused
    uint16_t align;   // bytes that the data of a written string or vector is aligned to; 0: natural
    int32_t fallback; // of an absent scalar
    const struct hoist_fb_type *type; // TABLE, TABLES, STRUCTS
    const hoist_fb_variant *variants; // UNION
    const hoist_fb_word *words;       // of an enum; NULL: plain numbers
    const char *summary;              // one line: meaning, unit, range
} hoist_fb_field;

typedef struct hoist_fb_type {
    const char *name; // "Executable"
    const hoist_fb_field *fields;
    uint16_t count; // at most 64
    uint16_t size;  // of the C struct; of a struct: its bytes in the buffer
} hoist_fb_type;

// A schema is listed once, one row per field in a file that is included twice: structs are made of
// it by the C type of each kind, and rows by HOIST_FB_ROW (formats/tflite/schema.inc).
#define HOIST_FB_C_BOOL bool
#define HOIST_FB_C_I8 int8_t
#define HOIST_FB_C_U8 uint8_t
#define HOIST_FB_C_I16 int16_t
#define HOIST_FB_C_I32 int32_t
#define HOIST_FB_C_U32 uint32_t
#define HOIST_FB_C_I64 int64_t
#define HOIST_FB_C_U64 uint64_t
#define HOIST_FB_C_F32 float
#define HOIST_FB_C_STRING hoist_str
#define HOIST_FB_C_VECTOR hoist_bytes
#define HOIST_FB_C_STRUCTS hoist_bytes
#define HOIST_FB_C_STRINGS HOIST_FB_LIST(hoist_str)
#define HOIST_FB_C_UNION hoist_fb_union

#define HOIST_FB_ROW(object, member, number, what, ...)                                            \
    {.name = #member,                                                                              \
     .slot = (number),                                                                             \
     .kind = HOIST_FB_##what,                                                                      \
     .at = offsetof(object, member),                                                               \
     __VA_ARGS__},

// Reading ----------------------------------------------------------------------------------------

typedef struct hoist_fb_options {
    uint64_t base_offset;     // of the buffer in the file, for places of findings
    uint64_t max_tables;      // 0: as many as a valid buffer of that size can have
    hoist_deadline *deadline; // NULL: none
} hoist_fb_options;

// Reads the buffer whose root table is of `root`. Every fault is a finding of hoist_fb_rules; what
// has one counts as absent, and reading goes on; the object counts them. A table that two fields
// refer to becomes two objects. HOIST_OK; HOIST_INVALID or HOIST_TRUNCATED: there
// is no root table; HOIST_LIMIT: more tables or bytes than allowed; HOIST_NO_MEMORY. In the last
// four
// `*out_object` is NULL.
HOIST_NODISCARD hoist_status hoist_fb_read(hoist_bytes buffer, const hoist_fb_type *root,
                                           const hoist_fb_options *options, hoist_arena *arena,
                                           hoist_diag *diag, void **out_object);

// The identifier at bytes 4 to 7, zeros where there is none; empty when the buffer is too short.
hoist_str hoist_fb_identifier(hoist_bytes buffer);
// Byte of the buffer where the field of `slot` of the table at `table` is stored; 0: it is not, or
// the table was made. The buffer is the one that the table was read from.
uint32_t hoist_fb_place(hoist_bytes buffer, uint32_t table, uint16_t slot);
// The same by the offset of the field's member in the C struct `object` of `type`; where the field
// is not stored that of the table; 0: the table was made.
uint32_t hoist_fb_member_place(hoist_bytes buffer, const hoist_fb_type *type, const void *object,
                               size_t member);

// Items of a VECTOR or member; `index` is below the count.
static inline size_t hoist_fb_count(hoist_bytes vector, size_t item_size)
{
    return vector.size / item_size;
}
int32_t hoist_fb_i32(hoist_bytes vector, size_t index);
int64_t hoist_fb_i64(hoist_bytes vector, size_t index);
float hoist_fb_f32(hoist_bytes vector, size_t index);

// Bytes of a scalar kind.
size_t hoist_fb_scalar_size(hoist_fb_kind kind);
// Row of the table that a union of type `value` holds; NULL: there is none.
const hoist_fb_type *hoist_fb_variant_type(const hoist_fb_variant *variants, uint8_t value);
// Name of `value` among `words`; NULL: it has none.
const char *hoist_fb_word_name(const hoist_fb_word *words, int64_t value);

// Showing ----------------------------------------------------------------------------------------

// Sends the fields of `object` that are stored, and all enums, as members of the open map: enums by
// name (unknown ones as numbers), vectors of scalars as lists, long [ubyte] as size and SHA-256,
// fields without a row as their raw bytes under "slot N". `buffer` is the one that it was read
// from, empty when it was made. HOIST_OK, HOIST_NO_MEMORY; the sink keeps its own status.
HOIST_NODISCARD hoist_status hoist_fb_visit(hoist_bytes buffer, const hoist_fb_type *type,
                                            const void *object, hoist_tree_sink *sink);

// Writing ----------------------------------------------------------------------------------------

// Appends a buffer whose root is `object`, with nothing in it that is not reached from there:
// fields without a row and unions without one are left out (hoist_fb_is_known() returns that). A
// scalar is stored when its bit in `present` is set or it differs from its fallback; a string or
// vector when its data is not NULL; a union when its value is not NULL. `identifier` has 4 bytes;
// NULL: none. Tables are not shared, vtables are. Alignment counts from where the buffer begins in
// `out`. HOIST_OK; HOIST_LIMIT: it would have 2 GiB or more; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_fb_write(const hoist_fb_type *root, const void *object,
                                            const char *identifier, hoist_buffer *out);

// Appends `buffer`, from which `object` was read, with the changes that were made to the objects
// since: a scalar that is stored and a vector of the same size are overwritten, everything else
// that differs is appended and referred to. Without changes the same bytes come out. HOIST_OK;
// HOIST_UNSUPPORTED with a finding: a change would need space in a table that has fields without a
// row; HOIST_LIMIT; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_fb_rewrite(hoist_bytes buffer, const hoist_fb_type *root,
                                              const void *object, hoist_diag *diag,
                                              hoist_buffer *out);

// Whether every stored field of the object and of those below it has a row.
bool hoist_fb_is_known(const hoist_fb_type *type, const void *object);

extern const hoist_rule_set hoist_fb_rules;

#endif // HOIST_SRC_CODEC_FLATBUFFER_H
