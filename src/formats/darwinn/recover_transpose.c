// Outputs of the model by their bytes: values whose channels are joined, and what selections made
// of values (recover_selection.h). In: the words that tiles copy out for the output
// (recover_trace.c); out: a layer that joins values, and where their axes are exchanged one more,
// with all operations that selected and moved its bytes.
//
// Nothing is assumed of how the compiler does it. Of each byte of the output it is known which
// number of which value it is; all of them have to be where one order of the axes puts them, so
// that no number is left out or comes twice. The bytes that fill the last word of a pixel are none.
#include "formats/darwinn/recover_transpose.h"

#include <string.h>

enum { PARTS = 16, AXES = 3, WORD_CHANNELS = DWN_WORD_BYTES };
enum { MOST = DWN_TRACE_MIXED * WORD_CHANNELS }; // numbers that tiles can have

// Orders of rows, columns and channels as dwn_recovered.order: the usual one, and all others.
enum { USUAL = 12 };
static const uint8_t orders[] = {201, 210, 120, 102, 21};

// What an output consists of.
typedef struct dwn_ordered {
    uint32_t values[PARTS]; // in the order in which they first come, which is that of channels
    uint32_t first[PARTS];  // channel of all
    uint32_t count;
    dwn_extent extent; // of all together
    dwn_selection *by;
    const dwn_layer *layer;
    dwn_copied from;
    // Of each number of the output the part, and the byte of its words.
    dwn_byte *numbers; // scratch
    uint64_t number_count, number_most;
    uint8_t order;
    dwn_run runs[PARTS]; // in the usual order: the channels of its pixels
    uint32_t run_count;
} dwn_ordered;
typedef dwn_ordered parts;

// Bytes of a word that is copied out. False: they belong to no selection of this output.
static bool bytes_at(const dwn_walk *w, const dwn_copied_pixel *p, uint32_t word, parts *all,
                     dwn_byte out[WORD_CHANNELS])
{
    const int64_t address = dwn_copied_at(p->copy, p->word + word);
    const dwn_mixed *mixed = dwn_trace_mixed(w, p->tile, address);
    const dwn_held held = mixed ? (dwn_held){0, 0} : dwn_trace_at(w, p->tile, address);
    for (uint32_t k = 0; k < WORD_CHANNELS; k++) {
        out[k] = mixed ? dwn_mixed_byte(mixed, k)
                       : (dwn_byte){held.value, held.word * WORD_CHANNELS + k};
    }
    all->by = mixed && !all->by ? mixed->by : all->by;
    return mixed ? dwn_selection_chain(all->by) == dwn_selection_chain(mixed->by)
                 : held.word < UINT32_MAX / WORD_CHANNELS;
}

// The part that a value is; a new one where it is none. False: it cannot be one.
static bool find_part(const dwn_walk *w, uint32_t value, parts *all, uint32_t *out_part)
{
    const dwn_extent extent = w->values[value].extent;
    for (*out_part = 0; *out_part < all->count; (*out_part)++) {
        if (all->values[*out_part] == value) {
            return true;
        }
    }
    const bool is_joined = all->count > 0;
    if (all->count == PARTS || w->values[value].zero != dwn_layer_zero(all->layer) ||
        (is_joined && (extent.h != all->extent.h || extent.w != all->extent.w))) {
        return false;
    }
    all->first[all->count] = all->extent.c;
    all->values[all->count++] = value;
    all->extent = (dwn_extent){extent.h, extent.w, all->extent.c + extent.c};
    return true;
}

// A pixel of the output. False: some of its numbers are unknown, or of no part.
static bool add_pixel(const dwn_walk *w, const dwn_copied_pixel *p, parts *all)
{
    const uint32_t channels = (uint32_t)all->layer->z_dim;
    dwn_byte bytes[WORD_CHANNELS];
    for (uint32_t z = 0; z < channels; z++) {
        if (z % WORD_CHANNELS == 0 && !bytes_at(w, p, z / WORD_CHANNELS, all, bytes)) {
            return false;
        }
        dwn_byte number = bytes[z % WORD_CHANNELS];
        if (number.value == 0 || !find_part(w, number.value - 1, all, &number.value)) {
            return false;
        }
        all->numbers[all->number_count++] = number;
    }
    return true;
}

