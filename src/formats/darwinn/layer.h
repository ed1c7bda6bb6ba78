// formats/darwinn/layer.h - facts of layers: types, sizes and how many elements they have (darwinn
// reference section 5).
#ifndef HOIST_SRC_FORMATS_DARWINN_LAYER_H
#define HOIST_SRC_FORMATS_DARWINN_LAYER_H

#include "formats/darwinn/module.h"

// From the table of layer.c: what the driver does with elements of a type.
typedef struct dwn_type_row {
    int16_t type;       // dwn_data_type
    uint8_t size;       // bytes of an element
    bool is_flipped;    // its top bit is, on the way to the chip and back
    hoist_dtype dtype;  // of the tensor that it fits
    int32_t zero_shift; // its zero point is so much above the tensor's
} dwn_type_row;

// The row of a type; NULL: it is unknown.
const dwn_type_row *dwn_type_of(int16_t type);

// Elements of one execution: of `shape` where it is there, else y * x * z. -1: an extent is below
// 0, or there are too many.
int64_t dwn_layer_elements(const dwn_layer *layer);
// y * x * z; -1 as above.
int64_t dwn_layer_plain(const dwn_layer *layer);
// Bytes that the user's tensor has, and that the buffer has, of all executions and one element of a
// batch. -1 as above, or the type is unknown.
int64_t dwn_layer_actual(const dwn_layer *layer);
int64_t dwn_layer_padded(const dwn_layer *layer);
// The layer of that name; NULL: there is none.
const dwn_layer *dwn_layer_find(const dwn_layer *layers, uint32_t count, hoist_str name);
// The input whose state an output of such a name is, which ends in "_variable_output"; data NULL:
// it has no such name.
hoist_str dwn_layer_state_of(const dwn_layer *output);
// Whether it is the state of an input that there is.
bool dwn_layer_is_state(const dwn_layer *output, const dwn_executable *executable);

// Range `index` of a shape. Its extent is end - start + 1, which may be anything.
typedef struct dwn_range {
    int32_t start;
    int32_t end;
} dwn_range;
size_t dwn_shape_rank(const dwn_tensor_shape *shape);
dwn_range dwn_shape_range(const dwn_tensor_shape *shape, size_t index);
int64_t dwn_shape_extent(const dwn_tensor_shape *shape, size_t index);
// Product of the extents; -1: one is below 1, or there are too many.
int64_t dwn_shape_elements(const dwn_tensor_shape *shape);

#endif // HOIST_SRC_FORMATS_DARWINN_LAYER_H
