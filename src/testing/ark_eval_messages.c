// Operators that communicate in the evaluator (ark_eval.h): section 8 of the ark reference. In: an
// operator of a rank. Out: messages that are sent, and those that it receives applied to memory at
// the geometry that their sender declares.
#include <math.h>

#include "base/span.h"
#include "testing/ark_eval_state.h"

// Pairs ------------------------------------------------------------------------------------------

// The tag of the first pair with `rank`; false: there is none.
static bool tag_of(const ark_tags *tags, int64_t rank, int64_t *out_tag)
{
    for (size_t i = 0; i < tags->count; i++) {
        if (tags->items[i].rank == rank) {
            *out_tag = tags->items[i].tag;
            return true;
        }
    }
    return false;
}

static bool has_tag(const ark_tags *tags, int64_t rank, int64_t tag)
{
    for (size_t i = 0; i < tags->count; i++) {
        if (tags->items[i].rank == rank && tags->items[i].tag == tag) {
            return true;
        }
    }
    return false;
}

// The buffer of a rank in which messages of `source` with `tag` arrive.
static ark_eval_memory *target_of(const ark_eval *eval, size_t rank, size_t source, int64_t tag)
{
    ark_eval_rank *const r = &eval->ranks[rank];
    for (size_t i = 0; i < r->memory_count; i++) {
        if (has_tag(&r->memories[i].buffer->recv_tags, (int64_t)source, tag)) {
            return &r->memories[i];
        }
    }
    return NULL;
}

// The rank of a proxy tensor.
static size_t peer_of(const ark_tensor *tensor)
{
    return (size_t)tensor->buffer.rank.value;
}

// The tag with which a Recv takes messages of its source: one that the proxy has, and the
// destination, too.
static bool recv_tag(const ark_op *op, int64_t *out_tag)
{
    const ark_tags *const proxy = &op->reads.items[0].buffer.send_tags;
    const ark_tags *const own = &op->writes.items[0].buffer.recv_tags;
    for (size_t i = 0; i < proxy->count; i++) {
        if (proxy->items[i].rank == -1 &&
            has_tag(own, op->reads.items[0].buffer.rank.value, proxy->items[i].tag)) {
            *out_tag = proxy->items[i].tag;
            return true;
        }
    }
    return false;
}

// Whether an operator receives messages of `source` with `tag`.
static bool receives(const ark_op *op, size_t source, int64_t tag)
{
    int64_t own = 0;
    switch (op->type.value) {
    case ARK_RECV:
        return peer_of(&op->reads.items[0]) == source && recv_tag(op, &own) && own == tag;
    case ARK_RECV_PACKET:
        return peer_of(&op->reads.items[0]) == source &&
               has_tag(&op->reads.items[1].buffer.recv_tags, (int64_t)source, tag);
    case ARK_RECV_REDUCE_SEND:
    case ARK_RECV_REDUCE_SEND_PACKET:
        return has_tag(&op->reads.items[1].buffer.recv_tags, (int64_t)source, tag);
    default:
        return false;
    }
}

static bool is_received(const ark_eval *eval, size_t rank, size_t source, int64_t tag)
{
    const ark_eval_rank *const r = &eval->ranks[rank];
    for (size_t i = 0; i < r->op_count; i++) {
        if (receives(r->ops[i], source, tag)) {
            return true;
        }
    }
    return false;
}

// Messages ---------------------------------------------------------------------------------------

// Sends elements to what a proxy names. `target` is their geometry there, or NULL.
static bool send(ark_eval *eval, size_t rank, const ark_tensor *proxy, const ark_eval_block *data,
                 const ark_tensor *target)
{
    int64_t tag = 0;
    const size_t peer = peer_of(proxy);
    if (!tag_of(&proxy->buffer.recv_tags, -1, &tag) || peer >= eval->rank_count) {
        return false;
    }
    ark_eval_message *const m = ark_eval_array(eval, 1, sizeof *m);
    *m = (ark_eval_message){.source = rank,
                            .destination = peer,
                            .tag = tag,
                            .is_put = !is_received(eval, peer, rank, tag),
                            .syncs = eval->ranks[rank].syncs,
                            .position = eval->ranks[rank].next,
                            .data = *data,
                            .target = target};
    *eval->last = m;
    eval->last = &m->next;
    return true;
}

