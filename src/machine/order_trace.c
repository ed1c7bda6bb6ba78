// One run of the machine without data, recorded as events with joins: an await joins its push, a
// reserve the pop that freed the slot, a take its post, all members of a collective each other.
// Plays the host, too. In: program, entry, schedule; out: events, joins, ranges of bytes and the
// outcome in hoist_order.
#include <string.h>

#include "base/alloc.h"
#include "base/progress.h"
#include "machine/chooser.h"
#include "machine/order_state.h"
#include "machine/state.h"

// Beyond these a run is not checked.
#define MAX_STEPS UINT64_C(1000000)
#define MAX_VISITS (UINT64_C(1) << 26)
#define MAX_RANGES ((size_t)1 << 20)

bool hoist_order_add(hoist_order *o, hoist_order_list *list, const void *item)
{
    if (o->status == HOIST_OK &&
        !hoist_grow(o->alloc, &list->items, &list->capacity, list->count + 1, list->size)) {
        o->status = HOIST_NO_MEMORY;
    }
    if (o->status != HOIST_OK) {
        return false;
    }
    memcpy((uint8_t *)list->items + list->count * list->size, item, list->size);
    list->count++;
    return true;
}

bool hoist_order_visit(hoist_order *o)
{
    const uint64_t max = o->options->max_visits > 0 ? o->options->max_visits : MAX_VISITS;
    const bool more = ++o->visits <= max;
    o->truncated = o->truncated || !more;
    return more;
}

void hoist_order_free_list(const hoist_order *o, hoist_order_list *list)
{
    hoist_free(o->alloc, list->items, list->capacity * list->size);
    *list = (hoist_order_list){.size = list->size};
}

hoist_order_event *hoist_order_event_at(const hoist_order *o, uint32_t event)
{
    return (hoist_order_event *)o->events.items + event;
}

static uint32_t item_at(const hoist_order_list *list, uint64_t index)
{
    return index < list->count ? ((const uint32_t *)list->items)[index] : HOIST_ORDER_NONE;
}

// A new event of `process`; HOIST_ORDER_NONE after a failure.
static uint32_t add_event(hoist_order *o, uint32_t process, hoist_step_at at)
{
    const uint32_t last = item_at(&o->last, process);
    const hoist_order_event event = {
        .at = at,
        .process = process,
        .index = last == HOIST_ORDER_NONE ? 1 : hoist_order_event_at(o, last)->index + 1,
        .row = last, // the event before; rows are given later
        .join_first = (uint32_t)o->joins.count,
        .wait = HOIST_ORDER_NONE};
    if (!hoist_order_add(o, &o->events, &event)) {
        return HOIST_ORDER_NONE;
    }
    const uint32_t index = (uint32_t)(o->events.count - 1);
    ((uint32_t *)o->last.items)[process] = index; // item_at() of it is the predecessor
    return index;
}

void hoist_order_join(hoist_order *o, uint32_t event, uint32_t before)
{
    // Of the newest event only: the joins of an event lie side by side.
    if (event != HOIST_ORDER_NONE && before != HOIST_ORDER_NONE &&
        hoist_order_add(o, &o->joins, &before)) {
        hoist_order_event_at(o, event)->join_count++;
    }
}

// No step: the host, or a unit between steps.
static const hoist_step_at nowhere = {HOIST_NO_REF, HOIST_NO_REF, NULL};

// Units -----------------------------------------------------------------------------------------

static hoist_order_call *call_at(hoist_order *o, hoist_ref unit, uint64_t index)
{
    hoist_order_list *calls = &o->calls[unit];
    return index < calls->count ? (hoist_order_call *)calls->items + index : NULL;
}

static void record_post(hoist_order *o, uint32_t event, const hoist_prog_step *step)
{
    const hoist_ref unit = step->as.call.unit;
    const uint64_t number = o->calls[unit].count;
    const uint32_t depth = o->program->units[unit].depth;
    // A queue of that depth has space for call n when call n - depth was taken.
    if (number >= depth) {
        hoist_order_join(o, event, call_at(o, unit, number - depth)->take);
    }
    const hoist_order_call call = {event, HOIST_ORDER_NONE, HOIST_ORDER_NONE};
    (void)hoist_order_add(o, &o->calls[unit], &call);
}

