// Windows, strides and extents from the loops over the input (darwinn reference section 16.4).
//
// Loops of the input that do not stand still are, from the inside: channels of a pixel (perhaps in
// blocks), taps of the window, pixels; of depthwise layers taps, pixels, groups of channels. Loops
// that stand still repeat all that for each group of output channels.
#include "base/assert.h"
#include "base/checked.h"
#include "formats/darwinn/recover_block.h"

// Loops that are still to be explained.
typedef struct nest {
    dwn_loop loops[DWN_LOOPS];
    size_t count;
} nest;

// The loops that move; the product of the counts of the others.
static nest moving_of(const dwn_traversal *a, uint64_t *out_still)
{
    nest n = {.count = 0};
    *out_still = 1;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        if (a->loops[i].count > 1 && a->loops[i].stride != 0) {
            n.loops[n.count++] = a->loops[i];
        } else {
            *out_still = dwn_times(*out_still, a->loops[i].count);
        }
    }
    return n;
}

// Saturates; a saturated product fits no size.
static uint64_t product_of(const nest *n)
{
    uint64_t product = 1;
    for (size_t i = 0; i < n->count; i++) {
        product = dwn_times(product, n->loops[i].count);
    }
    return product;
}

// Order matters: the loops that are left are explained from the inside out.
static void drop(nest *n, size_t index)
{
    for (size_t i = index + 1; i < n->count; i++) {
        n->loops[i - 1] = n->loops[i];
    }
    n->count--;
}

uint64_t dwn_words_read(const dwn_operation *op)
{
    uint64_t still = 0;
    const nest n = moving_of(&op->a, &still);
    return product_of(&n);
}

// Tile 0 has the top left corner, whose padding is whole.
const dwn_operation *dwn_first_part(const dwn_operations *all, const dwn_group *group)
{
    for (uint32_t i = 0; i < group->count; i++) {
        if (all->items[group->first + i].tiles & 1) {
            return &all->items[group->first + i];
        }
    }
    return &all->items[group->first];
}

// Dense ------------------------------------------------------------------------------------------

// Tiles have different rows: their numbers are added up.
uint64_t dwn_dense_rows(const dwn_operations *all, const dwn_group *group)
{
    uint64_t rows = 0;
    for (uint32_t i = 0; i < group->count; i++) {
        const dwn_operation *op = &all->items[group->first + i];
        uint64_t groups = 0;
        (void)moving_of(&op->a, &groups); // the loops that stand still
        const uint64_t of_tile = dwn_times(groups - 1, op->full_rows);
        uint64_t of_part = 0;
        if (hoist_ckd_add(&of_part, of_tile, op->last_rows) ||
            hoist_ckd_mul(&of_part, of_part, (uint64_t)__builtin_popcount(op->tiles)) ||
            hoist_ckd_add(&rows, rows, of_part)) {
            return UINT64_MAX;
        }
    }
    return rows;
}

// Whether loops over a vector go in equal blocks, of which the last may reach beyond it: weights
// that go through the ring come in such blocks, and end with the vector.
static bool covers(const dwn_operation *op, uint64_t words)
{
    const uint64_t block = op->a.loops[0].count;
    return dwn_words_read(op) == op->reduction &&
           (op->reduction == words || (op->a.loops[0].stride == 1 && op->reduction > block &&
                                       op->reduction > words && op->reduction - words < block));
}

// Whether tiles that make rows of a dense layer get the same weights, no more than those of one of
// them: then each makes another pixel.
static bool share_weights(const dwn_operations *all, const dwn_group *group, uint64_t words)
{
    const dwn_operation *op = &all->items[group->widest];
    const dwn_supply supply = dwn_group_supply(all, group);
    uint64_t groups = 0;
    uint64_t rows = 0;
    (void)moving_of(&op->a, &groups);
    const bool overflows = hoist_ckd_mul(&rows, groups - 1, op->full_rows) ||
                           hoist_ckd_add(&rows, rows, op->last_rows) || rows > DWN_MAX_EXTENT;
    const dwn_block_shape one = {.rows = (uint32_t)rows,
                                 .steps = words,
                                 .has_multipliers = op->has_multipliers,
                                 .has_bias = op->has_bias,
                                 .has_zeros = op->has_weight_zeros};
    return !overflows && __builtin_popcount(group->tiles) > 1 && supply.source != DWN_SUPPLY_NONE &&
           supply.last - supply.first < dwn_block_size(&one);
}

