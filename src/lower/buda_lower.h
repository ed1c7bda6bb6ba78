// lower/buda_lower.h - the state of lowering one netlist, and its parts.
//
// buda.c              the order of all parts
// buda_memory.c       spaces, buffers, fifos
// buda_group.c        which graphs make one function, and on which unit it runs
// buda_reuse.c        units that meet at one memory, at different times
// buda_label.c        the format that each tensor carries in the reference
// buda_order.c        ops of a group in an order
// buda_function.c     a group as a function: inputs, ops, pushes
// buda_code.c         steps of functions
// buda_table.c        TM chains as tables of tiles
// buda_op.c           one op; buda_simple.c, buda_fused.c, buda_splice.c: its kinds
// buda_execute.c, buda_program.c, buda_varinst.c: programs (buda_control.h)
#ifndef HOIST_SRC_LOWER_BUDA_LOWER_H
#define HOIST_SRC_LOWER_BUDA_LOWER_H

#include "hoist/lower.h"

#include "formats/buda/op_view.h"
#include "formats/buda/shape.h"
#include "lower/lower_rules.h"
#include "program/builder.h"

// A tensor in the function at hand.
typedef struct hoist_lower_value {
    hoist_ref view; // HOIST_NO_REF: it could not be lowered, which has been reported
    hoist_tile_shape shape;
} hoist_lower_value;

// An amount that the executes of a group give: the same number in all of them, or a parameter.
typedef struct hoist_lower_amount {
    bool seen;
    bool varies;
    int64_t number;
    hoist_ref parameter; // register of the group's function, when it varies
} hoist_lower_amount;

typedef enum hoist_lower_amount_kind {
    HOIST_LOWER_READ_STEP = 0, // after each input; a queue's local pointer, a ram's read pointer
    HOIST_LOWER_WRITE_STEP,    // of a ram's write pointer
    HOIST_LOWER_FRESH,         // not 0: a gradient op forgets what it has summed so far
    HOIST_LOWER_AMOUNT_COUNT,
} hoist_lower_amount_kind;

// A queue or ram that a group uses.
typedef struct hoist_lower_use {
    size_t queue;   // index into the net's queues
    unsigned flags; // set of buda_use_flag
    hoist_lower_amount amounts[HOIST_LOWER_AMOUNT_COUNT];
} hoist_lower_use;

// Graphs of one temporal epoch that make one function, since they share ops or queues.
typedef struct hoist_lower_group {
    size_t temporal;
    size_t *graphs; // ascending; arena
    size_t graph_count;
    size_t unit; // index into units: of the lowest chip
    hoist_lower_use *uses;
    size_t use_count;     // ascending queue; arena
    const size_t *drains; // units that touch one of these queues, too; arena
    size_t drain_count;
    bool executed;      // by some program
    int64_t inputs;     // input_count
    hoist_ref function; // HOIST_NO_REF: not built
    size_t stamp;       // of the execute that ran it last
} hoist_lower_group;

typedef struct hoist_lower_unit {
    int64_t chip;
    hoist_ref unit;
    hoist_ref space; // L1 of the chip
} hoist_lower_unit;

// Units, each once.
typedef struct hoist_lower_list {
    const size_t *units; // indices into units; arena
    size_t count;
} hoist_lower_list;

struct buda_index;
struct buda_code;

typedef struct hoist_lower {
    const hoist_buda_module *module;    // borrowed
    const hoist_lower_options *options; // borrowed; may be NULL
    hoist_diag *diag;                   // borrowed
    buda_net net;                       // owned
    buda_check check;
    hoist_builder *b;    // owned
    hoist_arena arena;   // of this run
    hoist_arena scratch; // tables of one edge
    hoist_status status; // sticky: HOIST_NO_MEMORY, HOIST_LIMIT
    bool refused;        // something has been reported that cannot be lowered
    uint64_t tiles_left; // of tables
    size_t stamp;        // executes so far
    hoist_map spaces;    // name -> space

    const struct buda_index *index;
    const struct buda_code *codes; // one per program of the module
    hoist_ref *fifos;              // per queue of the net; HOIST_NO_REF: reported
    hoist_ref *layouts;            // per queue: of an entry
    size_t *storage;               // per queue: the queue whose bytes it uses
    buda_df *labels;               // per op: of its result
    hoist_lower_unit *units;
    size_t unit_count;
    hoist_lower_group *groups;
    size_t group_count;
    size_t *group_of;               // per graph
    hoist_lower_list *queue_units;  // per storage: units that touch it
    hoist_lower_list *memory_units; // per queue: units that touch it or what has its bytes
    size_t *drains;                 // units listed by hoist_lower_add_drains so far
    size_t drain_count;
    bool *is_listed;            // per unit: it is in `drains`
    size_t *written_in;         // per storage: 1 + the last group built that writes it
    uint8_t *colours;           // per op: memory of hoist_lower_order
    hoist_lower_value *results; // per op
    hoist_lower_value *reads;   // per queue: its slot in the function at hand
    size_t *read_in;            // per queue: 1 + the group that `reads` is of
} hoist_lower;

