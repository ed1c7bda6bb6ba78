// Follows the words of values through the memories of tiles (recover_trace.h). In: the walk, with
// the layers that groups are; out: which value's word is at an address of a tile.
//
// Words are followed in runs of addresses and not one by one, since there may be millions: loops
// are put in order of their strides where that makes no difference.
//
// Operations that compute each number alone keep the number of a word; those that only move data
// keep the value, too. Selections make mixed words, which are named by their index in a list. What
// a tile sends goes to the tile next to it, in the direction of the channel, which the next
// instruction of that channel there writes or passes on: packets of four words, so that a tile in
// between knows their number only.
#include "formats/darwinn/recover_trace.h"

#include <string.h>

#include "base/assert.h"
#include "base/span.h"
#include "formats/darwinn/recover_steps.h"

// Channels of the mesh, and words that it sends at a time.
enum { CHANNELS = 4, PACKET = 4 };
#define MIXED UINT32_MAX // in place of a value: the word is an index of a mixed one

// Memory -----------------------------------------------------------------------------------------

// Outside of the memory, in a page that was never written, and after the last step that may be
// followed: unknown.
static dwn_held held_at(const dwn_walk *w, uint32_t tile, int64_t address)
{
    const dwn_trace *t = w->trace;
    if (!t || t->left == 0 || address < 0 || address >= DWN_TRACE_WORDS) {
        return (dwn_held){0, 0};
    }
    const dwn_held *page = t->pages[tile][address / DWN_TRACE_PAGE];
    return page ? page[address % DWN_TRACE_PAGE] : (dwn_held){0, 0};
}

static const dwn_mixed *mixed_of(const dwn_trace *t, uint32_t index)
{
    return &t->mixed[index / DWN_TRACE_CHUNK][index % DWN_TRACE_CHUNK];
}

dwn_held dwn_trace_at(const dwn_walk *w, uint32_t tile, int64_t address)
{
    const dwn_held held = held_at(w, tile, address);
    return held.value == MIXED ? (dwn_held){0, 0} : held;
}

uint32_t dwn_trace_run(const dwn_walk *w, uint32_t tile, int64_t address, dwn_held held,
                       uint32_t most)
{
    uint32_t count = 0;
    while (count < most && address >= 0 && address < DWN_TRACE_WORDS && w->trace->left > 0) {
        const dwn_held *page = w->trace->pages[tile][address / DWN_TRACE_PAGE];
        const int64_t first = address % DWN_TRACE_PAGE;
        for (int64_t i = first; i < DWN_TRACE_PAGE && count < most; i++, count++) {
            if (!page || page[i].value != held.value || page[i].word != held.word + count) {
                return count;
            }
        }
        address += DWN_TRACE_PAGE - first;
    }
    return count;
}

const dwn_mixed *dwn_trace_mixed(const dwn_walk *w, uint32_t tile, int64_t address)
{
    const dwn_held held = held_at(w, tile, address);
    return held.value == MIXED ? mixed_of(w->trace, held.word) : NULL;
}

// Addresses of a tile that are one after the other.
typedef struct run {
    uint32_t tile;
    int64_t at;
    uint64_t count;
} run;

// The words of a run that are in one page, from `at` on; 0: the run is at its end.
static uint64_t piece_at(const run *r, int64_t at)
{
    const int64_t left = r->at >= DWN_TRACE_WORDS ? 0 : r->at + (int64_t)r->count - at;
    const int64_t here = DWN_TRACE_PAGE - at % DWN_TRACE_PAGE;
    return at >= DWN_TRACE_WORDS || left <= 0 ? 0 : (uint64_t)(left < here ? left : here);
}

// The first address of a run that a tile has; counts of steps are below 2^32.
static int64_t first_address(const run *r)
{
    return r->at < 0 ? 0 : r->at;
}

// The page of an address. It is made where there is none; NULL: out of memory.
static dwn_held *page_of(dwn_walk *w, uint32_t tile, int64_t address)
{
    dwn_held **page = &w->trace->pages[tile][address / DWN_TRACE_PAGE];
    *page = *page ? *page : hoist_arena_array(w->scratch, DWN_TRACE_PAGE, sizeof(**page));
    return *page;
}

// Unknown words need no memory where there is none.
static void forget_run(dwn_walk *w, const run *r)
{
    uint64_t count = 0;
    for (int64_t at = first_address(r); (count = piece_at(r, at)) > 0; at += (int64_t)count) {
        dwn_held *page = w->trace->pages[r->tile][at / DWN_TRACE_PAGE];
        if (page) {
            memset(page + at % DWN_TRACE_PAGE, 0, count * sizeof(*page));
        }
    }
}