// All words of the input in the reduction: a vector, or an image as one.
static bool dense_of(const dwn_operations *all, const dwn_group *group, dwn_extent input,
                     dwn_geometry *g)
{
    const dwn_operation *op = &all->items[group->widest];
    const uint64_t words = (uint64_t)input.h * input.w * dwn_words_of(input.c);
    const uint64_t rows = dwn_dense_rows(all, group);
    if (!covers(op, words) || rows == 0 || rows > DWN_MAX_EXTENT ||
        (words > dwn_words_of(input.c) && share_weights(all, group, words))) {
        return false;
    }
    *g = (dwn_geometry){.kind = DWN_KIND_DENSE,
                        .output = {1, 1, (uint32_t)rows},
                        .kernel = {1, 1},
                        .stride = {1, 1},
                        .dilation = {1, 1},
                        .pixels = 1,
                        .groups = 1,
                        .is_beyond = op->reduction > words,
                        .is_whole = true};
    return true;
}

// Windows ----------------------------------------------------------------------------------------

// The square root; 0: it is no square.
static uint32_t root_of(uint64_t square)
{
    uint32_t root = 1;
    while ((uint64_t)root * root < square && root < DWN_MAX_EXTENT) {
        root++;
    }
    return (uint64_t)root * root == square ? root : 0;
}

// One loop over all taps: rows of the window lie after each other in the tile. Which height and
// width it has is a guess then.
static bool take_square(nest *n, uint64_t taps, uint32_t words, dwn_geometry *g)
{
    const int64_t step = n->loops[0].stride;
    g->kernel[0] = g->kernel[1] = root_of(taps);
    g->heuristics |= 1u << DWN_GUESS_SQUARE;
    g->has_window = step == words;
    g->pitch = (int64_t)g->kernel[1] * words;
    drop(n, 0);
    return g->kernel[0] != 0;
}

// The loops that run over `taps` taps, which are taken away. False: there are none such.
static bool take_taps(nest *n, uint64_t taps, uint32_t words, dwn_geometry *g)
{
    g->kernel[0] = g->kernel[1] = 1;
    g->dilation[0] = g->dilation[1] = 1;
    if (taps == 1) {
        return true;
    }
    if (n->count == 0) {
        return false;
    }
    const dwn_loop x = n->loops[0];
    if (x.count == taps) {
        return take_square(n, taps, words, g);
    }
    const dwn_loop y = n->count > 1 ? n->loops[1] : (dwn_loop){0};
    // Everything is bounded by DWN_MAX_EXTENT, so that nothing below overflows.
    if (dwn_times(x.count, y.count) != taps || x.stride <= 0 || x.stride % words != 0 ||
        x.stride > DWN_MAX_EXTENT || y.stride <= x.stride || y.stride > DWN_MAX_EXTENT ||
        dwn_times((uint64_t)x.stride, taps) > DWN_MAX_EXTENT ||
        y.stride % (x.stride / words) != 0) {
        return false;
    }
    g->kernel[0] = y.count;
    g->kernel[1] = x.count;
    g->dilation[0] = g->dilation[1] = (uint32_t)(x.stride / words);
    g->pitch = y.stride / (x.stride / words);
    g->has_window = true;
    drop(n, 0);
    drop(n, 0);
    return true;
}

// Takes away the loops over the channels of a pixel; those before any other are `*out_inner` words.
// False: they are not all of them.
static bool take_channels(nest *n, uint32_t words, uint64_t *out_inner)
{
    uint64_t product = 1;
    *out_inner = 1;
    for (size_t i = 0; i < n->count;) {
        if (n->loops[i].stride > 0 && n->loops[i].stride < words) {
            product = dwn_times(product, n->loops[i].count);
            *out_inner = i == 0 ? product : *out_inner;
            drop(n, i);
        } else {
            i++;
        }
    }
    return product == words;
}