// Reports that something cannot be lowered, at `pos`.
void hoist_lower_refuse(hoist_lower *l, hoist_lower_rule_id rule, hoist_pos pos, const char *format,
                        ...) HOIST_PRINTF(4, 5);
// `front` and `back` as one name, whatever bytes they have, in l->arena; empty when there is no
// memory, which stays in l->status.
hoist_str hoist_lower_joined(hoist_lower *l, hoist_str front, hoist_str back);
// `front` and what `format` gives, likewise.
hoist_str hoist_lower_name(hoist_lower *l, hoist_str front, const char *format, ...)
    HOIST_PRINTF(3, 4);
// Forgets what is in l->scratch.
void hoist_lower_clean(hoist_lower *l);
// Memory of the run; NULL when there is none, which stays in l->status.
void *hoist_lower_array(hoist_lower *l, size_t count, size_t size);

// Spaces, buffers and fifos of all queues; fills in fifos, layouts and storage. buda_memory.c
HOIST_NODISCARD hoist_status hoist_lower_memory(hoist_lower *l);
// The L1 memory of a chip. buda_memory.c
hoist_ref hoist_lower_l1(hoist_lower *l, int64_t chip);
// The layout of a tensor in memory of a call: tiles in logical order. buda_memory.c
hoist_ref hoist_lower_layout(hoist_lower *l, hoist_tile_shape shape);

// Units and groups, and what the executes of `codes` give to each. buda_group.c
HOIST_NODISCARD hoist_status hoist_lower_groups(hoist_lower *l);
// Adds `unit` to `list`. buda_group.c
void hoist_lower_add_unit(hoist_lower *l, hoist_lower_list *list, size_t unit);
// Lists the units of `list` but `unit`: they have to be done before. buda_group.c
void hoist_lower_add_drains(hoist_lower *l, hoist_lower_list list, size_t unit);
// The list so far, in l->arena; a new one begins. buda_group.c
const size_t *hoist_lower_take_drains(hoist_lower *l, size_t *out_count);
// Fills in memory_units. buda_reuse.c
HOIST_NODISCARD hoist_status hoist_lower_reuse(hoist_lower *l);
// Labels of all ops. buda_label.c
HOIST_NODISCARD hoist_status hoist_lower_labels(hoist_lower *l);
// The label of input `i` of `node` before its quantisation. buda_label.c
buda_df hoist_lower_input_label(const hoist_lower *l, const buda_net_op *node, size_t i);
// The format that an input of label `label` is rounded to where an op reads it; BUDA_DF_NONE: none.
buda_df hoist_lower_input_rounding(const hoist_lower *l, buda_df label);
// The format that the result of `op` is rounded to; BUDA_DF_NONE: none.
buda_df hoist_lower_output_rounding(const buda_op *op);
// The ops of `group` in an order in which they can run; `*out_ops` (indices into the net's ops)
// lives in l->arena. False when there is none, which is reported. buda_order.c
bool hoist_lower_order(hoist_lower *l, const hoist_lower_group *group, size_t **out_ops,
                       size_t *out_count);
// Builds the function of `group`. buda_function.c
void hoist_lower_graph(hoist_lower *l, hoist_lower_group *group);
// The use of `queue`; NULL when the group has none. buda_group.c
hoist_lower_use *hoist_lower_use_of(hoist_lower_group *group, size_t queue);
// Threads and entries of all programs, and the functions that their executes post. buda_program.c
void hoist_lower_programs(hoist_lower *l);

// Tables --------------------------------------------------------------------------------------

// Which tile of the source each tile of a tensor is.
typedef struct hoist_lower_table {
    hoist_tile_shape shape;
    int32_t *tiles; // logical order, -1: fill; NULL: the source itself; l->scratch
    float fill;
    bool filled; // `fill` is in use
    bool turned; // elements within each tile are to be transposed
} hoist_lower_table;

hoist_lower_table hoist_lower_table_of(hoist_tile_shape shape);
// Each changes the table by one more step; false when it cannot be applied, which is reported at
// `pos`. `what` names the edge: "input 0 of op 'x'".
bool hoist_lower_table_tms(hoist_lower *l, hoist_lower_table *table, const buda_tms *tms,
                           const char *what);
bool hoist_lower_table_pad(hoist_lower *l, hoist_lower_table *table, const buda_pad *pad,
                           const char *what);
bool hoist_lower_table_unpad(hoist_lower *l, hoist_lower_table *table, const buda_pad *unpad,
                             const char *what);
// True when the table gives its source, whose shape is `source`, as it is.
bool hoist_lower_table_is_same(const hoist_lower_table *table, hoist_tile_shape source);
// Number of tiles; 0 when it does not fit.
uint64_t hoist_lower_tiles(hoist_tile_shape shape);
// True when a tensor of `shape` is small enough; else reported.
bool hoist_lower_fits(hoist_lower *l, hoist_tile_shape shape, hoist_pos pos, const char *what);

