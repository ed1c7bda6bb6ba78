// Messages between this process and those of the other homes: entries of fifos go out of slots and
// into slots, and pops come back. Operands of collectives are remote_collective.c, counts at the
// end of runs remote_end.c; remote.c says when.
#include "base/alloc.h"
#include "base/assert.h"
#include "base/order.h"
#include "runtime/remote_state.h"

// Outgoing ----------------------------------------------------------------------------------------

// Entries that were pushed here since the last time. They stay in their slots until they are popped
// there.
static hoist_status send_entries(hoist_session *s, hoist_remote_fifo *f, bool *out_moved)
{
    hoist_remote *r = s->remote;
    const hoist_prog_fifo *row = &s->program->fifos[f->fifo];
    while (hoist_machine_host_available(s->machine, f->fifo) > f->sent) {
        const uint64_t read = hoist_machine_fifo(s->machine, f->fifo).read;
        const hoist_mut_bytes entry =
            hoist_store_slot(&s->store, f->fifo, (read + f->sent) % row->slots);
        // The bytes go out of the slot itself, which keeps them until the pop is known.
        const hoist_comm_head head = {
            .kind = HOIST_REMOTE_ENTRY, .run = r->run, .id = f->fifo, .size = entry.size};
        HOIST_TRY(r->comm->calls->send(r->comm, f->other, &head, entry.data, HOIST_COMM_BORROWED));
        hoist_remote_count_sent(r, f->other, head.kind);
        f->sent++;
        *out_moved = true;
    }
    return HOIST_OK;
}

// Entries that were popped here since the last time.
static hoist_status send_pops(hoist_session *s, hoist_remote_fifo *f, bool *out_moved)
{
    const uint64_t here = hoist_machine_host_available(s->machine, f->fifo);
    HOIST_ASSERT(here <= f->sent);
    const hoist_comm_head head = {
        .kind = HOIST_REMOTE_POPPED, .id = f->fifo, .count = f->sent - here};
    // One message for all pops since the last time; none for none.
    if (head.count == 0) {
        return HOIST_OK;
    }
    f->sent = here;
    *out_moved = true;
    return hoist_remote_post(s->remote, f->other, head, NULL);
}

hoist_status hoist_remote_send_all(hoist_session *s, bool *out_moved)
{
    hoist_remote *r = s->remote;
    for (size_t i = 0; i < r->fifo_count; i++) {
        hoist_remote_fifo *f = &r->fifos[i];
        HOIST_TRY(f->fills ? send_entries(s, f, out_moved) : send_pops(s, f, out_moved));
    }
    HOIST_TRY(hoist_remote_give(s));
    *out_moved = *out_moved || r->first;
    return hoist_remote_flush(r);
}

// Incoming ----------------------------------------------------------------------------------------

// Something came: what was said of this process being still holds no more.
static void count_received(hoist_remote *r, uint32_t from)
{
    r->peers[r->home].received[from]++;
    r->is_announced = false;
    r->still_since = 0;
}

static bool fifo_is_before(const void *one, const void *fifo)
{
    return ((const hoist_remote_fifo *)one)->fifo < *(const uint64_t *)fifo;
}

// The fifo of a message, when it goes between that home and this one in that direction.
static hoist_remote_fifo *find_fifo(hoist_remote *r, uint64_t fifo, uint32_t other, bool fills)
{
    const size_t at =
        hoist_order_first(r->fifos, r->fifo_count, sizeof *r->fifos, fifo_is_before, &fifo);
    hoist_remote_fifo *f = at < r->fifo_count ? &r->fifos[at] : NULL;
    return f && f->fifo == fifo && f->other == other && f->fills == fills ? f : NULL;
}

// Where the body of a message goes; false: it is none of this program.
static bool find_memory(hoist_session *s, uint32_t from, const hoist_comm_head *head,
                        uint8_t **out_memory)
{
    hoist_remote *r = s->remote;
    const uint64_t pair = 2 * (uint64_t)r->count;
    const hoist_remote_fifo *f = NULL;
    uint32_t slot = 0;
    *out_memory = NULL;
    switch ((hoist_remote_kind)head->kind) {
    case HOIST_REMOTE_ENTRY:
        f = find_fifo(r, head->id, from, false);
        // An entry that stays at its sender has as many bytes as it needs.
        if (!f || head->size > s->store.fifos[f->fifo].slot_bytes ||
            !hoist_machine_host_push_begin(s->machine, f->fifo, &slot)) {
            return false;
        }
        *out_memory = hoist_store_slot(&s->store, f->fifo, slot).data;
        return true;
    case HOIST_REMOTE_POPPED:
        f = find_fifo(r, head->id, from, true);
        return f && head->size == 0 && head->count <= f->sent;
    case HOIST_REMOTE_MEMBER:
        // An operand has memory of its own, which is taken when the message begins.
        return head->size <= SIZE_MAX / 2;
    case HOIST_REMOTE_STILL:
        *out_memory = (uint8_t *)&r->coming[from * pair];
        return head->size == pair * sizeof(uint64_t);
    case HOIST_REMOTE_FAILED:
        return head->size == 0;
    }
    return false;
}

