// What text and tree have in common: remarks on instructions, totals, numbers. In: a listing; out:
// what is to be shown beside each instruction. stream_text.c and stream_tree.c show it.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/darwinn/stream_bits.h"
#include "formats/darwinn/stream_listing.h"

// Remarks ----------------------------------------------------------------------------------------

// By chunk, then by bit: the order in which a listing comes to them.
static int by_bit(const void *a, const void *b)
{
    const dwn_linked *x = a;
    const dwn_linked *y = b;
    const int order = hoist_order_u64(x->chunk, y->chunk);
    return order ? order : hoist_order_i64(x->link->offset_bit, y->link->offset_bit);
}

// One pass over the instructions then needs no search: links and transfers are taken from the
// front.
hoist_status dwn_remarks_make(const dwn_listing *listing, hoist_arena *arena,
                              dwn_remarks *out_remarks)
{
    *out_remarks = (dwn_remarks){0};
    dwn_remarks made = {0};
    size_t count = 0;
    if (!dwn_links_count(listing->chunks, listing->count, &count)) {
        return HOIST_LIMIT;
    }
    dwn_linked *links = hoist_arena_array(arena, count, sizeof(*links));
    if (!links) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < listing->count; i++) {
        for (size_t k = 0; k < listing->chunks[i].link_count; k++) {
            links[made.link_count++] = (dwn_linked){&listing->chunks[i].links[k], (uint32_t)i};
        }
    }
    if (count > 1) {
        qsort(links, count, sizeof(*links), by_bit);
    }
    made.links = links;
    made.transfers = listing->run ? listing->run->transfers : NULL;
    made.transfer_count = listing->run ? listing->run->transfer_count : 0;
    *out_remarks = made;
    return HOIST_OK;
}

// Whether the hole begins before the word.
static bool is_before(const dwn_linked *linked, uint32_t chunk, uint32_t word)
{
    return linked->chunk < chunk ||
           (linked->chunk == chunk &&
            linked->link->offset_bit < (int64_t)word * (int64_t)DWN_WORD_BITS);
}

// Takes what belongs to `instruction`; it is called for each instruction of the listing, in order.
// A hole belongs to the instruction in which it begins. A run that skipped bundles has fewer
// transfers, never others.
dwn_remark dwn_remarks_next(dwn_remarks *r, uint32_t chunk, const dwn_instruction *instruction)
{
    const uint32_t end = instruction->word + instruction->words;
    while (r->next_link < r->link_count &&
           is_before(&r->links[r->next_link], chunk, instruction->word)) {
        r->next_link++; // in what could not be parsed
    }
    dwn_remark found = {.links = r->links + r->next_link};
    while (r->next_link < r->link_count && is_before(&r->links[r->next_link], chunk, end)) {
        r->next_link++;
        found.link_count++;
    }
    const dwn_transfer *t =
        r->next_transfer < r->transfer_count ? &r->transfers[r->next_transfer] : NULL;
    if (t && t->chunk == chunk && t->word == instruction->word) {
        r->next_transfer++;
        found.transfer = t;
    }
    return found;
}

// Totals -----------------------------------------------------------------------------------------

// `ids_follow` is of the faults: the parser has compared the ids across chunks.
dwn_totals dwn_listing_totals(const dwn_listing *listing)
{
    dwn_totals totals = {.ids_follow = true};
    for (size_t i = 0; i < listing->count; i++) {
        const dwn_stream *const stream = &listing->chunks[i].stream;
        totals.words += stream->words;
        totals.instructions += stream->count;
        totals.faults += stream->fault_count;
        for (size_t k = 0; k < stream->count; k++) {
            totals.by_opcode[stream->instructions[k].opcode]++;
            totals.tiles |= stream->instructions[k].tiles;
        }
        for (size_t k = 0; k < stream->fault_count; k++) {
            totals.ids_follow = totals.ids_follow && stream->faults[k].code != DWN_FAULT_ID;
        }
        totals.links += listing->chunks[i].link_count;
    }
    return totals;
}

// Numbers ----------------------------------------------------------------------------------------

// Most significant byte first, as numbers are written; 0 is "0".
const char *dwn_word_text(const uint8_t *bytes, char *buffer)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < DWN_WORD_SIZE; i++) {
        const uint8_t byte = bytes[DWN_WORD_SIZE - 1 - i];
        buffer[2 * i] = digits[byte >> 4];
        buffer[2 * i + 1] = digits[byte & 15];
    }
    buffer[(size_t)2 * DWN_WORD_SIZE] = '\0';
    size_t zeros = 0;
    while (zeros < 2 * DWN_WORD_SIZE - 1 && buffer[zeros] == '0') {
        zeros++;
    }
    return buffer + zeros;
}

bool dwn_float_text(uint32_t bits, char *buffer, size_t size)
{
    const float value = dwn_float_of(bits);
    if (isnan(value)) {
        // What C prints for a NaN loses its bits.
        (void)snprintf(buffer, size, "0x%08" PRIx32, bits);
        return false;
    }
    (void)snprintf(buffer, size, "%.9g", (double)value); // 9 digits give each float32 back
    return true;
}