// Code of functions ---------------------------------------------------------------------------

// A place in the code of a function: the op at hand.
typedef struct hoist_lower_code {
    hoist_lower *l;
    hoist_lower_group *group;
    size_t op; // index into the net's ops
    const buda_net_op *node;
    buda_op_view view;
    hoist_ref space; // of its temporaries
    hoist_loc loc;
    hoist_str label;
    unsigned temporaries; // so far, for their names
} hoist_lower_code;

// Takes `tiles` from what tables may have; reports at `pos` when they have too many.
void hoist_lower_spend(hoist_lower *l, uint64_t tiles, hoist_pos pos);

// Begins a step of the op at hand. buda_code.c, as all that follows
hoist_prog_step hoist_lower_step(const hoist_lower_code *c, hoist_step_kind kind);
// A tensor in memory of the call (HOIST_LIFETIME_CALL), or of the session, which begins as -0.0.
hoist_lower_value hoist_lower_tensor(hoist_lower_code *c, hoist_tile_shape shape,
                                     hoist_lifetime lifetime);
// A compute step with a result of its own. Inputs that do not fit are reported.
hoist_lower_value hoist_lower_compute(hoist_lower_code *c, hoist_compute_op op,
                                      const hoist_compute_attrs *attrs,
                                      const hoist_lower_value *inputs, size_t count);
hoist_lower_value hoist_lower_compute1(hoist_lower_code *c, hoist_compute_op op,
                                       const hoist_compute_attrs *attrs, hoist_lower_value a);
hoist_lower_value hoist_lower_compute2(hoist_lower_code *c, hoist_compute_op op,
                                       hoist_lower_value a, hoist_lower_value b);
// Moves `from` to `to`, a tile by `table` each (NULL: all in order).
void hoist_lower_move(hoist_lower_code *c, hoist_lower_value from, const hoist_lower_table *table,
                      hoist_ref to);
// `from` as `table` has it: moved to memory of the call where the table changes anything.
hoist_lower_value hoist_lower_moved(hoist_lower_code *c, hoist_lower_value from,
                                    const hoist_lower_table *table);
// The same with what transposes within tiles.
hoist_lower_value hoist_lower_turned(hoist_lower_code *c, hoist_lower_value from);
// Rounded to `df`, in blocks of tiles of `tile`; BUDA_DF_NONE: as it is.
hoist_lower_value hoist_lower_rounded(hoist_lower_code *c, hoist_lower_value from, buda_df df,
                                      buda_pair tile);
// Zeros outside `tile` of each tile.
hoist_lower_value hoist_lower_cleared(hoist_lower_code *c, hoist_lower_value from, buda_pair tile);

// Ops -----------------------------------------------------------------------------------------

// What the simple kinds need to know of an op or sub-op.
typedef struct hoist_lower_simple {
    hoist_op op;
    const buda_attributes *attributes;
    float zero_point;
    bool whole_tiles; // `vector` does not count
    hoist_pos pos;
} hoist_lower_simple;

// Binary, unary, reduce and plain matmul, without what comes before and after. Other ops are
// refused. buda_simple.c
hoist_lower_value hoist_lower_simple_op(hoist_lower_code *c, const hoist_lower_simple *simple,
                                        const hoist_lower_value *inputs, size_t count);
// The unary function `op` of the vector unit. buda_simple.c
hoist_lower_value hoist_lower_unary(hoist_lower_code *c, const hoist_lower_simple *simple,
                                    hoist_op op, hoist_lower_value input);
// a * scale + zero_point, or (a - zero_point) * scale. buda_simple.c
hoist_lower_value hoist_lower_scaled(hoist_lower_code *c, hoist_lower_value a,
                                     hoist_lower_value scale, float zero_point, bool dequantize);
// The relu that `attributes` ask for, if any. buda_simple.c
hoist_lower_value hoist_lower_relu(hoist_lower_code *c, const buda_attributes *attributes,
                                   hoist_lower_value from);
// A fused op: its sub-ops one after the other. buda_fused.c
hoist_lower_value hoist_lower_fused(hoist_lower_code *c, const hoist_lower_value *inputs);
// buda_splice.c
hoist_lower_value hoist_lower_splice(hoist_lower_code *c, const hoist_lower_value *inputs);
// The op at hand with the inputs as they are after TMs and rounding, up to the clearing of tiny
// tiles. buda_op.c
hoist_lower_value hoist_lower_op(hoist_lower_code *c, const hoist_lower_value *inputs);

// A value that could not be lowered.
static inline hoist_lower_value hoist_lower_none(void)
{
    return (hoist_lower_value){HOIST_NO_REF, {0, 0, 0}};
}

// A number, or a register.
static inline hoist_prog_value hoist_lower_number(int64_t number)
{
    return (hoist_prog_value){HOIST_NO_REF, number};
}
static inline hoist_prog_value hoist_lower_register(hoist_ref reg)
{
    return (hoist_prog_value){reg, 0};
}

#endif // HOIST_SRC_LOWER_BUDA_LOWER_H
