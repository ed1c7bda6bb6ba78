// A second reading of what an addition reads: what the words are that all tiles add up
// (recover_trace.c). In: a group and its operands, in the order of their factors; out: whether a
// word that is known is another one than that of the operand which goes to the same word of the
// output.
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

// Only words that are known can differ.
static bool is_other(const dwn_walk *w, uint32_t value, uint64_t word, dwn_held held)
{
    uint32_t found = 0;
    return held.value != 0 && (!dwn_trace_word(w, value, held, &found) || found != word);
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
        op->is_elsewhere || !dwn_trace_look(w, steps.count, &each)) {
        return false;
    }
    for (uint64_t i = 0; i < steps.count; i++, dwn_steps_next(&steps)) {
        if (i % each != 0) {
            continue;
        }
        const uint64_t word = word_of(s, op, tile, i);
        const int64_t other = (int64_t)((uint64_t)steps.at + second);
        if (is_other(w, s->values[0], word, dwn_trace_at(w, tile, steps.at)) ||
            is_other(w, s->values[1], word, dwn_trace_at(w, tile, other))) {
            return true;
        }
    }
    return false;
}

// One word that differs is enough.
hoist_status dwn_addends_differ(dwn_walk *w, const dwn_group *group, const uint32_t values[2],
                                dwn_extent output, bool *out_differ)
{
    sum s = {.values = values, .output = output};
    *out_differ = false;
    if (w->is_undoubted) {
        return HOIST_OK;
    }
    HOIST_TRY(dwn_trace_to(w, group->first));
    if (w->is_blind || !dwn_share_pixels(&w->operations, group, output, &s.shares)) {
        return HOIST_OK;
    }
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &w->operations.items[group->first + i];
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES && !*out_differ; tile++) {
            *out_differ = (op->tiles >> tile & 1) && adds_others(w, op, tile, &s);
        }
    }
    return HOIST_OK;
}
