// Tensors between recovered layers.
#include "lower/darwinn/layers.h"

static hoist_dtype hidden_type(const darwinn_lower_lift *l)
{
    return l->is_signed ? HOIST_DTYPE_I8 : HOIST_DTYPE_U8;
}

hoist_lower_view darwinn_lower_hidden(darwinn_lower_lift *l, dwn_extent extent, uint8_t zero)
{
    const hoist_shape shape = darwinn_lower_shape(extent);
    hoist_lower_view view = hoist_lower_view_dense(HOIST_NO_REF, hidden_type(l), &shape);
    view.zero = zero - (l->is_signed ? DARWINN_LOWER_FLIP : 0);
    view.of = darwinn_lower_memory(l->model, &view);
    return view;
}

hoist_lower_view darwinn_lower_input(const darwinn_lower_lift *l, const dwn_recovered *layer,
                                     uint32_t index, uint8_t zero)
{
    const uint32_t source = layer->inputs[index];
    hoist_lower_view view =
        source >= DWN_MODEL_INPUT ? l->inputs[source - DWN_MODEL_INPUT] : l->values[source];
    view.zero = zero - (l->is_signed ? DARWINN_LOWER_FLIP : 0);
    return view;
}
