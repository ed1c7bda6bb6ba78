// formats/buda/module.h - the typed model of a BUDA netlist, as written.
//
// Layout: buda-netlist reference sections 1 to 3 ("BUDA netlist" specification and the public
// parser). Every value keeps its place; a field that the file does not have has pos.line 0 and the
// default of its row in fields.c. Nothing is dropped: keys that no table knows are kept as YAML
// nodes. Names and lists live in the module's arena.
//
// The model has the contents of the file. What follows from them (which queue feeds which op, the
// copies that a list of devices makes) is net.h.
#ifndef HOIST_SRC_FORMATS_BUDA_MODULE_H
#define HOIST_SRC_FORMATS_BUDA_MODULE_H

#include "hoist/tensor.h"

#include "base/arena.h"
#include "codec/record.h"
#include "formats/format.h"
#include "ops/op.h"

// Values with places ----------------------------------------------------------------------------

typedef hoist_rec_str buda_name;
typedef hoist_rec_int buda_int;
typedef hoist_rec_float buda_float;
typedef hoist_rec_bool buda_bool;
typedef hoist_rec_word buda_word; // of a set of words.c

// Two numbers: [rows, columns], [m, n], [rt, ct], [h, w].
typedef struct buda_pair {
    int64_t r;
    int64_t c;
    hoist_pos pos;
} buda_pair;

typedef hoist_rec_ints buda_ints; // `scalar`: target_device: 0
typedef hoist_rec_strs buda_names;
typedef hoist_rec_word_items buda_words;

// Sets of words (words.c) ------------------------------------------------------------------------

typedef enum buda_arch {
    BUDA_ARCH_NONE = -1,
    BUDA_GRAYSKULL = 0,
    BUDA_WORMHOLE,
    BUDA_WORMHOLE_B0,
    BUDA_BLACKHOLE,
    BUDA_ARCH_COUNT,
} buda_arch;

typedef enum buda_queue_type { BUDA_QUEUE = 0, BUDA_RAM } buda_queue_type;
typedef enum buda_loc { BUDA_LOC_DRAM = 0, BUDA_LOC_HOST } buda_loc;
typedef enum buda_order { BUDA_ORDER_R = 0, BUDA_ORDER_C } buda_order;
typedef enum buda_layout { BUDA_LAYOUT_TILIZED = 0, BUDA_LAYOUT_FLAT } buda_layout;
typedef enum buda_fidelity {
    BUDA_LOFI = 0,
    BUDA_HIFI2,
    BUDA_HIFI2_A,
    BUDA_HIFI2_B,
    BUDA_HIFI3,
    BUDA_HIFI4,
} buda_fidelity;

// Index into buda_formats[]; the order is that table's, not the device code.
typedef enum buda_df {
    BUDA_DF_NONE = -1,
    BUDA_FLOAT32 = 0,
    BUDA_FLOAT16,
    BUDA_BFP8,
    BUDA_BFP4,
    BUDA_TF32, // exists, not accepted in netlists
    BUDA_FLOAT16_B,
    BUDA_BFP8_B,
    BUDA_BFP4_B,
    BUDA_INT32,
    BUDA_UINT16,
    BUDA_LF8,
    BUDA_BFP2,
    BUDA_INT8,
    BUDA_BFP2_B,
    BUDA_FP8_E4M3,
    BUDA_UINT8,
    BUDA_RAW_UINT8,
    BUDA_RAW_UINT16,
    BUDA_RAW_UINT32,
    BUDA_DF_COUNT,
} buda_df;

typedef struct buda_format_row {
    const char *name; // as netlists spell it
    uint8_t code;     // device enumeration (reference section 1.8)
    hoist_dtype dtype;
    bool in_netlist; // false: Tf32
    char family;     // 'A' 5-bit exponent, 'B' 8-bit, 0: neither
    bool bfp;
    bool integer; // Int8 UInt8 Int32 UInt16
    bool raw;
} buda_format_row;

extern const buda_format_row buda_formats[BUDA_DF_COUNT];

// The spelling of a set's value, for writing and messages. NULL when out of range.
const char *buda_arch_name(int arch);

// Queues -----------------------------------------------------------------------------------------

// One item of `dram` ([channel, address]) or `host` (address, or [channel, address]).
typedef struct buda_place {
    buda_int channel; // pos.line 0 when a bare address
    buda_int address; // unsigned 32-bit in the file
    hoist_pos pos;
} buda_place;

typedef HOIST_REC_LIST(buda_place) buda_places;

typedef enum buda_tm_kind {
    BUDA_TM_NONE = -1, // unknown: reported by the reader
    BUDA_TM_BROADCAST = 0,
    BUDA_TM_HSLICE,
    BUDA_TM_HSTACK,
    BUDA_TM_VSLICE,
    BUDA_TM_VSTACK,
    BUDA_TM_TRANSPOSE,
    BUDA_TM_PAD,
    BUDA_TM_TILE_BROADCAST,
} buda_tm_kind;

