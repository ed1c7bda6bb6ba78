// machine/order_state.h - one run of a program as a list of events, and what follows from it; for
// the sources of order.h only.
//
// Events are the steps that order others or touch memory. What happens before what is a vector
// clock per event: for each process the number of its last event that comes first in all runs. An
// event's clock is its row's, with its own number for its own process; a row is shared by the
// events of a process from one that waits for others to the next.
#ifndef HOIST_SRC_MACHINE_ORDER_STATE_H
#define HOIST_SRC_MACHINE_ORDER_STATE_H

#include "base/arena.h"
#include "base/map.h"
#include "machine/order.h"
#include "machine/order_rows.h"
#include "machine/step_name.h"

#define HOIST_ORDER_NONE UINT32_MAX

typedef struct hoist_order_event {
    hoist_step_at at; // step NULL: the host
    uint32_t process;
    uint32_t index;      // among the events of its process, from 1
    uint32_t row;        // of the clocks
    uint32_t meeting;    // collective that it belongs to, from 1; 0: none
    uint32_t join_first; // events that come before this one in all runs
    uint32_t join_count;
    uint32_t wait; // index of a wait or drain; HOIST_ORDER_NONE
} hoist_order_event;

// A wait until a semaphore compares with `value`, or until `unit` has completed those of its first
// `posts` calls whose posts come before.
typedef struct hoist_order_wait {
    uint32_t epoch; // the newest of its semaphore when this run passed; HOIST_ORDER_NONE: a drain
    hoist_compare compare;
    int64_t value;
    hoist_ref unit;
    uint32_t posts;
} hoist_order_wait;

// How a semaphore changes within an epoch.
typedef enum hoist_order_change {
    HOIST_ORDER_ADD = 0,
    HOIST_ORDER_TAKE,
    HOIST_ORDER_CHANGES,
} hoist_order_change;

// A semaphore from one change that sets it to the next: within, its changes are sums, whose order
// does not matter. The first epoch of each semaphore has its number and begins with its initial
// count.
typedef struct hoist_order_epoch {
    hoist_ref semaphore;
    uint32_t reset; // the event that sets it; HOIST_ORDER_NONE: the start of the run
    int64_t initial;
    int64_t totals[HOIST_ORDER_CHANGES];
    uint32_t signals[HOIST_ORDER_CHANGES];      // first of `signals`; HOIST_ORDER_NONE
    uint32_t first_change[HOIST_ORDER_CHANGES]; // of `changes`: its own
    uint32_t end_change[HOIST_ORDER_CHANGES];
    uint32_t previous; // of the same semaphore; HOIST_ORDER_NONE
    uint32_t next;
} hoist_order_epoch;

// Of what is kept for changes of one kind in one epoch by, or as seen from, one process.
typedef struct hoist_order_key {
    uint32_t epoch;
    uint32_t kind;
    uint32_t process;
} hoist_order_key;

// Adds to, or takes from, a semaphore in one epoch by one process, in its order.
typedef struct hoist_order_signals {
    uint32_t process;
    uint32_t *events; // owned
    int64_t *sums;    // owned: of the amounts up to and with this one
    size_t count;
    size_t event_capacity;
    size_t sum_capacity;
    uint32_t next; // of the same epoch and kind; HOIST_ORDER_NONE
} hoist_order_signals;

// A growing list of one kind of item.
typedef struct hoist_order_list {
    void *items; // owned
    size_t size; // bytes of an item
    size_t count;
    size_t capacity;
} hoist_order_list;

// The signals of one kind in one epoch that can be without the newest wait of a process.
typedef struct hoist_order_independent {
    uint32_t pass;
    uint32_t reached; // of `changes`: the first whose row the pass has not computed
    uint32_t index;   // of that wait
    bool all_joined;  // the wait comes after all of them
    int64_t sum;
    hoist_order_list others; // a heap: those that cannot
} hoist_order_independent;

typedef struct hoist_order_call {
    uint32_t post; // events; HOIST_ORDER_NONE: not yet
    uint32_t take;
    uint32_t end;
} hoist_order_call;

// Entries of a fifo: who pushed and who popped entry i.
typedef struct hoist_order_fifo {
    uint64_t kept;           // entries that were there when the run began: no event pushed them
    hoist_order_list pushes; // uint32_t events
    hoist_order_list pops;
    uint32_t host_pusher; // processes; HOIST_ORDER_NONE: not yet
    uint32_t host_popper;
    bool is_private; // nothing else lies in its parts: the slots of one part represent all
} hoist_order_fifo;

