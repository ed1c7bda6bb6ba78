// The signals that can be without a wait, found anew only where they have changed since the wait of
// the same process before.
//
// A signal can be without a wait when its clock for the process of the wait is below the wait's
// index. In one pass such clocks only fall and the indices only rise, so that what can be without
// one wait can be without all later ones. The others lie in a heap by their clocks. A clock falls
// when the pass computes its row: these rows, in their order, are looked at once.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/order.h"
#include "machine/order_state.h"

// A signal, in the order of epochs, kinds and rows.
typedef struct change {
    uint32_t epoch;
    uint32_t kind;
    uint32_t row;
    uint32_t event;
    int64_t amount;
} change;

typedef struct heap_item {
    uint32_t clock;
    uint32_t change;
} heap_item;

static int by_row(const void *a, const void *b)
{
    const change *x = a;
    const change *y = b;
    // By epoch and kind, so that those of one are side by side; then by row, in the order of a
    // pass.
    int order = hoist_order_u64(x->epoch, y->epoch);
    order = order ? order : hoist_order_u64(x->kind, y->kind);
    order = order ? order : hoist_order_u64(x->row, y->row);
    // Ties by event, so that every sort gives one order.
    return order ? order : hoist_order_u64(x->event, y->event);
}

static const change *change_at(const hoist_order *o, uint32_t index)
{
    return (const change *)o->changes.items + index;
}

static void add_changes(hoist_order *o, uint32_t epoch, hoist_order_change kind)
{
    const hoist_order_signals *all = o->signals.items;
    for (uint32_t i = hoist_order_epoch_at(o, epoch)->signals[kind]; i != HOIST_ORDER_NONE;
         i = all[i].next) {
        for (size_t k = 0; k < all[i].count; k++) {
            const change new = {.epoch = epoch,
                                .kind = kind,
                                .row = hoist_order_event_at(o, all[i].events[k])->row,
                                .event = all[i].events[k],
                                // Sums are running totals.
                                .amount = all[i].sums[k] - (k > 0 ? all[i].sums[k - 1] : 0)};
            (void)hoist_order_add(o, &o->changes, &new);
        }
    }
}

void hoist_order_begin_independents(hoist_order *o)
{
    o->changes = (hoist_order_list){.size = sizeof(change)};
    o->independents = (hoist_order_list){.size = sizeof(hoist_order_independent)};
    o->fresh = (hoist_order_list){.size = sizeof(uint32_t)};
    hoist_map_init(&o->independent_of, o->alloc);
    for (uint32_t i = 0; i < o->epochs.count; i++) {
        for (hoist_order_change kind = HOIST_ORDER_ADD; kind < HOIST_ORDER_CHANGES; kind++) {
            add_changes(o, i, kind);
        }
    }
    change *const changes = o->changes.items;
    if (o->changes.count > 0) {
        qsort(changes, o->changes.count, sizeof *changes, by_row);
    }
    // first_change and end_change: the stretch of each epoch and kind in the sorted list.
    for (uint32_t i = 0; i < o->changes.count; i++) {
        hoist_order_epoch *epoch = hoist_order_epoch_at(o, changes[i].epoch);
        if (i == 0 || changes[i].epoch != changes[i - 1].epoch ||
            changes[i].kind != changes[i - 1].kind) {
            epoch->first_change[changes[i].kind] = i;
        }
        epoch->end_change[changes[i].kind] = i + 1;
    }
}

void hoist_order_end_independents(hoist_order *o)
{
    hoist_order_independent *all = o->independents.items;
    for (size_t i = 0; i < o->independents.count; i++) {
        hoist_order_free_list(o, &all[i].others);
    }
    hoist_order_free_list(o, &o->independents);
    hoist_order_free_list(o, &o->changes);
    hoist_order_free_list(o, &o->fresh);
    hoist_map_deinit(&o->independent_of);
}

// Heap ------------------------------------------------------------------------------------------

static void push(hoist_order *o, hoist_order_list *heap, heap_item new)
{
    if (!hoist_order_add(o, heap, &new)) {
        return;
    }
    heap_item *const items = heap->items;
    size_t at = heap->count - 1;
    // Sifts up: parents with a higher clock move down.
    for (; at > 0 && items[(at - 1) / 2].clock > new.clock; at = (at - 1) / 2) {
        items[at] = items[(at - 1) / 2];
    }
    items[at] = new;
}

// The one with the lowest clock.
static heap_item pop(hoist_order_list *heap)
{
    heap_item *const items = heap->items;
    const heap_item lowest = items[0];
    const heap_item moved = items[--heap->count];
    size_t at = 0;
    // Sifts the last item down from the root: a binary heap in an array.
    for (size_t child = 1; child < heap->count; child = 2 * at + 1) {
        child += child + 1 < heap->count && items[child + 1].clock < items[child].clock;
        if (items[child].clock >= moved.clock) {
            break;
        }
        items[at] = items[child];
        at = child;
    }
    items[at] = moved;
    return lowest;
}

