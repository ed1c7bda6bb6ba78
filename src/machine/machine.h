// machine/machine.h - the control semantics of programs: what may happen when. No data is touched.
//
// A machine holds the control state of one program: registers, fifo pointers, semaphores, and the
// processes, which are the threads of the entry that runs and the units. The caller chooses which
// process makes its next step; schedules (schedule.h), the order checker (order.h) and the runtime
// are such callers. One thread at a time; the runtime holds its lock around every call.
//
// The program must have passed hoist_program_verify() without an error.
//
// Posted calls: the arguments of a call or post, views included, are evaluated where it is, and
// so are the values of its signals. A unit takes a call (one step), makes the function's steps, and
// completes it (one step, which signals). Collectives: a member is there when its process is at the
// step; the process that is stepped when all are there gets one data step for all of them.
#ifndef HOIST_SRC_MACHINE_MACHINE_H
#define HOIST_SRC_MACHINE_MACHINE_H

#include "program/program.h"

typedef struct hoist_machine hoist_machine;

// Other machines that run the threads of other homes.
typedef struct hoist_machine_outside {
    uint32_t home; // whose threads run here
    // Members of `mine`'s group that are at their step there, a fault (static) if they are no
    // members of the same collective; NULL: there are no other machines.
    uint32_t (*members)(void *self, const hoist_prog_collective *mine, const char **out_fault);
    void *self;
} hoist_machine_outside;

typedef struct hoist_machine_options {
    hoist_allocator alloc;
    uint64_t max_steps;  // control steps of one run; 0: not limited
    uint32_t unit_depth; // calls that every unit may hold; 0: as the program says
    hoist_machine_outside outside;
} hoist_machine_options;

HOIST_NODISCARD hoist_status hoist_machine_create(const hoist_program *program,
                                                  const hoist_machine_options *options,
                                                  hoist_machine **out_machine);
void hoist_machine_destroy(hoist_machine *machine); // NULL is allowed

// Begins a run of `entry`: semaphores and registers of lifetime CALL and RUN get their initial
// values, then parameters theirs (one value per parameter of the entry, in order); fifos and
// registers of lifetime SESSION go on as they are, but for what HOIST_POINTER_BEGIN says.
// HOIST_BUSY while a run is going on; HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_machine_start(hoist_machine *machine, hoist_ref entry,
                                                 const int64_t *parameters);
// True when every thread has ended and no unit has a call left.
bool hoist_machine_is_done(const hoist_machine *machine);

// Calls posted to units, and waits of processes for units, each once, of all runs.
typedef struct hoist_machine_counts {
    uint64_t commands;
    uint64_t full_waits; // for space in the queue of a unit
    uint64_t idle_waits; // until a unit has done all
} hoist_machine_counts;

hoist_machine_counts hoist_machine_count(const hoist_machine *machine);

// Processes: 0 ... count-1; first the threads of the running entry, then all units.
size_t hoist_machine_process_count(const hoist_machine *machine);
hoist_str hoist_machine_process_name(const hoist_machine *machine, size_t process);

typedef enum hoist_event_kind {
    HOIST_EVENT_STEPPED = 0, // a control step was made
    HOIST_EVENT_DATA,        // a data step (ZERO is one) is to be done; then hoist_machine_finish()
    HOIST_EVENT_BLOCKED,     // the step cannot be made now; nothing has changed
    HOIST_EVENT_ENDED,       // a thread that has ended, a unit without a call
    HOIST_EVENT_FAULT,       // the program is wrong here; the run cannot go on
    HOIST_EVENT_FAILED, // `status`: HOIST_LIMIT (max_steps), HOIST_NO_MEMORY; nothing has changed
} hoist_event_kind;

// Why a process waits.
typedef enum hoist_block_kind {
    HOIST_BLOCK_NONE = 0,
    HOIST_BLOCK_SEMAPHORE,  // `object`: semaphore
    HOIST_BLOCK_FIFO_EMPTY, // fifo
    HOIST_BLOCK_FIFO_FULL,
    HOIST_BLOCK_UNIT_FULL, // unit
    HOIST_BLOCK_DRAIN,
    HOIST_BLOCK_COLLECTIVE, // `object`: the group
} hoist_block_kind;

typedef struct hoist_machine_event {
    hoist_event_kind kind;
    const hoist_prog_step *step; // the step at hand: when a unit takes or completes a call, the
                                 // post that it came from; NULL when ENDED
    hoist_block_kind block;      // BLOCKED; NONE: its data step is not finished
    hoist_ref object;            // BLOCKED: what is waited for
    const char *fault;           // FAULT: static
    int64_t value;               // FAULT: the number that is wrong, where one is
    hoist_status status;         // FAILED
} hoist_machine_event;

