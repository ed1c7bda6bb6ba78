// Ends of one process: a list of messages for each pair of ranks, under one lock. Bodies are copied
// into their message, so that a sender's memory is its own again at once.
#include "comm/inproc_testing.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"

typedef struct message {
    struct message *next;
    hoist_comm_head head;
    uint8_t *body; // owned
} message;

// From one rank to another.
typedef struct lane {
    message *first; // owned
    message *last;
    bool accepted; // the first one, whose body has been given
} lane;

typedef struct hub {
    pthread_mutex_t lock; // of all below
    hoist_allocator alloc;
    uint32_t count;
    uint32_t open; // ends
    bool *ended;   // owned: by rank
    lane *lanes;   // owned: [from * count + to]
} hub;

typedef struct end {
    hoist_comm comm;
    hub *hub;
} end;

static hub *hub_of(hoist_comm *comm)
{
    return ((end *)comm)->hub;
}

static lane *lane_between(hub *h, uint32_t from, uint32_t to)
{
    HOIST_ASSERT(from < h->count && to < h->count && from != to);
    return &h->lanes[(size_t)from * h->count + to];
}

static void free_message(hub *h, message *m)
{
    hoist_free(h->alloc, m->body, (size_t)m->head.size);
    hoist_free(h->alloc, m, sizeof *m);
}

static message *message_of(hub *h, const hoist_comm_head *head, const uint8_t *body)
{
    message *m = hoist_alloc_zero(h->alloc, 1, sizeof *m);
    if (!m) {
        return NULL;
    }
    m->head = *head;
    m->body = head->size ? hoist_alloc(h->alloc, (size_t)head->size) : NULL;
    if (head->size && !m->body) {
        hoist_free(h->alloc, m, sizeof *m);
        return NULL;
    }
    if (head->size) {
        memcpy(m->body, body, (size_t)head->size);
    }
    return m;
}

static hoist_status send_message(hoist_comm *comm, uint32_t to, const hoist_comm_head *head,
                                 const uint8_t *body, hoist_comm_body kept)
{
    hub *h = hub_of(comm);
    message *m = message_of(h, head, body);
    if (kept == HOIST_COMM_OWNED) {
        // A body that is given away is no longer the sender's, whatever comes of it.
        union {
            const uint8_t *given;
            uint8_t *own;
        } bytes = {.given = body};
        hoist_free(comm->alloc, bytes.own, (size_t)head->size);
    }
    if (!m) {
        return HOIST_NO_MEMORY;
    }
    (void)pthread_mutex_lock(&h->lock);
    lane *l = lane_between(h, comm->rank, to);
    if (h->ended[comm->rank]) {
        free_message(h, m);
    } else {
        *(l->last ? &l->last->next : &l->first) = m;
        l->last = m;
    }
    (void)pthread_mutex_unlock(&h->lock);
    return HOIST_OK;
}

static bool poll_nothing(hoist_comm *comm)
{
    (void)comm;
    return false;
}

static bool peek(hoist_comm *comm, uint32_t from, hoist_comm_head *out_head)
{
    hub *h = hub_of(comm);
    (void)pthread_mutex_lock(&h->lock);
    const lane *l = lane_between(h, from, comm->rank);
    const bool is_there = l->first && !l->accepted;
    if (is_there) {
        *out_head = l->first->head;
    }
    (void)pthread_mutex_unlock(&h->lock);
    return is_there;
}

static void accept_message(hoist_comm *comm, uint32_t from, uint8_t *memory)
{
    hub *h = hub_of(comm);
    (void)pthread_mutex_lock(&h->lock);
    lane *l = lane_between(h, from, comm->rank);
    HOIST_ASSERT(l->first && !l->accepted);
    if (l->first->head.size) {
        memcpy(memory, l->first->body, (size_t)l->first->head.size);
    }
    l->accepted = true;
    (void)pthread_mutex_unlock(&h->lock);
}

static bool received(hoist_comm *comm, uint32_t from)
{
    hub *h = hub_of(comm);
    (void)pthread_mutex_lock(&h->lock);
    lane *l = lane_between(h, from, comm->rank);
    const bool is_there = l->accepted;
    if (is_there) {
        message *m = l->first;
        l->first = m->next;
        l->last = l->first ? l->last : NULL;
        l->accepted = false;
        free_message(h, m);
    }
    (void)pthread_mutex_unlock(&h->lock);
    return is_there;
}

