// formats/buda/simulate_state.h - the state of the program simulator and its parts:
// simulate.c (instructions, variables, loops), simulate_execute.c (temporal epochs),
// simulate_setting.c, simulate_flow.c (rule 36d), simulate_queue.c (pointers of op-fed queues),
// simulate_live.c (allocation).
#ifndef HOIST_SRC_FORMATS_BUDA_SIMULATE_STATE_H
#define HOIST_SRC_FORMATS_BUDA_SIMULATE_STATE_H

#include "formats/buda/simulate.h"

#define BUDA_SIM_MAX_DEPTH 64 // nesting of loops; the vendor's netlists nest 2 deep

typedef struct buda_sim_value {
    int32_t value; // 0 when not known
    bool known;
} buda_sim_value;

typedef enum buda_sim_kind {
    BUDA_SIM_UNDECLARED = 0, // also a name after a run's end: locals and params are erased
    BUDA_SIM_LOCAL,          // var: erased when a run begins
    BUDA_SIM_STATIC,         // staticvar: keeps its value from run to run
    BUDA_SIM_PARAM,          // value unknown when a file is checked
    BUDA_SIM_IMPLICIT,       // made by a varinst
} buda_sim_kind;

typedef struct buda_sim_variable {
    buda_sim_kind kind;
    buda_sim_value value;
} buda_sim_variable;

// Pushes and pops of a queue up to some moment.
typedef struct buda_sim_flow {
    uint64_t pushes; // entries pushed so far, by launches that could be followed
    uint64_t pops;   // entries popped so far, by rd_ptr_global and by global_rdptr_autoinc
} buda_sim_flow;

typedef struct buda_sim_loop {
    size_t begin;  // index of the loop instruction
    int32_t turns; // still to come, this one included; 0: the count is not known
    // At the start of the last iteration, per queue use of the body; NULL: not watched.
    buda_sim_flow *flow;
} buda_sim_loop;

// A queue during the simulation. Pointers count modulo 2E (section 2.8).
typedef struct buda_sim_queue {
    bool tracked;  // an op-fed `queue` whose pushes can be known at all
    bool shared;   // more than one program uses it
    bool consumed; // a graph reads it
    bool exact;    // rd, wr are certain now
    bool written_exact;
    uint64_t rd;
    uint64_t wr;
    uint64_t written; // slots 0 ... written-1 hold a tensor
    buda_sim_value local;
    buda_sim_flow flow;
    const buda_bound *last; // setting of the last execute of run `run`
    size_t run;             // of `last`
    size_t state_run;       // run in which the pointers were last valid
    size_t round;           // of the execute that gave `last`
    buda_sim_value *given;  // BUDA_S_COUNT values of `last`, in epochs of several graphs; arena
    bool live;              // a dynamic queue: allocated
    hoist_pos live_pos;     // where, and by which instruction
    const buda_program *live_program;
    size_t live_instr;
} buda_sim_queue;

// One temporal epoch: which of its graphs have been executed.
typedef struct buda_sim_epoch {
    size_t graph_count;
    size_t done;
    size_t round;      // of the executes being collected
    size_t run;        // in which they are
    size_t instr;      // of the last of them
    size_t broken_run; // run in which rule 35d was reported
    size_t last;       // graph of that; the others follow through buda_sim_member.next
} buda_sim_epoch;

// A member of a temporal epoch that has been executed and waits for the others.
typedef struct buda_sim_member {
    size_t round;
    const buda_launch *launch;
    size_t next; // graph executed before, or BUDA_NO_INDEX
} buda_sim_member;

typedef struct buda_sim {
    const buda_index *index;
    const buda_net *net;
    const buda_params *params;
    buda_reporter *reporter;
    hoist_arena *arena;
    uint64_t steps_left;
    bool no_memory;           // sticky
    buda_sim_queue *queues;   // one per queue of the net
    buda_sim_epoch *epochs;   // one per temporal id
    buda_sim_member *members; // one per graph of the net
    size_t round;             // counts executes of whole epochs; 0 is none
    size_t run;               // counts runs; 0 is none
    size_t *live;             // dynamic queues now live
    size_t live_count;
    const buda_code *code; // of this run
    buda_sim_variable *variables;
    size_t pc;
    buda_sim_loop loops[BUDA_SIM_MAX_DEPTH];
    size_t depth;
    buda_sim_flow **flows; // per instruction: memory for buda_sim_loop.flow
} buda_sim;