typedef struct buda_tm_axis {
    char axis; // 'r', 'c', 'z'
    buda_int factor;
} buda_tm_axis;

typedef struct buda_tm {
    buda_tm_kind kind;
    hoist_str text; // the name as written
    hoist_pos pos;
    const buda_tm_axis
        *axes; // broadcast: one per axis of the map (more than one is rule 96); arena
    size_t axis_count;
    buda_int factor; // slices and stacks
    buda_pair pad;   // pad: tiles
    buda_float pad_value;
    buda_name tile_axis; // tile_broadcast: r, c, rc
} buda_tm;

// `pos` is set also for an empty value or a scalar (`None`).
typedef HOIST_REC_LIST(buda_tm) buda_tms;

typedef struct buda_queue {
    buda_name name;
    buda_name input;
    buda_word type; // buda_queue_type
    buda_int entries;
    buda_pair grid_size;
    buda_int t;
    buda_pair mblock;
    buda_pair ublock;
    buda_word df; // buda_df
    buda_ints target_device;
    buda_word loc; // buda_loc
    buda_places dram;
    buda_places host;
    buda_word ublock_order; // buda_order
    buda_pair tile_dim;
    buda_name alias;
    buda_word layout; // buda_layout
    buda_tms input_tms;
    buda_ints read_ports;
    buda_ints write_ports;
    hoist_rec_extra *extra;
} buda_queue;

// Graphs and ops ---------------------------------------------------------------------------------

// An attribute of an op. Which member is set follows from hoist_attr_get(attr)->kind.
typedef struct buda_attribute {
    hoist_attr attr; // HOIST_ATTR_NONE: unknown, kept in `node`
    hoist_str key;   // as written ("input3")
    hoist_pos key_pos;
    hoist_pos pos;
    int input; // HOIST_ATTR_INPUT: the number in the key
    int64_t integer;
    double number;
    bool boolean;
    int word;          // index into the row's words, -1 unknown
    hoist_str text;    // WORD, NAME; and any scalar as written
    buda_ints ints;    // INTS
    buda_names inputs; // INPUT_MAP: keys "input_N" as written
    buda_ints values;  // INPUT_MAP: one per key
    const hoist_yaml_node *node;
} buda_attribute;

typedef struct buda_attributes {
    const buda_attribute *items; // arena, in file order
    size_t count;
    hoist_pos pos;
} buda_attributes;

typedef struct buda_pad {
    buda_int rt;
    buda_int ct;
    buda_float pad_value; // input_<N>_pad only
    hoist_pos pos;
} buda_pad;

// The keys input_<N>_tms, input_<N>_pad and input_<N>_unpad of one input number.
typedef struct buda_input_keys {
    int input;
    buda_tms tms;
    buda_pad pad;
    buda_pad unpad;
    struct buda_input_keys *next; // ascending `input`
} buda_input_keys;

typedef struct buda_fork {
    buda_name queue;
    buda_name op;
} buda_fork;

typedef struct buda_op {
    buda_name name;
    buda_name type;
    hoist_op op; // HOIST_OP_NONE: unknown type
    buda_pair grid_loc;
    buda_pair grid_size;
    buda_names inputs;
    buda_int t;
    buda_pair mblock;
    buda_pair ublock;
    buda_int buf_size_mb;
    buda_word ublock_order;
    buda_words in_df;
    buda_word out_df;
    buda_word intermed_df;
    buda_word acc_df;
    buda_word math_fidelity;
    buda_attributes attributes;
    buda_bool untilize_output;
    buda_pair tile_dim;
    buda_ints input_dram_io_buf_size_tiles;
    buda_ints input_buf_min_size_tiles;
    buda_bool gradient_op;
    buda_bool grid_transpose;
    buda_int overlay_size;
    const buda_fork *forked_dram_inputs; // arena
    size_t forked_count;
    hoist_pos forked_pos;
    buda_input_keys *input_keys;
    hoist_rec_extra *extra;
} buda_op;

typedef struct buda_graph {
    buda_name name;
    buda_ints target_device;
    buda_int input_count;
    buda_op *ops; // arena
    size_t op_count;
} buda_graph;

// Fused ops --------------------------------------------------------------------------------------

typedef struct buda_sub_op {
    buda_name name;
    buda_name type;
    hoist_op op;
    buda_names inputs; // input<N>, intermed<N>, dest
    buda_name output;  // output, intermed<N>, dest
    buda_pair mblock;
    buda_pair ublock;
    buda_names pop;
    buda_names pop_last;
    buda_attributes attributes;
    buda_float zero_point;
    buda_input_keys *input_keys;
    hoist_rec_extra *extra;
} buda_sub_op;

typedef struct buda_schedule {
    buda_sub_op *ops; // arena
    size_t count;
    hoist_pos pos;
} buda_schedule;

