// Which value is where a group that is no sum of products reads: by what was written there last,
// or, where that is unknown, by what the words in the memories of tiles are (recover_trace.c). In:
// the walk so far and a group; out: the value. Operations that read the other memory in place of
// weights read what a copy brought there.
#include "formats/darwinn/recover_trace.h"

// Tile 15 where there is none, as in recover_writers.c.
static uint32_t first_tile(const dwn_operation *op)
{
    return (uint32_t)__builtin_ctz(op->tiles | 1u << (DWN_TRACE_TILES - 1));
}

// Whether an operation has what it computes with in place of weights: sums and maxima have.
static bool reads_weights(const dwn_operation *op)
{
    return op->opcode == DWN_OP_MAX || op->opcode == DWN_OP_SUM ||
           op->kind == DWN_KIND_AVERAGE_POOL;
}

bool dwn_spot_of(const dwn_walk *w, const dwn_group *group, dwn_spot *out)
{
    const dwn_operation *part = dwn_first_part(&w->operations, group);
    const uint32_t tile = first_tile(part);
    if (!reads_weights(part)) {
        *out = dwn_spot_before(&w->operations, group->first, tile, part->a.base);
        return !part->is_elsewhere;
    }
    const dwn_copy *copy = dwn_copy_for(&w->operations, part, tile, group->first);
    *out = copy ? dwn_spot_copied(copy, tile) : (dwn_spot){0};
    return copy != NULL;
}

// Writers first, as addresses are cheap; the trace is followed only where they do not know.
hoist_status dwn_value_at(dwn_walk *w, const dwn_spot *spot, uint32_t *out_value)
{
    *out_value = dwn_writer_of(w, spot);
    if (*out_value == DWN_NONE) {
        HOIST_TRY(dwn_trace_to(w, spot->operation));
        const bool is_now = w->trace->operation == spot->operation;
        const dwn_held held =
            is_now ? dwn_trace_at(w, spot->tile, spot->address) : (dwn_held){0, 0};
        *out_value = held.value == 0 ? DWN_NONE : held.value - 1;
    }
    return HOIST_OK;
}

// A value that was written where the group reads is sure; else the most recent one of the zero
// point, sure if it is the only one.
hoist_status dwn_find_read(dwn_walk *w, const dwn_group *group, uint8_t zero, dwn_seen *out)
{
    dwn_spot spot;
    const bool is_there = dwn_spot_of(w, group, &spot);
    const uint32_t written = is_there ? dwn_writer_of(w, &spot) : DWN_NONE;
    *out = (dwn_seen){dwn_find_value(w, zero, (dwn_extent){0}), false};
    if (out->value != DWN_NONE && written == DWN_NONE) {
        uint32_t there = DWN_NONE;
        if (is_there) {
            HOIST_TRY(dwn_value_at(w, &spot, &there));
        }
        out->is_sure = there == DWN_NONE ? w->zeros[zero] == 1 : dwn_is_part(w, there, out->value);
        return HOIST_OK;
    }
    const uint32_t count = dwn_value_count(w);
    for (uint32_t back = 0; !out->is_sure && back <= count && back <= DWN_LOOK_BACK; back++) {
        const uint32_t value = back == 0 ? w->current : count - back;
        if (w->values[value].zero == zero && dwn_is_part(w, written, value)) {
            *out = (dwn_seen){value, true};
        }
    }
    return HOIST_OK;
}

// Whether a word is known to be of one of the values that the last layer reads.
static hoist_status see_input(dwn_walk *w, const dwn_spot *spot, bool *out_is_so)
{
    const dwn_recovered *layer = &w->layers[w->layer_count - 1];
    uint32_t value = DWN_NONE;
    HOIST_TRY(dwn_value_at(w, spot, &value));
    *out_is_so = false;
    for (uint32_t i = 0; i < layer->input_count && value != DWN_NONE; i++) {
        *out_is_so = *out_is_so || dwn_is_part(w, value, dwn_value_of(w, layer->inputs[i]));
    }
    return HOIST_OK;
}

// The same of the factors of a multiplication, one of which is copied from where it is.
static hoist_status see_factors(dwn_walk *w, const dwn_group *group, bool *out_is_so)
{
    const dwn_operations *all = &w->operations;
    const dwn_operation *part = dwn_first_part(all, group);
    const uint32_t tile = first_tile(part);
    const dwn_copy *copy = dwn_copy_for(all, part, tile, group->first + group->count);
    const dwn_spot first = dwn_spot_before(all, group->first, tile, part->a.base);
    HOIST_TRY(see_input(w, &first, out_is_so));
    if (*out_is_so && copy) {
        const dwn_spot second = dwn_spot_before(all, group->first, tile, copy->base);
        return see_input(w, &second, out_is_so);
    }
    *out_is_so = false;
    return HOIST_OK;
}

hoist_status dwn_doubt_unseen(dwn_walk *w, const dwn_group *group)
{
    const dwn_layer_kind kind = w->layers[w->layer_count - 1].kind;
    bool is_seen = w->made[w->layer_count - 1].is_sure;
    dwn_spot spot;
    if (kind == DWN_KIND_MULTIPLY) {
        HOIST_TRY(see_factors(w, group, &is_seen));
    } else if (!dwn_kind_has_products(kind) && dwn_spot_of(w, group, &spot)) {
        HOIST_TRY(see_input(w, &spot, &is_seen));
    }
    dwn_doubt_last(w, !is_seen, DWN_DOUBT_INPUTS);
    return HOIST_OK;
}
