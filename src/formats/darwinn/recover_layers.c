// One group of operations becomes a layer of the list, by its kind (darwinn reference sections 16.3
// to 16.7). In: the walk and a group; out: one more dwn_recovered with its inputs, geometry
// (recover_geometry.c) and parameters (recover_parameters.c), or the reason why recovery stops.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "base/checked.h"
#include "base/reader.h"
#include "formats/darwinn/recover_selection.h"

static uint32_t group_index(const dwn_walk *w, const dwn_group *group)
{
    return (uint32_t)(group - w->operations.groups);
}

// Ends the recovery, and says why: the reason of the gap. No failure.
static hoist_status stop(dwn_walk *w, const char *why)
{
    w->stopped = why;
    return HOIST_OK;
}

// Parameters -------------------------------------------------------------------------------------

// Takes a block into the layer's pieces. False: out of memory.
static bool take_block(dwn_walk *w, const dwn_piece *piece, dwn_recovered *layer)
{
    dwn_piece *pieces = // in the arena of the result; softmax alone has several
        hoist_arena_array(w->arena, (size_t)layer->piece_count + 1, sizeof(*pieces));
    if (!pieces) {
        return false;
    }
    for (uint32_t i = 0; i < layer->piece_count; i++) {
        pieces[i] = layer->pieces[i];
    }
    pieces[layer->piece_count++] = *piece;
    layer->pieces = pieces;
    dwn_block_take(&w->sources, piece);
    return true;
}

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
    if (!take_block(w, &g->piece, &layer)) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(dwn_add_layer(w, group, layer, g->values, g->count));
    dwn_doubt_last(w, !is_sure, DWN_DOUBT_INPUTS);
    return HOIST_OK;
}

// Unknown operations -----------------------------------------------------------------------------

enum {
    MODE_CONSTANTS = 0x80, // bit of the mode: its arrays are no parameters [inferred]
    MODE_SCALAR = 0x0070,  // one row [inferred]
    BYTES_OF_WORD = 64,    // that an array has for 4 channels
    WORD_CHANNELS = 4,
};

// The block of arrays that an operation without a row of weights has.
static bool find_arrays(const dwn_walk *w, const dwn_operation *op, dwn_piece *out)
{
    const uint64_t arrays = (uint64_t)op->has_multipliers + op->has_bias + op->has_weight_zeros;
    const uint64_t words =
        op->mode == MODE_SCALAR ? 1 : dwn_words_of(w->values[w->current].extent.c);
    const uint64_t size = words * BYTES_OF_WORD * arrays;
    return dwn_block_find(&w->sources, size, true, out) ||
           dwn_block_find(&w->sources, size, false, out);
}

// Constants of the instruction stand in for the arrays where the bit is set.
static bool has_arrays(const dwn_operation *op)
{
    return !(op->mode & MODE_CONSTANTS) &&
           (op->has_multipliers || op->has_bias || op->has_weight_zeros);
}

