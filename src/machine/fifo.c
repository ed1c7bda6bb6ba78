// The pointers of one fifo: tests (may a step go on) and moves (what it changes), each a pure
// function of the state in hoist_fifo. Two policies of queues, strict and golden, and rams; the
// traces of buda-netlist reference section 10 are rows of fifo_test.c.
#include "machine/fifo.h"

#include "base/assert.h"

// Answers that need no text, by value.
static const hoist_fifo_result done = {HOIST_FIFO_DONE, NULL};
static const hoist_fifo_result waiting = {HOIST_FIFO_WAIT, NULL};

static hoist_fifo_result wrong(const char *fault)
{
    return (hoist_fifo_result){HOIST_FIFO_WRONG, fault};
}

static const char not_live[] = "the fifo is not allocated";

void hoist_fifo_init(hoist_fifo *fifo, const hoist_prog_fifo *def, uint8_t *written)
{
    HOIST_ASSERT(def->slots > 0 && written);
    *fifo = (hoist_fifo){.def = def, .state = {.live = !def->dynamic}, .written = written};
}

void hoist_fifo_begin_run(hoist_fifo *fifo)
{
    // Only the first HOIST_POINTER_BEGIN of a run sets the pointer without a pop.
    fifo->begun = false;
}

static bool is_ram(const hoist_fifo *fifo)
{
    return fifo->def->kind == HOIST_FIFO_RAM;
}

static bool is_golden(const hoist_fifo *fifo)
{
    return fifo->def->policy == HOIST_FIFO_GOLDEN;
}

// Pointers of a queue count modulo this.
static uint64_t ring(const hoist_fifo *fifo)
{
    return 2 * (uint64_t)fifo->def->slots;
}

uint64_t hoist_fifo_occupancy(const hoist_fifo *fifo)
{
    const uint64_t size = ring(fifo);
    // The golden policy can hold 2E entries, which 0 and 2E distinguish from none.
    if (is_golden(fifo) && fifo->state.read == 0 && fifo->state.write == size) {
        return size;
    }
    // The read pointer is reduced first, since 0 and 2E are one place.
    return (fifo->state.write + size - fifo->state.read % size) % size;
}

bool hoist_fifo_is_empty(const hoist_fifo *fifo)
{
    return hoist_fifo_occupancy(fifo) == 0;
}

bool hoist_fifo_is_full(const hoist_fifo *fifo)
{
    if (is_ram(fifo)) {
        return false;
    }
    // Twice the slots, so that equal pointers mean empty and E apart mean full.
    if (!is_golden(fifo)) {
        return hoist_fifo_occupancy(fifo) >= fifo->def->slots;
    }
    // The reference model's own test (`(rd = 0 and wr = 2E) or rd = wr + 1`), kept as it is: up to
    // 2E - 1 entries in E slots, of which later ones overwrite earlier ones.
    const hoist_fifo_state *s = &fifo->state;
    return (s->read == 0 && s->write == ring(fifo)) || s->read == s->write + 1;
}

bool hoist_fifo_was_written(const hoist_fifo *fifo, uint32_t slot)
{
    HOIST_ASSERT(slot < fifo->def->slots);
    return (fifo->written[slot / 8] >> (slot % 8) & 1) != 0;
}

void hoist_fifo_put(hoist_fifo *fifo, uint32_t slot)
{
    HOIST_ASSERT(slot < fifo->def->slots);
    fifo->written[slot / 8] = (uint8_t)(fifo->written[slot / 8] | 1U << (slot % 8));
}

// An advance leaves the pointer anywhere; the reference model sets 2E and more to 0 at the next
// use.
static uint64_t local_now(const hoist_fifo *fifo)
{
    return fifo->state.local >= ring(fifo) ? 0 : fifo->state.local;
}

uint32_t hoist_fifo_read_slot(const hoist_fifo *fifo)
{
    const uint64_t at = is_ram(fifo) ? fifo->state.read : local_now(fifo);
    return (uint32_t)(at % fifo->def->slots);
}