// Says where the body goes; it comes when it comes.
static hoist_status begin_taking(hoist_session *s, uint32_t from, const hoist_comm_head *head)
{
    hoist_remote_peer *p = &s->remote->peers[from];
    uint8_t *memory = NULL;
    if (!find_memory(s, from, head, &memory)) {
        hoist_remote_fail(s, HOIST_INVALID,
                          "rank %u has sent a message that is none of this program: do all "
                          "processes have the same files?",
                          from);
        return HOIST_INVALID;
    }
    if (head->kind == HOIST_REMOTE_MEMBER && head->size) {
        p->body = hoist_alloc(s->remote->alloc, (size_t)head->size);
        memory = p->body;
        HOIST_TRY(memory ? HOIST_OK : HOIST_NO_MEMORY);
    }
    p->head = *head;
    p->taking = true;
    s->remote->comm->calls->accept(s->remote->comm, from, memory);
    return HOIST_OK;
}

// The other home has emptied slots: they are free here, too.
static void take_pops(hoist_session *s, uint32_t from, const hoist_comm_head *head)
{
    hoist_remote_fifo *f = find_fifo(s->remote, head->id, from, true);
    HOIST_ASSERT(f && head->count <= f->sent);
    // find_memory() has seen that so many were sent.
    f->sent -= head->count;
    for (uint64_t i = 0; i < head->count; i++) {
        hoist_machine_host_pop_end(s->machine, f->fifo);
    }
}

// Another home's counts of messages, as of when nothing moved there.
static void take_counts(hoist_remote *r, uint32_t from, const hoist_comm_head *head)
{
    hoist_remote_peer *p = &r->peers[from];
    const uint64_t *came = &r->coming[2 * (size_t)r->count * from];
    for (uint32_t i = 0; i < r->count; i++) {
        p->sent[i] = came[i];
        p->received[i] = came[r->count + i];
    }
    p->is_still = true;
    p->has_ended = head->id != 0;
}

// One more entry of a fifo came; its head was taken for one of those that come from there.
static void count_entry(hoist_remote *r, uint64_t fifo, uint32_t from)
{
    hoist_remote_fifo *const coming = find_fifo(r, fifo, from, false);
    HOIST_ASSERT(coming);
    coming->sent++;
}

// The message is there, with its body.
static hoist_status end_taking(hoist_session *s, uint32_t from)
{
    hoist_remote *r = s->remote;
    hoist_remote_peer *p = &r->peers[from];
    const hoist_comm_head head = p->head;
    uint8_t *const body = p->body;
    p->taking = false;
    p->body = NULL;
    switch ((hoist_remote_kind)head.kind) {
    case HOIST_REMOTE_ENTRY:
        hoist_machine_host_push_end(s->machine, (hoist_ref)head.id);
        count_entry(r, head.id, from);
        break;
    case HOIST_REMOTE_POPPED:
        take_pops(s, from, &head);
        break;
    case HOIST_REMOTE_MEMBER:
        count_received(r, from);
        HOIST_TRY(hoist_remote_keep(r, &head, body));
        // Who waits in a collective looks again.
        hoist_machine_came(s->machine);
        return HOIST_OK;
    case HOIST_REMOTE_STILL:
        take_counts(r, from, &head);
        return HOIST_OK;
    case HOIST_REMOTE_FAILED:
        hoist_remote_leave(r, head.count <= HOIST_INTERNAL ? (hoist_status)head.count
                                                           : HOIST_INTERNAL);
        return HOIST_OK;
    }
    count_received(r, from);
    return HOIST_OK;
}

// One message of `from`, as far as it is there. A process that has begun its next run is not
// listened to before this one has.
static hoist_status take_one(hoist_session *s, uint32_t from, bool *out_took)
{
    hoist_remote *r = s->remote;
    hoist_comm_head head;
    *out_took = false;
    if (r->peers[from].taking) {
        *out_took = r->comm->calls->received(r->comm, from);
        // The body of the last message is not complete: nothing after it can be looked at.
        return *out_took ? end_taking(s, from) : HOIST_OK;
    }
    if (!r->comm->calls->peek(r->comm, from, &head)) {
        return HOIST_OK;
    }
    // The transport itself says that the other process has gone.
    const bool has_left = head.kind >= HOIST_COMM_OWN_KINDS;
    if (has_left && !r->peers[from].has_ended) {
        hoist_remote_leave(r, HOIST_IO); // it says why
        return HOIST_OK;
    }
    if (has_left || head.run > r->run) {
        return HOIST_OK;
    }
    *out_took = true;
    return begin_taking(s, from, &head);
}

hoist_status hoist_remote_take_all(hoist_session *s, bool *out_moved)
{
    for (uint32_t i = 0; i < s->remote->count; i++) {
        // All that is there of one home, then of the next; nothing comes from this one.
        bool took = i != s->remote->home;
        while (took && !s->remote->leaves) {
            HOIST_TRY(take_one(s, i, &took));
            *out_moved = *out_moved || took;
        }
    }
    return HOIST_OK;
}
