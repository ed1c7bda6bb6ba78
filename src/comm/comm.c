// What is the same for every way of communication: the values that all processes give each other
// (hoist_comm_agree), and the small functions of hoist/comm.h.
#include "comm/comm.h"

#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "os/thread.h"

// Between polls without effect: first as short as the system can, then long enough to leave the
// core.
enum { NAP_NS = 50000, YIELDS = 200 };

// What an agreement keeps of each of the others.
typedef struct hoist_comm_dropped {
    uint8_t *body; // owned: of a message that is dropped
    size_t size;
    bool is_value; // it is the value of this agreement
} hoist_comm_dropped;

// A body may still be coming while the comm is there.
void hoist_comm_close(hoist_comm *comm)
{
    if (!comm) {
        return;
    }
    const hoist_allocator alloc = comm->alloc;
    // Taken before close(), which frees the comm.
    const uint32_t count = comm->count;
    hoist_comm_dropped *dropped = comm->dropped;
    comm->calls->close(comm);
    for (uint32_t i = 0; dropped && i < count; i++) {
        hoist_free(alloc, dropped[i].body, dropped[i].size);
    }
    hoist_free(alloc, dropped, count * sizeof *dropped);
}

uint32_t hoist_comm_rank(const hoist_comm *comm)
{
    return comm->rank;
}

uint32_t hoist_comm_count(const hoist_comm *comm)
{
    return comm->count;
}

bool hoist_comm_is_alive(hoist_comm *comm, uint32_t rank)
{
    HOIST_ASSERT(rank < comm->count);
    return rank == comm->rank || comm->calls->is_alive(comm, rank);
}

void hoist_comm_abort(hoist_comm *comm, int code)
{
    comm->calls->abort(comm, code);
}

// One message of `from`, as far as it is there: the value, or what a session did not receive, which
// may be a body that was coming when it ended.
static hoist_status take(hoist_comm *comm, uint32_t from, hoist_comm_dropped *d,
                         uint64_t *out_value, bool *out_there)
{
    hoist_comm_head head;
    // Neither holds while an accepted body is still coming: nothing to do but poll.
    if (comm->calls->received(comm, from)) {
        hoist_free(comm->alloc, d->body, d->size);
        *out_there = d->is_value;
        *d = (hoist_comm_dropped){.body = NULL};
    } else if (comm->calls->peek(comm, from, &head)) {
        d->body = head.size ? hoist_alloc(comm->alloc, (size_t)head.size) : NULL;
        d->size = (size_t)head.size;
        if (head.size && !d->body) {
            return HOIST_NO_MEMORY;
        }
        // Values of an earlier agreement that timed out here are dropped, too.
        d->is_value = head.kind == HOIST_COMM_OWN_KINDS && head.run == comm->agreed;
        *out_value = d->is_value ? head.count : *out_value;
        comm->calls->accept(comm, from, d->body);
    }
    return HOIST_OK;
}

// Lets others go first: there may be more processes than cores.
static void give_way(uint32_t turn)
{
    const struct timespec nap = {.tv_nsec = turn < YIELDS ? 0 : NAP_NS};
    (void)nanosleep(&nap, NULL);
}

// True when the values of all that have not ended are there.
static bool are_all_there(hoist_comm *comm, const bool *there)
{
    for (uint32_t i = 0; i < comm->count; i++) {
        if (!there[i] && comm->calls->is_alive(comm, i)) {
            return false;
        }
    }
    return true;
}

static hoist_status gather(hoist_comm *comm, double seconds, uint64_t *all, bool *there)
{
    const double until = seconds < 0 ? -1 : hoist_now() + seconds;
    uint32_t turn = 0;
    // Values that others sent before they ended count: messages are taken first.
    while (!are_all_there(comm, there)) {
        const bool moved = comm->calls->poll(comm);
        for (uint32_t i = 0; i < comm->count; i++) {
            if (!there[i]) {
                HOIST_TRY(take(comm, i, &comm->dropped[i], &all[i], &there[i]));
            }
        }
        HOIST_TRY(comm->calls->failure(comm));
        if (until >= 0 && hoist_now() >= until) {
            break;
        }
        // The first naps again are short after each message: more may follow.
        turn = moved ? 0 : turn + 1;
        give_way(turn);
    }
    for (uint32_t i = 0; i < comm->count; i++) {
        if (!there[i]) {
            return HOIST_LIMIT;
        }
    }
    return HOIST_OK;
}

hoist_status hoist_comm_agree(hoist_comm *comm, uint64_t mine, double seconds, uint64_t *out_all,
                              bool *out_there)
{
    memset(out_all, 0, comm->count * sizeof *out_all);
    memset(out_there, 0, comm->count * sizeof *out_there);
    out_all[comm->rank] = mine;
    out_there[comm->rank] = true;
    // The number distinguishes this agreement's values from others: all processes count alike.
    comm->agreed++;
    if (!comm->dropped) {
        comm->dropped = hoist_alloc_zero(comm->alloc, comm->count, sizeof *comm->dropped);
    }
    if (!comm->dropped) {
        return HOIST_NO_MEMORY;
    }
    const hoist_comm_head head = {.kind = HOIST_COMM_OWN_KINDS, .run = comm->agreed, .count = mine};
    hoist_status status = HOIST_OK;
    for (uint32_t i = 0; status == HOIST_OK && i < comm->count; i++) {
        if (i != comm->rank) {
            status = comm->calls->send(comm, i, &head, NULL, HOIST_COMM_BORROWED);
        }
    }
    return status == HOIST_OK ? gather(comm, seconds, out_all, out_there) : status;
}