static void record_drain(hoist_order *o, uint32_t event, const hoist_prog_step *step)
{
    const hoist_ref unit = step->as.call.unit;
    // The posts of this run so far; order_holds.c checks that no others may come in.
    const hoist_order_wait wait = {
        .epoch = HOIST_ORDER_NONE, .unit = unit, .posts = (uint32_t)o->calls[unit].count};
    if (event != HOIST_ORDER_NONE && hoist_order_add(o, &o->waits, &wait)) {
        hoist_order_event_at(o, event)->wait = (uint32_t)(o->waits.count - 1);
    }
}

// A unit takes a call, or completes one: before the machine does.
static void record_unit(hoist_order *o, size_t process)
{
    const hoist_process *p = &o->machine->processes[process];
    const hoist_prog_step *post = p->running ? p->current.post : p->ring[p->first].post;
    const uint32_t event = add_event(o, (uint32_t)process, nowhere);
    if (!p->running) {
        // A unit takes its calls in the order of their posts.
        hoist_order_call *call = call_at(o, p->unit, o->taken[p->unit]++);
        if (call) {
            hoist_order_join(o, event, call->post);
            call->take = event;
        }
        return;
    }
    hoist_order_call *call = call_at(o, p->unit, o->ended[p->unit]++);
    if (call) {
        call->end = event;
    }
    // Before the machine completes the call: values of the signals are still in `current`.
    for (uint32_t i = 0; i < post->as.call.signal_count; i++) {
        const hoist_prog_signal *signal = &post->as.call.signals[i];
        hoist_order_signal(o, event, signal->semaphore, signal->op, p->current.values[i]);
    }
}

// Fifos -----------------------------------------------------------------------------------------

// Of a queue: entries numbered from 0 as they are pushed. `add` of them are pushed (popped) by
// `event`.
static void add_entries(hoist_order *o, hoist_order_list *list, uint32_t event, uint64_t add)
{
    for (uint64_t i = 0; i < add && hoist_order_add(o, list, &event); i++) {
    }
}

static uint64_t pushed(const hoist_order_fifo *f)
{
    return f->kept + f->pushes.count;
}

static uint32_t pusher_of(const hoist_order_fifo *f, uint64_t entry)
{
    return entry < f->kept ? HOIST_ORDER_NONE : item_at(&f->pushes, entry - f->kept);
}

// The slot of entry n was freed by the pop of entry n - slots; before, all slots were free.
static void join_reserve(hoist_order *o, uint32_t event, hoist_ref fifo)
{
    const hoist_prog_fifo *def = &o->program->fifos[fifo];
    const uint64_t holds = (uint64_t)def->slots * (def->policy == HOIST_FIFO_GOLDEN ? 2 : 1);
    const uint64_t number = pushed(&o->fifos[fifo]);
    if (number >= holds) {
        hoist_order_join(o, event, item_at(&o->fifos[fifo].pops, number - holds));
    }
}

static void join_await(hoist_order *o, uint32_t event, hoist_ref fifo)
{
    const hoist_fifo *f = &o->machine->fifos[fifo];
    uint64_t ahead = 0;
    // Strict: the entry at the local pointer. Golden: any entry will do, hence the oldest.
    if (f->def->policy == HOIST_FIFO_STRICT) {
        const uint64_t size = 2 * (uint64_t)f->def->slots;
        const uint64_t local = f->state.local >= size ? 0 : f->state.local;
        ahead = (local + size - f->state.read % size) % size;
    }
    hoist_order_join(o, event, pusher_of(&o->fifos[fifo], o->fifos[fifo].pops.count + ahead));
}

// After a step on the pointers of a queue: who pushed and popped what. Pointers that were set
// backwards, or beyond what is there, leave entries without a number.
static void count_entries(hoist_order *o, uint32_t event, const hoist_prog_step *step,
                          uint64_t before)
{
    const hoist_ref fifo = step->as.fifo.fifo;
    hoist_order_fifo *f = &o->fifos[fifo];
    const uint64_t after = hoist_fifo_occupancy(&o->machine->fifos[fifo]);
    // Pointers begin at 0: what was left counts as popped by the allocation.
    if (step->kind == HOIST_STEP_ALLOCATE) {
        add_entries(o, &f->pops, event, before);
    } else if (after > before && step->kind == HOIST_STEP_PUSH) {
        add_entries(o, &f->pushes, event, after - before);
    } else if (after < before && step->kind != HOIST_STEP_PUSH) {
        add_entries(o, &f->pops, event, before - after);
    } else if (after != before) {
        o->irregular = true;
        add_entries(o, after > before ? &f->pushes : &f->pops, event,
                    after > before ? after - before : before - after);
    }
}

