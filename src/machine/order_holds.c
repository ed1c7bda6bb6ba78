// Whether all runs are like the one that was recorded.
//
// Take any run that stops, and the first event of the recorded run that it lacks. All that the
// recorded run did before that event it has done, and nothing that comes after the event in all
// runs. So if a wait passes whatever of the other changes have happened, it is not what stops.
#include "machine/order_state.h"

// What `event` waits for; NULL: nothing.
static const hoist_order_wait *wait_of(const hoist_order *o, uint32_t event)
{
    const uint32_t index = hoist_order_event_at(o, event)->wait;
    return index == HOIST_ORDER_NONE ? NULL : (const hoist_order_wait *)o->waits.items + index;
}

// Before, or after, an event; itself and what has no order are neither.
static bool is_earlier(const hoist_order *o, uint32_t event, const void *bound)
{
    (void)o;
    return event < *(const uint32_t *)bound; // in the recorded run
}

static bool is_before(const hoist_order *o, uint32_t event, const void *bound)
{
    const uint32_t other = *(const uint32_t *)bound;
    return event != other && hoist_order_is_before(o, event, other);
}

static bool is_not_after(const hoist_order *o, uint32_t event, const void *bound)
{
    return !hoist_order_is_before(o, *(const uint32_t *)bound, event);
}

static bool is_not_behind(const hoist_order *o, uint32_t event, const void *bound)
{
    return event == *(const uint32_t *)bound || is_not_after(o, event, bound);
}

// Sum of adds (takes) that `is_within`: a shorthand for one bound.
static int64_t sum(const hoist_order *o, const hoist_order_epoch *epoch, hoist_order_change kind,
                   hoist_order_within is_within, const uint32_t *event)
{
    return hoist_order_sum_all(o, epoch, kind, is_within, event);
}

// Whether `wait`, which is `event`, passes in `epoch` whatever else has happened there.
static bool passes_anyway(const hoist_order *o, const hoist_order_wait *wait, uint32_t event,
                          const hoist_order_epoch *epoch)
{
    // The least count: adds that the run has made for certain, less all takes that may have
    // happened.
    const int64_t low = epoch->initial + sum(o, epoch, HOIST_ORDER_ADD, is_earlier, &event) -
                        sum(o, epoch, HOIST_ORDER_TAKE, is_not_after, &event);
    // The greatest, the other way round.
    const int64_t high = epoch->initial + sum(o, epoch, HOIST_ORDER_ADD, is_not_after, &event) -
                         sum(o, epoch, HOIST_ORDER_TAKE, is_earlier, &event);
    if (wait->compare == HOIST_CMP_NE) {
        return wait->value < low || wait->value > high;
    }
    return low >= hoist_order_lowest(wait) && high <= hoist_order_highest(wait);
}

static bool wait_holds(const hoist_order *o, const hoist_order_wait *wait, uint32_t event)
{
    const hoist_order_epoch *epoch = hoist_order_epoch_at(o, wait->epoch);
    if (o->disordered[epoch->semaphore] || !passes_anyway(o, wait, event, epoch)) {
        return false;
    }
    // Later changes that set the semaphore, as far as they may come first: the wait must pass after
    // any of these too.
    while (epoch->next != HOIST_ORDER_NONE) {
        epoch = hoist_order_epoch_at(o, epoch->next);
        if (hoist_order_is_before(o, event, epoch->reset)) {
            return true;
        }
        if (!passes_anyway(o, wait, event, epoch)) {
            return false;
        }
    }
    return true;
}

// Whether change `i` of `s` keeps the count within its bounds in all orders.
static bool change_holds(const hoist_order *o, const hoist_order_epoch *epoch,
                         const hoist_order_signals *s, size_t i, hoist_order_change kind)
{
    const uint32_t event = s->events[i];
    const int64_t amount = s->sums[i] - (i > 0 ? s->sums[i - 1] : 0);
    const int64_t maximum = o->program->semaphores[epoch->semaphore].maximum;
    if (kind == HOIST_ORDER_TAKE) {
        const hoist_order_wait *wait = wait_of(o, event);
        if (wait && wait->epoch == (uint32_t)(epoch - hoist_order_epoch_at(o, 0)) &&
            hoist_order_lowest(wait) >= amount) {
            return true; // it has waited for what it takes
        }
        // The worst order: only adds that come first for certain, and all takes that may come
        // before.
        return epoch->initial + sum(o, epoch, HOIST_ORDER_ADD, is_before, &event) -
                   sum(o, epoch, HOIST_ORDER_TAKE, is_not_behind, &event) >=
               0;
    }
    // 0: no maximum. The worst order for it: all adds that may be there, takes that come first.
    return maximum == 0 || epoch->initial + sum(o, epoch, HOIST_ORDER_ADD, is_not_behind, &event) -
                                   sum(o, epoch, HOIST_ORDER_TAKE, is_before, &event) <=
                               maximum;
}

