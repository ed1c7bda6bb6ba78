// Layers that are pools of averages. In: a group, or two of a pool in passes; out: one more layer,
// with strides and output as the words say that its tiles begin with (recover_trace.c).
//
// A tile copies what its windows need to the other memory, where the operation finds it: the first
// word is of the first tap of the tile's first window. How many pixels each tile makes gives the
// rows and columns of the output, and so which window that is.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "formats/darwinn/recover_layers.h"
#include "formats/darwinn/recover_trace.h"

// Rows or columns.
typedef struct axis {
    uint32_t input, output, window;
    uint32_t stride; // 0: no tile has shown it
} axis;

// The window of that number begins at a row or column. False: others say something else, or the
// first one is not at the beginning.
static bool begins_at(axis *a, uint32_t window, uint32_t at)
{
    if (window == 0 || at % window != 0) {
        return window == 0 && at == 0;
    }
    const bool is_so = a->stride == 0 || a->stride == at / window;
    a->stride = at / window;
    return is_so && a->stride > 0;
}

// A group that reads a value, and how many pixels its tiles make.
typedef struct pool {
    const dwn_walk *walk;
    const dwn_group *group;
    uint32_t value;
    dwn_shares shares;
} pool;

// Whether a tile's first word is of the value, and where a window begins.
static bool begins(const pool *p, const dwn_operation *op, uint32_t tile, axis axes[2])
{
    const dwn_walk *w = p->walk;
    const dwn_copy *copy = dwn_copy_for(&w->operations, op, tile, p->group->first);
    uint32_t word = 0;
    if (!copy || !dwn_trace_word(w, p->value, dwn_trace_at(w, tile, copy->base), &word) ||
        word % p->shares.words != 0) {
        return false;
    }
    const uint32_t pixel = word / p->shares.words;
    const uint64_t window = p->shares.first[tile] / p->shares.words;
    return begins_at(&axes[0], (uint32_t)(window / axes[1].output), pixel / axes[1].input) &&
           begins_at(&axes[1], (uint32_t)(window % axes[1].output), pixel % axes[1].input);
}

// Whether all windows are in the input, and no more would be. Of a single one the stride is any.
static bool has_windows(axis *a)
{
    a->stride = a->output == 1 ? a->window : a->stride;
    const uint64_t last = (uint64_t)(a->output - 1) * a->stride + a->window;
    return a->stride > 0 && last <= a->input && (a->output == 1 || a->input - last < a->stride);
}

// Whether all tiles begin where the windows of such an output do.
static bool begin_so(const pool *p, axis axes[2])
{
    bool is_so = true;
    for (uint32_t i = 0; i < p->group->count && is_so; i++) {
        const dwn_operation *op = &p->walk->operations.items[p->group->first + i];
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES && is_so; tile++) {
            is_so = !(op->tiles >> tile & 1) || begins(p, op, tile, axes);
        }
    }
    return is_so && has_windows(&axes[0]) && has_windows(&axes[1]);
}

// The only rows and columns that the pixels of all tiles make and where these begin so. False:
// there are none, or several.
static bool find_windows(dwn_walk *w, const dwn_group *group, uint32_t value, uint64_t pixels,
                         axis axes[2])
{
    const dwn_extent input = w->values[value].extent;
    uint32_t found = 0;
    for (uint32_t h = 1; h <= input.h && dwn_trace_spend(w, 1); h++) {
        pool p = {.walk = w, .group = group, .value = value};
        axis own[2] = {axes[0], axes[1]};
        const bool is_product = pixels % h == 0 && pixels / h <= input.w;
        own[0].output = h;
        own[1].output = (uint32_t)(is_product ? pixels / h : 0);
        const dwn_extent output = {h, own[1].output, input.c};
        if (is_product && pixels > 0 &&
            dwn_share_pixels(&w->operations, group, output, &p.shares) && begin_so(&p, own)) {
            memcpy(axes, own, sizeof(own));
            found++;
        }
    }
    return found == 1;
}

// The strides and the output of a pool, whose window is known, and which makes so many pixels of a
// value; else not traced, and the layer is as it was.
static hoist_status trace(dwn_walk *w, const dwn_group *group, uint32_t value, uint64_t pixels,
                          dwn_recovered *layer, bool *out_is_traced)
{
    const dwn_extent input = w->values[value].extent;
    axis axes[2] = {{.input = input.h, .window = layer->kernel[0]},
                    {.input = input.w, .window = layer->kernel[1]}};
    *out_is_traced = input.h == layer->kernel[0] && input.w == layer->kernel[1];
    if (*out_is_traced) {
        return HOIST_OK; // of all pixels there is one window
    }
    HOIST_TRY(dwn_trace_to(w, group->first));
    *out_is_traced = find_windows(w, group, value, pixels, axes);
    if (*out_is_traced) {
        layer->output = (dwn_extent){axes[0].output, axes[1].output, input.c};
        layer->stride[0] = axes[0].stride;
        layer->stride[1] = axes[1].stride;
    }
    return HOIST_OK;
}

enum { MODE_SECOND_PASS = 0x00f0 }; // of a pool [observed in one model]

// Groups of channels that a pool makes of each pixel; fields of counts are 1 or more.
static uint64_t groups_of_pool(const dwn_operation *op, uint32_t channels)
{
    return (channels + op->full_rows - 1) / op->full_rows;
}

