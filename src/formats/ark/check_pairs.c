// Rules of messages between the files of a job, pair by pair: tags without their partner (X02),
// numbers (X04), order (X05), type, size and region (X06, X07), flags (X09). In: the puts and
// receipts of messages.h, those of a key joined. In a job where a rank has no file, its messages
// are left out.
#include <inttypes.h>
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/ark/check_job.h"
#include "formats/ark/rules.h"

// A finding about an event of a rank, which begins with its title.
HOIST_PRINTF(5, 6)
// In the file of the rank, which need not be the one at hand.
static void report(const ark_job_check *c, ark_rule rule, uint32_t rank_index, uint32_t event,
                   const char *format, ...)
{
    const ark_rank *const rank = &c->job->ranks[rank_index];
    va_list args;
    va_start(args, format);
    const hoist_str text = hoist_arena_vformat(c->arena, format, args);
    va_end(args);
    ark_event_place place;
    ark_event_enter(c, rank, event, &place);
    ark_report(c->diag, rule, ark_event_step(rank, event)->op->pos, "%.*s: %.*s",
               HOIST_STR_ARGS(ark_event_title(c, rank, event)), HOIST_STR_ARGS(text));
    ark_event_leave(c, &place);
}

// X02 ---------------------------------------------------------------------------------------------

// Whether `source` has something to send to `destination` under the tag. Only Send writes SendTags;
// for other senders their proxy stands. Send adds to SendTags of its input; packets and reductions
// record none (8.1).
static bool is_sent(const ark_rank *source, int64_t destination, int64_t tag)
{
    return ark_rank_find_tag(source, true, false, destination, tag) ||
           ark_rank_find_tag(source, false, true, destination, tag);
}

// Whether the buffer that a proxy's tag refers to is in the file of its rank; true without the
// file.
static bool has_partner(const ark_job *job, const ark_rank *rank, const ark_tag_row *row)
{
    const uint32_t index = ark_job_find_rank(job, row->peer);
    if (index == ARK_NONE) {
        return true;
    }
    const ark_rank *const peer = &job->ranks[index];
    return row->receives ? ark_rank_find_tag(peer, true, true, rank->number, row->tag) != NULL
                         : is_sent(peer, rank->number, row->tag);
}

// Proxies are first among the rows of a rank, so the loop ends at the first local one.
static void check_tags(const ark_job_check *c, const ark_rank *rank)
{
    const hoist_source before = hoist_diag_enter(c->diag, ark_rank_file(c, rank));
    for (uint32_t i = 0; i < rank->tag_count && !rank->tags[i].local; i++) {
        // A proxy for this rank itself is M70.
        const ark_tag_row *const row = &rank->tags[i];
        if (row->peer != rank->number && !has_partner(c->job, rank, row)) {
            const char *const list = row->receives ? "RecvTags" : "SendTags";
            ark_report(c->diag, ARK_X02, row->row->pos,
                       "buffer %" PRId64 " is a proxy for one of rank %" PRId64
                       " with the tag %" PRId64 ", and none there has [%" PRId64 ", %" PRId64
                       "] in its %s",
                       rank->graph->memories[row->memory].id, row->peer, row->tag, rank->number,
                       row->tag, list);
        }
    }
    hoist_diag_leave(c->diag, before);
}

// X04 ---------------------------------------------------------------------------------------------

// Puts and receipts of a key, and whether what there are too many of has been reported. One
// finding for a key, at the first message that has no partner.
typedef struct key_count {
    uint64_t puts, receipts;
    bool reported;
} key_count;

// Whether the number of messages from `source` to `destination` is known. A rank that has an
// unresolved event may send more than is known.
static bool is_counted(const ark_job *job, uint32_t source, uint32_t destination)
{
    return source != ARK_NONE && destination != ARK_NONE && job->ranks[source].resolved &&
           job->ranks[destination].resolved;
}

