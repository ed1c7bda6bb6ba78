// lower/views.h - views of tensors in the program that is being built, and their algebra: parts,
// other orders of axes, other shapes, stretched ones. Values without an owner; nothing is added to
// the program but by the last two functions.
#ifndef HOIST_SRC_LOWER_VIEWS_H
#define HOIST_SRC_LOWER_VIEWS_H

#include "program/builder.h"

// Numbers of a tensor, wherever they are. The number q represents scale * (q - zero).
typedef struct hoist_lower_view {
    hoist_view_base base;
    hoist_ref of;
    hoist_dtype dtype;
    hoist_shape shape;
    int64_t stride[HOIST_MAX_RANK]; // bytes, signed
    int64_t offset;                 // bytes
    int64_t zero;
    // Bytes from one element of a batch to the next, in code that has the number of the element in
    // its register 0; 0: all elements have these numbers, or there is one.
    int64_t step;
} hoist_lower_view;

// All of a buffer: dense, in C order. The bytes of the shape fit an int64_t.
hoist_lower_view hoist_lower_view_dense(hoist_ref buffer, hoist_dtype dtype,
                                        const hoist_shape *shape);
// True when the elements are contiguous in C order.
bool hoist_lower_view_is_dense(const hoist_lower_view *view);
// The same elements in another shape. False: it has not as many, or the view is not dense; the view
// as it was.
bool hoist_lower_view_reshape(const hoist_lower_view *view, const hoist_shape *shape,
                              hoist_lower_view *out_view);
// Stretched to `shape` by its last dimensions, as numpy does. False: it cannot be.
bool hoist_lower_view_broadcast(const hoist_lower_view *view, const hoist_shape *shape,
                                hoist_lower_view *out_view);
// Elements begin, begin + step ... of an axis, `count` of them, all of which are there.
typedef struct hoist_lower_range {
    int64_t begin, step, count;
} hoist_lower_range;
hoist_lower_view hoist_lower_view_part(const hoist_lower_view *view, int axis,
                                       hoist_lower_range range);
// The elements at one index of an axis, without the axis.
hoist_lower_view hoist_lower_view_at(const hoist_lower_view *view, int axis, int64_t index);
// Axis i of the result is axis axes[i] of the view; `axes` is a permutation.
hoist_lower_view hoist_lower_view_permute(const hoist_lower_view *view,
                                          const int axes[HOIST_MAX_RANK]);
// The view as a row of the program.
hoist_ref hoist_lower_view_ref(hoist_builder *b, const hoist_lower_view *view);

// The layout that the view has.
hoist_ref hoist_lower_view_layout(hoist_builder *b, const hoist_lower_view *view);

#endif // HOIST_SRC_LOWER_VIEWS_H
