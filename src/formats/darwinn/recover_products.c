// Layers that are products with weights (darwinn reference sections 16.3 to 16.6): convolutions,
// depthwise and dense layers, their strips, and gathers, whose weights are 0 and 1. In: a group;
// out: one more layer, with geometry (recover_geometry.c) and parameters (recover_parameters.c).
#include <string.h>

#include "formats/darwinn/recover_layers.h"
#include "formats/darwinn/recover_selection.h"

// Parameters -------------------------------------------------------------------------------------

// The next block of that shape: of the executable that the instructions take it from; where nothing
// says so, streamed where the transfers fit.
static bool find_block(const dwn_walk *w, const dwn_group *group, const dwn_geometry *g,
                       const dwn_block_shape *shape, dwn_piece *out)
{
    const uint64_t size = dwn_block_size(shape);
    const dwn_supply supply = dwn_group_supply(&w->operations, group);
    // Loops that reach beyond the input fit many shapes: the runs that bring the block decide.
    if (g->is_beyond && !dwn_block_is_supplied(shape, &supply)) {
        return false;
    }
    const bool is_found =
        (supply.source != DWN_SUPPLY_CACHED && dwn_block_find(&w->sources, size, true, out)) ||
        (supply.source != DWN_SUPPLY_STREAMED && dwn_block_find(&w->sources, size, false, out));
    return is_found &&
           (!shape->is_diagonal || dwn_block_is_diagonal(shape, dwn_block_bytes(&w->sources, out),
                                                         dwn_widest_of(w, group)->weight_zero));
}

// How the weights of a layer are stored (section 9): rows in groups of 64, of depthwise layers 4 x
// 4 matrices. Convolutions to at most 4 channels are stored in groups of 4 like these.
static dwn_block_shape shape_of(const dwn_operation *op, const dwn_geometry *g, dwn_extent input)
{
    dwn_block_shape shape = {.rows = g->output.c,
                             .steps = op->reduction,
                             .has_multipliers = op->has_multipliers,
                             .has_bias = op->has_bias,
                             .has_zeros = op->has_weight_zeros};
    const bool is_diagonal = g->kind == DWN_KIND_DEPTHWISE;
    const bool is_narrow = g->kind == DWN_KIND_CONVOLUTION && g->output.c <= 4;
    if (is_diagonal) {
        shape.rows = dwn_words_of(input.c) * 4;
        shape.is_diagonal = true;
    }
    if (g->kind == DWN_KIND_DENSE) {
        shape.steps = (uint64_t)input.h * input.w * dwn_words_of(input.c);
    }
    // With several taps the channels inside of them may be split in blocks.
    if (g->kind == DWN_KIND_CONVOLUTION && op->reduction > dwn_words_of(input.c)) {
        shape.inner = (uint32_t)g->inner;
    }
    shape.rows_of_group = is_diagonal || is_narrow ? 4 : 0;
    return shape;
}

// Gathers ----------------------------------------------------------------------------------------

enum { JOINED = 16 }; // values that are read together

// A reshape that the compiler made of products with 0 and 1: rows pick one channel each.
typedef struct gather {
    uint32_t values[JOINED];
    uint32_t count;
    uint64_t elements;
    dwn_piece piece;
} gather;

// Whether the block of a group has rows with one 1 each that gather the values. Each tile has the
// same block.
static bool is_gather(const dwn_walk *w, const dwn_group *group, gather *g)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const dwn_block_shape shape = {
        .rows = op->last_rows, .steps = op->reduction, .has_bias = op->has_bias};
    uint32_t channels[JOINED];
    uint64_t words = 0; // that there are to be gathered
    g->elements = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        const dwn_extent extent = w->values[g->values[i]].extent;
        channels[i] = extent.c;
        g->elements += (uint64_t)extent.h * extent.w * extent.c;
        words += (uint64_t)extent.h * extent.w * dwn_words_of(extent.c);
    }
    const uint64_t size = dwn_block_size(&shape);
    const bool is_found = dwn_block_find(&w->sources, size, true, &g->piece) ||
                          dwn_block_find(&w->sources, size, false, &g->piece);
    return op->full_rows == op->last_rows && is_found && op->reduction <= words &&
           words % op->reduction == 0 && g->elements <= DWN_MAX_EXTENT &&
           group->produced >= words / op->reduction &&
           dwn_block_is_gather(&shape, dwn_block_bytes(&w->sources, &g->piece), channels, g->count);
}

// Only a product that changes no number can be a gather: factor 1, no zero point of weights, the
// same zero points. First the current value alone is tried, then values that are joined.
static bool find_gather(const dwn_walk *w, const dwn_group *group, gather *g)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    if (!(dwn_float_of(op->multiplier) == 1.0f && !op->has_multipliers && !op->has_weight_zeros &&
          op->weight_zero == 0 && op->input_zero == op->output_zero)) {
        return false;
    }
    g->values[0] = dwn_find_value(w, op->input_zero, (dwn_extent){0});
    g->count = 1;
    if (g->values[0] == w->current && is_gather(w, group, g)) {
        return true;
    }
    g->count = dwn_find_joined(w, group, JOINED, g->values);
    return g->count > 0 && is_gather(w, group, g);
}

