// The memory that the variables of a subgraph take in each area (neff reference 4.1), for
// info_subgraph.c and neff_picture.c: in go variables and scratchpads (scratchpads.c), out come
// bytes by use.
#include "formats/neff/show.h"

static neff_use use_of(const neff_var *var)
{
    static const uint8_t uses[NEFF_VAR_DOCUMENTED] = {
        [NEFF_VAR_STATE_BUFFER] = NEFF_USE_ON_CHIP, [NEFF_VAR_INPUT] = NEFF_USE_TENSORS,
        [NEFF_VAR_OUTPUT] = NEFF_USE_TENSORS,       [NEFF_VAR_FILE] = NEFF_USE_CONSTANTS,
        [NEFF_VAR_TMP_BUF] = NEFF_USE_BUFFERS,      [NEFF_VAR_VIRTUAL] = NEFF_USE_SCRATCHPAD,
        [NEFF_VAR_POINTER] = NEFF_USE_TABLES,       [NEFF_VAR_DGE_TABLE] = NEFF_USE_TABLES,
    };
    // Types whose use is not public.
    const bool known = var->type >= 0 && var->type < NEFF_VAR_DOCUMENTED;
    return known ? (neff_use)uses[var->type] : NEFF_USE_OTHER;
}

void neff_areas(const neff_subgraph *subgraph, const neff_scratchpad *pads, uint32_t pad_count,
                neff_area out_areas[NEFF_FABRIC_COUNT])
{
    for (int f = 0; f < NEFF_FABRIC_COUNT; f++) {
        out_areas[f] = (neff_area){0};
    }
    for (uint32_t i = 0; i < subgraph->var_count; i++) {
        const neff_var *const var = &subgraph->vars[i];
        const neff_use use = use_of(var);
        if (var->fabric < 0 || use == NEFF_USE_ON_CHIP) { // in no area; on the chip
            continue;
        }
        neff_area *const area = &out_areas[var->fabric];
        area->used = true;
        if (use != NEFF_USE_SCRATCHPAD) { // slices share bytes: the extent counts
            area->bytes[use] = neff_sum(area->bytes[use], neff_size(var->size));
        }
    }
    for (uint32_t i = 0; i < pad_count; i++) {
        uint64_t *const extent = &out_areas[pads[i].fabric].bytes[NEFF_USE_SCRATCHPAD];
        *extent = neff_sum(*extent, pads[i].extent);
    }
}
