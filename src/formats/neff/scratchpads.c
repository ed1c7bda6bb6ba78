// The scratchpads of a subgraph (neff reference 4.1): one for each fabric path and backing buffer.
// In go `virtual` variables, out come extents, sums and the order of slices, for info_subgraph.c,
// memory_use.c and neff_picture.c. check_scratchpad.c has the rules.
#include <stdlib.h>

#include "base/order.h"
#include "base/span.h"
#include "formats/neff/show.h"

typedef struct slice {
    const neff_var *var;
    uint32_t index;
} slice;

// Slices are in one area when both agree.
static int compare_areas(const neff_var *a, const neff_var *b)
{
    const int fabrics = hoist_order_i64(a->fabric, b->fabric);
    return fabrics ? fabrics : hoist_str_compare(a->backing_buf, b->backing_buf);
}

// By area, start and size; the index last, so that the order is the same everywhere.
static int compare_slices(const void *left, const void *right)
{
    const slice *const a = left;
    const slice *const b = right;
    const int areas = compare_areas(a->var, b->var);
    if (areas) {
        return areas;
    }
    const int starts = hoist_order_i64(a->var->backing_variable_off, b->var->backing_variable_off);
    const int sizes = starts ? starts : hoist_order_i64(a->var->size, b->var->size);
    return sizes ? sizes : hoist_order_u64(a->index, b->index);
}

// A slice that has a place in an area: known area, no negative numbers, end within 63 bits. Others
// have findings of rules 30 and 32.
static bool is_slice(const neff_var *var)
{
    return var->type == NEFF_VAR_VIRTUAL && var->fabric >= 0 && var->size >= 0 &&
           var->backing_variable_off >= 0 && var->size <= INT64_MAX - var->backing_variable_off;
}

// One sweep over slices by start: `extent` is the end so far, and only what lies after it is newly
// covered.
static neff_scratchpad add_up(const slice *slices, uint32_t count)
{
    neff_scratchpad pad = {
        .fabric = slices[0].var->fabric, .buffer = slices[0].var->backing_buf, .count = count};
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t start = (uint64_t)slices[i].var->backing_variable_off;
        const uint64_t end = start + (uint64_t)slices[i].var->size;
        pad.sum = neff_sum(pad.sum, end - start);
        if (end > pad.extent) { // a slice within earlier ones covers nothing new
            pad.covered += end - (start > pad.extent ? start : pad.extent);
            pad.extent = end;
        }
    }
    return pad;
}

hoist_status neff_scratchpads(const neff_subgraph *subgraph, hoist_arena *arena,
                              const neff_scratchpad **out_pads, uint32_t *out_count)
{
    uint32_t count = 0;
    slice *const slices = hoist_arena_array(arena, subgraph->var_count, sizeof(*slices));
    uint32_t *const vars = hoist_arena_array(arena, subgraph->var_count, sizeof(*vars));
    // At most one area for each variable.
    neff_scratchpad *const pads = hoist_arena_array(arena, subgraph->var_count, sizeof(*pads));
    *out_pads = pads;
    *out_count = 0;
    HOIST_TRY_MEMORY(slices && vars && pads);
    for (uint32_t i = 0; i < subgraph->var_count; i++) {
        if (is_slice(&subgraph->vars[i])) {
            slices[count++] = (slice){&subgraph->vars[i], i};
        }
    }
    qsort(slices, count, sizeof(*slices), compare_slices);
    for (uint32_t first = 0; first < count;) {
        uint32_t end = first;
        while (end < count && compare_areas(slices[first].var, slices[end].var) == 0) {
            vars[end] = slices[end].index;
            end++;
        }
        pads[*out_count] = add_up(&slices[first], end - first);
        pads[*out_count].vars = &vars[first];
        (*out_count)++;
        first = end;
    }
    return HOIST_OK;
}
