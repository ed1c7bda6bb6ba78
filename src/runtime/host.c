// The caller's side: push, pop, read and write by name. A call that has to wait gives up the lock
// while an entry runs; carry.c converts, store.c has the memory, ports.c the names.
#include <string.h>

#include "base/assert.h"
#include "kernels/move.h"
#include "runtime/carry.h"
#include "runtime/ports.h"
#include "runtime/run_end.h"
#include "runtime/session.h"

// The port of a name, and which of the three kinds it is.
static hoist_status find_port(hoist_session *s, const char *name, hoist_port_at *out_at)
{
    size_t index = 0;
    *out_at = (hoist_port_at){0, HOIST_NO_REF, HOIST_NO_REF, HOIST_NO_REF};
    if (!hoist_program_find_port(s->program, hoist_str_from(name), &index)) {
        return HOIST_NOT_FOUND;
    }
    *out_at = hoist_port_find(s->program, index);
    return HOIST_OK;
}

// The status of the run that a caller depends on: a failed or stopped one gives nothing any more.
static hoist_status standing(hoist_session *s)
{
    // Why a session has to stop is a better answer than how its last run ended.
    const hoist_status stopped = hoist_session_stopped(s);
    if (stopped != HOIST_OK) {
        return stopped;
    }
    if (!s->running && s->outcome == HOIST_CANCELLED) {
        return HOIST_CANCELLED;
    }
    return s->running || s->outcome == HOIST_OK ? HOIST_OK : HOIST_INVALID;
}

// An entry as its caller gives or takes it: an array of one type.
typedef struct host_entry {
    hoist_dtype dtype;
    size_t size;
    const uint8_t *from; // pushes
    uint8_t *to;         // pops
} host_entry;

// One side of a queue, as its callers take it.
typedef struct queue_side {
    bool is_push;
    uint8_t bit; // in hoist_session.host_sides
    bool (*begin)(hoist_machine *machine, hoist_ref fifo, uint32_t *out_slot);
    void (*end)(hoist_machine *machine, hoist_ref fifo);
} queue_side;

static const queue_side pushes = {true, HOIST_HOST_PUSHES, hoist_machine_host_push_begin,
                                  hoist_machine_host_push_end};
static const queue_side pops = {false, HOIST_HOST_POPS, hoist_machine_host_pop_begin,
                                hoist_machine_host_pop_end};

// Takes a slot when no other caller is at this side of the queue: the next one would be the same.
static bool try_slot(hoist_session *s, hoist_ref fifo, const queue_side *side, uint32_t *out_slot)
{
    HOIST_ASSERT(fifo < s->program->fifo_count);
    if ((s->host_sides[fifo] & side->bit) || !side->begin(s->machine, fifo, out_slot)) {
        return false;
    }
    s->host_sides[fifo] |= side->bit;
    s->host_at_work++;
    return true;
}

// Waits for a slot. Holds the lock.
static hoist_status wait_for_slot(hoist_session *s, hoist_ref fifo, const queue_side *side,
                                  double timeout, uint32_t *out_slot)
{
    const double deadline = timeout < 0 ? -1 : hoist_now() + timeout;
    while (!try_slot(s, fifo, side, out_slot)) {
        // A run that has failed will give or take nothing: waiting for it would never end.
        HOIST_TRY(standing(s));
        if (!hoist_session_wait(s, &s->changed, deadline)) {
            // The last look, as the entry may have come while the time ran out.
            return try_slot(s, fifo, side, out_slot) ? HOIST_OK : HOIST_LIMIT;
        }
    }
    return HOIST_OK;
}

// The caller is done with its side: others may be at it, and what was stuck may go on.
static void end_host(hoist_session *s, hoist_ref fifo, const queue_side *side)
{
    HOIST_ASSERT((s->host_sides[fifo] & side->bit) && s->host_at_work > 0);
    s->host_sides[fifo] = (uint8_t)(s->host_sides[fifo] & ~side->bit);
    s->host_at_work--;
    s->stuck = false;
    hoist_session_wake(s);
}

