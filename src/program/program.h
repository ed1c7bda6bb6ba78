// program/program.h - the one executable form that every format lowers to.
//
// A program is a set of tables: spaces, buffers, ports, fifos, units, semaphores, layouts, views,
// functions, threads and entries. It is immutable once built (program/builder.h), any thread may
// read it, and it knows nothing of the file it came from but the place of each row and step. Rows
// name each other by index in their table (hoist_ref); everything lives in the program's arena.
//
// program/text.h prints and reads the text form; program/verify.h checks; machine/ says what may
// happen when; runtime/ executes with data.
#ifndef HOIST_SRC_PROGRAM_PROGRAM_H
#define HOIST_SRC_PROGRAM_PROGRAM_H

#include "hoist/program.h"

#include "base/arena.h"
#include "base/diag.h"
#include "base/map.h"
#include "ops/compute.h"
#include "tensor/shape.h"
#include "tensor/tiling.h"

// Index of a row in the table that the field names.
typedef uint32_t hoist_ref;
#define HOIST_NO_REF UINT32_MAX

// Memory ------------------------------------------------------------------------------------------

// A memory: a DRAM channel of a chip, SBUF, a scratchpad area, the host, a rank's arena.
typedef struct hoist_prog_space {
    hoist_str name;
    hoist_loc loc;
    uint64_t capacity;  // bytes; 0: not limited
    uint32_t alignment; // of buffers in it: a power of two, 1 or more
    uint32_t home;      // as of hoist_prog_thread: of the threads that may touch it
} hoist_prog_space;

typedef enum hoist_contents {
    HOIST_CONTENTS_UNDEFINED = 0, // reading before writing is a finding
    HOIST_CONTENTS_ZERO,          // all bytes 0
    HOIST_CONTENTS_BYTES,         // `bytes`, then zeros
    HOIST_CONTENTS_CALLER,        // a tensor that the caller gives under the buffer's name
    HOIST_CONTENTS_PATTERN,       // `bytes`, over and over
} hoist_contents;

typedef enum hoist_lifetime {
    HOIST_LIFETIME_CALL = 0, // of one call of a function
    HOIST_LIFETIME_RUN,      // of one run of an entry
    HOIST_LIFETIME_SESSION,  // keeps its contents from run to run
    HOIST_LIFETIME_CONSTANT, // never written by steps
} hoist_lifetime;

typedef struct hoist_prog_buffer {
    hoist_str name;
    hoist_loc loc;
    hoist_ref space;
    uint64_t size;      // bytes, 1 or more
    uint32_t alignment; // a power of two, 1 or more
    bool placed;
    uint64_t address;       // in the space, when placed
    hoist_ref window_of;    // buffer whose bytes these are; HOIST_NO_REF: memory of its own
    uint64_t window_offset; // into that buffer
    hoist_contents contents;
    hoist_bytes bytes; // HOIST_CONTENTS_BYTES, HOIST_CONTENTS_PATTERN
    hoist_lifetime lifetime;
    bool output; // a caller may fetch it by name after a run
    // What its bytes are to the caller, when `typed`: dense elements; else plain bytes.
    bool typed;
    hoist_dtype dtype;
    hoist_ref layout;
} hoist_prog_buffer;

typedef enum hoist_relocation_kind {
    HOIST_RELOCATION_64 = 0, // the complete address
    HOIST_RELOCATION_LOW32,  // its lower half
    HOIST_RELOCATION_HIGH32, // its upper half
} hoist_relocation_kind;

// The address of a buffer, written into the contents of another one when a session begins.
typedef struct hoist_prog_relocation {
    hoist_loc loc;
    hoist_ref buffer;    // that is written
    uint64_t bit_offset; // of the field in it, little-endian, any alignment
    hoist_relocation_kind kind;
    hoist_ref target; // whose address
    int64_t addend;
} hoist_prog_relocation;

// A caller's name for elements of a buffer, which are one dense array to the caller: a strided
// view. Ports may share bytes; those that lie between a port's elements are no part of it. A buffer
// with ports that may be read is in memory of its own, all of it, all the time.
typedef struct hoist_prog_port {
    hoist_str name;
    hoist_loc loc;
    hoist_ref buffer;
    hoist_dtype dtype;
    hoist_ref layout; // STRIDED; no two elements share bytes
    uint64_t offset;  // bytes into the buffer
    bool result;      // fetched where the caller names none
    hoist_str note;   // the file's words for it, for messages; may be empty
} hoist_prog_port;