// A loop over the words of several pixels in a row becomes one over those of a pixel and one over
// pixels: taps of a window that lie after each other.
static void split_pixels(nest *n, uint32_t words)
{
    const dwn_loop first = n->count > 0 ? n->loops[0] : (dwn_loop){0};
    if (first.stride != 1 || first.count <= words || first.count % words != 0 ||
        n->count == DWN_LOOPS) {
        return;
    }
    for (size_t i = n->count++; i > 1; i--) {
        n->loops[i] = n->loops[i - 1];
    }
    n->loops[0].count = words;
    n->loops[1] = (dwn_loop){.count = first.count / words, .stride = words};
}

// Strides and extents ----------------------------------------------------------------------------

// The tile with most pixels, of 4 x 4.
static uint64_t pixels_of_tile(uint32_t h, uint32_t w)
{
    return (uint64_t)dwn_divided(h, DWN_GRID) * dwn_divided(w, DWN_GRID);
}

// A stride that a pixel loop shows; 0: it shows none.
static uint32_t shown(int64_t stride, int64_t unit)
{
    const bool is_one = unit > 0 && stride > 0 && stride % unit == 0; // in pixels
    return is_one && stride / unit <= DWN_MAX_STRIDE ? (uint32_t)(stride / unit) : 0;
}

// The strides that loops of one step show, of operations that have all loops in their places:
// channels, columns and rows of the window, channels again, columns and rows of pixels, and then
// the whole of the tile. Channels that come in parts outside of the pixels come last.
static void show_places(const dwn_traversal *a, uint32_t words, dwn_geometry *g)
{
    enum { INNER = 0, LEFT_TAP, TOP_TAP, REST, LATE = 6 };
    const dwn_loop *const loops = a->loops;
    const bool is_late = loops[LATE].count > 1 && loops[LATE].stride == (int64_t)loops[INNER].count;
    const dwn_loop *const rest = &loops[is_late ? LATE : REST];
    const dwn_loop *const column = &loops[is_late ? REST : REST + 1];
    const dwn_loop *const row = column + 1;
    const dwn_loop *const all = column + 2;
    const int64_t pitch = loops[TOP_TAP].stride;
    const bool is_rest =
        is_late ? dwn_times(loops[INNER].count, rest->count) == words : rest->stride == words;
    if (loops[LEFT_TAP].stride != words || !is_rest || pitch <= 0 || pitch % words != 0 ||
        all->stride % pitch != 0 || column->stride % words != 0 || row->stride % pitch != 0 ||
        column->stride <= 0 || row->stride <= 0 || column->stride / words > DWN_MAX_EXTENT ||
        row->stride / pitch > DWN_MAX_EXTENT) {
        return;
    }
    g->stride[1] = (uint32_t)(column->stride / words);
    g->stride[0] = (uint32_t)(row->stride / pitch);
}

// The strides that the loops over pixels show. False: they are none of pixels.
static bool show_strides(const dwn_traversal *a, const nest *pixels, uint32_t words,
                         dwn_geometry *g)
{
    g->stride[0] = g->stride[1] = 0;
    if (pixels->count > 2) { // a third loop is none of columns or rows
        return false;
    }
    if (pixels->count == 0) {
        show_places(a, words, g);
        return true;
    }
    const int64_t first = pixels->loops[0].stride;
    if (pixels->count == 2) {
        g->part[0] = pixels->loops[1].count;
        g->part[1] = pixels->loops[0].count;
        g->stride[1] = shown(first, words);
        g->stride[0] = g->has_window ? shown(pixels->loops[1].stride, g->pitch) : g->stride[1];
        return g->stride[0] != 0 && g->stride[1] != 0;
    }
    // One loop over columns ends in a row of the tile, which has all columns of a window, too.
    const bool is_rows = g->has_window && first >= g->pitch;
    g->stride[1] = is_rows ? 0 : shown(first, words);
    g->stride[0] = is_rows ? shown(first, g->pitch) : 0;
    if (g->has_window) {
        g->part[0] = is_rows ? pixels->loops[0].count : 1;
        g->part[1] = is_rows ? 1 : pixels->loops[0].count;
    }
    return g->stride[0] != 0 || g->stride[1] != 0;
}

// Rows or columns from the first to the last tap.
static uint32_t reach_of(const dwn_geometry *g, size_t axis)
{
    return (g->kernel[axis] - 1) * g->dilation[axis];
}