// A key that has more receipts than puts: those that are left over wait forever.
static void check_lacking(const ark_job_check *c, const ark_receipt *r, key_count *key)
{
    const ark_rank *const rank = &c->job->ranks[r->rank];
    const ark_rank *const source = &c->job->ranks[r->from.rank];
    const bool announced = r->packet || is_sent(source, rank->number, r->from.tag);
    // It waits for a signal.
    const bool plain = rank->events[r->event].kind == ARK_EVENT_RECEIVE && !r->packet;
    if (key->reported || (plain && !announced)) { // X02 has been reported
        return;
    }
    key->reported = true;
    report(c, ARK_X04a, r->rank, r->event,
           "%" PRIu64 " %s received from rank %" PRId64 " with the tag %" PRId64 " and %" PRIu64
           " %s sent in '%.*s', so it waits forever",
           key->receipts, key->receipts == 1 ? "message is" : "messages are", r->from.number,
           r->from.tag, key->puts, key->puts == 1 ? "is" : "are",
           HOIST_STR_ARGS(ark_rank_file(c, source)));
}

// A key that has more puts than receipts. Puts without signals and without any receipt are
// delivered at a barrier (8.6).
static void check_surplus(const ark_job_check *c, const ark_put *p, key_count *key)
{
    const bool one_sided = !p->signals && !p->packet && key->receipts == 0; // by intention
    if (key->reported || one_sided || p->memory == ARK_NONE) {              // X02 has been reported
        return;
    }
    key->reported = true;
    report(c, ARK_X04b, p->rank, p->event,
           "%" PRIu64 " %s sent to rank %" PRId64 " with the tag %" PRId64 " and %" PRIu64
           " %s received in '%.*s'",
           key->puts, key->puts == 1 ? "message is" : "messages are", p->to.number, p->to.tag,
           key->receipts, key->receipts == 1 ? "is" : "are",
           HOIST_STR_ARGS(ark_rank_file(c, &c->job->ranks[p->to.rank])));
}

// Counts first, for the messages, then what has no partner.
static hoist_status check_counts(const ark_job_check *c)
{
    const ark_job *const job = c->job;
    key_count *const keys = hoist_arena_array(c->arena, job->key_count, sizeof *keys);
    HOIST_TRY_MEMORY(keys);
    for (uint32_t i = 0; i < job->put_count; i++) {
        if (job->puts[i].to.resolved) {
            keys[job->puts[i].to.key].puts++;
        }
    }
    for (uint32_t i = 0; i < job->receipt_count; i++) {
        if (job->receipts[i].from.resolved) {
            keys[job->receipts[i].from.key].receipts++;
        }
    }
    for (uint32_t i = 0; i < job->receipt_count; i++) {
        const ark_receipt *const r = &job->receipts[i];
        if (r->from.resolved && r->put == ARK_NONE && is_counted(job, r->from.rank, r->rank)) {
            check_lacking(c, r, &keys[r->from.key]);
        }
    }
    for (uint32_t i = 0; i < job->put_count; i++) {
        const ark_put *const p = &job->puts[i];
        if (p->to.resolved && p->receipt == ARK_NONE && is_counted(job, p->rank, p->to.rank)) {
            check_surplus(c, p, &keys[p->to.key]);
        }
    }
    return HOIST_OK;
}

// X05 ---------------------------------------------------------------------------------------------

// A Send that signals, or a Recv that waits for one: ARK counts those of two ranks on one channel.
// Another channel has a count of its own.
typedef struct signal {
    uint32_t source, destination;
    hoist_str channel;
    bool receipt;
    uint32_t index;
    int64_t tag;
} signal;

// Equal: one counter of ARK.
static int compare_channels(const signal *x, const signal *y)
{
    int order = hoist_order_u64(x->source, y->source);
    order = order ? order : hoist_order_u64(x->destination, y->destination);
    return order ? order : hoist_str_compare(x->channel, y->channel);
}

// Within a channel first what is sent, then what is received, each in the order of its rank.
static int by_channel(const void *a, const void *b)
{
    const signal *const x = a;
    const signal *const y = b;
    int order = compare_channels(x, y);
    order = order ? order : (int)x->receipt - (int)y->receipt;
    return order ? order : hoist_order_u64(x->index, y->index);
}

// A model has no channels: its planner takes Proxy.
static hoist_str channel_of(const ark_rank *rank, uint32_t event)
{
    const hoist_str text = ark_event_step(rank, event)->op->config.channel.text;
    return text.size ? text : HOIST_STR("Proxy");
}