// Pointers are memory like any other: two processes at one end of a fifo without an order race for
// them.
static void touch_pointers(hoist_order *o, uint32_t event, const hoist_prog_step *step)
{
    const hoist_ref fifo = step->as.fifo.fifo;
    switch (step->kind) {
    case HOIST_STEP_RESERVE:
    case HOIST_STEP_PUSH:
        hoist_order_touch_pointer(o, event, fifo, HOIST_POINTER_WRITE,
                                  step->kind == HOIST_STEP_PUSH);
        break;
    case HOIST_STEP_AWAIT:
    case HOIST_STEP_ADVANCE:
        hoist_order_touch_pointer(o, event, fifo, HOIST_POINTER_LOCAL,
                                  step->kind == HOIST_STEP_ADVANCE);
        break;
    case HOIST_STEP_POP:
        hoist_order_touch_pointer(o, event, fifo, HOIST_POINTER_READ, true);
        break;
    case HOIST_STEP_SET_POINTER:
        hoist_order_touch_pointer(o, event, fifo, step->as.fifo.pointer, true);
        break;
    default: // allocate, free
        hoist_order_touch_pointer(o, event, fifo, HOIST_POINTER_READ, true);
        hoist_order_touch_pointer(o, event, fifo, HOIST_POINTER_WRITE, true);
        hoist_order_touch_pointer(o, event, fifo, HOIST_POINTER_LOCAL, true);
        break;
    }
}

// Data ------------------------------------------------------------------------------------------

static void touch_views(hoist_order *o, uint32_t event, size_t process, const hoist_ref *views,
                        uint32_t count, hoist_order_use use)
{
    for (uint32_t i = 0; i < count; i++) {
        hoist_order_touch_view(o, event, process, views[i], use);
    }
}

static void touch_zero(hoist_order *o, uint32_t event, hoist_ref fifo)
{
    for (uint32_t i = 0; i < o->program->fifos[fifo].slots; i++) {
        // Slots that were never written are not zeroed either.
        if (hoist_machine_slot_written(o->machine, fifo, i)) {
            hoist_order_touch_slot(o, event, fifo, i, true);
        }
    }
}

static void touch_collective(hoist_order *o, uint32_t event, size_t process,
                             const hoist_prog_collective *c)
{
    touch_views(o, event, process, &c->source, c->source != HOIST_NO_REF, HOIST_ORDER_READ);
    touch_views(o, event, process, &c->destination, c->destination != HOIST_NO_REF,
                HOIST_ORDER_WRITE);
}

// What a data step reads, then what it writes.
static void touch_step(hoist_order *o, uint32_t event, size_t process, const hoist_prog_step *step)
{
    switch (step->kind) {
    case HOIST_STEP_MOVE:
        hoist_order_touch_move(o, event, process, step->as.move);
        break;
    case HOIST_STEP_COMPUTE:
        touch_views(o, event, process, step->as.compute->inputs, step->as.compute->input_count,
                    HOIST_ORDER_READ);
        touch_views(o, event, process, step->as.compute->outputs, step->as.compute->output_count,
                    HOIST_ORDER_WRITE);
        break;
    case HOIST_STEP_OPAQUE:
        touch_views(o, event, process, step->as.opaque->reads, step->as.opaque->read_count,
                    HOIST_ORDER_READ);
        touch_views(o, event, process, step->as.opaque->writes, step->as.opaque->write_count,
                    HOIST_ORDER_WRITE);
        break;
    case HOIST_STEP_ZERO:
        touch_zero(o, event, step->as.fifo.fifo);
        break;
    default:
        break;
    }
}

