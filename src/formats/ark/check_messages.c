// Rules M70 to M78: communication operators of one file, as far as they are right or wrong without
// the files of the other ranks (ark reference section 8). In: its events (messages.h). What is
// sent before it is overwritten (M76) is in check_sent.c.
#include <inttypes.h>

#include "base/span.h"
#include "formats/ark/check.h"
#include "formats/ark/check_job.h"
#include "formats/ark/places.h"
#include "formats/ark/rules.h"

enum { MAX_PEERS = 7 };

// An event, and what findings about it need.
typedef struct event_check {
    ark_job_check *c;
    const ark_rank *rank;
    const ark_graph *graph;
    const ark_event *event;
    const ark_step *step;
    hoist_str title;
} event_check;

static hoist_pos pos_of(const event_check *e)
{
    return e->step->op->pos;
}

// The Id in the file of the buffer of a value.
static int64_t buffer_id(const event_check *e, uint32_t value)
{
    return e->graph->memories[e->graph->values[value].memory].id;
}

// Of its logical elements: no padding and no gaps.
static uint64_t bytes_of(const ark_value *v)
{
    return v->count * (hoist_dtype_get(v->dtype)->bits / 8);
}

// Peers and tags ----------------------------------------------------------------------------------

// M70: the proxy is for another rank of the world. In a world of one rank M77 is about all of
// them, and nothing is reported here.
static bool check_rank(const event_check *e, uint32_t proxy, const ark_peer *peer)
{
    const bool valid =
        peer->number >= 0 && peer->number < e->c->job->world && peer->number != e->rank->number;
    if (!valid && e->c->job->world > 1) {
        ark_report(e->c->diag, ARK_M70, pos_of(e),
                   "%.*s: buffer %" PRId64 " is memory of rank %" PRId64
                   ", expected another rank than %" PRId64 " below %" PRId64,
                   HOIST_STR_ARGS(e->title), buffer_id(e, proxy), peer->number, e->rank->number,
                   e->c->job->world);
    }
    return valid;
}

// M71: one tag is left. Tags are those that fit at both ends of the message, in the buffers of
// this file.
static void check_tag(const event_check *e, const ark_peer *peer, const char *where)
{
    if (peer->tags > 1) {
        ark_report(e->c->diag, ARK_M71, pos_of(e),
                   "%.*s: several tags connect it with rank %" PRId64 " (%s), expected one",
                   HOIST_STR_ARGS(e->title), peer->number, where);
    } else if (peer->tags == 0) {
        ark_report(e->c->diag, ARK_M71, pos_of(e),
                   "%.*s: no tag connects it with rank %" PRId64 " (%s), expected one",
                   HOIST_STR_ARGS(e->title), peer->number, where);
    }
}

// Whether the proxy has a pair that names this rank. A proxy that a Send makes has exactly one.
static bool has_own_tag(const event_check *e, uint32_t proxy)
{
    const ark_tags *const tags = &e->graph->memories[e->graph->values[proxy].memory].row->recv_tags;
    bool found = false;
    for (size_t i = 0; i < tags->count && !found; i++) {
        found = tags->items[i].rank == -1 || tags->items[i].rank == e->rank->number;
    }
    return found;
}

// Rank, then tag: a tag is asked for only where the rank is right.
static void check_put(const event_check *e, const ark_put *put)
{
    if (!check_rank(e, put->target, &put->to)) {
        return;
    }
    if (!has_own_tag(e, put->target)) {
        ark_report(e->c->diag, ARK_M70, pos_of(e),
                   "%.*s: the RecvTags of the proxy buffer %" PRId64
                   " do not name this rank, expected [-1, tag]",
                   HOIST_STR_ARGS(e->title), buffer_id(e, put->target));
        return;
    }
    check_tag(e, &put->to,
              e->step->type == ARK_SEND
                  ? "RecvTags of the proxy that are SendTags of the input, too"
                  : "RecvTags of the proxy");
}

