// Execution of a job's events (progress.h): a job and the lanes of its ranks in, the place of each
// lane that gets no further out. A lane runs until it waits; what it waits for puts it back on the
// list of lanes to run. Lanes come from plan_lanes.c.
#include "formats/ark/progress.h"

#include "base/assert.h"

// Where a lane is. Counters start anew with each event.
typedef struct lane_state {
    uint32_t rank;
    uint32_t waits;   // lanes that are not over yet
    uint32_t step;    // the next that has no place in the order of the rank
    uint32_t event;   // the next
    uint32_t receipt; // those of the event that are there
    uint32_t put;     // those of the event that are received (synchronous)
    uint32_t next;    // at the same barrier; ARK_NONE: the last
    bool sent;        // the puts of the event are made
    bool arrived;     // at the barrier
    bool listed;      // to be run
    bool over;
} lane_state;

// A barrier of all ranks: of each the event with that number. The number of a barrier is its
// position among those of a rank.
typedef struct barrier_state {
    uint32_t arrived;
    uint32_t first; // of the lanes that wait there; ARK_NONE: none
} barrier_state;

typedef struct execution {
    const ark_job *job;
    const ark_lanes *lanes; // by rank
    bool synchronous;
    uint32_t *first; // by rank: the number of its lane 0
    lane_state *states;
    uint32_t count; // of all lanes
    bool *is_put;   // by put: made
    barrier_state *barriers;
    uint32_t **orders; // by rank: steps in the order of execution; NULL: not asked for
    uint32_t *ordered; // by rank: their number
    // A ring of the lanes to run, each in it at most once.
    uint32_t *ready;
    uint32_t ready_first;
    uint32_t ready_count;
} execution;

// Puts a lane on the list, unless it is there or waits for other lanes.
static void wake(execution *x, uint32_t lane)
{
    lane_state *const state = &x->states[lane];
    if (!state->listed && state->waits == 0) {
        state->listed = true;
        x->ready[(x->ready_first + x->ready_count++) % x->count] = lane;
    }
}

// The lane of an event, in the numbers of all lanes.
static uint32_t lane_of(const execution *x, uint32_t rank, uint32_t event)
{
    return x->first[rank] + x->lanes[rank].of_event[event];
}

// Whether all receipts of the event are there. Those that are there stay counted, so a later call
// goes on from there.
static bool receive(execution *x, const ark_event *event, lane_state *state)
{
    for (; state->receipt < event->receipt_count; state->receipt++) {
        const ark_receipt *const r = &x->job->receipts[event->receipts + state->receipt];
        if (r->waits && (r->put == ARK_NONE || !x->is_put[r->put])) {
            return false;
        }
    }
    return true;
}

// Makes the puts of the event; whether the receivers are there, where that matters. A put without
// a receipt that takes it never waits.
static bool put(execution *x, const ark_event *event, lane_state *state)
{
    for (uint32_t i = 0; i < event->put_count && !state->sent; i++) {
        const ark_put *const p = &x->job->puts[event->puts + i];
        x->is_put[event->puts + i] = true;
        if (p->taken) {
            const ark_receipt *const r = &x->job->receipts[p->receipt];
            wake(x, lane_of(x, r->rank, r->event));
        }
    }
    state->sent = true;
    for (; x->synchronous && state->put < event->put_count; state->put++) {
        const ark_put *const p = &x->job->puts[event->puts + state->put];
        const ark_receipt *const r = p->taken ? &x->job->receipts[p->receipt] : NULL;
        if (r && x->states[lane_of(x, r->rank, r->event)].event < r->event) {
            return false;
        }
    }
    return true;
}

// Whether all ranks have got to the barrier. The last one to arrive wakes the others. Arrival is
// counted once, however often the lane is woken.
static bool pass_barrier(execution *x, const ark_event *event, uint32_t lane)
{
    lane_state *const state = &x->states[lane];
    barrier_state *const barrier = &x->barriers[event->barrier];
    if (!state->arrived) {
        state->arrived = true;
        state->next = barrier->first;
        barrier->first = lane;
        barrier->arrived++;
        for (uint32_t i = lane; barrier->arrived == x->job->rank_count && i != ARK_NONE;
             i = x->states[i].next) {
            wake(x, i);
        }
    }
    return barrier->arrived == x->job->rank_count;
}

// Wakes the lanes whose synchronous puts the next event takes. They may go on now: their receiver
// has got to its event.
static void announce(execution *x, const ark_event *event)
{
    for (uint32_t i = 0; x->synchronous && i < event->receipt_count; i++) {
        const ark_receipt *const r = &x->job->receipts[event->receipts + i];
        if (r->put != ARK_NONE) {
            const ark_put *const p = &x->job->puts[r->put];
            wake(x, lane_of(x, p->rank, p->event));
        }
    }
}