// Bytes without contents that a step reads before any step writes them: the caller has to supply
// them before the first run, through any ports of the memory that they are in.
typedef struct hoist_prog_need {
    hoist_loc loc;
    hoist_ref port; // of the buffer; missing bytes are reported under its name
    uint64_t begin; // bytes of the buffer
    uint64_t end;
} hoist_prog_need;

// How elements of a view lie in memory.
typedef enum hoist_layout_kind {
    HOIST_LAYOUT_STRIDED = 0, // element [i, j, ...] at the sum of index * stride
    HOIST_LAYOUT_TILED,       // blocks of tiles, as netlists place tensors
} hoist_layout_kind;

typedef struct hoist_prog_layout {
    hoist_layout_kind kind;
    hoist_shape shape;              // STRIDED: outermost first
    int64_t stride[HOIST_MAX_RANK]; // STRIDED: bytes, signed
    // TILED: a tensor [t, rows, columns] cut into tiles. The tile is the element: in memory that
    // the runtime owns a tile is 1,024 float32 (32 rows of 32), whatever the dtype and the tile's
    // own height and width; positions outside them are zero.
    hoist_tiling tiling;
    bool flat; // TILED: rows of elements without tiles and headers (device memory only)
} hoist_prog_layout;

// What a view is a view of.
typedef enum hoist_view_base {
    HOIST_VIEW_BUFFER = 0, // `of`: buffer
    HOIST_VIEW_READ_SLOT,  // `of`: fifo; the slot at its local read pointer (a ram's read pointer)
    HOIST_VIEW_WRITE_SLOT, // `of`: fifo; the slot at its write pointer
    HOIST_VIEW_PARAMETER,  // `of`: view parameter of the function
    HOIST_VIEW_SPACE,      // `of`: space; the address is the register's value
} hoist_view_base;

typedef struct hoist_prog_view {
    hoist_view_base base;
    hoist_ref of;
    hoist_dtype dtype; // declared element type
    hoist_ref layout;
    int64_t offset;     // bytes (STRIDED); tiles (TILED) from the start of what it is a view of
    hoist_ref reg;      // register of the running code; HOIST_NO_REF: none
    int64_t reg_factor; // offset += register * reg_factor
} hoist_prog_view;

// Control -----------------------------------------------------------------------------------------

typedef enum hoist_fifo_kind {
    HOIST_FIFO_QUEUE = 0, // pointers count modulo 2 * slots; reads wait for pushes
    HOIST_FIFO_RAM,       // pointers count modulo slots; never full or empty
} hoist_fifo_kind;

typedef enum hoist_fifo_policy {
    HOIST_FIFO_STRICT = 0, // at most `slots` entries; a slot is read after it was pushed
    HOIST_FIFO_GOLDEN,     // as the BUDA reference model: looser (buda-netlist reference 2.8)
} hoist_fifo_policy;

// E slots over one or more buffers. Slot i of every part begins at header + i * slot_bytes of it;
// an entry is spread over the parts as the layout's grid says (row-major).
typedef struct hoist_prog_fifo {
    hoist_str name;
    hoist_loc loc;
    hoist_fifo_kind kind;
    hoist_fifo_policy policy;
    uint32_t slots;
    const hoist_ref *parts; // buffers of equal size; arena
    uint32_t part_count;    // 1 or more
    uint64_t header;        // bytes before slot 0 of every part
    uint64_t slot_bytes;    // of one slot in one part
    hoist_ref layout;       // of an entry
    hoist_dtype dtype;
    uint32_t tile_alignment; // TILED: of tile images in device memory: 32 or 64
    bool dynamic;            // lives from an allocate step to a free step; else always
    bool host_push;          // the caller fills it
    bool host_pop;           // the caller empties it
    // The caller's tensor, when host_push: the TM chain of the edge as source tiles of each tile of
    // an entry (HOIST_NO_REF: a tile of zeros). NULL: the entry itself.
    const uint32_t *push_tiles; // arena
    uint32_t push_tile_count;   // tiles of an entry, logical order
    hoist_shape push_shape;     // [t, rows, columns] of what the caller gives, when push_tiles
} hoist_prog_fifo;

// An in-order asynchronous executor of posted calls.
typedef struct hoist_prog_unit {
    hoist_str name;
    hoist_loc loc;
    uint32_t depth; // posted calls that may wait, 1 or more
} hoist_prog_unit;

