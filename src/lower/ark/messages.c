// Messages of a job as fifos and barriers (ark reference section 8): the puts of a source,
// destination and tag go through one fifo, with a slot for each put of an iteration, so that no
// sender waits. In: the rows of ark_job, which have the places. Out: steps of the threads at hand.
#include <inttypes.h>

#include "base/assert.h"
#include "base/checked.h"
#include "base/span.h"
#include "lower/ark/state.h"

// A slot begins at a multiple of this.
enum { SLOT_ALIGNMENT = 64 };

// Fifos -----------------------------------------------------------------------------------------

// The puts that share a fifo.
typedef struct stream {
    const ark_put *first; // NULL: there are none
    uint32_t count;
    uint64_t bytes; // the most that one has
} stream;

// The slots of a stream are as large as its largest message.
static void count_put(stream *s, const ark_put *put)
{
    s->first = s->first ? s->first : put;
    s->count++;
    s->bytes = put->bytes > s->bytes ? put->bytes : s->bytes;
}

// Its memory holds all puts of an iteration, so reserving a slot never waits.
static hoist_ref add_fifo(ark_lower_job *j, const stream *s, hoist_str name)
{
    uint64_t slot_bytes = 0;
    uint64_t size = 0;
    const ark_lower_rank *source = &j->ranks[s->first->rank];
    const ark_step *step =
        &source->graph->steps[j->messages.ranks[s->first->rank].events[s->first->event].step];
    if (hoist_ckd_align(&slot_bytes, s->bytes, SLOT_ALIGNMENT) || slot_bytes > INT64_MAX ||
        hoist_ckd_mul(&size, slot_bytes, (uint64_t)s->count)) {
        ark_lower_refuse(j, RUN_008, source, step,
                         "its messages of an iteration take 2^64 bytes or more");
        hoist_lower_fail(&j->c, HOIST_LIMIT);
        return HOIST_NO_REF;
    }
    if (j->wires == HOIST_NO_REF) {
        j->wires = hoist_builder_space(j->c.b, &(hoist_prog_space){.name = HOIST_STR("wires"),
                                                                   .loc = hoist_loc_none(),
                                                                   .alignment = SLOT_ALIGNMENT});
    }
    const hoist_shape entry = {.rank = 1, .dim = {(int64_t)s->bytes}};
    const hoist_lower_view bytes = hoist_lower_view_dense(HOIST_NO_REF, HOIST_DTYPE_U8, &entry);
    const hoist_ref memory = hoist_builder_buffer(
        j->c.b, &(hoist_prog_buffer){.name = hoist_lower_name(&j->c, name, ".memory"),
                                     .loc = hoist_loc_none(),
                                     .space = j->wires,
                                     .size = size,
                                     .alignment = SLOT_ALIGNMENT,
                                     .window_of = HOIST_NO_REF,
                                     .contents = HOIST_CONTENTS_UNDEFINED,
                                     .lifetime = HOIST_LIFETIME_RUN,
                                     .layout = HOIST_NO_REF});
    hoist_loc loc = hoist_loc_pos(step->op->pos);
    loc.source = source->source;
    return hoist_builder_fifo(j->c.b,
                              &(hoist_prog_fifo){.name = name,
                                                 .loc = loc,
                                                 .kind = HOIST_FIFO_QUEUE,
                                                 .policy = HOIST_FIFO_STRICT,
                                                 .slots = s->count,
                                                 .parts = &memory,
                                                 .part_count = 1,
                                                 .slot_bytes = slot_bytes,
                                                 .layout = hoist_lower_view_layout(j->c.b, &bytes),
                                                 .dtype = HOIST_DTYPE_U8});
}

// "rank0-rank3"
static hoist_str pair_name(ark_lower_job *j, const ark_put *put)
{
    return hoist_lower_format(&j->c, "rank%" PRIu32 "-rank%" PRIu32, j->ranks[put->rank].number,
                              j->ranks[put->to.rank].number);
}

