// Tensors between recovered layers (layers.h): buffers that live as long as the call, those that
// users may read or fill, and the inputs of a layer with its own zero point.
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
    // The chip's zero points are unsigned.
    view.zero = zero - (l->is_signed ? DARWINN_LOWER_FLIP : 0);
    view.of = darwinn_lower_memory(l->model, &view);
    return view;
}

// A tensor of a layer's results that the caller can touch: "edgetpu/0/layer/3".
static hoist_lower_view add_port(darwinn_lower_lift *l, uint32_t index, const char *word,
                                 const hoist_prog_buffer *kind)
{
    const dwn_recovered *layer = &l->model->recovery.layers[index];
    const hoist_shape shape = darwinn_lower_shape(layer->output);
    hoist_lower_view view = hoist_lower_view_dense(HOIST_NO_REF, hidden_type(l), &shape);
    view.zero = layer->output_zero - (l->is_signed ? DARWINN_LOWER_FLIP : 0);
    const hoist_str name = hoist_lower_format(l->steps.c, "%.*s/%s/%" PRIu32,
                                              HOIST_STR_ARGS(l->model->name), word, index);
    if (name.data) {
        hoist_prog_buffer row = *kind;
        row.name = name;
        row.loc = l->steps.loc;
        row.space = l->steps.space;
        row.size = (uint64_t)hoist_shape_count(&shape);
        row.alignment = 1;
        row.window_of = HOIST_NO_REF;
        row.lifetime = HOIST_LIFETIME_SESSION;
        row.typed = true;
        row.dtype = view.dtype;
        row.layout = hoist_lower_view_layout(l->steps.c->b, &view);
        view.of = hoist_builder_buffer(l->steps.c->b, &row);
    }
    return view;
}

hoist_lower_view darwinn_lower_kept(darwinn_lower_lift *l, uint32_t index)
{
    return add_port(l, index, "layer", &(hoist_prog_buffer){.output = true});
}

hoist_lower_view darwinn_lower_given(darwinn_lower_lift *l, uint32_t index)
{
    return add_port(l, index, "given", &(hoist_prog_buffer){.contents = HOIST_CONTENTS_CALLER});
}

// The zero point is the reader's: files may declare one tensor with different ones at both ends.
hoist_lower_view darwinn_lower_input(const darwinn_lower_lift *l, const dwn_recovered *layer,
                                     uint32_t index, uint8_t zero)
{
    const uint32_t source = layer->inputs[index];
    hoist_lower_view view = source >= DWN_MODEL_INPUT ? l->inputs[source - DWN_MODEL_INPUT]
                            : l->given                ? l->given[source]
                                                      : l->values[source];
    view.zero = zero - (l->is_signed ? DARWINN_LOWER_FLIP : 0);
    return view;
}