typedef struct hoist_prog_semaphore {
    hoist_str name;
    hoist_loc loc;
    int64_t initial; // 0 or more
    int64_t maximum; // 1: an event; 0: not limited
} hoist_prog_semaphore;

// A register of a thread or function.
typedef struct hoist_prog_register {
    hoist_str name;
    hoist_lifetime lifetime; // CALL, RUN or SESSION
    int64_t initial;
} hoist_prog_register;

// A register or a number.
typedef struct hoist_prog_value {
    hoist_ref reg; // HOIST_NO_REF: the number
    int64_t number;
} hoist_prog_value;

typedef enum hoist_alu_op {
    HOIST_ALU_SET = 0, // a
    HOIST_ALU_ADD,     // a + b; all arithmetic wraps in 64 bits, two's complement
    HOIST_ALU_SUB,     // a - b
    HOIST_ALU_MUL,     // a * b
    HOIST_ALU_AND,     // bits, as OR and XOR
    HOIST_ALU_OR,
    HOIST_ALU_XOR,
    HOIST_ALU_SHL,     // by b modulo 64
    HOIST_ALU_SHR,     // logical
    HOIST_ALU_EQ,      // 1 or 0
    HOIST_ALU_LT,      // signed
    HOIST_ALU_LE,      // signed
    HOIST_ALU_INCWRAP, // (dst + a + off) mod b, off = least multiple of b >= 0 with a + off >= 0;
                       // C remainder; b = 0 is an error
    HOIST_ALU_WRAP32,  // a as a signed 32-bit number
    HOIST_ALU_COUNT,
} hoist_alu_op;

typedef enum hoist_compare {
    HOIST_CMP_EQ = 0, // signed comparisons of 64 bits, all of them
    HOIST_CMP_NE,
    HOIST_CMP_LT,
    HOIST_CMP_LE,
    HOIST_CMP_GT,
    HOIST_CMP_GE,
    HOIST_CMP_COUNT,
} hoist_compare;

// What a wait does to the semaphore once its condition holds.
typedef enum hoist_wait_then {
    HOIST_THEN_NOTHING = 0, // the counter stays
    HOIST_THEN_SUBTRACT,    // then_value
    HOIST_THEN_CLEAR,       // to 0
    HOIST_THEN_SET,         // then_value
} hoist_wait_then;

typedef enum hoist_signal_op {
    HOIST_SIGNAL_ADD = 0, // beyond the maximum is an error, as is below 0
    HOIST_SIGNAL_SUB,
    HOIST_SIGNAL_SET, // whatever it was
} hoist_signal_op;

typedef struct hoist_prog_signal {
    hoist_ref semaphore;
    hoist_signal_op op;
    hoist_prog_value value;
} hoist_prog_signal;

typedef enum hoist_fifo_pointer {
    HOIST_POINTER_READ = 0, // global read pointer
    HOIST_POINTER_WRITE,    // where the next entry goes
    HOIST_POINTER_LOCAL,    // local read pointer; reading starts here
    HOIST_POINTER_BEGIN, // global read pointer: for the first time in a run set as it is, nothing
                         // is popped; later as HOIST_POINTER_READ
} hoist_fifo_pointer;

// An argument of a call or post, for the parameter of the same number.
typedef struct hoist_prog_argument {
    bool is_view;
    hoist_prog_value value;
    hoist_ref view;
} hoist_prog_argument;

// Which code a call or post runs.
typedef struct hoist_prog_target {
    hoist_ref function; // HOIST_NO_REF: table[index]
    const hoist_ref *table;
    uint32_t table_count;
    hoist_prog_value index; // outside the table is an error
    const hoist_prog_argument *arguments;
    uint32_t argument_count;
} hoist_prog_target;

// Steps -------------------------------------------------------------------------------------------