// The fifos of messages that operators receive, by key. "rank0-rank3/5": with the tag.
static void add_taken(ark_lower_job *j)
{
    const ark_job *job = &j->messages;
    stream *streams = hoist_lower_array(&j->c, (size_t)job->key_count + 1, sizeof *streams);
    j->taken = hoist_lower_array(&j->c, (size_t)job->key_count + 1, sizeof *j->taken);
    for (uint32_t i = 0; streams && i < job->put_count; i++) {
        if (job->puts[i].taken) {
            count_put(&streams[job->puts[i].to.key], &job->puts[i]);
        }
    }
    for (uint32_t i = 0; streams && j->taken && i < job->key_count; i++) {
        const ark_put *put = streams[i].first;
        j->taken[i] = HOIST_NO_REF;
        if (put) {
            const hoist_str name =
                hoist_lower_name(&j->c, pair_name(j, put), "/%" PRId64, put->to.tag);
            j->taken[i] = add_fifo(j, &streams[i], name);
        }
    }
}

// By source and destination, in the rows of the job.
static size_t pair_of(const ark_lower_job *j, const ark_put *put)
{
    return (size_t)put->rank * j->rank_count + put->to.rank;
}

// Those of puts that are delivered without an operator, by source and destination: between the two
// they are in order.
static void add_delivered(ark_lower_job *j)
{
    const ark_job *job = &j->messages;
    const size_t pairs = (size_t)j->rank_count * j->rank_count;
    stream *streams = hoist_lower_array(&j->c, pairs + 1, sizeof *streams);
    j->delivered = hoist_lower_array(&j->c, pairs + 1, sizeof *j->delivered);
    j->is_delivered = hoist_lower_array(&j->c, (size_t)job->put_count + 1, sizeof(bool));
    for (uint32_t r = 0; streams && j->is_delivered && r < job->rank_count; r++) {
        for (uint32_t i = 0; i < job->ranks[r].delivery_count; i++) {
            const uint32_t put = job->ranks[r].deliveries[i].put;
            j->is_delivered[put] = true;
            count_put(&streams[pair_of(j, &job->puts[put])], &job->puts[put]);
        }
    }
    for (size_t i = 0; streams && j->delivered && i < pairs; i++) {
        const ark_put *put = streams[i].first;
        j->delivered[i] =
            put ? add_fifo(j, &streams[i], hoist_lower_name(&j->c, pair_name(j, put), "/puts"))
                : HOIST_NO_REF;
    }
}

// Both ends of a fifo are in threads that are built later.
void ark_lower_fifos(ark_lower_job *j)
{
    add_taken(j);
    add_delivered(j);
}

// Steps -----------------------------------------------------------------------------------------

// One slot at a time.
static void fifo_step(const ark_lower_op *op, hoist_step_kind kind, hoist_ref fifo)
{
    ark_lower_step(
        op,
        (hoist_prog_step){.kind = kind, .as.fifo = {.fifo = fifo, .value = hoist_lower_number(1)}});
}

static uint64_t bytes_of(const hoist_lower_view *view)
{
    return (uint64_t)hoist_shape_count(&view->shape) * (hoist_dtype_get(view->dtype)->bits / 8);
}

// The message in a slot, as elements of a tensor; false: it has not as many bytes, which was
// refused. Bytes are compared and not types: a message may be read as another type of the same
// size.
static bool view_slot(const ark_lower_op *op, hoist_view_base base, hoist_ref fifo, uint64_t bytes,
                      const hoist_lower_view *like, hoist_lower_view *out_view)
{
    *out_view = hoist_lower_view_dense(fifo, like->dtype, &like->shape);
    out_view->base = base;
    if (bytes_of(like) != bytes) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "the message has %" PRIu64 " bytes, its destination %" PRIu64, bytes,
                         bytes_of(like));
        return false;
    }
    return true;
}

