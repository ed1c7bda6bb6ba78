// What goes to an output of the model, by the instructions that send it. In: the transfers of the
// scalar core and what tiles send to the ring for them; out: whether it is of a value, by what was
// written last where each tile's copy begins and ends (recover_spots.c).
//
// The core sends a descriptor of the output, then drains the ring to the host once for each tile
// that has some of it, whose instruction comes next; or it drains each tile, whose instruction came
// before, to itself, and sends the descriptor and the words afterwards. A tile's instruction names
// the address in the other memory that a copy went to. What all of them send has as many bytes as
// the transfers, which go by eights; else nothing is known. [observed in 67 models]
#include "base/span.h"
#include "formats/darwinn/recover_steps.h"
#include "formats/darwinn/recover_transpose.h"

// The output that a transfer is of; DWN_NONE: it is of none.
static uint32_t output_of(const dwn_executable *executable, const dwn_transfer *transfer)
{
    if (!transfer->is_known || transfer->tag != DWN_TAG_OUTPUT ||
        transfer->desc != DWN_DESC_OUTPUT) {
        return DWN_NONE;
    }
    for (uint32_t i = 0; i < executable->output_layers.count; i++) {
        if (hoist_str_equal(executable->output_layers.items[i].name, transfer->name)) {
            return i;
        }
    }
    return DWN_NONE;
}

// Earlier in the program: chunks, then words.
static bool is_before(uint32_t chunk, uint32_t word, const dwn_words *at)
{
    return chunk < at->chunk || (chunk == at->chunk && word < at->word);
}

// The last transfer to the host before a drain, or the first one after it; NULL: there is none.
static const dwn_transfer *transfer_of(const dwn_program_run *run, const dwn_drain *drain,
                                       size_t next)
{
    const dwn_transfer *const transfers = run->transfers;
    while (drain->is_after && next > 0 && transfers[next - 1].tag != DWN_TAG_OUTPUT) {
        next--;
    }
    while (!drain->is_after && next < run->transfer_count &&
           transfers[next].tag != DWN_TAG_OUTPUT) {
        next++;
    }
    return drain->is_after && next > 0                      ? &transfers[next - 1]
           : !drain->is_after && next < run->transfer_count ? &transfers[next]
                                                            : NULL;
}

// The order of drains is that of the program, as is that of transfers: one pass over both.
void dwn_set_drains(dwn_walk *w, const dwn_program_run *run)
{
    size_t next = 0;
    for (uint32_t i = 0; i < w->operations.drain_count; i++) {
        dwn_drain *const drain = &w->operations.drains[i];
        while (next < run->transfer_count &&
               is_before(run->transfers[next].chunk, run->transfers[next].word, &drain->at)) {
            next++;
        }
        const dwn_transfer *transfer = transfer_of(run, drain, next);
        drain->output = transfer ? output_of(w->executable, transfer) : DWN_NONE;
        drain->sent = transfer ? (dwn_words){transfer->chunk, transfer->word, 1} : drain->at;
    }
    for (size_t i = 0; i < run->transfer_count; i++) { // all bytes that an output gets
        const uint32_t to = output_of(w->executable, &run->transfers[i]);
        if (to != DWN_NONE) {
            w->sent[to] = dwn_plus(w->sent[to], run->transfers[i].size);
        }
    }
}

// The address of a word of a copy, by its number.
static int64_t address_of(const dwn_copy *copy, uint64_t word)
{
    uint64_t at = (uint64_t)(int64_t)copy->base; // hostile strides wrap around
    for (size_t i = 0; i < DWN_MESH_LOOPS; i++) {
        at += word % copy->loops[i].count * (uint64_t)copy->loops[i].stride;
        word /= copy->loops[i].count;
    }
    return (int64_t)at;
}

