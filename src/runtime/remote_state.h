// runtime/remote_state.h - the inside of remote.h, for remote*.c only.
#ifndef HOIST_SRC_RUNTIME_REMOTE_STATE_H
#define HOIST_SRC_RUNTIME_REMOTE_STATE_H

#include "comm/comm.h"
#include "runtime/remote.h"
#include "runtime/routes.h"
#include "runtime/session.h"

typedef enum hoist_remote_kind {
    HOIST_REMOTE_ENTRY = 1, // id: fifo; body: the slot
    HOIST_REMOTE_POPPED,    // id: fifo; count: entries that are free again
    HOIST_REMOTE_MEMBER,    // id: group << 32 | rank; count: hoist_remote_member; body: operand
    HOIST_REMOTE_STILL,     // id: 1 when its threads have ended; body: counts of messages
    HOIST_REMOTE_FAILED,    // count: the status
} hoist_remote_kind;

// A fifo between this home and another one, on either side.
typedef struct hoist_remote_fifo {
    hoist_ref fifo;
    uint32_t other; // home
    bool fills;     // this home does
    uint64_t sent;  // FILLS: entries that were sent and are not popped; else: that came and whose
                    // pop the other one does not know
} hoist_remote_fifo;

// A message that waits to be sent.
typedef struct hoist_remote_letter {
    struct hoist_remote_letter *next;
    uint32_t to;
    hoist_comm_head head;
    uint8_t *body; // owned by the comm's allocator
} hoist_remote_letter;

// An operand of a member of another home.
typedef struct hoist_remote_operand {
    struct hoist_remote_operand *next; // the oldest first
    uint64_t id;
    uint64_t count;
    uint8_t *body; // owned
    size_t size;
    size_t used_by; // the process whose data step reads it; SIZE_MAX: none
} hoist_remote_operand;

// What another process was last known to do, and what is coming from it.
typedef struct hoist_remote_peer {
    bool is_still;
    bool has_ended; // its threads
    uint64_t *sent; // by home: messages that it had sent by then; of one block with `received`
    uint64_t *received;
    bool taking; // a body is coming
    hoist_comm_head head;
    uint8_t *body; // owned: of an operand; NULL: a slot, or this peer's counts
} hoist_remote_peer;

struct hoist_remote {
    hoist_comm *comm; // borrowed
    hoist_allocator alloc;
    const hoist_program *program; // borrowed
    uint32_t home;
    uint32_t count; // of homes
    uint32_t run;
    bool pumping; // a thread is in the comm
    hoist_routes routes;
    hoist_remote_fifo *fifos; // owned, in order
    size_t fifo_count;
    hoist_remote_letter *first; // owned
    hoist_remote_letter **last;
    hoist_remote_operand *operands; // owned
    bool *gave;                     // owned, by process: its operand was sent
    size_t process_count;
    hoist_remote_peer *peers; // owned, by home; the own one has the counts of this process
    uint64_t *counts;         // owned: of all peers, 2 * count of each
    uint64_t *coming;         // owned: counts that are being received, 2 * count of each
    bool leaves;              // the run is to end with `why`
    hoist_status why;         // of `leaves`
    bool is_announced;        // all know that nothing moves here
    double still_since;       // 0: something moved
    double looked;            // whether the others are alive
    uint32_t idle;            // rounds in which nothing has moved
};

// What hoist_remote_member packs into one number: kind, op, dtype and members.
uint64_t hoist_remote_pack_member(const hoist_prog_collective *step, hoist_dtype dtype);

// remote_post.c: from here to hoist_remote_fail().
//
// Puts a message into the list of those that are to be sent; `body` (owned, may be NULL) is the
// list's whatever the status. HOIST_OK, HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status hoist_remote_post(hoist_remote *remote, uint32_t to,
                                               hoist_comm_head head, uint8_t *body);
// Sends what is in the list. The caller is in the comm, or no thread is.
hoist_status hoist_remote_flush(hoist_remote *remote);
// A message of `kind` goes to `to`.
void hoist_remote_count_sent(hoist_remote *remote, uint32_t to, uint32_t kind);
// The run is to end with `status`, unless it was to end before.
void hoist_remote_leave(hoist_remote *remote, hoist_status status);
// Ends the run with a finding about the other processes.
void hoist_remote_fail(hoist_session *session, hoist_status status, const char *format, ...)
    HOIST_PRINTF(3, 4);

// remote_messages.c: everything that is to be sent, and everything that has come. `*out_moved` is
// set when there was some. The caller is in the comm, with the lock.
HOIST_NODISCARD hoist_status hoist_remote_send_all(hoist_session *session, bool *out_moved);
HOIST_NODISCARD hoist_status hoist_remote_take_all(hoist_session *session, bool *out_moved);

// remote_collective.c: operands of members that are at their step are sent.
HOIST_NODISCARD hoist_status hoist_remote_give(hoist_session *session);
void hoist_remote_free_operands(hoist_remote *remote, size_t used_by);
// An operand that came.
HOIST_NODISCARD hoist_status hoist_remote_keep(hoist_remote *remote, const hoist_comm_head *head,
                                               uint8_t *body);
// Members of other homes that are there for the same collective as `mine`; for the machine.
uint32_t hoist_remote_count_members(void *self, const hoist_prog_collective *mine,
                                    const char **out_fault);

#endif // HOIST_SRC_RUNTIME_REMOTE_STATE_H