// An operation that is not understood becomes a layer that passes its input on, so that what comes
// after it can be looked at; if it may have changed numbers the walk is blind from there on.
static hoist_status take_unknown(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const bool is_pass = dwn_float_of(op->multiplier) == 1.0f && !op->has_multipliers;
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_UNKNOWN);
    dwn_piece piece;
    if (has_arrays(op)) {
        if (!find_arrays(w, op, &piece)) {
            return stop(w, "the kind of the operation is unknown");
        }
        if (!take_block(w, &piece, &layer)) {
            return HOIST_NO_MEMORY;
        }
    }
    const uint32_t value = w->current;
    layer.output = w->values[value].extent;
    layer.heuristics = 1u << DWN_GUESS_PASS;
    w->is_blind = w->is_blind || !is_pass;
    return dwn_add_layer(w, group, layer, &value, 1);
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
        return stop(w, "parameters of the layer are not where they should be");
    }
    layer.heuristics = g->heuristics | guess_of_order(w, group, dwn_words_of(g->output.c));
    layer.output = g->output;
    memcpy(layer.kernel, g->kernel, sizeof(layer.kernel));
    memcpy(layer.stride, g->stride, sizeof(layer.stride));
    memcpy(layer.dilation, g->dilation, sizeof(layer.dilation));
    memcpy(layer.padding, g->padding, sizeof(layer.padding));
    const hoist_status status =
        dwn_block_read(&shape, dwn_block_bytes(&w->sources, &piece), input.c, w->arena, &layer);
    if (status != HOIST_OK || !take_block(w, &piece, &layer)) {
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

// The group goes on with a layer: more of its output, no parameters. Its output is the current
// value again.
static hoist_status take_strip(dwn_walk *w, const dwn_group *group, uint32_t layer)
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
    uint32_t index = group_index(w, group);
    while (w->selection && --index > w->selection->group &&
           dwn_widest_of(w, &w->operations.groups[index])->kind == DWN_KIND_MOVE) {
    }
    return w->selection && index == w->selection->group;
}

// The value is looked for from cheap to expensive: sizes and zero points, addresses, words that are
// followed through the memories. A gather comes first, since its weights say what it is.
static hoist_status take_products(dwn_walk *w, const dwn_group *group)
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
        return take_unknown(w, group);
    }
    return value == DWN_NONE ? stop(w, "no value fits as the input of the layer")
                             : add_products(w, group, value, &geometry);
}

// Others -----------------------------------------------------------------------------------------

enum { MODE_SECOND_PASS = 0x00f0 }; // of a pool [observed in one model]

// Groups of channels that a pool makes of each pixel; fields of counts are 1 or more.
static uint64_t groups_of_pool(const dwn_operation *op, uint32_t channels)
{
    return (channels + op->full_rows - 1) / op->full_rows;
}

// Whether a group adds up each row of the image, without a factor, and the one after it what came
// of all rows: a pool of all pixels in two passes. The first has the sums of all rows and groups of
// channels, the second those of all groups.
static bool is_in_passes(const dwn_walk *w, uint32_t index, uint32_t value)
{
    if (index + 1 >= w->operations.group_count || value == DWN_NONE) {
        return false;
    }
    const dwn_group *groups = &w->operations.groups[index];
    const dwn_operation *rows = dwn_widest_of(w, &groups[0]);
    const dwn_operation *all = dwn_widest_of(w, &groups[1]);
    const dwn_extent input = w->values[value].extent;
    return rows->mode != MODE_SECOND_PASS && rows->kind == DWN_KIND_AVERAGE_POOL &&
           all->mode == MODE_SECOND_PASS && all->kind == DWN_KIND_AVERAGE_POOL &&
           all->weight_zero == rows->output_zero && dwn_float_of(rows->multiplier) == 1.0f &&
           rows->a.loops[0].count == input.w && rows->a.loops[1].count == 1 &&
           rows->reduction == input.w && all->a.loops[0].count == 1 &&
           all->a.loops[1].count == input.h && all->reduction == input.h &&
           rows->full_rows == all->full_rows && rows->last_rows == all->last_rows &&
           groups[0].produced == dwn_times(input.h, groups_of_pool(rows, input.c)) &&
           groups[1].produced == groups_of_pool(all, input.c);
}

