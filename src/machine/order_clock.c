// What happens before what in all runs.
//
// Joins are plain: the entry that an await needs was pushed by one certain push. A wait for a sum
// of signals is not: it needs an event x exactly when the signals that can be given without x do
// not suffice. So, for each process p, the wait comes after the first k events of p where k is the
// least number such that the signals whose own clocks say k or less for p suffice.
//
// Signals that a process gives after the wait may depend on the wait itself, so this is a fixpoint.
// The events that cannot happen without x are the greatest solution: clocks start at "everything"
// and fall until nothing changes.
#include <string.h>

#include "base/alloc.h"
#include "machine/order_state.h"

// Passes over the run; each one but the last lowers a clock. Programs need two or three.
#define MAX_PASSES 64

static uint32_t *row_at(const hoist_order *o, uint32_t row)
{
    return o->clocks + (size_t)row * o->process_count;
}

static uint32_t clock_of(const hoist_order *o, uint32_t event, uint32_t process)
{
    const hoist_order_event *e = hoist_order_event_at(o, event);
    return e->process == process ? e->index : row_at(o, e->row)[process];
}

bool hoist_order_is_before(const hoist_order *o, uint32_t a, uint32_t b)
{
    const hoist_order_event *first = hoist_order_event_at(o, a);
    return clock_of(o, b, first->process) >= first->index;
}

static void join(const hoist_order *o, uint32_t *row, uint32_t event)
{
    const hoist_order_event *e = hoist_order_event_at(o, event);
    const uint32_t *other = row_at(o, e->row);
    for (uint32_t p = 0; p < o->process_count; p++) {
        const uint32_t clock = p == e->process ? e->index : other[p];
        row[p] = clock > row[p] ? clock : row[p];
    }
}

// Sum of the signals of one process whose clocks say `limit` or less for `p`.
static int64_t sum_within(const hoist_order *o, const hoist_order_signals *s, uint32_t p,
                          uint32_t limit)
{
    size_t low = 0;
    size_t high = s->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (clock_of(o, s->events[middle], p) <= limit) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? s->sums[low - 1] : 0;
}

static bool suffices(const hoist_order *o, const hoist_order_wait *wait, uint32_t p, uint32_t limit)
{
    const hoist_order_signals *all = o->signals.items;
    int64_t sum = 0;
    for (uint32_t i = o->signal_first[wait->semaphore]; i != HOIST_ORDER_NONE; i = all[i].next) {
        if (__builtin_add_overflow(sum, sum_within(o, &all[i], p, limit), &sum)) {
            return true;
        }
    }
    return sum >= wait->need;
}

// All signals are of one process: its first ones that suffice.
static void join_only(const hoist_order *o, uint32_t *row, const hoist_order_signals *s,
                      int64_t need)
{
    size_t low = 0;
    size_t high = s->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (s->sums[middle] < need) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < s->count) {
        join(o, row, s->events[low]);
    }
}