typedef struct buda_fused {
    buda_name name; // the fused_op_id
    buda_int inputs;
    buda_int intermediates;
    buda_name custom_kernel_path;
    buda_schedule *schedules; // arena
    size_t schedule_count;
    hoist_rec_extra *extra;
} buda_fused;

// Programs ---------------------------------------------------------------------------------------

typedef enum buda_instr_kind {
    BUDA_I_UNKNOWN = -1, // reported by the reader (BUDA-021), kept in `node`
    BUDA_I_VAR = 0,
    BUDA_I_STATICVAR,
    BUDA_I_PARAM,
    BUDA_I_LOOP,
    BUDA_I_ENDLOOP,
    BUDA_I_VARINST,
    BUDA_I_EXECUTE,
    BUDA_I_ALLOCATE,
    BUDA_I_DEALLOCATE,
    BUDA_I_ENDPROGRAM,
} buda_instr_kind;

typedef enum buda_var_op {
    BUDA_V_UNKNOWN = -1,
    BUDA_V_SET = 0,
    BUDA_V_ADD,
    BUDA_V_MUL,
    BUDA_V_INC,
    BUDA_V_INCWRAP,
} buda_var_op;

// A token of a program: a variable (`$` in it; name without `$`) or an immediate, as text.
typedef struct buda_token {
    hoist_str text; // as written
    hoist_pos pos;  // line 0: absent
    bool refused;   // the file has a list or map here: reported by the reader, the text is empty
} buda_token;

typedef struct buda_decl {
    buda_token name;
    buda_token value; // absent in the list form: 0
} buda_decl;

typedef enum buda_setting_key {
    BUDA_S_PROLOGUE = 0,
    BUDA_S_EPILOGUE,
    BUDA_S_ZERO,
    BUDA_S_RD_PTR_LOCAL,
    BUDA_S_RD_PTR_GLOBAL,
    BUDA_S_WR_PTR_GLOBAL,
    BUDA_S_RD_PTR_AUTOINC,
    BUDA_S_GLOBAL_RDPTR_AUTOINC,
    BUDA_S_GLOBAL_WRPTR_AUTOINC,
    BUDA_S_READ_ONLY,
    BUDA_S_COUNT,
} buda_setting_key;

typedef struct buda_setting {
    buda_name queue;
    buda_token fields[BUDA_S_COUNT]; // by buda_setting_key; pos.line 0: absent
    bool refused;                    // no map: reported by the reader
    hoist_rec_extra *extra;
} buda_setting;

typedef struct buda_instr {
    buda_instr_kind kind;
    hoist_pos pos;
    hoist_str word;         // as written
    const buda_decl *decls; // var, staticvar, param; arena
    size_t decl_count;
    bool decls_as_map;          // {$a: 1} rather than [$a]
    buda_token count;           // loop
    buda_token destination;     // varinst
    buda_var_op var_op;         // varinst
    buda_token var_op_text;     // varinst
    const buda_token *operands; // varinst; arena
    size_t operand_count;
    buda_name graph;        // execute
    buda_setting *settings; // execute; arena
    size_t setting_count;
    hoist_pos settings_pos;
    buda_names queues;           // allocate_queue, deallocate_queue
    bool settings_refused;       // queue_settings is a list: reported by the reader
    hoist_rec_extra *extra;      // execute: other keys
    const hoist_yaml_node *node; // the instruction as written
} buda_instr;

typedef struct buda_program {
    buda_name name;
    buda_instr *instrs; // arena
    size_t count;
} buda_program;

// The whole file ---------------------------------------------------------------------------------

typedef struct hoist_buda_module {
    hoist_module base;
    hoist_arena arena;
    const hoist_yaml_node *root; // arena: the tree as read
    hoist_pos devices_pos;       // of the section's key; line 0: absent
    buda_words arch;             // devices.arch; value is a buda_arch, -1 unknown
    hoist_pos queues_pos;
    hoist_pos graphs_pos;
    hoist_pos programs_pos;
    hoist_pos fused_pos;
    buda_queue *queues; // arena, file order
    size_t queue_count;
    buda_graph *graphs;
    size_t graph_count;
    buda_program *programs;
    size_t program_count;
    buda_fused *fused;
    size_t fused_count;
    const hoist_yaml_node *test_config;       // NULL when absent; kept as a tree
    const hoist_yaml_node *performance_check; // NULL when absent
    hoist_rec_extra *extra;                   // other top-level keys
    size_t read_counts[HOIST_ERROR + 1];      // findings of reading, by severity
    // Of the last check for all that the file lists (check_archs.c); 0: there was none.
    hoist_arch_verdict verdicts[BUDA_ARCH_COUNT];
    size_t verdict_count;
    buda_arch checked_for; // one of them
} hoist_buda_module;

static inline bool buda_has(hoist_pos pos)
{
    return pos.line != 0;
}

extern const hoist_format hoist_buda_format;

#endif // HOIST_SRC_FORMATS_BUDA_MODULE_H
