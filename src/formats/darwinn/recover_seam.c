// Extents of layers that are cut into strips, where the input over the strides is not what they are
// (darwinn reference section 16.2). In: the layers up to a seam, where a group reads the value that
// all strips made together; out: their extents.
//
// Strips are the parts of a grid: bands of the image one after the other, each in parts with the
// same rows. At a seam they do not overlap, so that their rows and columns add up to the output.
// Where an input has padding of its own the layers before it are in the list with extents that are
// too small, since the end of that padding is seen only here. From the seam their extents follow
// back to the input: through strides, and padding before the image, which tells odd from even.
#include "formats/darwinn/recover_work.h"

enum { MOST_STRIPS = 32 }; // bounds time; images in more are unknown

// Each strip is linked to the one before. One whose rows are unknown makes all unknown.
hoist_status dwn_note_strip(dwn_walk *w, const dwn_group *group, uint32_t layer)
{
    const dwn_recovered *l = &w->layers[layer];
    dwn_made *made = &w->made[layer];
    const bool is_known = l->input_count == 1 && (made->strips == 1 || made->strip != NULL);
    dwn_strip next = {.before = made->strips == 1 ? NULL : made->strip};
    made->strip = NULL;
    if (!is_known ||
        !dwn_count_pixels(&w->operations, group, w->values[dwn_value_of(w, l->inputs[0])].extent,
                          next.along)) {
        return HOIST_OK;
    }
    dwn_strip *strip = hoist_arena_array(w->scratch, 1, sizeof(*strip));
    if (!strip) {
        return HOIST_NO_MEMORY;
    }
    *strip = next;
    made->strip = strip;
    return HOIST_OK;
}

// The strips of a layer, the first one first.
typedef struct strips {
    uint32_t along[MOST_STRIPS][2];
    uint32_t count; // 0: unknown
} strips;

// Listed from the last to the first, so that the array is filled from its end.
static strips strips_of(const dwn_made *made)
{
    strips s = {.count = made->strip && made->strips <= MOST_STRIPS ? made->strips : 0};
    const dwn_strip *strip = made->strip;
    for (uint32_t i = s.count; i-- > 0; strip = strip->before) {
        s.along[i][0] = strip->along[0];
        s.along[i][1] = strip->along[1];
    }
    return s;
}

// A grid: along an axis the bands follow each other, of so many parts each.
typedef struct grid {
    size_t axis;
    uint32_t parts;
} grid;

// What strips that are such a grid make along each axis, and what all but the last make. False:
// they are none.
static bool add_up(const strips *s, grid g, uint64_t sum[2], uint64_t but_last[2])
{
    sum[0] = sum[1] = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint32_t *band = s->along[i - i % g.parts]; // the first part of its band
        const uint32_t *part = s->along[i % g.parts];     // the same part of the first band
        if (s->along[i][g.axis] != band[g.axis] || s->along[i][1 - g.axis] != part[1 - g.axis]) {
            return false;
        }
        sum[g.axis] += i % g.parts == 0 ? band[g.axis] : 0;
        sum[1 - g.axis] += i < g.parts ? part[1 - g.axis] : 0;
    }
    const uint32_t *last = s->along[s->count - 1];
    but_last[0] = sum[0] - last[0];
    but_last[1] = sum[1] - last[1];
    return s->count % g.parts == 0;
}

// The last band and the last part are needed: without them the output is not covered.
static bool covers(const strips *s, grid g, const uint32_t output[2])
{
    uint64_t sum[2];
    uint64_t but_last[2];
    return add_up(s, g, sum, but_last) && sum[0] >= output[0] && sum[1] >= output[1] &&
           but_last[0] < output[0] && but_last[1] < output[1];
}

bool dwn_strips_cover(const dwn_made *made, dwn_extent output)
{
    const strips s = strips_of(made);
    bool is_so = s.count == 0;                             // nothing says so
    for (grid g = {0, 1}; g.parts <= s.count; g.parts++) { // every grid that so many strips can be
        for (g.axis = 0; g.axis < 2; g.axis++) {
            is_so = is_so || covers(&s, g, (uint32_t[2]){output.h, output.w});
        }
    }
    return is_so;
}

