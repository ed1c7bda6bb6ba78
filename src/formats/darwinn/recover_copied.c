// Where tiles have the pixels of an output of the model that they copy out. In: the layout of the
// output, which says which tile sends which pixel and where in its part, and the copies of tiles;
// out: addresses. recover_rows.c and recover_transpose.c look at what is there.
#include "formats/darwinn/recover_copied.h"

#include "formats/darwinn/layout.h"

// The layout without slices: only those are known to be copied so.
static const dwn_output_layout *layout_of(const dwn_layer *layer)
{
    const dwn_output_layer *const output =
        layer->any_layer.type == DWN_LAYER_OUTPUT ? layer->any_layer.value : NULL;
    return output && !output->shape_info ? output->layout : NULL;
}

bool dwn_may_be_copied(const dwn_layer *layer)
{
    const dwn_output_layout *layout = layout_of(layer);
    const dwn_type_row *const type = dwn_type_of(layer->data_type);
    return layout && type && type->size == 1 && layer->numerics && layer->y_dim > 0 &&
           layer->x_dim > 0 && layer->z_dim > 0 && layer->y_dim <= DWN_MAX_EXTENT &&
           layer->x_dim <= DWN_MAX_EXTENT && layer->z_dim <= DWN_MAX_EXTENT &&
           dwn_layout_is_complete(layout, layer);
}

bool dwn_find_copied(const dwn_layer *layer, const dwn_copied *from, int32_t y, int32_t x,
                     dwn_copied_pixel *out)
{
    const dwn_local at = dwn_layout_local(layout_of(layer), y, x);
    const dwn_copy *copy = at.tile < DWN_TRACE_TILES ? from->of[at.tile] : NULL;
    const bool is_there = copy && at.offset % DWN_WORD_CHANNELS == 0;
    *out = is_there ? (dwn_copied_pixel){(uint32_t)at.tile, copy,
                                         (uint64_t)at.offset / DWN_WORD_CHANNELS}
                    : (dwn_copied_pixel){.copy = NULL};
    return is_there;
}

int64_t dwn_copied_at(const dwn_copy *copy, uint64_t word)
{
    const dwn_loop *const l = copy->loops;
    uint64_t inside = 1;
    uint64_t at = (uint64_t)(int64_t)copy->base; // hostile strides wrap around
    for (size_t i = 0; i < DWN_MESH_LOOPS; i++) {
        at += word / inside % l[i].count * (uint64_t)l[i].stride;
        inside = dwn_times(inside, l[i].count);
    }
    return word < inside ? (int64_t)at : -1;
}