// Both groups belong to the one layer that is made. The factor and the clamps are those of the
// second.
static hoist_status take_passes(dwn_walk *w, uint32_t index, const dwn_seen *seen)
{
    const dwn_group *groups = &w->operations.groups[index];
    dwn_recovered layer = dwn_draft_layer(dwn_widest_of(w, &groups[1]), DWN_KIND_AVERAGE_POOL);
    const uint32_t value = seen->value;
    const dwn_extent input = w->values[value].extent;
    layer.input_zero = w->values[value].zero;
    layer.weight_zero = 0;
    layer.low = (float)(0 - layer.output_zero);
    layer.high = (float)(UINT8_MAX - layer.output_zero);
    layer.kernel[0] = layer.stride[0] = input.h;
    layer.kernel[1] = layer.stride[1] = input.w;
    layer.output = (dwn_extent){1, 1, input.c};
    layer.is_in_passes = true;
    layer.heuristics = 1u << (value == w->current ? DWN_GUESS_LAST : DWN_GUESS_ZERO_POINT);
    HOIST_TRY(dwn_add_layer(w, &groups[1], layer, &value, 1));
    dwn_doubt_last(w, !seen->is_sure, DWN_DOUBT_INPUTS);
    dwn_own(w, &groups[0], w->layer_count - 1);
    return HOIST_OK;
}

// A pool with stride = window unless the words that its tiles begin with show other strides.
static hoist_status take_pool(dwn_walk *w, const dwn_group *group, const dwn_seen *seen)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const uint32_t kw = op->a.loops[0].count;
    const uint32_t kh = op->a.loops[1].count;
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_AVERAGE_POOL);
    const uint32_t value = seen->value;
    const dwn_extent input = value == DWN_NONE ? (dwn_extent){0} : w->values[value].extent;
    HOIST_ASSERT(kh > 0 && kw > 0);                      // fields of counts have them less 1
    const bool is_second = op->mode == MODE_SECOND_PASS; // of a pool whose first is another
    if (is_second || input.h < kh || input.w < kw || (uint64_t)kh * kw != op->reduction) {
        return stop(w, "no value fits as the input of the pool");
    }
    const uint64_t groups = groups_of_pool(op, input.c);
    bool is_traced = false;
    layer.input_zero = op->weight_zero;
    layer.weight_zero = 0;
    // Without clamps those of the numbers are left: 8 bits.
    layer.low = isinf(layer.low) ? (float)(0 - op->output_zero) : layer.low;
    layer.high = isinf(layer.high) ? (float)(UINT8_MAX - op->output_zero) : layer.high;
    layer.kernel[0] = layer.stride[0] = kh;
    layer.kernel[1] = layer.stride[1] = kw;
    layer.output = (dwn_extent){input.h / kh, input.w / kw, input.c};
    HOIST_TRY(dwn_trace_average(w, group, value, group->produced / groups, &layer, &is_traced));
    layer.heuristics = 1u << (value == w->current ? DWN_GUESS_LAST : DWN_GUESS_ZERO_POINT);
    HOIST_TRY(dwn_add_layer(w, group, layer, &value, 1));
    dwn_doubt_last(w, !seen->is_sure, DWN_DOUBT_INPUTS);
    dwn_doubt_last(w, !is_traced, DWN_DOUBT_WINDOWS);
    dwn_set_needed(w, group, groups);
    return HOIST_OK;
}

static hoist_status take_average(dwn_walk *w, uint32_t index, uint32_t *out_next)
{
    const dwn_group *group = &w->operations.groups[index];
    dwn_seen seen;
    // The zero point of the input is where weights have theirs. [observed in one model]
    HOIST_TRY(dwn_find_read(w, group, dwn_widest_of(w, group)->weight_zero, &seen));
    if (is_in_passes(w, index, seen.value)) {
        *out_next = index + 2;
        return take_passes(w, index, &seen);
    }
    return take_pool(w, group, &seen);
}

// A product of two values, number by number. Its factor has both scales.
static hoist_status take_multiply(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_MULTIPLY);
    dwn_operands factors = {.is_sure = false};
    if (!dwn_find_factors(w, group, &factors)) {
        return stop(w, "no values fit as the inputs of the multiplication");
    }
    layer.second_zero = op->weight_zero;
    layer.weight_zero = 0;
    layer.output = layer.input = w->values[factors.values[0]].extent;
    layer.heuristics = factors.heuristics;
    HOIST_TRY(dwn_add_layer(w, group, layer, factors.values, 2));
    dwn_doubt_last(w, !factors.is_sure, DWN_DOUBT_INPUTS);
    dwn_set_needed(w, group, (uint64_t)dwn_words_of(layer.output.c) * WORD_CHANNELS);
    return HOIST_OK;
}

