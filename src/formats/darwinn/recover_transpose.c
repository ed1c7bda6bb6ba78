// Outputs of the model by their bytes: values whose channels are joined, and what selections made
// of values (recover_selection.h). In: the words that tiles copy out for the output
// (recover_trace.c); out: a layer that joins values, and where their axes are exchanged one more,
// with all operations that selected and moved its bytes.
//
// Nothing is assumed of how the compiler does it. Of each byte of the output it is known which
// number of which value it is; all of them have to be where one order of the axes puts them, so
// that no number is left out or comes twice. The bytes that fill the last word of a pixel are none.
#include "formats/darwinn/recover_transpose.h"

enum { PARTS = 16, AXES = 3, WORD_CHANNELS = DWN_WORD_BYTES };

// Orders of rows, columns and channels, the usual one first: as dwn_recovered.order.
enum { USUAL = 12 };
static const uint8_t orders[] = {USUAL, 201, 210, 120, 102, 21};

// A number of a value.
typedef struct number {
    uint32_t value;
    uint64_t pixel;
    uint32_t channel;
} number;

// What an output consists of.
typedef struct parts {
    uint32_t values[PARTS]; // in the order in which they first come, which is that of channels
    uint32_t first[PARTS];  // channel of all
    uint32_t count;
    dwn_extent extent; // of all together
    dwn_selection *by;
    const dwn_layer *layer;
    const dwn_copied *from;
} parts;

// A byte of a pixel that is copied out. False: it is unknown, or padding.
static bool number_at(const dwn_walk *w, const dwn_copied_pixel *p, uint32_t channel, parts *all,
                      number *out)
{
    const int64_t address = dwn_copied_at(p->copy, p->word + channel / WORD_CHANNELS);
    const dwn_mixed *mixed = dwn_trace_mixed(w, p->tile, address);
    const dwn_byte byte =
        mixed ? mixed->bytes[channel % WORD_CHANNELS]
              : (dwn_byte){dwn_trace_at(w, p->tile, address), channel % WORD_CHANNELS};
    if (byte.held.value == 0) {
        return false;
    }
    const uint32_t value = byte.held.value - 1;
    const dwn_extent extent = w->values[value].extent;
    const uint32_t words = dwn_words_of(extent.c);
    *out =
        (number){value, byte.held.word / words, byte.held.word % words * WORD_CHANNELS + byte.byte};
    all->by = mixed && !all->by ? mixed->by : all->by;
    return out->channel < extent.c && out->pixel < (uint64_t)extent.h * extent.w &&
           (!mixed || dwn_selection_chain(all->by) == dwn_selection_chain(mixed->by));
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
    const bool is_input = value < w->input_count || (is_joined && all->values[0] < w->input_count);
    if (all->count == PARTS || (is_joined && is_input) ||
        w->values[value].zero != dwn_layer_zero(all->layer) ||
        (is_joined && (extent.h != all->extent.h || extent.w != all->extent.w))) {
        return false;
    }
    all->first[all->count] = all->extent.c;
    all->values[all->count++] = value;
    all->extent = (dwn_extent){extent.h, extent.w, all->extent.c + extent.c};
    return true;
}

// The values that the output consists of, and its last pixel's place in them: all numbers of the
// channels of all values.
static bool find_parts(dwn_walk *w, parts *all)
{
    const dwn_layer *layer = all->layer;
    for (int32_t y = 0; y < layer->y_dim; y++) {
        for (int32_t x = 0; x < layer->x_dim; x++) {
            dwn_copied_pixel p;
            if (!dwn_find_copied(layer, all->from, y, x, &p) ||
                !dwn_trace_spend(w, (uint64_t)layer->z_dim)) {
                return false;
            }
            for (int32_t z = 0; z < layer->z_dim; z++) {
                number n;
                uint32_t part = 0;
                if (!number_at(w, &p, (uint32_t)z, all, &n) || !find_part(w, n.value, all, &part)) {
                    return false;
                }
            }
        }
    }
    const uint64_t numbers = dwn_times(dwn_times((uint64_t)layer->y_dim, (uint64_t)layer->x_dim),
                                       (uint64_t)layer->z_dim);
    return all->count > 0 && all->extent.c <= DWN_MAX_EXTENT &&
           numbers == dwn_times((uint64_t)all->extent.h * all->extent.w, all->extent.c);
}

// Where a number is in the output of that order.
static uint64_t place_of(const parts *all, uint8_t order, const number *n, uint32_t part)
{
    const uint32_t extents[AXES] = {all->extent.h, all->extent.w, all->extent.c};
    const uint64_t at[AXES] = {n->pixel / all->extent.w, n->pixel % all->extent.w,
                               all->first[part] + n->channel};
    uint64_t place = 0;
    for (uint32_t i = 0; i < AXES; i++) {
        place = place * extents[dwn_order_axis(order, i)] + at[dwn_order_axis(order, i)];
    }
    return place;
}

