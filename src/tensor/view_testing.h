// tensor/view_testing.h - elements of a view, one and all at once, for tests.
#ifndef HOIST_SRC_TENSOR_VIEW_TESTING_H
#define HOIST_SRC_TENSOR_VIEW_TESTING_H

#include "tensor/convert.h"
#include "tensor/element.h"
#include "tensor/view.h"

static inline uint8_t *view_address(const hoist_view *view, const int64_t index[HOIST_MAX_RANK])
{
    int64_t at = view->offset;
    for (int i = 0; i < view->shape.rank; i++) {
        HOIST_ASSERT(index[i] >= 0 && index[i] < view->shape.dim[i]);
        at += index[i] * view->stride[i];
    }
    HOIST_ASSERT(at >= 0 &&
                 (uint64_t)at + hoist_dtype_get(view->dtype)->bits / 8 <= view->memory.size);
    return view->memory.data + at;
}

// Bits of the element at `index`, which must be inside the shape.
static inline uint64_t view_load(const hoist_view *view, const int64_t index[HOIST_MAX_RANK])
{
    return hoist_element_load(view_address(view, index), hoist_dtype_get(view->dtype)->bits / 8);
}

static inline void view_store(const hoist_view *view, const int64_t index[HOIST_MAX_RANK],
                              uint64_t bits)
{
    hoist_element_store(view_address(view, index), hoist_dtype_get(view->dtype)->bits / 8, bits);
}

// All elements in C order as float32 values (tensor/convert.h), and back by nearest even without
// saturation. `values` has hoist_shape_count() items.
static inline void view_gather(const hoist_view *view, float *values)
{
    int64_t index[HOIST_MAX_RANK] = {0};
    const int64_t count = hoist_shape_count(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        values[i] = hoist_to_f32(view->dtype, view_load(view, index));
        (void)hoist_shape_next(&view->shape, index);
    }
}

static inline void view_scatter(const hoist_view *view, const float *values)
{
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    int64_t index[HOIST_MAX_RANK] = {0};
    const int64_t count = hoist_shape_count(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        view_store(view, index, hoist_from_f32(view->dtype, values[i], nearest));
        (void)hoist_shape_next(&view->shape, index);
    }
}

#endif // HOIST_SRC_TENSOR_VIEW_TESTING_H