// A sum of two values with factors k1 and k2 (16.7). All parts of the group use the factors that
// were stored before one of them.
static hoist_status take_add(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_ADD);
    dwn_operands operands = {.is_sure = false};
    const dwn_operation *with = NULL;
    for (uint32_t i = 0; i < group->count && !with; i++) {
        const dwn_operation *part = &w->operations.items[group->first + i];
        with = part->has_factors ? part : NULL;
    }
    if (!with || with->factors[0] <= 0 || with->factors[1] <= 0 ||
        !dwn_find_operands(w, group, with->factors, &operands)) {
        return stop(w, "no values fit as the operands of the addition");
    }
    const dwn_value *first = &w->values[operands.values[0]];
    const dwn_value *second = &w->values[operands.values[1]];
    memcpy(layer.factors, with->factors, sizeof(layer.factors));
    layer.constant = op->constant;
    layer.heuristics = operands.heuristics;
    layer.input_zero = first->zero;
    layer.second_zero = second->zero;
    layer.weight_zero = 0;
    layer.output = layer.input =
        first->extent.c > second->extent.c ? first->extent : second->extent;
    // Only words say which channels of a value are read.
    const bool is_cut = dwn_cut_from(w, operands.values[0]) != operands.values[0] ||
                        dwn_cut_from(w, operands.values[1]) != operands.values[1];
    dwn_added added;
    HOIST_TRY(dwn_see_addends(w, group, operands.values, layer.output, &added));
    HOIST_TRY(dwn_add_layer(w, group, layer, operands.values, 2));
    dwn_doubt_last(w, added.differ || !(is_cut ? added.are_proven : operands.is_sure),
                   DWN_DOUBT_INPUTS);
    dwn_set_needed(w, group, dwn_words_of(layer.output.c));
    return HOIST_OK;
}

// Doubles rows and columns. Several operations, one for each phase, make one layer.
static hoist_status take_upsample(dwn_walk *w, const dwn_group *group)
{
    const uint32_t last = w->layer_count - 1;
    const uint32_t value = w->current;
    const dwn_value *from = &w->values[value];
    if (w->layer_count > 0 && w->layers[last].kind == DWN_KIND_UPSAMPLE && !w->has_moved &&
        value == w->input_count + last) {
        dwn_own(w, group, last); // another phase or class of tiles
        return HOIST_OK;
    }
    // Twice as much would be beyond the limit.
    if (from->extent.h > DWN_MAX_EXTENT / 2 || from->extent.w > DWN_MAX_EXTENT / 2) {
        return stop(w, "the output of the upsampling is too large");
    }
    dwn_recovered layer = dwn_draft_layer(dwn_widest_of(w, group), DWN_KIND_UPSAMPLE);
    layer.output = (dwn_extent){from->extent.h * 2, from->extent.w * 2, from->extent.c};
    layer.input_zero = layer.output_zero = from->zero;
    layer.weight_zero = 0;
    layer.multiplier = 1;
    layer.low = -(float)from->zero; // 8 bits without clamps of its own
    layer.high = 255 - (float)from->zero;
    layer.heuristics = 1u << DWN_GUESS_LAST | 1u << DWN_GUESS_CENTERS;
    return dwn_add_layer(w, group, layer, &value, 1);
}

// Softmax ----------------------------------------------------------------------------------------

// Within a thousandth: constants that compilers have written with other rounding.
static bool is_near(uint32_t bits, float value)
{
    const float found = dwn_float_of(bits);
    return found > value - 1e-3f * (value < 0 ? -value : value) &&
           found < value + 1e-3f * (value < 0 ? -value : value);
}

