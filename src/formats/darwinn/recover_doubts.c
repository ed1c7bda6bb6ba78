// What of the layers is not proven: facts that no second reading of the instructions or parameters
// agrees with. Each is a gap of its layer.
//
// Layers are gone through from the last to the first, so that those that read a value have been
// looked at before the one that makes it: its size follows from them.
#include "formats/darwinn/recover_work.h"

static const char *const reasons[DWN_DOUBT_COUNT] = {
#define DWN_DOUBT(doubt, reason) reason,
#include "formats/darwinn/recover_doubts.inc"
};

static void doubt(dwn_walk *w, uint32_t layer, dwn_doubt what)
{
    w->made[layer].doubts |= 1u << what;
}

static bool has_doubt(const dwn_walk *w, uint32_t layer, dwn_doubt what)
{
    return w->made[layer].doubts >> what & 1;
}

// Geometry ----------------------------------------------------------------------------------------

// The kinds whose windows matter. Pools have doubts of their own (DWN_DOUBT_WINDOWS).
static bool is_spatial(const dwn_recovered *layer)
{
    return layer->kind == DWN_KIND_CONVOLUTION || layer->kind == DWN_KIND_DEPTHWISE;
}

static bool has_window(const dwn_recovered *layer)
{
    return is_spatial(layer) && (layer->kernel[0] > 1 || layer->kernel[1] > 1);
}

// TFLite's SAME for these extents is a second reading of padding: of how many pixels the tiles
// make.
static bool is_same(const dwn_recovered *layer)
{
    const dwn_axis rows = dwn_axis_of(layer, 0);
    const dwn_axis columns = dwn_axis_of(layer, 1);
    return dwn_axis_is_same(&rows) && dwn_axis_is_same(&columns);
}

// A stride that was found by the number of pixels is the only one that gives it: along an axis with
// more than one output these are from the input over the output, rounded up, to the input less 1
// over the output less 1.
static void doubt_stride(dwn_walk *w, uint32_t layer)
{
    const dwn_recovered *l = &w->layers[layer];
    const bool is_guessed = l->heuristics >> DWN_GUESS_STRIDE & 1;
    int64_t least = 1;
    int64_t most = DWN_MAX_EXTENT;
    for (size_t i = 0; i < 2 && is_guessed; i++) {
        const dwn_axis a = dwn_axis_of(l, i);
        const int64_t first = (a.in + a.out - 1) / a.out;
        const int64_t last = a.out > 1 ? (a.in - 1) / (a.out - 1) : DWN_MAX_EXTENT;
        least = first > least ? first : least;
        most = last < most ? last : most;
    }
    if (is_guessed && least < most) {
        doubt(w, layer, DWN_DOUBT_STRIDE);
    }
}

// The tiles make as many outputs as the layer has. Strips may overlap and make more.
static void doubt_extent(dwn_walk *w, uint32_t layer)
{
    const dwn_made *made = &w->made[layer];
    if (made->needed == 0 || made->produced == made->needed) {
        return;
    }
    if (made->produced < made->needed) {
        doubt(w, layer, DWN_DOUBT_LESS);
    } else if (made->strips == 1) {
        doubt(w, layer, DWN_DOUBT_MORE);
    } else if (!made->is_sized || !dwn_strips_cover(made, w->layers[layer].output)) {
        doubt(w, layer, DWN_DOUBT_STRIPS);
    }
}

// An output that is not the input over the stride is what the tiles count: its size follows as well
// from a layer that reads it, or is that of an output of the model. And with padding around the
// input the tiles store the zero point there.
static void doubt_count(dwn_walk *w, uint32_t layer)
{
    const dwn_recovered *l = &w->layers[layer];
    const dwn_made *made = &w->made[layer];
    const dwn_axis axes[2] = {dwn_axis_of(l, 0), dwn_axis_of(l, 1)};
    bool is_counted = false;
    bool is_padded = false;
    for (size_t i = 0; i < 2 && is_spatial(l); i++) {
        const dwn_axis *a = &axes[i];
        is_counted = is_counted || a->out != (a->in + a->stride - 1) / a->stride;
        is_padded = is_padded || a->before > 0 || dwn_axis_after(a) > 0;
    }
    if (is_counted && !made->is_sized && l->output_layer == DWN_NONE) {
        doubt(w, layer, DWN_DOUBT_EXTENT);
    }
    if (is_counted && is_padded && (!made->around.has_zero || made->around.has_other)) {
        doubt(w, layer, DWN_DOUBT_AROUND);
    }
}