// Access to the state, for all parts (simulate_state.c).
// Takes `steps` from what is left; false when the simulation has to end.
bool buda_sim_spend(buda_sim *s, uint64_t steps);
// The instruction that is being run.
const buda_instr *buda_sim_instr(const buda_sim *s);
// A variable's value: variables are C ints (section 2.2), so beyond 32 bits they wrap.
buda_sim_value buda_sim_number(int64_t value);
// Value of an operand; a variable that is not declared is reported (rule 31b) and unknown.
buda_sim_value buda_sim_eval(buda_sim *s, const buda_operand *operand, const buda_token *token);

// Place of a field, or of the queue's name where the field is absent.
hoist_pos buda_sim_field_pos(const buda_bound *bound, buda_setting_key key);
// Value of a field of a setting, or the default of the queue's type (section 2.6).
buda_sim_value buda_sim_setting(buda_sim *s, const buda_bound *bound, buda_setting_key key);
// Slots of a queue; 0 when the netlist has no sensible number.
uint64_t buda_sim_entries(const buda_sim *s, size_t queue);
// True for a ram, false for a queue.
bool buda_sim_is_ram(const buda_sim *s, size_t queue);
// One setting while it is checked.
typedef struct buda_sim_check {
    const buda_launch *launch;
    const buda_bound *bound;
    const buda_sim_value *values; // BUDA_S_COUNT
    hoist_str queue;              // its name, for messages
} buda_sim_check;

// Execute and temporal epochs (simulate_execute.c).
// Memory for epochs; false when out of memory.
bool buda_sim_execute_init(buda_sim *s);
// Starts the graphs of an execute instruction.
void buda_sim_execute(buda_sim *s, const buda_step *step);
// Reports epochs that were begun and not completed (rule 35e).
void buda_sim_end_epochs(buda_sim *s);
// Rules 35a, 35b: the graphs of each epoch. False when out of memory.
bool buda_sim_check_epochs(buda_sim *s);

// Settings (simulate_setting.c).
// Checks one setting and gives its pointers to the queue.
void buda_sim_apply_setting(buda_sim *s, const buda_launch *launch, const buda_bound *bound,
                            size_t round);
// A bound variable has a new value: passes it on to the queues whose last setting names it.
void buda_sim_pass_on(buda_sim *s, size_t variable);

// Queues (simulate_queue.c).
// Memory for queues, and which of them can be followed; false when out of memory.
bool buda_sim_queue_init(buda_sim *s, const buda_code *codes);
// The queue's state in this run: uncertain when another program may have changed it.
buda_sim_queue *buda_sim_queue_at(buda_sim *s, size_t queue);
// rd_ptr_global := value, which is 0 or more when known; reported at `pos`.
void buda_sim_set_rd(buda_sim *s, size_t queue, buda_sim_value value, hoist_pos pos);
// Moves the entries of one launch of `round`: reads and pops of its inputs, pushes of its outputs.
void buda_sim_move(buda_sim *s, const buda_launch *launch, size_t round);
// Forgets the pointers of all queues that `launch` may move.
void buda_sim_forget(buda_sim *s, const buda_launch *launch);

// Loops (simulate_flow.c): rule 36d.
// The last iteration of `loop` begins: notes how much its queues have moved so far.
void buda_sim_flow_begin(buda_sim *s, buda_sim_loop *loop);
// That iteration ends: compares.
void buda_sim_flow_end(buda_sim *s, const buda_sim_loop *loop);

// Allocation (simulate_live.c).
// Memory for the list of live queues; false when out of memory.
bool buda_sim_live_init(buda_sim *s);
// allocate_queue and deallocate_queue.
void buda_sim_allocate(buda_sim *s, const buda_step *step);
void buda_sim_deallocate(buda_sim *s, const buda_step *step);
// Reports queues still live after the last program (rule 29d).
void buda_sim_end_live(buda_sim *s);

#endif // HOIST_SRC_FORMATS_BUDA_SIMULATE_STATE_H
