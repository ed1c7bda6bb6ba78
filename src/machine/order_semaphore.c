// Semaphores in a recorded run: epochs (from one change that sets a count to the next), the adds
// and takes in each by process, with prefix sums, and the waits. order_trace.c calls it for each
// step; order_clock.c, order_holds.c and order_independent.c ask for sums.
#include "base/alloc.h"
#include "machine/order_state.h"
#include "machine/state.h"

hoist_order_epoch *hoist_order_epoch_at(const hoist_order *o, uint32_t epoch)
{
    return (hoist_order_epoch *)o->epochs.items + epoch;
}

void hoist_order_free_semaphores(hoist_order *o)
{
    for (size_t i = 0; i < o->signals.count; i++) {
        const hoist_order_signals *s = (const hoist_order_signals *)o->signals.items + i;
        hoist_free(o->alloc, s->events, s->event_capacity * sizeof *s->events);
        hoist_free(o->alloc, s->sums, s->sum_capacity * sizeof *s->sums);
    }
    o->signals.count = 0;
    o->epochs.count = 0;
    hoist_map_deinit(&o->signal_lists);
    hoist_arena_deinit(&o->keys);
    hoist_map_init(&o->signal_lists, o->alloc);
    hoist_arena_init(&o->keys, o->alloc);
}

static void begin_epoch(hoist_order *o, hoist_ref semaphore, uint32_t reset, int64_t initial)
{
    // The beginning of a run has no reset and nothing before it.
    const uint32_t previous = reset == HOIST_ORDER_NONE ? reset : o->newest[semaphore];
    const hoist_order_epoch epoch = {.semaphore = semaphore,
                                     .reset = reset,
                                     .initial = initial,
                                     .signals = {HOIST_ORDER_NONE, HOIST_ORDER_NONE},
                                     .previous = previous,
                                     .next = HOIST_ORDER_NONE};
    if (!hoist_order_add(o, &o->epochs, &epoch)) {
        return;
    }
    o->newest[semaphore] = (uint32_t)(o->epochs.count - 1);
    if (previous != HOIST_ORDER_NONE) {
        hoist_order_epoch_at(o, previous)->next = o->newest[semaphore];
    }
}

void hoist_order_begin_semaphores(hoist_order *o)
{
    hoist_order_free_semaphores(o);
    for (hoist_ref i = 0; i < o->program->semaphore_count; i++) {
        begin_epoch(o, i, HOIST_ORDER_NONE, o->program->semaphores[i].initial);
        o->disordered[i] = 0;
    }
}

// Changes ---------------------------------------------------------------------------------------

// Notes that list `index` has that key.
static bool note_signals(hoist_order *o, const hoist_order_key *key, size_t index)
{
    const hoist_str kept = hoist_arena_str(&o->keys, (hoist_str){(const char *)key, sizeof *key});
    if (!kept.data || hoist_map_add(&o->signal_lists, kept, index, NULL) != HOIST_OK) {
        o->status = HOIST_NO_MEMORY;
    }
    return o->status == HOIST_OK;
}

// The list of a process's changes of one kind in an epoch, made at the first; NULL: no memory. The
// address is good until the next list is made.
static hoist_order_signals *signals_of(hoist_order *o, uint32_t epoch, hoist_order_change kind,
                                       uint32_t process)
{
    uint32_t *first = &hoist_order_epoch_at(o, epoch)->signals[kind];
    const hoist_order_key key = {epoch, kind, process};
    size_t at = 0;
    if (hoist_map_find(&o->signal_lists, (hoist_str){(const char *)&key, sizeof key}, &at)) {
        return (hoist_order_signals *)o->signals.items + at;
    }
    const hoist_order_signals new = {.process = process, .next = *first};
    if (!note_signals(o, &key, o->signals.count) || !hoist_order_add(o, &o->signals, &new)) {
        return NULL;
    }
    *first = (uint32_t)(o->signals.count - 1);
    return (hoist_order_signals *)o->signals.items + o->signals.count - 1;
}

static int64_t add_to_sum(hoist_order *o, int64_t a, int64_t b)
{
    int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        sum = INT64_MAX;
        o->overflows = true;
    }
    return sum;
}

// `amount` is not negative.
static void add_change(hoist_order *o, uint32_t event, hoist_ref semaphore, hoist_order_change kind,
                       int64_t amount)
{
    const uint32_t epoch = o->newest[semaphore];
    hoist_order_signals *s =
        event == HOIST_ORDER_NONE // after a failure
            ? NULL
            : signals_of(o, epoch, kind, hoist_order_event_at(o, event)->process);
    if (!s) {
        return;
    }
    if (!hoist_grow(o->alloc, (void **)&s->events, &s->event_capacity, s->count + 1,
                    sizeof *s->events) ||
        !hoist_grow(o->alloc, (void **)&s->sums, &s->sum_capacity, s->count + 1, sizeof *s->sums)) {
        o->status = HOIST_NO_MEMORY;
        return;
    }
    hoist_order_epoch *e = hoist_order_epoch_at(o, epoch);
    e->totals[kind] = add_to_sum(o, e->totals[kind], amount);
    (void)add_to_sum(o, e->initial, e->totals[kind]); // no count is beyond this
    s->events[s->count] = event;
    s->sums[s->count] = add_to_sum(o, s->count > 0 ? s->sums[s->count - 1] : 0, amount);
    s->count++;
}

