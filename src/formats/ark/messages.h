// formats/ark/messages.h - the communication of a job: for each rank the events of its operators in
// the order of execution, and the messages between them, with their places in memory.
//
// In: the files of a job, in any order and whatever was found in them; one file of several ranks
// alone, too. Out: an ark_job in the caller's arena. The checks of a job and lowering read the same
// rows. What cannot be determined is ARK_NONE, or has `resolved` false, and is no finding here.
//
// Peers and tags: ark reference sections 8.1 and 8.2. A message is a put: the sender writes into
// memory of the receiver, at the geometry of its own proxy tensor. The k-th put of a key (source,
// destination, tag) belongs to the k-th receipt of that key, in the order of execution (8.6). What
// no operator receives is delivered to the destination at one of its barriers, or at the end.
#ifndef HOIST_SRC_FORMATS_ARK_MESSAGES_H
#define HOIST_SRC_FORMATS_ARK_MESSAGES_H

#include "formats/ark/graph.h"

// Puts and SendDone never block; the others wait for other ranks.
typedef enum ark_event_kind {
    ARK_EVENT_PUT = 0, // Send, SendPacket: one put
    ARK_EVENT_DONE,    // SendDone: nothing, but its peer and tag are known
    ARK_EVENT_RECEIVE, // Recv, RecvPacket: one receipt
    ARK_EVENT_REDUCE,  // RecvReduceSend...: a receipt of each peer, then a put to each
    ARK_EVENT_BARRIER, // DeviceSync
} ark_event_kind;

// A pair of SendTags or RecvTags, from the view of the rank: in buffers of its own those that name
// another rank, in proxies for a buffer of another rank those that name this one. Together they
// connect the files of two ranks (8.2): a buffer in the file of rank 0 has SendTags [[1,5]], and
// the one in the file of rank 1 has RecvTags [[0,5]].
typedef struct ark_tag_row {
    bool local;    // of a buffer of the rank, else of a proxy
    bool receives; // in RecvTags
    int64_t peer;  // the other rank
    int64_t tag;
    uint32_t memory;
    const ark_tag *row;
} ark_tag_row;

// A rank and a tag at one end of a message. Keys are numbers of their own, dense from 0, so that
// counters by key are arrays.
typedef struct ark_peer {
    int64_t number; // the other rank, as the file has it
    uint32_t rank;  // index among the ranks of the job; ARK_NONE: no file of it, or no such rank
    int64_t tag;    // when `tags` is 1
    uint32_t tags;  // candidates for the tag: other than 1 is unresolved
    uint64_t key;   // equal for equal (source, destination, tag) of the job, when `resolved`
    bool resolved;  // rank and tag are known, and the rank is another one of the world
} ark_peer;

// What an event writes into memory of another rank. Data that no receipt takes is there at the
// barrier of the destination that comes after as many as the sender has passed.
typedef struct ark_put {
    uint32_t rank;  // of the sender: index, as all below
    uint32_t event; // of that rank
    ark_peer to;
    bool packet;      // packets with `flag`, else plain data
    int64_t flag;     // of packets
    bool signals;     // Send without "Signal": false
    uint32_t input;   // value of the sender: the data
    uint32_t target;  // value of the sender: the proxy tensor, whose geometry the data gets
    uint64_t bytes;   // of the data, without flags
    uint32_t memory;  // of the destination: where [sender, tag] of RecvTags is; ARK_NONE: unknown
    uint32_t passed;  // barriers that the sender has passed before
    uint32_t receipt; // the k-th of its key; ARK_NONE: there is none
    // Whether the receipt takes the data. Else it is delivered: ark_rank.deliveries. Packets that
    // no receipt takes are lost.
    bool taken;
} ark_put;

