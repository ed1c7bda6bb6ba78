// What happens before what in all runs.
//
// Joins are plain: the entry that an await needs was pushed by one certain push. A wait for a sum
// of signals, in one epoch of a semaphore, is not: it needs an event x exactly when the signals
// that can be given without x do not suffice. So, for each process p, the wait comes after the
// first k events of p where k is the least number such that the signals whose own clocks say k or
// less for p suffice.
//
// Signals that a process gives after the wait may depend on the wait itself, so this is a fixpoint.
// The events that cannot happen without x are the greatest solution: clocks start at "everything"
// and fall until nothing changes.
#include <string.h>

#include "base/alloc.h"
#include "base/order.h"
#include "base/progress.h"
#include "machine/order_state.h"

// Passes over the run; each one but the last lowers a clock. Programs need two or three; after so
// many the run counts as truncated.
#define MAX_PASSES 64

uint32_t hoist_order_clock(const hoist_order *o, const hoist_row *rows, uint32_t event,
                           uint32_t process)
{
    const hoist_order_event *e = hoist_order_event_at(o, event);
    // The clock of an event is its row's, but for its own process, of which it knows itself.
    return e->process == process ? e->index : hoist_row_get(&o->clocks, rows[e->row], process);
}

static uint32_t clock_of(const hoist_order *o, uint32_t event, uint32_t process)
{
    return hoist_order_clock(o, o->rows, event, process);
}

bool hoist_order_is_before(const hoist_order *o, uint32_t a, uint32_t b)
{
    const hoist_order_event *first = hoist_order_event_at(o, a);
    // The test of vector clocks (Fidge, Mattern): b knows of as many events of a's process as a's
    // number.
    return clock_of(o, b, first->process) >= first->index;
}

static void join(hoist_order *o, hoist_row *row, uint32_t event)
{
    const hoist_order_event *e = hoist_order_event_at(o, event);
    const uint32_t own = hoist_row_get(&o->clocks, *row, e->process);
    *row = hoist_row_join(&o->clocks, *row, o->rows[e->row]);
    // The row of `event` does not have its own number, which is put here.
    *row = hoist_row_put(&o->clocks, *row, e->process, own > e->index ? own : e->index);
}

// A number of the events of `process`, from the first.
typedef struct prefix {
    uint32_t process;
    uint32_t count;
} prefix;

// Whether `event` can be without those of the process that come after the prefix. True of all
// events of a process up to some one, as bisection needs; so are the other predicates below.
static bool needs_no_more(const hoist_order *o, uint32_t event, const void *bound)
{
    const prefix *known = bound;
    return clock_of(o, event, known->process) <= known->count;
}

// Whether `event` is in the row.
static bool is_known(const hoist_order *o, uint32_t event, const void *bound)
{
    const hoist_row *row = bound;
    const hoist_order_event *e = hoist_order_event_at(o, event);
    return hoist_row_get(&o->clocks, *row, e->process) >= e->index;
}

// A sum that is needed of the changes of one kind in one epoch.
typedef struct sum_need {
    const hoist_order_epoch *epoch;
    hoist_order_change kind;
    int64_t amount;
} sum_need;

static bool suffices(const hoist_order *o, const sum_need *need, uint32_t process, uint32_t count)
{
    const prefix known = {process, count};
    // Sums of all processes, each by the events that know no more than the prefix.
    return hoist_order_sum_all(o, need->epoch, need->kind, needs_no_more, &known) >= need->amount;
}

static bool sum_is_before(const void *sum, const void *need)
{
    return *(const int64_t *)sum < *(const int64_t *)need;
}

// Joins the first event of a process with which the sum reaches `need`: in its own order it must
// have got there, so that this one comes first in all runs.
static void join_only(hoist_order *o, hoist_row *row, const hoist_order_signals *s, int64_t need)
{
    const size_t first =
        hoist_order_first(s->sums, s->count, sizeof *s->sums, sum_is_before, &need);
    if (first < s->count) {
        join(o, row, s->events[first]);
    }
}

