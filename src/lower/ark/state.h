// lower/ark/state.h - what the parts of lowering ARK files share.
//
// A rank has a space, in it a buffer for each of its local memories, and a thread with the steps of
// its operators in the order of its file. Tensors are views of the buffers. Ranks share nothing but
// fifos, through which messages go, and barriers.
#ifndef HOIST_SRC_LOWER_ARK_STATE_H
#define HOIST_SRC_LOWER_ARK_STATE_H

#include "formats/ark/graph.h"
#include "formats/ark/messages.h"
#include "formats/ark/rules.h"
#include "lower/context.h"
#include "lower/views.h"

enum {
    ARK_LOWER_MAX_STEPS = 1 << 22, // of the program
    ARK_LOWER_AXES = 4,            // of the tiles of an operator: N, C, H, W
};

// A rank of the job. Each rank is lowered by itself; only fifos and barriers know two of them.
typedef struct ark_lower_rank {
    uint32_t number;
    uint32_t index; // in the rows of ark_job
    const hoist_file *file;
    const ark_graph *graph;
    hoist_str prefix;        // of names: "rank1/", or nothing where the job has one rank; arena
    uint32_t source;         // of places in the file (hoist_loc.source)
    hoist_ref space;         // of all buffers of the rank; its home is the rank
    hoist_ref *buffers;      // arena; by memory; HOIST_NO_REF: of another rank
    hoist_ref temporary;     // results that are moved afterwards; HOIST_NO_REF: none yet
    uint64_t temporary_size; // bytes
    uint64_t temporaries;    // names tried so far
    uint64_t constants;      // likewise
    uint32_t next_delivery;  // of the rows of ark_rank
    hoist_ref received;      // a fifo whose slot is still to be given back; HOIST_NO_REF: none
    const ark_step *receipt; // the operator that has it
    hoist_map constant_refs; // owned: type and bits to buffer; keys in the arena
} ark_lower_rank;

// The job at hand. What is in the arena lives as long as the context.
typedef struct ark_lower_job {
    hoist_lower_context c;
    ark_job messages;
    uint32_t *const *orders; // arena; by rank: its steps as they are executed; NULL: by index
    ark_lower_rank *ranks;   // arena; by index in the rows of `messages`
    uint32_t rank_count;
    hoist_ref wires;      // the space of messages; HOIST_NO_REF: there are none
    hoist_ref *taken;     // arena; by key: the fifo; HOIST_NO_REF: none
    hoist_ref *delivered; // arena; by source and destination: the same of puts without a receipt
    bool *is_delivered;   // arena; by put: it is one of those
    uint64_t steps;       // of the program, counted for ARK_LOWER_MAX_STEPS
} ark_lower_job;

// An operator at hand. It is what most parts get: the job, and the operator's rank.
typedef struct ark_lower_op {
    ark_lower_job *job;
    ark_lower_rank *rank;
    const ark_step *step;
} ark_lower_op;

// Reports that an operator cannot be run, and why; NULL of `step`: the file. report.c
void ark_lower_refuse(ark_lower_job *j, hoist_lower_rule_id rule, const ark_lower_rank *rank,
                      const ark_step *step, const char *format, ...) HOIST_PRINTF(5, 6);
// Adds a step at the place of the operator, with its name as label. report.c
void ark_lower_step(const ark_lower_op *op, hoist_prog_step step);
// The same of a copy of `from` to `to`, which have as many elements of one type. report.c
void ark_lower_move(const ark_lower_op *op, const hoist_lower_view *from,
                    const hoist_lower_view *to);

// Memory. memory.c

// The space of a rank and the buffers of its local memories.
void ark_lower_memory(ark_lower_job *j, ark_lower_rank *rank);
// Whether two tensors of the rank share bytes, or may.
bool ark_lower_overlap(const ark_lower_rank *rank, uint32_t a, uint32_t b);
// Whether a tensor is in memory of the rank.
bool ark_lower_is_here(const ark_lower_rank *rank, uint32_t value);
// A tensor of the rank as a view: at its own memory, or, when `memory` is not ARK_NONE, with its
// geometry at that memory of `owner`. An element of BYTE is C's char, an int8.
hoist_lower_view ark_lower_view(const ark_lower_rank *rank, uint32_t value);
hoist_lower_view ark_lower_view_at(const ark_lower_rank *rank, uint32_t value,
                                   const ark_lower_rank *owner, uint32_t memory);
// One element of a type, as the number nearest to `number`, stretched to `shape`.
hoist_lower_view ark_lower_constant(const ark_lower_op *op, hoist_dtype dtype, double number,
                                    const hoist_shape *shape);
// Whether the elements of two views are at the same places, one by one.
bool ark_lower_is_same(const hoist_lower_view *a, const hoist_lower_view *b);
// Dense memory for a result until it is moved: that of the operator before is gone then.
hoist_lower_view ark_lower_temporary(const ark_lower_op *op, const hoist_lower_view *like);
// What callers fill and fetch of the rank. ports.c
void ark_lower_ports(ark_lower_job *j, const ark_lower_rank *rank);

// Work of an operator, cut into tiles. tiles.c

typedef struct ark_lower_operand {
    hoist_lower_view view;
    int8_t axis[HOIST_MAX_RANK]; // by dimension: the axis whose tiles cut it; -1: none does
} ark_lower_operand;

