// Tensors between the order of the user and that of the chip, element by element (darwinn reference
// sections 5, 5.1, 5.2 and 5.3): the slow definition that faster moves are compared with. The order
// comes from layout.h as a list with the place of each element.
#include "formats/darwinn/relayout.h"

#include <string.h>

#include "base/assert.h"
// Orders -----------------------------------------------------------------------------------------

// 5.1: an image from the tiles, where each pixel's channels are contiguous. False: a map of the
// layout is incomplete, or leads outside of the buffer of `elements`.
static bool order_by_layout(const dwn_layer *layer, const dwn_output_layout *layout,
                            int64_t elements, const dwn_order *order)
{
    if (!dwn_layout_is_complete(layout, layer)) {
        return false;
    }
    int64_t *at = order->at;
    for (int64_t y = 0; y < layer->y_dim; y++) {
        for (int64_t x = 0; x < layer->x_dim; x++) {
            const int64_t first = dwn_layout_index(layout, y, x);
            if (first > elements - layer->z_dim) { // the last channel is outside
                return false;
            }
            for (int64_t z = 0; z < layer->z_dim; z++) {
                *at++ = first + z;
            }
        }
    }
    return true;
}

// Element `number` of a slice, counted with the innermost dimension fastest: its index in the
// packed tensor, and in `out_in_slice` its index in the slice, whose strides may leave gaps. The
// number is taken apart like digits of a mixed radix, from the innermost dimension outwards.
static int64_t place_of(const dwn_slice *slice, const dwn_tensor_shape *tensor, int64_t number,
                        int64_t *out_in_slice)
{
    int64_t place = 0;
    int64_t stride = 1; // of the tensor, which is packed
    *out_in_slice = 0;
    for (size_t i = slice->rank; i-- > 0;) {
        const int64_t extent = dwn_shape_extent(slice->layout->shape, i);
        // First index of the slice.
        const int64_t part = dwn_shape_range(slice->layout->shape, i).start;
        const int64_t step = number % extent;
        number /= extent;
        *out_in_slice += step * hoist_fb_i32(slice->layout->stride, i);
        place += (part - dwn_shape_range(tensor, i).start + step) * stride;
        stride *= dwn_shape_extent(tensor, i);
    }
    return place;
}

// 5.2: one slice, of which the caller has checked that it is inside the tensor and the buffer.
// False: an element is in two slices.
static bool order_slice(const dwn_slice *slice, const dwn_tensor_shape *tensor, int64_t element,
                        const dwn_order *order)
{
    const int64_t count = dwn_shape_elements(slice->layout->shape);
    for (int64_t i = 0; i < count; i++) {
        int64_t in_slice = 0;
        int64_t *const at = &order->at[place_of(slice, tensor, i, &in_slice)];
        if (*at >= 0) {
            return false;
        }
        *at = slice->offset / element + in_slice;
    }
    return true;
}

// 5.2: all slices. Elements that no slice covers keep -1, and have no place in the buffer.
static bool order_by_slices(const dwn_layer *layer, const dwn_shape_info *info, int64_t element,
                            const dwn_order *order)
{
    const uint32_t count = info->slice_layout.count;
    if (!layer->shape || layer->execution_count_per_inference != 1 ||
        dwn_map_count(info->slice_offset) != count) {
        return false;
    }
    for (int64_t i = 0; i < order->count; i++) {
        order->at[i] = -1;
    }
    for (uint32_t i = 0; i < count; i++) {
        dwn_slice slice;
        // A span below 0: its strides overlap. The buffer's bytes bound the rest.
        if (!dwn_slice_of(info, i, &slice) || slice.rank > DWN_MAX_RANK || slice.span < 0 ||
            slice.rank != dwn_shape_rank(layer->shape) || slice.offset < 0 ||
            slice.offset % element || !dwn_slice_is_inside(&slice, layer->shape) ||
            slice.span > (layer->size_bytes - slice.offset) / element ||
            !order_slice(&slice, layer->shape, element, order)) {
            return false;
        }
    }
    return true;
}