// Several values make a concatenation, one makes a reshape to one row. That the values are read is
// sure if the words of all tiles are theirs.
static hoist_status add_gather(dwn_walk *w, const dwn_group *group, const gather *g)
{
    const bool is_joined = g->count > 1;
    dwn_recovered layer = dwn_draft_layer(dwn_widest_of(w, group),
                                          is_joined ? DWN_KIND_CONCATENATION : DWN_KIND_GATHER);
    layer.heuristics =
        1u << DWN_GUESS_ONE_HOT | 1u << (is_joined ? DWN_GUESS_JOINED : DWN_GUESS_LAST);
    layer.output = (dwn_extent){1, 1, (uint32_t)g->elements};
    layer.input = layer.output;
    bool is_sure = false;
    dwn_seen seen;
    HOIST_TRY(dwn_reads_all(w, group, g->values, g->count, &is_sure));
    HOIST_TRY(dwn_find_read(w, group, dwn_widest_of(w, group)->input_zero, &seen));
    is_sure = is_sure || (!is_joined && seen.is_sure && seen.value == g->values[0]);
    if (!dwn_take_block(w, &g->piece, &layer)) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(dwn_add_layer(w, group, layer, g->values, g->count));
    dwn_doubt_last(w, !is_sure, DWN_DOUBT_INPUTS);
    return HOIST_OK;
}

// Multiply-accumulate ----------------------------------------------------------------------------

// All parts of the group; narrow ones have their own steps.
static uint32_t guess_of_order(const dwn_walk *w, const dwn_group *group, uint32_t words)
{
    for (uint32_t i = 0; i < group->count; i++) {
        if (!dwn_writes_in_order(&w->operations.items[group->first + i], words)) {
            return 1u << DWN_GUESS_ORDER;
        }
    }
    return 0;
}

// Whether a value is a PAD that was made last.
static bool is_pad(const dwn_walk *w, uint32_t value)
{
    return w->layer_count > 0 && value == w->input_count + w->layer_count - 1 &&
           w->layers[w->layer_count - 1].kind == DWN_KIND_PAD;
}

// The PAD that was made last becomes padding of a layer that reads it; the value that this reads
// then. How much padding comes after the value is what the layer's windows need.
static uint32_t take_pad(dwn_walk *w, dwn_recovered *layer)
{
    const dwn_recovered *pad = &w->layers[--w->layer_count];
    layer->padding[0] += pad->padding[0];
    layer->padding[1] += pad->padding[1];
    dwn_own(w, &w->operations.groups[w->made[w->layer_count].group], DWN_NONE);
    w->zeros[pad->output_zero]--;
    return dwn_value_of(w, pad->inputs[0]);
}

// Convolution, depthwise or dense layer: its block, its arrays, its padding. The order of
// statements matters: the block is found and read before the layer takes it, and a PAD is removed
// from the list before the layer that absorbs it comes in its place.
static hoist_status add_products(dwn_walk *w, const dwn_group *group, uint32_t value,
                                 dwn_geometry *g)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const dwn_extent input = w->values[value].extent;
    bool differ = false;
    HOIST_TRY(dwn_words_differ(w, group, value, g, &differ));
    dwn_block_shape shape = shape_of(op, g, input);
    shape.is_brief = w->is_brief;
    dwn_recovered layer = dwn_draft_layer(op, g->kind);
    dwn_piece piece;
    if (!find_block(w, group, g, &shape, &piece)) {
        return dwn_stop(w, "parameters of the layer are not where they should be");
    }
    layer.heuristics = g->heuristics | guess_of_order(w, group, dwn_words_of(g->output.c));
    layer.output = g->output;
    memcpy(layer.kernel, g->kernel, sizeof(layer.kernel));
    memcpy(layer.stride, g->stride, sizeof(layer.stride));
    memcpy(layer.dilation, g->dilation, sizeof(layer.dilation));
    memcpy(layer.padding, g->padding, sizeof(layer.padding));
    const hoist_status status =
        dwn_block_read(&shape, dwn_block_bytes(&w->sources, &piece), input.c, w->arena, &layer);
    if (status != HOIST_OK || !dwn_take_block(w, &piece, &layer)) {
        return HOIST_NO_MEMORY;
    }
    layer.block = shape;
    layer.block_channels = input.c;
    // Without the channels that fill the last word.
    layer.rows = shape.is_diagonal ? input.c : layer.rows;
    layer.output.c = layer.rows; // as the weights say, without the rows of padding
    const bool is_after_pad = is_pad(w, value);
    const dwn_readings readings = dwn_readings_of(w, group, g, value, is_after_pad);
    value = is_after_pad ? take_pad(w, &layer) : value;
    HOIST_TRY(dwn_add_layer(w, group, layer, &value, 1));
    dwn_note_readings(w, group, g, &readings);
    dwn_doubt_last(w, differ, DWN_DOUBT_WORDS);
    if (g->kind != DWN_KIND_DENSE) {
        dwn_set_needed(w, group, g->groups);
        return dwn_note_strip(w, group, w->layer_count - 1);
    }
    return HOIST_OK;
}

