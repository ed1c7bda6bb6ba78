// Where the pixels and slices of an output are in the buffer that the chip sends (darwinn reference
// sections 5.1 and 5.2). In: the maps of an OutputLayout or the slices of an OutputShapeInfo; out:
// offsets in elements. relayout.c moves tensors with them, check_layout.c checks them.
#include "formats/darwinn/layout.h"

#include "base/assert.h"
#include "base/checked.h"

// The map has `count` items, each from 0 to `most`.
static bool is_map(hoist_bytes map, int64_t count, int64_t most)
{
    if ((int64_t)dwn_map_count(map) != count) {
        return false;
    }
    for (size_t i = 0; i < dwn_map_count(map); i++) {
        const int32_t item = hoist_fb_i32(map, i);
        if (item < 0 || item > most) {
            return false;
        }
    }
    return true;
}

// 0 of an empty map.
static int64_t greatest(hoist_bytes map)
{
    int64_t most = 0;
    for (size_t i = 0; i < dwn_map_count(map); i++) {
        const int32_t item = hoist_fb_i32(map, i);
        most = item > most ? item : most;
    }
    return most;
}

// All that dwn_layout_index() relies on. The largest tile is the sum of both maps' largest, so one
// comparison covers all pairs.
bool dwn_layout_is_complete(const dwn_output_layout *l, const dwn_layer *layer)
{
    const int64_t rows = layer->y_dim;
    const int64_t columns = layer->x_dim;
    const hoist_bytes tiles = l->linearized_tile_byte_offset;
    const int64_t tile = greatest(l->y_coordinate_to_linear_tile_id_map) +
                         greatest(l->x_coordinate_to_linear_tile_id_map);
    return is_map(l->y_coordinate_to_linear_tile_id_map, rows, INT32_MAX) &&
           is_map(l->y_coordinate_to_local_y_offset, rows, INT32_MAX) &&
           is_map(l->x_coordinate_to_linear_tile_id_map, columns, INT32_MAX) &&
           is_map(l->x_coordinate_to_local_byte_offset, columns, INT32_MAX) &&
           is_map(l->x_coordinate_to_local_y_row_size, columns, INT32_MAX) &&
           tile < (int64_t)dwn_map_count(tiles) &&
           is_map(tiles, (int64_t)dwn_map_count(tiles), INT32_MAX);
}

dwn_local dwn_layout_local(const dwn_output_layout *l, int64_t y, int64_t x)
{
    const size_t row = (size_t)y;
    const size_t column = (size_t)x;
    HOIST_ASSERT(y >= 0 && row < dwn_map_count(l->y_coordinate_to_linear_tile_id_map));
    HOIST_ASSERT(x >= 0 && column < dwn_map_count(l->x_coordinate_to_linear_tile_id_map));
    // Below 2^62, as all are below 2^31.
    return (dwn_local){.tile = (int64_t)hoist_fb_i32(l->y_coordinate_to_linear_tile_id_map, row) +
                               hoist_fb_i32(l->x_coordinate_to_linear_tile_id_map, column),
                       .offset = (int64_t)hoist_fb_i32(l->y_coordinate_to_local_y_offset, row) *
                                     hoist_fb_i32(l->x_coordinate_to_local_y_row_size, column) +
                                 hoist_fb_i32(l->x_coordinate_to_local_byte_offset, column)};
}

// A sum of three int32, of which one is a product: below 2^63.
int64_t dwn_layout_index(const dwn_output_layout *l, int64_t y, int64_t x)
{
    const dwn_local at = dwn_layout_local(l, y, x);
    HOIST_ASSERT(at.tile >= 0 && (size_t)at.tile < dwn_map_count(l->linearized_tile_byte_offset));
    return at.offset + hoist_fb_i32(l->linearized_tile_byte_offset, (size_t)at.tile);
}

// Elements from the first of a slice to after its last. -1: a stride is smaller than what it spans,
// so that elements overlap, or numbers overflow.
static int64_t span_of(const dwn_tensor_layout *layout, size_t rank)
{
    HOIST_ASSERT(dwn_map_count(layout->stride) == rank && dwn_shape_rank(layout->shape) == rank);
    int64_t inner = 1; // what the next stride has to hold
    int64_t last = 0;
    for (size_t i = rank; i-- > 0;) {
        const int64_t extent = dwn_shape_extent(layout->shape, i);
        const int64_t stride = hoist_fb_i32(layout->stride, i);
        int64_t more = 0;
        if (extent < 1 || stride < inner || hoist_ckd_mul_i64(&inner, stride, extent) ||
            hoist_ckd_mul_i64(&more, stride, extent - 1) || hoist_ckd_add_i64(&last, last, more)) {
            return -1;
        }
    }
    return last < INT64_MAX ? last + 1 : -1;
}

bool dwn_slice_of(const dwn_shape_info *info, uint32_t index, dwn_slice *out_slice)
{
    HOIST_ASSERT(index < info->slice_layout.count);
    const dwn_tensor_layout *const layout = &info->slice_layout.items[index];
    const size_t rank = layout->shape ? dwn_shape_rank(layout->shape) : 0;
    if (rank == 0 || dwn_map_count(layout->stride) != rank) {
        return false;
    }
    *out_slice = (dwn_slice){.layout = layout,
                             .rank = rank,
                             .offset = hoist_fb_i32(info->slice_offset, index),
                             .span = span_of(layout, rank)};
    return true;
}

// Both have inclusive ranges.
bool dwn_slice_is_inside(const dwn_slice *slice, const dwn_tensor_shape *shape)
{
    HOIST_ASSERT(slice->rank <= dwn_shape_rank(shape));
    for (size_t i = 0; i < slice->rank; i++) {
        const dwn_range have = dwn_shape_range(shape, i);
        const dwn_range part = dwn_shape_range(slice->layout->shape, i);
        if (part.start < have.start || part.end > have.end) {
            return false;
        }
    }
    return true;
}