// Reserve, write, push. The data are copied, so the sender may overwrite them at once.
static void add_put(const ark_lower_op *op, uint32_t index)
{
    ark_lower_job *j = op->job;
    const ark_put *put = &j->messages.puts[index];
    const hoist_lower_view data = ark_lower_view(op->rank, put->input);
    hoist_lower_view slot;
    if (!put->taken && !j->is_delivered[index]) {
        return; // packets that nothing receives are lost
    }
    const hoist_ref fifo = put->taken ? j->taken[put->to.key] : j->delivered[pair_of(j, put)];
    if (view_slot(op, HOIST_VIEW_WRITE_SLOT, fifo, put->bytes, &data, &slot)) {
        fifo_step(op, HOIST_STEP_RESERVE, fifo);
        ark_lower_move(op, &data, &slot);
        fifo_step(op, HOIST_STEP_PUSH, fifo);
    }
}

// Where a plain put lands: at the geometry that the sender declares, in memory of the receiver.
// Geometry of the proxy, since a Recv may name another region (rule X07).
static bool find_landing(const ark_lower_op *op, const ark_put *put, hoist_lower_view *out_view)
{
    const ark_lower_job *j = op->job;
    const ark_lower_rank *source = &j->ranks[put->rank];
    const ark_lower_rank *destination = &j->ranks[put->to.rank];
    if (put->memory == ARK_NONE || destination->buffers[put->memory] == HOIST_NO_REF) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "rank %" PRIu32 " has no buffer for messages of rank %" PRIu32
                         " with tag %" PRId64,
                         destination->number, source->number, put->to.tag);
        return false;
    }
    *out_view = ark_lower_view_at(source, put->target, destination, put->memory);
    return true;
}

// From here on the slot can be read, until it is given back.
static void begin_receipt(const ark_lower_op *op, hoist_ref fifo)
{
    fifo_step(op, HOIST_STEP_AWAIT, fifo);
}

// Gives the slot back.
static void end_receipt(const ark_lower_op *op, hoist_ref fifo)
{
    fifo_step(op, HOIST_STEP_ADVANCE, fifo);
    fifo_step(op, HOIST_STEP_POP, fifo);
}

void ark_lower_end_receipt(ark_lower_job *j, ark_lower_rank *rank)
{
    const ark_lower_op op = {j, rank, rank->receipt};
    if (rank->received != HOIST_NO_REF) {
        end_receipt(&op, rank->received);
        rank->received = HOIST_NO_REF;
    }
}

// Moves the message at the front of the fifo to `to`; its slot is still to be given back. False:
// that was refused.
static bool store(const ark_lower_op *op, hoist_ref fifo, const ark_put *put,
                  const hoist_lower_view *to)
{
    hoist_lower_view slot;
    const bool fits = view_slot(op, HOIST_VIEW_READ_SLOT, fifo, put->bytes, to, &slot);
    if (fits) {
        begin_receipt(op, fifo);
        ark_lower_move(op, &slot, to);
    }
    return fits;
}

// The put that the receipt takes; NULL: it takes none. A Recv that does not wait takes none.
static const ark_put *taken_by(const ark_lower_op *op, const ark_receipt *receipt)
{
    const ark_put *put = receipt->put != ARK_NONE ? &op->job->messages.puts[receipt->put] : NULL;
    return put && put->taken ? put : NULL;
}

// Packets carry payload only: it goes to the tensor that the operator names, and not to the
// scratch.
static void add_receive(const ark_lower_op *op, const ark_receipt *receipt)
{
    const ark_put *put = taken_by(op, receipt);
    hoist_lower_view to;
    if (put && receipt->packet) {
        to = ark_lower_view(op->rank, receipt->target);
    } else if (!put || !find_landing(op, put, &to)) {
        return;
    }
    const hoist_ref fifo = op->job->taken[put->to.key];
    ark_lower_end_receipt(op->job, op->rank); // of the message before
    if (store(op, fifo, put, &to)) {
        op->rank->received = fifo;
        op->rank->receipt = op->step;
    }
}