// Unknown bytes of a slot, as the caller gets it.
static uint64_t unknown_of_slot(hoist_session *s, hoist_ref fifo, uint32_t slot)
{
    HOIST_ASSERT(slot < s->program->fifos[fifo].slots);
    if (s->store.fifos[fifo].tile_count) {
        const hoist_tiles tiles = hoist_shadow_slot_tiles(&s->store, fifo, slot);
        return hoist_shadow_count_tiles(&s->shadow, &tiles);
    }
    const hoist_view view = hoist_shadow_slot_view(&s->store, fifo, slot);
    return hoist_shadow_count(&s->shadow, &view);
}

// What the caller gave is known. Nothing is made, so nothing can fail.
static void slot_is_known(hoist_session *s, hoist_ref fifo, uint32_t slot)
{
    HOIST_ASSERT(slot < s->program->fifos[fifo].slots);
    if (s->store.fifos[fifo].tile_count) {
        const hoist_tiles tiles = hoist_shadow_slot_tiles(&s->store, fifo, slot);
        hoist_shadow_clear_tiles(&s->shadow, &tiles);
    } else {
        const hoist_view view = hoist_shadow_slot_view(&s->store, fifo, slot);
        hoist_shadow_clear(&s->shadow, &view);
    }
}

// Marks of an entry that went through: what is pushed is known, what is popped is counted.
static void note_entry(hoist_session *s, hoist_ref fifo, uint32_t slot, bool is_push)
{
    if (!hoist_shadow_is_open(&s->shadow)) {
        return;
    }
    if (is_push) {
        slot_is_known(s, fifo, slot);
    } else {
        s->shadow.popped[fifo] += unknown_of_slot(s, fifo, slot);
    }
}

// Moves an entry through one side of a queue. Holds the lock, but not while it converts.
static hoist_status move_entry(hoist_session *s, hoist_ref fifo, const queue_side *side,
                               const host_entry *entry, double timeout)
{
    uint32_t slot = 0;
    // What a run left in its outputs can be popped however it ended.
    HOIST_TRY(side->is_push ? standing(s) : HOIST_OK);
    HOIST_TRY(wait_for_slot(s, fifo, side, timeout, &slot));
    HOIST_ASSERT(slot < s->program->fifos[fifo].slots);
    s->input_ended[fifo] = s->input_ended[fifo] && !side->is_push;
    hoist_profiler *profiler = s->profiler;
    // The slot is the caller's until the end: neither steps nor other callers touch it.
    (void)pthread_mutex_unlock(&s->lock);
    const double began = profiler ? hoist_now() : 0;
    const hoist_status status = side->is_push
                                    ? hoist_carry_in(&s->store, fifo, slot, entry->dtype,
                                                     (hoist_bytes){entry->from, entry->size})
                                    : hoist_carry_out(&s->store, fifo, slot, entry->dtype,
                                                      (hoist_mut_bytes){entry->to, entry->size});
    const double seconds = profiler ? hoist_now() - began : 0;
    (void)pthread_mutex_lock(&s->lock);
    if (profiler) {
        hoist_profiler_host(profiler, side->is_push, entry->size, began, seconds);
    }
    // An entry that could not be converted is not there; the slot stays as it was.
    if (status == HOIST_OK) {
        note_entry(s, fifo, slot, side->is_push);
        side->end(s->machine, fifo);
    }
    end_host(s, fifo, side);
    return status;
}