// Only messages that are joined by tag count: their order by channel is compared with that.
static size_t list_signals(const ark_job *job, signal *signals)
{
    size_t count = 0;
    for (uint32_t i = 0; i < job->put_count; i++) {
        const ark_put *const p = &job->puts[i];
        const bool paired = p->receipt != ARK_NONE; // else X02 or X04 has been reported
        if (p->signals && paired && is_counted(job, p->rank, p->to.rank)) {
            const hoist_str channel = channel_of(&job->ranks[p->rank], p->event);
            signals[count++] = (signal){p->rank, p->to.rank, channel, false, i, p->to.tag};
        }
    }
    for (uint32_t i = 0; i < job->receipt_count; i++) {
        const ark_receipt *const r = &job->receipts[i];
        const ark_rank *const rank = &job->ranks[r->rank];
        const bool plain = rank->events[r->event].kind == ARK_EVENT_RECEIVE && !r->packet;
        if (plain && r->waits && r->put != ARK_NONE && is_counted(job, r->from.rank, r->rank)) {
            const hoist_str channel = channel_of(rank, r->event);
            signals[count++] = (signal){r->from.rank, r->rank, channel, true, i, r->from.tag};
        }
    }
    return count;
}

// The signals of one channel, of which the puts are first. Where there are more of one kind, X04
// says so. The k-th receipt takes the k-th signal on ARK: one finding at the first whose tag
// differs.
static void check_channel(const ark_job_check *c, const signal *signals, size_t count)
{
    size_t puts = 0;
    while (puts < count && !signals[puts].receipt) {
        puts++;
    }
    for (size_t k = 0; count == 2 * puts && k < puts; k++) {
        const signal *const put = &signals[k];
        const signal *const receipt = &signals[puts + k];
        if (put->tag != receipt->tag) {
            report(c, ARK_X05, receipt->destination, c->job->receipts[receipt->index].event,
                   "it is receiver %zu of messages of rank %" PRId64 " and has the tag %" PRId64
                   "; message %zu has the tag %" PRId64,
                   k + 1, c->job->ranks[put->source].number, receipt->tag, k + 1, put->tag);
            return;
        }
    }
}

// By sorting, the signals of each channel come together.
static hoist_status check_order(const ark_job_check *c)
{
    const size_t most = (size_t)c->job->put_count + c->job->receipt_count;
    signal *const signals = hoist_arena_array(c->arena, most, sizeof *signals);
    HOIST_TRY_MEMORY(signals);
    const size_t count = list_signals(c->job, signals);
    if (count) {
        qsort(signals, count, sizeof *signals, by_channel);
    }
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && compare_channels(&signals[i], &signals[end]) == 0) {
            end++;
        }
        check_channel(c, &signals[i], end - i);
        i = end;
    }
    return HOIST_OK;
}

// X06, X07, X09 -----------------------------------------------------------------------------------

// A message whose destination is known.
typedef struct message {
    const ark_put *put;
    const ark_receipt *receipt; // NULL: no operator receives it
    const ark_rank *source;
    const ark_rank *destination;
    const ark_value *input;  // what is sent
    const ark_value *target; // where
} message;

// The joined ends of a put whose destination has a file.
static message message_of(const ark_job *job, const ark_put *put)
{
    message m = {.put = put,
                 .receipt = put->receipt == ARK_NONE ? NULL : &job->receipts[put->receipt],
                 .source = &job->ranks[put->rank],
                 .destination = &job->ranks[put->to.rank]};
    m.input = &m.source->graph->values[put->input];
    m.target = &m.source->graph->values[put->target];
    return m;
}

// The tensor whose type and number of elements the receiver expects; NULL without one. A reduction
// expects one chunk of the extent of its input.
static const ark_value *expected_of(const message *m)
{
    if (!m->receipt) {
        return NULL;
    }
    const ark_step *const step = ark_event_step(m->destination, m->receipt->event);
    const bool reduces = m->destination->events[m->receipt->event].kind == ARK_EVENT_REDUCE;
    const uint32_t value = reduces ? step->reads.items[0] : m->receipt->target;
    return &m->destination->graph->values[value];
}

// The name in the file; "?" of a type that is unknown.
static const char *dtype_name(const ark_value *v)
{
    const char *const name = hoist_rec_word_name(&ark_dtypes, v->row->dtype.value);
    return name ? name : "?";
}

