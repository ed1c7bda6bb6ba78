// lower/darwinn/layers.h - what the parts of lowering recovered layers share.
//
// Tensors between layers are [1, y, x, z] and live in the memory of the function's call. Where the
// model had 8-bit signed numbers (dwn_is_signed_model) hidden tensors have them, too, as the halves
// of averages go away from the signed zero (darwinn reference section 16.7); all else comes to the
// same.
#ifndef HOIST_SRC_LOWER_DARWINN_LAYERS_H
#define HOIST_SRC_LOWER_DARWINN_LAYERS_H

#include "lower/darwinn/model.h"

enum { DARWINN_LOWER_FLIP = 128 }; // from unsigned numbers to signed ones

typedef struct darwinn_lower_lift {
    darwinn_lower_model *model;
    hoist_quant_layers steps;
    bool is_signed;            // hidden tensors have 8-bit signed numbers
    hoist_lower_view *inputs;  // arena; of the executable's input layers, as hidden tensors
    hoist_lower_view *values;  // arena; of the recovered layers
    hoist_lower_view *given;   // arena; what layers read in their place; NULL: nothing
    hoist_lower_view *outputs; // arena; parameters: of the executable's output layers
} darwinn_lower_lift;

static inline hoist_shape darwinn_lower_shape(dwn_extent extent)
{
    return (hoist_shape){.rank = 4, .dim = {1, extent.h, extent.w, extent.c}};
}
// A new tensor that lives as long as the call. values.c
hoist_lower_view darwinn_lower_hidden(darwinn_lower_lift *l, dwn_extent extent, uint8_t zero);
// The tensor that a layer makes, which can be read after a run (hoist_lower_options.layers).
hoist_lower_view darwinn_lower_kept(darwinn_lower_lift *l, uint32_t index);
// What is read in place of that tensor (hoist_lower_options.layers_alone); filled by the caller.
hoist_lower_view darwinn_lower_given(darwinn_lower_lift *l, uint32_t index);
// Adds the steps of a layer from its inputs to `y`. HOIST_UNSUPPORTED: what does not fit is in
// `steps.why`. kinds.c
HOIST_NODISCARD hoist_status darwinn_lower_layer(darwinn_lower_lift *l, const dwn_recovered *layer,
                                                 const hoist_lower_view *y);

// Input `index` of a layer, with a zero point in the unsigned form. values.c
hoist_lower_view darwinn_lower_input(const darwinn_lower_lift *l, const dwn_recovered *layer,
                                     uint32_t index, uint8_t zero);
// Steps from here on come from these instructions; NULL: from none that are known. opaque.c
void darwinn_lower_place(darwinn_lower_lift *l, const dwn_words *words);
// Adds an opaque step. `words`: NULL, or instructions whose bytes are its record. opaque.c
HOIST_NODISCARD hoist_status darwinn_lower_opaque(darwinn_lower_lift *l, const dwn_words *words,
                                                  const hoist_lower_view *reads, uint32_t count,
                                                  const hoist_lower_view *y);

// Whether layers make all outputs. opaque.c
bool darwinn_lower_is_made(const darwinn_lower_lift *l);
// What makes the outputs that no layer makes, from what no layer reads. opaque.c
HOIST_NODISCARD hoist_status darwinn_lower_rest(darwinn_lower_lift *l);

#endif // HOIST_SRC_LOWER_DARWINN_LAYERS_H