// One message that an event waits for. Each sender has a chunk of its own in the scratch of a
// reduction.
typedef struct ark_receipt {
    uint32_t rank; // of the receiver: index, as all below
    uint32_t event;
    ark_peer from;
    bool packet;
    int64_t flag;
    bool waits;      // false: Recv with "Wait": false, which takes nothing
    uint32_t chunk;  // of the scratch of RecvReduceSend...: 0, 1 ... by proxies; others: 0
    uint32_t target; // value of the receiver: the tensor that the operator names for the data;
                     // of RecvReduceSend... its scratch (plain: all chunks)
    uint32_t memory; // of the receiver: where [peer, tag] of RecvTags is; ARK_NONE: unknown
    uint32_t put;    // the k-th of its key; ARK_NONE: there is none
} ark_receipt;

typedef struct ark_event {
    ark_event_kind kind;
    uint32_t step;
    bool
        resolved; // all peers and tags are known, and the tensors that the operator needs are there
    ark_peer peer; // of DONE
    uint32_t puts; // of the job: the first of put_count; of REDUCE one for each proxy, as receipts
    uint32_t put_count;
    uint32_t receipts; // of the job
    uint32_t receipt_count;
    uint32_t barrier; // of BARRIER: 0, 1 ... of its rank
} ark_event;

// A put that no operator of its destination takes, and when it is there. Reference section 8.6: a
// receive step of lowering's own takes its place.
typedef struct ark_delivery {
    uint32_t put;
    uint32_t event; // directly after this barrier; ARK_NONE: at the end of the iteration
} ark_delivery;

// A rank of which there is a file.
typedef struct ark_rank {
    int64_t number;
    uint32_t file;           // index among the files: its plan, or its model when it has no plan
    const ark_graph *graph;  // of that file
    const ark_tag_row *tags; // ascending by all members, in their order
    uint32_t tag_count;
    const ark_event *events;
    uint32_t event_count;
    uint32_t barrier_count;
    bool resolved;                  // all its events are
    const ark_delivery *deliveries; // in the order of delivery: by place, source, position there
    uint32_t delivery_count;
} ark_rank;

// A file of the job.
typedef struct ark_job_file {
    const ark_module *module;
    uint32_t rank;    // index; ARK_NONE: its Rank is none of the world
    bool is_used;     // the events of the rank are those of this file
    bool is_repeated; // another file of the same kind, model or plan, has the same rank
    ark_graph graph;
} ark_job_file;

typedef struct ark_job {
    int64_t world;             // WorldSize of the first file
    const ark_job_file *files; // as they were given
    uint32_t file_count;
    const ark_rank *ranks; // ascending by number
    uint32_t rank_count;
    const ark_put *puts; // by rank and event, as receipts
    uint32_t put_count;
    const ark_receipt *receipts;
    uint32_t receipt_count;
    uint32_t key_count; // keys are below it
    // There is one file for each rank of the world, and all events are resolved: sequences of
    // events can be executed.
    bool complete;
} ark_job;

// Builds the graphs and the communication of the files of one job, which are ARK modules; all of
// it lives in `arena`. HOIST_OK whatever the files contain; HOIST_NO_MEMORY; HOIST_LIMIT;
// HOIST_CANCELLED when the deadline of the first module is over.
HOIST_NODISCARD hoist_status ark_job_build(const hoist_file *files, size_t count,
                                           hoist_arena *arena, ark_job *out_job);

// The same for one file alone, of which `graph` is.
HOIST_NODISCARD hoist_status ark_job_build_alone(const ark_graph *graph, hoist_arena *arena,
                                                 ark_job *out_job);

// The first row with these members; NULL: there is none. By binary search.
const ark_tag_row *ark_rank_find_tag(const ark_rank *rank, bool local, bool receives, int64_t peer,
                                     int64_t tag);

// The index of the rank of that number; ARK_NONE: the job has no file of it.
uint32_t ark_job_find_rank(const ark_job *job, int64_t number);

#endif // HOIST_SRC_FORMATS_ARK_MESSAGES_H