// The output by TFLite's SAME: whether it is whole follows from the pixels of the widest part.
static void set_output(dwn_geometry *g, dwn_extent input)
{
    g->output.h = dwn_divided(input.h, g->stride[0]);
    g->output.w = dwn_divided(input.w, g->stride[1]);
    g->is_whole = g->pixels == pixels_of_tile(g->output.h, g->output.w);
    g->heuristics |= 1u << DWN_GUESS_EXTENT;
}

// Windows that lie in an input without padding.
static uint32_t inside_of(const dwn_geometry *g, size_t axis, uint32_t input)
{
    const uint32_t reach = reach_of(g, axis);
    return input > reach ? (input - reach - 1) / g->stride[axis] + 1 : 0;
}

// An output that tiles count and that is not the input over the stride: with more along an axis
// there is padding of its own, with less along both, and as many as lie in the input, there is
// none. What is less along one axis alone is a strip.
static void set_counted(dwn_geometry *g, dwn_extent input, const uint32_t counted[2])
{
    const uint32_t h = counted[0];
    const uint32_t w = counted[1];
    const bool is_same = h == g->output.h && w == g->output.w;
    const bool is_more = h >= g->output.h && w >= g->output.w;
    const bool is_inside = h == inside_of(g, 0, input.h) && w == inside_of(g, 1, input.w);
    if (!is_same && (is_more || is_inside)) {
        g->output.h = h;
        g->output.w = w;
        g->is_whole = g->is_counted = true;
        g->heuristics &= ~(1u << DWN_GUESS_EXTENT);
    }
}

// Strides that are shown, of one axis for both; else the least that give the pixels of the widest
// part. A part may be smaller than a tile: then it is of a strip. `counted` is NULL where loops do
// not show it.
static bool set_strides(dwn_geometry *g, dwn_extent input, const uint32_t *counted)
{
    const uint32_t visible = g->stride[0] ? g->stride[0] : g->stride[1];
    if (visible) {
        g->stride[0] = g->stride[0] ? g->stride[0] : visible;
        g->stride[1] = g->stride[1] ? g->stride[1] : visible;
        set_output(g, input);
        if (counted) {
            set_counted(g, input, counted);
        }
        return g->is_counted || g->pixels <= pixels_of_tile(g->output.h, g->output.w);
    }
    g->heuristics |= 1u << DWN_GUESS_STRIDE;
    for (uint32_t s = 1; s <= DWN_MAX_STRIDE; s++) {
        g->stride[0] = g->stride[1] = s;
        set_output(g, input);
        if (g->is_whole) {
            return true;
        }
    }
    return false;
}

// Loops from the inside: channels, taps, pixels; the loops that stand still are groups of outputs.
static bool convolution_of(const dwn_operation *op, nest n, uint32_t words, dwn_geometry *g)
{
    g->inner = words;
    if (words > 1) {
        split_pixels(&n, words);
    }
    if (words > 1 && !take_channels(&n, words, &g->inner)) {
        return false;
    }
    uint64_t rows = 0;
    const bool overflows = hoist_ckd_mul(&rows, g->groups - 1, op->full_rows) ||
                           hoist_ckd_add(&rows, rows, op->last_rows) || rows > DWN_MAX_EXTENT;
    HOIST_ASSERT(words > 0); // fields of counts have them less 1: nothing is without channels
    g->kind = DWN_KIND_CONVOLUTION;
    g->output.c = (uint32_t)rows;
    // All groups but the last have whole words.
    const bool is_cut = g->groups > 1 && op->full_rows % 4 != 0;
    if (overflows || is_cut || op->reduction % words != 0 ||
        !take_taps(&n, op->reduction / words, words, g)) {
        return false;
    }
    g->pixels = product_of(&n);
    return show_strides(&op->a, &n, words, g);
}

// Loops from the inside: taps, pixels, channels; each group of 4 channels is an output group.
static bool depthwise_of(const dwn_operation *op, nest n, uint32_t words, uint32_t channels,
                         dwn_geometry *g)
{
    const dwn_loop *last = n.count ? &n.loops[n.count - 1] : NULL;
    if (!last || last->stride != 1 || last->count != words || g->groups != 1) {
        return false;
    }
    n.count--;
    g->kind = DWN_KIND_DEPTHWISE;
    g->output.c = channels;
    g->groups = words;
    if (!take_taps(&n, op->reduction, words, g)) {
        return false;
    }
    g->pixels = product_of(&n);
    return show_strides(&op->a, &n, words, g);
}

