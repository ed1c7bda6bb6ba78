// Pairs of puts and receipts (messages.h): both, in the order of their ranks' execution, in; the
// k-th put of a key joined to the k-th receipt of it, and the places in memory, out. What is left
// of the puts is delivered without an operator (ark reference section 8.6).
#include <stdlib.h>

#include "base/order.h"
#include "formats/ark/messages_build.h"

// Keys --------------------------------------------------------------------------------------------

// A put or a receipt of a key. Both are numbered in the order of execution.
typedef struct key_end {
    int64_t source, destination, tag;
    bool receipt;
    uint32_t index;
} key_end;

// Equal for the same key.
static int compare_keys(const key_end *x, const key_end *y)
{
    int order = hoist_order_i64(x->source, y->source);
    order = order ? order : hoist_order_i64(x->destination, y->destination);
    return order ? order : hoist_order_i64(x->tag, y->tag);
}

// Puts of a key come before its receipts, each in the order of execution.
static int by_key(const void *a, const void *b)
{
    const key_end *const x = a;
    const key_end *const y = b;
    int order = compare_keys(x, y);
    order = order ? order : (int)x->receipt - (int)y->receipt;
    return order ? order : hoist_order_u64(x->index, y->index);
}

// Only what is resolved has a key.
static size_t list_ends(const ark_job_work *w, key_end *ends)
{
    size_t count = 0;
    for (size_t i = 0; i < w->put_count; i++) {
        const ark_put *const p = &w->puts[i];
        if (p->to.resolved) {
            ends[count++] =
                (key_end){w->ranks[p->rank].number, p->to.number, p->to.tag, false, (uint32_t)i};
        }
    }
    for (size_t i = 0; i < w->receipt_count; i++) {
        const ark_receipt *const r = &w->receipts[i];
        if (r->from.resolved) {
            ends[count++] =
                (key_end){r->from.number, w->ranks[r->rank].number, r->from.tag, true, (uint32_t)i};
        }
    }
    return count;
}

// Joins the ends of one key, of which the puts are first. First in, first out: the k-th put is for
// the k-th receipt. A Recv that does not wait takes nothing, so its put is delivered at a barrier.
static void join_key(ark_job_work *w, const key_end *ends, size_t count)
{
    size_t puts = 0;
    while (puts < count && !ends[puts].receipt) {
        puts++;
    }
    for (size_t k = 0; k < puts; k++) {
        w->puts[ends[k].index].to.key = w->key_count;
    }
    for (size_t k = 0; puts + k < count; k++) {
        ark_receipt *const receipt = &w->receipts[ends[puts + k].index];
        receipt->from.key = w->key_count;
        if (k < puts) {
            ark_put *const put = &w->puts[ends[k].index];
            receipt->put = ends[k].index;
            put->receipt = ends[puts + k].index;
            put->taken = receipt->waits;
        }
    }
    w->key_count++;
}

// Sorting brings the ends of a key together, so keys are numbers in that order.
static hoist_status find_keys(ark_job_work *w)
{
    key_end *const ends =
        hoist_arena_array(w->arena, w->put_count + w->receipt_count, sizeof *ends);
    HOIST_TRY_MEMORY(ends);
    const size_t count = list_ends(w, ends);
    if (count) {
        qsort(ends, count, sizeof *ends, by_key);
    }
    for (size_t i = 0; i < count;) {
        size_t end = i + 1;
        while (end < count && compare_keys(&ends[i], &ends[end]) == 0) {
            end++;
        }
        join_key(w, &ends[i], end - i);
        i = end;
        HOIST_TRY(hoist_deadline_look(w->deadline));
    }
    return HOIST_OK;
}

// Places ------------------------------------------------------------------------------------------

// Finds the buffer that the destination has for each put. Only one buffer can have the tag: others
// are M72, and the first is taken.
static void find_memories(ark_job_work *w)
{
    for (size_t i = 0; i < w->put_count; i++) {
        ark_put *const p = &w->puts[i];
        if (p->to.resolved && p->to.rank != ARK_NONE) {
            const ark_tag_row *const tag = ark_rank_find_tag(&w->ranks[p->to.rank], true, true,
                                                             w->ranks[p->rank].number, p->to.tag);
            p->memory = tag ? tag->memory : ARK_NONE;
        }
    }
}

// Packets that no receipt takes are lost: nobody waits for their flag.
static bool is_delivered(const ark_put *p)
{
    return !p->taken && !p->packet && p->memory != ARK_NONE;
}

// ARK_NONE is the largest number, so the end of the iteration comes last. Numbers of puts ascend
// by source and by position there.
static int by_place(const void *a, const void *b)
{
    const ark_delivery *const x = a;
    const ark_delivery *const y = b;
    const int order = hoist_order_u64(x->event, y->event);
    return order ? order : hoist_order_u64(x->put, y->put);
}

// Fills in the places of the deliveries to a rank, and sorts them by these. A put whose sender has
// passed k barriers is there at the barrier k of the destination. Without such a barrier it is
// there at the end of the iteration.
static hoist_status place_deliveries(ark_job_work *w, ark_rank *rank, ark_delivery *rows)
{
    uint32_t *const barriers = hoist_arena_array(w->arena, rank->barrier_count, sizeof *barriers);
    HOIST_TRY_MEMORY(barriers);
    for (uint32_t i = 0; i < rank->event_count; i++) {
        if (rank->events[i].kind == ARK_EVENT_BARRIER) {
            barriers[rank->events[i].barrier] = i;
        }
    }
    for (uint32_t i = 0; i < rank->delivery_count; i++) {
        const uint32_t passed = w->puts[rows[i].put].passed;
        rows[i].event = passed < rank->barrier_count ? barriers[passed] : ARK_NONE;
    }
    if (rank->delivery_count) {
        qsort(rows, rank->delivery_count, sizeof *rows, by_place);
    }
    return HOIST_OK;
}

// Gives each rank the puts that no operator of it takes. A counting sort by rank: counts, the
// start of each, and the rows.
static hoist_status find_deliveries(ark_job_work *w)
{
    ark_delivery *const rows = hoist_arena_array(w->arena, w->put_count, sizeof *rows);
    uint32_t *const next = hoist_arena_array(w->arena, w->rank_count, sizeof *next);
    HOIST_TRY_MEMORY(rows && next);
    for (size_t i = 0; i < w->put_count; i++) {
        if (is_delivered(&w->puts[i])) {
            w->ranks[w->puts[i].to.rank].delivery_count++;
        }
    }
    uint32_t first = 0;
    for (uint32_t r = 0; r < w->rank_count; r++) {
        w->ranks[r].deliveries = &rows[first];
        next[r] = first;
        first += w->ranks[r].delivery_count;
    }
    for (size_t i = 0; i < w->put_count; i++) {
        if (is_delivered(&w->puts[i])) {
            rows[next[w->puts[i].to.rank]++].put = (uint32_t)i;
        }
    }
    first = 0;
    for (uint32_t r = 0; r < w->rank_count; r++) {
        HOIST_TRY(place_deliveries(w, &w->ranks[r], &rows[first]));
        first += w->ranks[r].delivery_count;
    }
    return HOIST_OK;
}

// In this order: places need keys, deliveries need places.
hoist_status ark_job_find_pairs(ark_job_work *w)
{
    HOIST_TRY(find_keys(w));
    find_memories(w);
    return find_deliveries(w);
}