// All members come before all of the meeting, and all of the meeting before whatever follows. Two
// events for each: the first touches the memory after what the others did before, the second joins
// the first ones of all.
static void record_meeting(hoist_order *o, size_t leader)
{
    o->meetings++;
    const size_t count = o->machine->process_count;
    const uint32_t first = (uint32_t)o->events.count;
    for (size_t i = 0; i < count; i++) {
        if (o->machine->processes[i].meeting != leader) {
            continue;
        }
        const hoist_prog_step *step = hoist_machine_at(o->machine, i);
        const uint32_t event = add_event(o, (uint32_t)i, hoist_process_place(o->machine, i));
        for (size_t k = 0; k < count && event != HOIST_ORDER_NONE; k++) {
            if (k != i && o->machine->processes[k].meeting == leader) {
                uint32_t before = item_at(&o->last, k);
                // Its last event may already be of the meeting.
                while (before != HOIST_ORDER_NONE && before >= first) {
                    before = hoist_order_event_at(o, before)->row;
                }
                hoist_order_join(o, event, before);
            }
        }
        if (event != HOIST_ORDER_NONE) {
            hoist_order_event_at(o, event)->meeting = o->meetings;
            touch_collective(o, event, i, step->as.collective);
        }
    }
    const uint32_t last = (uint32_t)o->events.count;
    for (uint32_t m = first; m < last && o->status == HOIST_OK; m++) {
        const hoist_order_event e = *hoist_order_event_at(o, m);
        const uint32_t event = add_event(o, e.process, e.at);
        for (uint32_t k = first; k < last; k++) {
            hoist_order_join(o, event, k);
        }
    }
}

// The run ---------------------------------------------------------------------------------------

// Records the step that `process` is about to make.
static uint32_t record_before(hoist_order *o, size_t process, const hoist_prog_step *step)
{
    if (step->kind <= HOIST_STEP_CALL || step->kind == HOIST_STEP_COLLECTIVE) {
        return HOIST_ORDER_NONE; // registers and flow order nothing
    }
    const uint32_t event =
        add_event(o, (uint32_t)process, hoist_process_place(o->machine, process));
    const hoist_process *p = &o->machine->processes[process];
    if (event == HOIST_ORDER_NONE) {
        return event;
    }
    switch (step->kind) {
    case HOIST_STEP_POST:
        record_post(o, event, step);
        break;
    case HOIST_STEP_DRAIN:
        record_drain(o, event, step);
        break;
    case HOIST_STEP_WAIT:
        hoist_order_wait_for(o, event, process, step);
        break;
    case HOIST_STEP_SIGNAL:
        hoist_order_signal(o, event, step->as.signal.semaphore, step->as.signal.op,
                           hoist_process_value(o->machine, p, step->as.signal.value));
        break;
    case HOIST_STEP_RESERVE:
        join_reserve(o, event, step->as.fifo.fifo);
        break;
    case HOIST_STEP_AWAIT:
        join_await(o, event, step->as.fifo.fifo);
        break;
    default:
        break;
    }
    if (step->kind >= HOIST_STEP_RESERVE && step->kind <= HOIST_STEP_FREE &&
        step->kind != HOIST_STEP_ZERO) {
        touch_pointers(o, event, step);
    }
    touch_step(o, event, process, step);
    return event;
}

static bool moves_pointers(const hoist_order *o, const hoist_prog_step *step)
{
    return step && step->kind >= HOIST_STEP_PUSH && step->kind <= HOIST_STEP_FREE &&
           step->kind != HOIST_STEP_ZERO && step->kind != HOIST_STEP_AWAIT &&
           o->program->fifos[step->as.fifo.fifo].kind == HOIST_FIFO_QUEUE;
}

static bool record_step(hoist_order *o, size_t process)
{
    const hoist_prog_step *step = hoist_machine_at(o->machine, process);
    const bool moves = moves_pointers(o, step);
    // Looked at before it is made: a step that is a fault leaves no event, and registers are the
    // old ones.
    const hoist_machine_event peeked = hoist_machine_peek(o->machine, process);
    uint32_t event = HOIST_ORDER_NONE;
    // For count_entries(): pushes and pops are counted by the change of the occupancy.
    uint64_t before = moves ? hoist_fifo_occupancy(&o->machine->fifos[step->as.fifo.fifo]) : 0;
    if (peeked.kind != HOIST_EVENT_FAULT) {
        if (step) {
            event = record_before(o, process, step);
        } else {
            record_unit(o, process);
        }
    }
    const hoist_machine_event made = hoist_machine_step(o->machine, process);
    switch (made.kind) {
    case HOIST_EVENT_FAULT:
        hoist_report_fault(o->machine, process, &made, o->diag);
        o->outcome = HOIST_OUTCOME_FAULT;
        return false;
    case HOIST_EVENT_FAILED:
        // The limit of steps is an outcome; anything else ends the check.
        o->status = made.status == HOIST_LIMIT ? o->status : made.status;
        o->outcome = HOIST_OUTCOME_LIMIT;
        return false;
    case HOIST_EVENT_DATA:
        if (made.step->kind == HOIST_STEP_COLLECTIVE) {
            record_meeting(o, process);
        }
        hoist_machine_finish(o->machine, process);
        break;
    default:
        if (moves && event != HOIST_ORDER_NONE) {
            count_entries(o, event, step, before);
        }
        break;
    }
    return o->status == HOIST_OK;
}

