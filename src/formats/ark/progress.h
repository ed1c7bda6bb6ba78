// formats/ark/progress.h - how far the ranks of a job get when they execute their events (ark
// reference section 8.7).
//
// Sends never block and messages of a key are taken in order, so every schedule ends at the same
// places: one schedule is the proof. Linear in the number of events, puts and receipts, and of
// lanes and what is between them.
#ifndef HOIST_SRC_FORMATS_ARK_PROGRESS_H
#define HOIST_SRC_FORMATS_ARK_PROGRESS_H

#include "formats/ark/messages.h"

// Events of a rank that are executed one after the other; lanes are executed at the same time. A
// model is one lane.
typedef struct ark_lane {
    uint32_t first, end; // events; none: the lane only orders others, or computes
    uint32_t first_step, end_step;
    uint32_t waits;            // lanes that are over before it begins
    uint32_t next, next_count; // of `successors`
} ark_lane;

typedef struct ark_lanes {
    const ark_lane *items;
    uint32_t count;
    const uint32_t *successors; // lanes that wait for one
    const uint32_t *of_event;   // lane of each event
} ark_lanes;

// Lanes of a rank: of a model one, of a plan as its processors allow (plan_order.h). Statuses as
// of ark_plan_order_find().
HOIST_NODISCARD hoist_status ark_lanes_find(const ark_rank *rank, hoist_arena *arena,
                                            ark_lanes *out_lanes);

// Where a rank stays for ever. One row for each rank.
typedef struct ark_stop {
    uint32_t event;   // which cannot be completed; ARK_NONE: the rank gets to its end
    uint32_t receipt; // that it waits for; ARK_NONE: a barrier, or a put
    uint32_t put;     // whose receiver does not get there (synchronous puts); ARK_NONE: none
    uint32_t waits;   // index of a rank that it waits for; ARK_NONE: for a message that none sends
} ark_stop;

// Executes a complete job, each rank in the order of its events; `*out_stops`: one row per rank,
// in the arena. `synchronous`: a put is completed only when the event that takes it has been
// reached. HOIST_OK, HOIST_NO_MEMORY, or that the deadline is over; so the next.
HOIST_NODISCARD hoist_status ark_job_execute(const ark_job *job, bool synchronous,
                                             hoist_arena *arena, const ark_stop **out_stops);
// The same by lanes, one row per rank: whether all ranks get to their ends.
HOIST_NODISCARD hoist_status ark_job_execute_lanes(const ark_job *job, const ark_lanes *lanes,
                                                   hoist_arena *arena, bool *out_ends);

// Finds an order of the steps of each rank in which all ranks get to their ends, one row of
// step_count indexes per rank. `*out_orders` is NULL where that of the graphs does, and where none
// is known (the job is not complete, or a deadlock).
HOIST_NODISCARD hoist_status ark_job_find_orders(const ark_job *job, hoist_arena *arena,
                                                 uint32_t *const **out_orders);

#endif // HOIST_SRC_FORMATS_ARK_PROGRESS_H