// X06: whether the elements are those that the receiver expects. Packets carry no element type:
// the payload has that of both tensors.
static bool check_elements(const ark_job_check *c, const message *m)
{
    const ark_value *const expected = expected_of(m);
    if (expected && m->put->packet != m->receipt->packet) {
        report(c, ARK_X06, m->put->rank, m->put->event,
               "it sends %s, and %.*s of rank %" PRId64 " expects %s",
               m->put->packet ? "packets" : "data without flags",
               HOIST_STR_ARGS(ark_event_title(c, m->destination, m->receipt->event)),
               m->destination->number, m->receipt->packet ? "packets" : "data without flags");
        return false;
    }
    if (expected && (expected->dtype != m->input->dtype || expected->count != m->input->count)) {
        report(c, ARK_X06, m->put->rank, m->put->event,
               "it sends %" PRIu64 " elements of %s, and %.*s of rank %" PRId64 " expects %" PRIu64
               " of %s",
               m->input->count, dtype_name(m->input),
               HOIST_STR_ARGS(ark_event_title(c, m->destination, m->receipt->event)),
               m->destination->number, expected->count, dtype_name(expected));
        return false;
    }
    return true;
}

// X06: whether the region has the elements and is in the receiver's buffer. The proxy of packets
// is bytes, twice as many as the payload, which M73a has checked.
static bool check_region(const ark_job_check *c, const message *m)
{
    const ark_memory *const memory = &m->destination->graph->memories[m->put->memory];
    const ark_value *const target = m->target;
    if (!m->put->packet && (target->count != m->input->count || target->dtype != m->input->dtype)) {
        report(c, ARK_X06, m->put->rank, m->put->event,
               "it sends %" PRIu64 " elements of %s into a region of %" PRIu64 " of %s",
               m->input->count, dtype_name(m->input), target->count, dtype_name(target));
        return false;
    }
    if (target->end > memory->size) {
        report(c, ARK_X06, m->put->rank, m->put->event,
               "the message ends at byte %" PRIu64 " of buffer %" PRId64 " of rank %" PRId64
               ", which has %" PRIu64,
               target->end, memory->id, m->destination->number, memory->size);
        return false;
    }
    return true;
}

// X07 and X09, of a receiver of its own. A reduction takes its chunk wherever the sender puts it,
// so X07 does not apply.
static void check_receiver(const ark_job_check *c, const message *m)
{
    const ark_receipt *const r = m->receipt;
    const ark_step *const step = ark_event_step(m->destination, r->event);
    const bool reduces = m->destination->events[r->event].kind == ARK_EVENT_REDUCE;
    const uint32_t own = r->packet ? step->reads.items[1] : r->target;
    const ark_value *const region = &m->destination->graph->values[own];
    if (!reduces && region->memory == m->put->memory && !ark_values_coincide(region, m->target)) {
        report(c, ARK_X07, r->rank, r->event,
               "tensor %" PRId64 " is bytes %" PRIu64 " to %" PRIu64 " of buffer %" PRId64
               ", and rank %" PRId64 " fills other ones, %" PRIu64 " to %" PRIu64,
               region->id, region->offset, region->end,
               m->destination->graph->memories[region->memory].id, m->source->number,
               m->target->offset, m->target->end);
    }
    if (r->packet && r->flag != m->put->flag) {
        report(c, ARK_X09, r->rank, r->event,
               "it waits for packets with the flag %" PRId64 ", and %.*s of rank %" PRId64
               " sends %" PRId64,
               r->flag, HOIST_STR_ARGS(ark_event_title(c, m->source, m->put->event)),
               m->source->number, m->put->flag);
    }
}

// Each message has one finding of X06 at most: what depends on its size is not compared then.
static void check_put(const ark_job_check *c, const ark_put *put)
{
    if (!put->to.resolved || put->to.rank == ARK_NONE || put->memory == ARK_NONE ||
        !c->job->ranks[put->to.rank].graph->memories[put->memory].valid) {
        return;
    }
    const message m = message_of(c->job, put);
    if (check_elements(c, &m) && check_region(c, &m) && m.receipt) {
        check_receiver(c, &m);
    }
}

// All ---------------------------------------------------------------------------------------------

hoist_status ark_check_pairs(ark_job_check *c)
{
    for (uint32_t r = 0; r < c->job->rank_count; r++) {
        check_tags(c, &c->job->ranks[r]);
    }
    HOIST_TRY(check_counts(c));
    HOIST_TRY(check_order(c));
    for (uint32_t i = 0; i < c->job->put_count; i++) {
        HOIST_TRY(hoist_deadline_look(c->job->files[0].module->base.deadline));
        check_put(c, &c->job->puts[i]);
    }
    return HOIST_OK;
}
