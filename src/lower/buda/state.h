// lower/buda/state.h - the state of lowering one netlist, and its parts.
//
// lower.c     the order of all parts
// memory.c    spaces, buffers, fifos
// group.c     which graphs make one function, and on which unit it runs
// link.c      results that functions on other chips read meanwhile
// reuse.c     units that meet at one memory, at different times
// label.c     the format that each tensor carries in the reference
// order.c     ops of a group in an order
// function.c  a group as a function: inputs, ops, pushes
// code.c      steps of functions
// table.c     TM chains as tables of tiles
// op.c        one op; simple.c, fused.c, splice.c: its kinds
// declared.c  where declared formats round; device.c ops as the device computes them (device.h)
// work.c      work of ops, for estimates of time
// execute.c, program.c, varinst.c: programs (control.h)
#ifndef HOIST_SRC_LOWER_BUDA_STATE_H
#define HOIST_SRC_LOWER_BUDA_STATE_H

#include "formats/buda/op_view.h"
#include "formats/buda/shape.h"
#include "lower/context.h"

// A tensor in the function at hand.
typedef struct buda_lower_value {
    hoist_ref view; // HOIST_NO_REF: it could not be lowered, which has been reported
    hoist_tile_shape shape;
} buda_lower_value;

// An amount that the executes of a group give: the same number in all of them, or a parameter.
typedef struct buda_lower_amount {
    bool seen;
    bool varies;
    int64_t number;
    hoist_ref parameter; // register of the group's function, when it varies
} buda_lower_amount;

typedef enum buda_lower_amount_kind {
    BUDA_LOWER_READ_STEP = 0, // after each input; a queue's local pointer, a ram's read pointer
    BUDA_LOWER_WRITE_STEP,    // of a ram's write pointer
    BUDA_LOWER_FRESH,         // not 0: a gradient op forgets what it has summed so far
    BUDA_LOWER_AMOUNT_COUNT,
} buda_lower_amount_kind;

// A queue or ram that a group uses.
typedef struct buda_lower_use {
    size_t queue;   // index into the net's queues
    unsigned flags; // set of buda_use_flag
    buda_lower_amount amounts[BUDA_LOWER_AMOUNT_COUNT];
} buda_lower_use;

// Graphs of one temporal epoch that make one function: on one chip, or where one writes a queue of
// another.
typedef struct buda_lower_group {
    size_t temporal;
    size_t cluster; // the first of the groups that read each other's ops; they run side by side
    size_t sibling; // the next one of them, in a ring
    size_t *graphs; // ascending; arena
    size_t graph_count;
    size_t unit;          // index into units: of the lowest chip
    buda_lower_use *uses; // but for queues that a group before it in the cluster has
    size_t use_count;     // ascending queue; arena
    const size_t *drains; // units that touch a queue of the cluster, too; arena
    size_t drain_count;
    bool executed;      // by some program
    int64_t inputs;     // input_count
    hoist_ref function; // HOIST_NO_REF: not built
    size_t stamp;       // of the execute that ran it last
} buda_lower_group;

typedef struct buda_lower_unit {
    int64_t chip;
    hoist_ref unit;
    hoist_ref space; // L1 of the chip
} buda_lower_unit;

// A result that a group on another chip reads, or the entry of a queue that the group reads from
// the first group that has it. link.c
typedef struct buda_lower_link {
    size_t source; // index into the net's ops; the number of these plus one into its queues
    size_t group;  // that reads it
    hoist_tile_shape shape;
    hoist_ref fifo; // HOIST_NO_REF: reported
    hoist_ref layout;
    buda_lower_value slot; // in the function of `group`, once it has read it
} buda_lower_link;

// Units, each once.
typedef struct buda_lower_list {
    const size_t *units; // indices into units; arena
    size_t count;
} buda_lower_list;

struct buda_index;
struct buda_code;

