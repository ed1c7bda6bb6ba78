// tensor/shape.h - shapes of up to 8 dimensions, outermost first.
#ifndef HOIST_SRC_TENSOR_SHAPE_H
#define HOIST_SRC_TENSOR_SHAPE_H

#include "hoist/tensor.h"

#define HOIST_MAX_RANK 8

// rank 0 is a scalar: one element. A dimension may be 0: no elements.
typedef struct hoist_shape {
    int rank;
    int64_t dim[HOIST_MAX_RANK]; // unused ones are 0
} hoist_shape;

// A shape from `rank` dimensions. HOIST_INVALID: a negative one; HOIST_LIMIT: more than
// HOIST_MAX_RANK, or the product of the nonzero ones does not fit an int64_t.
HOIST_NODISCARD hoist_status hoist_shape_init(const int64_t *dims, size_t rank,
                                              hoist_shape *out_shape);

// Number of elements of a shape made by hoist_shape_init().
int64_t hoist_shape_count(const hoist_shape *shape);

bool hoist_shape_equal(const hoist_shape *a, const hoist_shape *b);

// Advances `index` to the next element in C order; false after the last one (then all zero).
// Start with zeros.
bool hoist_shape_next(const hoist_shape *shape, int64_t index[HOIST_MAX_RANK]);

#endif // HOIST_SRC_TENSOR_SHAPE_H