// Capacity for one more pixel: the list doubles, as most outputs end with their first one. False:
// out of memory.
static bool reserve(dwn_walk *w, parts *all)
{
    const uint64_t needed = all->number_count + (uint64_t)all->layer->z_dim;
    if (needed <= all->number_most) {
        return true;
    }
    const uint64_t most = needed > 2 * all->number_most ? needed : 2 * all->number_most;
    dwn_byte *numbers = hoist_arena_array(w->scratch, (size_t)most, sizeof(*numbers));
    if (numbers && all->number_count > 0) {
        memcpy(numbers, all->numbers, (size_t)all->number_count * sizeof(*numbers));
    }
    all->numbers = numbers;
    all->number_most = most;
    return numbers != NULL;
}

// The values that the output consists of, and which of their numbers its bytes are.
static hoist_status find_parts(dwn_walk *w, parts *all, bool *out_is_so)
{
    const dwn_layer *layer = all->layer;
    const uint64_t numbers = dwn_times(dwn_times((uint64_t)layer->y_dim, (uint64_t)layer->x_dim),
                                       (uint64_t)layer->z_dim);
    *out_is_so = false;
    if (numbers > MOST || !dwn_trace_spend(w, numbers)) {
        return HOIST_OK;
    }
    for (int32_t y = 0; y < layer->y_dim; y++) {
        for (int32_t x = 0; x < layer->x_dim; x++) {
            dwn_copied_pixel p;
            if (!reserve(w, all)) {
                return HOIST_NO_MEMORY;
            }
            if (!dwn_find_copied(layer, &all->from, y, x, &p) || !add_pixel(w, &p, all)) {
                return HOIST_OK;
            }
        }
    }
    *out_is_so = all->count > 0 && all->extent.c <= DWN_MAX_EXTENT;
    return HOIST_OK;
}

// Whether the numbers are as many as those of all parts.
static bool has_all(const parts *all)
{
    return all->number_count == dwn_times((uint64_t)all->extent.h * all->extent.w, all->extent.c);
}

// The number of a pixel and a channel of all parts together.
static dwn_byte number_of(const dwn_walk *w, const parts *all, const uint32_t at[AXES])
{
    uint32_t part = all->count - 1;
    while (all->first[part] > at[2]) {
        part--;
    }
    const uint32_t words = dwn_words_of(w->values[all->values[part]].extent.c);
    const uint32_t pixel = at[0] * all->extent.w + at[1];
    return (dwn_byte){part, pixel * words * WORD_CHANNELS + at[2] - all->first[part]};
}

// Whether every byte of the output is the number that the order puts there.
static bool has_order(dwn_walk *w, const parts *all, uint8_t order)
{
    const uint32_t extents[AXES] = {all->extent.h, all->extent.w, all->extent.c};
    const uint32_t axes[AXES] = {dwn_order_axis(order, 0), dwn_order_axis(order, 1),
                                 dwn_order_axis(order, 2)};
    uint32_t at[AXES] = {0};
    if (!has_all(all) || !dwn_trace_spend(w, all->number_count)) {
        return false;
    }
    for (uint64_t place = 0; place < all->number_count; place++) {
        const dwn_byte number = number_of(w, all, at);
        if (all->numbers[place].value != number.value || all->numbers[place].byte != number.byte) {
            return false;
        }
        for (uint32_t i = AXES; i > 0; i--) { // the next place, the last axis first
            const uint32_t axis = axes[i - 1];
            at[axis] = at[axis] + 1 == extents[axis] ? 0 : at[axis] + 1;
            if (at[axis] > 0) {
                break;
            }
        }
    }
    return true;
}