typedef struct buda_lower_job {
    hoist_lower_context c;           // its scratch: tables of one edge
    const hoist_buda_module *module; // borrowed
    buda_net net;                    // owned
    buda_check check;
    uint64_t tiles_left; // of tables
    size_t stamp;        // executes so far
    hoist_map spaces;    // name -> space

    const struct buda_index *index;
    const struct buda_code *codes; // one per program of the module
    hoist_ref *fifos;              // per queue of the net; HOIST_NO_REF: reported
    hoist_ref *layouts;            // per queue: of an entry
    size_t *storage;               // per queue: the queue whose bytes it uses
    buda_df *labels;               // per op: of its result
    buda_lower_unit *units;
    size_t unit_count;
    buda_lower_group *groups;
    size_t group_count;
    buda_lower_link *links; // by source, then group
    size_t link_count;
    size_t *group_of;              // per graph
    buda_lower_list *queue_units;  // per storage: units that touch it
    buda_lower_list *memory_units; // per queue: units that touch it or what has its bytes
    size_t *drains;                // units listed by buda_lower_add_drains so far
    size_t drain_count;
    bool *is_listed;           // per unit: it is in `drains`
    size_t *written_in;        // per storage: 1 + the last group built that writes it
    uint8_t *colours;          // per op: memory of buda_lower_order
    buda_lower_value *results; // per op
    buda_lower_value *reads;   // per queue: its slot in the function at hand
    size_t *read_in;           // per queue: 1 + the group that `reads` is of
} buda_lower_job;

// Reports that something cannot be lowered, at `pos`.
void buda_lower_refuse(buda_lower_job *l, hoist_lower_rule_id rule, hoist_pos pos,
                       const char *format, ...) HOIST_PRINTF(4, 5);

// Spaces, buffers and fifos of all queues; fills in fifos, layouts and storage. memory.c
HOIST_NODISCARD hoist_status buda_lower_memory(buda_lower_job *l);
// The L1 memory of a chip. memory.c
hoist_ref buda_lower_l1(buda_lower_job *l, int64_t chip);
// The layout of a tensor in memory of a call: tiles in logical order. memory.c
hoist_ref buda_lower_layout(buda_lower_job *l, hoist_tile_shape shape);

// Units and groups, and what the executes of `codes` give to each. group.c
HOIST_NODISCARD hoist_status buda_lower_groups(buda_lower_job *l);
// Adds `unit` to `list`. group.c
void buda_lower_add_unit(buda_lower_job *l, buda_lower_list *list, size_t unit);
// Lists the units of `list` but `unit`: they have to be done before. group.c
void buda_lower_add_drains(buda_lower_job *l, buda_lower_list list, size_t unit);
// The list so far, in l->c.arena; a new one begins. group.c
const size_t *buda_lower_take_drains(buda_lower_job *l, size_t *out_count);
// Fills in memory_units. reuse.c
HOIST_NODISCARD hoist_status buda_lower_reuse(buda_lower_job *l);
// Links of all groups. link.c
HOIST_NODISCARD hoist_status buda_lower_links(buda_lower_job *l);
// Labels of all ops. label.c
HOIST_NODISCARD hoist_status buda_lower_labels(buda_lower_job *l);
// The label of input `i` of `node` before its quantisation. label.c
buda_df buda_lower_input_label(const buda_lower_job *l, const buda_net_op *node, size_t i);
// The format that an input of label `label` is rounded to where an op reads it; BUDA_DF_NONE: none.
buda_df buda_lower_input_rounding(const buda_lower_job *l, buda_df label);
// The format that the result of `op` is rounded to; BUDA_DF_NONE: none.
buda_df buda_lower_output_rounding(const buda_op *op);
// The ops of `group` in an order in which they can run, whatever groups of its cluster are at;
// `*out_ops` (indices into the net's ops)
// lives in l->c.arena. False when there is none, which is reported. order.c
bool buda_lower_order(buda_lower_job *l, const buda_lower_group *group, size_t **out_ops,
                      size_t *out_count);
// Builds the function of `group`. function.c
void buda_lower_graph(buda_lower_job *l, buda_lower_group *group);
// The group of the cluster of `group` that has the use of `queue`, which one of them has. group.c
buda_lower_group *buda_lower_owner(buda_lower_job *l, const buda_lower_group *group, size_t queue);
// The use of `queue`; NULL when the group has none. group.c
buda_lower_use *buda_lower_use_of(buda_lower_group *group, size_t queue);
// Threads and entries of all programs, and the functions that their executes post. program.c
void buda_lower_programs(buda_lower_job *l);

// The numerics that the caller chose. declared.c
hoist_numerics buda_lower_numerics(const buda_lower_job *l);
// True when the arithmetic of the net's device is known; else reported. device.c
bool buda_lower_has_device(buda_lower_job *l);

// Tables --------------------------------------------------------------------------------------

// Which tile of the source each tile of a tensor is.
typedef struct buda_lower_table {
    hoist_tile_shape shape;
    int32_t *tiles; // logical order, -1: fill; NULL: the source itself; l->c.scratch
    float fill;
    bool filled;     // `fill` is in use
    bool transposed; // the elements within each tile are to be transposed
} buda_lower_table;