// Bytes that an event touches. `memory` and `call` locate them.
typedef struct hoist_order_range {
    uint64_t memory;
    uint64_t call; // of memory that belongs to one call; 0
    uint64_t begin;
    uint64_t end;
    uint32_t event;
    bool write;
    bool exact; // false: not all of these bytes are touched
} hoist_order_range;

// Kinds of `memory`: the kind in the top byte, an index below.
typedef enum hoist_order_memory {
    HOIST_ORDER_BUFFER = 1, // bytes of a buffer that is no window
    HOIST_ORDER_SPACE,      // addresses of a space that views address
    HOIST_ORDER_FIFO,       // slots of a fifo of its own
    HOIST_ORDER_POINTER,    // 4 * fifo + hoist_fifo_pointer
} hoist_order_memory;

static inline uint64_t hoist_order_memory_of(hoist_order_memory kind, uint64_t index)
{
    return (uint64_t)kind << 56 | index;
}

typedef struct hoist_order {
    hoist_allocator alloc;
    const hoist_program *program;
    const hoist_order_options *options;
    hoist_diag *diag;
    hoist_machine *machine; // owned
    hoist_arena tables;
    bool observed;     // waits follow the run that was seen, not all runs
    bool monotone;     // of what was seen so far
    bool overflows;    // sums of signals are beyond 64 bits
    bool irregular;    // pointers were set so that entries have no number
    bool truncated;    // a limit ended the run
    bool inexact;      // an order was not found, but the bytes are not known exactly
    bool host_is_done; // it does not fill queues any more
    hoist_outcome outcome;
    uint32_t process_count; // of the machine and of the host
    uint32_t meetings;
    hoist_order_list events;  // hoist_order_event
    hoist_order_list joins;   // uint32_t
    hoist_order_list waits;   // hoist_order_wait
    hoist_order_list signals; // hoist_order_signals
    hoist_order_list epochs;  // hoist_order_epoch
    uint32_t *newest;         // tables: epoch of each semaphore
    uint8_t *disordered;      // tables: semaphores whose epochs have no order, or changes no epoch
    hoist_order_list ranges;  // hoist_order_range
    hoist_order_list last;    // uint32_t: last event of each process
    hoist_order_list *calls;  // tables: of each unit, hoist_order_call
    uint32_t *ended;          // tables: calls that each unit has completed
    uint32_t *taken;          // tables: calls that each unit has taken
    hoist_order_fifo *fifos;  // tables
    uint8_t *addressed;       // tables: spaces that views address
    uint8_t *shares;          // tables: placed buffers that lie, in part, on others
    uint8_t *filled;          // tables: buffers that the host fills before the run
    hoist_status status;      // sticky
    hoist_rows clocks;
    hoist_row *rows;        // owned: row_count of `clocks`
    hoist_row *rows_before; // owned: the same in the pass before
    uint32_t pass;          // from 1
    size_t row_count;
    size_t reported; // findings
    uint64_t visits; // of cells, by the search for races, and of epochs
    // "epoch, kind, process" -> index in `signals`; keys are in the arena.
    hoist_map signal_lists;
    hoist_arena keys;
    hoist_order_list changes;      // all signals, sorted (order_independent.c)
    hoist_order_list independents; // hoist_order_independent
    hoist_map independent_of;      // "epoch, kind, process" -> index there; keys are in the arena
    hoist_order_list fresh;        // uint32_t events: found since the wait of the process before
    hoist_map moves; // bytes of a move with a table -> bit i: source i is read completely
} hoist_order;

// Counts a cell or an epoch that is looked at; false, and the search is truncated: one too many.
bool hoist_order_visit(hoist_order *o);

// Appends a copy of `item`; false, and status HOIST_NO_MEMORY, when there is no memory.
bool hoist_order_add(hoist_order *o, hoist_order_list *list, const void *item);
// Frees the items; the list stays usable, with none.
void hoist_order_free_list(const hoist_order *o, hoist_order_list *list);
hoist_order_event *hoist_order_event_at(const hoist_order *o, uint32_t event);
// `event`, the newest one, comes after `before`.
void hoist_order_join(hoist_order *o, uint32_t event, uint32_t before);

// order_trace.c. Makes the machine, and has the host fill what it fills before the first run.
// HOIST_OK, HOIST_LIMIT, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_order_begin(hoist_order *o);
// Runs the entry under `schedule` and records it; `parameters` NULL: all 1. HOIST_OK with
// `outcome`, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_order_record(hoist_order *o, hoist_ref entry,
                                                const int64_t *parameters, hoist_schedule schedule);
// The run is over: the state of the machine stays, what was recorded and found goes.
void hoist_order_forget(hoist_order *o);