static void join_wait(const hoist_order *o, uint32_t *row, const hoist_order_event *e,
                      const hoist_order_wait *wait)
{
    const hoist_order_signals *all = o->signals.items;
    const uint32_t first = o->signal_first[wait->semaphore];
    if (wait->need <= 0 || first == HOIST_ORDER_NONE) {
        return;
    }
    if (all[first].next == HOIST_ORDER_NONE) {
        join_only(o, row, &all[first], wait->need);
        return;
    }
    const uint32_t *last = o->last.items;
    for (uint32_t p = 0; p < o->process_count; p++) {
        if (p == e->process || last[p] == HOIST_ORDER_NONE || suffices(o, wait, p, row[p])) {
            continue;
        }
        uint32_t low = row[p] + 1;
        uint32_t high = hoist_order_event_at(o, last[p])->index;
        while (low < high) {
            const uint32_t middle = low + (high - low) / 2;
            if (suffices(o, wait, p, middle)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        row[p] = low;
    }
}

// A drain comes after the calls whose posts come before it.
static void join_drain(const hoist_order *o, uint32_t *row, const hoist_order_event *e,
                       const hoist_order_wait *wait)
{
    const hoist_order_call *calls = o->calls[wait->unit].items;
    for (uint32_t i = wait->posts; i > 0; i--) {
        const hoist_order_event *post = hoist_order_event_at(o, calls[i - 1].post);
        if (post->process == e->process || row[post->process] >= post->index) {
            join(o, row, calls[i - 1].end);
            return;
        }
    }
}

// Computes the row that begins with `e` in `row`.
static void compute_row(const hoist_order *o, const hoist_order_event *e, uint32_t previous,
                        uint32_t *row)
{
    memset(row, 0, o->process_count * sizeof *row);
    if (previous != HOIST_ORDER_NONE) {
        join(o, row, previous);
    }
    const uint32_t *joins = o->joins.items;
    for (uint32_t i = 0; i < e->join_count; i++) {
        join(o, row, joins[e->join_first + i]);
    }
    if (e->wait != HOIST_ORDER_NONE) {
        const hoist_order_wait *wait = (const hoist_order_wait *)o->waits.items + e->wait;
        if (wait->semaphore == HOIST_NO_REF) {
            join_drain(o, row, e, wait);
        } else {
            join_wait(o, row, e, wait);
        }
    }
}

// One pass in the order of the run; true when a clock fell. `scratch` has a row and the last event
// of each process.
static bool pass(const hoist_order *o, uint32_t *scratch)
{
    uint32_t *last = scratch + o->process_count;
    for (uint32_t p = 0; p < o->process_count; p++) {
        last[p] = HOIST_ORDER_NONE;
    }
    bool changed = false;
    for (uint32_t i = 0; i < o->events.count; i++) {
        const hoist_order_event *e = hoist_order_event_at(o, i);
        const uint32_t previous = last[e->process];
        if (previous == HOIST_ORDER_NONE || hoist_order_event_at(o, previous)->row != e->row) {
            compute_row(o, e, previous, scratch);
            uint32_t *row = row_at(o, e->row);
            if (memcmp(row, scratch, o->process_count * sizeof *row) != 0) {
                memcpy(row, scratch, o->process_count * sizeof *row);
                changed = true;
            }
        }
        last[e->process] = i;
    }
    return changed;
}

// Gives each event its row: a new one where others are waited for.
static size_t assign_rows(hoist_order *o, uint32_t *row_of)
{
    uint32_t rows = 0;
    for (uint32_t p = 0; p < o->process_count; p++) {
        row_of[p] = HOIST_ORDER_NONE;
    }
    for (uint32_t i = 0; i < o->events.count; i++) {
        hoist_order_event *e = hoist_order_event_at(o, i);
        if (row_of[e->process] == HOIST_ORDER_NONE || e->join_count > 0 ||
            e->wait != HOIST_ORDER_NONE) {
            row_of[e->process] = rows++;
        }
        e->row = row_of[e->process];
    }
    return rows;
}

hoist_status hoist_order_compute(hoist_order *o)
{
    const size_t width = (size_t)o->process_count;
    uint32_t *scratch = hoist_alloc_zero(o->alloc, 2 * width + 1, sizeof *scratch);
    if (!scratch) {
        return HOIST_NO_MEMORY;
    }
    o->row_count = assign_rows(o, scratch);
    o->clocks = hoist_alloc_zero(o->alloc, o->row_count * width + 1, sizeof *o->clocks);
    if (o->clocks) {
        memset(o->clocks, 0xff, (o->row_count * width + 1) * sizeof *o->clocks);
        bool changed = true;
        for (int i = 0; i < MAX_PASSES && changed; i++) {
            changed = pass(o, scratch);
        }
        o->truncated = o->truncated || changed;
    }
    hoist_free(o->alloc, scratch, (2 * width + 1) * sizeof *scratch);
    return o->clocks ? HOIST_OK : HOIST_NO_MEMORY;
}
