// formats/buda/words.h - the closed sets of words of netlists, one table each.
//
// Facts: buda-netlist reference sections 1.3 to 1.8 and 2.1, 2.4. The index of a spelling in its
// table is the value that the model keeps.
#ifndef HOIST_SRC_FORMATS_BUDA_WORDS_H
#define HOIST_SRC_FORMATS_BUDA_WORDS_H

#include "base/buffer.h"
#include "formats/buda/module.h"
#include "formats/buda/rules.h"

extern const hoist_rec_words buda_arch_words;
extern const hoist_rec_words buda_queue_type_words;
extern const hoist_rec_words buda_loc_words;
extern const hoist_rec_words buda_order_words;
extern const hoist_rec_words buda_layout_words;
extern const hoist_rec_words buda_fidelity_words;
extern const hoist_rec_words buda_df_words;

// Spellings of architectures that are no value of the set.
typedef struct buda_arch_alias {
    const char *name;
    int arch; // what it is read as; -1: refused
    buda_rule rule;
    const char *why;
} buda_arch_alias;

// The row of such a spelling; NULL when `text` is none.
const buda_arch_alias *buda_arch_alias_find(hoist_str text);

// True when tiles of h x w elements exist (section 1.8).
bool buda_tile_dim_exists(int64_t h, int64_t w);

// The form of the argument of a TM (section 1.7).
typedef enum buda_tm_form {
    BUDA_TM_FORM_NONE,   // transpose
    BUDA_TM_FORM_AXES,   // {r: 2}
    BUDA_TM_FORM_FACTOR, // 4
    BUDA_TM_FORM_PAD,    // [rt, ct, value]
    BUDA_TM_FORM_AXIS,   // r, c or rc
} buda_tm_form;

typedef struct buda_tm_row {
    const char *name;
    buda_tm_form form;
} buda_tm_row;

// The kind that `text` spells, or BUDA_TM_NONE.
buda_tm_kind buda_tm_find(hoist_str text);
// The row of a kind; NULL for BUDA_TM_NONE.
const buda_tm_row *buda_tm_get(buda_tm_kind kind);

// The instruction that `text` spells, or BUDA_I_UNKNOWN; and back (NULL for BUDA_I_UNKNOWN).
buda_instr_kind buda_instr_find(hoist_str text);
const char *buda_instr_name(buda_instr_kind kind);

typedef struct buda_var_op_row {
    const char *name;
    size_t operands;
} buda_var_op_row;

// The varinst operation that `text` spells, or BUDA_V_UNKNOWN; and its row (NULL for that).
buda_var_op buda_var_op_find(hoist_str text);
const buda_var_op_row *buda_var_op_get(buda_var_op op);

#endif // HOIST_SRC_FORMATS_BUDA_WORDS_H