// The input along an axis of which a layer makes that output with TFLite's SAME and the padding
// that was read; 0: none, or several.
static uint32_t input_along(const dwn_recovered *l, size_t axis, uint32_t output)
{
    uint32_t found = 0;
    for (uint32_t less = 0; less < l->stride[axis] && less < DWN_MAX_STRIDE; less++) {
        dwn_axis a = dwn_axis_of(l, axis);
        a.out = output;
        a.in = (int64_t)output * a.stride - less;
        if (a.in > 0 && a.in <= DWN_MAX_EXTENT && dwn_axis_is_same(&a)) {
            if (found != 0) {
                return 0;
            }
            found = (uint32_t)a.in;
        }
    }
    return found;
}

// What a layer with that output reads. False: nothing fits, or the input of the model does not.
static bool inputs_along(const dwn_recovered *l, const uint32_t output[2], uint32_t in[2])
{
    for (size_t axis = 0; axis < 2; axis++) {
        dwn_axis a = dwn_axis_of(l, axis);
        a.out = output[axis];
        const bool is_input = (l->inputs[0] & DWN_MODEL_INPUT) != 0;
        in[axis] = is_input ? (uint32_t)a.in : input_along(l, axis, output[axis]);
        if (in[axis] == 0 || (is_input && !dwn_axis_has_windows(&a))) {
            return false;
        }
    }
    return true;
}

// Corrects the list; what the tiles have to make changes with the extents.
static void set_extents(dwn_walk *w, uint32_t layer, const uint32_t out[2], const uint32_t in[2])
{
    dwn_recovered *l = &w->layers[layer];
    dwn_made *made = &w->made[layer];
    dwn_value *value = &w->values[w->input_count + layer];
    const uint64_t of_pixel = made->needed / l->output.h / l->output.w;
    made->needed = dwn_times(of_pixel, (uint64_t)out[0] * out[1]);
    l->output.h = value->extent.h = out[0];
    l->output.w = value->extent.w = out[1];
    l->input.h = in[0];
    l->input.w = in[1];
    if (l->inputs[0] & DWN_MODEL_INPUT) {
        l->heuristics &= ~(1u << DWN_GUESS_EXTENT);
    }
}

// Whether extents go from a layer with that output back to the input of the model, through layers
// that are cut in the same way; sets them where `sets`, after a call without it has gone all the
// way.
static bool go_back(dwn_walk *w, uint32_t layer, grid g, const uint32_t output[2], bool sets)
{
    uint32_t out[2] = {output[0], output[1]};
    uint32_t in[2];
    for (uint32_t i = 0; i < DWN_LOOK_BACK; i++) {
        const dwn_recovered *l = &w->layers[layer];
        const dwn_made *made = &w->made[layer];
        const bool has_taps = l->kernel[0] > 1 || l->kernel[1] > 1;
        const strips s = strips_of(made);
        if (l->input_count != 1 || made->needed == 0 || (has_taps && !made->is_read) ||
            s.count == 0 || !covers(&s, g, out) || !inputs_along(l, out, in)) {
            return false;
        }
        const uint32_t from = l->inputs[0];
        if (sets) {
            set_extents(w, layer, out, in);
        }
        if (from & DWN_MODEL_INPUT) {
            return true;
        }
        layer = from;
        out[0] = in[0];
        out[1] = in[1];
    }
    return false;
}

// Only where one grid alone gives extents that fit all the way back.
void dwn_settle_strips(dwn_walk *w)
{
    const uint32_t layer = w->current - w->input_count;
    if (w->current < w->input_count || w->made[layer].strips < 2) {
        return;
    }
    const strips s = strips_of(&w->made[layer]);
    const uint32_t listed[2] = {w->layers[layer].output.h, w->layers[layer].output.w};
    uint32_t found[2] = {0, 0};
    grid chosen = {0, 0};
    uint32_t count = 0;
    for (grid g = {0, 1}; g.parts <= s.count; g.parts++) {
        for (g.axis = 0; g.axis < 2; g.axis++) {
            uint64_t sum[2];
            uint64_t but_last[2];
            if (!add_up(&s, g, sum, but_last) || sum[0] > DWN_MAX_EXTENT ||
                sum[1] > DWN_MAX_EXTENT) {
                continue;
            }
            if (go_back(w, layer, g, listed, false)) {
                return; // what is in the list fits
            }
            const uint32_t output[2] = {(uint32_t)sum[0], (uint32_t)sum[1]};
            const bool is_new = output[0] != found[0] || output[1] != found[1];
            if (is_new && go_back(w, layer, g, output, false)) {
                found[0] = output[0];
                found[1] = output[1];
                chosen = g;
                count++;
            }
        }
    }
    if (count == 1) {
        (void)go_back(w, layer, chosen, found, true);
    }
}