static bool is_alive(hoist_comm *comm, uint32_t rank)
{
    hub *h = hub_of(comm);
    (void)pthread_mutex_lock(&h->lock);
    const bool alive = !h->ended[rank];
    (void)pthread_mutex_unlock(&h->lock);
    return alive;
}

static hoist_status no_failure(hoist_comm *comm)
{
    (void)comm;
    return HOIST_OK;
}

static void set_ended(hub *h, uint32_t rank, bool all)
{
    (void)pthread_mutex_lock(&h->lock);
    for (uint32_t i = 0; i < h->count; i++) {
        h->ended[i] = h->ended[i] || all || i == rank;
    }
    (void)pthread_mutex_unlock(&h->lock);
}

void hoist_comm_inproc_kill(hoist_comm *comm)
{
    set_ended(hub_of(comm), comm->rank, false);
}

static void abort_all(hoist_comm *comm, int code)
{
    (void)code;
    set_ended(hub_of(comm), comm->rank, true);
}

static void free_hub(hub *h)
{
    for (size_t i = 0; h->lanes && i < (size_t)h->count * h->count; i++) {
        while (h->lanes[i].first) {
            message *m = h->lanes[i].first;
            h->lanes[i].first = m->next;
            free_message(h, m);
        }
    }
    hoist_free(h->alloc, h->lanes, (size_t)h->count * h->count * sizeof *h->lanes);
    hoist_free(h->alloc, h->ended, h->count * sizeof *h->ended);
    (void)pthread_mutex_destroy(&h->lock);
    hoist_free(h->alloc, h, sizeof *h);
}

static void close_end(hoist_comm *comm)
{
    hub *h = hub_of(comm);
    (void)pthread_mutex_lock(&h->lock);
    const bool is_last = --h->open == 0;
    (void)pthread_mutex_unlock(&h->lock);
    hoist_free(comm->alloc, comm, sizeof(end));
    if (is_last) {
        free_hub(h);
    }
}

static const hoist_comm_calls calls = {
    .send = send_message,
    .poll = poll_nothing,
    .peek = peek,
    .accept = accept_message,
    .received = received,
    .is_alive = is_alive,
    .failure = no_failure,
    .abort = abort_all,
    .close = close_end,
};

static hoist_status create_hub(hoist_allocator alloc, uint32_t count, hub **out_hub)
{
    hub *h = hoist_alloc_zero(alloc, 1, sizeof *h);
    *out_hub = h;
    if (!h) {
        return HOIST_NO_MEMORY;
    }
    *h = (hub){.alloc = alloc, .count = count};
    (void)pthread_mutex_init(&h->lock, NULL);
    h->ended = hoist_alloc_zero(alloc, count, sizeof *h->ended);
    h->lanes = hoist_alloc_zero(alloc, (size_t)count * count, sizeof *h->lanes);
    return h->ended && h->lanes ? HOIST_OK : HOIST_NO_MEMORY;
}

hoist_status hoist_comm_inproc(hoist_allocator alloc, uint32_t count, hoist_comm **out_ends)
{
    HOIST_ASSERT(count > 0 && count <= HOIST_COMM_MAX_RANKS);
    hub *h = NULL;
    hoist_status status = create_hub(alloc, count, &h);
    uint32_t made = 0;
    for (; status == HOIST_OK && made < count; made++) {
        end *e = hoist_alloc_zero(alloc, 1, sizeof *e);
        if (!e) {
            status = HOIST_NO_MEMORY;
            break;
        }
        *e = (end){.comm = {.calls = &calls, .alloc = alloc, .rank = made, .count = count},
                   .hub = h};
        out_ends[made] = &e->comm;
    }
    if (status == HOIST_OK) {
        h->open = count;
        return HOIST_OK;
    }
    for (uint32_t i = 0; i < made; i++) {
        hoist_free(alloc, out_ends[i], sizeof(end));
        out_ends[i] = NULL;
    }
    if (h) {
        free_hub(h);
    }
    return status;
}
