// Maxima over windows. In: a group of maximum operations, and the group that moved the value before
// it, with space around for the windows; out: one more layer of the list.
//
// Tiles copy what the windows read from an address on: how far before the value that is gives the
// padding (darwinn reference section 16.4). The stride is the one that gives the number of pixels
// with TFLite's SAME or VALID, and the same padding.
#include <string.h>

#include "formats/darwinn/recover_layers.h"
#include "formats/darwinn/recover_trace.h"

// Words from one row of pixels to the next, where a move writes pixel after pixel, in two loops:
// over columns with a stride of `words`, and over rows. 0: unknown.
static int64_t row_pitch(const dwn_operation *op, uint32_t words)
{
    int64_t pitches[2] = {0, 0};
    size_t found = 0;
    for (size_t i = 0; i < DWN_LOOPS && found < 2; i++) {
        const dwn_loop *loop = &op->b.loops[i];
        if (loop->count > 1 && loop->stride >= words) {
            pitches[found++] = loop->stride;
        }
    }
    return found == 2 && pitches[0] == words ? pitches[1] : 0;
}

// The padding that follows from where a part of the value was moved, and one address that is copied
// from. False: none of them gives any, or several do.
static bool padding_of(const dwn_operation *moved, const dwn_copies *copies, const uint32_t size[2],
                       uint32_t words, uint32_t out_padding[2])
{
    const int64_t pitch = row_pitch(moved, words);
    uint32_t count = 0;
    for (uint32_t i = 0; i < copies->count && pitch > 0; i++) {
        const int64_t distance = (int64_t)moved->b.base - copies->at[i];
        const int64_t left = distance % pitch / words;
        if (distance >= 0 && distance % pitch % words == 0 && distance / pitch < size[0] &&
            left < size[1]) {
            out_padding[0] = (uint32_t)(distance / pitch);
            out_padding[1] = (uint32_t)left;
            count++;
        }
    }
    return count == 1;
}

// The same of all tiles, whose rows have different lengths.
static bool find_padding(const dwn_walk *w, const dwn_group *group, const uint32_t size[2],
                         uint32_t out_padding[2])
{
    const dwn_group *moved = &w->operations.groups[w->moved];
    const dwn_copies *copies = &w->operations.items[group->first].copies;
    const uint32_t words = dwn_words_of(w->values[w->current].extent.c);
    bool is_found = false;
    for (uint32_t i = 0; i < moved->count; i++) {
        uint32_t padding[2] = {0, 0};
        const dwn_operation *op = &w->operations.items[moved->first + i];
        if (!padding_of(op, copies, size, words, padding) ||
            (is_found && memcmp(padding, out_padding, sizeof(padding)) != 0)) {
            return false;
        }
        memcpy(out_padding, padding, sizeof(padding));
        is_found = true;
    }
    return is_found;
}

// Whether tiles store nothing around the value that a maximum could be: nothing but zeros, since
// numbers are unsigned.
static bool has_low_border(const dwn_walk *w, const dwn_group *group)
{
    const dwn_operations *all = &w->operations;
    for (uint32_t i = dwn_fills_before(all, group->first);
         i < all->fill_count && all->fills[i].operation == group->first; i++) {
        if (!all->fills[i].is_sent && all->fills[i].value != 0) {
            return false;
        }
    }
    return true;
}

// One way to make an output: stride, and rows and columns that it gives.
typedef struct way {
    uint32_t stride, h, w;
} way;

// SAME: the input over the stride; VALID: the windows that lie inside (TFLite).
static way way_of(const dwn_recovered *layer, uint32_t stride, bool is_same)
{
    const uint32_t h = is_same ? layer->input.h : layer->input.h - layer->kernel[0] + 1;
    const uint32_t w = is_same ? layer->input.w : layer->input.w - layer->kernel[1] + 1;
    return (way){stride, dwn_divided(h, stride), dwn_divided(w, stride)};
}

