// Layers that compute each number of a value alone: another scale and zero point, the logistic
// function. In: a group whose weights are the identity (recover_given.c); out: one more layer.
#include <string.h>

#include "formats/darwinn/recover_layers.h"

// Whether both go over the channels of pixels at the same steps: between these each goes over its
// pixels, in as many loops as they lie in.
static bool has_same_channels(const dwn_traversal *a, const dwn_traversal *b, uint32_t words)
{
    const dwn_traversal *both[2] = {a, b};
    uint64_t steps[2][DWN_LOOPS] = {{0}, {0}}; // before each loop over channels, and its count
    uint64_t counts[2][DWN_LOOPS] = {{0}, {0}};
    for (size_t i = 0; i < 2; i++) {
        uint64_t product = 1;
        size_t found = 0;
        for (size_t k = 0; k < DWN_LOOPS; k++) {
            const dwn_loop *loop = &both[i]->loops[k];
            if (loop->count > 1 && loop->stride < words) {
                steps[i][found] = product;
                counts[i][found++] = loop->count;
            }
            product = dwn_times(product, loop->count);
        }
    }
    return memcmp(steps[0], steps[1], sizeof(steps[0])) == 0 &&
           memcmp(counts[0], counts[1], sizeof(counts[0])) == 0;
}

// Whether the operation goes over the words that it reads as over those that it writes, pixel after
// pixel and channel after channel.
static bool keeps_order(const dwn_operation *op, uint32_t words)
{
    dwn_operation reading = *op;
    reading.b = op->a;
    return has_same_channels(&op->a, &op->b, words) && dwn_writes_in_order(op, words) &&
           dwn_writes_in_order(&reading, words);
}

// All operations of the group; narrow ones have their own steps.
static bool is_in_order(const dwn_walk *w, const dwn_group *group, uint32_t words)
{
    bool is_so = true;
    for (uint32_t i = 0; i < group->count; i++) {
        is_so = is_so && keeps_order(&w->operations.items[group->first + i], words);
    }
    return is_so;
}

// The clamps of what goes into the table are symmetric; what comes out is from 0 to 1 with zero
// point 0.
static bool is_logistic(const dwn_operation *op)
{
    return dwn_float_of(op->low) == -dwn_float_of(op->high) && op->output_zero == 0;
}

// A value that was found.
typedef struct mapping {
    uint32_t value;
    bool is_sure;     // no other can be what is read
    bool is_in_order; // it is read and written in the same order
} mapping;

// The output has the input's extents; arithmetic is that of the operation.
static hoist_status add_mapped(dwn_walk *w, const dwn_group *group, const mapping *found)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    dwn_recovered layer = dwn_draft_layer(op, op->kind);
    layer.output = w->values[found->value].extent;
    layer.heuristics = 1u << (found->value == w->current ? DWN_GUESS_LAST : DWN_GUESS_ZERO_POINT);
    layer.heuristics |= found->is_in_order ? 0 : 1u << DWN_GUESS_ORDER;
    HOIST_TRY(dwn_add_layer(w, group, layer, &found->value, 1));
    dwn_doubt_last(w, !found->is_sure, DWN_DOUBT_INPUTS);
    dwn_set_needed(w, group, dwn_words_of(layer.output.c));
    return HOIST_OK;
}

// First a value with as many words, then values that are read as rows of one.
hoist_status dwn_take_unary(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    bool is_sure = false;
    uint32_t value = dwn_find_mapped(w, group, &is_sure);
    if (value == DWN_NONE) {
        HOIST_TRY(dwn_join_rows(w, group, &value));
        is_sure = value != DWN_NONE;
    }
    if (value == DWN_NONE || (op->kind == DWN_KIND_LOGISTIC && !is_logistic(op))) {
        return dwn_stop(w, "no value fits as the input of the operation on single numbers");
    }
    const uint32_t words = dwn_words_of(w->values[value].extent.c);
    const mapping found = {value, is_sure, is_in_order(w, group, words)};
    return add_mapped(w, group, &found);
}