// The value that the scalar core makes of what was drained to it before it sends the descriptor:
// that of a softmax. False: it makes none.
static bool is_computed(const dwn_walk *w, const dwn_drain *drain, uint32_t *out_value)
{
    bool is_so = false;
    for (uint32_t i = 0; i < w->operations.count && !drain->is_after; i++) {
        const dwn_operation *op = &w->operations.items[i];
        const bool is_scalar = op->opcode == DWN_OP_BUNDLE || op->opcode == DWN_OP_LOOP;
        if (is_scalar && is_before(drain->at.chunk, drain->at.word, &op->at) &&
            is_before(op->at.chunk, op->at.word, &drain->sent)) {
            *out_value = w->owners[i] == DWN_NONE ? DWN_NONE : w->input_count + w->owners[i];
            is_so = true;
        }
    }
    return is_so;
}

// A word whose bytes are of several words is no value's. Notes the value that has the word.
static hoist_status see_word(dwn_walk *w, dwn_drain *drain, const dwn_spot *spot, size_t end)
{
    HOIST_TRY(dwn_value_at(w, spot, &drain->values[end]));
    drain->is_selected = drain->is_selected || (drain->values[end] == DWN_NONE && w->trace &&
                                                w->trace->operation == spot->operation &&
                                                dwn_trace_mixed(w, spot->tile, spot->address));
    return HOIST_OK;
}

// Which values are at the first and the last word of what is copied for a drain. A tile sends
// whole pairs of words, so that the last may be none of the output's.
static hoist_status see(dwn_walk *w, dwn_drain *drain)
{
    if (is_computed(w, drain, &drain->values[0])) {
        drain->values[1] = drain->values[0];
        return HOIST_OK;
    }
    const dwn_copy *copy = &w->operations.copies[drain->copy];
    const uint64_t words = dwn_steps_of(0, copy->loops, DWN_MESH_LOOPS).count;
    dwn_spot spot = dwn_spot_copied(copy, drain->tile);
    // At the first word; at the last one, or the one before.
    HOIST_TRY(see_word(w, drain, &spot, 0));
    for (uint64_t back = 1; back <= 2 && back <= words; back++) {
        spot.address = address_of(copy, words - back);
        HOIST_TRY(see_word(w, drain, &spot, 1));
        if (drain->values[1] == drain->values[0] || words % 2 != 0) {
            break;
        }
    }
    return HOIST_OK;
}

// Whether an output has the rows, columns and channels of a value, and not some of them.
static bool has_extent(const dwn_walk *w, uint32_t value, uint32_t output)
{
    const dwn_extent a = w->values[value].extent;
    const dwn_extent b = dwn_layer_extent(&w->executable->output_layers.items[output]);
    return a.h == b.h && a.w == b.w && a.c == b.c;
}

// The memories are followed once more, from the beginning, as each drain is before what comes
// after.
hoist_status dwn_see_outputs(dwn_walk *w)
{
    HOIST_TRY(dwn_trace_begin(w));
    for (uint32_t i = 0; i < w->operations.drain_count; i++) {
        dwn_drain *const drain = &w->operations.drains[i];
        if (drain->output != DWN_NONE && drain->copy != DWN_NONE) {
            HOIST_TRY(see(w, drain));
            const bool is_one = drain->values[0] != DWN_NONE &&
                                drain->values[0] == drain->values[1] &&
                                has_extent(w, drain->values[0], drain->output);
            if (!is_one && !w->ordered[drain->output]) {
                HOIST_TRY(dwn_read_ordered(w, drain->output));
            }
        }
    }
    return HOIST_OK;
}

// Bytes of all copies that are drained for an output, up to eight.
static uint64_t bytes_of(const dwn_walk *w, uint32_t output)
{
    enum { UNIT = 8 };
    uint64_t words = 0;
    for (uint32_t i = 0; i < w->operations.drain_count; i++) {
        const dwn_drain *drain = &w->operations.drains[i];
        if (drain->output == output && drain->copy != DWN_NONE) {
            const dwn_copy *copy = &w->operations.copies[drain->copy];
            words = dwn_plus(words, dwn_steps_of(0, copy->loops, DWN_MESH_LOOPS).count);
        }
    }
    return dwn_times((words / 2 + words % 2), UNIT);
}

// Whether it is one of the values, or of the parts of one.
static bool is_part_of(const dwn_walk *w, uint32_t part, const uint32_t *values, uint32_t count)
{
    bool is_so = false;
    for (uint32_t i = 0; i < count && !is_so; i++) {
        is_so = dwn_is_part(w, part, values[i]);
    }
    return is_so;
}