// Words of a value that are one after the other, `held` the first.
static hoist_status put_run(dwn_walk *w, const run *r, dwn_held held)
{
    uint64_t count = 0;
    for (int64_t at = first_address(r); (count = piece_at(r, at)) > 0; at += (int64_t)count) {
        dwn_held *page = page_of(w, r->tile, at);
        if (!page) {
            return HOIST_NO_MEMORY;
        }
        const uint32_t word = held.word + (uint32_t)(at - r->at);
        for (uint64_t i = 0; i < count; i++) {
            page[(uint64_t)(at % DWN_TRACE_PAGE) + i] = (dwn_held){held.value, word + (uint32_t)i};
        }
    }
    return HOIST_OK;
}

// One word.
static hoist_status put_word(dwn_walk *w, uint32_t tile, int64_t address, dwn_held held)
{
    if (address < 0 || address >= DWN_TRACE_WORDS) {
        return HOIST_OK;
    }
    dwn_held *page = page_of(w, tile, address);
    if (page) {
        page[address % DWN_TRACE_PAGE] = held;
    }
    return page ? HOIST_OK : HOIST_NO_MEMORY;
}

// Whether a value is made of others that were joined: its words have the names of these.
static bool is_concatenation(const dwn_walk *w, uint32_t value)
{
    return value >= w->input_count &&
           w->layers[value - w->input_count].kind == DWN_KIND_CONCATENATION;
}

// What words of a value become where a layer computes each number alone.
typedef struct naming {
    uint32_t input, output; // values
    bool is_joined;         // the input was, and its words may have other names
} naming;

// What a word that is read is called where it is written; unknown if it is not of the input.
static dwn_held named(const dwn_walk *w, const naming *as, dwn_held held)
{
    uint32_t word = held.word;
    const bool is_it =
        as->is_joined ? dwn_trace_word(w, as->input, held, &word) : held.value == as->input + 1;
    return is_it ? (dwn_held){as->output + 1, word} : (dwn_held){0, 0};
}

// Words of a tile, as many as `to` has and one after the other, so that what was written is read
// where both overlap. `as` NULL: they keep their names.
static hoist_status copy_run(dwn_walk *w, uint32_t tile, int64_t from, const run *to,
                             const naming *as)
{
    uint64_t count = 0;
    for (int64_t at = first_address(to); (count = piece_at(to, at)) > 0; at += (int64_t)count) {
        const int64_t source = (int64_t)((uint64_t)from + (uint64_t)(at - to->at));
        const bool is_inside = source >= 0 && source < DWN_TRACE_WORDS;
        // To the end of the source's page; outside of the memory word by word.
        const uint64_t here = is_inside ? DWN_TRACE_PAGE - (uint64_t)source % DWN_TRACE_PAGE : 1;
        const dwn_held *page = is_inside ? w->trace->pages[tile][source / DWN_TRACE_PAGE] : NULL;
        dwn_held *written = w->trace->pages[to->tile][at / DWN_TRACE_PAGE];
        count = here < count ? here : count;
        if (!page) {
            forget_run(w, &(run){to->tile, at, count});
            continue;
        }
        for (uint64_t i = 0; i < count; i++) {
            const dwn_held there = page[(uint64_t)source % DWN_TRACE_PAGE + i];
            const dwn_held held = as ? named(w, as, there) : there;
            if (!written && held.value == 0) {
                continue;
            }
            written = written ? written : page_of(w, to->tile, at);
            if (!written) {
                return HOIST_NO_MEMORY;
            }
            written[(uint64_t)at % DWN_TRACE_PAGE + i] = held;
        }
    }
    return HOIST_OK;
}

// Steps of both that go through addresses one after the other: one run on both sides.
static uint64_t common_run(const dwn_steps *a, const dwn_steps *b)
{
    const uint64_t left = dwn_steps_run(a, 1);
    const uint64_t right = dwn_steps_run(b, 1);
    return left < right ? left : right;
}

// Whether both go through as many addresses in one way, and share none: then the order of the copy
// does not matter.
static bool are_alike(const dwn_steps *a, const dwn_steps *b, bool is_one_tile)
{
    const uint64_t apart =
        (uint64_t)(a->at < b->at ? b->at : a->at) - (uint64_t)(a->at < b->at ? a->at : b->at);
    uint64_t span = 0;
    for (uint32_t i = 0; i < a->loops && a->loops == b->loops; i++) {
        if (a->counts[i] != b->counts[i] || a->strides[i] != b->strides[i]) {
            return false;
        }
        span = dwn_plus(span, dwn_times(a->counts[i] - 1, a->strides[i]));
    }
    return a->loops == b->loops && (!is_one_tile || apart > span);
}