buda_lower_table buda_lower_table_of(hoist_tile_shape shape);
// Each changes the table by one more step; false when it cannot be applied, which is reported at
// `pos`. `what` names the edge: "input 0 of op 'x'".
bool buda_lower_table_tms(buda_lower_job *l, buda_lower_table *table, const buda_tms *tms,
                          const char *what);
bool buda_lower_table_pad(buda_lower_job *l, buda_lower_table *table, const buda_pad *pad,
                          const char *what);
bool buda_lower_table_unpad(buda_lower_job *l, buda_lower_table *table, const buda_pad *unpad,
                            const char *what);
// True when the table gives its source, whose shape is `source`, as it is.
bool buda_lower_table_is_same(const buda_lower_table *table, hoist_tile_shape source);
// Number of tiles; 0 when it does not fit.
uint64_t buda_lower_tiles(hoist_tile_shape shape);
// True when a tensor of `shape` is small enough; else reported.
bool buda_lower_fits(buda_lower_job *l, hoist_tile_shape shape, hoist_pos pos, const char *what);

// Code of functions ---------------------------------------------------------------------------

// A place in the code of a function: the op at hand.
typedef struct buda_lower_code {
    buda_lower_job *l;
    buda_lower_group *group;
    size_t op; // index into the net's ops
    const buda_net_op *node;
    buda_op_view view;
    hoist_ref space; // of its temporaries
    hoist_loc loc;
    hoist_str label;
    unsigned temporaries; // so far, for their names
} buda_lower_code;

// Takes `tiles` from what tables may have; reports at `pos` when they have too many.
void buda_lower_spend(buda_lower_job *l, uint64_t tiles, hoist_pos pos);

// Begins a step of the op at hand. code.c, as all that follows
hoist_prog_step buda_lower_step(const buda_lower_code *c, hoist_step_kind kind);
// A tensor in memory of the call (HOIST_LIFETIME_CALL), or of the session, which begins as -0.0.
buda_lower_value buda_lower_tensor(buda_lower_code *c, hoist_tile_shape shape,
                                   hoist_lifetime lifetime);
// A compute step with a result of its own. Inputs that do not fit are reported.
buda_lower_value buda_lower_compute(buda_lower_code *c, hoist_compute_op op,
                                    const hoist_compute_attrs *attrs,
                                    const buda_lower_value *inputs, size_t count);
buda_lower_value buda_lower_compute1(buda_lower_code *c, hoist_compute_op op,
                                     const hoist_compute_attrs *attrs, buda_lower_value a);
buda_lower_value buda_lower_compute2(buda_lower_code *c, hoist_compute_op op, buda_lower_value a,
                                     buda_lower_value b);
// Moves `from` to `to`, a tile by `table` each (NULL: all in order).
void buda_lower_move(buda_lower_code *c, buda_lower_value from, const buda_lower_table *table,
                     hoist_ref to);
// `from` as `table` has it: moved to memory of the call where the table changes anything.
buda_lower_value buda_lower_moved(buda_lower_code *c, buda_lower_value from,
                                  const buda_lower_table *table);
// The same with what transposes within tiles.
buda_lower_value buda_lower_transposed(buda_lower_code *c, buda_lower_value from);
// Rounded to `df`, in blocks of tiles of `tile`; BUDA_DF_NONE: as it is.
buda_lower_value buda_lower_rounded(buda_lower_code *c, buda_lower_value from, buda_df df,
                                    buda_pair tile);
// Zeros outside `tile` of each tile.
buda_lower_value buda_lower_zeroed(buda_lower_code *c, buda_lower_value from, buda_pair tile);

// The result of an op, or the entry of a queue, of another group of the cluster, for this input.
// link.c
buda_lower_value buda_lower_receive(buda_lower_code *c, size_t source);
// The source of a link that a queue is.
size_t buda_lower_queue_source(const buda_lower_job *l, size_t queue);
// Gives `value`, which `source` is, to the groups that read it. link.c
void buda_lower_send(buda_lower_code *c, size_t source, buda_lower_value value);
// True when groups of the cluster of `group` have links of `source`. link.c
bool buda_lower_is_sent(const buda_lower_job *l, const buda_lower_group *group, size_t source);
// Ends what `group` has received for this input. link.c
void buda_lower_release(buda_lower_job *l, const buda_lower_group *group);