// Whether the padding that was read is that of the rule.
static bool has_padding(const dwn_recovered *layer, const way *found, bool is_same)
{
    const dwn_geometry g = {.output = {found->h, found->w, 0},
                            .kernel = {layer->kernel[0], layer->kernel[1]},
                            .stride = {found->stride, found->stride},
                            .dilation = {1, 1}};
    const dwn_sides same = is_same ? dwn_padding_same(&g, layer->input) : (dwn_sides){0, 0};
    return layer->padding[0] == same.top && layer->padding[1] == same.left;
}

// Sets stride and output by the number of pixels. False: none gives it, or several do.
static bool set_output(dwn_recovered *layer, uint64_t pixels)
{
    way found = {0, 0, 0};
    uint32_t count = 0;
    for (uint32_t i = 0; i < 2 * DWN_MAX_STRIDE; i++) {
        const bool is_same = i % 2 == 0;
        const way one = way_of(layer, i / 2 + 1, is_same);
        // SAME and VALID that agree are one way.
        if ((uint64_t)one.h * one.w == pixels && has_padding(layer, &one, is_same) &&
            memcmp(&one, &found, sizeof(one)) != 0) {
            found = one;
            count++;
        }
    }
    layer->stride[0] = layer->stride[1] = found.stride;
    layer->output = (dwn_extent){found.h, found.w, layer->input.c};
    return count == 1;
}

// Whether the group reads the current value, which was moved for it, and nothing but its maximum is
// made of it.
static bool reads_current(const dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const dwn_value *value = &w->values[w->current];
    const dwn_group *moved = &w->operations.groups[w->moved];
    return w->has_moved && value->has_place &&
           dwn_first_part(&w->operations, moved)->a.base == value->from &&
           value->zero == op->input_zero && op->output_zero == op->input_zero &&
           op->constant == -(int32_t)op->input_zero && op->window[0] <= value->extent.h &&
           op->window[1] <= value->extent.w && has_low_border(w, group);
}

// A second reading -------------------------------------------------------------------------------

// What the tiles of a maximum copy for it.
typedef struct windows {
    const dwn_walk *walk;
    const dwn_recovered *layer;
    uint32_t value;
    dwn_shares shares; // of the output
} windows;

// Rows or columns that so many windows read together; where they overlap they count once.
static uint64_t reach_of(const dwn_recovered *layer, size_t axis, uint64_t count)
{
    return (count - 1) * layer->stride[axis] + layer->kernel[axis];
}

// Words from one row to the next of what is copied, in so many rows: the last loop goes over them.
// 0: it does not.
static int64_t copied_pitch(const dwn_copy *copy, uint64_t rows)
{
    const dwn_loop *last = NULL;
    for (size_t i = 0; i < DWN_MESH_LOOPS; i++) {
        last = copy->loops[i].count > 1 ? &copy->loops[i] : last;
    }
    const bool is_row =
        last && last->count == rows && last->stride > 0 && last->stride <= DWN_MAX_EXTENT;
    return is_row ? last->stride : 0;
}

// Whether a pixel that is copied is that of the value which windows and padding say, or none of it;
// `*known` counts those that are known.
static bool is_pixel(const windows *p, uint32_t tile, int64_t address, const int64_t at[2],
                     uint64_t *known)
{
    const dwn_extent input = p->layer->input;
    const dwn_held held = dwn_trace_at(p->walk, tile, address);
    const bool is_inside = at[0] >= 0 && at[0] < input.h && at[1] >= 0 && at[1] < input.w;
    uint32_t word = 0;
    const bool is_there = dwn_trace_word(p->walk, p->value, held, &word);
    *known += is_inside && is_there;
    return held.value == 0 || // what is unknown contradicts nothing
           (is_there == is_inside &&
            (!is_there || word == (uint64_t)(at[0] * input.w + at[1]) * p->shares.words));
}

