// The caller's side: push, pop, read and write by name. The lock is given up while an entry is
// converted; the machine's begin and end keep the slot the caller's meanwhile.
#include <string.h>

#include "runtime/carry.h"
#include "runtime/ports.h"
#include "runtime/session.h"

static hoist_status find_port(hoist_session *s, const char *name, hoist_port_at *out_at)
{
    size_t index = 0;
    *out_at = (hoist_port_at){HOIST_NO_REF, HOIST_NO_REF};
    if (!hoist_map_find(&s->ports, hoist_str_from(name), &index)) {
        return HOIST_NOT_FOUND;
    }
    *out_at = hoist_port_find(s->program, index);
    return HOIST_OK;
}

static hoist_status find_fifo(hoist_session *s, const char *name, hoist_ref *out_fifo)
{
    hoist_port_at at;
    HOIST_TRY(find_port(s, name, &at));
    *out_fifo = at.fifo;
    return at.fifo == HOIST_NO_REF ? HOIST_NOT_FOUND : HOIST_OK;
}

// How the run that a caller depends on stands: a failed or cancelled one gives nothing any more.
static hoist_status standing(hoist_session *s)
{
    if (atomic_load_explicit(&s->cancel, memory_order_relaxed)) {
        return HOIST_CANCELLED;
    }
    return s->running ? HOIST_OK : s->outcome;
}

typedef bool begin_fn(hoist_machine *machine, hoist_ref fifo, uint32_t *out_slot);

// Waits until `begin` gives a slot. Holds the lock.
static hoist_status wait_for_slot(hoist_session *s, hoist_ref fifo, begin_fn *begin, double timeout,
                                  uint32_t *out_slot)
{
    const double deadline = timeout < 0 ? -1 : hoist_now() + timeout;
    while (!begin(s->machine, fifo, out_slot)) {
        HOIST_TRY(standing(s));
        if (!hoist_session_wait(s, deadline)) {
            return begin(s->machine, fifo, out_slot) ? HOIST_OK : HOIST_LIMIT;
        }
    }
    return HOIST_OK;
}

static void end_host(hoist_session *s)
{
    s->host_at_work--;
    s->stuck = false;
    (void)pthread_cond_broadcast(&s->changed);
}

static hoist_status push(hoist_session *s, hoist_ref fifo, hoist_dtype dtype, hoist_bytes elements,
                         double timeout)
{
    uint32_t slot = 0;
    HOIST_TRY(wait_for_slot(s, fifo, hoist_machine_host_push_begin, timeout, &slot));
    s->host_at_work++;
    s->input_ended[fifo] = false;
    (void)pthread_mutex_unlock(&s->lock);
    const hoist_status status = hoist_carry_in(&s->store, fifo, slot, dtype, elements);
    (void)pthread_mutex_lock(&s->lock);
    if (status == HOIST_OK) {
        hoist_machine_host_push_end(s->machine, fifo);
    }
    end_host(s);
    return status;
}

hoist_status hoist_session_push(hoist_session *session, const char *name, hoist_dtype dtype,
                                hoist_bytes elements, double timeout)
{
    hoist_ref fifo = HOIST_NO_REF;
    HOIST_TRY(find_fifo(session, name, &fifo));
    if (!session->program->fifos[fifo].host_push) {
        return HOIST_NOT_FOUND;
    }
    HOIST_TRY(hoist_carry_check(session->program, fifo, true, dtype, elements.size));
    (void)pthread_mutex_lock(&session->lock);
    const hoist_status status = push(session, fifo, dtype, elements, timeout);
    (void)pthread_mutex_unlock(&session->lock);
    return status;
}

