// Messages over MPI, on a communicator of our own. A message is a packet with the head and the
// first bytes of the body, which all of most bodies are, and then the rest in pieces straight from
// and to the users' memory. Packets and pieces have a tag each: MPI keeps the order of messages of
// one tag, and the receiver asks for pieces in the order of their packets.
//
// Nothing waits in here: sends and receives are begun, and tested whenever the user polls.
#include <mpi.h>
#include <stdatomic.h>
#include <string.h>

#include "base/alloc.h"
#include "base/assert.h"
#include "comm/module.h"
#include "os/process.h"

// Requests are tested until they are done, and never waited for, which the checker does not know.
// NOLINTBEGIN(clang-analyzer-optin.mpi.MPI-Checker)

enum {
    PACKET = 4096, // bytes; what Open MPI sends without asking the receiver first
    TAG_PACKET = 1,
    TAG_PIECE = 2,
    MOST_PIECE = 1 << 30, // bytes: MPI counts in int
};
// Head and body share the packet, which has PACKET bytes at most.
static const size_t IN_PACKET = PACKET - sizeof(hoist_comm_head);

// Bytes that are being sent. Their list has no order: MPI keeps that of the messages.
typedef struct sending {
    struct sending *next;
    uint8_t *owned; // freed with it; NULL: nothing
    size_t owned_size;
    size_t count; // of requests
    MPI_Request requests[];
} sending;

typedef enum stage {
    STAGE_PACKET = 0, // it has not come
    STAGE_SEEN,       // it has
    STAGE_PIECES,     // it was accepted, and the rest is coming
    STAGE_DONE,
} stage;

// One of the other processes, as its messages come.
typedef struct peer {
    stage stage;
    MPI_Request request; // MPI_REQUEST_NULL: none is open
    hoist_comm_head head;
    uint8_t *memory; // of the body
    uint64_t there;  // bytes of it
    uint8_t packet[PACKET];
} peer;

typedef struct mpi_comm {
    hoist_comm comm;
    MPI_Comm group;
    hoist_status failure;
    sending *first;        // owned
    peer *peers;           // owned, by rank
    hoist_process_id *ids; // owned, by rank
} mpi_comm;

// `comm` is the first member.
static mpi_comm *own(hoist_comm *comm)
{
    return (mpi_comm *)comm;
}

// Sticky: after a failure of MPI nothing more is moved, and failure() reports it.
static hoist_status note(mpi_comm *c, int code)
{
    if (code != MPI_SUCCESS) {
        c->failure = HOIST_IO;
    }
    return code == MPI_SUCCESS ? HOIST_OK : HOIST_IO;
}

// Sending -----------------------------------------------------------------------------------------

static void free_sending(mpi_comm *c, sending *s)
{
    hoist_free(c->comm.alloc, s->owned, s->owned_size);
    hoist_free(c->comm.alloc, s, sizeof *s + s->count * sizeof(MPI_Request));
}

// Sends `bytes` in pieces; `owned`, `owned_size` bytes, is freed when all are sent, or now where
// memory runs out.
static hoist_status begin_sending(mpi_comm *c, uint32_t to, int tag, hoist_bytes bytes,
                                  uint8_t *owned, size_t owned_size)
{
    const size_t count = (bytes.size + MOST_PIECE - 1) / MOST_PIECE;
    sending *s = hoist_alloc_zero(c->comm.alloc, 1, sizeof *s + count * sizeof(MPI_Request));
    if (!s) {
        hoist_free(c->comm.alloc, owned, owned_size);
        return HOIST_NO_MEMORY;
    }
    *s = (sending){.next = c->first, .owned = owned, .owned_size = owned_size, .count = count};
    // A request that was not begun tests as done.
    for (size_t i = 0; i < count; i++) {
        s->requests[i] = MPI_REQUEST_NULL;
    }
    // In the list before the first send: after a failure the sends that were begun still use the
    // bytes.
    c->first = s;
    for (size_t i = 0; i < count; i++) {
        const size_t at = i * MOST_PIECE;
        const size_t left = bytes.size - at;
        const int size = left < MOST_PIECE ? (int)left : MOST_PIECE;
        HOIST_TRY(note(c, MPI_Isend(bytes.data + at, size, MPI_BYTE, (int)to, tag, c->group,
                                    &s->requests[i])));
    }
    return HOIST_OK;
}