typedef enum hoist_step_kind {
    // Control: registers and flow.
    HOIST_STEP_ALU = 0,
    HOIST_STEP_LOOP,   // the steps to its END run `count` times; 0 or less: not at all, or
                       // an error
    HOIST_STEP_END,    // of the innermost loop
    HOIST_STEP_BRANCH, // to step `target_step` when `a` compares to `b`; never into or out of a
                       // loop
    HOIST_STEP_CALL,   // runs the function here and now
    HOIST_STEP_POST,   // queues the function on a unit; waits while the unit's queue is full
    HOIST_STEP_DRAIN,  // waits until the unit has completed all that was posted
    HOIST_STEP_WAIT,   // until the semaphore's counter compares to `value`, then `then`
    HOIST_STEP_SIGNAL, // changes the counter, which may wake others
    // Control: fifos.
    HOIST_STEP_RESERVE,     // waits until the write slot is free
    HOIST_STEP_PUSH,        // commits the write slot: write pointer + `value` (rams: modulo slots)
    HOIST_STEP_AWAIT,       // waits until the slot at the local pointer was pushed
    HOIST_STEP_ADVANCE,     // local pointer + `value` (rams: read pointer)
    HOIST_STEP_POP,         // read pointer + `value`: these slots are free again
    HOIST_STEP_SET_POINTER, // `pointer` := `value`, by the rules of the kind and policy
    HOIST_STEP_ALLOCATE,    // a dynamic fifo begins to live, empty
    HOIST_STEP_FREE,        // its memory may be another's
    // Data: the machine gives each as one event, and resolves its views.
    HOIST_STEP_ZERO,       // zeros in all slots of the fifo that were written
    HOIST_STEP_MOVE,       // elements from views to a view
    HOIST_STEP_COMPUTE,    // an operation of ops/compute.h
    HOIST_STEP_COLLECTIVE, // threads of a group meet
    HOIST_STEP_OPAQUE,     // a record without public meaning
    HOIST_STEP_COUNT,
} hoist_step_kind;

#define HOIST_MOVE_MAX_SOURCES 16

typedef enum hoist_move_op {
    HOIST_MOVE_COPY = 0, // one source
    HOIST_MOVE_CAST,     // one source, through float32 even where the types are equal
    HOIST_MOVE_FMA,      // sum of scale * source in float32, products and sums rounded apart
    HOIST_MOVE_ADD,      // as FMA with scales of 1
    HOIST_MOVE_MIN,      // element by element
    HOIST_MOVE_MAX,      // the same
    HOIST_MOVE_OP_COUNT,
} hoist_move_op;

// What MIN and MAX compare. The integers: sources and destination all have this type.
typedef enum hoist_move_arithmetic {
    HOIST_MOVE_IN_F32 = 0, // whatever the types: converted to float32
    HOIST_MOVE_IN_I32,
    HOIST_MOVE_IN_U32,
    HOIST_MOVE_ARITHMETIC_COUNT,
} hoist_move_arithmetic;

typedef struct hoist_move_source {
    hoist_ref view;
    float scale; // FMA
} hoist_move_source;

// Elements of the sources go to the destination in linear order, even where shapes differ; types
// are converted through float32 where they differ. The result is as if the sources were read
// completely first; where elements of the destination share bytes, the last in order wins. With a
// table, element (TILED: tile, in logical
// order slice, row, column) i of the destination is element table[i] of the sources joined one
// after the other, -1 the fill value.
typedef struct hoist_prog_move {
    hoist_move_op op;
    hoist_ref destination;
    const hoist_move_source *sources; // arena
    uint32_t source_count;
    hoist_move_arithmetic arithmetic; // MIN, MAX
    bool has_start;                   // MIN, MAX: begins with `start` instead of the first source
    double start;
    uint32_t transpose_rank;                // 0: none; else dimensions of the source, permuted:
    uint8_t transpose_axes[HOIST_MAX_RANK]; // axis i of the result is axis [i] of the source
    const int32_t *table;                   // NULL: none; arena
    uint32_t table_count;
    float fill;
} hoist_prog_move;

typedef struct hoist_prog_compute {
    hoist_compute_op op;
    hoist_compute_attrs attrs;
    const hoist_ref *inputs; // views; arena
    uint32_t input_count;
    const hoist_ref *outputs;
    uint32_t output_count;
} hoist_prog_compute;

typedef enum hoist_collective_kind {
    HOIST_COLLECTIVE_BARRIER = 0,    // nothing is moved
    HOIST_COLLECTIVE_ALL_REDUCE,     // all get the fold of all sources
    HOIST_COLLECTIVE_ALL_GATHER,     // all get all sources, by rank
    HOIST_COLLECTIVE_REDUCE_SCATTER, // each gets its part of the fold
    HOIST_COLLECTIVE_BROADCAST,      // all get the source of the first member
    HOIST_COLLECTIVE_KIND_COUNT,
} hoist_collective_kind;

