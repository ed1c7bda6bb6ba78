// formats/buda/fields.h - what each key of a netlist's objects is: one table per kind of object.
//
// The reader, its defaults and missing-key findings, the writer and the visitor all walk these
// tables; the keys are listed nowhere else. Row order is the order of writing. Facts: buda-netlist
// reference sections 1.4, 1.5, 1.10 and 2.6.
#ifndef HOIST_SRC_FORMATS_BUDA_FIELDS_H
#define HOIST_SRC_FORMATS_BUDA_FIELDS_H

#include "formats/buda/words.h"

// What a value is, and so which struct of module.h its slot has.
typedef enum buda_kind {
    BUDA_KIND_NAME = 0,    // buda_name
    BUDA_KIND_OPERAND,     // buda_name; interm<N> is read as intermed<N>
    BUDA_KIND_TOKEN,       // buda_token
    BUDA_KIND_INT,         // buda_int
    BUDA_KIND_FLOAT,       // buda_float
    BUDA_KIND_BOOL,        // buda_bool
    BUDA_KIND_WORD,        // buda_word
    BUDA_KIND_PAIR,        // buda_pair
    BUDA_KIND_TILE_DIM,    // buda_pair that is one of the tile dimensions
    BUDA_KIND_DEVICES,     // buda_ints: an integer or a list
    BUDA_KIND_PAD,         // buda_pad
    BUDA_KIND_UNPAD,       // buda_pad without a value
    BUDA_KIND_INTS,        // buda_ints; this and all below collect over duplicate keys
    BUDA_KIND_NAMES,       // buda_names
    BUDA_KIND_OPERANDS,    // buda_names; interm<N> is read as intermed<N>
    BUDA_KIND_WORDS,       // buda_words
    BUDA_KIND_PLACES,      // buda_places: [channel, address]
    BUDA_KIND_HOST_PLACES, // buda_places: also bare addresses
    BUDA_KIND_TMS,         // buda_tms
    BUDA_KIND_ATTRIBUTES,  // buda_attributes
    BUDA_KIND_FORKS,       // the whole buda_op: three members of it
    BUDA_KIND_COUNT,
} buda_kind;

// When a key has to be there.
typedef enum buda_need {
    BUDA_OPTIONAL = 0,
    BUDA_REQUIRED,
    BUDA_ADVISED,    // a warning by the row's missing-rule when absent
    BUDA_UNLESS_ETH, // required except in an ethernet_datacopy
    BUDA_WITH_DRAM,  // required when loc is dram
    BUDA_WITH_HOST,  // required when loc is host
} buda_need;

typedef struct buda_field {
    const char *key;
    buda_kind kind;
    size_t at; // offset of the slot in the object
    buda_need need;
    buda_rule rule; // of a wrong value
    int64_t min;    // INT, PAIR, DEVICES, INTS: range of each number
    int64_t max;
    int64_t fallback; // INT, WORD, PAIR, TILE_DIM (both numbers) when absent or unreadable
    const buda_word_set *words; // WORD, WORDS
    const char *summary;        // one line for documents
} buda_field;

typedef struct buda_table {
    const char *what; // "a queue", for messages
    const buda_field *fields;
    size_t count;
    buda_rule rule;         // of an unknown or missing key
    buda_rule advised_rule; // of a missing BUDA_ADVISED key
} buda_table;

extern const buda_table buda_queue_table;
extern const buda_table buda_graph_table;      // keys that are no ops
extern const buda_table buda_op_table;         // input_<N>_... keys apart
extern const buda_table buda_input_keys_table; // keys are the last parts of input_<N>_...
extern const buda_table buda_pad_table;        // input_<N>_pad
extern const buda_table buda_unpad_table;      // input_<N>_unpad
extern const buda_table buda_fused_table;      // schedules apart
extern const buda_table buda_sub_op_table;
extern const buda_table buda_setting_table;
extern const buda_table buda_execute_table; // queue_settings apart

// The row of `key`; NULL when the table has none.
const buda_field *buda_field_find(const buda_table *table, hoist_str key);

// The slot of a field in `object`.
static inline void *buda_slot(void *object, const buda_field *field)
{
    return (char *)object + field->at;
}
static inline const void *buda_slot_const(const void *object, const buda_field *field)
{
    return (const char *)object + field->at;
}

// The place of the value in a slot; line 0 when the file does not have it.
hoist_pos buda_slot_pos(const buda_field *field, const void *slot);

// Sets all slots of `object` (cleared before) to their fallbacks.
void buda_fill_defaults(const buda_table *table, void *object);

#endif // HOIST_SRC_FORMATS_BUDA_FIELDS_H