// Like that of a put. A reduction finds the rank by the proxy that it writes for the same peer.
static void check_receipt(const event_check *e, const ark_receipt *receipt)
{
    const bool plain = e->step->type == ARK_RECV;
    // Write 0 is the output.
    const uint32_t proxy = e->event->kind == ARK_EVENT_REDUCE
                               ? e->step->writes.items[1 + receipt->chunk]
                               : e->step->reads.items[0];
    if (!check_rank(e, proxy, &receipt->from)) {
        return;
    }
    if (!e->graph->memories[receipt->memory].local) {
        ark_report(e->c->diag, ARK_M70, pos_of(e),
                   "%.*s: it receives in buffer %" PRId64
                   ", which is memory of another rank, expected its own",
                   HOIST_STR_ARGS(e->title), e->graph->memories[receipt->memory].id);
        return;
    }
    check_tag(e, &receipt->from,
              plain ? "SendTags of the proxy that are RecvTags of the destination, too"
                    : "RecvTags of the scratch");
}

// M72: rows of one rank, tag and direction are next to each other. SendTags of several buffers are
// harmless: a receiver looks for its own buffer only. That two local buffers announce the same
// SendTags leaves no choice open.
static void check_tag_rows(ark_job_check *c, const ark_rank *rank)
{
    for (uint32_t i = 1; i < rank->tag_count; i++) {
        const ark_tag_row *const before = &rank->tags[i - 1];
        const ark_tag_row *const row = &rank->tags[i];
        const bool same = before->local && row->local && before->receives && row->receives &&
                          before->peer == row->peer && before->tag == row->tag;
        if (same && before->memory != row->memory) {
            ark_report(c->diag, ARK_M72, row->row->pos,
                       "buffers %" PRId64 " and %" PRId64 " both have [%" PRId64 ", %" PRId64
                       "] in their RecvTags, expected one of them",
                       rank->graph->memories[before->memory].id,
                       rank->graph->memories[row->memory].id, row->peer, row->tag);
        }
    }
}

// Packets -----------------------------------------------------------------------------------------

// M73a: `packets` hold `count` payloads of the size of `payload`. Half of each packet is its flag,
// in both layouts (8.4).
static void check_packets(const event_check *e, uint32_t packets, uint32_t payload, uint64_t count)
{
    const uint64_t bytes = bytes_of(&e->graph->values[payload]);
    const uint64_t found = bytes_of(&e->graph->values[packets]);
    uint64_t expected = 0;
    // A world may have any number of peers.
    const bool fits = !__builtin_mul_overflow(bytes, 2 * count, &expected);
    if (bytes % 4) {
        ark_report(e->c->diag, ARK_M73a, pos_of(e),
                   "%.*s: the payload has %" PRIu64 " bytes, expected a multiple of 4",
                   HOIST_STR_ARGS(e->title), bytes);
    } else if (!fits || found != expected) {
        ark_report(e->c->diag, ARK_M73a, pos_of(e),
                   "%.*s: tensor %" PRId64 " has %" PRIu64 " bytes for packets of %" PRIu64
                   " bytes, expected %" PRIu64,
                   HOIST_STR_ARGS(e->title), e->graph->values[packets].id, found, bytes * count,
                   expected);
    }
}

// The packets of each operator, by the table of section 8.1, and the flag, which all of them have.
static void check_packet_event(const event_check *e)
{
    const ark_step *const step = e->step;
    if (step->type == ARK_SEND_PACKET) {
        check_packets(e, step->writes.items[0], step->reads.items[0], 1);
    } else if (step->type == ARK_RECV_PACKET) {
        check_packets(e, step->reads.items[1], step->writes.items[0], 1);
    } else if (step->type == ARK_RECV_REDUCE_SEND_PACKET) {
        // One payload for each peer.
        check_packets(e, step->reads.items[1], step->reads.items[0], step->writes.count - 1);
        // The result goes to each peer, whole.
        for (uint32_t i = 1; i < step->writes.count; i++) {
            check_packets(e, step->writes.items[i], step->writes.items[0], 1);
        }
    } else {
        return;
    }
    const ark_arg *const flag = ark_find_arg(step->op, "Flag", ARK_ARG_UINT32);
    if (flag && flag->integer.value == 0) {
        ark_report(e->c->diag, ARK_M73b, flag->integer.pos,
                   "%.*s: the flag of the packets is 0, which memory has before they arrive",
                   HOIST_STR_ARGS(e->title));
    }
}

// M73c: where the scratch of packets is all of its buffer, no second run uses another place. With
// at most half of the buffer, another run can use the other half, as published plans do for odd
// flags.
static bool has_one_scratch(const event_check *e)
{
    const bool receives =
        e->event->receipt_count > 0 && e->c->job->receipts[e->event->receipts].packet;
    if (!receives) {
        return false;
    }
    const ark_value *const scratch = &e->graph->values[e->step->reads.items[1]];
    return bytes_of(scratch) > e->graph->memories[scratch->memory].size / 2;
}