// Whether a layer with sound extents determines those of what it reads: a stride of 2 alone leaves
// two.
static bool determines_extent(const dwn_walk *w, uint32_t layer)
{
    const dwn_recovered *l = &w->layers[layer];
    const dwn_made *made = &w->made[layer];
    const bool is_sound = made->needed > 0 && !has_doubt(w, layer, DWN_DOUBT_LESS) &&
                          !has_doubt(w, layer, DWN_DOUBT_MORE) &&
                          !has_doubt(w, layer, DWN_DOUBT_STRIPS);
    const bool is_dense_step = l->stride[0] == 1 && l->stride[1] == 1;
    return is_sound &&
           (l->kind == DWN_KIND_ADD || l->kind == DWN_KIND_QUANTIZE ||
            l->kind == DWN_KIND_LOGISTIC ||
            (is_spatial(l) && (is_dense_step || (has_window(l) && made->is_read && is_same(l)))));
}

// Channels ----------------------------------------------------------------------------------------

// What a layer says of the channels of its first input.
typedef enum said {
    SAID_NOTHING,
    SAID_SO,
    SAID_NOT_SO,
} said;

// By the weights: bytes for channels beyond the input's are zero points.
static said said_by_block(const dwn_walk *w, const dwn_recovered *l)
{
    if (l->block.rows == 0 || l->piece_count == 0) {
        return SAID_NOTHING;
    }
    const hoist_bytes block = dwn_block_bytes(&w->sources, &l->pieces[0]);
    return dwn_block_is_filled(&l->block, block, l->block_channels, l->weight_zero) ? SAID_SO
                                                                                    : SAID_NOT_SO;
}

// Whether the channels of what a layer reads are as many as the list has, and not up to three less.
static said said_of_channels(const dwn_walk *w, uint32_t layer)
{
    const dwn_recovered *l = &w->layers[layer];
    switch (l->kind) {
    case DWN_KIND_CONVOLUTION:
    case DWN_KIND_DEPTHWISE:
    case DWN_KIND_DENSE:
        return said_by_block(w, l);
    case DWN_KIND_TRANSPOSE: // all its numbers were seen
        return SAID_SO;
    case DWN_KIND_GATHER:
    case DWN_KIND_CONCATENATION:
        if (l->is_in_rows) {
            return w->made[layer].has_channels ? SAID_SO : SAID_NOTHING;
        }
        return SAID_SO; // its rows of weights, or the output's channels, were counted
    case DWN_KIND_AVERAGE_POOL:
    case DWN_KIND_ADD:
    case DWN_KIND_MULTIPLY:
    case DWN_KIND_SOFTMAX:
    case DWN_KIND_UPSAMPLE:
    case DWN_KIND_NEAREST:
    case DWN_KIND_PAD:
    case DWN_KIND_QUANTIZE:
    case DWN_KIND_LOGISTIC:
    case DWN_KIND_MAX_POOL:
        return w->made[layer].has_channels ? SAID_SO : SAID_NOTHING;
    case DWN_KIND_SLICE: // of some channels, not how many there are
    case DWN_KIND_UNKNOWN:
    case DWN_KIND_MOVE:
    case DWN_KIND_COUNT:
        break;
    }
    return SAID_NOTHING;
}

// All layers --------------------------------------------------------------------------------------

// A slice has the rows and columns of what it reads.
static bool is_sized_slice(const dwn_walk *w, uint32_t layer)
{
    return w->layers[layer].kind == DWN_KIND_SLICE && w->made[layer].is_sized;
}

// What a layer determines is known of what it reads, which is looked at later.
static void report_inputs(dwn_walk *w, uint32_t layer)
{
    const dwn_recovered *l = &w->layers[layer];
    const said channels = said_of_channels(w, layer);
    const bool determines = determines_extent(w, layer) || is_sized_slice(w, layer);
    for (uint32_t i = 0; i < l->input_count; i++) {
        if (l->inputs[i] & DWN_MODEL_INPUT) {
            continue;
        }
        dwn_made *made = &w->made[l->inputs[i]];
        made->is_sized = made->is_sized || determines;
        made->has_channels = made->has_channels || channels == SAID_SO;
    }
    if (channels == SAID_NOT_SO) {
        doubt(w, layer, DWN_DOUBT_CHANNELS);
    }
}

