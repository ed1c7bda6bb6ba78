// The end of a run of several processes. A process in which nothing moves gives the others its
// counts of messages, sent to and received from each. When all are still and every count of
// messages sent is that of messages received, nothing is on its way, and nothing will ever move: a
// process that goes on after its report does so for a message, and the first one to do so for a
// message that was sent before its sender's report, which the counts would show (compare Mattern,
// "Algorithms for distributed termination detection", 1987).
#include <string.h>

#include "base/alloc.h"
#include "machine/schedule.h"
#include "runtime/remote_state.h"

// A process that waits for another one usually goes on soon: counts of one that has ended are given
// at once, others when it has waited for so long.
static const double PATIENCE = 0.02;

// Whether messages wait to be sent, are coming, or would have to be made of what fifos have.
static bool has_work(const hoist_session *s)
{
    const hoist_remote *r = s->remote;
    bool some = r->pumping || r->first;
    for (uint32_t i = 0; i < r->count; i++) {
        some = some || r->peers[i].taking;
    }
    for (size_t i = 0; !some && i < r->fifo_count; i++) {
        some = hoist_machine_host_available(s->machine, r->fifos[i].fifo) != r->fifos[i].sent;
    }
    return some;
}

// Gives all others the counts of this process, and says whether its threads have ended.
static hoist_status tell(hoist_remote *r, bool is_done)
{
    hoist_remote_peer *self = &r->peers[r->home];
    const size_t size = 2 * (size_t)r->count * sizeof(uint64_t);
    for (uint32_t i = 0; i < r->count; i++) {
        const hoist_comm_head head = {.kind = HOIST_REMOTE_STILL, .id = is_done, .size = size};
        uint8_t *body = i == r->home ? NULL : hoist_alloc(r->comm->alloc, size);
        if (i == r->home) {
            continue;
        }
        if (!body) {
            return HOIST_NO_MEMORY;
        }
        memcpy(body, self->sent, size);
        HOIST_TRY(hoist_remote_post(r, i, head, body));
    }
    self->is_still = true;
    self->has_ended = is_done;
    r->is_announced = true;
    return HOIST_OK;
}

// Whether no message is on its way, by the counts of both ends of each pair.
static bool are_all_still(const hoist_remote *r, bool *out_ended)
{
    *out_ended = true;
    for (uint32_t i = 0; i < r->count; i++) {
        if (!r->peers[i].is_still) {
            return false;
        }
        *out_ended = *out_ended && r->peers[i].has_ended;
        for (uint32_t k = 0; k < r->count; k++) {
            if (r->peers[i].sent[k] != r->peers[k].received[i]) {
                return false;
            }
        }
    }
    return true;
}

// Ends the run; what never moves again without having ended is a deadlock.
static bool end(hoist_session *s, bool all_ended, bool is_done)
{
    // A process that has done its part has nothing to say about the others' waits.
    if (!all_ended && !is_done) {
        hoist_report_deadlock(s->machine, s->diag);
    }
    hoist_remote_leave(s->remote, all_ended ? HOIST_OK : HOIST_INVALID);
    return true;
}

bool hoist_remote_settle(hoist_session *session, bool is_done)
{
    hoist_remote *r = session->remote;
    if (has_work(session)) {
        return false;
    }
    const double now = hoist_now();
    r->still_since = r->still_since > 0 ? r->still_since : now;
    if (!r->is_announced && (is_done || now - r->still_since >= PATIENCE)) {
        const hoist_status status = tell(r, is_done);
        if (status != HOIST_OK) {
            hoist_remote_leave(r, status);
            return true;
        }
    }
    bool all_ended = false;
    return r->is_announced && are_all_still(r, &all_ended) && end(session, all_ended, is_done);
}
