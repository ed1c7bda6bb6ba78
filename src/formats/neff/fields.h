// formats/neff/fields.h - what each key of a NEFF's JSON objects is: one table per kind of object.
//
// Reader, missing-key findings, writer (builder) and documents walk these tables (codec/record.h);
// the keys are listed nowhere else. Row order is the order of writing. `has` of a row are NEFF_HAS_
// bits, `since` a neff_since. Facts: neff reference sections 3 and 4.
#ifndef HOIST_SRC_FORMATS_NEFF_FIELDS_H
#define HOIST_SRC_FORMATS_NEFF_FIELDS_H

#include <string.h>

#include "base/assert.h"
#include "codec/record.h"
#include "formats/neff/module.h"
#include "formats/neff/rules.h"

// Kinds of values besides those of records, which the reader of engines reads itself.
typedef enum neff_kind {
    NEFF_KIND_VAR =
        HOIST_REC_OWN, // uint32_t: index of the variable of that name, NEFF_NONE undeclared
    NEFF_KIND_SIZES,   // sizes or steps of a pattern: uint32_t, index into numbers;
                       // their count, uint8_t, goes to text_at
} neff_kind;
extern const hoist_rec_own neff_kinds[]; // by kind - HOIST_REC_OWN

// On which generations a key is documented.
typedef enum neff_since {
    NEFF_SINCE_GEN1 = 0, // all
    NEFF_SINCE_GEN2,     // "not INF1"
    NEFF_SINCE_GEN3,     // "Trn2 and above"
} neff_since;

extern const hoist_rec_table neff_def_table; // top level of def.json
extern const hoist_rec_table neff_var_table;
extern const hoist_rec_table neff_queue_table;
extern const hoist_rec_table neff_engine_table; // top level of an engine JSON
extern const hoist_rec_table neff_block_table;
// Of a descriptor: `from*` rows have their slots in its neff_source and are also the keys of
// from_arr's items, the others in neff_desc.
extern const hoist_rec_table neff_desc_table;
// The rare keys of a descriptor: slots in neff_desc_extra; `scale` is also a key of from_arr's
// items.
extern const hoist_rec_table neff_extra_table;

// True when the row of `key` has its bit in `present`. The key is one of the table's, so its slot
// is that of its row and nothing is compared: checks ask this several times of each block.
static inline bool neff_has(const hoist_rec_table *table, uint64_t present, const char *key)
{
    const hoist_str text = {key, strlen(key)};
    HOIST_ASSERT(hoist_rec_find(table, text, 0) >= 0);
    return present >> (table->slots[hoist_rec_slot(text, table->multiplier)] - 1) & 1;
}

#endif // HOIST_SRC_FORMATS_NEFF_FIELDS_H