// A process that represents the host at one end of a fifo: made when it first acts;
// HOIST_ORDER_NONE: no memory.
static uint32_t host_process(hoist_order *o, uint32_t *slot)
{
    const uint32_t none = HOIST_ORDER_NONE;
    if (*slot == HOIST_ORDER_NONE && hoist_order_add(o, &o->last, &none)) {
        *slot = o->process_count++;
    }
    return *slot;
}

// The host fills every queue that it may fill; it takes from one only when a process waits for a
// free slot, since it need not take at all.
static bool push_from_host(hoist_order *o, hoist_ref fifo)
{
    uint32_t slot = 0;
    if (o->program->fifos[fifo].kind == HOIST_FIFO_RAM ||
        // Up to its slots, also of a golden queue, which would take twice as many.
        hoist_fifo_occupancy(&o->machine->fifos[fifo]) >= o->program->fifos[fifo].slots ||
        !hoist_machine_host_push_begin(o->machine, fifo, &slot)) {
        return false;
    }
    hoist_order_fifo *f = &o->fifos[fifo];
    const uint32_t process = host_process(o, &f->host_pusher);
    if (process == HOIST_ORDER_NONE) {
        return false;
    }
    const uint32_t event = add_event(o, process, nowhere);
    // The host, too, waits for the pop that freed the slot.
    join_reserve(o, event, fifo);
    if (event != HOIST_ORDER_NONE) {
        hoist_order_touch_pointer(o, event, fifo, HOIST_POINTER_WRITE, true);
        hoist_order_touch_slot(o, event, fifo, slot, true);
    }
    add_entries(o, &f->pushes, event, 1);
    hoist_machine_host_push_end(o->machine, fifo);
    return o->status == HOIST_OK;
}

static bool pop_by_host(hoist_order *o, hoist_ref fifo)
{
    uint32_t slot = 0;
    if (!hoist_machine_host_pop_begin(o->machine, fifo, &slot)) {
        return false;
    }
    hoist_order_fifo *f = &o->fifos[fifo];
    const uint32_t process = host_process(o, &f->host_popper);
    if (process == HOIST_ORDER_NONE) {
        return false;
    }
    const uint32_t event = add_event(o, process, nowhere);
    hoist_order_join(o, event, pusher_of(f, f->pops.count));
    if (event != HOIST_ORDER_NONE) {
        hoist_order_touch_pointer(o, event, fifo, HOIST_POINTER_READ, true);
        hoist_order_touch_slot(o, event, fifo, slot, false);
    }
    add_entries(o, &f->pops, event, 1);
    hoist_machine_host_pop_end(o->machine, fifo);
    return o->status == HOIST_OK;
}

// True when the host did something that may let a process go on.
static bool ask_host(hoist_order *o)
{
    bool moved = false;
    for (hoist_ref i = 0; i < o->program->fifo_count && !o->host_is_done; i++) {
        while (o->program->fifos[i].host_push && push_from_host(o, i)) {
            moved = true;
        }
    }
    // The first call fills all there is to fill; with the option that was all.
    o->host_is_done = o->options->host_fills_once;
    for (size_t i = 0; i < o->machine->process_count; i++) {
        const hoist_machine_event event = hoist_machine_peek(o->machine, i);
        if (event.kind == HOIST_EVENT_BLOCKED && event.block == HOIST_BLOCK_FIFO_FULL &&
            o->program->fifos[event.object].host_pop && pop_by_host(o, event.object)) {
            moved = true;
        }
    }
    return moved;
}

// The host has filled every ram that it may fill.
static void fill_rams(hoist_order *o)
{
    for (hoist_ref i = 0; i < o->program->fifo_count; i++) {
        const hoist_prog_fifo *def = &o->program->fifos[i];
        for (uint32_t k = 0; def->kind == HOIST_FIFO_RAM && def->host_push && k < def->slots; k++) {
            hoist_machine_host_write(o->machine, i, k);
        }
    }
}

