// Layers that are a softmax: a chain of operations of the tiles, or a program of the scalar core
// (darwinn reference section 16.7). In: its groups; out: one more layer.
#include "base/reader.h"
#include "formats/darwinn/recover_layers.h"

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
        const size_t place = at % DWN_ARRAY_WORD / sizeof(first);
        const bool is_channel = at / DWN_ARRAY_WORD * DWN_WORD_CHANNELS + place < channels;
        const uint32_t expected = place < DWN_WORD_CHANNELS ? first : 0;
        if ((place >= DWN_WORD_CHANNELS || is_channel) &&
            hoist_load_u32le(block.data + at) != expected) {
            return false;
        }
    }
    return true;
}

// The scale of the input is in the operation that
// scales, or in its array; the rest of the chain has no numbers of the model.
hoist_status dwn_take_softmax(dwn_walk *w, uint32_t first, uint32_t end)
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
        if (dwn_has_arrays(op) && !dwn_find_arrays(w, op, &piece)) {
            return dwn_stop(w, "parameters of the softmax are not where they should be");
        }
        if (is_scale(op)) {
            layer.scale = dwn_float_of(op->multiplier);
        }
        if (is_scale(op) && op->has_multipliers) {
            if (piece.size < sizeof(uint32_t)) {
                return dwn_stop(w, "the softmax has a multiplier that is not in the parameters");
            }
            const hoist_bytes block = dwn_block_bytes(&w->sources, &piece);
            layer.scale = dwn_float_of(hoist_load_u32le(block.data));
            is_uniform_scale = is_uniform(block, w->values[value].extent.c);
        }
        if (piece.size > 0 && !dwn_take_block(w, &piece, &layer)) {
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
hoist_status dwn_take_scalar_softmax(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const uint32_t value = w->current;
    const dwn_extent input = w->values[value].extent;
    if (w->is_blind || w->values[value].zero != op->input_zero || op->rows != 1 || input.h != 1 ||
        input.w != 1 || input.c != op->numbers) {
        return dwn_stop(w, "no value fits as the input of the softmax");
    }
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_SOFTMAX);
    layer.scale = op->scale;
    layer.output = input;
    layer.heuristics = 1u << DWN_GUESS_LAST;
    return dwn_add_layer(w, group, layer, &value, 1);
}

bool dwn_begins_softmax(const dwn_walk *w, uint32_t index, uint32_t *out_end)
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
