// The list of layers, and the values that they make: what every kind of layer does to become the
// last of it. In: a group, and what the sources of each kind found of it (recover_layers.h); out:
// one more dwn_recovered.
#include <string.h>

#include "formats/darwinn/recover_work.h"

// Extents of the file are clamped to 1 and DWN_MAX_EXTENT, so that products of three fit 64 bits.
static uint32_t extent_of(int32_t dim)
{
    return dim < 1 ? 1 : dim > DWN_MAX_EXTENT ? DWN_MAX_EXTENT : (uint32_t)dim;
}

uint8_t dwn_layer_zero(const dwn_layer *layer)
{
    return layer->numerics ? (uint8_t)layer->numerics->zero_point : 0;
}

dwn_extent dwn_layer_extent(const dwn_layer *layer)
{
    return (dwn_extent){extent_of(layer->y_dim), extent_of(layer->x_dim), extent_of(layer->z_dim)};
}

// Moves a list to where there is space for more; NULL: out of memory.
static void *moved(dwn_walk *w, const void *items, size_t count, size_t most, size_t size)
{
    void *const larger = hoist_arena_array(w->scratch, most, size);
    if (larger && count > 0) {
        memcpy(larger, items, count * size);
    }
    return larger;
}

// The lists double, so that all of them together are a few times the last ones.
hoist_status dwn_reserve_layers(dwn_walk *w, uint32_t more)
{
    const uint64_t needed = (uint64_t)w->layer_count + more;
    if (needed <= w->layer_most) {
        return HOIST_OK;
    }
    const uint64_t twice = 2 * (uint64_t)w->layer_most;
    const uint64_t most = needed > twice ? needed : twice;
    if (most > INT32_MAX - w->input_count) {
        return HOIST_NO_MEMORY;
    }
    dwn_recovered *layers = moved(w, w->layers, w->layer_count, (size_t)most, sizeof(*w->layers));
    dwn_made *made = moved(w, w->made, w->layer_count, (size_t)most, sizeof(*w->made));
    dwn_value *values =
        moved(w, w->values, dwn_value_count(w), (size_t)most + w->input_count, sizeof(*w->values));
    if (!layers || !made || !values) {
        return HOIST_NO_MEMORY;
    }
    w->layers = layers;
    w->made = made;
    w->values = values;
    w->layer_most = (uint32_t)most;
    return HOIST_OK;
}

void dwn_drop_layers(dwn_walk *w, uint32_t first)
{
    while (w->layer_count > first) {
        w->zeros[w->layers[--w->layer_count].output_zero]--;
    }
}

void dwn_own(dwn_walk *w, const dwn_group *group, uint32_t layer)
{
    for (uint32_t i = 0; i < group->count; i++) {
        w->owners[group->first + i] = layer;
    }
}

// Windows are of one pixel; kinds that have others set them.
dwn_recovered dwn_draft_layer(const dwn_operation *op, dwn_layer_kind kind)
{
    return (dwn_recovered){.kind = kind,
                           .output_layer = DWN_NONE,
                           .kernel = {1, 1},
                           .stride = {1, 1},
                           .dilation = {1, 1},
                           .multiplier = dwn_float_of(op->multiplier),
                           .low = dwn_float_of(op->low),
                           .high = dwn_float_of(op->high),
                           .input_zero = op->input_zero,
                           .weight_zero = op->weight_zero,
                           .output_zero = op->output_zero};
}

// The order matters: inputs and values are read before the new value is made.
hoist_status dwn_add_layer(dwn_walk *w, const dwn_group *group, dwn_recovered layer,
                           const uint32_t *values, uint32_t count)
{
    uint32_t *inputs = hoist_arena_array(w->arena, count, sizeof(*inputs));
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        inputs[i] = w->values[values[i]].source;
    }
    layer.inputs = inputs;
    layer.input_count = count;
    layer.input = count == 1 || layer.input.c == 0 ? w->values[values[0]].extent : layer.input;
    dwn_own(w, group, w->layer_count);
    w->made[w->layer_count] = (dwn_made){.group = dwn_group_index(w, group), .strips = 1};
    const dwn_operation *part = dwn_first_part(&w->operations, group);
    w->current = dwn_value_count(w);
    w->values[w->current] = (dwn_value){.extent = layer.output,
                                        .zero = layer.output_zero,
                                        .source = w->layer_count,
                                        .has_base = true,
                                        .base = part->b.base,
                                        .has_place = true,
                                        .place = part->b.base,
                                        .from = part->b.base,
                                        .pitch = dwn_pitch_of(part, dwn_words_of(layer.output.c))};
    w->layers[w->layer_count++] = layer;
    w->zeros[layer.output_zero]++; // the number of values with this zero point
    w->has_moved = false;
    return HOIST_OK;
}

uint32_t dwn_joined_before(const dwn_walk *w, const uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < w->layer_count && i < DWN_LOOK_BACK; i++) {
        const uint32_t layer = w->layer_count - 1 - i;
        const dwn_recovered *l = &w->layers[layer];
        bool is_so = l->kind == DWN_KIND_CONCATENATION && !l->is_in_rows && l->input_count == count;
        for (uint32_t k = 0; k < count && is_so; k++) {
            is_so = dwn_value_of(w, l->inputs[k]) == values[k];
        }
        if (is_so) {
            return w->input_count + layer;
        }
    }
    return DWN_NONE;
}

// A join has no operations and no address: what reads its parts reads it. Inputs of the model have
// the clamps of their type.
void dwn_add_join(dwn_walk *w, const dwn_join *join, uint32_t group)
{
    const uint32_t source = join->inputs[0];
    const uint8_t zero = w->values[dwn_value_of(w, source)].zero;
    const bool is_input = source & DWN_MODEL_INPUT;
    w->made[w->layer_count] = (dwn_made){.group = group};
    w->layers[w->layer_count] =
        (dwn_recovered){.kind = DWN_KIND_CONCATENATION,
                        .is_in_rows = join->is_in_rows,
                        .inputs = join->inputs,
                        .input_count = join->count,
                        .output_layer = DWN_NONE,
                        .input = join->extent,
                        .output = join->extent,
                        .kernel = {1, 1},
                        .stride = {1, 1},
                        .dilation = {1, 1},
                        .multiplier = 1,
                        .low = is_input ? -(float)zero : w->layers[source].low,
                        .high = is_input ? UINT8_MAX - (float)zero : w->layers[source].high,
                        .input_zero = zero,
                        .output_zero = zero};
    w->current = dwn_value_count(w);
    w->values[w->current] = // no base, no place
        (dwn_value){.extent = join->extent, .zero = zero, .source = w->layer_count++};
    w->zeros[zero]++;
    w->has_moved = false;
}

void dwn_doubt_last(dwn_walk *w, bool is_so, dwn_doubt what)
{
    w->made[w->layer_count - 1].doubts |= is_so ? 1u << what : 0;
}

// `times` is how often the tiles count a pixel: once for each group of channels that the loops
// have.
void dwn_set_needed(dwn_walk *w, const dwn_group *group, uint64_t times)
{
    const dwn_extent output = w->layers[w->layer_count - 1].output;
    dwn_made *made = &w->made[w->layer_count - 1];
    made->produced = group->produced;
    made->needed = dwn_times((uint64_t)output.h * output.w, times);
}

bool dwn_take_block(dwn_walk *w, const dwn_piece *piece, dwn_recovered *layer)
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
