// Follows the words of values through the memories of tiles (recover_trace.h). In: the walk, with
// the layers that groups are; out: which value's word is at an address of a tile.
//
// Operations that compute each number alone keep the number of a word; those that only move data
// keep the value, too. Selections make mixed words, which are named by their index in a list.
// recover_memory.c has the memories, recover_sending.c what the mesh does, recover_words.c the
// names of words of values that were joined.
#include "formats/darwinn/recover_trace.h"

#include <string.h>

#include "base/assert.h"
#include "formats/darwinn/recover_memory.h"

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
    if (words > m.words || columns == 0 || !dwn_trace_go(w->trace, dwn_times(m.pixels, words))) {
        return HOIST_OK;
    }
    uint64_t pixels = 0;
    for (uint64_t i = from; i < from + m.pixels; i += pixels) {
        const uint64_t left = columns - i % columns;
        const uint64_t close = words == s->words ? dwn_steps_run(&pixel, words) : 1;
        const uint64_t first = s->first[tile] + i / columns * row + i % columns * s->words;
        pixels = close < left ? close : left;
        pixels = pixels < from + m.pixels - i ? pixels : from + m.pixels - i;
        HOIST_TRY(dwn_memory_put(w, &(dwn_memory_run){tile, pixel.at, pixels * words},
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

// What a tile reads is what it writes, under the name of the value that a layer makes.
static hoist_status follow_words(dwn_walk *w, const dwn_operation *op, uint32_t layer,
                                 uint32_t tile)
{
    dwn_steps from = dwn_steps_of(op->a.base, op->a.loops, DWN_LOOPS);
    dwn_steps to = dwn_steps_of(op->b.base, op->b.loops, DWN_LOOPS);
    if (from.count != to.count || op->is_elsewhere) {
        dwn_memory_forget(w, tile, op->b.base, op->b.loops, DWN_LOOPS);
        return HOIST_OK;
    }
    if (!dwn_trace_go(w->trace, to.count)) {
        return HOIST_OK;
    }
    if (layer == DWN_NONE) {
        return dwn_memory_copy(w, tile, from, tile, to, NULL);
    }
    const uint32_t input = dwn_value_of(w, w->layers[layer].inputs[0]);
    const dwn_naming as = {input, w->input_count + layer, dwn_has_other_names(w, input)};
    return dwn_memory_copy(w, tile, from, tile, to, &as);
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
    const dwn_held held = dwn_memory_at(w, tile, address);
    if (held.value != DWN_MIXED) {
        const bool is_named = held.word < UINT32_MAX / DWN_WORD_BYTES;
        return (dwn_byte){is_named ? held.value : 0, held.word * DWN_WORD_BYTES + byte};
    }
    const dwn_mixed *mixed = dwn_memory_mixed(w->trace, held.word);
    if (mixed->by->chain != reader->chain) {
        dwn_selection_chain(mixed->by)->chain = dwn_selection_chain(reader);
    }
    return dwn_mixed_byte(mixed, byte);
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
                const dwn_byte read =
                    byte_at(w, tile, address, from % DWN_WORD_BYTES, op->selection);
                mixed->bytes[k] = read.byte;
                mixed->values[k] = read.value <= UINT16_MAX ? (uint16_t)read.value : 0;
            }
        }
        HOIST_TRY(
            dwn_memory_put_word(w, tile, to->at, (dwn_held){DWN_MIXED, w->trace->mixed_count - 1}));
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
    if (!dwn_trace_go(w->trace, dwn_times(to.count, DWN_WORD_BYTES))) {
        return HOIST_OK;
    }
    dwn_steps from = dwn_selection_begin(op);
    for (uint64_t i = 0; i < outputs; i++, dwn_steps_next(&from)) {
        const dwn_selected output = dwn_selection_at(op, i, from.at);
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
    dwn_memory_forget(w, tile, op->b.base, op->b.loops, DWN_LOOPS);
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
    dwn_keep_pending(w, op);
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
        HOIST_TRY(dwn_follow_mesh(w, t->operation));
        HOIST_TRY(follow_operation(w, t->operation));
        t->operation++;
    }
    return t->left > 0 ? dwn_follow_mesh(w, operation) : HOIST_OK;
}