uint32_t hoist_fifo_write_slot(const hoist_fifo *fifo)
{
    return (uint32_t)(fifo->state.write % fifo->def->slots);
}

hoist_fifo_result hoist_fifo_reserve(const hoist_fifo *fifo)
{
    if (!fifo->state.live) {
        return wrong(not_live);
    }
    return hoist_fifo_is_full(fifo) ? waiting : done;
}

hoist_fifo_result hoist_fifo_await(const hoist_fifo *fifo)
{
    if (!fifo->state.live) {
        return wrong(not_live);
    }
    // A ram's slots have no order in which they become available.
    if (is_ram(fifo)) {
        return done;
    }
    // Entries from the global read pointer on: the local one may be ahead of it by entries that are
    // read and not yet popped.
    const uint64_t there = hoist_fifo_occupancy(fifo);
    if (is_golden(fifo)) {
        // Looser than strict: any entry at all lets the read go on, provided that its slot has
        // data.
        if (there == 0) {
            return waiting;
        }
        return hoist_fifo_was_written(fifo, hoist_fifo_read_slot(fifo))
                   ? done
                   : wrong("the slot at the local pointer was never written");
    }
    const uint64_t size = ring(fifo);
    // How many unpopped entries the local pointer has passed.
    const uint64_t ahead = (local_now(fifo) + size - fifo->state.read % size) % size;
    return ahead < there ? done : waiting;
}

// One entry into a queue that is not full. Its slot is the one at the pointer before the move.
static void push_one(hoist_fifo *fifo)
{
    HOIST_ASSERT(!is_ram(fifo) && !hoist_fifo_is_full(fifo));
    hoist_fifo_put(fifo, hoist_fifo_write_slot(fifo));
    // Pointers that are at the end go to the start before they move; so does a read pointer that
    // a pop left there (C05).
    if (fifo->state.write == ring(fifo)) {
        fifo->state.write = 0;
    }
    if (fifo->state.read == ring(fifo)) {
        fifo->state.read = 0;
    }
    fifo->state.write++;
    if (!is_golden(fifo)) {
        fifo->state.write %= ring(fifo);
    }
}

hoist_fifo_result hoist_fifo_push(hoist_fifo *fifo, int64_t count)
{
    if (!fifo->state.live) {
        return wrong(not_live);
    }
    if (count < 0) {
        return wrong("the count of a push is negative");
    }
    if (is_ram(fifo)) {
        hoist_fifo_put(fifo, hoist_fifo_write_slot(fifo));
        // A count beyond the slots wraps, also in one push; the entry is at the slot before the
        // move.
        fifo->state.write = (fifo->state.write + (uint64_t)count) % fifo->def->slots;
        return done;
    }
    // A fifo fills up after 2 * slots iterations at the latest.
    for (int64_t i = 0; i < count; i++) {
        if (hoist_fifo_is_full(fifo)) {
            return wrong("push into a full fifo");
        }
        push_one(fifo);
    }
    return done;
}

hoist_fifo_result hoist_fifo_advance(hoist_fifo *fifo, int64_t count)
{
    if (!fifo->state.live) {
        return wrong(not_live);
    }
    if (count < 0) {
        return wrong("the count of an advance is negative");
    }
    if (is_ram(fifo)) {
        fifo->state.read = (fifo->state.read + (uint64_t)count) % fifo->def->slots;
    } else {
        // Not reduced: 2E and more read as 0 (local_now()), which is the reference model's reset.
        fifo->state.local = local_now(fifo) + (uint64_t)count;
    }
    return done;
}

// Takes one entry from a queue that is not empty.
static void pop_one(hoist_fifo *fifo)
{
    HOIST_ASSERT(!is_ram(fifo) && !hoist_fifo_is_empty(fifo));
    hoist_fifo_state *s = &fifo->state;
    if (s->read == ring(fifo)) {
        s->read = 0;
    }
    s->read++;
    if (!is_golden(fifo)) {
        s->read %= ring(fifo);
        // The pop of the reference model: read and write both at 2E, write goes to 0.
    } else if (s->read == ring(fifo) && s->write == ring(fifo)) {
        s->write = 0;
    }
}

