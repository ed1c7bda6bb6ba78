// What rules 39 to 48 of darwinn reference section 12 require of links. In: the chunks of a program
// and the buffers that there are; out: a list of faults. Runs twice over the links, first to count
// the faults, then to keep them; overlaps and missing halves are found by sorting the holes.
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/darwinn/link.h"
#include "formats/darwinn/scalar.h"

typedef struct checker {
    const dwn_chunk *chunks;
    const dwn_places *places;
    uint32_t chunk;
    uint32_t link;
    dwn_link_fault *faults; // NULL: only counted
    size_t count;
    bool *used; // of each place; arena
} checker;

typedef struct hole { // for sorting
    const dwn_link *link;
    uint32_t chunk;
    uint32_t index;
} hole;

// The number of faults is known after the first pass, in which nothing is stored.
static void fault(checker *j, dwn_link_code code, int64_t found)
{
    if (j->faults) {
        j->faults[j->count] =
            (dwn_link_fault){.code = code, .chunk = j->chunk, .link = j->link, .found = found};
    }
    j->count++;
}

// Each link --------------------------------------------------------------------------------------

// Kind, half, name and element of a link.
static void check_meaning(checker *j, const dwn_link *link)
{
    const dwn_place *place = dwn_place_of(j->places, link);
    const bool is_layer = dwn_desc_is_layer(link->desc);
    if (place) {
        j->used[place - j->places->items] = true;
    }
    if (!dwn_position_name(link->position)) {
        fault(j, DWN_LINK_POSITION, link->position);
    }
    if (!dwn_desc_name(link->desc)) {
        fault(j, DWN_LINK_DESC, link->desc);
        return;
    }
    if (!place && is_layer) {
        fault(j, DWN_LINK_NO_PLACE, 0);
    }
    if (!is_layer && link->name.size > 0) {
        fault(j, DWN_LINK_NAMED, 0);
    }
    if (place && link->desc != DWN_DESC_PARAMETER &&
        (link->batch < 0 || (uint32_t)link->batch >= place->count)) {
        fault(j, DWN_LINK_BATCH, place->count);
    }
}

// The word in which the hole begins has to be a move of an immediate that is still 0 (44, 45).
static void check_target(checker *j, const dwn_stream *stream, const dwn_link *link)
{
    const uint32_t word = (uint32_t)link->offset_bit / DWN_WORD_BITS;
    const uint32_t phase = (uint32_t)link->offset_bit % DWN_WORD_BITS;
    const dwn_instruction *target = dwn_instruction_find(stream, word);
    if (phase != DWN_LINK_PHASE) {
        fault(j, DWN_LINK_PHASE_WRONG, phase);
    }
    if (!target) {
        if (word < stream->parsed) { // inside an instruction
            fault(j, DWN_LINK_TARGET, 0);
        }
        return;
    }
    const dwn_bundle bundle = dwn_bundle_of(dwn_instruction_bytes(stream, target));
    if (target->opcode != DWN_OP_BUNDLE || !dwn_bundle_moves_immediate(&bundle)) {
        fault(j, DWN_LINK_TARGET, target->opcode);
    }
    const uint32_t filled = dwn_bits_load(stream->bytes, (uint64_t)link->offset_bit, DWN_LINK_BITS);
    if (filled != 0) {
        fault(j, DWN_LINK_FILLED, filled);
    }
}

// Between links ----------------------------------------------------------------------------------

// Holes of one chunk by place, then of the order of the file, so that results do not depend on
// qsort.
static int by_place(const void *a, const void *b)
{
    const hole *x = a;
    const hole *y = b;
    int order = hoist_order_u64(x->chunk, y->chunk);
    order = order ? order : hoist_order_i64(x->link->offset_bit, y->link->offset_bit);
    return order ? order : hoist_order_u64(x->index, y->index);
}

// Halves of one address are neighbours in this order.
static int by_meaning(const void *a, const void *b)
{
    const hole *x = a;
    const hole *y = b;
    const int order = dwn_link_compare(x->link, y->link);
    return order ? order : by_place(a, b);
}