// The oldest message that has not been received; NULL: it has not come yet.
static ark_eval_message *find(const ark_eval *eval, size_t rank, size_t source, int64_t tag)
{
    ark_eval_message *m = eval->first;
    while (m && (m->is_over || m->is_put || m->destination != rank || m->source != source ||
                 m->tag != tag)) {
        m = m->next;
    }
    return m;
}

static bool apply(ark_eval *eval, ark_eval_message *m)
{
    ark_eval_memory *const memory = target_of(eval, m->destination, m->source, m->tag);
    m->is_over = true;
    if (memory) {
        ark_eval_write(&m->data, m->target, memory);
    }
    return memory != NULL;
}

void ark_eval_deliver(ark_eval *eval, size_t rank, uint32_t syncs)
{
    for (size_t source = 0; source < eval->rank_count; source++) {
        for (ark_eval_message *m = eval->first; m; m = m->next) {
            if (m->is_put && !m->is_over && m->destination == rank && m->source == source &&
                m->syncs < syncs) {
                (void)apply(eval, m);
            }
        }
    }
}

// Operators --------------------------------------------------------------------------------------

static ark_eval_progress receive(ark_eval *eval, size_t rank, const ark_op *op)
{
    int64_t tag = 0;
    if (!recv_tag(op, &tag)) {
        return ARK_EVAL_FAILS;
    }
    ark_eval_message *const m = find(eval, rank, peer_of(&op->reads.items[0]), tag);
    return !m ? ARK_EVAL_WAITS : apply(eval, m) ? ARK_EVAL_DONE : ARK_EVAL_FAILS;
}

// Packets: the payload belongs in the tensor that is written; the scratch is only a place.
static ark_eval_progress receive_packet(ark_eval *eval, size_t rank, const ark_op *op)
{
    const size_t source = peer_of(&op->reads.items[0]);
    const ark_tensor *const scratch = &op->reads.items[1];
    int64_t tag = 0;
    if (!tag_of(&scratch->buffer.recv_tags, (int64_t)source, &tag)) {
        return ARK_EVAL_FAILS;
    }
    ark_eval_message *const m = find(eval, rank, source, tag);
    if (m) {
        m->is_over = true;
        ark_eval_forget(scratch, ark_eval_memory_of(eval, rank, scratch));
        ark_eval_write(&m->data, &op->writes.items[0],
                       ark_eval_memory_of(eval, rank, &op->writes.items[0]));
    }
    return m ? ARK_EVAL_DONE : ARK_EVAL_WAITS;
}

// Element `i` after another one was added: rounded as it is stored, or kept in float32.
static ark_eval_number added(ark_dtype dtype, ark_eval_number sum, ark_eval_number x)
{
    const ark_eval_number out = ark_eval_binary(ARK_ADD, dtype, sum, x);
    if (dtype == ARK_FP32 || !ark_eval_is_float(dtype) || !isfinite(out.real) || isinf(out.error)) {
        return out;
    }
    ark_eval_number open = out;
    open.error += fabs(sum.real + x.real - out.real);
    return open;
}

// The first message of each peer; false: one has not come.
static bool find_all(ark_eval *eval, size_t rank, const ark_op *op, ark_eval_message **out)
{
    for (size_t i = 0; i + 1 < op->writes.count; i++) {
        const size_t peer = peer_of(&op->writes.items[i + 1]);
        int64_t tag = 0;
        out[i] = tag_of(&op->reads.items[1].buffer.recv_tags, (int64_t)peer, &tag)
                     ? find(eval, rank, peer, tag)
                     : NULL;
        if (!out[i]) {
            return false;
        }
    }
    return true;
}