// The same of a semaphore whose epochs have no order: the greatest count that there could be.
static bool disorder_holds(const hoist_order *o, hoist_ref semaphore)
{
    int64_t initial = 0;
    int64_t added = 0;
    for (uint32_t i = semaphore; i != HOIST_ORDER_NONE;) {
        const hoist_order_epoch *epoch = hoist_order_epoch_at(o, i);
        if (epoch->totals[HOIST_ORDER_TAKE] > 0) {
            return false;
        }
        initial = epoch->initial > initial ? epoch->initial : initial;
        added = hoist_order_add_clamped(added, epoch->totals[HOIST_ORDER_ADD]);
        i = epoch->next;
    }
    const int64_t maximum = o->program->semaphores[semaphore].maximum;
    return hoist_order_add_clamped(initial, added) <= (maximum > 0 ? maximum : INT64_MAX - 1);
}

// Of adds alone the recorded run has shown the greatest count.
static bool epoch_holds(const hoist_order *o, const hoist_order_epoch *epoch)
{
    const hoist_order_signals *all = o->signals.items;
    if (o->disordered[epoch->semaphore]) {
        // The first epoch answers for all of a semaphore without an order.
        return epoch->reset != HOIST_ORDER_NONE || disorder_holds(o, epoch->semaphore);
    }
    if (epoch->totals[HOIST_ORDER_TAKE] == 0) {
        return true;
    }
    for (hoist_order_change kind = HOIST_ORDER_ADD; kind < HOIST_ORDER_CHANGES; kind++) {
        for (uint32_t k = epoch->signals[kind]; k != HOIST_ORDER_NONE; k = all[k].next) {
            for (size_t i = 0; i < all[k].count; i++) {
                if (!change_holds(o, epoch, &all[k], i, kind)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// True when all changes of one kind come before the wait or after it in all runs: none that may do
// either.
static bool is_settled(const hoist_order *o, const hoist_order_epoch *epoch,
                       hoist_order_change kind, uint32_t event)
{
    return sum(o, epoch, kind, is_not_after, &event) == sum(o, epoch, kind, is_before, &event);
}

// Whether the wait passes in one certain epoch, and for a sum of changes of one kind.
static bool wait_is_exact(const hoist_order *o, const hoist_order_wait *wait, uint32_t event)
{
    const hoist_order_epoch *epoch = hoist_order_epoch_at(o, wait->epoch);
    // The epoch begins before the wait, and the next one after it, in all runs.
    if ((epoch->reset != HOIST_ORDER_NONE && !hoist_order_is_before(o, epoch->reset, event)) ||
        (epoch->next != HOIST_ORDER_NONE &&
         !hoist_order_is_before(o, event, hoist_order_epoch_at(o, epoch->next)->reset))) {
        return false;
    }
    // With takes settled the count at the wait depends on adds alone, and the other way round.
    const bool takes = is_settled(o, epoch, HOIST_ORDER_TAKE, event);
    const bool adds = is_settled(o, epoch, HOIST_ORDER_ADD, event);
    switch (wait->compare) {
    case HOIST_CMP_EQ:
        return takes || adds;
    case HOIST_CMP_GT:
    case HOIST_CMP_GE:
        return takes;
    case HOIST_CMP_LT:
    case HOIST_CMP_LE:
        return adds;
    case HOIST_CMP_NE:
    case HOIST_CMP_COUNT:
        break;
    }
    return takes && adds;
}

bool hoist_order_is_exact(const hoist_order *o)
{
    for (uint32_t i = 0; i < o->events.count; i++) {
        const hoist_order_wait *wait = wait_of(o, i);
        if (wait && wait->epoch != HOIST_ORDER_NONE && !wait_is_exact(o, wait, i)) {
            return false;
        }
    }
    return true;
}

bool hoist_order_drains_hold(const hoist_order *o)
{
    for (uint32_t i = 0; i < o->events.count; i++) {
        const hoist_order_wait *wait = wait_of(o, i);
        if (!wait || wait->epoch != HOIST_ORDER_NONE) {
            continue;
        }
        const hoist_order_list *const calls = &o->calls[wait->unit];
        const hoist_order_call *const items = calls->items;
        // The next post, in this run, must come after the drain, or another run might drain its
        // call too.
        if (wait->posts < calls->count && !hoist_order_is_before(o, i, items[wait->posts].post)) {
            return false;
        }
    }
    return true;
}

bool hoist_order_holds(const hoist_order *o)
{
    for (size_t i = 0; i < o->epochs.count; i++) {
        if (!epoch_holds(o, hoist_order_epoch_at(o, (uint32_t)i))) {
            return false;
        }
    }
    for (uint32_t i = 0; i < o->events.count; i++) {
        const hoist_order_wait *wait = wait_of(o, i);
        if (wait && wait->epoch != HOIST_ORDER_NONE && !wait_holds(o, wait, i)) {
            return false;
        }
    }
    return true;
}
