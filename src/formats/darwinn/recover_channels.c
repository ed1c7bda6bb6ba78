// Channels that lie next to each other in each pixel that a group reads: of values that are joined,
// or some of those of a value, for which the program moves them there, or does nothing. In: what
// the words of a pixel are (recover_trace.c); out: layers without operations (recover_slices.c), or
// those that give the same already. Whether all other pixels are as this one is for
// recover_windows.c.
#include "formats/darwinn/recover_steps.h"
#include "formats/darwinn/recover_trace.h"

enum { PARTS = 16, MOST = 4096 }; // the latter: steps until a word is known

typedef struct chain {
    dwn_run runs[PARTS];
    uint32_t count;
    dwn_extent extent;
    uint32_t pitch; // words from one pixel to the next
} chain;

// How many words of a pixel of a value are there, one after the other, the first at an address.
static uint32_t words_at(dwn_walk *w, uint32_t tile, int64_t at, dwn_held held, uint64_t most)
{
    const uint32_t words = dwn_words_of(w->values[held.value - 1].extent.c);
    const uint32_t left = words - held.word % words;
    const uint32_t looked = left < most ? left : (uint32_t)most;
    return dwn_trace_spend(w, looked) ? dwn_trace_run(w, tile, at, held, looked) : 0;
}

// The channels of a pixel, from the word at an address on, in at most so many words: each of the
// same pixel of its value.
static void follow(dwn_walk *w, uint32_t tile, int64_t at, uint64_t most, chain *c)
{
    *c = (chain){.count = 0};
    for (uint32_t pixel = 0; c->count < PARTS && most > 0;) {
        const dwn_held held = dwn_trace_at(w, tile, at);
        if (held.value == 0) {
            return;
        }
        const uint32_t value = held.value - 1;
        const dwn_value *v = &w->values[value];
        const uint32_t words = dwn_words_of(v->extent.c);
        const bool is_first = c->count == 0;
        const dwn_value *first = is_first ? v : &w->values[c->runs[0].value];
        const uint32_t count = words_at(w, tile, at, held, most);
        pixel = is_first ? held.word / words : pixel;
        // Whole words only: no gaps within a pixel.
        if (v->extent.c % DWN_WORD_CHANNELS != 0 || v->zero != first->zero ||
            v->extent.h != first->extent.h || v->extent.w != first->extent.w ||
            held.word / words != pixel || count == 0) {
            return;
        }
        c->runs[c->count++] =
            (dwn_run){value, held.word % words * DWN_WORD_CHANNELS, count * DWN_WORD_CHANNELS};
        c->extent = (dwn_extent){v->extent.h, v->extent.w, c->extent.c + count * DWN_WORD_CHANNELS};
        at += count;
        most -= count;
    }
}

// Words that an operation reads of a pixel, or of pixels that are next to each other: those that
// its loops go through one after the other, whichever of them is inside. Loops that stand still
// repeat them.
static uint64_t words_in_row(const dwn_traversal *a)
{
    dwn_loop moving[DWN_LOOPS];
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        moving[i] = a->loops[i].stride != 0 ? a->loops[i] : (dwn_loop){.count = 1};
    }
    const dwn_steps steps = dwn_steps_of(a->base, moving, DWN_LOOPS);
    const dwn_steps sorted = dwn_steps_sorted(&steps);
    return dwn_steps_run(&sorted, 1);
}

// Whether a step is one that begins a pixel of so many words, or the first part of one: the first
// loop goes through words of pixels, if they are next to each other there; else channels are the
// last one, so that all steps before its second one begin pixels.
static bool begins_pixel(const dwn_steps *steps, uint64_t step, uint32_t own)
{
    const uint32_t inside = steps->loops > 0 && steps->strides[0] == 1 ? steps->counts[0] : 1;
    return step % (inside < own ? inside : own) == 0;
}

// Words from a pixel that is at an address to the next one of its row, where the tile has that:
// more than those of the pixel where other values lie between them. DWN_NONE: it is not there.
static uint32_t pitch_at(dwn_walk *w, uint32_t tile, int64_t at, uint32_t own)
{
    const dwn_held held = dwn_trace_at(w, tile, at);
    const uint32_t words = dwn_words_of(w->values[held.value - 1].extent.c);
    for (uint32_t pitch = own; pitch < MOST && dwn_trace_spend(w, 1); pitch++) {
        const dwn_held next = dwn_trace_at(w, tile, at + pitch);
        if (next.value == held.value && next.word == held.word + words) {
            return pitch;
        }
    }
    return DWN_NONE;
}