// Finds the queue of the name, verifies the array against it, and moves the entry.
static hoist_status move_named(hoist_session *s, const char *name, const queue_side *side,
                               const host_entry *entry, double timeout)
{
    hoist_port_at at;
    HOIST_TRY(find_port(s, name, &at));
    const hoist_prog_fifo *row = at.fifo == HOIST_NO_REF ? NULL : &s->program->fifos[at.fifo];
    if (!row || row->kind != HOIST_FIFO_QUEUE ||
        !(side->is_push ? row->host_push : row->host_pop)) {
        return HOIST_NOT_FOUND;
    }
    HOIST_TRY(hoist_carry_check(s->program, at.fifo, side->is_push, entry->dtype, entry->size));
    (void)pthread_mutex_lock(&s->lock);
    const hoist_status status = move_entry(s, at.fifo, side, entry, timeout);
    (void)pthread_mutex_unlock(&s->lock);
    return status;
}

hoist_status hoist_session_push(hoist_session *session, const char *name, hoist_dtype dtype,
                                hoist_bytes elements, double timeout)
{
    const host_entry entry = {dtype, elements.size, elements.data, NULL};
    return move_named(session, name, &pushes, &entry, timeout);
}

hoist_status hoist_session_pop(hoist_session *session, const char *name, hoist_dtype dtype,
                               hoist_mut_bytes elements, double timeout)
{
    const host_entry entry = {dtype, elements.size, NULL, elements.data};
    return move_named(session, name, &pops, &entry, timeout);
}

// Slots by number ------------------------------------------------------------------------------

// Between these two the tensors are the caller's: nothing runs, and no run begins. What a run left
// can be read however it ended.
static hoist_status begin_access(hoist_session *s, bool writes)
{
    (void)pthread_mutex_lock(&s->lock);
    const bool free = !s->running && !hoist_session_is_busy(s);
    // Writing is for a next run, which there is only when none has failed.
    const hoist_status status = !free ? HOIST_BUSY : writes ? standing(s) : HOIST_OK;
    s->host_reads += status == HOIST_OK;
    (void)pthread_mutex_unlock(&s->lock);
    return status;
}

// `fifo`: whose slot was written; HOIST_NO_REF: none was.
static void end_access(hoist_session *s, hoist_ref fifo, uint32_t slot)
{
    (void)pthread_mutex_lock(&s->lock);
    if (fifo != HOIST_NO_REF) {
        note_entry(s, fifo, slot, true);
        hoist_machine_host_write(s->machine, fifo, slot);
    }
    HOIST_ASSERT(s->host_reads > 0);
    s->host_reads--;
    hoist_session_wake(s);
    (void)pthread_mutex_unlock(&s->lock);
}

// A named buffer or view as elements of its own type, and the caller's dense elements next to it.
typedef struct named_elements {
    hoist_view own;
    hoist_view callers;
} named_elements;

// A buffer without a type is its bytes. A row of either kind verifies: its memory is there.
static hoist_status find_own(hoist_session *s, hoist_port_at at, hoist_view *out)
{
    const hoist_program *p = s->program;
    if (at.view != HOIST_NO_REF) {
        const hoist_prog_port *row = &p->ports[at.view];
        const hoist_prog_layout *layout = &p->layouts[row->layout];
        // A view of the program's ports: part of a buffer, with strides.
        return hoist_view_init(s->store.buffers[row->buffer], row->dtype, &layout->shape,
                               (int64_t)row->offset, layout->stride, out);
    }
    const hoist_prog_buffer *row = &p->buffers[at.buffer];
    const hoist_mut_bytes memory = s->store.buffers[at.buffer];
    const hoist_dtype own = row->typed ? row->dtype : HOIST_DTYPE_U8;
    // As many elements as the memory has, whatever shape steps see in it.
    const hoist_shape shape = {.rank = 1,
                               .dim = {(int64_t)(memory.size / (hoist_dtype_get(own)->bits / 8))}};
    return memory.data ? hoist_view_init(memory, own, &shape, 0, NULL, out) : HOIST_INVALID;
}