static hoist_status send_packet(mpi_comm *c, uint32_t to, const hoist_comm_head *head,
                                hoist_bytes inside)
{
    // A copy: the caller's head need not outlive the call.
    const size_t size = sizeof *head + inside.size;
    uint8_t *packet = hoist_alloc(c->comm.alloc, size);
    if (!packet) {
        return HOIST_NO_MEMORY;
    }
    memcpy(packet, head, sizeof *head);
    if (inside.size) {
        memcpy(packet + sizeof *head, inside.data, inside.size);
    }
    return begin_sending(c, to, TAG_PACKET, (hoist_bytes){packet, size}, packet, size);
}

static hoist_status send_message(hoist_comm *comm, uint32_t to, const hoist_comm_head *head,
                                 const uint8_t *body, hoist_comm_body kept)
{
    mpi_comm *c = own(comm);
    HOIST_ASSERT(to < comm->count && to != comm->rank);
    // Drops the const of a body that has become the comm's; NULL for a borrowed one, which is never
    // freed.
    union {
        const uint8_t *given;
        uint8_t *own;
    } bytes = {.given = kept == HOIST_COMM_OWNED ? body : NULL};
    const size_t size = (size_t)head->size;
    const size_t inside = size < IN_PACKET ? size : IN_PACKET;
    // The packet first: a receiver asks for pieces only after it.
    const hoist_status status = send_packet(c, to, head, (hoist_bytes){body, inside});
    if (status != HOIST_OK || size == inside) {
        hoist_free(comm->alloc, bytes.own, size);
        return status;
    }
    return begin_sending(c, to, TAG_PIECE, (hoist_bytes){body + inside, size - inside}, bytes.own,
                         size);
}

static bool free_sent(mpi_comm *c)
{
    bool moved = false;
    for (sending **at = &c->first; *at;) {
        sending *s = *at;
        int done = 0;
        // All pieces of a send, or none: the bytes are one block.
        if (note(c, MPI_Testall((int)s->count, s->requests, &done, MPI_STATUSES_IGNORE)) !=
            HOIST_OK) {
            return moved;
        }
        if (done) {
            *at = s->next;
            free_sending(c, s);
            moved = true;
        } else {
            at = &s->next;
        }
    }
    return moved;
}

// Receiving ---------------------------------------------------------------------------------------

// One receive for packets is open for each sender, so that a sender's next message waits at the
// sender or in MPI.
static hoist_status await_packet(mpi_comm *c, uint32_t from)
{
    peer *p = &c->peers[from];
    p->stage = STAGE_PACKET;
    return note(
        c, MPI_Irecv(p->packet, PACKET, MPI_BYTE, (int)from, TAG_PACKET, c->group, &p->request));
}

// Asks for the next piece of the body, or finds that there is none.
static hoist_status await_piece(mpi_comm *c, uint32_t from)
{
    peer *p = &c->peers[from];
    const uint64_t left = p->head.size - p->there;
    p->stage = left ? STAGE_PIECES : STAGE_DONE;
    if (!left) {
        return HOIST_OK;
    }
    const int size = left < MOST_PIECE ? (int)left : MOST_PIECE;
    // Counted when asked for: nothing reads it before STAGE_DONE.
    uint8_t *const at = p->memory + p->there;
    p->there += (uint64_t)size;
    return note(c, MPI_Irecv(at, size, MPI_BYTE, (int)from, TAG_PIECE, c->group, &p->request));
}

// What a finished receive means for the stage: a packet was seen, or a piece is there.
static hoist_status advance(mpi_comm *c, uint32_t from)
{
    peer *p = &c->peers[from];
    if (p->stage == STAGE_PACKET) {
        memcpy(&p->head, p->packet, sizeof p->head);
        p->stage = STAGE_SEEN;
        return HOIST_OK;
    }
    return await_piece(c, from);
}