// Makes the next step of `process` if it can be made.
hoist_machine_event hoist_machine_step(hoist_machine *machine, size_t process);
// The data step that `process` was given is done.
void hoist_machine_finish(hoist_machine *machine, size_t process);
// The event that hoist_machine_step() would return, except that faults found while a step is made
// are still STEPPED or DATA here. Nothing changes.
hoist_machine_event hoist_machine_peek(const hoist_machine *machine, size_t process);
// Whether the next step of `process` can be made, or is a fault. A process that cannot move is not
// ready until the object that it waits for changes.
bool hoist_machine_ask(hoist_machine *machine, size_t process);
// The first process from `from` on, or else from 0, that is ready: all others cannot move, and a
// ready one may turn out not to when it is asked or stepped. False: there is none.
bool hoist_machine_next(const hoist_machine *machine, size_t from, size_t *out_process);
// The step that `process` is at; NULL: none, its code is at an end.
const hoist_prog_step *hoist_machine_at(const hoist_machine *machine, size_t process);
// The members of the collective whose data step `process` was given: their processes in ascending
// rank, at most `capacity` of them. The step of each is hoist_machine_at(), its views resolve with
// hoist_machine_resolve(). Returns their number.
size_t hoist_machine_collective(const hoist_machine *machine, size_t process, size_t *out_members,
                                size_t capacity);

// Whether `process` is at a collective that is not complete yet, as a member that others wait for.
bool hoist_machine_is_member(const hoist_machine *machine, size_t process);
// A member of another machine is there: who waits for members is to be asked again.
void hoist_machine_came(hoist_machine *machine);

// Where a view of a data step lies now: in a buffer, or in a slot of a fifo.
typedef struct hoist_place {
    hoist_ref buffer; // HOIST_NO_REF: a slot of `fifo`, or an address in `space`
    hoist_ref fifo;
    uint32_t slot;
    hoist_ref space;
    int64_t offset; // bytes (strided) or tiles (tiled) from the buffer's or slot's start; SPACE:
                    // the address
    hoist_dtype dtype;
    hoist_ref layout;
    uint32_t frame;   // a buffer of lifetime CALL: depth of the call that it belongs to,
    uint32_t process; // the process that is in it,
    uint64_t call;    // and the serial number of the call in this session, from 1
} hoist_place;

// Resolves `view` for the step that `process` is at: registers, parameters and pointers have their
// present values.
hoist_place hoist_machine_resolve(const hoist_machine *machine, size_t process, hoist_ref view);

// The calls that `process` is in: depth 0 is the thread's own code (HOIST_NO_REF), or the function
// that the unit was posted; each further one is the function called by the one before.
uint32_t hoist_machine_depth(const hoist_machine *machine, size_t process); // number of frames
hoist_ref hoist_machine_frame(const hoist_machine *machine, size_t process, uint32_t depth);

// The host's side of a fifo. `begin` gives the slot; false when it is full (empty). `end` commits
// and makes it visible to the program. For rams the caller names the slot and there is no pointer:
// `host_write` notes that it is written.
bool hoist_machine_host_push_begin(hoist_machine *machine, hoist_ref fifo, uint32_t *out_slot);
void hoist_machine_host_push_end(hoist_machine *machine, hoist_ref fifo);
bool hoist_machine_host_pop_begin(hoist_machine *machine, hoist_ref fifo, uint32_t *out_slot);
void hoist_machine_host_pop_end(hoist_machine *machine, hoist_ref fifo);
// Entries of a queue that could be popped one after the other; 0 for rams.
uint64_t hoist_machine_host_available(const hoist_machine *machine, hoist_ref fifo);
void hoist_machine_host_write(hoist_machine *machine, hoist_ref fifo, uint32_t slot);

// State, for messages and runs.
typedef struct hoist_fifo_state {
    uint64_t read; // QUEUE: 0 ... 2 * slots, both ends the same place; RAM: modulo slots
    uint64_t write;
    uint64_t local; // QUEUE: 2 * slots and more reads as 0
    bool live;      // allocated
} hoist_fifo_state;
hoist_fifo_state hoist_machine_fifo(const hoist_machine *machine, hoist_ref fifo);
bool hoist_machine_slot_written(const hoist_machine *machine, hoist_ref fifo, uint32_t slot);
size_t hoist_machine_posted(const hoist_machine *machine, hoist_ref unit); // calls not completed

#endif // HOIST_SRC_MACHINE_MACHINE_H
