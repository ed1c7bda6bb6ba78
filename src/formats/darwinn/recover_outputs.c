// The layers that make the outputs of the model. In: the walk when all groups have been taken; out:
// the outputs of layers, joins of several of them, and gaps of those that none makes.
#include "formats/darwinn/recover_transpose.h"

// Notes of each layer whether another reads it.
static void note_readers(dwn_walk *w)
{
    for (uint32_t i = 0; i < w->layer_count; i++) {
        for (uint32_t k = 0; k < w->layers[i].input_count; k++) {
            const uint32_t input = w->layers[i].inputs[k];
            if (!(input & DWN_MODEL_INPUT)) {
                w->made[input].has_reader = true;
            }
        }
    }
}

// By kind, zero point and extents. Outputs that the compiler split have other extents (join_parts);
// which channels a slice has only bytes say.
static bool makes(const dwn_recovered *layer, const dwn_layer *expected)
{
    const dwn_extent extent = dwn_layer_extent(expected);
    return layer->kind != DWN_KIND_UNKNOWN && layer->kind != DWN_KIND_SLICE &&
           layer->output_zero == dwn_layer_zero(expected) && layer->output.h == extent.h &&
           layer->output.w == extent.w && layer->output.c == extent.c;
}

// Whether a layer that none reads can make no other output.
static bool is_last_of(const dwn_walk *w, uint32_t layer, uint32_t output)
{
    bool is_so = !w->made[layer].has_reader;
    for (uint32_t i = 0; i < w->executable->output_layers.count && is_so; i++) {
        is_so = i == output || !makes(&w->layers[layer], &w->executable->output_layers.items[i]);
    }
    return is_so;
}

// Layers that may make an output, by extents and zero point, and not what is sent for another.
typedef struct makers {
    dwn_recovered *any, *sent, *last; // of what is sent for it; what no layer reads and no other is
    uint32_t count, sent_count, last_count;
} makers;

// The only layer whose value is sent for the output; or, where what is sent is unknown, the only
// one that may make it, or the only one of these that no layer reads and that makes no other
// output, as nothing is made in vain. NULL: there is none, or nothing says which.
static dwn_recovered *find_maker(dwn_walk *w, uint32_t output, const char **out_why)
{
    enum { MOST = 1 << 22 }; // that are looked at for all outputs; bounds time
    const dwn_layer *expected = &w->executable->output_layers.items[output];
    makers m = {.count = 0};
    bool is_other = false;
    if (w->layer_count > MOST / w->executable->output_layers.count) {
        *out_why = "too many layers may make one of the outputs";
        return NULL;
    }
    for (uint32_t i = 0; i < w->layer_count; i++) {
        dwn_recovered *const layer = &w->layers[i];
        const uint32_t value = w->input_count + i;
        const dwn_written written =
            makes(layer, expected) ? dwn_is_sent(w, output, &value, 1) : DWN_WRITTEN_NOT_SO;
        if (written == DWN_WRITTEN_NOT_SO) {
            is_other = is_other || makes(layer, expected);
            continue;
        }
        const bool is_last = is_last_of(w, i, output);
        m.any = layer;
        m.count++;
        m.sent = written == DWN_WRITTEN_SO ? layer : m.sent;
        m.sent_count += written == DWN_WRITTEN_SO;
        m.last = is_last ? layer : m.last;
        m.last_count += is_last;
    }
    *out_why = m.count > 0 ? "several layers may make the output"
               : is_other  ? "what is sent for the output is of another layer"
                           : "no layer was found that makes the output";
    // From the surest to the least sure.
    return m.sent_count > 0    ? (m.sent_count == 1 ? m.sent : NULL)
           : m.count == 1      ? m.any
           : m.last_count == 1 ? m.last
                               : NULL;
}

// Gives the output its layer. False: nothing is known to make it, or what makes another.
static bool set_maker(dwn_walk *w, uint32_t output, const char **out_why)
{
    dwn_recovered *maker = find_maker(w, output, out_why);
    if (!maker) {
        return false;
    }
    if (maker->output_layer != DWN_NONE) {
        *out_why = "the layer that fits the output makes another one";
        return false;
    }
    const uint32_t value = w->input_count + (uint32_t)(maker - w->layers);
    const bool is_sent = dwn_is_sent(w, output, &value, 1) == DWN_WRITTEN_SO;
    maker->output_layer = output;
    maker->heuristics |= is_sent ? 0 : 1u << DWN_GUESS_OUTPUT; // only size and zero point say so
    return true;
}

// Whether a layer may be a part of an output: all of it but the number of channels.
static bool is_part(const dwn_walk *w, uint32_t index, const dwn_layer *expected)
{
    const dwn_recovered *layer = &w->layers[index];
    const dwn_extent extent = dwn_layer_extent(expected);
    return layer->output_layer == DWN_NONE && layer->kind != DWN_KIND_UNKNOWN &&
           layer->kind != DWN_KIND_SLICE && layer->output_zero == dwn_layer_zero(expected) &&
           layer->output.h == extent.h && layer->output.w == extent.w && !w->made[index].has_reader;
}