static bool poll_all(hoist_comm *comm)
{
    mpi_comm *c = own(comm);
    bool moved = false;
    // After a failure the state of requests is not known.
    if (c->failure != HOIST_OK) {
        return false;
    }
    for (uint32_t i = 0; i < comm->count; i++) {
        peer *p = &c->peers[i];
        const bool waits = p->stage == STAGE_PACKET || p->stage == STAGE_PIECES;
        int done = 0;
        if (i == comm->rank || !waits) { // no messages to itself
            continue;
        }
        if (note(c, MPI_Test(&p->request, &done, MPI_STATUS_IGNORE)) != HOIST_OK ||
            (done && advance(c, i) != HOIST_OK)) {
            return moved;
        }
        moved |= done != 0;
    }
    return free_sent(c) || moved;
}

static bool peek(hoist_comm *comm, uint32_t from, hoist_comm_head *out_head)
{
    const peer *p = &own(comm)->peers[from];
    if (from == comm->rank || p->stage != STAGE_SEEN) {
        return false;
    }
    *out_head = p->head;
    return true;
}

static void accept_message(hoist_comm *comm, uint32_t from, uint8_t *memory)
{
    mpi_comm *c = own(comm);
    peer *p = &c->peers[from];
    // The head has said how long the body is: the caller gave so much memory.
    HOIST_ASSERT(p->stage == STAGE_SEEN);
    const size_t inside = p->head.size < IN_PACKET ? (size_t)p->head.size : IN_PACKET;
    if (inside) { // NULL for a body of 0 bytes
        memcpy(memory, p->packet + sizeof p->head, inside);
    }
    p->memory = memory;
    p->there = inside;
    (void)await_piece(c, from);
}

static bool received(hoist_comm *comm, uint32_t from)
{
    mpi_comm *c = own(comm);
    const bool done = from != comm->rank && c->peers[from].stage == STAGE_DONE;
    // From here on the next message can be seen: the packet's memory is free again.
    if (done) {
        (void)await_packet(c, from);
    }
    return done;
}

// Others ------------------------------------------------------------------------------------------

// A process that was killed is gone at once, since its launcher waits for it.
static bool is_alive(hoist_comm *comm, uint32_t rank)
{
    return hoist_process_is_alive(own(comm)->ids[rank]);
}

static hoist_status failure(hoist_comm *comm)
{
    return own(comm)->failure;
}

static void abort_all(hoist_comm *comm, int code)
{
    (void)MPI_Abort(own(comm)->group, code);
}

// Requests must be done or cancelled: MPI writes into the peers' packets.
static void free_all(mpi_comm *c)
{
    while (c->first) {
        sending *s = c->first;
        c->first = s->next;
        free_sending(c, s);
    }
    hoist_free(c->comm.alloc, c->peers, c->comm.count * sizeof *c->peers);
    hoist_free(c->comm.alloc, c->ids, c->comm.count * sizeof *c->ids);
    hoist_free(c->comm.alloc, c, sizeof *c);
}

// Ends receives that are open for messages that will not come.
static void cancel_receives(mpi_comm *c)
{
    for (uint32_t i = 0; i < c->comm.count; i++) {
        if (c->peers[i].request != MPI_REQUEST_NULL) {
            (void)MPI_Cancel(&c->peers[i].request);
            (void)MPI_Wait(&c->peers[i].request, MPI_STATUS_IGNORE);
        }
    }
}

static void close_all(hoist_comm *comm)
{
    mpi_comm *c = own(comm);
    // Messages that were begun are sent to their end: no caller polls after this.
    while (c->first && c->failure == HOIST_OK) {
        (void)free_sent(c);
    }
    cancel_receives(c);
    (void)MPI_Comm_free(&c->group);
    free_all(c);
    (void)MPI_Finalize(); // MPI cannot be started again in this process
}

static const hoist_comm_calls calls = {
    .send = send_message,
    .poll = poll_all,
    .peek = peek,
    .accept = accept_message,
    .received = received,
    .is_alive = is_alive,
    .failure = failure,
    .abort = abort_all,
    .close = close_all,
};