// The caller's elements may be float32 whatever the port's are, unless it is plain bytes.
static hoist_status find_elements(hoist_session *s, hoist_port_at at, hoist_dtype dtype,
                                  hoist_mut_bytes elements, named_elements *out)
{
    const bool typed = at.view != HOIST_NO_REF || s->program->buffers[at.buffer].typed;
    HOIST_TRY(find_own(s, at, &out->own));
    // The caller's array is dense, and of exactly as many elements.
    const size_t count = (size_t)hoist_shape_count(&out->own.shape);
    if ((dtype != out->own.dtype && (dtype != HOIST_DTYPE_F32 || !typed)) ||
        elements.size != count * (hoist_dtype_get(dtype)->bits / 8)) {
        return HOIST_INVALID;
    }
    return hoist_view_init(elements, dtype, &out->own.shape, 0, NULL, &out->callers);
}

// `known`: what is known now; NULL: nothing new.
static hoist_status move_elements(hoist_session *s, const hoist_view *from, const hoist_view *to,
                                  const hoist_view *known)
{
    const hoist_view_move move = {.destination = *to, .sources = from, .source_count = 1};
    HOIST_TRY(begin_access(s, known != NULL));
    const hoist_status status = hoist_move_views(s->moves, &move, s->alloc);
    // begin_access() has kept runs away: only other callers may be at the marks.
    if (known && status == HOIST_OK) {
        (void)pthread_mutex_lock(&s->lock);
        hoist_shadow_clear(&s->shadow, known);
        (void)pthread_mutex_unlock(&s->lock);
    }
    end_access(s, HOIST_NO_REF, 0);
    return status;
}

// The buffer in which a port's elements are.
static hoist_ref buffer_of(const hoist_session *s, hoist_port_at at)
{
    return at.view != HOIST_NO_REF ? s->program->ports[at.view].buffer : at.buffer;
}

// Writes a buffer or view, which has one slot.
static hoist_status write_elements(hoist_session *s, hoist_port_at at, uint32_t slot,
                                   hoist_dtype dtype, hoist_bytes elements)
{
    named_elements views;
    if (slot != 0) {
        return HOIST_INVALID;
    }
    // Views are of bytes that may be written; these are only read.
    const hoist_mut_bytes bytes = {(uint8_t *)(uintptr_t)elements.data, elements.size};
    HOIST_TRY(find_elements(s, at, dtype, bytes, &views));
    // What is of another home is used in another process; a value that shares memory, by no one.
    const hoist_ref root = hoist_prog_root(s->program, buffer_of(s, at), NULL);
    if (hoist_remote_has(s->remote, buffer_of(s, at)) &&
        s->store.shared[root] != HOIST_SHARE_VALUE) {
        HOIST_TRY(move_elements(s, &views.callers, &views.own, &views.own));
    }
    (void)pthread_mutex_lock(&s->lock);
    // The input counts as given also where no step of this process reads it.
    s->given[at.index] = true;
    (void)pthread_mutex_unlock(&s->lock);
    return HOIST_OK;
}

// The reverse, of ports that the session keeps until they are read.
static hoist_status read_elements(hoist_session *s, hoist_port_at at, uint32_t slot,
                                  hoist_dtype dtype, hoist_mut_bytes elements)
{
    named_elements views;
    if (slot != 0) {
        return HOIST_INVALID;
    }
    // The session was opened for other results: the memory of this one may be used again.
    if (at.view != HOIST_NO_REF && s->is_read && !s->is_read[at.view]) {
        return HOIST_NOT_FOUND;
    }
    HOIST_TRY(find_elements(s, at, dtype, elements, &views));
    return move_elements(s, &views.own, &views.callers, NULL);
}

hoist_status hoist_session_write(hoist_session *session, const char *name, uint32_t slot,
                                 hoist_dtype dtype, hoist_bytes elements)
{
    hoist_port_at at;
    HOIST_TRY(find_port(session, name, &at));
    if (at.fifo == HOIST_NO_REF) {
        return write_elements(session, at, slot, dtype, elements);
    }
    const hoist_prog_fifo *row = &session->program->fifos[at.fifo];
    // Slots of a queue are given by pushes only.
    if (slot >= row->slots || row->kind != HOIST_FIFO_RAM) {
        return HOIST_INVALID;
    }
    HOIST_TRY(hoist_carry_check(session->program, at.fifo, true, dtype, elements.size));
    HOIST_TRY(begin_access(session, true));
    const hoist_status status = hoist_carry_in(&session->store, at.fifo, slot, dtype, elements);
    end_access(session, status == HOIST_OK ? at.fifo : HOIST_NO_REF, slot);
    return status;
}

