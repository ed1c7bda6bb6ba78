// kernels/elements.h - the elements of a strided view as a line: C order, without gaps.
#ifndef HOIST_SRC_KERNELS_ELEMENTS_H
#define HOIST_SRC_KERNELS_ELEMENTS_H

#include "tensor/view.h"

#define HOIST_ELEMENT_MAX_SIZE 8 // bytes

// Bytes of an element of a view's dtype: 1, 2, 4 or 8.
size_t hoist_element_size(hoist_dtype dtype);

// Copies elements [begin, begin + count) of `view`, as stored, to and from `line`.
void hoist_elements_read(const hoist_view *view, uint64_t begin, size_t count, uint8_t *line);
void hoist_elements_write(const hoist_view *view, uint64_t begin, size_t count,
                          const uint8_t *line);

// Stored elements as float32 values and back, to nearest even; integers saturate
// (tensor/convert.h).
void hoist_elements_to_f32(hoist_dtype dtype, const uint8_t *line, size_t count, float *values);
void hoist_elements_from_f32(hoist_dtype dtype, const float *values, size_t count, uint8_t *line);

// True when elements of the type are in memory as the host's floats do.
bool hoist_elements_are_floats(hoist_dtype dtype);

// True when an element of `a` may share a byte with one of `b`: their extents meet.
bool hoist_elements_may_overlap(const hoist_view *a, const hoist_view *b);

#endif // HOIST_SRC_KERNELS_ELEMENTS_H
