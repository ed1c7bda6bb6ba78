// formats/buda/program.h - programs made ready for checking: names resolved to the net's queues and
// graphs, tokens read as numbers or variables, loops matched. Nothing is reported here; what does
// not resolve is absent, and check_program.c says so.
//
// Facts: buda-netlist reference sections 1.9 (list-form devices), 2.1, 2.2.
#ifndef HOIST_SRC_FORMATS_BUDA_PROGRAM_H
#define HOIST_SRC_FORMATS_BUDA_PROGRAM_H

#include "formats/buda/net.h"

// Immediates -------------------------------------------------------------------------------------

typedef enum buda_immediate {
    BUDA_IMMEDIATE_PLAIN,  // a decimal number, true or false
    BUDA_IMMEDIATE_PREFIX, // begins with a decimal number: that is used ("0x10" is 0)
    BUDA_IMMEDIATE_BAD,    // no number, or none of 32 bits
} buda_immediate;

// Reads a token that is no variable: true, false in any case, or the leading decimal number as the
// C library's decimal conversion sees it (section 2.2). `*out_value` is 0 when bad.
buda_immediate buda_immediate_read(hoist_str text, int32_t *out_value);

// How netlists spell a key of a queue setting.
const char *buda_setting_key_name(buda_setting_key key);
// The value of a key that a setting leaves out (section 2.6); 0 for keys that have to be there.
int32_t buda_setting_default(bool ram, buda_setting_key key);

// The meaning of a token.
typedef enum buda_operand_kind {
    BUDA_OPERAND_ABSENT = 0, // the token is not in the file
    BUDA_OPERAND_NUMBER,     // an immediate; true is 1, false is 0
    BUDA_OPERAND_VARIABLE,   // `$` in it
    BUDA_OPERAND_BAD,        // an immediate that is no number (rule 31c)
} buda_operand_kind;

typedef struct buda_operand {
    buda_operand_kind kind;
    int32_t value;   // NUMBER
    size_t variable; // VARIABLE: index into buda_code.variables
} buda_operand;

// How graphs use queues --------------------------------------------------------------------------

typedef enum buda_use_flag {
    BUDA_USE_READ = 1,     // an op of the graph has it as an input
    BUDA_USE_WRITTEN = 2,  // by an op that is no gradient op
    BUDA_USE_GRADIENT = 4, // written by a gradient op
    BUDA_USE_TABLE = 8,    // read by embedding or tilizer
} buda_use_flag;

typedef struct buda_use {
    size_t queue;   // index into the net's queues
    unsigned flags; // set of buda_use_flag
} buda_use;

// Names as programs write them, and what each graph uses.
typedef struct buda_index {
    const buda_net *net; // borrowed
    hoist_arena *arena;  // borrowed
    hoist_map graphs;    // name as written in the file -> its first copy in the net One flag: such
                      // graphs take list-form names in their settings, although they are no lists
                      // themselves (section 1.9).
    hoist_map queues;
    buda_use *uses;    // of graph g: [first_use[g], first_use[g + 1]), ascending queue; arena
    size_t *first_use; // net->graph_count + 1 items; arena
    bool *spans;       // per graph: its input queues are on several devices; arena
} buda_index;

// Builds the index; its tables live in `arena`. HOIST_OK or HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status buda_index_build(const buda_net *net, hoist_arena *arena,
                                              buda_index *out_index);
void buda_index_deinit(buda_index *index);
// How graph `graph` uses `queue`; NULL when it does not.
const buda_use *buda_index_use(const buda_index *index, size_t graph, size_t queue);
// First copy of the queue that a program calls `name`: a name of the net, or the name of a
// list-form queue as written. BUDA_NO_INDEX when there is none. `*out_copies` is how many copies
// the name refers to; they follow each other in the net.
size_t buda_index_queue(const buda_index *index, hoist_str name, size_t *out_copies);

// Code -------------------------------------------------------------------------------------------

// One setting of an execute as one queue of one graph gets it.
typedef struct buda_bound {
    const buda_setting *setting; // in the module
    const buda_operand *fields;  // BUDA_S_COUNT, shared by the copies; arena
    size_t queue;                // index into the net's queues
    unsigned use;                // set of buda_use_flag
    size_t graph;                // of the launch, index into the net's graphs
    size_t number;               // from 1 on, in the order of the program
} buda_bound;

// One graph that an execute starts: a list-form graph gives one per device.
typedef struct buda_launch {
    size_t graph;      // index into the net's graphs
    buda_bound *bound; // settings whose queue the graph uses; arena
    size_t bound_count;
} buda_launch;

typedef struct buda_queue_ref {
    size_t queue; // index into the net's queues
    size_t name;  // index into instr->queues
} buda_queue_ref;

typedef struct buda_step {
    const buda_instr *instr;
    size_t match;                 // loop, endloop: the other end; BUDA_NO_INDEX: none
    const buda_operand *operands; // var, staticvar: initial values; loop: the count; varinst
    const size_t *variables;      // declarations: one per name; varinst: the destination
    const buda_launch *launches;  // execute
    size_t launch_count;
    const buda_queue_ref *queues; // allocate_queue, deallocate_queue; list forms expanded
    size_t queue_count;
} buda_step;

// A field of a setting that a variable is bound to.
typedef struct buda_binding {
    const buda_bound *bound;
    buda_setting_key key;
} buda_binding;

typedef struct buda_code {
    const buda_program *program;
    const buda_step *steps; // one per instruction; arena
    size_t count;
    const hoist_str *variables; // names without `$`; arena
    size_t variable_count;
    const buda_binding *bindings; // of variable v: [first_binding[v], first_binding[v + 1])
    const size_t *first_binding;
} buda_code;

// Prepares `program`. HOIST_OK, HOIST_NO_MEMORY, or HOIST_LIMIT when lists of devices add more than
// buda_code_limit to it.
HOIST_NODISCARD hoist_status buda_code_build(const buda_index *index, const buda_program *program,
                                             buda_code *out_code);

extern const buda_limit buda_code_limit;

#endif // HOIST_SRC_FORMATS_BUDA_PROGRAM_H