// What an operator does, whatever its type: tiles.c makes steps of it and knows no types.
typedef struct ark_lower_work {
    bool copies;         // operand 0 to operand 1; else a compute step
    hoist_compute_op op; // which
    hoist_compute_attrs attrs;
    uint32_t inputs;
    ark_lower_operand operands[HOIST_COMPUTE_MAX_INPUTS + HOIST_COMPUTE_MAX_OUTPUTS]; // output last
    bool through_memory;            // the result is complete before any of it is stored
    int64_t extent[ARK_LOWER_AXES]; // elements of the result, as operands have them
    int64_t padded[ARK_LOWER_AXES]; // elements that tiles cover, as many or more
    int64_t tile[ARK_LOWER_AXES];   // elements of a tile
} ark_lower_work;

// Elements begin[i] to begin[i] + count[i] along each axis.
typedef struct ark_lower_box {
    // Elements of the result; tiles until they are clipped.
    int64_t begin[ARK_LOWER_AXES], count[ARK_LOWER_AXES];
} ark_lower_box;

// Boxes of the tiles with the numbers [begin, end) of a grid, in row-major order, and in as few
// pieces as that order allows. Tiles beyond the result have no elements and are left out.
typedef struct ark_lower_tiles {
    const ark_lower_work *work;
    int64_t grid[ARK_LOWER_AXES]; // tiles along each axis
    int64_t total;                // of the grid
    int64_t at, end;              // the next tile, and the one after the last
} ark_lower_tiles;
ark_lower_tiles ark_lower_tiles_of(const ark_lower_work *work);
// False: there is none left.
bool ark_lower_next_box(ark_lower_tiles *tiles, ark_lower_box *out_box);
// Whether all tiles are executed in their order, which is one box whatever their size.
bool ark_lower_is_complete(const ark_lower_op *op, const ark_lower_work *work);

// Adds one step for all of the result, of operands that fit.
void ark_lower_add_complete(const ark_lower_op *op, const ark_lower_work *work);
// Adds the steps of the tasks that the operator's file has; all of the result for models. Operands
// that do not fit the row of ops/compute_ark.h are refused.
void ark_lower_add_work(const ark_lower_op *op, ark_lower_work *work);

// Operands of operators. operands.c

enum { ARK_LOWER_INNERMOST = ARK_LOWER_AXES - 1, ARK_LOWER_NO_AXIS = -1 };

// One tile for all elements of `y`, its last dimension along the last axis.
void ark_lower_init_axes(ark_lower_work *work, const hoist_lower_view *y);
// An operand whose dimensions are those of the axes, the last ones.
ark_lower_operand ark_lower_aligned(const hoist_lower_view *view);
// The Config's Tile of a plan's operator, one element along axes that it does not name; false: it
// was refused.
bool ark_lower_read_tile(const ark_lower_op *op, ark_lower_work *work);
// The tiles of the last `count` axes from the list called `name`, likewise.
bool ark_lower_read_entries(const ark_lower_op *op, const char *name, const hoist_rec_ints *list,
                            size_t count, ark_lower_work *work);
// Sends the result through memory where storing a part of it would change an input of others: all
// inputs are read as they are when the operator begins (section 6.4).
void ark_lower_separate(const ark_lower_op *op, ark_lower_work *work);
// Whether all tensors, `reads` and one that is written, are memory of the rank; false: refused.
bool ark_lower_has_operands(const ark_lower_op *op, uint32_t reads);
hoist_lower_view ark_lower_input(const ark_lower_op *op, uint32_t index);
hoist_lower_view ark_lower_output(const ark_lower_op *op);
// The view with `rank` dimensions, those that it lacks in front; it has no more.
hoist_lower_view ark_lower_with_rank(const hoist_lower_view *view, int rank);

// Add the steps of an operator of their kind, by a row where they compute, or report why not.
typedef void ark_lower_fn(const ark_lower_op *op, hoist_compute_op compute);
ark_lower_fn ark_lower_each, ark_lower_copy, ark_lower_cast, ark_lower_rope, ark_lower_scalar,
    ark_lower_assign; // each.c
ark_lower_fn ark_lower_transpose, ark_lower_reduce, ark_lower_matmul,
    ark_lower_embedding; // dimensions.c

// Adds the steps of an operator that is no communication, or reports why it cannot. ops.c
void ark_lower_operator(const ark_lower_op *op);
// True for operators that have no steps. ops.c
bool ark_lower_is_idle(ark_op_type type);
// Whether it goes over the elements of its inputs, one by one.
bool ark_lower_is_each(ark_op_type type);

// Messages. messages.c

// The fifos, before any thread is built.
void ark_lower_fifos(ark_lower_job *j);
// Gives back the slot of the message that was received last, if that was left.
void ark_lower_end_receipt(ark_lower_job *j, ark_lower_rank *rank);
// The steps of an event of the rank, with what is delivered directly after it.
void ark_lower_event(const ark_lower_op *op, const ark_event *event);
// The steps of what is delivered at the end.
void ark_lower_last_deliveries(ark_lower_job *j, ark_lower_rank *rank);

#endif // HOIST_SRC_LOWER_ARK_STATE_H