// Whether `event` can be without the wait `bound`. What comes after a wait does not let it pass.
static bool is_free_of(const hoist_order *o, uint32_t event, const void *bound)
{
    const hoist_order_event *wait = bound;
    return clock_of(o, event, wait->process) < wait->index;
}

// Joins all signals that can be without the wait `e`: nothing less suffices. Where those that the
// wait before could be without were joined, they have come with the event before.
static void join_all(hoist_order *o, hoist_row *row, const hoist_order_event *e,
                     const sum_need *need, bool are_joined)
{
    const uint32_t *fresh = o->fresh.items;
    // In pieces: only what has become independent since the wait before.
    for (size_t i = 0; are_joined && i < o->fresh.count; i++) {
        join(o, row, fresh[i]);
    }
    const hoist_order_signals *all = o->signals.items;
    for (uint32_t i = need->epoch->signals[need->kind]; !are_joined && i != HOIST_ORDER_NONE;
         i = all[i].next) {
        const int64_t sum = hoist_order_sum(o, &all[i], is_free_of, e);
        if (sum > 0) {
            join_only(o, row, &all[i], sum);
        }
    }
}

// The least number of events of `process` without which the sum is not there, from `low` on.
static uint32_t least_prefix(const hoist_order *o, const sum_need *need, uint32_t process,
                             uint32_t low)
{
    // All of its events.
    uint32_t high = hoist_order_event_at(o, ((const uint32_t *)o->last.items)[process])->index;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (suffices(o, need, process, middle)) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

// A row with a number for each process whose events may matter to the signals of a list; 0 for the
// others. The last signal of a process knows of all that the earlier ones know of.
static hoist_row processes_behind(hoist_order *o, uint32_t first)
{
    const hoist_order_signals *all = o->signals.items;
    hoist_row row = HOIST_ROW_ZERO;
    for (uint32_t i = first; i != HOIST_ORDER_NONE; i = all[i].next) {
        if (all[i].count > 0) {
            join(o, &row, all[i].events[all[i].count - 1]);
        }
    }
    return row;
}

// `e` waits for a sum.
static void join_sum(hoist_order *o, hoist_row *row, const hoist_order_event *e,
                     const sum_need *need)
{
    const hoist_order_signals *all = o->signals.items;
    const uint32_t first = need->epoch->signals[need->kind];
    // Nothing is needed, or nothing could give it.
    if (need->amount <= 0 || first == HOIST_ORDER_NONE) {
        return;
    }
    // One process gives all signals: no choice between sets of them.
    if (all[first].next == HOIST_ORDER_NONE) {
        join_only(o, row, &all[first], need->amount);
        return;
    }
    hoist_order_independent *independent =
        hoist_order_find_independent(o, e, need->epoch, need->kind);
    if (!independent) {
        return;
    }
    // All that can be had without the wait is needed: no set but the whole one suffices.
    if (need->amount == independent->sum) {
        join_all(o, row, e, need, independent->all_joined);
        independent->all_joined = true;
        return;
    }
    // New ones of this wait were not joined: the next wait cannot rely on it.
    independent->all_joined = independent->all_joined && o->fresh.count == 0;
    const uint32_t *last = o->last.items;
    const hoist_row behind = processes_behind(o, first);
    for (uint32_t p = hoist_row_next(&o->clocks, behind, 0); p < o->process_count;
         p = hoist_row_next(&o->clocks, behind, p + 1)) {
        const uint32_t known = hoist_row_get(&o->clocks, *row, p);
        // A process that is known far enough already, or without events, adds nothing.
        if (p != e->process && last[p] != HOIST_ORDER_NONE && !suffices(o, need, p, known)) {
            *row = hoist_row_put(&o->clocks, *row, p, least_prefix(o, need, p, known + 1));
        }
    }
}

// What `wait` needs of the adds and takes of an epoch, if it passes there, when it comes after the
// events of `row`: as many adds as make good what is taken by then, and as many takes.
static sum_need need_of(const hoist_order *o, const hoist_order_wait *wait,
                        const hoist_order_epoch *epoch, hoist_order_change kind,
                        const hoist_row *row)
{
    sum_need need = {epoch, kind, INT64_MIN}; // INT64_MIN: it needs nothing
    const int64_t low = hoist_order_lowest(wait);
    const int64_t high = hoist_order_highest(wait);
    if (kind == HOIST_ORDER_ADD && low != INT64_MIN) {
        const int64_t taken = hoist_order_sum_all(o, epoch, HOIST_ORDER_TAKE, is_known, row);
        // initial + adds - taken >= low
        need.amount = hoist_order_add_clamped(hoist_order_add_clamped(low, -epoch->initial), taken);
    } else if (kind == HOIST_ORDER_TAKE && high != INT64_MAX) {
        const int64_t added = hoist_order_sum_all(o, epoch, HOIST_ORDER_ADD, is_known, row);
        // initial + added - takes <= high; -INT64_MIN has no value, hence the greatest need
        need.amount = hoist_order_add_clamped(hoist_order_add_clamped(epoch->initial, added),
                                              high == INT64_MIN ? INT64_MAX : -high);
    }
    return need;
}

// Whether `wait` may pass in an epoch after the events of `row`.
static bool may_pass(const hoist_order *o, const hoist_order_wait *wait,
                     const hoist_order_epoch *epoch, const hoist_row *row)
{
    for (hoist_order_change kind = HOIST_ORDER_ADD; kind < HOIST_ORDER_CHANGES; kind++) {
        if (need_of(o, wait, epoch, kind, row).amount > epoch->totals[kind]) {
            return false;
        }
    }
    // Not equal: passes unless the count stays at the value throughout.
    return wait->compare != HOIST_CMP_NE || epoch->initial != wait->value ||
           epoch->totals[HOIST_ORDER_ADD] > 0 || epoch->totals[HOIST_ORDER_TAKE] > 0;
}

// The first epoch in which `wait` may pass: not before the newest one that `row` knows of, and not
// after the one in which it did.
static uint32_t first_epoch(hoist_order *o, const hoist_order_wait *wait, const hoist_row *row)
{
    // Back from the epoch in which the run passed it: an earlier run may have passed in an earlier
    // one.
    uint32_t first = wait->epoch;
    for (uint32_t i = wait->epoch; i != HOIST_ORDER_NONE;) {
        const hoist_order_epoch *epoch = hoist_order_epoch_at(o, i);
        if (!hoist_order_visit(o)) {
            return HOIST_ORDER_NONE;
        }
        if (may_pass(o, wait, epoch, row)) {
            first = i;
        }
        // The epoch's beginning is known to come first: no earlier one can be the moment.
        if (epoch->reset == HOIST_ORDER_NONE || is_known(o, epoch->reset, row)) {
            break;
        }
        i = epoch->previous;
    }
    return first;
}

// Joins what `wait` needs in an epoch; true when that is more than `met`. A need that cannot be met
// there orders nothing: the wait passes in a later epoch.
static bool join_needs(hoist_order *o, hoist_row *row, const hoist_order_event *e,
                       const hoist_order_wait *wait, const hoist_order_epoch *epoch, int64_t *met)
{
    bool more = false;
    for (hoist_order_change kind = HOIST_ORDER_ADD; kind < HOIST_ORDER_CHANGES; kind++) {
        const sum_need need = need_of(o, wait, epoch, kind, row);
        if (need.amount > met[kind] && need.amount <= epoch->totals[kind]) {
            met[kind] = need.amount;
            join_sum(o, row, e, &need);
            more = true;
        }
    }
    return more;
}

// What the wait needs may come after changes that make it need more, or pass in a later epoch.
static void join_wait(hoist_order *o, hoist_row *row, const hoist_order_event *e,
                      const hoist_order_wait *wait)
{
    // The needs already joined, by kind: a round is repeated while one of them grows.
    int64_t met[HOIST_ORDER_CHANGES] = {0};
    uint32_t first = HOIST_ORDER_NONE;
    // Without an order of its epochs nothing can be said of a semaphore's waits.
    bool more = !o->disordered[hoist_order_epoch_at(o, wait->epoch)->semaphore];
    while (more) {
        const uint32_t before = first;
        first = first_epoch(o, wait, row);
        if (first == HOIST_ORDER_NONE) {
            return;
        }
        const hoist_order_epoch *epoch = hoist_order_epoch_at(o, first);
        if (first != before && epoch->reset != HOIST_ORDER_NONE) {
            join(o, row, epoch->reset);
        }
        // Another epoch has sums of its own.
        if (first != before) {
            met[HOIST_ORDER_ADD] = 0;
            met[HOIST_ORDER_TAKE] = 0;
        }
        more = join_needs(o, row, e, wait, epoch, met) || first != before;
    }
}

// Whether all changes in the epoch before come before this one begins, and all its own after that.
static bool is_apart(const hoist_order *o, const hoist_order_epoch *epoch)
{
    const hoist_order_epoch *previous = hoist_order_epoch_at(o, epoch->previous);
    const hoist_order_signals *all = o->signals.items;
    // Resets follow each other in all runs.
    bool apart = previous->reset == HOIST_ORDER_NONE ||
                 hoist_order_is_before(o, previous->reset, epoch->reset);
    for (hoist_order_change kind = HOIST_ORDER_ADD; kind < HOIST_ORDER_CHANGES; kind++) {
        for (uint32_t i = previous->signals[kind]; apart && i != HOIST_ORDER_NONE;
             i = all[i].next) {
            // The last change of each process is after its other ones, and the first before them.
            apart = hoist_order_is_before(o, all[i].events[all[i].count - 1], epoch->reset);
        }
        for (uint32_t i = epoch->signals[kind]; apart && i != HOIST_ORDER_NONE; i = all[i].next) {
            apart = hoist_order_is_before(o, epoch->reset, all[i].events[0]);
        }
    }
    return apart;
}

// Which semaphores have the same epochs in all runs, by the clocks of the pass before.
static void check_epochs(const hoist_order *o)
{
    // The first epochs, one per semaphore, have no beginning that could be out of order.
    const hoist_ref semaphores = o->program->semaphore_count;
    for (size_t i = semaphores; i < o->epochs.count; i++) {
        const hoist_order_epoch *epoch = hoist_order_epoch_at(o, (uint32_t)i);
        // Never taken back: with lower clocks an order that is lost stays lost.
        if (!o->disordered[epoch->semaphore] && !is_apart(o, epoch)) {
            o->disordered[epoch->semaphore] = 1;
        }
    }
}

// A drain comes after the calls whose posts come before it. The newest of these is enough, since a
// unit completes its calls in their order.
static void join_drain(hoist_order *o, hoist_row *row, const hoist_order_event *e,
                       const hoist_order_wait *wait)
{
    const hoist_order_call *calls = o->calls[wait->unit].items;
    for (uint32_t i = wait->posts; i > 0; i--) {
        const hoist_order_event *post = hoist_order_event_at(o, calls[i - 1].post);
        if (post->process == e->process ||
            hoist_row_get(&o->clocks, *row, post->process) >= post->index) {
            join(o, row, calls[i - 1].end);
            return;
        }
    }
}

// Computes the row that begins with `e` in `row`.
static void compute_row(hoist_order *o, const hoist_order_event *e, uint32_t previous,
                        hoist_row *row)
{
    *row = HOIST_ROW_ZERO;
    if (previous != HOIST_ORDER_NONE) {
        join(o, row, previous);
    }
    const uint32_t *joins = o->joins.items;
    for (uint32_t i = 0; i < e->join_count; i++) {
        join(o, row, joins[e->join_first + i]);
    }
    if (e->wait != HOIST_ORDER_NONE) {
        const hoist_order_wait *wait = (const hoist_order_wait *)o->waits.items + e->wait;
        if (wait->epoch == HOIST_ORDER_NONE) {
            join_drain(o, row, e, wait);
        } else {
            join_wait(o, row, e, wait);
        }
    }
}

// Makes `row` the event's; true when that is another one. Nodes of an equal row are given back.
static bool replace_row(hoist_order *o, const hoist_order_event *e, hoist_row row)
{
    const bool changed = !hoist_row_equal(&o->clocks, o->rows[e->row], row);
    if (changed) {
        o->rows[e->row] = row;
        hoist_row_keep(&o->clocks);
    } else {
        hoist_row_drop(&o->clocks);
    }
    return changed;
}

// One pass in the order of the run; true when a clock fell. `last` has the last event of each
// process.
static bool pass(hoist_order *o, uint32_t *last)
{
    // By the clocks of the pass before, for all rows of this one alike.
    check_epochs(o);
    o->pass++;
    // For order_independent.c, which compares with them.
    memcpy(o->rows_before, o->rows, o->row_count * sizeof *o->rows);
    for (uint32_t p = 0; p < o->process_count; p++) {
        last[p] = HOIST_ORDER_NONE;
    }
    bool changed = false;
    for (uint32_t i = 0;
         i < o->events.count && o->clocks.status == HOIST_OK && o->status == HOIST_OK; i++) {
        const hoist_order_event *e = hoist_order_event_at(o, i);
        const uint32_t previous = last[e->process];
        hoist_stage_add(o->options->deadline, HOIST_STAGE_ORDERS, 1);
        o->status = hoist_deadline_look(o->options->deadline);
        // Only the first event of a row computes it.
        if (previous == HOIST_ORDER_NONE || hoist_order_event_at(o, previous)->row != e->row) {
            hoist_row row = HOIST_ROW_ZERO;
            compute_row(o, e, previous, &row);
            changed = replace_row(o, e, row) || changed;
        }
        last[e->process] = i;
    }
    return changed;
}

// Gives each event its row: a new one where others are waited for. Between such events only the own
// number of the process changes, which no row has.
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

void hoist_order_free_clocks(hoist_order *o)
{
    hoist_rows_deinit(&o->clocks);
    hoist_free(o->alloc, o->rows, (o->row_count + 1) * sizeof *o->rows);
    hoist_free(o->alloc, o->rows_before, (o->row_count + 1) * sizeof *o->rows);
    o->rows = NULL;
    o->rows_before = NULL;
    o->row_count = 0;
}

hoist_status hoist_order_compute(hoist_order *o)
{
    const size_t width = (size_t)o->process_count + 1;
    uint32_t *last = hoist_alloc_zero(o->alloc, width, sizeof *last);
    if (!last) {
        return HOIST_NO_MEMORY;
    }
    o->row_count = assign_rows(o, last);
    o->rows = hoist_alloc_zero(o->alloc, o->row_count + 1, sizeof *o->rows);
    o->rows_before = hoist_alloc_zero(o->alloc, o->row_count + 1, sizeof *o->rows);
    hoist_rows_init(&o->clocks, o->alloc, o->process_count);
    hoist_order_begin_independents(o);
    const bool memory = o->rows && o->rows_before;
    bool changed = memory;
    for (size_t i = 0; changed && i < o->row_count; i++) {
        o->rows[i] = HOIST_ROW_FULL; // the greatest solution is found from above
    }
    for (int i = 0; i < MAX_PASSES && changed && o->status == HOIST_OK; i++) {
        changed = pass(o, last);
    }
    // Not settled after MAX_PASSES: the clocks are too high, so that an order might be claimed that
    // is none.
    o->truncated = o->truncated || changed || o->clocks.status == HOIST_LIMIT;
    hoist_order_end_independents(o);
    hoist_free(o->alloc, last, width * sizeof *last);
    return memory && o->clocks.status != HOIST_NO_MEMORY ? o->status : HOIST_NO_MEMORY;
}
