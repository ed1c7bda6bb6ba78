#include "exchange/array.h"

#include "base/alloc.h"
#include "base/checked.h"

void hoist_array_deinit(hoist_array *array, hoist_allocator alloc)
{
    hoist_free(alloc, array->owned, array->data.size);
    *array = (hoist_array){0};
}

size_t hoist_array_element_size(hoist_dtype dtype)
{
    const hoist_dtype_info *info = hoist_dtype_get(dtype);
    return info->kind == HOIST_CLASS_BLOCK ? 0 : info->bits / 8u;
}

bool hoist_array_size(const hoist_array *array, uint64_t *out_size)
{
    int64_t size = (int64_t)hoist_array_element_size(array->dtype);
    *out_size = 0;
    for (uint32_t i = 0; i < array->rank; i++) {
        if (array->shape[i] == 0) {
            return false;
        }
    }
    for (uint32_t i = 0; i < array->rank; i++) {
        if (hoist_ckd_mul_i64(&size, size, array->shape[i])) {
            return true;
        }
    }
    *out_size = (uint64_t)size;
    return false;
}