// How members of a reduction are folded, in float32.
typedef enum hoist_reduce_op {
    HOIST_REDUCE_ADD = 0,
    HOIST_REDUCE_MUL,
    HOIST_REDUCE_MIN,
    HOIST_REDUCE_MAX,
    HOIST_REDUCE_COUNT,
} hoist_reduce_op;

// Threads meet: the step completes when `members` of the group are there; then all go on. Members
// take part in ascending `rank`, which fixes the order of sums.
typedef struct hoist_prog_collective {
    hoist_collective_kind kind;
    hoist_reduce_op op; // ALL_REDUCE, REDUCE_SCATTER
    uint32_t group;     // number; members of one group meet each other
    uint32_t members;   // that have to be there, the same for all of them
    uint32_t rank;
    hoist_ref source;      // HOIST_NO_REF: barrier
    hoist_ref destination; // HOIST_NO_REF: barrier
} hoist_prog_collective;

// A record whose meaning is not public.
typedef struct hoist_prog_opaque {
    hoist_str name;
    hoist_bytes record;
    const hoist_ref *reads; // views, as far as known
    uint32_t read_count;
    const hoist_ref *writes;
    uint32_t write_count;
    bool skip; // passed over where no callback executes it
} hoist_prog_opaque;

// What a step takes of a device, as far as the file says: amounts without times, for src/cost. The
// text form does not keep it, nor does it change what a step does.
typedef struct hoist_prog_work {
    hoist_str device;  // the name of its rates; arena
    uint64_t requests; // round trips between the host and the device
    uint64_t bytes;    // over the link between them
    uint64_t cycles;   // of the device's clock
    bool streamed;     // the bytes are parameters that are sent in every run
    // Cores of its own do it: other work goes on at the same time, the next call of this one begins
    // when it is done.
    bool has_cores;
    uint64_t least_cycles; // has_cores: of `cycles` at best; 0: the same
    uint64_t most_cycles;  // at worst
    uint64_t core_bytes;   // has_cores: that a core receives from other cores
} hoist_prog_work;

typedef struct hoist_prog_step {
    hoist_step_kind kind;
    uint32_t work; // number of a row of `works`, from 1; 0: it has none
    hoist_loc loc;
    hoist_str label; // what people call it: the op's or instruction's name; may be empty
    union {
        struct {
            hoist_alu_op op;
            hoist_ref destination;
            hoist_prog_value a, b;
        } alu;
        struct {
            hoist_prog_value count;
            bool must_run; // a count below 1 is an error
            uint32_t end;  // index of its END step
        } loop;
        struct {
            uint32_t begin; // index of its LOOP step
        } end;
        struct {
            hoist_prog_value a, b;
            hoist_compare compare;
            uint32_t target_step; // index in the same code; may be one past the last
        } branch;
        struct {
            hoist_ref unit; // POST and DRAIN
            hoist_prog_target target;
            const hoist_prog_signal *signals; // POST: on completion; arena
            uint32_t signal_count;
        } call;
        struct {
            hoist_ref semaphore;
            hoist_compare compare;
            hoist_prog_value value;
            hoist_wait_then then;
            hoist_prog_value then_value;
        } wait;
        hoist_prog_signal signal;
        struct {
            hoist_ref fifo;
            hoist_fifo_pointer pointer; // SET_POINTER
            hoist_prog_value value;
        } fifo;
        const hoist_prog_move *move;
        const hoist_prog_compute *compute;
        const hoist_prog_collective *collective;
        const hoist_prog_opaque *opaque;
    } as;
} hoist_prog_step;

// Steps in order with their registers. The order is the meaning; a planner may change it where no
// step can notice.
typedef struct hoist_prog_code {
    const hoist_prog_register *registers; // parameters of integers first; arena
    uint32_t register_count;
    const hoist_prog_step *steps;
    uint32_t step_count;
} hoist_prog_code;

typedef struct hoist_prog_parameter {
    hoist_str name;
    bool is_view; // else an integer: the next register
    hoist_dtype dtype;
    hoist_ref layout;
    bool written; // the function writes the view
} hoist_prog_parameter;

typedef struct hoist_prog_function {
    hoist_str name;
    hoist_loc loc;
    const hoist_prog_parameter *parameters; // arena
    uint32_t parameter_count;
    hoist_prog_code code;
} hoist_prog_function;