// One word of another value is enough to exclude; all ends have to be known to confirm.
dwn_written dwn_is_sent(dwn_walk *w, uint32_t output, const uint32_t *values, uint32_t count)
{
    bool is_known = true;
    // Bounds time for hostile lists.
    if (!dwn_trace_spend(w, dwn_times(count, w->operations.drain_count)) || w->sent[output] == 0 ||
        bytes_of(w, output) != w->sent[output]) {
        return DWN_WRITTEN_UNKNOWN;
    }
    for (uint32_t i = 0; i < w->operations.drain_count; i++) {
        const dwn_drain *drain = &w->operations.drains[i];
        for (size_t end = 0; end < 2 && drain->output == output; end++) {
            const uint32_t seen = drain->values[end];
            if (drain->is_selected || (seen != DWN_NONE && !is_part_of(w, seen, values, count))) {
                return DWN_WRITTEN_NOT_SO;
            }
            is_known = is_known && seen != DWN_NONE;
        }
    }
    return is_known ? DWN_WRITTEN_SO : DWN_WRITTEN_UNKNOWN;
}

// Whether the words that a tile sends of a pixel are those of values, one after the other.
static hoist_status see_pixel(dwn_walk *w, const dwn_drain *drain, uint64_t first,
                              const uint32_t *values, uint32_t count, dwn_written *out)
{
    const dwn_copy *copy = &w->operations.copies[drain->copy];
    dwn_spot spot = dwn_spot_copied(copy, drain->tile);
    for (uint32_t i = 0; i < count && *out != DWN_WRITTEN_NOT_SO; i++) {
        const uint32_t words = dwn_words_of(w->values[values[i]].extent.c);
        const uint64_t ends[2] = {first, first + words - 1};
        for (size_t end = 0; end < 2; end++) {
            uint32_t seen = DWN_NONE;
            spot.address = address_of(copy, ends[end]);
            HOIST_TRY(dwn_value_at(w, &spot, &seen));
            if (seen != DWN_NONE && !dwn_is_part(w, seen, values[i])) {
                *out = DWN_WRITTEN_NOT_SO;
                return HOIST_OK;
            }
            *out = seen == DWN_NONE ? DWN_WRITTEN_UNKNOWN : *out;
        }
        first += words;
    }
    return HOIST_OK;
}

// Whole words but for the last value: channels that fill a word would lie between.
hoist_status dwn_are_sent_so(dwn_walk *w, uint32_t output, const uint32_t *values, uint32_t count,
                             dwn_written *out)
{
    enum { WORD_CHANNELS = 4 };
    uint64_t words = 0; // of a pixel
    uint64_t seen = 0;  // drains
    *out = DWN_WRITTEN_SO;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t channels = w->values[values[i]].extent.c;
        const bool is_whole = channels > 0 && channels % WORD_CHANNELS == 0;
        *out = is_whole || i + 1 == count ? *out : DWN_WRITTEN_NOT_SO;
        words += dwn_words_of(channels);
    }
    for (uint32_t i = 0; i < w->operations.drain_count && *out != DWN_WRITTEN_NOT_SO; i++) {
        const dwn_drain *drain = &w->operations.drains[i];
        if (drain->output != output) {
            continue;
        }
        const uint64_t all =
            drain->copy == DWN_NONE
                ? 0
                : dwn_steps_of(0, w->operations.copies[drain->copy].loops, DWN_MESH_LOOPS).count;
        if (words == 0 || all < words || all % words > 1 || !dwn_trace_spend(w, count)) {
            *out = DWN_WRITTEN_UNKNOWN; // a tile sends whole pairs of words
            return HOIST_OK;
        }
        HOIST_TRY(see_pixel(w, drain, 0, values, count, out)); // first pixel
        HOIST_TRY(see_pixel(w, drain, (all / words - 1) * words, values, count, out)); // last pixel
        seen++;
    }
    *out = seen > 0 || *out == DWN_WRITTEN_NOT_SO ? *out : DWN_WRITTEN_UNKNOWN;
    return HOIST_OK;
}
