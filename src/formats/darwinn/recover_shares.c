// How tiles share a value that they make: rows and columns of an image, or channels of a pixel. In:
// the loops over what the tiles of a group write; out: which words of the value each tile has, for
// recover_trace.c.
//
// Rows and columns of tiles follow from how many pixels each tile makes: there is one way to divide
// the rows and columns of the value so that all of them are products.
#include "formats/darwinn/recover_shares.h"

#include "base/checked.h"
#include "formats/darwinn/recover_steps.h"

// Loops with a stride below a pixel are over its words, others over pixels.
dwn_made_part dwn_part_made(const dwn_operation *op, uint32_t words)
{
    dwn_made_part m = {1, 1};
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const dwn_loop *loop = &op->b.loops[i];
        uint64_t *const product = loop->stride < words ? &m.words : &m.pixels;
        *product = dwn_times(*product, loop->count);
    }
    return m;
}

// Rows or columns of all rows or columns of tiles, where each has its share of all pixels.
static bool divide(const uint64_t pixels[DWN_GRID], uint32_t other, uint32_t all,
                   uint32_t out[DWN_GRID])
{
    // Each row of tiles makes so many rows of `other` columns.
    uint64_t sum = 0;
    for (size_t i = 0; i < DWN_GRID; i++) {
        if (other == 0 || pixels[i] % other != 0 || pixels[i] / other > all) {
            return false;
        }
        out[i] = (uint32_t)(pixels[i] / other);
        sum += out[i];
    }
    return sum == all;
}

// An image: rows and columns of tiles follow from the pixels of each, and agree with all of them.
static bool share_image(const uint64_t pixels[DWN_TRACE_TILES], dwn_extent extent, dwn_shares *out)
{
    uint64_t sums[2][DWN_GRID] = {{0}, {0}};
    uint32_t along[2][DWN_GRID];
    // Pixels of rows and of columns of tiles.
    for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
        sums[0][tile / DWN_GRID] = dwn_plus(sums[0][tile / DWN_GRID], pixels[tile]);
        sums[1][tile % DWN_GRID] = dwn_plus(sums[1][tile % DWN_GRID], pixels[tile]);
    }
    if (!divide(sums[0], extent.w, extent.h, along[0]) ||
        !divide(sums[1], extent.h, extent.w, along[1])) {
        return false;
    }
    uint64_t row = 0;
    for (uint32_t y = 0; y < DWN_GRID; y++) {
        uint64_t column = 0;
        for (uint32_t x = 0; x < DWN_GRID; x++) {
            const uint32_t tile = y * DWN_GRID + x;
            if (pixels[tile] != (uint64_t)along[0][y] * along[1][x]) {
                return false;
            }
            out->first[tile] = (row * extent.w + column) * out->words;
            out->columns[tile] = along[1][x];
            out->channel_words[tile] = out->words;
            column += along[1][x];
        }
        row += along[0][y];
    }
    return true;
}

// One pixel: each tile has some of its channels, in their order.
static bool share_channels(const dwn_operations *all, const dwn_group *group, dwn_shares *out)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &all->items[group->first + i];
        // Groups of channels, the last with fewer.
        const uint64_t groups = op->steps / op->reduction;
        const uint64_t words = dwn_plus(dwn_times(groups - 1, dwn_words_of(op->full_rows)),
                                        dwn_words_of(op->last_rows));
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
            if (op->tiles >> tile & 1) {
                out->channel_words[tile] = words <= out->words ? (uint32_t)words : 0;
                out->columns[tile] = 1;
            }
        }
    }
    for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
        out->first[tile] = sum;
        sum += out->channel_words[tile];
    }
    return sum == out->words;
}

// Adds the pixels that each tile makes in a group. False: they are not written one after the other.
static bool add_pixels(const dwn_operations *all, const dwn_group *group, uint32_t words,
                       uint64_t pixels[DWN_TRACE_TILES])
{
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &all->items[group->first + i];
        if (!dwn_writes_in_order(op, words)) {
            return false;
        }
        for (uint32_t tile = 0; tile < DWN_TRACE_TILES; tile++) {
            const uint64_t more = op->tiles >> tile & 1 ? dwn_part_made(op, words).pixels : 0;
            pixels[tile] = dwn_plus(pixels[tile], more);
        }
    }
    return true;
}

// Each word is made once, in the usual order.
bool dwn_share_pixels(const dwn_operations *all, const dwn_group *group, dwn_extent extent,
                      dwn_shares *out)
{
    uint64_t pixels[DWN_TRACE_TILES] = {0};
    *out = (dwn_shares){.words = dwn_words_of(extent.c)};
    out->is_known = add_pixels(all, group, out->words, pixels) && share_image(pixels, extent, out);
    return out->is_known;
}

// Whether each operation writes all words of a pixel, and no others.
static bool has_words(const dwn_operations *all, const dwn_group *group, uint32_t words)
{
    bool is_so = true;
    for (uint32_t i = 0; i < group->count; i++) {
        is_so = is_so && dwn_part_made(&all->items[group->first + i], words).words == words;
    }
    return is_so;
}

// Whether each operation of a layer makes pixels of its output.
static bool has_pixels(const dwn_recovered *layer)
{
    return dwn_kind_has_products(layer->kind) || layer->kind == DWN_KIND_ADD ||
           layer->kind == DWN_KIND_MULTIPLY || layer->kind == DWN_KIND_MAX_POOL ||
           layer->kind == DWN_KIND_NEAREST ||
           (layer->kind == DWN_KIND_AVERAGE_POOL && !layer->is_in_passes);
}