// Whether a group adds up each row of the image, without a factor, and the one after it what came
// of all rows: a pool of all pixels in two passes. The first has the sums of all rows and groups of
// channels, the second those of all groups.
static bool is_in_passes(const dwn_walk *w, uint32_t index, uint32_t value)
{
    if (index + 1 >= w->operations.group_count || value == DWN_NONE) {
        return false;
    }
    const dwn_group *groups = &w->operations.groups[index];
    const dwn_operation *rows = dwn_widest_of(w, &groups[0]);
    const dwn_operation *all = dwn_widest_of(w, &groups[1]);
    const dwn_extent input = w->values[value].extent;
    return rows->mode != MODE_SECOND_PASS && rows->kind == DWN_KIND_AVERAGE_POOL &&
           all->mode == MODE_SECOND_PASS && all->kind == DWN_KIND_AVERAGE_POOL &&
           all->weight_zero == rows->output_zero && dwn_float_of(rows->multiplier) == 1.0f &&
           rows->a.loops[0].count == input.w && rows->a.loops[1].count == 1 &&
           rows->reduction == input.w && all->a.loops[0].count == 1 &&
           all->a.loops[1].count == input.h && all->reduction == input.h &&
           rows->full_rows == all->full_rows && rows->last_rows == all->last_rows &&
           groups[0].produced == dwn_times(input.h, groups_of_pool(rows, input.c)) &&
           groups[1].produced == groups_of_pool(all, input.c);
}

// Both groups belong to the one layer that is made. The factor and the clamps are those of the
// second.
static hoist_status take_passes(dwn_walk *w, uint32_t index, const dwn_seen *seen)
{
    const dwn_group *groups = &w->operations.groups[index];
    dwn_recovered layer = dwn_draft_layer(dwn_widest_of(w, &groups[1]), DWN_KIND_AVERAGE_POOL);
    const uint32_t value = seen->value;
    const dwn_extent input = w->values[value].extent;
    layer.input_zero = w->values[value].zero;
    layer.weight_zero = 0;
    layer.low = (float)(0 - layer.output_zero);
    layer.high = (float)(UINT8_MAX - layer.output_zero);
    layer.kernel[0] = layer.stride[0] = input.h;
    layer.kernel[1] = layer.stride[1] = input.w;
    layer.output = (dwn_extent){1, 1, input.c};
    layer.is_in_passes = true;
    layer.heuristics = 1u << (value == w->current ? DWN_GUESS_LAST : DWN_GUESS_ZERO_POINT);
    HOIST_TRY(dwn_add_layer(w, &groups[1], layer, &value, 1));
    dwn_doubt_last(w, !seen->is_sure, DWN_DOUBT_INPUTS);
    dwn_own(w, &groups[0], w->layer_count - 1);
    return HOIST_OK;
}

// A pool with stride = window unless the words that its tiles begin with show other strides.
static hoist_status take_pool(dwn_walk *w, const dwn_group *group, const dwn_seen *seen)
{
    const dwn_operation *op = dwn_widest_of(w, group);
    const uint32_t kw = op->a.loops[0].count;
    const uint32_t kh = op->a.loops[1].count;
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_AVERAGE_POOL);
    const uint32_t value = seen->value;
    const dwn_extent input = value == DWN_NONE ? (dwn_extent){0} : w->values[value].extent;
    HOIST_ASSERT(kh > 0 && kw > 0);                      // fields of counts have them less 1
    const bool is_second = op->mode == MODE_SECOND_PASS; // of a pool whose first is another
    if (is_second || input.h < kh || input.w < kw || (uint64_t)kh * kw != op->reduction) {
        return dwn_stop(w, "no value fits as the input of the pool");
    }
    const uint64_t groups = groups_of_pool(op, input.c);
    bool is_traced = false;
    layer.input_zero = op->weight_zero;
    layer.weight_zero = 0;
    // Without clamps those of the numbers are left: 8 bits.
    layer.low = isinf(layer.low) ? (float)(0 - op->output_zero) : layer.low;
    layer.high = isinf(layer.high) ? (float)(UINT8_MAX - op->output_zero) : layer.high;
    layer.kernel[0] = layer.stride[0] = kh;
    layer.kernel[1] = layer.stride[1] = kw;
    layer.output = (dwn_extent){input.h / kh, input.w / kw, input.c};
    HOIST_TRY(trace(w, group, value, group->produced / groups, &layer, &is_traced));
    layer.heuristics = 1u << (value == w->current ? DWN_GUESS_LAST : DWN_GUESS_ZERO_POINT);
    HOIST_TRY(dwn_add_layer(w, group, layer, &value, 1));
    dwn_doubt_last(w, !seen->is_sure, DWN_DOUBT_INPUTS);
    dwn_doubt_last(w, !is_traced, DWN_DOUBT_WINDOWS);
    dwn_set_needed(w, group, groups);
    return HOIST_OK;
}

hoist_status dwn_take_average(dwn_walk *w, uint32_t index, uint32_t *out_next)
{
    const dwn_group *group = &w->operations.groups[index];
    dwn_seen seen;
    // The zero point of the input is where weights have theirs. [observed in one model]
    HOIST_TRY(dwn_find_read(w, group, dwn_widest_of(w, group)->weight_zero, &seen));
    if (is_in_passes(w, index, seen.value)) {
        *out_next = index + 2;
        return take_passes(w, index, &seen);
    }
    return take_pool(w, group, &seen);
}
