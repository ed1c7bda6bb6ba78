// formats/buda/fused_view.h - a fused op as its rules look at it: its sub-ops in order, what each
// operand holds at that moment, and the ops that use the definition.
//
// Facts: buda-netlist reference sections 1.10 and 5.4.
#ifndef HOIST_SRC_FORMATS_BUDA_FUSED_VIEW_H
#define HOIST_SRC_FORMATS_BUDA_FUSED_VIEW_H

#include "formats/buda/op_view.h"

#define BUDA_MAX_INTERMEDIATES 8

typedef enum buda_operand_kind {
    BUDA_OPERAND_UNKNOWN = 0, // neither of the below: a misspelt name
    BUDA_OPERAND_INPUT,       // of the base op: inputs of its list
    BUDA_OPERAND_INTERMED,    // a buffer in L1, live from its write to its pop
    BUDA_OPERAND_DEST,        // the register that passes one ublock to the next sub-op
    BUDA_OPERAND_OUTPUT,      // the base op's output
} buda_operand_kind;

typedef struct buda_operand {
    buda_operand_kind kind;
    int64_t number; // of input<N> and intermed<N>
} buda_operand;

// The last write of an operand.
typedef struct buda_operand_state {
    const buda_sub_op *producer; // NULL: never written
    size_t schedule;             // of the producer
    bool full;                   // written and not popped
} buda_operand_state;

typedef struct buda_fused_view {
    const buda_check *check;
    const buda_fused *fused;
    const buda_op_view *users; // the ops that name this definition; scratch
    size_t user_count;
    buda_operand_state intermed[BUDA_MAX_INTERMEDIATES];
    buda_operand_state dest;
    // The sub-op at hand.
    const buda_sub_op *op;
    hoist_op_family family;
    int64_t m_k; // -1 when absent
    int64_t u_kt;
    size_t schedule;
    const buda_sub_op *previous; // in the same schedule; NULL for the first
    bool is_last;                // of its schedule
} buda_fused_view;

// input<N>, intermed<N> (also spelled interm<N>, rule 104), dest, output.
buda_operand buda_operand_of(hoist_str name);
// The state after an operand; NULL for inputs, the output and unknown names.
buda_operand_state *buda_operand_state_of(buda_fused_view *view, buda_operand operand);
// Format of an operand in the op that uses the definition.
buda_df buda_operand_df(const buda_op_view *user, buda_operand operand);
// True for a binary sub-op that runs on the vector unit: quantization, maximum, or add of Int32.
bool buda_is_vector_binary(const buda_fused_view *view);
// Reports "sub-op 'x' TEXT" of the sub-op at hand, at `at` or at its name.
void buda_report_sub_op(const buda_fused_view *view, buda_rule rule, hoist_pos at,
                        const char *format, ...) HOIST_PRINTF(4, 5);

// The ops of type fused_op. After collecting, those of definition d are
// views[first[d]] to views[first[d+1]-1]; ops whose definition is unknown are in none.
typedef struct buda_fused_users {
    buda_op_view *views; // scratch
    size_t *definition;  // of each op as collected, BUDA_NO_INDEX when unknown; scratch
    size_t count;
    size_t *first; // scratch
} buda_fused_users;

// Finds all users and reports rule 64 of them. `names` maps the names of definitions to
// their indices. HOIST_OK or HOIST_NO_MEMORY. check_fused_users.c
hoist_status buda_fused_users_collect(const buda_check *c, const hoist_map *names,
                                      buda_fused_users *out_users);

// Rule 61 of the definition's users. check_fused_users.c
void buda_check_multicasts(const buda_fused_view *view);

// Rules 72 to 76 of the sub-op at hand, called before its output is recorded. check_fused_shape.c
void buda_check_sub_op_shape(buda_fused_view *view);
// Rule 63b: inputs of the fused op have the shape that the sub-op at hand needs. check_shape.c
void buda_check_sub_op_inputs(const buda_fused_view *view);
// Formats of an integer fused op (rules 40, 52, 54, 67). check_fused_format.c
void buda_check_sub_op_formats(const buda_fused_view *view);

#endif // HOIST_SRC_FORMATS_BUDA_FUSED_VIEW_H
