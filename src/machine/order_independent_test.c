// The signals that can be without a wait, found from what has changed, and by asking each signal:
// on random runs whose clocks fall from pass to pass.
#include <string.h>

#include "base/alloc.h"
#include "machine/order_state.h"
#include "testing/test.h"

enum {
    PROCESSES = 5,
    EVENTS = 60,
    SEMAPHORES = 2,
    SETS = 2,
    EPOCHS = SEMAPHORES + SETS,
    PASSES = 5
};

// What an event does.
typedef enum event_kind { WAIT, ADD, TAKE, SET } event_kind;

typedef struct event {
    event_kind kind;
    uint32_t epoch; // of an add or a take
    int64_t amount;
    bool begins_row;
} event;

typedef struct world {
    hoist_order order;
    hoist_program program;
    hoist_prog_semaphore semaphores[SEMAPHORES];
    uint32_t newest[SEMAPHORES];
    uint8_t disordered[SEMAPHORES];
    uint64_t seed;
    event events[EVENTS];
    // The signals that an earlier wait of a process can be without, in this pass.
    bool known[EPOCHS][HOIST_ORDER_CHANGES][PROCESSES][EVENTS];
    bool asked[EPOCHS][HOIST_ORDER_CHANGES][PROCESSES];
} world;

static uint32_t below(world *w, uint32_t limit)
{
    return (uint32_t)(hoist_test_random(&w->seed) % limit);
}

static void init_world(world *w, hoist_allocator alloc, uint64_t seed)
{
    *w = (world){.seed = seed};
    w->program.semaphores = w->semaphores;
    w->program.semaphore_count = SEMAPHORES;
    hoist_order *const o = &w->order;
    o->alloc = alloc;
    o->program = &w->program;
    o->newest = w->newest;
    o->disordered = w->disordered;
    o->process_count = PROCESSES;
    o->events.size = sizeof(hoist_order_event);
    o->signals.size = sizeof(hoist_order_signals);
    o->epochs.size = sizeof(hoist_order_epoch);
    hoist_map_init(&o->signal_lists, alloc);
    hoist_arena_init(&o->keys, alloc);
    hoist_rows_init(&o->clocks, alloc, PROCESSES);
    hoist_order_begin_semaphores(o);
}

static void deinit_world(world *w)
{
    hoist_order *const o = &w->order;
    hoist_order_free_semaphores(o);
    hoist_order_free_list(o, &o->signals);
    hoist_order_free_list(o, &o->epochs);
    hoist_order_free_list(o, &o->events);
    hoist_free(o->alloc, o->rows, (o->row_count + 1) * sizeof *o->rows);
    hoist_free(o->alloc, o->rows_before, (o->row_count + 1) * sizeof *o->rows);
    hoist_rows_deinit(&o->clocks);
}

// Appends an event of `process`; a wait, and the first one of a process, begins a row.
static void add_event(world *w, uint32_t process, event_kind kind, hoist_ref semaphore,
                      int64_t amount)
{
    static const hoist_signal_op ops[] = {
        [ADD] = HOIST_SIGNAL_ADD, [TAKE] = HOIST_SIGNAL_SUB, [SET] = HOIST_SIGNAL_SET};
    hoist_order *const o = &w->order;
    hoist_order_event new = {.process = process, .index = 1, .wait = HOIST_ORDER_NONE};
    bool begins = true;
    for (uint32_t i = 0; i < o->events.count; i++) {
        const hoist_order_event *e = hoist_order_event_at(o, i);
        if (e->process == process) {
            new.index = e->index + 1;
            new.row = e->row;
            begins = kind == WAIT;
        }
    }
    new.row = begins ? (uint32_t)o->row_count : new.row;
    const uint32_t at = (uint32_t)o->events.count;
    if (!hoist_order_add(o, &o->events, &new)) {
        return;
    }
    o->row_count += begins;
    w->events[at] = (event){kind, o->newest[semaphore], amount, begins};
    if (kind != WAIT) {
        hoist_order_signal(o, at, semaphore, ops[kind], amount);
    }
}