// Finding ---------------------------------------------------------------------------------------

static hoist_order_independent *find(hoist_order *o, const hoist_order_key *key)
{
    size_t at = 0;
    const hoist_str text = {(const char *)key, sizeof *key};
    if (o->status != HOIST_OK) { // the map may have a key whose item found no memory
        return NULL;
    }
    if (!hoist_map_find(&o->independent_of, text, &at)) {
        const hoist_order_independent new = {.others = {.size = sizeof(heap_item)}};
        // The key is the caller's; the map borrows the copy in the arena.
        const hoist_str kept = hoist_arena_str(&o->keys, text);
        at = o->independents.count;
        if (!kept.data || hoist_map_add(&o->independent_of, kept, at, NULL) != HOIST_OK) {
            o->status = HOIST_NO_MEMORY;
        }
        if (!hoist_order_add(o, &o->independents, &new)) {
            return NULL;
        }
    }
    return (hoist_order_independent *)o->independents.items + at;
}

// Change `i`, whose clock is `clock`, and which the wait of that index was not known to be without.
static void place(hoist_order *o, hoist_order_independent *found, uint32_t i, uint32_t clock,
                  uint32_t index)
{
    const change *c = change_at(o, i);
    if (clock < index) {
        found->sum = hoist_order_add_clamped(found->sum, c->amount);
        // An amount of 0 helps no sum, so that a wait need not come after it.
        (void)(c->amount > 0 && hoist_order_add(o, &o->fresh, &c->event));
    } else if (clock != UINT32_MAX) { // that is nothing yet, or comes after everything
        push(o, &found->others, (heap_item){clock, i});
    }
}

// The first wait of a process in a pass.
static void begin(hoist_order *o, hoist_order_independent *found, const hoist_order_event *wait,
                  const hoist_order_epoch *epoch, hoist_order_change kind)
{
    // A pass recomputes the rows, so that all is found anew by the first wait of each process in
    // it.
    found->pass = o->pass;
    found->sum = 0;
    found->all_joined = true;
    found->others.count = 0;
    found->reached = epoch->first_change[kind];
    for (uint32_t i = epoch->first_change[kind]; i < epoch->end_change[kind]; i++) {
        // Rows below the wait's were computed in this pass already: their clocks are as low as they
        // get.
        found->reached += change_at(o, i)->row < wait->row;
        const uint32_t clock = hoist_order_clock(o, o->rows, change_at(o, i)->event, wait->process);
        place(o, found, i, clock, wait->index);
    }
}

// Rows that were computed since the wait before.
static void reach(hoist_order *o, hoist_order_independent *found, const hoist_order_event *wait,
                  uint32_t end)
{
    for (; found->reached < end && change_at(o, found->reached)->row < wait->row;
         found->reached++) {
        const uint32_t event = change_at(o, found->reached)->event;
        const uint32_t before = hoist_order_clock(o, o->rows_before, event, wait->process);
        const uint32_t now = hoist_order_clock(o, o->rows, event, wait->process);
        // It fell, and was not counted before: below the last wait's index it would have been.
        if (now != before && before >= found->index) {
            place(o, found, found->reached, now, wait->index);
        }
    }
}

hoist_order_independent *hoist_order_find_independent(hoist_order *o, const hoist_order_event *wait,
                                                      const hoist_order_epoch *epoch,
                                                      hoist_order_change kind)
{
    const uint32_t number = (uint32_t)(epoch - hoist_order_epoch_at(o, 0));
    hoist_order_independent *found =
        find(o, &(hoist_order_key){number, (uint32_t)kind, wait->process});
    o->fresh.count = 0;
    if (found && found->pass != o->pass) {
        begin(o, found, wait, epoch, kind);
    } else if (found) {
        reach(o, found, wait, epoch->end_change[kind]);
    }
    // Indices rise from wait to wait: what was too high for the last may fit this one.
    while (found && found->others.count > 0 &&
           ((const heap_item *)found->others.items)[0].clock < wait->index) {
        const heap_item item = pop(&found->others);
        const uint32_t event = change_at(o, item.change)->event;
        // A clock that fell is in the heap once more.
        if (hoist_order_clock(o, o->rows, event, wait->process) == item.clock) {
            place(o, found, item.change, item.clock, wait->index);
        }
    }
    if (found) {
        found->index = wait->index;
    }
    return o->status == HOIST_OK ? found : NULL;
}