// Loops over pixels that are `pitch` words apart, as loops over pixels with nothing between them.
// False: they are none.
static bool close_up(dwn_traversal *a, uint32_t own, uint32_t pitch)
{
    bool is_so = true;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        dwn_loop *const loop = &a->loops[i];
        const bool is_inside = loop->stride >= 0 && loop->stride < own;
        const bool is_over = loop->stride % pitch == 0;
        is_so = is_so && (loop->count == 1 || is_inside || is_over);
        loop->stride = !is_inside && is_over ? loop->stride / pitch * own : loop->stride;
    }
    return is_so;
}

// How the group reads the channels: where pixels are further apart, as if they were not.
static hoist_status read_geometry(dwn_walk *w, const dwn_group *group, const chain *c,
                                  dwn_geometry *g, bool *out_fits)
{
    const uint32_t own = c->extent.c / DWN_WORD_CHANNELS;
    const dwn_group alone = {0, group->count, group->widest - group->first, group->tiles,
                             group->produced};
    *out_fits = c->pitch == own && dwn_geometry_of(&w->operations, group, c->extent, g);
    if (c->pitch == own) {
        return HOIST_OK;
    }
    dwn_operations all = w->operations;
    all.items = hoist_arena_array(w->scratch, group->count, sizeof(*all.items));
    if (!all.items) {
        return HOIST_NO_MEMORY;
    }
    bool is_so = true;
    for (uint32_t i = 0; i < group->count; i++) {
        all.items[i] = w->operations.items[group->first + i];
        is_so = is_so && close_up(&all.items[i].a, own, c->pitch);
    }
    *out_fits = is_so && dwn_geometry_of(&all, &alone, c->extent, g);
    return HOIST_OK;
}

// From the first word that is known; the pixel's other words have to be known, too. False: no
// channels begin there.
static bool find(dwn_walk *w, const dwn_group *group, chain *c)
{
    const dwn_operation *op = dwn_first_part(&w->operations, group);
    const uint32_t tile = (uint32_t)__builtin_ctz(op->tiles | 1u << (DWN_TRACE_TILES - 1));
    dwn_steps steps = dwn_steps_of(op->a.base, op->a.loops, DWN_LOOPS);
    const uint64_t most = words_in_row(&op->a);
    for (uint64_t i = 0; i < steps.count && i < MOST; i++, dwn_steps_next(&steps)) {
        if (dwn_trace_at(w, tile, steps.at).value == 0) {
            continue;
        }
        follow(w, tile, steps.at, most, c);
        const uint32_t own = c->extent.c / DWN_WORD_CHANNELS;
        if (c->count == 0 || c->extent.c > DWN_MAX_EXTENT || !begins_pixel(&steps, i, own) ||
            w->values[c->runs[0].value].zero != op->input_zero) {
            return false;
        }
        c->pitch = pitch_at(w, tile, steps.at, own);
        c->pitch = c->pitch == DWN_NONE ? own : c->pitch;
        // All of one value as it is, is nothing to be made.
        return c->count > 1 || c->pitch != own || !dwn_run_is_whole(w, &c->runs[0]);
    }
    return false;
}

hoist_status dwn_join_channels(dwn_walk *w, const dwn_group *group, uint32_t *out_value,
                               dwn_geometry *out_geometry)
{
    chain c;
    bool fits = false;
    *out_value = DWN_NONE;
    HOIST_TRY(dwn_trace_to(w, group->first));
    if (!find(w, group, &c)) {
        return HOIST_OK;
    }
    HOIST_TRY(read_geometry(w, group, &c, out_geometry, &fits));
    if (!fits || out_geometry->kind == DWN_KIND_DENSE) {
        return HOIST_OK;
    }
    const dwn_use use = {(uint32_t)(group - w->operations.groups), false};
    return dwn_join_runs(w, c.runs, c.count, use, out_value);
}