hoist_status hoist_session_read(hoist_session *session, const char *name, uint32_t slot,
                                hoist_dtype dtype, hoist_mut_bytes elements)
{
    hoist_port_at at;
    HOIST_TRY(find_port(session, name, &at));
    if (at.fifo == HOIST_NO_REF) {
        return read_elements(session, at, slot, dtype, elements);
    }
    if (slot >= session->program->fifos[at.fifo].slots) {
        return HOIST_INVALID;
    }
    const hoist_store_fifo *memory = &session->store.fifos[at.fifo];
    if (memory->entries || memory->slots < session->program->fifos[at.fifo].slots) {
        return HOIST_NOT_FOUND; // what it was has perhaps changed since
    }
    HOIST_TRY(hoist_carry_check(session->program, at.fifo, false, dtype, elements.size));
    HOIST_TRY(begin_access(session, false));
    const hoist_status status = hoist_carry_out(&session->store, at.fifo, slot, dtype, elements);
    end_access(session, HOIST_NO_REF, 0);
    return status;
}

// How many bytes of a port are unknown, or of a fifo were when they were popped.
static hoist_status unknown_of(hoist_session *s, hoist_port_at at, uint32_t slot,
                               uint64_t *out_bytes)
{
    const hoist_prog_fifo *row = at.fifo == HOIST_NO_REF ? NULL : &s->program->fifos[at.fifo];
    const bool popped = row && slot == HOIST_POPPED;
    if (!popped && slot >= (row ? row->slots : 1)) {
        return HOIST_INVALID;
    }
    // No byte was ever unknown.
    if (!hoist_shadow_is_open(&s->shadow)) {
        return HOIST_OK;
    }
    if (row) {
        *out_bytes = popped ? s->shadow.popped[at.fifo] : unknown_of_slot(s, at.fifo, slot);
        return HOIST_OK;
    }
    hoist_view view;
    HOIST_TRY(find_own(s, at, &view));
    *out_bytes = hoist_shadow_count(&s->shadow, &view);
    return HOIST_OK;
}

hoist_status hoist_session_unknown(hoist_session *session, const char *name, uint32_t slot,
                                   uint64_t *out_bytes)
{
    hoist_port_at at;
    *out_bytes = 0;
    HOIST_TRY(find_port(session, name, &at));
    (void)pthread_mutex_lock(&session->lock);
    const hoist_status status = session->running || hoist_session_is_busy(session)
                                    ? HOIST_BUSY
                                    : unknown_of(session, at, slot, out_bytes);
    (void)pthread_mutex_unlock(&session->lock);
    return status;
}

// Slots of a ram that were ever written.
static uint32_t written_slots(hoist_session *s, hoist_ref fifo)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->program->fifos[fifo].slots; i++) {
        count += hoist_machine_slot_written(s->machine, fifo, i);
    }
    return count;
}

uint32_t hoist_session_available(hoist_session *session, const char *name)
{
    hoist_port_at at;
    if (find_port(session, name, &at) != HOIST_OK) {
        return 0;
    }
    // Buffers and views have their one slot at any time.
    if (at.fifo == HOIST_NO_REF) {
        return 1;
    }
    (void)pthread_mutex_lock(&session->lock);
    const bool ram = session->program->fifos[at.fifo].kind == HOIST_FIFO_RAM;
    const uint32_t count = ram ? written_slots(session, at.fifo)
                               : (uint32_t)hoist_machine_host_available(session->machine, at.fifo);
    (void)pthread_mutex_unlock(&session->lock);
    return count;
}
