// The order of an output's bytes: rules 69 to 71. Each pixel gets its offset by layout.h; the
// offsets are sorted, so that two pixels that overlap are neighbours. The number of pixels is
// limited for all layouts of a file, which may share their maps.
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/order.h"
#include "base/span.h"
#include "formats/darwinn/check.h"
#include "formats/darwinn/layout.h"

enum { MAX_PIXELS = 16777216 }; // of all layouts of a file, which may share their maps

// For qsort(3).
static int by_value(const void *a, const void *b)
{
    return hoist_order_i64(*(const int64_t *)a, *(const int64_t *)b);
}

// The first element of each pixel, in `starts`. False: a pixel ends outside the buffer, which was
// reported; the others are not looked at then.
static bool list_starts(const dwn_check *c, const dwn_layer *layer, const dwn_output_layout *layout,
                        int64_t elements, int64_t *starts)
{
    for (int32_t y = 0; y < layer->y_dim; y++) {
        for (int32_t x = 0; x < layer->x_dim; x++) {
            const int64_t at = dwn_layout_index(layout, y, x);
            if (at > elements - layer->z_dim) {
                dwn_report(c->diag, DWN_070,
                           DWN_PLACE(c, output_layout, layout, y_coordinate_to_linear_tile_id_map),
                           "pixel (%" PRId32 ", %" PRId32 ") is at element %" PRId64 " of %" PRId64,
                           y, x, at, elements);
                return false;
            }
            *starts++ = at;
        }
    }
    return true;
}

// Rule 70: no two pixels overlap. After sorting, neighbours are the only pairs to compare.
static void check_starts(const dwn_check *c, const dwn_layer *layer,
                         const dwn_output_layout *layout, int64_t *starts, size_t pixels)
{
    qsort(starts, pixels, sizeof(*starts), by_value);
    for (size_t i = 1; i < pixels; i++) {
        if (starts[i] - starts[i - 1] < layer->z_dim) {
            dwn_report(c->diag, DWN_070,
                       DWN_PLACE(c, output_layout, layout, y_coordinate_to_linear_tile_id_map),
                       "two pixels share element %" PRId64, starts[i]);
            return;
        }
    }
}

// The offsets of all pixels, allocated apart from the arena: a layout may have 2^24 of them.
static hoist_status check_places(dwn_check *c, const dwn_layer *layer,
                                 const dwn_output_layout *layout, int64_t elements)
{
    const size_t pixels = (size_t)layer->y_dim * (size_t)layer->x_dim;
    int64_t *const starts = hoist_alloc(c->arena.alloc, pixels * sizeof(*starts));
    if (!starts) {
        return HOIST_NO_MEMORY;
    }
    if (list_starts(c, layer, layout, elements, starts)) {
        check_starts(c, layer, layout, starts, pixels);
    }
    hoist_free(c->arena.alloc, starts, pixels * sizeof(*starts));
    return HOIST_OK;
}

static hoist_status check_maps(dwn_check *c, const dwn_layer *layer,
                               const dwn_output_layout *layout)
{
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    const int64_t pixels = (int64_t)layer->y_dim * layer->x_dim;
    if (!dwn_layout_is_complete(layout, layer)) {
        dwn_report(c->diag, DWN_070,
                   DWN_PLACE(c, output_layout, layout, y_coordinate_to_linear_tile_id_map),
                   "the maps of the layout do not fit %" PRId32 " rows, %" PRId32
                   " columns and their tiles",
                   layer->y_dim, layer->x_dim);
        return HOIST_OK;
    }
    // Subtracted, not added: `pixels` may be almost any number.
    if (pixels > MAX_PIXELS - c->pixels) {
        return hoist_fail(c->diag, HOIST_LIMIT, c->options->limit_rule,
                          DWN_PLACE(c, output_layout, layout, y_coordinate_to_linear_tile_id_map),
                          "layouts of %" PRId64 " pixels and more, of which at most %d are looked "
                          "at",
                          pixels, MAX_PIXELS);
    }
    c->pixels += pixels;
    const int64_t elements = type ? layer->size_bytes / type->size : 0;
    // Sizes and types that are wrong are rules 63 and 65.
    return pixels && elements && layer->z_dim ? check_places(c, layer, layout, elements) : HOIST_OK;
}

// A fault of a slice of a layer that has a shape; NULL: it has none.
static const char *slice_fault(const dwn_layer *layer, const dwn_type_row *type,
                               const dwn_shape_info *info, uint32_t index)
{
    dwn_slice slice;
    if (!dwn_slice_of(info, index, &slice) || slice.rank != dwn_shape_rank(layer->shape) ||
        slice.span < 0 || slice.offset < 0 || slice.offset % type->size) {
        return "a shape, strides or offset that cannot be";
    }
    if (!dwn_slice_is_inside(&slice, layer->shape)) {
        return "indices that the layer does not have";
    }
    // A quotient, so that nothing overflows.
    const bool fits = slice.span <= (layer->size_bytes - slice.offset) / type->size;
    return fits ? NULL : "elements outside the buffer";
}

// Rule 71. Slices exclude several executions, as the driver has it.
static void check_slices(const dwn_check *c, const dwn_layer *layer, const dwn_shape_info *info)
{
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    const hoist_loc place = DWN_PLACE(c, shape_info, info, slice_layout);
    if (layer->execution_count_per_inference > 1) {
        dwn_report(c->diag, DWN_071, place, "the layer is executed %" PRId32 " times",
                   layer->execution_count_per_inference);
    }
    if (info->slice_layout.count != dwn_map_count(info->slice_offset) || !layer->shape) {
        dwn_report(c->diag, DWN_071, place,
                   "%" PRIu32 " slices with %zu offsets, and %s shape of the layer",
                   info->slice_layout.count, dwn_map_count(info->slice_offset),
                   layer->shape ? "a" : "no");
        return;
    }
    for (uint32_t i = 0; type && i < info->slice_layout.count; i++) {
        const char *const fault = slice_fault(layer, type, info, i);
        if (fault) {
            dwn_report(c->diag, DWN_071,
                       DWN_PLACE(c, tensor_layout, &info->slice_layout.items[i], shape),
                       "slice %" PRIu32 " has %s", i, fault);
        }
    }
}

// Layouts of one pixel are never read (reference 5.1).
hoist_status dwn_check_layout(dwn_check *c, const dwn_layer *layer, const dwn_output_layer *output)
{
    if (output->shape_info) {
        check_slices(c, layer, output->shape_info);
    }
    const bool is_image = layer->y_dim > 1 || layer->x_dim > 1;
    if (is_image && !output->layout && !output->shape_info) {
        dwn_report(c->diag, DWN_069, DWN_PLACE(c, output_layer, output, layout),
                   "there is no layout for %" PRId32 " x %" PRId32 " pixels", layer->y_dim,
                   layer->x_dim);
    }
    return is_image && output->layout ? check_maps(c, layer, output->layout) : HOIST_OK;
}
