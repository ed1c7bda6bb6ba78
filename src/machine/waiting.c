// The processes that may be able to move, and the objects that the others wait for.
//
// A process that was found not to move is not asked again until what it waits for changes: it is in
// the list of that semaphore, fifo or unit, or of all collectives. To wake a process that still
// cannot move is no mistake, so that whatever may let it go on wakes it.
#include "base/alloc.h"
#include "base/assert.h"
#include "machine/state.h"

// One list per semaphore, per fifo and per unit, in this order, and the last for all collectives.
static size_t list_count(const hoist_program *program)
{
    return (size_t)program->semaphore_count + program->fifo_count + program->unit_count + 1;
}

// The list of those that wait for `object`; SIZE_MAX: only its own step, or a post, wakes it.
// Groups are numbers of the file's choice, not indices, hence one list for all of them.
static size_t list_of(const hoist_program *program, hoist_block_kind block, hoist_ref object)
{
    const size_t fifos = program->semaphore_count;
    const size_t units = fifos + program->fifo_count;
    switch (block) {
    case HOIST_BLOCK_NONE:
        break;
    case HOIST_BLOCK_SEMAPHORE:
        return object;
    case HOIST_BLOCK_FIFO_EMPTY:
    case HOIST_BLOCK_FIFO_FULL:
        return fifos + object;
    case HOIST_BLOCK_UNIT_FULL:
    case HOIST_BLOCK_DRAIN:
        return units + object;
    case HOIST_BLOCK_COLLECTIVE:
        return units + program->unit_count;
    }
    return SIZE_MAX;
}

hoist_status hoist_waits_init(hoist_machine *m)
{
    m->waiting = hoist_alloc_zero(m->alloc, list_count(m->program), sizeof *m->waiting);
    return m->waiting ? hoist_process_set_init(&m->ready, m->alloc, m->process_capacity)
                      : HOIST_NO_MEMORY;
}

void hoist_waits_deinit(hoist_machine *m)
{
    hoist_free(m->alloc, m->waiting, list_count(m->program) * sizeof *m->waiting);
    hoist_process_set_deinit(&m->ready, m->alloc);
}

// The lists may name processes of the run before at addresses that arrange() gave to others.
void hoist_waits_begin(hoist_machine *m)
{
    for (size_t i = 0; i < list_count(m->program); i++) {
        m->waiting[i] = NULL;
    }
    for (size_t i = 0; i < m->process_count; i++) {
        m->processes[i].list = SIZE_MAX;
    }
    m->waiting_count = 0;
    hoist_process_set_fill(&m->ready, m->process_count);
}

// One step may wait several times, when others are faster.
static void count_wait(hoist_machine *m, hoist_process *p, hoist_block_kind block)
{
    const bool is_full = block == HOIST_BLOCK_UNIT_FULL;
    if (!p->waited && (is_full || block == HOIST_BLOCK_DRAIN)) {
        p->waited = true;
        m->counts.full_waits += is_full;
        m->counts.idle_waits += !is_full;
    }
}

hoist_machine_counts hoist_machine_count(const hoist_machine *machine)
{
    return machine->counts;
}

void hoist_process_sleep(hoist_machine *m, size_t process, hoist_block_kind block, hoist_ref object)
{
    // Asleep already, and in the list of what it waits for.
    if (!hoist_process_set_has(&m->ready, process)) {
        return;
    }
    hoist_process_set_remove(&m->ready, process);
    hoist_process *const p = &m->processes[process];
    HOIST_ASSERT(p->list == SIZE_MAX);
    count_wait(m, p, block);
    p->list = list_of(m->program, block, object);
    if (p->list == SIZE_MAX) {
        return;
    }
    // Doubly linked through the states themselves: to wake one of them out of order takes constant
    // time and no memory.
    hoist_process **const first = &m->waiting[p->list];
    p->next = *first;
    p->previous = NULL;
    if (p->next) {
        p->next->previous = p;
    }
    *first = p;
    m->waiting_count++;
}

void hoist_process_wake(hoist_machine *m, size_t process)
{
    hoist_process *const p = &m->processes[process];
    if (p->busy) {
        return; // until its step is finished
    }
    hoist_process_set_add(&m->ready, process);
    if (p->list == SIZE_MAX) {
        return;
    }
    // The link that leads to it: of the one before, or the list's head.
    *(p->previous ? &p->previous->next : &m->waiting[p->list]) = p->next;
    if (p->next) {
        p->next->previous = p->previous;
    }
    p->list = SIZE_MAX;
    HOIST_ASSERT(m->waiting_count > 0);
    m->waiting_count--;
}

void hoist_waits_wake(hoist_machine *m, hoist_block_kind block, hoist_ref object)
{
    const size_t list = list_of(m->program, block, object);
    // Each wake takes the head off the list: none of them is busy, since a busy process is in no
    // list.
    while (m->waiting[list]) {
        hoist_process_wake(m, (size_t)(m->waiting[list] - m->processes));
    }
}

bool hoist_machine_ask(hoist_machine *machine, size_t process)
{
    const hoist_machine_event event = hoist_machine_peek(machine, process);
    const bool moves = event.kind != HOIST_EVENT_BLOCKED && event.kind != HOIST_EVENT_ENDED;
    if (!moves) {
        // Sleeping here saves the next caller the same question.
        hoist_process_sleep(machine, process, event.block, event.object);
    }
    return moves;
}

bool hoist_machine_next(const hoist_machine *machine, size_t from, size_t *out_process)
{
    const size_t count = hoist_process_set_count(&machine->ready);
    *out_process = 0;
    if (count == 0) {
        return false;
    }
    // Round robin: the rank of `from` is that of the first ready process at or after it.
    const size_t rank = hoist_process_set_rank(&machine->ready, from);
    *out_process = hoist_process_set_at(&machine->ready, rank < count ? rank : 0);
    return true;
}