// Whether what is added or multiplied has the channels of the result.
static bool has_equal_channels(const dwn_walk *w, const dwn_recovered *l)
{
    bool is_so = true;
    for (uint32_t i = 0; i < l->input_count; i++) {
        is_so = is_so && w->values[dwn_value_of(w, l->inputs[i])].extent.c == l->output.c;
    }
    return is_so || (l->kind != DWN_KIND_ADD && l->kind != DWN_KIND_MULTIPLY);
}

// All doubts of one layer; each is of a fact that only one reading gives.
static void doubt_layer(dwn_walk *w, uint32_t layer)
{
    dwn_recovered *l = &w->layers[layer];
    dwn_made *made = &w->made[layer];
    // Facts that no instruction is known to say at all.
    if (l->heuristics >> DWN_GUESS_ORDER & 1) {
        doubt(w, layer, DWN_DOUBT_ORDER);
    }
    if (l->kind == DWN_KIND_UPSAMPLE) {
        doubt(w, layer, DWN_DOUBT_CENTERS);
    }
    if (l->kind == DWN_KIND_SOFTMAX && (l->output.h > 1 || l->output.w > 1)) {
        doubt(w, layer, DWN_DOUBT_AXIS);
    }
    // Another value had to become more than all strips make.
    if (dwn_kind_has_products(l->kind) && !made->is_sure && made->produced >= made->other) {
        doubt(w, layer, DWN_DOUBT_INPUTS);
    }
    made->has_channels = made->has_channels || l->output_layer != DWN_NONE;
    // The instructions take the parameters from where the block was found.
    if (l->piece_count > 0 && l->kind != DWN_KIND_SOFTMAX && l->kind != DWN_KIND_UNKNOWN &&
        !made->is_selected && !dwn_supply_is(&made->supply, &l->pieces[0])) {
        doubt(w, layer, DWN_DOUBT_PARAMETERS);
    }
    if (has_window(l) && !(made->is_read && (is_same(l) || made->is_agreed))) {
        doubt(w, layer, DWN_DOUBT_PADDING);
    }
    // No doubt of the function: a fact of the source that the file does not have.
    const dwn_after after = dwn_padding_after(l);
    l->heuristics |= after.unread[0] > 0 || after.unread[1] > 0 ? 1u << DWN_GUESS_AFTER : 0;
    doubt_stride(w, layer);
    doubt_extent(w, layer);
    doubt_count(w, layer);
    if (!has_equal_channels(w, l)) {
        doubt(w, layer, DWN_DOUBT_CHANNELS);
    }
    // Rows of weights that were taken for padding are none that something reads.
    if ((l->heuristics >> DWN_GUESS_ROWS & 1) && !made->has_channels) {
        doubt(w, layer, DWN_DOUBT_CHANNELS);
    }
    if (!made->has_reader && l->output_layer == DWN_NONE && l->kind != DWN_KIND_UNKNOWN) {
        doubt(w, layer, DWN_DOUBT_UNREAD);
    }
}

// Backwards, so that readers come before what they read.
void dwn_doubt_layers(dwn_walk *w)
{
    for (uint32_t i = 0; i < w->operations.count; i++) {
        if (w->owners[i] != DWN_NONE) {
            dwn_supply_add(&w->made[w->owners[i]].supply, &w->operations.items[i].supply);
        }
    }
    for (uint32_t layer = w->layer_count; layer-- > 0;) {
        doubt_layer(w, layer);
        report_inputs(w, layer);
    }
}

// Layers without operations have no place in the program, and so no gap of their own.
uint32_t dwn_list_doubts(const dwn_walk *w, dwn_gap *gaps)
{
    uint32_t count = 0;
    for (uint32_t layer = 0; layer < w->layer_count; layer++) {
        const dwn_recovered *l = &w->layers[layer];
        for (uint32_t what = 0; what < DWN_DOUBT_COUNT && l->word_count > 0; what++) {
            if (has_doubt(w, layer, what)) {
                gaps[count++] = (dwn_gap){.reason = reasons[what],
                                          .words = l->words[0],
                                          .has_layer = true,
                                          .layer = layer};
            }
        }
    }
    return count;
}