// Copies step by step; both sides have as many. Sorted, the steps have longer runs.
static hoist_status copy_steps(dwn_walk *w, uint32_t source, dwn_steps from, uint32_t tile,
                               dwn_steps to, const naming *as)
{
    uint64_t steps = 0;
    if (are_alike(&from, &to, source == tile)) {
        from = dwn_steps_sorted(&from);
        to = dwn_steps_sorted(&to);
    }
    for (uint64_t i = 0; i < to.count; i += steps) {
        steps = common_run(&from, &to);
        HOIST_TRY(copy_run(w, source, from.at, &(run){tile, to.at, steps}, as));
        dwn_steps_skip(&from, steps);
        dwn_steps_skip(&to, steps);
    }
    return HOIST_OK;
}

// Whether so many more steps may be followed; else nothing is known from here on: `left` stays 0.
static bool may_go(dwn_trace *t, uint64_t steps)
{
    t->left = steps < t->left ? t->left - steps : 0;
    return t->left > 0;
}

bool dwn_trace_spend(dwn_walk *w, uint64_t steps)
{
    return may_go(w->trace, steps);
}

// How many of the steps of a run, from `step` on, a cut treats alike: all of them, or those of the
// row of the innermost loop.
static uint64_t alike(const dwn_loop *loops, const dwn_cut *cut, uint64_t step, uint64_t count)
{
    if (!cut || cut->words == 0) {
        return count;
    }
    const uint64_t row = cut->loop == 0 ? 1 : loops[0].count - step % loops[0].count;
    return row < count ? row : count;
}

// How many of the steps of a row, from `step` on, the cut of the loops does not leave out.
static uint64_t kept_of(const dwn_loop *loops, const dwn_cut *cut, uint64_t step, uint64_t count)
{
    if (!cut || cut->words == 0) {
        return count;
    }
    const uint64_t in_row = step % loops[0].count;
    const uint64_t left = in_row < cut->words ? cut->words - in_row : 0;
    for (uint32_t i = 0; i < cut->loop; i++) {
        step /= loops[i].count;
    }
    const bool is_last = step % loops[cut->loop].count + 1 == loops[cut->loop].count;
    return is_last && left < count ? left : count;
}

bool dwn_trace_look(dwn_walk *w, uint64_t steps, uint32_t *out_each)
{
    enum { ENOUGH = 4096 }; // looks at a tile
    static const uint32_t each[] = {1, 11, 37, 131, 521, 2053};
    size_t i = 0;
    while (i + 1 < HOIST_COUNT_OF(each) && steps / each[i] > ENOUGH) {
        i++;
    }
    *out_each = each[i];
    uint64_t *const looks = &w->trace->looks;
    const bool is_so = w->trace->left > 0 && steps / each[i] < *looks;
    *looks -= is_so ? steps / each[i] + 1 : 0;
    return is_so;
}

// Forgets the words that loops write, but for those that the cut leaves out, which stay as they
// were. A cut belongs to loops in their own order, so that those are not sorted.
static void forget_but(dwn_walk *w, uint32_t tile, int64_t base, const dwn_loop *loops,
                       size_t count, const dwn_cut *cut)
{
    const bool has_cut = cut && cut->words > 0;
    dwn_loop moving[DWN_LOOPS];
    for (size_t i = 0; i < count; i++) { // again and again is as good as once
        moving[i] = has_cut || loops[i].stride != 0 ? loops[i] : (dwn_loop){.count = 1};
    }
    const dwn_steps all = dwn_steps_of(base, moving, count);
    dwn_steps to = has_cut ? all : dwn_steps_sorted(&all);
    const bool is_left = may_go(w->trace, to.count);
    uint64_t steps = 0;
    for (uint64_t i = 0; is_left && i < to.count; i += steps) {
        steps = alike(loops, cut, i, dwn_steps_run(&to, 1));
        forget_run(w, &(run){tile, to.at, kept_of(loops, cut, i, steps)});
        dwn_steps_skip(&to, steps);
    }
}

// What an operation writes that is not followed is unknown from then on; what it leaves is known.
static void forget(dwn_walk *w, uint32_t tile, int64_t base, const dwn_loop *loops, size_t count)
{
    forget_but(w, tile, base, loops, count, NULL);
}

// The mesh ---------------------------------------------------------------------------------------

// The tile next to one in a channel's direction: down, left, up, right; DWN_NONE: there is none.
// Tiles are numbered row after row.
static uint32_t next_tile(uint32_t tile, uint8_t channel)
{
    static const int rows[CHANNELS] = {1, 0, -1, 0};
    static const int columns[CHANNELS] = {0, -1, 0, 1};
    const int row = (int)(tile / DWN_GRID) + rows[channel];
    const int column = (int)(tile % DWN_GRID) + columns[channel];
    const bool is_there = row >= 0 && row < DWN_GRID && column >= 0 && column < DWN_GRID;
    return is_there ? (uint32_t)(row * DWN_GRID + column) : DWN_NONE;
}

// Of each channel and tile the first fill that may take what comes next.
typedef struct takers {
    uint32_t next[CHANNELS][DWN_TRACE_TILES];
    uint32_t end;
} takers;

