// The algebra of views (views.h): dense views, reshaped, broadcast, cut and permuted ones, as numpy
// has them. Strides are bytes. Nothing is added to the program but layouts and views at the end.
#include "lower/views.h"

#include <string.h>

#include "base/assert.h"

// Bytes of an element; of 4-bit types 1, which no tensor here has.
static int64_t size_of(hoist_dtype dtype)
{
    return (hoist_dtype_get(dtype)->bits + 7) / 8;
}

hoist_lower_view hoist_lower_view_dense(hoist_ref buffer, hoist_dtype dtype,
                                        const hoist_shape *shape)
{
    HOIST_ASSERT(shape->rank >= 0 && shape->rank <= HOIST_MAX_RANK);
    hoist_lower_view view = {
        .base = HOIST_VIEW_BUFFER, .of = buffer, .dtype = dtype, .shape = *shape};
    int64_t step = size_of(dtype);
    for (int i = shape->rank - 1; i >= 0; i--) {
        view.stride[i] = step;
        step *= shape->dim[i];
    }
    return view;
}

// Strides of axes with one element do not count: no step is taken along them.
bool hoist_lower_view_is_dense(const hoist_lower_view *view)
{
    const hoist_lower_view dense = hoist_lower_view_dense(view->of, view->dtype, &view->shape);
    for (int i = 0; i < view->shape.rank; i++) {
        if (view->shape.dim[i] != 1 && view->stride[i] != dense.stride[i]) {
            return false;
        }
    }
    return true;
}

bool hoist_lower_view_reshape(const hoist_lower_view *view, const hoist_shape *shape,
                              hoist_lower_view *out_view)
{
    // The shape comes from a file or an option: its product may overflow.
    hoist_shape counted; // as far as its elements can be counted
    *out_view = *view;
    if (hoist_shape_init(shape->dim, (size_t)shape->rank, &counted) != HOIST_OK ||
        hoist_shape_count(&counted) != hoist_shape_count(&view->shape) ||
        !hoist_lower_view_is_dense(view)) {
        return false;
    }
    const hoist_lower_view dense = hoist_lower_view_dense(view->of, view->dtype, shape);
    out_view->shape = *shape;
    memcpy(out_view->stride, dense.stride, sizeof out_view->stride);
    return true;
}

bool hoist_lower_view_broadcast(const hoist_lower_view *view, const hoist_shape *shape,
                                hoist_lower_view *out_view)
{
    const int lead = shape->rank - view->shape.rank;
    *out_view = *view;
    if (lead < 0) {
        return false;
    }
    out_view->shape = *shape;
    for (int i = 0; i < shape->rank; i++) {
        const int64_t extent = i < lead ? 1 : view->shape.dim[i - lead];
        if (extent != 1 && extent != shape->dim[i]) {
            return false;
        }
        // A stride of 0 repeats the one element of an axis.
        out_view->stride[i] = extent == shape->dim[i] && i >= lead ? view->stride[i - lead] : 0;
    }
    return true;
}

// A negative step is possible: the offset then is that of the first element taken.
hoist_lower_view hoist_lower_view_part(const hoist_lower_view *view, int axis,
                                       hoist_lower_range range)
{
    HOIST_ASSERT(axis >= 0 && axis < view->shape.rank);
    hoist_lower_view part = *view;
    part.offset += range.begin * view->stride[axis];
    part.stride[axis] = view->stride[axis] * range.step;
    part.shape.dim[axis] = range.count;
    return part;
}

// The axis is removed, and its place filled by those after it.
hoist_lower_view hoist_lower_view_at(const hoist_lower_view *view, int axis, int64_t index)
{
    hoist_lower_view one = hoist_lower_view_part(view, axis, (hoist_lower_range){index, 1, 1});
    const int last = --one.shape.rank;
    for (int i = axis; i < last; i++) {
        one.shape.dim[i] = one.shape.dim[i + 1];
        one.stride[i] = one.stride[i + 1];
    }
    one.shape.dim[last] = 0; // unused dimensions are zero, as in all shapes
    one.stride[last] = 0;
    return one;
}

// Strides move with their extents; no element is copied.
hoist_lower_view hoist_lower_view_permute(const hoist_lower_view *view,
                                          const int axes[HOIST_MAX_RANK])
{
    hoist_lower_view result = *view;
    for (int i = 0; i < view->shape.rank; i++) {
        HOIST_ASSERT(axes[i] >= 0 && axes[i] < view->shape.rank);
        result.shape.dim[i] = view->shape.dim[axes[i]];
        result.stride[i] = view->stride[axes[i]];
    }
    return result;
}

hoist_ref hoist_lower_view_layout(hoist_builder *b, const hoist_lower_view *view)
{
    HOIST_ASSERT(view->shape.rank <= HOIST_MAX_RANK);
    hoist_prog_layout layout = {.kind = HOIST_LAYOUT_STRIDED, .shape = view->shape};
    for (int i = 0; i < view->shape.rank; i++) {
        layout.stride[i] = view->stride[i];
    }
    return hoist_builder_layout(b, &layout);
}

hoist_ref hoist_lower_view_ref(hoist_builder *b, const hoist_lower_view *view)
{
    return hoist_builder_view(b, &(hoist_prog_view){.base = view->base,
                                                    .of = view->of,
                                                    .dtype = view->dtype,
                                                    .layout = hoist_lower_view_layout(b, view),
                                                    .offset = view->offset,
                                                    // Register 0 has the element of a batch, in all
                                                    // code whose views have a step.
                                                    .reg = view->step ? 0 : HOIST_NO_REF,
                                                    .reg_factor = view->step});
}