// Whether a tile copies all pixels of its windows, row after row, and at least one of them is
// known.
static bool copies_windows(const windows *p, const dwn_operation *op, uint32_t tile,
                           const dwn_copy *copy)
{
    const uint32_t columns = p->shares.columns[tile];
    const uint64_t pixels = dwn_part_made(op, p->shares.words).pixels;
    const uint64_t first = p->shares.first[tile] / p->shares.words;
    if (columns == 0 || pixels == 0 || pixels % columns != 0) {
        return false;
    }
    const uint64_t high = reach_of(p->layer, 0, pixels / columns);
    const uint64_t wide = reach_of(p->layer, 1, columns);
    const int64_t pitch = copied_pitch(copy, high);
    const int64_t words = p->shares.words;
    uint64_t known = 0;
    bool is_so = pitch / words >= (int64_t)wide;
    for (uint64_t y = 0; y < high && is_so; y++) {
        for (uint64_t x = 0; x < wide && is_so; x++) {
            const int64_t at[2] = {(int64_t)(first / p->layer->output.w * p->layer->stride[0] + y) -
                                       p->layer->padding[0],
                                   (int64_t)(first % p->layer->output.w * p->layer->stride[1] + x) -
                                       p->layer->padding[1]};
            const int64_t address = copy->base + (int64_t)y * pitch + (int64_t)x * words;
            is_so = is_pixel(p, tile, address, at, &known);
        }
    }
    return is_so && known > 0;
}

// Whether all tiles copy as many rows as their windows read, of the pixels that are there.
static hoist_status trace_pool(dwn_walk *w, const dwn_group *group, const dwn_recovered *layer,
                               bool *out_is_so)
{
    windows p = {.walk = w, .layer = layer, .value = w->current};
    HOIST_TRY(dwn_trace_to(w, group->first));
    *out_is_so = dwn_share_pixels(&w->operations, group, layer->output, &p.shares);
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &w->operations.items[group->first + i];
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES && *out_is_so; tile++) {
            const bool is_of = op->tiles >> tile & 1;
            const dwn_copy *copy =
                is_of ? dwn_copy_for(&w->operations, op, tile, group->first) : NULL;
            const uint64_t most = (uint64_t)layer->input.h * layer->input.w * 4;
            *out_is_so =
                !is_of || (copy && dwn_trace_spend(w, most) && copies_windows(&p, op, tile, copy));
        }
    }
    return HOIST_OK;
}

// Adds the layer, whether or not the words confirm it: where they do not, it is in doubt.
static hoist_status add_pool(dwn_walk *w, const dwn_group *group, const dwn_recovered *windowed,
                             uint64_t times)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    dwn_recovered layer = dwn_draft_layer(op, op->kind);
    layer.output = windowed->output;
    memcpy(layer.kernel, windowed->kernel, sizeof(layer.kernel));
    memcpy(layer.stride, windowed->stride, sizeof(layer.stride));
    memcpy(layer.padding, windowed->padding, sizeof(layer.padding));
    layer.heuristics = 1u << DWN_GUESS_LAST;
    bool is_traced = false;
    HOIST_TRY(trace_pool(w, group, windowed, &is_traced));
    HOIST_TRY(dwn_add_layer(w, group, layer, &w->current, 1));
    dwn_doubt_last(w, !is_traced, DWN_DOUBT_WINDOWS);
    dwn_set_needed(w, group, times);
    return HOIST_OK;
}

// Stops where the padding or the stride is not unique.
hoist_status dwn_take_max_pool(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const dwn_extent input = w->values[w->current].extent;
    const uint64_t groups = dwn_divided(input.c, op->full_rows);
    dwn_recovered layer = {.input = input, .kernel = {op->window[0], op->window[1]}};
    if (!reads_current(w, group) || !find_padding(w, group, op->window, layer.padding)) {
        return dwn_stop(w, "no value fits as the input of the maximum");
    }
    if (group->produced % groups != 0 || !set_output(&layer, group->produced / groups)) {
        return dwn_stop(w, "no stride, or several, give the output of the maximum");
    }
    return add_pool(w, group, &layer, groups);
}
