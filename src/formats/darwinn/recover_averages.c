// Where the windows of a pool of averages lie. In: a group and the value that it reads; out: its
// strides and output, as the words say that its tiles begin with (recover_trace.c).
//
// A tile copies what its windows need to the other memory, where the operation finds it: the first
// word is of the first tap of the tile's first window. How many pixels each tile makes gives the
// rows and columns of the output, and so which window that is.
#include <string.h>

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

hoist_status dwn_trace_average(dwn_walk *w, const dwn_group *group, uint32_t value, uint64_t pixels,
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
