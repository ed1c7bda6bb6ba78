// A second reading of windows, strides, padding and of the value that a layer reads: what the words
// are that all tiles read (recover_trace.c). In: a group and a geometry; out: whether each tap of
// each pixel is the word of the value that they say, and no word of it where they say padding.
#include "formats/darwinn/recover_steps.h"
#include "formats/darwinn/recover_trace.h"

// What is compared with the words.
typedef struct look {
    uint32_t value;
    dwn_extent input;
    uint32_t words;   // of a pixel of the input
    uint32_t checked; // of these: all of a value that others were joined to
    dwn_geometry *g;
    dwn_shares shares;   // of the output
    bool allows_unknown; // words may be unknown, and tiles that do not show how they read
    bool has_padding;    // it was found
    int64_t padding[2];
    uint32_t parts; // of a tile and an operation each, that were looked at when it was found
} look;

// The loops over taps and pixels, the innermost first: those that step over a pixel. One that goes
// through the words of several pixels is two.
static size_t loops_of(const dwn_operation *op, uint32_t words, dwn_loop out[DWN_LOOPS + 1])
{
    size_t count = 0;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const dwn_loop *loop = &op->a.loops[i];
        if (loop->count > 1 && loop->stride >= words) {
            out[count++] = *loop;
        } else if (loop->stride == 1 && loop->count > words && loop->count % words == 0) {
            out[count++] = (dwn_loop){.count = loop->count / words, .stride = words};
        }
    }
    return count;
}

// Where the first tap of a pixel reads, along rows and columns, but for the padding.
static void corner_of(const look *l, uint32_t tile, uint64_t pixel, int64_t out[2])
{
    const dwn_geometry *g = l->g;
    const uint64_t first = l->shares.first[tile] / l->shares.words;
    const uint64_t row = first / g->output.w + pixel / l->shares.columns[tile];
    const uint64_t column = first % g->output.w + pixel % l->shares.columns[tile];
    out[0] = (int64_t)(row * g->stride[0]);
    out[1] = (int64_t)(column * g->stride[1]);
}

// Compares word `k` of a pixel with what should be there; the first that is known says what the
// padding is.
static bool is_word(const dwn_walk *w, look *l, const int64_t at[2], uint32_t k, dwn_held held)
{
    uint32_t word = 0;
    const bool is_there = dwn_trace_word(w, l->value, held, &word);
    const uint32_t pixel = word / l->words;
    const int64_t found[2] = {pixel / l->input.w, pixel % l->input.w};
    // Before the padding is known, words of other values may be padding.
    if (!is_there && !l->has_padding) {
        return true; // padding, if at all
    }
    for (size_t i = 0; i < 2 && !l->has_padding; i++) {
        l->padding[i] = at[i] - found[i];
    }
    l->has_padding = true;
    const int64_t row = at[0] - l->padding[0];
    const int64_t column = at[1] - l->padding[1];
    const bool is_inside = row >= 0 && row < l->input.h && column >= 0 && column < l->input.w;
    return is_there == is_inside &&
           (!is_there || (row == found[0] && column == found[1] && word % l->words == k));
}

// Looks that only exclude something do not use up the steps that proofs need.
static bool may_look(dwn_walk *w, const look *l, uint64_t steps, uint32_t *out_each)
{
    return l->allows_unknown ? dwn_trace_look(w, steps, out_each) : dwn_trace_spend(w, steps);
}

// Words of one pixel of a value, one after the other: what holds of the first holds of all of them.
static uint32_t alike_from(const dwn_walk *w, uint32_t tile, int64_t address, dwn_held held,
                           uint32_t most)
{
    const uint32_t words = held.value > 0 ? dwn_words_of(w->values[held.value - 1].extent.c) : 1;
    const uint32_t left = words - held.word % words;
    return held.value > 0 && most > 1
               ? dwn_trace_run(w, tile, address, held, left < most ? left : most)
               : 1;
}

