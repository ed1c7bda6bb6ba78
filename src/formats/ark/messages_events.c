// Events of ranks (messages.h): the communication operators of each graph in, events, puts and
// receipts out, with peers and tags as ark reference sections 8.1 and 8.2 determine them. Pairs are
// made in messages_pairs.c.
#include <stdlib.h>

#include "formats/ark/messages_build.h"

// Tags --------------------------------------------------------------------------------------------

// Whether the rank has exactly this row: searched by all members.
static bool has_tag(const ark_rank *rank, const ark_tag_row *row)
{
    const ark_tag_row *const found = ark_rank_tag_from(rank, row);
    return found && ark_tag_compare(found, row) == 0;
}

// Whether the first member of a pair in a proxy names the rank: code writes -1, documents the
// number.
static bool names_this(const ark_rank *rank, int64_t number)
{
    return number == -1 || number == rank->number;
}

// Appends the pairs of one list of a buffer that concern the rank; how many. A proxy's pairs that
// name another rank are none of its own.
static uint32_t add_tags(const ark_rank *rank, uint32_t memory, bool receives, ark_tag_row *rows)
{
    const ark_memory *const m = &rank->graph->memories[memory];
    const ark_tags *const list = receives ? &m->row->recv_tags : &m->row->send_tags;
    uint32_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        const ark_tag *const tag = &list->items[i];
        if (m->local || names_this(rank, tag->rank)) {
            rows[count++] = (ark_tag_row){.local = m->local,
                                          .receives = receives,
                                          .peer = m->local ? tag->rank : m->row->rank.value,
                                          .tag = tag->tag,
                                          .memory = memory,
                                          .row = tag};
        }
    }
    return count;
}

// All tags of the rank, sorted so that they can be searched.
static hoist_status find_tags(ark_job_work *w, ark_rank *rank)
{
    size_t most = 0;
    for (uint32_t i = 0; i < rank->graph->memory_count; i++) {
        const ark_buffer *const row = rank->graph->memories[i].row;
        most += row->send_tags.count + row->recv_tags.count;
    }
    ark_tag_row *const rows = hoist_arena_array(w->arena, most, sizeof *rows);
    if (!rows || most >= ARK_NONE) {
        return rows ? HOIST_LIMIT : HOIST_NO_MEMORY;
    }
    uint32_t count = 0;
    for (uint32_t i = 0; i < rank->graph->memory_count; i++) {
        count += add_tags(rank, i, false, &rows[count]);
        count += add_tags(rank, i, true, &rows[count]);
    }
    if (count) {
        qsort(rows, count, sizeof *rows, ark_tag_compare);
    }
    rank->tags = rows;
    rank->tag_count = count;
    return HOIST_OK;
}

// Events ------------------------------------------------------------------------------------------

// The rank whose events are found.
typedef struct walk {
    ark_job_work *w;
    ark_rank *rank;
    uint32_t index;
    uint32_t passed; // barriers
} walk;

// A list of pairs in which the tag of a message is looked for. A proxy may have several tags; the
// one that its partner has, too, is meant.
typedef struct tag_query {
    const ark_tags *list;
    bool of_proxy; // pairs name this rank, else the peer
    // The buffer of this rank that has the tag, too; ARK_NONE: that is not known.
    uint32_t partner;
    bool partner_receives;
} tag_query;

static const ark_memory *memory_of(const walk *k, uint32_t value)
{
    const ark_graph *const graph = k->rank->graph;
    return &graph->memories[graph->values[value].memory];
}

// Finds the peer that `proxy` is on, and the one tag of the query. `tags` counts 2 for more than
// one. In a world of one rank no peer is resolved.
static ark_peer find_peer(const walk *k, uint32_t proxy, const tag_query *query)
{
    const ark_memory *const memory = memory_of(k, proxy);
    ark_peer peer = {.number = memory->local ? k->rank->number : memory->row->rank.value};
    peer.rank = ark_ranks_find(k->w->ranks, k->w->rank_count, peer.number);
    for (size_t i = 0; i < query->list->count && peer.tags < 2; i++) {
        const ark_tag *const pair = &query->list->items[i];
        const ark_tag_row row = {.local = true,
                                 .receives = query->partner_receives,
                                 .peer = peer.number,
                                 .tag = pair->tag,
                                 .memory = query->partner};
        const bool named =
            query->of_proxy ? names_this(k->rank, pair->rank) : pair->rank == peer.number;
        const bool again = peer.tags && peer.tag == pair->tag;
        if (named && !again && (query->partner == ARK_NONE || has_tag(k->rank, &row))) {
            peer.tag = pair->tag;
            peer.tags++;
        }
    }
    peer.resolved = peer.tags == 1 && peer.number >= 0 && peer.number < k->w->world &&
                    peer.number != k->rank->number;
    return peer;
}

