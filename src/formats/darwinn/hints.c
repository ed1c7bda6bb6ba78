// The hints and the buffers of an executable as plain lists (darwinn reference section 4). In: the
// rows of the FlatBuffer (schema.h), which may hold any numbers; out: one dwn_hint for each stored
// hint, one dwn_place for each buffer. hints_make.c goes the other way.
#include "formats/darwinn/hints.h"

#include "base/span.h"

// All elements of a batch belong to one place, addressed by their number.
static void add_places(const dwn_layer *layers, uint32_t count, dwn_desc desc, int32_t batch,
                       dwn_place *places)
{
    for (uint32_t i = 0; i < count; i++) {
        places[i] = (dwn_place){.name = layers[i].name.data ? layers[i].name : HOIST_STR(""),
                                .desc = (int16_t)desc,
                                .count = batch > 0 ? (uint32_t)batch : 1};
    }
}

dwn_place *dwn_places_of(const dwn_executable *e, hoist_arena *arena, size_t *out_count)
{
    *out_count = (size_t)DWN_PLACE_LAYERS + e->input_layers.count + e->output_layers.count;
    dwn_place *const places = hoist_arena_array(arena, *out_count, sizeof(*places));
    if (places) {
        places[DWN_PLACE_PARAMETERS] =
            (dwn_place){.name = HOIST_STR(""), .desc = DWN_DESC_PARAMETER, .count = 1};
        places[DWN_PLACE_SCRATCH] =
            (dwn_place){.name = HOIST_STR(""), .desc = DWN_DESC_SCRATCH, .count = 1};
        add_places(e->input_layers.items, e->input_layers.count, DWN_DESC_INPUT, e->batch_size,
                   places + DWN_PLACE_LAYERS);
        add_places(e->output_layers.items, e->output_layers.count, DWN_DESC_OUTPUT, e->batch_size,
                   places + DWN_PLACE_LAYERS + e->input_layers.count);
    }
    return places;
}

// -1 as kind of buffer where meta is missing, which no buffer has.
static dwn_hint dma_of(const dwn_dma_hint *stored, int16_t direction)
{
    dwn_hint hint = {.kind = DWN_HINT_DMA,
                     .direction = direction,
                     .desc = -1,
                     .offset = stored->offset_in_bytes,
                     .size = stored->size_in_bytes};
    if (stored->meta) {
        const bool is_layer = dwn_desc_is_layer(stored->meta->desc);
        hint.desc = stored->meta->desc;
        hint.batch = is_layer ? stored->meta->batch : 0;
        hint.name = is_layer ? stored->meta->name : (hoist_str){"", 0};
    }
    return hint;
}

// A union without a value is a NONE hint (rule 50).
static dwn_hint hint_of(const dwn_stored_hint *stored)
{
    const void *const value = stored->any_hint.value;
    dwn_hint hint = {.kind = DWN_HINT_NONE};
    if (!value) {
        return hint;
    }
    hint.kind = stored->any_hint.type;
    if (hint.kind == DWN_HINT_DMA) {
        return dma_of(value, stored->direction);
    }
    if (hint.kind == DWN_HINT_INSTRUCTION) {
        hint.index = ((const dwn_instruction_hint *)value)->instruction_chunk_index;
    } else if (hint.kind == DWN_HINT_INTERRUPT) {
        hint.index = ((const dwn_interrupt_hint *)value)->type;
    }
    return hint;
}

// Stored hints keep their indices, so that findings can name them.
hoist_status dwn_hints_of(const dwn_executable *executable, hoist_arena *arena,
                          dwn_hint **out_hints, size_t *out_count)
{
    const dwn_hints *const stored = executable->dma_hints;
    const uint32_t count = stored ? stored->hints.count : 0;
    dwn_hint *const hints = hoist_arena_array(arena, count, sizeof(*hints));
    *out_hints = hints;
    *out_count = count;
    if (!hints) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        hints[i] = hint_of(&stored->hints.items[i]);
    }
    return HOIST_OK;
}