// The fill that takes what comes to a tile; NULL: none does.
static const dwn_fill *taker_of(const dwn_walk *w, takers *all, uint8_t channel, uint32_t tile)
{
    uint32_t *const next = &all->next[channel][tile];
    while (*next < all->end) {
        const dwn_fill *fill = &w->operations.fills[(*next)++];
        if (fill->channel == channel && fill->is_sent && (fill->tiles >> tile & 1)) {
            return fill;
        }
    }
    return NULL;
}

// The last packet may have fewer words.
static uint64_t packets_of(uint64_t words)
{
    return words / PACKET + (words % PACKET != 0);
}

// Where what a tile sends is written: past the tiles that pass it on.
typedef struct arrival {
    const dwn_fill *fill; // NULL: nowhere, or it is not as many words
    uint32_t tile;
    bool is_pending; // no tile takes it before the next operation
} arrival;

static arrival end_of(const dwn_walk *w, takers *all, const dwn_send *send, uint64_t words,
                      uint32_t from)
{
    arrival e = {.tile = from};
    while ((e.tile = next_tile(e.tile, send->channel)) != DWN_NONE) {
        const dwn_fill *fill = taker_of(w, all, send->channel, e.tile);
        const uint64_t taken = fill ? dwn_steps_of(0, fill->loops, DWN_MESH_LOOPS).count : 0;
        e.is_pending = !fill;
        if (fill && fill->operation != send->operation && fill->fence != send->fence) {
            return e;
        }
        if (!fill || !fill->is_passed_on) {
            e.fill = fill && taken == words ? fill : NULL;
            return e;
        }
        if (packets_of(taken) != packets_of(words)) {
            return e;
        }
    }
    return e;
}

// What a channel sends is taken in its order: the rest of it waits, too.
static bool is_waiting(const dwn_trace *t, uint8_t channel)
{
    for (uint32_t i = 0; i < t->pending_count; i++) {
        if (t->pending[i].send->channel == channel) {
            return true;
        }
    }
    return false;
}

static void wait(dwn_trace *t, const dwn_send *send, uint32_t from)
{
    const bool has_space = t->pending_count < DWN_TRACE_PENDING;
    t->left = has_space ? t->left : 0;
    if (has_space) {
        t->pending[t->pending_count++] = (dwn_pending){send, from};
    }
}

// A send whose end is not found makes all memory unknown: `left` becomes 0, since a word that was
// overwritten unseen would be taken for the one before.
static hoist_status follow_send(dwn_walk *w, takers *all, const dwn_send *send, uint32_t from)
{
    uint32_t before[DWN_TRACE_TILES];
    dwn_steps steps = dwn_steps_of(send->base, send->loops, DWN_MESH_LOOPS);
    memcpy(before, all->next[send->channel], sizeof(before));
    const arrival e = end_of(w, all, send, steps.count, from);
    if (e.is_pending) {
        memcpy(all->next[send->channel], before, sizeof(before));
        wait(w->trace, send, from);
        return HOIST_OK;
    }
    const dwn_fill *fill = e.fill;
    const uint32_t tile = e.tile;
    if (!fill || !may_go(w->trace, steps.count)) {
        w->trace->left = 0;
        return HOIST_OK;
    }
    dwn_steps to = dwn_steps_of(fill->base, fill->loops, DWN_MESH_LOOPS);
    uint64_t count = 0;
    for (uint64_t i = 0; i < steps.count; i += count) {
        count = alike(send->loops, &send->cut, i, common_run(&steps, &to));
        const uint64_t kept = kept_of(send->loops, &send->cut, i, count);
        HOIST_TRY(copy_run(w, from, steps.at, &(run){tile, to.at, kept}, NULL));
        dwn_steps_skip(&steps, count);
        dwn_steps_skip(&to, count);
    }
    return HOIST_OK;
}

// Numbers that tiles store, words on their way, and those that nothing was sent to.
static void forget_fills(dwn_walk *w, const takers *all, uint32_t first, bool is_after)
{
    for (uint32_t i = first; i < all->end; i++) {
        const dwn_fill *fill = &w->operations.fills[i];
        const bool is_taken = fill->is_sent && !fill->is_passed_on; // follow_send() writes those
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES && is_taken == is_after; tile++) {
            if ((fill->tiles >> tile & 1) && (!is_after || i >= all->next[fill->channel][tile])) {
                forget_but(w, tile, fill->base, fill->loops, DWN_MESH_LOOPS, &fill->cut);
            }
        }
    }
}

