// A race step by step: a run up to the point where both accesses may come next, in either order.
// In: the events of a run, and two of them that nothing orders. Out: a map of tree events. Such a
// run is what comes before one of them in all runs, in the order of the run that was seen: whatever
// a step waits for is in it, and neither access is.
#include "base/order.h"
#include "base/span.h"
#include "base/tree.h"
#include "machine/order_state.h"

enum { MOST_STEPS = 80 }; // the last ones

// The events of one schedule, in order; the two accesses are the last.
typedef struct witness {
    uint32_t events[MOST_STEPS + 2];
    size_t count;
    size_t left_out; // before the first
} witness;

static void find(const hoist_order *o, uint32_t one, uint32_t two, witness *w)
{
    // Only events before the later access, in this run, can come first in all runs.
    const uint32_t end = one > two ? one : two;
    size_t first = 0; // of a ring
    size_t all = 0;
    uint32_t ring[MOST_STEPS];
    for (uint32_t e = 0; e < end; e++) {
        // A ring: of a longer schedule the last steps are kept.
        if (e != one && e != two &&
            (hoist_order_is_before(o, e, one) || hoist_order_is_before(o, e, two))) {
            ring[all++ % MOST_STEPS] = e;
        }
    }
    const size_t count = all < MOST_STEPS ? all : MOST_STEPS;
    first = all < MOST_STEPS ? 0 : all % MOST_STEPS;
    for (size_t i = 0; i < count; i++) {
        w->events[i] = ring[(first + i) % MOST_STEPS];
    }
    w->events[count] = one;
    w->events[count + 1] = two;
    w->count = count + 2;
    w->left_out = all - count;
}

// Numbers of the steps of other processes that have to come before step `at`, and before no earlier
// step of its own process: the edges of a drawing.
static void send_edges(const hoist_order *o, const witness *w, size_t at, hoist_tree_sink *sink)
{
    const uint32_t process = hoist_order_event_at(o, w->events[at])->process;
    size_t own = at; // the step before of the same process; `at`: there is none
    for (size_t i = at; i-- > 0 && own == at;) {
        own = hoist_order_event_at(o, w->events[i])->process == process ? i : at;
    }
    hoist_tree_short_list(sink, "after");
    for (size_t i = 0; i < at; i++) {
        const uint32_t other = hoist_order_event_at(o, w->events[i])->process;
        // A join through a step of the own process, or through a later one of the other, is no
        // edge.
        bool is_last = other != process && hoist_order_is_before(o, w->events[i], w->events[at]) &&
                       (own == at || !hoist_order_is_before(o, w->events[i], w->events[own]));
        for (size_t k = i + 1; k < at && is_last; k++) { // the last one of its process
            is_last = hoist_order_event_at(o, w->events[k])->process != other ||
                      !hoist_order_is_before(o, w->events[k], w->events[at]);
        }
        if (is_last) {
            hoist_tree_uint(sink, "", i, HOIST_UNIT_NONE);
        }
    }
    hoist_tree_end(sink);
}

static bool is_taken_by(const void *call, const void *event)
{
    return ((const hoist_order_call *)call)->take <= *(const uint32_t *)event;
}

// A unit takes calls one after the other: event `event` of it is the last take up to there, or the
// end of that call.
static const char *name_call(const hoist_order *o, uint32_t unit, uint32_t event)
{
    const hoist_order_list *const list = &o->calls[unit];
    // Takes ascend with the calls; HOIST_ORDER_NONE of those not taken is above all.
    const hoist_order_call *const calls = list->items;
    const size_t taken = hoist_order_first(calls, list->count, sizeof *calls, is_taken_by, &event);
    return taken > 0 && calls[taken - 1].take == event ? "begins a call" : "ends the call";
}

static void send_step(const hoist_order *o, const witness *w, size_t at, hoist_tree_sink *sink)
{
    const hoist_order_event *const e = hoist_order_event_at(o, w->events[at]);
    const size_t processes = hoist_machine_process_count(o->machine);
    const size_t threads = processes - o->program->unit_count; // those of the entry, no others
    const bool is_host = e->process >= processes;
    char name[HOIST_STEP_NAME_SIZE] = "";
    const char *text = name;
    if (e->at.step) {
        hoist_step_name(o->program, e->at, name);
    } else {
        text = is_host || e->process < threads
                   ? "fills or empties a queue"
                   : name_call(o, (uint32_t)(e->process - threads), w->events[at]);
    }
    hoist_tree_map(sink, "");
    hoist_tree_str(sink, "process",
                   is_host ? HOIST_STR("host")
                           : hoist_machine_process_name(o->machine, e->process));
    hoist_tree_c(sink, "step", text);
    send_edges(o, w, at, sink);
    hoist_tree_end(sink);
}

void hoist_order_send_race(const hoist_order *o, const hoist_order_range *a,
                           const hoist_order_range *b, const char *message)
{
    hoist_tree_sink *const sink = o->options->races;
    witness w;
    if (!sink) {
        return;
    }
    find(o, a->event, b->event, &w);
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "message", message);
    hoist_tree_short_list(sink, "accesses");
    hoist_tree_c(sink, "", a->write ? "writes" : "reads");
    hoist_tree_c(sink, "", b->write ? "writes" : "reads");
    hoist_tree_end(sink);
    hoist_tree_uint(sink, "left_out", w.left_out, HOIST_UNIT_NONE);
    hoist_tree_list(sink, "schedule");
    for (size_t i = 0; i < w.count; i++) {
        send_step(o, &w, i, sink);
    }
    hoist_tree_end(sink);
    hoist_tree_end(sink);
}
