// Layers that compute each number of a value alone: another scale and zero point, the logistic
// function. In: a group whose weights are the identity (recover_given.c); out: one more layer.
#include "formats/darwinn/recover_work.h"

// Whether the operation goes over the words that it reads as over those that it writes, pixel after
// pixel and channel after channel.
static bool keeps_order(const dwn_operation *op, uint32_t words)
{
    dwn_operation reading = *op;
    bool is_same = true;
    reading.b = op->a;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        is_same = is_same && op->a.loops[i].count == op->b.loops[i].count;
    }
    return is_same && dwn_writes_in_order(op, words) && dwn_writes_in_order(&reading, words);
}

static bool is_in_order(const dwn_walk *w, const dwn_group *group, uint32_t words)
{
    bool is_so = true;
    for (uint32_t i = 0; i < group->count; i++) {
        is_so = is_so && keeps_order(&w->operations.items[group->first + i], words);
    }
    return is_so;
}

// Clamps and numbers of what goes into the table, and comes out of it.
static bool is_logistic(const dwn_operation *op)
{
    return dwn_float_of(op->low) == -dwn_float_of(op->high) && op->output_zero == 0;
}

hoist_status dwn_take_unary(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    bool is_sure = false;
    const uint32_t value = dwn_find_mapped(w, group, &is_sure);
    if (value == DWN_NONE || (op->kind == DWN_KIND_LOGISTIC && !is_logistic(op))) {
        w->stopped = "no value fits as the input of the operation on single numbers";
        return HOIST_OK;
    }
    const uint32_t words = dwn_words_of(w->values[value].extent.c);
    const dwn_mapping mapping = {value, is_sure, is_in_order(w, group, words)};
    return dwn_add_mapped(w, group, &mapping);
}