// The product with the reciprocal of the sum, scaled to 1/256 (16.7).
static bool is_softmax_end(const dwn_operation *op)
{
    return is_near(op->multiplier, 0x1p-23f) && dwn_float_of(op->high) == 255.0f &&
           dwn_float_of(op->low) == 0.0f;
}

// The operation that scales differences (16.7): clamped to what exp() makes of less than 2^-18.
static bool is_scale(const dwn_operation *op)
{
    return is_near(op->low, -13.0381f) && dwn_float_of(op->high) == 0.0f;
}

// The group that ends the softmax that begins at `first`; DWN_NONE: there is none before a layer
// with parameters.
static uint32_t softmax_end(const dwn_walk *w, uint32_t first)
{
    enum { MOST = 64 };
    for (uint32_t g = first; g < w->operations.group_count && g - first < MOST; g++) {
        const dwn_operation *op = dwn_widest_of(w, &w->operations.groups[g]);
        if (is_softmax_end(op)) {
            return g;
        }
        if (op->kind != DWN_KIND_UNKNOWN && op->kind != DWN_KIND_MOVE &&
            op->kind != DWN_KIND_QUANTIZE && op->kind != DWN_KIND_SOFTMAX) {
            return DWN_NONE;
        }
    }
    return DWN_NONE;
}

// Whether an array has one number for all channels: four to each unit, the rest of it zeros.
static bool is_uniform(hoist_bytes block, uint32_t channels)
{
    const uint32_t first = hoist_load_u32le(block.data);
    for (size_t at = 0; at + sizeof(first) <= block.size; at += sizeof(first)) {
        const size_t place = at % BYTES_OF_WORD / sizeof(first);
        const bool is_channel = at / BYTES_OF_WORD * WORD_CHANNELS + place < channels;
        const uint32_t expected = place < WORD_CHANNELS ? first : 0;
        if ((place >= WORD_CHANNELS || is_channel) &&
            hoist_load_u32le(block.data + at) != expected) {
            return false;
        }
    }
    return true;
}

// All groups from `first` to `end` are one layer. The scale of the input is in the operation that
// scales, or in its array; the rest of the chain has no numbers of the model.
static hoist_status take_softmax(dwn_walk *w, uint32_t first, uint32_t end)
{
    bool is_uniform_scale = true;
    dwn_seen seen;
    const uint8_t zero = w->values[w->current].zero;
    HOIST_TRY(dwn_find_read(w, &w->operations.groups[first], zero, &seen));
    const uint32_t value = seen.value;
    dwn_recovered layer =
        dwn_draft_layer(dwn_widest_of(w, &w->operations.groups[end]), DWN_KIND_SOFTMAX);
    for (uint32_t g = first; g <= end; g++) {
        const dwn_operation *op = dwn_widest_of(w, &w->operations.groups[g]);
        dwn_piece piece = {0};
        if (op->kind == DWN_KIND_MOVE) { // belongs to no layer
            continue;
        }
        if (has_arrays(op) && !find_arrays(w, op, &piece)) {
            return stop(w, "parameters of the softmax are not where they should be");
        }
        if (is_scale(op)) {
            layer.scale = dwn_float_of(op->multiplier);
        }
        if (is_scale(op) && op->has_multipliers) {
            if (piece.size < sizeof(uint32_t)) {
                return stop(w, "the softmax has a multiplier that is not in the parameters");
            }
            const hoist_bytes block = dwn_block_bytes(&w->sources, &piece);
            layer.scale = dwn_float_of(hoist_load_u32le(block.data));
            is_uniform_scale = is_uniform(block, w->values[value].extent.c);
        }
        if (piece.size > 0 && !take_block(w, &piece, &layer)) {
            return HOIST_NO_MEMORY;
        }
    }
    layer.input_zero = w->values[value].zero;
    layer.weight_zero = 0;
    layer.output = w->values[value].extent;
    layer.heuristics = 1u << DWN_GUESS_SOFTMAX | 1u << DWN_GUESS_LAST;
    HOIST_TRY(dwn_add_layer(w, &w->operations.groups[end], layer, &value, 1));
    dwn_doubt_last(w, !is_uniform_scale, DWN_DOUBT_SCALE);
    dwn_doubt_last(w, !seen.is_sure, DWN_DOUBT_INPUTS);
    for (uint32_t g = first; g < end; g++) {
        if (dwn_widest_of(w, &w->operations.groups[g])->kind != DWN_KIND_MOVE) {
            dwn_own(w, &w->operations.groups[g], w->layer_count - 1);
        }
    }
    return HOIST_OK;
}