// A copy into memory: what its words were copied from is known where both are as many.
static hoist_status follow_copy_in(dwn_walk *w, const dwn_copy_in *in)
{
    const dwn_copy *copy = in->copy == DWN_NONE ? NULL : &w->operations.copies[in->copy];
    for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
        dwn_steps to = dwn_steps_of(in->to.base, in->to.loops, DWN_LOOPS);
        dwn_steps from = copy ? dwn_steps_of(copy->base, copy->loops, DWN_MESH_LOOPS) : to;
        if (!(in->tiles >> tile & 1)) {
            continue;
        }
        if (!copy || copy->tiles == 0 || from.count != to.count) {
            forget(w, tile, in->to.base, in->to.loops, DWN_LOOPS);
            continue;
        }
        const uint32_t source = in->is_own ? tile : (uint32_t)__builtin_ctz(copy->tiles);
        if (may_go(w->trace, to.count)) {
            HOIST_TRY(copy_steps(w, source, from, tile, to, NULL));
        }
    }
    return HOIST_OK;
}

// Those that come before a send of the next operation.
static hoist_status follow_copies_in(dwn_walk *w, uint32_t operation, uint32_t send)
{
    dwn_trace *const t = w->trace;
    const dwn_operations *all = &w->operations;
    while (t->copy_in < all->copy_in_count && all->copies_in[t->copy_in].operation <= operation &&
           all->copies_in[t->copy_in].sends <= send) {
        HOIST_TRY(follow_copy_in(w, &all->copies_in[t->copy_in++]));
    }
    return HOIST_OK;
}

// What was sent before the operation before, and is taken now or later.
static hoist_status follow_pending(dwn_walk *w, takers *all)
{
    dwn_trace *const t = w->trace;
    const uint32_t count = t->pending_count;
    dwn_pending pending[DWN_TRACE_PENDING];
    memcpy(pending, t->pending, sizeof(pending));
    t->pending_count = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (is_waiting(t, pending[i].send->channel)) {
            wait(t, pending[i].send, pending[i].tile);
        } else {
            HOIST_TRY(follow_send(w, all, pending[i].send, pending[i].tile));
        }
    }
    return HOIST_OK;
}

// What is on its way is what was there when it was sent: not what an operation writes there.
static void keep_pending(dwn_walk *w, const dwn_operation *op)
{
    for (uint32_t i = 0; i < w->trace->pending_count; i++) {
        const dwn_pending *p = &w->trace->pending[i];
        if (op->tiles >> p->tile & 1) {
            const dwn_steps written = dwn_steps_of(op->b.base, op->b.loops, DWN_LOOPS);
            const dwn_steps sent = dwn_steps_of(p->send->base, p->send->loops, DWN_MESH_LOOPS);
            w->trace->left = dwn_steps_are_apart(&written, &sent) ? w->trace->left : 0;
        }
    }
}

// How many things each channel waits for, and which tiles wait on it for what they pass on.
typedef struct waits {
    uint32_t most[CHANNELS];
    uint16_t late[CHANNELS];
    uint16_t held_up[CHANNELS]; // tiles that have not got yet what they pass on
    bool has_sent;
} waits;

// First all numbers of things that a send can wait for, 0 to DWN_WAITS, then the same for what is
// passed on.
enum { TURNS = 2 * (DWN_WAITS + 1) };

// What is sent in a turn: by the things that it, or what comes before it on its channel, waits for,
// and after all that where a tile passes on what it gets, once it has it.
static hoist_status follow_turn(dwn_walk *w, takers *all, dwn_send *send, waits *so_far,
                                uint32_t turn)
{
    uint32_t *const most = &so_far->most[send->channel];
    uint16_t *const late = &so_far->late[send->channel];
    uint16_t *const held_up = &so_far->held_up[send->channel];
    *most = send->waits > *most ? send->waits : *most;
    *late |= send->is_passing_own ? send->tiles : 0;
    for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
        const uint32_t own = *most + (*late >> tile & 1 ? DWN_WAITS + 1 : 0);
        const uint16_t bit = (uint16_t)(1u << tile);
        if (!(send->tiles & bit) || (send->sent & bit) || own != turn) {
            continue;
        }
        const bool has_got = !send->is_passing_own || all->next[send->channel][tile] > send->fill;
        *held_up |= has_got ? 0 : bit;
        if (!(*held_up & bit)) {
            send->sent |= bit;
            so_far->has_sent = true;
            if (is_waiting(w->trace, send->channel)) {
                wait(w->trace, send, tile);
            } else {
                HOIST_TRY(follow_send(w, all, send, tile));
            }
        }
    }
    return HOIST_OK;
}

