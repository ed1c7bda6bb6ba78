// lower/darwinn/border.h - tensors between the user's order (y, x, z, packed) and that of the
// chip's buffers, as moves of whole boxes (darwinn reference sections 5 to 5.2).
// formats/darwinn/relayout.h does the same element by element.
#ifndef HOIST_SRC_LOWER_DARWINN_BORDER_H
#define HOIST_SRC_LOWER_DARWINN_BORDER_H

#include "formats/darwinn/layer.h"
#include "lower/darwinn/model.h"

enum {
    DARWINN_LOWER_MAX_BOXES = 65536,     // of a layer; real ones have 1 to 16
    DARWINN_LOWER_MAX_PIXELS = 16777216, // of a layout
};

// Elements of one execution of a layer that lie in constant strides on both sides, in bytes. They
// are inside the packed tensor and inside size_bytes.
typedef struct darwinn_lower_box {
    hoist_shape shape; // of at most HOIST_MAX_RANK - 1 dimensions
    int64_t user;      // the first
    int64_t chip;
    int64_t user_stride[HOIST_MAX_RANK];
    int64_t chip_stride[HOIST_MAX_RANK];
} darwinn_lower_box;

// Where a layer's elements are.
typedef struct darwinn_lower_border {
    const dwn_layer *layer;
    const dwn_type_row *type;
    const darwinn_lower_box *boxes; // arena
    uint32_t count;
    int64_t elements; // of one execution
    int64_t reach;    // bytes of the chip's buffer up to the last element of the last execution
    bool in_row;      // both sides have the same order
    bool may_miss;    // slices may leave elements of the tensor out
    hoist_ref middle; // constant: float32 of the number that flipping adds; where `type` is flipped
} darwinn_lower_border;

// Works out the boxes of an input or output layer. Inputs, and outputs of one pixel, are in a row;
// other outputs as their slices or, without them, their layout say. False: it was reported why the
// layer cannot be (RUN-036, RUN-008), or chip->c->status says what failed.
bool darwinn_lower_border_of(darwinn_lower_model *model, const dwn_layer *layer,
                             darwinn_lower_border *out_border);

// The type of a layer's numbers on the chip: unsigned where the user's are signed.
hoist_dtype darwinn_lower_chip_type(const darwinn_lower_border *border);

// All three add moves to the code being built. Views are dense and of any shape; `buffer` begins
// where the chip's buffer of the element does, and its type does not matter.
//
// All executions of the user's tensor to the buffer; signed 8- and 16-bit numbers have their top
// bit flipped. Padding stays as it is.
void darwinn_lower_to_chip(darwinn_lower_model *model, const darwinn_lower_border *border,
                           const hoist_lower_view *user, const hoist_lower_view *buffer);
// And back; what no slice has becomes 0.
void darwinn_lower_from_chip(darwinn_lower_model *model, const darwinn_lower_border *border,
                             const hoist_lower_view *buffer, const hoist_lower_view *user);
// Numbers of one execution, in the user's order and of the chip's type, to their places; `buffer`
// begins where those of that execution do.
void darwinn_lower_order(darwinn_lower_model *model, const darwinn_lower_border *border,
                         const hoist_lower_view *numbers, const hoist_lower_view *buffer);

#endif // HOIST_SRC_LOWER_DARWINN_BORDER_H