// Whether the words of a pixel that a tap reads are what should be there.
static bool is_pixel(const dwn_walk *w, uint32_t tile, int64_t first, const int64_t at[2], look *l)
{
    for (uint32_t k = 0; k < l->checked;) {
        const int64_t address = (int64_t)((uint64_t)first + k);
        const dwn_held held = dwn_trace_at(w, tile, address);
        if (!(held.value == 0 && l->allows_unknown) && !is_word(w, l, at, k, held)) {
            return false;
        }
        k += alike_from(w, tile, address, held, l->checked - k);
    }
    return true;
}

// All taps of all pixels of a tile, but for those that a look leaves out. A tile whose loops do not
// show how it reads proves nothing.
static bool reads_window(dwn_walk *w, const dwn_operation *op, uint32_t tile, look *l)
{
    dwn_loop loops[DWN_LOOPS + 1];
    const size_t count = loops_of(op, l->words, loops);
    const uint64_t taps = (uint64_t)l->g->kernel[0] * l->g->kernel[1];
    dwn_steps steps = dwn_steps_of(op->a.base, loops, count < DWN_LOOPS ? count : DWN_LOOPS);
    uint32_t each = 1;
    if (count > DWN_LOOPS || l->shares.columns[tile] == 0 || op->is_elsewhere ||
        steps.count % taps != 0 || !may_look(w, l, dwn_times(steps.count, l->checked), &each)) {
        return l->allows_unknown;
    }
    int64_t corner[2] = {0, 0};
    for (uint64_t i = 0; i < steps.count; i += each) {
        const uint32_t tap = (uint32_t)(i % taps);
        if (tap == 0 || each > 1) {
            corner_of(l, tile, i / taps, corner);
        }
        const int64_t at[2] = {corner[0] + (int64_t)(tap / l->g->kernel[1]) * l->g->dilation[0],
                               corner[1] + (int64_t)(tap % l->g->kernel[1]) * l->g->dilation[1]};
        if (!is_pixel(w, tile, each > 1 ? dwn_steps_address(&steps, i) : steps.at, at, l)) {
            return false;
        }
        if (each == 1) {
            dwn_steps_next(&steps);
        }
    }
    return true;
}

// All tiles, of each operation; at most so many parts.
static bool reads_parts(dwn_walk *w, const dwn_group *group, look *l, uint32_t most)
{
    bool is_so = true;
    uint32_t parts = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &w->operations.items[group->first + i];
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES && is_so && parts < most; tile++) {
            if (op->tiles >> tile & 1) {
                is_so = reads_window(w, op, tile, l);
                parts++;
                l->parts += !l->has_padding;
            }
        }
    }
    return is_so;
}

// All of it; what came before the padding was found is looked at again.
static bool reads_windows(dwn_walk *w, const dwn_group *group, look *l)
{
    const bool is_so = dwn_share_pixels(&w->operations, group, l->g->output, &l->shares) &&
                       reads_parts(w, group, l, UINT32_MAX) &&
                       reads_parts(w, group, l, l->parts + 1);
    bool is_padding = l->has_padding;
    for (size_t i = 0; i < 2; i++) {
        const int64_t reach = (int64_t)(l->g->kernel[i] - 1) * l->g->dilation[i];
        is_padding = is_padding && l->padding[i] >= 0 && l->padding[i] <= reach;
    }
    return is_so && is_padding;
}

// The first word that a group reads and that is known: those before it may be padding.
static dwn_held first_word(const dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_first_part(&w->operations, group);
    const uint32_t tile = (uint32_t)__builtin_ctz(op->tiles | 1u << (DWN_TRACE_TILES - 1));
    dwn_steps steps = dwn_steps_of(op->a.base, op->a.loops, DWN_LOOPS);
    enum { MOST = 4096 };
    for (uint64_t i = 0; i < steps.count && i < MOST; i++, dwn_steps_next(&steps)) {
        const dwn_held held = dwn_trace_at(w, tile, steps.at);
        if (held.value != 0) {
            return held;
        }
    }
    return (dwn_held){0, 0};
}

// Whether nothing but its words says where a value is: it was joined by them.
static bool is_joined(const dwn_walk *w, uint32_t value)
{
    return value >= w->input_count && !w->values[value].has_base;
}

// Dense layers have no windows to look at.
static bool is_windowed(const dwn_geometry *g)
{
    return g->kind == DWN_KIND_CONVOLUTION || g->kind == DWN_KIND_DEPTHWISE;
}

