// What text and tree have in common: remarks on instructions, totals, numbers.
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

static int by_bit(const void *a, const void *b)
{
    const dwn_linked *x = a;
    const dwn_linked *y = b;
    const int order = hoist_order_u64(x->chunk, y->chunk);
    return order ? order : hoist_order_i64(x->link->offset_bit, y->link->offset_bit);
}

static int by_word(const void *a, const void *b)
{
    const dwn_transfer *x = *(const dwn_transfer *const *)a;
    const dwn_transfer *y = *(const dwn_transfer *const *)b;
    int order = hoist_order_u64(x->chunk, y->chunk);
    order = order ? order : hoist_order_u64(x->word, y->word);
    return order ? order : (x > y) - (x < y); // in order of time
}

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
    made.transfer_count = listing->run ? listing->run->transfer_count : 0;
    made.transfers = hoist_arena_array(arena, made.transfer_count, sizeof(const dwn_transfer *));
    if (!made.transfers) {
        return HOIST_NO_MEMORY;
    }
    for (size_t i = 0; i < made.transfer_count; i++) {
        made.transfers[i] = &listing->run->transfers[i];
    }
    if (made.transfer_count > 1) {
        qsort(made.transfers, made.transfer_count, sizeof(const dwn_transfer *), by_word);
    }
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

const dwn_linked *dwn_remarks_links(const dwn_remarks *remarks, uint32_t chunk,
                                    const dwn_instruction *instruction, size_t *out_count)
{
    size_t low = 0;
    size_t high = remarks->link_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (is_before(&remarks->links[middle], chunk, instruction->word)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t end = low;
    while (end < remarks->link_count &&
           is_before(&remarks->links[end], chunk, instruction->word + instruction->words)) {
        end++;
    }
    *out_count = end - low;
    return remarks->links + low;
}

const dwn_transfer *const *dwn_remarks_transfers(const dwn_remarks *remarks, uint32_t chunk,
                                                 const dwn_instruction *instruction,
                                                 size_t *out_count)
{
    const dwn_transfer expected = {.chunk = chunk, .word = instruction->word};
    size_t low = 0;
    size_t high = remarks->transfer_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const dwn_transfer *t = remarks->transfers[middle];
        if (t->chunk < expected.chunk || (t->chunk == expected.chunk && t->word < expected.word)) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t end = low;
    while (end < remarks->transfer_count && remarks->transfers[end]->chunk == expected.chunk &&
           remarks->transfers[end]->word == expected.word) {
        end++;
    }
    *out_count = end - low;
    return remarks->transfers + low;
}

// Totals -----------------------------------------------------------------------------------------

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
        (void)snprintf(buffer, size, "0x%08" PRIx32, bits);
        return false;
    }
    (void)snprintf(buffer, size, "%.9g", (double)value);
    return true;
}
