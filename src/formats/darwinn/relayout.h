// formats/darwinn/relayout.h - tensors between the user's order (y, x, z, packed) and that of the
// chip's buffers (darwinn reference sections 4.4, 5, 5.1 and 5.2): element by element, as the
// reference for faster implementations.
#ifndef HOIST_SRC_FORMATS_DARWINN_RELAYOUT_H
#define HOIST_SRC_FORMATS_DARWINN_RELAYOUT_H

#include "formats/darwinn/layout.h"

enum { DWN_MAX_RANK = 16 }; // of a slice; 2 to 5 were seen

// Where the elements of one execution of a layer are in the chip's buffer.
typedef struct dwn_order {
    int64_t *at; // arena; by the element's place in the tensor: its place in the buffer, counted in
                 // elements, below size_bytes; -1: no slice has it
    int64_t count; // elements of the tensor
} dwn_order;

// Inputs and outputs of one pixel are in a row; other outputs as their slices or, without them,
// their layout says. HOIST_OK; HOIST_INVALID: the layer breaks one of the rules 31, 63, 65, 69 to
// 72, or has slices that share an element or have more than DWN_MAX_RANK dimensions;
// HOIST_NO_MEMORY.
HOIST_NODISCARD hoist_status dwn_order_of(const dwn_layer *layer, hoist_arena *arena,
                                          dwn_order *out_order);

// `user` has dwn_layer_actual() bytes for each element of the batch, and `chip` has
// dwn_layer_padded(), one after the other; in them the executions follow each other. Signed 8- and
// 16-bit types have their top bit flipped on the way, both ways.
//
// Fills `user` from what the chip sent: what no slice has becomes 0. HOIST_OK; HOIST_INVALID: as
// above, or the sizes are others; HOIST_NO_MEMORY. The arena is for scratch.
HOIST_NODISCARD hoist_status dwn_from_chip(const dwn_layer *layer, hoist_bytes chip,
                                           hoist_arena *arena, hoist_mut_bytes user);
// Fills `chip` with what is to be sent, or would come: padding becomes 0. Statuses as above.
HOIST_NODISCARD hoist_status dwn_to_chip(const dwn_layer *layer, hoist_bytes user,
                                         hoist_arena *arena, hoist_mut_bytes chip);

#endif // HOIST_SRC_FORMATS_DARWINN_RELAYOUT_H