// Others ------------------------------------------------------------------------------------------

// M74: the proxies of a reduction are those of all other ranks, ascending. Peers are all ranks but
// this one: 0, 1, 3 in rank 2 of 4.
static bool has_all_peers(const event_check *e)
{
    const ark_job *const job = e->c->job;
    bool all = e->event->put_count == (uint64_t)job->world - 1;
    for (uint32_t i = 0; all && i < e->event->put_count; i++) {
        const int64_t expected = i < e->rank->number ? i : (int64_t)i + 1;
        all = job->puts[e->event->puts + i].to.number == expected;
    }
    return all;
}

// NPeers, order, Rank and the scratch. One finding for NPeers and order, since one follows from
// the other.
static void check_reduce(const event_check *e)
{
    const ark_step *const step = e->step;
    const uint32_t proxies = step->writes.count - 1;
    const ark_arg *const peers = ark_find_arg(step->op, "NPeers", ARK_ARG_UINT32);
    const ark_arg *const rank = ark_find_arg(step->op, "Rank", ARK_ARG_INT);
    const ark_value *const scratch = &e->graph->values[step->reads.items[1]];
    const ark_value *const input = &e->graph->values[step->reads.items[0]];
    hoist_diag *const diag = e->c->diag;
    if ((peers && peers->integer.value != proxies) || proxies > MAX_PEERS) {
        ark_report(diag, ARK_M74, peers ? peers->integer.pos : pos_of(e),
                   "%.*s: NPeers is %" PRId64 " and it writes %" PRIu32
                   " proxies, expected the same number up to %d",
                   HOIST_STR_ARGS(e->title), peers ? peers->integer.value : -1, proxies, MAX_PEERS);
    } else if (!has_all_peers(e)) {
        ark_report(diag, ARK_M74, pos_of(e),
                   "%.*s: its proxies are not those of the %" PRId64
                   " other ranks in ascending order",
                   HOIST_STR_ARGS(e->title), e->c->job->world - 1);
    }
    if (rank && rank->integer.value != e->rank->number) {
        ark_report(diag, ARK_M74, rank->integer.pos,
                   "%.*s: Rank is %" PRId64 ", expected %" PRId64 " as of the file",
                   HOIST_STR_ARGS(e->title), rank->integer.value, e->rank->number);
    }
    uint64_t expected = 0;
    // Both come from the file.
    const bool fits = !__builtin_mul_overflow(input->count, proxies, &expected);
    if (step->type == ARK_RECV_REDUCE_SEND && (!fits || scratch->count != expected)) {
        ark_report(diag, ARK_M74, pos_of(e),
                   "%.*s: the scratch has %" PRIu64 " elements, expected %" PRIu64
                   " for each of %" PRIu32 " peers",
                   HOIST_STR_ARGS(e->title), scratch->count, input->count, proxies);
    }
}

// Whether the last three dimensions are those of the array, so that they are one piece. Dimensions
// N may have gaps: each N is a copy of its own.
static bool is_contiguous(const ark_value *v)
{
    bool same = true;
    for (int k = v->rank > 3 ? v->rank - 3 : 0; k < v->rank; k++) {
        same = same && v->shape[k] == v->dims[k];
    }
    return same;
}

// M75: what the Proxy channel copies. Only a plan names the channel; a model's Send is through
// Proxy, the default.
static void check_channel(const event_check *e, const ark_put *put)
{
    const hoist_str channel = e->step->op->config.channel.text;
    const ark_value *const input = &e->graph->values[put->input];
    const ark_value *const target = &e->graph->values[put->target];
    const bool elements = e->step->type != ARK_SEND || hoist_str_equal_c(channel, "Sm");
    if (!elements && (!is_contiguous(input) || !is_contiguous(target))) {
        ark_report(e->c->diag, ARK_M75, pos_of(e),
                   "%.*s: tensor %" PRId64 " is a part of its array in the last three "
                   "dimensions, which the channel %.*s does not copy",
                   HOIST_STR_ARGS(e->title), is_contiguous(input) ? target->id : input->id,
                   HOIST_STR_ARGS(channel.size ? channel : HOIST_STR("Proxy")));
    }
}