hoist_fifo_result hoist_fifo_pop(hoist_fifo *fifo, int64_t count)
{
    if (!fifo->state.live) {
        return wrong(not_live);
    }
    if (count < 0) {
        return wrong("the count of a pop is negative");
    }
    // A ram has one read pointer, so that a pop and an advance are the same.
    if (is_ram(fifo)) {
        return hoist_fifo_advance(fifo, count);
    }
    for (int64_t i = 0; i < count; i++) {
        if (hoist_fifo_is_empty(fifo)) {
            return wrong("pop from an empty fifo");
        }
        pop_one(fifo);
    }
    return done;
}

hoist_fifo_result hoist_fifo_host_pop(hoist_fifo *fifo)
{
    const hoist_fifo_result result = hoist_fifo_pop(fifo, 1);
    // The host keeps no local pointer of its own: it reads the oldest entry and pops it at once.
    if (result.answer == HOIST_FIFO_DONE) {
        fifo->state.local = fifo->state.read;
    }
    return result;
}

// Which half of the ring a read pointer is in; 2E, as the reference model has it, is in the lower.
static bool is_upper(const hoist_fifo *fifo, uint64_t pointer)
{
    return pointer >= fifo->def->slots && pointer != ring(fifo);
}

// Raising the read pointer is the pop. When it goes over to the other half it pops everything,
// unless entries are left after it.
static void set_read(hoist_fifo *fifo, uint64_t value)
{
    HOIST_ASSERT(!is_ram(fifo));
    hoist_fifo_state *s = &fifo->state;
    const uint64_t size = ring(fifo);
    const bool crossed = is_upper(fifo, value) != is_upper(fifo, s->read % size);
    s->read = value % size;
    // Nothing is left over: the write pointer is not ahead in the new half.
    if (crossed && s->read >= s->write % size) {
        s->write = s->read;
    }
}

// Also of a fifo that is not allocated: programs step the variables of queues that they have freed.
hoist_fifo_result hoist_fifo_set_pointer(hoist_fifo *fifo, hoist_fifo_pointer pointer,
                                         int64_t value)
{
    if (value < 0) {
        return wrong("a pointer is set to a negative value");
    }
    const uint64_t at = (uint64_t)value;
    // `begun` is not asked of a ram: its pointers are plain indices and nothing is ever popped.
    hoist_fifo_state *s = &fifo->state;
    if (is_ram(fifo)) {
        if (at >= fifo->def->slots) {
            return wrong("the pointer of a ram is set beyond its slots");
        }
        *(pointer == HOIST_POINTER_WRITE ? &s->write : &s->read) = at;
    } else if (pointer == HOIST_POINTER_READ || (pointer == HOIST_POINTER_BEGIN && fifo->begun)) {
        set_read(fifo, at);
    } else if (pointer == HOIST_POINTER_BEGIN) {
        fifo->begun = true;
        s->read = at % ring(fifo);
    } else {
        *(pointer == HOIST_POINTER_WRITE ? &s->write : &s->local) = at % ring(fifo);
    }
    return done;
}

hoist_fifo_result hoist_fifo_zero(const hoist_fifo *fifo)
{
    return fifo->state.live ? done : wrong(not_live);
}

hoist_fifo_result hoist_fifo_allocate(hoist_fifo *fifo)
{
    if (!fifo->def->dynamic || fifo->state.live) {
        return wrong("the fifo is allocated already");
    }
    // Section 2.8, allocate_queue: resets pointers and keeps the old slots.
    fifo->state = (hoist_fifo_state){.live = true};
    return done;
}

hoist_fifo_result hoist_fifo_free(hoist_fifo *fifo)
{
    if (!fifo->def->dynamic || !fifo->state.live) {
        return wrong(fifo->def->dynamic ? not_live : "a fifo that is not dynamic is freed");
    }
    fifo->state.live = false;
    return done;
}