// Ops -----------------------------------------------------------------------------------------

// What the simple kinds need to know of an op or sub-op.
typedef struct buda_lower_simple {
    hoist_op op;
    const buda_attributes *attributes;
    float zero_point;
    bool whole_tiles; // `vector` does not count
    hoist_pos pos;
} buda_lower_simple;

// Binary, unary, reduce and plain matmul, without what comes before and after. Other ops are
// refused. simple.c
buda_lower_value buda_lower_simple_op(buda_lower_code *c, const buda_lower_simple *simple,
                                      const buda_lower_value *inputs, size_t count);
// The unary function `op` of the vector unit. simple.c
buda_lower_value buda_lower_unary(buda_lower_code *c, const buda_lower_simple *simple, hoist_op op,
                                  buda_lower_value input);
// a * scale + zero_point, or (a - zero_point) * scale. simple.c
buda_lower_value buda_lower_scaled(buda_lower_code *c, buda_lower_value a, buda_lower_value scale,
                                   float zero_point, bool dequantize);
// The relu that `attributes` ask for, if any. simple.c
buda_lower_value buda_lower_relu(buda_lower_code *c, const buda_attributes *attributes,
                                 buda_lower_value from);
// A fused op: its sub-ops one after the other. fused.c
buda_lower_value buda_lower_fused(buda_lower_code *c, const buda_lower_value *inputs);
// splice.c
buda_lower_value buda_lower_splice(buda_lower_code *c, const buda_lower_value *inputs);
// Rounded to `df` where numerics are declared and it is a format of floats. declared.c
buda_lower_value buda_lower_declared(buda_lower_code *c, buda_lower_value from, buda_df df);
// The same to acc_df, unless the op at hand only moves numbers or rounds by itself.
buda_lower_value buda_lower_sums(buda_lower_code *c, buda_lower_value from);
// A dense matmul; `attributes` has its blocks.
buda_lower_value buda_lower_matmul(buda_lower_code *c, const buda_attributes *attributes,
                                   const buda_lower_value *inputs, size_t count);
// A sparse matmul, by an encoding. sparse.c
buda_lower_value buda_lower_sparse(buda_lower_code *c, const buda_lower_value *inputs);
// The attributes HOIST_SPARSE_GRID_ROWS to HOIST_SPARSE_FRACTURE of the sparse matmul at hand.
void buda_lower_sparse_attrs(const buda_lower_code *c, hoist_compute_value *out);
// The op at hand as the device computes it, up to its packed result. device.c
buda_lower_value buda_lower_device(buda_lower_code *c, const buda_lower_value *inputs);
// Whether the settings of a fused op, whose sub-ops are lowered one by one (fused.c), are known to
// the bit; false: it was refused.
bool buda_lower_device_has(buda_lower_code *c);

// A sub-op of the fused op at hand as the device computes it.
typedef struct buda_lower_sub_op {
    const buda_sub_op *sub;
    buda_lower_value inputs[2];
    buda_df formats[2]; // of what is in memory; BUDA_DF_NONE: the register
    size_t count;
    buda_df target; // BUDA_DF_NONE: the result stays in the register
    const buda_attributes *relu;
    bool from_register; // the sub-op before it left its result there
} buda_lower_sub_op;

// Up to its packed result, or the register. device_fused.c
buda_lower_value buda_lower_device_sub_op(buda_lower_code *c, const buda_lower_sub_op *s);
// The op at hand with the inputs as they are after TMs and rounding, up to the clearing of tiny
// tiles. op.c
buda_lower_value buda_lower_op(buda_lower_code *c, const buda_lower_value *inputs);

// What the cores of an op do, where a model of it is public.
typedef struct buda_lower_op_work {
    bool known;
    hoist_prog_work work;
} buda_lower_op_work;

// The work of the op at hand, which its steps get: those that read inputs, then the next one, up to
// the end. work.c
buda_lower_op_work buda_lower_work_of(const buda_lower_code *c);
void buda_lower_begin_inputs(const buda_lower_code *c, const buda_lower_op_work *work);
void buda_lower_begin_work(const buda_lower_code *c, const buda_lower_op_work *work);
// `begin`: the step that was next before.
void buda_lower_end_work(const buda_lower_code *c, uint32_t begin);

// A value that could not be lowered.
static inline buda_lower_value buda_lower_none(void)
{
    return (buda_lower_value){HOIST_NO_REF, {0, 0, 0}};
}

#endif // HOIST_SRC_LOWER_BUDA_STATE_H
