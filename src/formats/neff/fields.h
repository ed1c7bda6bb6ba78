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
    NEFF_KIND_INT = 0,    // int64_t
    NEFF_KIND_NUMBER,     // double; NaN and infinities are accepted
    NEFF_KIND_BOOL,       // bool
    NEFF_KIND_STR,        // hoist_str
    NEFF_KIND_WORD,       // int32_t: index in `words`, -1 unknown; the text goes to text_at
    NEFF_KIND_INTS,       // neff_ints
    NEFF_KIND_STRS,       // neff_strs
    NEFF_KIND_SMALL_WORD, // int8_t: as WORD
    NEFF_KIND_VAR,        // uint32_t: index of the variable of that name, NEFF_NONE undeclared
    NEFF_KIND_SIZES,      // sizes or steps of a pattern: uint32_t, index into numbers;
                          // their count, uint8_t, goes to text_at
    NEFF_KIND_ANY,        // has no slot: the value is looked up in the text when it is needed
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
    uint8_t key_size; // bytes of it
    uint8_t kind;     // neff_kind
    uint8_t since;    // neff_since
    bool required;    // absent: `missing`
    uint8_t has;      // keys of patterns: NEFF_HAS_...; else 0
    uint16_t at;      // offset of the slot in the object; NEFF_NO_SLOT: none
    uint16_t text_at; // WORD: offset of a hoist_str for the text; NEFF_NO_SLOT: none
    int64_t fallback; // INT, NUMBER, BOOL, WORD
    const neff_words *words;
    neff_rule wrong;     // rule of a value of another kind; NEFF_RULE_COUNT: it is not judged
    neff_rule missing;   // rule when a required key is absent
    const char *summary; // one line for documents: meaning, unit, range
} neff_field;

enum { NEFF_SLOTS = 64 };

typedef struct neff_table {
    const char *what; // "a variable", for messages
    const neff_field *fields;
    size_t count;         // at most 64: one bit each of `present`
    const uint8_t *slots; // NEFF_SLOTS of them: 1 + the row of the key that has this slot, or 0
    uint32_t multiplier;  // of neff_key_slot, by which no two keys share a slot
} neff_table;

// The slot of a key: nearly all keys are told apart by their size and three of their bytes.
// fields_test looks for the multipliers and prints both when a table has changed.
static inline unsigned neff_key_slot(hoist_str key, uint32_t multiplier)
{
    if (key.size == 0) {
        return 0;
    }
    const uint32_t word =
        (uint32_t)(uint8_t)key.data[0] | (uint32_t)(uint8_t)key.data[key.size - 1] << 8 |
        (uint32_t)(uint8_t)key.data[key.size * 3 / 4] << 16 | (uint32_t)(key.size & 255) << 24;
    return word * multiplier >> 26;
}

extern const neff_table neff_def_table; // top level of def.json
extern const neff_table neff_var_table;
extern const neff_table neff_queue_table;
extern const neff_table neff_engine_table; // top level of an engine JSON
extern const neff_table neff_block_table;
// Of a descriptor: `from*` rows have their slots in its neff_source and are also the keys of
// from_arr's items, the others in neff_desc.
extern const neff_table neff_desc_table;
// The rare keys of a descriptor: slots in neff_desc_extra; `scale` is also a key of from_arr's
// items.
extern const neff_table neff_extra_table;

// The row of `key`, as an index; -1 when the table has none. Constant time for keys of any length.
int neff_field_find(const neff_table *table, hoist_str key);
// True when the row of `key` has its bit in `present`. The key is one of the table's.
bool neff_has(const neff_table *table, uint64_t present, const char *key);

#endif // HOIST_SRC_FORMATS_NEFF_FIELDS_H