// Whether something of what was found needs another reading.
static bool is_doubtful(const dwn_walk *w, uint32_t value, const dwn_geometry *g)
{
    const bool has_taps = g->kernel[0] > 1 || g->kernel[1] > 1;
    if (value == DWN_NONE || !g->is_sure || is_joined(w, value)) {
        return true;
    }
    const dwn_sides same = dwn_padding_same(g, w->values[value].extent);
    return is_windowed(g) && has_taps && !g->is_padded &&
           (!g->is_read || (g->heuristics >> DWN_GUESS_SQUARE & 1) || g->padding[0] != same.top ||
            g->padding[1] != same.left);
}

// Only what is in doubt is followed, since that takes most of the time of a recovery.
hoist_status dwn_trace_window(dwn_walk *w, const dwn_group *group, uint32_t *value,
                              dwn_geometry *geometry)
{
    if (w->is_blind || !is_doubtful(w, *value, geometry)) {
        return HOIST_OK;
    }
    if (*value != DWN_NONE && is_joined(w, *value)) {
        geometry->is_sure = false; // until its words are seen
        geometry->other = 0;
    }
    HOIST_TRY(dwn_trace_to(w, group->first));
    const dwn_held held = first_word(w, group);
    uint32_t word = 0;
    // The value that was found, if the word is of it.
    const uint32_t found = *value != DWN_NONE && dwn_trace_word(w, *value, held, &word) ? *value
                           : held.value != 0 ? held.value - 1
                                             : DWN_NONE;
    const dwn_value *v = found == DWN_NONE ? NULL : &w->values[found];
    dwn_geometry g = *geometry;
    if (!v || v->zero != dwn_widest_of(w, group)->input_zero ||
        (found != *value && !dwn_geometry_of(&w->operations, group, v->extent, &g)) ||
        !is_windowed(&g) || (g.is_counted && found != *value)) {
        return HOIST_OK;
    }
    look l = {.value = found, .input = v->extent, .words = dwn_words_of(v->extent.c), .g = &g};
    l.checked = is_joined(w, found) ? l.words : 1; // joined values have no other proof
    if (!reads_windows(w, group, &l)) {
        return HOIST_OK;
    }
    g.padding[0] = (uint32_t)l.padding[0];
    g.padding[1] = (uint32_t)l.padding[1];
    g.heuristics &= ~(1u << DWN_GUESS_SAME | 1u << DWN_GUESS_LAST | 1u << DWN_GUESS_ZERO_POINT);
    g.heuristics |= 1u << DWN_GUESS_ADDRESS;
    const bool has_strides = g.output.h > 1 && g.output.w > 1; // one row or column shows no stride
    g.heuristics &= has_strides ? ~(1u << DWN_GUESS_STRIDE) : ~0u;
    g.is_traced = g.is_sure = g.is_read = true;
    *value = found;
    *geometry = g;
    return HOIST_OK;
}

// The counterpart: nothing is proven, but a word that is another one is a reason to doubt.
hoist_status dwn_words_differ(dwn_walk *w, const dwn_group *group, uint32_t value, dwn_geometry *g,
                              bool *out_differ)
{
    *out_differ = false;
    if (w->is_blind || w->is_undoubted || !is_windowed(g) || g->is_traced) {
        return HOIST_OK;
    }
    HOIST_TRY(dwn_trace_to(w, group->first));
    const dwn_operations *all = &w->operations;
    const dwn_extent input = w->values[value].extent;
    look l = {.value = value,
              .input = input,
              .words = dwn_words_of(input.c),
              .checked = 1,
              .g = g,
              .allows_unknown = true,
              .has_padding = true,
              .padding = {g->padding[0], g->padding[1]}};
    const bool is_shared = dwn_share_pixels(all, group, g->output, &l.shares);
    for (uint32_t i = 0; i < group->count && is_shared; i++) {
        const dwn_operation *op = &all->items[group->first + i];
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES && !*out_differ; tile++) {
            *out_differ = (op->tiles >> tile & 1) && !reads_window(w, op, tile, &l);
        }
    }
    return HOIST_OK;
}