// Whether each pixel of the output has channels of the same pixel of the parts, the same channels
// in all of them: in runs of channels of one part.
static bool find_runs(dwn_walk *w, parts *all)
{
    const dwn_extent extent = dwn_layer_extent(all->layer);
    if (extent.h != all->extent.h || extent.w != all->extent.w ||
        !dwn_trace_spend(w, all->number_count)) {
        return false;
    }
    for (uint32_t z = 0; z < extent.c; z++) {
        const dwn_byte first = all->numbers[z];
        const uint32_t value = all->values[first.value];
        const dwn_extent from = w->values[value].extent;
        const uint32_t step = dwn_words_of(from.c) * WORD_CHANNELS; // bytes of a pixel
        for (uint64_t pixel = 0; pixel < (uint64_t)extent.h * extent.w; pixel++) {
            const dwn_byte number = all->numbers[pixel * extent.c + z];
            if (number.value != first.value || number.byte != first.byte + pixel * step) {
                return false;
            }
        }
        dwn_run *const last = all->run_count > 0 ? &all->runs[all->run_count - 1] : NULL;
        if (last && last->value == value && last->first + last->count == first.byte) {
            last->count++;
        } else if (first.byte >= from.c || all->run_count == PARTS) {
            return false;
        } else {
            all->runs[all->run_count++] = (dwn_run){value, first.byte, 1};
        }
        // The bytes that fill its last word are no channels.
        const dwn_run *const run = &all->runs[all->run_count - 1];
        if (run->first + run->count > from.c) {
            return false;
        }
    }
    return true;
}

// The copies that are drained for an output, all before one operation. False: there are none such.
static bool find_drained(const dwn_walk *w, uint32_t output, dwn_copied *out, uint32_t *out_before)
{
    *out_before = DWN_NONE;
    for (uint32_t i = 0; i < w->operations.drain_count; i++) {
        const dwn_drain *drain = &w->operations.drains[i];
        if (drain->output != output) {
            continue;
        }
        const dwn_copy *copy = drain->copy == DWN_NONE ? NULL : &w->operations.copies[drain->copy];
        if (!copy || !(copy->tiles >> drain->tile & 1) || out->of[drain->tile] ||
            (*out_before != DWN_NONE && *out_before != copy->operation)) {
            return false;
        }
        out->of[drain->tile] = copy;
        *out_before = copy->operation;
    }
    return *out_before != DWN_NONE;
}

// The layer ---------------------------------------------------------------------------------------

// Whether a selection belongs to the output, and to no other.
static bool is_own(const dwn_walk *w, const parts *all, dwn_selection *s)
{
    return dwn_selection_chain(s) == dwn_selection_chain(all->by) &&
           w->owners[w->operations.groups[s->group].first] == DWN_NONE;
}

// The parameters of all selections of the output's chain, in their order, which become the layer's.
static hoist_status take_selections(dwn_walk *w, const parts *all, uint32_t index)
{
    dwn_recovered *const layer = &w->layers[index];
    uint32_t count = 0;
    for (dwn_selection *s = w->selection; s; s = s->before) {
        count += is_own(w, all, s) && s->piece.size > 0;
    }
    dwn_piece *pieces = hoist_arena_array(w->arena, count, sizeof(*pieces));
    if (!pieces) {
        return HOIST_NO_MEMORY;
    }
    layer->pieces = pieces;
    layer->piece_count = count;
    for (dwn_selection *s = w->selection; s; s = s->before) {
        if (!is_own(w, all, s)) {
            continue;
        }
        if (s->piece.size > 0) {
            pieces[--count] = s->piece;
        }
        dwn_own(w, &w->operations.groups[s->group], index);
        w->made[index].group = s->group;
    }
    w->made[index].is_selected = true;
    return HOIST_OK;
}

// The group of the first part; an input of the model has none.
static uint32_t group_of(const dwn_walk *w, const parts *all)
{
    const uint32_t source = w->values[all->values[0]].source;
    return source & DWN_MODEL_INPUT ? 0 : w->made[source].group;
}