// Of strides that all give the pixels of a tile the first that gives those of all tiles, too: parts
// of small images have one pixel with any.
static void count_pixels(dwn_geometry *g, const dwn_group *group, dwn_extent input)
{
    const dwn_geometry found = *g;
    for (uint32_t s = 1; s <= DWN_MAX_STRIDE && (g->heuristics >> DWN_GUESS_STRIDE & 1); s++) {
        g->stride[0] = g->stride[1] = s;
        set_output(g, input);
        if (g->is_whole &&
            dwn_times((uint64_t)g->output.h * g->output.w, g->groups) == group->produced) {
            return;
        }
    }
    *g = found;
}

// Whether the loop over the words of channels is a reduction: it is in the steps before the first
// loop that gives outputs. Those of a depthwise layer give an output each.
static bool is_channel_reduced(const dwn_operation *op, uint32_t words)
{
    const uint64_t early = op->reduction / op->late;
    uint64_t steps = 1;
    for (size_t i = 0; i < DWN_LOOPS; i++) {
        const dwn_loop *loop = &op->a.loops[i];
        steps = dwn_times(steps, loop->count);
        if (loop->stride == 1 && loop->count == words && steps <= early) {
            return true;
        }
    }
    return false;
}

bool dwn_window_of(const dwn_operation *op, dwn_extent input, dwn_geometry *out)
{
    const uint32_t words = dwn_words_of(input.c);
    *out = (dwn_geometry){0};
    const nest n = moving_of(&op->a, &out->groups);
    const bool is_full = words == 1 || op->late > 1 || (n.count > 0 && n.loops[0].stride == 1) ||
                         is_channel_reduced(op, words);
    // A convolution of more than 4 channels begins with channels, or has them in its reduction.
    return is_full ? convolution_of(op, n, words, out) : depthwise_of(op, n, words, input.c, out);
}

bool dwn_counted_geometry(const dwn_operations *all, const dwn_group *group, dwn_extent input,
                          const uint32_t *counted, dwn_geometry *out)
{
    *out = (dwn_geometry){0};
    if (dense_of(all, group, input, out)) {
        return true;
    }
    // A single pixel has no windows: it is read by a dense layer, or this is not its reader.
    if ((input.h == 1 && input.w == 1) || !dwn_window_of(&all->items[group->widest], input, out) ||
        !set_strides(out, input, counted)) {
        return false;
    }
    count_pixels(out, group, input);
    return true;
}

// Padding ----------------------------------------------------------------------------------------

bool dwn_padding_of(dwn_geometry *g, dwn_extent input, int32_t produced, int32_t consumed)
{
    // The consumer begins above and left of the first pixel by as many words as the padding has.
    const int64_t distance = (int64_t)produced - consumed;
    const int64_t words = dwn_words_of(input.c);
    if (g->kernel[0] == 1 && g->kernel[1] == 1) {
        return distance == 0;
    }
    if (!g->has_window || g->pitch <= 0 || distance < 0) {
        return false;
    }
    const int64_t top = distance / g->pitch;
    const int64_t rest = distance % g->pitch;
    // More padding than window: another value.
    if (rest % words != 0 || top > reach_of(g, 0) || rest / words > reach_of(g, 1)) {
        return false;
    }
    g->padding[0] = (uint32_t)top;
    g->padding[1] = (uint32_t)(rest / words);
    return true;
}

dwn_sides dwn_padding_same(const dwn_geometry *g, dwn_extent input)
{
    const uint32_t in[2] = {input.h, input.w};
    const uint32_t out[2] = {g->output.h, g->output.w};
    uint32_t sides[2];
    for (size_t axis = 0; axis < 2; axis++) {
        const int64_t covered = (int64_t)(out[axis] - 1) * g->stride[axis] + reach_of(g, axis) + 1;
        // Of an odd number the larger half is after the input.
        sides[axis] = covered > in[axis] ? (uint32_t)((covered - in[axis]) / 2) : 0;
    }
    return (dwn_sides){sides[0], sides[1]};
}