// M77: communication needs others. DeviceSync counts its peers; the others name them.
static void check_world(const event_check *e)
{
    const ark_arg *const peers = ark_find_arg(e->step->op, "PeerNum", ARK_ARG_INT);
    if (e->c->job->world == 1) {
        ark_report(e->c->diag, ARK_M77, pos_of(e),
                   "%.*s: WorldSize is 1, expected 2 or more for communication",
                   HOIST_STR_ARGS(e->title));
    } else if (e->event->kind == ARK_EVENT_BARRIER && peers &&
               peers->integer.value != e->c->job->world - 1) {
        ark_report(e->c->diag, ARK_M77, peers->integer.pos,
                   "%.*s: PeerNum is %" PRId64 ", expected %" PRId64 ", one less than WorldSize",
                   HOIST_STR_ARGS(e->title), peers->integer.value, e->c->job->world - 1);
    }
}

// M78: memory of the caller is not announced to others. In D4 only: other dialects have no
// external buffers.
static void check_external(ark_job_check *c, const ark_graph *graph)
{
    for (uint32_t i = 0; i < graph->memory_count; i++) {
        const ark_buffer *const row = graph->memories[i].row;
        const size_t tags = row->send_tags.count + row->recv_tags.count;
        if (graph->memories[i].external && tags) {
            ark_report(c->diag, ARK_M78, row->pos,
                       "the external buffer %" PRId64 " has %zu %s, expected none",
                       graph->memories[i].id, tags, hoist_plural(tags, "tag", "tags"));
        }
    }
}

// All ---------------------------------------------------------------------------------------------

// Tensors are looked at only where the step is valid. A rank that is alone has M77 and nothing
// else.
static void check_event(const event_check *e)
{
    check_world(e);
    if (!e->step->valid || e->c->job->world == 1) {
        return;
    }
    for (uint32_t i = 0; i < e->event->receipt_count; i++) {
        check_receipt(e, &e->c->job->receipts[e->event->receipts + i]);
    }
    for (uint32_t i = 0; i < e->event->put_count; i++) {
        check_put(e, &e->c->job->puts[e->event->puts + i]);
        check_channel(e, &e->c->job->puts[e->event->puts + i]);
    }
    if (e->event->put_count || e->event->receipt_count) { // it has the tensors that it needs
        check_packet_event(e);
    }
    if (e->event->kind == ARK_EVENT_REDUCE && e->event->put_count) {
        check_reduce(e);
    }
}

// One note (M73c) for all operators of a rank, at the first.
static hoist_status check_rank_events(ark_job_check *c, const ark_rank *rank)
{
    size_t same_flags = 0;
    hoist_pos first = {0};
    for (uint32_t i = 0; i < rank->event_count; i++) {
        event_check e = {.c = c, .rank = rank, .graph = rank->graph, .event = &rank->events[i]};
        e.step = &e.graph->steps[e.event->step];
        e.title = ark_step_title(e.step, c->arena);
        ark_place place;
        ark_enter_step(c->diag, e.graph, e.step, &place);
        check_event(&e);
        ark_leave(c->diag, &place);
        if (has_one_scratch(&e)) {
            first = same_flags++ ? first : pos_of(&e);
        }
        HOIST_TRY(hoist_deadline_look(e.graph->module->base.deadline));
    }
    if (same_flags) {
        ark_report(c->diag, ARK_M73c, first,
                   "%zu %s packets of every run with one flag in one place", same_flags,
                   hoist_plural(same_flags, "operator receives", "operators receive"));
    }
    return HOIST_OK;
}

// The rank's events are those of a job of this file alone, so no peer has a file here.
hoist_status ark_check_messages(const ark_graph *graph, hoist_arena *scratch, hoist_diag *diag)
{
    ark_job job;
    ark_job_check c = {.job = &job, .arena = scratch, .diag = diag};
    HOIST_TRY(ark_job_build_alone(graph, scratch, &job));
    check_external(&c, graph);
    for (uint32_t r = 0; r < job.rank_count; r++) {
        check_tag_rows(&c, &job.ranks[r]);
        HOIST_TRY(check_rank_events(&c, &job.ranks[r]));
        HOIST_TRY(ark_check_sent(&c, &job.ranks[r]));
    }
    return HOIST_OK;
}