// The sends up to the next fence of tiles: the channels of each run side by side, and what waits
// for more things comes later.
static hoist_status follow_sends(dwn_walk *w, takers *next, uint32_t operation)
{
    const dwn_operations *all = &w->operations;
    const uint32_t first = w->trace->send;
    const uint32_t fence = all->sends[first].fence;
    uint32_t end = first;
    while (end < all->send_count && all->sends[end].operation <= operation &&
           all->sends[end].fence == fence) {
        HOIST_TRY(follow_copies_in(w, operation, end++));
    }
    for (uint32_t i = first; i < end; i++) {
        all->sends[i].sent = 0;
    }
    for (uint32_t turn = 0; turn < TURNS;) {
        waits so_far = {.most = {0}};
        for (uint32_t i = first; i < end; i++) {
            HOIST_TRY(follow_turn(w, next, &all->sends[i], &so_far, turn));
        }
        turn += !so_far.has_sent;
    }
    for (uint32_t i = first; i < end; i++) { // it waits for what nothing sends
        w->trace->left = all->sends[i].sent == all->sends[i].tiles ? w->trace->left : 0;
    }
    w->trace->send = end;
    return HOIST_OK;
}

// All fills, sends and copies into memory before an operation. Where a word that is sent ends up
// nowhere the program is not understood.
static hoist_status follow_mesh(dwn_walk *w, uint32_t operation)
{
    dwn_trace *const t = w->trace;
    const dwn_operations *all = &w->operations;
    const uint32_t first = t->fill;
    while (t->fill < all->fill_count && all->fills[t->fill].operation <= operation) {
        t->fill++;
    }
    takers next = {.end = t->fill}; // of what comes before the operation
    for (size_t i = 0; i < CHANNELS; i++) {
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
            next.next[i][tile] = first;
        }
    }
    HOIST_TRY(follow_pending(w, &next));
    forget_fills(w, &next, first, false);
    while (t->send < all->send_count && all->sends[t->send].operation <= operation) {
        HOIST_TRY(follow_sends(w, &next, operation));
    }
    HOIST_TRY(follow_copies_in(w, operation, UINT32_MAX));
    forget_fills(w, &next, first, true);
    if (t->pending_count > 0 &&
        (operation == all->count || all->items[operation].fence != t->pending[0].send->fence)) {
        t->left = 0; // all that is sent is taken before the next fence
    }
    return HOIST_OK;
}

// What tiles make ---------------------------------------------------------------------------------

// What a tile writes is pixels of its share of a value, from `from` of them on.
static hoist_status put_pixels(dwn_walk *w, const dwn_operation *op, uint32_t value,
                               const dwn_shares *s, uint32_t tile, uint64_t from)
{
    const dwn_made_part m = dwn_part_made(op, s->words);
    const uint32_t words = s->channel_words[tile]; // a tile may have some of the channels only
    const uint32_t columns = s->columns[tile];
    const uint64_t row = (uint64_t)w->values[value].extent.w * s->words;
    dwn_loop loops[DWN_LOOPS];
    size_t count = 0;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        if (op->b.loops[i].stride >= s->words) { // loops over pixels; those inside are channels
            loops[count++] = op->b.loops[i];
        }
    }
    dwn_steps pixel = dwn_steps_of(op->b.base, loops, count);
    if (words > m.words || columns == 0 || !may_go(w->trace, dwn_times(m.pixels, words))) {
        return HOIST_OK;
    }
    uint64_t pixels = 0;
    for (uint64_t i = from; i < from + m.pixels; i += pixels) {
        const uint64_t left = columns - i % columns;
        const uint64_t close = words == s->words ? dwn_steps_run(&pixel, words) : 1;
        const uint64_t first = s->first[tile] + i / columns * row + i % columns * s->words;
        pixels = close < left ? close : left;
        pixels = pixels < from + m.pixels - i ? pixels : from + m.pixels - i;
        HOIST_TRY(put_run(w, &(run){tile, pixel.at, pixels * words},
                          (dwn_held){value + 1, (uint32_t)first}));
        dwn_steps_skip(&pixel, pixels);
    }
    return HOIST_OK;
}

// The operations that lay out an input of the model go on where the one before ended, per tile.
static hoist_status follow_layout(dwn_walk *w, const dwn_operation *op, uint32_t tile)
{
    dwn_laid *const laid = &w->trace->laid;
    const uint64_t from = laid->pixels[tile];
    laid->pixels[tile] += dwn_part_made(op, laid->shares.words).pixels;
    return put_pixels(w, op, laid->value, &laid->shares, tile, from);
}

// Operations -------------------------------------------------------------------------------------

uint64_t dwn_value_words(const dwn_value *value)
{
    return (uint64_t)value->extent.h * value->extent.w * dwn_words_of(value->extent.c);
}

// A word of one of the values that were joined to another, as a word of that. `before` are the
// words of the values before it: of all their pixels, or of one.
static uint32_t joined_word(const dwn_walk *w, uint32_t value, uint32_t part, uint32_t word,
                            uint64_t before)
{
    if (w->layers[value - w->input_count].is_in_rows) {
        return (uint32_t)(before + word);
    }
    const uint32_t own = dwn_words_of(w->values[part].extent.c);
    const uint32_t all = dwn_words_of(w->values[value].extent.c);
    return (uint32_t)((uint64_t)word / own * all + before + word % own);
}

