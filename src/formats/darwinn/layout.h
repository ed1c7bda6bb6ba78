// formats/darwinn/layout.h - where the elements of an output are in the order in which the chip
// sends them (darwinn reference sections 5.1 and 5.2).
#ifndef HOIST_SRC_FORMATS_DARWINN_LAYOUT_H
#define HOIST_SRC_FORMATS_DARWINN_LAYOUT_H

#include "formats/darwinn/layer.h"

// Items of a map of a layout.
static inline size_t dwn_map_count(hoist_bytes map)
{
    return hoist_fb_count(map, sizeof(int32_t));
}

// Whether the maps have as many items as the layer has rows and columns, none of them below 0, and
// every tile that they name has an offset.
bool dwn_layout_is_complete(const dwn_output_layout *layout, const dwn_layer *layer);
// The element, counted from the buffer's start, where the channels of pixel (y, x) begin. The
// layout is complete.
int64_t dwn_layout_index(const dwn_output_layout *layout, int64_t y, int64_t x);

// The same inside of the part of its tile.
typedef struct dwn_local {
    int64_t tile, offset;
} dwn_local;
dwn_local dwn_layout_local(const dwn_output_layout *layout, int64_t y, int64_t x);

// A slice of an output that has shape_info.
typedef struct dwn_slice {
    const dwn_tensor_layout *layout; // its shape is there, and has as many dimensions as strides
    size_t rank;
    int64_t offset; // bytes before it
    int64_t span;   // elements from the first to after the last; -1: its shape or strides are
                    // wrong
} dwn_slice;
// Slice `index`, which is below the numbers of slice_layout and slice_offset. False: it has no
// shape, or another number of strides.
bool dwn_slice_of(const dwn_shape_info *info, uint32_t index, dwn_slice *out_slice);
// Whether a shape of the same rank has all indices of the slice.
bool dwn_slice_is_inside(const dwn_slice *slice, const dwn_tensor_shape *shape);

#endif // HOIST_SRC_FORMATS_DARWINN_LAYOUT_H