// 0 without the argument, which is reported as missing (M10).
static int64_t flag_of(const ark_step *step)
{
    const ark_arg *const flag = ark_find_arg(step->op, "Flag", ARK_ARG_UINT32);
    return flag ? flag->integer.value : 0;
}

// The message that `step` puts from `input` into the proxy `target`. The tag is one of the proxy's
// RecvTags; a Send's is one of its input's SendTags, too (8.1).
static bool add_put(walk *k, ark_event *event, const ark_step *step, uint32_t input,
                    uint32_t target)
{
    const ark_graph *const graph = k->rank->graph;
    const bool packet = step->type != ARK_SEND && step->type != ARK_RECV_REDUCE_SEND;
    const tag_query query = {.list = &memory_of(k, target)->row->recv_tags,
                             .of_proxy = true,
                             .partner =
                                 step->type == ARK_SEND ? graph->values[input].memory : ARK_NONE};
    const hoist_rec_bool *const signal = &step->op->config.signal;
    ark_put *const put = &k->w->puts[k->w->put_count++];
    *put = (ark_put){.rank = k->index,
                     .event = (uint32_t)(event - k->rank->events),
                     .to = find_peer(k, target, &query),
                     .packet = packet,
                     .flag = packet ? flag_of(step) : 0,
                     .signals = step->type == ARK_SEND && (!signal->pos.line || signal->value),
                     .input = input,
                     .target = target,
                     .bytes = graph->values[input].count *
                              (hoist_dtype_get(graph->values[input].dtype)->bits / 8),
                     .memory = ARK_NONE,
                     .passed = k->passed,
                     .receipt = ARK_NONE};
    event->put_count++;
    return put->to.resolved;
}

// The message that `step` takes from the rank of `proxy`. A Recv's tag is one of the proxy's
// SendTags and of its destination's RecvTags; packets and reductions have theirs in the RecvTags
// of the scratch, as pairs that name the peer.
static bool add_receipt(walk *k, ark_event *event, const ark_step *step, uint32_t proxy)
{
    const bool plain = step->type == ARK_RECV;
    const bool packet = !plain && step->type != ARK_RECV_REDUCE_SEND;
    const uint32_t scratch = plain ? step->writes.items[0] : step->reads.items[1];
    const uint32_t memory = k->rank->graph->values[scratch].memory;
    const tag_query query = {.list = plain ? &memory_of(k, proxy)->row->send_tags
                                           : &memory_of(k, scratch)->row->recv_tags,
                             .of_proxy = plain,
                             .partner = plain ? memory : ARK_NONE,
                             .partner_receives = true};
    const hoist_rec_bool *const wait = &step->op->config.wait;
    ark_receipt *const receipt = &k->w->receipts[k->w->receipt_count++];
    *receipt =
        (ark_receipt){.rank = k->index,
                      .event = (uint32_t)(event - k->rank->events),
                      .from = find_peer(k, proxy, &query),
                      .packet = packet,
                      .flag = packet ? flag_of(step) : 0,
                      .waits = !plain || !wait->pos.line || wait->value,
                      .chunk = event->receipt_count, // receipts are added in the order of proxies
                      .target = event->kind == ARK_EVENT_REDUCE ? scratch : step->writes.items[0],
                      .memory = memory,
                      .put = ARK_NONE};
    event->receipt_count++;
    return receipt->from.resolved;
}

// What a kind of operators needs at least, and whether it is communication at all.
typedef struct event_kind {
    ark_event_kind kind;
    uint32_t reads, writes;
    bool is_event;
} event_kind;

static const event_kind kinds[ARK_OP_TYPE_COUNT] = {
    [ARK_SEND] = {ARK_EVENT_PUT, 1, 1, true},
    [ARK_SEND_PACKET] = {ARK_EVENT_PUT, 1, 1, true},
    [ARK_SEND_DONE] = {ARK_EVENT_DONE, 1, 0, true},
    [ARK_RECV] = {ARK_EVENT_RECEIVE, 1, 1, true},
    [ARK_RECV_PACKET] = {ARK_EVENT_RECEIVE, 2, 1, true},
    [ARK_RECV_REDUCE_SEND] = {ARK_EVENT_REDUCE, 2, 2, true},
    [ARK_RECV_REDUCE_SEND_PACKET] = {ARK_EVENT_REDUCE, 2, 2, true},
    [ARK_DEVICE_SYNC] = {ARK_EVENT_BARRIER, 0, 0, true},
};