bool dwn_trace_word(const dwn_walk *w, uint32_t value, dwn_held held, uint32_t *out_word)
{
    *out_word = held.word;
    if (!is_concatenation(w, value)) {
        return held.value == value + 1;
    }
    const dwn_recovered *layer = &w->layers[value - w->input_count];
    uint64_t before = 0;
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const uint32_t part = dwn_value_of(w, layer->inputs[i]);
        if (held.value == part + 1) {
            *out_word = joined_word(w, value, part, held.word, before);
            return true;
        }
        before += layer->is_in_rows ? dwn_value_words(&w->values[part])
                                    : dwn_words_of(w->values[part].extent.c);
    }
    return held.value == value + 1;
}

// What a tile reads is what it writes, under the name of the value that a layer makes.
static hoist_status follow_words(dwn_walk *w, const dwn_operation *op, uint32_t layer,
                                 uint32_t tile)
{
    dwn_steps from = dwn_steps_of(op->a.base, op->a.loops, DWN_LOOPS);
    dwn_steps to = dwn_steps_of(op->b.base, op->b.loops, DWN_LOOPS);
    if (from.count != to.count || op->is_elsewhere) {
        forget(w, tile, op->b.base, op->b.loops, DWN_LOOPS);
        return HOIST_OK;
    }
    if (!may_go(w->trace, to.count)) {
        return HOIST_OK;
    }
    if (layer == DWN_NONE) {
        return copy_steps(w, tile, from, tile, to, NULL);
    }
    const uint32_t input = dwn_value_of(w, w->layers[layer].inputs[0]);
    const naming as = {input, w->input_count + layer, is_concatenation(w, input)};
    return copy_steps(w, tile, from, tile, to, &as);
}

// A new mixed word, of which there is space for one more; NULL: out of memory.
static dwn_mixed *add_mixed(dwn_walk *w)
{
    dwn_trace *const t = w->trace;
    dwn_mixed **chunk = &t->mixed[t->mixed_count / DWN_TRACE_CHUNK];
    *chunk = *chunk ? *chunk : hoist_arena_array(w->scratch, DWN_TRACE_CHUNK, sizeof(**chunk));
    return *chunk ? &(*chunk)[t->mixed_count++ % DWN_TRACE_CHUNK] : NULL;
}

// A byte of what a tile has at an address. What a selection reads of another one belongs together.
static dwn_byte byte_at(const dwn_walk *w, uint32_t tile, int64_t address, uint32_t byte,
                        dwn_selection *reader)
{
    const dwn_held held = held_at(w, tile, address);
    if (held.value != MIXED) {
        const bool is_named = held.word < UINT32_MAX / DWN_WORD_BYTES;
        return (dwn_byte){is_named ? held.value : 0, held.word * DWN_WORD_BYTES + byte};
    }
    const dwn_mixed *mixed = mixed_of(w->trace, held.word);
    if (mixed->by->chain != reader->chain) {
        dwn_selection_chain(mixed->by)->chain = dwn_selection_chain(reader);
    }
    return mixed->bytes[byte];
}

// The words of an output, whose bytes are those of what the tile reads for it.
static hoist_status put_selected(dwn_walk *w, const dwn_operation *op, uint32_t tile,
                                 const dwn_selected *output, dwn_steps *to)
{
    const dwn_selection *s = op->selection;
    for (uint32_t row = 0; row < s->full; row += DWN_WORD_BYTES, dwn_steps_next(to)) {
        if (row >= output->rows) {
            continue;
        }
        dwn_mixed *mixed = add_mixed(w);
        if (!mixed) {
            return HOIST_NO_MEMORY;
        }
        *mixed = (dwn_mixed){.by = op->selection};
        for (uint32_t k = 0; k < DWN_WORD_BYTES && row + k < output->rows; k++) {
            const uint32_t own = output->first + row + k;
            const uint32_t from = s->from[own];
            if (from != DWN_NONE) {
                const int64_t address =
                    (int64_t)((uint64_t)output->address + (uint64_t)s->after[own]);
                mixed->bytes[k] = byte_at(w, tile, address, from % DWN_WORD_BYTES, op->selection);
            }
        }
        HOIST_TRY(put_word(w, tile, to->at, (dwn_held){MIXED, w->trace->mixed_count - 1}));
    }
    return HOIST_OK;
}

// What a tile writes are bytes of what it reads.
static hoist_status follow_selection(dwn_walk *w, const dwn_operation *op, uint32_t tile)
{
    const uint64_t outputs = dwn_selected_outputs(op);
    dwn_steps to = dwn_steps_of(op->b.base, op->b.loops, DWN_LOOPS);
    if (to.count > DWN_TRACE_MIXED - w->trace->mixed_count) {
        w->trace->left = 0;
    }
    if (!may_go(w->trace, dwn_times(to.count, DWN_WORD_BYTES))) {
        return HOIST_OK;
    }
    dwn_selection_begin(op);
    for (uint64_t i = 0; i < outputs; i++) {
        const dwn_selected output = dwn_selection_at(op, i);
        HOIST_TRY(put_selected(w, op, tile, &output, &to));
    }
    return HOIST_OK;
}

