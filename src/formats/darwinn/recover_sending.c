// Words that tiles send to each other, and copies into their memories, followed through these
// (recover_trace.h). In: the lists of recover_mesh.c; out: which words are where.
//
// What a tile sends goes to the tile next to it, in the direction of the channel, which the next
// instruction of that channel there writes or passes on: packets of four words, so that a tile in
// between knows their number only.
#include <string.h>

#include "formats/darwinn/recover_memory.h"

// Channels of the mesh, and words that it sends at a time.
enum { CHANNELS = 4, PACKET = 4 };

// Two ends of a transfer before an operation do not fit, as those of all known programs do.
static void note_misfit(dwn_walk *w, uint32_t operation)
{
    const uint32_t count = w->operations.count;
    w->has_misfit = count > 0; // else there is none to name
    w->misfit = operation < count ? operation : count - 1;
}

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
    if (!fill) {
        note_misfit(w, send->operation);
    }
    if (!fill || !dwn_trace_go(w->trace, steps.count)) {
        w->trace->left = 0;
        return HOIST_OK;
    }
    dwn_steps to = dwn_steps_of(fill->base, fill->loops, DWN_MESH_LOOPS);
    uint64_t count = 0;
    for (uint64_t i = 0; i < steps.count; i += count) {
        count = dwn_cut_alike(send->loops, &send->cut, i, dwn_memory_common_run(&steps, &to));
        const uint64_t kept = dwn_cut_kept(send->loops, &send->cut, i, count);
        HOIST_TRY(
            dwn_memory_copy_run(w, from, steps.at, &(dwn_memory_run){tile, to.at, kept}, NULL));
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
                if (is_after && w->trace->left > 0) {
                    note_misfit(w, fill->operation);
                }
                dwn_memory_forget_but(w, tile, fill->base, fill->loops, DWN_MESH_LOOPS, &fill->cut);
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
        if (copy && copy->tiles != 0 && from.count != to.count && w->trace->left > 0) {
            note_misfit(w, in->operation);
        }
        if (!copy || copy->tiles == 0 || from.count != to.count) {
            dwn_memory_forget(w, tile, in->to.base, in->to.loops, DWN_LOOPS);
            continue;
        }
        const uint32_t source = in->is_own ? tile : (uint32_t)__builtin_ctz(copy->tiles);
        if (dwn_trace_go(w->trace, to.count)) {
            HOIST_TRY(dwn_memory_copy(w, source, from, tile, to, NULL));
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
void dwn_keep_pending(dwn_walk *w, const dwn_operation *op)
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
hoist_status dwn_follow_mesh(dwn_walk *w, uint32_t operation)
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
