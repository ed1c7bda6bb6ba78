#include "formats/darwinn/hints.h"

static dwn_hint dma_of(const dwn_dma_hint *stored, int16_t direction)
{
    dwn_hint hint = {.kind = DWN_HINT_DMA,
                     .direction = direction,
                     .desc = -1,
                     .offset = stored->offset_in_bytes,
                     .size = stored->size_in_bytes};
    if (stored->meta) {
        const bool is_layer =
            stored->meta->desc == DWN_DESC_INPUT || stored->meta->desc == DWN_DESC_OUTPUT;
        hint.desc = stored->meta->desc;
        hint.batch = is_layer ? stored->meta->batch : 0;
        hint.name = is_layer ? stored->meta->name : (hoist_str){"", 0};
    }
    return hint;
}

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