// The neighbours in the list whose channels add up to those of an output; their number, 0: none.
static uint32_t find_parts(const dwn_walk *w, const dwn_layer *expected, uint32_t *out_first)
{
    const uint32_t channels = dwn_layer_extent(expected).c;
    const uint32_t least = w->layer_count > DWN_LOOK_BACK ? w->layer_count - DWN_LOOK_BACK : 0;
    uint32_t count = 0;
    uint64_t sum = 0;
    // From the last layer back: a layer that does not fit begins the search anew.
    for (uint32_t i = w->layer_count; i > least && sum < channels; i--) {
        const bool fits = is_part(w, i - 1, expected);
        count = fits ? count + 1 : 0;
        sum = fits ? sum + w->layers[i - 1].output.c : 0;
        *out_first = i - 1;
    }
    return sum == channels && count > 1 ? count : 0;
}

static const char out_of_order[] = "the order in which the output joins values is unknown";

// Channels lie in the order of their addresses, whatever is computed first: of values. An insertion
// sort, as there are few parts.
static void order_parts(const dwn_walk *w, uint32_t *parts, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const uint32_t part = parts[i];
        uint32_t at = i;
        for (; at > 0 && w->values[parts[at - 1]].base > w->values[part].base; at--) {
            parts[at] = parts[at - 1];
        }
        parts[at] = part;
    }
}

// The last layers that none reads and that may make it together, which becomes a layer of the list.
static hoist_status join_parts(dwn_walk *w, uint32_t output, const char **why, bool *out_found)
{
    const dwn_layer *expected = &w->executable->output_layers.items[output];
    uint32_t first = 0;
    const uint32_t count = find_parts(w, expected, &first);
    *out_found = false;
    if (count == 0) {
        return HOIST_OK;
    }
    uint32_t *inputs = hoist_arena_array(w->arena, count, sizeof(*inputs));
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        inputs[i] = w->input_count + first + i;
    }
    if (dwn_is_sent(w, output, inputs, count) == DWN_WRITTEN_NOT_SO) {
        return HOIST_OK;
    }
    dwn_written written = DWN_WRITTEN_UNKNOWN;
    order_parts(w, inputs, count);
    HOIST_TRY(dwn_are_sent_so(w, output, inputs, count, &written));
    if (written == DWN_WRITTEN_NOT_SO) {
        *why = out_of_order;
        return HOIST_OK;
    }
    *out_found = true;
    for (uint32_t i = 0; i < count; i++) {
        inputs[i] -= w->input_count;
        w->made[first + i].has_reader = true;
    }
    w->made[w->layer_count] = (dwn_made){.is_unordered = written != DWN_WRITTEN_SO};
    w->layers[w->layer_count++] = (dwn_recovered){.kind = DWN_KIND_CONCATENATION,
                                                  .heuristics = 1u << DWN_GUESS_PARTS,
                                                  .inputs = inputs,
                                                  .input_count = count,
                                                  .output_layer = output,
                                                  .input = dwn_layer_extent(expected),
                                                  .output = dwn_layer_extent(expected),
                                                  .kernel = {1, 1},
                                                  .stride = {1, 1},
                                                  .dilation = {1, 1},
                                                  .multiplier = 1,
                                                  .low = w->layers[first].low,
                                                  .high = w->layers[first].high,
                                                  .input_zero = dwn_layer_zero(expected),
                                                  .output_zero = dwn_layer_zero(expected)};
    return HOIST_OK;
}

// Each output from the surest rule to the least: its bytes, one layer, parts, rows that are copied
// out. What remains is a gap with the reason of the last rule.
hoist_status dwn_make_outputs(dwn_walk *w)
{
    const uint32_t outputs = w->executable->output_layers.count;
    const char **whys = hoist_arena_array(w->scratch, outputs, sizeof(*whys));
    if (!whys) {
        return HOIST_NO_MEMORY;
    }
    w->unmade = whys;
    w->ordered = hoist_arena_array(w->scratch, outputs, sizeof(*w->ordered));
    if (!w->ordered) {
        return HOIST_NO_MEMORY;
    }
    note_readers(w);
    if (w->is_undoubted) {
        return HOIST_OK;
    }
    HOIST_TRY(dwn_see_outputs(w));
    for (uint32_t i = 0; i < outputs; i++) {
        bool is_made = false;
        HOIST_TRY(dwn_reserve_layers(w, 1));
        HOIST_TRY(dwn_take_ordered(w, i, &is_made));
        is_made = is_made || set_maker(w, i, &whys[i]);
        if (!is_made) {
            HOIST_TRY(join_parts(w, i, &whys[i], &is_made));
        }
        whys[i] = is_made ? NULL : whys[i];
    }
    HOIST_TRY(dwn_reserve_layers(w, outputs));
    HOIST_TRY(dwn_join_outputs(w, whys));
    for (uint32_t i = 0; i < w->layer_count; i++) {
        if (w->made[i].is_unordered) {
            whys[w->layers[i].output_layer] = out_of_order;
        }
    }
    return HOIST_OK;
}

uint32_t dwn_list_outputs(const dwn_walk *w, dwn_gap *gaps)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->executable->output_layers.count; i++) {
        if (w->unmade[i]) {
            gaps[count++] = (dwn_gap){.reason = w->unmade[i], .output = i};
        }
    }
    return count;
}
