// The pointers of a queue after a run: the machine's state of a fifo in, the numbers of a device's
// queue header out. host.c has the entries themselves.
#include "runtime/pointers.h"

#include "base/assert.h"
#include "runtime/session.h"

hoist_status hoist_session_pointers(hoist_session *session, hoist_ref fifo,
                                    hoist_fifo_pointers *out_pointers, bool *out_written)
{
    HOIST_ASSERT(fifo < session->program->fifo_count);
    const hoist_prog_fifo *row = &session->program->fifos[fifo];
    *out_pointers = (hoist_fifo_pointers){0};
    (void)pthread_mutex_lock(&session->lock);
    // While something runs the pointers would be of no one moment.
    const bool is_free = !session->running && !hoist_session_is_busy(session);
    if (is_free) {
        const hoist_fifo_state state = hoist_machine_fifo(session->machine, fifo);
        // A device counts to twice the slots, by which it tells a full queue from an empty one.
        const uint64_t modulus = (row->kind == HOIST_FIFO_QUEUE ? 2 : 1) * (uint64_t)row->slots;
        // The golden policy also counts to 2 * slots, which is the place of 0.
        *out_pointers = (hoist_fifo_pointers){(uint32_t)(state.read % modulus),
                                              (uint32_t)(state.write % modulus)};
        for (uint32_t slot = 0; slot < row->slots; slot++) {
            out_written[slot] = hoist_machine_slot_written(session->machine, fifo, slot);
        }
    }
    (void)pthread_mutex_unlock(&session->lock);
    return is_free ? HOIST_OK : HOIST_BUSY;
}