// Fills `order` for one execution of the layer. Inputs, and outputs of a single pixel, are stored
// as the user has them; other outputs need shape_info, which is preferred as in the driver, or a
// layout.
static bool make_order(const dwn_layer *layer, int64_t element, const dwn_order *order)
{
    const bool is_image = layer->y_dim > 1 || layer->x_dim > 1;
    const dwn_output_layer *const output =
        layer->any_layer.type == DWN_LAYER_OUTPUT ? layer->any_layer.value : NULL;
    if (output && output->shape_info) {
        return order_by_slices(layer, output->shape_info, element, order);
    }
    if (!output || !is_image) {
        for (int64_t i = 0; i < order->count; i++) {
            order->at[i] = i;
        }
        return true;
    }
    return output->layout && // an image without either has no known order
           order_by_layout(layer, output->layout, layer->size_bytes / element, order);
}

hoist_status dwn_order_of(const dwn_layer *layer, hoist_arena *arena, dwn_order *out_order)
{
    *out_order = (dwn_order){NULL, 0};
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    const int64_t count = dwn_layer_elements(layer); // -1 or less where the product does not fit
    // A product that does not fit is no number of elements that size_bytes could hold.
    const bool sound = type && layer->y_dim >= 0 && layer->x_dim >= 0 && layer->z_dim >= 0 &&
                       count >= 0 && count <= layer->size_bytes / type->size;
    if (!sound || dwn_layer_plain(layer) != count) { // the shape, where there is one, has as many
        return HOIST_INVALID;
    }
    dwn_order order = {.count = count};
    order.at = hoist_arena_array(arena, (size_t)count, sizeof(*order.at));
    if (!order.at) {
        return HOIST_NO_MEMORY;
    }
    if (count > 0 && !make_order(layer, type->size, &order)) {
        return HOIST_INVALID;
    }
    *out_order = order;
    return HOIST_OK;
}
// `order->at` is as long as the layer has elements, which size_bytes (31 bits) bounds.

// Moves ------------------------------------------------------------------------------------------

// Buffers of all executions of all elements of a batch.
typedef struct move {
    const dwn_type_row *type;
    dwn_order order;
    size_t count; // executions in all
    size_t user;  // bytes of each
    size_t chip;
} move;

// Checks that the buffers are of whole executions and agree on their number. HOIST_INVALID: they
// are not, or the layer's order is unknown.
static hoist_status prepare(const dwn_layer *layer, size_t user, size_t chip, hoist_arena *arena,
                            move *m)
{
    const int64_t actual = dwn_layer_actual(layer);
    const int64_t padded = dwn_layer_padded(layer);
    if (layer->execution_count_per_inference < 1 || actual < 1 || padded < 1 ||
        user % (size_t)actual || chip % (size_t)padded ||
        user / (size_t)actual != chip / (size_t)padded) {
        return HOIST_INVALID;
    }
    HOIST_TRY(dwn_order_of(layer, arena, &m->order));
    m->type = dwn_type_of(layer->data_type);
    m->user = (size_t)m->order.count * m->type->size;
    HOIST_ASSERT(m->user > 0); // a divisor of `actual`
    m->chip = (size_t)layer->size_bytes;
    m->count = user / m->user;
    return HOIST_OK;
}

// Moves every element from one of the orders to the other; bytes of `to` that belong to no element
// (padding, or gaps between slices) are 0. Signed types have the top bit of each element flipped:
// the chip computes with unsigned numbers (section 5.3).
static hoist_status carry(const dwn_layer *layer, hoist_bytes from, hoist_arena *arena,
                          hoist_mut_bytes to, bool to_chip)
{
    move m;
    HOIST_TRY(
        prepare(layer, to_chip ? from.size : to.size, to_chip ? to.size : from.size, arena, &m));
    memset(to.data, 0, to.size);
    for (size_t i = 0; i < m.count; i++) {
        for (int64_t k = 0; k < m.order.count; k++) {
            const size_t user = i * m.user + (size_t)k * m.type->size;
            const size_t chip = i * m.chip + (size_t)m.order.at[k] * m.type->size;
            if (m.order.at[k] >= 0) {
                uint8_t *const element = to.data + (to_chip ? chip : user);
                memcpy(element, from.data + (to_chip ? user : chip), m.type->size);
                // The last byte is the most significant one.
                element[m.type->size - 1] ^= m.type->is_flipped ? 0x80 : 0;
            }
        }
    }
    return HOIST_OK;
}

hoist_status dwn_from_chip(const dwn_layer *layer, hoist_bytes chip, hoist_arena *arena,
                           hoist_mut_bytes user)
{
    return carry(layer, chip, arena, user, false);
}

hoist_status dwn_to_chip(const dwn_layer *layer, hoist_bytes user, hoist_arena *arena,
                         hoist_mut_bytes chip)
{
    return carry(layer, user, arena, chip, true);
}