// Reductions ------------------------------------------------------------------------------------

// By the row of the operator Add, with its types and its rounding.
static void add_sum(const ark_lower_op *op, const hoist_lower_view *a, const hoist_lower_view *b,
                    const hoist_lower_view *y)
{
    ark_lower_work work = {.op = HOIST_ARK_ADD, .inputs = 2};
    hoist_compute_operand operands[] = {
        {a->dtype, a->shape}, {b->dtype, b->shape}, {y->dtype, y->shape}};
    char why[HOIST_COMPUTE_WHY];
    if (hoist_compute_fits(HOIST_ARK_ADD, &work.attrs, operands, why) != HOIST_FIT_OK) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step, "%s", why);
        return;
    }
    work.operands[0].view = *a;
    work.operands[1].view = *b;
    work.operands[2].view = *y;
    ark_lower_add_complete(op, &work);
}

// The message of a peer: in its slot, or, when it was delivered before, in its chunk of the
// scratch. False: it is nowhere, which was refused. Chunk k is that of proxy k.
static bool find_chunk(const ark_lower_op *op, const ark_receipt *receipt, const ark_put *put,
                       const hoist_lower_view *y, hoist_lower_view *out_view)
{
    if (put) {
        return view_slot(op, HOIST_VIEW_READ_SLOT, op->job->taken[put->to.key], put->bytes, y,
                         out_view);
    }
    const hoist_lower_view scratch = ark_lower_view(op->rank, receipt->target);
    const int64_t count = hoist_shape_count(&y->shape);
    const hoist_shape chunks = {.rank = 2,
                                .dim = {hoist_shape_count(&scratch.shape) / count, count}};
    hoist_lower_view all;
    if (receipt->packet || (int64_t)receipt->chunk >= chunks.dim[0] ||
        !hoist_lower_view_reshape(&scratch, &chunks, &all)) {
        ark_lower_refuse(op->job, RUN_043, op->rank, op->step,
                         "the message of rank %" PRId64 " is not known to be in its scratch",
                         receipt->from.number);
        return false;
    }
    *out_view = hoist_lower_view_dense(all.of, y->dtype, &y->shape);
    out_view->offset = all.offset + (int64_t)receipt->chunk * all.stride[0];
    return true;
}

// `sum` plus the message, rounded, to `y`; what plain puts carry lands in the scratch as well. The
// next sum begins with `y`.
static void add_message(const ark_lower_op *op, const ark_receipt *receipt,
                        const hoist_lower_view *sum, const hoist_lower_view *y)
{
    const ark_put *put = taken_by(op, receipt);
    hoist_lower_view chunk;
    hoist_lower_view landing;
    hoist_lower_view slot;
    if (!find_chunk(op, receipt, put, y, &chunk)) {
        return;
    }
    if (put) {
        begin_receipt(op, chunk.of);
        if (!put->packet && find_landing(op, put, &landing) &&
            view_slot(op, HOIST_VIEW_READ_SLOT, chunk.of, put->bytes, &landing, &slot)) {
            ark_lower_move(op, &slot, &landing);
        }
    }
    add_sum(op, sum, &chunk, y);
    if (put) {
        end_receipt(op, chunk.of);
    }
}