static void add_random_events(world *w)
{
    uint32_t sets = 0;
    for (uint32_t i = 0; i < EVENTS && w->order.status == HOIST_OK; i++) {
        static const event_kind kinds[] = {WAIT, WAIT, ADD, ADD, ADD, ADD, TAKE, TAKE, SET};
        event_kind kind = kinds[below(w, HOIST_COUNT_OF(kinds))];
        kind = kind == SET && sets == SETS ? ADD : kind;
        sets += kind == SET;
        add_event(w, below(w, PROCESSES), kind, below(w, SEMAPHORES), below(w, 4));
    }
}

static bool begin_rows(world *w)
{
    hoist_order *const o = &w->order;
    o->rows = hoist_alloc_zero(o->alloc, o->row_count + 1, sizeof *o->rows);
    o->rows_before = hoist_alloc_zero(o->alloc, o->row_count + 1, sizeof *o->rows);
    for (size_t i = 0; o->rows && i < o->row_count; i++) {
        o->rows[i] = HOIST_ROW_FULL;
    }
    return o->rows && o->rows_before;
}

// A row whose numbers are those of `row`, or, for some processes, lower ones.
static hoist_row lower_row(world *w, hoist_row row)
{
    hoist_rows *const clocks = &w->order.clocks;
    const bool stays = below(w, 3) == 0;
    hoist_row new = HOIST_ROW_ZERO;
    for (uint32_t p = 0; p < PROCESSES; p++) {
        const uint32_t before = hoist_row_get(clocks, row, p);
        const uint32_t number = below(w, EVENTS / PROCESSES + 4);
        const bool falls = !stays && number < before && below(w, 4) > 0;
        new = hoist_row_put(clocks, new, p, falls ? number : before);
    }
    hoist_row_keep(clocks);
    return new;
}

// The signals of one kind in one epoch, each asked whether it can be without the wait.
typedef struct answer {
    int64_t sum;
    size_t later;          // those that cannot, but have a clock
    size_t reached;        // those of rows before the wait's
    bool is_fresh[EVENTS]; // those that give something, and of which no wait before knew
    size_t fresh;
} answer;

static answer ask_each(world *w, const hoist_order_event *wait, uint32_t epoch,
                       hoist_order_change kind)
{
    const hoist_order *o = &w->order;
    answer a = {.sum = 0};
    for (uint32_t i = 0; i < o->events.count; i++) {
        const event *signal = &w->events[i];
        if (signal->kind != (kind == HOIST_ORDER_ADD ? ADD : TAKE) || signal->epoch != epoch) {
            continue;
        }
        bool *known = &w->known[epoch][kind][wait->process][i];
        const uint32_t clock = hoist_order_clock(o, o->rows, i, wait->process);
        a.reached += hoist_order_event_at(o, i)->row < wait->row;
        a.later += clock >= wait->index && clock != UINT32_MAX;
        if (clock < wait->index) {
            a.sum = hoist_order_add_clamped(a.sum, signal->amount);
            a.is_fresh[i] = !*known && signal->amount > 0;
            a.fresh += a.is_fresh[i];
            *known = true;
        }
    }
    return a;
}

// Asks both ways; `t` NULL: only for what it does with memory.
static void ask(hoist_test *t, world *w, const hoist_order_event *wait, uint32_t epoch,
                hoist_order_change kind)
{
    hoist_order *const o = &w->order;
    hoist_order_independent *found =
        hoist_order_find_independent(o, wait, hoist_order_epoch_at(o, epoch), kind);
    if (!t || !found) {
        return;
    }
    const answer each = ask_each(w, wait, epoch, kind);
    HOIST_EXPECT_EQ(t, found->sum, each.sum);
    HOIST_EXPECT_EQ(t, found->index, wait->index);
    HOIST_EXPECT_EQ(t, found->reached,
                    hoist_order_epoch_at(o, epoch)->first_change[kind] + each.reached);
    HOIST_EXPECT_EQ(t, o->fresh.count, each.fresh);
    bool seen[EVENTS] = {false};
    for (size_t i = 0; i < o->fresh.count; i++) {
        const uint32_t at = ((const uint32_t *)o->fresh.items)[i];
        HOIST_EXPECT(t, each.is_fresh[at] && !seen[at]);
        seen[at] = true;
    }
    bool *asked = &w->asked[epoch][kind][wait->process];
    if (!*asked) {
        HOIST_EXPECT_EQ(t, found->others.count, each.later);
        HOIST_EXPECT(t, found->all_joined);
    }
    HOIST_EXPECT(t, *asked || found->pass == o->pass);
    found->all_joined = false; // of this pass; the next one begins with true
    *asked = true;
}