// Strips, and layers that do not make pixels one after the other, are unknown.
void dwn_share_layer(const dwn_walk *w, const dwn_group *group, uint32_t layer, dwn_shares *out)
{
    const dwn_operations *all = &w->operations;
    const dwn_extent extent = w->values[w->input_count + layer].extent;
    const bool is_known = w->made[layer].strips == 1 && has_pixels(&w->layers[layer]);
    *out = (dwn_shares){.words = dwn_words_of(extent.c)};
    if (is_known && w->layers[layer].kind == DWN_KIND_DENSE) {
        out->is_known = share_channels(all, group, out);
    } else if (is_known && (dwn_kind_has_products(w->layers[layer].kind) ||
                            has_words(all, group, out->words))) {
        (void)dwn_share_pixels(all, group, extent, out);
    }
}

// Products ----------------------------------------------------------------------------------------

// A multiplication makes the four channels of each word in words of their own; another operation,
// which only moves data, puts them into one.
uint32_t dwn_folded_product(const dwn_walk *w, const dwn_group *group, dwn_shares *out)
{
    enum { MODE_PRODUCT = 0x1c30, CHANNELS = 4 };
    const dwn_operation *op = &w->operations.items[group->first];
    const uint32_t layer = group->first > 0 ? w->owners[group->first - 1] : DWN_NONE;
    if (op->kind != DWN_KIND_MOVE || op->mode != MODE_PRODUCT || layer == DWN_NONE ||
        w->layers[layer].kind != DWN_KIND_MULTIPLY || op->a.base != op[-1].b.base) {
        return DWN_NONE;
    }
    const uint32_t value = w->input_count + layer;
    const dwn_extent extent = w->values[value].extent;
    bool is_so = has_words(&w->operations, group, dwn_words_of(extent.c));
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *part = &op[i];
        const uint64_t read = dwn_steps_of(0, part->a.loops, DWN_LOOPS).count;
        is_so =
            is_so && read == dwn_times(CHANNELS, dwn_steps_of(0, part->b.loops, DWN_LOOPS).count);
    }
    return is_so && dwn_share_pixels(&w->operations, group, extent, out) ? value : DWN_NONE;
}

// Inputs of the model ----------------------------------------------------------------------------

// Codes of movements of what the host sends [observed]; LAID, groups of one input, and INPUTS,
// which are looked at, bound time.
enum { CLASS_IN_ROWS = 0x28, CLASS_LAYOUT = 0x38, MODE_BYTES = 0x1c30, LAID = 4, INPUTS = 16 };

bool dwn_lays_out(const dwn_operation *op)
{
    return op->kind == DWN_KIND_MOVE && (op->code == CLASS_IN_ROWS || op->code == CLASS_LAYOUT);
}

// All operations of the group wait for the host.
static bool is_laying(const dwn_operations *all, const dwn_group *group)
{
    bool is_so = true;
    for (uint32_t i = 0; i < group->count; i++) {
        is_so = is_so && dwn_lays_out(&all->items[group->first + i]);
    }
    return is_so;
}

// Whether a group that puts each byte of a pixel into its word does so with as many channels: one
// step of its reduction for each. [observed in all models with up to 3 channels]
static bool may_have_channels(const dwn_operation *op, uint32_t channels)
{
    return op->code != CLASS_LAYOUT || op->mode != MODE_BYTES || op->reduction == channels;
}

// Whether the pixels that groups make, in all, are those of an input.
static bool is_input(const dwn_walk *w, const dwn_period *during, uint32_t input, dwn_shares *out)
{
    const dwn_extent extent = w->values[input].extent;
    uint64_t pixels[DWN_TRACE_TILES] = {0};
    bool is_so = true;
    *out = (dwn_shares){.words = dwn_words_of(extent.c)};
    for (uint32_t g = during->first; g <= during->last && is_so; g++) {
        const dwn_group *group = &w->operations.groups[g];
        is_so = (w->input_count == 1 || may_have_channels(dwn_widest_of(w, group), extent.c)) &&
                add_pixels(&w->operations, group, out->words, pixels);
    }
    return is_so && share_image(pixels, extent, out);
}

// The only input whose pixels these are; of several the one that the host sends there. DWN_NONE:
// there is none, or nothing says which.
static uint32_t input_of(const dwn_walk *w, const dwn_period *during, dwn_shares *out)
{
    uint32_t found = DWN_NONE;
    uint32_t count = 0;
    for (uint32_t i = 0; i < w->input_count && i < INPUTS; i++) {
        dwn_shares shares;
        if (!is_input(w, during, i, &shares)) {
            continue;
        }
        const bool is_done = during->done >> i & 1;
        if (!is_done && (found == DWN_NONE || i == dwn_received(w, during))) {
            found = i;
            *out = shares;
        }
        count++;
    }
    return count > 1 && found != dwn_received(w, during) ? DWN_NONE : found;
}

// Groups from one on that lay out an input together. Of a model with one input it may come again,
// in strips.
void dwn_find_laid(const dwn_walk *w, uint32_t first, dwn_laid *laid)
{
    const dwn_operations *all = &w->operations;
    *laid = (dwn_laid){.value = DWN_NONE, .done = laid->done};
    // The first number of groups that make exactly one input.
    for (uint32_t g = first; g < all->group_count && g < first + LAID; g++) {
        if (!is_laying(all, &all->groups[g])) {
            return;
        }
        const dwn_period during = {first, g, laid->done};
        laid->value = input_of(w, &during, &laid->shares);
        if (laid->value != DWN_NONE) {
            laid->done |= w->input_count > 1 ? 1u << laid->value : 0;
            laid->until = g;
            return;
        }
    }
}
