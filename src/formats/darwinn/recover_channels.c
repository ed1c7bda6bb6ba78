// Values that lie next to each other in each pixel that a group reads: a concatenation of channels
// for which the program moves them there, or does nothing. In: what the words of a pixel are
// (recover_trace.c); out: one more layer of the list, without operations, or the one that joins the
// same values already. Whether all other pixels are as this one is for recover_windows.c.
#include "formats/darwinn/recover_steps.h"
#include "formats/darwinn/recover_trace.h"

enum { PARTS = 16, WORD_CHANNELS = 4, MOST = 4096 }; // the last: steps until a word is known

typedef struct chain {
    uint32_t values[PARTS];
    uint32_t count;
    dwn_extent extent;
} chain;

// Whether all words of a pixel of a value are there, one after the other.
static bool has_pixel(dwn_walk *w, uint32_t tile, int64_t at, uint32_t value, uint32_t pixel)
{
    const uint32_t words = dwn_words_of(w->values[value].extent.c);
    for (uint32_t k = 0; k < words && dwn_trace_spend(w, 1); k++) {
        const dwn_held held = dwn_trace_at(w, tile, at + k);
        if (held.value != value + 1 || held.word != pixel * words + k) {
            return false;
        }
    }
    return w->trace->left > 0;
}

// The values of a pixel, from the word at an address on: each the same pixel of its value.
static void follow(dwn_walk *w, uint32_t tile, int64_t at, chain *c)
{
    *c = (chain){.count = 0};
    for (uint32_t pixel = 0; c->count < PARTS;) {
        const dwn_held held = dwn_trace_at(w, tile, at);
        if (held.value <= w->input_count) {
            return;
        }
        const uint32_t value = held.value - 1;
        const dwn_value *v = &w->values[value];
        const uint32_t words = dwn_words_of(v->extent.c);
        const bool is_first = c->count == 0;
        const dwn_value *first = is_first ? v : &w->values[c->values[0]];
        pixel = is_first ? held.word / words : pixel;
        // Whole words only: no gaps within a pixel.
        if (v->extent.c % WORD_CHANNELS != 0 || v->zero != first->zero ||
            v->extent.h != first->extent.h || v->extent.w != first->extent.w ||
            !has_pixel(w, tile, at, value, pixel)) {
            return;
        }
        c->extent = (dwn_extent){v->extent.h, v->extent.w, c->extent.c + v->extent.c};
        c->values[c->count++] = value;
        at += words;
    }
}

// From the first word that is known; the pixel's other words have to be known, too.
static bool find(dwn_walk *w, const dwn_group *group, chain *c)
{
    const dwn_operation *op = dwn_first_part(&w->operations, group);
    const uint32_t tile = (uint32_t)__builtin_ctz(op->tiles | 1u << (DWN_TRACE_TILES - 1));
    dwn_steps steps = dwn_steps_of(op->a.base, op->a.loops, DWN_LOOPS);
    dwn_geometry g;
    for (uint64_t i = 0; i < steps.count && i < MOST; i++, dwn_steps_next(&steps)) {
        if (dwn_trace_at(w, tile, steps.at).value != 0) {
            follow(w, tile, steps.at, c);
            return c->count > 1 && w->values[c->values[0]].zero == op->input_zero &&
                   c->extent.c <= DWN_MAX_EXTENT &&
                   dwn_geometry_of(&w->operations, group, c->extent, &g) &&
                   g.kind != DWN_KIND_DENSE;
        }
    }
    return false;
}

uint32_t dwn_joined_before(const dwn_walk *w, const uint32_t *values, uint32_t count)
{
    for (uint32_t i = 0; i < w->layer_count && i < DWN_LOOK_BACK; i++) {
        const uint32_t layer = w->layer_count - 1 - i;
        const dwn_recovered *l = &w->layers[layer];
        bool is_so = l->kind == DWN_KIND_CONCATENATION && !l->is_in_rows && l->input_count == count;
        for (uint32_t k = 0; k < count && is_so; k++) {
            is_so = dwn_value_of(w, l->inputs[k]) == values[k];
        }
        if (is_so) {
            return w->input_count + layer;
        }
    }
    return DWN_NONE;
}

hoist_status dwn_join_channels(dwn_walk *w, const dwn_group *group, uint32_t *out_value)
{
    chain c;
    *out_value = DWN_NONE;
    HOIST_TRY(dwn_trace_to(w, group->first));
    if (!find(w, group, &c)) {
        return HOIST_OK;
    }
    *out_value = dwn_joined_before(w, c.values, c.count);
    if (*out_value != DWN_NONE) {
        return HOIST_OK;
    }
    uint32_t *inputs = hoist_arena_array(w->arena, c.count, sizeof(*inputs));
    if (!inputs) {
        return HOIST_NO_MEMORY;
    }
    for (uint32_t i = 0; i < c.count; i++) {
        inputs[i] = w->values[c.values[i]].source;
    }
    dwn_add_join(w, &(dwn_join){inputs, c.count, c.extent, false}, w->made[inputs[0]].group);
    *out_value = w->current;
    return HOIST_OK;
}