// `parameters` NULL: all 1.
static hoist_status start(hoist_order *o, hoist_ref entry, const int64_t *parameters)
{
    // One more, for entries without parameters.
    const size_t size = (size_t)o->program->entries[entry].parameter_count + 1;
    int64_t *ones = hoist_alloc_zero(o->alloc, size, sizeof *ones);
    if (!ones) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < size; i++) {
        ones[i] = 1;
    }
    const hoist_status status =
        hoist_machine_start(o->machine, entry, parameters ? parameters : ones);
    hoist_free(o->alloc, ones, size * sizeof *ones);
    o->process_count = (uint32_t)o->machine->process_count;
    const uint32_t none = HOIST_ORDER_NONE;
    // No event of any process yet.
    for (uint32_t i = 0; i < o->process_count; i++) {
        (void)hoist_order_add(o, &o->last, &none);
    }
    return status;
}

static void run(hoist_order *o, hoist_schedule schedule)
{
    hoist_chooser chooser = hoist_chooser_init(schedule);
    size_t process = 0;
    // Before the first step: what the host supplies is there when the program starts.
    (void)ask_host(o);
    while (o->status == HOIST_OK && o->outcome == HOIST_OUTCOME_DONE) {
        hoist_stage_add(o->options->deadline, HOIST_STAGE_ORDERS, 1);
        o->status = hoist_deadline_look(o->options->deadline);
        if (o->ranges.count > MAX_RANGES) {
            o->outcome = HOIST_OUTCOME_LIMIT;
        } else if (hoist_chooser_next(&chooser, o->machine, &process)) {
            (void)record_step(o, process);
        } else if (hoist_machine_is_done(o->machine)) {
            break; // else it is the host's turn, or a deadlock
        } else if (!ask_host(o)) {
            hoist_report_deadlock(o->machine, o->diag);
            o->outcome = HOIST_OUTCOME_DEADLOCK;
        }
    }
    o->truncated = o->outcome == HOIST_OUTCOME_LIMIT;
}

static void forget_fifo(hoist_order *o, hoist_ref fifo)
{
    hoist_order_fifo *f = &o->fifos[fifo];
    f->pushes.count = 0;
    f->pops.count = 0;
    f->host_pusher = HOIST_ORDER_NONE;
    f->host_popper = HOIST_ORDER_NONE;
    if (o->program->fifos[fifo].kind == HOIST_FIFO_QUEUE) {
        // They have no events: the run that pushed them is forgotten.
        f->kept = hoist_fifo_occupancy(&o->machine->fifos[fifo]);
    }
}

// A run is over: all of it comes before whatever follows. Its state stays, its events go. What it
// left in the memory of the session counts as defined.
void hoist_order_forget(hoist_order *o)
{
    hoist_order_begin_semaphores(o);
    for (hoist_ref i = 0; i < o->program->unit_count; i++) {
        o->calls[i].count = 0;
        o->taken[i] = 0;
        o->ended[i] = 0;
    }
    for (hoist_ref i = 0; i < o->program->fifo_count; i++) {
        forget_fifo(o, i);
    }
    // Whole buffers: bytes that the run before did not write go unreported.
    for (hoist_ref i = 0; i < o->program->buffer_count; i++) {
        o->filled[i] |= o->program->buffers[i].lifetime == HOIST_LIFETIME_SESSION;
    }
    o->events.count = 0;
    o->joins.count = 0;
    o->waits.count = 0;
    o->ranges.count = 0;
    o->last.count = 0;
    o->meetings = 0;
    o->monotone = true;
    o->overflows = false;
    o->irregular = false;
    o->inexact = false;
    o->reported = 0;
    o->visits = 0;
    hoist_order_free_clocks(o);
}

hoist_status hoist_order_begin(hoist_order *o)
{
    const uint64_t max_steps = o->options->max_steps > 0 ? o->options->max_steps : MAX_STEPS;
    const hoist_machine_options machine = {.alloc = o->alloc, .max_steps = max_steps};
    HOIST_TRY(hoist_machine_create(o->program, &machine, &o->machine));
    fill_rams(o);
    return HOIST_OK;
}

hoist_status hoist_order_record(hoist_order *o, hoist_ref entry, const int64_t *parameters,
                                hoist_schedule schedule)
{
    HOIST_TRY(start(o, entry, parameters));
    run(o, schedule);
    return o->status;
}