void hoist_order_signal(hoist_order *o, uint32_t event, hoist_ref semaphore, hoist_signal_op op,
                        int64_t value)
{
    if (o->observed) { // a wait comes after all that it has seen, whatever the amounts
        add_change(o, event, semaphore, HOIST_ORDER_ADD, 0);
        return;
    }
    if (op == HOIST_SIGNAL_SET) {
        o->monotone = false;
        begin_epoch(o, semaphore, event, value);
        return;
    }
    if (value == INT64_MIN) { // no count can change by that much
        o->overflows = true;
        return;
    }
    // A negative amount turns an add into a take and the other way round.
    const bool takes = (op == HOIST_SIGNAL_SUB) != (value < 0);
    o->monotone = o->monotone && !takes;
    add_change(o, event, semaphore, takes ? HOIST_ORDER_TAKE : HOIST_ORDER_ADD,
               value < 0 ? -value : value);
}

// Waits -----------------------------------------------------------------------------------------

// What the wait does to the semaphore.
static void change_then(hoist_order *o, uint32_t event, const hoist_process *process,
                        const hoist_prog_step *step)
{
    const hoist_ref semaphore = step->as.wait.semaphore;
    const int64_t value = hoist_process_value(o->machine, process, step->as.wait.then_value);
    switch (step->as.wait.then) {
    case HOIST_THEN_NOTHING:
        break;
    case HOIST_THEN_SUBTRACT:
        hoist_order_signal(o, event, semaphore, HOIST_SIGNAL_SUB, value);
        break;
    case HOIST_THEN_CLEAR:
        hoist_order_signal(o, event, semaphore, HOIST_SIGNAL_SET, 0);
        break;
    case HOIST_THEN_SET:
        hoist_order_signal(o, event, semaphore, HOIST_SIGNAL_SET, value);
        break;
    }
}

// In a run that is only observed: after the newest signal of each process. There are no epochs then
// but the first, whose number is the semaphore's.
static void join_seen(hoist_order *o, uint32_t event, hoist_ref semaphore)
{
    const hoist_order_signals *all = o->signals.items;
    for (uint32_t i = hoist_order_epoch_at(o, semaphore)->signals[HOIST_ORDER_ADD];
         i != HOIST_ORDER_NONE; i = all[i].next) {
        if (all[i].count > 0) {
            hoist_order_join(o, event, all[i].events[all[i].count - 1]);
        }
    }
}

void hoist_order_wait_for(hoist_order *o, uint32_t event, size_t process,
                          const hoist_prog_step *step)
{
    const hoist_process *p = &o->machine->processes[process];
    const hoist_ref semaphore = step->as.wait.semaphore;
    const hoist_order_wait wait = {.epoch = o->newest[semaphore],
                                   .compare = step->as.wait.compare,
                                   .value =
                                       hoist_process_value(o->machine, p, step->as.wait.value)};
    // Only waits for "at least" that change nothing pass in every order once they can pass.
    o->monotone = o->monotone && (wait.compare == HOIST_CMP_GE || wait.compare == HOIST_CMP_GT) &&
                  step->as.wait.then == HOIST_THEN_NOTHING;
    if (o->observed) {
        join_seen(o, event, semaphore);
    } else if (event != HOIST_ORDER_NONE && hoist_order_add(o, &o->waits, &wait)) {
        hoist_order_event_at(o, event)->wait = (uint32_t)(o->waits.count - 1);
    }
    // After the wait is noted, so that its own change is not among those that it waited for.
    change_then(o, event, p, step);
}

int64_t hoist_order_lowest(const hoist_order_wait *wait)
{
    switch (wait->compare) {
    case HOIST_CMP_EQ:
    case HOIST_CMP_GE:
        return wait->value;
    case HOIST_CMP_GT:
        return hoist_order_add_clamped(wait->value, 1);
    case HOIST_CMP_NE:
    case HOIST_CMP_LT:
    case HOIST_CMP_LE:
    case HOIST_CMP_COUNT:
        break;
    }
    return INT64_MIN;
}

int64_t hoist_order_highest(const hoist_order_wait *wait)
{
    switch (wait->compare) {
    case HOIST_CMP_EQ:
    case HOIST_CMP_LE:
        return wait->value;
    case HOIST_CMP_LT:
        return hoist_order_add_clamped(wait->value, -1);
    case HOIST_CMP_NE:
    case HOIST_CMP_GT:
    case HOIST_CMP_GE:
    case HOIST_CMP_COUNT:
        break;
    }
    return INT64_MAX;
}

// Sums ------------------------------------------------------------------------------------------

int64_t hoist_order_add_clamped(int64_t a, int64_t b)
{
    int64_t sum = 0;
    if (__builtin_add_overflow(a, b, &sum)) {
        return a < 0 ? INT64_MIN : INT64_MAX;
    }
    return sum;
}

// Bisection: `is_within` is true of the first events of a process and of no later ones.
int64_t hoist_order_sum(const hoist_order *o, const hoist_order_signals *s,
                        hoist_order_within is_within, const void *bound)
{
    size_t low = 0;
    size_t high = s->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (is_within(o, s->events[middle], bound)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0 ? s->sums[low - 1] : 0;
}

int64_t hoist_order_sum_all(const hoist_order *o, const hoist_order_epoch *epoch,
                            hoist_order_change kind, hoist_order_within is_within,
                            const void *bound)
{
    const hoist_order_signals *all = o->signals.items;
    int64_t sum = 0;
    for (uint32_t i = epoch->signals[kind]; i != HOIST_ORDER_NONE; i = all[i].next) {
        sum = hoist_order_add_clamped(sum, hoist_order_sum(o, &all[i], is_within, bound));
    }
    return sum;
}
