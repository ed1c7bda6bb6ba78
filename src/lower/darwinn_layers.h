// lower/darwinn_layers.h - what the parts of lowering recovered layers share.
//
// Tensors between layers are [1, y, x, z] and live in the memory of the function's call. Where the
// model had 8-bit signed numbers (dwn_is_signed_model) hidden tensors have them, too, as the halves
// of averages go away from the signed zero (darwinn reference section 16.7); all else comes to the
// same.
#ifndef HOIST_SRC_LOWER_DARWINN_LAYERS_H
#define HOIST_SRC_LOWER_DARWINN_LAYERS_H

#include "lower/darwinn_lower.h"

typedef struct hoist_lift {
    hoist_darwinn_model *model;
    hoist_quant_layers steps;
    bool is_signed;            // hidden tensors have 8-bit signed numbers
    hoist_quant_view *inputs;  // arena; of the executable's input layers, as hidden tensors
    hoist_quant_view *values;  // arena; of the recovered layers
    hoist_quant_view *outputs; // arena; parameters: of the executable's output layers
} hoist_lift;

// A new tensor that lives as long as the call. darwinn_layers.c
hoist_quant_view hoist_lift_hidden(hoist_lift *l, dwn_extent extent, uint8_t zero);
// Adds the steps of a layer from its inputs to `y`. HOIST_UNSUPPORTED: what does not fit is in
// `steps.why`. darwinn_kinds.c
HOIST_NODISCARD hoist_status hoist_lift_layer(hoist_lift *l, const dwn_recovered *layer,
                                              const hoist_quant_view *y);

// Input `index` of a layer, with a zero point in the unsigned form. darwinn_layers.c
hoist_quant_view hoist_lift_input(const hoist_lift *l, const dwn_recovered *layer, uint32_t index,
                                  uint8_t zero);
// Steps from here on come from these instructions; NULL: from none that are known. darwinn_opaque.c
void hoist_lift_place(hoist_lift *l, const dwn_words *words);
// Adds an opaque step. `words`: NULL, or instructions whose bytes are its record. darwinn_opaque.c
HOIST_NODISCARD hoist_status hoist_lift_opaque(hoist_lift *l, const dwn_words *words,
                                               const hoist_quant_view *reads, uint32_t count,
                                               const hoist_quant_view *y);

// What makes the outputs that no layer makes, from what no layer reads. darwinn_opaque.c
HOIST_NODISCARD hoist_status hoist_lift_rest(hoist_lift *l);

#endif // HOIST_SRC_LOWER_DARWINN_LAYERS_H