// One that the scalar core carries out: its program says all but the input's extents.
static hoist_status take_scalar_softmax(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const uint32_t value = w->current;
    const dwn_extent input = w->values[value].extent;
    if (w->is_blind || w->values[value].zero != op->input_zero || op->rows != 1 || input.h != 1 ||
        input.w != 1 || input.c != op->numbers) {
        return stop(w, "no value fits as the input of the softmax");
    }
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_SOFTMAX);
    layer.scale = op->scale;
    layer.output = input;
    layer.heuristics = 1u << DWN_GUESS_LAST;
    return dwn_add_layer(w, group, layer, &value, 1);
}

// One group --------------------------------------------------------------------------------------

// Whether the softmax that a group begins, or comes before, is whole: an identity may precede its
// maximum.
static bool begins_softmax(const dwn_walk *w, uint32_t index, uint32_t *out_end)
{
    const dwn_operation *op = dwn_widest_of(w, &w->operations.groups[index]);
    uint32_t at = index;
    if (op->kind == DWN_KIND_UNKNOWN && dwn_float_of(op->multiplier) == 1.0f &&
        op->input_zero == op->output_zero) {
        at = index + 1;
    }
    const bool has_next = at < w->operations.group_count;
    *out_end = has_next && dwn_widest_of(w, &w->operations.groups[at])->opcode == DWN_OP_MAX
                   ? softmax_end(w, at)
                   : DWN_NONE;
    return *out_end != DWN_NONE;
}

// A layer without parameters: its output begins at the place where the value with its padding is.
hoist_status dwn_add_pad(dwn_walk *w, const dwn_group *group, const dwn_padded *padded)
{
    const uint32_t value = w->current;
    dwn_recovered layer = dwn_draft_layer(dwn_widest_of(w, group), DWN_KIND_PAD);
    layer.input_zero = layer.output_zero = w->values[value].zero;
    layer.weight_zero = 0;
    layer.low = -(float)layer.output_zero;
    layer.high = UINT8_MAX - (float)layer.output_zero;
    layer.output = padded->extent;
    memcpy(layer.padding, padded->before, sizeof(layer.padding));
    HOIST_TRY(dwn_add_layer(w, group, layer, &value, 1));
    w->values[w->current].base = padded->base;
    return HOIST_OK;
}

// Movements make no layer, but where they write is where the next layer reads; the first one may
// put padding around an input of the model.
static hoist_status take_move(dwn_walk *w, const dwn_group *group)
{
    enum { CLASS_LAYOUT = 0x0038 }; // of the operation that lays out an input
    const dwn_operation *op = dwn_first_part(&w->operations, group);
    const bool is_layout = op->code == CLASS_LAYOUT && !w->has_layout;
    if (is_layout) {
        w->has_layout = true;
        w->layout_base = op->b.base;
        w->layout = group_index(w, group);
    }
    w->has_moved = true;
    w->moved_base = op->b.base;
    w->moved = group_index(w, group);
    dwn_note_move(w, op);
    const dwn_value *value = &w->values[w->current];
    dwn_padded padded;
    const bool is_padded =
        is_layout && w->layer_count == 0 && w->input_count == 1 &&
        dwn_padded_value(&w->operations, group, value, w->scratch, &padded) &&
        (padded.extent.h != value->extent.h || padded.extent.w != value->extent.w);
    return is_padded ? dwn_add_pad(w, group, &padded) : HOIST_OK;
}