static void fault_at(checker *j, const hole *h, dwn_link_code code, int64_t found)
{
    j->chunk = h->chunk;
    j->link = h->index;
    fault(j, code, found);
}

// Neighbours suffice: after sorting a hole that overlaps any other overlaps the one before it.
static void check_overlaps(checker *j, hole *holes, size_t count)
{
    if (count > 1) {
        qsort(holes, count, sizeof(*holes), by_place);
    }
    for (size_t i = 1; i < count; i++) {
        const int64_t before = holes[i - 1].link->offset_bit;
        if (holes[i].chunk == holes[i - 1].chunk &&
            holes[i].link->offset_bit - before < DWN_LINK_BITS) {
            fault_at(j, &holes[i], DWN_LINK_OVERLAP, before);
        }
    }
}

// Groups of holes with one meaning: an address has a low and a high half (46). A group without meta
// has been reported.
static void check_halves(checker *j, hole *holes, size_t count)
{
    if (count > 1) {
        qsort(holes, count, sizeof(*holes), by_meaning);
    }
    size_t end = 0;
    for (size_t begin = 0; begin < count; begin = end) {
        bool has[2] = {false, false};
        for (end = begin; end < count && dwn_link_compare(holes[begin].link, holes[end].link) == 0;
             end++) {
            has[holes[end].link->position != DWN_POSITION_LOW] = true;
        }
        if (holes[begin].link->has_meta && has[0] != has[1]) {
            fault_at(j, &holes[begin], DWN_LINK_ALONE, 0);
        }
    }
}

// Layers that no link refers to (48): the chip never reads or writes them.
static void check_unused(checker *j)
{
    for (size_t i = 0; i < j->places->count; i++) {
        if (!j->used[i] && dwn_desc_is_layer(j->places->items[i].desc)) {
            j->chunk = 0;
            j->link = (uint32_t)i;
            fault(j, DWN_LINK_UNUSED, 0);
        }
    }
}

// Both passes do the same, so the counts agree.
static void check_all(checker *j, size_t chunk_count, hole *holes, size_t hole_count)
{
    size_t made = 0;
    j->count = 0;
    for (size_t i = 0; i < chunk_count; i++) {
        const dwn_chunk *chunk = &j->chunks[i];
        for (size_t k = 0; k < chunk->link_count; k++) {
            j->chunk = (uint32_t)i;
            j->link = (uint32_t)k;
            if (chunk->links[k].has_meta) {
                check_meaning(j, &chunk->links[k]);
            } else {
                fault(j, DWN_LINK_NO_META, 0);
            }
            if (dwn_link_is_inside(&chunk->links[k], chunk->stream.bytes.size)) {
                check_target(j, &chunk->stream, &chunk->links[k]);
            } else {
                fault(j, DWN_LINK_OUTSIDE, (int64_t)(8 * (uint64_t)chunk->stream.bytes.size));
            }
            holes[made++] = (hole){&chunk->links[k], j->chunk, j->link};
        }
    }
    check_overlaps(j, holes, hole_count);
    check_halves(j, holes, hole_count);
    check_unused(j);
}

hoist_status dwn_link_check(const dwn_chunk *chunks, size_t count, const dwn_places *places,
                            hoist_arena *arena, dwn_link_faults *out_faults)
{
    *out_faults = (dwn_link_faults){0};
    size_t hole_count = 0;
    if (!dwn_links_count(chunks, count, &hole_count)) {
        return HOIST_LIMIT;
    }
    checker j = {.chunks = chunks, .places = places};
    j.used = hoist_arena_array(arena, places->count, sizeof(*j.used));
    hole *holes = hoist_arena_array(arena, hole_count, sizeof(*holes));
    if (!j.used || !holes) {
        return HOIST_NO_MEMORY;
    }
    check_all(&j, count, holes, hole_count);
    j.faults = hoist_arena_array(arena, j.count, sizeof(*j.faults));
    if (!j.faults) {
        return HOIST_NO_MEMORY;
    }
    check_all(&j, count, holes, hole_count);
    *out_faults = (dwn_link_faults){.items = j.faults, .count = j.count};
    return HOIST_OK;
}