// NULL: the operator does not communicate.
static const event_kind *kind_of(const ark_step *step)
{
    const bool communicates = step->type != ARK_OP_UNKNOWN && kinds[step->type].is_event;
    return communicates ? &kinds[step->type] : NULL;
}

// A step that is not valid has no operands that can be trusted, and stays unresolved.
static bool has_operands(const ark_step *step)
{
    const event_kind *const kind = kind_of(step);
    return step->valid && step->reads.count >= kind->reads && step->writes.count >= kind->writes;
}

// Write 0 is the output; each other write is the proxy of a peer, which sends to this rank and
// gets the sum.
static bool add_reduce(walk *k, ark_event *event, const ark_step *step)
{
    bool resolved = true;
    for (uint32_t i = 1; i < step->writes.count; i++) {
        const uint32_t proxy = step->writes.items[i];
        resolved = add_receipt(k, event, step, proxy) && resolved;
        resolved = add_put(k, event, step, step->writes.items[0], proxy) && resolved;
    }
    return resolved;
}

// Barriers count whatever their operands are; other events need theirs.
static void add_event(walk *k, ark_event *event, uint32_t index)
{
    const ark_step *const step = &k->rank->graph->steps[index];
    const ark_event_kind kind = kind_of(step)->kind;
    *event = (ark_event){.kind = kind,
                         .step = index,
                         .resolved = has_operands(step),
                         .puts = (uint32_t)k->w->put_count,
                         .receipts = (uint32_t)k->w->receipt_count};
    if (kind == ARK_EVENT_BARRIER) {
        event->barrier = k->passed++;
    } else if (!event->resolved) {
        return;
    } else if (kind == ARK_EVENT_PUT) {
        event->resolved = add_put(k, event, step, step->reads.items[0], step->writes.items[0]);
    } else if (kind == ARK_EVENT_RECEIVE) {
        event->resolved = add_receipt(k, event, step, step->reads.items[0]);
    } else if (kind == ARK_EVENT_REDUCE) {
        event->resolved = add_reduce(k, event, step);
    } else {
        const uint32_t proxy = step->reads.items[0];
        const tag_query query = {
            .list = &memory_of(k, proxy)->row->recv_tags, .of_proxy = true, .partner = ARK_NONE};
        event->peer = find_peer(k, proxy, &query);
    }
}

// Events of a rank are a range of the list of the job, and are numbered from 0.
static hoist_status find_rank_events(ark_job_work *w, uint32_t index)
{
    walk k = {.w = w, .rank = &w->ranks[index], .index = index};
    const ark_graph *const graph = k.rank->graph;
    ark_event *const events = &w->events[w->event_count];
    k.rank->events = events;
    k.rank->resolved = true;
    HOIST_TRY(find_tags(w, k.rank));
    for (uint32_t i = 0; i < graph->step_count; i++) {
        if (kind_of(&graph->steps[i])) {
            HOIST_TRY(hoist_deadline_look(w->deadline));
            ark_event *const event = &events[k.rank->event_count++];
            add_event(&k, event, i);
            k.rank->resolved = k.rank->resolved && event->resolved;
        }
    }
    w->event_count += k.rank->event_count;
    k.rank->barrier_count = k.passed;
    return HOIST_OK;
}

// Counts first, since the lists are allocated once. An operator has at most 1 + its written
// tensors as messages in each direction.
hoist_status ark_job_find_events(ark_job_work *w)
{
    size_t events = 0;
    size_t messages = 0;
    for (uint32_t r = 0; r < w->rank_count; r++) {
        const ark_graph *const graph = w->ranks[r].graph;
        for (uint32_t i = 0; i < graph->step_count; i++) {
            const ark_step *const step = &graph->steps[i];
            events += kind_of(step) != NULL;
            messages += kind_of(step) ? 1 + (size_t)step->writes.count : 0;
        }
    }
    if (events >= ARK_NONE || messages >= ARK_NONE) {
        return HOIST_LIMIT;
    }
    w->events = hoist_arena_array(w->arena, events, sizeof *w->events);
    w->puts = hoist_arena_array(w->arena, messages, sizeof *w->puts);
    w->receipts = hoist_arena_array(w->arena, messages, sizeof *w->receipts);
    HOIST_TRY_MEMORY(w->events && w->puts && w->receipts);
    for (uint32_t r = 0; r < w->rank_count; r++) {
        HOIST_TRY(find_rank_events(w, r));
    }
    return HOIST_OK;
}