// Receipts come before puts, which may depend on them.
static bool complete(execution *x, const ark_event *event, uint32_t lane)
{
    lane_state *const state = &x->states[lane];
    return event->kind == ARK_EVENT_BARRIER ? pass_barrier(x, event, lane)
                                            : receive(x, event, state) && put(x, event, state);
}

// Puts the next steps of a lane into the order of its rank, up to `end`.
static void order_steps(execution *x, lane_state *state, uint32_t end)
{
    for (; x->orders && state->step < end; state->step++) {
        x->orders[state->rank][x->ordered[state->rank]++] = state->step;
    }
}

// A lane is woken for each thing it may wait for; what it lacks still sends it back.
static void run_lane(execution *x, uint32_t lane)
{
    lane_state *const state = &x->states[lane];
    const ark_rank *const rank = &x->job->ranks[state->rank];
    const ark_lanes *const lanes = &x->lanes[state->rank];
    const ark_lane *const row = &lanes->items[lane - x->first[state->rank]];
    if (state->over) {
        return;
    }
    if (state->event < row->end) {
        announce(x, &rank->events[state->event]);
    }
    while (state->event < row->end && complete(x, &rank->events[state->event], lane)) {
        order_steps(x, state, rank->events[state->event].step + 1);
        const lane_state done = *state;
        *state = (lane_state){
            .rank = done.rank, .step = done.step, .event = done.event + 1, .listed = done.listed};
        if (state->event < row->end) {
            announce(x, &rank->events[state->event]);
        }
    }
    state->over = state->event == row->end;
    if (state->over) {
        order_steps(x, state, row->end_step);
    }
    for (uint32_t i = 0; state->over && i < row->next_count; i++) {
        const uint32_t next = x->first[state->rank] + lanes->successors[row->next + i];
        x->states[next].waits--;
        wake(x, next);
    }
}

// Memory of an execution of lanes that are known. There are as many barriers as the rank with most
// of them has.
static bool take_memory(execution *x, hoist_arena *arena)
{
    uint32_t barriers = 0;
    for (uint32_t r = 0; r < x->job->rank_count; r++) {
        const uint32_t count = x->job->ranks[r].barrier_count;
        barriers = count > barriers ? count : barriers;
        x->count += x->lanes[r].count;
    }
    x->first = hoist_arena_array(arena, x->job->rank_count, sizeof *x->first);
    x->states = hoist_arena_array(arena, x->count, sizeof *x->states);
    x->ready = hoist_arena_array(arena, x->count, sizeof *x->ready);
    x->is_put = hoist_arena_array(arena, x->job->put_count, sizeof *x->is_put);
    x->barriers = hoist_arena_array(arena, barriers, sizeof *x->barriers);
    if (!x->first || !x->states || !x->ready || !x->is_put || !x->barriers) {
        return false;
    }
    for (uint32_t i = 0; i < barriers; i++) {
        x->barriers[i].first = ARK_NONE;
    }
    return true;
}

// Every lane is tried once; from then on only what wakes it runs it again. The list is empty when
// no lane can go on.
static hoist_status run(execution *x, hoist_arena *arena)
{
    HOIST_TRY_MEMORY(take_memory(x, arena));
    uint32_t lane = 0;
    for (uint32_t r = 0; r < x->job->rank_count; r++) {
        x->first[r] = lane;
        for (uint32_t i = 0; i < x->lanes[r].count; i++, lane++) {
            const ark_lane *const row = &x->lanes[r].items[i];
            x->states[lane] = (lane_state){
                .rank = r, .waits = row->waits, .step = row->first_step, .event = row->first};
        }
    }
    for (lane = 0; lane < x->count; lane++) {
        wake(x, lane);
    }
    while (x->ready_count) {
        HOIST_TRY(hoist_deadline_look(x->job->files[0].module->base.deadline));
        HOIST_ASSERT(x->count > 0); // one is ready
        const uint32_t next = x->ready[x->ready_first];
        x->ready_first = (x->ready_first + 1) % x->count;
        x->ready_count--;
        x->states[next].listed = false;
        run_lane(x, next);
    }
    return HOIST_OK;
}

// In the order of events --------------------------------------------------------------------------

// A rank that has not got to the barrier at which `index` waits. There is one, since the barrier
// was not passed.
static uint32_t find_absent(const execution *x, uint32_t barrier)
{
    uint32_t r = 0;
    for (bool there = true; there; r += there) {
        const ark_rank *const rank = &x->job->ranks[r];
        const lane_state *const state = &x->states[r];
        there = state->arrived && rank->events[state->event].barrier == barrier;
    }
    return r;
}

