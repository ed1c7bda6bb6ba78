// Layers without operations that give some channels of values: slices, and joins of them. In: runs
// of channels, which words or bytes of tiles show (recover_channels.c, recover_transpose.c); out:
// layers of the list, or those that do the same already.
#include <string.h>

#include "formats/darwinn/recover_work.h"

bool dwn_run_is_whole(const dwn_walk *w, const dwn_run *run)
{
    return run->first == 0 && run->count == w->values[run->value].extent.c;
}

// Whether a layer may give a value: one that makes an output of the model makes no other.
static bool may_give(const dwn_recovered *layer, bool is_output)
{
    return !is_output || layer->output_layer == DWN_NONE;
}

uint32_t dwn_cut_from(const dwn_walk *w, uint32_t value)
{
    const dwn_recovered *layer = value < w->input_count ? NULL : &w->layers[value - w->input_count];
    return layer && layer->kind == DWN_KIND_SLICE ? dwn_value_of(w, layer->inputs[0]) : value;
}

// The slice of those channels; DWN_NONE: there is none.
static uint32_t slice_before(const dwn_walk *w, const dwn_run *run, bool is_output)
{
    for (uint32_t i = 0; i < w->layer_count && i < DWN_LOOK_BACK; i++) {
        const uint32_t layer = w->layer_count - 1 - i;
        const dwn_recovered *l = &w->layers[layer];
        if (l->kind == DWN_KIND_SLICE && may_give(l, is_output) && l->first == run->first &&
            l->output.c == run->count && dwn_value_of(w, l->inputs[0]) == run->value) {
            return w->input_count + layer;
        }
    }
    return DWN_NONE;
}

// A slice has no address, as a join has none: what reads its input reads it.
static hoist_status add_slice(dwn_walk *w, const dwn_run *run, uint32_t group)
{
    const dwn_value from = w->values[run->value];
    const dwn_extent extent = {from.extent.h, from.extent.w, run->count};
    uint32_t *inputs = hoist_arena_array(w->arena, 1, sizeof(*inputs));
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    inputs[0] = from.source;
    w->made[w->layer_count] = (dwn_made){.group = group};
    w->layers[w->layer_count] = (dwn_recovered){.kind = DWN_KIND_SLICE,
                                                .inputs = inputs,
                                                .input_count = 1,
                                                .output_layer = DWN_NONE,
                                                .input = from.extent,
                                                .output = extent,
                                                .kernel = {1, 1},
                                                .stride = {1, 1},
                                                .dilation = {1, 1},
                                                .multiplier = 1,
                                                .low = -(float)from.zero,
                                                .high = UINT8_MAX - (float)from.zero,
                                                .input_zero = from.zero,
                                                .output_zero = from.zero,
                                                .first = run->first};
    w->current = dwn_value_count(w);
    w->values[w->current] =
        (dwn_value){.extent = extent, .zero = from.zero, .source = w->layer_count++};
    w->zeros[from.zero]++;
    w->has_moved = false;
    return HOIST_OK;
}

// The value of a run: its own, or a slice of it.
static hoist_status value_of_run(dwn_walk *w, const dwn_run *run, const dwn_use *use,
                                 uint32_t *out_value)
{
    *out_value = dwn_run_is_whole(w, run) ? run->value : slice_before(w, run, use->is_output);
    if (*out_value != DWN_NONE) {
        return HOIST_OK;
    }
    HOIST_TRY(add_slice(w, run, use->group));
    *out_value = w->current;
    return HOIST_OK;
}

static void note_reader(dwn_walk *w, uint32_t source)
{
    if (!(source & DWN_MODEL_INPUT)) {
        w->made[source].has_reader = true;
    }
}

// A join of values, unless there is one already.
static hoist_status join_values(dwn_walk *w, const uint32_t *values, uint32_t count,
                                const dwn_use *use, uint32_t *out_value)
{
    *out_value = dwn_joined_before(w, values, count);
    if (*out_value != DWN_NONE &&
        may_give(&w->layers[*out_value - w->input_count], use->is_output)) {
        return HOIST_OK;
    }
    uint32_t *inputs = hoist_arena_array(w->arena, count, sizeof(*inputs));
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    dwn_extent extent = w->values[values[0]].extent;
    extent.c = 0;
    for (uint32_t i = 0; i < count; i++) {
        inputs[i] = w->values[values[i]].source;
        extent.c += w->values[values[i]].extent.c;
        note_reader(w, inputs[i]);
    }
    dwn_add_join(w, &(dwn_join){inputs, count, extent, false}, use->group);
    *out_value = w->current;
    return HOIST_OK;
}

// Space for all of them first, so that no list moves in between.
hoist_status dwn_join_runs(dwn_walk *w, const dwn_run *runs, uint32_t count, dwn_use use,
                           uint32_t *out_value)
{
    const dwn_use of_part = {use.group, use.is_output && count == 1};
    uint32_t *values = hoist_arena_array(w->scratch, count, sizeof(*values));
    if (!values) {
        return HOIST_NO_MEMORY;
    }
    HOIST_TRY(dwn_reserve_layers(w, count + 1));
    for (uint32_t i = 0; i < count; i++) {
        HOIST_TRY(value_of_run(w, &runs[i], &of_part, &values[i]));
        if (values[i] != runs[i].value) {
            note_reader(w, w->values[runs[i].value].source);
        }
    }
    *out_value = values[0];
    if (count > 1) {
        HOIST_TRY(join_values(w, values, count, &use, out_value));
    }
    w->current = *out_value;
    return HOIST_OK;
}
