// A second reading of what an addition reads: what the words are that all tiles add up
// (recover_trace.c). In: a group and its operands, in the order of their factors; out: whether a
// word that is known is another one than that of the operand which goes to the same word of the
// output; of operands that are cut from other values whether all words are known to be these.
#include "formats/darwinn/recover_steps.h"
#include "formats/darwinn/recover_trace.h"

enum { OPERANDS = 1, WORDS = 2 }; // loops: over both operands, and those after it

// The loops with their strides: with this flag a loop goes one word further than its increment.
// [observed: in all additions]
static void read_loops(const dwn_operation *op, dwn_loop out[DWN_LOOPS])
{
    enum { FURTHER = 2 };
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        out[i] = op->a.loops[i];
        out[i].increment += i >= OPERANDS && (out[i].flags & FURTHER) ? 1 : 0;
    }
    dwn_loops_set_strides(out, DWN_LOOPS);
}

// What is compared with the words.
typedef struct sum {
    const uint32_t *values;
    dwn_extent output;
    dwn_shares shares;
    bool is_proof; // each word has to be known
} sum;

// The word of the output that a tile writes in a step: loops that go less than a pixel are over the
// words of one.
static uint64_t word_of(const sum *s, const dwn_operation *op, uint32_t tile, uint64_t step)
{
    const uint64_t row = (uint64_t)s->output.w * s->shares.words;
    const uint32_t columns = s->shares.columns[tile];
    uint64_t word = 0;
    uint64_t pixel = 0;
    uint64_t pixels = 1;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const dwn_loop *loop = &op->b.loops[i];
        const uint64_t at = step % loop->count;
        const bool is_inside = loop->stride < s->shares.words;
        word += is_inside ? at * (uint64_t)loop->stride : 0;
        pixel += is_inside ? 0 : at * pixels;
        pixels *= is_inside ? 1 : loop->count;
        step /= loop->count;
    }
    return s->shares.first[tile] + pixel / columns * row + pixel % columns * s->shares.words + word;
}

// Only words that are known can differ; in a proof those that are not do.
static bool is_other(const dwn_walk *w, const sum *s, size_t operand, uint64_t word, dwn_held held)
{
    uint32_t found = 0;
    return held.value == 0 ? s->is_proof
                           : !dwn_trace_word(w, s->values[operand], held, &found) || found != word;
}

// Looks that only exclude something do not use up the steps that proofs need.
static bool may_look(dwn_walk *w, const sum *s, uint64_t steps, uint32_t *out_each)
{
    *out_each = 1;
    return s->is_proof ? dwn_trace_spend(w, steps) : dwn_trace_look(w, steps, out_each);
}

// Steps over both operands at once: the second is one step of the loop over operands further.
static bool adds_others(dwn_walk *w, const dwn_operation *op, uint32_t tile, const sum *s)
{
    dwn_loop loops[DWN_LOOPS];
    read_loops(op, loops);
    const uint64_t second = (uint64_t)loops[OPERANDS].stride;
    dwn_steps steps = dwn_steps_of(op->a.base, loops + WORDS, DWN_LOOPS - WORDS);
    uint32_t each = 1;
    const uint64_t words = dwn_part_made(op, s->shares.words).pixels * s->shares.words;
    if (loops[OPERANDS].count != 2 || steps.count != words || s->shares.columns[tile] == 0 ||
        op->is_elsewhere || !may_look(w, s, steps.count, &each)) {
        return s->is_proof;
    }
    for (uint64_t i = 0; i < steps.count; i++, dwn_steps_next(&steps)) {
        if (i % each != 0) {
            continue;
        }
        const uint64_t word = word_of(s, op, tile, i);
        const int64_t other = (int64_t)((uint64_t)steps.at + second);
        if (is_other(w, s, 0, word, dwn_trace_at(w, tile, steps.at)) ||
            is_other(w, s, 1, word, dwn_trace_at(w, tile, other))) {
            return true;
        }
    }
    return false;
}

// Whether a tile of a group adds other words.
static bool any_adds_others(dwn_walk *w, const dwn_group *group, const sum *s)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &w->operations.items[group->first + i];
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
            if ((op->tiles >> tile & 1) && adds_others(w, op, tile, s)) {
                return true;
            }
        }
    }
    return false;
}

// One word that differs is enough. A proof takes more steps: only slices need one.
hoist_status dwn_see_addends(dwn_walk *w, const dwn_group *group, const uint32_t values[2],
                             dwn_extent output, dwn_added *out)
{
    sum s = {.values = values, .output = output};
    *out = (dwn_added){.differ = false};
    const bool is_cut =
        dwn_cut_from(w, values[0]) != values[0] || dwn_cut_from(w, values[1]) != values[1];
    if (w->is_undoubted && !is_cut) {
        return HOIST_OK;
    }
    HOIST_TRY(dwn_trace_to(w, group->first));
    if (w->is_blind || !dwn_share_pixels(&w->operations, group, output, &s.shares)) {
        return HOIST_OK;
    }
    s.is_proof = is_cut;
    out->are_proven = is_cut && !any_adds_others(w, group, &s);
    s.is_proof = false;
    out->differ = !w->is_undoubted && !out->are_proven && any_adds_others(w, group, &s);
    return HOIST_OK;
}