// The process ids of all, and a receive for each. Allgather waits for all processes: after it every
// one is there.
static hoist_status introduce(mpi_comm *c)
{
    hoist_process_id self = hoist_process_self();
    for (uint32_t i = 0; i < c->comm.count; i++) {
        c->peers[i].request = MPI_REQUEST_NULL; // a zeroed request need not be MPI_REQUEST_NULL
    }
    HOIST_TRY(note(
        c, MPI_Allgather(&self, sizeof self, MPI_BYTE, c->ids, sizeof self, MPI_BYTE, c->group)));
    for (uint32_t i = 0; i < c->comm.count; i++) {
        if (i != c->comm.rank) {
            HOIST_TRY(await_packet(c, i));
        }
    }
    return HOIST_OK;
}

static hoist_status start(hoist_allocator alloc, const char **out_why, mpi_comm **out_comm)
{
    // MPI starts once in a process, whoever asks: this call, an earlier one, or the user's own
    // program.
    static atomic_flag was_started = ATOMIC_FLAG_INIT;
    int is_started = 0; // by others
    *out_why = "MPI was started in this process before";
    if (atomic_flag_test_and_set(&was_started) || MPI_Initialized(&is_started) != MPI_SUCCESS ||
        is_started) {
        return HOIST_UNSUPPORTED;
    }
    int threads = MPI_THREAD_SINGLE;
    *out_why = "MPI_Init_thread failed";
    // Serialized: hoist calls from several threads, one at a time.
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &threads) != MPI_SUCCESS) {
        return HOIST_IO;
    }
    if (threads < MPI_THREAD_SERIALIZED) {
        *out_why = "the MPI library allows one thread only";
        return HOIST_UNSUPPORTED;
    }
    // A communicator of our own: tags of a user's messages cannot meet ours.
    *out_why = "MPI_Comm_dup failed";
    MPI_Comm group = MPI_COMM_NULL;
    int rank = 0;
    int count = 0;
    if (MPI_Comm_dup(MPI_COMM_WORLD, &group) != MPI_SUCCESS ||
        // Else a failed call would end the process.
        MPI_Comm_set_errhandler(group, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
        MPI_Comm_rank(group, &rank) != MPI_SUCCESS || MPI_Comm_size(group, &count) != MPI_SUCCESS) {
        return HOIST_IO;
    }
    *out_why = "more processes than a job can have ranks";
    if (count > HOIST_COMM_MAX_RANKS) {
        return HOIST_UNSUPPORTED;
    }
    *out_why = "memory ran out";
    mpi_comm *c = hoist_alloc_zero(alloc, 1, sizeof *c);
    *out_comm = c;
    if (!c) {
        return HOIST_NO_MEMORY;
    }
    *c = (mpi_comm){
        .comm = {.calls = &calls, .alloc = alloc, .rank = (uint32_t)rank, .count = (uint32_t)count},
        .group = group};
    c->peers = hoist_alloc_zero(alloc, c->comm.count, sizeof *c->peers);
    c->ids = hoist_alloc_zero(alloc, c->comm.count, sizeof *c->ids);
    return c->peers && c->ids ? HOIST_OK : HOIST_NO_MEMORY;
}

__attribute__((visibility("default"))) hoist_comm_module hoist_comm_module_open;

hoist_status hoist_comm_module_open(hoist_allocator alloc, const char *version,
                                    const char **out_why, hoist_comm **out_comm)
{
    *out_comm = NULL;
    // Before MPI is started, which cannot be taken back.
    if (strcmp(version, HOIST_VERSION_TEXT) != 0) {
        *out_why = "hoist-mpi.so is of another version of hoist";
        return HOIST_UNSUPPORTED;
    }
    mpi_comm *c = NULL;
    hoist_status status = start(alloc, out_why, &c);
    if (status == HOIST_OK) {
        *out_why = "MPI_Allgather failed";
        status = introduce(c);
        if (status != HOIST_OK) {
            cancel_receives(c);
        }
    }
    if (status == HOIST_OK) {
        *out_comm = &c->comm;
    } else if (c) {
        free_all(c);
    }
    return status;
}

// NOLINTEND(clang-analyzer-optin.mpi.MPI-Checker)
