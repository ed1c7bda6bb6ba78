// One group of operations becomes a layer of the list, by its kind (darwinn reference sections 16.3
// to 16.7). In: the walk and a group; out: one more dwn_recovered, or why recovery stops.
#include "formats/darwinn/recover_layers.h"

#include <string.h>

#include "formats/darwinn/recover_selection.h"

// A product of two values, number by number. Its factor has both scales.
static hoist_status take_multiply(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_MULTIPLY);
    dwn_operands factors = {.is_sure = false};
    if (!dwn_find_factors(w, group, &factors)) {
        return dwn_stop(w, "no values fit as the inputs of the multiplication");
    }
    layer.second_zero = op->weight_zero;
    layer.weight_zero = 0;
    layer.output = layer.input = w->values[factors.values[0]].extent;
    layer.heuristics = factors.heuristics;
    HOIST_TRY(dwn_add_layer(w, group, layer, factors.values, 2));
    dwn_doubt_last(w, !factors.is_sure, DWN_DOUBT_INPUTS);
    dwn_set_needed(w, group, (uint64_t)dwn_words_of(layer.output.c) * DWN_WORD_CHANNELS);
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
        return dwn_stop(w, "no values fit as the operands of the addition");
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
        return dwn_stop(w, "the output of the upsampling is too large");
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

// One group --------------------------------------------------------------------------------------

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
        w->layout = dwn_group_index(w, group);
    }
    w->has_moved = true;
    w->moved_base = op->b.base;
    w->moved = dwn_group_index(w, group);
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
        return dwn_take_products(w, group);
    case DWN_KIND_AVERAGE_POOL:
        return dwn_take_average(w, index, out_next);
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
        return dwn_widest_of(w, group)->numbers > 0 ? dwn_take_scalar_softmax(w, group)
                                                    : dwn_take_unknown(w, group);
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
    return dwn_take_unknown(w, group);
}

// The layers that the kind of one operation does not give come first: a softmax, which takes
// several groups, the next strip of a layer, a selection of channels.
static hoist_status take_group(dwn_walk *w, uint32_t index, uint32_t *out_next)
{
    const dwn_group *group = &w->operations.groups[index];
    const dwn_operation *op = dwn_widest_of(w, group);
    uint32_t end = 0;
    *out_next = index + 1;
    if (dwn_begins_softmax(w, index, &end)) {
        dwn_note_copies(w, group);
        *out_next = end + 1;
        return dwn_take_softmax(w, index, end);
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
        return dwn_take_strip(w, group, strip);
    }
    if (op->kind != DWN_KIND_CONVOLUTION && dwn_may_select(op) && !w->is_blind) {
        bool is_selection = false;
        HOIST_TRY(dwn_take_selection(w, group, &is_selection));
        return is_selection ? HOIST_OK : dwn_take_unknown(w, group);
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
