// The list of recovered layers as a tree. JSON has all of it; people see a table with a row for
// each layer, what was not understood, and what was assumed.
#include <stdio.h>

#include "base/span.h"
#include "base/tree.h"
#include "formats/darwinn/recover_send.h"

typedef struct list {
    const dwn_recovery *recovery;
    const dwn_scales *scales;
    hoist_tree_sink *sink;
} list;

// [height, width, channels].
void dwn_extent_send(const char *key, dwn_extent extent, hoist_tree_sink *sink)
{
    hoist_tree_short_list(sink, key);
    hoist_tree_uint(sink, "", extent.h, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "", extent.w, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "", extent.c, HOIST_UNIT_NONE);
    hoist_tree_end(sink);
}

// Of rows, then of columns.
static void send_pair(hoist_tree_sink *sink, const char *key, const uint32_t pair[2])
{
    hoist_tree_short_list(sink, key);
    hoist_tree_uint(sink, "", pair[0], HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "", pair[1], HOIST_UNIT_NONE);
    hoist_tree_end(sink);
}

// Indices in "layers", or numbers of inputs of the model: {"layer": 3}, {"input": 0}.
static void send_inputs(const dwn_recovered *layer, hoist_tree_sink *sink)
{
    hoist_tree_short_list(sink, "inputs");
    for (uint32_t i = 0; i < layer->input_count; i++) {
        const uint32_t input = layer->inputs[i];
        hoist_tree_short_map(sink, "");
        hoist_tree_uint(sink, input & DWN_MODEL_INPUT ? "input" : "layer", input & ~DWN_MODEL_INPUT,
                        HOIST_UNIT_NONE);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
}

// The arithmetic of the layer; members that a kind does not have are absent. Zero points are of the
// unsigned form, as everywhere here.
static void send_numbers(const dwn_recovered *layer, hoist_tree_sink *sink)
{
    hoist_tree_float(sink, "multiplier", (double)layer->multiplier, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "low", (double)layer->low, HOIST_UNIT_NONE);
    hoist_tree_float(sink, "high", (double)layer->high, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "input_zero_point", layer->input_zero, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "output_zero_point", layer->output_zero, HOIST_UNIT_NONE);
    if (layer->kind == DWN_KIND_ADD || layer->kind == DWN_KIND_MULTIPLY) {
        hoist_tree_uint(sink, "second_zero_point", layer->second_zero, HOIST_UNIT_NONE);
    }
    if (layer->kind == DWN_KIND_ADD) {
        hoist_tree_int(sink, "first_factor", layer->factors[0]);
        hoist_tree_int(sink, "second_factor", layer->factors[1]);
        hoist_tree_int(sink, "constant", layer->constant);
    }
    if (layer->kind == DWN_KIND_SOFTMAX) {
        hoist_tree_float(sink, "input_scale", (double)layer->scale, HOIST_UNIT_NONE);
    }
    if (layer->kind == DWN_KIND_TRANSPOSE) {
        hoist_tree_short_list(sink, "axes");
        for (uint32_t i = 0; i < 3; i++) {
            hoist_tree_uint(sink, "", dwn_order_axis(layer->order, i), HOIST_UNIT_NONE);
        }
        hoist_tree_end(sink);
    }
    if (layer->kind == DWN_KIND_SLICE) {
        hoist_tree_uint(sink, "first_channel", layer->first, HOIST_UNIT_NONE);
    }
    if (layer->weights) {
        hoist_tree_uint(sink, "weight_zero_point", layer->weight_zero, HOIST_UNIT_NONE);
        hoist_tree_bool(sink, "has_bias", layer->bias != NULL);
        hoist_tree_bool(sink, "has_multipliers", layer->multipliers != NULL);
        hoist_tree_bool(sink, "has_weight_zero_points", layer->weight_zeros != NULL);
    }
}

// Place of instructions: chunk, first word, number of words.
static void send_words(hoist_tree_sink *sink, const dwn_words *words)
{
    hoist_tree_uint(sink, "chunk", words->chunk, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "word", words->word, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "words", words->words, HOIST_UNIT_NONE);
}

// Place of parameters in their blob.
static void send_piece(hoist_tree_sink *sink, const dwn_piece *piece)
{
    hoist_tree_c(sink, "parameters", piece->is_cached ? "cached" : "streamed");
    hoist_tree_uint(sink, "offset", piece->offset, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "size_bytes", piece->size, HOIST_UNIT_BYTES);
}

// What of the file the layer is: its blocks and its operations, and which guesses it depends on.
static void send_ranges(const dwn_recovered *layer, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "blocks");
    for (uint32_t i = 0; i < layer->piece_count; i++) {
        hoist_tree_map(sink, "");
        send_piece(sink, &layer->pieces[i]);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    hoist_tree_list(sink, "instructions");
    for (uint32_t i = 0; i < layer->word_count; i++) {
        hoist_tree_map(sink, "");
        send_words(sink, &layer->words[i]);
        hoist_tree_end(sink);
    }
    hoist_tree_end(sink);
    hoist_tree_short_list(sink, "heuristics");
    for (int i = 0; i < DWN_GUESS_COUNT; i++) {
        if (layer->heuristics >> i & 1) {
            hoist_tree_c(sink, "", dwn_heuristics[i].name);
        }
    }
    hoist_tree_end(sink);
}

// People ------------------------------------------------------------------------------------------

enum { CELL = 64 }; // of a cell

// "3x3 /2 +1,1 ~2": window, strides, padding at the top and left, dilation; what is usual is left
// out.
static void write_window(const dwn_recovered *l, char out[CELL])
{
    size_t size = (size_t)snprintf(out, CELL, "%ux%u", l->kernel[0], l->kernel[1]);
    const bool has_strides = l->stride[0] > 1 || l->stride[1] > 1;
    if (has_strides && l->stride[0] == l->stride[1]) {
        size += (size_t)snprintf(out + size, CELL - size, " /%u", l->stride[0]);
    } else if (has_strides) {
        size += (size_t)snprintf(out + size, CELL - size, " /%u,%u", l->stride[0], l->stride[1]);
    }
    if (l->padding[0] > 0 || l->padding[1] > 0) {
        size += (size_t)snprintf(out + size, CELL - size, " +%u,%u", l->padding[0], l->padding[1]);
    }
    if (l->dilation[0] > 1 || l->dilation[1] > 1) {
        (void)snprintf(out + size, CELL - size, " ~%u,%u", l->dilation[0], l->dilation[1]);
    }
}

// "in 0", or the number of a layer.
static void send_sources(const dwn_recovered *layer, hoist_tree_sink *sink)
{
    hoist_tree_short_list(sink, "reads");
    for (uint32_t i = 0; i < layer->input_count; i++) {
        char cell[CELL];
        const uint32_t input = layer->inputs[i];
        const bool is_input = input & DWN_MODEL_INPUT;
        (void)snprintf(cell, sizeof(cell), "%s%u", is_input ? "in " : "", input & ~DWN_MODEL_INPUT);
        hoist_tree_c(sink, "", cell);
    }
    hoist_tree_end(sink);
}

static bool has_window(const dwn_recovered *layer)
{
    return layer->kind == DWN_KIND_CONVOLUTION || layer->kind == DWN_KIND_DEPTHWISE ||
           layer->kind == DWN_KIND_AVERAGE_POOL;
}

// One row for people: "3  convolution  56x56x32  3x3 /2 +1,1  0.0235 ...". The letters of "by" are
// explained below the table: first where the scale is from, then the heuristics.
static void send_row(const list *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    char cell[CELL];
    char letters[DWN_GUESS_COUNT + 2] = ""; // and the letter of the scale, and NUL
    const dwn_layer_scales *own = &l->scales->layers[index];
    size_t count = 0;
    letters[count++] = dwn_scale_sources[own->source].letter;
    for (int i = 0; i < DWN_GUESS_COUNT; i++) {
        if (layer->heuristics >> i & 1) {
            letters[count++] = dwn_heuristics[i].letter;
        }
    }
    hoist_tree_uint(l->sink, "layer", index, HOIST_UNIT_NONE);
    hoist_tree_c(l->sink, "kind", dwn_layer_kind_name(layer->kind));
    (void)snprintf(cell, sizeof(cell), "%ux%ux%u", layer->output.h, layer->output.w,
                   layer->output.c);
    hoist_tree_c(l->sink, "output", cell);
    write_window(layer, cell);
    hoist_tree_c(l->sink, "window", has_window(layer) ? cell : "-");
    // 0: unknown.
    (void)snprintf(cell, sizeof(cell), own->scale > 0 ? "%.6g" : "-", (double)own->scale);
    hoist_tree_c(l->sink, "scale", cell);
    hoist_tree_uint(l->sink, "zero", layer->output_zero, HOIST_UNIT_NONE);
    send_sources(layer, l->sink);
    hoist_tree_c(l->sink, "by", letters);
}

// Layers -----------------------------------------------------------------------------------------

// Scales are those that recover_scales.c found or chose; the last two members are how many
// multipliers are exactly those of the scales.
static void send_scales(const dwn_layer_scales *own, hoist_tree_sink *sink)
{
    hoist_tree_c(sink, "activation", dwn_activation_name(own->activation));
    hoist_tree_maybe_float(sink, "output_scale", own->scale > 0, (double)own->scale,
                           HOIST_UNIT_NONE);
    hoist_tree_c(sink, "scale_from", dwn_scale_sources[own->source].name);
    hoist_tree_short_list(sink, "weight_scales");
    for (uint32_t i = 0; i < own->weight_count; i++) {
        hoist_tree_float(sink, "", (double)own->weights[i], HOIST_UNIT_NONE);
    }
    hoist_tree_end(sink);
    hoist_tree_uint(sink, "reference_multipliers", own->asked, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "exact_multipliers", own->exact, HOIST_UNIT_NONE);
}

// All of a layer, for programs.
static void send_facts(const list *l, uint32_t index)
{
    const dwn_recovered *layer = &l->recovery->layers[index];
    hoist_tree_c(l->sink, "kind", dwn_layer_kind_name(layer->kind));
    send_inputs(layer, l->sink);
    if (layer->output_layer != DWN_NONE) {
        hoist_tree_uint(l->sink, "output_layer", layer->output_layer, HOIST_UNIT_NONE);
    }
    dwn_extent_send("input", layer->input, l->sink);
    dwn_extent_send("output", layer->output, l->sink);
    send_pair(l->sink, "kernel", layer->kernel);
    send_pair(l->sink, "stride", layer->stride);
    send_pair(l->sink, "dilation", layer->dilation);
    send_pair(l->sink, "padding", layer->padding);
    const dwn_after after = dwn_padding_after(layer);
    send_pair(l->sink, "padding_after", after.read);
    send_pair(l->sink, "padding_unread", after.unread);
    send_numbers(layer, l->sink);
    send_scales(&l->scales->layers[index], l->sink);
    send_ranges(layer, l->sink);
}

// One list of two views: people get the row, programs the facts.
static void send_layers(const list *l)
{
    hoist_tree_list(l->sink, "layers");
    for (uint32_t i = 0; i < l->recovery->count; i++) {
        hoist_tree_map(l->sink, "");
        l->sink->audience = HOIST_TREE_FOR_PEOPLE;
        send_row(l, i);
        l->sink->audience = HOIST_TREE_FOR_PROGRAMS;
        send_facts(l, i);
        l->sink->audience = HOIST_TREE_FOR_ALL;
        hoist_tree_end(l->sink);
    }
    hoist_tree_end(l->sink);
}

// What is missing --------------------------------------------------------------------------------

// "instructions of chunk 0", "words 335 to 351".
static void send_gap_words(const dwn_gap *gap, hoist_tree_sink *sink)
{
    char what[CELL];
    char range[CELL];
    if (gap->has_layer) {
        (void)snprintf(what, sizeof(what), "layer %u", gap->layer);
    } else if (gap->words.words > 0) {
        (void)snprintf(what, sizeof(what), "instructions of chunk %u", gap->words.chunk);
    }
    if (gap->has_layer || gap->words.words > 0) {
        (void)snprintf(range, sizeof(range), "words %u to %u", gap->words.word,
                       gap->words.word + gap->words.words - 1);
    } else if (gap->piece.size > 0) {
        (void)snprintf(what, sizeof(what), "%s parameters",
                       gap->piece.is_cached ? "cached" : "streamed");
        (void)snprintf(range, sizeof(range), "bytes %llu to %llu",
                       (unsigned long long)gap->piece.offset,
                       (unsigned long long)(gap->piece.offset + gap->piece.size - 1));
    } else {
        (void)snprintf(what, sizeof(what), "output %u", gap->output);
        (void)snprintf(range, sizeof(range), "-");
    }
    hoist_tree_c(sink, "what", what);
    hoist_tree_c(sink, "where", range);
}

// One gap. "reason" is in both views, a place in each in its own way.
static void send_gap(const dwn_gap *gap, hoist_tree_sink *sink)
{
    hoist_tree_map(sink, "");
    sink->audience = HOIST_TREE_FOR_PEOPLE;
    send_gap_words(gap, sink);
    sink->audience = HOIST_TREE_FOR_ALL;
    hoist_tree_c(sink, "reason", gap->reason);
    sink->audience = HOIST_TREE_FOR_PROGRAMS;
    if (gap->has_layer) {
        hoist_tree_uint(sink, "layer", gap->layer, HOIST_UNIT_NONE);
    }
    if (gap->words.words > 0) {
        send_words(sink, &gap->words);
    } else if (gap->piece.size > 0) {
        send_piece(sink, &gap->piece);
    } else { // neither: it is of an output
        hoist_tree_uint(sink, "output_layer", gap->output, HOIST_UNIT_NONE);
    }
    sink->audience = HOIST_TREE_FOR_ALL;
    hoist_tree_end(sink);
}

// Also for what cannot be exported, which has gaps of its own.
void dwn_gaps_send(const dwn_gap *gaps, uint32_t count, hoist_tree_sink *sink)
{
    hoist_tree_list(sink, "gaps");
    for (uint32_t i = 0; i < count; i++) {
        send_gap(&gaps[i], sink);
    }
    hoist_tree_end(sink);
}

// Shares -----------------------------------------------------------------------------------------

// Bytes of a blob that belong to layers. An empty blob is understood as a whole.
static void send_share(const char *name, uint64_t size, uint64_t decoded, hoist_tree_sink *sink)
{
    const double share = size ? 100.0 * (double)decoded / (double)size : 100.0;
    hoist_tree_map(sink, "");
    hoist_tree_c(sink, "parameters", name);
    hoist_tree_uint(sink, "size_bytes", size, HOIST_UNIT_BYTES);
    hoist_tree_uint(sink, "decoded_bytes", decoded, HOIST_UNIT_BYTES);
    hoist_tree_float(sink, "decoded_percent", share, HOIST_UNIT_PERCENT);
    hoist_tree_end(sink);
}

// Heuristics that something follows from: those of the layers, and of the model.
static void send_heuristics(const list *l)
{
    hoist_tree_list(l->sink, "heuristics");
    for (int i = 0; i < DWN_GUESS_COUNT; i++) {
        const dwn_heuristic_row *const row = &dwn_heuristics[i];
        const char letter[2] = {row->letter, '\0'};
        uint32_t layers = 0;
        for (uint32_t k = 0; k < l->recovery->count; k++) {
            layers += l->recovery->layers[k].heuristics >> i & 1;
        }
        // Of all layers at once, so no layer has its bit.
        const bool is_of_model = i == DWN_GUESS_SIGNED && l->scales->is_signed;
        if (layers == 0 && !is_of_model) {
            continue;
        }
        hoist_tree_map(l->sink, "");
        hoist_tree_c(l->sink, "by", letter);
        hoist_tree_c(l->sink, "name", row->name);
        hoist_tree_uint(l->sink, "layers", is_of_model ? l->recovery->count : layers,
                        HOIST_UNIT_NONE);
        hoist_tree_c(l->sink, "meaning", row->meaning);
        l->sink->audience = HOIST_TREE_FOR_PROGRAMS;
        hoist_tree_c(l->sink, "section", row->section);
        l->sink->audience = HOIST_TREE_FOR_ALL;
        hoist_tree_end(l->sink);
    }
    hoist_tree_end(l->sink);
}

// Where the scales of the layers are from.
static void send_sources_of_scales(const list *l)
{
    hoist_tree_list(l->sink, "scales");
    for (int i = 0; i < DWN_SCALE_SOURCES; i++) {
        const dwn_scale_source_row *const row = &dwn_scale_sources[i];
        const char letter[2] = {row->letter, '\0'};
        uint32_t layers = 0;
        for (uint32_t k = 0; k < l->recovery->count; k++) {
            layers += l->scales->layers[k].source == (dwn_scale_source)i;
        }
        if (layers > 0) {
            hoist_tree_map(l->sink, "");
            hoist_tree_c(l->sink, "by", letter);
            hoist_tree_c(l->sink, "from", row->name);
            hoist_tree_uint(l->sink, "layers", layers, HOIST_UNIT_NONE);
            hoist_tree_c(l->sink, "meaning", row->meaning);
            hoist_tree_end(l->sink);
        }
    }
    hoist_tree_end(l->sink);
}

// Complete means that there are no gaps, not that nothing was assumed: the heuristics say what was.
hoist_status dwn_recovery_send(const dwn_recovery *recovery, const dwn_scales *scales,
                               hoist_tree_sink *sink)
{
    const list l = {recovery, scales, sink};
    send_layers(&l);
    dwn_gaps_send(recovery->gaps, recovery->gap_count, sink);
    send_heuristics(&l);
    send_sources_of_scales(&l);
    hoist_tree_list(sink, "blobs");
    send_share("cached", recovery->cached_size, recovery->cached_decoded, sink);
    send_share("streamed", recovery->streamed_size, recovery->streamed_decoded, sink);
    hoist_tree_end(sink);
    hoist_tree_bool(sink, "complete", recovery->gap_count == 0);
    hoist_tree_c(sink, "element_type", scales->is_signed ? "int8" : "uint8");
    hoist_tree_uint(sink, "chosen_scales", scales->free, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "operations", recovery->operations, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "moves", recovery->moves, HOIST_UNIT_NONE);
    hoist_tree_uint(sink, "unknown", recovery->unknown, HOIST_UNIT_NONE);
    return sink->status;
}
