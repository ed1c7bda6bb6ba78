// lower/buda/control.h - lowering one program: its instructions become control steps of a thread,
// its executes and pointer changes functions that the thread posts to the units of chips.
//
// The builder makes one code at a time, so a program is gone through twice: first all functions are
// built and what the thread has to do is listed (execute.c, varinst.c), then the thread is written
// (program.c). What both share is in control.c.
#ifndef HOIST_SRC_LOWER_BUDA_CONTROL_H
#define HOIST_SRC_LOWER_BUDA_CONTROL_H

#include "formats/buda/program.h"
#include "lower/buda/state.h"

// Something that the thread does for an instruction, after the instruction's own arithmetic.
typedef struct buda_lower_action {
    size_t at;    // instruction
    size_t order; // among those of one instruction
    // A register is set, when there is one.
    hoist_ref destination;
    hoist_prog_value value;
    // Else a function is posted, when register `when` holds `expected`.
    hoist_ref when; // HOIST_NO_REF: always
    int64_t expected;
    hoist_ref function;
    size_t unit;          // index into l->units
    const size_t *drains; // units that have to be done before; arena
    size_t drain_count;
    const hoist_prog_value *arguments; // arena
    size_t argument_count;
} buda_lower_action;

// A setting that was or may have been executed last for its queue.
typedef struct buda_lower_setting {
    const buda_bound *bound; // NULL: none yet in this run
    bool unknown;            // it depends on the turn of a loop
    bool freed;              // the queue has been deallocated since
} buda_lower_setting;

// An execute whose temporal epoch has not been completed, and its values of that moment.
typedef struct buda_lower_member {
    const buda_launch *launch;
    hoist_prog_value (*values)[BUDA_S_COUNT]; // per bound setting; arena
    size_t at;                                // instruction
    struct buda_lower_member *next;           // in the epoch
} buda_lower_member;

typedef struct buda_lower_epoch {
    buda_lower_member *first;
    buda_lower_member *last;
    size_t done;        // of its graphs
    size_t graph_count; // in all
} buda_lower_epoch;

typedef struct buda_lower_thread {
    buda_lower_job *l;
    const buda_code *code;
    size_t at;                  // instruction at hand
    buda_lower_action *actions; // owned
    size_t action_count;
    size_t action_capacity;
    hoist_prog_register *registers; // owned: variables, then what lowering needs
    size_t register_count;
    size_t register_capacity;
    buda_lower_setting *settings; // per queue: the last one; arena
    hoist_ref *last;              // per queue: register with the number of the last setting
    buda_lower_epoch *epochs;     // per temporal id; arena
    size_t pending;               // epochs begun and not completed
    size_t depth;                 // of loops
    size_t functions;             // of the instruction at hand so far, for their names
} buda_lower_thread;

// Adds a register; its index.
hoist_ref buda_lower_new_register(buda_lower_thread *t, hoist_str name, hoist_lifetime lifetime,
                                  int64_t initial);
// Adds an action for the instruction at hand; `kind` without `at` and `order`.
void buda_lower_act(buda_lower_thread *t, size_t at, const buda_lower_action *action);
// Begins a function with integer parameters, one for each of `count` arguments.
hoist_ref buda_lower_begin(buda_lower_thread *t, size_t count);
// The value of an operand in the thread; `absent` where it has none.
hoist_prog_value buda_lower_operand(const buda_operand *operand, int64_t absent);
// A step of the thread or function, at the place of the instruction at hand.
hoist_prog_step buda_lower_step_at(const buda_lower_thread *t, hoist_step_kind kind);
// A fifo step of the function at hand.
void buda_lower_fifo_step(buda_lower_thread *t, hoist_step_kind kind, size_t queue,
                          hoist_prog_value value);
void buda_lower_set_pointer(buda_lower_thread *t, size_t queue, hoist_fifo_pointer pointer,
                            hoist_prog_value value);

// An execute: its graphs run when they complete their temporal epochs. execute.c
void buda_lower_execute(buda_lower_thread *t, const buda_step *step);
// allocate_queue, deallocate_queue. varinst.c
void buda_lower_allocate(buda_lower_thread *t, const buda_step *step);
// A varinst: the pointers that its variable is bound to. varinst.c
void buda_lower_varinst(buda_lower_thread *t, const buda_step *step);
// Finds the queues whose last setting is not always known where a varinst asks for it, and gives
// each a register. varinst.c
void buda_lower_find_settings(buda_lower_thread *t);
// What is known of settings where the loop at instruction `at` begins. varinst.c
void buda_lower_enter_loop(buda_lower_thread *t, size_t at);
// An execute made `bound` the last setting of its queue. varinst.c
void buda_lower_note_setting(buda_lower_thread *t, const buda_bound *bound);
// Forgets all settings of the program, and their registers, too, when `registers`. varinst.c
void buda_lower_forget(buda_lower_thread *t, bool registers);

#endif // HOIST_SRC_LOWER_BUDA_CONTROL_H