// The value that all parts together are.
static hoist_status join_parts(dwn_walk *w, const parts *all, uint32_t *out_value)
{
    dwn_run runs[PARTS];
    for (uint32_t i = 0; i < all->count; i++) {
        runs[i] = (dwn_run){all->values[i], 0, w->values[all->values[i]].extent.c};
    }
    return dwn_join_runs(w, runs, all->count, (dwn_use){group_of(w, all), false}, out_value);
}

// Whether the output is channels of values, in an order of its own: not all of a value, whose layer
// makes it, and not an input as it is.
static bool is_of_channels(const dwn_walk *w, const parts *all)
{
    return all->order == USUAL && (all->run_count > 1 || !dwn_run_is_whole(w, &all->runs[0]));
}

static hoist_status add_channels(dwn_walk *w, const parts *all, uint32_t output)
{
    uint32_t value = DWN_NONE;
    HOIST_TRY(
        dwn_join_runs(w, all->runs, all->run_count, (dwn_use){group_of(w, all), true}, &value));
    const uint32_t layer = value - w->input_count;
    w->layers[layer].output_layer = output;
    return all->by ? take_selections(w, all, layer) : HOIST_OK;
}

static hoist_status add_transpose(dwn_walk *w, const parts *all, uint32_t output)
{
    uint32_t value = DWN_NONE;
    HOIST_TRY(join_parts(w, all, &value));
    HOIST_TRY(dwn_reserve_layers(w, 1));
    const uint8_t zero = w->values[value].zero;
    uint32_t *inputs = hoist_arena_array(w->arena, 1, sizeof(*inputs));
    const dwn_recovered layer = {.kind = DWN_KIND_TRANSPOSE,
                                 .inputs = inputs,
                                 .input_count = 1,
                                 .output_layer = output,
                                 .input = all->extent,
                                 .output = dwn_layer_extent(all->layer),
                                 .kernel = {1, 1},
                                 .stride = {1, 1},
                                 .dilation = {1, 1},
                                 .multiplier = 1,
                                 .low = -(float)zero,
                                 .high = UINT8_MAX - (float)zero,
                                 .input_zero = zero,
                                 .output_zero = zero,
                                 .order = all->order};
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    inputs[0] = w->values[value].source;
    w->made[w->layer_count] = (dwn_made){.strips = 1};
    if (!(inputs[0] & DWN_MODEL_INPUT)) {
        w->made[inputs[0]].has_reader = true;
    }
    w->values[dwn_value_count(w)] =
        (dwn_value){.extent = layer.output, .zero = zero, .source = w->layer_count};
    w->layers[w->layer_count++] = layer;
    return take_selections(w, all, w->layer_count - 1);
}

hoist_status dwn_read_ordered(dwn_walk *w, uint32_t output)
{
    parts *all = hoist_arena_array(w->scratch, 1, sizeof(*all));
    uint32_t before = 0;
    bool is_known = false;
    if (!all) {
        return HOIST_NO_MEMORY;
    }
    *all = (parts){.layer = &w->executable->output_layers.items[output]};
    if (!dwn_may_be_copied(all->layer) || !find_drained(w, output, &all->from, &before)) {
        return HOIST_OK;
    }
    HOIST_TRY(dwn_trace_to(w, before));
    if (w->trace->operation == before) {
        HOIST_TRY(find_parts(w, all, &is_known));
    }
    all->order = is_known && find_runs(w, all) ? USUAL : 0;
    for (size_t i = 0; i < sizeof(orders) && is_known && all->order == 0; i++) {
        all->order = has_order(w, all, orders[i]) ? orders[i] : 0;
    }
    w->ordered[output] = all->order != 0 ? all : NULL;
    return HOIST_OK;
}

hoist_status dwn_take_ordered(dwn_walk *w, uint32_t output, bool *out_is_made)
{
    const parts *all = w->ordered[output];
    const bool is_usual = all && is_of_channels(w, all);
    *out_is_made = is_usual || (all && all->order != USUAL && all->by);
    return is_usual       ? add_channels(w, all, output)
           : *out_is_made ? add_transpose(w, all, output)
                          : HOIST_OK;
}