// A home is a rank of a job: what is of several homes could run in as many processes. Threads touch
// the memory of their own home; between homes there are fifos and collectives.
typedef struct hoist_prog_thread {
    hoist_str name;
    hoist_loc loc;
    uint32_t home;
    hoist_prog_code code;
} hoist_prog_thread;

// A parameter of an entry: the caller's value goes to a register of a thread.
typedef struct hoist_prog_entry_parameter {
    hoist_str name; // as the caller writes it: "$p_loop_count"
    hoist_ref thread;
    hoist_ref reg;
} hoist_prog_entry_parameter;

// What a user may run by name: threads that start together.
typedef struct hoist_prog_entry {
    hoist_str name;
    hoist_loc loc;
    bool once; // not by a user: a session runs it before its first run, and never again
    const hoist_ref *threads; // arena
    uint32_t thread_count;
    const hoist_prog_entry_parameter *parameters;
    uint32_t parameter_count;
} hoist_prog_entry;

// What users call by name, found without a search. The builder makes it of the tables.
typedef struct hoist_prog_index {
    const hoist_ref *entries; // arena: those that are not `once`
    uint32_t entry_count;
    const hoist_ref *buffers; // arena: those that a caller fills or fetches
    uint32_t buffer_count;
    const bool *needed;    // arena: by row of `ports`: a need names it
    hoist_map entry_names; // owned: numbers in `entries`
    hoist_map port_names;  // owned: of ports, the fifos first, then `buffers`, then the views
} hoist_prog_index;

struct hoist_program {
    hoist_arena arena;
    hoist_str name;
    const hoist_prog_space *spaces;
    uint32_t space_count;
    const hoist_prog_buffer *buffers;
    uint32_t buffer_count;
    const hoist_prog_relocation *relocations;
    uint32_t relocation_count;
    const hoist_prog_port *ports;
    uint32_t port_count;
    const hoist_prog_need *needs;
    uint32_t need_count;
    const hoist_prog_layout *layouts;
    uint32_t layout_count;
    const hoist_prog_view *views;
    uint32_t view_count;
    const hoist_prog_fifo *fifos;
    uint32_t fifo_count;
    const hoist_prog_unit *units;
    uint32_t unit_count;
    const hoist_prog_semaphore *semaphores;
    uint32_t semaphore_count;
    const hoist_prog_function *functions;
    uint32_t function_count;
    const hoist_prog_thread *threads;
    uint32_t thread_count;
    const hoist_prog_entry *entries;
    uint32_t entry_count;
    const hoist_prog_work *works;
    uint32_t work_count;
    const hoist_str *left_out; // arena: operators of the file that the program is without
    uint32_t left_out_count;
    // What the format calls a rule of programs, by hoist_program_rule (program/rules.h); NULL: it
    // has no rule of its own, or none at all. The text form does not keep them.
    const hoist_rule *const *rules;
    // Where rows and steps without hoist_loc.source come from: the job's first file; empty: not
    // known. The text form keeps neither it nor the sources.
    hoist_str file; // arena
    // The files and members that hoist_loc.source of rows and steps counts, from 1 on.
    const hoist_source *sources; // arena
    uint32_t source_count;
    hoist_prog_index index;
};

// The buffer with memory of its own that `buffer` is a window of, by any number of steps, or
// `buffer` itself. `*out_offset` (may be NULL): where in it the window begins.
hoist_ref hoist_prog_root(const hoist_program *program, hoist_ref buffer, uint64_t *out_offset);

// All code of a program by number: its functions, then its threads.
static inline size_t hoist_prog_code_count(const hoist_program *program)
{
    return (size_t)program->function_count + program->thread_count;
}
static inline const hoist_prog_code *hoist_prog_code_at(const hoist_program *program, size_t number)
{
    const size_t functions = program->function_count;
    return number < functions ? &program->functions[number].code
                              : &program->threads[number - functions].code;
}
static inline hoist_str hoist_prog_code_name(const hoist_program *program, size_t number)
{
    const size_t functions = program->function_count;
    return number < functions ? program->functions[number].name
                              : program->threads[number - functions].name;
}

// The entry that a user calls `name`; HOIST_NO_REF: there is none.
hoist_ref hoist_prog_find_entry(const hoist_program *program, const char *name);
// The parameter that is called `name`, where "$p_x" is also called "p_x"; parameter_count: none.
uint32_t hoist_prog_find_parameter(const hoist_prog_entry *entry, const char *name);

#endif // HOIST_SRC_PROGRAM_PROGRAM_H
