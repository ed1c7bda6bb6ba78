// Layers of operations that are not understood, and the arrays of those that have no row of
// weights. In: a group; out: one more layer, which passes its input on, or why recovery stops.
#include "formats/darwinn/recover_layers.h"

enum {
    MODE_CONSTANTS = 0x80, // bit of the mode: its arrays are no parameters [inferred]
    MODE_SCALAR = 0x0070,  // one row [inferred]
};

bool dwn_find_arrays(const dwn_walk *w, const dwn_operation *op, dwn_piece *out)
{
    const uint64_t arrays = (uint64_t)op->has_multipliers + op->has_bias + op->has_weight_zeros;
    const uint64_t words =
        op->mode == MODE_SCALAR ? 1 : dwn_words_of(w->values[w->current].extent.c);
    const uint64_t size = words * DWN_ARRAY_WORD * arrays;
    return dwn_block_find(&w->sources, size, true, out) ||
           dwn_block_find(&w->sources, size, false, out);
}

// Constants of the instruction stand in for the arrays where the bit is set.
bool dwn_has_arrays(const dwn_operation *op)
{
    return !(op->mode & MODE_CONSTANTS) &&
           (op->has_multipliers || op->has_bias || op->has_weight_zeros);
}

hoist_status dwn_take_unknown(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const bool is_pass = dwn_float_of(op->multiplier) == 1.0f && !op->has_multipliers;
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_UNKNOWN);
    dwn_piece piece;
    if (dwn_has_arrays(op)) {
        if (!dwn_find_arrays(w, op, &piece)) {
            return dwn_stop(w, "the kind of the operation is unknown");
        }
        if (!dwn_take_block(w, &piece, &layer)) {
            return HOIST_NO_MEMORY;
        }
    }
    const uint32_t value = w->current;
    layer.output = w->values[value].extent;
    layer.heuristics = 1u << DWN_GUESS_PASS;
    w->is_blind = w->is_blind || !is_pass;
    return dwn_add_layer(w, group, layer, &value, 1);
}