// The rank's own input first, then the messages by ascending rank, each sum rounded to the type.
static void add_reduction(const ark_lower_op *op, const ark_event *event)
{
    const ark_lower_job *j = op->job;
    const ark_step *step = op->step;
    HOIST_ASSERT(event->resolved); // so it has its tensors
    if (!ark_lower_is_here(op->rank, step->reads.items[0]) ||
        !ark_lower_is_here(op->rank, step->writes.items[0])) {
        ark_lower_refuse(op->job, RUN_043, op->rank, step,
                         "its input and output are not memory of the rank");
        return;
    }
    hoist_lower_view sum = ark_lower_view(op->rank, step->reads.items[0]);
    const hoist_lower_view y = ark_lower_view(op->rank, step->writes.items[0]);
    const bool is_apart = !ark_lower_overlap(op->rank, step->reads.items[0], step->writes.items[0]);
    // An input that shares only some bytes with the output has to be read before any is written.
    if (event->receipt_count == 0 || !hoist_shape_equal(&sum.shape, &y.shape) ||
        (!is_apart && !ark_lower_is_same(&sum, &y))) {
        if (bytes_of(&sum) != bytes_of(&y)) {
            ark_lower_refuse(op->job, RUN_043, op->rank, step,
                             "its input has %" PRIu64 " bytes, its output %" PRIu64, bytes_of(&sum),
                             bytes_of(&y));
            return;
        }
        ark_lower_move(op, &sum, &y);
        sum = y;
    }
    for (uint32_t i = 0; i < event->receipt_count; i++) {
        const ark_receipt *receipt = &j->messages.receipts[event->receipts + i];
        add_message(op, receipt, &sum, &y);
        sum = y;
    }
}

// Events ----------------------------------------------------------------------------------------

// All ranks of the job are members.
static void add_barrier(const ark_lower_op *op)
{
    const ark_lower_job *j = op->job;
    const hoist_prog_collective barrier = {.kind = HOIST_COLLECTIVE_BARRIER,
                                           .members = j->rank_count,
                                           .rank = op->rank->index,
                                           .source = HOIST_NO_REF,
                                           .destination = HOIST_NO_REF};
    ark_lower_step(op, (hoist_prog_step){.kind = HOIST_STEP_COLLECTIVE, .as.collective = &barrier});
}

// The steps of puts that no operator receives have the place of their sender. They are in order of
// delivery, so one cursor for the rank is enough.
static void deliver(ark_lower_job *j, ark_lower_rank *rank, uint32_t event)
{
    const ark_rank *row = &j->messages.ranks[rank->index];
    for (; rank->next_delivery < row->delivery_count &&
           row->deliveries[rank->next_delivery].event == event;
         rank->next_delivery++) {
        const ark_put *put = &j->messages.puts[row->deliveries[rank->next_delivery].put];
        ark_lower_rank *source = &j->ranks[put->rank];
        const uint32_t step = j->messages.ranks[put->rank].events[put->event].step;
        const ark_lower_op op = {j, source, &source->graph->steps[step]};
        hoist_lower_view to;
        const hoist_ref fifo = j->delivered[pair_of(j, put)];
        if (find_landing(&op, put, &to) && store(&op, fifo, put, &to)) {
            end_receipt(&op, fifo);
        }
    }
}

void ark_lower_last_deliveries(ark_lower_job *j, ark_lower_rank *rank)
{
    deliver(j, rank, ARK_NONE);
}

// Receipts come before puts: a reduction sends what it has computed. SendDone has no steps,
// because the data were copied.
void ark_lower_event(const ark_lower_op *op, const ark_event *event)
{
    ark_lower_job *j = op->job;
    const ark_rank *row = &j->messages.ranks[op->rank->index];
    switch (event->kind) {
    case ARK_EVENT_RECEIVE:
        for (uint32_t i = 0; i < event->receipt_count; i++) {
            add_receive(op, &j->messages.receipts[event->receipts + i]);
        }
        break;
    case ARK_EVENT_REDUCE:
        add_reduction(op, event);
        break;
    case ARK_EVENT_BARRIER:
        add_barrier(op);
        deliver(j, op->rank, (uint32_t)(event - row->events));
        break;
    case ARK_EVENT_PUT:
    case ARK_EVENT_DONE:
        break;
    }
    for (uint32_t i = 0; i < event->put_count; i++) {
        add_put(op, event->puts + i);
    }
}