hoist_status dwn_take_strip(dwn_walk *w, const dwn_group *group, uint32_t layer)
{
    dwn_made *made = &w->made[layer];
    made->produced = dwn_plus(made->produced, group->produced);
    made->strips++;
    dwn_note_around(w, group, made);
    w->layers[layer].heuristics |= 1u << DWN_GUESS_STRIP;
    dwn_read_strip(w, group, layer);
    dwn_own(w, group, layer);
    w->current = w->input_count + layer;
    w->values[w->current].base = dwn_first_part(&w->operations, group)->b.base;
    w->has_moved = false;
    return dwn_note_strip(w, group, layer);
}

// The input of the model where windows read it with padding around it; DWN_NONE: they do not.
static uint32_t find_padded(const dwn_walk *w, const dwn_group *group, dwn_geometry *g)
{
    const dwn_value *value = &w->values[w->current];
    g->is_padded =
        value->zero == dwn_widest_of(w, group)->input_zero &&
        dwn_padded_window(&w->operations, &w->operations.groups[w->moved], group, value, g);
    g->is_read = g->is_sure = g->is_padded;
    g->heuristics |= 1u << DWN_GUESS_LAST;
    return g->is_padded ? w->current : DWN_NONE;
}

// Channels that are read together as the words of tiles say, on all of them; else the list is as it
// was.
static hoist_status read_joined(dwn_walk *w, const dwn_group *group, uint32_t *value,
                                dwn_geometry *geometry)
{
    const uint32_t layers = w->layer_count;
    const uint32_t current = w->current;
    uint32_t joined = DWN_NONE;
    dwn_geometry g;
    HOIST_TRY(dwn_join_channels(w, group, &joined, &g));
    if (joined == DWN_NONE) {
        return HOIST_OK;
    }
    HOIST_TRY(dwn_trace_window(w, group, &joined, &g));
    if (g.is_traced) {
        *value = joined;
        *geometry = g;
    } else {
        dwn_drop_layers(w, layers);
        w->current = current;
    }
    return HOIST_OK;
}

// Whether all between the last selection and a group only moves data.
static bool goes_on_selecting(const dwn_walk *w, const dwn_group *group)
{
    uint32_t index = dwn_group_index(w, group);
    while (w->selection && --index > w->selection->group &&
           dwn_widest_of(w, &w->operations.groups[index])->kind == DWN_KIND_MOVE) {
    }
    return w->selection && index == w->selection->group;
}

// The value is looked for from cheap to expensive: sizes and zero points, addresses, words that are
// followed through the memories. A gather comes first, since its weights say what it is.
hoist_status dwn_take_products(dwn_walk *w, const dwn_group *group)
{
    gather found;
    bool is_selection = false;
    if (find_gather(w, group, &found)) {
        return add_gather(w, group, &found);
    }
    if (goes_on_selecting(w, group)) {
        HOIST_TRY(dwn_take_selection(w, group, &is_selection));
    }
    if (is_selection) {
        return HOIST_OK;
    }
    dwn_geometry geometry;
    dwn_settle_strips(w);
    uint32_t value = dwn_find_input(w, group, &geometry);
    if (value == DWN_NONE && w->layer_count == 0 && w->has_moved) {
        value = find_padded(w, group, &geometry);
    }
    bool is_joined = false;
    if (value == DWN_NONE || !dwn_is_read_there(w, group, value, &geometry)) {
        HOIST_TRY(dwn_join_in_place(w, group, &is_joined)); // addresses say more than sizes
        value = is_joined ? dwn_find_input(w, group, &geometry) : value;
    }
    if (!is_joined && (value == DWN_NONE || !geometry.is_sure)) {
        HOIST_TRY(read_joined(w, group, &value, &geometry));
    }
    HOIST_TRY(dwn_trace_window(w, group, &value, &geometry));
    const bool is_narrow = value != DWN_NONE && !w->is_blind &&
                           geometry.kind == DWN_KIND_CONVOLUTION &&
                           dwn_words_of(w->values[value].extent.c) == 1;
    // 16.3 has only layers of up to 4 channels with the other mode.
    const bool has_mode = is_narrow || (dwn_widest_of(w, group)->mode & DWN_MODE_PARAMETERS);
    if (value == DWN_NONE || !has_mode) {
        HOIST_TRY(dwn_take_selection(w, group, &is_selection));
    }
    if (is_selection) {
        return HOIST_OK;
    }
    if (!has_mode) {
        return dwn_take_unknown(w, group);
    }
    return value == DWN_NONE ? dwn_stop(w, "no value fits as the input of the layer")
                             : add_products(w, group, value, &geometry);
}