// order_semaphore.c. Semaphores of the run at hand begin: with their first epochs.
void hoist_order_begin_semaphores(hoist_order *o);
void hoist_order_free_semaphores(hoist_order *o);
hoist_order_epoch *hoist_order_epoch_at(const hoist_order *o, uint32_t epoch);
// `event` changes `semaphore`.
void hoist_order_signal(hoist_order *o, uint32_t event, hoist_ref semaphore, hoist_signal_op op,
                        int64_t value);
// `event` is the wait that `process` is at.
void hoist_order_wait_for(hoist_order *o, uint32_t event, size_t process,
                          const hoist_prog_step *step);
// The least and the greatest count with which `wait` may pass. != has no bounds.
int64_t hoist_order_lowest(const hoist_order_wait *wait);
int64_t hoist_order_highest(const hoist_order_wait *wait);
// The sum of the first events of `s`, as many as `is_within` says so of.
typedef bool (*hoist_order_within)(const hoist_order *o, uint32_t event, const void *bound);
int64_t hoist_order_sum(const hoist_order *o, const hoist_order_signals *s,
                        hoist_order_within is_within, const void *bound);
// The same of all changes of one kind in an epoch.
int64_t hoist_order_sum_all(const hoist_order *o, const hoist_order_epoch *epoch,
                            hoist_order_change kind, hoist_order_within is_within,
                            const void *bound);
int64_t hoist_order_add_clamped(int64_t a, int64_t b); // to the ends of int64_t

// order_survey.c. Which fifos are private, which spaces addressed, which buffers share bytes.
void hoist_order_survey(hoist_order *o);
typedef enum hoist_order_use {
    HOIST_ORDER_READ = 0,
    HOIST_ORDER_READ_PART, // a part of it, not known which
    HOIST_ORDER_WRITE,
} hoist_order_use;

// Adds the bytes that `view` of `process` means to those that `event` touches.
void hoist_order_touch_view(hoist_order *o, uint32_t event, size_t process, hoist_ref view,
                            hoist_order_use use);
// Adds what a move reads and writes.
void hoist_order_touch_move(hoist_order *o, uint32_t event, size_t process,
                            const hoist_prog_move *move);
void hoist_order_touch_slot(hoist_order *o, uint32_t event, hoist_ref fifo, uint32_t slot,
                            bool write);
void hoist_order_touch_pointer(hoist_order *o, uint32_t event, hoist_ref fifo,
                               hoist_fifo_pointer pointer, bool write);

// order_clock.c. Computes the clocks. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_order_compute(hoist_order *o);
void hoist_order_free_clocks(hoist_order *o);
// The clock of `event` for `process`, of `rows`.
uint32_t hoist_order_clock(const hoist_order *o, const hoist_row *rows, uint32_t event,
                           uint32_t process);
// Whether event `a` comes before `b` in all runs; of one process: in its order.
bool hoist_order_is_before(const hoist_order *o, uint32_t a, uint32_t b);

// order_witness.c. Sends the race of two accesses that nothing orders to options->races: its
// message, and a schedule after which either may come next.
void hoist_order_send_race(const hoist_order *o, const hoist_order_range *a,
                           const hoist_order_range *b, const char *message);

// order_independent.c. Between begin and end: finds, for the wait that the pass is at, the signals
// that can be without it; those of them that no earlier wait of its process could be without are in
// `fresh`. NULL: no memory.
void hoist_order_begin_independents(hoist_order *o);
void hoist_order_end_independents(hoist_order *o);
hoist_order_independent *hoist_order_find_independent(hoist_order *o, const hoist_order_event *wait,
                                                      const hoist_order_epoch *epoch,
                                                      hoist_order_change kind);

// order_holds.c. Whether all runs are like this one: no wait misses its moment in any, and no
// semaphore leaves its bounds. Needs the clocks.
bool hoist_order_holds(const hoist_order *o);
// Whether, besides, the clocks name all that comes first in all runs: then two accesses that they
// do not order race. True of monotone programs.
bool hoist_order_is_exact(const hoist_order *o);
// Whether no process posts while another one drains the unit; posts have an order.
bool hoist_order_drains_hold(const hoist_order *o);

// order_where.c. Names the byte `begin` of the range's memory for a message, with the buffers and
// windows that have it and where in each: "byte 68 of buffer 'pad' (byte 4 of 'a')".
#define HOIST_ORDER_BYTES_SIZE 512
void hoist_order_name_bytes(const hoist_order *o, const hoist_order_range *range, uint64_t begin,
                            char out[HOIST_ORDER_BYTES_SIZE]);

// order_race.c. Reports pairs of accesses without an order, and reads of undefined bytes.
HOIST_NODISCARD hoist_status hoist_order_find_races(hoist_order *o);

#endif // HOIST_SRC_MACHINE_ORDER_STATE_H