// By the kinds of 16.3. An average pool in two passes takes two groups, all others take one.
static hoist_status take_kind(dwn_walk *w, uint32_t index, dwn_layer_kind kind, uint32_t *out_next)
{
    const dwn_group *group = &w->operations.groups[index];
    switch (kind) {
    case DWN_KIND_MOVE:
        return take_move(w, group);
    case DWN_KIND_CONVOLUTION:
        return take_products(w, group);
    case DWN_KIND_AVERAGE_POOL:
        return take_average(w, index, out_next);
    case DWN_KIND_MULTIPLY:
        return take_multiply(w, group);
    case DWN_KIND_ADD:
        return take_add(w, group);
    case DWN_KIND_UPSAMPLE:
        return take_upsample(w, group);
    case DWN_KIND_NEAREST:
        return dwn_take_nearest(w, group);
    case DWN_KIND_QUANTIZE:
    case DWN_KIND_LOGISTIC:
        return dwn_take_unary(w, group);
    case DWN_KIND_MAX_POOL:
        return dwn_take_max_pool(w, group);
    case DWN_KIND_SOFTMAX:
        return dwn_widest_of(w, group)->numbers > 0 ? take_scalar_softmax(w, group)
                                                    : take_unknown(w, group);
    case DWN_KIND_UNKNOWN:
    case DWN_KIND_DEPTHWISE:
    case DWN_KIND_DENSE:
    case DWN_KIND_GATHER:
    case DWN_KIND_CONCATENATION:
    case DWN_KIND_PAD:
    case DWN_KIND_TRANSPOSE:
    case DWN_KIND_SLICE:
    case DWN_KIND_COUNT:
        break;
    }
    return take_unknown(w, group);
}

// The layers that the kind of one operation does not give come first: a softmax, which takes
// several groups, the next strip of a layer, a selection of channels.
static hoist_status take_group(dwn_walk *w, uint32_t index, uint32_t *out_next)
{
    const dwn_group *group = &w->operations.groups[index];
    const dwn_operation *op = dwn_widest_of(w, group);
    uint32_t end = 0;
    *out_next = index + 1;
    if (begins_softmax(w, index, &end)) {
        dwn_note_copies(w, group);
        *out_next = end + 1;
        return take_softmax(w, index, end);
    }
    dwn_layer_kind kind = op->kind;
    if (kind != DWN_KIND_MOVE) {
        dwn_note_copies(w, group);
    }
    // Products go on: weights and parameters say whether a value is their input.
    if (w->is_blind && kind != DWN_KIND_CONVOLUTION && kind != DWN_KIND_MOVE) {
        kind = DWN_KIND_UNKNOWN;
    }
    const uint32_t strip = // a layer that is not complete goes on first
        kind == DWN_KIND_CONVOLUTION || kind == DWN_KIND_ADD ? dwn_find_strip(w, group) : DWN_NONE;
    if (strip != DWN_NONE) {
        return take_strip(w, group, strip);
    }
    if (op->kind != DWN_KIND_CONVOLUTION && dwn_may_select(op) && !w->is_blind) {
        bool is_selection = false;
        HOIST_TRY(dwn_take_selection(w, group, &is_selection));
        return is_selection ? HOIST_OK : take_unknown(w, group);
    }
    return take_kind(w, index, kind, out_next);
}

hoist_status dwn_take_group(dwn_walk *w, uint32_t index, uint32_t *out_next)
{
    const uint32_t layers = w->layer_count;
    HOIST_TRY(take_group(w, index, out_next));
    const bool is_doubtful = w->selection && !w->is_undoubted && w->layer_count > layers;
    return is_doubtful ? dwn_doubt_unseen(w, &w->operations.groups[index]) : HOIST_OK;
}
