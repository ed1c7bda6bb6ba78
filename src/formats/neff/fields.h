// formats/neff/fields.h - what each key of a NEFF's JSON objects is: one table per kind of object.
//
// Reader, missing-key findings, writer (builder), visitor and documents walk these tables; the keys
// are listed nowhere else. Row order is the order of writing. Facts: neff reference sections 3
// and 4.
#ifndef HOIST_SRC_FORMATS_NEFF_FIELDS_H
#define HOIST_SRC_FORMATS_NEFF_FIELDS_H

#include "formats/neff/module.h"
#include "formats/neff/rules.h"

// What a value is, and so what its slot holds.
typedef enum neff_kind {
    NEFF_KIND_INT = 0, // int64_t
    NEFF_KIND_NUMBER,  // double; NaN and infinities are accepted
    NEFF_KIND_BOOL,    // bool
    NEFF_KIND_STR,     // hoist_str
    NEFF_KIND_WORD,    // int32_t: index in `words`, -1 unknown; the text goes to text_at
    NEFF_KIND_INTS,    // neff_ints
    NEFF_KIND_STRS,    // neff_strs
    NEFF_KIND_SIZES,   // sizes or steps of a pattern: into the engine's numbers
    NEFF_KIND_ANY,     // has no slot: the value is looked up in the text when it is needed
    NEFF_KIND_COUNT,
} neff_kind;

// On which generations a key is documented.
typedef enum neff_since {
    NEFF_SINCE_GEN1 = 0, // all
    NEFF_SINCE_GEN2,     // "not INF1"
    NEFF_SINCE_GEN3,     // "Trn2 and above"
} neff_since;

#define NEFF_NO_SLOT UINT16_MAX

typedef struct neff_field {
    const char *key;
    uint8_t kind;     // neff_kind
    uint8_t since;    // neff_since
    bool required;    // absent: `missing`
    uint16_t at;      // offset of the slot in the object
    uint16_t text_at; // WORD: offset of a hoist_str for the text; NEFF_NO_SLOT: none
    int64_t fallback; // INT, NUMBER, BOOL, WORD
    const neff_words *words;
    neff_rule wrong;     // rule of a value of another kind
    neff_rule missing;   // rule when a required key is absent
    const char *summary; // one line for documents: meaning, unit, range
} neff_field;

typedef struct neff_table {
    const char *what; // "a variable", for messages
    const neff_field *fields;
    size_t count; // at most 64: one bit each of `present`
} neff_table;

extern const neff_table neff_def_table; // top level of def.json
extern const neff_table neff_var_table;
extern const neff_table neff_queue_table;
extern const neff_table neff_engine_table; // top level of an engine JSON
extern const neff_table neff_block_table;
extern const neff_table neff_desc_table;  // of a descriptor; `from*` rows also of from_arr's items
extern const neff_table neff_extra_table; // the rare keys of a descriptor: slots in neff_desc_extra

// The row of `key`, as an index; -1 when the table has none. Constant time for keys of any length.
int neff_field_find(const neff_table *table, hoist_str key);
// True when the row of `key` has its bit in `present`. The key is one of the table's.
bool neff_has(const neff_table *table, uint64_t present, const char *key);

#endif // HOIST_SRC_FORMATS_NEFF_FIELDS_H
