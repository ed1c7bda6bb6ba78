// Tensors between recovered layers.
#include <inttypes.h>

#include "base/span.h"
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

hoist_lower_view darwinn_lower_kept(darwinn_lower_lift *l, uint32_t index)
{
    const dwn_recovered *layer = &l->model->recovery.layers[index];
    const hoist_shape shape = darwinn_lower_shape(layer->output);
    hoist_lower_view view = hoist_lower_view_dense(HOIST_NO_REF, hidden_type(l), &shape);
    view.zero = layer->output_zero - (l->is_signed ? DARWINN_LOWER_FLIP : 0);
    const hoist_str name = hoist_lower_format(l->steps.c, "%.*s/layer/%" PRIu32,
                                              HOIST_STR_ARGS(l->model->name), index);
    if (name.data) {
        view.of = hoist_builder_buffer(
            l->steps.c->b,
            &(hoist_prog_buffer){.name = name,
                                 .loc = l->steps.loc,
                                 .space = l->steps.space,
                                 .size = (uint64_t)hoist_shape_count(&shape),
                                 .alignment = 1,
                                 .window_of = HOIST_NO_REF,
                                 .lifetime = HOIST_LIFETIME_SESSION,
                                 .output = true,
                                 .typed = true,
                                 .dtype = view.dtype,
                                 .layout = hoist_lower_view_layout(l->steps.c->b, &view)});
    }
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