static void pass_over(hoist_test *t, world *w)
{
    hoist_order *const o = &w->order;
    o->pass++;
    memset(w->known, 0, sizeof w->known);
    memset(w->asked, 0, sizeof w->asked);
    memcpy(o->rows_before, o->rows, o->row_count * sizeof *o->rows);
    for (uint32_t i = 0; i < o->events.count && o->status == HOIST_OK; i++) {
        const hoist_order_event *e = hoist_order_event_at(o, i);
        for (int k = 0; w->events[i].kind == WAIT && k < 3; k++) {
            ask(t, w, e, below(w, (uint32_t)o->epochs.count), below(w, HOIST_ORDER_CHANGES));
        }
        if (w->events[i].begins_row) {
            o->rows[e->row] = lower_row(w, o->rows[e->row]);
        }
    }
}

static hoist_status run_world(hoist_test *t, hoist_allocator alloc, uint64_t seed)
{
    static world w;
    init_world(&w, alloc, seed);
    add_random_events(&w);
    bool memory = begin_rows(&w);
    if (memory && w.order.status == HOIST_OK) {
        hoist_order_begin_independents(&w.order);
        for (uint32_t i = 0; i < PASSES && w.order.status == HOIST_OK; i++) {
            pass_over(t, &w);
        }
        hoist_order_end_independents(&w.order);
    }
    memory = memory && w.order.clocks.status == HOIST_OK;
    deinit_world(&w);
    return memory ? w.order.status : HOIST_NO_MEMORY;
}

HOIST_TEST(as_each_signal_says)
{
    for (uint64_t seed = 0; seed < HOIST_TEST_ROUNDS(400); seed++) {
        HOIST_EXPECT_EQ(t, run_world(t, hoist_allocator_system(), seed), HOIST_OK);
    }
}

static hoist_status run_starved(hoist_allocator alloc, const void *self)
{
    return run_world(NULL, alloc, *(const uint64_t *)self);
}

HOIST_TEST(no_memory)
{
    const uint64_t seed = 3;
    hoist_test_starve(t, run_starved, &seed);
}

// Two signals of the greatest number: their sum ends at it.
HOIST_TEST(sums_end_at_the_greatest_number)
{
    world w;
    init_world(&w, hoist_allocator_system(), 0);
    add_event(&w, 0, ADD, 0, INT64_MAX);
    add_event(&w, 1, ADD, 0, INT64_MAX);
    add_event(&w, 2, WAIT, 0, 0);
    HOIST_EXPECT(t, begin_rows(&w));
    w.order.rows[0] = HOIST_ROW_ZERO;
    w.order.rows[1] = HOIST_ROW_ZERO;
    w.order.pass = 1;
    hoist_order_begin_independents(&w.order);
    const hoist_order_independent *found =
        hoist_order_find_independent(&w.order, hoist_order_event_at(&w.order, 2),
                                     hoist_order_epoch_at(&w.order, 0), HOIST_ORDER_ADD);
    HOIST_EXPECT_EQ(t, found->sum, INT64_MAX);
    HOIST_EXPECT_EQ(t, w.order.fresh.count, 2);
    hoist_order_end_independents(&w.order);
    deinit_world(&w);
}

HOIST_TEST_MAIN(HOIST_TEST_ROW(as_each_signal_says), HOIST_TEST_ROW(no_memory),
                HOIST_TEST_ROW(sums_end_at_the_greatest_number))
