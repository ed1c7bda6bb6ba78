// tensor/view_testing.h - all elements of a view at once, for tests.
#ifndef HOIST_SRC_TENSOR_VIEW_TESTING_H
#define HOIST_SRC_TENSOR_VIEW_TESTING_H

#include "tensor/convert.h"
#include "tensor/view.h"

// All elements in C order as float32 values (tensor/convert.h), and back by nearest even without
// saturation. `values` has hoist_shape_count() items.
static inline void view_gather(const hoist_view *view, float *values)
{
    int64_t index[HOIST_MAX_RANK] = {0};
    const int64_t count = hoist_shape_count(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        values[i] = hoist_to_f32(view->dtype, hoist_view_load(view, index));
        (void)hoist_shape_next(&view->shape, index);
    }
}

static inline void view_scatter(const hoist_view *view, const float *values)
{
    const hoist_rounding nearest = {HOIST_ROUND_NEAREST, false};
    int64_t index[HOIST_MAX_RANK] = {0};
    const int64_t count = hoist_shape_count(&view->shape);
    for (int64_t i = 0; i < count; i++) {
        hoist_view_store(view, index, hoist_from_f32(view->dtype, values[i], nearest));
        (void)hoist_shape_next(&view->shape, index);
    }
}

#endif // HOIST_SRC_TENSOR_VIEW_TESTING_H
