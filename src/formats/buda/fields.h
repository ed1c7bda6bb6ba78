// formats/buda/fields.h - what each key of a netlist's objects is: one table per kind of object.
//
// The reader, its defaults and missing-key findings, the writer and the visitor all walk these
// tables (codec/record.h); the keys are listed nowhere else. Row order is the order of writing.
// Facts: buda-netlist reference sections 1.4, 1.5, 1.10 and 2.6.
#ifndef HOIST_SRC_FORMATS_BUDA_FIELDS_H
#define HOIST_SRC_FORMATS_BUDA_FIELDS_H

#include "formats/buda/words.h"

// Kinds of values in addition to those of records: read_value.c, read_tms.c, read_attributes.c; how
// they are sent is in walk_value.c.
typedef enum buda_kind {
    BUDA_KIND_OPERAND = HOIST_REC_OWN, // buda_name; interm<N> is read as intermed<N>
    BUDA_KIND_TOKEN,                   // buda_token
    BUDA_KIND_PAIR,                    // buda_pair
    BUDA_KIND_GRID_LOC,                // buda_pair of a buda_op
    BUDA_KIND_TILE_DIM,                // buda_pair that is one of the tile dimensions
    BUDA_KIND_DEVICES,                 // buda_ints: an integer or a list
    BUDA_KIND_OPERANDS,                // buda_names; interm<N> is read as intermed<N>
    BUDA_KIND_PLACES,                  // buda_places: [channel, address]
    BUDA_KIND_HOST_PLACES,             // buda_places: also bare addresses
    BUDA_KIND_TMS,                     // buda_tms
    BUDA_KIND_ATTRIBUTES,              // buda_attributes
    BUDA_KIND_FORKS,                   // the whole buda_op: three members of it
    BUDA_KIND_END,
} buda_kind;

// When a key is required, in addition to HOIST_REC_OPTIONAL and REQUIRED.
typedef enum buda_need {
    BUDA_ADVISED = HOIST_REC_NEEDS, // a warning by the table's other rule when absent
    BUDA_UNLESS_ETH,                // required except in an ethernet_datacopy
    BUDA_WITH_DRAM,                 // required when loc is dram
    BUDA_WITH_HOST,                 // required when loc is host
} buda_need;

// Hooks that reading calls in addition to the rows: by table, in read.c.
typedef enum buda_hooks {
    BUDA_HOOKS_NONE = 0,
    BUDA_HOOKS_QUEUE,
    BUDA_HOOKS_GRAPH,
    BUDA_HOOKS_OP,
    BUDA_HOOKS_FUSED,
    BUDA_HOOKS_SUB_OP,
    BUDA_HOOKS_SETTING,
    BUDA_HOOKS_EXECUTE,
} buda_hooks;

extern const hoist_rec_own buda_kinds[]; // by kind - HOIST_REC_OWN

extern const hoist_rec_table buda_queue_table;
extern const hoist_rec_table buda_graph_table;      // keys that are no ops
extern const hoist_rec_table buda_op_table;         // input_<N>_... keys apart
extern const hoist_rec_table buda_input_keys_table; // keys are the last parts of input_<N>_...
extern const hoist_rec_table buda_pad_table;        // input_<N>_pad
extern const hoist_rec_table buda_unpad_table;      // input_<N>_unpad
extern const hoist_rec_table buda_fused_table;      // schedules apart
extern const hoist_rec_table buda_sub_op_table;
extern const hoist_rec_table buda_setting_table;
extern const hoist_rec_table buda_execute_table; // queue_settings apart

#endif // HOIST_SRC_FORMATS_BUDA_FIELDS_H
