// tensor/view.h - a strided window on memory: dtype, shape, byte offset and signed byte strides.
//
// Creation proves that every element lies inside the memory; after that no access is checked.
// Views borrow their memory. Elements of whole bytes only, so no block floats.
#ifndef HOIST_SRC_TENSOR_VIEW_H
#define HOIST_SRC_TENSOR_VIEW_H

#include "tensor/shape.h"

typedef struct hoist_view {
    hoist_mut_bytes memory; // borrowed
    hoist_dtype dtype;
    hoist_shape shape;
    int64_t offset;                 // bytes from the start of `memory` to element 0, 0, ...
    int64_t stride[HOIST_MAX_RANK]; // bytes; may be negative or 0
} hoist_view;

// Byte strides of `shape` in C order without gaps. HOIST_LIMIT when one does not fit.
HOIST_NODISCARD hoist_status hoist_view_strides(const hoist_shape *shape, hoist_dtype dtype,
                                                int64_t out_stride[HOIST_MAX_RANK]);

// A view of `memory`. `stride` NULL: C order without gaps.
// HOIST_UNSUPPORTED: `dtype` has no elements of whole bytes; HOIST_LIMIT: an address does not fit
// an int64_t; HOIST_INVALID: an element lies outside `memory`. A view without elements fits
// anywhere.
HOIST_NODISCARD hoist_status hoist_view_init(hoist_mut_bytes memory, hoist_dtype dtype,
                                             const hoist_shape *shape, int64_t offset,
                                             const int64_t *stride, hoist_view *out_view);

#endif // HOIST_SRC_TENSOR_VIEW_H