// A movement that keeps all numbers.
static bool is_move(const dwn_operation *op)
{
    return op->kind == DWN_KIND_MOVE && op->is_channelwise && !dwn_lays_out(op) &&
           op->input_zero == op->output_zero && dwn_float_of(op->multiplier) == 1.0f;
}

// What one tile does in an operation, from what is known best: layout of an input, product that is
// folded into another, numbers computed alone, outputs of a layer; else what it writes is unknown.
static hoist_status follow_on(dwn_walk *w, const dwn_operation *op, uint32_t layer, uint32_t tile)
{
    const dwn_trace *t = w->trace;
    const dwn_layer_kind kind = layer == DWN_NONE ? DWN_KIND_MOVE : w->layers[layer].kind;
    if (op->selection) {
        return follow_selection(w, op, tile);
    }
    if (t->laid.value != DWN_NONE && t->group <= t->laid.until) {
        return follow_layout(w, op, tile);
    }
    if (t->folded != DWN_NONE) {
        return put_pixels(w, op, t->folded, &t->shares, tile, 0);
    }
    if (kind == DWN_KIND_QUANTIZE || kind == DWN_KIND_LOGISTIC ||
        (layer == DWN_NONE && is_move(op))) {
        return follow_words(w, op, layer, tile);
    }
    if (layer != DWN_NONE && t->shares.is_known) {
        return put_pixels(w, op, w->input_count + layer, &t->shares, tile, 0);
    }
    forget(w, tile, op->b.base, op->b.loops, DWN_LOOPS);
    return HOIST_OK;
}

// What all operations of a group have in common.
static void begin_group(dwn_walk *w, const dwn_group *group, uint32_t layer)
{
    dwn_trace *const t = w->trace;
    t->folded = DWN_NONE;
    if (layer != DWN_NONE) {
        dwn_share_layer(w, group, layer, &t->shares);
        return;
    }
    t->folded = dwn_folded_product(w, group, &t->shares);
    if (t->laid.value == DWN_NONE || t->group > t->laid.until) {
        dwn_find_laid(w, t->group, &t->laid);
    }
}

// All tiles of an operation. Bundles, softmax of the scalar core, write nothing that is followed.
static hoist_status follow_operation(dwn_walk *w, uint32_t operation)
{
    dwn_trace *const t = w->trace;
    const dwn_operation *op = &w->operations.items[operation];
    const dwn_group *group = &w->operations.groups[t->group];
    const uint32_t layer = w->owners[operation];
    if (operation == group->first) {
        begin_group(w, group, layer);
    }
    keep_pending(w, op);
    for (uint32_t tile = 0; tile < DWN_TRACE_TILES && op->opcode != DWN_OP_BUNDLE; tile++) {
        if (op->tiles >> tile & 1) {
            HOIST_TRY(follow_on(w, op, layer, tile));
        }
    }
    t->group += operation + 1 == group->first + group->count;
    return HOIST_OK;
}

hoist_status dwn_trace_begin(dwn_walk *w)
{
    if (!w->trace) {
        w->trace = hoist_arena_alloc(w->scratch, sizeof(*w->trace));
        if (!w->trace) {
            return HOIST_NO_MEMORY;
        }
        memset(w->trace, 0, sizeof(*w->trace));
        w->trace->looks = DWN_TRACE_LOOKS;
    }
    dwn_trace *const t = w->trace;
    for (size_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
        for (size_t i = 0; i < DWN_TRACE_PAGES; i++) {
            if (t->pages[tile][i]) {
                memset(t->pages[tile][i], 0, DWN_TRACE_PAGE * sizeof(dwn_held));
            }
        }
    }
    t->operation = t->group = t->fill = t->send = t->copy_in = t->mixed_count = 0;
    t->pending_count = 0;
    t->laid = (dwn_laid){.value = DWN_NONE};
    t->left = w->is_untraced ? 0 : DWN_TRACE_STEPS;
    return HOIST_OK;
}

// The trace goes forward only; who asks for an earlier operation begins again.
hoist_status dwn_trace_to(dwn_walk *w, uint32_t operation)
{
    HOIST_ASSERT(operation <= w->operations.count);
    if (!w->trace) {
        HOIST_TRY(dwn_trace_begin(w));
    }
    dwn_trace *const t = w->trace;
    while (t->operation < operation && t->left > 0) {
        HOIST_TRY(follow_mesh(w, t->operation));
        HOIST_TRY(follow_operation(w, t->operation));
        t->operation++;
    }
    return t->left > 0 ? follow_mesh(w, operation) : HOIST_OK;
}
