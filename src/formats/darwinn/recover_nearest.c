// Upsampling that repeats pixels: each of the input becomes as many rows and columns of the output.
// In: a group, the words in the memories of tiles (recover_trace.c); out: one more layer. Each
// pixel of each tile has to be a copy of the pixel that it is in the output.
#include "formats/darwinn/recover_layers.h"
#include "formats/darwinn/recover_trace.h"

enum { PARTS = 256, MOST_TIMES = 8 }; // of a pixel; times that it is repeated

// What is compared: pixels of the output, each of a value `times` rows and columns.
typedef struct repeat {
    uint32_t value, times;
    dwn_extent input;
    dwn_shares shares;
} repeat;

// The row or column of a tile that an output's is taken from: the nearest.
static uint64_t place_of(const dwn_resize *r, size_t axis, uint64_t index)
{
    return (r->start[axis] + index * r->step[axis] + PARTS / 2) / PARTS;
}

// Whether all words of an output pixel are those of the pixel that is repeated there.
static bool is_copied(const dwn_walk *w, const dwn_operation *op, uint32_t tile, const repeat *r,
                      uint64_t pixel)
{
    const dwn_shares *s = &r->shares;
    const uint64_t first = s->first[tile] / s->words;
    const uint64_t own[2] = {pixel / s->columns[tile], pixel % s->columns[tile]};
    const uint64_t wide = (uint64_t)r->input.w * r->times;
    const uint64_t row = (first / wide + own[0]) / r->times;
    const uint64_t column = (first % wide + own[1]) / r->times;
    const uint64_t from =
        place_of(&op->resize, 0, own[0]) * op->resize.pitch[0] / sizeof(uint32_t) +
        place_of(&op->resize, 1, own[1]) * op->resize.pitch[1] / sizeof(uint32_t);
    for (uint32_t k = 0; k < s->words; k++) {
        const dwn_held held = dwn_trace_at(w, tile, op->a.base + (int64_t)from + k);
        if (held.value != r->value + 1 || held.word != (row * r->input.w + column) * s->words + k) {
            return false;
        }
    }
    return true;
}

// Every pixel of every tile; nothing is taken from a sample.
static bool are_copied(dwn_walk *w, const dwn_group *group, const repeat *r)
{
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &w->operations.items[group->first + i];
        const uint64_t pixels = dwn_part_made(op, r->shares.words).pixels;
        const bool is_whole = op->resize.pitch[0] % sizeof(uint32_t) == 0 &&
                              op->resize.pitch[1] % sizeof(uint32_t) == 0 && !op->is_elsewhere;
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
            if (!(op->tiles >> tile & 1)) {
                continue;
            }
            if (!is_whole || !dwn_trace_spend(w, dwn_times(pixels, r->shares.words))) {
                return false;
            }
            for (uint64_t k = 0; k < pixels; k++) {
                if (!is_copied(w, op, tile, r, k)) {
                    return false;
                }
            }
        }
    }
    return true;
}

// How often all tiles together repeat the rows and columns of a value; false: not at all.
static bool find_times(const dwn_walk *w, const dwn_group *group, repeat *r)
{
    for (r->times = 2; r->times <= MOST_TIMES; r->times++) {
        const dwn_extent output = {r->input.h * r->times, r->input.w * r->times, r->input.c};
        if (r->input.h <= DWN_MAX_EXTENT / MOST_TIMES &&
            r->input.w <= DWN_MAX_EXTENT / MOST_TIMES &&
            dwn_share_pixels(&w->operations, group, output, &r->shares)) {
            return true;
        }
    }
    return false;
}

// The first word that is read says which value it is; its size and the tiles say how often it is
// repeated.
hoist_status dwn_take_nearest(dwn_walk *w, const dwn_group *group)
{
    const dwn_operation *op = dwn_first_part(&w->operations, group);
    HOIST_TRY(dwn_trace_to(w, group->first));
    const uint64_t at = place_of(&op->resize, 0, 0) * op->resize.pitch[0] +
                        place_of(&op->resize, 1, 0) * op->resize.pitch[1];
    const dwn_held held = dwn_trace_at(w, (uint32_t)__builtin_ctz(op->tiles | 1u << 15),
                                       op->a.base + (int64_t)(at / sizeof(uint32_t)));
    repeat r = {.value = held.value - 1};
    if (w->is_blind || held.value == 0) {
        return dwn_stop(w, "no value fits as the input of the upsampling");
    }
    r.input = w->values[r.value].extent;
    if (!find_times(w, group, &r) || !are_copied(w, group, &r)) {
        return dwn_stop(w, "the upsampling does not repeat the pixels of its input");
    }
    dwn_recovered layer = dwn_draft_layer(op, DWN_KIND_NEAREST);
    layer.output = (dwn_extent){r.input.h * r.times, r.input.w * r.times, r.input.c};
    layer.input_zero = layer.output_zero = w->values[r.value].zero;
    layer.weight_zero = 0;
    layer.low = -(float)layer.output_zero;
    layer.high = UINT8_MAX - (float)layer.output_zero;
    return dwn_add_layer(w, group, layer, &r.value, 1);
}