// Of an execution with one lane for each rank. Lane and rank have the same index then.
static ark_stop stop_of(const execution *x, uint32_t index)
{
    const lane_state *const state = &x->states[index];
    ark_stop stop = {state->event, ARK_NONE, ARK_NONE, ARK_NONE};
    if (state->over) {
        stop.event = ARK_NONE;
        return stop;
    }
    const ark_event *const event = &x->job->ranks[index].events[state->event];
    if (event->kind == ARK_EVENT_BARRIER) {
        stop.waits = find_absent(x, event->barrier);
    } else if (state->receipt < event->receipt_count) {
        stop.receipt = event->receipts + state->receipt;
        const ark_receipt *const r = &x->job->receipts[stop.receipt];
        stop.waits = r->put == ARK_NONE ? ARK_NONE : r->from.rank;
    } else {
        stop.put = event->puts + state->put;
        stop.waits = x->job->puts[stop.put].to.rank;
    }
    return stop;
}

// Events of a rank are one lane here, whatever its plan says.
hoist_status ark_job_execute(const ark_job *job, bool synchronous, hoist_arena *arena,
                             const ark_stop **out_stops)
{
    uint32_t events = 0;
    for (uint32_t r = 0; r < job->rank_count; r++) {
        const uint32_t count = job->ranks[r].event_count;
        events = count > events ? count : events;
    }
    uint32_t *const of_event = hoist_arena_array(arena, events, sizeof *of_event); // all lane 0
    ark_lanes *const lanes = hoist_arena_array(arena, job->rank_count, sizeof *lanes);
    ark_lane *const rows = hoist_arena_array(arena, job->rank_count, sizeof *rows);
    ark_stop *const stops = hoist_arena_array(arena, job->rank_count, sizeof *stops);
    HOIST_TRY_MEMORY(of_event && lanes && rows && stops);
    for (uint32_t r = 0; r < job->rank_count; r++) {
        rows[r] = (ark_lane){.end = job->ranks[r].event_count};
        lanes[r] = (ark_lanes){.items = &rows[r], .count = 1, .of_event = of_event};
    }
    execution x = {.job = job, .lanes = lanes, .synchronous = synchronous};
    HOIST_TRY(run(&x, arena));
    for (uint32_t r = 0; r < job->rank_count; r++) {
        stops[r] = stop_of(&x, r);
    }
    *out_stops = stops;
    return HOIST_OK;
}

// Whether all lanes get to their ends.
static bool is_over(const execution *x)
{
    bool over = true;
    for (uint32_t i = 0; i < x->count; i++) {
        over = over && x->states[i].over;
    }
    return over;
}

// All lanes of a job that is complete.
hoist_status ark_job_execute_lanes(const ark_job *job, const ark_lanes *lanes, hoist_arena *arena,
                                   bool *out_ends)
{
    execution x = {.job = job, .lanes = lanes};
    HOIST_TRY(run(&x, arena));
    *out_ends = is_over(&x);
    return HOIST_OK;
}

// Orders ------------------------------------------------------------------------------------------

// The order in which an execution by lanes takes the steps.
static hoist_status find_orders(execution *x, hoist_arena *arena)
{
    const uint32_t count = x->job->rank_count;
    ark_lanes *const lanes = hoist_arena_array(arena, count, sizeof *lanes);
    x->orders = hoist_arena_array(arena, count, sizeof *x->orders);
    x->ordered = hoist_arena_array(arena, count, sizeof *x->ordered);
    HOIST_TRY_MEMORY(lanes && x->orders && x->ordered);
    for (uint32_t r = 0; r < count; r++) {
        HOIST_TRY(ark_lanes_find(&x->job->ranks[r], arena, &lanes[r]));
        const uint32_t steps = x->job->ranks[r].graph->step_count;
        x->orders[r] = hoist_arena_array(arena, steps, sizeof *x->orders[r]);
        HOIST_TRY_MEMORY(x->orders[r]);
    }
    x->lanes = lanes;
    return run(x, arena);
}

// An order of its own is needed only where the order of the graphs does not end.
hoist_status ark_job_find_orders(const ark_job *job, hoist_arena *arena,
                                 uint32_t *const **out_orders)
{
    *out_orders = NULL;
    if (!job->complete) {
        return HOIST_OK;
    }
    const ark_stop *stops = NULL;
    HOIST_TRY(ark_job_execute(job, false, arena, &stops));
    bool ends = true;
    for (uint32_t r = 0; r < job->rank_count; r++) {
        ends = ends && stops[r].event == ARK_NONE;
    }
    if (!ends) {
        execution x = {.job = job};
        HOIST_TRY(find_orders(&x, arena));
        *out_orders = is_over(&x) ? x.orders : NULL;
    }
    return HOIST_OK;
}
