// machine/state.h - what a machine consists of; for the sources of machine/ only.
#ifndef HOIST_SRC_MACHINE_STATE_H
#define HOIST_SRC_MACHINE_STATE_H

#include "base/arena.h"
#include "machine/fifo.h"
#include "machine/process_set.h"
#include "machine/step_name.h"

// Calls within calls of one process.
#define HOIST_MACHINE_MAX_DEPTH 64
// Slots of all fifos of a program.
#define HOIST_MACHINE_MAX_SLOTS (UINT64_C(1) << 26)

// Code that runs: a thread's own, or a call of a function.
typedef struct hoist_frame_state {
    hoist_ref function; // HOIST_NO_REF: the thread's own code
    const hoist_prog_code *code;
    uint32_t step;    // index of the step at hand
    uint64_t call;    // serial number
    size_t registers; // first of its own in the process's lists
    size_t loops;
    size_t views; // one for each parameter; those of integers are unused
} hoist_frame_state;

// A call on a unit, with what was evaluated where the post is. One block holds `views` (one per
// parameter) and `values` (of the signals, then one per parameter).
typedef struct hoist_posted {
    hoist_ref function;
    const hoist_prog_step *post;
    hoist_place *views; // owned: the block
    int64_t *values;
    size_t block_size;
} hoist_posted;

typedef struct hoist_process {
    hoist_ref thread; // HOIST_NO_REF: a unit
    hoist_ref unit;
    bool busy;                  // its data step is not finished
    bool waited;                // for a unit, before its step at hand: that is counted
    size_t list;                // of `waiting`, that it is in; SIZE_MAX: none
    struct hoist_process *next; // there
    struct hoist_process *previous;
    size_t meeting; // process that does the data step of the collective it is in; SIZE_MAX: none
    hoist_frame_state *frames; // owned, like the lists below
    size_t frame_count;
    size_t frame_capacity;
    int64_t *registers; // of functions
    size_t register_count;
    size_t register_capacity;
    int64_t *loops; // iterations left
    size_t loop_count;
    size_t loop_capacity;
    hoist_place *views;
    size_t view_count;
    size_t view_capacity;
    // Units.
    hoist_posted *ring; // owned: `waiting` calls from `first` on, modulo the capacity
    size_t ring_capacity;
    size_t first;
    size_t waiting;
    bool running; // `current` was taken
    hoist_posted current;
} hoist_process;

struct hoist_machine {
    hoist_allocator alloc;
    const hoist_program *program; // borrowed
    uint64_t max_steps;
    uint32_t unit_depth; // 0: as the program says
    hoist_machine_outside outside;
    uint64_t steps; // of this run
    uint64_t calls; // serial number of the last one
    hoist_machine_counts counts;
    bool started;
    bool faulted;
    hoist_arena tables;        // that stay as large as they are: all up to `processes`
    hoist_fifo *fifos;         // of the program, in its order
    uint8_t *written;          // bitmaps of all fifos
    int64_t *semaphores;       // counts
    size_t *thread_first;      // of each thread, its first register
    int64_t *thread_registers; // of all threads
    hoist_process *processes;  // threads of the entry, then units
    size_t process_count;
    size_t thread_count;
    size_t process_capacity; // for the entry with most threads
    hoist_process_set ready; // that are to be asked; the others cannot move
    hoist_process **waiting; // the first of those that wait for each object (waiting.c)
    size_t waiting_count;
    size_t busy_count;
};

// Processes that may be able to move (waiting.c). HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_waits_init(hoist_machine *m);
void hoist_waits_deinit(hoist_machine *m);
// All are to be asked: a run begins.
void hoist_waits_begin(hoist_machine *m);
// `process` cannot move before `object` changes; no effect when it sleeps already.
void hoist_process_sleep(hoist_machine *m, size_t process, hoist_block_kind block,
                         hoist_ref object);
void hoist_process_wake(hoist_machine *m, size_t process); // no effect while it is busy
// `object` has changed: wakes all that wait for it.
void hoist_waits_wake(hoist_machine *m, hoist_block_kind block, hoist_ref object);

// Registers of the frame on top.
int64_t *hoist_process_registers(const hoist_machine *m, const hoist_process *p);
// A value for the code on top; 0 when there is none.
int64_t hoist_process_value(const hoist_machine *m, const hoist_process *p, hoist_prog_value value);
static inline hoist_frame_state *hoist_process_top(const hoist_process *p) // NULL: no code
{
    return p->frame_count > 0 ? &p->frames[p->frame_count - 1] : NULL;
}
// The step that `process` is at, which may be none, and the code that it is in.
hoist_step_at hoist_process_place(const hoist_machine *m, size_t process);

// Calls (calls.c). HOIST_OK, HOIST_NO_MEMORY: nothing has changed.
//
// Starts `code` on top of what runs, with its registers (a function's: initial values).
HOIST_NODISCARD hoist_status hoist_process_enter(hoist_machine *m, hoist_process *p,
                                                 hoist_ref function, const hoist_prog_code *code);
// Ends functions that have no step left; not the last frame.
void hoist_process_unwind(hoist_process *p);
void hoist_process_leave(hoist_process *p); // the frame on top
// The function that a call or post means; HOIST_NO_REF: the index, `*out_index`, is not in the
// table.
hoist_ref hoist_process_callee(const hoist_machine *m, const hoist_process *p,
                               const hoist_prog_target *target, int64_t *out_index);
HOIST_NODISCARD hoist_status hoist_process_call(hoist_machine *m, hoist_process *p,
                                                hoist_ref function,
                                                const hoist_prog_target *target);
HOIST_NODISCARD hoist_status hoist_process_post(hoist_machine *m, hoist_process *p,
                                                hoist_ref function, const hoist_prog_step *step);
HOIST_NODISCARD hoist_status hoist_process_take(hoist_machine *m, hoist_process *unit);
// Ends the call that the unit runs: its signals are given. NULL, or what is wrong.
const char *hoist_process_complete(hoist_machine *m, hoist_process *unit, int64_t *out_wrong);

#endif // HOIST_SRC_MACHINE_STATE_H
