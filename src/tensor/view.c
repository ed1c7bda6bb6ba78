// Strided views: created with a proof that all elements are inside the memory, so that what indexes
// them needs no check.
#include "tensor/view.h"

#include "base/assert.h"
#include "base/checked.h"

// Bytes of an element; 0 when it has none of its own.
static size_t element_size(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return info->kind == HOIST_CLASS_BLOCK ? 0 : info->bits / 8;
}

hoist_status hoist_view_strides(const hoist_shape *shape, hoist_dtype dtype,
                                int64_t out_stride[HOIST_MAX_RANK])
{
    HOIST_ASSERT(shape->rank >= 0 && shape->rank <= HOIST_MAX_RANK);
    int64_t stride = (int64_t)element_size(dtype);
    for (int i = 0; i < HOIST_MAX_RANK; i++) {
        out_stride[i] = 0;
    }
    for (int i = shape->rank - 1; i >= 0; i--) {
        out_stride[i] = stride;
        const int64_t dim = shape->dim[i] ? shape->dim[i] : 1;
        if (hoist_ckd_mul_i64(&stride, stride, dim)) {
            return HOIST_LIMIT;
        }
    }
    return HOIST_OK;
}

// Checks that [least, most + size) lies inside `memory`, where least and most are the extreme
// element addresses.
static hoist_status check_bounds(const hoist_view *view, size_t size)
{
    HOIST_ASSERT(size > 0 && size <= sizeof(uint64_t));
    int64_t least = view->offset;
    int64_t most = view->offset;
    for (int i = 0; i < view->shape.rank; i++) {
        int64_t reach = 0;
        int64_t *end = view->stride[i] < 0 ? &least : &most;
        if (hoist_ckd_mul_i64(&reach, view->shape.dim[i] - 1, view->stride[i]) ||
            hoist_ckd_add_i64(end, *end, reach)) {
            return HOIST_LIMIT;
        }
    }
    if (hoist_ckd_add_i64(&most, most, (int64_t)size)) {
        return HOIST_LIMIT;
    }
    return least >= 0 && (uint64_t)most <= view->memory.size ? HOIST_OK : HOIST_INVALID;
}

hoist_status hoist_view_init(hoist_mut_bytes memory, hoist_dtype dtype, const hoist_shape *shape,
                             int64_t offset, const int64_t *stride, hoist_view *out_view)
{
    *out_view = (hoist_view){0};
    const size_t size = element_size(dtype);
    if (size == 0) {
        return HOIST_UNSUPPORTED;
    }
    hoist_view view = {memory, dtype, *shape, offset, {0}};
    if (stride) {
        for (int i = 0; i < shape->rank; i++) {
            view.stride[i] = stride[i];
        }
    } else {
        HOIST_TRY(hoist_view_strides(shape, dtype, view.stride));
    }
    if (hoist_shape_count(shape) > 0) {
        HOIST_TRY(check_bounds(&view, size));
    }
    *out_view = view;
    return HOIST_OK;
}
