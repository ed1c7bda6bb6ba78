// comm/comm.h - messages between the processes of one job, each of which runs the rank of its own.
//
// A message is a head and a body of any size. Messages from one process to another keep their
// order; no call waits. The receiver looks at the head of the oldest message of a sender, says
// where the body goes, and is notified when it is there: only then the next one is seen. So bodies
// go from memory to memory, and whoever has no space for a body leaves its message where it is.
//
// Calls on one comm come one after the other, from any thread. Implementations: inproc_testing.h
// (threads of one process) and comm/mpi, which is a module of its own (module.h).
#ifndef HOIST_SRC_COMM_COMM_H
#define HOIST_SRC_COMM_COMM_H

#include "hoist/comm.h"

#include "base/span.h"

// Processes of a job.
#define HOIST_COMM_MAX_RANKS 4096
// Kinds from here on are those of hoist_comm_agree().
#define HOIST_COMM_OWN_KINDS 0xFFFF0000U

typedef struct hoist_comm_head {
    uint32_t kind; // what the message is, to its users
    uint32_t run;  // a number that its users count
    uint64_t id;   // what it is about
    uint64_t count;
    uint64_t size; // bytes of the body
} hoist_comm_head;

// How the bytes of a body are kept until they are sent.
typedef enum hoist_comm_body {
    HOIST_COMM_BORROWED = 0, // they do not change before the receiver has answered
    HOIST_COMM_OWNED,        // freed with the comm's allocator, also when sending fails
} hoist_comm_body;

typedef struct hoist_comm_calls {
    // Begins to send; HOIST_OK, HOIST_NO_MEMORY, HOIST_IO.
    hoist_status (*send)(hoist_comm *comm, uint32_t to, const hoist_comm_head *head,
                         const uint8_t *body, hoist_comm_body kept);
    // Moves what is under way. True when something has moved.
    bool (*poll)(hoist_comm *comm);
    // The head of the oldest message from `from` that was not accepted. False: there is none yet,
    // or the body of the one before is still to come.
    bool (*peek)(hoist_comm *comm, uint32_t from, hoist_comm_head *out_head);
    // The body of that message goes to `memory`, `head.size` bytes.
    void (*accept)(hoist_comm *comm, uint32_t from, uint8_t *memory);
    // Whether the body of the accepted message is there; true once.
    bool (*received)(hoist_comm *comm, uint32_t from);
    // False: the process of that rank is known to have ended.
    bool (*is_alive)(hoist_comm *comm, uint32_t rank);
    // What failed last in moving messages, HOIST_IO; HOIST_OK: nothing.
    hoist_status (*failure)(hoist_comm *comm);
    // Ends the processes of all ranks, this one last, with the exit code.
    void (*abort)(hoist_comm *comm, int code);
    void (*close)(hoist_comm *comm);
} hoist_comm_calls;

// The beginning of every implementation's own struct.
struct hoist_comm {
    const hoist_comm_calls *calls;
    hoist_allocator alloc;              // thread-safe where several threads use the comm
    uint32_t rank;                      // of this process
    uint32_t count;                     // of processes
    uint32_t agreed;                    // calls of hoist_comm_agree() so far
    struct hoist_comm_dropped *dropped; // owned, by rank: of comm.c; NULL before the first call
};

#endif // HOIST_SRC_COMM_COMM_H