static hoist_status pop(hoist_session *s, hoist_ref fifo, hoist_dtype dtype,
                        hoist_mut_bytes elements, double timeout)
{
    uint32_t slot = 0;
    HOIST_TRY(wait_for_slot(s, fifo, hoist_machine_host_pop_begin, timeout, &slot));
    s->host_at_work++;
    (void)pthread_mutex_unlock(&s->lock);
    const hoist_status status = hoist_carry_out(&s->store, fifo, slot, dtype, elements);
    (void)pthread_mutex_lock(&s->lock);
    if (status == HOIST_OK) {
        hoist_machine_host_pop_end(s->machine, fifo);
    }
    end_host(s);
    return status;
}

hoist_status hoist_session_pop(hoist_session *session, const char *name, hoist_dtype dtype,
                               hoist_mut_bytes elements, double timeout)
{
    hoist_ref fifo = HOIST_NO_REF;
    HOIST_TRY(find_fifo(session, name, &fifo));
    HOIST_TRY(hoist_carry_check(session->program, fifo, false, dtype, elements.size));
    (void)pthread_mutex_lock(&session->lock);
    const hoist_status status = pop(session, fifo, dtype, elements, timeout);
    (void)pthread_mutex_unlock(&session->lock);
    return status;
}

// Bytes of a named buffer.
static hoist_status copy_buffer(hoist_session *s, hoist_ref buffer, hoist_dtype dtype, size_t size,
                                hoist_mut_bytes *out_memory)
{
    *out_memory = s->store.buffers[buffer];
    return dtype == HOIST_DTYPE_U8 && out_memory->data && size == out_memory->size ? HOIST_OK
                                                                                   : HOIST_INVALID;
}

hoist_status hoist_session_write(hoist_session *session, const char *name, uint32_t slot,
                                 hoist_dtype dtype, hoist_bytes elements)
{
    hoist_port_at at;
    hoist_mut_bytes memory;
    HOIST_TRY(find_port(session, name, &at));
    if (at.fifo == HOIST_NO_REF) {
        HOIST_TRY(copy_buffer(session, at.buffer, dtype, elements.size, &memory));
        memcpy(memory.data, elements.data, elements.size);
        return HOIST_OK;
    }
    if (slot >= session->program->fifos[at.fifo].slots) {
        return HOIST_INVALID;
    }
    HOIST_TRY(hoist_carry_check(session->program, at.fifo, true, dtype, elements.size));
    const hoist_status status = hoist_carry_in(&session->store, at.fifo, slot, dtype, elements);
    (void)pthread_mutex_lock(&session->lock);
    if (status == HOIST_OK) {
        hoist_machine_host_write(session->machine, at.fifo, slot);
    }
    (void)pthread_mutex_unlock(&session->lock);
    return status;
}

hoist_status hoist_session_read(hoist_session *session, const char *name, uint32_t slot,
                                hoist_dtype dtype, hoist_mut_bytes elements)
{
    hoist_port_at at;
    hoist_mut_bytes memory;
    HOIST_TRY(find_port(session, name, &at));
    if (at.fifo == HOIST_NO_REF) {
        HOIST_TRY(copy_buffer(session, at.buffer, dtype, elements.size, &memory));
        memcpy(elements.data, memory.data, elements.size);
        return HOIST_OK;
    }
    if (slot >= session->program->fifos[at.fifo].slots) {
        return HOIST_INVALID;
    }
    HOIST_TRY(hoist_carry_check(session->program, at.fifo, false, dtype, elements.size));
    return hoist_carry_out(&session->store, at.fifo, slot, dtype, elements);
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
    if (at.fifo == HOIST_NO_REF) {
        return 1;
    }
    (void)pthread_mutex_lock(&session->lock);
    const hoist_prog_fifo *row = &session->program->fifos[at.fifo];
    const hoist_fifo_state state = hoist_machine_fifo(session->machine, at.fifo);
    const uint64_t both = 2 * (uint64_t)row->slots;
    const uint32_t count = row->kind == HOIST_FIFO_RAM
                               ? written_slots(session, at.fifo)
                               : (uint32_t)((state.write + both - state.read) % both);
    (void)pthread_mutex_unlock(&session->lock);
    return count;
}