// Whether every byte of the output is the number that the order puts there.
static bool has_order(dwn_walk *w, parts *all, uint8_t order)
{
    const dwn_layer *layer = all->layer;
    uint64_t place = 0;
    for (int32_t y = 0; y < layer->y_dim; y++) {
        for (int32_t x = 0; x < layer->x_dim; x++) {
            dwn_copied_pixel p;
            if (!dwn_find_copied(layer, all->from, y, x, &p) ||
                !dwn_trace_spend(w, (uint64_t)layer->z_dim)) {
                return false;
            }
            for (int32_t z = 0; z < layer->z_dim; z++, place++) {
                number n;
                uint32_t part = 0;
                if (!number_at(w, &p, (uint32_t)z, all, &n) || !find_part(w, n.value, all, &part) ||
                    place_of(all, order, &n, part) != place) {
                    return false;
                }
            }
        }
    }
    return true;
}

// Whether the copies that were looked at are those that are drained for the output.
static bool is_drained(const dwn_walk *w, uint32_t output, const dwn_copied *from)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->operations.drain_count; i++) {
        const dwn_drain *drain = &w->operations.drains[i];
        if (drain->output == output) {
            if (drain->copy == DWN_NONE ||
                from->of[drain->tile] != &w->operations.copies[drain->copy]) {
                return false;
            }
            count++;
        }
    }
    return count > 0;
}

// The layer ---------------------------------------------------------------------------------------

// The parameters of all selections of the output's chain, in their order, which become the layer's.
static hoist_status take_selections(dwn_walk *w, const parts *all, dwn_recovered *layer)
{
    const dwn_selection *const chain = dwn_selection_chain(all->by);
    uint32_t count = 0;
    for (dwn_selection *s = w->selection; s; s = s->before) {
        count += dwn_selection_chain(s) == chain && s->piece.size > 0;
    }
    dwn_piece *pieces = hoist_arena_array(w->arena, count, sizeof(*pieces));
    if (!pieces) {
        return HOIST_NO_MEMORY;
    }
    layer->pieces = pieces;
    layer->piece_count = count;
    for (dwn_selection *s = w->selection; s; s = s->before) {
        const dwn_group *group = &w->operations.groups[s->group];
        if (dwn_selection_chain(s) != chain) {
            continue;
        }
        if (s->piece.size > 0) {
            pieces[--count] = s->piece;
        }
        dwn_own(w, group, w->layer_count);
        w->made[w->layer_count].group = s->group;
    }
    return HOIST_OK;
}

// The value that all parts together are.
static hoist_status join_parts(dwn_walk *w, const parts *all, uint32_t *out_value)
{
    *out_value = all->count == 1 ? all->values[0] : dwn_joined_before(w, all->values, all->count);
    if (*out_value != DWN_NONE) {
        return HOIST_OK;
    }
    uint32_t *inputs = hoist_arena_array(w->arena, all->count, sizeof(*inputs));
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < all->count; i++) {
        inputs[i] = w->values[all->values[i]].source;
        w->made[inputs[i]].has_reader = true;
    }
    dwn_add_join(w, &(dwn_join){inputs, all->count, all->extent, false}, w->made[inputs[0]].group);
    *out_value = w->current;
    return HOIST_OK;
}

// Whether they are the output as they are, and none of another output.
static bool may_be_joined(const dwn_walk *w, const parts *all)
{
    const dwn_extent extent = dwn_layer_extent(all->layer);
    const uint32_t joined = dwn_joined_before(w, all->values, all->count);
    return all->count > 1 && !all->by && extent.h == all->extent.h && extent.w == all->extent.w &&
           (joined == DWN_NONE || w->layers[joined - w->input_count].output_layer == DWN_NONE);
}

static hoist_status add_join(dwn_walk *w, const parts *all, uint32_t output)
{
    uint32_t value = DWN_NONE;
    HOIST_TRY(join_parts(w, all, &value));
    w->layers[value - w->input_count].output_layer = output;
    return HOIST_OK;
}

static hoist_status add_transpose(dwn_walk *w, const parts *all, uint32_t output, uint8_t order)
{
    uint32_t value = DWN_NONE;
    HOIST_TRY(join_parts(w, all, &value));
    const uint8_t zero = w->values[value].zero;
    uint32_t *inputs = hoist_arena_array(w->arena, 1, sizeof(*inputs));
    dwn_recovered layer = {.kind = DWN_KIND_TRANSPOSE,
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
                           .order = order};
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    inputs[0] = w->values[value].source;
    w->made[w->layer_count] = (dwn_made){.strips = 1};
    HOIST_TRY(take_selections(w, all, &layer));
    if (!(inputs[0] & DWN_MODEL_INPUT)) {
        w->made[inputs[0]].has_reader = true;
    }
    w->values[dwn_value_count(w)] =
        (dwn_value){.extent = layer.output, .zero = zero, .source = w->layer_count};
    w->layers[w->layer_count++] = layer;
    return HOIST_OK;
}

hoist_status dwn_transpose_output(dwn_walk *w, uint32_t output, const dwn_copied *from,
                                  bool *out_is_made)
{
    parts all = {.layer = &w->executable->output_layers.items[output], .from = from};
    *out_is_made = false;
    if (!is_drained(w, output, from) || !find_parts(w, &all)) {
        return HOIST_OK;
    }
    size_t i = 0;
    while (i < sizeof(orders) && !has_order(w, &all, orders[i])) {
        i++;
    }
    const bool is_join = i == 0 && may_be_joined(w, &all);
    *out_is_made = is_join || (i > 0 && i < sizeof(orders) && all.by);
    return is_join        ? add_join(w, &all, output)
           : *out_is_made ? add_transpose(w, &all, output, orders[i])
                          : HOIST_OK;
}
