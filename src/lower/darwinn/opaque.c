// What recovery does not understand, as opaque steps: a name, the bytes of its instructions, and
// what it may read and write. Under --on-unknown=poison its outputs count as unknown.
#include "base/span.h"
#include "lower/darwinn/layers.h"

// The bytes of instructions; empty: there are none.
static hoist_bytes record_of(const darwinn_lower_lift *l, const dwn_words *words)
{
    enum { WORD = 16 };
    const darwinn_lower_model *model = l->model;
    const dwn_image *image = &model->contents->images[model->roles.main];
    if (!words || words->words == 0 || words->chunk >= image->chunk_count) {
        return (hoist_bytes){NULL, 0};
    }
    const hoist_bytes all = image->chunks[words->chunk].stream.bytes;
    return (hoist_bytes){all.data + (size_t)words->word * WORD, (size_t)words->words * WORD};
}

// Places of steps are the first instruction.
void darwinn_lower_place(darwinn_lower_lift *l, const dwn_words *words)
{
    const hoist_bytes record = record_of(l, words);
    l->steps.loc =
        record.size ? dwn_place_in_file(l->model->module, record.data) : hoist_loc_none();
    l->steps.loc.source = record.size ? l->model->source : 0;
}

hoist_status darwinn_lower_opaque(darwinn_lower_lift *l, const dwn_words *words,
                                  const hoist_lower_view *reads, uint32_t count,
                                  const hoist_lower_view *y)
{
    hoist_ref *views = hoist_lower_array(l->steps.c, (size_t)count + 1, sizeof *views);
    const darwinn_lower_chip *chip = l->model->chip;
    if (!views) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        views[i] = hoist_lower_view_ref(l->steps.c->b, &reads[i]);
    }
    const hoist_ref written = hoist_lower_view_ref(l->steps.c->b, y);
    const hoist_prog_opaque opaque = {.name = HOIST_STR("TENSOR"),
                                      .record = record_of(l, words),
                                      .reads = views,
                                      .read_count = count,
                                      .writes = &written,
                                      .write_count = 1,
                                      .skip = chip->c->options->on_unknown == HOIST_UNKNOWN_SKIP};
    (void)hoist_builder_step(l->steps.c->b, &(hoist_prog_step){.kind = HOIST_STEP_OPAQUE,
                                                               .loc = l->steps.loc,
                                                               .label = l->steps.label,
                                                               .as.opaque = &opaque});
    return hoist_builder_status(l->steps.c->b);
}

// What is left ----------------------------------------------------------------------------------

// A layer writes the output layer.
static bool is_made(const darwinn_lower_lift *l, uint32_t output)
{
    const dwn_recovery *recovery = &l->model->recovery;
    for (uint32_t i = 0; i < recovery->count; i++) {
        if (recovery->layers[i].output_layer == output) {
            return true;
        }
    }
    return false;
}

bool darwinn_lower_is_made(const darwinn_lower_lift *l)
{
    for (uint32_t i = 0; i < l->model->main->output_layers.count; i++) {
        if (!is_made(l, i)) {
            return false;
        }
    }
    return true;
}

// Values that no layer reads and no output is: something that is not understood must read them.
// NULL: out of memory.
static const hoist_lower_view *find_loose(darwinn_lower_lift *l, uint32_t *out_count)
{
    const dwn_recovery *recovery = &l->model->recovery;
    bool *is_read = hoist_lower_array(l->steps.c, (size_t)recovery->count + 1, sizeof *is_read);
    hoist_lower_view *loose =
        hoist_lower_array(l->steps.c, (size_t)recovery->count + 1, sizeof *loose);
    if (!is_read || !loose) {
        return NULL;
    }
    for (uint32_t i = 0; i < recovery->count; i++) {
        const dwn_recovered *layer = &recovery->layers[i];
        is_read[i] = layer->output_layer != DWN_NONE;
        for (uint32_t k = 0; k < layer->input_count; k++) {
            if (layer->inputs[k] < DWN_MODEL_INPUT) {
                is_read[layer->inputs[k]] = true;
            }
        }
    }
    *out_count = 0;
    for (uint32_t i = 0; i < recovery->count; i++) {
        if (!is_read[i]) {
            loose[(*out_count)++] = l->values[i];
        }
    }
    return loose;
}

// One opaque step for each output that is left, all with the first gap's instructions: it is not
// known which of them writes it.
hoist_status darwinn_lower_rest(darwinn_lower_lift *l)
{
    const dwn_recovery *recovery = &l->model->recovery;
    const dwn_words *words = recovery->gap_count ? &recovery->gaps[0].words : NULL;
    uint32_t count = 0;
    const hoist_lower_view *loose = find_loose(l, &count);
    if (!loose) {
        return HOIST_NO_MEMORY;
    }
    darwinn_lower_place(l, words);
    l->steps.label = HOIST_STR("unknown");
    const hoist_prog_work work = darwinn_lower_cycles(l->model, l->model->cycles.rest);
    hoist_builder_work(l->steps.c->b, &work);
    for (uint32_t i = 0; i < l->model->main->output_layers.count; i++) {
        if (!is_made(l, i)) {
            HOIST_TRY(darwinn_lower_opaque(l, words, loose, count, &l->outputs[i]));
        }
    }
    return HOIST_OK;
}