// Own elements, then those of the peers in the order of their ranks, from the chunks of the scratch
// or from the packets; the sum is stored and sent on.
static ark_eval_progress reduce_send(ark_eval *eval, size_t rank, const ark_op *op)
{
    const bool packets = op->type.value == ARK_RECV_REDUCE_SEND_PACKET;
    const size_t peers = op->writes.count - 1;
    const ark_tensor *const scratch = &op->reads.items[1];
    ark_eval_memory *const place = ark_eval_memory_of(eval, rank, scratch);
    ark_eval_message **const messages = ark_eval_array(eval, peers, sizeof(ark_eval_message *));
    if (!find_all(eval, rank, op, messages)) {
        return ARK_EVAL_WAITS;
    }
    ark_eval_block sum = ark_eval_read(eval, &op->reads.items[0],
                                       ark_eval_memory_of(eval, rank, &op->reads.items[0]));
    for (size_t i = 0; i < peers; i++) {
        messages[i]->is_over = true;
        if (!packets && !apply(eval, messages[i])) {
            return ARK_EVAL_FAILS;
        }
    }
    const ark_eval_block chunks = ark_eval_read(eval, scratch, place);
    for (size_t i = 0; i < peers; i++) {
        const ark_eval_number *const chunk =
            packets ? messages[i]->data.items : chunks.items + i * sum.count;
        for (size_t k = 0; k < sum.count; k++) {
            sum.items[k] = added(sum.dtype, sum.items[k], chunk[k]);
        }
    }
    ark_eval_forget(scratch, place);
    ark_eval_write(&sum, &op->writes.items[0],
                   ark_eval_memory_of(eval, rank, &op->writes.items[0]));
    bool sent = true;
    for (size_t i = 1; i <= peers; i++) {
        const ark_tensor *const proxy = &op->writes.items[i];
        sent = send(eval, rank, proxy, &sum, packets ? NULL : proxy) && sent;
    }
    return sent ? ARK_EVAL_DONE : ARK_EVAL_FAILS;
}

// A barrier: it is over for a rank when all others have come to theirs of this number.
static ark_eval_progress sync(ark_eval *eval, size_t rank)
{
    ark_eval_rank *const own = &eval->ranks[rank];
    own->at_sync = true;
    for (size_t i = 0; i < eval->rank_count; i++) {
        const ark_eval_rank *const other = &eval->ranks[i];
        if (other->syncs < own->syncs || (other->syncs == own->syncs && !other->at_sync)) {
            return ARK_EVAL_WAITS;
        }
    }
    own->at_sync = false;
    own->syncs++;
    ark_eval_deliver(eval, rank, own->syncs);
    return ARK_EVAL_DONE;
}

ark_eval_progress ark_eval_communicate(ark_eval *eval, size_t rank, const ark_op *op)
{
    ark_eval_block data;
    switch (op->type.value) {
    case ARK_SEND:
    case ARK_SEND_PACKET: {
        const ark_tensor *const proxy = &op->writes.items[0];
        const bool is_packet = op->type.value == ARK_SEND_PACKET;
        data = ark_eval_read(eval, &op->reads.items[0],
                             ark_eval_memory_of(eval, rank, &op->reads.items[0]));
        return send(eval, rank, proxy, &data, is_packet ? NULL : proxy) ? ARK_EVAL_DONE
                                                                        : ARK_EVAL_FAILS;
    }
    case ARK_RECV:
        return receive(eval, rank, op);
    case ARK_RECV_PACKET:
        return receive_packet(eval, rank, op);
    case ARK_RECV_REDUCE_SEND:
    case ARK_RECV_REDUCE_SEND_PACKET:
        return reduce_send(eval, rank, op);
    case ARK_DEVICE_SYNC:
        return sync(eval, rank);
    default: // SendDone
        return ARK_EVAL_DONE;
    }
}
