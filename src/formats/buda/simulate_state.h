// formats/buda/simulate_state.h - the state of the program simulator and its parts:
// simulate.c (instructions, variables, loops), simulate_execute.c (temporal epochs),
// simulate_setting.c, simulate_flow.c (rule 36d), simulate_queue.c (pointers of op-fed queues),
// simulate_live.c (allocation).
#ifndef HOIST_SRC_FORMATS_BUDA_SIMULATE_STATE_H
#define HOIST_SRC_FORMATS_BUDA_SIMULATE_STATE_H

#include "formats/buda/simulate.h"

#define BUDA_SIM_MAX_DEPTH 64

typedef struct sim_value {
    int32_t value; // 0 when not known
    bool known;
} sim_value;

typedef enum sim_kind {
    SIM_UNDECLARED = 0,
    SIM_LOCAL,
    SIM_STATIC,
    SIM_PARAM,
    SIM_IMPLICIT, // made by a varinst
} sim_kind;

typedef struct sim_variable {
    sim_kind kind;
    sim_value value;
} sim_variable;

// Pushes and pops of a queue up to some moment.
typedef struct sim_flow {
    uint64_t pushes;
    uint64_t pops;
} sim_flow;

typedef struct sim_loop {
    size_t begin;   // index of the loop instruction
    int32_t turns;  // still to come, this one included
    sim_flow *flow; // at the start of the last turn, per queue use of the body; NULL: not watched
} sim_loop;

// A queue during the simulation. Pointers count modulo 2E (section 2.8).
typedef struct sim_queue {
    bool tracked;  // an op-fed `queue` whose pushes can be known at all
    bool shared;   // more than one program uses it
    bool consumed; // a graph reads it
    bool exact;    // rd, wr are certain now
    bool written_exact;
    uint64_t rd;
    uint64_t wr;
    uint64_t written; // slots 0 ... written-1 hold a tensor
    sim_value local;
    sim_flow flow;
    const buda_bound *last; // setting of the last execute of run `run`
    size_t run;             // of `last`
    size_t state_run;       // run in which the pointers were last valid
    size_t round;           // of the execute that gave `last`
    sim_value *given;       // BUDA_S_COUNT values of `last`, in epochs of several graphs; arena
    bool live;              // a dynamic queue: allocated
    hoist_pos live_pos;     // where, and by which instruction
    const buda_program *live_program;
    size_t live_instr;
} sim_queue;

// One temporal epoch: which of its graphs have been executed.
typedef struct sim_epoch {
    size_t graph_count;
    size_t done;
    size_t round; // of the executes being collected
    size_t run;   // in which they are
    size_t instr; // of the last of them
    size_t last;  // graph of that; the others follow through sim_member.next
} sim_epoch;

// A member of a temporal epoch that has been executed and waits for the others.
typedef struct sim_member {
    size_t round;
    const buda_launch *launch;
    size_t next; // graph executed before, or BUDA_NO_INDEX
} sim_member;

typedef struct sim {
    const buda_index *index;
    const buda_net *net;
    const buda_params *params;
    buda_reporter *reporter;
    hoist_arena *arena;
    uint64_t steps_left;
    bool no_memory;      // sticky
    sim_queue *queues;   // one per queue of the net
    sim_epoch *epochs;   // one per temporal id
    sim_member *members; // one per graph of the net
    size_t round;        // counts executes of whole epochs; 0 is none
    size_t run;          // counts runs; 0 is none
    size_t *live;        // dynamic queues now live
    size_t live_count;
    const buda_code *code; // of this run
    sim_variable *variables;
    size_t pc;
    sim_loop loops[BUDA_SIM_MAX_DEPTH];
    size_t depth;
    sim_flow **flows; // per instruction: memory for sim_loop.flow
} sim;

// Takes `steps` from what is left; false when the simulation has to end.
bool sim_spend(sim *s, uint64_t steps);
const buda_instr *sim_instr(const sim *s);
// Value of an operand; a variable that is not declared is reported (rule 31b) and unknown.
sim_value sim_eval(sim *s, const buda_operand *operand, const buda_token *token);

// One setting while it is judged.
typedef struct judged {
    const buda_launch *launch;
    const buda_bound *bound;
    const sim_value *values; // BUDA_S_COUNT
    hoist_str queue;         // its name, for messages
} sim_judged;

// Execute and temporal epochs (simulate_execute.c).
bool sim_execute_init(sim *s);
void sim_execute(sim *s, const buda_step *step);
// Reports epochs that were begun and not completed (rule 35e).
void sim_end_epochs(sim *s);
// Rules 35a, 35b: the graphs of each epoch. False when out of memory.
bool sim_check_epochs(sim *s);
// Rule 35c: what another execute of this epoch set for the same queue.
void sim_compare_settings(sim *s, const sim_judged *j, size_t round);

// Settings (simulate_setting.c).
// Judges one setting and gives its pointers to the queue.
void sim_apply_setting(sim *s, const buda_launch *launch, const buda_bound *bound, size_t round);
// A bound variable has a new value: passes it on to the queues whose last setting names it.
void sim_pass_on(sim *s, size_t variable);
// Place of a field, or of the queue's name where the field is absent.
hoist_pos sim_field_pos(const buda_bound *bound, buda_setting_key key);
// Value of a field of a setting, or the default of the queue's type (section 2.6).
sim_value sim_setting(sim *s, const buda_bound *bound, buda_setting_key key);

// Queues (simulate_queue.c).
bool sim_queue_init(sim *s, const buda_code *codes);
// The queue's state in this run: uncertain when another program may have changed it.
sim_queue *sim_queue_at(sim *s, size_t queue);
uint64_t sim_entries(const sim *s, size_t queue);
bool sim_is_ram(const sim *s, size_t queue);
// rd_ptr_global := value, which is 0 or more when known; reported at `pos`.
void sim_set_rd(sim *s, size_t queue, sim_value value, hoist_pos pos);
// What one launch of `round` moves: reads and pops of its inputs, pushes of its outputs.
void sim_move(sim *s, const buda_launch *launch, size_t round);
// Forgets the pointers of all queues that `launch` may move.
void sim_forget(sim *s, const buda_launch *launch);

// Loops (simulate_flow.c): rule 36d.
void sim_flow_begin(sim *s, sim_loop *loop);
void sim_flow_end(sim *s, const sim_loop *loop);

// Allocation (simulate_live.c).
bool sim_live_init(sim *s);
void sim_allocate(sim *s, const buda_step *step);
void sim_deallocate(sim *s, const buda_step *step);
// Reports queues still live after the last program (rule 29d).
void sim_end_live(sim *s);

#endif // HOIST_SRC_FORMATS_BUDA_SIMULATE_STATE_H
